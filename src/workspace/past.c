/* past.c: questions about the past, answered from the history.
 *
 * What the caller may not know of is left out by is_wanted. First single changes (em_past_list,
 * em_past_find), then whole calls and what became of them (em_past_call_of, em_past_fate), then
 * checkpoints.
 */
#include "workspace/past.h"

#include "history/database.h"
#include "history/inverse.h"
#include "system/names.h"
#include "system/sys_io.h"
#include "workspace/reach.h"
#include "workspace/ws.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { PAGE = 128 /* rows that are looked at together */ };

/* ---- The history --------------------------------------------------------------------------- */

em_status em_past_open(em_workspace *ws, em_error *err)
{
    em_stat stat;
    if (ws->history)
        return EM_OK;
    em_status status = em_ws_state(ws, false, err);
    if (status == EM_E_NOT_FOUND)
        return EM_OK;
    EM_TRY(status);
    int result =
        EM_SYS_RETRY(ws->sys, stat, ws->state.dir, EM_HISTORY_NAME, AT_SYMLINK_NOFOLLOW, &stat);
    if (result == -ENOENT)
        return EM_OK;
    if (result < 0)
        return em_state_fail(err, result, "stat", EM_HISTORY_NAME);
    return em_ws_history(ws, err);
}

/* ---- Which rows may be seen ---------------------------------------------------------------- */

const char *em_past_path(const em_row *row, em_arena *arena)
{
    const char *slash = strcmp(row->root, "/") == 0 ? "" : "/";
    return em_arena_format(arena, "%s%s%s", row->root, slash, row->path);
}

em_status em_past_may_tell(const em_workspace *ws, const char *path, bool *may)
{
    EM_AUTO(em_arena) arena = {0};
    *may = false;
    for (size_t i = 0; i < ws->roots.count; i++) {
        const char *rel = em_root_rel(&ws->roots.items[i], path);
        if (!rel)
            continue;
        em_status status = em_ws_check_rules(ws, &ws->roots.items[i], rel, false, &arena, NULL);
        *may = status == EM_OK;
        return status == EM_E_NOMEM ? status : EM_OK;
    }
    return EM_OK;
}

static bool is_at(const char *path, const char *place)
{
    size_t length = strlen(place);
    if (strcmp(place, "/") == 0)
        return true;
    return strncmp(path, place, length) == 0 && (path[length] == '\0' || path[length] == '/');
}

static em_status is_wanted(const em_workspace *ws, const em_past_filter *filter, const em_row *row,
                           bool *wanted)
{
    EM_AUTO(em_arena) arena = {0};
    const char *path = em_past_path(row, &arena);
    if (!path)
        return EM_E_NOMEM;
    *wanted = !filter->path || is_at(path, filter->path);
    return *wanted && !filter->all ? em_past_may_tell(ws, path, wanted) : EM_OK;
}

/* ---- Rows ---------------------------------------------------------------------------------- */

/* A copy whose strings are in another arena. */
static em_status row_copy(const em_row *row, em_arena *arena, em_row *copy)
{
    *copy = *row;
    const char **strings[] = {
        &copy->root,        &copy->path,          &copy->temp,           &copy->backup,
        &copy->folders,     &copy->kept,          &copy->boot,           &copy->txn,
        &copy->origin.tool, &copy->origin.client, &copy->origin.session, &copy->origin.call};
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++) {
        if (*strings[i] && !(*strings[i] = em_arena_string(arena, em_slice_of(*strings[i]))))
            return EM_E_NOMEM;
    }
    return EM_OK;
}

static em_status page_load(em_workspace *ws, const em_past_filter *filter, int64_t below,
                           em_arena *arena, em_rows *rows, em_error *err)
{
    static const char text[] =
        "SELECT id, " EM_ROW_COLUMNS " FROM commits WHERE forget = 0 AND id < ?1 AND id > ?2"
        " AND (?3 IS NULL OR session = ?3) AND (?4 IS NULL OR tool = ?4)"
        " AND (?5 IS NULL OR client = ?5) AND time >= ?6 ORDER BY id DESC LIMIT ?7";
    em_sql sql = {0};
    EM_TRY(em_sql_init(&sql, ws->history, -1, text, err));
    em_sql_bind_int(&sql, below);
    em_sql_bind_int(&sql, filter->above);
    em_sql_bind_text(&sql, filter->session);
    em_sql_bind_text(&sql, filter->tool);
    em_sql_bind_text(&sql, filter->client);
    em_sql_bind_int(&sql, filter->since_ms);
    em_sql_bind_int(&sql, PAGE);
    return em_rows_load(&sql, arena, rows);
}

