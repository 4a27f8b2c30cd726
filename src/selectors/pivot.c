/* pivot.c: a complex selector from the middle.
 *
 * Where a compound asks for an id, or for one place among siblings, those that it can match are
 * listed (html/ids.h, places.h). The compound for which they are fewest is the pivot: of each of
 * them what stands to its left is asked, from right to left, and from there the way goes on to the
 * right as ever. So who has many such selectors asked does not look at all nodes for each.
 *
 * To its left there is no "~": each of a thousand siblings would ask all those before it, where the
 * way from left to right looks at each once. Ancestors are few.
 */
#include "html/ids.h"
#include "selectors/places.h"
#include "selectors/query.h"

/* A pivot further to the right is none: for each compound before it there are two sets. */
enum { FARTHEST = 8 };

/* Fewer than one of so many nodes are worth it. */
enum { RARE = 4 };

/* What a compound can match. */
typedef struct candidates {
    em_ids of_id;            /* by its id, or */
    const uint32_t *indices; /* by its place */
    size_t count;
} candidates;

typedef struct search {
    em_query *query;
    const em_complex *complex;
    em_bits asked[FARTHEST], matching[FARTHEST]; /* by a compound to the left of the pivot */
    size_t looks;                                /* at nodes, that are not counted yet */
} search;

/* ---- Which compound -------------------------------------------------------------------------- */

static void consider(const em_query *query, const em_simple *simple, candidates *best);

static void consider_all(const em_query *query, const em_compound *compound, candidates *best)
{
    for (size_t i = 0; i < compound->count; i++)
        consider(query, &compound->items[i], best);
}

static void consider_id(const em_query *query, const em_simple *simple, candidates *best)
{
    const em_page *page = query->page;
    if (!page->ids || page->quirks)
        return;
    em_ids of_id = em_ids_of(page->ids, simple->name);
    if (of_id.count < best->count)
        *best = (candidates){.of_id = of_id, .count = of_id.count};
}

static void consider_place(const em_query *query, const em_simple *simple, candidates *best)
{
    const em_place_list *list = em_sibling_places_of(query, simple);
    long place = simple->nth.offset;
    if (!list || simple->nth.step != 0 || place < 1)
        return;
    candidates here = {0};
    if (place <= (long)list->most) {
        here.indices = list->sorted + list->starts[place];
        here.count = list->starts[place + 1] - list->starts[place];
    }
    if (here.count < best->count)
        *best = here;
}

/* Are there fewer candidates by this part of a compound, whose lists are there? */
static void consider(const em_query *query, const em_simple *simple, candidates *best)
{
    switch (simple->kind) {
    case EM_SIMPLE_ID:
        consider_id(query, simple, best);
        return;
    case EM_SIMPLE_NTH_CHILD:
    case EM_SIMPLE_NTH_OF_TYPE:
        consider_place(query, simple, best);
        return;
    case EM_SIMPLE_LIST: /* as :first-child is */
        if (!simple->negated && simple->list.plain && simple->list.count == 1)
            consider_all(query, &simple->list.items[0].parts[0], best);
        return;
    default:
        return;
    }
}

/* ---- To the left ----------------------------------------------------------------------------- */

static bool matches(search *s, size_t part, const em_node *node);

/* Has a node that matches this compound what the selector wants to its left? */
static bool leads_left(search *s, size_t part, const em_node *node)
{
    em_combinator before = s->complex->parts[part].before;
    if (part == 0)
        return true;
    do {
        node = before == EM_NEXT ? em_element_before(node) : node->parent;
        s->looks++;
    } while (before == EM_DESCENDANT && node && !matches(s, part - 1, node));
    return node && matches(s, part - 1, node);
}

/* Does the selector match the node up to this compound? Each is asked once. */
static bool matches(search *s, size_t part, const em_node *node)
{
    if (node->kind != EM_NODE_ELEMENT)
        return false;
    if (em_bits_has(s->asked[part], node->index))
        return em_bits_has(s->matching[part], node->index);
    em_bits_add(s->asked[part], node->index);
    bool matching =
        em_compound_matches(s->query, &s->complex->parts[part], node) && leads_left(s, part, node);
    if (matching)
        em_bits_add(s->matching[part], node->index);
    return matching;
}

/* ---- All of it ------------------------------------------------------------------------------- */

/* Candidate number `i`; NULL: it was removed since the ids were made. */
static const em_node *candidate(const em_page *page, const candidates *all, size_t i)
{
    if (all->indices)
        return page->nodes[all->indices[i]];
    const em_node *node = all->of_id.items[i].node;
    return em_page_has(page, node) ? node : NULL;
}

static em_status set_pivot(em_query *query, const em_complex *complex, size_t pivot,
                           const candidates *all, em_bits out)
{
    search s = {.query = query, .complex = complex};
    for (size_t i = 0; i < pivot; i++) {
        s.asked[i] = em_bits_new(query);
        s.matching[i] = em_bits_new(query);
        if (!s.asked[i] || !s.matching[i])
            return EM_E_NOMEM;
    }
    for (size_t i = 0; i < all->count; i++) {
        const em_node *node = candidate(query->page, all, i);
        if (node && em_compound_matches(query, &complex->parts[pivot], node) &&
            leads_left(&s, pivot, node))
            em_bits_add(out, node->index);
        EM_TRY(em_query_spend(query, (1 + s.looks) * EM_NODE_WORK));
        s.looks = 0;
    }
    return EM_OK;
}

em_status em_set_from_pivot(em_query *query, const em_complex *complex, em_bits out, size_t *next)
{
    const em_page *page = query->page;
    candidates best = {.count = page->count / RARE};
    *next = 0;
    if (!page->places && !page->ids)
        return EM_OK;
    for (size_t i = 0; i < complex->count && i <= FARTHEST; i++) {
        candidates here = {.count = best.count};
        if (i > 0 && complex->parts[i].before == EM_LATER)
            break;
        EM_TRY(em_fill(query, &complex->parts[i]));
        consider_all(query, &complex->parts[i], &here);
        if (here.count == best.count)
            continue;
        best = here;
        *next = i + 1;
    }
    return *next > 0 ? set_pivot(query, complex, *next - 1, &best, out) : EM_OK;
}
