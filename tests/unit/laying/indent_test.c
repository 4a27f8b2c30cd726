#include "laying/indent.h"

#include "base/strbuf.h"

#include "scarce_arena.h"

enum { MOST_PAIRS = 4 };

/* ---- Units ---------------------------------------------------------------------------------- */

static const struct {
    const char *what, *text;
    char with;
    size_t width;
} units[] = {
    {"nothing", "", ' ', 0},
    {"no indentation", "a\nb\n", ' ', 0},
    {"two", "a\n  b\n    c\n  d\n    e\n", ' ', 2},
    {"four", "a {\n    b {\n        c\n    }\n}\n", ' ', 4},
    {"the step that occurs most", "a\n    b\n        c\n          d\n", ' ', 4},
    {"never deeper than another: the least", "   a\n   b\n", ' ', 3},
    {"a step of one is alignment", "a\n b\n", ' ', 1},
    {"far too deep", "                    a\n", ' ', 0},
    {"tabs", "a\n\tb\n\t\tc\n", '\t', 1},
    {"tabs, mostly", "a\n\tb\n  c\n\t\td\n", '\t', 1},
    {"spaces, mostly", "a\n  b\n  c\n\td\n", ' ', 2},
    {"empty lines do not count", "a\n      \r\n  b\n\n\t\n  c", ' ', 2},
    {"CRs end lines", "a\r    b\r        c\r    d\r", ' ', 4},
    {"blanks at the end", "a\n  b\n        ", ' ', 2},
    {"the first line is no step", "    a\n      b\n", ' ', 2},
};

static void a_text_tells_its_unit(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(units); i++) {
        em_indent_habit habit = em_indent_habit_of(em_slice_of(units[i].text));
        em_indent_unit unit =
            habit.tabs ? (em_indent_unit){.with = '\t', .width = 1} : habit.spaces;
        check_size(units[i].what, (size_t)unit.with, (size_t)units[i].with);
        check_size(units[i].what, unit.width, units[i].width);
    }
}

static const struct {
    const char *text;
    bool stops;
    size_t width; /* of a step in spaces */
} tabbings[] = {
    {"f\n{\n  if (a)\n    {\n      if (b)\n\t{\n\t  c;\n", true, 2},
    {"f {\n    if (a) {\n\tif (b) {\n\t    c;\n", true, 4},
    {"f() {\n  if a; then\n    for b; do\n      if c; then\n\td\n", true, 2},
    {"def f\n  if a\n    b\n      if c\n\td\n", true, 2},
    {"<a>\n    <b c=\"d\">\n\t<e/>\n", true, 4},
    {"<a>\n    <b>f</b>\n\t<e/>\n", false, 4}, /* which is over */
    {"<a>\n    <b/>\n\t<e/>\n    <!-- -->\n\t<e/>\n", false, 4},
    {"f {\n\tif (a) {\n\t\tb;\n", false, 0},
    {"f {\n\tif (a) {\n\t\tb;\n    if (c) {\n\td;\n", false, 4}, /* now this, now that */
    {"f(a,\n  b)\n\tc;\n", false, 2},                            /* no block */
    {" if (a) {\n\tb;\n", false, 1},                             /* as in a comment */
    {"f {\n    if (a) {\n\t\tb;\n", false, 4},                   /* two tabs behind none */
};

/* Of the lines that could have a tab for eight columns. */
static void most_lines_tell_whether_tabs_are_shunned(void **state)
{
    (void)state;
    assert_false(em_indent_habit_of(EM_LIT("f\n\ta\n    b\n")).shuns_tabs);
    assert_false(em_indent_habit_of(EM_LIT("f\n\ta\n        b\n")).shuns_tabs);
    assert_true(em_indent_habit_of(EM_LIT("f\n\ta\n        b\n          c\n")).shuns_tabs);
}

static void blocks_tell_what_a_tab_is(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(tabbings); i++) {
        em_indent_habit habit = em_indent_habit_of(em_slice_of(tabbings[i].text));
        check_size(tabbings[i].text, habit.spaces.tab_stops, tabbings[i].stops);
        check_size(tabbings[i].text, habit.spaces.width, tabbings[i].width);
    }
}

/* ---- Around a place ------------------------------------------------------------------------- */

