#include "serve/json_text.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

/* Deeper than any request that makes sense, and far from what recursion could not bear. */
enum { DEPTH_MOST = 64 };

enum { PARSE_FLAGS = JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL | JSON_DECODE_ANY };

/* ---- Numbers that are too big ------------------------------------------------------------- */

/* Where the string that begins at `start` ends: behind its closing quote. */
static size_t string_end(em_slice text, size_t start)
{
    size_t at = start + 1;
    while (at < text.len && text.ptr[at] != '"')
        at += text.ptr[at] == '\\' ? 2 : 1;
    return at < text.len ? at + 1 : text.len;
}

static bool in_number(char byte)
{
    return byte != '\0' && strchr("+-.0123456789Ee", byte) != NULL;
}

static size_t number_end(em_slice text, size_t start)
{
    size_t at = start;
    while (at < text.len && in_number(text.ptr[at]))
        at++;
    return at;
}

/* Does jansson hold this number? As an integer it must fit in 64 bits, as a real in a double. */
static bool number_fits(const char *number)
{
    errno = 0;
    if (strpbrk(number, ".Ee"))
        return isfinite(strtod(number, NULL));
    (void)strtoll(number, NULL, 10);
    return errno != ERANGE;
}

/* Add the number, or, where it does not fit, the double nearest to it. What is no number stays as
 * it is, for the parser to complain about. */
static void add_number(em_strbuf *out, em_slice number, em_strbuf *scratch)
{
    scratch->len = 0;
    em_strbuf_add(scratch, number);
    em_strbuf_putc(scratch, '\0');
    if (scratch->failed || number_fits(scratch->ptr)) {
        em_strbuf_add(out, number);
        return;
    }
    double value = strtod(scratch->ptr, NULL);
    em_strbuf_printf(out, "%.17g", isfinite(value) ? value : copysign(DBL_MAX, value));
}

/* `text` with every number in it made one that can be held. */
static void fit_numbers(em_slice text, em_strbuf *out)
{
    EM_AUTO(em_strbuf) scratch = {0};
    size_t at = 0;
    while (at < text.len) {
        char byte = text.ptr[at];
        bool number = byte == '-' || (byte >= '0' && byte <= '9');
        size_t end = byte == '"' ? string_end(text, at) : number ? number_end(text, at) : at + 1;
        if (number)
            add_number(out, em_slice_sub(text, at, end), &scratch);
        else
            em_strbuf_add(out, em_slice_sub(text, at, end));
        at = end;
    }
    out->failed = out->failed || scratch.failed;
}

/* ---- Parsing ------------------------------------------------------------------------------- */

/* The parser's words without what it quotes of the text, which may be cut inside a character. It
 * has none where memory ran out. */
static em_status parse_error(const json_error_t *error, em_error *err)
{
    if (error->text[0] == '\0')
        return em_fail(err, EM_E_NOMEM, "out of memory");
    const char *quote = strstr(error->text, " near ");
    int length = quote ? (int)(quote - error->text) : (int)strlen(error->text);
    return em_fail(err, EM_E_INVALID, "%.*s at byte %d", length, error->text, error->position);
}

static em_status parse_fitted(em_slice text, json_t **out, em_error *err)
{
    EM_AUTO(em_strbuf) fitted = {0};
    json_error_t error;
    fit_numbers(text, &fitted);
    if (fitted.failed)
        return em_fail(err, EM_E_NOMEM, "out of memory");
    *out = json_loadb(fitted.ptr, fitted.len, PARSE_FLAGS, &error);
    return *out ? EM_OK : parse_error(&error, err);
}

/* The parser itself stops at a depth of some thousands. */
static bool is_deeper(json_t *value, size_t depth)
{
    const char *key;
    json_t *child;
    size_t index;
    if (depth == 0 && (json_is_object(value) || json_is_array(value)))
        return true;
    json_object_foreach(value, key, child)
    {
        if (is_deeper(child, depth - 1))
            return true;
    }
    json_array_foreach(value, index, child)
    {
        if (is_deeper(child, depth - 1))
            return true;
    }
    return false;
}

static em_status parse(em_slice text, json_t **out, em_error *err)
{
    json_error_t error;
    *out = json_loadb(text.ptr ? text.ptr : "", text.len, PARSE_FLAGS, &error);
    if (*out)
        return EM_OK;
    if (json_error_code(&error) == json_error_numeric_overflow)
        return parse_fitted(text, out, err);
    return parse_error(&error, err);
}

em_status em_json_parse(em_slice text, json_t **out, em_error *err)
{
    EM_TRY(parse(text, out, err));
    if (!is_deeper(*out, DEPTH_MOST))
        return EM_OK;
    json_decref(*out);
    *out = NULL;
    return em_fail(err, EM_E_INVALID, "it is nested more than %d deep", DEPTH_MOST);
}

/* ---- Values -------------------------------------------------------------------------------- */

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

static int add_bytes(const char *bytes, size_t length, void *context)
{
    em_strbuf *out = context;
    em_strbuf_add(out, em_slice_make(bytes, length));
    return out->failed ? -1 : 0;
}

void em_json_write(const json_t *value, size_t indentation, em_strbuf *out)
{
    size_t layout = indentation > 0 ? JSON_INDENT(indentation) : JSON_COMPACT;
    if (json_dump_callback(value, add_bytes, out, layout | JSON_ENCODE_ANY) != 0)
        out->failed = true;
}
