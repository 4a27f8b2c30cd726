#include "laying/precursor.h"

#include "match/token_line.h"
#include "placed.h"

/* For each line of the replacement the tokens of the search text that it comes for. */
static const struct {
    const char *what, *find, *insert;
    em_precursor lines[6];
} cases[] = {
    {"a line that changes",
     "a();\nb(1);\nc();\n",
     "a();\nx = b(1);\nc();\n",
     {{0, 0}, {4, 9}, {9, 9}}},
    {"one for another", "a();\nb();\nc();\n", "a();\nx = 1\nc();\n", {{0, 0}, {4, 8}, {8, 8}}},
    {"two for one",
     "a();\nb();\nc();\n",
     "a();\nx = 1\ny = 2\nc();\n",
     {{0, 0}, {4, 8}, {4, 8}, {8, 8}}},
    {"one for two", "a();\nb();\nc();\nd();\n", "a();\nx = 1\nd();\n", {{0, 0}, {4, 12}, {12, 12}}},
    {"where nothing goes", "a();\nc();\n", "a();\nx = 1\nc();\n", {{0, 0}, {4, 4}, {4, 4}}},
    {"before all", "a();\n", "x = 1\na();\n", {{0, 0}, {0, 0}}},
    {"behind all", "a();\n", "a();\nx = 1\n", {{0, 0}, {4, 4}}},
    {"all is new", "a();\n", "x = 1\ny = 2\n", {{0, 4}, {0, 4}}},
    {"one that comes into its block",
     "a();\nc();\n",
     "if p:\n    a();\nc();\n",
     {{0, 1}, {0, 1}, {4, 4}}},
    {"of two that come into its block, both",
     "a();\nc();\nd();\n",
     "if p:\n    a();\n    c();\nd();\n",
     {{0, 1}, {0, 1}, {4, 5}, {8, 8}}},
    {"one that stays as deep", "a();\nc();\n", "if p:\na();\nc();\n", {{0, 0}, {0, 0}, {4, 4}}},
};

static bool is_as_deep(const em_precursors *p, size_t at, em_slice indent)
{
    em_slice old;
    return p->origin[at] != EM_NPOS && em_line_indent(p->find, p->origin[at], &old) &&
           em_slice_eq(old, indent);
}

static void lines_come_for_others(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_precursors p = {0};
        size_t *origin, line = 0;
        assert_int_equal(tokened_of(em_slice_of(cases[i].find), &arena, &p.find), EM_OK);
        assert_int_equal(tokened_of(em_slice_of(cases[i].insert), &arena, &p.insert), EM_OK);
        assert_int_equal(em_redline(&p.find, &p.insert, &arena, &origin), EM_OK);
        p.origin = origin;
        for (size_t at = 0; at < p.insert.tokens.count; at++) {
            em_slice indent;
            if (!em_line_indent(p.insert, at, &indent))
                continue;
            if (is_as_deep(&p, at, indent))
                em_precursors_pass(&p);
            em_precursor got = em_precursor_of(&p, at), want = cases[i].lines[line++];
            check_size(cases[i].what, got.start, want.start);
            check_size(cases[i].what, got.end, want.end);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lines_come_for_others)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
