#include "laying/completed.h"

#include "match/tiers.h"
#include "placed.h"

static const struct {
    const char *what, *text, *find, *insert;
    const char *wanted; /* NULL: the search text stays */
} cases[] = {
    {"a comment", "first(alpha);\n// then\nsecond(beta);\n", "first(alpha);\nsecond(beta);\n",
     "first(alpha);\nlog();\n// then\nsecond(beta);\n", "first(alpha);\n// then\nsecond(beta);\n"},
    {"the first of two", "first(alpha);\n// one\n// two\nsecond(beta);\n",
     "first(alpha);\nsecond(beta);\n", "first(alpha);\n// one\nlog();\nsecond(beta);\n",
     "first(alpha);\n// one\nsecond(beta);\n"},
    {"both", "first(alpha);\n// one\n// two\nsecond(beta);\n", "first(alpha);\nsecond(beta);\n",
     "first(alpha);\n// one\n// two\nlog();\nsecond(beta);\n",
     "first(alpha);\n// one\n// two\nsecond(beta);\n"},
    {"both, in another order", "first(alpha);\n// one\n// two\nsecond(beta);\n",
     "first(alpha);\nsecond(beta);\n", "first(alpha);\n// two\n// one\nlog();\nsecond(beta);\n",
     "first(alpha);\n// one\nsecond(beta);\n"},
    {"it is as deep as the lines around it",
     "f() {\n    first(alpha);\n    // then\n    second(beta);\n}\n",
     "first(alpha);\nsecond(beta);\n", "first(alpha);\nlog();\n// then\nsecond(beta);\n",
     "first(alpha);\n// then\nsecond(beta);\n"},
    {"the replacement does not have it", "first(alpha);\n// then\nsecond(beta);\n",
     "first(alpha);\nsecond(beta);\n", "first(alpha);\nlog();\nsecond(beta);\n", NULL},
    {"it has it elsewhere", "first(alpha);\n// then\nsecond(beta);\nthird(gamma);\n",
     "first(alpha);\nsecond(beta);\nthird(gamma);\n",
     "first(alpha);\nsecond(beta);\n// then\nthird(gamma);\n", NULL},
    {"another comment", "first(alpha);\n// then\nsecond(beta);\n", "first(alpha);\nsecond(beta);\n",
     "first(alpha);\n// now\nsecond(beta);\n", NULL},
    {"nothing is lacking", "first(alpha);\n\nsecond( beta);\n", "first(alpha);\n\nsecond(beta);\n",
     "first(alpha);\n\nlog();\nsecond(beta);\n", NULL},
    {"an empty line above new ones", "first(alpha);\n\nsecond(beta);\n",
     "first(alpha);\nsecond(beta);\n", "first(alpha);\n\nlog();\nsecond(beta);\n",
     "first(alpha);\n\nsecond(beta);\n"},
    {"below them", "first(alpha);\n\nsecond(beta);\n", "first(alpha);\nsecond(beta);\n",
     "first(alpha);\nlog();\n\nsecond(beta);\n", "first(alpha);\n\nsecond(beta);\n"},
    {"of which the replacement has none", "first(alpha);\n\nsecond(beta);\n",
     "first(alpha);\nsecond(beta);\n", "first(alpha);\nlog();\nsecond(beta);\n", NULL},
    {"line endings are the search text's", "first(alpha);\n// then\nsecond(beta);\n",
     "first(alpha);\r\nsecond(beta);\r\n",
     "first(alpha);\r\nlog();\r\n// then\r\nsecond(beta);\r\n",
     "first(alpha);\r\n// then\r\nsecond(beta);\r\n"},
};

static em_status complete(size_t index, em_arena *arena, em_tolerant_place *place)
{
    em_slice text = em_slice_of(cases[index].text);
    em_occurrences in = {.text = text, .arena = arena};
    em_located located;
    EM_TRY(em_tiers_locate(&in, em_slice_of(cases[index].find), em_slice_of(cases[index].insert),
                           EM_TIER_FUZZY, NULL, arena, &located));
    check_size(cases[index].what, located.places.count, 1);
    *place = located.places.items[0];
    return em_complete_find(text, arena, place);
}

static void what_the_replacement_has_is_put_in(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_tolerant_place place;
        assert_int_equal(complete(i, &arena, &place), EM_OK);
        check_bytes(cases[i].what, place.find,
                    em_slice_of(cases[i].wanted ? cases[i].wanted : cases[i].find));
        check_bytes(cases[i].what, place.insert, em_slice_of(cases[i].insert));
        check_tokens(cases[i].what, em_slice_of(cases[i].text), &place);
    }
}

static em_status run(em_arena *arena, const void *context)
{
    em_tolerant_place place;
    (void)context;
    return complete(9, arena, &place);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    check_scarce(cases[9].what, run, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_replacement_has_is_put_in),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
