#include "text/search.h"

#include <stdlib.h>
#include <time.h>

#include "../with_cmocka.h"
#include "guard.h"
#include "random.h"

static size_t naive_find(em_slice needle, em_slice hay, size_t from)
{
    for (size_t at = from; at <= hay.len && needle.len <= hay.len - at; at++)
        if (memcmp(hay.ptr + at, needle.ptr, needle.len) == 0)
            return at;
    return EM_NPOS;
}

/* Every kernel that this machine has, and the one that em_find() takes. */
static void check_find(em_slice needle, em_slice hay, size_t from)
{
    em_needle prepared;
    em_needle_init(&prepared, needle);
    size_t wanted = naive_find(needle, hay, from);
    if (em_find(&prepared, hay, from) != wanted)
        fail_msg("em_find: needle of %zu in %zu from %zu", needle.len, hay.len, from);
    const em_search_kernel *kernel;
    for (size_t i = 0; (kernel = em_search_kernel_at(i)) != NULL; i++)
        if (kernel->usable && kernel->find(&prepared, hay, from) != wanted)
            fail_msg("%s: needle of %zu in %zu from %zu", kernel->name, needle.len, hay.len, from);
}

static void there_are_kernels(void **state)
{
    (void)state;
    size_t count = 0;
    for (; em_search_kernel_at(count); count++)
        print_message("kernel %s: %s\n", em_search_kernel_at(count)->name,
                      em_search_kernel_at(count)->usable ? "tested" : "not on this machine");
    assert_true(count > 0);
    assert_true(em_search_kernel_at(count - 1)->usable); /* plain C is everywhere */
    em_needle needle;
    em_needle_init(&needle, EM_LIT("x"));
    for (size_t i = 0; em_search_kernel_at(i) != needle.kernel; i++)
        assert_false(em_search_kernel_at(i)->usable); /* it is the best */
    assert_true(needle.kernel->usable);
#if defined(__x86_64__)
    assert_string_equal(em_search_kernel_at(0)->name, "avx2");
    assert_int_equal(em_search_kernel_at(0)->usable, __builtin_cpu_supports("avx2") != 0);
#endif
}

/* All strings of up to 6 letters out of two, in all strings of 9. */
static void all_small_strings(void **state)
{
    (void)state;
    char needle[6], hay[9];
    for (unsigned bits = 0; bits < 1u << sizeof hay; bits++) {
        for (size_t i = 0; i < sizeof hay; i++)
            hay[i] = bits >> i & 1 ? 'a' : 'b';
        for (size_t length = 1; length <= sizeof needle; length++)
            for (unsigned wanted = 0; wanted < 1u << length; wanted++) {
                for (size_t i = 0; i < length; i++)
                    needle[i] = wanted >> i & 1 ? 'a' : 'b';
                check_find((em_slice){needle, length}, (em_slice){hay, sizeof hay}, 0);
            }
    }
}

/* Needle and haystack of every length, at both edges of memory that may be read; the needle at
 * every place, nearly there everywhere else. */
static void every_length_at_the_edges(void **state)
{
    (void)state;
    enum { LENGTH = 140, LONGEST = 70 };
    guard g = guard_make();
    assert_non_null(g.page);
    char needle[LONGEST];
    for (size_t i = 0; i < LONGEST; i++)
        needle[i] = (char)('a' + i % 3);
    for (size_t length = 1; length <= LONGEST; length += length < 5 ? 1 : 7) {
        em_slice wanted = {needle, length};
        for (size_t room = 0; room <= LENGTH; room++)
            for (int end = 0; end < 2; end++) {
                char *hay = end ? guard_at_end(&g, room) : g.page;
                memset(hay, 'a', room);
                check_find(wanted, (em_slice){hay, room}, 0);
                size_t at = length <= room ? (room * 7 + length) % (room - length + 1) : room;
                memcpy(hay + at, needle, room - at < length ? room - at : length);
                check_find(wanted, (em_slice){hay, room}, 0);
                check_find(wanted, (em_slice){hay, room}, at);
                check_find(wanted, (em_slice){hay, room}, at + 1);
                check_find(EM_LIT("!"), (em_slice){hay, room}, at);
            }
    }
    guard_drop(&g);
}

static void every_place(void **state)
{
    (void)state;
    char hay[300];
    for (size_t at = 0; at + 5 <= sizeof hay; at++) {
        memset(hay, '.', sizeof hay);
        memcpy(hay + at, "ab\xC3\xA9z", 5);
        for (size_t from = 0; from <= at + 1; from += 1 + from / 3)
            check_find(EM_LIT("ab\xC3\xA9z"), (em_slice){hay, sizeof hay}, from);
        check_find(EM_LIT("\xC3"), (em_slice){hay, sizeof hay}, 0);
        check_find(EM_LIT("z"), (em_slice){hay, at + 4}, 0); /* just behind the end */
    }
}

/* The last byte of the needle, a common one, is the one that differs. */
static void every_byte_is_compared(void **state)
{
    (void)state;
    char needle[300], hay[600];
    memset(needle, 'e', sizeof needle);
    memcpy(needle, "QZ", 2);
    for (size_t length = 3; length <= sizeof needle; length++) {
        memcpy(hay, needle, length);
        memcpy(hay + length, needle, length);
        hay[length - 1] = 'a';
        check_find((em_slice){needle, length}, (em_slice){hay, 2 * length}, 0);
    }
}

