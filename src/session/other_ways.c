/* other_ways.c: a call whose edits are looked for in the file as it was may hold as a sequence,
 * where one builds on another, or with two of them as one.
 */
#include "session/correct_impl.h"

#include "text/search.h"

/* Would these ops hold? What has taken too long does not. */
static em_status try_ops(const em_plan_request *ops, em_arena *arena, em_plan *plan, bool *hold)
{
    em_plan_failure failure;
    em_error error = EM_ERROR_INIT;
    em_policy quiet = *ops->policy;
    em_plan_request tried = *ops;
    quiet.keep_previews = false;
    tried.policy = &quiet;
    em_status status = em_plan_make(&tried, arena, plan, &failure, &error);
    *hold = status == EM_OK;
    return status == EM_E_NOMEM ? status : EM_OK;
}

/* The op before number `edit`, from 1, whose insert holds what that one searches for; 0. */
static size_t giver_of(const em_op *ops, size_t edit)
{
    em_slice find = ops[edit].find;
    for (size_t i = 0; i < edit && !em_op_is_pattern(&ops[edit]); i++)
        if (!em_op_is_pattern(&ops[i]) && em_slice_holds(ops[i].insert, find))
            return i + 1;
    return 0;
}

static bool stands_in(em_slice text, em_slice find)
{
    size_t end;
    if (em_slice_has_byte(find, '\n') && !em_slice_has_byte(find, '\r'))
        return em_find_any_eol(find, text, 0, &end) != EM_NPOS;
    return em_slice_holds(text, find);
}

/* Does `find` stand in the text once the ops before the one that searches for it are laid in? */
static em_status stands_after(const em_plan_request *earlier, em_slice find, em_arena *arena,
                              bool *stands)
{
    em_slice text, body = earlier->base.text->body;
    em_plan plan;
    bool hold = false;
    if (body.len <= EM_MOST_TRIED_BYTES)
        EM_TRY(try_ops(earlier, arena, &plan, &hold));
    if (!hold)
        return EM_OK;
    EM_TRY(em_splices_apply(body, plan.splices, arena, &text));
    *stands = stands_in(text, find);
    return EM_OK;
}

/* Is the one place that a corrected op takes of what the ops before it put in? Other words than
 * theirs may be those of a text that is nowhere. */
static bool is_of_earlier(const em_op *op, const em_diagnosis *diagnosis)
{
    const em_near *near = diagnosis->near;
    bool is_writing = diagnosis->miss >= EM_MISS_TABS && diagnosis->miss <= EM_MISS_CHARACTERS;
    return op->expect == 1 && is_writing && diagnosis->has_correction &&
           diagnosis->near_count > 0 && (near->is_changed || near->piece_inserted);
}

/* Does it fail in a sequence because the op at fault is written otherwise than what those before it
 * put in, or one behind it? Or does it only hold there since such a slip is allowed? */
static em_status fails_by_slip(const em_corrector *c, bool *is)
{
    em_plan plan;
    em_plan_failure failure = {0};
    em_error error = EM_ERROR_INIT;
    em_plan_request all = {c->planning->base, &c->policy, c->ops, c->count};
    const em_outcome *outcome = c->planning->outcome;
    size_t at_fault = (size_t)outcome->error.edit;
    em_status status = em_plan_make(&all, c->planning->arena, &plan, &failure, &error);
    if (status == EM_OK)
        *is = plan.places[at_fault].count == 1 && plan.places[at_fault].items[0].inserted;
    else if (error.edit == (ptrdiff_t)at_fault && failure.diagnosis)
        *is = is_of_earlier(&c->ops[at_fault], failure.diagnosis);
    else
        *is = outcome->builds_on_earlier && error.edit > (ptrdiff_t)at_fault;
    return status == EM_E_NOMEM ? status : EM_OK;
}

static bool leaves_some_out(const em_corrections *list)
{
    bool leaves = false;
    for (size_t i = 0; i < list->count; i++)
        leaves |= list->items[i].was_made_before;
    return leaves;
}

/* Do all hold in a sequence, once slips are mended in them? outcome->further has these then. */
static em_status correct_in_order(const em_planning *p)
{
    em_outcome *outcome = p->outcome;
    const em_diagnosis *diagnosis = outcome->failure.diagnosis;
    em_corrector c;
    bool is_slip, hold = false;
    if (p->base.text->body.len > EM_MOST_TRIED_BYTES || (diagnosis && diagnosis->has_correction))
        return EM_OK;
    EM_TRY(em_corrector_init(&c, p));
    c.policy.order = EM_SEQUENTIAL;
    EM_TRY(fails_by_slip(&c, &is_slip));
    if (is_slip)
        EM_TRY(em_corrector_run(&c, &hold));
    outcome->holds_otherwise = hold && !leaves_some_out(&outcome->further);
    if (!outcome->holds_otherwise) {
        outcome->further = (em_corrections){0};
        outcome->next = (em_next_failure){0};
    }
    return EM_OK;
}

static em_status note_giver(const em_planning *p)
{
    const em_op *ops = p->request->ops;
    em_outcome *outcome = p->outcome;
    size_t edit = (size_t)outcome->error.edit;
    em_plan plan;
    em_policy in_order = *p->policy;
    in_order.order = EM_SEQUENTIAL;
    em_plan_request all = {p->base, &in_order, ops, p->request->op_count}, earlier = all;
    earlier.op_count = edit;
    outcome->giver = giver_of(ops, edit);
    outcome->builds_on_earlier = outcome->giver > 0;
    if (outcome->giver == 0 && edit > 0)
        EM_TRY(stands_after(&earlier, ops[edit].find, p->arena, &outcome->builds_on_earlier));
    if (outcome->builds_on_earlier)
        EM_TRY(try_ops(&all, p->arena, &plan, &outcome->holds_otherwise));
    if (edit > 0 && !outcome->holds_otherwise)
        EM_TRY(correct_in_order(p));
    outcome->builds_on_earlier |= outcome->holds_otherwise;
    if (outcome->holds_otherwise)
        outcome->failure.diagnosis = NULL;
    return EM_OK;
}

em_status em_note_other_ways(const em_planning *planning)
{
    const em_error *error = &planning->outcome->error;
    if (planning->policy->order != EM_ORIGINAL || planning->request->dom_op_count > 0 ||
        error->edit < 0)
        return EM_OK;
    if (error->cause == EM_CAUSE_NOT_FOUND)
        return note_giver(planning);
    return error->cause == EM_CAUSE_OVERLAP ? em_note_overlap(planning) : EM_OK;
}
