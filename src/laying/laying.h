/* laying.h: an edit laid onto a place that was found by a tolerant tier.
 *
 * Mostly that is the difference of the search text and the replacement (transplant.h). But where
 * the slip is in the search text alone, and the replacement repeats the file's lines as the file
 * has them, the difference would make that slip, the other way round, in the file: then the
 * replacement is taken as it is.
 */
#ifndef EM_LAYING_LAYING_H
#define EM_LAYING_LAYING_H

#include "match/tolerant.h"
#include "text/text.h"

/* So many bytes to both sides of a place are looked at, at most, beside the lines that it stands
 * on: who has no more of a file than these gets the same. */
enum { EM_LAYING_REACH = 40 << 10 };

/* What place->span of `text` becomes; arguments and results are those of
 * em_transplant_difference(). *sound is false, too, where the edit would be made once more each
 * time that it is sent, where a comment would go that the search text lacks, and where the
 * replacement has an artifact (artifact.h). EM_E_NOMEM only. */
em_status em_lay(em_slice text, const em_tolerant_place *place, em_eol dominant, em_arena *arena,
                 em_slice *out, bool *sound);

/* What of an edit at its place can be made. */
typedef enum em_laying_verdict {
    EM_LAY_CHANGES, /* the place becomes what was laid */
    EM_LAY_DONE,    /* it was made before (place_done.h) */
    EM_LAY_UNCLEAR  /* what was laid cannot be trusted, or changes nothing */
} em_laying_verdict;

/* em_lay(), and what to make of it. EM_E_NOMEM; EM_E_TIMEOUT when the deadline passed before it was
 * known whether it was made before. */
em_status em_lay_judged(em_slice text, const em_tolerant_place *place, em_eol dominant,
                        em_deadline *deadline, em_arena *arena, em_slice *out,
                        em_laying_verdict *verdict);

#endif
