#include "workspace/doctor.h"

#include "faulty.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/xattr.h>
#include <unistd.h>

typedef struct bench {
    faulty in;
    const char *root; /* its folder */
    char state[SCRATCH_PATH];
    em_sys sys; /* what is examined */
    em_arena arena;
    em_facts facts;
} bench;

static int setup(void **state)
{
    bench *b = calloc(1, sizeof *b);
    assert_non_null(b);
    faulty_open(&b->in, scratch_new);
    b->root = b->in.folder;
    scratch_new(b->state);
    b->sys = b->in.table.sys;
    *state = b;
    return 0;
}

static int teardown(void **state)
{
    bench *b = *state;
    em_arena_drop(&b->arena);
    faulty_close(&b->in);
    scratch_drop(b->state);
    free(b);
    return 0;
}

static em_status examine(bench *b)
{
    const char *roots[] = {b->root};
    em_arena_drop(&b->arena);
    return em_doctor(&b->sys, roots, 1, b->state, &b->arena, &b->facts);
}

static void must_examine(bench *b)
{
    check_status("doctor", examine(b), EM_OK);
    assert_int_equal(scratch_count(b->root), 0);
    assert_int_equal(scratch_count(b->state), 0);
}

static const em_fact *fact_of(const bench *b, const char *folder, const char *name)
{
    for (size_t i = 0; i < b->facts.count; i++) {
        const em_fact *f = &b->facts.items[i];
        bool about = folder ? f->folder && strcmp(f->folder, folder) == 0 : !f->folder;
        if (about && strcmp(f->name, name) == 0)
            return f;
    }
    return NULL;
}

static void check_fact(const bench *b, const char *folder, const char *name, bool ok,
                       const char *value)
{
    const em_fact *f = fact_of(b, folder, name);
    if (!f)
        fail_msg("nothing about %s of %s", name, folder ? folder : "the machine");
    if (f->ok != ok || strcmp(f->value, value) != 0)
        fail_msg("%s of %s: %d, %s", name, folder ? folder : "the machine", f->ok, f->value);
    assert_non_null(f->meaning);
    assert_true(ok || f->meaning[0] != '\0' || strcmp(name, "kernel") == 0 ||
                strcmp(name, "file system") == 0);
}

/* ---- What it says ---------------------------------------------------------------------------- */

static void test_the_machine(void **state)
{
    bench *b = *state;
    struct utsname machine;
    assert_int_equal(uname(&machine), 0);
    must_examine(b);
    check_fact(b, NULL, "kernel", true, machine.release);
    check_fact(b, NULL, "openat2", true, "yes");
    check_fact(b, NULL, "/proc", true, "yes");
    check_fact(b, NULL, "SQLite", true, sqlite3_libversion());
}

/* Where the tests are run on a file system that has everything but shared blocks. */
static bool has_everything(const char *folder)
{
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    bool has = fd >= 0 && fsetxattr(fd, "user.emend", "1", 1, 0) == 0;
    if (fd >= 0)
        close(fd);
    return has;
}

static void test_the_folders(void **state)
{
    bench *b = *state;
    const char *folders[] = {b->root, b->state};
    if (!has_everything(b->root))
        skip();
    must_examine(b);
    for (size_t i = 0; i < COUNT_OF(folders); i++) {
        assert_true(strlen(fact_of(b, folders[i], "file system")->value) > 1);
        check_fact(b, folders[i], "statx", true, "yes");
        check_fact(b, folders[i], "unnamed temporary files", true, "yes");
        check_fact(b, folders[i], "extended attributes", true, "yes");
        check_fact(b, folders[i], "copies inside the kernel", true, "yes");
        assert_non_null(fact_of(b, folders[i], "shared blocks"));
    }
    check_fact(b, b->state, "open file description locks", true, "yes");
    check_fact(b, b->state, "exchange of names", true, "yes");
    check_fact(b, b->root, "exchange of names", true, "yes (as in the state directory)");
    assert_null(fact_of(b, b->root, "open file description locks"));
}

static void test_a_root_on_another_file_system(void **state)
{
    bench *b = *state;
    const char *roots[] = {"/proc"};
    check_status("doctor", em_doctor(&b->sys, roots, 1, b->state, &b->arena, &b->facts), EM_OK);
    check_fact(b, b->state, "exchange of names", true, "yes");
    check_fact(b, "/proc", "exchange of names", true, "not tried");
}

