/* server.c: libmicrohttpd's callbacks, and what becomes of a request between them.
 *
 * The library's one thread calls hear(), handle() and completed() for each request, in this order,
 * and never waits in them: a turn holds the request, its connection sleeps while a worker runs the
 * handler, and is woken when the reply is there. The lock guards the counts that the end waits for,
 * the list of streams, and who holds a turn.
 */
#include "http/server.h"

#include "base/ascii.h"
#include "base/clock.h"
#include "base/thread.h"
#include "http/connections.h"

#include <errno.h>
#include <microhttpd.h>
#include <poll.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    POOL = 32 << 10, /* bytes of memory for a connection: headers, and pieces of bodies */
    STREAM_BLOCK = 16 << 10,
    LAST_WORDS_MS = 2000, /* so long clients may take to read when the server ends */
    ECHO_MS = 100,        /* so long the system of a client that has gone may take to say so */
    STAYING_SHARE = 2,    /* one in so many connections may be a stream that stays open */
    OWN_LIMIT_S = 3600,   /* of a connection that sleeps; it is counted from when that is woken */
};

/* A stream of events on its way out. */
typedef struct flow {
    struct flow *next, *before;
    struct em_server *server;
    struct MHD_Connection *connection;
    em_stream *stream;      /* a reference */
    em_connection *watched; /* there, as is its descriptor, as long as the flow is in the list */
} flow;

struct em_server {
    em_server_options options;
    struct MHD_Daemon *daemon;
    em_connections *connections;
    pthread_mutex_t lock;
    pthread_cond_t done;
    flow *flows;
    size_t flow_count;
    size_t working; /* handlers that are not done, and threads that run one */
    size_t running; /* handlers that are not done */
    size_t open;    /* turns that are not completed */
    size_t staying; /* of these, those that may be answered with a stream that stays open */
    int64_t commented_ms;
    _Atomic uint64_t collected; /* bytes of bodies that are held */
    _Atomic bool closing;
};

/* A request of a connection. Three may hold it: the connection, until the answer is out, the
 * handler, until it is done with it, and the thread that the handler began in. */
typedef struct turn {
    em_job job;
    em_server *server;
    em_exchange *exchange;
    struct MHD_Connection *connection;
    em_connection *watched;
    int fd;
    em_route_found found;
    em_error target_problem;
    bool target_fits;
    const char *why;    /* it is refused, in a word; NULL */
    em_slice target;    /* where the address came; only to be told where it stood */
    uint64_t counted;   /* bytes of its body in server->collected */
    const char *behind; /* the value of the header before the one at hand */
    bool begun, working, replied, completed;
    bool stays;         /* counted in server->staying */
    bool takes_interim; /* RFC 9110, 15.2: since HTTP/1.1 something may come before the answer */
    bool called;        /* which it has */
    size_t holders;
} turn;

/* ---- Sleep ---------------------------------------------------------------------------------- */

/* Of a connection that was woken the library may read before it asks for the answer, and closes it
 * where the client sends no more. Those that have a time limit of their own it asks before it reads
 * from any: so one that sleeps has a limit, and goes back to having none when it is asked. */
static void sleep_until_woken(struct MHD_Connection *connection)
{
    MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, (unsigned)OWN_LIMIT_S);
    MHD_suspend_connection(connection);
}

static void note_woken(struct MHD_Connection *connection)
{
    MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, 0U);
}

/* ---- Turns ---------------------------------------------------------------------------------- */

static void turn_free(turn *t)
{
    t->server->collected -= t->counted;
    em_exchange_free(t->exchange);
    free(t);
}

static void turn_release(turn *t)
{
    pthread_mutex_lock(&t->server->lock);
    bool last = --t->holders == 0;
    pthread_mutex_unlock(&t->server->lock);
    if (last)
        turn_free(t);
}

/* The reply is there: let the connection go on. Called once. */
static void wake(turn *t)
{
    t->replied = true;
    MHD_resume_connection(t->connection);
}

