#include "match/unwrap.h"

#include "scarce_arena.h"

#include "base/strbuf.h"

#include <time.h>

/* ---- One wrapping --------------------------------------------------------------------------- */

static const struct {
    const char *what, *find, *insert;
    em_miss miss;
    const char *plain_find,
        *plain_insert; /* of the first reading of this kind; NULL: there is none */
} cases[] = {
    {"nothing is wrapped", "a\nb", "c", EM_MISS_FENCE, NULL, NULL},
    /* fences */
    {"a fence", "```js\na\nb\n```", "```js\nc\n```", EM_MISS_FENCE, "a\nb", "c"},
    {"with line breaks around", "\n```\na\n```\n", "```\nc\n```\n\n", EM_MISS_FENCE, "a", "c"},
    {"of waves", "~~~\na\n~~~", "~~~\nc\n~~~", EM_MISS_FENCE, "a", "c"},
    {"only the search text", "```\na\n```", "c", EM_MISS_FENCE, "a", "c"},
    {"only the search text, and the other ends a line", "```\na\nb\n```\n", "c\n", EM_MISS_FENCE,
     "a\nb\n", "c\n"},
    {"only the search text, and nothing comes", "```\na\n```", "", EM_MISS_FENCE, "a\n", ""},
    {"nothing comes in a fence", "```\na\n```", "```\n```", EM_MISS_FENCE, "a\n", ""},
    {"an empty line comes", "```\na\n```", "```\n\n```", EM_MISS_FENCE, "a", ""},
    {"CRLFs", "```\r\na\r\nb\r\n```\r\n", "```\r\nc\r\n```", EM_MISS_FENCE, "a\r\nb", "c"},
    {"CRLFs of the search text", "```\r\na\r\n```", "c", EM_MISS_FENCE, "a", "c"},
    {"nothing inside", "```\n```", "c", EM_MISS_FENCE, "", "c"},
    {"a replacement that is fenced in part", "```\na\n```", "```\nc\n", EM_MISS_FENCE, NULL, NULL},
    {"not closed", "```\na\n", "c", EM_MISS_FENCE, NULL, NULL},
    {"closed by another one", "```\na\n~~~", "c", EM_MISS_FENCE, NULL, NULL},
    {"closed within a line", "```\na```", "c", EM_MISS_FENCE, NULL, NULL},
    {"which says the same language", " ```js\na\n```", "```js \nc\n```", EM_MISS_FENCE, "a", "c"},
    {"which changes the language", "```js\na\n```", "```ts\nc\n```", EM_MISS_FENCE, NULL, NULL},
    {"... or brings one", "```\na\n```", "```ts\nc\n```", EM_MISS_FENCE, NULL, NULL},
    {"a fence and nothing else", "``````", "c", EM_MISS_FENCE, NULL, NULL},
    /* markers */
    {"the markers of an answer", ">>>a\nb<<<", ">>>c<<<", EM_MISS_MARKERS, "a\nb", "c"},
    {"with line breaks around", "\n>>>  a\n<<<\n", "  c\n", EM_MISS_MARKERS, "  a\n", "  c\n"},
    {"one of two", ">>>a\nb", "c", EM_MISS_MARKERS, NULL, NULL},
    {"of a conflict", ">>>>a<<<<", "c", EM_MISS_MARKERS, NULL, NULL},
    {"markers and nothing else", ">>><<<", "c", EM_MISS_MARKERS, NULL, NULL},
    /* line numbers */
    {"bars", "12 | a\n13 |   b", "12 | a\n13 |   c", EM_MISS_LINE_NUMBERS, "a\n  b", "a\n  c"},
    {"bars without blanks", "9|a\n10|  b\n", "9|c\n", EM_MISS_LINE_NUMBERS, "a\n  b\n", "c\n"},
    {"colons", " 7: a\n 8: b", " 7: c", EM_MISS_LINE_NUMBERS, "a\nb", "c"},
    {"arrows", "7\xE2\x86\x92\ta\n8\xE2\x86\x92\tb", "7\xE2\x86\x92\tc", EM_MISS_LINE_NUMBERS,
     "\ta\n\tb", "\tc"},
    {"tabs", "   7\t a\n   8\tb", "   7\t c", EM_MISS_LINE_NUMBERS, " a\nb", " c"},
    {"an empty line with its number", "7: a\n8:\n9\n10: b", "7: a\n8:\n9\n10: c",
     EM_MISS_LINE_NUMBERS, "a\n\n\nb", "a\n\n\nc"},
    {"an empty line without", "7: a\n\n9: b\r\n", "7: c\n", EM_MISS_LINE_NUMBERS, "a\n\nb\r\n",
     "c\n"},
    {"empty lines first", "\n7: a\n8: b", "c", EM_MISS_LINE_NUMBERS, "\na\nb", "c"},
    {"the replacement without numbers", "7: a\n8: b", "a\nc", EM_MISS_LINE_NUMBERS, "a\nb", "a\nc"},
    {"which knows that the blank is indentation", "7: a\n8: b", " a\n c", EM_MISS_LINE_NUMBERS,
     " a\n b", " a\n c"},
    {"a blank that only the search text's numbers have", "7|  a\n8|  b", "7| a\n8| c",
     EM_MISS_LINE_NUMBERS, " a\n b", " a\n c"},
    {"... or those of both have", "7|  a\n8|  b", "7|  a\n8| c", EM_MISS_LINE_NUMBERS, " a\n b",
     " a\nc"},
    {"not one after the other", "7: a\n9: b", "c", EM_MISS_LINE_NUMBERS, NULL, NULL},
    {"not all lines", "7: a\nb", "c", EM_MISS_LINE_NUMBERS, NULL, NULL},
    {"of two kinds", "7: a\n8| b", "c", EM_MISS_LINE_NUMBERS, NULL, NULL},
    {"numbers alone", "7\n8", "c", EM_MISS_LINE_NUMBERS, NULL, NULL},
    {"numbers that are content", "7 + a\n8 + b", "c", EM_MISS_LINE_NUMBERS, NULL, NULL},
    {"too long for a number", "12345678901: a", "c", EM_MISS_LINE_NUMBERS, NULL, NULL},
    {"new lines lack their numbers", "7: a\n8: b", "7: a\nnew\n8: b", EM_MISS_LINE_NUMBERS, "a\nb",
     "a\nnew\nb"},
    {"new lines go on counting", "7: a\n8: b", "7: a\n8: new\n9: b", EM_MISS_LINE_NUMBERS, "a\nb",
     "a\nnew\nb"},
    {"it is counted anew", "7: a\n8: b", "1: a\n2: c", EM_MISS_LINE_NUMBERS, "a\nb", "a\nc"},
    {"it is not counted", "7: a\n8: b", "7: a\n99: c", EM_MISS_LINE_NUMBERS, NULL, NULL},
    {"numbers of its own", "1:ports:\n2:  a: 1", "ports:\n  80: 1", EM_MISS_LINE_NUMBERS,
     "ports:\n  a: 1", "ports:\n  80: 1"},
    {"numbers of its own that might be these", "1:map:\n2:  1: a\n3:  2: b", "map:\n  1: a\n  2: c",
     EM_MISS_LINE_NUMBERS, "map:\n  1: a\n  2: b", "map:\n  1: a\n  2: c"},
    {"it cannot be told", "1:1: a\n2:2: b", "1: a\n2: c", EM_MISS_LINE_NUMBERS, NULL, NULL},
    {"... nor of a single line", "2:2: a", "2: b", EM_MISS_LINE_NUMBERS, NULL, NULL},
    {"... nor whether the file's number goes", "2\t443\ta", "2\ta", EM_MISS_LINE_NUMBERS, NULL,
     NULL},
    {"the file's number, and none of these", "2\t443\ta", "443\tb", EM_MISS_LINE_NUMBERS, "443\ta",
     "443\tb"},
    {"... which becomes another one", "2\t443\ta", "444\ta", EM_MISS_LINE_NUMBERS, "443\ta",
     "444\ta"},
    {"... in one of the lines", "1\tports:\n2\t80\ta", "80\tb", EM_MISS_LINE_NUMBERS,
     "ports:\n80\ta", "80\tb"},
    {"... and in one without", "1\tports:\n2\t80\ta", "1\tdoors:", EM_MISS_LINE_NUMBERS,
     "ports:\n80\ta", "doors:"},
    {"... behind which a line has none", "2\t443\ta", "2\t443\tb\n3\tc", EM_MISS_LINE_NUMBERS,
     "443\ta", "443\tb\nc"},
    {"nor whether one is a number", "7: a\n8: b", "99: x\nc", EM_MISS_LINE_NUMBERS, NULL, NULL},
    {"a number within a line", "7: a\n8: b", "c 7: a\nb", EM_MISS_LINE_NUMBERS, NULL, NULL},
    {"a line that was repeated without", "7: a\n8: b", "7: a\nb", EM_MISS_LINE_NUMBERS, NULL, NULL},
    {"... and, before that, with its number", "7|a\n8|}", "7|a\n8|}\nc\n}", EM_MISS_LINE_NUMBERS,
     "a\n}", "a\n}\nc\n}"},
    {"... or behind it", "7\ta\n8\t}", "7\ta\n}\nc\n8\t}", EM_MISS_LINE_NUMBERS, "a\n}",
     "a\n}\nc\n}"},
    {"... but another one was not", "7|a\n8|}", "a\n8|}\nc\n}", EM_MISS_LINE_NUMBERS, NULL, NULL},
    {"the first line was cut in front", "f(x)\n8| a\n9| b", "f(x)\n8| c", EM_MISS_LINE_NUMBERS,
     "f(x)\na\nb", "f(x)\nc"},
    {"... and the replacement came without numbers", "f(x)\n8\ta\n9\tb", "f(y)\na\nb",
     EM_MISS_LINE_NUMBERS, "f(x)\na\nb", "f(y)\na\nb"},
    {"... and has it whole, with its number", "f(x)\n8: a\n9: b", "7: int f(x)\n8: c\n9: b",
     EM_MISS_LINE_NUMBERS, "f(x)\na\nb", "int f(x)\nc\nb"},
    {"... behind one line, which has a bar", "f(x)\n8| a", "f(x)\n8| c", EM_MISS_LINE_NUMBERS,
     "f(x)\na", "f(x)\nc"},
    {"one line behind another", "ports:\n80: a", "ports:\n81: a", EM_MISS_LINE_NUMBERS, NULL, NULL},
    {"a line without that is not the first", "7: a\nb\n9: c", "d", EM_MISS_LINE_NUMBERS, NULL,
     NULL},
    /* entities */
    {"signs", "a &lt; b &amp;&amp; c", "&gt;", EM_MISS_ENTITIES, "a < b && c", ">"},
    {"by number", "&#65;&#x42;&#X63;", "&#160;", EM_MISS_ENTITIES, "ABc", "\xC2\xA0"},
    {"the replacement without", "&quot;a&apos;", "b", EM_MISS_ENTITIES, "\"a'", "b"},
    {"none", "a & b; &# &#; &#x; &#g; &#xD800; &#0; &#123456789; &foo;", "&lt;", EM_MISS_ENTITIES,
     NULL, NULL},
    {"no digits, but for one bit", "a &#\x16\x15; \\u003\x1c b", "c", EM_MISS_ENTITIES, NULL, NULL},
    {"a no-break space", "a&nbsp;b", "c", EM_MISS_ENTITIES,
     "a\xC2\xA0"
     "b",
     "c"},
    /* escapes */
    {"quotes", "a(\\\"x\\\")", "a(\\\"y\\\")", EM_MISS_ESCAPES, "a(\"x\")", "a(\"y\")"},
    {"line breaks", "a\\nb", "a\\n\\tc", EM_MISS_ESCAPES, "a\nb", "a\n\tc"},
    {"a backslash behind all", "a\\nb\\", "c", EM_MISS_ESCAPES, "a\nb\\", "c"},
    {"no escape that is known", "a\\db", "c", EM_MISS_ESCAPES, NULL, NULL},
    {"a line break in a string stays", "p(\\\"x\\\")", "p(\\\"x\\n\\\")", EM_MISS_ESCAPES,
     "p(\"x\")", "p(\"x\\n\")"},
    {"a new one, beside lines that a quote begins", "\" a\\n\" b\\nc",
     "\" a\\np(\"x\\n\")\\n\" b\\nc", EM_MISS_ESCAPES, NULL, NULL},
    {"... all of which are escaped", "\\\" a\\n\\\" b\\nc",
     "\\\" a\\n\\\" b\\np(\\\"x\\ny\\n\\\")\\nd", EM_MISS_ESCAPES, "\" a\\n\" b\\nc",
     "\" a\\n\" b\\np(\"x\\ny\\n\")\\nd"},
    {"such a line that is new", "\" a\\n\" b\\nc", "\" a\\n\" d\\n\" b\\nc", EM_MISS_ESCAPES,
     "\" a\n\" b\nc", "\" a\n\" d\n\" b\nc"},
    {"a string that was broken", "p(\"a\\nb\")\\nc", "p(\"a\\nd\")\\ne", EM_MISS_ESCAPES,
     "p(\"a\nb\")\nc", "p(\"a\nd\")\ne"},
    {"not between three quotes", "f()\\ng(\\\"\\\")", "\\\"\\\"\\\"a\\nb\\\"\\\"\\\"\\ng(\\\"\\\")",
     EM_MISS_ESCAPES, "f()\ng(\"\")", "\"\"\"a\nb\"\"\"\ng(\"\")"},
    {"a new backslash where all is escaped", "a(\\\"x\\\")\\nb", "a(\\\"\\\\d\\\")\\nb",
     EM_MISS_ESCAPES, "a(\"x\")\nb", "a(\"\\d\")\nb"},
    {"a new backslash where only quotes are", "a(\\\"x\\\")\nb", "a(\\\"\\\\d\\\")\nb",
     EM_MISS_ESCAPES, "a(\"x\")\nb", "a(\"\\\\d\")\nb"},
    {"a backslash before some quotes alone is the text's own", "a: \"b \\\"c\\\"\"\\nd",
     "a: \"b \\\"c\\\"\"\\ne", EM_MISS_ESCAPES, "a: \"b \\\"c\\\"\"\nd", "a: \"b \\\"c\\\"\"\ne"},
    {"... before curly ones",
     "a: \xE2\x80\x9C"
     "b \\\xE2\x80\x9D\\\xE2\x80\x9D\xE2\x80\x9D\\nd",
     "a: \"b \\\"\\\"\"\\ne", EM_MISS_ESCAPES,
     "a: \xE2\x80\x9C"
     "b \\\xE2\x80\x9D\\\xE2\x80\x9D\xE2\x80\x9D\nd",
     "a: \"b \\\"\\\"\"\ne"},
    {"... before some of the replacement", "a(\"b\")\\nd", "a(\"b \\\"\\\"\")\\nd", EM_MISS_ESCAPES,
     "a(\"b\")\nd", "a(\"b \\\"\\\"\")\nd"},
    {"... before single ones", "a('b \\'\\'', \\\"\\\")\\nd", "e('b \\'\\'', \\\"\\\")\\nd",
     EM_MISS_ESCAPES, "a('b \\'\\'', \"\")\nd", "e('b \\'\\'', \"\")\nd"},
    {"before all of the replacement, it is none", "a(\"b\")\\nd", "a(\\\"b\\\")\\ne",
     EM_MISS_ESCAPES, "a(\"b\")\nd", "a(\"b\")\ne"},
    {"it cannot be told", "a(\\\"x\\\")", "a(\\\"\\\\d\\\")", EM_MISS_ESCAPES, NULL, NULL},
    {"... before some of the replacement, where the search text has none", "a\\nb",
     "c(\"d \\\"\\\"\")\\nb", EM_MISS_ESCAPES, "a\nb", "c(\"d \\\"\\\"\")\nb"},
    /* escapes that only the replacement has */
    {"a name", "a\\nb", "a \\times c\\nb", EM_MISS_ESCAPES, NULL, NULL},
    {"another one", "a\\nb", "a \\rho c\\nb", EM_MISS_ESCAPES, NULL, NULL},
    {"a tab within a line", "a\\nb", "a(\"c\\td\")\\nb", EM_MISS_ESCAPES, NULL, NULL},
    {"which the search text has, too", "a\\tb\\nc", "a\\td\\nc", EM_MISS_ESCAPES, "a\tb\nc",
     "a\td\nc"},
    {"tabs before a line", "a\\nb", "a {\\n \\t\\tc\\n}\\nb", EM_MISS_ESCAPES, "a\nb",
     "a {\n \t\tc\n}\nb"},
    {"at the start of all", "a\\nb", "\\tc\\nb", EM_MISS_ESCAPES, "a\nb", "\tc\nb"},
    {"CRs of line endings", "a\\nb", "a\\r\\nc", EM_MISS_ESCAPES, "a\nb", "a\r\nc"},
    {"a name beside others", "\\alpha\\nb", "\\alpha + \\nu\\nb", EM_MISS_ESCAPES, NULL, NULL},
    {"... that are new", "a\\nb", "\\begin{c}\\n\\noindent b\\nd", EM_MISS_ESCAPES, NULL, NULL},
    {"which the search text has, too", "\\alpha\\nb\\nc", "\\beta\\nc\\nb", EM_MISS_ESCAPES,
     "\\alpha\nb\nc", "\\beta\nc\nb"},
    {"a pattern's own", "a\\nb", "c(/\\d\\w+/)\\nd", EM_MISS_ESCAPES, "a\nb", "c(/\\d\\w+/)\nd"},
    {"a letter by its number", "a(\"\\u00e9\")\\nb", "a(\"\\u00E8\")\\nb", EM_MISS_ESCAPES,
     "a(\"\xC3\xA9\")\nb", "a(\"\xC3\xA8\")\nb"},
    {"a curly quote", "say \\u201cyes\\u201d", "say \\u201cno\\u201d", EM_MISS_ESCAPES,
     "say \xE2\x80\x9Cyes\xE2\x80\x9D", "say \xE2\x80\x9Cno\xE2\x80\x9D"},
    {"a character of two numbers", "a \\ud83d\\ude00", "b", EM_MISS_ESCAPES, "a \xF0\x9F\x98\x80",
     "b"},
    {"half of one", "a \\ud83d b", "c", EM_MISS_ESCAPES, NULL, NULL},
    {"a blank by its number", "a \\u0020\\u0009 b", "c", EM_MISS_ESCAPES, NULL, NULL},
    {"a letter whose number only the replacement has", "a\\nb", "a(\"\\u00e9\")\\nb",
     EM_MISS_ESCAPES, NULL, NULL},
    {"a sign by its number", "a\\nb", "a(\"\\u003c\")\\nb", EM_MISS_ESCAPES, NULL, NULL},
    {"a line break between single quotes", "a\\nb", "a = '\\n';\\nb", EM_MISS_ESCAPES, NULL, NULL},
    {"behind a text", "a\\nb", "a('c\\n\\n')\\nb", EM_MISS_ESCAPES, NULL, NULL},
    {"which the search text has, too", "a = '\\n'\\nb", "c = '\\n'\\nb", EM_MISS_ESCAPES,
     "a = '\n'\nb", "c = '\n'\nb"},
    {"a pattern", "a\\nb", "a(/\\r\\n/)\\nb", EM_MISS_ESCAPES, NULL, NULL},
    {"between apostrophes", "a\\nb", "I don't,\\nit's b", EM_MISS_ESCAPES, "a\nb",
     "I don't,\nit's b"},
    {"behind a string that is over", "a\\nb", "a = 'c';\\nd = 'e';", EM_MISS_ESCAPES, "a\nb",
     "a = 'c';\nd = 'e';"},
    {"where backslashes are escaped, too", "a\\nb", "a(\"c\\\\td\")\\nb", EM_MISS_ESCAPES, "a\nb",
     "a(\"c\\td\")\nb"},
};

