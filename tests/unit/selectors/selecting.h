/* selecting.h: pages and selectors in tests, each in a word. */
#ifndef EM_TESTS_SELECTING_H
#define EM_TESTS_SELECTING_H

#include "html/parse.h"
#include "selectors/select.h"

typedef struct selecting {
    em_arena arena;
    em_page page;
} selecting;

typedef struct selecting_case {
    const char *selector;
    const char *found; /* see selecting_find() */
} selecting_case;

void selecting_open(selecting *on, const char *html);
void selecting_close(selecting *on);

/* What the selector matches: the ids of the elements, or their names where they have none, with a
 * blank between. "! REASON" when it does not compile. */
const char *selecting_find(selecting *on, const char *selector);

/* How many elements the selector matches; the test fails where that takes two seconds. */
size_t selecting_count(selecting *on, const char *selector);

/* Each of `cases` finds what it says; all that do not are printed before the test fails. */
void selecting_check(const char *html, const selecting_case *cases, size_t count);

#define CHECK_CASES(html, cases) selecting_check((html), (cases), sizeof(cases) / sizeof *(cases))

#endif
