#include "laying/levelling.h"

#include "placed.h"

static const struct {
    const char *what, *text, *find, *insert;
    bool keeps, may_move;
    const char *wanted; /* the replacement levelled; NULL: there is none */
} cases[] = {
    {"two wrong depths", "f:\n  if p:\n      a()\n      b()\n",
     "    if p:\n        a()\n        b()\n", "if p:\n    a()\n    b(1)\n", false, false,
     "    if p:\n        a()\n        b(1)\n"},
    {"the replacement too deep", "f:\n  if p:\n      a()\n      b()\n", "if p:\n    a()\n    b()\n",
     "    if p:\n        a()\n        b(1)\n", false, false, "if p:\n    a()\n    b(1)\n"},
    {"both as deep as the file", "f:\n  if p:\n      a()\n      b()\n",
     "  if p:\n      a()\n      b()\n", "  if p:\n      a()\n      b(1)\n", true, false, NULL},
    {"both at the same wrong depth", "f:\n  if p:\n      a()\n      b()\n",
     "    if p:\n        a()\n        b()\n", "    if p:\n        a()\n        b(1)\n", true, false,
     NULL},
    {"the search text is right", "f:\n  if p:\n      a()\n      b()\n",
     "  if p:\n      a()\n      b()\n", "if p:\n    a()\n    b(1)\n", true, false, NULL},
    {"a block that comes may have moved them", "f:\n  a()\n  b()\n", "    a()\n    b()\n",
     "if p:\n      a()\n      b(1)\n", true, false, NULL},
    {"one line, in steps of two", "f {\n    a();\n    b();\n}\n", "  a();\n  b();\n",
     "        a();\n        b(1);\n", false, true, NULL},
};

static em_status levelled(size_t index, em_arena *arena, em_levelling *levelling)
{
    em_slice text = em_slice_of(cases[index].text);
    em_tolerant_place place;
    em_laid laid;
    bool sound;
    EM_TRY(place_of(cases[index].what, cases[index].text, cases[index].find, cases[index].insert,
                    arena, &place));
    EM_TRY(em_transplant_difference(text, &place, EM_EOL_LF, arena, &laid, &sound));
    return em_levelling_of(text, &place, &laid, arena, levelling);
}

static void the_replacement_comes_as_deep_as_the_search_text(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_levelling levelling;
        assert_int_equal(levelled(i, &arena, &levelling), EM_OK);
        check_size(cases[i].what, levelling.keeps, cases[i].keeps);
        check_size(cases[i].what, levelling.may_move, cases[i].may_move);
        check_size(cases[i].what, levelling.insert.ptr != NULL, cases[i].wanted != NULL);
        if (cases[i].wanted)
            check_bytes(cases[i].what, levelling.insert, em_slice_of(cases[i].wanted));
    }
}

#define TWICE "f {\n    a();\n    b();\n}\ng {\n        a();\n        b();\n}\n"

static const struct {
    const char *what, *text, *find, *insert;
    bool level;
} places[] = {
    {"each text stands as one of two", TWICE, "    a();\n    b();\n",
     "        a();\n        c();\n", false},
    {"the two texts are alike", TWICE, "    a();\n    b();\n", "    a();\n    c();\n", true},
    {"the replacement stands as neither", TWICE, "    a();\n    b();\n", "  a();\n  c();\n", true},
    {"a single place", "g {\n        a();\n        b();\n}\n", "    a();\n    b();\n",
     "        a();\n        c();\n", true},
};

static em_status found_level(size_t index, em_arena *arena, em_deadline *deadline, bool *level)
{
    em_slice text = em_slice_of(places[index].text);
    em_places found;
    EM_TRY(em_tolerant_find(text, em_slice_of(places[index].find),
                            em_slice_of(places[index].insert), EM_FOLD_WRITING, NULL, arena,
                            &found));
    return em_places_are_level(text, found, deadline, level);
}

static void places_at_several_depths_are_told(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(places); i++) {
        EM_AUTO(em_arena) arena = {0};
        bool level;
        assert_int_equal(found_level(i, &arena, NULL, &level), EM_OK);
        check_size(places[i].what, level, places[i].level);
    }
}

static void a_deadline_that_passed_is_told(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_deadline deadline = {.at = 1, .passed = true};
    bool level;
    assert_int_equal(found_level(0, &arena, &deadline, &level), EM_E_TIMEOUT);
}

static em_status run(em_arena *arena, const void *context)
{
    em_levelling levelling;
    return levelled(*(const size_t *)context, arena, &levelling);
}

static em_status run_places(em_arena *arena, const void *context)
{
    bool level;
    (void)context;
    return found_level(0, arena, NULL, &level);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_scarce(cases[i].what, run, &i);
    check_scarce(places[0].what, run_places, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_replacement_comes_as_deep_as_the_search_text),
        cmocka_unit_test(places_at_several_depths_are_told),
        cmocka_unit_test(a_deadline_that_passed_is_told),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
