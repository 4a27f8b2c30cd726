#include "answers/diff_told.h"
#include "answers/reply.h"
#include "answers/retry.h"

#include "calls.h"

static const em_words words = {.find = "old", .insert = "new"};

typedef struct scene {
    em_arena arena;
    em_tool tool;
    const em_tool *tools[1];
    em_toolset set;
    em_call call;
    em_outcome outcome;
    em_reply reply;
} scene;

static void scene_drop(scene *s)
{
    em_reply_drop(&s->reply);
    em_arena_drop(&s->arena);
}

static void scene_open(scene *s, const char *path)
{
    *s = (scene){.tool = {.name = "looker", .flags = EM_TOOL_READS},
                 .outcome = {.edit_id = "", .text = {.charset = "utf-8"}}};
    s->tools[0] = &s->tool;
    s->set = (em_toolset){s->tools, 1};
    s->call = (em_call){.arena = &s->arena, .tool = &s->tool, .offered = &s->set};
    em_reply_init(&s->reply, &s->call, &words, path, &s->outcome);
}

static void paths_are_shown_so_that_they_cannot_deceive(void **state)
{
    (void)state;
    static const struct {
        const char *path, *shown, *field;
    } cases[] = {
        {"a/b c.txt", "a/b c.txt", "a/b c.txt"},
        {"\xE4\xBD\xA0 '\"\\", "\xE4\xBD\xA0 '\"\\", "\xE4\xBD\xA0 '\"\\"},
        {"caf\xE9", "caf\\xE9", "caf\\xE9"},
        {"a\nb\x1B[0m\x7F", "a\\x0Ab\\x1B[0m\\x7F", "a\nb\x1B[0m\x7F"},
        {"x\xE2\x80\xAEtxt", "x\\u202Etxt", "x\xE2\x80\xAEtxt"},
        {"x\xE2\x80\x8B\xC2\x85\xEF\xBB\xBF", "x\\u200B\\u0085\\uFEFF",
         "x\xE2\x80\x8B\xC2\x85\xEF\xBB\xBF"},
        {"\xE2\x81\xA6\xE2\x81\xA0\xE2\x80\x8F\xE2\x80\x8E", "\\u2066\\u2060\\u200F\\u200E",
         "\xE2\x81\xA6\xE2\x81\xA0\xE2\x80\x8F\xE2\x80\x8E"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(scene) s;
        scene_open(&s, cases[i].path);
        assert_string_equal(s.reply.path, cases[i].shown);
        assert_string_equal(em_reply_path_field(&s.reply, cases[i].path), cases[i].field);
    }
}

static void a_long_path_is_cut(void **state)
{
    (void)state;
    EM_AUTO(scene) s;
    char path[10001];
    memset(path, 'p', 10000);
    path[10000] = '\0';
    scene_open(&s, path);
    assert_int_equal(strlen(s.reply.path), EM_ECHO_LIMIT);
    assert_true(s.reply.echo_truncated);
}

/* Pieces of one text may lie in each other. */
static void pieces_have_one_limit_together(void **state)
{
    (void)state;
    EM_AUTO(scene) s;
    static char text[EM_ECHO_LIMIT];
    memset(text, 'x', sizeof text);
    scene_open(&s, "a");
    assert_true(em_reply_repeats(&s.reply, em_slice_make(text, 5000)));
    assert_false(s.reply.echo_truncated);
    assert_false(em_reply_repeats(&s.reply, em_slice_make(text, 5000)));
    assert_true(s.reply.echo_truncated);
    assert_true(em_reply_repeats(&s.reply, em_slice_make(text, EM_ECHO_LIMIT - 5000)));
    assert_false(em_reply_repeats(&s.reply, em_slice_make(text, 1)));
}

static void the_text_is_valid_and_whole(void **state)
{
    (void)state;
    EM_AUTO(scene) s;
    scene_open(&s, "a");
    em_strbuf_add(&s.reply.text, em_slice_make("a\0\xE9"
                                               "b\0",
                                               5));
    assert_string_equal(em_reply_text(&s.reply), "a\xE2\x90\x80\xEF\xBF\xBD"
                                                 "b\xE2\x90\x80");
    assert_true(em_slice_eq(em_reply_read(&s.reply), EM_LIT("a\0\xEF\xBF\xBD"
                                                            "b\0")));
    s.reply.json.failed = true;
    assert_null(em_reply_text(&s.reply));
    assert_int_equal(em_reply_read(&s.reply).len, 0);
}

static void what_is_shown_of_a_file_is_bounded(void **state)
{
    (void)state;
    EM_AUTO(scene) s;
    static char text[EM_SHOWN_LIMIT + 100];
    memset(text, 'x', sizeof text);
    em_slice file = em_slice_make(text, sizeof text);
    scene_open(&s, "a");
    assert_int_equal(em_reply_take(&s.reply, file, 100).len, 100);
    assert_int_equal(em_reply_take(&s.reply, em_slice_of("\xC3\xA9\xC3\xA9"), 3).len, 2);
    em_reply_add_shown(&s.reply, file);
    char want[64];
    snprintf(want, sizeof want, "<<< (the first %d of %zu bytes)", EM_SHOWN_LIMIT - 102,
             sizeof text);
    assert_non_null(strstr(em_reply_text(&s.reply), want));
    assert_int_equal(s.reply.shown_left, 0);
    assert_int_equal(em_reply_take(&s.reply, file, 1).len, 0);
}

static void a_window_holds_the_place(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        size_t at, most;
        const char *want;
    } cases[] = {
        {"0123456789", 5, 10, "0123456789"},
        {"0123456789", 0, 4, "0123"},
        {"0123456789", 1, 4, "0123"},
        {"0123456789", 5, 4, "4567"},
        {"0123456789", 9, 4, "89"},
        {"\xC3\xA9\xC3\xA9\xC3\xA9x", 6, 4, "\xC3\xA9x"},
        {"", 0, 4, ""},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(scene) s;
        scene_open(&s, "a");
        em_slice got =
            em_reply_window(&s.reply, em_slice_of(cases[i].line), cases[i].at, cases[i].most);
        if (!em_slice_is(got, cases[i].want))
            fail_msg("%s: %.*s", cases[i].want, (int)got.len, got.ptr);
    }
    EM_AUTO(scene) s;
    scene_open(&s, "a");
    s.reply.shown_left = 2;
    assert_int_equal(em_reply_window(&s.reply, EM_LIT("0123"), 3, 100).len, 1);
}

