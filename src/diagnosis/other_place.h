/* other_place.h: is a stale search text meant for another place of the file?
 *
 * The lines of a change may stand at a place that has little to do with the rest of the search
 * text: a `return` is in every function. A line that the file has once tells which one was read.
 */
#ifndef EM_DIAGNOSIS_OTHER_PLACE_H
#define EM_DIAGNOSIS_OTHER_PLACE_H

#include "diagnosis/alignment.h"

typedef struct em_other_place {
    size_t line;  /* of the search text: the most telling of those elsewhere; EM_NPOS: none */
    em_span span; /* the line of the file */
} em_other_place;

/* The lines of `range` stand in the lines `span`, and `fates` is what became of all lines around
 * these. Of the lines of the search text that say something and stand in the file once, comments
 * behind them and blanks aside, some may stand elsewhere. Then the change may be meant there,
 * unless more has changed around that place, or more of the text of such lines is here.
 * EM_E_NOMEM; EM_E_TIMEOUT when the deadline passed. */
em_status em_find_other_place(const em_alignment *c, const em_line_change *range, em_span span,
                              const em_fates *fates, em_other_place *other);

#endif
