/* own.c: from the places of state directories to what is refused in the roots.
 *
 * Whether a place lies in a root is found out by going up from it, or from the deepest folder on
 * the way to it that is there, and comparing folders by device and inode: names differ where a file
 * system takes no heed of letter case, or where a folder is mounted twice. The way back down from
 * the root to the place is then its name.
 *
 * Nothing here fails because of a place that cannot be looked at: it may be one that this process
 * does not use at all.
 */
#include "paths/own.h"

#include "paths/spelling.h"
#include "system/names.h"
#include "system/sys_io.h"

#include <limits.h>
#include <stdio.h>

typedef struct search {
    const em_sys *sys;
    const em_roots *roots;
    em_stat *stats; /* of the roots; like nothing where one cannot be looked at */
    em_stat top;    /* of "/", above which is nothing; the same */
    em_arena *arena;
} search;

/* ---- Going up ------------------------------------------------------------------------------ */

/* The folder `levels` above `dir`/`path`, where `path` is "" or ends in no slash. */
static int stat_above(const em_sys *sys, int dir, const char *path, size_t levels, em_stat *stat)
{
    char way[PATH_MAX];
    size_t length = strlen(path);
    if (length + 3 * levels >= sizeof way)
        return -ENAMETOOLONG;
    memcpy(way, path, length + 1);
    for (; levels > 0; levels--) {
        const char *up = length > 0 ? "/.." : "..";
        memcpy(way + length, up, strlen(up) + 1);
        length += strlen(up);
    }
    return EM_SYS_RETRY(sys, stat, dir, way, length > 0 ? 0 : AT_EMPTY_PATH, stat);
}

/* ---- Names --------------------------------------------------------------------------------- */

/* Takes note of a path that was just made: NULL where memory ran out. */
static em_status own_add_name(const search *s, em_own *own, const char *path)
{
    void *names = own->names;
    if (!path)
        return EM_E_NOMEM;
    EM_TRY(em_arena_grow(s->arena, &names, own->name_count, &own->name_room, sizeof *own->names));
    own->names = names;
    own->names[own->name_count++] = path;
    return EM_OK;
}

/* The path of a folder, links resolved; as it is, where it cannot be resolved. */
static em_status path_resolve(const search *s, const char *path, const char **resolved)
{
    em_root top = {.path = (char[]){"/"}, .spelling = (char[]){"/"}};
    em_roots all = {.items = &top, .count = 1};
    em_resolved place;
    *resolved = path;
    top.fd = EM_SYS_RETRY(s->sys, open, AT_FDCWD, "/", O_PATH | O_DIRECTORY, 0, 0);
    if (top.fd < 0)
        return EM_OK;
    em_status status = em_root_resolve(s->sys, &all, path, false, s->arena, &place, NULL);
    EM_SYS(s->sys, close, top.fd);
    if (status == EM_OK)
        *resolved = place.path;
    em_resolved_close(s->sys, &place);
    return status == EM_E_NOMEM ? status : EM_OK;
}

/* The last `count` components of a path: "/b/c" of "/a/b/c". */
static const char *path_last(const char *path, size_t count)
{
    const char *from = path + strlen(path);
    for (; count > 0 && from > path; count--) {
        do
            from--;
        while (from > path && *from != '/');
    }
    return from;
}

/* `root` is `levels` above `folder`, and the place `missing` below that. */
static em_status own_add_below(const search *s, em_own *own, const em_root *root,
                               const char *folder, size_t levels, const char *missing)
{
    const char *resolved;
    EM_TRY(path_resolve(s, folder, &resolved));
    return own_add_name(
        s, own,
        em_arena_format(s->arena, "%s%s%s", root->path, path_last(resolved, levels), missing));
}

/* ---- Finding ------------------------------------------------------------------------------- */

/* The deepest folder on the way to `path` that can be looked at, and its stat: how many bytes of
 * the path it is. */
static size_t deepest_there(const search *s, const char *path, char folder[static PATH_MAX],
                            em_stat *stat)
{
    size_t length = strlen(path);
    memcpy(folder, path, length + 1);
    while (stat_above(s->sys, AT_FDCWD, folder, 0, stat) < 0 || !S_ISDIR(stat->mode)) {
        while (length > 1 && folder[length - 1] != '/')
            length--;
        if (length <= 1)
            break;
        length--;
        folder[length] = '\0';
    }
    if (length > 1)
        return length;
    memcpy(folder, "/", sizeof "/");
    *stat = s->top;
    return 0;
}