static void add_blocks(em_strbuf *file, const char *block, size_t bytes)
{
    for (size_t end = file->len + bytes; file->len < end;)
        em_strbuf_puts(file, block);
}

static void check_habit(em_slice file, size_t at, em_indent_habits *habits, bool tabs, size_t width)
{
    em_indent_habit habit = em_indent_habit_around(file, at, at + 1, habits);
    assert_int_equal(habit.tabs, tabs);
    check_size("the step in spaces", habit.spaces.width, width);
}

static void the_lines_around_a_place_tell_of_it(void **state)
{
    enum { KB = 1024, PART = 100 * KB };
    (void)state;
    EM_AUTO(em_strbuf) made = {0};
    add_blocks(&made, "a {\n  b {\n    c\n  }\n}\n", PART);
    add_blocks(&made, "a {\n\tb {\n\t\tc\n\t}\n}\n", PART);
    add_blocks(&made, "a {\n    b\n}\n", PART);
    em_slice file = em_strbuf_slice(&made);
    for (int shared = 0; shared < 2; shared++) {
        em_indent_habits kept = {.text = file}, *habits = shared ? &kept : NULL;
        check_habit(file, 0, habits, false, 2);
        check_habit(file, 1, habits, false, 2);
        check_habit(file, 50 * KB, habits, false, 2);
        check_habit(file, 150 * KB, habits, true, 0);
        check_habit(file, file.len - 1, habits, false, 4);
        check_habit(file, 150 * KB, habits, true, 0); /* backwards */
        check_habit(EM_LIT("a\n   b\n"), 0, habits, false, 3);
        check_habit(file, 0, habits, false, 2);
    }
}

/* Memory that is used again is another text. */
static void another_text_is_looked_at_itself(void **state)
{
    char text[] = "a\n  b\n  c\n";
    em_slice file = EM_LIT("a\n    b\n");
    em_indent_habits habits = {.text = file};
    (void)state;
    check_habit(file, 0, &habits, false, 4);
    check_habit(em_slice_of(text), 0, &habits, false, 2);
    memcpy(text, "a\n   b\n c\n", sizeof text - 1);
    check_habit(em_slice_of(text), 0, &habits, false, 3);
    check_habit(file, 1, &habits, false, 4);
}

static void depth_is_counted_in_steps(void **state)
{
    (void)state;
    em_indent_unit two = {.with = ' ', .width = 2}, tab = {.with = '\t', .width = 1},
                   unknown = {.with = ' '}, stops = {.with = ' ', .width = 2, .tab_stops = true};
    assert_int_equal(em_indent_depth(EM_LIT(""), two), 0);
    assert_int_equal(em_indent_depth(EM_LIT("     "), two), 2);
    assert_int_equal(em_indent_depth(EM_LIT("\t  "), two), 2);
    assert_int_equal(em_indent_depth(EM_LIT("\t\t"), tab), 2);
    assert_int_equal(em_indent_depth(EM_LIT("        "), tab), 2);
    assert_int_equal(em_indent_depth(EM_LIT("        "), unknown), 2);
    assert_int_equal(em_indent_depth(EM_LIT("\t  "), stops), 5);
}

/* ---- Mapping -------------------------------------------------------------------------------- */

