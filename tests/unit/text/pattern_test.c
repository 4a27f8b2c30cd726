#include "text/pattern.h"

#include "../with_cmocka.h"
#include "failing_malloc.h"
#include "naive.h"
#include "random.h"
#include "text/token.h"

typedef struct alphabet {
    const char *letters[6];
    size_t count;
} alphabet;

/* Words, signs, letters of several bytes, and bytes that are no UTF-8. */
static const alphabet alphabets[] = {
    {{"a", "b"}, 2},
    {{"a", "b", " ", ";", "(", "x"}, 6},
    {{"{", "}", "(", ")", ";"}, 5},
    {{"\xC3\xA9", "e", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", "\n"}, 5},
    {{"\xFF", "\xC3", "\xA9", "a", "\x80", "\xE2\x82"}, 6},
};

enum { LONGEST = 700 };

typedef struct text_buffer {
    char bytes[LONGEST * 4];
    size_t length;
} text_buffer;

static em_slice as_slice(const text_buffer *text)
{
    return em_slice_make(text->bytes, text->length);
}

static void append(text_buffer *text, const char *letter)
{
    size_t length = strlen(letter);
    if (text->length + length > sizeof text->bytes)
        return;
    memcpy(text->bytes + text->length, letter, length);
    text->length += length;
}

static void fill(text_buffer *text, const alphabet *letters, size_t count, random_state *r)
{
    text->length = 0;
    for (size_t i = 0; i < count; i++)
        append(text, letters->letters[random_below(r, letters->count)]);
}

/* `from` with about one letter of `each` another. Cuts letters in two at times: that is text too.
 */
static void change(text_buffer *to, const text_buffer *from, const alphabet *letters, size_t each,
                   random_state *r)
{
    to->length = 0;
    for (size_t i = 0; i < from->length && to->length + 8 < sizeof to->bytes; i++) {
        size_t what = random_below(r, each);
        if (what < 2)
            append(to, letters->letters[random_below(r, letters->count)]);
        if (what != 0)
            to->bytes[to->length++] = from->bytes[i];
    }
}

static size_t distance_within(em_slice a, em_slice b, size_t limit)
{
    EM_AUTO(em_arena) arena = {0};
    em_pattern pattern;
    size_t distance = 0;
    assert_int_equal(em_pattern_init(&pattern, a, &arena), EM_OK);
    assert_int_equal(em_pattern_distance(&pattern, b, limit, NULL, &distance), EM_OK);
    return distance;
}

static void check_distance(em_slice a, em_slice b)
{
    size_t truth = naive_distance(a, b, false);
    assert_int_equal(distance_within(a, b, SIZE_MAX - 1), truth);
    assert_int_equal(distance_within(b, a, SIZE_MAX - 1), truth);
    assert_int_equal(distance_within(a, b, truth), truth);
    assert_int_equal(distance_within(a, b, truth + 1), truth);
    if (truth > 0)
        assert_int_equal(distance_within(a, b, truth - 1), truth);
    if (truth > 3)
        assert_int_equal(distance_within(a, b, truth / 2), truth / 2 + 1);
}

static void known_distances(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        size_t distance;
    } cases[] = {
        {"", "", 0},
        {"", "abc", 3},
        {"abc", "abc", 0},
        {"kitten", "sitting", 3},
        {"saturday", "sunday", 3},
        {"gr\xC3\xBCn", "grun", 1},
        {"\xF0\x9F\x98\x80", "", 1},
        {"\xFF", "\xFE", 1},
        {"\xFF", "\xFF", 0},
        {"\xFF", "\xEF\xBF\xBD", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        em_slice a = em_slice_of(cases[i].a), b = em_slice_of(cases[i].b);
        assert_int_equal(distance_within(a, b, 100), cases[i].distance);
        check_distance(a, b);
    }
}

static void random_distances(void **state)
{
    (void)state;
    static text_buffer a, b;
    random_state r = {7};
    for (size_t round = 0; round < 600; round++) {
        const alphabet *letters = &RANDOM_OF(&r, alphabets);
        size_t longest = round % 4 == 0 ? LONGEST : 150;
        fill(&a, letters, random_below(&r, longest), &r);
        if (round % 3 == 0)
            fill(&b, letters, random_below(&r, longest), &r);
        else
            change(&b, &a, letters, 2 + random_below(&r, 60), &r);
        check_distance(as_slice(&a), as_slice(&b));
    }
}

/* A pattern of many blocks and many symbols, most of which stand in a list. */
static void many_symbols(void **state)
{
    (void)state;
    static char bytes[2][NAIVE_LONGEST * 4];
    random_state r = {11};
    size_t length[2] = {0};
    for (size_t i = 0; i < 3500; i++) {
        uint32_t code = (uint32_t)(0x4E00 + random_below(&r, 1000) * random_below(&r, 18));
        length[0] += em_utf8_put(code, bytes[0] + length[0]);
        if (random_below(&r, 10) > 0)
            length[1] += em_utf8_put(code, bytes[1] + length[1]);
    }
    em_slice a = em_slice_make(bytes[0], length[0]), b = em_slice_make(bytes[1], length[1]);
    size_t truth = naive_distance(a, b, false);
    assert_int_equal(distance_within(a, b, SIZE_MAX - 1), truth);
    assert_int_equal(distance_within(b, a, truth), truth);
}

typedef struct piece {
    em_slice bytes;
    size_t distance;
} piece;

static piece find_piece(em_slice needle, em_slice text)
{
    EM_AUTO(em_arena) arena = {0};
    em_pattern pattern;
    em_piece_end end, start;
    assert_int_equal(em_pattern_init(&pattern, needle, &arena), EM_OK);
    assert_int_equal(em_pattern_find_end(&pattern, text, 0, NULL, &end), EM_OK);
    assert_int_equal(em_pattern_find_start(&pattern, text, end, NULL, &start), EM_OK);
    assert_in_range(start.offset, 0, end.offset);
    return (piece){em_slice_sub(text, start.offset, end.offset), start.distance};
}

static void known_pieces(void **state)
{
    (void)state;
    static const struct {
        const char *needle, *text, *piece;
    } cases[] = {
        {"", "abc", ""},
        {"abc", "", ""},
        {"abc", "xx abc yy abc", "abc"},
        {"abc;", "xx abc yy", "abc"},
        {"foo(a, b)", "x = foo(a, c) + 1", "foo(a, c)"},
        {"return x;", "  return xyz;", "return xyz;"}, /* no word is cut */
        {"etUserName", "a getUserName()", "getUserName"},
        {"value = comput", "value = compute(x)", "value = compute"},
        {"gr\xC3\xBCn", "rot, gr\xC3\xBCner, grau", "gr\xC3\xBCner"},
        {"ab", "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzabzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz", "ab"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        piece found = find_piece(em_slice_of(cases[i].needle), em_slice_of(cases[i].text));
        if (!em_slice_is(found.bytes, cases[i].piece))
            fail_msg("%s: %.*s", cases[i].needle, (int)found.bytes.len, found.bytes.ptr);
    }
}

/* The distance is that of the piece; where no word can be cut, no piece is nearer. */
static void check_piece(em_slice needle, em_slice text, bool words)
{
    piece found = find_piece(needle, text);
    size_t least = naive_distance(needle, text, true);
    assert_int_equal(found.distance, naive_distance(needle, found.bytes, false));
    if (!words)
        assert_int_equal(found.distance, least);
    assert_in_range(found.distance, least, least + 2 * 24);
}

static void random_pieces(void **state)
{
    (void)state;
    static text_buffer a, b, text;
    random_state r = {13};
    for (size_t round = 0; round < 500; round++) {
        const alphabet *letters = &alphabets[round % 3];
        fill(&a, letters, 1 + random_below(&r, round % 5 == 0 ? 200 : 40), &r);
        change(&b, &a, letters, 2 + random_below(&r, 40), &r);
        fill(&text, letters, random_below(&r, 100), &r);
        for (size_t i = 0; i < b.length && text.length < sizeof text.bytes; i++)
            text.bytes[text.length++] = b.bytes[i];
        for (size_t i = random_below(&r, 100); i > 0; i--)
            append(&text, letters->letters[random_below(&r, letters->count)]);
        check_piece(as_slice(&a), as_slice(&text), letters != &alphabets[2]);
    }
}

static void a_passed_deadline(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    static char bytes[100000];
    memset(bytes, 'a', sizeof bytes);
    em_slice text = em_slice_make(bytes, sizeof bytes);
    em_pattern pattern;
    em_piece_end end = {0}, start;
    em_deadline deadline = {.at = 1, .passed = true};
    size_t distance;
    assert_int_equal(em_pattern_init(&pattern, em_slice_sub(text, 0, 100), &arena), EM_OK);
    assert_int_equal(em_pattern_distance(&pattern, text, SIZE_MAX - 1, &deadline, &distance),
                     EM_E_TIMEOUT);
    assert_int_equal(em_pattern_find_end(&pattern, text, 0, &deadline, &end), EM_E_TIMEOUT);
    end = (em_piece_end){sizeof bytes, 100};
    assert_int_equal(em_pattern_find_start(&pattern, text, end, &deadline, &start), EM_E_TIMEOUT);
}

static em_status use_all(em_slice needle, em_slice text)
{
    EM_AUTO(em_arena) arena = {0};
    em_pattern pattern;
    em_piece_end end, start;
    size_t distance;
    EM_TRY(em_pattern_init(&pattern, needle, &arena));
    EM_TRY(em_pattern_distance(&pattern, text, 10000, NULL, &distance));
    EM_TRY(em_pattern_find_end(&pattern, text, 0, NULL, &end));
    return em_pattern_find_start(&pattern, text, end, NULL, &start);
}

static void out_of_memory(void **state)
{
    (void)state;
    static text_buffer needle, text;
    random_state r = {17};
    fill(&needle, &alphabets[3], LONGEST, &r);
    fill(&text, &alphabets[3], LONGEST, &r);
    em_status status = EM_E_NOMEM;
    for (long fails_at = 0; status != EM_OK; fails_at++) {
        mallocs_left = fails_at;
        status = use_all(as_slice(&needle), as_slice(&text));
        mallocs_left = -1;
        assert_true(status == EM_OK ? fails_at > 3 : status == EM_E_NOMEM);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_distances), cmocka_unit_test(random_distances),
        cmocka_unit_test(many_symbols),    cmocka_unit_test(known_pieces),
        cmocka_unit_test(random_pieces),   cmocka_unit_test(a_passed_deadline),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
