/* select.h: which elements of a page does a CSS selector mean?
 *
 * Selectors Level 4 as far as it makes sense without a browser, and what jQuery added to it:
 * :contains(), :first, :last, :eq() and their like. A selector is compiled once and asked of any
 * page. docs/selectors.md says what there is.
 *
 *  (1) A selector, with what it needs of its text, lives in the arena it was compiled in, and is
 *      only read afterwards.
 *  (2) Every part of a selector is a set of elements that is found in one walk over the page, so
 *      the work grows with page times selector, and the deadline is asked all along.
 *
 * Nothing here knows what is done with the elements that are found.
 */
#ifndef EM_SELECTORS_SELECT_H
#define EM_SELECTORS_SELECT_H

#include "base/deadline.h"
#include "html/tree.h"

/* Longer selectors, and those nested deeper, are nobody's intention. */
enum { EM_SELECTOR_LONGEST = 10000, EM_SELECTOR_DEEPEST = 16 };

/* Does what is suggested match more than what was meant could have? */
typedef enum em_widening {
    EM_WIDENS_NOT,
    EM_WIDENS_TO_ELEMENT, /* the element stands for a pseudo-element of it */
    EM_WIDENS,            /* a part that would have narrowed it is left out */
} em_widening;

/* Why a selector is none. */
typedef struct em_selector_error {
    size_t at;          /* offset in the selector, up to its length */
    char reason[160];   /* one sentence without a full stop */
    em_slice suggested; /* what was probably meant, a selector that compiles; empty: no idea */
    em_slice instead;   /* what was meant on a page that has such an element; empty: nothing else */
    em_widening widening; /* of `suggested` */
} em_selector_error;

typedef struct em_selector em_selector;

/* In `arena`, which also keeps what it needs of `text`. EM_E_INVALID with *error filled;
 * EM_E_NOMEM. */
em_status em_selector_compile(em_slice text, em_arena *arena, const em_selector **selector,
                              em_selector_error *error);

/* Could other elements match if attributes of this name, in any case, had other values; if elements
 * got or lost this class; or if texts were others? What HTML asks of several attributes counts for
 * any. */
bool em_selector_reads_attr(const em_selector *selector, em_slice name);
bool em_selector_reads_class(const em_selector *selector, em_slice name);
bool em_selector_reads_text(const em_selector *selector);

/* Is whether an element matches told by names and attributes alone: its own, and those of what it
 * is in or stands beside? */
bool em_selector_is_plain(const em_selector *selector);

/* Of a plain one: does it look at elements that stand before others in the same parent? */
bool em_selector_reads_siblings(const em_selector *selector);

/* Could an element of this tree match, wherever that came to stand in the page? Of a plain
 * selector. */
bool em_selector_may_match(const em_selector *selector, const em_page *page, const em_page *tree);

typedef struct em_nodes {
    em_node **items;
    size_t count;
} em_nodes;

/* All elements that it matches, each once, in document order; in `arena`. EM_E_NOMEM;
 * EM_E_TIMEOUT: `deadline` (base/deadline.h; NULL: none) came first. */
em_status em_select(const em_page *page, const em_selector *selector, em_deadline *deadline,
                    em_arena *arena, em_nodes *found);

/* A selector that matches nothing, up to the part that is to blame. For ".card > h3.new p" on a
 * page without .new: ".card" (12), ".card > h3" (7), ".card > h3.new" (0, the part ".new"). */
typedef struct em_prefix {
    em_slice text; /* from where its alternative begins, in the selector's text */
    em_slice part; /* the end of it that the prefix before did not have: "> h3" */
    size_t count;  /* how many elements it matches */
} em_prefix;

/* Compound selectors one by one, the one that fails by its simple selectors. The last is the only
 * one with a count of 0, if there is one at all. */
typedef struct em_prefixes {
    em_prefix *items;
    size_t count;
    size_t alternative;  /* of "a, b, c", which one this is, from 0: that which fails the latest,
                          * measured by the parts that are left */
    size_t alternatives; /* how many the selector has */
} em_prefixes;

/* How far the selector matches; in `arena`. Statuses as those of em_select(). */
em_status em_selector_prefixes(const em_page *page, const em_selector *selector,
                               em_deadline *deadline, em_arena *arena, em_prefixes *prefixes);

#endif
