/* history.h: what is being done and what was done, in SQLite.
 *
 * A row is a change of one file. It is written before anything of the change can be seen (pending),
 * says all that recovery needs to know, and becomes part of the history when the change is done.
 * With `forget` (--no-history) it is deleted instead.
 *
 *     (none) -> PENDING       em_history_add, before a name is given
 *     PENDING -> GRACE        the new content is in place and checked; the old one is still kept
 *     PENDING, GRACE -> NAMED the old one is gone; its name may come back after a power cut
 *     PENDING, NAMED -> DONE  no such name; looked for it in a later boot; or so long ago that its
 *                             removal must be on the disk
 *     PENDING -> (none)       em_history_drop: nothing was changed
 *
 *  (1) With --sync full a row is durable when em_history_add returns; else the kernel decides.
 *  (2) An id is never used again, and the token makes it one that nobody can guess.
 *  (3) What em_history_settle writes about a change that is complete and durable is made durable by
 *      the next synced change, by em_history_sync() some milliseconds later, or when the history is
 *      closed. If the power goes before that the row is pending again, and recovery finds out that
 *      the change was made: by the content that is in place or, as long as the old file is kept, by
 *      that. What it could not find out is a change whose old file is gone and whose new content
 *      another program has replaced, durably, within those milliseconds; so a grace period syncs
 *      the history before the old file goes.
 *
 * How the database is kept says database.h. Without syncs a power cut may damage it; then changes
 * are refused until it is moved away, since nobody knows what it held.
 *
 * The inverse plans, which may be large, have a table of their own: changing a row's state must not
 * rewrite them.
 */
#ifndef EM_HISTORY_HISTORY_H
#define EM_HISTORY_HISTORY_H

#include "base/arena.h"
#include "base/status.h"
#include "history/origin.h"
#include "system/hash.h"
#include "system/sync.h"

typedef enum em_row_state {
    EM_ROW_PENDING = 0,
    EM_ROW_GRACE = 1,
    EM_ROW_NAMED = 2,
    EM_ROW_DONE = 3,
} em_row_state;

typedef enum em_row_kind {
    EM_ROW_EDIT = 0,
    EM_ROW_CREATE = 1,
    EM_ROW_IN_PLACE = 2, /* the temporary name is that of the copies in the state directory */
    EM_ROW_REMOVE = 3,   /* the temporary name is where the file went */
} em_row_kind;

enum {
    EM_NOTE_NO_EXCHANGE = 1, /* a plain rename: a foreign save at that moment may be lost */
    EM_NOTE_NOT_DURABLE = 2,
    EM_NOTE_HARD_LINK = 4,     /* a hard link was broken */
    EM_NOTE_OWNER = 8,         /* the owner or the group could not be kept */
    EM_NOTE_ATTRIBUTES = 16,   /* security.* or trusted.* attributes could not be kept */
    EM_NOTE_FOREIGN_KEPT = 32, /* somebody else's content is kept under `kept` */
    EM_NOTE_UNSYNCED = 64,     /* made with --sync off: a power cut may leave anything */
};

typedef struct em_row {
    int64_t id;     /* 0: not recorded */
    uint64_t token; /* random */
    em_row_state state;
    em_row_kind kind;
    bool forget;
    const char *root, *path;   /* absolute and resolved; relative to it, without links */
    uint64_t dir_dev, dir_ino; /* the folder of the file; of a create, the deepest that was there */
    uint64_t old_ino, new_ino; /* 0: none; new_ino 0 also: the new content is not complete yet */
    const char *temp, *backup; /* names in that folder; NULL: none */
    const char *folders;       /* to be made for a create, "a/b"; NULL: none */
    const char *kept;          /* name in the folder that holds somebody else's content, or NULL */
    em_hash old_hash, new_hash;
    uint64_t old_size, new_size;
    em_slice inverse; /* not read back with the row */
    const char *boot; /* of the machine, in which it was written */
    em_origin origin;
    int64_t time_ms; /* since 1970 */
    unsigned notes;
    uint32_t mode;   /* of the old file; 0 where there was none */
    const char *txn; /* of the transaction over several files, whose journal has this name; NULL */
} em_row;

typedef struct em_rows {
    const em_row *items;
    size_t count;
} em_rows;

/* Is it of a file that was there before and is there still? */
static inline bool em_row_is_edit(const em_row *row)
{
    return row->kind == EM_ROW_EDIT || row->kind == EM_ROW_IN_PLACE;
}

