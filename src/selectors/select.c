/* select.c: asking a selector of a page: stages, positions, and how far it matches. */
#include "selectors/query.h"

static em_status query_init(em_query *query, const em_page *page, const em_selector *selector,
                            em_deadline *deadline, em_arena *scratch)
{
    *query = (em_query){.page = page, .deadline = deadline, .arena = scratch};
    query->slots = em_alloc_array(scratch, selector->slots + 1, sizeof *query->slots);
    return query->slots ? EM_OK : EM_E_NOMEM;
}

/* ---- Positions ------------------------------------------------------------------------------- */

static bool position_keeps(em_selector_position position, long at, long count)
{
    long number = position.number < 0 ? count + position.number : position.number;
    switch (position.kind) {
    case EM_POSITION_FIRST:
        return at == 0;
    case EM_POSITION_LAST:
        return at == count - 1;
    case EM_POSITION_EQUAL:
        return at == number;
    case EM_POSITION_LESS:
        return at < number;
    case EM_POSITION_GREATER:
        return at > number;
    case EM_POSITION_EVEN:
        return at % 2 == 0;
    case EM_POSITION_ODD:
        return at % 2 == 1;
    case EM_POSITION_NONE:
        break;
    }
    return true;
}

static void apply_position(const em_query *query, em_selector_position position, em_bits set)
{
    uint32_t end = (uint32_t)query->page->count;
    long at = 0, count = (long)em_bits_count(query, set);
    if (position.kind == EM_POSITION_NONE)
        return;
    for (uint32_t i = em_bits_next(query, set, 0); i < end; i = em_bits_next(query, set, i + 1))
        if (position_keeps(position, at++, count) == position.negated)
            set[i / 64] &= ~((uint64_t)1 << i % 64);
}

/* ---- The whole ------------------------------------------------------------------------------- */

static em_status add_alternative(em_query *query, const em_alternative *alternative, em_bits out)
{
    em_bits found = NULL;
    for (size_t i = 0; i < alternative->count; i++) {
        const em_selector_stage *stage = &alternative->stages[i];
        query->kept = found;
        EM_TRY(em_set_complex(query, &stage->complex, &found));
        apply_position(query, stage->position, found);
    }
    for (size_t word = 0; found && word <= query->page->count / 64; word++)
        out[word] |= found[word];
    return EM_OK;
}

em_status em_select(const em_page *page, const em_selector *selector, em_deadline *deadline,
                    em_arena *arena, em_nodes *found)
{
    EM_AUTO(em_arena) scratch = {0};
    em_query query;
    EM_TRY(query_init(&query, page, selector, deadline, &scratch));
    em_bits set = em_bits_new(&query);
    if (!set)
        return EM_E_NOMEM;
    for (size_t i = 0; i < selector->count; i++)
        EM_TRY(add_alternative(&query, &selector->alternatives[i], set));
    size_t count = em_bits_count(&query, set);
    em_node **items = em_alloc_array(arena, count, sizeof(em_node *));
    if (!items)
        return EM_E_NOMEM;
    *found = (em_nodes){items, 0};
    for (uint32_t i = em_bits_next(&query, set, 0); found->count < count;
         i = em_bits_next(&query, set, i + 1))
        items[found->count++] = page->nodes[i];
    return EM_OK;
}

/* ---- How far it matches ---------------------------------------------------------------------- */

/* The prefixes of one alternative. */
typedef struct tracing {
    em_query *query;
    em_arena *arena; /* for the prefixes */
    const em_selector *selector;
    const em_alternative *alternative;
    em_prefixes *prefixes;
    size_t room;
    size_t left; /* compounds behind the one that fails, itself included */
} tracing;

/* The prefix that ends with the part [from, end). */
static em_status add_prefix(tracing *trace, size_t from, size_t end, size_t count)
{
    em_prefixes *prefixes = trace->prefixes;
    em_slice text = trace->selector->text;
    EM_TRY(em_arena_grow(trace->arena, (void **)&prefixes->items, prefixes->count, &trace->room,
                         sizeof *prefixes->items));
    prefixes->items[prefixes->count++] = (em_prefix){
        .text = em_slice_sub(text, trace->alternative->start, end),
        .part = em_slice_sub(text, from, end),
        .count = count,
    };
    return EM_OK;
}

