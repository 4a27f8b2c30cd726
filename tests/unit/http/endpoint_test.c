#include "../../remove_tree.h"
#include "../dialects/memory.h"

#include "dialects/registry.h"
#include "http/endpoint.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define STATELESS                                                                                  \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                       \
    "\"io.modelcontextprotocol/clientCapabilities\":{}}"
#define INITIALIZE(version)                                                                        \
    "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"     \
    "\"" version "\",\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}"
#define READ(id, more)                                                                             \
    "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"tools/call\",\"params\":{\"name\":"           \
    "\"readFile\",\"arguments\":{\"file\":\"a.txt\"}" more "}}"
#define PING "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"
#define HEADERS(method) "MCP-Protocol-Version: 2026-07-28\nMcp-Method: " method

/* ---- A service without a network ------------------------------------------------------------ */

typedef struct service {
    char base[40], state[60];
    const char *roots[1];
    em_arena arena;
    em_toolset tools;
    em_workers *workers;
    em_endpoint endpoint;
    bool refuses; /* sessions cannot be opened */
    size_t calls;
} service;

static em_session *open_session(void *context)
{
    service *s = context;
    em_session_options options = {
        .workspace = {
            .roots = s->roots, .root_count = 1, .state_dir = s->state, .sync = EM_SYNC_OFF}};
    em_session *session = NULL;
    em_error err = EM_ERROR_INIT;
    if (!s->refuses)
        em_session_new(&options, &session, &err);
    return session;
}

static void count_call(void *context, const em_mcp_called *called)
{
    (void)called;
    __atomic_fetch_add(&((service *)context)->calls, 1, __ATOMIC_SEQ_CST);
}

static void log_nothing(void *context, const char *sentence)
{
    (void)context, (void)sentence;
}

static void service_open(service *s, size_t sessions, long idle_ms)
{
    em_error err = EM_ERROR_INIT;
    *s = (service){.base = "/tmp/emend-endpoint-XXXXXX"};
    assert_non_null(mkdtemp(s->base));
    snprintf(s->state, sizeof s->state, "%s/.state", s->base);
    char path[60];
    snprintf(path, sizeof path, "%s/a.txt", s->base);
    FILE *file = fopen(path, "w");
    assert_true(file && fputs("one\n", file) >= 0 && fclose(file) == 0);
    s->roots[0] = s->base;
    assert_int_equal(em_toolset_choose("all", false, &s->arena, &s->tools, &err), EM_OK);
    s->workers = em_workers_start(2, 2);
    em_peers *peers = em_peers_new(&(em_peers_options){.workers = s->workers,
                                                       .tools = &s->tools,
                                                       .open = open_session,
                                                       .called = count_call,
                                                       .log = log_nothing,
                                                       .context = s,
                                                       .most = sessions,
                                                       .stateless = 2,
                                                       .idle_ms = idle_ms});
    assert_non_null(peers);
    s->endpoint = (em_endpoint){.workers = s->workers,
                                .peers = peers,
                                .subscriptions = em_subscriptions_new(10),
                                .log = log_nothing,
                                .log_context = s};
}

static void service_close(service *s)
{
    em_peers_free(s->endpoint.peers);
    em_workers_stop(s->workers);
    em_subscriptions_free(s->endpoint.subscriptions);
    em_arena_drop(&s->arena);
    assert_int_equal(remove_tree(s->base), 0);
}

/* ---- A request ------------------------------------------------------------------------------ */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;

static void note_done(em_exchange *exchange)
{
    pthread_mutex_lock(&lock);
    *(bool *)exchange->owner = true;
    pthread_cond_broadcast(&change);
    pthread_mutex_unlock(&lock);
}

/* An exchange with these headers, one a line. */
static em_exchange *exchange_with(em_http_method method, const char *principal, const char *lines,
                                  const char *body)
{
    em_exchange *exchange = em_exchange_new();
    exchange->method = method;
    exchange->principal = principal;
    exchange->done = note_done;
    while (*lines) {
        size_t name = strcspn(lines, ":"), line = strcspn(lines, "\n");
        em_exchange_add_field(exchange, em_slice_make(lines, name),
                              em_slice_make(lines + name + 1, line - name - 1));
        lines += line + (lines[line] == '\n');
    }
    em_strbuf_puts(&exchange->body, body);
    return exchange;
}

/* Let it be answered, and wait for that. */
static void run(service *s, em_exchange *exchange)
{
    bool done = false;
    const em_routes routes = {em_endpoint_routes, &s->endpoint};
    exchange->owner = &done;
    em_routes_find(&routes, 1, exchange->method, "/mcp").route->run(&s->endpoint, exchange);
    pthread_mutex_lock(&lock);
    while (exchange->later && !done)
        pthread_cond_wait(&change, &lock);
    pthread_mutex_unlock(&lock);
}

