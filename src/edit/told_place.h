/* told_place.h: what is told of a place of the text of the moment.
 */
#ifndef EM_EDIT_TOLD_PLACE_H
#define EM_EDIT_TOLD_PLACE_H

#include "draft/draft.h"
#include "edit/plan.h"

enum { EM_LINE_REACH = 1000 }; /* so much of a long line is shown to either side of a place */

/* Where in the original the span is; and if that began in inserted text, its lines, borrowed from
 * the draft or in `arena`. The rest of *match is the caller's. EM_E_NOMEM only. */
em_status em_tell_place(const em_draft *draft, em_span span, em_arena *arena, em_match *match);

/* Those lines alone. */
em_status em_tell_lines(const em_draft *draft, em_span span, em_arena *arena, em_match *match);

#endif
