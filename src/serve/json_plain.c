#include "serve/json_plain.h"

#include "base/strbuf.h"
#include "base/utf8.h"

#include <stdint.h>

enum { DIGITS_MOST = 18 };

/* Where reading is. The byte at `end` must not be looked at. */
typedef struct reader {
    const char *at, *end;
    em_strbuf unescaped; /* the last string, where it had escapes; or a key, for its NUL */
    bool no_memory;
} reader;

static void reader_drop(reader *r)
{
    em_strbuf_drop(&r->unescaped);
}

static json_t *read_value(reader *r, size_t depth);

/* A value that there is but for want of memory. */
static json_t *made(reader *r, json_t *value)
{
    r->no_memory = r->no_memory || !value;
    return value;
}

static void skip_blanks(reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\n' || *r->at == '\r' || *r->at == '\t'))
        r->at++;
}

/* Is this byte next, behind blanks? Then it is passed. */
static bool take(reader *r, char byte)
{
    skip_blanks(r);
    if (r->at == r->end || *r->at != byte)
        return false;
    r->at++;
    return true;
}

/* ---- Strings ------------------------------------------------------------------------------- */

/* The bytes of a word that are below `limit`, which is at most 0x80: their upper bits are set. */
static uint64_t bytes_below(uint64_t word, uint64_t limit)
{
    const uint64_t ones = 0x0101010101010101u;
    return (word - ones * limit) & ~word & ones * 0x80;
}

/* Does any of the eight bytes end a run of plain ones: a quote, a backslash, a control? */
static bool has_special(const char *at)
{
    const uint64_t ones = 0x0101010101010101u;
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return (bytes_below(word, ' ') | bytes_below(word ^ ones * '"', 1) |
            bytes_below(word ^ ones * '\\', 1)) != 0;
}

/* The bytes up to the next special one, which there may not be. */
static em_slice plain_run(const reader *r)
{
    const char *at = r->at;
    while (r->end - at >= (ptrdiff_t)sizeof(uint64_t) && !has_special(at))
        at += sizeof(uint64_t);
    while (at < r->end && *at != '"' && *at != '\\' && (unsigned char)*at >= ' ')
        at++;
    return em_slice_make(r->at, (size_t)(at - r->at));
}

static bool read_hex(reader *r, uint32_t *code)
{
    static const char digits[] = "0123456789abcdef";
    if (r->end - r->at < 4)
        return false;
    *code = 0;
    for (int i = 0; i < 4; i++) {
        char byte = *r->at++;
        bool upper = byte >= 'A' && byte <= 'F';
        const char *digit = memchr(digits, upper ? byte + ('a' - 'A') : byte, 16);
        if (!digit)
            return false;
        *code = *code << 4 | (uint32_t)(digit - digits);
    }
    return true;
}

