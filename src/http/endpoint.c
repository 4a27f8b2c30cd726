/* endpoint.c: which message of which era it is, whose session it is for, and how it is answered.
 *
 * What can be said at once is replied in the handler. A request that must run is handed to its
 * peer's strand, and travels there with all that sending its answer needs.
 */
#include "http/endpoint.h"

#include "http/header_value.h"
#include "serve/mcp_era.h"

#include <stdlib.h>

#define VERSION_FIELD "MCP-Protocol-Version"
#define SESSION_FIELD "Mcp-Session-Id"

/* When who found no room may come again, and what it is told. */
#define RETRY_S "10"
#define NO_ROOM "too many streams are open already"

/* ---- Replies -------------------------------------------------------------------------------- */

/* Takes over the message; NULL is what memory ran out for. */
static void reply_message(em_exchange *exchange, int status, json_t *message)
{
    em_reply_json(exchange, status, message);
}

/* The status that goes with an answer of the stateless era. */
static int status_of(const json_t *answer)
{
    const json_t *error = json_object_get(answer, "error");
    switch (json_integer_value(json_object_get(error, "code"))) {
    case EM_RPC_METHOD_NOT_FOUND:
        return 404;
    case EM_RPC_PARSE_ERROR:
    case EM_RPC_INVALID_REQUEST:
    case EM_MCP_HEADER_MISMATCH:
    case EM_MCP_MISSING_CAPABILITY:
    case EM_MCP_UNSUPPORTED_VERSION:
        return 400;
    default:
        return 200;
    }
}

/* Does it say by its headers that there was a handshake before? */
static bool follows_handshake(const em_exchange *exchange)
{
    const char *version = em_exchange_field(exchange, VERSION_FIELD);
    em_mcp_era era = version ? em_mcp_era_of(version) : EM_MCP_ERA_NONE;
    return era == EM_MCP_ERA_HANDSHAKE ||
           (era == EM_MCP_ERA_NONE && em_exchange_field(exchange, SESSION_FIELD));
}

/* An error about the message, where it can be said whose: after a handshake there is a null where
 * it cannot, unless the message says that it belongs to none. */
static void refuse(em_exchange *exchange, int status, const em_rpc_message *message, int code,
                   const char *problem)
{
    json_t *id = message ? message->id : NULL;
    bool has_version = message && em_mcp_is_stateless(message);
    if (!id && !has_version && follows_handshake(exchange))
        id = json_null();
    reply_message(exchange, status, em_rpc_error(id, code, problem, NULL));
}

static void refuse_batch(em_exchange *exchange)
{
    refuse(exchange, 400, NULL, EM_RPC_INVALID_REQUEST,
           "batches are only part of protocol version 2025-03-26");
}

/* ---- A request on its way ------------------------------------------------------------------- */

typedef struct request {
    em_job job;
    const em_endpoint *endpoint;
    em_exchange *exchange;
    em_peer *peer; /* held */
    em_rpc_line *line;
    bool begins;               /* the session, with the handshake */
    em_peer_request flights[]; /* one for each of the line's messages */
} request;

/* What travels with it while it runs. */
typedef struct travel {
    request *request;
    em_rpc_line *line;
    bool stateless;
    em_stream *stream; /* the answer is one */
    uint64_t lane;     /* of the peer's channel, where it has one */
    size_t seen;       /* of the peer's cancels */
    bool answered;
} travel;

static bool is_answer(const json_t *message)
{
    return json_is_array(message) || json_object_get(message, "result") ||
           json_object_get(message, "error");
}

static void send_event(travel *t, em_slice text)
{
    if (t->lane)
        em_channel_send(t->request->peer->channel, t->lane, text);
    else
        em_stream_event(t->stream, NULL, NULL, text);
}

/* Turn the answer into a stream. False where the client wants none. */
static bool begin_stream(travel *t)
{
    em_exchange *exchange = t->request->exchange;
    em_peer *peer = t->request->peer;
    const char *accept = em_exchange_field(exchange, "Accept");
    if (t->stream)
        return true;
    if (!accept || !em_exchange_accepts(exchange, "text/event-stream"))
        return false;
    t->stream = em_reply_stream(exchange);
    if (t->stream && peer->channel)
        t->lane = em_channel_open(peer->channel, t->stream, peer->primes);
    if (!t->stream)
        return false;
    em_reply_begin(exchange);
    return true;
}

/* What the server says by the way, where this request's answer cannot carry it. */
static void send_beside(const travel *t, em_slice text)
{
    if (t->request->peer->channel)
        em_channel_send(t->request->peer->channel, EM_LANE_ALONE, text);
}

