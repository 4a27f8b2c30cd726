#include "session/merge.h"

#include "text/carry.h"
#include "workspace/versions.h"

/* ---- The version that was read -------------------------------------------------------------- */

em_status em_merge_open(em_workspace *ws, const em_file *file, const em_text *now,
                        const char *encoding, em_arena *arena, em_merge *merge, em_error *err)
{
    em_slice bytes;
    em_error why = EM_ERROR_INIT;
    em_status status = em_version_find(ws, file, merge->base, arena, &bytes, &why);
    if (status == EM_E_NOMEM)
        return status;
    if (status != EM_OK)
        return em_fail_cause(err, EM_E_CONFLICT, EM_CAUSE_CHANGED,
                             "its content has the hash %s, not the expected %s, and the version "
                             "that was read is not kept any more, so the edit cannot be carried "
                             "over",
                             file->hash.hex, merge->base.hex);
    status = em_text_open(bytes, encoding, arena, &merge->text, &why);
    if (status == EM_E_NOMEM)
        return status;
    if (status != EM_OK || strcmp(merge->text.charset, now->charset) != 0 ||
        merge->text.bom_length != now->bom_length)
        return em_fail_cause(err, EM_E_CONFLICT, EM_CAUSE_CHANGED,
                             "its encoding is not what it was when it was read");
    return em_lines_init(&merge->text, arena, &merge->lines);
}

/* ---- Carrying over ------------------------------------------------------------------------- */

/* A plan on its way. */
typedef struct carrying {
    const em_merge *merge;
    const em_text *now;
    const em_lines *lines;
    em_carry carry;
    em_arena *arena;
    em_stale_lines *conflict;
    em_error *err;
    bool whole; /* a rewrite: no edit of several is at fault */
} carrying;

static em_status fail_at(const carrying *c, const em_carry_conflict *where, ptrdiff_t op)
{
    *c->conflict = (em_stale_lines){
        .are_told = true,
        .read = em_slice_sub(c->merge->text.body, where->base_start, where->base_end),
        .now = em_slice_sub(c->now->body, where->current_start, where->current_end),
        .line = em_lines_at(c->lines, where->current_start)};
    if (c->err)
        c->err->edit = c->whole ? EM_NO_EDIT : op;
    return em_fail_cause(
        c->err, EM_E_CONFLICT, EM_CAUSE_CHANGED,
        where->is_there    ? "what is to be written, or some of it, stands there already"
        : where->ambiguous ? "it is not plain any more which of several like lines is meant"
                           : "the lines to be changed are not what was read");
}

static em_status carry_place(const carrying *c, size_t op, em_match *place)
{
    em_carry_conflict conflict;
    size_t to, length = place->end - place->start;
    if (!em_carry_stretch(&c->carry, place->start, place->end, &to, &conflict))
        return fail_at(c, &conflict, (ptrdiff_t)op);
    place->start = to;
    place->end = to + length;
    return EM_OK;
}

/* The place that holds the splice, and of which op it is: NULL and EM_NO_EDIT if there is none. */
static const em_match *place_around(const em_plan *plan, const em_splice *splice, ptrdiff_t *op)
{
    for (size_t i = 0; i < plan->op_count; i++) {
        for (size_t j = 0; j < plan->places[i].count; j++) {
            const em_match *place = &plan->places[i].items[j];
            *op = (ptrdiff_t)i;
            if (!place->inserted && place->start <= splice->offset &&
                splice->offset + splice->length <= place->end)
                return place;
        }
    }
    *op = EM_NO_EDIT;
    return NULL;
}

/* A splice that cannot be carried alone, such as one between two lines, goes with the place that it
 * is in: all of that is where it was. `plan` still has the places of the base. Others may have
 * written the same there. */
static em_status carry_splice(const carrying *c, const em_plan *plan, em_splice *splice)
{
    em_carry_conflict conflict, other;
    size_t to, start = splice->offset, end = start + splice->length;
    ptrdiff_t op;
    const em_match *place = place_around(plan, splice, &op);
    if (em_carry_stretch(&c->carry, start, end, &to, &conflict))
        splice->offset = to;
    else if (place && em_carry_stretch(&c->carry, place->start, place->end, &to, &other))
        splice->offset += to - place->start;
    else
        return fail_at(c, &conflict, op);
    return em_carry_is_there(&c->carry, start, end, splice->insert, &conflict)
               ? fail_at(c, &conflict, op)
               : EM_OK;
}

