/* similar_places.h: which places of a text look like this search text?
 *
 * For what a refusal shows, and for the fuzzy tier, which holds each place against a strict rule
 * and wants to know the runner-up.
 *
 * Nobody compares the search text with every place. Pieces of it that are rare in the text are
 * looked for literally; each place where one stands votes for a start of the whole; and the starts
 * with the most votes are aligned with the search text exactly. So a place is found where a few of
 * the pieces are intact, whatever the rest looks like. A short search text without such pieces is
 * aligned with the whole text.
 */
#ifndef EM_MATCH_SIMILAR_PLACES_H
#define EM_MATCH_SIMILAR_PLACES_H

#include "base/arena.h"
#include "base/deadline.h"
#include "text/span.h"

typedef struct em_similar_place {
    size_t start, end;       /* whole lines, without the last ending */
    double similarity;       /* of the search text and those lines */
    em_span piece;           /* the part of the lines that is most like the search text */
    double piece_similarity; /* never less than `similarity` */
    double likeness;         /* of the two where blanks do not count (folded.h) */
    double twin;             /* of the best other piece in the same lines that was seen; 0: none */
} em_similar_place;

typedef struct em_similar_place_list {
    em_similar_place *items; /* by falling likeness, then piece_similarity, then similarity, then
                         from left to right */
    size_t count;
    bool timed_out; /* the deadline passed: there may be more, and better ones */
} em_similar_place_list;

/* A likeness below which nothing is worth a look. */
#define EM_LEAST_NEAR 0.5

/* How many a refusal shows. */
enum { EM_MOST_NEAR = 3 };

/* Up to `most` places with a likeness of at least `least`, no two of which share a line. Since
 * blanks do not count in it, `similarity` may be lower: look at that before showing a place.
 *
 * `text` and `find` may be anything, UTF-8 or not. `find` counts without the line breaks that it
 * begins and ends with, since the lines given have none there either; where nothing is left, or
 * only blanks, nothing is near. Of a line of megabytes all is given, and `piece` is the part to
 * look at.
 *
 * Time is linear in the text, with little for each byte, and bounded for what is found. `items`
 * lives in `arena`. EM_E_NOMEM only. */
em_status em_find_similar_places(em_slice text, em_slice find, size_t most, double least,
                                 em_deadline *deadline, em_arena *arena,
                                 em_similar_place_list *out);

/* For what is shown. What a search text has too much may look like the start of the next line, or
 * the end of the one before, which then counts with all of it: where the lines are more alike
 * without one of which the piece has no more than half, that is no part of the place. The same
 * `text` and `find`; *list gets items of its own in `arena`. EM_E_NOMEM only. */
em_status em_narrow_places(em_slice text, em_slice find, em_deadline *deadline, em_arena *arena,
                           em_similar_place_list *list);

#endif
