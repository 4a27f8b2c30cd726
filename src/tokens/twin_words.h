/* twin_words.h: words of programs that are a slip away from each other, and mean each its own.
 *
 * `content` and `context` stand in the same lines of sibling functions. Who writes one of two such
 * words has hardly mistyped the other.
 */
#ifndef EM_TOKENS_TWIN_WORDS_H
#define EM_TOKENS_TWIN_WORDS_H

#include "base/slice.h"

/* Are these two of them, or both with an `s` behind them? In any case. */
bool em_are_twin_words(em_slice a, em_slice b);

#endif
