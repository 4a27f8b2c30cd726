/* everywhere.c: ops in a row that replace something all over the text.
 *
 * A call may rename a name that stands in every line, then another one, and so on. What an op costs
 * over a draft is what its places and the draft's pieces cost; where there are as many of these as
 * lines, such ops have their turns over a sweep (draft/sweep.h) instead, and the draft goes on from
 * there when it is another kind's turn, or one fails and has to be told why.
 */
#include "draft/sweep.h"
#include "edit/plan_impl.h"
#include "edit/told_place.h"

/* A draft with a piece for so few bytes each, and so many of them, is dear to go on with, but for
 * an op that is known to have a few places. */
enum { LEAST_PIECES = 2048, BYTES_PER_PIECE = 256, FEW_PLACES = 16 };

/* Does an LF in it stand for an ending that may be another one in the file? */
static bool has_endings(const em_planner *p, em_slice text)
{
    return p->may_have_cr && (em_slice_has_byte(text, '\n') || em_slice_has_byte(text, '\r'));
}

/* Does it replace a text, wherever that stands, with the same bytes? */
static bool is_plain(const em_planner *p, size_t op)
{
    const em_op *o = &p->ops[op];
    return o->kind == EM_OP_REPLACE && !o->regex && o->find.len > 0 && !em_op_is_restricted(o) &&
           !has_endings(p, o->find) && !has_endings(p, o->insert);
}

/* Previews are of the draft, as far as there are more to come, and so is what later ops ask that
 * are kept to some lines. */
static bool may_sweep(const em_planner *p, size_t op)
{
    bool has_previews = !p->policy->keep_previews || p->plan.more_previews;
    return op < p->op_count && op >= p->until_kept && has_previews && !p->policy->is_missing &&
           !p->text->extract && is_plain(p, op);
}

static bool is_in_pieces(const em_planner *p, size_t pieces, size_t bytes)
{
    if (p->policy->passes == EM_PASSES_ALWAYS)
        return true;
    return pieces >= LEAST_PIECES && pieces >= bytes / BYTES_PER_PIECE;
}

/* Is it known that the op, whose turn is next, changes little of the draft? */
static bool has_few_places(const em_planner *p, size_t op)
{
    size_t few = p->policy->passes == EM_PASSES_ALWAYS ? 0 : FEW_PLACES;
    return em_match_index_most_places(p->match_index, op) <= few;
}

/* The first places, as em_tell_place() has them of a draft. `now` is one of the sweep's text. */
static em_status tell_places(em_planner *p, const em_sweep *sweep, em_matches *matches)
{
    EM_AUTO(em_draft) now;
    size_t count = em_planner_places_to_tell(p, sweep->place_count);
    *matches =
        (em_matches){em_alloc_array(p->arena, count, sizeof(em_match)), count, sweep->place_count};
    EM_TRY(em_draft_init(&now, em_sweep_text(sweep), 0));
    if (!matches->items)
        return EM_E_NOMEM;
    for (size_t i = 0; i < count; i++) {
        em_match *match = &matches->items[i];
        em_span span = {sweep->places[i], sweep->places[i] + sweep->place_length};
        em_span origin = em_sweep_origin(sweep, span, &match->inserted);
        match->start = origin.start;
        match->end = origin.end;
        match->score = 1;
        if (!match->inserted)
            continue;
        EM_TRY(em_tell_lines(&now, span, p->arena, match));
        EM_TRY(em_arena_keep(p->arena, &match->line_text)); /* the sweep does not last */
    }
    return EM_OK;
}

/* May the op be done as far as its places go? Who says why not is the op over the draft. */
static bool has_its_places(const em_planner *p, const em_sweep *sweep, size_t op)
{
    size_t expect = p->ops[op].expect, count = sweep->place_count;
    return count > 0 && count <= EM_MAX_PLACES && (expect == EM_EVERY || count == expect);
}

/* Do op number `op` over the sweep. *done false: it does not hold, or the file would become too
 * large; nothing was done. */
static em_status sweep_op(em_planner *p, em_sweep *sweep, size_t op, bool *done)
{
    const em_op *o = &p->ops[op];
    em_file_growth growth = p->growth;
    *done = false;
    if (em_planner_check_op(p, o) != EM_OK)
        return EM_OK;
    EM_TRY(em_sweep_find(sweep, o->find, EM_MAX_PLACES));
    if (!has_its_places(p, sweep, op))
        return EM_OK;
    EM_TRY(
        em_file_growth_replace(&growth, o->find, o->insert, sweep->place_count, &p->turn, p->err));
    if (!em_file_growth_fits(&growth))
        return EM_OK;
    EM_TRY(tell_places(p, sweep, &p->plan.places[op]));
    p->plan.replacements += sweep->place_count;
    EM_TRY(em_sweep_replace(sweep, o->insert));
    p->growth = growth;
    p->outgrown_by = EM_NO_EDIT;
    p->told += p->plan.places[op].count;
    p->plan.op_count = op + 1;
    *done = true;
    return EM_OK;
}

/* Have the ops from *op on their turns as long as they can; *op is the first that had none. */
static em_status sweep_ops(em_planner *p, em_sweep *sweep, size_t *op)
{
    bool done = true;
    while (may_sweep(p, *op) && is_in_pieces(p, 2 * sweep->change_count, sweep->length)) {
        if (p->err)
            p->err->edit = (ptrdiff_t)*op;
        EM_TRY(sweep_op(p, sweep, *op, &done));
        if (!done)
            return EM_OK;
        em_arena_clear(&p->turn);
        ++*op;
    }
    return EM_OK;
}

em_status em_plan_everywhere(em_planner *p, size_t *op)
{
    EM_AUTO(em_sweep) sweep = {0};
    size_t first = *op;
    if (!may_sweep(p, first) || !is_in_pieces(p, p->draft.piece_count, p->draft.length) ||
        has_few_places(p, first))
        return EM_OK;
    EM_TRY(em_sweep_init(&sweep, &p->draft));
    EM_TRY(sweep_ops(p, &sweep, op));
    if (*op == first)
        return EM_OK;
    em_match_index_pass_over(p->match_index, first, *op);
    return em_sweep_to_draft(&sweep, p->arena, &p->draft);
}
