/* The store that forgets is itself tested: what it claims to lose it must lose, and nothing else.
 */
#include "foreign.h"
#include "power_sys.h"
#include "world.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../unit/with_cmocka.h"

typedef struct store {
    world world;
    power_sys power;
} store;

/* A world with "old" in a.txt, all of it on the disk. */
static void store_open(store *s)
{
    world_open(&s->world, NULL);
    world_put(s->world.root, "a.txt", EM_LIT("old"), 0640);
    power_sys_init(&s->power, s->world.tree, s->world.vault);
}

static void store_close(store *s)
{
    power_sys_drop(&s->power);
    world_close(&s->world);
}

static void assert_holds(const store *s, const char *path, const char *content)
{
    em_slice bytes = world_get(s->world.root, path);
    if (content)
        assert_true(bytes.ptr && em_slice_is(bytes, content));
    else
        assert_null(bytes.ptr);
    free((char *)bytes.ptr);
}

/* Cut with the outcome of that name. */
static void cut(store *s, const char *outcome)
{
    power_pending pending = power_pending_of(&s->power);
    for (int i = 0; i < power_outcomes(pending, true); i++) {
        char name[64];
        power_outcome_name(pending, true, i, name, sizeof name);
        if (strcmp(name, outcome) == 0) {
            power_cut(&s->power, true, i);
            return;
        }
    }
    fail_msg("no such outcome: %s", outcome);
}

static int open_in_root(store *s, const char *path, int flags)
{
    char whole[WORLD_PATH];
    world_path(s->world.root, path, whole);
    int fd = EM_SYS(&s->power.sys, open, AT_FDCWD, whole, flags, 0600, 0);
    assert_true(fd >= 0);
    return fd;
}

static void put(store *s, const char *path, int flags, const char *content, bool sync)
{
    struct iovec piece = {.iov_base = (char *)(uintptr_t)content, .iov_len = strlen(content)};
    int fd = open_in_root(s, path, O_WRONLY | flags);
    assert_int_equal(EM_SYS(&s->power.sys, write, fd, &piece, 1, 0), piece.iov_len);
    if (sync)
        assert_int_equal(EM_SYS(&s->power.sys, sync, fd, false), 0);
    EM_SYS(&s->power.sys, close, fd);
}

static void move(store *s, const char *from, const char *to, unsigned flags)
{
    char from_path[WORLD_PATH], to_path[WORLD_PATH];
    world_path(s->world.root, from, from_path);
    world_path(s->world.root, to, to_path);
    int result = EM_SYS(&s->power.sys, rename, AT_FDCWD, from_path, AT_FDCWD, to_path, flags);
    assert_int_equal(result, 0);
}

static void sync_root(store *s)
{
    int fd = open_in_root(s, ".", O_RDONLY | O_DIRECTORY);
    assert_int_equal(EM_SYS(&s->power.sys, sync, fd, false), 0);
    EM_SYS(&s->power.sys, close, fd);
}

/* One row: steps as letters, an outcome, what a.txt and b.txt hold then (NULL: not there).
 *   w write "new" over a.txt, truncating   W the same, synced
 *   c create b.txt with "new"              C the same, synced
 *   r rename b.txt over a.txt              x exchange the two
 *   u unlink a.txt                         d sync the folder */
static const struct {
    const char *steps, *outcome, *a, *b;
} cases[] = {
    {"", "names none, data none", "old", NULL},
    {"w", "names none, data none", "old", NULL},
    {"w", "names none, data all", "new", NULL},
    {"W", "names none, data none", "new", NULL},
    {"c", "names none, data none", "old", NULL},
    {"c", "names all, data none", "old", ""},
    {"c", "names none, data all", "old", NULL},
    {"c", "names all, data all", "old", "new"},
    {"C", "names none, data none", "old", NULL},
    {"C", "names all, data none", "old", "new"},
    {"Cd", "names none, data none", "old", "new"},
    {"cd", "names none, data none", "old", ""},
    {"cr", "names all, data none", "", NULL},
    {"Cr", "names none, data none", "old", NULL},
    {"Cr", "names all, data none", "new", NULL},
    {"Cr", "names the first 1, data none", "old", "new"},
    {"Cr", "names only number 2, data none", "new", NULL},
    {"Crd", "names none, data none", "new", NULL},
    {"Cx", "names the first 1, data none", "old", "new"},
    {"Cx", "names all, data none", "new", "old"},
    {"Cxd", "names none, data none", "new", "old"},
    {"Cdx", "names none, data none", "old", "new"},
    {"u", "names none, data none", "old", NULL},
    {"u", "names all, data none", NULL, NULL},
    {"ud", "names none, data none", NULL, NULL},
    {"Cxu", "names the first 2, data none", "new", "old"},
    {"Cxu", "names all but number 2, data none", NULL, "new"},
    {"wc", "names all, data all of file 1 only", "old", "new"}, /* the newest is number 1 */
    {"wc", "names all, data all of file 2 only", "new", ""},
};

