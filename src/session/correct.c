#include "session/correct.h"

#include "session/joined.h"
#include "text/search.h"

/* How much planning again may take, for an answer that failed anyway: edits, and bytes of the text,
 * each as often as it is done. */
enum { MOST_EDITS = 4096, MOST_BYTES = 64 << 20 };

typedef struct corrector {
    const em_planning *planning; /* that failed */
    em_policy policy;
    em_op *ops;    /* of the request, as far as they are corrected */
    size_t *which; /* of them each is, in the request */
    size_t count;
    bool *corrected; /* by their places in the request */
    bool joins;      /* some are one, before which was known: */
    size_t further_before;
    em_next_failure next_before;
} corrector;

/* Take the correction of the op at fault, if it has one and was not corrected before. */
static bool take(corrector *c, const em_plan_failure *failure, const em_error *error)
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

static void leave_out(corrector *c, size_t op)
{
    size_t behind = --c->count - op;
    memmove(&c->ops[op], &c->ops[op + 1], behind * sizeof *c->ops);
    memmove(&c->which[op], &c->which[op + 1], behind * sizeof *c->which);
}

/* What is to be said of the op at fault: can the others be looked at? */
static bool take_first(corrector *c)
{
    const em_outcome *outcome = c->planning->outcome;
    const em_error *error = &outcome->error;
    if (error->cause != EM_CAUSE_ALREADY_APPLIED || error->edit < 0)
        return take(c, &outcome->failure, error);
    leave_out(c, (size_t)error->edit);
    return true;
}

static size_t most_rounds(const corrector *c)
{
    size_t by_edits = MOST_EDITS / c->planning->request->op_count;
    size_t by_bytes = MOST_BYTES / (c->planning->base.text->body.len + 1);
    return by_edits < by_bytes ? by_edits : by_bytes;
}

/* A search that took too long proves nothing. */
static void note_next(const corrector *c, const em_plan_failure *failure, const em_error *error,
                      em_next_failure *next)
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

static em_status add(em_corrections *list, size_t *room, em_corrected corrected, em_arena *arena)
{
    void *items = list->items;
    EM_TRY(em_arena_grow(arena, &items, list->count, room, sizeof *list->items));
    list->items = items;
    list->items[list->count++] = corrected;
    return EM_OK;
}

/* What is to be done about the op that fails now; false: nothing is known. */
static bool take_next(corrector *c, const em_plan_failure *failure, const em_error *error,
                      ptrdiff_t first, em_corrected *corrected)
{
    if (error->edit < 0)
        return false;
    *corrected = (em_corrected){.op = c->which[error->edit]};
    if (error->cause == EM_CAUSE_ALREADY_APPLIED && corrected->op > (size_t)first) {
        corrected->takes_away = c->ops[error->edit].insert.len == 0;
        leave_out(c, (size_t)error->edit);
        return corrected->was_made_before = true;
    }
    if (!take(c, failure, error))
        return false;
    corrected->texts = failure->diagnosis->correction;
    return true;
}

/* ---- Ops that overlap ----------------------------------------------------------------------- */

static bool is_same_op(const em_op *a, const em_op *b)
{
    return a->kind == b->kind && em_op_is_pattern(a) == em_op_is_pattern(b) &&
           a->expect == b->expect && a->first_line == b->first_line &&
           a->last_line == b->last_line && em_slice_eq(a->find, b->find) &&
           em_slice_eq(a->insert, b->insert);
}

/* Has the request the same op before this one? Not where that has become one with others. */
static bool is_sent_before(const corrector *c, size_t op)
{
    const em_op *ops = c->planning->request->ops;
    bool is = false, is_whole = !c->corrected[c->which[op]];
    for (size_t i = 0; i < c->which[op] && is_whole && !is; i++)
        is = is_same_op(&ops[i], &ops[c->which[op]]);
    return is;
}

/* Make the two ops one: the earlier in the list. The other goes, also where it was sent twice.
 * *failure and at_fault are of c->ops. */
static em_status join_two(corrector *c, const em_plan_failure *failure, size_t at_fault, bool *done)
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
        leave_out(c, at_fault);
    return EM_OK;
}

/* Those that are no longer what they were, and those that are left out, in the call's order. */
static em_status list_joined(const corrector *c, em_corrections *list)
{
    size_t room = 0, next = 0;
    em_arena *arena = c->planning->arena;
    for (size_t i = 0; i < c->planning->request->op_count; i++) {
        bool stays = next < c->count && c->which[next] == i;
        em_corrected op = {.op = i, .is_in_another = !stays};
        if (stays)
            op.texts = (em_correction){.find = c->ops[next].find, .insert = c->ops[next].insert};
        if (!stays || c->corrected[i])
            EM_TRY(add(list, &room, op, arena));
        next += stays;
    }
    return EM_OK;
}

