/* access.c: the checks, in the order in which a request comes to them: framing, where it comes
 * from, its token, its body. */
#include "http/access.h"

#include "answers/reply.h"
#include "base/ascii.h"
#include "base/random.h"
#include "system/hash.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

struct em_access {
    em_arena arena;
    const char **tokens;
    size_t token_count, page_token_count;
    const char **hosts;
    size_t host_count;
    uint64_t most;
    char cookie[32]; /* its name */
};

/* ---- Making --------------------------------------------------------------------------------- */

static const char **copy_all(em_arena *arena, const char *const *strings, size_t count)
{
    const char **copies = em_alloc_array(arena, count, sizeof *copies);
    for (size_t i = 0; copies && i < count; i++) {
        copies[i] = em_arena_string(arena, em_slice_of(strings[i]));
        if (!copies[i])
            return NULL;
    }
    return copies;
}

em_access *em_access_new(const em_access_options *options)
{
    em_access *access = calloc(1, sizeof *access);
    if (!access)
        return NULL;
    access->tokens = copy_all(&access->arena, options->tokens, options->token_count);
    access->hosts = copy_all(&access->arena, options->hosts, options->host_count);
    access->token_count = options->token_count;
    access->page_token_count = options->page_token_count;
    access->host_count = options->host_count;
    access->most = options->most;
    snprintf(access->cookie, sizeof access->cookie, options->port > 0 ? "emend-%d" : "emend",
             options->port);
    if (access->tokens && access->hosts)
        return access;
    em_access_free(access);
    return NULL;
}

void em_access_free(em_access *access)
{
    if (!access)
        return;
    em_arena_drop(&access->arena);
    free(access);
}

static bool refuse(const char **why, const char *word)
{
    *why = word;
    return false;
}

/* ---- Framing -------------------------------------------------------------------------------- */

/* RFC 9110, 5.6.2: what a header's name is made of. */
static bool is_name(const char *text)
{
    static const char marks[] = "!#$%&'*+-.^_`|~";
    if (!*text)
        return false;
    for (; *text; text++) {
        bool letter =
            (*text >= '0' && *text <= '9') || ((*text | 0x20) >= 'a' && (*text | 0x20) <= 'z');
        if (!letter && !strchr(marks, *text))
            return false;
    }
    return true;
}

static bool is_value(const char *text)
{
    for (; *text; text++)
        if (((unsigned char)*text < ' ' && *text != '\t') || *text == 0x7F)
            return false;
    return true;
}

static bool is_number(const char *text)
{
    size_t length = strlen(text);
    return length > 0 && length <= 18 && strspn(text, "0123456789") == length;
}

/* Headers of which each reads another one, where there are two. (Those of MCP are looked at where a
 * request is known to be MCP's.) */
static const char *repeated_field(const em_exchange *exchange)
{
#define ONCE(name)                                                                                 \
    {                                                                                              \
        name, "there may be one " name                                                             \
    }
    static const struct {
        const char *name, *problem;
    } fields[] = {ONCE("Content-Type"), ONCE("Authorization"), ONCE("Origin"),
                  ONCE("Last-Event-ID")};
#undef ONCE
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (em_exchange_field_count(exchange, fields[i].name) > 1)
            return fields[i].problem;
    return NULL;
}

static const char *framing_problem(const em_exchange *exchange)
{
    size_t lengths = em_exchange_field_count(exchange, "Content-Length");
    size_t codings = em_exchange_field_count(exchange, "Transfer-Encoding");
    const char *length = em_exchange_field(exchange, "Content-Length");
    const char *coding = em_exchange_field(exchange, "Transfer-Encoding");
    for (size_t i = 0; i < exchange->fields.count; i++)
        if (!is_name(exchange->fields.items[i].name) || !is_value(exchange->fields.items[i].value))
            return "a header that is none";
    if (lengths + codings > 1)
        return "Content-Length and Transfer-Encoding: at most one of both, once";
    if (length && !is_number(length))
        return "Content-Length is no number";
    if (coding && strcasecmp(coding, "chunked") != 0)
        return "Transfer-Encoding may only be chunked";
    if (em_exchange_field_count(exchange, "Host") != 1)
        return "there must be one Host";
    return repeated_field(exchange);
}

