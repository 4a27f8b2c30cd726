/* recover_txn.h: a transaction that a dead process left is taken back, or finished.
 *
 * Its journal says which. See recover.h for when that happens.
 */
#ifndef EM_WORKSPACE_RECOVER_TXN_H
#define EM_WORKSPACE_RECOVER_TXN_H

#include "workspace/journal.h"
#include "workspace/recovery_end.h"

typedef struct em_txn_recovery {
    em_workspace *ws;
    int journals; /* O_PATH of their folder */
    const char *name;
    bool all;          /* also what lies outside the roots of the workspace */
    long wait_ms;      /* for a lock that somebody holds */
    em_keep keep;      /* what a person chose */
    int64_t keep_only; /* for this row; 0: for all of them */
    em_arena *arena;
    em_error *err; /* why it was left */

    em_journal journal; /* as it was read; no rows where it could not be */
    em_recovery_end *ends;
    em_rows removals;    /* those of the journal that remove a file, and may not be over yet */
    em_recovery_end end; /* of the whole: DONE, UNDONE, or why it was left */
    bool mine;           /* all of it lies where is looked */
} em_txn_recovery;

/* Fill in what is below the line. The locks of all its files are taken meanwhile, in their order.
 * That it had to be left is no failure. EM_E_NOMEM. */
em_status em_txn_recover(em_txn_recovery *t);

/* Fill in `journal` and `mine`, without a lock; *stage is EM_JOURNAL_NONE where there is none, or
 * none yet. What em_txn_recover() fails for before it does anything. */
em_status em_txn_look(em_txn_recovery *t, em_journal_stage *stage);

/* Is one of these rows of the transaction? */
bool em_rows_have_txn(const em_rows *rows, const char *txn);

/* What a journal that cannot be read is about, only its rows can tell; without them it may be about
 * any file: EM_E_UNSETTLED. After em_txn_recover(); `rows` are those that are open. */
em_status em_txn_check_readable(const em_txn_recovery *t, const em_rows *rows, em_error *err);

/* What a change of the file of `row` is refused for, after em_txn_recover(). EM_E_UNSETTLED, or
 * EM_E_TIMEOUT where a lock of one of its files is held; EM_OK when all that is left is about other
 * files. */
em_status em_txn_left(const em_txn_recovery *t, int64_t row, em_error *err);

/* Remove the journals that were never whole and of which no row is left, after the rows.
 * EM_E_NOMEM, EM_E_IO. */
em_status em_txn_remove_unwritten(em_workspace *ws, int journals, em_arena *arena, em_error *err);

#endif