static const em_reading *first_of(const em_readings *readings, em_miss miss)
{
    for (size_t i = 0; i < readings->count; i++)
        if (readings->items[i].miss == miss)
            return &readings->items[i];
    return NULL;
}

static void one_wrapping_is_taken_off(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_readings readings;
        assert_int_equal(em_readings_of(em_slice_of(cases[i].find), em_slice_of(cases[i].insert),
                                        &arena, &readings),
                         EM_OK);
        const em_reading *first = first_of(&readings, cases[i].miss);
        check_size(cases[i].what, first != NULL, cases[i].plain_insert != NULL);
        if (!first)
            continue;
        check_bytes(cases[i].what, first->find, em_slice_of(cases[i].plain_find));
        check_bytes(cases[i].what, first->insert, em_slice_of(cases[i].plain_insert));
        check_size(cases[i].what, first->whole_lines,
                   cases[i].miss == EM_MISS_LINE_NUMBERS || cases[i].miss == EM_MISS_MARKERS);
    }
}

/* ---- Several wrappings ---------------------------------------------------------------------- */

static bool has_reading(const em_readings *readings, const char *find, const char *insert,
                        bool whole_lines)
{
    for (size_t i = 0; i < readings->count; i++)
        if (em_slice_is(readings->items[i].find, find) &&
            em_slice_is(readings->items[i].insert, insert) &&
            readings->items[i].whole_lines == whole_lines)
            return true;
    return false;
}