static void note_session(travel *t, const json_t *message)
{
    request *r = t->request;
    const json_t *result = json_object_get(message, "result");
    const em_mcp_revision *revision =
        em_mcp_revision_of(json_object_get(result, "protocolVersion"));
    if (!r->begins || !revision)
        return;
    r->begins = false;
    r->peer->primes = revision->primes_streams;
    em_reply_field(r->exchange, SESSION_FIELD, r->peer->id);
}

/* An error whose status matters is told by that, and so as JSON whatever the client takes. */
static void send_answer(travel *t, const json_t *message, em_slice text)
{
    em_exchange *exchange = t->request->exchange;
    int status = t->stateless ? status_of(message) : 200;
    bool takes_json = status != 200 || em_exchange_accepts(exchange, "application/json");
    t->answered = true;
    if (!t->stateless && !t->stream)
        note_session(t, message);
    if (t->stream || (!takes_json && begin_stream(t)))
        send_event(t, text);
    else
        em_reply_bytes(exchange, status, "application/json", text);
}

static bool send_message(void *context, const json_t *message)
{
    travel *t = context;
    EM_AUTO(em_strbuf) text = {0};
    em_json_write(message, 0, &text);
    if (text.failed)
        return false;
    if (is_answer(message))
        send_answer(t, message, em_strbuf_slice(&text));
    else if (begin_stream(t))
        send_event(t, em_strbuf_slice(&text));
    else
        send_beside(t, em_strbuf_slice(&text));
    return true;
}

/* Called around each message of a batch, so what nothing has changed in is not gone through. */
static void look(void *context)
{
    travel *t = context;
    bool gone = t->stateless && em_exchange_is_gone(t->request->exchange);
    size_t cancels = t->request->peer->cancels;
    if (!gone && cancels == t->seen)
        return;
    t->seen = cancels;
    for (size_t i = 0; i < t->line->count; i++)
        if (gone || t->request->flights[i].cancelled)
            t->line->messages[i].cancelled = true;
}

static void log_sentence(void *context, const char *sentence)
{
    const em_endpoint *endpoint = ((travel *)context)->request->endpoint;
    endpoint->log(endpoint->log_context, sentence);
}

static void pause_strand(void *context)
{
    const request *r = ((travel *)context)->request;
    em_workers_pause(r->endpoint->workers, &r->peer->strand);
}

static void resume_strand(void *context)
{
    const request *r = ((travel *)context)->request;
    em_workers_resume(r->endpoint->workers, &r->peer->strand);
}

static void end_stream(travel *t)
{
    if (!t->stream)
        return;
    if (t->lane)
        em_channel_close(t->request->peer->channel, t->lane);
    em_stream_end(t->stream);
    em_stream_release(t->stream);
}

/* ---- Running it ----------------------------------------------------------------------------- */

static void request_end(request *r)
{
    em_peer *peer = r->peer;
    em_exchange *exchange = r->exchange;
    for (size_t i = 0; i < r->line->count; i++)
        em_peer_land(peer, &r->flights[i]);
    if (r->begins)
        em_peer_end(peer); /* the handshake failed: nobody knows of the session */
    em_rpc_line_free(r->line);
    free(r);
    em_peer_release(peer);
    em_reply_done(exchange); /* the last: who has the answer finds everything as it says */
}

static void run_request(em_job *job)
{
    request *r = (request *)job;
    if (em_exchange_is_late(r->exchange)) {
        refuse(r->exchange, 503, r->line->is_batch ? NULL : &r->line->messages[0],
               EM_RPC_INTERNAL_ERROR, "the server is about to end, so this was not run");
        request_end(r);
        return;
    }
    travel t = {.request = r, .line = r->line, .stateless = !r->peer->channel, .seen = SIZE_MAX};
    const em_link link = {.context = &t,
                          .scope = r->exchange->scope,
                          .send = send_message,
                          .look = look,
                          .log = log_sentence,
                          .pause = pause_strand,
                          .resume = resume_strand};
    bool has_memory = em_mcp_handle(r->peer->mcp, r->line, &link);
    em_peer_note_due(r->peer);
    end_stream(&t);
    if (!has_memory && !t.stream)
        em_reply_json(r->exchange, 500, NULL);
    else if (!t.answered && !t.stream)
        em_reply_empty(r->exchange, 202); /* it was taken back */
    request_end(r);
}

