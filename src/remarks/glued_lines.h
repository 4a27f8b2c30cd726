/* glued_lines.h: whole lines that are put behind text on the same line.
 *
 * Nothing adds line breaks to what a caller sends. So lines that go behind an anchor without its
 * line break, or to the end of a file without one, begin in the middle of a line:
 *
 *   file            anchor         content         result
 *     import os       import os      import io\n     import osimport io
 *     import re                                      (an empty line)
 *                                                    import re
 *
 * That is what was asked for; so the edit is made, and the line is told.
 */
#ifndef EM_REMARKS_GLUED_LINES_H
#define EM_REMARKS_GLUED_LINES_H

#include "remarks/planned_edit.h"

/* Warn of such lines, where the call has one edit, which inserts behind something that stands there
 * exactly, or appends: if what comes begins as lines begin and not as one goes on, and ends with a
 * line break (appended: has one), and nothing else of the line is behind it. EM_E_NOMEM only. */
em_status em_remark_glued_lines(const em_planned_edit *edit, em_arena *arena,
                                em_warnings *warnings);

#endif
