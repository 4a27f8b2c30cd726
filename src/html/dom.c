/* dom.c: operation by operation: select, plan the edits, lay them in; then the guard has a look. */
#include "html/dom.h"

#include "base/strbuf.h"
#include "base/utf8.h"
#include "html/guard.h"
#include "html/hints.h"
#include "html/prescan.h"
#include "html/state.h"
#include "html/tag.h"

#include <stdarg.h>
#include <stdlib.h>

/* What explanations may take, of all ops together, where there is a deadline. */
enum { HINTS_MS = 500 };

/* How often an op was tried: as it is, then with end tags that the page leaves out. */
enum { AS_IT_IS, WITH_END_TAGS, REFUSED };

typedef struct em_trial {
    unsigned char way;
    bool can_close;     /* there are end tags to write */
    const char *reason; /* REFUSED: what the guard found */
    size_t matches;     /* REFUSED: how many elements there were */
} em_trial;

typedef struct em_runner {
    em_slice page;
    const em_dom_op *ops;
    size_t op_count;
    em_deadline *deadline;
    em_deadline hints; /* for all that only explains */
    em_arena *arena;
    em_error *err;
    em_page_state state;
    em_trial *trials;
    em_dom_outcome *outcomes;
    const em_dom_op *late; /* whose selector the deadline met; NULL: nobody's */
} em_runner;

/* ---- Failing --------------------------------------------------------------------------------- */

static em_status fail(em_runner *r, em_dom_outcome *outcome, em_dom_code code, const char *format,
                      ...) __attribute__((format(printf, 4, 5)));

static em_status fail(em_runner *r, em_dom_outcome *outcome, em_dom_code code, const char *format,
                      ...)
{
    va_list args;
    va_start(args, format);
    outcome->status = EM_DOM_FAILED;
    outcome->code = code;
    outcome->reason = em_arena_format_v(r->arena, format, args);
    va_end(args);
    return outcome->reason ? EM_OK : EM_E_NOMEM;
}

/* Bytes of a selector, or a part of one, that a reason quotes: those that people write are shorter,
 * and one of megabytes must not become an answer of megabytes. */
enum { MOST_QUOTED = 200 };

/* What is quoted in a reason, for "%.*s". */
#define SHOWN(slice) (int)em_utf8_floor((slice), MOST_QUOTED), (slice).ptr ? (slice).ptr : ""

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

em_dom_written em_dom_written_by(const em_dom_op *op)
{
    switch (op->action) {
    case EM_DOM_REPLACE_CLASS:
        return (em_dom_written){{op->new_class}};
    case EM_DOM_REMOVE_CLASS:
    case EM_DOM_REMOVE_ATTRIBUTE:
    case EM_DOM_REMOVE:
    case EM_DOM_NO_ACTION:
        return (em_dom_written){0};
    case EM_DOM_SET_ATTRIBUTE:
        return (em_dom_written){{op->attr, op->value}};
    default:
        return (em_dom_written){{op->value}};
    }
}

/* ---- Which elements -------------------------------------------------------------------------- */

static em_hinter hinter_of(em_runner *r)
{
    return (em_hinter){&r->state.page, &r->state.changes, &r->hints, r->arena};
}

/* An explanation that takes too long is left out. */
static em_status unless_late(em_status status, em_dom_hints *hints)
{
    if (status != EM_E_TIMEOUT)
        return status;
    *hints = (em_dom_hints){0};
    return EM_OK;
}

static bool is_class_action(em_dom_action action)
{
    return action == EM_DOM_ADD_CLASS || action == EM_DOM_REMOVE_CLASS ||
           action == EM_DOM_REPLACE_CLASS;
}

/* Are so many elements what the op asks for? */
static bool asks_for(const em_dom_op *op, size_t count)
{
    bool all =
        op->all == EM_DOM_ALL_TRUE || (op->all == EM_DOM_ALL_UNSET && is_class_action(op->action));
    return op->expected > 0 ? count == op->expected : all ? count > 0 : count == 1;
}

/* What a selector matches that is only told about; nothing where that is not known in time, or it
 * is no selector. */
static em_status find_told(em_runner *r, em_slice text, em_arena *scratch, em_nodes *found)
{
    const em_selector *selector;
    em_selector_error unused;
    em_status status = em_selector_compile(text, scratch, &selector, &unused);
    if (status == EM_OK)
        status = em_select(&r->state.page, selector, &r->hints, scratch, found);
    if (status != EM_OK)
        *found = (em_nodes){0};
    return status == EM_E_NOMEM ? status : EM_OK;
}

