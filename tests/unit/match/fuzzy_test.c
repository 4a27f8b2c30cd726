#include "match/fuzzy.h"

#include "check_texts.h"

#include "base/strbuf.h"

#include <sys/resource.h>

/* What the accuracy suite measures is not told again here: only where nothing may be found. */

static size_t places_of(const char *text, const char *find, const char *insert)
{
    EM_AUTO(em_arena) arena = {0};
    em_occurrences in = {.text = em_slice_of(text), .arena = &arena};
    em_located located;
    assert_int_equal(
        em_fuzzy_find(&in, em_slice_of(find), em_slice_of(insert), NULL, &arena, &located), EM_OK);
    return located.places.count;
}

/* Two names that differ in a letter may both be meant. What is removed is gone; of what becomes
 * another text, or has other lines beside it, the place is told. */
static void what_is_removed_is_not_mistyped(void **state)
{
    (void)state;
    static const struct {
        const char *what, *find, *insert;
        size_t places;
    } cases[] = {
        {"all goes", "def remove_contact(key):\n    delete(key)\n", "", 0},
        {"all but blanks", "def remove_contact(key):\n    delete(key)\n", " \n", 0},
        {"it becomes another", "def remove_contact(key):\n    delete(key)\n",
         "def remove_contact(key, now):\n    delete(key)\n", 1},
        {"more lines say what it is",
         "def remove_contact(key):\n    delete(key)\n    told.add(key)\n", "", 1},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        size_t places =
            places_of("def remove_contract(key):\n    delete(key)\n    told.add(key)\n\nx = 1\n",
                      cases[i].find, cases[i].insert);
        check_size(cases[i].what, places, cases[i].places);
    }
}

/* Slips that are too many, too much of so short a text, or in signs, may as well be meant. */
static void slips_that_are_too_many(void **state)
{
    (void)state;
#define LINES "first = render(a);\nsecond = compute(b);\n"
    static const struct {
        const char *what, *text, *find, *insert;
        size_t places;
    } cases[] = {
        {"one of two lines", LINES, "first = rendre(a);\nsecond = compute(b);\n", "x\n", 1},
        {"both of two lines", LINES, "first = rendre(a);\nsecond = compuet(b);\n", "x\n", 0},
        {"a cut first line", LINES, "= render(a);\nsecond = compute(b);", "= render(a);\nx", 1},
        {"and one more", LINES, "= render(a);\nsecond = compuet(b);", "= render(a);\nx", 0},
        {"a cut last line", LINES, "first = render(a);\nsecond = compute(", "x\nsecond = compute(",
         1},
        {"and one more", LINES, "first = rendre(a);\nsecond = compute(", "x\nsecond = compute(", 0},
        {"two letters of fourteen", "settle(abcdef)\n", "setlte(abcdef)\n", "x\n", 1},
        {"two letters of twelve", "settle(abcd)\n", "setlte(abcd)\n", "x\n", 0},
        {"two words of a line", "first = render(a, second);\n", "fisrt = rendre(a, second);\n",
         "x\n", 0},
        {"a slip, and two signs for one", "first <- render(a);\n", "first < - rendre(a);\n", "x\n",
         0},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_size(cases[i].what, places_of(cases[i].text, cases[i].find, cases[i].insert),
                   cases[i].places);
#undef LINES
}

/* A line that stands for others stands for whole lines. */
static void an_elided_middle(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text;
        size_t places;
    } cases[] = {
        {"whole lines", "sum(a, b) {\n    one();\n    two();\n}\nend();\n", 1},
        {"blanks at the ends of lines", "sum(a, b) {  \n    one();\n\n  }\nend();\n", 1},
        {"CRLFs", "sum(a, b) {\r\n    one();\r\n}\r\nend();\r\n", 1},
        {"nothing", "sum(a, b) {\n}\nend();\n", 0},
        {"an empty line", "sum(a, b) {\n\n}\nend();\n", 0},
        {"the line before goes on", "sum(a, b) { one();\n    two();\n}\nend();\n", 0},
        {"the line behind has begun", "sum(a, b) {\n    one(); }\nend();\n", 0},
        {"all in one line", "sum(a, b) { one(); }\nend();\n", 0},
        {"a middle twice", "sum(a, b) {\n    one();\n}\nend();\n}\nend();\n", 0},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        size_t places = places_of(cases[i].text, "sum(a, b) {\n    ...\n}\nend();",
                                  "sum(a) {\n    ...\n}\nend();");
        if (places != cases[i].places)
            fail_msg("%s: %zu places", cases[i].what, places);
    }
}

