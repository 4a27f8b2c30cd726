#include "match/omission.h"

#include "check_texts.h"

static void words_of_leaving_out(void **state)
{
    (void)state;
    static const struct {
        const char *phrase;
        bool tells, names;
    } cases[] = {
        {"existing code", true, true},
        {"rest of the methods", true, true},
        {"Rest unchanged", true, false},
        {"unchanged", true, false},
        {"remaining imports and functions", true, true},
        {"the code", false, false},
        {"code", false, false},
        {"existing users", false, false},
        {"rest = 4", false, false},
        {"", false, false},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        em_slice phrase = em_slice_of(cases[i].phrase);
        check_size(cases[i].phrase, em_omission_in_words(phrase, false), cases[i].tells);
        check_size(cases[i].phrase, em_omission_in_words(phrase, true), cases[i].names);
    }
}

static void the_shape_of_leaving_out(void **state)
{
    (void)state;
    enum { NEVER = 0, ALWAYS = 1, BEFORE = 2, AROUND = 3 }; /* from which ellipsis on */
    static const struct {
        const char *phrase;
        int from;
    } cases[] = {
        {"existing routes", ALWAYS},
        {"rest of the request handlers", ALWAYS},
        {"the remaining orders", ALWAYS},
        {"keep existing routes", ALWAYS},
        {"other methods", BEFORE},
        {"others", NEVER},
        {"3 more routes", AROUND},
        {"previous orders", AROUND},
        {"routes unchanged", AROUND},
        {"existing", NEVER},
        {"existing rows are closed", NEVER},
        {"existing rows are unchanged", ALWAYS},
        {"existing rows must go", NEVER},
        {"existing one two three four", NEVER},
        {"rest of a=b", NEVER},
        {"routes", NEVER},
        {"", NEVER},
    };
    static const em_dots dots[] = {EM_DOTS_BEHIND, EM_DOTS_BEFORE, EM_DOTS_AROUND};
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        for (size_t k = 0; k < COUNT_OF(dots); k++)
            check_size(cases[i].phrase, em_omission_in_shape(em_slice_of(cases[i].phrase), dots[k]),
                       cases[i].from != NEVER && (int)k + 1 >= cases[i].from);
}

static void sentences_of_leaving_out(void **state)
{
    (void)state;
    static const struct {
        const char *phrase;
        bool is, names;
    } cases[] = {
        {"the rest of the file stays the same", true, true},
        {"Rest of the class is unchanged", true, true},
        {"remaining code omitted", true, true},
        {"other methods unchanged", true, true},
        {"all other methods stay as they are", true, true},
        {"the file stays the same", false, false},
        {"rest stays the same", true, false},
        {"the rest is as before", true, false},
        {"rest of the file", false, false},
        {"others stay the same", false, false},
        {"the rest of the day stays the same", false, false},
        {"existing code unchanged", false, false},
        {"as they are", false, false},
        {"", false, false},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        em_slice phrase = em_slice_of(cases[i].phrase);
        check_size(cases[i].phrase, em_omission_is_sentence(phrase, false), cases[i].is);
        check_size(cases[i].phrase, em_omission_is_sentence(phrase, true), cases[i].names);
    }
}

static void phrases_that_are_always_meant(void **state)
{
    (void)state;
    static const struct {
        const char *phrase;
        bool is, names;
    } cases[] = {
        {"existing code", true, true},
        {"Existing Code.", true, true},
        {"rest of the file", true, true},
        {"keep existing code", true, true},
        {"your existing code", true, true},
        {"keep all existing code", true, true},
        {"keep rest of the file", true, true},
        {"unchanged", true, false},
        {"same as before", true, false},
        {"existing code of ours", false, false},
        {"existing code (unchanged)", true, true},
        {"rest of the file (same as before)", true, true},
        {"existing code (same)", true, true},
        {"the code goes here", false, false},
        {"existing code goes here", true, true},
        {"Existing methods go here:", true, true},
        {"EXISTING CODE HERE", true, true},
        {"existing code goes", false, false},
        {"existing code (of ours)", false, false},
        {"existing code ()", false, false},
        {"existing code (unchanged", false, false},
        {"(unchanged)", false, false},
        {"existing code (same, but sorted)", false, false},
        {"keep unchanged", false, false},
        {"", false, false},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        em_slice phrase = em_slice_of(cases[i].phrase);
        check_size(cases[i].phrase, em_omission_is_fixed(phrase, false), cases[i].is);
        check_size(cases[i].phrase, em_omission_is_fixed(phrase, true), cases[i].names);
    }
}

static void remainders(void **state)
{
    (void)state;
    static const struct {
        const char *phrase;
        bool is;
    } cases[] = {
        {"rest of your code", true},
        {"the rest of your code here", true},
        {"rest of page unchanged", true},
        {"rest of the page omitted", true},
        {"rest of page", false},
        {"rest of the page", false},
        {"rest of your", false},
        {"rest of your code is here", false},
        {"existing page unchanged", false},
        {"rest of one two three four unchanged", false},
        {"rest of your a = b", false},
        {"", false},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_size(cases[i].phrase, em_omission_is_remainder(em_slice_of(cases[i].phrase)),
                   cases[i].is);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_of_leaving_out),
        cmocka_unit_test(the_shape_of_leaving_out),
        cmocka_unit_test(sentences_of_leaving_out),
        cmocka_unit_test(phrases_that_are_always_meant),
        cmocka_unit_test(remainders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
