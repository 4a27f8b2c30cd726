/* peer.h: a server over a folder of its own, with tools that only answer, and a client that keeps
 * what it is sent. */
#ifndef EM_TESTS_UNIT_SERVE_PEER_H
#define EM_TESTS_UNIT_SERVE_PEER_H

#include "../../remove_tree.h"
#include "check.h"

#include "serve/mcp.h"

#include <stdlib.h>
#include <unistd.h>

/* ---- Tools --------------------------------------------------------------------------------- */

static em_status answer_text(const em_call *call, em_answer *answer)
{
    if (call->progress) {
        call->progress(call->progress_context, EM_STAGE_READ);
        call->progress(call->progress_context, EM_STAGE_PLANNED);
    }
    answer->text = em_arena_format(call->arena, "said %s, %s", call->stateless ? "once" : "here",
                                   call->over_mcp ? "over MCP" : "directly");
    return answer->text ? EM_OK : EM_E_NOMEM;
}

static em_status answer_object(const em_call *call, em_answer *answer)
{
    (void)call;
    answer->object = json_pack("{s:i}", "n", 7);
    answer->meta = json_pack("{s:s}", "emend/hash", "h");
    return answer->object && answer->meta ? EM_OK : EM_E_NOMEM;
}

static em_status answer_failure(const em_call *call, em_answer *answer)
{
    (void)call;
    answer->is_error = true;
    answer->text = "caf\xe9";
    return EM_OK;
}

static em_status answer_nothing(const em_call *call, em_answer *answer)
{
    (void)call;
    (void)answer;
    return EM_E_NOMEM;
}

static em_status refuse_arguments(const em_call *call, const em_call_refusal *refusal,
                                  em_answer *answer)
{
    (void)call;
    answer->is_error = true;
    answer->text = refusal->message;
    return EM_OK;
}

static const em_param no_params[] = {{.name = NULL}};
static const em_param number_params[] = {
    {.name = "n", .type = EM_P_INTEGER, .help = "A number."},
    {.name = NULL},
};
static const em_tool tool_text = {.name = "say",
                                  .title = "Say",
                                  .brief = "Says.",
                                  .description = "Says it.",
                                  .flags = EM_TOOL_READ_ONLY,
                                  .params = number_params,
                                  .run = answer_text,
                                  .refuse = refuse_arguments};
static const em_tool tool_object = {.name = "count",
                                    .title = "Count",
                                    .brief = "Counts.",
                                    .description = "Counts it.",
                                    .params = no_params,
                                    .result = number_params,
                                    .run = answer_object,
                                    .refuse = refuse_arguments};
static const em_tool tool_failing = {.name = "fail",
                                     .title = "Fail",
                                     .brief = "Fails.",
                                     .description = "Fails at it.",
                                     .params = no_params,
                                     .run = answer_failure,
                                     .refuse = refuse_arguments};
static const em_tool tool_starved = {.name = "starve",
                                     .title = "Starve",
                                     .brief = "Starves.",
                                     .description = "Starves of it.",
                                     .params = no_params,
                                     .run = answer_nothing,
                                     .refuse = refuse_arguments};
static const em_tool *peer_tools[] = {&tool_text, &tool_object, &tool_failing, &tool_starved};
static const em_toolset peer_toolset = {peer_tools, COUNT_OF(peer_tools)};

/* ---- The peer ------------------------------------------------------------------------------ */

typedef struct peer {
    char base[64], state[80];
    const char *roots[1];
    em_session *session;
    em_mcp *mcp;
    em_link link;
    json_t *sent; /* what the client got, in order */
    size_t lost;  /* for so many messages there is no memory */
    size_t logged;
    long looks;                   /* how often the server has looked up */
    long cancel_at;               /* at this look the message in hand is taken back; 0: never */
    const em_rpc_message *victim; /* that message */
} peer;

static bool peer_send(void *context, const json_t *message)
{
    peer *p = context;
    if (p->lost > 0) {
        p->lost--;
        return false;
    }
    return json_array_append_new(p->sent, json_deep_copy(message)) == 0;
}

static void peer_look(void *context)
{
    peer *p = context;
    if (++p->looks == p->cancel_at)
        ((em_rpc_message *)p->victim)->cancelled = true;
}

static void peer_log(void *context, const char *sentence)
{
    peer *p = context;
    assert_non_null(sentence);
    p->logged++;
}

static inline void peer_open_with(peer *p, long grace_ms, const em_toolset *tools, unsigned flags)
{
    *p = (peer){.base = "/tmp/emend-serve-XXXXXX"};
    assert_non_null(mkdtemp(p->base));
    snprintf(p->state, sizeof p->state, "%s/.state", p->base);
    p->roots[0] = p->base;
    em_session_options options = {.workspace = {.roots = p->roots,
                                                .root_count = 1,
                                                .state_dir = p->state,
                                                .sync = EM_SYNC_OFF,
                                                .grace_ms = grace_ms,
                                                .lock_timeout_ms = 1000}};
    em_error err = EM_ERROR_INIT;
    assert_int_equal(em_session_new(&options, &p->session, &err), EM_OK);
    p->mcp = em_mcp_new(p->session, tools, flags);
    assert_non_null(p->mcp);
    p->sent = json_array();
    p->link = (em_link){.context = p, .send = peer_send, .look = peer_look, .log = peer_log};
}

static inline void peer_open(peer *p, long grace_ms)
{
    peer_open_with(p, grace_ms, &peer_toolset, 0);
}

static inline void peer_drop(peer *p)
{
    em_mcp_free(p->mcp);
    em_session_free(p->session);
    json_decref(p->sent);
    assert_int_equal(remove_tree(p->base), 0);
}

/* Hand the server a line; `cancel_at` as above. */
static inline void peer_say_and_cancel(peer *p, const char *text, long cancel_at)
{
    em_rpc_line *line = em_rpc_read(em_slice_of(text));
    assert_non_null(line);
    p->looks = 0;
    p->cancel_at = cancel_at;
    p->victim = &line->messages[0];
    em_mcp_handle(p->mcp, line, &p->link);
    em_rpc_line_free(line);
}

static inline void peer_say(peer *p, const char *text)
{
    peer_say_and_cancel(p, text, 0);
}

#define REQUEST(id, method, params)                                                                \
    "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"" method "\",\"params\":" params "}"
#define INITIALIZE(version)                                                                        \
    REQUEST("0", "initialize",                                                                     \
            "{\"protocolVersion\":\"" version "\",\"capabilities\":{},"                            \
            "\"clientInfo\":{\"name\":\"test\",\"version\":\"1\"}}")

/* Shake hands and forget the answer. */
static inline void peer_initialize(peer *p, const char *line)
{
    peer_say(p, line);
    assert_non_null(json_object_get(json_array_get(p->sent, 0), "result"));
    json_array_clear(p->sent);
}

#endif