#define LONG "    // a comment that says a good deal more than the line behind it does\n"
#define FIND "f() {\n    alpha(1);\n    beta(2);\n    gamma(3);\n}\n"

/* What begins as a comment does may be an item of a list, or a heading. */
static void lists_and_headings_are_no_comments(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text, *find;
        size_t places;
    } cases[] = {
        {"an item", "* one of a list\n* two of a list\n\nReturns: three\n",
         "* one of a list\n\nReturns: three\n", 0},
        {"an item that is indented", "  * one of a list\n  * two of a list\n\nReturns: three\n",
         "  * one of a list\n\nReturns: three\n", 0},
        {"a line of a comment", "/**\n * one of a list\n * two of a list\n */\nf(three, four);\n",
         " * one of a list\nf(three, four);\n", 1},
        {"of one at the margin", "/*\n* one of a list\n* two of a list\n*/\nf(three, four);\n",
         "* one of a list\nf(three, four);\n", 1},
        {"a heading", "one of some words\n\n## two\n\nthree of some words\n",
         "one of some words\n\nthree of some words\n", 0},
        {"a comment between empty lines", "one(some, words)\n\n# two\n\nthree(some, words)\n",
         "one(some, words)\n\nthree(some, words)\n", 1},
        {"one of two signs", "one(some, words)\n## two\nthree(some, words)\n",
         "one(some, words)\nthree(some, words)\n", 1},
        {"one that ends in signs", "one(some, words)\n\n## two ##\n\nthree(some, words)\n",
         "one(some, words)\n\nthree(some, words)\n", 1},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_size(cases[i].what, places_of(cases[i].text, cases[i].find, "new"), cases[i].places);
}

/* With comments between its lines a place is little like the search text, and found all the same.
 */
static void comments_between_all_lines(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text;
        size_t places;
    } cases[] = {
        {"a comment before each line",
         "f() {\n" LONG "    alpha(1);\n" LONG "    beta(2);\n" LONG "    gamma(3);\n" LONG "}\n",
         1},
        {"eight of them",
         "f() {\n" LONG LONG "    alpha(1);\n" LONG LONG "    beta(2);\n" LONG LONG
         "    gamma(3);\n" LONG LONG "}\n",
         1},
        {"one more",
         "f() {\n" LONG LONG "    alpha(1);\n" LONG LONG "    beta(2);\n" LONG LONG LONG
         "    gamma(3);\n" LONG LONG "}\n",
         0},
        {"a line that is none",
         "f() {\n" LONG "    alpha(1);\n" LONG "    beta(2);\n" LONG
         "    go();\n    gamma(3);\n" LONG "}\n",
         0},
        {"a slip, too",
         "f() {\n" LONG "    alhpa(1);\n" LONG "    beta(2);\n" LONG "    gamma(3);\n" LONG "}\n",
         0},
        {"at two places",
         "f() {\n" LONG "    alpha(1);\n" LONG "    beta(2);\n" LONG "    gamma(3);\n" LONG "}\n"
         "f() {\n" LONG "    alpha(1);\n" LONG "    beta(2);\n" LONG "    gamma(3);\n" LONG "}\n",
         2},
        {"at two places, of which one is more like it",
         "f() {\n    // one\n    alpha(1);\n    beta(2);\n    gamma(3);\n}\n"
         "f() {\n" LONG "    alpha(1);\n" LONG "    beta(2);\n" LONG "    gamma(3);\n" LONG "}\n",
         2},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        size_t places = places_of(cases[i].text, FIND, "f() {\n    alpha(1);\n    gamma(3);\n}\n");
        if (places != cases[i].places)
            fail_msg("%s: %zu places", cases[i].what, places);
    }
}

