/* brackets.h: which brackets of a text have their counterpart outside of it. */
#ifndef EM_TOKENS_BRACKETS_H
#define EM_TOKENS_BRACKETS_H

#include "base/slice.h"

/* How many of {([ a text leaves open, and by how many it closes more than it opened before: 0, or
 * less. Which kind a bracket is does not count, nor that it stands in a string. */
typedef struct em_brackets {
    ptrdiff_t open, least;
} em_brackets;

em_brackets em_brackets_of(em_slice text);

/* Does the first text lack opening brackets that the second one has: does it close more than it
 * opened before? Does it lack closing ones: does it leave more open? */
bool em_lacks_opening(em_slice text, em_slice than);
bool em_lacks_closing(em_slice text, em_slice than);

#endif
