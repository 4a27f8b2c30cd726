/* call_fuzz.c: arguments of tool calls, well formed and not.
 *
 * The first byte chooses a tool. The rest is the arguments as JSON, or, where the first byte is
 * below 0x80, a program that makes them from the tool's own table: mostly right, with now and then
 * a value that is missing, odd, or of another type. A call that is refused has changed nothing, a
 * reading tool never does, and every answer can be sent.
 */
#include "fuzz.h"
#include "playground.h"
#include "reader.h"

#include "arguments/call.h"
#include "base/utf8.h"
#include "json/json_text.h"

/* The order of the tools in the set: file_edit, then the edit_file family. */
const em_slice em_fuzz_seeds[] = {
    SEED("\x80"
         "{\"path\":\"a.txt\",\"edits\":[{\"old_text\":\"one\",\"new_text\":\"1\"}]}"),
    SEED(
        "\x80"
        "{\"path\":\"a.txt\",\"edits\":[{\"old_text\":\"e\",\"new_text\":\"E\",\"occurrences\":4}"
        ","
        "{\"old_text\":\"thrEE\\ngr\",\"new_text\":\"x\\ny\"}],\"backup\":true,\"session\":\"s\"}"),
    SEED("\x80"
         "{\"path\":\"a.txt\",\"dry_run\":true,\"encoding\":\"latin-1\","
         "\"expected_hash\":\"0123456789abcdef0123456789abcdef\","
         "\"edits\":[{\"old_text\":\"two\\n\",\"new_text\":\"\xC3\xA9\"}]}"),
    SEED("\x81"
         "{\"file_path\":\"a.txt\",\"old_string\":\"three\",\"new_string\":\"3\"}"),
    SEED("\x81"
         "{\"path\":\"a.txt\",\"old_string\":\"e\",\"new_string\":\"\",\"replace_all\":true}"),
    SEED("\x82"
         "{\"file_path\":\"a.txt\",\"start_line\":2,\"end_line\":3}"),
    SEED("\x83"
         "{\"file_path\":\"sub/b.txt\",\"content\":\"new\\n\"}"),
    SEED("\x84"
         "{\"file_path\":\"c.txt\",\"content\":\"\"}"),
    SEED("\x85"
         "{\"file_path\":\"a.txt\",\"start_line\":1,\"end_line\":2,\"new_content\":\"x\","
         "\"expected_text\":\"one two\\nthree\"}"),
    SEED("\x86"
         "{\"file_path\":\"a.txt\",\"old_string\":\"last\",\"new_string\":\"end\\n\"}"),
    SEED("\0\x1f\0\x1f\2\x1f\0\x1f\1\x1f\0\x10\x1f\1\x1f\1\x1f\2\0\x1f\0\x1f\1\x1f\0\x1f\0"),
    SEED("\1\x1f\0\x1f\6\x1f\2\x1f\1\x1f\1\x1f\1\x1f\1\x1f\1"),
    SEED("\3\x1f\3\x1f\5\x1f\1\x1f\0\x1f\0\x1f\0"),
    SEED("\5\x1f\0\x1f\0\x1f\1\x1f\4\x1f\2\x1f\0\x1f\0\x1f\0"),
    {NULL, 0},
};
const em_slice em_fuzz_words[] = {
    SEED("\"path\":\"a.txt\","),
    SEED("\"dry_run\":true,"),
    SEED("\"backup\":true,"),
    SEED("\"encoding\":\"utf-16\","),
    SEED("null"),
    SEED("true"),
    SEED("-1"),
    SEED("99999999999999999999"),
    SEED("1e3"),
    SEED("\"\""),
    SEED("[]"),
    SEED("{}"),
    SEED("\\u0000"),
    SEED("\\ud83d\\ude00"),
    SEED("\\r\\n"),
    SEED("../"),
    SEED("/"),
    SEED(".git/"),
    SEED("one"),
    SEED("\"occurrences\":2,"),
    SEED("\"match\":\"fuzzy\","),
    SEED("  "),
    SEED("\\t"),
    {NULL, 0},
};

/* ---- Arguments from a table ------------------------------------------------------------------ */

static const char *const texts[] = {
    "one",
    "two\n",
    "three\r\n",
    "three\ngr",
    "gr\xC3\xBC",
    "last",
    "e",
    "",
    "\xEF\xBB\xBF",
    "\xE2\x82\xAC",
    "// ... existing code ...",
    "x\ny\n",
    " ",
    "utf-16",
    "latin-1",
    "0123456789abcdef0123456789abcdef",
    /* what is there, but for a slip */
    "one  two\n\tthree",
    "ONE TWO",
    "   1 | one two\n   2 | three",
    "one two\\nthree",
    "\xE2\x80\x9Cone two\xE2\x80\x9D",
    "```\none two\n```",
    "one two\n...\nlast",
    "one twp\nthree\ngr\xC3\xBC\xC3\x9F",
};
static const char *const paths[] = {"a.txt", "a.txt",    "a.txt", "sub/b.txt", "none.txt", "../x",
                                    "/",     ".git/new", "sub",   "a.txt/",    "./a.txt",  ""};
