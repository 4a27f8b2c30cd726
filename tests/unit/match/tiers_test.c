#include "match/tiers.h"

#include "edit/op.h"

#include "check_texts.h"

/* What the replacement is taken for, where the search text is found with its entities or escapes
 * undone. */
static const struct {
    const char *what, *text, *find, *insert, *taken_for;
} wrapped[] = {
    {"entities in both", "<b>a &amp; b</b>\n", "&lt;b&gt;a &amp;amp; b&lt;/b&gt;",
     "&lt;i&gt;a &amp;amp; b&lt;/i&gt;", "<i>a &amp; b</i>"},
    {"entities in the search text", "<b>a &amp; b &lt;3</b>\n",
     "&lt;b&gt;a &amp;amp; b &amp;lt;3&lt;/b&gt;", "<i>a &amp; b &lt;3</i>",
     "<i>a &amp; b &lt;3</i>"},
    {"escapes in both", "a = \"x\";\nb();\n", "a = \\\"x\\\";\\nb();", "a = \\\"y\\\";\\nb();",
     "a = \"y\";\nb();"},
    {"escapes in both, and backslashes at ends of lines",
     "\tx=1; sed -e \"s!a.*!a =/b!\" \\\n\t    -e \"s!c.*!d!\" \\\n\t    -e 's!e!!g' \\\nend\n",
     "\tx = 1; sed -e \\\"s!a.*!a =/b!\\\" \\\n\t    -e \\\"s!c.*!d!\\\" \\\n\t    -e 's!e!!g' "
     "\\\n",
     "\tx = 1; sed -e \\\"s!a.*!a =/b!\\\" \\\n\t    -e 's!e!!g' \\\n",
     "\tx = 1; sed -e \"s!a.*!a =/b!\" \\\n\t    -e 's!e!!g' \\\n"},
    {"escapes in the search text: a sign", "f(c) {\n    return c == '\\n';\n}\n",
     "{\\n    return c == '\\\\n';\\n}", "{\n    log();\n    return c == '\\n';\n}",
     "{\n    log();\n    return c == '\\n';\n}"},
    {"a path", "{\n  \"p\": \"C:\\\\d\",\n  \"n\": 1\n}\n",
     "  \"p\": \"C:\\\\\\\\d\",\n  \"n\": 1\n", "  \"p\": \"C:\\\\d\",\n  \"n\": 2\n",
     "  \"p\": \"C:\\\\d\",\n  \"n\": 2\n"},
    {"line breaks tell", "a = 1;\nb = \"x\";\n", "a = 1;\\nb = \\\"x\\\";",
     "a = 1;\nb = \"C:\\\\d\";", "a = 1;\nb = \"C:\\\\d\";"},
    {"... not where some are escaped in both", "f {\n    a();\n    b(3);\n}\n", " a();\\n b(3);",
     " a();\\n b(3);\n\nx();", " a();\n b(3);\n\nx();"},
    {"... in a file of CRLFs", "f {\r\n    a();\r\n    b(3);\r\n}\r\n", " a();\\n b(3);\\n}\\n",
     " a();\\n b(4);\\n}\\n\nh {\n}\n", " a();\n b(4);\n}\n\nh {\n}\n"},
    {"... in a file of CRs", "f {\r    a();\r    b(3);\r}\r", " a();\\n b(3);\\n}\\n",
     " a();\\n b(4);\\n}\\n", " a();\n b(4);\n}\n"},
};

static em_located located_in(const char *text, const char *find, const char *insert, em_tier most,
                             em_arena *arena)
{
    em_located located;
    em_occurrences in = {.text = em_slice_of(text), .arena = arena};
    assert_int_equal(
        em_tiers_locate(&in, em_slice_of(find), em_slice_of(insert), most, NULL, arena, &located),
        EM_OK);
    return located;
}

