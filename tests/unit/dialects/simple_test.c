#include "answers/similar.h"
#include "calls.h"

#include <errno.h>

#define TOOLS "simple"

/* The value of a key of `_meta`; NULL. */
static const char *meta(const caller *c, const char *key)
{
    return json_string_value(json_object_get(c->answer.meta, key));
}

/* ---- edit_file ----------------------------------------------------------------------------- */

static void a_plain_success_is_the_sentence_alone(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "test.py", EM_LIT("x = 1\ny = 2\nx = 3"));
    call(&c, "edit_file", "{'file_path':'test.py','old_string':'y = 2','new_string':'y = 20'}");
    check_text(&c, false, "Successfully replaced 1 occurrence(s) in test.py");
    em_hash hash = em_hash_of(EM_LIT("x = 1\ny = 20\nx = 3"));
    assert_string_equal(meta(&c, "emend/hash"), hash.hex);
    assert_non_null(meta(&c, "emend/edit_id"));
    assert_null(c.answer.object);
    assert_null(c.answer.native);
    call(&c, "edit_file",
         "{'path':'test.py','old_string':'x = ','new_string':'z = ','replace_all':true}");
    check_text(&c, false, "Successfully replaced 2 occurrence(s) in test.py");
    check_file(&c.s, "test.py", EM_LIT("z = 1\ny = 20\nz = 3"));
}

static void the_path_in_a_success_is_relative_to_the_root(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    char path[200], arguments[400];
    scratch_path(&c.s, "sub", path);
    assert_int_equal(mkdir(path, 0755), 0);
    scratch_write(&c.s, "sub/a.txt", EM_LIT("x\n"));
    snprintf(arguments, sizeof arguments,
             "{'file_path':'%s/a.txt','old_string':'x','new_string':'y'}", path);
    call(&c, "edit_file", arguments);
    check_text(&c, false, "Successfully replaced 1 occurrence(s) in sub/a.txt");
}

static void warnings_and_the_id_follow_the_sentence(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    c.stateless = true;
    char path[200], other[200], want[600];
    scratch_write(&c.s, "a.txt", EM_LIT("one\n"));
    scratch_path(&c.s, "a.txt", path);
    scratch_path(&c.s, "b.txt", other);
    assert_int_equal(link(path, other), 0);
    call(&c, "edit_file",
         "{'file_path':'a.txt','old_string':'one','new_string':'1','session':'mine'}");
    check_has(&c, "Successfully replaced 1 occurrence(s) in a.txt\nWarning: ");
    snprintf(want, sizeof want, "\nEdit: %s", meta(&c, "emend/edit_id"));
    assert_non_null(strstr(c.answer.text, want));
    assert_int_equal(strlen(strstr(c.answer.text, want)), strlen(want)); /* it comes last */
}

/* The line ends of a replacement become those of what it replaces. */
static void a_success_that_changes_nothing_says_so(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("one\r\ntwo\r\n"));
    call(&c, "edit_file",
         "{'file_path':'a.txt','old_string':'\\r\\n','new_string':'\\n','replace_all':true}");
    check_text(
        &c, false,
        "Successfully replaced 2 occurrence(s) in a.txt\nWarning: the edit changes nothing"
        "\nWarning: Line breaks of a new text become those of the lines that they replace, "
        "so the edit left them as they were. To make LFs of CRLFs, replace \\r with nothing");
    check_file(&c.s, "a.txt", EM_LIT("one\r\ntwo\r\n"));
    call(&c, "edit_file",
         "{'file_path':'a.txt','old_string':'\\r','new_string':'','replace_all':true}");
    check_text(&c, false, "Successfully replaced 2 occurrence(s) in a.txt");
    check_file(&c.s, "a.txt", EM_LIT("one\ntwo\n"));
}

/* Whoever asks for other line endings, in whatever form, is told how to have them. */
static void endings_that_are_kept_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *holds, *edits, *warning;
    } cases[] = {
        {"a\rb\r", "{'old_text':'a\\rb','new_text':'a\\nb'}",
         "so the edit left them as they were. To make LFs of CRs, replace \\r with \\r\\n, and "
         "then \\r with nothing"},
        {"a\r\nb\r\n", "{'old_text':'b','new_text':'c'},{'old_text':'a\\r\\n','new_text':'a\\n'}",
         "so edit 2 left them as they were. To make LFs of CRLFs, "},
        {"a\r\n", "{'old_text':'a\\\\r\\\\n','new_text':'a\\\\n','regex':true}",
         "so the edit left"},
        {"ab\r\nab\n", "{'old_text':'\\\\R','new_text':'\\n','regex':true,'replace_all':true}",
         "so the edit left them as they were. To make LFs of CRLFs, "},
        {"a\r\nb\r\n", "{'old_text':'a\\r\\n','new_text':'b\\n'}", NULL},
        {"a\r\nb\r\n", "{'old_text':'a\\n','new_text':'c\\n'}", NULL},
        {"a\nb", "{'old_text':'a','new_text':'c'}", NULL},
    };
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS ",mcp__editor__Edit");
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char call_text[300];
        scratch_write(&c.s, "a.txt", em_slice_of(cases[i].holds));
        snprintf(call_text, sizeof call_text, "{'file_path':'a.txt','edits':[%s]}", cases[i].edits);
        call(&c, "mcp__editor__Edit", call_text);
        check_has(&c, "Successfully applied");
        if (cases[i].warning)
            check_has(&c, cases[i].warning);
        else
            check_lacks(&c, "left them as they were");
    }
}

/* Each step that would change the one kind of ending would spoil the other. */
static void no_way_to_lfs_is_told_of_a_file_with_both(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("one\r\ntwo\rthree\r"));
    call(&c, "edit_file", "{'file_path':'a.txt','old_string':'one\\r\\n','new_string':'one\\n'}");
    check_has(&c, "left them as they were");
    check_lacks(&c, "To make LFs");
}

static void what_is_there_is_shown_where_nothing_reads(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, "edit_file");
    scratch_write(&c.s, "a.txt", EM_LIT("one\n"));
    scratch_write(&c.s, "a.bin", EM_LIT("x\0y\n"));
    call(&c, "edit_file",
         "{'file_path':'a.txt','old_string':'one','new_string':'1','expected_hash':'0'}");
    check_has(&c, "\nNothing was written, and what others wrote is in place.\n"
                  "The file holds (between >>> and <<<):\n>>>one\n<<<");
    call(&c, "edit_file",
         "{'file_path':'a.bin','old_string':'x','new_string':'1','expected_hash':'0'}");
    check_has(&c, "Error: a.bin has changed: its content has the hash ");
    check_lacks(&c, "The file holds");
}

