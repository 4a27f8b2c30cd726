#include "workspace/database.h"

#include "workspace/sqlite_vfs.h"
#include "workspace/sys_io.h"

#include <stdio.h>
#include <stdlib.h>

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

    "ALTER TABLE commits ADD COLUMN role INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE commits ADD COLUMN mode INTEGER NOT NULL DEFAULT 0;"
    "CREATE INDEX commits_call ON commits(call);"
    "CREATE TABLE undone("
    " base TEXT NOT NULL, call TEXT NOT NULL, role INTEGER NOT NULL, id INTEGER NOT NULL,"
    " PRIMARY KEY(base, call)) WITHOUT ROWID;"
    "CREATE INDEX undone_call ON undone(call);"
    "CREATE TABLE checkpoints("
    " root TEXT NOT NULL, name TEXT NOT NULL, id INTEGER NOT NULL, time INTEGER NOT NULL,"
    " PRIMARY KEY(root, name)) WITHOUT ROWID;"
    "CREATE TABLE settings(name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;"
    "PRAGMA user_version = 3;",
};
enum { SCHEMA_VERSION = sizeof upgrades / sizeof *upgrades };

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

em_status em_sql_init(em_sql *sql, em_history *history, int slot, const char *text, em_error *err)
{
    sqlite3_stmt *once = NULL, **stmt = slot >= 0 ? &history->kept[slot] : &once;
    if (!*stmt) {
        unsigned flags = slot >= 0 ? SQLITE_PREPARE_PERSISTENT : 0;
        int code = sqlite3_prepare_v3(history->db, text, -1, flags, stmt, NULL);
        if (code != SQLITE_OK)
            return history_fail(history, code, "prepare", err);
    }
    *sql = (em_sql){.history = history, .stmt = *stmt, .once = slot < 0, .err = err};
    return EM_OK;
}

void em_sql_bind_int(em_sql *sql, int64_t value)
{
    if (sql->code == SQLITE_OK)
        sql->code = sqlite3_bind_int64(sql->stmt, ++sql->bound, value);
}

void em_sql_bind_bits(em_sql *sql, uint64_t value)
{
    em_sql_bind_int(sql, (int64_t)value);
}

void em_sql_bind_text(em_sql *sql, const char *text)
{
    if (sql->code == SQLITE_OK)
        sql->code = sqlite3_bind_text(sql->stmt, ++sql->bound, text, -1, SQLITE_STATIC);
}

void em_sql_bind_bytes(em_sql *sql, em_slice bytes)
{
    if (sql->code == SQLITE_OK)
        sql->code =
            sqlite3_bind_blob64(sql->stmt, ++sql->bound, bytes.ptr, bytes.len, SQLITE_STATIC);
}

void em_sql_stop(em_sql *sql)
{
    if (!sql->stmt)
        return;
    if (sql->once) {
        sqlite3_finalize(sql->stmt);
    } else {
        sqlite3_reset(sql->stmt);
        sqlite3_clear_bindings(sql->stmt);
    }
    sql->stmt = NULL;
}

em_status em_sql_step(em_sql *sql, bool *row)
{
    int code = sql->code;
    sql->column = 0;
    if (code == SQLITE_OK)
        code = sqlite3_step(sql->stmt);
    *row = code == SQLITE_ROW;
    if (*row)
        return EM_OK;
    em_status status = EM_OK;
    if (code != SQLITE_DONE)
        status = history_fail(sql->history, code, sqlite3_sql(sql->stmt), sql->err);
    em_sql_stop(sql);
    return status;
}

em_status em_sql_run(em_sql *sql)
{
    bool row;
    return em_sql_step(sql, &row);
}

/* ---- Columns ------------------------------------------------------------------------------- */

int64_t em_sql_int(em_sql *sql)
{
    return sqlite3_column_int64(sql->stmt, sql->column++);
}

uint64_t em_sql_bits(em_sql *sql)
{
    return (uint64_t)em_sql_int(sql);
}

