#include "calls.h"
#include "commit_fails.h"

#define TOOLS "site"

/* A site tool's object is its text too, and what failed comes first in it. */
static void check_failed(const caller *c, const char *success, const char *error)
{
    char *text = json_dumps(field(c, "error"), JSON_COMPACT | JSON_ENCODE_ANY);
    char start[256];
    assert_non_null(text);
    if (error && strcmp(json_string_value(field(c, "error")), error) != 0)
        fail_msg("\"%s\", not \"%s\"", json_string_value(field(c, "error")), error);
    snprintf(start, sizeof start, "{\"success\":%s,\"error\":%.100s", success, text);
    start[strlen(start) - 1] = '\0';
    if (strncmp(c->answer.text, start, strlen(start)) != 0)
        fail_msg("%s does not begin with %s", c->answer.text, start);
    assert_int_equal(c->answer.is_error, strcmp(success, "false") == 0);
    assert_true(json_is_string(field(c, "code")));
    free(text);
}

static void check_done(const caller *c)
{
    check_field(c, "success", "true");
    assert_false(c->answer.is_error);
    assert_null(field(c, "error"));
    assert_null(field(c, "code"));
    assert_null(field(c, "cause"));
}

static void check_hash(const caller *c, const char *path, em_slice content)
{
    assert_string_equal(json_string_value(field(c, path)), em_hash_of(content).hex);
}

/* ---- editFile ------------------------------------------------------------------------------ */

static void operations_apply_in_order(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.html", EM_LIT("<p>a</p>\n<p>b</p>\n"));
    call(&c, "editFile",
         "{'file':'a.html','operations':[{'search':'<p>a','replace':'<p>c'},"
         "{'search':'c</p>','replace':'d</p>'},"
         "{'search':'<p>','replace':'<b>','expectedReplacements':2}]}");
    check_file(&c.s, "a.html", EM_LIT("<b>d</p>\n<b>b</p>\n"));
    check_done(&c);
    check_field(&c, "file", "'a.html'");
    check_field(&c, "matchTiers", "['exact','exact','exact']");
    check_field(&c, "diff",
                "'--- a/a.html\\n+++ b/a.html\\n@@ -1,2 +1,2 @@\\n-<p>a</p>\\n-<p>b</p>\\n"
                "+<b>d</p>\\n+<b>b</p>\\n'");
    check_hash(&c, "hash", EM_LIT("<b>d</p>\n<b>b</p>\n"));
    assert_true(json_string_length(field(&c, "edit_id")) > 16);
    assert_int_equal(json_object_size(c.answer.object), 6);
    assert_null(c.answer.meta);
    assert_null(c.answer.native);
}

static void the_content_is_given_where_it_costs_nothing(void **state)
{
    (void)state;
    static const struct {
        bool over_mcp;
        const char *asked;
        bool given;
    } cases[] = {{true, "", false},
                 {true, ",'returnContent':true", true},
                 {false, "", true},
                 {false, ",'returnContent':null", true},
                 {false, ",'returnContent':false", false}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(caller) c;
        char arguments[200];
        caller_open(&c, TOOLS);
        c.over_mcp = cases[i].over_mcp;
        scratch_write(&c.s, "a.txt", EM_LIT("\xEF\xBB\xBFone\r\ntwo\r\n"));
        snprintf(arguments, sizeof arguments,
                 "{'file':'a.txt','operations':[{'search':'one','replace':'1\\n'}]%s}",
                 cases[i].asked);
        call(&c, "editFile", arguments);
        check_file(&c.s, "a.txt",
                   EM_LIT("\xEF\xBB\xBF"
                          "1\r\n\r\ntwo\r\n"));
        assert_true(json_is_string(field(&c, "diff")));
        if (cases[i].given)
            check_field(&c, "content", "'1\\r\\n\\r\\ntwo\\r\\n'");
        else
            assert_null(field(&c, "content"));
        snprintf(arguments, sizeof arguments,
                 "{'edits':[{'file':'a.txt','replaceOperations':[{'search':'two','replace':''}]}]"
                 "%s}",
                 cases[i].asked);
        call(&c, "editFiles", arguments);
        if (cases[i].given)
            check_field(&c, "results.0.content", "'1\\r\\n\\r\\n\\r\\n'");
        else
            assert_null(field(&c, "results.0.content"));
    }
}

static void the_same_text_counts_as_applied(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("one\ntwo\n"));
    call(&c, "editFile", "{'file':'a.txt','operations':[{'search':'one','replace':'one'}]}");
    check_done(&c);
    check_field(&c, "matchTiers", "['exact']");
    check_field(&c, "diff", "''");
    assert_null(field(&c, "edit_id"));
    call(&c, "editFile", "{'file':'a.txt','operations':[{'search':'three','replace':'three'}]}");
    check_failed(&c, "false", NULL);
    check_field(&c, "code", "'NO_MATCH'");
    call(&c, "editFile",
         "{'file':'a.txt','operations':[{'search':'one','replace':'one'},"
         "{'search':'three','replace':'3'}]}");
    check_failed(&c, "\"partial\"", NULL);
    check_field(&c, "appliedCount", "1");
}

static void a_failure_keeps_what_went_well_before(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "index.html", EM_LIT("one\ntwo\nthree\nfour\n"));
    call(&c, "editFile",
         "{'file':'index.html','operations':[{'search':'one','replace':'1'},"
         "{'search':'two','replace':'2'},{'search':'<h2>Our Services</h2>','replace':'x'},"
         "{'search':'three','replace':'3'},{'search':'four','replace':'4'}],"
         "'returnContent':true}");
    check_file(&c.s, "index.html", EM_LIT("1\n2\nthree\nfour\n"));
    check_failed(&c, "\"partial\"",
                 "Edit operation 3/5 failed in \"index.html\":\n"
                 "  Searched for: <h2>Our Services</h2>\n"
                 "  Nothing like it is in the file\n"
                 "  Suggestion: Use readFile to get exact content, or try a shorter search "
                 "string.\n"
                 "  The 2 operations before it were applied and kept, those behind it were not "
                 "tried: do not send again what is done.");
    check_field(&c, "code", "'NO_MATCH'");
    check_field(&c, "cause", "'not_found'");
    check_field(&c, "appliedCount", "2");
    check_field(&c, "failedIndex", "2");
    check_field(&c, "file", "'index.html'");
    check_field(&c, "matchTiers", "['exact','exact']");
    check_field(&c, "content", "'1\\n2\\nthree\\nfour\\n'");
    check_hash(&c, "hash", EM_LIT("1\n2\nthree\nfour\n"));
    assert_true(json_is_string(field(&c, "edit_id")));
    assert_non_null(strstr(json_string_value(field(&c, "diff")), "-one\n-two\n+1\n+2\n"));
    assert_null(field(&c, "bestMatch"));
    assert_null(field(&c, "retry"));
}

static void a_first_failure_changes_nothing(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("one\n"));
    call(&c, "editFile",
         "{'file':'a.txt','operations':[{'search':'zero','replace':'0'},"
         "{'search':'one','replace':'1'}],'returnContent':true}");
    check_failed(&c, "false",
                 "Edit operation 1/2 failed in \"a.txt\":\n  Searched for: zero\n"
                 "  Nothing like it is in the file\n"
                 "  Suggestion: Use readFile to get exact content, or try a shorter search "
                 "string.\n"
                 "  Nothing was written.");
    check_file(&c.s, "a.txt", EM_LIT("one\n"));
    check_field(&c, "appliedCount", "0");
    check_field(&c, "failedIndex", "0");
    assert_null(field(&c, "diff"));
    assert_null(field(&c, "content"));
    check_hash(&c, "hash", EM_LIT("one\n"));
    assert_null(field(&c, "edit_id"));
}

static void atomic_is_all_or_none(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("one\ntwo\n"));
    call(&c, "editFile",
         "{'file':'a.txt','operations':[{'search':'one','replace':'1'},"
         "{'search':'zero','replace':'0'}],'atomic':true}");
    check_failed(&c, "false", NULL);
    check_has(&c, "Nothing was written.");
    check_file(&c.s, "a.txt", EM_LIT("one\ntwo\n"));
    check_field(&c, "failedIndex", "1");
    check_field(&c, "appliedCount", "0");
    assert_null(field(&c, "matchTiers"));
    call(&c, "editFile",
         "{'file':'a.txt','operations':[{'search':'one','replace':'1'},"
         "{'search':'two','replace':'2'}],'atomic':true}");
    check_done(&c);
    check_file(&c.s, "a.txt", EM_LIT("1\n2\n"));
}

static void the_count_is_demanded_exactly(void **state)
{
    (void)state;
    static const struct {
        const char *operations, *error;
    } cases[] = {
        {"{'search':'x','replace':'y'}",
         "  Searched for: x\n  Expected 1 occurrence but found 3: line 1, line 3\n"
         "  Suggestion: Set expectedReplacements to 3 to replace all of them, or add text around "
         "the place that you mean to search and replace."},
        {"{'search':'x','replace':'y','expectedReplacements':4}",
         "  Searched for: x\n  Expected 4 occurrences but found 3: line 1, line 3\n"
         "  Suggestion: Set expectedReplacements to 3 to replace all of them, or try a shorter "
         "search string that all the places have in common."},
        {"{'search':'b','replace':'y','expectedReplacements':2}",
         "  Searched for: b\n  Expected 2 occurrences but found 1: line 2\n"
         "  Suggestion: Set expectedReplacements to 1 to replace that one, or try a shorter "
         "search string that all the places have in common."},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(caller) c;
        caller_open(&c, TOOLS);
        scratch_write(&c.s, "a.txt", EM_LIT("x x\nb\nx\n"));
        char args[300], error[400];
        snprintf(args, sizeof args, "{'file':'a.txt','operations':[%s]}", cases[i].operations);
        snprintf(error, sizeof error, "Edit operation 1/1 failed in \"a.txt\":\n%s",
                 cases[i].error);
        call(&c, "editFile", args);
        check_failed(&c, "false", error);
        check_field(&c, "code", "'WRONG_COUNT'");
        check_file(&c.s, "a.txt", EM_LIT("x x\nb\nx\n"));
    }
}

/* ---- Texts that are not there exactly ------------------------------------------------------- */

static void slips_are_forgiven_and_declared(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("one\nred  green\n\"blue\"\n"));
    call(&c, "editFile",
         "{'file':'a.txt','operations':[{'search':'one','replace':'1'},{'search':'red green',"
         "'replace':'red yellow'},{'search':'\u201cblue\u201d','replace':'\u201cgrey\u201d'}]}");
    check_done(&c);
    check_field(&c, "matchTiers", "['exact','whitespace','token']");
    assert_int_equal(json_array_size(field(&c, "matches")), 2);
    check_field(&c, "matches.0",
                "{'edit':1,'tier':'whitespace','score':1.0,'start_line':2,'end_line':2,"
                "'matched_text':'red  green'}");
    assert_int_equal(json_array_size(field(&c, "warnings")), 2);
    check_file(&c.s, "a.txt", EM_LIT("1\nred  yellow\n\"grey\"\n"));
    call(&c, "editFile",
         "{'file':'a.txt','match':'exact','operations':[{'search':'red yellow','replace':'x'}]}");
    check_failed(&c, "false", NULL);
    call(&c, "editFiles",
         "{'match':'exact','edits':[{'file':'a.txt','replaceOperations':[{'search':'red yellow',"
         "'replace':'x'}]}]}");
    check_failed(&c, "false", NULL);
    call(&c, "editFiles",
         "{'edits':[{'file':'a.txt','replaceOperations':[{'search':'red yellow',"
         "'replace':'red'}]}]}");
    check_done(&c);
    check_field(&c, "results.0.matches.0.matched_text", "'red  yellow'");
}

static void places_of_a_tolerant_tier_are_counted(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.js", EM_LIT("if (x)\n\tgo();\n\nif (x)\n\t\tgo();\n"));
    call(&c, "editFile",
         "{'file':'a.js','operations':[{'search':'if (x)\\n  go();','replace':'y'}]}");
    check_failed(&c, "false",
                 "Edit operation 1/1 failed in \"a.js\":\n"
                 "  Searched for: if (x)\n  go();\n"
                 "  Expected 1 occurrence but found 2 at tier whitespace, none of them exact: line "
                 "1, line 4\n"
                 "  Suggestion: Set expectedReplacements to 2 to replace all of them, or add text "
                 "around the place that you mean to search and replace.");
    check_field(&c, "cause", "'ambiguous'");
    scratch_write(&c.s, "b.js", EM_LIT("\t\t}\n\t}\n}\n"));
    call(&c, "editFile", "{'file':'b.js','operations':[{'search':'  }\\n}','replace':'y'}]}");
    check_failed(&c, "false",
                 "Edit operation 1/1 failed in \"b.js\":\n"
                 "  Searched for:   }\n}\n"
                 "  Expected 1 occurrence but found 2 at tier whitespace, none of them exact: line "
                 "1, line 2\n"
                 "  Suggestion: Only one of them can be meant: add text around the place that you "
                 "mean to search and replace, written as the file has it.");
    check_field(&c, "cause", "'ambiguous'");
    put_too_many(&c, "c.js");
    call(&c, "editFile", "{'file':'c.js','operations':[{'search':'x','replace':'y'}]}");
    check_failed(&c, "false",
                 "Edit operation 1/1 failed in \"c.js\":\n"
                 "  Searched for: x\n"
                 "  Expected 1 occurrence but found 10000001: line 1, ...\n"
                 "  Suggestion: At most 10000000 are changed at once: add text around the place "
                 "that you mean to search and replace.");
}

