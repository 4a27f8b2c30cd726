/* merge_carry.c: a plan for the version that was read becomes one for the file.
 *
 * All that it says is carried over: splices, places, previews, what operations on elements write.
 * Where several things cannot be, what is told is what the first op of the request failed for.
 */
#include "session/merge_impl.h"

#include "text/carry.h"

#include <stdlib.h>

/* Places of the base that touch. */
typedef struct joined_place {
    size_t start, end;
    ptrdiff_t op; /* of the first of them; EM_NO_EDIT: an operation on an element wrote it */
    bool are_several;
} joined_place;

/* A plan on its way. */
typedef struct carrying {
    const em_merge *merge;
    const em_text *now;
    const em_lines *lines;
    em_carry carry;
    em_arena *arena;
    em_stale_lines *conflict;
    em_error *err;
    joined_place *joined; /* in order, none touches the next */
    size_t joined_count;
    bool whole; /* a rewrite: no edit of several is at fault */
    bool has_failed;
    ptrdiff_t failed_op; /* the first one, in the order of the request */
} carrying;

/* What is told is what the first op at fault failed for; EM_NO_EDIT is before all. */
static em_status fail_at(carrying *c, const em_carry_conflict *where, ptrdiff_t op)
{
    if (c->whole)
        op = EM_NO_EDIT;
    if (c->has_failed && c->failed_op <= op)
        return EM_E_CONFLICT;
    c->has_failed = true;
    c->failed_op = op;
    *c->conflict = (em_stale_lines){
        .are_told = true,
        .read = em_slice_sub(c->merge->text.body, where->base_start, where->base_end),
        .now = em_slice_sub(c->now->body, where->current_start, where->current_end),
        .line = em_lines_at(c->lines, where->current_start)};
    if (c->err)
        c->err->edit = op;
    return em_fail_cause(
        c->err, EM_E_CONFLICT, EM_CAUSE_CHANGED,
        where->is_there    ? "what is to be written, or some of it, stands there already"
        : where->ambiguous ? "it is not plain any more which of several like lines is meant"
                           : "the lines to be changed are not what was read");
}

static em_status carry_place(carrying *c, size_t op, em_match *place)
{
    em_carry_conflict conflict;
    size_t to, length = place->end - place->start;
    if (!em_carry_stretch(&c->carry, place->start, place->end, &to, &conflict))
        return fail_at(c, &conflict, (ptrdiff_t)op);
    place->start = to;
    place->end = to + length;
    return EM_OK;
}

static int by_start(const void *left, const void *right)
{
    const joined_place *a = left, *b = right;
    return (a->start > b->start) - (a->start < b->start);
}

static size_t count_places(const em_outcome *outcome)
{
    size_t count = 0;
    for (size_t i = 0; i < outcome->plan.op_count; i++)
        count += outcome->plan.places[i].count;
    for (size_t i = 0; i < outcome->dom.op_count; i++)
        count += outcome->dom.outcomes[i].change_count;
    return count;
}

/* What the edits took, and what operations on elements wrote, in order. Returns how many; `items`
 * has room for all. */
static size_t collect_places(const em_outcome *outcome, joined_place *items)
{
    size_t count = 0;
    for (size_t i = 0; i < outcome->plan.op_count; i++) {
        for (size_t j = 0; j < outcome->plan.places[i].count; j++) {
            const em_match *place = &outcome->plan.places[i].items[j];
            if (!place->inserted)
                items[count++] = (joined_place){place->start, place->end, (ptrdiff_t)i, false};
        }
    }
    for (size_t i = 0; i < outcome->dom.op_count; i++) {
        for (size_t j = 0; j < outcome->dom.outcomes[i].change_count; j++) {
            em_range before = outcome->dom.outcomes[i].changes[j].before;
            items[count++] = (joined_place){before.start, before.end, EM_NO_EDIT, false};
        }
    }
    if (count > 1)
        qsort(items, count, sizeof *items, by_start);
    return count;
}

/* What is made of places that touch is one splice, without what it shares with the text at either
 * end: it says no more which of them brings what. So all of these go together. */
