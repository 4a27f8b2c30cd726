/* recover.c: the rows that a dead process left are found, locked and put right, one by one.
 *
 *  (1) A row is only touched with the lock of its file, taken without waiting. Where it is held,
 * its owner lives, and the row is left. (2) With the lock, the row is read again: its owner, or
 * another recovery, may have ended it. (3) Only what lies inside the roots is touched, unless all
 * was asked for; its folder is reached beneath a root, through no link, and must be the folder that
 * the row was made for. (4) A row that cannot be put right stays, and hinders nobody but those who
 * change its file.
 *
 *   row      em_recover_row: reach the folder - lock - read again - em_repair_row - unlock
 *
 * What is concluded from what is found stands at the head of repair.c.
 */
#include "workspace/recover.h"

#include "workspace/repair.h"
#include "workspace/sys_io.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* One row while it is recovered. */
typedef struct recovering {
    em_workspace *ws;
    const em_recover_options *options;
    em_row row;
    const char *path; /* of the file, absolute */
    const char *name; /* its last component */
    const char *rest; /* below the folder of the row: the folders to be made, and the name */
    int dir;
    em_arena *arena;
    em_error *err;
} recovering;

/* ---- Which rows ---------------------------------------------------------------------------- */

/* Open the history if there is one. */
static em_status history_find(em_workspace *ws, em_error *err)
{
    em_stat stat;
    if (ws->history)
        return EM_OK;
    int result =
        EM_SYS_RETRY(ws->sys, stat, ws->state.dir, EM_HISTORY_NAME, AT_SYMLINK_NOFOLLOW, &stat);
    if (result == -ENOENT)
        return EM_OK;
    if (result < 0)
        return em_state_fail(err, result, "stat", EM_HISTORY_NAME);
    return em_ws_history(ws, err);
}

static bool is_one_component(const char *name)
{
    return name[0] != '\0' && !strchr(name, '/') && strcmp(name, ".") != 0 &&
           strcmp(name, "..") != 0;
}

/* Could we have written it? Names from a damaged or planted row lead nowhere. */
static bool is_sane(const em_row *row)
{
    if (!row->root || row->root[0] != '/' || !row->path || !row->boot)
        return false;
    if (row->temp ? !em_is_temp_name(row->temp) : row->state != EM_ROW_DONE)
        return false;
    if (row->backup && !is_one_component(row->backup))
        return false;
    return !row->folders || (row->folders[0] != '/' && !strstr(row->folders, ".."));
}

/* The texts that follow from a row's own. */
static em_status recovering_init(recovering *r, const em_row *row)
{
    r->row = *row;
    r->dir = -1;
    const char *slash = strcmp(row->root, "/") == 0 ? "" : "/";
    r->path = em_arena_format(r->arena, "%s%s%s", row->root, slash, row->path);
    if (!r->path)
        return EM_E_NOMEM;
    r->name = strrchr(r->path, '/') + 1;
    size_t below = row->folders ? strlen(row->folders) + 1 : 0;
    size_t before = (size_t)(r->name - r->path);
    r->rest = below < before ? r->name - below : r->name;
    return EM_OK;
}

/* ---- Reaching the folder ------------------------------------------------------------------- */

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
static int open_beneath(const recovering *r, int root, const char *way)
{
    return EM_SYS_RETRY(r->ws->sys, open, root, way[0] ? way : ".", O_PATH | O_DIRECTORY, 0,
                        EM_RESOLVE_BENEATH | EM_RESOLVE_NO_SYMLINKS | EM_RESOLVE_NO_MAGIC);
}

static int open_from_top(const recovering *r, const char *way)
{
    int top = EM_SYS_RETRY(r->ws->sys, open, AT_FDCWD, "/", O_PATH | O_DIRECTORY, 0, 0);
    if (top < 0)
        return top;
    int fd = open_beneath(r, top, way + 1);
    EM_SYS(r->ws->sys, close, top);
    return fd;
}

/* Open the folder of the row: r->dir is -1 where it is not there. *mine: it lies where this
 * recovery looks. */
static em_status folder_open(recovering *r, bool *mine)
{
    const char *below = NULL;
    char *way = em_arena_string(r->arena, em_slice_make(r->path, (size_t)(r->rest - r->path)));
    if (!way)
        return EM_E_NOMEM;
    for (size_t i = 0; i < r->ws->roots.count && !below; i++) {
        const em_root *root = &r->ws->roots.items[i];
        below = path_below(way, root->path);
        if (below)
            r->dir = open_beneath(r, root->fd, below);
    }
    *mine = below || r->options->all;
    if (!below && *mine)
        r->dir = open_from_top(r, way);
    if (r->dir >= 0 || !*mine)
        return EM_OK;
    int result = r->dir;
    r->dir = -1;
    bool gone = result == -ENOENT || result == -ENOTDIR || result == -ELOOP || result == -EXDEV;
    return gone ? EM_OK : em_io_fail(r->err, result, "open", way);
}