/* Text in which much is nearly a match, so that filters are given up. */
static void random_adversaries(void **state)
{
    (void)state;
    random_state r = {3};
    static char hay[6000];
    for (int round = 0; round < 600; round++) {
        char needle[200];
        size_t letters = 1 + random_below(&r, 3), length = 1 + random_below(&r, sizeof needle);
        size_t room = random_below(&r, sizeof hay);
        size_t period = 1 + random_below(&r, 12);
        for (size_t i = 0; i < room; i++)
            hay[i] = i < period ? (char)('a' + random_below(&r, letters)) : hay[i - period];
        for (size_t i = random_below(&r, 10); i > 0 && room > 0; i--)
            hay[random_below(&r, room)] = (char)('a' + random_below(&r, letters));
        for (size_t i = 0; i < length; i++)
            needle[i] = (char)('a' + random_below(&r, letters));
        if (length <= room && round % 4 != 0)
            memcpy(needle, hay + random_below(&r, room - length + 1), length);
        if (round % 4 == 1)
            needle[random_below(&r, length)] = 'c';
        for (size_t from = 0; from <= room; from += 1 + room / 3)
            check_find((em_slice){needle, length}, (em_slice){hay, room}, from);
    }
}

static void beyond_the_end(void **state)
{
    (void)state;
    em_needle needle;
    em_needle_init(&needle, EM_LIT("ab"));
    assert_int_equal(em_find(&needle, (em_slice){NULL, 0}, 0), EM_NPOS);
    assert_int_equal(em_find(&needle, EM_LIT("ab"), 3), EM_NPOS);
    assert_int_equal(em_find(&needle, EM_LIT("ab"), EM_NPOS), EM_NPOS);
    assert_int_equal(em_find(&needle, EM_LIT("ab"), 0), 0);
    assert_int_equal(em_find(&needle, EM_LIT("a"), 0), EM_NPOS);
}

static void rare_bytes(void **state)
{
    (void)state;
    static const struct {
        const char *needle;
        size_t first, second;
    } cases[] = {
        {"x", 0, 0}, {"aaaa", 0, 3}, {"the Quick", 4, 8}, {"eeQe", 2, 0}, {"   Z   @", 3, 7},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        em_needle needle;
        em_needle_init(&needle, em_slice_of(cases[i].needle));
        assert_int_equal(needle.rare[0], cases[i].first);
        assert_int_equal(needle.rare[1], cases[i].second);
    }
}

static void counting_is_without_overlap(void **state)
{
    (void)state;
    static const struct {
        const char *needle, *hay;
        size_t count;
    } cases[] = {
        {"aa", "aaaa", 2},     {"aa", "aaaaa", 2}, {"a", "banana", 3}, {"ana", "banana", 1},
        {"abab", "ababab", 1}, {"x", "", 0},       {"ab", "abab", 2},  {"ab", "a", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        em_needle needle;
        em_needle_init(&needle, em_slice_of(cases[i].needle));
        assert_int_equal(em_find_count(&needle, em_slice_of(cases[i].hay)), cases[i].count);
    }
}

/* 64 KiB of `aaaa...ab` in 4 MB of `aaaa...`: compared at each place that would be 10^11 bytes. */
static void the_worst_needle_is_found_in_time(void **state)
{
    (void)state;
    enum { NEEDLE = 1 << 16, HAY = 4 << 20 };
    char *needle = malloc(NEEDLE), *hay = malloc(HAY);
    assert_true(needle && hay);
    memset(needle, 'a', NEEDLE);
    memset(hay, 'a', HAY);
    for (size_t odd = 0; odd < NEEDLE; odd += NEEDLE / 2 - 1) {
        memset(needle, 'a', NEEDLE);
        needle[odd] = 'b';
        em_needle prepared;
        em_needle_init(&prepared, (em_slice){needle, NEEDLE});
        const em_search_kernel *kernel;
        for (size_t i = 0; (kernel = em_search_kernel_at(i)) != NULL; i++) {
            if (!kernel->usable)
                continue;
            hay[HAY - NEEDLE + odd] = 'a';
            clock_t start = clock();
            assert_int_equal(kernel->find(&prepared, (em_slice){hay, HAY}, 0), EM_NPOS);
            hay[HAY - NEEDLE + odd] = 'b';
            assert_int_equal(kernel->find(&prepared, (em_slice){hay, HAY}, 0), HAY - NEEDLE);
            assert_true(clock() - start < CLOCKS_PER_SEC);
            hay[HAY - NEEDLE + odd] = 'a';
        }
    }
    free(needle);
    free(hay);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_are_kernels),
        cmocka_unit_test(all_small_strings),
        cmocka_unit_test(every_length_at_the_edges),
        cmocka_unit_test(every_place),
        cmocka_unit_test(every_byte_is_compared),
        cmocka_unit_test(random_adversaries),
        cmocka_unit_test(beyond_the_end),
        cmocka_unit_test(rare_bytes),
        cmocka_unit_test(counting_is_without_overlap),
        cmocka_unit_test(the_worst_needle_is_found_in_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
