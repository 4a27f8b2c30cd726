/* precursor.h: what a line of the replacement comes for.
 *
 * How deep a line belongs is known by lines of the search text that stand in the file: by the line
 * that it changes, by those that go for it, or by the one that comes into its block. Where nothing
 * goes, only the place is known where it comes.
 */
#ifndef EM_LAYING_PRECURSOR_H
#define EM_LAYING_PRECURSOR_H

#include "tokens/redline.h"

/* Tokens of the search text, half open; none: what comes, comes before `start`. */
typedef struct em_precursor {
    size_t start, end;
} em_precursor;

typedef struct em_precursors {
    em_tokened find, insert;
    const size_t *origin; /* of em_redline() */
    em_precursor last;    /* of the new lines before token `until` */
    size_t until;
    bool wraps; /* the lines that follow are in the block of a line that is new */
} em_precursors;

/* Of the line that token `index` begins in `insert`; to be asked for in ascending order. */
em_precursor em_precursor_of(em_precursors *p, size_t index);

/* A line is as deep in the replacement as in the search text. */
void em_precursors_pass(em_precursors *p);

#endif
