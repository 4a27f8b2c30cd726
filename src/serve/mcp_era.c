#include "serve/mcp_era.h"

#include "serve/mcp_impl.h"

em_mcp_era em_mcp_era_of(const char *version)
{
    for (size_t i = 0; em_mcp_versions[i]; i++)
        if (strcmp(em_mcp_versions[i], version) == 0)
            return strcmp(version, EM_MCP_STATELESS) == 0 ? EM_MCP_ERA_STATELESS
                                                          : EM_MCP_ERA_HANDSHAKE;
    return EM_MCP_ERA_NONE;
}

bool em_mcp_is_stateless(const em_rpc_message *message)
{
    return em_mcp_names_version(message->params);
}

const json_t *em_mcp_version_named(const em_rpc_message *message)
{
    return json_object_get(json_object_get(message->params, "_meta"),
                           "io.modelcontextprotocol/protocolVersion");
}

bool em_mcp_check_stateless(const em_rpc_message *message, json_t **answer)
{
    em_mcp_request request = {.message = message,
                              .params = message->params,
                              .meta = json_object_get(message->params, "_meta"),
                              .stateless = true};
    return em_mcp_check_meta(&request, answer);
}
