/* dom.c: operation by operation: find what it is about, plan the edits, lay them in; then the guard
 * has a look. */
#include "base/strbuf.h"
#include "dom/dom_impl.h"
#include "dom/guard.h"
#include "html/elements.h"
#include "html/tag.h"

#include <stdlib.h>

/* What explanations may take, of all ops together, where there is a deadline. */
enum { HINTS_MS = 500 };

/* What planning an edit costs in the deadline's measure. */
enum { EDIT_WORK = 1 << 8 };

/* How often an op was tried: as it is, then with end tags that the page leaves out. */
enum { AS_IT_IS, WITH_END_TAGS, REFUSED };

/* ---- Arguments ------------------------------------------------------------------------------- */

/* What an action needs of its op. */
typedef struct em_need {
    bool attr, value, class_value, both_classes, position;
} em_need;

static const em_need needs[] = {
    [EM_DOM_SET_ATTRIBUTE] = {.attr = true, .value = true},
    [EM_DOM_REMOVE_ATTRIBUTE] = {.attr = true},
    [EM_DOM_SET_TEXT] = {.value = true},
    [EM_DOM_SET_HTML] = {.value = true},
    [EM_DOM_ADD_CLASS] = {.class_value = true},
    [EM_DOM_REMOVE_CLASS] = {.class_value = true},
    [EM_DOM_REPLACE_CLASS] = {.both_classes = true},
    [EM_DOM_REMOVE] = {0},
    [EM_DOM_INSERT_ADJACENT_HTML] = {.value = true, .position = true},
};

/* The first thing that is wrong with an op; NULL: nothing. */
static const char *missing(const em_dom_op *op)
{
    const struct {
        em_slice text;
        const char *wrong;
    } texts[] = {
        {op->selector, "there is a NUL in \"selector\""},
        {op->attr, "there is a NUL in \"attr\""},
        {op->value, "there is a NUL in \"value\", and no page can hold one"},
        {op->old_class, "there is a NUL in \"oldClass\""},
        {op->new_class, "there is a NUL in \"newClass\", and no page can hold one"},
    };
    if (op->action >= EM_DOM_NO_ACTION)
        return "there is no such action; there are setAttribute, removeAttribute, setText, "
               "setHTML, "
               "addClass, removeClass, replaceClass, remove and insertAdjacentHTML";
    const em_need *need = &needs[op->action];
    if (!op->selector.ptr)
        return "\"selector\" is missing";
    if (op->unusable)
        return op->unusable;
    if (need->attr && !op->attr.ptr)
        return "\"attr\", the name of the attribute, is missing";
    if (need->value && !op->value.ptr)
        return op->action == EM_DOM_SET_ATTRIBUTE
                   ? "\"value\" is missing; to take the attribute away use removeAttribute"
                   : "\"value\" is missing";
    if (need->class_value && em_html_blank(op->value))
        return "\"value\" names no class";
    if (need->both_classes && (em_html_blank(op->old_class) || em_html_blank(op->new_class)))
        return "\"oldClass\" and \"newClass\" must each name a class";
    if (need->position && op->position >= EM_DOM_NO_POSITION)
        return "\"position\" must be beforebegin, afterbegin, beforeend or afterend";
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (em_slice_has_byte(texts[i].text, '\0'))
            return texts[i].wrong;
    if (op->all == EM_DOM_ALL_FALSE && op->expected > 1)
        return "\"all\": false asks for one element and \"expected\" for several; leave out "
               "\"all\" if as many as expected are meant, or \"expected\" if one is";
    return NULL;
}

em_status em_dom_op_check(const em_dom_op *op, em_arena *arena)
{
    const em_selector *selector;
    em_selector_error unused;
    if (missing(op) || (needs[op->action].attr && !em_edit_is_attr_name(op->attr)))
        return EM_E_INVALID;
    return em_selector_compile(op->selector, arena, &selector, &unused);
}

em_dom_texts em_dom_written_by(const em_dom_op *op)
{
    switch (op->action) {
    case EM_DOM_REPLACE_CLASS:
        return (em_dom_texts){{op->new_class}};
    case EM_DOM_REMOVE_CLASS:
    case EM_DOM_REMOVE_ATTRIBUTE:
    case EM_DOM_REMOVE:
    case EM_DOM_NO_ACTION:
        return (em_dom_texts){0};
    case EM_DOM_SET_ATTRIBUTE:
        return (em_dom_texts){{op->attr, op->value}};
    default:
        return (em_dom_texts){{op->value}};
    }
}

