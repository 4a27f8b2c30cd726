/* set.c: from compounds to complex selectors, set by set.
 *
 * A complex selector is read from left to right: the set of what matches up to one compound gives
 * that of the next in one walk over the page in document order. :has() is read from right to left.
 * So each combinator costs one walk, whatever the page is like.
 */
#include "html/ids.h"
#include "selectors/query.h"

/* ---- Sets ------------------------------------------------------------------------------------ */

static size_t word_count(const em_query *query)
{
    return query->page->count / 64 + 1;
}

em_bits em_bits_new(const em_query *query)
{
    return em_alloc_array(query->arena, word_count(query), sizeof(uint64_t));
}

void em_bits_clear(const em_query *query, em_bits bits)
{
    memset(bits, 0, word_count(query) * sizeof *bits);
}

uint32_t em_bits_next(const em_query *query, const uint64_t *bits, uint32_t index)
{
    uint32_t count = (uint32_t)query->page->count;
    size_t word = index / 64;
    if (index >= count)
        return count;
    uint64_t rest = bits[word] & (~(uint64_t)0 << index % 64);
    while (rest == 0 && ++word < word_count(query))
        rest = bits[word];
    return rest == 0 ? count : (uint32_t)(word * 64) + (uint32_t)__builtin_ctzll(rest);
}

size_t em_bits_count(const em_query *query, const uint64_t *bits)
{
    size_t count = 0;
    for (size_t i = 0; i < word_count(query); i++)
        count += (size_t)__builtin_popcountll(bits[i]);
    return count;
}

em_node *em_element_before(const em_node *node)
{
    em_node *other = node->previous;
    while (other && other->kind != EM_NODE_ELEMENT)
        other = other->previous;
    return other;
}

/* ---- From left to right ---------------------------------------------------------------------- */

/* Elements that the walk has met, of those in which others are looked for. */
typedef struct left_side {
    bool is_child;
    const uint64_t *members; /* NULL: everything is looked for */
    uint32_t reach;          /* up to where the members so far have descendants */
} left_side;

static bool left_fits(const left_side *left, const em_node *node)
{
    if (!left->members)
        return true;
    return left->is_child ? node->parent && em_bits_has(left->members, node->parent->index)
                          : node->index < left->reach;
}

/* The walk leaves `node` behind. */
static void left_pass(left_side *left, const em_node *node)
{
    if (left->members && em_bits_has(left->members, node->index) && node->after > left->reach)
        left->reach = node->after;
}

/* The next node that is worth a look: outside of the members so far, the next member. */
static uint32_t left_skip(const em_query *query, const left_side *left, uint32_t index)
{
    if (!left->members || index < left->reach)
        return index;
    return em_bits_next(query, left->members, index);
}

/* Has the node what it asks for to its left? left_fits() for one that no walk has come to. */
static bool has_to_its_left(const em_compound *compound, const uint64_t *members,
                            const em_node *node)
{
    bool goes_on = compound->before == EM_DESCENDANT || compound->before == EM_LATER;
    bool is_inside = compound->before == EM_DESCENDANT || compound->before == EM_CHILD;
    do
        node = is_inside ? node->parent : em_element_before(node);
    while (goes_on && node && !em_bits_has(members, node->index));
    return node && em_bits_has(members, node->index);
}

/* The id that the compound asks for; NULL: none. */
static const em_simple *id_of(const em_compound *compound)
{
    for (size_t i = 0; i < compound->count; i++)
        if (compound->items[i].kind == EM_SIMPLE_ID && !compound->items[i].negated)
            return &compound->items[i];
    return NULL;
}

/* em_set_step() where only the elements of one id can match. */
static em_status step_by_id(em_query *query, const em_compound *compound, em_slice id,
                            const uint64_t *members, em_bits out)
{
    const em_page *page = query->page;
    em_ids of_id = em_ids_of(page->ids, id);
    for (size_t i = 0; i < of_id.count; i++) {
        const em_node *node = of_id.items[i].node;
        if (em_page_has(page, node) && (!members || has_to_its_left(compound, members, node)) &&
            em_compound_matches(query, compound, node))
            em_bits_add(out, node->index);
        EM_TRY(em_query_spend(query, EM_NODE_WORK));
    }
    return EM_OK;
}

/* em_set_step() among siblings: all that come behind a member, or the first of them alone. */
static em_status step_by_sibling(em_query *query, const em_compound *compound,
                                 const uint64_t *members, em_bits out)
{
    const em_page *page = query->page;
    bool is_next = compound->before == EM_NEXT;
    em_bits seen = is_next ? NULL : em_bits_new(query); /* parents of members */
    if (!is_next && !seen)
        return EM_E_NOMEM;
    for (uint32_t i = em_bits_next(query, members, 0); i < page->count;
         i = em_bits_next(query, members, i + 1)) {
        const em_node *member = page->nodes[i], *parent = member->parent;
        EM_TRY(em_query_spend(query, EM_NODE_WORK));
        if (!parent || (seen && em_bits_has(seen, parent->index)))
            continue;
        if (seen)
            em_bits_add(seen, parent->index);
        for (const em_node *node = member->next; node; node = node->next) {
            EM_TRY(em_query_spend(query, EM_NODE_WORK));
            if (node->kind != EM_NODE_ELEMENT)
                continue;
            if (em_compound_matches(query, compound, node))
                em_bits_add(out, node->index);
            if (is_next)
                break;
        }
    }
    return EM_OK;
}

