/* kept_endings.h: edits that ask for other line endings, and do not get them.
 *
 * The LFs of a new text become the endings of the lines that they replace, since most who send one
 * do not know which the file has. So who replaces "\r\n" with "\n" changes nothing, and would be
 * told of a success.
 */
#ifndef EM_REMARKS_KEPT_ENDINGS_H
#define EM_REMARKS_KEPT_ENDINGS_H

#include "remarks/planned_edit.h"

/* Warn of such edits, and say how endings are changed. EM_E_NOMEM only. */
em_status em_remark_kept_endings(const em_planned_edit *edit, em_arena *arena,
                                 em_warnings *warnings);

#endif
