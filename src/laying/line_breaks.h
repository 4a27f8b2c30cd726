/* line_breaks.h: a search text that has in one line what the file has in several, or in several
 * what the file has in one.
 *
 *   search text   file      replacement       result
 *   a(); b();     a();      if (p) {          if (p) {
 *                 b();          a(); b();         a();
 *                           }                     b();
 *                                             }
 *
 * How the file breaks its lines is no part of the edit. So the search text is read with the file's
 * line breaks, and so is what the replacement repeats of it; only then it can be told what the
 * edit does to these lines. A break between two words that the replacement has otherwise than the
 * search text is the caller's.
 */
#ifndef EM_LAYING_LINE_BREAKS_H
#define EM_LAYING_LINE_BREAKS_H

#include "match/tolerant.h"

/* Give the place's search text, and what the replacement repeats of it, the file's line breaks;
 * what is new is in `arena`. A line that begins there is as far from the one before it as in the
 * file; but as deep as in the file where the replacement came without the indentation of its first
 * line alone. Where the two texts have the same words, both are left as they are. EM_E_NOMEM only.
 */
em_status em_take_line_breaks(em_slice text, em_arena *arena, em_tolerant_place *place);

#endif
