#include "text/count.h"

#include <stdlib.h>

#include "../with_cmocka.h"
#include "guard.h"
#include "random.h"

static em_counts naive_count(em_slice s, size_t start, size_t end)
{
    em_counts counts = {0};
    for (size_t i = start; i < end; i++) {
        counts.lf += s.ptr[i] == '\n';
        counts.cr += s.ptr[i] == '\r';
        counts.crlf += s.ptr[i] == '\r' && i + 1 < s.len && s.ptr[i + 1] == '\n';
        counts.chars += ((unsigned char)s.ptr[i] & 0xC0) != 0x80;
    }
    return counts;
}

static void check(em_slice s, size_t start, size_t end)
{
    em_counts found = em_count(s, start, end), plain = em_count_plain(s, start, end);
    em_counts wanted = naive_count(s, start, end);
    if (memcmp(&found, &wanted, sizeof wanted) != 0 || memcmp(&plain, &wanted, sizeof wanted) != 0)
        fail_msg("[%zu, %zu) of %zu", start, end, s.len);
    assert_int_equal(em_count_lfs(s, start, end), wanted.lf);
    assert_int_equal(em_count_lfs_plain(s, start, end), wanted.lf);
}

static void check_over(em_slice s)
{
    em_counts counts = naive_count(s, 0, s.len);
    em_look_over found[] = {em_count_over(s), em_count_over_plain(s)};
    bool has_nul = false, is_ascii = true;
    for (size_t i = 0; i < s.len; i++) {
        has_nul = has_nul || s.ptr[i] == '\0';
        is_ascii = is_ascii && (unsigned char)s.ptr[i] < 0x80;
    }
    for (size_t i = 0; i < sizeof found / sizeof *found; i++) {
        if (found[i].lf != counts.lf || found[i].cr != counts.cr || found[i].crlf != counts.crlf ||
            found[i].has_nul != has_nul || found[i].is_ascii != is_ascii)
            fail_msg("%zu bytes", s.len);
    }
}

/* By stretches of every length it is the same, and every border has its count. */
static void check_stretches(em_slice s)
{
    for (size_t stretch = 1; stretch <= s.len + 1; stretch += 1 + stretch / 8) {
        size_t before[200], count = (s.len + stretch - 1) / stretch;
        em_look_over found = em_count_over_stretches(s, stretch, before), whole = em_count_over(s);
        assert_int_equal(found.lf, whole.lf);
        assert_int_equal(found.cr, whole.cr);
        assert_int_equal(found.crlf, whole.crlf);
        assert_int_equal(found.has_nul, whole.has_nul);
        assert_int_equal(found.is_ascii, whole.is_ascii);
        for (size_t i = 0; i <= count; i++)
            assert_int_equal(before[i], naive_count(s, 0, i < count ? i * stretch : s.len).lf);
    }
}

static void fill(random_state *r, char *bytes, size_t length)
{
    static const char alphabet[] = {'\n', '\r', 'a', '\x80', '\xBF', '\xC3'};
    for (size_t i = 0; i < length; i++)
        bytes[i] = RANDOM_OF(r, alphabet);
}

/* Every start and every end, right before memory that may not be read. */
static void every_range(void **state)
{
    (void)state;
    enum { LENGTH = 150 };
    random_state r = {1};
    guard g = guard_make();
    assert_non_null(g.page);
    char *bytes = guard_at_end(&g, LENGTH);
    fill(&r, bytes, LENGTH);
    bytes[LENGTH - 1] = '\r'; /* what follows it cannot be looked at */
    for (size_t start = 0; start <= LENGTH; start++)
        for (size_t end = start; end <= LENGTH; end++) {
            check((em_slice){bytes, LENGTH}, start, end);
            check((em_slice){guard_at_end(&g, end), end}, start, end);
        }
    guard_drop(&g);
    check((em_slice){NULL, 0}, 0, 0);
}

/* Every length, right before memory that may not be read, with one byte at every place that says
 * more than the others. */
