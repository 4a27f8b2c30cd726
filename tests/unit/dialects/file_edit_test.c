#include "answers/similar.h"
#include "calls.h"

#define TOOLS "file_edit,read_file,write_file"

/* ---- Successes ----------------------------------------------------------------------------- */

static void edits_are_made_in_order(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.js", EM_LIT("const a = 1;\nconst b = 2;"));
    call(&c, "file_edit",
         "{'path':'a.js','edits':[{'old_text':'const','new_text':'let','occurrences':2},"
         "{'old_text':'let a','new_text':'let x'},{'old_text':'= 1','new_text':'= 100'}]}");
    check_file(&c.s, "a.js", EM_LIT("let x = 100;\nlet b = 2;"));
    check_text(&c, false,
               "Applied 3 edits (4 replacements) to a.js.\n\n"
               "--- a/a.js\n+++ b/a.js\n@@ -1,2 +1,2 @@\n-const a = 1;\n-const b = 2;\n"
               "\\ No newline at end of file\n+let x = 100;\n+let b = 2;\n"
               "\\ No newline at end of file\n");
    check_field(&c, "total_replacements", "4");
    check_field(&c, "edits_applied",
                "[{'edit_index':0,'occurrences_replaced':2,'line_numbers':[1,2]},"
                "{'edit_index':1,'occurrences_replaced':1,'line_numbers':[1]},"
                "{'edit_index':2,'occurrences_replaced':1,'line_numbers':[1]}]");
    check_field(&c, "diff.hunks",
                "[{'old_start':1,'old_lines':2,'new_start':1,'new_lines':2,'lines':"
                "['-const a = 1;','-const b = 2;','+let x = 100;','+let b = 2;']}]");
    check_field(&c, "diff.lines_added", "2");
    check_field(&c, "diff.lines_removed", "2");
    check_field(&c, "diff.truncated", "false");
    assert_null(field(&c, "dry_run"));
    assert_null(field(&c, "validation_error"));
    em_hash hash = em_hash_of(EM_LIT("let x = 100;\nlet b = 2;"));
    assert_string_equal(json_string_value(field(&c, "hash")), hash.hex);
    assert_true(json_string_length(field(&c, "edit_id")) > 16);
    char path[200];
    scratch_path(&c.s, "a.js", path);
    assert_string_equal(json_string_value(field(&c, "path")), path);
}

static void emend_call_prints_the_documents_answer(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("one\n"));
    call(&c, "file_edit", "{'path':'a.txt','edits':[{'old_text':'one','new_text':'1'}]}");
    json_t *native = c.answer.native;
    assert_true(json_is_false(json_object_get(native, "isError")));
    assert_ptr_equal(json_object_get(native, "metadata"), c.answer.object);
    json_t *block = json_array_get(json_object_get(native, "content"), 0);
    assert_string_equal(json_string_value(json_object_get(block, "type")), "text");
    assert_string_equal(json_string_value(json_object_get(block, "text")), c.answer.text);
    assert_null(c.answer.meta);
}

static void a_dry_run_shows_and_writes_nothing(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("one\ntwo\n"));
    call(&c, "file_edit",
         "{'path':'a.txt','edits':[{'old_text':'two','new_text':'2'}],'dry_run':true}");
    check_file(&c.s, "a.txt", EM_LIT("one\ntwo\n"));
    check_text(&c, false,
               "Dry run: would apply 1 edit (1 replacement) to a.txt. Nothing was written.\n\n"
               "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n");
    check_field(&c, "dry_run", "true");
    check_field(&c, "would_modify", "true");
    check_field(&c, "preview", "[{'edit_index':0,'line_number':2,'before':'two','after':'2'}]");
    assert_null(field(&c, "preview_truncated"));
    assert_null(field(&c, "edit_id"));
}

static void edits_that_cancel_out_change_nothing(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("one\n"));
    call(&c, "file_edit",
         "{'path':'a.txt','edits':[{'old_text':'one','new_text':'two'},"
         "{'old_text':'two','new_text':'one'}],'dry_run':true}");
    check_text(&c, false,
               "Dry run: would apply 2 edits (2 replacements) to a.txt. Nothing was written. "
               "Together they change nothing.");
    check_field(&c, "would_modify", "false");
    check_field(&c, "diff",
                "{'unified':'','hunks':[],'lines_added':0,'lines_removed':0,'truncated':false}");
}

static void a_backup_and_warnings_are_told(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    c.stateless = true;
    char path[200], other[200];
    scratch_write(&c.s, "a.txt", EM_LIT("one\n"));
    scratch_path(&c.s, "a.txt", path);
    scratch_path(&c.s, "b.txt", other);
    assert_int_equal(link(path, other), 0);
    call(&c, "file_edit",
         "{'path':'a.txt','edits':[{'old_text':'one','new_text':'1'}],'backup':true}");
    check_field(&c, "backup_path", "'a.txt.bak'");
    assert_int_equal(json_array_size(field(&c, "warnings")), 1);
    char line[600];
    snprintf(line, sizeof line, "a.txt.\nWarning: %s\nEdit: %s\n\n---",
             json_string_value(field(&c, "warnings.0")), json_string_value(field(&c, "edit_id")));
    check_has(&c, line);
}

static void long_answers_are_cut(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    char text[40001];
    for (size_t i = 0; i < 20000; i++)
        memcpy(text + 2 * i, "x\n", 2);
    scratch_write(&c.s, "a.txt", em_slice_make(text, 40000));
    call(&c, "file_edit",
         "{'path':'a.txt','edits':[{'old_text':'x\\n','new_text':'yyyyyyyyyyyyyyyyyyyyyy\\n',"
         "'occurrences':20000}],'dry_run':true}");
    check_field(&c, "diff.truncated", "true");
    check_field(&c, "diff.lines_added", "20000");
    check_field(&c, "preview_truncated", "true");
    check_field(&c, "edits_applied.0.line_numbers_truncated", "true");
    assert_int_equal(json_array_size(field(&c, "edits_applied.0.line_numbers")), 10000);
    check_field(&c, "edits_applied.0.line_numbers.9999", "10000");
    check_has(&c, "(The diff is cut; in all 20000 lines added, 20000 removed.)\n");
    assert_true(json_string_length(field(&c, "diff.unified")) <= 8192);
    assert_true(strlen(c.answer.text) < 8192 + 400);
}

/* The two lines that name the file are a part of the diff. */
static void a_long_name_counts(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    char name[101] = "", request[300];
    memset(name, 'n', sizeof name - 1);
    snprintf(request, sizeof request,
             "{'path':'%s','edits':[{'old_text':'o','new_text':'n'}],'dry_run':true}", name);
    for (size_t length = 3960; length < 4000; length++) {
        char text[4000];
        memset(text, 'x', length);
        memcpy(text + length - 2, "o\n", 2);
        scratch_write(&c.s, name, em_slice_make(text, length));
        call(&c, "file_edit", request);
        size_t all =
            2 * strlen("--- a/\n") + 2 * strlen(name) + strlen("@@ -1 +1 @@\n") + 2 * (length + 1);
        check_field(&c, "diff.truncated", all > 8192 ? "true" : "false");
        size_t shown = json_string_length(field(&c, "diff.unified"));
        assert_true(all > 8192 ? shown < all : shown == all);
    }
}

#define X20 "xxxxxxxxxxxxxxxxxxxx"
#define X60 X20 X20 X20

static void a_diff_of_which_nothing_is_shown_is_told_on_a_line_of_its_own(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    char text[20000];
    memset(text, 'x', sizeof text);
    memcpy(text + 10000, "y", 1);
    scratch_write(&c.s, "a.txt", em_slice_make(text, sizeof text));
    call(&c, "file_edit", "{'path':'a.txt','edits':[{'old_text':'y','new_text':'z'}]}");
    check_text(&c, false,
               "Applied 1 edit (1 replacement) to a.txt.\n"
               "(The diff is cut; in all 1 line added, 1 removed.)\n"
               "The diff has no room for line 1, which changes at column 10001 (\xE2\x80\xA6 is "
               "what is left out):\n"
               "- \xE2\x80\xA6" X60 "y" X60 "\xE2\x80\xA6\n"
               "+ \xE2\x80\xA6" X60 "z" X60 "\xE2\x80\xA6\n");
    check_field(&c, "diff.unified", "''");
    check_field(&c, "diff.truncated", "true");
}

static void a_hundred_previews_are_all(void **state)
{
    (void)state;
    for (size_t count = 100; count <= 101; count++) {
        EM_AUTO(caller) c;
        caller_open(&c, TOOLS);
        EM_AUTO(em_strbuf) text = {0};
        for (size_t i = 0; i < count; i++)
            em_strbuf_puts(&text, "x\n");
        scratch_write(&c.s, "a.txt", em_strbuf_slice(&text));
        call_with(&c, "file_edit",
                  json_pack("{s:s,s:b,s:[{s:s,s:s,s:i}]}", "path", "a.txt", "dry_run", 1, "edits",
                            "old_text", "x\n", "new_text", "", "occurrences", (int)count));
        assert_int_equal(json_array_size(field(&c, "preview")), 100);
        check_field(&c, "preview.99", "{'edit_index':0,'line_number':100,'before':'x','after':''}");
        assert_int_equal(json_is_true(field(&c, "preview_truncated")), count > 100);
    }
}