static void what_was_not_wrapped_is_not_unwrapped(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(wrapped); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_located located;
        em_occurrences in = {.text = em_slice_of(wrapped[i].text), .arena = &arena};
        assert_int_equal(em_tiers_locate(&in, em_slice_of(wrapped[i].find),
                                         em_slice_of(wrapped[i].insert), EM_TIER_FUZZY, NULL,
                                         &arena, &located),
                         EM_OK);
        check_size(wrapped[i].what, located.places.count, 1);
        check_bytes(wrapped[i].what, located.places.items[0].insert,
                    em_slice_of(wrapped[i].taken_for));
    }
}

/* ---- Other texts ----------------------------------------------------------------------------- */

static void what_says_something_else_is_not_found(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text, *find;
        size_t found;
    } cases[] = {
        {"an escaped line break in a string, and a blank there", "open( a );\nput(\" \");\n",
         "open(a);\nput(\"\\n\");\n", 0},
        {"line breaks that were escaped", "open( a );\nput(b);\n", "open(a);\\nput(b);\\n", 1},
        {"... in a file of CRs", "open( a );\rput(b);\r", "open(a);\\nput(b);\\n", 1},
        {"... at places with either ending", "open( a );\rput(b);\r\nopen( a );\nput(b);\n",
         "open(a);\\nput(b);\\n", 2},
        {"another colour", "a {\n  color: #74b7cb;\n  width: 1px;\n}\n",
         "a {\n  color: #74a7cb;\n  width: 1px;\n}\n", 0},
        {"a slip beside a number", "a {\n  color: var(--border9);\n  width: 1px;\n}\n",
         "a {\n  color: var(--bordre9);\n  width: 1px;\n}\n", 1},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_located located;
        em_occurrences in = {.text = em_slice_of(cases[i].text), .arena = &arena};
        assert_int_equal(em_tiers_locate(&in, em_slice_of(cases[i].find), EM_LIT("x"),
                                         EM_TIER_FUZZY, NULL, &arena, &located),
                         EM_OK);
        check_size(cases[i].what, located.places.count, cases[i].found);
    }
}

/* ---- Places that overlap --------------------------------------------------------------------- */

#define CLOSERS "    }\n  }\n}\n"

/* `place` is what the text has from the place on. */
static const struct {
    const char *what, *text, *find, *place;
    size_t expect;
    bool is_clear;
} overlapping[] = {
    {"the one that is as deep", CLOSERS, "  } \n}", "  }\n}\n", 1, true},
    {"... at the first of them", CLOSERS, "    } \n  }", CLOSERS, 1, true},
    {"... at the end of a text without a line ending", "    }\n  }\n}", "  }\n}\n", "  }\n}", 1,
     true},
    {"none is as deep", CLOSERS, "\t}\n}", CLOSERS, 1, false},
    {"two are as deep", "}\n}\n}\n", "} \n}", "}\n}\n}\n", 1, false},
    {"all are wanted", "}\n}\n}\n", "} \n}", "}\n}\n}\n", EM_EVERY, true},
    {"what means another text overlaps nothing", "a a  b\n", "a\ta  b", "a a  b\n", 1, true},
};

static void of_places_that_overlap_one_must_be_meant(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(overlapping); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_located located;
        em_slice text = em_slice_of(overlapping[i].text);
        em_occurrences in = {.text = text, .arena = &arena};
        assert_int_equal(em_tiers_locate(&in, em_slice_of(overlapping[i].find), EM_LIT("x"),
                                         EM_TIER_TOKEN, NULL, &arena, &located),
                         EM_OK);
        check_size(overlapping[i].what, em_located_is_clear(&located, overlapping[i].expect),
                   overlapping[i].is_clear);
        check_size(overlapping[i].what, located.places.count, 1);
        em_span span = located.places.items[0].span;
        check_bytes(overlapping[i].what, em_slice_from(text, span.start),
                    em_slice_of(overlapping[i].place));
    }
}

/* ---- Line numbers --------------------------------------------------------------------------- */

#define ARROW "\xE2\x86\x92"

