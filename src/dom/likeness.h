/* likeness.h: does a text of the page say nearly what was asked for? */
#ifndef EM_DOM_LIKENESS_H
#define EM_DOM_LIKENESS_H

#include "base/deadline.h"
#include "base/slice.h"
#include "base/status.h"

#include <stdbool.h>

/* Names: their similarity (text/similarity.h), 0 where that is below a half. EM_E_NOMEM;
 * EM_E_TIMEOUT; the same goes for the others. */
em_status em_name_likeness(em_slice name, em_slice wanted, em_deadline *deadline, double *like);

/* The likeness of the id or class among `words` that comes nearest. One that is a part of what was
 * wanted, as "btn" is of "btn-primary", or the other way round, is always like it. */
em_status em_word_likeness(em_slice words, em_slice wanted, em_deadline *deadline, double *like);

/* The likeness of as many words of `text` in a row as `wanted` has, less where `text` says much
 * besides. Both come with one blank between words. */
em_status em_text_likeness(em_slice text, em_slice wanted, em_deadline *deadline, double *like);

/* Is `name` what was wanted, but for another case, or one letter that is wrong, missing, too many
 * or swapped with the next? Not so short names, nor where the first letter is another, a digit, or
 * one is added at the end: these are names of other things. */
bool em_is_slip_of(em_slice name, em_slice wanted);

#endif
