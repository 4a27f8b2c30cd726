/* cmd_mcp.c: the server for MCP clients, over standard input and output. */
#include "cli/confine.h"
#include "cli/kept_heap.h"
#include "dialects/registry.h"

#include "serve/stdio_server.h"

#include <unistd.h>

typedef struct mcp_flags {
    const char *tools;
    bool lazy;
    bool approve;
    long grace_ms, approve_ms;
    uint64_t max_message_size;
} mcp_flags;

#define FIELD(name) offsetof(mcp_flags, name)
static const em_flag flags[] = {
    {"--tools", "LIST", "offer these: tools and families, separated by commas, or all",
     EM_FLAG_TEXT, FIELD(tools), NULL},
    {"--lazy", NULL, "list tools by one line each; pick_tools shows them in full", EM_FLAG_SWITCH,
     FIELD(lazy), NULL},
    {"--grace", "TIME", "how long a replaced file is kept, for what others still write to it (2s)",
     EM_FLAG_DURATION, FIELD(grace_ms), NULL},
    {"--max-message-size", "SIZE", "refuse longer messages (256M)", EM_FLAG_SIZE,
     FIELD(max_message_size), NULL},
    {"--approve", NULL, "let the client ask its user before every change (elicitation)",
     EM_FLAG_SWITCH, FIELD(approve), NULL},
    {"--approve-timeout", "TIME", "how long it is waited for the answer; then it is a no (5m)",
     EM_FLAG_PATIENCE, FIELD(approve_ms), NULL},
    {NULL, NULL, NULL, EM_FLAG_SWITCH, 0, NULL},
};

static const mcp_flags defaults = {.grace_ms = EM_DEFAULT_GRACE_MS,
                                   .approve_ms = EM_APPROVAL_TIMEOUT_MS,
                                   .max_message_size = EM_MESSAGE_MOST};

/* ---- The sandbox --------------------------------------------------------------------------- */

typedef struct gate {
    em_invocation *call;
    em_session *session;
    em_sandbox_report sandbox;
} gate;

static bool close_gate(void *context)
{
    gate *g = context;
    return em_cli_confine_files(g->call, &g->session, 1, true, &g->sandbox);
}

/* ---- The server ---------------------------------------------------------------------------- */

static int serve_with(em_invocation *call, em_session *session, const em_toolset *tools,
                      em_approvals *approvals)
{
    const mcp_flags *own = call->own;
    gate g = {.call = call, .session = session};
    if (!em_cli_confine_calls(call, &g.sandbox))
        return EM_EXIT_WRONG;
    em_mcp *mcp = em_mcp_new(session, tools, own->lazy ? EM_MCP_LAZY : 0);
    if (!mcp)
        return em_complain(call, EM_EXIT_WRONG, "out of memory");
    em_mcp_set_gate(mcp, close_gate, &g);
    em_mcp_set_approvals(mcp, approvals);
    em_stdio_end end = em_stdio_serve(mcp, STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO,
                                      (size_t)own->max_message_size, em_kept_heap_settle);
    em_mcp_free(mcp);
    return end == EM_STDIO_FAILED ? EM_EXIT_WRONG : EM_EXIT_DONE;
}

static int serve(em_invocation *call, em_session *session, const em_toolset *tools)
{
    const mcp_flags *own = call->own;
    const em_approvals_options options = {
        .timeout_ms = own->approve_ms, .ask_clients = true, .sealer = &em_sealer_hmac};
    em_approvals *approvals = NULL;
    em_error err = EM_ERROR_INIT;
    if (own->approve && em_approvals_new(&options, &approvals, &err) != EM_OK)
        return em_complain(call, EM_EXIT_WRONG, "--approve: %s", err.detail);
    int status = serve_with(call, session, tools, approvals);
    em_approvals_free(approvals);
    return status;
}

static int run(em_invocation *call)
{
    const mcp_flags *own = call->own;
    em_toolset tools;
    em_error err = EM_ERROR_INIT;
    if (em_toolset_choose(own->tools, call->options.read_only, call->arena, &tools, &err) != EM_OK)
        return em_complain_usage(call, "--tools: %s", err.detail);
    if (own->lazy)
        em_toolset_add_picker(&tools);
    if (isatty(STDIN_FILENO) == 1)
        fputs("This is a server: an MCP client starts it and speaks to it, one JSON-RPC message a\n"
              "line. Ctrl-D ends it.\n",
              call->err.file);
    em_session *session = em_cli_session_open(call, NULL, own->grace_ms);
    if (!session)
        return EM_EXIT_WRONG;
    int status = serve(call, session, &tools);
    em_session_free(session); /* signals stay held: one more changes nothing about the end */
    return status;
}

const em_command em_cmd_mcp = {
    .name = "mcp",
    .words = "",
    .brief = "Serve the tools to an MCP client over standard input and output",
    .flags = flags,
    .own_size = sizeof defaults,
    .own_init = &defaults,
    .takes_shared = true,
    .run = run,
};