static void several_are_taken_off_from_the_outside(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_readings readings;
    assert_int_equal(em_readings_of(EM_LIT("```\n1: a &#x61; \\\"\n```"), EM_LIT("1: &#65; \\\""),
                                    &arena, &readings),
                     EM_OK);
    assert_true(has_reading(&readings, "1: a &#x61; \\\"", "1: &#65; \\\"", false));
    assert_true(has_reading(&readings, "a &#x61; \\\"", "&#65; \\\"", true));
    assert_true(has_reading(&readings, "a a \\\"", "A \\\"", true));
    assert_true(has_reading(&readings, "a a \"", "A \"", true));
    assert_true(readings.count <= EM_MOST_READINGS);
}

/* As where all of a text came as one JSON string. What the replacement has of its own stays clear
 * of it: it is read only where that is plain. */
static void escapes_around_others_are_taken_off_first(void **state)
{
    static const struct {
        const char *what, *find, *insert;
        const char *plain_find, *plain_insert; /* NULL: there is no such reading */
        bool whole_lines;
    } rows[] = {
        {"a fence", "```js\\na;\\nb;\\n```", "```js\\nc;\\n```", "a;\nb;", "c;", false},
        {"numbers", "7 | a;\\n8 | b;", "7 | c;\\n8 | b;", "a;\nb;", "c;\nb;", true},
        {"and tabs", "7\\ta;\\n8\\tb;", "7\\tc;", "a;\nb;", "c;", true},
        {"both", "```\\n7: a;\\n8: b;\\n```", "```\\n7: c;\\n```", "a;\nb;", "c;", true},
        {"a plain replacement", "7 | a;\\n8 | b;", "c;\nb;", "a;\nb;", "c;\nb;", true},
        {"quotes", "7 | a(\\\"\\\");\\n8 | b;", "7 | c(\\\"'\\\");\\n", "a(\"\");\nb;",
         "c(\"'\");\n", true},
        {"backslashes", "7 | a(\\\"\\\\n\\\");\\n8 | b;", "7 | c(\\\"\\\\t\\\");",
         "a(\"\\n\");\nb;", "c(\"\\t\");", true},
        {"new ones", "7 | a;\\n8 | b;", "7 | c(\\\"\\\\t\\\");", "a;\nb;", NULL, true},
        {"an escape in a string", "7 | a;\\n8 | b;", "7 | c(\"\\t\");\\n", "a;\nb;", NULL, true},
        {"between other quotes", "7 | a;\\n8 | b;", "7 | c(`\\n`);\\n", "a;\nb;", NULL, true},
        {"of a name", "7 | a;\\n8 | b;", "7 | c \\sum;\\n", "a;\nb;", NULL, true},
        {"in a plain replacement", "7 | a;\\n8 | b;", "c(/\\n/);\nb;", "a;\nb;", NULL, true},
        {"beside a real line break", "7 | a;\\n8 | b;\n", "c;", "a;\nb;\n", NULL, true},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_readings readings;
        bool is_read = false;
        assert_int_equal(em_readings_of(em_slice_of(rows[i].find), em_slice_of(rows[i].insert),
                                        &arena, &readings),
                         EM_OK);
        for (size_t j = 0; j < readings.count; j++)
            is_read |= em_slice_is(readings.items[j].find, rows[i].plain_find);
        check_size(rows[i].what, is_read, rows[i].plain_insert != NULL);
        if (is_read &&
            !has_reading(&readings, rows[i].plain_find, rows[i].plain_insert, rows[i].whole_lines))
            fail_msg("%s", rows[i].what);
        for (size_t j = 0; j < readings.count && is_read; j++)
            if (em_slice_is(readings.items[j].find, rows[i].plain_find))
                check_size(rows[i].what, readings.items[j].is_unescaped, true);
    }
}

