#include "diagnosis/cut_place.h"

#include "scarce_arena.h"

static const struct {
    const char *what, *text, *find, *insert;
    const char *wanted_find, *wanted_insert; /* NULL: it lacks nothing */
} cases[] = {
    {"a bracket in front", "x\n  [a]: b  c\n", "a]: b c", "[a]: b d", "[a]: b c", "[a]: b d"},
    {"words", "t = sum( a);\n", "= sum(a);", "t = sum(b);", "t = sum(a);", "t = sum(b);"},
    {"what is behind it", "f( a) + rest; \n", "f(a)", "g(a) + rest;", "f(a) + rest;",
     "g(a) + rest;"},
    {"both", "x = f( a) + y;\n", "f(a)", "x = g(a) + y;", "x = f(a) + y;", "x = g(a) + y;"},
    {"one that begins and ends a line does not stand there", "x = f( a) + y;\n", "\n f(a)\n",
     " x = g(a)\n", NULL, NULL},
    {"of a line in front alone", "x = f( a);\ny;\n", "f(a);\ny;\n", "  x = g(a);\ny;\n",
     "x = f(a);\ny;\n", "x = g(a);\ny;\n"},
    {"the replacement has something else there", "x = f( a) + y;\n", "f(a)", "g(a);\nh();", NULL,
     NULL},
    {"it may be laid", "x = f( a) + y;\n", "f(a)", "g(a)", NULL, NULL},
    {"it stands twice", "t = sum( a);\nt = sum( a);\n", "= sum(a);", "t = sum(b);", NULL, NULL},
    {"it does not stand there", "t = sum(a);\n", "= summe(a);", "t = sum(b);", NULL, NULL},
};

static em_status ask(size_t index, em_deadline *deadline, em_arena *arena, em_near_miss *mended,
                     bool *is)
{
    em_occurrences in = {.text = em_slice_of(cases[index].text), .arena = arena};
    return em_cut_place_of(&in, em_slice_of(cases[index].find), em_slice_of(cases[index].insert),
                           deadline, arena, mended, is);
}

static void what_the_line_has_is_put_into_the_text(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_near_miss mended;
        bool is;
        assert_int_equal(ask(i, NULL, &arena, &mended, &is), EM_OK);
        check_size(cases[i].what, is, cases[i].wanted_find != NULL);
        if (!is)
            continue;
        check_bytes(cases[i].what, mended.find, em_slice_of(cases[i].wanted_find));
        check_bytes(cases[i].what, mended.insert, em_slice_of(cases[i].wanted_insert));
    }
}

static em_status run(em_arena *arena, const void *context)
{
    em_near_miss mended;
    bool is;
    (void)context;
    return ask(3, NULL, arena, &mended, &is);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    check_scarce("a place that is cut", run, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_line_has_is_put_into_the_text),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