static void a_preview_is_cut_between_two_places(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    EM_AUTO(em_strbuf) text = {0};
    for (size_t i = 0; i < 50; i++)
        em_strbuf_printf(&text, "%0300zux\n", i);
    scratch_write(&c.s, "a.txt", em_strbuf_slice(&text));
    call(&c, "file_edit",
         "{'path':'a.txt','edits':[{'old_text':'x','new_text':'y','occurrences':50}],"
         "'dry_run':true}");
    assert_int_equal(json_array_size(field(&c, "preview")), 8192 / 602);
    check_field(&c, "preview_truncated", "true");
}

/* ---- What was not found -------------------------------------------------------------------- */

static void a_text_that_is_not_there(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "src.ts", EM_LIT("const  foo = 'bar';\n\tindented();\n"));
    call(&c, "file_edit",
         "{'path':'src.ts','edits':[{'old_text':'quite another\\nthing','new_text':'1'},"
         "{'old_text':'a','new_text':'b'}]}");
    check_text(&c, true,
               "Edit 1 of 2 failed: Could not find exact text in src.ts.\n\n"
               "Searched for (between >>>markers<<<):\n"
               ">>>quite another\nthing<<<\n\n"
               "Suggestions:\n"
               "1. Use read_file to see the exact content, then copy it precisely\n"
               "2. Check for tabs vs spaces - the file uses tabs\n"
               "3. Ensure you include all line breaks in multi-line searches");
    check_field(&c, "validation_error",
                "{'type':'NO_MATCH','edit_index':0,'total_edits':2,"
                "'message':'Could not find exact text in src.ts','search_text':'quite "
                "another\\nthing','similar_content':[]}");
    check_field(&c, "cause", "'not_found'");
    assert_string_equal(json_string_value(field(&c, "hash")),
                        em_hash_of(scratch_read(&c.s, "src.ts")).hex);
    assert_int_equal(json_array_size(field(&c, "suggested_fixes")), 3);
    check_field(&c, "suggested_fixes.0",
                "{'type':'USE_EXACT_TEXT','suggestion':'Use read_file to see the exact content, "
                "then copy it precisely'}");
    check_field(&c, "suggested_fixes.1.type", "'CHECK_WHITESPACE'");
    assert_null(field(&c, "retry"));
    assert_null(field(&c, "file_preview"));
    assert_null(field(&c, "echo_truncated"));
    assert_true(json_is_true(json_object_get(c.answer.native, "isError")));
}

/* The example of the document. */
static void what_is_similar_is_shown(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    EM_AUTO(em_strbuf) file = {0};
    for (int line = 1; line < 80; line++)
        if (line == 45)
            em_strbuf_puts(&file, "const  foo = 'bar';\n");
        else if (line == 67)
            em_strbuf_puts(&file, "const foo = \"bar\";\n");
        else
            em_strbuf_printf(&file, "// filler line number %d\n", line);
    scratch_write(&c.s, "app.ts", em_strbuf_slice(&file));
    call_with(&c, "file_edit",
              json_pack("{s:s,s:[{s:s,s:s}]}", "path", "app.ts", "edits", "old_text",
                        "const foo = 'bar';", "new_text", "const foo = 'qux';"));
    EM_AUTO(em_strbuf) want = {0};
    em_strbuf_printf(
        &want,
        "Edit 1 of 1 failed: Could not find exact text in app.ts.\n\n"
        "Searched for (between >>>markers<<<):\n>>>const foo = 'bar';<<<\n\n"
        "%s.\n\n"
        "File contains similar content that might be what you're looking for:\n\n"
        "Line 45: const  foo = 'bar';\n"
        "  White space made visible (→ is a tab, · a blank): const··foo = 'bar';\n"
        "  Difference: Extra space after 'const'\n\n"
        "Line 67: const foo = \"bar\";\n"
        "  Difference: Uses double quotes instead of single quotes\n\n"
        "Suggestions:\n"
        "1. Send the exact text instead, which stands below; metadata.retry is the whole call\n"
        "2. Use read_file to see the exact content, then copy it precisely\n\n"
        "Send as new_text (between >>> and <<<):\n>>>const  foo = 'qux';<<<\n"
        "Send as old_text (between >>> and <<<):\n>>>const  foo = 'bar';<<<",
        em_miss_sentence(EM_MISS_BLANKS, "old_text", &c.s.arena));
    check_text(&c, true, em_strbuf_finish(&want, &c.s.arena));
    check_field(&c, "cause", "'whitespace'");
    assert_int_equal(json_array_size(field(&c, "validation_error.similar_content")), 2);
    check_field(&c, "validation_error.similar_content.0.line_number", "45");
    check_field(&c, "validation_error.similar_content.0.differences",
                "[{'type':'whitespace','expected':'const','found':'const '}]");
    check_field(&c, "validation_error.similar_content.1.differences.0.type", "'punctuation'");
    check_field(&c, "suggested_fixes.0.type", "'USE_EXACT_TEXT'");
    assert_string_equal(json_string_value(field(&c, "suggested_fixes.0.example")),
                        "Use: \"const  foo = 'bar';\"");
    check_field(&c, "suggested_fixes.1.type", "'CHECK_WHITESPACE'");
    assert_string_equal(json_string_value(field(&c, "suggested_fixes.1.example")),
                        "The file has (→ is a tab, · a blank): \"const··foo = 'bar';\"");
    check_field(&c, "file_preview.highlights",
                "[{'line_number':45,'column_start':1,'column_end':20,'kind':'similar'}]");
    check_field(&c, "file_preview.preview_start_line", "43");
    assert_string_equal(json_string_value(field(&c, "retry.edits.0.new_text")),
                        "const  foo = 'qux';");
}

/* The place that is meant need not be the one that looks most like what was sent. */
/* `count` lines of a function of that name. */
static void add_function(em_strbuf *out, const char *name, const char *third)
{
    em_strbuf_printf(out, "def %s(alpha, beta):\n", name);
    for (int i = 0; i < 40; i++)
        em_strbuf_printf(out, "    value_%d = %s_%d(alpha, beta)  # a step of %s\n", i,
                         i == 3 ? third : "compute", i * 37 % 90, name);
}

/* However long they are: a piece that differs is told whole, or said to be cut. */
static void pieces_that_differ_are_never_told_as_nothing(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    EM_AUTO(em_strbuf) file = {0};
    EM_AUTO(em_strbuf) sought = {0};
    caller_open(&c, TOOLS);
    add_function(&file, "first", "compute");
    add_function(&file, "second", "compute");
    add_function(&file, "third", "compute");
    add_function(&sought, "second", "reckon");
    scratch_write(&c.s, "a.py", em_strbuf_slice(&file));
    call_with(&c, "file_edit",
              json_pack("{s:s, s:[{s:s%, s:s}]}", "path", "a.py", "edits", "old_text", sought.ptr,
                        sought.len, "new_text", "x"));
    const json_t *places = field(&c, "validation_error.similar_content");
    assert_true(json_array_size(places) > 0);
    for (size_t i = 0; i < json_array_size(places); i++) {
        const json_t *pieces = json_object_get(json_array_get(places, i), "differences");
        assert_true(json_string_length(json_object_get(json_array_get(places, i), "content")) > 0);
        for (size_t j = 0; j < json_array_size(pieces); j++) {
            const json_t *piece = json_array_get(pieces, j);
            assert_true(json_string_length(json_object_get(piece, "found")) > 0 ||
                        json_is_true(json_object_get(piece, "found_truncated")));
        }
    }
    check_field(&c, "validation_error.similar_content.0.differences",
                "[{'type':'content','expected':'reckon_21','found':'compute_21'}]");
}

static void similar_content_is_by_falling_score(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.c", EM_LIT("foo(bar);\n// other\n   1 | foo(bat);\n"));
    call(&c, "file_edit",
         "{'path':'a.c','edits':[{'old_text':'   1 | foo(bar);','new_text':'   1 | foo(x);'}]}");
    check_field(&c, "cause", "'line_numbers'");
    check_field(&c, "validation_error.similar_content.0.line_number", "3");
    check_field(&c, "validation_error.similar_content.1.line_number", "1");
    check_field(&c, "retry.edits.0", "{'old_text':'foo(bar);','new_text':'foo(x);'}");
    check_has(&c, "\n\nLine 1: foo(bar);\n");
}

