/* diff_told.h: the diff of a change in words, and what to know of it where it is cut.
 *
 * A diff has whole lines, or it would be none. Where the first one that changes is too long, as all
 * of a minified file may be, the answer has a part of that line instead, apart from the diff. It is
 * bounded, and told once an answer.
 */
#ifndef EM_ANSWERS_DIFF_TOLD_H
#define EM_ANSWERS_DIFF_TOLD_H

#include "answers/reply.h"

/* A sentence, and the part of the line before and after the change, on lines of their own; in the
 * arena. NULL: the diff shows something, or there is none, or the answer has told one; or the file
 * is new, or went through a window. */
const char *em_first_change(em_reply *reply);

/* Append the diff behind an empty line, if there is one, and what to know of it. */
void em_reply_add_diff(em_reply *reply);

/* Append what to know of a diff that was cut; nothing else. */
void em_reply_add_diff_note(em_reply *reply);

#endif
