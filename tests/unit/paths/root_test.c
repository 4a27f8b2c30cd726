#include "paths/root.h"

#include "fault/fault_sys.h"
#include "scratch.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* Every test has BASE/ws, the root, and BASE/ws-evil, the outside that begins with its name. */
typedef struct bench {
    char base[SCRATCH_PATH], root[SCRATCH_PATH];
    const em_sys *sys;
    em_roots roots;
    em_arena arena;
    em_resolved place;
    em_error err;
    int descriptors;
} bench;

static void open_roots(bench *b, const char *const *paths, size_t count)
{
    em_roots_close(b->sys, &b->roots);
    check_status("roots", em_roots_open(b->sys, paths, count, &b->roots, &b->err), EM_OK);
}

static void open_root(bench *b, const char *path)
{
    open_roots(b, &path, 1);
}

static int setup(void **state)
{
    bench *b = calloc(1, sizeof *b);
    assert_non_null(b);
    b->descriptors = scratch_descriptors();
    b->sys = &em_sys_native;
    b->err = EM_ERROR_INIT;
    scratch_new(b->base);
    scratch_folder(b->base, "ws");
    scratch_folder(b->base, "ws-evil");
    scratch_put(b->base, "ws-evil/secret", "secret");
    scratch_folder(b->base, "ws-evil/sub");
    strcpy(b->root, scratch_path(b->base, "ws"));
    scratch_put(b->root, "f", "f");
    scratch_folder(b->root, "a");
    scratch_folder(b->root, "a/b");
    scratch_put(b->root, "a/b/c", "c");
    open_root(b, b->root);
    b->place = (em_resolved){.dir = -1, .file = -1};
    *state = b;
    return 0;
}

static int teardown(void **state)
{
    bench *b = *state;
    em_resolved_close(b->sys, &b->place);
    em_roots_close(b->sys, &b->roots);
    em_arena_drop(&b->arena);
    assert_int_equal(scratch_descriptors(), b->descriptors);
    scratch_drop(b->base);
    free(b);
    return 0;
}

static em_status resolve(bench *b, const char *path, bool may_be_missing)
{
    em_resolved_close(b->sys, &b->place);
    b->err = EM_ERROR_INIT;
    return em_root_resolve(b->sys, &b->roots, path, may_be_missing, &b->arena, &b->place, &b->err);
}

/* The status is as wanted, and a refusal says so in the error, names the path and holds nothing. */
static void check_resolve(bench *b, const char *path, bool may_be_missing, em_status want)
{
    check_status(path, resolve(b, path, may_be_missing), want);
    if (want == EM_OK)
        return;
    assert_int_equal(b->err.code, want);
    assert_int_equal(b->place.dir, -1);
    assert_int_equal(b->place.file, -1);
}

static void check_refused(bench *b, const char *path, em_status want)
{
    check_resolve(b, path, false, want);
    check_resolve(b, path, true, want);
}

static void check_same_file(const em_stat *got, const em_stat *want)
{
    assert_int_equal(got->dev, want->dev);
    assert_int_equal(got->ino, want->ino);
    assert_int_equal(got->mode, want->mode);
    assert_int_equal(got->size, want->size);
    assert_memory_equal(&got->ctime, &want->ctime, sizeof got->ctime);
}

/* The place is what `rel` names, by every way that a caller may take to it. */
static void check_place(bench *b, const char *path, const char *rel)
{
    em_stat named, held;
    check_resolve(b, path, false, EM_OK);
    assert_string_equal(b->place.rel, rel);
    assert_ptr_equal(b->place.root, &b->roots.items[0]);
    const char *root = b->place.root->path;
    assert_memory_equal(b->place.path, root, strlen(root));
    assert_int_equal(EM_SYS(b->sys, stat, AT_FDCWD, b->place.path, AT_SYMLINK_NOFOLLOW, &named), 0);
    check_same_file(&b->place.stat, &named);
    assert_int_equal(EM_SYS(b->sys, stat, b->place.file, "", AT_EMPTY_PATH, &held), 0);
    check_same_file(&held, &named);
    assert_int_equal(EM_SYS(b->sys, stat, b->place.dir, b->place.name, AT_SYMLINK_NOFOLLOW, &held),
                     0);
    check_same_file(&held, &named);
    assert_int_equal(fcntl(b->place.dir, F_GETFL) & O_PATH, O_PATH);
    assert_int_equal(fcntl(b->place.file, F_GETFL) & O_PATH, O_PATH);
    assert_int_equal(b->place.missing_count, 0);
}

/* ---- Plain paths ----------------------------------------------------------------------------- */

static void test_paths_by_table(void **state)
{
    static const struct {
        const char *path, *rel;
    } cases[] = {
        {"f", "f"},
        {"./f", "f"},
        {".//./f", "f"},
        {"a/b/c", "a/b/c"},
        {"a//b/./c", "a/b/c"},
        {"a/../f", "f"},
        {"a/b/../../f", "f"},
        {"a/b/../b/c", "a/b/c"},
        {"a/./../a/b/c", "a/b/c"},
        /* folders are places too: refusing them is the caller's */
        {".", "."},
        {"./", "."},
        {"a", "a"},
        {"a/", "a"},
        {"a/b/.", "a/b"},
        {"a/b/..", "a"},
        {"a/..", "."},
    };
    bench *b = *state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_place(b, cases[i].path, cases[i].rel);
}

