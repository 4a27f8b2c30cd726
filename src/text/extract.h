/* extract.h: those stretches of a large file that matter, as one text.
 *
 * A file that is too large to be held is read once through a window (scan.h); what stands at and
 * around the places that a call is about is then read again and put together. The extract takes
 * the file's part as the body of an em_text: it is searched, planned on and shown like any other
 * text, and leads back to offsets and line numbers of the file.
 *
 *  (1) A segment is made of whole lines, as those end in LF; only the file's last may lack its end.
 *      So it begins where a line begins, and no CRLF is cut in two.
 *  (2) Between two segments stands a NUL: no search text holds one, so nothing is found that
 *      reaches from one to the other.
 *  (3) The first segment begins where the file begins, the last ends where it ends.
 *  (4) Segments are in the order of the file, and at least a byte of the file is between two.
 */
#ifndef EM_TEXT_EXTRACT_H
#define EM_TEXT_EXTRACT_H

#include "text/splice.h"

/* A stretch of the file in the extract. */
typedef struct em_segment {
    size_t at;      /* where it begins in the body of the extract */
    size_t offset;  /* ... and in the file */
    size_t length;  /* bytes */
    size_t endings; /* of lines, in the file before it: LF, CRLF, CR */
    size_t lfs;     /* LFs in the file before it */
} em_segment;

/* Everything is borrowed. */
typedef struct em_extract {
    em_slice body;
    const em_segment *segments;
    size_t count;        /* at least one */
    size_t size;         /* of the file, bytes */
    size_t lf, crlf, cr; /* how often each line ending occurs in the file */
} em_extract;

/* The segment that holds the byte at `at` of the body, or ends there. */
const em_segment *em_extract_segment(const em_extract *extract, size_t at);

/* Where the byte at `at` of the body stands in the file. */
size_t em_extract_to_file(const em_extract *extract, size_t at);

/* Where [start, end) of the file begins in the body; EM_NPOS when it is not all in one segment. */
size_t em_extract_find(const em_extract *extract, size_t start, size_t end);

/* LFs of the file before what is at `at` of the body. */
size_t em_extract_lfs_before(const em_extract *extract, size_t at);

#endif