/* The op at fault wants text of another one. *done: they are one now. */
static em_status join_next(corrector *c, const em_plan_failure *failure, const em_error *error,
                           bool *done)
{
    em_outcome *outcome = c->planning->outcome;
    *done = false;
    if (error->cause != EM_CAUSE_OVERLAP || error->edit < 0)
        return EM_OK;
    EM_TRY(join_two(c, failure, (size_t)error->edit, done));
    if (*done && !c->joins) {
        c->further_before = outcome->further.count;
        note_next(c, failure, error, &c->next_before);
    }
    c->joins |= *done;
    return EM_OK;
}

/* With ops as one the call can be told as a whole. Where it would not hold so either, it is told as
 * far as it was known before. */
static em_status tell_joined(const corrector *c, bool hold)
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

/* ---- Ops behind the one at fault ------------------------------------------------------------ */

/* *hold: do all ops hold once they are corrected? */
static em_status correct_all(corrector *c, bool *hold)
{
    em_outcome *outcome = c->planning->outcome;
    em_arena *arena = c->planning->arena;
    size_t room = 0, most = most_rounds(c);
    for (size_t round = 0; round < most && c->count > 0; round++) {
        em_plan plan;
        em_corrected corrected;
        em_plan_failure failure = {0};
        em_error error = EM_ERROR_INIT;
        em_plan_request again = {c->planning->base, &c->policy, c->ops, c->count};
        em_status status = em_plan_make(&again, arena, &plan, &failure, &error);
        *hold = status == EM_OK;
        if (*hold || status == EM_E_NOMEM)
            return status;
        bool is_joined;
        EM_TRY(join_next(c, &failure, &error, &is_joined));
        if (is_joined)
            continue;
        if (!take_next(c, &failure, &error, outcome->error.edit, &corrected)) {
            note_next(c, &failure, &error, &outcome->next);
            return EM_OK;
        }
        EM_TRY(add(&outcome->further, &room, corrected, arena));
    }
    return EM_OK;
}

