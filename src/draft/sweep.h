/* sweep.h: the text of a draft while ops go over it that replace something all over it.
 *
 * A draft pays for each splice and for each of its pieces. Where there are as many of these as
 * lines, or bytes, and one op after the other replaces all of them, it is quicker to write the text
 * anew each time, in one piece, and to keep beside it which stretches stand for which of the
 * original.
 *
 *  (1) Changes stand in order, in both texts, and do not overlap. What is between two of them is
 *      the same in both.
 *  (2) A change begins where the same piece of a draft has its origin, and stands for what is from
 *      there to where the next one does, or the text is the same again.
 * Spans are those of the sweep's text, but for what says otherwise.
 */
#ifndef EM_DRAFT_SWEEP_H
#define EM_DRAFT_SWEEP_H

#include "draft/draft.h"

typedef struct em_sweep_change {
    em_span now; /* in the text; empty: something is gone */
    em_span was; /* in the original; empty: something was put there */
} em_sweep_change;

typedef struct em_sweep {
    em_slice body; /* the original; borrowed */
    size_t start;  /* as in a draft */
    char *text, *next;
    size_t length, text_room, next_room;
    em_sweep_change *changes, *next_changes;
    size_t change_count, change_room, next_change_room;
    size_t *places; /* that were found last: where each begins, */
    size_t place_count, place_room;
    size_t place_length; /* and how long they are */
} em_sweep;

/* The text that the draft has, and what separates it from the original. EM_E_NOMEM. What there is
 * then is dropped, too. */
em_status em_sweep_init(em_sweep *sweep, const em_draft *draft);
void em_sweep_drop(em_sweep *sweep);

em_slice em_sweep_text(const em_sweep *sweep);

/* Find every place of `needle`, which is not empty, and has no LF where the text may have CRs:
 * without overlap, from left to right, as em_draft_find_in() does; of more than `most` that many
 * and one. EM_E_NOMEM. */
em_status em_sweep_find(em_sweep *sweep, em_slice needle, size_t most);

/* The places that were found last become `insert`. EM_E_NOMEM leaves all as it was. */
em_status em_sweep_replace(em_sweep *sweep, em_slice insert);

/* Where a span lies in the original, and whether it begins in what was put there. */
em_span em_sweep_origin(const em_sweep *sweep, em_span span, bool *inserted);

/* Make a draft of it, in place of one over the same original that does not track. Its inserted
 * pieces lie in `arena`. EM_E_NOMEM leaves a draft that can only be dropped. */
em_status em_sweep_to_draft(const em_sweep *sweep, em_arena *arena, em_draft *draft);

#endif