static void test_without_a_state_directory(void **state)
{
    bench *b = *state;
    const char *roots[] = {b->root, "/proc", "/nowhere"};
    check_status("doctor", em_doctor(&em_sys_native, roots, 3, NULL, &b->arena, &b->facts), EM_OK);
    const em_fact *exchange = fact_of(b, b->root, "exchange of names");
    assert_true(exchange->ok);
    assert_memory_equal(exchange->value, "yes (known of ", 14);
    assert_null(fact_of(b, b->state, "file system"));
    check_fact(b, "/proc", "file system", true, "0x9fa0");
    check_fact(b, "/proc", "exchange of names", true, "not tried");
    assert_false(fact_of(b, "/proc", "unnamed temporary files")->ok);
    assert_null(fact_of(b, "/proc", "extended attributes"));
    check_fact(b, "/nowhere", "folder", false, "no (No such file or directory)");
    assert_null(fact_of(b, "/nowhere", "file system"));
    assert_int_equal(scratch_count(b->root), 0);
}

static void test_a_weaker_system(void **state)
{
    bench *b = *state;
    const char *folders[] = {b->root, b->state};
    b->in.table.lacks = FAULT_NO_TMPFILE | FAULT_NO_EXCHANGE;
    must_examine(b);
    for (size_t i = 0; i < COUNT_OF(folders); i++) {
        check_fact(b, folders[i], "unnamed temporary files", false, "no (Operation not supported)");
        assert_null(fact_of(b, folders[i], "shared blocks"));
    }
    check_fact(b, b->state, "exchange of names", false, "no (Invalid argument)");
    check_fact(b, b->root, "exchange of names", false, "no (as in the state directory)");

    b->in.table.lacks = FAULT_NO_CLONE;
    must_examine(b);
    check_fact(b, b->root, "copies inside the kernel", false, "no (Operation not supported)");
    check_fact(b, b->root, "shared blocks", false, "no (Operation not supported)");
}

static int open_without_openat2(void *context, int dir, const char *path, int flags, mode_t mode,
                                int resolve)
{
    (void)context;
    if (resolve && strstr(path, ".."))
        return -EXDEV;
    return EM_SYS(&em_sys_native, open, dir, path, flags, mode, resolve);
}

static int open_without_dev(void *context, int dir, const char *path, int flags, mode_t mode,
                            int resolve)
{
    (void)context;
    if (resolve && strncmp(path, "dev", 3) == 0)
        return -ENOENT;
    return EM_SYS(&em_sys_native, open, dir, path, flags, mode, resolve);
}

/* A folder was renamed while the kernel went up again. */
static int open_beside_renames(void *context, int dir, const char *path, int flags, mode_t mode,
                               int resolve)
{
    (void)context;
    if (strcmp(path, "dev/..") == 0)
        return -EAGAIN;
    return EM_SYS(&em_sys_native, open, dir, path, flags, mode, resolve);
}

static void test_openat2(void **state)
{
    bench *b = *state;
    b->sys.open = open_without_openat2;
    must_examine(b);
    check_fact(b, NULL, "openat2", false, "no (Function not implemented)");
    b->sys.open = open_without_dev;
    must_examine(b);
    check_fact(b, NULL, "openat2", true, "not tried");
    b->sys.open = open_beside_renames;
    must_examine(b);
    check_fact(b, NULL, "openat2", true, "yes");
}

static int access_without_proc(void *context, int dir, const char *path, int mode, int flags)
{
    (void)context;
    if (strncmp(path, "/proc", 5) == 0)
        return -ENOENT;
    return EM_SYS(&em_sys_native, access, dir, path, mode, flags);
}

static void test_without_proc(void **state)
{
    bench *b = *state;
    if (!has_everything(b->root))
        skip();
    b->sys.access = access_without_proc;
    must_examine(b);
    check_fact(b, NULL, "/proc", false, "no (No such file or directory)");
    check_fact(b, b->root, "unnamed temporary files", false, "cannot be told (no /proc)");
    check_fact(b, b->state, "unnamed temporary files", false, "cannot be told (no /proc)");
    check_fact(b, b->root, "copies inside the kernel", true, "yes");
}

static int clone_well(void *context, int from, int to)
{
    (void)context;
    (void)from;
    (void)to;
    return 0;
}

static int lock_of_no_avail(void *context, int fd, short type, off_t start, off_t length)
{
    (void)context;
    (void)fd;
    (void)type;
    (void)start;
    (void)length;
    return 0;
}

