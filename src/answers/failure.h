/* failure.h: what a text says behind its first sentence, where an edit failed.
 *
 * Dialects word that sentence themselves; what follows is the same in all that answer with text.
 */
#ifndef EM_ANSWERS_FAILURE_H
#define EM_ANSWERS_FAILURE_H

#include "answers/reply.h"

/* Append it: the lines that every outcome has (em_reply_add_lines); for a search text that was not
 * found what is known of it, for one that is there too often where; else what to do about the
 * failure; and last of all what to send now. `find` is the search text, empty where there is
 * none. */
void em_add_failure(em_reply *reply, em_slice find);

#endif