/* A string that the search text breaks too may be one of several lines. */
static void both_readings_of_a_line_break_in_a_string(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_readings readings;
    assert_int_equal(
        em_readings_of(EM_LIT("a \\\" b\\nc"), EM_LIT("a \\\" d\\nc"), &arena, &readings), EM_OK);
    assert_true(has_reading(&readings, "a \" b\\nc", "a \" d\\nc", false));
    assert_true(has_reading(&readings, "a \" b\nc", "a \" d\nc", false));
}

/* Whether it belongs to the number or to the indentation, unless the replacement tells. */
static void both_readings_of_a_blank_behind_a_number(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_readings readings;
    assert_int_equal(em_readings_of(EM_LIT("3:  a"), EM_LIT("  b"), &arena, &readings), EM_OK);
    assert_true(readings.count == 2 && has_reading(&readings, "  a", "  b", true));
    assert_true(em_slice_is(readings.items[0].find, " a"));
    assert_int_equal(em_readings_of(EM_LIT("3:  a"), EM_LIT("  a\n  b"), &arena, &readings), EM_OK);
    assert_true(readings.count == 1 && em_slice_is(readings.items[0].find, "  a"));
    assert_int_equal(em_readings_of(EM_LIT("3:  a"), EM_LIT(" a\n b"), &arena, &readings), EM_OK);
    assert_true(readings.count == 1 && em_slice_is(readings.items[0].find, " a"));
    assert_int_equal(em_readings_of(EM_LIT("3:  a"), EM_LIT("3:  b"), &arena, &readings), EM_OK);
    assert_true(readings.count == 2 && em_slice_is(readings.items[0].insert, " b"));
    assert_true(em_slice_is(readings.items[1].insert, "  b") && readings.items[1].must_fit);
    assert_false(readings.items[0].must_fit);
    assert_int_equal(em_readings_of(EM_LIT("3:a"), EM_LIT("b"), &arena, &readings), EM_OK);
    assert_int_equal(readings.count, 1);
    assert_int_equal(em_readings_of(EM_LIT("3:  a"), EM_LIT("3:  a\n4:b"), &arena, &readings),
                     EM_OK);
    assert_true(readings.count == 1 && has_reading(&readings, "  a", "  a\nb", true));
    assert_false(readings.items[0].must_fit);
}

