/* show.h: a change of the past, as a diff.
 *
 * What the history has of a change is enough to show it, whatever has become of the file since.
 * Only where a change was very large, or made by an early version of emend, the file as the change
 * left it is needed, and has to be found (workspace/versions.h).
 */
#ifndef EM_SESSION_SHOW_H
#define EM_SESSION_SHOW_H

#include "session/session.h"
#include "workspace/past.h"

typedef struct em_shown {
    const char *diff; /* unified, in the arena; "" where there is none */
    size_t lines_added, lines_removed;
    bool is_binary;    /* it is no text, so there is no diff */
    bool not_recorded; /* how it was before is not known: it was too large */
    uint64_t missing;  /* so many new bytes are not kept: the diff lacks them */
} em_shown;

/* EM_E_IO (also: damaged), EM_E_TIMEOUT of the history; EM_E_NOMEM. */
em_status em_show_change(em_session *session, const em_row *row, em_arena *arena, em_shown *shown,
                         em_error *err);

#endif
