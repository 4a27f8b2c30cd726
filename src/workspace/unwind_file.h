/* unwind_file.h: what a transaction did to one of its files is taken back, or finished.
 *
 * The head of unwind_file.c says what is concluded from what. The same routines run when a
 * transaction fails, and in recovery when its process died; the locks of its files are held.
 *
 * Taking back goes in two steps, so that it needs no room on the disk and nothing is removed before
 * all is in its place: first the names of all files, the last first; then, when the folders are
 * synced, what is left under the temporary names.
 */
#ifndef EM_WORKSPACE_UNWIND_FILE_H
#define EM_WORKSPACE_UNWIND_FILE_H

#include "workspace/repair_steps.h"

/* The first step, for one file. *end: EM_RECOVERED_UNDONE, or EM_LEFT_TO_PERSON where both names
 * hold what others wrote; then both stay. With r->keep a person has chosen. EM_RECOVERED_DONE where
 * somebody removed what would come back: the row says that the file stays as it was made. */
em_status em_unwind_file_put_back(em_repair *r, em_recovery_end *end);

/* Would that be left to a person? Nothing is done. */
em_status em_unwind_file_is_left(const em_repair *r, bool *left);

/* The second step: remove our new content, and the folders that were made for it. */
em_status em_unwind_file_clear(em_repair *r);

/* The transaction was made: the old content goes, or becomes the backup. *end: EM_RECOVERED_DONE,
 * or EM_RECOVERED_KEPT where somebody wrote to it; then it stays, as row->kept. The row says what
 * is to be recorded. */
em_status em_unwind_file_finish(em_repair *r, em_recovery_end *end);

#endif
