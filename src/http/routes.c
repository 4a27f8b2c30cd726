#include "http/routes.h"

#include <stdio.h>

static bool fits(const em_route *route, const char *path)
{
    size_t length = strlen(route->path);
    if (route->flags & EM_ROUTE_BENEATH)
        return strncmp(path, route->path, length) == 0;
    return strcmp(path, route->path) == 0;
}

em_route_found em_routes_find(const em_routes *sets, size_t set_count, em_http_method method,
                              const char *path)
{
    em_route_found found = {0};
    em_http_method asked = method == EM_HTTP_HEAD ? EM_HTTP_GET : method;
    for (size_t i = 0; i < set_count; i++) {
        for (const em_route *route = sets[i].table; route->path; route++) {
            if (!fits(route, path))
                continue;
            if (route->method == asked)
                return (em_route_found){.route = route, .context = sets[i].context};
            found.allowed |= 1U << route->method;
            if (route->method == EM_HTTP_GET)
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
