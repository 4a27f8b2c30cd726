#include "selectors/select.h"

#include <stdio.h>
#include <stdlib.h>

#include "../with_cmocka.h"
#include "selecting.h"

static const char row[] =
    "<!DOCTYPE html><ul><li id=1><li id=2><!-- --><li id=3>x<li id=4><li id=5>"
    "<li id=6><li id=7></ul>";

static void formulas(void **state)
{
    (void)state;
    static const selecting_case cases[] = {
        {"li:nth-child(1)", "1"},
        {"li:nth-child(+3)", "3"},
        {"li:nth-child(0)", ""},
        {"li:nth-child(-1)", ""},
        {"li:nth-child(8)", ""},
        {"li:nth-child(odd)", "1 3 5 7"},
        {"li:nth-child( EVEN )", "2 4 6"},
        {"li:nth-child(n)", "1 2 3 4 5 6 7"},
        {"li:nth-child(N)", "1 2 3 4 5 6 7"},
        {"li:nth-child(+n)", "1 2 3 4 5 6 7"},
        {"li:nth-child(-n)", ""},
        {"li:nth-child(0n)", ""},
        {"li:nth-child(0n+2)", "2"},
        {"li:nth-child(n+3)", "3 4 5 6 7"},
        {"li:nth-child(n-3)", "1 2 3 4 5 6 7"},
        {"li:nth-child(-n+3)", "1 2 3"},
        {"li:nth-child(-n-1)", ""},
        {"li:nth-child(2n)", "2 4 6"},
        {"li:nth-child(2n+1)", "1 3 5 7"},
        {"li:nth-child(2n + 1)", "1 3 5 7"},
        {"li:nth-child(2n +1)", "1 3 5 7"},
        {"li:nth-child(2n+ 1)", "1 3 5 7"},
        {"li:nth-child( 2n-1 )", "1 3 5 7"},
        {"li:nth-child(2n - 1)", "1 3 5 7"},
        {"li:nth-child(2n- 1)", "1 3 5 7"},
        {"li:nth-child(3n+2)", "2 5"},
        {"li:nth-child(3n-1)", "2 5"},
        {"li:nth-child(-2n+5)", "1 3 5"},
        {"li:nth-child(4n+9)", ""},
        {"li:nth-child(4n-9)", "3 7"},
        {"li:nth-child(007)", "7"},
        {"li:nth-child(99999999999999999999)", ""},
        {"li:nth-child(99999999999999999999n+1)", "1"},
        {"li:nth-child(n+99999999999999999999)", ""},
        {"li:nth-last-child(1)", "7"},
        {"li:nth-last-child(2n)", "2 4 6"},
        {"li:nth-last-child(-n+2)", "6 7"},
        {"li:nth-child(2/* c */)", "2"},
    };
    CHECK_CASES(row, cases);
}

static void what_is_no_formula(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",     "x",     "+",    "-",       "2x",      "2 n",    "+ 2n", "- n", "n+",
        "2n+",  "n +",   "n1",   "2n 1",    "n + - 1", "n+-1",   "1.5",  "1n1", "oddly",
        "ev",   "2n+1x", "1 2",  "n n",     "'1'",     "--n",    "+-1",  "2n-", "n+1n",
        "n of", "of p",  "2 of", "n off p", "1 of )",  "n of ,",
    };
    selecting on;
    selecting_open(&on, row);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char selector[64];
        snprintf(selector, sizeof selector, "li:nth-child(%s)", texts[i]);
        const char *found = selecting_find(&on, selector);
        if (found[0] != '!')
            print_message("%s finds %s\n", selector, found);
        assert_true(found[0] == '!');
    }
    selecting_close(&on);
}

static const char mixed[] =
    "<!DOCTYPE html><div id=box><p id=p1 class=a></p><b id=b1></b><p id=p2></p>text<i id=i1></i>"
    "<p id=p3 class=a><b id=b2></b></p><b id=b3 class=a></b></div>"
    "<svg id=s><a id=sa></a><title id=st></title><a id=sb></a></svg>";

static void types_and_lists(void **state)
{
    (void)state;
    static const selecting_case cases[] = {
        {"#box > :nth-of-type(1)", "p1 b1 i1"},
        {"#box > :nth-of-type(2)", "p2 b3"},
        {"#box > :nth-last-of-type(1)", "i1 p3 b3"},
        {"p:nth-of-type(n+2)", "p2 p3"},
        {"#box > :first-of-type", "p1 b1 i1"},
        {"#box > :last-of-type", "i1 p3 b3"},
        {"#box :only-of-type", "i1 b2"},
        {"#box :first-child", "p1 b2"},
        {"#box :last-child", "b2 b3"},
        {"#box :only-child", "b2"},
        {"svg > :nth-of-type(2)", "sb"},
        {"svg > :only-of-type", "st"},
        {"#box > :nth-child(1 of .a)", "p1"},
        {"#box > :nth-child(2 of .a)", "p3"},
        {"#box > :nth-last-child(1 of .a)", "b3"},
        {"#box > :nth-child(odd of p, b)", "p1 p2 b3"},
        {"#box > :nth-child(even OF p, b)", "b1 p3"},
        {"#box > p:nth-child(2 of #box > p)", "p2"},
        {"#box > :nth-child(n of :has(b))", "p3"},
        {"#box > :nth-child(-n + 1 of :not(p))", "b1"},
        {":root:first-child:last-child:nth-child(1):only-of-type", "html"},
    };
    CHECK_CASES(mixed, cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formulas),
        cmocka_unit_test(what_is_no_formula),
        cmocka_unit_test(types_and_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
