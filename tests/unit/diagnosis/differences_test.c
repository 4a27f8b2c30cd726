#include "diagnosis/differences.h"

#include <stdio.h>
#include <stdlib.h>

#include "../with_cmocka.h"
#include "failing_malloc.h"
#include "random.h"

static const char *const kinds[] = {"whitespace", "case", "punctuation", "content"};

/* "kind [expected] [found]", one a line. */
static char *told(em_slice expected, em_slice found, size_t most)
{
    EM_AUTO(em_arena) arena = {0};
    em_differences differences;
    char *out = NULL;
    size_t size;
    assert_int_equal(em_differences_of(expected, found, most, &arena, &differences), EM_OK);
    assert_in_range(differences.count, 0, most);
    FILE *stream = open_memstream(&out, &size);
    assert_non_null(stream);
    for (size_t i = 0; i < differences.count; i++) {
        const em_difference *d = &differences.items[i];
        assert_false(em_slice_eq(d->expected, d->found));
        fprintf(stream, "%s [%.*s] [%.*s]\n", kinds[d->kind], (int)d->expected.len,
                d->expected.ptr ? d->expected.ptr : "", (int)d->found.len,
                d->found.ptr ? d->found.ptr : "");
    }
    fclose(stream);
    return out;
}

static void check(const char *expected, const char *found, const char *wanted)
{
    char *seen = told(em_slice_of(expected), em_slice_of(found), 20);
    if (strcmp(seen, wanted) != 0)
        print_error("of [%s] and [%s]:\n", expected, found);
    assert_string_equal(seen, wanted);
    free(seen);
}

