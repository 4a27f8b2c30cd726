/* applied.h: has this edit been made already?
 *
 * Agents send an edit twice: after a time-out, or because an answer was lost. The second time the
 * search text is gone, and "not found" would make them look for a mistake that is none.
 */
#ifndef EM_MATCH_APPLIED_H
#define EM_MATCH_APPLIED_H

#include "draft/draft.h"
#include "match/tolerant.h"

/* For a search text that `draft`, all of which is the text of `in`, does not hold literally: does
 * the replacement stand there instead? It must have at least 12 code points beside white space,
 * hold a line that the search text has in no writing, and stand there exactly once, in whatever
 * writing, not as a part of a longer word or number: with the empty lines that it adds, and without
 * those that it takes away. (Beside another change the file may keep more than are added, or fewer
 * than are left.) One that changes the writing of the search text alone must stand there to the
 * byte, and have a line that this has not so. `elsewhere`, the places where a tolerant tier finds
 * the search text (with their tokens), must all lie within its place, or hold it and pass over a
 * part of it: a search text that reaches beyond it, or around it, is there and waits for its edit.
 * *applied says so and *where has the place. EM_E_NOMEM; EM_E_TIMEOUT when the deadline passed. */
em_status em_already_applied(const em_draft *draft, em_occurrences *in, em_slice find,
                             em_slice insert, const em_places *elsewhere, em_deadline *deadline,
                             em_arena *arena, bool *applied, em_span *where);

/* Would the replacement, if it stood there once, say that the edit was made? It must be as
 * em_already_applied() demands. EM_E_NOMEM; EM_E_TIMEOUT when the deadline passed. */
em_status em_would_show(em_slice find, em_slice insert, em_deadline *deadline, em_arena *arena,
                        bool *would);

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
