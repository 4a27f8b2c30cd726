#include "peer.h"
#include "sanitized.h"
#include "scarce.h"

#include "dialects/registry.h"
#include "serve/seal.h"

#include <string.h>

/* ---- A client that is asked ------------------------------------------------------------------ */

typedef struct asked {
    peer p;
    em_approvals *approvals;
    const char *says; /* what the client answers to a question: `result` as JSON; NULL: nothing */
    em_ruling page;   /* what the page says, at the first look, if `has_page` */
    bool page_decides;
    bool cancels; /* the client takes the call back while it waits */
    bool goes;    /* nothing comes from it any more */
    int paused;
    size_t pauses;
} asked;

/* The id of what the client was asked last. */
static json_t *question_of(const asked *a)
{
    for (size_t i = json_array_size(a->p.sent); i > 0; i--) {
        const json_t *message = json_array_get(a->p.sent, i - 1);
        if (em_json_is(json_object_get(message, "method"), "elicitation/create"))
            return json_object_get(message, "id");
    }
    return NULL;
}

static void respond(asked *a)
{
    json_t *id = question_of(a);
    if (!id || !a->says)
        return;
    char text[1000];
    snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"id\":\"%s\",%s}", json_string_value(id),
             a->says);
    long left = scarce_left; /* the client has memory */
    scarce_left = -1;
    em_rpc_line *line = em_rpc_read(em_slice_of(text));
    scarce_left = left;
    em_mcp_respond(a->p.mcp, &line->messages[0]);
    em_rpc_line_free(line);
}

static void decide_at_page(asked *a)
{
    EM_AUTO(em_arena) arena = {0};
    em_waiting_list list;
    long left = scarce_left; /* the page has memory */
    scarce_left = -1;
    assert_int_equal(em_approvals_list(a->approvals, &arena, &list), EM_OK);
    scarce_left = left;
    if (list.count > 0)
        em_approvals_decide(a->approvals, list.items[0].id, &a->page);
}

static void live_a_moment(asked *a)
{
    respond(a);
    if (a->page_decides)
        decide_at_page(a);
    if (a->cancels)
        ((em_rpc_message *)a->p.victim)->cancelled = true;
}

static bool asked_wait(void *context, long ms)
{
    asked *a = context;
    assert_true(ms > 0);
    assert_int_equal(a->paused, 1);
    live_a_moment(a);
    return !a->goes && (question_of(a) || a->page_decides); /* else nobody was asked */
}

static bool asked_send(void *context, const json_t *message)
{
    return peer_send(&((asked *)context)->p, message);
}

static void asked_look(void *context)
{
    asked *a = context;
    if (a->paused)
        live_a_moment(a);
}

static void asked_log(void *context, const char *sentence)
{
    peer_log(&((asked *)context)->p, sentence);
}

static void asked_pause(void *context)
{
    asked *a = context;
    a->paused++;
    a->pauses++;
}

static void asked_resume(void *context)
{
    ((asked *)context)->paused--;
}

static em_toolset all_tools(em_arena *arena)
{
    em_toolset set;
    em_error err = EM_ERROR_INIT;
    assert_int_equal(em_toolset_choose("all", false, arena, &set, &err), EM_OK);
    return set;
}

