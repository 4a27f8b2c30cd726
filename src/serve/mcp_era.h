/* mcp_era.h: which era a message belongs to, for transports that must know before it is handled. */
#ifndef EM_SERVE_MCP_ERA_H
#define EM_SERVE_MCP_ERA_H

#include "serve/rpc.h"

typedef enum em_mcp_era {
    EM_MCP_ERA_NONE, /* no revision of that name is known here */
    EM_MCP_ERA_HANDSHAKE,
    EM_MCP_ERA_STATELESS,
} em_mcp_era;

/* The era of the revision "2025-11-25". */
em_mcp_era em_mcp_era_of(const char *version);

/* Is it a request, or a notification, that names its revision itself? */
bool em_mcp_is_stateless(const em_rpc_message *message);

/* The name of the revision that a stateless request gives; borrowed, of whatever type. */
const json_t *em_mcp_version_named(const em_rpc_message *message);

/* Does a stateless request carry what it must? Else *answer is the error, a new reference (NULL
 * when memory ran out). Its method is not looked at. */
bool em_mcp_check_stateless(const em_rpc_message *message, json_t **answer);

#endif
