#include "workspace/reach.h"

#include "bench.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static em_row row_of(const bench *b, const char *path)
{
    struct stat st;
    assert_int_equal(stat(b->root, &st), 0);
    return (em_row){.state = EM_ROW_DONE,
                    .root = b->root,
                    .path = path,
                    .boot = b->ws->state.boot,
                    .dir_dev = st.st_dev,
                    .dir_ino = st.st_ino};
}

static void test_rows_that_lack_something(void **state)
{
    (void)state;
    const em_row whole = {.state = EM_ROW_DONE, .root = "/r", .path = "p", .boot = "b"};
    assert_true(em_row_is_sane(&whole));
    for (int lacks = 0; lacks < 4; lacks++) {
        em_row row = whole;
        if (lacks == 0)
            row.root = NULL;
        else if (lacks == 1)
            row.path = NULL;
        else if (lacks == 2)
            row.boot = NULL;
        else
            row.state = EM_ROW_NAMED; /* and has no name */
        assert_false(em_row_is_sane(&row));
    }
}

static void test_names(void **state)
{
    bench *b = *state;
    static const struct {
        const char *root, *path, *folders;
        const char *whole, *name, *rest;
    } cases[] = {
        {"/r", "a/b", NULL, "/r/a/b", "b", "b"},
        {"/", "a/b", NULL, "/a/b", "b", "b"},
        {"/r", "a/x/b", "x", "/r/a/x/b", "b", "x/b"},
        {"/", "b", "longer than its path", "/b", "b", "b"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        em_row row = {.root = cases[i].root, .path = cases[i].path, .folders = cases[i].folders};
        em_reach reach;
        check_status("name", em_reach_name(&row, &b->arena, &reach), EM_OK);
        assert_string_equal(reach.path, cases[i].whole);
        assert_string_equal(reach.name, cases[i].name);
        assert_string_equal(reach.rest, cases[i].rest);
    }
}

static em_status reach_it(bench *b, const em_row *row, bool all, em_reach *reach)
{
    b->err = EM_ERROR_INIT;
    EM_TRY(em_reach_name(row, &b->arena, reach));
    return em_reach_open(b->ws, row, all, &b->arena, reach, &b->err);
}

/* Which root it lies in: not in one whose name is only the beginning of its folder's. */
static void test_which_root(void **state)
{
    bench *b = *state;
    em_reach reach;
    char longer[SCRATCH_PATH];
    strcpy(longer, scratch_path(b->base, "root-and-more"));
    scratch_folder(b->base, "root-and-more");
    bench_open(b);
    check_status("ready", em_ws_ready(b->ws, &b->err), EM_OK);
    em_row row = row_of(b, "a.txt");
    row.root = longer;
    check_status("outside", reach_it(b, &row, false, &reach), EM_OK);
    assert_false(reach.mine);
    bench_close(b);
    b->roots[1] = longer;
    b->options.root_count = 2;
    bench_open(b);
    check_status("ready", em_ws_ready(b->ws, &b->err), EM_OK);
    row = row_of(b, "a.txt");
    check_status("the first", reach_it(b, &row, false, &reach), EM_OK);
    assert_true(reach.mine && reach.dir >= 0);
    em_reach_close(b->ws, &reach);
    row.root = longer;
    check_status("the second, another folder", reach_it(b, &row, false, &reach), EM_OK);
    assert_true(reach.mine && reach.dir < 0 && reach.other >= 0);
    em_reach_close(b->ws, &reach);
    assert_true(reach.other < 0);
}

/* A folder that is no more, or no way to one, is not there; any other failure is told. */
static void test_failing_calls(void **state)
{
    bench *b = *state;
    static const struct {
        bool all;
        const char *call, *about;
        int error;
        em_status want;
    } cases[] = {
        {false, "open", "", ENOENT, EM_OK},    {false, "open", "", ENOTDIR, EM_OK},
        {false, "open", "", ELOOP, EM_OK},     {false, "open", "", EXDEV, EM_OK},
        {false, "open", "", EMFILE, EM_E_IO},  {false, "stat", "$/root", EIO, EM_E_IO},
        {true, "open", "=/", EMFILE, EM_E_IO},
    };
    bench_open(b);
    check_status("ready", em_ws_ready(b->ws, &b->err), EM_OK);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        em_row row = row_of(b, "a.txt");
        em_reach reach;
        bench_disarm(b);
        row.root = cases[i].all ? b->base : b->root;
        trap_set(&b->trap,
                 (trap){.call = cases[i].call, .about = cases[i].about, .error = cases[i].error});
        check_status(cases[i].call, reach_it(b, &row, cases[i].all, &reach), cases[i].want);
        if (cases[i].want == EM_OK)
            assert_int_equal(reach.dir, -1);
        em_reach_close(b->ws, &reach);
    }
}

/* Where a row's stray is looked for when its folder is not there, and what the answer may be. */
static void test_another_folder(void **state)
{
    bench *b = *state;
    static const char temp[] = ".emend-00000000000000000000000000000001";
    static const struct {
        int error; /* 0: none */
        bool in_place, has, finds;
        em_status want;
    } cases[] = {
        {0, false, true, true, EM_OK},
        {0, true, true, false, EM_OK},
        {ENOENT, false, false, false, EM_OK},
        {ENOTDIR, false, false, false, EM_OK},
        {ELOOP, false, false, false, EM_OK},
        {EIO, false, false, false, EM_E_IO},
        {EACCES, false, false, false, EM_E_PERMISSION},
    };
    bench_open(b);
    check_status("ready", em_ws_ready(b->ws, &b->err), EM_OK);
    scratch_put(b->root, temp, "x");
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        em_row row = row_of(b, "a.txt");
        em_reach reach;
        bool has, finds;
        bench_disarm(b);
        row.temp = temp;
        row.dir_ino++;
        row.kind = cases[i].in_place ? EM_ROW_IN_PLACE : EM_ROW_EDIT;
        check_status("open", reach_it(b, &row, false, &reach), EM_OK);
        if (cases[i].error)
            trap_set(
                &b->trap,
                (trap){.call = "stat", .about = ".emend-", .times = -1, .error = cases[i].error});
        check_status("has", em_reach_has_other(b->ws, &row, &reach, &has, &b->err), cases[i].want);
        check_status("finds", em_reach_finds_stray(b->ws, &row, &reach, &b->arena, &finds, &b->err),
                     cases[i].want);
        if (cases[i].want == EM_OK)
            assert_true(has == cases[i].has && finds == cases[i].finds);
        em_reach_take_other(&reach);
        assert_true(reach.dir >= 0 && reach.other < 0);
        em_reach_close(b->ws, &reach);
        if (cases[i].in_place)
            continue;
        memory_ends_at(1);
        em_status status = em_reach_finds_stray(b->ws, &row, &reach, &b->arena, &finds, &b->err);
        memory_ends_at(0);
        check_status("memory", status, EM_E_NOMEM);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_that_lack_something),
        BENCH_TEST(test_names),
        BENCH_TEST(test_which_root),
        BENCH_TEST(test_failing_calls),
        BENCH_TEST(test_another_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
