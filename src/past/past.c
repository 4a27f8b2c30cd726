/* past.c: questions about the past, answered from the history.
 *
 * What the caller may not know of is left out by em_past_is_wanted. */
#include "past/past_impl.h"

#include "history/database.h"
#include "history/inverse.h"
#include "workspace/recorded.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { PAGE = 128 /* rows that are looked at together */ };

/* ---- Which rows may be seen ---------------------------------------------------------------- */

static bool is_at(const char *path, const char *place)
{
    size_t length = strlen(place);
    if (strcmp(place, "/") == 0)
        return true;
    return strncmp(path, place, length) == 0 && (path[length] == '\0' || path[length] == '/');
}

em_status em_past_is_wanted(const em_workspace *ws, const em_past_filter *filter, const em_row *row,
                            bool *wanted)
{
    EM_AUTO(em_arena) arena = {0};
    const char *path = em_row_path(row, &arena);
    if (!path)
        return EM_E_NOMEM;
    *wanted = !filter->path || is_at(path, filter->path);
    return *wanted && !filter->all ? em_ws_may_tell(ws, path, wanted) : EM_OK;
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
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++)
        EM_TRY(em_arena_keep_string(arena, strings[i]));
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
    EM_TRY(em_sql_init(&sql, em_ws_history(ws), -1, text, err));
    em_sql_bind_int(&sql, below);
    em_sql_bind_int(&sql, filter->above);
    em_sql_bind_text(&sql, filter->session);
    em_sql_bind_text(&sql, filter->tool);
    em_sql_bind_text(&sql, filter->client);
    em_sql_bind_int(&sql, filter->since_ms);
    em_sql_bind_int(&sql, PAGE);
    return em_rows_load(&sql, arena, rows);
}

em_status em_past_add_row(em_row_list *list, const em_row *row, em_arena *arena)
{
    EM_TRY(
        em_arena_grow(arena, (void **)&list->items, list->count, &list->room, sizeof *list->items));
    return row_copy(row, arena, &list->items[list->count++]);
}

/* Add what is wanted of a page; *more: there may be some behind it. */
static em_status take_page(const em_workspace *ws, const em_past_filter *filter,
                           const em_rows *page, em_arena *arena, em_row_list *list, bool *more)
{
    *more = page->count == PAGE;
    for (size_t i = 0; i < page->count; i++) {
        bool wanted;
        EM_TRY(em_past_is_wanted(ws, filter, &page->items[i], &wanted));
        if (!wanted)
            continue;
        EM_TRY(em_past_add_row(list, &page->items[i], arena));
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
    em_row_list list = {0};
    int64_t below = filter->below > 0 ? filter->below : INT64_MAX;
    *rows = (em_rows){0};
    EM_TRY(em_ws_open_history(ws, err));
    for (bool more = em_ws_history(ws) != NULL; more;) {
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

em_status em_past_find(em_workspace *ws, const char *id, bool all, em_arena *arena, em_row *row,
                       em_error *err)
{
    em_past_filter filter = {.all = all};
    em_rows rows = {0};
    int64_t number;
    const char *token;
    bool found = false, is_id = id_read(id, &number, &token);
    if (is_id) {
        EM_TRY(em_ws_open_history(ws, err));
        if (em_ws_history(ws))
            EM_TRY(em_rows_by_number(em_ws_history(ws),
                                     "SELECT id, " EM_ROW_COLUMNS " FROM commits WHERE id = ?",
                                     number, arena, &rows, err));
    }
    if (rows.count > 0 && !rows.items[0].forget) {
        char shown[64];
        *row = rows.items[0];
        em_row_show_id(row, shown);
        EM_TRY(em_past_is_wanted(ws, &filter, row, &found));
        found = found && (!token || strcmp(id, shown) == 0);
    }
    if (found)
        return EM_OK;
    return em_fail(err, EM_E_NOT_FOUND, "there is no change %s here%s", id,
                   is_id ? "" : ": a change is named by its number");
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
    EM_TRY(em_history_inverse(em_ws_history(ws), row, arena, &code, err));
    if (code.len == 0)
        return EM_OK;
    em_status status = em_inverse_decode(code, arena, change);
    return status == EM_E_INVALID ? em_past_fail_damaged(row, status, err) : status;
}
