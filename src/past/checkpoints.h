/* checkpoints.h: moments that got a name, to be gone back to.
 */
#ifndef EM_PAST_CHECKPOINTS_H
#define EM_PAST_CHECKPOINTS_H

#include "workspace/workspace.h"

typedef struct em_checkpoint {
    const char *name;
    int64_t id; /* the newest row when it was made */
    int64_t time_ms;
    bool is_whole; /* all is there that was done since: false where some of it was forgotten */
} em_checkpoint;

typedef struct em_checkpoints {
    em_checkpoint *items;
    size_t count;
} em_checkpoints;

enum { EM_CHECKPOINT_NAME = 200 /* bytes of a name, at most */ };

/* Give this moment a name, in the first root; an earlier one of that name is replaced. EM_E_INVALID
 * where it is empty or too long, or the workspace keeps no history, EM_E_DENIED where nothing may
 * be changed (--read-only). */
em_status em_past_mark(em_workspace *ws, const char *name, em_error *err);

/* Those of the first root, newest first, in `arena`. */
em_status em_past_marks(em_workspace *ws, em_arena *arena, em_checkpoints *marks, em_error *err);

#endif
