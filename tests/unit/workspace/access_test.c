#include "bench.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Judge a.txt as it is, with this in its stat besides, and in that of its folder. */
static em_status judge(bench *b, const em_stat *file, const em_stat *folder, bool probe,
                       bool *in_place)
{
    em_resolved place;
    em_stat of_folder = {0};
    b->err = EM_ERROR_INIT;
    bench_open(b);
    check_status(
        "resolve",
        em_root_resolve(&em_sys_native, &b->ws->roots, "a.txt", true, &b->arena, &place, &b->err),
        EM_OK);
    if (file) {
        place.stat.mode |= file->mode;
        place.stat.immutable = file->immutable;
        place.stat.append_only = file->append_only;
        place.stat.mount_root = file->mount_root;
        if (file->uid)
            place.stat.uid = file->uid;
        if (file->gid)
            place.stat.gid = file->gid;
    }
    if (folder)
        of_folder = *folder;
    em_status status = em_access_check(b->ws, &place, &of_folder, probe, in_place, &b->err);
    em_resolved_close(&em_sys_native, &place);
    return status;
}

static void test_flags_of_the_file(void **state)
{
    bench *b = *state;
    bool in_place;
    const em_stat immutable = {.immutable = true}, append = {.append_only = true};
    check_status("plain", judge(b, NULL, NULL, false, &in_place), EM_OK);
    assert_false(in_place);
    check_status("immutable", judge(b, &immutable, NULL, false, &in_place), EM_E_PERMISSION);
    check_detail(b, "immutable");
    check_status("append-only", judge(b, &append, NULL, false, &in_place), EM_E_PERMISSION);
    check_detail(b, "append-only");
}

static void test_set_id_bits(void **state)
{
    bench *b = *state;
    bool in_place;
    const em_stat setuid = {.mode = S_ISUID}, setgid = {.mode = S_ISGID};
    check_status("setuid", judge(b, &setuid, NULL, false, &in_place), EM_E_PERMISSION);
    check_detail(b, "--allow-owner-change");
    check_status("setgid", judge(b, &setgid, NULL, false, &in_place), EM_E_PERMISSION);
    bench_close(b);
    b->options.allow_owner_change = true;
    check_status("allowed", judge(b, &setuid, NULL, false, &in_place), EM_OK);
}

static void test_flags_of_the_folder(void **state)
{
    bench *b = *state;
    const em_stat flags[] = {{.immutable = true}, {.append_only = true}};
    for (size_t i = 0; i < COUNT_OF(flags); i++) {
        bool in_place;
        bench_close(b);
        b->options.in_place = false;
        check_status("refused", judge(b, NULL, &flags[i], false, &in_place), EM_E_PERMISSION);
        check_detail(b, "--in-place");
        bench_close(b);
        b->options.in_place = true;
        check_status("in place", judge(b, NULL, &flags[i], false, &in_place), EM_OK);
        assert_true(in_place);
    }
}

/* Its name cannot be given to another file. */
static void test_a_file_that_is_mounted(void **state)
{
    bench *b = *state;
    bool in_place;
    const em_stat mounted = {.mount_root = true};
    check_status("refused", judge(b, &mounted, NULL, false, &in_place), EM_E_PERMISSION);
    check_detail(b, "--in-place");
    bench_close(b);
    b->options.in_place = true;
    check_status("in place", judge(b, &mounted, NULL, false, &in_place), EM_OK);
    assert_true(in_place);
}

static void test_access_that_fails(void **state)
{
    bench *b = *state;
    bool in_place;
    static const struct {
        int skip, error;
        em_status want;
    } cases[] = {{0, EACCES, EM_E_PERMISSION},
                 {0, EROFS, EM_E_PERMISSION},
                 {0, EIO, EM_E_IO},
                 {1, EACCES, EM_E_PERMISSION},
                 {1, EIO, EM_E_IO}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        bench_disarm(b);
        trap_set(
            &b->trap,
            (trap){.call = "access", .about = "", .skip = cases[i].skip, .error = cases[i].error});
        check_status("access", judge(b, NULL, NULL, false, &in_place), cases[i].want);
    }
}

/* ---- The owner ----------------------------------------------------------------------------- */

static void test_an_owner_that_cannot_be_kept(void **state)
{
    bench *b = *state;
    bool in_place;
    const em_stat others[] = {{.uid = geteuid() + 1}, {.gid = getegid() + 1}};
    for (size_t i = 0; i < COUNT_OF(others); i++) {
        bench_close(b);
        bench_disarm(b);
        b->options.in_place = b->options.allow_owner_change = false;
        trap_set(&b->trap, (trap){.call = "chown", .about = "", .times = -1, .error = EPERM});
        check_status("refused", judge(b, &others[i], NULL, true, &in_place), EM_E_PERMISSION);
        check_detail(b, "--allow-owner-change or --in-place");
        check_status("not asked for", judge(b, &others[i], NULL, false, &in_place), EM_OK);
        bench_close(b);
        b->options.in_place = true;
        check_status("in place", judge(b, &others[i], NULL, true, &in_place), EM_OK);
        assert_true(in_place);
        bench_close(b);
        b->options.allow_owner_change = true;
        check_status("allowed", judge(b, &others[i], NULL, true, &in_place), EM_OK);
        assert_false(in_place);
    }
    bench_close(b);
    bench_disarm(b);
    b->options.in_place = b->options.allow_owner_change = false;
    trap_set(&b->trap, (trap){.call = "open", .about = "O_TMPFILE", .error = ENOSPC});
    check_status("cannot be tried", judge(b, &others[0], NULL, true, &in_place), EM_E_IO);
}