static void a_dry_run_says_so_and_shows_the_diff(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("one\n"));
    call(&c, "edit_file",
         "{'file_path':'a.txt','old_string':'one','new_string':'1','dry_run':true}");
    check_text(&c, false,
               "Dry run, nothing was written: would replace 1 occurrence(s) in a.txt\n\n"
               "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+1\n");
    check_file(&c.s, "a.txt", EM_LIT("one\n"));
    call(&c, "write_file", "{'file_path':'a.txt','content':'2\\n','dry_run':true}");
    check_text(&c, false,
               "Dry run, nothing was written: would write a.txt\n\n"
               "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+2\n");
    call(&c, "write_file", "{'file_path':'a.txt','content':'one\\n','dry_run':true}");
    check_text(&c, false, "Dry run, nothing was written: would write a.txt");
    call(&c, "create_file", "{'file_path':'n.txt','content':'2\\n','dry_run':true}");
    check_text(&c, false,
               "Dry run, nothing was written: would create n.txt\n\n"
               "--- /dev/null\n+++ b/n.txt\n@@ -0,0 +1 @@\n+2\n");
    call(&c, "edit_file_lines",
         "{'file_path':'a.txt','start_line':1,'end_line':1,'new_content':'2','dry_run':true}");
    check_text(&c, false,
               "Dry run, nothing was written: would replace line 1 in a.txt\n\n"
               "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+2\n");
    assert_null(scratch_read(&c.s, "n.txt").ptr);
    check_file(&c.s, "a.txt", EM_LIT("one\n"));
}

static void a_text_that_is_not_there(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.py", EM_LIT("def f():\n    pass\n"));
    call(&c, "edit_file",
         "{'file_path':'a.py','old_string':'import  os','new_string':'x','replace_all':true}");
    check_text(&c, true,
               "Error: old_string not found in a.py\n"
               "Cause: not_found\n"
               "Searched for (between >>> and <<<):\n>>>import  os<<<\n"
               "Use read_file to see the exact content, then copy it precisely\n"
               "Check for tabs vs spaces - the file uses spaces");
    assert_null(c.answer.meta);
    c.tools = "edit_file";
    call(&c, "edit_file", "{'file_path':'a.py','old_string':'g','new_string':'x'}");
    check_text(&c, true,
               "Error: old_string not found in a.py\n"
               "Cause: not_found\n"
               "Searched for (between >>> and <<<):\n>>>g<<<\n"
               "Copy the text precisely from what the file holds\n"
               "The file holds (between >>> and <<<):\n>>>def f():\n    pass\n<<<");
}

static void what_stands_there_instead(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.py", EM_LIT("def f():\n\treturn 1\n"));
    call(&c, "edit_file",
         "{'file_path':'a.py','old_string':'    return 1','new_string':'    return 2'}");
    char want[700];
    snprintf(want, sizeof want,
             "Error: old_string not found in a.py\n"
             "Cause: tabs_for_spaces\n"
             "%s\n"
             "Most similar text (66%% similar, line 2; → is a tab, · a blank):\n"
             "   2 | →return 1\n"
             "  Difference: Has a tab instead of 4 spaces before 'return'\n"
             "Send as new_string (between >>> and <<<):\n>>>\treturn 2<<<\n"
             "Send as old_string (between >>> and <<<):\n>>>\treturn 1<<<",
             em_miss_sentence(EM_MISS_TABS, "old_string", &c.s.arena));
    check_text(&c, true, want);
}

/* A slip is forgiven where the caller allows it, and the answer says so. */
static void a_match_that_is_not_exact_is_declared(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.py", EM_LIT("def f():\n\treturn 1\n"));
    call(&c, "preview_edit",
         "{'file_path':'a.py','old_string':'    return 1','new_string':'    return 2','match':"
         "'whitespace'}");
    check_has(&c, "+\treturn 2\n");
    check_has(&c, "\nMatch: tier whitespace, score 1.00, line 2; replaced was");
    call(&c, "edit_file",
         "{'file_path':'a.py','old_string':'    return 1','new_string':'    return 2','match':"
         "'whitespace'}");
    check_text(&c, false,
               "Successfully replaced 1 occurrence(s) in a.py\n"
               "Match: tier whitespace, score 1.00, line 2; replaced was (between >>> and <<<):\n"
               ">>>\treturn 1<<<");
    check_file(&c.s, "a.py", EM_LIT("def f():\n\treturn 2\n"));
}

static void several_tolerant_places_are_too_many(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.c", EM_LIT("if (x)\n\tgo();\n\nif (x)\n\t\tgo();\n"));
    call(&c, "edit_file",
         "{'file_path':'a.c','old_string':'if (x)\\n  go();','new_string':'y','match':'token'}");
    check_text(&c, true,
               "Error: old_string appears 2 times in a.c. Use replace_all=True to replace all "
               "occurrences, or provide more context to make old_string unique.\n"
               "Cause: ambiguous\n"
               "None of them is exact: they match at tier whitespace\n"
               "Line 1, column 1: if (x)\n"
               "Line 4, column 1: if (x)");
    scratch_write(&c.s, "b.c", EM_LIT("\t\t}\n\t}\n}\n"));
    call(&c, "edit_file",
         "{'file_path':'b.c','old_string':'  }\\n}','new_string':'y','match':'token'}");
    check_text(&c, true,
               "Error: old_string appears 2 times in b.c. Only one of them can be meant: provide "
               "more context to make old_string unique.\n"
               "Cause: ambiguous\n"
               "None of them is exact: they match at tier whitespace\n"
               "Line 1, column 1: \t\t}\n"
               "Line 2, column 1: \t}");
    put_too_many(&c, "c.c");
    call(&c, "edit_file", "{'file_path':'c.c','old_string':'x','new_string':'y'}");
    check_has(&c,
              "Error: old_string appears 10000001 times in c.c. At most 10000000 are changed at "
              "once: provide more context to make old_string unique.\n");
}

/* A byte order mark is no part of the text. */
static void a_mark_in_the_search_text_is_seen(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.py",
                  EM_LIT("\xEF\xBB\xBF"
                         "first line here\nsecond\n"));
    call(&c, "edit_file",
         "{'file_path':'a.py','old_string':'\\uFEFFfirst line here','new_string':'x'}");
    check_has(&c, "Cause: characters\n");
    check_has(&c, "Missing '\\uFEFF' before 'first'\n");
    check_has(&c, ">>>first line here<<<");
}

static void an_empty_file_is_told(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, "simple,multi-edit,site");
    scratch_write(&c.s, "a.py", EM_LIT(""));
    call(&c, "edit_file", "{'file_path':'a.py','old_string':'one\\n\\ttwo','new_string':'x'}");
    check_text(
        &c, true,
        "Error: old_string not found in a.py\nCause: not_found\n"
        "Searched for (between >>> and <<<):\n>>>one\n\ttwo<<<\n"
        "a.py is empty, so nothing can be found in it: to fill it, send an empty old_string");
    call(&c, "MultiEdit", "{'path':'a.py','edits':[{'old_string':'one','new_string':'x'}]}");
    check_has(&c, "a.py is empty, so nothing can be found in it: to fill it, use ");
    call(&c, "MultiEdit", "{'path':'a.py','edits':[{'old_string':'','new_string':'x'}]}");
    check_has(&c, "a.py is empty: to fill it, use ");
    call(&c, "edit_file", "{'file_path':'a.py','old_string':'','new_string':'x'}");
    check_file(&c.s, "a.py", EM_LIT("x"));
    scratch_write(&c.s, "b.py", EM_LIT(""));
    call(&c, "editFile",
         "{'file':'b.py','operations':[{'search':'','replace':'x'},{'search':'y','replace':'z'}]}");
    check_lacks(&c, "is empty");
    call(&c, "writeFiles", "{'files':[{'file':'b.py','content':''}]}");
    call(&c, "editFile", "{'file':'b.py','operations':[{'search':'y','replace':'z'}]}");
    check_has(&c, "Suggestion: b.py is empty, so nothing can be found in it: to fill it, send an "
                  "empty search");
    check_lacks(&c, "exact content");
}

