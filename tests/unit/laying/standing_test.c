#include "laying/standing.h"

#include "placed.h"

enum {
    KNOWN = 1 << 0,
    FIND = 1 << 1,
    INSERT = 1 << 2,
    FIXES = 1 << 3,
    SOME_FIXED = 1 << 4,
    FIX_MOVES = 1 << 5,
    MAY_BE_CHANCE = 1 << 6,
    CHANCE = 1 << 7,
};

static unsigned flags_of(em_standing s)
{
    return (s.known ? KNOWN : 0u) | (s.find ? FIND : 0u) | (s.insert ? INSERT : 0u) |
           (s.insert_fixes_depth ? FIXES : 0u) | (s.some_line_fixed ? SOME_FIXED : 0u) |
           (s.fix_moves ? FIX_MOVES : 0u) | (s.may_be_coincidence ? MAY_BE_CHANCE : 0u) |
           (s.is_coincidence ? CHANCE : 0u);
}

static const struct {
    const char *what, *text, *find, *insert;
    unsigned flags;
} cases[] = {
    /* lines that stay */
    {"as deep as the file in the replacement alone", "if (p) {\n    a();\n}\n",
     "if (p) {\n  a();\n}\n", "if (p) {\n    a();\n    b();\n}\n", KNOWN | INSERT | SOME_FIXED},
    {"in no text", "f() {\n    a();\n    c();\n}\n", "  a();\n  c();\n", "  a();\n  b();\n  c();\n",
     KNOWN},
    {"in both", "f() {\n    a();\n    c();\n}\n", "    a();\n    c();\n",
     "    a();\n    b();\n    c();\n", KNOWN | FIND | INSERT},
    {"in the search text alone", "f() {\n    a();\n    c();\n}\n", "    a();\n    c();\n",
     "  a();\n  b();\n  c();\n", KNOWN | FIND},
    {"all of them in the replacement", "f() {\n    a();\n    c();\n}\n", "  a();\n  c();\n",
     "    a();\n    b();\n    c();\n", KNOWN | INSERT | FIXES | SOME_FIXED},
    {"one is still at a wrong depth", "f() {\n    a();\n    c();\n}\n", "  a();\n  c();\n",
     "    a();\n    b();\n  c();\n", KNOWN | SOME_FIXED},
    {"one is off by as much as one that is right", "f() {\n    a();\n    c();\n    d();\n}\n",
     "  a();\n   c();\n  d();\n", "    a();\n     c();\n    d();\n    e();\n",
     KNOWN | FIXES | SOME_FIXED},
    /* lines that the edit may have moved */
    {"in a new block, as the file has them by chance", "f() {\n        a();\n        c();\n}\n",
     "    a();\n    c();\n", "    if (p) {\n        a();\n        c();\n    }\n", 0},
    {"... beside lines of other depths",
     "f() {\n        if (a) {\n            c();\n        }\n}\n",
     "    if (a) {\n        c();\n    }\n",
     "    if (p) {\n        if (a) {\n            c();\n        }\n    }\n", MAY_BE_CHANCE},
    {"... and one that was right",
     "f() {\n    b();\n        if (a) {\n            c();\n        }\n}\n",
     "    b();\n    if (a) {\n        c();\n    }\n",
     "    b();\n    if (p) {\n        if (a) {\n            c();\n        }\n    }\n",
     KNOWN | FIND | INSERT | MAY_BE_CHANCE | CHANCE},
    {"in a new block, and as deep as before", "f() {\n    a();\n    c();\n}\n", "  a();\n  c();\n",
     "if (p) {\n  a();\n  c();\n}\n", KNOWN},
    {"out of a block, as the file has it", "f() {\n    if (p) {\n    a();\n    }\n}\n",
     "    if (p) {\n        a();\n    }\n", "    a();\n", FIND | INSERT | MAY_BE_CHANCE},
    /* lines that change */
    {"as deep as the file", "f() {\n    a(1);\n}\n", "  a(1);\n", "    b(1);\n",
     KNOWN | INSERT | FIXES | SOME_FIXED},
    {"as wrong as before", "f() {\n    a(1);\n}\n", "  a(1);\n", "  b(1);\n", 0},
    {"one for another", "f() {\n    a();\n    b();\n}\n", "    a();\n  b();\n",
     "    a();\n    x = 1\n", KNOWN | INSERT | SOME_FIXED},
    /* none that counts: the least indented lines do */
    {"all is new, as deep as the file", "f() {\n    a();\n}\n", "    a();\n",
     "    b = 1\n    c = 2\n", FIND | INSERT},
    {"all is new, as deep as the search text", "f() {\n    a();\n}\n", "  a();\n",
     "  b = 1\n  c = 2\n", 0},
    {"all is new, and deeper than the search text", "f() {\n    a();\n}\n", "  a();\n",
     "    b = 1\n    c = 2\n", INSERT},
    {"all is new, as deep as the search text's first line and the file's last one",
     "f() {\n        a();\n    b();\n}\n", "    a();\nb();\n", "    x = 1\n", 0},
};