bool em_access_check_framing(em_exchange *exchange, const char **why)
{
    size_t size = 0;
    for (size_t i = 0; i < exchange->fields.count; i++)
        size +=
            strlen(exchange->fields.items[i].name) + strlen(exchange->fields.items[i].value) + 4;
    if (size > EM_HEADERS_MOST) {
        em_reply_error(exchange, 431, "headers", "the headers have more than %d bytes",
                       EM_HEADERS_MOST);
        return refuse(why, "headers");
    }
    const char *problem = framing_problem(exchange);
    if (!problem)
        return true;
    em_reply_error(exchange, 400, "framing", "%s", problem);
    return refuse(why, "framing");
}

/* ---- Host and Origin ------------------------------------------------------------------------ */

/* "name", "name:80", "[::1]:80": the name of it; empty where it is none of these. */
static em_slice name_of(em_slice authority)
{
    const em_slice none = {0};
    size_t length = 0;
    if (authority.len > 0 && authority.ptr[0] == '[') {
        const char *end = memchr(authority.ptr, ']', authority.len);
        if (!end)
            return none;
        length = (size_t)(end - authority.ptr) + 1;
    } else {
        const char *colon = authority.len > 0 ? memchr(authority.ptr, ':', authority.len) : NULL;
        length = colon ? (size_t)(colon - authority.ptr) : authority.len;
    }
    em_slice port = em_slice_from(authority, length);
    if (port.len > 0 && (port.ptr[0] != ':' || port.len < 2 || port.len > 6))
        return none;
    for (size_t i = 1; i < port.len; i++)
        if (port.ptr[i] < '0' || port.ptr[i] > '9')
            return none;
    return em_slice_sub(authority, 0, length);
}

static bool same_nocase(em_slice text, em_slice other)
{
    return text.len == other.len && strncasecmp(text.ptr, other.ptr, text.len) == 0;
}

static bool is_ours(const em_access *access, em_slice name)
{
    static const char *const loopback[] = {"localhost", "127.0.0.1", "[::1]"};
    if (name.len == 0)
        return false;
    for (size_t i = 0; i < sizeof loopback / sizeof *loopback; i++)
        if (same_nocase(name, em_slice_of(loopback[i])))
            return true;
    for (size_t i = 0; i < access->host_count; i++)
        if (same_nocase(name, em_slice_of(access->hosts[i])))
            return true;
    return false;
}

/* An authority without the port that goes without saying. */
static em_slice without_default_port(em_slice authority, const char *port)
{
    size_t length = strlen(port);
    if (authority.len > length &&
        em_slice_is(em_slice_from(authority, authority.len - length), port))
        authority.len -= length;
    return authority;
}

/* A page may ask if it came from here: from the very name and port that it asks now. */
static bool is_own_origin(const char *origin, const char *host)
{
    bool secure = strncasecmp(origin, "https://", 8) == 0;
    const char *port = secure ? ":443" : ":80";
    if (!secure && strncasecmp(origin, "http://", 7) != 0)
        return false;
    em_slice authority = em_slice_of(origin + (secure ? 8 : 7));
    return same_nocase(without_default_port(authority, port),
                       without_default_port(em_slice_of(host), port));
}

bool em_access_check_source(const em_access *access, em_exchange *exchange, const char **why)
{
    const char *host = em_exchange_field(exchange, "Host");
    const char *origin = em_exchange_field(exchange, "Origin");
    if (!host || !is_ours(access, name_of(em_slice_of(host)))) {
        em_reply_error(exchange, 403, "host", "this server does not answer to that name (--host)");
        return refuse(why, "host");
    }
    if (origin &&
        (em_exchange_field_count(exchange, "Origin") != 1 || !is_own_origin(origin, host))) {
        em_reply_error(exchange, 403, "origin", "pages of other sites may not ask");
        return refuse(why, "origin");
    }
    return true;
}