/* What is not known to be meant is only shown, and can be copied. */
/* Where nothing can be sent as it is, the text ends with the one that has the highest score. */
static void the_text_ends_with_the_most_similar(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.c", EM_LIT("y-1; y-1; note if\nfoo(a, y-1;\nfoo(a, y-1; { bar.baz\n"));
    call(&c, "file_edit", "{'path':'a.c','edits':[{'old_text':'foo(a, }','new_text':'x'}]}");
    check_field(&c, "validation_error.similar_content.0.line_number", "3");
    check_field(&c, "validation_error.similar_content.1.line_number", "2");
    check_has(&c, "\n\nThe exact text at line 3 (between >>> and <<<):\n>>>");
}

static void what_is_only_similar_can_be_copied(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.js", EM_LIT("go {\n  if (ready)\n    send(100);\n}\n"));
    call(&c, "file_edit",
         "{'path':'a.js','edits':[{'old_text':'if (ready)\\n  send(200);','new_text':'x'}]}");
    check_has(&c, "\n\nLines 2-3 (→ is a tab, · a blank):\n   2 | ··if (ready)\n   3 | "
                  "····send(100);\n  Difference: 2 extra spaces before 'send('\n"
                  "  Difference: Has '100' instead of '200'\n\nSuggestions:\n1. Use read_file");
    check_has(&c, "\n\nThe exact text at line 2 (between >>> and <<<):\n"
                  ">>>if (ready)\n    send(100);<<<");
    assert_null(field(&c, "retry"));
    check_field(&c, "validation_error.similar_content.0.end_line_number", "3");
}

static void a_match_that_is_not_exact_is_declared(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("one two\nred  green\n"));
    for (int dry = 1; dry >= 0; dry--) {
        call_with(&c, "file_edit",
                  json_pack("{s:s,s:b,s:s,s:[{s:s,s:s},{s:s,s:s}]}", "path", "a.txt", "dry_run",
                            dry, "match", "whitespace", "edits", "old_text", "one", "new_text", "1",
                            "old_text", "red green", "new_text", "red blue"));
        check_has(&c, "\nMatch: edit 2, tier whitespace, score 1.00, line 2; replaced was (between "
                      ">>> and <<<):\n>>>red  green<<<");
        check_field(&c, "matches",
                    "[{'edit':1,'tier':'whitespace','score':1.0,'start_line':2,'end_line':2,"
                    "'matched_text':'red  green'}]");
        assert_int_equal(json_array_size(field(&c, "warnings")), 1);
    }
    check_file(&c.s, "a.txt", EM_LIT("1 two\nred  blue\n"));
    call(&c, "file_edit",
         "{'path':'a.txt','match':'whitespace','edits':[{'old_text':'red blue','new_text':'x',"
         "'occurrences':2}]}");
    check_has(&c, "Expected 2 occurrences but found 1 in a.txt");
    check_has(&c, "\nNone of them is exact: they match at tier whitespace");
    check_field(&c, "validation_error.match_tier", "'whitespace'");
    check_field(&c, "suggested_fixes.0.type", "'ADJUST_COUNT'");
    scratch_write(&c.s, "b.txt", EM_LIT("\t\t}\n\t}\n}\n"));
    call(&c, "file_edit",
         "{'path':'b.txt','match':'whitespace','edits':[{'old_text':'  }\\n}','new_text':'y'}]}");
    check_has(&c,
              "\n\nOnly one of them can be meant. To fix: add more context to make the old_text "
              "unique to the one you mean");
    check_field(&c, "suggested_fixes.0.type", "'USE_EXACT_TEXT'");
    put_too_many(&c, "c.txt");
    call(&c, "file_edit", "{'path':'c.txt','edits':[{'old_text':'x','new_text':'y'}]}");
    check_has(&c, "\n\nAt most 10000000 are changed at once. To fix: add more context");
    check_field(&c, "validation_error.actual_occurrences", "10000001");
    check_field(&c, "suggested_fixes.0.type", "'USE_EXACT_TEXT'");
}

static void without_a_reading_tool_the_text_itself_is_given(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, "file_edit");
    scratch_write(&c.s, "a.txt", EM_LIT("\xEF\xBB\xBFone \xE9\n"));
    call(&c, "file_edit", "{'path':'a.txt','edits':[{'old_text':'two','new_text':'1'}]}");
    check_text(&c, true,
               "Edit 1 of 1 failed: Could not find exact text in a.txt.\n\n"
               "Searched for (between >>>markers<<<):\n>>>two<<<\n\n"
               "Suggestions:\n1. Copy the text precisely from what the file holds\n"
               "The file holds (between >>> and <<<):\n>>>one \xEF\xBF\xBD\n<<<");
}

static void an_earlier_edit_took_the_text(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("zero\none two\n"));
    call(&c, "file_edit",
         "{'path':'a.txt','edits':[{'old_text':'one','new_text':'1'},"
         "{'old_text':'one two','new_text':'x'}]}");
    check_has(&c, "\n1. It stands at line 2 of the file, but an edit before this one has changed "
                  "it: each edit sees the result of those before it\n2. Use read_file");
    check_field(&c, "validation_error.edit_index", "1");
    check_file(&c.s, "a.txt", EM_LIT("zero\none two\n"));
}

static void escapes_are_pointed_out(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("one\ntwo\n"));
    call(&c, "file_edit",
         "{'path':'a.txt','edits':[{'old_text':'quite\\\\nother','new_text':'x'}]}");
    check_has(&c, "old_text holds a backslash before n, t or a quote");
    check_field(&c, "suggested_fixes.1.type", "'ESCAPE_SPECIAL'");
    call(&c, "file_edit", "{'path':'a.txt','edits':[{'old_text':'one\\\\ntwo','new_text':'x'}]}");
    check_field(&c, "cause", "'escapes'");
    check_field(&c, "suggested_fixes.1.type", "'ESCAPE_SPECIAL'");
    check_field(&c, "suggested_fixes.1.suggestion",
                "'old_text has backslash escapes where the file has the characters'");
    check_field(&c, "suggested_fixes.1.example", "'Use: \\'one\\ntwo\\''");
    check_field(&c, "retry.edits.0.old_text", "'one\\ntwo'");
}

static void the_next_lines_indentation_is_not_sent_again(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.py", EM_LIT("  a(x)\n  log(\"why\")\n  return y\n"));
    call(&c, "file_edit",
         "{'path':'a.py','edits':[{'old_text':'\\n  log(\\u0027why\\u0027)\\n  ',"
         "'new_text':'\\n  '}]}");
    check_field(&c, "cause", "'quotes'");
    check_field(&c, "retry.edits.0.new_text", "'\\n'");
    call_with(&c, "file_edit", json_incref(field(&c, "retry")));
    check_file(&c.s, "a.py", EM_LIT("  a(x)\n  return y\n"));
}

static void a_form_feed_goes_with_its_line(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.c", EM_LIT("first(alpha);\nsecond(beta);\f\nlast();\n"));
    call(&c, "file_edit",
         "{'path':'a.c','edits':[{'old_text':'first(alpha);\\nsecond(beta);\\n',"
         "'new_text':'first(alpha);\\n'}]}");
    check_field(&c, "cause", "'whitespace'");
    call_with(&c, "file_edit", json_incref(field(&c, "retry")));
    check_file(&c.s, "a.c", EM_LIT("first(alpha);\nlast();\n"));
}

/* The old text stands there in other quotes, around the new one: the call to send makes the edit.
 */
static void an_edit_that_was_not_made_is_not_left_out(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.html", EM_LIT("<b>\xE2\x80\x9Csome quoted text here\xE2\x80\x9D</b>\n"));
    call(&c, "file_edit",
         "{'path':'a.html','edits':[{'old_text':'<b>\\u0022some quoted text here\\u0022</b>',"
         "'new_text':'\\u0022some quoted text here\\u0022'}]}");
    check_field(&c, "cause", "'quotes'");
    call_with(&c, "file_edit", json_incref(field(&c, "retry")));
    check_file(&c.s, "a.html", EM_LIT("\xE2\x80\x9Csome quoted text here\xE2\x80\x9D\n"));
}

/* What the file holds is not what an edit sees: who reads the refusal has only seen the file. */
static void what_edits_before_have_made_is_called_so(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT(""));
    scratch_write(&c.s, "bom.txt", EM_LIT("\xEF\xBB\xBF"));
    scratch_write(&c.s, "b.txt", EM_LIT("const a = compute(beta);\n"));
    call(
        &c, "file_edit",
        "{'path':'a.txt','edits':[{'old_text':'','new_text':'x'},{'old_text':'','new_text':'y'}]}");
    check_has(&c,
              "Edit 2 of 2 failed: old_text is empty, but an edit before this one puts text into "
              "a.txt.\n");
    call(&c, "file_edit",
         "{'path':'bom.txt','edits':[{'old_text':'','new_text':'x'},{'old_text':'','new_text':'y'}]"
         "}");
    check_has(&c, "but an edit before this one puts text into bom.txt.\n");
    call(&c, "file_edit",
         "{'path':'b.txt','edits':[{'old_text':'const a = compute(beta);','new_text':"
         "'let b = calculate(gamma);'},{'old_text':'const a = compute(beta);','new_text':"
         "'let b = calculate(gamma);'}]}");
    check_has(&c,
              "\nnew_text is what an edit before this one puts in, at line 1: leave this edit out");
    check_field(&c, "cause", "'already_applied'");
    check_field(&c, "retry.edits",
                "[{'old_text':'const a = compute(beta);','new_text':'let b = calculate(gamma);'}]");
}

