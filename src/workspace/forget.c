/* forget.c: the history is kept within limits.
 *
 *  (1) Only what is finished is forgotten (EM_ROW_DONE), not before the disk is sure to have it,
 *      and a call whole or not at all.
 *  (2) Each step is a transaction of its own: who dies in between, or fails, has forgotten less.
 *  (3) How far was forgotten is written down with it, so that nobody takes what is left for all.
 */
#include "history/database.h"
#include "workspace/content_store.h"
#include "workspace/past.h"
#include "workspace/ws.h"

#include <inttypes.h>

enum {
    STEP = 500,        /* rows that are looked at in one transaction */
    TIDY_MOST = 2000,  /* rows at a time: more than come in between */
    SHRINK_LEAST = 64, /* pages that are free, and a quarter of all */
};

/* One call of em_past_forget. */
typedef struct forgetting {
    em_history *history;
    em_limits limits;
    int64_t now_ms;
    int64_t before_ms; /* older ones go */
    em_error *err;
} forgetting;

/* ---- What has to go ------------------------------------------------------------------------ */

/* A row of the last two minutes. One that leaves no old name, as that of a file that was made, is
 * finished at once, but as new as others. (A time that is far ahead is of a clock that was wrong.)
 * ?2 and ?3 are bound by init_with_new(). */
#define IS_NEW(row) "(" row ".time BETWEEN ?2 AND ?3)"

/* A statement whose first parameter is `first`, and that asks for what is new. */
static em_status init_with_new(const forgetting *f, em_sql *sql, const char *text, int64_t first)
{
    EM_TRY(em_sql_init(sql, f->history, -1, text, f->err));
    em_sql_bind_int(sql, first);
    em_sql_bind_int(sql, f->now_ms - EM_WRITTEN_AFTER_MS);
    em_sql_bind_int(sql, f->now_ms + EM_WRITTEN_AFTER_MS);
    return EM_OK;
}

static em_status bytes_used(const forgetting *f, uint64_t *bytes)
{
    int64_t pages, unused, size;
    EM_TRY(em_sql_number(f->history, "PRAGMA page_count", &pages, f->err));
    EM_TRY(em_sql_number(f->history, "PRAGMA freelist_count", &unused, f->err));
    EM_TRY(em_sql_number(f->history, "PRAGMA page_size", &size, f->err));
    *bytes = (uint64_t)(pages - unused) * (uint64_t)size;
    return EM_OK;
}

/* What is older has to go. */
static em_status end_of_kept(const forgetting *f, int64_t *before_ms)
{
    uint64_t used;
    EM_TRY(bytes_used(f, &used));
    bool too_large = f->limits.bytes > 0 && used > f->limits.bytes;
    *before_ms = too_large ? INT64_MAX : f->before_ms;
    return EM_OK;
}

/* The last of the oldest rows that have to go now, at most STEP of them: those that are too old, or
 * any, where the database is too large. 0: none has to. */
static em_status step_end(const forgetting *f, int64_t *end)
{
    static const char text[] =
        "SELECT max(id) FROM (SELECT id, time FROM commits WHERE state = 3 ORDER BY id LIMIT ?4)"
        " AS row WHERE time < ?1 AND NOT " IS_NEW("row");
    em_sql sql = {0};
    int64_t before_ms;
    bool row;
    *end = 0;
    EM_TRY(end_of_kept(f, &before_ms));
    EM_TRY(init_with_new(f, &sql, text, before_ms));
    em_sql_bind_int(&sql, STEP);
    EM_TRY(em_sql_step(&sql, &row));
    *end = em_sql_int(&sql);
    em_sql_stop(&sql);
    return EM_OK;
}

/* ---- Forgetting ---------------------------------------------------------------------------- */

static em_status rows_forget(const forgetting *f, int64_t end, uint64_t *rows)
{
    static const char text[] = "DELETE FROM commits WHERE id <= ?1 AND state = 3 AND NOT " IS_NEW(
        "commits") " AND NOT EXISTS"
                   " (SELECT 1 FROM commits AS later WHERE later.call = commits.call"
                   "  AND (later.id > ?1 OR later.state < 3 OR " IS_NEW("later") "))";
    em_sql sql = {0};
    EM_TRY(init_with_new(f, &sql, text, end));
    EM_TRY(em_sql_run(&sql));
    *rows = (uint64_t)sqlite3_changes(f->history->db);
    return EM_OK;
}

static em_status run_with(const forgetting *f, const char *text, int64_t end)
{
    em_sql sql = {0};
    EM_TRY(em_sql_init(&sql, f->history, -1, text, f->err));
    em_sql_bind_int(&sql, end);
    return em_sql_run(&sql);
}

/* All that belongs to rows up to `end`. */
static em_status step_forget(const forgetting *f, int64_t end, uint64_t *rows)
{
    static const char plans[] =
        "DELETE FROM inverses WHERE id <= ? AND id NOT IN (SELECT id FROM commits)";
    static const char relations[] =
        "DELETE FROM undone WHERE id <= ? AND id NOT IN (SELECT id FROM commits)";
    static const char mark[] =
        "INSERT OR REPLACE INTO settings VALUES('forgotten',"
        " max(?, ifnull((SELECT value FROM settings WHERE name = 'forgotten'), 0)))";
    EM_TRY(rows_forget(f, end, rows));
    EM_TRY(run_with(f, plans, end));
    EM_TRY(run_with(f, relations, end));
    return run_with(f, mark, end);
}

