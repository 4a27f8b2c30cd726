#include "workspace/history.h"

#include "workspace/sqlite_vfs.h"
#include "workspace/sys_io.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    WRITTEN_AFTER_MS = 120000, /* the usual file systems need 5 to 30 seconds */
};

/* What makes a database of version N one of version N + 1. */
static const char *const upgrades[] = {
    "CREATE TABLE commits("
    " id INTEGER PRIMARY KEY AUTOINCREMENT, token INTEGER NOT NULL, state INTEGER NOT NULL,"
    " kind INTEGER NOT NULL, forget INTEGER NOT NULL, root TEXT NOT NULL, path TEXT NOT NULL,"
    " dir_dev INTEGER NOT NULL, dir_ino INTEGER NOT NULL, old_ino INTEGER NOT NULL,"
    " new_ino INTEGER NOT NULL, temp TEXT, backup TEXT, folders TEXT, kept TEXT,"
    " old_hash TEXT NOT NULL, new_hash TEXT NOT NULL, old_size INTEGER NOT NULL,"
    " new_size INTEGER NOT NULL, boot TEXT NOT NULL, tool TEXT, client TEXT, session TEXT,"
    " call TEXT, time INTEGER NOT NULL, notes INTEGER NOT NULL);"
    "CREATE INDEX commits_open ON commits(state, boot, time) WHERE state < 3;"
    "CREATE TABLE inverses(id INTEGER PRIMARY KEY, plan BLOB NOT NULL);"
    "PRAGMA user_version = 1;",
    "ALTER TABLE commits ADD COLUMN txn TEXT;"
    "PRAGMA user_version = 2;",
};
enum { SCHEMA_VERSION = sizeof upgrades / sizeof *upgrades };

/* All that a row has, in the order in which row_bind and row_load take it. */
#define COLUMNS                                                                                    \
    "token, state, kind, forget, root, path, dir_dev, dir_ino, old_ino, new_ino, temp, backup,"    \
    " folders, kept, old_hash, new_hash, old_size, new_size, boot, tool, client, session, call,"   \
    " time, notes, txn"

