/* gap_meaning.h: is a gap that one of two texts has, and the other has not, a matter of writing?
 *
 * Texts with the same words and signs mostly mean the same, however they are spaced: `f( a,b )` is
 * `f(a, b)`. But not where
 *
 *  (1) two signs become another one side by side: `x < -1` and `x <- 1`, `a / / b` and `a // b`;
 *  (2) a point is of a number beside its digits: `1.5` and `1. 5`;
 *  (3) a selector names one element side by side and two apart: `.nav.open` and `.nav .open`;
 *  (4) it stands within a string, of which it is a part: `split("")` and `split(" ")`;
 *  (5) a line ends in a comment: what is behind its break is no part of that.
 */
#ifndef EM_TOKENS_GAP_MEANING_H
#define EM_TOKENS_GAP_MEANING_H

#include "text/token.h"

/* Two tokens of a text with a gap between them, which may be empty. */
typedef struct em_gap_place {
    em_slice text;
    em_token left, right;
} em_gap_place;

/* The tokens are equal (EM_FOLD_WRITING or looser): do the gaps mean the same? `seen` is the
 * file's, `wanted` the search text's, which may begin within a string. */
bool em_gaps_mean_the_same(em_gap_place seen, em_gap_place wanted);

#endif
