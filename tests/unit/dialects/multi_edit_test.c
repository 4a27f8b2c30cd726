#include "calls.h"
#include "memory.h"

#include <fcntl.h>

#define TOOLS "multi-edit"

/* ---- What is looked at --------------------------------------------------------------------- */

static const char *said(const caller *c, const char *path)
{
    const char *text = json_string_value(field(c, path));
    return text ? text : "";
}

static void check_says(const caller *c, const char *path, const char *want)
{
    assert_string_equal(said(c, path), want);
}

static void check_mentions(const caller *c, const char *part)
{
    if (!strstr(said(c, "text"), part))
        fail_msg("\"%s\" is not in:\n%s", part, said(c, "text"));
}

static void check_keys(const json_t *object, const char *want)
{
    EM_AUTO(em_strbuf) keys = {0};
    EM_AUTO(em_arena) arena = {0};
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value) em_strbuf_printf(&keys, "%s ", key);
    assert_string_equal(em_strbuf_finish(&keys, &arena), want);
}

static void check_status(const caller *c, const char *want)
{
    check_says(c, "status", want);
    assert_int_equal(c->answer.is_error, strcmp(want, "error") == 0);
}

/* An error of a changing tool: its code, and the edit at fault as JSON. */
static void check_error(const caller *c, const char *code, const char *failed)
{
    check_status(c, "error");
    check_says(c, "error.code", code);
    check_field(c, "data.applied", "false");
    check_field(c, "data.diff_preview", "''");
    check_field(c, "data.diff_truncated", "false");
    check_field(c, "data.replacements", "0");
    check_field(c, "data.failed_index", failed);
    check_field(c, "stats.bytes_written", "0");
    check_field(c, "stats.lines_added", "0");
    check_field(c, "stats.lines_removed", "0");
    assert_true(json_integer_value(field(c, "stats.time_ms")) >= 0);
    check_mentions(c, said(c, "error.message"));
    check_mentions(c, "\nStatus error: nothing was written.");
    assert_null(
        strcasestr(strstr(said(c, "text"), "nothing was written.") + 1, "nothing was written"));
}

static void put(caller *c, const char *name, const char *bytes)
{
    scratch_write(&c->s, name, em_slice_of(bytes));
}

static void check_holds(caller *c, const char *name, const char *want)
{
    check_file(&c->s, name, em_slice_of(want));
}

