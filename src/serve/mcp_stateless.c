/* mcp_stateless.c: what the revision without `initialize` demands of each request, and of each
 * result. */
#include "serve/mcp_impl.h"

#define META_LEVEL "io.modelcontextprotocol/logLevel"
#define META_SERVER "io.modelcontextprotocol/serverInfo"

/* How long a client may keep the list of tools: it changes with the command line alone. */
enum { KEEP_MS = 60000 };

/* ---- What a request must carry ------------------------------------------------------------- */

static json_t *version_list(em_json *json)
{
    json_t *list = em_json_array(json);
    for (const em_mcp_revision *one = em_mcp_revisions; one->name; one++)
        em_json_add(json, list, json_string(one->name));
    return list;
}

static json_t *unsupported_version(const em_mcp_request *request, json_t *asked)
{
    em_json json = {0};
    json_t *data = em_json_object(&json);
    em_json_set(&json, data, "supported", version_list(&json));
    em_json_set(&json, data, "requested", json_incref(asked));
    data = em_json_done(&json, data);
    return data ? em_rpc_error(request->message->id, EM_MCP_UNSUPPORTED_VERSION,
                               "Unsupported protocol version", data)
                : NULL;
}

static bool refuse_meta(const em_mcp_request *request, const char *key, const char *wanted,
                        json_t **answer)
{
    *answer = em_mcp_refuse(request, EM_RPC_INVALID_PARAMS, "params._meta[\"%s\"] must be %s", key,
                            wanted);
    return false;
}

bool em_mcp_check_meta(const em_mcp_request *request, json_t **answer)
{
    json_t *version = json_object_get(request->meta, EM_MCP_META_VERSION);
    json_t *client = json_object_get(request->meta, EM_MCP_META_CLIENT);
    json_t *level = json_object_get(request->meta, META_LEVEL);
    if (!json_is_string(version))
        return refuse_meta(request, EM_MCP_META_VERSION, "a string", answer);
    const em_mcp_revision *revision = em_mcp_revision_of(version);
    if (!revision || !revision->is_stateless) {
        *answer = unsupported_version(request, version);
        return false;
    }
    if (!em_json_is_object(json_object_get(request->meta, EM_MCP_META_CAPABILITIES)))
        return refuse_meta(request, EM_MCP_META_CAPABILITIES, "an object", answer);
    if (client && !em_json_is_object(client))
        return refuse_meta(request, EM_MCP_META_CLIENT, "an object", answer);
    if (level && em_mcp_level_of(level) == EM_MCP_SILENT)
        return refuse_meta(request, META_LEVEL, "a level of RFC 5424", answer);
    return em_mcp_check_token(request, answer);
}

bool em_mcp_check_stateless(const em_rpc_message *message, json_t **answer)
{
    em_mcp_request request = {.message = message,
                              .params = message->params,
                              .meta = json_object_get(message->params, "_meta"),
                              .stateless = true};
    return em_mcp_check_meta(&request, answer);
}

/* ---- What a result must carry -------------------------------------------------------------- */

static json_t *finish(const em_mcp_request *request, json_t *result, const char *type)
{
    em_json json = {0};
    if (result && request->stateless) {
        json_t *meta = json_object_get(result, "_meta");
        meta = meta ? json_incref(meta) : em_json_object(&json);
        em_json_set(&json, meta, META_SERVER, em_mcp_server_info());
        em_json_set(&json, result, "resultType", json_string(type));
        em_json_set(&json, result, "_meta", meta);
    }
    return em_rpc_result(request->message->id, em_json_done(&json, result));
}

json_t *em_mcp_complete(const em_mcp_request *request, json_t *result)
{
    return finish(request, result, "complete");
}

json_t *em_mcp_input_required(const em_mcp_request *request, json_t *result)
{
    return finish(request, result, "input_required");
}

json_t *em_mcp_complete_cacheable(const em_mcp_request *request, json_t *result)
{
    em_json json = {0};
    if (result && request->stateless) {
        em_json_set(&json, result, "ttlMs", json_integer(KEEP_MS));
        em_json_set_string(&json, result, "cacheScope", "private");
    }
    return em_mcp_complete(request, em_json_done(&json, result));
}

/* The list of tools never depends on what was called before, so it never changes: `listChanged` is
 * not among the capabilities, and there is nothing that subscriptions/listen could grant. */
json_t *em_mcp_discover(const em_mcp_request *request)
{
    em_json json = {0};
    json_t *capabilities = em_json_object(&json);
    json_t *result = em_json_object(&json);
    em_json_set(&json, capabilities, "tools", em_json_object(&json));
    em_json_set(&json, result, "supportedVersions", version_list(&json));
    em_json_set(&json, result, "capabilities", capabilities);
    em_json_set(&json, result, "instructions", em_mcp_instructions(request->mcp));
    return em_mcp_complete_cacheable(request, em_json_done(&json, result));
}
