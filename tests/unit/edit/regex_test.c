#include "edit/regex.h"

#include "test.h"

static const struct {
    const char *what, *text, *pattern, *replacement;
    em_encoding encoding;
    em_status status;
    size_t count;
    const char *first; /* what the template becomes at the first place */
    size_t start, end;
} cases[] = {
    {"plain", "a b a", "a", "x", EM_UTF8, EM_OK, 2, "x", 0, 1},
    {"groups", "v1.2", "v(\\d)\\.(\\d)", "$2-$1", EM_UTF8, EM_OK, 1, "2-1", 0, 4},
    {"named", "key=val", "(?<k>\\w+)=", "${k}: ", EM_UTF8, EM_OK, 1, "key: ", 0, 4},
    {"a dollar", "a", "a", "$$1", EM_UTF8, EM_OK, 1, "$1", 0, 1},
    {"longer than the match", "a", "a", "0123456789012345678901234567890123456789", EM_UTF8, EM_OK,
     1, "0123456789012345678901234567890123456789", 0, 1},
    {"every line, CRLF too", "a\r\nb\r\n", "\\w$", "x", EM_UTF8, EM_OK, 2, "x", 0, 1},
    {"no line ending for a dot", "a\r\nb", "a.*", "x", EM_UTF8, EM_OK, 1, "x", 0, 1},
    {"empty matches go on",
     "\xC3\xA9"
     "b",
     "x*", "-", EM_UTF8, EM_OK, 3, "-", 0, 0},
    {"code points", "\xC3\xA9", "^.$", "x", EM_UTF8, EM_OK, 1, "x", 0, 2},
    {"bytes of an unknown encoding", "\xE9", "^.$", "x", EM_BYTES, EM_OK, 1, "x", 0, 1},
    {"deletion", "abc", "b", "", EM_UTF8, EM_OK, 1, "", 1, 2},
    {"not there", "abc", "z", "", EM_UTF8, EM_OK, 0, "", 0, 0},
    {"an empty text", "", "^$", "x", EM_UTF8, EM_OK, 1, "x", 0, 0},
    {"malformed pattern", "a", "(", "x", EM_UTF8, EM_E_INVALID, 0, "", 0, 0},
    {"malformed template", "a", "a", "${", EM_UTF8, EM_E_INVALID, 0, "", 0, 0},
    {"no escape in an alternative", "a", "(a)", "${1:+\\3}", EM_UTF8, EM_E_INVALID, 0, "", 0, 0},
    {"a part of a character", "\xC3\xA9", "\\C", "x", EM_UTF8, EM_E_INVALID, 0, "", 0, 0},
    {"no such group", "a", "a", "$7", EM_UTF8, EM_E_INVALID, 0, "", 0, 0},
};

static void each_pattern_is_located(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        EM_AUTO(em_draft) draft;
        em_regex_matches found;
        em_error err = EM_ERROR_INIT;
        assert_int_equal(em_draft_init(&draft, em_slice_of(cases[i].text), 0), EM_OK);
        em_status status =
            em_regex_locate(&draft, cases[i].encoding, em_slice_of(cases[i].pattern),
                            em_slice_of(cases[i].replacement), NULL, &arena, &found, &err);
        check_size(cases[i].what, status, cases[i].status);
        check_size(cases[i].what, err.code, cases[i].status);
        check_size(cases[i].what, found.spans.count, cases[i].count);
        if (found.spans.count == 0)
            continue;
        check_bytes(cases[i].what, found.inserts[0], em_slice_of(cases[i].first));
        check_size(cases[i].what, found.spans.items[0].start, cases[i].start);
        check_size(cases[i].what, found.spans.items[0].end, cases[i].end);
    }
}

/* A pattern that takes exponential time on a text that nearly matches. */
static void a_pattern_that_explodes_is_given_up(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(em_draft) draft;
    em_regex_matches found;
    em_error err = EM_ERROR_INIT;
    char text[5000];
    memset(text, 'a', sizeof text);
    text[sizeof text - 1] = '!';
    assert_int_equal(em_draft_init(&draft, em_slice_make(text, sizeof text), 0), EM_OK);
    assert_int_equal(em_regex_locate(&draft, EM_UTF8, EM_LIT("^(a|aa)+$"), EM_LIT(""), NULL, &arena,
                                     &found, &err),
                     EM_E_TIMEOUT);
    assert_int_equal(err.code, EM_E_TIMEOUT);
}

/* Each match alone is cheap. */
static void a_deadline_ends_the_search(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(em_draft) draft;
    em_regex_matches found;
    em_error err = EM_ERROR_INIT;
    char text[5000];
    memset(text, 'a', sizeof text);
    em_deadline passed = {.at = 1};
    assert_int_equal(em_draft_init(&draft, em_slice_make(text, sizeof text), 0), EM_OK);
    assert_int_equal(
        em_regex_locate(&draft, EM_UTF8, EM_LIT("a"), EM_LIT(""), &passed, &arena, &found, &err),
        EM_E_TIMEOUT);
    assert_int_equal(err.code, EM_E_TIMEOUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_pattern_is_located),
        cmocka_unit_test(a_pattern_that_explodes_is_given_up),
        cmocka_unit_test(a_deadline_ends_the_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
