/* reach.h: from a row of the history, or of a journal, to the folder that it is about.
 *
 *  (1) The folder is reached beneath a root, through no link, and must be the one that the row was
 *      made for: names from a damaged or planted row lead nowhere.
 *  (2) Only what lies inside the roots of the workspace is reached, unless all was asked for.
 */
#ifndef EM_WORKSPACE_REACH_H
#define EM_WORKSPACE_REACH_H

#include "workspace/ws.h"

typedef struct em_reach {
    const char *path; /* of the file, absolute */
    const char *name; /* its last component */
    const char *rest; /* below the folder of the row: the folders to be made, and the name */
    bool mine;        /* the folder lies where it is looked for */
    int dir;          /* O_PATH of it; -1: it is not there, or another is */
    em_stat folder;   /* of it */
} em_reach;

/* Could we have written this row? */
bool em_row_is_sane(const em_row *row);

/* The texts, which live in `arena`; nothing is opened. The row is sane. EM_E_NOMEM. */
em_status em_reach_name(const em_row *row, em_arena *arena, em_reach *reach);

/* Open the folder, after em_reach_name(); em_reach_close() whatever comes of it. */
em_status em_reach_open(const em_workspace *ws, const em_row *row, bool all, em_arena *arena,
                        em_reach *reach, em_error *err);
void em_reach_close(const em_workspace *ws, em_reach *reach);

#endif
