/* tally.h: how much was done, where and when: sums over the past.
 *
 * As in past.h, only what may be told of counts. Changes whose end is not known yet do not. The
 * whole history is passed over each time, so this is for who asks now and then.
 */
#ifndef EM_PAST_TALLY_H
#define EM_PAST_TALLY_H

#include "past/past.h"

/* What was done to one file. */
typedef struct em_file_tally {
    const char *root, *path; /* absolute; relative to it */
    uint64_t changes;
    int64_t last_id, last_ms; /* of the newest change */
    em_row_kind last_kind;
    uint64_t size; /* that it left, bytes */
} em_file_tally;

/* Those that were changed last come first. The sums are over all files, also beyond the limit. */
typedef struct em_file_tallies {
    em_file_tally *items;
    size_t count;
    uint64_t files, changes;
} em_file_tallies;

/* `most` files, in `arena`; none where there is no history. Fails as the history does. */
em_status em_past_tally_files(em_workspace *ws, size_t most, em_arena *arena,
                              em_file_tallies *tallies, em_error *err);

/* How many changes were made in each of `count` spans of `span_ms`, the first of which begins at
 * `since_ms`: added to `spans`. */
em_status em_past_tally_time(em_workspace *ws, int64_t since_ms, int64_t span_ms, uint64_t *spans,
                             size_t count, em_error *err);

#endif
