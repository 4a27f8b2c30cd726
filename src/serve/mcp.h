/* mcp.h: the Model Context Protocol, for a server that has tools and nothing else.
 *
 * Two eras in one server, told apart per request and never by how the connection began:
 *
 *  - a request whose _meta names a protocol version is stateless (2026-07-28): it carries all there
 *    is to know, and the answer depends on nothing before it;
 *  - any other belongs to the handshake (2024-11-05 to 2025-11-25), whose effect lasts as long as
 *    this object. Before `initialize` only `ping` is answered.
 *
 * An em_mcp is one peer. It knows messages; how they travel is the link's business, and it never
 * waits.
 */
#ifndef EM_SERVE_MCP_H
#define EM_SERVE_MCP_H

#include "dialects/registry.h"
#include "serve/rpc.h"

typedef struct em_mcp em_mcp;

/* The way to the client. */
typedef struct em_link {
    void *context;
    /* Send a message; borrowed. What goes wrong is the link's to know. */
    void (*send)(void *context, const json_t *message);
    /* Take in what has arrived meanwhile and mark the messages that the client has taken back
     * (em_rpc_message.cancelled), the one in hand included. */
    void (*look)(void *context);
    /* A line for the person who runs the server. */
    void (*log)(void *context, const char *sentence);
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

/* Do what the messages of a line ask for and send the answers. */
void em_mcp_handle(em_mcp *mcp, const em_rpc_line *line, const em_link *link);

/* Is a batch a message at this moment? (Only 2025-03-26 has them.) */
bool em_mcp_takes_batches(const em_mcp *mcp);

/* The id that a message takes back, if it is a notifications/cancelled; else NULL. */
const json_t *em_mcp_cancels(const em_rpc_message *message);

/* Replaced files that are kept for a while: how long until the next is to be looked at again, ms,
 * -1 if there is none; and look at those whose time has come (`now`: at all). What is found is
 * told with the answer of the next call, and logged. */
long em_mcp_due_ms(const em_mcp *mcp);
void em_mcp_settle(em_mcp *mcp, bool now, const em_link *link);

/* A tool as tools/list shows it. A new reference; NULL when memory ran out. */
typedef enum em_mcp_detail {
    EM_MCP_BRIEF,  /* its brief, and a schema that takes anything */
    EM_MCP_LISTED, /* all of it, with a schema that every client takes */
    EM_MCP_FULL,   /* all of it, with the forms of its arguments: for other readers */
} em_mcp_detail;
json_t *em_mcp_describe_tool(const em_tool *tool, em_mcp_detail detail);

#endif
