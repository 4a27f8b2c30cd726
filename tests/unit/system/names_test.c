#include "system/names.h"

#include "bench.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int dir_open(const bench *b)
{
    int dir = open(b->root, O_PATH | O_DIRECTORY | O_CLOEXEC);
    assert_true(dir >= 0);
    return dir;
}

static uint64_t inode(const bench *b, const char *name)
{
    struct stat st;
    assert_int_equal(stat(scratch_path(b->root, name), &st), 0);
    return st.st_ino;
}

/* ---- Names --------------------------------------------------------------------------------- */

static void test_temporary_names(void **state)
{
    (void)state;
    const unsigned char random[16] = {0, 1, 2, 0xAB, 0xCD, 0xEF, 0xFF};
    char name[EM_TEMP_SIZE];
    em_temp_name(random, name);
    assert_string_equal(name, ".emend-000102abcdefff000000000000000000");
    assert_true(em_is_temp_name(name));
    static const char *const others[] = {"",
                                         ".emend-",
                                         ".emend-000102abcdefff00000000000000000",
                                         "emend-000102abcdefff000000000000000000",
                                         ".emend-000102ABCDEFFF000000000000000000",
                                         ".emend-../../abcdefff000000000000000000",
                                         ".emend-000102abcdefff0000000000000000000"};
    for (size_t i = 0; i < COUNT_OF(others); i++)
        assert_false(em_is_temp_name(others[i]));
}

static void test_names_beside(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    assert_string_equal(em_name_beside(&arena, "a/b.txt", "c"), "a/c");
    assert_string_equal(em_name_beside(&arena, "b.txt", "c"), "c");
    assert_string_equal(em_name_beside(&arena, "/b.txt", "c"), "/c");
}

/* ---- Looking ------------------------------------------------------------------------------- */

static void test_looking(void **state)
{
    bench *b = *state;
    int dir = dir_open(b);
    em_look look;
    check_status("a file",
                 em_look_at((em_entry){&em_sys_native, dir, "a.txt", "a"}, &look, &b->err), EM_OK);
    assert_true(look.exists && look.regular);
    assert_true(em_look_has(&look, em_hash_of(EM_LIT("one two three\n"))));
    assert_false(em_look_has(&look, em_hash_of(EM_LIT("else"))));

    check_status("nothing",
                 em_look_at((em_entry){&em_sys_native, dir, "none", "n"}, &look, &b->err), EM_OK);
    assert_false(look.exists || look.regular);

    /* never opened: a FIFO would block, a link would lead elsewhere */
    scratch_link(b->root, "link", "a.txt");
    scratch_folder(b->root, "folder");
    assert_int_equal(mkfifo(scratch_path(b->root, "fifo"), 0600), 0);
    static const char *const odd[] = {"link", "folder", "fifo"};
    for (size_t i = 0; i < COUNT_OF(odd); i++) {
        check_status(odd[i],
                     em_look_at((em_entry){&em_sys_native, dir, odd[i], "o"}, &look, &b->err),
                     EM_OK);
        assert_true(look.exists && !look.regular);
        assert_false(em_look_has(&look, em_hash_of(EM_LIT("one two three\n"))));
    }
    close(dir);
}

static void test_looking_fails(void **state)
{
    bench *b = *state;
    int dir = dir_open(b);
    em_look look;
    static const struct {
        const char *call, *about;
    } cases[] = {
        {"open", "a.txt"}, {"stat", "a.txt"}, {"open", "/proc/self/fd"}, {"read", "a.txt"}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        bench_disarm(b);
        trap_set(&b->trap, (trap){.call = cases[i].call, .about = cases[i].about, .error = EIO});
        check_status(cases[i].call,
                     em_look_at((em_entry){&b->trap.sys, dir, "a.txt", "THE PATH"}, &look, &b->err),
                     EM_E_IO);
        check_detail(b, "THE PATH");
    }
    close(dir);
}