/* ---- Token ---------------------------------------------------------------------------------- */

bool em_same_secret(const char *secret, em_slice given)
{
    size_t length = strlen(secret);
    unsigned char differs = length != given.len;
    for (size_t i = 0; i < given.len; i++)
        differs |= (unsigned char)(given.ptr[i] ^ secret[length > 0 ? i % length : 0]);
    return differs == 0;
}

bool em_is_token(em_slice text)
{
    static const char marks[] = "-._~+/=";
    for (size_t i = 0; i < text.len; i++) {
        char byte = text.ptr[i], lower = (char)(byte | 0x20);
        if (!((byte >= '0' && byte <= '9') || (lower >= 'a' && lower <= 'z') ||
              (byte && strchr(marks, byte))))
            return false;
    }
    return text.len >= 16 && text.len <= 256;
}

bool em_make_secret(char out[static EM_SECRET_SIZE])
{
    unsigned char random[(EM_SECRET_SIZE - 1) / 2];
    if (!em_random(random, sizeof random))
        return false;
    for (size_t i = 0; i < sizeof random; i++)
        snprintf(out + 2 * i, 3, "%02x", random[i]);
    return true;
}

static em_slice bearer_of(const em_exchange *exchange)
{
    const char *given = em_exchange_field(exchange, "Authorization");
    if (!given || strncasecmp(given, "Bearer ", 7) != 0)
        return (em_slice){0};
    given += 7;
    return em_slice_of(given + strspn(given, " "));
}

/* The value of our cookie: Cookie: a=1; emend-8137=...; b=2 */
static em_slice cookie_of(const em_access *access, const em_exchange *exchange)
{
    const char *given = em_exchange_field(exchange, "Cookie");
    size_t name = strlen(access->cookie);
    while (given && *given) {
        given += strspn(given, " ;");
        size_t length = strcspn(given, ";");
        if (length > name && strncmp(given, access->cookie, name) == 0 && given[name] == '=')
            return em_slice_make(given + name + 1, length - name - 1);
        given += length;
    }
    return (em_slice){0};
}

/* Which token it is; EM_NPOS. All of them are looked at, whichever it is. */
static size_t token_index(const em_access *access, em_slice given)
{
    size_t found = EM_NPOS;
    for (size_t i = 0; i < access->token_count; i++)
        if (em_same_secret(access->tokens[i], given))
            found = i;
    return found;
}

static void reply_unauthorized(em_exchange *exchange, bool given)
{
    em_reply_error(exchange, 401, "token", "%s",
                   given ? "that token is not the one of this server"
                         : "a token is needed: Authorization: Bearer TOKEN");
    em_reply_field(exchange, "WWW-Authenticate",
                   given ? "Bearer realm=\"emend\", error=\"invalid_token\""
                         : "Bearer realm=\"emend\"");
}

/* It stands in the history, behind the names of sessions: too little to guess the token by, and the
 * same after the server was started again with another order of tokens. */
static const char *scope_of(const char *token, em_arena *arena)
{
    return em_arena_format(arena, "%.8s", em_hash_of(em_slice_of(token)).hex);
}

