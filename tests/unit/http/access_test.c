#include "../dialects/memory.h"

#include "http/access.h"

#include <stdio.h>
#include <string.h>

static const char *const tokens[] = {"first-token-of-all", "second-token-of-all"};
static const char *const hosts[] = {"edit.example"};
static const em_access_options options = {.tokens = tokens,
                                          .token_count = 2,
                                          .page_token_count = 2,
                                          .hosts = hosts,
                                          .host_count = 1,
                                          .port = 8137,
                                          .most = 1000};

static em_access *access_new(void)
{
    em_access *access = em_access_new(&options);
    assert_non_null(access);
    return access;
}

/* An exchange with headers "Name: value", one a line. */
static em_exchange *exchange_with(const char *lines)
{
    em_exchange *exchange = em_exchange_new();
    assert_non_null(exchange);
    while (*lines) {
        size_t name = strcspn(lines, ":"), line = strcspn(lines, "\n");
        assert_true(name < line);
        assert_int_equal(em_exchange_add_field(exchange, em_slice_make(lines, name),
                                               em_slice_make(lines + name + 1, line - name - 1)),
                         EM_OK);
        lines += line + (lines[line] == '\n');
    }
    return exchange;
}

static void framing(void **state)
{
    (void)state;
    static const struct {
        const char *lines;
        int status; /* 0: well */
    } rows[] = {
        {"Host: a", 0},
        {"Host: a\nContent-Length: 0", 0},
        {"Host: a\nTransfer-Encoding: Chunked", 0},
        {"Host:", 0},
        {"", 400},
        {"Host: a\nHost: a", 400},
        {"Host: a\nContent-Type: application/json", 0},
        {"Host: a\nContent-Type: application/json\nContent-Type: text/plain", 400},
        {"Host: a\nAuthorization: Bearer x\nauthorization: Bearer y", 400},
        {"Host: a\nOrigin: http://a\nOrigin: http://a", 400},
        {"Host: a\nLast-Event-ID: 1\nLast-Event-ID: 2", 400},
        {"Host: a\nAccept: application/json\nAccept: text/event-stream", 0}, /* one list */
        {"Host: a\nContent-Length: 2\nContent-Length: 2", 400},
        {"Host: a\nContent-Length: 2\nTransfer-Encoding: chunked", 400},
        {"Host: a\nTransfer-Encoding: chunked\nTransfer-Encoding: chunked", 400},
        {"Host: a\nTransfer-Encoding: gzip", 400},
        {"Host: a\nContent-Length: x", 400},
        {"Host: a\nContent-Length: -2", 400},
        {"Host: a\nContent-Length: 1234567890123456789", 400},
        {"Host: a\nContent-Length:", 400},
        {"Host: a\nX A: b", 400},
        {"Host: a\n: b", 400},
        {"Host: a\nX: a\x01z", 400},
        {"Host: a\nX: a\x7Fz", 400},
        {"Host: a\nX: a\tb", 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        em_exchange *exchange = exchange_with(rows[i].lines);
        const char *why = "";
        bool ok = em_access_check_framing(exchange, &why);
        if (ok != (rows[i].status == 0) || exchange->reply.status != rows[i].status)
            fail_msg("%s: %d", rows[i].lines, exchange->reply.status);
        assert_string_equal(why, ok ? "" : "framing");
        em_exchange_free(exchange);
    }
}

static void bombs(void **state)
{
    (void)state;
    static char value[EM_HEADERS_MOST];
    memset(value, 'x', sizeof value - 1);
    const char *why = "";
    em_exchange *exchange = exchange_with("Host: a");
    em_exchange_add_field(exchange, EM_LIT("X"), em_slice_make(value, sizeof value - 20));
    assert_true(em_access_check_framing(exchange, &why));
    em_exchange_add_field(exchange, EM_LIT("Y"), EM_LIT("more"));
    em_exchange_add_field(exchange, EM_LIT("Z"), EM_LIT("and more"));
    assert_false(em_access_check_framing(exchange, &why));
    assert_int_equal(exchange->reply.status, 431);
    assert_string_equal(why, "headers");
    em_exchange_free(exchange);
}

static void sources(void **state)
{
    (void)state;
    static const struct {
        const char *lines, *why; /* `why` "": well */
    } rows[] = {
        {"Host: localhost", ""},
        {"Host: LocalHost:80", ""},
        {"Host: 127.0.0.1:99999", ""},
        {"Host: [::1]", ""},
        {"Host: [::1]:8137", ""},
        {"Host: edit.example", ""},
        {"Host: evil.example", "host"},
        {"Host: localhost.", "host"},
        {"Host: localhost:", "host"},
        {"Host: localhost:123456", "host"},
        {"Host: localhost:8x", "host"},
        {"Host: [::1", "host"},
        {"Host: [::1]x", "host"},
        {"Host:", "host"},
        {"X: localhost", "host"},
        {"Host: localhost:8137\nOrigin: http://localhost:8137", ""},
        {"Host: localhost:80\nOrigin: http://localhost", ""},
        {"Host: localhost\nOrigin: http://localhost:80", ""},
        {"Host: edit.example\nOrigin: https://EDIT.example:443", ""},
        {"Host: edit.example\nOrigin: HTTPS://edit.example", ""},
        {"Host: edit.example\nOrigin: https://edit.example:80", "origin"},
        {"Host: localhost:8137\nOrigin: http://localhost:8138", "origin"},
        {"Host: localhost:8137\nOrigin: http://127.0.0.1:8137", "origin"},
        {"Host: localhost\nOrigin: http://evil.example", "origin"},
        {"Host: localhost\nOrigin: ftp://localhost", "origin"},
        {"Host: localhost\nOrigin: null", "origin"},
        {"Host: localhost\nOrigin:", "origin"},
        {"Host: localhost\nOrigin: http://localhost\nOrigin: http://localhost", "origin"},
    };
    em_access *access = access_new();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        em_exchange *exchange = exchange_with(rows[i].lines);
        const char *why = "";
        em_access_check_source(access, exchange, &why);
        if (strcmp(why, rows[i].why) != 0 || exchange->reply.status != (rows[i].why[0] ? 403 : 0))
            fail_msg("%s: %s %d", rows[i].lines, why, exchange->reply.status);
        em_exchange_free(exchange);
    }
    em_access_free(access);
}

