/* left_out.h: text that is put into a file and says that something is left out of it.
 *
 * Where it replaces a text that was searched for, such a placeholder is refused (placeholder.h).
 * Content that is written as a whole, or put to the start or the end of a file, may be meant so.
 */
#ifndef EM_REMARKS_LEFT_OUT_H
#define EM_REMARKS_LEFT_OUT_H

#include "remarks/planned_edit.h"

/* Warn of placeholders in what comes with ops without a search text, but for those that the file
 * held before. EM_E_NOMEM only. */
em_status em_remark_left_out(const em_planned_edit *edit, em_arena *arena, em_warnings *warnings);

#endif