/* However short it is. Not where the second may be meant at another place. */
static void an_edit_that_is_sent_twice_is_left_out(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("one\nsend(1)\n"));
    call(&c, "file_edit",
         "{'path':'a.txt','edits':[{'old_text':'send(1)','new_text':'send(2)'},"
         "{'old_text':'one','new_text':'two'},{'old_text':'send(1)','new_text':'send(2)'}]}");
    check_has(&c, "Edit 3 of 3 failed: ");
    check_has(&c,
              "\nnew_text is what an edit before this one puts in, at line 2: leave this edit out");
    check_field(&c, "cause", "'already_applied'");
    call_with(&c, "file_edit", json_incref(field(&c, "retry")));
    check_file(&c.s, "a.txt", EM_LIT("two\nsend(2)\n"));
    call(&c, "file_edit", /* text that goes */
         "{'path':'a.txt','edits':[{'old_text':'two\\n','new_text':''},"
         "{'old_text':'two\\n','new_text':''}]}");
    check_has(
        &c,
        "\nold_text is what an edit before this one takes away, at line 1: leave this edit out");
    check_field(&c, "cause", "'already_applied'");
    check_field(&c, "retry.edits", "[{'old_text':'two\\n','new_text':''}]");
    call(&c, "file_edit", /* another replacement */
         "{'path':'a.txt','edits':[{'old_text':'send(2)','new_text':'send(3)'},"
         "{'old_text':'send(2)','new_text':'send(4)'}]}");
    check_field(&c, "cause", "'not_found'");
    scratch_write(&c.s, "b.txt", EM_LIT("call(alpha, 1)\nx\ncall(alpha,  1)\n"));
    call(&c, "file_edit",
         "{'path':'b.txt','edits':[{'old_text':'call(alpha, 1)','new_text':'call(beta, 1)'},"
         "{'old_text':'call(alpha, 1)','new_text':'call(beta, 1)'}]}");
    check_field(&c, "cause", "'whitespace'");
}

/* An empty line at the end of the file is the last of the place; the ending of the file is not. */
static void a_place_ends_without_the_last_ending(void **state)
{
    (void)state;
    static const char *const texts[] = {"  if (ready) {\n    start();\n  }\n\n",
                                        "  if (ready) {\r\n    start();\r\n  }\r\n\r\n"};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        EM_AUTO(caller) c;
        caller_open(&c, TOOLS);
        em_slice content = em_slice_of(texts[i]), shown = em_without_last_eol(content);
        scratch_write(&c.s, "a.c", content);
        call(&c, "file_edit",
             "{'path':'a.c','edits':[{'old_text':"
             "'  if (ready) {\\n    start();\\n  }\\n  log();','new_text':'done();'}]}");
        json_t *place = field(&c, "validation_error.similar_content.0");
        assert_int_equal(json_integer_value(json_object_get(place, "end_line_number")), 4);
        assert_int_equal(json_string_length(json_object_get(place, "content")), shown.len);
        check_has(&c, "\n   3 |   }\n   4 | \n");
        em_slice text = em_slice_of(c.answer.text);
        em_slice end = em_slice_from(text, text.len - shown.len - strlen(">>><<<"));
        assert_memory_equal(end.ptr + strlen(">>>"), shown.ptr, shown.len);
    }
}

/* Of places that are alike each has nearly all of a long search text among its differences. */
static void differences_repeat_a_bounded_part_of_the_search_text(void **state)
{
    enum { LINES = 30, SENT = 8, LENGTH = 2000 };
    (void)state;
    EM_AUTO(caller) c;
    EM_AUTO(em_strbuf) text = {0};
    EM_AUTO(em_strbuf) find = {0};
    char line[LENGTH] = "";
    memset(line, 'Z', LENGTH - 1);
    caller_open(&c, TOOLS);
    for (int i = 0; i < LINES; i++)
        em_strbuf_printf(&text, "key%s%d\n", line, i);
    for (int i = 0; i < SENT; i++)
        em_strbuf_printf(&find, "  key%s%d\n", line, 1000 + i);
    scratch_write(&c.s, "a.txt", em_strbuf_slice(&text));
    call_with(&c, "file_edit",
              json_pack("{sss[{ss%ss}]}", "path", "a.txt", "edits", "old_text", find.ptr, find.len,
                        "new_text", "other"));
    size_t told = 0, index;
    json_t *place, *difference;
    json_array_foreach(field(&c, "validation_error.similar_content"), index, place)
    {
        size_t at;
        json_array_foreach(json_object_get(place, "differences"), at, difference)
        {
            told += json_string_length(json_object_get(difference, "expected"));
        }
    }
    assert_int_equal(told, 8192);
    check_field(&c, "echo_truncated", "true");
}

static void an_edit_made_before_is_left_out_of_the_retry(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.py", EM_LIT("import os\nimport sys\n\nrun(os)\n"));
    call(&c, "file_edit",
         "{'path':'a.py','edits':[{'old_text':'import os\\n\\n','new_text':"
         "'import os\\nimport sys\\n\\n'},{'old_text':'run(os)','new_text':'run(sys)'}],"
         "'backup':true}");
    check_text(&c, true,
               "Edit 1 of 2 failed: Could not find exact text in a.py.\n\n"
               "Searched for (between >>>markers<<<):\n>>>import os\n\n<<<\n\n"
               "new_text stands in the file already, at line 1: leave this edit out");
    check_field(&c, "cause", "'already_applied'");
    check_field(&c, "retry",
                "{'path':'a.py','edits':[{'old_text':'run(os)','new_text':'run(sys)'}],"
                "'backup':true}");
    call_with(&c, "file_edit", json_incref(field(&c, "retry")));
    check_file(&c.s, "a.py", EM_LIT("import os\nimport sys\n\nrun(sys)\n"));
    call(&c, "file_edit",
         "{'path':'a.py','edits':[{'old_text':'import os\\n\\n','new_text':"
         "'import os\\nimport sys\\n\\n'}]}");
    assert_null(field(&c, "retry"));
}

static void long_texts_are_echoed_in_part(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.py", EM_LIT("import os\nimport sys\n\nrun(os)\n"));
    char text[9001];
    memset(text, 'y', 9000);
    text[9000] = '\0';
    call_with(&c, "file_edit",
              json_pack("{s:s,s:[{s:s,s:s}]}", "path", "a.py", "edits", "old_text", text,
                        "new_text", ""));
    assert_int_equal(json_string_length(field(&c, "validation_error.search_text")), 8192);
    check_field(&c, "echo_truncated", "true");
    check_has(&c, "y<<< (the first 8192 of 9000 bytes)");
    call_with(&c, "file_edit",
              json_pack("{s:s,s:[{s:s,s:s},{s:s,s:s}]}", "path", "a.py", "edits", "old_text",
                        "import os\n\n", "new_text", "import os\nimport sys\n\n", "old_text", "run",
                        "new_text", text));
    assert_null(field(&c, "retry"));
    check_field(&c, "retry_omitted", "true");
}

/* ---- What was found too often or too seldom ------------------------------------------------ */

static void a_wrong_count_in_the_documents_form(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "u.ts",
                  EM_LIT("alpha\nfunction f() {\n    log(1);\n    return;\n  log(2)\n"
                         "log(3)\n"));
    call(&c, "file_edit",
         "{'path':'u.ts','edits':[{'old_text':'alpha','new_text':'beta'},"
         "{'old_text':'log','new_text':'out','occurrences':2}]}");
    check_text(&c, true,
               "Edit 2 of 2 failed: Expected 2 occurrences but found 3 in u.ts.\n\n"
               "Expected to replace 2 instances of 'log' but found 3 instances at:\n"
               "  Line 3, column 5\n  Line 5, column 3\n  Line 6, column 1\n\n"
               "Options to fix:\n"
               "1. Update occurrences to 3 if you want to replace all instances\n"
               "2. Add more context to make the old_text unique to just the 2 you want\n"
               "3. Split into multiple edits with unique old_text for each target");
    check_field(&c, "validation_error",
                "{'type':'WRONG_COUNT','edit_index':1,'total_edits':2,"
                "'message':'Expected 2 occurrences but found 3 in u.ts',"
                "'expected_occurrences':2,'actual_occurrences':3,'match_locations':["
                "{'line_number':3,'column_start':5,'column_end':8,'line_content':'    log(1);',"
                "'context_before':'function f() {','context_after':'    return;'},"
                "{'line_number':5,'column_start':3,'column_end':6,'line_content':'  log(2)',"
                "'context_before':'    return;','context_after':'log(3)'},"
                "{'line_number':6,'column_start':1,'column_end':4,'line_content':'log(3)',"
                "'context_before':'  log(2)'}],'locations_truncated':false}");
    check_field(&c, "cause", "'ambiguous'");
    check_field(&c, "suggested_fixes.0",
                "{'type':'ADJUST_COUNT','suggestion':'Set occurrences to 3 to replace all of "
                "them','example':'\\'occurrences\\': 3'}");
    check_field(&c, "file_preview",
                "{'total_lines':6,'preview_start_line':1,'preview_end_line':6,"
                "'content':'alpha\\nfunction f() {\\n    log(1);\\n    return;\\n  log(2)\\n"
                "log(3)','highlights':["
                "{'line_number':3,'column_start':5,'column_end':8,'kind':'match'},"
                "{'line_number':5,'column_start':3,'column_end':6,'kind':'match'},"
                "{'line_number':6,'column_start':1,'column_end':4,'kind':'match'}]}");
    assert_null(field(&c, "retry"));
}

