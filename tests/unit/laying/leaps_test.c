#include "laying/leaps.h"

#include "check_texts.h"

static void lines_leap_by_more_than_a_step(void **state)
{
    static const struct {
        const char *what, *text;
        em_indent_habit habit;
        size_t leaps;
    } cases[] = {
        {"none", "a\n    b\n        c\nd\n", {.spaces = {' ', 4, false}, .told = true}, 0},
        {"two steps at once", "a\n        b\nc\n", {.spaces = {' ', 4, false}, .told = true}, 1},
        {"a step and a little", "a\n     b\n", {.spaces = {' ', 4, false}, .told = true}, 1},
        {"empty lines do not count",
         "    a\n\n        b\n",
         {.spaces = {' ', 4, false}, .told = true},
         0},
        {"the first line, however deep",
         "        a\n",
         {.spaces = {' ', 4, false}, .told = true},
         0},
        {"back is no leap", "        a\nb\n", {.spaces = {' ', 4, false}, .told = true}, 0},
        {"tabs", "a\n\t\tb\n\tc\n\t\t\td\n", {.tabs = true}, 2},
        {"line endings are CRLF",
         "a\r\n        b\r\n",
         {.spaces = {' ', 4, false}, .told = true},
         1},
        {"steps are not known", "a\n        b\n", {.spaces = {' ', 4, false}, .told = false}, 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_size(cases[i].what, em_count_leaps(em_slice_of(cases[i].text), cases[i].habit),
                   cases[i].leaps);
}

static void no_line_is_less_deep_than_all(void **state)
{
    (void)state;
    assert_true(em_stays_within(EM_LIT("  a\n\n    b\n"), EM_LIT("    x\n  y\n")));
    assert_false(em_stays_within(EM_LIT(" a\n"), EM_LIT("    x\n  y\n")));
    assert_false(em_stays_within(EM_LIT("\ta\n"), EM_LIT("  y\n")));
    assert_true(em_stays_within(EM_LIT("a\n"), EM_LIT("  x\ny\n")));
}

static void lines_are_in_whole_steps(void **state)
{
    const em_indent_habit by_four = {.spaces = {' ', 4, false}, .told = true},
                          by_tab = {.tabs = true};
    (void)state;
    assert_true(em_is_in_steps(EM_LIT("a\n\n        b\r\n"), by_four));
    assert_false(em_is_in_steps(EM_LIT("a\n    b\n      c\n"), by_four));
    assert_false(em_is_in_steps(EM_LIT("a\n\tb\n"), by_four));
    assert_true(em_is_in_steps(EM_LIT("a\n\t\tb\n"), by_tab));
    assert_false(em_is_in_steps(EM_LIT("a\n\t b\n"), by_tab));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_leap_by_more_than_a_step),
        cmocka_unit_test(no_line_is_less_deep_than_all),
        cmocka_unit_test(lines_are_in_whole_steps),
    };
    return cmocka_run_group_tests_name("leaps", tests, NULL, NULL);
}
