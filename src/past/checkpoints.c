#include "past/checkpoints.h"

#include "history/database.h"
#include "workspace/recorded.h"

em_status em_past_mark(em_workspace *ws, const char *name, em_error *err)
{
    em_sql sql = {0};
    int64_t now = 0;
    if (!*name || strlen(name) > EM_CHECKPOINT_NAME)
        return em_fail(err, EM_E_INVALID, "a checkpoint needs a name of 1 to %d bytes",
                       EM_CHECKPOINT_NAME);
    if (!em_ws_keeps_history(ws))
        return em_fail(err, EM_E_INVALID,
                       "without a history (--no-history) nothing leads back to "
                       "a checkpoint");
    EM_TRY(em_ws_make_history(ws, err));
    EM_TRY(em_ws_now(ws, &now, err));
    EM_TRY(em_sql_init(&sql, em_ws_history(ws), -1,
                       "INSERT OR REPLACE INTO checkpoints(root, name, time, id) VALUES(?, ?, ?,"
                       " ifnull((SELECT seq FROM sqlite_sequence WHERE name = 'commits'), 0))",
                       err));
    em_sql_bind_text(&sql, em_ws_root(ws, 0));
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
    mark.is_whole = em_sql_int(sql) != 0;
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
    EM_TRY(em_ws_open_history(ws, err));
    if (!em_ws_history(ws))
        return EM_OK;
    EM_TRY(em_sql_init(&sql, em_ws_history(ws), -1,
                       "SELECT name, id, time, id >= ifnull((SELECT value FROM settings"
                       " WHERE name = 'forgotten'), 0) FROM checkpoints WHERE root = ?"
                       " ORDER BY time DESC, name",
                       err));
    em_sql_bind_text(&sql, em_ws_root(ws, 0));
    do {
        EM_TRY(em_sql_next(&sql, taken, &more));
        if (more)
            taken = take_mark(&sql, arena, &room, marks);
    } while (more);
    return EM_OK;
}
