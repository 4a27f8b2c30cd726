#include "session/correct_impl.h"

/* Edits that planning again may take, each as often as it is planned. */
enum { MOST_EDITS = 4096 };

em_status em_corrector_init(em_corrector *c, const em_planning *planning)
{
    const em_edit_request *request = planning->request;
    em_arena *arena = planning->arena;
    size_t count = request->op_count;
    *c = (em_corrector){.planning = planning, .policy = *planning->policy, .count = count};
    c->policy.keep_previews = false;
    c->ops = em_alloc_array(arena, count, sizeof *c->ops);
    c->which = em_alloc_array(arena, count, sizeof *c->which);
    c->corrected = em_alloc_array(arena, count, sizeof *c->corrected);
    if (!c->ops || !c->which || !c->corrected)
        return EM_E_NOMEM;
    memcpy(c->ops, request->ops, count * sizeof *c->ops);
    for (size_t i = 0; i < count; i++)
        c->which[i] = i;
    return EM_OK;
}

/* Take the correction of the op at fault, if it has one and was not corrected before. */
static bool take(em_corrector *c, const em_plan_failure *failure, const em_error *error)
{
    const em_diagnosis *diagnosis = failure->diagnosis;
    if (error->edit < 0 || !diagnosis || !diagnosis->has_correction)
        return false;
    em_op *op = &c->ops[error->edit];
    bool *corrected = &c->corrected[c->which[error->edit]];
    if (*corrected || op->kind != EM_OP_REPLACE || em_op_is_pattern(op))
        return false;
    op->find = diagnosis->correction.find;
    op->insert = diagnosis->correction.insert;
    return *corrected = true;
}

void em_corrector_leave_out(em_corrector *c, size_t op)
{
    size_t behind = --c->count - op;
    memmove(&c->ops[op], &c->ops[op + 1], behind * sizeof *c->ops);
    memmove(&c->which[op], &c->which[op + 1], behind * sizeof *c->which);
}

/* What is to be said of the op at fault: can the others be looked at? */
static bool take_first(em_corrector *c)
{
    const em_outcome *outcome = c->planning->outcome;
    const em_error *error = &outcome->error;
    if (error->cause != EM_CAUSE_ALREADY_APPLIED || error->edit < 0)
        return take(c, &outcome->failure, error);
    em_corrector_leave_out(c, (size_t)error->edit);
    return true;
}

size_t em_corrector_rounds(const em_corrector *c)
{
    size_t by_edits = MOST_EDITS / c->planning->request->op_count;
    size_t by_bytes = EM_MOST_TRIED_BYTES / (c->planning->base.text->body.len + 1);
    return by_edits < by_bytes ? by_edits : by_bytes;
}

void em_corrector_note_next(const em_corrector *c, const em_plan_failure *failure,
                            const em_error *error, em_next_failure *next)
{
    if (error->edit < 0 || error->code == EM_E_TIMEOUT)
        return;
    *next = (em_next_failure){.is_known = true,
                              .op = c->which[error->edit],
                              .status = error->code,
                              .cause = error->cause,
                              .expected = failure->expected,
                              .actual = failure->actual};
}

em_status em_corrections_add(em_corrections *list, size_t *room, em_corrected corrected,
                             em_arena *arena)
{
    void *items = list->items;
    EM_TRY(em_arena_grow(arena, &items, list->count, room, sizeof *list->items));
    list->items = items;
    list->items[list->count++] = corrected;
    return EM_OK;
}

/* What is to be done about the op that fails now; false: nothing is known. */
static bool take_next(em_corrector *c, const em_plan_failure *failure, const em_error *error,
                      ptrdiff_t first, em_corrected *corrected)
{
    if (error->edit < 0)
        return false;
    *corrected = (em_corrected){.op = c->which[error->edit]};
    if (error->cause == EM_CAUSE_ALREADY_APPLIED && corrected->op > (size_t)first) {
        corrected->takes_away = c->ops[error->edit].insert.len == 0;
        em_corrector_leave_out(c, (size_t)error->edit);
        return corrected->was_made_before = true;
    }
    if (!take(c, failure, error))
        return false;
    corrected->texts = failure->diagnosis->correction;
    return true;
}

em_status em_corrector_run(em_corrector *c, bool *hold)
{
    em_outcome *outcome = c->planning->outcome;
    em_arena *arena = c->planning->arena;
    size_t room = 0, most = em_corrector_rounds(c);
    for (size_t round = 0; round < most && c->count > 0; round++) {
        em_plan plan;
        em_corrected corrected;
        em_plan_failure failure = {0};
        em_error error = EM_ERROR_INIT;
        em_plan_request again = {c->planning->base, &c->policy, c->ops, c->count};
        em_status status = em_plan_make(&again, arena, &plan, &failure, &error);
        *hold = status == EM_OK;
        if (status == EM_E_NOMEM)
            return status;
        bool is_left_out, is_joined;
        if (*hold) {
            EM_TRY(em_corrector_leave_out_made(c, &plan, &room, &is_left_out));
            if (!is_left_out)
                return EM_OK;
            continue;
        }
        EM_TRY(em_corrector_join(c, &failure, &error, &is_joined));
        if (is_joined)
            continue;
        if (!take_next(c, &failure, &error, outcome->error.edit, &corrected)) {
            em_corrector_note_next(c, &failure, &error, &outcome->next);
            return EM_OK;
        }
        EM_TRY(em_corrections_add(&outcome->further, &room, corrected, arena));
    }
    return EM_OK;
}

em_status em_correct_further(const em_planning *planning)
{
    const em_outcome *outcome = planning->outcome;
    em_corrector c;
    bool hold = false;
    if (planning->request->op_count < 2 || outcome->dom.failed_count > 0)
        return EM_OK;
    EM_TRY(em_corrector_init(&c, planning));
    if (planning->request->dom_op_count > 0)
        c.policy.before = outcome->dom.splices;
    if (!take_first(&c))
        return EM_OK;
    EM_TRY(em_corrector_run(&c, &hold));
    return em_corrector_tell_joined(&c, hold);
}
