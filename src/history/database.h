/* database.h: the history's database from the inside: its tables, and statements with their
 * arguments and columns. For the files that the face of history.h and past.h is made of.
 *
 * A database of an earlier version is completed when it is opened; one of a later is refused.
 *
 * Where no other machine can use it, it has a write-ahead log (WAL). A commit that is synced then
 * takes one sync, of a file that does not grow, and one that is not synced leaves the database
 * whole: what the power takes is the last commits, never one before a later one. The log goes over
 * into the database when it has EM_DATABASE_LOG_MOST pages, and as a whole when a process ends and
 * leaves more than EM_DATABASE_LOG_LEFT: whoever comes to a log that nobody uses has to read all of
 * it. Elsewhere it has a rollback journal that persists: a commit zeroes its header and syncs that,
 * one sync less than unlinking it (which also needs the folder's), and no blocks are freed and
 * taken again. What a database has is changed when it is opened.
 */
#ifndef EM_HISTORY_DATABASE_H
#define EM_HISTORY_DATABASE_H

#include "history/history.h"

#include <sqlite3.h>

enum {
    EM_SQL_KEPT = 16,            /* statements that are prepared once */
    EM_DATABASE_PAGE = 2048,     /* bytes; a commit writes and sums five of them, whole */
    EM_DATABASE_LOG_MOST = 2000, /* pages in the log, before it goes over */
    EM_DATABASE_LOG_LEFT = 64,   /* ... that a process leaves */
};

struct em_history {
    const em_sys *sys;
    struct em_sqlite_vfs *vfs;
    sqlite3 *db;
    const char *folder;     /* where it is, for errors; borrowed */
    struct em_turns *turns; /* of this process */
    bool in_turn;           /* from before a statement that writes until its transaction is over */
    bool synced;            /* commits are, unless it is said otherwise */
    bool ordered;           /* --sync data or full: the power leaves the database whole */
    bool syncs;             /* the next commit will be */
    bool log;               /* it has a write-ahead log */
    bool unsynced;          /* the log has what em_history_settle wrote */
    int log_pages;          /* in it, when we last committed */
    const char *told_call;  /* of which the transaction that runs has written what it undoes */
    long timeout_ms;
    sqlite3_stmt *kept[EM_SQL_KEPT]; /* prepared when first used */
};

/* ---- Statements ---------------------------------------------------------------------------- */

/* A statement on its way: its arguments are bound one after the other, then its rows are stepped
 * through, and the columns of each are read one after the other. The first failure of binding
 * counts, and is told by the first step. */
typedef struct em_sql {
    em_history *history;
    sqlite3_stmt *stmt; /* NULL: it is over */
    bool once;          /* not one of those that are kept */
    int bound, code, column;
    em_error *err;
} em_sql;

/* Prepare `text`, and keep it in the place `slot` for the next time; -1: it is not kept. */
em_status em_sql_init(em_sql *sql, em_history *history, int slot, const char *text, em_error *err);

void em_sql_bind_int(em_sql *sql, int64_t value);
void em_sql_bind_bits(em_sql *sql, uint64_t value);   /* kept as the signed one of the same bits */
void em_sql_bind_text(em_sql *sql, const char *text); /* borrowed; NULL is NULL */
void em_sql_bind_bytes(em_sql *sql, em_slice bytes);  /* borrowed */

/* The next row; *row says whether there is one. Without one the statement is over, and so it is
 * after a failure. */
em_status em_sql_step(em_sql *sql, bool *row);

/* The same in a loop over rows. `taken` is what became of the one before, EM_OK at first: a failure
 * ends the statement, and is the result. */
em_status em_sql_next(em_sql *sql, em_status taken, bool *row);

/* End it before its last row. */
void em_sql_stop(em_sql *sql);

/* Step once, where no row is wanted. */
em_status em_sql_run(em_sql *sql);

/* The next column. */
int64_t em_sql_int(em_sql *sql);
uint64_t em_sql_bits(em_sql *sql);
em_hash em_sql_hash(em_sql *sql);
/* A copy in `arena`; NULL for NULL. EM_E_NOMEM. */
em_status em_sql_text(em_sql *sql, em_arena *arena, const char **text);
em_status em_sql_bytes(em_sql *sql, em_arena *arena, em_slice *bytes);

/* ---- The database -------------------------------------------------------------------------- */

/* The number that a query without arguments gives; 0 where it gives no row. */
em_status em_sql_number(em_history *history, const char *text, int64_t *number, em_error *err);

/* Several statements without arguments. */
em_status em_database_run(em_history *history, const char *text, em_error *err);

/* Whether commits are synced, from now on. */
em_status em_database_set_synced(em_history *history, bool synced, em_error *err);

/* Sync the write-ahead log, if there is one. */
em_status em_database_sync_log(em_history *history, em_error *err);

/* Put what is in a write-ahead log into the database, as far as nobody is in the way, and give back
 * the room that it took. */
void em_database_give_back(em_history *history);

/* All that a row of the table `commits` has, but its id, in the order in which em_rows_load() takes
 * them. */
#define EM_ROW_COLUMNS                                                                             \
    "token, state, kind, forget, root, path, dir_dev, dir_ino, old_ino, new_ino, temp, backup,"    \
    " folders, kept, old_hash, new_hash, old_size, new_size, boot, tool, client, session, call,"   \
    " time, notes, txn, role, mode"

/* All rows that a statement "SELECT id, EM_ROW_COLUMNS" gives. */
em_status em_rows_load(em_sql *sql, em_arena *arena, em_rows *rows);

/* Those of such a statement `text` with one parameter. */
em_status em_rows_by_text(em_history *history, const char *text, const char *string,
                          em_arena *arena, em_rows *rows, em_error *err);
em_status em_rows_by_number(em_history *history, const char *text, int64_t number, em_arena *arena,
                            em_rows *rows, em_error *err);

#endif
