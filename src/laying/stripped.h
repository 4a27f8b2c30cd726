/* stripped.h: a search text that was stripped of the blanks it begins with, and of nothing else.
 *
 * Its other lines are too deep, or not deep enough, and its replacement's as they are:
 *
 *   search text   file          replacement     search text, filled
 *   def f(x):     def f(x):      def f(x):       def f(x):
 *        a()          a()             a(x)            a()
 *
 * With the replacement's blanks before its first line, too, it is as deep as that throughout; and
 * then the first line is none that the edit moves.
 */
#ifndef EM_LAYING_STRIPPED_H
#define EM_LAYING_STRIPPED_H

#include "match/tolerant.h"

/* Put the blanks before the search text of the place that it had: where the replacement has its
 * first line with some, and all other lines that both have as deep as it, but not as deep as the
 * file. And before the replacement, where that was stripped, too, and begins with a new line. New
 * arrays are in `arena`. EM_E_NOMEM only. */
em_status em_fill_stripped(em_slice text, em_arena *arena, em_tolerant_place *place);

#endif
