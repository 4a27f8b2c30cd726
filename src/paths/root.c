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
 *  (4) Where nothing is, but would be (roots.foreseen), the walk stays in the last folder that is
 *      there and goes on by names alone: no link and no file can be on the way that is not there.
 *
 * It does not know what the file is for, nor any rule but "inside".
 */
#include "paths/root.h"

#include "system/names.h"
#include "system/sys_io.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    LINKS_MAX = 40, /* as in the kernel */
    DOWN_ONLY = EM_RESOLVE_BENEATH | EM_RESOLVE_NO_SYMLINKS | EM_RESOLVE_NO_MAGIC,
    FOLDER = O_PATH | O_DIRECTORY,
};

typedef struct walk {
    const em_sys *sys;
    const em_root *root;
    const char *path; /* as it was given, for errors */
    em_arena *arena;
    em_error *err;

    int dir;           /* where the walk stands; the root's own descriptor is borrowed */
    char *rel;         /* the way there from the root: "a/b"; "" for the root */
    size_t rel_length; /* of `rel`, without its NUL */
    em_slice rest;     /* what is still to be walked, at the end of `text` */
    size_t own;        /* the last `own` bytes of `rest` are the caller's, not a link's */
    unsigned links;    /* followed so far */
    const char *link;  /* the last of them that the caller named, from the root; NULL */
    em_foreseen foreseen;
    const char **missing; /* folders at the end of `rel` that are only foreseen: below `dir` */
    size_t missing_count, missing_room;
    char *text;          /* room for the texts of links before the rest; PATH_MAX, as `rel` */
    em_resolved *place;  /* what was found */
    bool may_be_missing; /* by the caller's leave */
} walk;

/* ---- Components ---------------------------------------------------------------------------- */

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

/* What is left of `path` below `folder`, compared component by component; false if it is not
 * there. Both are absolute. */
static bool path_below(em_slice path, em_slice folder, em_slice *rest)
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

/* ---- Failing ------------------------------------------------------------------------------- */

static em_status walk_fail(walk *w, int result, const char *call)
{
    return em_io_fail(w->err, result, call, w->path);
}

/* It failed, as the detail says; `sys` tells callers which of several ways it was. */
static em_status walk_failed_by(walk *w, em_status status, int sys)
{
    if (w->err)
        w->err->sys = sys;
    return status;
}

/* The way leaves the root that it began in; that may be for another of the roots. */
static em_status walk_outside(walk *w)
{
    em_status status = em_fail(w->err, EM_E_OUTSIDE, "leads out of its root: %s", w->path);
    return walk_failed_by(w, status, EXDEV);
}

/* ---- Moving -------------------------------------------------------------------------------- */

static void walk_stand_in(walk *w, int dir)
{
    if (w->dir != w->root->fd)
        EM_SYS(w->sys, close, w->dir);
    w->dir = dir;
}

/* The way to what is called `name` where the walk stands, from the root. NULL: no memory. */
static const char *way_to(const walk *w, em_slice name)
{
    return em_arena_format(w->arena, "%s%s%.*s", w->rel, w->rel_length > 0 ? "/" : "",
                           (int)name.len, name.ptr);
}

static void walk_stand_in_root(walk *w)
{
    walk_stand_in(w, w->root->fd);
    w->rel_length = 0;
    w->rel[0] = '\0';
}

static bool rel_push(walk *w, em_slice name)
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

static void rel_pop(walk *w)
{
    while (w->rel_length > 0 && w->rel[w->rel_length - 1] != '/')
        w->rel_length--;
    if (w->rel_length > 0)
        w->rel_length--;
    w->rel[w->rel_length] = '\0';
}

/* Put `way` before the rest; false when that makes it too long. */
static bool rest_prepend(walk *w, em_slice way)
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
static void walk_leap(walk *w)
{
    size_t length = w->rest.len;
    while (length > 0 && w->rest.ptr[length - 1] != '/')
        length--;
    em_slice way = em_slice_sub(w->rest, 0, length);
    for (em_slice name = em_path_next(&way); name.len > 0; name = em_path_next(&way)) {
        if (em_slice_is(name, "..") || !rel_push(w, name)) {
            walk_stand_in_root(w);
            return;
        }
    }
    if (w->rel_length == 0)
        return;
    int dir = EM_SYS_RETRY(w->sys, open, w->root->fd, w->rel, FOLDER, 0, DOWN_ONLY);
    if (dir < 0) {
        walk_stand_in_root(w);
        return;
    }
    walk_stand_in(w, dir);
    w->rest = em_slice_from(w->rest, length);
}

