#include "api.h"

#include "../serve/scarce.h"

#include <jansson.h>

#define EDIT "{\"file_path\":\"a.txt\",\"old_string\":\"one\",\"new_string\":\"1\"}"

/* The answer to a call, which there must be; the caller's. */
static json_t *call(const scratch *s, const char *tool, const char *arguments, bool *is_error)
{
    char *answer;
    emend_error err = {.detail = ""};
    if (emend_call(s->session, tool, arguments, &answer, is_error, &err) != EMEND_OK) {
        print_error("%s: %s\n", tool, err.detail);
        fail();
    }
    json_t *value = json_loads(answer, JSON_DECODE_ANY, NULL);
    assert_non_null(value);
    emend_free(answer);
    return value;
}

static void a_tool_that_answers_with_text(void **state)
{
    scratch s;
    bool is_error;
    (void)state;
    scratch_open(&s, (emend_session_options){0});
    scratch_write(&s, "a.txt", LIT("one\n"));
    json_t *answer = call(&s, "edit_file", EDIT, &is_error);
    assert_false(is_error);
    assert_string_equal(json_string_value(answer),
                        "Successfully replaced 1 occurrence(s) in a.txt");
    json_decref(answer);
    check_file(&s, "a.txt", LIT("1\n"));
    answer = call(&s, "edit_file", EDIT, &is_error);
    assert_true(is_error);
    assert_non_null(strstr(json_string_value(answer), "Error: old_string not found"));
    json_decref(answer);
    scratch_drop(&s);
}

static void a_tool_that_answers_with_an_object(void **state)
{
    scratch s;
    bool is_error;
    (void)state;
    scratch_open(&s, (emend_session_options){0});
    scratch_write(&s, "a.txt", LIT("one\n"));
    json_t *answer = call(&s, "MultiEdit",
                          "{\"path\":\"a.txt\",\"edits\":[{\"old_string\":\"one\","
                          "\"new_string\":\"1\"}]}",
                          &is_error);
    assert_false(is_error);
    assert_true(json_is_object(answer));
    json_decref(answer);
    check_file(&s, "a.txt", LIT("1\n"));
    static const char *const none[] = {NULL, "{}", "null"};
    for (size_t i = 0; i < COUNT_OF(none); i++) {
        answer = call(&s, "MultiEdit", none[i], &is_error);
        assert_true(is_error);
        assert_true(json_is_object(answer));
        json_decref(answer);
    }
    scratch_drop(&s);
}

static void calls_without_an_answer(void **state)
{
    static const struct {
        const char *tool, *arguments, *detail;
    } rows[] = {
        {"edit_fil", EDIT, "there is no tool 'edit_fil'. Did you mean 'edit_file'?"},
        {"zzzzzzzzzzzz", EDIT, "there is no tool 'zzzzzzzzzzzz'"},
        {"edit_file", "[]", "the arguments must be a JSON object"},
        {"edit_file", "{", "at byte"},
    };
    scratch s;
    (void)state;
    scratch_open(&s, (emend_session_options){0});
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char *answer = (char *)&answer;
        bool is_error = false;
        emend_error err;
        assert_int_equal(
            emend_call(s.session, rows[i].tool, rows[i].arguments, &answer, &is_error, &err),
            EMEND_E_INVALID);
        assert_null(answer);
        assert_true(is_error);
        assert_non_null(strstr(err.detail, rows[i].detail));
    }
    scratch_drop(&s);
}

static void a_reading_session_refuses_every_change(void **state)
{
    scratch s;
    char *answer;
    bool is_error;
    (void)state;
    scratch_open(&s, (emend_session_options){.read_only = true});
    scratch_write(&s, "a.txt", LIT("one\n"));
    assert_int_equal(emend_call(s.session, "edit_fil", EDIT, &answer, &is_error, NULL),
                     EMEND_E_INVALID);
    json_t *text = call(&s, "edit_file", EDIT, &is_error);
    assert_true(is_error);
    assert_non_null(strstr(json_string_value(text), "refused by --read-only"));
    json_decref(text);
    text = call(&s, "read_file", "{\"file_path\":\"a.txt\"}", &is_error);
    assert_string_equal(json_string_value(text), "one\n");
    json_decref(text);
    scratch_drop(&s);
}

static void every_tool_is_described(void **state)
{
    (void)state;
    char *text = emend_tools_json();
    json_t *tools = json_loads(text, 0, NULL);
    emend_free(text);
    assert_true(json_array_size(tools) > 5);
    bool seen = false;
    for (size_t i = 0; i < json_array_size(tools); i++) {
        const json_t *tool = json_array_get(tools, i);
        assert_true(json_is_object(json_object_get(tool, "inputSchema")));
        seen = seen || strcmp(json_string_value(json_object_get(tool, "name")), "MultiEdit") == 0;
    }
    assert_true(seen);
    json_decref(tools);
}

static void memory_may_run_out(void **state)
{
    scratch s;
    long nth = 0;
    (void)state;
    scratch_open(&s, (emend_session_options){0});
    scratch_write(&s, "a.txt", LIT("one\n"));
    for (bool hit = true; hit; nth++) {
        char *answer;
        bool is_error;
        emend_error err;
        scarce_begin(nth);
        emend_status status = emend_call(s.session, "read_file", "{\"file_path\":\"a.txt\"}",
                                         &answer, &is_error, &err);
        hit = scarce_end();
        /* The answer may say so itself, and the JSON parser may take it for a mistake of ours. */
        if (status == EMEND_OK)
            assert_true(answer && (!hit || is_error));
        else
            assert_true(hit && !answer && err.code == status &&
                        (status == EMEND_E_NOMEM || status == EMEND_E_INVALID));
        emend_free(answer);
    }
    assert_true(nth > 10);
    nth = 0;
    for (bool hit = true; hit; nth += hit ? 50 : 0) {
        scarce_begin(nth);
        char *tools = emend_tools_json();
        hit = scarce_end();
        assert_true(hit == !tools);
        emend_free(tools);
    }
    for (long first = 0; first < 10; first++) {
        scarce_begin(first);
        char *tools = emend_tools_json();
        assert_true(scarce_end());
        assert_null(tools);
    }
    scratch_drop(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tool_that_answers_with_text),
        cmocka_unit_test(a_tool_that_answers_with_an_object),
        cmocka_unit_test(calls_without_an_answer),
        cmocka_unit_test(a_reading_session_refuses_every_change),
        cmocka_unit_test(every_tool_is_described),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