/* The form of the document. */
static void the_best_match_is_told(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.html",
                  EM_LIT("<p>x</p>\n<h2 class=\"text-2xl font-bold\">Our Services</h2>\n"));
    call_with(&c, "editFile",
              json_pack("{s:s,s:[{s:s,s:s}]}", "file", "a.html", "operations", "search",
                        "<h2 class=\"text-xl\">Our Services</h2>", "replace", "x"));
    const char *error = json_string_value(field(&c, "error"));
    static const char lead[] =
        "Edit operation 1/1 failed in \"a.html\":\n"
        "  Searched for: <h2 class=\"text-xl\">Our Services</h2>\n"
        "  Best match (77% similar, line 2): <h2 class=\"text-2xl font-bold\">Our Services</h2>\n"
        "  Suggestion: Use readFile to get exact content, or try a shorter search string.\n"
        "  Difference: Has '";
    assert_int_equal(strncmp(error, lead, sizeof lead - 1), 0);
    assert_string_equal(json_string_value(field(&c, "bestMatch.text")),
                        "<h2 class=\"text-2xl font-bold\">Our Services</h2>");
    check_field(&c, "bestMatch.line", "2");
    double similarity = json_number_value(field(&c, "bestMatch.similarity"));
    assert_true(similarity > 0.77 && similarity < 0.78);
}

/* What an operation before puts into a line makes nothing of the rest of it inserted text. */
static void a_best_match_beside_inserted_text_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *replace, *search, *told;
    } cases[] = {
        {"x", "delta", "line 1, in a line that an edit before this one changes): beta\\n"},
        {"x\nzeta", "yeta", "line 2, in text that an edit before this one inserts there): zeta\\n"},
        {"x", "gamme", "line 2): gamma\\n"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(caller) c;
        caller_open(&c, TOOLS);
        scratch_write(&c.s, "a.txt", EM_LIT("alpha beta and all that\ngamma\n"));
        call_with(&c, "editFile",
                  json_pack("{s:s,s:[{s:s,s:s},{s:s,s:s}]}", "file", "a.txt", "operations",
                            "search", "alpha", "replace", cases[i].replace, "search",
                            cases[i].search, "replace", "y"));
        check_has(&c, cases[i].told);
    }
}

/* So many files with `text`, and an edit of each. */
static json_t *edits_of_files(caller *c, size_t count, em_slice text, em_slice search,
                              em_slice replace)
{
    json_t *edits = json_array();
    for (size_t i = 0; i < count; i++) {
        const char *name = em_arena_format(&c->s.arena, "f%zu.txt", i);
        scratch_write(&c->s, name, text);
        json_array_append_new(edits, json_pack("{s:s, s:[{s:s%, s:s%}]}", "file", name,
                                               "replaceOperations", "search", search.ptr,
                                               search.len, "replace", replace.ptr, replace.len));
    }
    return edits;
}

static void check_shares(const caller *c, size_t count)
{
    size_t i, shown = 0;
    json_t *result;
    json_array_foreach(field(c, "results"), i, result)
    {
        const char *diff = json_string_value(json_object_get(result, "diff"));
        assert_non_null(diff);
        shown += strlen(diff);
        assert_int_equal(json_is_true(json_object_get(result, "diffTruncated")), count > 8);
        assert_true(count > 40 || strstr(diff, "\n-the line number 0 before\n"));
    }
    assert_int_equal(i, count);
    assert_true(shown <= 64 * 1024);
}

/* However many files a call has, what its answer shows of them all is bounded; over MCP, where a
 * model pays for it. */
static void many_files_share_what_is_shown(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    EM_AUTO(em_strbuf) before = {0}, after = {0};
    static const size_t counts[] = {1, 8, 40, 200};
    caller_open(&c, "site");
    for (int i = 0; i < 100; i++) {
        em_strbuf_printf(&before, "the line number %d before\n", i);
        em_strbuf_printf(&after, "the line number %d after it\n", i);
    }
    em_slice was = em_strbuf_slice(&before), is = em_strbuf_slice(&after);
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        call_with(&c, "editFiles",
                  json_pack("{s:o}", "edits", edits_of_files(&c, counts[i], was, was, is)));
        check_shares(&c, counts[i]);
        call_with(&c, "editFiles",
                  json_pack("{s:b, s:o}", "atomic", 1, "edits",
                            edits_of_files(&c, counts[i], was, was, is)));
        check_shares(&c, counts[i]);
    }
    call_with(&c, "editFiles",
              json_pack("{s:o}", "edits", edits_of_files(&c, 200, was, is, EM_LIT("x"))));
    assert_true(c.answer.is_error);
    assert_true(strlen(c.answer.text) < 200 * (1024 + 2 * (64 * 1024 / 200)));
    check_has(&c, "(the first 327 of ");
    assert_true(
        json_is_true(json_object_get(json_array_get(field(&c, "results"), 199), "echo_truncated")));
}

/* Nothing of a line that is longer than a diff may be is in it. */
static void a_change_in_a_long_line_is_told_beside_the_diff(void **state)
{
    (void)state;
    enum { LONG = 9000 };
    EM_AUTO(caller) c;
    EM_AUTO(em_strbuf) text = {0};
    caller_open(&c, "all");
    c.over_mcp = true;
    em_strbuf_puts(&text, "top\n");
    for (int i = 0; i < LONG; i++)
        em_strbuf_puts(&text, "\xC3\xA4");
    em_strbuf_puts(&text, "one;two\r\nlast\n");
    scratch_write(&c.s, "a.js", em_strbuf_slice(&text));
    call(&c, "editFile",
         "{'file':'a.js','dryRun':true,'operations':[{'search':'one;','replace':'ONE;'}]}");
    assert_string_equal(json_string_value(field(&c, "diff")), "");
    const char *told = json_string_value(field(&c, "firstChange"));
    assert_non_null(told);
    assert_non_null(strstr(told, "The diff has no room for line 2, which changes at column 9001 "));
    assert_non_null(strstr(told, "\xC3\xA4one;two\n+ \xE2\x80\xA6\xC3\xA4"));
    assert_non_null(strstr(told, "\xC3\xA4ONE;two"));
    assert_true(strlen(told) < 400);
    call(&c, "edit_file",
         "{'file_path':'a.js','dry_run':true,'old_string':'two\\nl','new_string':'L'}");
    check_has(&c, "at column 9005 (");
    check_has(&c, "\xC3\xA4one;two\xE2\x8F\x8Elast\n+ ");
    check_has(&c, "\xC3\xA4one;Last\n");
    call(&c, "MultiEdit",
         "{'path':'a.js','dry_run':true,'edits':[{'old_string':'one;','new_string':''}]}");
    check_has(&c, "is cut.\\nThe diff has no room for line 2, which changes at column 9001 ");
    call(&c, "edit_file",
         "{'file_path':'a.js','dry_run':true,'old_string':'top','new_string':'T'}");
    check_lacks(&c, "no room for");
}

static void many_places_are_not_all_named(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt",
                  EM_LIT("x\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\n"));
    call(&c, "editFile",
         "{'file':'a.txt','operations':[{'search':'x\\nx\\n','replace':'x\\n',"
         "'expectedReplacements':10},{'search':'x','replace':'y'}]}");
    check_field(&c, "appliedCount", "1");
    check_has(&c, "found 11: line 1 (in text inserted there), line 3 (in text inserted there)");
    scratch_write(&c.s, "a.txt",
                  EM_LIT("x\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\n"));
    call(&c, "editFile", "{'file':'a.txt','operations':[{'search':'x','replace':'y'}]}");
    check_has(&c, "found 21: line 1, line 2,");
    check_has(&c, "line 20, ...\\n  Suggestion:");
}

static void other_faults_of_an_operation(void **state)
{
    (void)state;
    static const struct {
        const char *operation, *error, *code, *cause;
    } cases[] = {
        {"{'search':'','replace':'x'}",
         "Edit operation 1/1 failed in \"a.txt\":\n  search is empty, but a.txt is not\n"
         "  Suggestion: An empty search matches only an empty file. To insert text, send as "
         "search a line next to the place, and as replace that line together with the new text",
         "INVALID_ARGUMENT", "empty_search"},
        {"{'search':'one','replace':'1\\n// ... existing code ...'}",
         "Edit operation 1/1 failed in \"a.txt\":\n  replace leaves out text that belongs there: "
         "\"// ... existing code ...\"\n"
         "  Suggestion: Such a line would replace the code that it stands for. Send as replace "
         "all text that is to be there afterwards",
         "INVALID_ARGUMENT", "placeholder"},
        {"{'search':'one','replace':'a\\u0000b'}",
         "Edit operation 1/1 failed in \"a.txt\":\n  replace holds a NUL character\n"
         "  Suggestion: A file with a NUL is no text any more: leave it out",
         "INVALID_ARGUMENT", "nul"},
    };
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("one\n"));
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char args[300];
        snprintf(args, sizeof args, "{'file':'a.txt','operations':[%s]}", cases[i].operation);
        call(&c, "writeFiles", "{'files':[{'file':'a.txt','content':'one\\n'}]}");
        call(&c, "editFile", args);
        check_failed(&c, "false", cases[i].error);
        assert_string_equal(json_string_value(field(&c, "code")), cases[i].code);
        assert_string_equal(json_string_value(field(&c, "cause")), cases[i].cause);
        check_field(&c, "failedIndex", "0");
    }
    scratch_write(&c.s, "old.txt", EM_LIT("one \xE9\n"));
    call(&c, "editFile", "{'file':'old.txt','operations':[{'search':'one','replace':'\\u00e9'}]}");
    check_failed(&c, "false",
                 "Edit operation 1/1 failed in \"old.txt\":\n  old.txt: U+00E9 '\xC3\xA9': the "
                 "file is not UTF-8, and which encoding it has is not known; name it with "
                 "`encoding`");
    check_field(&c, "cause", "'encoding'");
    call(&c, "editFile",
         "{'file':'old.txt','operations':[{'search':'one','replace':'\\u00e9'}],"
         "'encoding':'latin1','returnContent':true}");
    check_field(&c, "content", "'\xC3\xA9 \xC3\xA9\\n'");
    check_file(&c.s, "old.txt", EM_LIT("\xE9 \xE9\n"));
    scratch_write(&c.s, "empty.txt", EM_LIT(""));
    call(&c, "editFile", "{'file':'empty.txt','operations':[{'search':'','replace':'x'}]}");
    check_done(&c);
}

/* What is advised of a character that a page cannot hold. */
static void an_encoding_that_was_named_is_not_asked_for(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.html", EM_LIT("<h1>caf\xE9</h1>\n"));
    call(&c, "editDOM",
         "{'file':'a.html','operations':[{'selector':'h1','action':'setText','value':"
         "'\\u4e00'}]}");
    check_has(&c, "Suggestion: Name the file's encoding, or write the character as HTML does, ");
    call(&c, "editDOM",
         "{'file':'a.html','encoding':'windows-1252','operations':[{'selector':'h1','action':"
         "'setText','value':'\\u4e00'}]}");
    check_has(&c, "Suggestion: The file keeps its encoding: write the character as HTML does, ");
    check_lacks(&c, "Name the file");
}

/* Less than half alike, and yet it tells where to look; nothing is proposed for it. */
/* Then nobody knows whether there is anything like the text. (The deadline is one for all files.)
 */
static void where_time_ran_out_nothing_is_said_to_be_like_it(void **state)
{
    (void)state;
    EM_AUTO(caller) c = {.tools = TOOLS, .over_mcp = true};
    EM_AUTO(em_strbuf) text = {0};
    for (int i = 0; i < 100000; i++)
        em_strbuf_printf(&text, "if (x%d) { go(); }\n", i % 977);
    scratch_open(&c.s, &(em_session_options){.deadline_ms = 1});
    scratch_write(&c.s, "big.txt", em_strbuf_slice(&text));
    scratch_write(&c.s, "a.txt", EM_LIT("one\n"));
    call(&c, "editFiles",
         "{'match':'exact','edits':[{'file':'big.txt','replaceOperations':[{'search':'if (x) {\\n  "
         "  "
         "go();\\n}\\nif (y) {\\n    go();\\n}','replace':'x'}]},"
         "{'file':'a.txt','replaceOperations':[{'search':'zero','replace':'0'}]}]}");
    const char *error =
        json_string_value(json_object_get(json_array_get(field(&c, "results"), 1), "error"));
    assert_non_null(error);
    assert_non_null(strstr(error, "\n  The search for text like it took too long\n"));
    assert_null(strstr(error, "Nothing like it"));
}

/* All of it may be indented otherwise, and deeply. */
static void a_place_that_a_tier_found_is_the_best_match_however_little_alike(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(
        &c.s, "a.c",
        EM_LIT("f()\n{\n\tswitch (a) {\n\tcase 1:\n\t\tb();\n\tcase 2:\n\t\tc();\n\t}\n}\n"));
    call(
        &c, "editFile",
        "{'file':'a.c','operations':[{'search':'    switch (a) {\\n        case 1:\\n            "
        "b();\\n        case 2:\\n            c();\\n    }\\n','replace':'    if (d) {\\n        "
        "switch (a) {\\n            case 1:\\n                b();\\n            case 2:\\n        "
        "        c();\\n        }\\n    }\\n'}]}");
    check_field(&c, "cause", "'tabs_for_spaces'");
    check_lacks(&c, "Nothing like it");
    assert_non_null(field(&c, "bestMatch"));
}

static void a_trace_of_the_text_is_the_best_match(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.html", EM_LIT("<div>\n  <h2>Our Services</h2>\n</div>\n"));
    call(&c, "editFile",
         "{'file':'a.html','operations':[{'search':'<h2 class=\\'text-xl font-bold mb-4 "
         "text-center\\'>Our Services</h2>','replace':'q'}]}");
    check_field(&c, "cause", "'not_found'");
    check_field(&c, "bestMatch", "{'text':'  <h2>Our Services</h2>','similarity':0.3125,'line':2}");
    check_lacks(&c, "Nothing like it");
    assert_null(field(&c, "retry"));
    scratch_write(&c.s, "a.c",
                  EM_LIT("{\n\tint rows = count(table);\n\tcheck(rows > least);\n}\n"));
    call(&c, "editFile",
         "{'file':'a.c','operations':[{'search':'    int rows = count(table);\\n    check(rows > "
         "least);\\n    for (size_t i = 0; i < table->columns; i++)\\n        "
         "paint_column(&table->column[i], i % 2 ? odd_colour : even_colour);\\n    "
         "footer(table->title, table->author, table->last_change);','replace':'q'}]}");
    check_field(&c, "cause", "'stale_text'");
    check_field(&c, "bestMatch",
                "{'text':'\\tint rows = count(table);\\n\\tcheck(rows > "
                "least);','similarity':0.189873417721519,'line':2}");
    assert_null(field(&c, "retry"));
}

