/* neighbours.h: a result that begins, or ends, with the line that stands beside it already.
 *
 * A caller that shows its place in the new text with a line more than in the search text means one
 * line, and would have two. Where the search text stands literally, that is told (edit/doubled.h).
 */
#ifndef EM_LAYING_NEIGHBOURS_H
#define EM_LAYING_NEIGHBOURS_H

#include "match/tolerant.h"

/* So many bytes to both sides of the place are looked at. */
enum { EM_NEIGHBOUR_REACH = 4 << 10 };

/* Is the first line of `result`, which is what the place becomes, the line above the place, or its
 * last line the one below, though no line of the place is? Blanks behind them and empty lines
 * between the two do not count, nor the depth of a line that says something. */
bool em_doubles_neighbour(em_slice text, const em_tolerant_place *place, em_slice result);

#endif
