/* exchange.h: one HTTP request and its answer.
 *
 * Plain data on both sides: who hears requests (server.h) fills the first half, a handler
 * (routes.h) reads it and fills the second. Nothing here knows sockets or the library that speaks
 * HTTP, so a test or a fuzzer makes an exchange as the server does.
 *
 *  (1) A handler runs in a worker's thread and owns the exchange until it returns, or, where it
 *      says em_reply_later(), until em_reply_done(). By then it has replied; where it has not, the
 *      answer is 500.
 *  (2) When a handler is called, Host, Origin, token, content type and limits have been checked as
 *      its route asks, and the body is there whole.
 *  (3) Strings live as long as the exchange. A stream (stream.h) lives on beyond it.
 */
#ifndef EM_HTTP_EXCHANGE_H
#define EM_HTTP_EXCHANGE_H

#include "http/stream.h"
#include "json/json.h"

typedef enum em_http_method {
    EM_HTTP_OTHER,
    EM_HTTP_GET,
    EM_HTTP_HEAD, /* handled as GET is: the server leaves the body out */
    EM_HTTP_POST,
    EM_HTTP_DELETE,
    EM_HTTP_OPTIONS,
} em_http_method;

typedef struct em_http_field {
    const char *name, *value;
} em_http_field;

typedef struct em_http_fields {
    em_http_field *items;
    size_t count, room;
} em_http_fields;

typedef struct em_http_reply {
    int status; /* 0: no reply yet */
    em_http_fields fields;
    const char *type;  /* Content-Type; NULL: no body */
    em_slice body;     /* borrowed, or in `owned` or the exchange's arena */
    char *owned;       /* malloc(3)ed bytes of `body`; NULL */
    em_stream *stream; /* instead of a body; a reference */
} em_http_reply;

typedef struct em_exchange {
    em_arena arena;
    em_http_method method;
    const char *path;      /* percent-decoded, without the query; begins with '/' */
    const char *rest;      /* of a route for all beneath a path: what stands behind it; else "" */
    em_http_fields fields; /* the headers, in their order */
    em_http_fields query;  /* decoded */
    em_strbuf body;        /* whole */
    const char *principal; /* which token was shown: "" where none is needed */
    const char *scope; /* what tells the holders of this token from others; NULL: there is one */
    em_http_reply reply;
    bool later; /* the handler's return is not the end of it */

    /* The server's: itself, and its part of em_reply_begin(), em_reply_done(),
     * em_exchange_is_gone(), em_exchange_is_late() and em_exchange_may_stay(); NULL: they have
     * none. */
    void *owner;
    void (*begin)(struct em_exchange *exchange);
    void (*done)(struct em_exchange *exchange);
    bool (*is_gone)(struct em_exchange *exchange);
    bool (*is_late)(struct em_exchange *exchange);
    bool (*may_stay)(struct em_exchange *exchange);
} em_exchange;

/* ---- For who hears requests ----------------------------------------------------------------- */

/* An exchange with nothing in it. The caller's: em_exchange_free(). NULL when memory ran out. */
em_exchange *em_exchange_new(void);
void em_exchange_free(em_exchange *exchange);

/* The method of that name. */
em_http_method em_http_method_of(const char *name);

/* Split and decode the target of a request ("/a%20b?c=d"). EM_E_INVALID: it is no absolute path, an
 * escape is broken, or NUL or a control character stands in it; the detail says so. EM_E_NOMEM. */
em_status em_exchange_set_target(em_exchange *exchange, const char *target, em_error *err);

/* Add a header; copied. EM_E_NOMEM. */
em_status em_exchange_add_field(em_exchange *exchange, em_slice name, em_slice value);

/* ---- For handlers: the request -------------------------------------------------------------- */

/* The first header of that name, in whatever case, without blanks around it; NULL. */
const char *em_exchange_field(const em_exchange *exchange, const char *name);

/* How many there are. */
size_t em_exchange_field_count(const em_exchange *exchange, const char *name);

/* An argument of the query: the first of that name; NULL. */
const char *em_exchange_argument(const em_exchange *exchange, const char *name);

/* Does Accept let `type` ("text/event-stream") through? A request without the header takes all. */
bool em_exchange_accepts(const em_exchange *exchange, const char *type);

/* Has the client closed the connection? Then nobody reads the answer. (One that only sends no more
 * is still there.) Asks the system, and may wait for a tenth of a second. */
bool em_exchange_is_gone(em_exchange *exchange);

/* Is the server about to end? Then what has not begun is not begun any more. */
bool em_exchange_is_late(em_exchange *exchange);

/* May the answer be a stream that stays open for as long as the client listens? Of these there may
 * be only so many, so that connections are left for requests; this one counts until it is over. */
bool em_exchange_may_stay(em_exchange *exchange);

/* The body as a JSON object: a new reference. NULL where it is none, which has been replied then
 * (400). */
json_t *em_exchange_json(em_exchange *exchange);

/* Does the body say nothing, as where all is said by the address? It may be missing. What it says
 * has been replied to then (400). */
bool em_exchange_says_nothing(em_exchange *exchange);

/* ---- For handlers: the answer --------------------------------------------------------------- */

/* A header of the answer; copied. To be added before or after the reply, while the handler runs. */
void em_reply_field(em_exchange *exchange, const char *name, const char *value);

/* JSON; `value` is taken over. NULL is what memory ran out for: 500. */
void em_reply_json(em_exchange *exchange, int status, json_t *value);

/* {"error": {"code": CODE, "message": ...}} */
void em_reply_error(em_exchange *exchange, int status, const char *code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* A member of the body that is not known (400). */
void em_reply_unknown_member(em_exchange *exchange, const char *name);

/* Bytes: copied, or (for what is compiled in) used where they are. */
void em_reply_bytes(em_exchange *exchange, int status, const char *type, em_slice bytes);
void em_reply_static(em_exchange *exchange, int status, const char *type, em_slice bytes);

/* No body. */
void em_reply_empty(em_exchange *exchange, int status);

/* A stream of events (text/event-stream), status 200. The stream is to be given back
 * (em_stream_release) by whoever sends on it; the answer ends when it is ended. NULL when memory
 * ran out, which has been replied then. */
em_stream *em_reply_stream(em_exchange *exchange);

/* The same with a stream that is there already; borrowed. */
void em_reply_with_stream(em_exchange *exchange, em_stream *stream);

/* Let the answer, a stream, begin now, and not when the handler is done. From then on the reply
 * must not be touched. */
void em_reply_begin(em_exchange *exchange);

/* The handler returns before it is done with the exchange; somebody calls the second, in whatever
 * thread, when that is so. The exchange must not be touched after it. */
void em_reply_later(em_exchange *exchange);
void em_reply_done(em_exchange *exchange);

#endif
