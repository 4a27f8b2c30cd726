#include "past/past.h"

#include "bench.h"
#include "history/inverse.h"
#include "past/checkpoints.h"
#include "past/forget.h"
#include "past/past_calls.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The history of the bench's workspace, made if it is missing. */
static em_history *history_of(bench *b)
{
    bench_open(b);
    check_status("state", em_ws_state(b->ws, true, &b->err), EM_OK);
    check_status("history", em_ws_need_history(b->ws, &b->err), EM_OK);
    return b->ws->history;
}

/* A change that is recorded without being made. */
typedef struct note {
    const char *path, *call;
    const char *root; /* NULL: the bench's */
    em_row_state state;
    em_role role;
    em_base bases[2];
    const char *tool, *client, *session, *folders;
    int64_t time_ms;
    bool forget;
} note;

static int64_t add(bench *b, note n)
{
    em_row row = {.token = 0xABC,
                  .state = n.state,
                  .forget = n.forget,
                  .root = n.root ? n.root : b->root,
                  .path = n.path,
                  .folders = n.folders,
                  .boot = b->ws ? b->ws->state.boot : "",
                  .time_ms = n.time_ms,
                  .origin = {.tool = n.tool,
                             .client = n.client,
                             .session = n.session,
                             .call = n.call,
                             .role = n.role,
                             .bases = n.bases,
                             .base_count = n.bases[1].call   ? 2
                                           : n.bases[0].call ? 1
                                                             : 0}};
    check_status("add", em_history_add(history_of(b), &row, false, &b->err), EM_OK);
    return row.id;
}

static em_rows list(bench *b, em_past_filter filter)
{
    em_rows rows;
    check_status("list", em_past_list(b->ws, &filter, &b->arena, &rows, &b->err), EM_OK);
    return rows;
}

/* The numbers of the rows, "3 1". */
static const char *numbers(bench *b, em_rows rows)
{
    char text[512] = "";
    for (size_t i = 0; i < rows.count; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%d", i > 0 ? " " : "",
                 (int)rows.items[i].id);
    return em_arena_string(&b->arena, em_slice_of(text));
}

/* ---- Rows ---------------------------------------------------------------------------------- */

/* Who asks makes nothing. */
static void test_no_history(void **state)
{
    bench *b = *state;
    em_row row;
    em_checkpoints marks;
    em_limits limits;
    bench_open(b);
    assert_int_equal(list(b, (em_past_filter){0}).count, 0);
    check_status("find", em_past_find(b->ws, "1", false, &b->arena, &row, &b->err), EM_E_NOT_FOUND);
    check_status("marks", em_past_marks(b->ws, &b->arena, &marks, &b->err), EM_OK);
    assert_int_equal(marks.count, 0);
    check_status("limits", em_past_limits(b->ws, &limits, &b->err), EM_OK);
    assert_int_equal(limits.bytes, EM_LIMITS_DEFAULT.bytes);
    assert_false(scratch_has(b->base, "state"));
    scratch_folder(b->base, "state");
    assert_int_equal(chmod(b->state, 0700), 0);
    assert_int_equal(list(b, (em_past_filter){0}).count, 0);
    assert_int_equal(scratch_has(b->state, EM_HISTORY_NAME), 0);
}

static void test_filters(void **state)
{
    bench *b = *state;
    history_of(b);
    add(b, (note){.path = "a.txt", .call = "1", .tool = "t", .client = "c", .session = "s"});
    add(b, (note){.path = "d/a.txt", .call = "2", .tool = "u", .time_ms = 1000});
    add(b, (note){.path = "d/b/c.txt", .call = "3", .client = "d", .time_ms = 2000});
    add(b, (note){.path = "dd", .call = "4", .session = "r", .state = EM_ROW_NAMED});
    add(b, (note){.path = "other", .call = "5", .root = "/elsewhere"});
    add(b, (note){.path = "forgotten", .call = "6", .forget = true});
    const char *folder = scratch_path(b->root, "d");
    static const char *const wanted[] = {"4 3 2 1", "5 4 3 2 1", "3 2", "1",   "2",   "1",
                                         "3",       "1",         "3 2", "2 1", "4 3", "4 3"};
    const em_past_filter filters[] = {
        {0},
        {.all = true},
        {.path = folder},
        {.path = scratch_path(b->root, "a.txt")},
        {.tool = "u"},
        {.client = "c"},
        {.client = "d"},
        {.session = "s"},
        {.since_ms = 1000},
        {.below = 3},
        {.above = 2},
        {.limit = 2},
    };
    for (size_t i = 0; i < COUNT_OF(filters); i++)
        assert_string_equal(numbers(b, list(b, filters[i])), wanted[i]);
    assert_int_equal(list(b, (em_past_filter){.path = "/", .all = true}).count, 5);
    const em_row *row = &list(b, (em_past_filter){.tool = "t"}).items[0];
    assert_string_equal(row->origin.session, "s");
    assert_string_equal(em_row_path(row, &b->arena), scratch_path(b->root, "a.txt"));
    assert_string_equal(em_row_path(&(em_row){.root = "/", .path = "x"}, &b->arena), "/x");
}