/* The bytes and the time of a file as somebody else would set them. */
static void change_behind(caller *c, const char *name, const char *bytes, int64_t ms)
{
    char path[200];
    put(c, name, bytes);
    scratch_path(&c->s, name, path);
    struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    const struct timespec times[] = {time, time};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

/* ---- The envelope -------------------------------------------------------------------------- */

static void the_envelope_holds_this_and_nothing_else(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    put(&c, "a.js", "// old\nlet a = 1;\n");
    call(&c, "MultiEdit",
         "{'path':'./a.js','edits':[{'old_string':'// old','new_string':'// new'},"
         "{'old_string':'a = 1','new_string':'a = 2'}],'dry_run':null}");
    check_status(&c, "success");
    check_keys(c.answer.object, "status data text stats context ");
    check_keys(field(&c, "data"), "applied diff_preview diff_truncated replacements failed_index "
                                  "hash edit_id ");
    check_keys(field(&c, "stats"), "time_ms bytes_written lines_added lines_removed ");
    check_keys(field(&c, "context"), "cwd params_input path_resolved ");
    check_field(&c, "data.applied", "true");
    check_field(&c, "data.diff_preview",
                "'--- a/a.js\\n+++ b/a.js\\n@@ -1,2 +1,2 @@\\n-// old\\n-let a = 1;\\n+// new\\n"
                "+let a = 2;\\n'");
    check_field(&c, "data.diff_truncated", "false");
    check_field(&c, "data.replacements", "2");
    check_field(&c, "data.failed_index", "null");
    check_says(&c, "data.hash", em_hash_of(EM_LIT("// new\nlet a = 2;\n")).hex);
    assert_true(strlen(said(&c, "data.edit_id")) > 16);
    check_field(&c, "stats.bytes_written", "18");
    check_field(&c, "stats.lines_added", "2");
    check_field(&c, "stats.lines_removed", "2");
    check_says(&c, "context.cwd", ".");
    check_says(&c, "context.path_resolved", "a.js");
    check_field(&c, "context.params_input",
                "{'path':'./a.js','edits':[{'old_string':'// old','new_string':'// new'},"
                "{'old_string':'a = 1','new_string':'a = 2'}],'dry_run':null}");
    check_says(&c, "text",
               "Applied 2 edits to './a.js' (2 replacements, 2 lines added, 2 removed).\n"
               "Status success: all of it is in the file.");
    assert_null(c.answer.native);
    assert_null(c.answer.meta);
    check_holds(&c, "a.js", "// new\nlet a = 2;\n");

    call(&c, "MultiEdit", "{'path':'a.js','edits':[{'old_string':'zzz','new_string':''}]}");
    check_keys(c.answer.object, "status data text error stats context ");
    check_keys(field(&c, "error"), "code message ");
    check_keys(field(&c, "data"), "applied diff_preview diff_truncated replacements failed_index "
                                  "cause hash ");
    check_keys(field(&c, "stats"), "time_ms bytes_written lines_added lines_removed ");
    call(&c, "Read", "{'path':'a.js'}");
    check_keys(c.answer.object, "status data text stats context ");
    check_keys(field(&c, "data"), "content truncated hash ");
    check_keys(field(&c, "stats"), "time_ms lines_read chars_read total_lines file_size_bytes "
                                   "file_mtime_ms encoding ");
}

static void the_resolved_path_is_that_of_the_file(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    char path[200];
    scratch_path(&c.s, "link", path);
    put(&c, "a.txt", "one\n");
    assert_int_equal(symlink("a.txt", path), 0);
    call(&c, "Edit", "{'path':'link','old_string':'one','new_string':'1'}");
    check_says(&c, "context.path_resolved", "a.txt");
    check_mentions(&c, "to 'link' (");
    call(&c, "Edit", "{'path':'x/../gone.txt','old_string':'one','new_string':'1'}");
    check_says(&c, "context.path_resolved", "x/../gone.txt");
    call(&c, "Edit", "{'path':7,'old_string':'one','new_string':'1'}");
    assert_null(field(&c, "context.path_resolved"));
    check_field(&c, "context.params_input.path", "7");
}

static void a_dry_run_is_partial(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    put(&c, "a.txt", "x\ny\n");
    call(&c, "MultiEdit",
         "{'path':'a.txt','edits':[{'old_string':'x','new_string':'z'}],'dry_run':true}");
    check_status(&c, "partial");
    check_field(&c, "data.applied", "false");
    check_field(&c, "data.replacements", "1");
    check_field(&c, "data.diff_preview",
                "'--- a/a.txt\\n+++ b/a.txt\\n@@ -1,2 +1,2 @@\\n-x\\n+z\\n y\\n'");
    check_field(&c, "stats.bytes_written", "0");
    check_field(&c, "stats.lines_added", "1");
    check_says(&c, "text",
               "Would apply 1 edit to 'a.txt' (1 replacement, 1 line added, 1 removed).\n"
               "Status partial: a dry run, so nothing was written.\n"
               "Send the same call without dry_run to write it");
    assert_null(field(&c, "data.edit_id"));
    check_holds(&c, "a.txt", "x\ny\n");
}

/* `count` lines of 'x' as a text of `width` bytes each. */
static const char *lines(caller *c, size_t count, size_t width, char letter)
{
    char *text = em_alloc(&c->s.arena, count * width + 1);
    memset(text, letter, count * width);
    for (size_t i = 1; i <= count; i++)
        text[i * width - 1] = '\n';
    return text;
}

static size_t count_lines(const char *text)
{
    size_t count = 0;
    for (; (text = strchr(text, '\n')); text++)
        count++;
    return count;
}

static void long_previews_are_cut_at_a_lines_end(void **state)
{
    (void)state;
    static const struct {
        size_t count, width;
        bool dry_run, cut;
        size_t lines; /* of the preview; 0: not asked */
    } cases[] = {
        {48, 4, false, false, 99}, {49, 4, false, true, 100}, {60, 4, false, true, 100},
        {40, 200, false, true, 0}, {60, 4, true, true, 100},  {20, 200, false, false, 43},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(caller) c;
        caller_open(&c, TOOLS);
        const char *old = lines(&c, cases[i].count, cases[i].width, 'x');
        const char *new = lines(&c, cases[i].count, cases[i].width, 'y');
        put(&c, "a.txt", old);
        call_with(&c, "Edit",
                  json_pack("{s:s,s:s,s:s,s:b}", "path", "a.txt", "old_string", old, "new_string",
                            new, "dry_run", cases[i].dry_run));
        const char *preview = said(&c, "data.diff_preview");
        bool whole = !cases[i].dry_run && !cases[i].cut;
        check_status(&c, whole ? "success" : "partial");
        assert_int_equal(json_is_true(field(&c, "data.applied")), !cases[i].dry_run);
        assert_int_equal(json_is_true(field(&c, "data.diff_truncated")), cases[i].cut);
        assert_true(strlen(preview) <= 10240);
        assert_int_equal(preview[strlen(preview) - 1], '\n');
        if (cases[i].lines > 0)
            assert_int_equal(count_lines(preview), cases[i].lines);
        else
            assert_true(strlen(preview) > 10000);
        if (!cases[i].cut)
            continue;
        size_t shown = (size_t)(json_integer_value(field(&c, "stats.lines_added")) +
                                json_integer_value(field(&c, "stats.lines_removed")));
        assert_int_equal(shown, count_lines(preview) - 3);
        check_mentions(&c, "; data.diff_preview is cut.\n");
        check_mentions(&c, cases[i].dry_run ? "Send the same call without dry_run"
                                            : "Use Read to see what the preview does not show");
        if (cases[i].dry_run) /* the file is as it was */
            assert_null(strstr(said(&c, "text"), "Use Read"));
    }
}

/* A diff whose lines fit but not with the names above them. */
static void the_names_count_too(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    const char *old = lines(&c, 1, 5105, 'x'), *new = lines(&c, 1, 5105, 'y');
    put(&c, "a.txt", old);
    call_with(&c, "Edit",
              json_pack("{s:s,s:s,s:s}", "path", "a.txt", "old_string", old, "new_string", new));
    check_status(&c, "partial");
    check_field(&c, "data.diff_truncated", "true");
    check_field(&c, "data.diff_preview", "''"); /* one of the two lines would be another change */
    check_field(&c, "stats.lines_added", "0");
    check_field(&c, "stats.lines_removed", "0");
    check_holds(&c, "a.txt", new);
}

static void a_place_in_inserted_text_is_called_so(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    put(&c, "a.txt", "one\ntwo\n");
    call(&c, "MultiEdit",
         "{'path':'a.txt','mode':'sequential','edits':[{'old_string':'one','new_string':'1\\ntwo'},"
         "{'old_string':'two','new_string':'2'}]}");
    check_error(&c, "INVALID_PARAM", "1");
    check_mentions(&c, "\nLine 1, column 1 (in text that an edit before this one inserts): two\n"
                       "Line 2, column 1: two\n");
}

static void edits_that_cancel_out_write_nothing(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    put(&c, "a.txt", "one\n");
    call(&c, "MultiEdit",
         "{'path':'a.txt','mode':'sequential','edits':[{'old_string':'one','new_string':'two'},"
         "{'old_string':'two','new_string':'one'}]}");
    check_status(&c, "success");
    check_field(&c, "data.applied", "false");
    check_field(&c, "data.replacements", "2");
    check_field(&c, "data.diff_preview", "''");
    check_field(&c, "stats.bytes_written", "0");
    check_mentions(&c,
                   "\nStatus success: together the edits change nothing, so nothing was written.");
    assert_null(field(&c, "data.edit_id"));
    call(&c, "Read", "{'path':'a.txt'}");
    call(&c, "Edit", "{'path':'a.txt','create_content':'one\\n'}");
    check_mentions(&c,
                   "'a.txt' has this content (4 bytes, 0 lines added, 0 removed)."
                   "\nStatus success: the file holds just this already, so nothing was written.");
    check_field(&c, "data.replacements", "0");
    call(&c, "MultiEdit",
         "{'path':'a.txt','mode':'sequential','dry_run':true,"
         "'edits':[{'old_string':'one','new_string':'two'},"
         "{'old_string':'two','new_string':'one'}]}");
    check_status(&c, "partial");
    check_mentions(&c, "\nStatus partial: a dry run, so nothing was written.\nWithout dry_run "
                       "nothing would be written either: together the edits change nothing");
}

/* ---- Against the original ------------------------------------------------------------------ */

static void edits_see_the_original(void **state)
{
    (void)state;
    static const struct {
        const char *file, *edits, *want;
    } cases[] = {
        {"one two\n",
         "[{'old_string':'one','new_string':'two'},{'old_string':'two','new_string':'three'}]",
         "two three\n"},
        {"one two\n",
         "[{'old_string':'two','new_string':'three'},{'old_string':'one','new_string':'two'}]",
         "two three\n"},
        {"abcdef\n",
         "[{'old_string':'def','new_string':'DEF'},{'old_string':'abc','new_string':''}]", "DEF\n"},
        {"one\r\ntwo\r\nthree\r\n",
         "[{'old_string':'one\\ntwo','new_string':'1\\n2\\n2b'},"
         "{'old_string':'three','new_string':'3'}]",
         "1\r\n2\r\n2b\r\n3\r\n"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(caller) c;
        char arguments[300];
        caller_open(&c, TOOLS);
        put(&c, "a.txt", cases[i].file);
        snprintf(arguments, sizeof arguments, "{'path':'a.txt','mode':'original','edits':%s}",
                 cases[i].edits);
        call(&c, "MultiEdit", arguments);
        check_status(&c, "success");
        check_holds(&c, "a.txt", cases[i].want);
    }
}

static void in_a_sequence_they_see_each_other(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    put(&c, "a.txt", "one two\n");
    call(&c, "MultiEdit",
         "{'path':'a.txt','mode':'sequential','edits':[{'old_string':'one','new_string':'two'},"
         "{'old_string':'two','new_string':'three'}]}");
    check_error(&c, "INVALID_PARAM", "1");
    call(&c, "MultiEdit",
         "{'path':'a.txt','mode':'sequential','edits':[{'old_string':'one','new_string':'1'},"
         "{'old_string':'1 two','new_string':'three'}]}");
    check_status(&c, "success");
    check_holds(&c, "a.txt", "three\n");
}

/* A slip in one of two that overlap is put right with that, however slips may be made good. */
static void a_slip_in_an_edit_that_overlaps_takes_one_answer(void **state)
{
    (void)state;
    static const char *const slips[][2] = {{"beta(tow)", "delta(four)"},
                                           {"beta(two)", "delta(fuor)"}};
    for (size_t i = 0; i < 2 * COUNT_OF(slips); i++) {
        EM_AUTO(caller) c;
        EM_AUTO(em_arena) arena = {0};
        bool is_fuzzy = i % 2 == 1;
        caller_open(&c, TOOLS);
        put(&c, "a.js", "alpha(one)\nbeta(two)\ngamma(three)\ndelta(four)\n");
        call(&c, "MultiEdit",
             em_arena_format(
                 &arena,
                 "{'path':'a.js','match':'%s','edits':[{'old_string':'alpha(one)\\n%s\\ngamma("
                 "three)',"
                 "'new_string':'alpha(one)\\nbeta(2)\\ngamma(three)'},"
                 "{'old_string':'gamma(three)\\n%s','new_string':'gamma(three)\\ndelta(4)'}]}",
                 is_fuzzy ? "fuzzy" : "exact", slips[i / 2][0], slips[i / 2][1]));
        check_says(&c, "data.cause", is_fuzzy ? "overlap" : "typo");
        if (!is_fuzzy)
            check_has(&c, "Edit 2 wants text of another one, so what to send has them as one");
        call_with(&c, "MultiEdit", json_incref(field(&c, "data.retry")));
        check_holds(&c, "a.js", "alpha(one)\nbeta(2)\ngamma(three)\ndelta(4)\n");
    }
}

/* Not where they cannot be one: the slips are told alone. */
static void a_slip_beside_edits_that_stay_apart_is_told_alone(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    put(&c, "a.js", "alpha(one)\nbeta(two)\ngamma(three)\ndelta(four)\n");
    call(&c, "MultiEdit",
         "{'path':'a.js','edits':[{'old_string':'alpha(one)\\nbeta(tow)','new_string':'x(1)\\nbeta("
         "2)'},"
         "{'old_string':'beta(two)\\ngamma(three)','new_string':'beta(3)\\ngamma(three)'}]}");
    check_says(&c, "data.cause", "typo");
    check_has(&c, "Edit 2 would fail next: another edit wants the same text");
    check_field(&c, "data.retry.edits.0.old_string", "'alpha(one)\\nbeta(two)'");
}

/* Where both keep what they have in common, the answer has them as one. */
static void edits_with_the_same_lines_around_them_can_be_sent_as_one(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    put(&c, "a.js", "a\nb\nc\nd\ne\n");
    call(&c, "MultiEdit",
         "{'path':'a.js','edits':[{'old_string':'b\\nc\\nd\\n','new_string':'b\\nc\\n4\\n'},"
         "{'old_string':'e','new_string':'5'},"
         "{'old_string':'a\\nb\\nc\\n','new_string':'1\\nb\\nc\\n'}]}");
    check_says(&c, "data.cause", "overlap");
    check_field(&c, "data.retry",
                "{'path':'a.js','edits':[{'old_string':'a\\nb\\nc\\nd\\n',"
                "'new_string':'1\\nb\\nc\\n4\\n'},{'old_string':'e','new_string':'5'}]}");
    check_holds(&c, "a.js", "a\nb\nc\nd\ne\n");
    call(&c, "MultiEdit", /* one after the other, and one of them twice */
         "{'path':'a.js','edits':[{'old_string':'a\\nb\\n','new_string':'1\\nb\\n'},"
         "{'old_string':'b\\nc\\nd\\n','new_string':'b\\n3\\nd\\n'},"
         "{'old_string':'d\\ne\\n','new_string':'d\\n5\\n'},"
         "{'old_string':'d\\ne\\n','new_string':'d\\n5\\n'}]}");
    check_says(&c, "data.cause", "overlap");
    check_field(&c, "data.retry",
                "{'path':'a.js','edits':[{'old_string':'a\\nb\\nc\\nd\\ne\\n',"
                "'new_string':'1\\nb\\n3\\nd\\n5\\n'}]}");
    check_holds(&c, "a.js", "a\nb\nc\nd\ne\n");
    call(&c, "MultiEdit", /* two pairs of them */
         "{'path':'a.js','edits':[{'old_string':'a\\nb','new_string':'1\\nb'},"
         "{'old_string':'b\\nc','new_string':'b\\n3'},"
         "{'old_string':'d\\ne','new_string':'4\\ne'},{'old_string':'e','new_string':'5'}]}");
    check_field(&c, "data.retry",
                "{'path':'a.js','edits':[{'old_string':'a\\nb\\nc','new_string':'1\\nb\\n3'},"
                "{'old_string':'d\\ne','new_string':'4\\n5'}]}");
    call(&c, "MultiEdit", /* the third has to do with what the first changes */
         "{'path':'a.js','edits':[{'old_string':'a\\nb\\n','new_string':'1\\nb\\n'},"
         "{'old_string':'b\\nc\\n','new_string':'b\\n3\\n'},"
         "{'old_string':'a','new_string':'x'}]}");
    check_says(&c, "data.cause", "overlap");
    check_lacks(&c, "retry");
    call(&c, "MultiEdit",
         "{'path':'a.js','edits':[{'old_string':'b\\nc\\n','new_string':'2\\nc\\n'},"
         "{'old_string':'a\\nb\\n','new_string':'a\\n3\\n'}]}");
    check_says(&c, "data.cause", "overlap");
    check_lacks(&c, "retry");
}

static void the_edit_at_fault_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *edits, *failed, *cause, *message, *next;
    } cases[] = {
        {"[{'old_string':'old','new_string':'new'},{'old_string':'gone','new_string':'x'}]", "1",
         "not_found", "Edit 2 of 2 failed: old_string was not found in 'a.js'.",
         "\nSearched for (between >>> and <<<):\n>>>gone<<<\nUse Read to see the exact content"},
        {"[{'old_string':'old','new_string':'new'},{'old_string':'x','new_string':'y'}]", "1",
         "ambiguous",
         "Edit 2 of 2 failed: old_string occurs 2 times in 'a.js', but must occur once.",
         "\nLine 2, column 1: x\nLine 3, column 5:   f(x)\nAdd the text around the place"},
        {"[{'old_string':'// old\\nx','new_string':'1'},{'old_string':'old','new_string':'2'}]",
         "1", "overlap", "Edit 2 of 2 failed: edits 1 and 2 want the same text of a.js.",
         "\nMake them one edit"},
        {"[{'old_string':'old','new_string':'2'},{'old_string':'// old\\nx','new_string':'1'}]",
         "1", "overlap", "Edit 2 of 2 failed: edits 1 and 2 want the same text of a.js.",
         "\nMake them one edit"},
        {"[{'old_string':'f(x)','new_string':'g'},{'old_string':'old','new_string':'2'},"
         "{'old_string':'old','new_string':'3'}]",
         "2", "overlap", "Edit 3 of 3 failed: edits 2 and 3 want the same text of a.js.",
         "\nMake them one edit"},
        {"[{'old_string':'old','new_string':'2'},{'old_string':'','new_string':'1'}]", "1",
         "empty_search",
         "Edit 2 of 2 failed: old_string is empty: it must be the exact text that is to be "
         "replaced.",
         "\nTo insert text, send as old_string a line next to the place"},
        {"[{'old_string':'old','new_string':'old'}]", "0", "no_change",
         "Edit 1 of 1 failed: old_string and new_string are the same, so nothing would change in "
         "a.js.",
         "\nSend as new_string the text as it should become"},
        {"[{'old_string':'f(x)','new_string':'f(y)\\n// ... rest unchanged ...'}]", "0",
         "placeholder",
         "Edit 1 of 1 failed: new_string leaves out text that belongs there: \"// ... rest "
         "unchanged ...\".",
         "\nSuch a line would replace the code"},
        {"[{'old_string':'f(x)','new_string':'\\u0000'}]", "0", "nul",
         "Edit 1 of 1 failed: new_string holds a NUL character.", "\nA file with a NUL is no text"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(caller) c;
        char arguments[300];
        caller_open(&c, TOOLS);
        put(&c, "a.js", "// old\nx\n  f(x)\n");
        snprintf(arguments, sizeof arguments, "{'path':'a.js','edits':%s}", cases[i].edits);
        call(&c, "MultiEdit", arguments);
        check_error(&c, "INVALID_PARAM", cases[i].failed);
        check_says(&c, "data.cause", cases[i].cause);
        check_says(&c, "error.message", cases[i].message);
        check_mentions(&c, cases[i].next);
        check_holds(&c, "a.js", "// old\nx\n  f(x)\n");
    }
}

/* What one edit puts in is not there when the next one is looked for. */
static void edits_that_build_on_each_other_can_be_sent_as_a_sequence(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    put(&c, "a.txt", "foo\n");
    call(&c, "MultiEdit",
         "{'path':'a.txt','edits':[{'old_string':'foo','new_string':'bar'},"
         "{'old_string':'bar','new_string':'baz'}]}");
    check_error(&c, "INVALID_PARAM", "1");
    check_says(&c, "error.message", "Edit 2 of 2 failed: old_string was not found in 'a.txt'.");
    check_mentions(&c,
                   "\nIt stands in the new_string of edit 1, but every old_string is looked for "
                   "in the file as it was before the call. With \"mode\": \"sequential\" each "
                   "edit sees those before it, and all of them hold\n"
                   "data.retry holds corrected arguments, ready to send");
    assert_null(strstr(said(&c, "text"), "Use Read"));
    call_with(&c, "MultiEdit", json_incref(field(&c, "data.retry")));
    check_status(&c, "success");
    check_holds(&c, "a.txt", "baz\n");

    put(&c, "a.txt", "foo\n"); /* the last one holds in no order */
    call(&c, "MultiEdit",
         "{'path':'a.txt','edits':[{'old_string':'foo','new_string':'bar'},"
         "{'old_string':'bar','new_string':'baz'},{'old_string':'zzz','new_string':''}]}");
    check_error(&c, "INVALID_PARAM", "1");
    check_mentions(&c, "With \"mode\": \"sequential\" each edit sees those before it\n");
    check_mentions(&c, "Use Read to see the exact content");
    check_mentions(&c, "\nCheck the indentation, too: tabs and blanks count");
    assert_null(field(&c, "data.retry"));
    put(&c, "a.txt", "foo it\r\nnow\r\n"); /* what comes is only a part of it */
    call(&c, "MultiEdit",
         "{'path':'a.txt','edits':[{'old_string':'foo','new_string':'bar'},"
         "{'old_string':'bar it\\nnow','new_string':'baz'}]}");
    check_error(&c, "INVALID_PARAM", "1");
    check_mentions(&c,
                   "\nIt stands there only once the edits before it are made, but every old_string "
                   "is looked for in the file as it was before the call. With \"mode\": "
                   "\"sequential\" each edit sees those before it, and all of them hold\n");
    assert_null(strstr(said(&c, "text"), "Use Read"));
    call_with(&c, "MultiEdit", json_incref(field(&c, "data.retry")));
    check_status(&c, "success");
    check_holds(&c, "a.txt", "baz\r\n");

    put(&c, "a.txt", "foo\n");
    call(&c, "MultiEdit", /* in a sequence that is known already */
         "{'path':'a.txt','mode':'sequential','edits':[{'old_string':'zzz','new_string':'bar'},"
         "{'old_string':'bar','new_string':'baz'}]}");
    assert_null(strstr(said(&c, "text"), "It stands in the new_string"));
    check_holds(&c, "a.txt", "foo\n");
}

/* The one that builds on another is written otherwise, or one behind it is. */
static void a_sequence_is_corrected_where_it_has_slips(void **state)
{
    (void)state;
    static const struct {
        const char *request, *told, *after;
    } cases[] = {
        {"{'path':'a.go','edits':[{'old_string':'\\tif ok {\\n\\t\\tsend(1)','new_string':'\\tif "
         "fine {\\n\\t\\tpost(1)'},"
         "{'old_string':'    if fine {\\n        post(1)','new_string':'    if fine {\\n        "
         "f(2)'}]}",
         "It stands there only once the edits before it are made, and written otherwise, but every",
         "\tif fine {\n\t\tf(2)\n\t}\n\treturn\n"},
        {"{'path':'a.go','edits':[{'old_string':'\\t\\tsend(1)\\n','new_string':'\\t\\tpost(1)"
         "\\n\\t\\tpost(2)\\n'},"
         "{'old_string':'\\t\\tpost(1)  \\n\\t\\tpost(2)\\n','new_string':'\\t\\tpost(3)\\n'}]}",
         "It stands there only once the edits before it are made, and written otherwise, but every",
         "\tif ok {\n\t\tpost(3)\n\t}\n\treturn\n"},
        {"{'path':'a.go','edits':[{'old_string':'send(1)','new_string':'post(1)'},"
         "{'old_string':'post(1)','new_string':'post(2)'},"
         "{'old_string':'    }\\n    return','new_string':'    }\\n    return 1'}]}",
         "It stands in the new_string of edit 1, but every",
         "\tif ok {\n\t\tpost(2)\n\t}\n\treturn 1\n"},
    };
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put(&c, "a.go", "\tif ok {\n\t\tsend(1)\n\t}\n\treturn\n");
        call(&c, "MultiEdit", cases[i].request);
        check_error(&c, "INVALID_PARAM", "1");
        check_mentions(&c, cases[i].told);
        check_mentions(&c, " each edit sees those before it, and written as in data.retry all of "
                           "them hold\ndata.retry holds corrected arguments");
        call_with(&c, "MultiEdit", json_incref(field(&c, "data.retry")));
        check_status(&c, "success");
        check_holds(&c, "a.go", cases[i].after);
    }
    put(&c, "a.go", "first();\nlast();\n"); /* other words: it may be a text that is nowhere */
    call(
        &c, "MultiEdit",
        "{'path':'a.go','edits':[{'old_string':'first();','new_string':'call_of_them(); // first'},"
        "{'old_string':'call_if_them(); // first','new_string':'other();'}]}");
    check_error(&c, "INVALID_PARAM", "1");
    assert_null(field(&c, "data.retry"));
}

