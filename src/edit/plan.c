/* plan.c: ops -> splices.
 *
 * Each op is checked by itself, located in the draft (plan_locate.c), and turned into splices over
 * the draft. A sequence lays them in one by one, so that the next op sees them; ops on the original
 * are collected, and laid in together when all are known and none overlap. Either way the draft
 * then tells what separates it from the original, and that is the plan. Where no draft is needed
 * for it (at_once.c, or all that is planned is laid in together), there is none.
 */
#include "draft/by_lines.h"
#include "draft/stretch.h"
#include "edit/gathered.h"
#include "edit/plan_impl.h"
#include "edit/told_place.h"

/* ---- Laying a batch in --------------------------------------------------------------------- */

static em_span span_of(const em_splice *splice)
{
    return (em_span){splice->offset, splice->offset + splice->length};
}

static em_status refuse_overlap(const em_planner *p, const em_planned *earlier,
                                const em_planned *later)
{
    em_span wanted[] = {span_of(&earlier->splice), span_of(&later->splice)};
    p->failure->other_op = earlier->op;
    if (p->err)
        p->err->edit = (ptrdiff_t)later->op;
    EM_TRY(
        em_planner_matches_of(p, (em_spans){.items = wanted, .count = 2}, 2, &p->failure->places));
    return em_fail_cause(p->err, EM_E_OVERLAP, EM_CAUSE_OVERLAP,
                         "it wants bytes that edit %zu wants too", earlier->op + 1);
}

/* Two that overlap, of ops up to `last_op`. */
static bool find_overlap(const em_splice_batch *batch, size_t last_op, const em_planned *pair[2])
{
    pair[0] = NULL; /* of those before, the one that ends last */
    for (size_t i = 0; i < batch->count; i++) {
        pair[1] = &batch->items[i];
        if (pair[1]->op > last_op)
            continue;
        if (pair[0] && pair[1]->splice.offset < span_of(&pair[0]->splice).end)
            return true;
        if (!pair[0] || span_of(&pair[1]->splice).end >= span_of(&pair[0]->splice).end)
            pair[0] = pair[1];
    }
    return false;
}

/* At fault is the first op that overlaps one before it in the list. */
static em_status check_overlap(const em_planner *p, const em_splice_batch *batch)
{
    const em_planned *pair[2];
    size_t good = 0, bad = p->op_count;
    if (!find_overlap(batch, bad, pair))
        return EM_OK;
    while (bad - good > 1) {
        size_t middle = good + (bad - good) / 2;
        *(find_overlap(batch, middle, pair) ? &bad : &good) = middle;
    }
    find_overlap(batch, bad, pair);
    bool in_order = pair[0]->op < pair[1]->op;
    return refuse_overlap(p, pair[!in_order], pair[in_order]);
}

/* Note what the splices of one op are about to make of their lines. */
static em_status note_previews(em_planner *p, size_t op, em_splices splices)
{
    size_t from = 0;
    while (splices.count > 0) {
        if (p->plan.preview_count == EM_MAX_PREVIEWS) {
            p->plan.more_previews = true;
            return EM_OK;
        }
        em_stretch stretch;
        EM_TRY(em_stretch_make(&p->draft, splices, from, EM_LINE_REACH, p->arena, &stretch));
        bool inserted;
        size_t origin = em_draft_origin(&p->draft, span_of(&splices.items[0]), &inserted).start;
        p->plan.previews[p->plan.preview_count++] =
            (em_preview){op, em_lines_at(p->lines, origin), stretch.before, stretch.after};
        from = stretch.span.end;
        splices.items += stretch.taken;
        splices.count -= stretch.taken;
    }
    return EM_OK;
}

static em_status batch_note_previews(em_planner *p, const em_splice_batch *batch,
                                     const em_splice *splices)
{
    for (size_t i = 0, end = 0; i < batch->count; i = end) {
        while (end < batch->count && batch->items[end].op == batch->items[i].op)
            end++;
        EM_TRY(note_previews(p, batch->items[i].op, (em_splices){splices + i, end - i}));
    }
    return EM_OK;
}

/* Who is at fault for what is too large: the op since which it is. */
static void note_growth(em_planner *p, size_t last_op)
{
    if (em_file_growth_fits(&p->growth))
        p->outgrown_by = EM_NO_EDIT;
    else if (p->outgrown_by == EM_NO_EDIT)
        p->outgrown_by = (ptrdiff_t)last_op;
}

