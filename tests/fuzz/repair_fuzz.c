/* repair_fuzz.c: arguments in other tools' words and shapes, as they were most likely meant.
 *
 * The first byte chooses a tool. The rest is the arguments as JSON, or, where the first byte is
 * below 0x80, a program that makes them: objects of names that the tool's table has, and of names
 * that others have, with texts, patches, numbers, and lists and maps of all these. What comes of
 * the repair passes the check, and where it has a form of the tool, it is what it would be repaired
 * to. (In none, it is not told to be sent.)
 */
#include "fuzz.h"
#include "reader.h"

#include "arguments/args.h"
#include "arguments/forms.h"
#include "dialects/registry.h"
#include "json/json_text.h"

#define HUNK "@@ -1,2 +1,2 @@\\n one\\n-two\\n+2\\n"

/* The order of the tools in the set: file_edit, then the edit_file family, MultiEdit, ... */
const em_slice em_fuzz_seeds[] = {
    SEED("\x80"
         "{\"file\":\"a\",\"changes\":[{\"from\":\"x\",\"to\":\"y\"}]}"),
    SEED("\x80"
         "{\"diff\":\"--- a/a.c\\n+++ b/a.c\\n" HUNK "\"}"),
    SEED("\x80"
         "{\"edits\":[{\"path\":\"a\",\"old\":\"x\",\"new\":\"y\"},{\"path\":\"b\",\"find\":\"x\","
         "\"with\":\"y\"}]}"),
    SEED("\x81"
         "{\"path\":\"a\",\"edits\":\"[{\\\"before\\\":\\\"x\\\",\\\"after\\\":\\\"y\\\"}]\"}"),
    SEED("\x81"
         "{\"path\":\"a\",\"input\":\"<<<<<<< SEARCH\\nx\\n=======\\ny\\n>>>>>>> REPLACE\"}"),
    SEED("\x82"
         "{\"file\":\"a\",\"lines\":\"3-5\"}"),
    SEED("\x82"
         "{\"file\":\"a\",\"offset\":0,\"limit\":\"7\"}"),
    SEED("\x85"
         "{\"file\":\"a\",\"range\":{\"start\":1,\"end\":2},\"content\":\"x\"}"),
    SEED("\x88"
         "{\"path\":\"a\",\"edits\":{\"x\":\"y\",\"v\":\"w\"}}"),
    SEED("\0\2\3\4\5\6\7\10\11\12\13\14\15\16\17\20\21\22\23\24\25\26\27"),
    SEED("\1\5\3\4\5\6\7\10\11\12\13\14\15\16\17\20\21\22\23\24\25\26\27\30\31\32"),
    {NULL, 0},
};
const em_slice em_fuzz_words[] = {
    SEED("\"path\":\"a\","),
    SEED("\"edits\":["),
    SEED("\"files\":{\"a.c\":"),
    SEED("\"old_string\":"),
    SEED("\"after\":\"x\","),
    SEED("\"lines\":[1,2],"),
    SEED("\"all\":true,"),
    SEED("\"count\":1,"),
    SEED("\"diff\":\"" HUNK "\""),
    SEED("\"operation\":\"insert\","),
    SEED("\"mode\":null,"),
    SEED("{}"),
    SEED("[["),
    SEED("null"),
    SEED("-1"),
    {NULL, 0},
};

/* ---- Arguments of other tools ---------------------------------------------------------------- */

static const char *const foreign_names[] = {
    "file",   "filename",    "old_str",     "new_str",    "find",        "with",     "before",
    "after",  "from",        "to",          "source",     "target",      "text",     "content",
    "value",  "old_code",    "updatedText", "pattern",    "diff",        "patch",    "input",
    "revert", "edits",       "changes",     "operations", "files",       "lines",    "line",
    "range",  "offset",      "limit",       "start",      "end",         "position", "command",
    "action", "all",         "replaceAll",  "count",      "occurrences", "regex",    "overwrite",
    "mode",   "explanation", "selector",    "class",      "html",        "where",    "preview",
    "a.c",    "d/b.c",       "2",           "anchor",     "zzz",
};
static const char *const texts[] = {
    "x",
    "y",
    "",
    "a.c",
    "./a.c",
    "d/b.c",
    "2",
    "3-5",
    "L3-L4",
    "true",
    "str_replace",
    "insert_after",
    "before",
    "replaceClass",
    "{\"old_text\":\"x\",\"new_text\":\"y\"}",
    "[{\"search\":\"x\",\"replace\":\"y\"}]",
    "[1,2]",
    "--- a/a.c\n+++ b/a.c\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n",
    "@@ -1 +1 @@\n-x\n+y\n@@ -9 +9 @@\n-v\n+w\n",
    "--- a/a.c\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n",
    "<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n",
    "*** Begin Patch\n*** Update File: d/b.c\n@@\n-x\n+y\n*** End Patch",
};
static const json_int_t numbers[] = {0, 1, 2, 3, -1, 100, INT64_MAX};

