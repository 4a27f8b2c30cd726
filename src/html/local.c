#include "html/local.h"

#include "html/parse.h"
#include "html/prescan.h"
#include "html/tag.h"

/* Elements whose text has rules of its own. The end of a form the parser does not keep. */
static bool is_ordinary(const em_node *node)
{
    static const char *const others[] = {"body", "form", "listing", "pre", "template"};
    if (node->ns != EM_NS_HTML || node->flaws || node->end_tag.end == 0)
        return false;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (em_slice_is(node->name, others[i]))
            return false;
    return em_html_holds_plain_text(node->name);
}

/* The only thing in there, a text; NULL. */
static const em_node *only_text(const em_node *parent)
{
    const em_node *child = parent->first_child;
    return child && !child->next && child->kind == EM_NODE_TEXT ? child : NULL;
}

static bool is_plain(em_slice bytes)
{
    return !em_slice_has_byte(bytes, '<') && !em_slice_has_byte(bytes, '>');
}

/* Do these bytes, alone in such an element, read as `text` and nothing else? */
static em_status reads_as(em_slice bytes, const em_node *parent, em_slice text,
                          em_deadline *deadline, bool *so)
{
    EM_AUTO(em_arena) scratch = {0};
    em_page page;
    em_error err = EM_ERROR_INIT;
    *so = false;
    em_status status = em_fragment_parse(bytes, parent, deadline, &scratch, &page, &err);
    if (status != EM_OK)
        return status == EM_E_NOMEM || status == EM_E_TIMEOUT ? status : EM_OK;
    const em_node *read = only_text(page.root);
    *so = read && em_slice_eq(read->text, text);
    return EM_OK;
}

em_status em_edit_is_local(const em_page *page, const em_edit *edit, em_deadline *deadline,
                           bool *local)
{
    const em_node *node = edit->node, *old = only_text(node),
                  *fresh = edit->fragment ? only_text(edit->fragment->root) : NULL;
    em_splice splice = edit->splice;
    *local = false;
    if (edit->kind != EM_EDIT_CONTENT || !is_ordinary(node) || !old || !fresh ||
        splice.offset != node->start_tag.end ||
        splice.offset + splice.length != node->end_tag.start ||
        page->bytes.len - splice.length + splice.insert.len > EM_MAX_PAGE_BYTES)
        return EM_OK;
    em_slice content = em_slice_sub(page->bytes, node->start_tag.end, node->end_tag.start);
    if (!is_plain(content) || !is_plain(splice.insert) || em_html_blank(old->text) ||
        em_html_blank(fresh->text))
        return EM_OK;
    EM_TRY(reads_as(content, node, old->text, deadline, local));
    return *local ? reads_as(splice.insert, node, fresh->text, deadline, local) : EM_OK;
}
