#include "text/similarity.h"

#include <stdio.h>
#include <stdlib.h>

#include "../with_cmocka.h"
#include "failing_malloc.h"
#include "naive.h"
#include "random.h"

static size_t distance_of(em_slice a, em_slice b)
{
    size_t there = 0, back = 0;
    assert_int_equal(em_distance(a, b, NULL, &there), EM_OK);
    assert_int_equal(em_distance(b, a, NULL, &back), EM_OK);
    assert_int_equal(there, back);
    return there;
}

static double similarity_of(em_slice a, em_slice b)
{
    double there = 0, back = 0;
    assert_int_equal(em_similarity(a, b, NULL, &there), EM_OK);
    assert_int_equal(em_similarity(b, a, NULL, &back), EM_OK);
    assert_true(there == back);
    return there;
}

static void known_similarities(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        size_t distance, longer;
    } cases[] = {
        {"", "", 0, 0},
        {"", "abcd", 4, 4},
        {"same", "same", 0, 4},
        {"const foo = 'bar';", "const  foo = 'bar';", 1, 19},
        {"const foo = 'bar';", "const foo = \"bar\";", 2, 18},
        {"<h2 class=\"text-xl\">Our Services</h2>",
         "<h2 class=\"text-2xl font-bold\">Our Services</h2>", 11, 48},
        {"a\xC3\xA9", "a\xC3\xA8", 1, 2},       /* the first byte in common is no code point */
        {"\xE2\x82\xAC", "\xE2\x80\xAC", 1, 1}, /* nor are the first and the last */
        {"x\xA9y", "x\xC3\xA9y", 1, 3},         /* a byte that only looks like a common end */
        {"\xC3", "\xC3\xA9", 1, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        em_slice a = em_slice_of(cases[i].a), b = em_slice_of(cases[i].b);
        assert_int_equal(distance_of(a, b), cases[i].distance);
        double wanted = em_similarity_at(cases[i].distance, cases[i].longer, 0);
        assert_true(similarity_of(a, b) == wanted);
    }
    assert_true(em_similarity_at(0, 0, 0) == 1.0);
    assert_true(em_similarity_at(1, 2, 4) == 0.75);
}

static size_t random_text(char *bytes, size_t most, size_t letter_count, random_state *r)
{
    static const char *const letters[] = {"a", "b", "\n", " ", "\xC3\xA9", "\xC3", "\xA9", "\xFF"};
    size_t length = 0;
    for (size_t i = random_below(r, most); i > 0; i--) {
        const char *letter = letters[random_below(r, letter_count)];
        memcpy(bytes + length, letter, strlen(letter));
        length += strlen(letter);
    }
    return length;
}

/* Of ASCII alone, and of all kinds of bytes; mostly short, at times long. */
static void random_texts(void **state)
{
    (void)state;
    static char bytes[2][1000];
    random_state r = {3};
    for (size_t round = 0; round < 3000; round++) {
        size_t most = round % 50 ? 80 : 300, letters = round % 2 ? 4 : 8;
        em_slice a = em_slice_make(bytes[0], random_text(bytes[0], most, letters, &r));
        em_slice b = em_slice_make(bytes[1], random_text(bytes[1], most, letters, &r));
        assert_int_equal(distance_of(a, b), naive_distance(a, b, false));
    }
}

/* ---- Texts too long for an exact distance ---------------------------------------------------- */

typedef struct long_text {
    char *bytes;
    size_t length, room;
} long_text;

static void add_line(long_text *text, size_t number, const char *more)
{
    if (text->room - text->length < 100) {
        text->room = text->room * 2 + 1000;
        text->bytes = realloc(text->bytes, text->room);
        assert_non_null(text->bytes);
    }
    text->length +=
        (size_t)snprintf(text->bytes + text->length, 100, "    line %zu of many: %zu%s\n", number,
                         number * 7919 % 10007, more);
}

static em_slice as_slice(const long_text *text)
{
    return em_slice_make(text->bytes, text->length);
}