static void test_refusals_by_table(void **state)
{
    static const struct {
        const char *path;
        em_status strict, lenient; /* without and with leave to be missing */
    } cases[] = {
        {"", EM_E_INVALID, EM_E_INVALID},
        {"none", EM_E_NOT_FOUND, EM_OK},
        {"none/x", EM_E_NOT_FOUND, EM_OK},
        {"none/../f", EM_E_NOT_FOUND, EM_E_NOT_FOUND},
        {"none/x/../../f", EM_E_NOT_FOUND, EM_E_NOT_FOUND},
        {"none/", EM_E_NOT_FOUND, EM_E_IS_FOLDER},
        {"none/.", EM_E_NOT_FOUND, EM_E_IS_FOLDER},
        {"f/", EM_E_NOT_FOUND, EM_E_NOT_FOUND},
        {"f/.", EM_E_NOT_FOUND, EM_E_NOT_FOUND},
        {"f/..", EM_E_NOT_FOUND, EM_E_NOT_FOUND},
        {"f/x", EM_E_NOT_FOUND, EM_E_NOT_FOUND},
        {"a/b/c/x", EM_E_NOT_FOUND, EM_E_NOT_FOUND},
        /* A1, A2, A3: out of the root, whether or not anything is there */
        {"..", EM_E_OUTSIDE, EM_E_OUTSIDE},
        {"../ws-evil/secret", EM_E_OUTSIDE, EM_E_OUTSIDE},
        {"../none", EM_E_OUTSIDE, EM_E_OUTSIDE},
        {"a/../../x", EM_E_OUTSIDE, EM_E_OUTSIDE},
        {"a/../../ws/f", EM_E_OUTSIDE, EM_E_OUTSIDE}, /* though it would lead back */
        {"../ws/f", EM_E_OUTSIDE, EM_E_OUTSIDE},
        {"none/../../x", EM_E_OUTSIDE, EM_E_OUTSIDE},
        {"a/none/./x/../../../../x", EM_E_OUTSIDE, EM_E_OUTSIDE},
        {"none/../../ws/f", EM_E_OUTSIDE, EM_E_OUTSIDE},
        {"f/../../x", EM_E_OUTSIDE, EM_E_OUTSIDE},
        {"a/none/../../x", EM_E_NOT_FOUND, EM_E_NOT_FOUND}, /* stays inside */
        {"/", EM_E_OUTSIDE, EM_E_OUTSIDE},
        {"//", EM_E_OUTSIDE, EM_E_OUTSIDE},
        {"/etc/passwd", EM_E_OUTSIDE, EM_E_OUTSIDE},
        {"/none", EM_E_OUTSIDE, EM_E_OUTSIDE},
        /* A11 */
        {"/proc/self/root/etc/passwd", EM_E_OUTSIDE, EM_E_OUTSIDE},
        {"/proc/self/fd/0", EM_E_OUTSIDE, EM_E_OUTSIDE},
        {"/proc/self/cwd/f", EM_E_OUTSIDE, EM_E_OUTSIDE},
    };
    bench *b = *state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        check_resolve(b, cases[i].path, false, cases[i].strict);
        check_resolve(b, cases[i].path, true, cases[i].lenient);
    }
}

static void test_errors_name_the_path(void **state)
{
    bench *b = *state;
    check_refused(b, "../x", EM_E_OUTSIDE);
    assert_string_equal(b->err.detail, "leads out of its root: ../x");
    assert_int_equal(b->err.sys, EXDEV);
    check_refused(b, "/none", EM_E_OUTSIDE);
    assert_string_equal(b->err.detail, "lies outside the roots: /none");
    assert_int_equal(b->err.sys, 0);
    check_refused(b, "f/x", EM_E_NOT_FOUND);
    assert_string_equal(b->err.detail, "f is no folder");
    assert_int_equal(b->err.sys, ENOTDIR);
    check_refused(b, "", EM_E_INVALID);
    assert_string_equal(b->err.detail, "the path is empty");
}

static void test_absolute_paths(void **state)
{
    bench *b = *state;
    char path[PATH_MAX];
    check_place(b, b->root, ".");
    check_place(b, scratch_path(b->root, ""), ".");
    check_place(b, scratch_path(b->root, "a/b/c"), "a/b/c");
    snprintf(path, sizeof path, "//.%s//./a/.././f", b->root);
    check_place(b, path, "f");
    check_refused(b, scratch_path(b->base, "ws-evil/secret"), EM_E_OUTSIDE); /* A3 */
    check_refused(b, scratch_path(b->root, "../ws-evil/secret"), EM_E_OUTSIDE);
    check_refused(b, scratch_path(b->root, "../ws/f"), EM_E_OUTSIDE);
    check_refused(b, scratch_path(b->base, "x/../ws/f"), EM_E_OUTSIDE);
    check_refused(b, b->base, EM_E_OUTSIDE);
}

/* What a refusal tells of the names on the way: all of them, links followed as far as it came. */
static void test_refusals_tell_the_way(void **state)
{
    static const struct {
        const char *path, *way;
    } cases[] = {
        {"none/../f", "none/../f"},
        {"none/x/y/../f", "none/x/y/../f"},
        {"a/none/x/", "a/none/x"},
        {"f/x/y", "f/x/y"},
        {"f/", "f"},
        {"a/b/c/x", "a/b/c/x"},
        {"in/c/x", "a/b/c/x"},
        {"a/../in/c/./x", "a/b/c/x"},
        {"loop/x", "loop/x"},
        {"dangling", "none"},
        {"../x", NULL},
        {"a/../../x", NULL},
        {"none/../../x", NULL},
        {"dangling/../../x", NULL},
        {"in/none/../../../../x", NULL}, /* `in` is two folders deep */
        {"in/none/../../../x", "a/b/none/../../../x"},
    };
    bench *b = *state;
    scratch_link(b->root, "in", "a/b");
    scratch_link(b->root, "loop", "loop");
    scratch_link(b->root, "dangling", "none");
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_int_not_equal(resolve(b, cases[i].path, true), EM_OK);
        if (cases[i].way)
            assert_string_equal(b->place.rel, cases[i].way);
        else
            assert_null(b->place.rel);
    }
}

