#include "dialects/pick_tools.h"

#include "answers/reply.h"
#include "arguments/args.h"
#include "tools/describe.h"
#include "tools/toolset.h"
#include "json/json_text.h"

const em_param em_pick_params[] = {
    {.name = "tools",
     .type = EM_P_LIST,
     .flags = EM_P_REQUIRED | EM_P_NONEMPTY,
     .item = EM_P_NAME,
     .help = "Names of tools."},
    {.name = NULL},
};

static int add_bytes(const char *bytes, size_t length, void *context)
{
    em_strbuf_add(context, em_slice_make(bytes, length));
    return 0;
}

static void add_tool(em_reply *reply, const em_tool *tool)
{
    em_strbuf *text = &reply->text;
    EM_AUTO(em_json_ref) schema = em_tool_full_schema(tool);
    em_strbuf_printf(text, "%s%s: %s\n%s\nArguments (JSON Schema): ", text->len > 0 ? "\n\n" : "",
                     tool->name, tool->title, tool->description);
    if (!schema || json_dump_callback(schema, add_bytes, text, JSON_COMPACT) != 0)
        reply->json.failed = true;
}

static void add_unknown(em_reply *reply, const json_t *name)
{
    const em_call *call = reply->call;
    const char *advice = em_toolset_advice(call->offered, json_string_value(name), call->arena);
    reply->text.len = 0; /* what was told of the names before it */
    if (!advice)
        reply->json.failed = true;
    else
        em_strbuf_printf(&reply->text, "Error: Unknown tool: %s. %s",
                         em_show_name(em_json_slice(name)).text, advice);
}

static bool is_picked(const em_answer *answer, const em_tool *tool)
{
    for (size_t i = 0; i < answer->picked_count; i++)
        if (answer->picked[i] == tool)
            return true;
    return false;
}

/* All that are named, each once, or none. */
static bool pick_all(em_reply *reply, const json_t *names, em_answer *answer)
{
    for (size_t i = 0; i < json_array_size(names); i++) {
        const json_t *name = json_array_get(names, i);
        const em_tool *tool = em_toolset_find_json(reply->call->offered, name);
        if (!tool) {
            answer->picked_count = 0;
            add_unknown(reply, name);
            return false;
        }
        if (is_picked(answer, tool))
            continue;
        answer->picked[answer->picked_count++] = tool;
        add_tool(reply, tool);
    }
    return true;
}

em_status em_pick_tools(const em_call *call, em_answer *answer)
{
    em_reply reply;
    answer->picked = em_alloc_array(call->arena, call->offered->count, sizeof *answer->picked);
    if (!answer->picked)
        return EM_E_NOMEM;
    em_reply_init(&reply, call, NULL, "", NULL);
    answer->is_error = !pick_all(&reply, em_arg(em_args_of(call), "tools"), answer);
    answer->text = em_reply_text(&reply);
    em_reply_drop(&reply);
    return answer->text ? EM_OK : EM_E_NOMEM;
}
