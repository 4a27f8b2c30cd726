#include "scratch.h"

#include "failing_malloc.h"
#include "session/undo.h"

#include <string.h>

/* ---- Who watches --------------------------------------------------------------------------- */

typedef struct watcher {
    em_observed seen[8];
    size_t count;
    em_arena arena;
} watcher;

static void watch(void *context, const em_observed *observed)
{
    watcher *w = context;
    assert_true(w->count < COUNT_OF(w->seen));
    assert_int_equal(em_observed_copy(observed, &w->arena, &w->seen[w->count++]), EM_OK);
}

static void open_watched(scratch *s, watcher *w)
{
    *w = (watcher){.count = 0};
    scratch_open(s, &(em_session_options){.client = "tester", .observer = {watch, w}});
}

static void close_watched(scratch *s, watcher *w)
{
    em_arena_drop(&w->arena);
    scratch_drop(s);
}

static em_op replacement(const char *find, const char *insert)
{
    return (em_op){.kind = EM_OP_REPLACE,
                   .find = em_slice_of(find),
                   .insert = em_slice_of(insert),
                   .expect = 1};
}

static em_status run(scratch *s, const em_edit_request *request)
{
    em_outcome outcome;
    em_status status = em_run_edit(s->session, request, &s->arena, &outcome);
    em_outcome_drop(s->session, &outcome);
    return status;
}

/* ---- Edits --------------------------------------------------------------------------------- */

static void an_edit_is_told(void **state)
{
    scratch s;
    watcher w;
    em_op ops[] = {replacement("one", "1\n1b"), replacement("  two  three", "2 3")};
    em_edit_request request = {.path = "./a.txt",
                               .ops = ops,
                               .op_count = 2,
                               .policy = {.most = EM_TIER_WHITESPACE},
                               .tool = "edit"};
    char path[200];
    (void)state;
    open_watched(&s, &w);
    scratch_write(&s, "a.txt", EM_LIT("one\ntwo three\n"));
    assert_int_equal(run(&s, &request), EM_OK);
    assert_int_equal(w.count, 1);
    const em_observed *seen = &w.seen[0];
    scratch_path(&s, "a.txt", path);
    assert_string_equal(seen->tool, "edit");
    assert_string_equal(seen->client, "tester");
    assert_int_equal(strlen(seen->session), 16);
    assert_string_equal(seen->path, "./a.txt");
    assert_string_equal(seen->resolved, path);
    assert_string_equal(seen->rel, "a.txt");
    assert_int_equal(seen->role, EM_ROLE_EDIT);
    assert_int_equal(seen->asked_bytes, 3 + 4 + 12 + 3);
    assert_int_equal(seen->status, EM_OK);
    assert_string_equal(seen->detail, "");
    assert_int_equal(seen->tier_count, 2);
    assert_int_equal(seen->tiers[0], EM_TIER_EXACT);
    assert_int_equal(seen->tiers[1], EM_TIER_WHITESPACE);
    assert_true(seen->committed);
    assert_false(seen->created);
    assert_memory_equal(seen->edit_id, "1-", 2);
    assert_int_equal(seen->old_size, 14);
    assert_int_equal(seen->size, 9);
    assert_true(em_hash_eq(seen->hash, em_hash_of(scratch_read(&s, "a.txt"))));
    assert_int_equal(seen->lines_added, 3);
    assert_int_equal(seen->lines_removed, 2);
    assert_int_equal(seen->index, 0);
    assert_int_equal(seen->count, 1);
    close_watched(&s, &w);
}

static void what_searches_for_nothing_has_no_tier(void **state)
{
    scratch s;
    watcher w;
    const em_op rows[] = {
        {.kind = EM_OP_REWRITE, .insert = EM_LIT("one\n")},
        {.kind = EM_OP_APPEND, .insert = EM_LIT("two\n")},
        {.kind = EM_OP_PREPEND, .insert = EM_LIT("zero\n")},
        {.kind = EM_OP_LINES, .insert = EM_LIT("1\n"), .first_line = 2, .last_line = 2},
    };
    em_op empty = {.kind = EM_OP_REPLACE, .insert = EM_LIT("new\n"), .expect = 1};
    em_edit_request request = {.path = "empty.txt", .ops = &empty, .op_count = 1};
    (void)state;
    open_watched(&s, &w);
    scratch_write(&s, "a.txt", EM_LIT("old\n"));
    scratch_write(&s, "empty.txt", (em_slice){0});
    assert_int_equal(run(&s, &request), EM_OK);
    assert_true(w.seen[0].committed);
    assert_int_equal(w.seen[0].tier_count, 0);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        em_op op = rows[i];
        request = (em_edit_request){.path = "a.txt", .ops = &op, .op_count = 1};
        assert_int_equal(run(&s, &request), EM_OK);
        assert_true(w.seen[i + 1].committed);
        assert_int_equal(w.seen[i + 1].tier_count, 0);
    }
    close_watched(&s, &w);
}

