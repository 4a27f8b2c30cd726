#include "base/utf8.h"

#include <stdlib.h>

#include "../with_cmocka.h"

/* Every code point, and every byte of it that is missing. */
static void every_scalar_value_there_and_back(void **state)
{
    (void)state;
    for (uint32_t code = 0; code <= 0x10FFFF; code++) {
        char bytes[4];
        size_t length = em_utf8_put(code, bytes), at = 0;
        em_slice s = {bytes, length};
        if (code >= 0xD800 && code <= 0xDFFF) {
            assert_int_equal(length, 0);
            continue;
        }
        size_t wanted = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
        if (length != wanted || em_utf8_next(s, &at) != code || at != length ||
            em_utf8_invalid_at(s) != EM_NPOS)
            fail_msg("U+%04X", (unsigned)code);
        s.len--;
        if (length > 1 && em_utf8_invalid_at(s) != 0)
            fail_msg("U+%04X cut", (unsigned)code);
    }
    char bytes[4];
    assert_int_equal(em_utf8_put(0x110000, bytes), 0);
}

static void code_points_have_names(void **state)
{
    (void)state;
    assert_string_equal(em_utf8_name_of(0x20AC).text, "U+20AC '\xE2\x82\xAC'");
    assert_string_equal(em_utf8_name_of(0x10FFFF).text, "U+10FFFF '\xF4\x8F\xBF\xBF'");
    assert_string_equal(em_utf8_name_of('\n').text, "U+000A");
    assert_string_equal(em_utf8_name_of(0x7F).text, "U+007F");
}

/* By RFC 3629 alone: decode the bits, then ask whether the result may be written so. */
static size_t naive_length(const unsigned char *p, size_t left)
{
    size_t length = p[0] < 0x80             ? 1
                    : (p[0] & 0xE0) == 0xC0 ? 2
                    : (p[0] & 0xF0) == 0xE0 ? 3
                    : (p[0] & 0xF8) == 0xF0 ? 4
                                            : 0;
    if (length == 0 || length > left)
        return 0;
    uint32_t code = length == 1 ? p[0] : p[0] & (0xFFu >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        if ((p[i] & 0xC0) != 0x80)
            return 0;
        code = code << 6 | (p[i] & 0x3Fu);
    }
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    return code < least[length] || code > 0x10FFFF || surrogate ? 0 : length;
}

static size_t naive_invalid_at(em_slice s)
{
    for (size_t at = 0; at < s.len;) {
        size_t length = naive_length((const unsigned char *)s.ptr + at, s.len - at);
        if (length == 0)
            return at;
        at += length;
    }
    return EM_NPOS;
}

/* All first two bytes, with everything interesting behind them. */
static void what_is_not_valid(void **state)
{
    (void)state;
    static const unsigned char thirds[] = {0x00, 0x41, 0x7F, 0x80, 0xBF, 0xC0, 0xFF};
    enum { THIRDS = sizeof thirds };
    for (unsigned first = 0; first < 0x10000; first++)
        for (size_t third = 0; third < THIRDS * THIRDS; third++) {
            unsigned char p[4] = {(unsigned char)(first >> 8), (unsigned char)first,
                                  thirds[third / THIRDS], thirds[third % THIRDS]};
            em_slice s = {(const char *)p, 4};
            size_t length = naive_length(p, 4), at = 0;
            uint32_t code = em_utf8_next(s, &at);
            if (at != (length ? length : 1) || (!length && code != 0xFFFD) ||
                em_utf8_invalid_at(s) != naive_invalid_at(s))
                fail_msg("%02X %02X %02X %02X", p[0], p[1], p[2], p[3]);
        }
}

static void where_it_is_not_valid(void **state)
{
    (void)state;
    char text[100];
    assert_int_equal(em_utf8_invalid_at((em_slice){NULL, 0}), EM_NPOS);
    for (size_t bad = 0; bad < sizeof text; bad++) {
        memset(text, 'a', sizeof text);
        memcpy(text + 40, "\xE2\x82\xAC", 3);
        text[bad] = '\xFF';
        size_t found = em_utf8_invalid_at(em_slice_make(text, sizeof text));
        assert_int_equal(found, bad == 41 || bad == 42 ? 40 : bad);
    }
}

/* Long texts of all kinds of sequences, each byte of which is broken in some way or cut off. */
static void a_broken_byte_is_found(void **state)
{
    (void)state;
    static const char *const kinds[] = {"a", "abcdefghijklmnopqrstuvwxyz0123456789", "\xC3\xA9",
                                        "\xE2\x82\xAC", "\xF0\x9F\x98\x80"};
    static const unsigned char breaks[] = {0x00, 0x80, 0xA0, 0xBF, 0xC3, 0xE0, 0xED, 0xF4, 0xFF};
    for (size_t round = 1; round < 25; round++) {
        char text[300];
        size_t length = 0;
        for (size_t i = round; length < 250; i = i * 7 + round) {
            size_t added = strlen(kinds[i / 5 % 5]);
            memcpy(text + length, kinds[i / 5 % 5], added);
            length += added;
        }
        for (size_t at = 0; at < length; at++) {
            char kept = text[at];
            for (size_t i = 0; i < sizeof breaks; i++) {
                text[at] = (char)breaks[i];
                em_slice s = {text, length};
                assert_int_equal(em_utf8_invalid_at(s), naive_invalid_at(s));
            }
            text[at] = kept;
            em_slice cut = {text, at};
            assert_int_equal(em_utf8_invalid_at(cut), naive_invalid_at(cut));
        }
    }
}

