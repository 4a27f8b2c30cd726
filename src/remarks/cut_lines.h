/* cut_lines.h: search texts that have a part of a line, of which the new text has all.
 *
 *   search text   file            new text        result
 *   one."         title "one."    title "one."    title "title "one."
 *
 * A text that stands there literally is replaced literally. Nobody but the caller can tell whether
 * that was meant; so the edit is made, and the line is told.
 */
#ifndef EM_REMARKS_CUT_LINES_H
#define EM_REMARKS_CUT_LINES_H

#include "remarks/planned_edit.h"

/* Warn of what stands twice in a line after the edit, before or behind its first place, of some
 * edits at most. It must be much, or the search text have several lines. Of a file that is not held
 * nothing is told. EM_E_NOMEM only. */
em_status em_remark_cut_lines(const em_planned_edit *edit, em_arena *arena, em_warnings *warnings);

#endif
