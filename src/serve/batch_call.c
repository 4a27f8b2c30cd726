#include "serve/batch_call.h"

#include "answers/reply.h"
#include "arguments/args.h"
#include "arguments/call.h"
#include "tools/nearest.h"
#include "json/json_text.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- What a call is about ------------------------------------------------------------------ */

typedef struct file_names {
    const char *first;
    size_t count; /* of different ones */
} file_names;

static void note_file(file_names *names, const char *name)
{
    if (!name || (names->first && strcmp(names->first, name) == 0))
        return;
    if (!names->first)
        names->first = name;
    names->count++;
}

/* The arguments have not been checked: what has the wrong type names nothing. */
static void collect_files(const em_param *params, const json_t *object, file_names *names)
{
    for (const em_param *param = params; param->name; param++) {
        const json_t *value = em_param_value(param, object);
        if (param->type == EM_P_PATH)
            note_file(names, json_string_value(value));
        if (!param->fields || !value)
            continue;
        if (param->type == EM_P_OBJECT)
            collect_files(param->fields, value, names);
        for (size_t i = 0; i < json_array_size(value); i++)
            collect_files(param->fields, json_array_get(value, i), names);
    }
}

static em_status note_reach(em_batch_call *call)
{
    file_names names = {0};
    bool changes = !(call->tool->flags & EM_TOOL_READ_ONLY);
    const json_t *arguments = json_object_get(call->line, "arguments");
    collect_files(call->tool->params, arguments, &names);
    call->makes_backup = json_is_true(json_object_get(arguments, "backup"));
    if (names.count == 1)
        call->reach = EM_NAMES_ONE_FILE;
    else /* what changes files and names none, such as an undo, may change any */
        call->reach = names.count > 1 || changes ? EM_NAMES_MORE : EM_NAMES_NO_FILE;
    if (call->reach == EM_NAMES_ONE_FILE && !(call->file = strdup(names.first)))
        return EM_E_NOMEM;
    return EM_OK;
}

/* ---- Reading ------------------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static em_status no_call(em_batch_call *call,
                                                               const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = vasprintf(&call->problem, format, args);
    va_end(args);
    if (length >= 0)
        return EM_OK;
    call->problem = NULL;
    return EM_E_NOMEM;
}

static em_status check_members(em_batch_call *call)
{
    static const char *const members[] = {"id", "tool", "arguments", NULL};
    const char *name;
    json_t *value;
    json_object_foreach(call->line, name, value)
    {
        if (strcmp(name, "id") == 0 || strcmp(name, "tool") == 0 || strcmp(name, "arguments") == 0)
            continue;
        const char *near = em_nearest_name(name, members);
        return no_call(call, "Unknown member %s%s%s. A line has id, tool and arguments",
                       em_show_name(em_slice_of(name)).text, near ? "; did you mean " : "",
                       near ? near : "");
    }
    return EM_OK;
}

static em_status find_tool(em_batch_call *call, const em_toolset *tools)
{
    const json_t *name = json_object_get(call->line, "tool");
    if (!json_is_string(name))
        return no_call(call, "The member tool must be a string, the name of a tool");
    call->tool = em_toolset_find_json(tools, name);
    if (call->tool)
        return note_reach(call);
    const char *near = em_toolset_nearest(tools, json_string_value(name));
    return no_call(call, "Unknown tool %s%s%s", em_show_name(em_json_slice(name)).text,
                   near ? "; did you mean " : "", near ? near : "");
}

em_status em_batch_call_read(em_slice line, const em_toolset *tools, em_batch_call *call)
{
    em_error err = EM_ERROR_INIT;
    *call = (em_batch_call){.line = NULL};
    em_status status = em_json_parse(line, &call->line, &err);
    if (status == EM_E_NOMEM)
        return status;
    if (status != EM_OK)
        return no_call(call, "Not JSON: %s", err.detail);
    if (!em_json_is_object(call->line))
        return no_call(call, "A line must be a JSON object with id, tool and arguments");
    EM_TRY(check_members(call));
    if (call->problem)
        return EM_OK;
    const json_t *arguments = json_object_get(call->line, "arguments");
    if (arguments && !em_json_is_object(arguments) && !json_is_null(arguments))
        return no_call(call, "The member arguments must be an object");
    return find_tool(call, tools);
}

em_status em_batch_call_too_long(size_t most, em_batch_call *call)
{
    *call = (em_batch_call){.line = NULL};
    return no_call(call, "The line is longer than %zu bytes (--max-message-size)", most);
}

void em_batch_call_drop(em_batch_call *call)
{
    json_decref(call->line);
    free(call->problem);
    free(call->file);
    *call = (em_batch_call){.line = NULL};
}

/* ---- Running ------------------------------------------------------------------------------- */

/* The line of an answer; takes `result`. */
static em_status write_answer(const em_batch_call *call, bool is_error, json_t *result,
                              em_strbuf *answer)
{
    em_json json = {0};
    json_t *id = json_object_get(call->line, "id");
    json_t *object = em_json_object(&json);
    em_json_set(&json, object, "id", id ? json_incref(id) : json_null());
    em_json_set_bool(&json, object, "isError", is_error);
    em_json_set(&json, object, "result", result);
    object = em_json_done(&json, object);
    if (!object)
        return EM_E_NOMEM;
    em_json_write(object, 0, answer);
    em_strbuf_putc(answer, '\n');
    json_decref(object);
    return answer->failed ? EM_E_NOMEM : EM_OK;
}

static json_t *result_of(const em_answer *answer)
{
    em_json json = {0};
    if (answer->native)
        return json_incref(answer->native);
    if (answer->object)
        return json_incref(answer->object);
    return em_json_text(&json, em_answer_text(answer));
}

em_status em_batch_call_run(const em_batch_call *call, const em_toolset *offered,
                            em_session *session, em_strbuf *answer, bool *is_error)
{
    em_json json = {0};
    *is_error = true;
    if (call->problem)
        return write_answer(call, true, em_json_text(&json, em_slice_of(call->problem)), answer);
    EM_AUTO(em_arena) arena = {0};
    em_call request = {.session = session,
                       .arena = &arena,
                       .tool = call->tool,
                       .offered = offered,
                       .is_command = true};
    em_answer given = {.is_error = false};
    EM_TRY(em_tool_call(&request, json_object_get(call->line, "arguments"), &given));
    *is_error = given.is_error;
    em_status status = write_answer(call, given.is_error, result_of(&given), answer);
    em_answer_drop(&given);
    return status;
}
