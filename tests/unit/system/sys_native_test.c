#include "system/sys.h"

#include "scratch.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <unistd.h>

#define NATIVE(call, ...) EM_SYS(&em_sys_native, call, __VA_ARGS__)

enum { NO_FD = -1, NOTHING = 987654 /* a descriptor that nobody has */ };

static char folder[SCRATCH_PATH];
static int dir;

static int setup(void **state)
{
    (void)state;
    scratch_new(folder);
    dir = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_true(dir >= 0);
    scratch_put(folder, "f", "file");
    scratch_folder(folder, "d");
    scratch_put(folder, "d/g", "deeper");
    scratch_link(folder, "link", "f");
    scratch_link(folder, "linkd", "d");
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    close(dir);
    scratch_drop(folder);
    return 0;
}

static int open_new(const char *name)
{
    int fd = openat(dir, name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    return fd;
}

/* ---- Opening ------------------------------------------------------------------------------- */

static char long_name[NAME_MAX + 2], long_path[PATH_MAX + 1];

/* What open answers where links and leaving are refused, with openat2 and where it is missing. */
static const struct opening {
    const char *path;
    int flags;
    int want;    /* 0, or an errno */
    int walking; /* where it differs without openat2 */
} openings[] = {
    {"f", O_RDONLY, 0, 0},
    {"d/g", O_RDWR, 0, 0},
    {"./d/.//g", O_RDONLY, 0, 0},
    {"d", O_PATH | O_DIRECTORY, 0, 0},
    {"d/", O_PATH, 0, 0},
    {".", O_PATH, 0, 0},
    {"f", O_PATH | O_DIRECTORY, ENOTDIR, 0},
    {"f/", O_PATH, ENOTDIR, 0},
    {"f/x", O_PATH, ENOTDIR, 0},
    {"none", O_RDONLY, ENOENT, 0},
    {"none/x", O_RDONLY, ENOENT, 0},
    {"", O_PATH, ENOENT, 0},
    {"/", O_PATH, EXDEV, 0},
    {"/etc/passwd", O_PATH, EXDEV, 0},
    {"..", O_PATH, EXDEV, 0},
    {"d/../..", O_PATH, EXDEV, 0},
    {"d/../../x", O_PATH, EXDEV, 0},
    {"d/../f", O_PATH, 0, EXDEV},
    {"link", O_RDONLY, ELOOP, 0},
    {"link", O_RDONLY | O_NOFOLLOW, ELOOP, 0},
    {"link", O_PATH, ELOOP, 0},
    {"link", O_PATH | O_NOFOLLOW, 0, 0},
    {"linkd/g", O_RDONLY, ELOOP, 0},
    {"linkd/g", O_PATH | O_NOFOLLOW, ELOOP, 0},
    {"linkd", O_PATH | O_DIRECTORY, ELOOP, ENOTDIR},
    {"linkd/", O_PATH, ELOOP, ENOTDIR},
    {long_name, O_PATH, ENAMETOOLONG, 0},
    {long_path, O_PATH, ENAMETOOLONG, 0},
    {"new", O_RDWR | O_CREAT | O_EXCL, 0, 0},
    {"f", O_RDWR | O_CREAT | O_EXCL, EEXIST, 0},
    {"link", O_RDWR | O_CREAT, ELOOP, 0},
    {"d", O_RDWR | O_TMPFILE, 0, 0},
};

/* The name of the first opening that does not answer as it should, or NULL. */
static const char *first_wrong_opening(bool walking)
{
    static const int guarded = EM_RESOLVE_BENEATH | EM_RESOLVE_NO_SYMLINKS | EM_RESOLVE_NO_MAGIC;
    static char wrong[SCRATCH_PATH];
    for (size_t i = 0; i < COUNT_OF(openings); i++) {
        const struct opening *o = &openings[i];
        int want = walking && o->walking ? o->walking : o->want;
        int fd = NATIVE(open, dir, o->path, o->flags, 0640, guarded);
        int got = fd < 0 ? -fd : 0;
        bool closes_on_exec = fd < 0 || fcntl(fd, F_GETFD) == FD_CLOEXEC;
        if (fd >= 0)
            close(fd);
        unlinkat(dir, "new", 0);
        if (got == want && closes_on_exec)
            continue;
        snprintf(wrong, sizeof wrong, "%.100s (flags %o): %s", o->path, (unsigned)o->flags,
                 closes_on_exec ? strerror(got) : "not closed on exec");
        return wrong;
    }
    return NULL;
}

static void check_openings(const char *wrong)
{
    if (wrong)
        fail_msg("%s", wrong);
}

static void test_open_beneath(void **state)
{
    (void)state;
    int before = scratch_descriptors();
    check_openings(first_wrong_opening(false));
    assert_int_equal(scratch_descriptors(), before);
}

/* A thread in which openat2 fails with this errno, as on an older kernel or behind a filter. */
static void *open_without_openat2(void *error)
{
    struct sock_filter program[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | *(unsigned *)error),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {.len = COUNT_OF(program), .filter = program};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0)
        return (void *)(uintptr_t) "this system does not let a thread filter its calls";
    return (void *)(uintptr_t)first_wrong_opening(true);
}

