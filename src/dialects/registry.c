/* registry.c: all tools: which are offered, what is said of them, and the call of one. */
#include "dialects/registry.h"

#include "dialects/forms.h"
#include "dialects/json_text.h"
#include "dialects/schema.h"

#define DIALECT(name) extern const em_dialect em_dialect_##name;
#include "dialects/dialects.def"
#undef DIALECT

static const em_dialect *const dialects[] = {
#define DIALECT(name) &em_dialect_##name,
#include "dialects/dialects.def"
#undef DIALECT
};

enum { DIALECT_COUNT = sizeof dialects / sizeof dialects[0] };

static const char DEFAULT_TOOLS[] = "site,undo_last_edit";

void em_answer_drop(em_answer *answer)
{
    json_decref(answer->object);
    json_decref(answer->meta);
    json_decref(answer->native);
    *answer = (em_answer){0};
}

/* ---- Choosing ------------------------------------------------------------------------------ */

static size_t count_all_tools(void)
{
    size_t count = 0;
    for (size_t i = 0; i < DIALECT_COUNT; i++)
        for (const em_tool *tool = dialects[i]->tools; tool->name; tool++)
            count++;
    return count;
}

/* The words that may stand in a list of tools. */
static const char **all_names(em_arena *arena)
{
    const char **names =
        em_alloc_array(arena, count_all_tools() + DIALECT_COUNT + 2, sizeof *names);
    if (!names)
        return NULL;
    size_t count = 0;
    names[count++] = "all";
    for (size_t i = 0; i < DIALECT_COUNT; i++) {
        names[count++] = dialects[i]->name;
        for (const em_tool *tool = dialects[i]->tools; tool->name; tool++)
            names[count++] = tool->name;
    }
    return names;
}

static em_slice trim_blanks(em_slice s)
{
    size_t start = s.len, end = 0;
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] == ' ' || s.ptr[i] == '\t')
            continue;
        start = i < start ? i : start;
        end = i + 1;
    }
    return start < end ? em_slice_sub(s, start, end) : (em_slice){0};
}

/* The next word of *list, which moves behind it and its comma. */
static em_slice next_word(em_slice *list)
{
    const char *comma = memchr(list->ptr, ',', list->len);
    size_t length = comma ? (size_t)(comma - list->ptr) : list->len;
    em_slice word = em_slice_sub(*list, 0, length);
    *list = em_slice_from(*list, comma ? length + 1 : length);
    return trim_blanks(word);
}

static bool is_chosen(em_slice list, const em_dialect *dialect, const em_tool *tool)
{
    while (list.len > 0) {
        em_slice word = next_word(&list);
        if (em_slice_is(word, "all") || em_slice_is(word, dialect->name) ||
            em_slice_is(word, tool->name))
            return true;
    }
    return false;
}

static bool is_known(em_slice word, const char *const *names)
{
    for (; *names; names++)
        if (em_slice_is(word, *names))
            return true;
    return false;
}

static em_status fail_unknown(em_slice word, const char *const *names, em_arena *arena,
                              em_error *err)
{
    const char *name = em_arena_string(arena, word);
    if (!name)
        return EM_E_NOMEM;
    const char *nearest = em_nearest_name(name, names);
    if (nearest)
        return em_fail(err, EM_E_INVALID, "no tool or dialect '%s'. Did you mean '%s'?", name,
                       nearest);
    EM_AUTO(em_strbuf) known = {0};
    for (const char *const *at = names; *at; at++)
        em_strbuf_printf(&known, "%s%s", at == names ? "" : ", ", *at);
    const char *list = em_strbuf_finish(&known, arena);
    return list ? em_fail(err, EM_E_INVALID, "no tool or dialect '%s'. There are: %s", name, list)
                : EM_E_NOMEM;
}

static em_status check_words(em_slice list, em_arena *arena, em_error *err)
{
    const char **names = all_names(arena);
    if (!names)
        return EM_E_NOMEM;
    do {
        em_slice word = next_word(&list);
        if (!is_known(word, names))
            return fail_unknown(word, names, arena, err);
    } while (list.len > 0);
    return EM_OK;
}

em_status em_toolset_choose(const char *list, bool read_only, em_arena *arena, em_toolset *set,
                            em_error *err)
{
    em_slice words = em_slice_of(list ? list : DEFAULT_TOOLS);
    EM_TRY(check_words(words, arena, err));
    *set = (em_toolset){em_alloc_array(arena, count_all_tools(), sizeof(em_tool *)), 0};
    if (!set->tools)
        return EM_E_NOMEM;
    for (size_t i = 0; i < DIALECT_COUNT; i++)
        for (const em_tool *tool = dialects[i]->tools; tool->name; tool++)
            if (is_chosen(words, dialects[i], tool) &&
                (!read_only || tool->flags & EM_TOOL_READ_ONLY))
                set->tools[set->count++] = tool;
    return EM_OK;
}