static void test_an_owner_that_can_be_kept(void **state)
{
    bench *b = *state;
    bool in_place;
    const em_stat other = {.uid = 1234, .gid = 1234};
    if (geteuid() != 0)
        skip();
    check_status("root may", judge(b, &other, NULL, true, &in_place), EM_OK);
    assert_false(in_place);
}

/* ---- As another user ----------------------------------------------------------------------- */

/* Open it, and ask whether it may be changed. */
static em_status judge_file(bench *b, const char *path, em_intent intent, em_change change)
{
    em_file file;
    b->err = EM_ERROR_INIT;
    em_status status =
        em_ws_open_file(bench_open(b), path, intent, EM_MAY_BE_MISSING, 0, &file, &b->err);
    if (status == EM_OK && intent != EM_TO_READ) {
        if (file.exists)
            assert_true(file.bytes.len > 0); /* it was read, whatever may be done to it */
        status = em_ws_check_change(b->ws, &file, &change, &b->err);
    }
    em_file_close(b->ws, &file);
    return status;
}

static em_status open_file(bench *b, const char *path, em_intent intent)
{
    return judge_file(b, path, intent, (em_change){0});
}

/* 0: all as it should be; else the number of the check. */
static int refusals(bench *b)
{
    if (open_file(b, "read-only", EM_TO_READ) != EM_OK)
        return 1;
    if (open_file(b, "read-only", EM_TO_PREVIEW) != EM_E_PERMISSION ||
        open_file(b, "read-only", EM_TO_CHANGE) != EM_E_PERMISSION)
        return 2;
    if (open_file(b, "unreadable", EM_TO_READ) != EM_E_PERMISSION)
        return 3;
    if (open_file(b, "closed/file", EM_TO_PREVIEW) != EM_E_PERMISSION ||
        !strstr(b->err.detail, "--in-place"))
        return 4;
    if (open_file(b, "closed/new", EM_TO_CHANGE) != EM_E_PERMISSION)
        return 5;
    if (bench_change(b, "read-only", "x", "y") != EM_E_PERMISSION)
        return 7;
    b->options.in_place = true;
    bench_close(b);
    if (open_file(b, "closed/file", EM_TO_PREVIEW) != EM_OK)
        return 6;
    return 0;
}

static void test_permissions(void **state)
{
    bench *b = *state;
    scratch_put(b->root, "read-only", "x");
    scratch_put(b->root, "unreadable", "x");
    scratch_folder(b->root, "closed");
    scratch_put(b->root, "closed/file", "x");
    assert_int_equal(chmod(scratch_path(b->root, "read-only"), 0444), 0);
    assert_int_equal(chmod(scratch_path(b->root, "unreadable"), 0), 0);
    assert_int_equal(chmod(scratch_path(b->root, "closed/file"), 0666), 0);
    assert_int_equal(chmod(scratch_path(b->root, "closed"), 0555), 0);
    int result = bench_as_nobody(b, refusals);
    chmod(scratch_path(b->root, "closed"), 0755); /* so that it can be removed */
    assert_int_equal(result, 0);
}

/* Also a backup that could not be made is told before anything is done. */
static void test_backups_that_cannot_be(void **state)
{
    bench *b = *state;
    static const char *const deny[] = {"*.bak"};
    char long_name[253] = "";
    const em_change change = {.backup = true};
    memset(long_name, 'n', sizeof long_name - 1);
    scratch_put(b->root, "file", "x");
    scratch_put(b->root, long_name, "x");
    for (int i = 0; i < 2; i++) {
        em_intent intent = i == 0 ? EM_TO_PREVIEW : EM_TO_CHANGE;
        check_status("long", judge_file(b, long_name, intent, (em_change){0}), EM_OK);
        check_status("too long", judge_file(b, long_name, intent, change), EM_E_PATH);
        check_status("fine", judge_file(b, "file", intent, change), EM_OK);
        check_status("new", judge_file(b, "new", intent, change), EM_OK);
    }
    bench_close(b);
    b->options.deny = deny;
    b->options.deny_count = 1;
    check_status("denied", judge_file(b, "file", EM_TO_PREVIEW, change), EM_E_DENIED);
    check_status("no backup", judge_file(b, "file", EM_TO_PREVIEW, (em_change){0}), EM_OK);
    check_status("new", judge_file(b, "new", EM_TO_PREVIEW, change), EM_OK);
}