static void asked_write(const asked *a, const char *text)
{
    char path[100];
    snprintf(path, sizeof path, "%s/a.txt", a->p.base);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void check_text(const asked *a, const char *text)
{
    char path[100], got[100];
    snprintf(path, sizeof path, "%s/a.txt", a->p.base);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    got[fread(got, 1, sizeof got - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(got, text);
}

static void asked_open(asked *a, const em_toolset *tools, em_approvals_options options)
{
    em_error err = EM_ERROR_INIT;
    *a = (asked){.says = NULL};
    peer_open_with(&a->p, 0, tools, 0);
    options.sealer = &em_sealer_hmac;
    assert_int_equal(em_approvals_new(&options, &a->approvals, &err), EM_OK);
    em_mcp_set_approvals(a->p.mcp, a->approvals);
    a->p.link = (em_link){.context = a,
                          .send = asked_send,
                          .look = asked_look,
                          .log = asked_log,
                          .pause = asked_pause,
                          .resume = asked_resume,
                          .wait = asked_wait};
    asked_write(a, "one\n");
}

static void asked_drop(asked *a)
{
    peer_drop(&a->p);
    em_approvals_free(a->approvals);
}

#define HANDSHAKE(capabilities)                                                                    \
    REQUEST("0", "initialize",                                                                     \
            "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":" capabilities ","               \
            "\"clientInfo\":{\"name\":\"test\",\"version\":\"1\"}}")
#define ELICITS "{\"elicitation\":{}}"
#define ARGUMENTS "{\"file_path\":\"a.txt\",\"old_string\":\"one\",\"new_string\":\"two\"}"
#define EDIT REQUEST("1", "tools/call", "{\"name\":\"edit_file\",\"arguments\":" ARGUMENTS "}")
#define EDIT_WITH_PROGRESS                                                                         \
    REQUEST("1", "tools/call",                                                                     \
            "{\"name\":\"edit_file\",\"arguments\":" ARGUMENTS                                     \
            ",\"_meta\":{\"progressToken\":1}}")
#define STATELESS(capabilities, more)                                                              \
    REQUEST("1", "tools/call",                                                                     \
            "{\"name\":\"edit_file\",\"arguments\":" ARGUMENTS more                                \
            ",\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","              \
            "\"io.modelcontextprotocol/clientCapabilities\":" capabilities "}}")
#define SAYS(action, content) "\"result\":{\"action\":\"" action "\",\"content\":" content "}"

static const json_t *result_of(const asked *a)
{
    const json_t *last = json_array_get(a->p.sent, json_array_size(a->p.sent) - 1);
    return json_object_get(last, "result");
}

static const char *text_of(const asked *a)
{
    const json_t *block = json_array_get(json_object_get(result_of(a), "content"), 0);
    const char *text = json_string_value(json_object_get(block, "text"));
    return text ? text : "";
}

static size_t sent_with(const asked *a, const char *method)
{
    size_t count = 0;
    for (size_t i = 0; i < json_array_size(a->p.sent); i++)
        count += em_json_is(json_object_get(json_array_get(a->p.sent, i), "method"), method);
    return count;
}

/* Why the client was told to ask no more; "" where it was not. */
static const char *reason_of(const asked *a)
{
    for (size_t i = 0; i < json_array_size(a->p.sent); i++) {
        const json_t *message = json_array_get(a->p.sent, i);
        if (em_json_is(json_object_get(message, "method"), "notifications/cancelled"))
            return json_string_value(json_object_get(json_object_get(message, "params"), "reason"));
    }
    return "";
}

/* ---- Who decides --------------------------------------------------------------------------- */

static void the_client_the_page_or_nobody_decides(void **state)
{
    static const struct {
        const char *what;
        bool has_page, ask_clients;
        const char *capabilities;
        const char *says;
        bool page_decides, page_says, no_wait;
        const char *left, *text;
        size_t questions, taken_back;
    } rows[] = {
        {"the client allows", false, true, ELICITS, SAYS("accept", "{\"allow\":true}"), false,
         false, false, "two\n", "Successfully", 1, 0},
        {"the client refuses", true, true, ELICITS, SAYS("decline", "null"), false, false, false,
         "one\n", "refused the change", 1, 0},
        {"the page allows, the client has not said anything", true, true, ELICITS, NULL, true, true,
         false, "two\n", "Successfully", 1, 1},
        {"the page refuses after the client would not say", true, true, ELICITS,
         SAYS("cancel", "{}"), true, false, false, "one\n", "refused the change of a.txt: page", 1,
         0},
        {"the client fails, the page allows", true, true, ELICITS, "\"error\":{}", true, true, true,
         "two\n", "Successfully", 1, 0},
        {"the client would not say, and there is no page", false, true, ELICITS,
         SAYS("cancel", "{}"), false, false, false, "one\n", "the question was dismissed", 1, 0},
        {"what it says is no answer", false, true, ELICITS, SAYS("accept", "{\"allow\":1}"), false,
         false, false, "one\n", "the client sent no answer", 1, 0},
        {"clients are not asked", true, false, ELICITS, SAYS("accept", "{\"allow\":true}"), true,
         false, true, "one\n", "refused", 0, 0},
        {"the client cannot ask", true, true, "{}", NULL, true, true, true, "two\n", "Successfully",
         0, 0},
        {"nobody can", false, true, "{}", NULL, false, false, false, "one\n", "Cause: cannot_ask",
         0, 0},
        {"it asks by pages of its own only", false, true, "{\"elicitation\":{\"url\":{}}}", NULL,
         false, false, false, "one\n", "Cause: cannot_ask", 0, 0},
        {"it asks in both ways", false, true, "{\"elicitation\":{\"url\":{},\"form\":{}}}",
         SAYS("accept", "{\"allow\":true}"), false, false, false, "two\n", "Successfully", 1, 0},
    };
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_toolset tools = all_tools(&arena);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        EM_AUTO(asked) a;
        char hello[400];
        asked_open(&a, &tools,
                   (em_approvals_options){.has_page = rows[i].has_page,
                                          .ask_clients = rows[i].ask_clients});
        a.says = rows[i].says;
        a.page_decides = rows[i].page_decides;
        a.page = (em_ruling){.yes = rows[i].page_says, .reason = "page", .judge = EM_JUDGE_PAGE};
        if (rows[i].no_wait)
            a.p.link.wait = NULL;
        snprintf(hello, sizeof hello, HANDSHAKE("%s"), rows[i].capabilities);
        peer_initialize(&a.p, hello);
        peer_say(&a.p, EDIT);
        if (!strstr(text_of(&a), rows[i].text))
            fail_msg("%s: %s", rows[i].what, text_of(&a));
        check_text(&a, rows[i].left);
        assert_int_equal(sent_with(&a, "elicitation/create"), rows[i].questions);
        assert_int_equal(sent_with(&a, "notifications/cancelled"), rows[i].taken_back);
        assert_string_equal(reason_of(&a), rows[i].taken_back ? "it was decided elsewhere" : "");
        assert_int_equal(a.paused, 0);
    }
}

static void what_was_said_too_late_or_taken_back(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_toolset tools = all_tools(&arena);
    em_approvals_options options = {.has_page = true, .ask_clients = true, .timeout_ms = 1};
    EM_AUTO(asked) late, cancelled, gone;
    asked_open(&late, &tools, options);
    peer_initialize(&late.p, HANDSHAKE(ELICITS));
    peer_say(&late.p, EDIT);
    assert_non_null(
        strstr(text_of(&late), "Nobody said yes to the change of a.txt: it waited for"));
    assert_string_equal(reason_of(&late), "time is up");
    options.timeout_ms = 0;
    asked_open(&cancelled, &tools, options);
    cancelled.cancels = true;
    peer_initialize(&cancelled.p, HANDSHAKE(ELICITS));
    peer_say(&cancelled.p, EDIT);
    assert_null(result_of(&cancelled));
    assert_string_equal(reason_of(&cancelled), "the call was cancelled");
    check_text(&cancelled, "one\n");
    asked_open(&gone, &tools, options);
    gone.goes = true;
    peer_initialize(&gone.p, HANDSHAKE(ELICITS));
    peer_say(&gone.p, EDIT);
    assert_non_null(strstr(text_of(&gone), "nobody can be asked any more"));
    assert_string_equal(reason_of(&gone), "nobody waits for the answer any more");
}

static void too_many_are_refused_at_once(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_toolset tools = all_tools(&arena);
    em_intended item = {.path = "/x", .rel = "x", .diff = ""};
    em_waiting other = {.tool = "t", .arguments = "{}", .items = &item, .count = 1};
    uint64_t id;
    EM_AUTO(asked) a;
    asked_open(&a, &tools, (em_approvals_options){.has_page = true, .most = 1});
    assert_int_equal(em_approvals_add(a.approvals, &other, &id), EM_ADMITTED);
    peer_initialize(&a.p, HANDSHAKE("{}"));
    peer_say(&a.p, EDIT);
    assert_non_null(strstr(text_of(&a), "too many changes wait for a yes already"));
    assert_int_equal(a.pauses, 0);
    em_approvals_withdraw(a.approvals, id);
}

static void a_server_that_ends_asks_nobody(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_toolset tools = all_tools(&arena);
    EM_AUTO(asked) a;
    asked_open(&a, &tools, (em_approvals_options){.has_page = true});
    peer_initialize(&a.p, HANDSHAKE("{}"));
    em_approvals_close(a.approvals);
    peer_say(&a.p, EDIT);
    assert_non_null(strstr(text_of(&a), "nobody can be asked any more"));
    assert_int_equal(a.pauses, 0);
}

static void an_answer_to_nothing_is_nothing(void **state)
{
    static const char *const rows[] = {
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}",
        "{\"jsonrpc\":\"2.0\",\"id\":\"emend-change-\",\"result\":{\"action\":\"decline\"}}",
        "{\"jsonrpc\":\"2.0\",\"id\":\"emend-change-1x\",\"result\":{\"action\":\"decline\"}}",
        "{\"jsonrpc\":\"2.0\",\"id\":\"emend-change-7\",\"result\":{\"action\":\"decline\"}}",
        "{\"jsonrpc\":\"2.0\",\"id\":\"other\",\"result\":{\"action\":\"decline\"}}",
    };
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_toolset tools = all_tools(&arena);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        EM_AUTO(asked) a;
        EM_AUTO(peer) without;
        asked_open(&a, &tools, (em_approvals_options){.ask_clients = true});
        peer_open(&without, 0);
        em_rpc_line *line = em_rpc_read(em_slice_of(rows[i]));
        assert_false(em_mcp_respond(a.p.mcp, &line->messages[0]));
        assert_false(em_mcp_respond(without.mcp, &line->messages[0]));
        em_rpc_line_free(line);
        peer_say(&a.p, rows[i]);
        assert_int_equal(json_array_size(a.p.sent), 0);
    }
}

