#include "../dialects/memory.h"

#include "http/routes.h"

#include <string.h>

static void answer(void *context, em_exchange *exchange)
{
    (void)context, (void)exchange;
}

static const em_route first[] = {
    {EM_HTTP_GET, "/a", 0, answer},
    {EM_HTTP_POST, "/a", EM_ROUTE_COOKIE, answer},
    {EM_HTTP_OTHER, NULL, 0, NULL},
};
static const em_route second[] = {
    {EM_HTTP_GET, "/b/", EM_ROUTE_BENEATH, answer},
    {EM_HTTP_DELETE, "/b/c", 0, answer},
    {EM_HTTP_GET, "/s", EM_ROUTE_STREAM, answer},
    {EM_HTTP_GET, "/a", EM_ROUTE_OPEN, answer},
    {EM_HTTP_OTHER, NULL, 0, NULL},
};

static void the_first_row_that_fits_answers(void **state)
{
    (void)state;
    static char one, two;
    const em_routes sets[] = {{first, &one}, {second, &two}};
    const struct {
        em_http_method method;
        const char *path;
        const em_route *route;
        const char *allowed; /* where there is none */
    } rows[] = {
        {EM_HTTP_GET, "/a", &first[0], NULL},
        {EM_HTTP_HEAD, "/a", &first[0], NULL},
        {EM_HTTP_POST, "/a", &first[1], NULL},
        {EM_HTTP_DELETE, "/a", NULL, "GET, HEAD, POST"},
        {EM_HTTP_OTHER, "/a", NULL, "GET, HEAD, POST"},
        {EM_HTTP_GET, "/a/", NULL, ""},
        {EM_HTTP_GET, "/b", NULL, ""},
        {EM_HTTP_GET, "/b/", &second[0], NULL},
        {EM_HTTP_GET, "/b/c/d", &second[0], NULL},
        {EM_HTTP_DELETE, "/b/c", &second[1], NULL},
        {EM_HTTP_OPTIONS, "/b/c", NULL, "GET, HEAD, DELETE"},
        {EM_HTTP_GET, "/s", &second[2], NULL},
        {EM_HTTP_HEAD, "/s", NULL, "GET"},
        {EM_HTTP_GET, "/", NULL, ""},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        em_route_found found = em_routes_find(sets, 2, rows[i].method, rows[i].path);
        char allowed[64];
        em_routes_list_methods(found.allowed, allowed);
        assert_ptr_equal(found.route, rows[i].route);
        if (found.route)
            assert_ptr_equal(found.context,
                             rows[i].route < second || rows[i].route > second + 4 ? &one : &two);
        assert_string_equal(allowed, rows[i].allowed ? rows[i].allowed : "");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_first_row_that_fits_answers)};
    return cmocka_run_group_tests_name("routes", tests, NULL, NULL);
}
