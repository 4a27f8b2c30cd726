/* tools.c: the second face, which takes and gives JSON, for callers in other languages. */
#include "api/handles.h"
#include "arguments/call.h"
#include "tools/describe.h"

#include "answers/reply.h"
#include "dialects/registry.h"
#include "json/json_text.h"

/* `value` as a string for emend_free(); it is borrowed. */
static emend_status write_json(const json_t *value, char **out, emend_error *err)
{
    EM_AUTO(em_strbuf) text = {0};
    if (value)
        em_json_write(value, 0, &text);
    if (!value || text.failed)
        return em_api_refuse(EMEND_E_NOMEM, "out of memory", err);
    return em_api_copy(em_strbuf_slice(&text), out, err);
}

/* ---- Calling ------------------------------------------------------------------------------- */

static emend_status write_answer(const em_answer *answer, char **out, emend_error *err)
{
    const json_t *object = answer->native ? answer->native : answer->object;
    if (object)
        return write_json(object, out, err);
    em_json json = {0};
    EM_AUTO(em_json_ref) text = em_json_text(&json, em_answer_text(answer));
    return write_json(text, out, err);
}

static em_status find_tool(const emend_session *session, const char *name, em_call *call,
                           em_toolset *offered, em_error *error)
{
    em_toolset all;
    EM_TRY(em_toolset_choose_all(session->read_only, call->arena, &all, offered, error));
    call->offered = offered;
    call->tool = em_toolset_find(&all, name);
    if (call->tool)
        return EM_OK;
    const char *near = em_toolset_nearest(&all, name);
    return em_fail(error, EM_E_INVALID, "there is no tool '%s'%s%s%s",
                   em_show_name(em_slice_of(name)).text, near ? ". Did you mean '" : "",
                   near ? near : "", near ? "'?" : "");
}

static em_status parse_arguments(const char *text, json_t **arguments, em_error *error)
{
    EM_TRY(em_json_parse(em_slice_of(text ? text : "{}"), arguments, error));
    if (em_json_is_object(*arguments) || json_is_null(*arguments))
        return EM_OK;
    return em_fail(error, EM_E_INVALID, "the arguments must be a JSON object");
}

emend_status emend_call(emend_session *session, const char *tool, const char *arguments,
                        char **answer, bool *is_error, emend_error *err)
{
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(em_json_ref) given = NULL;
    em_error error = EM_ERROR_INIT;
    em_call call = {.session = session->session, .arena = &arena};
    em_toolset offered;
    em_answer reply = {0};
    *answer = NULL;
    *is_error = true;
    em_status status = find_tool(session, tool, &call, &offered, &error);
    if (status == EM_OK)
        status = parse_arguments(arguments, &given, &error);
    if (status == EM_OK)
        status = em_tool_call(&call, given, &reply);
    if (status != EM_OK)
        return em_api_fail(status, &error, err);
    *is_error = reply.is_error;
    emend_status written = write_answer(&reply, answer, err);
    em_answer_drop(&reply);
    em_session_tidy(session->session);
    return written;
}

/* ---- Describing ---------------------------------------------------------------------------- */

char *emend_tools_json(void)
{
    EM_AUTO(em_arena) arena = {0};
    em_toolset all;
    em_json json = {0};
    char *text = NULL;
    if (em_toolset_choose("all", false, &arena, &all, NULL) != EM_OK)
        return NULL;
    json_t *list = em_json_array(&json);
    for (size_t i = 0; i < all.count; i++)
        em_json_add(&json, list, em_tool_describe(all.tools[i], EM_DESCRIBE_FULL));
    EM_AUTO(em_json_ref) tools = em_json_done(&json, list);
    write_json(tools, &text, NULL);
    return text;
}
