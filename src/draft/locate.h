/* locate.h: where does an op's search text stand in the text of the moment?
 *
 * Bytes first: where the search text stands literally, that decides. Only where it does not, and it
 * holds LFs and no CR, its LFs also stand for CRLF and CR. A tier only reads; its results live in
 * the caller's arena.
 */
#ifndef EM_DRAFT_LOCATE_H
#define EM_DRAFT_LOCATE_H

#include "draft/draft.h"

/* Every place of `find`, without overlap, from left to right. An empty text stands once in an empty
 * draft and nowhere else; a text with a NUL stands nowhere. `may_have_cr`: it is not known that the
 * draft has no CR. EM_E_NOMEM only: finding nothing is an empty *found. */
em_status em_locate(const em_draft *draft, em_slice find, bool may_have_cr, em_arena *arena,
                    em_spans *found);

/* The same within a part of the draft: bytes first there, and from its start on. *found, which has
 * none yet, says how many of them are kept. */
em_status em_locate_in(const em_draft *draft, em_span part, em_slice find, bool may_have_cr,
                       em_arena *arena, em_found *found);

#endif