em_dom_texts em_dom_compared_by(const em_dom_op *op)
{
    em_slice name = op->action == EM_DOM_REPLACE_CLASS      ? op->old_class
                    : op->action == EM_DOM_REMOVE_CLASS     ? op->value
                    : op->action == EM_DOM_REMOVE_ATTRIBUTE ? op->attr
                                                            : (em_slice){0};
    return (em_dom_texts){{op->selector, name}};
}

/* Of elements in each other the outermost: what is in it goes away with its content. */
static void keep_outermost(em_dom_action action, em_nodes *nodes)
{
    size_t count = 0;
    uint32_t after = 0;
    if (action != EM_DOM_SET_TEXT && action != EM_DOM_SET_HTML && action != EM_DOM_REMOVE)
        return;
    for (size_t i = 0; i < nodes->count; i++) {
        if (nodes->items[i]->index < after)
            continue;
        after = nodes->items[i]->after;
        nodes->items[count++] = nodes->items[i];
    }
    nodes->count = count;
}

/* ---- One operation --------------------------------------------------------------------------- */

typedef struct em_dom_step {
    em_edit *edits;
    em_splice *splices;
    size_t count;
} em_dom_step;

static int by_place(const void *a, const void *b)
{
    const em_splice *x = &((const em_edit *)a)->splice, *y = &((const em_edit *)b)->splice;
    size_t of_x = ((const em_edit *)a)->op, of_y = ((const em_edit *)b)->op;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    if (x->length != y->length)
        return x->length < y->length ? -1 : 1;
    return of_x < of_y ? -1 : of_x > of_y;
}

static void bring_into_order(em_dom_step *step)
{
    qsort(step->edits, step->count, sizeof *step->edits, by_place);
    for (size_t i = 0; i < step->count; i++)
        step->splices[i] = step->edits[i].splice;
}

/* What stands in another edit's range, or at the same place, has no order. */
static bool have_order(const em_dom_step *step)
{
    for (size_t i = 1; i < step->count; i++) {
        const em_splice *here = &step->splices[i], *before = here - 1;
        if (before->offset + before->length > here->offset ||
            (before->offset == here->offset && here->length == 0))
            return false;
    }
    return true;
}

/* Did an op before this one write over the element in the file, though it stands elsewhere in the
 * tree? Then nothing is left of its tag, or that lies behind the end of the page. */
static bool is_written_over(const em_node *node, size_t bytes)
{
    em_range tag = node->start_tag;
    const unsigned without = EM_FLAW_IMPLIED | EM_FLAW_CLONED | EM_FLAW_MERGED_ATTRS;
    bool has_tag = !(node->flaws & without);
    return has_tag && (tag.end <= tag.start || tag.end > bytes);
}

static bool are_written_over(const em_nodes *nodes, size_t bytes)
{
    for (size_t i = 0; i < nodes->count; i++)
        if (is_written_over(nodes->items[i], bytes))
            return true;
    return false;
}

/* "; they have \"a\", \"b\" and others", or that they have none; NULL: want of memory. */
static const char *show_classes(em_runner *r, const em_slice *classes, size_t count)
{
    EM_AUTO(em_strbuf) text = {0};
    if (count == 0)
        return "; they have no classes";
    em_strbuf_puts(&text, "; they have ");
    for (size_t i = 0; i < count && i < EM_MOST_CLASSES_TOLD; i++)
        em_strbuf_printf(&text, "%s\"%.*s\"", i > 0 ? ", " : "", EM_SHOWN_SHORT(classes[i]));
    em_strbuf_puts(&text, count > EM_MOST_CLASSES_TOLD ? " and others" : "");
    return em_strbuf_finish(&text, r->arena);
}

/* The word, if it is the only one; empty. */
static em_slice only_word(em_slice words)
{
    em_slice word = em_html_next_word(&words);
    return em_html_blank(words) ? word : (em_slice){0};
}