static void tokens_open_doors(void **state)
{
    (void)state;
    enum { BEARER = 0 };
    static const struct {
        const char *lines;
        unsigned flags;
        const char *principal; /* NULL: refused */
    } rows[] = {
        {"Authorization: Bearer first-token-of-all", BEARER, "1"},
        {"Authorization: bearer   second-token-of-all", BEARER, "2"},
        {"Authorization: Bearer first-token-of-al", BEARER, NULL},
        {"Authorization: Bearer first-token-of-alll", BEARER, NULL},
        {"Authorization: Bearer", BEARER, NULL},
        {"Authorization: Basic first-token-of-all", BEARER, NULL},
        {"X: y", BEARER, NULL},
        {"X: y", EM_ROUTE_OPEN, ""},
        {"Cookie: emend-8137=first-token-of-all", BEARER, NULL},
        {"Cookie: emend-8137=first-token-of-all", EM_ROUTE_COOKIE, "1"},
        {"Cookie: a=b; emend-8137=second-token-of-all; c=d", EM_ROUTE_COOKIE, "2"},
        {"Cookie: emend-8137=x", EM_ROUTE_COOKIE, NULL},
        {"Cookie: emend-8137=", EM_ROUTE_COOKIE, NULL},
        {"Cookie: emend-813=first-token-of-all", EM_ROUTE_COOKIE, NULL},
        {"Cookie: ;;  ; ", EM_ROUTE_COOKIE, NULL},
        {"Cookie: emend-8137=x\nAuthorization: Bearer first-token-of-all", EM_ROUTE_COOKIE, "1"},
    };
    em_access *access = access_new();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const em_route route = {.flags = rows[i].flags};
        em_exchange *exchange = exchange_with(rows[i].lines);
        const char *why = "";
        bool ok = em_access_check_token(access, exchange, &route, &why);
        if (ok != (rows[i].principal != NULL))
            fail_msg("%s: %d", rows[i].lines, ok);
        if (ok) {
            assert_string_equal(exchange->principal, rows[i].principal);
        } else {
            assert_string_equal(why, "token");
            assert_int_equal(exchange->reply.status, 401);
            assert_string_equal(exchange->reply.fields.items[0].name, "WWW-Authenticate");
        }
        em_exchange_free(exchange);
    }
    em_access_free(access);
}

