#include "http/routes.h"

#include <stdio.h>

static bool fits(const em_route *route, const char *path)
{
    size_t length = strlen(route->path);
    if (route->flags & EM_ROUTE_BENEATH)
        return strncmp(path, route->path, length) == 0;
    return strcmp(path, route->path) == 0;
}

/* Without HEAD where the answer would be a stream: to say how one begins, it would have to begin,
 * and in a session that ends the one before it. */
static bool answers(const em_route *route, em_http_method method)
{
    bool head = method == EM_HTTP_HEAD && !(route->flags & EM_ROUTE_STREAM);
    return route->method == (head ? EM_HTTP_GET : method);
}

em_route_found em_routes_find(const em_routes *sets, size_t set_count, em_http_method method,
                              const char *path)
{
    em_route_found found = {0};
    for (size_t i = 0; i < set_count; i++) {
        for (const em_route *route = sets[i].table; route->path; route++) {
            if (!fits(route, path))
                continue;
            if (answers(route, method))
                return (em_route_found){.route = route, .context = sets[i].context};
            found.allowed |= 1U << route->method;
            if (answers(route, EM_HTTP_HEAD))
                found.allowed |= 1U << EM_HTTP_HEAD;
        }
    }
    return found;
}

void em_routes_list_methods(unsigned allowed, char out[static 64])
{
    static const char *const names[] = {[EM_HTTP_GET] = "GET",
                                        [EM_HTTP_HEAD] = "HEAD",
                                        [EM_HTTP_POST] = "POST",
                                        [EM_HTTP_DELETE] = "DELETE",
                                        [EM_HTTP_OPTIONS] = "OPTIONS"};
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = EM_HTTP_GET; i < sizeof names / sizeof *names; i++)
        if (allowed & (1U << i))
            used += (size_t)snprintf(out + used, 64 - used, "%s%s", used > 0 ? ", " : "", names[i]);
}