/* What is so of each of several elements that lack the class, or one of those that are named. */
static em_status tell_of_several(em_runner *r, const em_nodes *nodes, em_edit_plan *plan)
{
    em_hinter hinter = em_runner_hinter(r);
    em_slice classes[EM_MOST_CLASSES_TOLD], old = plan->op->old_class, one = only_word(old);
    size_t count;
    em_status status = em_hints_classes(&hinter, *nodes, classes, &count);
    const char *own = status == EM_OK ? show_classes(r, classes, count) : "";
    if (!own)
        return EM_E_NOMEM;
    plan->refusal.reason = em_arena_format(r->arena, "none has %s \"%.*s\"%s",
                                           one.len > 0 ? "the class" : "all of the classes",
                                           EM_SHOWN_SHORT(one.len > 0 ? one : old), own);
    return plan->refusal.reason ? EM_OK : EM_E_NOMEM;
}

/* None of the elements has the class. Which are they, and is it clear what was meant? */
static em_status explain_class(em_runner *r, const em_nodes *nodes, em_edit_plan *plan,
                               em_dom_outcome *outcome)
{
    em_hinter hinter = em_runner_hinter(r);
    em_status status = em_hints_name_meant(&hinter, *nodes, EM_LIT("class"), plan->op->old_class,
                                           &outcome->meant.old_class);
    if (status == EM_OK)
        status = em_hints_of(&hinter, *nodes, &outcome->candidates);
    EM_TRY(em_unless_late(status, &outcome->candidates));
    if (nodes->count > 1)
        EM_TRY(tell_of_several(r, nodes, plan));
    if (outcome->meant.old_class.len == 0)
        return EM_OK;
    EM_TRY(em_arena_keep(r->arena, &outcome->meant.old_class));
    const char *question = em_runner_question(r, outcome->meant.old_class);
    if (!question)
        return EM_E_NOMEM;
    plan->refusal.reason = em_arena_format(r->arena, "%s%s", plan->refusal.reason, question);
    return plan->refusal.reason ? EM_OK : EM_E_NOMEM;
}

static em_status refuse(em_runner *r, const em_nodes *nodes, em_edit_plan *plan,
                        em_dom_outcome *outcome)
{
    if (plan->refusal.code == EM_DOM_E_NO_CLASS)
        EM_TRY(explain_class(r, nodes, plan, outcome));
    if (nodes->count == 1)
        outcome->meant.value = plan->value_meant;
    em_hinter hinter = em_runner_hinter(r);
    em_dom_hints hints = {0};
    if (nodes->count == 1)
        return em_runner_fail(r, outcome, plan->refusal.code, "%s", plan->refusal.reason);
    if (plan->refusal.code != EM_DOM_E_NO_CLASS)
        EM_TRY(em_unless_late(em_hints_of(&hinter, (em_nodes){&nodes->items[plan->at], 1}, &hints),
                              &hints));
    if (hints.count > 0)
        return em_runner_fail(
            r, outcome, plan->refusal.code,
            "of %zu elements none was changed, because of the one in line %zu, \"%.*s\": %s",
            nodes->count, hints.items[0].line, EM_SHOWN_SHORT(hints.items[0].selector),
            plan->refusal.reason);
    return em_runner_fail(r, outcome, plan->refusal.code, "of %zu elements none was changed: %s",
                          nodes->count, plan->refusal.reason);
}

/* An end tag has its name from the page, where it may be in an encoding that is not known. */
static em_status check_end_tag(em_edit_plan *plan, const em_edit *edit)
{
    const em_node *closed = edit->closed;
    if (!closed || em_is_ascii(closed->name) || em_utf8_invalid_at(plan->page->bytes) == EM_NPOS)
        return EM_OK;
    return em_refuse(plan, EM_DOM_E_ENCODING,
                     "the end tag of <%.*s> is left out and would have to be written, and which "
                     "encoding the file has is not known; name it with `encoding`",
                     EM_NAMED(closed));
}

/* What a splice over the page as it is now replaces of the page as it was. */
static em_range origin_of(em_origins *origins, const em_splice *splice)
{
    size_t start = em_origins_at(origins, splice->offset);
    return (em_range){start, em_origins_at(origins, splice->offset + splice->length)};
}

static int by_start(const void *a, const void *b)
{
    const em_range *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return x->end < y->end ? -1 : x->end > y->end;
}