static void a_failure_is_told_with_its_cause(void **state)
{
    static const struct {
        const char *path, *find;
        em_status status;
        em_cause cause;
        const char *rel;
    } rows[] = {
        {"a.txt", "absent", EM_E_NO_MATCH, EM_CAUSE_NOT_FOUND, "a.txt"},
        {"a.txt", "o", EM_E_COUNT, EM_CAUSE_AMBIGUOUS, "a.txt"},
        {"none.txt", "x", EM_E_NOT_FOUND, EM_CAUSE_NONE, NULL},
        {"/etc/passwd", "x", EM_E_OUTSIDE, EM_CAUSE_NONE, NULL},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        scratch s;
        watcher w;
        em_op op = replacement(rows[i].find, "y");
        em_edit_request request = {.path = rows[i].path, .ops = &op, .op_count = 1};
        open_watched(&s, &w);
        scratch_write(&s, "a.txt", EM_LIT("one or two\n"));
        assert_int_equal(run(&s, &request), rows[i].status);
        assert_int_equal(w.count, 1);
        assert_int_equal(w.seen[0].status, rows[i].status);
        assert_int_equal(w.seen[0].cause, rows[i].cause);
        assert_string_equal(w.seen[0].path, rows[i].path);
        if (rows[i].rel)
            assert_string_equal(w.seen[0].rel, rows[i].rel);
        else
            assert_null(w.seen[0].rel);
        assert_false(w.seen[0].committed);
        assert_int_equal(w.seen[0].lines_added, 0);
        close_watched(&s, &w);
    }
}

static void dry_runs_and_elements_are_told(void **state)
{
    scratch s;
    watcher w;
    em_dom_op op = {.selector = EM_LIT("p"), .action = EM_DOM_SET_TEXT, .value = EM_LIT("new")};
    em_edit_request request = {
        .path = "a.html", .dom_ops = &op, .dom_op_count = 1, .dry_run = true, .want_diff = true};
    (void)state;
    open_watched(&s, &w);
    scratch_write(&s, "a.html", EM_LIT("<p>old</p>\n"));
    assert_int_equal(run(&s, &request), EM_OK);
    assert_int_equal(w.count, 1);
    assert_true(w.seen[0].dry_run);
    assert_false(w.seen[0].committed);
    assert_int_equal(w.seen[0].asked_bytes, 4);
    assert_int_equal(w.seen[0].tier_count, 0);
    assert_int_equal(w.seen[0].lines_added, 1);
    assert_int_equal(w.seen[0].size, 11);
    close_watched(&s, &w);
}

static void each_of_several_files_is_told(void **state)
{
    scratch s;
    watcher w;
    em_op op = replacement("one", "two");
    em_op rewrite = {.kind = EM_OP_REWRITE, .insert = EM_LIT("new\n")};
    em_edit_request requests[] = {
        {.path = "a.txt", .ops = &op, .op_count = 1},
        {.path = "b.txt", .ops = &rewrite, .op_count = 1, .existence = EM_MAY_EXIST},
    };
    em_outcome outcomes[2];
    em_several result;
    (void)state;
    open_watched(&s, &w);
    scratch_write(&s, "a.txt", EM_LIT("one\n"));
    assert_int_equal(em_run_edits(s.session, requests, 2, &s.arena, outcomes, &result), EM_OK);
    for (size_t i = 0; i < 2; i++)
        em_outcome_drop(s.session, &outcomes[i]);
    assert_int_equal(w.count, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(w.seen[i].index, i);
        assert_int_equal(w.seen[i].count, 2);
        assert_true(w.seen[i].committed);
    }
    assert_true(w.seen[1].created);
    assert_int_equal(w.seen[1].old_size, 0);
    close_watched(&s, &w);
}

static void a_change_in_steps_is_told(void **state)
{
    scratch s;
    watcher w;
    em_edit_request request = {.path = "a.txt", .tool = "steps"};
    em_splice splice = {0, 3, EM_LIT("two\nlines")};
    em_plan plan = {.splices = {&splice, 1}};
    em_outcome outcome;
    (void)state;
    open_watched(&s, &w);
    scratch_write(&s, "a.txt", EM_LIT("one\n"));
    assert_int_equal(em_run_open(s.session, &request, &s.arena, &outcome), EM_OK);
    assert_int_equal(w.count, 0);
    assert_int_equal(em_run_commit(s.session, &request, &plan, &s.arena, &outcome), EM_OK);
    em_outcome_drop(s.session, &outcome);
    assert_int_equal(w.count, 1);
    assert_int_equal(w.seen[0].lines_added, 2);
    close_watched(&s, &w);
}

/* ---- Undo ---------------------------------------------------------------------------------- */

static void undo(scratch *s, em_undo_request request, em_status wanted)
{
    em_undo_outcome outcome;
    request.tool = "undo";
    assert_int_equal(em_run_undo(s->session, &request, &s->arena, &outcome), wanted);
    for (size_t i = 0; i < outcome.file_count; i++)
        assert_string_equal(outcome.files[i].diff, "");
}