static const json_int_t numbers[] = {1, 2, 3, 4, 0, -1, 1000, 1000000000000};

#define PICK(pool, r) ((pool)[next(r) % (sizeof(pool) / sizeof *(pool))])

static json_t *object_for(const em_param *params, reader *r);

static json_t *list_for(const em_param *param, reader *r)
{
    json_t *list = json_array();
    for (unsigned count = next(r) % 4; count > 0; count--)
        json_array_append_new(list, param->fields ? object_for(param->fields, r)
                                                  : json_string(PICK(texts, r)));
    return list;
}

static json_t *word_for(const em_param *param, reader *r)
{
    size_t count = 0;
    while (param->words[count])
        count++;
    return json_string(param->words[next(r) % count]);
}

static json_t *value_for(const em_param *param, reader *r)
{
    switch (param->type) {
    case EM_P_NAME:
    case EM_P_STRING:
        if (param->words && next(r) % 4 > 0)
            return word_for(param, r);
        return json_string(PICK(texts, r));
    case EM_P_PATH:
        return json_string(PICK(paths, r));
    case EM_P_INTEGER:
        return json_integer(PICK(numbers, r));
    case EM_P_NUMBER:
        return json_real((double)PICK(numbers, r) / 2);
    case EM_P_BOOL_OR_WORD:
        if (param->words && next(r) % 2 > 0)
            return word_for(param, r);
        return json_boolean(next(r) % 2);
    case EM_P_BOOL:
        return json_boolean(next(r) % 2);
    case EM_P_OBJECT:
        return param->fields ? object_for(param->fields, r) : json_object();
    case EM_P_LIST:
        break;
    }
    return list_for(param, r);
}

static json_t *odd_value(reader *r)
{
    json_t *const values[] = {json_null(),  json_true(),   json_integer(7), json_string("7"),
                              json_array(), json_object(), json_real(1e300)};
    size_t count = sizeof values / sizeof *values, chosen = next(r) % count;
    for (size_t i = 0; i < count; i++)
        if (i != chosen)
            json_decref(values[i]);
    return values[chosen];
}

static json_t *object_for(const em_param *params, reader *r)
{
    json_t *object = json_object();
    for (const em_param *param = params; param->name; param++) {
        unsigned choice = next(r) % 32;
        bool required = (param->flags & EM_P_REQUIRED) != 0;
        if (choice == 0)
            json_object_set_new(object, param->name, odd_value(r));
        else if (choice < (required ? 2 : 16))
            continue;
        else
            json_object_set_new(object, param->name, value_for(param, r));
    }
    if (next(r) % 32 == 31)
        json_object_set_new(object, "unknwon", json_true());
    return object;
}

/* ---- The harness ----------------------------------------------------------------------------- */

/* A new reference; NULL where the input is no arguments. */
static json_t *arguments_from(const em_tool *tool, const uint8_t *data, size_t size)
{
    em_error err = EM_ERROR_INIT;
    json_t *arguments = NULL;
    reader r = {data + 1, size - 1};
    if (data[0] < 0x80)
        return object_for(tool->params, &r);
    if (em_json_parse(em_slice_make((const char *)data + 1, size - 1), &arguments, &err) != EM_OK)
        return NULL;
    if (json_is_object(arguments))
        return arguments;
    json_decref(arguments);
    return NULL;
}

static void check_sendable(const em_answer *answer)
{
    HOLDS(answer->text || answer->object);
    if (answer->text)
        HOLDS(em_utf8_invalid_at(em_slice_of(answer->text)) == EM_NPOS);
    const json_t *parts[] = {answer->object, answer->meta, answer->native};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        EM_AUTO(em_strbuf) out = {0};
        if (!parts[i])
            continue;
        em_json_write(parts[i], 0, &out);
        HOLDS(!out.failed && em_utf8_invalid_at(em_strbuf_slice(&out)) == EM_NPOS);
        HOLDS(!em_slice_has_byte(em_strbuf_slice(&out), '\n'));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    EM_AUTO(em_arena) arena = {0};
    if (size < 1)
        return 0;
    const em_toolset *tools = playground_tools();
    const em_tool *tool = tools->tools[(data[0] & 0x7F) % tools->count];
    json_t *arguments = arguments_from(tool, data, size);
    if (!arguments)
        return 0;
    em_session *session = playground_session();
    em_hash before = playground_state();
    em_call call = {.session = session,
                    .arena = &arena,
                    .tool = tool,
                    .offered = tools,
                    .stateless = size % 2 == 0,
                    .over_mcp = size % 3 == 0};
    em_answer answer = {0};
    HOLDS(em_tool_call(&call, arguments, &answer) == EM_OK);
    check_sendable(&answer);
    bool changed = !em_hash_eq(before, playground_state());
    HOLDS(!changed || !(answer.is_error || tool->flags & EM_TOOL_READ_ONLY));
    em_answer_drop(&answer);
    json_decref(arguments);
    if (changed)
        playground_restore();
    return 0;
}
