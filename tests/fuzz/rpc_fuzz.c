/* rpc_fuzz.c: whatever a client may send, line by line.
 *
 * The input is what arrives on standard input, cut into pieces as its first byte says. Each message
 * that the server sends is one line of JSON-RPC, and none answers a request that was not made.
 * Where the first byte is odd, changes need the client's yes.
 */
#include "fuzz.h"
#include "playground.h"

#include "base/utf8.h"
#include "serve/inbox.h"
#include "serve/mcp.h"
#include "serve/seal.h"

#define META                                                                                       \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                       \
    "\"io.modelcontextprotocol/clientCapabilities\":{}}"
#define INITIALIZE(version)                                                                        \
    "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"     \
    "\"" version "\",\"capabilities\":{},\"clientInfo\":{\"name\":\"f\",\"version\":\"1\"}}}\n"
#define CALL                                                                                       \
    "{\"jsonrpc\":\"2.0\",\"id\":\"c\",\"method\":\"tools/call\",\"params\":{\"name\":"            \
    "\"file_edit\",\"arguments\":{\"path\":\"a.txt\",\"dry_run\":true,\"edits\":[{\"old_text\":"   \
    "\"one\",\"new_text\":\"1\"}]},\"_meta\":{\"progressToken\":1}}}\n"

#define ELICITS "{\"elicitation\":{}}"
#define INITIALIZE_ELICITS                                                                         \
    "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"     \
    "\"2025-11-25\",\"capabilities\":" ELICITS ",\"clientInfo\":{}}}\n"
#define CHANGE(more)                                                                               \
    "{\"jsonrpc\":\"2.0\",\"id\":\"c\",\"method\":\"tools/call\",\"params\":{\"name\":"            \
    "\"edit_file\",\"arguments\":{\"file_path\":\"a.txt\",\"old_string\":\"one\",\"new_string\":"  \
    "\"1\"}" more "}}\n"
#define ALLOW "{\"action\":\"accept\",\"content\":{\"allow\":true,\"remember\":\"file\"}}"
#define META_ELICITS                                                                               \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                       \
    "\"io.modelcontextprotocol/clientCapabilities\":" ELICITS "}"

const em_slice em_fuzz_seeds[] = {
    SEED("\x11" INITIALIZE_ELICITS CHANGE(
        "") "{\"jsonrpc\":\"2.0\",\"id\":\"emend-change-1\",\"result\":" ALLOW "}\n"),
    SEED("\x41" INITIALIZE_ELICITS CHANGE(
        "") "{\"jsonrpc\":\"2.0\",\"id\":\"emend-change-1\",\"error\":{\"code\":1}}\n"),
    SEED("\x21" CHANGE("," META_ELICITS)
             CHANGE(",\"requestState\":\"emend1.9.0.0\",\"inputResponses\":{\"change\":" ALLOW
                    "}," META_ELICITS)),
    SEED("\x40" INITIALIZE("2025-11-25") CALL),
    SEED("\x07" INITIALIZE(
        "2025-03-26") "["
                      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"},"
                      "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}]\n"),
    SEED("\xff{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"server/discover\",\"params\":{" META
         "}}\n"),
    SEED("\x20{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"tools/list\",\"params\":{" META "}}\n"),
    SEED("\x21{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":"
         "\"read_file\",\"arguments\":{\"file_path\":\"a.txt\"}," META "}}\n"),
    SEED("\x30" INITIALIZE(
        "2024-11-05") "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"logging/setLevel\",\"params\":"
                      "{\"level\":\"debug\"}}\n" CALL
                      "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/"
                      "cancelled\",\"params\":{\"requestId\":"
                      "\"c\"}}\n"),
    SEED("\x10"
         "not json\n[]\n{}\n7\n\n{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}\n"),
    {NULL, 0},
};
const em_slice em_fuzz_words[] = {
    SEED("\n"),
    SEED("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\""),
    SEED(META),
    SEED("ping"),
    SEED("tools/call"),
    SEED("tools/list"),
    SEED("initialize"),
    SEED("subscriptions/listen"),
    SEED("2026-07-28"),
    SEED("1999-01-01"),
    SEED("null"),
    SEED("[]"),
    SEED("{}"),
    SEED("1e999"),
    SEED("9223372036854775808"),
    SEED("\\ud800"),
    SEED("\xff"),
    SEED("\"id\":\"x\","),
    SEED("\"cursor\":\"\","),
    SEED(ELICITS),
    SEED(ALLOW),
    SEED("\"requestState\":\"emend1.1.\","),
    SEED("\"inputResponses\":{\"change\":{\"action\":\"cancel\"}},"),
    {NULL, 0},
};

