#include "editing.h"

typedef struct told_case {
    const char *page, *op, *reason;
} told_case;

static void check(const told_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        editing e;
        editing_do(&e, em_slice_of(cases[i].page), cases[i].op);
        assert_string_equal(e.plan.outcomes[0].reason, cases[i].reason);
        editing_drop(&e);
    }
}

#define TOLD(cases) check((cases), sizeof(cases) / sizeof *(cases))

static void what_a_wrong_selector_could_match_is_counted(void **state)
{
    (void)state;
    static const told_case cases[] = {
        {"<li>a</li><li>b</li>", "all > li remove",
         "the selector is wrong at character 1: a selector is missing before '>'; did you mean "
         "\"li\"? It may match more than was meant: it matches 2 elements here"},
        {"<li>a</li>", "li. addClass|b",
         "the selector is wrong at character 4: a class is missing behind '.'; did you mean "
         "\"li\"? It may match more than was meant: it matches 1 element here"},
        {"<li>a</li>", "li, addClass|b",
         "the selector is wrong at character 4: a selector is missing behind a comma; did you mean "
         "\"li\"?"},
    };
    TOLD(cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_wrong_selector_could_match_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
