#include "json/json_text.h"

#include "base/strbuf.h"
#include "json/json_memory.h"

#include "memory.h"

#include "../../remove_tree.h"

#include <locale.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Is `got` the JSON value that `want` is the text of? As jansson reads it. */
static void check_json(const char *what, const json_t *got, const char *want)
{
    json_t *wanted = json_loads(want, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
    char *text = json_dumps(got, JSON_ENCODE_ANY);
    if (!wanted || !json_equal(wanted, got))
        fail_msg("%s: got %s, wanted %s", what, text, want);
    free(text);
    json_decref(wanted);
}

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
        {"\"\\\\ud83d\\/\\u00e9\"", "\"\\\\ud83d/\\u00e9\""},
        {"[\"\",{\"\":\"\"},[],{},-0,-1.5e-3,1E2]", "[\"\",{\"\":\"\"},[],{},0,-0.0015,100.0]"},
        {"\r\n\t{\"a\": null, \"b\":\t[ ] }\n", "{\"a\":null,\"b\":[]}"},
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
        {BYTES(""), "premature EOF at byte 0"},
        {BYTES("{not json"), "at byte"},
        {BYTES("{\"a\":1,\"a\":2}"), "duplicate object key"},
        {BYTES("\"\\ud800\""), "half of no pair at byte 2"},
        {BYTES("\"\\ud83d\\u0041\""), "half of no pair at byte 2"},
        {BYTES("\"\\\\ud83d \\ude00\""), "half of no pair at byte 10"},
        {BYTES("\"\\ud83d\\ude0"), "half of no pair at byte 2"},
        {BYTES("\"\\ud8zz\""), "at byte"},
        {BYTES("\"\xff\""), "not valid UTF-8 at byte 2"},
        {BYTES("\"\xed\xa0\x80\""), "not valid UTF-8 at byte 2"},
        {BYTES("\"a\tb\""), "at byte"},
        {BYTES("[1,\v2]"), "a control character at byte 4"},
        {BYTES("[1,\f2]"), "a control character at byte 4"},
        {BYTES("\f1"), "a control character at byte 1"},
        {BYTES("garbage"), "at byte 1"},
        {BYTES("// no\n1"), "at byte"},
        {BYTES("[01]"), "at byte"},
        {BYTES("[+1]"), "at byte"},
        {BYTES("[1.]"), "at byte"},
        {BYTES("[NaN]"), "at byte"},
        {BYTES("{\"a\" 1}"), "at byte"},
        {BYTES("{1:1}"), "at byte"},
        {BYTES("\"open"), "premature EOF at byte 5"},
        {BYTES("{\"a\":{\"b\":1},\"a\":{}}"), "duplicate object key"},
        {BYTES("{} {}"), "trailing garbage at byte 4"},
        {BYTES("{} \""), "trailing garbage at byte 4"},
        {BYTES("77\" "), "trailing garbage at byte 3"},
        {BYTES("\"\" t"), "trailing garbage at byte 4"},
        {BYTES("[1,]"), "at byte"},
        {BYTES("{\"a\\u0000\":1}"), "NUL byte in object key"},
        {BYTES("[99999999999999999999,]"), "at byte"},
        {BYTES("[99999999999999999999,\"open"), "at byte"},
        {BYTES("[99999999999999999999,\"open\\"), "at byte"},
        {BYTES("[1]\0"), "trailing garbage at byte"},
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
        {"[", "]", 3000, EM_E_INVALID, "it is nested more than 64 deep"},
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

static void the_number_of_values_is_bounded(void **state)
{
    (void)state;
    static const struct {
        const char *one;
        size_t count; /* beside the list that they are in */
        em_status status;
    } rows[] = {
        {"0", 999999, EM_OK},
        {"0", 1000000, EM_E_INVALID},
        {"[]", 1000000, EM_E_INVALID},
        {"{\"a\":\"\"}", 500000, EM_E_INVALID},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        EM_AUTO(em_strbuf) text = {0};
        json_t *value;
        em_error err = EM_ERROR_INIT;
        for (size_t n = 0; n < rows[i].count; n++) {
            em_strbuf_putc(&text, n > 0 ? ',' : '[');
            em_strbuf_puts(&text, rows[i].one);
        }
        em_strbuf_putc(&text, ']');
        assert_int_equal(em_json_parse(em_strbuf_slice(&text), &value, &err), rows[i].status);
        assert_int_equal(json_array_size(value), rows[i].status == EM_OK ? rows[i].count : 0);
        assert_int_equal(strstr(err.detail, "more than 1000000 values") != NULL,
                         rows[i].status != EM_OK);
        json_decref(value);
    }
}

static void numbers_too_big_are_kept_as_their_text(void **state)
{
    static const char *const texts[] = {
        "9223372036854775808",
        "-9223372036854775809",
        "18446744073709551616",
        "1e999",
        "-1.50E+999",
        "123456789012345678901234567890",
        "1e-400",
        "5e-324",
        "3.14159265358979323846",
        "9007199254740993.0",
        "-1e-400",
        "0.1000000000000000055511151231257827",
        "1.00000000000000000001",
        "1e-99999999999999999999",
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        EM_AUTO(em_strbuf) out = {0};
        json_t *value;
        em_error err = EM_ERROR_INIT;
        assert_int_equal(em_json_parse(em_slice_of(texts[i]), &value, &err), EM_OK);
        assert_true(em_slice_is(em_json_wide_number(value), texts[i]));
        assert_false(em_json_is_object(value));
        assert_false(json_is_integer(value) || json_is_string(value));
        em_json_write(value, 0, &out);
        assert_true(em_slice_is(em_strbuf_slice(&out), texts[i]));
        json_decref(value);
    }
}

static void other_values_are_no_wide_numbers(void **state)
{
    static const char *const texts[] = {"7",
                                        "1.5",
                                        "1.50",
                                        "15e-1",
                                        "1E2",
                                        "100.0",
                                        "0.0",
                                        "0e5",
                                        "-0.0",
                                        "0.000",
                                        "0e99999999999999999999",
                                        "1e22",
                                        "1e23",
                                        "9007199254740992.0",

                                        "0.001",
                                        "1000000000000000000000000.0",
                                        "\"1e999\"",
                                        "[1e999]",
                                        "{}",
                                        "{\"a\":\"1e999\"}",
                                        "{\"\":\"1e999\"}"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        json_t *value;
        em_error err = EM_ERROR_INIT;
        assert_int_equal(em_json_parse(em_slice_of(texts[i]), &value, &err), EM_OK);
        assert_int_equal(em_json_wide_number(value).len, 0);
        assert_int_equal(em_json_is_object(value), texts[i][0] == '{');
        json_decref(value);
    }
    assert_int_equal(em_json_wide_number(NULL).len, 0);
    assert_false(em_json_is_object(NULL));
}

static void other_values_beside_a_big_number_stay_what_they_are(void **state)
{
    (void)state;
    json_t *value;
    em_error err = EM_ERROR_INIT;
    EM_AUTO(em_strbuf) out = {0};
    const char *text = "{\"id\":9007199254740993,\"x\":[1e999,\"1e999 \\\" 99999999999999999999\","
                       "-3,1.0,true],\"y\":{\"z\":-99999999999999999999}}";
    assert_int_equal(em_json_parse(em_slice_of(text), &value, &err), EM_OK);
    em_json_write(value, 0, &out);
    assert_true(em_slice_is(em_strbuf_slice(&out), text));
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
    assert_non_null(strstr(err.detail, "it is nested more than 64 deep"));
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
    out.len = 0;
    em_error err = EM_ERROR_INIT;
    const char *text = "{\"a\":[],\"b\":{},\"c\":[1e999]}";
    assert_int_equal(em_json_parse(em_slice_of(text), &value, &err), EM_OK);
    em_json_write(value, 1, &out);
    assert_true(em_slice_is(em_strbuf_slice(&out),
                            "{\n \"a\": [],\n \"b\": {},\n \"c\": [\n  1e999\n ]\n}"));
    json_decref(value);
    em_json_write(NULL, 0, &out);
    assert_true(out.failed);
}

/* No more digits than it needs, and as many as it does. */
static void doubles_are_written_as_people_write_them(void **state)
{
    static const char *const texts[] = {
        "0.1", "-1.5", "2.0", "1e300", "0.30000000000000004", "1e-300", "1.7976931348623157e308",
        "-0.0"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        EM_AUTO(em_strbuf) out = {0};
        json_t *value;
        em_error err = EM_ERROR_INIT;
        assert_int_equal(em_json_parse(em_slice_of(texts[i]), &value, &err), EM_OK);
        em_json_write(value, 0, &out);
        em_strbuf_putc(&out, '\0');
        assert_string_equal(out.ptr, texts[i]);
        json_decref(value);
    }
}

static void what_is_written_reads_back(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{\"a\":[1,-9223372036854775808,0.1,1e300,2.0,true,false,null],\"\":{}}",
        "\"\\u0000\\u001f\\b\\f\\n\\r\\t\\\"\\\\/\x7f caf\xc3\xa9 \xf0\x9f\x98\x80\"",
        "[]",
    };
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        EM_AUTO(em_strbuf) out = {0};
        json_t *value = json_loads(texts[i], JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
        em_json_write(value, 0, &out);
        em_strbuf_putc(&out, '\0');
        check_json(texts[i], value, out.ptr);
        json_decref(value);
    }
}

static bool read_and_write(void *text)
{
    json_t *value = NULL;
    em_error err = EM_ERROR_INIT;
    EM_AUTO(em_strbuf) out = {0};
    em_status status = em_json_parse(em_slice_of(text), &value, &err);
    if (status == EM_OK)
        em_json_write(value, 0, &out);
    assert_true(status == EM_OK || status == EM_E_NOMEM);
    assert_int_equal(value != NULL, status == EM_OK);
    json_decref(value);
    return status == EM_OK && !out.failed;
}

static void memory_that_runs_out_is_said(void **state)
{
    (void)state;
    static char text[] = "{\"a\":[1e999,{\"b\":2}],\"c\":\"x\\ny\",\"d\":[true,null]}";
    use_counted_memory();
    assert_true(run_out_of_memory(read_and_write, text) > 10);
}

/* yajl takes memory for a long string again and again. */
static void memory_runs_out_inside_a_string(void **state)
{
    (void)state;
    enum { LONG = 40000 };
    char *text = malloc(LONG + 3);
    assert_non_null(text);
    for (size_t i = 0; i < LONG; i += 2)
        memcpy(text + 1 + i, "\\n", 2);
    text[0] = text[LONG + 1] = '"';
    text[LONG + 2] = '\0';
    use_counted_memory();
    assert_true(run_out_of_memory(read_and_write, text) > 5);
    free(text);
}

/* ---- Regions ------------------------------------------------------------------------------- */

/* What a long text is read into stays as long as any of it is used, also where a part is kept, or
 * is given back while the rest is still made. (This is the last test: jansson's memory stays so.)
 */
static void values_of_a_long_text_go_together(void **state)
{
    (void)state;
    enum { COUNT = 8000 };
    EM_AUTO(em_strbuf) text = {0};
    json_t *value, *kept, *small;
    em_error err = EM_ERROR_INIT;
    em_json_use_regions();
    em_strbuf_puts(&text, "[");
    for (size_t i = 0; i < COUNT; i++)
        em_strbuf_printf(&text, "%s{\"number\": %zu, \"text\": \"some text\"}", i > 0 ? "," : "",
                         i);
    em_strbuf_puts(&text, "]");
    assert_int_equal(em_json_parse(em_strbuf_slice(&text), &value, &err), EM_OK);
    assert_int_equal(em_json_parse(EM_LIT("[1, 2]"), &small, &err), EM_OK);
    kept = json_incref(json_array_get(value, COUNT / 2));
    json_decref(value);
    assert_int_equal(json_integer_value(json_object_get(kept, "number")), COUNT / 2);
    assert_int_equal(json_object_set_new(kept, "more", json_integer(7)), 0);
    json_decref(kept);
    assert_int_equal(json_array_size(small), 2);
    json_decref(small);
    em_strbuf_puts(&text, "?"); /* what was made by then is given back */
    assert_int_equal(em_json_parse(em_strbuf_slice(&text), &value, &err), EM_E_INVALID);
    assert_null(value);
}

static bool read_into_region(void *context)
{
    const em_strbuf *text = context;
    json_t *value;
    em_error err = EM_ERROR_INIT;
    em_status status = em_json_parse(em_strbuf_slice(text), &value, &err);
    assert_true(status == EM_OK || status == EM_E_NOMEM);
    json_decref(value);
    return status == EM_OK;
}

static void a_region_may_find_no_memory(void **state)
{
    (void)state;
    EM_AUTO(em_strbuf) text = {0};
    em_strbuf_puts(&text, "[\"");
    for (size_t i = 0; i < 70000; i++)
        em_strbuf_putc(&text, 'a');
    em_strbuf_puts(&text, "\", {\"a\": [1, 2, 3, 4, 5, 6, 7, 8, 9]}]");
    assert_true(run_out_of_memory(read_into_region, &text) > 1);
}

/* ---- Another locale ---------------------------------------------------------------------- */

/* LC_NUMERIC of a locale with a comma, as the GNU C library keeps it. */
typedef struct numeric {
    uint32_t magic, count, at[6];
    char point[2], separator[2], grouping[4];
    uint32_t wide_point, wide_separator;
    char charset[6];
} numeric;

static bool use_decimal_comma(char *folder)
{
    static const numeric comma = {.magic = 0x20031115 ^ LC_NUMERIC,
                                  .count = 6,
                                  .at = {32, 34, 36, 40, 44, 48},
                                  .point = ",",
                                  .separator = ".",
                                  .grouping = "\3\3",
                                  .wide_point = ',',
                                  .wide_separator = '.',
                                  .charset = "UTF-8"};
    char path[100];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/comma", folder);
    assert_int_equal(mkdir(path, 0755), 0);
    snprintf(path, sizeof path, "%s/comma/LC_NUMERIC", folder);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fwrite(&comma, offsetof(numeric, charset) + sizeof comma.charset, 1, file);
    fclose(file);
    setenv("LOCPATH", folder, 1);
    return setlocale(LC_NUMERIC, "comma") != NULL;
}

/* A program with a comma may call the library. */
static void numbers_have_a_point_whatever_the_locale(void **state)
{
    static const char text[] = "[0.5,-1.5e-07,3.0,1e300,9007199254740993.5]";
    char folder[] = "/tmp/emend-locale-XXXXXX", printed[8];
    json_t *value;
    em_error err = EM_ERROR_INIT;
    EM_AUTO(em_strbuf) written = {0};
    (void)state;
    bool can = use_decimal_comma(folder);
    snprintf(printed, sizeof printed, "%g", 0.5);
    em_status status = em_json_parse(em_slice_of(text), &value, &err);
    em_json_write(value, 0, &written);
    em_strbuf_putc(&written, '\0');
    double half = json_real_value(json_array_get(value, 0));
    bool is_back = strcmp(localeconv()->decimal_point, can ? "," : ".") == 0;
    setlocale(LC_NUMERIC, "C");
    assert_int_equal(remove_tree(folder), 0);
    if (!can)
        skip();
    assert_string_equal(printed, "0,5");
    assert_int_equal(status, EM_OK);
    assert_true(half == 0.5);
    assert_string_equal(em_strbuf_slice(&written).ptr, text);
    assert_true(is_back);
    json_decref(value);
}

static void blanks_are_those_of_json(void **state)
{
    (void)state;
    assert_true(em_json_is_blank((em_slice){0}));
    assert_true(em_json_is_blank(EM_LIT(" \t\r\n ")));
    assert_false(em_json_is_blank(EM_LIT(" x")));
    assert_false(em_json_is_blank(EM_LIT("\f")));
    assert_false(em_json_is_blank(EM_LIT("\0")));
    assert_false(em_json_is_blank(EM_LIT(" \0\r")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_json_is_taken),
        cmocka_unit_test(what_is_not_json_is_refused_with_its_place),
        cmocka_unit_test(depth_is_bounded),
        cmocka_unit_test(the_number_of_values_is_bounded),
        cmocka_unit_test(numbers_too_big_are_kept_as_their_text),
        cmocka_unit_test(other_values_are_no_wide_numbers),
        cmocka_unit_test(other_values_beside_a_big_number_stay_what_they_are),
        cmocka_unit_test(nesting_has_a_bound),
        cmocka_unit_test(strings_are_compared_whole),
        cmocka_unit_test(values_are_written_in_one_line_or_laid_out),
        cmocka_unit_test(doubles_are_written_as_people_write_them),
        cmocka_unit_test(what_is_written_reads_back),
        cmocka_unit_test(memory_that_runs_out_is_said),
        cmocka_unit_test(memory_runs_out_inside_a_string),
        cmocka_unit_test(values_of_a_long_text_go_together),
        cmocka_unit_test(a_region_may_find_no_memory),
        cmocka_unit_test(numbers_have_a_point_whatever_the_locale),
        cmocka_unit_test(blanks_are_those_of_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
