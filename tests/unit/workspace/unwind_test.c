#include "workspace/unwind.h"

#include "bench.h"
#include "workspace/recorded.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

/* Two rows about files of the root. */
static em_unwinding unwinding_of(bench *b, em_row rows[static 2], em_recovery_end ends[static 2])
{
    struct stat st;
    b->options.sync = EM_SYNC_FULL;
    check_status("ready", em_ws_ready(bench_open(b), &b->err), EM_OK);
    assert_int_equal(stat(b->root, &st), 0);
    for (int i = 0; i < 2; i++)
        rows[i] = (em_row){.root = b->root,
                           .path = i == 0 ? "a.txt" : "b.txt",
                           .boot = b->ws->state.boot,
                           .dir_dev = st.st_dev,
                           .dir_ino = st.st_ino};
    return (em_unwinding){
        .ws = b->ws, .rows = rows, .count = 2, .arena = &b->arena, .err = &b->err, .ends = ends};
}

/* Two rows of one folder are synced once; a folder on another device is another folder. */
static void test_syncing(void **state)
{
    bench *b = *state;
    em_row rows[2];
    em_recovery_end ends[2];
    em_unwinding u = unwinding_of(b, rows, ends);
    trap *syncs = trap_set(&b->trap, (trap){.call = "sync", .about = "", .times = -1});
    check_status("both", em_unwind_sync(&u), EM_OK);
    assert_int_equal(syncs->caught, 1);
    rows[1].dir_dev++;
    check_status("moved", em_unwind_sync(&u), EM_E_CONFLICT);
    assert_int_equal(syncs->caught, 2);
    check_detail(b, "b.txt was moved");
}

/* Two folders of one device are two. */
static void test_syncing_two_folders(void **state)
{
    bench *b = *state;
    em_row rows[2];
    em_recovery_end ends[2];
    struct stat st;
    em_unwinding u = unwinding_of(b, rows, ends);
    assert_int_equal(mkdir(em_arena_format(&b->arena, "%s/sub", b->root), 0777), 0);
    assert_int_equal(stat(em_arena_format(&b->arena, "%s/sub", b->root), &st), 0);
    rows[1].path = "sub/b.txt";
    rows[1].dir_ino = st.st_ino;
    trap *syncs = trap_set(&b->trap, (trap){.call = "sync", .about = "", .times = -1});
    check_status("both", em_unwind_sync(&u), EM_OK);
    assert_int_equal(syncs->caught, 2);
}

static void test_failing(void **state)
{
    bench *b = *state;
    em_row rows[2];
    em_recovery_end ends[2];
    em_unwinding u = unwinding_of(b, rows, ends);
    trap_set(&b->trap, (trap){.call = "sync", .about = "", .times = -1, .error = EIO});
    check_status("told", em_unwind_sync(&u), EM_E_IO);
    check_detail(b, "Input/output error");
    u.err = NULL;
    check_status("untold", em_unwind_sync(&u), EM_E_IO);
}

/* ---- Rows ---------------------------------------------------------------------------------- */

static const char old_text[] = "one two three\n", new_text[] = "one 2 three\n";

/* The rows in the history, each with `stray` under its temporary name. */
static void record(bench *b, em_row rows[static 2], const char *target, const char *stray)
{
    static const char *const temps[] = {".emend-00000000000000000000000000000001",
                                        ".emend-00000000000000000000000000000002"};
    check_status("history", em_ws_need_history(b->ws, &b->err), EM_OK);
    for (int i = 0; i < 2; i++) {
        scratch_put(b->root, rows[i].path, target);
        scratch_put(b->root, temps[i], stray);
        rows[i].temp = temps[i];
        rows[i].old_hash = em_hash_of(EM_LIT("one two three\n"));
        rows[i].new_hash = em_hash_of(EM_LIT("one 2 three\n"));
        rows[i].new_ino = 1;
        check_status("add", em_history_add(b->ws->history, &rows[i], false, &b->err), EM_OK);
    }
}