static void test_paths_below_a_root(void **state)
{
    static const struct {
        const char *root, *path, *rel;
    } cases[] = {
        {"/w", "/w/a/b", "a/b"}, {"/w", "/w", "."}, {"/w", "/w2/a", NULL}, {"/w", "/", NULL},
        {"/", "/a", "a"},        {"/", "/", "."},   {"/w/a", "/w", NULL},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char path[SCRATCH_PATH];
        em_root root = {.path = strcpy(path, cases[i].root)};
        const char *rel = em_root_rel(&root, cases[i].path);
        if (cases[i].rel)
            assert_string_equal(rel, cases[i].rel);
        else
            assert_null(rel);
    }
}

/* A24, A26: whatever bytes a name has, they are the name. */
static void test_names_are_bytes(void **state)
{
    static const char *const names[] = {
        " f",          "f ",
        "f\n",         "\"f\"",
        "'f'",         "f.",
        "...",         "F",
        "f\\g",        "C:\\f",
        "f:str",       "~",
        "$x",          "%2e%2e",
        "-f",          "*",
        "\t",          "?",
        "caf\xc3\xa9", "cafe\xcc\x81",
        "\xff\xfe",    "\xe2\x80\xae",
    };
    bench *b = *state;
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        check_resolve(b, names[i], false, EM_E_NOT_FOUND);
        scratch_put(b->root, names[i], names[i]);
        check_place(b, names[i], names[i]);
        assert_string_equal(b->place.name, names[i]);
    }
}

/* A22 */
static void test_lengths(void **state)
{
    bench *b = *state;
    char name[NAME_MAX + 2] = "", path[PATH_MAX + 16] = "", text[NAME_MAX + 16];
    memset(name, 'n', NAME_MAX);
    check_resolve(b, name, false, EM_E_NOT_FOUND);
    check_resolve(b, name, true, EM_OK);
    scratch_put(b->root, name, "");
    check_place(b, name, name);
    name[NAME_MAX] = 'n';
    check_refused(b, name, EM_E_PATH);
    snprintf(text, sizeof text, "a/%s/x", name);
    check_refused(b, text, EM_E_PATH);
    snprintf(text, sizeof text, "none/%s", name);
    check_resolve(b, text, true, EM_E_PATH);

    for (size_t i = 0; i < PATH_MAX - 2; i++)
        path[i] = i % 2 ? '/' : '.';
    path[PATH_MAX - 2] = 'f';
    check_place(b, path, "f"); /* one byte below PATH_MAX */
    memmove(path + 1, path, PATH_MAX - 1);
    check_refused(b, path, EM_E_PATH);
}

/* ---- Missing files --------------------------------------------------------------------------- */

static void check_missing(bench *b, const char *path, const char *dir, const char *rel,
                          const char *folders, const char *name)
{
    em_stat want, held;
    char joined[SCRATCH_PATH] = "";
    check_resolve(b, path, true, EM_OK);
    assert_int_equal(b->place.file, -1);
    assert_int_equal(b->place.stat.mode, 0);
    assert_string_equal(b->place.name, name);
    assert_string_equal(b->place.rel, rel);
    assert_string_equal(b->place.path, scratch_path(b->root, rel));
    for (size_t i = 0; i < b->place.missing_count; i++) {
        strcat(joined, b->place.missing[i]);
        strcat(joined, " ");
    }
    assert_string_equal(joined, folders);
    assert_int_equal(EM_SYS(b->sys, stat, AT_FDCWD, scratch_path(b->root, dir), 0, &want), 0);
    assert_int_equal(EM_SYS(b->sys, stat, b->place.dir, "", AT_EMPTY_PATH, &held), 0);
    check_same_file(&held, &want);
}

static void test_missing_files(void **state)
{
    bench *b = *state;
    scratch_link(b->root, "in", "a/b");
    check_missing(b, "new", ".", "new", "", "new");
    check_missing(b, "a/b/new", "a/b", "a/b/new", "", "new");
    check_missing(b, "x/y/new", ".", "x/y/new", "x y ", "new");
    check_missing(b, "a/x//./y/new", "a", "a/x/y/new", "x y ", "new");
    check_missing(b, "a/../x/new", ".", "x/new", "x ", "new");
    check_missing(b, "in/new", "a/b", "a/b/new", "", "new");
    check_missing(b, "in/x/new", "a/b", "a/b/x/new", "x ", "new");
    check_missing(b, scratch_path(b->root, "x/new"), ".", "x/new", "x ", "new");
}

static void test_many_missing_folders(void **state)
{
    enum { DEPTH = 1000 };
    bench *b = *state;
    char path[2 * DEPTH + 8] = "";
    for (int i = 0; i < DEPTH; i++)
        memcpy(path + 2 * i, "x/", 3);
    strcat(path, "new");
    check_resolve(b, path, true, EM_OK);
    assert_int_equal(b->place.missing_count, DEPTH);
    assert_string_equal(b->place.rel, path);
}

