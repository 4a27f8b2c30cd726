#include "selectors/select.h"

#include <stdio.h>
#include <stdlib.h>

#include "../with_cmocka.h"
#include "failing_malloc.h"

typedef struct wrong_case {
    const char *text;
    size_t at;
    const char *reason; /* a part of it */
    const char *suggested;
} wrong_case;

static const char *string_of(em_slice s, em_arena *arena)
{
    return em_arena_string(arena, s);
}

static bool compiles(em_slice text)
{
    EM_AUTO(em_arena) arena = {0};
    const em_selector *selector;
    em_selector_error error;
    return em_selector_compile(text, &arena, &selector, &error) == EM_OK;
}

/* Is `text` wrong in the way that it should be? */
static bool is_wrong_so(const wrong_case *wanted)
{
    EM_AUTO(em_arena) arena = {0};
    const em_selector *selector;
    em_selector_error error;
    em_status status = em_selector_compile(em_slice_of(wanted->text), &arena, &selector, &error);
    if (status != EM_E_INVALID) {
        print_message("%s compiles\n", wanted->text);
        return false;
    }
    const char *suggested = string_of(error.suggested, &arena);
    bool right = error.at == wanted->at && strstr(error.reason, wanted->reason) &&
                 strcmp(suggested, wanted->suggested) == 0;
    if (!right)
        print_message("%s: at %zu, \"%s\", suggested %s\n", wanted->text, error.at, error.reason,
                      suggested);
    assert_true(error.reason[strlen(error.reason) - 1] != '.');
    return right && (error.suggested.len == 0 || compiles(error.suggested));
}

static void check_wrong(const wrong_case *cases, size_t count)
{
    size_t wrong = 0;
    for (size_t i = 0; i < count; i++)
        wrong += !is_wrong_so(&cases[i]);
    assert_int_equal(wrong, 0);
}

#define CHECK_WRONG(cases) check_wrong((cases), sizeof(cases) / sizeof *(cases))

static void names_that_need_escapes(void **state)
{
    (void)state;
    static const wrong_case cases[] = {
        {".hover:x", 6, "':' in a name needs a backslash", ".hover\\:x"},
        {".hover\\\\:x", 8, "one backslash before it, not more", ".hover\\:x"},
        {".w-1\\\\/2", 6, "one backslash", ".w-1\\/2"},
        {".hover:bg-blue-500 p", 6, "backslash", ".hover\\:bg-blue-500 p"},
        {".md:w-1/2", 3, "backslash", ".md\\:w-1\\/2"},
        {".w-1/2", 4, "'/' in a name needs a backslash", ".w-1\\/2"},
        {"#w/2", 2, "'/'", "#w\\/2"},
        {".w-1.5", 4, "'.' in a name", ".w-1\\.5"},
        {".2xl:p-4", 1, "begins with a digit", ".\\32 xl\\:p-4"},
        {".1", 1, "begins with a digit", ".\\31"},
        {".-1a", 1, "begins with a digit", ".-\\31 a"},
        {".-", 1, "a class that is '-' alone needs an escape", ".\\-"},
        {"#-", 1, "an id that is '-' alone cannot be written with '#'", "[id=\"-\"]"},
        {".dark:hover:bg-x", 5, "backslash", ".dark\\:hover\\:bg-x"},
        {".group-hover:hidden", 12, "backslash", ".group-hover\\:hidden"},
        {".first:mt-0", 6, "backslash", ".first\\:mt-0"},
        {".custom:flex", 7, "backslash", ".custom\\:flex"},
        {".md:2", 3, "backslash", ".md\\:2"},
        {".hover:bg-[#fff]", 6, "backslash", ".hover\\:bg-\\[\\#fff\\]"},
        {".w-[50%]", 3, "'[' in a name needs a backslash", ".w-\\[50\\%\\]"},
        {".w-[calc(1px+2px)] p", 3, "'[' in a name", ".w-\\[calc\\(1px\\+2px\\)\\] p"},
        {".w-[50%", 3, "'[' in a name", ".w-\\[50\\%"},
        {".bg-(--x) p", 4, "cannot stand here", ".bg-\\(--x\\) p"},
        {".[&>p]:mt-4", 1, "a class is missing", ".\\[\\&\\>p\\]\\:mt-4"},
        {".!mt-2", 1, "'!' in a name", ".\\!mt-2"},
        {".@x", 1, "'@' in a name", ".\\@x"},
        {".a@b", 2, "'@' in a name", ".a\\@b"},
        {".a!b", 2, "'!' in a name", ".a\\!b"},
        {".a=b", 2, "'=' in a name", ".a\\=b"},
        {".x&y", 2, "'&'", ".x\\&y"},
        {".a!\\ ", 2, "'!'", ".a\\!\\ "},
        {".a!\\\\ ", 2, "'!'", ".a\\!\\\\"},
        {".a\\", 2, "needs a sign behind it", ".a"},
        {"#1a", 1, "an id that begins with a digit", "[id=\"1a\"]"},
        {"p#12 > b", 2, "an id that begins with a digit", "p[id=\"12\"] > b"},
        {"#/x", 1, "'/' in a name", "#\\/x"},
    };
    CHECK_WRONG(cases);
}

