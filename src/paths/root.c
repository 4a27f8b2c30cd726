/* root.c: the walk from a root to a file.
 *
 * The walk stands in a folder that it holds by descriptor and knows that folder's path from the
 * root. One component is opened at a time, with O_PATH and O_NOFOLLOW, and then judged by what was
 * opened: a folder is entered, a link's text is put before the rest of the way, anything else ends
 * the walk. Nobody but this file follows a link, so nobody can be led astray.
 *
 *  (1) The kernel is never asked to go up: for `..` the folder above is opened anew from the root,
 *      by the path that the walk knows, with links refused. So a folder that is moved out of the
 *      root meanwhile leads nowhere.
 *  (2) The text of a link is all that counts, also of those in /proc whose real target is another.
 *  (3) A link in a folder that is sticky and open to everybody is followed only where the kernel
 *      would do so (fs.protected_symlinks, see proc_sys_fs(5)).
 *  (4) Where nothing is the walk stays in the last folder that is there (root_missing.c).
 *
 * It does not know what the file is for, nor any rule but "inside".
 */
#include "paths/root_impl.h"

#include "system/sys_io.h"

#include <limits.h>
#include <unistd.h>

enum {
    LINKS_MAX = 40, /* as in the kernel */
    DOWN_ONLY = EM_RESOLVE_BENEATH | EM_RESOLVE_NO_SYMLINKS | EM_RESOLVE_NO_MAGIC,
};

/* ---- Failing ------------------------------------------------------------------------------- */

em_status em_root_walk_fail(em_root_walk *w, int result, const char *call)
{
    return em_io_fail(w->err, result, call, w->path);
}

em_status em_root_walk_failed_by(em_root_walk *w, em_status status, int sys)
{
    if (w->err)
        w->err->sys = sys;
    return status;
}

/* The way leaves the root that it began in; that may be for another of the roots. */
static em_status walk_outside(em_root_walk *w)
{
    em_status status = em_fail(w->err, EM_E_OUTSIDE, "leads out of its root: %s", w->path);
    return em_root_walk_failed_by(w, status, EXDEV);
}

/* ---- Moving -------------------------------------------------------------------------------- */

static void walk_stand_in(em_root_walk *w, int dir)
{
    if (w->dir != w->root->fd)
        EM_SYS(w->sys, close, w->dir);
    w->dir = dir;
}

const char *em_root_walk_way_to(const em_root_walk *w, em_slice name)
{
    return em_arena_format(w->arena, "%s%s%.*s", w->rel, w->rel_length > 0 ? "/" : "",
                           (int)name.len, name.ptr);
}

static void walk_stand_in_root(em_root_walk *w)
{
    walk_stand_in(w, w->root->fd);
    w->rel_length = 0;
    w->rel[0] = '\0';
}

bool em_root_walk_push(em_root_walk *w, em_slice name)
{
    size_t slash = w->rel_length > 0;
    if (w->rel_length + slash + name.len >= PATH_MAX)
        return false;
    if (slash)
        w->rel[w->rel_length] = '/';
    memcpy(w->rel + w->rel_length + slash, name.ptr, name.len);
    w->rel_length += slash + name.len;
    w->rel[w->rel_length] = '\0';
    return true;
}

void em_root_walk_pop(em_root_walk *w)
{
    while (w->rel_length > 0 && w->rel[w->rel_length - 1] != '/')
        w->rel_length--;
    if (w->rel_length > 0)
        w->rel_length--;
    w->rel[w->rel_length] = '\0';
}

/* Put `way` before the rest; false when that makes it too long. */
static bool rest_prepend(em_root_walk *w, em_slice way)
{
    size_t length = way.len + w->rest.len;
    if (length > PATH_MAX)
        return false;
    char *start = w->text + PATH_MAX - length;
    memcpy(start, way.ptr, way.len);
    w->rest = em_slice_make(start, length);
    return true;
}

/* The common case in one call: to the last folder of the way, where neither a link nor `..` is in
 * between. Where that does not work the walk stays where it is, and its steps will say why. */