static void progress_goes_on_from_the_one_half_to_the_other(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_toolset tools = all_tools(&arena);
    EM_AUTO(asked) a;
    asked_open(&a, &tools, (em_approvals_options){.ask_clients = true});
    a.says = SAYS("accept", "{\"allow\":true}");
    peer_initialize(&a.p, HANDSHAKE(ELICITS));
    peer_say(&a.p, EDIT_WITH_PROGRESS);
    json_int_t steps = 0;
    for (size_t i = 0; i < json_array_size(a.p.sent); i++) {
        const json_t *params = json_object_get(json_array_get(a.p.sent, i), "params");
        const json_t *step = json_object_get(params, "progress");
        assert_true(!step || json_integer_value(step) == ++steps);
    }
    assert_int_equal(steps, 5); /* started, read, planned; read, planned */
}

/* ---- The stateless era ----------------------------------------------------------------------- */

static void a_stateless_client_is_asked_in_the_answer(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_toolset tools = all_tools(&arena);
    EM_AUTO(asked) a;
    char line[1500], kept[200];
    asked_open(&a, &tools, (em_approvals_options){.has_page = true, .ask_clients = true});
    peer_say(&a.p, STATELESS(ELICITS, ""));
    assert_string_equal(json_string_value(json_object_get(result_of(&a), "resultType")),
                        "input_required");
    snprintf(kept, sizeof kept, "%s",
             json_string_value(json_object_get(result_of(&a), "requestState")));
    assert_int_equal(a.pauses, 0);
    check_text(&a, "one\n");
    snprintf(line, sizeof line,
             STATELESS(ELICITS, ",\"requestState\":\"%s\",\"inputResponses\":{\"change\":{"
                                "\"action\":\"accept\",\"content\":{\"allow\":true}}}"),
             kept);
    peer_say(&a.p, line);
    assert_non_null(strstr(text_of(&a), "Successfully"));
    check_text(&a, "two\n");
}

