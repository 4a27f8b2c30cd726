#include "../dialects/memory.h"

#include "http/exchange.h"

#include <string.h>

static em_exchange *exchange_new(void)
{
    em_exchange *exchange = em_exchange_new();
    assert_non_null(exchange);
    return exchange;
}

static void add(em_exchange *exchange, const char *name, const char *value)
{
    assert_int_equal(em_exchange_add_field(exchange, em_slice_of(name), em_slice_of(value)), EM_OK);
}

static void addresses_are_split_and_decoded(void **state)
{
    (void)state;
    static const struct {
        const char *target, *path, *name, *value; /* `path` NULL: refused */
    } rows[] = {
        {"/", "/", NULL, NULL},
        {"/a%20b/%C3%A9?c=d", "/a b/\xC3\xA9", "c", "d"},
        {"/a?", "/a", NULL, NULL},
        {"/a?b", "/a", "b", ""},
        {"/a?&&b=&c=1", "/a", "c", "1"},
        {"/a?b=x%26y+z%2B", "/a", "b", "x&y z+"},
        {"/a?b=1&b=2", "/a", "b", "1"},
        {"/a+b", "/a+b", NULL, NULL},
        {"/a?b=c?d=e", "/a", "b", "c?d=e"},
        {"", NULL, NULL, NULL},
        {"*", NULL, NULL, NULL},
        {"a", NULL, NULL, NULL},
        {"http://localhost/", NULL, NULL, NULL},
        {"?a", NULL, NULL, NULL},
        {"/a#b", NULL, NULL, NULL},
        {"/%", NULL, NULL, NULL},
        {"/%4", NULL, NULL, NULL},
        {"/%4x", NULL, NULL, NULL},
        {"/%x4", NULL, NULL, NULL},
        {"/%00", NULL, NULL, NULL},
        {"/a%0Ab", NULL, NULL, NULL},
        {"/%7f", NULL, NULL, NULL},
        {"/%FF", NULL, NULL, NULL},
        {"/a?b=%00", NULL, NULL, NULL},
        {"/a?%0a=b", NULL, NULL, NULL},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        em_exchange *exchange = exchange_new();
        em_error err = EM_ERROR_INIT;
        em_status status = em_exchange_set_target(exchange, rows[i].target, &err);
        if ((status == EM_OK) != (rows[i].path != NULL))
            fail_msg("%s: %s", rows[i].target, err.detail);
        if (rows[i].path)
            assert_string_equal(exchange->path, rows[i].path);
        if (rows[i].name)
            assert_string_equal(em_exchange_argument(exchange, rows[i].name), rows[i].value);
        assert_null(em_exchange_argument(exchange, "nothing"));
        em_exchange_free(exchange);
    }
}

static void headers_are_found_in_any_case(void **state)
{
    (void)state;
    em_exchange *exchange = exchange_new();
    add(exchange, "X-Name", "  one \t");
    add(exchange, "x-name", "two");
    assert_string_equal(em_exchange_field(exchange, "X-NAME"), "one");
    assert_int_equal(em_exchange_field_count(exchange, "x-Name"), 2);
    assert_null(em_exchange_field(exchange, "X-Nam"));
    assert_int_equal(em_exchange_field_count(exchange, "X"), 0);
    em_exchange_free(exchange);
}

static void accept_lets_types_through(void **state)
{
    (void)state;
    static const struct {
        const char *accept; /* NULL: there is none */
        bool json, events;
    } rows[] = {
        {NULL, true, true},
        {"application/json", true, false},
        {"application/json, text/event-stream", true, true},
        {"TEXT/Event-Stream;q=0.5", false, true},
        {"*/*", true, true},
        {"application/*", true, false},
        {"text/*;q=0.1 , x/y", false, true},
        {"application/json;q=0", false, false},
        {"application/json; q=0.000, */*", false, true},
        {"*/*, application/json;q=0", false, true},
        {"application/*;q=0, application/json, */*;q=0.1", true, true},
        {"*/*;q=0, text/*;q=0.1, text/event-stream;Q=0", false, false},
        {"text/event-stream;q=0, text/event-stream", false, true},
        {"application/json;a=b;q=0.01", true, false},
        {"application/jsonp", false, false},
        {"applicationjson", false, false},
        {",,", false, false},
        {"", false, false},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        em_exchange *exchange = exchange_new();
        if (rows[i].accept)
            add(exchange, "Accept", rows[i].accept);
        add(exchange, "X", "*/*");
        bool json = em_exchange_accepts(exchange, "application/json");
        bool events = em_exchange_accepts(exchange, "text/event-stream");
        if (json != rows[i].json || events != rows[i].events)
            fail_msg("%s: %d %d", rows[i].accept, json, events);
        em_exchange_free(exchange);
    }
}

static void methods_have_names(void **state)
{
    (void)state;
    assert_int_equal(em_http_method_of("GET"), EM_HTTP_GET);
    assert_int_equal(em_http_method_of("HEAD"), EM_HTTP_HEAD);
    assert_int_equal(em_http_method_of("POST"), EM_HTTP_POST);
    assert_int_equal(em_http_method_of("DELETE"), EM_HTTP_DELETE);
    assert_int_equal(em_http_method_of("OPTIONS"), EM_HTTP_OPTIONS);
    assert_int_equal(em_http_method_of("get"), EM_HTTP_OTHER);
    assert_int_equal(em_http_method_of("TRACE"), EM_HTTP_OTHER);
}