/* Is it the folder that the row was made for? Device numbers may change from boot to boot. */
static em_status is_the_folder(const recovering *r, em_stat *stat, bool *is)
{
    *is = r->dir >= 0;
    if (!*is)
        return EM_OK;
    int result = EM_SYS_RETRY(r->ws->sys, stat, r->dir, "", AT_EMPTY_PATH, stat);
    if (result < 0)
        return em_io_fail(r->err, result, "stat the folder of", r->path);
    bool same_boot = strcmp(r->row.boot, r->ws->state.boot) == 0;
    *is = stat->ino == r->row.dir_ino && (stat->dev == r->row.dir_dev || !same_boot);
    return EM_OK;
}

/* ---- One row ------------------------------------------------------------------------------- */

/* *taken is false when somebody else has it. */
static em_status take_lock(recovering *r, unsigned slot, bool *taken)
{
    em_status status = em_lock_take(&r->ws->locks, slot, 0, r->err);
    *taken = status == EM_OK;
    return status == EM_E_TIMEOUT ? EM_OK : status;
}

/* With the lock: read the row again, and put it right. */
static em_status repair_locked(recovering *r, em_recovery_end *end)
{
    EM_TRY(em_history_reread(r->ws->history, &r->row, r->arena, r->err));
    if (r->row.id == 0 || r->row.state == EM_ROW_DONE) {
        *end = EM_RECOVERED_DONE;
        return EM_OK;
    }
    if (!is_sane(&r->row))
        return em_fail(r->err, EM_E_IO, "the row is damaged");
    em_repair repair = {.ws = r->ws,
                        .row = &r->row,
                        .dir = r->dir,
                        .name = r->name,
                        .path = r->path,
                        .keep = r->options->keep,
                        .arena = r->arena,
                        .err = r->err};
    return em_repair_row(&repair, end);
}

static em_status repair_under_lock(recovering *r, const em_stat *folder, em_recovery_end *end)
{
    unsigned slot = em_lock_slot(folder->ino, r->rest);
    bool taken = false;
    *end = EM_LEFT_HELD;
    EM_TRY(take_lock(r, slot, &taken));
    if (!taken)
        return EM_OK;
    em_status status = repair_locked(r, end);
    em_lock_release(&r->ws->locks, slot);
    return status;
}

static em_status row_drop(recovering *r, em_recovery_end *end)
{
    *end = EM_RECOVERED_UNDONE;
    return em_history_drop(r->ws->history, &r->row, r->err);
}

/* The folder is gone, or another. A name in it need not be looked for; but that a change which was
 * not finished has no meaning any more, only a person can say. */
static em_status unreachable(recovering *r, em_recovery_end *end)
{
    if (r->row.state == EM_ROW_NAMED) {
        *end = EM_RECOVERED_DONE;
        r->row.state = EM_ROW_DONE;
        r->row.temp = NULL;
        return em_history_mark(r->ws->history, &r->row, r->err);
    }
    *end = EM_LEFT_UNREACHABLE;
    return r->options->keep == EM_KEEP_TARGET ? row_drop(r, end) : EM_OK;
}

static em_status recover_steps(recovering *r, const em_row *row, bool *mine, em_recovery_end *end)
{
    em_stat folder;
    bool is;
    r->row = *row;
    if (!is_sane(row) && r->options->keep == EM_KEEP_TARGET)
        return row_drop(r, end);
    if (!is_sane(row))
        return em_fail(r->err, EM_E_IO, "the row is damaged");
    EM_TRY(recovering_init(r, row));
    EM_TRY(folder_open(r, mine));
    if (!*mine)
        return EM_OK;
    EM_TRY(is_the_folder(r, &folder, &is));
    return is ? repair_under_lock(r, &folder, end) : unreachable(r, end);
}

/* Recover one row; *mine is false where it lies outside what this recovery looks at. A failure of
 * memory is a status, any other is an end. */
static em_status recover_row(recovering *r, const em_row *row, bool *mine, em_recovery_end *end)
{
    *mine = true;
    r->dir = -1;
    em_status status = recover_steps(r, row, mine, end);
    if (r->dir >= 0)
        EM_SYS(r->ws->sys, close, r->dir);
    if (status == EM_OK || status == EM_E_NOMEM)
        return status;
    *end = EM_LEFT_UNREADABLE;
    return EM_OK;
}

