/* What is told of the past, as programs read it. That commands tell all there is, in every case, is
 * tested in tests/unit/cli/past_view_test.c. */
#include "calls.h"

#include "memory.h"

#include "answers/past_told.h"
#include "past/checkpoints.h"

#define TOOLS "simple"

static void edit(caller *c, const char *old, const char *new)
{
    char args[200];
    snprintf(args, sizeof args, "{'file_path':'a.txt','old_string':'%s','new_string':'%s'}", old,
             new);
    call(c, "edit_file", args);
    assert_false(c->answer.is_error);
}

static void open_edited(caller *c)
{
    caller_open(c, TOOLS);
    scratch_write(&c->s, "a.txt", EM_LIT("one\ntwo\n"));
    edit(c, "one", "1");
    edit(c, "two", "2");
}

/* All changes, newest first, as JSON; NULL when memory ran out. */
static json_t *tell(caller *c, bool with_diff, em_arena *arena)
{
    em_past_filter any = {0};
    em_rows rows;
    em_past_views views;
    em_json json = {0};
    em_error err = EM_ERROR_INIT;
    if (em_past_list(em_session_workspace(c->s.session), &any, arena, &rows, &err) != EM_OK ||
        em_past_view_rows(c->s.session, &rows, with_diff, arena, &views, &err) != EM_OK)
        return NULL;
    json_t *list = em_json_array(&json);
    for (size_t i = 0; i < views.count; i++)
        em_json_add(&json, list, em_past_view_json(&views.items[i]));
    return em_json_done(&json, list);
}

static void check_member(const json_t *object, const char *key, const char *want)
{
    assert_string_equal(json_string_value(json_object_get(object, key)), want);
}

static void changes_are_told(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    EM_AUTO(em_arena) arena = {0};
    open_edited(&c);
    call(&c, "undo_last_edit", "{}");
    json_t *list = tell(&c, true, &arena);
    assert_int_equal(json_array_size(list), 3);
    const json_t *undo = json_array_get(list, 0), *second = json_array_get(list, 1);
    check_member(undo, "role", "undo");
    assert_int_equal(json_array_size(json_object_get(undo, "of")), 1);
    check_member(second, "kind", "edit");
    check_member(second, "state", "done");
    check_member(second, "tool", "edit_file");
    check_member(second, "last", json_string_value(json_object_get(undo, "id")));
    check_member(second, "diff", "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n 1\n-two\n+2\n");
    assert_true(json_is_true(json_object_get(second, "undone")));
    assert_true(json_is_false(json_object_get(json_array_get(list, 2), "undone")));
    json_decref(list);
    list = tell(&c, false, &arena);
    assert_null(json_object_get(json_array_get(list, 1), "diff"));
    json_decref(list);
}

/* Each undo and redo is undone by the one behind it. */
static void what_goes_back_and_forth_is_told(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    EM_AUTO(em_arena) arena = {0};
    em_undo_request request = {.what = EM_UNDO, .tool = "undo"};
    em_undo_outcome outcome;
    open_edited(&c);
    for (size_t i = 0; i < 4; i++) {
        request.what = i % 2 == 0 ? EM_UNDO : EM_REDO;
        assert_int_equal(em_run_undo(c.s.session, &request, &arena, &outcome), EM_OK);
    }
    json_t *list = tell(&c, false, &arena);
    assert_int_equal(json_array_size(list), 6);
    assert_true(json_is_false(json_object_get(json_array_get(list, 0), "undone")));
    for (size_t i = 1; i < 4; i++) {
        const json_t *later = json_array_get(list, i - 1), *row = json_array_get(list, i);
        assert_true(json_is_true(json_object_get(row, "undone")));
        check_member(row, "last", json_string_value(json_object_get(later, "id")));
    }
    assert_true(json_is_false(json_object_get(json_array_get(list, 4), "undone")));
    check_member(json_array_get(list, 4), "last",
                 json_string_value(json_object_get(json_array_get(list, 0), "id")));
    json_decref(list);
}