/* Both: an exchange, the caller's. */
static em_exchange *ask(service *s, em_http_method method, const char *principal, const char *lines,
                        const char *body)
{
    em_exchange *exchange = exchange_with(method, principal, lines, body);
    run(s, exchange);
    return exchange;
}

static em_exchange *post(service *s, const char *lines, const char *body)
{
    return ask(s, EM_HTTP_POST, "", lines, body);
}

static int code_of(const em_exchange *exchange)
{
    json_t *body = json_loadb(exchange->reply.body.ptr, exchange->reply.body.len, 0, NULL);
    int code = (int)json_integer_value(json_object_get(json_object_get(body, "error"), "code"));
    json_decref(body);
    return code;
}

static bool holds(const em_exchange *exchange, const char *part)
{
    em_slice body = exchange->reply.body;
    return body.len > 0 && memmem(body.ptr, body.len, part, strlen(part));
}

static const char *reply_field(const em_exchange *exchange, const char *name)
{
    for (size_t i = 0; i < exchange->reply.fields.count; i++)
        if (strcmp(exchange->reply.fields.items[i].name, name) == 0)
            return exchange->reply.fields.items[i].value;
    return NULL;
}

/* The header of the new session that this begins, with a version of the handshake. */
static void begin_by(service *s, const char *initialize, const char *principal,
                     char line[static 100])
{
    em_exchange *exchange = ask(s, EM_HTTP_POST, principal, "X: y", initialize);
    assert_int_equal(exchange->reply.status, 200);
    const char *id = reply_field(exchange, "Mcp-Session-Id");
    assert_non_null(id);
    snprintf(line, 100, "Mcp-Session-Id: %s\nMCP-Protocol-Version: 2025-11-25", id);
    em_exchange_free(exchange);
}

static void begin(service *s, const char *principal, char line[static 100])
{
    begin_by(s, INITIALIZE("2025-11-25"), principal, line);
}

static void check_reply(em_exchange *exchange, int status, int code, const char *what)
{
    if (exchange->reply.status != status || code_of(exchange) != code)
        fail_msg("%s: %d, %.*s", what, exchange->reply.status, (int)exchange->reply.body.len,
                 exchange->reply.body.ptr);
    em_exchange_free(exchange);
}

/* ---- The tests ------------------------------------------------------------------------------ */

static void statuses_without_a_session(void **state)
{
    (void)state;
    static const struct {
        const char *lines, *body;
        int status, code;
    } rows[] = {
        {HEADERS("server/discover"),
         "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/discover\",\"params\":{" STATELESS "}}",
         200, 0},
        {HEADERS("nothing"),
         "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"nothing\",\"params\":{" STATELESS "}}", 404,
         -32601},
        {HEADERS("tools/call") "\nMcp-Name: readFile", READ("1", "," STATELESS), 200, 0},
        {HEADERS("tools/call"), READ("1", "," STATELESS), 400, -32020},
        {HEADERS("tools/call") "\nMcp-Name: other", READ("1", "," STATELESS), 400, -32020},
        {HEADERS("tools/call") "\nMcp-Name: =?base64?!?=", READ("1", "," STATELESS), 400, -32020},
        {"Mcp-Method: tools/call\nMcp-Name: readFile", READ("1", "," STATELESS), 400, -32020},
        {HEADERS("tools/call") "\nMcp-Name: readFile\nMcp-Name: readFile", READ("1", "," STATELESS),
         400, -32020},
        {HEADERS("tools/call"), READ("1", ""), 400, -32602},
        {HEADERS("tools/call"),
         "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{" STATELESS "}}", 200,
         -32602},
        {HEADERS("x"), "[" READ("1", "," STATELESS) "]", 400, -32600},
        {HEADERS("x"), "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}", 400, -32600},
        {HEADERS("x"), "{\"jsonrpc\":\"2.0\",\"method\":\"x\"}", 202, 0},
        {HEADERS("subscriptions/listen"),
         "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"subscriptions/listen\",\"params\":{" STATELESS
         "}}",
         200, -32602},
        {"X: y", "{", 400, -32700},
        {"X: y", PING, 200, 0},
        {"X: y", "[" PING "]", 400, -32602},
        {"X: y", "{\"jsonrpc\":\"2.0\",\"method\":\"ping\"}", 400, -32602},
        {"X: y", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}", 400, -32602},
        {"MCP-Protocol-Version: 2025-06-18", PING, 200, 0},
        {"MCP-Protocol-Version: 1999-01-01", PING, 400, -32600},
        {"Mcp-Session-Id: x", PING, 404, -32600},
        {"Mcp-Session-Id: x",
         "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/discover\",\"params\":{}}", 400,
         -32602},
        {"Mcp-Session-Id: x\nMCP-Protocol-Version: 1999-01-01", PING, 400, -32600},
        {"Mcp-Session-Id: x\nMcp-Session-Id: x", PING, 400, -32602},
        {"Accept: text/html", PING, 406, 0},
        {"X: y", "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{}}", 200,
         -32602},
    };
    service s;
    service_open(&s, 4, 60000);
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        check_reply(post(&s, rows[i].lines, rows[i].body), rows[i].status, rows[i].code,
                    rows[i].body);
    assert_int_equal(em_peers_count(s.endpoint.peers), 0);
    assert_true(s.calls >= 1);
    service_close(&s);
}