/* A line that stands everywhere tells nothing; the next longest one is asked then. */
static void a_rare_line_tells_where_to_look(void **state)
{
    (void)state;
    EM_AUTO(em_strbuf) text = {0};
    for (size_t i = 0; i < 100; i++)
        em_strbuf_puts(&text, "    the_longest_line_of_all();\n    x();\n");
    em_strbuf_puts(&text, LONG "    alpha(1);\n" LONG LONG "    the_longest_line_of_all();\n" LONG
                               "    beta(2);\n");
    em_strbuf_putc(&text, '\0');
    assert_int_equal(places_of(em_strbuf_slice(&text).ptr,
                               "    alpha(1);\n    the_longest_line_of_all();\n    beta(2);\n",
                               "    the_longest_line_of_all();\n"),
                     1);
}

/* What the edit puts in at the end of the line before is not taken for the middle's. */
static void an_elided_edit_is_not_made_again(void **state)
{
    (void)state;
    const char *find = "int sum = one,\n...\ntwo, three;",
               *insert = "int sum = one, 1\n...\ntwo, three;";
    assert_int_equal(places_of("int sum = one,\n  x,\ntwo, three;\n", find, insert), 1);
    assert_int_equal(places_of("int sum = one, 1\n  x,\ntwo, three;\n", find, insert), 0);
}

/* What comes for the middle has lost the margin, too, which the line behind it tells. */
static void an_elided_middle_is_as_deep_as_the_search_text(void **state)
{
    (void)state;
    static const struct {
        const char *text, *find, *filled;
    } cases[] = {
        {"    sum(a, b) {\n        one();\n\n        two();\n    }\n    end();\n",
         "sum(a, b) {\n...\n}\nend();", "sum(a, b) {\n    one();\n\n    two();\n}\nend();"},
        {"    sum(a, b) {\n  one();\n    }\n    end();\n", "sum(a, b) {\n...\n}\nend();",
         "sum(a, b) {\n  one();\n}\nend();"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_occurrences in = {.text = em_slice_of(cases[i].text), .arena = &arena};
        em_located located;
        assert_int_equal(em_fuzzy_find(&in, em_slice_of(cases[i].find), em_slice_of(cases[i].find),
                                       NULL, &arena, &located),
                         EM_OK);
        assert_int_equal(located.places.count, 1);
        assert_true(em_slice_is(located.places.items[0].find, cases[i].filled));
    }
}

/* Of the lines that the first line of the search text may be it is the last, which passes over the
 * fewest comments. */
static void a_search_text_begins_as_late_as_it_can(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text, *find;
        size_t start; /* of the place */
    } cases[] = {
        {"beside the next line", "#\n# an example\n#\ndef initialize(a)\n  # why\n  super\n",
         "#\ndef initialize(a)\n  super\n", 15},
        {"not beside it", "#\n# an example\n#\n# another\ndef initialize(a)\n  super\n",
         "#\ndef initialize(a)\n  super\n", 15},
        {"only one", "first\n# an example\n#\ndef initialize(a)\n  super\n",
         "first\ndef initialize(a)\n  super\n", 0},
        {"no better one", "# initialise\n# initialize\n# x\ndef compute(a)\n  super\n",
         "# initialise\ndef compute(a)\n  super\n", 0},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_occurrences in = {.text = em_slice_of(cases[i].text), .arena = &arena};
        em_located located;
        assert_int_equal(
            em_fuzzy_find(&in, em_slice_of(cases[i].find), EM_LIT("x\n"), NULL, &arena, &located),
            EM_OK);
        check_size(cases[i].what, located.places.count, 1);
        check_size(cases[i].what, located.places.items[0].span.start, cases[i].start);
    }
}

