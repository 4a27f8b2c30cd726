/* neighbours.h: a result that begins, or ends, with the line that stands beside it already.
 *
 * A caller that shows its place in the new text with a line more than in the search text means one
 * line, and would have two. Where the search text stands literally, that is told
 * (remarks/doubled.h).
 */
#ifndef EM_LAYING_NEIGHBOURS_H
#define EM_LAYING_NEIGHBOURS_H

#include "match/tolerant.h"

/* So many bytes to both sides of the place are looked at. */
enum { EM_NEIGHBOUR_REACH = 4 << 10 };

/* Does `result`, which is what the place becomes, have more lines than the place, and is its first
 * line the one above the place, or its last line the one below, as deep as that, though no line of
 * the place is? Blanks behind them and empty lines between the two do not count; and not where that
 * line stands there twice. A bracket counts where the result closes, or opens, another number than
 * the place does, and any other line where it says something and is none that begins or ends a
 * block. */
bool em_doubles_neighbour(em_slice text, const em_tolerant_place *place, em_slice result);

#endif
