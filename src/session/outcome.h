/* outcome.h: what every outcome begins and ends with, of a change (run.c) or of reading (read.c).
 */
#ifndef EM_SESSION_OUTCOME_H
#define EM_SESSION_OUTCOME_H

#include "session/session_state.h"

/* An outcome at the beginning, and at the end: its status, and an error that says so. Returns the
 * status. */
void em_outcome_init(em_outcome *outcome);
em_status em_outcome_finish(em_outcome *outcome, em_status status);

/* The file that was opened: what it holds now. */
void em_outcome_note_state(em_outcome *outcome);
em_stamp em_outcome_stamp(const em_outcome *outcome);

/* Nothing was opened under `path`: if something is there, the answer names what it is in the end.
 * Returns the failure. */
em_status em_outcome_note_names(em_session *session, const char *path, em_arena *arena,
                                em_outcome *outcome, em_status failure);

/* And if that is no file: what may be meant. Of the first few such files of a call: each may take
 * a walk over all roots. Returns the failure, or EM_E_NOMEM. */
em_status em_outcome_note_near_files(em_session *session, const char *path, em_arena *arena,
                                     em_outcome *outcome, em_status failure);

/* The session's limit where it has one, else the dialect's. */
uint64_t em_limit(uint64_t of_session, uint64_t of_dialect);

#endif
