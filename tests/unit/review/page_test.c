#include "http/asking.h"

#include "review/page.h"

static void the_page_is_answered_to_anybody(void **state)
{
    (void)state;
    static const struct {
        const char *path, *type, *begin;
    } cases[] = {
        {"/", "text/html; charset=utf-8", "<!doctype html>"},
        {"/page/main.js", "text/javascript; charset=utf-8", "// The page as a whole"},
        {"/page/page.css", "text/css; charset=utf-8", "/* Colours"},
        {"/page/icon.svg", "image/svg+xml", "<svg"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        em_exchange *exchange = ask(em_page_routes(), cases[i].path);
        assert_int_equal(exchange->reply.status, 200);
        assert_string_equal(exchange->reply.type, cases[i].type);
        assert_true(em_slice_starts(exchange->reply.body, em_slice_of(cases[i].begin)));
        assert_string_equal(reply_field(exchange, "Cache-Control"), "no-cache");
        const char *policy = reply_field(exchange, "Content-Security-Policy");
        assert_non_null(strstr(policy, "default-src 'none'"));
        assert_null(strstr(policy, "unsafe"));
        em_exchange_free(exchange);
    }
}

static void what_a_browser_has_is_not_sent_again(void **state)
{
    (void)state;
    em_exchange *first = ask(em_page_routes(), "/");
    const char *etag = reply_field(first, "ETag");
    em_exchange *again = ask_with(em_page_routes(), EM_HTTP_GET, "/", NULL, "If-None-Match", etag);
    assert_int_equal(again->reply.status, 304);
    assert_int_equal(again->reply.body.len, 0);
    em_exchange *other =
        ask_with(em_page_routes(), EM_HTTP_GET, "/", NULL, "If-None-Match", "\"x\"");
    assert_int_equal(other->reply.status, 200);
    em_exchange_free(first);
    em_exchange_free(again);
    em_exchange_free(other);
}

static void other_files_are_not_there(void **state)
{
    (void)state;
    static const char *const paths[] = {"/page/", "/page/nothing.js", "/page/../page/main.js"};
    for (size_t i = 0; i < COUNT_OF(paths); i++) {
        em_exchange *exchange = ask(em_page_routes(), paths[i]);
        assert_int_equal(exchange->reply.status, 404);
        em_exchange_free(exchange);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_page_is_answered_to_anybody),
        cmocka_unit_test(what_a_browser_has_is_not_sent_again),
        cmocka_unit_test(other_files_are_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