/* Let the peer, which is held, do what the line asks for. Takes over the line. */
static void hand_over(const em_endpoint *endpoint, em_exchange *exchange, em_peer *peer,
                      em_rpc_line *line, bool begins)
{
    request *r = calloc(1, sizeof *r + line->count * sizeof r->flights[0]);
    if (!r) {
        if (begins)
            em_peer_end(peer);
        em_rpc_line_free(line);
        em_peer_release(peer);
        em_reply_json(exchange, 500, NULL);
        return;
    }
    r->job.run = run_request;
    r->endpoint = endpoint;
    r->exchange = exchange;
    r->peer = peer;
    r->line = line;
    r->begins = begins;
    for (size_t i = 0; i < line->count; i++) {
        r->flights[i].id = line->messages[i].id;
        em_peer_depart(peer, &r->flights[i]);
    }
    em_reply_later(exchange);
    em_workers_add(endpoint->workers, &peer->strand, &r->job);
}

/* ---- The stateless era ---------------------------------------------------------------------- */

/* Is the header there, once, and says what the body says? Else the reply is there. */
static bool check_header(em_exchange *exchange, const em_rpc_message *message, const char *name,
                         const json_t *expected)
{
    const char *given = em_exchange_field(exchange, name);
    EM_AUTO(em_strbuf) value = {0};
    EM_AUTO(em_strbuf) problem = {0};
    if (!given)
        em_strbuf_printf(&problem, "the header %s is missing", name);
    else if (em_exchange_field_count(exchange, name) > 1)
        em_strbuf_printf(&problem, "the header %s comes twice", name);
    else if (!em_header_value_decode(em_slice_of(given), &value))
        em_strbuf_printf(&problem, "the header %s is broken", name);
    else if (!em_slice_eq(em_strbuf_slice(&value), em_json_slice(expected)))
        em_strbuf_printf(&problem, "the header %s is not what the body says", name);
    else if (!value.failed)
        return true;
    em_strbuf_putc(&problem, '\0');
    refuse(exchange, 400, message, EM_MCP_HEADER_MISMATCH,
           problem.failed ? "out of memory" : problem.ptr);
    return false;
}

/* Where the body names no tool, that is what is wrong, unless the header names one. */
static bool check_name(em_exchange *exchange, const em_rpc_message *message)
{
    const json_t *name = json_object_get(message->params, "name");
    bool is_named = json_is_string(name) || em_exchange_field(exchange, "Mcp-Name");
    return !em_json_is(message->method, "tools/call") || !is_named ||
           check_header(exchange, message, "Mcp-Name", name);
}

static bool check_if_given(em_exchange *exchange, const em_rpc_message *message, const char *name,
                           const json_t *expected)
{
    return !em_exchange_field(exchange, name) || check_header(exchange, message, name, expected);
}

/* A notification need not say by headers what a request must, nor name its version in the body; but
 * the two must not contradict each other. Clients of the stateless era send the version alone. */
static bool check_notification(em_exchange *exchange, const em_rpc_message *message)
{
    const json_t *version = em_mcp_version_named(message);
    return (!version || check_if_given(exchange, message, VERSION_FIELD, version)) &&
           check_if_given(exchange, message, "Mcp-Method", message->method);
}

static bool check_stateless(em_exchange *exchange, const em_rpc_message *message)
{
    json_t *answer = NULL;
    if (!em_mcp_is_stateless(message)) {
        refuse(exchange, 400, message, EM_RPC_INVALID_PARAMS,
               "params._meta[\"io.modelcontextprotocol/protocolVersion\"] is missing");
        return false;
    }
    if (!check_header(exchange, message, VERSION_FIELD, em_mcp_version_named(message)))
        return false;
    if (!em_mcp_check_stateless(message, &answer)) {
        reply_message(exchange, 400, answer);
        return false;
    }
    return check_header(exchange, message, "Mcp-Method", message->method) &&
           check_name(exchange, message);
}

static void post_listen(const em_endpoint *endpoint, em_exchange *exchange,
                        const em_rpc_message *message)
{
    if (!em_exchange_may_stay(exchange)) {
        em_reply_field(exchange, "Retry-After", RETRY_S);
        refuse(exchange, 503, message, EM_RPC_INTERNAL_ERROR, NO_ROOM);
        return;
    }
    json_t *problem = em_subscriptions_open(endpoint->subscriptions, message, exchange);
    if (problem)
        reply_message(exchange, status_of(problem), problem);
}