static bool may_write(const em_runner *r, const em_dom_places *only, const em_splice *splice)
{
    if (!only)
        return true;
    em_origins origins = {.changes = &r->state.changes};
    em_range origin = origin_of(&origins, splice);
    return only->count > 0 &&
           bsearch(&origin, only->items, only->count, sizeof *only->items, by_start);
}

/* Plan the op on each element: all of it or nothing. */
static em_status plan_all(em_runner *r, size_t op, const em_nodes *nodes, em_dom_step *step,
                          em_dom_outcome *outcome)
{
    size_t lacking = 0;
    EM_AUTO(em_arena) scratch = {0};
    EM_AUTO(em_arena) of_page = {0};
    em_edit_plan plan = {.page = &r->state.page,
                         .op = &r->ops[op],
                         .nodes = nodes,
                         .arena = &r->state.arena,
                         .scratch = &scratch,
                         .of_page = &of_page,
                         .deadline = r->deadline,
                         .control = {.bytes = r->state.page.bytes, .arena = &of_page},
                         .close = r->trials[op].way == WITH_END_TAGS};
    em_runner_begin_planning(r, plan.op, nodes->count);
    for (size_t i = 0; i < nodes->count; i++) {
        em_edit *edit = &step->edits[step->count];
        plan.at = i;
        if (em_deadline_spend(r->deadline, EDIT_WORK))
            return EM_E_TIMEOUT;
        em_status status = em_edit_make(&plan, nodes->items[i], edit);
        if (status == EM_E_INVALID && plan.refusal.code == EM_DOM_E_NO_CLASS) {
            lacking++;
            continue;
        }
        if (status == EM_OK)
            status = check_end_tag(&plan, edit);
        if (status == EM_E_INVALID)
            return refuse(r, nodes, &plan, outcome);
        EM_TRY(status);
        if (edit->kind != EM_EDIT_NONE && !may_write(r, r->ops[op].only, &edit->splice)) {
            outcome->left_out++;
            continue;
        }
        edit->op = op;
        outcome->removed_children += edit->removed;
        step->count += edit->kind != EM_EDIT_NONE;
    }
    if (step->count > 0 && plan.warning) {
        outcome->warning = em_arena_string(r->arena, em_slice_of(plan.warning));
        if (!outcome->warning)
            return EM_E_NOMEM;
    }
    em_runner_begin(r, NULL);
    r->trials[op].can_close |= plan.can_close;
    return lacking < nodes->count ? EM_OK : refuse(r, nodes, &plan, outcome);
}

static void move_noted(em_runner *r, const em_shift *shift)
{
    for (size_t i = 0; i < r->op_count; i++)
        for (size_t k = 0; k < r->outcomes[i].change_count; k++) {
            em_range *after = &r->outcomes[i].changes[k].after;
            after->start = em_shift_map(shift, after->start, true);
            after->end = em_shift_map(shift, after->end, false);
            if (after->end < after->start)
                after->end = after->start;
        }
}

/* Room for what the step writes, for each op that has a part in it. */
static em_status make_room(em_runner *r, const em_dom_step *step, em_arena *scratch)
{
    size_t *counts = em_alloc_array(scratch, r->op_count, sizeof *counts);
    if (!counts)
        return EM_E_NOMEM;
    for (size_t i = 0; i < step->count; i++)
        counts[step->edits[i].op]++;
    for (size_t i = 0; i < r->op_count; i++) {
        if (counts[i] == 0)
            continue;
        r->outcomes[i].changes = em_alloc_array(r->arena, counts[i], sizeof(em_dom_change));
        if (!r->outcomes[i].changes)
            return EM_E_NOMEM;
    }
    return EM_OK;
}

/* Note what was written, and move what was noted before. */
static em_status note_changes(em_runner *r, const em_dom_step *step, const em_range *before,
                              const em_shift *shift, em_arena *scratch)
{
    move_noted(r, shift);
    EM_TRY(make_room(r, step, scratch));
    for (size_t i = 0; i < step->count; i++) {
        size_t start = step->splices[i].offset + shift->grown[i];
        em_dom_outcome *outcome = &r->outcomes[step->edits[i].op];
        outcome->changes[outcome->change_count++] =
            (em_dom_change){before[i], (em_range){start, start + step->splices[i].insert.len}};
    }
    return EM_OK;
}

