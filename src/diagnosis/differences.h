/* differences.h: what differs between a search text and what the file has in its place?
 *
 * The texts are compared word by word, sign by sign and blank by blank. What differs is told in
 * pieces, from left to right, each with enough beside it to be understood: a blank too many is
 * shown with the word before it. A piece is of the kind
 *
 *   whitespace   where both sides are the same without blanks and line endings,
 *   case         where letters equal their other case and all else is the same,
 *   punctuation  where both sides have the same words, and only signs and blanks differ,
 *   content      else.
 */
#ifndef EM_DIAGNOSIS_DIFFERENCES_H
#define EM_DIAGNOSIS_DIFFERENCES_H

#include "base/arena.h"

typedef enum em_difference_kind {
    EM_DIFFERS_WHITESPACE,
    EM_DIFFERS_CASE,
    EM_DIFFERS_PUNCTUATION,
    EM_DIFFERS_CONTENT,
} em_difference_kind;

/* One piece that differs: what the search text has, and what the file has in its place. */
typedef struct em_difference {
    em_difference_kind kind;
    em_slice expected, found;
} em_difference;

typedef struct em_differences {
    em_difference *items;
    size_t count;
} em_differences;

/* The first `most` pieces that differ between `expected` and `found`; they borrow both. A LF in
 * `expected` equals any line ending where `expected` holds no CR, as in an exact search.
 *
 * Bounded: of texts that differ in more than some hundred words, those at the start are told.
 * The list is in `arena`. EM_E_NOMEM only. */
em_status em_differences_of(em_slice expected, em_slice found, size_t most, em_arena *arena,
                            em_differences *out);

/* Words and signs with which the first line of a text begins, and the last one ends, and for which
 * the other text has nothing there. */
typedef struct em_overhang {
    size_t before, behind;
} em_overhang;

/* How far does `expected` go on beyond the ends of `found`? Not at all where they have nothing in
 * common. EM_E_NOMEM only. */
em_status em_overhang_of(em_slice expected, em_slice found, em_overhang *out);

#endif
