/* copied_numbers.h: lines that come with numbers before them, as reading tools show lines.
 *
 * Who replaces lines by their numbers has just seen them so, and may send new ones so. The numbers
 * are text then; nobody but the caller can tell whether that was meant.
 */
#ifndef EM_SESSION_COPIED_NUMBERS_H
#define EM_SESSION_COPIED_NUMBERS_H

#include "session/session.h"

/* Warn of such lines (em_brings_numbers), where a call replaces lines. Numbers and a colon may be a
 * list's, so they must be those of the lines that go. Of a file that is not held nothing is told.
 * EM_E_NOMEM only. */
em_status em_warn_of_copied_numbers(const em_edit_request *request, em_arena *arena,
                                    em_outcome *outcome);

#endif