static void too_few_have_other_options(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("x y x\n"));
    call(&c, "file_edit",
         "{'path':'a.txt','edits':[{'old_text':'x','new_text':'z','occurrences':3}]}");
    check_has(&c, "Expected 3 occurrences but found 2 in a.txt.");
    check_has(&c, "\n2. Use a shorter old_text that all the places you want have in common");
    check_field(&c, "cause", "'too_few'");
    assert_int_equal(json_array_size(field(&c, "suggested_fixes")), 1);
}

/* The score is that of the lines that are shown; of a part of them only where they are so long that
 * nothing else can be like the text, or are not half like it, and the part clearly is. */
static void the_score_is_that_of_what_is_shown(void **state)
{
    (void)state;
    static const struct {
        const char *file, *find;
        size_t count;
        double score;
    } cases[] = {
        {"    <h1 class='title'>Uber uns und mehr</h1>\n", "    <>", 0, 0},
        {"x beta\n", "delta", 0, 0},
        {"  const foo = bar(1);\n", "const foo = baz(1);", 1, 18.0 / 21},
        {"if (ready) { start(all); } else { wait(); }\n", "stort(all);", 1, 10.0 / 11},
        {"  y = config.value + 1;\n", "config.valeu", 1, 10.0 / 12},
        {"  y = config.value + 1;\n", "config.values", 1, 12.0 / 23},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(caller) c;
        caller_open(&c, TOOLS);
        scratch_write(&c.s, "a.txt", em_slice_of(cases[i].file));
        call_with(&c, "file_edit",
                  json_pack("{s:s,s:[{s:s,s:s}]}", "path", "a.txt", "edits", "old_text",
                            cases[i].find, "new_text", "other"));
        json_t *list = field(&c, "validation_error.similar_content");
        assert_int_equal(json_array_size(list), cases[i].count);
        double score =
            json_number_value(json_object_get(json_array_get(list, 0), "similarity_score"));
        assert_true(score - cases[i].score < 1e-9 && cases[i].score - score < 1e-9);
    }
}

static void places_in_inserted_text_say_so(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("1\n2\n3 cat\n"));
    call(&c, "file_edit",
         "{'path':'a.txt','edits':[{'old_text':'2','new_text':'\xC3\xA9 cat\\nmore'},"
         "{'old_text':'cat','new_text':'dog'}]}");
    check_field(&c, "validation_error.match_locations",
                "[{'line_number':2,'column_start':3,'column_end':6,'line_content':"
                "'\xC3\xA9 cat','in_inserted_text':true},"
                "{'line_number':3,'column_start':3,'column_end':6,'line_content':'3 cat',"
                "'context_before':'2'}]");
    check_has(&c, "  Line 2, column 3 (in text that an edit before this one inserts)\n  Line 3");
    assert_int_equal(json_array_size(field(&c, "file_preview.highlights")), 1);
}

/* The file has no such line as it is. */
static void similar_text_that_was_inserted_says_so(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("1\n2\n3\n"));
    call(&c, "file_edit",
         "{'path':'a.txt','edits':[{'old_text':'2','new_text':'2\\nsome new line'},"
         "{'old_text':'some nxw line','new_text':'x'}]}");
    check_field(&c, "validation_error.similar_content.0.in_inserted_text", "true");
    check_has(&c, "\nLine 2, in text that an edit before this one inserts there: some new line\n");
    check_has(&c, "The exact text at line 2, in text that an edit before this one inserts there "
                  "(between >>> and <<<):\n>>>some new line<<<");
}

static void similar_lines_have_their_numbers_of_the_file(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt",
                  EM_LIT("start block here\n  old = 1\nend block here\nlast line\n"));
    call(&c, "file_edit",
         "{'path':'a.txt','edits':[{'old_text':'  old = 1\\n','new_text':''},"
         "{'old_text':'start block here\\nend blok here\\nlast line\\n','new_text':'x'}]}");
    check_has(&c,
              "\nLines 1-4:\n   1 | start block here\n   3 | end block here\n   4 | last line\n");
}

static void an_empty_file_has_a_preview_too(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT(""));
    call(&c, "file_edit",
         "{'path':'a.txt','edits':[{'old_text':'','new_text':'x x'},"
         "{'old_text':'x','new_text':'y'}]}");
    check_field(&c, "file_preview",
                "{'total_lines':0,'preview_start_line':1,'preview_end_line':0,'content':'',"
                "'highlights':[]}");
}

static void places_with_other_line_endings_are_told(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, "all");
    scratch_write(&c.s, "a.txt", EM_LIT("b\r\nb\nb\r\n"));
    call(&c, "file_edit",
         "{'path':'a.txt','edits':[{'old_text':'b\\n','new_text':'x','occurrences':3}]}");
    check_has(&c,
              "found 1 instances at:\n  Line 2, column 1\n\nThe same text with other line "
              "endings, which are not those of old_text, stands there too: line 1, line 3. Send "
              "those as edits of their own, with \\r\\n in old_text\n\nOptions to fix:\n1. Update "
              "occurrences to 1 if you want to replace those with the line endings of old_text");
    check_field(&c, "suggested_fixes.0.suggestion",
                "'Set occurrences to 1 to replace those with the line endings of old_text'");
    call(&c, "file_edit",
         "{'path':'a.txt','edits':[{'old_text':'b\\n','new_text':'x','occurrences':1},"
         "{'old_text':'b\\r\\n','new_text':'y','occurrences':3}]}");
    check_has(&c, "to replace all instances");
    assert_null(strstr(c.answer.text, "other line endings"));
    call(
        &c, "editFile",
        "{'file':'a.txt','operations':[{'search':'b\\n','replace':'x','expectedReplacements':3}]}");
    check_has(&c, "which are not those of search, stands there too: line 1, line 3.");
    scratch_write(&c.s, "a.txt", EM_LIT("a\nb\na\rb\r"));
    call(&c, "file_edit",
         "{'path':'a.txt','edits':[{'old_text':'a\\nb','new_text':'x','occurrences':3}]}");
    check_has(&c,
              "stands there too: line 3. Send those as edits of their own, with \\r in old_text\n");
    scratch_write(&c.s, "a.txt", EM_LIT("a\nb\na\rb\ra\r\nb"));
    call(&c, "file_edit",
         "{'path':'a.txt','edits':[{'old_text':'a\\nb','new_text':'x','occurrences':4}]}");
    check_has(&c,
              "line 3, line 5. Send those as edits of their own, with \\r\\n or \\r in old_text\n");
}

/* Where the search text's LFs stand for what the file has, no place is another one. */
static void places_that_were_found_are_not_told_as_others(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    static const struct {
        em_slice file;
        const char *find;
    } cases[] = {
        {{"a\r\nb\r\na\r\nb\r\n", 12}, "a\\nb"},
        {{"a\rb\ra\rb\r", 8}, "a\\nb"},
        {{"a\r\nb\r\na\r\nb\r\n", 12}, "\\nb"}, /* an LF in the file, as it is */
        {{"a\r\na\na\n", 7}, "a\\na"},          /* the two overlap */
    };
    caller_open(&c, TOOLS);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char arguments[128];
        scratch_write(&c.s, "a.txt", cases[i].file);
        snprintf(arguments, sizeof arguments,
                 "{'path':'a.txt','edits':[{'old_text':'%s','new_text':'x','occurrences':3}]}",
                 cases[i].find);
        call(&c, "file_edit", arguments);
        check_has(&c, "to replace all instances");
        assert_null(strstr(c.answer.text, "other line endings"));
    }
}

/* What the search text gets wrong is told in both directions. */
static void entities_are_told_as_such(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("one a&amp;b two\n"));
    call(&c, "file_edit", "{'path':'a.txt','edits':[{'old_text':'one a&b two','new_text':'x'}]}");
    check_field(&c, "cause", "'entities'");
    scratch_write(&c.s, "a.txt", EM_LIT("one a&b two\n"));
    call(&c, "file_edit",
         "{'path':'a.txt','edits':[{'old_text':'one a&amp;b two','new_text':'x'}]}");
    check_field(&c, "cause", "'entities'");
}