typedef struct row_list {
    em_row *items;
    size_t count, room;
} row_list;

static em_status add_row(row_list *list, const em_row *row, em_arena *arena)
{
    EM_TRY(
        em_arena_grow(arena, (void **)&list->items, list->count, &list->room, sizeof *list->items));
    return row_copy(row, arena, &list->items[list->count++]);
}

/* Add what is wanted of a page; *more: there may be some behind it. */
static em_status take_page(const em_workspace *ws, const em_past_filter *filter,
                           const em_rows *page, em_arena *arena, row_list *list, bool *more)
{
    *more = page->count == PAGE;
    for (size_t i = 0; i < page->count; i++) {
        bool wanted;
        EM_TRY(is_wanted(ws, filter, &page->items[i], &wanted));
        if (!wanted)
            continue;
        EM_TRY(add_row(list, &page->items[i], arena));
        if (list->count == filter->limit) {
            *more = false;
            break;
        }
    }
    return EM_OK;
}

em_status em_past_list(em_workspace *ws, const em_past_filter *filter, em_arena *arena,
                       em_rows *rows, em_error *err)
{
    row_list list = {0};
    int64_t below = filter->below > 0 ? filter->below : INT64_MAX;
    *rows = (em_rows){0};
    EM_TRY(em_past_open(ws, err));
    for (bool more = ws->history != NULL; more;) {
        EM_AUTO(em_arena) own = {0};
        em_rows page;
        EM_TRY(page_load(ws, filter, below, &own, &page, err));
        EM_TRY(take_page(ws, filter, &page, arena, &list, &more));
        if (page.count > 0)
            below = page.items[page.count - 1].id;
    }
    *rows = (em_rows){.items = list.items, .count = list.count};
    return EM_OK;
}

/* The number that an id begins with, and its token where it has one. */
static bool id_read(const char *id, int64_t *number, const char **token)
{
    char *end;
    if (id[0] < '0' || id[0] > '9')
        return false;
    *number = strtoll(id, &end, 10);
    *token = *end == '-' ? end + 1 : NULL;
    return *end == '\0' || *end == '-';
}

/* Rows by a statement with one argument, a text or a number. */
static em_status rows_by(em_workspace *ws, const char *text, const char *string, int64_t number,
                         em_arena *arena, em_rows *rows, em_error *err)
{
    em_sql sql = {0};
    EM_TRY(em_sql_init(&sql, ws->history, -1, text, err));
    if (string)
        em_sql_bind_text(&sql, string);
    else
        em_sql_bind_int(&sql, number);
    return em_rows_load(&sql, arena, rows);
}

em_status em_past_find(em_workspace *ws, const char *id, bool all, em_arena *arena, em_row *row,
                       em_error *err)
{
    em_past_filter filter = {.all = all};
    em_rows rows = {0};
    int64_t number;
    const char *token;
    bool found = false, is_id = id_read(id, &number, &token);
    if (is_id) {
        EM_TRY(em_past_open(ws, err));
        if (ws->history)
            EM_TRY(rows_by(ws, "SELECT id, " EM_ROW_COLUMNS " FROM commits WHERE id = ?", NULL,
                           number, arena, &rows, err));
    }
    if (rows.count > 0 && !rows.items[0].forget) {
        char shown[64];
        *row = rows.items[0];
        em_row_show_id(row, shown);
        EM_TRY(is_wanted(ws, &filter, row, &found));
        found = found && (!token || strcmp(id, shown) == 0);
    }
    if (found)
        return EM_OK;
    return em_fail(err, EM_E_NOT_FOUND, "there is no change %s here%s", id,
                   is_id ? "" : ": changes have numbers, which 'emend log' shows");
}

em_status em_past_fail_damaged(const em_row *row, em_status status, em_error *err)
{
    return em_fail(err, status, "what the history has of change %" PRId64 " is damaged", row->id);
}

em_status em_past_change(em_workspace *ws, const em_row *row, em_arena *arena,
                         struct em_inverse *change, em_error *err)
{
    em_slice code;
    *change = (em_inverse){0};
    EM_TRY(em_history_inverse(ws->history, row, arena, &code, err));
    if (code.len == 0)
        return EM_OK;
    em_status status = em_inverse_decode(code, arena, change);
    return status == EM_E_INVALID ? em_past_fail_damaged(row, status, err) : status;
}

