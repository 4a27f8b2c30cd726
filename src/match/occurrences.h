/* occurrences.h: where do pieces stand in a text that is asked for them again and again?
 *
 * One search text that does not stand there is looked for by every tolerant tier, then for its
 * replacement, then for a diagnosis, and mostly by the same few pieces. Each of them is searched
 * once, and what was found is kept as long as the text stays as it is.
 *
 * Of an excerpt (excerpt.h) it is known beforehand where some pieces stand, and nothing can be
 * searched: there may be more in the text.
 */
#ifndef EM_MATCH_OCCURRENCES_H
#define EM_MATCH_OCCURRENCES_H

#include "base/arena.h"

enum { EM_MOST_OCCURRENCES = 64 };

/* Where a piece stands. */
typedef struct em_piece_occurrences {
    em_slice piece; /* borrowed */
    size_t *at;     /* from left to right, also those that overlap */
    size_t count;
    bool all; /* these are all; else the first EM_MOST_OCCURRENCES */
    struct em_piece_occurrences *next;
} em_piece_occurrences;

/* A text, with what is known of it: `(em_occurrences){.text = text, .arena = arena}`. */
typedef struct em_occurrences {
    em_slice text;         /* borrowed, as are the pieces */
    size_t before, behind; /* bytes of the file in front of it in memory, and following it: nothing
                              is found there, but they may be what a replacement repeats */
    em_arena *arena;
    em_piece_occurrences *first;
    bool is_excerpt;  /* what is not known cannot be found out, */
    bool falls_short; /* and something was asked for that is not known: no result counts */
} em_occurrences;

/* The text with what follows it. */
static inline em_slice em_occurrences_and_behind(const em_occurrences *occurrences)
{
    return em_slice_make(occurrences->text.ptr, occurrences->text.len + occurrences->behind);
}

/* The text with what is before it, too. */
static inline em_slice em_occurrences_all_of_file(const em_occurrences *occurrences)
{
    size_t before = occurrences->before;
    em_slice text = em_occurrences_and_behind(occurrences);
    return em_slice_make(before > 0 ? text.ptr - before : text.ptr, before + text.len);
}

/* Where `piece`, which is not empty, stands. In the arena of the occurrences. Of an excerpt, where
 * it is not known, none of the places. EM_E_NOMEM only. */
em_status em_occurrences_of(em_occurrences *occurrences, em_slice piece,
                            const em_piece_occurrences **out);

/* Is it known already that `whole` stands nowhere in the text, neither literally nor with its LFs
 * for other line endings, since a piece of it stands only where the rest does not? */
bool em_occurrences_exclude(const em_occurrences *occurrences, em_slice whole);

/* Does an excerpt have every place where `whole` stands literally, with any line endings? */
bool em_occurrences_cover(const em_occurrences *occurrences, em_slice whole);

#endif
