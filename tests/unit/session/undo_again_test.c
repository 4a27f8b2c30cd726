/* What did a change again is taken back like any redo, also where a rewind did it; and what comes
 * to nothing is undone like any call. */
#include "saved.h"

#include "past/checkpoints.h"
#include "session/undo.h"

#include <stdio.h>
#include <string.h>

/* ---- Calls ---------------------------------------------------------------------------------- */

static void put(scratch *s, const char *path, const char *text)
{
    save_by_emend(s, path, text, false);
}

static void mark(scratch *s, const char *name)
{
    em_error err = EM_ERROR_INIT;
    assert_int_equal(em_past_mark(em_session_workspace(s->session), name, &err), EM_OK);
}

static em_undo_outcome run(scratch *s, em_undo_request request)
{
    em_undo_outcome outcome;
    request.tool = request.what == EM_REWIND ? "rewind" : request.what == EM_REDO ? "redo" : "undo";
    em_run_undo(s->session, &request, &s->arena, &outcome);
    return outcome;
}

static em_undo_outcome step(scratch *s, em_undo_what what, const char *id)
{
    return run(s, (em_undo_request){.what = what, .id = id});
}

static void check_done(em_undo_outcome outcome, em_role role)
{
    if (outcome.status != EM_OK)
        fail_msg("%s", outcome.error.detail);
    assert_int_equal(outcome.role, role);
}

static void undo(scratch *s)
{
    check_done(step(s, EM_UNDO, NULL), EM_ROLE_UNDO);
}

static void redo(scratch *s)
{
    check_done(step(s, EM_REDO, NULL), EM_ROLE_REDO);
}

static void rewind_to(scratch *s, const char *name, size_t undone, size_t again)
{
    em_undo_outcome outcome = run(s, (em_undo_request){.what = EM_REWIND, .checkpoint = name});
    check_done(outcome, undone == 0 ? EM_ROLE_REDO : EM_ROLE_UNDO);
    assert_int_equal(outcome.calls, undone);
    assert_int_equal(outcome.again, again);
}

static void check_failed(em_undo_outcome outcome, em_status status, const char *words)
{
    if (outcome.status != status || !strstr(outcome.error.detail, words))
        fail_msg("%d: %s", (int)outcome.status, outcome.error.detail);
}

/* ---- A rewind that did one change again ----------------------------------------------------- */

/* c.txt is 2 by changes 1 and 2, and by the rewind, 4, of an undo. */
static void do_again(scratch *s)
{
    scratch_open(s, NULL);
    put(s, "c.txt", "1\n");
    put(s, "c.txt", "2\n");
    mark(s, "x");
    undo(s);
    rewind_to(s, "x", 0, 1);
    check(s, "c.txt", "2\n");
}

static void it_is_undone_and_redone(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    do_again(&s);
    em_undo_outcome undone = step(&s, EM_UNDO, NULL); /* 5 */
    check_done(undone, EM_ROLE_UNDO);
    assert_true(strncmp(undone.call_id, "2-", 2) == 0);
    check(&s, "c.txt", "1\n");
    redo(&s);
    check(&s, "c.txt", "2\n");
}

static void it_is_undone_by_its_number(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    do_again(&s);
    check_failed(step(&s, EM_REDO, "4"), EM_E_INVALID, "4 is itself what did something again");
    check_done(step(&s, EM_UNDO, "4"), EM_ROLE_UNDO); /* 5 */
    check(&s, "c.txt", "1\n");
    check_done(step(&s, EM_UNDO, "5"), EM_ROLE_REDO); /* 6 */
    check(&s, "c.txt", "2\n");
    check_done(step(&s, EM_UNDO, "6"), EM_ROLE_UNDO); /* 7 */
    check_done(step(&s, EM_REDO, "7"), EM_ROLE_REDO);
    check(&s, "c.txt", "2\n");
}

static void undoing_goes_further_back_each_time(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    do_again(&s);
    undo(&s);
    check(&s, "c.txt", "1\n");
    undo(&s);
    check(&s, "c.txt", NULL);
    check_failed(step(&s, EM_UNDO, NULL), EM_E_NOT_FOUND, "there is nothing to undo");
    redo(&s);
    redo(&s);
    check(&s, "c.txt", "2\n");
    check_failed(step(&s, EM_REDO, NULL), EM_E_NOT_FOUND, "there is nothing to redo");
}

