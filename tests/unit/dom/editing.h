/* editing.h: operations on pages in tests, each in a line. */
#ifndef EM_TESTS_EDITING_H
#define EM_TESTS_EDITING_H

#include "dom/dom.h"

#include "../with_cmocka.h"

typedef struct editing {
    em_arena arena;
    em_dom_plan plan;
    em_error err;
    em_status status;
    em_slice page, result; /* `result`: the page with the splices laid in */
} editing;

/* An op by its words: "li.a setText|new text", "p insertAdjacentHTML|beforeend|<b>x</b>",
 * "p setAttribute|name|value", "p replaceClass|old|new". "all " before it: "all": true; "one ":
 * false; "=3 ": expected. It borrows from `text`. */
em_dom_op editing_op(const char *text);

/* Do these ops, parted by two semicolons. What holds of every plan is checked: splices in order,
 * every byte outside of the changes as it was, suggested selectors that match one element. */
void editing_do(editing *e, em_slice page, const char *ops);
void editing_drop(editing *e);

/* One op on one page: the page that comes out, or the code of the refusal ("E_VOID"). */
typedef struct editing_case {
    const char *page, *op, *result;
} editing_case;

/* All cases that come out otherwise are printed before the test fails. */
void editing_check(const editing_case *cases, size_t count);

#define EDIT_CASES(cases) editing_check((cases), sizeof(cases) / sizeof *(cases))

#endif