/* One that is for clients alone opens nothing of the page. */
static void a_token_of_clients(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        unsigned flags;
        int status; /* 0: it will do */
    } rows[] = {
        {"Authorization: Bearer second-token-of-all", 0, 0},
        {"Authorization: Bearer second-token-of-all", EM_ROUTE_COOKIE, 403},
        {"Authorization: Bearer second-token-of-all", EM_ROUTE_PAGE, 403},
        {"Cookie: emend-8137=second-token-of-all", EM_ROUTE_COOKIE, 403},
        {"Authorization: Bearer first-token-of-all", 0, 0},
        {"Authorization: Bearer first-token-of-all", EM_ROUTE_PAGE, 0},
        {"Cookie: emend-8137=first-token-of-all", EM_ROUTE_COOKIE, 0},
    };
    em_access_options apart = options;
    apart.page_token_count = 1;
    em_access *access = em_access_new(&apart);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const em_route route = {.flags = rows[i].flags};
        const char *why = "";
        em_exchange *exchange = exchange_with(rows[i].line);
        bool ok = em_access_check_token(access, exchange, &route, &why);
        if (ok != (rows[i].status == 0) || exchange->reply.status != rows[i].status)
            fail_msg("%s, %u: %d", rows[i].line, rows[i].flags, exchange->reply.status);
        em_exchange_free(exchange);
    }
    em_access_free(access);
}

static void without_tokens_all_doors_are_open(void **state)
{
    (void)state;
    const em_route route = {.flags = 0};
    const char *why = "";
    em_access *access = em_access_new(&(em_access_options){.most = 1});
    em_exchange *exchange = exchange_with("X: y");
    assert_true(em_access_check_token(access, exchange, &route, &why));
    assert_string_equal(exchange->principal, "");
    em_access_give_cookie(access, exchange);
    assert_int_equal(exchange->reply.fields.count, 0);
    em_exchange_free(exchange);
    em_access_free(access);
    em_access_free(NULL);
}

static void bodies(void **state)
{
    (void)state;
    static const struct {
        em_http_method method;
        const char *lines;
        int status;
    } rows[] = {
        {EM_HTTP_GET, "X: y", 0},
        {EM_HTTP_GET, "Content-Length: 0", 0},
        {EM_HTTP_GET, "Content-Length: 5", 415},
        {EM_HTTP_DELETE, "Transfer-Encoding: chunked", 415},
        {EM_HTTP_POST, "X: y", 415},
        {EM_HTTP_POST, "Content-Type: application/json", 0},
        {EM_HTTP_POST, "Content-Type: Application/Json;charset=utf-8", 0},
        {EM_HTTP_POST, "Content-Type: application/json5", 415},
        {EM_HTTP_POST, "Content-Type: text/plain", 415},
        {EM_HTTP_POST, "Content-Type: application/json\nContent-Encoding: gzip", 415},
        {EM_HTTP_POST, "Content-Type: application/json\nContent-Encoding: Identity", 0},
        {EM_HTTP_POST, "Content-Type: application/json\nContent-Encoding:", 0},
        {EM_HTTP_POST,
         "Content-Type: application/json\nContent-Encoding: identity\nContent-Encoding: br", 415},
        {EM_HTTP_POST, "Content-Type: application/json\nContent-Length: 1000", 0},
        {EM_HTTP_POST, "Content-Type: application/json\nContent-Length: 1001", 413},
    };
    em_access *access = access_new();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        em_exchange *exchange = exchange_with(rows[i].lines);
        const char *why = "";
        exchange->method = rows[i].method;
        em_access_check_body(access, exchange, &why);
        if (exchange->reply.status != rows[i].status)
            fail_msg("%s: %d", rows[i].lines, exchange->reply.status);
        assert_int_equal(why[0] != '\0', rows[i].status != 0);
        em_exchange_free(exchange);
    }
    em_access_free(access);
}

