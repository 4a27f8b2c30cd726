#include "tokens/indent_habit.h"

#include "check_texts.h"

static const em_indent_unit UNKNOWN = {' ', 0, false}, TWO = {' ', 2, false},
                            FOUR = {' ', 4, false}, TAB = {'\t', 1, false}, STOPS = {' ', 4, true};

static void how_deep_an_indentation_is(void **state)
{
    (void)state;
    static const struct {
        const char *indent;
        const em_indent_unit *unit;
        size_t depth, rest, tabs;
    } cases[] = {
        {"", &FOUR, 0, 0, 0},       {"    ", &FOUR, 1, 0, 0},
        {"      ", &FOUR, 1, 2, 0}, {"      ", &TWO, 3, 0, 0},
        {"\t\t", &TAB, 2, 0, 2},    {"\t  ", &TAB, 1, 2, 1},
        {"\t    ", &FOUR, 2, 0, 1}, {"\t    ", &STOPS, 3, 0, 1},
        {"\t", &STOPS, 2, 0, 1},    {"        ", &UNKNOWN, 2, 0, 0},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        em_slice indent = em_slice_of(cases[i].indent);
        check_size(cases[i].indent, em_indent_depth(indent, *cases[i].unit), cases[i].depth);
        check_size(cases[i].indent, em_indent_rest_of(indent, *cases[i].unit), cases[i].rest);
        check_size(cases[i].indent, em_indent_tabs_in(indent), cases[i].tabs);
    }
    assert_int_equal(em_indent_width_of(TWO), 2);
    assert_int_equal(em_indent_width_of(UNKNOWN), EM_INDENT_USUAL);
}

static void lines_that_are_not_empty(void **state)
{
    (void)state;
    static const char *const eols[] = {"\n", "\r\n", "\r"};
    for (size_t i = 0; i < COUNT_OF(eols); i++) {
        EM_AUTO(em_arena) arena = {0};
        const char *eol = eols[i];
        char *text = em_arena_format(&arena, "%s  a b \t%s \t%s\tc%s%sd", eol, eol, eol, eol, eol);
        assert_non_null(text);
        static const char *const lines[][2] = {{"  ", "a b"}, {"\t", "c"}, {"", "d"}};
        size_t offset = 0;
        em_indented_line line;
        for (size_t k = 0; k < COUNT_OF(lines); k++) {
            assert_true(em_indented_line_next(em_slice_of(text), i > 0, &offset, &line));
            check_bytes("indentation", line.indent, em_slice_of(lines[k][0]));
            check_bytes("text", line.text, em_slice_of(lines[k][1]));
        }
        assert_false(em_indented_line_next(em_slice_of(text), i > 0, &offset, &line));
    }
}

static const struct {
    const char *what, *text;
    size_t width;
    bool told, tabs, any_tab, shuns_tabs, tab_stops;
    unsigned steps;
} habits[] = {
    {"nothing", "", 0, false, false, false, false, false, 0},
    {"no indentation", "a\nb\n", 0, false, false, false, false, false, 0},
    {"two", "a {\n  b {\n    c\n  }\n}\n", 2, true, false, false, false, false, 1 << 2},
    {"four", "a:\n    b\n", 4, true, false, false, false, false, 1 << 4},
    {"the most frequent", "a {\n  b {\n    c\n  }\n}\nd:\n    e\n", 2, true, false, false, false,
     false, 1 << 2 | 1 << 4},
    {"no step tells", "    a\n    b\n", 4, false, false, false, false, false, 0},
    {"what is aligned is no step", "f(a,\n     b)\n", 5, false, false, false, false, false, 0},
    {"a comment of several lines", "/*\n * a\n */\nb {\n  c\n}\n", 2, true, false, false, false,
     false, 1 << 2},
    {"its lines are no steps", "/* a\n * b\n */\n  c\n", 2, true, false, false, false, false,
     1 << 2},
    {"steps in a comment, which code has not", "/*\n   a\n     b\n*/\nc {\n    d\n}\n", 4, true,
     false, false, false, false, 1 << 4},
    {"or in one of markup", "<!-- a\n  b\n-->\n<p>\n    <b>\n", 4, true, false, false, false, false,
     1 << 4},
    {"but where nothing else tells", "/* b\n  a\n*/\n", 2, true, false, false, false, false,
     1 << 2},
    {"behind a comment, from where it began", "a {\n    <!-- b\n  c -->\n    d\n}\n", 4, true,
     false, false, false, false, 1 << 4},
    {"what never ends is no comment", "a {\n  b\n}\n/* c\nd {\n    e\n}\nf {\n    g\n}\n", 4, true,
     false, false, false, false, 1 << 2 | 1 << 4},
    {"tabs", "a {\n\tb\n}\n", 0, false, true, true, false, false, 0},
    {"mostly spaces", "a:\n    b\n    c\n\td\n", 4, true, false, true, false, false, 1 << 4},
    {"deep lines without tabs", "a:\n    b:\n        c\n        d\n", 4, true, false, false, true,
     false, 1 << 4},
    {"tab stops", "f {\n    if (a) {\n\tb(1);\n    }\n}\n", 4, true, false, true, false, true,
     1 << 4},
};

