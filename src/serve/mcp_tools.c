/* mcp_tools.c: tools/list and tools/call, with progress and log messages: the same in both eras but
 * for what each wants around a result. */
#include "serve/mcp_impl.h"
#include "tools/describe.h"

#include "answers/reply.h"
#include "base/clock.h"

/* ---- tools/list ---------------------------------------------------------------------------- */

/* The tool that shows others is never brief: a model must know how to call it. */
static em_tool_detail detail_of(const em_mcp_request *request, size_t index)
{
    const em_mcp *mcp = request->mcp;
    bool picked = mcp->picked[index] && !request->stateless;
    if (!mcp->lazy || picked || mcp->tools->tools[index]->flags & EM_TOOL_PICKS)
        return EM_DESCRIBE_LISTED;
    return EM_DESCRIBE_BRIEF;
}

static json_t *list_result(const em_mcp_request *request)
{
    em_json json = {0};
    const em_toolset *set = request->mcp->tools;
    json_t *list = em_json_array(&json);
    json_t *result = em_json_object(&json);
    for (size_t i = 0; i < set->count; i++)
        em_json_add(&json, list, em_tool_describe(set->tools[i], detail_of(request, i)));
    em_json_set(&json, result, "tools", list);
    return em_json_done(&json, result);
}

/* All tools come in one page, so no cursor was ever given out: the only one that can be is none. */
json_t *em_mcp_list_tools(const em_mcp_request *request)
{
    const json_t *cursor = json_object_get(request->params, "cursor");
    if (cursor && !json_is_null(cursor) && !em_json_is(cursor, ""))
        return em_mcp_refuse(request, EM_RPC_INVALID_PARAMS,
                             "unknown cursor: all tools come at once, so send none");
    return em_mcp_complete_cacheable(request, list_result(request));
}

/* ---- What the client has picked ------------------------------------------------------------ */

void em_mcp_forget_picks(em_mcp *mcp)
{
    for (size_t i = 0; i < mcp->tools->count; i++)
        mcp->picked[i] = false;
}

/* Show what the answer names in full from now on; tell the client where that changes the list. */
static void note_picks(const em_mcp_request *request, const em_answer *answer)
{
    em_mcp *mcp = request->mcp;
    bool changed = false;
    if (!mcp->lazy || request->stateless)
        return;
    for (size_t i = 0; i < mcp->tools->count; i++) {
        bool was_brief = detail_of(request, i) == EM_DESCRIBE_BRIEF;
        for (size_t j = 0; j < answer->picked_count; j++)
            mcp->picked[i] = mcp->picked[i] || answer->picked[j] == mcp->tools->tools[i];
        changed = changed || (was_brief && mcp->picked[i]);
    }
    if (changed)
        em_mcp_send(request->link,
                    em_rpc_notification("notifications/tools/list_changed", json_object()));
}

/* ---- Progress ------------------------------------------------------------------------------ */

void em_mcp_tell_progress(em_mcp_progress *progress, const char *step)
{
    const em_mcp_request *request = progress->request;
    const em_link *link = request->link;
    if (!progress->token)
        return;
    link->look(link->context);
    if (request->message->cancelled)
        return;
    em_json json = {0};
    json_t *params = em_json_object(&json);
    em_json_set(&json, params, "progressToken", json_incref(progress->token));
    em_json_set(&json, params, "progress", json_integer(++progress->steps));
    if (request->revision->tells_steps)
        em_json_set_string(&json, params, "message", step);
    em_mcp_send(link, em_rpc_notification("notifications/progress", em_json_done(&json, params)));
}

static void on_stage(void *context, em_stage stage)
{
    static const char *const steps[] = {[EM_STAGE_READ] = "read", [EM_STAGE_PLANNED] = "planned"};
    em_mcp_tell_progress(context, steps[stage]);
}

/* ---- tools/call ---------------------------------------------------------------------------- */

static json_t *call_text(em_json *json, const em_answer *answer)
{
    if (answer->text)
        return em_json_text(json, em_answer_text(answer));
    EM_AUTO(em_strbuf) text = {0};
    em_json_write(answer->object, 0, &text);
    json->failed = json->failed || text.failed;
    return em_json_text(json, em_strbuf_slice(&text));
}

/* The answer as a result; its JSON is borrowed. */
static json_t *call_result(const em_answer *answer)
{
    em_json json = {0};
    json_t *block = em_json_object(&json);
    json_t *content = em_json_array(&json);
    json_t *result = em_json_object(&json);
    em_json_set_string(&json, block, "type", "text");
    em_json_set(&json, block, "text", call_text(&json, answer));
    em_json_add(&json, content, block);
    em_json_set(&json, result, "content", content);
    if (answer->object)
        em_json_set(&json, result, "structuredContent", json_incref(answer->object));
    em_json_set_bool(&json, result, "isError", answer->is_error);
    if (answer->meta)
        em_json_set(&json, result, "_meta", json_incref(answer->meta));
    return em_json_done(&json, result);
}

/* Whose name stands in the history: in the stateless era the one that this very request gives. */
static em_status find_client(em_mcp_tool_call *c)
{
    const em_mcp_request *request = c->request;
    const json_t *info = json_object_get(request->meta, EM_MCP_META_CLIENT);
    c->client = request->mcp->client;
    return request->stateless ? em_mcp_client_name(info, &c->kept, &c->client) : EM_OK;
}