static void walk_leap(em_root_walk *w)
{
    size_t length = w->rest.len;
    while (length > 0 && w->rest.ptr[length - 1] != '/')
        length--;
    em_slice way = em_slice_sub(w->rest, 0, length);
    for (em_slice name = em_path_next(&way); name.len > 0; name = em_path_next(&way)) {
        if (em_slice_is(name, "..") || !em_root_walk_push(w, name)) {
            walk_stand_in_root(w);
            return;
        }
    }
    if (w->rel_length == 0)
        return;
    int dir = EM_SYS_RETRY(w->sys, open, w->root->fd, w->rel, EM_PATH_FOLDER, 0, DOWN_ONLY);
    if (dir < 0) {
        walk_stand_in_root(w);
        return;
    }
    walk_stand_in(w, dir);
    w->rest = em_slice_from(w->rest, length);
}

/* A rule about this folder holds also where the way only passes through it: else it would tell
 * whether the folder is there. */
static em_status note_left(em_root_walk *w)
{
    em_resolved *place = w->place;
    const char *rel = em_arena_string(w->arena, em_slice_make(w->rel, w->rel_length));
    if (!rel || em_arena_grow(w->arena, (void **)&place->left, place->left_count, &place->left_room,
                              sizeof *place->left) != EM_OK)
        return EM_E_NOMEM;
    place->left[place->left_count++] = rel;
    return EM_OK;
}

static em_status walk_up(em_root_walk *w)
{
    bool at_root = w->rel_length == 0;
    if (at_root && strcmp(w->root->path, "/") == 0)
        return EM_OK; /* above "/" is "/" itself */
    if (at_root)
        return walk_outside(w);
    EM_TRY(note_left(w));
    em_root_walk_pop(w);
    if (w->missing_count > 0) {
        w->missing_count--;
        return EM_OK;
    }
    if (w->rel_length == 0) {
        walk_stand_in_root(w);
        return EM_OK;
    }
    int dir = EM_SYS_RETRY(w->sys, open, w->root->fd, w->rel, EM_PATH_FOLDER, 0, DOWN_ONLY);
    if (dir < 0)
        return em_root_walk_fail(w, dir, "open");
    walk_stand_in(w, dir);
    return EM_OK;
}

/* ---- Links --------------------------------------------------------------------------------- */

/* Would the kernel, in its protection against links planted in folders like /tmp, refuse to follow
 * this one? */
static em_status link_check_owner(em_root_walk *w, const em_stat *link)
{
    em_stat folder;
    int result = EM_SYS_RETRY(w->sys, stat, w->dir, "", AT_EMPTY_PATH, &folder);
    if (result < 0)
        return em_root_walk_fail(w, result, "stat");
    bool guarded = (folder.mode & S_ISVTX) && (folder.mode & S_IWOTH);
    if (guarded && link->uid != geteuid() && link->uid != folder.uid)
        return em_root_walk_fail(w, -EACCES, "follow");
    return EM_OK;
}

/* Put the text of a link before the rest of the way; `own` says whether the caller named the
 * link. */
static em_status walk_follow(em_root_walk *w, int link, const em_stat *stat, bool own)
{
    char text[PATH_MAX];
    EM_TRY(link_check_owner(w, stat));
    if (++w->links > LINKS_MAX)
        return em_root_walk_fail(w, -ELOOP, "follow");
    ssize_t length = EM_SYS_RETRY(w->sys, readlink, link, "", text, sizeof text);
    if (length < 0)
        return em_root_walk_fail(w, (int)length, "readlink");
    if (length == 0)
        return em_root_walk_fail(w, -ENOENT, "follow");

    em_slice target = em_slice_make(text, (size_t)length);
    if (text[0] == '/') {
        if (!em_path_below(target, em_slice_of(w->root->path), &target))
            return walk_outside(w);
        walk_stand_in_root(w);
    }
    if (own)
        w->own = w->rest.len;
    return rest_prepend(w, target) ? EM_OK : em_root_walk_fail(w, -ENAMETOOLONG, "follow");
}

static em_status walk_follow_own(em_root_walk *w, int link, const em_stat *stat, em_slice name)
{
    w->link = em_root_walk_way_to(w, name);
    return w->link ? walk_follow(w, link, stat, true) : EM_E_NOMEM;
}

/* ---- Steps --------------------------------------------------------------------------------- */