/* A blank behind every number may belong to that or to the indentation. */
static const struct {
    const char *what, *text, *find, *insert;
    em_tier tier;
    const char *read; /* what the search text was read as */
} numbered[] = {
    {"a tab", "f:\n        a(1)\n", "     2\t        a(1)\n", "        a(2)\n", EM_TIER_TOKEN,
     "        a(1)\n"},
    {"an arrow", "f:\n        a(1)\n", "2" ARROW "        a(1)\n", "        a(2)\n", EM_TIER_TOKEN,
     "        a(1)\n"},
    {"a bar", "f:\n        a(1)\n", "2|        a(1)\n", "        a(2)\n", EM_TIER_TOKEN,
     "        a(1)\n"},
    {"a bar between blanks", "f:\n        a(1)\n", "2 |         a(1)\n", "        a(2)\n",
     EM_TIER_TOKEN, "        a(1)\n"},
    {"a colon", "f:\n        a(1)\n", "2:        a(1)\n", "        a(2)\n", EM_TIER_TOKEN,
     "        a(1)\n"},
    {"a colon and a blank", "f:\n        a(1)\n", "2:         a(1)\n", "        a(2)\n",
     EM_TIER_TOKEN, "        a(1)\n"},
    {"two lines", "f:\n   a(1)\n   b(2)\n", "2:   a(1)\n3:   b(2)\n", "   c(3)\n", EM_TIER_TOKEN,
     "   a(1)\n   b(2)\n"},
    {"in every place", " a(1)\nx\n a(1)\n", "1: a(1)\n", " a(2)\n", EM_TIER_TOKEN, " a(1)\n"},
    {"not in every place", " a(1)\nx\na(1)\n", "1: a(1)\n", " a(2)\n", EM_TIER_TOKEN, " a(1)\n"},
    {"as deep as neither", "f:\n\ta(1)\n", "2:    a(1)\n", "    a(2)\n", EM_TIER_TOKEN,
     "    a(1)\n"},
    {"nor behind the blank", "f:\n\ta(1)\n", "2:     a(1)\n", "    b()\n        a(2)\n",
     EM_TIER_TOKEN, "    a(1)\n"},
    {"the replacement came as deep as the file", "f:\n    a(1)\n", "2:  a(1)\n", "    b(2)\n",
     EM_TIER_TOKEN, " a(1)\n"},
    {"... with numbers of its own", "f:\n    a(1)\n", "2|      a(1)\n", "2|    a(2)\n",
     EM_TIER_TOKEN, "      a(1)\n"},
    {"nothing comes new", "f:\n    a(1)\n", "2:  a(1)\n", "", EM_TIER_TOKEN, " a(1)\n"},
    {"a new line without a number", "f:\n    a(1)\n", "2:    a(1)\n", "2:    a(1)\n    b(2)\n",
     EM_TIER_TOKEN, "    a(1)\n"},
    {"one that tells nothing", "f:\n    a(1)\n", "2:    a(1)\n", "2:    a(1)\n  b(2)\n",
     EM_TIER_TOKEN, "    a(1)\n"},
    {"one behind the blank", "f:\n    a(1)\n", "2:     a(1)\n", "2:     a(1)\n    b(2)\n",
     EM_TIER_TOKEN, "    a(1)\n"},
    {"one that tells where the file does not", "f:\n    a(1)\n", "2:  a(1)\n", "2:  a(1)\n  b(2)\n",
     EM_TIER_TOKEN, "  a(1)\n"},
    {"one that comes first", "f:\n    a(1)\n", "2:    a(1)\n", "    b(2)\n2:    a(1)\n",
     EM_TIER_TOKEN, "    a(1)\n"},
    {"one of a comment, whose lines stand below each other", "/*\n * a\n */\n", "2: * a\n",
     "2: * a\n* b\n", EM_TIER_TOKEN, "* a\n"},
    {"... with the blank", "/*\n * a\n */\n", "2:  * a\n3:  */\n", "2:  * a\n  * b\n3:  */\n",
     EM_TIER_TOKEN, "  * a\n  */\n"},
    {"all of them have numbers, and the file has the blank", "f:\n       a(1)\n",
     "2\t       a(1)\n", "2\t    b(2)\n3\t       a(1)\n", EM_TIER_TOKEN, "       a(1)\n"},
    {"... or not", "f:\n      a(1)\n", "2:       a(1)\n", "2:     b(2)\n3:       a(1)\n",
     EM_TIER_TOKEN, "      a(1)\n"},
    {"... or is as deep as neither", "f:\n    a(1)\n", "2:   a(1)\n", "2:   a(1)\n3:   b(2)\n",
     EM_TIER_TOKEN, "  a(1)\n"},
    {"where one number has no blank", "f:\n    a(1)\n", "2:  a(1)\n", "2:  a(1)\n3:b()\n",
     EM_TIER_TOKEN, "  a(1)\n"},
    {"more lines are as deep without the blank", "/**\n *\n * see it\n */\nf(x)\n",
     "2: *\n3:  * see it\n4:  */\n5: f(x)\n", "2: z(1)\n3:  *\n4:  * see it\n5:  */\n6: f(x)\n",
     EM_TIER_TOKEN, "*\n * see it\n */\nf(x)\n"},
    {"the replacement tells, and the file is another", "f:\n   a(1)\n   b(2)\n",
     "2:    a(1)\n3:    b(2)\n", "    a(1)\n    c(2)\n", EM_TIER_TOKEN, "    a(1)\n    b(2)\n"},
    {"with an entity", "f:\n    a = b < 1\n", "2:    a = b &lt; 1\n", "    a = 2\n", EM_TIER_TOKEN,
     "    a = b &lt; 1\n"},
    {"with a slip", "f:\n    compute(receive, 1)\n", "2:    compute(recieve, 1)\n",
     "    compute(2)\n", EM_TIER_FUZZY, "    compute(recieve, 1)\n"},
};