static em_status standing_of(size_t index, bool but_first, em_arena *arena, em_standing *standing)
{
    em_tolerant_place place;
    em_tokened insert;
    EM_TRY(place_of(cases[index].what, cases[index].text, cases[index].find, cases[index].insert,
                    arena, &place));
    EM_TRY(tokened_of(place.insert, arena, &insert));
    return em_standing_of(em_slice_of(cases[index].text), &place, &insert, NULL, but_first, arena,
                          standing);
}

static void depths_are_compared(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_standing standing;
        assert_int_equal(standing_of(i, false, &arena, &standing), EM_OK);
        check_size(cases[i].what, flags_of(standing), cases[i].flags);
    }
}

static void the_first_line_may_not_count(void **state)
{
    (void)state;
    for (int but_first = 0; but_first < 2; but_first++) {
        EM_AUTO(em_arena) arena = {0};
        em_slice text = EM_LIT("f() {\n    a();\n    c();\n}\n");
        em_tolerant_place place;
        em_tokened insert;
        em_standing standing;
        assert_int_equal(place_of("one slip", text.ptr, "  a();\n    c();\n",
                                  "  a();\n    c();\n    d();\n", &arena, &place),
                         EM_OK);
        assert_int_equal(tokened_of(place.insert, &arena, &insert), EM_OK);
        assert_int_equal(em_standing_of(text, &place, &insert, NULL, but_first, &arena, &standing),
                         EM_OK);
        check_size("one slip", flags_of(standing), but_first ? KNOWN | FIND | INSERT : KNOWN);
    }
}

static void what_is_laid_in_may_move_lines(void **state)
{
    (void)state;
    static const struct {
        const char *laid;
        unsigned flags;
    } results[] = {
        {"    a();\n    b();\n", KNOWN | INSERT | FIXES | SOME_FIXED},
        {"      a();\n      b();\n", KNOWN | INSERT | FIXES | SOME_FIXED | FIX_MOVES},
    };
    for (size_t i = 0; i < COUNT_OF(results); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_slice text = EM_LIT("f() {\n    a();\n}\n");
        em_tolerant_place place;
        em_tokened insert, result;
        em_standing standing;
        size_t starts[16];
        assert_int_equal(
            place_of("a", text.ptr, "  a();\n", "    a();\n    b();\n", &arena, &place), EM_OK);
        assert_int_equal(tokened_of(place.insert, &arena, &insert), EM_OK);
        assert_int_equal(tokened_of(em_slice_of(results[i].laid), &arena, &result), EM_OK);
        assert_int_equal(result.tokens.count, insert.tokens.count);
        for (size_t k = 0; k < result.tokens.count; k++)
            starts[k] = result.tokens.items[k].start;
        em_laid laid = {.text = result.text, .insert = insert.tokens, .starts = starts};
        assert_int_equal(em_standing_of(text, &place, &insert, &laid, false, &arena, &standing),
                         EM_OK);
        check_size(results[i].laid, flags_of(standing), results[i].flags);
    }
}

static em_status run(em_arena *arena, const void *context)
{
    em_standing standing;
    (void)context;
    return standing_of(0, false, arena, &standing);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    check_scarce(cases[0].what, run, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(depths_are_compared),
        cmocka_unit_test(the_first_line_may_not_count),
        cmocka_unit_test(what_is_laid_in_may_move_lines),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
