/* ids.h: the elements of a page by their id, for who asks for many of them. Those that were removed
 * from it since are in the list still.
 */
#ifndef EM_HTML_IDS_H
#define EM_HTML_IDS_H

#include "html/tree.h"

typedef struct em_id {
    em_slice id;
    em_node *node;
} em_id;

typedef struct em_ids {
    em_id *items; /* by id, byte by byte; those of one id in document order */
    size_t count;
} em_ids;

/* Of all elements that have one; in `arena`. EM_E_NOMEM. */
em_status em_ids_make(const em_page *page, em_arena *arena, em_ids *ids);

/* Those of one id, borrowed. */
em_ids em_ids_of(const em_ids *ids, em_slice id);

#endif
