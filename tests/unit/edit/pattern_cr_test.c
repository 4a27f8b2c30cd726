#include "edit/pattern_cr.h"

#include "check_texts.h"

static const struct {
    const char *pattern;
    bool names_cr;
} cases[] = {
    {"", false},
    {"a\nb", false},
    {"a\rb", true},
    {"\\Qa\r\\E", true},
    {"\\r", true},
    {"[^\\r\\n]", true},
    {"\\n|\\R|\\s|\\v|\\N|.", false},
    {"\\\\r", false},
    {"\\\\\\r", true},
    {"\\Q\\r\\E", false},
    {"\\Q\\E\\r", true},
    {"\\Qa\\r", false},
    {"\\x0d", true},
    {"\\x0D", true},
    {"\\xdz", true},
    {"\\xd", true},
    {"\\xd0", false},
    {"\\x0dd", true},
    {"\\x0a", false},
    {"\\x", false},
    {"\\x{d}", true},
    {"\\x{000D}", true},
    {"\\x{ d }", true},
    {"\\x{\td}", true},
    {"\\x{d0}", false},
    {"\\x{10000000d}", false},
    {"\\x{", false},
    {"\\015", true},
    {"\\15", true},
    {"\\0155", true},
    {"\\150", false},
    {"\\012", false},
    {"\\o{15}", true},
    {"\\o{0015}", true},
    {"\\o{16}", false},
    {"\\o", false},
    {"\\N{U+D}", true},
    {"\\N{U+000d}", true},
    {"\\N{U+A}", false},
    {"\\cM", true},
    {"\\cm", true},
    {"\\cJ", false},
    {"\\c", false},
    {"\\c\\r", false},
    {"\\c\\\\r", true},
    {"\\d\\b(a)\\1\\g{15}", false},
    {"\\", false},
    {"a\\", false},
};

static void each_pattern_names_cr_or_not(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_size(cases[i].pattern, em_pattern_names_cr(em_slice_of(cases[i].pattern)),
                   cases[i].names_cr);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_pattern_names_cr_or_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
