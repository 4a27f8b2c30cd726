/* other_encoding.h: a file that is written anew in another encoding than it had.
 *
 * Whole content is UTF-8 unless an encoding is named. Who writes it may not know that the file was
 * something else; and who read it without naming that saw U+FFFD for each byte that is no UTF-8.
 */
#ifndef EM_SESSION_OTHER_ENCODING_H
#define EM_SESSION_OTHER_ENCODING_H

#include "session/session.h"

/* Content that is to take the place of a text which is not valid UTF-8: EM_E_INVALID where it has
 * U+FFFD and that text has none, since characters would be lost; else a warning where it is not
 * ASCII. EM_E_NOMEM. */
em_status em_check_other_encoding(const em_edit_request *request, em_arena *arena,
                                  em_outcome *outcome);

#endif
