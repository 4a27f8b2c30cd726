#include "past/tally.h"

#include "bench.h"

#include <string.h>

/* A change that is recorded without being made. */
static void add(bench *b, const char *root, const char *path, em_row_state state, int64_t time_ms)
{
    em_row row = {.token = 1,
                  .state = state,
                  .root = root ? root : b->root,
                  .path = path,
                  .boot = "",
                  .new_size = (uint64_t)time_ms,
                  .time_ms = time_ms};
    bench_open(b);
    check_status("state", em_ws_state(b->ws, true, &b->err), EM_OK);
    check_status("history", em_ws_need_history(b->ws, &b->err), EM_OK);
    check_status("add", em_history_add(b->ws->history, &row, false, &b->err), EM_OK);
}

static void add_some(bench *b)
{
    static const char *const deny[] = {"secret"};
    b->options.deny = deny;
    b->options.deny_count = 1;
    add(b, NULL, "a", EM_ROW_DONE, 100);
    add(b, NULL, "b", EM_ROW_DONE, 110);
    add(b, NULL, "a", EM_ROW_NAMED, 120);
    add(b, NULL, "c", EM_ROW_DONE, 250);
    add(b, NULL, "b", EM_ROW_PENDING, 260);
    add(b, NULL, "secret", EM_ROW_DONE, 270);
    add(b, "/elsewhere", "a", EM_ROW_DONE, 280);
}

static void test_files_are_counted(void **state)
{
    bench *b = *state;
    em_file_tallies tallies;
    bench_open(b);
    check_status("none", em_past_tally_files(b->ws, 9, &b->arena, &tallies, &b->err), EM_OK);
    assert_int_equal(tallies.files, 0);
    bench_close(b);
    add_some(b);
    check_status("files", em_past_tally_files(b->ws, 9, &b->arena, &tallies, &b->err), EM_OK);
    assert_int_equal(tallies.count, 3);
    assert_int_equal(tallies.files, 3);
    assert_int_equal(tallies.changes, 4);
    assert_string_equal(tallies.items[0].path, "c");
    assert_string_equal(tallies.items[1].path, "a");
    assert_string_equal(tallies.items[1].root, b->root);
    assert_int_equal(tallies.items[1].changes, 2);
    assert_int_equal(tallies.items[1].last_ms, 120);
    assert_int_equal(tallies.items[1].size, 120);
    assert_int_equal(tallies.items[1].last_id, 3);
    check_status("one", em_past_tally_files(b->ws, 1, &b->arena, &tallies, &b->err), EM_OK);
    assert_int_equal(tallies.count, 1);
    assert_int_equal(tallies.files, 3);
    assert_int_equal(tallies.changes, 4);
}

static void test_time_is_counted(void **state)
{
    bench *b = *state;
    uint64_t spans[3] = {0};
    bench_open(b);
    check_status("none", em_past_tally_time(b->ws, 0, 10, spans, 3, &b->err), EM_OK);
    bench_close(b);
    add_some(b);
    check_status("time", em_past_tally_time(b->ws, 105, 50, spans, 3, &b->err), EM_OK);
    assert_int_equal(spans[0], 2);
    assert_int_equal(spans[1], 0);
    assert_int_equal(spans[2], 1);
    uint64_t few[1] = {5};
    check_status("few", em_past_tally_time(b->ws, 0, 105, few, 1, &b->err), EM_OK);
    assert_int_equal(few[0], 6);
}

static em_status ask_everything(bench *b, em_arena *arena)
{
    em_file_tallies tallies;
    uint64_t spans[3] = {0};
    EM_TRY(em_past_tally_files(b->ws, 9, arena, &tallies, &b->err));
    return em_past_tally_time(b->ws, 0, 50, spans, 3, &b->err);
}

static void test_memory_may_end(void **state)
{
    bench *b = *state;
    bool ended = true;
    add_some(b);
    for (long at = 1; ended; at++) {
        EM_AUTO(em_arena) arena = {0};
        memory_ends_at(at);
        em_status status = ask_everything(b, &arena);
        ended = memory_ended();
        memory_ends_at(0);
        assert_int_equal(status, ended ? EM_E_NOMEM : EM_OK);
        assert_true(at < 500);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(test_files_are_counted),
        BENCH_TEST(test_time_is_counted),
        BENCH_TEST(test_memory_may_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
