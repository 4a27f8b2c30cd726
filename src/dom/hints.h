/* hints.h: elements that could be meant, when a selector does not say which one is. */
#ifndef EM_DOM_HINTS_H
#define EM_DOM_HINTS_H

#include "dom/changes.h"
#include "dom/dom.h"

/* How to describe elements of a page; all in `arena`. */
typedef struct em_hinter {
    const em_page *page;
    const em_changes *changes; /* lines are those of the original */
    em_deadline *deadline;
    em_arena *arena;
} em_hinter;

/* The first of these elements that an operation can be done on. EM_E_NOMEM; EM_E_TIMEOUT. */
em_status em_hints_of(const em_hinter *hinter, em_nodes nodes, em_dom_hints *hints);

/* The first tag of a table's part (<tr>, <td>, ...) in a page without a table, where HTML drops it.
 */
bool em_hints_dropped_part(const em_page *page, em_range *tag);

typedef struct em_unread_tag {
    em_range tag;
    const em_node *holder; /* the comment, the script or the like, or the element in whose start
                            * tag it stands; NULL: HTML drops it, or it is code */
} em_unread_tag;

/* Does a tag that makes no element have the id, or the class, that nothing matches? */
bool em_hints_unread_tag(const em_hinter *hinter, const em_prefixes *prefixes, em_unread_tag *tag);

/* Those such that come nearest to the part of the selector that nothing matches, the best first: by
 * the names, ids, classes, attributes and text that it asks for. Behind them those that are near
 * its last part. Where there are none, what else the page has: hints->are_far. Statuses as above.
 */
em_status em_hints_similar(const em_hinter *hinter, const em_selector *selector,
                           const em_prefixes *prefixes, em_dom_hints *hints);

/* The one name among those that elements have in `attr` ("id" or "class") of which `name` is a slip
 * of the pen; empty where there is none, several, or `name` itself. EM_E_TIMEOUT. */
em_status em_hints_name_meant(const em_hinter *hinter, em_nodes nodes, em_slice attr, em_slice name,
                              em_slice *meant);

/* The classes that the elements have, each once, in the order of the page: at most so many. More of
 * them are but counted, as one. EM_E_TIMEOUT. */
enum { EM_MOST_CLASSES_TOLD = 8 };
em_status em_hints_classes(const em_hinter *hinter, em_nodes nodes,
                           em_slice classes[static EM_MOST_CLASSES_TOLD], size_t *count);

/* The selector with the id or class that nothing matches spelt as the page has it; empty where it
 * is not clear which one is meant. EM_E_NOMEM; EM_E_TIMEOUT. */
em_status em_hints_selector_meant(const em_hinter *hinter, const em_selector *selector,
                                  const em_prefixes *prefixes, em_slice *meant);

typedef struct em_meant_signs {
    em_slice within, joined; /* ".btn .primary" and ".btn.primary" for ".btn primary" */
} em_meant_signs;

/* The selector with the sign of an id or a class that lacks before a name which no element has, in
 * its place, and joined to the name before. Empty where the page has no such name, or one of each.
 * EM_E_NOMEM. */
em_status em_hints_sign_meant(const em_hinter *hinter, const em_selector *selector,
                              const em_prefixes *prefixes, em_meant_signs *meant);

#endif
