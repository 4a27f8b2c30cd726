/* json_text.c: reading JSON by yajl's events, more strictly than yajl does, and writing it. */
#include "json/json_text.h"

#include "base/utf8.h"
#include "json/json_halves.h"
#include "json/real.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <yajl/yajl_gen.h>

/* The values of a text of so many bytes have a region to themselves. */
enum { LEAST_REGION = 1 << 16 };

/* ---- Bytes --------------------------------------------------------------------------------- */

bool em_json_is_blank(em_slice text)
{
    return em_json_blanks(text) == text.len;
}

/* ---- What yajl lets pass ---------------------------------------------------------------- */

/* The unit of UTF-16 that `text` begins with as \u and four digits; -1 where it does not. */
static long escaped_unit(em_slice text)
{
    enum { LENGTH = 6 };
    if (text.len < LENGTH || text.ptr[0] != '\\' || text.ptr[1] != 'u')
        return -1;
    char digits[] = {text.ptr[2], text.ptr[3], text.ptr[4], text.ptr[5], '\0'};
    return strspn(digits, "0123456789abcdefABCDEF") == sizeof digits - 1 ? strtol(digits, NULL, 16)
                                                                         : -1;
}

static bool is_high_surrogate(long unit)
{
    return unit >= 0xD800 && unit < 0xDC00;
}

static bool is_low_surrogate(long unit)
{
    return unit >= 0xDC00 && unit < 0xE000;
}

/* Where a surrogate is escaped that is no half of a pair; EM_NPOS if nowhere. yajl makes a question
 * mark of it. */
static size_t lone_surrogate_at(em_slice text)
{
    enum { ESCAPE = 2, UNIT = 6 };
    const char *found;
    size_t at = 0;
    while (at < text.len && (found = memchr(text.ptr + at, '\\', text.len - at))) {
        at = (size_t)(found - text.ptr);
        em_slice rest = em_slice_from(text, at);
        long unit = escaped_unit(rest);
        if (is_low_surrogate(unit))
            return at;
        if (!is_high_surrogate(unit))
            at += ESCAPE;
        else if (is_low_surrogate(escaped_unit(em_slice_from(rest, UNIT))))
            at += 2 * UNIT;
        else
            return at;
    }
    return EM_NPOS;
}

/* `at` from 0. People count bytes from 1, as yajl does. */
static em_status fail_at(size_t at, const char *what, em_error *err)
{
    return em_fail(err, EM_E_INVALID, "%s at byte %zu", what, at + 1);
}

/* yajl takes vertical tabs and form feeds for blanks, and cares little for UTF-8. */
static em_status check_bytes(em_slice text, em_error *err)
{
    for (const char *wrong = "\v\f"; *wrong; wrong++) {
        const char *found = memchr(text.ptr, *wrong, text.len);
        if (found)
            return fail_at((size_t)(found - text.ptr), "a control character", err);
    }
    size_t at = em_utf8_invalid_at(text);
    if (at != EM_NPOS)
        return fail_at(at, "what is not valid UTF-8", err);
    at = lone_surrogate_at(text);
    if (at != EM_NPOS)
        return fail_at(at, "a surrogate that is half of no pair", err);
    return EM_OK;
}

/* ---- Reading ---------------------------------------------------------------------------- */

em_status em_json_parse(em_slice text, json_t **out, em_error *err)
{
    *out = NULL;
    if (!text.ptr)
        text = em_slice_of("");
    EM_TRY(check_bytes(text, err));
    EM_AUTO(em_json_reader) r = {.text = text};
    bool is_long = text.len >= LEAST_REGION;
    if (is_long)
        em_json_region_open();
    em_json_read_in_halves(&r);
    if (is_long)
        em_json_region_close();
    EM_TRY(em_json_reader_end(&r, err));
    *out = r.root;
    r.root = NULL;
    return EM_OK;
}

/* ---- Values ----------------------------------------------------------------------------- */

em_slice em_json_slice(const json_t *value)
{
    if (!json_is_string(value))
        return (em_slice){0};
    return em_slice_make(json_string_value(value), json_string_length(value));
}

bool em_json_is(const json_t *value, const char *string)
{
    return json_is_string(value) && em_slice_is(em_json_slice(value), string);
}

em_slice em_json_wide_number(const json_t *value)
{
    return json_object_size(value) == 1
               ? em_json_slice(json_object_getn(value, EM_JSON_WIDE_KEY, EM_JSON_WIDE_KEY_LENGTH))
               : (em_slice){0};
}