/* In a history whose rows have it as an undo. */
static void also_where_the_rewind_is_recorded_as_an_undo(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    do_again(&s);
    scratch_sql(&s, "UPDATE commits SET role = 1 WHERE id = 4");
    undo(&s);
    scratch_sql(&s, "UPDATE commits SET role = 2 WHERE id = 5");
    redo(&s);
    undo(&s);
    undo(&s);
    check(&s, "c.txt", NULL);
}

static void redo_leaves_other_files_alone(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    put(&s, "c.txt", "1\n");
    put(&s, "b.txt", "1\n");
    put(&s, "c.txt", "2\n");
    mark(&s, "z");
    put(&s, "b.txt", "2\n");
    rewind_to(&s, "z", 1, 0);
    mark(&s, "x");
    undo(&s);
    rewind_to(&s, "x", 0, 1);
    undo(&s);
    check(&s, "c.txt", "1\n");
    redo(&s);
    check(&s, "c.txt", "2\n");
    check(&s, "b.txt", "1\n");
}

/* ---- Of several changes --------------------------------------------------------------------- */

static void several_that_were_done_again_go_together(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    put(&s, "a.txt", "1\n");
    put(&s, "a.txt", "2\n");
    save_by_emend(&s, "b.txt", "2\n", true);
    put(&s, "a.txt", "3\n");
    mark(&s, "x");
    undo(&s);
    undo(&s);
    check(&s, "b.txt", NULL);
    rewind_to(&s, "x", 0, 2);
    check(&s, "a.txt", "3\n");
    check(&s, "b.txt", "2\n");
    undo(&s);
    check(&s, "a.txt", "1\n");
    check(&s, "b.txt", NULL);
    check_done(step(&s, EM_REDO, NULL), EM_ROLE_UNDO); /* of the undo of the rewind */
    check(&s, "a.txt", "3\n");
    check(&s, "b.txt", "2\n");
    undo(&s);
    undo(&s);
    check(&s, "a.txt", NULL);
    check_failed(step(&s, EM_UNDO, NULL), EM_E_NOT_FOUND, "there is nothing to undo");
}

/* a.txt is done again, and b.txt undone. */
static void do_some_again(scratch *s)
{
    scratch_open(s, NULL);
    put(s, "a.txt", "1\n");
    put(s, "b.txt", "1\n");
    put(s, "a.txt", "2\n"); /* 3 */
    mark(s, "x");
    undo(s);
    put(s, "b.txt", "2\n");  /* 5 */
    rewind_to(s, "x", 1, 1); /* 6 and 7 */
    check(s, "a.txt", "2\n");
    check(s, "b.txt", "1\n");
}

static void a_rewind_that_did_both_counts_as_an_undo(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    do_some_again(&s);
    undo(&s); /* 3 alone */
    check(&s, "a.txt", "1\n");
    check(&s, "b.txt", "1\n");
    redo(&s);
    check(&s, "a.txt", "2\n");
    undo(&s);
    undo(&s);
    check(&s, "b.txt", NULL);
    undo(&s);
    check(&s, "a.txt", NULL);
    check_failed(step(&s, EM_UNDO, NULL), EM_E_NOT_FOUND, "there is nothing to undo");
}

static void and_its_reversal_as_a_redo(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    do_some_again(&s);
    check_done(step(&s, EM_REDO, NULL), EM_ROLE_UNDO); /* 8 and 9, of the rewind */
    check(&s, "a.txt", "1\n");
    check(&s, "b.txt", "2\n");
    check_failed(step(&s, EM_REDO, "3"), EM_E_INVALID, "do them again by 8");
    check_done(step(&s, EM_REDO, "8"), EM_ROLE_UNDO);
    check(&s, "a.txt", "2\n");
    check(&s, "b.txt", "1\n");
    check_done(step(&s, EM_REDO, NULL), EM_ROLE_UNDO);
    undo(&s);
    check(&s, "a.txt", "2\n");
    check(&s, "b.txt", "1\n");
    undo(&s);
    check(&s, "a.txt", "1\n");
    undo(&s);
    undo(&s);
    check_failed(step(&s, EM_UNDO, NULL), EM_E_NOT_FOUND, "there is nothing to undo");
}

/* ---- What comes to nothing ------------------------------------------------------------------ */

static void step_of_nothing(scratch *s, em_undo_what what, const char *id, em_role role)
{
    em_undo_outcome outcome = step(s, what, id);
    check_done(outcome, role);
    assert_int_equal(outcome.file_count, 0);
}