#define PICK(pool, r) ((pool)[next(r) % (sizeof(pool) / sizeof *(pool))])

enum { DEEPEST = 4 };

static json_t *object_for(const em_param *params, reader *r, unsigned depth);

static size_t count_of(const em_param *params)
{
    size_t count = 0;
    while (params[count].name)
        count++;
    return count;
}

static json_t *list_for(const em_param *fields, reader *r, unsigned depth);

/* Of any type; `param` says what objects and words are like. */
static json_t *value_for(const em_param *param, reader *r, unsigned depth)
{
    const em_param *fields = param ? param->fields : NULL;
    switch (next(r) % (depth < DEEPEST ? 12 : 8)) {
    case 0:
        return json_integer(PICK(numbers, r));
    case 1:
        return json_boolean(next(r) % 2);
    case 2:
        return json_null();
    case 8:
    case 9:
        return list_for(fields, r, depth + 1);
    case 10:
    case 11:
        return object_for(fields, r, depth + 1);
    default:
        return json_string(param && param->words ? param->words[0] : PICK(texts, r));
    }
}

static json_t *list_for(const em_param *fields, reader *r, unsigned depth)
{
    const em_param element = {.fields = fields};
    json_t *list = json_array();
    for (unsigned count = next(r) % 4; count > 0; count--)
        json_array_append_new(list, value_for(&element, r, depth));
    return list;
}

/* Half of its names are those of the table, of which each is right for some tool. */
static json_t *object_for(const em_param *params, reader *r, unsigned depth)
{
    json_t *object = json_object();
    size_t known = params ? count_of(params) : 0;
    for (unsigned count = next(r) % 6; count > 0; count--) {
        bool is_known = known > 0 && next(r) % 2 == 0;
        const em_param *param = is_known ? &params[next(r) % known] : NULL;
        const char *name = param ? param->name : PICK(foreign_names, r);
        json_object_set_new(object, name, value_for(param, r, depth));
    }
    return object;
}

/* ---- The harness ----------------------------------------------------------------------------- */

static const em_toolset *all_tools(void)
{
    static em_arena arena;
    static em_toolset tools;
    em_error err = EM_ERROR_INIT;
    if (tools.count == 0)
        HOLDS(em_toolset_choose("all", false, &arena, &tools, &err) == EM_OK);
    return &tools;
}

/* A new reference; NULL where the input is no arguments. */
static json_t *arguments_from(const em_tool *tool, const uint8_t *data, size_t size)
{
    em_error err = EM_ERROR_INIT;
    json_t *arguments = NULL;
    reader r = {data + 1, size - 1};
    if (data[0] < 0x80)
        return object_for(tool->params, &r, 0);
    if (em_json_parse(em_slice_make((const char *)data + 1, size - 1), &arguments, &err) != EM_OK)
        return NULL;
    if (em_json_is_object(arguments))
        return arguments;
    json_decref(arguments);
    return NULL;
}

static bool passes(const em_param *params, const json_t *arguments, em_arena *arena)
{
    em_args_problem problem;
    em_status status = em_args_check(params, arguments, arena, &problem);
    HOLDS(status == EM_OK || status == EM_E_INVALID);
    return status == EM_OK;
}

static bool has_form(const em_tool *tool, const json_t *arguments, em_arena *arena)
{
    em_args_problem problem;
    return em_forms_check(tool->params, tool->forms, arguments, arena, &problem) == EM_OK;
}

static void check_repair(const em_tool *tool, const json_t *arguments, em_arena *arena)
{
    const em_param *params = tool->params;
    em_json json = {0};
    EM_AUTO(em_json_ref) before = json_deep_copy(arguments);
    EM_AUTO(em_json_ref) read = em_args_read(&json, params, arguments);
    EM_AUTO(em_json_ref) repaired = em_args_repair(&json, params, arguments, arena);
    HOLDS(!json.failed && read && json_equal(arguments, before));
    if (!repaired)
        return;
    HOLDS(passes(params, repaired, arena));
    if (!has_form(tool, repaired, arena))
        return;
    EM_AUTO(em_json_ref) again = em_args_repair(&json, params, repaired, arena);
    HOLDS(!json.failed && json_equal(again, repaired));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    EM_AUTO(em_arena) arena = {0};
    if (size < 1)
        return 0;
    const em_toolset *tools = all_tools();
    const em_tool *tool = tools->tools[(data[0] & 0x7F) % tools->count];
    EM_AUTO(em_json_ref) arguments = arguments_from(tool, data, size);
    if (!arguments)
        return 0;
    passes(tool->params, arguments, &arena);
    check_repair(tool, arguments, &arena);
    return 0;
}