/* ---- Links ----------------------------------------------------------------------------------- */

static void test_links_inside(void **state) /* A8 */
{
    bench *b = *state;
    scratch_link(b->root, "file", "a/b/c");
    scratch_link(b->root, "folder", "a/b");
    scratch_link(b->root, "slash", "a/b/");
    scratch_link(b->root, "chain", "folder");
    scratch_link(b->root, "a/up", "../f");
    scratch_link(b->root, "a/self", ".");
    scratch_link(b->root, "absolute", scratch_path(b->root, "a/b/c"));
    scratch_link(b->root, "absolute-root", b->root);
    scratch_link(b->root, "a/b/long", "../../a/b/../../a/./b//c");
    static const struct {
        const char *path, *rel;
    } cases[] = {
        {"file", "a/b/c"},
        {"folder/c", "a/b/c"},
        {"folder/", "a/b"},
        {"folder", "a/b"},
        {"slash", "a/b"},
        {"slash/c", "a/b/c"},
        {"chain/c", "a/b/c"},
        {"a/up", "f"},
        {"a/self/self/b/c", "a/b/c"},
        {"absolute", "a/b/c"},
        {"absolute-root/f", "f"},
        {"absolute-root/absolute-root/folder/c", "a/b/c"},
        {"a/b/long", "a/b/c"},
        /* `..` after a link goes up from where the link led, as the system does it */
        {"folder/../b/c", "a/b/c"},
        {"chain/../../f", "f"},
        {"folder/..", "a"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_place(b, cases[i].path, cases[i].rel);
    check_refused(b, "file/", EM_E_NOT_FOUND);
    check_refused(b, "file/x", EM_E_NOT_FOUND);
    check_resolve(b, "folder/../f", false, EM_E_NOT_FOUND); /* which is a/f */
}

static void test_links_outside(void **state) /* A4 to A7, A11 */
{
    bench *b = *state;
    scratch_link(b->root, "absolute", scratch_path(b->base, "ws-evil/secret"));
    scratch_link(b->root, "relative", "../ws-evil/secret");
    scratch_link(b->root, "folder", "../ws-evil");
    scratch_link(b->root, "top", "/");
    scratch_link(b->root, "up", "..");
    scratch_link(b->root, "back", "../ws/f");
    scratch_link(b->root, "proc-root", "/proc/self/root");
    scratch_link(b->root, "proc-cwd", "/proc/self/cwd");
    scratch_link(b->root, "twice", "folder/sub");
    static const char *const paths[] = {
        "absolute",     "relative", "folder/secret", "folder/new",          "folder/new/new",
        "folder/sub/x", "folder",   "top/etc",       "up/ws-evil/secret",   "up/ws/f",
        "back",         "proc-cwd", "proc-root/etc", "twice/../../ws/f",    "twice/none/../x",
        "a/../up",      "up/x/y/z", "folder/../f",   "relative/../../ws/f", "proc-root"};
    for (size_t i = 0; i < COUNT_OF(paths); i++)
        check_refused(b, paths[i], EM_E_OUTSIDE);

    /* a link that leads to the root's parent is not inside because of what the caller adds */
    char path[PATH_MAX];
    snprintf(path, sizeof path, "top%s/f", b->root);
    check_refused(b, path, EM_E_OUTSIDE);
    assert_int_equal(scratch_count(scratch_path(b->base, "ws-evil")), 2);
}

static void test_links_that_lead_nowhere(void **state) /* A9, A10 */
{
    bench *b = *state;
    scratch_link(b->root, "dangling", "none");
    scratch_link(b->root, "a/dangling", "../none/x");
    scratch_link(b->root, "to-dangling", "dangling");
    scratch_link(b->root, "through", "dangling/x");
    scratch_link(b->root, "self", "self");
    scratch_link(b->root, "ping", "pong");
    scratch_link(b->root, "pong", "ping");
    scratch_link(b->root, "grows", "grows/x");
    static const struct {
        const char *path;
        em_status want;
    } cases[] = {
        {"dangling", EM_E_NOT_FOUND},   {"a/dangling", EM_E_NOT_FOUND},
        {"dangling/x", EM_E_NOT_FOUND}, {"to-dangling", EM_E_NOT_FOUND},
        {"through", EM_E_NOT_FOUND},    {"self", EM_E_PATH},
        {"self/x", EM_E_PATH},          {"ping", EM_E_PATH},
        {"a/../pong/x", EM_E_PATH},     {"grows", EM_E_PATH},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_refused(b, cases[i].path, cases[i].want);
    static const char *const named[] = {"dangling", "a/dangling", "to-dangling", "through"};
    for (size_t i = 0; i < COUNT_OF(named); i++) {
        char want[80];
        snprintf(want, sizeof want, "%s is a link that leads nowhere", named[i]);
        check_refused(b, named[i], EM_E_NOT_FOUND);
        assert_string_equal(b->err.detail, want);
        assert_int_equal(b->err.sys, ENOENT);
    }
}

static void test_forty_links_and_no_more(void **state)
{
    bench *b = *state;
    scratch_link(b->root, "l1", "f");
    for (int i = 2; i <= 41; i++) {
        char name[16], target[16];
        snprintf(name, sizeof name, "l%d", i);
        snprintf(target, sizeof target, "l%d", i - 1);
        scratch_link(b->root, name, target);
    }
    check_place(b, "l40", "f");
    check_refused(b, "l41", EM_E_PATH);
}

/* Texts of links that together are longer than any path may be. */
static void test_links_that_grow_too_long(void **state)
{
    bench *b = *state;
    char target[PATH_MAX] = "", path[PATH_MAX];
    for (size_t i = 0; i < PATH_MAX - 3; i++)
        target[i] = i % 2 ? '/' : '.';
    scratch_link(b->root, "long", target);
    check_place(b, "long/f", "f");
    snprintf(path, sizeof path, "long/./././f");
    check_refused(b, path, EM_E_PATH);
}

/* A way through links whose real path is longer than a path may be. */
static void test_folders_that_lie_too_deep(void **state)
{
    enum { LEVELS = 17 };
    bench *b = *state;
    char name[NAME_MAX + 1] = "";
    int dirs[LEVELS + 1];
    memset(name, 'd', NAME_MAX);
    dirs[0] = open(b->root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (int i = 0; i < LEVELS; i++) {
        assert_int_equal(mkdirat(dirs[i], name, 0755), 0);
        assert_int_equal(symlinkat(name, dirs[i], "d"), 0);
        dirs[i + 1] = openat(dirs[i], name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        assert_true(dirs[i + 1] >= 0);
    }
    check_refused(b, "d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d", EM_E_PATH);
    check_resolve(b, "d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d", false, EM_OK);
    check_resolve(b, "d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/x/y", true, EM_E_PATH);
    check_resolve(b, "d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/x/y", true, EM_OK);
    for (int i = LEVELS; i >= 0; i--) {
        unlinkat(dirs[i], "d", 0);
        unlinkat(dirs[i], name, AT_REMOVEDIR);
        close(dirs[i]);
    }
}

/* What is in a folder like /tmp and belongs to a third user is not followed. */
static void test_planted_links(void **state)
{
    static const struct {
        mode_t mode;
        uid_t folder, link;
        em_status want;
    } cases[] = {
        {01777, 1, 2, EM_E_PERMISSION}, {01777, 2, 2, EM_OK},
        {01777, 1, 0, EM_OK},           {0777, 1, 2, EM_OK},
        {01755, 1, 2, EM_OK},
    };
    bench *b = *state;
    if (geteuid() != 0)
        skip();
    scratch_folder(b->root, "tmp");
    scratch_link(b->root, "tmp/link", "../f");
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_int_equal(chmod(scratch_path(b->root, "tmp"), cases[i].mode), 0);
        assert_int_equal(chown(scratch_path(b->root, "tmp"), cases[i].folder, 0), 0);
        assert_int_equal(lchown(scratch_path(b->root, "tmp/link"), cases[i].link, 0), 0);
        check_refused(b, "tmp/link", cases[i].want);
    }
}

/* ---- Kinds of files -------------------------------------------------------------------------- */

/* A17, A18: found at once and told by their mode, never opened for reading or writing. */
static void test_odd_files(void **state)
{
    bench *b = *state;
    const char *fifo = scratch_path(b->root, "fifo");
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    assert_int_equal(mkfifo(fifo, 0644), 0);
    check_place(b, "fifo", "fifo");
    assert_true(S_ISFIFO(b->place.stat.mode));
    check_refused(b, "fifo/x", EM_E_NOT_FOUND);

    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    snprintf(address.sun_path, sizeof address.sun_path, "%s", scratch_path(b->root, "socket"));
    assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof address), 0);
    close(fd);
    check_place(b, "socket", "socket");
    assert_true(S_ISSOCK(b->place.stat.mode));

    open_root(b, "/dev");
    check_place(b, "null", "null");
    assert_true(S_ISCHR(b->place.stat.mode));
}

/* ---- Roots ----------------------------------------------------------------------------------- */

static void test_root_by_a_link(void **state)
{
    bench *b = *state;
    char spelled[SCRATCH_PATH];
    scratch_link(b->base, "link", "ws");
    strcpy(spelled, scratch_path(b->base, "link"));
    open_root(b, spelled);
    assert_string_equal(b->roots.items[0].path, b->root);
    assert_string_equal(b->roots.items[0].spelling, spelled);
    check_place(b, "a/b/c", "a/b/c");
    check_place(b, scratch_path(spelled, "f"), "f");
    check_place(b, scratch_path(b->root, "f"), "f");
    check_refused(b, scratch_path(b->base, "link-evil"), EM_E_OUTSIDE);
    /* the spelling is the caller's word, not that of a link in the root */
    scratch_link(b->root, "inner", scratch_path(spelled, "f"));
    check_refused(b, "inner", EM_E_OUTSIDE);
}

static void test_relative_roots(void **state)
{
    bench *b = *state;
    const char *both[] = {"ws", "./ws-evil/../ws/a"};
    int before = open(".", O_PATH | O_CLOEXEC);
    assert_int_equal(chdir(b->base), 0);
    open_roots(b, both, 2);
    assert_string_equal(b->roots.items[0].path, b->root);
    assert_string_equal(b->roots.items[0].spelling, b->root);
    assert_string_equal(b->roots.items[1].path, scratch_path(b->root, "a"));

    assert_int_equal(chdir(b->root), 0);
    open_roots(b, NULL, 0);
    assert_int_equal(b->roots.count, 1);
    assert_string_equal(b->roots.items[0].path, b->root);
    check_place(b, "a/b/c", "a/b/c");
    check_place(b, scratch_path(b->root, "f"), "f");

    assert_int_equal(chdir("/"), 0);
    open_root(b, "etc");
    assert_string_equal(b->roots.items[0].spelling, "/etc");
    open_root(b, ".");
    assert_string_equal(b->roots.items[0].path, "/");
    assert_int_equal(fchdir(before), 0);
    close(before);
}

static void test_nested_roots(void **state)
{
    bench *b = *state;
    const char *paths[] = {b->root, scratch_path(b->root, "a/b"), scratch_path(b->root, "a")};
    static const struct {
        const char *path, *rel;
        size_t root;
    } cases[] = {
        {"f", "f", 0}, {"a/x", "x", 2}, {"a/b/c", "c", 1}, {"a/b", ".", 1}, {"a/bc", "bc", 2},
    };
    scratch_put(b->root, "a/x", "");
    scratch_put(b->root, "a/bc", "");
    open_roots(b, paths, 3);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        check_resolve(b, scratch_path(b->root, cases[i].path), false, EM_OK);
        assert_ptr_equal(b->place.root, &b->roots.items[cases[i].root]);
        assert_string_equal(b->place.rel, cases[i].rel);
    }
    check_place(b, "a/b/c", "a/b/c"); /* a relative path begins at the first root */
    check_refused(b, scratch_path(b->base, "ws-evil"), EM_E_OUTSIDE);
}

static void test_root_of_everything(void **state)
{
    bench *b = *state;
    open_root(b, "/");
    assert_string_equal(b->roots.items[0].path, "/");
    check_place(b, "/", ".");
    assert_string_equal(b->place.path, "/");
    check_place(b, scratch_path(b->root, "f"), scratch_path(b->root, "f") + 1);
    check_place(b, scratch_path(b->root, "f") + 1, scratch_path(b->root, "f") + 1);
    check_place(b, "..", "."); /* above "/" is "/" itself */
    check_place(b, "/../..", ".");
    scratch_link(b->root, "link", b->root);
    check_place(b, scratch_path(b->root, "link/f"), scratch_path(b->root, "f") + 1);
    check_place(b, "/proc/self/root", "."); /* its text, not its target */
}

static void test_roots_that_cannot_be(void **state)
{
    bench *b = *state;
    struct {
        const char *path;
        em_status want;
    } cases[] = {
        {"", EM_E_INVALID},
        {scratch_path(b->base, "none"), EM_E_NOT_FOUND},
        {scratch_path(b->root, "f"), EM_E_NOT_FOUND},
        {scratch_path(b->root, "loop"), EM_E_PATH},
    };
    scratch_link(b->root, "loop", "loop");
    em_roots_close(b->sys, &b->roots);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const char *paths[] = {b->root, cases[i].path};
        check_status(cases[i].path, em_roots_open(b->sys, paths, 2, &b->roots, &b->err),
                     cases[i].want);
        assert_int_equal(b->roots.count, 0);
        assert_null(b->roots.items);
    }
    assert_int_equal(scratch_descriptors(), b->descriptors);
}

