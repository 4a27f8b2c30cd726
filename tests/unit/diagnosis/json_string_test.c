#include "diagnosis/json_string.h"

#include "scarce_arena.h"

static const struct {
    const char *what, *find, *insert;
    const char *wanted_find, *wanted_insert; /* NULL: it is none; the last: it is not clear */
} cases[] = {
    {"quotes and line breaks", "\"foo(\\\"1\\\");\\nbar(2);\"", "\"foo(\\\"3\\\");\\nbar(2);\"",
     "foo(\"1\");\nbar(2);", "foo(\"3\");\nbar(2);"},
    {"blanks around it", " \"a\\nb\"\n", "\"c\"", "a\nb", "c"},
    {"all escapes", "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u003c\\u00e9\"", "\"\"",
     "\"\\/\b\f\n\r\t<\xC3\xA9", ""},
    {"a character of two numbers", "\"\\ud83d\\ude00\"", "\"x\"", "\xF0\x9F\x98\x80", "x"},
    {"half of such a one", "\"\\ud83d\"", "\"x\"", NULL, NULL},
    {"the wrong half behind it", "\"\\ud83d\\ud83d\"", "\"x\"", NULL, NULL},
    {"the other half alone", "\"\\ude00\"", "\"x\"", NULL, NULL},
    {"a replacement that came plain", "\"a\\nb\"", "a\nc", "a\nb", "a\nc"},
    {"one that goes", "\"a\\nb\"", "", "a\nb", ""},
    {"one that is half a string", "\"a\\nb\"", "\"a\\nc", "a\nb", NULL},
    {"one with a backslash", "\"a\\nb\"", "a\\nc", "a\nb", NULL},
    {"no escape in it", "\"a b\"", "\"c\"", NULL, NULL},
    {"a quote within", "\"a\\n\" + \"b\"", "\"c\"", NULL, NULL},
    {"a line break within", "\"a\\n\nb\"", "\"c\"", NULL, NULL},
    {"an escape of no JSON", "\"a\\x\"", "\"c\"", NULL, NULL},
    {"numbers that are none", "\"a\\u00g0\"", "\"c\"", NULL, NULL},
    {"a NUL", "\"a\\u0000\"", "\"c\"", NULL, NULL},
    {"the last quote is escaped", "\"a\\n\\\"", "\"c\"", NULL, NULL},
    {"one quote", "\"", "c", NULL, NULL},
    {"no string", "a\\nb", "c", NULL, NULL},
};

static void texts_become_what_they_stand_for(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_near_miss mended;
        bool is, clear;
        assert_int_equal(em_json_string_of(em_slice_of(cases[i].find), em_slice_of(cases[i].insert),
                                           &arena, &mended, &is, &clear),
                         EM_OK);
        check_size(cases[i].what, is, cases[i].wanted_find != NULL);
        check_size(cases[i].what, clear, cases[i].wanted_insert != NULL);
        if (is)
            check_bytes(cases[i].what, mended.find, em_slice_of(cases[i].wanted_find));
        if (clear)
            check_bytes(cases[i].what, mended.insert, em_slice_of(cases[i].wanted_insert));
    }
}

static em_status run(em_arena *arena, const void *context)
{
    em_near_miss mended;
    bool is, clear;
    (void)context;
    return em_json_string_of(em_slice_of(cases[0].find), em_slice_of(cases[0].insert), arena,
                             &mended, &is, &clear);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    check_scarce("a string", run, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_become_what_they_stand_for),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
