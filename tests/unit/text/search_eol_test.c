#include "text/search.h"

#include "text/text.h"

#include <stdlib.h>
#include <time.h>

#include "../with_cmocka.h"
#include "guard.h"
#include "random.h"

/* The end of the needle at `at`, character by character; EM_NPOS if it does not stand there. */
static size_t naive_match(em_slice needle, em_slice hay, size_t at)
{
    if (at > 0 && at < hay.len && hay.ptr[at] == '\n' && hay.ptr[at - 1] == '\r')
        return EM_NPOS;
    for (size_t i = 0; i < needle.len; i++) {
        em_eol eol = em_eol_at(hay, at);
        if (needle.ptr[i] == '\n' ? eol == EM_EOL_NONE
                                  : at >= hay.len || hay.ptr[at] != needle.ptr[i])
            return EM_NPOS;
        at += needle.ptr[i] == '\n' ? em_eol_bytes(eol).len : 1;
    }
    return at;
}

typedef size_t find_fn(em_slice needle, em_slice hay, size_t from, size_t *end);

static void check_with(find_fn *find, em_slice needle, em_slice hay, size_t from)
{
    size_t start = from, end = 0, found_end = 0;
    while (start <= hay.len && (end = naive_match(needle, hay, start)) == EM_NPOS)
        start++;
    size_t found = find(needle, hay, from, &found_end);
    if (start > hay.len ? found != EM_NPOS : found != start || found_end != end)
        fail_msg("needle of %zu in %zu from %zu: %zd instead of %zd", needle.len, hay.len, from,
                 (ptrdiff_t)found, start > hay.len ? -1 : (ptrdiff_t)start);
}

static void check_find(em_slice needle, em_slice hay, size_t from)
{
    check_with(em_find_any_eol, needle, hay, from);
    check_with(em_find_any_eol_two_way, needle, hay, from);
}