static em_status find_above(const search *s, em_own *own)
{
    char folder[PATH_MAX];
    em_stat here;
    if (strlen(own->path) >= sizeof folder)
        return EM_OK;
    const char *missing = own->path + deepest_there(s, own->path, folder, &here);
    for (size_t levels = 1;; levels++) {
        for (size_t i = 0; i < s->roots->count; i++) {
            if (em_stat_same_inode(&here, &s->stats[i]))
                EM_TRY(own_add_below(s, own, &s->roots->items[i], folder, levels - 1, missing));
        }
        if (em_stat_same_inode(&here, &s->top) ||
            stat_above(s->sys, AT_FDCWD, folder, levels, &here) < 0)
            return EM_OK;
    }
}

static em_status find_by_name(const search *s, em_own *own)
{
    for (size_t i = 0; i < s->roots->count; i++) {
        const em_root *root = &s->roots->items[i];
        if (em_root_rel(root, own->path))
            EM_TRY(own_add_name(s, own, own->path));
    }
    return EM_OK;
}

/* Its names through the roots: that by which it was named, and where links lead from there. */
static em_status find_secret(const search *s, const char *path, em_own *own)
{
    char folder[PATH_MAX];
    const char *resolved;
    if (!path)
        return EM_OK;
    int result = EM_SYS_RETRY(s->sys, cwd, folder, sizeof folder);
    bool relative = path[0] != '/' && result >= 0;
    own->path = relative ? em_arena_format(s->arena, "%s/%s", folder, path)
                         : em_arena_string(s->arena, em_slice_of(path));
    if (!own->path)
        return EM_E_NOMEM;
    EM_TRY(find_above(s, own));
    EM_TRY(path_resolve(s, own->path, &resolved));
    return own_add_name(s, own, resolved);
}

static void hold_secret(const em_sys *sys, em_owns *owns)
{
    int fd = EM_SYS_RETRY(sys, open, AT_FDCWD, owns->secret.path, O_PATH, 0, 0);
    if (fd >= 0 && stat_above(sys, fd, "", 0, &owns->secret_first) < 0) {
        EM_SYS(sys, close, fd);
        fd = -1;
    }
    owns->secret_fd = fd;
}

em_status em_own_find(const em_sys *sys, const em_roots *roots, const char *named,
                      const char *secret, em_arena *arena, em_owns *owns)
{
    EM_AUTO(em_arena) scratch = {0};
    const char *places[EM_STATE_PLACES];
    size_t count;
    search s = {.sys = sys, .roots = roots, .arena = arena};
    *owns = (em_owns){.secret_fd = -1};
    s.stats = em_alloc_array(&scratch, roots->count, sizeof *s.stats);
    if (!s.stats)
        return EM_E_NOMEM;
    if (stat_above(sys, AT_FDCWD, "/", 0, &s.top) < 0)
        s.top = (em_stat){0};
    for (size_t i = 0; i < roots->count; i++) {
        if (stat_above(sys, roots->items[i].fd, "", 0, &s.stats[i]) < 0)
            s.stats[i] = (em_stat){.dev = UINT64_MAX};
    }
    EM_TRY(find_secret(&s, secret, &owns->secret));
    if (owns->secret.path)
        hold_secret(sys, owns);
    EM_TRY(em_state_places(sys, named, arena, places, &count));
    for (size_t i = 0; i < count; i++) {
        em_own own = {.path = places[i]};
        EM_TRY(find_above(&s, &own));
        EM_TRY(find_by_name(&s, &own));
        if (own.name_count > 0)
            owns->items[owns->count++] = own;
    }
    return EM_OK;
}

void em_own_drop(const em_sys *sys, em_owns *owns)
{
    if (owns->secret_fd >= 0)
        EM_SYS(sys, close, owns->secret_fd);
    owns->secret_fd = -1;
}

/* ---- Refusing ------------------------------------------------------------------------------ */

