#include "calls.h"

#include "failing_malloc.h"

#define TOOLS "simple,site"

static void save(caller *c, const char *path, const char *text)
{
    scratch_write(&c->s, path, em_slice_of(text));
}

static void edit(caller *c, const char *path, const char *old, const char *new)
{
    char args[200];
    snprintf(args, sizeof args, "{'file_path':'%s','old_string':'%s','new_string':'%s'}", path, old,
             new);
    call(c, "edit_file", args);
    assert_false(c->answer.is_error);
}

static const char *meta(const caller *c, const char *key)
{
    return json_string_value(json_object_get(c->answer.meta, key));
}

static void where_nothing_was_done_there_is_nothing_to_undo(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    call(&c, "undo_last_edit", "{}");
    check_text(&c, true,
               "Error: This session has made no edit that could be undone\nThere are none here.");
}

static void undo_goes_further_back_each_time(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    save(&c, "a.txt", "one\ntwo\n");
    edit(&c, "a.txt", "one", "1");
    edit(&c, "a.txt", "two", "2");
    call(&c, "undo_last_edit", "{}");
    check_text(&c, false, "Successfully undid edit_file in a.txt");
    assert_string_equal(meta(&c, "emend/hash"), em_hash_of(EM_LIT("1\ntwo\n")).hex);
    assert_true(strncmp(meta(&c, "emend/edit_id"), "3-", 2) == 0);
    call(&c, "undo_last_edit", "{}");
    check_text(&c, false, "Successfully undid edit_file in a.txt");
    check_file(&c.s, "a.txt", EM_LIT("one\ntwo\n"));
    call(&c, "undo_last_edit", "{}");
    check_has(&c, "Error: All edits of this session are undone already. To undo another one, "
                  "send its id as edit_id\n"
                  "None is left here, but the id of an undoing, sent as edit_id, makes its edit "
                  "again. The last ones, newest first:\n4-");
    check_has(&c, "  undo_last_edit  a.txt\n3-");
    assert_true(c.answer.is_error);
    call(&c, "undo_last_edit", "{'edit_id':'4'}");
    check_text(&c, false, "Successfully redid edit_file in a.txt");
    check_file(&c.s, "a.txt", EM_LIT("1\ntwo\n"));
}

static void what_cannot_be_undone_hides_no_older_edit(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    save(&c, "a.txt", "one\n");
    save(&c, "b.txt", "two\n");
    edit(&c, "b.txt", "two", "2");
    edit(&c, "a.txt", "one", "1");
    save(&c, "a.txt", "other\n");
    for (int i = 0; i < 2; i++) {
        call(&c, "undo_last_edit", "{}");
        check_has(&c, "Error: Cannot undo 2-");
        check_has(&c, "\nAn older edit can be undone by its id. To undo the one before it in this "
                      "session, of b.txt, send as edit_id: 1-");
        assert_true(c.answer.is_error);
    }
    call(&c, "undo_last_edit", "{'edit_id':'1'}");
    check_text(&c, false, "Successfully undid edit_file in b.txt");
    call(&c, "undo_last_edit", "{}");
    check_has(&c, "Error: Cannot undo 2-");
    assert_null(strstr(c.answer.text, "older edit"));
}

static void whole_calls_at_a_time(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    save(&c, "a.txt", "one\n");
    call(&c, "writeFiles",
         "{'files':[{'file':'a.txt','content':'1\\n'},{'file':'d/b.txt','content':'2\\n'}]}");
    call(&c, "undo_last_edit", "{}");
    check_text(&c, false, "Successfully undid writeFiles in 2 files: a.txt, d/b.txt (removed)");
    assert_null(meta(&c, "emend/hash"));
    const json_t *files = json_object_get(c.answer.meta, "emend/files");
    assert_int_equal(json_array_size(files), 2);
    assert_string_equal(json_string_value(json_object_get(json_array_get(files, 0), "file_path")),
                        "a.txt");
    assert_non_null(json_object_get(json_array_get(files, 0), "hash"));
    assert_null(json_object_get(json_array_get(files, 1), "hash"));
    assert_non_null(json_object_get(json_array_get(files, 1), "edit_id"));
    call(&c, "undo_last_edit", "{'edit_id':'3'}");
    check_text(&c, false, "Successfully redid writeFiles in 2 files: a.txt, d/b.txt (made again)");
}

