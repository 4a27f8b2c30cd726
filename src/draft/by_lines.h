/* by_lines.h: splices over several lines, cut where lines end.
 *
 * What replaces several lines at once stands in a draft for all of them. Where a later op is kept
 * to some of the lines, each line of it should stand for one.
 */
#ifndef EM_DRAFT_BY_LINES_H
#define EM_DRAFT_BY_LINES_H

#include "draft/draft.h"

/* The same splices, over the draft, so that a line of what is inserted takes the place of one line:
 * of that with its number, where both texts have as many; else those that are the same at both ends
 * stay, and what is between takes the place of what is between. In `arena`. */
em_status em_splices_by_lines(const em_draft *draft, em_splices splices, em_arena *arena,
                              em_splices *out);

#endif
