/* forget.h: the history is kept within limits.
 */
#ifndef EM_PAST_FORGET_H
#define EM_PAST_FORGET_H

#include "workspace/content_store.h"
#include "workspace/workspace.h"

/* How much is kept. */
typedef struct em_limits {
    int64_t age_ms; /* older changes go; 0: whatever their age */
    uint64_t bytes; /* of the database; the oldest go first; 0: whatever its size */
} em_limits;

#define EM_LIMITS_DEFAULT ((em_limits){.age_ms = 90LL * 24 * 3600 * 1000, .bytes = 256 << 20})

/* Forget what is beyond the limits, whatever its root, in steps that do not keep others waiting:
 * about `most` rows (0: all). Changes that are not finished stay, and those of the last two
 * minutes; calls stay or go whole. `give_back`: the room goes back to the system, for which nobody
 * else may be using the history, and what has to wait is counted. EM_E_DENIED where nothing may be
 * changed (--read-only), as below. */
em_status em_past_forget(em_workspace *ws, em_limits limits, size_t most, bool give_back,
                         em_forgotten *forgotten, em_error *err);

/* What is to be kept from now on, also by em_past_tidy(). */
em_status em_past_set_limits(em_workspace *ws, em_limits limits, em_error *err);
em_status em_past_limits(em_workspace *ws, em_limits *limits, em_error *err);

/* Forget a little, of the history and of kept contents, if so much was recorded or kept since that
 * it may be time to. Failures are for the next time. For moments when nobody waits. */
void em_past_tidy(em_workspace *ws);

#endif