static void hints_follow_the_suggestion(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("one\n\ttwo\n"));
    call(&c, "editFile",
         "{'file':'a.txt','operations':[{'search':'one','replace':'1'},"
         "{'search':'one','replace':'2'}]}");
    check_failed(&c, "\"partial\"",
                 "Edit operation 2/2 failed in \"a.txt\":\n  Searched for: one\n"
                 "  Suggestion: Use readFile to get exact content, or try a shorter search "
                 "string.\n"
                 "  Suggestion: It stood at line 1 of the file, but an edit before this one has "
                 "changed it: each edit sees the result of those before it\n"
                 "  The 1 operation before it was applied and kept, those behind it were not "
                 "tried: do not send again what is done.");
}

static void without_a_reading_tool_the_text_itself_is_given(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, "editFile");
    scratch_write(&c.s, "a.txt", EM_LIT("one\n"));
    call(&c, "editFile", "{'file':'a.txt','operations':[{'search':'zero','replace':'0'}]}");
    check_failed(&c, "false",
                 "Edit operation 1/1 failed in \"a.txt\":\n  Searched for: zero\n"
                 "  Nothing like it is in the file\n"
                 "  Suggestion: Copy the exact text from what the file holds, or try a shorter "
                 "search string.\nThe file holds (between >>> and <<<):\n>>>one\n<<<");
    call(&c, "editFile", "{'file':'a.txt','operations':[{'search':'zero','replace':'0'}]}");
    check_lacks(&c, "in a row");
}

static void operations_on_elements_that_fail_bring_the_advice_too(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.html", EM_LIT("<p>x</p>\n"));
    for (int i = 0; i < 2; i++) {
        call(&c, "editDOM",
             "{'file':'a.html','operations':[{'selector':'.no','action':'setText','value':'y'}]}");
        if (i == 0)
            check_lacks(&c, "in a row");
    }
    check_has(&c, "  This is failure 2 in a row on this file: use writeFiles to write it anew, ");
}

/* editFile comes before it, and only once. */
static void the_advice_is_not_told_beside_another(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.html", EM_LIT("<p>x</p>\n"));
    for (int i = 0; i < 2; i++)
        call(&c, "editDOM",
             "{'file':'a.html','operations':[{'selector':'.no','action':'setText','value':'y'}]}");
    check_has(&c,
              "  Suggestion: Correct it and send it again.\\n  Nothing was written.\\n  This is "
              "failure 2 in a row on this file: use writeFiles to write it anew, completely, "
              "unless editFile can change the text itself.");
}

/* The text of the page can still be edited, or the selector be written as it must be. */
static void a_page_that_does_not_let_elements_be_changed_is_not_written_anew(void **state)
{
    (void)state;
    static const struct {
        const char *op, *code;
    } cases[] = {
        {"'selector':'//h1','action':'setText','value':'y'", "E_SELECTOR"},
        {"'selector':'input','action':'setAttribute','attr':'id','value':'y'", "E_TEMPLATE"},
        {"'selector':'body','action':'setAttribute','attr':'id','value':'y'", "E_IMPLIED"},
        {"'selector':'p','action':'setText','value':'\\u4e00'", "E_ENCODING"},
        {"'selector':'p','action':'setHTML','value':'<b>x'", "E_FRAGMENT"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(caller) c;
        char args[300];
        caller_open(&c, TOOLS);
        scratch_write(&c.s, "a.html", EM_LIT("<p>x\xe9</p><input {{ a }} name=\"q\">\n"));
        snprintf(args, sizeof args, "{'file':'a.html','operations':[{%s}]}", cases[i].op);
        for (int j = 0; j < 3; j++) {
            call(&c, "editDOM", args);
            check_has(&c, cases[i].code);
            check_lacks(&c, "in a row");
        }
    }
}

static void a_read_that_fails_has_the_hash_of_what_was_read(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("one\n"));
    call(&c, "readFile", "{'file':'a.txt'}");
    char hash[33];
    snprintf(hash, sizeof hash, "%s", json_string_value(field(&c, "hash")));
    call(&c, "readFile", "{'file':'a.txt','startLine':9}");
    check_field(&c, "cause", "'range'");
    assert_string_equal(json_string_value(field(&c, "hash")), hash);
    call(&c, "readFile", "{'file':'none.txt'}");
    assert_null(field(&c, "hash"));
}

static void the_tools_of_the_dialect_are_named_first(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, "all");
    scratch_write(&c.s, "a.txt", EM_LIT("one\n"));
    call(&c, "editFile", "{'file':'a.txt','operations':[{'search':'zero','replace':'0'}]}");
    check_has(&c, "Use readFile to");
    call(&c, "readFile", "{'file':'none.txt'}");
    check_lacks(&c, "write");
    call(&c, "editFile", "{'file':'none.txt','operations':[{'search':'zero','replace':'0'}]}");
    check_has(&c, "To make a new file, use writeFiles");
    call(&c, "edit_file", "{'path':'a.txt','old_string':'zero','new_string':'0'}");
    check_has(&c, "Use read_file to");
}

/* The search text stands there in another writing, and holds the replacement: it is no edit that
 * was made before. */
static void what_stands_around_the_replacement_is_edited(void **state)
{
    (void)state;
    static const struct {
        const char *before, *operation, *after;
    } cases[] = {
        {"if ready:\n\tstart_engine()\n",
         "{'search':'if ready:\\n    start_engine()','replace':'start_engine()'}",
         "start_engine()\n"},
        {"value  =  compute(alpha) + beta_gamma\n",
         "{'search':'value = compute(alpha) + beta_gamma','replace':'value = compute(alpha)'}",
         "value  =  compute(alpha)\n"},
        {"<b>\xE2\x80\x9Csome quoted text here\xE2\x80\x9D</b>\n",
         "{'search':'<b>\\u0022some quoted text here\\u0022</b>',"
         "'replace':'\\u0022some quoted text here\\u0022'}",
         "\xE2\x80\x9Csome quoted text here\xE2\x80\x9D\n"},
        {"try:\n\tdo_the_thing(1)\nexcept E:\n\tpass\n",
         "{'search':'try:\\n    do_the_thing(1)\\nexcept E:\\n    pass',"
         "'replace':'do_the_thing(1)'}",
         "do_the_thing(1)\n"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(caller) c;
        char arguments[400];
        caller_open(&c, TOOLS);
        scratch_write(&c.s, "a.txt", em_slice_of(cases[i].before));
        snprintf(arguments, sizeof arguments, "{'file':'a.txt','operations':[%s]}",
                 cases[i].operation);
        call(&c, "editFile", arguments);
        if (c.answer.is_error)
            fail_msg("%s: %s", cases[i].before, c.answer.text);
        check_file(&c.s, "a.txt", em_slice_of(cases[i].after));
    }
}

static void what_was_made_before_is_left_out_of_the_retry(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("one\nfourteen is here\ntwo\n"));
    call(&c, "editFile",
         "{'file':'a.txt','operations':[{'search':'one','replace':'1'},"
         "{'search':'gone now','replace':'fourteen is here'},{'search':'two','replace':'2'}],"
         "'atomic':true}");
    check_failed(&c, "false",
                 "Edit operation 2/3 failed in \"a.txt\":\n  Searched for: gone now\n"
                 "  Suggestion: replace stands in the file already, at line 2: leave this edit "
                 "out\n  Nothing was written.");
    check_field(&c, "cause", "'already_applied'");
    check_field(&c, "retry",
                "{'file':'a.txt','operations':[{'search':'one','replace':'1'},"
                "{'search':'two','replace':'2'}],'atomic':true}");
    call_with(&c, "editFile", json_incref(field(&c, "retry")));
    check_file(&c.s, "a.txt", EM_LIT("1\nfourteen is here\n2\n"));
}

static void what_this_call_did_is_left_out_of_the_retry(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("one\nfourteen is here\ntwo\n"));
    em_hash hash = em_hash_of(EM_LIT("one\nfourteen is here\ntwo\n"));
    char args[500], want[300];
    snprintf(args, sizeof args,
             "{'file':'a.txt','operations':[{'search':'one','replace':'1'},"
             "{'search':'gone now','replace':'fourteen is here'},{'search':'two','replace':'2'}],"
             "'expected_hash':'%s'}",
             hash.hex);
    call(&c, "editFile", args);
    check_failed(&c, "\"partial\"", NULL);
    snprintf(want, sizeof want,
             "{'file':'a.txt','operations':[{'search':'two','replace':'2'}],'expected_hash':'%s'}",
             em_hash_of(EM_LIT("1\nfourteen is here\ntwo\n")).hex);
    check_field(&c, "retry", want);
    call_with(&c, "editFile", json_incref(field(&c, "retry")));
    check_done(&c);
    check_file(&c.s, "a.txt", EM_LIT("1\nfourteen is here\n2\n"));
    call(&c, "editFile",
         "{'file':'a.txt','operations':[{'search':'1','replace':'one'},"
         "{'search':'gone now','replace':'fourteen is here'}],'dryRun':true}");
    check_field(&c, "retry",
                "{'file':'a.txt','operations':[{'search':'1','replace':'one'}],'dryRun':true}");
    call(&c, "editFile",
         "{'file':'a.txt','operations':[{'search':'1','replace':'one'},"
         "{'search':'gone now','replace':'fourteen is here'}]}");
    assert_null(field(&c, "retry"));
    check_file(&c.s, "a.txt", EM_LIT("one\nfourteen is here\n2\n"));
    call(&c, "editFile",
         "{'file':'a.txt','operations':[{'search':'gone now','replace':'fourteen is here'}]}");
    assert_null(field(&c, "retry"));
    check_has(&c, "already");
}

/* Nothing was done: what could be done is sent again, too. */
static void the_retry_of_a_dry_run_is_the_whole_call(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("one two\n"));
    scratch_write(&c.s, "b.txt", EM_LIT("three\n"));
    call(&c, "editFiles",
         "{'dryRun':true,'match':'exact','edits':["
         "{'file':'a.txt','replaceOperations':[{'search':'one','replace':'1 x'}]},"
         "{'file':'a.txt','replaceOperations':[{'search':'1  x','replace':'y'}]},"
         "{'file':'b.txt','replaceOperations':[{'search':'unheard of','replace':'y'}]},"
         "{'file':'b.txt','replaceOperations':[{'search':'three','replace':'3'}]}]}");
    check_field(&c, "retry",
                "{'dryRun':true,'match':'exact','edits':["
                "{'file':'a.txt','replaceOperations':[{'search':'one','replace':'1 x'}]},"
                "{'file':'a.txt','replaceOperations':[{'search':'1 x','replace':'y'}]},"
                "{'file':'b.txt','replaceOperations':[{'search':'three','replace':'3'}]}]}");
    check_has(&c, "retry is the call without 1 of them, else corrected");
    call_with(&c, "editFiles", json_incref(field(&c, "retry")));
    check_field(&c, "success", "true");
    call(&c, "editFiles",
         "{'dryRun':true,'match':'exact','edits':["
         "{'file':'a.txt','replaceOperations':[{'search':'one  two','replace':'1'}]},"
         "{'file':'b.txt','replaceOperations':[{'search':'three','replace':'3'}]}]}");
    check_has(&c, "retry is the whole call, corrected");
}

/* What to send was found out before the other entry was done, or would be. */
static void a_file_in_two_entries(void **state)
{
    (void)state;
    static const struct {
        const char *first, *second, *retry;
    } cases[] = {
        {"{'search':'one  two','replace':'1 two'}", "{'search':'one  two','replace':'1 two'}",
         "{'match':'exact','edits':[{'file':'a.txt','replaceOperations':["
         "{'search':'one two','replace':'1 two'}]}]}"},
        {"{'search':'one  two','replace':'1'}", "{'search':'one two','replace':'2'}", NULL},
        {"{'search':'one  two','replace':'1'}",
         "{'search':'one','replace':'x'},{'search':'three','replace':'one two'}", NULL},
        {"{'search':'one','replace':'1'}", "{'search':'1  two','replace':'y'}",
         "{'match':'exact','edits':[{'file':'a.txt','replaceOperations':["
         "{'search':'1 two','replace':'y'}]}]}"},
    };
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char args[500];
        scratch_write(&c.s, "a.txt", EM_LIT("one two\nthree\n"));
        snprintf(args, sizeof args,
                 "{'match':'exact','edits':[{'file':'a.txt','replaceOperations':[%s]},"
                 "{'file':'./a.txt','replaceOperations':[%s]}]}",
                 cases[i].first, cases[i].second);
        call(&c, "editFiles", args);
        json_t *retry = field(&c, "retry");
        assert_int_equal(retry != NULL, cases[i].retry != NULL);
        if (!retry) {
            check_lacks(&c, "answer's retry");
            continue;
        }
        check_has(&c, "string. The answer's retry is the call with the right texts.\\n");
        json_t *edit = json_array_get(json_object_get(retry, "edits"), 0);
        json_object_set_new(edit, "file", json_string("a.txt"));
        check_field(&c, "retry", cases[i].retry);
        call_with(&c, "editFiles", json_incref(retry));
        check_field(&c, "success", "true");
    }
}

static void the_call_itself_has_changed_the_file(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("one\ntwo\n"));
    em_hash hash = em_hash_of(EM_LIT("one\ntwo\n"));
    char args[500];
    snprintf(args, sizeof args,
             "{'edits':[{'file':'a.txt','expected_hash':'%s','replaceOperations':["
             "{'search':'one','replace':'1'}]},{'file':'a.txt','expected_hash':'%s',"
             "'replaceOperations':[{'search':'two','replace':'2'}]}]}",
             hash.hex, hash.hex);
    call(&c, "editFiles", args);
    check_field(&c, "results.1.code", "'CONFLICT'");
    check_has(&c, "An entry before it in this call has changed it: send all that is to be done");
    check_file(&c.s, "a.txt", EM_LIT("1\ntwo\n"));
}

