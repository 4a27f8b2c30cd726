/* new_endings.h: line endings with a CR that come into a file of LFs.
 *
 * A new text that holds a CR is inserted as it is: its sender knows which endings the file has, or
 * wants others. But where a client reads with CRLFs what has LFs, or writes what it makes with
 * them, the file has both afterwards.
 */
#ifndef EM_REMARKS_NEW_ENDINGS_H
#define EM_REMARKS_NEW_ENDINGS_H

#include "remarks/planned_edit.h"

/* Warn of the first line that ends so, by its number after the edit: all of the file's lines end in
 * LF. Not where an edit of the call asks for other line endings alone, or has a pattern. Of a file
 * that is not held nothing is told. EM_E_NOMEM only. */
em_status em_remark_new_endings(const em_planned_edit *edit, em_arena *arena,
                                em_warnings *warnings);

#endif
