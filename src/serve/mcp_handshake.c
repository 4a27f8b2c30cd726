/* mcp_handshake.c: what the revisions with `initialize` have: it, `ping`, and levels of logging. */
#include "serve/mcp_impl.h"

#include <stdlib.h>

/* ---- initialize ---------------------------------------------------------------------------- */

/* The one asked for where it has a handshake, else the newest that has. */
static const em_mcp_revision *agree(const json_t *asked)
{
    const em_mcp_revision *revision = em_mcp_revision_of(asked);
    if (revision && !revision->is_stateless)
        return revision;
    revision = em_mcp_revisions;
    while (revision->is_stateless)
        revision++;
    return revision;
}

static em_status remember_client(em_mcp *mcp, const json_t *client_info)
{
    EM_AUTO(em_arena) arena = {0};
    const char *name;
    EM_TRY(em_mcp_client_name(client_info, &arena, &name));
    char *copy = name ? strdup(name) : NULL;
    if (name && !copy)
        return EM_E_NOMEM;
    free(mcp->client);
    mcp->client = copy;
    return EM_OK;
}

static json_t *initialize_result(const em_mcp *mcp, const char *version)
{
    em_json json = {0};
    json_t *capabilities = em_json_object(&json);
    json_t *result = em_json_object(&json);
    json_t *tools = em_json_object(&json);
    if (mcp->lazy)
        em_json_set_bool(&json, tools, "listChanged", true);
    em_json_set(&json, capabilities, "tools", tools);
    em_json_set(&json, capabilities, "logging", em_json_object(&json));
    em_json_set_string(&json, result, "protocolVersion", version);
    em_json_set(&json, result, "capabilities", capabilities);
    em_json_set(&json, result, "serverInfo", em_mcp_server_info());
    em_json_set(&json, result, "instructions", em_mcp_instructions(mcp));
    return em_json_done(&json, result);
}

bool em_mcp_check_initialize(const em_rpc_message *message, json_t **answer)
{
    const em_mcp_request request = {.message = message};
    if (json_is_string(json_object_get(message->params, "protocolVersion")))
        return true;
    *answer =
        em_mcp_refuse(&request, EM_RPC_INVALID_PARAMS, "params.protocolVersion must be a string");
    return false;
}

json_t *em_mcp_initialize(const em_mcp_request *request)
{
    em_mcp *mcp = request->mcp;
    json_t *problem = NULL;
    if (!em_mcp_check_initialize(request->message, &problem))
        return problem;
    const em_mcp_revision *revision = agree(json_object_get(request->params, "protocolVersion"));
    json_t *result = initialize_result(mcp, revision->name);
    if (!result)
        return NULL;
    if (remember_client(mcp, json_object_get(request->params, "clientInfo")) != EM_OK) {
        json_decref(result);
        return NULL;
    }
    mcp->revision = revision;
    mcp->level = EM_MCP_SILENT;
    mcp->elicits = revision->has_elicitation &&
                   em_mcp_can_elicit(json_object_get(request->params, "capabilities"));
    em_mcp_forget_picks(mcp);
    return em_mcp_complete(request, result);
}

json_t *em_mcp_ping(const em_mcp_request *request)
{
    return em_mcp_complete(request, json_object());
}

/* ---- Logging ------------------------------------------------------------------------------- */

static const char *const level_names[] = {
    [EM_MCP_DEBUG] = "debug",     [EM_MCP_INFO] = "info",           [EM_MCP_NOTICE] = "notice",
    [EM_MCP_WARNING] = "warning", [EM_MCP_ERROR] = "error",         [EM_MCP_CRITICAL] = "critical",
    [EM_MCP_ALERT] = "alert",     [EM_MCP_EMERGENCY] = "emergency",
};

em_mcp_level em_mcp_level_of(const json_t *name)
{
    em_mcp_level level = EM_MCP_DEBUG;
    while (level < EM_MCP_SILENT && !em_json_is(name, level_names[level]))
        level++;
    return level;
}

json_t *em_mcp_set_level(const em_mcp_request *request)
{
    em_mcp_level level = em_mcp_level_of(json_object_get(request->params, "level"));
    if (level == EM_MCP_SILENT)
        return em_mcp_refuse(request, EM_RPC_INVALID_PARAMS,
                             "params.level must be debug, info, notice, warning, error, critical, "
                             "alert or emergency");
    request->mcp->level = level;
    return em_mcp_complete(request, json_object());
}

void em_mcp_tell(const em_mcp *mcp, const em_link *link, em_mcp_level level, json_t *data)
{
    if (level < mcp->level || mcp->level == EM_MCP_SILENT) {
        json_decref(data);
        return;
    }
    em_json json = {0};
    json_t *params = em_json_object(&json);
    em_json_set_string(&json, params, "level", level_names[level]);
    em_json_set_string(&json, params, "logger", "emend");
    em_json_set(&json, params, "data", data);
    em_mcp_send(link, em_rpc_notification("notifications/message", em_json_done(&json, params)));
}
