#include "match/guess.h"

#include <stdio.h>
#include <stdlib.h>

#include "../with_cmocka.h"
#include "failing_malloc.h"
#include "random.h"

static em_guesses guesses_of(em_slice text, em_slice find, size_t most, em_arena *arena)
{
    em_guesses guesses;
    assert_int_equal(em_guess_starts(text, find, most, NULL, arena, &guesses), EM_OK);
    assert_false(guesses.timed_out);
    assert_in_range(guesses.count, 0, most);
    for (size_t i = 0; i < guesses.count; i++) {
        const em_guess *g = &guesses.items[i];
        assert_true(g->at <= text.len && g->of <= find.len);
        assert_true(i == 0 || g[-1].weight > g->weight ||
                    (g[-1].weight == g->weight && g[-1].at < g->at));
    }
    return guesses;
}

/* The start that a guess implies; before the text it is negative. */
static ptrdiff_t start_of(const em_guess *guess)
{
    return (ptrdiff_t)guess->at - (ptrdiff_t)guess->of;
}

static void most_votes_win(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_slice text = EM_LIT("int alpha = load(first);\n"
                           "int beta = save(second, third);\n"
                           "int gamma = load(second, fourth);\n");
    em_guesses guesses = guesses_of(text, EM_LIT("int beta = load(second, fourth);"), 10, &arena);
    assert_true(guesses.count >= 2);
    assert_true(guesses.anchors >= 4);
    assert_int_equal(start_of(&guesses.items[0]), 57); /* gamma is a letter longer: a close vote */
    assert_true(guesses.items[0].weight > guesses.items[1].weight);
    guesses = guesses_of(text, EM_LIT("int beta = load(second, fourth);"), 1, &arena);
    assert_int_equal(guesses.count, 1);
    assert_int_equal(start_of(&guesses.items[0]), 57);
}

/* The search text may hang over the start of the text. */
static void before_the_start(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_slice text = EM_LIT("load(second, third);\n");
    em_guesses guesses = guesses_of(text, EM_LIT("int beta = load(second, third);"), 3, &arena);
    assert_true(guesses.count > 0);
    assert_int_equal(start_of(&guesses.items[0]), -11);
}

static void nothing_to_guess(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    assert_int_equal(guesses_of(EM_LIT("abc def"), EM_LIT("xyz uvw"), 5, &arena).count, 0);
    assert_int_equal(guesses_of(EM_LIT(""), EM_LIT("xyz uvw"), 5, &arena).count, 0);
    em_guesses guesses = guesses_of(EM_LIT("a b"), EM_LIT("a b"), 5, &arena);
    assert_int_equal(guesses.count, 0);
    assert_int_equal(guesses.anchors, 0);
}

/* What stands everywhere is dropped, and what does not stays. */
static void too_common(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    enum { LENGTH = 1 << 20 };
    char *bytes = malloc(LENGTH);
    assert_non_null(bytes);
    for (size_t i = 0; i < LENGTH; i++)
        bytes[i] = "common every where "[i % 19];
    em_slice text = em_slice_make(bytes, LENGTH);
    em_guesses guesses = guesses_of(text, EM_LIT("common every where"), 5, &arena);
    assert_int_equal(guesses.count, 0);
    assert_int_equal(guesses.anchors, 0);
    memcpy(bytes + 777777, "special", 7);
    guesses = guesses_of(text, EM_LIT("common special where"), 5, &arena);
    assert_int_equal(guesses.count, 1);
    assert_int_equal(start_of(&guesses.items[0]), 777777 - 7);
    free(bytes);
}

/* Of thousands of guesses the best are kept, and of equal ones the first. */
static void only_so_many(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    enum { LENGTH = 1 << 20, EACH = 4096 };
    char *bytes = malloc(LENGTH);
    assert_non_null(bytes);
    memset(bytes, ' ', LENGTH);
    for (size_t at = 0; at < LENGTH; at += EACH)
        memcpy(bytes + at + 50, at == 200 * EACH ? "first second third" : "first nothing third",
               18);
    em_slice text = em_slice_make(bytes, LENGTH);
    em_guesses guesses = guesses_of(text, EM_LIT("first second third"), 4, &arena);
    assert_int_equal(guesses.count, 4);
    assert_int_equal(start_of(&guesses.items[0]), 200 * EACH + 50);
    for (size_t i = 1; i < 4; i++)
        assert_in_range(start_of(&guesses.items[i]), 0, 4 * EACH);
    free(bytes);
}

static void without_anchors(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_guesses guesses;
    em_slice text = EM_LIT("foo({\n  a: 1\n})\nbar\n");
    assert_int_equal(em_guess_alike(text, EM_LIT("});"), 0.5, 3, NULL, &arena, &guesses), EM_OK);
    assert_true(guesses.count > 0 && guesses.count <= 3);
    assert_in_range(guesses.items[0].at, 15, 16);
    assert_int_equal(guesses.items[0].of, 3);
    assert_int_equal(guesses.anchors, 0);
    /* of a long search text, what is fullest in it */
    char find[300];
    memset(find, ' ', sizeof find);
    memcpy(find + 200, "prnit(reslut)", 13);
    text = EM_LIT("one\ntwo\n                                         print(result)\nthree\n");
    assert_int_equal(
        em_guess_alike(text, em_slice_make(find, sizeof find), 0.5, 3, NULL, &arena, &guesses),
        EM_OK);
    assert_true(guesses.count > 0);
    assert_int_equal(start_of(&guesses.items[0]), 49 - 200);
}

static void a_passed_deadline(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    enum { LENGTH = 1 << 20 };
    char *bytes = malloc(LENGTH);
    assert_non_null(bytes);
    memset(bytes, 'a', LENGTH);
    em_deadline deadline = {.at = 1, .passed = true};
    em_guesses guesses;
    em_slice text = em_slice_make(bytes, LENGTH), find = EM_LIT("some words to find");
    assert_int_equal(em_guess_starts(text, find, 3, &deadline, &arena, &guesses), EM_OK);
    assert_true(guesses.timed_out);
    assert_int_equal(em_guess_alike(text, find, 0.5, 3, &deadline, &arena, &guesses), EM_OK);
    assert_true(guesses.timed_out);
    free(bytes);
}

static em_status guess_with(long mallocs, em_slice text, em_slice find)
{
    EM_AUTO(em_arena) arena = {0};
    em_guesses guesses;
    mallocs_left = mallocs;
    em_status status = em_guess_starts(text, find, 50, NULL, &arena, &guesses);
    if (status == EM_OK)
        status = em_guess_alike(text, find, 0.5, 500, NULL, &arena, &guesses);
    mallocs_left = -1;
    return status;
}

static void out_of_memory(void **state)
{
    (void)state;
    random_state r = {3};
    static char bytes[60000];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = "abc "[random_below(&r, 4)];
    em_slice text = em_slice_make(bytes, sizeof bytes), find = em_slice_sub(text, 1000, 1600);
    em_status status = EM_E_NOMEM;
    for (long fails_at = 0; status != EM_OK; fails_at++) {
        status = guess_with(fails_at, text, find);
        assert_true(status == EM_OK ? fails_at > 2 : status == EM_E_NOMEM);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(most_votes_win),    cmocka_unit_test(before_the_start),
        cmocka_unit_test(nothing_to_guess),  cmocka_unit_test(too_common),
        cmocka_unit_test(only_so_many),      cmocka_unit_test(without_anchors),
        cmocka_unit_test(a_passed_deadline), cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
