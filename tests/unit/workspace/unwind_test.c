#include "workspace/unwind.h"

#include "bench.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(test_syncing),
        BENCH_TEST(test_failing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
