#include "html/tree.h"

#include "base/ascii.h"

const em_attr *em_node_attr(const em_node *node, em_slice name)
{
    for (size_t i = 0; i < node->attr_count; i++) {
        em_slice found = node->attrs[i].name;
        if (node->ns == EM_NS_HTML ? em_same_in_any_case(found, name) : em_slice_eq(found, name))
            return &node->attrs[i];
    }
    return NULL;
}

em_attr *em_node_attr_any_case(const em_node *node, em_slice name)
{
    for (size_t i = 0; i < node->attr_count; i++)
        if (em_same_in_any_case(node->attrs[i].name, name))
            return &node->attrs[i];
    return NULL;
}

em_status em_node_text(const em_page *page, const em_node *node, em_arena *arena, em_slice *text)
{
    size_t length = 0, at = 0;
    for (uint32_t i = node->index; i < node->after; i++)
        if (page->nodes[i]->kind == EM_NODE_TEXT)
            length += page->nodes[i]->text.len;
    char *joined = em_alloc_raw(arena, length);
    if (!joined)
        return EM_E_NOMEM;
    for (uint32_t i = node->index; i < node->after; i++) {
        em_slice part = page->nodes[i]->text;
        if (page->nodes[i]->kind != EM_NODE_TEXT || part.len == 0)
            continue;
        memcpy(joined + at, part.ptr, part.len);
        at += part.len;
    }
    *text = em_slice_make(joined, length);
    return EM_OK;
}