static void begin_reply(em_exchange *exchange)
{
    wake(exchange->owner);
}

/* A handler, or the thread that it began in, needs the turn no more. The server may be gone when
 * this returns. */
static void handler_release(turn *t)
{
    em_server *server = t->server;
    turn_release(t);
    pthread_mutex_lock(&server->lock);
    server->working--;
    pthread_cond_broadcast(&server->done);
    pthread_mutex_unlock(&server->lock);
}

static void done_with(em_exchange *exchange)
{
    turn *t = exchange->owner;
    if (exchange->reply.status == 0)
        em_reply_error(exchange, 500, "internal", "nothing was answered");
    pthread_mutex_lock(&t->server->lock);
    t->server->running--; /* before the client can know */
    pthread_mutex_unlock(&t->server->lock);
    if (!t->replied)
        wake(t);
    handler_release(t);
}

/* ---- Who is still there --------------------------------------------------------------------- */

/* A client that sends no more may still read (shutdown(2)), or have gone. Over TCP both say the
 * same, until something is sent to them: to that the system of one that has gone answers that there
 * is nobody. So who might have gone is called: by a comment in a stream, else by an interim answer
 * (100), which a client must pass over (RFC 9110, 15.2). Where that system is far away its word
 * comes too late for the first look. */

static bool sends_no_more(int fd)
{
    struct pollfd end = {.fd = fd, .events = POLLRDHUP};
    return poll(&end, 1, 0) > 0;
}

/* Waits for at most `ms`. */
static bool has_gone(int fd, int ms)
{
    struct pollfd end = {.fd = fd};
    return poll(&end, 1, ms) > 0;
}

/* Nobody else writes to the connection, which sleeps until there is a reply. Where there is no room
 * for all of it nothing is sent. */
static void call_client(turn *t)
{
    static const char nothing_yet[] = "HTTP/1.1 100 Continue\r\n\r\n";
    struct pollfd room = {.fd = t->fd, .events = POLLOUT};
    t->called = true;
    if (poll(&room, 1, 0) > 0 &&
        send(t->fd, nothing_yet, sizeof nothing_yet - 1, MSG_DONTWAIT | MSG_NOSIGNAL) > 0)
        has_gone(t->fd, ECHO_MS);
}

/* As long as the turn is not completed its descriptor is open. */
static bool is_gone(em_exchange *exchange)
{
    turn *t = exchange->owner;
    if (!t->replied && !t->called && t->takes_interim && sends_no_more(t->fd))
        call_client(t);
    pthread_mutex_lock(&t->server->lock);
    bool gone = t->completed || has_gone(t->fd, 0);
    pthread_mutex_unlock(&t->server->lock);
    return gone;
}

/* ---- Handlers ------------------------------------------------------------------------------- */

static bool is_late(em_exchange *exchange)
{
    const turn *t = exchange->owner;
    return t->server->closing;
}

static bool may_stay(em_exchange *exchange)
{
    turn *t = exchange->owner;
    em_server *server = t->server;
    pthread_mutex_lock(&server->lock);
    t->stays = server->staying < server->options.connections / STAYING_SHARE;
    server->staying += t->stays;
    pthread_mutex_unlock(&server->lock);
    if (!t->stays)
        em_metrics_refused(server->options.metrics, "streams");
    return t->stays;
}

static void run_handler(em_job *job)
{
    turn *t = (turn *)job;
    em_exchange *exchange = t->exchange;
    t->found.route->run(t->found.context, exchange);
    if (!exchange->later)
        done_with(exchange);
    handler_release(t);
}

/* ---- Streams -------------------------------------------------------------------------------- */

static void wake_flow(void *context)
{
    MHD_resume_connection(((flow *)context)->connection);
}

static void rest_flow(void *context)
{
    MHD_suspend_connection(((flow *)context)->connection);
}