static void test_what_no_file_system_here_does(void **state)
{
    bench *b = *state;
    b->sys.clone = clone_well;
    b->sys.locked = lock_of_no_avail;
    must_examine(b);
    check_fact(b, b->root, "shared blocks", true, "yes");
    check_fact(b, b->state, "open file description locks", false, "no (No locks available)");
}

static uint64_t magic;

static int some_file_system(void *context, int fd, uint64_t *out)
{
    (void)context;
    (void)fd;
    *out = magic;
    return 0;
}

static void test_file_systems(void **state)
{
    static const struct {
        uint64_t magic;
        const char *name;
        bool remote;
    } cases[] = {{0xEF53, "ext4", false}, {0x6969, "nfs", true}, {0x12345678, "0x12345678", false}};
    bench *b = *state;
    b->sys.filesystem = some_file_system;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        magic = cases[i].magic;
        must_examine(b);
        check_fact(b, b->root, "file system", true, cases[i].name);
        assert_int_equal(fact_of(b, b->root, "file system")->meaning[0] != '\0', cases[i].remote);
    }
}

/* ---- Faults ---------------------------------------------------------------------------------- */

/* Where there is no room to try a thing, nothing is said of it. */
static void test_what_cannot_be_told(void **state)
{
    bench *b = *state;
    int told = 0;
    for (long at = 1;; at++) {
        faulty_strike(&b->in, FAULT_ERROR, at, ENOSPC);
        check_status("doctor", examine(b), EM_OK);
        if (!b->in.table.hit)
            break;
        for (size_t i = 0; i < b->facts.count; i++) {
            const em_fact *fact = &b->facts.items[i];
            assert_null(strstr(fact->value, "no (No space"));
            bool unknown = strstr(fact->value, "cannot be told (No space left on device)");
            told += unknown;
            if (unknown && (fact->ok || !strstr(fact->meaning, "could not be tried")))
                fail_msg("%s: %s", fact->name, fact->meaning);
        }
    }
    assert_true(told > 10);
}

/* Whatever fails becomes a fact; nothing is left open, and no name is left behind. */
static void test_every_call_may_fail(void **state)
{
    static const int errors[] = {EIO, EACCES};
    bench *b = *state;
    for (size_t i = 0; i < COUNT_OF(errors); i++) {
        int told = 0;
        for (long at = 1;; at++) {
            int before = scratch_descriptors();
            faulty_strike(&b->in, FAULT_ERROR, at, errors[i]);
            check_status("doctor", examine(b), EM_OK);
            if (!b->in.table.hit)
                break;
            for (size_t j = 0; j < b->facts.count; j++)
                told +=
                    !b->facts.items[j].ok && strstr(b->facts.items[j].value, strerror(errors[i]));
            assert_int_equal(scratch_descriptors(), before);
            assert_int_equal(scratch_count(b->root), 0);
            if (b->in.table.hit_call != FAULT_ON_unlink) {
                assert_int_equal(scratch_count(b->state), 0);
            } else { /* the one thing that cannot be helped */
                scratch_drop(b->state);
                assert_int_equal(mkdir(b->state, 0700), 0);
            }
        }
        assert_true(told > 20);
    }
}

static void test_signals_do_no_harm(void **state)
{
    bench *b = *state;
    b->in.table.stutters = true;
    must_examine(b);
    check_fact(b, b->state, "exchange of names", true, "yes");
    check_fact(b, b->root, "unnamed temporary files", true, "yes");
}

static void test_memory_may_end(void **state)
{
    bench *b = *state;
    b->sys = em_sys_native;
    bool ended = true;
    for (long at = 1; ended; at++) {
        em_arena_drop(&b->arena);
        int before = scratch_descriptors();
        memory_ends_at(at);
        em_status status = examine(b);
        ended = memory_ended();
        memory_ends_at(0);
        check_status("doctor", status, ended ? EM_E_NOMEM : EM_OK);
        assert_int_equal(scratch_descriptors(), before);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_the_machine),
        TEST(test_the_folders),
        TEST(test_a_root_on_another_file_system),
        TEST(test_without_a_state_directory),
        TEST(test_a_weaker_system),
        TEST(test_openat2),
        TEST(test_without_proc),
        TEST(test_what_no_file_system_here_does),
        TEST(test_file_systems),
        TEST(test_what_cannot_be_told),
        TEST(test_every_call_may_fail),
        TEST(test_signals_do_no_harm),
        TEST(test_memory_may_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