static void after_misses_in_a_row_writing_anew_is_advised(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.py", EM_LIT("def f():\n"));
    static const char miss[] = "{'file_path':'a.py','old_string':'zzz','new_string':'x'}";
    static const char advice[] = "\nThis is failure 2 in a row on this file: use write_file to "
                                 "write it anew, completely.";
    call(&c, "edit_file", miss);
    check_lacks(&c, "in a row");
    call(&c, "edit_file", miss);
    check_has(&c, advice);
    call(&c, "edit_file", /* what goes well less exactly goes well */
         "{'file_path':'a.py','old_string':'def  f():','new_string':'def  g():','match':'token'}");
    assert_false(c.answer.is_error);
    call(&c, "edit_file", miss);
    check_lacks(&c, "in a row");
}

static void an_edit_made_before(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.py", EM_LIT("one()\nimport sys, os\n"));
    call(&c, "edit_file",
         "{'file_path':'a.py','old_string':'import sys','new_string':'import sys, os'}");
    check_has(&c, "Successfully"); /* it stands there as a part */
    call(&c, "edit_file",
         "{'file_path':'a.py','old_string':'import re\\n','new_string':'import sys, os, os\\n'}");
    check_text(&c, true,
               "Error: old_string not found in a.py\n"
               "Cause: already_applied\n"
               "Searched for (between >>> and <<<):\n>>>import re\n<<<\n"
               "new_string stands in the file already, at line 2: leave this edit out");
}

/* The text that is searched for stands there in another writing, and holds the new one. */
static void an_edit_that_was_not_made(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.py", EM_LIT("value  =  compute(alpha) + beta_gamma\n"));
    call(&c, "edit_file",
         "{'file_path':'a.py','old_string':'value = compute(alpha) + beta_gamma',"
         "'new_string':'value = compute(alpha)'}");
    assert_true(c.answer.is_error);
    check_has(&c, "Cause: whitespace\n");
    check_has(&c, "Send as old_string (between >>> and <<<):\n"
                  ">>>value  =  compute(alpha) + beta_gamma<<<");
    call(&c, "edit_file",
         "{'file_path':'a.py','old_string':'value = compute(alpha) + beta_gamma',"
         "'new_string':'value = compute(alpha)','match':'whitespace'}");
    assert_false(c.answer.is_error);
    check_file(&c.s, "a.py", EM_LIT("value  =  compute(alpha)\n"));
}

/* What is advised of an edit that was made before allows for that all is well. */
static void an_edit_made_before_again(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.py", EM_LIT("import sys, os\n"));
    for (int i = 0; i < 3; i++) {
        call(&c, "edit_file",
             "{'file_path':'a.py','old_string':'import re\\n','new_string':'import sys, os\\n'}");
        check_has(&c, "Cause: already_applied\n");
        if (i == 0)
            check_lacks(&c, "in a row");
        else
            check_has(&c, "in a row on this file: if it still is not as it is to be, use "
                          "write_file to write it anew, completely.");
    }
    call(&c, "edit_file", "{'file_path':'a.py','old_string':'nowhere','new_string':'x'}");
    check_has(&c, "\nThis is failure 4 in a row on this file: use write_file");
}

static void a_text_that_is_there_more_than_once(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.py", EM_LIT("x = 1\n  x = 2\n"));
    call(&c, "edit_file", "{'file_path':'a.py','old_string':'x = ','new_string':'y = '}");
    check_text(&c, true,
               "Error: old_string appears 2 times in a.py. Use replace_all=True to replace all "
               "occurrences, or provide more context to make old_string unique.\n"
               "Cause: ambiguous\n"
               "Line 1, column 1: x = 1\n"
               "Line 2, column 3:   x = 2");
    EM_AUTO(em_strbuf) text = {0};
    for (size_t i = 0; i < 30; i++)
        em_strbuf_printf(&text, "%0300zux\n", i);
    scratch_write(&c.s, "b.txt", em_strbuf_slice(&text));
    call(&c, "edit_file", "{'file_path':'b.txt','old_string':'x','new_string':'y'}");
    check_has(&c, "x (cut)\nLine 2, column 301: 0");
    check_has(&c, "\n... and 10 more");
    assert_true(strlen(c.answer.text) < 5000);
}

#define DAMAGED                                                                                    \
    "File appears to be binary: odd.txt\nCause: encoding\nIt is damaged (the byte order mark "     \
    "says "                                                                                        \
    "utf-16le, but byte 4 is not valid), and cannot be read or edited as text. Mend it with a "    \
    "program for that (such as python), or, to write it anew, completely, use write_file"

