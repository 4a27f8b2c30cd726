/* other_endings.h: text that an edit leaves behind although all of it was asked for.
 *
 * LFs of a search text stand for other line endings only where it is not found as it is. So in a
 * file with several kinds of them an edit of every place may pass over some.
 */
#ifndef EM_REMARKS_OTHER_ENDINGS_H
#define EM_REMARKS_OTHER_ENDINGS_H

#include "remarks/planned_edit.h"

/* Warn of the places of what was planned that stay as they are for that. When the deadline has
 * passed, what is left is not looked for. EM_E_NOMEM only. */
em_status em_remark_other_endings(const em_planned_edit *edit, em_arena *arena,
                                  em_warnings *warnings);

#endif
