#include "workspace/stage.h"

#include "bench.h"

#include "history/history.h"

#include <errno.h>
#include <linux/limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

static const char acl_name[] = "system.posix_acl_access";

/* An ACL: the owner rw-, user 1 r--, the group r--, the mask r--, others none. */
static const unsigned char acl[] = {
    2,    0, 0, 0,                         /* version */
    1,    0, 6, 0, 0xFF, 0xFF, 0xFF, 0xFF, /* owner */
    2,    0, 4, 0, 1,    0,    0,    0,    /* user 1 */
    4,    0, 4, 0, 0xFF, 0xFF, 0xFF, 0xFF, /* group */
    0x10, 0, 4, 0, 0xFF, 0xFF, 0xFF, 0xFF, /* mask */
    0x20, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, /* others */
};

/* A file to copy from and one to copy to. */
typedef struct two {
    bench *b;
    int dir, from, to;
    em_stat stat;
} two;

static em_stat stat_of(int fd)
{
    em_stat stat;
    assert_int_equal(em_sys_native.stat(NULL, fd, "", AT_EMPTY_PATH, &stat), 0);
    return stat;
}

static two two_open(bench *b)
{
    two t = {.b = b};
    t.dir = open(b->root, O_PATH | O_DIRECTORY | O_CLOEXEC);
    t.from = open(scratch_path(b->root, "a.txt"), O_RDONLY | O_CLOEXEC);
    assert_true(t.dir >= 0 && t.from >= 0);
    check_status("unnamed", em_stage_unnamed(&em_sys_native, t.dir, 0600, "a.txt", &t.to, &b->err),
                 EM_OK);
    if (t.to < 0)
        check_status(
            "named",
            em_stage_named((em_entry){&em_sys_native, t.dir, "to", "a.txt"}, 0600, &t.to, &b->err),
            EM_OK);
    t.stat = stat_of(t.from);
    return t;
}

static void two_close(two *t)
{
    close(t->dir);
    close(t->from);
    close(t->to);
}

static em_status copy(two *t, bool allow, em_attribute_losses *losses)
{
    t->b->err = EM_ERROR_INIT;
    return em_stage_attributes((em_io_file){&t->b->trap.sys, t->to, "a.txt"}, t->from, &t->stat,
                               allow, losses, &t->b->err);
}

static void check_attribute(int fd, const char *name, const void *want, ssize_t size)
{
    char have[256];
    assert_int_equal(fgetxattr(fd, name, have, sizeof have), size);
    if (size > 0)
        assert_memory_equal(have, want, (size_t)size);
}

/* ---- Making -------------------------------------------------------------------------------- */

static void test_making(void **state)
{
    bench *b = *state;
    int dir = open(b->root, O_PATH | O_DIRECTORY | O_CLOEXEC), fd;
    mode_t mask = umask(077);
    check_status("unnamed", em_stage_unnamed(&em_sys_native, dir, 0666, "p", &fd, &b->err), EM_OK);
    if (fd >= 0) {
        assert_int_equal(stat_of(fd).mode & 07777, 0600); /* as any new file */
        close(fd);
    }
    umask(mask);
    static const int missing[] = {EOPNOTSUPP, EISDIR, EINVAL, ENOSYS};
    for (size_t i = 0; i < COUNT_OF(missing); i++) {
        bench_disarm(b);
        trap_set(&b->trap, (trap){.call = "open", .about = "O_TMPFILE", .error = missing[i]});
        check_status("no such thing", em_stage_unnamed(&b->trap.sys, dir, 0600, "p", &fd, &b->err),
                     EM_OK);
        assert_int_equal(fd, -1);
    }
    bench_disarm(b);
    trap_set(&b->trap, (trap){.call = "open", .about = "O_TMPFILE", .error = ENOSPC});
    check_status("fails", em_stage_unnamed(&b->trap.sys, dir, 0600, "p", &fd, &b->err), EM_E_IO);
    check_status("named",
                 em_stage_named((em_entry){&b->trap.sys, dir, "new", "p"}, 0600, &fd, &b->err),
                 EM_OK);
    close(fd);
    check_status("taken",
                 em_stage_named((em_entry){&b->trap.sys, dir, "new", "p"}, 0600, &fd, &b->err),
                 EM_E_EXISTS);
    close(dir);
}

/* ---- Owner and mode ------------------------------------------------------------------------ */

