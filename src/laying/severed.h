/* severed.h: new lines that come between what opens a block and what is in it.
 *
 *   search text        file                 replacement        not to be
 *   if n.x == 'e':     if n.x == 'e':       if n.x == 'e':     if n.x == 'e':
 *                          yield n                             def g():
 *                                           def g():               return 1
 *                                               return 1           yield n
 *
 * The empty line that the search text has at its edge, and the file has not, says that the caller
 * takes the block for one that ends there, or begins.
 */
#ifndef EM_LAYING_SEVERED_H
#define EM_LAYING_SEVERED_H

#include "laying/laying_impl.h"

/* Does the edit bring lines that are less deep than a block in front of it, right behind the line
 * that opens it, where the search text has an empty line between the two which the file has not?
 * Not where the last of them opens one anew, as an "else" does. EM_E_NOMEM only. */
em_status em_is_block_severed(const em_laying *l, bool *severed);

#endif
