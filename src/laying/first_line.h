/* first_line.h: is it known how deep the first lines of a result belong?
 *
 * The replacement may have come without its first indentation, as the search text did.
 */
#ifndef EM_LAYING_FIRST_LINE_H
#define EM_LAYING_FIRST_LINE_H

#include "laying/indent.h"
#include "match/tolerant.h"
#include "tokens/redline.h"

/* An edit that is being laid onto `place` of `text`. */
typedef struct em_first_line {
    em_slice text;
    const em_tolerant_place *place;
    const em_tokened *find, *insert;
    const size_t *origin; /* of em_redline() */
    const size_t *moved;  /* of em_redline_moves() */
    const em_indents *indents;
    bool is_bare; /* the search text begins without the indentation that the file has */
} em_first_line;

/* Is it known how deep the first lines of `result`, which has these tokens, belong? */
bool em_first_line_is_clear(const em_first_line *first, em_slice result, em_tokens tokens);

/* Are the lines of `result` as deep among themselves as those of the replacement? Each line that is
 * new is compared with the line before it: it must not be deeper where the caller's is not, and
 * must be where that opens a block and the caller's is. */
bool em_depths_are_sound(const em_first_line *laid, em_slice result, em_tokens tokens);

#endif
