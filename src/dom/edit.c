#include "dom/edit.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "html/escape.h"
#include "html/tag.h"

#include <stdarg.h>

em_status em_refuse(em_edit_plan *plan, em_dom_code code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *reason = em_arena_format_v(plan->arena, format, args);
    va_end(args);
    plan->refusal = (em_refusal){code, reason};
    return reason ? EM_E_INVALID : EM_E_NOMEM;
}

em_status em_refuse_odd(em_edit_plan *plan, const em_node *node)
{
    em_range tag = node->start_tag;
    em_slice shown = em_slice_sub(plan->page->bytes, tag.start, tag.end);
    return em_refuse(
        plan, EM_DOM_E_TEMPLATE,
        "HTML finds an error in \"%.*s%s\", a quote, \"<\" or \"=\" where none can "
        "be: code of a template stands there, or a quote or \">\" is missing, so it is "
        "not known %s; edit it as text",
        EM_SHOWN_TAG(shown),
        node->flaws & EM_FLAW_UNBOUND ? "which attributes it has and where it ends"
                                      : "which attributes it has");
}

/* Is there a tag of the element that comes when HTML has added that already? */
static bool is_begun_late(const em_page *page, const em_node *node)
{
    enum { MOST_TRIED = 64 };
    em_slice bytes = page->bytes;
    bool is_frame =
        em_node_is(node, "html") || em_node_is(node, "head") || em_node_is(node, "body");
    for (size_t at = 0, tried = 0; is_frame && at < bytes.len && tried < MOST_TRIED; at++) {
        bool is_named =
            em_tag_starts(bytes, at) && em_same_in_any_case(em_tag_name(bytes, at), node->name);
        if (is_named && !em_edit_is_taken(page, at))
            return true;
        tried += is_named;
    }
    return false;
}

/* Every action needs a start tag that is the element's own. */
static em_status check_start(em_edit_plan *plan, const em_node *node)
{
    if (node->flaws & EM_FLAW_CLONED)
        return em_refuse(plan, EM_DOM_E_CLONED,
                         "tags are misnested there, so that one <%.*s> tag made several elements; "
                         "put the end tags in order first",
                         EM_NAMED(node));
    if (node->flaws & EM_FLAW_IMPLIED && is_begun_late(plan->page, node))
        return em_refuse(plan, EM_DOM_E_MERGED_ATTR,
                         "the <%.*s> tag of the page stands behind content of that element, so "
                         "that %s; move it before that first",
                         EM_NAMED(node),
                         em_node_is(node, "head") ? "HTML passes over it"
                                                  : "nothing but its attributes counts");
    if (node->flaws & EM_FLAW_IMPLIED)
        return em_refuse(plan, EM_DOM_E_IMPLIED,
                         "no <%.*s> tag begins this in the page, HTML adds the element by itself; "
                         "choose an element that is written there, around it or in it",
                         EM_NAMED(node));
    if (node->flaws & EM_FLAW_RULED)
        return em_refuse(plan, EM_DOM_E_GUARD,
                         "its <select> holds an <hr>, which only some parsers let stand there, so "
                         "it cannot be told for sure that this <%.*s> is meant; edit it as text",
                         EM_NAMED(node));
    return EM_OK;
}

em_status em_edit_warn_of_entity(em_edit_plan *plan)
{
    bool is_attr = plan->op->action == EM_DOM_SET_ATTRIBUTE;
    em_slice entity = em_html_first_entity(plan->op->value);
    if (entity.len == 0)
        return EM_OK;
    plan->warning = em_arena_format(
        plan->arena,
        "%s takes its value as text, so the %s \"%.*s\" as it stands there (\"&amp;%.*s\"). If the "
        "character was meant, give that itself%s",
        is_attr ? "setAttribute" : "setText", is_attr ? "attribute now holds" : "page now shows",
        (int)entity.len, entity.ptr, (int)entity.len - 1, entity.ptr + 1,
        is_attr ? "" : ", or use setHTML");
    return plan->warning ? EM_OK : EM_E_NOMEM;
}

em_status em_edit_make(em_edit_plan *plan, em_node *node, em_edit *edit)
{
    static em_status (*const actions[])(em_edit_plan *, em_node *, em_edit *) = {
        [EM_DOM_SET_ATTRIBUTE] = em_edit_set_attr,
        [EM_DOM_REMOVE_ATTRIBUTE] = em_edit_remove_attr,
        [EM_DOM_SET_TEXT] = em_edit_content,
        [EM_DOM_SET_HTML] = em_edit_content,
        [EM_DOM_ADD_CLASS] = em_edit_classes,
        [EM_DOM_REMOVE_CLASS] = em_edit_classes,
        [EM_DOM_REPLACE_CLASS] = em_edit_classes,
        [EM_DOM_REMOVE] = em_edit_remove,
        [EM_DOM_INSERT_ADJACENT_HTML] = em_edit_insert,
    };
    em_arena_clear(plan->scratch);
    *edit = (em_edit){.node = node};
    EM_TRY(check_start(plan, node));
    EM_TRY(actions[plan->op->action](plan, node, edit));
    EM_TRY(em_edit_check_ways(plan, edit));
    return em_edit_check_code(plan, edit);
}
