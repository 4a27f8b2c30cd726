/* made_folders.h: folders that were made for a file, when that is gone.
 */
#ifndef EM_WORKSPACE_MADE_FOLDERS_H
#define EM_WORKSPACE_MADE_FOLDERS_H

#include "history/history.h"
#include "workspace/workspace.h"

/* The outermost folder that was made for the file of this row, which had folders made: absolute, in
 * `arena`. NULL when memory ran out. */
const char *em_made_folder(const em_row *row, em_arena *arena);

/* Remove the folders that were made for the file of this row, as far as they are empty. */
void em_made_folders_remove(em_workspace *ws, const em_row *row);

/* Files were removed by a call that undoes others: remove the folders that those, or who redid
 * them, made for the files, as far as they are empty. The rows are of one call, which their origin
 * names; those that are no removal are passed over. False where there were none. */
bool em_made_folders_remove_undone(em_workspace *ws, em_rows rows);

#endif
