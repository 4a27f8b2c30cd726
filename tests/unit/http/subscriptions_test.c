#include "../dialects/memory.h"

#include "http/subscriptions.h"

#include <string.h>

#define LISTEN(id, notifications)                                                                  \
    "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"subscriptions/listen\",\"params\":{"          \
    "\"notifications\":" notifications "}}"
#define SUBSCRIPTION(id) "{\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":" id "}"
#define ACKNOWLEDGED(id)                                                                           \
    "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/subscriptions/acknowledged\","          \
    "\"params\":" SUBSCRIPTION(id) ",\"notifications\":{}}}\n\n"
#define ENDED(id)                                                                                  \
    "data: {\"jsonrpc\":\"2.0\",\"id\":" id                                                        \
    ",\"result\":" SUBSCRIPTION(id) ",\"resultType\":\"complete\"}}\n\n"

static void nothing(void *context)
{
    (void)context;
}

static void check_heard(em_exchange *exchange, const char *want)
{
    char text[2000];
    long length = em_stream_take(exchange->reply.stream, text, sizeof text - 1, nothing, NULL);
    text[length > 0 ? length : 0] = '\0';
    assert_string_equal(text, want);
}

/* The code of the error that the request is answered with; 0: a stream. */
static int open(em_subscriptions *subscriptions, const char *text, em_exchange *exchange)
{
    em_rpc_line *line = em_rpc_read(em_slice_of(text));
    json_t *problem = em_subscriptions_open(subscriptions, &line->messages[0], exchange);
    int code = (int)json_integer_value(json_object_get(json_object_get(problem, "error"), "code"));
    json_decref(problem);
    em_rpc_line_free(line);
    return code;
}

static void who_listens_is_told(void **state)
{
    (void)state;
    em_subscriptions *subscriptions = em_subscriptions_new(10);
    em_exchange *one = em_exchange_new(), *two = em_exchange_new();
    assert_int_equal(
        open(subscriptions, LISTEN("\"listen:0\"", "{\"toolsListChanged\":true}"), one), 0);
    assert_int_equal(open(subscriptions, LISTEN("7", "{\"promptsListChanged\":true}"), two), 0);
    check_heard(one, ACKNOWLEDGED("\"listen:0\""));
    check_heard(two, ACKNOWLEDGED("7"));
    em_stream_leave(two->reply.stream);
    em_subscriptions_tick(subscriptions);
    em_subscriptions_end(subscriptions);
    check_heard(one, ENDED("\"listen:0\""));
    check_heard(two, "");
    em_subscriptions_free(subscriptions);
    em_subscriptions_free(NULL);
    em_exchange_free(one);
    em_exchange_free(two);
}

static void what_cannot_be(void **state)
{
    (void)state;
    em_subscriptions *subscriptions = em_subscriptions_new(1);
    em_exchange *exchange = em_exchange_new(), *plain = em_exchange_new();
    em_exchange_add_field(plain, EM_LIT("Accept"), EM_LIT("application/json"));
    assert_int_equal(open(subscriptions, LISTEN("1", "[]"), exchange), EM_RPC_INVALID_PARAMS);
    assert_int_equal(open(subscriptions, LISTEN("1", "{}"), plain), EM_RPC_INVALID_REQUEST);
    assert_int_equal(open(subscriptions, LISTEN("1", "{\"toolsListChanged\":true}"), exchange), 0);
    check_heard(exchange, ACKNOWLEDGED("1"));
    assert_int_equal(open(subscriptions, LISTEN("2", "{}"), exchange), EM_RPC_INTERNAL_ERROR);
    em_stream_leave(exchange->reply.stream);
    em_subscriptions_tick(subscriptions); /* makes room */
    assert_int_equal(open(subscriptions, LISTEN("2", "{}"), exchange), 0);
    em_subscriptions_free(subscriptions);
    em_exchange_free(exchange);
    em_exchange_free(plain);
}

static bool listen_once(void *context)
{
    em_rpc_line *line = context;
    em_subscriptions *subscriptions = em_subscriptions_new(1);
    em_exchange *exchange = subscriptions ? em_exchange_new() : NULL;
    if (exchange)
        json_decref(em_subscriptions_open(subscriptions, &line->messages[0], exchange));
    bool ok = exchange && exchange->reply.stream;
    em_subscriptions_free(subscriptions);
    em_exchange_free(exchange);
    return ok;
}

static void memory_may_run_out(void **state)
{
    (void)state;
    em_rpc_line *line = em_rpc_read(em_slice_of(LISTEN("1", "{}")));
    assert_true(run_out_of_memory(listen_once, line) >= 4);
    em_rpc_line_free(line);
}

int main(void)
{
    use_counted_memory();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_listens_is_told),
        cmocka_unit_test(what_cannot_be),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests_name("subscriptions", tests, NULL, NULL);
}
