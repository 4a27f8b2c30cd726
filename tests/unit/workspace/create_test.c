#include "bench.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static em_status create(bench *b, const char *path)
{
    return bench_change(b, path, NULL, "new\n");
}

/* Nothing but a.txt is in the root. */
static void check_nothing_left(bench *b)
{
    assert_int_equal(scratch_count(b->root), 1);
    assert_int_equal(bench_rows(b, EM_ROW_GRACE), 0);
}

static void test_a_file(void **state)
{
    bench *b = *state;
    struct stat st;
    mode_t mask = umask(027);
    check_status("create", create(b, "new"), EM_OK);
    umask(mask);
    check_text(b, "new", "new\n");
    assert_int_equal(stat(scratch_path(b->root, "new"), &st), 0);
    assert_int_equal(st.st_mode & 07777, 0640); /* as any program would make it */
    assert_int_equal(b->report.size, 4);
    em_row row = bench_row(b);
    assert_int_equal(row.kind, EM_ROW_CREATE);
    assert_int_equal(row.state, EM_ROW_DONE);
    assert_null(row.temp);
    assert_int_equal(row.old_size, 0);
    check_clean(b);
}

static void test_an_empty_file(void **state)
{
    bench *b = *state;
    check_status("create", bench_change(b, "new", NULL, ""), EM_OK);
    check_text(b, "new", "");
}

static void test_folders(void **state)
{
    bench *b = *state;
    b->options.sync = EM_SYNC_FULL;
    check_status("create", create(b, "x/y/z/new"), EM_OK);
    check_text(b, "x/y/z/new", "new\n");
    em_row row = bench_row(b);
    assert_string_equal(row.folders, "x/y/z");
    assert_string_equal(row.path, "x/y/z/new");
    check_status("beside", create(b, "x/y/z/other"), EM_OK);
    check_clean(b);
}

/* Each new folder is in its own, durably, before there is anything in it. */
static void test_folders_are_synced(void **state)
{
    bench *b = *state;
    b->options.sync = EM_SYNC_FULL;
    check_status("ready", create(b, "ready"), EM_OK);
    trap *synced = trap_set(&b->trap, (trap){.call = "sync", .about = "/root", .times = -1});
    check_status("create", create(b, "x/y/new"), EM_OK);
    assert_int_equal(synced->caught, 4); /* the file, root, x, and y in the end */
    b->options.sync = EM_SYNC_OFF;
    bench_close(b);
    check_status("create", create(b, "p/q/new"), EM_OK);
    assert_int_equal(synced->caught, 4);
}

/* ---- Somebody else ------------------------------------------------------------------------- */

static void make_file(void *context)
{
    bench *b = context;
    scratch_put(b->root, "new", "theirs");
}

static void make_first_folder(void *context)
{
    bench *b = context;
    scratch_folder(b->root, "x");
}

static void make_file_for_folder(void *context)
{
    bench *b = context;
    scratch_put(b->root, "x", "theirs");
}

static void remove_root(void *context)
{
    bench *b = context;
    assert_int_equal(rename(scratch_path(b->root, "sub"), scratch_path(b->base, "moved")), 0);
}

static void test_made_by_somebody_else(void **state)
{
    bench *b = *state;
    trap_set(&b->trap, (trap){.call = "link", .about = "new", .hook = make_file, .context = b});
    check_status("create", create(b, "new"), EM_E_EXISTS);
    check_text(b, "new", "theirs");
    check_clean(b);
    assert_int_equal(bench_rows(b, EM_ROW_DONE), 0);
}

/* No folder was made for it: none is removed, not even one that is called what printf() writes
 * where there is no name. */
static void test_no_folder_is_removed(void **state)
{
    bench *b = *state;
    assert_int_equal(mkdir(scratch_path(b->root, "(null)"), 0700), 0);
    trap_set(&b->trap, (trap){.call = "link", .about = "", .error = EIO});
    check_status("create", create(b, "new"), EM_E_IO);
    assert_true(scratch_has(b->root, "(null)"));
    check_clean(b);
}

