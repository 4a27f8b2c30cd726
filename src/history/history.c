/* history.c: the rows of changes, written and read.
 *
 * The statements are `texts`, one for each thing that is ever done with a row. The life of a row
 * goes through em_history_add, _mark and _settle (or _drop); recovery finds those that did not come
 * to its end with em_history_open_rows.
 */
#include "history/database.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef enum statement {
    BEGIN,
    COMMIT,
    ROLLBACK,
    ADD,
    ADD_INVERSE,
    ADD_UNDONE,
    FORGET_NAMES,
    MARK,
    DROP,
    DROP_INVERSE,
    OPEN_ROWS,
    OPEN_ROWS_AND_NAMED,
    REREAD,
    BUILT_ON,
    INVERSE,
    STATEMENT_COUNT,
} statement;
_Static_assert((int)STATEMENT_COUNT <= (int)EM_SQL_KEPT, "all of them are kept");

/* Rows by their state, and not by their ids, of which there may be many: what is done for each
 * change must not grow with what was done before. SQLite uses a partial index only where it finds
 * the index's own condition again, and of two bounds of one column it takes the first. */
#define OPEN "FROM commits INDEXED BY commits_open WHERE "

static const char *const texts[STATEMENT_COUNT] = {
    [BEGIN] = "BEGIN IMMEDIATE",
    [COMMIT] = "COMMIT",
    [ROLLBACK] = "ROLLBACK",
    [ADD] = "INSERT INTO commits(" EM_ROW_COLUMNS ") VALUES"
            "(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
    [ADD_INVERSE] = "INSERT INTO inverses(id, plan) VALUES(?, ?)",
    [ADD_UNDONE] = "INSERT OR IGNORE INTO undone(base, call, role, id) VALUES(?, ?, ?, ?)",
    [FORGET_NAMES] = "UPDATE commits INDEXED BY commits_open SET state = 3, temp = NULL"
                     " WHERE state = 2 AND boot = ? AND time < ? AND state < 3",
    [MARK] = "UPDATE commits SET state=?, temp=?, backup=?, kept=?, new_ino=?, notes=?"
             " WHERE id=? AND token=?",
    [DROP] = "DELETE FROM commits WHERE id=? AND token=?",
    [DROP_INVERSE] = "DELETE FROM inverses WHERE id=?",
    [OPEN_ROWS] = "SELECT id " OPEN "state <= ? AND state < 3",
    [OPEN_ROWS_AND_NAMED] = "SELECT id " OPEN "state <= ?1 AND state < 3"
                            " UNION ALL SELECT id " OPEN "state = 2 AND boot < ?2 AND state < 3"
                            " UNION ALL SELECT id " OPEN "state = 2 AND boot > ?2 AND state < 3",
    [REREAD] = "SELECT id, " EM_ROW_COLUMNS " FROM commits WHERE id = ?",
    [BUILT_ON] = "SELECT 1 FROM commits WHERE id > ? AND path = ? AND root = ? AND old_hash = ?",
    [INVERSE] = "SELECT plan FROM inverses WHERE id = ?",
};

static em_status prepare(em_sql *sql, em_history *h, statement which, em_error *err)
{
    return em_sql_init(sql, h, (int)which, texts[which], err);
}

static em_status run(em_history *h, statement which, em_error *err)
{
    em_sql sql = {0};
    EM_TRY(prepare(&sql, h, which, err));
    return em_sql_run(&sql);
}

em_status em_history_begin(em_history *history, em_error *err)
{
    history->told_call = NULL;
    return run(history, BEGIN, err);
}

em_status em_history_end(em_history *history, em_status so_far, em_error *err)
{
    em_status status = so_far == EM_OK ? run(history, COMMIT, err) : so_far;
    if (!sqlite3_get_autocommit(history->db)) /* some errors end the transaction by themselves */
        run(history, ROLLBACK, NULL);
    return status;
}

/* ---- Writing ------------------------------------------------------------------------------- */

static void row_bind(em_sql *sql, const em_row *row)
{
    em_sql_bind_bits(sql, row->token);
    em_sql_bind_int(sql, row->state);
    em_sql_bind_int(sql, row->kind);
    em_sql_bind_int(sql, row->forget);
    em_sql_bind_text(sql, row->root);
    em_sql_bind_text(sql, row->path);
    em_sql_bind_bits(sql, row->dir_dev);
    em_sql_bind_bits(sql, row->dir_ino);
    em_sql_bind_bits(sql, row->old_ino);
    em_sql_bind_bits(sql, row->new_ino);
    em_sql_bind_text(sql, row->temp);
    em_sql_bind_text(sql, row->backup);
    em_sql_bind_text(sql, row->folders);
    em_sql_bind_text(sql, row->kept);
    em_sql_bind_text(sql, row->old_hash.hex);
    em_sql_bind_text(sql, row->new_hash.hex);
    em_sql_bind_bits(sql, row->old_size);
    em_sql_bind_bits(sql, row->new_size);
    em_sql_bind_text(sql, row->boot);
    em_sql_bind_text(sql, row->origin.tool);
    em_sql_bind_text(sql, row->origin.client);
    em_sql_bind_text(sql, row->origin.session);
    em_sql_bind_text(sql, row->origin.call);
    em_sql_bind_int(sql, row->time_ms);
    em_sql_bind_int(sql, row->notes);
    em_sql_bind_text(sql, row->txn);
    em_sql_bind_int(sql, row->origin.role);
    em_sql_bind_int(sql, row->mode);
}

