/* correct_overlap.c: edits that want the same text, as one (joined.h). */
#include "session/correct_impl.h"

#include "session/joined.h"

static bool is_same_op(const em_op *a, const em_op *b)
{
    return a->kind == b->kind && em_op_is_pattern(a) == em_op_is_pattern(b) &&
           a->expect == b->expect && a->first_line == b->first_line &&
           a->last_line == b->last_line && em_slice_eq(a->find, b->find) &&
           em_slice_eq(a->insert, b->insert);
}

/* Has the request the same op before this one? Not where that has become one with others. */
static bool is_sent_before(const em_corrector *c, size_t op)
{
    const em_op *ops = c->planning->request->ops;
    bool is = false, is_whole = !c->corrected[c->which[op]];
    for (size_t i = 0; i < c->which[op] && is_whole && !is; i++)
        is = is_same_op(&ops[i], &ops[c->which[op]]);
    return is;
}

/* Make the two ops one: the earlier in the list. The other goes, also where it was sent twice.
 * *failure and at_fault are of c->ops. */
static em_status join_two(em_corrector *c, const em_plan_failure *failure, size_t at_fault,
                          bool *done)
{
    em_correction texts;
    em_op *kept = &c->ops[failure->other_op];
    *done = is_sent_before(c, at_fault);
    if (!*done) {
        EM_TRY(em_join_ops(c->planning->base.text->body, kept, &c->ops[at_fault], failure,
                           c->planning->arena, &texts));
        *done = texts.find.len > 0;
        kept->find = *done ? texts.find : kept->find;
        kept->insert = *done ? texts.insert : kept->insert;
        c->corrected[c->which[failure->other_op]] |= *done;
    }
    if (*done)
        em_corrector_leave_out(c, at_fault);
    return EM_OK;
}

/* Those that are no longer what they were, and those that are left out, in the call's order. */
static em_status list_joined(const em_corrector *c, em_corrections *list)
{
    size_t room = 0, next = 0;
    em_arena *arena = c->planning->arena;
    for (size_t i = 0; i < c->planning->request->op_count; i++) {
        bool stays = next < c->count && c->which[next] == i;
        em_corrected op = {.op = i, .is_in_another = !stays};
        if (stays)
            op.texts = (em_correction){.find = c->ops[next].find, .insert = c->ops[next].insert};
        if (!stays || c->corrected[i])
            EM_TRY(em_corrections_add(list, &room, op, arena));
        next += stays;
    }
    return EM_OK;
}

em_status em_corrector_join(em_corrector *c, const em_plan_failure *failure, const em_error *error,
                            bool *done)
{
    em_outcome *outcome = c->planning->outcome;
    *done = false;
    if (error->cause != EM_CAUSE_OVERLAP || error->edit < 0)
        return EM_OK;
    EM_TRY(join_two(c, failure, (size_t)error->edit, done));
    if (*done && !c->joins) {
        c->further_before = outcome->further.count;
        em_corrector_note_next(c, failure, error, &c->next_before);
    }
    c->joins |= *done;
    return EM_OK;
}

em_status em_corrector_tell_joined(const em_corrector *c, bool hold)
{
    em_outcome *outcome = c->planning->outcome;
    if (!c->joins)
        return EM_OK;
    if (!hold) {
        outcome->further.count = c->further_before;
        outcome->next = c->next_before;
        return EM_OK;
    }
    outcome->further = (em_corrections){0};
    return list_joined(c, &outcome->joined);
}

/* Join ops as long as two overlap. *hold: do all hold then? */
static em_status join_all(em_corrector *c, bool *hold)
{
    const em_outcome *outcome = c->planning->outcome;
    em_plan_failure failure = outcome->failure;
    em_error error = outcome->error;
    size_t most = 1 + em_corrector_rounds(c);
    for (size_t round = 0; round < most && error.cause == EM_CAUSE_OVERLAP; round++) {
        em_plan plan;
        bool done;
        EM_TRY(join_two(c, &failure, (size_t)error.edit, &done));
        if (!done)
            return EM_OK;
        em_plan_request again = {c->planning->base, &c->policy, c->ops, c->count};
        error = EM_ERROR_INIT;
        em_status status = em_plan_make(&again, c->planning->arena, &plan, &failure, &error);
        *hold = status == EM_OK;
        if (status == EM_E_NOMEM)
            return status;
    }
    return EM_OK;
}

/* What is not written as the file has it cannot be made one with another text. So the ops are first
 * told as the file has them. */
static em_status note_overlap_of_others(const em_planning *p)
{
    em_outcome *outcome = p->outcome;
    em_corrector c;
    bool hold = false;
    EM_TRY(em_corrector_init(&c, p));
    c.policy.most = EM_TIER_EXACT;
    EM_TRY(em_corrector_run(&c, &hold));
    outcome->further = (em_corrections){0};
    outcome->next = (em_next_failure){0};
    outcome->holds_otherwise = hold && c.joins;
    return outcome->holds_otherwise ? list_joined(&c, &outcome->joined) : EM_OK;
}

em_status em_note_overlap(const em_planning *p)
{
    em_outcome *outcome = p->outcome;
    const em_op *ops = p->request->ops;
    em_corrector c;
    outcome->is_twin = is_same_op(&ops[outcome->error.edit], &ops[outcome->failure.other_op]);
    EM_TRY(em_corrector_init(&c, p));
    EM_TRY(join_all(&c, &outcome->holds_otherwise));
    if (outcome->holds_otherwise)
        return list_joined(&c, &outcome->joined);
    return p->policy->most > EM_TIER_EXACT ? note_overlap_of_others(p) : EM_OK;
}