static void test_comparing(void **state)
{
    (void)state;
    em_stat a = {.dev = 1, .ino = 2, .size = 3, .mtime = {4, 5}}, other[] = {a, a, a, a, a};
    assert_true(em_stat_same_inode(&a, &other[0]) && em_stat_same_content(&a, &other[0]));
    other[0].dev = other[1].ino = other[2].size = 99;
    other[3].mtime.tv_sec = other[4].mtime.tv_nsec = 99;
    for (size_t i = 0; i < COUNT_OF(other); i++) {
        assert_int_equal(em_stat_same_inode(&a, &other[i]), i >= 2);
        assert_false(em_stat_same_content(&a, &other[i]));
        assert_false(em_stat_unchanged(&a, &other[i]));
    }
    em_stat granted[] = {a, a, a, a};
    assert_true(em_stat_same_but_for_names(&a, &granted[3]));
    granted[0].mode = granted[1].uid = granted[2].gid = 99;
    granted[3].size = 99;
    for (size_t i = 0; i < COUNT_OF(granted); i++)
        assert_false(em_stat_same_but_for_names(&a, &granted[i]));
    em_stat touched = a;
    assert_true(em_stat_unchanged(&a, &touched));
    touched.ctime.tv_nsec = 99;
    assert_true(em_stat_same_content(&a, &touched));
    assert_false(em_stat_unchanged(&a, &touched));
}

/* A file of several names on an overlay is another one with one name, once its name has changed. */
static void test_copying_up(void **state)
{
    (void)state;
    const em_stat was = {
        .dev = 1, .ino = 2, .size = 3, .mode = 4, .uid = 5, .gid = 6, .nlink = 2, .mtime = {7, 8}};
    em_stat copy = was;
    copy.ino = 99;
    copy.nlink = 1;
    assert_true(em_stat_may_be_copied_up(&copy, &was));
    em_stat others[] = {copy, copy, copy, copy, copy, copy, copy, copy};
    others[0].ino = was.ino;
    others[1].nlink = 2;
    others[2].size = others[3].mode = others[4].uid = others[5].gid = 99;
    others[6].mtime.tv_sec = others[7].mtime.tv_nsec = 99;
    for (size_t i = 0; i < COUNT_OF(others); i++)
        assert_false(em_stat_may_be_copied_up(&others[i], &was));
    em_stat only = was;
    only.nlink = 1;
    assert_false(em_stat_may_be_copied_up(&copy, &only));
}

/* ---- Changing ------------------------------------------------------------------------------ */

static void test_removing(void **state)
{
    bench *b = *state;
    int dir = dir_open(b);
    check_status("there", em_name_remove((em_entry){&b->trap.sys, dir, "a.txt", "a"}, &b->err),
                 EM_OK);
    assert_false(scratch_has(b->root, "a.txt"));
    check_status("gone", em_name_remove((em_entry){&b->trap.sys, dir, "a.txt", "a"}, &b->err),
                 EM_OK);
    trap_set(&b->trap, (trap){.call = "unlink", .about = "a.txt", .error = EROFS});
    check_status("fails", em_name_remove((em_entry){&b->trap.sys, dir, "a.txt", "a"}, &b->err),
                 EM_E_PERMISSION);
    close(dir);
}

static void test_syncing_a_folder(void **state)
{
    bench *b = *state;
    int dir = dir_open(b);
    check_status("works", em_folder_sync(&b->trap.sys, dir, "a", &b->err), EM_OK);
    trap_set(&b->trap, (trap){.call = "sync", .about = "", .error = EIO});
    check_status("sync", em_folder_sync(&b->trap.sys, dir, "a", &b->err), EM_E_IO);
    trap_set(&b->trap, (trap){.call = "open", .about = ".", .error = EMFILE});
    check_status("open", em_folder_sync(&b->trap.sys, dir, "a", &b->err), EM_E_IO);
    close(dir);
}

static void test_giving_a_name(void **state)
{
    bench *b = *state;
    int dir = dir_open(b);
    int fd = openat(dir, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0) {
        assert_int_equal(em_name_give(&em_sys_native, fd, dir, "a.txt"), -EEXIST);
        assert_int_equal(em_name_give(&em_sys_native, fd, dir, "new"), 0);
        assert_true(scratch_has(b->root, "new"));
        close(fd);
    }
    close(dir);
}