static void pseudo_classes(void **state)
{
    (void)state;
    static const wrong_case cases[] = {
        {"p:first-chld", 1, "there is no pseudo-class ':first-chld'", "p:first-child"},
        {"p:frist", 1, "no pseudo-class", "p:first"},
        {"p:firstChild", 1, "no pseudo-class", "p:first-child"},
        {"p:nthchild(2)", 1, "no pseudo-class", "p:nth-child(2)"},
        {"p:first-of", 1, "no pseudo-class", "p:first-of-type"},
        {"p:wobble", 1, "no pseudo-class ':wobble'", ""},
        {"p:--editable", 1, "no pseudo-class", ""},
        {".item:chekced", 5, "no pseudo-class", ".item:checked"},
        {"p:hover", 1, "depends on what happens in a browser", "p"},
        {"a:not(.x):focus-visible b", 9, "happens in a browser", "a:not(.x) b"},
        {":hover", 0, "happens in a browser", ""},
        {"a:visited", 1, "happens", "a"},
        {"p:visible", 1, "what a browser shows", "p"},
        {"p:nth-col(2n)", 1, "what a browser shows", "p"},
        {"p:before", 1, "pseudo-element", "p"},
        {"p::before", 1, "pseudo-element", "p"},
        {"p::part(x) b", 1, "'::part'", "p b"},
        {"p::part('a)b' \\) (c)) b", 1, "'::part'", "p b"},
        {"p::part('a) b", 1, "'::part'", "p"},
        {"p::", 1, "pseudo-element", "p"},
        {"::before", 0, "pseudo-element", ""},
        {"p::text", 1, "pseudo-element", "p"},
        {"::TEXT", 0, "pseudo-element", ""},
        {"a::first-child", 1, "pseudo-element", "a:first-child"},
        {":host(p)", 0, "shadow", ""},
        {"p:has-text('x')", 1, "':contains()'", "p:contains('x')"},
        {"p: first-child", 2, "name of a pseudo-class is missing", "p:first-child"},
        {"p:", 2, "name of a pseudo-class is missing", "p"},
        {"p:1", 2, "name of a pseudo-class is missing", ""},
        {"p:first-child(2)", 13, "no parentheses", "p:first-child"},
        {"p:root(", 6, "no parentheses", "p:root"},
        {"p:not", 5, "wants something in parentheses", ""},
        {":not (p)", 4, "wants something in parentheses", ":not(p)"},
        {"p:eq", 4, "wants something in parentheses", ""},
        {":is()", 4, "a selector is missing here", ""},
        {":is(p", 5, "parenthesis behind 'is' is not closed", ":is(p)"},
        {":is(p, :not(.a", 14, "behind 'not'", ":is(p, :not(.a))"},
        {":is(p,)", 6, "behind a comma", ":is(p)"},
        {":not(,p)", 5, "before a comma", ":not(p)"},
        {":has(>)", 5, "behind '>'", ""},
        {":has(p >)", 7, "behind '>'", ":has(p )"},
        {":not(> p)", 5, "missing before '>'", ":not(p)"},
        {":has(:scope)", 5, "something must follow", ""},
        {":has(p :scope)", 7, "can only begin", ""},
        {":has(:not(:scope > p))", 10, "can only begin", ""},
        {":nth-child()", 11, "'odd', 'even' or a formula", ""},
        {":nth-child(2n+)", 14, "formula", ":nth-child(2n)"},
        {":nth-child(2 n)", 13, "formula", ":nth-child(2n)"},
        {":nth-child(-n 3)", 14, "formula", ":nth-child(-n+3)"},
        {":nth-child(evn)", 11, "formula", ":nth-child(even)"},
        {":nth-child('2')", 11, "formula", ":nth-child(2)"},
        {":nth-child(2", 12, "not closed", ":nth-child(2)"},
        {":nth-child(2 of)", 15, "a selector is missing", ":nth-child(2 )"},
        {":nth-child(2 off p)", 13, "only 'of'", ""},
        {":nth-of-type(2 of p)", 15, "':nth-child()' does", ""},
        {":contains()", 10, "wants the text", ""},
        {"p:text('a')", 6, "':contains()'", "p:contains('a')"},
        {"p:text(a) b", 6, "':contains()'", "p:contains(a) b"},
        {"div p.a|b", 7, "needs a backslash", "div p.a\\|b"},
        {"#a|b", 2, "needs a backslash", "#a\\|b"},
        {":contains('')", 10, "wants the text", ""},
        {":contains(\"abc)", 10, "string that begins here is not closed", ":contains(\"abc\")"},
        {":contains('abc", 10, "string that begins here", ":contains('abc')"},
        {":contains(abc", 13, "behind 'contains' is not closed", ":contains(abc)"},
        {":contains('a' b)", 14, "cannot stand here", ""},
        {":lang()", 6, "wants languages", ""},
        {":lang(en,)", 9, "wants languages", ""},
        {":lang('en)", 6, "string that begins", ":lang('en')"},
        {":lang(en", 8, "not closed", ":lang(en)"},
        {":dir(up)", 5, "'ltr' or 'rtl'", ""},
        {":dir(ltr", 8, "not closed", ":dir(ltr)"},
        {"li:eq(x)", 6, "wants a number", ""},
        {"li:eq('1')", 6, "wants a number", "li:eq(1)"},
        {"li:eq(2n)", 6, "wants a number", ""},
        {"li:eq(2", 7, "not closed", "li:eq(2)"},
        {"p:not(:eq)", 6, "wants a number", ""},
        {"p:not(:first, b)", 12, "cannot stand here", ""},
        {":has(li:first)", 7, "cannot stand inside", ":has(li:first-child)"},
        {":is(li:last)", 6, "cannot stand inside", ":is(li:last-child)"},
        {":is(li:even)", 6, "cannot stand inside", ":is(li:nth-child(odd))"},
        {":is(li:odd)", 6, "cannot stand inside", ":is(li:nth-child(even))"},
        {":is(li:eq(2))", 6, "cannot stand inside", ":is(li:nth-child(3))"},
        {":is(li:gt(2))", 6, "cannot stand inside", ""},
        {":is(li:not(:first))", 11, "cannot stand inside", ":is(li:not(:first-child))"},
    };
    CHECK_WRONG(cases);
}