/* Each row of a rewind says what it undid in its own file: all in each would be the square. */
static void a_rewind_is_told_file_by_file(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    EM_AUTO(em_arena) arena = {0};
    em_undo_request request = {.what = EM_REWIND, .checkpoint = "start", .tool = "rewind"};
    em_undo_outcome outcome;
    em_error err = EM_ERROR_INIT;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("one\ntwo\n"));
    em_workspace *ws = em_session_workspace(c.s.session);
    assert_int_equal(em_past_mark(ws, "start", &err), EM_OK);
    edit(&c, "one", "1");
    call(&c, "create_file", "{'file_path':'b.txt','content':'new\\n'}");
    edit(&c, "two", "2");
    assert_int_equal(em_run_undo(c.s.session, &request, &arena, &outcome), EM_OK);
    json_t *list = tell(&c, false, &arena);
    assert_int_equal(json_array_size(list), 5);
    for (size_t i = 0; i < 2; i++) {
        const json_t *row = json_array_get(list, i), *of = json_object_get(row, "of");
        bool is_a = strstr(json_string_value(json_object_get(row, "path")), "/a.txt") != NULL;
        assert_int_equal(json_array_size(of), is_a ? 2 : 1);
        for (size_t j = 0; j < json_array_size(of); j++) {
            int number = is_a ? (j == 0 ? 3 : 1) : 2;
            assert_int_equal(atoi(json_string_value(json_array_get(of, j))), number);
        }
    }
    json_decref(list);
}

static void words_are_those_of_the_history(void **state)
{
    (void)state;
    static const struct {
        em_row_kind kind;
        const char *word;
    } kinds[] = {{EM_ROW_EDIT, "edit"},
                 {EM_ROW_CREATE, "create"},
                 {EM_ROW_IN_PLACE, "edit"},
                 {EM_ROW_REMOVE, "remove"}};
    for (size_t i = 0; i < COUNT_OF(kinds); i++)
        assert_string_equal(em_past_kind_word(&(em_row){.kind = kinds[i].kind}), kinds[i].word);
    assert_string_equal(em_past_role_word(EM_ROLE_EDIT), "edit");
    assert_string_equal(em_past_role_word(EM_ROLE_UNDO), "undo");
    assert_string_equal(em_past_role_word(EM_ROLE_REDO), "redo");
    assert_true(em_past_is_pending(&(em_row){.state = EM_ROW_PENDING}));
    assert_false(em_past_is_pending(&(em_row){.state = EM_ROW_GRACE}));
}

/* ---- Undoing -------------------------------------------------------------------------------- */

static json_t *undo(caller *c, const em_undo_request *request, em_arena *arena,
                    const char **sentence)
{
    em_undo_outcome outcome;
    if (em_run_undo(c->s.session, request, arena, &outcome) == EM_E_NOMEM)
        return NULL;
    *sentence = em_undo_sentence(c->s.session, request, &outcome, arena);
    return em_undo_outcome_json(&outcome);
}

static void undoing_is_told(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    EM_AUTO(em_arena) arena = {0};
    const char *sentence = NULL;
    open_edited(&c);
    em_undo_request request = {.id = "2", .tool = "undo", .dry_run = true, .want_diff = true};
    json_t *told = undo(&c, &request, &arena, &sentence);
    assert_string_equal(sentence, "would undo edit_file in a.txt");
    assert_true(json_is_true(json_object_get(told, "done")));
    check_member(told, "role", "undo");
    check_member(json_array_get(json_object_get(told, "files"), 0), "kind", "edit");
    json_decref(told);
    scratch_write(&c.s, "a.txt", EM_LIT("1\nzwei\n"));
    told = undo(&c, &request, &arena, &sentence);
    assert_non_null(strstr(sentence, "a.txt was changed at the place since"));
    assert_true(json_is_false(json_object_get(told, "done")));
    check_member(told, "path", "a.txt");
    check_member(told, "was", "2\n");
    check_member(told, "now", "zwei\n");
    assert_int_equal(json_integer_value(json_object_get(told, "line")), 2);
    assert_int_equal(json_array_size(json_object_get(told, "files")), 0);
    json_decref(told);
}

/* ---- Memory --------------------------------------------------------------------------------- */

static bool tell_with_little(void *context)
{
    EM_AUTO(em_arena) arena = {0};
    json_t *told = tell(context, true, &arena);
    json_decref(told);
    return told != NULL;
}

static bool undo_with_little(void *context)
{
    EM_AUTO(em_arena) arena = {0};
    em_undo_request request = {.id = "2", .tool = "undo", .dry_run = true, .want_diff = true};
    const char *sentence = NULL;
    json_t *told = undo(context, &request, &arena, &sentence);
    bool done = told && sentence && json_is_true(json_object_get(told, "done"));
    json_decref(told);
    return done;
}

static void memory_may_run_out(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    open_edited(&c);
    assert_true(run_out_of_memory(tell_with_little, &c) > 5);
    assert_true(run_out_of_memory(undo_with_little, &c) > 5);
}

int main(void)
{
    use_counted_memory();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_are_told),
        cmocka_unit_test(what_goes_back_and_forth_is_told),
        cmocka_unit_test(a_rewind_is_told_file_by_file),
        cmocka_unit_test(words_are_those_of_the_history),
        cmocka_unit_test(undoing_is_told),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