em_hash em_sql_hash(em_sql *sql)
{
    em_hash hash = {""};
    const char *text = (const char *)sqlite3_column_text(sql->stmt, sql->column++);
    snprintf(hash.hex, sizeof hash.hex, "%s", text ? text : "");
    return hash;
}

em_status em_sql_text(em_sql *sql, em_arena *arena, const char **text)
{
    int column = sql->column++;
    *text = NULL;
    if (sqlite3_column_type(sql->stmt, column) == SQLITE_NULL)
        return EM_OK;
    const void *bytes = sqlite3_column_text(sql->stmt, column);
    size_t length = (size_t)sqlite3_column_bytes(sql->stmt, column);
    *text = bytes ? em_arena_string(arena, em_slice_make(bytes, length)) : NULL;
    return *text ? EM_OK : EM_E_NOMEM;
}

em_status em_sql_bytes(em_sql *sql, em_arena *arena, em_slice *bytes)
{
    int column = sql->column++;
    const void *blob = sqlite3_column_blob(sql->stmt, column);
    size_t size = (size_t)sqlite3_column_bytes(sql->stmt, column);
    char *copy = em_alloc_raw(arena, size);
    if (!copy || (!blob && size > 0))
        return EM_E_NOMEM;
    if (size > 0)
        memcpy(copy, blob, size);
    *bytes = em_slice_make(copy, size);
    return EM_OK;
}

/* ---- Opening ------------------------------------------------------------------------------- */

em_status em_database_run(em_history *history, const char *text, em_error *err)
{
    int code = sqlite3_exec(history->db, text, NULL, NULL, NULL);
    return code == SQLITE_OK ? EM_OK : history_fail(history, code, "setup", err);
}

em_status em_sql_number(em_history *history, const char *text, int64_t *number, em_error *err)
{
    em_sql sql = {0};
    bool row;
    *number = 0;
    EM_TRY(em_sql_init(&sql, history, -1, text, err));
    EM_TRY(em_sql_step(&sql, &row));
    if (row)
        *number = em_sql_int(&sql);
    em_sql_stop(&sql);
    return EM_OK;
}

static em_status schema_version(em_history *h, int64_t *version, em_error *err)
{
    EM_TRY(em_sql_number(h, "PRAGMA user_version", version, err));
    if (*version < 0) /* nobody ever wrote that */
        return em_fail(err, EM_E_IO, "the history is damaged (version %lld)", (long long)*version);
    return EM_OK;
}

/* Make the tables, or what they lack, unless another process was quicker. */
static em_status schema_upgrade(em_history *h, em_error *err)
{
    int64_t version = 0;
    EM_TRY(em_history_begin(h, err));
    em_status status = schema_version(h, &version, err);
    for (; status == EM_OK && version < SCHEMA_VERSION; version++)
        status = em_database_run(h, upgrades[version], err);
    em_status ended = em_history_end(h, status == EM_OK, err);
    return status != EM_OK ? status : ended;
}

static em_status schema_check(em_history *h, em_error *err)
{
    int64_t version = 0;
    EM_TRY(schema_version(h, &version, err));
    if (version < SCHEMA_VERSION)
        return schema_upgrade(h, err);
    if (version > SCHEMA_VERSION)
        return em_fail(err, EM_E_IO, "the history was made by a newer emend (version %lld)",
                       (long long)version);
    return EM_OK;
}

em_status em_database_set_synced(em_history *history, bool synced, em_error *err)
{
    return em_database_run(history, synced ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=OFF",
                           err);
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
    EM_TRY(em_database_run(h,
                           "PRAGMA journal_mode=PERSIST; PRAGMA journal_size_limit=1048576;"
                           "PRAGMA temp_store=MEMORY; PRAGMA cache_size=-512",
                           err));
    EM_TRY(em_database_set_synced(h, h->synced, err));
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
    for (size_t i = 0; i < EM_SQL_KEPT; i++)
        sqlite3_finalize(history->kept[i]);
    sqlite3_close(history->db);
    if (history->vfs)
        em_sqlite_vfs_free(history->vfs);
    free(history);
}
