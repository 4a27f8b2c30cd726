#include "peer.h"
#include "sanitized.h"
#include "scarce.h"

#define META                                                                                       \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                       \
    "\"io.modelcontextprotocol/clientCapabilities\":{}}"
#define SERVER_META                                                                                \
    "\"_meta\":{\"io.modelcontextprotocol/serverInfo\":{\"name\":\"emend\",\"version\":"           \
    "\"" EMEND_VERSION "\"}}"

/* One request and what comes back: `error` is the code (0: a result), `result` the whole result as
 * JSON or NULL where it is not looked at. */
typedef struct exchange {
    const char *what, *line;
    int error;
    const char *result;
} exchange;

static json_t *only_answer(peer *p, const char *what)
{
    if (json_array_size(p->sent) != 1)
        fail_msg("%s: %zu messages instead of one", what, json_array_size(p->sent));
    return json_array_get(p->sent, 0);
}

static void check_exchange(peer *p, const exchange *row)
{
    json_array_clear(p->sent);
    peer_say(p, row->line);
    json_t *answer = only_answer(p, row->what);
    json_t *error = json_object_get(answer, "error");
    if (json_integer_value(json_object_get(error, "code")) != row->error) {
        char *text = json_dumps(answer, 0);
        fail_msg("%s: %s", row->what, text);
    }
    if (row->result)
        check_json(row->what, json_object_get(answer, "result"), row->result);
}

/* ---- The handshake ------------------------------------------------------------------------- */

