/* dom_find.c: the elements that an operation is about, or why there are none, and what was meant.
 */
#include "base/ascii.h"
#include "base/strbuf.h"
#include "dom/dom_impl.h"
#include "html/readings.h"
#include "selectors/literal.h"

#include <stdarg.h>

em_status em_runner_fail(em_runner *r, em_dom_outcome *outcome, em_dom_code code,
                         const char *format, ...)
{
    va_list args;
    va_start(args, format);
    outcome->status = EM_DOM_FAILED;
    outcome->code = code;
    outcome->reason = em_arena_format_v(r->arena, format, args);
    va_end(args);
    return outcome->reason ? EM_OK : EM_E_NOMEM;
}

em_hinter em_runner_hinter(em_runner *r)
{
    return (em_hinter){&r->state.page, &r->state.changes, &r->hints, r->arena};
}

em_status em_unless_late(em_status status, em_dom_hints *hints)
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

em_status em_runner_find_told(em_runner *r, em_slice text, em_arena *scratch, em_nodes *found)
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

em_status em_runner_count(em_runner *r, em_slice text, em_arena *scratch, size_t *count)
{
    em_nodes found = {0};
    EM_TRY(em_runner_find_told(r, text, scratch, &found));
    *count = found.count;
    return EM_OK;
}

bool em_suggestion_fits(const em_dom_op *op, const em_dom_outcome *outcome, size_t count)
{
    em_widening widening = outcome->selector_error.widening;
    bool counted = op->expected > 0 || (op->all != EM_DOM_ALL_TRUE && !is_class_action(op->action));
    bool narrow = widening == EM_WIDENS_NOT || (widening == EM_WIDENS_TO_ELEMENT && counted);
    return narrow && asks_for(op, count);
}

bool em_dom_names_meant(const em_dom_outcome *outcome)
{
    return outcome->meant.attr.len > 0 || outcome->meant.old_class.len > 0 ||
           outcome->meant.new_class.len > 0 || outcome->meant.value.len > 0;
}

bool em_dom_suggests(const em_dom_outcome *outcome)
{
    return outcome->suggestion_fits || outcome->suggestion_fits_after;
}

/* The selector with the page's own ids and classes as CSS writes them; empty where that matches
 * nothing. */
static em_status find_literal(em_runner *r, em_slice selector, em_slice *meant, size_t *count)
{
    em_status status = em_literal_meant(&r->state.page, selector, &r->hints, r->arena, meant);
    *count = 0;
    if (status == EM_OK && meant->len > 0)
        status = em_runner_count(r, *meant, r->arena, count);
    if (*count == 0)
        *meant = (em_slice){0};
    return status == EM_E_NOMEM ? status : EM_OK;
}

/* The selector with the sign that an id or a class in it lacks; empty: it lacks none, or it may be
 * meant in two ways. */
static em_status find_signed(em_runner *r, const em_selector *selector, const em_prefixes *prefixes,
                             em_slice *meant, size_t *count)
{
    em_hinter hinter = em_runner_hinter(r);
    em_meant_signs signs;
    size_t within = 0, joined = 0;
    EM_TRY(em_hints_sign_meant(&hinter, selector, prefixes, &signs));
    if (signs.within.len > 0)
        EM_TRY(em_runner_count(r, signs.within, r->arena, &within));
    if (signs.joined.len > 0)
        EM_TRY(em_runner_count(r, signs.joined, r->arena, &joined));
    if ((within > 0) == (joined > 0))
        return EM_OK;
    *meant = within > 0 ? signs.within : signs.joined;
    *count = within + joined;
    return EM_OK;
}

/* Is it clear which id or class was misspelt? What is suggested is what is asked for, then. */
static em_status suggest_name(em_runner *r, const em_dom_op *op, const em_selector *selector,
                              em_dom_outcome *outcome)
{
    em_hinter hinter = em_runner_hinter(r);
    em_slice meant = {0};
    size_t count = 0;
    EM_TRY(find_literal(r, op->selector, &meant, &count));
    if (meant.len == 0)
        EM_TRY(find_signed(r, selector, &outcome->prefixes, &meant, &count));
    em_status status = meant.len > 0
                           ? EM_OK
                           : em_hints_selector_meant(&hinter, selector, &outcome->prefixes, &meant);
    if (status == EM_OK && meant.len > 0 && count == 0)
        status = em_runner_count(r, meant, r->arena, &count);
    if (status == EM_E_NOMEM)
        return status;
    outcome->suggestion_fits = meant.len > 0 && em_suggestion_fits(op, outcome, count);
    if (!outcome->suggestion_fits)
        return EM_OK;
    outcome->selector_error.suggested = meant;
    outcome->suggested_matches = count;
    return EM_OK;
}

const char *em_runner_question(em_runner *r, em_slice meant)
{
    return meant.len == 0
               ? ""
               : em_arena_format(r->arena, "; did you mean \"%.*s\"?", EM_SHOWN_SHORT(meant));
}

