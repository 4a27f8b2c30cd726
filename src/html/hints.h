/* hints.h: elements that could be meant, when a selector does not say which one is. */
#ifndef EM_HTML_HINTS_H
#define EM_HTML_HINTS_H

#include "html/changes.h"
#include "html/dom.h"

/* How to describe elements of a page; all in `arena`. */
typedef struct em_hinter {
    const em_page *page;
    const em_changes *changes; /* lines are those of the original */
    em_deadline *deadline;
    em_arena *arena;
} em_hinter;

/* The first of these elements. EM_E_NOMEM; EM_E_TIMEOUT. */
em_status em_hints_of(const em_hinter *hinter, em_nodes nodes, em_dom_hints *hints);

/* The first tag of a table's part (<tr>, <td>, ...) in a page without a table, where HTML drops it.
 */
bool em_hints_dropped_part(const em_page *page, em_range *tag);

/* Those that come nearest to the part of the selector that nothing matches, the best first: by the
 * names, ids, classes, attributes and text that it asks for. Statuses as above. */
em_status em_hints_similar(const em_hinter *hinter, const em_selector *selector,
                           const em_prefixes *prefixes, em_dom_hints *hints);

#endif
