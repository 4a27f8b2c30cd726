/* http_fuzz.c: whatever may come over HTTP, once its headers are cut apart.
 *
 * The input is a request: its first line is method and target, then come headers, one a line, an
 * empty line, and the body. "$" as the value of a header is the session or the token that there is.
 * It goes the way that the server lets it go: checks, route, handler, with sessions behind it. What
 * is refused has its reply, what passes has one too, each of a status that there may be, and all
 * that is said is JSON.
 */
#include "fuzz.h"

#include "base/utf8.h"
#include "dialects/registry.h"
#include "http/endpoint.h"

#include <dirent.h>
#include <pthread.h>
#include <unistd.h>

#define TOKEN "a-token-for-the-fuzzer"
#define HEAD "Host: localhost\nAuthorization: $\nContent-Type: application/json\n"
#define BOTH "Accept: application/json, text/event-stream\n"
#define MODERN(method) "MCP-Protocol-Version: 2026-07-28\nMcp-Method: " method "\n"
#define META                                                                                       \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                       \
    "\"io.modelcontextprotocol/clientCapabilities\":{},\"progressToken\":1}"
#define MESSAGE(id, method, params)                                                                \
    "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"" method "\",\"params\":{" params "}}"
#define CALL "\"name\":\"readFile\",\"arguments\":{\"file\":\"a.txt\"}"

const em_slice em_fuzz_seeds[] = {
    SEED("POST /mcp\n" HEAD BOTH MODERN("tools/call") "Mcp-Name: readFile\n\n" MESSAGE(
        "1", "tools/call", CALL "," META)),
    SEED("POST /mcp\n" HEAD MODERN("tools/call") "Mcp-Name: =?base64?cmVhZEZpbGU=?=\n\n" MESSAGE(
        "1", "tools/call", CALL "," META)),
    SEED("POST /mcp\n" HEAD BOTH MODERN("subscriptions/listen") "\n" MESSAGE(
        "\"l\"", "subscriptions/listen", "\"notifications\":{}," META)),
    SEED("POST /mcp\n" HEAD BOTH MODERN("server/discover") "\n" MESSAGE("0", "server/discover",
                                                                        META)),
    SEED("POST /mcp\n" HEAD BOTH "Mcp-Session-Id: $\nMCP-Protocol-Version: 2025-11-25\n\n" MESSAGE(
        "1", "tools/call", CALL ",\"_meta\":{\"progressToken\":\"p\"}")),
    SEED("POST /mcp\n" HEAD "\n" MESSAGE("0", "initialize", "\"protocolVersion\":\"2025-03-26\"")),
    SEED("POST /mcp\n" HEAD "Mcp-Session-Id: $\n\n[" MESSAGE(
        "1", "ping",
        "") ",{\"jsonrpc\":"
            "\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}]"),
    SEED("GET /mcp\n" HEAD "Accept: text/event-stream\nMcp-Session-Id: $\nLast-Event-ID: 1-1\n\n"),
    SEED("DELETE /mcp?a=b%20c&d\n" HEAD "Mcp-Session-Id: $\n\n"),
    SEED("GET /mcp\nHost: localhost:80\nOrigin: http://localhost\nCookie: emend=$; a=b\n\n"),
    SEED("POST /mcp\nHost: [::1]:1\nContent-Length: 2\nTransfer-Encoding: chunked\n\n{}"),
    {NULL, 0},
};
const em_slice em_fuzz_words[] = {
    SEED("\n"),
    SEED("\n\n"),
    SEED(": "),
    SEED("$"),
    SEED(HEAD),
    SEED(BOTH),
    SEED(META),
    SEED("2026-07-28"),
    SEED("2025-03-26"),
    SEED("1999-01-01"),
    SEED("Last-Event-ID: 0-0\n"),
    SEED("Mcp-Session-Id: $\n"),
    SEED("Accept: text/event-stream\n"),
    SEED("tools/list"),
    SEED("initialize"),
    SEED("ping"),
    SEED("=?base64?"),
    SEED("?="),
    SEED("%00"),
    SEED("%2e"),
    SEED("Origin: null\n"),
    SEED("Content-Length: 99999999999999999999\n"),
    SEED("[]"),
    SEED("null"),
    SEED("\"id\":null,"),
    SEED("q=0"),
    SEED("*/*"),
    {NULL, 0},
};