/* Nothing is sealed here: then a stateless client waits for the page like any other. */
static void without_a_sealer_the_page_is_asked(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_toolset tools = all_tools(&arena);
    em_approvals_options options = {.has_page = true, .ask_clients = true};
    em_error err = EM_ERROR_INIT;
    EM_AUTO(asked) a;
    asked_open(&a, &tools, options);
    em_approvals_free(a.approvals);
    assert_int_equal(em_approvals_new(&options, &a.approvals, &err), EM_OK);
    em_mcp_set_approvals(a.p.mcp, a.approvals);
    a.page_decides = true;
    a.page = (em_ruling){.yes = true};
    peer_say(&a.p, STATELESS(ELICITS, ",\"requestState\":7"));
    assert_non_null(strstr(text_of(&a), "Successfully"));
    assert_int_equal(a.pauses, 1);
}

/* ---- Watching ------------------------------------------------------------------------------ */

typedef struct seen {
    size_t calls, files, told;
    char text[500];
} seen;

static void note_call(void *context, const em_mcp_called *called)
{
    seen *s = context;
    s->calls++;
    s->files += called->file_count;
    snprintf(s->text, sizeof s->text, "%s|%s|%d|%d|%s|%d|%zu|%s|%d%d%d",
             called->tool ? called->tool : "-", called->client ? called->client : "-",
             called->is_error, called->code, called->text[0] ? "text" : "", called->verdict,
             called->file_count, called->file_count ? em_cause_name(called->files[0].cause) : "",
             called->is_asked, called->stateless, called->is_unknown);
}

