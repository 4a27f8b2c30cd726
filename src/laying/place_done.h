/* place_done.h: has a place become already what the edit would make of it?
 *
 * An edit that adds something to what it searches for finds its place again when it is sent again:
 * it must not add that twice.
 */
#ifndef EM_LAYING_PLACE_DONE_H
#define EM_LAYING_PLACE_DONE_H

#include "match/tolerant.h"

/* For a place of a tolerant tier: has it become what the edit would make of it? `result` is what
 * place->span of `text` would be. It has if nothing would change, or if the replacement, in
 * whatever writing, stands there around the place already, or what becomes of it where the search
 * text is not quite what is there: an edit that adds something to what it searches for must not add
 * it twice. It has not where nothing would change although the replacement asks for another number
 * of empty lines: that can be neither made nor told as made (em_is_impossible()). EM_E_NOMEM;
 * EM_E_TIMEOUT when the deadline passed. */
em_status em_place_is_done(em_slice text, const em_tolerant_place *place, em_slice result,
                           em_deadline *deadline, em_arena *arena, bool *done);

/* Can an edit that was not made yet not be made either? `result` is what stands there; or, where a
 * middle is left out, it brings a line of that once more. */
static inline bool em_is_impossible(em_slice text, const em_tolerant_place *place, em_slice result)
{
    return em_slice_eq(em_slice_sub(text, place->span.start, place->span.end), result) ||
           (place->elided && place->elided->shows_hidden);
}

#endif
