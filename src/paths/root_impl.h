/* root_impl.h: what the files of root.h share: the walk, as it goes on (root.c). */
#ifndef EM_PATHS_ROOT_IMPL_H
#define EM_PATHS_ROOT_IMPL_H

#include "paths/root.h"

enum { EM_PATH_FOLDER = O_PATH | O_DIRECTORY };

typedef struct em_root_walk {
    const em_sys *sys;
    const em_root *root;
    const char *path; /* as it was given, for errors */
    em_arena *arena;
    em_error *err;

    int dir;           /* where the walk stands; the root's own descriptor is borrowed */
    char *rel;         /* the way there from the root: "a/b"; "" for the root */
    size_t rel_length; /* of `rel`, without its NUL */
    em_slice rest;     /* what is still to be walked, at the end of `text` */
    size_t own;        /* the last `own` bytes of `rest` are the caller's, not a link's */
    unsigned links;    /* followed so far */
    const char *link;  /* the last of them that the caller named, from the root; NULL */
    em_foreseen foreseen;
    const char **missing; /* folders at the end of `rel` that are only foreseen: below `dir` */
    size_t missing_count, missing_room;
    char *text;          /* room for the texts of links before the rest; PATH_MAX, as `rel` */
    em_resolved *place;  /* what was found */
    bool may_be_missing; /* by the caller's leave */
} em_root_walk;

/* ---- The walk (root.c) --------------------------------------------------------------------- */

em_status em_root_walk_fail(em_root_walk *w, int result, const char *call);

/* It failed, as the detail says; `sys` tells callers which of several ways it was. */
em_status em_root_walk_failed_by(em_root_walk *w, em_status status, int sys);

/* The way to what is called `name` where the walk stands, from the root. NULL: no memory. */
const char *em_root_walk_way_to(const em_root_walk *w, em_slice name);

/* Into the folder `name`, by its name alone; false when the way gets too long. And out of it. */
bool em_root_walk_push(em_root_walk *w, em_slice name);
void em_root_walk_pop(em_root_walk *w);

/* What has this name where the walk stands is no folder, and the way does not end there. */
em_status em_root_walk_blocked(em_root_walk *w, em_slice name);

/* ---- Where nothing is (root_missing.c) ----------------------------------------------------- */

/* Nothing has that name where the walk stands; `own`: the caller named it, and no link did. */
em_status em_root_walk_nowhere(em_root_walk *w, em_slice name, bool own);

/* The way ends at the last folder that it entered, which is only foreseen. */
em_status em_root_walk_end_at_missing(em_root_walk *w);

/* ---- Paths (root_open.c) ------------------------------------------------------------------- */

/* What is left of `path` below `folder`, compared component by component; false if it is not
 * there. Both are absolute. */
bool em_path_below(em_slice path, em_slice folder, em_slice *rest);

#endif
