/* count.h: what a stretch of text holds, counted at memory speed.
 *
 * For the line index and for the line numbers of diffs. Knows bytes only.
 */
#ifndef EM_TEXT_COUNT_H
#define EM_TEXT_COUNT_H

#include "base/slice.h"

typedef struct em_counts {
    size_t lf, cr; /* every one, also those of CRLFs */
    size_t crlf;   /* CRs that are followed by an LF, which may stand just behind the range */
    size_t chars;  /* bytes that do not continue a UTF-8 sequence: code points, in valid UTF-8 */
} em_counts;

/* The counts of s[start, end), start <= end <= s.len. So lf + cr - crlf is how many line endings
 * end in the range, and adding up adjacent ranges gives what their union has. */
em_counts em_count(em_slice s, size_t start, size_t end);

/* The same without instructions that only some machines have, so that a test sees both. */
em_counts em_count_plain(em_slice s, size_t start, size_t end);

#endif
