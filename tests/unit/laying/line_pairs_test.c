#include "laying/line_pairs.h"

#include "match/token_line.h"
#include "placed.h"

enum { MOST_LINES = 6, NONE = -1 };

/* For each line of the replacement the line of the search text that it changes, from 0; NONE also
 * for those that stay. */
static const struct {
    const char *what, *find, *insert;
    int changed[MOST_LINES];
} cases[] = {
    {"between two that stay", "a();\nb();\nc();\n", "a();\nx = 1;\nc();\n", {NONE, 1, NONE}},
    {"two of them", "a();\nb();\nc();\nd();\n", "a();\nx = 1;\ny = 2;\nd();\n", {NONE, 1, 2, NONE}},
    {"before the first that stays", "b();\na();\n", "x = 1;\na();\n", {0, NONE}},
    {"behind the last", "a();\nb();\n", "a();\nx = 1;\n", {NONE, 1}},
    {"where no line stays", "a();\nb();\n", "x = 1;\ny = 2;\n", {0, 1}},
    {"two hunks", "a();\nb();\nc();\nd();\n", "x = 1;\nb();\ny = 2;\nd();\n", {0, NONE, 2, NONE}},
    {"more come than go",
     "a();\nb();\nc();\n",
     "a();\nx = 1;\ny = 2;\nc();\n",
     {NONE, NONE, NONE, NONE}},
    {"fewer come", "a();\nb();\nc();\nd();\n", "a();\nx = 1;\nd();\n", {NONE, NONE, NONE}},
    {"another depth", "a();\n  b();\nc();\n", "a();\n    x = 1;\nc();\n", {NONE, NONE, NONE}},
    {"of one of two",
     "a();\n  b();\n  d();\nc();\n",
     "a();\n  x = 1;\n    y = 2;\nc();\n",
     {NONE, NONE, NONE, NONE}},
    {"another hunk is as it was",
     "a();\n  b();\nc();\nd();\n",
     "a();\nx = 1;\nc();\ny = 2;\n",
     {NONE, NONE, NONE, 3}},
    {"lines that only come", "a();\nc();\n", "a();\nx = 1;\nc();\n", {NONE, NONE, NONE}},
    {"nothing is left", "a();\n", "", {NONE}},
};

static size_t first_token(em_tokened t, size_t line)
{
    em_slice unused;
    for (size_t i = 0; i < t.tokens.count; i++)
        if (em_line_indent(t, i, &unused) && line-- == 0)
            return i;
    return EM_NPOS;
}

static em_status pairs_of(size_t index, em_arena *arena, em_tokened *find, em_tokened *insert,
                          size_t **changed)
{
    size_t *origin;
    EM_TRY(tokened_of(em_slice_of(cases[index].find), arena, find));
    EM_TRY(tokened_of(em_slice_of(cases[index].insert), arena, insert));
    EM_TRY(em_redline(find, insert, arena, &origin));
    return em_line_pairs_of(*find, *insert, origin, arena, changed);
}

static void as_many_lines_as_go_change_these(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_tokened find, insert;
        size_t *changed, line = 0;
        em_slice unused;
        assert_int_equal(pairs_of(i, &arena, &find, &insert, &changed), EM_OK);
        for (size_t at = 0; at < insert.tokens.count; at++) {
            int want = em_line_indent(insert, at, &unused) ? cases[i].changed[line++] : NONE;
            check_size(cases[i].what, changed[at],
                       want == NONE ? EM_NPOS : first_token(find, (size_t)want));
        }
    }
}

static em_status run(em_arena *arena, const void *context)
{
    em_tokened find, insert;
    size_t *changed;
    (void)context;
    return pairs_of(0, arena, &find, &insert, &changed);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    check_scarce(cases[0].what, run, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_many_lines_as_go_change_these),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
