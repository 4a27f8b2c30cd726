/* service.h: all of the HTTP server, put together.
 *
 *   /mcp               the protocol (endpoint.h)
 *   /healthz           "ok", for anybody
 *   /metrics           numbers (metrics.h), for who has the token or the page's cookie
 *   /api/login         takes the token, gives the page its cookie
 *   /api/logout        takes it back
 *   further routes     of whoever else offers something: the page
 */
#ifndef EM_HTTP_SERVICE_H
#define EM_HTTP_SERVICE_H

#include "http/listen.h"
#include "http/peers.h"
#include "http/routes.h"

typedef struct em_service em_service;

/* Where nothing else is said. */
enum {
    EM_DEFAULT_SESSIONS = 256,
    EM_DEFAULT_SESSION_IDLE_MS = 3600 * 1000,
    EM_DEFAULT_PATIENCE_MS = 60 * 1000,
};

/* All of it is borrowed but the listener. */
typedef struct em_service_options {
    em_listener listener;
    const char *const *tokens;            /* none: no token is needed */
    size_t token_count, page_token_count; /* as in em_access_options */
    const char *const *hosts;             /* further names that it answers to */
    size_t host_count;
    const em_toolset *tools;
    unsigned flags; /* of em_mcp_new */
    em_approvals *approvals;
    const em_routes *routes; /* further ones */
    size_t route_sets;
    em_session *(*open)(void *context);                         /* as in em_peers_options */
    void (*called)(void *context, const em_mcp_called *called); /* told of every call, too; NULL */
    void (*log)(void *context, const char *sentence);
    void *context;
    size_t sessions;    /* at most; 0: EM_DEFAULT_SESSIONS */
    long idle_ms;       /* after which a session ends; 0: EM_DEFAULT_SESSION_IDLE_MS */
    long patience_ms;   /* for a client's steps; 0: EM_DEFAULT_PATIENCE_MS */
    uint64_t most;      /* bytes of a message */
    size_t descriptors; /* that may be open: em_raise_descriptor_limit() */
} em_service_options;

/* Begin. All walls must stand: threads are made here. *out is the caller's: em_service_stop().
 * EM_E_NOMEM, EM_E_IO. */
em_status em_service_start(const em_service_options *options, em_service **out, em_error *err);

/* To be called about once a second. */
void em_service_tick(em_service *service);

/* No more requests; changes that wait for a person are gone, streams end with their answer. What
 * runs is finished, and the listener is closed. */
void em_service_stop(em_service *service);

#endif