static void many_files_are_counted(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    char args[1000] = "{'files':[";
    caller_open(&c, TOOLS);
    for (int i = 0; i < 12; i++)
        snprintf(args + strlen(args), sizeof args - strlen(args), "%s{'file':'%d','content':'x'}",
                 i > 0 ? "," : "", i);
    strcat(args, "]}");
    call(&c, "writeFiles", args);
    call(&c, "undo_last_edit", "{}");
    check_has(&c, "in 12 files: 0 (removed), 1 (removed)");
    check_has(&c, "9 (removed) and 2 more");
    check_lacks(&c, "10 (removed)");
}

static void a_dry_run_shows_the_diff(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    save(&c, "a.txt", "one\n");
    edit(&c, "a.txt", "one", "1");
    call(&c, "undo_last_edit", "{'dry_run':true}");
    check_text(&c, false,
               "Dry run, nothing was written: would undo edit_file in a.txt\n\n"
               "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-1\n+one\n");
    check_file(&c.s, "a.txt", EM_LIT("1\n"));
    c.over_mcp = true;
    char *text = em_alloc(&c.s.arena, 30001);
    for (size_t i = 0; i < 30000; i++)
        text[i] = i % 50 == 49 ? '\n' : 'x';
    json_t *object = json_pack("{s:s,s:s}", "file_path", "long", "content", text);
    call_with(&c, "write_file", object);
    call(&c, "undo_last_edit", "{'dry_run':true}");
    check_has(&c, "(The diff is cut.)");
    assert_true(strlen(c.answer.text) < 9000);
}

/* What somebody changed there is told, with what the edit had left. */
static void a_changed_place_is_told(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    save(&c, "a.txt", "1\ntwo\n3\n");
    edit(&c, "a.txt", "two", "2");
    save(&c, "a.txt", "1\nzwei\n3\n");
    call(&c, "undo_last_edit", "{}");
    check_has(&c, "Error: Cannot undo 1-");
    check_has(&c, ": a.txt was changed at the place since\n"
                  "The change had left there (between >>> and <<<):\n>>>2\n<<<\n"
                  "What stands there now, at line 2 (between >>> and <<<):\n>>>zwei\n<<<\n"
                  "Cause: changed\n"
                  "Nothing was written, and what others wrote is in place.");
    assert_true(c.answer.is_error);
    char *line = em_alloc(&c.s.arena, 20001);
    memset(line, 'x', 20000);
    save(&c, "a.txt", line);
    call(&c, "undo_last_edit", "{}");
    check_has(&c, "<<< (cut)");
    assert_true(strlen(c.answer.text) < 9000);
}

/* By the edit that was to be made again, whatever id named its undoing. */
static void a_redo_that_fails_is_told_as_one(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    save(&c, "a.txt", "1\ntwo\n3\n");
    edit(&c, "a.txt", "two", "2");
    call(&c, "undo_last_edit", "{}");
    save(&c, "a.txt", "1\nzwei\n3\n");
    call(&c, "undo_last_edit", "{'edit_id':'2'}");
    assert_true(c.answer.is_error);
    check_has(&c, "Error: Cannot redo 1-");
    check_has(&c, ": a.txt was changed at the place since\n");
    call(&c, "create_file", "{'file_path':'x.txt','content':'new\\n'}");
    call(&c, "undo_last_edit", "{}");
    save(&c, "x.txt", "other\n");
    call(&c, "undo_last_edit", "{'edit_id':'4'}");
    assert_true(c.answer.is_error);
    check_has(&c, "Error: Cannot redo 3-");
    check_has(&c, ": x.txt is there again since it was removed");
}

