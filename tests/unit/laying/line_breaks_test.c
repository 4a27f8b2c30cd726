#include "laying/line_breaks.h"

#include "placed.h"

#define SAME "the same"

static const struct {
    const char *what, *text, *find, *insert;
    const char *wanted_find, *wanted_insert; /* SAME: as it was */
} cases[] = {
    {"one line that the file has in two", "a();\nb();\n", "a(); b();\n",
     "if (p) {\n    a(); b();\n}\n", "a();\nb();\n", "if (p) {\n    a();\n    b();\n}\n"},
    {"two that it has in one", "f() {\n    a(); b();\n}\n", "    a();\n    b();\n",
     "    a();\n    b();\n    c();\n", "    a(); b();\n", "    a(); b();\n    c();\n"},
    {"deeper lines of the file", "f() {\n    if (p) {\n        a();\n    }\n}\n",
     "    if (p) { a(); }\n", "    if (q) { a(); }\n", "    if (p) {\n        a();\n    }\n",
     "    if (q) {\n        a();\n    }\n"},
    {"an empty line", "a();\n\nb();\n", "a(); b();\n", "a(); b(); c();\n", "a();\n\nb();\n",
     "a();\n\nb(); c();\n"},
    {"a break that only the caller's texts have otherwise", "a();\nb();\nc();\n",
     "a(); b();\nc();\n", "a();\nb(); d();\n", "a();\nb();\nc();\n", SAME},
    {"the same breaks", "a();\nb();\n", "a();\nb( );\n", "a();\nc();\n", SAME, SAME},
    {"the same words", "a();\nb();\n", "a(); b();\n", "a();\n  b();\n", SAME, SAME},
    {"only the first line's indentation was lost", "f {\n    a(1);\n    b(2);\n}\n",
     "a(1); b(2);\n", "a(1); b(2);\n    c(3);\n", "a(1);\n    b(2);\n",
     "a(1);\n    b(2);\n    c(3);\n"},
    {"no line of the replacement is indented", "f {\n    a(1);\n    b(2);\n}\n", "a(1); b(2);\n",
     "a(1); b(2);\nc(3);\n", "a(1);\nb(2);\n", "a(1);\nb(2);\nc(3);\n"},
    /* the replacement repeats as many words of the lines as they came as of the file's */
    {"a word of a repeated line stands in one that goes",
     "def a(b, c):\n    if d(c, e):\n        f()\n",
     "def a(b,\n    c):\n    if d(c, e):\n        f()\n", "def a(b,\n    c):\n    f()\n",
     "def a(b, c):\n    if d(c, e):\n        f()\n", "def a(b, c):\n    f()\n"},
    {"a new line is like a part of a repeated one", "x {\n  a: 1\n},\nb: 2,\n",
     "  a: 1\n}, b: 2,\n", "  c: {\n    a: 1\n  },\n}, b: 2,\n", "  a: 1\n},\nb: 2,\n",
     "  c: {\n    a: 1\n  },\n},\nb: 2,\n"},
};

static em_status take(size_t index, em_arena *arena, em_tolerant_place *place)
{
    EM_TRY(place_of(cases[index].what, cases[index].text, cases[index].find, cases[index].insert,
                    arena, place));
    return em_take_line_breaks(em_slice_of(cases[index].text), arena, place);
}

static void texts_get_the_breaks_of_the_file(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_tolerant_place place;
        bool find_stays = strcmp(cases[i].wanted_find, SAME) == 0,
             insert_stays = strcmp(cases[i].wanted_insert, SAME) == 0;
        assert_int_equal(take(i, &arena, &place), EM_OK);
        check_bytes(cases[i].what, place.find,
                    em_slice_of(find_stays ? cases[i].find : cases[i].wanted_find));
        check_bytes(cases[i].what, place.insert,
                    em_slice_of(insert_stays ? cases[i].insert : cases[i].wanted_insert));
        check_tokens(cases[i].what, em_slice_of(cases[i].text), &place);
    }
}

static em_status run(em_arena *arena, const void *context)
{
    em_tolerant_place place;
    (void)context;
    return take(0, arena, &place);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    check_scarce(cases[0].what, run, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_get_the_breaks_of_the_file),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