static void note_file(void *context, const em_observed *observed)
{
    seen *s = context;
    assert_non_null(observed->path);
    s->told++;
}

static void each_call_is_told_once(void **state)
{
    static const struct {
        const char *line;
        bool allow;
        const char *told;
    } rows[] = {
        {EDIT, true, "edit_file|test|0|0|text|1|1||000"},
        {EDIT, false, "edit_file|test|1|0|text|2|1|refused|000"},
        {REQUEST("1", "tools/call",
                 "{\"name\":\"edit_file\",\"arguments\":{\"file_path\":\"a.txt\","
                 "\"old_string\":\"none\",\"new_string\":\"x\"}}"),
         true, "edit_file|test|1|0|text|0|1|not_found|000"},
        {REQUEST("1", "tools/call", "{\"name\":\"edit_file\",\"arguments\":{\"path\":7}}"), true,
         "edit_file|test|1|0|text|0|0||000"},
        {REQUEST("1", "tools/call",
                 "{\"name\":\"read_file\",\"arguments\":{\"file_path\":"
                 "\"a.txt\"}}"),
         true, "read_file|test|0|0|text|0|0||000"},
        {REQUEST("1", "tools/call", "{\"name\":\"none\"}"), true, "none|-|1|-32602|text|0|0||001"},
        {REQUEST("1", "tools/call", "{\"name\":\"edit_file\",\"arguments\":[]}"), true,
         "edit_file|-|1|-32602|text|0|0||000"},
        {REQUEST("1", "tools/call", "{}"), true, "-|-|1|-32602|text|0|0||001"},
        {STATELESS(ELICITS, ""), true, "edit_file|-|0|0||0|0||110"},
    };
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_toolset tools = all_tools(&arena);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        EM_AUTO(asked) a;
        seen s = {0};
        asked_open(&a, &tools, (em_approvals_options){.ask_clients = true});
        a.says = rows[i].allow ? SAYS("accept", "{\"allow\":true}") : SAYS("decline", "{}");
        em_mcp_set_observer(a.p.mcp, note_call, &s);
        em_session_set_observer(a.p.session, (em_observer){note_file, &s});
        peer_initialize(&a.p, HANDSHAKE(ELICITS));
        peer_say(&a.p, rows[i].line);
        assert_int_equal(s.calls, 1);
        assert_string_equal(s.text, rows[i].told);
        assert_int_equal(s.told, s.files);
    }
}

static void who_watches_a_session_is_told_without_a_server_to_watch(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_toolset tools = all_tools(&arena);
    EM_AUTO(asked) a;
    seen s = {0};
    asked_open(&a, &tools, (em_approvals_options){.ask_clients = true});
    a.says = SAYS("accept", "{\"allow\":true}");
    em_session_set_observer(a.p.session, (em_observer){note_file, &s});
    peer_initialize(&a.p, HANDSHAKE(ELICITS));
    peer_say(&a.p, EDIT);
    assert_int_equal(s.told, 1);
    em_mcp_set_approvals(a.p.mcp, NULL);
    peer_say(&a.p, EDIT);
    assert_int_equal(s.told, 2);
}