/* ---- What is behind it ---------------------------------------------------------------------- */

static char base[40], session_field[EM_SECRET_SIZE];
static em_arena arena;
static em_toolset tools;
static em_endpoint endpoint;
static em_access *access_rules;
static bool done;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;

static em_session *open_session(void *context)
{
    (void)context;
    const char *roots[] = {base};
    const em_session_options options = {.workspace = {.roots = roots,
                                                      .root_count = 1,
                                                      .state_dir = base,
                                                      .sync = EM_SYNC_OFF,
                                                      .no_history = true,
                                                      .read_only = true}};
    em_session *session = NULL;
    em_error err = EM_ERROR_INIT;
    HOLDS(em_session_new(&options, &session, &err) == EM_OK);
    return session;
}

static void note(void *context, const char *sentence)
{
    (void)context;
    HOLDS(sentence);
}

static void end(void)
{
    DIR *folder;
    em_peers_free(endpoint.peers);
    em_workers_stop(endpoint.workers);
    em_subscriptions_free(endpoint.subscriptions);
    em_access_free(access_rules);
    em_arena_drop(&arena);
    if (chdir(base) == 0 && (folder = opendir("."))) {
        for (struct dirent *entry; (entry = readdir(folder));)
            unlink(entry->d_name);
        closedir(folder);
    }
    rmdir(base);
}

static void begin(void)
{
    static const char *const tokens[] = {TOKEN};
    em_error err = EM_ERROR_INIT;
    char path[60];
    snprintf(base, sizeof base, "/tmp/emend-fuzz-http-XXXXXX");
    HOLDS(mkdtemp(base));
    snprintf(path, sizeof path, "%s/a.txt", base);
    FILE *file = fopen(path, "w");
    HOLDS(file && fputs("one\n", file) >= 0 && fclose(file) == 0);
    HOLDS(em_toolset_choose("all", true, &arena, &tools, &err) == EM_OK);
    endpoint.workers = em_workers_start(1, 0);
    endpoint.subscriptions = em_subscriptions_new(4);
    access_rules = em_access_new(&(em_access_options){
        .tokens = tokens, .token_count = 1, .page_token_count = 1, .most = 1 << 20});
    endpoint.log = note;
    endpoint.peers = em_peers_new(&(em_peers_options){.workers = endpoint.workers,
                                                      .tools = &tools,
                                                      .open = open_session,
                                                      .log = note,
                                                      .most = 3,
                                                      .stateless = 1,
                                                      .idle_ms = 3600 * 1000});
    HOLDS(endpoint.workers && endpoint.subscriptions && access_rules && endpoint.peers);
    atexit(end);
}

/* ---- The request ---------------------------------------------------------------------------- */

static em_slice take_line(em_slice *rest)
{
    const char *newline = rest->len > 0 ? memchr(rest->ptr, '\n', rest->len) : NULL;
    size_t length = newline ? (size_t)(newline - rest->ptr) : rest->len;
    em_slice line = em_slice_sub(*rest, 0, length);
    *rest = em_slice_from(*rest, newline ? length + 1 : length);
    return line;
}

static void add_field(em_exchange *exchange, em_slice line)
{
    const char *colon = line.len > 0 ? memchr(line.ptr, ':', line.len) : NULL;
    size_t name = colon ? (size_t)(colon - line.ptr) : line.len;
    em_slice value = em_slice_from(line, colon ? name + 1 : name);
    if (em_slice_is(value, " $"))
        value = em_slice_starts(line, EM_LIT("Auth")) ? EM_LIT("Bearer " TOKEN)
                                                      : em_slice_of(session_field);
    HOLDS(em_exchange_add_field(exchange, em_slice_sub(line, 0, name), value) == EM_OK);
}