static int cwd_outside(void *context, char *out, size_t size)
{
    (void)context;
    snprintf(out, size, "(unreachable)/x");
    return 0;
}

static void test_current_folder_that_cannot_be_reached(void **state)
{
    bench *b = *state;
    em_sys sys = em_sys_native;
    em_roots none;
    sys.cwd = cwd_outside;
    check_status("unreachable", em_roots_open(&sys, NULL, 0, &none, &b->err), EM_E_NOT_FOUND);
    assert_string_equal(b->err.detail,
                        "cannot work in the root: getcwd .: No such file or directory");
}

/* ---- Attackers ------------------------------------------------------------------------------- */

typedef struct attacker {
    int dir;
    const char *one, *other;
    atomic_bool stop;
    unsigned long swaps;
} attacker;

static void *attack(void *context)
{
    attacker *a = context;
    while (!atomic_load_explicit(&a->stop, memory_order_relaxed)) {
        renameat2(a->dir, a->one, a->dir, a->other, RENAME_EXCHANGE);
        a->swaps++;
    }
    return NULL;
}

/* Somebody swaps `one` for `other` all the time; whatever is found never has the inode of what is
 * outside. */
static void check_never_outside(bench *b, const char *one, const char *other,
                                const char *const *paths, size_t path_count, const char *outside)
{
    enum { TRIES = 25000 };
    attacker a = {.dir = open(b->root, O_PATH | O_CLOEXEC), .one = one, .other = other};
    pthread_t thread;
    struct stat forbidden;
    unsigned long inside = 0, refused = 0, escapes = 0;
    assert_int_equal(stat(outside, &forbidden), 0);
    assert_int_equal(pthread_create(&thread, NULL, attack, &a), 0);
    for (size_t i = 0; i < TRIES; i++) {
        if (resolve(b, paths[i % path_count], true) != EM_OK) {
            refused++;
        } else {
            struct stat dir;
            assert_int_equal(fstat(b->place.dir, &dir), 0);
            escapes += dir.st_ino == forbidden.st_ino || b->place.stat.ino == forbidden.st_ino;
            inside++;
        }
        em_arena_drop(&b->arena);
    }
    atomic_store(&a.stop, true);
    assert_int_equal(pthread_join(thread, NULL), 0);
    close(a.dir);
    assert_int_equal(escapes, 0);
    assert_true(a.swaps > 100);
    if (inside == 0 || refused == 0) /* then nothing was raced */
        fail_msg("%lu found, %lu refused", inside, refused);
}

