/* doubled.h: lines that a splice brings although they stand beside it already.
 *
 * Who shows a place in the new text with more lines than the search text has, or makes an edit once
 * more that adds to its search text, has these lines twice. Nobody but the caller can tell whether
 * that was meant; so the edit is made, and the lines are told.
 */
#ifndef EM_EDIT_DOUBLED_H
#define EM_EDIT_DOUBLED_H

#include "base/arena.h"
#include "text/lines.h"
#include "text/span.h"
#include "text/splice.h"

typedef struct em_doubled {
    em_span there; /* whole lines of the text as it was; empty: none are doubled */
    bool follow;   /* the splice ends with them, and they follow it; else it begins with them */
} em_doubled;

/* Does splice `index` double lines? Not those of which so little is left without blanks that they
 * tell nothing, nor those that the text itself has one after the other. What is in `scratch` is not
 * needed afterwards. EM_E_NOMEM only. */
em_status em_doubled_by(const em_lines *lines, em_splices splices, size_t index, em_arena *scratch,
                        em_doubled *out);

#endif
