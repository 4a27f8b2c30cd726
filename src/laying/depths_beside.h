/* depths_beside.h: how deep one line of a replacement belongs, by single lines of the search text.
 *
 * Before all pairs of lines together are asked (depths.h): by the line that it changes, by the one
 * that it was before it moved, and by those that stay beside it.
 */
#ifndef EM_LAYING_DEPTHS_BESIDE_H
#define EM_LAYING_DEPTHS_BESIDE_H

#include "laying/depths.h"
#include "laying/precursor.h"

/* Does the line that token `index` of `insert` begins change one of the search text, and is it as
 * deep as that? Then *seen is how deep that is in the file, whatever lines of the same depth are
 * there. `old` is what it comes for. Asked where not all lines tell of all. */
bool em_depths_keeps(em_depths *depths, size_t index, em_precursor old, em_slice *seen);

/* The line that token `index` (> 0) of `insert` begins is line `old` of the search text, from
 * another place of it. Is it as deep as there, or as the file has it, though no block begins before
 * it that it could be in? Then *seen is how deep that is in the file. The units are to be known. */
bool em_depths_of_moved(em_depths *depths, size_t index, size_t old, em_slice *seen);

/* What the lines say that stay beside a new one in its block, above it and below it, and are as
 * deep there. Of very many new lines it is not asked any more: they count as if others differed. */
typedef enum em_siblings {
    EM_NO_SIBLINGS,
    EM_SIBLINGS_AGREE,  /* so deep are they in the file, and it, too */
    EM_SIBLINGS_HANG,   /* so deep are they, but they go on with a statement, and it may not */
    EM_SIBLINGS_DIFFER, /* it is not clear */
} em_siblings;

/* Of the line that token `index` of `insert` begins: it has none where all lines tell of all. Where
 * a line goes for it (`old`), it has some only above and below, and all as deep as each other. The
 * units are to be known. */
em_siblings em_depths_of_siblings(em_depths *depths, size_t index, em_precursor old,
                                  em_slice *seen);

#endif