static void test_a_folder_made_by_somebody_else(void **state)
{
    bench *b = *state;
    trap_set(&b->trap,
             (trap){.call = "mkdir", .about = "=x", .hook = make_first_folder, .context = b});
    check_status("create", create(b, "x/y/new"), EM_OK);
    check_text(b, "x/y/new", "new\n");

    scratch_drop(scratch_path(b->root, "x"));
    bench_disarm(b);
    trap_set(&b->trap,
             (trap){.call = "mkdir", .about = "=x", .hook = make_first_folder, .context = b});
    trap_set(&b->trap, (trap){.call = "link", .about = "", .error = EIO});
    check_status("fails", create(b, "x/y/new"), EM_E_IO);
    assert_true(scratch_has(b->root, "x")); /* theirs */
    assert_false(scratch_has(b->root, "x/y"));
    check_clean(b);
}

static void test_a_file_where_a_folder_should_be(void **state)
{
    bench *b = *state;
    trap_set(&b->trap,
             (trap){.call = "mkdir", .about = "=x", .hook = make_file_for_folder, .context = b});
    check_status("create", create(b, "x/new"), EM_E_CONFLICT);
    check_text(b, "x", "theirs");
    check_clean(b);
}

static void test_a_folder_that_is_moved(void **state)
{
    bench *b = *state;
    scratch_folder(b->root, "sub");
    trap_set(&b->trap,
             (trap){.call = "open", .about = "O_TMPFILE", .after = remove_root, .context = b});
    check_status("create", create(b, "sub/x/new"), EM_E_CONFLICT);
    assert_int_equal(scratch_count(scratch_path(b->base, "moved")), 0);
    check_nothing_left(b);
}

/* ---- Failures ------------------------------------------------------------------------------ */

static void test_failures_that_refuse(void **state)
{
    bench *b = *state;
    static const trap_case cases[] = {
        {"open", "O_TMPFILE", 0, ENOSPC, EM_E_IO}, {"write", "root", 0, ENOSPC, EM_E_IO},
        {"sync", "root", 0, EIO, EM_E_IO},         {"write", "history.db", 0, ENOSPC, EM_E_IO},
        {"mkdir", "=x", 0, ENOSPC, EM_E_IO},       {"mkdir", "=y", 0, EACCES, EM_E_PERMISSION},
        {"sync", "root", 1, EIO, EM_E_IO},         {"sync", "/x", 0, EIO, EM_E_IO},
        {"open", "=y", 0, EMFILE, EM_E_IO},        {"open", "=.", 3, EMFILE, EM_E_IO},
        {"link", "new", 0, ENOSPC, EM_E_IO},       {"link", "new", 0, ENOENT, EM_E_CONFLICT},
    };
    b->options.sync = EM_SYNC_FULL;
    check_status("ready", bench_change(b, "a.txt", "one", "one"), EM_OK);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        bench_disarm(b);
        trap *caught = trap_set_case(&b->trap, &cases[i]);
        check_case(b, &cases[i], caught, create(b, "x/y/new"));
        check_nothing_left(b);
    }
}

/* Nobody removed anything. */
static void test_without_proc(void **state)
{
    bench *b = *state;
    trap_set(&b->trap, (trap){.call = "link", .about = "new", .error = ENOENT});
    trap_set(&b->trap, (trap){.call = "access", .about = "=/proc/self/fd", .error = ENOENT});
    check_status("create", create(b, "x/y/new"), EM_E_IO);
    check_detail(b, "/proc is not mounted");
    check_nothing_left(b);
}

static void test_no_room_without_sync(void **state)
{
    bench *b = *state;
    static const trap_case no_room = {"flush", "root", 0, EDQUOT, EM_E_IO};
    trap *caught = trap_set_case(&b->trap, &no_room);
    check_case(b, &no_room, caught, create(b, "x/y/new"));
    check_nothing_left(b);
}