static em_status no_match(em_runner *r, const em_dom_op *op, const em_selector *selector,
                          em_dom_outcome *outcome)
{
    em_hinter hinter = em_runner_hinter(r);
    em_prefixes *prefixes = &outcome->prefixes;
    em_status status =
        em_selector_prefixes(&r->state.page, selector, &r->hints, r->arena, prefixes);
    if (status == EM_OK)
        status = em_hints_similar(&hinter, selector, prefixes, &outcome->similar);
    else
        *prefixes = (em_prefixes){0};
    EM_TRY(em_unless_late(status, &outcome->similar));
    EM_TRY(suggest_name(r, op, selector, outcome));
    const char *question = em_runner_question(r, outcome->selector_error.suggested);
    if (!question)
        return EM_E_NOMEM;
    if (prefixes->count < 2)
        return em_runner_fail(r, outcome, EM_DOM_E_NO_MATCH, "no element matches \"%.*s\"%s",
                              EM_SHOWN_SHORT(op->selector), question);
    const em_prefix *matching = &prefixes->items[prefixes->count - 2], *last = matching + 1;
    return em_runner_fail(r, outcome, EM_DOM_E_NO_MATCH,
                          "no element matches \"%.*s\": \"%.*s\" matches %zu, with \"%.*s\" none%s",
                          EM_SHOWN_SHORT(op->selector), EM_SHOWN_SHORT(matching->text),
                          matching->count, EM_SHOWN_SHORT(last->part), question);
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
    EM_TRY(em_runner_count(r, plain, &scratch, count));
    *suggested = *count > 0 ? plain : (em_slice){0};
    outcome->suggestion_fits = em_suggestion_fits(op, outcome, *count);
    const char *shown = with_blanks(r, em_slice_of(outcome->reason), "<U+00A0>");
    outcome->reason = shown
                          ? em_arena_format(r->arena,
                                            "%s; U+00A0 is a no-break space, which is a letter of "
                                            "a name there; \"%.*s\" matches %zu",
                                            shown, EM_SHOWN_SHORT(plain), *count)
                          : NULL;
    return outcome->reason ? EM_OK : EM_E_NOMEM;
}

/* Parts of a table that stand in none are nothing in the tree. */
static em_status tell_dropped(em_runner *r, em_dom_outcome *outcome)
{
    em_dropped *dropped = &r->dropped;
    const em_page *page = &r->state.page;
    if (!dropped->is_known)
        dropped->is_there = em_hints_dropped_part(page, &dropped->tag);
    dropped->is_known = true;
    if (!dropped->is_there)
        return EM_OK;
    outcome->reason = em_arena_format(
        r->arena,
        "%s; HTML drops the tags of a table that stand outside of one, as \"%.*s\" "
        "does, so they are no elements here: edit them as text, or put <table> "
        "around them first",
        outcome->reason,
        EM_SHOWN_SHORT(em_slice_sub(page->bytes, dropped->tag.start, dropped->tag.end)));
    return outcome->reason ? EM_OK : EM_E_NOMEM;
}

/* How the answer says where such a tag stands; NULL: want of memory. */
static const char *place_of_unread(em_runner *r, const em_unread_tag *unread)
{
    const em_node *holder = unread->holder;
    if (!holder)
        return "is no tag for HTML there";
    if (holder->kind == EM_NODE_COMMENT)
        return "stands in a comment, where it is no element";
    bool is_in_tag = unread->tag.start < holder->start_tag.end;
    return em_arena_format(r->arena, "stands in %s <%.*s>, where it is no element",
                           is_in_tag ? "the tag of a" : "a", EM_NAMED(holder));
}

/* What is asked for stands in the page, and is nothing in the tree. */
static em_status tell_unread(em_runner *r, em_dom_outcome *outcome)
{
    em_hinter hinter = em_runner_hinter(r);
    em_unread_tag unread;
    if (r->dropped.is_there || !em_hints_unread_tag(&hinter, &outcome->prefixes, &unread))
        return EM_OK;
    const char *place = place_of_unread(r, &unread);
    em_slice tag = em_slice_sub(r->state.page.bytes, unread.tag.start, unread.tag.end);
    outcome->reason = place ? em_arena_format(r->arena, "%s; \"%.*s\" %s: edit it as text",
                                              outcome->reason, EM_SHOWN_SHORT(tag), place)
                            : NULL;
    return outcome->reason ? EM_OK : EM_E_NOMEM;
}

/* The first element that goes on behind "/>" where that may not be meant; NULL. */
static const em_node *find_slashed(const em_page *page)
{
    for (size_t i = 0; i < page->count; i++)
        if (page->nodes[i]->flaws & EM_FLAW_SLASHED && em_node_is_slashed(page, page->nodes[i]))
            return page->nodes[i];
    return NULL;
}

