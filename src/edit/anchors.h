/* anchors.h: pieces of a search text that are rare in a text, and where the text may hold the
 * whole.
 *
 * An anchor that stands in the text votes for the start of the whole that its place in the search
 * text implies. Votes are gathered in buckets of neighbouring starts, so that a few bytes more or
 * fewer between two anchors do no harm.
 */
#ifndef EM_EDIT_ANCHORS_H
#define EM_EDIT_ANCHORS_H

#include "base/arena.h"
#include "base/deadline.h"

/* Where the search text may stand: it begins somewhere in [low, high]; what is before the start of
 * the text counts from 0. */
typedef struct em_guess {
    size_t low, high;
    unsigned weight; /* more for more anchors, and for rarer ones */
} em_guess;

typedef struct em_guesses {
    em_guess *items; /* by falling weight, then from left to right */
    size_t count;
    size_t anchors; /* how many pieces were looked for to the end, each of which would have voted */
    bool timed_out;
} em_guesses;

/* The best `most` guesses where `find` stands in `text`; none where it has no pieces to look for,
 * or where they all stand too often to tell anything. EM_E_NOMEM only. */
em_status em_guess_places(em_slice text, em_slice find, size_t most, em_deadline *deadline,
                          em_arena *arena, em_guesses *out);

#endif