/* The sentence that was meant may be gone, and this one its sibling. */
static void another_word_of_a_sentence_is_no_slip(void **state)
{
    (void)state;
    static const struct {
        const char *text, *find;
        size_t places;
    } cases[] = {
        {"Pick the lost key of them all.\n", "Pick the last key of them all.\n", 0},
        {"It must be lower than the first value.\n", "It must be later than the first value.\n", 0},
        {"For users with a smarter screen than this.\n",
         "For users with a smaller screen than this.\n", 0},
        {"The users that are named in this file.\n", "The user that are named in this file.\n", 1},
        {"The value that is recieved in this file.\n", "The value that is received in this file.\n",
         1},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_size(cases[i].find, places_of(cases[i].text, cases[i].find, "Another line.\n"),
                   cases[i].places);
}

/* Where nothing comes, what the cut lines lack goes with them, though it was not named. */
static void cut_lines_that_go(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text, *find;
        size_t places;
    } cases[] = {
        {"a sign that ends the last one", "    first_line(1);\n    other_line(2);\n",
         "first_line(1);\nother_line(2)", 1},
        {"words of the last one", "    first_line(1);\n    other_line(2, name);\n",
         "first_line(1);\nother_line(2", 0},
        {"words of the first one", "    const first_line = 1;\n    other_line(2);\n",
         "first_line = 1;\nother_line(2);", 0},
        {"which others tell", "    const first_line = 1;\n    other_line(2);\n    third_line(3);\n",
         "first_line = 1;\nother_line(2);\nthird_line(3);", 1},
        {"what opens a block", "  .first_line,\n  .other_line,\n  .third_line {\n    a: b;\n  }\n",
         ".first_line,\n.other_line,\n.third_line", 0},
        {"or a list", "    first_line();\n    other_line();\n    third_line = [\n    1]\n",
         "first_line();\nother_line();\nthird_line", 0},
        {"but the end of what is named",
         "    first_line();\n    other_line();\n    third_line(3);\n",
         "first_line();\nother_line();\nthird_line(3", 1},
        {"or ends one", "  } else first_line();\n  other_line();\n  third_line();\n",
         "else first_line();\nother_line();\nthird_line();", 0},
        {"or opens one of Python's", "    first_line()\n    other_line()\n    if third_line():\n",
         "first_line()\nother_line()\nif third_line()", 0},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_size(cases[i].what, places_of(cases[i].text, cases[i].find, ""), cases[i].places);
}

#define REST "    second_line(2);\n    third_line(3);\n"

/* A line that was sent as a whole one is another than the file's, but where the edit only repeats
 * it and the other lines tell the place. */
static void an_edge_that_is_not_cut(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text, *find, *insert;
        size_t places;
    } cases[] = {
        {"a start is missing", "    x = connect(host);\n" REST, "    connect(host);\n" REST,
         "    connect(host);\n    new();\n" REST, 1},
        {"the replacement has the file's", "    x = connect(host);\n" REST,
         "    connect(host);\n" REST, "    x = connect(host);\n    new();\n" REST, 1},
        {"an end is missing", "    open();\n    connect(host, port);\n",
         "    open();\n    connect(host\n", "    new();\n    connect(host\n", 0},
        {"and the other lines tell", "    second_line(2);\n    connect(host, port);\n",
         "    second_line(2);\n    connect(host,\n", "    second_line(3);\n    connect(host,\n", 1},
        {"within a word", "    disconnect(host);\n" REST, "    isconnect(host);\n" REST,
         "    isconnect(host);\n    new();\n" REST, 1},
        {"which is one in the file", "    disconnect(host);\n" REST "    connect();\n",
         "    connect(host);\n" REST, "    connect(host);\n    new();\n" REST, 0},
        {"alone", "    disconnect(host, port);\n    done();\n", "    connect(host, port);",
         "    connect(host, port);\n    new();", 0},
        {"it changes", "    disconnect(host);\n" REST, "    connect(host);\n" REST,
         "    connect(host, tls);\n" REST, 0},
        {"it goes", "    x = connect(host);\n" REST, "    connect(host);\n" REST, REST, 0},
        {"a number's end", "    size_most = 1000\n" REST, "    size_most = 100\n",
         "    size_most = 200\n", 0},
        {"which stays", REST "    size_most = 1000\n", REST "    size_most = 100\n",
         "    new();\n" REST "    size_most = 100\n", 0},
        {"a number's start", "1000: first_line(1);\n" REST, "000: first_line(1);\n" REST,
         "000: first_line(1);\n    new();\n" REST, 0},
        {"behind a digit", "    log2file(name);\n" REST, "    file(name);\n" REST,
         "    file(name);\n    new();\n" REST, 0},
        {"code in a comment", "    # enable = true\n" REST, "    enable = true\n" REST,
         "    enable = true\n    new();\n" REST, 0},
        {"a sentence in one", "    # This is what the three lines do.\n" REST,
         "    This is what the three lines do.\n" REST,
         "    This is what the three lines do.\n    new();\n" REST, 1},
        {"a sign that its last line lacks", "    first_line(1);\n    other_line(2);\n",
         "    first_line(1);\n    other_line(2)", "    other_line(2)\n    first_line(1)", 0},
        {"and one that it has", "    first_line(1);\n    other_line(2);\n",
         "    first_line(1);\n    other_line(2)", "    other_line(2)\n    first_line(1);", 1},
        {"which ends no statement", "    first_line(1);\n    other_line(2) {\n",
         "    first_line(1);\n    other_line(2)", "    other_line(2)\n    first_line(1)", 1},
        {"too little beside it", "    x = connect(host);\n    }\n", "    connect(host);\n    }\n",
         "    connect(host);\n    new();\n    }\n", 0},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_size(cases[i].what, places_of(cases[i].text, cases[i].find, cases[i].insert),
                   cases[i].places);
}

#define LIST(second) "{\n  \"one\": 1,\n  \"two\": 2" second "\n  \"three\": 3,\n  \"four\": 4\n}\n"

/* A line of the search text lacks the sign that ends it in the file. */
static void a_sign_that_is_lost(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text, *find, *insert;
        const char *completed; /* the place's replacement; NULL: there is none */
    } cases[] = {
        {"the replacement has it", LIST(","), LIST(""), LIST(",\n  \"x\": 0,"),
         LIST(",\n  \"x\": 0,")},
        {"it has the line as it came", LIST(","), LIST(""), "{\n  \"two\": 2\n  \"three\": 3,\n}\n",
         "{\n  \"two\": 2,\n  \"three\": 3,\n}\n"},
        {"the line comes last there", LIST(","), LIST(""), "{\n  \"one\": 1,\n  \"two\": 2\n}\n",
         NULL},
        {"it changes", LIST(","), LIST(""), "{\n  \"one\": 1,\n  \"two\": 0\n  \"three\": 3,\n}\n",
         NULL},
        {"it goes", LIST(","), LIST(""), "{\n  \"one\": 1,\n  \"three\": 3,\n  \"four\": 4\n}\n",
         NULL},
        {"it is there with the sign and without", LIST(","), LIST(""),
         "{\n  \"two\": 2\n  \"two\": 2,\n}\n", NULL},
        {"the file has another sign", LIST(" +"), LIST(""), LIST(" +\n  5,"), NULL},
        {"the file has no sign", LIST(""), LIST(","), LIST("\n  \"x\": 0,"), NULL},
        {"two lines are too few", "first_line(1);\nsecond_line(2);\n",
         "first_line(1)\nsecond_line(2);\n", "first_line(1);\nx();\nsecond_line(2);\n", NULL},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_occurrences in = {.text = em_slice_of(cases[i].text), .arena = &arena};
        em_located located;
        assert_int_equal(em_fuzzy_find(&in, em_slice_of(cases[i].find),
                                       em_slice_of(cases[i].insert), NULL, &arena, &located),
                         EM_OK);
        check_size(cases[i].what, located.places.count, cases[i].completed ? 1 : 0);
        if (!cases[i].completed)
            continue;
        check_bytes(cases[i].what, located.places.items[0].insert, em_slice_of(cases[i].completed));
        check_bytes(cases[i].what, located.places.items[0].find, em_slice_of(LIST(",")));
    }
}