static em_status apply(em_runner *r, em_dom_step *step, em_arena *scratch)
{
    em_shift shift;
    em_range *before = em_alloc_array(scratch, step->count, sizeof *before);
    if (!before)
        return EM_E_NOMEM;
    em_origins origins = {.changes = &r->state.changes};
    for (size_t i = 0; i < step->count; i++)
        before[i] = origin_of(&origins, &step->splices[i]);
    em_splices list = {step->splices, step->count};
    r->dropped.is_known = false;
    EM_TRY(em_page_state_apply(&r->state, step->edits, list, scratch, &shift));
    return note_changes(r, step, before, &shift, scratch);
}

/* What waits has no two edits at one place, but at the end of an element, in the order of the ops.
 */
static em_status apply_waiting(em_runner *r)
{
    EM_AUTO(em_arena) scratch = {0};
    em_together *waiting = &r->waiting;
    em_dom_step step = {.edits = waiting->edits, .count = waiting->count};
    if (step.count == 0)
        return EM_OK;
    step.splices = em_alloc_array(&scratch, step.count, sizeof *step.splices);
    if (!step.splices)
        return EM_E_NOMEM;
    bring_into_order(&step);
    EM_TRY(apply(r, &step, &scratch));
    em_together_clear(waiting);
    return EM_OK;
}

/* Find what the op is about, and plan it: on the page without what waits. */
static em_status plan_op(em_runner *r, size_t op, em_arena *scratch, em_nodes *nodes,
                         em_dom_step *step)
{
    em_dom_outcome *outcome = &r->outcomes[op];
    *outcome = (em_dom_outcome){.reason = ""};
    *nodes = (em_nodes){0};
    *step = (em_dom_step){0};
    EM_TRY(em_runner_find(r, &r->ops[op], scratch, nodes, outcome));
    if (outcome->status != EM_DOM_FAILED)
        EM_TRY(em_runner_check_dots(r, &r->ops[op], outcome));
    if (outcome->status == EM_DOM_FAILED)
        return EM_OK;
    if (are_written_over(nodes, r->state.page.bytes.len))
        return em_runner_fail(r, outcome, EM_DOM_E_GUARD,
                              "an operation before this one wrote over the element in the file, "
                              "since HTML has it elsewhere than where it is written");
    keep_outermost(r->ops[op].action, nodes);
    step->edits = em_alloc_array(scratch, nodes->count, sizeof *step->edits);
    step->splices = em_alloc_array(scratch, nodes->count, sizeof *step->splices);
    if (!step->edits || !step->splices)
        return EM_E_NOMEM;
    EM_TRY(plan_all(r, op, nodes, step, outcome));
    if (outcome->status == EM_DOM_FAILED)
        return EM_OK;
    bring_into_order(step);
    if (!have_order(step))
        return em_runner_fail(
            r, outcome, EM_DOM_E_GUARD,
            "two of the %zu elements end at the same place, so it cannot be told what goes "
            "into which; change them one by one",
            nodes->count);
    outcome->status = step->count > 0 ? EM_DOM_APPLIED : EM_DOM_UNCHANGED;
    return EM_OK;
}

/* Would the selector match something else once what waits is laid in, as far as can be told? */
static em_status is_moved(em_runner *r, const em_dom_op *op, em_arena *scratch, bool *moved)
{
    const em_selector *selector;
    em_selector_error unused;
    em_status status = em_selector_compile(op->selector, scratch, &selector, &unused);
    *moved = status != EM_OK || !em_together_leaves(&r->waiting, &r->state.page, selector);
    return status == EM_E_NOMEM ? status : EM_OK;
}

/* Has what the op comes to to do with what a parser may read otherwise than those before it meant?
 */
static bool is_unsure(const em_runner *r, size_t op, const em_dom_step *step)
{
    return r->state.unsure.count > 0 &&
           (r->outcomes[op].status == EM_DOM_FAILED ||
            em_unsure_meets(&r->state.unsure, step->edits, step->count));
}

