/* kept_endings.h: edits that ask for other line endings, and do not get them.
 *
 * The LFs of a new text become the endings of the lines that they replace, since most who send one
 * do not know which the file has. So who replaces "\r\n" with "\n" changes nothing, and would be
 * told of a success.
 */
#ifndef EM_SESSION_KEPT_ENDINGS_H
#define EM_SESSION_KEPT_ENDINGS_H

#include "session/session.h"

/* Warn of such edits, and say how endings are changed. EM_E_NOMEM only. */
em_status em_warn_of_kept_endings(const em_edit_request *request, em_arena *arena,
                                  em_outcome *outcome);

#endif
