/* at_once.c: a sequence of which every op is located in the text as it was.
 *
 * What is found out on the way lies in an arena of its own, which the plan takes over where it is
 * one.
 */
#include "edit/plan_impl.h"

bool em_planner_needs_no_draft(const em_planner *p)
{
    return p->policy->before.count == 0 && !p->policy->keep_previews;
}

em_slice em_planner_text_as_it_was(const em_planner *p)
{
    return em_slice_from(p->text->body, p->text->start);
}

void em_planner_take(em_planner *p, em_splice *trimmed, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        em_splice splice = trimmed[i];
        splice.offset += p->text->start;
        if (splice.length > 0 || splice.insert.len > 0)
            trimmed[kept++] = splice;
    }
    p->at_once = true;
    p->plan.splices = (em_splices){trimmed, kept};
}

/* May a sequence be refused since the file becomes too large, be it on the way? The batch is in the
 * order of the ops still. */
static bool may_outgrow(const em_planner *p, const em_splice_batch *batch)
{
    em_file_growth growth = p->growth;
    for (size_t i = 0; i < batch->count; i++) {
        bool ends_op = i + 1 == batch->count || batch->items[i + 1].op != batch->items[i].op;
        if (em_file_growth_add(&growth, &p->draft, &batch->items[i].splice, p->arena, NULL) !=
                EM_OK ||
            (ends_op && !em_file_growth_fits(&growth)))
            return true;
    }
    return false;
}

/* matches_of() in a draft that is as it was. */
static em_status matches_as_it_was(const em_planner *p, em_spans spans, size_t most,
                                   em_matches *matches)
{
    size_t count = spans.count < most ? spans.count : most, start = p->text->start;
    *matches =
        (em_matches){em_alloc_array_raw(p->arena, count, sizeof(em_match)), count, spans.count};
    for (size_t i = 0; matches->items && i < count; i++) {
        matches->items[i] = (em_match){
            .start = start + spans.items[i].start, .end = start + spans.items[i].end, .score = 1};
    }
    return matches->items ? EM_OK : EM_E_NOMEM;
}

/* Does the op hold in the text as it was, for all that a pass over it tells? Then the batch has it.
 */
static em_status foresee_op(em_planner *p, size_t index, em_splice_batch *batch, bool *holds)
{
    const em_op *op = &p->ops[index];
    em_spans found;
    *holds = false;
    if (!em_op_searches(op) || em_op_is_pattern(op) || em_op_is_restricted(op))
        return EM_OK;
    em_status checked = em_planner_check_op(p, op);
    if (checked != EM_OK)
        return checked == EM_E_NOMEM ? checked : EM_OK;
    EM_TRY(em_match_index_foresee(p->match_index, index, &p->turn, &found, holds));
    *holds = *holds && found.count > 0 && found.count <= EM_MAX_PLACES &&
             (op->expect == EM_EVERY || found.count == op->expect);
    if (!*holds)
        return EM_OK;
    EM_TRY(em_batch_add(p, index, found, batch));
    EM_TRY(matches_as_it_was(p, found, em_planner_places_to_tell(p, found.count),
                             &p->plan.places[index]));
    p->plan.replacements += found.count;
    p->told += p->plan.places[index].count;
    em_arena_clear(&p->turn);
    return EM_OK;
}

static em_status foresee_all(em_planner *p, em_splice_batch *all, em_splice **trimmed, bool *hold)
{
    *hold = true;
    for (size_t i = 0; i < p->op_count && *hold; i++) {
        EM_TRY(foresee_op(p, i, all, hold));
        *hold = *hold &&
                em_may_be_independent(p->match_index, em_planner_text_as_it_was(p), all->count);
    }
    *hold = *hold && !may_outgrow(p, all);
    if (!*hold)
        return EM_OK;
    em_batch_sort(all);
    EM_TRY(
        em_planned_trim(em_planner_text_as_it_was(p), all->items, all->count, p->arena, trimmed));
    return em_are_independent(p->match_index, em_planner_text_as_it_was(p), all->items, *trimmed,
                              all->count, hold);
}

static bool may_be_at_once(const em_planner *p)
{
    bool is_worth_it = p->op_count >= EM_MANY_OPS || p->policy->passes == EM_PASSES_ALWAYS;
    return is_worth_it && p->policy->passes != EM_PASSES_NEVER && em_planner_needs_no_draft(p) &&
           !p->text->extract && !p->policy->is_missing;
}

/* What it takes is in the planner's arena. */
static em_status try_at_once(em_planner *p, bool *done)
{
    em_splice_batch all = {.room = p->op_count, .arena = p->arena};
    em_splice *trimmed = NULL;
    all.items = em_alloc_array_raw(p->arena, p->op_count, sizeof *all.items);
    if (!all.items)
        return EM_E_NOMEM;
    EM_TRY(foresee_all(p, &all, &trimmed, done));
    if (*done)
        em_planner_take(p, trimmed, all.count);
    return EM_OK;
}

em_status em_plan_at_once(em_planner *p, bool *done)
{
    EM_AUTO(em_arena) attempt = {0};
    em_arena *arena = p->arena;
    em_error *err = p->err;
    *done = false;
    if (!may_be_at_once(p))
        return EM_OK;
    p->arena = &attempt;
    p->err = NULL;
    em_status status = try_at_once(p, done);
    p->arena = arena;
    p->err = err;
    if (status == EM_OK && *done) {
        em_arena_take_over(arena, &attempt);
        p->plan.op_count = p->op_count;
    } else {
        p->plan.replacements = p->told = 0;
    }
    return status;
}