/* One transaction; *rows is 0 when nothing is left that has to go. */
static em_status step(const forgetting *f, uint64_t *rows)
{
    int64_t end;
    *rows = 0;
    EM_TRY(em_history_begin(f->history, f->err));
    em_status status = step_end(f, &end);
    if (status == EM_OK && end > 0)
        status = step_forget(f, end, rows);
    em_status ended = em_history_end(f->history, status == EM_OK, f->err);
    return status != EM_OK ? status : ended;
}

static em_status shrink(const forgetting *f)
{
    int64_t pages, unused;
    EM_TRY(em_sql_number(f->history, "PRAGMA page_count", &pages, f->err));
    EM_TRY(em_sql_number(f->history, "PRAGMA freelist_count", &unused, f->err));
    if (unused < SHRINK_LEAST || unused < pages / 4)
        return EM_OK;
    EM_TRY(em_database_run(f->history, "VACUUM", f->err));
    em_database_give_back(f->history);
    return EM_OK;
}

/* How many rows would have to go as well, but are too new or not EM_ROW_DONE yet, or belong to a
 * call of which one is: it is too early to know that the disk has them. */
static em_status count_waiting(const forgetting *f, uint64_t *rows)
{
    static const char text[] =
        "SELECT count(*) FROM commits WHERE forget = 0 AND time < ?1 AND (state = 2 OR"
        " (state = 3 AND (" IS_NEW(
            "commits") " OR EXISTS"
                       " (SELECT 1 FROM commits AS other WHERE other.call = commits.call"
                       "  AND (other.state = 2 OR " IS_NEW("other") ")))))";
    em_sql sql = {0};
    int64_t before_ms;
    bool row;
    EM_TRY(end_of_kept(f, &before_ms));
    EM_TRY(init_with_new(f, &sql, text, before_ms));
    EM_TRY(em_sql_step(&sql, &row));
    *rows = (uint64_t)em_sql_int(&sql);
    em_sql_stop(&sql);
    return EM_OK;
}

static em_status file_size(const forgetting *f, uint64_t *bytes)
{
    int64_t pages, size;
    EM_TRY(em_sql_number(f->history, "PRAGMA page_count", &pages, f->err));
    EM_TRY(em_sql_number(f->history, "PRAGMA page_size", &size, f->err));
    *bytes = (uint64_t)pages * (uint64_t)size;
    return EM_OK;
}

em_status em_past_forget(em_workspace *ws, em_limits limits, size_t most, bool give_back,
                         em_forgotten *forgotten, em_error *err)
{
    uint64_t rows = 1, before, after;
    *forgotten = (em_forgotten){0};
    EM_TRY(em_ws_check_may_change(ws, err));
    EM_TRY(em_past_open(ws, err));
    if (!ws->history)
        return EM_OK;
    forgetting f = {.history = ws->history, .limits = limits, .err = err};
    EM_TRY(em_past_now(ws, &f.now_ms, err));
    f.before_ms = limits.age_ms > 0 ? f.now_ms - limits.age_ms : INT64_MIN;
    EM_TRY(em_history_forget_names(ws->history, ws->state.boot, f.now_ms, err));
    EM_TRY(file_size(&f, &before));
    while (rows > 0 && (most == 0 || forgotten->rows < most)) {
        EM_TRY(step(&f, &rows));
        forgotten->rows += rows;
    }
    if (give_back) {
        EM_TRY(count_waiting(&f, &forgotten->waiting));
        EM_TRY(shrink(&f));
    }
    EM_TRY(file_size(&f, &after));
    forgotten->bytes = before > after ? before - after : 0;
    return EM_OK;
}

/* ---- The limits ---------------------------------------------------------------------------- */

em_status em_past_limits(em_workspace *ws, em_limits *limits, em_error *err)
{
    int64_t age, bytes;
    *limits = EM_LIMITS_DEFAULT;
    EM_TRY(em_past_open(ws, err));
    if (!ws->history)
        return EM_OK;
    EM_TRY(em_sql_number(ws->history,
                         "SELECT ifnull((SELECT value FROM settings WHERE name = 'age'), -1)", &age,
                         err));
    EM_TRY(em_sql_number(ws->history,
                         "SELECT ifnull((SELECT value FROM settings WHERE name = 'bytes'), -1)",
                         &bytes, err));
    if (age >= 0)
        limits->age_ms = age;
    if (bytes >= 0)
        limits->bytes = (uint64_t)bytes;
    return EM_OK;
}

em_status em_past_set_limits(em_workspace *ws, em_limits limits, em_error *err)
{
    em_sql sql = {0};
    EM_TRY(em_ws_check_may_change(ws, err));
    EM_TRY(em_ws_state(ws, true, err));
    EM_TRY(em_ws_history(ws, err));
    EM_TRY(em_sql_init(&sql, ws->history, -1,
                       "INSERT OR REPLACE INTO settings VALUES('age', ?), ('bytes', ?)", err));
    em_sql_bind_int(&sql, limits.age_ms);
    em_sql_bind_int(&sql, (int64_t)limits.bytes);
    return em_sql_run(&sql);
}

static void tidy_history(em_workspace *ws)
{
    em_limits limits;
    em_forgotten forgotten;
    if (ws->history && em_past_limits(ws, &limits, NULL) == EM_OK)
        em_past_forget(ws, limits, TIDY_MOST, false, &forgotten, NULL);
}

void em_past_tidy(em_workspace *ws)
{
    em_forgotten forgotten = {0};
    if (!ws->tidy_due)
        return;
    ws->tidy_due = false;
    tidy_history(ws);
    em_content_store_forget(ws, EM_CONTENT_STORE_AGE_MS, EM_CONTENT_STORE_BYTES, &forgotten, NULL);
}
