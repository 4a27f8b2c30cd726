/* trace.h: where does a telling part of a search text stand, whatever the rest of it is?
 *
 * Where nothing in a file is half like a search text, something of it may stand there all the same:
 * some of its lines, or the words of one. Who refuses an edit names that place. It tells what the
 * file has, not what to edit: nothing is proposed for it.
 *
 * Telling is a line of the search text that stands there as a line, with those that follow it; and
 * a part of a line that is at least half of it or of the line where it stands. It begins and ends
 * where words do, has some length beside blanks and signs, and stands at few places.
 */
#ifndef EM_DIAGNOSIS_TRACE_H
#define EM_DIAGNOSIS_TRACE_H

#include "base/arena.h"
#include "base/deadline.h"
#include "text/span.h"

enum { EM_MOST_TRACES = 3 };

typedef struct em_traces {
    em_span items[EM_MOST_TRACES]; /* alike, from left to right: lines, or a part of a long one, and
                                      no blanks around it */
    size_t count;
} em_traces;

/* What tells most; none where nothing does. Time is linear in the text. EM_E_NOMEM; EM_E_TIMEOUT
 * when the deadline passed. */
em_status em_trace_find(em_slice text, em_slice find, em_deadline *deadline, em_traces *traces);

#endif
