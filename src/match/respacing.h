/* respacing.h: what an edit changes of empty lines, and of the writing, where it may have been
 * made.
 */
#ifndef EM_MATCH_RESPACING_H
#define EM_MATCH_RESPACING_H

#include "match/tolerant.h"
#include "tokens/redline.h"

/* An edit, and a place where one of its texts stands. */
typedef struct em_respacing {
    em_slice text;
    const em_tolerant_place *place;
    em_tokened find, insert;
    bool of_insert; /* it is the replacement that stands there */
    bool strictly;  /* nothing but line endings may be left to change */
} em_respacing;

/* Has the file as many line endings as are wanted wherever the replacement has another number than
 * the search text? An edit keeps what the file has more than that, or fewer; but where it changes
 * nothing else, those are not what is wanted. (Beyond an end of the place there may be more.)
 * EM_E_NOMEM only. */
em_status em_has_wanted_breaks(const em_respacing *r, em_arena *arena, bool *has);

/* The replacement stands there, in whatever writing. Does the edit change the writing of something
 * which was not done: is a line as deep as in the search text still, or a quote another one? Then
 * it was not made. EM_E_NOMEM only. */
em_status em_is_as_searched(const em_respacing *r, em_arena *arena, bool *is);

#endif
