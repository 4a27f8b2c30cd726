#include "edit/template.h"

#include "scarce_arena.h"

static pcre2_code *compiled(const char *pattern)
{
    int code;
    PCRE2_SIZE offset;
    pcre2_code *out =
        pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED, 0, &code, &offset, NULL);
    assert_non_null(out);
    return out;
}

static const struct {
    const char *what, *pattern, *template;
    const char *wanted; /* NULL: nobody knows */
} mended[] = {
    {"a price", "a", "5$", "5$$"},
    {"a dollar between blanks", "a", "a $ b", "a $$ b"},
    {"the match", "a", "<$&>", "<$0>"},
    {"a digit behind a group", "(a)", "$10", "${1}0"},
    {"a group of two digits", "((((((((((a))))))))))", "$10", "$10"},
    {"a group", "(a)", "$1", "$1"},
    {"in braces", "(a)", "${1}0", "${1}0"},
    {"the whole match", "a", "$0", "$0"},
    {"a group that is none", "(a)", "$2", NULL},
    {"a name where no group has one", "(a)", "$name", "$$name"},
    {"where one has", "(?<other>a)", "$name", "$name"},
    {"in braces, where no group has one", "(a)", "${name}", "$${name}"},
    {"braces that stay open", "(a)", "${1", "$${1"},
    {"text before the match", "a", "$`", NULL},
    {"behind it", "a", "$'", NULL},
    {"a dollar that is text", "a", "$$5", "$$5"},
    {"behind a backslash", "a", "\\$&", "\\$&"},
    {"a backslash at the end", "a", "a\\", "a\\"},
    {"a group behind a backslash", "(a)", "x \\1.", "x $1."},
    {"and letters behind it", "(a)", "def \\1_tok(", "def ${1}_tok("},
    {"and a digit", "(a)", "\\10", "${1}0"},
    {"a group of two digits behind one", "((((((((((a))))))))))", "\\10", "$10"},
    {"in brackets", "(a)", "\\g<1>0 \\g{1} \\g1", "${1}0 $1 $1"},
    {"a name in brackets", "(?<n>a)", "\\g<n> \\k{n} \\k'n'", "${n} ${n} ${n}"},
    {"the whole match behind a backslash", "a", "<\\0> \\g<0>", "<$0> $0"},
    {"a letter's code", "a", "\\012", NULL},
    {"a group behind a backslash that is none", "(a)", "\\1 \\2", NULL},
    {"in brackets that is none", "(a)", "\\g<10>", NULL},
    {"brackets that stay open", "(a)", "\\g<1", "\\g<1"},
    {"backslashes that are text", "(a)", "\\\\1 \\n", "\\\\1 \\n"},
    {"no dollar", "a", "b", "b"},
    {"one clear, one not", "(a)", "$& $2", NULL},
};

static void templates_are_mended(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(mended); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_slice out;
        pcre2_code *pattern = compiled(mended[i].pattern);
        assert_int_equal(em_template_mend(pattern, em_slice_of(mended[i].template), &arena, &out),
                         EM_OK);
        pcre2_code_free(pattern);
        check_bytes(mended[i].what, out, em_slice_of(mended[i].wanted ? mended[i].wanted : ""));
    }
}

static void a_failure_says_what_to_send(void **state)
{
    (void)state;
    static const struct {
        const char *pattern, *template, *says;
    } cases[] = {
        {"(a)", "$2", "refers to group 2, but the pattern has 1 group: $0 is the whole match"},
        {"(a)(b)", "x$3y", "refers to group 3, but the pattern has 2 groups: $0"},
        {"(a)", "$10", "for group 1 and a digit behind it send ${1}0"},
        {"(a)", "${10}", "refers to group 10, but the pattern has 1 group: $0"},
        {"(a)", "$name", "refers to a group \"name\", which the pattern does not have: for a $"},
        {"(a)", "5$", "malformed at offset 2"},
        {"(a)", "5$", "send $0 for the whole match, $$ for a $ that is text"},
        {"(a)", "\\q", "send \\\\ for one that is text"},
        {"(a)", "x\\1y",
         "malformed at offset 2: \\1 is no group here. Groups are $1 or ${1}, named ones ${name}, "
         "the "
         "whole match is $0; the pattern has 1 group"},
        {"a", "x\\g<1>y", ": \\g<1> is no group here. Groups are $1 or ${1}"},
        {"(?<n>a)(b)", "\\k'n'", ": \\k'n' is no group here"},
        {"a", "\\g<1", "send \\\\ for one that is text"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        pcre2_code *pattern = compiled(cases[i].pattern);
        pcre2_match_data *match = pcre2_match_data_create_from_pattern(pattern, NULL);
        char out[100];
        PCRE2_SIZE length = sizeof out;
        em_error err = EM_ERROR_INIT;
        assert_non_null(match);
        int code = pcre2_substitute(pattern, (PCRE2_SPTR) "ab", 2, 0, PCRE2_SUBSTITUTE_EXTENDED,
                                    match, NULL, (PCRE2_SPTR)cases[i].template,
                                    strlen(cases[i].template), (PCRE2_UCHAR *)out, &length);
        assert_true(code < 0);
        assert_int_equal(
            em_template_fail(pattern, em_slice_of(cases[i].template), code, length, &err),
            EM_E_INVALID);
        pcre2_match_data_free(match);
        pcre2_code_free(pattern);
        assert_int_equal(err.code, EM_E_INVALID);
        assert_int_equal(err.cause, EM_CAUSE_PATTERN);
        if (!strstr(err.detail, cases[i].says))
            fail_msg("%s: %s", cases[i].template, err.detail);
    }
}

static void templates_may_leave_something_out(void **state)
{
    (void)state;
    static const struct {
        const char *what, *template, *pattern, *wanted;
    } cases[] = {
        {"a line of it", "a\\n// ... rest of code ...\\nb", "x", "// ... rest of code ..."},
        {"a line of its own", "a\n// ... rest of code ...", "x", "// ... rest of code ..."},
        {"the pattern has it", "a\\n// ... rest of code ...", "// \\.\\.\\. rest of code \\.\\.\\.",
         ""},
        {"the pattern has another one", "// ... rest of code ...\\n// ... existing code ...",
         "// \\.\\.\\. rest of code \\.\\.\\.", "// ... existing code ..."},
        {"lines of it", "<!--\\nexisting code\\n-->", "x", "existing code"},
        {"the pattern has one of several lines", "<!--\\nexisting code\\n-->\\n// unchanged",
         "existing code", "// unchanged"},
        {"none", "a\\nb", "x", ""},
        {"an empty template", "", "x", ""},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_slice omission;
        assert_int_equal(em_template_omission(em_slice_of(cases[i].template),
                                              em_slice_of(cases[i].pattern), &arena, &omission),
                         EM_OK);
        check_bytes(cases[i].what, omission, em_slice_of(cases[i].wanted));
    }
}

static em_status mend(em_arena *arena, const void *context)
{
    em_slice out;
    return em_template_mend(context, EM_LIT("5$ for the first"), arena, &out);
}

static em_status omit(em_arena *arena, const void *context)
{
    em_slice out;
    (void)context;
    return em_template_omission(EM_LIT("a\\n// ... rest of code ..."), EM_LIT("x"), arena, &out);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    pcre2_code *pattern = compiled("a");
    check_scarce("a mended template", mend, pattern);
    pcre2_code_free(pattern);
    check_scarce("an omission", omit, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(templates_are_mended),
        cmocka_unit_test(a_failure_says_what_to_send),
        cmocka_unit_test(templates_may_leave_something_out),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