/* While something waits that the op has nothing to do with. *done: so it was, and it waits too. */
static em_status do_beside(em_runner *r, size_t op, em_arena *scratch, bool *done)
{
    em_nodes nodes;
    em_dom_step step;
    bool moved;
    *done = false;
    EM_TRY(is_moved(r, &r->ops[op], scratch, &moved));
    if (moved)
        return EM_OK;
    EM_TRY(plan_op(r, op, scratch, &nodes, &step));
    if (r->outcomes[op].status == EM_DOM_FAILED || is_unsure(r, op, &step) ||
        !em_together_fits(&r->waiting, &r->state.page, &r->ops[op], &nodes, step.edits, step.count))
        return EM_OK;
    *done = true;
    return em_together_add(&r->waiting, &r->state.page, &r->ops[op], step.edits, step.count);
}

/* Nothing is done where the state turns out to be broken. */
static em_status do_op(em_runner *r, size_t op, em_arena *scratch)
{
    em_nodes nodes;
    em_dom_step step;
    bool done = false;
    em_runner_begin(r, NULL);
    EM_TRY(em_page_state_refresh(&r->state, r->deadline));
    if (r->state.broken)
        return EM_OK;
    EM_TRY(em_page_state_ask(&r->state));
    if (r->waiting.count > 0)
        EM_TRY(do_beside(r, op, scratch, &done));
    if (done)
        return EM_OK;
    EM_TRY(apply_waiting(r));
    EM_TRY(em_page_state_refresh(&r->state, r->deadline));
    if (r->state.broken)
        return EM_OK;
    EM_TRY(plan_op(r, op, scratch, &nodes, &step));
    if (is_unsure(r, op, &step)) {
        r->state.stale = true;
        EM_TRY(em_page_state_refresh(&r->state, r->deadline));
        if (r->state.broken)
            return EM_OK;
        EM_TRY(plan_op(r, op, scratch, &nodes, &step));
    }
    if (step.count == 0 || r->outcomes[op].status == EM_DOM_FAILED)
        return EM_OK;
    if (em_together_fits(&r->waiting, &r->state.page, &r->ops[op], &nodes, step.edits, step.count))
        return em_together_add(&r->waiting, &r->state.page, &r->ops[op], step.edits, step.count);
    return apply(r, &step, scratch);
}

static em_status fail_refused(em_runner *r, size_t op)
{
    r->outcomes[op].matches = r->trials[op].matches;
    return em_runner_fail(r, &r->outcomes[op], EM_DOM_E_GUARD, "%s", r->trials[op].reason);
}

/* An op that cannot be done wherever it leads: how many elements it means is told all the same. */
static em_status fail_untried(em_runner *r, size_t op, em_dom_code code, const char *why)
{
    EM_AUTO(em_arena) scratch = {0};
    em_dom_outcome *outcome = &r->outcomes[op];
    em_nodes found = {0};
    EM_TRY(em_runner_find_told(r, r->ops[op].selector, &scratch, &found));
    outcome->matches = found.count;
    const em_node *first = found.count > 0 ? found.items[0] : NULL;
    if (first && first->ns == EM_NS_HTML && em_html_is_raw_text(first->name)) {
        const char *name = em_arena_string(r->arena, first->name);
        if (!name)
            return EM_E_NOMEM;
        outcome->raw_text = em_slice_make(name, first->name.len);
    }
    return em_runner_fail(r, outcome, code, "%s", why);
}

static em_status fail_unwritable(em_runner *r, size_t op)
{
    r->outcomes[op].lacking = r->ops[op].lacking;
    return fail_untried(r, op, EM_DOM_E_ENCODING, r->ops[op].unwritable);
}

/* An op that is not to be tried: what is told of it is of the page as it is by then. */
static em_status leave_out(em_runner *r, size_t op, const char *wrong)
{
    EM_TRY(apply_waiting(r));
    r->outcomes[op].meant = r->ops[op].meant;
    if (wrong)
        return fail_untried(r, op, EM_DOM_E_ARGUMENT, wrong);
    return r->ops[op].unwritable ? fail_unwritable(r, op) : fail_refused(r, op);
}

/* ---- All of them ----------------------------------------------------------------------------- */

