/* fill.c: the sets of pseudo-classes that ask for more than an element: lists, :has(),
 * :nth-*() and :contains(). Each is filled once for a page, when it is first needed. */
#include "selectors/places.h"
#include "selectors/query.h"

static em_status add_complexes(em_query *query, const em_complexes *list, em_bits out)
{
    for (size_t i = 0; i < list->count; i++) {
        em_bits one;
        EM_TRY(em_set_complex(query, &list->items[i], &one));
        for (size_t word = 0; word <= query->page->count / 64; word++)
            out[word] |= one[word];
    }
    return EM_OK;
}

/* A list of compounds is asked of each element directly; what stands in them is to be filled. */
static em_status fill_plain(em_query *query, const em_complexes *list)
{
    for (size_t i = 0; i < list->count; i++)
        EM_TRY(em_fill(query, &list->items[i].parts[0]));
    return EM_OK;
}

static em_status fill_nth(em_query *query, const em_simple *simple, em_bits out)
{
    em_bits among = NULL;
    if (simple->list.count > 0) {
        among = em_bits_new(query);
        if (!among)
            return EM_E_NOMEM;
        EM_TRY(add_complexes(query, &simple->list, among));
    }
    return em_set_nth(query, simple, among, out);
}

static em_status fill_slot(em_query *query, const em_simple *simple)
{
    em_bits *slot = &query->slots[simple->slot];
    if (*slot)
        return EM_OK;
    if (em_sibling_places_of(query, simple)) /* they tell it without a set */
        return em_sibling_places_fill(query, simple);
    em_bits out = em_bits_new(query);
    if (!out)
        return EM_E_NOMEM;
    if (simple->kind == EM_SIMPLE_HAS)
        EM_TRY(em_set_having(query, &simple->list, out));
    else if (simple->kind == EM_SIMPLE_LIST)
        EM_TRY(add_complexes(query, &simple->list, out));
    else if (simple->kind == EM_SIMPLE_CONTAINS)
        EM_TRY(em_set_containing(query, simple, out));
    else
        EM_TRY(fill_nth(query, simple, out));
    *slot = out;
    return EM_OK;
}

em_status em_fill(em_query *query, const em_compound *compound)
{
    for (size_t i = 0; i < compound->count; i++) {
        const em_simple *simple = &compound->items[i];
        switch (simple->kind) {
        case EM_SIMPLE_LIST:
            EM_TRY(simple->list.plain ? fill_plain(query, &simple->list)
                                      : fill_slot(query, simple));
            break;
        case EM_SIMPLE_HAS:
        case EM_SIMPLE_NTH_CHILD:
        case EM_SIMPLE_NTH_OF_TYPE:
        case EM_SIMPLE_CONTAINS:
            EM_TRY(fill_slot(query, simple));
            break;
        case EM_SIMPLE_UNDECIDED_RADIO:
        case EM_SIMPLE_OVERRULED_RADIO:
            EM_TRY(em_fill_radios(query));
            break;
        case EM_SIMPLE_ANY:
        case EM_SIMPLE_TYPE:
        case EM_SIMPLE_ID:
        case EM_SIMPLE_CLASS:
        case EM_SIMPLE_ATTRIBUTE:
        case EM_SIMPLE_KEPT:
        case EM_SIMPLE_EMPTY:
        case EM_SIMPLE_ROOT:
        case EM_SIMPLE_LANG:
        case EM_SIMPLE_DIR:
        case EM_SIMPLE_EDITABLE:
        case EM_SIMPLE_DEFAULT_BUTTON:
            break; /* the element and those above it tell */
        }
    }
    return EM_OK;
}
