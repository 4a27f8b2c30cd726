/* block.h: does a line of a caller's text open a block, or end one, and what could be in it? */
#ifndef EM_MATCH_BLOCK_H
#define EM_MATCH_BLOCK_H

#include "tokens/redline.h"

/* What the line that token `index` begins may have in its block, if it comes or goes: what is
 * behind it and at least so deep; EM_NPOS: it has none. */
size_t em_block_depth(em_tokened t, size_t index, em_slice indent);

/* Does the line that token `index` begins end a block, and say no more? Then it is easily taken for
 * another one; but not where both texts begin with it. */
bool em_only_ends_block(em_tokened t, size_t index);

/* Is the next line deeper than the one that token `last` ends? What comes behind a comma is where
 * the line began the list. */
bool em_opens_block(em_tokened t, size_t last);

/* Is the line that token `index` begins (not the first) in a block that the one before it opens?
 * The items of a list may stand as deep as its key. */
bool em_begins_in_block(em_tokened t, size_t index);

#endif
