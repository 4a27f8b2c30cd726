/* path_fuzz.c: paths, resolved beside a model that is too simple to be wrong.
 *
 * The tree is made once: folders, files, links that stay inside, that lead out, that go in circles,
 * that lead nowhere. The input is a path (NULs in it are slashes: no caller lets one through). The
 * model walks a table of names and knows nothing of descriptors. What the two say must agree, what
 * is found must be the very inode that the model names, and with what stands in for openat2 it must
 * be the same.
 */
#include "../remove_tree.h"
#include "fuzz.h"

#include "base/strbuf.h"
#include "paths/root.h"

#include <errno.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

const em_slice em_fuzz_seeds[] = {
    SEED("a.txt"),
    SEED("d/b.txt"),
    SEED("./d//../a.txt"),
    SEED("../x"),
    SEED("d/e/../../a.txt"),
    SEED("d/e/../../../a.txt"),
    SEED("none/../../a.txt"),
    SEED("a.txt/../../a.txt"),
    SEED("in"),
    SEED("in/b.txt"),
    SEED("up/a.txt"),
    SEED("out"),
    SEED("out/x"),
    SEED("and-back/a.txt"),
    SEED("one"),
    SEED("dangling"),
    SEED("none/of/these.txt"),
    SEED("a.txt/"),
    SEED("d/"),
    SEED("new/"),
    SEED("deep/deep/deep/a.txt"),
    SEED("abs/a.txt"),
    SEED("\xC3\xA9"),
    SEED("%/a.txt"),
    {NULL, 0},
};
const em_slice em_fuzz_words[] = {
    SEED("/"),    SEED(".."),       SEED("../"),      SEED("."),   SEED("//"),    SEED("d"),
    SEED("e"),    SEED("in"),       SEED("up"),       SEED("out"), SEED("one"),   SEED("abs"),
    SEED("deep"), SEED("dangling"), SEED("and-back"), SEED("%"),   SEED("a.txt"), {NULL, 0},
};

/* ---- The tree -------------------------------------------------------------------------------- */

enum { OUTSIDE_ROOT = -2, NO_NODE = -1, ROOT = 0 };

/* `link`: where a link leads, with the root's path for a "%" in front; NULL for others. */
typedef struct node {
    int parent;
    const char *name;
    bool folder;
    const char *link;
} node;

static const node tree[] = {
    {ROOT, "", true, NULL}, /* the root, its own parent */
    {ROOT, "a.txt", false, NULL},
    {ROOT, "d", true, NULL},
    {2, "b.txt", false, NULL},
    {2, "e", true, NULL},
    {ROOT, "in", false, "d"},
    {4, "up", false, "../.."},
    {ROOT, "up", false, "d/e/up"},
    {ROOT, "out", false, "../outside"},
    {ROOT, "and-back", false, "../root"},
    {ROOT, "one", false, "two"},
    {ROOT, "two", false, "./one"},
    {ROOT, "dangling", false, "d/nothing"},
    {ROOT, "abs", false, "%"},
    {ROOT, "abs-out", false, "/etc"},
    {ROOT, "abs-file", false, "%/d//b.txt"},
    {ROOT, "deep", false, "."},
    {ROOT, "\xC3\xA9", false, NULL},
};
enum { NODES = sizeof tree / sizeof *tree };

static char base[] = "/tmp/emend-paths-XXXXXX";
static char root_path[sizeof base + 8];
static ino_t inodes[NODES];
static em_roots roots;

static void clean_up(void)
{
    em_roots_close(&em_sys_native, &roots);
    remove_tree(base);
}

static void path_of(int index, char out[static PATH_MAX])
{
    if (index == ROOT) {
        snprintf(out, PATH_MAX, "%s", root_path);
        return;
    }
    path_of(tree[index].parent, out);
    size_t length = strlen(out);
    snprintf(out + length, PATH_MAX - length, "/%s", tree[index].name);
}

static void make_node(int index)
{
    char path[PATH_MAX], target[PATH_MAX];
    struct stat st;
    const node *n = &tree[index];
    path_of(index, path);
    if (n->link) {
        bool absolute = n->link[0] == '%';
        snprintf(target, sizeof target, "%s%s", absolute ? root_path : "", n->link + absolute);
        HOLDS(symlink(target, path) == 0);
    } else if (n->folder) {
        HOLDS(mkdir(path, 0700) == 0);
    } else {
        FILE *file = fopen(path, "wb");
        HOLDS(file && fclose(file) == 0);
    }
    HOLDS(lstat(path, &st) == 0);
    inodes[index] = st.st_ino;
}

static void build(void)
{
    char outside[sizeof base + 16];
    em_error err = EM_ERROR_INIT;
    if (roots.count > 0)
        return;
    HOLDS(mkdtemp(base));
    atexit(clean_up);
    snprintf(root_path, sizeof root_path, "%s/root", base);
    snprintf(outside, sizeof outside, "%s/outside", base);
    HOLDS(mkdir(outside, 0700) == 0);
    for (int i = 0; i < NODES; i++)
        make_node(i);
    const char *paths[] = {root_path};
    HOLDS(em_roots_open(&em_sys_native, paths, 1, &roots, &err) == EM_OK);
}

/* ---- The model ------------------------------------------------------------------------------- */

typedef struct answer {
    em_status status;
    int node; /* that was found; NO_NODE: it is missing, and may be made */
} answer;

static int child_of(int parent, em_slice name)
{
    for (int i = 1; i < NODES; i++)
        if (tree[i].parent == parent && em_slice_is(name, tree[i].name))
            return i;
    return NO_NODE;
}