em_status em_set_step(em_query *query, const em_compound *compound, const uint64_t *members,
                      em_bits out)
{
    const em_page *page = query->page;
    const em_simple *id = page->ids && !page->quirks ? id_of(compound) : NULL;
    bool among_siblings = compound->before == EM_NEXT || compound->before == EM_LATER;
    left_side left = {.is_child = compound->before == EM_CHILD, .members = members};
    EM_TRY(em_fill(query, compound));
    if (id)
        return step_by_id(query, compound, id->name, members, out);
    if (members && among_siblings)
        return step_by_sibling(query, compound, members, out);
    for (uint32_t i = left_skip(query, &left, 0); i < page->count;
         i = left_skip(query, &left, i + 1)) {
        const em_node *node = page->nodes[i];
        if (node->kind != EM_NODE_ELEMENT)
            continue;
        if (left_fits(&left, node) && em_compound_matches(query, compound, node))
            em_bits_add(out, i);
        left_pass(&left, node);
        EM_TRY(em_query_spend(query, EM_NODE_WORK));
    }
    return EM_OK;
}

em_status em_set_complex(em_query *query, const em_complex *complex, em_bits *out)
{
    em_bits now = em_bits_new(query), before = complex->count > 1 ? em_bits_new(query) : now;
    size_t next;
    if (!now || !before)
        return EM_E_NOMEM;
    EM_TRY(em_set_from_pivot(query, complex, now, &next));
    if (next == 0)
        EM_TRY(em_set_step(query, &complex->parts[next++], NULL, now));
    for (size_t i = next; i < complex->count; i++) {
        em_bits left = now;
        now = before;
        before = left;
        em_bits_clear(query, now);
        EM_TRY(em_set_step(query, &complex->parts[i], left, now));
    }
    *out = now;
    return EM_OK;
}

/* ---- From right to left ---------------------------------------------------------------------- */

static void mark_ancestors(const em_node *node, em_bits out)
{
    for (const em_node *up = node->parent; up && up->kind == EM_NODE_ELEMENT; up = up->parent) {
        if (em_bits_has(out, up->index))
            return;
        em_bits_add(out, up->index);
    }
}

static void mark_earlier(const em_node *node, em_bits out)
{
    for (const em_node *e = em_element_before(node); e; e = em_element_before(e)) {
        if (em_bits_has(out, e->index))
            return;
        em_bits_add(out, e->index);
    }
}

static void mark_one(const em_node *node, em_bits out)
{
    if (node && node->kind == EM_NODE_ELEMENT)
        em_bits_add(out, node->index);
}

/* What has `node` to its right: once something is marked, all that comes further on is. */
static void mark(em_combinator combinator, const em_node *node, em_bits out)
{
    switch (combinator) {
    case EM_DESCENDANT:
        mark_ancestors(node, out);
        return;
    case EM_LATER:
        mark_earlier(node, out);
        return;
    case EM_CHILD:
        mark_one(node->parent, out);
        return;
    case EM_NEXT:
        mark_one(em_element_before(node), out);
        return;
    }
}

static em_status mark_all(em_query *query, em_combinator combinator, const uint64_t *right,
                          em_bits out)
{
    uint32_t count = (uint32_t)query->page->count;
    em_bits_clear(query, out);
    for (uint32_t i = em_bits_next(query, right, 0); i < count;
         i = em_bits_next(query, right, i + 1)) {
        mark(combinator, query->page->nodes[i], out);
        EM_TRY(em_query_spend(query, EM_NODE_WORK));
    }
    return EM_OK;
}

/* Take out what does not match. */
static em_status keep_matching(em_query *query, const em_compound *compound, em_bits set)
{
    uint32_t count = (uint32_t)query->page->count;
    EM_TRY(em_fill(query, compound));
    for (uint32_t i = em_bits_next(query, set, 0); i < count; i = em_bits_next(query, set, i + 1)) {
        if (!em_compound_matches(query, compound, query->page->nodes[i]))
            set[i / 64] &= ~((uint64_t)1 << i % 64);
        EM_TRY(em_query_spend(query, EM_NODE_WORK));
    }
    return EM_OK;
}

/* `right`, `left`: two sets to work in. */
static em_status having_one(em_query *query, const em_complex *complex, em_bits right, em_bits left,
                            em_bits out)
{
    size_t last = complex->count - 1;
    em_bits_clear(query, right);
    EM_TRY(em_set_step(query, &complex->parts[last], NULL, right));
    for (size_t i = last; i > 0; i--) {
        em_bits wider = left;
        EM_TRY(mark_all(query, complex->parts[i].before, right, wider));
        EM_TRY(keep_matching(query, &complex->parts[i - 1], wider));
        left = right;
        right = wider;
    }
    EM_TRY(mark_all(query, complex->parts[0].before, right, left));
    for (size_t word = 0; word < word_count(query); word++)
        out[word] |= left[word];
    return EM_OK;
}

em_status em_set_having(em_query *query, const em_complexes *list, em_bits out)
{
    em_bits right = em_bits_new(query), left = em_bits_new(query);
    if (!right || !left)
        return EM_E_NOMEM;
    for (size_t i = 0; i < list->count; i++)
        EM_TRY(having_one(query, &list->items[i], right, left, out));
    return EM_OK;
}
