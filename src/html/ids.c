#include "html/ids.h"

#include <stdlib.h>

static int by_id(const void *a, const void *b)
{
    const em_id *x = a, *y = b;
    int by = em_slice_order(x->id, y->id);
    return by != 0 ? by : (x->node->index > y->node->index) - (x->node->index < y->node->index);
}

em_status em_ids_make(const em_page *page, em_arena *arena, em_ids *ids)
{
    *ids = (em_ids){em_alloc_array(arena, page->count, sizeof *ids->items), 0};
    if (!ids->items)
        return EM_E_NOMEM;
    for (size_t i = 0; i < page->count; i++) {
        em_node *node = page->nodes[i];
        const em_attr *attr = em_node_attr_any_case(node, EM_LIT("id"));
        if (attr)
            ids->items[ids->count++] = (em_id){attr->value, node};
    }
    qsort(ids->items, ids->count, sizeof *ids->items, by_id);
    return EM_OK;
}

em_ids em_ids_of(const em_ids *ids, em_slice id)
{
    size_t low = 0, high = ids->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (em_slice_order(ids->items[middle].id, id) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    em_ids found = {ids->items + low, 0};
    while (low + found.count < ids->count && em_slice_eq(found.items[found.count].id, id))
        found.count++;
    return found;
}
