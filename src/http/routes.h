/* routes.h: which handler answers which request.
 *
 * A route is a row; who offers something hands a table of rows, and a context for their handlers,
 * to the server. The first row that fits answers.
 */
#ifndef EM_HTTP_ROUTES_H
#define EM_HTTP_ROUTES_H

#include "http/exchange.h"

/* Answer the request. Called by workers, several at once; see exchange.h for what holds. */
typedef void em_route_handler(void *context, em_exchange *exchange);

/* A route wants the token as a bearer (Authorization), unless: */
enum {
    EM_ROUTE_OPEN = 1,    /* anybody may ask: it shows nothing of the files */
    EM_ROUTE_COOKIE = 2,  /* the page's cookie does too */
    EM_ROUTE_BENEATH = 4, /* `path` ends in '/': all beneath it, too */
    EM_ROUTE_PAGE = 8,    /* it is the page's, as is what takes its cookie: a token for MCP clients
                             alone does not do */
    EM_ROUTE_STREAM =
        16, /* it answers with a stream, which has no head before it begins: no HEAD */
};

/* A table of these ends with one whose path is NULL. POST wants application/json. */
typedef struct em_route {
    em_http_method method; /* EM_HTTP_GET answers HEAD too, but for streams */
    const char *path;
    unsigned flags;
    em_route_handler *run;
} em_route;

typedef struct em_routes {
    const em_route *table;
    void *context; /* handed to its handlers */
} em_routes;

/* What a request leads to. */
typedef struct em_route_found {
    const em_route *route; /* NULL: there is none */
    void *context;
    unsigned allowed; /* where only the method is wrong: a bit (1 << method) for each that is
                         answered; 0: nothing is at this path */
} em_route_found;

/* Find the route of `method` and `path` in `sets`. */
em_route_found em_routes_find(const em_routes *sets, size_t set_count, em_http_method method,
                              const char *path);

/* The methods of such bits, "GET, POST"; at least 64 bytes in `out`. */
void em_routes_list_methods(unsigned allowed, char out[static 64]);

#endif