static void other_failures(void **state)
{
    (void)state;
    static const struct {
        const char *tool, *args, *text; /* what the text begins with */
    } cases[] = {
        {"edit_file", "{'file_path':'none','old_string':'x','new_string':'y'}",
         "File not found: none\nRelative paths start at /"},
        {"edit_file", "{'file_path':'d','old_string':'x','new_string':'y'}",
         "Not a file: d\nIt is a folder"},
        {"edit_file", "{'file_path':'../x','old_string':'x','new_string':'y'}",
         "Access denied: ../x is outside the workspace\nFiles must lie in /"},
        {"edit_file", "{'file_path':'a.bin','old_string':'x','new_string':'y'}",
         "File appears to be binary: a.bin\nIt is no text (it holds NUL bytes)"},
        {"edit_file", "{'file_path':'old.txt','old_string':'one','new_string':'\\u00e9'}",
         "File appears to be binary: old.txt\nCause: encoding\nU+00E9 '\xC3\xA9': the file is not "
         "UTF-8, and which encoding it has is not known; name it with `encoding`"},
        {"edit_file",
         "{'file_path':'old.txt','old_string':'one','new_string':'\\u20ac','encoding':'latin1'}",
         "Error: old.txt: U+20AC '\xE2\x82\xAC' does not exist in latin1\nCause: encoding\n"
         "The file keeps its encoding: write only what latin1 has characters for"},
        {"edit_file", "{'file_path':'a.txt','old_string':'one','new_string':'1','encoding':'nix'}",
         "Error: a.txt: unknown encoding \"nix\"\nCause: encoding\nName the encoding that the file "
         "has (such as latin1, windows-1252 or utf-16le), or leave `encoding` out"},
        {"edit_file",
         "{'file_path':'old.txt','old_string':'one','new_string':'1','encoding':'big5'}",
         "Error: old.txt: the file is not valid big5: byte 4\nCause: encoding\n"
         "Name the encoding that the file has (such as latin1, "},
        {"edit_file", "{'file_path':'odd.txt','old_string':'a','new_string':'b'}", DAMAGED},
        {"edit_file",
         "{'file_path':'odd.txt','old_string':'a','new_string':'b','encoding':'utf-16le'}",
         DAMAGED},
        {"read_file", "{'file_path':'odd.txt'}", DAMAGED},
        {"edit_file",
         "{'file_path':'odd.txt','old_string':'a','new_string':'b','encoding':'latin1'}",
         "Error: odd.txt: latin1 was named, but the byte order mark of the file says utf-16le\n"
         "Cause: encoding\nLeave `encoding` out: the file has a byte order mark"},
        {"edit_file",
         "{'file_path':'utf8.txt','old_string':'a','new_string':'\xC3\xBC','encoding':'latin1'}",
         "Error: utf8.txt: U+00FC '\xC3\xBC': latin1 was named, but the file is UTF-8, in which "
         "that "
         "is written otherwise\nCause: encoding\nLeave `encoding` out"},
        {"edit_file", "{'file_path':'bom.bin','old_string':'a','new_string':'b'}",
         "File appears to be binary: bom.bin\nIt is no text (it holds NUL bytes), and an edit "
         "could damage it. If it is text all the same, name utf-8 as encoding"},
        {"edit_file", "{'file_path':'a.txt','old_string':'one','new_string':'one'}",
         "Error: old_string and new_string are the same, so nothing would change in a.txt\n"
         "Cause: no_change\nSend as new_string"},
        {"edit_file", "{'file_path':'a.txt','old_string':'','new_string':'one'}",
         "Error: old_string is empty, but a.txt is not\nCause: empty_search\nAn empty old_string"},
        {"edit_file",
         "{'file_path':'a.txt','old_string':'one','new_string':'1','expected_hash':'0'}",
         "Error: a.txt has changed: its content has the hash "},
        {"create_file", "{'file_path':'a.txt','content':'x'}",
         "Error: File already exists: a.txt\nTo replace what it holds, use write_file"},
        {"write_file", "{'file_path':'a.txt','content':'a\\u0000b'}",
         "Error: content holds a NUL character\nCause: nul\nA file with a NUL"},
        {"write_file", "{'file_path':'d','content':'x'}", "Not a file: d\n"},
        {"write_file", "{'file_path':'none/','content':'x'}",
         "Not a file: none/\nIt names a folder, and nothing is there: leave the slash"},
        {"write_file", "{'file_path':'d\\\\x','content':'x'}",
         "File not found: d\\x\nIt has backslashes, which are no separators here\nDid you mean "
         "d/x?"},
        {"write_file", "{'file_path':'a.txt/b','content':'x'}",
         "File not found: a.txt/b\na.txt is no folder: nothing can be made below it"},
        {"write_file", "{'file_path':'dangling/b','content':'x'}",
         "File not found: dangling/b\ndangling is a link that leads nowhere, and nothing is made "
         "by "
         "way of one: name the file itself"},
        {"create_file", "{'file_path':'dangling','content':'x'}",
         "File not found: dangling\ndangling is a link that leads nowhere, and nothing is made by "
         "way of one: name the file itself"},
        {"edit_file", "{'file_path':'loop','old_string':'a','new_string':'b'}",
         "Error: Path cannot be resolved: loop: follow loop: Too many levels of symbolic links\n"
         "Links on the way lead to one another, or are too many: name the file by a path without "
         "them"},
        {"edit_file", "{'file_path':'dangling','old_string':'a','new_string':'b'}",
         "File not found: dangling\ndangling is a link that leads nowhere\nRelative paths start "
         "at /"},
        {"edit_file", "{'file_path':'a.txt/b','old_string':'a','new_string':'b'}",
         "File not found: a.txt/b\na.txt is no folder\nRelative paths start at /"},
        {"read_file", "{'file_path':'none'}", "File not found: none\nRelative paths start at /"},
        {"read_file", "{'file_path':'a.bin'}", "File appears to be binary: a.bin\n"},
        {"read_file", "{'file_path':'a.txt','start_line':9}",
         "Error: a.txt: line 9 is beyond the end: the file has 2 lines\nCause: range\n"
         "Send as start_line and end_line numbers from 1 to 2, the higher one last, or neither for "
         "all of the file"},
        {"read_file", "{'file_path':'a.txt','start_line':2,'end_line':1}",
         "Error: a.txt: lines 2 to 1 are no range\nCause: range\n"
         "Send as start_line and end_line numbers from 1 to 2, the higher one last"},
        {"edit_file_lines", "{'file_path':'a.txt','start_line':2,'end_line':5,'new_content':'x'}",
         "Error: a.txt: line 5 is beyond the end: the file has 2 lines\nCause: range\n"
         "Send as start_line and end_line numbers from 1 to 2"},
        {"edit_file_lines", "{'file_path':'a.txt','start_line':4,'end_line':3,'new_content':'x'}",
         "Error: a.txt: line 4 is beyond the end: the file has 2 lines\nCause: range\n"
         "Send as start_line and end_line numbers from 1 to 2"},
        {"edit_file_lines", "{'file_path':'a.txt','start_line':3,'end_line':3,'new_content':'x'}",
         "Error: a.txt: line 3 is beyond the end: the file has 2 lines\nCause: range\n"
         "Send as start_line and end_line numbers from 1 to 2. To add lines behind the last one, "
         "send 2 as both, and that line with the new ones below it as new_content"},
        {"edit_file_lines",
         "{'file_path':'a.txt','start_line':2,'end_line':2,'old_content':'x','new_content':'y'}",
         "Error: Unknown argument old_content. Did you mean expected_text?"},
        {"edit_file_lines", "{'file_path':'a.txt','start_line':2,'end_line':1,'new_content':'x'}",
         "Error: a.txt: lines 2 to 1 are no range\nCause: range\n"
         "end_line may not be below start_line: if the lines between are meant, send start_line 1 "
         "and end_line 2"},
        {"edit_file_lines",
         "{'file_path':'a.txt','start_line':1,'end_line':1,'new_content':'x','expected_text':"
         "'two'}",
         "Error: a.txt: lines 1 to 1 do not hold the expected text\n"
         "Cause: stale_text\nThe expected text stands elsewhere: if that place is meant, send "
         "start_line 2 and end_line 2\nThe lines hold (between >>> and <<<):\n>>>one\n<<<"},
        {"edit_file_lines",
         "{'file_path':'a.txt','start_line':1,'end_line':1,'new_content':'x','expected_text':"
         "'three'}",
         "Error: a.txt: lines 1 to 1 do not hold the expected text\n"
         "Cause: stale_text\nThe lines hold (between >>> and <<<):\n>>>one\n<<<"},
        {"edit_file_lines",
         "{'file_path':'old.txt','start_line':1,'end_line':1,'new_content':'x','expected_text':"
         "'one \\u00E9'}",
         "Error: old.txt: lines 1 to 1 do not hold the expected text\n"
         "Cause: stale_text\nThe file is not valid UTF-8. Bytes that are not are shown as U+FFFD, "
         "which matches nothing: name the file's encoding with `encoding`\n"
         "The lines hold (between >>> and <<<):\n>>>one \xEF\xBF\xBD\n<<<"},
        {"edit_file", "{'file_path':'old.txt','old_string':'one e','new_string':'x'}",
         "Error: old_string not found in old.txt\nCause: not_found\n"
         "Most similar text (80% similar, line 1):\n   1 | one \xEF\xBF\xBD\n"
         "  Difference: Has '\xEF\xBF\xBD' instead of 'e'\n"
         "Use read_file to see the exact content, then copy it precisely\n"
         "The file is not valid UTF-8. Bytes that are not are shown as U+FFFD, which matches "
         "nothing: name the file's encoding with `encoding`"},
        {"edit_file_lines",
         "{'file_path':'a.txt','start_line':1,'end_line':1,'new_content':'one','expected_text':"
         "'one'}",
         "Error: the lines and new_content are the same, so nothing would change in a.txt\n"
         "Cause: no_change\nSend as new_content the text as it should become"},
        {"edit_file_lines",
         "{'file_path':'a.txt','start_line':1,'end_line':2,'new_content':'one\\ntwo\\n',"
         "'dry_run':true}",
         "Error: the lines and new_content are the same, so nothing would change in a.txt\n"},
        {"preview_edit", "{'file_path':'a.txt','old_string':'one','new_string':'one'}",
         "Error: old_string and new_string are the same, so nothing would change in a.txt\n"},
        {"edit_file_lines",
         "{'file_path':'a.txt','start_line':1,'end_line':2,'new_content':'1\\n"
         "// ... existing code ...'}",
         "Error: new_content leaves out text that belongs there: \"// ... existing code ...\"\n"
         "Cause: placeholder\nSuch a line would replace the code that it stands for. Send as "
         "new_content all text that is to be there afterwards"},
        {"edit_file",
         "{'file_path':'a.txt','old_string':'one','new_string':'1  # ... rest of the file ...'}",
         "Error: new_string leaves out text that belongs there: \"# ... rest of the file ...\"\n"
         "Cause: placeholder\nSuch a line would replace the code that it stands for. Send as "
         "new_string all text that is to be there afterwards"},
        {"preview_edit", "{'file_path':'none','old_string':'x','new_string':'y'}",
         "File not found: none\nRelative paths start at /"},
    };
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    char path[200];
    scratch_write(&c.s, "a.txt", EM_LIT("one\ntwo\n"));
    scratch_write(&c.s, "a.bin", EM_LIT("a\0b"));
    scratch_write(&c.s, "old.txt", EM_LIT("one \xE9\n"));
    scratch_write(&c.s, "odd.txt", EM_LIT("\xFF\xFE\n\0x"));
    scratch_write(&c.s, "utf8.txt", EM_LIT("\xC3\xA9 a\n"));
    scratch_write(&c.s, "bom.bin", EM_LIT("\xEF\xBB\xBF\0"));
    scratch_path(&c.s, "d", path);
    assert_int_equal(mkdir(path, 0755), 0);
    scratch_path(&c.s, "dangling", path);
    assert_int_equal(symlink("nowhere", path), 0);
    scratch_path(&c.s, "loop", path);
    assert_int_equal(symlink("loop", path), 0);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        call(&c, cases[i].tool, cases[i].args);
        if (strncmp(c.answer.text, cases[i].text, strlen(cases[i].text)) != 0)
            fail_msg("%s: %s", cases[i].text, c.answer.text);
        assert_true(c.answer.is_error);
        assert_null(c.answer.meta);
    }
    call(&c, "read_file", "{'file_path':'none'}");
    check_lacks(&c, "make a new file"); /* who reads does not want to write */
    call(&c, "edit_file", "{'file_path':'dangling','old_string':'a','new_string':'b'}");
    check_lacks(&c, "make a new file"); /* it would fail, too */
    char long_name[400];
    snprintf(long_name, sizeof long_name, "{'file_path':'%0300d','content':'x'}", 0);
    call(&c, "write_file", long_name);
    check_has(&c, ": File name too long\nChoose a shorter path");
    check_file(&c.s, "a.txt", EM_LIT("one\ntwo\n"));
}

