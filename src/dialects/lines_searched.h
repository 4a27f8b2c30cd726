/* lines_searched.h: of an edit that is kept to some lines, in which its text is not: what is told
 * of the lines beside them.
 */
#ifndef EM_DIALECTS_LINES_SEARCHED_H
#define EM_DIALECTS_LINES_SEARCHED_H

#include "answers/reply.h"

/* Append which lines were searched, and where the text stands in others, or what is like it there.
 * *stands: the text itself stands beside these lines. */
void em_add_lines_searched(em_reply *reply, const em_op *op, bool *stands);

#endif