/* What was kept has moved them. */
static void lines_are_those_of_the_file_as_it_is_left(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("one\ntwo\n\treturn x * 2;\nq\nq\n"));
    call(&c, "editFile",
         "{'file':'a.txt','match':'exact','operations':[{'search':'one','replace':'1\\n2\\n3'},"
         "{'search':'return x * 3;','replace':'z'}]}");
    check_field(&c, "bestMatch.line", "5");
    check_has(&c, "similar, line 5)");
    call(&c, "editFile",
         "{'file':'a.txt','operations':[{'search':'1\\n2\\n','replace':''},"
         "{'search':'q','replace':'z'}]}");
    check_has(&c, "found 2: line 4, line 5");
    call(&c, "editFile",
         "{'file':'a.txt','dryRun':true,'operations':[{'search':'3\\n','replace':''},"
         "{'search':'q','replace':'z'}]}");
    check_has(&c, "found 2: line 4, line 5"); /* nothing was kept */
}

/* An operation on an element has changed the text that is looked for behind it. */
static void a_text_that_an_element_lost(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "p.html", EM_LIT("<p>x</p>\n"));
    call(&c, "editFiles",
         "{'edits':[{'file':'p.html','domOperations':[{'selector':'p','action':'setText',"
         "'value':'hello'}],'replaceOperations':[{'search':'<p>x</p>',"
         "'replace':'<p id=a>x</p>'}]}]}");
    check_has(&c, "It stands at line 1 of the file, but an edit before this one has changed it");
    check_has(&c, "in text that an edit before this one changes");
    check_has(&c, "Nothing was written.");
    call(&c, "editFiles",
         "{'edits':[{'file':'p.html','domOperations':[{'selector':'p','action':'setText',"
         "'value':'hello'}],'replaceOperations':[{'search':'<p>x</p>',"
         "'replace':'<p>hello</p>'}]}]}");
    check_has(&c, "is what an edit before this one puts in");
    call_with(&c, "editFiles", json_incref(field(&c, "retry")));
    check_field(&c, "success", "true");
    check_file(&c.s, "p.html", EM_LIT("<p>hello</p>\n"));
    call(&c, "editFiles",
         "{'match':'exact','edits':[{'file':'p.html','domOperations':[{'selector':'pp',"
         "'action':'addClass','value':'z'}],'replaceOperations':[{'search':'unheard of',"
         "'replace':'q'}]}]}");
    assert_null(field(&c, "retry")); /* the text would not be found then */
}

/* Which no other file of the call can come to be. */
static void the_only_file_of_a_call_is_found_elsewhere(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    char path[200];
    scratch_path(&c.s, "lib", path);
    assert_int_equal(mkdir(path, 0755), 0);
    scratch_write(&c.s, "lib/x.c", EM_LIT("one\n"));
    call(&c, "editFiles",
         "{'edits':[{'file':'x.c','replaceOperations':[{'search':'one','replace':'1'}]}]}");
    check_field(&c, "retry",
                "{'edits':[{'file':'lib/x.c','replaceOperations':[{'search':'one',"
                "'replace':'1'}]}]}");
}

static void a_dry_run_shows_and_writes_nothing(void **state)
{
    (void)state;
    static const char *const args[] = {
        "{'file':'a.txt','operations':[{'search':'one','replace':'1'}],'dryRun':true}",
        "{'file':'a.txt','operations':[{'search':'one','replace':'1'}],'dry_run':true}",
    };
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    c.over_mcp = false;
    scratch_write(&c.s, "a.txt", EM_LIT("one\n"));
    for (size_t i = 0; i < COUNT_OF(args); i++) {
        call(&c, "editFile", args[i]);
        check_done(&c);
        check_field(&c, "dryRun", "true");
        check_field(&c, "content", "'1\\n'");
        check_hash(&c, "hash", EM_LIT("one\n"));
        assert_non_null(strstr(json_string_value(field(&c, "diff")), "-one\n+1\n"));
        assert_null(field(&c, "edit_id"));
        check_file(&c.s, "a.txt", EM_LIT("one\n"));
    }
    call(&c, "editFile",
         "{'file':'a.txt','operations':[{'search':'one','replace':'1'},"
         "{'search':'two','replace':'2'}],'dryRun':true}");
    check_failed(&c, "\"partial\"", NULL);
    check_field(&c, "dryRun", "true");
    check_lacks(&c, "do not send again");
    check_file(&c.s, "a.txt", EM_LIT("one\n"));
}

static void a_stale_file_is_a_conflict(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("one\n"));
    call(&c, "readFile", "{'file':'a.txt'}");
    char args[300];
    snprintf(args, sizeof args,
             "{'file':'a.txt','operations':[{'search':'one','replace':'1'}],'expected_hash':'%s'}",
             json_string_value(field(&c, "hash")));
    scratch_write(&c.s, "a.txt", EM_LIT("one two\n"));
    call(&c, "editFile", args);
    check_failed(&c, "false", NULL);
    check_field(&c, "code", "'CONFLICT'");
    check_field(&c, "cause", "'changed'");
    check_has(&c, "Use readFile to see what the file holds now, then send the call for that");
    assert_null(field(&c, "failedIndex"));
    check_file(&c.s, "a.txt", EM_LIT("one two\n"));
    scratch_write(&c.s, "a.txt", EM_LIT("one\n"));
    call(&c, "editFile", args);
    check_done(&c);
}

static void backups_links_and_warnings_are_told(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    char path[200], other[200];
    scratch_write(&c.s, "a.txt", EM_LIT("one\n"));
    scratch_path(&c.s, "a.txt", path);
    scratch_path(&c.s, "b.txt", other);
    assert_int_equal(link(path, other), 0);
    scratch_path(&c.s, "l.txt", other);
    assert_int_equal(symlink("a.txt", other), 0);
    call(&c, "editFile",
         "{'file':'l.txt','operations':[{'search':'one','replace':'1'}],'backup':true}");
    check_done(&c);
    check_field(&c, "file", "'l.txt'");
    check_field(&c, "path_resolved", "'a.txt'");
    check_field(&c, "backup_path", "'a.txt.bak'");
    assert_int_equal(json_array_size(field(&c, "warnings")), 1);
    check_file(&c.s, "a.txt", EM_LIT("1\n"));
    check_file(&c.s, "b.txt", EM_LIT("one\n"));
    call(&c, "editFile", "{'file':'l.txt','operations':[{'search':'one','replace':'1'}]}");
    check_field(&c, "path_resolved", "'a.txt'");
    check_has(&c, "failed in \\\"l.txt\\\":");
}

static void long_texts_are_cut(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    char *text = malloc(30001);
    for (size_t i = 0; i < 10000; i++)
        memcpy(text + 3 * i, i % 2 ? "xy\n" : "ab\n", 3);
    text[30000] = '\0';
    scratch_write(&c.s, "a.txt", em_slice_make(text, 30000));
    call(&c, "editFile",
         "{'file':'a.txt','operations':[{'search':'ab','replace':'AB',"
         "'expectedReplacements':5000}]}");
    check_done(&c);
    check_field(&c, "diffTruncated", "true");
    assert_in_range(json_string_length(field(&c, "diff")), 7000, 8192);
    call_with(&c, "editFile",
              json_pack("{s:s,s:[{s:s,s:s}]}", "file", "a.txt", "operations", "search", text,
                        "replace", ""));
    check_field(&c, "echo_truncated", "true");
    check_has(&c, "(the first 8192 of 30000 bytes)");
    assert_true(json_string_length(field(&c, "error")) < 13000);
    c.over_mcp = false;
    call(&c, "editFile",
         "{'file':'a.txt','operations':[{'search':'AB','replace':'ab',"
         "'expectedReplacements':5000}]}");
    assert_null(field(&c, "diffTruncated"));
    assert_true(json_string_length(field(&c, "diff")) > 30000);
    free(text);
}

/* ---- Misses in a row ----------------------------------------------------------------------- */

#define MISS(file) "{'file':'" file "','operations':[{'search':'zero','replace':'0'}]"
#define HIT(file) "{'file':'" file "','operations':[{'search':'one','replace':'one'}]"
#define ADVICE "in a row on this file: use writeFiles to write it anew, completely."

/* It was sent as it stood there: nothing else is wrong with it. */
static void what_an_edit_before_took_is_told_alone(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("first\n\tsecond\n\tlong line\nlast\n"));
    call(&c, "editFile",
         "{'file':'a.txt','dryRun':true,'operations':[{'search':'\\tlong line','replace':''},"
         "{'search':'\\tlong line','replace':'x'}]}");
    check_has(&c, "It stands at line 3 of the file, but an edit before this one has changed it");
    check_lacks(&c, "Check for tabs");
    check_lacks(&c, "Nothing like it");
}

static void after_two_misses_writing_anew_is_advised(void **state)
{
    (void)state;
    static const struct {
        const char *tool, *args;
        bool advised;
    } steps[] = {
        {"editFile", MISS("a.txt") "}", false},
        {"editFile", MISS("b.txt") "}", false},
        {"editFile", MISS("a.txt") "}", true},
        {"editFile", MISS("a.txt") "}", true},
        {"editFile", HIT("a.txt") "}", false},
        {"editFile", MISS("a.txt") "}", false},
        {"editFiles",
         "{'edits':[{'file':'a.txt','replaceOperations':[{'search':'o','replace':'0',"
         "'expectedReplacements':3}]}]}",
         true},
        {"writeFiles", "{'files':[{'file':'a.txt','content':'one\\n'}]}", false},
        {"editFile", MISS("a.txt") "}", false},
        {"editFile", "{'file':'a.txt','operations':[{'search':'','replace':'x'}]}", true},
        {"editFile", MISS("./a.txt") "}", true},
    };
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("one\n"));
    scratch_write(&c.s, "b.txt", EM_LIT("one\n"));
    for (size_t i = 0; i < COUNT_OF(steps); i++) {
        call(&c, steps[i].tool, steps[i].args);
        if (steps[i].advised)
            check_has(&c, ADVICE);
        else
            check_lacks(&c, "writeFiles");
    }
}

/* Whatever it is that an edit asks of the text in vain. */
static void all_failures_of_edits_count(void **state)
{
    (void)state;
    static const char *const failures[] = {
        MISS("a.txt") "}",
        "{'file':'a.txt','operations':[{'search':'','replace':'x'}]}",
        "{'file':'a.txt','operations':[{'search':'one','replace':'1\\n// ... rest unchanged "
        "...'}]}",
        "{'file':'a.txt','operations':[{'search':'one','replace':'\\u0000'}]}",
        "{'file':'a.txt','operations':[{'search':'one','replace':'\\u4e00'}],"
        "'encoding':'latin-1'}",
        "{'file':'a.txt','operations':[{'search':'import alpha','replace':"
        "'import beta, gamma, delta'}]}",
    };
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("one\nimport beta, gamma, delta\n"));
    for (size_t i = 0; i < COUNT_OF(failures); i++) {
        bool is_done = i + 1 == COUNT_OF(failures);
        call(&c, "editFile", HIT("a.txt") "}");
        call(&c, "editFile", failures[i]);
        check_field(&c, "success", "false");
        check_lacks(&c, "in a row");
        call(&c, "editFile", failures[i]);
        check_has(&c, is_done ? "This is failure 2 in a row on this file: if it still is not as it "
                                "is to be, use writeFiles to write it anew, completely."
                              : ADVICE);
    }
}

/* Where writing anew would not help, or would take what others wrote. */
static void other_failures_do_not_count(void **state)
{
    (void)state;
    static const char stale[] = "{'file':'a.txt','operations':[{'search':'one','replace':'1'}],"
                                "'expected_hash':'00000000000000000000000000000000'}";
    static const char binary[] = "{'file':'b','operations':[{'search':'one','replace':'1'}]}";
    static const char unknown[] =
        "{'file':'c','operations':[{'search':'caf\\u00e9','replace':'x'}]}";
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "c", EM_LIT("caf\xe9\n"));
    scratch_write(&c.s, "a.txt", EM_LIT("one\n"));
    scratch_write(&c.s, "b", EM_LIT("one\0\n"));
    for (int i = 0; i < 3; i++) {
        call(&c, "editFile", stale);
        check_lacks(&c, "in a row");
        call(&c, "editFile", binary);
        check_lacks(&c, "in a row");
        call(&c, "editFile", unknown);
        check_field(&c, "cause", "'encoding'");
        check_lacks(&c, "in a row");
    }
    call(&c, "editFile", MISS("a.txt") "}");
    check_lacks(&c, "in a row");
    call(&c, "editFile", stale);
    check_lacks(&c, "in a row");
    call(&c, "editFile", MISS("a.txt") "}");
    check_has(&c, "This is failure 2 " ADVICE);
}

static void without_a_connection_only_a_named_session_is_counted(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    c.stateless = true;
    scratch_write(&c.s, "a.txt", EM_LIT("one\n"));
    for (int i = 0; i < 3; i++) {
        call(&c, "editFile", MISS("a.txt") "}");
        check_lacks(&c, "writeFiles");
    }
    call(&c, "editFile", MISS("a.txt") ",'session':'mine'}");
    check_lacks(&c, "writeFiles");
    call(&c, "editFile", MISS("a.txt") ",'session':'yours'}");
    check_lacks(&c, "writeFiles");
    call(&c, "editFile", MISS("a.txt") ",'session':'mine'}");
    check_has(&c, ADVICE);
    call(&c, "editFile", HIT("a.txt") ",'session':'mine'}");
    call(&c, "editFile", MISS("a.txt") ",'session':'mine'}");
    check_lacks(&c, "writeFiles");
}

/* ---- editFiles ----------------------------------------------------------------------------- */

