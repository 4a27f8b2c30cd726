/* places.h: the places of a page's elements among their siblings, for who asks for them again and
 * again. They hold as long as no node comes or goes.
 */
#ifndef EM_SELECTORS_PLACES_H
#define EM_SELECTORS_PLACES_H

#include "base/arena.h"

#include <stdint.h>

/* Places from one end, among all siblings or those of the same type. */
typedef struct em_place_list {
    uint32_t *places; /* by the index of a node, from 1; 0: it is no element. NULL: there is no list
                       * yet */
    uint32_t *sorted; /* the indices of elements by their places, else in document order */
    uint32_t *starts; /* by a place: where those of it begin in `sorted`; and where the last end */
    uint32_t most;    /* the largest place */
} em_place_list;

/* page.places. Each list is made for the first selector that asks for it. */
typedef struct em_sibling_places {
    em_arena arena;
    em_place_list lists[4];
} em_sibling_places;

void em_sibling_places_drop(em_sibling_places *places);

/* There are none any more. */
void em_sibling_places_clear(em_sibling_places *places);

struct em_query;
struct em_simple;

/* The list of the query's page that knows what `simple` asks for; NULL: there is none. And have it:
 * EM_E_NOMEM, EM_E_TIMEOUT. */
em_place_list *em_sibling_places_of(const struct em_query *query, const struct em_simple *simple);
em_status em_sibling_places_fill(struct em_query *query, const struct em_simple *simple);

#endif