static void versions_are_agreed_upon(void **state)
{
    static const struct {
        const char *line, *version;
    } rows[] = {
        {INITIALIZE("2024-11-05"), "2024-11-05"},        {INITIALIZE("2025-03-26"), "2025-03-26"},
        {INITIALIZE("2025-06-18"), "2025-06-18"},        {INITIALIZE("2025-11-25"), "2025-11-25"},
        {INITIALIZE("1999-01-01"), "2025-11-25"},        {INITIALIZE("2026-07-28"), "2025-11-25"},
        {INITIALIZE("2025-06-18\\u0000"), "2025-11-25"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        EM_AUTO(peer) p;
        peer_open(&p, 0);
        peer_say(&p, rows[i].line);
        json_t *result = json_object_get(only_answer(&p, rows[i].line), "result");
        assert_string_equal(json_string_value(json_object_get(result, "protocolVersion")),
                            rows[i].version);
        assert_true(json_is_string(json_object_get(result, "instructions")));
        check_json("capabilities", json_object_get(result, "capabilities"),
                   "{\"tools\":{},\"logging\":{}}");
        check_json("serverInfo", json_object_get(result, "serverInfo"),
                   "{\"name\":\"emend\",\"version\":\"" EMEND_VERSION "\"}");
        assert_null(json_object_get(result, "resultType"));
        assert_null(json_object_get(result, "_meta"));
    }
}

static void before_the_handshake_only_ping_is_answered(void **state)
{
    static const exchange rows[] = {
        {"ping", REQUEST("1", "ping", "{}"), 0, "{}"},
        {"tools/list", REQUEST("1", "tools/list", "{}"), -32602, NULL},
        {"unknown", REQUEST("1", "no/such", "{}"), -32602, NULL},
        {"no version", REQUEST("1", "initialize", "{}"), -32602, NULL},
        {"version of a wrong type", REQUEST("1", "initialize", "{\"protocolVersion\":1}"), -32602,
         NULL},
        {"params are a list", REQUEST("1", "ping", "[]"), -32602, NULL},
    };
    (void)state;
    EM_AUTO(peer) p;
    peer_open(&p, 0);
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        check_exchange(&p, &rows[i]);
}

static void the_handshake_has_its_methods(void **state)
{
    static const exchange rows[] = {
        {"ping", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}", 0, "{}"},
        {"unknown", REQUEST("1", "no/such", "{}"), -32601, NULL},
        {"NUL in a method", REQUEST("1", "ping\\u0000", "{}"), -32601, NULL},
        {"discover without _meta", REQUEST("1", "server/discover", "{}"), -32602, NULL},
        {"_meta of a wrong type", REQUEST("1", "ping", "{\"_meta\":7}"), -32602, NULL},
        {"token of a wrong type", REQUEST("1", "ping", "{\"_meta\":{\"progressToken\":1.5}}"),
         -32602, NULL},
        {"token null", REQUEST("1", "ping", "{\"_meta\":{\"progressToken\":null}}"), 0, "{}"},
        {"unknown cursor", REQUEST("1", "tools/list", "{\"cursor\":\"x\"}"), -32602, NULL},
        {"cursor of a wrong type", REQUEST("1", "tools/list", "{\"cursor\":1}"), -32602, NULL},
        {"empty cursor", REQUEST("1", "tools/list", "{\"cursor\":\"\"}"), 0, NULL},
        {"null cursor", REQUEST("1", "tools/list", "{\"cursor\":null}"), 0, NULL},
        {"level", REQUEST("1", "logging/setLevel", "{\"level\":\"emergency\"}"), 0, "{}"},
        {"unknown level", REQUEST("1", "logging/setLevel", "{\"level\":\"loud\"}"), -32602, NULL},
        {"no level", REQUEST("1", "logging/setLevel", "{}"), -32602, NULL},
        {"another handshake", INITIALIZE("2024-11-05"), 0, NULL},
    };
    (void)state;
    EM_AUTO(peer) p;
    peer_open(&p, 0);
    peer_initialize(&p, INITIALIZE("2025-06-18"));
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        check_exchange(&p, &rows[i]);
}

/* ---- The stateless era --------------------------------------------------------------------- */

#define CLIENT_KEY "io.modelcontextprotocol/"
static void a_stateless_request_carries_all_it_needs(void **state)
{
    static const exchange rows[] = {
        {"list", REQUEST("1", "tools/list", "{" META "}"), 0, NULL},
        {"unknown version",
         REQUEST("1", "tools/list",
                 "{\"_meta\":{\"" CLIENT_KEY "protocolVersion\":\"1999-01-01\"}}"),
         -32022, NULL},
        {"a version with a handshake",
         REQUEST("1", "tools/list",
                 "{\"_meta\":{\"" CLIENT_KEY "protocolVersion\":\"2025-06-18\"}}"),
         -32022, NULL},
        {"version of a wrong type",
         REQUEST("1", "tools/list", "{\"_meta\":{\"" CLIENT_KEY "protocolVersion\":7}}"), -32602,
         NULL},
        {"no capabilities",
         REQUEST("1", "tools/list",
                 "{\"_meta\":{\"" CLIENT_KEY "protocolVersion\":\"2026-07-28\"}}"),
         -32602, NULL},
        {"client of a wrong type",
         REQUEST("1", "tools/list",
                 "{\"_meta\":{\"" CLIENT_KEY "protocolVersion\":\"2026-07-28\",\"" CLIENT_KEY
                 "clientCapabilities\":{},\"" CLIENT_KEY "clientInfo\":\"me\"}}"),
         -32602, NULL},
        {"unknown level",
         REQUEST("1", "tools/list",
                 "{\"_meta\":{\"" CLIENT_KEY "protocolVersion\":\"2026-07-28\",\"" CLIENT_KEY
                 "clientCapabilities\":{},\"" CLIENT_KEY "logLevel\":\"loud\"}}"),
         -32602, NULL},
        {"all that may be there",
         REQUEST("1", "tools/call",
                 "{\"name\":\"say\",\"_meta\":{\"" CLIENT_KEY
                 "protocolVersion\":\"2026-07-28\",\"" CLIENT_KEY
                 "clientCapabilities\":{},\"" CLIENT_KEY "clientInfo\":{\"name\":\"me\"},"
                 "\"" CLIENT_KEY "logLevel\":\"debug\",\"traceparent\":\"00\",\"x\":1}}"),
         0,
         "{\"content\":[{\"type\":\"text\",\"text\":\"said once, over MCP\"}],\"isError\":false,"
         "\"resultType\":\"complete\"," SERVER_META "}"},
        {"initialize", REQUEST("1", "initialize", "{\"protocolVersion\":\"2025-06-18\"," META "}"),
         -32601, NULL},
        {"ping", REQUEST("1", "ping", "{" META "}"), -32601, NULL},
        {"setLevel", REQUEST("1", "logging/setLevel", "{\"level\":\"info\"," META "}"), -32601,
         NULL},
        {"listen", REQUEST("1", "subscriptions/listen", "{" META "}"), -32601, NULL},
        {"no handshake came of all this", REQUEST("1", "tools/list", "{}"), -32602, NULL},
    };
    (void)state;
    EM_AUTO(peer) p;
    peer_open(&p, 0);
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        check_exchange(&p, &rows[i]);
}

static void an_unsupported_version_is_answered_with_those_that_are(void **state)
{
    (void)state;
    EM_AUTO(peer) p;
    peer_open(&p, 0);
    peer_say(&p, REQUEST("\"a\"", "tools/list",
                         "{\"_meta\":{\"" CLIENT_KEY "protocolVersion\":\"1999-01-01\"}}"));
    check_json("-32022", only_answer(&p, "-32022"),
               "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"error\":{\"code\":-32022,"
               "\"message\":\"Unsupported protocol version\",\"data\":{\"supported\":["
               "\"2026-07-28\",\"2025-11-25\",\"2025-06-18\",\"2025-03-26\",\"2024-11-05\"],"
               "\"requested\":\"1999-01-01\"}}}");
}

static void discovery_tells_what_there_is(void **state)
{
    (void)state;
    EM_AUTO(peer) p;
    peer_open(&p, 0);
    peer_say(&p, REQUEST("1", "server/discover", "{" META "}"));
    json_t *result = json_object_get(only_answer(&p, "discover"), "result");
    assert_true(json_string_length(json_object_get(result, "instructions")) > 0);
    json_object_del(result, "instructions");
    check_json("discover", result,
               "{\"supportedVersions\":[\"2026-07-28\",\"2025-11-25\",\"2025-06-18\","
               "\"2025-03-26\",\"2024-11-05\"],\"capabilities\":{\"tools\":{}},\"ttlMs\":60000,"
               "\"cacheScope\":\"private\",\"resultType\":\"complete\"," SERVER_META "}");
}

static void both_eras_can_be_mixed(void **state)
{
    static const exchange rows[] = {
        {"stateless first", REQUEST("1", "tools/list", "{" META "}"), 0, NULL},
        {"handshake", INITIALIZE("2025-06-18"), 0, NULL},
        {"in it", REQUEST("2", "tools/call", "{\"name\":\"say\"}"), 0,
         "{\"content\":[{\"type\":\"text\",\"text\":\"said here, over MCP\"}],\"isError\":false}"},
        {"stateless again", REQUEST("3", "ping", "{" META "}"), -32601, NULL},
        {"and back", REQUEST("4", "ping", "{}"), 0, "{}"},
    };
    (void)state;
    EM_AUTO(peer) p;
    peer_open(&p, 0);
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        check_exchange(&p, &rows[i]);
}

/* ---- Tools --------------------------------------------------------------------------------- */

static void tools_are_described(void **state)
{
    (void)state;
    EM_AUTO(peer) p;
    peer_open(&p, 0);
    peer_initialize(&p, INITIALIZE("2024-11-05"));
    peer_say(&p, REQUEST("1", "tools/list", "{}"));
    json_t *result = json_object_get(only_answer(&p, "list"), "result");
    json_t *tools = json_object_get(result, "tools");
    assert_int_equal(json_object_size(result), 1);
    assert_int_equal(json_array_size(tools), COUNT_OF(peer_tools));
    for (size_t i = 0; i < COUNT_OF(peer_tools); i++) {
        json_t *tool = json_array_get(tools, i);
        assert_string_equal(json_string_value(json_object_get(tool, "name")), peer_tools[i]->name);
        assert_string_equal(json_string_value(json_object_get(tool, "title")),
                            peer_tools[i]->title);
        assert_string_equal(json_string_value(json_object_get(tool, "description")),
                            peer_tools[i]->description);
        assert_true(json_is_object(json_object_get(tool, "inputSchema")));
        assert_true(json_is_object(json_object_get(tool, "annotations")));
        assert_int_equal(json_is_object(json_object_get(tool, "outputSchema")),
                         peer_tools[i]->result != NULL);
    }
}

static void calls_are_answered(void **state)
{
    static const exchange rows[] = {
        {"text", REQUEST("1", "tools/call", "{\"name\":\"say\",\"arguments\":{\"n\":1}}"), 0,
         "{\"content\":[{\"type\":\"text\",\"text\":\"said here, over MCP\"}],\"isError\":false}"},
        {"arguments null", REQUEST("1", "tools/call", "{\"name\":\"say\",\"arguments\":null}"), 0,
         NULL},
        {"object", REQUEST("1", "tools/call", "{\"name\":\"count\"}"), 0,
         "{\"content\":[{\"type\":\"text\",\"text\":\"{\\\"n\\\":7}\"}],"
         "\"structuredContent\":{\"n\":7},\"isError\":false,\"_meta\":{\"emend/hash\":\"h\"}}"},
        {"object, stateless", REQUEST("1", "tools/call", "{\"name\":\"count\"," META "}"), 0,
         "{\"content\":[{\"type\":\"text\",\"text\":\"{\\\"n\\\":7}\"}],"
         "\"structuredContent\":{\"n\":7},\"isError\":false,\"resultType\":\"complete\","
         "\"_meta\":{\"emend/hash\":\"h\",\"io.modelcontextprotocol/serverInfo\":"
         "{\"name\":\"emend\",\"version\":\"" EMEND_VERSION "\"}}}"},
        {"failure", REQUEST("1", "tools/call", "{\"name\":\"fail\"}"), 0,
         "{\"content\":[{\"type\":\"text\",\"text\":\"caf\\ufffd\"}],\"isError\":true}"},
        {"out of memory", REQUEST("1", "tools/call", "{\"name\":\"starve\"}"), 0,
         "{\"content\":[{\"type\":\"text\",\"text\":\"INTERNAL_ERROR: out of memory: the call was "
         "given up\\nRead the file, or ask for its last edit, to see whether anything was changed; "
         "then send less at once\"}],\"isError\":true}"},
        {"arguments are a list", REQUEST("1", "tools/call", "{\"name\":\"say\",\"arguments\":[]}"),
         -32602, NULL},
        {"arguments are text", REQUEST("1", "tools/call", "{\"name\":\"say\",\"arguments\":\"\"}"),
         -32602, NULL},
        {"no name", REQUEST("1", "tools/call", "{}"), -32602, NULL},
        {"no params", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\"}", -32602, NULL},
        {"name of a wrong type", REQUEST("1", "tools/call", "{\"name\":7}"), -32602, NULL},
        {"unknown name", REQUEST("1", "tools/call", "{\"name\":\"xyzzy\"}"), -32602, NULL},
        {"NUL in a name", REQUEST("1", "tools/call", "{\"name\":\"say\\u0000\"}"), -32602, NULL},
    };
    (void)state;
    EM_AUTO(peer) p;
    peer_open(&p, 0);
    peer_initialize(&p, INITIALIZE("2025-06-18"));
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        check_exchange(&p, &rows[i]);
    assert_int_equal(p.logged, 1);
}

static void an_argument_beyond_64_bits_is_an_argument_error(void **state)
{
    (void)state;
    EM_AUTO(peer) p;
    peer_open(&p, 0);
    peer_initialize(&p, INITIALIZE("2025-06-18"));
    peer_say(&p, REQUEST("1", "tools/call",
                         "{\"name\":\"say\",\"arguments\":{\"n\":99999999999999999999}}"));
    json_t *result = json_object_get(only_answer(&p, "big"), "result");
    assert_true(json_is_true(json_object_get(result, "isError")));
}

static void an_unknown_tool_is_answered_with_the_nearest(void **state)
{
    (void)state;
    EM_AUTO(peer) p;
    peer_open(&p, 0);
    peer_initialize(&p, INITIALIZE("2025-06-18"));
    peer_say(&p, REQUEST("1", "tools/call", "{\"name\":\"cuont\"}"));
    check_json("nearest", only_answer(&p, "nearest"),
               "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32602,"
               "\"message\":\"Unknown tool: cuont. Did you mean count?\"}}");
}

/* ---- Lists of briefs ------------------------------------------------------------------------ */

/* Picks "count", by no argument at all. */
static em_status answer_pick(const em_call *call, em_answer *answer)
{
    answer->text = "picked";
    answer->picked = em_alloc_array(call->arena, 1, sizeof *answer->picked);
    answer->picked_count = 1;
    if (!answer->picked)
        return EM_E_NOMEM;
    answer->picked[0] = &tool_object;
    return EM_OK;
}

static const em_tool tool_pick = {.name = "pick",
                                  .title = "Pick",
                                  .brief = "Picks.",
                                  .description = "Picks it.",
                                  .flags = EM_TOOL_READ_ONLY | EM_TOOL_PICKS,
                                  .params = no_params,
                                  .run = answer_pick,
                                  .refuse = refuse_arguments};
static const em_tool *lazy_tools[] = {&tool_text, &tool_object, &tool_pick};
static const em_toolset lazy_toolset = {lazy_tools, COUNT_OF(lazy_tools)};

#define LIST REQUEST("1", "tools/list", "{}")
#define LIST_STATELESS REQUEST("1", "tools/list", "{" META "}")
#define PICK REQUEST("2", "tools/call", "{\"name\":\"pick\"}")
#define PICK_STATELESS REQUEST("2", "tools/call", "{\"name\":\"pick\"," META "}")
#define LIST_CHANGED                                                                               \
    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\",\"params\":{}}"

/* Which tools does the answer to `line` show in full? */
static void check_shown(peer *p, const char *line, bool say, bool count)
{
    const bool full[] = {say, count, true};
    json_array_clear(p->sent);
    peer_say(p, line);
    json_t *tools = json_object_get(json_object_get(only_answer(p, line), "result"), "tools");
    assert_int_equal(json_array_size(tools), COUNT_OF(full));
    for (size_t i = 0; i < COUNT_OF(full); i++) {
        json_t *tool = json_array_get(tools, i);
        json_t *schema = json_object_get(tool, "inputSchema");
        const em_tool *shown = lazy_tools[i];
        assert_string_equal(json_string_value(json_object_get(tool, "description")),
                            full[i] ? shown->description : shown->brief);
        assert_int_equal(json_object_get(tool, "outputSchema") != NULL, full[i] && shown->result);
        assert_true(json_is_object(json_object_get(tool, "annotations")));
        if (!full[i])
            check_json("open", schema, "{\"type\":\"object\",\"additionalProperties\":true}");
        else
            assert_non_null(json_object_get(schema, "properties"));
    }
}

/* Say `line`; is the client told that the list has changed, before the answer? */
static void check_told(peer *p, const char *line, bool told)
{
    json_array_clear(p->sent);
    peer_say(p, line);
    assert_int_equal(json_array_size(p->sent), told ? 2 : 1);
    if (told)
        check_json("told", json_array_get(p->sent, 0), LIST_CHANGED);
    assert_non_null(json_object_get(json_array_get(p->sent, told), "result"));
}

static void picked_tools_are_listed_in_full(void **state)
{
    (void)state;
    EM_AUTO(peer) p;
    peer_open_with(&p, 0, &lazy_toolset, EM_MCP_LAZY);
    peer_say(&p, INITIALIZE("2025-06-18"));
    json_t *result = json_object_get(only_answer(&p, "initialize"), "result");
    check_json("capabilities", json_object_get(result, "capabilities"),
               "{\"tools\":{\"listChanged\":true},\"logging\":{}}");
    check_shown(&p, LIST, false, false);
    check_told(&p, REQUEST("3", "tools/call", "{\"name\":\"count\"}"), false);
    check_told(&p, PICK, true);
    check_shown(&p, LIST, false, true);
    check_told(&p, PICK, false); /* nothing new */
    peer_say(&p, INITIALIZE("2025-06-18"));
    check_shown(&p, LIST, false, false);
}

static void what_is_picked_without_a_handshake_changes_nothing(void **state)
{
    (void)state;
    EM_AUTO(peer) p;
    peer_open_with(&p, 0, &lazy_toolset, EM_MCP_LAZY);
    check_told(&p, PICK_STATELESS, false);
    check_shown(&p, LIST_STATELESS, false, false);
    peer_say(&p, INITIALIZE("2025-06-18"));
    check_shown(&p, LIST, false, false);
    check_told(&p, PICK, true);
    check_shown(&p, LIST, false, true);
    check_shown(&p, LIST_STATELESS, false, false);
    static const exchange rows[] = {
        {"nothing to subscribe to",
         REQUEST("1", "subscriptions/listen",
                 "{\"notifications\":{\"toolsListChanged\":true}," META "}"),
         -32601, NULL},
        {"nor in the handshake", REQUEST("1", "subscriptions/listen", "{}"), -32601, NULL},
        {"discover", REQUEST("1", "server/discover", "{" META "}"), 0, NULL},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        check_exchange(&p, &rows[i]);
    json_t *result = json_object_get(only_answer(&p, "discover"), "result");
    check_json("capabilities", json_object_get(result, "capabilities"), "{\"tools\":{}}");
}

static void all_is_listed_in_full_unless_asked_otherwise(void **state)
{
    (void)state;
    EM_AUTO(peer) p;
    peer_open_with(&p, 0, &lazy_toolset, 0);
    peer_initialize(&p, INITIALIZE("2025-11-25"));
    check_shown(&p, LIST, true, true);
    check_told(&p, PICK, false);
    check_shown(&p, LIST_STATELESS, true, true);
}

/* ---- Progress, logs, second thoughts ------------------------------------------------------- */

static void progress_is_told_to_who_asked_for_it(void **state)
{
    (void)state;
    EM_AUTO(peer) p;
    peer_open(&p, 0);
    peer_initialize(&p, INITIALIZE("2025-03-26"));
    peer_say(&p,
             REQUEST("1", "tools/call", "{\"name\":\"say\",\"_meta\":{\"progressToken\":\"t\"}}"));
    assert_int_equal(json_array_size(p.sent), 4);
    check_json("first", json_array_get(p.sent, 0),
               "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{"
               "\"progressToken\":\"t\",\"progress\":1,\"message\":\"started\"}}");
    check_json("last", json_array_get(p.sent, 2),
               "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{"
               "\"progressToken\":\"t\",\"progress\":3,\"message\":\"planned\"}}");
    assert_non_null(json_object_get(json_array_get(p.sent, 3), "result"));
}

static void the_oldest_revision_has_no_word_for_progress(void **state)
{
    (void)state;
    EM_AUTO(peer) p;
    peer_open(&p, 0);
    peer_initialize(&p, INITIALIZE("2024-11-05"));
    peer_say(&p, REQUEST("1", "tools/call", "{\"name\":\"fail\",\"_meta\":{\"progressToken\":0}}"));
    check_json("first", json_array_get(p.sent, 0),
               "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{"
               "\"progressToken\":0,\"progress\":1}}");
}

static size_t log_messages(peer *p, const char *level, const char *line)
{
    char set[200];
    snprintf(set, sizeof set, REQUEST("1", "logging/setLevel", "{\"level\":\"%s\"}"), level);
    peer_say(p, set);
    json_array_clear(p->sent);
    peer_say(p, line);
    size_t count = json_array_size(p->sent) - 1;
    for (size_t i = 0; i < count; i++)
        assert_string_equal(
            json_string_value(json_object_get(json_array_get(p->sent, i), "method")),
            "notifications/message");
    return count;
}

static void calls_are_logged_at_the_level_asked_for(void **state)
{
    static const char done[] = REQUEST("2", "tools/call", "{\"name\":\"say\"}");
    static const char failed[] = REQUEST("2", "tools/call", "{\"name\":\"fail\"}");
    static const char stateless[] = REQUEST("2", "tools/call", "{\"name\":\"fail\"," META "}");
    (void)state;
    EM_AUTO(peer) p;
    peer_open(&p, 0);
    peer_initialize(&p, INITIALIZE("2025-06-18"));
    peer_say(&p, done);
    assert_int_equal(json_array_size(p.sent), 1);
    assert_int_equal(log_messages(&p, "debug", done), 1);
    assert_int_equal(log_messages(&p, "info", done), 1);
    assert_int_equal(log_messages(&p, "notice", done), 0);
    assert_int_equal(log_messages(&p, "warning", failed), 1);
    json_t *params = json_object_get(json_array_get(p.sent, 0), "params");
    assert_string_equal(json_string_value(json_object_get(params, "level")), "warning");
    assert_int_equal(log_messages(&p, "error", failed), 0);
    assert_int_equal(log_messages(&p, "debug", stateless), 0);
}

/* Whenever the client's second thought comes, nothing is sent from then on. */
static void nothing_is_sent_for_what_is_taken_back(void **state)
{
    (void)state;
    EM_AUTO(peer) p;
    peer_open(&p, 0);
    peer_initialize(&p, INITIALIZE("2025-06-18"));
    peer_say(&p, REQUEST("1", "logging/setLevel", "{\"level\":\"debug\"}"));
    const char *line =
        REQUEST("1", "tools/call", "{\"name\":\"say\",\"_meta\":{\"progressToken\":1}}");
    peer_say(&p, line);
    long looks = p.looks;
    assert_int_equal(looks, 6); /* before, three stages, behind the tool, behind all */
    for (long at = 1; at <= looks; at++) {
        json_array_clear(p.sent);
        peer_say_and_cancel(&p, line, at);
        for (size_t i = 0; i < json_array_size(p.sent); i++)
            assert_null(json_object_get(json_array_get(p.sent, i), "id"));
        assert_int_equal(json_array_size(p.sent), at <= 2 ? 0 : at - 2);
    }
}

static void cancellations_are_recognised(void **state)
{
    static const struct {
        const char *text, *id;
    } rows[] = {
        {"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":"
         "\"a\"}}",
         "\"a\""},
        {"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\"}", NULL},
        {"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":[1]}", NULL},
        {"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/other\",\"params\":{\"requestId\":1}}",
         NULL},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"notifications/cancelled\",\"params\":{"
         "\"requestId\":1}}",
         NULL},
        {"nonsense", NULL},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        em_rpc_line *line = em_rpc_read(em_slice_of(rows[i].text));
        const json_t *id = em_mcp_cancels(&line->messages[0]);
        assert_int_equal(id != NULL, rows[i].id != NULL);
        if (rows[i].id)
            check_json(rows[i].text, id, rows[i].id);
        em_rpc_line_free(line);
    }
}

/* ---- Messages that are none, batches ------------------------------------------------------- */

static void what_cannot_be_read_is_answered_by_era(void **state)
{
    static const struct {
        const char *line, *before, *after;
    } rows[] = {
        {"{oops", "{\"code\":-32700}", "{\"code\":-32700,\"id\":null}"},
        {"{}", "{\"code\":-32600}", "{\"code\":-32600,\"id\":null}"},
        {"{\"jsonrpc\":\"2.0\",\"id\":3}", "{\"code\":-32600,\"id\":3}",
         "{\"code\":-32600,\"id\":3}"},
        {"[7]", "{\"code\":-32600}", "{\"code\":-32600,\"id\":null}"},
        {"{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"x\",\"params\":{" META "}}",
         "{\"code\":-32600}", "{\"code\":-32600}"},
    };
    (void)state;
    for (size_t i = 0; i < 2 * COUNT_OF(rows); i++) {
        EM_AUTO(peer) p;
        peer_open(&p, 0);
        if (i % 2 == 1)
            peer_initialize(&p, INITIALIZE("2025-06-18"));
        peer_say(&p, rows[i / 2].line);
        json_t *answer = only_answer(&p, rows[i / 2].line);
        json_t *code = json_object_get(json_object_get(answer, "error"), "code");
        json_t *seen = json_pack("{s:O, s:O*}", "code", code, "id", json_object_get(answer, "id"));
        check_json(rows[i / 2].line, seen, i % 2 == 1 ? rows[i / 2].after : rows[i / 2].before);
        json_decref(seen);
    }
}

static void notifications_and_answers_are_not_answered(void **state)
{
    static const char *const lines[] = {
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"tools/call\",\"params\":{\"name\":\"starve\"}}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1,\"message\":\"m\"}}",
    };
    (void)state;
    EM_AUTO(peer) p;
    peer_open(&p, 0);
    peer_initialize(&p, INITIALIZE("2025-06-18"));
    for (size_t i = 0; i < COUNT_OF(lines); i++)
        peer_say(&p, lines[i]);
    assert_int_equal(json_array_size(p.sent), 0);
    assert_int_equal(p.logged, 0);
}

static void one_revision_has_batches(void **state)
{
    (void)state;
    EM_AUTO(peer) p;
    peer_open(&p, 0);
    assert_false(em_mcp_takes_batches(p.mcp));
    peer_initialize(&p, INITIALIZE("2025-03-26"));
    assert_true(em_mcp_takes_batches(p.mcp));
    peer_say(&p,
             "[" REQUEST("1", "ping",
                         "{}") ",7,"
                               "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}," //
             REQUEST("2", "ping", "{" META "}") "," INITIALIZE("2025-06-18") "]");
    json_t *answers = only_answer(&p, "batch");
    assert_int_equal(json_array_size(answers), 4);
    check_json("1", json_array_get(answers, 0), "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
    for (size_t i = 1; i < 4; i++) {
        json_t *error = json_object_get(json_array_get(answers, i), "error");
        assert_int_equal(json_integer_value(json_object_get(error, "code")), -32600);
    }
    json_array_clear(p.sent);
    peer_say(&p, "[{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}]");
    assert_int_equal(json_array_size(p.sent), 0);
    peer_say(&p, "[]");
    check_json("empty", json_object_get(json_object_get(only_answer(&p, "empty"), "error"), "code"),
               "-32600");
}

/* ---- Want of memory ------------------------------------------------------------------------ */

/* The ids of the answers, each of which must be an error of our own, in one text. */
static const char *ids_of_failures(json_t *answers)
{
    static char ids[100];
    size_t used = 0;
    for (size_t i = 0; i < json_array_size(answers); i++) {
        json_t *answer = json_array_get(answers, i);
        json_t *error = json_object_get(answer, "error");
        assert_int_equal(json_integer_value(json_object_get(error, "code")), -32603);
        used += json_dumpb(json_object_get(answer, "id"), ids + used, sizeof ids - used - 1,
                           JSON_ENCODE_ANY);
    }
    ids[used] = '\0';
    return ids;
}

static void an_answer_that_cannot_be_held_is_answered_by_an_error(void **state)
{
    static const struct {
        const char *line, *ids;
        bool is_batch;
    } rows[] = {
        {REQUEST("1", "ping", "{}"), "1", false},
        {"[" REQUEST("1", "ping", "{}") "]", "1", true},
        {"[" REQUEST("1", "ping", "{}") ",{\"jsonrpc\":\"2.0\",\"method\":\"x\"},7," //
         REQUEST("\"a\"", "tools/list", "{}") "]",
         "1null\"a\"", true},
    };
    (void)state;
    EM_AUTO(peer) p;
    peer_open(&p, 0);
    peer_initialize(&p, INITIALIZE("2025-03-26"));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        p.lost = 1;
        p.logged = 0;
        peer_say(&p, rows[i].line);
        json_t *answers = rows[i].is_batch ? only_answer(&p, rows[i].line) : p.sent;
        assert_string_equal(ids_of_failures(answers), rows[i].ids);
        assert_int_equal(p.logged, 1);
        json_array_clear(p.sent);
        em_rpc_line *line = em_rpc_read(em_slice_of(rows[i].line));
        p.lost = 2; /* nor can that be said */
        assert_false(em_mcp_handle(p.mcp, line, &p.link));
        em_rpc_line_free(line);
    }
}

static void want_of_memory_is_answered(void **state)
{
    static const char *const lines[] = {
        INITIALIZE("2025-03-26"),
        REQUEST("1", "tools/list", "{" META "}"),
        REQUEST("1", "server/discover", "{" META "}"),
        REQUEST("1", "tools/call",
                "{\"name\":\"count\",\"_meta\":{\"" CLIENT_KEY
                "protocolVersion\":\"2026-07-28\",\"" CLIENT_KEY
                "clientCapabilities\":{},\"" CLIENT_KEY "clientInfo\":{\"name\":\"me\"},"
                "\"progressToken\":1}}"),
        REQUEST("1", "tools/call", "{\"name\":\"sya\"}"),
        REQUEST("1", "tools/list", "{\"_meta\":{\"" CLIENT_KEY "protocolVersion\":\"1\"}}"),
        "[" REQUEST("1", "ping", "{}") "]",
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        bool failed = true;
        for (long nth = 0; failed; nth += CASE_STRIDE) {
            EM_AUTO(peer) p;
            peer_open(&p, 0);
            peer_initialize(&p, INITIALIZE("2025-03-26"));
            em_rpc_line *line = em_rpc_read(em_slice_of(lines[i]));
            scarce_begin(nth);
            assert_true(em_mcp_handle(p.mcp, line, &p.link));
            failed = scarce_end();
            assert_true(json_array_size(p.sent) > 0);
            em_rpc_line_free(line);
        }
    }
}

static void a_peer_needs_memory(void **state)
{
    (void)state;
    scarce_begin(0);
    assert_null(em_mcp_new(NULL, &peer_toolset, 0));
    assert_true(scarce_end());
    em_mcp_free(NULL);
}

/* ---- Replaced files ------------------------------------------------------------------------ */

static void nothing_kept_is_nothing_due(void **state)
{
    (void)state;
    EM_AUTO(peer) p;
    peer_open(&p, 0);
    assert_int_equal(em_mcp_due_ms(p.mcp), -1);
    em_mcp_do_due(p.mcp, true, &p.link);
    assert_int_equal(p.logged, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(versions_are_agreed_upon),
        cmocka_unit_test(before_the_handshake_only_ping_is_answered),
        cmocka_unit_test(the_handshake_has_its_methods),
        cmocka_unit_test(a_stateless_request_carries_all_it_needs),
        cmocka_unit_test(an_unsupported_version_is_answered_with_those_that_are),
        cmocka_unit_test(discovery_tells_what_there_is),
        cmocka_unit_test(both_eras_can_be_mixed),
        cmocka_unit_test(tools_are_described),
        cmocka_unit_test(calls_are_answered),
        cmocka_unit_test(an_argument_beyond_64_bits_is_an_argument_error),
        cmocka_unit_test(an_unknown_tool_is_answered_with_the_nearest),
        cmocka_unit_test(picked_tools_are_listed_in_full),
        cmocka_unit_test(what_is_picked_without_a_handshake_changes_nothing),
        cmocka_unit_test(all_is_listed_in_full_unless_asked_otherwise),
        cmocka_unit_test(progress_is_told_to_who_asked_for_it),
        cmocka_unit_test(the_oldest_revision_has_no_word_for_progress),
        cmocka_unit_test(calls_are_logged_at_the_level_asked_for),
        cmocka_unit_test(nothing_is_sent_for_what_is_taken_back),
        cmocka_unit_test(cancellations_are_recognised),
        cmocka_unit_test(what_cannot_be_read_is_answered_by_era),
        cmocka_unit_test(notifications_and_answers_are_not_answered),
        cmocka_unit_test(one_revision_has_batches),
        cmocka_unit_test(an_answer_that_cannot_be_held_is_answered_by_an_error),
        cmocka_unit_test(want_of_memory_is_answered),
        cmocka_unit_test(a_peer_needs_memory),
        cmocka_unit_test(nothing_kept_is_nothing_due),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
