/* mcp.h: the Model Context Protocol, for a server that has tools and nothing else.
 *
 * Two eras in one server, told apart per request and never by how the connection began:
 *
 *  - a request whose _meta names a protocol version is stateless (2026-07-28): it carries all there
 *    is to know, and the answer depends on nothing before it;
 *  - any other belongs to the handshake (2024-11-05 to 2025-11-25), whose effect lasts as long as
 *    this object. Before `initialize` only `ping` is answered.
 *
 * An em_mcp is one peer. It knows messages; how they travel is the link's business. It waits only
 * where changes need a person's yes (em_mcp_set_approvals), and uses neither its session nor
 * anything of its own meanwhile.
 */
#ifndef EM_SERVE_MCP_H
#define EM_SERVE_MCP_H

#include "serve/approvals.h"
#include "serve/rpc.h"
#include "tools/toolset.h"

typedef struct em_mcp em_mcp;

/* The way to the client. */
typedef struct em_link {
    void *context;
    /* Send a message; borrowed. False: there was no memory for its text, and nothing was sent. What
     * else goes wrong is the link's to know. */
    bool (*send)(void *context, const json_t *message);
    /* Take in what has arrived meanwhile and mark the messages that the client has taken back
     * (em_rpc_message.cancelled), the one in hand included. */
    void (*look)(void *context);
    /* A line for the person who runs the server. */
    void (*log)(void *context, const char *sentence);
    /* Whose requests these are, where there are several callers: each has sessions of its own,
     * whatever they call them. NULL: there is one. */
    const char *scope;

    /* The rest may be NULL. */

    /* Is the server to end, as far as `look` has seen? Then a call does not wait for a file. */
    bool (*is_ending)(void *context);

    /* What follows is only called while a change waits for a person's yes. */

    /* From the first until the second has returned the peer and its session are not used by the
     * request in hand: others may use them. */
    void (*pause)(void *context);
    void (*resume)(void *context);
    /* Wait for what the client may send, at most `ms`, and take it in as `look` does, answers to
     * what it was asked included (em_mcp_respond). False: nothing more will come from it. NULL:
     * what comes is handed to em_mcp_respond() by another thread, and `look` is called several
     * times a second. */
    bool (*wait)(void *context, long ms);
} em_link;

enum {
    EM_MCP_LAZY = 1, /* list tools by their briefs; those that a client of the handshake picks are
                        shown in full from then on, and it is told that the list has changed */
};

/* A peer that uses `session` and is offered `tools`; both borrowed. The caller's: em_mcp_free().
 * NULL when memory ran out. */
em_mcp *em_mcp_new(em_session *session, const em_toolset *tools, unsigned flags);
void em_mcp_free(em_mcp *mcp);

/* Ask `gate` before the first call of a tool that touches files. As long as it says no, such calls
 * are answered with an error. */
void em_mcp_set_gate(em_mcp *mcp, bool (*gate)(void *context), void *context);

/* From now on a call of a tool that changes files needs a yes, as approvals.h says; borrowed, and
 * shared with others. Before the first message. */
void em_mcp_set_approvals(em_mcp *mcp, em_approvals *approvals);

/* The client's answer to something that it was asked (a message of kind EM_RPC_RESPONSE). May be
 * called from any thread at any time. Whether somebody waited for it. */
bool em_mcp_respond(em_mcp *mcp, const em_rpc_message *message);

/* What came of a tools/call. Borrowed. */
typedef struct em_mcp_called {
    const char *tool;        /* as it was named, known or not; NULL where it was no string */
    const json_t *arguments; /* as they came; NULL */
    const char *client;      /* as it calls itself; NULL */
    bool is_unknown;         /* there is no such tool */
    bool stateless;
    bool is_error;
    int code;             /* of a JSON-RPC error; 0: it was answered with a result */
    const char *text;     /* the text block, or the error's message; "" */
    const json_t *object; /* structuredContent; NULL */
    long ms;              /* that it took, without what it waited for a person */
    long waited_ms;
    em_verdict verdict; /* what the person said; EM_VERDICT_NONE: nobody was asked */
    bool is_asked;      /* the answer is a question to the client's user, who may send it again */
    bool cancelled;     /* the client does not want the answer any more */
    const em_observed *files; /* what became of each file; arguments that were refused have none */
    size_t file_count;
} em_mcp_called;

/* Tell `told` of every tools/call when its answer is made. In the thread of em_mcp_handle(), which
 * is the session's: the session's own observer is told all the same. */
void em_mcp_set_observer(em_mcp *mcp, void (*told)(void *context, const em_mcp_called *called),
                         void *context);

/* Do what the messages of a line ask for and send the answers. False: there was no memory even to
 * say that there was none, so a request is not answered. */
bool em_mcp_handle(em_mcp *mcp, const em_rpc_line *line, const em_link *link);

/* Is a batch a message at this moment? (Only 2025-03-26 has them.) */
bool em_mcp_takes_batches(const em_mcp *mcp);

/* The id that a message takes back, if it is a notifications/cancelled; else NULL. */
const json_t *em_mcp_cancels(const em_rpc_message *message);

/* Replaced files that are kept for a while: how long until the next is to be looked at again, ms,
 * -1 if there is none; and look at those whose time has come (`now`: at all). What is found is
 * told with the answer of the next call, and logged. */
long em_mcp_due_ms(const em_mcp *mcp);
void em_mcp_do_due(em_mcp *mcp, bool now, const em_link *link);

/* ---- For transports that have to know before a message is handled ---------------------------- */

/* Does a stateless request carry what it must? Else *answer is the error, a new reference (NULL
 * when memory ran out). Its method is not looked at. */
bool em_mcp_check_stateless(const em_rpc_message *message, json_t **answer);

/* Can `initialize` begin anything? The same. */
bool em_mcp_check_initialize(const em_rpc_message *message, json_t **answer);

#endif