/* What keeps a folder is no failure, however the file system says it. */
static void test_folders_that_stay(void **state)
{
    bench *b = *state;
    static const struct {
        int error;
        em_status want;
    } cases[] = {
        {ENOTEMPTY, EM_OK}, {EEXIST, EM_OK}, {ENOENT, EM_OK}, {ENOTDIR, EM_OK}, {EIO, EM_E_IO}};
    int dir = dir_open(b);
    scratch_folder(b->root, "x");
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        bench_disarm(b);
        trap_set(&b->trap, (trap){.call = "unlink", .about = "x", .error = cases[i].error});
        check_status("remove", em_folders_remove(&b->trap.sys, dir, "x", 0, "x/f", &b->err),
                     cases[i].want);
        assert_true(scratch_has(b->root, "x"));
    }
    close(dir);
}

static void test_removing_folders(void **state)
{
    bench *b = *state;
    int dir = dir_open(b);
    scratch_folder(b->root, "a");
    scratch_folder(b->root, "a/b");
    scratch_folder(b->root, "a/b/c");
    check_status("keep two", em_folders_remove(&b->trap.sys, dir, "a/b/c", 2, "p", &b->err), EM_OK);
    assert_true(scratch_has(b->root, "a/b"));
    assert_false(scratch_has(b->root, "a/b/c"));
    scratch_put(b->root, "a/file", "");
    check_status("all", em_folders_remove(&b->trap.sys, dir, "a/b/c", 0, "p", &b->err), EM_OK);
    assert_true(scratch_has(b->root, "a/file"));
    assert_false(scratch_has(b->root, "a/b"));
    unlink(scratch_path(b->root, "a/file"));
    check_status("all", em_folders_remove(&b->trap.sys, dir, "a/b/c", 0, "p", &b->err), EM_OK);
    assert_false(scratch_has(b->root, "a"));
    trap_set(&b->trap, (trap){.call = "unlink", .about = "a/b", .error = EIO});
    check_status("fails", em_folders_remove(&b->trap.sys, dir, "a/b", 0, "p", &b->err), EM_E_IO);
    close(dir);
}

/* ---- Putting back -------------------------------------------------------------------------- */

/* What somebody does at the moment of an exchange; each writes what says which time it is. */
static int foreign_count;

static void save_by_rename(void *context)
{
    bench *b = context;
    char text[32];
    snprintf(text, sizeof text, "foreign %d", ++foreign_count);
    scratch_put(b->root, "editor", text);
    assert_int_equal(rename(scratch_path(b->root, "editor"), scratch_path(b->root, "a.txt")), 0);
}

static void save_in_place(void *context)
{
    bench *b = context;
    char text[32];
    snprintf(text, sizeof text, "foreign %d", ++foreign_count);
    scratch_put(b->root, "a.txt", text);
}

static void remove_it(void *context)
{
    bench *b = context;
    assert_int_equal(unlink(scratch_path(b->root, "a.txt")), 0);
}

/* a.txt is ours, the stray holds "first", a foreign save. */
static void put_back(bench *b, bool by_descriptor, em_status want, em_put_back outcome)
{
    int dir = dir_open(b), fd = -1;
    scratch_put(b->root, "a.txt", "ours");
    scratch_put(b->root, "stray", "first");
    if (by_descriptor)
        fd = open(scratch_path(b->root, "a.txt"), O_RDONLY | O_CLOEXEC);
    em_ours ours = {.hash = em_hash_of(EM_LIT("ours")), .ino = inode(b, "a.txt"), .fd = fd};
    em_put_back got = EM_PUT_BACK_KEPT;
    foreign_count = 0;
    check_status("put back",
                 em_names_put_back((em_entry){&b->trap.sys, dir, "a.txt", "a.txt"}, "stray", ours,
                                   &got, &b->err),
                 want);
    if (want == EM_OK)
        assert_int_equal(got, outcome);
    if (fd >= 0)
        close(fd);
    close(dir);
}

static void test_put_back(void **state)
{
    bench *b = *state;
    for (int i = 0; i < 2; i++) {
        put_back(b, i, EM_OK, EM_PUT_BACK_CLEAN);
        check_text(b, "a.txt", "first");
        check_text(b, "stray", "ours");
    }
}

/* Somebody saves once more just before we exchange back: that is the newest, and stays. */
static void test_put_back_meets_a_rename(void **state)
{
    bench *b = *state;
    for (int i = 0; i < 2; i++) {
        bench_disarm(b);
        trap_set(&b->trap,
                 (trap){.call = "exchange", .about = "", .hook = save_by_rename, .context = b});
        put_back(b, i, EM_OK, EM_PUT_BACK_CLEAN);
        check_text(b, "a.txt", "foreign 1");
        check_text(b, "stray", "first"); /* which the rename replaced */
    }
}

