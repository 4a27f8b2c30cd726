/* remarks.h: what an edit does though nobody asked for it.
 *
 * Text that stands there literally is replaced literally, and what is to be written is written. Now
 * and then that is not what was meant, as where a search text has lost the blanks before its first
 * line, and nobody but the caller can tell. So the edit is made, and a sentence says what it did
 * and how to have it otherwise.
 *
 * Each kind of remark is a file of this room, and a line in the table of remarks.c.
 */
#ifndef EM_REMARKS_REMARKS_H
#define EM_REMARKS_REMARKS_H

#include "remarks/planned_edit.h"

/* Add what there is to be said of the edit. EM_E_NOMEM only. */
em_status em_remark(const em_planned_edit *edit, em_arena *arena, em_warnings *warnings);

#endif
