/* Columns, spaces and tabs. */
#include "tokens/tab_stops.h"

#include "check_texts.h"

static const struct {
    const char *indent;
    size_t columns;
    const char *in_spaces, *in_stops;
} cases[] = {
    {"", 0, "", ""},
    {"       ", 7, "       ", "       "},
    {"        ", 8, "        ", "\t"},
    {"\t", 8, "        ", "\t"},
    {"  \t", 8, "        ", "\t"},
    {"\t  ", 10, "          ", "\t  "},
    {"    \t \t   ", 19, "                   ", "\t\t   "},
    {"                 ", 17, "                 ", "\t\t "},
};

static void an_indentation_in_columns(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_slice indent = em_slice_of(cases[i].indent), out;
        assert_int_equal(em_columns_of(indent), cases[i].columns);
        assert_int_equal(em_indent_in_spaces(indent, &arena, &out), EM_OK);
        check_bytes(cases[i].indent, out, em_slice_of(cases[i].in_spaces));
        assert_int_equal(em_indent_in_stops(indent, &arena, &out), EM_OK);
        check_bytes(cases[i].indent, out, em_slice_of(cases[i].in_stops));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(an_indentation_in_columns)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
