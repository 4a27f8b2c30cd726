/* undo.h: undo_last_edit, and how an undoing is told in words.
 */
#ifndef EM_DIALECTS_UNDO_H
#define EM_DIALECTS_UNDO_H

#include "calls/args.h"
#include "calls/reply.h"
#include "session/undo.h"

/* The tool's table and its `run`; the answer is a string. */
extern const em_param em_undo_params[];
em_status em_undo_last_edit(const em_call *call, em_answer *answer);

/* "undid editFile in a.txt", "would redo 3 calls in 2 files: a.txt, b.txt (removed)". */
void em_undo_add_done(em_reply *reply, const em_undo_outcome *outcome, bool dry_run);

/* Why it was not done: a sentence without a final full stop, and, where a file was changed at the
 * place, on new lines what the change had left there and what stands there now. */
void em_undo_add_reason(em_reply *reply, const em_undo_request *request,
                        const em_undo_outcome *outcome);

#endif
