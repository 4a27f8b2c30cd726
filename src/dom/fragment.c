#include "dom/fragment.h"

#include "html/elements.h"
#include "html/parse.h"
#include "html/prescan.h"
#include "html/spans.h"
#include "html/tag.h"

/* How many of the written tags made an element, and what is wrong with one of these. */
typedef struct em_tally {
    size_t starts, ends;
    const em_node *open, *flawed;
} em_tally;

static em_tally count(const em_page *fragment)
{
    em_tally tally = {0};
    for (size_t i = 1; i < fragment->count; i++) {
        const em_node *node = fragment->nodes[i];
        if (node->kind != EM_NODE_ELEMENT)
            continue;
        tally.starts += em_is_there(node->start_tag);
        tally.ends += em_is_there(node->end_tag);
        bool may_be_open = em_is_there(node->end_tag) || node->flaws & EM_FLAW_IMPLIED ||
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

/* The only element of it, with nothing beside it but white space; NULL. */
static const em_node *only_element(const em_page *fragment)
{
    const em_node *only = NULL;
    for (const em_node *node = fragment->root->first_child; node; node = node->next) {
        bool is_blank = node->kind == EM_NODE_TEXT && em_html_blank(node->text);
        if (is_blank)
            continue;
        if (only || node->kind != EM_NODE_ELEMENT)
            return NULL;
        only = node;
    }
    return only;
}

static bool have_same_attrs(const em_node *node, const em_node *other)
{
    for (uint32_t i = 0; i < node->attr_count; i++) {
        const em_attr *attr = em_node_attr(other, node->attrs[i].name);
        if (!attr || !em_slice_eq(attr->value, node->attrs[i].value))
            return false;
    }
    return node->attr_count == other->attr_count;
}

static bool have_same_id(const em_node *node, const em_node *other)
{
    const em_attr *id = em_node_attr(node, EM_LIT("id")),
                  *others = em_node_attr(other, EM_LIT("id"));
    return id && others && id->value.len > 0 && em_slice_eq(id->value, others->value);
}

em_status em_fragment_check_itself(em_edit_plan *plan, const em_node *node, const em_page *fragment)
{
    const em_node *only = only_element(fragment);
    if (!only || !em_slice_eq(only->name, node->name) || node->attr_count == 0)
        return EM_OK;
    bool same = have_same_attrs(node, only);
    if (have_same_id(node, only)) {
        if (same && em_is_there(only->end_tag))
            plan->value_meant =
                em_slice_sub(plan->op->value, only->start_tag.end, only->end_tag.start);
        return em_refuse(plan, EM_DOM_E_FRAGMENT,
                         "the HTML is the <%.*s> itself, with its id, and would come to stand in "
                         "it; give setHTML what is in that alone, and set its attributes with "
                         "setAttribute, or replace the element as text",
                         EM_NAMED(node));
    }
    if (!same)
        return EM_OK;
    plan->warning = em_arena_format(
        plan->arena,
        "setHTML has put a <%.*s> into one with the same attributes: it sets what is in the "
        "element. If that itself was to be replaced, undo this and give what is in it alone",
        EM_NAMED(node));
    return plan->warning ? EM_OK : EM_E_NOMEM;
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