/* Also where it is known what to send. */
static void a_miss_says_to_read_and_to_look_at_the_indentation(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    put(&c, "a.py", "def f():\n\tif x:\n\t\treturn 1\n");
    call(
        &c, "MultiEdit",
        "{'path':'a.py','edits':[{'old_string':'    if x:\\n        return 1','new_string':'y'}]}");
    check_error(&c, "INVALID_PARAM", "0");
    assert_non_null(field(&c, "data.retry"));
    check_mentions(&c,
                   "\nIf something else is meant, use Read to see the exact content, and check its "
                   "indentation");
}

static void all_places_that_could_be_meant_are_told(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    put(&c, "a.txt",
        "x\n'a' \xE2\x80\x9C"
        "a\xE2\x80\x9D\n");
    call(&c, "MultiEdit", "{'path':'a.txt','edits':[{'old_string':'\\'a\\'','new_string':'b'}]}");
    check_says(&c, "data.cause", "ambiguous");
    check_mentions(&c, "\nold_string could be meant at more than one place"
                       "\nLine 2, column 1: 'a' \xE2\x80\x9C"
                       "a\xE2\x80\x9D"
                       "\nLine 2, column 5: 'a' \xE2\x80\x9C"
                       "a\xE2\x80\x9D"
                       "\nAdd the text around the place that you mean to old_string and "
                       "new_string, written as the file has it");
    call(&c, "MultiEdit", /* in text that is not in the file yet */
         "{'path':'a.txt','mode':'sequential','edits':[{'old_string':'x','new_string':"
         "'f(y) f (y)'},{'old_string':'f( y )','new_string':'b'}]}");
    check_mentions(&c, "\nLine 1, column 1 (in text that an edit before this one inserts): "
                       "f(y) f (y)\nLine 1, column 6 (in text");
}

static void what_two_edits_want_is_shown(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    put(&c, "a.txt", "one\ntwo\nthree\nfour\n");
    call(&c, "MultiEdit",
         "{'path':'a.txt','edits':[{'old_string':'three\\nfour','new_string':'x'},"
         "{'old_string':'one\\ntwo\\nthr','new_string':'y'}]}");
    check_says(&c, "error.message",
               "Edit 2 of 2 failed: edits 1 and 2 want the same text of a.txt.");
    check_mentions(&c,
                   "\nEdit 1 wants text of lines 3-4, edit 2 of lines 1-3. Both want, in line 3 "
                   "(between >>> and <<<):\n>>>thr<<<\nMake them one edit");
    assert_null(field(&c, "data.retry"));
    call(&c, "MultiEdit",
         "{'path':'a.txt','edits':[{'old_string':'one','new_string':'1'},"
         "{'old_string':'two','new_string':'2'},{'old_string':'one','new_string':'1'}]}");
    check_mentions(&c, "\nEdit 1 wants text of line 1, edit 3 of line 1. Both want, in line 1 "
                       "(between >>> and <<<):\n>>>one<<<\nThey are the same: leave edit 3 out\n");
    call_with(&c, "MultiEdit", json_incref(field(&c, "data.retry")));
    check_holds(&c, "a.txt", "1\n2\nthree\nfour\n");
    call(&c, "MultiEdit", /* without it there is another one */
         "{'path':'a.txt','edits':[{'old_string':'two','new_string':'x'},"
         "{'old_string':'three','new_string':'3'},{'old_string':'three','new_string':'3'},"
         "{'old_string':'hree','new_string':'3'}]}");
    assert_null(field(&c, "data.retry"));
}

/* Edit writes a file anew only for who knows what it holds, so the advice says how that is. */
static void the_advice_after_two_misses_can_be_followed(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    put(&c, "a.txt", "one\n");
    for (int i = 0; i < 2; i++) {
        assert_false(c.answer.text && strstr(c.answer.text, "in a row"));
        call(&c, "Edit", "{'path':'a.txt','old_string':'quite another','new_string':'x'}");
    }
    check_mentions(&c, "\nThis is failure 2 in a row on this file: use Read, and then Edit with "
                       "create_content and the file's hash as expected_hash to write it anew, "
                       "completely.");
    call(&c, "Read", "{'path':'a.txt'}");
    json_t *arguments = json_pack("{s:s,s:s,s:O}", "path", "a.txt", "create_content", "two\n",
                                  "expected_hash", field(&c, "data.hash"));
    call_with(&c, "Edit", arguments);
    check_field(&c, "data.operation", "'replace'");
    check_holds(&c, "a.txt", "two\n");
}