static int others_file(bench *b)
{
    if (open_file(b, "theirs", EM_TO_PREVIEW) != EM_E_PERMISSION)
        return 1;
    if (bench_change(b, "theirs", "x", "y") != EM_E_PERMISSION || !strstr(b->err.detail, "owner"))
        return 2;
    bench_close(b);
    b->options.in_place = true;
    if (bench_change(b, "theirs", "x", "y") != EM_OK)
        return 3;
    bench_close(b);
    b->options.in_place = false;
    b->options.allow_owner_change = true;
    if (open_file(b, "theirs", EM_TO_PREVIEW) != EM_OK)
        return 4;
    if (bench_change(b, "theirs", "y", "z") != EM_OK || !bench_warned(b, "owner"))
        return 5;
    return 0;
}

static void test_files_of_others(void **state)
{
    bench *b = *state;
    struct stat st;
    if (geteuid() != 0)
        skip();
    scratch_put(b->root, "theirs", "x");
    assert_int_equal(chmod(scratch_path(b->root, "theirs"), 0666), 0);
    assert_int_equal(chmod(b->root, 0777), 0);
    assert_int_equal(bench_as_nobody(b, others_file), 0);
    check_text(b, "theirs", "z");
    assert_int_equal(stat(scratch_path(b->root, "theirs"), &st), 0);
    assert_int_equal(st.st_uid, 65534);
    check_clean(b);
}

/* Neither the file nor its sticky folder is theirs: a dry run says so too. */
static int sticky_folder(bench *b)
{
    b->options.allow_owner_change = true;
    if (open_file(b, "sticky/theirs", EM_TO_PREVIEW) != EM_E_PERMISSION ||
        !strstr(b->err.detail, "sticky") || !strstr(b->err.detail, "--in-place"))
        return 1;
    if (bench_change(b, "sticky/theirs", "x", "y") != EM_E_PERMISSION ||
        !strstr(b->err.detail, "sticky"))
        return 2;
    if (open_file(b, "sticky/theirs", EM_TO_READ) != EM_OK)
        return 3;
    if (bench_change(b, "sticky/new", NULL, "x") != EM_OK ||
        bench_change(b, "sticky/new", "x", "y") != EM_OK)
        return 4;
    bench_close(b);
    b->options.in_place = true;
    if (open_file(b, "sticky/theirs", EM_TO_PREVIEW) != EM_OK ||
        bench_change(b, "sticky/theirs", "x", "y") != EM_OK)
        return 5;
    return 0;
}

static void test_a_sticky_folder(void **state)
{
    bench *b = *state;
    if (geteuid() != 0)
        skip();
    scratch_folder(b->root, "sticky");
    scratch_put(b->root, "sticky/theirs", "x");
    assert_int_equal(chmod(scratch_path(b->root, "sticky/theirs"), 0666), 0);
    assert_int_equal(chmod(scratch_path(b->root, "sticky"), 01777), 0);
    assert_int_equal(bench_as_nobody(b, sticky_folder), 0);
    check_text(b, "sticky/theirs", "y");
}

static void test_who_may_rename_in_a_sticky_folder(void **state)
{
    bench *b = *state;
    bool in_place;
    const em_stat other = {.uid = geteuid() + 1};
    const em_stat sticky = {.mode = S_ISVTX | 0777, .uid = geteuid() + 2};
    const em_stat own = {.mode = S_ISVTX | 0777, .uid = geteuid()};
    static const struct {
        int error;
        em_status want;
    } cases[] = {{EPERM, EM_E_PERMISSION}, {EIO, EM_E_IO}};
    check_status("who may all", judge(b, &other, &sticky, false, &in_place), EM_OK);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        bench_disarm(b);
        trap *asked = trap_set(
            &b->trap,
            (trap){.call = "open", .about = "/proc/self/fd", .times = -1, .error = cases[i].error});
        check_status("own file", judge(b, NULL, &sticky, false, &in_place), EM_OK);
        check_status("own folder", judge(b, &other, &own, false, &in_place), EM_OK);
        assert_int_equal(asked->caught, 0);
        check_status("others", judge(b, &other, &sticky, false, &in_place), cases[i].want);
        assert_int_equal(asked->caught, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(test_flags_of_the_file),
        BENCH_TEST(test_set_id_bits),
        BENCH_TEST(test_flags_of_the_folder),
        BENCH_TEST(test_a_file_that_is_mounted),
        BENCH_TEST(test_access_that_fails),
        BENCH_TEST(test_an_owner_that_cannot_be_kept),
        BENCH_TEST(test_an_owner_that_can_be_kept),
        BENCH_TEST(test_permissions),
        BENCH_TEST(test_backups_that_cannot_be),
        BENCH_TEST(test_files_of_others),
        BENCH_TEST(test_a_sticky_folder),
        BENCH_TEST(test_who_may_rename_in_a_sticky_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
