/* marks.h: two bytes that many needles have in common, and what tells the needles apart beside
 * them.
 *
 * Thousands of edits of one file are seldom thousands of different things: a name is replaced, an
 * argument added, and each search text has that and what is around it. Where two bytes stand in
 * nearly all needles, and seldom in the text, only the places where they stand have to be looked
 * at. There eight bytes, as far from the mark as tells most needles apart, are the needle's print
 * (prints.h).
 */
#ifndef EM_TEXT_MARKS_H
#define EM_TEXT_MARKS_H

#include "base/arena.h"

typedef struct em_mark {
    char bytes[2];
    ptrdiff_t print; /* where the print begins, from the first of these; negative: before them */
} em_mark;

enum { EM_MARK_PRINT = 8 /* bytes of a print beside a mark */ };

/* The best mark for `count` needles in texts like `text`, as far as a sample of both tells. False:
 * none is worth it. EM_E_NOMEM counts as none. */
bool em_mark_choose(const em_slice *needles, size_t count, em_slice text, em_mark *mark);

/* Where in the needle the print begins that stands beside its first mark; EM_NPOS: it has none. */
size_t em_mark_print_in(const em_mark *mark, em_slice needle);

#endif