static void bodies_are_objects(void **state)
{
    (void)state;
    static const struct {
        const char *body, *code; /* `code` NULL: taken */
    } rows[] = {{"{\"a\":1}", NULL}, {"{", "not_json"}, {"", "not_json"}, {"[1]", "not_an_object"}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        em_exchange *exchange = exchange_new();
        em_strbuf_puts(&exchange->body, rows[i].body);
        json_t *value = em_exchange_json(exchange);
        assert_int_equal(value != NULL, rows[i].code == NULL);
        assert_int_equal(exchange->reply.status, rows[i].code ? 400 : 0);
        if (rows[i].code)
            assert_non_null(memmem(exchange->reply.body.ptr, exchange->reply.body.len, rows[i].code,
                                   strlen(rows[i].code)));
        json_decref(value);
        em_exchange_free(exchange);
    }
}

static bool says(const em_exchange *exchange, int status, const char *type, const char *body)
{
    const em_http_reply *reply = &exchange->reply;
    return reply->status == status && em_slice_is(reply->body, body) &&
           (type ? reply->type && strcmp(reply->type, type) == 0 : !reply->type);
}

static void the_last_reply_counts(void **state)
{
    (void)state;
    em_exchange *exchange = exchange_new();
    char bytes[] = "text";
    em_reply_bytes(exchange, 200, "text/plain", em_slice_of(bytes));
    bytes[0] = 'x';
    assert_true(says(exchange, 200, "text/plain", "text"));
    em_reply_field(exchange, "X-A", "b");
    em_reply_json(exchange, 201, json_pack("{s:i}", "a", 1));
    assert_true(says(exchange, 201, "application/json", "{\"a\":1}"));
    em_reply_error(exchange, 404, "gone", "no %s", "\"x\"");
    assert_true(says(exchange, 404, "application/json",
                     "{\"error\":{\"code\":\"gone\",\"message\":\"no \\\"x\\\"\"}}"));
    em_stream *stream = em_reply_stream(exchange);
    assert_ptr_equal(exchange->reply.stream, stream);
    em_stream_release(stream);
    em_reply_json(exchange, 200, NULL);
    assert_int_equal(exchange->reply.status, 500);
    assert_null(exchange->reply.stream);
    em_reply_empty(exchange, 204);
    assert_true(says(exchange, 204, NULL, ""));
    assert_int_equal(exchange->reply.fields.count, 1);
    em_exchange_free(exchange);
}

static size_t begun, done;

static void note_begin(em_exchange *exchange)
{
    (void)exchange;
    begun++;
}

static void note_done(em_exchange *exchange)
{
    (void)exchange;
    done++;
}

static bool is_gone(em_exchange *exchange)
{
    return exchange->later;
}

static void the_server_is_told(void **state)
{
    (void)state;
    em_exchange *exchange = exchange_new();
    em_reply_begin(exchange);
    em_reply_done(exchange);
    assert_false(em_exchange_is_gone(exchange));
    exchange->begin = note_begin;
    exchange->done = note_done;
    exchange->is_gone = is_gone;
    em_reply_begin(exchange);
    em_reply_done(exchange);
    assert_false(em_exchange_is_gone(exchange));
    em_reply_later(exchange);
    assert_true(em_exchange_is_gone(exchange));
    assert_int_equal(begun, 1);
    assert_int_equal(done, 1);
    em_exchange_free(exchange);
    em_exchange_free(NULL);
}

static bool fill(void *context)
{
    (void)context;
    em_exchange *exchange = em_exchange_new();
    em_error err = EM_ERROR_INIT;
    if (!exchange)
        return false;
    bool ok = em_exchange_set_target(exchange, "/a?b=c&d=e", &err) == EM_OK &&
              em_exchange_add_field(exchange, EM_LIT("A"), EM_LIT("b")) == EM_OK;
    em_reply_field(exchange, "X", "y");
    ok = ok && exchange->reply.status == 0;
    em_reply_bytes(exchange, 200, "text/plain", EM_LIT("x"));
    ok = ok && exchange->reply.status == 200;
    em_reply_error(exchange, 400, "a", "b");
    ok = ok && exchange->reply.status == 400;
    em_stream *stream = em_reply_stream(exchange);
    ok = ok && stream && exchange->reply.status == 200;
    em_stream_release(stream);
    em_exchange_free(exchange);
    return ok;
}

static void memory_may_run_out(void **state)
{
    (void)state;
    assert_true(run_out_of_memory(fill, NULL) > 5);
}

int main(void)
{
    use_counted_memory();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_are_split_and_decoded),
        cmocka_unit_test(headers_are_found_in_any_case),
        cmocka_unit_test(accept_lets_types_through),
        cmocka_unit_test(methods_have_names),
        cmocka_unit_test(bodies_are_objects),
        cmocka_unit_test(the_last_reply_counts),
        cmocka_unit_test(the_server_is_told),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests_name("exchange", tests, NULL, NULL);
}