static void an_empty_search_is_refused_always(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    put(&c, "empty.txt", "");
    call(&c, "MultiEdit", "{'path':'empty.txt','edits':[{'old_string':'','new_string':'x'}]}");
    check_error(&c, "INVALID_PARAM", "0");
    call(&c, "Edit",
         "{'path':'empty.txt','old_string':'','new_string':'x','expected_size_bytes':7}");
    check_error(&c, "CONFLICT", "null");
    call(&c, "Edit", "{'path':'empty.txt','old_string':'','new_string':'x'}");
    check_error(&c, "INVALID_PARAM", "0");
    assert_null(field(&c, "data.retry")); /* it is there: none to be made */
    check_mentions(&c, "\nempty.txt is empty: to fill it, use ");
    check_holds(&c, "empty.txt", "");
    put(&c, "bom.txt", "\xEF\xBB\xBF");
    call(&c, "MultiEdit", "{'path':'bom.txt','edits':[{'old_string':'','new_string':'x'}]}");
    check_mentions(&c, "\nbom.txt is empty: to fill it, use ");
    call(&c, "Edit", "{'path':'none/','create_content':''}");
    check_error(&c, "IS_DIRECTORY", "null");
    check_says(&c, "error.message",
               "Path 'none/' names a directory, and nothing is there. Leave the slash at its end "
               "out, or name a file in it.");
    call(&c, "Edit", "{'path':'./','create_content':''}");
    check_says(&c, "error.message", "Path './' is a directory. Name a file in it.");
}

/* ---- Files --------------------------------------------------------------------------------- */

static void every_cause_has_its_code(void **state)
{
    (void)state;
    static const struct {
        const char *path, *code, *message, *next;
    } cases[] = {
        {"gone.txt", "NOT_FOUND", "File 'gone.txt' does not exist.",
         "\nTo make a new file, use Edit with create_content"},
        {"new/", "NOT_FOUND", "File 'new/' does not exist.",
         "\nnew/ names a folder, and nothing is there\nRelative paths start at "},
        {"../outside.txt", "ACCESS_DENIED", "Access denied. Path must be within project root.",
         "\nPaths are relative to the project root, never absolute"},
        {"/etc/hostname", "ACCESS_DENIED", "Access denied. Path must be within project root.",
         "\nFiles must lie in "},
        {"out", "ACCESS_DENIED", "Access denied. Path must be within project root.", ""},
        {".git/config", "ACCESS_DENIED", "Access denied: .git/config", "\nA rule of the server"},
        {"d", "IS_DIRECTORY", "Path 'd' is a directory. Name a file in it.", ""},
        {"fifo", "EXECUTION_ERROR", "Not a file: fifo.", "\nIt is a FIFO"},
        {"loop", "EXECUTION_ERROR", "Path cannot be resolved: loop",
         "name the file by a path without them"},
        {"a.bin", "BINARY_FILE", "File 'a.bin' appears to be binary.", "name that as encoding"},
        {"odd.txt", "BINARY_FILE", "File 'odd.txt' appears to be binary.",
         "to write it anew, completely, use Edit with create_content and the file's hash as "
         "expected_hash"},
        {"big.txt", "INVALID_PARAM",
         "File too large: big.txt: it has 200 bytes; at most 100 are taken.", "--max-file-size"},
    };
    EM_AUTO(caller) c;
    char path[200];
    caller_open(&c, TOOLS);
    em_session_free(c.s.session);
    em_error err = EM_ERROR_INIT;
    c.s.options.max_file_size = 100;
    assert_int_equal(em_session_new(&c.s.options, &c.s.session, &err), EM_OK);
    scratch_write(&c.s, "a.bin", EM_LIT("x\0y\n"));
    scratch_write(&c.s, "odd.txt", EM_LIT("\xFF\xFE\n\0x"));
    put(&c, "big.txt", lines(&c, 20, 10, 'x'));
    scratch_path(&c.s, "d", path);
    assert_int_equal(mkdir(path, 0755), 0);
    scratch_path(&c.s, ".git", path);
    assert_int_equal(mkdir(path, 0755), 0);
    put(&c, ".git/config", "x\n");
    scratch_path(&c.s, "out", path);
    assert_int_equal(symlink("/etc/hostname", path), 0);
    scratch_path(&c.s, "loop", path);
    assert_int_equal(symlink("loop", path), 0);
    scratch_path(&c.s, "fifo", path);
    assert_int_equal(mkfifo(path, 0644), 0);
    for (size_t i = 0; i < 2 * COUNT_OF(cases); i++) {
        char arguments[300];
        const char *find = i % 2 == 0 ? "x" : ""; /* what the file is comes before the texts */
        snprintf(arguments, sizeof arguments,
                 "{'path':'%s','edits':[{'old_string':'%s','new_string':'y'}]}", cases[i / 2].path,
                 find);
        call(&c, "MultiEdit", arguments);
        check_error(&c, cases[i / 2].code, "null");
        assert_ptr_equal(strstr(said(&c, "error.message"), cases[i / 2].message),
                         said(&c, "error.message"));
        check_mentions(&c, cases[i / 2].next);
        check_says(&c, "context.path_resolved", cases[i / 2].path);
    }
}

/* Advice that can be followed: no path of this family leads to a second root. */
static void a_second_root_is_not_advised(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    char second[100], path[120], want[400];
    caller_open(&c, TOOLS);
    snprintf(second, sizeof second, "%s/second", c.s.base);
    assert_int_equal(mkdir(second, 0755), 0);
    const char *const roots[] = {c.s.root, second};
    em_error err = EM_ERROR_INIT;
    em_session_free(c.s.session);
    c.s.options.workspace.roots = roots;
    c.s.options.workspace.root_count = COUNT_OF(roots);
    assert_int_equal(em_session_new(&c.s.options, &c.s.session, &err), EM_OK);
    snprintf(path, sizeof path, "%s/f", second);
    call_with(&c, "Read", json_pack("{s:s}", "path", path));
    check_says(&c, "error.code", "ACCESS_DENIED");
    snprintf(want, sizeof want,
             "\nFiles must lie in %s, the first root: Read reaches no other (tools of other "
             "families, which take absolute paths, do)\nPaths are relative",
             c.s.root);
    check_mentions(&c, want);
    assert_null(strstr(said(&c, "text"), second));
    int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    close(fd);
    call(&c, "Read", "{'path':'f'}");
    check_says(&c, "error.code", "NOT_FOUND");
    assert_null(strstr(said(&c, "text"), second));
}

static void an_absolute_path_inside_the_root_can_be_sent_again(void **state)
{
    (void)state;
    static const char *const others[] = {"",     "/", "-evil/a.txt", "/../a.txt", "/d/../../a.txt",
                                         "/d/.."};
    EM_AUTO(caller) c;
    char path[300];
    caller_open(&c, TOOLS);
    put(&c, "a.txt", "one\n");
    scratch_path(&c.s, "a.txt", path);
    call_with(&c, "Edit",
              json_pack("{s:s,s:s,s:s}", "path", path, "old_string", "one", "new_string", "1"));
    check_error(&c, "ACCESS_DENIED", "null");
    check_field(&c, "data.retry", "{'path':'a.txt','old_string':'one','new_string':'1'}");
    check_mentions(&c, "\ndata.retry holds corrected arguments, ready to send");
    assert_null(strstr(strstr(said(&c, "text"), "data.retry") + 1, "data.retry")); /* said once */
    call_with(&c, "Edit", json_incref(field(&c, "data.retry")));
    check_holds(&c, "a.txt", "1\n");
    for (size_t i = 0; i < COUNT_OF(others); i++) {
        snprintf(path, sizeof path, "%s%s", c.s.root, others[i]);
        call_with(&c, "Read", json_pack("{s:s}", "path", path));
        check_says(&c, "error.code", "ACCESS_DENIED");
        assert_null(field(&c, "data.retry"));
        call_with(&c, "Read", json_pack("{s:s}", "file_path", path));
        check_says(&c, "error.code", "INVALID_PARAM");
        assert_null(field(&c, "data.retry"));
    }
}

/* What else is wrong with the call is told at once, and corrected; where it is not known how, the
 * retry is none that is ready to send. */
static void a_call_with_an_absolute_path_is_tried_out(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    char path[300];
    caller_open(&c, TOOLS);
    put(&c, "a.txt", "    one();\n");
    scratch_path(&c.s, "a.txt", path);
    call_with(&c, "Edit",
              json_pack("{s:s,s:s,s:s}", "path", path, "old_string", "\tone();", "new_string",
                        "\ttwo();"));
    check_error(&c, "ACCESS_DENIED", "null");
    check_mentions(&c,
                   "\nSent so, the call would fail next:\nold_string was not found in 'a.txt'.");
    check_mentions(&c, "\ndata.retry holds corrected arguments, ready to send");
    check_field(&c, "data.retry",
                "{'path':'a.txt','old_string':'    one();','new_string':'    two();'}");
    call_with(&c, "Edit",
              json_pack("{s:s,s:s,s:s}", "path", path, "old_string", "gone", "new_string", "1"));
    check_mentions(&c, "\ndata.retry holds corrected arguments");
    assert_null(strstr(said(&c, "text"), "ready to send"));
    scratch_path(&c.s, "none.txt", path);
    call_with(&c, "Read", json_pack("{s:s}", "path", path));
    check_mentions(&c, "\nFile 'none.txt' does not exist.");
    assert_null(strstr(said(&c, "text"), "ready to send"));
    call_with(&c, "Read", json_pack("{s:s}", "file_path", path));
    check_says(&c, "error.code", "INVALID_PARAM");
    check_mentions(&c, "\nFile 'none.txt' does not exist.");
    assert_null(strstr(said(&c, "text"), "ready to send"));
}

/* Of a file that is clearly meant, too. */
static void what_would_fail_there_is_not_ready_to_send(void **state)
{
    (void)state;
    static const struct {
        const char *tool, *args, *why;
    } rows[] = {
        {"Edit", "{'path':'A.txt','old_string':'gone','new_string':'1'}", "would fail next"},
        {"Edit", "{'file_path':'A.txt','old_string':'gone','new_string':'1'}", "would fail next"},
        {"Edit", "{'path':'B.bin','old_string':'gone','new_string':'1'}", "to be binary"},
        {"Read", "{'path':'A.txt','start_line':9}", "past the end"},
    };
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    put(&c, "a.txt", "one\n");
    scratch_write(&c.s, "b.bin", EM_LIT("a\0b"));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        call(&c, rows[i].tool, rows[i].args);
        check_mentions(&c, rows[i].why);
        check_mentions(&c, "\ndata.retry holds corrected arguments");
        assert_null(strstr(said(&c, "text"), "ready to send"));
    }
    call(&c, "Read", "{'path':'A.txt'}");
    check_mentions(&c, "\ndata.retry holds corrected arguments, ready to send");
}