static void lines_tell_the_habit(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(habits); i++) {
        em_indent_habit habit = em_indent_habit_of(em_slice_of(habits[i].text));
        check_size(habits[i].what, habit.spaces.width, habits[i].width);
        check_size(habits[i].what, habit.told, habits[i].told);
        check_size(habits[i].what, habit.tabs, habits[i].tabs);
        check_size(habits[i].what, habit.any_tab, habits[i].any_tab);
        check_size(habits[i].what, habit.shuns_tabs, habits[i].shuns_tabs);
        check_size(habits[i].what, habit.spaces.tab_stops, habits[i].tab_stops);
        check_size(habits[i].what, habit.steps, habits[i].steps);
        check_size(habits[i].what, em_indent_has_tabs(em_slice_of(habits[i].text)),
                   habits[i].any_tab);
    }
}

static void texts_that_were_sent_tell_their_unit(void **state)
{
    (void)state;
    static const struct {
        const char *find, *insert;
        bool first_is_bare;
        size_t width;
        bool told, tabs;
    } texts[] = {
        {"if (a) {\n  b\n}\n", "c\n", false, 2, true, false},
        {"a\n", "if (a) {\n    b\n}\n", false, 4, true, false},
        {"    a\n    b\n", "    a\n", false, 4, false, false},
        {"a\n    b {\n          c\n", "", true, 6, true, false},
        {"\ta\n", "\tb\n", false, 0, false, true},
    };
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        bool told, tabs;
        em_indent_unit unit =
            em_indent_unit_sent(em_slice_of(texts[i].find), em_slice_of(texts[i].insert),
                                texts[i].first_is_bare, &told, &tabs);
        check_size(texts[i].find, unit.width, texts[i].width);
        check_size(texts[i].find, told, texts[i].told);
        check_size(texts[i].find, tabs, texts[i].tabs);
    }
}

static void each_part_of_a_file_has_its_own(void **state)
{
    (void)state;
    enum { LINES = 3000, LINE = 12 };
    static char bytes[2 * LINES * LINE + 1];
    for (size_t i = 0; i < 2 * LINES; i += 2) {
        char *pair = bytes + i * LINE;
        sprintf(pair, "%-11s\n%-11s\n", "if (a) {", i < LINES ? "  b();" : "    b();");
    }
    em_slice text = em_slice_of(bytes);
    size_t end = text.len - LINE;
    assert_int_equal(em_indent_habit_around(text, LINE, 2 * LINE, NULL).spaces.width, 2);
    assert_int_equal(em_indent_habit_around(text, end, text.len, NULL).spaces.width, 4);

    em_indent_habits known = {.text = text};
    assert_int_equal(em_indent_habit_around(text, LINE, 2 * LINE, &known).spaces.width, 2);
    assert_true(known.is_known);
    assert_int_equal(known.at, LINE);
    known.habit.spaces.width = 7;
    assert_int_equal(em_indent_habit_around(text, 2 * LINE, 3 * LINE, &known).spaces.width, 7);
    assert_int_equal(em_indent_habit_around(text, 0, LINE, &known).spaces.width, 2);
    assert_int_equal(em_indent_habit_around(text, end, text.len, &known).spaces.width, 4);
    assert_int_equal(known.at, end);

    em_indent_habits other = {.text = EM_LIT("a"), .is_known = true, .habit.spaces.width = 7};
    assert_int_equal(em_indent_habit_around(text, LINE, 2 * LINE, &other).spaces.width, 2);
    assert_int_equal(other.habit.spaces.width, 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(how_deep_an_indentation_is),
        cmocka_unit_test(lines_that_are_not_empty),
        cmocka_unit_test(lines_tell_the_habit),
        cmocka_unit_test(texts_that_were_sent_tell_their_unit),
        cmocka_unit_test(each_part_of_a_file_has_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
