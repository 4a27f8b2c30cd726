#include "workspace/made_folders.h"

#include "bench.h"
#include "history/database.h"

#include <stdio.h>
#include <unistd.h>

/* Folders that were made for a file go with it, if nothing else is in them. */
static void test_folders(void **state)
{
    bench *b = *state;
    check_status("create", bench_change(b, "d/e/f.txt", NULL, "new"), EM_OK);
    em_row row = bench_row(b);
    assert_string_equal(row.folders, "d/e");
    scratch_put(b->root, "d/stays", "");
    assert_int_equal(unlink(scratch_path(b->root, "d/e/f.txt")), 0);
    bench_sql(b, "UPDATE commits SET state = 0");
    em_made_folders_remove(b->ws, &row); /* recovery will want them */
    assert_true(scratch_has(b->root, "d/e"));
    bench_sql(b, "UPDATE commits SET state = 3");
    em_made_folders_remove(b->ws, &row);
    assert_false(scratch_has(b->root, "d/e"));
    assert_true(scratch_has(b->root, "d/stays"));
    row.folders = "../x";
    em_made_folders_remove(b->ws, &row); /* leads nowhere */
    row.folders = NULL;
    em_made_folders_remove(b->ws, &row);
    assert_true(scratch_has(b->root, "d"));
}

/* ---- Many of them --------------------------------------------------------------------------- */

/* A call that made so many files, each with a folder, and one that removed them again. */
static em_row *removals(bench *b, int count)
{
    em_base base = {"made", EM_ROLE_UNDO};
    em_row *rows = em_alloc_array(&b->arena, (size_t)count, sizeof *rows);
    assert_non_null(rows);
    bench_open(b);
    check_status("state", em_ws_state(b->ws, true, &b->err), EM_OK);
    check_status("history", em_ws_need_history(b->ws, &b->err), EM_OK);
    check_status("begin", em_history_begin(b->ws->history, &b->err), EM_OK);
    for (int i = 0; i < count; i++) {
        const char *path = em_arena_format(&b->arena, "d%d/f", i);
        em_row made = {.state = EM_ROW_DONE,
                       .kind = EM_ROW_CREATE,
                       .root = b->root,
                       .path = path,
                       .folders = em_arena_format(&b->arena, "d%d", i),
                       .boot = b->ws->state.boot,
                       .origin = {.call = "made"}};
        rows[i] = made;
        rows[i].kind = EM_ROW_REMOVE;
        rows[i].folders = NULL;
        rows[i].origin =
            (em_origin){.call = "undo", .role = EM_ROLE_UNDO, .bases = &base, .base_count = i == 0};
        check_status("add", em_history_add(b->ws->history, &made, false, &b->err), EM_OK);
        check_status("add", em_history_add(b->ws->history, &rows[i], false, &b->err), EM_OK);
    }
    check_status("end", em_history_end(b->ws->history, EM_OK, &b->err), EM_OK);
    return rows;
}

/* SQLite's steps, in hundreds. */
static long steps;

static int count_step(void *context)
{
    (void)context;
    steps++;
    return 0;
}

static long steps_for(bench *b, int count)
{
    em_row *rows = removals(b, count);
    steps = 0;
    sqlite3_progress_handler(b->ws->history->db, 100, count_step, NULL);
    em_made_folders_remove_undone(b->ws, (em_rows){rows, (size_t)count});
    sqlite3_progress_handler(b->ws->history->db, 0, NULL, NULL);
    bench_close(b);
    assert_int_equal(unlink(scratch_path(b->state, EM_HISTORY_NAME)), 0);
    return steps;
}

/* The rows of the call are asked for once, not once for each file. */
static void test_many(void **state)
{
    bench *b = *state;
    long some = steps_for(b, 200), more = steps_for(b, 800);
    assert_true(some > 0);
    if (more > 8 * some)
        fail_msg("%ld and %ld hundred steps", some, more);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(test_folders),
        BENCH_TEST(test_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
