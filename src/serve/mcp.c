/* mcp.c: from a line to its answer: which era a request is of, which method, and what holds for
 * every answer. */
#include "dialects/registry.h"
#include "serve/mcp_impl.h"

#include "answers/reply.h"
#include "base/utf8.h"

#include <stdlib.h>

em_mcp *em_mcp_new(em_session *session, const em_toolset *tools, unsigned flags)
{
    em_mcp *mcp = malloc(sizeof *mcp + tools->count * sizeof *mcp->picked);
    if (!mcp)
        return NULL;
    *mcp = (em_mcp){
        .session = session, .tools = tools, .level = EM_MCP_SILENT, .lazy = flags & EM_MCP_LAZY};
    em_mcp_forget_picks(mcp);
    return mcp;
}

void em_mcp_free(em_mcp *mcp)
{
    if (!mcp)
        return;
    free(mcp->client);
    free(mcp);
}

void em_mcp_set_gate(em_mcp *mcp, bool (*gate)(void *context), void *context)
{
    mcp->gate = gate;
    mcp->gate_context = context;
}

void em_mcp_set_approvals(em_mcp *mcp, em_approvals *approvals)
{
    mcp->approvals = approvals;
}

void em_mcp_set_observer(em_mcp *mcp, void (*told)(void *context, const em_mcp_called *called),
                         void *context)
{
    mcp->told = told;
    mcp->told_context = context;
}

bool em_mcp_takes_batches(const em_mcp *mcp)
{
    return mcp->revision && mcp->revision->has_batches;
}

const json_t *em_mcp_cancels(const em_rpc_message *message)
{
    if (message->kind != EM_RPC_NOTIFICATION ||
        !em_json_is(message->method, "notifications/cancelled"))
        return NULL;
    return json_object_get(message->params, "requestId");
}

/* ---- Methods ------------------------------------------------------------------------------- */

typedef struct method_row {
    const char *name;
    em_mcp_method *run;
} method_row;

static const method_row handshake_methods[] = {
    {"initialize", em_mcp_initialize},      {"ping", em_mcp_ping},
    {"logging/setLevel", em_mcp_set_level}, {"tools/list", em_mcp_list_tools},
    {"tools/call", em_mcp_call_tool},       {NULL, NULL},
};

static const method_row stateless_methods[] = {
    {"server/discover", em_mcp_discover},
    {"tools/list", em_mcp_list_tools},
    {"tools/call", em_mcp_call_tool},
    {NULL, NULL},
};

static json_t *run_method(const em_mcp_request *request)
{
    const method_row *row = request->stateless ? stateless_methods : handshake_methods;
    while (row->name && !em_json_is(request->message->method, row->name))
        row++;
    if (row->name)
        return row->run(request);
    return em_mcp_refuse(request, EM_RPC_METHOD_NOT_FOUND, "Method not found: %s",
                         em_show_name(em_json_slice(request->message->method)).text);
}

/* ---- Eras ---------------------------------------------------------------------------------- */

bool em_mcp_check_token(const em_mcp_request *request, json_t **answer)
{
    const json_t *token = json_object_get(request->meta, "progressToken");
    if (!token || json_is_null(token) || json_is_string(token) || json_is_integer(token))
        return true;
    *answer = em_mcp_refuse(request, EM_RPC_INVALID_PARAMS,
                            "params._meta.progressToken must be a string or a 64-bit integer");
    return false;
}

static json_t *run_stateless(em_mcp_request *request)
{
    json_t *answer = NULL;
    if (!em_mcp_check_meta(request, &answer))
        return answer;
    request->revision = em_mcp_revision_of(em_mcp_version_named(request->message));
    return run_method(request);
}

static json_t *run_handshake(em_mcp_request *request)
{
    json_t *answer = NULL;
    if (!em_mcp_check_token(request, &answer))
        return answer;
    request->revision = request->mcp->revision;
    const json_t *method = request->message->method;
    bool always = em_json_is(method, "initialize") || em_json_is(method, "ping");
    if (em_json_is(method, "server/discover"))
        return em_mcp_refuse(request, EM_RPC_INVALID_PARAMS,
                             "server/discover belongs to no handshake: name the protocol version "
                             "in params._meta[\"io.modelcontextprotocol/protocolVersion\"]");
    if (!request->revision && !always)
        return em_mcp_refuse(request, EM_RPC_INVALID_PARAMS,
                             "No protocol version: send initialize first, or name it in "
                             "params._meta[\"io.modelcontextprotocol/protocolVersion\"]");
    return run_method(request);
}

