#include "../dialects/memory.h"

#include "review/call_log.h"

#include <stdio.h>
#include <string.h>

/* ---- Calls ---------------------------------------------------------------------------------- */

static em_observed file_of(const char *rel, const char *edit_id)
{
    return (em_observed){.path = "given",
                         .rel = rel,
                         .edit_id = edit_id,
                         .committed = true,
                         .asked_bytes = 10,
                         .size = 1000,
                         .lines_added = 2,
                         .lines_removed = 1};
}

static em_mcp_called call_of(const em_observed *files, size_t count)
{
    return (em_mcp_called){.tool = "edit_file",
                           .client = "agent",
                           .text = "Successfully",
                           .ms = 3,
                           .files = files,
                           .file_count = count};
}

static uint64_t note_change(em_call_log *log, const char *edit_id)
{
    em_observed file = file_of("a.txt", edit_id);
    em_mcp_called called = call_of(&file, 1);
    return em_call_log_note(log, &called);
}

static uint64_t note_refusal(em_call_log *log, em_status status, const char *text)
{
    em_observed file = {.path = "given", .status = status};
    em_mcp_called called = call_of(&file, 1);
    called.is_error = true;
    called.text = text;
    return em_call_log_note(log, &called);
}

static em_noted_call get(em_call_log *log, uint64_t number, em_arena *arena)
{
    em_noted_call noted;
    assert_int_equal(em_call_log_get(log, number, arena, &noted), EM_OK);
    return noted;
}

/* ---- The tests ------------------------------------------------------------------------------ */

static void a_call_is_remembered_as_it_came(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_call_log *log = em_call_log_new();
    json_t *arguments = json_pack("{s:s}", "file_path", "a.txt");
    static const em_tier tiers[] = {EM_TIER_FUZZY};
    em_observed files[] = {file_of("a.txt", "17-00ab"), {.path = "b.txt"}};
    files[0].tiers = tiers;
    files[0].tier_count = 1;
    em_mcp_called called = call_of(files, 2);
    called.arguments = arguments;
    called.waited_ms = 40;
    assert_int_equal(em_call_log_note(log, &called), 1);
    json_decref(arguments);
    em_noted_call noted = get(log, 1, &arena);
    assert_string_equal(noted.tool, "edit_file");
    assert_string_equal(noted.client, "agent");
    assert_string_equal(noted.arguments, "{\"file_path\":\"a.txt\"}");
    assert_int_equal(noted.arguments_bytes, 21);
    assert_string_equal(noted.text, "Successfully");
    assert_string_equal(noted.why, "");
    assert_null(noted.cause);
    assert_int_equal(noted.ms, 3);
    assert_int_equal(noted.waited_ms, 40);
    assert_int_equal(noted.tier, EM_TIER_FUZZY);
    assert_int_equal(noted.file_count, 2);
    assert_string_equal(noted.files[0].path, "a.txt");
    assert_string_equal(noted.files[1].path, "b.txt");
    assert_string_equal(noted.files[1].edit_id, "");
    em_tier tier;
    assert_int_equal(em_call_log_of_change(log, 17, &tier), 1);
    assert_int_equal(tier, EM_TIER_FUZZY);
    assert_int_equal(em_call_log_of_change(log, 18, &tier), 0);
    assert_int_equal(em_call_log_of_change(log, 17 + 2 * EM_CALL_LOG_MOST, &tier), 0);
    assert_int_equal(em_call_log_get(log, 2, &arena, &noted), EM_E_NOT_FOUND);
    assert_int_equal(em_call_log_get(log, 0, &arena, &noted), EM_E_NOT_FOUND);
    em_call_log_free(log);
    em_call_log_free(NULL);
}