typedef struct client {
    em_inbox inbox;
    em_mcp *mcp;
    em_slice rest; /* of the input */
    size_t piece;
    size_t requests, answers;
} client;

/* The next piece arrives; false where there is none. */
static bool feed(client *c)
{
    size_t length = c->piece < c->rest.len ? c->piece : c->rest.len;
    em_inbox_add(&c->inbox, em_slice_sub(c->rest, 0, length));
    c->rest = em_slice_from(c->rest, length);
    return length > 0;
}

static bool wait_for_more(void *context, long ms)
{
    HOLDS(ms > 0);
    return feed(context);
}

static void answered(void *context, const em_rpc_message *message)
{
    em_mcp_respond(((client *)context)->mcp, message);
}

static bool receive(void *context, const json_t *message)
{
    client *c = context;
    EM_AUTO(em_strbuf) line = {0};
    em_json_write(message, 0, &line);
    HOLDS(!line.failed && em_utf8_invalid_at(em_strbuf_slice(&line)) == EM_NPOS);
    HOLDS(!em_slice_has_byte(em_strbuf_slice(&line), '\n'));
    size_t parts = json_is_array(message) ? json_array_size(message) : 1;
    for (size_t i = 0; i < parts; i++) {
        const json_t *part = json_is_array(message) ? json_array_get(message, i) : message;
        HOLDS(em_json_is(json_object_get(part, "jsonrpc"), "2.0"));
        c->answers += json_object_get(part, "method") == NULL;
    }
    HOLDS(c->answers <= c->requests);
    return true;
}

static void look(void *context)
{
    (void)context;
}

static void note(void *context, const char *sentence)
{
    (void)context;
    HOLDS(sentence);
}

static void handle_what_came(client *c, const em_link *link)
{
    const em_rpc_line *line;
    while ((line = em_inbox_take(&c->inbox))) {
        c->requests += line->is_batch; /* where batches are not taken, that is answered once */
        for (size_t i = 0; i < line->count; i++)
            c->requests += line->messages[i].kind == EM_RPC_REQUEST ||
                           line->messages[i].kind == EM_RPC_INVALID;
        em_mcp_handle(c->mcp, line, link);
        c->inbox.with_batches = em_mcp_takes_batches(c->mcp);
    }
}

static void talk(client *c)
{
    em_link link = {
        .context = c, .send = receive, .look = look, .log = note, .wait = wait_for_more};
    while (feed(c))
        handle_what_came(c, &link);
    em_inbox_end(&c->inbox);
    handle_what_came(c, &link);
}

static em_approvals *approvals_new(void)
{
    em_approvals_options options = {.ask_clients = true, .sealer = &em_sealer_hmac};
    em_approvals *approvals = NULL;
    HOLDS(em_approvals_new(&options, &approvals, NULL) == EM_OK);
    return approvals;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static size_t inputs;
    client c = {.inbox = {.answered = answered, .context = &c}};
    if (size < 1)
        return 0;
    em_approvals *approvals = data[0] & 1 ? approvals_new() : NULL;
    c.mcp = em_mcp_new(playground_session(), playground_tools(), 0);
    HOLDS(c.mcp);
    em_mcp_set_approvals(c.mcp, approvals);
    c.piece = (size_t)data[0] * 8 + 1;
    c.rest = em_slice_make((const char *)data + 1, size - 1);
    talk(&c);
    em_mcp_free(c.mcp);
    em_inbox_drop(&c.inbox);
    em_approvals_free(approvals);
    if (++inputs % 64 == 0)
        playground_restore();
    return 0;
}