em_status em_toolset_choose_all(bool read_only, em_arena *arena, em_toolset *all,
                                em_toolset *offered, em_error *err)
{
    EM_TRY(em_toolset_choose("all", false, arena, all, err));
    return em_toolset_choose("all", read_only, arena, offered, err);
}

void em_toolset_add_picker(em_toolset *set)
{
    for (size_t i = 0; i < DIALECT_COUNT; i++)
        for (const em_tool *tool = dialects[i]->tools; tool->name; tool++)
            if (tool->flags & EM_TOOL_PICKS && !em_toolset_find(set, tool->name))
                set->tools[set->count++] = tool;
}

const em_tool *em_toolset_find(const em_toolset *set, const char *name)
{
    for (size_t i = 0; i < set->count; i++)
        if (strcmp(set->tools[i]->name, name) == 0)
            return set->tools[i];
    return NULL;
}

const em_tool *em_toolset_find_json(const em_toolset *set, const json_t *name)
{
    const em_tool *tool = em_toolset_find(set, json_string_value(name));
    return tool && em_json_is(name, tool->name) ? tool : NULL;
}

const char *em_toolset_nearest(const em_toolset *set, const char *name)
{
    EM_AUTO(em_arena) arena = {0};
    const char **names = em_alloc_array(&arena, set->count + 1, sizeof *names);
    for (size_t i = 0; names && i < set->count; i++)
        names[i] = set->tools[i]->name;
    return names ? em_nearest_name(name, names) : NULL;
}

static bool is_tool_of(const em_dialect *dialect, const em_tool *wanted)
{
    for (const em_tool *tool = dialect->tools; tool->name; tool++)
        if (tool == wanted)
            return true;
    return false;
}

bool em_tools_are_kin(const em_tool *a, const em_tool *b)
{
    for (size_t i = 0; i < DIALECT_COUNT; i++)
        if (is_tool_of(dialects[i], a))
            return is_tool_of(dialects[i], b);
    return false;
}

/* ---- Describing ---------------------------------------------------------------------------- */

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

static void add_guidance(em_strbuf *text, const em_guidance *guidance, const em_toolset *set)
{
    unsigned offered = 0;
    size_t before = text->len;
    for (size_t i = 0; i < set->count; i++)
        offered |= set->tools[i]->flags;
    for (; guidance->text; guidance++)
        if (!(guidance->needs & ~offered))
            em_strbuf_puts(text, guidance->text);
    if (text->len > before)
        em_strbuf_putc(text, '\n');
}

/* The tools of one family that are offered, and what holds for all of them. */
static void add_family(em_strbuf *text, const em_dialect *dialect, const em_toolset *set)
{
    bool any = false;
    for (const em_tool *tool = dialect->tools; tool->name; tool++) {
        if (!em_toolset_find(set, tool->name))
            continue;
        em_strbuf_printf(text, "- %s: %s.\n", tool->name, tool->guidance);
        any = true;
    }
    if (any && dialect->guidance)
        add_guidance(text, dialect->guidance, set);
}

const char *em_toolset_prompt(const em_toolset *set, em_arena *arena)
{
    EM_AUTO(em_strbuf) text = {0};
    em_strbuf_puts(&text, "Choose the tool by what is to be done:\n");
    for (size_t i = 0; i < DIALECT_COUNT; i++)
        add_family(&text, dialects[i], set);
    return em_strbuf_finish(&text, arena);
}

/* ---- Calling ------------------------------------------------------------------------------- */

static const em_param *list_named(const em_param *params, const char *name)
{
    while (params->name && (params->type != EM_P_LIST || strcmp(params->name, name) != 0))
        params++;
    return params->name ? params : NULL;
}

/* The list of that name that the tool takes; NULL. *outer is the list whose objects have it; NULL:
 * the tool has it itself. */
static const em_param *list_taken(const em_tool *tool, const char *name, const em_param **outer)
{
    *outer = NULL;
    const em_param *list = list_named(tool->params, name);
    for (const em_param *param = tool->params; !list && param->name; param++) {
        *outer = param;
        list = param->fields ? list_named(param->fields, name) : NULL;
    }
    return list;
}

/* Is a list of that name known to the tool by another word? */
static bool has_word_for(const em_tool *tool, const char *name)
{
    for (const em_param *param = tool->params; param->name; param++)
        if (param->type == EM_P_LIST && em_are_synonyms(param->name, name))
            return true;
    return false;
}

