/* stretch.h: the lines that changes touch, before and after.
 *
 * Changes on one line, and on lines that they join, make one stretch. What a stretch was and what
 * it becomes begin and end at the same places of the text around it: where a change joins or breaks
 * lines, all of these lines are in both.
 */
#ifndef EM_DRAFT_STRETCH_H
#define EM_DRAFT_STRETCH_H

#include "draft/draft.h"
#include "text/splice.h"

typedef struct em_stretch {
    em_span span;           /* in the draft as it was */
    size_t taken;           /* how many splices it has; at least one */
    em_slice before, after; /* whole lines, without the last ending */
} em_stretch;

/* The stretch that begins with the first of `splices` (at least one; over the draft, sorted,
 * disjoint, not laid in yet), but not before `from`, where the stretch before it ends. A line that
 * goes on for more than `reach` bytes beside the changes is cut there, and one of many changes is
 * several stretches. The texts are borrowed from the draft or live in `arena`. EM_E_NOMEM only. */
em_status em_stretch_make(const em_draft *draft, em_splices splices, size_t from, size_t reach,
                          em_arena *arena, em_stretch *stretch);

#endif
