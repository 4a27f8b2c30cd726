/* http_server.c: the server over HTTP: what it is started with, and how it begins and ends.
 *
 * In this order, since each may fail and what comes later can no longer do what comes first: words
 * are checked, the socket listens, the sessions are open, the walls stand, threads start.
 */
#include "cli/http_server.h"

#include "base/descriptors.h"
#include "cli/confine.h"
#include "cli/tokens.h"
#include "dialects/registry.h"
#include "http/service.h"
#include "review/page.h"
#include "review/review.h"
#include "serve/seal.h"
#include "serve/signals.h"

#include <poll.h>
#include <unistd.h>

enum { TICK_MS = 1000 };

typedef struct serve_flags {
    const char *listen, *token, *token_file, *tools, *approve_by;
    em_word_list hosts;
    bool lazy, approve;
    long grace_ms, session_idle_ms, client_timeout_ms, approve_ms;
    size_t sessions;
    uint64_t max_message_size;
} serve_flags;

static const char *const token_words[] = {"random", "none", NULL};
static const char *const approve_words[] = {"any", "page", NULL};

#define FIELD(name) offsetof(serve_flags, name)
static const em_flag flags[] = {
    {"--listen", "ADDRESS", "127.0.0.1:PORT, [::1]:PORT (0: any that is free) or unix:PATH",
     EM_FLAG_TEXT, FIELD(listen), NULL},
    {"--token", "random|none", "who knows it may ask; none: anybody on this machine (random)",
     EM_FLAG_CHOICE, FIELD(token), token_words},
    {"--token-file", "FILE", "tokens, one a line; made if it is not there", EM_FLAG_NAME,
     FIELD(token_file), NULL},
    {"--host", "NAME", "a further name that it answers to; may be given several times",
     EM_FLAG_LIST, FIELD(hosts), NULL},
    {"--tools", "LIST", "offer these: tools and families, separated by commas, or all",
     EM_FLAG_TEXT, FIELD(tools), NULL},
    {"--lazy", NULL, "list tools by one line each; pick_tools shows them in full", EM_FLAG_SWITCH,
     FIELD(lazy), NULL},
    {"--sessions", "N", "so many sessions at a time (256)", EM_FLAG_COUNT, FIELD(sessions), NULL},
    {"--session-idle", "TIME", "when a session ends that nobody uses (60m)", EM_FLAG_PATIENCE,
     FIELD(session_idle_ms), NULL},
    {"--client-timeout", "TIME", "how long a client may take to send or read (60s; so is 0)",
     EM_FLAG_DURATION, FIELD(client_timeout_ms), NULL},
    {"--approve", NULL, "let a person say yes to every change, on the page or at the client",
     EM_FLAG_SWITCH, FIELD(approve), NULL},
    {"--approve-by", "any|page", "who may say it: the client's user, too, or the page alone (any)",
     EM_FLAG_CHOICE, FIELD(approve_by), approve_words},
    {"--approve-timeout", "TIME", "how long it is waited for that; then it is a no (5m)",
     EM_FLAG_PATIENCE, FIELD(approve_ms), NULL},
    {"--grace", "TIME", "how long a replaced file is kept, for what others still write to it (2s)",
     EM_FLAG_DURATION, FIELD(grace_ms), NULL},
    {"--max-message-size", "SIZE", "refuse longer messages (256M)", EM_FLAG_SIZE,
     FIELD(max_message_size), NULL},
    {NULL, NULL, NULL, EM_FLAG_SWITCH, 0, NULL},
};

static const serve_flags defaults = {.listen = "127.0.0.1:0",
                                     .token = "random",
                                     .grace_ms = EM_DEFAULT_GRACE_MS,
                                     .session_idle_ms = EM_DEFAULT_SESSION_IDLE_MS,
                                     .client_timeout_ms = EM_DEFAULT_PATIENCE_MS,
                                     .approve_ms = EM_APPROVAL_TIMEOUT_MS,
                                     .sessions = EM_DEFAULT_SESSIONS,
                                     .max_message_size = EM_MESSAGE_MOST};

/* ---- What it consists of -------------------------------------------------------------------- */

typedef struct serving {
    em_invocation *call;
    em_toolset tools;
    em_token_list tokens;
    em_listener listener;
    em_session *first; /* for what must be known before the walls stand; then the page's */
    em_review *review;
    em_approvals *approvals; /* NULL: changes need no yes */
    em_service *service;
} serving;

static em_session *open_session(void *context)
{
    const serving *s = context;
    const serve_flags *own = s->call->own;
    em_session_options options = em_options_for_session(&s->call->options, NULL, own->grace_ms);
    em_session *session = NULL;
    em_error err = EM_ERROR_INIT;
    if (em_session_new(&options, &session, &err) != EM_OK)
        dprintf(STDERR_FILENO, "emend serve: %s\n", err.detail);
    return session;
}

