/* anchors.h: pieces of a search text by which it can be found again although it changed.
 *
 *  (1) Anchors do not overlap in the search text, and no two are the same bytes (letters in any
 *      case). So a slip of the pen breaks one or two of them and leaves the others whole.
 *  (2) They are rare in the text, as far as a sample of it tells. Those that the sample lacks may
 *      be missing altogether, so there are always some beside them that it has.
 */
#ifndef EM_MATCH_ANCHORS_H
#define EM_MATCH_ANCHORS_H

#include "base/arena.h"

enum { EM_MOST_ANCHORS = 16, EM_MOST_ANCHOR_PLACES = 8 };

typedef struct em_anchor {
    em_slice bytes;                   /* of the search text */
    size_t at[EM_MOST_ANCHOR_PLACES]; /* where it stands in the search text: the first places */
    size_t count;                     /* of `at` */
} em_anchor;

typedef struct em_anchors {
    em_anchor *items;
    size_t count;
} em_anchors;

/* The best anchors of `find` in `text`: mostly words, and other runs of signs where there are few.
 * None where `find` has no three bytes in a row that are not blank. In `arena`. EM_E_NOMEM only. */
em_status em_anchors_choose(em_slice text, em_slice find, em_arena *arena, em_anchors *out);

#endif