/* Was the file left as it was? An empty one that was made has the hash of what was not there. */
static inline bool em_row_changes_nothing(const em_row *row)
{
    return row->kind != EM_ROW_CREATE && em_hash_eq(row->old_hash, row->new_hash);
}

/* What stands under its temporary name is somebody else's, and stays there: the change is done, and
 * row->kept is that name. */
void em_row_keep_foreign(em_row *row);

/* The last one becomes the first. */
void em_rows_reverse(em_row *rows, size_t count);

typedef struct em_history em_history;

typedef struct em_history_options {
    const char *folder; /* the state directory, absolute; it lasts as long as the history */
    em_sync sync;
    long timeout_ms; /* how long to wait for another process's transaction */
} em_history_options;

/* For a program that has its process for itself, before it opens a history: SQLite, which is told
 * for the whole process, keeps no account of the memory that it takes. */
void em_history_prepare_process(void);

/* Open the database, made if it is missing. On success *out is the caller's: em_history_close().
 * EM_E_IO (also: damaged, or made by a newer emend), EM_E_PERMISSION, EM_E_TIMEOUT. */
em_status em_history_open(const em_sys *sys, const em_history_options *options, em_history **out,
                          em_error *err);
void em_history_close(em_history *history);

/* Does the database still have its name, and all of its files theirs? To be asked before a change
 * is recorded: nobody finds what is written to one that was moved or removed. EM_E_IO,
 * EM_E_PERMISSION. */
em_status em_history_check_name(em_history *history, em_error *err);

/* The name of the database in the state directory. */
#define EM_HISTORY_NAME "history.db"

/* Record a change; row->id is set. `durable`: whatever the setting of --sync. After a failure there
 * is no row. Between em_history_begin() and _end() it is part of that transaction. */
em_status em_history_add(em_history *history, em_row *row, bool durable, em_error *err);

/* Write what can change of a row (state, temp, backup, kept, new_ino, notes). */
em_status em_history_mark(em_history *history, const em_row *row, em_error *err);

/* Delete a row. */
em_status em_history_drop(em_history *history, const em_row *row, em_error *err);

/* Write what became of a change that is complete and durable: mark its row, or (forget) delete it.
 * This need not be durable when it returns, whatever the setting; see (3). */
em_status em_history_settle(em_history *history, const em_row *row, bool forget, em_error *err);

/* Is there something of em_history_settle that has to be made durable; and make it so. Each synced
 * change does it too, and em_history_close(). */
bool em_history_is_unsynced(const em_history *history);
em_status em_history_sync(em_history *history, em_error *err);

/* Rows that are not done: those in a state up to `most`; and, where `boot` is not NULL, NAMED rows
 * of other boots. In order of their ids, in `arena`, without inverse plans. */
em_status em_history_open_rows(em_history *history, em_row_state most, const char *boot,
                               em_arena *arena, em_rows *rows, em_error *err);

/* The row again, as it is now; row->id is 0 if it is gone. */
em_status em_history_reread(em_history *history, em_row *row, em_arena *arena, em_error *err);

/* Did a later change of the same file start from what this one left? */
em_status em_history_was_built_on(em_history *history, const em_row *row, bool *was, em_error *err);

/* The inverse plan of a row, in `arena`; empty without one. */
em_status em_history_inverse(em_history *history, const em_row *row, em_arena *arena,
                             em_slice *inverse, em_error *err);

/* The usual file systems need 5 to 30 seconds. */
enum { EM_WRITTEN_AFTER_MS = 120000 };

/* After some time every file system has written down on its own that a name is gone. Then it need
 * not be looked for in the next boot, which would otherwise look at all that was ever done in this
 * one: NAMED rows of `boot` that are so old become DONE. Each em_history_add does it too. */
em_status em_history_forget_names(em_history *history, const char *boot, int64_t now_ms,
                                  em_error *err);

/* Several calls in one transaction. `so_far` is what became of them: after a failure nothing of the
 * transaction is kept, and that failure is the result; else it is how keeping it ended. */
em_status em_history_begin(em_history *history, em_error *err);
em_status em_history_end(em_history *history, em_status so_far, em_error *err);

/* Where the file of a row is: absolute, in `arena`. NULL when memory ran out. */
const char *em_row_path(const em_row *row, em_arena *arena);

/* How a row is shown: "17-89abcdef01234567", at most 64 bytes. */
void em_row_show_id(const em_row *row, char out[static 64]);

#endif
