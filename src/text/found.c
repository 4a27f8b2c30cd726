#include "text/found.h"

em_status em_found_add(em_found *found, em_span span, em_arena *arena)
{
    void *items = found->spans.items;
    if (found->total < found->most) {
        EM_TRY(em_arena_grow(arena, &items, found->total, &found->room, sizeof span));
        found->spans.items = items;
        found->spans.items[found->spans.count++] = span;
    }
    found->total++;
    return EM_OK;
}
