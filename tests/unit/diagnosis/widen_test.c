#include "diagnosis/widen.h"

#include <stdio.h>
#include <stdlib.h>

#include "../with_cmocka.h"

#include "base/utf8.h"
#include "failing_malloc.h"
#include "random.h"

/* The first place where `piece` stands in `text`. */
static em_span place_of(em_slice text, const char *piece)
{
    const char *at = memmem(text.ptr, text.len, piece, strlen(piece));
    assert_non_null(at);
    return (em_span){(size_t)(at - text.ptr), (size_t)(at - text.ptr) + strlen(piece)};
}

static em_span lines_of(em_slice text, em_span piece)
{
    while (piece.start > 0 && text.ptr[piece.start - 1] != '\n')
        piece.start--;
    while (piece.end < text.len && text.ptr[piece.end] != '\n')
        piece.end++;
    return piece;
}

static void check(const char *find, const char *content, const char *aligned, const char *wanted)
{
    em_slice text = em_slice_of(content);
    em_span piece = place_of(text, aligned);
    assert_int_equal(em_widen_to_words(text, em_slice_of(find), lines_of(text, piece), &piece),
                     EM_OK);
    em_slice seen = em_slice_sub(text, piece.start, piece.end);
    if (!em_slice_is(seen, wanted))
        print_error("of [%s] for [%s]: [%.*s]\n", content, find, (int)seen.len, seen.ptr);
    assert_true(em_slice_is(seen, wanted));
}