static void test_folder_swapped_for_a_link(void **state) /* A12 */
{
    static const char *const paths[] = {"d/secret", "d/../d/secret", "d/new",
                                        "a/../d/sub/../secret"};
    bench *b = *state;
    scratch_folder(b->root, "d");
    scratch_put(b->root, "d/secret", "mine");
    scratch_folder(b->root, "d/sub");
    scratch_link(b->root, "evil", "../ws-evil");
    check_never_outside(b, "d", "evil", paths, COUNT_OF(paths), scratch_path(b->base, "ws-evil"));
}

static void test_file_swapped_for_a_link(void **state) /* A13 */
{
    static const char *const paths[] = {"f", "a/../f"};
    bench *b = *state;
    scratch_link(b->root, "evil", "../ws-evil/secret");
    check_never_outside(b, "f", "evil", paths, COUNT_OF(paths),
                        scratch_path(b->base, "ws-evil/secret"));
}

/* A folder moved out of the root while the walk stands in it: `..` does not lead to where it is
 * now. */
static char moved_from[SCRATCH_PATH], moved_to[SCRATCH_PATH];

static void move_away(void *context)
{
    (void)context;
    assert_int_equal(rename(moved_from, moved_to), 0);
}

static void test_folder_moved_out(void **state)
{
    bench *b = *state;
    strcpy(moved_from, scratch_path(b->root, "a/b"));
    strcpy(moved_to, scratch_path(b->base, "ws-evil/moved"));
    fault_sys faulty;
    fault_sys_init(&faulty, &em_sys_native);
    b->sys = &faulty.sys;
    check_place(b, "a/b/../b/c", "a/b/c");
    for (long at = 1; at <= 16; at++) {
        faulty.fault = (fault){.kind = FAULT_HOOK, .at = faulty.calls + at, .hook = move_away};
        faulty.hit = false;
        em_status status = resolve(b, "a/b/../secret", false);
        if (!faulty.hit)
            break;
        check_status("secret", status, EM_E_NOT_FOUND);
        assert_int_equal(rename(moved_to, moved_from), 0);
    }
    assert_false(faulty.hit);
    em_resolved_close(b->sys, &b->place);
    b->sys = &em_sys_native;
    fault_sys_drop(&faulty);
}