/* ---- Before a change ----------------------------------------------------------------------- */

static const em_recover_options own_roots = {.all = false, .keep = EM_KEEP_ASK};

/* What the user should hear of it, with the next answer. */
static void notice(em_workspace *ws, const recovering *r, em_row_state was, em_recovery_end end)
{
    if (end == EM_RECOVERED_KEPT)
        em_ws_notice(
            ws,
            "Somebody who had opened %s before it was changed wrote to it afterwards; that "
            "content is kept as %s in the same folder",
            r->path, r->row.kept);
    else if (end == EM_RECOVERED_UNDONE && was == EM_ROW_PENDING)
        em_ws_notice(ws, "A change of %s that was interrupted earlier was undone", r->path);
    else if (end == EM_RECOVERED_DONE && was == EM_ROW_PENDING)
        em_ws_notice(ws, "A change of %s that was interrupted earlier was completed", r->path);
    else if (end == EM_LEFT_TO_PERSON)
        em_ws_notice(ws, "An interrupted change of %s needs a decision: see `emend recover`",
                     r->path);
}

em_status em_recover_before_change(em_workspace *ws, em_error *err)
{
    EM_AUTO(em_arena) arena = {0};
    em_rows rows;
    EM_TRY(history_find(ws, err));
    if (!ws->history)
        return EM_OK;
    EM_TRY(em_history_open_rows(ws->history, EM_ROW_GRACE, ws->state.boot, &arena, &rows, err));
    for (size_t i = 0; i < rows.count; i++) {
        em_error ignored = EM_ERROR_INIT;
        recovering r = {.ws = ws, .options = &own_roots, .arena = &arena, .err = &ignored};
        bool mine;
        em_recovery_end end = EM_LEFT_UNREADABLE;
        EM_TRY(recover_row(&r, &rows.items[i], &mine, &end));
        if (mine)
            notice(ws, &r, rows.items[i].state, end);
    }
    return EM_OK;
}

/* ---- One file ------------------------------------------------------------------------------ */

/* Is it a row of this file? */
static bool is_of_file(const recovering *r, const em_file_state *file)
{
    bool same_place = r->row.dir_ino == file->folder.ino && strcmp(r->rest, file->rest) == 0;
    return same_place || strcmp(r->path, file->place.path) == 0;
}

static em_status file_row_recover(em_workspace *ws, const em_file_state *file, const em_row *row,
                                  em_arena *arena, bool *changed, em_error *err)
{
    em_error why = EM_ERROR_INIT;
    recovering r = {.ws = ws, .options = &own_roots, .arena = arena, .err = &why};
    bool mine;
    em_recovery_end end = EM_LEFT_UNREADABLE;
    if (!is_sane(row))
        return EM_OK;
    EM_TRY(recovering_init(&r, row));
    if (!is_of_file(&r, file))
        return EM_OK;
    EM_TRY(recover_row(&r, row, &mine, &end));
    if (!mine)
        return EM_OK;
    notice(ws, &r, row->state, end == EM_LEFT_TO_PERSON ? EM_LEFT_HELD : end);
    if (end == EM_LEFT_TO_PERSON)
        return em_fail(err, EM_E_UNSETTLED,
                       "an earlier change of %s was interrupted, and somebody else has changed the "
                       "file since: its other content is %s in the same folder; choose one with "
                       "`emend recover`",
                       r.path, r.row.temp);
    if (end == EM_LEFT_UNREADABLE)
        return em_fail(err, EM_E_UNSETTLED,
                       "an earlier change of %s was interrupted and cannot be recovered (%s): see "
                       "`emend recover`",
                       r.path, why.detail);
    *changed = *changed || end == EM_RECOVERED_DONE || end == EM_RECOVERED_UNDONE;
    return EM_OK;
}

em_status em_recover_file(em_workspace *ws, const em_file_state *file, bool *changed, em_error *err)
{
    EM_AUTO(em_arena) arena = {0};
    em_rows rows;
    *changed = false;
    EM_TRY(history_find(ws, err));
    if (!ws->history)
        return EM_OK;
    EM_TRY(em_history_open_rows(ws->history, EM_ROW_PENDING, NULL, &arena, &rows, err));
    for (size_t i = 0; i < rows.count; i++)
        EM_TRY(file_row_recover(ws, file, &rows.items[i], &arena, changed, err));
    return EM_OK;
}

/* ---- `emend recover` ----------------------------------------------------------------------- */