static void line_numbers_are_taken_off_as_the_file_is_indented(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(numbered); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_located located;
        em_occurrences in = {.text = em_slice_of(numbered[i].text), .arena = &arena};
        assert_int_equal(em_tiers_locate(&in, em_slice_of(numbered[i].find),
                                         em_slice_of(numbered[i].insert), EM_TIER_FUZZY, NULL,
                                         &arena, &located),
                         EM_OK);
        assert_true(located.places.count > 0);
        check_size(numbered[i].what, located.tier, numbered[i].tier);
        check_bytes(numbered[i].what, located.places.items[0].find, em_slice_of(numbered[i].read));
    }
}

/* Neither the file nor the replacement tells how deep a new line belongs. */
static void a_blank_that_nothing_tells_of_is_not_guessed(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text, *find, *insert;
    } cases[] = {
        {"no line is as deep", "f:\n    a(1)\n", "2:  a(1)\n", "      b(2)\n"},
        {"both readings have such a line", "f:\n        a(1)\n         b(2)\n",
         "2:  a(1)\n3:   b(2)\n", "  c(1)\n"},
        {"a line without a number", "f:\n    a(1)\n", "2:  a(1)\n", "2:  a(1)\n      b(2)\n"},
        {"with an entity", "f:\n    a(1) < 1\n", "2:  a(1) &lt; 1\n",
         "2:  a(1) &lt; 1\n      b(2)\n"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_located located =
            located_in(cases[i].text, cases[i].find, cases[i].insert, EM_TIER_FUZZY, &arena);
        check_size(cases[i].what, located.places.count, 0);
    }
}

/* What was wrapped stands in the file to the byte: then it is not meant where it is only like that.
 * But where the blank behind a number may be of either, both places are. */