static em_status count_matches(em_runner *r, em_slice text, em_arena *scratch, size_t *count)
{
    em_nodes found = {0};
    EM_TRY(find_told(r, text, scratch, &found));
    *count = found.count;
    return EM_OK;
}

/* Is what is suggested just what the op asks for? More than was meant it may match only where the
 * op says how many there must be, and for a pseudo-element they are those that have it. */
static bool suggestion_fits(const em_dom_op *op, const em_dom_outcome *outcome, size_t count)
{
    em_widening widening = outcome->selector_error.widening;
    bool counted = op->expected > 0 || (op->all != EM_DOM_ALL_TRUE && !is_class_action(op->action));
    bool narrow = widening == EM_WIDENS_NOT || (widening == EM_WIDENS_TO_ELEMENT && counted);
    return narrow && asks_for(op, count);
}

/* Is it clear which id or class was misspelt? What is suggested is what is asked for, then. */
static em_status suggest_name(em_runner *r, const em_dom_op *op, const em_selector *selector,
                              em_dom_outcome *outcome)
{
    em_hinter hinter = hinter_of(r);
    em_slice meant = {0};
    size_t count = 0;
    em_status status = em_hints_selector_meant(&hinter, selector, &outcome->prefixes, &meant);
    if (status == EM_OK && meant.len > 0)
        status = count_matches(r, meant, r->arena, &count);
    if (status == EM_E_NOMEM)
        return status;
    outcome->suggestion_fits = meant.len > 0 && suggestion_fits(op, outcome, count);
    if (!outcome->suggestion_fits)
        return EM_OK;
    outcome->selector_error.suggested = meant;
    outcome->suggested_matches = count;
    return EM_OK;
}

/* "; did you mean X?", or nothing. */
static const char *question_of(em_runner *r, em_slice meant)
{
    return meant.len == 0 ? ""
                          : em_arena_format(r->arena, "; did you mean \"%.*s\"?", SHOWN(meant));
}

static em_status no_match(em_runner *r, const em_dom_op *op, const em_selector *selector,
                          em_dom_outcome *outcome)
{
    em_hinter hinter = hinter_of(r);
    em_prefixes *prefixes = &outcome->prefixes;
    em_status status =
        em_selector_prefixes(&r->state.page, selector, &r->hints, r->arena, prefixes);
    if (status == EM_OK)
        status = em_hints_similar(&hinter, selector, prefixes, &outcome->similar);
    else
        *prefixes = (em_prefixes){0};
    EM_TRY(unless_late(status, &outcome->similar));
    EM_TRY(suggest_name(r, op, selector, outcome));
    const char *question = question_of(r, outcome->selector_error.suggested);
    if (!question)
        return EM_E_NOMEM;
    if (prefixes->count < 2)
        return fail(r, outcome, EM_DOM_E_NO_MATCH, "no element matches \"%.*s\"%s",
                    SHOWN(op->selector), question);
    const em_prefix *matching = &prefixes->items[prefixes->count - 2], *last = matching + 1;
    return fail(r, outcome, EM_DOM_E_NO_MATCH,
                "no element matches \"%.*s\": \"%.*s\" matches %zu, with \"%.*s\" none%s",
                SHOWN(op->selector), SHOWN(matching->text), matching->count, SHOWN(last->part),
                question);
}

/* `text` with something else for each no-break space; NULL: want of memory. */
static const char *with_blanks(em_runner *r, em_slice text, const char *instead)
{
    static const char blank[] = "\xC2\xA0";
    EM_AUTO(em_strbuf) out = {0};
    const char *found;
    while (text.len > 0 && (found = memmem(text.ptr, text.len, blank, 2))) {
        size_t at = (size_t)(found - text.ptr);
        em_strbuf_add(&out, em_slice_sub(text, 0, at));
        em_strbuf_puts(&out, instead);
        text = em_slice_from(text, at + 2);
    }
    em_strbuf_add(&out, text);
    return em_strbuf_finish(&out, r->arena);
}

