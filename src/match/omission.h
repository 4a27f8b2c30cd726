/* omission.h: does a phrase say that something was left out?
 *
 * It is what a comment or brackets hold, without them and without the ellipses around it; that they
 * were there says much, so it is told beside. An ellipsis before a phrase, or on both sides, is
 * what tells "... existing routes ..." from a comment that speaks of existing routes.
 */
#ifndef EM_MATCH_OMISSION_H
#define EM_MATCH_OMISSION_H

#include "base/slice.h"

/* Where a phrase had an ellipsis. */
typedef enum em_dots {
    EM_DOTS_NONE = 0,
    EM_DOTS_BEHIND = 1,
    EM_DOTS_BEFORE = 2,
    EM_DOTS_AROUND = EM_DOTS_BEHIND | EM_DOTS_BEFORE,
} em_dots;

/* With an ellipsis: are all its words ones of leaving out, and one of them telling ("rest",
 * "unchanged", ...)? With `named`, one must also say what was left out ("code", "methods"). */
bool em_omission_in_words(em_slice phrase, bool named);

/* With an ellipsis: does it begin with what is left over, and then say of what, in one to three
 * plain words, whatever they are ("existing routes", "rest of the request handlers", "other
 * methods")? Or, with one on both sides, end with what became of it ("routes unchanged")? */
bool em_omission_in_shape(em_slice phrase, em_dots dots);

/* Is it a sentence of words of leaving out: it begins with what is left over, names it and says
 * that it stays ("the rest of the file stays the same", "other methods stay as they are")? But for
 * `named`, the rest needs no name. */
bool em_omission_is_sentence(em_slice phrase, bool named);

/* Is it one of the phrases that need no ellipsis ("existing code", "rest of the file", "keep
 * existing code", ...)? With `named`, one that names what was left out. */
bool em_omission_is_fixed(em_slice phrase, bool named);

/* Is it what is left over of the reader's own ("rest of your code"), or of anything, as it was
 * ("rest of page unchanged")? */
bool em_omission_is_remainder(em_slice phrase);

#endif
