/* cmd_call.c: one call of a tool, as a client would make it, without a protocol around it. */
#include "arguments/call.h"
#include "cli/confine.h"

#include "dialects/registry.h"
#include "json/json_memory.h"
#include "json/json_text.h"

#include <unistd.h>

/* ---- The answer ---------------------------------------------------------------------------- */

/* Text comes as it is, so that `emend call read_file` is a copy; a terminal gets its last line
 * ended. */
static void print_text(em_invocation *call, em_slice bytes)
{
    em_term_text(&call->out, bytes);
    if (call->out.is_tty && bytes.len > 0 && bytes.ptr[bytes.len - 1] != '\n')
        fputc('\n', call->out.file);
}

static int print_answer(em_invocation *call, const em_answer *answer)
{
    const json_t *object = answer->native ? answer->native : answer->object;
    int status = answer->is_error ? EM_EXIT_REFUSED : EM_EXIT_DONE;
    call->done = "the call was made";
    if (object)
        return em_cli_print_json(call, object, status);
    print_text(call, em_answer_text(answer));
    return em_cli_printed(call, status);
}

/* ---- The call ------------------------------------------------------------------------------ */

/* Where the file should be named, stand the arguments themselves. */
static bool is_object_in_place(const char *name)
{
    return name[0] == '{' && access(name, F_OK) != 0;
}

static json_t *read_arguments(em_invocation *call)
{
    const char *name = call->words.count > 1 ? call->words.items[1] : "-";
    em_slice text;
    json_t *arguments = NULL;
    em_error err = EM_ERROR_INIT;
    if (strcmp(name, "-") == 0 && isatty(STDIN_FILENO) == 1)
        fputs("Type the arguments, a JSON object; Ctrl-D ends them.\n", call->err.file);
    if (is_object_in_place(name)) {
        em_complain(call, 0,
                    "the arguments are read from a file or from standard input: printf %%s '{...}' "
                    "| emend call %s",
                    call->words.items[0]);
        return NULL;
    }
    if (!em_cli_read_all(call, name, &text))
        return NULL;
    em_json_keep_in(call->arena);
    if (em_json_is_blank(text))
        return json_object();
    if (em_json_parse(text, &arguments, &err) != EM_OK) {
        em_complain(call, 0, "the arguments are not JSON: %s", err.detail);
        return NULL;
    }
    if (em_json_is_object(arguments) || json_is_null(arguments))
        return arguments;
    em_complain(call, 0, "the arguments must be a JSON object");
    return NULL;
}

/* Might the call put something into the state directory? A change does, and a reading, of which the
 * content is kept for merging; not a dry run, nor a call that is refused by --read-only. Names of
 * the argument that says so are two in all tools. */
static bool uses_state(const em_invocation *call, const em_tool *tool, const json_t *arguments)
{
    bool dry_run = json_is_true(json_object_get(arguments, "dry_run")) ||
                   json_is_true(json_object_get(arguments, "dryRun"));
    bool changes = !(tool->flags & EM_TOOL_READ_ONLY);
    if (dry_run || tool->flags & EM_TOOL_PICKS)
        return false;
    return changes ? !call->options.read_only : !call->options.no_history;
}

/* `offered` are the tools that answers may name. */
static int call_tool(em_invocation *call, const em_toolset *offered, const em_tool *tool,
                     const json_t *arguments)
{
    em_session *session =
        em_cli_open_confined(call, "emend call", uses_state(call, tool, arguments));
    if (!session)
        return EM_EXIT_WRONG;
    em_cli_give_up_at_signals(session);
    em_call request = {.session = session,
                       .arena = call->arena,
                       .tool = tool,
                       .offered = offered,
                       .is_command = true};
    em_answer answer = {0};
    em_status status = em_tool_call(&request, arguments, &answer);
    em_cli_session_close_after(session, status == EM_OK && !answer.is_error);
    if (status != EM_OK)
        return em_complain(call, EM_EXIT_WRONG, "out of memory");
    int exit_status = print_answer(call, &answer);
    em_answer_drop(&answer);
    return exit_status;
}

static int run(em_invocation *call)
{
    em_toolset all, offered;
    em_error err = EM_ERROR_INIT;
    if (em_toolset_choose_all(call->options.read_only, call->arena, &all, &offered, &err) != EM_OK)
        return em_complain(call, EM_EXIT_WRONG, "%s", err.detail);
    const em_tool *tool = em_cli_find_tool(call, &all, call->words.items[0]);
    json_t *arguments = tool ? read_arguments(call) : NULL;
    if (!arguments)
        return EM_EXIT_WRONG;
    return call_tool(call, &offered, tool, arguments);
}

const em_command em_cmd_call = {
    .name = "call",
    .words = "TOOL [FILE|-]",
    .brief = "Make one tool call; its arguments are a JSON object",
    .details =
        "The arguments are read from FILE, by default from standard input; nothing there is {}.\n"
        "The answer is printed: the JSON object, or the bare text, as the tool gives it.\n"
        "'emend tools' lists the tools.\n",
    .takes_shared = true,
    .least = 1,
    .most = 2,
    .run = run,
};