/* More than are looked at together. */
static void test_many(void **state)
{
    bench *b = *state;
    history_of(b);
    bench_sql(b, "BEGIN");
    for (int i = 0; i < 300; i++)
        add(b, (note){.path = i % 3 ? "a" : "b", .root = i % 2 ? NULL : "/elsewhere"});
    assert_int_equal(list(b, (em_past_filter){0}).count, 150);
    assert_int_equal(list(b, (em_past_filter){.path = scratch_path(b->root, "b")}).count, 50);
    assert_int_equal(list(b, (em_past_filter){.limit = 140}).items[139].id, 22);
}

/* What a rule hides is not told. */
static void test_rules(void **state)
{
    bench *b = *state;
    const char *const deny[] = {"secret"};
    em_row row;
    b->options.deny = deny;
    b->options.deny_count = 1;
    history_of(b);
    add(b, (note){.path = "secret", .call = "1"});
    add(b, (note){.path = "plain", .call = "1"});
    assert_string_equal(numbers(b, list(b, (em_past_filter){0})), "2");
    check_status("find", em_past_find(b->ws, "1", false, &b->arena, &row, &b->err), EM_E_NOT_FOUND);
    check_status("all", em_past_find(b->ws, "1", true, &b->arena, &row, &b->err), EM_OK);
}

static void test_finding(void **state)
{
    bench *b = *state;
    em_row row;
    history_of(b);
    add(b, (note){.path = "a"});
    add(b, (note){.path = "a", .forget = true});
    add(b, (note){.path = "a", .root = "/elsewhere"});
    static const char *const there[] = {"1", "1-0000000000000abc"};
    static const char *const not_there[] = {"",   "2",  "3",  "4",         "x",
                                            "1x", "-1", "+1", "1-",        "1-0000000000000abd",
                                            "0",  " 1", "1 ", "999999999", "99999999999999999999"};
    for (size_t i = 0; i < COUNT_OF(there); i++) {
        check_status(there[i], em_past_find(b->ws, there[i], false, &b->arena, &row, &b->err),
                     EM_OK);
        assert_int_equal(row.id, 1);
    }
    for (size_t i = 0; i < COUNT_OF(not_there); i++)
        check_status(not_there[i],
                     em_past_find(b->ws, not_there[i], false, &b->arena, &row, &b->err),
                     EM_E_NOT_FOUND);
}

static void test_changes(void **state)
{
    bench *b = *state;
    em_inverse change;
    check_status("change", bench_change(b, "a.txt", "two", "2"), EM_OK);
    em_row row = list(b, (em_past_filter){0}).items[0];
    check_status("read", em_past_change(b->ws, &row, &b->arena, &change, &b->err), EM_OK);
    assert_int_equal(change.count, 1);
    assert_true(em_slice_is(change.places[0].new_bytes, "2"));
    bench_sql(b, "UPDATE inverses SET plan = x'07'");
    check_status("damaged", em_past_change(b->ws, &row, &b->arena, &change, &b->err), EM_E_INVALID);
    check_detail(b, "damaged");
    bench_sql(b, "DELETE FROM inverses");
    check_status("none", em_past_change(b->ws, &row, &b->arena, &change, &b->err), EM_OK);
    assert_int_equal(change.count, 0);
}

/* ---- Calls --------------------------------------------------------------------------------- */

static em_past_call call_of(bench *b, const char *id)
{
    em_row row;
    em_past_call call;
    check_status("find", em_past_find(b->ws, id, true, &b->arena, &row, &b->err), EM_OK);
    check_status("call", em_past_call_of(b->ws, &row, &b->arena, &call, &b->err), EM_OK);
    return call;
}

static em_fate fate_of(bench *b, const char *base, int64_t until)
{
    em_fate fate;
    check_status("fate", em_past_fate(b->ws, base, until, &b->arena, &fate, &b->err), EM_OK);
    return fate;
}

static void test_calls(void **state)
{
    bench *b = *state;
    history_of(b);
    add(b, (note){.path = "a", .call = "one"});
    add(b, (note){.path = "b", .call = "one"});
    add(b, (note){.path = "c", .call = "two"});
    add(b, (note){.path = "d", .call = "two", .root = "/elsewhere"});
    add(b, (note){.path = "e"});
    add(b, (note){.path = "e"});
    em_past_call one = call_of(b, "2"), two = call_of(b, "3"), alone = call_of(b, "5");
    assert_string_equal(one.name, "one");
    assert_string_equal(numbers(b, one.rows), "1 2");
    assert_true(one.whole);
    assert_int_equal(one.base_count, 0);
    assert_string_equal(numbers(b, two.rows), "3");
    assert_false(two.whole);
    assert_string_equal(numbers(b, alone.rows), "5");
    assert_string_equal(alone.name, "#5");
}

