/* unique.h: a selector for one element, as a person would write it. */
#ifndef EM_SELECTORS_UNIQUE_H
#define EM_SELECTORS_UNIQUE_H

#include "selectors/select.h"

/* A selector that matches this element and no other: its id, else a class, else its name, else as
 * much of the way down to it as it takes. In `arena`. It is tried before it is given.
 * EM_E_NOMEM; EM_E_TIMEOUT. */
em_status em_unique_selector(const em_page *page, const em_node *node, em_deadline *deadline,
                             em_arena *arena, em_slice *selector);

#endif
