/* recorded.h: a workspace and its history, for who asks what is in it (the room past).
 *
 * Without a history nothing was recorded: nothing is made for who only asks.
 */
#ifndef EM_WORKSPACE_RECORDED_H
#define EM_WORKSPACE_RECORDED_H

#include "history/history.h"
#include "workspace/workspace.h"

/* Open the history if there is one; em_ws_history() is NULL else. Fails as em_history_open() does,
 * and as the state directory does. */
em_status em_ws_open_history(em_workspace *ws, em_error *err);

/* The same, made where it is missing, for who has something to write down that is no change.
 * EM_E_DENIED with --read-only. */
em_status em_ws_make_history(em_workspace *ws, em_error *err);

/* The history, once it is open; borrowed. NULL: it is not, or there is none. */
em_history *em_ws_history(const em_workspace *ws);

/* The boot that the system is in, as rows have it; once the history is open. Borrowed. */
const char *em_ws_boot(const em_workspace *ws);

/* The time of the clock, since 1970. */
em_status em_ws_now(const em_workspace *ws, int64_t *ms, em_error *err);

/* May the change of the file at this absolute path be told of: does it lie in a root, and do the
 * rules let it be read? EM_E_NOMEM. */
em_status em_ws_may_tell(const em_workspace *ws, const char *path, bool *may);

enum { EM_TIDY_EVERY = 512 /* changes */ };

/* Was so much recorded, or kept, since this was last asked that something may have to be
 * forgotten? */
bool em_ws_is_tidy_due(em_workspace *ws);

#endif
