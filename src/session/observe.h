/* observe.h: tell who watches a session (observer.h) what became of a request. */
#ifndef EM_SESSION_OBSERVE_H
#define EM_SESSION_OBSERVE_H

#include "session/session_state.h"

/* Which request of a call it is, from 0, and of how many. */
typedef struct em_observed_place {
    size_t index, count;
} em_observed_place;

/* An edit, when its outcome is all there and before it is dropped. Nothing where nobody watches. */
void em_observe_edit(const em_session *session, const em_edit_request *request,
                     const em_outcome *outcome, em_arena *arena, em_observed_place place);

#endif
