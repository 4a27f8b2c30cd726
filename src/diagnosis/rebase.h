/* rebase.h: an edit whose context is stale, carried over to what the file says now.
 *
 * Between a caller's reading and its edit somebody changed a line of the context; the lines that
 * the edit is about still stand. Nothing is applied then: the search text says something that is
 * not so, and the caller should know. But it can be told what to send.
 */
#ifndef EM_DIAGNOSIS_REBASE_H
#define EM_DIAGNOSIS_REBASE_H

#include "base/deadline.h"
#include "match/occurrences.h"
#include "text/span.h"
#include "text/text.h"

/* What an edit comes to in the text as it is. */
typedef struct em_rebased {
    em_span span;    /* of the text with what is before it; its bytes stand there once, literally */
    em_slice insert; /* what becomes of it; in the arena */
    em_span place;   /* whole lines: those that the edit is about; more of `span` makes it unique */
    em_span around;  /* these, and as many around them as the search text has */
} em_rebased;

/* Carry the edit `find` -> `insert` over to the text of `in`, where `find` does not stand. *done is
 * true only where every line that the edit removes, changes or goes between stands there, with most
 * of the search text around it, and nowhere else nearly as much of it. Else `place` and `around`
 * are where more of it may be left, if a line tells so, and empty if none does. `dominant` is the
 * file's line ending. EM_E_NOMEM; EM_E_TIMEOUT when the deadline passed. */
em_status em_rebase(em_occurrences *in, em_slice find, em_slice insert, em_eol dominant,
                    em_deadline *deadline, em_arena *arena, em_rebased *rebased, bool *done);

/* Widen `span` by whole lines of the text until its bytes are found there only once, from left to
 * right without overlap, and here; EM_E_NO_MATCH when a few dozen lines are not enough. */
em_status em_widen_until_unique(em_slice text, em_span *span);

#endif