static void several_files_are_edited(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("one\n"));
    scratch_write(&c.s, "b.txt", EM_LIT("one two\n"));
    call(&c, "editFiles",
         "{'edits':[{'file':'a.txt','replaceOperations':[{'search':'one','replace':'1'}]},"
         "{'file':'b.txt','replaceOperations':[{'search':'one','replace':'1'},"
         "{'search':'two','replace':'2'}],'domOperations':[]},"
         "{'file':'a.txt','replaceOperations':[{'search':'1','replace':'I'}]}],'backup':true}");
    check_done(&c);
    check_file(&c.s, "a.txt", EM_LIT("I\n"));
    check_file(&c.s, "b.txt", EM_LIT("1 2\n"));
    assert_int_equal(json_object_size(c.answer.object), 3);
    assert_true(json_equal(field(&c, "edit_id"), field(&c, "results.0.edit_id")));
    assert_int_equal(json_array_size(field(&c, "results")), 3);
    check_field(&c, "results.1.file", "'b.txt'");
    check_field(&c, "results.1.success", "true");
    check_field(&c, "results.1.matchTiers", "['exact','exact']");
    check_field(&c, "results.1.diff",
                "'--- a/b.txt\\n+++ b/b.txt\\n@@ -1 +1 @@\\n-one two\\n+1 2\\n'");
    check_field(&c, "results.1.backup_path", "'b.txt.bak'");
    check_hash(&c, "results.0.hash", EM_LIT("1\n"));
    check_hash(&c, "results.2.hash", EM_LIT("I\n"));
    assert_true(json_is_string(field(&c, "results.0.edit_id")));
    assert_string_not_equal(json_string_value(field(&c, "results.0.edit_id")),
                            json_string_value(field(&c, "results.2.edit_id")));
    check_history(&c.s, 1, 3);
    call(&c, "writeFiles",
         "{'files':[{'file':'c.txt','content':'c'},{'file':'d.txt','content':'d'}]}");
    check_history(&c.s, 2, 5);
}

static void a_file_is_changed_whole_or_not_at_all(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("one\n"));
    scratch_write(&c.s, "b.txt", EM_LIT("one\n"));
    scratch_write(&c.s, "c.txt", EM_LIT("one\n"));
    call(&c, "editFiles",
         "{'edits':[{'file':'a.txt','replaceOperations':[{'search':'one','replace':'1'}]},"
         "{'file':'b.txt','replaceOperations':[{'search':'one','replace':'1'},"
         "{'search':'two','replace':'2'}]},"
         "{'file':'none.txt','replaceOperations':[{'search':'one','replace':'1'}]},"
         "{'file':'c.txt','replaceOperations':[{'search':'one','replace':'1'}]}]}");
    check_failed(&c, "\"partial\"",
                 "2 of 4 files failed: \"b.txt\", \"none.txt\". results says why");
    check_field(&c, "code", "'NO_MATCH'");
    check_field(&c, "cause", "'not_found'");
    check_file(&c.s, "a.txt", EM_LIT("1\n"));
    check_file(&c.s, "b.txt", EM_LIT("one\n"));
    check_file(&c.s, "c.txt", EM_LIT("1\n"));
    check_field(&c, "results.1.success", "false");
    check_field(&c, "results.1.failedIndex", "1");
    check_field(&c, "results.1.appliedCount", "0");
    check_field(&c, "results.1.code", "'NO_MATCH'");
    check_hash(&c, "results.1.hash", EM_LIT("one\n"));
    assert_null(field(&c, "results.2.hash"));
    const char *error = json_string_value(field(&c, "results.1.error"));
    assert_non_null(
        strstr(error, "Edit operation 2/2 failed in \"b.txt\":\n  Searched for: two\n"));
    assert_non_null(strstr(error, "\n  Nothing was written."));
    check_field(&c, "results.2.success", "false");
    check_field(&c, "results.2.code", "'FILE_NOT_FOUND'");
    check_field(&c, "results.3.success", "true");
}

static void a_retry_is_of_a_whole_call(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("one\nfourteen is here\n"));
    call(&c, "editFiles",
         "{'edits':[{'file':'a.txt','replaceOperations':[{'search':'one','replace':'1'},"
         "{'search':'gone now','replace':'fourteen is here'}]}]}");
    check_failed(&c, "false", NULL);
    check_field(&c, "cause", "'already_applied'");
    check_field(&c, "results.0.cause", "'already_applied'");
    assert_null(field(&c, "results.0.retry"));
    check_field(
        &c, "retry",
        "{'edits':[{'file':'a.txt','replaceOperations':[{'search':'one','replace':'1'}]}]}");
}

static void a_retry_is_of_the_files_that_failed(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "{'search':'gone now','replace':'fourteen is here'}", /* nothing is left of it */
        "{'search':'nothing like this','replace':'x'}",       /* not known what to send */
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(caller) c;
        caller_open(&c, TOOLS);
        scratch_write(&c.s, "a.txt", EM_LIT("one\n"));
        scratch_write(&c.s, "b.txt", EM_LIT("fourteen is here\n"));
        char args[400];
        snprintf(args, sizeof args,
                 "{'edits':[{'file':'a.txt','replaceOperations':[{'search':'one','replace':'1'}]},"
                 "{'file':'b.txt','replaceOperations':[%s]}]}",
                 cases[i]);
        call(&c, "editFiles", args);
        check_field(&c, "success", "'partial'");
        assert_null(field(&c, "retry"));
        assert_null(field(&c, "retry_omitted"));
    }
}

static void when_no_file_is_changed_it_is_an_error(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    EM_AUTO(em_strbuf) want = {0};
    json_t *edits = json_array();
    char name[20];
    for (int i = 0; i < 12; i++) {
        snprintf(name, sizeof name, "f%d\n", i);
        json_array_append_new(edits, json_pack("{s:s,s:[{s:s,s:s}]}", "file", name,
                                               "replaceOperations", "search", "x", "replace", "y"));
        if (i < 10)
            em_strbuf_printf(&want, "%s\"f%d\\x0A\"", i > 0 ? ", " : "", i);
    }
    em_strbuf_puts(&want, " and 2 more. results says why");
    call_with(&c, "editFiles", json_pack("{s:o}", "edits", edits));
    char error[300];
    snprintf(error, sizeof error, "12 of 12 files failed: %.*s", (int)want.len, want.ptr);
    check_failed(&c, "false", error);
    check_field(&c, "code", "'FILE_NOT_FOUND'");
    assert_null(field(&c, "cause"));
    check_field(&c, "results.11.file", "'f11\\n'");
    call(&c, "editFiles",
         "{'edits':[{'file':'none','replaceOperations':[{'search':'x','replace':'y'}]}]}");
    check_failed(&c, "false", "1 of 1 file failed: \"none\". results says why");
}

/* The diff has the text that was replaced, too. */
static void a_long_match_is_told_as_far_as_the_diff_leaves_room(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    EM_AUTO(em_strbuf) file = {0};
    caller_open(&c, TOOLS);
    for (int i = 0; i < 600; i++)
        em_strbuf_printf(&file, "Line number %d of the file\n", i);
    scratch_write(&c.s, "p", em_strbuf_slice(&file));
    char *search = strndup(file.ptr, file.len);
    memcpy(search, "Lnie", 4);
    call_with(&c, "editFile",
              json_pack("{s:s,s:[{s:s,s:s}]}", "file", "p", "operations", "search", search,
                        "replace", "x\n"));
    free(search);
    check_field(&c, "success", "true");
    check_field(&c, "matches.0.matched_text_truncated", "true");
    size_t shown = json_string_length(field(&c, "matches.0.matched_text"));
    assert_in_range(shown, 1000, 1024);
    assert_in_range(shown + json_string_length(field(&c, "diff")), 7000, 8192 + 1024);
}

/* A file that is as was asked is not one that was changed. */
static void where_some_failed_and_none_is_changed_it_is_an_error(void **state)
{
    (void)state;
    static const struct {
        const char *tool, *args, *success;
    } cases[] = {
        {"editFiles",
         "{'edits':[{'file':'c.txt','replaceOperations':[{'search':'c','replace':'c'}]},"
         "{'file':'zz','replaceOperations':[{'search':'c','replace':'d'}]}]}",
         "false"},
        {"editFiles",
         "{'edits':[{'file':'c.txt','replaceOperations':[{'search':'c','replace':'c'}]}]}", "true"},
        {"writeFiles", "{'files':[{'file':'c.txt','content':'c\\n'},{'file':'../x','content':''}]}",
         "false"},
        {"writeFiles",
         "{'files':[{'file':'new','content':''},{'file':'../x','content':''}],'dryRun':true}",
         "'partial'"},
    };
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "c.txt", EM_LIT("c\n"));
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        call(&c, cases[i].tool, cases[i].args);
        check_field(&c, "success", cases[i].success);
        check_field(&c, "results.0.success", "true");
        assert_int_equal(c.answer.is_error, strcmp(cases[i].success, "false") == 0);
    }
}

static void entries_have_their_own_preconditions(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("one\n"));
    scratch_write(&c.s, "old.txt", EM_LIT("one \xE9\n"));
    call(&c, "editFiles",
         "{'edits':[{'file':'a.txt','replaceOperations':[{'search':'one','replace':'1'}],"
         "'expected_hash':'0'},"
         "{'file':'old.txt','replaceOperations':[{'search':'\\u00e9','replace':'\\u00e8'}],"
         "'encoding':'latin1'}],'dryRun':true}");
    check_field(&c, "success", "'partial'");
    check_field(&c, "code", "'CONFLICT'");
    check_field(&c, "results.0.cause", "'changed'");
    check_field(&c, "results.0.dryRun", "true");
    check_field(&c, "results.1.success", "true");
    check_field(&c, "results.1.dryRun", "true");
    check_file(&c.s, "old.txt", EM_LIT("one \xE9\n"));
}

static void an_entry_without_operations_is_refused_before_anything_is_done(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("one\n"));
    call(&c, "editFiles",
         "{'edits':[{'file':'a.txt','replaceOperations':[{'search':'one','replace':'1'}]},"
         "{'file':'b.txt','domOperations':[]}]}");
    check_failed(&c, "false",
                 "No operations provided: edits[1] needs at least one of replaceOperations or "
                 "domOperations");
    check_field(&c, "code", "'INVALID_ARGUMENT'");
    assert_null(field(&c, "retry"));
    assert_null(field(&c, "results"));
    check_file(&c.s, "a.txt", EM_LIT("one\n"));
    call(&c, "editFiles",
         "{'edits':[{'file':'a.txt','replaceOperations':[{'search':'one','replace':'1'}]}],"
         "'atomic':true}");
    check_done(&c);
}

/* ---- writeFiles ---------------------------------------------------------------------------- */

/* ---- All files or none --------------------------------------------------------------------- */

#define EDIT_OF(file, search, replace)                                                             \
    "{'file':'" file "','replaceOperations':[{'search':'" search "','replace':'" replace "'}]}"

static void two_files(caller *c)
{
    caller_open(c, TOOLS);
    scratch_write(&c->s, "a.txt", EM_LIT("one\n"));
    scratch_write(&c->s, "b.txt", EM_LIT("two\n"));
}

static const char *result_text(caller *c, size_t index, const char *key)
{
    return json_string_value(json_object_get(json_array_get(field(c, "results"), index), key));
}

static void all_files_are_changed_or_none(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    two_files(&c);
    call(&c, "editFiles",
         "{'edits':[" EDIT_OF("a.txt", "one", "1") "," EDIT_OF("b.txt", "absent", "x") "," EDIT_OF(
             "c.txt", "x", "y") "],'atomic':true}");
    assert_true(c.answer.is_error);
    check_field(&c, "success", "false");
    check_field(&c, "error",
                "'Nothing was changed: 2 of 3 files failed: \\\"b.txt\\\", \\\"c.txt\\\". results "
                "says why'");
    check_field(&c, "code", "'NO_MATCH'");
    assert_string_equal(result_text(&c, 2, "code"), "FILE_NOT_FOUND");
    check_file(&c.s, "a.txt", EM_LIT("one\n"));
    call(&c, "editFiles",
         "{'edits':[" EDIT_OF("a.txt", "one", "1") "," EDIT_OF("b.txt", "absent",
                                                               "x") "],"
                                                                    "'atomic':true}");
    check_field(&c, "error",
                "'Nothing was changed: 1 of 2 files failed: \\\"b.txt\\\". results says why'");
    assert_string_equal(result_text(&c, 0, "error"),
                        "Nothing was written: all files of this call are changed or none "
                        "(atomic), and edits[1] \"b.txt\" failed. Nothing is wrong with this one");
    assert_null(result_text(&c, 0, "code"));
    assert_non_null(strstr(result_text(&c, 1, "error"), "Edit operation 1/1 failed in \"b.txt\""));
    assert_string_equal(result_text(&c, 1, "code"), "NO_MATCH");
    check_file(&c.s, "a.txt", EM_LIT("one\n"));
    call(&c, "editFiles",
         "{'edits':[" EDIT_OF("a.txt", "one", "1") "," EDIT_OF("b.txt", "two",
                                                               "2") "],"
                                                                    "'atomic':true,'dryRun':true}");
    check_done(&c);
    check_file(&c.s, "a.txt", EM_LIT("one\n"));
    call(&c, "editFiles",
         "{'edits':[" EDIT_OF("a.txt", "one", "1") "," EDIT_OF("b.txt", "two",
                                                               "2") "],"
                                                                    "'atomic':true}");
    check_done(&c);
    assert_non_null(result_text(&c, 1, "edit_id"));
    assert_non_null(strstr(result_text(&c, 1, "diff"), "+2"));
    check_file(&c.s, "a.txt", EM_LIT("1\n"));
    check_file(&c.s, "b.txt", EM_LIT("2\n"));
}

