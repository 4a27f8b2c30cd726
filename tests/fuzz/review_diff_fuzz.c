/* review_diff_fuzz.c: what the page shows of a change is the change.
 *
 * The input is an old text and a new one, with a NUL between. The diff of the two is rendered as it
 * always is; the lines that come out of it as JSON, with the marks of words taken away, must be the
 * lines of the diff.
 */
#include "fuzz.h"

#include "review/review_diff.h"
#include "text/diff.h"

const em_slice em_fuzz_seeds[] = {
    SEED("one\ntwo\nthree\n\0one\n2\nthree\n"),
    SEED("a = f(x, 1)\nb = 2\n\0a = f(y, 1)\n  b = 2 \n"),
    SEED("--- a\n+++ b\n@@ -1 +1 @@\n\0@@ -9,9 +9,9 @@\n-x\n"),
    SEED("return x\r\n\0return x\n"),
    SEED("no newline\0no newline\n"),
    SEED("\0new\n\n\n"),
    SEED("1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n\0001\nb\n3\n4\n5\n6\n7\n8\n9\n10\nk\n12"),
    {NULL, 0},
};
const em_slice em_fuzz_words[] = {
    SEED("\n"),
    SEED("\r\n"),
    SEED("\\ No newline at end of file\n"),
    SEED("@@ -1 +1 @@\n"),
    SEED("-"),
    SEED("+"),
    SEED(" "),
    SEED("\t"),
    SEED("\xC3\xBC"),
    SEED("\xFF"),
    SEED("word"),
    SEED("(."),
    {NULL, 0},
};

/* The pieces of a line, together. */
static void join(const json_t *line, em_strbuf *out)
{
    for (size_t i = 1; i < json_array_size(line); i++) {
        const json_t *piece = json_array_get(line, i);
        em_strbuf_add(out, em_slice_make(json_string_value(piece), json_string_length(piece)));
    }
}

/* Is the line of this kind, and of this text? */
static void check_line(const json_t *line, char kind, em_slice text)
{
    EM_AUTO(em_strbuf) got = {0};
    EM_AUTO(em_strbuf) want = {0};
    const char kinds[] = {kind, '\0'};
    HOLDS(line && strcmp(json_string_value(json_array_get(line, 0)), kinds) == 0);
    HOLDS(json_array_size(line) >= 2);
    join(line, &got);
    em_add_valid_utf8(&want, text);
    HOLDS(em_slice_eq(em_strbuf_slice(&got), em_strbuf_slice(&want)));
}

static void check_hunk(const json_t *told, const em_hunk *hunk)
{
    const json_t *lines = json_object_get(told, "lines");
    size_t at = 0;
    HOLDS(json_integer_value(json_object_get(told, "old")) == (json_int_t)hunk->old_start);
    HOLDS(json_integer_value(json_object_get(told, "new")) == (json_int_t)hunk->new_start);
    for (size_t i = 0; i < hunk->line_count; i++) {
        check_line(json_array_get(lines, at++), hunk->lines[i].kind, hunk->lines[i].text);
        if (hunk->lines[i].no_newline)
            check_line(json_array_get(lines, at++), '\\', EM_LIT(" No newline at end of file"));
    }
    HOLDS(at == json_array_size(lines));
}

static void check(em_slice old, em_slice new, em_arena *arena)
{
    em_splice whole = {0, old.len, new};
    em_diff diff;
    em_json json = {0};
    HOLDS(em_diff_make(old, (em_splices){&whole, 1}, (em_diff_limits){0}, arena, &diff) == EM_OK);
    const char *text = em_diff_render(&diff, (em_diff_names){.path = "f"}, arena);
    HOLDS(text);
    EM_AUTO(em_json_ref) told = em_review_diff(&json, em_slice_of(text), arena);
    HOLDS(!json.failed && json_is_false(json_object_get(told, "truncated")));
    const json_t *hunks = json_object_get(told, "hunks");
    HOLDS(json_array_size(hunks) == diff.hunk_count);
    for (size_t i = 0; i < diff.hunk_count; i++)
        check_hunk(json_array_get(hunks, i), &diff.hunks[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    EM_AUTO(em_arena) arena = {0};
    const char *bytes = (const char *)data;
    const char *nul = size > 0 ? memchr(bytes, '\0', size) : NULL;
    if (!nul || size > 4096)
        return 0;
    em_slice old = em_slice_make(bytes, (size_t)(nul - bytes));
    em_slice new = em_slice_make(nul + 1, size - old.len - 1);
    if (!em_slice_has_byte(new, '\0')) /* it would end the rendered text early */
        check(old, new, &arena);
    return 0;
}