static void tools_are_named_by_what_they_do(void **state)
{
    (void)state;
    EM_AUTO(scene) s;
    scene_open(&s, "a");
    assert_string_equal(em_reply_tool_with(&s.reply, EM_TOOL_READS), "looker");
    assert_null(em_reply_tool_with(&s.reply, EM_TOOL_WRITES));
}

static void percentages_round_down(void **state)
{
    (void)state;
    static const struct {
        double similarity;
        unsigned percent;
    } cases[] = {{1, 100}, {0.999999, 99}, {0.29, 29}, {0.57, 57}, {0.5, 50}, {0, 0}, {0.7272, 72}};
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_int_equal(em_percent(cases[i].similarity), cases[i].percent);
}

static void a_retry_is_there_or_said_to_be_left_out(void **state)
{
    (void)state;
    EM_AUTO(scene) s;
    scene_open(&s, "a");
    EM_AUTO(em_json_ref) object = em_json_object(&s.reply.json);
    em_set_retry(&s.reply.json, object, NULL);
    assert_int_equal(json_object_size(object), 0);
    char text[EM_RETRY_LIMIT - 7]; /* {"a":"..."} is as long as the limit */
    memset(text, 'x', sizeof text);
    em_set_retry(&s.reply.json, object, json_pack("{s:s%}", "a", text, sizeof text - 1));
    assert_non_null(json_object_get(object, "retry"));
    json_object_clear(object);
    em_set_retry(&s.reply.json, object, json_pack("{s:s%}", "a", text, sizeof text));
    assert_null(json_object_get(object, "retry"));
    assert_true(json_is_true(json_object_get(object, "retry_omitted")));
}

static void a_hunk_at_the_end_of_the_file(void **state)
{
    (void)state;
    EM_AUTO(scene) s;
    scene_open(&s, "a");
    em_splice splice = {.offset = 3, .length = 0, .insert = EM_LIT("\nb\xE9")};
    em_splices splices = {&splice, 1};
    em_diff_limits limits = {0};
    s.outcome.file = (em_file){.exists = true, .rel = "d/a"};
    assert_int_equal(em_diff_make(EM_LIT("one"), splices, limits, &s.arena, &s.outcome.diff),
                     EM_OK);
    EM_AUTO(em_json_ref) diff = em_reply_diff(&s.reply);
    assert_string_equal(json_string_value(json_object_get(diff, "unified")),
                        "--- a/d/a\n+++ b/d/a\n@@ -1 +1,2 @@\n-one\n\\ No newline at end of file\n"
                        "+one\n+b\xEF\xBF\xBD\n\\ No newline at end of file\n");
    em_reply_add_diff_note(&s.reply);
    assert_string_equal(em_reply_text(&s.reply), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_are_shown_so_that_they_cannot_deceive),
        cmocka_unit_test(a_long_path_is_cut),
        cmocka_unit_test(pieces_have_one_limit_together),
        cmocka_unit_test(the_text_is_valid_and_whole),
        cmocka_unit_test(what_is_shown_of_a_file_is_bounded),
        cmocka_unit_test(a_window_holds_the_place),
        cmocka_unit_test(tools_are_named_by_what_they_do),
        cmocka_unit_test(percentages_round_down),
        cmocka_unit_test(a_retry_is_there_or_said_to_be_left_out),
        cmocka_unit_test(a_hunk_at_the_end_of_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
