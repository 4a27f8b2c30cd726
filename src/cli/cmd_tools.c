/* cmd_tools.c: which tools there are, and what they take. */
#include "cli/command.h"
#include "tools/describe.h"

#include "dialects/registry.h"
#include "json/json.h"

typedef struct tools_flags {
    bool json;
} tools_flags;

static const em_flag flags[] = {
    {"--json", NULL, "as JSON, with the schemas", EM_FLAG_SWITCH, offsetof(tools_flags, json),
     NULL},
    {NULL, NULL, NULL, EM_FLAG_SWITCH, 0, NULL},
};

/* `value` is taken over. */
static int print_json(em_invocation *call, json_t *value)
{
    int status = em_cli_print_indented(call, value);
    json_decref(value);
    return status;
}

static int list_json(em_invocation *call, const em_toolset *set)
{
    em_json json = {0};
    json_t *list = em_json_array(&json);
    for (size_t i = 0; i < set->count; i++)
        em_json_add(&json, list, em_tool_describe(set->tools[i], EM_DESCRIBE_FULL));
    return print_json(call, em_json_done(&json, list));
}

static int list(em_invocation *call, const em_toolset *set)
{
    int width = 0;
    for (size_t i = 0; i < set->count; i++)
        if ((int)strlen(set->tools[i]->name) > width)
            width = (int)strlen(set->tools[i]->name);
    for (size_t i = 0; i < set->count; i++)
        fprintf(call->out.file, "%-*s  %s\n", width, set->tools[i]->name, set->tools[i]->brief);
    return em_cli_printed(call, EM_EXIT_DONE);
}

static int show(em_invocation *call, const em_tool *tool)
{
    fprintf(call->out.file, "%s: %s\n\n%s\n\nArguments (JSON Schema):\n", tool->name, tool->title,
            tool->description);
    return print_json(call, em_tool_full_schema(tool));
}

static int run(em_invocation *call)
{
    const tools_flags *own = call->own;
    const char *name = call->words.count > 0 ? call->words.items[0] : "all";
    em_toolset chosen;
    em_error err = EM_ERROR_INIT;
    em_status status = em_toolset_choose(name, false, call->arena, &chosen, &err);
    if (status == EM_E_NOMEM)
        return em_complain(call, EM_EXIT_WRONG, "out of memory");
    if (status != EM_OK)
        return em_complain_usage(call, "%s", err.detail);
    const em_tool *tool = em_toolset_find(&chosen, name);
    if (!tool)
        return own->json ? list_json(call, &chosen) : list(call, &chosen);
    return own->json ? print_json(call, em_tool_describe(tool, EM_DESCRIBE_FULL))
                     : show(call, tool);
}

const em_command em_cmd_tools = {
    .name = "tools",
    .words = "[NAME]",
    .brief = "List the tools, or tell all about one",
    .details = "NAME is a tool, or a family of tools as --tools takes it, which are listed.\n",
    .flags = flags,
    .own_size = sizeof(tools_flags),
    .most = 1,
    .run = run,
};