/* What is corrected of the arguments can be sent, whatever else is wrong with them. */
static void other_corrections_have_a_relative_path_too(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    char path[300];
    caller_open(&c, TOOLS);
    put(&c, "a..txt", "one\n");
    scratch_path(&c.s, "a..txt", path);
    call_with(&c, "MultiEdit",
              json_pack("{s:s,s:[{s:s,s:s}]}", "file_path", path, "edits", "old_text", "one",
                        "new_string", "1"));
    check_error(&c, "INVALID_PARAM", "null");
    check_field(&c, "data.retry",
                "{'path':'a..txt','edits':[{'old_string':'one','new_string':'1'}]}");
    call_with(&c, "MultiEdit", json_incref(field(&c, "data.retry")));
    check_holds(&c, "a..txt", "1\n");
}

static void extras_work_here_too(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    char path[200], other[200];
    scratch_write(&c.s, "a.txt", EM_LIT("caf\xE9\n"));
    scratch_path(&c.s, "a.txt", path);
    scratch_path(&c.s, "b.txt", other);
    assert_int_equal(link(path, other), 0);
    call(&c, "MultiEdit",
         "{'path':'a.txt','edits':[{'old_string':'caf\\u00e9','new_string':"
         "'th\\u00e9'}]}");
    check_error(&c, "INVALID_PARAM", "0");
    check_says(&c, "data.cause", "encoding");
    call(&c, "MultiEdit",
         "{'path':'a.txt','encoding':'latin-1','backup':true,'edits':["
         "{'old_string':'caf\\u00e9','new_string':'th\\u00e9'}]}");
    check_status(&c, "success");
    check_says(&c, "data.backup_path", "a.txt.bak");
    check_mentions(&c, "\nWarning: A hard link was broken");
    assert_int_equal(json_array_size(field(&c, "data.warnings")), 1);
    check_file(&c.s, "a.txt", EM_LIT("th\xE9\n"));
    check_file(&c.s, "a.txt.bak", EM_LIT("caf\xE9\n"));
}

/* ---- What was read ------------------------------------------------------------------------- */

#define ONE_TO_TWO "{'path':'a.txt','edits':[{'old_string':'one','new_string':'two'}]"

static void what_was_read_must_still_be_so(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        int64_t ms;
        const char *code, *message;
    } cases[] = {
        {"one\n", 5000, NULL, NULL},
        {"one more\n", 5000, "CONFLICT", "a.txt has changed: it has 9 bytes, not the expected 4."},
        {"one\n", 5001, "CONFLICT",
         "a.txt has changed: it was last changed at 5001 ms, not at the expected 5000 ms."},
        {"one!", 5000, "CONFLICT", "a.txt has changed: its content has the hash "},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(caller) c;
        caller_open(&c, TOOLS);
        change_behind(&c, "a.txt", "one\n", 5000);
        call(&c, "Read", "{'path':'a.txt','limit':1}");
        check_field(&c, "stats.file_mtime_ms", "5000");
        check_field(&c, "stats.file_size_bytes", "4");
        change_behind(&c, "a.txt", cases[i].bytes, cases[i].ms);
        call(&c, i % 2 ? "MultiEdit" : "Edit",
             i % 2 ? ONE_TO_TWO "}" : "{'path':'a.txt','old_string':'one','new_string':'two'}");
        if (!cases[i].code) {
            check_status(&c, "success");
            continue;
        }
        check_error(&c, cases[i].code, "null");
        check_says(&c, "data.cause", "changed");
        assert_non_null(strstr(said(&c, "error.message"), cases[i].message));
        check_mentions(&c, "\nUse Read to see what the file holds now");
        check_holds(&c, "a.txt", cases[i].bytes);
    }
}

static void explicit_values_win(void **state)
{
    (void)state;
    static const struct {
        const char *more;
        bool ok;
    } cases[] = {
        {"", false},
        {",'expected_mtime_ms':null,'expected_size_bytes':null", false},
        {",'expected_mtime_ms':6000,'expected_size_bytes':9", true},
        {",'expected_mtime_ms':6000", true},
        {",'expected_size_bytes':9", true},
        {",'expected_mtime_ms':5000,'expected_size_bytes':9", false},
        {",'expected_mtime_ms':6000,'expected_size_bytes':4", false},
        {",'expected_size_bytes':-1", false},
        {",'expected_hash':'0'", false},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(caller) c;
        char arguments[300];
        caller_open(&c, TOOLS);
        change_behind(&c, "a.txt", "one\n", 5000);
        call(&c, "Read", "{'path':'a.txt'}");
        change_behind(&c, "a.txt", "one more\n", 6000);
        snprintf(arguments, sizeof arguments, ONE_TO_TWO "%s}", cases[i].more);
        call(&c, "MultiEdit", arguments);
        if (cases[i].ok)
            check_status(&c, "success");
        else
            check_error(&c, "CONFLICT", "null");
    }
}

/* Who sends back what Read gave is not held to less than who sends nothing. */
static void values_of_the_reading_bring_the_content_with_them(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        int64_t ms;
        const char *more;
        bool ok;
    } cases[] = {
        {"one\n2\n", 5000, ",'expected_mtime_ms':5000,'expected_size_bytes':6", true},
        {"one\n9\n", 5000, ",'expected_mtime_ms':5000,'expected_size_bytes':6", false},
        {"one\n9\n", 5000, ",'expected_mtime_ms':5000", false},
        {"one\n9\n", 6000, ",'expected_size_bytes':6", false},
        {"one\n2\n", 6000, ",'expected_size_bytes':6", true}, /* only touched */
        {"one\n9\n", 6000, ",'expected_mtime_ms':6000,'expected_size_bytes':6", true},
        {"one\n9\n", 6000, ",'expected_hash':'HASH'", true},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(caller) c;
        char arguments[300];
        caller_open(&c, TOOLS);
        change_behind(&c, "a.txt", "one\n2\n", 5000);
        call(&c, "Read", "{'path':'a.txt'}");
        change_behind(&c, "a.txt", cases[i].bytes, cases[i].ms);
        snprintf(arguments, sizeof arguments, ONE_TO_TWO "%s}", cases[i].more);
        char *hash = strstr(arguments, "HASH");
        if (hash)
            snprintf(hash, (size_t)(arguments + sizeof arguments - hash), "%s'}",
                     em_hash_of(em_slice_of(cases[i].bytes)).hex);
        call(&c, "MultiEdit", arguments);
        if (cases[i].ok)
            check_status(&c, "success");
        else
            check_error(&c, "CONFLICT", "null");
    }
}

static void a_hash_is_enough(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    c.stateless = true;
    put(&c, "a.txt", "one\n");
    call(&c, "Read", "{'path':'a.txt'}");
    const char *hash = said(&c, "data.hash");
    call_with(&c, "Edit",
              json_pack("{s:s,s:s,s:s}", "path", "a.txt", "create_content", "two\n",
                        "expected_hash", hash));
    check_status(&c, "success");
    call_with(&c, "Edit",
              json_pack("{s:s,s:s,s:s}", "path", "a.txt", "create_content", "three\n",
                        "expected_hash", said(&c, "data.hash")));
    check_status(&c, "success");
    check_mentions(&c, "\nEdit: ");
    check_holds(&c, "a.txt", "three\n");
}

static void after_an_edit_the_new_file_is_known(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    put(&c, "a.txt", "one\n");
    call(&c, "Read", "{'path':'a.txt'}");
    call(&c, "MultiEdit", ONE_TO_TWO "}");
    check_status(&c, "success");
    call(&c, "Edit", "{'path':'./a.txt','old_string':'two','new_string':'three'}");
    check_status(&c, "success");
    change_behind(&c, "a.txt", "other\n", 5000);
    call(&c, "Edit", "{'path':'a.txt','old_string':'other','new_string':'x'}");
    check_error(&c, "CONFLICT", "null");
}

static void without_a_read_nothing_is_checked(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    put(&c, "a.txt", "one\n");
    call(&c, "MultiEdit", ONE_TO_TWO "}");
    check_status(&c, "success");
    change_behind(&c, "a.txt", "one more\n", 5000);
    call(&c, "MultiEdit", ONE_TO_TWO "}");
    check_status(&c, "success");
}

static void without_a_connection_the_session_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *reader, *writer;
        bool conflict;
    } cases[] = {
        {"", "", false},
        {",'session':'me'", "", false},
        {"", ",'session':'me'", false},
        {",'session':'me'", ",'session':'you'", false},
        {",'session':'me'", ",'session':'me'", true},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(caller) c;
        char arguments[300];
        caller_open(&c, TOOLS);
        c.stateless = true;
        change_behind(&c, "a.txt", "one\n", 5000);
        snprintf(arguments, sizeof arguments, "{'path':'a.txt'%s}", cases[i].reader);
        call(&c, "Read", arguments);
        change_behind(&c, "a.txt", "one more\n", 6000);
        snprintf(arguments, sizeof arguments, ONE_TO_TWO "%s}", cases[i].writer);
        call(&c, "MultiEdit", arguments);
        check_status(&c, cases[i].conflict ? "error" : "success");
    }
}

/* As the tools of this name have it elsewhere. */
static void all_places_are_replaced_where_that_is_asked_for(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    put(&c, "a.txt", "one one two\ntwo\n");
    call(&c, "MultiEdit",
         "{'path':'a.txt','edits':[{'old_string':'one','new_string':'1','replace_all':true},"
         "{'old_string':'two\\n','new_string':'2\\n','replace_all':false}]}");
    check_error(&c, "INVALID_PARAM", "1");
    check_mentions(&c, "or, if all are meant, send replace_all: true with it");
    put_too_many(&c, "b.txt");
    call(&c, "MultiEdit", "{'path':'b.txt','edits':[{'old_string':'x','new_string':'y'}]}");
    check_mentions(&c, "so that old_string occurs once");
    check_lacks(&c, "replace_all");
    put(&c, "c.txt", "\t\t}\n\t}\n}\n");
    call(&c, "MultiEdit",
         "{'path':'c.txt','match':'token','edits':[{'old_string':'  }\\n}','new_string':'y'}]}");
    check_mentions(&c, "so that old_string occurs once");
    check_lacks(&c, "replace_all");
    call(&c, "MultiEdit",
         "{'path':'a.txt','edits':[{'old_string':'one','new_string':'1','replace_all':true},"
         "{'old_string':'one two','new_string':'x'}]}");
    check_error(&c, "INVALID_PARAM", "1");
    check_says(&c, "data.cause", "overlap");
    call(&c, "MultiEdit",
         "{'path':'a.txt','edits':[{'old_string':'one','new_string':'1','replace_all':true},"
         "{'old_string':'two\\n','new_string':'2\\n','replace_all':true}]}");
    check_status(&c, "success");
    check_field(&c, "data.replacements", "4");
    check_holds(&c, "a.txt", "1 1 2\n2\n");
    call(&c, "Edit", "{'path':'a.txt','old_string':'1','new_string':'one','replace_all':true}");
    check_status(&c, "success");
    check_holds(&c, "a.txt", "one one 2\n2\n");
    call(&c, "Edit", "{'path':'a.txt','old_string':'3','new_string':'x','replace_all':true}");
    check_error(&c, "INVALID_PARAM", "0");
    check_says(&c, "data.cause", "not_found");
}