static em_status join_places(carrying *c, const em_outcome *outcome)
{
    joined_place *items = em_alloc_array(c->arena, count_places(outcome), sizeof *items);
    if (!items)
        return EM_E_NOMEM;
    size_t count = collect_places(outcome, items);
    for (size_t i = 0; i < count; i++) {
        joined_place *last = c->joined_count > 0 ? &items[c->joined_count - 1] : NULL;
        if (!last || last->end < items[i].start) {
            items[c->joined_count++] = items[i];
            continue;
        }
        last->are_several = true;
        last->end = items[i].end > last->end ? items[i].end : last->end;
    }
    c->joined = items;
    return EM_OK;
}

/* Those that hold the splice; NULL: none does. */
static const joined_place *places_around(const carrying *c, const em_splice *splice)
{
    size_t low = 0, high = c->joined_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (c->joined[middle].start <= splice->offset)
            low = middle + 1;
        else
            high = middle;
    }
    const joined_place *found = low > 0 ? &c->joined[low - 1] : NULL;
    return found && splice->offset + splice->length <= found->end ? found : NULL;
}

/* A splice that cannot be carried alone, such as one between two lines, goes with the place that it
 * is in: all of that is where it was. Others may have written the same there. */
static em_status carry_splice(carrying *c, em_splice *splice)
{
    em_carry_conflict conflict, other;
    size_t to, start = splice->offset, end = start + splice->length;
    const joined_place *place = places_around(c, splice);
    bool are_several = place && place->are_several;
    ptrdiff_t op = place && !are_several ? place->op : EM_NO_EDIT;
    if (!are_several && em_carry_around(&c->carry, splice, start, end, &to, &conflict))
        splice->offset = to;
    else if (place && em_carry_around(&c->carry, splice, place->start, place->end, &to,
                                      are_several ? &conflict : &other))
        splice->offset += to - place->start;
    else
        return fail_at(c, &conflict, op);
    return em_carry_is_there(&c->carry, start, end, splice->insert, &conflict)
               ? fail_at(c, &conflict, op)
               : EM_OK;
}

/* A line of a rewrite has no place but its own. */
static em_status carry_line(carrying *c, em_splice *splice)
{
    em_carry_conflict conflict;
    return em_carry_splice(&c->carry, splice, &splice->offset, &conflict)
               ? EM_OK
               : fail_at(c, &conflict, EM_NO_EDIT);
}

/* All are tried, so that the first op at fault is known. */
static em_status carry_splices(carrying *c, em_outcome *outcome)
{
    em_plan *plan = &outcome->plan;
    em_splice *items = em_alloc_array(c->arena, plan->splices.count, sizeof *items);
    em_status all = EM_OK;
    if (!items)
        return EM_E_NOMEM;
    EM_TRY(join_places(c, outcome));
    for (size_t i = 0; i < plan->splices.count; i++) {
        items[i] = plan->splices.items[i];
        em_status status = c->whole ? carry_line(c, &items[i]) : carry_splice(c, &items[i]);
        all = status == EM_OK ? all : status;
    }
    plan->splices.items = items;
    return all;
}

static bool is_rewrite(const em_plan *plan, const em_op *ops)
{
    return plan->op_count == 1 && ops[0].kind == EM_OP_REWRITE;
}

/* Where a place stands now; one in inserted text is where that was inserted. */
static em_status carry_places(carrying *c, const em_plan *plan, size_t op)
{
    em_matches *places = &plan->places[op];
    em_match *items = em_alloc_array(c->arena, places->count, sizeof *items);
    if (!items)
        return EM_E_NOMEM;
    for (size_t i = 0; i < places->count; i++) {
        items[i] = places->items[i];
        EM_TRY(carry_place(c, op, &items[i]));
    }
    places->items = items;
    return EM_OK;
}

static void carry_previews(const carrying *c, em_plan *plan)
{
    for (size_t i = 0; i < plan->preview_count; i++) {
        em_preview *preview = &plan->previews[i];
        em_carry_conflict ignored;
        size_t to, start = em_lines_line(&c->merge->lines, preview->line).start;
        if (em_carry_stretch(&c->carry, start, start + preview->before.len, &to, &ignored))
            preview->line = em_lines_at(c->lines, to);
    }
}