static void all_files_are_written_or_none(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    two_files(&c);
    call(&c, "writeFiles",
         "{'files':[{'file':'new/c.txt','content':'c'},{'file':'a.txt','content':'a'},"
         "{'file':'b.txt','content':'b','expected_hash':'x'}],'atomic':true}");
    assert_true(c.answer.is_error);
    check_field(&c, "code", "'CONFLICT'");
    assert_non_null(strstr(result_text(&c, 1, "error"), "files[2] \"b.txt\" failed"));
    assert_null(field(&c, "results.0.hash"));
    check_hash(&c, "results.1.hash", EM_LIT("one\n"));
    check_file(&c.s, "a.txt", EM_LIT("one\n"));
    call(&c, "writeFiles",
         "{'files':[{'file':'new/c.txt','content':'c'},{'file':'a.txt','content':'a'}],"
         "'atomic':true}");
    check_done(&c);
    check_file(&c.s, "new/c.txt", EM_LIT("c"));
    check_file(&c.s, "a.txt", EM_LIT("a"));
}

static void a_file_is_named_once_when_all_or_none_are_changed(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    two_files(&c);
    call(&c, "editFiles",
         "{'edits':[" EDIT_OF("a.txt", "one", "1") "," EDIT_OF("./a.txt", "one",
                                                               "x") "],"
                                                                    "'atomic':true}");
    assert_true(c.answer.is_error);
    check_field(&c, "code", "'INVALID_ARGUMENT'");
    assert_string_equal(result_text(&c, 1, "error"),
                        "It is the same file as edits[0]. Send all that is to be done to it in "
                        "one entry");
    assert_string_equal(result_text(&c, 1, "code"), "INVALID_ARGUMENT");
    check_file(&c.s, "a.txt", EM_LIT("one\n"));
}

/* It is seen before anything is written, in whatever order they are sent. */
static void a_file_is_no_folder_of_another_when_all_or_none_are_made(void **state)
{
    (void)state;
    static const char *const calls[] = {
        "{'files':[{'file':'n','content':'x'},{'file':'n/d/a','content':'y'}],'atomic':true}",
        "{'files':[{'file':'n/d/a','content':'y'},{'file':'n','content':'x'}],'atomic':true}"};
    for (size_t i = 0; i < COUNT_OF(calls); i++) {
        EM_AUTO(caller) c;
        two_files(&c);
        call(&c, "writeFiles", calls[i]);
        assert_true(c.answer.is_error);
        check_field(&c, "code", "'INVALID_ARGUMENT'");
        assert_string_equal(result_text(&c, 1 - i, "error"),
                            "n/d/a: n is in the same call, as a file: n/d/a cannot be made below "
                            "it");
        assert_null(scratch_read(&c.s, "n").ptr);
    }
}

static void what_is_no_files_fault_is_told_once(void **state)
{
    (void)state;
    for (int knows = 1; knows >= 0; knows--) {
        em_sys sys = system_without_commit(knows); /* outlives the caller */
        em_session_options options = {.workspace = {.sys = &sys}};
        EM_AUTO(caller) c = {.tools = TOOLS, .over_mcp = true};
        scratch_open(&c.s, &options);
        scratch_write(&c.s, "a.txt", EM_LIT("one\n"));
        scratch_write(&c.s, "b.txt", EM_LIT("two\n"));
        call(&c, "editFiles",
             "{'edits':[" EDIT_OF("a.txt", "one", "1") "," EDIT_OF("b.txt", "two",
                                                                   "2") "],"
                                                                        "'atomic':true}");
        assert_true(c.answer.is_error);
        check_field(&c, "success", "false");
        check_field(&c, "code", knows ? "'IO_ERROR'" : "'CONFLICT'");
        const char *error = json_string_value(field(&c, "error"));
        assert_non_null(strstr(error, knows ? "Input/output error: this call"
                                            : "What became of this call is not known yet"));
        assert_non_null(strstr(result_text(&c, 0, "error"),
                               knows ? "Nothing was written" : "What became of it is not known"));
        assert_non_null(strstr(result_text(&c, 1, "error"), "and the call failed"));
        if (knows)
            check_file(&c.s, "a.txt", EM_LIT("one\n"));
        else
            assert_non_null(strstr(error, "emend recover"));
        nobody_knows = false; /* for what comes when the session ends */
    }
}

static void files_are_written_whole(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    c.over_mcp = false;
    scratch_write(&c.s, "a.txt", EM_LIT("old\n"));
    call(&c, "writeFiles",
         "{'files':[{'file':'new/deep/b.txt','content':'hi\\n'},"
         "{'file':'a.txt','content':'new\\n'}],'backup':true}");
    check_done(&c);
    check_file(&c.s, "new/deep/b.txt", EM_LIT("hi\n"));
    check_file(&c.s, "a.txt", EM_LIT("new\n"));
    check_field(&c, "results.0.created", "true");
    check_field(&c, "results.0.diff",
                "'--- /dev/null\\n+++ b/new/deep/b.txt\\n@@ -0,0 +1 @@\\n+hi\\n'");
    assert_null(field(&c, "results.0.backup_path"));
    check_hash(&c, "results.0.hash", EM_LIT("hi\n"));
    check_field(&c, "results.1.created", "false");
    check_field(&c, "results.1.diff", "'--- a/a.txt\\n+++ b/a.txt\\n@@ -1 +1 @@\\n-old\\n+new\\n'");
    check_field(&c, "results.1.backup_path", "'a.txt.bak'");
    assert_true(json_is_string(field(&c, "results.1.edit_id")));
    assert_null(field(&c, "results.1.matchTiers"));
    check_field(&c, "results.1.content", "'new\\n'");
    c.over_mcp = true; /* where a model has just sent it */
    call(&c, "writeFiles", "{'files':[{'file':'a.txt','content':'newer\\n'}]}");
    assert_null(field(&c, "results.0.content"));
    call(&c, "writeFiles",
         "{'files':[{'file':'a.txt','content':'newest\\n'}],'returnContent':true}");
    check_field(&c, "results.0.content", "'newest\\n'");
}

/* What is another file of the call, or a folder that it needs, is nobody's backup. */
static void a_backup_has_no_name_of_the_call(void **state)
{
    (void)state;
    static const struct {
        const char *path, *want;
    } cases[] = {
        {"a.txt.bak", "'a.txt.bak1'"},
        {"./a.txt.bak", "'a.txt.bak1'"},
        {"a.txt.bak/x", "'a.txt.bak1'"},
        {"a.txt.bak1", "'a.txt.bak'"},
        {"a.txt.baked", "'a.txt.bak'"},
        {"ba.txt.bak", "'a.txt.bak'"},
        {"xa.txt.bak/a.txt.bak", "'a.txt.bak1'"},
    };
    for (size_t i = 0; i < 2 * COUNT_OF(cases); i++) {
        const char *path = cases[i / 2].path;
        EM_AUTO(caller) c;
        caller_open(&c, TOOLS);
        scratch_write(&c.s, "a.txt", EM_LIT("one\n"));
        call_with(&c, "writeFiles",
                  json_pack("{s:b,s:b,s:[{s:s,s:s},{s:s,s:s}]}", "backup", 1, "atomic",
                            (int)(i % 2), "files", "file", "a.txt", "content", "1\n", "file", path,
                            "content", "2\n"));
        check_done(&c);
        check_field(&c, "results.0.backup_path", cases[i / 2].want);
        check_field(&c, "results.1.created", "true");
        check_file(&c.s, json_string_value(field(&c, "results.0.backup_path")), EM_LIT("one\n"));
        check_file(&c.s, path, EM_LIT("2\n"));
    }
}

/* As in a dry run, a later entry does not find what an earlier one keeps. */
static void a_backup_is_not_edited_by_its_call(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("one\n"));
    call(&c, "editFiles",
         "{'edits':[{'file':'a.txt','replaceOperations':[{'search':'one','replace':'1'}]},"
         "{'file':'a.txt.bak','replaceOperations':[{'search':'one','replace':'2'}]}],"
         "'backup':true}");
    check_field(&c, "results.0.backup_path", "'a.txt.bak1'");
    check_field(&c, "results.1.code", "'FILE_NOT_FOUND'");
    check_file(&c.s, "a.txt.bak1", EM_LIT("one\n"));
}

static void a_file_that_cannot_be_written_does_not_stop_the_others(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("old\n"));
    call(&c, "writeFiles",
         "{'files':[{'file':'../x','content':'hi\\n'},{'file':'n.txt','content':'a\\u0000b'},"
         "{'file':'a.txt','content':'new\\n','expected_hash':'0'},"
         "{'file':'l.txt','content':'\\u00e9','encoding':'latin1'},"
         "{'file':'s.txt','content':'// ... existing code ...'}]}");
    check_failed(&c, "\"partial\"",
                 "3 of 5 files failed: \"../x\", \"n.txt\", \"a.txt\". results says why");
    check_field(&c, "code", "'OUTSIDE_WORKSPACE'");
    check_field(&c, "results.0.code", "'OUTSIDE_WORKSPACE'");
    check_field(&c, "results.1.code", "'INVALID_ARGUMENT'");
    check_field(&c, "results.1.error",
                "'content holds a NUL character\\nA file with a NUL is no text any more: leave it "
                "out'");
    assert_null(field(&c, "results.1.failedIndex"));
    check_field(&c, "results.2.code", "'CONFLICT'");
    check_file(&c.s, "l.txt", EM_LIT("\xE9"));
    check_file(&c.s, "a.txt", EM_LIT("old\n"));
    call(&c, "writeFiles", "{'files':[{'file':'new.txt','content':'x'}],'dryRun':true}");
    check_field(&c, "results.0.created", "true");
    check_field(&c, "results.0.dryRun", "true");
    assert_null(scratch_read(&c.s, "new.txt").ptr);
}

/* ---- readFile ------------------------------------------------------------------------------ */

static void a_file_is_read(void **state)
{
    (void)state;
    static const struct {
        const char *args, *content;
        int total, first, last;
    } cases[] = {
        {"{'file':'a.txt'}", "'one\\r\\ntwo\\nthree'", 3, 1, 3},
        {"{'file':'a.txt','startLine':2}", "'two\\nthree'", 3, 2, 3},
        {"{'file':'a.txt','endLine':1}", "'one\\r\\n'", 3, 1, 1},
        {"{'file':'a.txt','startLine':2,'endLine':2}", "'two\\n'", 3, 2, 2},
        {"{'file':'a.txt','startLine':2,'endLine':9}", "'two\\nthree'", 3, 2, 3},
        {"{'file':'empty.txt'}", "''", 0, 1, 0},
        {"{'file':'empty.txt','endLine':9}", "''", 0, 1, 0},
    };
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("\xEF\xBB\xBFone\r\ntwo\nthree"));
    scratch_write(&c.s, "empty.txt", EM_LIT(""));
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        call(&c, "readFile", cases[i].args);
        check_done(&c);
        check_field(&c, "content", cases[i].content);
        assert_int_equal(json_integer_value(field(&c, "totalLines")), cases[i].total);
        assert_int_equal(json_integer_value(field(&c, "startLine")), cases[i].first);
        assert_int_equal(json_integer_value(field(&c, "endLine")), cases[i].last);
        assert_null(field(&c, "encoding"));
        assert_null(field(&c, "path_resolved"));
    }
    call(&c, "readFile", "{'file':'./a.txt'}");
    check_field(&c, "file", "'./a.txt'");
    check_field(&c, "path_resolved", "'a.txt'");
    check_hash(&c, "hash", EM_LIT("\xEF\xBB\xBFone\r\ntwo\nthree"));
}

static void encodings_are_read(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "w.txt", EM_LIT("\xFF\xFEh\0i\0"));
    scratch_write(&c.s, "old.txt", EM_LIT("caf\xE9"));
    call(&c, "readFile", "{'file':'w.txt'}");
    check_field(&c, "content", "'hi'");
    check_field(&c, "encoding", "'utf-16le'");
    call(&c, "readFile", "{'file':'old.txt'}");
    check_field(&c, "content", "'caf\xEF\xBF\xBD'");
    check_field(&c, "encoding", "'unknown-8bit'");
    assert_non_null(strstr(json_string_value(field(&c, "warnings.0")), "not valid UTF-8"));
    call(&c, "readFile", "{'file':'old.txt','encoding':'latin1'}");
    check_field(&c, "content", "'caf\xC3\xA9'");
    assert_null(field(&c, "warnings"));
    call(&c, "editFile",
         "{'file':'w.txt','operations':[{'search':'hi','replace':'ho'}],'returnContent':true}");
    check_field(&c, "content", "'ho'");
    check_file(&c.s, "w.txt", EM_LIT("\xFF\xFEh\0o\0"));
}

/* ---- Failures of every tool ---------------------------------------------------------------- */