static void post_stateless(const em_endpoint *endpoint, em_exchange *exchange, em_rpc_line *line)
{
    const em_rpc_message *message = &line->messages[0];
    if (line->is_batch) {
        refuse_batch(exchange);
    } else if (message->kind == EM_RPC_NOTIFICATION) {
        if (check_notification(exchange, message))
            em_reply_empty(exchange, 202);
    } else if (message->kind != EM_RPC_REQUEST) {
        refuse(exchange, 400, message, EM_RPC_INVALID_REQUEST, "nothing was asked for");
    } else if (!check_stateless(exchange, message)) {
        ; /* which has been replied */
    } else if (em_json_is(message->method, "subscriptions/listen")) {
        post_listen(endpoint, exchange, message);
    } else {
        const json_t *arguments = json_object_get(message->params, "arguments");
        const char *session = json_string_value(json_object_get(arguments, "session"));
        hand_over(endpoint, exchange, em_peers_take(endpoint->peers, session), line, false);
        return;
    }
    em_rpc_line_free(line);
}

/* ---- The era of the handshake --------------------------------------------------------------- */

static bool asks_for(const em_rpc_message *message, const char *method)
{
    return message->kind == EM_RPC_REQUEST && em_json_is(message->method, method);
}

static void refuse_version(em_exchange *exchange, const em_rpc_message *message)
{
    EM_AUTO(em_strbuf) problem = {0};
    em_strbuf_puts(&problem, VERSION_FIELD " names a version that this server does not have; "
                                           "versions with a handshake are");
    for (const em_mcp_revision *one = em_mcp_revisions; one->name; one++)
        if (!one->is_stateless)
            em_strbuf_printf(&problem, " %s", one->name);
    em_strbuf_putc(&problem, '\0');
    refuse(exchange, 400, message, EM_RPC_INVALID_REQUEST,
           problem.failed ? "out of memory" : problem.ptr);
}

/* The session that the request names, held; NULL with the reply. `ping` may come before there is
 * one, and is answered by whoever has time. */
static em_peer *find_session(const em_endpoint *endpoint, em_exchange *exchange,
                             const em_rpc_message *message)
{
    const char *version = em_exchange_field(exchange, VERSION_FIELD);
    const char *id = em_exchange_field(exchange, SESSION_FIELD);
    if (version && em_mcp_era_of(version) != EM_MCP_ERA_HANDSHAKE) {
        refuse_version(exchange, message);
        return NULL;
    }
    if (!id && message && asks_for(message, "ping"))
        return em_peers_take(endpoint->peers, NULL);
    if (!id || em_exchange_field_count(exchange, SESSION_FIELD) > 1) {
        refuse(exchange, 400, message, EM_RPC_INVALID_PARAMS,
               "No protocol version: send initialize first, and its " SESSION_FIELD
               " with what follows, or name it in "
               "params._meta[\"io.modelcontextprotocol/protocolVersion\"]");
        return NULL;
    }
    em_peer *peer = em_peers_find(endpoint->peers, id, exchange->principal);
    if (!peer)
        refuse(exchange, 404, message, EM_RPC_INVALID_REQUEST,
               "there is no such session (any more): send initialize");
    return peer;
}

/* Notifications and answers need no turn: a request that they are about may run now. Returns
 * whether there are requests, too. */
static bool take_in(em_peer *peer, em_rpc_line *line)
{
    bool asks = false;
    for (size_t i = 0; i < line->count; i++) {
        em_rpc_message *message = &line->messages[i];
        const json_t *cancelled = em_mcp_cancels(message);
        if (cancelled)
            em_peer_cancel(peer, cancelled);
        else if (message->kind == EM_RPC_RESPONSE)
            em_mcp_respond(peer->mcp, message);
        asks = asks || message->kind == EM_RPC_REQUEST || message->kind == EM_RPC_INVALID;
    }
    return asks;
}

static void post_in_session(const em_endpoint *endpoint, em_exchange *exchange, em_rpc_line *line)
{
    em_peer *peer = find_session(endpoint, exchange, line->is_batch ? NULL : &line->messages[0]);
    bool is_understood = peer && (!line->is_batch || em_mcp_takes_batches(peer->mcp));
    if (is_understood && take_in(peer, line)) {
        hand_over(endpoint, exchange, peer, line, false);
        return;
    }
    if (is_understood)
        em_reply_empty(exchange, 202);
    else if (peer)
        refuse_batch(exchange);
    if (peer)
        em_peer_release(peer);
    em_rpc_line_free(line);
}