/* The first `count` ops on the page as it was, or as many as leave it whole. */
static em_status run(em_runner *r, size_t count)
{
    em_page_state_drop(&r->state);
    em_together_clear(&r->waiting);
    r->dropped.is_known = false;
    em_runner_begin(r, NULL);
    EM_TRY(em_page_state_open(&r->state, r->page, &r->memory, r->deadline, r->err));
    for (r->ran = 0; r->ran < count; r->ran++) {
        EM_AUTO(em_arena) scratch = {0};
        size_t i = r->ran;
        em_dom_outcome *outcome = &r->outcomes[i];
        *outcome = (em_dom_outcome){.reason = ""};
        const char *wrong = missing(&r->ops[i]);
        if (wrong || r->ops[i].unwritable || r->trials[i].way == REFUSED)
            EM_TRY(leave_out(r, i, wrong));
        else
            EM_TRY(do_op(r, i, &scratch));
        if (r->state.broken)
            return EM_OK;
    }
    return apply_waiting(r);
}

static em_status check(em_runner *r, em_guard_finding *finding)
{
    *finding = (em_guard_finding){.same = true};
    if (r->state.changes.splices.count == 0)
        return EM_OK;
    em_runner_begin(r, NULL);
    return em_guard_check(&r->state.page, r->deadline, finding);
}

/* Which op is it after which the page reads otherwise? The first `good` ones are not. Where several
 * are to blame the next one is often near, so it is looked for in steps that grow. */
static em_status find_culprit(em_runner *r, size_t good, size_t *culprit, em_guard_finding *finding)
{
    size_t bad = r->ran;
    for (size_t step = 1; bad - good > 1; step *= 2) {
        em_guard_finding found;
        size_t middle = good + em_least(step, (bad - good) / 2);
        EM_TRY(run(r, middle));
        EM_TRY(check(r, &found));
        if (found.same) {
            good = middle;
        } else {
            bad = r->ran;
            *finding = found;
        }
    }
    *culprit = bad - 1;
    return EM_OK;
}

static bool is_control(uint32_t code)
{
    return (code < ' ' && !em_html_space((char)code)) || (code >= 0x7F && code <= 0x9F);
}

static bool is_noncharacter(uint32_t code)
{
    return (code >= 0xFDD0 && code <= 0xFDEF) || (code & 0xFFFE) == 0xFFFE;
}

/* A character that the op writes and for which our parser reads U+FFFD; 0: none. */
static uint32_t forbidden_in(const em_dom_op *op)
{
    em_dom_texts written = em_dom_written_by(op);
    for (size_t i = 0; i < sizeof written.texts / sizeof *written.texts; i++)
        for (size_t at = 0; at < written.texts[i].len;) {
            uint32_t code = em_utf8_next(written.texts[i], &at);
            if (is_control(code) || is_noncharacter(code))
                return code;
        }
    return 0;
}

/* What is given as HTML is mostly read by the same parser before. */
static bool is_to_blame(uint32_t forbidden, const em_dom_op *op, const em_guard_finding *finding)
{
    bool is_html = op->action == EM_DOM_SET_HTML || op->action == EM_DOM_INSERT_ADJACENT_HTML;
    return forbidden && (!is_html || strstr(finding->found, "\xEF\xBF\xBD"));
}

static em_status blame(em_runner *r, size_t op, const em_guard_finding *finding)
{
    em_trial *trial = &r->trials[op];
    if (trial->way == AS_IT_IS && trial->can_close) {
        trial->way = WITH_END_TAGS;
        return EM_OK;
    }
    trial->way = REFUSED;
    trial->matches = r->outcomes[op].matches;
    uint32_t forbidden = forbidden_in(&r->ops[op]);
    trial->reason =
        is_to_blame(forbidden, &r->ops[op], finding)
            ? em_arena_format(r->arena,
                              "there is U+%04X in an argument, a %s: HTML forbids these, and the "
                              "parser here reads U+FFFD for each; leave it out",
                              (unsigned)forbidden,
                              is_control(forbidden) ? "control character" : "noncharacter")
            : em_arena_format(r->arena,
                              "the page would not read as meant: in %s, where %s should stand, "
                              "HTML would see %s%s%s; choose another place, or edit it as text",
                              finding->within, finding->meant, finding->found,
                              finding->why[0] ? ": " : "", finding->why);
    return trial->reason ? EM_OK : EM_E_NOMEM;
}

static em_status run_until_good(em_runner *r)
{
    for (size_t culprit = 0;;) {
        em_guard_finding finding;
        EM_TRY(run(r, r->op_count));
        EM_TRY(check(r, &finding));
        if (finding.same)
            return EM_OK;
        EM_TRY(find_culprit(r, culprit, &culprit, &finding));
        EM_TRY(blame(r, culprit, &finding));
    }
}

