/* whole_lines.h: does an op of a plan change whole lines?
 *
 * A patch is of whole lines, and says so by its form. Its texts, sent as those of an edit, may also
 * stand within a line of the file ("two" in "twofold"), where the patch does not belong.
 */
#ifndef EM_EDIT_WHOLE_LINES_H
#define EM_EDIT_WHOLE_LINES_H

#include "edit/plan.h"
#include "text/text.h"

/* Does each place that the op takes begin where a line does, and end where one does? Blanks that
 * a line has before it do not count, unless the line goes with its end, and would leave them. */
bool em_takes_whole_lines(const em_plan *plan, size_t op, const em_text *text);

#endif
