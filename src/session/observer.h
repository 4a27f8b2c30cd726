/* observer.h: who watches the changes of a session is told of each.
 *
 * A session tells its observer once for every file that a call was about, when it is known what
 * came of it: after em_run_edit(), em_run_edits(), em_run_commit() and em_run_undo(), dry runs and
 * failures included. Reading is not told. The observer is called in the thread of the call, while
 * the files may still be locked: it copies what it wants to keep, is quick, and does not use the
 * session.
 */
#ifndef EM_SESSION_OBSERVER_H
#define EM_SESSION_OBSERVER_H

#include "match/tier.h"
#include "workspace/workspace.h"

/* One file of one call. Strings are borrowed, and NULL where they are not known. */
typedef struct em_observed {
    /* what was asked */
    const char *tool, *client, *session; /* `session`: whose calls belong together */
    const char *path;                    /* as it was named; NULL: an undo that came to no file */
    em_role role;                        /* an edit, an undo (a rewind too), a redo */
    bool dry_run;
    size_t asked_bytes; /* of the texts of an edit: what the caller had to send for it */

    /* what came of it */
    em_status status; /* with EM_OK something may be `committed`, or there was nothing to do; and of
                         a call of several files another one may be at fault */
    em_cause cause;
    const char *detail;         /* as in em_error; "" */
    const char *resolved, *rel; /* absolute, every link resolved; relative to its root */
    const em_tier *tiers; /* how each op that searches found its text, of those that are done */
    size_t tier_count;
    bool committed, created, removed, merged;
    const char *edit_id;     /* "" where nothing was recorded */
    em_hash hash;            /* of the content now; "" where that is not known, or there is none */
    uint64_t old_size, size; /* bytes, before the call and now */
    size_t lines_added, lines_removed; /* by what was done, or in a dry run would be */

    size_t index, count; /* which file of the request it is, from 0, and of how many */
} em_observed;

typedef struct em_observer {
    void (*tell)(void *context, const em_observed *observed); /* NULL: nobody watches */
    void *context;
} em_observer;

/* A copy of all of it in `arena`. EM_E_NOMEM. */
em_status em_observed_copy(const em_observed *from, em_arena *arena, em_observed *to);

#endif