/* ---- Edit ---------------------------------------------------------------------------------- */

static void edit_is_one_edit(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    put(&c, "a.txt", "one one\n");
    call(&c, "Edit", "{'path':'a.txt','old_string':'one','new_string':'two'}");
    check_error(&c, "INVALID_PARAM", "0");
    check_says(&c, "data.operation", "edit");
    check_says(&c, "error.message", "old_string occurs 2 times in 'a.txt', but must occur once.");
    call(&c, "Edit", "{'path':'a.txt','old_string':'one\\n','new_string':'two\\n'}");
    check_status(&c, "success");
    check_says(&c, "data.operation", "edit");
    check_field(&c, "data.replacements", "1");
    check_holds(&c, "a.txt", "one two\n");
    call(&c, "Edit", "{'path':'gone.txt','old_string':'one','new_string':'two'}");
    check_error(&c, "NOT_FOUND", "null");
}

static void a_missing_file_is_made_with_its_folders(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    call(&c, "Edit", "{'path':'d/e/a.txt','create_content':'one\\ntwo\\n','dry_run':true}");
    check_status(&c, "partial");
    check_says(&c, "data.operation", "create");
    check_mentions(&c, "Would create 'd/e/a.txt' (8 bytes, 2 lines added, 0 removed).");
    call(&c, "Edit", "{'path':'d/e/a.txt','create_content':'one\\ntwo\\n'}");
    check_status(&c, "success");
    check_says(&c, "data.operation", "create");
    check_field(&c, "data.applied", "true");
    check_field(&c, "data.replacements", "0");
    check_field(&c, "data.diff_preview",
                "'--- /dev/null\\n+++ b/d/e/a.txt\\n@@ -0,0 +1,2 @@\\n+one\\n+two\\n'");
    check_field(&c, "stats.bytes_written", "8");
    check_says(&c, "text",
               "Created 'd/e/a.txt' (8 bytes, 2 lines added, 0 removed).\n"
               "Status success: all of it is in the file.");
    check_holds(&c, "d/e/a.txt", "one\ntwo\n");
    call(&c, "Edit", "{'path':'empty.txt','create_content':''}");
    check_status(&c, "success");
    check_field(&c, "data.applied", "true");
    check_holds(&c, "empty.txt", "");
}

static void an_existing_file_is_replaced_after_a_read(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    put(&c, "a.txt", "one\n");
    call(&c, "Edit", "{'path':'a.txt','create_content':'two\\n'}");
    check_error(&c, "CONFLICT", "null");
    check_says(&c, "data.operation", "replace");
    check_says(&c, "error.message", "File 'a.txt' exists already, and was not read.");
    check_mentions(&c, "\nUse Read to see what it holds; then send the same call with its hash as "
                       "expected_hash to replace it, or old_string and new_string to edit it");
    call(&c, "Read", "{'path':'a.txt'}");
    call(&c, "Edit", "{'path':'a.txt','create_content':'two\\n'}");
    check_status(&c, "success");
    check_says(&c, "data.operation", "replace");
    check_field(&c, "data.replacements", "1");
    check_mentions(&c, "Replaced the content of 'a.txt' (4 bytes, 1 line added, 1 removed).");
    call(&c, "Edit", "{'path':'a.txt','create_content':'three\\n','dry_run':true}");
    check_mentions(&c, "Would replace the content of 'a.txt' (");
    change_behind(&c, "a.txt", "by another\n", 5000);
    call(&c, "Edit", "{'path':'a.txt','create_content':'three\\n'}");
    check_error(&c, "CONFLICT", "null");
    check_holds(&c, "a.txt", "by another\n");
    call(&c, "Edit", "{'path':'a.txt','create_content':'a\\u0000b','expected_size_bytes':11}");
    check_error(&c, "INVALID_PARAM", "null");
    check_says(&c, "error.message", "create_content holds a NUL character.");
}

/* Nothing ties the calls of the stateless era together: a reading alone would not help there. */
static void a_hash_stands_for_a_reading(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, "Edit");
    c.stateless = true;
    put(&c, "a.txt", "one\n");
    call(&c, "Edit", "{'path':'a.txt','create_content':'two\\n'}");
    check_error(&c, "CONFLICT", "null");
    check_mentions(&c, "\nThe file holds (between >>> and <<<):\n>>>one\n<<<\nSend the same call "
                       "with its hash as expected_hash to replace it");
    call_with(&c, "Edit",
              json_pack("{s:s,s:s,s:s}", "path", "a.txt", "create_content", "two\n",
                        "expected_hash", said(&c, "data.hash")));
    check_status(&c, "success");
    check_holds(&c, "a.txt", "two\n");
}

/* On an error before it is resolved a path is as it was given, to its end. */
static void a_path_with_a_nul_is_given_back_whole(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    call(&c, "Edit", "{'path':'a\\u0000b','create_content':'x'}");
    check_error(&c, "INVALID_PARAM", "null");
    assert_int_equal(json_string_length(field(&c, "context.path_resolved")), 3);
}

/* What is told is what the file has, with its byte order mark and in its encoding. */
static void the_bytes_of_content_are_those_of_the_file(void **state)
{
    (void)state;
    static const struct {
        em_slice bytes;
        const char *encoding, *told;
    } cases[] = {
        {{"\xEF\xBB\xBFone\n", 7}, "", "(11 bytes, "},
        {{"\xFF\xFEo\0\n\0", 6}, "", "(16 bytes, "},
        {{"caf\xE9\n", 5}, ",'encoding':'latin1'", "(7 bytes, "},
        {{"\xEF\xBB\xBFna\xC3\xAFve\r\n", 11}, "", "(11 bytes, "},
        {{NULL, 0}, "", "(8 bytes, "},
        {{NULL, 0}, ",'encoding':'utf-16'", "(16 bytes, "},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(caller) c;
        char args[200];
        caller_open(&c, TOOLS);
        if (cases[i].bytes.ptr)
            scratch_write(&c.s, "a.txt", cases[i].bytes);
        call(&c, "Read", "{'path':'a.txt'}");
        for (int dry = 1; dry >= 0; dry--) {
            snprintf(args, sizeof args,
                     "{'path':'a.txt','create_content':'na\\u00EFve\\r\\n'%s,'dry_run':%s}",
                     cases[i].encoding, dry ? "true" : "false");
            call(&c, "Edit", args);
            check_mentions(&c, cases[i].told);
        }
        bool changed = i != 3;
        assert_int_equal(json_integer_value(field(&c, "stats.bytes_written")),
                         changed ? atoi(cases[i].told + 1) : 0);
    }
}

static void a_folder_that_is_none_is_told(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    char path[300];
    caller_open(&c, TOOLS);
    scratch_path(&c.s, "dangling", path);
    assert_int_equal(symlink("none/none", path), 0);
    call(&c, "Edit", "{'path':'dangling','create_content':'x'}");
    check_error(&c, "NOT_FOUND", "null");
    check_says(&c, "error.message", "File 'dangling' cannot be made.");
    check_mentions(&c, "\ndangling is a link that leads nowhere, and nothing is made by way of "
                       "one: name the file itself");
    call(&c, "Edit", "{'path':'dangling','old_string':'a','new_string':'b'}");
    check_says(&c, "error.message", "File 'dangling' does not exist.");
    check_mentions(&c, "\ndangling is a link that leads nowhere\nRelative paths start at ");
    assert_null(strstr(said(&c, "text"), "create_content"));
}

/* Somebody makes the file that is about to be made. */
static void make_it_first(void *context, em_stage stage)
{
    caller *c = context;
    if (stage == EM_STAGE_PLANNED)
        put(c, "a.txt", "theirs\n");
}

static void what_somebody_made_meanwhile_stays(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    em_toolset set;
    em_error err = EM_ERROR_INIT;
    assert_int_equal(em_toolset_choose(TOOLS, false, &c.s.arena, &set, &err), EM_OK);
    em_call one = {.session = c.s.session,
                   .arena = &c.s.arena,
                   .tool = em_toolset_find(&set, "Edit"),
                   .offered = &set,
                   .progress = make_it_first,
                   .progress_context = &c};
    EM_AUTO(em_json_ref)
    arguments = json_pack("{s:s,s:s}", "path", "a.txt", "create_content", "mine\n");
    assert_int_equal(em_tool_call(&one, arguments, &c.answer), EM_OK);
    check_error(&c, "CONFLICT", "null");
    check_holds(&c, "a.txt", "theirs\n");
}

/* ---- Read ---------------------------------------------------------------------------------- */

static void lines_are_numbered(void **state)
{
    (void)state;
    static const struct {
        const char *file, *more, *content, *text;
        int read, chars, total;
    } cases[] = {
        {"one\ntwo\nthree\n", "", "   1 | one\n   2 | two\n   3 | three\n",
         "Read 3 lines from 'a.txt' (Lines 1-3).", 3, 14, 3},
        {"one\ntwo", ",'start_line':2", "   2 | two\n", "Read 1 lines from 'a.txt' (Lines 2-2).", 1,
         3, 2},
        {"one\r\ntwo\rthree\n", ",'limit':3", "   1 | one\n   2 | two\n   3 | three\n",
         "Read 3 lines from 'a.txt' (Lines 1-3).", 3, 15, 3},
        {"\xEF\xBB\xBF"
         "\xC3\xA9\n",
         "", "   1 | \xC3\xA9\n", "Read 1 lines from 'a.txt' (Lines 1-1).", 1, 2, 1},
        {"", "", "", "Read 0 lines from 'a.txt' (file is empty).", 0, 0, 0},
        {"", ",'start_line':1", "", "Read 0 lines from 'a.txt' (file is empty).", 0, 0, 0},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(caller) c;
        char arguments[100], text[200];
        caller_open(&c, TOOLS);
        put(&c, "a.txt", cases[i].file);
        snprintf(arguments, sizeof arguments, "{'path':'a.txt'%s}", cases[i].more);
        call(&c, "Read", arguments);
        check_status(&c, "success");
        check_says(&c, "data.content", cases[i].content);
        check_field(&c, "data.truncated", "false");
        assert_null(field(&c, "data.fallback_encoding"));
        assert_int_equal(json_integer_value(field(&c, "stats.lines_read")), cases[i].read);
        assert_int_equal(json_integer_value(field(&c, "stats.chars_read")), cases[i].chars);
        assert_int_equal(json_integer_value(field(&c, "stats.total_lines")), cases[i].total);
        assert_int_equal(json_integer_value(field(&c, "stats.file_size_bytes")),
                         strlen(cases[i].file));
        check_says(&c, "stats.encoding", "utf-8");
        snprintf(text, sizeof text, "%s\n(Took %lldms)", cases[i].text,
                 (long long)json_integer_value(field(&c, "stats.time_ms")));
        check_says(&c, "text", text);
        check_says(&c, "data.hash", em_hash_of(em_slice_of(cases[i].file)).hex);
    }
}