/* a.txt is B by change 1, and still is by the call of changes 2 and 3. */
static void go_there_and_back(scratch *s, const em_session_options *options)
{
    scratch_open(s, options);
    save(s, "a.txt", "A\n");
    put(s, "a.txt", "B\n");
    put(s, "a.txt", "C\n");
    save_by_emend(s, "a.txt", "B\n", true);
}

static void a_call_that_comes_to_nothing_is_undone(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    go_there_and_back(&s, NULL);
    em_undo_outcome dry = run(&s, (em_undo_request){.what = EM_UNDO, .dry_run = true});
    check_done(dry, EM_ROLE_UNDO);
    step_of_nothing(&s, EM_UNDO, NULL, EM_ROLE_UNDO); /* 4 */
    check_history(&s, 3, 4);
    check_failed(step(&s, EM_UNDO, "2"), EM_E_INVALID, "2 is undone already, by 4-");
    undo(&s); /* 5 */
    check(&s, "a.txt", "A\n");
    check_failed(step(&s, EM_UNDO, NULL), EM_E_NOT_FOUND, "there is nothing to undo");
    redo(&s);
    check(&s, "a.txt", "B\n");
    step_of_nothing(&s, EM_REDO, NULL, EM_ROLE_REDO); /* 7 */
    check_failed(step(&s, EM_REDO, NULL), EM_E_NOT_FOUND, "there is nothing to redo");
    step_of_nothing(&s, EM_UNDO, NULL, EM_ROLE_UNDO);
    undo(&s);
    check(&s, "a.txt", "A\n");
}

/* Also where others have changed the file since. */
static void it_is_undone_by_any_of_its_numbers(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    go_there_and_back(&s, NULL);
    step_of_nothing(&s, EM_UNDO, "3", EM_ROLE_UNDO); /* 4 */
    save(&s, "a.txt", "foreign\n");
    step_of_nothing(&s, EM_REDO, "2", EM_ROLE_REDO); /* 5 */
    step_of_nothing(&s, EM_UNDO, "5", EM_ROLE_UNDO); /* 6 */
    check_failed(step(&s, EM_UNDO, "5"), EM_E_INVALID, "5 does not hold any more");
    check(&s, "a.txt", "foreign\n");
}

/* What is left to be undone is nothing, so the file need not be there. */
static void also_of_a_file_that_is_gone(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    char path[200];
    go_there_and_back(&s, NULL);
    step_of_nothing(&s, EM_UNDO, NULL, EM_ROLE_UNDO);
    scratch_path(&s, "a.txt", path);
    assert_int_equal(unlink(path), 0);
    step_of_nothing(&s, EM_REDO, NULL, EM_ROLE_REDO);
    step_of_nothing(&s, EM_UNDO, NULL, EM_ROLE_UNDO);
    check(&s, "a.txt", NULL);
}

/* Which is not read for it. */
static void also_of_a_large_file(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    em_session_options options = {
        .workspace = {
            .large = {.from = 16, .quick = 16, .whole = 64, .window = 64, .extract = 512}}};
    go_there_and_back(&s, &options);
    step_of_nothing(&s, EM_UNDO, NULL, EM_ROLE_UNDO);
    char text[200];
    memset(text, '\n', sizeof text);
    scratch_write(&s, "a.txt", em_slice_make(text, sizeof text));
    step_of_nothing(&s, EM_REDO, NULL, EM_ROLE_REDO);
    step_of_nothing(&s, EM_UNDO, NULL, EM_ROLE_UNDO);
    check_history(&s, 5, 6);
}

static void without_a_history_nobody_knows_of_it(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    go_there_and_back(&s, NULL);
    em_session_free(s.session);
    em_error err = EM_ERROR_INIT;
    s.options.workspace.no_history = true;
    assert_int_equal(em_session_new(&s.options, &s.session, &err), EM_OK);
    step_of_nothing(&s, EM_UNDO, NULL, EM_ROLE_UNDO);
    check_history(&s, 2, 3);
}

/* Calls that come to nothing only together. */
static void a_rewind_that_comes_to_nothing_holds(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    save(&s, "a.txt", "A\n");
    mark(&s, "x");
    put(&s, "a.txt", "B\n");
    put(&s, "a.txt", "A\n");
    rewind_to(&s, "x", 2, 0); /* 3 */
    check_failed(step(&s, EM_UNDO, NULL), EM_E_NOT_FOUND, "there is nothing to undo");
    em_undo_outcome again = run(&s, (em_undo_request){.what = EM_REWIND, .checkpoint = "x"});
    assert_int_equal(again.status, EM_OK);
    assert_int_equal(again.calls, 0);
    check_history(&s, 3, 3);
    step_of_nothing(&s, EM_REDO, NULL, EM_ROLE_UNDO); /* of the rewind: both are in effect */
    check_done(step(&s, EM_UNDO, "2"), EM_ROLE_UNDO);
    check(&s, "a.txt", "B\n");
    rewind_to(&s, "x", 1, 0);
    check(&s, "a.txt", "A\n");
}