static void test_open_beneath_without_openat2(void **state)
{
    (void)state;
    unsigned errors[] = {ENOSYS, EPERM};
    int before = scratch_descriptors();
    for (size_t i = 0; i < COUNT_OF(errors); i++) {
        pthread_t thread;
        void *wrong;
        assert_int_equal(pthread_create(&thread, NULL, open_without_openat2, &errors[i]), 0);
        assert_int_equal(pthread_join(thread, &wrong), 0);
        check_openings(wrong);
    }
    assert_int_equal(scratch_descriptors(), before);
}

static void test_open_asks_for_what_it_was_told(void **state)
{
    static const struct {
        int resolve;
        const char *path;
        int want;
    } cases[] = {
        {0, "linkd/../link", 0},
        {0, "/proc/self/fd/0", 0},
        {EM_RESOLVE_BENEATH, "linkd/../link", 0},
        {EM_RESOLVE_BENEATH, "..", EXDEV},
        {EM_RESOLVE_NO_SYMLINKS, "..", 0},
        {EM_RESOLVE_NO_SYMLINKS, "link", ELOOP},
        {EM_RESOLVE_NO_MAGIC, "link", 0},
        {EM_RESOLVE_NO_MAGIC, "/proc/self/fd/0", ELOOP},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        int fd = NATIVE(open, dir, cases[i].path, O_PATH, 0, cases[i].resolve);
        if ((fd < 0 ? -fd : 0) != cases[i].want)
            fail_msg("%s with %d: %d", cases[i].path, cases[i].resolve, fd);
        if (fd >= 0) {
            assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
            assert_int_equal(NATIVE(close, fd), 0);
        }
    }
}

static void test_open_makes_files_with_the_mode(void **state)
{
    struct stat st;
    (void)state;
    for (int resolve = 0; resolve <= EM_RESOLVE_BENEATH; resolve++) {
        int fd = NATIVE(open, dir, "new", O_RDWR | O_CREAT, 0600, resolve);
        assert_int_equal(fstat(fd, &st), 0);
        assert_int_equal(st.st_mode & 07777, 0600);
        NATIVE(close, fd);
        assert_int_equal(NATIVE(unlink, dir, "new", 0), 0);
        fd = NATIVE(open, dir, ".", O_RDWR | O_TMPFILE, 0600, resolve);
        assert_true(fd == -EOPNOTSUPP || (fd >= 0 && fstat(fd, &st) == 0));
        if (fd < 0)
            continue;
        assert_int_equal(st.st_mode & 07777, 0600);
        NATIVE(close, fd);
    }
}

/* ---- Facts --------------------------------------------------------------------------------- */

static void check_same_facts(const em_stat *got, const struct stat *want)
{
    assert_int_equal(got->dev, want->st_dev);
    assert_int_equal(got->ino, want->st_ino);
    assert_int_equal(got->size, want->st_size);
    assert_int_equal(got->mode, want->st_mode);
    assert_int_equal(got->nlink, want->st_nlink);
    assert_int_equal(got->uid, want->st_uid);
    assert_int_equal(got->gid, want->st_gid);
    assert_memory_equal(&got->mtime, &want->st_mtim, sizeof got->mtime);
    assert_memory_equal(&got->ctime, &want->st_ctim, sizeof got->ctime);
    assert_false(got->immutable);
    assert_false(got->append_only);
    assert_false(got->mount_root);
}

