#include "text/needles.h"

#include "base/ascii.h"

#include <stdlib.h>

#include "../with_cmocka.h"
#include "guard.h"
#include "random.h"

enum { MOST_HAY = 4000 };

typedef struct seen {
    bool at[EM_MOST_NEEDLES][MOST_HAY];
    size_t count;
} seen;

static seen first, second; /* too large for the stack */

static void note(void *context, size_t which, size_t at)
{
    seen *s = context;
    assert_false(s->at[which][at]); /* each place once */
    s->at[which][at] = true;
    s->count++;
}

static size_t naive_count(const em_needles *needles, em_slice hay, const seen *s)
{
    size_t count = 0;
    for (size_t which = 0; which < needles->count; which++)
        for (size_t at = 0; at + needles->items[which].len <= hay.len; at++) {
            em_slice there = em_slice_sub(hay, at, at + needles->items[which].len);
            bool stands = em_same_in_any_case(there, needles->items[which]);
            assert_int_equal(s->at[which][at], stands);
            count += stands;
        }
    return count;
}

/* Every kernel, over the whole and in two parts. */
static void check(const em_needles *needles, em_slice hay, size_t cut)
{
    const em_needles_kernel *kernel;
    for (size_t i = 0; (kernel = em_needles_kernel_at(i)) != NULL; i++) {
        if (!kernel->usable)
            continue;
        memset(&first, 0, sizeof first);
        kernel->find(needles, hay, 0, hay.len, note, &first);
        assert_int_equal(naive_count(needles, hay, &first), first.count);
        memset(&second, 0, sizeof second);
        kernel->find(needles, hay, 0, cut, note, &second);
        kernel->find(needles, hay, cut, hay.len, note, &second);
        assert_memory_equal(&first, &second, sizeof first);
    }
    memset(&second, 0, sizeof second);
    em_find_needles(needles, hay, 0, hay.len, note, &second);
    assert_memory_equal(&first, &second, sizeof first);
}

static void there_are_kernels(void **state)
{
    (void)state;
    size_t count = 0;
    for (; em_needles_kernel_at(count); count++)
        print_message("kernel %s: %s\n", em_needles_kernel_at(count)->name,
                      em_needles_kernel_at(count)->usable ? "tested" : "not on this machine");
    assert_true(count > 0);
    assert_true(em_needles_kernel_at(count - 1)->usable); /* plain C is everywhere */
    em_needles needles;
    em_needles_init(&needles, &EM_LIT("abc"), 1);
    for (size_t i = 0; em_needles_kernel_at(i) != needles.kernel; i++)
        assert_false(em_needles_kernel_at(i)->usable); /* it is the best */
}

static void any_case(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        bool same;
    } cases[] = {
        {"", "", true},
        {"abC", "ABc", true},
        {"abc", "abcd", false},
        {"a[", "a{", false},
        {"a@", "a`", false},
        {"x1", "X1", true},
        {"\xC3\xA9", "\xC3\x89", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(em_same_in_any_case(em_slice_of(cases[i].a), em_slice_of(cases[i].b)),
                         cases[i].same);
}

/* Needles of three bytes and more, full of pieces of each other, in all kinds of text. */
static void random_texts(void **state)
{
    (void)state;
    static const char letters[] = "abABc_ .{[\xC3\xA9";
    random_state r = {3};
    for (size_t round = 0; round < 400; round++) {
        static char hay[MOST_HAY], bytes[EM_MOST_NEEDLES][12];
        em_slice items[EM_MOST_NEEDLES];
        em_needles needles;
        size_t length = random_below(&r, round % 10 ? 300 : MOST_HAY);
        size_t kinds = 2 + random_below(&r, sizeof letters - 3);
        for (size_t i = 0; i < length; i++)
            hay[i] = letters[random_below(&r, kinds)];
        size_t count = 1 + random_below(&r, EM_MOST_NEEDLES);
        for (size_t i = 0; i < count; i++) {
            size_t needle = EM_SHORTEST_NEEDLE + random_below(&r, 9);
            for (size_t k = 0; k < needle; k++)
                bytes[i][k] = letters[random_below(&r, kinds)];
            items[i] = em_slice_make(bytes[i], needle);
        }
        em_needles_init(&needles, items, count);
        check(&needles, em_slice_make(hay, length), random_below(&r, length + 1));
    }
}

/* At both edges of memory that may be read. */
static void every_length_at_the_edges(void **state)
{
    (void)state;
    const em_slice items[] = {EM_LIT("abc"), EM_LIT("bcdefghijk"), EM_LIT("fgh"), EM_LIT("jkab")};
    em_needles needles;
    em_needles_init(&needles, items, sizeof items / sizeof *items);
    guard g = guard_make();
    assert_non_null(g.page);
    for (size_t length = 0; length < 150; length++)
        for (int end = 0; end < 2; end++) {
            char *hay = end ? guard_at_end(&g, length) : g.page;
            for (size_t i = 0; i < length; i++)
                hay[i] = (char)('a' + (length - i) % 11);
            check(&needles, em_slice_make(hay, length), length / 3);
        }
    guard_drop(&g);
}

static void one_is_left_out(void **state)
{
    (void)state;
    const em_slice items[] = {EM_LIT("abc"), EM_LIT("abcd"), EM_LIT("bcd")};
    em_slice hay = EM_LIT("-abcd-ABC-abcdabcdabcd------------------------abcd");
    em_needles needles;
    em_needles_init(&needles, items, 3);
    em_needles_leave_out(&needles, 1);
    const em_needles_kernel *kernel;
    for (size_t i = 0; (kernel = em_needles_kernel_at(i)) != NULL; i++) {
        memset(&first, 0, sizeof first);
        if (!kernel->usable)
            continue;
        kernel->find(&needles, hay, 0, hay.len, note, &first);
        assert_int_equal(first.count, 6 + 5);
        assert_true(first.at[0][6] && first.at[2][2] && !first.at[1][1]);
    }
}

static void nothing_to_look_for(void **state)
{
    (void)state;
    em_needles needles;
    em_needles_init(&needles, NULL, 0);
    check(&needles, EM_LIT("some text that is long enough for the vectors of all kernels"), 30);
    assert_int_equal(first.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_are_kernels), cmocka_unit_test(any_case),
        cmocka_unit_test(random_texts),      cmocka_unit_test(every_length_at_the_edges),
        cmocka_unit_test(one_is_left_out),   cmocka_unit_test(nothing_to_look_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
