/* mcp_era.h: the revisions of the protocol, what each of them has, and which era a message belongs
 * to, for transports that must know before it is handled. */
#ifndef EM_SERVE_MCP_ERA_H
#define EM_SERVE_MCP_ERA_H

#include "serve/rpc.h"

/* Errors of the protocol itself, beside those of JSON-RPC (rpc.h). */
enum {
    EM_MCP_HEADER_MISMATCH = -32020,     /* over HTTP: the headers are not what the body says */
    EM_MCP_MISSING_CAPABILITY = -32021,  /* the client cannot do what the request needs */
    EM_MCP_UNSUPPORTED_VERSION = -32022, /* there is no such revision, or it has a handshake */
};

/* A revision, and what not all of them have. */
typedef struct em_mcp_revision {
    const char *name;     /* "2025-11-25" */
    bool is_stateless;    /* each request names it; else a handshake agrees on it */
    bool has_batches;     /* several messages may come as one */
    bool tells_steps;     /* progress comes with a message */
    bool has_elicitation; /* the client may be asked to ask its user */
    bool names_form;      /* that has several modes: which one is named */
    bool primes_streams;  /* a stream of events may begin with one without data */
} em_mcp_revision;

/* Newest first; behind the last comes one without a name. */
extern const em_mcp_revision em_mcp_revisions[];

/* The revision of that name (a string or not); NULL. */
const em_mcp_revision *em_mcp_revision_of(const json_t *name);

typedef enum em_mcp_era {
    EM_MCP_ERA_NONE, /* no revision of that name is known here */
    EM_MCP_ERA_HANDSHAKE,
    EM_MCP_ERA_STATELESS,
} em_mcp_era;

/* The era of the revision "2025-11-25". */
em_mcp_era em_mcp_era_of(const char *version);

/* Where in its _meta a stateless request names its revision. */
#define EM_MCP_META_VERSION "io.modelcontextprotocol/protocolVersion"

/* Does a request with these params name its revision itself? Then it is stateless. */
bool em_mcp_names_version(const json_t *params);

/* The same of a request, or a notification, that has arrived. */
bool em_mcp_is_stateless(const em_rpc_message *message);

/* The name of the revision that a stateless request gives; borrowed, of whatever type. */
const json_t *em_mcp_version_named(const em_rpc_message *message);

#endif
