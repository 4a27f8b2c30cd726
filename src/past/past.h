/* past.h: what was done, for those who want to see it, or to have it undone.
 *
 * Only changes of files inside the roots of the workspace, and that its rules let be read, are
 * there for who asks; all others are as if they had never been. A change of which it is not known
 * yet how it ended is among them (EM_ROW_PENDING), one that came to nothing is not.
 *
 * Here are single changes; past_calls.h has the calls that they were made by.
 */
#ifndef EM_PAST_PAST_H
#define EM_PAST_PAST_H

#include "history/history.h"
#include "workspace/workspace.h"

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

/* What the history has of the row is damaged: `status`, which the caller chooses. */
em_status em_past_fail_damaged(const em_row *row, em_status status, em_error *err);

/* What a row did; without places where nothing was recorded. EM_E_INVALID where it is damaged. */
struct em_inverse;
em_status em_past_change(em_workspace *ws, const em_row *row, em_arena *arena,
                         struct em_inverse *change, em_error *err);

#endif