static void every_failure_has_its_code(void **state)
{
    (void)state;
    static const struct {
        const char *tool, *args, *code, *error;
    } cases[] = {
        {"readFile", "{'file':'none.txt'}", "FILE_NOT_FOUND",
         "File not found: none.txt\nRelative paths start at ROOT"},
        {"readFile", "{'file':'d'}", "NOT_A_FILE",
         "Not a file: d\nIt is a folder: name a file in it"},
        {"readFile", "{'file':'a.bin'}", "BINARY_FILE",
         "File appears to be binary: a.bin\nIt is no text (it holds NUL bytes). "
         "If it is in an encoding such as UTF-16 without a byte order mark, name that "
         "as encoding"},
        {"readFile", "{'file':'a.txt','startLine':3}", "INVALID_ARGUMENT",
         "a.txt: line 3 is beyond the end: the file has 2 lines\n"
         "Send as startLine and endLine numbers from 1 to 2, the higher one last, or neither for "
         "all of the file"},
        {"editFile", "{'file':'none.txt','operations':[{'search':'x','replace':'y'}]}",
         "FILE_NOT_FOUND",
         "File not found: none.txt\nRelative paths start at ROOT\nTo make a new file, use "
         "writeFiles"},
        {"editFile", "{'file':'../x','operations':[{'search':'x','replace':'y'}]}",
         "OUTSIDE_WORKSPACE",
         "Access denied: ../x is outside the workspace\nFiles must lie in ROOT"},
        {"editFile", "{'file':'.git/config','operations':[{'search':'x','replace':'y'}]}",
         "PERMISSION_DENIED", NULL},
        {"editFile", "{'file':'fifo','operations':[{'search':'x','replace':'y'}]}", "NOT_A_FILE",
         "Not a file: fifo\nIt is a FIFO, a socket or a device, and only files can be used"},
        {"editFile", "{'file':'loop','operations':[{'search':'x','replace':'y'}]}", "IO_ERROR",
         NULL},
        {"editFile",
         "{'file':'a.txt','operations':[{'search':'x','replace':'y'}],"
         "'encoding':'klingon'}",
         "INVALID_ARGUMENT", NULL},
    };
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("one\ntwo\n"));
    scratch_write(&c.s, "a.bin", EM_LIT("a\0b"));
    char path[200];
    scratch_path(&c.s, "d", path);
    assert_int_equal(mkdir(path, 0755), 0);
    scratch_path(&c.s, ".git", path);
    assert_int_equal(mkdir(path, 0755), 0);
    scratch_write(&c.s, ".git/config", EM_LIT("x\n"));
    scratch_path(&c.s, "fifo", path);
    assert_int_equal(mkfifo(path, 0644), 0);
    scratch_path(&c.s, "loop", path);
    assert_int_equal(symlink("loop", path), 0);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_strbuf) want = {0};
        for (const char *at = cases[i].error ? cases[i].error : ""; *at; at++)
            if (strncmp(at, "ROOT", 4) == 0)
                em_strbuf_puts(&want, c.s.root), at += 3;
            else
                em_strbuf_putc(&want, *at);
        em_strbuf_putc(&want, '\0');
        call(&c, cases[i].tool, cases[i].args);
        check_failed(&c, "false", cases[i].error ? want.ptr : NULL);
        assert_string_equal(json_string_value(field(&c, "code")), cases[i].code);
        assert_true(json_is_string(field(&c, "file")));
        assert_null(field(&c, "content"));
        assert_null(field(&c, "failedIndex"));
    }
    call(&c, "readFile", "{'file':'a.txt','startLine':3}");
    check_field(&c, "totalLines", "2");
    check_field(&c, "cause", "'range'");
}

static void the_servers_limit_counts_a_whole_call(void **state)
{
    (void)state;
    static const struct {
        const char *tool, *args;
        bool refused;
    } cases[] = {
        {"editFile",
         "{'file':'a.txt','operations':[{'search':'one','replace':'one'},"
         "{'search':'one','replace':'one'}]}",
         false},
        {"editFile",
         "{'file':'a.txt','operations':[{'search':'one','replace':'one'},"
         "{'search':'one','replace':'one'},{'search':'one','replace':'one'}]}",
         true},
        {"editFiles",
         "{'edits':[{'file':'a.txt','replaceOperations':[{'search':'one','replace':'1'}]},"
         "{'file':'a.txt','replaceOperations':[{'search':'1','replace':'one'}]}]}",
         false},
        {"editFiles",
         "{'edits':[{'file':'a.txt','replaceOperations':[{'search':'one','replace':'1'}]},"
         "{'file':'a.txt','replaceOperations':[{'search':'1','replace':'2'},"
         "{'search':'2','replace':'3'}]}]}",
         true},
        {"writeFiles",
         "{'files':[{'file':'b','content':''},{'file':'c','content':''},"
         "{'file':'d','content':''}]}",
         true},
    };
    EM_AUTO(caller) c = {.tools = TOOLS, .over_mcp = true};
    em_session_options options = {.max_edits = 2};
    scratch_open(&c.s, &options);
    scratch_write(&c.s, "a.txt", EM_LIT("one\n"));
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        call(&c, cases[i].tool, cases[i].args);
        assert_int_equal(c.answer.is_error, cases[i].refused);
        if (!cases[i].refused)
            continue;
        check_failed(&c, "false", NULL);
        check_field(&c, "code", "'TOO_MANY_EDITS'");
        check_has(&c, ": 3 edits; at most 2 are taken in one call\\nSplit them over several calls");
        check_file(&c.s, "a.txt", EM_LIT("one\n"));
    }
}

/* ---- Arguments ----------------------------------------------------------------------------- */

static void there_is_no_limit_of_its_own(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("one\n"));
    json_t *operations = json_array();
    for (int i = 0; i < 1001; i++)
        json_array_append_new(operations, json_pack("{s:s,s:s}", "search", i % 2 ? "two" : "one",
                                                    "replace", i % 2 ? "one" : "two"));
    call_with(&c, "editFile", json_pack("{s:s,s:o}", "file", "a.txt", "operations", operations));
    check_done(&c);
    check_file(&c.s, "a.txt", EM_LIT("two\n"));
    assert_int_equal(json_array_size(field(&c, "matchTiers")), 1001);
}

static void wrong_arguments_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *tool, *args, *error;
    } cases[] = {
        {"editFile", "{}",
         "Missing argument file: it must be a string\n"
         "No operations provided: missing argument operations: it must be a list"},
        {"editFile", "{'file':'a.txt','operations':[]}",
         "No operations provided: operations needs at least one element"},
        {"editFile", "{'file':'','operations':[{'search':'x','replace':'y'}]}",
         "file must not be empty"},
        {"editFile", "{'file':'a\\u0000b','operations':[{'search':'x','replace':'y'}]}",
         "file must not hold a NUL character"},
        {"editFile", "{'file':'a.txt','operations':[{'search':'x','replace':'y'},{'search':1}]}",
         "operations[1].search must be a string, but an integer came: 1 (send \"1\")\n"
         "Missing argument operations[1].replace: it must be a string"},
        {"editFile",
         "{'file':'a.txt','operations':[{'search':'x','replace':'y',"
         "'expectedReplacements':0}]}",
         "operations[0].expectedReplacements must be at least 1, but 0 came"},
        {"editFiles", "{}", "No edits provided: missing argument edits: it must be a list"},
        {"editFiles", "{'edits':[]}", "No edits provided: edits needs at least one element"},
        {"editFiles", "{'edits':[{'file':'a.txt','replaceOperations':[]}]}",
         "No replaceOperations provided: edits[0].replaceOperations needs at least one element"},
        {"editFiles", "{'edits':7}", "edits must be a list, but an integer came: 7"},
        {"writeFiles", "{}", "No files provided: missing argument files: it must be a list"},
        {"writeFiles", "{'files':[]}", "No files provided: files needs at least one element"},
        {"writeFiles", "{'files':[{'file':'a.txt'}]}",
         "Missing argument files[0].content: it must be a string"},
        {"readFile", "{}", "Missing argument file: it must be a string"},
        {"readFile", "{'file':'a.txt','startLine':0}", "startLine must be at least 1, but 0 came"},
        {"readFile", "{'file':'a.txt','startLine':'one'}",
         "startLine must be an integer, but a string came: \"one\""},
    };
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("one\n"));
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        call(&c, cases[i].tool, cases[i].args);
        check_failed(&c, "false", cases[i].error);
        check_field(&c, "code", "'INVALID_ARGUMENT'");
        assert_null(field(&c, "retry"));
    }
    check_field(&c, "file", "'a.txt'");
    call(&c, "readFile", "{'file':'a.txt','startLine':'1'}");
    check_failed(&c, "false", "startLine must be an integer, but a string came: \"1\" (send 1)");
    check_field(&c, "retry", "{'file':'a.txt','startLine':1}");
}

/* An answer about several files is about none by its name. */
static void a_refusal_names_a_file_only_where_the_tool_takes_one(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    call(&c, "editFile", "{'file':'a.txt','operations':[]}");
    check_field(&c, "file", "'a.txt'");
    call(&c, "editFiles", "{'file':'a.txt','edits':[]}");
    assert_null(field(&c, "file"));
    call(&c, "writeFiles", "{'file':'a.txt','content':'x'}");
    assert_null(field(&c, "file"));
}

static void the_names_that_were_meant_can_be_sent_at_once(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("one\n"));
    call(&c, "editFile", "{'file':'a.txt','operation':[{'search':'one','replacement':'1'}]}");
    check_failed(&c, "false", NULL);
    check_has(&c, "Unknown argument operation. Did you mean operations?");
    check_field(&c, "retry", "{'file':'a.txt','operations':[{'search':'one','replace':'1'}]}");
    call_with(&c, "editFile", json_incref(field(&c, "retry")));
    check_file(&c.s, "a.txt", EM_LIT("1\n"));
    call(&c, "readFile", "{'files':'a.txt'}");
    check_field(&c, "retry", "{'file':'a.txt'}");
    call(&c, "readFile", "{'path':'a.txt'}");
    check_field(&c, "retry", "{'file':'a.txt'}");
    call(&c, "writeFiles", "{'files':[{'path':'a.txt','text':'2'}]}");
    check_field(&c, "retry", "{'files':[{'file':'a.txt','content':'2'}]}");
    call(&c, "editFile", "{'path':'a.txt','edits':[{'old_text':'1','new_text':'2'}]}");
    check_field(&c, "retry", "{'file':'a.txt','operations':[{'search':'1','replace':'2'}]}");
    assert_null(field(&c, "file"));
}

/* What is asked for in another way than here, and can mean one thing only. */
static void what_other_tools_ask_for_can_be_sent_at_once(void **state)
{
    (void)state;
    static const struct {
        const char *tool, *args, *told, *retry; /* NULL: not clear */
    } cases[] = {
        {"readFile", "{'file':'a.html','offset':2,'limit':3}",
         "Unknown argument limit. Did you mean endLine? It is the number of the last line, and not "
         "how many there are: send 4",
         "{'file':'a.html','startLine':2,'endLine':4}"},
        {"readFile", "{'file':'a.html','limit':'3'}", "send 3.", "{'file':'a.html','endLine':3}"},
        {"readFile", "{'file':'a.html','startLine':2,'limit':3}", "send 4.",
         "{'file':'a.html','startLine':2,'endLine':4}"},
        {"readFile", "{'file':'a.html','limit':3,'endLine':3}", "Unknown argument limit. Known",
         NULL},
        {"readFile", "{'file':'a.html','offset':0,'limit':3}", "send 3",
         "{'file':'a.html','startLine':1,'endLine':3}"},
        {"readFile", "{'file':'a.html','offset':2,'limit':9223372036854775807}",
         "Unknown argument limit\"", NULL},
        {"writeFiles", "{'files':[{'file':'a.html','content':'x'}],'on_conflict':'merge'}",
         "Did you mean files[].on_conflict?",
         "{'files':[{'file':'a.html','content':'x','on_conflict':'merge'}]}"},
        {"writeFiles",
         "{'files':[{'file':'a','content':'x'},{'file':'b','content':'x'}],'on_conflict':'merge'}",
         "Did you mean files[].on_conflict?", NULL}, /* of which? */
        {"writeFiles",
         "{'files':[{'file':'a','content':'x'},{'file':'b','content':'x'}],'encoding':'utf-8'}",
         "Did you mean files[].encoding?",
         "{'files':[{'file':'a','content':'x','encoding':'utf-8'},"
         "{'file':'b','content':'x','encoding':'utf-8'}]}"},
        {"writeFiles",
         "{'files':[{'file':'a','content':'x'},{'file':'b','content':'x','encoding':'utf-16'}],"
         "'encoding':'utf-8'}",
         "Did you mean files[].encoding?", NULL},
        {"writeFiles",
         "{'files':[{'file':'a','content':'x','on_conflict':'fail'}],'on_conflict':'merge'}",
         "Unknown argument on_conflict", NULL},
        {"editFiles",
         "{'edits':[{'file':'a.html','replaceOperations':[{'search':'x','replace':'y'}]}],"
         "'expectedHash':'00000000000000000000000000000000'}",
         "Did you mean edits[].expected_hash?",
         "{'edits':[{'file':'a.html','replaceOperations':[{'search':'x','replace':'y'}],"
         "'expected_hash':'00000000000000000000000000000000'}]}"},
        {"editFiles",
         "{'edits':[{'file':'a.html','replaceOperations':[],'domOperations':[{'selector':'p',"
         "'action':'remove'}]}]}",
         "edits[0].replaceOperations needs at least one element",
         "{'edits':[{'file':'a.html','domOperations':[{'selector':'p','action':'remove'}]}]}"},
        {"editDOM",
         "{'file':'a.html','operations':[{'selector':'p','action':'setAttribute','attr':'Disabled',"
         "'value':true}]}",
         "must be a string, but a boolean came: true (send \\\"\\\")",
         "{'file':'a.html','operations':[{'selector':'p','action':'setAttribute','attr':'Disabled',"
         "'value':''}]}"},
        {"editDOM",
         "{'file':'a.html','operations':[{'selector':'p','action':'setAttribute','attr':'data-x',"
         "'value':true}]}",
         "must be a string, but a boolean came: true", NULL},
        {"editDOM",
         "{'file':'a.html','operations':[{'selector':'p','action':'setText','attr':'open',"
         "'value':true}]}",
         "must be a string, but a boolean came: true", NULL},
    };
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        call(&c, cases[i].tool, cases[i].args);
        check_failed(&c, "false", NULL);
        check_has(&c, cases[i].told);
        if (cases[i].retry)
            check_field(&c, "retry", cases[i].retry);
        else
            assert_null(field(&c, "retry"));
    }
}

/* What another tool of the family takes is told where that is offered. */
static void lists_of_other_tools_are_known(void **state)
{
    (void)state;
    static const char call_with_elements[] =
        "{'file':'a.html','domOperations':[{'selector':'p','action':'setText','value':'x'}]}";
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    call(&c, "editFile", call_with_elements);
    check_has(&c, "domOperations is an argument of editFiles: edits[].domOperations");
    call(&c, "editFiles", "{'files':[{'file':'a.txt','content':'x'}]}");
    check_has(&c, "files is an argument of writeFiles");
    check_lacks(&c, "writeFiles: files");
    call(&c, "editFile", "{'file':'a.txt','edits':[{'search':'x'}]}"); /* it has a word for these */
    check_has(&c, "Unknown argument edits. Did you mean operations?");
    check_lacks(&c, "is an argument of");
    call(&c, "editFile",
         "{'edits':[{'file':'a.txt','replaceOperations':[{'search':'x','replace':'y'}]}]}");
    check_has(&c, "edits is an argument of editFiles");
    c.tools = "editFile,readFile,editor";
    call(&c, "editFile", call_with_elements);
    check_lacks(&c, "is an argument of");
    call(&c, "editFile", "{'file':'a.txt','files':[]}"); /* no other family's */
    check_lacks(&c, "is an argument of");
}