static ssize_t read_flow(void *context, uint64_t position, char *out, size_t room)
{
    flow *f = context;
    (void)position;
    long length = em_stream_take(f->stream, out, room, rest_flow, f);
    if (length > 0) {
        em_connection_steps(f->server->connections, f->watched);
        em_metrics_streamed(f->server->options.metrics, (uint64_t)length);
    }
    return length == EM_STREAM_OVER ? MHD_CONTENT_READER_END_OF_STREAM : (ssize_t)length;
}

static void free_flow(void *context)
{
    flow *f = context;
    em_server *server = f->server;
    pthread_mutex_lock(&server->lock);
    if (f->before)
        f->before->next = f->next;
    else
        server->flows = f->next;
    if (f->next)
        f->next->before = f->before;
    server->flow_count--;
    pthread_mutex_unlock(&server->lock);
    em_stream_detach(f->stream);
    em_stream_release(f->stream);
    free(f);
}

static struct MHD_Response *stream_response(turn *t)
{
    em_server *server = t->server;
    flow *f = calloc(1, sizeof *f);
    if (!f)
        return NULL;
    *f = (flow){.server = server,
                .connection = t->connection,
                .stream = em_stream_keep(t->exchange->reply.stream),
                .watched = t->watched};
    pthread_mutex_lock(&server->lock);
    f->next = server->flows;
    if (f->next)
        f->next->before = f;
    server->flows = f;
    server->flow_count++;
    pthread_mutex_unlock(&server->lock);
    em_stream_attach(f->stream, wake_flow, f);
    struct MHD_Response *response =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, STREAM_BLOCK, read_flow, f, free_flow);
    if (!response)
        free_flow(f);
    return response;
}

/* ---- Answers -------------------------------------------------------------------------------- */

/* What every answer says, where its handler says nothing else: it is for whoever asked alone, it is
 * what its type says, and no page may show it in a frame. */
static const em_http_field always[] = {
    {"Cache-Control", "no-store"},
    {"X-Content-Type-Options", "nosniff"},
    {"X-Frame-Options", "DENY"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
};

static bool add_fields(struct MHD_Response *response, const em_http_reply *reply)
{
    bool ok = true;
    for (size_t i = 0; i < reply->fields.count; i++)
        ok = ok && MHD_add_response_header(response, reply->fields.items[i].name,
                                           reply->fields.items[i].value) == MHD_YES;
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        if (!MHD_get_response_header(response, always[i].name))
            ok =
                ok && MHD_add_response_header(response, always[i].name, always[i].value) == MHD_YES;
    if (reply->type)
        ok = ok && MHD_add_response_header(response, "Content-Type", reply->type) == MHD_YES;
    if (reply->stream)
        ok = ok && MHD_add_response_header(response, "X-Accel-Buffering", "no") == MHD_YES;
    return ok;
}

/* Hand the reply to the library. `close`: the connection ends with it. */
static enum MHD_Result queue_reply(turn *t, bool close)
{
    em_server *server = t->server;
    const em_http_reply *reply = &t->exchange->reply;
    size_t sent = t->exchange->method == EM_HTTP_HEAD ? 0 : reply->body.len;
    struct MHD_Response *response =
        reply->stream
            ? stream_response(t)
            : MHD_create_response_from_buffer(reply->body.len, (void *)(uintptr_t)reply->body.ptr,
                                              MHD_RESPMEM_PERSISTENT);
    if (!response)
        return MHD_NO;
    enum MHD_Result result = MHD_NO;
    bool ok = add_fields(response, reply) &&
              (!close || MHD_add_response_header(response, "Connection", "close") == MHD_YES);
    if (reply->stream)
        em_connection_works(server->connections, t->watched);
    else
        em_connection_takes(server->connections, t->watched, sent);
    if (ok)
        result = MHD_queue_response(t->connection, (unsigned)reply->status, response);
    MHD_destroy_response(response);
    em_metrics_answered(server->options.metrics, reply->status, t->exchange->body.len, sent);
    return result;
}

static enum MHD_Result refuse(turn *t)
{
    em_metrics_refused(t->server->options.metrics, t->why);
    t->replied = true;
    return queue_reply(t, true);
}

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

static bool stands_in_place(const turn *t, em_slice name, em_slice value)
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
    turn *t = context;
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
static bool end_in_place(const turn *t)
{
    static const char kept[] = {'\0', '\0', '\r', '\n'}, written[] = {'\0', '\0', '\0', '\0'};
    return !t->behind || memcmp(t->behind, kept, sizeof kept) == 0 ||
           memcmp(t->behind, written, sizeof written) == 0;
}

static bool take_fields(turn *t)
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
static bool line_in_place(const turn *t, const char *method, const char *version)
{
    return method + strlen(method) + 1 == t->target.ptr &&
           t->target.ptr + t->target.len + 1 == version;
}

static bool check_request(turn *t, const char *method, const char *version)
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

static bool find_route(turn *t)
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
        em_reply_error(exchange, 405, t->why, "only %s is answered here", allowed);
    } else {
        em_reply_error(exchange, 404, t->why, "there is nothing at that address");
    }
    return false;
}

