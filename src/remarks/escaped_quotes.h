/* escaped_quotes.h: quotes that came with a backslash each.
 *
 * A text that was made JSON once more than needed has `\"` for every quote. At a tolerant tier that
 * is seen by the search text; where that is right, and the new text alone was made so, it is taken
 * as it is, and what was a string of code is none any more.
 */
#ifndef EM_REMARKS_ESCAPED_QUOTES_H
#define EM_REMARKS_ESCAPED_QUOTES_H

#include "remarks/planned_edit.h"

/* Warn of the first line that comes so, by its number after the edit: all of its quotes have a
 * backslash, where a line that it takes the place of has one without, behind the same sign; and
 * the file has no line like it. EM_E_NOMEM only. */
em_status em_remark_escaped_quotes(const em_planned_edit *edit, em_arena *arena,
                                   em_warnings *warnings);

#endif