/* A rule about this folder holds also where the way only passes through it: else it would tell
 * whether the folder is there. */
static em_status note_left(walk *w)
{
    em_resolved *place = w->place;
    const char *rel = em_arena_string(w->arena, em_slice_make(w->rel, w->rel_length));
    if (!rel || em_arena_grow(w->arena, (void **)&place->left, place->left_count, &place->left_room,
                              sizeof *place->left) != EM_OK)
        return EM_E_NOMEM;
    place->left[place->left_count++] = rel;
    return EM_OK;
}

static em_status walk_up(walk *w)
{
    bool at_root = w->rel_length == 0;
    if (at_root && strcmp(w->root->path, "/") == 0)
        return EM_OK; /* above "/" is "/" itself */
    if (at_root)
        return walk_outside(w);
    EM_TRY(note_left(w));
    rel_pop(w);
    if (w->missing_count > 0) {
        w->missing_count--;
        return EM_OK;
    }
    if (w->rel_length == 0) {
        walk_stand_in_root(w);
        return EM_OK;
    }
    int dir = EM_SYS_RETRY(w->sys, open, w->root->fd, w->rel, FOLDER, 0, DOWN_ONLY);
    if (dir < 0)
        return walk_fail(w, dir, "open");
    walk_stand_in(w, dir);
    return EM_OK;
}

/* ---- Links --------------------------------------------------------------------------------- */

/* Would the kernel, in its protection against links planted in folders like /tmp, refuse to follow
 * this one? */
static em_status link_check_owner(walk *w, const em_stat *link)
{
    em_stat folder;
    int result = EM_SYS_RETRY(w->sys, stat, w->dir, "", AT_EMPTY_PATH, &folder);
    if (result < 0)
        return walk_fail(w, result, "stat");
    bool guarded = (folder.mode & S_ISVTX) && (folder.mode & S_IWOTH);
    if (guarded && link->uid != geteuid() && link->uid != folder.uid)
        return walk_fail(w, -EACCES, "follow");
    return EM_OK;
}

/* Put the text of a link before the rest of the way; `own` says whether the caller named the
 * link. */
static em_status walk_follow(walk *w, int link, const em_stat *stat, bool own)
{
    char text[PATH_MAX];
    EM_TRY(link_check_owner(w, stat));
    if (++w->links > LINKS_MAX)
        return walk_fail(w, -ELOOP, "follow");
    ssize_t length = EM_SYS_RETRY(w->sys, readlink, link, "", text, sizeof text);
    if (length < 0)
        return walk_fail(w, (int)length, "readlink");
    if (length == 0)
        return walk_fail(w, -ENOENT, "follow");

    em_slice target = em_slice_make(text, (size_t)length);
    if (text[0] == '/') {
        if (!path_below(target, em_slice_of(w->root->path), &target))
            return walk_outside(w);
        walk_stand_in_root(w);
    }
    if (own)
        w->own = w->rest.len;
    return rest_prepend(w, target) ? EM_OK : walk_fail(w, -ENAMETOOLONG, "follow");
}

static em_status walk_follow_own(walk *w, int link, const em_stat *stat, em_slice name)
{
    w->link = way_to(w, name);
    return w->link ? walk_follow(w, link, stat, true) : EM_E_NOMEM;
}

/* What a link names is not there, and no file is made by way of one. */
static em_status walk_dangling(walk *w)
{
    em_status status = em_fail(w->err, EM_E_NOT_FOUND, "%s is a link that leads nowhere", w->link);
    return walk_failed_by(w, status, ENOENT);
}

/* ---- Steps --------------------------------------------------------------------------------- */

/* Go on in a folder that is not there. */
static em_status enter_missing(walk *w, em_slice name)
{
    const char *folder = em_arena_string(w->arena, name);
    if (!folder || em_arena_grow(w->arena, (void **)&w->missing, w->missing_count, &w->missing_room,
                                 sizeof *w->missing) != EM_OK)
        return EM_E_NOMEM;
    w->missing[w->missing_count++] = folder;
    return rel_push(w, name) ? EM_OK : walk_fail(w, -ENAMETOOLONG, "open");
}

/* The way ends at a name that nothing has. */
static em_status end_at_missing(walk *w, em_slice name)
{
    w->place->missing = w->missing;
    w->place->missing_count = w->missing_count;
    w->place->name = em_arena_string(w->arena, name);
    return w->place->name ? EM_OK : EM_E_NOMEM;
}

/* Nothing is entered, to be left again, that is not there. */
static em_status fail_up(walk *w, em_slice name)
{
    const char *folder = way_to(w, name);
    if (!folder)
        return EM_E_NOMEM;
    em_status status = em_fail(w->err, EM_E_NOT_FOUND, "%s is a folder that is not there", folder);
    return walk_failed_by(w, status, ENOENT);
}

