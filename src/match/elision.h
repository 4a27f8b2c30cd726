/* elision.h: a search text that leaves its middle out, by a line that stands for others.
 *
 *   search text       file               replacement
 *   def f(a):         def f(a):          def f(a, b):
 *       ...               one(a)             ...
 *       return two        two = a            return two
 *                         return two
 *
 * What the file has there is put into both texts, and found as any other text then.
 */
#ifndef EM_MATCH_ELISION_H
#define EM_MATCH_ELISION_H

#include "match/located.h"

/* Find such an edit: the ends of its search text must each stand once. The replacement must leave
 * out the same, else nobody can say what is to become of the middle. *elides: the search text has
 * one such line, and lines before and behind it; then located->places has the place, if there is
 * one, be it a doubtful one (em_elided). EM_E_NOMEM; EM_E_TIMEOUT when the deadline passed. */
em_status em_elision_find(em_occurrences *in, em_slice find, em_slice insert, em_deadline *deadline,
                          em_arena *arena, em_located *located, bool *elides);

/* Of a search text whose two ends do not each stand once: the one that the edit changes, where the
 * other one stays as it is and stands on its side of it, though maybe more than once. *is: there is
 * such an end, and it tells by itself where it stands (the last one, which may be that of another
 * block, with two lines); then *from and *to have it, as it is and as
 * it is to be. EM_E_NOMEM; EM_E_TIMEOUT when the deadline passed. */
em_status em_elision_changed_end(em_occurrences *in, em_slice find, em_slice insert,
                                 em_deadline *deadline, em_arena *arena, em_slice *from,
                                 em_slice *to, bool *is);

#endif