static void counts(void **state)
{
    (void)state;
    static const struct {
        em_slice text;
        size_t count;
    } cases[] = {
        {{"", 0}, 0},
        {{"abc", 3}, 3},
        {{"a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80z", 11}, 5},
        {{"\x80\x80\xFF", 3}, 3}, /* each invalid byte */
        {{"\xE2\x82", 2}, 2},     /* cut */
        {{"\xE2\x82\x61", 3}, 3}, /* broken */
        {{"\xED\xA0\x80", 3}, 3}, /* a surrogate */
        {{"\xC3\xA9\xC3\xA9\xC3", 5}, 3},
        {{"0123456789012345678901234567890123456789\xC3\xA9", 42}, 41},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t length = cases[i].text.len;
        char *exact = malloc(length + !length); /* so that a sanitizer sees a byte too far */
        assert_non_null(exact);
        memcpy(exact, cases[i].text.ptr, length);
        assert_int_equal(em_utf8_count((em_slice){exact, length}), cases[i].count);
        free(exact);
    }
}

static void floors(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t limit, floor;
    } cases[] = {
        {"abc", 0, 0},
        {"abc", 2, 2},
        {"abc", 9, 3},
        {"a\xE2\x82\xAC", 1, 1},
        {"a\xE2\x82\xAC", 2, 1},
        {"a\xE2\x82\xAC", 3, 1},
        {"a\xE2\x82\xAC", 4, 4},
        {"\xF0\x9F\x98\x80", 3, 0},
        {"\xF0\x9F\x98\x80", 4, 4},
        {"\xC3\xA9", 1, 0},
        {"\x80\x80\x80\x80\x80", 4, 4}, /* no code point at all: cut anywhere */
        {"\x80\x80", 2, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(em_utf8_floor(em_slice_of(cases[i].text), cases[i].limit), cases[i].floor);
}

/* Over all texts of up to three of these characters, which share their first bytes or their last.
 */
static void shared_ends_are_the_longest_of_whole_code_points(void **state)
{
    (void)state;
    static const char *const chars[] = {"", "a", "\xC3\xA9", "\xC3\xA8", "\xC4\xA9"};
    enum { CHARS = 5, TEXTS = CHARS * CHARS * CHARS };
    char texts[TEXTS][8];
    for (size_t i = 0; i < TEXTS; i++) {
        strcpy(texts[i], chars[i % CHARS]);
        strcat(texts[i], chars[i / CHARS % CHARS]);
        strcat(texts[i], chars[i / CHARS / CHARS]);
    }
    for (size_t i = 0; i < TEXTS; i++)
        for (size_t j = 0; j < TEXTS; j++) {
            em_slice a = em_slice_of(texts[i]), b = em_slice_of(texts[j]);
            em_shared_ends ends = em_utf8_shared_ends(a, b);
            size_t head = 0, most = em_least(a.len, b.len), tail = 0;
            for (size_t at = 1; at <= most && memcmp(a.ptr, b.ptr, at) == 0; at++)
                if (em_utf8_floor(a, at) == at && em_utf8_floor(b, at) == at)
                    head = at;
            for (size_t at = 1; at <= most - head; at++)
                if (memcmp(a.ptr + a.len - at, b.ptr + b.len - at, at) == 0 &&
                    em_utf8_floor(a, a.len - at) == a.len - at &&
                    em_utf8_floor(b, b.len - at) == b.len - at)
                    tail = at;
            assert_int_equal(ends.head, head);
            assert_int_equal(ends.tail, tail);
        }
    assert_int_equal(em_utf8_shared_ends((em_slice){0}, EM_LIT("a")).head, 0);
}

static void ascii(void **state)
{
    (void)state;
    char text[100];
    memset(text, 0x7F, sizeof text);
    assert_true(em_is_ascii(em_slice_make(text, sizeof text)));
    assert_true(em_is_ascii((em_slice){NULL, 0}));
    for (size_t i = 0; i < sizeof text; i++) {
        memset(text, 0x7F, sizeof text);
        text[i] = '\x80';
        assert_false(em_is_ascii(em_slice_make(text, sizeof text)));
        assert_true(em_is_ascii(em_slice_make(text, i)));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scalar_value_there_and_back),
        cmocka_unit_test(code_points_have_names),
        cmocka_unit_test(what_is_not_valid),
        cmocka_unit_test(where_it_is_not_valid),
        cmocka_unit_test(a_broken_byte_is_found),
        cmocka_unit_test(counts),
        cmocka_unit_test(floors),
        cmocka_unit_test(shared_ends_are_the_longest_of_whole_code_points),
        cmocka_unit_test(ascii),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
