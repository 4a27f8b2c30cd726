#include "editing.h"

#include "html/local.h"

#include "failing_malloc.h"

#include <stdio.h>

typedef struct local_case {
    const char *page, *ops;
} local_case;

/* Are all of them done without parsing the page again, or none? (That a page which is not parsed
 * again reads as meant, editing_do() looks at.) */
static void check_cases(const local_case *cases, size_t count, bool expected)
{
    size_t wrong = 0;
    for (size_t i = 0; i < count; i++) {
        editing e;
        editing_do(&e, em_slice_of(cases[i].page), cases[i].ops);
        assert_int_equal(e.status, EM_OK);
        assert_int_equal(e.plan.failed_count, 0);
        assert_true(e.plan.splices.count > 0);
        if (e.plan.local != expected) {
            printf("%s\n  %s\n", cases[i].page, cases[i].ops);
            wrong++;
        }
        editing_drop(&e);
    }
    assert_int_equal(wrong, 0);
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void text_for_text_is_local(void **state)
{
    (void)state;
    static const local_case cases[] = {
        {"<!DOCTYPE html><h2>a</h2><p>b", "h2 setText|new"},
        {"<p>a &amp; b &copy</p>", "p setText|c < d & e > &copy; \"f\" 'g'"},
        {"<p>Gr\xC3\xB6\xC3\x9F"
         "e</p>",
         "p setText|\xE2\x80\x93 ok"},
        {"<table><tr><td>x</td><td>y</table>", "td:first setText|z"},
        {"<table><caption>x</caption><tr></table>", "caption setText|z"},
        {"<select><option>a</option><option>b</select>", "option:first setText|c"},
        {"<p><b>a</b><i><u>c</p>d", "b setText|x"},
        {"<svg><foreignObject><p>a</p></foreignObject></svg>", "p setText|b"},
        {"{% x %}<p>{{ a }</p>{{ y }}", "p setText|a }} b"},
        {"<ul><li>a</li><li>b</li></ul>", "all li setText|c"},
        {"<ul><li>a</li><li>b</li></ul>", "li:first setText|1;;li:last setText|2;;li:first "
                                          "setText|3"},
        {"<p>a</p>", "p setHTML|b &eacute; c"},
        {"<p>a\n b</p>", "p setText|c\n\td"},
        {"<h1>a</h2><p>b", "h1 setText|c"},
        {"<p>a</p></body></html>\n<!-- c -->", "p setText|b"},
        {"<!DOCTYPE HTML PUBLIC '-//W3C//DTD HTML 3.2//EN'><p>a<table><tr><td>b</td></table>",
         "td setText|c"},
    };
    check_cases(cases, COUNT(cases), true);
}

static void everything_else_is_not(void **state)
{
    (void)state;
    static const local_case cases[] = {
        {"<p></p>", "p setText|a"},
        {"<p> \n</p>", "p setText|a"},
        {"<p>a</p>", "p setText|"},
        {"<p>a</p>", "p setText| "},
        {"<p>a", "p setText|b"},
        {"<p>a<b>b</b></p>", "p setText|b"},
        {"<p>a<!-- b --></p>", "p setText|b"},
        {"<p>a > b</p>", "p setText|b"},
        {"<p>a</p>", "p setHTML|<b>c</b>"},
        {"<p>a</p>", "p setHTML|b > c"},
        {"<p>a</p>", "p addClass|b"},
        {"<p>a</p>", "p insertAdjacentHTML|beforeend|b"},
        {"<p>a</p><i>b</i>", "p setText|b;;i remove"},
        {"<p>a</p><i>b</i>", "i remove;;p setText|b"},
        {"<pre>a</pre>", "pre setText|b"},
        {"<listing>a</listing>", "listing setText|b"},
        {"<textarea>a</textarea>", "textarea setText|b"},
        {"<title>a</title>", "title setText|b"},
        {"<script>a</script>", "script setText|b"},
        {"<body>a</body>", "body setText|b"},
        {"<form>a</form>", "form setText|b"},
        {"<template>a</template>", "template setText|b"},
        {"<svg><text>a</text></svg>", "text setText|b"},
        {"<p {{ x }}>a</p>", "p setText|b"},
        {"<p>{{ a }} b</p>", "p setText|b"},
        {"<p>a</p>", "p setText|\xEF\xBB\xBFx"},
    };
    check_cases(cases, COUNT(cases), false);
}

/* A span that is not where the content stands is no ground to tell anything. */
static void spans_are_looked_at(void **state)
{
    (void)state;
    editing e;
    editing_do(&e, EM_LIT("<p>a</p><i>b</i>"), "p setText|x");
    em_node text = {.kind = EM_NODE_TEXT, .text = EM_LIT("b")};
    em_node fresh = {.kind = EM_NODE_TEXT, .text = EM_LIT("x")};
    em_node root = {.first_child = &fresh, .last_child = &fresh};
    em_node node = {.kind = EM_NODE_ELEMENT,
                    .name = EM_LIT("p"),
                    .start_tag = {0, 3},
                    .end_tag = {4, 8},
                    .first_child = &text,
                    .last_child = &text};
    em_page page = {.bytes = e.page}, fragment = {.root = &root};
    em_edit edit = {.kind = EM_EDIT_CONTENT,
                    .node = &node,
                    .splice = {3, 1, EM_LIT("x")},
                    .fragment = &fragment};
    bool local = true;
    assert_int_equal(em_edit_is_local(&page, &edit, NULL, &local), EM_OK);
    assert_false(local);
    text.text = EM_LIT("a");
    assert_int_equal(em_edit_is_local(&page, &edit, NULL, &local), EM_OK);
    assert_true(local);
    edit.splice.insert = EM_LIT("x\0");
    assert_int_equal(em_edit_is_local(&page, &edit, NULL, &local), EM_OK);
    assert_false(local);
    edit.splice = (em_splice){4, 0, EM_LIT("x")};
    assert_int_equal(em_edit_is_local(&page, &edit, NULL, &local), EM_OK);
    assert_false(local);
    edit.splice = (em_splice){3, 1, EM_LIT("x")};
    em_deadline passed = {.at = 1, .passed = true};
    assert_int_equal(em_edit_is_local(&page, &edit, &passed, &local), EM_E_TIMEOUT);
    mallocs_left = 0;
    em_status status = em_edit_is_local(&page, &edit, NULL, &local);
    mallocs_left = -1;
    assert_int_equal(status, EM_E_NOMEM);
    editing_drop(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_for_text_is_local),
        cmocka_unit_test(everything_else_is_not),
        cmocka_unit_test(spans_are_looked_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