static void check_call_id(bench *b, const char *call, const char *want)
{
    const char *id;
    check_status("id", em_past_call_id(b->ws, call, &b->arena, &id, &b->err), EM_OK);
    assert_string_equal(id, want);
}

static void test_fates(void **state)
{
    bench *b = *state;
    history_of(b);
    add(b, (note){.path = "a", .call = "one", .state = EM_ROW_DONE});
    add(b, (note){.path = "a", .call = "two", .state = EM_ROW_DONE});
    add(b, (note){.path = "a"});
    assert_int_equal(fate_of(b, "one", INT64_MAX).id, 0);
    note undo = {.path = "a",
                 .call = "undo",
                 .state = EM_ROW_DONE,
                 .role = EM_ROLE_UNDO,
                 .bases = {{"one", EM_ROLE_UNDO}, {"two", EM_ROLE_REDO}}};
    int64_t id = add(b, undo);
    undo.path = "b"; /* another file of the same call */
    add(b, undo);
    em_fate fate = fate_of(b, "one", INT64_MAX);
    assert_int_equal(fate.id, id);
    assert_int_equal(fate.role, EM_ROLE_UNDO);
    assert_string_equal(fate.call, "undo");
    assert_string_equal(fate.shown, "4-0000000000000abc");
    assert_int_equal(fate_of(b, "two", INT64_MAX).role, EM_ROLE_REDO);
    assert_int_equal(fate_of(b, "one", id - 1).id, 0);
    assert_int_equal(call_of(b, "5").base_count, 2);
    assert_string_equal(call_of(b, "5").bases[0].call, "two");
    assert_string_equal(call_of(b, "5").bases[1].call, "one");

    /* One that is pending may come to nothing. */
    int64_t later = add(b, (note){.path = "a",
                                  .call = "redo",
                                  .role = EM_ROLE_REDO,
                                  .bases = {{"one", EM_ROLE_REDO}}});
    assert_int_equal(fate_of(b, "one", INT64_MAX).id, id);
    bench_sql(b, "UPDATE commits SET state = 1 WHERE call = 'redo'");
    assert_int_equal(fate_of(b, "one", INT64_MAX).id, later);
    bench_sql(b, "DELETE FROM commits WHERE call = 'redo'");
    assert_int_equal(fate_of(b, "one", INT64_MAX).id, id);

    check_call_id(b, "two", "2-0000000000000abc");
    check_call_id(b, "#3", "3-0000000000000abc");
    check_call_id(b, "none", "");
}

/* ---- Checkpoints --------------------------------------------------------------------------- */

/* Is there a way back to the newest of two marks, and to the other? */
static void check_whole(bench *b, bool newest, bool other)
{
    em_checkpoints marks;
    check_status("marks", em_past_marks(b->ws, &b->arena, &marks, &b->err), EM_OK);
    assert_int_equal(marks.count, 2);
    assert_int_equal(marks.items[0].is_whole, newest);
    assert_int_equal(marks.items[1].is_whole, other);
}

static void test_checkpoints(void **state)
{
    bench *b = *state;
    em_checkpoints marks;
    bench_open(b);
    check_status("mark", em_past_mark(b->ws, "first", &b->err), EM_OK);
    add(b, (note){.path = "a"});
    check_status("mark", em_past_mark(b->ws, "second", &b->err), EM_OK);
    bench_sql(b, "UPDATE checkpoints SET time = 5 WHERE name = 'first';"
                 "UPDATE checkpoints SET time = 6 WHERE name = 'second';"
                 "INSERT INTO checkpoints VALUES('/elsewhere', 'third', 0, 7)");
    check_status("marks", em_past_marks(b->ws, &b->arena, &marks, &b->err), EM_OK);
    assert_int_equal(marks.count, 2);
    assert_string_equal(marks.items[0].name, "second");
    assert_int_equal(marks.items[0].id, 1);
    assert_int_equal(marks.items[1].id, 0);
    assert_int_equal(marks.items[1].time_ms, 5);
    check_status("again", em_past_mark(b->ws, "first", &b->err), EM_OK);
    check_status("marks", em_past_marks(b->ws, &b->arena, &marks, &b->err), EM_OK);
    assert_int_equal(marks.count, 2);
    assert_string_equal(marks.items[0].name, "first");
    assert_int_equal(marks.items[0].id, 1);
    bench_sql(b, "UPDATE checkpoints SET id = 0 WHERE name = 'second'");
    check_whole(b, true, true);
    bench_sql(b, "INSERT INTO settings VALUES('forgotten', 1)");
    check_whole(b, true, false);
    bench_sql(b, "UPDATE settings SET value = 2 WHERE name = 'forgotten'");
    check_whole(b, false, false);
}

