#include "tokens/gap_meaning.h"

#include <string.h>

#include "../with_cmocka.h"

#include "base/arena.h"

/* Do all gaps between the tokens, which are the same ones, mean the same? */
static bool same(const char *file, const char *search)
{
    EM_AUTO(em_arena) arena = {0};
    em_slice text = em_slice_of(file), find = em_slice_of(search);
    em_tokens seen, wanted;
    assert_int_equal(em_tokens_of(text, EM_FOLD_WRITING, &arena, &seen), 0);
    assert_int_equal(em_tokens_of(find, EM_FOLD_WRITING, &arena, &wanted), 0);
    assert_int_equal(seen.count, wanted.count);
    for (size_t i = 1; i < seen.count; i++) {
        em_gap_place there = {text, seen.items[i - 1], seen.items[i]};
        em_gap_place sent = {find, wanted.items[i - 1], wanted.items[i]};
        if (!em_gaps_mean_the_same(there, sent))
            return false;
    }
    return true;
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
    for (size_t i = 1; i < wanted.count; i++) {
        em_gap_place there = {text, seen.items[first + i - 1], seen.items[first + i]};
        em_gap_place sent = {find, wanted.items[i - 1], wanted.items[i]};
        assert_true(em_gaps_mean_the_same(there, sent));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spacing_is_writing),
        cmocka_unit_test(another_text_is_not),
        cmocka_unit_test(the_file_tells_what_is_a_string),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
