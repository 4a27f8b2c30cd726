/* service.c: puts the parts of the server together, and takes them apart in the order in which they
 * need each other. */
#include "http/service.h"

#include "http/endpoint.h"
#include "http/server.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    COMMENT_MS = 15 * 1000, /* between comments in streams */
    SUBSCRIPTIONS = 1024,
    LEAST_WORKERS = 4,
    OWN_ROUTES = 2,
    MOST_CONNECTIONS = 50000,
};

struct em_service {
    em_service_options options;
    em_access *access;
    em_metrics *metrics;
    em_workers *workers;
    em_peers *peers;
    em_subscriptions *subscriptions;
    em_endpoint endpoint;
    em_routes *routes;
    em_server *server;
};

/* ---- Small routes --------------------------------------------------------------------------- */

static void health(void *context, em_exchange *exchange)
{
    (void)context;
    em_reply_static(exchange, 200, "text/plain; charset=utf-8", EM_LIT("ok\n"));
}

static void metrics(void *context, em_exchange *exchange)
{
    em_service *service = context;
    EM_AUTO(em_strbuf) text = {0};
    const em_gauges gauges = {.connections = em_server_connections(service->server),
                              .running = em_server_running(service->server),
                              .body_bytes = em_server_body_bytes(service->server),
                              .streams = em_server_streams(service->server),
                              .sessions = em_peers_count(service->peers)};
    em_metrics_write(service->metrics, &gauges, &text);
    if (text.failed)
        em_reply_json(exchange, 500, NULL);
    else
        em_reply_bytes(exchange, 200, "text/plain; version=0.0.4; charset=utf-8",
                       em_strbuf_slice(&text));
}

static void login(void *context, em_exchange *exchange)
{
    const em_service *service = context;
    if (!em_exchange_says_nothing(exchange))
        return;
    em_reply_empty(exchange, 204);
    em_access_give_cookie(service->access, exchange);
}

static void logout(void *context, em_exchange *exchange)
{
    const em_service *service = context;
    if (!em_exchange_says_nothing(exchange))
        return;
    em_reply_empty(exchange, 204);
    em_access_take_cookie(service->access, exchange);
}

static const em_route small_routes[] = {
    {EM_HTTP_GET, "/healthz", EM_ROUTE_OPEN, health},
    {EM_HTTP_GET, "/metrics", EM_ROUTE_COOKIE, metrics},
    {EM_HTTP_POST, "/api/login", EM_ROUTE_PAGE, login},
    {EM_HTTP_POST, "/api/logout", EM_ROUTE_COOKIE, logout},
    {EM_HTTP_OTHER, NULL, 0, NULL},
};

/* ---- Calls ---------------------------------------------------------------------------------- */

static em_session *open_session(void *context)
{
    const em_service *service = context;
    return service->options.open(service->options.context);
}

/* What is answered with a question has neither been done nor refused: it counts when it comes
 * again. */
static void note_call(void *context, const em_mcp_called *called)
{
    em_service *service = context;
    if (called->is_asked)
        return;
    em_metrics_called(service->metrics, called);
    if (service->options.called)
        service->options.called(service->options.context, called);
}

static void log_sentence(void *context, const char *sentence)
{
    const em_service *service = context;
    service->options.log(service->options.context, sentence);
}

/* ---- Starting ------------------------------------------------------------------------------- */

/* Twice the processors. */
static size_t worker_count(void)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t twice = processors > 0 ? 2 * (size_t)processors : LEAST_WORKERS;
    return twice < LEAST_WORKERS ? LEAST_WORKERS : twice;
}

/* Of the descriptors. What a session has: roots, locks, the history, the files of a call; and the
 * old files that it keeps (workspace/grace.c). All of them have half at most, and a quarter. */
enum { PER_SESSION = 8, KEPT_PER_SESSION = 64 };

static size_t session_count(const em_service_options *options)
{
    size_t wanted = options->sessions > 0 ? options->sessions : EM_DEFAULT_SESSIONS,
           most = options->descriptors / 2 / PER_SESSION;
    return em_least(wanted, most > 0 ? most : 1);
}

static size_t connection_count(const em_service_options *options)
{
    enum { FEWEST = 16 };
    size_t sessions = session_count(options),
           kept = em_least(options->descriptors / 4, sessions * KEPT_PER_SESSION),
           count = options->descriptors - em_least(options->descriptors, sessions * PER_SESSION);
    count -= em_least(count, kept);
    count = em_least(count, MOST_CONNECTIONS);
    return count < FEWEST ? FEWEST : count;
}

