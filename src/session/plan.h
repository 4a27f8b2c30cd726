/* plan.h: all that a request asks of a text, as one plan.
 *
 * This is where edits of text and operations on elements meet: those on elements come first, and
 * the others see what they left.
 */
#ifndef EM_SESSION_PLAN_H
#define EM_SESSION_PLAN_H

#include "session/session.h"

/* A request, what it is planned on, and where what comes of it goes. */
typedef struct em_planning {
    const em_edit_request *request;
    em_plan_base base;       /* the file, or the version that the caller read */
    const em_policy *policy; /* the request's, and what is known of the call */
    em_arena *arena;         /* for what the outcome gets */
    em_outcome *outcome;
} em_planning;

/* Fills outcome->plan, ->dom, ->done, ->failure and ->error. What is done although something failed
 * is in the plan, as the policy says. Fails like em_plan_make(), and like the first operation on
 * elements that failed: EM_E_NO_MATCH, EM_E_COUNT, or EM_E_INVALID. */
em_status em_plan_call(const em_planning *planning);

/* The first operation on elements that failed is what the call is said to have failed for: fills
 * outcome->error from outcome->dom, and returns its status. EM_OK: none did. */
em_status em_plan_blame_element(em_outcome *outcome);

/* A plan that changes nothing has no splices: there is nothing to show and nothing to commit. */
void em_plan_drop_ineffective(em_outcome *outcome);

#endif
