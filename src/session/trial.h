/* trial.h: what is noted of a request that is only tried out (em_session_set_trial), beside what
 * its outcome tells.
 */
#ifndef EM_SESSION_TRIAL_H
#define EM_SESSION_TRIAL_H

#include "session/plan.h"

/* Of a request that was planned, or could not be: em_session_trial_cuts_lines(),
 * em_session_trial_strayed(), and em_session_trial_chosen(). EM_E_NOMEM only. */
em_status em_trial_note(em_session *session, const em_planning *planning);

#endif
