/* query.h: a selector asked of a page: what the files that match share.
 *
 * Everything is a set of elements, a bit for each node of the page in document order. A compound
 * is asked of an element (compound.c) when the sets of its pseudo-classes are there
 * (fill.c); the combinators lead from set to set (set.c).
 */
#ifndef EM_SELECTORS_QUERY_H
#define EM_SELECTORS_QUERY_H

#include "selectors/form.h"

typedef uint64_t *em_bits;

/* The text below all elements, put together; see text.c. */
typedef struct em_page_text em_page_text;

typedef struct em_query {
    const em_page *page;
    em_deadline *deadline;
    em_arena *arena; /* for the sets */
    em_bits kept;    /* of EM_SIMPLE_KEPT */
    em_bits *slots;  /* NULL where a set has not been filled */
    em_page_text *text, *folded_text;
    uint32_t *types; /* a number for each name; NULL until it is needed */
    size_t type_count;
    struct em_checked_radio *radios; /* by their groups; NULL until they are needed */
    size_t radio_count;
} em_query;

/* ---- Sets ------------------------------------------------------------------------------------ */

/* An empty set for the page; NULL: no memory. */
em_bits em_bits_new(const em_query *query);

static inline void em_bits_add(em_bits bits, uint32_t index)
{
    bits[index / 64] |= (uint64_t)1 << index % 64;
}

static inline bool em_bits_has(const uint64_t *bits, uint32_t index)
{
    return bits[index / 64] >> index % 64 & 1;
}

/* The first member at or behind `index`; the number of nodes, if there is none. */
uint32_t em_bits_next(const em_query *query, const uint64_t *bits, uint32_t index);

size_t em_bits_count(const em_query *query, const uint64_t *bits);

void em_bits_clear(const em_query *query, em_bits bits);

/* ---- Questions ------------------------------------------------------------------------------- */

/* What an element costs to look at, in the deadline's measure. */
enum { EM_NODE_WORK = 16 };

/* EM_E_TIMEOUT when the deadline has come. */
static inline em_status em_query_spend(em_query *query, size_t work)
{
    return em_deadline_spend(query->deadline, work) ? EM_E_TIMEOUT : EM_OK;
}

/* What `compound` matches among the elements that have one of `members` to their left, as its
 * combinator says (NULL: among all), added to `out`. EM_E_NOMEM, EM_E_TIMEOUT, here and below. */
em_status em_set_step(em_query *query, const em_compound *compound, const uint64_t *members,
                      em_bits out);

/* Where the complex selector has a compound that few elements can match: what it matches up to
 * that, added to `out`. *next: the compound behind it; 0: it has none, and nothing was done. */
em_status em_set_from_pivot(em_query *query, const em_complex *complex, em_bits out, size_t *next);

/* What a complex selector matches, in a new set. */
em_status em_set_complex(em_query *query, const em_complex *complex, em_bits *out);

/* What has something that one of `list` matches, each seen from the element. */
em_status em_set_having(em_query *query, const em_complexes *list, em_bits out);

/* Fill the sets that `compound` needs. */
em_status em_fill(em_query *query, const em_compound *compound);

/* Those whose text holds simple->value, added to `out`. */
em_status em_set_containing(em_query *query, const em_simple *simple, em_bits out);

/* Those at the right place among their siblings. `among`: those that count (NULL: all). */
em_status em_set_nth(em_query *query, const em_simple *simple, const uint64_t *among, em_bits out);

/* The places of all elements, as `simple` counts them; 0 stays where there is no element. */
em_status em_place_all(em_query *query, const em_simple *simple, uint32_t *places);

/* Is the element at the right place among its siblings? */
bool em_is_nth(const em_query *query, const em_simple *simple, const em_node *node);

/* The sibling before it that is an element; NULL. */
em_node *em_element_before(const em_node *node);

/* Does the element match? The sets that the compound needs are filled. */
bool em_compound_matches(em_query *query, const em_compound *compound, const em_node *node);

/* Find the radio buttons that are checked, before an element is asked whether it is undecided or
 * overruled. EM_E_NOMEM, EM_E_TIMEOUT. */
em_status em_fill_radios(em_query *query);

/* Questions of HTML about an element and what is around it. */
bool em_is_in_language(em_query *query, const em_simple *simple, const em_node *node);
bool em_is_in_direction(em_query *query, const em_simple *simple, const em_node *node);
bool em_is_editable(em_query *query, const em_node *node);
bool em_is_default_button(em_query *query, const em_node *node);
bool em_is_undecided_radio(em_query *query, const em_node *node);
bool em_is_overruled_radio(em_query *query, const em_node *node);

#endif
