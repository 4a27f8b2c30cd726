#include "serve/mcp_era.h"

#include "json/json_text.h"

#include <string.h>

const em_mcp_revision em_mcp_revisions[] = {
    {.name = "2026-07-28",
     .is_stateless = true,
     .tells_steps = true,
     .has_elicitation = true,
     .names_form = true},
    {.name = "2025-11-25",
     .tells_steps = true,
     .has_elicitation = true,
     .names_form = true,
     .primes_streams = true},
    {.name = "2025-06-18", .tells_steps = true, .has_elicitation = true},
    {.name = "2025-03-26", .tells_steps = true, .has_batches = true},
    {.name = "2024-11-05"},
    {.name = NULL},
};

const em_mcp_revision *em_mcp_revision_of(const json_t *name)
{
    const em_mcp_revision *revision = em_mcp_revisions;
    while (revision->name && !em_json_is(name, revision->name))
        revision++;
    return revision->name ? revision : NULL;
}

em_mcp_era em_mcp_era_of(const char *version)
{
    const em_mcp_revision *revision = em_mcp_revisions;
    while (revision->name && strcmp(revision->name, version) != 0)
        revision++;
    if (!revision->name)
        return EM_MCP_ERA_NONE;
    return revision->is_stateless ? EM_MCP_ERA_STATELESS : EM_MCP_ERA_HANDSHAKE;
}

/* The name of the revision that these params give; NULL. */
static const json_t *version_in(const json_t *params)
{
    return json_object_get(json_object_get(params, "_meta"), EM_MCP_META_VERSION);
}

bool em_mcp_names_version(const json_t *params)
{
    return version_in(params) != NULL;
}

bool em_mcp_is_stateless(const em_rpc_message *message)
{
    return em_mcp_names_version(message->params);
}

const json_t *em_mcp_version_named(const em_rpc_message *message)
{
    return version_in(message->params);
}
