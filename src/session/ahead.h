/* ahead.h: what of a call is done by another thread while this one opens and reads its file.
 */
#ifndef EM_SESSION_AHEAD_H
#define EM_SESSION_AHEAD_H

#include "base/beside.h"
#include "edit/gathered.h"
#include "session/session.h"

/* `EM_AUTO(em_ahead) ahead = {.request = NULL};` */
typedef struct em_ahead {
    em_errand errand;
    const em_edit_request *request;
    em_gathered gathered; /* since em_ahead_end(); zeros where it is not worth a thread */
} em_ahead;

/* Begin; NULL is nothing. The request stays where it is until the end. */
void em_ahead_begin(em_ahead *ahead, const em_edit_request *request);

/* Wait for it; what was found out is in `arena` from now on. EM_E_NOMEM only. */
em_status em_ahead_end(em_ahead *ahead, em_arena *arena);

/* The call ends before: wait for it, for nobody. */
void em_ahead_drop(em_ahead *ahead);

#endif
