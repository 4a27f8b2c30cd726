#include "match/token_line.h"

#include "check_texts.h"

#define NB "\xC2\xA0"

static em_tokened tokened(const char *text, em_arena *arena)
{
    em_tokened t = {.text = em_slice_of(text)};
    assert_int_equal(em_tokens_of(t.text, EM_FOLD_WRITING, arena, &t.tokens), EM_OK);
    return t;
}

static void lines_of_a_caller(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t index;
        const char *indent; /* NULL: it begins no line */
        size_t first, last;
    } cases[] = {
        {"  a b\n\tc", 0, "  ", 0, 1}, {"  a b\n\tc", 1, NULL, 0, 1},
        {"  a b\n\tc", 2, "\t", 2, 2}, {"a b", 0, "", 0, 1},
        {"\n\n  a\n", 0, "  ", 0, 0},  {"a\r\n \r\n   b", 1, "   ", 1, 1},
        {"a\n" NB "b", 1, NB, 1, 1},   {"a  b c\nd", 1, NULL, 0, 2},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_tokened t = tokened(cases[i].text, &arena);
        em_slice indent;
        size_t first, last;
        bool begins = em_line_indent(t, cases[i].index, &indent);
        check_size(cases[i].text, begins, cases[i].indent != NULL);
        if (begins)
            check_bytes(cases[i].text, indent, em_slice_of(cases[i].indent));
        em_line_around(t, cases[i].index, &first, &last);
        check_size(cases[i].text, first, cases[i].first);
        check_size(cases[i].text, last, cases[i].last);
    }
}

static void lines_of_a_place(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_slice text = EM_LIT("{\n" NB " one two\n\tthree"), indent;
    em_places found;
    assert_int_equal(em_tolerant_find(text, EM_LIT("one  two three"), EM_LIT(""), EM_FOLD_WRITING,
                                      NULL, &arena, &found),
                     EM_OK);
    assert_int_equal(found.count, 1);
    assert_true(em_seen_indent(text, &found.items[0], 0, &indent));
    check_bytes("one", indent, EM_LIT(NB " "));
    assert_false(em_seen_indent(text, &found.items[0], 1, &indent));
    assert_true(em_seen_indent(text, &found.items[0], 2, &indent));
    check_bytes("three", indent, EM_LIT("\t"));
}

static void a_text_begins_with_a_line(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_slice text = EM_LIT("  one  two"), indent;
    em_places found;
    assert_int_equal(em_tolerant_find(text, EM_LIT("one two"), EM_LIT(""), EM_FOLD_WRITING, NULL,
                                      &arena, &found),
                     EM_OK);
    assert_int_equal(found.count, 1);
    assert_true(em_seen_indent(text, &found.items[0], 0, &indent));
    check_bytes("one", indent, EM_LIT("  "));
}

static void an_offset_may_begin_a_line(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t offset;
        const char *indent; /* NULL: it does not */
    } cases[] = {
        {"  a", 2, "  "}, {"b\n\ta", 3, "\t"}, {"b a", 2, NULL}, {"a", 0, ""}, {"b\r  a", 4, "  "},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        em_slice indent;
        bool begins = em_indent_at(em_slice_of(cases[i].text), cases[i].offset, &indent);
        check_size(cases[i].text, begins, cases[i].indent != NULL);
        if (begins)
            check_bytes(cases[i].text, indent, em_slice_of(cases[i].indent));
    }
}

static void one_blank_is_no_indentation(void **state)
{
    (void)state;
    assert_false(em_is_indentation(EM_LIT("")));
    assert_false(em_is_indentation(EM_LIT(" ")));
    assert_true(em_is_indentation(EM_LIT("  ")));
    assert_true(em_is_indentation(EM_LIT("\t")));
}

static void brackets_may_be_open(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        bool open;
    } lines[] = {
        {"f(a", true},   {"f(a)", false}, {"f(a) {", true}, {"})", false},
        {"}, [", false}, {"f([a)", true}, {"a", false},
    };
    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_tokened t = tokened(lines[i].line, &arena);
        check_size(lines[i].line, em_line_leaves_open(t, 0, t.tokens.count - 1), lines[i].open);
    }
}

static void lines_stay_or_change(void **state)
{
    (void)state;
    enum { NEW = -1 };
    static const struct {
        const char *what, *find, *insert;
        bool stays;      /* the last line of the replacement */
        int counterpart; /* of its first line */
    } cases[] = {
        {"as it is", "a b\nc d\n", "a b\nx\nc d\n", true, 0},
        {"at another depth", "a b\nc d\n", "a b\n  c d\n", true, 0},
        {"a word more", "a b\nc d\n", "a b\nc d e\n", false, 0},
        {"a word fewer", "a b\nc d e\n", "a b\nc d\n", false, 0},
        {"another first word", "a b\nc d\n", "a b\ne d\n", false, 0},
        {"the second line comes first", "a b\nc d\n", "c e\n", false, 2},
        {"all is new", "a b\nc d\n", "x y\n", false, NEW},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_tokened find = tokened(cases[i].find, &arena), insert = tokened(cases[i].insert, &arena);
        size_t *origin;
        assert_int_equal(em_redline(&find, &insert, &arena, &origin), EM_OK);
        check_size(cases[i].what, em_line_stays(find, insert, origin, insert.tokens.count - 1),
                   cases[i].stays);
        check_size(cases[i].what, em_first_counterpart(find, insert, origin),
                   cases[i].counterpart == NEW ? EM_NPOS : (size_t)cases[i].counterpart);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_of_a_caller),           cmocka_unit_test(lines_of_a_place),
        cmocka_unit_test(a_text_begins_with_a_line),   cmocka_unit_test(an_offset_may_begin_a_line),
        cmocka_unit_test(one_blank_is_no_indentation), cmocka_unit_test(brackets_may_be_open),
        cmocka_unit_test(lines_stay_or_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
