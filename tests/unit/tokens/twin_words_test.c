#include "tokens/twin_words.h"

#include "check_texts.h"

static void words_that_mean_each_their_own(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        bool are;
    } cases[] = {
        {"content", "context", true},
        {"context", "content", true},
        {"Content", "CONTEXT", true},
        {"contents", "contexts", true},
        {"contents", "context", false},
        {"content", "content", false},
        {"content", "contest", false},
        {"s", "s", false},
        {"", "", false},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_size(cases[i].a, em_are_twin_words(em_slice_of(cases[i].a), em_slice_of(cases[i].b)),
                   cases[i].are);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_that_mean_each_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
