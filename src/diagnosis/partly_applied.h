/* partly_applied.h: which part of a change does the file have already?
 *
 * Where the search text lacks lines that both the file and the replacement have, the difference of
 * search text and replacement would double them; where it has a line more often than both, the
 * difference would take away the last one. Then the search text should have been another.
 */
#ifndef EM_DIAGNOSIS_PARTLY_APPLIED_H
#define EM_DIAGNOSIS_PARTLY_APPLIED_H

#include "diagnosis/other_place.h"

/* What comes of a change. */
typedef struct em_change_outcome {
    bool sound;      /* it makes of the file what is meant */
    em_slice mended; /* else, where that is known: the search text as it should have been */
    em_other_place other_place; /* else, where the change may be meant, if a line tells so */
} em_change_outcome;

/* What comes of the change `of`, whose lines [range->first, range->end) stand in the lines `lines`,
 * there? EM_E_NOMEM; EM_E_TIMEOUT when the deadline passed. */
em_status em_change_outcome_of(const em_alignment *c, const em_line_change *of,
                               const em_line_change *range, em_span lines,
                               em_change_outcome *outcome);

#endif