/* And not as others' work, where it may be the session's own. */
static void a_later_edit_of_the_session_is_named(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    save(&c, "a.txt", "1\ntwo\n3\n");
    save(&c, "b.txt", "b\n");
    edit(&c, "a.txt", "two", "2");
    edit(&c, "b.txt", "b", "B");
    edit(&c, "a.txt", "2", "zwei");
    call(&c, "undo_last_edit", "{'edit_id':'1'}");
    assert_true(c.answer.is_error);
    check_has(&c,
              "\nNothing was written. This session has edited the file since: if that changed the "
              "place, undo it first, by its id. Newest first:\n3-");
    check_lacks(&c, "others wrote");
    check_lacks(&c, "\n2-");
    call(&c, "undo_last_edit", "{}");
    save(&c, "a.txt", "1\nzwo\n3\n");
    call(&c, "undo_last_edit", "{'edit_id':'1'}");
    check_has(&c, "what others wrote is in place");
}

/* Also one of several files, of which it is not the first; and all of these are named. */
static void a_later_call_of_several_files_is_named_by_each(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, "all");
    save(&c, "a.txt", "a\n");
    save(&c, "b.txt", "1\n");
    edit(&c, "b.txt", "1", "2");
    call(&c, "writeFiles",
         "{'files':[{'file':'a.txt','content':'A\\n'},{'file':'b.txt','content':'3\\n'}]}");
    call(&c, "undo_last_edit", "{'edit_id':'1'}");
    assert_true(c.answer.is_error);
    check_has(&c, "This session has edited the file since");
    check_has(&c, "\n2-");
    check_has(&c, "  writeFiles  a.txt, b.txt");
    check_lacks(&c, "others wrote");
    save(&c, "a.txt", "somebody else\n");
    edit(&c, "b.txt", "3", "4");
    save(&c, "b.txt", "5\n");
    call(&c, "undo_last_edit", "{}");
    check_has(&c, "the one before it in this session, of a.txt, b.txt, send as edit_id: 2-");
    call(&c, "writeFiles",
         "{'files':[{'file':'1','content':''},{'file':'2','content':''},{'file':'3','content':''},"
         "{'file':'4','content':''},{'file':'1','content':'x'},{'file':'5','content':''},"
         "{'file':'6','content':''},{'file':'7','content':''}]}");
    call(&c, "undo_last_edit", "{'edit_id':'77'}");
    check_has(&c, "  writeFiles  1, 2, 3, 4, 5, ...\n");
}

/* Which the two texts do not show. */
static void other_line_endings_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *before, *since, *told; /* NULL: something else has changed */
    } cases[] = {
        {"a\r\ntwo\r\nc\r\n", "a\n2\nc\n", "they were CRLF, and are LF now\nCause"},
        {"a\ntwo\nc\n", "a\r\n2\r\nc\r\n", "they were LF, and are CRLF now\nCause"},
        {"a\ntwo\nc\n", "a\r2\rc\r", "they were LF, and are CR now\nCause"},
        {"a\r\ntwo\r\nc\r\n", "a\nzwei\nc\n", NULL},
        {"a\ntwo\nc\n", "a\nzwei\nc\n", NULL},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(caller) c;
        caller_open(&c, TOOLS);
        save(&c, "a.txt", cases[i].before);
        edit(&c, "a.txt", "two", "2");
        save(&c, "a.txt", cases[i].since);
        call(&c, "undo_last_edit", "{}");
        assert_true(c.answer.is_error);
        if (cases[i].told)
            check_has(&c, cases[i].told);
        else
            check_lacks(&c, "endings");
    }
}

/* There is an edit to undo, but no way to its file. */
static void a_file_that_cannot_be_reached_is_told(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    char path[200], moved[200];
    caller_open(&c, TOOLS);
    scratch_path(&c.s, "d", path);
    assert_int_equal(mkdir(path, 0755), 0);
    save(&c, "d/a.txt", "one\n");
    edit(&c, "d/a.txt", "one", "1");
    scratch_path(&c.s, "e", moved);
    assert_int_equal(rename(path, moved), 0);
    save(&c, "d", "a file");
    call(&c, "undo_last_edit", "{}");
    assert_true(c.answer.is_error);
    check_has(&c, "d/a.txt cannot be reached any more: d is no folder\nCause: changed\n"
                  "Nothing was written, and what others wrote is in place.");
}