/* A folder that cannot be removed is left to recovery. */
static void test_a_folder_that_stays(void **state)
{
    bench *b = *state;
    trap_set(&b->trap, (trap){.call = "link", .about = "", .error = EIO});
    trap_set(&b->trap, (trap){.call = "unlink", .about = "x/y", .error = EIO});
    check_status("create", create(b, "x/y/new"), EM_E_IO);
    check_detail(b, "folders");
    assert_int_equal(bench_rows(b, EM_ROW_PENDING), 1);
    bench_close(b);
    check_status("next", bench_change(b, "a.txt", "one", "one"), EM_OK);
    check_nothing_left(b);
}

static void test_the_last_sync_fails(void **state)
{
    bench *b = *state;
    b->options.sync = EM_SYNC_FULL;
    trap_set(&b->trap, (trap){.call = "sync", .about = "/y", .error = EIO});
    check_status("create", create(b, "x/y/new"), EM_OK);
    assert_true(bench_warned(b, "not durable"));
    check_clean(b);
}

static void link_it(void *context)
{
    bench *b = context;
    const char *stray = bench_stray(b, ".");
    assert_int_equal(link(scratch_path(b->root, stray), scratch_path(b->root, "new")), 0);
    unlink(scratch_path(b->root, stray));
}

static void no_unnamed_files(bench *b)
{
    bench_disarm(b);
    unlink(scratch_path(b->root, "new"));
    trap_set(&b->trap,
             (trap){.call = "open", .about = "O_TMPFILE", .times = -1, .error = EOPNOTSUPP});
}

/* An error does not prove that nothing was done. */
static void test_a_name_that_only_seems_not_to_be_given(void **state)
{
    bench *b = *state;
    no_unnamed_files(b);
    trap_set(&b->trap,
             (trap){.call = "move", .about = "new", .hook = link_it, .context = b, .error = EIO});
    check_status("create", create(b, "new"), EM_OK);
    check_text(b, "new", "new\n");
    check_clean(b);
}

/* ---- Weaker systems ------------------------------------------------------------------------ */

static void test_without_unnamed_files(void **state)
{
    bench *b = *state;
    b->options.sync = EM_SYNC_FULL;
    no_unnamed_files(b);
    check_status("create", create(b, "new"), EM_OK);
    check_text(b, "new", "new\n");
    check_clean(b);
    check_status("in folders", create(b, "x/y/new"), EM_OK);
    check_text(b, "x/y/new", "new\n");
    check_clean(b);

    no_unnamed_files(b);
    trap_set(&b->trap, (trap){.call = "move", .about = "new", .hook = make_file, .context = b});
    check_status("taken", create(b, "new"), EM_E_EXISTS);
    check_text(b, "new", "theirs");
    check_clean(b);
}

static void test_without_moving_either(void **state)
{
    bench *b = *state;
    no_unnamed_files(b);
    trap_set(&b->trap, (trap){.call = "move", .about = "", .times = -1, .error = EINVAL});
    check_status("linked", create(b, "new"), EM_OK);
    check_text(b, "new", "new\n");
    check_clean(b);

    no_unnamed_files(b);
    trap_set(&b->trap, (trap){.call = "move", .about = "", .times = -1, .error = EINVAL});
    trap_set(&b->trap, (trap){.call = "unlink", .about = ".emend-", .error = EIO});
    check_status("its first name stays", create(b, "new"), EM_OK);
    assert_true(bench_warned(b, ".emend-"));
    assert_int_equal(bench_rows(b, EM_ROW_PENDING), 1);
    bench_close(b);
    bench_disarm(b);
    check_status("recovery", bench_change(b, "a.txt", "one", "one"), EM_OK);
    check_clean(b);
    check_text(b, "new", "new\n");
}

/* ---- Recovery ------------------------------------------------------------------------------ */

