/* doubled_lines.h: lines that stand in the file twice after an edit, once because it brings them,
 * or because two edits of a call do.
 */
#ifndef EM_SESSION_DOUBLED_LINES_H
#define EM_SESSION_DOUBLED_LINES_H

#include "session/session.h"

/* Warn of those that the plan doubles (edit/doubled.h), of some at most, by the numbers that they
 * have after the edit; not of search texts that are to stand there once more. Of a file that is not
 * held nothing is told. EM_E_NOMEM only. */
em_status em_warn_of_doubled_lines(const em_edit_request *request, em_arena *arena,
                                   em_outcome *outcome);

#endif