static void log_call(const em_mcp_request *request, const em_tool *tool, bool is_error, long took)
{
    em_json json = {0};
    if (request->stateless || request->message->cancelled)
        return;
    json_t *data = em_json_object(&json);
    em_json_set_string(&json, data, "tool", tool->name);
    em_json_set_bool(&json, data, "isError", is_error);
    em_json_set(&json, data, "ms", json_integer(took));
    em_mcp_tell(request->mcp, request->link, is_error ? EM_MCP_WARNING : EM_MCP_INFO,
                em_json_done(&json, data));
}

static void em_mcp_tool_call_drop(em_mcp_tool_call *c)
{
    em_answer_drop(&c->answer);
    json_decref(c->instead);
    em_arena_drop(&c->arena);
    em_arena_drop(&c->kept);
    em_arena_drop(&c->watch.arena);
}

static void prepare(em_mcp_tool_call *c)
{
    const em_mcp_request *request = c->request;
    json_t *token = json_object_get(request->meta, "progressToken");
    c->progress =
        (em_mcp_progress){.request = request, .token = json_is_null(token) ? NULL : token};
    c->call = (em_call){.session = request->mcp->session,
                        .arena = &c->arena,
                        .tool = c->tool,
                        .offered = request->mcp->tools,
                        .stateless = request->stateless,
                        .over_mcp = true};
    if (!c->progress.token)
        return;
    c->call.progress = on_stage;
    c->call.progress_context = &c->progress;
    em_mcp_tell_progress(&c->progress, "started");
}

/* Who has another token may name a session alike, and means another one. */
static em_status find_session(em_mcp_tool_call *c)
{
    const char *scope = c->request->link->scope;
    const char *name = json_string_value(json_object_get(c->arguments, "session"));
    if (!scope || !name)
        return EM_OK;
    c->call.named_session = em_arena_format(&c->kept, "%s@%s", name, scope);
    return c->call.named_session ? EM_OK : EM_E_NOMEM;
}

/* The answer; *took is the time without that for which somebody else was waited for. */
static json_t *run_tool(em_mcp_tool_call *c, long *took)
{
    const em_mcp_request *request = c->request;
    const int64_t start = em_monotonic_ms();
    prepare(c);
    if (find_client(c) != EM_OK || find_session(c) != EM_OK || em_mcp_run_call(c) != EM_OK)
        return NULL;
    request->link->look(request->link->context);
    *took = (long)(em_monotonic_ms() - start) - c->waited_ms;
    if (c->instead)
        return json_incref(c->instead);
    log_call(request, c->tool, c->answer.is_error, *took);
    note_picks(request, &c->answer);
    return em_mcp_complete(request, call_result(&c->answer));
}

/* May the tool be called? */
static bool passes_gate(em_mcp *mcp, const em_tool *tool)
{
    if (!mcp->gate || tool->flags & EM_TOOL_PICKS)
        return true;
    if (!mcp->gate(mcp->gate_context))
        return false;
    mcp->gate = NULL;
    return true;
}

static json_t *unknown_tool(const em_mcp_request *request, const json_t *name)
{
    EM_AUTO(em_arena) arena = {0};
    const char *advice = em_toolset_advice(request->mcp->tools, json_string_value(name), &arena);
    return advice ? em_mcp_refuse(request, EM_RPC_INVALID_PARAMS, "Unknown tool: %s. %s",
                                  em_show_name(em_json_slice(name)).text, advice)
                  : NULL;
}

static bool fails(json_t **answer, json_t *error)
{
    *answer = error;
    return false;
}

/* Is there something to call? Else *answer says what is wrong; NULL when memory ran out. */
static bool find_tool(em_mcp_tool_call *c, json_t **answer)
{
    const em_mcp_request *request = c->request;
    const json_t *name = json_object_get(request->params, "name");
    if (!json_is_string(name))
        return fails(answer,
                     em_mcp_refuse(request, EM_RPC_INVALID_PARAMS, "params.name must be a string"));
    c->tool = em_toolset_find_json(request->mcp->tools, name);
    if (!c->tool)
        return fails(answer, unknown_tool(request, name));
    if (c->arguments && !json_is_null(c->arguments) && !em_json_is_object(c->arguments))
        return fails(answer, em_mcp_refuse(request, EM_RPC_INVALID_PARAMS,
                                           "params.arguments must be an object"));
    if (!passes_gate(request->mcp, c->tool))
        return fails(answer, em_mcp_refuse(request, EM_RPC_INTERNAL_ERROR,
                                           "the server is not ready for calls"));
    return true;
}

/* Memory ran out within the tool. What the call had of it is given back, so there is some for this;
 * the tool's own form is not, since that takes what the call knew. */
static json_t *out_of_memory(const em_mcp_request *request)
{
    const em_answer answer = {
        .text =
            "INTERNAL_ERROR: out of memory: the call was given up\nRead the file, or ask for its "
            "last edit, to see whether anything was changed; then send less at once",
        .is_error = true};
    request->link->log(request->link->context, "out of memory");
    return em_mcp_complete(request, call_result(&answer));
}

static json_t *call_tool(const em_mcp_request *request)
{
    EM_AUTO(em_mcp_tool_call)
    c = {.request = request, .arguments = json_object_get(request->params, "arguments")};
    json_t *answer = NULL;
    long took = 0;
    if (find_tool(&c, &answer))
        answer = run_tool(&c, &took);
    em_mcp_tell_called(&c, answer, took);
    return answer;
}

json_t *em_mcp_call_tool(const em_mcp_request *request)
{
    json_t *answer = call_tool(request);
    return answer ? answer : out_of_memory(request);
}
