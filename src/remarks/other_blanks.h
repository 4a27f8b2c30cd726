/* other_blanks.h: lines that come with tabs among lines with spaces, or the other way round.
 *
 * What a tolerant tier finds is laid in as the file has it; what stands there literally is replaced
 * literally, and a new text that was written for another file brings that one's blanks.
 */
#ifndef EM_REMARKS_OTHER_BLANKS_H
#define EM_REMARKS_OTHER_BLANKS_H

#include "remarks/planned_edit.h"

/* Warn of the first such line, by its number after the edit: of the lines around, three at least
 * are indented with the one, and none with the other. A single space is no indentation. Some edits
 * of a call are looked at; of a file that is not held none. EM_E_NOMEM only. */
em_status em_remark_other_blanks(const em_planned_edit *edit, em_arena *arena,
                                 em_warnings *warnings);

#endif
