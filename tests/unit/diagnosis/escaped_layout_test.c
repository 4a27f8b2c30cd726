#include "diagnosis/escaped_layout.h"

#include "scarce_arena.h"

static const struct {
    const char *what, *find, *insert;
    const char *wanted_find, *wanted_insert; /* NULL: it is none; the last: it is not clear */
} cases[] = {
    {"a line break of the file's own", "f(\"a\\n\");\\nb", "f(\"c\\n\");\\nb", "f(\"a\\n\");\nb",
     "f(\"c\\n\");\nb"},
    {"one that is new", "a;\\nb;", "f(\"c\\n\", '\\t', `\\r`);\\nb;", "a;\nb;",
     "f(\"c\\n\", '\\t', `\\r`);\nb;"},
    {"indentation", "a {\\n\\t \\tb(\"\\n\")", "a {\\r\\n\\t \\tc()", "a {\n\t \tb(\"\\n\")",
     "a {\n\t \tc()"},
    {"a replacement that came as it is to be", "a;\\nb(\"\\n\");", "a;\nc(\"\\n\");",
     "a;\nb(\"\\n\");", "a;\nc(\"\\n\");"},
    {"one that goes", "a\\nb", "", "a\nb", ""},
    {"quotes within others", "a\\nb", "f('\"', \"'\", \"\\\"\\n\")\\nb", "a\nb",
     "f('\"', \"'\", \"\\\"\\n\")\nb"},
    {"apostrophes", "a\\nb", "I don't\\nmind", "a\nb", "I don't\nmind"},
    {"a pattern's own", "a\\nb", "f(/\\d/)\\nb", "a\nb", "f(/\\d/)\nb"},
    {"quotes that are all escaped", "f(\\\"a\\\")\\nb", "f(\\\"a\\n\\\", 'c')\\nb", "f(\"a\")\nb",
     "f(\"a\\n\", 'c')\nb"},
    {"and a replacement without", "f(\\\"a\\\")\\nb", "f(\"a\\n\")\nb", "f(\"a\")\nb",
     "f(\"a\\n\")\nb"},
    {"three such quotes", "f(\\\"a\\\")\\nb", "\\\"\\\"\\\"c\\nd\\\"\\\"\\\"", "f(\"a\")\nb", NULL},
    {"all of them in one, and more that is escaped", "f(\\\"a\\\")\\nb", "f(\\\"a\\\\\\\"\\\")",
     "f(\"a\")\nb", NULL},
    {"a name", "a\\nb", "a \\times b\\nb", "a\nb", NULL},
    {"one beside others", "\\alpha\\nb", "\\alpha\\nu\\nb", "\\alpha\nb", NULL},
    {"a tab behind a word", "a\\nb", "a\\tb", "a\nb", NULL},
    {"a pattern that is one", "a\\nb", "f(/\\n/)\\nb", "a\nb", NULL},
    {"a quote", "a\\nb", "f(\\\"c\\\")", "a\nb", NULL},
    {"a number", "a\\nb", "f(\"\\u003c\")", "a\nb", NULL},
    {"a quote that nothing closes", "a\\nb", "f('c\\nb", "a\nb", NULL},
    {"nothing but another that opens", "a\\nb", "// 'c\\nf('d')\\nb", "a\nb", NULL},
    {"not in its line", "a\\nb", "f(`c\nd`)\\nb", "a\nb", NULL},
    {"three quotes", "a\\nb", "\"\"\"c\\nd\"\"\"", "a\nb", NULL},
    {"a fence", "```js\\nf('a\\n');\\n```", "```\\nb;\\n```", "```js\nf('a\\n');\n```",
     "```\nb;\n```"},
    {"two backslashes", "f('\\\\');\\nb;", "f('\\\\d');\\nb;", "f('\\\\');\nb;", "f('\\\\d');\nb;"},
    {"... that are new", "a;\\nb;", "f('\\\\d');\\nb;", "a;\nb;", NULL},
    {"a backslash at the end", "a\\nb", "c\\", "a\nb", "c\\"},
    {"none but within quotes", "f(\"a\\n\")", "b", NULL, NULL},
    {"none", "a\\db", "b", NULL, NULL},
    {"no backslash", "a\nb", "c\\nd", NULL, NULL},
};

static void texts_become_what_they_stand_for(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_near_miss mended;
        bool is, clear;
        assert_int_equal(em_escaped_layout_of(em_slice_of(cases[i].find),
                                              em_slice_of(cases[i].insert), false, &arena, &mended,
                                              &is, &clear),
                         EM_OK);
        check_size(cases[i].what, is, cases[i].wanted_find != NULL);
        check_size(cases[i].what, clear, cases[i].wanted_insert != NULL);
        if (is)
            check_bytes(cases[i].what, mended.find, em_slice_of(cases[i].wanted_find));
        if (clear)
            check_bytes(cases[i].what, mended.insert, em_slice_of(cases[i].wanted_insert));
    }
}

static void quotes_may_be_no_strings(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_slice comments = EM_LIT("\" a\\n\" b\\n\\tc");
    em_near_miss mended;
    bool is, clear;
    assert_int_equal(
        em_escaped_layout_of(comments, EM_LIT("f(\"a\")\\n"), true, &arena, &mended, &is, &clear),
        EM_OK);
    assert_true(is && clear);
    check_bytes("in quotes", mended.find, EM_LIT("\" a\n\" b\n\tc"));
    check_bytes("what comes", mended.insert, EM_LIT("f(\"a\")\n"));
    assert_int_equal(em_escaped_layout_of(comments, comments, true, &arena, &mended, &is, &clear),
                     EM_OK);
    assert_true(is && !clear);
    assert_int_equal(
        em_escaped_layout_of(comments, EM_LIT("f(\"\\d\")\\n"), true, &arena, &mended, &is, &clear),
        EM_OK);
    assert_true(is && clear); /* what is no layout anywhere is none in quotes, either */
}

static em_status run(em_arena *arena, const void *context)
{
    em_near_miss mended;
    bool is, clear;
    (void)context;
    return em_escaped_layout_of(em_slice_of(cases[0].find), em_slice_of(cases[0].insert), false,
                                arena, &mended, &is, &clear);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    check_scarce("a text", run, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_become_what_they_stand_for),
        cmocka_unit_test(quotes_may_be_no_strings),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