static void cookies_are_given_and_taken(void **state)
{
    (void)state;
    em_access *access = access_new();
    em_exchange *exchange = exchange_with("X: y");
    exchange->principal = "2";
    em_access_give_cookie(access, exchange);
    em_access_take_cookie(access, exchange);
    const em_http_fields *fields = &exchange->reply.fields;
    assert_int_equal(fields->count, 2);
    assert_string_equal(fields->items[0].value, "emend-8137=second-token-of-all; Path=/; HttpOnly; "
                                                "SameSite=Strict");
    assert_non_null(strstr(fields->items[1].value, "emend-8137=; Path=/"));
    assert_non_null(strstr(fields->items[1].value, "Max-Age=0"));
    em_exchange_free(exchange);
    em_access_free(access);
}

static void secrets(void **state)
{
    (void)state;
    char one[EM_SECRET_SIZE], two[EM_SECRET_SIZE];
    assert_true(em_make_secret(one) && em_make_secret(two));
    assert_int_equal(strlen(one), 32);
    assert_string_not_equal(one, two);
    assert_true(em_is_token(em_slice_of(one)));
    assert_true(em_is_token(EM_LIT("-._~+/=ABCxyz019")));
    assert_false(em_is_token(EM_LIT("fifteen-letters")));
    assert_false(em_is_token(EM_LIT("a blank in the middle")));
    assert_false(em_is_token(EM_LIT("a\0token-with-a-nul")));
    assert_true(em_same_secret("abc", EM_LIT("abc")));
    assert_false(em_same_secret("abc", EM_LIT("abd")));
    assert_false(em_same_secret("abc", EM_LIT("abcabc")));
    assert_false(em_same_secret("abc", EM_LIT("ab")));
    assert_false(em_same_secret("abc", EM_LIT("")));
    assert_false(em_same_secret("", EM_LIT("a")));
    assert_true(em_same_secret("", EM_LIT("")));
}

static bool ask(void *context)
{
    const em_route route = {.flags = 0};
    em_access *access = em_access_new(&options);
    em_exchange *exchange = access ? em_exchange_new() : NULL;
    const char *why = "";
    (void)context;
    bool ok = exchange &&
              em_exchange_add_field(exchange, EM_LIT("Authorization"),
                                    EM_LIT("Bearer first-token-of-all")) == EM_OK &&
              em_access_check_token(access, exchange, &route, &why);
    if (ok) {
        em_access_give_cookie(access, exchange);
        ok = exchange->reply.status == 0;
    }
    em_exchange_free(exchange);
    em_access_free(access);
    return ok;
}

static void memory_may_run_out(void **state)
{
    (void)state;
    assert_true(run_out_of_memory(ask, NULL) > 2);
}

int main(void)
{
    use_counted_memory();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(framing),
        cmocka_unit_test(bombs),
        cmocka_unit_test(sources),
        cmocka_unit_test(a_token_of_clients),
        cmocka_unit_test(tokens_open_doors),
        cmocka_unit_test(without_tokens_all_doors_are_open),
        cmocka_unit_test(bodies),
        cmocka_unit_test(cookies_are_given_and_taken),
        cmocka_unit_test(secrets),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests_name("access", tests, NULL, NULL);
}