/* ---- A system that says no ----------------------------------------------------------------- */

/* To a file: folders, the state directory among them, are asked for W_OK | X_OK. */
static int no_access(void *context, int dir, const char *path, int mode, int flags)
{
    (void)context, (void)dir, (void)path, (void)flags;
    return mode == W_OK ? -EACCES : 0;
}

static int no_open(void *context, int dir, const char *path, int flags, mode_t mode, int resolve)
{
    bool is_to_read = strncmp(path, "/proc/self/fd/", 14) == 0 && flags & O_NONBLOCK;
    return is_to_read ? -EACCES : em_sys_native.open(context, dir, path, flags, mode, resolve);
}

static ssize_t no_read(void *context, int fd, void *out, size_t size, off_t offset)
{
    (void)context, (void)fd, (void)out, (void)size, (void)offset;
    return -EIO;
}

static ssize_t no_write(void *context, int fd, const struct iovec *pieces, int count, off_t offset)
{
    (void)context, (void)fd, (void)pieces, (void)count, (void)offset;
    return -ENOSPC;
}

static void a_system_that_says_no(void **state)
{
    (void)state;
    em_sys no_permission = em_sys_native, no_reading = em_sys_native, no_space = em_sys_native,
           no_opening = em_sys_native;
    no_permission.access = no_access;
    no_opening.open = no_open;
    no_reading.read = no_read;
    no_space.write = no_write;
    const char *edit = "{'file_path':'a.txt','old_string':'one','new_string':'1'}";
    const struct {
        const em_sys *sys;
        const char *tool, *args, *text;
    } cases[] = {
        {&no_permission, "edit_file", edit, "Error writing file: Permission denied: a.txt: "},
        {&no_permission, "preview_edit", edit, "Error writing file: Permission denied: a.txt: "},
        {&no_opening, "edit_file", edit, "Error reading file: Permission denied: a.txt: "},
        {&no_opening, "preview_edit", edit, "Error reading file: Permission denied: a.txt: "},
        {&no_opening, "write_file", "{'file_path':'a.txt','content':'x'}",
         "Error writing file: Permission denied: a.txt: "},
        /* What is wrong with the request, or with the text, comes first. */
        {&no_permission, "edit_file",
         "{'file_path':'a.txt','old_string':'absent','new_string':'1'}",
         "Error: old_string not found in a.txt\n"},
        {&no_permission, "edit_file",
         "{'file_path':'a.txt','old_string':'absent','new_string':'1','dry_run':true}",
         "Error: old_string not found in a.txt\n"},
        {&no_permission, "edit_file", "{'file_path':'a.txt','old_string':'one','new_string':'one'}",
         "Error: old_string and new_string are the same"},
        {&no_permission, "edit_file", "{'file_path':'b','old_string':'a','new_string':'1'}",
         "File appears to be binary: b"},
        {&no_reading, "edit_file", edit, "Error writing file: Input/output error: a.txt: "},
        {&no_reading, "read_file", "{'path':'a.txt'}",
         "Error reading file: Input/output error: a.txt: "},
        {&no_space, "edit_file", edit, "Error writing file: Input/output error: a.txt: "},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(caller) c;
        caller_open(&c, TOOLS);
        scratch_write(&c.s, "a.txt", EM_LIT("one\n"));
        scratch_write(&c.s, "b", EM_LIT("a\0"));
        em_error err = EM_ERROR_INIT;
        em_session_free(c.s.session);
        c.s.options.workspace.sys = cases[i].sys;
        c.s.options.workspace.roots = c.s.roots;
        assert_int_equal(em_session_new(&c.s.options, &c.s.session, &err), EM_OK);
        call(&c, cases[i].tool, cases[i].args);
        if (strncmp(c.answer.text, cases[i].text, strlen(cases[i].text)) != 0)
            fail_msg("%s: %s", cases[i].text, c.answer.text);
        check_file(&c.s, "a.txt", EM_LIT("one\n"));
    }
}

/* ---- The companions ------------------------------------------------------------------------ */

