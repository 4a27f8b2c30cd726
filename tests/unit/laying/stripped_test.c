#include "laying/stripped.h"

#include "placed.h"

static const struct {
    const char *what, *text, *find, *insert;
    const char *wanted; /* the search text; NULL: as it was */
} cases[] = {
    {"a blank too deep throughout", "d f():\n    a\n", "d f():\n     a", " d f():\n     a, b",
     " d f():\n     a"},
    {"not deep enough", "x:\n    y:\n        a\n        b\n", "y:\n      a\n      b",
     "  y:\n      a\n      c\n      b", "  y:\n      a\n      b"},
    {"in other steps", "x:\n    y:\n        a\n    z\n", "y:\n    a\n  z",
     "  y:\n    a\n    c\n  z", "  y:\n    a\n  z"},
    {"a block comes around it, and lines at two depths tell", "x:\n        a\n    b\n  c\n",
     "a\n     b\n   c", "           if:\n             a\n     b\n   c", "         a\n     b\n   c"},
    {"and none does", "x:\n        a\n    b\n", "a\n      b", "        if:\n          a\n      b",
     NULL},
    {"the replacement was stripped, too", "d f():\n    a\n", "d f():\n     a", "d f():\n     b",
     NULL},
    {"and begins with a new line", "x:\n    y:\n        a\n        b\n",
     "y:\n         a\n         b", "n\n     y:\n         a\n         b",
     "     y:\n         a\n         b"},
    {"it stands as the file does", "  d f():\n    a\n", "d f():\n    a", "  d f():\n    a\n    b",
     NULL},
    {"the replacement moves another line", "d f():\n    a\n    b\n", "d f():\n     a\n     b",
     " d f():\n         a\n     b", NULL},
    {"the first line goes", "d f():\n    a\n", "d f():\n     a", "     a", NULL},
    {"it is one line", "d f():\n    a\n", "a", " a b", NULL},
    {"others stand to it otherwise", "a\nb\n", "a\n b", "  a\n b\n c", NULL},
};

static em_status filled(size_t index, em_arena *arena, em_tolerant_place *place)
{
    EM_TRY(place_of(cases[index].what, cases[index].text, cases[index].find, cases[index].insert,
                    arena, place));
    return em_fill_stripped(em_slice_of(cases[index].text), arena, place);
}

static void it_has_what_it_was_stripped_of(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_tolerant_place place;
        assert_int_equal(filled(i, &arena, &place), EM_OK);
        bool is_stripped = cases[i].insert[0] == 'n';
        check_bytes(
            cases[i].what, place.insert,
            em_slice_of(is_stripped ? "     n\n     y:\n         a\n         b" : cases[i].insert));
        check_bytes(cases[i].what, place.find,
                    em_slice_of(cases[i].wanted ? cases[i].wanted : cases[i].find));
        check_tokens(cases[i].what, em_slice_of(cases[i].text), &place);
    }
}

static em_status run(em_arena *arena, const void *context)
{
    (void)context;
    em_tolerant_place place;
    return filled(0, arena, &place);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    check_scarce(cases[0].what, run, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_has_what_it_was_stripped_of),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests_name("stripped", tests, NULL, NULL);
}
