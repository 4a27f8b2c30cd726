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
