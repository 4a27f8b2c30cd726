/* cut_place.h: a search text that begins or ends within a line, and a replacement with all of it.
 *
 *   search text   gem]: a b       file   [gem]: a  b       replacement   [gem]: c d
 *
 * No tier makes such an edit, since what the file has beside the place would stand there twice
 * (midline.h). With that in the search text, too, it is what was meant.
 */
#ifndef EM_DIAGNOSIS_CUT_PLACE_H
#define EM_DIAGNOSIS_CUT_PLACE_H

#include "diagnosis/near_miss.h"
#include "match/occurrences.h"

/* Does `find` stand at one place, in whatever writing, where it lacks what its line has before it,
 * or behind it, and `insert` begins with that, or ends in it? Then *mended has the texts with that,
 * and without the blanks around them there, in `arena`. EM_E_NOMEM; EM_E_TIMEOUT when the deadline
 * passed. */
em_status em_cut_place_of(em_occurrences *in, em_slice find, em_slice insert, em_deadline *deadline,
                          em_arena *arena, em_near_miss *mended, bool *is);

#endif
