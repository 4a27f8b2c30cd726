/* undo_told.h: how an undoing is told in words. */
#ifndef EM_ANSWERS_UNDO_TOLD_H
#define EM_ANSWERS_UNDO_TOLD_H

#include "answers/reply.h"
#include "session/undo.h"

/* "undid editFile in a.txt", "would redo 3 calls in 2 files: a.txt, b.txt (removed)". */
void em_undo_add_done(em_reply *reply, const em_undo_outcome *outcome, bool dry_run);

/* Why it was not done: a sentence without a final full stop, and, where a file was changed at the
 * place, on new lines what the change had left there and what stands there now. */
void em_undo_add_reason(em_reply *reply, const em_undo_request *request,
                        const em_undo_outcome *outcome);

#endif