/* 20,000 lines, of which every hundredth is another: the distance is known, and found. */
static void many_lines(void **state)
{
    (void)state;
    long_text a = {0}, b = {0};
    for (size_t i = 0; i < 20000; i++) {
        add_line(&a, i, "");
        add_line(&b, i, i % 100 == 50 ? "!" : "");
    }
    assert_int_equal(distance_of(as_slice(&a), as_slice(&b)), 200);
    for (size_t i = 0; i < 4000; i++) /* and a long end that the other has not */
        add_line(&b, 90000 + i, "");
    size_t more = b.length - a.length - 200;
    size_t distance = distance_of(as_slice(&a), as_slice(&b));
    assert_in_range(distance, 200 + more, 210 + more);
    free(a.bytes);
    free(b.bytes);
}

/* One line without end on either side, alike but for a letter now and then and a start. */
static void one_long_line(void **state)
{
    (void)state;
    enum { LENGTH = 1 << 18 };
    char *a = malloc(LENGTH), *b = malloc(LENGTH);
    assert_non_null(a);
    assert_non_null(b);
    random_state r = {5};
    for (size_t i = 0; i < LENGTH; i++) {
        a[i] = (char)('a' + random_below(&r, 26));
        b[i] = i % 16 == 0 ? '.' : a[i];
    }
    size_t distance = distance_of(em_slice_make(a, LENGTH), em_slice_make(b, LENGTH));
    assert_int_equal(distance, LENGTH / 16);
    for (size_t i = 0; i < LENGTH; i++)
        b[i] = (char)('A' + random_below(&r, 26));
    assert_int_equal(distance_of(em_slice_make(a, LENGTH), em_slice_make(b, LENGTH)), LENGTH);
    assert_int_equal(distance_of(em_slice_make(a, 10), em_slice_make(b, LENGTH)), LENGTH);
    free(a);
    free(b);
}

/* Lines that have nothing in common are compared in pieces, and never said to be nearer than they
 * are. */
static void lines_without_a_like(void **state)
{
    (void)state;
    long_text a = {0}, b = {0};
    for (size_t i = 0; i < 6000; i++) {
        add_line(&a, i, "x");
        add_line(&b, i, "yz");
    }
    size_t distance = distance_of(as_slice(&a), as_slice(&b));
    assert_in_range(distance, 12000, b.length / 2);
    free(a.bytes);
    free(b.bytes);
}

static void a_passed_deadline(void **state)
{
    (void)state;
    long_text a = {0}, b = {0};
    for (size_t i = 0; i < 20000; i++) {
        add_line(&a, i, "");
        add_line(&b, i, i % 30 == 7 ? "!" : "");
    }
    double similarity;
    em_deadline deadlines[] = {{.at = 1, .passed = true},
                               {.at = 1}}; /* the second finds out soon */
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(em_similarity(as_slice(&a), as_slice(&b), &deadlines[i], &similarity),
                         EM_E_TIMEOUT);
    free(a.bytes);
    free(b.bytes);
}

static em_status similarity_with(long mallocs, em_slice a, em_slice b)
{
    double similarity;
    mallocs_left = mallocs;
    em_status status = em_similarity(a, b, NULL, &similarity);
    mallocs_left = -1;
    return status;
}

static void out_of_memory(void **state)
{
    (void)state;
    long_text a = {0}, b = {0};
    for (size_t i = 0; i < 5000; i++) {
        add_line(&a, i, i % 11 == 3 ? "yz" : "");
        add_line(&b, i, i % 7 == 2 ? "something else" : "");
    }
    em_status status = EM_E_NOMEM;
    for (long fails_at = 0; status != EM_OK; fails_at++) {
        status = similarity_with(fails_at, as_slice(&a), as_slice(&b));
        assert_true(status == EM_OK ? fails_at > 5 : status == EM_E_NOMEM);
        fails_at += fails_at > 40 ? fails_at / 8 : 0;
    }
    free(a.bytes);
    free(b.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_similarities),   cmocka_unit_test(random_texts),
        cmocka_unit_test(many_lines),           cmocka_unit_test(one_long_line),
        cmocka_unit_test(lines_without_a_like), cmocka_unit_test(a_passed_deadline),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
