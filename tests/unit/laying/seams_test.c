#include "laying/seams.h"

#include "placed.h"

static void new_lines_end_as_those_around_them(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        em_span span;
        em_eol dominant;
        const char *wanted;
    } cases[] = {
        {"a\r\nb\nc\n", {0, 5}, EM_EOL_LF, "\r\n"}, {"a\r\nb\nc\r", {3, 6}, EM_EOL_CRLF, "\n"},
        {"a\rb", {0, 3}, EM_EOL_NONE, "\r"},        {"a\r\nb\n", {0, 1}, EM_EOL_CRLF, "\r\n"},
        {"a\nb", {2, 3}, EM_EOL_CR, "\r"},          {"a", {0, 1}, EM_EOL_NONE, "\n"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_bytes(cases[i].text,
                    em_place_eol(em_slice_of(cases[i].text), cases[i].span, cases[i].dominant),
                    em_slice_of(cases[i].wanted));
}

static void words_may_become_one(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        em_span span;
        const char *result;
        bool joins;
    } cases[] = {
        {"one(two)three", {3, 8}, "", true},     {"one(two)three", {3, 8}, "x", true},
        {"one(two)three", {3, 8}, "(x", true},   {"one(two)three", {3, 8}, "x)", true},
        {"one(two)three", {3, 8}, "(x)", false}, {"one(two) three", {3, 8}, "", false},
        {"one (two)three", {4, 9}, "", false},   {"(two)three", {0, 5}, "", false},
        {"one(two)", {3, 8}, "", false},         {"one(two)three", {3, 8}, " x ", false},
        {"one two", {3, 3}, "", false},          {"(two)", {1, 4}, "x", false},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        em_tolerant_place place = {.span = cases[i].span, .fold = EM_FOLD_WRITING};
        check_size(cases[i].text,
                   em_joins_words(em_slice_of(cases[i].text), &place, em_slice_of(cases[i].result)),
                   cases[i].joins);
    }
}

static void a_last_line_ends_as_it_did(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text, *find, *insert, *result, *wanted;
    } cases[] = {
        {"an ending that was imagined", "a  b", "a b\n", "a c\n", "a  c\n", "a  c"},
        {"a CRLF", "a  b", "a b\r\n", "a c\r\n", "a  c\r\n", "a  c"},
        {"the file has it", "a  b\n", "a b\n", "a c\n", "a  c\n", "a  c\n"},
        {"another line is the last", "a  b\nd", "a b\n", "a c\n", "a  c\n", "a  c\n"},
        {"the search text has none", "a  b", "a b", "a c\n", "a  c\n", "a  c\n"},
        {"the last line goes", "a  b\nc", "a b\nc\n", "a b\n", "a  b\n", "a  b"},
        {"nothing comes", "a  b", "a b\n", "", "", ""},
        {"the result has fewer than the replacement", "a  b", "a b\n", "a c\n\n", "a  c\n",
         "a  c\n"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_tolerant_place place;
        em_tokened insert, result;
        assert_int_equal(
            place_of(cases[i].what, cases[i].text, cases[i].find, cases[i].insert, &arena, &place),
            EM_OK);
        assert_int_equal(tokened_of(place.insert, &arena, &insert), EM_OK);
        assert_int_equal(tokened_of(em_slice_of(cases[i].result), &arena, &result), EM_OK);
        check_bytes(cases[i].what,
                    em_ended_as_before(em_slice_of(cases[i].text), &place, &insert, result),
                    em_slice_of(cases[i].wanted));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(new_lines_end_as_those_around_them),
        cmocka_unit_test(words_may_become_one),
        cmocka_unit_test(a_last_line_ends_as_it_did),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
