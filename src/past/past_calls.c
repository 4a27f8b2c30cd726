#include "past/past_calls.h"

#include "history/database.h"
#include "past/past_impl.h"
#include "workspace/recorded.h"

#include <inttypes.h>

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
    EM_TRY(em_sql_init(&sql, em_ws_history(ws), -1,
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
    em_row_list list = {0};
    if (row->origin.call)
        EM_TRY(em_rows_by_text(em_ws_history(ws),
                               "SELECT id, " EM_ROW_COLUMNS
                               " FROM commits WHERE call = ? AND forget = 0 ORDER BY id",
                               row->origin.call, arena, &rows, err));
    EM_TRY(check_is_of_call(ws, row, rows, arena, err));
    for (size_t i = 0; i < rows.count; i++) {
        bool wanted;
        EM_TRY(em_past_is_wanted(ws, &any, &rows.items[i], &wanted));
        if (wanted)
            EM_TRY(em_past_add_row(&list, &rows.items[i], arena));
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
    EM_TRY(em_sql_init(&sql, em_ws_history(ws), -1, text, err));
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
    EM_TRY(em_sql_init(&sql, em_ws_history(ws), -1,
                       "SELECT id, token FROM commits WHERE call = ?1"
                       " OR (id = CAST(SUBSTR(?1, 2) AS INTEGER) AND call IS NULL"
                       " AND ?1 LIKE '#%') ORDER BY id LIMIT 1",
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
