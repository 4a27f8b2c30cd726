/* state.c: what HTML says about an element from what stands around it: its language, its
 * direction, whether it can be edited, and what is true of a form when a page has been loaded. */
#include "selectors/query.h"

#include "base/utf8.h"
#include "selectors/ascii.h"

#include <stdlib.h>
#include <utf8proc.h>

static bool has_value(const em_node *node, const char *name, const char *value)
{
    const em_attr *attr = em_node_attr_any_case(node, em_slice_of(name));
    return attr && em_ascii_is(attr->value, value);
}

static const em_node *element_above(em_query *query, const em_node *node)
{
    em_deadline_spend(query->deadline, EM_NODE_WORK);
    return node->parent && node->parent->kind == EM_NODE_ELEMENT ? node->parent : NULL;
}

/* ---- Language -------------------------------------------------------------------------------- */

/* The next part of a tag or range, up to a hyphen; false: there is none. */
static bool next_subtag(em_slice *rest, em_slice *subtag)
{
    if (!rest->ptr)
        return false;
    const char *hyphen = rest->len > 0 ? memchr(rest->ptr, '-', rest->len) : NULL;
    size_t length = hyphen ? (size_t)(hyphen - rest->ptr) : rest->len;
    *subtag = em_slice_sub(*rest, 0, length);
    *rest = hyphen ? em_slice_from(*rest, length + 1) : (em_slice){0};
    return true;
}

/* Extended filtering (RFC 4647, 3.3.2); an empty range is for what has no language. */
static bool range_fits(em_slice range, em_slice tag)
{
    em_slice wanted = {0}, found = {0};
    if (range.len == 0 || tag.len == 0)
        return range.len == tag.len;
    next_subtag(&range, &wanted);
    next_subtag(&tag, &found);
    if (!em_slice_is(wanted, "*") && !em_same_in_any_case(wanted, found))
        return false;
    while (next_subtag(&range, &wanted)) {
        if (em_slice_is(wanted, "*"))
            continue;
        do {
            bool skippable = found.len > 1 || em_slice_is(found, "*");
            if (!next_subtag(&tag, &found) || !skippable)
                return false;
        } while (!em_same_in_any_case(wanted, found));
    }
    return true;
}

static em_slice language_of(em_query *query, const em_node *node)
{
    for (; node; node = element_above(query, node)) {
        const em_attr *xml =
            node->ns == EM_NS_HTML ? NULL : em_node_attr_any_case(node, EM_LIT("xml:lang"));
        const em_attr *attr = xml ? xml : em_node_attr_any_case(node, EM_LIT("lang"));
        if (attr)
            return attr->value;
    }
    return (em_slice){0};
}

bool em_is_in_language(em_query *query, const em_simple *simple, const em_node *node)
{
    em_slice language = language_of(query, node);
    for (size_t i = 0; i < simple->language_count; i++)
        if (!em_deadline_spend(query->deadline, language.len) &&
            range_fits(simple->languages[i], language))
            return true;
    return false;
}

/* ---- Direction ------------------------------------------------------------------------------- */

typedef enum direction { DIRECTION_UNKNOWN, DIRECTION_LTR, DIRECTION_RTL } direction;

static bool has_direction(const em_node *node)
{
    return node->ns == EM_NS_HTML &&
           (has_value(node, "dir", "ltr") || has_value(node, "dir", "rtl") ||
            has_value(node, "dir", "auto"));
}

/* That of the first letter that has one. */
static direction direction_of_text(em_query *query, em_slice text)
{
    em_deadline_spend(query->deadline, text.len);
    for (size_t at = 0; at < text.len;) {
        const utf8proc_property_t *is = utf8proc_get_property((int32_t)em_utf8_next(text, &at));
        if (is->bidi_class == UTF8PROC_BIDI_CLASS_L)
            return DIRECTION_LTR;
        if (is->bidi_class == UTF8PROC_BIDI_CLASS_R || is->bidi_class == UTF8PROC_BIDI_CLASS_AL)
            return DIRECTION_RTL;
    }
    return DIRECTION_UNKNOWN;
}

static bool decides_for_itself(const em_node *node)
{
    return node->kind == EM_NODE_ELEMENT &&
           (em_node_is(node, "bdi") || em_node_is(node, "script") || em_node_is(node, "style") ||
            em_node_is(node, "textarea") || has_direction(node));
}

static direction direction_of_content(em_query *query, const em_node *node)
{
    for (uint32_t i = node->index + 1; i < node->after; i++) {
        const em_node *inner = query->page->nodes[i];
        em_deadline_spend(query->deadline, EM_NODE_WORK);
        if (decides_for_itself(inner)) {
            i = inner->after - 1;
            continue;
        }
        direction found =
            inner->kind == EM_NODE_TEXT ? direction_of_text(query, inner->text) : DIRECTION_UNKNOWN;
        if (found != DIRECTION_UNKNOWN)
            return found;
    }
    return DIRECTION_LTR;
}

static direction direction_by_itself(em_query *query, const em_node *node)
{
    if (!em_node_is(node, "input"))
        return direction_of_content(query, node);
    const em_attr *value = em_node_attr_any_case(node, EM_LIT("value"));
    direction found = value ? direction_of_text(query, value->value) : DIRECTION_UNKNOWN;
    return found == DIRECTION_UNKNOWN ? DIRECTION_LTR : found;
}