static em_access *make_access(const em_service_options *options, uint64_t most)
{
    const char **hosts = calloc(options->host_count + 1, sizeof *hosts);
    if (!hosts)
        return NULL;
    for (size_t i = 0; i < options->host_count; i++)
        hosts[i] = options->hosts[i];
    hosts[options->host_count] = options->listener.host;
    em_access *access =
        em_access_new(&(em_access_options){.tokens = options->tokens,
                                           .token_count = options->token_count,
                                           .page_token_count = options->page_token_count,
                                           .hosts = hosts,
                                           .host_count = options->host_count + 1,
                                           .port = options->listener.port,
                                           .most = most});
    free(hosts);
    return access;
}

static em_routes *make_routes(em_service *service)
{
    const em_service_options *options = &service->options;
    em_routes *routes = calloc(OWN_ROUTES + options->route_sets, sizeof *routes);
    if (!routes)
        return NULL;
    routes[0] = (em_routes){em_endpoint_routes, &service->endpoint};
    routes[1] = (em_routes){small_routes, service};
    for (size_t i = 0; i < options->route_sets; i++)
        routes[OWN_ROUTES + i] = options->routes[i];
    return routes;
}

static em_status make_parts(em_service *service, em_error *err)
{
    const em_service_options *options = &service->options;
    size_t workers = worker_count();
    service->access = make_access(options, options->most);
    service->metrics = em_metrics_new();
    service->subscriptions = em_subscriptions_new(SUBSCRIPTIONS);
    service->routes = make_routes(service);
    if (!service->access || !service->metrics || !service->subscriptions || !service->routes)
        return em_fail(err, EM_E_NOMEM, "out of memory");
    service->workers = em_workers_start(workers, EM_APPROVAL_MOST);
    if (!service->workers)
        return em_fail(err, EM_E_IO, "cannot start threads: %s", strerror(errno));
    service->peers = em_peers_new(&(em_peers_options){
        .workers = service->workers,
        .tools = options->tools,
        .flags = options->flags,
        .approvals = options->approvals,
        .open = open_session,
        .called = note_call,
        .log = log_sentence,
        .context = service,
        .most = session_count(options),
        .stateless = workers,
        .idle_ms = options->idle_ms > 0 ? options->idle_ms : EM_DEFAULT_SESSION_IDLE_MS});
    if (!service->peers)
        return em_fail(err, EM_E_IO, "cannot open the sessions");
    service->endpoint = (em_endpoint){.workers = service->workers,
                                      .peers = service->peers,
                                      .subscriptions = service->subscriptions,
                                      .log = log_sentence,
                                      .log_context = service};
    return EM_OK;
}

static em_status start_server(em_service *service, em_error *err)
{
    const em_service_options *options = &service->options;
    return em_server_start(&(em_server_options){.listener = options->listener.fd,
                                                .access = service->access,
                                                .routes = service->routes,
                                                .route_sets = OWN_ROUTES + options->route_sets,
                                                .workers = service->workers,
                                                .metrics = service->metrics,
                                                .most = options->most,
                                                .connections = connection_count(options),
                                                .patience_ms = options->patience_ms > 0
                                                                   ? options->patience_ms
                                                                   : EM_DEFAULT_PATIENCE_MS,
                                                .comment_ms = COMMENT_MS},
                           &service->server, err);
}

static void service_free(em_service *service)
{
    em_peers_free(service->peers);
    if (service->workers)
        em_workers_stop(service->workers);
    em_subscriptions_free(service->subscriptions);
    em_metrics_free(service->metrics);
    em_access_free(service->access);
    free(service->routes);
    free(service);
}

em_status em_service_start(const em_service_options *options, em_service **out, em_error *err)
{
    em_service *service = calloc(1, sizeof *service);
    json_object_seed(0); /* once, before threads ask for it */
    em_status status = service ? EM_OK : em_fail(err, EM_E_NOMEM, "out of memory");
    if (service) {
        service->options = *options;
        status = make_parts(service, err);
    }
    if (status != EM_OK)
        close(options->listener.fd);
    else
        status = start_server(service, err);
    if (status == EM_OK)
        *out = service;
    else if (service)
        service_free(service);
    return status;
}

/* ---- While it runs, and its end ------------------------------------------------------------- */

void em_service_tick(em_service *service)
{
    em_server_tick(service->server);
    em_subscriptions_tick(service->subscriptions);
    em_peers_tick(service->peers);
}

void em_service_stop(em_service *service)
{
    em_server_close(service->server);
    if (service->options.approvals)
        em_approvals_close(service->options.approvals);
    em_subscriptions_end(service->subscriptions);
    em_peers_shut(service->peers);
    em_server_stop(service->server);
    service_free(service);
}
