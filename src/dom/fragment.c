#include "dom/fragment.h"

#include "html/elements.h"
#include "html/parse.h"
#include "html/prescan.h"
#include "html/spans.h"

/* How many of the written tags made an element, and what is wrong with one of these. */
typedef struct em_tally {
    size_t starts, ends;
    const em_node *open, *flawed;
} em_tally;

static bool has(em_range range)
{
    return range.end > range.start;
}

static em_tally count(const em_page *fragment)
{
    em_tally tally = {0};
    for (size_t i = 1; i < fragment->count; i++) {
        const em_node *node = fragment->nodes[i];
        if (node->kind != EM_NODE_ELEMENT)
            continue;
        tally.starts += has(node->start_tag);
        tally.ends += has(node->end_tag);
        bool may_be_open = has(node->end_tag) || node->flaws & EM_FLAW_IMPLIED ||
                           em_node_is_void(fragment, node) ||
                           (node->ns == EM_NS_HTML && em_html_end_is_optional(node->name));
        if (!may_be_open && !tally.open)
            tally.open = node;
        if (node->flaws & (EM_FLAW_CLONED | EM_FLAW_FOSTER | EM_FLAW_NO_END) && !tally.flawed)
            tally.flawed = node;
    }
    return tally;
}

static size_t lacking(size_t found, size_t written)
{
    return written > found ? written - found : 0;
}

static em_status refuse_dropped(em_edit_plan *plan, const em_node *parent)
{
    if (em_node_is(parent, "select") || em_node_is(parent, "optgroup") ||
        em_node_is(parent, "option"))
        return em_refuse(
            plan, EM_DOM_E_FRAGMENT,
            "in a <select> only <option> and <optgroup> can stand: other elements, "
            "and an <hr>, many parsers drop there; leave them out, or edit it as text");
    return em_refuse(plan, EM_DOM_E_FRAGMENT,
                     "HTML drops a tag of this where it is to stand, in <%.*s>: <tr> and <td> "
                     "need their table around them, <html>, <head> and <body> are there once",
                     EM_NAMED(parent));
}

static em_status check(em_edit_plan *plan, const em_node *parent, const em_page *fragment,
                       const em_prescan *scan)
{
    em_tally tally = count(fragment);
    if (scan->open)
        return em_refuse(plan, EM_DOM_E_FRAGMENT,
                         "the HTML ends inside of a tag, a comment or a script; give it whole");
    if (tally.flawed && tally.flawed->flaws & EM_FLAW_CLONED)
        return em_refuse(plan, EM_DOM_E_FRAGMENT,
                         "the tags of the HTML are misnested at <%.*s>; close them in the order in "
                         "which they were opened",
                         EM_NAMED(tally.flawed));
    if (tally.open)
        return em_refuse(plan, EM_DOM_E_FRAGMENT, "<%.*s> of the HTML is not closed; add </%.*s>%s",
                         EM_NAMED(tally.open), EM_NAMED(tally.open),
                         tally.open->ns == EM_NS_HTML ? " (\"/>\" closes nothing in HTML)" : "");
    if (scan->has_doctype)
        return em_refuse(plan, EM_DOM_E_FRAGMENT,
                         "HTML drops a doctype that stands in a page; leave it out");
    size_t dropped = lacking(tally.starts, scan->start_tags);
    if (lacking(tally.ends, scan->end_tags) > dropped)
        return em_refuse(plan, EM_DOM_E_FRAGMENT,
                         "the HTML has an end tag that closes nothing of it; give each element "
                         "with both its tags, and in a <p> only what it may hold");
    if (dropped > 0)
        return refuse_dropped(plan, parent);
    if (tally.flawed)
        return em_refuse(plan, EM_DOM_E_FRAGMENT,
                         "HTML moves a part of this to another place at <%.*s>: directly in a "
                         "table only rows can stand",
                         EM_NAMED(tally.flawed));
    return EM_OK;
}

em_status em_fragment_make(em_edit_plan *plan, const em_node *parent, em_slice html,
                           em_page **fragment)
{
    EM_AUTO(em_arena) scratch = {0};
    em_error err = EM_ERROR_INIT;
    em_prescan scan;
    em_page *page = *fragment = em_alloc(plan->arena, sizeof *page);
    if (!page)
        return EM_E_NOMEM;
    em_status status = em_fragment_parse(html, parent, plan->deadline, plan->arena, page, &err);
    if (status == EM_OK)
        status = em_prescan_part(html, parent, &scratch, &scan, &err);
    if (status == EM_E_NOMEM || status == EM_E_TIMEOUT)
        return status;
    if (status != EM_OK)
        return em_refuse(plan, EM_DOM_E_FRAGMENT, "the HTML cannot be read: %s", err.detail);
    bool only_text = parent->ns == EM_NS_HTML && em_html_is_rcdata(parent->name);
    return only_text ? EM_OK : check(plan, parent, page, &scan);
}

em_status em_fragment_text(em_edit_plan *plan, em_slice decoded, size_t length, em_page **fragment)
{
    em_page *page = em_alloc(plan->arena, sizeof *page);
    em_node *nodes = em_alloc_array(plan->arena, 2, sizeof *nodes);
    em_node **list = em_alloc_array(plan->arena, 2, sizeof *list);
    *fragment = NULL;
    if (!page || !nodes || !list)
        return EM_E_NOMEM;
    if (decoded.len == 0)
        return EM_OK;
    em_node *root = &nodes[0], *text = &nodes[1];
    root->first_child = root->last_child = list[1] = text;
    list[0] = root;
    *text = (em_node){.kind = EM_NODE_TEXT, .parent = root, .text = decoded, .whole = {0, length}};
    *page = (em_page){.root = root, .nodes = list, .count = 2};
    *fragment = page;
    return EM_OK;
}
