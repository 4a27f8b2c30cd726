#include "check.h"

#include "cli/again.h"

static const char *word_of(em_slice word, em_arena *arena)
{
    EM_AUTO(em_strbuf) out = {0};
    em_add_shell_word(&out, word);
    return em_strbuf_finish(&out, arena);
}

/* That shells take them so is tested from outside, in tests/cli_test.py. */
static void a_word_is_quoted_as_it_needs_it(void **state)
{
    static const struct {
        const char *word, *want;
    } rows[] = {
        {"src/a-b_c.py", "src/a-b_c.py"},
        {"100%,+@:", "100%,+@:"},
        {"", "''"},
        {"a b", "'a b'"},
        {"a\n  b", "'a\n  b'"},
        {"~", "'~'"},
        {"=x", "'=x'"},
        {"$x `y` \"z\" \\n !", "'$x `y` \"z\" \\n !'"},
        {"it's", "'it'\\''s'"},
        {"caf\xc3\xa9", "'caf\xc3\xa9'"},
        {"\tit's\\n\n", "$'\\tit\\'s\\\\n\n'"},
        {"a\r\n", "$'a\\r\n'"},
        {"\033"
         "1",
         "$'\\0331'"},
        {"a\xe2\x80\x8b"
         "7",
         "$'a\\342\\200\\2137'"},
        {"\xe9", "$'\\351'"},
    };
    EM_AUTO(em_arena) arena = {0};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        assert_string_equal(word_of(em_slice_of(rows[i].word), &arena), rows[i].want);
}

static void other_words_and_flags_come_in_the_place_of_those_that_came(void **state)
{
    static const char *const without[] = {"--old", NULL};
    em_given_flag came[] = {{"--old", "x"}, {"--root", "a b"}, {"--all", NULL}},
                  other[] = {{"--old", "y"}};
    const char *plain[] = {"a.txt", "p"}, *dashed[] = {"-a", "p"};
    const struct {
        const char **words, *want;
    } rows[] = {
        {plain, "emend edit a.txt p --root 'a b' --all --old y"},
        {dashed, "emend edit --root 'a b' --all --old y -- -a p"},
    };
    EM_AUTO(em_arena) arena = {0};
    (void)state;
    em_invocation call = {.command = &em_cmd_edit, .flags = {came, 3, 3}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        EM_AUTO(em_strbuf) out = {0};
        em_again again = {{rows[i].words, 2, 2}, {other, 1, 1}, without};
        em_add_again(&out, &call, &again);
        assert_string_equal(em_strbuf_finish(&out, &arena), rows[i].want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_word_is_quoted_as_it_needs_it),
        cmocka_unit_test(other_words_and_flags_come_in_the_place_of_those_that_came),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
