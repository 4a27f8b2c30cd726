/* count.h: what a stretch of text holds, counted at memory speed.
 *
 * For the line index, for the line numbers of diffs, and for who has to know of many bytes at once
 * whether they are text. Knows bytes only.
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

/* em_count(s, start, end).lf, for a quarter of the price. */
size_t em_count_lfs(em_slice s, size_t start, size_t end);

/* What of all bytes of a stretch is known after one look at each. */
typedef struct em_look_over {
    size_t lf, cr, crlf; /* as above; a CR at the end is followed by nothing */
    bool has_nul;
    bool is_ascii; /* every byte is below 0x80 */
} em_look_over;

em_look_over em_count_over(em_slice s);

/* The same, and in before[i] how many LFs stand before byte i * stretch; the last is of all. There
 * is room for one more than there are stretches, of which the last may be shorter. */
em_look_over em_count_over_stretches(em_slice s, size_t stretch, size_t *before);

/* The same without instructions that only some machines have, so that a test sees both. */
em_counts em_count_plain(em_slice s, size_t start, size_t end);
size_t em_count_lfs_plain(em_slice s, size_t start, size_t end);
em_look_over em_count_over_plain(em_slice s);

#endif
