/* compound.c: does an element match a compound? What the element, its attributes and the
 * sets tell. */
#include "selectors/query.h"

#include "selectors/ascii.h"

static bool same(em_slice a, em_slice b, bool any_case)
{
    return any_case ? em_same_in_any_case(a, b) : em_slice_eq(a, b);
}

static bool starts(em_slice text, em_slice start, bool any_case)
{
    return start.len > 0 && text.len >= start.len &&
           same(em_slice_sub(text, 0, start.len), start, any_case);
}

static bool ends(em_slice text, em_slice end, bool any_case)
{
    return end.len > 0 && text.len >= end.len &&
           same(em_slice_from(text, text.len - end.len), end, any_case);
}

static bool holds(em_query *query, em_slice text, em_slice part, bool any_case)
{
    if (part.len == 0)
        return false;
    if (!any_case)
        return text.len > 0 && memmem(text.ptr, text.len, part.ptr, part.len);
    for (size_t i = 0; i + part.len <= text.len; i++) {
        if (em_same_in_any_case(em_slice_sub(text, i, i + part.len), part))
            return true;
        if (em_deadline_spend(query->deadline, part.len))
            return false;
    }
    return false;
}

/* Is it one of the words of `text`? */
static bool has_word(em_slice text, em_slice word, bool any_case)
{
    for (size_t start = 0, end; start < text.len; start = end + 1) {
        for (end = start; end < text.len && !em_ascii_blank(text.ptr[end]);)
            end++;
        if (end > start && same(em_slice_sub(text, start, end), word, any_case))
            return true;
    }
    return false;
}

static bool has_id(const em_query *query, em_slice id, const em_node *node)
{
    const em_attr *attr = em_node_attr_any_case(node, EM_LIT("id"));
    return attr && same(attr->value, id, query->page->quirks);
}

static bool has_class(em_query *query, em_slice class, const em_node *node)
{
    const em_attr *attr = em_node_attr_any_case(node, EM_LIT("class"));
    if (attr)
        em_deadline_spend(query->deadline, attr->value.len);
    return attr && has_word(attr->value, class, query->page->quirks);
}

static bool value_fits(em_query *query, const em_simple *simple, em_slice value, bool any_case)
{
    em_slice wanted = simple->value;
    em_deadline_spend(query->deadline, value.len);
    switch (simple->test) {
    case EM_ATTR_THERE:
        return true;
    case EM_ATTR_WORD:
        return has_word(value, wanted, any_case);
    case EM_ATTR_DASH:
        return same(value, wanted, any_case) ||
               (value.len > wanted.len && value.ptr[wanted.len] == '-' &&
                same(em_slice_sub(value, 0, wanted.len), wanted, any_case));
    case EM_ATTR_STARTS:
        return starts(value, wanted, any_case);
    case EM_ATTR_ENDS:
        return ends(value, wanted, any_case);
    case EM_ATTR_HOLDS:
        return holds(query, value, wanted, any_case);
    case EM_ATTR_EQUAL:
    case EM_ATTR_NOT_EQUAL:
        break;
    }
    return same(value, wanted, any_case) == (simple->test == EM_ATTR_EQUAL);
}

static bool has_attribute(em_query *query, const em_simple *simple, const em_node *node)
{
    const em_attr *attr = em_node_attr_any_case(node, simple->name);
    bool any_case =
        simple->letters == EM_CASE_IGNORED ||
        (simple->letters == EM_CASE_BY_NAME && simple->listed_value && node->ns == EM_NS_HTML);
    if (!attr)
        return simple->test == EM_ATTR_NOT_EQUAL;
    return value_fits(query, simple, attr->value, any_case);
}

/* No element in it, and no text; comments do not count. */
static bool is_empty(const em_node *node)
{
    for (const em_node *child = node->first_child; child; child = child->next)
        if (child->kind == EM_NODE_ELEMENT || (child->kind == EM_NODE_TEXT && child->text.len > 0))
            return false;
    return true;
}

static bool in_list(em_query *query, const em_simple *simple, const em_node *node)
{
    if (!simple->list.plain)
        return em_bits_has(query->slots[simple->slot], node->index);
    for (size_t i = 0; i < simple->list.count; i++)
        if (em_compound_matches(query, &simple->list.items[i].parts[0], node))
            return true;
    return false;
}

/* Each kind is named, here and in reads.c and fill.c, so that the compiler says which is forgotten.
 */
static bool simple_matches(em_query *query, const em_simple *simple, const em_node *node)
{
    switch (simple->kind) {
    case EM_SIMPLE_ANY:
        return true;
    case EM_SIMPLE_TYPE:
        return em_same_in_any_case(node->name, simple->name);
    case EM_SIMPLE_ID:
        return has_id(query, simple->name, node);
    case EM_SIMPLE_CLASS:
        return has_class(query, simple->name, node);
    case EM_SIMPLE_ATTRIBUTE:
        return has_attribute(query, simple, node);
    case EM_SIMPLE_KEPT:
        return em_bits_has(query->kept, node->index);
    case EM_SIMPLE_LIST:
        return in_list(query, simple, node) != simple->negated;
    case EM_SIMPLE_NTH_CHILD:
    case EM_SIMPLE_NTH_OF_TYPE:
        return em_is_nth(query, simple, node);
    case EM_SIMPLE_EMPTY:
        return is_empty(node);
    case EM_SIMPLE_ROOT:
        return node->parent && node->parent->kind == EM_NODE_DOCUMENT;
    case EM_SIMPLE_LANG:
        return em_is_in_language(query, simple, node);
    case EM_SIMPLE_DIR:
        return em_is_in_direction(query, simple, node);
    case EM_SIMPLE_EDITABLE:
        return em_is_editable(query, node);
    case EM_SIMPLE_DEFAULT_BUTTON:
        return em_is_default_button(query, node);
    case EM_SIMPLE_UNDECIDED_RADIO:
        return em_is_undecided_radio(query, node);
    case EM_SIMPLE_OVERRULED_RADIO:
        return em_is_overruled_radio(query, node);
    case EM_SIMPLE_HAS:
    case EM_SIMPLE_CONTAINS:
        break;
    }
    return em_bits_has(query->slots[simple->slot], node->index);
}

/* Once the deadline has passed nothing matches, and whoever asks finds that it has. */
bool em_compound_matches(em_query *query, const em_compound *compound, const em_node *node)
{
    for (size_t i = 0; i < compound->count; i++)
        if (em_deadline_spend(query->deadline, EM_NODE_WORK) ||
            !simple_matches(query, &compound->items[i], node))
            return false;
    return true;
}