static void test_names_of_checkpoints(void **state)
{
    bench *b = *state;
    em_checkpoints marks;
    char name[EM_CHECKPOINT_NAME + 2] = "";
    bench_open(b);
    check_status("none", em_past_mark(b->ws, name, &b->err), EM_E_INVALID);
    memset(name, 'n', EM_CHECKPOINT_NAME + 1);
    check_status("too long", em_past_mark(b->ws, name, &b->err), EM_E_INVALID);
    name[EM_CHECKPOINT_NAME] = '\0';
    check_status("long", em_past_mark(b->ws, name, &b->err), EM_OK);
    check_status("marks", em_past_marks(b->ws, &b->arena, &marks, &b->err), EM_OK);
    assert_int_equal(marks.count, 1);
    assert_string_equal(marks.items[0].name, name);
}

/* ---- Failing ------------------------------------------------------------------------------- */

/* All that can be asked. */
static em_status ask_everything(bench *b, em_arena *arena)
{
    em_row row;
    em_rows rows;
    em_past_call call;
    em_past_filter filter = {0};
    em_fate fate;
    em_checkpoints marks;
    em_inverse change;
    em_limits limits;
    const char *id;
    EM_TRY(em_past_list(b->ws, &filter, arena, &rows, &b->err));
    EM_TRY(em_past_find(b->ws, "2", false, arena, &row, &b->err));
    EM_TRY(em_past_change(b->ws, &row, arena, &change, &b->err));
    EM_TRY(em_past_call_of(b->ws, &row, arena, &call, &b->err));
    EM_TRY(em_past_fate(b->ws, "one", INT64_MAX, arena, &fate, &b->err));
    EM_TRY(em_past_call_id(b->ws, "one", arena, &id, &b->err));
    EM_TRY(em_past_marks(b->ws, arena, &marks, &b->err));
    EM_TRY(em_past_limits(b->ws, &limits, &b->err));
    EM_TRY(em_past_mark(b->ws, "again", &b->err));
    return em_past_set_limits(b->ws, limits, &b->err);
}

static void fill(bench *b)
{
    check_status("change", bench_change(b, "a.txt", "two", "2"), EM_OK);
    add(b, (note){.path = "a",
                  .call = "undo",
                  .state = EM_ROW_DONE,
                  .role = EM_ROLE_UNDO,
                  .bases = {{"one", EM_ROLE_UNDO}, {"call", EM_ROLE_UNDO}}});
    check_status("mark", em_past_mark(b->ws, "first", &b->err), EM_OK);
    bench_close(b);
}

/* A status says so, whatever call fails. */
static void test_every_call_may_fail(void **state)
{
    bench *b = *state;
    static const char *const calls[] = {"open", "read", "write", "lock", "stat", "clock"};
    fill(b);
    for (size_t i = 0; i < COUNT_OF(calls); i++) {
        for (int skip = 0;; skip++) {
            EM_AUTO(em_arena) arena = {0};
            bench_open(b);
            bench_disarm(b);
            trap *caught = trap_set(&b->trap, (trap){.call = calls[i],
                                                     .about = i == 5 ? "" : "state",
                                                     .skip = skip,
                                                     .error = i == 4 ? EACCES : EIO});
            em_status status = ask_everything(b, &arena);
            bool failed = caught->caught > 0;
            bench_disarm(b);
            assert_true(failed || status == EM_OK);
            bench_close(b);
            if (!failed)
                break;
            assert_true(skip < 200);
        }
    }
    bench_open(b);
    check_status("at last", ask_everything(b, &b->arena), EM_OK);
}

static void test_memory_may_end(void **state)
{
    bench *b = *state;
    fill(b);
    bench_open(b);
    check_status("warm", ask_everything(b, &b->arena), EM_OK);
    for (long at = 1;; at++) {
        EM_AUTO(em_arena) arena = {0};
        memory_ends_at(at);
        em_status status = ask_everything(b, &arena);
        bool ended = memory_ended();
        memory_ends_at(0);
        if (ended)
            assert_int_equal(status, EM_E_NOMEM);
        else
            break;
        assert_true(at < 500);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(test_no_history),
        BENCH_TEST(test_filters),
        BENCH_TEST(test_many),
        BENCH_TEST(test_rules),
        BENCH_TEST(test_finding),
        BENCH_TEST(test_changes),
        BENCH_TEST(test_calls),
        BENCH_TEST(test_fates),
        BENCH_TEST(test_checkpoints),
        BENCH_TEST(test_names_of_checkpoints),
        BENCH_TEST(test_every_call_may_fail),
        BENCH_TEST(test_memory_may_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
