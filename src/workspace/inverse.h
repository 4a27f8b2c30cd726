/* inverse.h: the way back from the new content to the old, as bytes for the history.
 *
 * The inverse of a list of splices is a list of splices over the new content: where each insert
 * stands now, and the old bytes that belong there. Old and new bytes that are the same at the edges
 * of a splice are left out, so that rewriting a whole file to change a line costs a line.
 *
 * The form, version 1: the byte 1; the number of splices; for each of them the distance from the
 * end of the one before, the length in the new content, the length of the old bytes, and these
 * bytes. Numbers are unsigned LEB128.
 */
#ifndef EM_WORKSPACE_INVERSE_H
#define EM_WORKSPACE_INVERSE_H

#include "base/arena.h"
#include "text/splice.h"

/* The inverse of `splices`, which are laid into `old`, in `arena`. EM_E_NOMEM is the only failure.
 */
em_status em_inverse_encode(em_slice old, em_splices splices, em_arena *arena, em_slice *out);

/* The splices that lead back. Their inserts borrow `code`, the list lives in `arena`. EM_E_INVALID
 * for what em_inverse_encode does not write. Whether they fit the new content is for the caller to
 * check. */
em_status em_inverse_decode(em_slice code, em_arena *arena, em_splices *out);

#endif
