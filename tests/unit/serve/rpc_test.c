#include "check.h"
#include "scarce.h"

static void kinds_of_messages(void **state)
{
    static const struct {
        const char *text;
        em_rpc_kind kind;
        int code;
        const char *id; /* NULL: none that can be used */
    } rows[] = {
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}", EM_RPC_REQUEST, 0, "1"},
        {"{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"m\",\"params\":{}}", EM_RPC_REQUEST, 0, "0"},
        {"{\"jsonrpc\":\"2.0\",\"id\":\"\",\"method\":\"m\",\"params\":[]}", EM_RPC_REQUEST, 0,
         "\"\""},
        {"{\"jsonrpc\":\"2.0\",\"id\":-9223372036854775808,\"method\":\"m\"}", EM_RPC_REQUEST, 0,
         "-9223372036854775808"},
        {"{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":null}", EM_RPC_NOTIFICATION, 0, NULL},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}", EM_RPC_RESPONSE, 0, "1"},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{}}", EM_RPC_RESPONSE, 0, "1"},
        {"{not json", EM_RPC_INVALID, EM_RPC_PARSE_ERROR, NULL},
        {"7", EM_RPC_INVALID, EM_RPC_INVALID_REQUEST, NULL},
        {"null", EM_RPC_INVALID, EM_RPC_INVALID_REQUEST, NULL},
        {"[]", EM_RPC_INVALID, EM_RPC_INVALID_REQUEST, NULL},
        {"{}", EM_RPC_INVALID, EM_RPC_INVALID_REQUEST, NULL},
        {"{\"id\":1,\"method\":\"m\"}", EM_RPC_INVALID, EM_RPC_INVALID_REQUEST, "1"},
        {"{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"m\"}", EM_RPC_INVALID, EM_RPC_INVALID_REQUEST,
         "1"},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":7}", EM_RPC_INVALID, EM_RPC_INVALID_REQUEST,
         "1"},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":\"x\"}", EM_RPC_INVALID,
         EM_RPC_INVALID_REQUEST, "1"},
        {"{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"m\"}", EM_RPC_INVALID,
         EM_RPC_INVALID_REQUEST, NULL},
        {"{\"jsonrpc\":\"2.0\",\"id\":1.0,\"method\":\"m\"}", EM_RPC_INVALID,
         EM_RPC_INVALID_REQUEST, NULL},
        {"{\"jsonrpc\":\"2.0\",\"id\":9223372036854775808,\"method\":\"m\"}", EM_RPC_INVALID,
         EM_RPC_INVALID_REQUEST, NULL},
        {"{\"jsonrpc\":\"2.0\",\"id\":true,\"method\":\"m\"}", EM_RPC_INVALID,
         EM_RPC_INVALID_REQUEST, NULL},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{},\"error\":{}}", EM_RPC_INVALID,
         EM_RPC_INVALID_REQUEST, "1"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        em_rpc_line *line = em_rpc_read(em_slice_of(rows[i].text));
        assert_non_null(line);
        assert_false(line->is_batch);
        assert_int_equal(line->count, 1);
        const em_rpc_message *message = &line->messages[0];
        if (message->kind != rows[i].kind || message->code != rows[i].code ||
            (message->id != NULL) != (rows[i].id != NULL))
            fail_msg("%s: kind %d, code %d", rows[i].text, (int)message->kind, message->code);
        if (rows[i].id)
            check_json(rows[i].text, message->id, rows[i].id);
        assert_int_equal(message->problem != NULL, message->kind == EM_RPC_INVALID);
        em_rpc_line_free(line);
    }
}

