#include "selectors/scan.h"

#include <stdio.h>
#include <stdlib.h>

#include "../with_cmocka.h"
#include "failing_malloc.h"

/* `rest`: what is left behind it. */
static void check_identifier(const char *text, const char *name, const char *rest)
{
    EM_AUTO(em_arena) arena = {0};
    em_scanner scan = {em_slice_of(text), 0};
    em_slice got;
    assert_true(em_scan_starts_identifier(&scan));
    assert_int_equal(em_scan_identifier(&scan, &arena, &got), EM_OK);
    assert_int_equal(got.len, strlen(name));
    assert_memory_equal(got.ptr, name, got.len);
    assert_string_equal(text + scan.at, rest);
}

static void identifiers(void **state)
{
    (void)state;
    static const struct {
        const char *text, *name, *rest;
    } cases[] = {
        {"abc", "abc", ""},
        {"a-b_c1 x", "a-b_c1", " x"},
        {"-a.b", "-a", ".b"},
        {"--x", "--x", ""},
        {"_", "_", ""},
        {"\xC3\xBC"
         "ber>",
         "\xC3\xBC"
         "ber",
         ">"},
        {"hover\\:x", "hover:x", ""},
        {"w-1\\/2 p", "w-1/2", " p"},
        {"\\31 a", "1a", ""},
        {"\\31  a", "1", " a"},
        {"\\000031a", "1a", ""},
        {"\\0000311", "11", ""},
        {"\\64 ", "d", ""},
        {"\\64\tb", "db", ""},
        {"\\64\r\nb", "db", ""},
        {"\\e9t\\E9", "\xC3\xA9t\xC3\xA9", ""},
        {"\\1F600 ", "\xF0\x9F\x98\x80", ""},
        {"\\0 x", "\xEF\xBF\xBDx", ""},
        {"\\D800 ", "\xEF\xBF\xBD", ""},
        {"\\110000 ", "\xEF\xBF\xBD", ""},
        {"\\\xC3\xBC-", "\xC3\xBC-", ""},
        {"a\\", "a", "\\"},
        {"a\\\nb", "a", "\\\nb"},
        {"-\\31 ", "-1", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_identifier(cases[i].text, cases[i].name, cases[i].rest);
}

static void what_begins_no_identifier(void **state)
{
    (void)state;
    static const char *const texts[] = {"",   "1a", "-1",   "-",     ".a",
                                        " a", "\\", "\\\n", "-\\\n", "+a"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        em_scanner scan = {em_slice_of(texts[i]), 0};
        assert_false(em_scan_starts_identifier(&scan));
    }
}

static void strings(void **state)
{
    (void)state;
    static const struct {
        const char *text, *value, *rest; /* NULL: it is none */
    } cases[] = {
        {"\"\"", "", ""},         {"\"a b\"]", "a b", "]"},    {"'it\"s'", "it\"s", ""},
        {"'it\\'s'", "it's", ""}, {"'\\41\\42 C'", "ABC", ""}, {"'a\\\nb'", "ab", ""},
        {"'a\\\r\nb'", "ab", ""}, {"'a\\\fb'", "ab", ""},      {"'\\\\'", "\\", ""},
        {"'a", NULL, NULL},       {"'", NULL, NULL},           {"'a\\'", NULL, NULL},
        {"'a\nb'", NULL, NULL},   {"'a\\", NULL, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        EM_AUTO(em_arena) arena = {0};
        em_scanner scan = {em_slice_of(cases[i].text), 0};
        em_slice got = {0};
        em_status status = em_scan_string(&scan, &arena, &got);
        assert_int_equal(status, cases[i].value ? EM_OK : EM_E_INVALID);
        if (!cases[i].value) {
            assert_int_equal(scan.at, 0);
            continue;
        }
        assert_true(em_slice_is(got, cases[i].value));
        assert_string_equal(cases[i].text + scan.at, cases[i].rest);
    }
}

static void blanks_and_comments(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t end;
        bool blank;
    } cases[] = {
        {"x", 0, false},
        {" x", 1, true},
        {"\t\n\r\f x", 5, true},
        {"/* */x", 5, false},
        {"/* */ /**/\n/*x*/x", 16, true},
        {"/* x", 4, false},
        {"/x", 0, false},
        {"/**/", 4, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        em_scanner scan = {em_slice_of(cases[i].text), 0};
        assert_int_equal(em_scan_blanks(&scan), cases[i].blank);
        assert_int_equal(scan.at, cases[i].end);
    }
}

static void memory_that_runs_out_is_a_status(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_scanner scan = {EM_LIT("a\\:b"), 0};
    em_slice got;
    mallocs_left = 0;
    em_status status = em_scan_identifier(&scan, &arena, &got);
    mallocs_left = -1;
    assert_int_equal(status, EM_E_NOMEM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(identifiers),
        cmocka_unit_test(what_begins_no_identifier),
        cmocka_unit_test(strings),
        cmocka_unit_test(blanks_and_comments),
        cmocka_unit_test(memory_that_runs_out_is_a_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
