#include "laying/odd_blanks.h"

#include "placed.h"

#define NB "\xC2\xA0"

static const struct {
    const char *what, *text, *find, *insert;
    const char *wanted_find, *wanted_insert; /* NULL: as it was */
} cases[] = {
    {"all of them", "if (a) {\n    b();\n}\n", "if" NB "(a)" NB "{\n" NB " " NB " b();\n}\n",
     "if" NB "(c)" NB "{\n" NB " " NB " b();" NB "\n}\n", "if (a) {\n    b();\n}\n",
     "if (c) {\n    b(); \n}\n"},
    {"those of the search text alone", "a b\n", "a" NB "b", "a c", "a b", "a c"},
    {"other spaces of Unicode", "a b\n",
     "a\xE3\x80\x80"
     "b",
     "a\xE2\x80\xAF"
     "c",
     "a b", "a c"},
    {"what has no width", "a b\n",
     "\xEF\xBB\xBF"
     "a b",
     "\xEF\xBB\xBF"
     "c\n\xE2\x80\x8B"
     "a b",
     "a b", "c\na b"},
    {"the mark of the file tells nothing",
     "\xEF\xBB\xBF"
     "x\na b\n",
     "\xEF\xBB\xBF"
     "a b",
     "\xEF\xBB\xBF"
     "a c",
     "a b", "a c"},
    {"a joiner stays", "a b\n", "a" NB "b", "a" NB "\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x92\xBB",
     "a b", "a \xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x92\xBB"},
    {"the search text has none", "a b\n", "a  b", "a" NB "c", NULL, NULL},
    {"the file has some elsewhere: they may be meant", "x" NB "y\na b\n", "a" NB "b", "a" NB "c",
     NULL, NULL},
    {"but the indentation is not", "x" NB "y\nif (a) {\n  b c\n}\n",
     "if (a) {\n" NB NB "b" NB "c\n}\n", "if (a) {\n" NB NB "b" NB "d\n}\n",
     "if (a) {\n  b" NB "c\n}\n", "if (a) {\n  b" NB "d\n}\n"},
    {"where the file has none in its own", "if (a) {\n" NB NB "b c\n}\n",
     "if (a) {\n" NB "b c\n}\n", "if (a) {\n" NB "b d\n}\n", NULL, NULL},
};

static em_status plain_of(size_t index, em_arena *arena, em_tolerant_place *plain)
{
    em_tolerant_place place;
    EM_TRY(place_of(cases[index].what, cases[index].text, cases[index].find, cases[index].insert,
                    arena, &place));
    return em_without_odd_blanks(em_slice_of(cases[index].text), &place, arena, plain);
}

static void blanks_come_for_them(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_tolerant_place plain;
        assert_int_equal(plain_of(i, &arena, &plain), EM_OK);
        check_bytes(cases[i].what, plain.find,
                    em_slice_of(cases[i].wanted_find ? cases[i].wanted_find : cases[i].find));
        check_bytes(cases[i].what, plain.insert,
                    em_slice_of(cases[i].wanted_insert ? cases[i].wanted_insert : cases[i].insert));
        check_tokens(cases[i].what, em_slice_of(cases[i].text), &plain);
    }
}

static void some_that_are_far_away_tell_nothing(void **state)
{
    (void)state;
    enum { FAR = 100000 };
    EM_AUTO(em_arena) arena = {0};
    char *bytes = em_alloc_raw(&arena, FAR + 1);
    assert_non_null(bytes);
    memset(bytes, '\n', FAR);
    memcpy(bytes, NB, sizeof NB - 1);
    memcpy(bytes + FAR - 4, "a b", 4);
    em_tolerant_place place, plain;
    assert_int_equal(place_of("far away", bytes, "a" NB "b", "a" NB "c", &arena, &place), EM_OK);
    assert_int_equal(em_without_odd_blanks(em_slice_of(bytes), &place, &arena, &plain), EM_OK);
    check_bytes("far away", plain.insert, EM_LIT("a c"));
}

static em_status run(em_arena *arena, const void *context)
{
    em_tolerant_place plain;
    (void)context;
    return plain_of(0, arena, &plain);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    check_scarce(cases[0].what, run, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blanks_come_for_them),
        cmocka_unit_test(some_that_are_far_away_tell_nothing),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
