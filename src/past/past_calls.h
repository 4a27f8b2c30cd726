/* past_calls.h: changes as they were made: by whole calls.
 *
 * A call that undoes another does not remove anything from the past: it is a call itself, which
 * says of which others (its bases) it is the undoing. So an undoing can be undone, and whether a
 * call is in effect is told by its fate, the last call that was about it.
 */
#ifndef EM_PAST_PAST_CALLS_H
#define EM_PAST_PAST_CALLS_H

#include "past/past.h"

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

#endif
