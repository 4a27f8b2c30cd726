/* line_pairs.h: which line of the search text does a line of the replacement change?
 *
 * Lines that stay part both texts. Where as many lines come between two of them as go there, and
 * each is as deep as the one in its place, each changes that one, whatever words they have in
 * common.
 */
#ifndef EM_LAYING_LINE_PAIRS_H
#define EM_LAYING_LINE_PAIRS_H

#include "tokens/redline.h"

/* By token of `insert`: of one that begins a line which changes another, the first token of that in
 * `find`; else EM_NPOS. `origin` is that of em_redline(). The array is in `arena`. EM_E_NOMEM only.
 */
em_status em_line_pairs_of(em_tokened find, em_tokened insert, const size_t *origin,
                           em_arena *arena, size_t **changed);

#endif