static void reading_gives_the_text_alone(void **state)
{
    (void)state;
    static const struct {
        const char *file, *arguments, *want;
    } cases[] = {
        {"a.txt", "", "one\r\ntwo\n\nfour"},
        {"a.txt", ",'start_line':2", "two\n\nfour"},
        {"a.txt", ",'end_line':1", "one\r\n"},
        {"a.txt", ",'start_line':2,'end_line':3", "two\n\n"},
        {"a.txt", ",'start_line':4,'end_line':4.0", "four"},
        {"bom.txt", "", "x\n"},
        {"utf16.txt", "", "h\xC3\xA9\n"},
        {"old.txt", "", "caf\xEF\xBF\xBD \xEF\xBF\xBD\n"},
        {"old.txt", ",'encoding':'windows-1252'", "caf\xC3\xA9 \xE2\x82\xAC\n"},
        {"empty.txt", "", ""},
    };
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    c.stateless = true;
    scratch_write(&c.s, "a.txt", EM_LIT("one\r\ntwo\n\nfour"));
    scratch_write(&c.s, "bom.txt", EM_LIT("\xEF\xBB\xBFx\n"));
    scratch_write(&c.s, "utf16.txt", EM_LIT("\xFF\xFEh\0\xE9\0\n\0"));
    scratch_write(&c.s, "old.txt", EM_LIT("caf\xE9 \x80\n"));
    scratch_write(&c.s, "empty.txt", EM_LIT(""));
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char arguments[200];
        snprintf(arguments, sizeof arguments, "{'file_path':'%s'%s}", cases[i].file,
                 cases[i].arguments);
        call(&c, "read_file", arguments);
        check_text(&c, false, cases[i].want);
        assert_int_equal(strlen(meta(&c, "emend/hash")), 32);
        assert_null(meta(&c, "emend/edit_id"));
    }
}

/* As readFile does: what is shown as another character could not be told from that. */
static void a_file_is_read_with_its_nuls(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "nul.txt", EM_LIT("\xFF\xFEh\0\0\0\xE9\0\n\0"));
    scratch_write(&c.s, "a.txt", EM_LIT("a\n"));
    call(&c, "read_file", "{'file_path':'nul.txt'}");
    check_text(&c, false, "h\xE2\x90\x80\xC3\xA9\n"); /* for who takes a string alone */
    assert_true(em_slice_eq(em_answer_text(&c.answer), EM_LIT("h\0\xC3\xA9\n")));
    call(&c, "read_file", "{'file_path':'nul.txt','start_line':9}");
    assert_int_equal(c.answer.read.len, 0);
    call(&c, "read_file", "{'file_path':'a.txt'}");
    assert_true(em_slice_eq(em_answer_text(&c.answer), EM_LIT("a\n")));
}

static void files_are_written_and_created(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "utf16.txt", EM_LIT("\xFF\xFEh\0\n\0"));
    call(&c, "write_file", "{'path':'a.txt','content':'h\\u00e9\\n'}");
    check_text(&c, false, "Successfully wrote 4 bytes to a.txt");
    call(&c, "write_file", "{'file_path':'a.txt','content':'hi\\n','backup':true}");
    check_text(&c, false, "Successfully wrote 3 bytes to a.txt\nBackup: a.txt.bak");
    check_file(&c.s, "a.txt", EM_LIT("hi\n"));
    check_file(&c.s, "a.txt.bak", EM_LIT("h\xC3\xA9\n"));
    call(&c, "write_file", "{'file_path':'a.txt','content':'hi\\n'}");
    check_text(&c, false, "Successfully wrote 3 bytes to a.txt");
    assert_null(meta(&c, "emend/edit_id")); /* nothing changed */
    call(&c, "write_file", "{'file_path':'utf16.txt','content':'x'}");
    check_text(&c, false, "Successfully wrote 4 bytes to utf16.txt");
    check_file(&c.s, "utf16.txt", EM_LIT("\xFF\xFEx\0"));
    call(&c, "create_file", "{'file_path':'b.txt','content':''}");
    check_text(&c, false, "Successfully created b.txt");
    check_file(&c.s, "b.txt", EM_LIT(""));
}

static void lines_are_replaced(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("1\n2\n3\n4\n"));
    call(&c, "edit_file_lines",
         "{'file_path':'a.txt','start_line':2,'end_line':3,'new_content':'two',"
         "'expected_text':'2\\n3\\n'}");
    check_text(&c, false, "Successfully replaced lines 2-3 in a.txt");
    call(&c, "edit_file_lines", "{'path':'a.txt','start_line':1,'end_line':1,'new_content':''}");
    check_text(&c, false, "Successfully replaced line 1 in a.txt");
    check_file(&c.s, "a.txt", EM_LIT("two\n4\n"));
    assert_non_null(meta(&c, "emend/hash"));
}

/* Lines that came as they were shown, with their numbers. */
static void numbers_before_lines_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *args, *text; /* of the whole answer */
    } cases[] = {
        {"'start_line':2,'end_line':3,'new_content':'c\\nb','expected_text':'2 | b\\n3 | c\\n'",
         "Error: a.txt: lines 2 to 3 do not hold the expected text\n"
         "Cause: line_numbers\nThe expected text has line numbers that are not in the file\n"
         "Send as expected_text (between >>> and <<<):\n>>>b\nc\n<<<"},
        {"'start_line':1,'end_line':1,'new_content':'3\\tC','expected_text':'  3\\tc'",
         "Error: a.txt: lines 1 to 1 do not hold the expected text\n"
         "Cause: line_numbers\nThe expected text has line numbers that are not in the file. "
         "Without "
         "them it stands elsewhere: if that place is meant, send start_line 3 and end_line 3\n"
         "The lines hold (between >>> and <<<):\n>>>a\n<<<\n"
         "Send as new_content (between >>> and <<<):\n>>>C<<<\n"
         "Send as expected_text (between >>> and <<<):\n>>>c<<<"},
        /* a blank behind the sign is the line's, or may be */
        {"'start_line':4,'end_line':5,'new_content':'x','expected_text':'4\\t  d\\n5\\t  e\\n'",
         "Error: a.txt: lines 4 to 5 do not hold the expected text\n"
         "Cause: line_numbers\nThe expected text has line numbers that are not in the file\n"
         "Send as expected_text (between >>> and <<<):\n>>>  d\n  e\n<<<"},
        {"'start_line':4,'end_line':5,'new_content':'4|  D','expected_text':'4|  d\\n5|  e'",
         "Error: a.txt: lines 4 to 5 do not hold the expected text\n"
         "Cause: line_numbers\nThe expected text has line numbers that are not in the file\n"
         "Send as new_content (between >>> and <<<):\n>>>  D<<<\n"
         "Send as expected_text (between >>> and <<<):\n>>>  d\n  e<<<"},
        {"'start_line':2,'end_line':2,'new_content':'x','expected_text':'2: other'",
         "Error: a.txt: lines 2 to 2 do not hold the expected text\n"
         "Cause: stale_text\nThe lines hold (between >>> and <<<):\n>>>b\n<<<"},
        {"'start_line':2,'end_line':2,'new_content':'x','expected_text':'9: b\\n10: c'",
         "Error: a.txt: lines 2 to 2 do not hold the expected text\n"
         "Cause: stale_text\nThe lines hold (between >>> and <<<):\n>>>b\n<<<"},
    };
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("a\nb\nc\n  d\n  e\n"));
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char args[300];
        snprintf(args, sizeof args, "{'file_path':'a.txt',%s}", cases[i].args);
        call(&c, "edit_file_lines", args);
        check_text(&c, true, cases[i].text);
    }
}