/* Each is planned, and the lines of one are not there any more: those before it are kept. */
static void what_cannot_be_carried_over_fails_as_an_operation(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("a\nb\nc\nd\n"));
    call(&c, "readFile", "{'file':'a.txt'}");
    char *hash = strdup(json_string_value(field(&c, "hash")));
    scratch_write(&c.s, "a.txt", EM_LIT("new\na\nb\nc\nD\n"));
    call_with(&c, "editFile",
              json_pack("{s:s,s:s,s:s,s:[{s:s,s:s},{s:s,s:s}]}", "file", "a.txt", "expected_hash",
                        hash, "on_conflict", "merge", "operations", "search", "a", "replace", "A",
                        "search", "c\nd", "replace", "C\nd"));
    free(hash);
    assert_false(c.answer.is_error);
    check_field(&c, "success", "'partial'");
    check_field(&c, "code", "'CONFLICT'");
    check_field(&c, "failedIndex", "1");
    check_field(&c, "appliedCount", "1");
    check_field(
        &c, "error",
        "'Edit operation 2/2 failed in \\\"a.txt\\\":\\n  a.txt has changed: the lines to be "
        "changed are not what was read\\nThe lines as they were read (between >>> and "
        "<<<):\\n>>>c\\nd\\n<<<\\nThe lines as they are now, at line 4 (between >>> and "
        "<<<):\\n>>>c\\nD\\n<<<\\nWhat others wrote is in place, and what was done before it is "
        "kept: do "
        "not send that again.\\nUse readFile to see what the file holds now, then send the call "
        "for "
        "that'");
    check_file(&c.s, "a.txt", EM_LIT("new\nA\nb\nc\nD\n"));
}

/* Nor where there are none of what was read. */
static void what_was_never_there_is_shown_as_it_is_now(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("a\nthe width of a page\n"));
    call(&c, "readFile", "{'file':'a.txt'}");
    char *hash = strdup(json_string_value(field(&c, "hash")));
    scratch_write(&c.s, "a.txt", EM_LIT("new\na\nthe width of the page\n"));
    call_with(&c, "editFile",
              json_pack("{s:s,s:s,s:s,s:[{s:s,s:s}]}", "file", "a.txt", "expected_hash", hash,
                        "on_conflict", "merge", "operations", "search", "the widths of my page",
                        "replace", "w"));
    free(hash);
    check_field(&c, "code", "'CONFLICT'");
    check_has(&c,
              "nor can it in the file as it is now: not_found: the search text does not stand in "
              "the file\\nThe lines that are most like the text now, at line 3 (between >>> and "
              "<<<):\\n>>>the width of the page<<<\\nNothing was written");
    check_lacks(&c, "The lines as they were read");
}

/* There is nothing to be read, so that is not what is advised. */
static void a_file_that_is_gone_can_be_made_anew(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    call(&c, "writeFiles", "{'files':[{'file':'a.txt','content':'x','expected_hash':'0'}]}");
    check_field(&c, "results.0.code", "'CONFLICT'");
    check_field(&c, "results.0.error",
                "'a.txt has changed: the file is gone\\nNothing was written, and what others wrote "
                "is in place.\\nTo make the file anew, write it whole, without what it "
                "is expected to "
                "be (expected_hash and its like)'");
}

/* What one file of the call becomes, the next one meets, though nothing is written. */
static void a_dry_run_goes_as_the_call_would(void **state)
{
    static const char edits[] =
        "{'dryRun':true,'edits':["
        "{'file':'a.txt','replaceOperations':[{'search':'one','replace':'two'}]},"
        "{'file':'./a.txt','replaceOperations':[{'search':'two','replace':'three'}]},"
        "{'file':'a.txt','replaceOperations':[{'search':'one','replace':'four'}]}]}";
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("one\n"));
    call(&c, "editFiles", edits);
    check_field(&c, "results.0.success", "true");
    check_field(&c, "results.1.success", "true");
    check_field(&c, "results.1.diff",
                "'--- a/a.txt\\n+++ b/a.txt\\n@@ -1 +1 @@\\n-two\\n+three\\n'");
    check_field(&c, "results.2.code", "'NO_MATCH'");
    check_file(&c.s, "a.txt", EM_LIT("one\n"));
    for (size_t i = 0; i < 2; i++) {
        const char *hash =
            json_string_value(field(&c, i == 0 ? "results.0.hash" : "results.1.hash"));
        assert_string_equal(hash, em_hash_of(EM_LIT("one\n")).hex);
    }
    call(&c, "editFiles", edits); /* nothing is left of the one before */
    check_field(&c, "results.0.success", "true");

    call(&c, "writeFiles",
         "{'dryRun':true,'files':[{'file':'n','content':''},{'file':'n/a','content':''},"
         "{'file':'n','content':'x'},{'file':'m/a','content':''},{'file':'m','content':''}]}");
    check_field(&c, "results.1.error",
                "'File not found: n/a\\nn is no folder: nothing can be made below it'");
    check_field(&c, "results.0.created", "true");
    check_field(&c, "results.2.created", "false");
    assert_null(field(&c, "results.0.hash"));
    assert_null(field(&c, "results.2.hash")); /* it is not there, whatever it would be */
    check_field(&c, "results.4.code", "'NOT_A_FILE'");
}

/* Links lead through what the call would make, and a file is a name less where it would be another
 * one by then. */
static void a_dry_run_leads_through_what_the_call_would_make(void **state)
{
    static const char *const runs[] = {"true", "false"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(runs); i++) {
        EM_AUTO(caller) c;
        char path[200], other[200];
        caller_open(&c, TOOLS);
        scratch_path(&c.s, "to-file", path);
        assert_int_equal(symlink("new/x", path), 0);
        scratch_path(&c.s, "to-folder", path);
        assert_int_equal(symlink("new", path), 0);
        scratch_write(&c.s, "a.txt", EM_LIT("one\n"));
        scratch_path(&c.s, "a.txt", path);
        for (const char *name = "bc"; *name; name++) {
            char link_name[] = {*name, '\0'};
            scratch_path(&c.s, link_name, other);
            assert_int_equal(link(path, other), 0);
        }
        call(&c, "writeFiles",
             em_arena_format(&c.s.arena,
                             "{'dryRun':%s,'files':[{'file':'to-file','content':'0'},"
                             "{'file':'new/x','content':'1'},{'file':'to-file','content':'2'},"
                             "{'file':'to-folder/y','content':''},{'file':'new/../z','content':''},"
                             "{'file':'to-folder','content':''},{'file':'new/x/y','content':''},"
                             "{'file':'to-file/y','content':''},{'file':'new\\\\x','content':''},"
                             "{'file':'none/../z','content':''}]}",
                             runs[i]));
        check_field(&c, "results.0.error",
                    "'File not found: to-file\\nto-file is a link that leads nowhere, and nothing "
                    "is made by way of one: name the file itself'");
        check_field(&c, "results.2.path_resolved", "'new/x'");
        check_field(&c, "results.2.created", "false");
        check_field(&c, "results.3.path_resolved", "'new/y'");
        check_field(&c, "results.4.path_resolved", "'z'");
        check_field(&c, "results.4.created", "true");
        check_field(&c, "results.5.code", "'NOT_A_FILE'");
        check_field(&c, "results.5.path_resolved", "'new'");
        check_field(&c, "results.6.error",
                    "'File not found: new/x/y\\nnew/x is no folder: nothing can be made below it'");
        check_field(&c, "results.7.error",
                    "'File not found: to-file/y\\nnew/x is no folder: nothing can be made below "
                    "it'");
        check_field(&c, "results.8.code", "'FILE_NOT_FOUND'");
        check_field(
            &c, "results.9.error",
            "'File not found: none/../z\\nnone is a folder that is not there, and nothing is "
            "made by way of one: name the file itself'");
        call(&c, "writeFiles",
             em_arena_format(&c.s.arena,
                             "{'dryRun':%s,'files':[{'file':'b','content':'1'},"
                             "{'file':'b','content':'2'},{'file':'a.txt','content':'3'},"
                             "{'file':'c','content':'4'}]}",
                             runs[i]));
        check_has(&c, "the file's other 2 names");
        assert_null(field(&c, "results.1.warnings"));
        check_has(&c, "the file's other name ");
        assert_null(field(&c, "results.3.warnings"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_apply_in_order),
        cmocka_unit_test(the_content_is_given_where_it_costs_nothing),
        cmocka_unit_test(the_same_text_counts_as_applied),
        cmocka_unit_test(a_failure_keeps_what_went_well_before),
        cmocka_unit_test(a_first_failure_changes_nothing),
        cmocka_unit_test(atomic_is_all_or_none),
        cmocka_unit_test(the_count_is_demanded_exactly),
        cmocka_unit_test(slips_are_forgiven_and_declared),
        cmocka_unit_test(places_of_a_tolerant_tier_are_counted),
        cmocka_unit_test(the_best_match_is_told),
        cmocka_unit_test(a_best_match_beside_inserted_text_is_told),
        cmocka_unit_test(a_change_in_a_long_line_is_told_beside_the_diff),
        cmocka_unit_test(many_places_are_not_all_named),
        cmocka_unit_test(many_files_share_what_is_shown),
        cmocka_unit_test(other_faults_of_an_operation),
        cmocka_unit_test(an_encoding_that_was_named_is_not_asked_for),
        cmocka_unit_test(where_time_ran_out_nothing_is_said_to_be_like_it),
        cmocka_unit_test(a_place_that_a_tier_found_is_the_best_match_however_little_alike),
        cmocka_unit_test(a_trace_of_the_text_is_the_best_match),
        cmocka_unit_test(hints_follow_the_suggestion),
        cmocka_unit_test(without_a_reading_tool_the_text_itself_is_given),
        cmocka_unit_test(operations_on_elements_that_fail_bring_the_advice_too),
        cmocka_unit_test(the_advice_is_not_told_beside_another),
        cmocka_unit_test(a_page_that_does_not_let_elements_be_changed_is_not_written_anew),
        cmocka_unit_test(a_read_that_fails_has_the_hash_of_what_was_read),
        cmocka_unit_test(the_tools_of_the_dialect_are_named_first),
        cmocka_unit_test(what_stands_around_the_replacement_is_edited),
        cmocka_unit_test(what_was_made_before_is_left_out_of_the_retry),
        cmocka_unit_test(what_this_call_did_is_left_out_of_the_retry),
        cmocka_unit_test(the_retry_of_a_dry_run_is_the_whole_call),
        cmocka_unit_test(a_file_in_two_entries),
        cmocka_unit_test(the_call_itself_has_changed_the_file),
        cmocka_unit_test(lines_are_those_of_the_file_as_it_is_left),
        cmocka_unit_test(a_text_that_an_element_lost),
        cmocka_unit_test(the_only_file_of_a_call_is_found_elsewhere),
        cmocka_unit_test(a_dry_run_shows_and_writes_nothing),
        cmocka_unit_test(a_stale_file_is_a_conflict),
        cmocka_unit_test(backups_links_and_warnings_are_told),
        cmocka_unit_test(long_texts_are_cut),
        cmocka_unit_test(what_an_edit_before_took_is_told_alone),
        cmocka_unit_test(after_two_misses_writing_anew_is_advised),
        cmocka_unit_test(all_failures_of_edits_count),
        cmocka_unit_test(other_failures_do_not_count),
        cmocka_unit_test(without_a_connection_only_a_named_session_is_counted),
        cmocka_unit_test(several_files_are_edited),
        cmocka_unit_test(a_file_is_changed_whole_or_not_at_all),
        cmocka_unit_test(a_retry_is_of_a_whole_call),
        cmocka_unit_test(a_retry_is_of_the_files_that_failed),
        cmocka_unit_test(when_no_file_is_changed_it_is_an_error),
        cmocka_unit_test(a_long_match_is_told_as_far_as_the_diff_leaves_room),
        cmocka_unit_test(where_some_failed_and_none_is_changed_it_is_an_error),
        cmocka_unit_test(entries_have_their_own_preconditions),
        cmocka_unit_test(an_entry_without_operations_is_refused_before_anything_is_done),
        cmocka_unit_test(all_files_are_changed_or_none),
        cmocka_unit_test(all_files_are_written_or_none),
        cmocka_unit_test(a_file_is_named_once_when_all_or_none_are_changed),
        cmocka_unit_test(a_file_is_no_folder_of_another_when_all_or_none_are_made),
        cmocka_unit_test(what_is_no_files_fault_is_told_once),
        cmocka_unit_test(files_are_written_whole),
        cmocka_unit_test(a_backup_has_no_name_of_the_call),
        cmocka_unit_test(a_backup_is_not_edited_by_its_call),
        cmocka_unit_test(a_file_that_cannot_be_written_does_not_stop_the_others),
        cmocka_unit_test(a_file_is_read),
        cmocka_unit_test(encodings_are_read),
        cmocka_unit_test(every_failure_has_its_code),
        cmocka_unit_test(the_servers_limit_counts_a_whole_call),
        cmocka_unit_test(there_is_no_limit_of_its_own),
        cmocka_unit_test(wrong_arguments_are_told),
        cmocka_unit_test(a_refusal_names_a_file_only_where_the_tool_takes_one),
        cmocka_unit_test(the_names_that_were_meant_can_be_sent_at_once),
        cmocka_unit_test(what_other_tools_ask_for_can_be_sent_at_once),
        cmocka_unit_test(lists_of_other_tools_are_known),
        cmocka_unit_test(what_cannot_be_carried_over_fails_as_an_operation),
        cmocka_unit_test(what_was_never_there_is_shown_as_it_is_now),
        cmocka_unit_test(a_dry_run_goes_as_the_call_would),
        cmocka_unit_test(a_dry_run_leads_through_what_the_call_would_make),
        cmocka_unit_test(a_file_that_is_gone_can_be_made_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
