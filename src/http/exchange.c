/* exchange.c: what a request says (its target, headers and body), and the reply, put together.
 * Whatever came is taken apart here, so that handlers see names and values alone. */
#include "http/exchange.h"

#include "answers/reply.h"
#include "base/ascii.h"
#include "base/utf8.h"
#include "json/json_text.h"

#include <stdlib.h>
#include <strings.h>

static const struct {
    const char *name;
    em_http_method method;
} methods[] = {{"GET", EM_HTTP_GET},
               {"HEAD", EM_HTTP_HEAD},
               {"POST", EM_HTTP_POST},
               {"DELETE", EM_HTTP_DELETE},
               {"OPTIONS", EM_HTTP_OPTIONS}};

em_http_method em_http_method_of(const char *name)
{
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (strcmp(methods[i].name, name) == 0)
            return methods[i].method;
    return EM_HTTP_OTHER;
}

em_exchange *em_exchange_new(void)
{
    em_exchange *exchange = calloc(1, sizeof *exchange);
    if (exchange)
        exchange->path = exchange->rest = exchange->principal = "";
    return exchange;
}

static void drop_reply(em_http_reply *reply)
{
    free(reply->owned);
    em_stream_release(reply->stream);
    *reply = (em_http_reply){.fields = reply->fields};
}

void em_exchange_free(em_exchange *exchange)
{
    if (!exchange)
        return;
    drop_reply(&exchange->reply);
    em_strbuf_drop(&exchange->body);
    em_arena_drop(&exchange->arena);
    free(exchange);
}

/* ---- Headers and arguments ------------------------------------------------------------------ */

static em_status add_field(em_arena *arena, em_http_fields *fields, const char *name,
                           const char *value)
{
    if (!name || !value)
        return EM_E_NOMEM;
    EM_TRY(em_arena_grow(arena, (void **)&fields->items, fields->count, &fields->room,
                         sizeof *fields->items));
    fields->items[fields->count++] = (em_http_field){name, value};
    return EM_OK;
}

em_status em_exchange_add_field(em_exchange *exchange, em_slice name, em_slice value)
{
    return add_field(&exchange->arena, &exchange->fields, em_arena_string(&exchange->arena, name),
                     em_arena_string(&exchange->arena, em_slice_trim(value, em_is_space_or_tab)));
}

const char *em_exchange_field(const em_exchange *exchange, const char *name)
{
    for (size_t i = 0; i < exchange->fields.count; i++)
        if (strcasecmp(exchange->fields.items[i].name, name) == 0)
            return exchange->fields.items[i].value;
    return NULL;
}

size_t em_exchange_field_count(const em_exchange *exchange, const char *name)
{
    size_t count = 0;
    for (size_t i = 0; i < exchange->fields.count; i++)
        count += strcasecmp(exchange->fields.items[i].name, name) == 0;
    return count;
}

const char *em_exchange_argument(const em_exchange *exchange, const char *name)
{
    for (size_t i = 0; i < exchange->query.count; i++)
        if (strcmp(exchange->query.items[i].name, name) == 0)
            return exchange->query.items[i].value;
    return NULL;
}

/* ---- The target ----------------------------------------------------------------------------- */