/* Lines are named by where they stand, not by where they were read. */
static void lines_that_moved_are_replaced(void **state)
{
    (void)state;
    static const struct {
        const char *lines, *said, *file;
    } cases[] = {
        {"'start_line':2,'end_line':2,'new_content':'B'", "Successfully replaced line 3 in a.txt\n",
         "0\na\nB\nc\n"},
        {"'start_line':2,'end_line':3,'new_content':''",
         "Successfully replaced lines 3-4 in a.txt\n", "0\na\n"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(caller) c;
        char args[300];
        caller_open(&c, TOOLS);
        scratch_write(&c.s, "a.txt", EM_LIT("a\nb\nc\n"));
        call(&c, "read_file", "{'path':'a.txt'}");
        scratch_write(&c.s, "a.txt", EM_LIT("0\na\nb\nc\n"));
        snprintf(args, sizeof args,
                 "{'path':'a.txt',%s,'expected_hash':'%s','on_conflict':'merge'}", cases[i].lines,
                 em_hash_of(EM_LIT("a\nb\nc\n")).hex);
        call(&c, "edit_file_lines", args);
        check_has(&c, cases[i].said);
        check_file(&c.s, "a.txt", em_slice_of(cases[i].file));
    }
}

static void a_preview_is_the_diff_alone(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("1\n2\n3\n"));
    call(&c, "preview_edit", /* all that edit_file takes */
         "{'file_path':'a.txt','old_string':'2','new_string':'two','dry_run':false,"
         "'backup':true}");
    check_text(&c, false, "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n 1\n-2\n+two\n 3\n");
    check_file(&c.s, "a.txt", EM_LIT("1\n2\n3\n"));
    assert_int_equal(strlen(meta(&c, "emend/hash")), 32);
}

/* A stateless caller names its session in every call, and a preview can be held to what was read.
 */
static void companions_take_what_edit_file_takes(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    c.stateless = true;
    char args[300];
    scratch_write(&c.s, "a.txt", EM_LIT("1\n2\n3\n"));
    call(&c, "read_file", "{'file_path':'a.txt','session':'s'}");
    check_text(&c, false, "1\n2\n3\n");
    snprintf(args, sizeof args,
             "{'file_path':'a.txt','old_string':'2','new_string':'two','session':'s',"
             "'expected_hash':'%s'}",
             em_hash_of(EM_LIT("1\n2\n3\n")).hex);
    call(&c, "preview_edit", args);
    check_text(&c, false, "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n 1\n-2\n+two\n 3\n");
    scratch_write(&c.s, "a.txt", EM_LIT("0\n1\n2\n3\n"));
    call(&c, "preview_edit", args);
    check_has(&c, "Error: a.txt has changed: its content has the hash ");
    assert_true(c.answer.is_error);
    snprintf(args, sizeof args,
             "{'file_path':'a.txt','old_string':'2','new_string':'two','session':'s',"
             "'expected_hash':'%s','on_conflict':'merge'}",
             em_hash_of(EM_LIT("1\n2\n3\n")).hex);
    call(&c, "preview_edit", args);
    check_has(&c, "-2\n+two\n 3\n\nWarning: The file had changed since ");
}

/* An empty file has no line to replace. */
static void lines_of_an_empty_file(void **state)
{
    (void)state;
    static const struct {
        const char *tools, *way;
    } cases[] = {{"edit_file_lines,write_file", "use write_file"},
                 {"edit_file_lines,edit_file", "call edit_file with an empty old_string"}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(caller) c;
        char want[200];
        caller_open(&c, cases[i].tools);
        scratch_write(&c.s, "a.txt", EM_LIT(""));
        snprintf(want, sizeof want,
                 "Error: a.txt: line 1 is beyond the end: the file has 0 lines\nCause: range\n"
                 "It is empty and has no lines. To fill it, %s",
                 cases[i].way);
        for (int twice = 0; twice < 2; twice++) { /* which counts as no failed edit */
            call(&c, "edit_file_lines",
                 "{'file_path':'a.txt','start_line':1,'end_line':1,'new_content':'x'}");
            check_text(&c, true, want);
        }
    }
}

/* A model pays for every byte; a person at a command line wants it all. */
static void a_long_diff_is_cut_for_models_only(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    char text[10000];
    for (size_t i = 0; i < sizeof text; i += 2)
        memcpy(text + i, "x\n", 2);
    scratch_write(&c.s, "a.txt", em_slice_make(text, sizeof text));
    const char *arguments =
        "{'file_path':'a.txt','old_string':'x','new_string':'y','replace_all':true}";
    call(&c, "preview_edit", arguments);
    assert_true(strlen(c.answer.text) < 8192 + 200);
    check_has(&c, "\n(The diff is cut; in all 5000 lines added, 5000 removed.)\n");
    c.over_mcp = false;
    call(&c, "preview_edit", arguments);
    assert_true(strlen(c.answer.text) > 30000);
    check_lacks(&c, "cut");
}

/* ---- Arguments ----------------------------------------------------------------------------- */

#define EDIT_KNOWN                                                                                 \
    "Known here: file_path, old_string, new_string, replace_all, dry_run, match, backup, "         \
    "encoding, "                                                                                   \
    "expected_hash, on_conflict, session"