static void an_empty_text_stands_once_in_an_empty_file(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, "all");
    scratch_write(&c.s, "a.txt", EM_LIT(""));
    call(&c, "file_edit",
         "{'path':'a.txt','edits':[{'old_text':'','new_text':'x','occurrences':2}]}");
    check_has(&c, "\n\nAn empty old_text stands once in an empty file: set occurrences to 1");
    assert_null(strstr(c.answer.text, "shorter old_text"));
    check_field(&c, "file_preview.total_lines", "0");
    check_field(&c, "file_preview.preview_end_line", "0");
    call(&c, "editFile",
         "{'file':'a.txt','operations':[{'search':'','replace':'x','expectedReplacements':2}]}");
    check_has(&c, "Set expectedReplacements to 1: an empty search stands once in an empty file.");
}

/* Of a text that is not there exactly, too. */
static void all_places_that_could_be_meant_are_told(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, "all");
    scratch_write(&c.s, "a.txt", EM_LIT("f(y)\nf (y)\n"));
    call(&c, "file_edit", "{'path':'a.txt','edits':[{'old_text':'f( y )','new_text':'x'}]}");
    check_has(&c, "\nold_text could be meant at more than one place:"
                  "\nLine 1, column 1: f(y)\nLine 2, column 1: f (y)\n");
    check_has(&c, "Add the text around the place that you mean to old_text and new_text");
    call(&c, "editFile",
         "{'file':'a.txt','match':'exact','operations':[{'search':'f( y )','replace':'x'}]}");
    check_has(&c, "Reason: search could be meant at more than one place:"
                  "\\nLine 1, column 1: f(y)\\nLine 2, column 1: f (y)\\n");
    check_has(&c, "Suggestion: Add the text around the place that you mean to search and replace");
}

static void a_match_over_several_lines_tells_where_it_ends(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("xa\r\nb\r\nxa\r\nb\r\n"));
    call(&c, "file_edit", "{'path':'a.txt','edits':[{'old_text':'a\\nb','new_text':'z'}]}");
    check_field(&c, "validation_error.match_locations.0",
                "{'line_number':1,'column_start':2,'column_end':2,'end_line_number':2,"
                "'line_content':'xa','context_after':'b'}");
    check_field(&c, "file_preview.highlights.0",
                "{'line_number':1,'column_start':2,'column_end':3,'kind':'match'}");
}

static void many_places_are_cut(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    EM_AUTO(em_strbuf) text = {0};
    for (size_t i = 0; i < 150; i++)
        em_strbuf_printf(&text, "%0200zu x %0200zu\n", i, i);
    scratch_write(&c.s, "a.txt", em_strbuf_slice(&text));
    call(&c, "file_edit", "{'path':'a.txt','edits':[{'old_text':'x','new_text':'z'}]}");
    assert_int_equal(json_array_size(field(&c, "validation_error.match_locations")), 100);
    check_field(&c, "validation_error.locations_truncated", "true");
    check_field(&c, "validation_error.actual_occurrences", "150");
    check_field(&c, "validation_error.match_locations.99.line_number", "100");
    check_field(&c, "validation_error.match_locations.99.line_truncated", "true");
    size_t shown = json_string_length(field(&c, "file_preview.content"));
    for (size_t i = 0; i < 100; i++) {
        json_t *at = json_array_get(field(&c, "validation_error.match_locations"), i);
        const char *line = json_string_value(json_object_get(at, "line_content"));
        assert_non_null(strchr(line, 'x'));
        shown += strlen(line);
        shown += json_string_length(json_object_get(at, "context_before"));
        shown += json_string_length(json_object_get(at, "context_after"));
    }
    assert_in_range(shown, 7000, 8192);
    check_has(&c, "\n  Line 100, column 202\n  ... and 50 more\n");
}

static void a_line_too_long_is_shown_around_the_match(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    EM_AUTO(em_strbuf) text = {0};
    for (size_t i = 0; i < 20000; i++)
        em_strbuf_puts(&text, i == 15000 || i == 19999 ? "x" : "\xC3\xA9");
    scratch_write(&c.s, "a.txt", em_strbuf_slice(&text));
    call(&c, "file_edit", "{'path':'a.txt','edits':[{'old_text':'x','new_text':'z'}]}");
    const char *first = "validation_error.match_locations.0.line_content";
    assert_non_null(strchr(json_string_value(field(&c, first)), 'x'));
    assert_true(json_string_length(field(&c, first)) <= 8192 * 5 / 8 / 2);
    check_field(&c, "validation_error.match_locations.0.column_start", "15001");
    assert_true(json_string_length(field(&c, "file_preview.content")) <= 8192);
}

/* What is told of a place shows that place, before what stands around it. */
static void a_preview_of_long_lines_shows_the_similar_one(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    EM_AUTO(em_strbuf) text = {0};
    EM_AUTO(em_strbuf) search = {0};
    caller_open(&c, TOOLS);
    for (size_t i = 1; i <= 300; i++) {
        em_strbuf_printf(&text, "Q%05zu ", i);
        for (size_t j = 0; j < 120; j++)
            em_strbuf_printf(&text, "w%05zu ", j);
        em_strbuf_puts(&text, "x\n");
    }
    scratch_write(&c.s, "a.txt", em_strbuf_slice(&text));
    const char *line = strstr(em_strbuf_finish(&text, &c.s.arena), "Q00006");
    em_strbuf_add(&search, em_slice_make(line, 700));
    em_strbuf_puts(&search, "zz");
    call_with(&c, "file_edit",
              json_pack("{s:s,s:[{s:s,s:s}]}", "path", "a.txt", "edits", "old_text",
                        em_strbuf_finish(&search, &c.s.arena), "new_text", "z"));
    check_field(&c, "validation_error.similar_content.0.line_number", "6");
    const char *shown = json_string_value(field(&c, "file_preview.content"));
    assert_non_null(strstr(shown, "Q00006"));
    check_field(&c, "file_preview.highlights.0.line_number", "6");
    check_field(&c, "file_preview.highlights.0.kind", "'similar'");
}

/* ---- Other failures ------------------------------------------------------------------------ */