/* Lines that came without a number are as deep as they are: the file has to tell. */
static void both_readings_where_some_lines_have_no_number(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_readings readings;
    assert_int_equal(em_readings_of(EM_LIT("3:  a"), EM_LIT("3:  a\n\n  b"), &arena, &readings),
                     EM_OK);
    assert_true(readings.count == 2 && has_reading(&readings, " a", " a\n\n  b", true) &&
                has_reading(&readings, "  a", "  a\n\n  b", true));
    assert_true(readings.items[0].must_fit && !readings.items[1].must_fit);
    assert_int_equal(em_readings_of(EM_LIT("3:  a"), EM_LIT("3:  a\n b"), &arena, &readings),
                     EM_OK);
    assert_true(!readings.items[0].must_fit && readings.items[1].must_fit);
    assert_int_equal(em_readings_of(EM_LIT("3:  a"), EM_LIT("3:  a\nb"), &arena, &readings), EM_OK);
    assert_true(readings.items[0].must_fit && readings.items[1].must_fit);
    assert_int_equal(em_readings_of(EM_LIT("3:  a"), EM_LIT("3:  a\n\n"), &arena, &readings),
                     EM_OK);
    assert_true(readings.count == 2 && !readings.items[0].must_fit && readings.items[1].must_fit);
}