static void attributes(void **state)
{
    (void)state;
    static const wrong_case cases[] = {
        {"[", 0, "'[' is not closed", ""},
        {"[]", 1, "name is missing", ""},
        {"[*]", 1, "name is missing", ""},
        {"[|=x]", 1, "name is missing", ""},
        {"[1a]", 1, "name is missing", ""},
        {"li[2]", 3, "XPath, which is not taken; :nth-of-type(1) is", "li:nth-of-type(2)"},
        {"ul > li[10].a", 8, "XPath", "ul > li:nth-of-type(10).a"},
        {"li[0]", 3, "XPath", ""},
        {".a[1]", 3, "XPath", ""},
        {"#li[1]", 4, "XPath", ""},
        {"[1]", 1, "XPath", ""},
        {"li[last()]", 7, "operator or ']' is missing: last() there is XPath", "li:last-of-type"},
        {"[name=user[email]]", 10, "needs quotes", "[name=\"user[email]\"]"},
        {"[name=user[email]", 10, "needs quotes", "[name=\"user[email]\"]"},
        {"[name=a[b][c]] p", 7, "needs quotes", "[name=\"a[b][c]\"] p"},
        {"[a=b[c] > p", 4, "needs quotes", "[a=\"b[c]\"] > p"},
        {"a[href='/a/b\"]", 7, "not closed", "a[href='/a/b']"},
        {"a[href=\"/a/b'] p", 7, "not closed", "a[href=\"/a/b\"] p"},
        {"a[href='x\"y\"]", 7, "not closed", "a[href='x\"y\"']"},
        {"[data-x", 0, "'[' is not closed", "[data-x]"},
        {"p[a=b ", 1, "'[' is not closed", "p[a=b]"},
        {"[data-x=\"a", 8, "not closed", "[data-x=\"a\"]"},
        {"[href='a]", 6, "not closed", "[href='a']"},
        {"[href=\"a", 6, "not closed", "[href=\"a\"]"},
        {"[href=\"a\" > p", 10, "']' is missing", "[href=\"a\"] > p"},
        {"[href='/a/b]'", 0, "'[' is not closed", "[href='/a/b']"},
        {"[href=\"a]\" > p", 11, "']' is missing", "[href=\"a\"] > p"},
        {"[href='/a/b]' i", 0, "'[' is not closed", "[href='/a/b'] i"},
        {"[href='/a/b' i", 0, "'[' is not closed", "[href='/a/b' i]"},
        {"[data-x  ", 0, "'[' is not closed", "[data-x]"},
        {"[name=\"a[]\"", 0, "'[' is not closed", "[name=\"a[]\"]"},
        {"[a=\"]\"", 0, "'[' is not closed", "[a=\"]\"]"},
        {"[a=\"b\\]\"", 0, "'[' is not closed", "[a=\"b\\]\"]"},
        {"[@class]", 1, "XPath", "[class]"},
        {"[:class]", 1, "':' in a name", "[\\:class]"},
        {"[#head='a']", 1, "'#' in a name", "[\\#head='a']"},
        {"[(click)]", 1, "'(' in a name", "[\\(click\\)]"},
        {"[*ngIf]", 1, "'*' in a name", "[\\*ngIf]"},
        {"[:]", 1, "name is missing", ""},
        {"[a=1]", 3, "needs quotes", "[a=\"1\"]"},
        {"[href=/a/b]", 6, "needs quotes", "[href=\"/a/b\"]"},
        {"[href=a/b.html]", 7, "needs quotes", "[href=\"a/b.html\"]"},
        {"[href^=http://x]", 11, "needs quotes", "[href^=\"http://x\"]"},
        {"[x=#a\"b]", 3, "needs quotes", "[x='#a\"b']"},
        {"[class=foo bar]", 11, "needs quotes", "[class=\"foo bar\"]"},
        {"[a=]", 3, "a value is missing", "[a=\"\"]"},
        {"[a=\xE2\x80\x9C"
         "b\xE2\x80\x9D]",
         3, "straight quotes", "[a=\"b\"]"},
        {"[a=\xE2\x80\x98"
         "b\xE2\x80\x99]",
         3, "straight quotes", "[a=\"b\"]"},
        {"[a==b]", 3, "one '=' is enough", "[a=b]"},
        {"[a===b]", 3, "one '=' is enough", "[a=b]"},
        {"[a\"b\"]", 2, "is missing", "[a=\"b\"]"},
        {"[a~\"b\"]", 3, "'=' is missing behind '~'", "[a~=\"b\"]"},
        {"[a^b]", 3, "'=' is missing", ""},
        {"[a b]", 3, "another operator", ""},
        {"[a:'b']", 2, "another operator", "[a='b']"},
        {"[on:click]", 3, "another operator", "[on\\:click]"},
        {"[x.y]", 2, "another operator", "[x\\.y]"},
        {"[a=\"b\" c=\"d\"]", 7, "brackets of its own", "[a=\"b\"][c=\"d\"]"},
        {"[a=\"b\", c=\"d\"]", 6, "brackets of its own", "[a=\"b\"][c=\"d\"]"},
        {"[a=\"b\" x]", 7, "']' is missing", ""},
        {"[a=b x]", 5, "needs quotes", "[a=\"b x\"]"},
        {"[a=b ix]", 5, "needs quotes", "[a=\"b ix\"]"},
        {"[xlink|href]", 6, "namespaces", "[xlink\\:href]"},
        {"[*|href]", 2, "namespaces", "[href]"},
        {"[|href]", 1, "namespaces", "[href]"},
    };
    CHECK_WRONG(cases);
}

