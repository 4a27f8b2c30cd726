/* select.h: which elements of a page does a CSS selector mean?
 *
 * Selectors Level 4 as far as it makes sense without a browser, and what models write by habit:
 * :contains(), :first, :last, :eq(). A selector is compiled once and asked of any page.
 */
#ifndef EM_HTML_SELECT_H
#define EM_HTML_SELECT_H

#include "base/deadline.h"
#include "html/tree.h"

/* Why a selector is none. */
typedef struct em_selector_error {
    size_t at;          /* offset in the selector */
    char reason[160];   /* one sentence without a full stop */
    em_slice suggested; /* what was probably meant, a selector that compiles; empty: no idea */
} em_selector_error;

typedef struct em_selector em_selector;

/* In `arena`, which also keeps what it needs of `text`. EM_E_INVALID with *error filled;
 * EM_E_NOMEM. */
em_status em_selector_compile(em_slice text, em_arena *arena, const em_selector **selector,
                              em_selector_error *error);

typedef struct em_nodes {
    em_node **items;
    size_t count;
} em_nodes;

/* All elements that it matches, each once, in document order; in `arena`. EM_E_NOMEM;
 * EM_E_TIMEOUT: `deadline` (base/deadline.h) came first. */
em_status em_select(const em_page *page, const em_selector *selector, em_deadline *deadline,
                    em_arena *arena, em_nodes *found);

/* Does it match this element? (Positions as :first are not asked.) */
bool em_selector_matches(const em_page *page, const em_selector *selector, const em_node *node);

#endif