static direction direction_of(em_query *query, const em_node *node)
{
    for (; node; node = element_above(query, node)) {
        bool set = has_direction(node);
        if (set && has_value(node, "dir", "rtl"))
            return DIRECTION_RTL;
        if (set && has_value(node, "dir", "ltr"))
            return DIRECTION_LTR;
        if (set || em_node_is(node, "bdi"))
            return direction_by_itself(query, node);
        if (em_node_is(node, "input") && has_value(node, "type", "tel"))
            return DIRECTION_LTR;
    }
    return DIRECTION_LTR;
}

bool em_is_in_direction(em_query *query, const em_simple *simple, const em_node *node)
{
    return em_ascii_is(simple->value, "rtl") == (direction_of(query, node) == DIRECTION_RTL);
}

/* ---- Editing --------------------------------------------------------------------------------- */

bool em_is_editable(em_query *query, const em_node *node)
{
    for (; node; node = element_above(query, node)) {
        if (node->ns != EM_NS_HTML)
            continue;
        if (has_value(node, "contenteditable", "") || has_value(node, "contenteditable", "true") ||
            has_value(node, "contenteditable", "plaintext-only"))
            return true;
        if (has_value(node, "contenteditable", "false"))
            return false;
    }
    return false;
}

/* ---- Forms ----------------------------------------------------------------------------------- */

/* The form around it; NULL: none is. */
static const em_node *form_of(em_query *query, const em_node *node)
{
    while (node && !em_node_is(node, "form"))
        node = element_above(query, node);
    return node;
}

static bool is_submit_button(const em_node *node)
{
    if (em_node_is(node, "button"))
        return !has_value(node, "type", "button") && !has_value(node, "type", "reset");
    return em_node_is(node, "input") &&
           (has_value(node, "type", "submit") || has_value(node, "type", "image"));
}

bool em_is_default_button(em_query *query, const em_node *node)
{
    const em_node *form = is_submit_button(node) ? form_of(query, node) : NULL;
    if (!form)
        return false;
    for (uint32_t i = form->index + 1; i < node->index; i++) {
        em_deadline_spend(query->deadline, EM_NODE_WORK);
        if (is_submit_button(query->page->nodes[i]))
            return false;
    }
    return true;
}

/* ---- Radio buttons --------------------------------------------------------------------------- */

/* Those of one name in one form, or in none, are a group: one at most is on. */
typedef struct em_checked_radio {
    const em_node *form; /* NULL: none is around it */
    em_slice name;
    uint32_t index;
} em_checked_radio;

static em_slice group_name(const em_node *radio)
{
    const em_attr *name = em_node_attr_any_case(radio, EM_LIT("name"));
    return name ? name->value : (em_slice){0};
}

static int by_group(const em_checked_radio *a, const em_checked_radio *b)
{
    uint32_t of_a = a->form ? a->form->index : 0, of_b = b->form ? b->form->index : 0;
    return of_a != of_b ? (of_a > of_b) - (of_a < of_b) : em_slice_order(a->name, b->name);
}

static int by_group_and_place(const void *a, const void *b)
{
    const em_checked_radio *x = a, *y = b;
    int by = by_group(x, y);
    return by != 0 ? by : (x->index > y->index) - (x->index < y->index);
}

static bool is_checked_radio(const em_node *node)
{
    return em_node_is(node, "input") && has_value(node, "type", "radio") &&
           em_node_attr_any_case(node, EM_LIT("checked"));
}

em_status em_fill_radios(em_query *query)
{
    const em_page *page = query->page;
    size_t count = 0;
    if (query->radios)
        return EM_OK;
    for (size_t i = 0; i < page->count; i++) {
        count += is_checked_radio(page->nodes[i]);
        EM_TRY(em_query_spend(query, EM_NODE_WORK));
    }
    em_checked_radio *radios = em_alloc_array(query->arena, count + 1, sizeof *radios);
    if (!radios)
        return EM_E_NOMEM;
    for (uint32_t i = 0; i < page->count; i++) {
        const em_node *node = page->nodes[i];
        if (is_checked_radio(node))
            radios[query->radio_count++] =
                (em_checked_radio){form_of(query, node), group_name(node), i};
    }
    qsort(radios, count, sizeof *radios, by_group_and_place);
    query->radios = radios;
    return EM_OK;
}

/* The last of its group that is checked; NULL: none is. */
static const em_checked_radio *last_checked(em_query *query, const em_node *radio)
{
    em_checked_radio group = {form_of(query, radio), group_name(radio), 0};
    const em_checked_radio *radios = query->radios;
    size_t low = 0, high = query->radio_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        em_deadline_spend(query->deadline, EM_NODE_WORK);
        if (by_group(&radios[middle], &group) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && by_group(&radios[low - 1], &group) == 0 ? &radios[low - 1] : NULL;
}

/* Without a name it is in no group but its own. */
bool em_is_undecided_radio(em_query *query, const em_node *node)
{
    return group_name(node).len > 0 ? !last_checked(query, node) : !is_checked_radio(node);
}

bool em_is_overruled_radio(em_query *query, const em_node *node)
{
    const em_checked_radio *last = group_name(node).len > 0 ? last_checked(query, node) : NULL;
    return last && last->index > node->index;
}
