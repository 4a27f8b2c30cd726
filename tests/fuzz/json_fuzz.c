/* json_fuzz.c: any bytes as JSON, beside jansson's own reader.
 *
 * What is read here is what jansson reads, and the other way round; but for numbers that do not fit
 * in 64 bits or a double, which jansson refuses, or rounds, and which are kept here as they stand,
 * for what is nested deeper than is taken, and for NULs behind the value, which jansson takes for
 * its end. What is written is read back as the same; and two threads read it as one does.
 */
#include "fuzz.h"

#include "json/json_halves.h"
#include "json/json_text.h"

#include <math.h>
#include <stdlib.h>

const em_slice em_fuzz_seeds[] = {
    SEED("{\"a\":[1,-2.5e3,true,false,null],\"b\":{\"\":\"\"}}"),
    SEED("\"\\ud83d\\ude00 \\u00e9\\n\\t\\\\\\/\\\" \xC3\xA9\xF0\x9F\x98\x80\\u0000\""),
    SEED("[9223372036854775807,-9223372036854775808,0.1,1e-300,-0,1E+2]"),
    SEED(" [ { } , [ ] ,\r\n\t\"x\" ] "),
    SEED("[[[[[[[[[[{\"a\":{\"b\":[{}]}}]]]]]]]]]]"),
    SEED("{\"a\":[{\"b\":1},{\"b\":2},{\"b\":3}],\"c\":4}"),
    SEED("7"),
    {NULL, 0},
};
const em_slice em_fuzz_words[] = {
    SEED("\\u"),   SEED("\\ud83d"), SEED("\\ude00"), SEED("\\\\"), SEED("\"a\":"), SEED("[[["),
    SEED("]"),     SEED("{"),       SEED("}"),       SEED(","),    SEED("e999"),   SEED("-"),
    SEED("\v"),    SEED("\f"),      SEED("//"),      SEED("/*"),   SEED("\xED"),   SEED("\xC0\x80"),
    SEED("\\x41"), SEED("01"),      SEED("null"),    SEED("\0"),   SEED("},{"),    {NULL, 0},
};

enum { FLAGS = JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL | JSON_DECODE_ANY };

static bool same_value(const json_t *value, const json_t *wanted);

static bool same_objects(const json_t *value, const json_t *wanted)
{
    const char *key;
    json_t *member;
    json_object_foreach((json_t *)value, key, member)
    {
        const json_t *other = json_object_getn(wanted, key, strlen(key));
        if (!other || !same_value(member, other))
            return false;
    }
    return json_object_size(value) == json_object_size(wanted);
}

/* jansson has the nearest double of a number; one that no double holds is kept as it is written. */
static bool same_number(em_slice kept, const json_t *wanted)
{
    em_slice other = em_json_wide_number(wanted);
    if (other.len > 0)
        return em_slice_eq(kept, other);
    return json_is_real(wanted) && fabs(strtod(kept.ptr, NULL) - json_real_value(wanted)) <= 0;
}

static bool same_value(const json_t *value, const json_t *wanted)
{
    em_slice number = em_json_wide_number(value);
    if (number.len > 0)
        return same_number(number, wanted);
    if (json_is_object(value))
        return json_is_object(wanted) && same_objects(value, wanted);
    if (!json_is_array(value))
        return json_equal(value, wanted);
    if (json_array_size(value) != json_array_size(wanted))
        return false;
    for (size_t i = 0; i < json_array_size(value); i++)
        if (!same_value(json_array_get(value, i), json_array_get(wanted, i)))
            return false;
    return true;
}

static void check_written(const json_t *value)
{
    EM_AUTO(em_strbuf) out = {0}, out_again = {0};
    json_t *again = NULL;
    em_error err = EM_ERROR_INIT;
    em_json_write(value, 0, &out);
    HOLDS(!out.failed && !em_slice_has_byte(em_strbuf_slice(&out), '\n'));
    HOLDS(em_json_parse(em_strbuf_slice(&out), &again, &err) == EM_OK);
    em_json_write(again, 0, &out_again);
    HOLDS(em_slice_eq(em_strbuf_slice(&out), em_strbuf_slice(&out_again)));
    HOLDS(same_value(value, again));
    json_decref(again);
}

/* Values have to be kept in regions for that, before any is made. */
static void check_in_halves(em_slice text, em_status status, const json_t *value,
                            const em_error *err)
{
    json_t *other;
    em_error other_err = EM_ERROR_INIT;
    em_json_suppose_long(0, true);
    HOLDS(em_json_parse(text, &other, &other_err) == status);
    em_json_suppose_long(SIZE_MAX, false);
    HOLDS(strcmp(other_err.detail, err->detail) == 0);
    HOLDS((other != NULL) == (value != NULL) && (!value || same_value(value, other)));
    json_decref(other);
}

static bool is_too_deep(const em_error *err)
{
    return strstr(err->detail, "nested more than") != NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    em_slice text = em_slice_make((const char *)data, size);
    json_t *value;
    json_error_t error;
    em_error err = EM_ERROR_INIT;
    em_json_use_regions();
    em_json_suppose_long(SIZE_MAX, false);
    em_status status = em_json_parse(text, &value, &err);
    check_in_halves(text, status, value, &err);
    json_t *wanted = json_loadb(size > 0 ? text.ptr : "", size, FLAGS, &error);
    bool too_big = !wanted && json_error_code(&error) == json_error_numeric_overflow;
    HOLDS((status == EM_OK) == (value != NULL));
    HOLDS(status == EM_OK || (status == EM_E_INVALID && err.detail[0] != '\0'));
    if (status == EM_OK)
        HOLDS(too_big || same_value(value, wanted));
    else
        HOLDS(!wanted || is_too_deep(&err) || em_slice_has_byte(text, '\0'));
    if (value)
        check_written(value);
    json_decref(value);
    json_decref(wanted);
    return 0;
}
