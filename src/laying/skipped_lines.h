/* skipped_lines.h: lines of the file that a search text skipped.
 *
 * A place may have comments between its lines, or empty ones, which the search text does not have:
 * they were passed over when it was found. Nobody asked for them to go.
 */
#ifndef EM_LAYING_SKIPPED_LINES_H
#define EM_LAYING_SKIPPED_LINES_H

#include "match/tolerant.h"

/* What stands between two lines of the file, and is to be gone through line by line. */
typedef struct em_skipped_lines {
    em_slice rest; /* whole lines */
    size_t empty;  /* so many of the empty ones are the search text's; EM_NPOS: all */
    em_fold fold;
} em_skipped_lines;

/* The next line that the search text lacks, with its ending; false where there is none more. */
bool em_skipped_lines_next(em_skipped_lines *passed, em_slice *line);

/* Are all comments that the search text lacks in `out`, which the place is to become? */
bool em_skipped_lines_stay(em_slice text, const em_tolerant_place *place, em_slice out);

/* Would one of these comments, if it says anything, be in `out` once more than it is at the place?
 * The edit brings what stands there already: it was made, and what it is to replace is there a
 * second time, or the caller did not see the comment. */
bool em_skipped_lines_double(em_slice text, const em_tolerant_place *place, em_slice out);

#endif