/* ---- Long texts ----------------------------------------------------------------------------- */

/* Only the first lines are compared with each other: 20,000 lines take no longer than the text. */
static void long_texts_are_read_in_time(void **state)
{
    (void)state;
    enum { LINES = 20000 };
    static char find[LINES * 16], insert[LINES * 16];
    size_t x = 0, y = 0;
    for (int i = 0; i < LINES; i++) {
        x += (size_t)sprintf(find + x, "%d | l%d\n", i + 1, i);
        y += (size_t)sprintf(insert + y, "%d | k%d\n", i + 1, i);
    }
    EM_AUTO(em_arena) arena = {0};
    em_readings readings;
    assert_int_equal(
        em_readings_of(em_slice_make(find, x), em_slice_make(insert, y), &arena, &readings), EM_OK);
    const em_reading *plain = first_of(&readings, EM_MISS_LINE_NUMBERS);
    assert_non_null(plain);
    assert_true(em_slice_starts(plain->find, EM_LIT("l0\nl1\n")));
    assert_true(em_slice_starts(plain->insert, EM_LIT("k0\nk1\n")));
}

/* Each line of the replacement begins a string, or a comment as Vim has them, and has a name that
 * may be an escape; all come in another order: nobody knows, and says so soon. Looking for each of
 * them from the start of the search text would take minutes. */