/* The way ends at a folder, the one that the walk stands in. */
static em_status walk_end_at_folder(em_root_walk *w)
{
    if (w->missing_count > 0)
        return em_root_walk_end_at_missing(w);
    int fd = EM_SYS_RETRY(w->sys, open, w->dir, ".", EM_PATH_FOLDER, 0, 0);
    if (fd < 0)
        return em_root_walk_fail(w, fd, "open");
    w->place->file = fd;
    w->place->name = ".";
    int result = EM_SYS_RETRY(w->sys, stat, fd, "", AT_EMPTY_PATH, &w->place->stat);
    return result < 0 ? em_root_walk_fail(w, result, "stat") : EM_OK;
}

em_status em_root_walk_blocked(em_root_walk *w, em_slice name)
{
    if (!em_root_walk_push(w, name))
        return em_root_walk_fail(w, -ENAMETOOLONG, "open");
    em_status status = em_fail(w->err, EM_E_NOT_FOUND, "%s is no folder", w->rel);
    return em_root_walk_failed_by(w, status, ENOTDIR);
}

/* `fd` is what is called `name` in the folder: go on from there. Takes `fd`. */
static em_status walk_enter(em_root_walk *w, int fd, em_slice name, bool own)
{
    em_stat stat;
    int result = EM_SYS_RETRY(w->sys, stat, fd, "", AT_EMPTY_PATH, &stat);
    em_status status = EM_OK;
    if (result < 0) {
        status = em_root_walk_fail(w, result, "stat");
    } else if (S_ISLNK(stat.mode)) {
        status = own ? walk_follow_own(w, fd, &stat, name) : walk_follow(w, fd, &stat, false);
    } else if (S_ISDIR(stat.mode)) {
        if (em_root_walk_push(w, name)) {
            walk_stand_in(w, fd);
            return EM_OK;
        }
        status = em_root_walk_fail(w, -ENAMETOOLONG, "open");
    } else if (w->rest.len > 0) { /* "file/": a folder is wanted, and this is none */
        status = em_root_walk_blocked(w, name);
    } else {
        w->place->file = fd;
        w->place->stat = stat;
        w->place->name = em_arena_string(w->arena, name);
        return w->place->name ? EM_OK : EM_E_NOMEM;
    }
    EM_SYS(w->sys, close, fd);
    return status;
}

/* ---- One by one ---------------------------------------------------------------------------- */

static em_status walk_step(em_root_walk *w, em_slice name)
{
    char text[NAME_MAX + 1];
    if (em_slice_is(name, ".."))
        return walk_up(w);
    if (name.len >= sizeof text)
        return em_root_walk_fail(w, -ENAMETOOLONG, "open");
    memcpy(text, name.ptr, name.len);
    text[name.len] = '\0';
    bool own = name.len + w->rest.len <= w->own;
    int fd = w->missing_count > 0
                 ? -ENOENT
                 : EM_SYS_RETRY(w->sys, open, w->dir, text, O_PATH | O_NOFOLLOW, 0, 0);
    if (fd == -ENOENT)
        return em_root_walk_nowhere(w, name, own);
    if (fd < 0)
        return em_root_walk_fail(w, fd, "open");
    return walk_enter(w, fd, name, own);
}

/* The way where it could not go on: what was walked, `name`, and all that was still to come. */
static const char *walk_remains(em_root_walk *w, em_slice name)
{
    for (; name.len > 0; name = em_path_next(&w->rest)) {
        if (!em_root_walk_push(w, name))
            return NULL;
    }
    return em_arena_string(w->arena, em_slice_make(w->rel, w->rel_length));
}

/* Would the way leave the root by its names alone, behind `name`, where it could not go on? */
static bool remains_leave_root(const em_root_walk *w)
{
    if (strcmp(w->root->path, "/") == 0)
        return false;
    size_t depth = 1; /* `name` */
    em_slice walked = em_slice_make(w->rel, w->rel_length), rest = w->rest;
    while (em_path_next(&walked).len > 0)
        depth++;
    for (em_slice next = em_path_next(&rest); next.len > 0; next = em_path_next(&rest)) {
        if (!em_slice_is(next, ".."))
            depth++;
        else if (depth-- == 0)
            return true;
    }
    return false;
}

/* The way could not go on at `name`. What leads out of the root is refused as that, whatever is
 * not there before. */
static em_status walk_stuck(em_root_walk *w, em_slice name, em_status why)
{
    if (why == EM_E_NOT_FOUND && remains_leave_root(w))
        return walk_outside(w);
    w->place->rel = walk_remains(w, name);
    return why;
}