/* ---- Calls --------------------------------------------------------------------------------- */

const char *em_past_call_name(const em_row *row, em_arena *arena)
{
    return row->origin.call ? row->origin.call : em_arena_format(arena, "#%" PRId64, row->id);
}

em_role em_past_role_of(const em_base *bases, size_t count, em_role mixed)
{
    for (size_t i = 1; i < count; i++) {
        if (bases[i].role != bases[0].role)
            return mixed;
    }
    return count > 0 ? bases[0].role : mixed;
}

/* The base of the row that the statement is at. */
static em_status take_base(em_sql *sql, em_arena *arena, size_t *room, em_past_call *call)
{
    EM_TRY(
        em_arena_grow(arena, (void **)&call->bases, call->base_count, room, sizeof *call->bases));
    EM_TRY(em_sql_text(sql, arena, &call->bases[call->base_count].call));
    call->bases[call->base_count++].role = (em_role)em_sql_int(sql);
    return EM_OK;
}

static em_status bases_load(em_workspace *ws, em_past_call *call, em_arena *arena, em_error *err)
{
    em_sql sql = {0};
    em_status taken = EM_OK;
    size_t room = 0;
    bool more;
    EM_TRY(em_sql_init(&sql, ws->history, -1,
                       "SELECT base, role FROM undone WHERE call = ? ORDER BY"
                       " COALESCE((SELECT MAX(id) FROM commits WHERE commits.call = base),"
                       " CAST(SUBSTR(base, 2) AS INTEGER)) DESC",
                       err));
    em_sql_bind_text(&sql, call->name);
    do {
        EM_TRY(em_sql_next(&sql, taken, &more));
        if (more)
            taken = take_base(&sql, arena, &room, call);
    } while (more);
    return EM_OK;
}

/* Is the row among those of its call? It is, but where the two copies of the call's name that the
 * database has differ; or where it was given up a moment ago. */
static em_status check_is_of_call(em_workspace *ws, const em_row *row, em_rows rows,
                                  em_arena *arena, em_error *err)
{
    em_row again;
    for (size_t i = 0; i < rows.count; i++) {
        if (rows.items[i].id == row->id)
            return EM_OK;
    }
    char id[64];
    em_row_show_id(row, id);
    EM_TRY(em_past_find(ws, id, false, arena, &again, err));
    return em_past_fail_damaged(row, EM_E_IO, err);
}

static em_status rows_of_call(em_workspace *ws, const em_row *row, em_arena *arena,
                              em_past_call *call, em_error *err)
{
    em_past_filter any = {0};
    em_rows rows = {.items = row, .count = 1};
    row_list list = {0};
    if (row->origin.call)
        EM_TRY(rows_by(ws,
                       "SELECT id, " EM_ROW_COLUMNS
                       " FROM commits WHERE call = ? AND forget = 0 ORDER BY id",
                       row->origin.call, 0, arena, &rows, err));
    EM_TRY(check_is_of_call(ws, row, rows, arena, err));
    for (size_t i = 0; i < rows.count; i++) {
        bool wanted;
        EM_TRY(is_wanted(ws, &any, &rows.items[i], &wanted));
        if (wanted)
            EM_TRY(add_row(&list, &rows.items[i], arena));
    }
    call->rows = (em_rows){.items = list.items, .count = list.count};
    call->whole = list.count == rows.count;
    return EM_OK;
}

em_status em_past_call_of(em_workspace *ws, const em_row *row, em_arena *arena, em_past_call *call,
                          em_error *err)
{
    *call = (em_past_call){.name = em_past_call_name(row, arena), .role = row->origin.role};
    if (!call->name)
        return EM_E_NOMEM;
    EM_TRY(rows_of_call(ws, row, arena, call, err));
    if (call->role == EM_ROLE_EDIT)
        return EM_OK;
    EM_TRY(bases_load(ws, call, arena, err));
    call->role = em_past_role_of(call->bases, call->base_count, call->role);
    return EM_OK;
}

/* A call is about another as soon as it is known that its change was made. */
#define ABOUT                                                                                      \
    "SELECT commits.id, token, undone.role, undone.call FROM undone"                               \
    " JOIN commits ON commits.id = undone.id WHERE base = ? AND state > 0"

