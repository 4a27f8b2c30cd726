/* database.c: how the history's database is opened, asked and given back.
 *
 * Begin with em_history_open: file access (sqlite_vfs.h), the way of journaling, the tables of
 * `upgrades`. In between are statements, em_sql_init to em_sql_run; their texts stand where they
 * are used, in history.c, past.c and their like.
 */
#include "history/database.h"

#include "history/sqlite_vfs.h"
#include "history/turns.h"
#include "paths/state.h"
#include "system/file_system.h"
#include "system/sys_io.h"

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

    /* Ways back are sealed from here on (inverse.h), which an earlier emend takes for damage. */
    "PRAGMA user_version = 4;",
};
enum { SCHEMA_VERSION = sizeof upgrades / sizeof *upgrades };

enum {
    LOG_MOST_BYTES = 8 << 20, /* beyond which the log is cut, after a large commit */
    JOURNAL_MOST_BYTES = 1 << 20,

    FIRST_WAIT_US = 50, /* a commit takes about as long */
    SHORT_WAITS = 8,    /* each second one twice as long */
    MEDIUM_WAIT_US = 1000,
    MEDIUM_WAITS = 32,
    LONG_WAIT_US = 10000,
};

/* ---- Failing ------------------------------------------------------------------------------- */

/* `undone` is what could not be done with it: "opened". */
static em_status history_fail(const em_history *h, int code, const char *undone, em_error *err)
{
    int sys = em_sqlite_vfs_errno(h->vfs);
    em_status status = EM_E_IO;
    if (code == SQLITE_READONLY_DBMOVED)
        return em_fail(err, EM_E_IO,
                       "the history was moved or removed since emend was started: start it again");
    if (code == SQLITE_IOERR_SHORT_READ) /* the index tells of more than there is */
        return em_fail(err, EM_E_IO,
                       "a file of the history was removed or cut while an emend uses it: end each "
                       "one that runs (`emend mcp`, `emend serve`), then it can be used again");
    switch (code & 0xFF) {
    case SQLITE_NOMEM:
        return EM_E_NOMEM;
    case SQLITE_BUSY:
    case SQLITE_PROTOCOL: /* the same, of a reader that never got in between writers */
        return em_fail(err, EM_E_TIMEOUT, "the history is in use by others");
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return em_fail(err, EM_E_IO,
                       "the history is damaged: while no emend runs, move " EM_HISTORY_NAME
                       " and all files whose names begin so away from the state directory; what "
                       "was pending in it cannot be recovered");
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
    em_fail(err, status, "the history cannot be %s: %s", undone,
            sys ? strerror(sys) : sqlite3_errstr(code));
    if (err)
        err->sys = sys;
    em_state_add_place(err, h->folder);
    return status;
}

/* ---- Turns --------------------------------------------------------------------------------- */

/* SQLITE_BUSY when others of this process have kept it from its turn for too long. */
static int turn_take(em_history *h)
{
    h->in_turn = h->in_turn || em_turns_take(h->turns, h->timeout_ms);
    return h->in_turn ? SQLITE_OK : SQLITE_BUSY;
}

/* Unless a transaction goes on. */
static void turn_give(em_history *h, bool ended_well)
{
    if (!h->in_turn || !sqlite3_get_autocommit(h->db))
        return;
    h->in_turn = false;
    em_turns_give(h->turns, ended_well);
}

/* ---- Statements ---------------------------------------------------------------------------- */

em_status em_sql_init(em_sql *sql, em_history *history, int slot, const char *text, em_error *err)
{
    sqlite3_stmt *once = NULL, **stmt = slot >= 0 ? &history->kept[slot] : &once;
    if (!*stmt) {
        unsigned flags = slot >= 0 ? SQLITE_PREPARE_PERSISTENT : 0;
        int code = sqlite3_prepare_v3(history->db, text, -1, flags, stmt, NULL);
        if (code != SQLITE_OK)
            return history_fail(history, code, "read", err);
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

/* What a statement does with the history; what begins or ends a transaction writes, too. */
static const char *use_of(sqlite3_stmt *stmt)
{
    return sqlite3_column_count(stmt) > 0 && sqlite3_stmt_readonly(stmt) ? "read" : "written";
}

em_status em_sql_step(em_sql *sql, bool *row)
{
    int code = sql->code;
    sql->column = 0;
    if (code == SQLITE_OK && !sqlite3_stmt_readonly(sql->stmt))
        code = turn_take(sql->history);
    if (code == SQLITE_OK)
        code = sqlite3_step(sql->stmt);
    *row = code == SQLITE_ROW;
    if (*row)
        return EM_OK;
    em_status status = EM_OK;
    if (code != SQLITE_DONE)
        status = history_fail(sql->history, code, use_of(sql->stmt), sql->err);
    em_sql_stop(sql);
    turn_give(sql->history, status == EM_OK);
    return status;
}

em_status em_sql_next(em_sql *sql, em_status taken, bool *row)
{
    if (taken == EM_OK)
        return em_sql_step(sql, row);
    em_sql_stop(sql);
    return taken;
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

em_status em_database_run(em_history *history, const char *text, em_error *err)
{
    int code = sqlite3_exec(history->db, text, NULL, NULL, NULL);
    return code == SQLITE_OK ? EM_OK : history_fail(history, code, "used", err);
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
    return em_history_end(h, status, err);
}

static em_status schema_check(em_history *h, em_error *err)
{
    int64_t version = 0;
    EM_TRY(schema_version(h, &version, err));
    if (version < SCHEMA_VERSION)
        return schema_upgrade(h, err);
    if (version > SCHEMA_VERSION)
        return em_fail_cause(err, EM_E_IO, EM_CAUSE_STATE_DIR,
                             "the history in the state directory %s was made by a newer emend "
                             "(version %lld of its form, and this one knows %d)",
                             h->folder, (long long)version, SCHEMA_VERSION);
    return EM_OK;
}

em_status em_database_set_synced(em_history *history, bool synced, em_error *err)
{
    const char *unsynced =
        history->log && history->ordered ? "PRAGMA synchronous=NORMAL" : "PRAGMA synchronous=OFF";
    EM_TRY(em_database_run(history, synced ? "PRAGMA synchronous=FULL" : unsynced, err));
    history->syncs = synced;
    return EM_OK;
}

/* ---- Waiting for others -------------------------------------------------------------------- */

/* How long the wait number `times` is, and (*waited) all before it. */
static long wait_us(int times, long *waited)
{
    *waited = 0;
    if (times < SHORT_WAITS)
        return (long)FIRST_WAIT_US << times / 2;
    times -= SHORT_WAITS;
    *waited = times < MEDIUM_WAITS ? times * (long)MEDIUM_WAIT_US
                                   : MEDIUM_WAITS * (long)MEDIUM_WAIT_US +
                                         (times - MEDIUM_WAITS) * (long)LONG_WAIT_US;
    return times < MEDIUM_WAITS ? MEDIUM_WAIT_US : LONG_WAIT_US;
}

/* SQLite asks: somebody else writes, and we have waited `times` times; wait once more? Its own way
 * of waiting begins with a millisecond, in which many could have written. */
static int wait_for_turn(void *context, int times)
{
    em_history *h = context;
    long waited, microseconds = wait_us(times, &waited);
    if (times >= SHORT_WAITS && waited / 1000 >= h->timeout_ms)
        return 0;
    EM_SYS_RETRY(h->sys, sleep, microseconds * 1000);
    return 1;
}

/* ---- The journal --------------------------------------------------------------------------- */

/* Can all who use the folder share memory? Only where they are all on one machine. */
static em_status is_local(const em_sys *sys, const char *folder, bool *local, em_error *err)
{
    uint64_t magic = 0;
    int fd = EM_SYS_RETRY(sys, open, AT_FDCWD, folder, O_PATH | O_DIRECTORY, 0, 0);
    if (fd < 0)
        return em_state_fail(err, fd, "open", folder);
    int result = EM_SYS_RETRY(sys, filesystem, fd, &magic);
    EM_SYS(sys, close, fd);
    if (result < 0)
        return em_state_fail(err, result, "statfs", folder);
    const em_file_system *fs = em_file_system_of(magic);
    *local = fs && !fs->remote;
    return EM_OK;
}

/* Set it to `mode`; *is: it is that now. One of SQLite's codes. */
static int journal_try(em_history *h, const char *mode, bool *is)
{
    char text[64];
    sqlite3_stmt *stmt = NULL;
    snprintf(text, sizeof text, "PRAGMA journal_mode=%s", mode);
    int code = sqlite3_prepare_v2(h->db, text, -1, &stmt, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_step(stmt);
    const unsigned char *now = code == SQLITE_ROW ? sqlite3_column_text(stmt, 0) : NULL;
    *is = now && sqlite3_stricmp((const char *)now, mode) == 0;
    int ended = sqlite3_finalize(stmt); /* which commits the change */
    return code == SQLITE_ROW ? ended : code;
}

/* Who changes it needs the database alone. SQLite waits for some of that and not for the rest: so
 * it does not wait here, but is asked again. */
static em_status journal_set(em_history *h, const char *mode, bool *is, em_error *err)
{
    int times = 0;
    sqlite3_busy_handler(h->db, NULL, NULL);
    int code = journal_try(h, mode, is);
    while ((code & 0xFF) == SQLITE_BUSY && wait_for_turn(h, times++))
        code = journal_try(h, mode, is);
    sqlite3_busy_handler(h->db, wait_for_turn, h);
    return code == SQLITE_OK ? EM_OK : history_fail(h, code, "opened", err);
}

/* One of SQLite's codes; SQLITE_READONLY_DBMOVED where the names lead elsewhere by now. */
static int check_names(em_history *h)
{
    int moved;
    int code = sqlite3_file_control(h->db, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
    return code == SQLITE_OK && moved ? SQLITE_READONLY_DBMOVED : code;
}

/* The log goes over into the database, without waiting for anybody. What fails is done another
 * time: until then the log says it. A log that lost its name stays out: others have gone on without
 * it. */
static void log_transfer(em_history *h, int how)
{
    if (check_names(h) != SQLITE_OK)
        return;
    sqlite3_busy_handler(h->db, NULL, NULL);
    sqlite3_wal_checkpoint_v2(h->db, NULL, how, NULL, NULL);
    sqlite3_busy_handler(h->db, wait_for_turn, h);
}

static int committed(void *context, sqlite3 *db, const char *name, int pages)
{
    em_history *h = context;
    (void)db;
    (void)name;
    h->log_pages = pages;
    if (pages >= EM_DATABASE_LOG_MOST)
        log_transfer(h, SQLITE_CHECKPOINT_PASSIVE);
    return SQLITE_OK;
}

em_status em_database_sync_log(em_history *history, em_error *err)
{
    sqlite3_file *file = NULL;
    if (!history->log)
        return EM_OK;
    int code = sqlite3_file_control(history->db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file);
    if (code == SQLITE_OK && file && file->pMethods)
        code = file->pMethods->xSync(file, SQLITE_SYNC_NORMAL);
    return code == SQLITE_OK ? EM_OK : history_fail(history, code, "written", err);
}

void em_database_give_back(em_history *history)
{
    if (history->log)
        log_transfer(history, SQLITE_CHECKPOINT_TRUNCATE);
    history->log_pages = 0;
}

static em_status use_log(em_history *h, em_error *err)
{
    if (sqlite3_db_readonly(h->db, "main") == 1) /* as it is */
        return EM_OK;
    EM_TRY(journal_set(h, "wal", &h->log, err));
    sqlite3_db_config(h->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    sqlite3_wal_hook(h->db, committed, h);
    EM_TRY(em_database_set_synced(h, h->synced, err));
    return EM_OK;
}

/* Where it has a log, from a file system on which it could, that is read by who has the database
 * alone, and needs no shared memory; what is left of that says nothing. */
static em_status use_journal(em_history *h, em_error *err)
{
    bool is;
    int code = journal_try(h, "persist", &is);
    if ((code & 0xFF) != SQLITE_CANTOPEN)
        return code == SQLITE_OK ? EM_OK : history_fail(h, code, "opened", err);
    EM_TRY(em_database_run(h, "PRAGMA locking_mode=EXCLUSIVE", err));
    EM_TRY(journal_set(h, "persist", &is, err));
    return em_database_run(h, "PRAGMA locking_mode=NORMAL; SELECT 1 FROM sqlite_schema", err);
}

/* ---- Opening ------------------------------------------------------------------------------- */

void em_history_prepare_process(void)
{
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

static em_status database_open(em_history *h, const char *folder, bool local, em_error *err)
{
    EM_AUTO(em_arena) arena = {0};
    const char *path = em_arena_format(&arena, "%s/" EM_HISTORY_NAME, folder);
    const char *settings =
        em_arena_format(&arena,
                        "PRAGMA page_size=%d; PRAGMA temp_store=MEMORY; PRAGMA cache_size=-512; "
                        "PRAGMA journal_size_limit=%d",
                        EM_DATABASE_PAGE, local ? LOG_MOST_BYTES : JOURNAL_MOST_BYTES);
    if (!path || !settings)
        return EM_E_NOMEM;
    int code = sqlite3_open_v2(path, &h->db,
                               SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
                               em_sqlite_vfs_name(h->vfs));
    if (code != SQLITE_OK)
        return history_fail(h, code, "opened", err);
    sqlite3_extended_result_codes(h->db, 1);
    sqlite3_busy_handler(h->db, wait_for_turn, h);
    if (!local) /* most settings read the database already */
        EM_TRY(use_journal(h, err));
    EM_TRY(em_database_run(h, settings, err));
    EM_TRY(em_database_set_synced(h, h->synced || (local && h->ordered), err));
    if (local)
        EM_TRY(use_log(h, err));
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
    h->folder = options->folder;
    h->synced = options->sync == EM_SYNC_FULL;
    h->ordered = options->sync != EM_SYNC_OFF;
    h->timeout_ms = options->timeout_ms;
    bool local = false;
    em_status status = is_local(sys, options->folder, &local, err);
    if (status == EM_OK)
        status = em_sqlite_vfs_new(sys, local, &h->vfs);
    if (status == EM_OK && !(h->turns = em_turns_join(options->folder)))
        status = EM_E_NOMEM;
    if (status == EM_OK)
        status = database_open(h, options->folder, local, err);
    if (status != EM_OK) {
        em_history_close(h);
        return status;
    }
    *out = h;
    return EM_OK;
}

em_status em_history_check_name(em_history *history, em_error *err)
{
    int code = check_names(history);
    return code == SQLITE_OK ? EM_OK : history_fail(history, code, "used", err);
}

void em_history_close(em_history *history)
{
    if (!history)
        return;
    for (size_t i = 0; i < EM_SQL_KEPT; i++)
        sqlite3_finalize(history->kept[i]);
    em_history_sync(history, NULL);
    if (history->log_pages > EM_DATABASE_LOG_LEFT)
        em_database_give_back(history);
    sqlite3_close(history->db);
    if (history->in_turn)
        em_turns_give(history->turns, false);
    if (history->turns)
        em_turns_leave(history->turns);
    if (history->vfs)
        em_sqlite_vfs_free(history->vfs);
    free(history);
}
