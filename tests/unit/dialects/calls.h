/* calls.h: calls of tools on a folder of their own, for the tests of the dialects. */
#ifndef EM_TESTS_UNIT_DIALECTS_CALLS_H
#define EM_TESTS_UNIT_DIALECTS_CALLS_H

#include "../session/scratch.h"

#include "arguments/call.h"
#include "base/utf8.h"
#include "dialects/registry.h"
#include "tools/describe.h"
#include "json/json.h"

/* How a call comes in, and what came out of the last one. */
typedef struct caller {
    scratch s;
    const char *tools; /* for em_toolset_choose */
    bool stateless, over_mcp;
    em_progress *progress; /* called with the caller */
    em_answer answer;
    em_status status;
} caller;

static inline void caller_drop(caller *c)
{
    em_answer_drop(&c->answer);
    scratch_drop(&c->s);
}

static inline void caller_open(caller *c, const char *tools)
{
    *c = (caller){.tools = tools, .over_mcp = true};
    scratch_open(&c->s, NULL);
}

/* ---- Does an answer keep its schema? ------------------------------------------------------- */

static inline bool is_of_type(const char *type, const json_t *value)
{
    static const struct {
        const char *name;
        json_type type;
    } types[] = {
        {"object", JSON_OBJECT},   {"array", JSON_ARRAY},  {"string", JSON_STRING},
        {"integer", JSON_INTEGER}, {"boolean", JSON_TRUE}, {"boolean", JSON_FALSE},
        {"number", JSON_INTEGER},  {"number", JSON_REAL},  {"null", JSON_NULL},
    };
    for (size_t i = 0; i < COUNT_OF(types); i++)
        if (strcmp(types[i].name, type) == 0 && types[i].type == json_typeof(value))
            return true;
    return false;
}

/* `type` is a name, a list of names, or missing. */
static inline bool keeps_type(const json_t *type, const json_t *value)
{
    size_t i;
    json_t *one;
    if (json_is_string(type))
        return is_of_type(json_string_value(type), value);
    json_array_foreach(type, i, one)
    {
        if (is_of_type(json_string_value(one), value))
            return true;
    }
    return type == NULL;
}

/* Whatever else an answer may have: what it has is in the schema. */
static inline void check_names(const json_t *properties, const json_t *value, const char *where)
{
    const char *key;
    json_t *member;
    if (!properties)
        return;
    json_object_foreach((json_t *)value, key, member)
    {
        if (!json_object_get(properties, key))
            fail_msg("%s has %s, of which the schema knows nothing", where, key);
    }
}

static inline void check_schema(const json_t *schema, const json_t *value, const char *where)
{
    const char *key;
    json_t *part;
    size_t i;
    if (!keeps_type(json_object_get(schema, "type"), value))
        fail_msg("%s is of another type", where);
    bool allowed = !json_object_get(schema, "enum");
    json_array_foreach(json_object_get(schema, "enum"), i, part)
    {
        allowed = allowed || json_equal(part, value);
    }
    if (!allowed)
        fail_msg("%s is none of the values allowed", where);
    check_names(json_object_get(schema, "properties"), value, where);
    json_object_foreach(json_object_get(schema, "properties"), key, part)
    {
        if (json_object_get(value, key))
            check_schema(part, json_object_get(value, key), key);
    }
    json_array_foreach(json_object_get(schema, "required"), i, part)
    {
        if (!json_object_get(value, json_string_value(part)))
            fail_msg("%s lacks %s", where, json_string_value(part));
    }
    const json_t *items = json_object_get(schema, "items");
    for (i = 0; items && i < json_array_size(value); i++)
        check_schema(items, json_array_get(value, i), where);
}

/* What holds for every answer. */
static inline void check_answer(const em_tool *tool, const em_answer *answer)
{
    EM_AUTO(em_json_ref) schema = em_tool_output_schema(tool);
    if (answer->text)
        assert_int_equal(em_utf8_invalid_at(em_slice_of(answer->text)), EM_NPOS);
    assert_int_equal(schema != NULL, answer->object != NULL);
    if (schema)
        check_schema(schema, answer->object, "the answer");
}

