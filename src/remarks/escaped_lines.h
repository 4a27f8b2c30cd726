/* escaped_lines.h: line breaks that came as escapes.
 *
 * A text that was made JSON once more than needed has the two signs `\n` where its lines should
 * end. At a tolerant tier it is refused (laying/artifact.h); where the place is not in doubt it is
 * taken as it is, and makes one line of what was to be several.
 */
#ifndef EM_REMARKS_ESCAPED_LINES_H
#define EM_REMARKS_ESCAPED_LINES_H

#include "remarks/planned_edit.h"

/* Warn of the first line that comes with such, by its number after the edit: outside of what quotes
 * enclose in it, with indentation behind it and then text, or with text right behind it that begins
 * a line, where the file has none like it; or of whole content, all in one line, with two of them,
 * for a file that is empty or has several lines. Of a file that is not held nothing is told.
 * EM_E_NOMEM only. */
em_status em_remark_escaped_lines(const em_planned_edit *edit, em_arena *arena,
                                  em_warnings *warnings);

#endif