static em_status walk_all(em_root_walk *w)
{
    walk_leap(w);
    while (!w->place->name) {
        em_slice name = em_path_next(&w->rest);
        if (name.len == 0)
            return walk_end_at_folder(w);
        size_t walked = w->rel_length;
        em_slice rest = w->rest;
        em_status status = walk_step(w, name);
        if (status != EM_OK && !em_slice_is(name, "..")) {
            w->rel_length = walked;
            w->rest = rest;
            return walk_stuck(w, name, status);
        }
        EM_TRY(status);
    }
    return EM_OK;
}

/* ---- Resolving ----------------------------------------------------------------------------- */

/* The root where `path` begins, and what is left of it there; NULL when it is in none. Of nested
 * roots the innermost counts. */
static const em_root *root_of(const em_roots *roots, em_slice path, em_slice *rest)
{
    const em_root *found = NULL;
    if (path.ptr[0] != '/') {
        *rest = path;
        return &roots->items[0];
    }
    for (size_t i = 0; i < roots->count; i++) {
        const em_root *root = &roots->items[i];
        em_slice below;
        if (!em_path_below(path, em_slice_of(root->path), &below) &&
            !em_path_below(path, em_slice_of(root->spelling), &below))
            continue;
        if (!found || below.len < rest->len) {
            found = root;
            *rest = below;
        }
    }
    return found;
}

/* The strings of a place, from where the walk stands and the name that it found there. */
static em_status place_name(em_root_walk *w, em_resolved *place)
{
    const char *name = place->name;
    if (w->rel_length > 0 && strcmp(name, ".") == 0)
        place->rel = em_arena_string(w->arena, em_slice_make(w->rel, w->rel_length));
    else if (w->rel_length > 0)
        place->rel = em_arena_format(w->arena, "%s/%s", w->rel, name);
    else
        place->rel = name;
    if (!place->rel)
        return EM_E_NOMEM;
    place->path = em_root_join(w->root, place->rel, w->arena);
    return place->path ? EM_OK : EM_E_NOMEM;
}

/* The folder that the walk stands in, as a descriptor of the place's own. */
static em_status place_hold(em_root_walk *w, em_resolved *place)
{
    place->dir = w->dir;
    if (w->dir == w->root->fd)
        place->dir = EM_SYS_RETRY(w->sys, open, w->dir, ".", EM_PATH_FOLDER, 0, 0);
    else
        w->dir = w->root->fd;
    return place->dir < 0 ? em_root_walk_fail(w, place->dir, "open") : EM_OK;
}

em_status em_root_resolve(const em_sys *sys, const em_roots *roots, const char *path,
                          bool may_be_missing, em_arena *arena, em_resolved *place, em_error *err)
{
    *place = (em_resolved){.dir = -1, .file = -1};
    em_slice whole = em_slice_of(path);
    char rel[PATH_MAX], text[PATH_MAX];
    rel[0] = '\0';
    em_root_walk w = {.sys = sys,
                      .rel = rel,
                      .text = text,
                      .path = path,
                      .arena = arena,
                      .err = err,
                      .place = place,
                      .foreseen = roots->foreseen,
                      .may_be_missing = may_be_missing};
    if (whole.len == 0)
        return em_fail(err, EM_E_INVALID, "the path is empty");
    if (whole.len >= PATH_MAX)
        return em_root_walk_fail(&w, -ENAMETOOLONG, "open");
    em_slice rest;
    w.root = root_of(roots, whole, &rest);
    if (!w.root)
        return em_fail(err, EM_E_OUTSIDE, "lies outside the roots: %s", path);
    rest_prepend(&w, rest);
    w.own = rest.len;
    w.dir = w.root->fd;
    place->root = w.root;

    em_status status = walk_all(&w);
    if (status == EM_OK)
        status = place_hold(&w, place);
    if (status == EM_OK)
        status = place_name(&w, place);
    walk_stand_in_root(&w);
    if (status != EM_OK)
        em_resolved_close(sys, place);
    return status;
}

void em_resolved_close(const em_sys *sys, em_resolved *place)
{
    if (place->dir >= 0)
        EM_SYS(sys, close, place->dir);
    if (place->file >= 0)
        EM_SYS(sys, close, place->file);
    place->dir = place->file = -1;
}
