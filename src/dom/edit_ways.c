/* edit_ways.c: elements that go on in one of the ways in which code of a template can choose.
 *
 *     {% if a %}<p>1{% else %}<hr>{% endif %} <b>2</b> <div>3</div>
 *
 * The page as it stands has the <b> behind the <p>; where a is so, it is in that, and the <div> is
 * what ends it. What an edit brings or takes away must be as it was meant in each of the ways.
 */
#include "dom/edit.h"
#include "html/parse.h"
#include "html/readings.h"
#include "html/tag.h"

#include "base/strbuf.h"

/* ---- Elements of which code chooses the end -------------------------------------------------- */

em_status em_nodes_with_flaw(const em_page *page, unsigned flaw, em_arena *arena, em_nodes *found)
{
    size_t room = 0;
    *found = (em_nodes){0};
    for (size_t i = 0; i < page->count; i++) {
        if (!(page->nodes[i]->flaws & flaw))
            continue;
        EM_TRY(em_arena_grow(arena, (void **)&found->items, found->count, &room,
                             sizeof *found->items));
        found->items[found->count++] = page->nodes[i];
    }
    return EM_OK;
}

static em_status find_branched(em_edit_plan *plan)
{
    if (plan->branched_known)
        return EM_OK;
    plan->branched_known = true;
    return em_nodes_with_flaw(plan->page, EM_FLAW_BRANCHED, plan->of_page, &plan->branched);
}

/* ---- Where an element would end -------------------------------------------------------------- */

/* How much of `html` would be in `open`, if that began before it: *length bytes. */
static em_status measure(em_edit_plan *plan, const em_node *open, em_slice html, size_t *length)
{
    EM_AUTO(em_strbuf) text = {0};
    em_page page;
    em_error err = EM_ERROR_INIT;
    em_strbuf_puts(&text, "<");
    em_strbuf_add(&text, open->name);
    em_strbuf_puts(&text, ">");
    size_t start = text.len;
    em_strbuf_add(&text, html);
    if (text.failed)
        return EM_E_NOMEM;
    em_status status = em_fragment_parse(em_strbuf_slice(&text), open->parent, plan->deadline,
                                         plan->scratch, &page, &err);
    if (status == EM_E_NOMEM || status == EM_E_TIMEOUT)
        return status;
    const em_node *read = status == EM_OK ? page.root->first_child : NULL;
    bool is_known = read && !(read->flaws & (EM_FLAW_CLONED | EM_FLAW_FOSTER));
    *length = is_known && read->whole.end > start ? read->whole.end - start : 0;
    return EM_OK;
}

/* ---- What ends since the element begins ------------------------------------------------------ */

static em_status refuse_pushed(em_edit_plan *plan, const em_node *before, const em_node *node)
{
    return em_refuse(plan, EM_DOM_E_TEMPLATE,
                     "template code chooses between tags there, so that a <%.*s> before this "
                     "<%.*s> may go on up to it, and would take in what comes in its place; write "
                     "</%.*s> where that ends first, or edit it as text",
                     EM_NAMED(before), EM_NAMED(node), EM_NAMED(before));
}

/* Does the edit take away the element that begins at `at`, too? */
static bool goes_too(const em_edit_plan *plan, size_t at)
{
    return plan->op->action == EM_DOM_REMOVE && plan->at + 1 < plan->nodes->count &&
           plan->nodes->items[plan->at + 1]->start_tag.start == at;
}

/* What comes to stand where the element begins, as far as it tells whether that ends `before`: its
 * first tag. Empty: it does not tell. */
static em_slice first_tag(const em_edit_plan *plan, const em_edit *edit)
{
    em_slice bytes = plan->op->value;
    size_t at = 0;
    if (edit->kind == EM_EDIT_REMOVE) {
        bytes = plan->page->bytes;
        at = edit->splice.offset + edit->splice.length;
    }
    while (at < bytes.len && em_html_space(bytes.ptr[at]))
        at++;
    if (!em_tag_starts(bytes, at) || goes_too(plan, at))
        return (em_slice){0};
    return em_slice_sub(bytes, at, at + 1 + em_tag_name(bytes, at).len);
}

/* Does the element around it end behind what is removed, and with it all that is open in there? */
static bool is_last(const em_edit_plan *plan, const em_edit *edit)
{
    size_t end = edit->splice.offset + edit->splice.length,
           ends = edit->node->parent->end_tag.start;
    return edit->kind == EM_EDIT_REMOVE && em_is_there(edit->node->parent->end_tag) &&
           ends >= end && em_html_blank(em_slice_sub(plan->page->bytes, end, ends));
}

/* How much of what begins with that tag would be in `open`; of what does not tell, something is. */
static em_status measure_tag(em_edit_plan *plan, const em_node *open, em_slice tag,
                             size_t *taken_in)
{
    *taken_in = 1;
    if (tag.len == 0)
        return EM_OK;
    const char *whole = em_arena_format(plan->scratch, "%.*s>", (int)tag.len, tag.ptr);
    return whole ? measure(plan, open, em_slice_of(whole), taken_in) : EM_E_NOMEM;
}