/* Does `id` name the row, with or without its token? */
static bool is_named(const em_row *row, const char *id)
{
    char whole[64], number[32];
    em_row_show_id(row, whole);
    snprintf(number, sizeof number, "%" PRId64, row->id);
    return !id || strcmp(id, whole) == 0 || strcmp(id, number) == 0;
}

/* Where the other content of a row is. */
static const char *stray_path(const recovering *r)
{
    const char *name = r->row.kept ? r->row.kept : r->row.temp;
    if (!name || !is_sane(&r->row))
        return NULL;
    if (r->row.kind == EM_ROW_IN_PLACE)
        return em_arena_format(r->arena, "%s/copies/%s", r->ws->state.path, name);
    char *folder = em_arena_string(r->arena, em_slice_make(r->path, (size_t)(r->rest - r->path)));
    return folder ? em_arena_format(r->arena, "%s%s", folder, name) : NULL;
}

static em_status recovery_add(em_recovery *recovery, const recovering *r, em_recovery_end end)
{
    em_recovered found = {.path = r->path ? r->path : "",
                          .stray = stray_path(r),
                          .detail = "",
                          .tool = r->row.origin.tool,
                          .client = r->row.origin.client,
                          .time_ms = r->row.time_ms,
                          .end = end};
    em_row_show_id(&r->row, found.id);
    if (end == EM_LEFT_UNREADABLE) {
        found.detail = em_arena_string(r->arena, em_slice_of(r->err->detail));
        if (!found.detail)
            return EM_E_NOMEM;
    }
    EM_TRY(em_arena_grow(r->arena, (void **)&recovery->items, recovery->count, &recovery->room,
                         sizeof *recovery->items));
    recovery->items[recovery->count++] = found;
    return EM_OK;
}

/* The rows to look at; none where there is no state directory, or no history in it. */
static em_status rows_find(em_workspace *ws, bool named_too, em_arena *arena, em_rows *rows,
                           em_error *err)
{
    *rows = (em_rows){0};
    em_status status = em_ws_state(ws, false, err);
    if (status == EM_E_NOT_FOUND)
        return EM_OK;
    EM_TRY(status);
    EM_TRY(history_find(ws, err));
    if (!ws->history)
        return EM_OK;
    return em_history_open_rows(ws->history, EM_ROW_GRACE, named_too ? ws->state.boot : NULL, arena,
                                rows, err);
}

em_status em_recover(em_workspace *ws, const em_recover_options *options, em_arena *arena,
                     em_recovery *recovery, em_error *err)
{
    em_rows rows;
    bool found = false;
    *recovery = (em_recovery){0};
    EM_TRY(rows_find(ws, true, arena, &rows, err));
    for (size_t i = 0; i < rows.count; i++) {
        em_error why = EM_ERROR_INIT;
        recovering r = {.ws = ws, .options = options, .arena = arena, .err = &why};
        em_row was = rows.items[i];
        bool mine;
        em_recovery_end end = EM_LEFT_UNREADABLE;
        if (!is_named(&was, options->id))
            continue;
        EM_TRY(recover_row(&r, &was, &mine, &end));
        if (!mine)
            continue;
        found = true;
        if (was.state == EM_ROW_NAMED && end == EM_RECOVERED_DONE)
            continue; /* made long ago, and nothing was found */
        if (end != EM_RECOVERED_KEPT)
            r.row = was; /* its names are told as they were */
        EM_TRY(recovery_add(recovery, &r, end));
    }
    if (options->id && !found)
        return em_fail(err, EM_E_NOT_FOUND, "no change %s is pending here", options->id);
    return EM_OK;
}

em_status em_recover_list(em_workspace *ws, bool all, em_arena *arena, em_recovery *recovery,
                          em_error *err)
{
    em_rows rows;
    em_recover_options options = {.all = all};
    *recovery = (em_recovery){0};
    EM_TRY(rows_find(ws, false, arena, &rows, err));
    for (size_t i = 0; i < rows.count; i++) {
        recovering r = {.ws = ws, .options = &options, .arena = arena, .err = err};
        bool mine;
        if (!is_sane(&rows.items[i]))
            continue;
        EM_TRY(recovering_init(&r, &rows.items[i]));
        em_status status = folder_open(&r, &mine);
        if (r.dir >= 0)
            EM_SYS(ws->sys, close, r.dir);
        if (status == EM_E_NOMEM)
            return status;
        if (mine)
            EM_TRY(recovery_add(recovery, &r, EM_RECOVERY_NOT_TRIED));
    }
    return EM_OK;
}