bool em_access_check_token(const em_access *access, em_exchange *exchange, const em_route *route,
                           const char **why)
{
    if (access->token_count == 0 || route->flags & EM_ROUTE_OPEN)
        return true;
    em_slice given = bearer_of(exchange);
    if (given.len == 0 && route->flags & EM_ROUTE_COOKIE)
        given = cookie_of(access, exchange);
    size_t index = given.len > 0 ? token_index(access, given) : EM_NPOS;
    if (index == EM_NPOS) {
        reply_unauthorized(exchange, given.len > 0);
        return refuse(why, "token");
    }
    if (route->flags & (EM_ROUTE_COOKIE | EM_ROUTE_PAGE) && index >= access->page_token_count) {
        em_reply_error(exchange, 403, "token",
                       "that token is for /mcp alone; the page has one of its own");
        return refuse(why, "token");
    }
    exchange->principal = em_arena_format(&exchange->arena, "%zu", index + 1);
    if (access->token_count > 1)
        exchange->scope = scope_of(access->tokens[index], &exchange->arena);
    if (exchange->principal && (exchange->scope || access->token_count == 1))
        return true;
    em_reply_error(exchange, 500, "memory", "out of memory");
    return refuse(why, "memory");
}

/* ---- Body ----------------------------------------------------------------------------------- */

static bool is_json_type(const char *type)
{
    static const char json[] = "application/json";
    size_t length = sizeof json - 1;
    return type && strncasecmp(type, json, length) == 0 &&
           (type[length] == '\0' || em_is_one_of(type[length], "; \t"));
}

/* How the body is coded, compressed say; NULL: as it is. */
static const char *coding_of(const em_exchange *exchange)
{
    for (size_t i = 0; i < exchange->fields.count; i++) {
        const em_http_field *field = &exchange->fields.items[i];
        if (strcasecmp(field->name, "Content-Encoding") == 0 && field->value[0] != '\0' &&
            strcasecmp(field->value, "identity") != 0)
            return field->value;
    }
    return NULL;
}

/* RFC 9110, 15.5.16: where Accept-Encoding says what is taken, the type is not what is wrong. */
static void refuse_coding(em_exchange *exchange, const char *coding)
{
    em_reply_error(exchange, 415, "content_encoding",
                   "Content-Encoding \"%s\" is not taken: send the body as it is (identity)",
                   em_show_name(em_slice_of(coding)).text);
    em_reply_field(exchange, "Accept-Encoding", "identity");
}

bool em_access_check_body(const em_access *access, em_exchange *exchange, const char **why)
{
    const char *length = em_exchange_field(exchange, "Content-Length");
    bool empty = !em_exchange_field(exchange, "Transfer-Encoding") &&
                 (!length || strtoull(length, NULL, 10) == 0);
    if (exchange->method != EM_HTTP_POST && empty)
        return true;
    const char *coding = coding_of(exchange);
    if (!is_json_type(em_exchange_field(exchange, "Content-Type"))) {
        em_reply_error(exchange, 415, "content_type", "Content-Type must be application/json");
        return refuse(why, "content_type");
    }
    if (coding) {
        refuse_coding(exchange, coding);
        return refuse(why, "content_encoding");
    }
    if (length && strtoull(length, NULL, 10) > access->most) {
        em_reply_error(exchange, 413, "too_long",
                       "the body is longer than %" PRIu64 " bytes (--max-message-size)",
                       access->most);
        return refuse(why, "too_long");
    }
    return true;
}

/* ---- The cookie ----------------------------------------------------------------------------- */

static void set_cookie(const em_access *access, em_exchange *exchange, const char *value,
                       const char *more)
{
    const char *field =
        em_arena_format(&exchange->arena, "%s=%s; Path=/; HttpOnly; SameSite=Strict%s",
                        access->cookie, value, more);
    if (field)
        em_reply_field(exchange, "Set-Cookie", field);
    else
        em_reply_error(exchange, 500, "memory", "out of memory");
}

void em_access_give_cookie(const em_access *access, em_exchange *exchange)
{
    size_t index = strtoul(exchange->principal, NULL, 10);
    if (index > 0 && index <= access->token_count)
        set_cookie(access, exchange, access->tokens[index - 1], "");
}

void em_access_take_cookie(const em_access *access, em_exchange *exchange)
{
    set_cookie(access, exchange, "", "; Max-Age=0");
}
