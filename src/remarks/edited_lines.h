/* edited_lines.h: what a splice takes away, and brings, with the rest of its first and last line.
 */
#ifndef EM_REMARKS_EDITED_LINES_H
#define EM_REMARKS_EDITED_LINES_H

#include "base/arena.h"
#include "base/status.h"
#include "text/splice.h"

/* Of the line of `text` in which `at` is, what stands before that; of a long one, the end of it. */
em_slice em_line_up_to(em_slice text, size_t at);

/* Of `body`: what the splice takes away, in its lines. */
em_slice em_lines_taken(em_slice body, const em_splice *splice);

/* What it brings, in the lines that it comes to stand in: in `arena`. EM_E_NOMEM only. */
em_status em_lines_brought(em_slice body, const em_splice *splice, em_arena *arena, em_slice *text);

#endif
