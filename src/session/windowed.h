/* windowed.h: an edit of a file that is too large to be held.
 *
 * It is planned on an extract (survey.h), and comes out as it would on the whole file. What an
 * extract cannot tell (a text that does not stand there literally, a pattern, an encoding of two
 * bytes) is planned on the whole file, as far as that may be held.
 */
#ifndef EM_SESSION_WINDOWED_H
#define EM_SESSION_WINDOWED_H

#include "session/session.h"
#include "session/survey.h"

typedef struct em_windowed {
    em_workspace *ws;
    const em_edit_request *request;
    em_arena *arena;
    em_outcome *outcome;
    em_survey survey;
    em_scan_stretch *stretches; /* what the ops name by number */
    size_t stretch_count;
    size_t reach, margin; /* bytes that a search text reaches; and that an extract has around */
} em_windowed;

/* May the file of this request be a large one? EM_MAY_BE_LARGE, also EM_RATHER_LARGE where that is
 * quicker, or 0. */
unsigned em_windowed_flags(const em_edit_request *request);

/* Pass over the large file that was opened for the request: its hash is known then. What cannot be
 * done through a window is read whole: outcome->file.is_large says what it is. */
em_status em_windowed_open(em_windowed *w);

/* The extract that the ops are planned on, as outcome->text, or the file read whole. */
em_status em_windowed_text(em_windowed *w);

/* Plan the ops on the extract. *is_known false: the whole file has to be asked. */
em_status em_windowed_plan(em_windowed *w, em_policy policy, bool *is_known);

/* Read the file whole after all, as outcome->text; it is what it was when it was passed over. Where
 * that is too much, the failure that led to this stays, but tells nothing that is only known of the
 * extract: then *can is false. */
em_status em_windowed_load(em_windowed *w, bool *can);

/* Is it known that no search text of the request stands anywhere in the file literally? */
bool em_windowed_misses_all(const em_windowed *w);

/* Read it whole, without a failure before. */
em_status em_windowed_load_now(em_workspace *ws, em_outcome *outcome);

#endif