static em_status init(corrector *c, const em_planning *planning)
{
    const em_edit_request *request = planning->request;
    em_arena *arena = planning->arena;
    size_t count = request->op_count;
    *c = (corrector){.planning = planning, .policy = *planning->policy, .count = count};
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

em_status em_correct_further(const em_planning *planning)
{
    const em_outcome *outcome = planning->outcome;
    corrector c;
    bool hold = false;
    if (planning->request->op_count < 2 || outcome->dom.failed_count > 0)
        return EM_OK;
    EM_TRY(init(&c, planning));
    if (planning->request->dom_op_count > 0)
        c.policy.before = outcome->dom.splices;
    if (!take_first(&c))
        return EM_OK;
    EM_TRY(correct_all(&c, &hold));
    return tell_joined(&c, hold);
}

/* ---- Other ways ---------------------------------------------------------------------------- */

/* Would these ops hold? What has taken too long does not. */
static em_status try_ops(const em_plan_request *ops, em_arena *arena, em_plan *plan, bool *hold)
{
    em_plan_failure failure;
    em_error error = EM_ERROR_INIT;
    em_policy quiet = *ops->policy;
    em_plan_request tried = *ops;
    quiet.keep_previews = false;
    tried.policy = &quiet;
    em_status status = em_plan_make(&tried, arena, plan, &failure, &error);
    *hold = status == EM_OK;
    return status == EM_E_NOMEM ? status : EM_OK;
}

/* The op before number `edit`, from 1, whose insert holds what that one searches for; 0. */
static size_t giver_of(const em_op *ops, size_t edit)
{
    em_slice find = ops[edit].find;
    for (size_t i = 0; i < edit && !em_op_is_pattern(&ops[edit]); i++)
        if (!em_op_is_pattern(&ops[i]) && em_slice_holds(ops[i].insert, find))
            return i + 1;
    return 0;
}

static bool stands_in(em_slice text, em_slice find)
{
    size_t end;
    if (em_slice_has_byte(find, '\n') && !em_slice_has_byte(find, '\r'))
        return em_find_any_eol(find, text, 0, &end) != EM_NPOS;
    return em_slice_holds(text, find);
}

/* Does `find` stand in the text once the ops before the one that searches for it are laid in? */
static em_status stands_after(const em_plan_request *earlier, em_slice find, em_arena *arena,
                              bool *stands)
{
    em_slice text, body = earlier->base.text->body;
    em_plan plan;
    bool hold = false;
    if (body.len <= MOST_BYTES)
        EM_TRY(try_ops(earlier, arena, &plan, &hold));
    if (!hold)
        return EM_OK;
    EM_TRY(em_splices_apply(body, plan.splices, arena, &text));
    *stands = stands_in(text, find);
    return EM_OK;
}

/* Is the one place that a corrected op takes of what the ops before it put in? Other words than
 * theirs may be those of a text that is nowhere. */
static bool is_of_earlier(const em_op *op, const em_diagnosis *diagnosis)
{
    const em_near *near = diagnosis->near;
    bool is_writing = diagnosis->miss >= EM_MISS_TABS && diagnosis->miss <= EM_MISS_CHARACTERS;
    return op->expect == 1 && is_writing && diagnosis->has_correction &&
           diagnosis->near_count > 0 && (near->is_changed || near->piece_inserted);
}

/* Does it fail in a sequence because the op at fault is written otherwise than what those before it
 * put in, or one behind it? Or does it only hold there since such a slip is allowed? */
static em_status fails_by_slip(const corrector *c, bool *is)
{
    em_plan plan;
    em_plan_failure failure = {0};
    em_error error = EM_ERROR_INIT;
    em_plan_request all = {c->planning->base, &c->policy, c->ops, c->count};
    const em_outcome *outcome = c->planning->outcome;
    size_t at_fault = (size_t)outcome->error.edit;
    em_status status = em_plan_make(&all, c->planning->arena, &plan, &failure, &error);
    if (status == EM_OK)
        *is = plan.places[at_fault].count == 1 && plan.places[at_fault].items[0].inserted;
    else if (error.edit == (ptrdiff_t)at_fault && failure.diagnosis)
        *is = is_of_earlier(&c->ops[at_fault], failure.diagnosis);
    else
        *is = outcome->builds_on_earlier && error.edit > (ptrdiff_t)at_fault;
    return status == EM_E_NOMEM ? status : EM_OK;
}

static bool leaves_some_out(const em_corrections *list)
{
    bool leaves = false;
    for (size_t i = 0; i < list->count; i++)
        leaves |= list->items[i].was_made_before;
    return leaves;
}

/* Do all hold in a sequence, once slips are mended in them? outcome->further has these then. */
static em_status correct_in_order(const em_planning *p)
{
    em_outcome *outcome = p->outcome;
    const em_diagnosis *diagnosis = outcome->failure.diagnosis;
    corrector c;
    bool is_slip, hold = false;
    if (p->base.text->body.len > MOST_BYTES || (diagnosis && diagnosis->has_correction))
        return EM_OK;
    EM_TRY(init(&c, p));
    c.policy.order = EM_SEQUENTIAL;
    EM_TRY(fails_by_slip(&c, &is_slip));
    if (is_slip)
        EM_TRY(correct_all(&c, &hold));
    outcome->holds_otherwise = hold && !leaves_some_out(&outcome->further);
    if (!outcome->holds_otherwise) {
        outcome->further = (em_corrections){0};
        outcome->next = (em_next_failure){0};
    }
    return EM_OK;
}

static em_status note_giver(const em_planning *p)
{
    const em_op *ops = p->request->ops;
    em_outcome *outcome = p->outcome;
    size_t edit = (size_t)outcome->error.edit;
    em_plan plan;
    em_policy in_order = *p->policy;
    in_order.order = EM_SEQUENTIAL;
    em_plan_request all = {p->base, &in_order, ops, p->request->op_count}, earlier = all;
    earlier.op_count = edit;
    outcome->giver = giver_of(ops, edit);
    outcome->builds_on_earlier = outcome->giver > 0;
    if (outcome->giver == 0 && edit > 0)
        EM_TRY(stands_after(&earlier, ops[edit].find, p->arena, &outcome->builds_on_earlier));
    if (outcome->builds_on_earlier)
        EM_TRY(try_ops(&all, p->arena, &plan, &outcome->holds_otherwise));
    if (edit > 0 && !outcome->holds_otherwise)
        EM_TRY(correct_in_order(p));
    outcome->builds_on_earlier |= outcome->holds_otherwise;
    if (outcome->holds_otherwise)
        outcome->failure.diagnosis = NULL;
    return EM_OK;
}

/* Join ops as long as two overlap. *hold: do all hold then? */
static em_status join_all(corrector *c, bool *hold)
{
    const em_outcome *outcome = c->planning->outcome;
    em_plan_failure failure = outcome->failure;
    em_error error = outcome->error;
    size_t most = 1 + most_rounds(c);
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
    corrector c;
    bool hold = false;
    EM_TRY(init(&c, p));
    c.policy.most = EM_TIER_EXACT;
    EM_TRY(correct_all(&c, &hold));
    outcome->further = (em_corrections){0};
    outcome->next = (em_next_failure){0};
    outcome->holds_otherwise = hold && c.joins;
    return outcome->holds_otherwise ? list_joined(&c, &outcome->joined) : EM_OK;
}

/* The two are the same, or can be made one; and so others that overlap. */
static em_status note_overlap(const em_planning *p)
{
    em_outcome *outcome = p->outcome;
    const em_op *ops = p->request->ops;
    corrector c;
    outcome->is_twin = is_same_op(&ops[outcome->error.edit], &ops[outcome->failure.other_op]);
    EM_TRY(init(&c, p));
    EM_TRY(join_all(&c, &outcome->holds_otherwise));
    if (outcome->holds_otherwise)
        return list_joined(&c, &outcome->joined);
    return p->policy->most > EM_TIER_EXACT ? note_overlap_of_others(p) : EM_OK;
}

em_status em_note_other_ways(const em_planning *planning)
{
    const em_error *error = &planning->outcome->error;
    if (planning->policy->order != EM_ORIGINAL || planning->request->dom_op_count > 0 ||
        error->edit < 0)
        return EM_OK;
    if (error->cause == EM_CAUSE_NOT_FOUND)
        return note_giver(planning);
    return error->cause == EM_CAUSE_OVERLAP ? note_overlap(planning) : EM_OK;
}