static void told(void *context, const em_mcp_called *called)
{
    const serving *s = context;
    em_review_called(s->review, called);
}

static void log_sentence(void *context, const char *sentence)
{
    (void)context;
    dprintf(STDERR_FILENO, "emend serve: %s\n", sentence);
}

/* ---- Who may use it ------------------------------------------------------------------------- */

/* Can a Host header hold it before its port? "[::1]", "emend.example", "10.0.0.7". */
static bool is_host_name(const char *host)
{
    static const char name[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._";
    size_t length = strlen(host);
    if (host[0] == '[')
        return length > 2 && strspn(host + 1, "0123456789abcdefABCDEF:.") == length - 2 &&
               host[length - 1] == ']';
    return length > 0 && strspn(host, name) == length;
}

static int check_words(em_invocation *call, bool *is_local)
{
    const serve_flags *own = call->own;
    em_error err = EM_ERROR_INIT;
    if (em_listen_is_local(own->listen, is_local, &err) != EM_OK)
        return em_complain_usage(call, "--listen: %s", err.detail);
    for (size_t i = 0; i < own->hosts.count; i++)
        if (!is_host_name(own->hosts.items[i]))
            return em_complain_usage(call,
                                     "--host %s: a name or an address as it stands in a URL, "
                                     "without http://, port and path",
                                     own->hosts.items[i]);
    if (own->approve_by && !own->approve)
        return em_complain_usage(call, "--approve-by: without --approve nobody is asked");
    bool open = strcmp(own->token, "none") == 0;
    if (open && own->token_file)
        return em_complain_usage(call, "--token none and --token-file: one of both");
    if (open && !*is_local)
        return em_complain_usage(call,
                                 "--token none: %s can be reached from other machines; without a "
                                 "token only 127.0.0.1, [::1] and unix:PATH are served",
                                 own->listen);
    return EM_EXIT_DONE;
}

static bool find_tokens(serving *s)
{
    const serve_flags *own = s->call->own;
    if (own->token_file)
        return em_tokens_read(s->call, own->token_file, own->approve, &s->tokens);
    return strcmp(own->token, "none") == 0 || em_tokens_make(s->call, own->approve, &s->tokens);
}

/* A file may have no token but those for MCP clients: then nobody can open the page. */
static bool page_can_be_opened(const serving *s)
{
    return s->tokens.count == 0 || s->tokens.page_count > 0;
}

static bool page_alone_approves(const serve_flags *own)
{
    return own->approve_by && strcmp(own->approve_by, "page") == 0;
}

/* ---- Its address ---------------------------------------------------------------------------- */

/* What MCP clients have to send. Where people say yes on the page, clients have a token of their
 * own that does not open it. */
static const char *token_of_clients(const serving *s)
{
    bool apart = s->tokens.count > s->tokens.page_count && s->tokens.page_count > 0;
    const serve_flags *own = s->call->own;
    return apart && !own->token_file ? s->tokens.items[s->tokens.page_count] : "TOKEN";
}

/* On standard output, for a person to click and a program to read: one line, with the token where
 * it is only known here. What follows is for people. */
static bool announce(const serving *s)
{
    const serve_flags *own = s->call->own;
    FILE *out = s->call->out.file, *err = s->call->err.file;
    bool shown = s->tokens.count > 0 && !own->token_file;
    const char *base = s->listener.is_unix ? "" : "/";
    fprintf(out, "%s%s%s%s\n", s->listener.name, base, shown ? "#token=" : "",
            shown ? s->tokens.items[0] : "");
    fprintf(err, "MCP clients connect to %s%smcp%s%s\n", s->listener.name,
            s->listener.is_unix ? " at /" : "/",
            s->tokens.count > 0 ? " and send the header Authorization: Bearer " : "",
            s->tokens.count > 0 ? token_of_clients(s) : "");
    if (!s->listener.is_local)
        fputs("Other machines can reach it, and what it is sent is not encrypted: put a proxy with "
              "TLS before it.\n",
              err);
    return em_cli_printed(s->call, EM_EXIT_DONE) == EM_EXIT_DONE;
}

/* ---- Running it ----------------------------------------------------------------------------- */

static void run_until_signalled(em_service *service, int signals)
{
    struct pollfd fd = {.fd = signals, .events = POLLIN};
    while (poll(&fd, 1, TICK_MS) <= 0)
        em_service_tick(service);
}

/* Without the routes. */
static em_service_options service_options(serving *s, size_t descriptors)
{
    const serve_flags *own = s->call->own;
    return (em_service_options){.listener = s->listener,
                                .tokens = s->tokens.items,
                                .token_count = s->tokens.count,
                                .page_token_count = s->tokens.page_count,
                                .hosts = own->hosts.items,
                                .host_count = own->hosts.count,
                                .tools = &s->tools,
                                .flags = own->lazy ? EM_MCP_LAZY : 0,
                                .approvals = s->approvals,
                                .open = open_session,
                                .called = told,
                                .log = log_sentence,
                                .context = s,
                                .sessions = own->sessions,
                                .idle_ms = own->session_idle_ms,
                                .patience_ms = own->client_timeout_ms,
                                .most = own->max_message_size,
                                .descriptors = descriptors};
}

static int serve(serving *s, size_t descriptors)
{
    em_invocation *call = s->call;
    em_signals signals;
    em_error err = EM_ERROR_INIT;
    const em_routes routes[] = {em_page_routes(), em_review_routes(s->review)};
    em_service_options options = service_options(s, descriptors);
    options.routes = routes;
    options.route_sets = sizeof routes / sizeof *routes;
    em_signals_take(&signals);
    int status = EM_EXIT_DONE;
    if (em_review_start(s->review) != EM_OK) {
        close(s->listener.fd); /* the service takes it, also where it cannot start */
        status = em_complain(call, EM_EXIT_WRONG, "cannot start a thread");
    } else if (em_service_start(&options, &s->service, &err) != EM_OK) {
        status = em_complain(call, EM_EXIT_WRONG, "%s", err.detail);
    } else {
        if (announce(s))
            run_until_signalled(s->service, signals.fd);
        else
            status = EM_EXIT_WRONG;
        em_review_stop(s->review);
        em_service_stop(s->service);
    }
    em_signals_give_back(&signals);
    return status;
}

/* What people watch and decide with. */
static bool make_review(serving *s)
{
    const serve_flags *own = s->call->own;
    const em_approvals_options approvals = {.timeout_ms = own->approve_ms,
                                            .has_page = page_can_be_opened(s),
                                            .ask_clients = !page_alone_approves(own),
                                            .sealer = &em_sealer_hmac};
    em_error err = EM_ERROR_INIT;
    if (own->approve && em_approvals_new(&approvals, &s->approvals, &err) != EM_OK) {
        em_complain(s->call, 0, "%s", err.detail);
        return false;
    }
    const em_review_options review = {.session = s->first,
                                      .approvals = s->approvals,
                                      .read_only = s->call->options.read_only,
                                      .no_history = s->call->options.no_history};
    s->review = em_review_new(&review);
    if (!s->review)
        em_complain(s->call, 0, "out of memory");
    if (s->review && s->approvals)
        em_approvals_listen(s->approvals, em_review_heard, s->review);
    return s->review != NULL;
}

static void drop_review(serving *s)
{
    em_review_free(s->review);
    em_approvals_free(s->approvals);
}

static int begin(serving *s)
{
    em_invocation *call = s->call;
    const serve_flags *own = call->own;
    em_error err = EM_ERROR_INIT;
    size_t descriptors = em_raise_descriptor_limit();
    if (!find_tokens(s))
        return EM_EXIT_WRONG;
    if (page_alone_approves(own) && !page_can_be_opened(s))
        return em_complain_usage(call, "--approve-by page: %s has no token that opens the page",
                                 own->token_file);
    if (em_listen(own->listen, &s->listener, &err) != EM_OK)
        return em_complain(call, EM_EXIT_WRONG, "%s", err.detail);
    call->options.secret = own->token_file; /* it is there by now */
    s->first = em_cli_session_open(call, NULL, 0);
    int status = EM_EXIT_WRONG;
    if (s->first && em_cli_confine_server(call, &s->first, 1) && make_review(s))
        status = serve(s, descriptors);
    else
        close(s->listener.fd);
    drop_review(s);
    em_session_free(s->first); /* signals stay held: a second one changes nothing about the end */
    return status;
}

static int run(em_invocation *call)
{
    const serve_flags *own = call->own;
    serving s = {.call = call};
    bool is_local;
    em_error err = EM_ERROR_INIT;
    int status = check_words(call, &is_local);
    if (status != EM_EXIT_DONE)
        return status;
    if (em_toolset_choose(own->tools, call->options.read_only, call->arena, &s.tools, &err) !=
        EM_OK)
        return em_complain_usage(call, "--tools: %s", err.detail);
    if (own->lazy)
        em_toolset_add_picker(&s.tools);
    return begin(&s);
}

const em_command em_cmd_serve_http = {
    .name = "serve",
    .words = "",
    .brief = "Serve the tools over HTTP, and a page on which people watch, undo and approve",
    .details = "It prints its address. MCP clients connect to /mcp there, people open it in a "
               "browser.\nIt ends when it gets SIGTERM or SIGINT, after what runs.\n",
    .flags = flags,
    .own_size = sizeof defaults,
    .own_init = &defaults,
    .takes_shared = true,
    .run = run,
};