static void a_session_belongs_to_its_token(void **state)
{
    (void)state;
    service s;
    char line[100];
    service_open(&s, 4, 60000);
    begin(&s, "1", line);
    check_reply(ask(&s, EM_HTTP_POST, "1", line, PING), 200, 0, "its own");
    check_reply(ask(&s, EM_HTTP_POST, "2", line, PING), 404, -32600, "another's");
    check_reply(ask(&s, EM_HTTP_DELETE, "2", line, ""), 404, -32600, "another's");
    check_reply(ask(&s, EM_HTTP_DELETE, "1", line, ""), 204, 0, "its end");
    check_reply(ask(&s, EM_HTTP_POST, "1", line, PING), 404, -32600, "afterwards");
    service_close(&s);
}

static void rest(void *context)
{
    (void)context;
}

static const char *heard(em_stream *stream)
{
    static char text[10000];
    long length = em_stream_take(stream, text, sizeof text - 1, rest, NULL);
    text[length > 0 ? length : 0] = '\0';
    return text;
}

static void streams_of_a_session(void **state)
{
    (void)state;
    service s;
    char line[100], more[200];
    service_open(&s, 4, 60000);
    begin(&s, "", line);
    snprintf(more, sizeof more, "%s\nAccept: text/event-stream, application/json", line);
    em_exchange *listening = ask(&s, EM_HTTP_GET, "", more, "");
    assert_non_null(listening->reply.stream);
    em_exchange *call = post(&s, more, READ("5", ",\"_meta\":{\"progressToken\":1}"));
    assert_non_null(call->reply.stream);
    const char *text = heard(call->reply.stream);
    assert_non_null(strstr(text, "id: 1-0\ndata: \n\n"));
    assert_non_null(strstr(text, "notifications/progress"));
    assert_non_null(strstr(text, "\"id\":5"));
    em_exchange *plain = post(&s, line, READ("6", ",\"_meta\":{\"progressToken\":1}"));
    assert_null(plain->reply.stream);
    assert_true(holds(plain, "\"id\":6"));
    assert_non_null(strstr(heard(listening->reply.stream), "notifications/progress"));
    snprintf(more, sizeof more, "%s\nAccept: text/event-stream\nLast-Event-ID: 1-1", line);
    em_exchange *again = ask(&s, EM_HTTP_GET, "", more, "");
    assert_non_null(strstr(heard(again->reply.stream), "\"id\":5"));
    snprintf(more, sizeof more, "%s\nAccept: text/event-stream\nLast-Event-ID: 9-1", line);
    check_reply(ask(&s, EM_HTTP_GET, "", more, ""), 404, 0, "no such event");
    check_reply(ask(&s, EM_HTTP_GET, "", line, ""), 406, 0, "no stream wanted");
    check_reply(ask(&s, EM_HTTP_GET, "", HEADERS("x") "\nAccept: */*", ""), 405, 0, "stateless");
    check_reply(ask(&s, EM_HTTP_DELETE, "", HEADERS("x"), ""), 405, 0, "stateless");
    em_exchange_free(listening);
    em_exchange_free(call);
    em_exchange_free(plain);
    em_exchange_free(again);
    service_close(&s);
}

static void what_is_no_request(void **state)
{
    (void)state;
    service s;
    char line[100];
    service_open(&s, 4, 60000);
    begin(&s, "", line);
    static const char *const bodies[] = {
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}",
    };
    for (size_t i = 0; i < COUNT_OF(bodies); i++)
        check_reply(post(&s, line, bodies[i]), 202, 0, bodies[i]);
    static const char *const batches[] = {"[" PING "]", "[{\"jsonrpc\":\"2.0\",\"method\":\"x\"}]"};
    for (size_t i = 0; i < COUNT_OF(batches); i++)
        check_reply(post(&s, line, batches[i]), 400, -32600, "a batch of another revision");
    service_close(&s);
}