static bool read_request(em_exchange *exchange, em_slice input)
{
    char first[256];
    em_error err = EM_ERROR_INIT;
    em_slice line = take_line(&input);
    if (line.len >= sizeof first)
        line.len = sizeof first - 1;
    snprintf(first, sizeof first, "%.*s", (int)line.len, line.ptr);
    char *blank = strchr(first, ' ');
    if (!blank)
        return false;
    *blank = '\0';
    exchange->method = em_http_method_of(first);
    while ((line = take_line(&input)).len > 0)
        add_field(exchange, line);
    em_strbuf_add(&exchange->body, input);
    return em_exchange_set_target(exchange, blank + 1, &err) == EM_OK;
}

/* ---- What comes of it ----------------------------------------------------------------------- */

static void note_done(em_exchange *exchange)
{
    (void)exchange;
    pthread_mutex_lock(&lock);
    done = true;
    pthread_cond_broadcast(&change);
    pthread_mutex_unlock(&lock);
}

static void rest(void *context)
{
    (void)context;
}

static void check_json(em_slice text)
{
    json_t *value = NULL;
    em_error err = EM_ERROR_INIT;
    HOLDS(em_utf8_invalid_at(text) == EM_NPOS && !em_slice_has_byte(text, '\n'));
    HOLDS(em_json_parse(text, &value, &err) == EM_OK);
    json_decref(value);
}

/* Lines of a stream: ids, comments, and data that is nothing or JSON. */
static void check_stream(em_stream *stream)
{
    static char text[1 << 20];
    long length = em_stream_take(stream, text, sizeof text, rest, NULL);
    em_slice left = em_slice_make(text, length > 0 ? (size_t)length : 0);
    while (left.len > 0) {
        em_slice line = take_line(&left);
        if (em_slice_starts(line, EM_LIT("data: ")) && line.len > 6)
            check_json(em_slice_from(line, 6));
    }
}

static void remember_session(const em_exchange *exchange)
{
    for (size_t i = 0; i < exchange->reply.fields.count; i++)
        if (strcmp(exchange->reply.fields.items[i].name, "Mcp-Session-Id") == 0)
            snprintf(session_field, sizeof session_field, "%s",
                     exchange->reply.fields.items[i].value);
}

static void check_reply(em_exchange *exchange)
{
    static const int statuses[] = {200, 202, 204, 400, 401, 403, 404, 405, 406, 413, 415, 431, 503};
    const em_http_reply *reply = &exchange->reply;
    size_t i = 0;
    while (i < sizeof statuses / sizeof *statuses && statuses[i] != reply->status)
        i++;
    HOLDS(i < sizeof statuses / sizeof *statuses);
    HOLDS((reply->type != NULL) == (reply->body.len > 0 || reply->stream));
    if (reply->stream)
        check_stream(reply->stream);
    else if (reply->type)
        check_json(reply->body);
    remember_session(exchange);
}

static void run(em_exchange *exchange)
{
    const em_routes routes = {em_endpoint_routes, &endpoint};
    const char *why = NULL;
    em_route_found found = em_routes_find(&routes, 1, exchange->method, exchange->path);
    if (!em_access_check_framing(exchange, &why) ||
        !em_access_check_source(access_rules, exchange, &why) || !found.route ||
        !em_access_check_token(access_rules, exchange, found.route, &why) ||
        !em_access_check_body(access_rules, exchange, &why)) {
        HOLDS(why || !found.route);
        if (why)
            check_reply(exchange);
        return;
    }
    HOLDS(strcmp(exchange->principal, "1") == 0);
    done = false;
    found.route->run(found.context, exchange);
    pthread_mutex_lock(&lock);
    while (exchange->later && !done)
        pthread_cond_wait(&change, &lock);
    pthread_mutex_unlock(&lock);
    check_reply(exchange);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!endpoint.peers)
        begin();
    em_exchange *exchange = em_exchange_new();
    HOLDS(exchange);
    exchange->done = note_done;
    if (read_request(exchange, em_slice_make((const char *)data, size)))
        run(exchange);
    if (exchange->reply.stream)
        em_stream_leave(exchange->reply.stream);
    em_exchange_free(exchange);
    em_subscriptions_tick(endpoint.subscriptions);
    return 0;
}
