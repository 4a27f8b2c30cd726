/* server.h: HTTP over a socket that listens: connections, requests, answers.
 *
 * Only its files (server_impl.h) know libmicrohttpd. One thread hears all connections and never
 * works; workers (workers.h) run the handlers, and the connection sleeps meanwhile.
 *
 *   headers there   checked (access.h), its route found; what is refused is answered at once, its
 *                   body is never read, and the connection is closed
 *   body there      a worker calls the handler
 *   reply there     the connection is woken, and the answer goes out as fast as the client reads
 *
 * A connection that sleeps does not notice that its client leaves: em_server_tick() looks, and a
 * handler that wants to know asks (em_exchange_is_gone).
 */
#ifndef EM_HTTP_SERVER_H
#define EM_HTTP_SERVER_H

#include "http/access.h"
#include "http/metrics.h"
#include "http/workers.h"

typedef struct em_server em_server;

/* All of it is borrowed but the listener. */
typedef struct em_server_options {
    int listener; /* a socket that listens; closed by em_server_stop(), or where starting fails */
    const em_access *access;
    const em_routes *routes;
    size_t route_sets;
    em_workers *workers;
    em_metrics *metrics;
    uint64_t most;      /* bytes of a body, where its length is not told beforehand */
    size_t connections; /* at most */
    long patience_ms;   /* what a client may take for a request, or for an answer */
    long comment_ms;    /* how often a stream of events with nothing to tell says so */
} em_server_options;

/* Begin to listen. The caller's: em_server_stop(). EM_E_NOMEM, EM_E_IO. */
em_status em_server_start(const em_server_options *options, em_server **out, em_error *err);

/* To be called about once a second. */
void em_server_tick(em_server *server);

/* No new connections, and no new requests on old ones (503). Handlers that run go on. */
void em_server_close(em_server *server);

/* After that: wait until all handlers are done and what they replied is sent, but for clients that
 * do not read; then end all streams and connections. */
void em_server_stop(em_server *server);

size_t em_server_connections(em_server *server);
size_t em_server_streams(em_server *server);

/* Requests whose handler is not done. */
size_t em_server_running(em_server *server);

/* How much of their bodies is held. */
uint64_t em_server_body_bytes(const em_server *server);

#endif
