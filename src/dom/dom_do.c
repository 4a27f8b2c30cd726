/* dom_do.c: one operation done: laid in at once, or kept with others that wait. */
#include "dom/dom_impl.h"
#include "html/elements.h"

/* ---- Laid in --------------------------------------------------------------------------------- */

static void move_noted(em_runner *r, const em_shift *shift)
{
    for (size_t i = 0; i < r->op_count; i++)
        for (size_t k = 0; k < r->outcomes[i].change_count; k++) {
            em_range *after = &r->outcomes[i].changes[k].after;
            after->start = em_shift_map(shift, after->start, true);
            after->end = em_shift_map(shift, after->end, false);
            if (after->end < after->start)
                after->end = after->start;
        }
}

/* Room for what the step writes, for each op that has a part in it. */
static em_status make_room(em_runner *r, const em_dom_step *step, em_arena *scratch)
{
    size_t *counts = em_alloc_array(scratch, r->op_count, sizeof *counts);
    if (!counts)
        return EM_E_NOMEM;
    for (size_t i = 0; i < step->count; i++)
        counts[step->edits[i].op]++;
    for (size_t i = 0; i < r->op_count; i++) {
        if (counts[i] == 0)
            continue;
        r->outcomes[i].changes = em_alloc_array(r->arena, counts[i], sizeof(em_dom_change));
        if (!r->outcomes[i].changes)
            return EM_E_NOMEM;
    }
    return EM_OK;
}

/* Note what was written, and move what was noted before. */
static em_status note_changes(em_runner *r, const em_dom_step *step, const em_range *before,
                              const em_shift *shift, em_arena *scratch)
{
    move_noted(r, shift);
    EM_TRY(make_room(r, step, scratch));
    for (size_t i = 0; i < step->count; i++) {
        size_t start = step->splices[i].offset + shift->grown[i];
        em_dom_outcome *outcome = &r->outcomes[step->edits[i].op];
        outcome->changes[outcome->change_count++] =
            (em_dom_change){before[i], (em_range){start, start + step->splices[i].insert.len}};
    }
    return EM_OK;
}

static em_status apply(em_runner *r, em_dom_step *step, em_arena *scratch)
{
    em_shift shift;
    em_range *before = em_alloc_array(scratch, step->count, sizeof *before);
    if (!before)
        return EM_E_NOMEM;
    em_origins origins = {.changes = &r->state.changes};
    for (size_t i = 0; i < step->count; i++)
        before[i] = em_dom_origin_of(&origins, &step->splices[i]);
    em_splices list = {step->splices, step->count};
    r->dropped.is_known = false;
    EM_TRY(em_page_state_apply(&r->state, step->edits, list, scratch, &shift));
    return note_changes(r, step, before, &shift, scratch);
}

em_status em_runner_apply_waiting(em_runner *r)
{
    EM_AUTO(em_arena) scratch = {0};
    em_together *waiting = &r->waiting;
    em_dom_step step = {.edits = waiting->edits, .count = waiting->count};
    if (step.count == 0)
        return EM_OK;
    step.splices = em_alloc_array(&scratch, step.count, sizeof *step.splices);
    if (!step.splices)
        return EM_E_NOMEM;
    em_dom_step_sort(&step);
    EM_TRY(apply(r, &step, &scratch));
    em_together_clear(waiting);
    return EM_OK;
}

/* ---- One operation --------------------------------------------------------------------------- */

/* Would the selector match something else once what waits is laid in, as far as can be told? */
static em_status is_moved(em_runner *r, const em_dom_op *op, em_arena *scratch, bool *moved)
{
    const em_selector *selector;
    em_selector_error unused;
    em_status status = em_selector_compile(op->selector, scratch, &selector, &unused);
    *moved = status != EM_OK || !em_together_leaves(&r->waiting, &r->state.page, selector);
    return status == EM_E_NOMEM ? status : EM_OK;
}

/* Has what the op comes to to do with what a parser may read otherwise than those before it meant?
 */
static bool is_unsure(const em_runner *r, size_t op, const em_dom_step *step)
{
    return r->state.unsure.count > 0 &&
           (r->outcomes[op].status == EM_DOM_FAILED ||
            em_unsure_meets(&r->state.unsure, step->edits, step->count));
}