/* How many of them begin at `offset` or before it. */
static size_t splices_up_to(em_splices splices, size_t offset)
{
    size_t low = 0, high = splices.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (splices.items[middle].offset <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Where the stretch that an operation on an element wrote is now: with the splice that it is in,
 * and alone where the operations behind it left nothing of it. */
static em_status carry_stretch(carrying *c, em_splices from, em_splices to, em_range stretch,
                               size_t *start)
{
    em_carry_conflict conflict;
    size_t behind = splices_up_to(from, stretch.start);
    const em_splice *splice = behind > 0 ? &from.items[behind - 1] : NULL;
    if (splice && stretch.end <= splice->offset + splice->length) {
        *start = stretch.start - splice->offset + to.items[behind - 1].offset;
        return EM_OK;
    }
    if (!em_carry_stretch(&c->carry, stretch.start, stretch.end, start, &conflict))
        return fail_at(c, &conflict, EM_NO_EDIT);
    return EM_OK;
}

/* What is written for the operations on elements alone, as splices over the file as it is. */
static em_status carry_dom_splices(carrying *c, em_splices from, em_splices to, em_dom_plan *dom)
{
    em_splice *items = em_alloc_array(c->arena, dom->splices.count, sizeof *items);
    if (!items)
        return EM_E_NOMEM;
    for (size_t i = 0; i < dom->splices.count; i++) {
        items[i] = dom->splices.items[i];
        em_range stretch = {items[i].offset, items[i].offset + items[i].length};
        EM_TRY(carry_stretch(c, from, to, stretch, &items[i].offset));
    }
    dom->splices.items = items;
    return EM_OK;
}

/* Where the stretches that an operation on elements wrote are now. */
static em_status carry_changes(carrying *c, em_splices from, em_splices to,
                               const em_dom_outcome *outcome, em_dom_places *places)
{
    em_range *items = em_alloc_array(c->arena, outcome->change_count, sizeof *items);
    if (!items)
        return EM_E_NOMEM;
    for (size_t i = 0; i < outcome->change_count; i++) {
        em_range before = outcome->changes[i].before;
        EM_TRY(carry_stretch(c, from, to, before, &items[i].start));
        items[i].end = items[i].start + (before.end - before.start);
    }
    *places = (em_dom_places){items, outcome->change_count};
    return EM_OK;
}

static em_status carry_dom(carrying *c, em_splices from, em_splices to, em_dom_plan *dom,
                           em_dom_places **places)
{
    *places = em_alloc_array(c->arena, dom->op_count, sizeof **places);
    if (!*places)
        return EM_E_NOMEM;
    for (size_t i = 0; i < dom->op_count; i++)
        EM_TRY(carry_changes(c, from, to, &dom->outcomes[i], &(*places)[i]));
    return carry_dom_splices(c, from, to, dom);
}

/* The whole text is the place, whatever it holds. */
static void place_whole(const carrying *c, const em_plan *plan)
{
    em_match *place = plan->places[0].items;
    place->start = c->now->start;
    place->end = c->now->body.len;
}

em_status em_merge_carry(const em_merge *merge, const em_planning *on_base, em_dom_places **places)
{
    em_outcome *outcome = on_base->outcome;
    em_arena *arena = on_base->arena;
    em_plan *plan = &outcome->plan;
    carrying c = {.merge = merge,
                  .now = &outcome->text,
                  .lines = &outcome->lines,
                  .arena = arena,
                  .conflict = &outcome->stale,
                  .err = &outcome->error,
                  .whole = is_rewrite(plan, on_base->request->ops)};
    em_slice base = merge->text.body, none = {0};
    EM_TRY(em_carry_init(&c.carry, base, c.now->body, none, arena));
    if (c.whole) {
        EM_TRY(em_splices_widen(base, plan->splices, none, arena, &plan->splices));
        EM_TRY(em_splices_refine(base, plan->splices, none, arena, &plan->splices));
    }
    em_splices from = plan->splices;
    em_status status = carry_splices(&c, outcome);
    if (status == EM_OK)
        status = carry_dom(&c, from, plan->splices, &outcome->dom, places);
    for (size_t i = 0; i < plan->op_count && !c.whole && status != EM_E_NOMEM; i++) {
        em_status one = carry_places(&c, plan, i);
        status = one == EM_OK ? status : one;
    }
    EM_TRY(status);
    if (c.whole)
        place_whole(&c, plan);
    carry_previews(&c, plan);
    return EM_OK;
}