static void an_undo_is_told(void **state)
{
    scratch s;
    watcher w;
    em_op op = replacement("one", "two\n2");
    em_op rewrite = {.kind = EM_OP_REWRITE, .insert = EM_LIT("new\n")};
    em_edit_request edit = {.path = "a.txt", .ops = &op, .op_count = 1};
    em_edit_request make = {
        .path = "b.txt", .ops = &rewrite, .op_count = 1, .existence = EM_MAY_EXIST};
    (void)state;
    open_watched(&s, &w);
    scratch_write(&s, "a.txt", EM_LIT("one\n"));
    assert_int_equal(run(&s, &edit), EM_OK);
    assert_int_equal(run(&s, &make), EM_OK);
    w.count = 0;
    undo(&s, (em_undo_request){.what = EM_UNDO}, EM_OK);
    undo(&s, (em_undo_request){.what = EM_REDO}, EM_OK);
    undo(&s, (em_undo_request){.what = EM_UNDO, .id = "1", .dry_run = true}, EM_OK);
    undo(&s, (em_undo_request){.what = EM_UNDO, .id = "1"}, EM_OK);
    undo(&s, (em_undo_request){.what = EM_UNDO, .id = "1"}, EM_E_INVALID);
    assert_int_equal(w.count, 5);
    assert_true(w.seen[0].removed);
    assert_int_equal(w.seen[0].role, EM_ROLE_UNDO);
    assert_int_equal(w.seen[0].old_size, 4);
    assert_int_equal(w.seen[0].size, 0);
    assert_true(w.seen[1].created);
    assert_int_equal(w.seen[1].role, EM_ROLE_REDO);
    assert_int_equal(w.seen[1].size, 4);
    assert_true(w.seen[2].dry_run);
    assert_false(w.seen[2].committed);
    assert_true(w.seen[3].committed);
    assert_string_equal(w.seen[3].path, "a.txt");
    assert_int_equal(w.seen[3].lines_added, 1);
    assert_int_equal(w.seen[3].lines_removed, 2);
    assert_int_equal(w.seen[4].status, EM_E_INVALID);
    assert_null(w.seen[4].path);
    close_watched(&s, &w);
}

static void an_undo_that_meets_a_change_is_told_of_that_file(void **state)
{
    scratch s;
    watcher w;
    em_op op = replacement("one", "two");
    em_edit_request edit = {.path = "a.txt", .ops = &op, .op_count = 1};
    (void)state;
    open_watched(&s, &w);
    scratch_write(&s, "a.txt", EM_LIT("one\n"));
    assert_int_equal(run(&s, &edit), EM_OK);
    scratch_write(&s, "a.txt", EM_LIT("three\n"));
    w.count = 0;
    undo(&s, (em_undo_request){.what = EM_UNDO}, EM_E_CONFLICT);
    assert_int_equal(w.count, 1);
    assert_string_equal(w.seen[0].path, "a.txt");
    assert_int_equal(w.seen[0].cause, EM_CAUSE_CHANGED);
    close_watched(&s, &w);
}

/* ---- Setting and copying --------------------------------------------------------------------- */

static void the_observer_can_be_another(void **state)
{
    scratch s;
    watcher w;
    em_op op = replacement("one", "two");
    em_edit_request request = {.path = "a.txt", .ops = &op, .op_count = 1};
    (void)state;
    open_watched(&s, &w);
    scratch_write(&s, "a.txt", EM_LIT("one\n"));
    em_observer before = em_session_set_observer(s.session, (em_observer){NULL, NULL});
    assert_ptr_equal(before.context, &w);
    assert_int_equal(run(&s, &request), EM_OK);
    assert_int_equal(w.count, 0);
    assert_null(em_session_set_observer(s.session, before).tell);
    assert_int_equal(run(&s, &request), EM_E_NO_MATCH);
    assert_int_equal(w.count, 1);
    close_watched(&s, &w);
}

static void a_copy_needs_memory(void **state)
{
    const em_tier tiers[] = {EM_TIER_FUZZY};
    const em_observed from = {
        .tool = "t", .path = "p", .detail = "d", .edit_id = "", .tiers = tiers, .tier_count = 1};
    (void)state;
    for (long left = 0;; left++) {
        EM_AUTO(em_arena) arena = {0};
        em_observed to = {.tool = NULL};
        mallocs_left = left;
        em_status status = em_observed_copy(&from, &arena, &to);
        mallocs_left = -1;
        if (status == EM_OK) {
            assert_int_equal(to.tiers[0], EM_TIER_FUZZY);
            assert_null(to.client);
            assert_true(left > 0);
            return;
        }
        assert_int_equal(status, EM_E_NOMEM);
        assert_null(to.tool);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_edit_is_told),
        cmocka_unit_test(what_searches_for_nothing_has_no_tier),
        cmocka_unit_test(a_failure_is_told_with_its_cause),
        cmocka_unit_test(dry_runs_and_elements_are_told),
        cmocka_unit_test(each_of_several_files_is_told),
        cmocka_unit_test(a_change_in_steps_is_told),
        cmocka_unit_test(an_undo_is_told),
        cmocka_unit_test(an_undo_that_meets_a_change_is_told_of_that_file),
        cmocka_unit_test(the_observer_can_be_another),
        cmocka_unit_test(a_copy_needs_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