static em_status inverse_add(em_history *h, const em_row *row, em_error *err)
{
    em_sql sql = {0};
    if (row->inverse.len == 0)
        return EM_OK;
    EM_TRY(prepare(&sql, h, ADD_INVERSE, err));
    em_sql_bind_int(&sql, row->id);
    em_sql_bind_bytes(&sql, row->inverse);
    return em_sql_run(&sql);
}

/* Which calls the call of this row undoes or redoes, if it does; once for the whole call, which may
 * have as many files as these. Within a transaction who has the same string is of the same call. */
static em_status undone_add(em_history *h, const em_row *row, em_error *err)
{
    const em_origin *origin = &row->origin;
    if (origin->base_count > 0 && origin->call == h->told_call)
        return EM_OK;
    for (size_t i = 0; i < origin->base_count; i++) {
        em_sql sql = {0};
        EM_TRY(prepare(&sql, h, ADD_UNDONE, err));
        em_sql_bind_text(&sql, origin->bases[i].call);
        em_sql_bind_text(&sql, origin->call);
        em_sql_bind_int(&sql, origin->bases[i].role);
        em_sql_bind_int(&sql, row->id);
        EM_TRY(em_sql_run(&sql));
    }
    if (origin->base_count > 0)
        h->told_call = origin->call;
    return EM_OK;
}

em_status em_history_forget_names(em_history *history, const char *boot, int64_t now_ms,
                                  em_error *err)
{
    em_sql sql = {0};
    EM_TRY(prepare(&sql, history, FORGET_NAMES, err));
    em_sql_bind_text(&sql, boot);
    em_sql_bind_int(&sql, now_ms - EM_WRITTEN_AFTER_MS);
    return em_sql_run(&sql);
}

static em_status row_add(em_history *h, em_row *row, em_error *err)
{
    em_sql sql = {0};
    EM_TRY(em_history_forget_names(h, row->boot, row->time_ms, err));
    EM_TRY(prepare(&sql, h, ADD, err));
    row_bind(&sql, row);
    EM_TRY(em_sql_run(&sql));
    row->id = sqlite3_last_insert_rowid(h->db);
    EM_TRY(inverse_add(h, row, err));
    return undone_add(h, row, err);
}

static em_status row_add_whole(em_history *h, em_row *row, em_error *err)
{
    EM_TRY(em_history_begin(h, err));
    return em_history_end(h, row_add(h, row, err), err);
}

em_status em_history_add(em_history *history, em_row *row, bool durable, em_error *err)
{
    if (!sqlite3_get_autocommit(history->db)) /* within em_history_begin */
        return row_add(history, row, err);
    durable = durable || history->synced;
    if (durable && !history->syncs)
        EM_TRY(em_database_set_synced(history, true, err));
    em_status status = row_add_whole(history, row, err);
    if (durable && !history->synced)
        em_database_set_synced(history, false, NULL);
    if (status == EM_OK && durable)
        history->unsynced = false;
    if (status == EM_OK)
        return EM_OK;
    if (row->id != 0) /* where committing failed, the row may be there nevertheless */
        em_history_drop(history, row, NULL);
    row->id = 0;
    return status;
}

em_status em_history_mark(em_history *history, const em_row *row, em_error *err)
{
    em_sql sql = {0};
    EM_TRY(prepare(&sql, history, MARK, err));
    em_sql_bind_int(&sql, row->state);
    em_sql_bind_text(&sql, row->temp);
    em_sql_bind_text(&sql, row->backup);
    em_sql_bind_text(&sql, row->kept);
    em_sql_bind_bits(&sql, row->new_ino);
    em_sql_bind_int(&sql, row->notes);
    em_sql_bind_int(&sql, row->id);
    em_sql_bind_bits(&sql, row->token);
    return em_sql_run(&sql);
}

