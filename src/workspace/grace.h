/* grace.h: old files that are kept for a while, in case somebody still writes to them.
 *
 * A program that opened the file before it was replaced may go on writing to the old one. So a
 * server keeps it for some seconds and compares it once more before it is unlinked; what changed is
 * kept, and told. The row of such a change is in the state EM_ROW_GRACE: the change is made and
 * answered, and if the process dies recovery does what is done here. As long as it lives the row is
 * its own (lock.h), although the lock of the file is free: recovery leaves it.
 */
#ifndef EM_WORKSPACE_GRACE_H
#define EM_WORKSPACE_GRACE_H

#include "workspace/flight.h"

/* Keep the old file of a change, which its temporary name holds: f->row.state is then EM_ROW_GRACE,
 * and the folder's descriptor belongs to the grace period. False where there is none, or memory or
 * the clock fails, or the file has other names, by which it lives on: then the old file's temporary
 * name goes at once. */
bool em_grace_keep(em_flight *f);

/* End the grace period of a row, as recovery does too: unlink the old file, or (*kept) keep what
 * was written to it late, as row->kept. The row says then what is to be recorded. A failure leaves
 * the row in its state. */
em_status em_grace_end_row(const em_sys *sys, int dir, em_row *row, const char *path, bool *kept,
                           em_error *err);

/* Wait for the other thread that looks at a large old file and removes it: for who is about to
 * write much, which takes several times as long while the disk is told of as many free blocks. */
void em_grace_await(em_workspace *ws);

/* After a change: em_ws_sync() is due soon, if the history has something to be synced. */
void em_grace_sync_later(em_workspace *ws);

/* Look at all that is left, when the workspace is closed. */
void em_grace_end(em_workspace *ws);

#endif