static void one_look(void **state)
{
    (void)state;
    enum { LENGTH = 150 };
    static const char odd[] = {'\0', '\x80', '\xFF', '\n', '\r'};
    random_state r = {2};
    guard g = guard_make();
    assert_non_null(g.page);
    check_over((em_slice){NULL, 0});
    for (size_t length = 1; length <= LENGTH; length++) {
        char *bytes = guard_at_end(&g, length);
        fill(&r, bytes, length);
        check_over((em_slice){bytes, length});
        check_stretches((em_slice){bytes, length});
        for (size_t i = 0; i < length * sizeof odd; i++) {
            memset(bytes, 'a', length);
            bytes[i % length] = odd[i / length];
            check_over((em_slice){bytes, length});
        }
    }
    guard_drop(&g);
}

/* So long that another thread looks over the second half: what is odd stands in either, at the
 * border between them, and in both. */
static void one_look_by_two_threads(void **state)
{
    (void)state;
    enum { STRETCH = 4096, LENGTH = (5 << 20) + 77, STRETCHES = LENGTH / STRETCH + 1 };
    static const char odd[] = {'\0', '\x80', '\n', '\r'};
    static const size_t places[] = {0, LENGTH / 4, STRETCHES / 2 * STRETCH - 1, LENGTH - 1};
    char *bytes = malloc(LENGTH);
    size_t *before = malloc((STRETCHES + 1) * sizeof *before);
    assert_non_null(bytes);
    assert_non_null(before);
    em_slice s = {bytes, LENGTH};
    for (size_t i = 0; i < sizeof odd; i++)
        for (unsigned chosen = 0; chosen < 1U << (sizeof places / sizeof *places); chosen++) {
            memset(bytes, 'a', LENGTH);
            for (size_t at = 99; at < LENGTH; at += 100)
                bytes[at] = '\n';
            for (size_t p = 0; p < sizeof places / sizeof *places; p++)
                if (chosen >> p & 1)
                    bytes[places[p]] = odd[i];
            em_look_over found = em_count_over_stretches(s, STRETCH, before);
            em_look_over whole = em_count_over_plain(s);
            assert_int_equal(found.lf, whole.lf);
            assert_int_equal(found.cr, whole.cr);
            assert_int_equal(found.crlf, whole.crlf);
            assert_int_equal(found.has_nul, whole.has_nul);
            assert_int_equal(found.is_ascii, whole.is_ascii);
            for (size_t k = 0, lfs = 0; k <= STRETCHES; k++) {
                size_t start = k > 0 ? (k - 1) * STRETCH : 0;
                size_t end = k < STRETCHES ? k * STRETCH : LENGTH;
                lfs += em_count_lfs(s, start, end);
                assert_int_equal(before[k], lfs);
            }
        }
    free(before);
    free(bytes);
}

/* More of the same than a lane of a vector can count. */
static void no_lane_overflows(void **state)
{
    (void)state;
    static char bytes[40000];
    static const char *const fills[] = {"\n\n", "\r\r", "\r\n", "aa", "\x80\x80"};
    for (size_t f = 0; f < sizeof fills / sizeof fills[0]; f++) {
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = fills[f][i % 2];
        for (size_t start = 0; start < 3; start++)
            check((em_slice){bytes, sizeof bytes}, start, sizeof bytes - start);
        check_over((em_slice){bytes, sizeof bytes});
    }
}

/* CRs are counted in the stretches that have one: the first or the last byte of one is enough. */
static void lone_crs(void **state)
{
    (void)state;
    enum { STRETCH = 255 * 32, LENGTH = 3 * STRETCH };
    static char bytes[LENGTH];
    for (size_t border = 0; border < LENGTH; border += STRETCH)
        for (size_t at = border > 2 ? border - 2 : 0; at < border + 2; at++)
            for (int crlf = 0; crlf < 2; crlf++) {
                memset(bytes, 'a', LENGTH);
                bytes[at] = '\r';
                bytes[at + 1] = crlf ? '\n' : 'a';
                check((em_slice){bytes, LENGTH}, 0, LENGTH);
                check((em_slice){bytes, LENGTH}, 0, at + 1);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_range),
        cmocka_unit_test(one_look),
        cmocka_unit_test(one_look_by_two_threads),
        cmocka_unit_test(no_lane_overflows),
        cmocka_unit_test(lone_crs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