static em_status refuse(em_error *err)
{
    return em_fail(err, EM_E_DENIED, "it is emend's own state directory");
}

static em_status refuse_secret(em_error *err)
{
    return em_fail(err, EM_E_DENIED, "it holds the tokens of this server");
}

/* Is it the same name, for some file system? */
static em_status same_name(em_slice a, em_slice b, em_arena *arena, bool *same)
{
    *same = em_slice_eq(a, b);
    if (*same)
        return EM_OK;
    const char *texts[] = {em_arena_string(arena, a), em_arena_string(arena, b)};
    for (size_t i = 0; i < 2; i++) {
        if (texts[i])
            texts[i] = em_spelling_fold(texts[i], arena);
        if (!texts[i])
            return EM_E_NOMEM;
    }
    *same = strcmp(texts[0], texts[1]) == 0;
    return EM_OK;
}

static em_status is_below(const char *path, const char *folder, em_arena *arena, bool *is)
{
    em_slice way = em_slice_of(path), above = em_slice_of(folder);
    for (*is = true; *is;) {
        em_slice want = em_path_next(&above), got = em_path_next(&way);
        if (want.len == 0)
            return EM_OK;
        EM_TRY(same_name(want, got, arena, is));
    }
    return EM_OK;
}

static em_status is_named(const em_own *own, const char *path, em_arena *arena, bool *is)
{
    *is = false;
    for (size_t i = 0; i < own->name_count && !*is; i++)
        EM_TRY(is_below(path, own->names[i], arena, is));
    return EM_OK;
}

em_status em_own_check_name(const em_owns *owns, const char *path, em_arena *arena, em_error *err)
{
    bool is;
    for (size_t i = 0; i < owns->count; i++) {
        EM_TRY(is_named(&owns->items[i], path, arena, &is));
        if (is)
            return refuse(err);
    }
    EM_TRY(is_named(&owns->secret, path, arena, &is));
    return is ? refuse_secret(err) : EM_OK;
}

em_status em_own_check_file(const em_sys *sys, const em_owns *owns, const em_stat *file,
                            em_error *err)
{
    em_stat secret;
    if (!owns->secret.path)
        return EM_OK;
    if (owns->secret_fd >= 0 && em_stat_same_inode(file, &owns->secret_first))
        return refuse_secret(err);
    int result = EM_SYS_RETRY(sys, stat, AT_FDCWD, owns->secret.path, 0, &secret);
    return result == 0 && em_stat_same_inode(file, &secret) ? refuse_secret(err) : EM_OK;
}

/* The folders of those that are there now; how many. */
static em_status look_at_all(const em_sys *sys, const em_owns *owns,
                             em_stat stats[static EM_STATE_PLACES], size_t *count, em_error *err)
{
    *count = 0;
    for (size_t i = 0; i < owns->count; i++) {
        const char *path = owns->items[i].path;
        int result = EM_SYS_RETRY(sys, stat, AT_FDCWD, path, 0, &stats[*count]);
        bool unreachable = result == -ENOENT || result == -ENOTDIR || result == -EACCES ||
                           result == -ELOOP || result == -ENAMETOOLONG;
        if (result < 0 && !unreachable)
            return em_state_fail(err, result, "stat", path);
        *count += result == 0;
    }
    return EM_OK;
}

em_status em_own_check_folder(const em_sys *sys, const em_owns *owns, const em_root *root, int dir,
                              const char *path, em_error *err)
{
    em_stat stats[EM_STATE_PLACES], top, here, below = {0};
    size_t count = 0;
    if (owns->count > 0)
        EM_TRY(look_at_all(sys, owns, stats, &count, err));
    if (count == 0)
        return EM_OK;
    int result = stat_above(sys, root->fd, "", 0, &top);
    for (size_t levels = 0; result == 0; levels++) {
        result = stat_above(sys, dir, "", levels, &here);
        if (result < 0)
            break;
        for (size_t i = 0; i < count; i++) {
            if (em_stat_same_inode(&here, &stats[i]))
                return refuse(err);
        }
        if (em_stat_same_inode(&here, &top) || em_stat_same_inode(&here, &below))
            return EM_OK;
        below = here;
    }
    return em_io_fail(err, result, "stat a folder above", path);
}
