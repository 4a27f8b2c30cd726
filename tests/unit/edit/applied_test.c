#include "edit/applied.h"

#include "edit/tiers.h"
#include "test.h"

static const struct {
    const char *what, *text, *find, *insert;
    bool applied;
} cases[] = {
    {"it stands there", "x\nint wanted = 2;\ny\n", "int wanted = 1;", "int wanted = 2;", true},
    {"too short to be sure", "a = 2\n", "a = 1", "a = 2", false},
    {"white space does not count", "a  b  c  d  e  f\n", "q", "a  b  c  d  e  f", false},
    {"no-break spaces neither",
     "ab\xC2\xA0\xC2\xA0\xC2\xA0\xC2\xA0\xC2\xA0\xC2\xA0"
     "cd",
     "q",
     "ab\xC2\xA0\xC2\xA0\xC2\xA0\xC2\xA0\xC2\xA0\xC2\xA0"
     "cd",
     false},
    {"twice", "int wanted = 2;\nint wanted = 2;\n", "int wanted = 1;", "int wanted = 2;", false},
    {"no line of its own", "second_line_here\n", "first_line\nsecond_line_here", "second_line_here",
     false},
    {"the search text stands elsewhere in another layout", "int wanted = 2;\nint  wanted = 1;\n",
     "int wanted = 1;", "int wanted = 2;", false},
    {"not there", "nothing of it\n", "int wanted = 1;", "int wanted = 2;", false},
};

static void only_what_was_surely_done_counts(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        EM_AUTO(em_draft) draft;
        bool applied;
        em_span where;
        em_located located;
        em_slice text = em_slice_of(cases[i].text), find = em_slice_of(cases[i].find);
        em_slice insert = em_slice_of(cases[i].insert);
        em_sightings in = {.text = text, .arena = &arena};
        assert_int_equal(em_tiers_locate(&in, find, insert, EM_TIER_FUZZY, NULL, &arena, &located),
                         EM_OK);
        assert_int_equal(em_draft_init(&draft, em_slice_of(cases[i].text), 0), EM_OK);
        assert_int_equal(em_already_applied(&draft, &in, find, insert, &located.places, NULL,
                                            &arena, &applied, &where),
                         EM_OK);
        check_size(cases[i].what, applied, cases[i].applied);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(only_what_was_surely_done_counts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