static void combinators_and_lists(void **state)
{
    (void)state;
    static const wrong_case cases[] = {
        {"", 0, "the selector is empty", ""},
        {"  ", 2, "the selector is empty", ""},
        {"/* */", 5, "the selector is empty", ""},
        {"p >", 2, "missing behind '>'", "p"},
        {"p > ", 2, "missing behind '>'", "p"},
        {"p +, b", 2, "missing behind '+'", "p , b"},
        {"> p", 0, "missing before '>'", "p"},
        {"a, ~ b", 3, "missing before '~'", "a, b"},
        {"a > > b", 4, "two combinators", "a >  b"},
        {"a ~ + b", 4, "two combinators", "a ~  b"},
        {"a >> b", 3, "'>>' is no combinator", "a b"},
        {"a >>> b", 3, "'>>' is no combinator", "a b"},
        {"a,", 2, "behind a comma", "a"},
        {",a", 0, "before a comma", "a"},
        {"a,,b", 2, "behind a comma", "a,b"},
        {",", 0, "before a comma", ""},
        {"a||b", 1, "columns", ""},
        {"a || b", 2, "columns", ""},
        {"svg|a", 3, "namespaces", "a"},
        {"h1 | p", 3, "'|' is no combinator", "h1, p"},
        {":is(h1 | p) b", 7, "'|' is no combinator", ":is(h1, p) b"},
        {"a > | p", 4, "namespaces", "a >  p"},
        {"| p", 0, "namespaces", "p"},
        {"*|a", 1, "namespaces", "a"},
        {"|a", 0, "namespaces", "a"},
        {"p)", 1, "nothing opens this ')'", "p"},
        {"p )", 2, "nothing opens this ')'", "p"},
        {"p]", 1, "nothing opens this ']'", "p"},
        {"p;", 1, "does not end with ';'", "p"},
        {".a p{color:red}", 4, "not its block", ".a p"},
        {"//div", 0, "XPath", "div"},
        {"<div>", 0, "this is a tag", "div"},
        {"a < b", 2, "'<' is no combinator", ""},
        {"\"div\"", 0, "without quotes", "div"},
        {"'.a b'", 0, "without quotes", ".a b"},
        {"'a", 0, "cannot stand here", ""},
        {"5", 0, "cannot begin with a digit", ""},
        {"p 5", 2, "cannot begin with a digit", ""},
        {"& p", 0, "'&'", "p"},
        {"@media", 0, "cannot stand here", ""},
        {"div(2)", 3, "cannot stand here", ""},
        {".a\"b\"", 2, "cannot stand here", ""},
        {"p%", 1, "cannot stand here", ""},
        {"*div", 1, "must stand first", "div"},
        {"[x]div", 3, "must stand first", "div[x]"},
        {"p .a[x]div", 7, "must stand first", "p div.a[x]"},
        {"p:first b:last:is(x)div", 20, "must stand first", ""},
        {"p/**/b", 5, "must stand first", ""},
        {".a*", 2, "'*' must stand first", ".a"},
        {".a* b", 2, "'*' must stand first", ".a b"},
        {"**", 1, "'*' must stand first", "*"},
        {". card", 1, "a class is missing", ".card"},
        {"# x", 1, "an id is missing", "#x"},
        {"..card", 1, "a class is missing", ".card"},
        {"p.", 2, "a class is missing", "p"},
        {"p.:empty", 2, "a class is missing", "p:empty"},
        {".[x]", 1, "a class is missing", ".\\[x\\]"},
        {"p#", 2, "an id is missing", "p"},
    };
    CHECK_WRONG(cases);
}

