/* correct_impl.h: what a call that failed should have been is tried out: for correct.c,
 * correct_made.c, correct_overlap.c and other_ways.c alone.
 */
#ifndef EM_SESSION_CORRECT_IMPL_H
#define EM_SESSION_CORRECT_IMPL_H

#include "session/correct.h"

enum { EM_MOST_TRIED_BYTES = 64 << 20 }; /* of the text, as often as it is planned over */

/* A request on the way to one that holds. */
typedef struct em_corrector {
    const em_planning *planning; /* that failed */
    em_policy policy;
    em_op *ops;    /* of the request, as far as they are corrected */
    size_t *which; /* of them each is, in the request */
    size_t count;
    bool *corrected; /* by their places in the request */
    bool joins;      /* some ops are one now. What outcome->further and ->next held before that: */
    size_t further_before;
    em_next_failure next_before;
} em_corrector;

/* EM_E_NOMEM only, as from all below. */
em_status em_corrector_init(em_corrector *c, const em_planning *planning);

/* The ops without the one at `op`. */
void em_corrector_leave_out(em_corrector *c, size_t op);

/* How often the ops may be planned again, for an answer that failed anyway. */
size_t em_corrector_rounds(const em_corrector *c);

/* What fails now, for outcome->next. A search that took too long proves nothing. */
void em_corrector_note_next(const em_corrector *c, const em_plan_failure *failure,
                            const em_error *error, em_next_failure *next);

/* Append to a list that has room for *room. */
em_status em_corrections_add(em_corrections *list, size_t *room, em_corrected corrected,
                             em_arena *arena);

/* Plan the ops again and again, each time with the one at fault corrected, made one with another,
 * or left out since it was made before; into outcome->further, and ->next. *hold: do all hold then?
 */
em_status em_corrector_run(em_corrector *c, bool *hold);

/* ---- Ops that were made before (correct_made.c) -----------------------------------------------
 */

/* All ops hold, as `plan` does them. Was one made before all the same, as others of the call were?
 * *done: it is left out, and told in outcome->further, which has room for *room. */
em_status em_corrector_leave_out_made(em_corrector *c, const em_plan *plan, size_t *room,
                                      bool *done);

/* ---- Ops that overlap (correct_overlap.c) ---------------------------------------------------- */

/* The op at fault wants text of another one. *done: they are one now. */
em_status em_corrector_join(em_corrector *c, const em_plan_failure *failure, const em_error *error,
                            bool *done);

/* With ops as one the call can be told as a whole, in outcome->joined. Where it would not hold so
 * either, it is told as far as it was known before. */
em_status em_corrector_tell_joined(const em_corrector *c, bool hold);

/* For a failure EM_CAUSE_OVERLAP: are the two the same, or can be made one, and so others that
 * overlap? Fills outcome->is_twin, ->joined and ->holds_otherwise. */
em_status em_note_overlap(const em_planning *planning);

#endif