static enum MHD_Result refuse_now(turn *t)
{
    t->why = "closing";
    em_reply_error(t->exchange, 503, t->why, "the server is about to end");
    return refuse(t);
}

/* All that can be said before the body is read. */
static enum MHD_Result begin(turn *t, const char *method, const char *version)
{
    const em_access *access = t->server->options.access;
    em_exchange *exchange = t->exchange;
    exchange->method = em_http_method_of(method);
    t->takes_interim = strcmp(version, "HTTP/1.1") == 0;
    bool ok = take_fields(t) && em_access_check_framing(exchange, &t->why) &&
              check_request(t, method, version) &&
              em_access_check_source(access, exchange, &t->why) && find_route(t) &&
              em_access_check_token(access, exchange, t->found.route, &t->why) &&
              em_access_check_body(access, exchange, &t->why);
    if (!ok)
        return refuse(t);
    em_connection_sends(t->server->connections, t->watched);
    return MHD_YES;
}

/* ---- The body ------------------------------------------------------------------------------- */

/* Keep a piece, as long as there is room. What is too much is read to its end and then refused: in
 * the middle of a body nothing can be said. */
static void collect(turn *t, const char *bytes, size_t length)
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

static enum MHD_Result refuse_body(turn *t)
{
    if (strcmp(t->why, "too_long") == 0)
        em_reply_error(t->exchange, 413, t->why, "the body is too long (--max-message-size)");
    else
        em_reply_error(t->exchange, 503, t->why, "there is no room for the body now");
    return refuse(t);
}

/* ---- What the library calls ----------------------------------------------------------------- */

static const union MHD_ConnectionInfo *info_of(struct MHD_Connection *connection,
                                               enum MHD_ConnectionInfoType type)
{
    return MHD_get_connection_info(connection, type);
}