static void reasons_are_found_in_answers(void **state)
{
    (void)state;
    static const struct {
        const char *object, *want;
    } cases[] = {
        {NULL, "the text"},
        {"{\"error\":\"in error\"}", "in error"},
        {"{\"error\":{\"message\":\"in its message\"}}", "in its message"},
        {"{\"message\":\"in message\"}", "in message"},
        {"{\"error\":null}", "the text"},
    };
    em_call_log *log = em_call_log_new();
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        json_t *object = cases[i].object ? json_loads(cases[i].object, 0, NULL) : NULL;
        em_mcp_called called = {.is_error = true, .text = "the text", .object = object};
        uint64_t number = em_call_log_note(log, &called);
        json_decref(object);
        em_noted_call noted = get(log, number, &arena);
        assert_string_equal(noted.why, cases[i].want);
        assert_string_equal(noted.cause, "arguments");
        assert_null(noted.tool);
        assert_string_equal(noted.arguments, "");
    }
    em_call_log_free(log);
}

static void what_changed_nothing_is_only_counted(void **state)
{
    (void)state;
    em_call_log *log = em_call_log_new();
    em_call_totals totals;
    em_mcp_called reading = {.tool = "read_file", .text = ""};
    em_observed dry = {.path = "a.txt", .dry_run = true};
    em_mcp_called trying = call_of(&dry, 1);
    assert_int_equal(em_call_log_note(log, &reading), 0);
    assert_int_equal(em_call_log_note(log, &trying), 0);
    em_call_log_totals(log, &totals);
    assert_int_equal(totals.calls, 2);
    assert_int_equal(totals.changes, 0);
    assert_true(totals.since_ms > 1700000000000);
    em_call_log_free(log);
}

static void totals_tell_what_was_spared(void **state)
{
    (void)state;
    em_call_log *log = em_call_log_new();
    em_call_totals totals;
    em_observed undone = file_of("a.txt", "3");
    undone.role = EM_ROLE_UNDO;
    em_mcp_called undo = call_of(&undone, 1);
    static const em_tier tiers[] = {EM_TIER_TOKEN};
    em_observed loose = file_of("b.txt", "2");
    loose.tiers = tiers;
    loose.tier_count = 1;
    em_mcp_called tolerant = call_of(&loose, 1);
    note_change(log, "1");
    em_call_log_note(log, &tolerant);
    em_call_log_note(log, &undo);
    note_refusal(log, EM_E_NO_MATCH, "x");
    note_refusal(log, EM_E_OUTSIDE, "x");
    note_refusal(log, EM_E_OUTSIDE, "x");
    em_call_log_totals(log, &totals);
    assert_int_equal(totals.calls, 6);
    assert_int_equal(totals.changes, 3);
    assert_int_equal(totals.refused, 3);
    assert_int_equal(totals.tolerant, 1);
    assert_int_equal(totals.sent, 20);
    assert_int_equal(totals.whole, 2000);
    assert_int_equal(totals.cause_count, 2);
    assert_string_equal(totals.causes[0].cause, "outside");
    assert_int_equal(totals.causes[0].count, 2);
    assert_int_equal(totals.causes[1].count, 1);
    em_call_log_free(log);
}

static void lists_come_in_pages(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_call_log *log = em_call_log_new();
    em_noted_calls calls;
    em_call_query query = {.most = 3, .which = EM_CALLS_REFUSED};
    for (int i = 0; i < 5; i++) {
        note_change(log, "1");
        note_refusal(log, EM_E_DENIED, "no");
    }
    assert_int_equal(em_call_log_list(log, &query, &arena, &calls), EM_OK);
    assert_int_equal(calls.count, 3);
    assert_true(calls.more);
    assert_int_equal(calls.items[0].number, 10);
    assert_int_equal(calls.items[2].number, 6);
    assert_string_equal(calls.items[2].cause, "denied");
    query.below = 6;
    assert_int_equal(em_call_log_list(log, &query, &arena, &calls), EM_OK);
    assert_int_equal(calls.count, 2);
    assert_false(calls.more);
    query = (em_call_query){.below = 99, .most = 20};
    assert_int_equal(em_call_log_list(log, &query, &arena, &calls), EM_OK);
    assert_int_equal(calls.count, 10);
    uint64_t spans[3] = {0};
    em_call_totals totals;
    em_call_log_totals(log, &totals);
    em_call_log_tally(log, totals.since_ms - 3600000, 3600000, spans, 3);
    assert_int_equal(spans[0], 0);
    assert_int_equal(spans[1] + spans[2], 5);
    em_call_log_free(log);
}

