#include "laying/gone.h"

#include "placed.h"

static const struct {
    const char *what, *text, *find, *insert;
    char with; /* and how often is what a step was */
    size_t width;
    bool stands;
} cases[] = {
    {"as deep as it was sent, in steps", "x {\n        a();\n    }\n}\n", "\t\ta();\n\t}",
     "\t\ta();", '\t', 1, true},
    {"a step farther", "x {\n        a();\n}\n", "\t\ta();\n\t}", "\t\ta();", '\t', 1, false},
    {"above what stays", "    x {\n        }\n    a();\n", "  }\n  a();", "  a();", '\t', 1, false},
    {"as far in blanks", "    a();\n  }\n", "      a();\n    }", "      a();", '\t', 1, true},
    {"in proportion", "        a();\n    }\n", "\t\t\t\ta();\n\t\t}", "\t\t\t\ta();", '\t', 1,
     true},
    {"without any indentation sent", "        a();\n}\n", "a();\n  }", "a();", '\t', 1, true},
    {"it stays", "        a();\n}\n", "\t\ta();\n\t}", "\t\tb();\n\t}", '\t', 1, true},
    {"what goes says more", "        a();\nb();\n", "\t\ta();\n\tb();", "\t\ta();", '\t', 1, true},
    {"a word that ends a block", "        a\nend\n", "\t\ta\n\tend", "\t\ta", '\t', 1, false},
    {"a step, which was not known", "a {\n        x();\n    }\n", "   x();\n  }", "   x();", ' ', 0,
     true},
    {"two of them", "a {\n            x();\n    }\n", "   x();\n  }", "   x();", ' ', 0, false},
    {"one, known to be another", "a {\n        x();\n    }\n", "   x();\n  }", "   x();", ' ', 2,
     false},
};

static bool stands(size_t i, em_indent_unit sent)
{
    EM_AUTO(em_arena) arena = {0};
    em_tolerant_place place;
    em_tokened find, insert;
    size_t *origin;
    assert_int_equal(
        place_of(cases[i].what, cases[i].text, cases[i].find, cases[i].insert, &arena, &place),
        EM_OK);
    assert_int_equal(tokened_of(place.insert, &arena, &insert), EM_OK);
    find = (em_tokened){place.find, place.find_tokens};
    assert_int_equal(em_redline(&find, &insert, &arena, &origin), EM_OK);
    return em_gone_ends_stand(em_slice_of(cases[i].text), &place, &insert, origin, sent,
                              (em_indent_unit){' ', 4, false});
}

static void an_end_goes_where_it_was_sent(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        if (stands(i, (em_indent_unit){cases[i].with, cases[i].width, false}) != cases[i].stands)
            fail_msg("%s", cases[i].what);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_end_goes_where_it_was_sent),
    };
    return cmocka_run_group_tests_name("gone", tests, NULL, NULL);
}