static int hex_digit(char digit)
{
    if (digit >= '0' && digit <= '9')
        return digit - '0';
    char letter = (char)(digit | 0x20);
    return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

/* Percent-decode; in a query, '+' is a blank. */
static em_status decode(em_slice text, bool is_query, em_arena *arena, const char **out,
                        em_error *err)
{
    char *decoded = em_alloc(arena, text.len + 1);
    size_t length = 0;
    if (!decoded)
        return em_fail(err, EM_E_NOMEM, "out of memory");
    for (size_t i = 0; i < text.len; i++) {
        char byte = text.ptr[i];
        if (byte == '%') {
            int high = i + 2 < text.len ? hex_digit(text.ptr[i + 1]) : -1;
            int low = i + 2 < text.len ? hex_digit(text.ptr[i + 2]) : -1;
            if (high < 0 || low < 0)
                return em_fail(err, EM_E_INVALID, "a broken escape in the address");
            byte = (char)(high * 16 + low);
            i += 2;
        } else if (is_query && byte == '+') {
            byte = ' ';
        }
        if ((unsigned char)byte < ' ' || byte == 0x7F)
            return em_fail(err, EM_E_INVALID, "a control character in the address");
        decoded[length++] = byte;
    }
    if (em_utf8_invalid_at(em_slice_make(decoded, length)) != EM_NPOS)
        return em_fail(err, EM_E_INVALID, "the address is not UTF-8");
    *out = decoded;
    return EM_OK;
}

static em_status add_argument(em_exchange *exchange, em_slice pair, em_error *err)
{
    const char *equals = pair.len > 0 ? memchr(pair.ptr, '=', pair.len) : NULL;
    size_t split = equals ? (size_t)(equals - pair.ptr) : pair.len;
    const char *name, *value;
    if (pair.len == 0)
        return EM_OK;
    EM_TRY(decode(em_slice_sub(pair, 0, split), true, &exchange->arena, &name, err));
    EM_TRY(decode(em_slice_from(pair, equals ? split + 1 : split), true, &exchange->arena, &value,
                  err));
    if (add_field(&exchange->arena, &exchange->query, name, value) != EM_OK)
        return em_fail(err, EM_E_NOMEM, "out of memory");
    return EM_OK;
}

static em_status set_query(em_exchange *exchange, em_slice query, em_error *err)
{
    while (query.len > 0) {
        const char *end = memchr(query.ptr, '&', query.len);
        size_t length = end ? (size_t)(end - query.ptr) : query.len;
        EM_TRY(add_argument(exchange, em_slice_sub(query, 0, length), err));
        query = em_slice_from(query, end ? length + 1 : length);
    }
    return EM_OK;
}

em_status em_exchange_set_target(em_exchange *exchange, const char *target, em_error *err)
{
    em_slice path = em_slice_of(target);
    const char *mark = strchr(target, '?');
    if (mark)
        path.len = (size_t)(mark - target);
    if (path.len == 0 || path.ptr[0] != '/' || em_slice_has_byte(path, '#'))
        return em_fail(err, EM_E_INVALID, "the address must begin with '/'");
    EM_TRY(decode(path, false, &exchange->arena, &exchange->path, err));
    return set_query(exchange, em_slice_of(mark ? mark + 1 : ""), err);
}

/* ---- Accept --------------------------------------------------------------------------------- */

static bool eq_nocase(em_slice text, const char *word, size_t length)
{
    return text.len == length && strncasecmp(text.ptr, word, length) == 0;
}

/* "q=0", "q=0.000": this one just not. */
static bool is_refused(em_slice parameters)
{
    while (parameters.len > 0) {
        const char *end = memchr(parameters.ptr, ';', parameters.len);
        size_t length = end ? (size_t)(end - parameters.ptr) : parameters.len;
        em_slice one = em_slice_trim(em_slice_sub(parameters, 0, length), em_is_space_or_tab);
        if (one.len >= 3 && eq_nocase(em_slice_sub(one, 0, 2), "q=", 2)) {
            em_slice weight = em_slice_from(one, 2);
            return weight.len == strspn(weight.ptr, "0.");
        }
        parameters = em_slice_from(parameters, end ? length + 1 : length);
    }
    return false;
}

/* How closely a media range ("text/event-stream;q=0.5", "text/ *") names a type. */
typedef enum closeness { NOT_NAMED, AMONG_ALL, BY_MAIN_TYPE, BY_NAME } closeness;

static closeness closeness_of(em_slice name, const char *type)
{
    size_t main_type = (size_t)(strchr(type, '/') - type) + 1;
    if (eq_nocase(name, type, strlen(type)))
        return BY_NAME;
    if (name.len == main_type + 1 && name.ptr[main_type] == '*' &&
        strncasecmp(name.ptr, type, main_type) == 0)
        return BY_MAIN_TYPE;
    return eq_nocase(name, "*/*", 3) ? AMONG_ALL : NOT_NAMED;
}

/* What is known of a type so far. */
typedef struct accepting {
    const char *type;
    closeness closest;
    bool accepted;
} accepting;

/* RFC 9110, 12.5.1: the range that names the type most closely decides, wherever it stands. */
static void weigh(accepting *a, em_slice range)
{
    const char *semicolon = range.len > 0 ? memchr(range.ptr, ';', range.len) : NULL;
    size_t length = semicolon ? (size_t)(semicolon - range.ptr) : range.len;
    em_slice name = em_slice_trim(em_slice_sub(range, 0, length), em_is_space_or_tab);
    closeness close = closeness_of(name, a->type);
    if (close == NOT_NAMED || close < a->closest)
        return;
    bool accepted = !(semicolon && is_refused(em_slice_from(range, length + 1)));
    a->accepted = accepted || (close == a->closest && a->accepted);
    a->closest = close;
}

bool em_exchange_accepts(const em_exchange *exchange, const char *type)
{
    accepting a = {.type = type};
    if (!em_exchange_field(exchange, "Accept"))
        return true;
    for (size_t i = 0; i < exchange->fields.count; i++) {
        if (strcasecmp(exchange->fields.items[i].name, "Accept") != 0)
            continue;
        em_slice rest = em_slice_of(exchange->fields.items[i].value);
        while (rest.len > 0) {
            const char *end = memchr(rest.ptr, ',', rest.len);
            size_t length = end ? (size_t)(end - rest.ptr) : rest.len;
            weigh(&a, em_slice_sub(rest, 0, length));
            rest = em_slice_from(rest, end ? length + 1 : length);
        }
    }
    return a.accepted;
}

bool em_exchange_is_gone(em_exchange *exchange)
{
    return exchange->is_gone && exchange->is_gone(exchange);
}

bool em_exchange_is_late(em_exchange *exchange)
{
    return exchange->is_late && exchange->is_late(exchange);
}

bool em_exchange_may_stay(em_exchange *exchange)
{
    return !exchange->may_stay || exchange->may_stay(exchange);
}

/* ---- The body ------------------------------------------------------------------------------- */

json_t *em_exchange_json(em_exchange *exchange)
{
    json_t *value = NULL;
    em_error err = EM_ERROR_INIT;
    if (em_json_parse(em_strbuf_slice(&exchange->body), &value, &err) != EM_OK) {
        em_reply_error(exchange, 400, "not_json", "%s", err.detail);
        return NULL;
    }
    if (!em_json_is_object(value)) {
        json_decref(value);
        em_reply_error(exchange, 400, "not_an_object", "the body must be a JSON object");
        return NULL;
    }
    return value;
}

bool em_exchange_says_nothing(em_exchange *exchange)
{
    if (exchange->body.len == 0)
        return true;
    EM_AUTO(em_json_ref) body = em_exchange_json(exchange);
    const char *name = json_object_iter_key(json_object_iter(body));
    if (name)
        em_reply_unknown_member(exchange, name);
    return body && !name;
}

/* ---- The answer ----------------------------------------------------------------------------- */

#define JSON_TYPE "application/json"

static void out_of_memory(em_exchange *exchange)
{
    em_reply_static(exchange, 500, JSON_TYPE,
                    EM_LIT("{\"error\":{\"code\":\"memory\",\"message\":\"out of memory\"}}"));
}

void em_reply_field(em_exchange *exchange, const char *name, const char *value)
{
    em_arena *arena = &exchange->arena;
    if (add_field(arena, &exchange->reply.fields, em_arena_string(arena, em_slice_of(name)),
                  em_arena_string(arena, em_slice_of(value))) != EM_OK)
        out_of_memory(exchange);
}

void em_reply_static(em_exchange *exchange, int status, const char *type, em_slice bytes)
{
    drop_reply(&exchange->reply);
    exchange->reply.status = status;
    exchange->reply.type = type;
    exchange->reply.body = bytes;
}

/* The bytes of the buffer, taken over. */
static void reply_owned(em_exchange *exchange, int status, const char *type, em_strbuf *buf)
{
    if (buf->failed) {
        em_strbuf_drop(buf);
        out_of_memory(exchange);
        return;
    }
    em_reply_static(exchange, status, type, em_strbuf_slice(buf));
    exchange->reply.owned = buf->ptr;
    *buf = (em_strbuf){0};
}

void em_reply_bytes(em_exchange *exchange, int status, const char *type, em_slice bytes)
{
    em_strbuf copy = {0};
    em_strbuf_add(&copy, bytes);
    reply_owned(exchange, status, type, &copy);
}

void em_reply_json(em_exchange *exchange, int status, json_t *value)
{
    em_strbuf text = {0};
    if (!value) {
        out_of_memory(exchange);
        return;
    }
    em_json_write(value, 0, &text);
    json_decref(value);
    reply_owned(exchange, status, JSON_TYPE, &text);
}

void em_reply_error(em_exchange *exchange, int status, const char *code, const char *format, ...)
{
    em_json json = {0};
    va_list args;
    va_start(args, format);
    const char *message = em_arena_format_v(&exchange->arena, format, args);
    va_end(args);
    json_t *error = em_json_object(&json);
    json_t *body = em_json_object(&json);
    em_json_set_string(&json, error, "code", code);
    em_json_set_text(&json, error, "message", em_slice_of(message ? message : "out of memory"));
    em_json_set(&json, body, "error", error);
    em_reply_json(exchange, status, em_json_done(&json, body));
}

void em_reply_unknown_member(em_exchange *exchange, const char *name)
{
    em_reply_error(exchange, 400, "unknown_member", "there is no member \"%s\" here",
                   em_show_name(em_slice_of(name)).text);
}

void em_reply_empty(em_exchange *exchange, int status)
{
    em_reply_static(exchange, status, NULL, (em_slice){0});
}

void em_reply_with_stream(em_exchange *exchange, em_stream *stream)
{
    drop_reply(&exchange->reply);
    exchange->reply.status = 200;
    exchange->reply.type = "text/event-stream";
    exchange->reply.stream = em_stream_keep(stream);
}

em_stream *em_reply_stream(em_exchange *exchange)
{
    em_stream *stream = em_stream_new();
    if (stream)
        em_reply_with_stream(exchange, stream);
    else
        out_of_memory(exchange);
    return stream;
}

void em_reply_begin(em_exchange *exchange)
{
    if (exchange->begin)
        exchange->begin(exchange);
}

void em_reply_later(em_exchange *exchange)
{
    exchange->later = true;
}

void em_reply_done(em_exchange *exchange)
{
    if (exchange->done)
        exchange->done(exchange);
}