typedef enum statement {
    BEGIN,
    COMMIT,
    ROLLBACK,
    ADD,
    ADD_INVERSE,
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

/* `state < 3` stands in each of those that look for rows by their state: SQLite uses a partial
 * index only where it finds the index's own condition again. */
static const char *const sql[STATEMENT_COUNT] = {
    [BEGIN] = "BEGIN IMMEDIATE",
    [COMMIT] = "COMMIT",
    [ROLLBACK] = "ROLLBACK",
    [ADD] = "INSERT INTO commits(" COLUMNS ") VALUES"
            "(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
    [ADD_INVERSE] = "INSERT INTO inverses(id, plan) VALUES(?, ?)",
    [FORGET_NAMES] = "UPDATE commits SET state = 3, temp = NULL"
                     " WHERE state < 3 AND state = 2 AND boot = ? AND time < ?",
    [MARK] = "UPDATE commits SET state=?, temp=?, backup=?, kept=?, new_ino=?, notes=?"
             " WHERE id=? AND token=?",
    [DROP] = "DELETE FROM commits WHERE id=? AND token=?",
    [DROP_INVERSE] = "DELETE FROM inverses WHERE id=?",
    [OPEN_ROWS] = "SELECT id, " COLUMNS " FROM commits WHERE state < 3 AND state <= ? ORDER BY id",
    [OPEN_ROWS_AND_NAMED] =
        "SELECT id, " COLUMNS " FROM commits WHERE state < 3 AND state <= ?1"
        " UNION ALL SELECT id, " COLUMNS " FROM commits WHERE state < 3 AND state = 2 AND boot < ?2"
        " UNION ALL SELECT id, " COLUMNS " FROM commits WHERE state < 3 AND state = 2 AND boot > ?2"
        " ORDER BY id",
    [REREAD] = "SELECT id, " COLUMNS " FROM commits WHERE id = ?",
    [BUILT_ON] = "SELECT 1 FROM commits WHERE id > ? AND path = ? AND root = ? AND old_hash = ?",
    [INVERSE] = "SELECT plan FROM inverses WHERE id = ?",
};

struct em_history {
    const em_sys *sys;
    em_sqlite_vfs *vfs;
    sqlite3 *db;
    bool synced;
    sqlite3_stmt *statements[STATEMENT_COUNT]; /* prepared when first used */
};

/* ---- Failing ------------------------------------------------------------------------------- */

static em_status history_fail(const em_history *h, int code, const char *what, em_error *err)
{
    int sys = em_sqlite_vfs_errno(h->vfs);
    em_status status = EM_E_IO;
    switch (code & 0xFF) {
    case SQLITE_NOMEM:
        return EM_E_NOMEM;
    case SQLITE_BUSY:
        return em_fail(err, EM_E_TIMEOUT, "the history is in use by another process (%s)", what);
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return em_fail(err, EM_E_IO,
                       "the history is damaged (%s): move " EM_HISTORY_NAME
                       " away from the state directory; what was pending in it cannot be recovered",
                       what);
    case SQLITE_PERM:
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_IOERR:
    case SQLITE_FULL:
        if (em_status_of_errno(sys) == EM_E_PERMISSION)
            status = EM_E_PERMISSION;
        break;
    default:
        sys = 0;
        break;
    }
    em_fail(err, status, "history: %s: %s", what, sys ? strerror(sys) : sqlite3_errstr(code));
    if (err)
        err->sys = sys;
    return status;
}

/* ---- Statements ---------------------------------------------------------------------------- */

/* A statement with its arguments; the first failure of binding counts. */
typedef struct call {
    em_history *history;
    sqlite3_stmt *stmt;
    int bound, code;
    em_error *err;
} call;

static em_status call_init(call *c, em_history *h, statement which, em_error *err)
{
    sqlite3_stmt **stmt = &h->statements[which];
    if (!*stmt) {
        int code = sqlite3_prepare_v3(h->db, sql[which], -1, SQLITE_PREPARE_PERSISTENT, stmt, NULL);
        if (code != SQLITE_OK)
            return history_fail(h, code, "prepare", err);
    }
    *c = (call){.history = h, .stmt = *stmt, .err = err};
    return EM_OK;
}

static void bind_int(call *c, int64_t value)
{
    if (c->code == SQLITE_OK)
        c->code = sqlite3_bind_int64(c->stmt, ++c->bound, value);
}

/* Unsigned numbers are kept as the signed ones with the same bits. */
static void bind_bits(call *c, uint64_t value)
{
    bind_int(c, (int64_t)value);
}

static void bind_text(call *c, const char *text)
{
    if (c->code == SQLITE_OK)
        c->code = sqlite3_bind_text(c->stmt, ++c->bound, text, -1, SQLITE_STATIC);
}

/* One step; *row says whether there is one. A statement that is at its end is reset. */
static em_status call_step(call *c, bool *row)
{
    int code = c->code;
    if (code == SQLITE_OK)
        code = sqlite3_step(c->stmt);
    *row = code == SQLITE_ROW;
    if (*row)
        return EM_OK;
    sqlite3_reset(c->stmt);
    sqlite3_clear_bindings(c->stmt);
    return code == SQLITE_DONE ? EM_OK
                               : history_fail(c->history, code, sqlite3_sql(c->stmt), c->err);
}

/* End a statement before its last row. */
static void call_stop(call *c)
{
    sqlite3_reset(c->stmt);
    sqlite3_clear_bindings(c->stmt);
}

static em_status call_run(call *c)
{
    bool row;
    return call_step(c, &row);
}

static em_status run(em_history *h, statement which, em_error *err)
{
    call c = {0};
    EM_TRY(call_init(&c, h, which, err));
    return call_run(&c);
}

/* ---- Opening ------------------------------------------------------------------------------- */

static em_status execute(em_history *h, const char *text, em_error *err)
{
    int code = sqlite3_exec(h->db, text, NULL, NULL, NULL);
    return code == SQLITE_OK ? EM_OK : history_fail(h, code, "setup", err);
}

static em_status schema_version(em_history *h, int *version, em_error *err)
{
    sqlite3_stmt *stmt;
    int code = sqlite3_prepare_v2(h->db, "PRAGMA user_version", -1, &stmt, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_step(stmt);
    if (code == SQLITE_ROW)
        *version = sqlite3_column_int(stmt, 0);
    sqlite3_finalize(stmt);
    return code == SQLITE_ROW ? EM_OK : history_fail(h, code, "version", err);
}

/* Make the tables, or what they lack, unless another process was quicker. */
static em_status schema_upgrade(em_history *h, em_error *err)
{
    int version = 0;
    EM_TRY(run(h, BEGIN, err));
    em_status status = schema_version(h, &version, err);
    for (; status == EM_OK && version < SCHEMA_VERSION; version++)
        status = execute(h, upgrades[version], err);
    em_status ended = em_history_end(h, status == EM_OK, err);
    return status != EM_OK ? status : ended;
}

static em_status schema_check(em_history *h, em_error *err)
{
    int version = 0;
    EM_TRY(schema_version(h, &version, err));
    if (version < SCHEMA_VERSION)
        return schema_upgrade(h, err);
    if (version > SCHEMA_VERSION)
        return em_fail(err, EM_E_IO, "the history was made by a newer emend (version %d)", version);
    return EM_OK;
}

static em_status set_synced(em_history *h, bool synced, em_error *err)
{
    return execute(h, synced ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=OFF", err);
}

static em_status database_open(em_history *h, const em_history_options *options, em_error *err)
{
    EM_AUTO(em_arena) arena = {0};
    const char *path = em_arena_format(&arena, "%s/" EM_HISTORY_NAME, options->folder);
    if (!path)
        return EM_E_NOMEM;
    int code = sqlite3_open_v2(path, &h->db,
                               SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
                               em_sqlite_vfs_name(h->vfs));
    if (code != SQLITE_OK)
        return history_fail(h, code, "open", err);
    sqlite3_extended_result_codes(h->db, 1);
    sqlite3_busy_timeout(h->db, (int)options->timeout_ms);
    EM_TRY(execute(h,
                   "PRAGMA journal_mode=PERSIST; PRAGMA journal_size_limit=1048576;"
                   "PRAGMA temp_store=MEMORY; PRAGMA cache_size=-512",
                   err));
    EM_TRY(set_synced(h, h->synced, err));
    return schema_check(h, err);
}

em_status em_history_open(const em_sys *sys, const em_history_options *options, em_history **out,
                          em_error *err)
{
    *out = NULL;
    em_history *h = calloc(1, sizeof *h);
    if (!h)
        return EM_E_NOMEM;
    h->sys = sys;
    h->synced = options->sync == EM_SYNC_FULL;
    em_status status = em_sqlite_vfs_new(sys, &h->vfs);
    if (status == EM_OK)
        status = database_open(h, options, err);
    if (status != EM_OK) {
        em_history_close(h);
        return status;
    }
    *out = h;
    return EM_OK;
}

void em_history_close(em_history *history)
{
    if (!history)
        return;
    for (size_t i = 0; i < STATEMENT_COUNT; i++)
        sqlite3_finalize(history->statements[i]);
    sqlite3_close(history->db);
    if (history->vfs)
        em_sqlite_vfs_free(history->vfs);
    free(history);
}

em_status em_history_begin(em_history *history, em_error *err)
{
    return run(history, BEGIN, err);
}

em_status em_history_end(em_history *history, bool keep, em_error *err)
{
    em_status status = EM_OK;
    if (keep)
        status = run(history, COMMIT, err);
    if (!sqlite3_get_autocommit(history->db)) /* some errors end the transaction by themselves */
        run(history, ROLLBACK, NULL);
    return status;
}

/* ---- Writing ------------------------------------------------------------------------------- */

static void row_bind(call *c, const em_row *row)
{
    bind_bits(c, row->token);
    bind_int(c, row->state);
    bind_int(c, row->kind);
    bind_int(c, row->forget);
    bind_text(c, row->root);
    bind_text(c, row->path);
    bind_bits(c, row->dir_dev);
    bind_bits(c, row->dir_ino);
    bind_bits(c, row->old_ino);
    bind_bits(c, row->new_ino);
    bind_text(c, row->temp);
    bind_text(c, row->backup);
    bind_text(c, row->folders);
    bind_text(c, row->kept);
    bind_text(c, row->old_hash.hex);
    bind_text(c, row->new_hash.hex);
    bind_bits(c, row->old_size);
    bind_bits(c, row->new_size);
    bind_text(c, row->boot);
    bind_text(c, row->origin.tool);
    bind_text(c, row->origin.client);
    bind_text(c, row->origin.session);
    bind_text(c, row->origin.call);
    bind_int(c, row->time_ms);
    bind_int(c, row->notes);
    bind_text(c, row->txn);
}

static em_status inverse_add(em_history *h, const em_row *row, em_error *err)
{
    call c = {0};
    if (row->inverse.len == 0)
        return EM_OK;
    EM_TRY(call_init(&c, h, ADD_INVERSE, err));
    bind_int(&c, row->id);
    if (c.code == SQLITE_OK)
        c.code = sqlite3_bind_blob64(c.stmt, ++c.bound, row->inverse.ptr, row->inverse.len,
                                     SQLITE_STATIC);
    return call_run(&c);
}

/* After some time every file system has written down on its own that a name is gone. Then it need
 * not be looked for in the next boot, which would otherwise look at all that was ever done in this.
 */
static em_status names_forget(em_history *h, const em_row *newest, em_error *err)
{
    call c = {0};
    EM_TRY(call_init(&c, h, FORGET_NAMES, err));
    bind_text(&c, newest->boot);
    bind_int(&c, newest->time_ms - WRITTEN_AFTER_MS);
    return call_run(&c);
}

static em_status row_add(em_history *h, em_row *row, em_error *err)
{
    call c = {0};
    EM_TRY(names_forget(h, row, err));
    EM_TRY(call_init(&c, h, ADD, err));
    row_bind(&c, row);
    EM_TRY(call_run(&c));
    row->id = sqlite3_last_insert_rowid(h->db);
    return inverse_add(h, row, err);
}

static em_status row_add_whole(em_history *h, em_row *row, em_error *err)
{
    EM_TRY(em_history_begin(h, err));
    em_status status = row_add(h, row, err);
    em_status ended = em_history_end(h, status == EM_OK, err);
    return status != EM_OK ? status : ended;
}

em_status em_history_add(em_history *history, em_row *row, bool durable, em_error *err)
{
    if (!sqlite3_get_autocommit(history->db)) /* within em_history_begin */
        return row_add(history, row, err);
    bool switched = durable && !history->synced;
    if (switched)
        EM_TRY(set_synced(history, true, err));
    em_status status = row_add_whole(history, row, err);
    if (switched)
        set_synced(history, false, NULL);
    if (status == EM_OK)
        return EM_OK;
    if (row->id != 0) /* where committing failed, the row may be there nevertheless */
        em_history_drop(history, row, NULL);
    row->id = 0;
    return status;
}

em_status em_history_mark(em_history *history, const em_row *row, em_error *err)
{
    call c = {0};
    EM_TRY(call_init(&c, history, MARK, err));
    bind_int(&c, row->state);
    bind_text(&c, row->temp);
    bind_text(&c, row->backup);
    bind_text(&c, row->kept);
    bind_bits(&c, row->new_ino);
    bind_int(&c, row->notes);
    bind_int(&c, row->id);
    bind_bits(&c, row->token);
    return call_run(&c);
}

static em_status row_drop(em_history *h, const em_row *row, em_error *err)
{
    call c = {0};
    EM_TRY(call_init(&c, h, DROP_INVERSE, err));
    bind_int(&c, row->id);
    EM_TRY(call_run(&c));
    EM_TRY(call_init(&c, h, DROP, err));
    bind_int(&c, row->id);
    bind_bits(&c, row->token);
    return call_run(&c);
}

em_status em_history_drop(em_history *history, const em_row *row, em_error *err)
{
    if (!sqlite3_get_autocommit(history->db)) /* within em_history_begin */
        return row_drop(history, row, err);
    EM_TRY(em_history_begin(history, err));
    em_status status = row_drop(history, row, err);
    em_status ended = em_history_end(history, status == EM_OK, err);
    return status != EM_OK ? status : ended;
}

/* ---- Reading ------------------------------------------------------------------------------- */

/* The columns of a row, one after the other; `failed` when memory ran out. */
typedef struct reader {
    sqlite3_stmt *stmt;
    em_arena *arena;
    int column;
    bool failed;
} reader;

static int64_t read_int(reader *r)
{
    return sqlite3_column_int64(r->stmt, r->column++);
}

static uint64_t read_bits(reader *r)
{
    return (uint64_t)read_int(r);
}

/* A text of the arena; NULL for NULL. */
static const char *read_text(reader *r)
{
    int column = r->column++;
    if (sqlite3_column_type(r->stmt, column) == SQLITE_NULL)
        return NULL;
    const void *text = sqlite3_column_text(r->stmt, column);
    size_t length = (size_t)sqlite3_column_bytes(r->stmt, column);
    char *copy = text ? em_arena_string(r->arena, em_slice_make(text, length)) : NULL;
    r->failed = r->failed || !copy;
    return copy;
}

static em_hash read_hash(reader *r)
{
    em_hash hash = {""};
    const char *text = read_text(r);
    snprintf(hash.hex, sizeof hash.hex, "%s", text ? text : "");
    return hash;
}

static em_status row_load(sqlite3_stmt *stmt, em_arena *arena, em_row *row)
{
    reader r = {.stmt = stmt, .arena = arena};
    row->id = read_int(&r);
    row->token = read_bits(&r);
    row->state = (em_row_state)read_int(&r);
    row->kind = (em_row_kind)read_int(&r);
    row->forget = read_int(&r) != 0;
    row->root = read_text(&r);
    row->path = read_text(&r);
    row->dir_dev = read_bits(&r);
    row->dir_ino = read_bits(&r);
    row->old_ino = read_bits(&r);
    row->new_ino = read_bits(&r);
    row->temp = read_text(&r);
    row->backup = read_text(&r);
    row->folders = read_text(&r);
    row->kept = read_text(&r);
    row->old_hash = read_hash(&r);
    row->new_hash = read_hash(&r);
    row->old_size = read_bits(&r);
    row->new_size = read_bits(&r);
    row->boot = read_text(&r);
    row->origin.tool = read_text(&r);
    row->origin.client = read_text(&r);
    row->origin.session = read_text(&r);
    row->origin.call = read_text(&r);
    row->time_ms = read_int(&r);
    row->notes = (unsigned)read_int(&r);
    row->txn = read_text(&r);
    return r.failed ? EM_E_NOMEM : EM_OK;
}

/* All rows that a statement gives. */
static em_status rows_load(call *c, em_arena *arena, em_rows *rows)
{
    em_row *items = NULL;
    size_t count = 0, room = 0;
    for (;;) {
        bool more;
        EM_TRY(call_step(c, &more));
        if (!more)
            break;
        em_status status = em_arena_grow(arena, (void **)&items, count, &room, sizeof *items);
        if (status == EM_OK) {
            items[count] = (em_row){0};
            status = row_load(c->stmt, arena, &items[count++]);
        }
        if (status != EM_OK) {
            call_stop(c);
            return status;
        }
    }
    *rows = (em_rows){.items = items, .count = count};
    return EM_OK;
}

em_status em_history_open_rows(em_history *history, em_row_state most, const char *boot,
                               em_arena *arena, em_rows *rows, em_error *err)
{
    call c = {0};
    EM_TRY(call_init(&c, history, boot ? OPEN_ROWS_AND_NAMED : OPEN_ROWS, err));
    bind_int(&c, most);
    if (boot)
        bind_text(&c, boot);
    return rows_load(&c, arena, rows);
}

em_status em_history_reread(em_history *history, em_row *row, em_arena *arena, em_error *err)
{
    call c = {0};
    em_rows found;
    uint64_t token = row->token;
    EM_TRY(call_init(&c, history, REREAD, err));
    bind_int(&c, row->id);
    EM_TRY(rows_load(&c, arena, &found));
    if (found.count == 1 && found.items[0].token == token)
        *row = found.items[0];
    else
        row->id = 0;
    return EM_OK;
}

em_status em_history_was_built_on(em_history *history, const em_row *row, bool *was, em_error *err)
{
    call c = {0};
    EM_TRY(call_init(&c, history, BUILT_ON, err));
    bind_int(&c, row->id);
    bind_text(&c, row->path);
    bind_text(&c, row->root);
    bind_text(&c, row->new_hash.hex);
    EM_TRY(call_step(&c, was));
    call_stop(&c);
    return EM_OK;
}

em_status em_history_inverse(em_history *history, const em_row *row, em_arena *arena,
                             em_slice *inverse, em_error *err)
{
    call c = {0};
    bool found;
    *inverse = (em_slice){0};
    EM_TRY(call_init(&c, history, INVERSE, err));
    bind_int(&c, row->id);
    EM_TRY(call_step(&c, &found));
    if (!found)
        return EM_OK;
    const void *bytes = sqlite3_column_blob(c.stmt, 0);
    size_t size = (size_t)sqlite3_column_bytes(c.stmt, 0);
    char *copy = em_alloc_raw(arena, size);
    if (copy && bytes)
        memcpy(copy, bytes, size);
    call_stop(&c);
    if (!copy || !bytes)
        return EM_E_NOMEM;
    *inverse = em_slice_make(copy, size);
    return EM_OK;
}

void em_row_show_id(const em_row *row, char out[static 64])
{
    snprintf(out, 64, "%" PRId64 "-%016" PRIx64, row->id, row->token);
}