/* ---- Many lines between two changes --------------------------------------------------------- */

enum { MANY_LINES = 60000 }; /* more than are compared, on both sides */

static em_slice many_lines(scratch *s, const char *before, const char *first, const char *last)
{
    char *text = em_alloc(&s->arena, 8 * MANY_LINES), *end = text;
    assert_non_null(text);
    end += sprintf(end, "%s%s\n", before, first);
    for (int i = 0; i < MANY_LINES; i++)
        end += sprintf(end, "%d\n", i);
    end += sprintf(end, "%s\n", last);
    return em_slice_make(text, (size_t)(end - text));
}

static void replace(scratch *s, const char *find, const char *insert)
{
    em_op op = {.kind = EM_OP_REPLACE,
                .find = em_slice_of(find),
                .insert = em_slice_of(insert),
                .expect = 1};
    em_edit_request request = {.path = "a.txt", .ops = &op, .op_count = 1, .tool = "edit"};
    scratch_edit(s, &request);
}

static void check_two_lines(em_undo_outcome outcome, em_slice text)
{
    check_done(outcome, EM_ROLE_UNDO); /* of the changes, and then of the rewind */
    assert_int_equal(outcome.files[0].lines_added, 2);
    assert_int_equal(outcome.files[0].lines_removed, 2);
    assert_true(em_hash_eq(outcome.files[0].hash, em_hash_of(text)));
}

/* Not all that stands between the first change and the last is another by a rewind; so it is redone
 * where others have changed the file, too. */
static void what_several_changes_left_alone_stays(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    scratch_write(&s, "a.txt", many_lines(&s, "", "first", "last"));
    mark(&s, "x");
    replace(&s, "first", "FIRST");
    replace(&s, "last", "LAST");
    em_undo_request rewind = {.what = EM_REWIND, .checkpoint = "x", .want_diff = true};
    check_two_lines(run(&s, rewind), many_lines(&s, "", "first", "last"));
    scratch_write(&s, "a.txt", many_lines(&s, "new\n", "first", "last"));
    em_undo_request redo = {.what = EM_REDO, .want_diff = true};
    check_two_lines(run(&s, redo), many_lines(&s, "new\n", "FIRST", "LAST"));
}

/* The file is as it was, though a line went at one place and its like came at another. */
static void what_is_as_it_was_is_not_written(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    save(&s, "a.txt", "a\nx\nx\nb\n");
    mark(&s, "x");
    replace(&s, "a\nx\n", "a\n");
    replace(&s, "x\nb\n", "x\nx\nb\n");
    em_undo_outcome outcome = run(&s, (em_undo_request){.what = EM_REWIND, .checkpoint = "x"});
    check_done(outcome, EM_ROLE_UNDO);
    assert_int_equal(outcome.file_count, 0);
    check(&s, "a.txt", "a\nx\nx\nb\n");
}

/* ---- All ------------------------------------------------------------------------------------ */

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_undone_and_redone),
        cmocka_unit_test(it_is_undone_by_its_number),
        cmocka_unit_test(undoing_goes_further_back_each_time),
        cmocka_unit_test(also_where_the_rewind_is_recorded_as_an_undo),
        cmocka_unit_test(redo_leaves_other_files_alone),
        cmocka_unit_test(several_that_were_done_again_go_together),
        cmocka_unit_test(a_rewind_that_did_both_counts_as_an_undo),
        cmocka_unit_test(and_its_reversal_as_a_redo),
        cmocka_unit_test(a_call_that_comes_to_nothing_is_undone),
        cmocka_unit_test(it_is_undone_by_any_of_its_numbers),
        cmocka_unit_test(also_of_a_file_that_is_gone),
        cmocka_unit_test(also_of_a_large_file),
        cmocka_unit_test(without_a_history_nobody_knows_of_it),
        cmocka_unit_test(a_rewind_that_comes_to_nothing_holds),
        cmocka_unit_test(what_several_changes_left_alone_stays),
        cmocka_unit_test(what_is_as_it_was_is_not_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
