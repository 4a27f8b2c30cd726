/* reach.c: the way down to the folder of a row.
 *
 * em_reach_name says which way it is, em_reach_open goes it. What a row says is checked before it
 * is believed (em_row_is_sane).
 */
#include "workspace/reach.h"

#include "system/names.h"
#include "system/sys_io.h"

/* "a/b": names, and none that leads elsewhere. */
static bool is_way_down(const char *path)
{
    for (;;) {
        size_t length = strcspn(path, "/");
        bool leads_elsewhere = length <= 2 && strncmp(path, "..", length) == 0; /* "", ".", ".." */
        if (leads_elsewhere)
            return false;
        if (path[length] == '\0')
            return true;
        path += length + 1;
    }
}

bool em_row_is_sane(const em_row *row)
{
    if (!row->root || row->root[0] != '/' || !row->path || !row->boot)
        return false;
    if (!is_way_down(row->path) || (row->folders && !is_way_down(row->folders)))
        return false;
    if (row->temp ? !em_is_temp_name(row->temp) : row->state != EM_ROW_DONE)
        return false;
    return !row->backup || (is_way_down(row->backup) && !strchr(row->backup, '/'));
}

em_status em_reach_name(const em_row *row, em_arena *arena, em_reach *reach)
{
    *reach = (em_reach){.dir = -1, .other = -1};
    reach->path = em_row_path(row, arena);
    if (!reach->path)
        return EM_E_NOMEM;
    reach->name = strrchr(reach->path, '/') + 1;
    size_t below = row->folders ? strlen(row->folders) + 1 : 0;
    size_t before = (size_t)(reach->name - reach->path);
    reach->rest = below < before ? reach->name - below : reach->name;
    return EM_OK;
}

/* ---- Opening ------------------------------------------------------------------------------- */

/* What is left of `path` below `folder`, both absolute and resolved; NULL if it is not there. */
static const char *path_below(const char *path, const char *folder)
{
    size_t length = strlen(folder);
    if (strcmp(folder, "/") == 0)
        return path + 1;
    if (strncmp(path, folder, length) != 0 || path[length] != '/')
        return NULL;
    return path + length + 1;
}

/* Open the folder `way` ("a/b/", may be empty) beneath `root`. */
static int open_beneath(const em_workspace *ws, int root, const char *way)
{
    return EM_SYS_RETRY(ws->sys, open, root, way[0] ? way : ".", O_PATH | O_DIRECTORY, 0,
                        EM_RESOLVE_BENEATH | EM_RESOLVE_NO_SYMLINKS | EM_RESOLVE_NO_MAGIC);
}

static int open_from_top(const em_workspace *ws, const char *way)
{
    int top = EM_SYS_RETRY(ws->sys, open, AT_FDCWD, "/", O_PATH | O_DIRECTORY, 0, 0);
    if (top < 0)
        return top;
    int fd = open_beneath(ws, top, way + 1);
    EM_SYS(ws->sys, close, top);
    return fd;
}

static em_status folder_open(const em_workspace *ws, bool all, em_arena *arena, em_reach *reach,
                             em_error *err)
{
    const char *below = NULL;
    int fd = -1;
    char *way =
        em_arena_string(arena, em_slice_make(reach->path, (size_t)(reach->rest - reach->path)));
    if (!way)
        return EM_E_NOMEM;
    for (size_t i = 0; i < ws->roots.count && !below; i++) {
        const em_root *root = &ws->roots.items[i];
        below = path_below(way, root->path);
        if (below)
            fd = open_beneath(ws, root->fd, below);
    }
    reach->mine = below || all;
    if (!below && reach->mine)
        fd = open_from_top(ws, way);
    if (fd >= 0)
        reach->dir = fd;
    if (fd >= 0 || !reach->mine)
        return EM_OK;
    bool gone = fd == -ENOENT || fd == -ENOTDIR || fd == -ELOOP || fd == -EXDEV;
    return gone ? EM_OK : em_io_fail(err, fd, "open", way);
}

bool em_reach_is_folder(const em_workspace *ws, const em_row *row, const em_stat *folder)
{
    bool same_boot = strcmp(row->boot, ws->state.boot) == 0;
    return folder->ino == row->dir_ino && (folder->dev == row->dir_dev || !same_boot);
}

static em_status check_folder(const em_workspace *ws, const em_row *row, em_reach *reach,
                              em_error *err)
{
    if (reach->dir < 0)
        return EM_OK;
    int result = EM_SYS_RETRY(ws->sys, stat, reach->dir, "", AT_EMPTY_PATH, &reach->folder);
    if (result < 0)
        return em_io_fail(err, result, "stat the folder of", reach->path);
    if (!em_reach_is_folder(ws, row, &reach->folder)) {
        reach->other = reach->dir;
        reach->dir = -1;
    }
    return EM_OK;
}

em_status em_reach_open(const em_workspace *ws, const em_row *row, bool all, em_arena *arena,
                        em_reach *reach, em_error *err)
{
    EM_TRY(folder_open(ws, all, arena, reach, err));
    return check_folder(ws, row, reach, err);
}

/* ---- Another folder in its place ----------------------------------------------------------- */

static em_status is_there(const em_workspace *ws, int dir, const char *name, int flags,
                          const char *path, bool *is, em_error *err)
{
    em_stat stat;
    int result = EM_SYS_RETRY(ws->sys, stat, dir, name, flags, &stat);
    *is = result == 0;
    bool missing = result == -ENOENT || result == -ENOTDIR || result == -ELOOP;
    return result < 0 && !missing ? em_io_fail(err, result, "stat", path) : EM_OK;
}

em_status em_reach_has_other(const em_workspace *ws, const em_row *row, const em_reach *reach,
                             bool *has, em_error *err)
{
    *has = reach->other >= 0;
    if (!*has || row->kind == EM_ROW_IN_PLACE)
        return EM_OK;
    return is_there(ws, reach->other, row->temp, AT_SYMLINK_NOFOLLOW, reach->path, has, err);
}

void em_reach_take_other(em_reach *reach)
{
    reach->dir = reach->other;
    reach->other = -1;
}

char *em_reach_stray(const em_reach *reach, const char *name, em_arena *arena)
{
    size_t folder = (size_t)(reach->rest - reach->path);
    return em_arena_format(arena, "%.*s%s", (int)folder, reach->path, name);
}

em_status em_reach_finds_stray(const em_workspace *ws, const em_row *row, const em_reach *reach,
                               em_arena *arena, bool *finds, em_error *err)
{
    *finds = false;
    if (row->kind == EM_ROW_IN_PLACE)
        return EM_OK;
    const char *path = em_reach_stray(reach, row->temp, arena);
    if (!path)
        return EM_E_NOMEM;
    return is_there(ws, AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, path, finds, err);
}

void em_reach_close(const em_workspace *ws, em_reach *reach)
{
    if (reach->dir >= 0)
        EM_SYS(ws->sys, close, reach->dir);
    if (reach->other >= 0)
        EM_SYS(ws->sys, close, reach->other);
    reach->dir = reach->other = -1;
}