static void a_long_file_comes_in_parts(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    put(&c, "a.txt", lines(&c, 600, 2, 'x'));
    call(&c, "Read", "{'path':'a.txt'}");
    check_status(&c, "partial");
    check_field(&c, "data.truncated", "true");
    check_field(&c, "stats.lines_read", "500");
    check_field(&c, "stats.total_lines", "600");
    check_mentions(&c, "Read 500 lines from 'a.txt' (Lines 1-500).\n(Took ");
    check_mentions(&c, "\n[Truncated: Showing first 500 of 600 lines. Use start_line=501 to "
                       "continue.]");
    call(&c, "Read", "{'path':'a.txt','start_line':501,'limit':2}");
    check_mentions(&c, "\n[Truncated: Showing first 2 of 600 lines. Use start_line=503 to "
                       "continue.]");
    check_says(&c, "data.content", " 501 | x\n 502 | x\n");
    call(&c, "Read", "{'path':'a.txt','start_line':501,'limit':100}");
    check_status(&c, "success");
    call(&c, "Read", "{'path':'a.txt','limit':2000}");
    check_status(&c, "success");
}

static void other_encodings_are_told(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("caf\xE9\n"));
    call(&c, "Read", "{'path':'a.txt'}");
    check_status(&c, "partial");
    check_says(&c, "data.content", "   1 | caf\xEF\xBF\xBD\n");
    check_says(&c, "data.fallback_encoding", "replace");
    check_field(&c, "data.truncated", "false");
    check_says(&c, "stats.encoding", "unknown-8bit");
    check_mentions(&c, "\n[Partial: The file is not valid UTF-8.");
    call(&c, "Read", "{'path':'a.txt','encoding':'latin-1'}");
    check_status(&c, "success");
    check_says(&c, "data.content", "   1 | caf\xC3\xA9\n");
    scratch_write(&c.s, "b.txt", EM_LIT("\xFF\xFEo\0n\0\n\0"));
    call(&c, "Read", "{'path':'b.txt'}");
    check_status(&c, "success");
    check_says(&c, "data.content", "   1 | on\n");
    check_says(&c, "stats.encoding", "utf-16le");
}

static void what_cannot_be_read(void **state)
{
    (void)state;
    static const struct {
        const char *arguments, *code, *message, *next;
    } cases[] = {
        {"{'path':'gone.txt'}", "NOT_FOUND", "File 'gone.txt' does not exist.",
         "\nRelative paths start at "},
        {"{'path':'../a.txt'}", "ACCESS_DENIED", "Access denied. Path must be within project root.",
         "\nPaths are relative"},
        {"{'path':'/a.txt'}", "ACCESS_DENIED", "Access denied. Path must be within project root.",
         "\nPaths are relative"},
        {"{'path':'.'}", "IS_DIRECTORY", "Path '.' is a directory. Name a file in it.", ""},
        {"{'path':'a.bin'}", "BINARY_FILE", "File 'a.bin' appears to be binary.", "encoding"},
        {"{'path':'a.txt','start_line':3}", "INVALID_PARAM",
         "start_line 3 is past the end of 'a.txt', which has 2 lines.",
         "\nSend a start_line from 1 to 2"},
        {"{'path':'empty.txt','start_line':2}", "INVALID_PARAM",
         "start_line 2 is past the end of 'empty.txt', which has 0 lines.",
         "\nSend a start_line from 1 to 1"},
        {"{'path':'one.txt','start_line':2}", "INVALID_PARAM",
         "start_line 2 is past the end of 'one.txt', which has 1 line.", ""},
        {"{'path':'a.txt','limit':2001}", "INVALID_PARAM",
         "limit must be from 1 to 2000, but 2001 came.", "\nCorrect the arguments"},
        {"{'path':'a.txt','limit':0}", "INVALID_PARAM", "limit must be from 1 to 2000, but 0 came.",
         "\nCorrect the arguments"},
        {"{'path':'a.txt','start_line':0}", "INVALID_PARAM",
         "start_line must be at least 1, but 0 came.", "\nCorrect the arguments"},
        {"{'file':'a.txt','limit':'2'}", "INVALID_PARAM", "Unknown argument file.", ""},
    };
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    put(&c, "a.txt", "one\ntwo\n");
    put(&c, "one.txt", "one");
    put(&c, "empty.txt", "");
    scratch_write(&c.s, "a.bin", EM_LIT("x\0y\n"));
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        call(&c, "Read", cases[i].arguments);
        check_status(&c, "error");
        check_says(&c, "error.code", cases[i].code);
        assert_ptr_equal(strstr(said(&c, "error.message"), cases[i].message),
                         said(&c, "error.message"));
        check_field(&c, "data.content", "''");
        check_field(&c, "data.truncated", "false");
        check_keys(field(&c, "stats"), "time_ms ");
        check_mentions(&c, "\nStatus error: nothing was read.");
        check_mentions(&c, cases[i].next);
    }
}

static void what_was_not_shown_was_not_read(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    put(&c, "a.txt", "one\n");
    call(&c, "Read", "{'path':'a.txt','start_line':9}");
    call(&c, "Edit", "{'path':'a.txt','create_content':'two\\n'}");
    check_error(&c, "CONFLICT", "null");
}

/* ---- Arguments ----------------------------------------------------------------------------- */

static void wrong_arguments_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *tool, *arguments, *failed, *message;
    } cases[] = {
        {"MultiEdit", "{'edits':[{'old_string':'x','new_string':'y'}]}", "null",
         "Missing argument path: it must be a string."},
        {"MultiEdit", "{'path':'a.txt'}", "null",
         "No edits provided: missing argument edits: it must be a list."},
        {"MultiEdit", "{'path':'a.txt','edits':[]}", "null",
         "No edits provided: edits needs at least one element."},
        {"MultiEdit", "{'path':'','edits':[{'old_string':'x','new_string':'y'}]}", "null",
         "path must not be empty."},
        {"MultiEdit", "{'path':'a\\u0000','edits':[{'old_string':'x','new_string':'y'}]}", "null",
         "path must not hold a NUL character."},
        {"MultiEdit",
         "{'path':'a.txt','edits':[{'old_string':'x','new_string':'y'},{'old_string':'x'}]}", "1",
         "Missing argument edits[1].new_string: it must be a string"
         " (\"\" deletes what is found)."},
        {"MultiEdit",
         "{'path':'a.txt','edits':[{'old_string':'x','new_string':'y'}],'expected_mtime_ms':1.5}",
         "null", "expected_mtime_ms must be an integer, but a number came: 1.5."},
        {"MultiEdit",
         "{'path':'a.txt','edits':[{'old_string':'x','new_string':'y'}],'mode':'sequence'}", "null",
         "mode must be one of \"original\", \"sequential\", but this came: \"sequence\". Did you "
         "mean \"sequential\"?"},
        {"Edit", "{'path':'a.txt'}", "null",
         "The request fits none of the forms:\n- replace text: missing old_string, new_string\n"
         "- write a whole file: missing create_content."},
        {"Edit", "{'path':'a.txt','old_string':'x'}", "null",
         "The request fits none of the forms:\n- replace text: missing new_string (\"\" deletes "
         "what is found)\n"
         "- write a whole file: missing create_content; must not have old_string."},
        {"Edit", "{'path':'a.txt','old_string':'x','new_string':'y','create_content':'z'}", "null",
         "The request fits none of the forms:\n- replace text: must not have create_content\n"
         "- write a whole file: must not have old_string, new_string."},
        {"Edit", "{'path':'a.txt','old_string':'','new_string':'x','create_content':''}", "0",
         "old_string is empty: it must be the exact text that is to be replaced."},
    };
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    put(&c, "a.txt", "x\n");
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        call(&c, cases[i].tool, cases[i].arguments);
        check_error(&c, "INVALID_PARAM", cases[i].failed);
        check_says(&c, "error.message", cases[i].message);
        assert_int_equal(field(&c, "data.operation") != NULL, cases[i].tool[0] == 'E');
    }
    call(&c, "Edit", "{'path':'a.txt','create_content':7}");
    check_says(&c, "data.operation", "create");
    check_holds(&c, "a.txt", "x\n");
}

static void texts_that_are_empty_do_not_count(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    call(&c, "Edit", "{'path':'a.txt','old_string':'','new_string':'','create_content':'x\\n'}");
    check_status(&c, "success");
    check_says(&c, "data.operation", "create");
    call(&c, "Edit", "{'path':'a.txt','old_string':'x','new_string':'y','create_content':''}");
    check_status(&c, "success");
    check_says(&c, "data.operation", "edit");
    check_holds(&c, "a.txt", "y\n");
}

static void the_sessions_limit_of_edits_holds(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    em_session_free(c.s.session);
    em_error err = EM_ERROR_INIT;
    c.s.options.max_edits = 1000;
    assert_int_equal(em_session_new(&c.s.options, &c.s.session, &err), EM_OK);
    put(&c, "a.txt", "one\n");
    json_t *edits = json_array();
    for (int i = 0; i < 1001; i++)
        json_array_append_new(edits,
                              json_pack("{s:s,s:s}", "old_string", "one", "new_string", "two"));
    call_with(&c, "MultiEdit", json_pack("{s:s,s:o}", "path", "a.txt", "edits", edits));
    check_error(&c, "INVALID_PARAM", "null");
    check_says(&c, "error.message",
               "Too many edits for a.txt: 1001 edits; at most 1000 are taken in one call.");
}

/* ---- The next call ------------------------------------------------------------------------- */

static void the_arguments_that_were_meant_are_given(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    put(&c, "a.txt", "one\n");
    call(&c, "MultiEdit", "{'file_path':'a.txt','edits':[{'old_str':'one','new_str':'1'}]}");
    check_error(&c, "INVALID_PARAM", "null");
    check_field(&c, "data.retry",
                "{'path':'a.txt','edits':[{'old_string':'one','new_string':'1'}]}");
    check_mentions(&c, "\ndata.retry holds corrected arguments, ready to send");
    call_with(&c, "MultiEdit", json_incref(field(&c, "data.retry")));
    check_holds(&c, "a.txt", "1\n");
    call(&c, "Edit", "{'path':'a.txt','old_str':'1','new_str':'2'}");
    check_field(&c, "data.retry", "{'path':'a.txt','old_string':'1','new_string':'2'}");
    call(&c, "Edit", "{'path':'a.txt','old_str':'1'}"); /* would be refused again */
    assert_null(field(&c, "data.retry"));
}

