/* found.h: places as they are found.
 *
 * All of them are counted, but kept are only the first: a text may stand at more places than
 * anything is done with.
 */
#ifndef EM_TEXT_FOUND_H
#define EM_TEXT_FOUND_H

#include "base/arena.h"
#include "text/span.h"

/* `(em_found){.most = so many}` has none yet. */
typedef struct em_found {
    size_t most;    /* that are kept; SIZE_MAX: all */
    em_spans spans; /* those that are */
    size_t total;   /* how many there are */
    size_t room;
} em_found;

/* One more, behind the others. EM_E_NOMEM only. */
em_status em_found_add(em_found *found, em_span span, em_arena *arena);

#endif
