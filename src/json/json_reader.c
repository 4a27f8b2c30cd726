#include "json/json_reader.h"

#include "json/real.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

size_t em_json_blanks(em_slice text)
{
    static const char blanks[] = {' ', '\t', '\r', '\n'};
    size_t length = 0;
    while (length < text.len && memchr(blanks, text.ptr[length], sizeof blanks))
        length++;
    return length;
}

void em_json_reader_drop(em_json_reader *reader)
{
    json_decref(reader->root);
    em_json_memory_drop(&reader->memory);
    em_strbuf_drop(&reader->decoded_key);
    em_strbuf_drop(&reader->number);
    *reader = (em_json_reader){.text = reader->text};
}

/* ---- From events to values -------------------------------------------------------------- */

enum { STOP, GO_ON };

/* How much of the text has been read. */
static size_t place(const em_json_reader *r)
{
    return r->base + yajl_get_bytes_consumed(r->parser);
}

static int complain(em_json_reader *r, const char *complaint)
{
    r->complaint = complaint;
    return STOP;
}

static int memory_ran_out(em_json_reader *r)
{
    r->out_of_memory = true;
    return STOP;
}

static int add_to_object(em_json_reader *r, json_t *object, json_t *value)
{
    size_t size = json_object_size(object);
    if (json_object_setn_new_nocheck(object, r->key.ptr, r->key.len, value) != 0)
        return memory_ran_out(r);
    return json_object_size(object) > size ? GO_ON : complain(r, "duplicate object key");
}

/* Take `value`, NULL where there was no memory for it. */
static int add(em_json_reader *r, json_t *value)
{
    if (!value)
        return memory_ran_out(r);
    if (r->is_called_off && *r->is_called_off) {
        json_decref(value);
        return STOP;
    }
    if (r->count++ == EM_JSON_VALUES_MOST) {
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
    r->end = place(r);
    return GO_ON;
}

static int open_container(em_json_reader *r, json_t *container)
{
    if (r->depth == EM_JSON_DEPTH_MOST) {
        json_decref(container);
        r->is_too_deep = true;
        return STOP;
    }
    int next = add(r, container);
    if (next == GO_ON)
        r->open[r->depth++] = container;
    r->deepest = r->depth > r->deepest ? r->depth : r->deepest;
    return next;
}

static int close_container(void *context)
{
    em_json_reader *r = context;
    r->depth--;
    r->end = place(r);
    return GO_ON;
}

static int on_null(void *context)
{
    em_json_reader *r = context;
    if (!r->passes_null)
        return add(r, json_null());
    r->passes_null = false;
    return GO_ON;
}

static int on_bool(void *context, int value)
{
    return add(context, json_boolean(value));
}

/* Have `buf` hold these bytes and a NUL. */
static int keep(em_json_reader *r, em_strbuf *buf, const char *text, size_t length)
{
    buf->len = 0;
    em_strbuf_add(buf, em_slice_make(text, length));
    em_strbuf_putc(buf, '\0');
    return buf->failed ? memory_ran_out(r) : GO_ON;
}

static json_t *wide_number(const char *text, size_t length)
{
    json_t *kept = json_object();
    json_t *number = kept ? json_stringn_nocheck(text, length) : NULL;
    if (kept &&
        json_object_setn_new_nocheck(kept, EM_JSON_WIDE_KEY, EM_JSON_WIDE_KEY_LENGTH, number) == 0)
        return kept;
    json_decref(kept);
    return NULL;
}

static int on_number(void *context, const char *text, size_t length)
{
    em_json_reader *r = context;
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
static bool is_in_text(const em_json_reader *r, em_slice piece)
{
    uintptr_t start = (uintptr_t)r->text.ptr, at = (uintptr_t)piece.ptr;
    return at >= start && at - start < r->text.len;
}

static int on_key(void *context, const unsigned char *text, size_t length)
{
    em_json_reader *r = context;
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

static void parser_make(em_json_reader *r)
{
    yajl_alloc_funcs allocator = em_json_allocator(&r->memory);
    r->parser = yajl_alloc(&CALLBACKS, &allocator, r);
    yajl_config(r->parser, yajl_dont_validate_strings, 1);
    yajl_config(r->parser, yajl_allow_trailing_garbage, r->is_part);
}

bool em_json_reader_feed(em_json_reader *reader, em_slice piece, size_t at)
{
    if (setjmp(reader->memory.ran_out) != 0) {
        reader->out_of_memory = true;
        return false;
    }
    if (!reader->parser)
        parser_make(reader);
    reader->base = at;
    reader->status = yajl_parse(reader->parser, (const unsigned char *)piece.ptr, piece.len);
    return reader->status == yajl_status_ok;
}

/* yajl's words are "lexical error: invalid char in json text." and the like, and a line break. */
static em_status tell_wrong(em_json_reader *r, size_t at, em_error *err)
{
    if (r->is_too_deep)
        return em_fail(err, EM_E_INVALID, "it is nested more than %d deep at byte %zu",
                       EM_JSON_DEPTH_MOST, at);
    if (r->has_too_many)
        return em_fail(err, EM_E_INVALID,
                       "it has more than %d values, with the one at byte %zu: send less at once",
                       EM_JSON_VALUES_MOST, at);
    if (r->complaint)
        return em_fail(err, EM_E_INVALID, "%s at byte %zu", r->complaint, at);
    const char *words = (const char *)yajl_get_error(r->parser, 0, NULL, 0);
    return em_fail(err, EM_E_INVALID, "%.*s at byte %zu", (int)strcspn(words, ".\n"), words, at);
}

/* Where something stands behind the value; the end of the text if nowhere. yajl forgets the start
 * of a token there. */
static size_t garbage_at(const em_json_reader *r)
{
    return r->end + em_json_blanks(em_slice_from(r->text, r->end));
}

em_status em_json_reader_end(em_json_reader *reader, em_error *err)
{
    if (reader->out_of_memory || setjmp(reader->memory.ran_out) != 0)
        return em_fail(err, EM_E_NOMEM, "out of memory");
    bool is_whole = reader->status == yajl_status_ok && reader->root && reader->depth == 0;
    if (is_whole && garbage_at(reader) < reader->text.len)
        return em_fail(err, EM_E_INVALID, "trailing garbage at byte %zu", garbage_at(reader) + 1);
    size_t at = place(reader);
    if (reader->status == yajl_status_ok) {
        reader->status = yajl_complete_parse(reader->parser);
        at = reader->text.len;
    }
    if (reader->out_of_memory)
        return em_fail(err, EM_E_NOMEM, "out of memory");
    return reader->status == yajl_status_ok ? EM_OK : tell_wrong(reader, at, err);
}