static const struct {
    const char *what;
    const char *pairs[MOST_PAIRS][2]; /* wanted, seen; at 0, 10, 20, ... */
    const char *caller, *file;        /* texts that tell the units */
    const char *indent;
    size_t at;
    const char *mapped;
} maps[] = {
    {"nothing is known", {{NULL}}, "", "", "   ", 0, "   "},
    {"as it is", {{"  ", "  "}, {"    ", "    "}}, "", "", "        ", 0, "        "},
    {"the same lacks", {{"", "    "}, {"  ", "      "}}, "", "", "    ", 0, "        "},
    {"the same is too much", {{"    ", ""}, {"        ", "    "}}, "", "", "      ", 0, "  "},
    {"less than is too much",
     {{"    ", ""}, {"        ", "    "}},
     "a\n    b",
     "a\n    b",
     "  ",
     0,
     ""},
    {"no indentation is none in any unit",
     {{"        ", "\t\t"}},
     "        a\n",
     "\t\ta\n",
     "",
     10,
     ""},
    {"... of several lines that are as deep",
     {{"\t", "        "}, {"\t", "        "}},
     "\ta\n\tb\n",
     "        a\n",
     "",
     5,
     ""},
    {"... but where lines of another depth tell how much all lack",
     {{"    ", "\t\t"}, {"        ", "\t\t\t"}},
     "    a\n        b\n",
     "\ta\n",
     "",
     5,
     "\t"},
    {"a line as deep as one that is known",
     {{"  ", "\t"}, {"    ", "\t\t"}},
     "",
     "",
     "    ",
     0,
     "\t\t"},
    {"a first line that is cut, and begins with any blanks",
     {{" ", "\t\t\t"}, {"                ", "\t\t\t\t"}, {"            ", "\t\t\t"}},
     "                a\n            b\n",
     "\t\t\t\ta\n\t\t\tb\n",
     "\t\t\t\t",
     20,
     "\t\t\t\t"},
    {"the nearest of them", {{"  ", "\t"}, {"  ", "\t\t"}}, "", "", "  ", 9, "\t\t"},
    {"two for four, in lines of one depth",
     {{"  ", "    "}, {"  ", "    "}},
     "  a\n  b\n    c",
     "a\n    b\n        c",
     "    ",
     0,
     "        "},
    {"two columns lost, in lines of one depth",
     {{"  ", "    "}, {"  ", "    "}},
     "  a\n  b\n      c",
     "a\n    b\n        c",
     "      ",
     0,
     "        "},
    {"tabs for spaces, deeper",
     {{"  ", "\t"}, {"    ", "\t\t"}},
     "a\n  b\n",
     "a\n\tb\n",
     "      ",
     10,
     "\t\t\t"},
    {"and aligned",
     {{"  ", "\t"}, {"    ", "\t\t"}},
     "a\n  b\n",
     "a\n\tb\n",
     "       ",
     10,
     "\t\t\t "},
    {"spaces for tabs",
     {{"\t", "  "}, {"\t\t", "    "}},
     "a\n\tb\n",
     "a\n  b\n",
     "\t\t\t",
     10,
     "      "},
    {"less deep", {{"\t\t", "    "}}, "a\n\tb\n", "a\n  b\n", "\t", 0, "  "},
    {"less deep than the file is", {{"\t\t\t", "  "}}, "a\n\tb\n", "a\n  b\n", "", 0, ""},
    {"four for two",
     {{"  ", "    "}, {"    ", "        "}},
     "a\n  b\n",
     "a\n    b\n",
     "      ",
     0,
     "            "},
    {"two for four, less deep",
     {{"    ", "  "}, {"            ", "      "}},
     "a\n    b\n",
     "a\n  b\n",
     "        ",
     10,
     "    "},
    {"two pairs tell the steps, whatever the depth",
     {{"  ", "        "}, {"", "    "}},
     "a\n  b\n    c\n",
     "a\n    b\n        c\n",
     "    ",
     0,
     "            "},
    {"of which one goes over two steps",
     {{"", "  "}, {"        ", "      "}},
     "a\n    b\n",
     "a\n  b\n",
     "            ",
     10,
     "        "},
    {"lines that are as deep as another, and are not in the file, tell no step",
     {{"", "  "}, {"", "    "}, {"  ", "      "}, {"    ", "        "}},
     "a\n  b\n    c\n",
     "a\n  b\n    c\n",
     "      ",
     30,
     "          "},
    {"a blank of a comment is no step",
     {{" ", " "}, {"", ""}, {"  ", "\t"}},
     "a\n  b\n",
     "a\n\tb\n",
     "    ",
     20,
     "\t\t"},
    {"one pair, as deep in its own steps",
     {{"  ", "    "}},
     "a\n  b\n",
     "a\n    b\n",
     "    ",
     0,
     "        "},
    {"one pair, otherwise deep: a step of the caller's is one of the file's",
     {{"", "    "}},
     "a\n  b\n",
     "a\n    b\n",
     "  ",
     0,
     "        "},
    {"one line without indentation in either: a new one has the file's steps",
     {{"", ""}},
     "a\n  b\n",
     "a\n    b\n",
     "  ",
     0,
     "    "},
    {"but of a tab", {{"", ""}}, "a\n\tb\n", "a\n    b\n", "\t", 0, "    "},
    {"one line, the file's unit unknown", {{"", ""}}, "a\n  b\n", "a\n", "  ", 0, "  "},
    {"one line, the file's unit the same",
     {{"    ", "    "}},
     "",
     "a\n    b\n",
     "        ",
     0,
     "        "},
    {"tabs that nobody else has",
     {{"    ", "    "}},
     "a\n    b\n",
     "a\n  b\n    c\n",
     "\t\t ",
     0,
     "     "},
    {"mixed: neither begins with the other",
     {{" \t", "    "}},
     "a\n\tb\n",
     "a\n  b\n",
     "\t\t\t",
     0,
     "        "},
    {"mixed and less deep", {{"\t \t", "      "}}, "a\n\tb\n", "a\n  b\n", "\t\t", 0, "      "},
    {"mixed, less than there is", {{" \t\t\t", "  "}}, "a\n\tb\n", "a\n  b\n", "\t", 0, ""},
    {"a file that mixes both, beside a line with the caller's spaces",
     {{"    ", "    "}, {"        ", "        "}, {"        ", "\t\t"}},
     "    a\n        b\n        c\n",
     "    a\n        b\n\t\tc\n",
     "            ",
     10,
     "            "},
    {"... and beside one with tabs",
     {{"    ", "    "}, {"        ", "\t\t"}},
     "    a\n        b\n        c\n",
     "    a\n        b\n\t\tc\n",
     "            ",
     10,
     "\t\t\t"},
    {"of unknown width", {{"\t", ""}}, "a\n\tb\n", "a\n", "\t\t", 0, "\t"},
    {"mixed, of unknown width", {{"\t", ""}}, "a\n\tb\n", "a\n", " \t\t", 0, "    "},
    {"alike but for a line that is not",
     {{"  ", "    "}, {"    ", "      "}, {"      ", "      "}},
     "a\n  b\n",
     "a\n  b\n",
     "        ",
     0,
     "          "},
    {"steps that do not go up in each other",
     {{"", ""}, {"   ", "     "}},
     "a\n   b\n",
     "a\n  b\n",
     "      ",
     10,
     "        "},
};

