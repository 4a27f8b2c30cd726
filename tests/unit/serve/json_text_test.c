#include "check.h"
#include "scarce.h"

#include "serve/json_text.h"

static void what_is_json_is_taken(void **state)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"{\"a\":[1,true,null,\"x\"]}", "{\"a\":[1,true,null,\"x\"]}"},
        {" 7 ", "7"},
        {"\"a\\u0000b\"", "\"a\\u0000b\""},
        {"9223372036854775807", "9223372036854775807"},
        {"-9223372036854775808", "-9223372036854775808"},
        {"[9223372036854775807,1.5,\"99999999999999999999\"]",
         "[9223372036854775807,1.5,\"99999999999999999999\"]"},
        {"\"\\ud83d\\ude00\"", "\"\\ud83d\\ude00\""},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        json_t *value;
        em_error err = EM_ERROR_INIT;
        assert_int_equal(em_json_parse(em_slice_of(rows[i].text), &value, &err), EM_OK);
        check_json(rows[i].text, value, rows[i].want);
        json_decref(value);
    }
}

#define BYTES(literal) literal, sizeof(literal) - 1
static void what_is_not_json_is_refused_with_its_place(void **state)
{
    static const struct {
        const char *text;
        size_t length;
        const char *detail;
    } rows[] = {
        {BYTES(""), "at byte"},
        {BYTES("{not json"), "at byte"},
        {BYTES("{\"a\":1,\"a\":2}"), "duplicate object key"},
        {BYTES("\"\\ud800\""), "at byte"},
        {BYTES("\"\xff\""), "at byte"},
        {BYTES("\"\xed\xa0\x80\""), "at byte"},
        {BYTES("{} {}"), "end of file expected"},
        {BYTES("[1,]"), "at byte"},
        {BYTES("{\"a\\u0000\":1}"), "NUL byte in object key"},
        {BYTES("[99999999999999999999,]"), "at byte"},
        {BYTES("[99999999999999999999,\"open"), "at byte"},
        {BYTES("[99999999999999999999,\"open\\"), "at byte"},
        {BYTES("[1]\0"), "end of file expected"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        json_t *value;
        em_error err = EM_ERROR_INIT;
        assert_int_equal(em_json_parse(em_slice_make(rows[i].text, rows[i].length), &value, &err),
                         EM_E_INVALID);
        assert_null(value);
        if (!strstr(err.detail, rows[i].detail))
            fail_msg("%s: %s", rows[i].text, err.detail);
    }
}

static void nested(char *text, const char *open, const char *close, size_t depth)
{
    text[0] = '\0';
    for (size_t i = 0; i < depth; i++)
        strcat(text, open);
    strcat(text, "1");
    for (size_t i = 0; i < depth; i++)
        strcat(text, close);
}

static void depth_is_bounded(void **state)
{
    static const struct {
        const char *open, *close;
        size_t depth;
        em_status status;
        const char *detail;
    } rows[] = {
        {"[", "]", 64, EM_OK, ""},
        {"[", "]", 65, EM_E_INVALID, "it is nested more than 64 deep"},
        {"{\"a\":", "}", 64, EM_OK, ""},
        {"{\"a\":", "}", 65, EM_E_INVALID, "it is nested more than 64 deep"},
        {"[0,{\"a\":1,\"b\":", "}]", 32, EM_OK, ""},
        {"[0,{\"a\":1,\"b\":", "}]", 33, EM_E_INVALID, "it is nested more than 64 deep"},
        {"[", "]", 3000, EM_E_INVALID, "maximum parsing depth reached"},
    };
    static char text[8192];
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        json_t *value;
        em_error err = EM_ERROR_INIT;
        nested(text, rows[i].open, rows[i].close, rows[i].depth);
        assert_int_equal(em_json_parse(em_slice_of(text), &value, &err), rows[i].status);
        assert_int_equal(value != NULL, rows[i].status == EM_OK);
        assert_non_null(strstr(err.detail, rows[i].detail));
        json_decref(value);
    }
}