static void every_failure_has_its_type_and_a_way_on(void **state)
{
    (void)state;
    static const struct {
        const char *args, *type, *cause, *text; /* cause NULL: none */
    } cases[] = {
        {"{'path':'none.txt','edits':[{'old_text':'x','new_text':'y'}]}", "FILE_NOT_FOUND", NULL,
         "File not found: none.txt\n\nRelative paths start at ROOT\n"
         "To make a new file, use write_file"},
        {"{'path':'d','edits':[{'old_text':'x','new_text':'y'}]}", "NOT_A_FILE", NULL,
         "Not a file: d\n\nIt is a folder: name a file in it"},
        {"{'path':'.','edits':[{'old_text':'x','new_text':'y'}]}", "NOT_A_FILE", NULL,
         "Not a file: .\n\nIt is a folder: name a file in it\nMay be meant: a.bin, a.txt, old.txt"},
        {"{'path':'../x','edits':[{'old_text':'x','new_text':'y'}]}", "OUTSIDE_WORKSPACE", NULL,
         "Access denied: ../x is outside the workspace.\n\nFiles must lie in ROOT"},
        {"{'path':'fifo','edits':[{'old_text':'x','new_text':'y'}]}", "NOT_A_FILE", NULL,
         "Not a file: fifo\n\nIt is a FIFO, a socket or a device, and only files can be used"},
        {"{'path':'a.bin','edits':[{'old_text':'x','new_text':'y'}]}", "BINARY_FILE", NULL,
         "File appears to be binary: a.bin\n\nIt is no text (it holds NUL bytes), and an edit "
         "could damage it. If it is in an encoding such as UTF-16 without a byte order mark, name "
         "that as encoding"},
        {"{'path':'a.txt','edits':[{'old_text':'one','new_text':'one'}]}", "INVALID_ARGUMENT",
         "no_change",
         "Edit 1 of 1 failed: old_text and new_text are the same, so nothing would change in "
         "a.txt.\n\nSend as new_text the text as it should become"},
        {"{'path':'a.txt','edits':[{'old_text':'','new_text':'x'}]}", "INVALID_ARGUMENT",
         "empty_search",
         "Edit 1 of 1 failed: old_text is empty, but a.txt is not.\n\nAn empty old_text matches "
         "only an empty file. To insert text, send as old_text a line next to the place, and as "
         "new_text that line together with the new text"},
        {"{'path':'a.txt','edits':[{'old_text':'one','new_text':'1\\n// ... existing code ...'}]}",
         "INVALID_ARGUMENT", "placeholder",
         "Edit 1 of 1 failed: new_text leaves out text that belongs there: \"// ... existing "
         "code ...\".\n\nSuch a line would replace the code that it stands for. Send as new_text "
         "all text that is to be there afterwards"},
        {"{'path':'a.txt','edits':[{'old_text':'one','new_text':'a\\u0000b'}]}", "INVALID_ARGUMENT",
         "nul",
         "Edit 1 of 1 failed: new_text holds a NUL character.\n\nA file with a NUL is no text any "
         "more: leave it out"},
        {"{'path':'old.txt','edits':[{'old_text':'one','new_text':'\\u00e9'}]}", "INVALID_ARGUMENT",
         "encoding",
         "Edit 1 of 1 failed: old.txt: U+00E9 '\xC3\xA9': the file is not UTF-8, and which "
         "encoding it has is not known; name it with `encoding`."},
        {"{'path':'a.txt','edits':[{'old_text':'one','new_text':'1'}],'expected_hash':"
         "'00000000000000000000000000000000'}",
         "CONFLICT", "changed",
         "a.txt has changed: its content has the hash HASH, not the expected "
         "00000000000000000000000000000000.\n\nNothing was written, and what others wrote is in "
         "place.\nUse read_file to see what the file holds now, then send the call for that"},
    };
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("one\ntwo\n"));
    scratch_write(&c.s, "a.bin", EM_LIT("a\0b"));
    scratch_write(&c.s, "old.txt", EM_LIT("one \xE9\n"));
    char path[200];
    scratch_path(&c.s, "d", path);
    assert_int_equal(mkdir(path, 0755), 0);
    scratch_path(&c.s, "fifo", path);
    assert_int_equal(mkfifo(path, 0644), 0);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        call(&c, "file_edit", /* or the second in a row would bring more advice */
             "{'path':'a.txt','edits':[{'old_text':'one','new_text':'1'}],'dry_run':true}");
        call(&c, "file_edit", cases[i].args);
        EM_AUTO(em_strbuf) want = {0};
        for (const char *at = cases[i].text; *at; at++)
            if (strncmp(at, "ROOT", 4) == 0)
                em_strbuf_puts(&want, c.s.root), at += 3;
            else if (strncmp(at, "HASH", 4) == 0)
                em_strbuf_puts(&want, em_hash_of(EM_LIT("one\ntwo\n")).hex), at += 3;
            else
                em_strbuf_putc(&want, *at);
        em_strbuf_putc(&want, '\0');
        check_text(&c, true, want.ptr);
        assert_string_equal(json_string_value(field(&c, "validation_error.type")), cases[i].type);
        const char *cause = json_string_value(field(&c, "cause"));
        assert_string_equal(cause ? cause : "none", cases[i].cause ? cases[i].cause : "none");
        assert_int_equal(json_integer_value(field(&c, "validation_error.edit_index")),
                         strncmp(cases[i].text, "Edit", 4) == 0 ? 0 : -1);
        check_field(&c, "suggested_fixes", "[]");
        assert_null(field(&c, "retry"));
    }
    check_file(&c.s, "a.txt", EM_LIT("one\ntwo\n"));
}

/* Nothing but line breaks at an end of the file is missing: that is said, and what is to be sent.
 */
static void line_breaks_that_the_ends_of_a_file_lack_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *text, *find, *cause, *difference, *retry;
    } cases[] = {
        {"alpha one\nbeta two", "beta two\n", "'line_endings'", "Missing line break after 'two'\n",
         "'beta two'"},
        {"alpha one\nbeta two", "beta two\n\n", "'blank_lines'",
         "2 missing line breaks after 'two'\n", "'beta two'"},
        {"alpha one\r\nbeta two\r\n", "beta two\n\n", "'blank_lines'",
         "Missing line break after 'two'\n", "'beta two\\r\\n'"},
        {"alpha one\nbeta two", "\nalpha one", "'blank_lines'",
         "Missing line break before 'alpha'\n", "'alpha one'"},
        {"alpha one\r\nbeta  two\n", "alpha one\nbeta two\n", "'whitespace'",
         "Extra space after 'beta'\n", "'alpha one\\r\\nbeta  two\\n'"},
        {"delta\r\nalpha  one\n", "\n\nalpha one", "'whitespace'",
         "Has 'alpha\u00B7' instead of '\u23CEalpha' before 'one'\n", "'alpha  one'"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(caller) c;
        caller_open(&c, TOOLS);
        scratch_write(&c.s, "a.txt", em_slice_of(cases[i].text));
        call_with(&c, "file_edit",
                  json_pack("{s:s,s:[{s:s,s:s}]}", "path", "a.txt", "edits", "old_text",
                            cases[i].find, "new_text", "gamma"));
        check_field(&c, "cause", cases[i].cause);
        EM_AUTO(em_strbuf) sentence = {0};
        em_strbuf_printf(&sentence, "Difference: %s", cases[i].difference);
        em_strbuf_putc(&sentence, '\0');
        check_has(&c, sentence.ptr);
        check_field(&c, "retry.edits.0.old_text", cases[i].retry);
    }
}

static void a_path_is_final_where_it_was_resolved(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    char path[200], link_path[200];
    scratch_write(&c.s, "caf\xE9.txt", EM_LIT("one\n"));
    scratch_path(&c.s, "l.txt", link_path);
    assert_int_equal(symlink("caf\xE9.txt", link_path), 0);
    call(&c, "file_edit", "{'path':'l.txt','edits':[{'old_text':'two','new_text':'1'}]}");
    scratch_path(&c.s, "caf\\xE9.txt", path);
    assert_string_equal(json_string_value(field(&c, "path")), path);
    check_has(&c, "exact text in l.txt.");
    call(&c, "file_edit", "{'path':'no\\nne','edits':[{'old_text':'two','new_text':'1'}]}");
    check_field(&c, "path", "'no\\nne'");
    check_has(&c, "File not found: no\\x0Ane\n");
}

/* ---- Arguments ----------------------------------------------------------------------------- */

#define KNOWN                                                                                      \
    "Known here: path, edits, dry_run, match, backup, encoding, expected_hash, on_conflict, "      \
    "session"

static void wrong_arguments_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *args, *text;
        int edit, total;
    } cases[] = {
        {"{}",
         "Missing argument path: it must be a string\nNo edits provided: missing argument edits: "
         "it must be a list.",
         -1, 0},
        {"{'path':'a.txt','edits':null}", "No edits provided: edits must be a list, but null came.",
         -1, 0},
        {"{'path':'a.txt','edits':[]}", "No edits provided: edits needs at least one element.", -1,
         0},
        {"{'path':'','edits':[{'old_text':'x','new_text':'y'}]}", "path must not be empty.", -1, 1},
        {"{'path':'a\\u0000','edits':[{'old_text':'x','new_text':'y'}]}",
         "path must not hold a NUL character.", -1, 1},
        {"{'path':7,'edits':[{'old_text':'x','new_text':'y'}]}",
         "path must be a string, but an integer came: 7.", -1, 1},
        {"{'path':'a.txt','edits':[{'old_text':'x','new_text':'y'},{'old_text':[7],'new_text':''}]"
         "}",
         "Edit 2 of 2 failed: edits[1].old_text must be a string, but a list came: [7] (send the "
         "text as one string).",
         1, 2},
        {"{'path':'a.txt','edits':[{'old_text':'x'}]}",
         "Edit 1 of 1 failed: Missing argument edits[0].new_text: it must be a string"
         " (\"\" deletes what is found).",
         0, 1},
        {"{'path':'a.txt','edits':[{'old_text':'x','new_text':'y','occurrences':0}]}",
         "Edit 1 of 1 failed: edits[0].occurrences must be at least 1, but 0 came.", 0, 1},
        {"{'path':'a.txt','edits':[{'old_text':'x','new_text':'y'}],'match':'loose'}",
         "match must be one of \"exact\", \"whitespace\", \"token\", \"fuzzy\", but this came: "
         "\"loose\".",
         -1, 1},
        {"{'path':'a.txt','edits':[{'old_text':'x','new_text':'y'}],'on_conflict':'win'}",
         "on_conflict must be one of \"fail\", \"merge\", but this came: \"win\".", -1, 1},
        {"{'path':'a.txt','edits':[{'old_text':'x','new_text':'y'}],'dry_run':'yes'}",
         "dry_run must be true or false, but a string came: \"yes\".", -1, 1},
        {"{'path':'a.txt','edits':'x'}", "edits must be a list, but a string came: \"x\".", -1, 0},
    };
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("one\n"));
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        call(&c, "file_edit", cases[i].args);
        check_text(&c, true, cases[i].text);
        check_field(&c, "validation_error.type", "'INVALID_ARGUMENT'");
        assert_int_equal(json_integer_value(field(&c, "validation_error.edit_index")),
                         cases[i].edit);
        assert_int_equal(json_integer_value(field(&c, "validation_error.total_edits")),
                         cases[i].total);
        assert_null(field(&c, "retry"));
    }
    scratch_write(&c.s, "a.txt", EM_LIT("7\n"));
    call(&c, "file_edit",
         "{'path':'a.txt','edits':[{'old_text':7,'new_text':'x','occurrences':'1'}],"
         "'dry_run':'True','match':'White_Space'}");
    check_text(&c, true,
               "Edit 1 of 1 failed: edits[0].old_text must be a string, but an integer came: 7 "
               "(send \"7\")\n"
               "edits[0].occurrences must be an integer, but a string came: \"1\" (send 1)\n"
               "dry_run must be true or false, but a string came: \"True\" (send true)\n"
               "match must be one of \"exact\", \"whitespace\", \"token\", \"fuzzy\", but this "
               "came: \"White_Space\". Did you mean \"whitespace\"?\n"
               "metadata.retry is the call with corrected arguments");
    check_field(&c, "retry",
                "{'path':'a.txt','edits':[{'old_text':'7','new_text':'x','occurrences':1}],"
                "'dry_run':true,'match':'whitespace'}");
    call(&c, "file_edit", "{'path':'a\\u0000b','edits':[{'old_text':'x','new_text':'y'}]}");
    check_field(&c, "path", "'a\\u0000b'");
    scratch_write(&c.s, "b.txt", EM_LIT("foo bar baz\n"));
    call(&c, "file_edit",
         "{'path':'b.txt','edits':[{'old_text':'foo\\u0000bar baz','new_text':'y'}]}");
    check_has(&c, "Has a space instead of '\xE2\x90\x80'");
}