/* While something waits that the op has nothing to do with. *done: so it was, and it waits too. */
static em_status do_beside(em_runner *r, size_t op, em_arena *scratch, bool *done)
{
    em_nodes nodes;
    em_dom_step step;
    bool moved;
    *done = false;
    EM_TRY(is_moved(r, &r->ops[op], scratch, &moved));
    if (moved)
        return EM_OK;
    EM_TRY(em_runner_plan(r, op, scratch, &nodes, &step));
    if (r->outcomes[op].status == EM_DOM_FAILED || is_unsure(r, op, &step) ||
        !em_together_fits(&r->waiting, &r->state.page, &r->ops[op], &nodes, step.edits, step.count))
        return EM_OK;
    *done = true;
    return em_together_add(&r->waiting, &r->state.page, &r->ops[op], step.edits, step.count);
}

em_status em_runner_do(em_runner *r, size_t op, em_arena *scratch)
{
    em_nodes nodes;
    em_dom_step step;
    bool done = false;
    em_runner_begin(r, NULL);
    EM_TRY(em_page_state_refresh(&r->state, r->deadline));
    if (r->state.broken)
        return EM_OK;
    EM_TRY(em_page_state_ask(&r->state));
    if (r->waiting.count > 0)
        EM_TRY(do_beside(r, op, scratch, &done));
    if (done)
        return EM_OK;
    EM_TRY(em_runner_apply_waiting(r));
    EM_TRY(em_page_state_refresh(&r->state, r->deadline));
    if (r->state.broken)
        return EM_OK;
    EM_TRY(em_runner_plan(r, op, scratch, &nodes, &step));
    if (is_unsure(r, op, &step)) {
        r->state.stale = true;
        EM_TRY(em_page_state_refresh(&r->state, r->deadline));
        if (r->state.broken)
            return EM_OK;
        EM_TRY(em_runner_plan(r, op, scratch, &nodes, &step));
    }
    if (step.count == 0 || r->outcomes[op].status == EM_DOM_FAILED)
        return EM_OK;
    if (em_together_fits(&r->waiting, &r->state.page, &r->ops[op], &nodes, step.edits, step.count))
        return em_together_add(&r->waiting, &r->state.page, &r->ops[op], step.edits, step.count);
    return apply(r, &step, scratch);
}

/* ---- Left out -------------------------------------------------------------------------------- */

static em_status fail_refused(em_runner *r, size_t op)
{
    r->outcomes[op].matches = r->trials[op].matches;
    return em_runner_fail(r, &r->outcomes[op], EM_DOM_E_GUARD, "%s", r->trials[op].reason);
}

/* An op that cannot be done wherever it leads: how many elements it means is told all the same. */
static em_status fail_untried(em_runner *r, size_t op, em_dom_code code, const char *why)
{
    EM_AUTO(em_arena) scratch = {0};
    em_dom_outcome *outcome = &r->outcomes[op];
    em_nodes found = {0};
    EM_TRY(em_runner_find_told(r, r->ops[op].selector, &scratch, &found));
    outcome->matches = found.count;
    const em_node *first = found.count > 0 ? found.items[0] : NULL;
    if (first && first->ns == EM_NS_HTML && em_html_is_raw_text(first->name)) {
        const char *name = em_arena_string(r->arena, first->name);
        if (!name)
            return EM_E_NOMEM;
        outcome->raw_text = em_slice_make(name, first->name.len);
    }
    return em_runner_fail(r, outcome, code, "%s", why);
}

static em_status fail_unwritable(em_runner *r, size_t op)
{
    r->outcomes[op].lacking = r->ops[op].lacking;
    return fail_untried(r, op, EM_DOM_E_ENCODING, r->ops[op].unwritable);
}

em_status em_runner_leave_out(em_runner *r, size_t op, const char *wrong)
{
    EM_TRY(em_runner_apply_waiting(r));
    r->outcomes[op].meant = r->ops[op].meant;
    if (wrong)
        return fail_untried(r, op, EM_DOM_E_ARGUMENT, wrong);
    return r->ops[op].unwritable ? fail_unwritable(r, op) : fail_refused(r, op);
}
