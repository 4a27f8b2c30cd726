/* mcp_impl.h: what the files of the protocol share.
 *
 *   mcp.c            which era, which method; batches
 *   mcp_era.c        what each revision has
 *   mcp_handshake.c  initialize, ping, logging/setLevel
 *   mcp_stateless.c  what a request of 2026-07-28 must carry; server/discover
 *   mcp_tools.c      tools/list, tools/call: the same in both
 *   mcp_consent.c    calls that need a person's yes
 *   mcp_question.c   what the client's user is asked, in words and as JSON
 *   mcp_watch.c      who is told of calls
 *
 * Fields that a revision does not know (title, annotations, outputSchema, structuredContent) are
 * sent in every revision: a result may hold further fields in all of them, and clients that agree
 * to an old revision while knowing a newer one make use of them. The fields of the stateless era
 * stay out of the handshake's answers: there they mean something else.
 */
#ifndef EM_SERVE_MCP_IMPL_H
#define EM_SERVE_MCP_IMPL_H

#include "serve/mcp.h"
#include "serve/mcp_era.h"

#define EM_MCP_META_CLIENT "io.modelcontextprotocol/clientInfo"
#define EM_MCP_META_CAPABILITIES "io.modelcontextprotocol/clientCapabilities"

/* The severities of RFC 5424, as logging/setLevel names them. */
typedef enum em_mcp_level {
    EM_MCP_DEBUG,
    EM_MCP_INFO,
    EM_MCP_NOTICE,
    EM_MCP_WARNING,
    EM_MCP_ERROR,
    EM_MCP_CRITICAL,
    EM_MCP_ALERT,
    EM_MCP_EMERGENCY,
    EM_MCP_SILENT, /* nothing was asked for */
} em_mcp_level;

/* The level of that name; EM_MCP_SILENT if there is none. */
em_mcp_level em_mcp_level_of(const json_t *name);

struct em_mcp {
    em_session *session;
    const em_toolset *tools;
    const em_mcp_revision *revision; /* agreed in the handshake; NULL before it */
    char *client;                    /* the name given there; NULL */
    em_mcp_level level;              /* the least that the client wants to be told */
    bool lazy;
    em_approvals *approvals; /* borrowed; NULL: no change needs a yes */
    bool elicits;            /* the client of the handshake can ask its user */
    void (*told)(void *context, const em_mcp_called *called); /* NULL: nobody watches */
    void *told_context;
    bool (*gate)(void *context); /* NULL once it has let calls through, or where there is none */
    void *gate_context;
    bool picked[]; /* for each of the tools: the client of the handshake wants to see it in full */
};

/* One request on its way through. Everything is borrowed. */
typedef struct em_mcp_request {
    em_mcp *mcp;
    const em_link *link;
    const em_rpc_message *message;
    json_t *params; /* an object; NULL where absent */
    json_t *meta;   /* params._meta, an object; NULL where absent */
    bool stateless;
    const em_mcp_revision *revision; /* that it is made in; NULL: before the handshake */
} em_mcp_request;

/* A method: the answer, a result or an error; NULL when memory ran out. */
typedef json_t *em_mcp_method(const em_mcp_request *request);

em_mcp_method em_mcp_initialize, em_mcp_ping, em_mcp_set_level;
em_mcp_method em_mcp_discover;
em_mcp_method em_mcp_list_tools, em_mcp_call_tool;

/* A new handshake knows nothing of what was picked before it. */
void em_mcp_forget_picks(em_mcp *mcp);

