#include "session/plan.h"

static em_status status_of(em_dom_code code)
{
    switch (code) {
    case EM_DOM_E_NO_MATCH:
        return EM_E_NO_MATCH;
    case EM_DOM_E_AMBIGUOUS:
    case EM_DOM_E_COUNT:
        return EM_E_COUNT;
    default:
        return EM_E_INVALID;
    }
}

/* The first operation that failed is what the call is said to have failed for. */
static em_status first_failure(em_outcome *outcome)
{
    size_t index = 0;
    if (outcome->dom.failed_count == 0)
        return EM_OK;
    while (outcome->dom.outcomes[index].status != EM_DOM_FAILED)
        index++;
    const em_dom_outcome *failed = &outcome->dom.outcomes[index];
    em_status status = em_fail(&outcome->error, status_of(failed->code), "%s", failed->reason);
    outcome->error.edit = (ptrdiff_t)index;
    return status;
}

static em_status plan_dom(const em_edit_request *request, em_plan_base base,
                          const em_policy *policy, em_arena *arena, em_outcome *outcome)
{
    em_dom_plan *dom = &outcome->dom;
    EM_TRY(em_dom_plan_make(base.text->body, request->dom_ops, request->dom_op_count,
                            policy->deadline, arena, dom, &outcome->error));
    em_status status = first_failure(outcome);
    if (status != EM_OK && policy->extent == EM_ALL_OR_NONE)
        return status;
    outcome->done = dom->op_count - dom->failed_count;
    outcome->plan.splices = dom->splices;
    return status;
}

em_status em_plan_request(const em_edit_request *request, em_plan_base base,
                          const em_policy *policy, em_arena *arena, em_outcome *outcome)
{
    em_policy then = *policy;
    if (request->dom_op_count > 0) {
        EM_TRY(plan_dom(request, base, policy, arena, outcome));
        then.before = outcome->dom.splices;
    }
    if (request->op_count == 0)
        return EM_OK;
    em_status status = em_plan_make(base.text, base.lines, &then, request->ops, request->op_count,
                                    arena, &outcome->plan, &outcome->failure, &outcome->error);
    bool keeps = status == EM_OK || policy->extent == EM_AS_FAR_AS_OK;
    outcome->done = keeps ? outcome->done + outcome->plan.op_count : 0;
    return status;
}
