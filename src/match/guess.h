/* guess.h: where may a search text stand, to judge by its anchors?
 *
 * Where an anchor stands in the text, it votes for the start of the whole that its place in the
 * search text implies. Votes for neighbouring starts count together, so that some bytes more or
 * fewer between two anchors do no harm.
 */
#ifndef EM_MATCH_GUESS_H
#define EM_MATCH_GUESS_H

#include "base/arena.h"
#include "base/deadline.h"

/* What stands at `of` in the search text stands at `at` in the text. */
typedef struct em_guess {
    size_t at, of;
    unsigned weight; /* more for more anchors that agree, and for rarer ones */
} em_guess;

typedef struct em_guesses {
    em_guess *items; /* by falling weight, then from left to right */
    size_t count;
    size_t anchors;    /* how many were looked for in all of the text */
    size_t present;    /* how many of them stand there */
    size_t too_common; /* how many others were given up since they stand everywhere */
    bool timed_out;
} em_guesses;

/* The best `most` (> 0) guesses; none where there are no anchors, or where all of them stand so
 * often that they tell nothing. In `arena`. EM_E_NOMEM only. */
em_status em_guess_starts(em_slice text, em_slice find, size_t most, em_deadline *deadline,
                          em_arena *arena, em_guesses *out);

/* The best `most` guesses by looking at every byte of the text for something that is like the
 * search text, at a similarity of at least `least_alike`; of a long search text, like a stretch of
 * it. `find` is not empty; there are no anchors to count. In `arena`. EM_E_NOMEM only. */
em_status em_guess_alike(em_slice text, em_slice find, double least_alike, size_t most,
                         em_deadline *deadline, em_arena *arena, em_guesses *out);

#endif