/* Behind \u. A surrogate has to have its other half. */
static bool read_code(reader *r)
{
    char bytes[4];
    uint32_t code, low;
    if (!read_hex(r, &code))
        return false;
    if (code >= 0xD800 && code < 0xDC00) {
        if (r->end - r->at < 2 || r->at[0] != '\\' || r->at[1] != 'u')
            return false;
        r->at += 2;
        if (!read_hex(r, &low) || low < 0xDC00 || low > 0xDFFF)
            return false;
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    size_t length = em_utf8_put(code, bytes);
    em_strbuf_add(&r->unescaped, em_slice_make(bytes, length));
    return length > 0;
}

static bool read_escape(reader *r)
{
    static const char names[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    if (r->at == r->end)
        return false;
    char name = *r->at++;
    if (name == 'u')
        return read_code(r);
    const char *found = memchr(names, name, sizeof names - 1);
    if (found)
        em_strbuf_putc(&r->unescaped, meant[found - names]);
    return found;
}

/* Behind the opening quote. *out is borrowed until the next string. */
static bool read_string(reader *r, em_slice *out)
{
    *out = plain_run(r);
    r->at += out->len;
    if (r->at < r->end && *r->at == '"') {
        r->at++;
        return true;
    }
    r->unescaped.len = 0;
    em_strbuf_add(&r->unescaped, *out);
    while (r->at < r->end && *r->at == '\\') {
        r->at++;
        if (!read_escape(r))
            return false;
        em_slice run = plain_run(r);
        em_strbuf_add(&r->unescaped, run);
        r->at += run.len;
    }
    *out = em_strbuf_slice(&r->unescaped);
    return !r->unescaped.failed && r->at < r->end && *r->at++ == '"';
}

/* ---- Values -------------------------------------------------------------------------------- */

static json_t *read_integer(reader *r)
{
    json_int_t value = 0;
    bool minus = *r->at == '-';
    const char *first = r->at += minus;
    while (r->at < r->end && *r->at >= '0' && *r->at <= '9' && r->at - first <= DIGITS_MOST)
        value = 10 * value + (*r->at++ - '0');
    ptrdiff_t digits = r->at - first;
    bool goes_on = r->at < r->end && (*r->at == '.' || *r->at == 'e' || *r->at == 'E');
    if (digits == 0 || digits > DIGITS_MOST || (*first == '0' && digits > 1) || goes_on)
        return NULL;
    return made(r, json_integer(minus ? -value : value));
}

static json_t *read_word(reader *r, const char *word, json_t *value)
{
    em_slice rest = em_slice_make(r->at, (size_t)(r->end - r->at));
    if (!em_slice_starts(rest, em_slice_of(word)))
        return NULL;
    r->at += strlen(word);
    return value;
}

/* The key of a member, with a NUL behind it; NULL where it holds one itself. */
static const char *read_key(reader *r)
{
    em_slice key;
    if (!take(r, '"') || !read_string(r, &key) || em_slice_has_byte(key, '\0'))
        return NULL;
    if (key.ptr != r->unescaped.ptr) {
        r->unescaped.len = 0;
        em_strbuf_add(&r->unescaped, key);
    }
    em_strbuf_putc(&r->unescaped, '\0');
    return r->unescaped.failed ? NULL : r->unescaped.ptr;
}

/* A key lives until its value is read, which may use the buffer: the value is set by a copy. */
static bool read_member(reader *r, json_t *object, size_t depth)
{
    char copy[64];
    size_t members = json_object_size(object);
    const char *key = read_key(r);
    size_t length = key ? strlen(key) : 0;
    if (!key || length >= sizeof copy || !take(r, ':'))
        return false;
    memcpy(copy, key, length + 1);
    json_t *value = read_value(r, depth);
    if (!value)
        return false;
    r->no_memory = json_object_set_new_nocheck(object, copy, value) != 0;
    return json_object_size(object) > members; /* else it has the key twice */
}

static bool read_members(reader *r, json_t *object, size_t depth)
{
    if (take(r, '}'))
        return true;
    do {
        if (!read_member(r, object, depth))
            return false;
    } while (take(r, ','));
    return take(r, '}');
}

static bool read_elements(reader *r, json_t *array, size_t depth)
{
    if (take(r, ']'))
        return true;
    do {
        json_t *value = read_value(r, depth);
        if (!value)
            return false;
        r->no_memory = json_array_append_new(array, value) != 0;
        if (r->no_memory)
            return false;
    } while (take(r, ','));
    return take(r, ']');
}

/* Behind the opening bracket. */
static json_t *read_container(reader *r, bool is_object, size_t depth)
{
    if (depth == 0)
        return NULL;
    json_t *container = made(r, is_object ? json_object() : json_array());
    if (!container)
        return NULL;
    if (is_object ? read_members(r, container, depth - 1) : read_elements(r, container, depth - 1))
        return container;
    json_decref(container);
    return NULL;
}

static json_t *read_value(reader *r, size_t depth)
{
    em_slice string;
    skip_blanks(r);
    if (r->at == r->end)
        return NULL;
    switch (*r->at) {
    case '"':
        r->at++;
        return read_string(r, &string) ? made(r, json_stringn_nocheck(string.ptr, string.len))
                                       : NULL;
    case '{':
        r->at++;
        return read_container(r, true, depth);
    case '[':
        r->at++;
        return read_container(r, false, depth);
    case 't':
        return read_word(r, "true", json_true());
    case 'f':
        return read_word(r, "false", json_false());
    case 'n':
        return read_word(r, "null", json_null());
    default:
        return *r->at == '-' || (*r->at >= '0' && *r->at <= '9') ? read_integer(r) : NULL;
    }
}

em_status em_json_read_plain(em_slice text, size_t depth, json_t **out)
{
    *out = NULL;
    if (text.len == 0 || em_utf8_invalid_at(text) != EM_NPOS)
        return EM_E_INVALID;
    EM_AUTO(reader) r = {.at = text.ptr, .end = text.ptr + text.len};
    *out = read_value(&r, depth);
    skip_blanks(&r);
    if (*out && r.at == r.end)
        return EM_OK;
    json_decref(*out);
    *out = NULL;
    return r.no_memory || r.unescaped.failed ? EM_E_NOMEM : EM_E_INVALID;
}
