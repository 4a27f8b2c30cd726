#include "edit/sent_before.h"

static bool is_same_replacement(const em_op *a, const em_op *b)
{
    return a->kind == EM_OP_REPLACE && b->kind == EM_OP_REPLACE && !a->regex && !b->regex &&
           a->expect == b->expect && !em_op_is_restricted(a) && !em_op_is_restricted(b) &&
           em_slice_eq(a->find, b->find) && em_slice_eq(a->insert, b->insert);
}

/* Is there a place that no op has touched, at which a slip of this one may be meant? */
static bool has_other_place(const em_diagnosis *diagnosis)
{
    return diagnosis && diagnosis->has_correction && diagnosis->near_count > 0 &&
           diagnosis->near[0].stands;
}

const em_op *em_sent_before(const em_planner *p, const em_op *op)
{
    const em_op *same = NULL;
    if (p->policy->order == EM_SEQUENTIAL && !has_other_place(p->failure->diagnosis))
        for (const em_op *other = p->ops; other < op && !same; other++)
            same = is_same_replacement(other, op) ? other : NULL;
    return same;
}

em_status em_refuse_sent_before(em_planner *p, const em_op *same)
{
    const em_matches *places = &p->plan.places[same - p->ops];
    p->failure->diagnosis = NULL;
    p->failure->inserted = true;
    p->failure->line = places->count > 0 ? em_lines_at(p->lines, places->items[0].start) : 0;
    return em_fail_cause(p->err, EM_E_NO_MATCH, EM_CAUSE_ALREADY_APPLIED,
                         "the same replacement was made before, at line %zu", p->failure->line);
}
