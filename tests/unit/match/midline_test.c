#include "match/midline.h"

#include "match/tiers.h"
#include "scarce_arena.h"

/* Search texts that are found inside a line of the file, as far as blanks and slips go. */
static const struct {
    const char *what, *text, *find, *insert;
    size_t kept;
} cases[] = {
    /* where it ends */
    {"new lines behind a line of signs", "f(\n    a( );\n});\n", "a();\n}", "a();\n}\nb();", 0},
    {"the line is whole", "f(\n    a( );\n}\n", "a();\n}", "a();\n}\nb();", 1},
    {"the whole one of two", "a( );\n});\na( );\n}\n", "a();\n}", "a();\n}\nb();", 1},
    {"a line of signs that stays", "f(\n    a( );\n});\n", "a();\n}", "b();\n}", 1},
    {"and that is like one that comes", "f(\n    a( );\n});\n", "f(\na();\n}",
     "f(\nb();\n}\ng(\nc();\n}", 0},
    {"one that changes", "f(\n    a( );\n});\n", "a();\n}", "a();\n};", 0},
    {"one that goes", "f(\n    a( );\n});\n", "a();\n}", "a();", 0},
    {"a new line behind a call", "f( a ) || die;\n", "f(a)", "f(a)\ng(b)", 0},
    {"for several words", "x;\nf( a ) || die;\n", "x;\nf(a)", "x;\ny;\nz", 0},
    {"for as many", "f(a,\n  b, c );\n", "f(a,\nb, c", "f(a,\nd", 1},
    {"in front of it", "f( a ) || die;\n", "f(a)", "g(b);\nf(a)", 1},
    {"within the line", "f( a ) || die;\n", "f(a)", "g", 1},
    {"the line goes on", "f( a, b);\n", "f(a, b", "f(a, b,\n  c", 1},
    {"in the next one", "f( a)\n  .g( );\n", "f(a)\n.g()", "f(a)\n.g()\n.h()", 1},
    {"in front of it, of two", "a( );\nb( );\n", "a();\nb()", "b()\na()", 0},
    {"one of two that are the same", "a( );\na( );\n", "a();\na()", "a();\nb()", 1},
    {"it is followed by another of a list", ".a( ),\n.b( ) {\n", ".a()", ".a()\n.c()", 0},
    {"... and has a comma", "a( ),\nb( ) {\n", "a()", "a(),\nc()", 1},
    {"... by more of a chain", "x\n.a( );\n", "x\n.a()", "x\n.a()\n.c()", 1},
    {"joined lines", "x = f( a,\n  b) + 1;\n", "f(a,\nb)", "f(a)", 1},
    {"joined with a line of signs", "x = f( a,\n  b\n) + 1;\n", "f(a,\nb\n)", "f(a)", 1},
    {"nothing comes for a block", "f(\n    a( );\n});\n", "a();\n}", "", 0},
    {"nothing comes for a comment", "/* a\n   b  c */ int x;\n", "/* a\nb c */", "", 1},
    {"nothing comes for words", "f( a, b);\n", ", b", "", 1},
    /* what was cut, in another writing */
    {"no-break spaces", "x\n f(a, b) + c\n",
     "x\nf(a,\xC2\xA0"
     "b",
     "y\nf(a,\xC2\xA0"
     "b)\xC2\xA0+\xC2\xA0"
     "c",
     0},
    {"other quotes", "log(\"a b\", c)\ny  = 2\n", "a b', c)\ny = 2", "log('a b', c)\ny = 3", 0},
    {"the indentation of a line", "<p>\n  {{ n }}\n  <b>\n", "n }}\n    <b>",
     "    {{ n }}\n    <i>", 0},
    {"a blank is none", "f( (a)\n  b )\n", "a)\n b", " a)\n c", 1},
    /* where it begins */
    {"new lines in front", "x = f( a);\ny;\n", "f(a);\ny;", "z;\nf(a);\ny;", 0},
    {"only blanks are before it", "  f( a);\ny;\n", "f(a);\ny;", "z;\nf(a);\ny;", 1},
    {"new lines behind", "x = f( a);\ny;\n", "f(a);\ny;", "f(a);\nz;\ny;", 1},
    {"it is wrapped", "x = f( a);\n", "f(a)", "g(\n  f(a)\n)", 1},
    /* what is beside it came with the replacement alone */
    {"the start of the line", "total = sum( a);\ny;\n", "= sum(a);", "total = sum(b);", 0},
    {"... which the search text has, too", "f(x) + f( x);\n", "f(x)", "f(x) + f(y)", 1},
    {"... or a bracket", "(f( a);\n", "f(a)", "(f(a))", 1},
    {"... which the search text lacks", "[a]: b  c\n", "a]: b c", "[a]: b d", 0},
    {"... and which is another one, too", "[a]: b  c\n", "a]: b c", "x[a]: b d", 1},
    {"the end of the line", "f( a) + rest;\n", "f(a)", "g(a) + rest;", 0},
    {"... or a semicolon", "f( a);\n", "f(a)", "g(a);", 0},
    {"... behind a bracket", "f( a);\n", "f(a", "g(a);", 0},
    {"... or a bracket alone", "f( a)\n", "f(a", "f(g(a)", 1},
    {"... which closes what the search text opens", "f( a)\n", "f(a", "f(b)", 0},
    {"... though that ends in one itself", "f(g( a))\n", "f(g(a)", "f(h(a))", 0},
    {"... or a quote", "f = \"a  b\"\n", "f = \"a b", "f = \"c\"", 0},
    {"... which the search text has, too", "f( a);;\n", "f(a);", "g(a);", 1},
    {"the line that has an empty one in its stead", "f( a):\n    b\nelse:\n    c\n",
     "f(a):\n    b\n    \n", "f(a):\n    d\nelse:\n", 0},
    {"... in CRLF", "f( a):\r\n    b\r\nelse:\r\n    c\r\n", "f(a):\n    b\n\n",
     "f(a):\n    d\nelse:", 0},
    {"... where the file has an empty one", "f( a):\n    b\n\nelse:\n    c\n", "f(a):\n    b\n\n",
     "f(a):\n    d\nelse:\n", 1},
    {"... or another line", "f( a):\n    b\nelif:\n    c\n", "f(a):\n    b\n\n",
     "f(a):\n    d\nelse:\n", 1},
    {"... or the end of a block", "{\n    f( a);\n}\n", "    f(a);\n\n",
     "    if (b) {\n        f(a);\n    }\n", 1},
    {"... or the last line again", "f( a):\nb\nb\n", "f(a):\nb\n\n", "f(c):\nb\n\n", 1},
    {"the next line", "if a {\n    b( );\n    c();\n}\n", "b();\n    c();\n", "b();\n}", 0},
    {"... which the search text ends with, too", "if a {\n    b( );\n    }\n    }\n", "b();\n}",
     "c();\n}", 1},
    {"... before a line ending", "if a {\n    b( );\n    }\n    }\n", "b();\n}\n", "c();\n}", 1},
    {"... or only the start of it", "if a {\n    b( );\n} else {\n", "b();\n", "b();\n}", 1},
    {"... and it ends in a line ending", "if a {\n    b( );\n}\n", "b();\n", "b();\n}\n", 1},
    /* ... and so did what is beside its first token, or its last one, in their lines */
    {"the end of a line that others follow", "a( );\nf( b, std::c);\n",
     "a();\nf(b, std::", "a();\nif (x) {\n  f(b, std::c);\n}", 0},
    {"... a sign, and the end of a block", "a( );\nf( b);\n", "a();\nf(b)",
     "a();\nif (x) {\n  f(b);\n}", 0},
    {"... a sign that the last line lacks", "a( ),\nf( b),\n", "a(),\nf(b)", "a(),\nf(b),\ng(c)",
     1},
    {"... a sign, and a comment", "f( __doc__,\n  x)\n", "f(__doc__", "f(__doc__,  # the text", 0},
    {"the start of the first line", "if (er ||  x)\n  y;\n", "(er || x)\n  y;",
     "if (er || z)\n  y;", 0},
    {"a line that goes, which began otherwise", "const char  *a, *b;\nchar **c;\n",
     "char *a, *b;\nchar **c;", "char **c;", 0},
    /* a line ending that only the replacement has */
    {"it would break the line", "first_call( a);\nb();\n});\n", "first_call(a);\nb();\n}",
     "first_call(a);\nc();\n}\n", 0},
    {"... in front of the place", "x = first_call( a);\n", "first_call(a)", "\nfirst_call(b)", 0},
    {"... but it ends there", "first_call( a);\nb();\n}  \n", "first_call(a);\nb();\n}",
     "first_call(a);\nc();\n}\n", 1},
    /* with its middle left out */
    {"left out, and new lines", "first_call( a);\nb();\n});\n", "first_call(a);\n...\n}",
     "first_call(a);\n...\n}\nc();", 0},
    {"left out alone", "first_call( a);\nb();\n});\n", "first_call(a);\n...\n}",
     "first_call(c);\n...\n}", 1},
};

