/* unwind.h: all files of a transaction are taken back, or finished.
 *
 * What happens to each is unwind_file.h's; here are their order, the syncs between, and the rows of
 * the history. A transaction that fails runs this, and so does recovery. All locks are held.
 */
#ifndef EM_WORKSPACE_UNWIND_H
#define EM_WORKSPACE_UNWIND_H

#include "workspace/recovery_end.h"
#include "workspace/ws.h"

typedef struct em_unwinding {
    em_workspace *ws;
    em_row *rows; /* of the journal; what is to be recorded of them changes */
    size_t count;
    bool all;          /* also what lies outside the roots of the workspace */
    em_keep keep;      /* what a person chose */
    int64_t keep_only; /* for this row; 0: for all */
    em_arena *arena;
    em_error *err;         /* of the first file that fails */
    em_recovery_end *ends; /* filled: how it ended for each row */
} em_unwinding;

/* Take all of it back, and drop the rows of what was. *over: nothing of it is left to be done. A
 * file that cannot be taken back hinders no other. EM_E_NOMEM, or what the history failed with:
 * then it has all rows as pending still, and no file has ended well. */
em_status em_unwind_back(const em_unwinding *u, bool *over);

/* Finish all of it, and record that it was made. */
em_status em_unwind_finish(const em_unwinding *u, bool *over);

/* Is nothing left to be done about a file for which it ended so? */
bool em_unwind_is_over(em_recovery_end end);

/* Make the names of all folders durable in which these rows changed any, each folder once. */
em_status em_unwind_sync(const em_unwinding *u);

#endif