/* A no-break space looks as a blank that parts names, and is a letter of them. */
static em_status tell_blank(em_runner *r, const em_dom_op *op, em_dom_outcome *outcome)
{
    EM_AUTO(em_arena) scratch = {0};
    em_slice *suggested = &outcome->selector_error.suggested;
    size_t *count = &outcome->suggested_matches;
    const char *text = with_blanks(r, op->selector, " ");
    if (!text)
        return EM_E_NOMEM;
    em_slice plain = em_slice_of(text);
    if (plain.len == op->selector.len)
        return EM_OK;
    EM_TRY(count_matches(r, plain, &scratch, count));
    *suggested = *count > 0 ? plain : (em_slice){0};
    outcome->suggestion_fits = suggestion_fits(op, outcome, *count);
    const char *shown = with_blanks(r, em_slice_of(outcome->reason), "<U+00A0>");
    outcome->reason = shown
                          ? em_arena_format(r->arena,
                                            "%s; U+00A0 is a no-break space, which is a letter of "
                                            "a name there; \"%.*s\" matches %zu",
                                            shown, SHOWN(plain), *count)
                          : NULL;
    return outcome->reason ? EM_OK : EM_E_NOMEM;
}

/* Parts of a table that stand in none are nothing in the tree. */
static em_status tell_dropped(em_runner *r, em_dom_outcome *outcome)
{
    em_range tag;
    const em_page *page = &r->state.page;
    if (!em_hints_dropped_part(page, &tag))
        return EM_OK;
    outcome->reason =
        em_arena_format(r->arena,
                        "%s; HTML drops the tags of a table that stand outside of one, as \"%.*s\" "
                        "does, so they are no elements here: edit them as text, or put <table> "
                        "around them first",
                        outcome->reason, SHOWN(em_slice_sub(page->bytes, tag.start, tag.end)));
    return outcome->reason ? EM_OK : EM_E_NOMEM;
}

static em_status check_count(em_runner *r, const em_dom_op *op, const em_selector *selector,
                             em_nodes found, em_dom_outcome *outcome)
{
    em_hinter hinter = hinter_of(r);
    outcome->matches = found.count;
    if (found.count == 0) {
        EM_TRY(no_match(r, op, selector, outcome));
        EM_TRY(tell_blank(r, op, outcome));
        return tell_dropped(r, outcome);
    }
    if (asks_for(op, found.count))
        return EM_OK;
    EM_TRY(unless_late(em_hints_of(&hinter, found, &outcome->candidates), &outcome->candidates));
    if (op->expected > 0)
        return fail(r, outcome, EM_DOM_E_COUNT, "\"%.*s\" matches %zu elements, expected %zu",
                    SHOWN(op->selector), found.count, op->expected);
    return fail(r, outcome, EM_DOM_E_AMBIGUOUS,
                "\"%.*s\" matches %zu elements, and one is asked for; use a selector that matches "
                "only that one, or \"all\": true",
                SHOWN(op->selector), found.count);
}

/* Of two selectors that may be meant, that which matches something here. */
static em_status choose_suggestion(em_runner *r, const em_dom_op *op, em_arena *scratch,
                                   em_dom_outcome *outcome)
{
    em_selector_error *error = &outcome->selector_error;
    size_t count = 0;
    if (error->instead.len > 0)
        EM_TRY(count_matches(r, error->instead, scratch, &count));
    if (count > 0) {
        error->suggested = error->instead;
        error->widening = EM_WIDENS_NOT;
    } else if (error->suggested.len > 0)
        EM_TRY(count_matches(r, error->suggested, scratch, &count));
    outcome->suggested_matches = count;
    outcome->suggestion_fits = suggestion_fits(op, outcome, count);
    return EM_OK;
}

/* The elements that the op is about; an outcome that failed says why there are none. */
static em_status find(em_runner *r, const em_dom_op *op, em_arena *scratch, em_nodes *found,
                      em_dom_outcome *outcome)
{
    const em_selector *selector;
    em_selector_error *error = &outcome->selector_error;
    em_status status = em_selector_compile(op->selector, r->arena, &selector, error);
    if (status == EM_E_INVALID)
        EM_TRY(choose_suggestion(r, op, scratch, outcome));
    if (status == EM_E_INVALID && error->suggested.len > 0 && error->widening &&
        !outcome->suggestion_fits)
        return fail(
            r, outcome, EM_DOM_E_SELECTOR,
            "the selector is wrong at character %zu: %s; did you mean \"%.*s\"? It may match "
            "more than was meant: it matches %zu element%s here",
            em_utf8_count(em_slice_sub(op->selector, 0, error->at)) + 1, error->reason,
            SHOWN(error->suggested), outcome->suggested_matches,
            outcome->suggested_matches == 1 ? "" : "s");
    if (status == EM_E_INVALID && error->suggested.len > 0)
        return fail(r, outcome, EM_DOM_E_SELECTOR,
                    "the selector is wrong at character %zu: %s; did "
                    "you mean \"%.*s\"?",
                    em_utf8_count(em_slice_sub(op->selector, 0, error->at)) + 1, error->reason,
                    SHOWN(error->suggested));
    if (status == EM_E_INVALID)
        return fail(r, outcome, EM_DOM_E_SELECTOR, "the selector is wrong at character %zu: %s",
                    em_utf8_count(em_slice_sub(op->selector, 0, error->at)) + 1, error->reason);
    EM_TRY(status);
    status = em_select(&r->state.page, selector, r->deadline, scratch, found);
    r->late = status == EM_E_TIMEOUT ? op : r->late;
    EM_TRY(status);
    return check_count(r, op, selector, *found, outcome);
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
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    return x->length < y->length ? -1 : x->length > y->length;
}

