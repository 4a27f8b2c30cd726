/* endpoint.h: the Model Context Protocol over HTTP (Streamable HTTP), at one path, in both eras.
 *
 *   POST    a message, or with 2025-03-26 several. Requests are answered with JSON, or with a
 *           stream of events where something else comes before the answer; what is no request,
 *           with 202
 *   GET     a stream of what no request asked for, or, with Last-Event-ID, the rest of one that
 *           broke; for sessions of the handshake
 *   DELETE  the end of such a session
 *
 * What is in a message is for serve/mcp.h to know. This checks what the transport adds: headers
 * against the body, sessions, and which status goes with which answer. A client of the stateless
 * era that closes its connection takes its request back; one of the handshake does not.
 */
#ifndef EM_HTTP_ENDPOINT_H
#define EM_HTTP_ENDPOINT_H

#include "http/peers.h"
#include "http/subscriptions.h"

typedef struct em_endpoint {
    em_workers *workers;
    em_peers *peers;
    em_subscriptions *subscriptions;
    void (*log)(void *context, const char *sentence);
    void *log_context;
} em_endpoint;

/* Its routes, "/mcp"; their context is the em_endpoint. */
extern const em_route em_endpoint_routes[];

#endif
