#include "text/marks.h"

#include <stdio.h>

#include "../with_cmocka.h"
#include "failing_malloc.h"

enum { NEEDLES = 500, LENGTH = 64, TIMES = 40 };

static char room[NEEDLES][LENGTH];
static em_slice needles[NEEDLES];
static char text[NEEDLES * LENGTH * TIMES];
static em_slice hay;

/* Needles in the form of `format`, which has a number, and a text of them and of other lines. */
static void fill(const char *format)
{
    size_t length = 0;
    for (size_t i = 0; i < NEEDLES; i++) {
        int needle = snprintf(room[i], LENGTH, format, i * 7919 % 10007);
        assert_true(needle > 0 && needle < LENGTH);
        needles[i] = em_slice_make(room[i], (size_t)needle);
        memcpy(text + length, room[i], needles[i].len);
        length += needles[i].len;
        for (size_t k = 1; k < TIMES && length + LENGTH < sizeof text; k++)
            length += (size_t)snprintf(text + length, LENGTH, "    count += %zu;\n", k);
    }
    hay = em_slice_make(text, length);
}

static void what_needles_share_is_their_mark(void **state)
{
    (void)state;
    em_mark mark;
    fill("value = compute(%zu);");
    assert_true(em_mark_choose(needles, NEEDLES, hay, &mark));
    for (size_t i = 0; i < NEEDLES; i++) {
        const char *at = memmem(needles[i].ptr, needles[i].len, mark.bytes, sizeof mark.bytes);
        assert_non_null(at);
        assert_int_equal(em_mark_print_in(&mark, needles[i]), at - needles[i].ptr + mark.print);
    }
}

/* The print has what differs. */
static void prints_tell_needles_apart(void **state)
{
    (void)state;
    em_mark mark;
    fill("if (%zu > limit) return");
    assert_true(em_mark_choose(needles, NEEDLES, hay, &mark));
    size_t same = 0;
    for (size_t i = 1; i < NEEDLES; i++) {
        size_t one = em_mark_print_in(&mark, needles[i - 1]),
               two = em_mark_print_in(&mark, needles[i]);
        if (one == EM_NPOS || two == EM_NPOS)
            continue;
        same += memcmp(needles[i - 1].ptr + one, needles[i].ptr + two, EM_MARK_PRINT) == 0;
    }
    assert_in_range(same, 0, NEEDLES / 10);
}

static void a_needle_without_the_mark_has_no_print(void **state)
{
    (void)state;
    const em_mark mark = {{'(', 'x'}, -4};
    assert_int_equal(em_mark_print_in(&mark, EM_LIT("a long text of another kind")), EM_NPOS);
    assert_int_equal(em_mark_print_in(&mark, EM_LIT("abc(x, y, z)")), EM_NPOS); /* none before it */
    assert_int_equal(em_mark_print_in(&mark, EM_LIT("abcd(x,")), EM_NPOS);      /* too short */
    assert_int_equal(em_mark_print_in(&mark, EM_LIT("abcd(x, y)")), 0);
    assert_int_equal(em_mark_print_in(&mark, EM_LIT("((abcd(x, y)")), 2);
    assert_int_equal(em_mark_print_in(&mark, EM_LIT("(")), EM_NPOS);
    assert_int_equal(em_mark_print_in(&mark, EM_LIT("")), EM_NPOS);
}

/* What stands everywhere in the text is no mark, nor what no two needles have. */
static void there_may_be_none(void **state)
{
    (void)state;
    static char letters[NEEDLES][16];
    em_mark mark;
    for (size_t i = 0; i < NEEDLES; i++) {
        for (size_t k = 0; k < sizeof letters[i]; k++)
            letters[i][k] = (char)((i * 131 + k * 17) % 251 + 1);
        needles[i] = em_slice_make(letters[i], sizeof letters[i]);
    }
    assert_false(em_mark_choose(needles, NEEDLES, hay, &mark));
    memset(text, 'a', 100000);
    for (size_t i = 0; i < NEEDLES; i++)
        needles[i] = EM_LIT("aaaaaaaaaaaaaaaa");
    assert_false(em_mark_choose(needles, NEEDLES, em_slice_make(text, 100000), &mark));
    assert_false(em_mark_choose(needles, 0, hay, &mark));
}

static void no_memory_is_no_mark(void **state)
{
    (void)state;
    em_mark mark;
    fill("value = compute(%zu);");
    mallocs_left = 0;
    bool found = em_mark_choose(needles, NEEDLES, hay, &mark);
    mallocs_left = -1;
    assert_false(found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_needles_share_is_their_mark),
        cmocka_unit_test(prints_tell_needles_apart),
        cmocka_unit_test(a_needle_without_the_mark_has_no_print),
        cmocka_unit_test(there_may_be_none),
        cmocka_unit_test(no_memory_is_no_mark),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