static em_status row_drop(em_history *h, const em_row *row, em_error *err)
{
    em_sql sql = {0};
    EM_TRY(prepare(&sql, h, DROP_INVERSE, err));
    em_sql_bind_int(&sql, row->id);
    EM_TRY(em_sql_run(&sql));
    EM_TRY(prepare(&sql, h, DROP, err));
    em_sql_bind_int(&sql, row->id);
    em_sql_bind_bits(&sql, row->token);
    return em_sql_run(&sql);
}

em_status em_history_drop(em_history *history, const em_row *row, em_error *err)
{
    if (!sqlite3_get_autocommit(history->db)) /* within em_history_begin */
        return row_drop(history, row, err);
    EM_TRY(em_history_begin(history, err));
    return em_history_end(history, row_drop(history, row, err), err);
}

/* Without a log each commit has to sync what it is about to write over. */
em_status em_history_settle(em_history *history, const em_row *row, bool forget, em_error *err)
{
    bool later = history->synced && history->log;
    if (later)
        EM_TRY(em_database_set_synced(history, false, err));
    em_status status =
        forget ? em_history_drop(history, row, err) : em_history_mark(history, row, err);
    history->unsynced = later;
    if (later) /* em_history_add tries again */
        em_database_set_synced(history, true, NULL);
    return status;
}

bool em_history_is_unsynced(const em_history *history)
{
    return history && history->unsynced;
}

em_status em_history_sync(em_history *history, em_error *err)
{
    if (!history->unsynced)
        return EM_OK;
    history->unsynced = false;
    return em_database_sync_log(history, err);
}

/* ---- Reading ------------------------------------------------------------------------------- */

static em_status row_strings(em_sql *sql, em_arena *arena, const char ***strings, size_t count)
{
    for (size_t i = 0; i < count; i++)
        EM_TRY(em_sql_text(sql, arena, strings[i]));
    return EM_OK;
}

static em_status row_load(em_sql *sql, em_arena *arena, em_row *row)
{
    row->id = em_sql_int(sql);
    row->token = em_sql_bits(sql);
    row->state = (em_row_state)em_sql_int(sql);
    row->kind = (em_row_kind)em_sql_int(sql);
    row->forget = em_sql_int(sql) != 0;
    EM_TRY(row_strings(sql, arena, (const char **[]){&row->root, &row->path}, 2));
    row->dir_dev = em_sql_bits(sql);
    row->dir_ino = em_sql_bits(sql);
    row->old_ino = em_sql_bits(sql);
    row->new_ino = em_sql_bits(sql);
    EM_TRY(row_strings(sql, arena,
                       (const char **[]){&row->temp, &row->backup, &row->folders, &row->kept}, 4));
    row->old_hash = em_sql_hash(sql);
    row->new_hash = em_sql_hash(sql);
    row->old_size = em_sql_bits(sql);
    row->new_size = em_sql_bits(sql);
    EM_TRY(row_strings(sql, arena,
                       (const char **[]){&row->boot, &row->origin.tool, &row->origin.client,
                                         &row->origin.session, &row->origin.call},
                       5));
    row->time_ms = em_sql_int(sql);
    row->notes = (unsigned)em_sql_int(sql);
    EM_TRY(em_sql_text(sql, arena, &row->txn));
    row->origin.role = (em_role)em_sql_int(sql);
    row->mode = (uint32_t)em_sql_int(sql);
    return sqlite3_errcode(sql->history->db) == SQLITE_NOMEM ? EM_E_NOMEM : EM_OK;
}

typedef struct row_list {
    em_row *items;
    size_t count, room;
} row_list;

static em_status take_row(em_sql *sql, em_arena *arena, row_list *list)
{
    EM_TRY(
        em_arena_grow(arena, (void **)&list->items, list->count, &list->room, sizeof *list->items));
    em_row *row = &list->items[list->count++];
    *row = (em_row){0};
    return row_load(sql, arena, row);
}

em_status em_rows_load(em_sql *sql, em_arena *arena, em_rows *rows)
{
    row_list list = {0};
    em_status taken = EM_OK;
    bool more;
    do {
        EM_TRY(em_sql_next(sql, taken, &more));
        if (more)
            taken = take_row(sql, arena, &list);
    } while (more);
    *rows = (em_rows){.items = list.items, .count = list.count};
    return EM_OK;
}

em_status em_rows_by_text(em_history *history, const char *text, const char *string,
                          em_arena *arena, em_rows *rows, em_error *err)
{
    em_sql sql = {0};
    EM_TRY(em_sql_init(&sql, history, -1, text, err));
    em_sql_bind_text(&sql, string);
    return em_rows_load(&sql, arena, rows);
}

em_status em_rows_by_number(em_history *history, const char *text, int64_t number, em_arena *arena,
                            em_rows *rows, em_error *err)
{
    em_sql sql = {0};
    EM_TRY(em_sql_init(&sql, history, -1, text, err));
    em_sql_bind_int(&sql, number);
    return em_rows_load(&sql, arena, rows);
}