/* The way goes on where nothing is: note the folders to be made, and the name at the end. */
static em_status walk_missing(walk *w, em_slice name)
{
    w->place->foreseen_count = w->missing_count;
    for (;;) {
        bool more = w->rest.len > 0;
        em_slice next = em_path_next(&w->rest);
        if (next.len == 0 && more) /* "new/": a file is wanted, and this names a folder */
            return walk_fail(w, -EISDIR, "open");
        if (next.len == 0)
            return end_at_missing(w, name);
        if (em_slice_is(next, ".."))
            return fail_up(w, name);
        if (next.len > NAME_MAX)
            return walk_fail(w, -ENAMETOOLONG, "open");
        EM_TRY(enter_missing(w, name));
        name = next;
    }
}

/* The way ends at a folder, the one that the walk stands in. */
static em_status walk_end_at_folder(walk *w)
{
    if (w->missing_count > 0) {
        em_slice name = em_slice_of(w->missing[--w->missing_count]);
        rel_pop(w);
        w->place->foreseen_count = w->missing_count;
        return end_at_missing(w, name);
    }
    int fd = EM_SYS_RETRY(w->sys, open, w->dir, ".", FOLDER, 0, 0);
    if (fd < 0)
        return walk_fail(w, fd, "open");
    w->place->file = fd;
    w->place->name = ".";
    int result = EM_SYS_RETRY(w->sys, stat, fd, "", AT_EMPTY_PATH, &w->place->stat);
    return result < 0 ? walk_fail(w, result, "stat") : EM_OK;
}

/* What has this name where the walk stands is no folder, and the way does not end there. */
static em_status walk_blocked(walk *w, em_slice name)
{
    if (!rel_push(w, name))
        return walk_fail(w, -ENAMETOOLONG, "open");
    em_status status = em_fail(w->err, EM_E_NOT_FOUND, "%s is no folder", w->rel);
    return walk_failed_by(w, status, ENOTDIR);
}

/* `fd` is what is called `name` in the folder: go on from there. Takes `fd`. */
static em_status walk_enter(walk *w, int fd, em_slice name, bool own)
{
    em_stat stat;
    int result = EM_SYS_RETRY(w->sys, stat, fd, "", AT_EMPTY_PATH, &stat);
    em_status status = EM_OK;
    if (result < 0) {
        status = walk_fail(w, result, "stat");
    } else if (S_ISLNK(stat.mode)) {
        status = own ? walk_follow_own(w, fd, &stat, name) : walk_follow(w, fd, &stat, false);
    } else if (S_ISDIR(stat.mode)) {
        if (rel_push(w, name)) {
            walk_stand_in(w, fd);
            return EM_OK;
        }
        status = walk_fail(w, -ENAMETOOLONG, "open");
    } else if (w->rest.len > 0) { /* "file/": a folder is wanted, and this is none */
        status = walk_blocked(w, name);
    } else {
        w->place->file = fd;
        w->place->stat = stat;
        w->place->name = em_arena_string(w->arena, name);
        return w->place->name ? EM_OK : EM_E_NOMEM;
    }
    EM_SYS(w->sys, close, fd);
    return status;
}

/* ---- What is foreseen ---------------------------------------------------------------------- */

typedef enum foresight { AS_NOTHING, AS_FILE, AS_FOLDER } foresight;

/* Is something foreseen under this name where the walk stands? */
static em_status look_ahead(const walk *w, em_slice name, foresight *seen)
{
    *seen = AS_NOTHING;
    if (w->foreseen.count == 0)
        return EM_OK;
    const char *rel = way_to(w, name), *path = rel ? em_root_join(w->root, rel, w->arena) : NULL;
    if (!path)
        return EM_E_NOMEM;
    size_t length = strlen(path);
    for (size_t i = 0; i < w->foreseen.count && *seen == AS_NOTHING; i++) {
        const char *other = w->foreseen.paths[i];
        if (strncmp(other, path, length) == 0 && (other[length] == '\0' || other[length] == '/'))
            *seen = other[length] == '/' ? AS_FOLDER : AS_FILE;
    }
    return EM_OK;
}

/* Nothing is there; `seen` says what would be. */
static em_status walk_foreseen(walk *w, em_slice name, foresight seen)
{
    if (seen == AS_FOLDER)
        return enter_missing(w, name);
    w->place->foreseen_count = w->missing_count;
    return w->rest.len > 0 ? walk_blocked(w, name) : end_at_missing(w, name);
}