static void kinds_and_neighbours(void **state)
{
    (void)state;
    static const struct {
        const char *expected, *found, *wanted;
    } cases[] = {
        {"same", "same", ""},
        {"", "", ""},
        /* whitespace */
        {"const foo", "const  foo", "whitespace [const] [const ]\n"},
        {"const foo", "const\tfoo", "whitespace [const ] [const\t]\n"},
        {"foo(a,b)", "foo( a, b )", "whitespace [foo(a,b] [foo( a, b ]\n"},
        {"    return 1", "\treturn  1", "whitespace [    return 1] [\treturn  1]\n"},
        {"x\n    y()", "x\n        y()", "whitespace [    y()] [        y()]\n"},
        {"x;", "x;  ", "whitespace [x;] [x;  ]\n"},
        {"a;\nb", "a;\n\nb", "whitespace [a;] [a;\n]\n"},
        {"a;\nb", "a; b", "whitespace [a;\n] [a; ]\n"},
        {"foobar", "foo bar", "whitespace [foobar] [foo bar]\n"},
        {"a b",
         "a\xC2\xA0"
         "b",
         "whitespace [a ] [a\xC2\xA0]\n"},
        /* case */
        {"function handleRequest(req) {", "function HandleRequest(req) {",
         "case [handleRequest] [HandleRequest]\n"},
        {"f(\xC3\xA9t\xC3\xA9)", "f(\xC3\x89T\xC3\x89)",
         "case [\xC3\xA9t\xC3\xA9] [\xC3\x89T\xC3\x89]\n"},
        /* punctuation */
        {"foo = 'bar';", "foo = \"bar\";", "punctuation ['bar'] [\"bar\"]\n"},
        {"say \xE2\x80\x9Chi\xE2\x80\x9D", "say \"hi\"",
         "punctuation [\xE2\x80\x9Chi\xE2\x80\x9D] [\"hi\"]\n"},
        {"return x", "return x;", "punctuation [x] [x;]\n"},
        {"foo-bar", "foobar", "punctuation [foo-bar] [foobar]\n"},
        {"a - b", "a \xE2\x80\x94 b", "punctuation [-] [\xE2\x80\x94]\n"},
        /* content */
        {"max = 200", "max = 100", "content [200] [100]\n"},
        {"x = foo bar;", "x = baz qux;", "content [foo bar] [baz qux]\n"},
        {"const foo", "const static foo", "content [const] [const static]\n"},
        {"int x", "static int x", "content [int] [static int]\n"},
        {"a\nb", "a\nnew line\nb", "content [a] [a\nnew line]\n"},
        {"a b", "", "content [a b] []\n"},
        {"", "a b", "content [] [a b]\n"},
        {"e\xCC\x81t", "\xC3\xA9t", "content [e\xCC\x81t] [\xC3\xA9t]\n"},
        /* several */
        {"if (Foo == 'a')", "if  (foo === \"a\")",
         "whitespace [if] [if ]\ncase [Foo] [foo]\npunctuation [==] [===]\n"
         "punctuation ['a'] [\"a\"]\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check(cases[i].expected, cases[i].found, cases[i].wanted);
}

static void line_endings(void **state)
{
    (void)state;
    check("a\nb\n", "a\r\nb\r\n", ""); /* an exact search finds it too */
    check("a\nb\n", "a\rb\r", "");
    check("a\r\nb", "a\nb", "whitespace [a\r\n] [a\n]\n");
    check("a\nb\n", "a\r\nc\r\n", "content [b] [c]\n");
}

static void no_utf8(void **state)
{
    (void)state;
    check("gr\xFCn x", "gr\xFCn  x", "whitespace [gr\xFCn] [gr\xFCn ]\n");
    check("\xFF", "\xFE", "content [\xFF] [\xFE]\n");
    check("\xC3", "\xC3\xA9", "content [\xC3] [\xC3\xA9]\n");
}

static void at_most_so_many(void **state)
{
    (void)state;
    char *seen = told(em_slice_of("a\nb\nc\nd"), em_slice_of("w\nx\ny\nz"), 2);
    assert_string_equal(seen, "content [a] [w]\ncontent [b] [x]\n");
    free(seen);
    seen = told(em_slice_of("a"), em_slice_of("b"), 0);
    assert_string_equal(seen, "");
    free(seen);
    /* what is left out does not become a neighbour */
    seen = told(em_slice_of("a x;y"), em_slice_of("a  x,y z"), 1);
    assert_string_equal(seen, "whitespace [a] [a ]\n");
    free(seen);
}

/* A neighbour is a word, not half a file. */
static void long_neighbours(void **state)
{
    (void)state;
    char expected[500], found[500];
    memset(expected, '(', 400);
    memset(found, '(', 400);
    strcpy(expected + 400, "x");
    strcpy(found + 400, " x");
    char *seen = told(em_slice_of(expected), em_slice_of(found), 20);
    assert_in_range(strlen(seen), 20, 100);
    free(seen);
}

/* Long texts with nothing in common, and with a little at each end. */
static void long_texts(void **state)
{
    (void)state;
    enum { WORDS = 30000, SIZE = WORDS * 8 };
    static char a[SIZE + 100], b[SIZE + 100];
    size_t x = 0, y = 0;
    for (size_t i = 0; i < WORDS; i++) {
        x += (size_t)sprintf(a + x, "a%zu ", i);
        y += (size_t)sprintf(b + y, "b%zu ", i);
    }
    char *seen = told(em_slice_make(a, x), em_slice_make(b, y), 20);
    assert_memory_equal(seen, "content [a0 a1", 14);
    free(seen);
    memcpy(b, a, x);
    memcpy(b, "start", 2);
    memcpy(b + x - 4, "end", 3);
    seen = told(em_slice_make(a, x), em_slice_make(b, x), 20);
    assert_string_equal(strchr(seen, '\n') ? "told" : seen, "told");
    free(seen);
}

static em_status differences_with(long mallocs, em_slice expected, em_slice found)
{
    EM_AUTO(em_arena) arena = {0};
    em_differences differences;
    mallocs_left = mallocs;
    em_status status = em_differences_of(expected, found, 20, &arena, &differences);
    mallocs_left = -1;
    return status;
}

static void out_of_memory(void **state)
{
    (void)state;
    static char expected[20000], found[20000];
    for (size_t i = 0; i + 1 < sizeof expected; i++) {
        expected[i] = i % 3 ? 'a' : ' ';
        found[i] = i % 3 ? (i % 40 ? 'a' : 'b') : ' ';
    }
    em_status status = EM_E_NOMEM;
    for (long fails_at = 0; status != EM_OK; fails_at++) {
        status = differences_with(fails_at, em_slice_of(expected), em_slice_of(found));
        assert_true(status == EM_OK ? fails_at > 5 : status == EM_E_NOMEM);
    }
}

/* Whatever the texts: the pieces are theirs, in order, and what stands between is the same. */
static void check_order(em_slice expected, em_slice found)
{
    EM_AUTO(em_arena) arena = {0};
    em_differences differences;
    assert_int_equal(em_differences_of(expected, found, 1000, &arena, &differences), EM_OK);
    if (differences.count == 0)
        assert_true(em_slice_eq(expected, found));
    const char *at = expected.ptr, *there = found.ptr;
    for (size_t i = 0; i < differences.count; i++) {
        em_slice e = differences.items[i].expected, f = differences.items[i].found;
        assert_true(e.len > 0 || f.len > 0);
        if (e.len > 0) {
            assert_true(e.ptr >= at && e.ptr + e.len <= expected.ptr + expected.len);
            at = e.ptr;
        }
        if (f.len > 0) {
            assert_true(f.ptr >= there && f.ptr + f.len <= found.ptr + found.len);
            there = f.ptr;
        }
    }
}

static void random_texts(void **state)
{
    (void)state;
    static const char *const parts[] = {"a", "B",  "b", " ",    "  ",   "\t",       "\n",  ";",
                                        "'", "\"", "(", "word", "Word", "\xC3\xA9", "\xFF"};
    random_state r = {21};
    for (size_t round = 0; round < 3000; round++) {
        char texts[2][400];
        size_t lengths[2] = {0};
        for (size_t i = random_below(&r, 60); i > 0; i--) {
            const char *part = RANDOM_OF(&r, parts);
            for (int s = 0; s < 2; s++) {
                const char *mine = random_below(&r, 8) > 0 ? part : RANDOM_OF(&r, parts);
                memcpy(texts[s] + lengths[s], mine, strlen(mine));
                lengths[s] += strlen(mine);
            }
        }
        check_order(em_slice_make(texts[0], lengths[0]), em_slice_make(texts[1], lengths[1]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_and_neighbours),
        cmocka_unit_test(line_endings),
        cmocka_unit_test(no_utf8),
        cmocka_unit_test(at_most_so_many),
        cmocka_unit_test(long_neighbours),
        cmocka_unit_test(long_texts),
        cmocka_unit_test(random_texts),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
