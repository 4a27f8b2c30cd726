#include "tools/describe.h"

#include "tools/schema.h"
#include "json/json.h"

json_t *em_tool_input_schema(const em_tool *tool)
{
    return em_schema_input(tool->params);
}

json_t *em_tool_full_schema(const em_tool *tool)
{
    return em_schema_full(tool->params, tool->forms);
}

json_t *em_tool_output_schema(const em_tool *tool)
{
    return tool->result ? em_schema_output(tool->result) : NULL;
}

json_t *em_tool_annotations(const em_tool *tool)
{
    em_json json = {0};
    json_t *annotations = em_json_object(&json);
    em_json_set_string(&json, annotations, "title", tool->title);
    em_json_set_bool(&json, annotations, "readOnlyHint", tool->flags & EM_TOOL_READ_ONLY);
    em_json_set_bool(&json, annotations, "destructiveHint", tool->flags & EM_TOOL_DESTRUCTIVE);
    em_json_set_bool(&json, annotations, "idempotentHint", tool->flags & EM_TOOL_IDEMPOTENT);
    em_json_set_bool(&json, annotations, "openWorldHint", false);
    return em_json_done(&json, annotations);
}

/* {"type": "object", "additionalProperties": true} */
static json_t *open_schema(em_json *json)
{
    json_t *schema = em_json_object(json);
    em_json_set_string(json, schema, "type", "object");
    em_json_set_bool(json, schema, "additionalProperties", true);
    return schema;
}

static json_t *input_schema(em_json *json, const em_tool *tool, em_tool_detail detail)
{
    if (detail == EM_DESCRIBE_BRIEF)
        return open_schema(json);
    return detail == EM_DESCRIBE_FULL ? em_tool_full_schema(tool) : em_tool_input_schema(tool);
}

json_t *em_tool_describe(const em_tool *tool, em_tool_detail detail)
{
    em_json json = {0};
    json_t *shown = em_json_object(&json);
    em_json_set_string(&json, shown, "name", tool->name);
    em_json_set_string(&json, shown, "title", tool->title);
    em_json_set_string(&json, shown, "description",
                       detail == EM_DESCRIBE_BRIEF ? tool->brief : tool->description);
    em_json_set(&json, shown, "inputSchema", input_schema(&json, tool, detail));
    if (tool->result && detail != EM_DESCRIBE_BRIEF)
        em_json_set(&json, shown, "outputSchema", em_tool_output_schema(tool));
    em_json_set(&json, shown, "annotations", em_tool_annotations(tool));
    return em_json_done(&json, shown);
}