/* Where the history refuses one row, it has none of them otherwise; the names are as they are to
 * be, and doing it again ends it. */
static void rows_that_are_refused(bench *b, const char *what, em_row_state made,
                                  em_status (*unwind)(const em_unwinding *, bool *))
{
    static const char *const refused[] = {"a.txt", "b.txt"};
    for (size_t i = 0; i < COUNT_OF(refused); i++) {
        em_row rows[2];
        em_recovery_end ends[2];
        bool over = true;
        em_unwinding u = unwinding_of(b, rows, ends);
        record(b, rows, made ? new_text : old_text, made ? old_text : new_text);
        bench_sql(b, em_arena_format(&b->arena,
                                     "CREATE TRIGGER stays BEFORE %s ON commits"
                                     " WHEN old.path = '%s'"
                                     " BEGIN SELECT RAISE(ABORT, 'stays'); END",
                                     what, refused[i]));
        check_status(refused[i], unwind(&u, &over), EM_E_IO);
        check_detail(b, "constraint failed");
        assert_false(over);
        for (int k = 0; k < 2; k++)
            assert_int_equal(ends[k], EM_LEFT_UNREADABLE);
        assert_int_equal(bench_rows(b, EM_ROW_PENDING), 2);
        assert_int_equal(bench_strays(b, "."), 0);

        bench_sql(b, "DROP TRIGGER stays");
        b->err = EM_ERROR_INIT;
        check_status("again", unwind(&u, &over), EM_OK);
        assert_true(over);
        assert_int_equal(bench_rows(b, EM_ROW_PENDING), 0);
        assert_int_equal(bench_rows(b, EM_ROW_DONE), made ? 2 : 0);
        if (made)
            assert_int_equal(bench_row(b).state, made);
        for (int k = 0; k < 2; k++) {
            assert_int_equal(ends[k], made ? EM_RECOVERED_DONE : EM_RECOVERED_UNDONE);
            check_text(b, rows[k].path, made ? new_text : old_text);
        }
        check_clean(b);
        bench_sql(b, "DELETE FROM commits");
    }
}

static void test_rows_that_cannot_be_dropped(void **state)
{
    rows_that_are_refused(*state, "DELETE", EM_ROW_PENDING, em_unwind_back);
}

static void test_rows_that_cannot_be_marked(void **state)
{
    rows_that_are_refused(*state, "UPDATE", EM_ROW_NAMED, em_unwind_finish);
}

/* What a person has to choose stays to be chosen, whatever the history refuses besides. */
static void test_a_choice_beside_a_row_that_is_refused(void **state)
{
    bench *b = *state;
    em_row rows[2];
    em_recovery_end ends[2];
    bool over = true;
    em_unwinding u = unwinding_of(b, rows, ends);
    record(b, rows, old_text, new_text);
    scratch_put(b->root, "a.txt", "theirs\n");
    scratch_put(b->root, rows[0].temp, old_text);
    bench_sql(b, "CREATE TRIGGER stays BEFORE DELETE ON commits"
                 " BEGIN SELECT RAISE(ABORT, 'stays'); END");
    check_status("back", em_unwind_back(&u, &over), EM_E_IO);
    assert_false(over);
    assert_int_equal(ends[0], EM_LEFT_TO_PERSON);
    assert_int_equal(ends[1], EM_LEFT_UNREADABLE);
    check_text(b, "a.txt", "theirs\n");
    check_text(b, rows[0].temp, old_text);
    check_text(b, "b.txt", old_text);
    assert_int_equal(bench_strays(b, "."), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(test_syncing),
        BENCH_TEST(test_syncing_two_folders),
        BENCH_TEST(test_failing),
        BENCH_TEST(test_rows_that_cannot_be_dropped),
        BENCH_TEST(test_rows_that_cannot_be_marked),
        BENCH_TEST(test_a_choice_beside_a_row_that_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