/* Is nothing wrong with the list, were it that parameter's? */
static bool is_right_as(const em_param *list, json_t *value, em_arena *arena)
{
    const em_param params[] = {*list, {.name = NULL}};
    em_args_problem problem;
    EM_AUTO(em_json_ref) object = json_pack("{s:O}", list->name, value);
    return object && em_args_check(params, object, arena, &problem) == EM_OK;
}

/* Append that a name, unknown to this tool, is an argument of one of its kin, if that is offered.
 * What this tool has another word for is no kin's, unless it is all right there. */
static em_status add_kin(const em_call *call, const char *name, json_t *value,
                         em_args_problem *problem)
{
    const em_param *outer;
    bool is_own = has_word_for(call->tool, name);
    for (size_t i = 0; i < call->offered->count; i++) {
        const em_tool *tool = call->offered->tools[i];
        if (tool == call->tool || !em_tools_are_kin(tool, call->tool))
            continue;
        const em_param *list = list_taken(tool, name, &outer);
        if (!list || (is_own && !is_right_as(list, value, call->arena)))
            continue;
        problem->message = em_arena_format(
            call->arena, "%s\n%s is an argument of %s%s%s%s%s", problem->message, name, tool->name,
            outer ? ": " : "", outer ? outer->name : "", outer ? "[]." : "", outer ? name : "");
        return problem->message ? EM_OK : EM_E_NOMEM;
    }
    return EM_OK;
}

static em_status add_all_kin(const em_call *call, em_args_problem *problem)
{
    const em_param *outer;
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)call->arguments, name, value)
    {
        if (json_is_array(value) && !list_taken(call->tool, name, &outer))
            EM_TRY(add_kin(call, name, value, problem));
    }
    return EM_OK;
}

/* Of arguments that did not pass: were they all right if their names were? If not, it is told
 * behind what is wrong with them which tool takes their lists, and what each form lacks. */
static em_status add_misfit(const em_call *call, em_args_problem *problem)
{
    em_json json = {0};
    em_args_problem misfit;
    const em_tool *tool = call->tool;
    EM_AUTO(em_json_ref) read = em_args_read(&json, tool->params, call->arguments);
    if (!read)
        return EM_E_NOMEM;
    em_status status = em_args_check(tool->params, read, call->arena, &misfit);
    if (status == EM_E_INVALID)
        status = add_all_kin(call, problem);
    EM_TRY(status);
    status = em_forms_check(tool->params, tool->forms, read, call->arena, &misfit);
    if (status != EM_E_INVALID)
        return status;
    problem->message = em_arena_format(call->arena, "%s\n%s", problem->message, misfit.message);
    return problem->message ? EM_OK : EM_E_NOMEM;
}

static em_status call_checked(const em_call *call, const json_t *given, em_answer *answer)
{
    em_args_problem problem = {"The arguments must be an object", EM_NO_EDIT};
    em_status status = EM_E_INVALID;
    if (given == call->arguments)
        status = em_args_check(call->tool->params, given, call->arena, &problem);
    if (status == EM_OK)
        status =
            em_forms_check(call->tool->params, call->tool->forms, given, call->arena, &problem);
    else if (status == EM_E_INVALID && given == call->arguments)
        EM_TRY(add_misfit(call, &problem));
    if (status == EM_E_INVALID)
        return call->tool->refuse(call, problem.message, problem.edit, answer);
    return status == EM_OK ? call->tool->run(call, answer) : status;
}

/* Nobody gets at the session of another connection by a name that the history shows. */
static em_status find_session(em_call *call)
{
    const char *name = json_string_value(json_object_get(call->arguments, "session"));
    if (!name || call->named_session)
        return EM_OK;
    call->named_session = em_session_chosen_name(name, call->arena);
    return call->named_session ? EM_OK : EM_E_NOMEM;
}

em_status em_tool_call(em_call *call, const json_t *arguments, em_answer *answer)
{
    *answer = (em_answer){0};
    EM_AUTO(em_json_ref) none = json_object();
    if (!none)
        return EM_E_NOMEM;
    if (!arguments || json_is_null(arguments))
        arguments = none;
    call->arguments = em_json_is_object(arguments) ? arguments : none;
    const char *session = call->named_session;
    em_status status = find_session(call);
    if (status == EM_OK)
        status = call_checked(call, arguments, answer);
    if (status != EM_OK)
        em_answer_drop(answer);
    call->arguments = NULL;
    call->named_session = session;
    return status;
}
