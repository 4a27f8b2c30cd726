/* sibling.c: places among siblings: one walk over the children of each node. */
#include "selectors/places.h"
#include "selectors/query.h"

/* ---- A number for each type ------------------------------------------------------------------ */

/* Names that have been met: a hash table of type numbers, 0 being a free slot. */
typedef struct names {
    uint32_t *slots;
    size_t room;         /* a power of two */
    const em_node **met; /* the first element of each type, by its number */
    size_t count, met_room;
} names;

static size_t hash_of(const em_node *node)
{
    uint64_t hash = 0xcbf29ce484222325u + (uint64_t)node->ns;
    for (size_t i = 0; i < node->name.len; i++)
        hash = (hash ^ (unsigned char)node->name.ptr[i]) * 0x100000001b3u;
    return (size_t)(hash ^ hash >> 32);
}

static uint32_t *slot_of(const names *known, const em_node *node)
{
    size_t at = hash_of(node) & (known->room - 1);
    for (;; at = (at + 1) & (known->room - 1)) {
        uint32_t type = known->slots[at];
        if (type == 0 ||
            (known->met[type]->ns == node->ns && em_slice_eq(known->met[type]->name, node->name)))
            return &known->slots[at];
    }
}

/* At most half of the table is used. */
static em_status names_grow(names *known, em_arena *arena)
{
    if (2 * known->count < known->room)
        return EM_OK;
    known->room = known->room ? 2 * known->room : 256;
    known->slots = em_alloc_array(arena, known->room, sizeof *known->slots);
    if (!known->slots)
        return EM_E_NOMEM;
    for (uint32_t type = 1; type < known->count; type++)
        *slot_of(known, known->met[type]) = type;
    return EM_OK;
}

static em_status type_of(names *known, const em_node *node, em_arena *arena, uint32_t *type)
{
    EM_TRY(names_grow(known, arena));
    uint32_t *slot = slot_of(known, node);
    if (*slot == 0) {
        EM_TRY(em_arena_grow(arena, (void **)&known->met, known->count, &known->met_room,
                             sizeof *known->met));
        *slot = (uint32_t)known->count;
        known->met[known->count++] = node;
    }
    *type = *slot;
    return EM_OK;
}

static em_status number_types(em_query *query)
{
    const em_page *page = query->page;
    names known = {.count = 1}; /* no type has the number 0 */
    uint32_t *types = em_alloc_array(query->arena, page->count, sizeof *types);
    if (!types)
        return EM_E_NOMEM;
    EM_TRY(em_arena_grow(query->arena, (void **)&known.met, 0, &known.met_room, sizeof *known.met));
    for (size_t i = 0; i < page->count; i++) {
        if (page->nodes[i]->kind == EM_NODE_ELEMENT)
            EM_TRY(type_of(&known, page->nodes[i], query->arena, &types[i]));
        EM_TRY(em_query_spend(query, EM_NODE_WORK));
    }
    query->types = types;
    query->type_count = known.count;
    return EM_OK;
}

/* ---- Counting -------------------------------------------------------------------------------- */

static bool nth_fits(em_nth nth, long rank)
{
    long beyond = rank - nth.offset;
    if (nth.step == 0)
        return beyond == 0;
    return beyond % nth.step == 0 && beyond / nth.step >= 0;
}

/* How many have come so far: of all, or of each type below the parent that is walked over. */
typedef struct counter {
    const em_simple *simple;
    const uint64_t *among;
    em_bits out;      /* those at the right place, or */
    uint32_t *places; /* the places of all */
    long all;
    uint32_t *parents; /* below which the count of each type holds, by index and one more */
    uint32_t *counts;
} counter;

static em_status counter_init(em_query *query, counter *count)
{
    if (count->simple->kind != EM_SIMPLE_NTH_OF_TYPE)
        return EM_OK;
    if (!query->types)
        EM_TRY(number_types(query));
    count->parents = em_alloc_array(query->arena, query->type_count, sizeof *count->parents);
    count->counts = em_alloc_array(query->arena, query->type_count, sizeof *count->counts);
    return count->parents && count->counts ? EM_OK : EM_E_NOMEM;
}

static long counter_next(const em_query *query, counter *count, const em_node *node)
{
    if (!count->parents)
        return ++count->all;
    uint32_t type = query->types[node->index], parent = node->parent->index + 1;
    if (count->parents[type] != parent)
        count->counts[type] = 0;
    count->parents[type] = parent;
    return ++count->counts[type];
}

static em_status count_children(em_query *query, counter *count, const em_node *parent)
{
    bool back = count->simple->nth.from_end;
    count->all = 0;
    for (const em_node *child = back ? parent->last_child : parent->first_child; child;
         child = back ? child->previous : child->next) {
        EM_TRY(em_query_spend(query, EM_NODE_WORK));
        if (child->kind != EM_NODE_ELEMENT ||
            (count->among && !em_bits_has(count->among, child->index)))
            continue;
        long place = counter_next(query, count, child);
        if (count->places)
            count->places[child->index] = (uint32_t)place;
        else if (nth_fits(count->simple->nth, place))
            em_bits_add(count->out, child->index);
    }
    return EM_OK;
}

static em_status count_all(em_query *query, counter *count)
{
    EM_TRY(counter_init(query, count));
    for (size_t i = 0; i < query->page->count; i++)
        EM_TRY(count_children(query, count, query->page->nodes[i]));
    return EM_OK;
}

em_status em_set_nth(em_query *query, const em_simple *simple, const uint64_t *among, em_bits out)
{
    counter count = {.simple = simple, .among = among, .out = out};
    return count_all(query, &count);
}

em_status em_place_all(em_query *query, const em_simple *simple, uint32_t *places)
{
    counter count = {.simple = simple, .places = places};
    return count_all(query, &count);
}

bool em_is_nth(const em_query *query, const em_simple *simple, const em_node *node)
{
    const uint64_t *filled = query->slots[simple->slot];
    return filled ? em_bits_has(filled, node->index)
                  : nth_fits(simple->nth, em_sibling_places_of(query, simple)->places[node->index]);
}
