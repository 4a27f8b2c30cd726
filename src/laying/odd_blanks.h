/* odd_blanks.h: no-break spaces, and their like, that stand for the file's blanks.
 *
 * Text that was copied from a page or a chat has them where the file has blanks, often in turns
 * with blanks, or what has no width (a byte order mark, a zero width space) where it has nothing.
 * They are found all the same; but they are not as wide, and none should come into the file.
 */
#ifndef EM_LAYING_ODD_BLANKS_H
#define EM_LAYING_ODD_BLANKS_H

#include "match/tolerant.h"

enum { EM_ODD_BLANKS_REACH = 32 << 10 }; /* bytes to both sides of the place that are looked at */

/* `place` with blanks for the no-break and other Unicode spaces of both of its texts, and without
 * what has no width, where the search text has such and the file none around the place. Where the
 * file has some, they may be meant: then only the lines' indentation, and only if the file has none
 * in that. Else *plain is `place`; the texts and tokens are in `arena`. EM_E_NOMEM only. */
em_status em_without_odd_blanks(em_slice text, const em_tolerant_place *place, em_arena *arena,
                                em_tolerant_place *plain);

#endif