static void an_id_may_be_anybodys(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    save(&c, "a.txt", "one\n");
    c.stateless = true;
    call(&c, "edit_file",
         "{'file_path':'a.txt','old_string':'one','new_string':'1','session':'other'}");
    c.stateless = false;
    call(&c, "undo_last_edit", "{}");
    check_has(&c, "This session has made no edit");
    check_has(&c, "\nThe last edits here, newest first:\n1-");
    check_has(&c, "  edit_file  a.txt");
    call(&c, "undo_last_edit", "{'session':'other'}");
    check_has(&c, "This session has made no edit"); /* the connection's, whatever is named */
    c.stateless = true;
    call(&c, "undo_last_edit", "{'session':'other'}");
    check_has(&c, "Successfully undid edit_file in a.txt");
    c.stateless = false;
    call(&c, "undo_last_edit", "{'edit_id':'1'}");
    check_has(&c, "Error: 1 is undone already, by 2-");
    call(&c, "undo_last_edit", "{'edit_id':'77'}");
    check_has(&c, "Error: there is no change 77 here\nNone is left here, but the id of an undoing");
    call(&c, "edit_file", "{'file_path':'a.txt','old_string':'one','new_string':'1'}");
    call(&c, "undo_last_edit", "{'edit_id':'the last'}");
    check_has(&c, "Error: there is no change the last here: a change is named by its number\n"
                  "The last edits here, newest first:\n3-");
}

/* Nothing is inferred from the connection. */
static void without_a_connection_the_edit_is_named(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    c.stateless = true;
    save(&c, "a.txt", "0\n");
    for (int i = 0; i < 6; i++) {
        char from[8], to[8];
        snprintf(from, sizeof from, "%d", i);
        snprintf(to, sizeof to, "%d", i + 1);
        edit(&c, "a.txt", from, to);
    }
    call(&c, "undo_last_edit", "{}");
    assert_true(c.answer.is_error);
    check_has(&c, "Error: Which edit? Send its edit_id, or the session whose last edit is meant\n"
                  "The last edits here, newest first:\n6-");
    check_has(&c, "\n2-");
    check_lacks(&c, "\n1-");
    check_file(&c.s, "a.txt", EM_LIT("6\n"));
    call(&c, "undo_last_edit", "{'edit_id':'6'}");
    check_has(&c, "Successfully undid edit_file in a.txt\nEdit: 7-");
    call(&c, "undo_last_edit", "{'session':'nobody'}");
    check_has(&c, "This session has made no edit");
    call(&c, "edit_file",
         "{'file_path':'a.txt','old_string':'5','new_string':'five','session':'me'}");
    call(&c, "undo_last_edit", "{'session':'me'}");
    check_has(&c, "Successfully undid edit_file in a.txt\nEdit: 9-");
    check_file(&c.s, "a.txt", EM_LIT("5\n"));
}

/* An undo by its id that names no session belongs to none. */
static void an_undo_without_a_session_is_nobodys(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    c.stateless = true;
    save(&c, "a.txt", "0\n");
    edit(&c, "a.txt", "0", "1");
    call(&c, "undo_last_edit", "{'edit_id':'1'}");
    call(&c, "undo_last_edit", "{'edit_id':'2'}");
    check_has(&c, "Successfully redid edit_file in a.txt");
    c.stateless = false;
    call(&c, "undo_last_edit", "{}");
    check_has(&c, "This session has made no edit");
    check_file(&c.s, "a.txt", EM_LIT("1\n"));
}

