/* doubled_lines.h: lines that stand in the file twice after an edit, once because it brings them,
 * or because two edits of a call do.
 */
#ifndef EM_REMARKS_DOUBLED_LINES_H
#define EM_REMARKS_DOUBLED_LINES_H

#include "remarks/planned_edit.h"

/* Warn of those that the plan doubles (remarks/doubled.h), of some at most, by the numbers that
 * they have after the edit; not of search texts that are to stand there once more. Of a file that
 * is not held nothing is told. EM_E_NOMEM only. */
em_status em_remark_doubled_lines(const em_planned_edit *edit, em_arena *arena,
                                  em_warnings *warnings);

#endif