static em_status locate(size_t index, em_arena *arena, em_located *located)
{
    em_occurrences in = {.text = em_slice_of(cases[index].text), .arena = arena};
    return em_tiers_locate(&in, em_slice_of(cases[index].find), em_slice_of(cases[index].insert),
                           EM_TIER_FUZZY, NULL, arena, located);
}

static void edits_stay_within_the_line(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_located located;
        assert_int_equal(locate(i, &arena, &located), EM_OK);
        check_size(cases[i].what, located.places.count, cases[i].kept);
    }
}

/* Where an edit cannot be laid onto one of the places of its search text, that may be meant: who
 * cuts the comma off one of a list would change another. */
static void a_place_that_is_none_for_the_edit_may_be_meant(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text, *find, *insert;
        bool is_clear;
    } located_cases[] = {
        {"it is the only one", "{\n  a( );\n}\n", "a();\n}", "a();\n} // a", true},
        {"another goes on", "{\n  a( );\n},\n{\n  a( );\n}\n", "a();\n}", "a();\n} // a", false},
        {"and is no whole line", "{\n  a( );\n},\n{\n  a( );\n}\n", "a();\n}\n", "a();\n} // a\n",
         true},
    };
    for (size_t i = 0; i < COUNT_OF(located_cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_occurrences in = {.text = em_slice_of(located_cases[i].text), .arena = &arena};
        em_located located;
        assert_int_equal(em_tiers_locate(&in, em_slice_of(located_cases[i].find),
                                         em_slice_of(located_cases[i].insert), EM_TIER_FUZZY, NULL,
                                         &arena, &located),
                         EM_OK);
        check_size(located_cases[i].what, located.places.count, 1);
        check_size(located_cases[i].what, em_located_is_clear(&located, 1),
                   located_cases[i].is_clear);
    }
}

static em_status locate_one(em_arena *arena, const void *context)
{
    em_located located;
    return locate(*(const size_t *)context, arena, &located);
}

static void memory_that_runs_out_is_a_status(void **state)
{
    (void)state;
    for (size_t i = 0; i < 4; i++)
        check_scarce(cases[i].what, locate_one, &i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edits_stay_within_the_line),
        cmocka_unit_test(a_place_that_is_none_for_the_edit_may_be_meant),
        cmocka_unit_test(memory_that_runs_out_is_a_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