/* Whoever comes back within the time has it still. */
static void a_session_may_be_idle_for_a_while(void **state)
{
    (void)state;
    service s;
    char one[100];
    service_open(&s, 2, 600000);
    begin(&s, "", one);
    em_peers_tick(s.endpoint.peers);
    assert_int_equal(em_peers_count(s.endpoint.peers), 1);
    check_reply(post(&s, one, PING), 200, 0, "after a moment");
    service_close(&s);
}

static void sessions_make_room(void **state)
{
    (void)state;
    service s;
    char one[100], two[100], three[100], more[200];
    service_open(&s, 2, 0);
    begin(&s, "", one);
    snprintf(more, sizeof more, "%s\nAccept: text/event-stream", one);
    em_exchange *listening = ask(&s, EM_HTTP_GET, "", more, "");
    begin(&s, "", two);
    begin(&s, "", three);
    check_reply(post(&s, two, PING), 404, -32600, "the one that was idle");
    check_reply(post(&s, one, PING), 200, 0, "the one that is read");
    snprintf(more, sizeof more, "%s\nAccept: text/event-stream", three);
    em_exchange *also = ask(&s, EM_HTTP_GET, "", more, "");
    check_reply(post(&s, "X: y", INITIALIZE("2025-06-18")), 503, -32603, "all are in use");
    em_stream_leave(also->reply.stream);
    em_peers_tick(s.endpoint.peers); /* it was idle for no time at all: enough here */
    em_peers_tick(s.endpoint.peers);
    assert_int_equal(em_peers_count(s.endpoint.peers), 1);
    s.refuses = true;
    check_reply(post(&s, "X: y", INITIALIZE("2025-06-18")), 503, -32603, "it cannot be opened");
    s.refuses = false;
    em_peers_shut(s.endpoint.peers);
    check_reply(post(&s, "X: y", INITIALIZE("2025-06-18")), 503, -32603, "the server ends");
    em_exchange_free(listening);
    em_exchange_free(also);
    service_close(&s);
}

static void without_sessions_there_are_no_peers(void **state)
{
    (void)state;
    service s;
    service_open(&s, 2, 0);
    s.refuses = true;
    assert_null(em_peers_new(&(em_peers_options){.workers = s.workers,
                                                 .tools = &s.tools,
                                                 .open = open_session,
                                                 .log = log_nothing,
                                                 .context = &s,
                                                 .stateless = 1}));
    service_close(&s);
}

/* However little there is, there is an answer: the right one, or that there was no memory for it.
 */
static void memory_may_run_out(void **state)
{
    (void)state;
    char session[100];
    const struct {
        const char *lines, *body;
    } rows[] = {
        {"X: y", INITIALIZE("2025-11-25")},
        {session, "[" PING "," READ("2", "") "]"},
        {"Accept: text/event-stream\n" HEADERS("tools/call") "\nMcp-Name: readFile",
         READ("1", ",\"_meta\":{\"progressToken\":1,"
                   "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                   "\"io.modelcontextprotocol/clientCapabilities\":{}}")},
        {HEADERS("tools/call") "\nMcp-Name: other", READ("1", "," STATELESS)},
    };
    service s;
    service_open(&s, 4, 60000);
    begin_by(&s, INITIALIZE("2025-03-26"), "", session);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        bool enough = false;
        for (long room = 0; !enough; room += 1 + room / 20) {
            em_exchange *exchange = exchange_with(EM_HTTP_POST, "", rows[i].lines, rows[i].body);
            mallocs_left = room;
            run(&s, exchange);
            enough = mallocs_left > 0;
            mallocs_left = -1;
            if (exchange->reply.status < 200 || exchange->reply.status == 202)
                fail_msg("no answer to %s with %ld", rows[i].body, room);
            em_exchange_free(exchange);
        }
    }
    service_close(&s);
}

int main(void)
{
    use_counted_memory();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statuses_without_a_session),
        cmocka_unit_test(a_session_belongs_to_its_token),
        cmocka_unit_test(streams_of_a_session),
        cmocka_unit_test(what_is_no_request),
        cmocka_unit_test(a_session_may_be_idle_for_a_while),
        cmocka_unit_test(sessions_make_room),
        cmocka_unit_test(without_sessions_there_are_no_peers),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests_name("endpoint", tests, NULL, NULL);
}
