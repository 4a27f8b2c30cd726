#include "selectors/unique.h"

#include "html/tag.h"
#include "selectors/parser.h"

enum { MOST_CLASSES = 4 };

typedef struct em_search {
    const em_page *page;
    const em_node *node;
    em_deadline *deadline;
    em_arena *arena;
    em_slice *selector;
    bool found;
} em_search;

/* Does it match the element and nothing else? */
static em_status try(em_search *search, const em_node *node, const char *text)
{
    EM_AUTO(em_arena) scratch = {0};
    const em_selector *selector;
    em_selector_error error;
    em_nodes nodes;
    if (!text)
        return EM_E_NOMEM;
    em_status status = em_selector_compile(em_slice_of(text), &scratch, &selector, &error);
    if (status != EM_OK)
        return status == EM_E_INVALID ? EM_OK : status;
    EM_TRY(em_select(search->page, selector, search->deadline, &scratch, &nodes));
    if (nodes.count == 1 && nodes.items[0] == node) {
        *search->selector = em_slice_of(text);
        search->found = true;
    }
    return EM_OK;
}

static em_status try_id(em_search *search, const em_node *node)
{
    const em_attr *id = em_node_attr(node, EM_LIT("id"));
    if (!id || id->value.len == 0)
        return EM_OK;
    const char *name = em_css_escape(id->value, search->arena);
    return name ? try(search, node, em_arena_format(search->arena, "#%s", name)) : EM_E_NOMEM;
}

static em_status try_class(em_search *search, const char *type, em_slice name)
{
    const char *escaped = em_css_escape(name, search->arena);
    if (!escaped)
        return EM_E_NOMEM;
    EM_TRY(try(search, search->node, em_arena_format(search->arena, ".%s", escaped)));
    if (search->found)
        return EM_OK;
    return try(search, search->node, em_arena_format(search->arena, "%s.%s", type, escaped));
}

static em_status try_classes(em_search *search)
{
    const em_attr *attr = em_node_attr(search->node, EM_LIT("class"));
    em_slice value = attr ? attr->value : (em_slice){0};
    const char *type = em_css_escape(search->node->name, search->arena);
    if (!type)
        return EM_E_NOMEM;
    for (size_t at = 0, tried = 0; at < value.len && !search->found && tried < MOST_CLASSES;) {
        size_t end = at;
        while (end < value.len && !em_html_space(value.ptr[end]))
            end++;
        if (end > at) {
            EM_TRY(try_class(search, type, em_slice_sub(value, at, end)));
            tried++;
        }
        at = end + 1;
    }
    return search->found ? EM_OK : try(search, search->node, type);
}

/* One step of the way: ":nth-child(2)", or by the name where that says enough. */
static em_status step(em_search *search, const em_node *node, bool named, em_slice *text)
{
    size_t place = 1, alike = 1, like_before = 1;
    for (const em_node *other = node->parent->first_child; other; other = other->next) {
        bool like = other->kind == EM_NODE_ELEMENT && other->ns == node->ns &&
                    em_slice_eq(other->name, node->name);
        bool before = other->index < node->index;
        place += before && other->kind == EM_NODE_ELEMENT;
        alike += like && other != node;
        like_before += like && before;
    }
    const char *name = em_css_escape(node->name, search->arena), *made;
    if (!named && node->parent->kind == EM_NODE_DOCUMENT)
        made = ":root";
    else if (!named)
        made = em_arena_format(search->arena, ":nth-child(%zu)", place);
    else if (alike == 1)
        made = name;
    else
        made = em_arena_format(search->arena, "%s:nth-of-type(%zu)", name ? name : "", like_before);
    *text = name && made ? em_slice_of(made) : (em_slice){0};
    return name && made ? EM_OK : EM_E_NOMEM;
}

/* As much of the way down to it as says enough: from one of the elements around, at most from the
 * nearest that has an id of its own, or from the root. */
static em_status try_way(em_search *search, bool named)
{
    const char *way = "";
    const em_node *node = search->node;
    em_slice anchor = {0};
    for (; node->parent; node = node->parent) {
        if (node != search->node) {
            em_search around = *search;
            around.selector = &anchor;
            around.found = false;
            EM_TRY(try_id(&around, node));
            if (around.found)
                break;
        }
        em_slice text;
        EM_TRY(step(search, node, named, &text));
        way = em_arena_format(search->arena, "%.*s%s%s", (int)text.len, text.ptr, *way ? " > " : "",
                              way);
        EM_TRY(try(search, search->node, way));
        if (search->found)
            return EM_OK;
    }
    const char *text =
        em_arena_format(search->arena, "%.*s%s%s", (int)anchor.len, anchor.ptr ? anchor.ptr : "",
                        anchor.len > 0 ? " > " : "", way);
    return try(search, search->node, text);
}

em_status em_unique_selector(const em_page *page, const em_node *node, em_deadline *deadline,
                             em_arena *arena, em_slice *selector)
{
    em_search search = {page, node, deadline, arena, selector, false};
    *selector = (em_slice){0};
    EM_TRY(try_id(&search, node));
    if (!search.found)
        EM_TRY(try_classes(&search));
    if (!search.found)
        EM_TRY(try_way(&search, true));
    if (!search.found)
        EM_TRY(try_way(&search, false));
    return search.found ? EM_OK : EM_E_INTERNAL;
}
