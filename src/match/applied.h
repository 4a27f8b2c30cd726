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

#endif