/* The compound matches nothing: which of its simple selectors is it? */
static em_status split_compound(tracing *trace, const em_compound *compound, const uint64_t *left,
                                em_bits work)
{
    size_t from = compound->from, first = 0;
    while (first < compound->count && compound->items[first].kind == EM_SIMPLE_KEPT)
        first++;
    for (size_t i = first; i < compound->count; i++) {
        em_compound part = *compound;
        part.count = i + 1;
        em_bits_clear(trace->query, work);
        EM_TRY(em_set_step(trace->query, &part, left, work));
        size_t count = em_bits_count(trace->query, work);
        EM_TRY(add_prefix(trace, from, part.items[i].source.end, count));
        if (count == 0)
            return EM_OK;
        from = part.items[i].source.end;
    }
    return EM_OK;
}

/* "> :first": nothing is asked of the element but its position. */
static bool is_unwritten(const em_compound *compound)
{
    return compound->source.start == compound->source.end;
}

/* One compound further. *now: what matches up to it; `before`: a set to work in. */
static em_status trace_compound(tracing *trace, const em_compound *compound, bool first,
                                em_bits *now, em_bits *before, bool *failed)
{
    em_bits left = *now;
    *now = *before;
    *before = left;
    em_bits_clear(trace->query, *now);
    EM_TRY(em_set_step(trace->query, compound, first ? NULL : left, *now));
    size_t count = em_bits_count(trace->query, *now);
    *failed = count == 0;
    if (*failed)
        return split_compound(trace, compound, first ? NULL : left, *now);
    return is_unwritten(compound) ? EM_OK
                                  : add_prefix(trace, compound->from, compound->source.end, count);
}

static em_status trace_stage(tracing *trace, const em_selector_stage *stage, bool *failed)
{
    em_query *query = trace->query;
    em_bits now = em_bits_new(query), before = em_bits_new(query);
    if (!now || !before)
        return EM_E_NOMEM;
    for (size_t i = 0; i < stage->complex.count && !*failed; i++) {
        EM_TRY(trace_compound(trace, &stage->complex.parts[i], i == 0, &now, &before, failed));
        trace->left -= !*failed;
    }
    if (*failed || stage->position.kind == EM_POSITION_NONE)
        return EM_OK;
    apply_position(query, stage->position, now);
    query->kept = now;
    size_t count = em_bits_count(query, now);
    *failed = count == 0;
    trace->left += *failed;
    const em_compound *last = &stage->complex.parts[stage->complex.count - 1];
    size_t from = is_unwritten(last) ? last->from : stage->position.source.start;
    return add_prefix(trace, from, stage->position.source.end, count);
}

static em_status trace_alternative(tracing *trace)
{
    const em_alternative *alternative = trace->alternative;
    bool failed = false;
    trace->left = 0;
    for (size_t i = 0; i < alternative->count; i++)
        trace->left += alternative->stages[i].complex.count;
    for (size_t i = 0; i < alternative->count && !failed; i++)
        EM_TRY(trace_stage(trace, &alternative->stages[i], &failed));
    return EM_OK;
}

em_status em_selector_prefixes(const em_page *page, const em_selector *selector,
                               em_deadline *deadline, em_arena *arena, em_prefixes *prefixes)
{
    EM_AUTO(em_arena) scratch = {0};
    em_query query;
    size_t least_left = SIZE_MAX;
    EM_TRY(query_init(&query, page, selector, deadline, &scratch));
    for (size_t i = 0; i < selector->count; i++) {
        em_prefixes found = {.alternative = i, .alternatives = selector->count};
        tracing trace = {.query = &query,
                         .arena = arena,
                         .selector = selector,
                         .alternative = &selector->alternatives[i],
                         .prefixes = &found};
        EM_TRY(trace_alternative(&trace));
        if (trace.left < least_left)
            *prefixes = found;
        if (trace.left < least_left)
            least_left = trace.left;
    }
    return EM_OK;
}
