#include "laying/artifact.h"

#include "check_texts.h"

static const struct {
    const char *what, *find, *insert, *text;
    bool has_artifact;
} cases[] = {
    {"plain", "a", "b", "a\n", false},
    {"empty", "a", "", "a\n", false},
    {"a fence", "a", "```js\nb\n```", "a\n", true},
    {"an indented fence", "a", "b\n  ~~~\n", "a\n", true},
    {"a fence among fences", "a", "```js\nb\n```", "a\n\n```\nx\n```\n", false},
    {"a fence that was there", "```\na\n```", "```js\nb\n```", "", false},
    {"three backticks in a line", "a", "x = ```b```", "a\n", false},
    {"SEARCH and REPLACE", "a", "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE", "a\n", true},
    {"their end alone", "a", "b\n>>>>>>> REPLACE", "a\n", true},
    {"their middle first", "a", "=======\nb", "a\n", true},
    {"an underlined heading", "a", "b\n=======", "a\n", false},
    {"which was underlined", "=======\na", "=======\nb", "=======\na\n", false},
    {"other markers", "a", "------- SEARCH\na\n=======\nb\n+++++++ REPLACE", "a\n", true},
    {"a conflict", "a", "<<<<<<<\na\n|||||||\n=======\nb\n>>>>>>>", "a\n", true},
    {"its base", "a", "b\n||||||| base\n", "a\n", true},
    {"a conflict that was there", "<<<<<<< HEAD\na", "<<<<<<< HEAD\nb", "", false},
    {"shifts", "a", "cin >> b >> c;\nx <<= 2;", "a\n", false},
    {"numbered lines", "a\nb", "1 | c\n2 | d", "", true},
    {"that were numbered", "1 | a\n2 | b", "1 | c\n2 | d", "", false},
    {"one numbered line", "a", "12\xE2\x86\x92  b", "", true},
    {"a number and a colon", "a", "80: b", "", false},
    {"two of them", "a", "80: b\n81: c", "", true},
    {"one line of the search text with a number", "a\nb", "c\n2: b\nd", "", true},
    {"that had it", "a\n2: b\nb", "c\n2: b\nd", "", false},
    {"a number before nothing", "a\n\nb", "c\n2:\nd", "", false},
};

static void wrappings_are_seen(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_size(cases[i].what,
                   em_has_artifact(em_slice_of(cases[i].text), em_slice_of(cases[i].find),
                                   em_slice_of(cases[i].insert)),
                   cases[i].has_artifact);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(wrappings_are_seen)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