static void several_files_have_an_id_too(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    c.stateless = true;
    call(&c, "writeFiles",
         "{'files':[{'file':'a.txt','content':'1\\n'},{'file':'b.txt','content':'2\\n'}],"
         "'session':'me'}");
    call(&c, "undo_last_edit", "{'session':'me','dry_run':true}");
    check_lacks(&c, "Edit:");
    call(&c, "undo_last_edit", "{'session':'me'}");
    check_has(&c, "Successfully undid writeFiles in 2 files: a.txt (removed), b.txt (removed)\n"
                  "Edit: 3-");
    const char *id = strstr(c.answer.text, "3-");
    char args[100];
    snprintf(args, sizeof args, "{'edit_id':'%s'}", id);
    call(&c, "undo_last_edit", args);
    check_has(&c, "Successfully redid writeFiles in 2 files: ");
    check_has(&c, "\nEdit: 5-");
}

static void wrong_arguments_are_told(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    call(&c, "undo_last_edit", "{'id':'1'}");
    check_text(
        &c, true,
        "Error: Unknown argument id. Did you mean edit_id? Known here: edit_id, dry_run, session\n"
        "Sent so, the call would fail next:\nError: there is no change 1 here\n"
        "There are none here.");
    call(&c, "undo_last_edit", "{'edit_id':12}");
    check_text(&c, true,
               "Error: edit_id must be a string, but an integer came: 12 (send \"12\")\n"
               "Sent so, the call would fail next:\nError: there is no change 12 here\n"
               "There are none here.");
    call(&c, "undo_last_edit", "{'edit_id':''}");
    assert_true(c.answer.is_error);
    call(&c, "undo_last_edit", "{'edit_id':null}");
    check_has(&c, "This session has made no edit");
}

static void memory_may_run_out(void **state)
{
    (void)state;
    static const char *const args[] = {"{}", "{\"dry_run\":true}", "{\"edit_id\":\"2\"}",
                                       "{\"session\":\"x\"}"};
    for (size_t i = 0; i < COUNT_OF(args); i++) {
        for (long left = 0;; left += 1 + left / 6) {
            EM_AUTO(caller) c;
            caller_open(&c, TOOLS);
            save(&c, "a.txt", "one\n");
            save(&c, "b.txt", "one\n");
            call(&c, "writeFiles",
                 "{'files':[{'file':'a.txt','content':'1\\n'},{'file':'b.txt','content':'2\\n'}]}");
            json_t *object = json_loads(args[i], 0, NULL);
            em_toolset set;
            em_error err = EM_ERROR_INIT;
            em_toolset_choose(TOOLS, false, &c.s.arena, &set, &err);
            EM_AUTO(em_arena) arena = {0};
            em_call one = {.session = c.s.session,
                           .arena = &arena,
                           .tool = em_toolset_find(&set, "undo_last_edit"),
                           .offered = &set};
            em_answer_drop(&c.answer);
            mallocs_left = left;
            em_status status = em_tool_call(&one, object, &c.answer);
            bool enough = mallocs_left > 0;
            mallocs_left = -1;
            json_decref(object);
            assert_true(status == EM_OK || status == EM_E_NOMEM);
            em_answer_drop(&c.answer);
            if (enough)
                break;
            assert_true(left < 3000);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(where_nothing_was_done_there_is_nothing_to_undo),
        cmocka_unit_test(undo_goes_further_back_each_time),
        cmocka_unit_test(what_cannot_be_undone_hides_no_older_edit),
        cmocka_unit_test(whole_calls_at_a_time),
        cmocka_unit_test(many_files_are_counted),
        cmocka_unit_test(a_dry_run_shows_the_diff),
        cmocka_unit_test(a_changed_place_is_told),
        cmocka_unit_test(a_redo_that_fails_is_told_as_one),
        cmocka_unit_test(a_later_edit_of_the_session_is_named),
        cmocka_unit_test(a_later_call_of_several_files_is_named_by_each),
        cmocka_unit_test(other_line_endings_are_told),
        cmocka_unit_test(a_file_that_cannot_be_reached_is_told),
        cmocka_unit_test(an_id_may_be_anybodys),
        cmocka_unit_test(without_a_connection_the_edit_is_named),
        cmocka_unit_test(an_undo_without_a_session_is_nobodys),
        cmocka_unit_test(several_files_have_an_id_too),
        cmocka_unit_test(wrong_arguments_are_told),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