/* ---- Faults ---------------------------------------------------------------------------------- */

typedef em_status (*action)(bench *b);

static em_status resolve_through_links(bench *b)
{
    return resolve(b, "a/b/../../in/c", false);
}

static em_status resolve_folder(bench *b)
{
    return resolve(b, ".", false);
}

static em_status resolve_missing(bench *b)
{
    return resolve(b, "x/y/z", true);
}

static em_status open_two_roots(bench *b)
{
    const char *paths[] = {b->root, "."};
    em_roots roots;
    em_status status = em_roots_open(b->sys, paths, 2, &roots, &b->err);
    em_roots_close(b->sys, &roots);
    return status;
}

static const struct {
    const char *what;
    action run;
} actions[] = {
    {"a way through links", resolve_through_links},
    {"a folder", resolve_folder},
    {"a missing file", resolve_missing},
    {"two roots", open_two_roots},
};

static void setup_faults(bench *b, fault_sys *faulty)
{
    scratch_link(b->root, "in", scratch_path(b->root, "a/b"));
    fault_sys_init(faulty, &em_sys_native);
    b->sys = &faulty->sys;
}

static void teardown_faults(bench *b, fault_sys *faulty)
{
    em_resolved_close(b->sys, &b->place);
    b->sys = &em_sys_native;
    fault_sys_drop(faulty);
}

/* Each call in turn fails: the error is told, or the call was one that may fail (a leap, a close of
 * what was only looked at), and nothing stays open. */
static void test_every_call_may_fail(void **state)
{
    bench *b = *state;
    fault_sys faulty;
    setup_faults(b, &faulty);
    for (size_t i = 0; i < COUNT_OF(actions); i++) {
        int refusals = 0;
        for (long at = 1;; at++) {
            em_resolved_close(b->sys, &b->place);
            int before = scratch_descriptors();
            faulty.hit = false;
            faulty.fault = (fault){.kind = FAULT_ERROR, .at = faulty.calls + at, .error = EIO};
            em_status status = actions[i].run(b);
            if (!faulty.hit)
                break;
            if (status != EM_OK) {
                check_status(actions[i].what, status, EM_E_IO);
                assert_int_equal(b->err.sys, EIO);
                refusals++;
            }
            em_resolved_close(b->sys, &b->place);
            assert_int_equal(scratch_descriptors(), before);
        }
        assert_true(refusals > 1);
    }
    teardown_faults(b, &faulty);
}

static void test_signals_do_no_harm(void **state)
{
    bench *b = *state;
    fault_sys faulty;
    setup_faults(b, &faulty);
    faulty.stutters = true;
    for (size_t i = 0; i < COUNT_OF(actions); i++)
        check_status(actions[i].what, actions[i].run(b), EM_OK);
    teardown_faults(b, &faulty);
}

static void test_memory_may_end(void **state)
{
    bench *b = *state;
    scratch_link(b->root, "in", scratch_path(b->root, "a/b"));
    for (size_t i = 0; i < COUNT_OF(actions); i++) {
        bool ended = true;
        for (long at = 1; ended; at++) {
            em_resolved_close(b->sys, &b->place);
            em_arena_drop(&b->arena);
            int before = scratch_descriptors();
            memory_ends_at(at);
            em_status status = actions[i].run(b);
            ended = memory_ended();
            memory_ends_at(0);
            check_status(actions[i].what, status, ended ? EM_E_NOMEM : EM_OK);
            em_resolved_close(b->sys, &b->place);
            assert_int_equal(scratch_descriptors(), before);
        }
    }
}