/* jansson refuses these as not being JSON. */
static void numbers_too_big_become_the_nearest_double(void **state)
{
    static const struct {
        const char *text;
        double want;
    } rows[] = {
        {"9223372036854775808", 9223372036854775808.0},
        {"-9223372036854775809", -9223372036854775809.0},
        {"18446744073709551616", 18446744073709551616.0},
        {"1e999", 1.7976931348623157e308},
        {"-1e999", -1.7976931348623157e308},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        json_t *value;
        em_error err = EM_ERROR_INIT;
        assert_int_equal(em_json_parse(em_slice_of(rows[i].text), &value, &err), EM_OK);
        assert_true(json_is_real(value));
        if (json_real_value(value) > rows[i].want || json_real_value(value) < rows[i].want)
            fail_msg("%s: %.17g", rows[i].text, json_real_value(value));
        json_decref(value);
    }
}

static void other_values_beside_a_big_number_stay_what_they_are(void **state)
{
    (void)state;
    json_t *value;
    em_error err = EM_ERROR_INIT;
    const char *text = "{\"id\":9007199254740993,\"x\":[1e999,\"1e999 \\\" 99999999999999999999\","
                       "-3,1.0,true]}";
    assert_int_equal(em_json_parse(em_slice_of(text), &value, &err), EM_OK);
    check_json(text, value,
               "{\"id\":9007199254740993,\"x\":[1.7976931348623157e308,"
               "\"1e999 \\\" 99999999999999999999\",-3,1.0,true]}");
    json_decref(value);
}

static void nesting_has_a_bound(void **state)
{
    (void)state;
    enum { DEEP = 100000 };
    char *text = malloc(DEEP);
    assert_non_null(text);
    memset(text, '[', DEEP);
    json_t *value;
    em_error err = EM_ERROR_INIT;
    assert_int_equal(em_json_parse(em_slice_make(text, DEEP), &value, &err), EM_E_INVALID);
    assert_non_null(strstr(err.detail, "maximum parsing depth"));
    free(text);
}

static void strings_are_compared_whole(void **state)
{
    (void)state;
    json_t *string = json_stringn("ab\0c", 4);
    json_t *number = json_integer(7);
    assert_false(em_json_is(string, "ab"));
    assert_int_equal(em_json_slice(string).len, 4);
    assert_false(em_json_is(number, "7"));
    assert_int_equal(em_json_slice(number).len, 0);
    assert_false(em_json_is(NULL, ""));
    json_decref(string);
    json_decref(number);
}

static void values_are_written_in_one_line_or_laid_out(void **state)
{
    (void)state;
    EM_AUTO(em_strbuf) out = {0};
    json_t *value = json_pack("{s:[i,s]}", "a", 1, "x\ny");
    em_json_write(value, 0, &out);
    assert_true(em_slice_is(em_strbuf_slice(&out), "{\"a\":[1,\"x\\ny\"]}"));
    out.len = 0;
    em_json_write(value, 2, &out);
    assert_true(em_slice_is(em_strbuf_slice(&out), "{\n  \"a\": [\n    1,\n    \"x\\ny\"\n  ]\n}"));
    json_decref(value);
    em_json_write(NULL, 0, &out);
    assert_true(out.failed);
}

static void memory_that_runs_out_is_said(void **state)
{
    (void)state;
    const char *text = "{\"a\":[1e999,{\"b\":2}]}";
    bool failed = true;
    for (long nth = 0; failed; nth++) {
        json_t *value = NULL;
        em_error err = EM_ERROR_INIT;
        EM_AUTO(em_strbuf) out = {0};
        scarce_begin(nth);
        em_status status = em_json_parse(em_slice_of(text), &value, &err);
        if (status == EM_OK)
            em_json_write(value, 0, &out);
        failed = scarce_end();
        /* inside a string jansson cannot tell it from a wrong one */
        assert_true(status == EM_OK || status == EM_E_NOMEM || status == EM_E_INVALID);
        assert_true(failed == (status != EM_OK || out.failed));
        json_decref(value);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_json_is_taken),
        cmocka_unit_test(what_is_not_json_is_refused_with_its_place),
        cmocka_unit_test(depth_is_bounded),
        cmocka_unit_test(numbers_too_big_become_the_nearest_double),
        cmocka_unit_test(other_values_beside_a_big_number_stay_what_they_are),
        cmocka_unit_test(nesting_has_a_bound),
        cmocka_unit_test(strings_are_compared_whole),
        cmocka_unit_test(values_are_written_in_one_line_or_laid_out),
        cmocka_unit_test(memory_that_runs_out_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
