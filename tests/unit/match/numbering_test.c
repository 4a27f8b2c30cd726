#include "match/numbering.h"

#include "check_texts.h"

static const struct {
    const char *what, *text;
    em_number_style style; /* EM_NUMBER_NONE: not numbered */
    bool spaced;
    unsigned long first, last;
} texts[] = {
    {"nothing", "", EM_NUMBER_NONE, false, 0, 0},
    {"empty lines", "\n \n", EM_NUMBER_NONE, false, 0, 0},
    {"one line", "7: a", EM_NUMBER_COLON, true, 7, 7},
    {"bars", " 9 | a\n10 | b\n", EM_NUMBER_BAR, true, 9, 10},
    {"without a blank", "9|a\n10| b\n", EM_NUMBER_BAR, false, 9, 10},
    {"arrows",
     "9\xE2\x86\x92"
     "a\r\n10\xE2\x86\x92\r\n",
     EM_NUMBER_ARROW, false, 9, 10},
    {"tabs", "\t1\ta\n\t2\tb", EM_NUMBER_TAB, false, 1, 2},
    {"tabs before blanks", " 1\t  a\n 2\t b", EM_NUMBER_TAB, false, 1, 2},
    {"an arrow before a blank", "9\xE2\x86\x92 a", EM_NUMBER_ARROW, false, 9, 9},
    {"lines that lost theirs", "1: a\n\n3: b\n\n\n", EM_NUMBER_COLON, true, 1, 5},
    {"lines that are nothing else", "1: a\n2\n3: b", EM_NUMBER_COLON, true, 1, 3},
    {"one that is too high", "1: a\n3\n3: b", EM_NUMBER_NONE, false, 0, 0},
    {"one that comes first", "1\n2: b", EM_NUMBER_NONE, false, 0, 0},
    {"a gap", "1: a\n3: b", EM_NUMBER_NONE, false, 0, 0},
    {"another sign", "1: a\n2| b", EM_NUMBER_NONE, false, 0, 0},
    {"a line without", "1: a\nb", EM_NUMBER_NONE, false, 0, 0},
    {"more digits than a file has lines", "1234567890: a", EM_NUMBER_NONE, false, 0, 0},
};

static void texts_are_numbered_or_not(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        em_numbering n;
        bool numbered = em_numbering_of(em_slice_of(texts[i].text), &n);
        check_size(texts[i].what, numbered, texts[i].style != EM_NUMBER_NONE);
        if (!numbered)
            continue;
        check_size(texts[i].what, n.style, texts[i].style);
        check_size(texts[i].what, n.spaced, texts[i].spaced);
        check_size(texts[i].what, n.first, texts[i].first);
        check_size(texts[i].what, n.last, texts[i].last);
    }
}

static void the_first_line_may_lack_its_number(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned long first, last; /* 0, 0: it is not numbered so */
    } cases[] = {
        {"f(x)\n8| a\n9| b", 7, 9},       {"f(x)\n8| a", 7, 8},   {"f(x)\n8: a", 0, 0},
        {"7: f(x)\n8: a\n9: b", 0, 0},    {"\n8: a\n9: b", 0, 0}, {"f(x)\n0: a\n1: b", 0, 0},
        {"f(x)\ng(x)\n8: a\n9: b", 0, 0}, {"f(x)", 0, 0},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        em_numbering n;
        bool numbered = em_numbering_behind_first(em_slice_of(cases[i].text), &n);
        check_size(cases[i].text, numbered, cases[i].last > 0);
        if (!numbered)
            continue;
        check_size(cases[i].text, n.headless, true);
        check_size(cases[i].text, n.first, cases[i].first);
        check_size(cases[i].text, n.last, cases[i].last);
    }
}

static void shared_lines_are_counted(void **state)
{
    (void)state;
    assert_int_equal(em_lines_shared(EM_LIT("a\nb\r\n c"), EM_LIT("b\nc\na\nd")), 2);
    assert_int_equal(em_lines_shared(EM_LIT(""), EM_LIT("a")), 0);
    assert_int_equal(em_lines_shared(EM_LIT("a"), EM_LIT("")), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_numbered_or_not),
        cmocka_unit_test(the_first_line_may_lack_its_number),
        cmocka_unit_test(shared_lines_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
