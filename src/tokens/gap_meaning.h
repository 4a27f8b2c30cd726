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

/* Tokens that follow each other in a text, with gaps between them, which may be empty. */
typedef struct em_tokened_text {
    em_slice text;
    const em_token *tokens;
} em_tokened_text;

/* The `count` tokens of one are equal to those of the other (EM_FOLD_WRITING or looser): does each
 * gap between them mean the same? `seen` is the file's, `wanted` the search text's, which may begin
 * within a string. However long lines are, each is read once. */
bool em_gaps_mean_the_same(em_tokened_text seen, em_tokened_text wanted, size_t count);

#endif
