/* root_open.c: the roots: opened, still where they were, and how paths name what is in them. */
#include "paths/root_impl.h"

#include "system/names.h"
#include "system/sys_io.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- Paths --------------------------------------------------------------------------------- */

em_slice em_path_next(em_slice *path)
{
    for (;;) {
        while (path->len > 0 && path->ptr[0] == '/')
            *path = em_slice_from(*path, 1);
        size_t length = 0;
        while (length < path->len && path->ptr[length] != '/')
            length++;
        em_slice name = em_slice_sub(*path, 0, length);
        *path = em_slice_from(*path, length);
        if (!em_slice_is(name, "."))
            return name;
    }
}

bool em_path_below(em_slice path, em_slice folder, em_slice *rest)
{
    for (;;) {
        em_slice want = em_path_next(&folder);
        if (want.len == 0)
            break;
        if (!em_slice_eq(want, em_path_next(&path)))
            return false;
    }
    *rest = path;
    return true;
}

static const char *rel_below(const char *folder, const char *path)
{
    em_slice below;
    if (!em_path_below(em_slice_of(path), em_slice_of(folder), &below))
        return NULL;
    const char *rel = below.ptr + strspn(below.ptr, "/"); /* what is left begins with a slash */
    return rel[0] != '\0' ? rel : ".";
}

const char *em_root_rel(const em_root *root, const char *path)
{
    return rel_below(root->path, path);
}

const char *em_root_rel_sent(const em_root *root, const char *path)
{
    const char *rel = em_root_rel(root, path);
    return rel ? rel : rel_below(root->spelling, path);
}

const char *em_root_join(const em_root *root, const char *rel, em_arena *arena)
{
    if (strcmp(rel, ".") == 0)
        return em_arena_string(arena, em_slice_of(root->path));
    bool is_top = strcmp(root->path, "/") == 0;
    return em_arena_format(arena, "%s/%s", is_top ? "" : root->path, rel);
}

/* ---- Is it still there? -------------------------------------------------------------------- */

static em_status root_is_gone(const em_root *root, const char *what, em_error *err)
{
    return em_fail(err, EM_E_IO,
                   "the root %s was %s since emend was started: start it again to have what is "
                   "there now",
                   root->path, what);
}

em_status em_root_check(const em_sys *sys, const em_root *root, const char *path, bool to_make,
                        em_error *err)
{
    em_stat held, named;
    em_slice below;
    int result = EM_SYS_RETRY(sys, stat, root->fd, "", AT_EMPTY_PATH, &held);
    if (result < 0)
        return EM_OK; /* that is for others to find out */
    if (held.nlink == 0)
        return root_is_gone(root, "removed", err);
    if (to_make && path[0] != '/')
        return EM_OK;
    bool spelled =
        path[0] == '/' && !em_path_below(em_slice_of(path), em_slice_of(root->path), &below);
    result = EM_SYS_RETRY(sys, stat, AT_FDCWD, spelled ? root->spelling : root->path, 0, &named);
    if (result == -ENOENT || result == -ENOTDIR)
        return root_is_gone(root, "moved", err);
    return result == 0 && !em_stat_same_inode(&held, &named) ? root_is_gone(root, "replaced", err)
                                                             : EM_OK;
}

/* ---- Opening ------------------------------------------------------------------------------- */

static em_status current_folder(const em_sys *sys, char out[static PATH_MAX], em_error *err)
{
    int result = EM_SYS_RETRY(sys, cwd, out, PATH_MAX);
    if (result == 0 && out[0] != '/') /* it lies outside this process's root folder */
        result = -ENOENT;
    return result < 0 ? em_io_fail(err, result, "getcwd", ".") : EM_OK;
}

/* A folder by its absolute path, resolved from "/" like any other path. */
static em_status root_find(const em_sys *sys, em_root *root, em_error *err)
{
    EM_AUTO(em_arena) arena = {0};
    em_root top = {.path = "/", .spelling = "/"};
    em_resolved place;
    top.fd = EM_SYS_RETRY(sys, open, AT_FDCWD, "/", EM_PATH_FOLDER, 0, 0);
    if (top.fd < 0)
        return em_io_fail(err, top.fd, "open", "/");
    em_roots all = {.items = &top, .count = 1};
    em_status status = em_root_resolve(sys, &all, root->spelling, false, &arena, &place, err);
    EM_SYS(sys, close, top.fd);
    EM_TRY(status);
    if (!S_ISDIR(place.stat.mode)) {
        em_resolved_close(sys, &place);
        return em_io_fail(err, -ENOTDIR, "open", root->spelling);
    }
    EM_SYS(sys, close, place.dir);
    root->fd = place.file;
    root->path = strdup(place.path);
    return root->path ? EM_OK : EM_E_NOMEM;
}

/* The current folder: it may be used even where nobody may search the folders on the way to it. */
static em_status root_here(const em_sys *sys, em_root *root, em_error *err)
{
    root->path = strdup(root->spelling);
    if (!root->path)
        return EM_E_NOMEM;
    root->fd = EM_SYS_RETRY(sys, open, AT_FDCWD, ".", EM_PATH_FOLDER, 0, 0);
    return root->fd < 0 ? em_io_fail(err, root->fd, "open", ".") : EM_OK;
}

static em_status root_open(const em_sys *sys, const char *path, em_root *root, em_error *err)
{
    bool absolute = path[0] == '/', here = strcmp(path, ".") == 0;
    char folder[PATH_MAX] = "";
    if (path[0] == '\0')
        return em_fail(err, EM_E_INVALID, "the path of a root is empty");
    if (!absolute)
        EM_TRY(current_folder(sys, folder, err));
    const char *slash = absolute || here || strcmp(folder, "/") == 0 ? "" : "/";
    if (asprintf(&root->spelling, "%s%s%s", folder, slash, here ? "" : path) < 0) {
        root->spelling = NULL; /* asprintf leaves it undefined */
        return EM_E_NOMEM;
    }
    return here ? root_here(sys, root, err) : root_find(sys, root, err);
}

/* That it is a root which cannot be opened, and not a file that was asked for. */
static void tell_root(em_error *err)
{
    static const char lead[] = "cannot work in the root: ";
    char why[EM_DETAIL_SIZE - sizeof lead];
    if (!err || err->sys == 0)
        return;
    snprintf(why, sizeof why, "%.*s", (int)sizeof why - 1, err->detail);
    snprintf(err->detail, sizeof err->detail, "%s%s", lead, why);
}

em_status em_roots_open(const em_sys *sys, const char *const *paths, size_t count, em_roots *roots,
                        em_error *err)
{
    static const char *const here[] = {"."};
    if (count == 0) {
        paths = here;
        count = 1;
    }
    *roots = (em_roots){.items = calloc(count, sizeof *roots->items)};
    if (!roots->items)
        return EM_E_NOMEM;
    for (; roots->count < count; roots->count++)
        roots->items[roots->count].fd = -1;
    for (size_t i = 0; i < count; i++) {
        em_status status = root_open(sys, paths[i], &roots->items[i], err);
        if (status != EM_OK) {
            tell_root(err);
            em_roots_close(sys, roots);
            return status;
        }
    }
    return EM_OK;
}

void em_roots_close(const em_sys *sys, em_roots *roots)
{
    for (size_t i = 0; i < roots->count; i++) {
        em_root *root = &roots->items[i];
        if (root->fd >= 0)
            EM_SYS(sys, close, root->fd);
        free(root->path);
        free(root->spelling);
    }
    free(roots->items);
    *roots = (em_roots){0};
}