/* Far more of them than anybody writes, but without end they would cost stack or memory. */
static void limits(void **state)
{
    (void)state;
    char text[EM_SELECTOR_LONGEST + 2];
    const em_selector *selector;
    for (int depth = 15; depth <= 17; depth++) {
        EM_AUTO(em_arena) arena = {0};
        em_selector_error error;
        size_t length = 0;
        for (int i = 0; i < depth; i++)
            length += (size_t)snprintf(text + length, sizeof text - length, ":is(");
        length += (size_t)snprintf(text + length, sizeof text - length, ":disabled%.*s", depth,
                                   "))))))))))))))))))))");
        em_status status =
            em_selector_compile(em_slice_make(text, length), &arena, &selector, &error);
        assert_int_equal(status, depth > EM_SELECTOR_DEEPEST ? EM_E_INVALID : EM_OK);
        if (status != EM_OK)
            assert_string_equal(error.reason, "selectors are nested deeper than 16");
    }
    EM_AUTO(em_arena) arena = {0};
    em_selector_error error;
    memset(text, 'a', sizeof text);
    assert_true(compiles(em_slice_make(text, EM_SELECTOR_LONGEST)));
    assert_false(compiles(em_slice_make(text, EM_SELECTOR_LONGEST + 1)));
    text[EM_SELECTOR_LONGEST - 1] = '>';
    assert_false(compiles(em_slice_make(text, EM_SELECTOR_LONGEST)));
    for (size_t i = 0; i + 8 < EM_SELECTOR_LONGEST; i += 8)
        memcpy(text + i, ":is(p p)", 8);
    assert_true(compiles(em_slice_make(text, 256 * 8)));
    assert_int_equal(em_selector_compile(em_slice_make(text, 257 * 8), &arena, &selector, &error),
                     EM_E_INVALID);
    assert_string_equal(error.reason, "the selector has too many pseudo-classes");
    for (size_t i = 0; i + 9 < EM_SELECTOR_LONGEST; i += 9)
        memcpy(text + i, ":selected", 9);
    assert_int_equal(em_selector_compile(em_slice_make(text, 9000), &arena, &selector, &error),
                     EM_E_INVALID);
    assert_int_equal(error.at % 9, 0);
    assert_true(error.at < 1000);
}