bool em_json_is_object(const json_t *value)
{
    return json_is_object(value) && em_json_wide_number(value).len == 0;
}

/* ---- Writing ---------------------------------------------------------------------------- */

static void add_bytes(void *context, const char *bytes, size_t length)
{
    em_strbuf_add(context, em_slice_make(bytes, length));
}

static yajl_gen_status write_string(yajl_gen gen, const char *text, size_t length)
{
    return yajl_gen_string(gen, (const unsigned char *)text, length);
}

/* yajl_gen_integer() would print it, which takes ten times as long. */
static yajl_gen_status write_integer(yajl_gen gen, json_int_t value)
{
    char text[24], *end = text + sizeof text, *start = end;
    uint64_t left = value < 0 ? -(uint64_t)value : (uint64_t)value;
    do
        *--start = (char)('0' + left % 10);
    while (left /= 10);
    if (value < 0)
        *--start = '-';
    return yajl_gen_number(gen, start, (size_t)(end - start));
}

static yajl_gen_status write_real(yajl_gen gen, double value)
{
    char text[EM_REAL_SIZE];
    em_real_text(value, text);
    return yajl_gen_number(gen, text, strlen(text));
}

static yajl_gen_status write_value(yajl_gen gen, json_t *value);

/* yajl would lay out what is empty in three lines. */
static yajl_gen_status write_empty(yajl_gen gen, const char *brackets)
{
    return yajl_gen_number(gen, brackets, strlen(brackets));
}

static yajl_gen_status write_object(yajl_gen gen, json_t *object)
{
    em_slice number = em_json_wide_number(object);
    if (number.len > 0)
        return yajl_gen_number(gen, number.ptr, number.len);
    if (json_object_size(object) == 0)
        return write_empty(gen, "{}");
    yajl_gen_status status = yajl_gen_map_open(gen);
    for (void *at = json_object_iter(object); at && status == yajl_gen_status_ok;
         at = json_object_iter_next(object, at)) {
        status = write_string(gen, json_object_iter_key(at), json_object_iter_key_len(at));
        if (status == yajl_gen_status_ok)
            status = write_value(gen, json_object_iter_value(at));
    }
    return status == yajl_gen_status_ok ? yajl_gen_map_close(gen) : status;
}

static yajl_gen_status write_array(yajl_gen gen, json_t *array)
{
    if (json_array_size(array) == 0)
        return write_empty(gen, "[]");
    yajl_gen_status status = yajl_gen_array_open(gen);
    for (size_t i = 0; i < json_array_size(array) && status == yajl_gen_status_ok; i++)
        status = write_value(gen, json_array_get(array, i));
    return status == yajl_gen_status_ok ? yajl_gen_array_close(gen) : status;
}

static yajl_gen_status write_value(yajl_gen gen, json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return write_object(gen, value);
    case JSON_ARRAY:
        return write_array(gen, value);
    case JSON_STRING:
        return write_string(gen, json_string_value(value), json_string_length(value));
    case JSON_INTEGER:
        return write_integer(gen, json_integer_value(value));
    case JSON_REAL:
        return write_real(gen, json_real_value(value));
    case JSON_TRUE:
    case JSON_FALSE:
        return yajl_gen_bool(gen, json_is_true(value));
    case JSON_NULL:
        break;
    }
    return yajl_gen_null(gen);
}

static void lay_out(yajl_gen gen, size_t indentation)
{
    static const char blanks[] = "        ";
    enum { MOST = sizeof blanks - 1 };
    yajl_gen_config(gen, yajl_gen_beautify, 1);
    yajl_gen_config(gen, yajl_gen_indent_string,
                    blanks + MOST - (indentation < MOST ? indentation : MOST));
}

static bool write_all(em_json_memory *memory, json_t *value, size_t indentation, em_strbuf *out)
{
    if (setjmp(memory->ran_out) != 0)
        return false;
    yajl_alloc_funcs allocator = em_json_allocator(memory);
    yajl_gen gen = yajl_gen_alloc(&allocator);
    yajl_gen_config(gen, yajl_gen_print_callback, add_bytes, out);
    if (indentation > 0)
        lay_out(gen, indentation);
    return write_value(gen, value) == yajl_gen_status_ok;
}

void em_json_write(const json_t *value, size_t indentation, em_strbuf *out)
{
    EM_AUTO(em_json_memory) memory = {0};
    if (!value || !write_all(&memory, (json_t *)value, indentation, out))
        out->failed = true;
    else if (indentation > 0 && !out->failed)
        out->len--; /* yajl ends what is laid out with a line break */
}
