/* What Landlock is asked for, of which version. What it then holds back is in kernel_test.c. */
#include "fake_kernel.h"

#include <unistd.h>

enum { FIRST_13 = (1 << 13) - 1 };

static int folders_in_use(void)
{
    int count = 0;
    for (int fd = 0; fd < 64; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

static void each_version_is_asked_for_what_it_knows(void **state)
{
    (void)state;
    static const struct {
        int version;
        uint64_t fs, net, scoped;
    } rows[] = {
        {2, FIRST_13 | EM_FS_REFER, 0, 0},
        {3, FIRST_13 | EM_FS_REFER | EM_FS_TRUNCATE, 0, 0},
        {4, FIRST_13 | EM_FS_REFER | EM_FS_TRUNCATE, EM_NET_BIND_TCP | EM_NET_CONNECT_TCP, 0},
        {5, FIRST_13 | EM_FS_REFER | EM_FS_TRUNCATE | EM_FS_IOCTL_DEV,
         EM_NET_BIND_TCP | EM_NET_CONNECT_TCP, 0},
        {6, FIRST_13 | EM_FS_REFER | EM_FS_TRUNCATE | EM_FS_IOCTL_DEV,
         EM_NET_BIND_TCP | EM_NET_CONNECT_TCP, EM_SCOPE_ABSTRACT_UNIX | EM_SCOPE_SIGNAL},
        {99, FIRST_13 | EM_FS_REFER | EM_FS_TRUNCATE | EM_FS_IOCTL_DEV,
         EM_NET_BIND_TCP | EM_NET_CONNECT_TCP, EM_SCOPE_ABSTRACT_UNIX | EM_SCOPE_SIGNAL},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        fake_kernel fake;
        em_wall wall;
        em_sandbox_folder folder = {STDIN_FILENO, true};
        em_sandbox_policy policy = {&folder, 1};
        fake_kernel_init(&fake, rows[i].version);
        em_wall_files(&fake.kernel, &policy, &wall);
        assert_true(wall.stands && wall.can);
        assert_int_equal(fake.restricted, 1);
        assert_int_equal(fake.rules_size, sizeof(em_landlock_rules));
        assert_int_equal(fake.rules.fs, rows[i].fs);
        assert_int_equal(fake.rules.net, rows[i].net);
        assert_int_equal(fake.rules.scoped, rows[i].scoped);
        for (int j = 0; j < fake.let_out_count; j++)
            assert_int_equal(fake.let_out[j].allowed & ~rows[i].fs, 0);
    }
}

static const em_landlock_beneath *rule_for(const fake_kernel *fake, int fd)
{
    for (int i = 0; i < fake->let_out_count; i++)
        if (fake->let_out[i].fd == fd)
            return &fake->let_out[i];
    fail_msg("no rule for descriptor %d", fd);
    return NULL;
}

static void folders_are_let_out_as_the_policy_says(void **state)
{
    (void)state;
    int descriptors = folders_in_use();
    int work = open("/tmp", O_PATH | O_CLOEXEC), shown = open("/", O_PATH | O_CLOEXEC);
    em_sandbox_folder folders[] = {{work, true}, {shown, false}};
    em_sandbox_policy policy = {folders, 2};
    fake_kernel fake;
    em_wall wall;
    fake_kernel_init(&fake, 7);
    em_wall_files(&fake.kernel, &policy, &wall);
    assert_true(wall.stands);
    assert_string_equal(wall.why, "version 7");
    uint64_t may = rule_for(&fake, work)->allowed;
    assert_true(may & EM_FS_WRITE_FILE && may & EM_FS_TRUNCATE && may & EM_FS_REFER &&
                may & EM_FS_MAKE_REG && may & EM_FS_REMOVE_DIR && may & EM_FS_READ_FILE);
    assert_int_equal(may & (EM_FS_EXECUTE | EM_FS_MAKE_CHAR | EM_FS_MAKE_BLOCK | EM_FS_IOCTL_DEV),
                     0);
    assert_int_equal(rule_for(&fake, shown)->allowed, EM_FS_READ_FILE | EM_FS_READ_DIR);
    close(work);
    close(shown);
    assert_int_equal(folders_in_use(), descriptors);
}

static void what_is_refused_leaves_no_wall(void **state)
{
    (void)state;
    static const struct {
        int version, create, add, restricted;
        const char *why;
    } rows[] = {
        {-ENOSYS, 0, 0, 0, "the kernel does not have it"},
        {-EOPNOTSUPP, 0, 0, 0, "it is not among the kernel's security modules (lsm=)"},
        {-EPERM, 0, 0, 0, "Operation not permitted"},
        {1, 0, 0, 0, "the kernel has version 1; files in new folders need 2"},
        {7, -ENOMEM, 0, 0, "Cannot allocate memory"},
        {7, 0, -EINVAL, 0, "Invalid argument"},
        {7, 0, 0, -E2BIG, "Argument list too long"},
    };
    em_sandbox_folder folder = {STDIN_FILENO, true};
    em_sandbox_policy policy = {&folder, 1};
    int descriptors = folders_in_use();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        for (int at = 0; at < 6; at++) { /* whichever rule it is */
            fake_kernel fake;
            em_wall wall;
            fake_kernel_init(&fake, rows[i].version);
            fake.create_result = rows[i].create;
            fake.add_result = rows[i].add;
            fake.add_fails_at = at;
            fake.restrict_result = rows[i].restricted;
            em_wall_files(&fake.kernel, &policy, &wall);
            if (rows[i].add < 0 && at > fake.let_out_count)
                continue; /* there are not so many */
            assert_false(wall.stands || wall.can);
            assert_string_equal(wall.why, rows[i].why);
            assert_int_equal(fake.restricted, rows[i].restricted < 0);
        }
    }
    assert_int_equal(folders_in_use(), descriptors);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_version_is_asked_for_what_it_knows),
        cmocka_unit_test(folders_are_let_out_as_the_policy_says),
        cmocka_unit_test(what_is_refused_leaves_no_wall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