/* What stands behind <icon/> is in it, and none of its siblings. */
static em_status tell_slashed(em_runner *r, em_dom_outcome *outcome)
{
    const em_prefixes *prefixes = &outcome->prefixes;
    const em_page *page = &r->state.page;
    em_slice part = prefixes->count > 1 ? prefixes->items[prefixes->count - 1].part : (em_slice){0};
    bool combined = part.len > 0 && em_is_one_of(part.ptr[0], ">+~");
    const em_node *slashed = combined ? find_slashed(page) : NULL;
    if (!slashed)
        return EM_OK;
    em_range tag = slashed->start_tag;
    outcome->reason = em_arena_format(
        r->arena,
        "%s; HTML takes no \"/>\" for an end, so what stands behind \"%.*s\" is in that element",
        outcome->reason, EM_SHOWN_SHORT(em_slice_sub(page->bytes, tag.start, tag.end)));
    return outcome->reason ? EM_OK : EM_E_NOMEM;
}

/* None of those can be changed, in whatever number they are asked for, as each is refused for its
 * tag. */
static bool are_cloned(em_nodes found)
{
    for (size_t i = 0; i < found.count; i++)
        if (!(found.items[i]->flaws & EM_FLAW_CLONED))
            return false;
    return true;
}

static em_status check_count(em_runner *r, const em_dom_op *op, const em_selector *selector,
                             em_nodes found, em_dom_outcome *outcome)
{
    em_hinter hinter = em_runner_hinter(r);
    outcome->matches = found.count;
    if (found.count == 0) {
        EM_TRY(no_match(r, op, selector, outcome));
        EM_TRY(tell_blank(r, op, outcome));
        EM_TRY(tell_slashed(r, outcome));
        EM_TRY(tell_dropped(r, outcome));
        return tell_unread(r, outcome);
    }
    if (asks_for(op, found.count) || are_cloned(found))
        return EM_OK;
    EM_TRY(em_unless_late(em_hints_of(&hinter, found, &outcome->candidates), &outcome->candidates));
    if (op->expected > 0)
        return em_runner_fail(
            r, outcome, EM_DOM_E_COUNT, "\"%.*s\" matches %zu element%s, expected %zu",
            EM_SHOWN_SHORT(op->selector), found.count, found.count == 1 ? "" : "s", op->expected);
    return em_runner_fail(
        r, outcome, EM_DOM_E_AMBIGUOUS,
        "\"%.*s\" matches %zu elements, and one is asked for; use a selector that matches "
        "only that one, or \"all\": true",
        EM_SHOWN_SHORT(op->selector), found.count);
}

/* Of two selectors that may be meant, that which matches something here. */
static em_status choose_suggestion(em_runner *r, const em_dom_op *op, em_arena *scratch,
                                   em_dom_outcome *outcome)
{
    em_selector_error *error = &outcome->selector_error;
    em_slice literal;
    size_t count;
    EM_TRY(find_literal(r, op->selector, &literal, &count));
    if (count > 0)
        error->instead = literal;
    else if (error->instead.len > 0)
        EM_TRY(em_runner_count(r, error->instead, scratch, &count));
    if (count > 0) {
        error->suggested = error->instead;
        error->widening = EM_WIDENS_NOT;
    } else if (error->suggested.len > 0)
        EM_TRY(em_runner_count(r, error->suggested, scratch, &count));
    outcome->suggested_matches = count;
    outcome->suggestion_fits = em_suggestion_fits(op, outcome, count);
    return EM_OK;
}

em_status em_runner_find(em_runner *r, const em_dom_op *op, em_arena *scratch, em_nodes *found,
                         em_dom_outcome *outcome)
{
    const em_selector *selector;
    em_selector_error *error = &outcome->selector_error;
    em_status status = em_selector_compile(op->selector, r->arena, &selector, error);
    if (status == EM_E_INVALID)
        EM_TRY(choose_suggestion(r, op, scratch, outcome));
    if (status == EM_E_INVALID && error->suggested.len > 0 && error->widening &&
        !outcome->suggestion_fits)
        return em_runner_fail(
            r, outcome, EM_DOM_E_SELECTOR,
            "the selector is wrong at character %zu: %s; did you mean \"%.*s\"? It may match "
            "more than was meant: it matches %zu element%s here",
            em_utf8_count(em_slice_sub(op->selector, 0, error->at)) + 1, error->reason,
            EM_SHOWN_SHORT(error->suggested), outcome->suggested_matches,
            outcome->suggested_matches == 1 ? "" : "s");
    if (status == EM_E_INVALID && error->suggested.len > 0)
        return em_runner_fail(r, outcome, EM_DOM_E_SELECTOR,
                              "the selector is wrong at character %zu: %s; did "
                              "you mean \"%.*s\"?",
                              em_utf8_count(em_slice_sub(op->selector, 0, error->at)) + 1,
                              error->reason, EM_SHOWN_SHORT(error->suggested));
    if (status == EM_E_INVALID)
        return em_runner_fail(
            r, outcome, EM_DOM_E_SELECTOR, "the selector is wrong at character %zu: %s",
            em_utf8_count(em_slice_sub(op->selector, 0, error->at)) + 1, error->reason);
    EM_TRY(status);
    em_runner_begin(r, op);
    EM_TRY(em_select(&r->state.page, selector, r->deadline, scratch, found));
    em_runner_begin(r, NULL);
    return check_count(r, op, selector, *found, outcome);
}
