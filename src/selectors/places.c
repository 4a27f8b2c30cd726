#include "selectors/places.h"

#include "selectors/query.h"

void em_sibling_places_drop(em_sibling_places *places)
{
    em_arena_drop(&places->arena);
}

void em_sibling_places_clear(em_sibling_places *places)
{
    em_arena arena = places->arena;
    em_arena_clear(&arena);
    *places = (em_sibling_places){.arena = arena};
}

em_place_list *em_sibling_places_of(const em_query *query, const em_simple *simple)
{
    bool by_type = simple->kind == EM_SIMPLE_NTH_OF_TYPE;
    bool is_plain = simple->list.count == 0 && (by_type || simple->kind == EM_SIMPLE_NTH_CHILD);
    em_sibling_places *places = is_plain ? query->page->places : NULL;
    return places ? &places->lists[2 * by_type + simple->nth.from_end] : NULL;
}

/* Sort the indices of elements by counting how many have each place. */
static em_status sort(em_place_list *list, const uint32_t *places, size_t count, em_arena *arena)
{
    for (size_t i = 0; i < count; i++)
        list->most = places[i] > list->most ? places[i] : list->most;
    list->starts = em_alloc_array(arena, (size_t)list->most + 2, sizeof *list->starts);
    list->sorted = em_alloc_array(arena, count, sizeof *list->sorted);
    if (!list->starts || !list->sorted)
        return EM_E_NOMEM;
    for (size_t i = 0; i < count; i++)
        list->starts[places[i]] += places[i] > 0;
    for (uint32_t place = 1, before = 0; place <= list->most + 1; place++) {
        uint32_t here = list->starts[place];
        list->starts[place] = before;
        before += here;
    }
    for (size_t i = 0; i < count; i++)
        if (places[i] > 0)
            list->sorted[list->starts[places[i]]++] = (uint32_t)i;
    for (uint32_t place = list->most + 1; place > 0; place--)
        list->starts[place] = list->starts[place - 1];
    return EM_OK;
}

em_status em_sibling_places_fill(em_query *query, const em_simple *simple)
{
    size_t count = query->page->count;
    em_place_list *list = em_sibling_places_of(query, simple), made = {0};
    em_arena *arena = &query->page->places->arena;
    if (list->places)
        return EM_OK;
    uint32_t *places = em_alloc_array(arena, count, sizeof *places);
    if (!places)
        return EM_E_NOMEM;
    EM_TRY(em_place_all(query, simple, places));
    EM_TRY(sort(&made, places, count, arena));
    made.places = places;
    *list = made;
    return EM_OK;
}
