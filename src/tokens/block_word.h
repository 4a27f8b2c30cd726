/* block_word.h: words by which a line opens a block without a sign at its end. */
#ifndef EM_TOKENS_BLOCK_WORD_H
#define EM_TOKENS_BLOCK_WORD_H

#include "base/slice.h"

/* Does the line, which has no indentation, begin with such a word: `if (x)`, `def f`, `class A`? It
 * may still be over at its end. */
bool em_begins_block(em_slice line);

#endif
