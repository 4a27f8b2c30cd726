/* reach.h: from a row of the history, or of a journal, to the folder that it is about.
 *
 *  (1) The folder is reached beneath a root, through no link, and must be the one that the row was
 *      made for: names from a damaged or planted row lead nowhere. Another folder that stands in
 *      its place is only gone into for a person who says so, and where the row's stray is in it.
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
    int other;        /* O_PATH of another folder that is in its place; -1 */
    em_stat folder;   /* of the one or the other */
} em_reach;

/* Could we have written this row? */
bool em_row_is_sane(const em_row *row);

/* Is it the folder that the row was made in? Device numbers may change from boot to boot. */
bool em_reach_is_folder(const em_workspace *ws, const em_row *row, const em_stat *folder);

/* The texts, which live in `arena`; nothing is opened. The row is sane. EM_E_NOMEM. */
em_status em_reach_name(const em_row *row, em_arena *arena, em_reach *reach);

/* Open the folder, after em_reach_name(); em_reach_close() whatever comes of it. */
em_status em_reach_open(const em_workspace *ws, const em_row *row, bool all, em_arena *arena,
                        em_reach *reach, em_error *err);

/* After em_reach_open(): does what the row calls its temporary name stand in the other folder? Of a
 * row with a copy in the state directory: is there another folder? */
em_status em_reach_has_other(const em_workspace *ws, const em_row *row, const em_reach *reach,
                             bool *has, em_error *err);

/* The other folder is taken for the row's own: there is one. */
void em_reach_take_other(em_reach *reach);

/* The stray's path, in `arena`; the row is sane, and has a temporary name. NULL: no memory. */
char *em_reach_stray(const em_reach *reach, const char *name, em_arena *arena);

/* Does a file have the stray's name, by whatever links its path leads there? */
em_status em_reach_finds_stray(const em_workspace *ws, const em_row *row, const em_reach *reach,
                               em_arena *arena, bool *finds, em_error *err);

void em_reach_close(const em_workspace *ws, em_reach *reach);

#endif
