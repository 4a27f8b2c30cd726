/* undo_call.h: a call that takes others back while it runs, and its parts: undo.c has the steps.
 *
 * What fails says why in the outcome's error.
 */
#ifndef EM_SESSION_UNDO_CALL_H
#define EM_SESSION_UNDO_CALL_H

#include "session/undo_impl.h"
#include "workspace/recorded.h"

/* One file of what is undone. */
typedef struct em_undo_site {
    const char *path;    /* absolute, as the rows have it */
    const char *rel;     /* relative to its root */
    const em_row *first; /* of its rows */
    const em_row **rows; /* those that changed it, oldest first */
    size_t row_count;
    em_undo_plan plan;
    em_change change;
    uint64_t old_size; /* bytes, before it was changed */
} em_undo_site;

typedef struct em_undo_call {
    em_session *session;
    em_workspace *ws;
    const em_undo_request *request;
    em_arena *arena;
    em_undo_outcome *outcome;
    em_undo_target target;
    em_undo_site *sites;
    em_wanted *wanted; /* one for each site */
    em_part *parts;    /* of those where there is something to do */
    size_t *site_of;   /* of a part */
    size_t count, part_count;
    const em_undo_plan *planned; /* the last plan, of a site; NULL: there is none yet */
    em_origin origin;
} em_undo_call;

/* Is nothing written, whatever comes out? */
bool em_undo_is_dry(const em_undo_call *u);

/* Is somebody to be asked about what would be written? */
bool em_undo_asks(const em_undo_call *u);

/* It fails with `status`, for what `why` says of `path`. */
em_status em_undo_fail_as(em_undo_call *u, em_status status, const em_error *why, const char *path);

/* What stands at its path is not the file that was changed; `more` is told too. EM_E_CONFLICT. */
em_status em_undo_fail_replaced(em_undo_call *u, const em_undo_site *s, const char *what,
                                const char *more);

/* ---- Its files (undo_files.c) ---------------------------------------------------------------- */

/* The sites, in the order of their first rows, and room for all that comes of them. EM_E_NOMEM. */
em_status em_undo_find_sites(em_undo_call *u);

/* Open all of them, or none: then it says which could not be. Fewer are left where there is nothing
 * to do in what cannot be opened. */
em_status em_undo_open_files(em_undo_call *u);

/* ---- What is told (undo_told.c) -------------------------------------------------------------- */

/* What is taken back, in the outcome. */
em_status em_undo_tell_target(em_undo_call *u);

/* Each file for which a part is planned, in the outcome, with its diff where somebody wants it. */
em_status em_undo_tell_files(em_undo_call *u);

/* What came of it, to who watches: of each file; where one is in the way, of that alone, and where
 * it came to none, once. */
void em_undo_tell_observer(const em_undo_call *u);

#endif