static size_t pairs_of(size_t index, em_indent_pair *pairs)
{
    size_t count = 0;
    for (; count < MOST_PAIRS && maps[index].pairs[count][0]; count++)
        pairs[count] = (em_indent_pair){em_slice_of(maps[index].pairs[count][0]),
                                        em_slice_of(maps[index].pairs[count][1]), 10 * count};
    return count;
}

static em_status map(size_t index, em_arena *arena, em_slice *out)
{
    em_indent_pair pairs[MOST_PAIRS];
    em_indents indents = {.pairs = pairs, .count = pairs_of(index, pairs)};
    em_indents_init(&indents, em_slice_of(maps[index].caller), (em_slice){0},
                    em_indent_habit_of(em_slice_of(maps[index].file)));
    return em_indent_map(&indents, em_slice_of(maps[index].indent), maps[index].at, maps[index].at,
                         arena, out);
}

static void an_indentation_becomes_the_files(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(maps); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_slice out;
        assert_int_equal(map(i, &arena, &out), EM_OK);
        check_bytes(maps[i].what, out, em_slice_of(maps[i].mapped));
    }
}

static em_status map_one(em_arena *arena, const void *context)
{
    em_slice out;
    return map(*(const size_t *)context, arena, &out);
}

static void memory_that_runs_out_is_a_status(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(maps); i++)
        if (strcmp(maps[i].what, "tabs for spaces, deeper") == 0 ||
            strcmp(maps[i].what, "the same lacks") == 0)
            check_scarce(maps[i].what, map_one, &i);
}

static void no_lines_agree_with_each_other(void **state)
{
    (void)state;
    em_indents none = {.count = 0};
    assert_true(em_indents_agree(&none));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_tells_its_unit),
        cmocka_unit_test(most_lines_tell_whether_tabs_are_shunned),
        cmocka_unit_test(blocks_tell_what_a_tab_is),
        cmocka_unit_test(the_lines_around_a_place_tell_of_it),
        cmocka_unit_test(another_text_is_looked_at_itself),
        cmocka_unit_test(depth_is_counted_in_steps),
        cmocka_unit_test(an_indentation_becomes_the_files),
        cmocka_unit_test(no_lines_agree_with_each_other),
        cmocka_unit_test(memory_that_runs_out_is_a_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