static void lines_in_another_order_are_read_in_time(void **state)
{
    (void)state;
    enum { LINES = 40000, SECONDS = 20 };
    for (int form = 0; form < 2; form++) {
        EM_AUTO(em_strbuf) find = {0}, insert = {0};
        for (int i = 0; i < LINES; i++) {
            em_strbuf *const texts[] = {&find, &insert};
            for (size_t k = 0; k < COUNT_OF(texts); k++) {
                int n = k == 0 ? i : LINES - 1 - i;
                if (form == 0)
                    em_strbuf_printf(texts[k], "\" l%d\\n", n);
                else
                    em_strbuf_printf(texts[k], "\\alpha \\nu%c%c%c\\n", 'a' + n / 1600,
                                     'a' + n / 40 % 26, 'a' + n % 26);
            }
        }
        EM_AUTO(em_arena) arena = {0};
        em_readings readings;
        clock_t begun = clock();
        assert_int_equal(
            em_readings_of(em_strbuf_slice(&find), em_strbuf_slice(&insert), &arena, &readings),
            EM_OK);
        assert_true((clock() - begun) / CLOCKS_PER_SEC < SECONDS);
        assert_null(first_of(&readings, EM_MISS_ESCAPES));
    }
}

static em_status read_all(em_arena *arena, const void *context)
{
    em_readings readings;
    return em_readings_of(em_slice_of(context), EM_LIT("```\n1: &#65; \\\" \\n\\\\\n```"), arena,
                          &readings);
}