/* Would the file become too large by what the ops up to `last_op` want? */
static em_status check_growth(em_planner *p, size_t last_op, const em_splice_batch *batch)
{
    for (size_t i = 0; i < batch->count; i++)
        EM_TRY(
            em_file_growth_add(&p->growth, &p->draft, &batch->items[i].splice, &p->turn, p->err));
    note_growth(p, last_op);
    bool may_be_written = last_op + 1 == p->op_count || p->policy->extent == EM_AS_FAR_AS_OK;
    if (may_be_written ? em_file_growth_fits(&p->growth) : em_file_growth_is_bearable(&p->growth))
        return EM_OK;
    if (p->err)
        p->err->edit = p->outgrown_by;
    return em_fail(p->err, EM_E_TOO_LARGE, "it would have %zu bytes%s; at most %zu are allowed",
                   p->growth.now, may_be_written ? "" : " in between", p->growth.most);
}

/* Lay in what the ops up to `last_op` want. */
static em_status batch_apply(em_planner *p, size_t last_op, em_splice_batch *batch)
{
    EM_TRY(check_growth(p, last_op, batch));
    p->draft.inserts_behind = p->ops[last_op].kind == EM_OP_INSERT_AFTER;
    em_splice *splices = em_alloc_array(batch->arena, batch->count, sizeof *splices);
    if (!splices)
        return EM_E_NOMEM;
    for (size_t i = 0; i < batch->count; i++)
        splices[i] = batch->items[i].splice;
    if (p->policy->keep_previews)
        EM_TRY(batch_note_previews(p, batch, splices));
    em_splices all = {splices, batch->count};
    if (last_op + 1 < p->until_kept)
        EM_TRY(em_splices_by_lines(&p->draft, all, batch->arena, &all));
    return em_match_index_apply(p->match_index, last_op, all);
}

/* ---- The plan ------------------------------------------------------------------------------ */

static size_t places_to_tell(size_t most, size_t told, size_t count)
{
    size_t left = most > told ? most - told : 1;
    return most == 0 || count < left ? count : left;
}

size_t em_planner_places_to_tell(const em_planner *p, size_t count)
{
    return places_to_tell(p->policy->most_places, p->told, count);
}

void em_plan_limit_places(em_plan *plan, size_t most)
{
    size_t told = 0;
    for (size_t i = 0; i < plan->op_count; i++) {
        plan->places[i].count = places_to_tell(most, told, plan->places[i].count);
        told += plan->places[i].count;
    }
}

static em_status plan_op(em_planner *p, size_t index, em_splice_batch *batch)
{
    const em_op *op = &p->ops[index];
    em_spans found;
    if (p->err)
        p->err->edit = (ptrdiff_t)index;
    p->expanded = NULL;
    p->laid = NULL;
    p->located = (em_located){0};
    p->failure->expected = p->failure->actual = 0;
    p->failure->tier = EM_TIER_EXACT;
    EM_TRY(em_planner_check_op(p, op));
    EM_TRY(em_planner_locate(p, op, &found));
    EM_TRY(em_batch_add(p, index, found, batch));
    EM_TRY(em_planner_matches_of(p, found, em_planner_places_to_tell(p, found.count),
                                 &p->plan.places[index]));
    if (p->laid)
        EM_TRY(em_planner_declare_matches(p, found, &p->plan.places[index]));
    p->plan.replacements += found.count;
    p->told += p->plan.places[index].count;
    return EM_OK;
}

/* Lay in what all ops want, which is sorted and does not overlap: where nothing else is asked of
 * the draft, it can stay as it is. */
static em_status lay_in_all(em_planner *p, em_splice_batch *all)
{
    em_splice *trimmed;
    size_t last_op = p->op_count - 1;
    if (!em_planner_needs_no_draft(p))
        return batch_apply(p, last_op, all);
    EM_TRY(check_growth(p, last_op, all));
    EM_TRY(em_batch_join(all, p->arena));
    EM_TRY(
        em_planned_trim(em_planner_text_as_it_was(p), all->items, all->count, p->arena, &trimmed));
    em_planner_take(p, trimmed, all->count);
    return EM_OK;
}

static em_status plan_sequence(em_planner *p)
{
    bool done;
    EM_TRY(em_plan_at_once(p, &done));
    for (size_t i = 0; i < p->op_count && !done; i++) {
        em_splice_batch one = {.arena = &p->turn};
        EM_TRY(em_plan_everywhere(p, &i));
        if (i == p->op_count)
            break;
        size_t replacements = p->plan.replacements;
        EM_TRY(plan_op(p, i, &one));
        em_status status = p->op_count == 1 ? lay_in_all(p, &one) : batch_apply(p, i, &one);
        if (status != EM_OK) {
            p->plan.replacements = replacements;
            return status;
        }
        p->plan.op_count = i + 1;
        em_arena_clear(&p->turn);
    }
    return EM_OK;
}

