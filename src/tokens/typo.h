/* typo.h: is one word another one that was mistyped?
 *
 * Names that differ in a letter or two are mostly different names. So little is a typo, and whether
 * the word that was sent stands elsewhere in the file is for the caller to ask. Of the two words
 * that are given neither is the other one.
 */
#ifndef EM_TOKENS_TYPO_H
#define EM_TOKENS_TYPO_H

#include "base/slice.h"

/* Do the words differ in a letter that is wrong, one or two that are missing or too many, two that
 * are swapped, or the case of one or two, in a part of a name that stays recognisable? Not where
 * that makes a name of the same kind, like `pointX` and `pointY`, nor where both are words that
 * programs are full of, like `content` and `context`. */
bool em_is_typo(em_slice wanted, em_slice seen);

/* Is it the same word in another form (`user` and `users`), in a part of a name that stays
 * recognisable? */
bool em_is_form(em_slice wanted, em_slice seen);

/* The part of the first word's name that is another one in the second. */
em_slice em_typo_part(em_slice wanted, em_slice seen);

/* em_is_typo() in a sentence, where another form of a word is the same word. */
bool em_is_typo_in_prose(em_slice wanted, em_slice seen);

#endif