static void test_stat(void **state)
{
    em_stat got;
    struct stat want;
    (void)state;
    assert_int_equal(linkat(dir, "f", dir, "hard", 0), 0);
    assert_int_equal(fstatat(dir, "f", &want, 0), 0);
    assert_int_equal(NATIVE(stat, dir, "link", 0, &got), 0);
    check_same_facts(&got, &want);
    assert_int_equal(got.nlink, 2);

    assert_int_equal(fstatat(dir, "link", &want, AT_SYMLINK_NOFOLLOW), 0);
    assert_int_equal(NATIVE(stat, dir, "link", AT_SYMLINK_NOFOLLOW, &got), 0);
    check_same_facts(&got, &want);

    assert_int_equal(fstat(dir, &want), 0);
    assert_int_equal(NATIVE(stat, dir, "", AT_EMPTY_PATH, &got), 0);
    check_same_facts(&got, &want);

    assert_int_equal(NATIVE(stat, dir, "/proc", 0, &got), 0);
    assert_true(got.mount_root);
}

static void test_stat_tells_of_locked_attributes(void **state)
{
    static const struct {
        int flag;
        bool immutable, append_only;
    } cases[] = {{FS_IMMUTABLE_FL, true, false}, {FS_APPEND_FL, false, true}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        em_stat got;
        int fd = open_new("f"), none = 0;
        if (ioctl(fd, FS_IOC_SETFLAGS, &cases[i].flag) != 0) {
            close(fd);
            skip();
        }
        assert_int_equal(NATIVE(stat, fd, "", AT_EMPTY_PATH, &got), 0);
        assert_int_equal(ioctl(fd, FS_IOC_SETFLAGS, &none), 0);
        close(fd);
        assert_int_equal(got.immutable, cases[i].immutable);
        assert_int_equal(got.append_only, cases[i].append_only);
    }
}

static void test_access(void **state)
{
    (void)state;
    assert_int_equal(NATIVE(access, dir, "f", R_OK | W_OK, 0), 0);
    assert_int_equal(NATIVE(access, dir, "none", F_OK, 0), -ENOENT);
    assert_int_equal(NATIVE(access, dir, "f", X_OK, AT_EACCESS), -EACCES);
    assert_int_equal(NATIVE(access, dir, "", X_OK, AT_EACCESS | AT_EMPTY_PATH), 0);
}

static void test_readlink(void **state)
{
    char out[8];
    (void)state;
    assert_int_equal(NATIVE(readlink, dir, "linkd", out, sizeof out), 1);
    assert_int_equal(out[0], 'd');
    assert_int_equal(NATIVE(readlink, dir, "f", out, sizeof out), -EINVAL);
}

/* ---- Content ------------------------------------------------------------------------------- */

static void test_read_and_write_at_an_offset(void **state)
{
    char out[8] = "";
    (void)state;
    int fd = open_new("rw");
    struct iovec pieces[] = {{.iov_base = "abc", .iov_len = 3}, {.iov_base = "def", .iov_len = 3}};
    assert_int_equal(NATIVE(write, fd, pieces, 2, 2), 6);
    assert_int_equal(NATIVE(truncate, fd, 7), 0);
    assert_int_equal(NATIVE(read, fd, out, sizeof out, 3), 4);
    assert_string_equal(out, "bcde");
    assert_int_equal(NATIVE(read, fd, out, sizeof out, 7), 0);
    assert_int_equal(NATIVE(sync, fd, false), 0);
    assert_int_equal(NATIVE(sync, fd, true), 0);
    assert_int_equal(NATIVE(flush, fd), 0);
    assert_int_equal(NATIVE(close, fd), 0);
    assert_int_equal(NATIVE(close, fd), -EBADF);
}

static void test_copy(void **state)
{
    char out[8] = "";
    (void)state;
    int from = openat(dir, "d/g", O_RDONLY | O_CLOEXEC), to = open_new("copy");
    assert_int_equal(NATIVE(copy, from, 2, to, 1, 3), 3);
    assert_int_equal(NATIVE(read, to, out, sizeof out, 0), 4);
    assert_memory_equal(out, "\0epe", 4);
    assert_int_equal(NATIVE(copy, from, 6, to, 1, 3), 0);

    int cloned = NATIVE(clone, from, to);
    assert_true(cloned == 0 || cloned == -EOPNOTSUPP);
    close(from);
    close(to);
}

