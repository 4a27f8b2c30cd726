/* reason.h: why a call failed and what to do about it, in words that all dialects share.
 *
 * The sentence for a status and its cause is written once, here. A dialect puts around it what its
 * document demands, and words for itself only what its document words: a text that was not found,
 * and one that stands there too often or too seldom.
 */
#ifndef EM_ANSWERS_REASON_H
#define EM_ANSWERS_REASON_H

#include "answers/reply.h"

/* What a status is called in answers that have codes. */
typedef struct em_code {
    const char *flat;     /* "NO_MATCH": where the answer's own fields say the rest */
    const char *envelope; /* "INVALID_PARAM": the codes of the standard envelope (envelope.h) */
} em_code;
em_code em_code_of(em_status status);

/* What went wrong: one sentence without a final full stop. In the arena. */
const char *em_reason(em_reply *reply);

/* Is it that a person had to say yes, and did not? */
bool em_is_of_consent(const em_error *error);

/* The sentence for that; `what` is what was to be done, "the change of a.txt". */
const char *em_reason_of_consent(em_reply *reply, const em_error *error, const char *what);

/* Of a file that is not there: is what stands in the way of its path a reason why none can be made
 * there either? The detail says what: a file where a folder should be, a link that leads nowhere.
 */
bool em_way_is_blocked(const em_error *error);

/* Is the folder that the path of a new file names, "new/", not even there? */
bool em_names_no_folder(const em_error *error);

/* Append what to do about it, each sentence on a line of its own that begins with '\n'. Where the
 * caller must look at the file, that names the reading tool, or shows the file where none is
 * offered. */
void em_add_advice(em_reply *reply);

/* Append the file's text itself, as far as it may be shown, if no reading tool is offered. */
void em_add_file_unless_readable(em_reply *reply);

/* Is the file itself empty? Where an edit finds text in it, one before it has put that there. */
bool em_is_of_empty_file(const em_reply *reply);

/* Why what is shown of `text` cannot be sent back: some of its bytes are no UTF-8, and no encoding
 * was named. NULL: it can. */
const char *em_why_unreadable(const em_reply *reply, em_slice text);

/* How a file is written anew with what is offered, as it is put behind "use"; NULL. */
const char *em_way_to_rewrite(em_reply *reply);

#endif
