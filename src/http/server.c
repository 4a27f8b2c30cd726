/* server.c: libmicrohttpd's callbacks, and what becomes of a request between them; how the server
 * starts and ends.
 */
#include "http/server_impl.h"

#include "base/clock.h"
#include "base/thread.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    POOL = 32 << 10,      /* bytes of memory for a connection: headers, and pieces of bodies */
    LAST_WORDS_MS = 2000, /* so long clients may take to read when the server ends */
    STAYING_SHARE = 2,    /* one in so many connections may be a stream that stays open */
    OWN_LIMIT_S = 3600,   /* of a connection that sleeps; it is counted from when that is woken */
};

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

static void turn_free(em_turn *t)
{
    t->server->collected -= t->counted;
    em_exchange_free(t->exchange);
    free(t);
}

static void turn_release(em_turn *t)
{
    pthread_mutex_lock(&t->server->lock);
    bool last = --t->holders == 0;
    pthread_mutex_unlock(&t->server->lock);
    if (last)
        turn_free(t);
}

/* The reply is there: let the connection go on. Called once. */
static void wake(em_turn *t)
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
static void handler_release(em_turn *t)
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
    em_turn *t = exchange->owner;
    if (exchange->reply.status == 0)
        em_reply_error(exchange, 500, "internal", "nothing was answered");
    pthread_mutex_lock(&t->server->lock);
    t->server->running--; /* before the client can know */
    pthread_mutex_unlock(&t->server->lock);
    if (!t->replied)
        wake(t);
    handler_release(t);
}

/* ---- Handlers ------------------------------------------------------------------------------- */

static bool is_late(em_exchange *exchange)
{
    const em_turn *t = exchange->owner;
    return t->server->closing;
}

static bool may_stay(em_exchange *exchange)
{
    em_turn *t = exchange->owner;
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
    em_turn *t = (em_turn *)job;
    em_exchange *exchange = t->exchange;
    t->found.route->run(t->found.context, exchange);
    if (!exchange->later)
        done_with(exchange);
    handler_release(t);
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
static enum MHD_Result queue_reply(em_turn *t, bool close)
{
    em_server *server = t->server;
    const em_http_reply *reply = &t->exchange->reply;
    size_t sent = t->exchange->method == EM_HTTP_HEAD ? 0 : reply->body.len;
    struct MHD_Response *response =
        reply->stream
            ? em_turn_stream_response(t)
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

static enum MHD_Result refuse(em_turn *t)
{
    em_metrics_refused(t->server->options.metrics, t->why);
    t->replied = true;
    return queue_reply(t, true);
}

static enum MHD_Result refuse_now(em_turn *t)
{
    t->why = "closing";
    em_reply_error(t->exchange, 503, t->why, "the server is about to end");
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
    em_turn *t = calloc(1, sizeof *t);
    em_exchange *exchange = t ? em_exchange_new() : NULL;
    if (!exchange) {
        free(t);
        return NULL;
    }
    *t = (em_turn){.job = {.run = run_handler},
                   .server = server,
                   .exchange = exchange,
                   .connection = connection,
                   .watched =
                       info_of(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context,
                   .fd = info_of(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd,
                   .target = em_slice_of(target),
                   .target_problem = EM_ERROR_INIT,
                   .holders = 1};
    exchange->owner = t;
    exchange->begin = begin_reply;
    exchange->done = done_with;
    exchange->is_gone = em_turn_is_gone;
    exchange->is_late = is_late;
    exchange->may_stay = may_stay;
    t->target_fits = em_exchange_set_target(exchange, target, &t->target_problem) == EM_OK;
    pthread_mutex_lock(&server->lock);
    server->open++;
    pthread_mutex_unlock(&server->lock);
    return t;
}

/* All that can be said before the body is read. */
static enum MHD_Result begin(em_turn *t, const char *method, const char *version)
{
    if (!em_turn_check(t, method, version))
        return refuse(t);
    em_connection_sends(t->server->connections, t->watched);
    return MHD_YES;
}

static enum MHD_Result refuse_body(em_turn *t)
{
    em_turn_refuse_body(t);
    return refuse(t);
}

static enum MHD_Result hand_over(em_turn *t)
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
    em_turn *t = *state;
    (void)context, (void)url;
    if (!t || !t->watched)
        return MHD_NO;
    if (!t->begun) {
        t->begun = true;
        return begin(t, method, version);
    }
    if (*upload_size > 0) {
        em_turn_collect(t, upload, *upload_size);
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
    em_turn *t = *state;
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

void em_server_tick(em_server *server)
{
    int64_t now = em_monotonic_ms();
    bool comment = now - server->commented_ms >= server->options.comment_ms;
    if (comment)
        server->commented_ms = now;
    em_connections_tick(server->connections);
    em_server_visit_streams(server, comment, false);
}

size_t em_server_connections(em_server *server)
{
    return em_connections_count(server->connections);
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
    em_server_visit_streams(server, false, true);
    MHD_stop_daemon(server->daemon);
    close(server->options.listener);
    server_free(server);
}