static json_t *run_request(em_mcp_request *request)
{
    json_t *params = request->message->params;
    json_t *meta = json_object_get(params, "_meta");
    if (params && !em_json_is_object(params))
        return em_mcp_refuse(request, EM_RPC_INVALID_PARAMS, "params must be an object");
    if (meta && !em_json_is_object(meta))
        return em_mcp_refuse(request, EM_RPC_INVALID_PARAMS, "params._meta must be an object");
    request->params = params;
    request->meta = meta;
    request->stateless = em_mcp_names_version(params);
    return request->stateless ? run_stateless(request) : run_handshake(request);
}

/* ---- Messages ------------------------------------------------------------------------------ */

/* The id of an answer to something whose own id cannot be read: null since JSON-RPC says so, and
 * nothing at all where the stateless era may be at the other end. */
static json_t *id_of_unreadable(const em_mcp *mcp, const em_rpc_message *message)
{
    if (message->id)
        return message->id;
    return mcp->revision && !em_mcp_names_version(message->params) ? json_null() : NULL;
}

/* Does anybody wait for an answer to it? */
static bool is_to_be_answered(const em_rpc_message *message)
{
    bool asks = message->kind == EM_RPC_REQUEST || message->kind == EM_RPC_INVALID;
    return asks && !message->cancelled;
}

static json_t *run_unless_cancelled(em_mcp *mcp, const em_rpc_message *message, const em_link *link)
{
    json_t *answer = NULL;
    em_mcp_request request = {.mcp = mcp, .link = link, .message = message};
    link->look(link->context);
    if (!message->cancelled)
        answer = run_request(&request);
    link->look(link->context);
    return answer;
}

/* What a message is answered with; NULL where memory ran out, or nobody waits for it. */
static json_t *respond(em_mcp *mcp, const em_rpc_message *message, const em_link *link)
{
    if (message->kind == EM_RPC_INVALID)
        return em_rpc_error(id_of_unreadable(mcp, message), message->code, message->problem, NULL);
    if (message->kind == EM_RPC_RESPONSE)
        em_mcp_respond(mcp, message);
    return message->kind == EM_RPC_REQUEST ? run_unless_cancelled(mcp, message, link) : NULL;
}

/* Whatever the answer would have been. */
static json_t *out_of_memory(const em_mcp *mcp, const em_rpc_message *message)
{
    return em_rpc_error(id_of_unreadable(mcp, message), EM_RPC_INTERNAL_ERROR,
                        "out of memory: there was none for the answer. What was asked for may have "
                        "been done: look, then send less at once",
                        NULL);
}

static bool handle_single(em_mcp *mcp, const em_rpc_message *message, const em_link *link)
{
    json_t *answer = respond(mcp, message, link);
    if (is_to_be_answered(message))
        return em_mcp_send(link, answer) || em_mcp_send(link, out_of_memory(mcp, message));
    json_decref(answer);
    return true;
}

/* A request that stands alone, and one that opens a handshake, belong in no batch. */
static json_t *respond_in_batch(em_mcp *mcp, const em_rpc_message *message, const em_link *link)
{
    bool alone = em_json_is(message->method, "initialize") || em_mcp_names_version(message->params);
    if (message->kind == EM_RPC_REQUEST && alone)
        return em_rpc_error(message->id, EM_RPC_INVALID_REQUEST,
                            "this request cannot stand in a batch", NULL);
    return respond(mcp, message, link);
}

/* False: there is no memory to hold it beside the others. */
static bool add_answer(em_mcp *mcp, const em_rpc_message *message, const em_link *link,
                       json_t *answers)
{
    json_t *answer = respond_in_batch(mcp, message, link);
    if (is_to_be_answered(message))
        return json_array_append_new(answers, answer) == 0;
    json_decref(answer);
    return true;
}

/* The answers of all messages; NULL where memory ran out, and then what comes behind that is not
 * begun. */
static json_t *respond_to_all(em_mcp *mcp, const em_rpc_line *line, const em_link *link)
{
    json_t *answers = json_array();
    for (size_t i = 0; answers && i < line->count; i++) {
        if (add_answer(mcp, &line->messages[i], link, answers))
            continue;
        json_decref(answers);
        answers = NULL;
    }
    return answers;
}