/* Somebody writes into our very file: what was saved before is not replaced by that. */
static void test_put_back_meets_a_write(void **state)
{
    bench *b = *state;
    for (int i = 0; i < 2; i++) {
        bench_disarm(b);
        trap_set(&b->trap,
                 (trap){.call = "exchange", .about = "", .hook = save_in_place, .context = b});
        put_back(b, i, EM_OK, EM_PUT_BACK_KEPT);
        check_text(b, "a.txt", "foreign 1");
        check_text(b, "stray", "first");
    }
}

static void test_put_back_meets_two_renames(void **state)
{
    bench *b = *state;
    trap_set(
        &b->trap,
        (trap){.call = "exchange", .about = "", .times = 2, .hook = save_by_rename, .context = b});
    put_back(b, false, EM_OK, EM_PUT_BACK_KEPT);
    check_text(b, "a.txt", "foreign 2");
    check_text(b, "stray", "foreign 1");
}

/* Somebody who never stops is given up on, and nothing is removed. */
static void test_put_back_meets_a_storm(void **state)
{
    bench *b = *state;
    trap *exchanges = trap_set(
        &b->trap,
        (trap){.call = "exchange", .about = "", .times = -1, .hook = save_by_rename, .context = b});
    put_back(b, false, EM_OK, EM_PUT_BACK_KEPT);
    assert_int_equal(exchanges->caught, 16);
}

static void test_put_back_meets_a_removal(void **state)
{
    bench *b = *state;
    trap_set(&b->trap, (trap){.call = "exchange", .about = "", .hook = remove_it, .context = b});
    put_back(b, false, EM_OK, EM_PUT_BACK_CLEAN);
    check_text(b, "a.txt", "first");
    assert_false(scratch_has(b->root, "stray"));
}

static void remove_stray(void *context)
{
    bench *b = context;
    assert_int_equal(unlink(scratch_path(b->root, "stray")), 0);
}

static void test_put_back_finds_nothing(void **state)
{
    bench *b = *state;
    for (int i = 0; i < 2; i++) {
        bench_disarm(b);
        trap_set(&b->trap,
                 (trap){.call = "exchange", .about = "", .after = remove_stray, .context = b});
        put_back(b, i, EM_OK, EM_PUT_BACK_CLEAN);
        check_text(b, "a.txt", "first");
    }
}

static void test_put_back_fails(void **state)
{
    bench *b = *state;
    static const struct {
        const char *call, *about;
        bool by_descriptor;
    } cases[] = {
        {"stat", "stray", false}, {"exchange", "stray", false}, {"open", "stray", false},
        {"read", "stray", false}, {"read", "stray", true},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        bench_disarm(b);
        trap_set(&b->trap, (trap){.call = cases[i].call, .about = cases[i].about, .error = EIO});
        put_back(b, cases[i].by_descriptor, EM_E_IO, EM_PUT_BACK_KEPT);
        assert_true(scratch_has(b->root, "stray"));
    }
    bench_disarm(b);
    trap_set(&b->trap, (trap){.call = "stat", .about = "stray", .skip = 1, .error = EIO});
    put_back(b, true, EM_E_IO, EM_PUT_BACK_KEPT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_temporary_names),
        cmocka_unit_test(test_names_beside),
        BENCH_TEST(test_looking),
        BENCH_TEST(test_looking_fails),
        cmocka_unit_test(test_comparing),
        cmocka_unit_test(test_copying_up),
        BENCH_TEST(test_removing),
        BENCH_TEST(test_syncing_a_folder),
        BENCH_TEST(test_giving_a_name),
        BENCH_TEST(test_folders_that_stay),
        BENCH_TEST(test_removing_folders),
        BENCH_TEST(test_put_back),
        BENCH_TEST(test_put_back_meets_a_rename),
        BENCH_TEST(test_put_back_meets_a_write),
        BENCH_TEST(test_put_back_meets_two_renames),
        BENCH_TEST(test_put_back_meets_a_storm),
        BENCH_TEST(test_put_back_meets_a_removal),
        BENCH_TEST(test_put_back_finds_nothing),
        BENCH_TEST(test_put_back_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
