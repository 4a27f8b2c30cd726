/* show.h: a change of the past, as a diff.
 *
 * What the history has of a change is enough to show it, whatever has become of the file since.
 * Only where a change was very large, or made by an early version of emend, the file as the change
 * left it is needed, and has to be found (past/versions.h).
 */
#ifndef EM_SESSION_SHOW_H
#define EM_SESSION_SHOW_H

#include "history/history.h"
#include "session/session.h"

typedef struct em_shown {
    const char *diff; /* unified, in the arena; "" where there is none */
    size_t lines_added, lines_removed;
    bool is_binary;     /* it is no text, so there is no diff */
    bool not_recorded;  /* how it was before is not known: it was too large */
    uint64_t missing;   /* so many new bytes are not kept: the diff lacks them */
    bool has_cut_lines; /* not all that stands around a place in its lines is kept: of some of the
                           diff's lines a part is shown */
} em_shown;

/* EM_E_IO (also: damaged), EM_E_TIMEOUT of the history; EM_E_NOMEM. */
em_status em_show_change(em_session *session, const em_row *row, em_arena *arena, em_shown *shown,
                         em_error *err);

/* A change in a line, for lists of many: the first place that it changed, and how much it changed
 * in all. Slices live in the arena and may be of any length. */
typedef struct em_brief {
    bool is_known;          /* false: it was not recorded, or it is too large to be looked at */
    bool is_binary;         /* it is no text: nothing of it is shown */
    size_t line;            /* of the first place, in the new content, from 1; 0: not known */
    em_slice before, after; /* what stands around it in its line */
    em_slice old, new;      /* what changed, in whole words, as far as it stands in one line */
    bool is_counted;        /* the two that follow are known */
    size_t lines_added, lines_removed;
} em_brief;

enum { EM_BRIEF_MOST = 4 << 20 /* bytes of a file before and after of which a change is told */ };

/* What the history alone has of it; files are not read. Fails like em_show_change(). */
em_status em_show_brief(em_session *session, const em_row *row, em_arena *arena, em_brief *brief,
                        em_error *err);

#endif