static void what_stands_there_without_its_wrapping_is_meant(void **state)
{
    static const struct {
        const char *what, *text, *find, *insert;
        size_t count, start;
    } cases[] = {
        {"numbers", "  a\n  b\nx\n    a\n    b\n", "4 |     a\n5 |     b\n", "    c(1)\n", 1, 14},
        {"... and line endings are CRLFs", "  a\r\n  b\r\nx\r\n    a\r\n    b\r\n",
         "4 |     a\n5 |     b\n", "    c(1)\n", 1, 17},
        {"escaped line breaks, and CRLFs", "  a\r\n  b\r\nx\r\n    a\r\n    b\r\n",
         "    a\\n    b\\n", "    c(1)\n", 1, 17},
        {"a fence", "  a(1)\nx\n    a(1)\n", "```\n    a(1)\n```\n", "    c(1)\n", 1, 13},
        {"twice", "a(1)\nx\n    a(1)\nx\n    a(1)\n", "```\n    a(1)\n```\n", "    c(1)\n", 2, 11},
        {"nowhere", "  a(1)\nx\n    a(1)\n", "```\n\ta(1)\n```\n", "    c(1)\n", 2, 2},
        {"behind the start of a line", "int f(x)\n  a\n  b\n", "f(x)\n4|  a\n5|  b\n",
         "f(x)\n4|  c\n5|  b\n", 1, 4},
        {"in either reading", " a(1)\nx\na(1)\n", "1: a(1)\n", " c(1)\n", 2, 1},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_located located =
            located_in(cases[i].text, cases[i].find, cases[i].insert, EM_TIER_TOKEN, &arena);
        check_size(cases[i].what, located.places.count, cases[i].count);
        check_size(cases[i].what, located.places.items[0].tokens[0].start, cases[i].start);
    }
}

/* Where a line of the file begins with a number itself, it may be that one: but not where the
 * numbers are those of the lines that were found. */
static void numbers_of_the_file_itself_may_be_meant(void **state)
{
    static const struct {
        const char *what, *text, *find, *insert;
        bool is_clear;
        size_t other; /* where the line is that may be meant, too */
    } cases[] = {
        {"other numbers before the same", "1: mov a, 1\n2: mov b\nx\nmov a, 1\nmov b\n",
         "2: mov a, 1\n3: mov b\n", "2: mov a, 9\n3: mov b\n", false, 0},
        {"those of the lines", "1: mov a, 1\n2: mov b\nx\nmov a, 1\nmov b\n",
         "4: mov a, 1\n5: mov b\n", "4: mov a, 9\n5: mov b\n", true, 0},
        {"the same number before something else", "x\nok(1)\ncase\n  7: ok(2)\n", "7: ok(1)\n",
         "7: ok(3)\n", false, 13},
        {"another sign", "x\nok(1)\ncase\n  7| ok(2)\n", "7: ok(1)\n", "7: ok(3)\n", true, 0},
        {"bars", "2|mov a, 1\nx\nmov a, 1\n", "7|mov a, 1\n", "7|mov a, 9\n", false, 0},
        {"arrows", "2\xE2\x86\x92mov a, 1\nx\nmov a, 1\n", "7\xE2\x86\x92mov a, 1\n",
         "7\xE2\x86\x92mov a, 9\n", false, 0},
        {"tabs", "2\tmov a, 1\nx\nmov a, 1\n", "7\tmov a, 1\n", "7\tmov a, 9\n", false, 0},
        {"in a fence", "2\tmov a, 1\nx\nmov a, 1\n", "```\n7\tmov a, 1\n```", "mov a, 9", false, 0},
        {"with a slip", "2: mov receive, 1\nx\nmov receive, 1\n", "7: mov recieve, 1\n",
         "7: mov recieve, 9\n", true, 0},
        {"with a slip, and the number", "7: mov receive, 2\nx\nmov receive, 1\n",
         "7: mov recieve, 1\n", "7: mov recieve, 9\n", false, 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_located located =
            located_in(cases[i].text, cases[i].find, cases[i].insert, EM_TIER_FUZZY, &arena);
        check_size(cases[i].what, located.places.count, 1);
        check_size(cases[i].what, em_located_is_clear(&located, 1), cases[i].is_clear);
        if (!cases[i].is_clear)
            check_size(cases[i].what, located.runner_up_at.start, cases[i].other);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_not_wrapped_is_not_unwrapped),
        cmocka_unit_test(of_places_that_overlap_one_must_be_meant),
        cmocka_unit_test(what_says_something_else_is_not_found),
        cmocka_unit_test(line_numbers_are_taken_off_as_the_file_is_indented),
        cmocka_unit_test(a_blank_that_nothing_tells_of_is_not_guessed),
        cmocka_unit_test(what_stands_there_without_its_wrapping_is_meant),
        cmocka_unit_test(numbers_of_the_file_itself_may_be_meant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
