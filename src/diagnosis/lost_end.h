/* lost_end.h: a line was sent without the sign that ends it in the file, and the replacement
 * repeats that. Where does the sign belong in it?
 */
#ifndef EM_DIAGNOSIS_LOST_END_H
#define EM_DIAGNOSIS_LOST_END_H

#include "tokens/redline.h"

/* *token becomes the one of `insert` behind which the sign comes that `find` lacks at its end;
 * EM_NPOS: it is not clear. It is where one line alone can take the sign, and that is the line
 * still, or the only one and begins as that does, or the last item of a list of which all others
 * have it. `origin` is that of em_redline(). EM_E_NOMEM only. */
em_status em_lost_end_find(em_tokened find, em_tokened insert, const size_t *origin, em_slice sign,
                           em_arena *arena, size_t *token);

#endif