static void only_so_much_is_kept(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_call_log *log = em_call_log_new();
    em_noted_call noted;
    for (int i = 0; i < EM_CALL_LOG_MOST + 2; i++)
        note_change(log, "1");
    assert_int_equal(em_call_log_get(log, 2, &arena, &noted), EM_E_NOT_FOUND);
    assert_int_equal(em_call_log_get(log, 3, &arena, &noted), EM_OK);
    size_t length = 2 * EM_CALL_LOG_ARGUMENTS;
    char *text = malloc(length + 1);
    assert_non_null(text);
    memset(text, 'x', length);
    text[length] = '\0';
    json_t *arguments = json_pack("{s:s}", "a", text);
    em_observed file = file_of("a.txt", "9");
    em_mcp_called large = call_of(&file, 1);
    large.arguments = arguments;
    large.text = text;
    uint64_t number = em_call_log_note(log, &large);
    noted = get(log, number, &arena);
    assert_int_equal(strlen(noted.arguments), EM_CALL_LOG_ARGUMENTS);
    assert_int_equal(noted.arguments_bytes, length + 8);
    assert_int_equal(strlen(noted.text), EM_CALL_LOG_TEXT);
    for (int i = 0; i < EM_CALL_LOG_BYTES / EM_CALL_LOG_ARGUMENTS; i++)
        em_call_log_note(log, &large);
    assert_int_equal(em_call_log_get(log, number, &arena, &noted), EM_E_NOT_FOUND);
    json_decref(arguments);
    free(text);
    em_call_log_free(log);
}

static void there_are_only_so_many_causes(void **state)
{
    (void)state;
    em_call_log *log = em_call_log_new();
    em_call_totals totals;
    for (int status = EM_E_NOMEM; status <= EM_E_INTERNAL; status++)
        note_refusal(log, (em_status)status, "x");
    em_call_log_totals(log, &totals);
    assert_int_equal(totals.refused, EM_E_INTERNAL);
    assert_true(totals.cause_count > 15 && totals.cause_count <= EM_CALL_LOG_CAUSES);
    em_call_log_free(log);
}

/* ---- Memory --------------------------------------------------------------------------------- */

static bool make_one(void *context)
{
    (void)context;
    em_call_log *log = em_call_log_new();
    em_call_log_free(log);
    return log != NULL;
}

static bool note_one(void *log)
{
    em_observed file = file_of("a.txt", "1");
    em_mcp_called called = call_of(&file, 1);
    return em_call_log_note(log, &called) > 0;
}

static bool read_all(void *log)
{
    EM_AUTO(em_arena) arena = {0};
    em_noted_calls calls;
    em_call_query query = {.most = 10};
    return em_call_log_list(log, &query, &arena, &calls) == EM_OK;
}

static void memory_may_run_out(void **state)
{
    (void)state;
    assert_int_equal(run_out_of_memory(make_one, NULL), 3);
    em_call_log *log = em_call_log_new();
    assert_true(run_out_of_memory(note_one, log) > 0);
    note_refusal(log, EM_E_DENIED, "no");
    assert_true(run_out_of_memory(read_all, log) > 0);
    em_call_log_free(log);
}

int main(void)
{
    use_counted_memory();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_call_is_remembered_as_it_came),
        cmocka_unit_test(reasons_are_found_in_answers),
        cmocka_unit_test(what_changed_nothing_is_only_counted),
        cmocka_unit_test(totals_tell_what_was_spared),
        cmocka_unit_test(lists_come_in_pages),
        cmocka_unit_test(only_so_much_is_kept),
        cmocka_unit_test(there_are_only_so_many_causes),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
