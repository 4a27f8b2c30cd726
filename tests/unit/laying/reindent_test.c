#include "laying/reindent.h"

#include "placed.h"

#define BLOCK "f:\n  a()\n  b()\n"

static const struct {
    const char *what, *text, *find, *insert;
    em_reindent wanted;
} cases[] = {
    {"another word", BLOCK, "  a()\n  b()\n", "    a()\n    c()\n", EM_REINDENT_NONE},
    {"a line more", BLOCK, "  a()\n  b()\n", "    a()\n    b()\n    b()\n", EM_REINDENT_NONE},
    {"the same indentation", BLOCK, "    a()\n    b()\n", "    a()\n    b()\n", EM_REINDENT_NONE},
    {"blanks within a line", BLOCK, "    a()\n    b()\n", "    a( )\n    b()\n", EM_REINDENT_NONE},
    {"the file stands as the search text", BLOCK, "  a()\n  b()\n", "    a()\n    b()\n",
     EM_REINDENT_BEFORE},
    {"as the replacement", BLOCK, "    a()\n    b()\n", "  a()\n  b()\n", EM_REINDENT_AFTER},
    {"as none of them", BLOCK, "    a()\n    b()\n", "      a()\n      b()\n", EM_REINDENT_UNCLEAR},
    {"it deepens where the search text does", "f:\n  a()\n      b()\n  c()\n",
     "    a()\n        b()\n    c()\n", "    a()\n    b()\n    c()\n", EM_REINDENT_BEFORE},
    {"where the replacement does", "f:\n  a()\n      b()\n  c()\n", "    a()\n    b()\n    c()\n",
     "    a()\n        b()\n    c()\n", EM_REINDENT_AFTER},
    {"where both do", "f:\n  a()\n      b()\n  c()\n", "    a()\n        b()\n    c()\n",
     "      a()\n          b()\n      c()\n", EM_REINDENT_UNCLEAR},
    {"the search text as deep, the replacement alike", "f:\n  a()\n    b()\n", "  a()\n    b()\n",
     "    a()\n      b()\n", EM_REINDENT_BEFORE},
    {"one as the replacement, which has all of them less deep",
     "f:\n  for x:\n    a()\n    b()\n  c()\n", "      a()\n      b()\n", "    a()\n  b()\n",
     EM_REINDENT_UNCLEAR},
    {"or deeper", "f:\n  a()\n  b()\n", "a()\nb()\n", "    a()\n  b()\n", EM_REINDENT_UNCLEAR},
    {"but not where they go two ways", "f:\n    a()\n    b()\n", "  a()\n  b()\n", "a()\n    b()\n",
     EM_REINDENT_BEFORE},
    {"first lines that came bare do not tell", BLOCK, "a()\n  b()\n", "a()\n    b()\n",
     EM_REINDENT_BEFORE},
    {"a tab for spaces", BLOCK, "  a()\n  b()\n", "\ta()\n\tb()\n", EM_REINDENT_BEFORE},
};

static em_status reindent_of(size_t index, em_arena *arena, em_reindent *reindent)
{
    em_tolerant_place place;
    em_tokened insert;
    EM_TRY(place_of(cases[index].what, cases[index].text, cases[index].find, cases[index].insert,
                    arena, &place));
    EM_TRY(tokened_of(place.insert, arena, &insert));
    return em_reindent_of(em_slice_of(cases[index].text), &place, insert.tokens, arena, reindent);
}

static void the_file_tells_whether_it_was_made(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_reindent reindent;
        assert_int_equal(reindent_of(i, &arena, &reindent), EM_OK);
        check_size(cases[i].what, reindent, cases[i].wanted);
    }
}

static void indentations_are_compared(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to;
        int deepens;
    } pairs[] = {
        {"", "", 0},       {"  ", "  ", 0},    {"", "  ", 1},     {"  ", "", -1},
        {"\t", "\t  ", 1}, {"\t", "    ", -1}, {"    ", "\t", 1}, {"\t", "         ", 1},
    };
    for (size_t i = 0; i < COUNT_OF(pairs); i++)
        assert_int_equal(em_deepens(em_slice_of(pairs[i].from), em_slice_of(pairs[i].to)),
                         pairs[i].deepens);
}

static em_status run(em_arena *arena, const void *context)
{
    em_reindent reindent;
    (void)context;
    return reindent_of(4, arena, &reindent);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    check_scarce(cases[4].what, run, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_file_tells_whether_it_was_made),
        cmocka_unit_test(indentations_are_compared),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
