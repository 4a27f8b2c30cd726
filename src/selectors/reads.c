/* reads.c: what of a page does a selector look at? */
#include "selectors/query.h"

#include "base/ascii.h"

/* Does the simple selector itself, without those in it, look at what is asked for? */
typedef bool em_reads(const em_simple *simple, em_slice name);

static bool any_of_list(const em_complexes *list, em_reads *reads, em_slice name);

static bool any_of_complex(const em_complex *complex, em_reads *reads, em_slice name)
{
    for (size_t i = 0; i < complex->count; i++)
        for (size_t k = 0; k < complex->parts[i].count; k++) {
            const em_simple *simple = &complex->parts[i].items[k];
            if (reads(simple, name) || any_of_list(&simple->list, reads, name))
                return true;
        }
    return false;
}

static bool any_of_list(const em_complexes *list, em_reads *reads, em_slice name)
{
    for (size_t i = 0; i < list->count; i++)
        if (any_of_complex(&list->items[i], reads, name))
            return true;
    return false;
}

static bool any(const em_selector *selector, em_reads *reads, em_slice name)
{
    for (size_t i = 0; i < selector->count; i++)
        for (size_t k = 0; k < selector->alternatives[i].count; k++)
            if (any_of_complex(&selector->alternatives[i].stages[k].complex, reads, name))
                return true;
    return false;
}

static bool reads_attr(const em_simple *simple, em_slice name)
{
    switch (simple->kind) {
    case EM_SIMPLE_ID:
        return em_same_in_any_case(name, EM_LIT("id"));
    case EM_SIMPLE_CLASS:
        return em_same_in_any_case(name, EM_LIT("class"));
    case EM_SIMPLE_ATTRIBUTE:
        return em_same_in_any_case(name, simple->name);
    case EM_SIMPLE_LANG:
    case EM_SIMPLE_DIR:
    case EM_SIMPLE_EDITABLE:
    case EM_SIMPLE_DEFAULT_BUTTON:
    case EM_SIMPLE_UNDECIDED_RADIO:
    case EM_SIMPLE_OVERRULED_RADIO:
        return true;
    case EM_SIMPLE_ANY:
    case EM_SIMPLE_TYPE:
    case EM_SIMPLE_KEPT:
    case EM_SIMPLE_LIST:
    case EM_SIMPLE_HAS:
    case EM_SIMPLE_NTH_CHILD:
    case EM_SIMPLE_NTH_OF_TYPE:
    case EM_SIMPLE_CONTAINS:
    case EM_SIMPLE_EMPTY:
    case EM_SIMPLE_ROOT:
        break;
    }
    return false;
}

static bool reads_class(const em_simple *simple, em_slice name)
{
    return (simple->kind == EM_SIMPLE_CLASS && em_same_in_any_case(name, simple->name)) ||
           (simple->kind == EM_SIMPLE_ATTRIBUTE &&
            em_same_in_any_case(simple->name, EM_LIT("class")));
}

static bool reads_text(const em_simple *simple, em_slice unused)
{
    (void)unused;
    return simple->kind == EM_SIMPLE_CONTAINS || simple->kind == EM_SIMPLE_EMPTY ||
           simple->kind == EM_SIMPLE_DIR;
}

bool em_selector_reads_attr(const em_selector *selector, em_slice name)
{
    return any(selector, reads_attr, name);
}

bool em_selector_reads_class(const em_selector *selector, em_slice name)
{
    return any(selector, reads_class, name);
}

bool em_selector_reads_text(const em_selector *selector)
{
    return any(selector, reads_text, (em_slice){0});
}

/* ---- Plain selectors ------------------------------------------------------------------------- */

static bool is_plain_compound(const em_compound *compound)
{
    for (size_t i = 0; i < compound->count; i++)
        if (compound->items[i].kind > EM_SIMPLE_ATTRIBUTE)
            return false;
    return true;
}

/* The only stage of an alternative without positions; NULL: it is another. */
static const em_complex *only_complex(const em_alternative *alternative)
{
    bool is_only =
        alternative->count == 1 && alternative->stages[0].position.kind == EM_POSITION_NONE;
    return is_only ? &alternative->stages[0].complex : NULL;
}

bool em_selector_is_plain(const em_selector *selector)
{
    for (size_t i = 0; i < selector->count; i++) {
        const em_complex *complex = only_complex(&selector->alternatives[i]);
        for (size_t k = 0; complex && k < complex->count; k++)
            if (!is_plain_compound(&complex->parts[k]))
                return false;
        if (!complex)
            return false;
    }
    return true;
}

static bool is_of_sibling(em_combinator combinator)
{
    return combinator == EM_NEXT || combinator == EM_LATER;
}

bool em_selector_reads_siblings(const em_selector *selector)
{
    for (size_t i = 0; i < selector->count; i++) {
        const em_complex *complex = only_complex(&selector->alternatives[i]);
        for (size_t k = 1; complex && k < complex->count; k++)
            if (is_of_sibling(complex->parts[k].before))
                return true;
    }
    return false;
}

/* Can an element that is new have a say in what matches by this compound of the selector? What is
 * found itself has, and what others are found behind. What others are found in is not new. */
static bool new_ones_count(const em_complex *complex, size_t part)
{
    if (part + 1 == complex->count)
        return true;
    return is_of_sibling(complex->parts[part + 1].before);
}

static bool matches_any(em_query *query, const em_compound *compound, const em_page *tree)
{
    for (size_t i = 1; i < tree->count; i++)
        if (tree->nodes[i]->kind == EM_NODE_ELEMENT &&
            em_compound_matches(query, compound, tree->nodes[i]))
            return true;
    return false;
}

bool em_selector_may_match(const em_selector *selector, const em_page *page, const em_page *tree)
{
    em_page asked = *tree;
    em_query query = {.page = &asked};
    asked.quirks = page->quirks;
    for (size_t i = 0; i < selector->count; i++) {
        const em_complex *complex = only_complex(&selector->alternatives[i]);
        for (size_t part = 0; part < complex->count; part++)
            if (new_ones_count(complex, part) && matches_any(&query, &complex->parts[part], tree))
                return true;
    }
    return false;
}