static em_slice next_name(em_slice *way)
{
    for (;;) {
        while (way->len > 0 && way->ptr[0] == '/')
            *way = em_slice_from(*way, 1);
        size_t length = 0;
        while (length < way->len && way->ptr[length] != '/')
            length++;
        em_slice name = em_slice_sub(*way, 0, length);
        *way = em_slice_from(*way, length);
        if (!em_slice_is(name, "."))
            return name;
    }
}

/* The names that are still to come, put to the front of what is left of `way`. */
static void prepend(em_strbuf *out, em_slice front, em_slice way)
{
    em_strbuf_add(out, front);
    em_strbuf_add(out, way);
}

/* Of a name that is not there, and what is behind it. */
static em_status missing(em_slice way)
{
    for (;;) {
        bool more = way.len > 0;
        em_slice name = next_name(&way);
        if (name.len == 0)
            return more ? EM_E_IS_FOLDER : EM_OK;
        if (em_slice_is(name, ".."))
            return EM_E_NOT_FOUND;
        if (name.len > NAME_MAX)
            return EM_E_PATH;
    }
}

/* Do the names of the way lead out of the root, behind one in `at` where it cannot go on? */
static bool lead_out(int at, em_slice way)
{
    int depth = 1;
    for (; at != ROOT; at = tree[at].parent)
        depth++;
    for (em_slice name = next_name(&way); name.len > 0; name = next_name(&way)) {
        depth += em_slice_is(name, "..") ? -1 : 1;
        if (depth < 0)
            return true;
    }
    return false;
}

/* The way cannot go on behind a name in `at`. */
static answer stuck(int at, em_slice way, em_status status)
{
    bool outside = status == EM_E_NOT_FOUND && lead_out(at, way);
    return (answer){outside ? EM_E_OUTSIDE : status, NO_NODE};
}

/* The text of a link, as a way from the root (*from_root) or from its folder; false: it leads out.
 */
static bool link_way(const node *n, bool *from_root, em_slice *way)
{
    *from_root = n->link[0] == '%';
    *way = em_slice_from(em_slice_of(n->link), *from_root);
    return *from_root || n->link[0] != '/';
}

/* `own`: how many bytes at the end of the way are the caller's own. */
static answer walk(int at, em_slice way, size_t own, int links)
{
    for (;;) {
        em_slice name = next_name(&way);
        if (name.len == 0)
            return (answer){EM_OK, at};
        if (em_slice_is(name, "..")) {
            if (at == ROOT)
                return (answer){EM_E_OUTSIDE, NO_NODE};
            at = tree[at].parent;
            continue;
        }
        if (name.len > NAME_MAX)
            return (answer){EM_E_PATH, NO_NODE};
        bool mine = name.len + way.len <= own;
        int child = child_of(at, name);
        if (child == NO_NODE)
            return stuck(at, way, mine ? missing(way) : EM_E_NOT_FOUND);
        if (tree[child].link) {
            EM_AUTO(em_strbuf) joined = {0};
            em_slice front;
            bool from_root;
            if (links == 40)
                return (answer){EM_E_PATH, NO_NODE};
            if (!link_way(&tree[child], &from_root, &front))
                return (answer){EM_E_OUTSIDE, NO_NODE};
            prepend(&joined, front, way);
            return walk(from_root ? ROOT : at, em_strbuf_slice(&joined),
                        mine            ? way.len
                        : own < way.len ? own
                                        : way.len,
                        links + 1);
        }
        if (!tree[child].folder && way.len > 0)
            return stuck(at, way, EM_E_NOT_FOUND);
        if (!tree[child].folder)
            return (answer){EM_OK, child};
        at = child;
    }
}

/* ---- The harness ----------------------------------------------------------------------------- */

/* A path with the root's own path for a "%" in front. */
static void write_path(const uint8_t *data, size_t size, char path[static 2 * PATH_MAX])
{
    size_t length = 0;
    if (size > 0 && data[0] == '%') {
        length = (size_t)snprintf(path, PATH_MAX, "%s/", root_path);
        data++;
        size--;
    }
    for (size_t i = 0; i < size && i < PATH_MAX; i++)
        path[length++] = data[i] == '\0' ? '/' : (char)data[i];
    path[length] = '\0';
}

static answer model(const char *path)
{
    em_slice way = em_slice_of(path);
    if (way.len == 0)
        return (answer){EM_E_INVALID, NO_NODE};
    if (way.len >= PATH_MAX)
        return (answer){EM_E_PATH, NO_NODE};
    if (path[0] == '/') { /* inside as far as it goes by names alone */
        em_slice rest = way, inside = em_slice_of(root_path);
        for (em_slice want = next_name(&inside); want.len > 0; want = next_name(&inside))
            if (!em_slice_eq(want, next_name(&rest)))
                return (answer){EM_E_OUTSIDE, NO_NODE};
        way = rest;
    }
    return walk(ROOT, way, way.len, 0);
}

static void check(const char *path, answer want)
{
    EM_AUTO(em_arena) arena = {0};
    em_error err = EM_ERROR_INIT;
    em_resolved place;
    em_status got = em_root_resolve(&em_sys_native, &roots, path, true, &arena, &place, &err);
    if (got != want.status)
        fprintf(stderr, "%s: %d, not %d: %s\n", path, (int)got, (int)want.status, err.detail);
    HOLDS(got == want.status);
    if (got == EM_OK && want.node != NO_NODE) {
        HOLDS(place.file >= 0 && place.stat.ino == inodes[want.node]);
        HOLDS(em_root_rel(&roots.items[0], place.path));
    } else if (got == EM_OK) {
        HOLDS(place.file < 0 && place.dir >= 0);
    }
    em_resolved_close(&em_sys_native, &place);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[2 * PATH_MAX];
    build();
    write_path(data, size, path);
    check(path, model(path));
    return 0;
}
