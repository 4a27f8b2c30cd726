/* recover_impl.h: what the files of recovery share: a row while it is recovered, and what is told
 * of that.
 */
#ifndef EM_WORKSPACE_RECOVER_IMPL_H
#define EM_WORKSPACE_RECOVER_IMPL_H

#include "workspace/reach.h"
#include "workspace/recover.h"
#include "workspace/recover_txn.h"
#include "workspace/repair.h"

/* ---- A row (recover_row.c) ----------------------------------------------------------------- */

typedef struct em_row_recovery {
    em_workspace *ws;
    const em_recover_options *options;
    em_row row;
    bool was_pending; /* when last looked at, with its lock where that could be had */
    em_reach reach;
    int journals; /* O_PATH of their folder; -1: there is none */
    em_arena *arena;
    em_error *err;
} em_row_recovery;

/* What is done before a change, with nobody to ask. */
extern const em_recover_options em_recover_own_roots;

/* The rows that may have to be recovered before a change, in `arena`; none where there is no
 * history. ws->state is open. Fails as the history does. */
em_status em_recover_open_rows(em_workspace *ws, em_arena *arena, em_rows *rows, em_error *err);

/* Recover one row; *mine is false where it lies outside what this recovery looks at, or a journal
 * speaks for it. r->row and r->reach are filled in. A failure of memory is a status, any other is
 * an end. */
em_status em_recover_row(em_row_recovery *r, const em_row *row, bool *mine, em_recovery_end *end);

/* How far its transaction is, as long as there is a journal, which speaks for it. EM_E_IO. */
em_status em_recover_row_journal(const em_row_recovery *r, em_journal_stage *stage);

/* Is it made, and its old file kept by a process that lives? The row may not say so yet, or not
 * any more what it had to. EM_E_IO. */
em_status em_recover_row_in_grace(const em_row_recovery *r, bool *is);

/* The row in its folder, after em_reach_open(): what repair.h and unwind_file.h work on. */
em_repair em_recover_row_repair(em_row_recovery *r);

/* ---- What is told (recover_notice.c) ------------------------------------------------------- */

/* What the user should hear of it, with the next answer. */
void em_recover_notice(const em_row_recovery *r, em_recovery_end end);

/* The same of a transaction. */
void em_recover_notice_txn(const em_txn_recovery *t);

#endif
