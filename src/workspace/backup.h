/* backup.h: the old content of a file as NAME.bak (.bak1, ... if taken), never over another file,
 * nor where the same call is about to make one.
 *
 * The row names the backup before it is there, so that recovery ends the same way. Where the names
 * were exchanged, the old file itself moves there in the end. Where it is renamed over it is linked
 * beforehand, and where it is written over it is copied beforehand; both are undone with the
 * change. A file with other names (hard links) is copied in each case: it goes on living under
 * those, and the backup must not change with it.
 */
#ifndef EM_WORKSPACE_BACKUP_H
#define EM_WORKSPACE_BACKUP_H

#include "workspace/flight.h"

/* Find a free name for the backup: f->row.backup. EM_E_DENIED where a rule forbids it, EM_E_PATH
 * where the name gets too long. */
em_status em_backup_choose(em_flight *f);

/* Would that fail, for a file that is open in whatever way? */
em_status em_backup_check(em_workspace *ws, const em_file *file, const em_change *change,
                          em_error *err);

/* The old file of a row, which its temporary name in `dir` holds, becomes the backup of `name`, or
 * its copy does and the temporary name goes; where row->backup is taken by now, under another name,
 * which the row then has. That it was done already is fine. The folder is not synced.
 * EM_E_CONFLICT: it was written to while it was copied. */
em_status em_backup_keep(em_workspace *ws, int dir, const char *name, em_row *row, em_arena *arena,
                         em_error *err);

/* The old file gets the backup's name too; or, where it has two or cannot have them, its content
 * does. */
em_status em_backup_link(em_flight *f);
em_status em_backup_copy(em_flight *f);

/* Take back what these two did, after an error: what somebody else has put under the name since
 * stays. */
void em_backup_take_back(em_flight *f);

/* The same in recovery, for a row that is going to be dropped: remove the backup if it is the very
 * target, which has the old content, or has the same content. */
em_status em_backup_undo(const em_sys *sys, int dir, const em_look *target, const em_row *row,
                         em_error *err);

#endif