static json_t *out_of_memory_for_all(const em_mcp *mcp, const em_rpc_line *line)
{
    em_json json = {0};
    json_t *answers = em_json_array(&json);
    for (size_t i = 0; i < line->count; i++)
        if (is_to_be_answered(&line->messages[i]))
            em_json_add(&json, answers, out_of_memory(mcp, &line->messages[i]));
    return em_json_done(&json, answers);
}

/* No answers are no message. */
static bool send_all(const em_link *link, json_t *answers)
{
    if (!answers || json_array_size(answers) > 0)
        return em_mcp_send(link, answers);
    json_decref(answers);
    return true;
}

static bool handle_batch(em_mcp *mcp, const em_rpc_line *line, const em_link *link)
{
    return send_all(link, respond_to_all(mcp, line, link)) ||
           send_all(link, out_of_memory_for_all(mcp, line));
}

bool em_mcp_handle(em_mcp *mcp, const em_rpc_line *line, const em_link *link)
{
    if (!line->is_batch)
        return handle_single(mcp, &line->messages[0], link);
    if (em_mcp_takes_batches(mcp))
        return handle_batch(mcp, line, link);
    return em_mcp_send(link,
                       em_rpc_error(mcp->revision ? json_null() : NULL, EM_RPC_INVALID_REQUEST,
                                    "batches are only part of protocol version 2025-03-26", NULL));
}

/* ---- Shared pieces of answers -------------------------------------------------------------- */

json_t *em_mcp_refuse(const em_mcp_request *request, int code, const char *format, ...)
{
    EM_AUTO(em_arena) arena = {0};
    va_list args;
    va_start(args, format);
    const char *message = em_arena_format_v(&arena, format, args);
    va_end(args);
    return message ? em_rpc_error(request->message->id, code, message, NULL) : NULL;
}

bool em_mcp_send(const em_link *link, json_t *message)
{
    bool sent = message && link->send(link->context, message);
    if (!sent)
        link->log(link->context, "out of memory: a message could not be sent");
    json_decref(message);
    return sent;
}

json_t *em_mcp_server_info(void)
{
    em_json json = {0};
    json_t *info = em_json_object(&json);
    em_json_set_string(&json, info, "name", "emend");
    em_json_set_string(&json, info, "version", EMEND_VERSION);
    return em_json_done(&json, info);
}

/* Where all are shown in full nobody has to pick any. */
static em_status without_picking(const em_toolset *set, em_arena *arena, em_toolset *out)
{
    out->count = 0;
    out->tools = em_alloc_array(arena, set->count, sizeof *out->tools);
    if (!out->tools)
        return EM_E_NOMEM;
    for (size_t i = 0; i < set->count; i++)
        if (!(set->tools[i]->flags & EM_TOOL_PICKS))
            out->tools[out->count++] = set->tools[i];
    return EM_OK;
}

json_t *em_mcp_instructions(const em_mcp *mcp)
{
    EM_AUTO(em_arena) arena = {0};
    em_toolset told = *mcp->tools;
    if (!mcp->lazy && without_picking(mcp->tools, &arena, &told) != EM_OK)
        return NULL;
    const char *text = em_toolset_prompt(&told, &arena);
    return text ? json_string(text) : NULL;
}

em_status em_mcp_client_name(const json_t *client_info, em_arena *arena, const char **name)
{
    enum { LONGEST_NAME = 100 };
    em_slice given = em_json_slice(json_object_get(client_info, "name"));
    *name = NULL;
    if (given.len == 0)
        return EM_OK;
    given.len = em_utf8_floor(given, LONGEST_NAME);
    *name = em_arena_string(arena, given);
    return *name ? EM_OK : EM_E_NOMEM;
}

/* ---- What is kept for a while -------------------------------------------------------------- */

long em_mcp_due_ms(const em_mcp *mcp)
{
    return em_ws_due_ms(em_session_workspace(mcp->session));
}

void em_mcp_do_due(em_mcp *mcp, bool now, const em_link *link)
{
    EM_AUTO(em_arena) arena = {0};
    em_warnings found = {0};
    em_json json = {0};
    if (em_session_do_due(mcp->session, now, &arena, &found) != EM_OK)
        link->log(link->context, "out of memory while looking after replaced files");
    for (size_t i = 0; i < found.count; i++) {
        link->log(link->context, found.items[i]);
        em_mcp_tell(mcp, link, EM_MCP_WARNING, em_json_text(&json, em_slice_of(found.items[i])));
    }
}
