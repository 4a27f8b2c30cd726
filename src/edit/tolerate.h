/* tolerate.h: an op whose search text does not stand there literally.
 *
 * Where the caller allows a tolerant tier and that finds the place, the edit is laid onto the
 * file's own writing. Everything else is a refusal that says what the file holds: already applied,
 * or a diagnosis.
 */
#ifndef EM_EDIT_TOLERATE_H
#define EM_EDIT_TOLERATE_H

#include "edit/plan.h"

/* An op, and the text of the moment. */
typedef struct em_toleration {
    const em_text *original;
    const em_lines *lines; /* of the original */
    const em_draft *draft;
    const em_policy *policy;
    const em_op *op;         /* one that searches, and not by a pattern */
    em_slice text;           /* all of the draft, until that changes */
    em_span within;          /* the part of `text` where the place must lie, */
    em_span part;            /* and its whole lines, which are searched */
    em_occurrences *excerpt; /* of `text`, where that is an excerpt (excerpt.h); else NULL. Refusals
                              are EM_E_NO_MATCH and say nothing then: they are for who has all of
                              the text. */
} em_toleration;

/* The places of the op by the tiers that the policy allows, from left to right, in *located: at
 * least one, but not always as many as expected, and where another one lies over the place, or the
 * fuzzy tier has no clear winner, the runner-up too (then without tokens). The failures of
 * em_plan_make(): EM_E_NO_MATCH, with *failure filled, and EM_E_TIMEOUT. */
em_status em_tolerate_find(const em_toleration *toleration, em_arena *arena, em_located *located,
                           em_plan_failure *failure, em_error *err);

/* What each of these places becomes, in *inserts, for located->places.count places that are as many
 * as expected. EM_E_NO_MATCH where they have become that already, or where the result cannot be
 * trusted; EM_E_INVALID / EM_CAUSE_ENCODING where the file cannot hold it. */
em_status em_tolerate_lay(const em_toleration *toleration, const em_located *located,
                          em_arena *arena, em_slice **inserts, em_plan_failure *failure,
                          em_error *err);

#endif
