#include "tokens/gap_meaning.h"

#include <string.h>

#include "../with_cmocka.h"

#include "base/strbuf.h"

/* Do all gaps between the tokens, which are the same ones, mean the same? */
static bool same(const char *file, const char *search)
{
    EM_AUTO(em_arena) arena = {0};
    em_slice text = em_slice_of(file), find = em_slice_of(search);
    em_tokens seen, wanted;
    assert_int_equal(em_tokens_of(text, EM_FOLD_WRITING, &arena, &seen), 0);
    assert_int_equal(em_tokens_of(find, EM_FOLD_WRITING, &arena, &wanted), 0);
    assert_int_equal(seen.count, wanted.count);
    return em_gaps_mean_the_same((em_tokened_text){text, seen.items},
                                 (em_tokened_text){find, wanted.items}, seen.count);
}

/* Both ways round: what a model writes, and what the file has. */
static void check(const char *a, const char *b, bool wanted)
{
    if (same(a, b) != wanted || same(b, a) != wanted)
        fail_msg("[%s] [%s]", a, b);
}

static void spacing_is_writing(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"f( a,b )", "f(a, b)"},
        {"x=y+1;", "x = y + 1;"},
        {"if(a&&b){", "if (a && b) {"},
        {"f(\"a\",\"b\")", "f( \"a\", \"b\" )"},
        {"x == -1", "x ==-1"},
        {"a?b:c", "a ? b : c"},
        {"x[1:2]", "x[1 : 2]"},
        {"{ a:1 }", "{a: 1}"},
        {"foo\n  .bar()\n  .baz()", "foo.bar().baz()"},
        {"call(\n  a,\n  b)", "call(a, b)"},
        {"don't stop ,they said", "don't stop, they said"},
        {"fn f<'a>(x:&'a str,y:&'a str)", "fn f<'a>(x: &'a str, y: &'a str)"},
        {"<a href=\"http://x\">\ny</a>", "<a href=\"http://x\"> y</a>"},
        {"margin:0 auto", "margin: 0 auto"},
        {"a\n\nb", "a\nb"},
        {"1. apples", "1.apples"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        check(pairs[i][0], pairs[i][1], true);
}

static void another_text_is_not(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"x < -5", "x <- 5"},
        {"a & &b", "a && b"},
        {"a = = b", "a == b"},
        {"a / / b", "a // b"},
        {"i + ++j", "i ++ +j"},
        {"a -> b", "a - > b"},
        {"1.5 apples", "1. 5 apples"},
        {"v1 .2", "v1.2"},
        {".nav .open", ".nav.open"},
        {"div #x", "div#x"},
        {"a :hover", "a:hover"},
        {"li ::marker", "li::marker"},
        {"s.split(\" \")", "s.split(\"\")"},
        {"x.join(\", \")", "x.join(\",\")"},
        {"c == ' '", "c == ''"},
        {"print(`a - b`)", "print(`a-b`)"},
        {"\"it\\\" is ( a )\"", "\"it\\\" is (a)\""},
        {"// call foo\nbar();", "// call foo bar();"},
        {"x = 1  # one\ny = 2", "x = 1  # one y = 2"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        check(pairs[i][0], pairs[i][1], false);
}

/* What the file has in a string may be the start of a search text, which does not know of it. */
static void the_file_tells_what_is_a_string(void **state)
{
    (void)state;
    const char *line = "say(\"a , b\", c ,d)";
    em_slice text = em_slice_of(line), find = em_slice_of(", b\", c, d");
    EM_AUTO(em_arena) arena = {0};
    em_tokens seen, wanted;
    assert_int_equal(em_tokens_of(text, EM_FOLD_WRITING, &arena, &seen), 0);
    assert_int_equal(em_tokens_of(find, EM_FOLD_WRITING, &arena, &wanted), 0);
    size_t first = 4; /* say ( " a */
    assert_true(em_slice_is(em_token_bytes(text, seen.items[first]), ","));
    assert_true(em_gaps_mean_the_same((em_tokened_text){text, seen.items + first},
                                      (em_tokened_text){find, wanted.items}, wanted.count));
}

/* A line is read from where the search text begins, however long it is. */
static void a_string_may_be_long(void **state)
{
    (void)state;
    enum { WORDS = 4000 };
    EM_AUTO(em_strbuf) one = {0}, other = {0};
    em_strbuf_puts(&one, "f( x, \"");
    em_strbuf_puts(&other, "f(x, \"");
    for (size_t i = 0; i < WORDS; i++) {
        em_strbuf_puts(&one, "word ");
        em_strbuf_puts(&other, "word ");
    }
    size_t length = one.len;
    em_strbuf_putc(&one, '\0');
    em_strbuf_putc(&other, '\0');
    check(one.ptr, other.ptr, true);
    one.len = length;
    other.len = length - 1; /* one blank less */
    em_strbuf_puts(&one, "a - b\")");
    em_strbuf_puts(&other, "a-b\")");
    em_strbuf_putc(&one, '\0');
    em_strbuf_putc(&other, '\0');
    check(one.ptr, other.ptr, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spacing_is_writing),
        cmocka_unit_test(another_text_is_not),
        cmocka_unit_test(the_file_tells_what_is_a_string),
        cmocka_unit_test(a_string_may_be_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