/* How often a text stands there is other tools' word for something that is not asked here. */
static void a_count_is_not_taken_for_what_the_file_must_be(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    put(&c, "a.txt", "one\n");
    call(&c, "Edit",
         "{'path':'a.txt','old_string':'one','new_string':'1','expected_replacements':1}");
    check_error(&c, "INVALID_PARAM", "null");
    check_mentions(&c, "Unknown argument expected_replacements. Leave it out");
    check_field(&c, "data.retry", "{'path':'a.txt','old_string':'one','new_string':'1'}");
    call(&c, "Edit", "{'path':'a.txt','old_string':'one','new_string':'1','expected_size':4}");
    check_field(&c, "data.retry",
                "{'path':'a.txt','old_string':'one','new_string':'1','expected_size_bytes':4}");
    call_with(&c, "Edit", json_incref(field(&c, "data.retry")));
    check_holds(&c, "a.txt", "1\n");
}

/* As other tools make a file. */
static void an_empty_search_text_asks_for_a_new_file(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    put(&c, "a.txt", "one\n");
    call(&c, "Edit", "{'path':'d/b.txt','old_string':'','new_string':'two\\n','dry_run':false}");
    check_error(&c, "NOT_FOUND", "null");
    check_field(&c, "data.retry", "{'path':'d/b.txt','dry_run':false,'create_content':'two\\n'}");
    call_with(&c, "Edit", json_incref(field(&c, "data.retry")));
    check_holds(&c, "d/b.txt", "two\n");
    call(&c, "Edit", "{'path':'A.txt','old_string':'','new_string':'two\\n'}"); /* that is there */
    check_field(&c, "data.retry", "{'path':'a.txt','old_string':'','new_string':'two\\n'}");
    call(&c, "Edit", "{'path':'a.txt/b','old_string':'','new_string':'two\\n'}");
    assert_null(field(&c, "data.retry"));
    call(&c, "MultiEdit", "{'path':'b.txt','edits':[{'old_string':'','new_string':'two\\n'}]}");
    assert_null(field(&c, "data.retry"));
}

static void an_edit_made_before_is_left_out(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    put(&c, "a.txt", "const total = sum(values);\nreturn x;\n");
    call(&c, "MultiEdit",
         "{'path':'a.txt','edits':[{'old_string':'return x;','new_string':'return total;'},"
         "{'old_string':'const t = 0;','new_string':'const total = sum(values);'}]}");
    check_error(&c, "INVALID_PARAM", "1");
    check_says(&c, "data.cause", "already_applied");
    check_mentions(&c, "\nnew_string stands in the file already, at line 1: leave this edit out");
    check_field(
        &c, "data.retry",
        "{'path':'a.txt','edits':[{'old_string':'return x;','new_string':'return total;'}]}");
    call(&c, "Edit",
         "{'path':'a.txt','old_string':'const t = 0;',"
         "'new_string':'const total = sum(values);'}");
    check_says(&c, "data.cause", "already_applied");
    assert_null(field(&c, "data.retry"));
}

static void long_texts_are_cut_and_long_retries_left_out(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    put(&c, "a.txt", "one\n");
    const char *text = lines(&c, 1, 10000, 'x');
    call_with(&c, "Edit",
              json_pack("{s:s,s:s,s:s}", "path", "a.txt", "old_string", text, "new_string", "1"));
    check_error(&c, "INVALID_PARAM", "0");
    check_field(&c, "data.echo_truncated", "true");
    check_mentions(&c, "<<< (the first 8192 of 10000 bytes)");
    assert_int_equal(json_string_length(field(&c, "context.params_input.old_string")), 10000);
    call_with(&c, "Read", json_pack("{s:s}", "path", text));
    check_field(&c, "data.echo_truncated", "true");
    call_with(&c, "Edit",
              json_pack("{s:s,s:s,s:s}", "path", "a.txt", "old_str", text, "new_string", "1"));
    assert_null(field(&c, "data.retry"));
    check_field(&c, "data.retry_omitted", "true");
}

static void without_read_the_text_itself_is_given(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, "MultiEdit,Edit");
    put(&c, "a.txt", "one\n");
    call(&c, "Edit", "{'path':'a.txt','old_string':'two','new_string':'1'}");
    check_mentions(&c, "\nThe file holds (between >>> and <<<):\n>>>one\n<<<");
    call(&c, "Edit", "{'path':'a.txt','create_content':'1'}");
    check_mentions(&c, "\nThe file holds (between >>> and <<<):\n>>>one\n<<<\nSend the same call "
                       "with its hash as expected_hash to replace it");
    call_with(&c, "Edit",
              json_pack("{s:s,s:s,s:s}", "path", "a.txt", "old_string", "one", "new_string",
                        lines(&c, 200, 2, 'x')));
    check_status(&c, "partial");
}

/* ---- Memory -------------------------------------------------------------------------------- */

typedef struct starved {
    caller *c;
    const char *tool, *arguments, *want;
} starved;

static bool try_call(void *context)
{
    const starved *one = context;
    long room = mallocs_left;
    mallocs_left = -1;
    json_t *arguments = json_loads(one->arguments, JSON_ALLOW_NUL, NULL);
    em_toolset set;
    EM_AUTO(em_arena) arena = {0};
    em_answer answer;
    assert_int_equal(em_toolset_choose(TOOLS, false, &one->c->s.arena, &set, NULL), EM_OK);
    em_call call = {.session = one->c->s.session,
                    .arena = &arena,
                    .tool = em_toolset_find(&set, one->tool),
                    .offered = &set};
    mallocs_left = room;
    em_status status = em_tool_call(&call, arguments, &answer);
    mallocs_left = -1;
    if (status == EM_OK) {
        const char *text = json_string_value(json_object_get(answer.object, "text"));
        if (!strstr(text, one->want))
            fail_msg("%s", text);
        em_answer_drop(&answer);
    }
    json_decref(arguments);
    return status == EM_OK;
}

static void out_of_memory_is_no_answer(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    put(&c, "a.txt", "one two\n  three\n");
    starved cases[] = {
        {&c, "MultiEdit",
         "{\"path\":\"a.txt\",\"edits\":[{\"old_string\":\"one\",\"new_string\":\"1\"}],"
         "\"dry_run\":true}",
         "Would apply"},
        {&c, "MultiEdit",
         "{\"path\":\"a.txt\",\"edits\":[{\"old_string\":\"o\",\"new_string\":\"1\"}]}",
         "occurs 2 times"},
        {&c, "Edit", "{\"path\":\"a.txt\",\"old_str\":\"x y\",\"new_string\":\"1\"}",
         "Did you mean"},
        {&c, "Edit", "{\"path\":\"/a.txt\",\"old_string\":\"x\",\"new_string\":\"1\"}", "denied"},
        {&c, "Read", "{\"path\":\"a.txt\"}", "Read 2 lines"},
        {&c, "Read", "{\"path\":\"a.txt\",\"start_line\":7}", "past the end"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_true(run_out_of_memory(try_call, &cases[i]) > 5);
    check_holds(&c, "a.txt", "one two\n  three\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_envelope_holds_this_and_nothing_else),
        cmocka_unit_test(the_resolved_path_is_that_of_the_file),
        cmocka_unit_test(a_dry_run_is_partial),
        cmocka_unit_test(long_previews_are_cut_at_a_lines_end),
        cmocka_unit_test(the_names_count_too),
        cmocka_unit_test(a_place_in_inserted_text_is_called_so),
        cmocka_unit_test(edits_that_cancel_out_write_nothing),
        cmocka_unit_test(edits_see_the_original),
        cmocka_unit_test(in_a_sequence_they_see_each_other),
        cmocka_unit_test(edits_with_the_same_lines_around_them_can_be_sent_as_one),
        cmocka_unit_test(a_slip_in_an_edit_that_overlaps_takes_one_answer),
        cmocka_unit_test(a_slip_beside_edits_that_stay_apart_is_told_alone),
        cmocka_unit_test(the_edit_at_fault_is_named),
        cmocka_unit_test(edits_that_build_on_each_other_can_be_sent_as_a_sequence),
        cmocka_unit_test(a_sequence_is_corrected_where_it_has_slips),
        cmocka_unit_test(a_miss_says_to_read_and_to_look_at_the_indentation),
        cmocka_unit_test(all_places_that_could_be_meant_are_told),
        cmocka_unit_test(what_two_edits_want_is_shown),
        cmocka_unit_test(the_advice_after_two_misses_can_be_followed),
        cmocka_unit_test(an_empty_search_is_refused_always),
        cmocka_unit_test(every_cause_has_its_code),
        cmocka_unit_test(a_second_root_is_not_advised),
        cmocka_unit_test(an_absolute_path_inside_the_root_can_be_sent_again),
        cmocka_unit_test(a_call_with_an_absolute_path_is_tried_out),
        cmocka_unit_test(what_would_fail_there_is_not_ready_to_send),
        cmocka_unit_test(other_corrections_have_a_relative_path_too),
        cmocka_unit_test(extras_work_here_too),
        cmocka_unit_test(what_was_read_must_still_be_so),
        cmocka_unit_test(explicit_values_win),
        cmocka_unit_test(values_of_the_reading_bring_the_content_with_them),
        cmocka_unit_test(a_hash_is_enough),
        cmocka_unit_test(after_an_edit_the_new_file_is_known),
        cmocka_unit_test(without_a_read_nothing_is_checked),
        cmocka_unit_test(without_a_connection_the_session_is_named),
        cmocka_unit_test(all_places_are_replaced_where_that_is_asked_for),
        cmocka_unit_test(edit_is_one_edit),
        cmocka_unit_test(a_missing_file_is_made_with_its_folders),
        cmocka_unit_test(an_existing_file_is_replaced_after_a_read),
        cmocka_unit_test(a_hash_stands_for_a_reading),
        cmocka_unit_test(a_path_with_a_nul_is_given_back_whole),
        cmocka_unit_test(the_bytes_of_content_are_those_of_the_file),
        cmocka_unit_test(a_folder_that_is_none_is_told),
        cmocka_unit_test(what_somebody_made_meanwhile_stays),
        cmocka_unit_test(lines_are_numbered),
        cmocka_unit_test(a_long_file_comes_in_parts),
        cmocka_unit_test(other_encodings_are_told),
        cmocka_unit_test(what_cannot_be_read),
        cmocka_unit_test(what_was_not_shown_was_not_read),
        cmocka_unit_test(wrong_arguments_are_told),
        cmocka_unit_test(texts_that_are_empty_do_not_count),
        cmocka_unit_test(the_sessions_limit_of_edits_holds),
        cmocka_unit_test(the_arguments_that_were_meant_are_given),
        cmocka_unit_test(a_count_is_not_taken_for_what_the_file_must_be),
        cmocka_unit_test(an_empty_search_text_asks_for_a_new_file),
        cmocka_unit_test(an_edit_made_before_is_left_out),
        cmocka_unit_test(long_texts_are_cut_and_long_retries_left_out),
        cmocka_unit_test(without_read_the_text_itself_is_given),
        cmocka_unit_test(out_of_memory_is_no_answer),
    };
    use_counted_memory();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