/* ---- Names and attributes ------------------------------------------------------------------ */

static void test_names(void **state)
{
    (void)state;
    assert_int_equal(NATIVE(link, dir, "f", dir, "second", 0), 0);
    assert_int_equal(NATIVE(link, dir, "f", dir, "second", 0), -EEXIST);
    assert_int_equal(NATIVE(rename, dir, "second", dir, "third", 0), 0);
    assert_int_equal(NATIVE(rename, dir, "third", dir, "d/g", RENAME_NOREPLACE), -EEXIST);
    assert_int_equal(NATIVE(rename, dir, "third", dir, "d", RENAME_EXCHANGE), 0);
    assert_true(scratch_has(folder, "third/g"));
    assert_int_equal(NATIVE(unlink, dir, "d", 0), 0);
    assert_int_equal(NATIVE(unlink, dir, "d", 0), -ENOENT);
    assert_int_equal(NATIVE(mkdir, dir, "d", 0700), 0);
    assert_int_equal(NATIVE(mkdir, dir, "d", 0700), -EEXIST);
    assert_int_equal(NATIVE(unlink, dir, "d", AT_REMOVEDIR), 0);
}

static void test_listing(void **state)
{
    (void)state;
    char names[4096];
    int found = 0;
    ssize_t size = NATIVE(list, dir, names, sizeof names);
    assert_true(size > 0);
    for (ssize_t at = 0; at < size;) {
        const struct dirent64 *entry = (const struct dirent64 *)(void *)(names + at);
        found += strcmp(entry->d_name, "f") == 0 || strcmp(entry->d_name, "linkd") == 0;
        at += entry->d_reclen;
    }
    assert_int_equal(found, 2);
    assert_int_equal(NATIVE(list, dir, names, sizeof names), 0);
    assert_int_equal(NATIVE(list, NOTHING, names, sizeof names), -EBADF);
}

