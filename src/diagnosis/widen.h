/* widen.h: widen the part of a line that is like a search text to whole words.
 *
 * An alignment ends where what is alike ends: of "return 1" only "return " is like "return 7". For
 * those who are told what differs, the words at both ends that are other ones belong to it.
 */
#ifndef EM_DIAGNOSIS_WIDEN_H
#define EM_DIAGNOSIS_WIDEN_H

#include "base/arena.h"
#include "text/span.h"

/* Widen `piece` within `lines`, both of `text`: to whole words, by as many words and signs as
 * `find` begins or ends with beyond it, back to the word that `find` begins with where only words
 * are between, out of brackets that it would begin within, and up to the sign that `find` ends
 * with. An end that is alike stays. EM_E_NOMEM only. */
em_status em_widen_to_words(em_slice text, em_slice find, em_span lines, em_span *piece);

/* The piece, for who sends it in the place of `find`: the same, with the indentation of its line
 * where `find` begins with one. What is not like `find` stays out: the caller's replacement has
 * nothing in the place of it. EM_E_NOMEM only. */
em_status em_widen_to_copy(em_slice text, em_slice find, em_span lines, em_span *piece);

#endif
