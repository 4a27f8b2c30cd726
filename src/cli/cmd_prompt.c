/* cmd_prompt.c: what to tell a model about when to use which tool. */
#include "cli/command.h"

#include "dialects/registry.h"

typedef struct prompt_flags {
    const char *tools;
} prompt_flags;

static const em_flag flags[] = {
    {"--tools", "LIST", "for these: tools and families, separated by commas, or all", EM_FLAG_TEXT,
     offsetof(prompt_flags, tools), NULL},
    {NULL, NULL, NULL, EM_FLAG_SWITCH, 0, NULL},
};

static int run(em_invocation *call)
{
    const prompt_flags *own = call->own;
    em_toolset tools;
    em_error err = EM_ERROR_INIT;
    if (em_toolset_choose(own->tools, false, call->arena, &tools, &err) != EM_OK)
        return em_complain_usage(call, "--tools: %s", err.detail);
    const char *text = em_toolset_prompt(&tools, call->arena);
    if (!text)
        return em_complain(call, EM_EXIT_WRONG, "out of memory");
    size_t length = strlen(text);
    fputs(text, call->out.file);
    if (length > 0 && text[length - 1] != '\n')
        fputc('\n', call->out.file);
    return em_cli_printed(call, EM_EXIT_DONE);
}

const em_command em_cmd_prompt = {
    .name = "prompt",
    .words = "",
    .brief = "Print the tool-selection text for a system prompt",
    .flags = flags,
    .own_size = sizeof(prompt_flags),
    .run = run,
};
