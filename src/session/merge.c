/* merge.c: an edit is located in the version that was read, and carried over to the file.
 *
 * Begin with em_merge_plan(). Each step that fails says as a conflict why the edit cannot be
 * carried over; what is carried over by splices is then looked at again on the file as it is.
 */
#include "session/merge.h"

#include "past/versions.h"
#include "session/outcome.h"
#include "text/carry.h"

#include <stdarg.h>
#include <stdio.h>

/* ---- The version that was read -------------------------------------------------------------- */

/* Find it, and read it as text as the file is read. EM_E_CONFLICT where that cannot be: the error
 * says why. */
static em_status open_base(em_workspace *ws, const em_planning *p, em_merge *merge)
{
    const em_file *file = &p->outcome->file;
    const em_text *now = &p->outcome->text;
    em_error *err = &p->outcome->error;
    em_slice bytes;
    em_error why = EM_ERROR_INIT;
    em_status status = em_version_find(ws, file, merge->base, p->arena, &bytes, &why);
    if (status == EM_E_NOMEM)
        return status;
    if (status != EM_OK)
        return em_fail_cause(err, EM_E_CONFLICT, EM_CAUSE_CHANGED,
                             "its content has the hash %s, not the expected %s, and the version "
                             "that was read is not kept any more, so the edit cannot be carried "
                             "over",
                             file->hash.hex, merge->base.hex);
    status = em_text_open(bytes, p->request->encoding, p->arena, &merge->text, &why);
    if (status == EM_E_NOMEM)
        return status;
    if (status != EM_OK || strcmp(merge->text.charset, now->charset) != 0 ||
        merge->text.bom_length != now->bom_length)
        return em_fail_cause(err, EM_E_CONFLICT, EM_CAUSE_CHANGED,
                             "its encoding is not what it was when it was read");
    return em_lines_init(&merge->text, p->arena, &merge->lines);
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
static em_status carry_splice(carrying *c, const em_plan *plan, em_splice *splice)
{
    em_carry_conflict conflict, other;
    size_t to, start = splice->offset, end = start + splice->length;
    ptrdiff_t op;
    const em_match *place = place_around(plan, splice, &op);
    if (em_carry_around(&c->carry, splice, start, end, &to, &conflict))
        splice->offset = to;
    else if (place && em_carry_around(&c->carry, splice, place->start, place->end, &to, &other))
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
static em_status carry_splices(carrying *c, em_plan *plan)
{
    em_splice *items = em_alloc_array(c->arena, plan->splices.count, sizeof *items);
    em_status all = EM_OK;
    if (!items)
        return EM_E_NOMEM;
    for (size_t i = 0; i < plan->splices.count; i++) {
        items[i] = plan->splices.items[i];
        em_status status = c->whole ? carry_line(c, &items[i]) : carry_splice(c, plan, &items[i]);
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

/* The plan of the outcome, made on the base, as one on the file as it is. What became of its
 * operations on elements stays as it was there; *places: what each of them writes. */
static em_status carry_over(const em_merge *merge, const em_planning *on_base,
                            em_dom_places **places)
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
    em_status status = carry_splices(&c, plan);
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

/* ---- The plan ------------------------------------------------------------------------------ */

static void forget_plan(em_outcome *outcome)
{
    outcome->plan = (em_plan){0};
    outcome->failure = (em_plan_failure){0};
    outcome->dom = (em_dom_plan){0};
    outcome->done = 0;
}

/* What is wrong with an edit of the version that was read is not wrong with the file. An operation
 * on an element is named in words, since it is none of the request's ops. */
static em_status fail_on_base(const em_merge *merge, const em_planning *on_base, em_status status)
{
    em_outcome *outcome = on_base->outcome;
    em_error *err = &outcome->error;
    em_error was = *err;
    char which[64] = "";
    if (outcome->dom.failed_count > 0 && outcome->done > 0)
        return status; /* each says by itself what it failed for */
    if (outcome->dom.failed_count > 0) {
        snprintf(which, sizeof which, "DOM operation %td/%zu: ", was.edit + 1,
                 on_base->request->dom_op_count);
        err->edit = EM_NO_EDIT;
    }
    outcome->failure = (em_plan_failure){0};
    if (outcome->done == 0 || status == EM_E_NOMEM)
        forget_plan(outcome);
    if (status == EM_E_NOMEM)
        return status;
    const char *cause = em_cause_name(was.cause);
    return em_fail_cause(err, EM_E_CONFLICT, EM_CAUSE_CHANGED,
                         "in the version that was read (its hash is %s) the edit cannot be made "
                         "either: %s%s%s%s",
                         merge->base.hex, which, cause, *cause && was.detail[0] ? ": " : "",
                         was.detail);
}

/* ---- Is it still the only one? ---------------------------------------------------------- */

/* Lines that an op is kept to are those of the version that was read. */
static bool keeps_to_lines(const em_edit_request *request)
{
    for (size_t i = 0; i < request->op_count; i++)
        if (request->ops[i].first_line > 0 || request->ops[i].last_line > 0)
            return true;
    return false;
}

static em_status fail_ambiguous(const em_plan_failure *now, ptrdiff_t op, em_outcome *outcome)
{
    outcome->error.edit = op;
    return em_fail_cause(&outcome->error, EM_E_CONFLICT, EM_CAUSE_CHANGED,
                         "the search text stands there %zu times now, not %zu as in the version "
                         "that was read; search for more of the text around the place",
                         now->actual, now->expected);
}

/* Does what was searched for stand in the file as it is as often as in the version that was read?
 * Who asks for it now would be told that it is ambiguous. */
static em_status check_texts(const em_outcome *now, em_status status, em_outcome *outcome)
{
    bool is_text = status == EM_E_COUNT && now->dom.failed_count == 0;
    return is_text && now->failure.actual > now->failure.expected
               ? fail_ambiguous(&now->failure, now->error.edit, outcome)
               : EM_OK;
}

/* ---- Do the operations on elements do the same? ----------------------------------------------
 * They are planned anew on the file as it is, each kept to what it wrote in the version that was
 * read, so that the new bytes are those of a plan that was checked on the tree of that file. */

/* Operations that were not refused in the version that was read. */
typedef struct asked_again {
    em_dom_op *ops;
    size_t *which; /* the operation of the request */
    size_t count;
} asked_again;

static em_status ask_again(const em_planning *on_base, const em_dom_places *places,
                           asked_again *again)
{
    const em_dom_plan *dom = &on_base->outcome->dom;
    em_arena *arena = on_base->arena;
    *again = (asked_again){em_alloc_array(arena, dom->op_count, sizeof *again->ops),
                           em_alloc_array(arena, dom->op_count, sizeof *again->which), 0};
    if (!again->ops || !again->which)
        return EM_E_NOMEM;
    for (size_t i = 0; i < dom->op_count; i++) {
        if (dom->outcomes[i].status == EM_DOM_FAILED)
            continue;
        again->ops[again->count] = on_base->request->dom_ops[i];
        again->ops[again->count].only = &places[i];
        again->which[again->count++] = i;
    }
    return EM_OK;
}

/* The lines around an offset, with one before and one behind. */
static em_slice lines_around(const em_text *text, const em_lines *lines, size_t offset)
{
    size_t line = em_lines_at(lines, offset), count = em_lines_count(lines);
    em_slice content = em_lines_content(lines, line < count ? line + 1 : line);
    size_t start = em_lines_line(lines, line > 1 ? line - 1 : line).start;
    return em_slice_sub(text->body, start, (size_t)(content.ptr - text->body.ptr) + content.len);
}

/* What the first of its changes was to be made in, then and now. */
static void tell_around(const em_merge *merge, const em_dom_outcome *was,
                        const em_dom_places *places, em_outcome *outcome)
{
    if (was->change_count == 0)
        return;
    size_t line = em_lines_at(&outcome->lines, places->items[0].start);
    outcome->stale = (em_stale_lines){
        .are_told = true,
        .read = lines_around(&merge->text, &merge->lines, was->changes[0].before.start),
        .now = lines_around(&outcome->text, &outcome->lines, places->items[0].start),
        .line = line > 1 ? line - 1 : line};
}

static em_status fail_operation(em_outcome *outcome, size_t op, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static em_status fail_operation(em_outcome *outcome, size_t op, const char *format, ...)
{
    char why[sizeof outcome->error.detail];
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    outcome->error.edit = EM_NO_EDIT;
    return em_fail_cause(&outcome->error, EM_E_CONFLICT, EM_CAUSE_CHANGED,
                         "DOM operation %zu/%zu: %s", op + 1, outcome->dom.op_count, why);
}

static em_status check_operation(const em_dom_outcome *now, size_t op, em_outcome *outcome)
{
    const em_dom_outcome *was = &outcome->dom.outcomes[op];
    bool is_count = now->code == EM_DOM_E_AMBIGUOUS || now->code == EM_DOM_E_COUNT;
    if (now->status == EM_DOM_FAILED && is_count)
        return fail_operation(outcome, op,
                              "its selector matches %zu elements now, other than in the version "
                              "that was read; make it more specific",
                              now->matches);
    if (now->status == EM_DOM_FAILED)
        return fail_operation(outcome, op, "in the file as it is now it cannot be made: %s",
                              now->reason);
    /* Elements that have come may lack what the operation asks for. */
    size_t more = now->matches > was->matches ? now->matches - was->matches : 0;
    if (now->change_count == was->change_count && now->left_out <= more)
        return EM_OK;
    return fail_operation(outcome, op,
                          "what its selector matches now is not what it matched in the version "
                          "that was read");
}

static em_status writes_the_same(em_slice body, em_splices a, em_splices b, bool *same)
{
    EM_AUTO(em_arena) scratch = {0};
    em_slice with_a, with_b;
    EM_TRY(em_splices_apply(body, a, &scratch, &with_a));
    EM_TRY(em_splices_apply(body, b, &scratch, &with_b));
    *same = em_slice_eq(with_a, with_b);
    return EM_OK;
}

/* What became of the operations is then what becomes of them in the file as it is. */
static em_status check_elements(const em_merge *merge, const asked_again *again,
                                const em_dom_places *places, const em_dom_plan *now,
                                em_outcome *outcome)
{
    bool same;
    if (again->count == 0)
        return EM_OK;
    for (size_t i = 0; i < again->count; i++) {
        size_t op = again->which[i];
        em_status status = check_operation(&now->outcomes[i], op, outcome);
        if (status != EM_OK)
            tell_around(merge, &outcome->dom.outcomes[op], &places[op], outcome);
        EM_TRY(status);
    }
    EM_TRY(writes_the_same(outcome->text.body, outcome->dom.splices, now->splices, &same));
    if (!same)
        return fail_operation(outcome, again->which[0],
                              "with those behind it, it would not write what it would have written "
                              "in the version that was read");
    for (size_t i = 0; i < again->count; i++)
        outcome->dom.outcomes[again->which[i]] = now->outcomes[i];
    return EM_OK;
}

/* Would the file as it is, asked for the same, be changed in the same way? */
static em_status check_now(const em_merge *merge, const em_planning *on_base,
                           const em_dom_places *places)
{
    em_outcome now, *outcome = on_base->outcome;
    asked_again again;
    em_edit_request some = *on_base->request;
    em_planning on_file = *on_base;
    EM_TRY(ask_again(on_base, places, &again));
    some.dom_ops = again.ops;
    some.dom_op_count = again.count;
    if (keeps_to_lines(&some))
        some.op_count = 0;
    em_outcome_init(&now);
    on_file.request = &some;
    on_file.base = (em_plan_base){&outcome->text, &outcome->lines};
    on_file.outcome = &now;
    em_status status = em_plan_call(&on_file);
    if (status == EM_E_NOMEM)
        return status;
    if (again.count > 0 && !now.dom.outcomes) { /* nothing was planned, and the error says why */
        outcome->error = now.error;
        return status;
    }
    EM_TRY(check_elements(merge, &again, places, &now.dom, outcome));
    return check_texts(&now, status, outcome);
}

/* ---- The plan, carried over ------------------------------------------------------------------ */

/* Plan the first `count` ops, and carry over what is done of them. *carried: so it is, though it
 * may not be all. */
static em_status plan_ops(const em_merge *merge, const em_planning *on_base, size_t count,
                          bool *carried)
{
    em_outcome *outcome = on_base->outcome;
    em_edit_request some = *on_base->request;
    em_planning part = *on_base;
    some.op_count = count;
    part.request = &some;
    outcome->done = 0;
    outcome->stale = (em_stale_lines){.are_told = false};
    em_status planned = em_plan_call(&part);
    if (planned != EM_OK)
        planned = fail_on_base(merge, &part, planned);
    *carried = false;
    if (planned != EM_OK && outcome->done == 0)
        return planned;
    const em_error why = outcome->error;
    em_dom_places *places = NULL;
    em_status status = carry_over(merge, &part, &places);
    if (status == EM_OK)
        status = check_now(merge, &part, places);
    *carried = status == EM_OK;
    if (!*carried)
        return status;
    outcome->error = why;
    return planned;
}

/* How many ops are before the one whose lines are not there any more; 0 where none of them is to be
 * kept without it. */
static size_t ops_before(const em_planning *p)
{
    bool keeps = p->policy->extent == EM_AS_FAR_AS_OK && p->request->dom_op_count == 0;
    ptrdiff_t failed = p->outcome->error.edit;
    return keeps && failed > 0 ? (size_t)failed : 0;
}

/* plan_ops(), without the op that could not be carried over and those behind it; what became of
 * that one is what is told. */
static em_status plan_fewer(const em_merge *merge, const em_planning *on_base, size_t count,
                            bool *carried)
{
    em_outcome *outcome = on_base->outcome;
    const em_error why = outcome->error;
    const em_stale_lines stale = outcome->stale;
    EM_TRY(plan_ops(merge, on_base, count, carried));
    outcome->error = why;
    outcome->stale = stale;
    return EM_E_CONFLICT;
}

em_status em_merge_plan(em_merge *merge, em_workspace *ws, const em_planning *planning)
{
    em_outcome *outcome = planning->outcome;
    em_policy exact = *planning->policy;
    em_planning on_base = *planning;
    size_t count = planning->request->op_count;
    bool carried;
    exact.most = EM_TIER_EXACT;
    on_base.policy = &exact;
    on_base.base = (em_plan_base){&merge->text, &merge->lines};
    EM_TRY(open_base(ws, planning, merge));
    em_status status = plan_ops(merge, &on_base, count, &carried);
    while (!carried && status == EM_E_CONFLICT && (count = ops_before(&on_base)) > 0)
        status = plan_fewer(merge, &on_base, count, &carried);
    if (!carried) {
        forget_plan(outcome);
        return status;
    }
    outcome->merged = true;
    EM_TRY(em_warn(&outcome->warnings, planning->arena,
                   "The file had changed since the version with the hash %s was read: the change "
                   "was carried over to what it holds now",
                   merge->base.hex));
    return status;
}
