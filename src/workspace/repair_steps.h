/* repair_steps.h: a row of the history that is worked on, and the steps that are the same whether
 * it is repaired alone (repair.h) or settled with its transaction (unwind_file.h).
 */
#ifndef EM_WORKSPACE_REPAIR_STEPS_H
#define EM_WORKSPACE_REPAIR_STEPS_H

#include "system/names.h"
#include "workspace/recovery_end.h"
#include "workspace/ws.h"

typedef struct em_repair {
    em_workspace *ws;
    em_row *row;      /* read again under its lock; not done */
    int dir;          /* O_PATH of the row's folder */
    const char *name; /* the final name of the file */
    const char *path; /* absolute, for errors */
    em_keep keep;
    em_arena *arena;
    em_error *err;
} em_repair;

/* A name in the row's folder, or in another one. */
static inline em_entry em_repair_entry(const em_repair *r, int dir, const char *name)
{
    return (em_entry){r->ws->sys, dir, name, r->path};
}

/* The folder of a file that was made; *fd is the caller's, and -1 where it was never made. */
em_status em_repair_open_folders(const em_repair *repair, int *fd);

/* Remove what stands under the row's temporary name; it may be gone. */
em_status em_repair_remove_stray(const em_repair *repair);

#endif