static void test_modes(void **state)
{
    bench *b = *state;
    static const mode_t modes[] = {0600, 0644, 0444, 0777, 0, 04755, 02755, 01644};
    em_attribute_losses losses;
    mode_t mask = umask(077); /* has no say */
    for (size_t i = 0; i < COUNT_OF(modes); i++) {
        two t = two_open(b);
        t.stat.mode = S_IFREG | modes[i];
        check_status("copy", copy(&t, false, &losses), EM_OK);
        assert_int_equal(stat_of(t.to).mode & 07777, modes[i]);
        assert_int_equal(losses, 0);
        two_close(&t);
        unlink(scratch_path(b->root, "to"));
    }
    umask(mask);
}

static void test_owner_is_kept(void **state)
{
    bench *b = *state;
    em_attribute_losses losses;
    if (geteuid() != 0)
        skip();
    two t = two_open(b);
    t.stat.uid = 1234;
    t.stat.gid = 4321;
    t.stat.mode = S_IFREG | 04750;
    check_status("copy", copy(&t, false, &losses), EM_OK);
    em_stat now = stat_of(t.to);
    assert_int_equal(now.uid, 1234);
    assert_int_equal(now.gid, 4321);
    assert_int_equal(now.mode & 07777, 04750);
    two_close(&t);
}

static void test_owner_that_cannot_be_kept(void **state)
{
    bench *b = *state;
    em_attribute_losses losses;
    static const struct {
        const char *what;
        int refusals; /* how many calls of chown are refused */
        bool other_owner, allow;
        em_status want;
        mode_t mode;
    } cases[] = {
        {"refused", 1, true, false, EM_E_PERMISSION, 0},
        {"allowed, the group is kept", 1, true, true, EM_OK, 0775},
        {"allowed, the group is not kept", 2, true, true, EM_OK, 0755},
        {"only the group", 2, false, true, EM_OK, 0755},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        two t = two_open(b);
        bench_disarm(b);
        trap_set(&b->trap,
                 (trap){.call = "chown", .about = "", .times = cases[i].refusals, .error = EPERM});
        /* what is not refused can also be done by those who are not root */
        t.stat.uid = cases[i].other_owner ? geteuid() + 1 : geteuid();
        t.stat.gid = cases[i].refusals == 2 ? getegid() + 1 : getegid();
        t.stat.mode = S_IFREG | 06775;
        check_status(cases[i].what, copy(&t, cases[i].allow, &losses), cases[i].want);
        if (cases[i].want == EM_OK) {
            assert_int_equal(stat_of(t.to).mode & 07777, cases[i].mode);
            assert_int_equal(losses, EM_NOTE_OWNER);
        } else {
            check_detail(b, "--allow-owner-change or --in-place");
        }
        two_close(&t);
        unlink(scratch_path(b->root, "to"));
    }
}

/* Every way to refuse is one; any other failure is told as what it is. */
static void test_owners_are_refused_in_three_ways(void **state)
{
    bench *b = *state;
    em_attribute_losses losses;
    static const struct {
        int error;
        em_status want;
    } cases[] = {{EPERM, EM_OK}, {EACCES, EM_OK}, {EINVAL, EM_OK}, {EIO, EM_E_IO}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        two t = two_open(b);
        bench_disarm(b);
        trap_set(&b->trap, (trap){.call = "chown", .about = "", .error = cases[i].error});
        /* the group alone can be given, as to one's own other group */
        t.stat.uid = geteuid() + 1;
        t.stat.gid = geteuid() == 0 ? getegid() + 1 : getegid();
        t.stat.mode = S_IFREG | 0664;
        check_status("copy", copy(&t, true, &losses), cases[i].want);
        if (cases[i].want == EM_OK) {
            assert_int_equal(losses, EM_NOTE_OWNER);
            assert_int_equal(stat_of(t.to).gid, t.stat.gid);
            assert_int_equal(stat_of(t.to).mode & 0777, 0664); /* for the same group */
        }
        two_close(&t);
        unlink(scratch_path(b->root, "to"));
    }
}

static int (*stat_behind)(void *context, int dir, const char *path, int flags, em_stat *out);

static int stat_with_namespace(void *context, uint64_t ino, int dir, const char *path, int flags,
                               em_stat *out)
{
    int result = stat_behind(context, dir, path, flags, out);
    if (result == 0 && strcmp(path, "/proc/self/ns/user") == 0)
        out->ino = ino;
    return result;
}

/* As in a container, which is a user namespace of its own. */
static int stat_in_container(void *context, int dir, const char *path, int flags, em_stat *out)
{
    return stat_with_namespace(context, 0xF0000000, dir, path, flags, out);
}

static int stat_on_host(void *context, int dir, const char *path, int flags, em_stat *out)
{
    return stat_with_namespace(context, 0xEFFFFFFD, dir, path, flags, out);
}

/* Whoever has no number there is shown as nobody, and there may be a nobody, too, who would get the
 * file. */
