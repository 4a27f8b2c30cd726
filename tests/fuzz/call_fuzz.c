/* call_fuzz.c: arguments of tool calls, well formed and not.
 *
 * The input is one byte that chooses a tool and the arguments as JSON. A call that is refused has
 * changed nothing, no call leaves a stray file, and every answer can be sent.
 */
#include "fuzz.h"
#include "playground.h"

#include "base/utf8.h"
#include "serve/json_text.h"

/* The order of the tools in the set: file_edit, then the edit_file family. */
const em_slice em_fuzz_seeds[] = {
    SEED("\0{\"path\":\"a.txt\",\"edits\":[{\"old_text\":\"one\",\"new_text\":\"1\"}]}"),
    SEED(
        "\0{\"path\":\"a.txt\",\"edits\":[{\"old_text\":\"e\",\"new_text\":\"E\",\"occurrences\":4}"
        ","
        "{\"old_text\":\"thrEE\\ngr\",\"new_text\":\"x\\ny\"}],\"backup\":true,\"session\":\"s\"}"),
    SEED("\0{\"path\":\"a.txt\",\"dry_run\":true,\"encoding\":\"latin-1\","
         "\"expected_hash\":\"0123456789abcdef0123456789abcdef\","
         "\"edits\":[{\"old_text\":\"two\\n\",\"new_text\":\"\xC3\xA9\"}]}"),
    SEED("\1{\"file_path\":\"a.txt\",\"old_string\":\"three\",\"new_string\":\"3\"}"),
    SEED("\1{\"path\":\"a.txt\",\"old_string\":\"e\",\"new_string\":\"\",\"replace_all\":true}"),
    SEED("\2{\"file_path\":\"a.txt\",\"start_line\":2,\"end_line\":3}"),
    SEED("\3{\"file_path\":\"sub/b.txt\",\"content\":\"new\\n\"}"),
    SEED("\4{\"file_path\":\"c.txt\",\"content\":\"\"}"),
    SEED("\5{\"file_path\":\"a.txt\",\"start_line\":1,\"end_line\":2,\"new_content\":\"x\","
         "\"expected_text\":\"one two\\nthree\"}"),
    SEED("\6{\"file_path\":\"a.txt\",\"old_string\":\"last\",\"new_string\":\"end\\n\"}"),
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
    {NULL, 0},
};

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
    em_error err = EM_ERROR_INIT;
    json_t *arguments;
    if (size < 1 ||
        em_json_parse(em_slice_make((const char *)data + 1, size - 1), &arguments, &err) != EM_OK)
        return 0;
    if (!json_is_object(arguments)) {
        json_decref(arguments);
        return 0;
    }
    const em_toolset *tools = playground_tools();
    em_session *session = playground_session();
    em_hash before = playground_state();
    em_call call = {.session = session,
                    .arena = &arena,
                    .tool = tools->tools[data[0] % tools->count],
                    .offered = tools,
                    .stateless = size % 2 == 0,
                    .over_mcp = size % 3 == 0};
    em_answer answer = {0};
    HOLDS(em_tool_call(&call, arguments, &answer) == EM_OK);
    check_sendable(&answer);
    bool changed = !em_hash_eq(before, playground_state());
    HOLDS(!changed || !(answer.is_error || call.tool->flags & EM_TOOL_READ_ONLY));
    em_answer_drop(&answer);
    json_decref(arguments);
    if (changed)
        playground_restore();
    return 0;
}