static void bytes_that_no_selector_has(void **state)
{
    (void)state;
    static const struct {
        em_slice text;
        size_t at;
        const char *reason;
    } cases[] = {
        {{"a\0b", 3}, 1, "there is a NUL in the selector"},
        {{".\xFFx", 3}, 1, "the selector is not valid UTF-8"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        EM_AUTO(em_arena) arena = {0};
        const em_selector *selector;
        em_selector_error error;
        assert_int_equal(em_selector_compile(cases[i].text, &arena, &selector, &error),
                         EM_E_INVALID);
        assert_int_equal(error.at, cases[i].at);
        assert_string_equal(error.reason, cases[i].reason);
        assert_int_equal(error.suggested.len, 0);
    }
}

/* Which of the two is meant, the page tells. */
static void an_at_sign_is_of_xpath_or_of_the_name(void **state)
{
    (void)state;
    static const struct {
        const char *text, *suggested, *instead;
    } cases[] = {
        {"[@click]", "[click]", "[\\@click]"},
        {"p[@click.once='a'] [@b", "p[click\\.once='a'] [b]", "p[\\@click\\.once='a'] [\\@b]"},
        {"[:class]", "[\\:class]", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        EM_AUTO(em_arena) arena = {0};
        const em_selector *selector;
        em_selector_error error;
        assert_int_equal(em_selector_compile(em_slice_of(cases[i].text), &arena, &selector, &error),
                         EM_E_INVALID);
        assert_string_equal(string_of(error.suggested, &arena), cases[i].suggested);
        assert_string_equal(string_of(error.instead, &arena), cases[i].instead);
    }
}

static void a_long_name_is_cut_in_a_reason(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    const em_selector *selector;
    em_selector_error error;
    char text[500];
    memset(text, 'x', sizeof text);
    memcpy(text, "p::", 3);
    assert_int_equal(
        em_selector_compile(em_slice_make(text, sizeof text), &arena, &selector, &error),
        EM_E_INVALID);
    assert_true(strlen(error.reason) < 120);
    assert_true(em_slice_is(error.suggested, "p"));
}

/* A selector outlives the text that it was made of. */
static void memory_that_runs_out_is_a_status(void **state)
{
    (void)state;
    static const char *const texts[] = {
        ".hover:bg-[#fff]/2:w-1/2 > p:frist, #1a",
        "p:lang(en, de):nth-child(2n of \\64 , :disabled)",
        "[a=\"b\" c=1]",
        ":contains(a\\62):eq(1):not(:first)",
        ".w-[5",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        em_status status = EM_E_NOMEM;
        long left = 0;
        for (; status == EM_E_NOMEM; left++) {
            EM_AUTO(em_arena) arena = {0};
            const em_selector *selector;
            em_selector_error error;
            mallocs_left = left;
            status = em_selector_compile(em_slice_of(texts[i]), &arena, &selector, &error);
            mallocs_left = -1;
        }
        assert_int_equal(status, compiles(em_slice_of(texts[i])) ? EM_OK : EM_E_INVALID);
        assert_true(left > 1);
    }
}

/* What is left out may have narrowed what was meant; what is written otherwise did not. */
static void what_may_match_more_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        em_widening widening;
    } cases[] = {
        {"a >> b", EM_WIDENS_NOT},
        {"a >>> b", EM_WIDENS_NOT},
        {"text=a", EM_WIDENS_NOT},
        {"text='a'", EM_WIDENS},
        {"//p[contains(., 'a')]", EM_WIDENS_NOT},
        {"//p[contains(text(), 'a')]", EM_WIDENS},
        {"//p[text()='a']", EM_WIDENS},
        {"//p[normalize-space()='a']", EM_WIDENS},
        {"//p[not(@a)] | //h1", EM_WIDENS_NOT},
        {"a > > b", EM_WIDENS},
        {"a ~ + b", EM_WIDENS},
        {"p >", EM_WIDENS},
        {"> p", EM_WIDENS},
        {"p::before", EM_WIDENS_TO_ELEMENT},
        {"[x]div", EM_WIDENS_NOT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        EM_AUTO(em_arena) arena = {0};
        const em_selector *selector;
        em_selector_error error;
        assert_int_equal(em_selector_compile(em_slice_of(cases[i].text), &arena, &selector, &error),
                         EM_E_INVALID);
        if (error.widening != cases[i].widening)
            fail_msg("%s: %d", cases[i].text, error.widening);
    }
}

/* What finds an element elsewhere is told as that, and said in CSS where all of it can be. */
static void what_is_meant_elsewhere(void **state)
{
    (void)state;
    static const wrong_case cases[] = {
        {"$('#a')", 0, "this is a call", "#a"},
        {" jQuery(\".a > b\") ", 1, "this is a call", ".a > b"},
        {"document.querySelectorAll('[x=\"y\"]')", 0, "this is a call", "[x=\"y\"]"},
        {"document.getElementById('1a')", 0, "this is a call", "#\\31 a"},
        {"e.getElementsByClassName('a b')", 0, "this is a call", ".a.b"},
        {"e.getElementsByTagName(\"p\")", 0, "this is a call", "p"},
        {"document.querySelector('p b')", 0, "this is a call", "p b:first"},
        {"document.querySelector('#a')", 0, "this is a call", "#a"},
        {"document.querySelector('p, b')", 0, "this is a call", ":is(p, b):first"},
        {"$('#a').find('b')", 0, "this is a call", "#a b"},
        {"$('a, b').children('p').last()", 0, "this is a call", ":is(a, b) > p:last"},
        {"$('a').children().eq(-1)", 0, "this is a call", "a > *:eq(-1)"},
        {"document.getElementById('a').querySelectorAll('b')[2]", 0, "this is a call",
         "#a b:eq(2)"},
        {"page.getByTestId('a').locator('b').nth(1)", 0, "this is a call",
         "[data-testid=\"a\"] b:eq(1)"},
        {"page.getByText('a')", 0, "this is a call",
         ":icontains(\"a\"):not(:has(:icontains(\"a\")))"},
        {"find('b')", 4, "cannot stand here", ""},
        {"$('#a').parent()", 0, "cannot stand here", ""},
        {"$('#a').eq(a)", 0, "cannot stand here", ""},
        {"$('#a')[", 0, "cannot stand here", ""},
        {"$('#a', '#b')", 0, "cannot stand here", ""},
        {"$('#a\\:b')", 0, "cannot stand here", ""},
        {"$('#a\")", 0, "cannot stand here", ""},
        {"$('')", 0, "cannot stand here", ""},
        {"alert('#a')", 5, "cannot stand here", ""},
        {"id=a", 0, "an attribute stands in brackets", "#a"},
        {"class='a b'", 0, "an attribute stands in brackets", ".a.b"},
        {"href=\"/a\"", 0, "an attribute stands in brackets", "[href=\"/a\"]"},
        {"title='a \"b\"'", 0, "an attribute stands in brackets", "[title='a \"b\"']"},
        {"id=a b", 2, "cannot stand here", ""},
        {"css=#a", 0, "'css=' is no part", "#a"},
        {"css=#a >> b", 0, "'css=' is no part", "#a b"},
        {"xpath=//p[@id]", 0, "this is XPath", "p[id]"},
        {"text=a b", 0, "this is no selector",
         ":icontains(\"a b\"):not(:has(:icontains(\"a b\")))"},
        {"text='a \"b\"'", 0, "this is no selector",
         ":icontains('a \"b\"'):not(:has(:icontains('a \"b\"')))"},
        {"text=/a/", 4, "cannot stand here", ""},
        {"text=a >> b", 4, "cannot stand here", ""},
        {"<p id=a>", 0, "this is a tag", "p#a"},
        {"<a class=\"b c\" href='/x' hidden>", 0, "this is a tag", "a.b.c[href=\"/x\"][hidden]"},
        {"<a title=\"&lt;\">", 0, "this is a tag", ""},
        {"<p id=a>x</p>", 0, "this is a tag", ""},
        {"<p id=a", 0, "begins no selector", ""},
        {"//div[@id='a']", 0, "this is XPath", "div[id=\"a\"]"},
        {"//*[@id='a']/li[2]", 0, "this is XPath", "*[id=\"a\"] > li:nth-of-type(2)"},
        {"/html/body//p[contains(@class, 'a')][@b]", 0, "this is XPath",
         "html > body p[class*=\"a\"][b]"},
        {"//p[@a='b'][2]", 0, "this looks like XPath", ""},
        {"//p[2][@a]", 0, "this is XPath", "p:nth-of-type(2)[a]"},
        {"//ul/li[last()]", 0, "this is XPath", "ul > li:last-of-type"},
        {"//li[0]", 0, "this looks like XPath", ""},
        {"(//li)[2]", 0, "this is XPath", "li:eq(1)"},
        {"(//ul/li)[last()]", 0, "this is XPath", "ul > li:last"},
        {"(//li)[2]/a", 0, "cannot stand here", ""},
        {"(//li)", 0, "without parentheses", ""},
        {"//a | //b", 0, "this is XPath", "a, b"},
        {"//a|/html/body", 0, "this is XPath", "a, html > body"},
        {"//a | b", 0, "this looks like XPath", ""},
        {"//p[@a and @b = 'c']", 0, "this is XPath", "p[a][b=\"c\"]"},
        {"//p[@a or @b]", 0, "this looks like XPath", ""},
        {"//p[not(@a)]", 0, "this is XPath", "p:not([a])"},
        {"//p[not(b)]", 0, "this looks like XPath", ""},
        {"//a[starts-with(@href, '/b')]", 0, "this is XPath", "a[href^=\"/b\"]"},
        {"//p[normalize-space(.)='b']", 0, "this is XPath",
         "p:contains(\"b\"):not(:has(:contains(\"b\")))"},
        {"//p[text()='b']", 0, "this is XPath", "p:contains(\"b\"):not(:has(:contains(\"b\")))"},
        {"//p[contains(text(), 'b')]/a", 0, "this is XPath",
         "p:contains(\"b\"):not(:has(:contains(\"b\"))) > a"},
        {"//p[contains(., 'b')]", 0, "this is XPath", "p:contains(\"b\")"},
        {"//p[text()=b]", 0, "this looks like XPath", ""},
        {"//p/..", 0, "this looks like XPath", ""},
        {"/p", 0, "this looks like XPath", ""},
        {"//p/", 0, "this looks like XPath", ""},
        {"div#a > text()", 0, "'text()' is XPath", "div#a"},
        {"text()", 4, "cannot stand here", ""},
        {"(div)", 0, "without parentheses", "div"},
        {"((.a), b)", 0, "without parentheses", ""},
        {"(a) (b)", 0, "cannot stand here", ""},
        {"(a", 0, "cannot stand here", ""},
    };
    CHECK_WRONG(cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_may_match_more_is_told),
        cmocka_unit_test(names_that_need_escapes),
        cmocka_unit_test(pseudo_classes),
        cmocka_unit_test(attributes),
        cmocka_unit_test(combinators_and_lists),
        cmocka_unit_test(what_is_meant_elsewhere),
        cmocka_unit_test(limits),
        cmocka_unit_test(bytes_that_no_selector_has),
        cmocka_unit_test(an_at_sign_is_of_xpath_or_of_the_name),
        cmocka_unit_test(a_long_name_is_cut_in_a_reason),
        cmocka_unit_test(memory_that_runs_out_is_a_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