static void test_owners_that_may_be_hidden(void **state)
{
    bench *b = *state;
    em_attribute_losses losses;
    static const struct {
        const char *what;
        bool in_container, owner, group, allow, kept, unknown;
    } cases[] = {
        {"the owner", true, true, false, false, false, false},
        {"the group", true, false, true, false, false, false},
        {"both, allowed", true, true, true, true, false, false},
        {"the owner, on the host", false, true, false, false, true, false},
        {"the group, on the host", false, false, true, false, true, false},
        {"nobody knows where", true, true, true, false, true, true},
    };
    if (geteuid() != 0)
        skip();
    stat_behind = b->trap.sys.stat;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        two t = two_open(b);
        bool can;
        bench_disarm(b);
        if (cases[i].unknown)
            trap_set(&b->trap, (trap){.call = "stat",
                                      .about = "/proc/self/ns/user",
                                      .times = -1,
                                      .error = ENOENT});
        em_stat before = stat_of(t.to);
        b->trap.sys.stat = cases[i].in_container ? stat_in_container : stat_on_host;
        t.stat.uid = cases[i].owner ? 65534 : before.uid;
        t.stat.gid = cases[i].group ? 65534 : before.gid;
        check_status(cases[i].what, copy(&t, cases[i].allow, &losses),
                     cases[i].kept || cases[i].allow ? EM_OK : EM_E_PERMISSION);
        em_stat now = stat_of(t.to);
        assert_int_equal(now.uid, cases[i].kept ? t.stat.uid : before.uid);
        assert_int_equal(now.gid, cases[i].kept ? t.stat.gid : before.gid);
        assert_int_equal(losses, cases[i].allow ? EM_NOTE_OWNER : 0);
        check_status("can own", em_stage_can_own(&b->trap.sys, t.dir, &t.stat, "p", &can, &b->err),
                     EM_OK);
        assert_int_equal(can, cases[i].kept);
        two_close(&t);
        unlink(scratch_path(b->root, "to"));
    }
}

/* Ours is in the same folder, and has its group. */
static void test_a_hidden_group_that_is_given_anyway(void **state)
{
    bench *b = *state;
    em_attribute_losses losses;
    if (geteuid() != 0)
        skip();
    two t = two_open(b);
    assert_int_equal(fchown(t.to, 65534, 65534), 0);
    stat_behind = b->trap.sys.stat;
    b->trap.sys.stat = stat_in_container;
    t.stat = stat_of(t.to);
    check_status("copy", copy(&t, false, &losses), EM_OK);
    assert_int_equal(losses, 0);
    two_close(&t);
}

static void test_can_own(void **state)
{
    bench *b = *state;
    int dir = open(b->root, O_PATH | O_DIRECTORY | O_CLOEXEC);
    em_stat stat = {.uid = geteuid(), .gid = getegid()};
    bool can = false;
    check_status("own", em_stage_can_own(&b->trap.sys, dir, &stat, "p", &can, &b->err), EM_OK);
    assert_true(can);
    trap_set(&b->trap, (trap){.call = "chown", .about = "", .error = EPERM});
    check_status("refused", em_stage_can_own(&b->trap.sys, dir, &stat, "p", &can, &b->err), EM_OK);
    assert_false(can);
    trap_set(&b->trap, (trap){.call = "open", .about = "O_TMPFILE", .error = EOPNOTSUPP});
    check_status("unknown", em_stage_can_own(&b->trap.sys, dir, &stat, "p", &can, &b->err), EM_OK);
    assert_true(can);
    trap_set(&b->trap, (trap){.call = "stat", .about = "", .error = EIO});
    check_status("out of sight", em_stage_can_own(&b->trap.sys, dir, &stat, "p", &can, &b->err),
                 EM_OK);
    assert_true(can);
    trap_set(&b->trap, (trap){.call = "open", .about = "O_TMPFILE", .error = EIO});
    check_status("fails", em_stage_can_own(&b->trap.sys, dir, &stat, "p", &can, &b->err), EM_E_IO);
    assert_int_equal(scratch_count(b->root), 1);
    close(dir);
}

/* ---- Attributes ---------------------------------------------------------------------------- */