static em_status fate_by(em_workspace *ws, const char *text, const char *base, int64_t bound,
                         em_arena *arena, em_fate *fate, em_error *err)
{
    em_sql sql = {0};
    em_row row = {0};
    bool found;
    *fate = (em_fate){0};
    EM_TRY(em_sql_init(&sql, ws->history, -1, text, err));
    em_sql_bind_text(&sql, base);
    em_sql_bind_int(&sql, bound);
    EM_TRY(em_sql_step(&sql, &found));
    if (!found)
        return EM_OK;
    fate->id = row.id = em_sql_int(&sql);
    row.token = em_sql_bits(&sql);
    fate->role = (em_role)em_sql_int(&sql);
    em_row_show_id(&row, fate->shown);
    em_status status = em_sql_text(&sql, arena, &fate->call);
    em_sql_stop(&sql);
    return status;
}

em_status em_past_fate(em_workspace *ws, const char *base, int64_t until, em_arena *arena,
                       em_fate *fate, em_error *err)
{
    return fate_by(ws, ABOUT " AND undone.id <= ? ORDER BY undone.id DESC LIMIT 1", base, until,
                   arena, fate, err);
}

em_status em_past_next(em_workspace *ws, const char *base, int64_t after, em_arena *arena,
                       em_fate *next, em_error *err)
{
    return fate_by(ws, ABOUT " AND undone.id > ? ORDER BY undone.id LIMIT 1", base, after, arena,
                   next, err);
}

em_status em_past_call_id(em_workspace *ws, const char *call, em_arena *arena, const char **id,
                          em_error *err)
{
    em_sql sql = {0};
    em_row row = {0};
    bool found;
    char shown[64];
    *id = "";
    EM_TRY(em_sql_init(&sql, ws->history, -1,
                       "SELECT id, token FROM commits WHERE call = ?1"
                       " OR (?1 = '#' || id AND call IS NULL) ORDER BY id LIMIT 1",
                       err));
    em_sql_bind_text(&sql, call);
    EM_TRY(em_sql_step(&sql, &found));
    if (!found)
        return EM_OK;
    row.id = em_sql_int(&sql);
    row.token = em_sql_bits(&sql);
    em_sql_stop(&sql);
    em_row_show_id(&row, shown);
    *id = em_arena_string(arena, em_slice_of(shown));
    return *id ? EM_OK : EM_E_NOMEM;
}

/* Is some change of the same file not finished? Then recovery must be able to reach its folder. */
static bool is_pending(const em_workspace *ws, const em_row *row, em_arena *arena)
{
    em_rows rows;
    if (em_history_open_rows(ws->history, EM_ROW_PENDING, NULL, arena, &rows, NULL) != EM_OK)
        return true;
    for (size_t i = 0; i < rows.count; i++) {
        if (strcmp(rows.items[i].path, row->path) == 0 &&
            strcmp(rows.items[i].root, row->root) == 0)
            return true;
    }
    return false;
}

const char *em_past_made_folder(const em_row *row, em_arena *arena)
{
    const char *path = em_past_path(row, arena), *name = path ? strrchr(path, '/') : NULL;
    size_t folders = strlen(row->folders), outermost = strcspn(row->folders, "/");
    if (!name || (size_t)(name - path) < folders)
        return path;
    return em_arena_string(arena, em_slice_make(path, (size_t)(name - path) - folders + outermost));
}

void em_past_remove_folders(em_workspace *ws, const em_row *row)
{
    EM_AUTO(em_arena) arena = {0};
    em_reach reach = {.dir = -1};
    if (!row->folders || !em_row_is_sane(row) || is_pending(ws, row, &arena) ||
        em_reach_name(row, &arena, &reach) != EM_OK)
        return;
    if (em_reach_open(ws, row, false, &arena, &reach, NULL) == EM_OK && reach.dir >= 0)
        em_folders_remove(ws->sys, reach.dir, row->folders, 0, reach.path, NULL);
    em_reach_close(ws, &reach);
}

/* Who made a file with folders: what the call of the removal undoes, and who undid or redid
 * that. */