/* The first that is heard of a request: its address, as it came. */
static void *hear(void *context, const char *target, struct MHD_Connection *connection)
{
    em_server *server = context;
    turn *t = calloc(1, sizeof *t);
    em_exchange *exchange = t ? em_exchange_new() : NULL;
    if (!exchange) {
        free(t);
        return NULL;
    }
    *t = (turn){.job = {.run = run_handler},
                .server = server,
                .exchange = exchange,
                .connection = connection,
                .watched = info_of(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context,
                .fd = info_of(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd,
                .target = em_slice_of(target),
                .target_problem = EM_ERROR_INIT,
                .holders = 1};
    exchange->owner = t;
    exchange->begin = begin_reply;
    exchange->done = done_with;
    exchange->is_gone = is_gone;
    exchange->is_late = is_late;
    exchange->may_stay = may_stay;
    t->target_fits = em_exchange_set_target(exchange, target, &t->target_problem) == EM_OK;
    pthread_mutex_lock(&server->lock);
    server->open++;
    pthread_mutex_unlock(&server->lock);
    return t;
}

static enum MHD_Result hand_over(turn *t)
{
    em_server *server = t->server;
    em_connection_works(server->connections, t->watched);
    pthread_mutex_lock(&server->lock);
    t->working = !server->closing;
    /* Twice: an answer that is made later may be out before the handler has returned. */
    server->working += t->working ? 2 : 0;
    server->running += t->working;
    t->holders += t->working ? 2 : 0;
    pthread_mutex_unlock(&server->lock);
    if (!t->working)
        return refuse_now(t);
    sleep_until_woken(t->connection);
    em_workers_add(server->options.workers, NULL, &t->job);
    return MHD_YES;
}

static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *upload,
                              size_t *upload_size, void **state)
{
    turn *t = *state;
    (void)context, (void)url;
    if (!t || !t->watched)
        return MHD_NO;
    if (!t->begun) {
        t->begun = true;
        return begin(t, method, version);
    }
    if (*upload_size > 0) {
        collect(t, upload, *upload_size);
        *upload_size = 0;
        return MHD_YES;
    }
    if (t->replied) {
        note_woken(connection);
        return queue_reply(t, t->server->closing);
    }
    if (t->working)
        return MHD_YES; /* woken by chance */
    return t->why ? refuse_body(t) : hand_over(t);
}

static void completed(void *context, struct MHD_Connection *connection, void **state,
                      enum MHD_RequestTerminationCode code)
{
    em_server *server = context;
    turn *t = *state;
    (void)connection, (void)code;
    if (!t)
        return;
    *state = NULL;
    if (t->watched)
        em_connection_waits(server->connections, t->watched);
    pthread_mutex_lock(&server->lock);
    t->completed = true;
    server->open--;
    server->staying -= t->stays;
    pthread_cond_broadcast(&server->done);
    pthread_mutex_unlock(&server->lock);
    turn_release(t);
}

static void connected(void *context, struct MHD_Connection *connection, void **socket_context,
                      enum MHD_ConnectionNotificationCode code)
{
    em_server *server = context;
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        int fd = info_of(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
        *socket_context = em_connections_add(server->connections, fd);
    } else if (*socket_context) {
        em_connections_remove(server->connections, *socket_context);
        *socket_context = NULL;
    }
}

/* ---- Starting ------------------------------------------------------------------------------- */

static void server_free(em_server *server)
{
    em_connections_free(server->connections);
    pthread_cond_destroy(&server->done);
    pthread_mutex_destroy(&server->lock);
    free(server);
}

static em_status start(em_server *server, em_error *err)
{
    const em_server_options *options = &server->options;
    /* One more than the idle ones make room at, so that there is a moment for it. */
    server->connections =
        em_connections_new(options->connections - options->connections / 8, options->patience_ms);
    if (!server->connections)
        return em_fail(err, EM_E_NOMEM, "out of memory");
    server->daemon = MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, handle, server,
        MHD_OPTION_LISTEN_SOCKET, options->listener, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)options->connections, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)POOL,
        MHD_OPTION_CONNECTION_TIMEOUT, 0U, MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_URI_LOG_CALLBACK, hear, server, MHD_OPTION_NOTIFY_COMPLETED, completed, server,
        MHD_OPTION_NOTIFY_CONNECTION, connected, server, MHD_OPTION_END);
    if (!server->daemon)
        return em_fail(err, EM_E_IO, "cannot listen: %s",
                       errno ? strerror(errno) : "libmicrohttpd does not start");
    return EM_OK;
}