static void other_words_at_the_ends(void **state)
{
    (void)state;
    static const struct {
        const char *find, *text, *aligned, *wanted;
    } cases[] = {
        {"return 7", "return 1", "return ", "return 1"},
        {"return 7\n", "\nreturn 1\n", "return", "return 1"},
        {"return 7", "return 1;", "return ", "return 1"},
        {"color: blue", "color: red; width: 1", "color: ", "color: red"},
        {"let x = 1", "var x = 1", " x = 1", "var x = 1"},
        {"let x = 1", "  f(); var x = 1", "x = 1", "var x = 1"},
        {"let xs = 1 + 2", "const xs = 3 - 4", " xs = ", "const xs = 3 - 4"},
        {"if (b) {\n  return 7", "if (a) {\n  return 1;\n}", "if (a) {\n  return ",
         "if (a) {\n  return 1"},
        /* a bracket that closes what stands before it */
        {"--card: 1px;", "  --#{$p}card: 1px;", "card: 1px;", "--#{$p}card: 1px;"},
        {"a card: 1px;", "x }card: 1px;", "card: 1px;", "}card: 1px;"},
        {"  --card: 1px;", "  --#{$p}card: 1px;", "}card: 1px;", "--#{$p}card: 1px;"},
        {"}card: 1px;", "--#{$p}card: 1px;", "}card: 1px;", "}card: 1px;"},
        /* a word that was cut */
        {"return 17", "return 12;", "return 1", "return 12"},
        {"let x", "get x", "et x", "get x"},
        {"\xC3\xA9t\xC3\xA9 x", "\xC3\xA8t\xC3\xA9 x", "t\xC3\xA9 x", "\xC3\xA8t\xC3\xA9 x"},
        /* the ends are alike */
        {"count = getVal", "cuont = getValue()", "cuont = getVal", "cuont = getVal"},
        {"foo(2);", "foo(1); bar();", "foo(1);", "foo(1);"},
        /* there is nothing more on the line, or none of it is asked for */
        {"return 7", "return\n1", "return", "return"},
        {"let x = 1", "var\nx = 1", "x = 1", "x = 1"},
        {"one two\nthree", "one too four\nfive", "one t", "one too"},
        {"a b", "a c", "a", "a c"},
        {"x y z", "one two", "two", "two"},
        /* all up to the sign that the search text ends with */
        {"def compute(a):", "def compute(a, b):", "def compute(a, b", "def compute(a, b):"},
        {"return a;", "return a + b; f();", "return a +", "return a + b;"},
        {"<b class=\"a\">", "<b class=\"a b c\"><i>", "<b class=\"a b c", "<b class=\"a b c\">"},
        {"name: \"foo\"", "name: \"foo-bar-baz\",", "name: \"foo-", "name: \"foo-bar-baz\""},
        /* all from the word that the search text begins with, but for other statements */
        {"export type A = B;", "export declare type A = B;", "declare type A = B;",
         "export declare type A = B;"},
        {"export async function f(", "export default async function f(", "async function f(",
         "export default async function f("},
        {"let x = 1;", "let y = 2; var x = 1;", "var x = 1;", "var x = 1;"},
        {"a = b", "a e f g h = b", "h = b", "a e f g h = b"},
        {"a = b", "a e f g h i = b", "i = b", "i = b"},
        {"a = b", "a\ne = b", "e = b", "e = b"},
        /* in as many brackets */
        {"foo(a);", "foo(b, (c)); d", "foo(b", "foo(b, (c));"},
        {"if (a) {", "if (a && {}) {", "if (a &&", "if (a && {}) {"},
        {"foo(a", "foo(b, c)", "foo(b", "foo(b"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check(cases[i].find, cases[i].text, cases[i].aligned, cases[i].wanted);
}

/* What is sent for a search text begins and ends where what is like it does. */
static void the_whole_of_a_piece(void **state)
{
    (void)state;
    static const struct {
        const char *find, *text, *piece, *wanted;
    } cases[] = {
        {"x = old", "  x = something  ", "x = ", "x = something"},
        {"  x = old", "  x = something  ", "x = ", "  x = something"},
        {"old = x", "  something = x; y", "= x", "something = x"},
        {"return a;", "f(); return a + b; g();", "return a + b;", "return a + b;"},
        {"a\nb", "  a\n  c d\n", "a\n  c", "a\n  c"},
        {"u = f(1); if (!us", "u = f(2); if (!user) return; next();", "u = f(2); if (!",
         "u = f(2); if (!user"},
        {"cnst u = f(1);", "if (a) return; const u = f(1);", "u = f(1);", "const u = f(1);"},
        {"  x = old", "f(); x = something", "x = ", "x = something"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        em_slice text = em_slice_of(cases[i].text);
        em_span piece = place_of(text, cases[i].piece);
        assert_int_equal(
            em_widen_to_copy(text, em_slice_of(cases[i].find), lines_of(text, piece), &piece),
            EM_OK);
        if (!em_slice_is(em_slice_sub(text, piece.start, piece.end), cases[i].wanted))
            fail_msg("%s in [%s]: %zu to %zu", cases[i].find, cases[i].text, piece.start,
                     piece.end);
    }
}

/* Of a word without an end nothing is taken. */
static void long_words(void **state)
{
    (void)state;
    char text[1000] = "return ";
    memset(text + 7, 'x', sizeof text - 8);
    check("return 7", text, "return ", "return ");
    check("return x7", text, "return x", "return x");
}

static void random_texts(void **state)
{
    (void)state;
    static const char *const parts[] = {"a", "B", "&lt;", " ", "\t",       "\n",  ";",
                                        "-", "'", "(",    "w", "\xC3\xA9", "\xFF"};
    random_state r = {4};
    for (size_t round = 0; round < 3000; round++) {
        char texts[2][200] = {0};
        for (int t = 0; t < 2; t++)
            for (size_t i = 1 + random_below(&r, 40); i > 0; i--)
                strcat(texts[t], RANDOM_OF(&r, parts));
        em_slice text = em_slice_of(texts[0]);
        size_t start = em_utf8_floor(text, random_below(&r, text.len));
        size_t end = start;
        for (size_t i = random_below(&r, 20); i > 0 && end < text.len; i--)
            em_utf8_next(text, &end);
        em_span was = {start, end}, lines = lines_of(text, was), piece = was;
        assert_int_equal(em_widen_to_words(text, em_slice_of(texts[1]), lines, &piece), EM_OK);
        assert_true(lines.start <= piece.start && piece.start <= was.start);
        assert_true(was.end <= piece.end && piece.end <= lines.end);
    }
}

static void out_of_memory(void **state)
{
    (void)state;
    em_slice text = EM_LIT("var x = 1; // a line with some words");
    em_status status = EM_E_NOMEM;
    for (long fails_at = 0; status != EM_OK; fails_at++) {
        em_span piece = {3, 9};
        mallocs_left = fails_at;
        status = em_widen_to_words(text, EM_LIT("let x = 1"), (em_span){0, text.len}, &piece);
        mallocs_left = -1;
        assert_true(status == EM_OK ? fails_at > 0 : status == EM_E_NOMEM);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_words_at_the_ends),
        cmocka_unit_test(the_whole_of_a_piece),
        cmocka_unit_test(long_words),
        cmocka_unit_test(random_texts),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
