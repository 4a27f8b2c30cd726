/* forget.c: the history is kept within limits.
 *
 *  (1) Only what is finished is forgotten (EM_ROW_DONE), not before the disk is sure to have it,
 *      and a call whole or not at all.
 *  (2) Each step is a transaction of its own: who dies in between, or fails, has forgotten less.
 *  (3) How far was forgotten is written down with it, so that nobody takes what is left for all.
 */
#include "past/forget.h"

#include "history/database.h"
#include "workspace/recorded.h"

#include <inttypes.h>

enum {
    STEP = 500,       /* rows that are looked at in one transaction */
    TIDY_MOST = 2000, /* rows at a time: more than come in between */
    STEPS_IN_VAIN = 16,
    ROW_BYTES = 400,   /* of a row without its way back and its texts, with what the indexes have
                          of it */
    SHRINK_LEAST = 64, /* pages that are free, and a quarter of all */
};

/* One call of em_past_forget. */
typedef struct forgetting {
    em_history *history;
    em_limits limits;
    int64_t now_ms;
    int64_t before_ms; /* older ones go */
    int64_t last_old;  /* as far as this row */
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

/* The number that the statement gives; it has ended then. */
static em_status take_number(em_sql *sql, int64_t *number)
{
    bool row;
    EM_TRY(em_sql_step(sql, &row));
    *number = em_sql_int(sql);
    em_sql_stop(sql);
    return EM_OK;
}

static em_status number_with_new(const forgetting *f, const char *text, int64_t first,
                                 int64_t *number)
{
    em_sql sql = {0};
    EM_TRY(init_with_new(f, &sql, text, first));
    return take_number(&sql, number);
}

/* How many bytes are beyond the limit. */
static em_status bytes_beyond(const forgetting *f, uint64_t *beyond)
{
    uint64_t used;
    EM_TRY(bytes_used(f, &used));
    *beyond = f->limits.bytes > 0 && used > f->limits.bytes ? used - f->limits.bytes : 0;
    return EM_OK;
}

/* The last row that is too old, 0: none is. Rows stand in the order in which they were made, so
 * what comes before it goes with it, whatever its time (a clock was wrong then), and nobody looks
 * behind the first one that may stay. */
static em_status last_by_age(const forgetting *f, int64_t *last)
{
    static const char text[] =
        "SELECT max(id) FROM commits WHERE state = 3 AND time < ?1 AND NOT " IS_NEW(
            "commits") " AND id < ifnull((SELECT id FROM commits WHERE state = 3"
                       "  AND time BETWEEN ?1 AND ?2 ORDER BY id LIMIT 1), 9223372036854775807)";
    return number_with_new(f, text, f->before_ms, last);
}

/* The last one that can go. */
static em_status last_of_all(const forgetting *f, int64_t *last)
{
    static const char text[] =
        "SELECT ifnull((SELECT id FROM commits WHERE state = 3 AND time <= ?1 AND NOT " IS_NEW(
            "commits") " ORDER BY id DESC LIMIT 1), 0)";
    return number_with_new(f, text, INT64_MAX, last);
}

/* The last of the next rows that are too old. */
static em_status old_rows_end(const forgetting *f, int64_t from, int64_t *end)
{
    em_sql sql = {0};
    EM_TRY(em_sql_init(&sql, f->history, -1,
                       "SELECT max(id) FROM (SELECT id FROM commits WHERE id > ? AND id <= ?"
                       " ORDER BY id LIMIT ?)",
                       f->err));
    em_sql_bind_int(&sql, from);
    em_sql_bind_int(&sql, f->last_old);
    em_sql_bind_int(&sql, STEP);
    return take_number(&sql, end);
}

/* The last of those that have to go for so many bytes, as far as that can be told beforehand; 0:
 * none can go. */
static em_status many_rows_end(const forgetting *f, int64_t from, uint64_t bytes, int64_t *end)
{
    static const char text[] =
        "SELECT max(id) FROM (SELECT id, sum(cost) OVER (ORDER BY id) - cost AS before FROM"
        " (SELECT commits.id AS id, ?5 + ifnull(length(plan), 0) + length(root) + length(path) +"
        "   ifnull(length(temp), 0) + ifnull(length(folders), 0) AS cost FROM commits"
        "   LEFT JOIN inverses ON inverses.id = commits.id"
        "   WHERE commits.id > ?1 AND commits.id <= ?2 ORDER BY commits.id LIMIT ?3))"
        " WHERE before < ?4";
    em_sql sql = {0};
    int64_t last;
    *end = 0;
    EM_TRY(last_of_all(f, &last));
    if (last <= from)
        return EM_OK;
    EM_TRY(em_sql_init(&sql, f->history, -1, text, f->err));
    em_sql_bind_int(&sql, from);
    em_sql_bind_int(&sql, last);
    em_sql_bind_int(&sql, STEP);
    em_sql_bind_int(&sql, (int64_t)bytes);
    em_sql_bind_int(&sql, ROW_BYTES);
    return take_number(&sql, end);
}

/* The rows behind `from` that are looked at next, STEP of them at most: the last of them; 0: none
 * has to go. */
static em_status step_end(const forgetting *f, int64_t from, int64_t *end)
{
    uint64_t beyond;
    *end = 0;
    if (f->last_old > from)
        return old_rows_end(f, from, end);
    EM_TRY(bytes_beyond(f, &beyond));
    return beyond > 0 ? many_rows_end(f, from, beyond, end) : EM_OK;
}

/* ---- Forgetting ---------------------------------------------------------------------------- */

/* Of the rows behind `from` up to `end`, and all others of their calls: those whose calls are
 * finished. Which these are is listed before the first one goes: SQLite may else ask a subquery
 * when the rows that it is about are gone already. */
static em_status rows_forget(const forgetting *f, int64_t from, int64_t end, uint64_t *rows)
{
#define CALLS "(SELECT call FROM commits WHERE id > ?1 AND id <= ?4 AND call NOT NULL)"
    static const char text[] =
        "DELETE FROM commits WHERE id IN (SELECT id FROM commits"
        " WHERE ((id > ?1 AND id <= ?4) OR call IN " CALLS ")"
        " AND state = 3 AND NOT " IS_NEW(
            "commits") " AND (call IS NULL OR call NOT IN"
                       " (SELECT call FROM commits AS other WHERE call IN " CALLS
                       "   AND (other.state < 3 OR " IS_NEW("other") "))))";
#undef CALLS
    em_sql sql = {0};
    EM_TRY(init_with_new(f, &sql, text, from));
    em_sql_bind_int(&sql, end);
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

/* Where the calls of the rows behind `from` up to `end` end. */
static em_status calls_end(const forgetting *f, int64_t from, int64_t end, int64_t *last)
{
    em_sql sql = {0};
    EM_TRY(em_sql_init(&sql, f->history, -1,
                       "SELECT max(?2, ifnull(max(id), 0)) FROM commits WHERE call IN"
                       " (SELECT call FROM commits WHERE id > ?1 AND id <= ?2)",
                       f->err));
    em_sql_bind_int(&sql, from);
    em_sql_bind_int(&sql, end);
    return take_number(&sql, last);
}

/* The rows, and all that belongs to them. */
static em_status step_forget(const forgetting *f, int64_t from, int64_t end, uint64_t *rows)
{
    static const char plans[] =
        "DELETE FROM inverses WHERE id <= ? AND id NOT IN (SELECT id FROM commits)";
    static const char relations[] =
        "DELETE FROM undone WHERE id <= ? AND id NOT IN (SELECT id FROM commits)";
    static const char mark[] =
        "INSERT OR REPLACE INTO settings VALUES('forgotten',"
        " max(?, ifnull((SELECT value FROM settings WHERE name = 'forgotten'), 0)))";
    int64_t last;
    EM_TRY(calls_end(f, from, end, &last));
    EM_TRY(rows_forget(f, from, end, rows));
    if (*rows == 0)
        return EM_OK;
    EM_TRY(run_with(f, plans, last));
    EM_TRY(run_with(f, relations, last));
    return run_with(f, mark, last);
}

/* One transaction: *from moves to the last row that it looked at; 0 where nothing is left that has
 * to go. */
static em_status step(const forgetting *f, int64_t *from, uint64_t *rows)
{
    int64_t end;
    *rows = 0;
    EM_TRY(em_history_begin(f->history, f->err));
    em_status status = step_end(f, *from, &end);
    if (status == EM_OK && end > 0)
        status = step_forget(f, *from, end, rows);
    *from = end;
    return em_history_end(f->history, status, f->err);
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
            "commits") " OR call IN"
                       " (SELECT call FROM commits AS other WHERE other.state = 2 OR " IS_NEW(
                           "other") "))))";
    int64_t waiting;
    uint64_t beyond;
    EM_TRY(bytes_beyond(f, &beyond));
    EM_TRY(number_with_new(f, text, beyond > 0 ? INT64_MAX : f->before_ms, &waiting));
    *rows = (uint64_t)waiting;
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

/* Where only `most` rows are to go (0: any number), nor is there time for many steps that find none
 * which can. */
static bool may_go_on(size_t most, size_t steps, const em_forgotten *forgotten)
{
    return most == 0 || (forgotten->rows < most && steps < most / STEP + STEPS_IN_VAIN);
}

em_status em_past_forget(em_workspace *ws, em_limits limits, size_t most, bool give_back,
                         em_forgotten *forgotten, em_error *err)
{
    uint64_t rows, before, after;
    int64_t from = 0;
    *forgotten = (em_forgotten){0};
    EM_TRY(em_ws_check_may_change(ws, err));
    EM_TRY(em_ws_open_history(ws, err));
    if (!em_ws_history(ws))
        return EM_OK;
    forgetting f = {.history = em_ws_history(ws), .limits = limits, .err = err};
    EM_TRY(em_ws_now(ws, &f.now_ms, err));
    f.before_ms = limits.age_ms > 0 ? f.now_ms - limits.age_ms : INT64_MIN;
    EM_TRY(em_history_forget_names(em_ws_history(ws), em_ws_boot(ws), f.now_ms, err));
    EM_TRY(last_by_age(&f, &f.last_old));
    EM_TRY(file_size(&f, &before));
    for (size_t steps = 0; steps == 0 || (from > 0 && may_go_on(most, steps, forgotten)); steps++) {
        EM_TRY(step(&f, &from, &rows));
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
    EM_TRY(em_ws_open_history(ws, err));
    if (!em_ws_history(ws))
        return EM_OK;
    EM_TRY(em_sql_number(em_ws_history(ws),
                         "SELECT ifnull((SELECT value FROM settings WHERE name = 'age'), -1)", &age,
                         err));
    EM_TRY(em_sql_number(em_ws_history(ws),
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
    EM_TRY(em_ws_make_history(ws, err));
    EM_TRY(em_sql_init(&sql, em_ws_history(ws), -1,
                       "INSERT OR REPLACE INTO settings VALUES('age', ?), ('bytes', ?)", err));
    em_sql_bind_int(&sql, limits.age_ms);
    em_sql_bind_int(&sql, (int64_t)limits.bytes);
    return em_sql_run(&sql);
}

static void tidy_history(em_workspace *ws)
{
    em_limits limits;
    em_forgotten forgotten;
    if (em_ws_history(ws) && em_past_limits(ws, &limits, NULL) == EM_OK)
        em_past_forget(ws, limits, TIDY_MOST, false, &forgotten, NULL);
}

void em_past_tidy(em_workspace *ws)
{
    em_forgotten forgotten = {0};
    if (!em_ws_is_tidy_due(ws))
        return;
    tidy_history(ws);
    em_content_store_forget(ws, EM_CONTENT_STORE_AGE_MS, EM_CONTENT_STORE_BYTES, &forgotten, NULL);
}