static void a_batch_holds_messages_of_all_kinds(void **state)
{
    (void)state;
    const char *text = "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\"},7,[],"
                       "{\"jsonrpc\":\"2.0\",\"method\":\"b\"}]";
    em_rpc_line *line = em_rpc_read(em_slice_of(text));
    assert_non_null(line);
    assert_true(line->is_batch);
    assert_int_equal(line->count, 4);
    assert_int_equal(line->length, strlen(text));
    assert_int_equal(line->messages[0].kind, EM_RPC_REQUEST);
    assert_int_equal(line->messages[1].kind, EM_RPC_INVALID);
    assert_int_equal(line->messages[2].kind, EM_RPC_INVALID);
    assert_int_equal(line->messages[3].kind, EM_RPC_NOTIFICATION);
    em_rpc_line_free(line);
}

static void a_batch_has_a_bound(void **state)
{
    (void)state;
    for (size_t count = EM_RPC_MOST_IN_BATCH; count <= EM_RPC_MOST_IN_BATCH + 1; count++) {
        EM_AUTO(em_strbuf) text = {0};
        for (size_t i = 0; i < count; i++)
            em_strbuf_puts(&text, i == 0 ? "[7" : ",7");
        em_strbuf_puts(&text, "]");
        em_rpc_line *line = em_rpc_read(em_strbuf_slice(&text));
        bool fits = count <= EM_RPC_MOST_IN_BATCH;
        assert_non_null(line);
        assert_int_equal(line->is_batch, fits);
        assert_int_equal(line->count, fits ? count : 1);
        assert_int_equal(line->messages[0].kind, EM_RPC_INVALID);
        assert_int_equal(line->messages[0].code, EM_RPC_INVALID_REQUEST);
        assert_int_equal(strstr(line->messages[0].problem, "at most 1000") != NULL, !fits);
        em_rpc_line_free(line);
    }
}

static void messages_are_written(void **state)
{
    (void)state;
    json_t *id = json_string("x");
    json_t *message = em_rpc_result(id, json_object());
    check_json("result", message, "{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"result\":{}}");
    json_decref(message);
    message = em_rpc_error(NULL, -32700, "bad \xff byte", NULL);
    check_json(
        "error", message,
        "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32700,\"message\":\"bad \\ufffd byte\"}}");
    json_decref(message);
    message = em_rpc_error(json_null(), 1, "m", json_true());
    check_json("error with data", message,
               "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":1,\"message\":\"m\","
               "\"data\":true}}");
    json_decref(message);
    message = em_rpc_notification("n", json_object());
    check_json("notification", message, "{\"jsonrpc\":\"2.0\",\"method\":\"n\",\"params\":{}}");
    json_decref(message);
    assert_null(em_rpc_result(id, NULL));
    assert_null(em_rpc_notification("n", NULL));
    json_decref(id);
}

static void reading_survives_want_of_memory(void **state)
{
    static const char *const texts[] = {
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\"}",
        "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\"},7]",
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        bool failed = true;
        for (long nth = 0; failed; nth++) {
            scarce_begin(nth);
            em_rpc_line *line = em_rpc_read(em_slice_of(texts[i]));
            failed = scarce_end();
            assert_true(failed || line->messages[0].kind == EM_RPC_REQUEST);
            em_rpc_line_free(line);
        }
    }
}

static void writing_survives_want_of_memory(void **state)
{
    (void)state;
    bool failed = true;
    json_t *id = json_string("x");
    for (long nth = 0; failed; nth++) {
        json_t *data = json_object();
        json_t *params = json_object();
        scarce_begin(nth);
        json_t *error = em_rpc_error(id, 1, "message", data);
        json_t *notification = em_rpc_notification("n", params);
        failed = scarce_end();
        assert_true(failed == (!error || !notification));
        json_decref(error);
        json_decref(notification);
    }
    json_decref(id);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_of_messages),
        cmocka_unit_test(a_batch_holds_messages_of_all_kinds),
        cmocka_unit_test(a_batch_has_a_bound),
        cmocka_unit_test(messages_are_written),
        cmocka_unit_test(reading_survives_want_of_memory),
        cmocka_unit_test(writing_survives_want_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