static void memory_that_runs_out_is_a_status(void **state)
{
    (void)state;
    check_scarce("readings", read_all, "```\n1: a &#x61; \\\" \\n\\\\\n```");
}

/* Or of line breaks that the file has as escapes: it knows. */
static void quotes_beside_escapes_of_the_files_own(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_readings readings;
    assert_int_equal(em_readings_of(EM_LIT("p '%s\\n' \\\"a\\\""), EM_LIT("p '%s\\n' \\\"b\\\""),
                                    &arena, &readings),
                     EM_OK);
    assert_true(has_reading(&readings, "p '%s\\n' \"a\"", "p '%s\\n' \"b\"", false));
    assert_int_equal(em_readings_of(EM_LIT("p '%s\\n' \\\"a\\\""),
                                    EM_LIT("p '%s\\n' \\\"a\\\"\\nq"), &arena, &readings),
                     EM_OK);
    assert_false(has_reading(&readings, "p '%s\\n' \"a\"", "p '%s\\n' \"a\"\\nq", false));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quotes_beside_escapes_of_the_files_own),
        cmocka_unit_test(one_wrapping_is_taken_off),
        cmocka_unit_test(several_are_taken_off_from_the_outside),
        cmocka_unit_test(escapes_around_others_are_taken_off_first),
        cmocka_unit_test(both_readings_of_a_line_break_in_a_string),
        cmocka_unit_test(both_readings_of_a_blank_behind_a_number),
        cmocka_unit_test(both_readings_where_some_lines_have_no_number),
        cmocka_unit_test(long_texts_are_read_in_time),
        cmocka_unit_test(lines_in_another_order_are_read_in_time),
        cmocka_unit_test(memory_that_runs_out_is_a_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
