/* dom_plan.c: the edits of one operation, on all elements that it is about, or why not. */
#include "base/strbuf.h"
#include "dom/dom_impl.h"
#include "html/tag.h"

#include <stdlib.h>

/* What planning an edit costs in the deadline's measure. */
enum { EDIT_WORK = 1 << 8 };

/* ---- Order ----------------------------------------------------------------------------------- */

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

void em_dom_step_sort(em_dom_step *step)
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

/* ---- Elements that no edit can be planned for ------------------------------------------------ */

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

/* ---- Refusals -------------------------------------------------------------------------------- */

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

/* ---- Edits ----------------------------------------------------------------------------------- */

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

em_range em_dom_origin_of(em_origins *origins, const em_splice *splice)
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
    em_range origin = em_dom_origin_of(&origins, splice);
    return only->count > 0 &&
           bsearch(&origin, only->items, only->count, sizeof *only->items, by_start);
}

/* Plan the op on the element at plan->at. EM_E_INVALID: plan->refusal says why not. */
static em_status plan_one(em_edit_plan *plan, em_edit *edit)
{
    if (em_deadline_spend(plan->deadline, EDIT_WORK))
        return EM_E_TIMEOUT;
    EM_TRY(em_edit_make(plan, plan->nodes->items[plan->at], edit));
    return check_end_tag(plan, edit);
}

/* The last edit of the step is planned. Keep it, if it changes anything that may be. */
static void take_edit(em_runner *r, size_t op, em_dom_step *step, em_dom_outcome *outcome)
{
    em_edit *edit = &step->edits[step->count];
    bool changes = edit->kind != EM_EDIT_NONE;
    if (changes && !may_write(r, r->ops[op].only, &edit->splice)) {
        outcome->left_out++;
        return;
    }
    edit->op = op;
    outcome->removed_children += edit->removed;
    step->count += changes;
}

static em_status keep_warning(em_runner *r, const em_edit_plan *plan, em_dom_outcome *outcome)
{
    if (!plan->warning)
        return EM_OK;
    outcome->warning = em_arena_string(r->arena, em_slice_of(plan->warning));
    return outcome->warning ? EM_OK : EM_E_NOMEM;
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
                         .close = r->trials[op].way == EM_TRIAL_WITH_END_TAGS};
    em_runner_begin_planning(r, plan.op, nodes->count);
    for (size_t i = 0; i < nodes->count; i++) {
        plan.at = i;
        em_status status = plan_one(&plan, &step->edits[step->count]);
        bool lacks = status == EM_E_INVALID && plan.refusal.code == EM_DOM_E_NO_CLASS;
        if (status == EM_E_INVALID && !lacks)
            return refuse(r, nodes, &plan, outcome);
        EM_TRY(lacks ? EM_OK : status);
        lacking += lacks;
        if (!lacks)
            take_edit(r, op, step, outcome);
    }
    if (step->count > 0)
        EM_TRY(keep_warning(r, &plan, outcome));
    em_runner_begin(r, NULL);
    r->trials[op].can_close |= plan.can_close;
    return lacking < nodes->count ? EM_OK : refuse(r, nodes, &plan, outcome);
}

em_status em_runner_plan(em_runner *r, size_t op, em_arena *scratch, em_nodes *nodes,
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
    em_dom_step_sort(step);
    if (!have_order(step))
        return em_runner_fail(
            r, outcome, EM_DOM_E_GUARD,
            "two of the %zu elements end at the same place, so it cannot be told what goes "
            "into which; change them one by one",
            nodes->count);
    outcome->status = step->count > 0 ? EM_DOM_APPLIED : EM_DOM_UNCHANGED;
    return EM_OK;
}