em_status em_server_start(const em_server_options *options, em_server **out, em_error *err)
{
    em_server *server = calloc(1, sizeof *server);
    if (!server) {
        close(options->listener);
        return em_fail(err, EM_E_NOMEM, "out of memory");
    }
    server->options = *options;
    server->commented_ms = em_monotonic_ms();
    pthread_mutex_init(&server->lock, NULL);
    em_condition_init(&server->done);
    *out = server; /* handlers may ask for it at once */
    em_status status = start(server, err);
    if (status == EM_OK)
        return EM_OK;
    *out = NULL;
    close(options->listener);
    server_free(server);
    return status;
}

/* ---- From time to time ---------------------------------------------------------------------- */

/* The streams that are open, with a reference to each, and whether their clients have gone; the
 * caller's. NULL when there are none, or memory ran out. */
typedef struct seen {
    em_stream *stream;
    bool gone, unsure; /* the second: it sends no more, and may have gone */
} seen;

static seen *see_flows(em_server *server, size_t *count)
{
    pthread_mutex_lock(&server->lock);
    *count = 0;
    seen *streams = server->flow_count > 0 ? calloc(server->flow_count, sizeof *streams) : NULL;
    for (flow *f = streams ? server->flows : NULL; f; f = f->next) {
        if (!em_stream_is_open(f->stream))
            em_connection_ends(server->connections, f->watched);
        streams[(*count)++] = (seen){em_stream_keep(f->stream), has_gone(f->watched->fd, 0),
                                     sends_no_more(f->watched->fd)};
    }
    pthread_mutex_unlock(&server->lock);
    return streams;
}

static void visit_flows(em_server *server, bool comment, bool leave)
{
    size_t count;
    seen *streams = see_flows(server, &count);
    for (size_t i = 0; i < count; i++) {
        if (streams[i].gone || leave)
            em_stream_leave(streams[i].stream);
        else if (comment || streams[i].unsure)
            em_stream_comment(streams[i].stream);
        em_stream_release(streams[i].stream);
    }
    free(streams);
}

void em_server_tick(em_server *server)
{
    int64_t now = em_monotonic_ms();
    bool comment = now - server->commented_ms >= server->options.comment_ms;
    if (comment)
        server->commented_ms = now;
    em_connections_tick(server->connections);
    visit_flows(server, comment, false);
}

size_t em_server_connections(em_server *server)
{
    return em_connections_count(server->connections);
}

size_t em_server_streams(em_server *server)
{
    pthread_mutex_lock(&server->lock);
    size_t count = server->flow_count;
    pthread_mutex_unlock(&server->lock);
    return count;
}

size_t em_server_running(em_server *server)
{
    pthread_mutex_lock(&server->lock);
    size_t count = server->running;
    pthread_mutex_unlock(&server->lock);
    return count;
}

uint64_t em_server_body_bytes(const em_server *server)
{
    return server->collected;
}

/* ---- Ending --------------------------------------------------------------------------------- */

void em_server_close(em_server *server)
{
    pthread_mutex_lock(&server->lock);
    server->closing = true;
    pthread_mutex_unlock(&server->lock);
    MHD_quiesce_daemon(server->daemon);
    /* Nobody gets through from now on; it is closed when the thread that may still look at it has
     * ended, lest that meet another file of its number. */
    shutdown(server->options.listener, SHUT_RDWR);
}

/* Wait for what `count` counts to be none, but at most `ms` (-1: as long as it takes). */
static void wait_for_none(em_server *server, const size_t *count, long ms)
{
    int64_t until = em_monotonic_ms() + ms;
    bool has_time = true;
    pthread_mutex_lock(&server->lock);
    while (*count > 0 && has_time) {
        if (ms < 0)
            pthread_cond_wait(&server->done, &server->lock);
        else
            has_time = em_condition_wait_until(&server->done, &server->lock, until);
    }
    pthread_mutex_unlock(&server->lock);
}

void em_server_stop(em_server *server)
{
    wait_for_none(server, &server->working, -1);
    wait_for_none(server, &server->open, LAST_WORDS_MS);
    visit_flows(server, false, true);
    MHD_stop_daemon(server->daemon);
    close(server->options.listener);
    server_free(server);
}
