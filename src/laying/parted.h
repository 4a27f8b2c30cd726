/* parted.h: a block that comes out as deep as what opens it.
 *
 *   search text        file                 replacement        not to be
 *   class A:           class A:             class A:           class A:
 *   def f(self):           def f(self):     return g()         return g()
 *       return g()             return g()
 *
 * Of two lines of which the search text has one as deep as the file, and the other one not, nobody
 * knows what a replacement means that has them alike: it may have the slip of the search text, too.
 */
#ifndef EM_LAYING_PARTED_H
#define EM_LAYING_PARTED_H

#include "laying/laying_impl.h"

/* Is a line no deeper in l->laid than the one before it, which opens a block, though it is deeper
 * in the file, and has the search text one of the two alone as deep as that? Both are lines that
 * the replacement repeats. `as_given`: l->laid is the replacement as it is. */
bool em_is_block_parted(const em_laying *l, bool as_given);

#endif