static em_status plan_on_original(em_planner *p)
{
    em_splice_batch all = {.arena = p->arena};
    for (size_t i = 0; i < p->op_count; i++) {
        EM_TRY(plan_op(p, i, &all));
        p->plan.op_count = i + 1;
        em_arena_clear(&p->turn);
    }
    em_batch_sort(&all);
    EM_TRY(check_overlap(p, &all));
    return p->op_count > 0 ? lay_in_all(p, &all) : EM_OK;
}

static em_status planner_run(em_planner *p)
{
    p->plan.places = em_alloc_array(p->arena, p->op_count, sizeof *p->plan.places);
    if (p->policy->keep_previews)
        p->plan.previews = em_alloc_array(p->arena, EM_MAX_PREVIEWS, sizeof *p->plan.previews);
    if (!p->plan.places || (p->policy->keep_previews && !p->plan.previews))
        return EM_E_NOMEM;
    return p->policy->order == EM_SEQUENTIAL ? plan_sequence(p) : plan_on_original(p);
}

/* May there be a CR in the draft at some time? */
static bool may_have_cr(const em_planner *p, const em_gathered *gathered)
{
    if (gathered->may_insert_cr || p->lines->cr + p->lines->crlf > 0)
        return true;
    for (size_t i = 0; i < p->policy->before.count; i++)
        if (em_slice_has_byte(p->policy->before.items[i].insert, '\r'))
            return true;
    return false;
}

static em_status gather(const em_planner *p, em_gathered *gathered)
{
    const em_gathered *known = p->policy->gathered;
    if (!known || known->of != p->ops || known->count != p->op_count)
        return em_gather(p->ops, p->op_count, p->arena, gathered);
    *gathered = *known;
    return EM_OK;
}

static em_status lay_in_before(em_planner *p)
{
    em_splices before = p->policy->before;
    em_file_growth_init(&p->growth, p->text, p->policy->most_bytes);
    p->outgrown_by = EM_NO_EDIT;
    for (size_t i = 0; i < before.count; i++)
        EM_TRY(em_file_growth_add(&p->growth, &p->draft, &before.items[i], p->arena, p->err));
    return before.count > 0 ? em_draft_apply(&p->draft, before) : EM_OK;
}

static em_status planner_start(em_planner *p)
{
    em_gathered gathered;
    EM_TRY(gather(p, &gathered));
    p->ops = gathered.ops;
    p->until_kept = gathered.until_kept;
    p->texts_are_plain = gathered.are_plain;
    EM_TRY(em_draft_init(&p->draft, p->text->body, p->text->start));
    p->draft.texts = p->arena;
    EM_TRY(lay_in_before(p));
    if (gathered.may_omit)
        EM_TRY(em_planner_check_placeholders(p));
    p->may_have_cr = may_have_cr(p, &gathered);
    EM_TRY(em_match_index_new(&p->draft, p->ops, p->op_count, p->may_have_cr, &p->match_index));
    if (p->policy->passes == EM_PASSES_ALWAYS)
        em_match_index_set_worth(p->match_index, 0);
    return planner_run(p);
}

/* Is there a plan although an op failed? */
static bool keeps_plan(const em_planner *p, em_status status)
{
    return status == EM_OK || (p->policy->extent == EM_AS_FAR_AS_OK &&
                               p->policy->order == EM_SEQUENTIAL && status != EM_E_NOMEM);
}

static em_planner planner_of(const em_plan_request *request, em_arena *arena, em_error *err)
{
    return (em_planner){.text = request->base.text,
                        .lines = request->base.lines,
                        .policy = request->policy,
                        .ops = request->ops,
                        .op_count = request->op_count,
                        .arena = arena,
                        .err = err};
}

em_status em_plan_check(const em_plan_request *request, em_arena *arena, em_error *err)
{
    em_planner p = planner_of(request, arena, err);
    EM_TRY(em_draft_init(&p.draft, p.text->body, p.text->start));
    em_status status = em_planner_check_placeholders(&p);
    em_draft_drop(&p.draft);
    return status;
}

em_status em_plan_make(const em_plan_request *request, em_arena *arena, em_plan *plan,
                       em_plan_failure *failure, em_error *err)
{
    em_planner p = planner_of(request, arena, err);
    *plan = (em_plan){0};
    *failure = (em_plan_failure){0};
    p.failure = failure;
    em_status status = planner_start(&p);
    bool kept = keeps_plan(&p, status) &&
                (p.at_once || em_draft_splices(&p.draft, arena, &p.plan.splices) == EM_OK);
    em_match_index_free(p.match_index);
    em_arena_drop(&p.turn);
    em_draft_drop(&p.draft);
    if (kept)
        *plan = p.plan;
    else if (status == EM_OK)
        status = EM_E_NOMEM;
    if (status == EM_E_NOMEM)
        em_fail(err, status, "out of memory");
    if (status == EM_OK && err)
        err->edit = EM_NO_EDIT;
    return status;
}