static void test_attributes(void **state)
{
    bench *b = *state;
    em_attribute_losses losses;
    char longest[2000], name[64];
    if (!bench_has_attributes(b))
        skip();
    two t = two_open(b);
    memset(longest, 'v', sizeof longest);
    fsetxattr(t.from, "user.empty", "", 0, 0);
    fsetxattr(t.from, "user.one", "1\0a", 3, 0);
    fsetxattr(t.from, "user.long", longest, sizeof longest, 0);
    int many = 0; /* more names than the first look has room for, where they can be set */
    for (int i = 0; i < 60; i++) {
        snprintf(name, sizeof name, "user.a-name-that-takes-much-room-%d", i);
        many += fsetxattr(t.from, name, "x", 1, 0) == 0;
    }
    check_status("copy", copy(&t, false, &losses), EM_OK);
    assert_int_equal(losses, 0);
    check_attribute(t.to, "user.one", "1\0a", 3);
    for (int i = 0; i < many; i++) {
        snprintf(name, sizeof name, "user.a-name-that-takes-much-room-%d", i);
        check_attribute(t.to, name, "x", 1);
    }
    assert_int_equal(flistxattr(t.from, NULL, 0), flistxattr(t.to, NULL, 0));
    two_close(&t);
}

static void test_attributes_of_users_must_be_kept(void **state)
{
    bench *b = *state;
    em_attribute_losses losses;
    if (!bench_has_attributes(b))
        skip();
    two t = two_open(b);
    assert_int_equal(fsetxattr(t.from, "user.one", "1", 1, 0), 0);
    static const trap_case cases[] = {
        {"setxattr", "user.one", 0, ENOSPC, EM_E_IO},
        {"setxattr", "user.one", 0, EPERM, EM_E_PERMISSION},
        {"getxattr", "user.one", 0, EIO, EM_E_IO},
        {"getxattr", "user.one", 1, EIO, EM_E_IO},
        {"getxattr", "user.one", 0, ENODATA, EM_OK},
        {"getxattr", "user.one", 1, ERANGE, EM_OK},
        {"getxattr", "user.one", 0, ENOMEM, EM_E_NOMEM},
        {"listxattr", "", 0, EIO, EM_E_IO},
        {"listxattr", "", 0, EOPNOTSUPP, EM_OK},
        {"listxattr", "", 0, ENOSYS, EM_OK},
        {"getxattr", acl_name, 0, EOPNOTSUPP, EM_OK},
        {"getxattr", acl_name, 0, ENOSYS, EM_OK},
        {"stat", "", 0, EIO, EM_E_IO},
        {"chmod", "", 0, EPERM, EM_E_PERMISSION},
        {"getxattr", acl_name, 0, EIO, EM_E_IO},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        bench_disarm(b);
        trap *caught = trap_set_case(&b->trap, &cases[i]);
        t.stat.mode = S_IFREG | (0600 + (mode_t)i); /* another each time */
        check_case(b, &cases[i], caught, copy(&t, false, &losses));
    }
    two_close(&t);
}

/* Those of the system are kept where that is possible, and what is not is told. */
static void test_attributes_of_the_system(void **state)
{
    bench *b = *state;
    em_attribute_losses losses;
    if (geteuid() != 0)
        skip();
    two t = two_open(b);
    if (fsetxattr(t.from, "trusted.one", "1", 1, 0) != 0)
        skip();
    check_status("kept", copy(&t, false, &losses), EM_OK);
    assert_int_equal(losses, 0);
    check_attribute(t.to, "trusted.one", "1", 1);
    trap *set = trap_set(&b->trap, (trap){.call = "setxattr", .about = "trusted.", .error = EPERM});
    check_status("there already", copy(&t, false, &losses), EM_OK);
    assert_int_equal(set->caught, 0);
    assert_int_equal(fsetxattr(t.from, "trusted.one", "22", 2, 0), 0);
    check_status("longer, lost", copy(&t, false, &losses), EM_OK);
    assert_int_equal(losses, EM_NOTE_ATTRIBUTES);
    trap_set(&b->trap, (trap){.call = "setxattr", .about = "trusted.", .error = EPERM});
    assert_int_equal(fsetxattr(t.from, "trusted.one", "2", 1, 0), 0);
    check_status("lost", copy(&t, false, &losses), EM_OK);
    assert_int_equal(losses, EM_NOTE_ATTRIBUTES);

    /* capabilities belong to the old content */
    static const unsigned char capabilities[20] = {1, 0, 0, 2, 1};
    if (fsetxattr(t.from, "security.capability", capabilities, sizeof capabilities, 0) == 0) {
        check_status("capabilities", copy(&t, false, &losses), EM_OK);
        assert_int_equal(losses, EM_NOTE_ATTRIBUTES);
        assert_int_equal(fgetxattr(t.to, "security.capability", NULL, 0), -1);
    }
    two_close(&t);
}

static ssize_t list_signatures(void *context, int fd, char *names, size_t size)
{
    static const char bound[] = "security.ima\0security.evm";
    (void)context, (void)fd;
    assert_true(size >= sizeof bound);
    memcpy(names, bound, sizeof bound);
    return sizeof bound;
}