/* A line of a rewrite has no place but its own. */
static em_status carry_line(const carrying *c, em_splice *splice)
{
    em_carry_conflict conflict;
    return em_carry_splice(&c->carry, splice, &splice->offset, &conflict)
               ? EM_OK
               : fail_at(c, &conflict, EM_NO_EDIT);
}

static em_status carry_splices(const carrying *c, em_plan *plan)
{
    em_splice *items = em_alloc_array(c->arena, plan->splices.count, sizeof *items);
    if (!items)
        return EM_E_NOMEM;
    for (size_t i = 0; i < plan->splices.count; i++) {
        items[i] = plan->splices.items[i];
        EM_TRY(c->whole ? carry_line(c, &items[i]) : carry_splice(c, plan, &items[i]));
    }
    plan->splices.items = items;
    return EM_OK;
}

static bool is_rewrite(const em_plan *plan, const em_op *ops)
{
    return plan->op_count == 1 && ops[0].kind == EM_OP_REWRITE;
}

/* Where a place stands now; one in inserted text is where that was inserted. */
static em_status carry_places(const carrying *c, const em_plan *plan, size_t op)
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

/* Where the stretch that an operation on an element wrote is now: with the splice that it is in,
 * and alone where the operations behind it left nothing of it. */
static em_status carry_stretch(const carrying *c, em_splices from, em_splices to, em_range stretch,
                               size_t *start)
{
    em_carry_conflict conflict;
    for (size_t i = 0; i < from.count; i++) {
        const em_splice *splice = &from.items[i];
        if (splice->offset <= stretch.start && stretch.end <= splice->offset + splice->length) {
            *start = stretch.start - splice->offset + to.items[i].offset;
            return EM_OK;
        }
    }
    if (!em_carry_stretch(&c->carry, stretch.start, stretch.end, start, &conflict))
        return fail_at(c, &conflict, EM_NO_EDIT);
    return EM_OK;
}

/* What is in front of a stretch has the same splices as before, so it moves alike in old and new.
 */
static em_status carry_dom(const carrying *c, em_splices from, em_splices to, em_dom_plan *dom)
{
    for (size_t i = 0; i < dom->op_count; i++) {
        for (size_t j = 0; j < dom->outcomes[i].change_count; j++) {
            em_dom_change *change = &dom->outcomes[i].changes[j];
            size_t was = change->before.start, start;
            EM_TRY(carry_stretch(c, from, to, change->before, &start));
            change->before = (em_range){start, start + (change->before.end - was)};
            change->after.start = change->after.start - was + start;
            change->after.end = change->after.end - was + start;
        }
    }
    return EM_OK;
}

/* The whole text is the place, whatever it holds. */
static void place_whole(const carrying *c, const em_plan *plan)
{
    em_match *place = plan->places[0].items;
    place->start = c->now->start;
    place->end = c->now->body.len;
}

em_status em_merge_carry(const em_merge *merge, const em_op *ops, const em_text *now,
                         const em_lines *lines, em_arena *arena, em_plan *plan, em_dom_plan *dom,
                         em_stale_lines *conflict, em_error *err)
{
    carrying c = {.merge = merge,
                  .now = now,
                  .lines = lines,
                  .arena = arena,
                  .conflict = conflict,
                  .err = err,
                  .whole = is_rewrite(plan, ops)};
    em_slice base = merge->text.body, none = {0};
    EM_TRY(em_carry_init(&c.carry, base, now->body, none, arena));
    if (c.whole) {
        EM_TRY(em_splices_widen(base, plan->splices, none, arena, &plan->splices));
        EM_TRY(em_splices_refine(base, plan->splices, none, arena, &plan->splices));
    }
    em_splices from = plan->splices;
    EM_TRY(carry_splices(&c, plan));
    EM_TRY(carry_dom(&c, from, plan->splices, dom));
    for (size_t i = 0; i < plan->op_count && !c.whole; i++)
        EM_TRY(carry_places(&c, plan, i));
    if (c.whole)
        place_whole(&c, plan);
    carry_previews(&c, plan);
    return EM_OK;
}
