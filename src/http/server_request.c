/* server_request.c: what is heard of a request: its headers, checked, and its body, collected. */
#include "http/server_impl.h"

#include "base/ascii.h"

#include <string.h>
#include <strings.h>

/* ---- The headers ---------------------------------------------------------------------------- */

/* Versions 0.9 of the library take more than they should: a value that goes on in the next line is
 * put together, a line without a name is left out, a value ends at a NUL, and so do the parts of
 * the first line. Whoever else reads the same bytes may take them for something else. Later ones
 * refuse all that by themselves where they are asked to be strict. What it did shows in where
 * headers stand: in what came, each value stands behind its name, and each name behind the value
 * before it. */
static bool is_lenient_library(void)
{
    return strncmp(MHD_get_version(), "0.9.", 4) == 0;
}

/* Is there nothing but blanks, ends of lines, and what the library writes over both? */
static bool is_blank_between(const char *from, const char *to)
{
    static const char blanks[] = {' ', '\t', '\r', '\n', '\0'};
    while (from < to && memchr(blanks, *from, sizeof blanks))
        from++;
    return from == to;
}

static bool stands_in_place(const em_turn *t, em_slice name, em_slice value)
{
    return (!t->behind || is_blank_between(t->behind, name.ptr)) &&
           (value.len == 0 || is_blank_between(name.ptr + name.len + 1, value.ptr));
}

/* A blank behind "chunked" is none of it, but they do not know it then, and take all that comes
 * until the client closes for the body. */
static bool is_unknown_coding(em_slice name, em_slice value)
{
    static const char coding[] = "Transfer-Encoding";
    return name.len == sizeof coding - 1 && strncasecmp(name.ptr, coding, name.len) == 0 &&
           value.len > 0 && em_is_space_or_tab(value.ptr[value.len - 1]);
}

static enum MHD_Result take_field(void *context, enum MHD_ValueKind kind, const char *name_bytes,
                                  size_t name_size, const char *value_bytes, size_t value_size)
{
    em_turn *t = context;
    (void)kind;
    em_slice name = em_slice_make(name_bytes, name_size);
    em_slice value = em_slice_make(value_bytes ? value_bytes : "", value_bytes ? value_size : 0);
    if (is_lenient_library()) {
        if (!stands_in_place(t, name, value) || is_unknown_coding(name, value))
            t->why = "framing";
        t->behind = value_bytes ? value.ptr + value.len : NULL;
    }
    if (em_exchange_add_field(t->exchange, name, value) != EM_OK)
        t->why = "memory";
    return MHD_YES;
}

/* Behind the last header an empty line follows at once, of which nothing may have been made. */
static bool end_in_place(const em_turn *t)
{
    static const char kept[] = {'\0', '\0', '\r', '\n'}, written[] = {'\0', '\0', '\0', '\0'};
    return !t->behind || memcmp(t->behind, kept, sizeof kept) == 0 ||
           memcmp(t->behind, written, sizeof written) == 0;
}

static bool take_fields(em_turn *t)
{
    MHD_get_connection_values_n(t->connection, MHD_HEADER_KIND, take_field, t);
    if (!end_in_place(t) && !t->why)
        t->why = "framing";
    if (t->why && strcmp(t->why, "memory") == 0)
        em_reply_json(t->exchange, 500, NULL);
    else if (t->why)
        em_reply_error(t->exchange, 400, t->why,
                       "headers must be one a line, with a name; no blank behind \"chunked\"");
    return !t->why;
}

/* Method, address and version, with one byte between them: else one of them was ended by a NUL, or
 * there are more blanks. */
static bool line_in_place(const em_turn *t, const char *method, const char *version)
{
    return method + strlen(method) + 1 == t->target.ptr &&
           t->target.ptr + t->target.len + 1 == version;
}

static bool check_request(em_turn *t, const char *method, const char *version)
{
    em_exchange *exchange = t->exchange;
    t->why = "framing";
    if (strcmp(version, "HTTP/1.1") != 0 && strcmp(version, "HTTP/1.0") != 0)
        em_reply_error(exchange, 505, "version", "HTTP/1.1 is spoken here");
    else if (is_lenient_library() && !line_in_place(t, method, version))
        em_reply_error(exchange, 400, t->why,
                       "the first line must be a method, an address and HTTP/1.1, with one blank "
                       "between them and no NUL");
    else if (!t->target_fits)
        em_reply_error(exchange, 400, "address", "%s", t->target_problem.detail);
    else
        t->why = NULL;
    return !t->why;
}

static bool find_route(em_turn *t)
{
    const em_server_options *options = &t->server->options;
    em_exchange *exchange = t->exchange;
    char allowed[64];
    t->found =
        em_routes_find(options->routes, options->route_sets, exchange->method, exchange->path);
    if (t->found.route) {
        if (t->found.route->flags & EM_ROUTE_BENEATH)
            exchange->rest = exchange->path + strlen(t->found.route->path);
        return true;
    }
    t->why = t->found.allowed ? "method" : "path";
    if (t->found.allowed) {
        em_routes_list_methods(t->found.allowed, allowed);
        em_reply_field(exchange, "Allow", allowed);
        em_reply_error(exchange, 405, t->why, "what is answered here: %s", allowed);
    } else {
        em_reply_error(exchange, 404, t->why, "there is nothing at that address");
    }
    return false;
}

bool em_turn_check(em_turn *t, const char *method, const char *version)
{
    const em_access *access = t->server->options.access;
    em_exchange *exchange = t->exchange;
    exchange->method = em_http_method_of(method);
    t->takes_interim = strcmp(version, "HTTP/1.1") == 0;
    return take_fields(t) && em_access_check_framing(exchange, &t->why) &&
           check_request(t, method, version) && em_access_check_source(access, exchange, &t->why) &&
           find_route(t) && em_access_check_token(access, exchange, t->found.route, &t->why) &&
           em_access_check_body(access, exchange, &t->why);
}

/* ---- The body ------------------------------------------------------------------------------- */

void em_turn_collect(em_turn *t, const char *bytes, size_t length)
{
    em_server *server = t->server;
    em_strbuf *body = &t->exchange->body;
    em_connection_sent(server->connections, t->watched, length);
    if (t->why)
        return;
    if (length > server->options.most || body->len > server->options.most - length)
        t->why = "too_long";
    else if (server->collected + length > 2 * server->options.most)
        t->why = "busy";
    else
        em_strbuf_add(body, em_slice_make(bytes, length));
    if (body->failed)
        t->why = "memory";
    if (t->why) {
        server->collected -= t->counted;
        t->counted = 0;
        em_strbuf_drop(body);
        return;
    }
    t->counted += length;
    server->collected += length;
}

void em_turn_refuse_body(em_turn *t)
{
    if (strcmp(t->why, "too_long") == 0)
        em_reply_error(t->exchange, 413, t->why, "the body is too long (--max-message-size)");
    else
        em_reply_error(t->exchange, 503, t->why, "there is no room for the body now");
}