static void test_mode_owner_and_attributes(void **state)
{
    struct stat st;
    char value[8] = "", names[64] = "";
    (void)state;
    int fd = open_new("f");
    assert_int_equal(NATIVE(chmod, fd, 0604), 0);
    assert_int_equal(NATIVE(chown, fd, geteuid(), getegid()), 0);
    assert_int_equal(fstat(fd, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0604);
    int set = NATIVE(setxattr, fd, "user.emend", "value", 5);
    if (set == -EOPNOTSUPP) {
        close(fd);
        skip();
    }
    assert_int_equal(set, 0);
    assert_int_equal(NATIVE(getxattr, fd, "user.emend", value, sizeof value), 5);
    assert_string_equal(value, "value");
    assert_int_equal(NATIVE(getxattr, fd, "user.none", value, sizeof value), -ENODATA);
    assert_true(NATIVE(listxattr, fd, names, sizeof names) >= 11);
    assert_non_null(memmem(names, sizeof names, "user.emend", 11));
    close(fd);
}

/* ---- Locks --------------------------------------------------------------------------------- */

/* Two descriptors of one process are in each other's way: the locks are the descriptions'. */
static void test_locks_belong_to_the_description(void **state)
{
    (void)state;
    int one = open_new("lock"), two = open_new("lock");
    assert_int_equal(NATIVE(locked, two, F_WRLCK, 10, 1), 0);
    assert_int_equal(NATIVE(lock, one, F_WRLCK, 10, 1), 0);
    assert_int_equal(NATIVE(lock, two, F_RDLCK, 10, 1), -EAGAIN);
    assert_int_equal(NATIVE(locked, two, F_RDLCK, 10, 1), 1);
    assert_int_equal(NATIVE(locked, one, F_RDLCK, 10, 1), 0);
    assert_int_equal(NATIVE(lock, two, F_WRLCK, 11, 1), 0);
    assert_int_equal(NATIVE(lock, one, F_RDLCK, 10, 1), 0);
    assert_int_equal(NATIVE(lock, two, F_RDLCK, 10, 1), 0);
    assert_int_equal(NATIVE(lock, one, F_UNLCK, 0, 0), 0);
    close(two);
    assert_int_equal(NATIVE(locked, one, F_WRLCK, 0, 0), 0);
    close(one);
}

/* ---- The machine --------------------------------------------------------------------------- */

static void test_machine(void **state)
{
    char text[PATH_MAX], want[PATH_MAX];
    uint64_t magic = 0;
    struct statfs fs;
    struct utsname name;
    (void)state;
    assert_int_equal(NATIVE(cwd, text, sizeof text), 0);
    assert_string_equal(text, getcwd(want, sizeof want));
    assert_int_equal(NATIVE(cwd, text, 1), -ERANGE);
    assert_int_equal(fstatfs(dir, &fs), 0);
    assert_int_equal(NATIVE(filesystem, dir, &magic), 0);
    assert_int_equal(magic, (uint32_t)fs.f_type);
    assert_int_equal(uname(&name), 0);
    assert_int_equal(NATIVE(release, text, sizeof text), 0);
    assert_string_equal(text, name.release);
    assert_int_equal(NATIVE(release, text, 2), 0);
    assert_int_equal(strlen(text), 1);

    struct timespec before, after;
    assert_int_equal(NATIVE(clock, CLOCK_MONOTONIC, &before), 0);
    assert_int_equal(NATIVE(sleep, 2000000), 0);
    assert_int_equal(NATIVE(clock, CLOCK_MONOTONIC, &after), 0);
    assert_true((after.tv_sec - before.tv_sec) * 1000000000 + after.tv_nsec - before.tv_nsec >=
                2000000);
    assert_int_equal(NATIVE(random, text, 16), 16);
}

/* Every call says why it failed. */
static void test_failures_are_errnos(void **state)
{
    char out[1];
    em_stat facts;
    uint64_t magic;
    struct timespec now;
    struct iovec piece = {.iov_base = out, .iov_len = 1};
    (void)state;
    assert_int_equal(NATIVE(open, NO_FD, "x", O_RDONLY, 0, 0), -EBADF);
    assert_int_equal(NATIVE(stat, dir, "none", 0, &facts), -ENOENT);
    assert_int_equal(NATIVE(read, NOTHING, out, 1, 0), -EBADF);
    assert_int_equal(NATIVE(write, NOTHING, &piece, 1, 0), -EBADF);
    assert_int_equal(NATIVE(truncate, NOTHING, 0), -EBADF);
    assert_int_equal(NATIVE(sync, NOTHING, false), -EBADF);
    assert_int_equal(NATIVE(sync, NOTHING, true), -EBADF);
    assert_int_equal(NATIVE(flush, NOTHING), -EBADF);
    assert_int_equal(NATIVE(chmod, NOTHING, 0600), -EBADF);
    assert_int_equal(NATIVE(chown, NOTHING, 0, 0), -EBADF);
    assert_int_equal(NATIVE(listxattr, NOTHING, NULL, 0), -EBADF);
    assert_int_equal(NATIVE(getxattr, NOTHING, "user.x", NULL, 0), -EBADF);
    assert_int_equal(NATIVE(setxattr, NOTHING, "user.x", "", 0), -EBADF);
    assert_int_equal(NATIVE(copy, NOTHING, 0, dir, 0, 1), -EBADF);
    assert_int_equal(NATIVE(clone, NOTHING, dir), -EBADF);
    assert_int_equal(NATIVE(lock, NOTHING, F_WRLCK, 0, 1), -EBADF);
    assert_int_equal(NATIVE(locked, NOTHING, F_WRLCK, 0, 1), -EBADF);
    assert_int_equal(NATIVE(filesystem, NOTHING, &magic), -EBADF);
    assert_int_equal(NATIVE(clock, NOTHING, &now), -EINVAL);
    assert_int_equal(NATIVE(sleep, -1), -EINVAL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    memset(long_name, 'n', sizeof long_name - 1);
    for (size_t i = 0; i < sizeof long_path - 1; i++)
        long_path[i] = i % 2 ? '/' : '.';
    const struct CMUnitTest tests[] = {
        TEST(test_open_beneath),
        TEST(test_open_beneath_without_openat2),
        TEST(test_open_asks_for_what_it_was_told),
        TEST(test_open_makes_files_with_the_mode),
        TEST(test_stat),
        TEST(test_stat_tells_of_locked_attributes),
        TEST(test_access),
        TEST(test_readlink),
        TEST(test_read_and_write_at_an_offset),
        TEST(test_copy),
        TEST(test_names),
        TEST(test_listing),
        TEST(test_mode_owner_and_attributes),
        TEST(test_locks_belong_to_the_description),
        TEST(test_machine),
        TEST(test_failures_are_errnos),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