static long peak_megabytes(void)
{
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_maxrss / 1024;
}

/* What follows the cut line is put behind no other line of the replacement that is the same. */
static void a_cut_line_that_stands_there_twice(void **state)
{
    (void)state;
    const char *text = "if a:\n    total += step\nelif b:\n    total += step  # slow\nend\n",
               *find = "if a:\n    total += step\nelfi b:\n    total += step";
    static const struct {
        const char *what, *insert;
        size_t places;
    } cases[] = {
        {"it changes", "if a:\n    total += step\nelfi b:\n    total += size", 0},
        {"the other one changes", "if a:\n    total += size\nelfi b:\n    total += step", 1},
        {"both stay", "if a:\n    total += step\nelfi c:\n    total += step", 1},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_size(cases[i].what, places_of(text, find, cases[i].insert), cases[i].places);
}

/* A line of megabytes is not what a line of the search text was meant to be, so nobody needs to
 * know its tokens: they take more than a hundred bytes for each byte of it. */
static void a_file_of_one_line(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(em_strbuf) file = {0};
    for (int i = 0; i < 125000; i++)
        em_strbuf_printf(&file, "{\"k%d\":[1,2,%d],\"v\":\"abc\"},", i, i);
    em_slice text = em_strbuf_slice(&file);
    em_occurrences in = {.text = text, .arena = &arena};
    em_located located;
    long before = peak_megabytes();
    assert_int_equal(em_fuzzy_find(&in, EM_LIT("{\"k777\":[1,2,777],\"v\":\"abd\"}"), EM_LIT("{}"),
                                   NULL, &arena, &located),
                     EM_OK);
    assert_int_equal(located.places.count, 0);
    assert_int_equal(located.near->count, 1);
    assert_true(peak_megabytes() - before < 128);
}

/* How much work it is to find out that a text of such lines has nothing but what is like it. */
static size_t work_of(const char *ending)
{
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(em_strbuf) text = {0};
    em_deadline deadline = em_deadline_in(1000000);
    em_located located;
    for (int i = 0; i < 4000; i++)
        em_strbuf_printf(&text, i % 500 ? "other line %d of it%s" : "first(%d, of) them;%s", i,
                         ending);
    em_occurrences in = {.text = em_strbuf_slice(&text), .arena = &arena};
    assert_int_equal(em_fuzzy_find(&in, EM_LIT("first(7, of) them;\nsecond(of, them);\nother line"),
                                   EM_LIT("x"), &deadline, &arena, &located),
                     EM_OK);
    return deadline.spent;
}

/* What is looked at around a place is some lines, whatever ends them. */
static void lines_may_have_any_ending(void **state)
{
    (void)state;
    size_t work = work_of("\n");
    assert_in_range(work_of("\r"), 1, 2 * work);
    assert_in_range(work_of("\r\n"), 1, 2 * work);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_removed_is_not_mistyped),
        cmocka_unit_test(slips_that_are_too_many),
        cmocka_unit_test(an_elided_middle),
        cmocka_unit_test(lists_and_headings_are_no_comments),
        cmocka_unit_test(comments_between_all_lines),
        cmocka_unit_test(a_rare_line_tells_where_to_look),
        cmocka_unit_test(an_elided_edit_is_not_made_again),
        cmocka_unit_test(an_elided_middle_is_as_deep_as_the_search_text),
        cmocka_unit_test(a_search_text_begins_as_late_as_it_can),
        cmocka_unit_test(a_cut_line_that_stands_there_twice),
        cmocka_unit_test(another_word_of_a_sentence_is_no_slip),
        cmocka_unit_test(cut_lines_that_go),
        cmocka_unit_test(an_edge_that_is_not_cut),
        cmocka_unit_test(a_sign_that_is_lost),
        cmocka_unit_test(a_file_of_one_line),
        cmocka_unit_test(lines_may_have_any_ending),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