/* ---- Calling ------------------------------------------------------------------------------- */

/* An answer without a text of its own has its object as text. */
static inline void add_serialised_text(caller *c)
{
    if (c->answer.text)
        return;
    char *text = json_dumps(c->answer.object, JSON_COMPACT);
    assert_non_null(text);
    c->answer.text = em_arena_string(&c->s.arena, em_slice_of(text));
    free(text);
}

/* Call with arguments as a value, which is taken. */
static inline void call_with(caller *c, const char *name, json_t *arguments)
{
    em_toolset set;
    em_error err = EM_ERROR_INIT;
    em_answer_drop(&c->answer);
    assert_int_equal(em_toolset_choose(c->tools, false, &c->s.arena, &set, &err), EM_OK);
    em_call call = {.session = c->s.session,
                    .arena = &c->s.arena,
                    .tool = em_toolset_find(&set, name),
                    .offered = &set,
                    .stateless = c->stateless,
                    .over_mcp = c->over_mcp,
                    .progress = c->progress,
                    .progress_context = c};
    assert_non_null(call.tool);
    c->status = em_tool_call(&call, arguments, &c->answer);
    assert_null(call.arguments);
    if (c->status == EM_OK) {
        check_answer(call.tool, &c->answer);
        add_serialised_text(c);
    }
    json_decref(arguments);
}

/* Call with arguments as JSON text, in which ' stands for ". */
static inline void call(caller *c, const char *name, const char *arguments)
{
    char *text = strdup(arguments);
    for (char *at = text; (at = strchr(at, '\'')); at++)
        *at = '"';
    json_error_t error;
    json_t *value = json_loads(text, JSON_ALLOW_NUL, &error);
    if (!value)
        fail_msg("%s: %s", text, error.text);
    free(text);
    call_with(c, name, value);
    assert_int_equal(c->status, EM_OK);
    assert_non_null(c->answer.text);
}

/* A file where "x" stands at one place more than an edit may change. */
static inline void put_too_many(caller *c, const char *name)
{
    em_slice text = {em_alloc_raw(&c->s.arena, EM_MAX_PLACES + 1), EM_MAX_PLACES + 1};
    assert_non_null(text.ptr);
    memset((char *)text.ptr, 'x', text.len);
    scratch_write(&c->s, name, text);
}

/* The value at "a.b.0.c" of the answer's object; NULL. */
static inline json_t *field(const caller *c, const char *path)
{
    json_t *value = c->answer.object;
    char part[64];
    while (*path && value) {
        size_t length = strcspn(path, ".");
        snprintf(part, sizeof part, "%.*s", (int)length, path);
        value = json_is_array(value) ? json_array_get(value, (size_t)atoi(part))
                                     : json_object_get(value, part);
        path += length + (path[length] == '.');
    }
    return value;
}

static inline void check_field(const caller *c, const char *path, const char *want)
{
    char *got = json_dumps(field(c, path), JSON_COMPACT | JSON_ENCODE_ANY);
    char *wanted = strdup(want);
    for (char *at = wanted; (at = strchr(at, '\'')); at++)
        *at = '"';
    if (!got || strcmp(got, wanted) != 0)
        fail_msg("%s: %s, not %s", path, got ? got : "nothing", wanted);
    free(got);
    free(wanted);
}

static inline void check_text(const caller *c, bool is_error, const char *want)
{
    assert_string_equal(c->answer.text, want);
    assert_int_equal(c->answer.is_error, is_error);
}

static inline void check_has(const caller *c, const char *part)
{
    if (!strstr(c->answer.text, part))
        fail_msg("\"%s\" is not in:\n%s", part, c->answer.text);
}

static inline void check_lacks(const caller *c, const char *part)
{
    if (strstr(c->answer.text, part))
        fail_msg("\"%s\" is in:\n%s", part, c->answer.text);
}

#endif