/* Does code choose that `before` ends since the node begins? In another way it may go on. */
static em_status check_is_pushed(em_edit_plan *plan, const em_node *before, const em_node *node,
                                 bool *is_pushed)
{
    size_t at = node->start_tag.start, taken_in;
    *is_pushed = before->flaws & EM_FLAW_PUSHED && before->reach == at;
    if (*is_pushed || !(node->flaws & EM_FLAW_PUSHING) || before->reach <= at)
        return EM_OK;
    EM_TRY(measure_tag(plan, before, em_slice_sub(plan->page->bytes, at, at + 1 + node->name.len),
                       &taken_in));
    *is_pushed = taken_in == 0;
    return EM_OK;
}

/* Where code chooses that something before the element goes on up to it, and ends since it begins
 * there, that would take in what comes in its place: what is new, or what is behind it. Unless that
 * ends it, too. */
static em_status check_pushed(em_edit_plan *plan, const em_edit *edit)
{
    const em_node *node = edit->node;
    em_slice tag = first_tag(plan, edit);
    if (is_last(plan, edit))
        return EM_OK;
    for (size_t i = 0; i < plan->branched.count; i++) {
        const em_node *before = plan->branched.items[i];
        bool is_pushed;
        size_t taken_in = 0;
        if (before->index >= node->index)
            break;
        EM_TRY(check_is_pushed(plan, before, node, &is_pushed));
        if (is_pushed)
            EM_TRY(measure_tag(plan, before, tag, &taken_in));
        if (taken_in > 0)
            return refuse_pushed(plan, before, node);
    }
    return EM_OK;
}

/* ---- What goes on to an end ------------------------------------------------------------------ */

/* Where code chooses that something in the element goes on to its end, that would take in what
 * comes there. */
static em_status check_reach(em_edit_plan *plan, const em_edit *edit)
{
    const em_node *node = edit->node;
    for (size_t i = 0; i < plan->branched.count; i++) {
        const em_node *within = plan->branched.items[i];
        bool is_within = within->index > node->index && within->index < node->after;
        if (is_within && within->reach >= edit->splice.offset)
            return em_refuse(plan, EM_DOM_E_TEMPLATE,
                             "template code chooses between tags there, so that a <%.*s> in this "
                             "<%.*s> may go on to its end, and the new HTML would come into that; "
                             "write </%.*s> where that ends first, or edit it as text",
                             EM_NAMED(within), EM_NAMED(node), EM_NAMED(within));
    }
    return EM_OK;
}

/* ---- What goes on around the place ----------------------------------------------------------- */

static bool brings_elements(const em_edit *edit)
{
    const em_node *node = edit->fragment ? edit->fragment->root->first_child : NULL;
    while (node && node->kind != EM_NODE_ELEMENT)
        node = node->next;
    return node != NULL;
}

/* Does code choose that `open`, which begins before `node`, ends behind the start tag of that? */
static bool may_be_around(const em_node *open, const em_node *node)
{
    return open->reach > node->start_tag.start && !em_node_is(open, "head") &&
           !em_node_is(open, "body");
}

/* Where something is around the place in one of the ways that would rather end than hold what is
 * new, the ways are tried. */
static em_status check_held(em_edit_plan *plan, const em_edit *edit)
{
    const em_node *node = edit->node, *ended = NULL;
    em_slice html = plan->op->value;
    bool beside = edit->kind == EM_EDIT_INSERT &&
                  (edit->position == EM_DOM_BEFOREBEGIN || edit->position == EM_DOM_AFTEREND);
    for (size_t i = 0; i < plan->branched.count && !ended; i++) {
        const em_node *open = plan->branched.items[i];
        size_t held = html.len;
        if (open->index >= node->index)
            break;
        if (may_be_around(open, node))
            EM_TRY(measure(plan, open, html, &held));
        ended = held < html.len ? open : NULL;
    }
    bool they_hold = true;
    if (ended)
        EM_TRY(
            em_readings_hold(plan->page, node, !beside, &edit->splice, plan->deadline, &they_hold));
    if (they_hold)
        return EM_OK;
    return em_refuse(plan, EM_DOM_E_TEMPLATE,
                     "template code chooses between tags there, so that this place may be in a "
                     "<%.*s> that begins before it, and the new HTML would end that; write "
                     "</%.*s> where it ends first, give HTML that can stand in it, or edit it as "
                     "text",
                     EM_NAMED(ended), EM_NAMED(ended));
}

em_status em_edit_check_ways(em_edit_plan *plan, const em_edit *edit)
{
    bool inserts = edit->kind == EM_EDIT_INSERT;
    if (!plan->page->coded)
        return EM_OK;
    EM_TRY(find_branched(plan));
    if (edit->kind == EM_EDIT_REMOVE || (inserts && edit->position == EM_DOM_BEFOREBEGIN))
        EM_TRY(check_pushed(plan, edit));
    if (inserts && edit->position == EM_DOM_BEFOREEND)
        EM_TRY(check_reach(plan, edit));
    return brings_elements(edit) ? check_held(plan, edit) : EM_OK;
}
