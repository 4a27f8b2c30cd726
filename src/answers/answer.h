/* answer.h: what the answers of all dialects end with: what has to be told of any outcome, and the
 * whole answer of a tool that answers with a string.
 *
 * It stands above the pieces of reply.h, since what has to be told comes from several files.
 */
#ifndef EM_ANSWERS_ANSWER_H
#define EM_ANSWERS_ANSWER_H

#include "answers/reply.h"

/* ---- What every outcome has to tell -------------------------------------------------------- */

/* Sets "warnings", where there are any. */
void em_reply_set_warnings(em_reply *reply, json_t *object);

/* Append the lines that follow the first sentence: "Warning: ...", on a failure "Cause: ...", and
 * after a change, where the caller has no lasting connection, "Edit: ID". */
void em_reply_add_lines(em_reply *reply);

/* The first of them alone. */
void em_reply_add_warnings(em_reply *reply);

/* ---- The whole answer of a tool that answers with a string ---------------------------------- */

/* The answer with the text so far, and after a success the file's state in `_meta`. EM_E_NOMEM. */
em_status em_reply_finish(em_reply *reply, bool is_error, em_answer *answer);

/* What em_tool.refuse is for such a tool: "Error: MESSAGE", and what to send instead. */
em_status em_refuse_in_words(const em_call *call, const em_call_refusal *refusal,
                             em_answer *answer);

/* em_answer.miscount of a change that failed, where a call with the right number would be made. */
em_miscount em_miscount_of(const em_outcome *outcome);

/* What an answer says beside its text of a change that failed: `fails_again` and `miscount`. */
void em_answer_tell_failure(em_answer *answer, const em_outcome *outcome);

/* What em_tool.read_failure is for it. */
em_status em_read_failure_in_words(const em_answer *answer, em_arena *arena,
                                   em_call_failure *failure);

#endif