static void post_initialize(const em_endpoint *endpoint, em_exchange *exchange, em_rpc_line *line)
{
    json_t *problem = NULL;
    if (!em_mcp_check_initialize(&line->messages[0], &problem)) {
        reply_message(exchange, 200, problem); /* before another session makes room for it */
        em_rpc_line_free(line);
        return;
    }
    em_peer *peer = em_peers_begin(endpoint->peers, exchange->principal);
    if (peer) {
        hand_over(endpoint, exchange, peer, line, true);
        return;
    }
    em_reply_field(exchange, "Retry-After", RETRY_S);
    refuse(exchange, 503, &line->messages[0], EM_RPC_INTERNAL_ERROR,
           "no session can be begun now (--sessions)");
    em_rpc_line_free(line);
}

/* ---- Methods -------------------------------------------------------------------------------- */

/* server/discover belongs to no handshake, whatever session the headers name. */
static bool is_stateless(const em_exchange *exchange, const em_rpc_line *line)
{
    const char *version = em_exchange_field(exchange, VERSION_FIELD);
    const em_rpc_message *message = &line->messages[0];
    return (version && em_mcp_era_of(version) == EM_MCP_ERA_STATELESS) ||
           (!line->is_batch &&
            (em_mcp_is_stateless(message) || em_json_is(message->method, "server/discover")));
}

static void post(void *context, em_exchange *exchange)
{
    const em_endpoint *endpoint = context;
    if (!em_exchange_accepts(exchange, "application/json") &&
        !em_exchange_accepts(exchange, "text/event-stream")) {
        em_reply_error(exchange, 406, "accept",
                       "Accept must let application/json and text/event-stream through");
        return;
    }
    em_rpc_line *line = em_rpc_read(em_strbuf_slice(&exchange->body));
    if (!line) {
        em_reply_json(exchange, 500, NULL);
    } else if (!line->is_batch && line->messages[0].kind == EM_RPC_INVALID) {
        refuse(exchange, 400, &line->messages[0], line->messages[0].code,
               line->messages[0].problem);
        em_rpc_line_free(line);
    } else if (is_stateless(exchange, line)) {
        post_stateless(endpoint, exchange, line);
    } else if (!line->is_batch && asks_for(&line->messages[0], "initialize")) {
        post_initialize(endpoint, exchange, line);
    } else {
        post_in_session(endpoint, exchange, line);
    }
}

/* GET and DELETE are of the handshake era. */
static bool is_of_handshake(em_exchange *exchange)
{
    const char *version = em_exchange_field(exchange, VERSION_FIELD);
    if (!version || em_mcp_era_of(version) != EM_MCP_ERA_STATELESS)
        return true;
    em_reply_field(exchange, "Allow", "POST");
    em_reply_error(exchange, 405, "method", "this revision of the protocol has POST alone");
    return false;
}

static void listen_to(em_exchange *exchange, em_peer *peer)
{
    const char *last_id = em_exchange_field(exchange, "Last-Event-ID");
    if (!em_exchange_may_stay(exchange)) {
        em_reply_field(exchange, "Retry-After", RETRY_S);
        em_reply_error(exchange, 503, "busy", NO_ROOM);
        return;
    }
    em_stream *stream = em_reply_stream(exchange);
    if (!stream)
        return;
    if (!last_id)
        em_channel_listen(peer->channel, stream, peer->primes);
    else if (em_channel_resume(peer->channel, last_id, stream) != EM_OK)
        em_reply_error(exchange, 404, "event", "there was never an event of that id");
    em_stream_release(stream);
}

static void get(void *context, em_exchange *exchange)
{
    const em_endpoint *endpoint = context;
    if (!is_of_handshake(exchange))
        return;
    if (!em_exchange_field(exchange, "Accept") ||
        !em_exchange_accepts(exchange, "text/event-stream")) {
        em_reply_error(exchange, 406, "accept", "Accept must let text/event-stream through");
        return;
    }
    em_peer *peer = find_session(endpoint, exchange, NULL);
    if (!peer)
        return;
    listen_to(exchange, peer);
    em_peer_release(peer);
}

static void end(void *context, em_exchange *exchange)
{
    const em_endpoint *endpoint = context;
    em_peer *peer = is_of_handshake(exchange) ? find_session(endpoint, exchange, NULL) : NULL;
    if (!peer)
        return;
    em_peer_end(peer);
    em_peer_release(peer);
    em_reply_empty(exchange, 204);
}

const em_route em_endpoint_routes[] = {
    {EM_HTTP_POST, "/mcp", 0, post},
    {EM_HTTP_GET, "/mcp", EM_ROUTE_STREAM, get},
    {EM_HTTP_DELETE, "/mcp", 0, end},
    {EM_HTTP_OTHER, NULL, 0, NULL},
};