static void the_names_that_were_meant_can_be_sent_at_once(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("one\n"));
    call(&c, "file_edit", "{'file_path':'a.txt','edits':[{'old_string':'one','new_string':'1'}]}");
    check_has(&c, "Unknown argument file_path. Did you mean path?");
    check_field(&c, "path", "''");
    check_field(&c, "retry", "{'path':'a.txt','edits':[{'old_text':'one','new_text':'1'}]}");
    call_with(&c, "file_edit", json_incref(field(&c, "retry")));
    check_file(&c.s, "a.txt", EM_LIT("1\n"));
}

/* What is refused although it is there has its final name all the same; what a rule hides has
 * none. */
static void what_cannot_be_opened_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *link, *target, *code, *named;
    } rows[] = {{"to_folder", "d", "'NOT_A_FILE'", "d"},
                {"to_fifo", "d/fifo", "'NOT_A_FILE'", "d/fifo"},
                {"to_git", ".git/config", "'PERMISSION_DENIED'", ".git/config"},
                {"to_large", "d/large", "'FILE_TOO_LARGE'", "d/large"},
                {"to_hidden", "hidden", "'PERMISSION_DENIED'", NULL},
                {"to_nothing", "nothing", "'FILE_NOT_FOUND'", NULL}};
    static const char *const deny[] = {"hidden"};
    EM_AUTO(caller) c = {.tools = TOOLS, .over_mcp = true};
    const em_session_options options = {.workspace = {.deny = deny, .deny_count = 1},
                                        .max_file_size = 10};
    scratch_open(&c.s, &options);
    char path[200];
    scratch_path(&c.s, "d", path);
    assert_int_equal(mkdir(path, 0755), 0);
    scratch_path(&c.s, ".git", path);
    assert_int_equal(mkdir(path, 0755), 0);
    scratch_path(&c.s, "d/fifo", path);
    assert_int_equal(mkfifo(path, 0644), 0);
    scratch_write(&c.s, ".git/config", EM_LIT("one\n"));
    scratch_write(&c.s, "hidden", EM_LIT("one\n"));
    scratch_write(&c.s, "d/large", EM_LIT("more than ten bytes\n"));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char args[200], named[220];
        scratch_path(&c.s, rows[i].link, path);
        assert_int_equal(symlink(rows[i].target, path), 0);
        snprintf(args, sizeof args, "{'path':'%s','edits':[{'old_text':'one','new_text':'1'}]}",
                 rows[i].link);
        call(&c, "file_edit", args);
        check_field(&c, "validation_error.type", rows[i].code);
        if (rows[i].named)
            scratch_path(&c.s, rows[i].named, path);
        snprintf(named, sizeof named, "'%s'", rows[i].named ? path : rows[i].link);
        check_field(&c, "path", named);
    }
}

static void limits_are_those_of_the_document(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("one\n"));
    json_t *edits = json_array();
    for (int i = 0; i < 1001; i++)
        json_array_append_new(edits, json_pack("{s:s,s:s}", "old_text", "one", "new_text", "two"));
    call_with(&c, "file_edit", json_pack("{s:s,s:o}", "path", "a.txt", "edits", edits));
    check_text(&c, true,
               "Too many edits for a.txt: 1001 edits; at most 1000 are taken in one call.\n\n"
               "Split them over several calls");
    check_field(&c, "validation_error.type", "'TOO_MANY_EDITS'");
    check_field(&c, "validation_error.total_edits", "1001");
    char path[200];
    scratch_path(&c.s, "a.txt", path);
    assert_int_equal(truncate(path, 104857601), 0);
    call(&c, "file_edit", "{'path':'a.txt','edits':[{'old_text':'x','new_text':'y'}]}");
    check_field(&c, "validation_error.type", "'FILE_TOO_LARGE'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edits_are_made_in_order),
        cmocka_unit_test(emend_call_prints_the_documents_answer),
        cmocka_unit_test(a_dry_run_shows_and_writes_nothing),
        cmocka_unit_test(edits_that_cancel_out_change_nothing),
        cmocka_unit_test(a_backup_and_warnings_are_told),
        cmocka_unit_test(long_answers_are_cut),
        cmocka_unit_test(a_long_name_counts),
        cmocka_unit_test(a_diff_of_which_nothing_is_shown_is_told_on_a_line_of_its_own),
        cmocka_unit_test(a_hundred_previews_are_all),
        cmocka_unit_test(a_preview_is_cut_between_two_places),
        cmocka_unit_test(a_text_that_is_not_there),
        cmocka_unit_test(what_is_similar_is_shown),
        cmocka_unit_test(pieces_that_differ_are_never_told_as_nothing),
        cmocka_unit_test(similar_content_is_by_falling_score),
        cmocka_unit_test(the_text_ends_with_the_most_similar),
        cmocka_unit_test(what_is_only_similar_can_be_copied),
        cmocka_unit_test(a_match_that_is_not_exact_is_declared),
        cmocka_unit_test(without_a_reading_tool_the_text_itself_is_given),
        cmocka_unit_test(an_earlier_edit_took_the_text),
        cmocka_unit_test(escapes_are_pointed_out),
        cmocka_unit_test(the_next_lines_indentation_is_not_sent_again),
        cmocka_unit_test(a_form_feed_goes_with_its_line),
        cmocka_unit_test(an_edit_that_was_not_made_is_not_left_out),
        cmocka_unit_test(what_edits_before_have_made_is_called_so),
        cmocka_unit_test(an_edit_that_is_sent_twice_is_left_out),
        cmocka_unit_test(a_place_ends_without_the_last_ending),
        cmocka_unit_test(differences_repeat_a_bounded_part_of_the_search_text),
        cmocka_unit_test(an_edit_made_before_is_left_out_of_the_retry),
        cmocka_unit_test(long_texts_are_echoed_in_part),
        cmocka_unit_test(a_wrong_count_in_the_documents_form),
        cmocka_unit_test(too_few_have_other_options),
        cmocka_unit_test(the_score_is_that_of_what_is_shown),
        cmocka_unit_test(places_in_inserted_text_say_so),
        cmocka_unit_test(similar_text_that_was_inserted_says_so),
        cmocka_unit_test(similar_lines_have_their_numbers_of_the_file),
        cmocka_unit_test(an_empty_file_has_a_preview_too),
        cmocka_unit_test(places_with_other_line_endings_are_told),
        cmocka_unit_test(places_that_were_found_are_not_told_as_others),
        cmocka_unit_test(entities_are_told_as_such),
        cmocka_unit_test(an_empty_text_stands_once_in_an_empty_file),
        cmocka_unit_test(all_places_that_could_be_meant_are_told),
        cmocka_unit_test(a_match_over_several_lines_tells_where_it_ends),
        cmocka_unit_test(many_places_are_cut),
        cmocka_unit_test(a_line_too_long_is_shown_around_the_match),
        cmocka_unit_test(a_preview_of_long_lines_shows_the_similar_one),
        cmocka_unit_test(every_failure_has_its_type_and_a_way_on),
        cmocka_unit_test(line_breaks_that_the_ends_of_a_file_lack_are_told),
        cmocka_unit_test(a_path_is_final_where_it_was_resolved),
        cmocka_unit_test(wrong_arguments_are_told),
        cmocka_unit_test(the_names_that_were_meant_can_be_sent_at_once),
        cmocka_unit_test(what_cannot_be_opened_is_named),
        cmocka_unit_test(limits_are_those_of_the_document),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
