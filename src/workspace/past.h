/* past.h: what was done, for those who want to see it, or to have it undone.
 *
 * Only changes of files inside the roots of the workspace, and that its rules let be read, are
 * there for who asks; all others are as if they had never been. A change of which it is not known
 * yet how it ended is among them (EM_ROW_PENDING), one that came to nothing is not.
 *
 * Changes are made, and undone, by whole calls. A call that undoes another does not remove anything
 * from the past: it is a call itself, which says of which others (its bases) it is the undoing. So
 * an undoing can be undone, and whether a call is in effect is told by its fate, the last call that
 * was about it.
 */
#ifndef EM_WORKSPACE_PAST_H
#define EM_WORKSPACE_PAST_H

#include "history/history.h"
#include "workspace/workspace.h"

/* ---- Rows ---------------------------------------------------------------------------------- */

/* Which rows are asked for; NULL and 0: any. */
typedef struct em_past_filter {
    const char *path; /* absolute, resolved: a file, or a folder and all that is in it */
    const char *tool, *client, *session;
    int64_t since_ms; /* made then or later; since 1970 */
    int64_t below;    /* with a smaller number */
    int64_t above;    /* with a larger number */
    size_t limit;     /* how many at most */
    bool all;         /* also outside the roots */
} em_past_filter;

/* The newest first, in `arena`; none where there is no history. EM_E_IO, EM_E_TIMEOUT, ... of the
 * history. */
em_status em_past_list(em_workspace *ws, const em_past_filter *filter, em_arena *arena,
                       em_rows *rows, em_error *err);

/* The row that `id` names, with its token ("17-89abcdef01234567") or by its number alone ("17").
 * EM_E_NOT_FOUND also for one that must not be seen. */
em_status em_past_find(em_workspace *ws, const char *id, bool all, em_arena *arena, em_row *row,
                       em_error *err);

/* Open the history if there is one; without one nothing is made, and there is nothing to be
 * seen. */
em_status em_past_open(em_workspace *ws, em_error *err);

/* The time of the clock, since 1970. */
em_status em_past_now(em_workspace *ws, int64_t *ms, em_error *err);

/* May the change of the file at this absolute path be told of: does it lie in a root, and do the
 * rules let it be read? EM_E_NOMEM. */
em_status em_past_may_tell(const em_workspace *ws, const char *path, bool *may);

/* Where the file of a row is: absolute. NULL when memory ran out. */
const char *em_past_path(const em_row *row, em_arena *arena);

/* What the history has of the row is damaged: `status`, which the caller chooses. */
em_status em_past_fail_damaged(const em_row *row, em_status status, em_error *err);

/* What a row did; without places where nothing was recorded. EM_E_INVALID where it is damaged. */
struct em_inverse;
em_status em_past_change(em_workspace *ws, const em_row *row, em_arena *arena,
                         struct em_inverse *change, em_error *err);

/* ---- Calls --------------------------------------------------------------------------------- */

/* What a call is that does this to its bases: what it does to all of them. One that undoes some and
 * redoes others, as a rewind may, is what it is said to be, `mixed`. */
em_role em_past_role_of(const em_base *bases, size_t count, em_role mixed);

/* All rows of one call, oldest first. */
typedef struct em_past_call {
    const char *name;
    em_role role; /* em_past_role_of() its bases */
    em_rows rows;
    bool whole;     /* false: some of its files must not be seen */
    em_base *bases; /* the calls that it undoes or redoes, newest first; none of an edit */
    size_t base_count;
} em_past_call;

/* What the call of a row is called; one that was not named is alone. NULL when memory ran out. */
const char *em_past_call_name(const em_row *row, em_arena *arena);

/* The call of a row, in `arena`. EM_E_IO: the history is damaged there; EM_E_NOT_FOUND: the row was
 * given up a moment ago. */
em_status em_past_call_of(em_workspace *ws, const em_row *row, em_arena *arena, em_past_call *call,
                          em_error *err);

/* The last call that undid or redid the edit `base`, as far as the row `until`; id 0: none did. */
typedef struct em_fate {
    int64_t id;       /* of its first row */
    em_role role;     /* what it did to it */
    const char *call; /* in `arena` */
    char shown[64];   /* that id, as it is shown */
} em_fate;
em_status em_past_fate(em_workspace *ws, const char *base, int64_t until, em_arena *arena,
                       em_fate *fate, em_error *err);

/* The first one behind the row `after`. */
em_status em_past_next(em_workspace *ws, const char *base, int64_t after, em_arena *arena,
                       em_fate *next, em_error *err);

/* The id of the first row of a call, as it is shown; "" where it is not there any more. In
 * `arena`. */
em_status em_past_call_id(em_workspace *ws, const char *call, em_arena *arena, const char **id,
                          em_error *err);

/* The outermost folder that was made for the file of this row, which had folders made: absolute, in
 * `arena`. NULL when memory ran out. */
const char *em_past_made_folder(const em_row *row, em_arena *arena);

/* Remove the folders that were made for the file of this row, as far as they are empty. */
void em_past_remove_folders(em_workspace *ws, const em_row *row);

/* A file was removed by a call that undoes others: remove the folders that those, or who redid
 * them, made for it, as far as they are empty. `removal` is the row of that; its origin says which
 * call it is of. */
void em_past_remove_undone_folders(em_workspace *ws, const em_row *removal);

/* Get ready for a change, as em_ws_open_file() does: what was interrupted is recovered. */
em_status em_past_settle(em_workspace *ws, em_error *err);

/* ---- Checkpoints --------------------------------------------------------------------------- */

typedef struct em_checkpoint {
    const char *name;
    int64_t id; /* the newest row when it was made */
    int64_t time_ms;
} em_checkpoint;

typedef struct em_checkpoints {
    em_checkpoint *items;
    size_t count;
} em_checkpoints;

enum { EM_CHECKPOINT_NAME = 200 /* bytes of a name, at most */ };

/* Give this moment a name, in the first root; an earlier one of that name is replaced. EM_E_INVALID
 * where it is empty or too long, EM_E_DENIED where nothing may be changed (--read-only). */
em_status em_past_mark(em_workspace *ws, const char *name, em_error *err);

/* Those of the first root, newest first, in `arena`. */
em_status em_past_marks(em_workspace *ws, em_arena *arena, em_checkpoints *marks, em_error *err);

/* Is all there that was done after the row `id`? False where some of it was forgotten. */
em_status em_past_is_whole(em_workspace *ws, int64_t id, bool *whole, em_error *err);

/* ---- Forgetting ---------------------------------------------------------------------------- */

/* How much is kept. */
typedef struct em_limits {
    int64_t age_ms; /* older changes go; 0: whatever their age */
    uint64_t bytes; /* of the database; the oldest go first; 0: whatever its size */
} em_limits;

#define EM_LIMITS_DEFAULT ((em_limits){.age_ms = 90LL * 24 * 3600 * 1000, .bytes = 256 << 20})

typedef struct em_forgotten {
    uint64_t rows, bytes; /* that went; of the file of the database */
    uint64_t waiting;     /* rows beyond the limits that stay: the disk may not have them yet */
} em_forgotten;

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

enum { EM_TIDY_EVERY = 512 /* changes */ };

/* Forget a little, of the history and of kept contents, if so much was recorded or kept since that
 * it may be time to. Failures are for the next time. For moments when nobody waits. */
void em_past_tidy(em_workspace *ws);

#endif
