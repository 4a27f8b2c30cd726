/* slipped.h: lines of a search text that stand a blank or so beside where they should.
 *
 * Most lines of a search text are as deep as the file's, and one is not:
 *
 *   search text   file        replacement     result
 *   a();          a();        if (p) {        if (p) {
 *    b();         b();            a();            a();
 *                                 b();            b();
 *                             }               }
 *
 * The replacement moves b() by one step against the file, and by no whole steps against the search
 * text: so the slip is that of the search text alone. With the file's depth there the difference
 * of the two texts is what the caller wants. Were it the other way round, the replacement would
 * have the slip, too: then it is mended in both, and in new lines that go with it.
 *
 * Where it is whole steps from both, and two of three lines are as deep as in the file, the line
 * before it in the replacement tells: one that opens a block (which may be over), or one that
 * stays. A line with tabs for the file's spaces, or spaces for its tabs, is mended in both texts.
 *
 * Nothing slipped where both texts are in steps of another width than the file's: the lines of the
 * search text are as many of these from each other as they are of the file's there.
 */
#ifndef EM_LAYING_SLIPPED_H
#define EM_LAYING_SLIPPED_H

#include "match/tolerant.h"

/* Give such lines of the place's search text the file's indentation, and those of the replacement
 * what they have with that; what is new is in `arena`. Where nothing tells whose slip it is, both
 * are left as they are. *clear: false where the lines before one come into a block, or out of one,
 * and it has no indentation in both texts, or may go with them or not; and where one would no
 * longer be deeper than what opens its block. EM_E_NOMEM only. */
em_status em_mend_slipped_lines(em_slice text, em_arena *arena, em_tolerant_place *place,
                                bool *clear);

#endif