/* ---- One by one ---------------------------------------------------------------------------- */

/* Nothing has that name where the walk stands. */
static em_status walk_nowhere(walk *w, em_slice name, bool own)
{
    foresight seen;
    EM_TRY(look_ahead(w, name, &seen));
    if (seen != AS_NOTHING)
        return walk_foreseen(w, name, seen);
    if (!own)
        return walk_dangling(w);
    return w->may_be_missing ? walk_missing(w, name) : walk_fail(w, -ENOENT, "open");
}

static em_status walk_step(walk *w, em_slice name)
{
    char text[NAME_MAX + 1];
    if (em_slice_is(name, ".."))
        return walk_up(w);
    if (name.len >= sizeof text)
        return walk_fail(w, -ENAMETOOLONG, "open");
    memcpy(text, name.ptr, name.len);
    text[name.len] = '\0';
    bool own = name.len + w->rest.len <= w->own;
    int fd = w->missing_count > 0
                 ? -ENOENT
                 : EM_SYS_RETRY(w->sys, open, w->dir, text, O_PATH | O_NOFOLLOW, 0, 0);
    if (fd == -ENOENT)
        return walk_nowhere(w, name, own);
    if (fd < 0)
        return walk_fail(w, fd, "open");
    return walk_enter(w, fd, name, own);
}

/* The way where it could not go on: what was walked, `name`, and all that was still to come. */
static const char *walk_remains(walk *w, em_slice name)
{
    for (; name.len > 0; name = em_path_next(&w->rest)) {
        if (!rel_push(w, name))
            return NULL;
    }
    return em_arena_string(w->arena, em_slice_make(w->rel, w->rel_length));
}

/* Would the way leave the root by its names alone, behind `name`, where it could not go on? */
static bool remains_leave_root(const walk *w)
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
static em_status walk_stuck(walk *w, em_slice name, em_status why)
{
    if (why == EM_E_NOT_FOUND && remains_leave_root(w))
        return walk_outside(w);
    w->place->rel = walk_remains(w, name);
    return why;
}

static em_status walk_all(walk *w)
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
        if (!path_below(path, em_slice_of(root->path), &below) &&
            !path_below(path, em_slice_of(root->spelling), &below))
            continue;
        if (!found || below.len < rest->len) {
            found = root;
            *rest = below;
        }
    }
    return found;
}

/* The strings of a place, from where the walk stands and the name that it found there. */
static em_status place_name(walk *w, em_resolved *place)
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
static em_status place_hold(walk *w, em_resolved *place)
{
    place->dir = w->dir;
    if (w->dir == w->root->fd)
        place->dir = EM_SYS_RETRY(w->sys, open, w->dir, ".", FOLDER, 0, 0);
    else
        w->dir = w->root->fd;
    return place->dir < 0 ? walk_fail(w, place->dir, "open") : EM_OK;
}

em_status em_root_resolve(const em_sys *sys, const em_roots *roots, const char *path,
                          bool may_be_missing, em_arena *arena, em_resolved *place, em_error *err)
{
    *place = (em_resolved){.dir = -1, .file = -1};
    em_slice whole = em_slice_of(path);
    char rel[PATH_MAX], text[PATH_MAX];
    rel[0] = '\0';
    walk w = {.sys = sys,
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
        return walk_fail(&w, -ENAMETOOLONG, "open");
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
        path[0] == '/' && !path_below(em_slice_of(path), em_slice_of(root->path), &below);
    result = EM_SYS_RETRY(sys, stat, AT_FDCWD, spelled ? root->spelling : root->path, 0, &named);
    if (result == -ENOENT || result == -ENOTDIR)
        return root_is_gone(root, "moved", err);
    return result == 0 && !em_stat_same_inode(&held, &named) ? root_is_gone(root, "replaced", err)
                                                             : EM_OK;
}

void em_resolved_close(const em_sys *sys, em_resolved *place)
{
    if (place->dir >= 0)
        EM_SYS(sys, close, place->dir);
    if (place->file >= 0)
        EM_SYS(sys, close, place->file);
    place->dir = place->file = -1;
}

static const char *rel_below(const char *folder, const char *path)
{
    em_slice below;
    if (!path_below(em_slice_of(path), em_slice_of(folder), &below))
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

/* ---- Roots --------------------------------------------------------------------------------- */

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
    top.fd = EM_SYS_RETRY(sys, open, AT_FDCWD, "/", FOLDER, 0, 0);
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
    root->fd = EM_SYS_RETRY(sys, open, AT_FDCWD, ".", FOLDER, 0, 0);
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
