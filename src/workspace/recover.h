/* recover.h: what a process that died left half done is ended, one way or the other.
 *
 * The head of recover.c says what is concluded from what. Recovery of the roots of a workspace runs
 * before its first change; `emend recover` runs it for them, or for all that the state directory
 * knows, and tells what it did.
 */
#ifndef EM_WORKSPACE_RECOVER_H
#define EM_WORKSPACE_RECOVER_H

#include "workspace/recovery_end.h"
#include "workspace/ws.h"

typedef struct em_recover_options {
    bool all;       /* also what lies outside the roots of the workspace */
    const char *id; /* only this row ("17-89abcdef01234567" or "17"), with its transaction, or the
                       transaction of this name; NULL: all of them */
    em_keep keep; /* for rows that are left to a person. With it another folder that is in the place
                     of a row's own is gone into, where the stray is in it; a row that is out of
                     reach, or damaged, is forgotten by EM_KEEP_TARGET */
} em_recover_options;

/* Recover, and tell of each row; strings in `arena`. That a row could not be recovered is no
 * failure. EM_E_NOT_FOUND: there is no row `id`. EM_E_IO, EM_E_TIMEOUT: of the history. */
em_status em_recover(em_workspace *ws, const em_recover_options *options, em_arena *arena,
                     em_recovery *recovery, em_error *err);

/* The changes that are not finished, without doing anything: no state directory is made. */
em_status em_recover_list(em_workspace *ws, bool all, em_arena *arena, em_recovery *recovery,
                          em_error *err);

/* Before the first change: what can be recovered in the roots of `ws`, is; the rest waits. */
em_status em_recover_before_change(em_workspace *ws, em_error *err);

/* What has to be done before the file can be opened. */
typedef struct em_recover_again {
    bool changed; /* something was done about the file: look again */
    char txn[17]; /* not "": this transaction is to be ended first, without any lock held */
    int64_t row;  /* the file's row of that */
} em_recover_again;

/* What is pending of the file, whose lock is held. EM_E_UNSETTLED when it is left to a person, or
 * cannot be recovered. */
em_status em_recover_file(em_workspace *ws, const em_file_state *file, em_recover_again *again,
                          em_error *err);

/* For a dry run, which takes no lock and recovers nothing: what em_recover_file() would refuse the
 * file for, as far as looking tells; and whether the state directory can be used, if it is there.
 * EM_E_UNSETTLED, EM_E_PERMISSION, EM_E_IO, EM_E_TIMEOUT. */
em_status em_recover_foresee(em_workspace *ws, const em_file_state *file, em_error *err);

/* End the transaction again->txn, which a dead process left; no lock is held. EM_E_UNSETTLED,
 * unless all that is left of it is about other files; EM_E_TIMEOUT: a lock of one of its files. */
em_status em_recover_txn(em_workspace *ws, const em_recover_again *again, em_error *err);

#endif