static void step(store *s, char what)
{
    char path[WORLD_PATH];
    switch (what) {
    case 'w':
    case 'W':
        put(s, "a.txt", O_TRUNC, "new", what == 'W');
        break;
    case 'c':
    case 'C':
        put(s, "b.txt", O_CREAT, "new", what == 'C');
        break;
    case 'r':
    case 'x':
        move(s, "b.txt", "a.txt", what == 'x' ? RENAME_EXCHANGE : 0);
        break;
    case 'u':
        world_path(s->world.root, "a.txt", path);
        assert_int_equal(EM_SYS(&s->power.sys, unlink, AT_FDCWD, path, 0), 0);
        break;
    default:
        sync_root(s);
    }
}

static void cuts_lose_what_was_not_synced(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        store s;
        print_message("%s: %s\n", cases[i].steps, cases[i].outcome);
        store_open(&s);
        for (const char *c = cases[i].steps; *c; c++)
            step(&s, *c);
        cut(&s, cases[i].outcome);
        assert_holds(&s, "a.txt", cases[i].a);
        assert_holds(&s, "b.txt", cases[i].b);
        store_close(&s);
    }
}

static ino_t inode_of(const store *s, const char *path)
{
    char whole[WORLD_PATH];
    struct stat st;
    world_path(s->world.root, path, whole);
    assert_int_equal(lstat(whole, &st), 0);
    return st.st_ino;
}

static void a_removed_file_comes_back_as_the_same_inode(void **state)
{
    (void)state;
    store s;
    store_open(&s);
    ino_t before = inode_of(&s, "a.txt");
    step(&s, 'u');
    cut(&s, "names none, data none");
    assert_int_equal(inode_of(&s, "a.txt"), before);
    store_close(&s);
}

static void mode_and_attributes_are_lost_without_a_full_sync(void **state)
{
    (void)state;
    for (int full = 0; full <= 1; full++) {
        store s;
        store_open(&s);
        int fd = open_in_root(&s, "a.txt", O_RDWR);
        assert_int_equal(EM_SYS(&s.power.sys, chmod, fd, 0600), 0);
        assert_int_equal(EM_SYS(&s.power.sys, sync, fd, !full), 0);
        EM_SYS(&s.power.sys, close, fd);
        cut(&s, "names none, data none");
        world_list list = world_list_of(s.world.root);
        assert_int_equal(world_find(&list, "a.txt")->mode & 07777, full ? 0600 : 0640);
        world_list_drop(&list);
        store_close(&s);
    }
}

static void a_torn_write_is_some_of_its_sectors(void **state)
{
    (void)state;
    enum { SECTORS = 64, SECTOR = 512 };
    char content[SECTORS * SECTOR + 1];
    store s;
    int kept = 0;
    memset(content, 'n', sizeof content - 1);
    content[sizeof content - 1] = '\0';
    store_open(&s);
    put(&s, "a.txt", 0, content, false);
    cut(&s, "names none, data torn");
    em_slice bytes = world_get(s.world.root, "a.txt");
    for (size_t at = 0; at + SECTOR <= bytes.len; at += SECTOR)
        kept += bytes.ptr[at] == 'n';
    assert_in_range(kept, 1, SECTORS - 1);
    free((char *)bytes.ptr);
    store_close(&s);
}

static void new_folders_and_what_is_in_them_are_lost(void **state)
{
    (void)state;
    store s;
    store_open(&s);
    foreign_write(FOREIGN_TRUNCATE, &s.power.sys, s.world.root, "one/two.txt", EM_LIT("new"));
    cut(&s, "names none, data none");
    assert_int_equal(rmdir(s.world.root), -1); /* a.txt is there */
    world_list list = world_list_of(s.world.root);
    assert_int_equal(list.count, 1);
    world_list_drop(&list);
    store_close(&s);
}

static void a_removed_folder_comes_back(void **state)
{
    (void)state;
    store s;
    char folder[WORLD_PATH];
    world_open(&s.world, NULL);
    world_path(s.world.root, "one", folder);
    assert_int_equal(mkdir(folder, 0700), 0);
    power_sys_init(&s.power, s.world.tree, s.world.vault);
    assert_int_equal(EM_SYS(&s.power.sys, unlink, AT_FDCWD, folder, AT_REMOVEDIR), 0);
    assert_int_equal(access(folder, F_OK), -1);
    cut(&s, "names none, data none");
    assert_int_equal(access(folder, F_OK), 0);
    store_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cuts_lose_what_was_not_synced),
        cmocka_unit_test(a_removed_file_comes_back_as_the_same_inode),
        cmocka_unit_test(mode_and_attributes_are_lost_without_a_full_sync),
        cmocka_unit_test(a_torn_write_is_some_of_its_sectors),
        cmocka_unit_test(new_folders_and_what_is_in_them_are_lost),
        cmocka_unit_test(a_removed_folder_comes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
