/* fuzzy.h: the place that is meant although it is not quite what was searched for.
 *
 * Whole texts that are merely alike are what makes tools edit the sibling of a function that is
 * gone. So likeness only proposes places here; what decides is a rule for every line, and the
 * distance to the next best place. docs/matching.md has the rules.
 */
#ifndef EM_MATCH_FUZZY_H
#define EM_MATCH_FUZZY_H

#include "match/located.h"

/* Every place of the text of `in` that the rules allow, best first, in located->places (with
 * EM_FOLD_WRITING); places[i].find and .insert may be the caller's texts completed from the file,
 * where an edge was cut or a middle left out. The runner-up is the best place of the text that
 * shares no line with those found, and located->miss says what was forgiven. located->near has what
 * was proposed. EM_E_NOMEM; EM_E_TIMEOUT when the deadline passed. */
em_status em_fuzzy_find(em_occurrences *in, em_slice find, em_slice insert, em_deadline *deadline,
                        em_arena *arena, em_located *located);

#endif