/* ---- Questions ------------------------------------------------------------------------------- */

/* Many files, and one with a long line: what is shown has a bound, and whole lines. */
static void a_question_has_a_bound(void **state)
{
    static const char many[] = "{\"name\":\"writeFiles\",\"arguments\":{\"files\":[%s]}}";
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(em_strbuf) list = {0};
    em_toolset tools = all_tools(&arena);
    for (int i = 0; i < 30; i++)
        em_strbuf_printf(&list, "%s{\"file\":\"f%d\",\"content\":\"%0500d\\n\"}", i > 0 ? "," : "",
                         i, i);
    char *params = em_arena_format(&arena, many, em_strbuf_finish(&list, &arena));
    char *line = em_arena_format(
        &arena, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":%s}", params);
    EM_AUTO(asked) a;
    asked_open(&a, &tools, (em_approvals_options){.ask_clients = true});
    a.says = SAYS("decline", "{}");
    peer_initialize(&a.p, HANDSHAKE(ELICITS));
    peer_say(&a.p, line);
    const json_t *asks = json_object_get(json_array_get(a.p.sent, 0), "params");
    const char *message = json_string_value(json_object_get(asks, "message"));
    assert_non_null(
        strstr(message, "writeFiles wants to change 30 files:\nf0 (new file, +1 -0)\n"));
    assert_non_null(strstr(message, "\n... and 10 more\n"));
    assert_non_null(strstr(message, "\n(The diff is cut.)\n"));
    assert_true(strlen(message) < 6000);
}

/* ---- Memory -------------------------------------------------------------------------------- */

/* A whole call with a question, in either era: whatever fails for want of memory, the file is as it
 * was or as it was allowed, and nothing waits afterwards. */
static bool live(const em_toolset *tools, const char *line, long nth)
{
    EM_AUTO(asked) a;
    EM_AUTO(em_arena) arena = {0};
    em_waiting_list list;
    seen s = {0};
    asked_open(&a, tools, (em_approvals_options){.ask_clients = true});
    a.says = SAYS("accept", "{\"allow\":true}");
    em_mcp_set_observer(a.p.mcp, note_call, &s);
    peer_initialize(&a.p, HANDSHAKE(ELICITS));
    em_rpc_line *read = em_rpc_read(em_slice_of(line));
    a.p.victim = &read->messages[0];
    scarce_begin(nth);
    em_mcp_handle(a.p.mcp, read, &a.p.link);
    bool hit = scarce_end();
    em_rpc_line_free(read);
    assert_int_equal(a.paused, 0);
    assert_int_equal(em_approvals_list(a.approvals, &arena, &list), EM_OK);
    assert_int_equal(list.count, 0);
    if (!hit)
        assert_true(strstr(text_of(&a), "Successfully") ||
                    json_object_get(result_of(&a), "requestState"));
    return hit;
}

static void want_of_memory_never_writes_what_was_not_allowed(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_toolset tools = all_tools(&arena);
    for (long nth = 0; live(&tools, EDIT_WITH_PROGRESS, nth); nth += CASE_STRIDE)
        ;
    for (long nth = 0; live(&tools, STATELESS(ELICITS, ""), nth); nth += CASE_STRIDE)
        ;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_client_the_page_or_nobody_decides),
        cmocka_unit_test(what_was_said_too_late_or_taken_back),
        cmocka_unit_test(too_many_are_refused_at_once),
        cmocka_unit_test(a_server_that_ends_asks_nobody),
        cmocka_unit_test(an_answer_to_nothing_is_nothing),
        cmocka_unit_test(progress_goes_on_from_the_one_half_to_the_other),
        cmocka_unit_test(a_stateless_client_is_asked_in_the_answer),
        cmocka_unit_test(without_a_sealer_the_page_is_asked),
        cmocka_unit_test(each_call_is_told_once),
        cmocka_unit_test(who_watches_a_session_is_told_without_a_server_to_watch),
        cmocka_unit_test(a_question_has_a_bound),
        cmocka_unit_test(want_of_memory_never_writes_what_was_not_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