/* An error answer to the request. */
json_t *em_mcp_refuse(const em_mcp_request *request, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A result, taken over, with what its era demands of every result. */
json_t *em_mcp_complete(const em_mcp_request *request, json_t *result);

/* The same for one that asks the client's user something first. */
json_t *em_mcp_input_required(const em_mcp_request *request, json_t *result);

/* The same for results that may be kept by the client for a while. */
json_t *em_mcp_complete_cacheable(const em_mcp_request *request, json_t *result);

/* Is the request's progress token one, if it has any? Else the error answer is in *answer. */
bool em_mcp_check_token(const em_mcp_request *request, json_t **answer);

/* What a stateless request must carry: the error answer where it does not, in *answer. Returns
 * whether all is well. */
bool em_mcp_check_meta(const em_mcp_request *request, json_t **answer);

/* {"name", "version"} of this server, and the text that tells a model which tool to take. New
 * references; NULL when memory ran out. */
json_t *em_mcp_server_info(void);
json_t *em_mcp_instructions(const em_mcp *mcp);

/* Send a message, taken over; NULL: memory ran out. False: it was not sent, which is logged. */
bool em_mcp_send(const em_link *link, json_t *message);

/* The name that a clientInfo object gives; in the arena, cut to a decent length. NULL if it gives
 * none. EM_E_NOMEM. */
em_status em_mcp_client_name(const json_t *client_info, em_arena *arena, const char **name);

/* Tell a client of the handshake something, if it asked for that level. `data` is taken over. */
void em_mcp_tell(const em_mcp *mcp, const em_link *link, em_mcp_level level, json_t *data);

/* ---- A call -------------------------------------------------------------------------------- */

/* What became of the files of a call, copied. */
typedef struct em_mcp_watch {
    em_arena arena;
    em_observed *items;
    size_t count, room;
    em_observer before; /* whom the session tells otherwise */
} em_mcp_watch;

/* From here to the end the session's observer is this one. What was noted before is forgotten. */
void em_mcp_watch_begin(em_mcp_watch *watch, em_session *session);
void em_mcp_watch_end(em_mcp_watch *watch, em_session *session);

/* Pass on what was noted to whom the session would have told. */
void em_mcp_watch_pass_on(const em_mcp_watch *watch);

typedef struct em_mcp_progress {
    const em_mcp_request *request;
    json_t *token;    /* NULL: nothing is told */
    json_int_t steps; /* told so far: what grows with each */
} em_mcp_progress;

void em_mcp_tell_progress(em_mcp_progress *progress, const char *step);

/* One tools/call on its way. */
typedef struct em_mcp_tool_call {
    const em_mcp_request *request;
    const em_tool *tool;
    json_t *arguments;  /* NULL: none */
    const char *client; /* the name that stands in the history; in `kept`, or the peer's */
    em_arena arena;     /* of the answer */
    em_arena kept;      /* of what outlives it */
    em_call call;
    em_answer answer;
    json_t *instead; /* what is answered without the tool: a whole message, owned; NULL */
    em_mcp_progress progress;
    em_mcp_watch watch;
    em_verdict verdict;
    long waited_ms;
    bool is_asked;
} em_mcp_tool_call;

/* Call the tool, and where changes need a yes, ask for it. Fills call->answer, or call->instead.
 * EM_E_NOMEM. */
em_status em_mcp_run_call(em_mcp_tool_call *call);

/* Tell who watches, where somebody does. `message` is the whole answer; NULL: memory ran out. */
void em_mcp_tell_called(const em_mcp_tool_call *call, const json_t *message, long ms);

/* ---- Questions to the client's user (mcp_question.c) ----------------------------------------- */

/* Has it said that it can ask, by a form? */
bool em_mcp_can_elicit(const json_t *capabilities);

/* The params of elicitation/create, as the revision has them. A new reference; NULL when memory ran
 * out. */
json_t *em_mcp_question(const char *tool, const em_consent *consent,
                        const em_mcp_revision *revision);

/* What came back to it. */
typedef enum em_mcp_said {
    EM_MCP_SAID_NOTHING,   /* it is no answer, or lacks what was asked */
    EM_MCP_SAID_DISMISSED, /* the user would not answer */
    EM_MCP_SAID,           /* the ruling is filled; its reason is borrowed */
} em_mcp_said;
em_mcp_said em_mcp_read_answer(const json_t *result, em_ruling *ruling);

#endif
