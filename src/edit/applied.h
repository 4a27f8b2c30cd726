/* applied.h: has this edit been made already?
 *
 * Agents send an edit twice: after a time-out, or because an answer was lost. The second time the
 * search text is gone, and "not found" would make them look for a mistake that is none.
 */
#ifndef EM_EDIT_APPLIED_H
#define EM_EDIT_APPLIED_H

#include "edit/draft.h"

/* For a search text that `draft` does not hold: does the replacement stand there instead? It must
 * have at least 12 code points beside white space, hold a line that the search text lacks, and
 * stand there exactly once; and the search text must not stand elsewhere in another layout.
 * *applied says so and *where has the place. EM_E_NOMEM only. */
em_status em_already_applied(const em_draft *draft, em_slice find, em_slice insert, em_arena *arena,
                             bool *applied, em_span *where);

#endif