static void cases(void **state)
{
    (void)state;
    static const struct {
        const char *needle, *hay;
        size_t from, start, end;
    } rows[] = {
        {"a\nb", "xa\r\nb", 0, 1, 5},
        {"a\nb", "xa\rb", 0, 1, 4},
        {"a\nb", "xa\nb", 0, 1, 4},
        {"a\n", "a\r\n", 0, 0, 3},        /* takes the whole CRLF */
        {"\nb", "a\r\nb", 0, 1, 4},       /* and begins before it */
        {"\nb", "a\r\nb", 2, EM_NPOS, 0}, /* never inside */
        {"\n", "\r\n", 1, EM_NPOS, 0},
        {"\n", "\r\n\n", 1, 2, 3},
        {"\n\n", "\r\n", 0, EM_NPOS, 0}, /* a CRLF is one ending */
        {"\n\n", "\n\r", 0, 0, 2},
        {"\n\n", "\r\r\n", 0, 0, 3},
        {"\n\n\n", "a\r\n\n\r\rb", 0, 1, 5},
        {"a\n\nb", "a\r\n\r\nb", 0, 0, 6},
        {"a\nbb\nc", "a\nbb\ra\r\nbb\nc", 0, 5, 12},
        {"\n", "", 0, EM_NPOS, 0},
        {"a\n", "a", 0, EM_NPOS, 0},
        {"a\n", "a\n", 3, EM_NPOS, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t end = 0;
        em_slice needle = em_slice_of(rows[i].needle), hay = em_slice_of(rows[i].hay);
        assert_int_equal(em_find_any_eol(needle, hay, rows[i].from, &end), rows[i].start);
        if (rows[i].start != EM_NPOS)
            assert_int_equal(end, rows[i].end);
        check_find(needle, hay, rows[i].from);
    }
}

/* All needles of up to 5 characters in haystacks of 7, at both edges of readable memory. */
static void all_small_strings(void **state)
{
    (void)state;
    enum { HAY = 7, HAYS = 2187, NEEDLE = 5 }; /* 3^7 */
    guard g = guard_make();
    assert_non_null(g.page);
    char *at_end = guard_at_end(&g, HAY), needle[NEEDLE];
    for (unsigned h = 0; h < HAYS; h++) {
        unsigned rest = h;
        for (size_t i = 0; i < HAY; i++, rest /= 3)
            g.page[i] = at_end[i] = "a\r\n"[rest % 3];
        for (size_t length = 1; length <= NEEDLE; length++)
            for (unsigned n = 1; n < 1u << length; n++) {
                for (size_t i = 0; i < length; i++)
                    needle[i] = n >> i & 1 ? '\n' : 'a';
                check_find((em_slice){needle, length}, (em_slice){at_end, HAY}, 0);
                check_find((em_slice){needle, length}, (em_slice){g.page, HAY}, h % 3);
            }
    }
    guard_drop(&g);
}

/* Needles that Two-Way cuts in many ways: all of up to 7 letters out of three. */
static void all_small_needles(void **state)
{
    (void)state;
    enum { NEEDLE = 7, HAY = 200 };
    static const char letters[] = "ab\n";
    char needle[NEEDLE], hay[HAY];
    random_state r = {13};
    for (size_t length = 2, all = 9; length <= NEEDLE; length++, all *= 3)
        for (size_t n = 0; n < all; n++) {
            size_t rest = n, period = length + random_below(&r, length);
            for (size_t i = 0; i < length; i++, rest /= 3)
                needle[i] = letters[rest % 3];
            for (size_t i = 0; i < HAY; i++) /* the needle over and over, and something between */
                hay[i] = i % period < length ? needle[i % period] : "ab\r"[random_below(&r, 3)];
            for (size_t i = 0; i < 12; i++)
                hay[random_below(&r, HAY)] = "ab\n\r"[random_below(&r, 4)];
            if (memchr(needle, '\n', length))
                check_find((em_slice){needle, length}, (em_slice){hay, HAY}, 0);
            em_slice tail = {hay + HAY / 2, HAY / 2};
            check_with(em_find_any_eol_two_way, (em_slice){needle, length}, tail, 0);
        }
}

static size_t random_text(random_state *r, const char *const *units, size_t count, char *out,
                          size_t limit)
{
    size_t length = 0;
    while (length + 4 < limit) {
        const char *unit = units[random_below(r, count)];
        memcpy(out + length, unit, strlen(unit));
        length += strlen(unit);
    }
    return length;
}

/* Texts that repeat themselves with small errors, with needles cut from them: the search around a
 * segment gives up, and Two-Way goes on. */
static void random_adversaries(void **state)
{
    (void)state;
    static const char *const units[] = {"\n", "\r\n", "\r", "a", "b", "ab"};
    random_state r = {11};
    static char hay[3000];
    for (int round = 0; round < 2000; round++) {
        char part[40], needle[400];
        size_t kinds = 3 + random_below(&r, 4);
        size_t part_length =
            random_text(&r, units, kinds, part, 5 + random_below(&r, sizeof part - 5));
        size_t length = 0, needle_length = 0;
        for (size_t limit = 50 + random_below(&r, sizeof hay - 50); length < limit; length++)
            hay[length] = part_length ? part[length % part_length] : '\n';
        for (size_t i = random_below(&r, 4); i > 0; i--)
            hay[random_below(&r, length)] = "\n\rab"[random_below(&r, 4)];
        size_t from = random_below(&r, length), room = 1 + random_below(&r, sizeof needle - 1);
        for (size_t at = from; at < length && needle_length < room; needle_length++) {
            em_eol eol = em_eol_at((em_slice){hay, length}, at);
            needle[needle_length] = eol ? '\n' : hay[at];
            at += eol ? em_eol_bytes(eol).len : 1;
        }
        needle[random_below(&r, needle_length)] = '\n';
        check_find((em_slice){needle, needle_length}, (em_slice){hay, length}, 0);
        check_find((em_slice){needle, needle_length}, (em_slice){hay, length},
                   random_below(&r, length));
    }
}

/* Lines that are all alike but for one: compared at each place that would be 10^11 bytes. */
static void the_worst_needle_is_found_in_time(void **state)
{
    (void)state;
    enum { NEEDLE = 1 << 16, HAY = 4 << 20 };
    static const char *const lines[] = {"ab\r\n", "\r\n", "\r"};
    char *needle = malloc(NEEDLE), *hay = malloc(HAY + 4);
    assert_true(needle && hay);
    for (size_t kind = 0; kind < 3; kind++) {
        size_t length = strlen(lines[kind]), needle_length = 0;
        for (size_t i = 0; i < HAY; i += length)
            memcpy(hay + i, lines[kind], length);
        for (size_t i = 0; needle_length < NEEDLE; i++)
            if (lines[kind][i % length] != '\n' || length == 1)
                needle[needle_length++] = lines[kind][i % length] == '\r' ? '\n' : 'a';
        for (size_t i = 0; kind == 0 && i + 3 <= NEEDLE; i += 3)
            memcpy(needle + i, "ab\n", 3);
        for (size_t odd = 0; odd < NEEDLE; odd += NEEDLE / 2 - 1) {
            char kept = needle[odd];
            size_t end;
            needle[odd] = 'c';
            clock_t start = clock();
            em_slice all = {hay, HAY / length * length};
            assert_int_equal(em_find_any_eol((em_slice){needle, NEEDLE - 1}, all, 0, &end),
                             EM_NPOS);
            assert_true(clock() - start < CLOCKS_PER_SEC);
            needle[odd] = kept;
        }
    }
    free(needle);
    free(hay);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cases),
        cmocka_unit_test(all_small_strings),
        cmocka_unit_test(all_small_needles),
        cmocka_unit_test(random_adversaries),
        cmocka_unit_test(the_worst_needle_is_found_in_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
