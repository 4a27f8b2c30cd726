/* misplaced.h: lines of a result that stand where nobody puts one.
 *
 *  (1) Lines that the replacement has whole steps from each other are so in the result, too, where
 *      the file's are; and its new ones whole steps deep, where all of them came so.
 *  (2) Behind a first line that came without its indentation, and does not go on in the next one,
 *      no line is two steps deeper.
 *  (3) A new first line that opens a block is not less deep than all that it comes in front of: it
 *      would end the block that this is in. (Where it was sent as deep as the file has the first
 *      line, and the search text not: else a label, or the end of a block, is meant.)
 *  (4) Several lines that stay, and stand in the search text as in the file, do not all move by one
 *      blank that every line of the replacement begins with: it has the column of a patch before
 *      it. (Where a step is one blank, it may be a step.)
 *  (5) A new line behind one that stays, and opens no block, is not deeper than that, if it was
 * sent as deep as the file has that: the search text has lost the indentation. The same goes for
 *      the first line before one that stays.
 *  (6) What stands above the end of its block is deeper than that, if it was sent so; and what
 *      opens a block has it one step deeper, not two, if it was sent so. One of the two lines is
 *      new.
 */
#ifndef EM_LAYING_MISPLACED_H
#define EM_LAYING_MISPLACED_H

#include "laying/transplant.h"

/* Is there one in `laid`, what the difference gave for the place, in a file that is indented so? */
bool em_has_misplaced_line(em_slice text, const em_tolerant_place *place, const em_laid *laid,
                           em_indent_habit habit);

#endif