/* Nor can a second name be given: nothing is made, and nothing left. */
static void test_without_links_either(void **state)
{
    bench *b = *state;
    trap_set(&b->trap,
             (trap){.call = "open", .about = "O_TMPFILE", .times = -1, .error = EOPNOTSUPP});
    trap_set(&b->trap, (trap){.call = "move", .about = "", .times = -1, .error = EINVAL});
    trap_set(&b->trap, (trap){.call = "link", .about = "", .times = -1, .error = EPERM});
    check_status("create", bench_change(b, "new", NULL, "new\n"), EM_E_PERMISSION);
    assert_false(scratch_has(b->root, "new"));
    check_clean(b);
}

static void test_killed(void **state)
{
    bench *b = *state;
    static const struct {
        const char *call, *about;
        int after;
        bool made;
    } cases[] = {
        {"mkdir", "=x", 0, false}, {"mkdir", "=x", 1, false}, {"mkdir", "=y", 1, false},
        {"link", "new", 0, false}, {"link", "new", 1, true},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        bench_disarm(b);
        bench_die(b, "x/y/new", NULL, "new\n",
                  (trap){.call = cases[i].call, .about = cases[i].about, .error = cases[i].after});
        bench_disarm(b);
        check_status("recovery", bench_change(b, "a.txt", "one", "one"), EM_OK);
        if (scratch_has(b->root, "x/y/new") != cases[i].made ||
            scratch_has(b->root, "x") != cases[i].made)
            fail_msg("case %zu", i);
        check_clean(b);
        bench_close(b);
        scratch_drop(scratch_path(b->root, "x"));
    }
}

static void test_killed_without_unnamed_files(void **state)
{
    bench *b = *state;
    no_unnamed_files(b);
    bench_die(b, "new", NULL, "new\n", (trap){.call = "move", .about = ""});
    assert_int_equal(bench_strays(b, "."), 1);
    bench_disarm(b);
    check_status("recovery", bench_change(b, "a.txt", "one", "one"), EM_OK);
    check_clean(b);
    assert_false(scratch_has(b->root, "new"));
}

/* What somebody put into the folders meanwhile keeps them. */
static void test_folders_that_are_used(void **state)
{
    bench *b = *state;
    bench_die(b, "x/y/new", NULL, "new\n", (trap){.call = "link", .about = "new"});
    scratch_put(b->root, "x/theirs", "");
    bench_disarm(b);
    check_status("recovery", bench_change(b, "a.txt", "one", "one"), EM_OK);
    assert_true(scratch_has(b->root, "x/theirs"));
    assert_false(scratch_has(b->root, "x/y"));
    check_clean(b);
}

/* A later process that wants the same file, in the folder that is there by now. */
static void test_made_again(void **state)
{
    bench *b = *state;
    bench_die(b, "x/y/new", NULL, "new\n", (trap){.call = "link", .about = "new"});
    bench_disarm(b);
    check_status("again", create(b, "x/y/new"), EM_OK);
    check_text(b, "x/y/new", "new\n");
    check_clean(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(test_a_file),
        BENCH_TEST(test_an_empty_file),
        BENCH_TEST(test_folders),
        BENCH_TEST(test_folders_are_synced),
        BENCH_TEST(test_made_by_somebody_else),
        BENCH_TEST(test_no_folder_is_removed),
        BENCH_TEST(test_a_folder_made_by_somebody_else),
        BENCH_TEST(test_a_file_where_a_folder_should_be),
        BENCH_TEST(test_a_folder_that_is_moved),
        BENCH_TEST(test_failures_that_refuse),
        BENCH_TEST(test_without_proc),
        BENCH_TEST(test_no_room_without_sync),
        BENCH_TEST(test_a_folder_that_stays),
        BENCH_TEST(test_the_last_sync_fails),
        BENCH_TEST(test_a_name_that_only_seems_not_to_be_given),
        BENCH_TEST(test_without_unnamed_files),
        BENCH_TEST(test_without_moving_either),
        BENCH_TEST(test_without_links_either),
        BENCH_TEST(test_killed),
        BENCH_TEST(test_killed_without_unnamed_files),
        BENCH_TEST(test_folders_that_are_used),
        BENCH_TEST(test_made_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