/* What stands in another edit's range, or at the same place, has no order. */
static bool in_order(em_dom_step *step)
{
    qsort(step->edits, step->count, sizeof *step->edits, by_place);
    for (size_t i = 0; i < step->count; i++) {
        step->splices[i] = step->edits[i].splice;
        const em_splice *here = &step->splices[i], *before = here - 1;
        if (i > 0 && (before->offset + before->length > here->offset ||
                      (before->offset == here->offset && here->length == 0)))
            return false;
    }
    return true;
}

/* None of the elements has the class. Which are they, and is it clear what was meant? */
static em_status explain_class(em_runner *r, const em_nodes *nodes, em_edit_plan *plan,
                               em_dom_outcome *outcome)
{
    em_hinter hinter = hinter_of(r);
    em_status status = em_hints_name_meant(&hinter, *nodes, EM_LIT("class"), plan->op->old_class,
                                           &outcome->class_meant);
    if (status == EM_OK)
        status = em_hints_of(&hinter, *nodes, &outcome->candidates);
    EM_TRY(unless_late(status, &outcome->candidates));
    if (outcome->class_meant.len == 0)
        return EM_OK;
    const char *kept = em_arena_string(r->arena, outcome->class_meant);
    const char *question = question_of(r, outcome->class_meant);
    if (!kept || !question)
        return EM_E_NOMEM;
    outcome->class_meant.ptr = kept;
    plan->refusal.reason = em_arena_format(r->arena, "%s%s", plan->refusal.reason, question);
    return plan->refusal.reason ? EM_OK : EM_E_NOMEM;
}

