#include "session/correct.h"

/* How much planning again may take: edits, and bytes of the text, each as often as it is done. */
enum { MOST_EDITS = 4096, MOST_BYTES = 64 << 20 };

typedef struct corrector {
    const em_edit_request *request;
    em_plan_base base;
    em_policy policy;
    em_arena *arena;
    em_op *ops;      /* of the request, as far as they are corrected */
    bool *corrected; /* which of them are */
} corrector;

/* Take the correction of the op at fault, if it has one and was not corrected before. */
static bool take(corrector *c, const em_plan_failure *failure, const em_error *error)
{
    const em_diagnosis *diagnosis = failure->diagnosis;
    if (error->edit < 0 || !diagnosis || !diagnosis->has_correction || c->corrected[error->edit] ||
        c->ops[error->edit].kind != EM_OP_REPLACE || c->ops[error->edit].regex)
        return false;
    em_op *op = &c->ops[error->edit];
    op->find = diagnosis->correction.find;
    op->insert = diagnosis->correction.insert;
    return c->corrected[error->edit] = true;
}

static size_t most_rounds(const corrector *c)
{
    size_t by_edits = MOST_EDITS / c->request->op_count;
    size_t by_bytes = MOST_BYTES / (c->base.text->body.len + 1);
    return by_edits < by_bytes ? by_edits : by_bytes;
}

static em_status add(em_corrections *list, size_t *room, size_t op, const em_correction *texts,
                     em_arena *arena)
{
    void *items = list->items;
    EM_TRY(em_arena_grow(arena, &items, list->count, room, sizeof *list->items));
    list->items = items;
    list->items[list->count++] = (em_corrected){op, *texts};
    return EM_OK;
}

static em_status correct_all(corrector *c, em_corrections *further)
{
    size_t room = 0, most = most_rounds(c);
    for (size_t round = 0; round < most; round++) {
        em_plan plan;
        em_plan_failure failure = {0};
        em_error error = EM_ERROR_INIT;
        em_status status = em_plan_make(c->base.text, c->base.lines, &c->policy, c->ops,
                                        c->request->op_count, c->arena, &plan, &failure, &error);
        if (status == EM_E_NOMEM)
            return status;
        if (status == EM_OK || !take(c, &failure, &error))
            return EM_OK;
        EM_TRY(add(further, &room, (size_t)error.edit, &failure.diagnosis->correction, c->arena));
    }
    return EM_OK;
}

em_status em_correct_further(const em_edit_request *request, em_plan_base base,
                             const em_policy *policy, em_arena *arena, em_outcome *outcome)
{
    corrector c = {.request = request, .base = base, .policy = *policy, .arena = arena};
    if (request->op_count < 2 || outcome->dom.failed_count > 0)
        return EM_OK;
    if (request->dom_op_count > 0)
        c.policy.before = outcome->dom.splices;
    c.policy.keep_previews = false;
    c.ops = em_alloc_array(arena, request->op_count, sizeof *c.ops);
    c.corrected = em_alloc_array(arena, request->op_count, sizeof *c.corrected);
    if (!c.ops || !c.corrected)
        return EM_E_NOMEM;
    memcpy(c.ops, request->ops, request->op_count * sizeof *c.ops);
    return take(&c, &outcome->failure, &outcome->error) ? correct_all(&c, &outcome->further)
                                                        : EM_OK;
}