/* A23: an empty link, which Linux does not make. */
static ssize_t read_empty_link(void *context, int dir, const char *path, char *out, size_t size)
{
    (void)context;
    (void)dir;
    (void)path;
    (void)out;
    (void)size;
    return 0;
}

static void test_empty_link(void **state)
{
    bench *b = *state;
    em_sys sys = em_sys_native;
    sys.readlink = read_empty_link;
    b->sys = &sys;
    scratch_link(b->root, "empty", "f");
    check_refused(b, "empty", EM_E_NOT_FOUND);
    b->sys = &em_sys_native;
}

/* What would be there is on the way as if it were; nothing of it is entered. */
static void test_what_is_foreseen(void **state)
{
    static const struct {
        const char *path;
        bool may_be_missing;
        em_status want;
        const char *rel; /* where it leads */
        size_t missing, foreseen;
    } cases[] = {
        {"new/x", false, EM_OK, "new/x", 1, 1},
        {"to-file", false, EM_OK, "new/x", 1, 1},
        {"to-folder/x", false, EM_OK, "new/x", 1, 1},
        {"to-folder/y", true, EM_OK, "new/y", 1, 1},
        {"to-folder/y", false, EM_E_NOT_FOUND, NULL, 0, 0},
        {"new/other/y", true, EM_OK, "new/other/y", 2, 1},
        {"new/deep/z", false, EM_OK, "new/deep/z", 2, 2},
        {"new/deep/../x", false, EM_OK, "new/x", 1, 1},
        {"new/../f", false, EM_OK, "f", 0, 0},
        {"new/../a/n", false, EM_OK, "a/n", 0, 0},
        {"new", false, EM_OK, "new", 0, 0}, /* a folder, for the caller to judge */
        {"to-folder/deep/", false, EM_OK, "new/deep", 1, 1},
        {"to-other", true, EM_E_NOT_FOUND, NULL, 0, 0},
        {"new/x/y", true, EM_E_NOT_FOUND, NULL, 0, 0},
        {"new/x/", true, EM_E_NOT_FOUND, NULL, 0, 0},
        {"to-file/y", true, EM_E_NOT_FOUND, NULL, 0, 0},
        {"new/none/../y", true, EM_E_NOT_FOUND, NULL, 0, 0},
        {"new/../../f", true, EM_E_OUTSIDE, NULL, 0, 0},
        {"ne", false, EM_E_NOT_FOUND, NULL, 0, 0},
        {"new/xx", false, EM_E_NOT_FOUND, NULL, 0, 0},
    };
    bench *b = *state;
    const char *const made[] = {em_root_join(&b->roots.items[0], "new/x", &b->arena),
                                em_root_join(&b->roots.items[0], "new/deep/z", &b->arena),
                                em_root_join(&b->roots.items[0], "a/n", &b->arena)};
    scratch_link(b->root, "to-file", "new/x");
    scratch_link(b->root, "to-folder", "new");
    scratch_link(b->root, "to-other", "new/y");
    b->roots.foreseen = (em_foreseen){made, sizeof made / sizeof *made};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check_resolve(b, cases[i].path, cases[i].may_be_missing, cases[i].want);
        if (!cases[i].rel)
            continue;
        assert_string_equal(b->place.rel, cases[i].rel);
        assert_int_equal(b->place.missing_count, cases[i].missing);
        assert_int_equal(b->place.foreseen_count, cases[i].foreseen);
    }
    check_resolve(b, "new/x", false, EM_OK);
    assert_int_equal(b->place.file, -1);
    assert_string_equal(b->place.name, "x");
    assert_string_equal(b->place.missing[0], "new");
    b->roots.foreseen = (em_foreseen){0};
    check_resolve(b, "to-file", true, EM_E_NOT_FOUND);
}

/* A way that enters what is not there, and leaves it again. */
static void test_up_from_what_is_missing(void **state)
{
    bench *b = *state;
    check_resolve(b, "a/none/../f", true, EM_E_NOT_FOUND);
    assert_string_equal(b->err.detail, "a/none is a folder that is not there");
    assert_int_equal(b->err.sys, ENOENT);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_paths_by_table),
        TEST(test_refusals_by_table),
        TEST(test_errors_name_the_path),
        TEST(test_absolute_paths),
        TEST(test_refusals_tell_the_way),
        TEST(test_paths_below_a_root),
        TEST(test_names_are_bytes),
        TEST(test_lengths),
        TEST(test_missing_files),
        TEST(test_many_missing_folders),
        TEST(test_links_inside),
        TEST(test_links_outside),
        TEST(test_links_that_lead_nowhere),
        TEST(test_forty_links_and_no_more),
        TEST(test_links_that_grow_too_long),
        TEST(test_folders_that_lie_too_deep),
        TEST(test_planted_links),
        TEST(test_odd_files),
        TEST(test_root_by_a_link),
        TEST(test_relative_roots),
        TEST(test_nested_roots),
        TEST(test_root_of_everything),
        TEST(test_roots_that_cannot_be),
        TEST(test_current_folder_that_cannot_be_reached),
        TEST(test_folder_swapped_for_a_link),
        TEST(test_file_swapped_for_a_link),
        TEST(test_folder_moved_out),
        TEST(test_every_call_may_fail),
        TEST(test_signals_do_no_harm),
        TEST(test_memory_may_end),
        TEST(test_empty_link),
        TEST(test_what_is_foreseen),
        TEST(test_up_from_what_is_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