/* Would the ops with wrong selectors go well if they came last? */
static em_status try_suggestions_after(em_runner *r)
{
    for (size_t i = 0; i < r->op_count; i++) {
        EM_AUTO(em_arena) scratch = {0};
        em_dom_outcome *outcome = &r->outcomes[i];
        size_t count;
        if (outcome->selector_error.suggested.len == 0)
            continue;
        EM_TRY(em_runner_count(r, outcome->selector_error.suggested, &scratch, &count));
        outcome->suggestion_fits_after = em_suggestion_fits(&r->ops[i], outcome, count);
    }
    return EM_OK;
}

/* The splices outlive the state. */
static em_status take_splices(em_runner *r, em_splices *splices)
{
    em_splices trimmed;
    EM_TRY(em_changes_trim(&r->state.changes, r->arena, &trimmed));
    em_splice *items = (em_splice *)(uintptr_t)trimmed.items;
    for (size_t i = 0; i < trimmed.count; i++)
        EM_TRY(em_arena_keep(r->arena, &items[i].insert));
    *splices = trimmed;
    return EM_OK;
}

static void em_runner_drop(em_runner *r)
{
    em_page_state_drop(&r->state);
    em_together_drop(&r->waiting);
    em_parser_memory_drop(&r->memory);
}

/* Time ran out. What was being done then is to blame where it took a good part of the time, and
 * else all operations are, the work of which is counted from `spent` on. */
static em_status fail_late(em_runner *r, size_t spent)
{
    enum { GOOD_PART = 3 };
    const em_dom_op *op = r->finding;
    size_t last = r->deadline->spent - r->spent_before, all = r->deadline->spent - spent;
    if (r->op_count > 1 && last < all / GOOD_PART)
        return em_fail(r->err, EM_E_TIMEOUT,
                       "doing %zu operations on its %zu bytes as HTML took too long; fewer in a "
                       "call take less",
                       r->op_count, r->page.len);
    if (op)
        return em_fail(r->err, EM_E_TIMEOUT,
                       "finding what the selector of operation %td, \"%.*s\", matches in its %zu "
                       "bytes as HTML took too long; a simpler one takes less",
                       op - r->ops + 1, EM_SHOWN_SHORT(op->selector), r->page.len);
    if (r->planning)
        return em_fail(r->err, EM_E_TIMEOUT,
                       "finding out what operation %td changes of the %zu elements that it means "
                       "took too long; a selector that matches fewer takes less",
                       r->planning - r->ops + 1, r->element_count);
    return em_fail(r->err, EM_E_TIMEOUT, "reading its %zu bytes as HTML took too long",
                   r->page.len);
}

em_status em_dom_plan_make(em_slice page, const em_dom_op *ops, size_t op_count,
                           em_deadline *deadline, em_arena *arena, em_dom_plan *plan, em_error *err)
{
    *plan = (em_dom_plan){0};
    EM_AUTO(em_runner)
    r = {.page = page,
         .ops = ops,
         .op_count = op_count,
         .deadline = deadline,
         .arena = arena,
         .err = err};
    r.hints = em_deadline_in(deadline ? HINTS_MS : 0);
    r.trials = em_alloc_array(arena, op_count, sizeof *r.trials);
    r.outcomes = em_alloc_array(arena, op_count, sizeof *r.outcomes);
    if (!r.trials || !r.outcomes)
        return EM_E_NOMEM;
    size_t spent = deadline ? deadline->spent : 0;
    em_status status = run_until_good(&r);
    plan->late = status == EM_E_TIMEOUT;
    if (plan->late)
        return fail_late(&r, spent);
    if (status != EM_OK && status != EM_E_NOMEM && err)
        err->cause = EM_CAUSE_PAGE;
    EM_TRY(status);
    EM_TRY(try_suggestions_after(&r));
    EM_TRY(take_splices(&r, &plan->splices));
    plan->outcomes = r.outcomes;
    plan->op_count = op_count;
    for (size_t i = 0; i < op_count; i++)
        plan->failed_count += r.outcomes[i].status == EM_DOM_FAILED;
    return EM_OK;
}
