/* mcp_watch.c: what a session tells while a call runs, and what is told when it has run. */
#include "serve/mcp_impl.h"

/* ---- What the session tells ------------------------------------------------------------------ */

/* What memory does not hold is not told. */
static void note(void *context, const em_observed *observed)
{
    em_mcp_watch *watch = context;
    em_observed copy;
    if (em_observed_copy(observed, &watch->arena, &copy) != EM_OK ||
        em_arena_grow(&watch->arena, (void **)&watch->items, watch->count, &watch->room,
                      sizeof *watch->items) != EM_OK)
        return;
    watch->items[watch->count++] = copy;
}

void em_mcp_watch_begin(em_mcp_watch *watch, em_session *session)
{
    watch->count = 0;
    watch->before = em_session_set_observer(session, (em_observer){note, watch});
}

void em_mcp_watch_end(em_mcp_watch *watch, em_session *session)
{
    em_session_set_observer(session, watch->before);
}

void em_mcp_watch_pass_on(const em_mcp_watch *watch)
{
    const em_observer *before = &watch->before;
    for (size_t i = 0; before->tell && i < watch->count; i++)
        before->tell(before->context, &watch->items[i]);
}

/* ---- What is told of the call ---------------------------------------------------------------- */

static const char *text_in(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* What stands in the answer. */
static void read_message(const json_t *message, em_mcp_called *called)
{
    const json_t *result = json_object_get(message, "result");
    const json_t *error = json_object_get(message, "error");
    const json_t *block = json_array_get(json_object_get(result, "content"), 0);
    called->code = (int)json_integer_value(json_object_get(error, "code"));
    called->is_error = !result || json_is_true(json_object_get(result, "isError"));
    called->text = result ? text_in(block, "text") : text_in(error, "message");
    called->object = json_object_get(result, "structuredContent");
}

void em_mcp_tell_called(const em_mcp_tool_call *c, const json_t *message, long ms)
{
    const em_mcp_request *request = c->request;
    const em_mcp *mcp = request->mcp;
    if (!mcp->told)
        return;
    em_mcp_called called = {
        .tool = json_string_value(json_object_get(request->params, "name")),
        .arguments = c->arguments,
        .client = c->client,
        .is_unknown = !c->tool,
        .stateless = request->stateless,
        .ms = ms,
        .waited_ms = c->waited_ms,
        .verdict = c->verdict,
        .is_asked = c->is_asked,
        .cancelled = request->message->cancelled,
        .files = c->watch.items,
        .file_count = c->watch.count,
    };
    read_message(message, &called);
    mcp->told(mcp->told_context, &called);
}