static void wrong_arguments_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *tool, *args, *text;
    } cases[] = {
        {"edit_file", "{}",
         "Error: Missing argument file_path: it must be a string\n"
         "Missing argument old_string: it must be a string\n"
         "Missing argument new_string: it must be a string"},
        {"edit_file", "{'file_path':'a.txt','old_string':7,'new_string':'y'}",
         "Error: old_string must be a string, but an integer came: 7 (send \"7\")\n"
         "Send these arguments: "
         "{\"file_path\":\"a.txt\",\"old_string\":\"7\",\"new_string\":\"y\"}"},
        {"edit_file", "{'file_path':'a.txt','old_str':'x','new_string':'y'}",
         "Error: Unknown argument old_str. Did you mean old_string? " EDIT_KNOWN
         "\nSend these arguments: "
         "{\"file_path\":\"a.txt\",\"old_string\":\"x\",\"new_string\":\"y\"}"},
        {"edit_file",
         "{'file_path':'a.txt','edits':'[{\\\"oldText\\\":\\\"x\\\",\\\"newText\\\":\\\"y\\\"}]'}",
         "Error: Unknown argument edits. " EDIT_KNOWN
         "\nMissing argument old_string: it must be a string"
         "\nMissing argument new_string: it must be a string\nSend these arguments: "
         "{\"file_path\":\"a.txt\",\"old_string\":\"x\",\"new_string\":\"y\"}"},
        {"edit_file", "{'file_path':'a.txt','old_string':'x','new_string':'y','on_conflict':'win'}",
         "Error: on_conflict must be one of \"fail\", \"merge\", but this came: \"win\""},
        {"edit_file", "{'file_path':'a.txt','path':'b','old_string':'x','new_string':'y'}",
         "Error: file_path and path are two names of one argument: send only file_path"},
        {"edit_file", "{'file_path':'','old_string':'x','new_string':'y'}",
         "Error: file_path must not be empty"},
        {"edit_file", "{'path':'a\\u0000','old_string':'x','new_string':'y'}",
         "Error: path must not hold a NUL character"},
        {"edit_file",
         "{'file_path':'a.txt','old_string':'x','new_string':'y','replace_all':'true'}",
         "Error: replace_all must be true or false, but a string came: \"true\" (send true)\n"
         "Send these arguments: {\"file_path\":\"a.txt\",\"old_string\":\"x\",\"new_string\":\"y\","
         "\"replace_all\":true}"},
        {"read_file", "{'file_path':'a.txt','start_line':0}",
         "Error: start_line must be at least 1, but 0 came"},
        {"read_file", "{'file_path':'a.txt','startLine':1}",
         "Error: Unknown argument startLine. Did you mean start_line? Known here: file_path, "
         "start_line, end_line, encoding, session\n"
         "Send these arguments: {\"file_path\":\"a.txt\",\"start_line\":1}"},
        {"read_file", "{'file_path':'a.txt','offset':3,'limit':2}",
         "Error: Unknown argument offset. Did you mean start_line? Known here: file_path, "
         "start_line, end_line, encoding, session\nUnknown argument limit. Did you mean end_line? "
         "It is the number of the last line, and not how many there are: send 4\n"
         "Send these arguments: {\"file_path\":\"a.txt\",\"start_line\":3,\"end_line\":4}"},
        {"read_file", "{'file_path':['a.txt']}",
         "Error: file_path must be a string, but a list came: [\"a.txt\"]\n"
         "Send these arguments: {\"file_path\":\"a.txt\"}"},
        {"edit_file", "{'file':'a.txt','edits':[{'oldText':'x','newText':'y'}]}",
         "Error: Unknown argument file. Did you mean file_path? " EDIT_KNOWN
         "\nUnknown argument edits"
         "\nMissing argument old_string: it must be a string\n"
         "Missing argument new_string: it must be a string\nSend these arguments: "
         "{\"file_path\":\"a.txt\",\"old_string\":\"x\",\"new_string\":\"y\"}"},
        {"edit_file", "{'file_path':'a.txt','edits':[{'old_string':'x'}]}",
         "Error: Unknown argument edits. " EDIT_KNOWN
         "\nMissing argument old_string: it must be a string\n"
         "Missing argument new_string: it must be a string"},
        {"write_file", "{'file_path':'a.txt'}",
         "Error: Missing argument content: it must be a string"},
        {"write_file", "{'file_path':'a.txt','content':{}}",
         "Error: content must be a string, but an object came: {} (send the text as one string)"},
        {"write_file", "{'file_path':'a.txt','contents':'x'}",
         "Error: Unknown argument contents. Did you mean content? Known here: file_path, content, "
         "dry_run, backup, encoding, expected_hash, on_conflict, session\n"
         "Send these arguments: {\"file_path\":\"a.txt\",\"content\":\"x\"}"},
        {"create_file", "{'file_path':'a.txt','content':null}",
         "Error: content must be a string, but null came"},
        {"create_file", "{'content':'x'}",
         "Error: Missing argument file_path: it must be a string"},
        {"create_file", "{'file_path':'b','content':'x','backup':true}",
         "Error: Unknown argument backup. Known here: file_path, content, dry_run, encoding, "
         "session"},
        {"edit_file_lines", "{'file_path':'a.txt','start_line':1,'new_content':''}",
         "Error: Missing argument end_line: it must be an integer"},
        {"edit_file_lines", "{'file_path':'a.txt','start_line':'1','end_line':1,'new_content':''}",
         "Error: start_line must be an integer, but a string came: \"1\" (send 1)\n"
         "Send these arguments: {\"file_path\":\"a.txt\",\"start_line\":1,\"end_line\":1,"
         "\"new_content\":\"\"}"},
        {"edit_file_lines", "{'file_path':'a.txt','start_line':1,'end_line':1,'new_text':''}",
         "Error: Unknown argument new_text. Did you mean new_content? Known here: file_path, "
         "start_line, end_line, new_content, expected_text, dry_run, backup, encoding, "
         "expected_hash, on_conflict, session\n"
         "Send these arguments: {\"file_path\":\"a.txt\",\"start_line\":1,\"end_line\":1,"
         "\"new_content\":\"\"}"},
        {"preview_edit", "{'file_path':'a.txt','old_string':'x'}",
         "Error: Missing argument new_string: it must be a string (\"\" deletes what is found)"},
        {"preview_edit", "{'file_path':'a','old_string':'x','new_string':'y','force':true}",
         "Error: Unknown argument force. Known here: file_path, old_string, new_string, "
         "replace_all, dry_run, match, backup, encoding, expected_hash, on_conflict, session"},
    };
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("one x\n7\nthree\nfour\n"));
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        call(&c, cases[i].tool, cases[i].args);
        check_text(&c, true, cases[i].text);
    }
    check_file(&c.s, "a.txt", EM_LIT("one x\n7\nthree\nfour\n"));
}

/* It is offered there, and writes nothing; what writes is refused. */
static void a_preview_is_shown_where_nothing_may_be_written(void **state)
{
    static const char edit[] = "{'file_path':'a.txt','old_string':'one','new_string':'two'}";
    (void)state;
    EM_AUTO(caller) c;
    em_error err = EM_ERROR_INIT;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("one\n"));
    em_session_free(c.s.session);
    c.s.options.workspace.read_only = true;
    assert_int_equal(em_session_new(&c.s.options, &c.s.session, &err), EM_OK);
    call(&c, "preview_edit", edit);
    assert_false(c.answer.is_error);
    check_has(&c, "@@ -1 +1 @@\n-one\n+two\n");
    call(&c, "edit_file", edit);
    check_has(&c, "refused by --read-only");
    check_file(&c.s, "a.txt", EM_LIT("one\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plain_success_is_the_sentence_alone),
        cmocka_unit_test(the_path_in_a_success_is_relative_to_the_root),
        cmocka_unit_test(warnings_and_the_id_follow_the_sentence),
        cmocka_unit_test(a_success_that_changes_nothing_says_so),
        cmocka_unit_test(endings_that_are_kept_are_told),
        cmocka_unit_test(no_way_to_lfs_is_told_of_a_file_with_both),
        cmocka_unit_test(what_is_there_is_shown_where_nothing_reads),
        cmocka_unit_test(a_dry_run_says_so_and_shows_the_diff),
        cmocka_unit_test(a_text_that_is_not_there),
        cmocka_unit_test(what_stands_there_instead),
        cmocka_unit_test(a_match_that_is_not_exact_is_declared),
        cmocka_unit_test(several_tolerant_places_are_too_many),
        cmocka_unit_test(a_mark_in_the_search_text_is_seen),
        cmocka_unit_test(an_empty_file_is_told),
        cmocka_unit_test(after_misses_in_a_row_writing_anew_is_advised),
        cmocka_unit_test(an_edit_made_before),
        cmocka_unit_test(an_edit_that_was_not_made),
        cmocka_unit_test(an_edit_made_before_again),
        cmocka_unit_test(a_text_that_is_there_more_than_once),
        cmocka_unit_test(other_failures),
        cmocka_unit_test(a_system_that_says_no),
        cmocka_unit_test(reading_gives_the_text_alone),
        cmocka_unit_test(a_file_is_read_with_its_nuls),
        cmocka_unit_test(files_are_written_and_created),
        cmocka_unit_test(lines_are_replaced),
        cmocka_unit_test(numbers_before_lines_are_told),
        cmocka_unit_test(lines_that_moved_are_replaced),
        cmocka_unit_test(a_preview_is_the_diff_alone),
        cmocka_unit_test(companions_take_what_edit_file_takes),
        cmocka_unit_test(lines_of_an_empty_file),
        cmocka_unit_test(a_long_diff_is_cut_for_models_only),
        cmocka_unit_test(wrong_arguments_are_told),
        cmocka_unit_test(a_preview_is_shown_where_nothing_may_be_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