/* Mostly there are none, and SQLite needs longer to prepare a statement with all columns than to
 * find that out: so first their ids. */
typedef struct ids {
    int64_t *items;
    size_t count, room;
} ids;

static em_status take_id(em_sql *sql, em_arena *arena, ids *found)
{
    EM_TRY(em_arena_grow(arena, (void **)&found->items, found->count, &found->room,
                         sizeof *found->items));
    found->items[found->count++] = em_sql_int(sql);
    return EM_OK;
}

static em_status ids_load(em_sql *sql, em_arena *arena, ids *found)
{
    em_status taken = EM_OK;
    bool more;
    do {
        EM_TRY(em_sql_next(sql, taken, &more));
        if (more)
            taken = take_id(sql, arena, found);
    } while (more);
    return EM_OK;
}

static int by_size(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

static em_status load_by_id(em_history *h, int64_t id, em_arena *arena, em_rows *rows,
                            em_error *err)
{
    em_sql sql = {0};
    EM_TRY(prepare(&sql, h, REREAD, err));
    em_sql_bind_int(&sql, id);
    return em_rows_load(&sql, arena, rows);
}

em_status em_history_open_rows(em_history *history, em_row_state most, const char *boot,
                               em_arena *arena, em_rows *rows, em_error *err)
{
    em_sql sql = {0};
    ids found = {0};
    *rows = (em_rows){0};
    EM_TRY(prepare(&sql, history, boot ? OPEN_ROWS_AND_NAMED : OPEN_ROWS, err));
    em_sql_bind_int(&sql, most);
    if (boot)
        em_sql_bind_text(&sql, boot);
    EM_TRY(ids_load(&sql, arena, &found));
    if (found.count == 0)
        return EM_OK;
    em_row *items = em_alloc_array(arena, found.count, sizeof *items);
    if (!items)
        return EM_E_NOMEM;
    qsort(found.items, found.count, sizeof *found.items, by_size);
    rows->items = items;
    for (size_t i = 0; i < found.count; i++) {
        em_rows row;
        EM_TRY(load_by_id(history, found.items[i], arena, &row, err));
        if (row.count == 1) /* else it is gone by now */
            items[rows->count++] = row.items[0];
    }
    return EM_OK;
}

em_status em_history_reread(em_history *history, em_row *row, em_arena *arena, em_error *err)
{
    em_rows found;
    uint64_t token = row->token;
    EM_TRY(load_by_id(history, row->id, arena, &found, err));
    if (found.count == 1 && found.items[0].token == token)
        *row = found.items[0];
    else
        row->id = 0;
    return EM_OK;
}

em_status em_history_was_built_on(em_history *history, const em_row *row, bool *was, em_error *err)
{
    em_sql sql = {0};
    EM_TRY(prepare(&sql, history, BUILT_ON, err));
    em_sql_bind_int(&sql, row->id);
    em_sql_bind_text(&sql, row->path);
    em_sql_bind_text(&sql, row->root);
    em_sql_bind_text(&sql, row->new_hash.hex);
    EM_TRY(em_sql_step(&sql, was));
    em_sql_stop(&sql);
    return EM_OK;
}

em_status em_history_inverse(em_history *history, const em_row *row, em_arena *arena,
                             em_slice *inverse, em_error *err)
{
    em_sql sql = {0};
    bool found;
    *inverse = (em_slice){0};
    EM_TRY(prepare(&sql, history, INVERSE, err));
    em_sql_bind_int(&sql, row->id);
    EM_TRY(em_sql_step(&sql, &found));
    if (!found)
        return EM_OK;
    em_status status = em_sql_bytes(&sql, arena, inverse);
    em_sql_stop(&sql);
    return status;
}

void em_row_keep_foreign(em_row *row)
{
    row->notes |= EM_NOTE_FOREIGN_KEPT;
    row->kept = row->temp;
    row->temp = NULL;
    row->state = EM_ROW_DONE;
}

const char *em_row_path(const em_row *row, em_arena *arena)
{
    const char *slash = strcmp(row->root, "/") == 0 ? "" : "/";
    return em_arena_format(arena, "%s%s%s", row->root, slash, row->path);
}

void em_row_show_id(const em_row *row, char out[static 64])
{
    snprintf(out, 64, "%" PRId64 "-%016" PRIx64, row->id, row->token);
}

/* ---- Lists --------------------------------------------------------------------------------- */

void em_rows_reverse(em_row *rows, size_t count)
{
    for (size_t i = 0; i < count / 2; i++) {
        em_row row = rows[i];
        rows[i] = rows[count - 1 - i];
        rows[count - 1 - i] = row;
    }
}
