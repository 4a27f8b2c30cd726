#include "match/escaped_breaks.h"

#include "check_texts.h"

static const struct {
    const char *what, *find, *insert;
    bool has;
} cases[] = {
    {"none", "a();\\nb();", "a();\nb();", false},
    {"the same one", "a();\\nb();", "a();\\nb();\n", true},
    {"the same one behind an apostrophe", "it's a();\\nb();", "it's a();\\nb();\n", true},
    {"another one, with an indentation", "a();\\nb();", "c();\\n d();\n", true},
    {"at the end", "a();\\nb();", "c();\\n", true},
    {"before the end of a line", "a();\\nb();", "}\\n\nx", true},
    {"in a string", "a();\\nb();", "a();\nb(\"x\\n\");", false},
    {"in a string, with blanks", "a();\\nb();", "a();\nb('x\\n  y');", false},
    {"in strings of both", "a('\\n');\\nb();", "a('\\n');\nc();", false},
    {"behind a backslash", "a();\\nb();", "a();\nb \\\\n c", false},
    {"within a pattern", "a();\\nb();", "a();\nb(/\\n/);", false},
};

static void what_came_as_an_escape_is_told(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_size(cases[i].what,
                   em_has_escaped_breaks(em_slice_of(cases[i].find), em_slice_of(cases[i].insert)),
                   cases[i].has);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_came_as_an_escape_is_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
