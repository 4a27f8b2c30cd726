/* correct_made.c: an edit that only adds lines finds its place again after it was made, literally.
 *
 *   insert b() before c()      ->   a(); b(); b(); c();
 *
 * By itself that proves nothing, since the caller may want them once more. But where another edit
 * of the same call was made before, all of the call was: then such an edit is not to be sent again.
 */
#include "session/correct_impl.h"

#include "laying/place_done.h"
#include "match/applied.h"
#include "text/search.h"

static bool is_any_made(const em_outcome *outcome)
{
    bool is = outcome->error.cause == EM_CAUSE_ALREADY_APPLIED;
    for (size_t i = 0; i < outcome->further.count && !is; i++)
        is = outcome->further.items[i].was_made_before;
    return is;
}

/* Does the replacement stand around the place of its search text already? */
static em_status stands_there(const em_corrector *c, const em_op *op, const em_match *match,
                              em_arena *arena, bool *stands)
{
    em_slice text = c->planning->base.text->body;
    em_deadline *deadline = c->policy.deadline;
    em_places found;
    *stands = false;
    EM_TRY(em_tolerant_find(em_slice_sub(text, match->start, match->end), op->find, op->insert,
                            EM_FOLD_NOTHING, deadline, arena, &found));
    if (found.count != 1)
        return EM_OK;
    em_places_move(found, match->start);
    EM_TRY(em_would_show(op->find, op->insert, deadline, arena, stands));
    return *stands ? em_place_is_done(text, &found.items[0], op->insert, deadline, arena, stands)
                   : EM_OK;
}

/* At all of its places, which it has in the text as it was? */
static em_status is_made(const em_corrector *c, const em_op *op, const em_matches *places,
                         em_arena *arena, bool *is)
{
    *is = op->kind == EM_OP_REPLACE && !em_op_is_pattern(op) && places->count > 0 &&
          places->count == places->total;
    for (size_t i = 0; i < places->count && *is; i++) {
        *is = !places->items[i].inserted && places->items[i].tier == EM_TIER_EXACT;
        if (*is)
            EM_TRY(stands_there(c, op, &places->items[i], arena, is));
    }
    return EM_OK;
}

/* The ops that this very call has done are none that were made before it. */
static size_t first_to_ask(const em_corrector *c)
{
    bool kept = c->policy.extent == EM_AS_FAR_AS_OK && !c->planning->request->dry_run;
    size_t done = kept ? (size_t)c->planning->outcome->error.edit : 0, first = 0;
    while (first < c->count && c->which[first] < done)
        first++;
    return first;
}

static em_status find_made(const em_corrector *c, const em_plan *plan, size_t *op)
{
    EM_AUTO(em_arena) scratch = {0};
    bool is = false;
    for (*op = first_to_ask(c); *op < plan->op_count; ++*op) {
        em_arena_clear(&scratch);
        em_status status = is_made(c, &c->ops[*op], &plan->places[*op], &scratch, &is);
        if (status != EM_OK || is)
            return status;
    }
    *op = EM_NPOS;
    return EM_OK;
}

/* Does the replacement stand in the file, once, wherever? */
static em_status stands(const em_corrector *c, const em_op *op, em_arena *arena, bool *is)
{
    em_needle needle;
    *is = op->kind == EM_OP_REPLACE && !em_op_is_pattern(op) && op->insert.len > 0;
    if (!*is)
        return EM_OK;
    em_needle_init(&needle, op->insert);
    *is = em_find_count(&needle, c->planning->base.text->body) == 1;
    return *is ? em_would_show(op->find, op->insert, c->policy.deadline, arena, is) : EM_OK;
}

/* Where all that is left of the call stands there, too, all of it may have been made: then the
 * search texts are found in siblings of what they were. Or the same is to be done to these: nobody
 * knows. */
static em_status doubt_siblings(const em_corrector *c)
{
    EM_AUTO(em_arena) scratch = {0};
    bool is = true;
    size_t first = first_to_ask(c);
    for (size_t i = first; i < c->count && is; i++) {
        em_arena_clear(&scratch);
        EM_TRY(stands(c, &c->ops[i], &scratch, &is));
    }
    if (is && first < c->count)
        c->planning->outcome->next =
            (em_next_failure){.is_known = true, .op = c->which[first], .may_be_made = true};
    return EM_OK;
}

em_status em_corrector_leave_out_made(em_corrector *c, const em_plan *plan, size_t *room,
                                      bool *done)
{
    em_outcome *outcome = c->planning->outcome;
    size_t op;
    *done = false;
    if (!is_any_made(outcome) || c->joins || c->policy.before.count > 0)
        return EM_OK;
    em_status status = find_made(c, plan, &op);
    if (status == EM_OK && op == EM_NPOS)
        status = doubt_siblings(c);
    if (status == EM_E_TIMEOUT || (status == EM_OK && op == EM_NPOS))
        return EM_OK;
    EM_TRY(status);
    em_corrected made = {.op = c->which[op], .was_made_before = true};
    em_corrector_leave_out(c, op);
    *done = true;
    return em_corrections_add(&outcome->further, room, made, c->planning->arena);
}