static const char makers[] =
    "WITH calls(name) AS (SELECT base FROM undone WHERE call = ?1 UNION"
    " SELECT call FROM undone WHERE base IN (SELECT base FROM undone WHERE call = ?1))"
    " SELECT id, " EM_ROW_COLUMNS " FROM commits WHERE folders IS NOT NULL AND state > 0"
    " AND (call IN (SELECT name FROM calls) OR id IN"
    " (SELECT CAST(SUBSTR(name, 2) AS INTEGER) FROM calls WHERE name LIKE '#%'))"
    " ORDER BY id DESC";

void em_past_remove_undone_folders(em_workspace *ws, const em_row *removal)
{
    EM_AUTO(em_arena) arena = {0};
    em_rows rows = {0};
    if (!ws->history || removal->kind != EM_ROW_REMOVE || !removal->origin.call ||
        removal->origin.role == EM_ROLE_EDIT ||
        rows_by(ws, makers, removal->origin.call, 0, &arena, &rows, NULL) != EM_OK)
        return;
    const char *path = em_past_path(removal, &arena);
    for (size_t i = 0; i < rows.count && path; i++) {
        const char *made = em_past_path(&rows.items[i], &arena);
        if (made && rows.items[i].kind == EM_ROW_CREATE && strcmp(made, path) == 0)
            em_past_remove_folders(ws, &rows.items[i]);
    }
}

em_status em_past_settle(em_workspace *ws, em_error *err)
{
    return em_ws_ready(ws, err);
}

/* ---- Checkpoints --------------------------------------------------------------------------- */

em_status em_past_now(em_workspace *ws, int64_t *ms, em_error *err)
{
    return em_io_time(ws->sys, CLOCK_REALTIME, ms, err);
}

em_status em_past_mark(em_workspace *ws, const char *name, em_error *err)
{
    em_sql sql = {0};
    int64_t now = 0;
    if (!*name || strlen(name) > EM_CHECKPOINT_NAME)
        return em_fail(err, EM_E_INVALID, "a checkpoint needs a name of 1 to %d bytes",
                       EM_CHECKPOINT_NAME);
    EM_TRY(em_ws_check_may_change(ws, err));
    EM_TRY(em_ws_state(ws, true, err));
    EM_TRY(em_ws_history(ws, err));
    EM_TRY(em_past_now(ws, &now, err));
    EM_TRY(em_sql_init(&sql, ws->history, -1,
                       "INSERT OR REPLACE INTO checkpoints(root, name, time, id) VALUES(?, ?, ?,"
                       " ifnull((SELECT seq FROM sqlite_sequence WHERE name = 'commits'), 0))",
                       err));
    em_sql_bind_text(&sql, ws->roots.items[0].path);
    em_sql_bind_text(&sql, name);
    em_sql_bind_int(&sql, now);
    return em_sql_run(&sql);
}

/* The checkpoint of the row that the statement is at. */
static em_status take_mark(em_sql *sql, em_arena *arena, size_t *room, em_checkpoints *marks)
{
    em_checkpoint mark;
    EM_TRY(em_sql_text(sql, arena, &mark.name));
    EM_TRY(em_arena_grow(arena, (void **)&marks->items, marks->count, room, sizeof *marks->items));
    mark.id = em_sql_int(sql);
    mark.time_ms = em_sql_int(sql);
    marks->items[marks->count++] = mark;
    return EM_OK;
}

em_status em_past_marks(em_workspace *ws, em_arena *arena, em_checkpoints *marks, em_error *err)
{
    em_sql sql = {0};
    em_status taken = EM_OK;
    size_t room = 0;
    bool more;
    *marks = (em_checkpoints){0};
    EM_TRY(em_past_open(ws, err));
    if (!ws->history)
        return EM_OK;
    EM_TRY(em_sql_init(&sql, ws->history, -1,
                       "SELECT name, id, time FROM checkpoints WHERE root = ?"
                       " ORDER BY time DESC, name",
                       err));
    em_sql_bind_text(&sql, ws->roots.items[0].path);
    do {
        EM_TRY(em_sql_next(&sql, taken, &more));
        if (more)
            taken = take_mark(&sql, arena, &room, marks);
    } while (more);
    return EM_OK;
}

em_status em_past_is_whole(em_workspace *ws, int64_t id, bool *whole, em_error *err)
{
    int64_t forgotten;
    EM_TRY(em_sql_number(ws->history, "SELECT value FROM settings WHERE name = 'forgotten'",
                         &forgotten, err));
    *whole = forgotten <= id;
    return EM_OK;
}
