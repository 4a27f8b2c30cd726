/* json_text.c: reading JSON by yajl's events, more strictly than yajl does, and writing it. */
#include "json/json_text.h"

#include "base/utf8.h"
#include "json/json_memory.h"
#include "json/real.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <yajl/yajl_gen.h>
#include <yajl/yajl_parse.h>

/* Deeper than any request that makes sense, and far from what recursion could not bear. */
enum { DEPTH_MOST = 64 };

/* The same for their number: the shortest of them, {}, takes a hundred times its length. */
enum { VALUES_MOST = 1000000 };

/* The values of a text of so many bytes have a region to themselves. */
enum { LEAST_REGION = 1 << 16 };

/* ---- Bytes --------------------------------------------------------------------------------- */

/* How many blanks it begins with. */
static size_t leading_blanks(em_slice text)
{
    static const char blanks[] = {' ', '\t', '\r', '\n'};
    size_t length = 0;
    while (length < text.len && memchr(blanks, text.ptr[length], sizeof blanks))
        length++;
    return length;
}

bool em_json_is_blank(em_slice text)
{
    return leading_blanks(text) == text.len;
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

/* ---- From events to values -------------------------------------------------------------- */

typedef struct reader {
    em_json_memory memory;
    yajl_handle parser;
    json_t *root;             /* owned */
    json_t *open[DEPTH_MOST]; /* what is not closed yet, the innermost last; borrowed */
    size_t depth;
    size_t count;          /* of all values so far */
    size_t end;            /* the bytes of the text up to the end of the last value at depth 0 */
    em_slice text;         /* all of it */
    em_slice key;          /* of the value that comes next; in the text, or in: */
    em_strbuf decoded_key; /* one that has escapes, with a NUL behind it */
    em_strbuf number;      /* with a NUL behind it, for the C library */
    const char *complaint; /* why a callback stopped the parser */
    bool is_too_deep, has_too_many, out_of_memory;
} reader;

enum { STOP, GO_ON };

static int complain(reader *r, const char *complaint)
{
    r->complaint = complaint;
    return STOP;
}

static int memory_ran_out(reader *r)
{
    r->out_of_memory = true;
    return STOP;
}

static int add_to_object(reader *r, json_t *object, json_t *value)
{
    size_t size = json_object_size(object);
    if (json_object_setn_new_nocheck(object, r->key.ptr, r->key.len, value) != 0)
        return memory_ran_out(r);
    return json_object_size(object) > size ? GO_ON : complain(r, "duplicate object key");
}

/* Take `value`, NULL where there was no memory for it. */
static int add(reader *r, json_t *value)
{
    if (!value)
        return memory_ran_out(r);
    if (r->count++ == VALUES_MOST) {
        json_decref(value);
        r->has_too_many = true;
        return STOP;
    }
    json_t *parent = r->depth > 0 ? r->open[r->depth - 1] : NULL;
    if (json_is_object(parent))
        return add_to_object(r, parent, value);
    if (parent)
        return json_array_append_new(parent, value) == 0 ? GO_ON : memory_ran_out(r);
    r->root = value;
    r->end = yajl_get_bytes_consumed(r->parser);
    return GO_ON;
}

static int open_container(reader *r, json_t *container)
{
    if (r->depth == DEPTH_MOST) {
        json_decref(container);
        r->is_too_deep = true;
        return STOP;
    }
    int next = add(r, container);
    if (next == GO_ON)
        r->open[r->depth++] = container;
    return next;
}

static int close_container(void *context)
{
    reader *r = context;
    r->depth--;
    r->end = yajl_get_bytes_consumed(r->parser);
    return GO_ON;
}

static int on_null(void *context)
{
    return add(context, json_null());
}

static int on_bool(void *context, int value)
{
    return add(context, json_boolean(value));
}

/* Have `buf` hold these bytes and a NUL. */
static int keep(reader *r, em_strbuf *buf, const char *text, size_t length)
{
    buf->len = 0;
    em_strbuf_add(buf, em_slice_make(text, length));
    em_strbuf_putc(buf, '\0');
    return buf->failed ? memory_ran_out(r) : GO_ON;
}

/* The name of the one member of what stands for a wide number: no key that is read holds a NUL. */
#define WIDE_KEY "\0"
enum { WIDE_KEY_LENGTH = 1 };

static json_t *wide_number(const char *text, size_t length)
{
    json_t *kept = json_object();
    json_t *number = kept ? json_stringn_nocheck(text, length) : NULL;
    if (kept && json_object_setn_new_nocheck(kept, WIDE_KEY, WIDE_KEY_LENGTH, number) == 0)
        return kept;
    json_decref(kept);
    return NULL;
}

static int on_number(void *context, const char *text, size_t length)
{
    reader *r = context;
    if (keep(r, &r->number, text, length) == STOP)
        return STOP;
    bool is_integer = !strpbrk(r->number.ptr, ".eE");
    errno = 0;
    long long integer = is_integer ? strtoll(r->number.ptr, NULL, 10) : 0;
    double real = 0;
    if (is_integer ? errno != 0 : !em_real_read(r->number.ptr, &real))
        return add(r, wide_number(text, length));
    return add(r, is_integer ? json_integer(integer) : json_real(real));
}

static int on_string(void *context, const unsigned char *text, size_t length)
{
    return add(context, json_stringn_nocheck((const char *)text, length));
}

/* Does it stand in the text as it is? What was decoded lies in memory that the next decoded string
 * takes. */
static bool is_in_text(const reader *r, em_slice piece)
{
    uintptr_t start = (uintptr_t)r->text.ptr, at = (uintptr_t)piece.ptr;
    return at >= start && at - start < r->text.len;
}

static int on_key(void *context, const unsigned char *text, size_t length)
{
    reader *r = context;
    r->key = em_slice_make((const char *)text, length);
    if (is_in_text(r, r->key))
        return GO_ON;
    if (em_slice_has_byte(r->key, '\0'))
        return complain(r, "NUL byte in object key");
    if (keep(r, &r->decoded_key, r->key.ptr, length) == STOP)
        return STOP;
    r->key.ptr = r->decoded_key.ptr;
    return GO_ON;
}

static int on_object(void *context)
{
    return open_container(context, json_object());
}

static int on_array(void *context)
{
    return open_container(context, json_array());
}

static const yajl_callbacks CALLBACKS = {
    .yajl_null = on_null,
    .yajl_boolean = on_bool,
    .yajl_number = on_number,
    .yajl_string = on_string,
    .yajl_start_map = on_object,
    .yajl_map_key = on_key,
    .yajl_end_map = close_container,
    .yajl_start_array = on_array,
    .yajl_end_array = close_container,
};

/* ---- Reading ---------------------------------------------------------------------------- */

/* yajl's words are "lexical error: invalid char in json text." and the like, and a line break. */
static em_status tell_wrong(reader *r, size_t at, em_error *err)
{
    if (r->is_too_deep)
        return em_fail(err, EM_E_INVALID, "it is nested more than %d deep at byte %zu", DEPTH_MOST,
                       at);
    if (r->has_too_many)
        return em_fail(err, EM_E_INVALID,
                       "it has more than %d values, with the one at byte %zu: send less at once",
                       VALUES_MOST, at);
    if (r->complaint)
        return em_fail(err, EM_E_INVALID, "%s at byte %zu", r->complaint, at);
    const char *words = (const char *)yajl_get_error(r->parser, 0, NULL, 0);
    return em_fail(err, EM_E_INVALID, "%.*s at byte %zu", (int)strcspn(words, ".\n"), words, at);
}

/* Where something stands behind the value; the end of the text if nowhere. yajl forgets the start
 * of a token there. */
static size_t garbage_at(const reader *r, em_slice text)
{
    return r->end + leading_blanks(em_slice_from(text, r->end));
}

static em_status read_value(reader *r, em_slice text, em_error *err)
{
    if (setjmp(r->memory.ran_out) != 0)
        return em_fail(err, EM_E_NOMEM, "out of memory");
    yajl_alloc_funcs allocator = em_json_allocator(&r->memory);
    r->parser = yajl_alloc(&CALLBACKS, &allocator, r);
    yajl_config(r->parser, yajl_dont_validate_strings, 1);
    yajl_status status = yajl_parse(r->parser, (const unsigned char *)text.ptr, text.len);
    bool is_whole = status == yajl_status_ok && r->root && r->depth == 0;
    if (is_whole && garbage_at(r, text) < text.len)
        return fail_at(garbage_at(r, text), "trailing garbage", err);
    size_t at = yajl_get_bytes_consumed(r->parser);
    if (status == yajl_status_ok) {
        status = yajl_complete_parse(r->parser);
        at = text.len;
    }
    if (r->out_of_memory)
        return em_fail(err, EM_E_NOMEM, "out of memory");
    return status == yajl_status_ok ? EM_OK : tell_wrong(r, at, err);
}

em_status em_json_parse(em_slice text, json_t **out, em_error *err)
{
    *out = NULL;
    if (!text.ptr)
        text = em_slice_of("");
    EM_TRY(check_bytes(text, err));
    reader r = {.text = text};
    bool is_long = text.len >= LEAST_REGION;
    if (is_long)
        em_json_region_open();
    em_status status = read_value(&r, text, err);
    if (is_long)
        em_json_region_close();
    em_json_memory_drop(&r.memory);
    em_strbuf_drop(&r.decoded_key);
    em_strbuf_drop(&r.number);
    if (status == EM_OK)
        *out = r.root;
    else
        json_decref(r.root);
    return status;
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
               ? em_json_slice(json_object_getn(value, WIDE_KEY, WIDE_KEY_LENGTH))
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