/* Hashes and signatures of the old content are not even read. */
static void test_signatures_are_not_copied(void **state)
{
    bench *b = *state;
    em_attribute_losses losses;
    two t = two_open(b);
    b->trap.sys.listxattr = list_signatures;
    trap *read = trap_set(&b->trap, (trap){.call = "getxattr", .about = "security.", .times = -1});
    check_status("copy", copy(&t, false, &losses), EM_OK);
    assert_int_equal(losses, EM_NOTE_ATTRIBUTES);
    assert_int_equal(read->caught, 0);
    two_close(&t);
}

/* ---- ACLs ---------------------------------------------------------------------------------- */

static void test_acl(void **state)
{
    bench *b = *state;
    em_attribute_losses losses;
    two t = two_open(b);
    if (!bench_has_acls(b) || fsetxattr(t.from, acl_name, acl, sizeof acl, 0) != 0) {
        two_close(&t);
        skip();
    }
    t.stat = stat_of(t.from);
    check_status("copy", copy(&t, false, &losses), EM_OK);
    check_attribute(t.to, acl_name, acl, sizeof acl);
    assert_int_equal(stat_of(t.to).mode, t.stat.mode);
    trap_set(&b->trap, (trap){.call = "setxattr", .about = acl_name, .skip = 1, .error = ENOSPC});
    check_status("must be kept", copy(&t, false, &losses), EM_E_IO);
    two_close(&t);
}

/* The folder's default ACL is for files that are new, not for one that is replaced. */
static void test_inherited_acl(void **state)
{
    bench *b = *state;
    em_attribute_losses losses;
    if (!bench_has_acls(b) ||
        setxattr(b->root, "system.posix_acl_default", acl, sizeof acl, 0) != 0)
        skip();
    two t = two_open(b);
    assert_true(fgetxattr(t.to, acl_name, NULL, 0) > 0);
    t.stat.mode = S_IFREG | 0664;
    check_status("copy", copy(&t, false, &losses), EM_OK);
    assert_int_equal(fgetxattr(t.to, acl_name, NULL, 0), -1);
    assert_int_equal(stat_of(t.to).mode & 07777, 0664);
    two_close(&t);

    t = two_open(b);
    trap_set(&b->trap, (trap){.call = "setxattr", .about = acl_name, .error = EIO});
    check_status("fails", copy(&t, false, &losses), EM_E_IO);
    two_close(&t);
}

/* With the ACL that is taken away the mode changes, so what it was before says nothing. */
static void test_inherited_mode(void **state)
{
    bench *b = *state;
    em_attribute_losses losses;
    unsigned char only_read[sizeof acl];
    memcpy(only_read, acl, sizeof acl);
    only_read[6] = 4; /* the owner */
    if (!bench_has_acls(b) ||
        setxattr(b->root, "system.posix_acl_default", only_read, sizeof only_read, 0) != 0)
        skip();
    two t = two_open(b);
    mode_t inherited = stat_of(t.to).mode;
    assert_int_not_equal(inherited & 07777, 0600);
    t.stat.mode = inherited;
    check_status("copy", copy(&t, false, &losses), EM_OK);
    assert_int_equal(stat_of(t.to).mode, inherited);
    two_close(&t);
}

static void test_memory_may_end(void **state)
{
    bench *b = *state;
    em_attribute_losses losses;
    if (!bench_has_attributes(b))
        skip();
    two t = two_open(b);
    assert_int_equal(fsetxattr(t.from, "user.one", "1", 1, 0), 0);
    memory_ends_at(1);
    em_status status = copy(&t, false, &losses);
    memory_ends_at(0);
    check_status("copy", status, EM_E_NOMEM);
    two_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(test_making),
        BENCH_TEST(test_modes),
        BENCH_TEST(test_owner_is_kept),
        BENCH_TEST(test_owner_that_cannot_be_kept),
        BENCH_TEST(test_owners_are_refused_in_three_ways),
        BENCH_TEST(test_owners_that_may_be_hidden),
        BENCH_TEST(test_a_hidden_group_that_is_given_anyway),
        BENCH_TEST(test_can_own),
        BENCH_TEST(test_attributes),
        BENCH_TEST(test_attributes_of_users_must_be_kept),
        BENCH_TEST(test_attributes_of_the_system),
        BENCH_TEST(test_signatures_are_not_copied),
        BENCH_TEST(test_acl),
        BENCH_TEST(test_inherited_acl),
        BENCH_TEST(test_inherited_mode),
        BENCH_TEST(test_memory_may_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
