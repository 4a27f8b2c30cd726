#include "system/file_system.h"

#include "scratch.h"

#include <linux/magic.h>

static void test_kinds(void **state)
{
    static const struct {
        uint64_t magic;
        const char *name;
        bool remote;
    } kinds[] = {
        {EXT4_SUPER_MAGIC, "ext4", false}, {XFS_SUPER_MAGIC, "xfs", false},
        {TMPFS_MAGIC, "tmpfs", false},     {OVERLAYFS_SUPER_MAGIC, "overlay", false},
        {NFS_SUPER_MAGIC, "nfs", true},    {V9FS_MAGIC, "9p", true},
        {FUSE_SUPER_MAGIC, "fuse", true},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        const em_file_system *fs = em_file_system_of(kinds[i].magic);
        assert_non_null(fs);
        assert_string_equal(fs->name, kinds[i].name);
        assert_int_equal(fs->remote, kinds[i].remote);
    }
    assert_null(em_file_system_of(0x0BD00BD0)); /* Lustre */
    assert_null(em_file_system_of(0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_kinds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