static em_status refuse(em_runner *r, const em_nodes *nodes, em_edit_plan *plan,
                        em_dom_outcome *outcome)
{
    if (plan->refusal.code == EM_DOM_E_NO_CLASS)
        EM_TRY(explain_class(r, nodes, plan, outcome));
    em_hinter hinter = hinter_of(r);
    em_dom_hints hints = {0};
    if (nodes->count == 1)
        return fail(r, outcome, plan->refusal.code, "%s", plan->refusal.reason);
    if (plan->refusal.code != EM_DOM_E_NO_CLASS)
        EM_TRY(unless_late(em_hints_of(&hinter, (em_nodes){&nodes->items[plan->at], 1}, &hints),
                           &hints));
    if (hints.count > 0)
        return fail(
            r, outcome, plan->refusal.code,
            "of %zu elements none was changed, because of the one in line %zu, \"%.*s\": %s",
            nodes->count, hints.items[0].line, SHOWN(hints.items[0].selector),
            plan->refusal.reason);
    return fail(r, outcome, plan->refusal.code, "of %zu elements none was changed: %s",
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
    em_edit_plan plan = {.page = &r->state.page,
                         .op = &r->ops[op],
                         .nodes = nodes,
                         .arena = &r->state.arena,
                         .deadline = r->deadline,
                         .close = r->trials[op].way == WITH_END_TAGS};
    for (size_t i = 0; i < nodes->count; i++) {
        em_edit *edit = &step->edits[step->count];
        plan.at = i;
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
        outcome->removed_children += edit->removed;
        step->count += edit->kind != EM_EDIT_NONE;
    }
    r->trials[op].can_close |= plan.can_close;
    return lacking < nodes->count ? EM_OK : refuse(r, nodes, &plan, outcome);
}

/* Note what was written, and move what was noted before. */
static em_status note_changes(em_runner *r, size_t op, const em_dom_step *step,
                              const em_range *before, const em_shift *shift)
{
    for (size_t i = 0; i < op; i++)
        for (size_t k = 0; k < r->outcomes[i].change_count; k++) {
            em_range *after = &r->outcomes[i].changes[k].after;
            after->start = em_shift_map(shift, after->start, true);
            after->end = em_shift_map(shift, after->end, false);
            if (after->end < after->start)
                after->end = after->start;
        }
    em_dom_outcome *outcome = &r->outcomes[op];
    outcome->changes = em_alloc_array(r->arena, step->count, sizeof *outcome->changes);
    if (!outcome->changes)
        return EM_E_NOMEM;
    outcome->change_count = step->count;
    for (size_t i = 0; i < step->count; i++) {
        size_t start = step->splices[i].offset + shift->grown[i];
        outcome->changes[i].before = before[i];
        outcome->changes[i].after = (em_range){start, start + step->splices[i].insert.len};
    }
    return EM_OK;
}

static em_status apply(em_runner *r, size_t op, em_dom_step *step, em_arena *scratch)
{
    em_shift shift;
    em_range *before = em_alloc_array(scratch, step->count, sizeof *before);
    if (!before)
        return EM_E_NOMEM;
    em_origins origins = {.changes = &r->state.changes};
    for (size_t i = 0; i < step->count; i++)
        before[i] = origin_of(&origins, &step->splices[i]);
    em_splices list = {step->splices, step->count};
    EM_TRY(em_page_state_apply(&r->state, step->edits, list, scratch, &shift));
    return note_changes(r, op, step, before, &shift);
}

static em_status do_op(em_runner *r, size_t op, em_arena *scratch)
{
    em_dom_outcome *outcome = &r->outcomes[op];
    em_nodes nodes = {0};
    em_dom_step step = {0};
    EM_TRY(find(r, &r->ops[op], scratch, &nodes, outcome));
    if (outcome->status == EM_DOM_FAILED)
        return EM_OK;
    keep_outermost(r->ops[op].action, &nodes);
    step.edits = em_alloc_array(scratch, nodes.count, sizeof *step.edits);
    step.splices = em_alloc_array(scratch, nodes.count, sizeof *step.splices);
    if (!step.edits || !step.splices)
        return EM_E_NOMEM;
    EM_TRY(plan_all(r, op, &nodes, &step, outcome));
    if (outcome->status == EM_DOM_FAILED)
        return EM_OK;
    if (!in_order(&step))
        return fail(r, outcome, EM_DOM_E_GUARD,
                    "two of the %zu elements end at the same place, so it cannot be told what goes "
                    "into which; change them one by one",
                    nodes.count);
    outcome->status = step.count > 0 ? EM_DOM_APPLIED : EM_DOM_UNCHANGED;
    if (step.count == 0)
        return EM_OK;
    return apply(r, op, &step, scratch);
}

/* ---- All of them ----------------------------------------------------------------------------- */

static em_status fail_refused(em_runner *r, size_t op)
{
    r->outcomes[op].matches = r->trials[op].matches;
    return fail(r, &r->outcomes[op], EM_DOM_E_GUARD, "%s", r->trials[op].reason);
}

/* An op that cannot be done wherever it leads: how many elements it means is told all the same. */
static em_status fail_untried(em_runner *r, size_t op, em_dom_code code, const char *why)
{
    EM_AUTO(em_arena) scratch = {0};
    em_dom_outcome *outcome = &r->outcomes[op];
    em_nodes found = {0};
    EM_TRY(find_told(r, r->ops[op].selector, &scratch, &found));
    outcome->matches = found.count;
    const em_node *first = found.count > 0 ? found.items[0] : NULL;
    if (first && first->ns == EM_NS_HTML && em_html_is_raw_text(first->name)) {
        const char *name = em_arena_string(r->arena, first->name);
        if (!name)
            return EM_E_NOMEM;
        outcome->raw_text = em_slice_make(name, first->name.len);
    }
    return fail(r, outcome, code, "%s", why);
}

static em_status fail_unwritable(em_runner *r, size_t op)
{
    r->outcomes[op].lacking = r->ops[op].lacking;
    return fail_untried(r, op, EM_DOM_E_ENCODING, r->ops[op].unwritable);
}

/* The first `count` ops on the page as it was. */
static em_status run(em_runner *r, size_t count)
{
    em_page_state_drop(&r->state);
    EM_TRY(em_page_state_open(&r->state, r->page, r->deadline, r->err));
    for (size_t i = 0; i < count; i++) {
        EM_AUTO(em_arena) scratch = {0};
        em_dom_outcome *outcome = &r->outcomes[i];
        *outcome = (em_dom_outcome){.reason = ""};
        const char *wrong = missing(&r->ops[i]);
        if (wrong)
            EM_TRY(fail_untried(r, i, EM_DOM_E_ARGUMENT, wrong));
        else if (r->ops[i].unwritable)
            EM_TRY(fail_unwritable(r, i));
        else if (r->trials[i].way == REFUSED)
            EM_TRY(fail_refused(r, i));
        else
            EM_TRY(do_op(r, i, &scratch));
    }
    return EM_OK;
}

static em_status check(em_runner *r, em_guard_finding *finding)
{
    *finding = (em_guard_finding){.same = true};
    if (r->state.changes.splices.count == 0)
        return EM_OK;
    return em_guard_check(&r->state.page, r->deadline, finding);
}

/* Which op is it after which the page reads otherwise? It is among the first `count`. */
static em_status find_culprit(em_runner *r, size_t count, size_t *culprit,
                              em_guard_finding *finding)
{
    size_t good = 0, bad = count;
    while (bad - good > 1) {
        em_guard_finding found;
        size_t middle = good + (bad - good) / 2;
        EM_TRY(run(r, middle));
        EM_TRY(check(r, &found));
        if (found.same) {
            good = middle;
        } else {
            bad = middle;
            *finding = found;
        }
    }
    *culprit = bad - 1;
    return EM_OK;
}

/* A character that the op writes and that no parser lets be; 0: none. */
static unsigned control_in(const em_dom_op *op)
{
    em_dom_written written = em_dom_written_by(op);
    for (size_t i = 0; i < sizeof written.texts / sizeof *written.texts; i++)
        for (size_t k = 0; k < written.texts[i].len; k++) {
            unsigned char byte = (unsigned char)written.texts[i].ptr[k];
            if ((byte < ' ' && !em_html_space((char)byte)) || byte == 0x7F)
                return byte;
        }
    return 0;
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
    unsigned control = control_in(&r->ops[op]);
    trial->reason =
        control ? em_arena_format(r->arena,
                                  "there is U+%04X in an argument, a control character, which HTML "
                                  "does not take; leave it out",
                                  control)
                : em_arena_format(r->arena,
                                  "the page would not read as meant: in %s, where %s should stand, "
                                  "HTML would see %s%s%s; choose another place, or edit it as text",
                                  finding->within, finding->meant, finding->found,
                                  finding->why[0] ? ": " : "", finding->why);
    return trial->reason ? EM_OK : EM_E_NOMEM;
}

static em_status run_until_good(em_runner *r)
{
    for (;;) {
        em_guard_finding finding;
        size_t culprit;
        EM_TRY(run(r, r->op_count));
        EM_TRY(check(r, &finding));
        if (finding.same)
            return EM_OK;
        EM_TRY(find_culprit(r, r->op_count, &culprit, &finding));
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
        EM_TRY(count_matches(r, outcome->selector_error.suggested, &scratch, &count));
        outcome->suggestion_fits_after = suggestion_fits(&r->ops[i], outcome, count);
    }
    return EM_OK;
}

/* The splices outlive the state. */
static em_status take_splices(em_runner *r, em_splices *splices)
{
    em_splices trimmed;
    EM_TRY(em_changes_trim(&r->state.changes, r->arena, &trimmed));
    em_splice *items = (em_splice *)(uintptr_t)trimmed.items;
    for (size_t i = 0; i < trimmed.count; i++) {
        const char *copy = em_arena_string(r->arena, items[i].insert);
        if (!copy)
            return EM_E_NOMEM;
        items[i].insert.ptr = copy;
    }
    *splices = trimmed;
    return EM_OK;
}

static void em_runner_drop(em_runner *r)
{
    em_page_state_drop(&r->state);
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
    em_status status = run_until_good(&r);
    if (status == EM_E_TIMEOUT && r.late)
        return em_fail(err, status,
                       "finding what the selector of operation %td, \"%.*s\", matches in its %zu "
                       "bytes as HTML took too long; a simpler one takes less, or edit it as text",
                       r.late - ops + 1, SHOWN(r.late->selector), page.len);
    if (status == EM_E_TIMEOUT)
        return em_fail(err, status, "reading its %zu bytes as HTML took too long; edit it as text",
                       page.len);
    EM_TRY(status);
    EM_TRY(try_suggestions_after(&r));
    EM_TRY(take_splices(&r, &plan->splices));
    plan->outcomes = r.outcomes;
    plan->op_count = op_count;
    for (size_t i = 0; i < op_count; i++)
        plan->failed_count += r.outcomes[i].status == EM_DOM_FAILED;
    return EM_OK;
}
