/* tried_out_test.c: arguments that do not pass, in all families: what was most likely meant is
 * tried out before it is told, so that one more call is enough. */
#include "calls.h"

#include "base/strbuf.h"

static const char content[] = "if (x)\n    one;\nmore();\n";

static int setup(void **state)
{
    static caller c;
    caller_open(&c, "all");
    scratch_write(&c.s, "a.c", em_slice_of(content));
    *state = &c;
    return 0;
}

static int teardown(void **state)
{
    caller_drop(*state);
    return 0;
}

static const char would_fail[] = "Sent so, the call would fail next:";

/* Calls with a name of another tool and "@" for the text to replace, and what is meant by them;
 * `retry` is where the answer has that; NULL: in words. */
static const struct {
    const char *tool, *slipped, *meant, *retry;
} families[] = {
    {"file_edit", "{'file':'a.c','edits':[{'old_text':'@','new_text':'    two;'}]}",
     "{'path':'a.c','edits':[{'old_text':'@','new_text':'    two;'}]}", "retry"},
    {"edit_file", "{'file_path':'a.c','old_str':'@','new_str':'    two;'}",
     "{'file_path':'a.c','old_string':'@','new_string':'    two;'}", NULL},
    {"MultiEdit", "{'file':'a.c','edits':[{'old_string':'@','new_string':'    two;'}]}",
     "{'path':'a.c','edits':[{'old_string':'@','new_string':'    two;'}]}", "data.retry"},
    {"Edit", "{'path':'a.c','old_str':'@','new_str':'    two;'}",
     "{'path':'a.c','old_string':'@','new_string':'    two;'}", "data.retry"},
    {"editFile",
     "{'path':'a.c','match':'exact','operations':[{'search':'@','replace':'    two;'}]}",
     "{'file':'a.c','match':'exact','operations':[{'search':'@','replace':'    two;'}]}", "retry"},
    {"editFiles",
     "{'match':'exact','edits':[{'path':'a.c','replaceOperations':"
     "[{'search':'@','replace':'    two;'}]}]}",
     "{'match':'exact','edits':[{'file':'a.c','replaceOperations':"
     "[{'search':'@','replace':'    two;'}]}]}",
     "retry"},
    {"mcp__editor__Edit",
     "{'file_path':'a.c','edits':[{'old_string':'@','new_string':'    two;'}]}",
     "{'file_path':'a.c','edits':[{'old_text':'@','new_text':'    two;'}]}", NULL},
};

/* `form` with `text` for "@". */
static const char *with(caller *c, const char *form, const char *text)
{
    const char *at = strchr(form, '@');
    return em_arena_format(&c->s.arena, "%.*s%s%s", (int)(at - form), form, text, at + 1);
}

/* The answer has this to be sent, in words or in its object. */
static void check_retry(caller *c, size_t family, const char *text)
{
    const char *meant = with(c, families[family].meant, text);
    if (families[family].retry) {
        check_field(c, families[family].retry, meant);
        return;
    }
    char *sent = em_arena_string(&c->s.arena, em_slice_of(meant));
    for (char *at = sent; (at = strchr(at, '\'')); at++)
        *at = '"';
    check_has(c, em_arena_format(&c->s.arena, "\nSend these arguments: %s", sent));
}

static void check_refused(caller *c, size_t family, const char *text)
{
    call(c, families[family].tool, with(c, families[family].slipped, text));
    assert_true(c->answer.is_error);
    check_has(c, "Unknown argument ");
    check_file(&c->s, "a.c", em_slice_of(content));
}

static void texts_are_corrected_with_the_names(void **state)
{
    caller *c = *state;
    for (size_t i = 0; i < COUNT_OF(families); i++) {
        check_refused(c, i, "\\tone;");
        check_has(c, would_fail);
        check_has(c, "tabs where the file has spaces");
        check_retry(c, i, "    one;");
        call(c, families[i].tool, with(c, families[i].meant, "    one;"));
        assert_false(c->answer.is_error);
        check_file(&c->s, "a.c", EM_LIT("if (x)\n    two;\nmore();\n"));
        scratch_write(&c->s, "a.c", em_slice_of(content));
    }
}

static void what_would_be_done_is_not_spoken_of(void **state)
{
    caller *c = *state;
    for (size_t i = 0; i < COUNT_OF(families); i++) {
        check_refused(c, i, "    one;");
        check_lacks(c, would_fail);
        check_retry(c, i, "    one;");
    }
}

/* Then the names are right at least, and the answer has what the next one would have told. */
static void what_would_fail_all_the_same_is_told(void **state)
{
    caller *c = *state;
    for (size_t i = 0; i < COUNT_OF(families); i++) {
        check_refused(c, i, "mure();");
        check_has(c, would_fail);
        check_has(c, "more();");
        check_lacks(c, "ready to send");
    }
}

static void what_is_to_be_corrected_before_is_told(void **state)
{
    caller *c = *state;
    call(c, "file_edit", "{'file':'a.c','edits':[{'old_text':'mure();','new_text':'x'}]}");
    check_has(c, ">>>more();<<<\nmetadata.retry is the call with corrected arguments: correct what "
                 "would fail next, too");
}

static void the_path_is_corrected_with_the_names(void **state)
{
    caller *c = *state;
    call(c, "editFile", "{'path':'A.c','operations':[{'search':'    one;','replace':'2'}]}");
    check_has(c, "Did you mean a.c?");
    check_field(c, "retry", "{'file':'a.c','operations':[{'search':'    one;','replace':'2'}]}");
}

/* In another form the words for a text and its replacement are those of the form. */
static void words_of_other_tools_have_their_place_in_each_form(void **state)
{
    static const struct {
        const char *tool, *slipped, *told, *way;
    } rows[] = {
        {"mcp__editor__Edit",
         "{'file_path':'a.c','operation':'insert_after','find':'more();','content':'x'}",
         "argument find. Did you mean anchor?",
         "'operation':'insert_after','anchor':'more();','content':'x'}"},
        {"mcp__editor__Edit",
         "{'file_path':'a.c','op':'replace','old_text':'more();','new_text':'x'}",
         "argument new_text. Did you mean content?",
         "'operation':'replace','anchor':'more();','content':'x'}"},
        {"mcp__editor__Edit",
         "{'file_path':'a.c','operatoin':'replace','old_text':'more();','new_text':'x'}",
         "argument new_text. Did you mean content?",
         "'operation':'replace','anchor':'more();','content':'x'}"},
        {"mcp__editor__Edit",
         "{'files':[{'file_path':'a.c','operation':'delete','old_text':'more();'}]}",
         "argument files[0].old_text. Did you mean anchor?",
         "'operation':'delete','anchor':'more();'}]}"},
        {"mcp__editor__Edit", "{'file_path':'a.c','old_text':'more();','new_text':'x'}",
         "Did you mean edits[].old_text?", "'edits':[{'old_text':'more();','new_text':'x'}]}"},
        {"edit_file_lines", "{'file_path':'a.c','start_line':3,'end_line':3,'text':'x'}",
         "argument text. Did you mean new_content?", "'end_line':3,'new_content':'x'}"},
        {"edit_file_lines",
         "{'file_path':'a.c','start_line':3,'end_line':3,'old_text':'more();','new_text':'x'}",
         "argument old_text. Did you mean expected_text?",
         "'expected_text':'more();','new_content':'x'}"},
        {"editDOM", "{'file':'a.c','operations':[{'css':'p','action':'remove'}]}",
         "argument operations[0].css. Did you mean selector?", "'selector':'p'"},
    };
    caller *c = *state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        call(c, rows[i].tool, rows[i].slipped);
        assert_true(c->answer.is_error);
        check_has(c, rows[i].told);
        char *way = em_arena_string(&c->s.arena, em_slice_of(rows[i].way));
        for (char *at = way; (at = strchr(at, '\'')); at++)
            *at = '"';
        check_has(c, way);
    }
}

/* What is filled in only because there is room for it is left out, and what then is a call is tried
 * out; which edit is to be undone is not guessed. */
static void what_says_nothing_is_left_out(void **state)
{
    static const struct {
        const char *tool, *filled, *way;
    } rows[] = {
        {"mcp__editor__Edit",
         "{'file_path':'a.c','operation':'append','content':'x\\n','anchor':'','edits':[],"
         "'files':[]}",
         "'operation':'append','content':'x\\n','anchor':''}"},
        {"mcp__editor__Edit",
         "{'file_path':'a.c','edits':[{'old_text':'more();','new_text':'x'}],'operation':'replace'"
         "}",
         "{'file_path':'a.c','edits':[{'old_text':'more();','new_text':'x'}]}"},
        {"mcp__editor__Edit",
         "{'file_path':'','edits':[],'files':[{'file_path':'a.c','operation':'delete',"
         "'anchor':'more();','edits':[]}]}",
         "{'files':[{'file_path':'a.c','operation':'delete','anchor':'more();'}]}"},
        {"edit_file",
         "{'file_path':'a.c','old_string':'more();','new_string':'x','match':'','encoding':'',"
         "'expected_hash':'','on_conflict':'','session':''}",
         "{'file_path':'a.c','old_string':'more();','new_string':'x'}"},
        {"editDOM",
         "{'file':'a.c','operations':[{'selector':'p','action':'remove','position':''}]}",
         "'retry':{'file':'a.c','operations':[{'selector':'p','action':'remove'}]}"},
    };
    static const char *const unclear[][2] = {
        {"mcp__editor__Edit",
         "{'file_path':'a.c','operation':'delete','edits':[{'old_text':'one','new_text':'x'}]}"},
        {"mcp__editor__Edit", "{'file_path':'a.c','edits':[],'operation':'append'}"},
        {"editFiles", "{'edits':[{'file':'a.c','replaceOperations':[]}]}"},
        {"undo_last_edit", "{'edit_id':''}"},
    };
    caller *c = *state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        call(c, rows[i].tool, rows[i].filled);
        assert_true(c->answer.is_error);
        char *way = em_arena_string(&c->s.arena, em_slice_of(rows[i].way));
        for (char *at = way; (at = strchr(at, '\'')); at++)
            *at = '"';
        check_has(c, way);
    }
    for (size_t i = 0; i < COUNT_OF(unclear); i++) {
        call(c, unclear[i][0], unclear[i][1]);
        assert_true(c->answer.is_error);
        check_lacks(c, "rguments: {");
        check_lacks(c, "retry");
    }
    check_file(&c->s, "a.c", em_slice_of(content));
}

/* "All of them" where their number is asked for, however the edits came, and what their numbers
 * are: edits see those before them. What is said of each edit by itself is said of no other. */
static void all_comes_back_as_its_number(void **state)
{
    static const struct {
        const char *tool, *sent, *retry;
    } rows[] = {
        {"file_edit", "'path':'a.c','edits':[{'old_text':'o','new_text':'0','replace_all':true}]",
         "{'path':'a.c','edits':[{'old_text':'o','new_text':'0','occurrences':2}]}"},
        {"file_edit",
         "'path':'a.c','edits':[{'old_text':'o','new_text':'00','replace_all':true},"
         "{'old_text':'0','new_text':'u','replaceAll':'true'}]",
         "{'path':'a.c','edits':[{'old_text':'o','new_text':'00','occurrences':2},"
         "{'old_text':'0','new_text':'u','occurrences':4}]}"},
        {"file_edit", "'path':'a.c','old_text':'o','new_text':'0','replace_all':true",
         "{'path':'a.c','edits':[{'old_text':'o','new_text':'0','occurrences':2}]}"},
        {"file_edit", "'path':'a.c','replace_all':true,'edits':[{'old_text':'o','new_text':'0'}]",
         "{'path':'a.c','edits':[{'old_text':'o','new_text':'0','occurrences':2}]}"},
        {"editFile",
         "'path':'a.c','edits':[{'old_string':'o','new_string':'0','all':true},"
         "{'search':'x','replace':'y'}]",
         "{'file':'a.c','operations':[{'search':'o','replace':'0','expectedReplacements':2},"
         "{'search':'x','replace':'y'}]}"},
    };
    caller *c = *state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        call(c, rows[i].tool, em_arena_format(&c->s.arena, "{%s}", rows[i].sent));
        assert_true(c->answer.is_error);
        check_lacks(c, would_fail);
        check_field(c, "retry", rows[i].retry);
        call_with(c, rows[i].tool, json_incref(field(c, "retry")));
        assert_false(c->answer.is_error);
        scratch_write(&c->s, "a.c", em_slice_of(content));
    }
    call(c, "file_edit",
         "{'path':'a.c','edits':[{'old_text':'o','new_text':'0'},"
         "{'old_text':'x','new_text':'y','replace_all':true}]}");
    check_has(c, would_fail);
    check_field(c, "retry.edits.0", "{'old_text':'o','new_text':'0'}");
    call(c, "file_edit",
         "{'path':'a.c','edits':[{'old_text':'o','new_text':'0','replace_all':true,"
         "'occurrences':1}]}");
    check_has(c, would_fail);
    check_field(c, "retry.edits.0.occurrences", "1");
}

/* It is right without where there is one, and else the number is told at once. */
static void all_is_told_by_its_number(void **state)
{
    caller *c = *state;
    call(c, "file_edit",
         "{'path':'a.c','edits':[{'old_text':'one','new_text':'2','replace_all':true}]}");
    check_lacks(c, would_fail);
    check_field(c, "retry", "{'path':'a.c','edits':[{'old_text':'one','new_text':'2'}]}");
    call(c, "editFile",
         "{'file':'a.c','operations':[{'search':'if(x)','replace':'0','replaceAll':true}]}");
    check_lacks(c, would_fail);
    call(c, "editFiles",
         "{'edits':[{'file':'a.c','replaceOperations':"
         "[{'search':'o','replace':'0','replaceAll':true}]}]}");
    check_has(c, would_fail);
    check_has(c, "Set expectedReplacements to 2 to replace all of them");
    check_file(&c->s, "a.c", em_slice_of(content));
}

/* The number where only "all of them" can be said: if that is how often the text stands there. */
static void a_number_comes_back_as_all(void **state)
{
    static const char not_so[] = "The text does not stand there as often as was said";
    caller *c = *state;
    call(c, "edit_file",
         "{'file_path':'a.c','old_string':'o','new_string':'0','expected_replacements':2}");
    check_has(c, "Send these arguments: {\"file_path\":\"a.c\",\"old_string\":\"o\","
                 "\"new_string\":\"0\",\"replace_all\":true}");
    check_lacks(c, would_fail);
    call(c, "Edit", "{'path':'a.c','old_string':'o','new_string':'0','count':'2'}");
    check_field(c, "data.retry",
                "{'path':'a.c','old_string':'o','new_string':'0','replace_all':true}");
    call(c, "edit_file", "{'file_path':'a.c','old_string':'o','new_string':'0','count':3}");
    check_has(c, "The text stands there 2 times: if all are meant, send replace_all");
    check_lacks(c, "rguments: {");
    static const char *const others[] = {
        "{'file_path':'a.c','old_string':'more','new_string':'0','count':2}",
        "{'file_path':'a.c','old_string':'mored','new_string':'0','count':2}",
        "{'arguments':{'file_path':'a.c','old_string':'more','new_string':'0','count':2}}",
    };
    for (size_t i = 0; i < COUNT_OF(others); i++) {
        call(c, "edit_file", others[i]);
        check_lacks(c, "rguments: {");
        check_has(c, not_so);
    }
    static const char *const unclear[] = {
        "{'file_path':'a.c','edits':[{'old_string':'more','new_string':'0','count':2}]}",
        "{'file_path':'a.c','old_string':'o','new_string':'0','count':2,'replace_all':false}",
        "{'file_path':'a.c','old_string':'o','new_string':'0','replaceAll':true,'count':3}",
        "{'file_path':'a.c','old_string':'o','new_string':'0','count':2,'replaceAll':false}",
    };
    for (size_t i = 0; i < COUNT_OF(unclear); i++) {
        call(c, "edit_file", unclear[i]);
        check_lacks(c, "rguments: {");
    }
    check_file(&c->s, "a.c", em_slice_of(content));
}

/* Each edit of a list has its own; beside a list it is that of the only one. */
static void a_number_of_each_edit_comes_back_as_all(void **state)
{
#define OLD(text, rest) "{'old_string':'" text "','new_string':'0'" rest "}"
#define ALL ",'replace_all':true"
    static const struct {
        const char *args, *meant; /* NULL: nothing is to be sent, */
        const char *told;         /* for that reason */
    } rows[] = {
        {"'edits':[" OLD("o", ",'count':2") "]", OLD("o", ALL), NULL},
        {"'edits':" OLD("o", ",'count':'2'"), OLD("o", ALL), NULL},
        {"'edits':[" OLD("o", ",'count':2" ALL) "]", OLD("o", ALL), NULL},
        {"'edits':[" OLD("o", "") "],'count':2", OLD("o", ALL), NULL},
        {"'old_string':'o','new_string':'0','count':2", OLD("o", ALL), NULL},
        {"'edits':[" OLD("x", ",'count':1") "," OLD("o", ",'count':2") "," OLD("e",
                                                                               ",'count':2") "]",
         OLD("x", "") "," OLD("o", ALL) "," OLD("e", ALL), NULL},
        {"'edits':[" OLD("o", ",'count':3") "]", NULL, "The text stands there 2 times: if all"},
        {"'edits':[" OLD("x", "") "," OLD("o", ",'count':3") "]", NULL,
         "The text of edits[1] stands there 2 times: if all"},
        {"'edits':[" OLD("o", ",'count':2") "," OLD("x", ",'count':2") "]", NULL,
         "The text of edits[1] does not stand there as often as was said"},
        {"'edits':[" OLD("zzzz", "") "," OLD("o", ",'count':2") "]", NULL,
         "How often a text stands there is not said here"},
        {"'edits':[" OLD("o", ",'count':2,'replace_all':false") "]", NULL, NULL},
        {"'edits':[" OLD("o", "") "," OLD("e", "") "],'count':2", NULL, NULL},
    };
    caller *c = *state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        call(c, "MultiEdit", em_arena_format(&c->s.arena, "{'path':'a.c',%s}", rows[i].args));
        if (rows[i].told)
            check_has(c, rows[i].told);
        if (rows[i].meant)
            check_field(c, "data.retry.edits", em_arena_format(&c->s.arena, "[%s]", rows[i].meant));
        else
            assert_null(field(c, "data.retry"));
    }
    call(c, "mcp__editor__Edit",
         "{'path':'a.c','edits':[{'old_text':'o','new_text':'0','occurrences':2}]}");
    check_has(c, "\"new_text\":\"0\",\"replace_all\":true}]}");
    check_file(&c->s, "a.c", em_slice_of(content));
#undef OLD
#undef ALL
}

/* The arguments in an object of their own are those of the call. */
static void arguments_may_be_wrapped(void **state)
{
    static const struct {
        const char *args, *retry;
    } rows[] = {
        {"{'arguments':{'path':'a.c','edits':[{'old_text':'one','new_text':'2'}]}}",
         "{'path':'a.c','edits':[{'old_text':'one','new_text':'2'}]}"},
        {"{'params':{'file_path':'a.c','old_string':'one','new_string':'2'}}",
         "{'path':'a.c','edits':[{'old_text':'one','new_text':'2'}]}"},
        {"{'input':'{\\'path\\':\\'a.c\\',\\'old_text\\':\\'one\\',\\'new_text\\':\\'2\\'}'}",
         "{'path':'a.c','edits':[{'old_text':'one','new_text':'2'}]}"},
        {"{'arguments':{'path':'a.c','edits':[{'old_text':'o','new_text':'0','replace_all':true}]}"
         "}",
         "{'path':'a.c','edits':[{'old_text':'o','new_text':'0','occurrences':2}]}"},
    };
    caller *c = *state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        call(c, "file_edit", rows[i].args);
        check_lacks(c, would_fail);
        check_field(c, "retry", rows[i].retry);
    }
    check_file(&c->s, "a.c", em_slice_of(content));
}

/* Who only reads is told, too, what the call would fail at. */
static void what_is_to_be_read_is_tried_out(void **state)
{
    static const struct {
        const char *tool, *slipped, *why, *way;
    } rows[] = {
        {"read_file", "{'filename':'A.c'}", "Did you mean a.c?",
         "Send these arguments: {\"file_path\":\"a.c\"}"},
        {"read_file", "{'filename':'a.c','start':9}", "line 9 is beyond the end",
         "With that corrected, too, send these arguments: {"},
        {"readFile", "{'path':'A.c'}", "Did you mean a.c?", "\"retry\":{\"file\":\"a.c\"}"},
        {"Read", "{'file_path':'A.c'}", "Did you mean a.c?", "\"retry\":{\"path\":\"a.c\"}"},
        {"pick_tools", "{'names':['Edt']}", "Did you mean Edit?",
         "With that corrected, too, send these arguments: {\"tools\":[\"Edt\"]}"},
    };
    caller *c = *state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        call(c, rows[i].tool, rows[i].slipped);
        assert_true(c->answer.is_error);
        check_has(c, would_fail);
        check_has(c, rows[i].why);
        check_has(c, rows[i].way);
    }
    call(c, "Read", "{'file_path':'a.c'}");
    check_lacks(c, would_fail);
    check_field(c, "data.retry", "{'path':'a.c'}");
}

/* It was not read: a file of which the caller knows nothing is not replaced. */
static void what_was_tried_out_was_not_read(void **state)
{
    caller *c = *state;
    call(c, "Read", "{'file_path':'a.c'}");
    call(c, "Edit", "{'path':'a.c','create_content':'x'}");
    check_has(c, "exists already, and was not read");
    call(c, "Read", "{'path':'a.c'}");
    call(c, "Edit", "{'path':'a.c','create_content':'x'}");
    assert_false(c->answer.is_error);
}

/* It is no call: it counts as none that failed, nothing is written, and nobody is told of it. */
static void count_one(void *context, const em_observed *observed)
{
    (void)observed;
    ++*(size_t *)context;
}

static void to_try_leaves_no_trace(void **state)
{
    caller *c = *state;
    size_t told = 0;
    em_session_set_observer(c->s.session, (em_observer){.tell = count_one, .context = &told});
    for (int i = 0; i < 3; i++) {
        check_refused(c, 0, "none of it");
        check_refused(c, 1, "    one;");
        check_lacks(c, "in a row");
    }
    call(c, "writeFiles", "{'files':[{'path':'new.c','content':'x'}],'atomic':true}");
    check_field(c, "retry", "{'files':[{'file':'new.c','content':'x'}],'atomic':true}");
    assert_null(scratch_read(&c->s, "new.c").ptr);
    assert_int_equal(told, 0);
    call(c, "undo_last_edit", "{'id':'1'}");
    check_has(c, would_fail);
    call(c, "undo_last_edit", "{}");
    check_has(c, "This session has made no edit that could be undone");
}

/* A patch whose text stands within a line was made for another. */
static void a_patch_is_of_whole_lines(void **state)
{
    static const struct {
        const char *tool, *slipped, *meant; /* NULL: nothing is to be sent */
    } rows[] = {
        {"file_edit", "{'path':'a.c','diff':'@@ -1 +1 @@\\n-more();\\n+less();\\n'}",
         "{'path':'a.c','edits':[{'old_text':'more();','new_text':'less();'}]}"},
        {"file_edit", "{'path':'a.c','diff':'@@ -1 +1 @@\\n-more\\n+less\\n'}", NULL},
        {"file_edit", "{'path':'a.c','diff':'@@ -1 +1 @@\\n-();\\n+(1);\\n'}", NULL},
        {"file_edit",
         "{'path':'a.c','edits':'<<<<<<< SEARCH\\nore();\\n=======\\n>>>>>>> REPLACE'}", NULL},
        /* the depth of a line may be left out of it, but not where that would stay alone */
        {"file_edit", "{'path':'a.c','diff':'@@ -1 +1 @@\\n-one;\\n+two;\\n'}",
         "{'path':'a.c','edits':[{'old_text':'one;','new_text':'two;'}]}"},
        {"file_edit", "{'path':'a.c','diff':'@@ -1 +0,0 @@\\n-one;\\n'}", NULL},
        {"editFile", "{'file':'a.c','diff':'@@ -1 +1 @@\\n-more\\n+less\\n'}", NULL},
        {"editFiles", "{'edits':[{'file':'a.c','diff':'@@ -1 +1 @@\\n-more\\n+less\\n'}]}", NULL},
    };
    caller *c = *state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        call(c, rows[i].tool, rows[i].slipped);
        if (rows[i].meant) {
            check_field(c, "retry", rows[i].meant);
        } else {
            check_has(c, "of whole lines, but its texts stand in the file within others");
            check_lacks(c, "\"retry\"");
        }
    }
}

/* Edits beside a patch are of what they say. */
static void what_stands_beside_a_patch_is_held_to_no_lines(void **state)
{
#define CUT "{'old_text':'mor','new_text':'les'}"
    caller *c = *state;
    call(c, "file_edit",
         "{'path':'a.c','edits':[" CUT ",'@@ -2 +2 @@\\n-    one;\\n+    two;\\n']}");
    check_field(c, "retry",
                "{'path':'a.c','edits':[" CUT ",{'old_text':'    one;','new_text':'    two;'}]}");
    call(c, "file_edit", "{'path':'a.c','edits':[" CUT ",'@@ -2 +2 @@\\n-ne;\\n+wo;\\n']}");
    check_has(c, "of whole lines, but its texts stand in the file within others");
    assert_null(field(c, "retry"));
#undef CUT
}

/* One that says what its lines are below is not made in a sibling. */
static void a_patch_is_made_where_it_says(void **state)
{
#define IN_G "-    one(alpha);\\n+    two(alpha);\\n"
#define HUNK(head) "@@ -3,1 +3,1 @@" head "\\n" IN_G
#define ENVELOPE(head) "*** Begin Patch\\n*** Update File: p.c\\n" head IN_G "*** End Patch"
    static const char *const there[] = {
        ENVELOPE("@@ f()\\n"),
        ENVELOPE("@@ head\\n@@ f()\\n"),
        ENVELOPE("@@\\n"),
        ENVELOPE("@@ f() @@\\n"),
        ENVELOPE("@@ ... @@\\n"),
        HUNK(" f()"),
        HUNK(""),
        HUNK(" was_f()"), /* it may have had another name */
    };
    static const char *const elsewhere[] = {
        ENVELOPE("@@ g()\\n"),
        ENVELOPE("@@ f()\\n@@ head\\n"),
        ENVELOPE("@@ h()\\n"),
        HUNK(" g()"),
    };
    caller *c = *state;
    scratch_write(&c->s, "p.c", EM_LIT("head\nf()\n    one(alpha);\n\ng()\n    one(beta);\n"));
    for (size_t i = 0; i < COUNT_OF(there) + COUNT_OF(elsewhere); i++) {
        bool is_there = i < COUNT_OF(there);
        const char *patch = is_there ? there[i] : elsewhere[i - COUNT_OF(there)];
        call(c, "file_edit", em_arena_format(&c->s.arena, "{'path':'p.c','patch':'%s'}", patch));
        assert_int_equal(field(c, "retry") != NULL, is_there);
        if (!is_there)
            check_has(c, "and the file has them at line 3, which is not below that");
    }
    /* also where another text of it is not found, and where it is all of a search text */
    call(c, "file_edit",
         "{'path':'p.c','patch':'@@ g()\\n" IN_G
         "@@ g()\\n-    one(betta);\\n+    two(beta);\\n'}");
    check_has(c, "and the file has them at line 3, which is not below that");
    call(c, "file_edit", "{'path':'p.c','edits':[{'old_text':'@@ g()\\n" IN_G "','new_text':''}]}");
    assert_null(field(c, "retry"));
    call(c, "file_edit", "{'path':'p.c','edits':[{'old_text':'@@ f()\\n" IN_G "','new_text':''}]}");
    assert_non_null(field(c, "retry"));
}

/* What it shows may stand at several places, of which its header names one. */
static void a_patch_shows_more_where_that_makes_it_unique(void **state)
{
#define OF_END "     one();\\n-    end\\n+    two();\\n"
#define TEXTS(goes, comes)                                                                         \
    "[{'" goes "':'g()\\n    one();\\n    end','" comes "':'g()\\n    one();\\n    two();'}]"
    static const struct {
        const char *tool, *slipped, *retry, *meant;
    } rows[] = {
        {"file_edit", "{'path':'p.c','patch':'@@ -5,2 +5,2 @@ g()\\n" OF_END "'}", "retry",
         "{'path':'p.c','edits':" TEXTS("old_text", "new_text") "}"},
        {"MultiEdit", "{'path':'p.c','edits':['@@ g()\\n" OF_END "']}", "data.retry",
         "{'path':'p.c','edits':" TEXTS("old_string", "new_string") "}"},
        {"editFiles", "{'edits':[{'file':'p.c','diff':'@@ -5,2 +5,2 @@ g()\\n" OF_END "'}]}",
         "retry", "{'edits':[{'file':'p.c','replaceOperations':" TEXTS("search", "replace") "}]}"},
    };
    caller *c = *state;
    scratch_write(&c->s, "p.c", EM_LIT("f()\n    one();\n    end\ng()\n    one();\n    end\n"));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        call(c, rows[i].tool, rows[i].slipped);
        check_field(c, rows[i].retry, rows[i].meant);
        check_lacks(c, would_fail);
    }
    call(c, "writeFiles", "{'file':'p.c','patch':'@@ -5,2 +5,2 @@ g()\\n" OF_END "'}");
    check_has(c, "Send these arguments to editFile");
    check_has(c, "g()\\\\n    one();");
    call(c, "file_edit", "{'path':'p.c','patch':'@@ -4,2 +4,2 @@\\n" OF_END "'}");
    check_has(c, would_fail);
}

/* And if it names none, nothing of the patch is made. */
static void a_patch_that_fails_in_part_is_not_made_in_part(void **state)
{
    static const char file[] = "f()\n    one();\ng()\n    one();\n";
    caller *c = *state;
    scratch_write(&c->s, "p.c", em_slice_of(file));
    call(c, "editFile",
         "{'file':'p.c','patch':'@@\\n-f()\\n+e()\\n@@\\n-    one();\\n+    two();\\n'}");
    check_has(c, would_fail);
    check_field(c, "retry",
                "{'file':'p.c','operations':[{'search':'f()','replace':'e()'},"
                "{'search':'    one();','replace':'    two();'}],'atomic':true}");
    call(c, "editFile",
         "{'file':'p.c','operations':[{'search':'f()','replace':'e()'},"
         "{'search':'    one();','replace':'    two();'}],'atomic':true}");
    check_file(&c->s, "p.c", em_slice_of(file));
}

/* The same of several patches, each with headers of its own, of one file or of several. */
static void each_patch_is_made_where_it_says(void **state)
{
#define IN_Q "-    one(x);\\n+    two(x);\\n"
    static const char stray[] = "and the file has them at line 3, which is not below that";
    caller *c = *state;
    scratch_write(&c->s, "p.c", EM_LIT("head\nf()\n    one(alpha);\n\ng()\n    one(beta);\n"));
    scratch_write(&c->s, "q.c", EM_LIT("h()\n    one(x);\n"));
    call(c, "file_edit",
         "{'path':'p.c','edits':['@@ head\\n-f()\\n+ff()\\n','@@ g()\\n" IN_G "']}");
    check_has(c, stray);
    assert_null(field(c, "retry"));
    call(c, "file_edit",
         "{'path':'p.c','edits':['@@ head\\n-f()\\n+ff()\\n','@@ f()\\n" IN_G "']}");
    assert_non_null(field(c, "retry"));
    call(c, "editFiles",
         "{'files':[{'path':'p.c','patch':'@@ f()\\n" IN_G
         "'},{'path':'q.c','patch':'@@ h()\\n" IN_Q "'}]}");
    assert_non_null(field(c, "retry"));
    call(c, "editFiles",
         "{'files':[{'path':'q.c','patch':'@@ h()\\n" IN_Q
         "'},{'path':'p.c','patch':'@@ g()\\n" IN_G "'}]}");
    check_has(c, stray);
    assert_null(field(c, "retry"));
}

/* Of a large file as of a small one; what it says is cut between characters. */
static void a_patch_of_a_large_file_is_made_where_it_says(void **state)
{
    enum { LINES = 200000 };
    EM_AUTO(em_strbuf) text = {0};
    EM_AUTO(em_strbuf) head = {0};
    caller *c = *state;
    em_strbuf_puts(&text, "head\nf()\n    one(alpha);\n\ng()\n");
    for (size_t i = 0; i < LINES; i++)
        em_strbuf_puts(&text, "    one(beta, gamma);\n");
    scratch_write(&c->s, "large.c", em_strbuf_slice(&text));
    call(c, "file_edit", "{'path':'large.c','patch':'@@ g()\\n" IN_G "'}");
    check_has(c, "and the file has them at line 3, which is not below that");
    assert_null(field(c, "retry"));
    call(c, "file_edit", "{'path':'large.c','patch':'@@ f()\\n" IN_G "'}");
    assert_non_null(field(c, "retry"));
    for (size_t i = 0; i < 60; i++)
        em_strbuf_puts(&head, "\xC3\xA9");
    call(c, "file_edit",
         em_arena_format(&c->s.arena, "{'path':'large.c','patch':'@@ a%.*s\\n" IN_G "'}",
                         (int)head.len, head.ptr));
    check_has(c, "\xC3\xA9\", and the file has them at line 3");
    call(c, "file_edit", "{'path':'large.c','patch':'@@ -1 +1 @@\\n-one(alpha)\\n+two(alpha)\\n'}");
    assert_null(field(c, "retry"));
    check_has(c, "of whole lines, but its texts stand in the file within others");
}

/* Several edits for a tool that makes one: which takes them, or that each is a call. */
static void where_several_edits_go_is_told(void **state)
{
#define PATCH "@@ -1 +1 @@\\n-if (x)\\n+if (y)\\n@@ -3 +3 @@\\n-more();\\n+less();\\n"
    static const char several[] =
        "'edits':[{'old_string':'x','new_string':'y'},{'old_string':'z','new_string':'w'}]}";
    static const struct {
        const char *tool, *rest, *path, *told;
    } rows[] = {
        {"Edit", "'diff':'" PATCH "'}", "path",
         "Edit makes one edit, and these are 2: send them as the edits of MultiEdit"},
        {"Edit", several, "path", "these are 2: send them as the edits of MultiEdit"},
        {"edit_file", "'diff':'" PATCH "'}", "file_path",
         "edit_file makes one edit, and these are 2: send a call for each"},
        {"edit_file", several, "file_path", "these are 2: send a call for each"},
        {"preview_edit", several, "file_path", "these are 2: send a call for each"},
    };
    caller *c = *state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        call(c, rows[i].tool,
             em_arena_format(&c->s.arena, "{'%s':'a.c',%s", rows[i].path, rows[i].rest));
        check_has(c, rows[i].told);
    }
    call(c, "Edit", "{'path':'a.c','edits':[{'old_string':'more();','new_string':'y'}]}");
    check_lacks(c, "makes one edit");
    call(c, "edit_file", "{'file_path':'a.c','content':['x','y']}"); /* lines */
    check_lacks(c, "makes one edit");
}

/* A text with quotes as it stands within a string of an object. */
static const char *quoted(caller *c, const char *text)
{
    EM_AUTO(em_strbuf) out = {0};
    for (; *text; text++)
        em_strbuf_printf(&out, "%s%c", *text == '\'' ? "\\" : "", *text == '\'' ? '"' : *text);
    return em_strbuf_finish(&out, &c->s.arena);
}

/* What a tool does not do, and another one of its family does: what to send to that. */
static void another_tool_is_told_with_its_arguments(void **state)
{
#define WHOLE "@@ -3 +3 @@\\n-more();\\n+less();\\n"
#define MORE "[{'search':'more();','replace':'less();'}]"
#define ELEMENT "{'selector':'p','action':'setText','value':'x'}"
    static const struct {
        const char *tool, *args, *told; /* NULL: no tool is */
    } rows[] = {
        {"writeFiles", "{'diff':'--- a/a.c\\n+++ b/a.c\\n" WHOLE "'}",
         "editFile: {'operations':" MORE ",'file':'a.c'}"},
        {"writeFiles", "{'file':'a.c','patch':'" WHOLE "'}",
         "editFile: {'file':'a.c','operations':" MORE "}"},
        {"writeFiles", "{'files':[{'file':'a.c','patch':'" WHOLE "'}]}",
         "editFiles: {'edits':[{'file':'a.c','replaceOperations':" MORE "}]}"},
        {"editDOM", "{'file':'a.c','patch':'" WHOLE "'}",
         "editFile: {'file':'a.c','operations':" MORE "}"},
        {"editFile",
         "{'operations':[{'file':'a.c','search':'more();','replace':'less();'},"
         "{'file':'b.c','search':'x','replace':'y'}]}",
         "editFiles: {'edits':[{'file':'a.c','replaceOperations':" MORE "},"
         "{'file':'b.c','replaceOperations':[{'search':'x','replace':'y'}]}]}"},
        {"editDOM", "{'file':'a.c','operations':" MORE "}", "editFile"},
        {"editDOM", "{'path':'a.c','edits':[{'old_text':'more();','new_text':'less();'}]}",
         "editFile: {'file':'a.c','operations':" MORE "}"},
        {"editFile", "{'file':'p.html','operations':[" ELEMENT "]}", "editDOM"},
        {"editFiles", "{'file':'a.c','start_line':1,'end_line':1,'new_content':'x'}", NULL},
        {"editFile", "{'file':'p.html','operations':[{'selector':'i','action':'setText'}]}", NULL},
        /* its text is not there, or within a line; or something is to be written; or read */
        {"writeFiles", "{'file':'a.c','patch':'@@ -1 +1 @@\\n-none();\\n+less();\\n'}", NULL},
        {"writeFiles", "{'file':'a.c','patch':'@@ -1 +1 @@\\n-more\\n+less\\n'}", NULL},
        {"writeFiles", "{'file':'a.c','content':'x','patch':'" WHOLE "'}", NULL},
        {"readFile", "{'file':'a.c','patch':'" WHOLE "'}", NULL},
        /* an edit is no whole file, and what is to be undone not to be done */
        {"editFiles", "{'edits':[{'file':'a.c','content':'less();'}]}", NULL},
        {"undo_last_edit",
         "{'file_path':'a.c','edits':[{'old_string':'more();','new_string':'less();'}]}", NULL},
        {"MultiEdit",
         "{'edits':[{'path':'a.c','old_string':'more();','new_string':'less();'},"
         "{'path':'b.c','old_string':'x','new_string':'y'}]}",
         NULL},
    };
    caller *c = *state;
    scratch_write(&c->s, "b.c", EM_LIT("x\n"));
    scratch_write(&c->s, "p.html", EM_LIT("<p>one</p>\n"));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        call(c, rows[i].tool, rows[i].args);
        assert_true(c->answer.is_error);
        if (rows[i].told)
            check_has(c, em_arena_format(&c->s.arena, "Send %s arguments to %s",
                                         strchr(rows[i].told, '{') ? "these" : "the same",
                                         quoted(c, rows[i].told)));
        else
            check_lacks(c, " arguments to ");
    }
    check_has(c, "The edits name several files, and these are taken one at a time here: send a "
                 "call for each");
    call(c, "edit_file", "{'path':'a.c','start_line':3,'end_line':3,'new_content':'less();'}");
    check_has(c, "Send the same arguments to edit_file_lines");
    check_file(&c->s, "a.c", em_slice_of(content));
}

/* For a tool that takes several files, or for another one of its family, or for a call for each. */
static void a_patch_of_several_files_is_made_in_all(void **state)
{
#define BOTH "--- a/a.c\\n+++ b/a.c\\n" WHOLE "--- a/b.c\\n+++ b/b.c\\n@@ -1 +1 @@\\n-x\\n+y\\n"
#define FILES                                                                                      \
    "[{'file':'a.c','replaceOperations':" MORE                                                     \
    "},{'file':'b.c','replaceOperations':[{'search':'x','replace':'y'}]}]"
    caller *c = *state;
    static const char *const forms[] = {"{'patch':'" BOTH "'}", "{'edits':'" BOTH "'}",
                                        "{'files':'" BOTH "'}", "{'edits':['" BOTH "']}",
                                        "{'edits':[{'patch':'" BOTH "'}]}"};
    scratch_write(&c->s, "b.c", EM_LIT("x\n"));
    for (size_t i = 0; i < COUNT_OF(forms); i++) {
        call(c, "editFiles", forms[i]);
        check_field(c, "retry", "{'edits':" FILES "}");
    }
    call(c, "editFiles", "{'edits':[{'file':'a.c','patch':'" BOTH "'}]}");
    assert_null(field(c, "retry"));
    call(c, "editFile", "{'patch':'" BOTH "'}");
    check_has(c, quoted(c, "Send these arguments to editFiles: {'edits':" FILES "}"));
    call(c, "mcp__editor__Edit", "{'diff':'" BOTH "'}");
    check_has(c, "Send these arguments: {\"files\":[{\"file_path\":\"a.c\",\"edits\":"
                 "[{\"old_text\":\"more();\",\"new_text\":\"less();\"}]},"
                 "{\"file_path\":\"b.c\",\"edits\":[{\"old_text\":\"x\",\"new_text\":\"y\"}]}]}");
    call(c, "mcp__editor__Edit", "{'file_path':'a.c','diff':'" BOTH "'}");
    check_lacks(c, "Send these arguments");
    call(c, "editFiles", "{'patch':'" BOTH "','encoding':'utf-8'}");
    check_field(c, "retry.edits.0.encoding", "'utf-8'");
    check_field(c, "retry.edits.1.encoding", "'utf-8'");
    assert_null(field(c, "retry.encoding"));
    call(c, "mcp__editor__Edit", "{'patch':'" BOTH "','encoding':'utf-8'}");
    check_has(c, "\"new_text\":\"y\"}],\"encoding\":\"utf-8\"}]}");
    call(c, "mcp__editor__Edit", "{'patch':'" BOTH "','expected_hash':'00'}"); /* of which? */
    check_lacks(c, "Send these arguments");
    call(c, "edit_file", "{'diff':'" BOTH "'}");
    check_has(c, "The edits name several files, and these are taken one at a time here: send a "
                 "call for each");
    scratch_write(&c->s, "b.c", EM_LIT("in x, or\n")); /* not a whole line */
    call(c, "editFiles", forms[0]);
    check_has(c, "The patch is of whole lines, but its texts stand in the file within others");
    assert_null(field(c, "retry"));
    check_file(&c->s, "a.c", em_slice_of(content));
}

/* Each file is looked for where its path leads to none, but for one that another file of the call
 * may be. What cannot be corrected stays with the rest: half of a patch is none. */
static void paths_of_a_patch_of_several_files_are_corrected(void **state)
{
#define OF_TWO(one, a, other, b)                                                                   \
    "{'patch':'--- a/" one "\\n+++ b/" one "\\n@@ -3 +3 @@\\n-" a "\\n+less();\\n"                 \
    "--- a/" other "\\n+++ b/" other "\\n@@ -1 +1 @@\\n-" b "\\n+y\\n'}"
#define TO_SEND(one, a, other, b, rest)                                                            \
    "{'edits':[{'file':'" one "','replaceOperations':[{'search':'" a "','replace':'less();'}]},"   \
    "{'file':'" other "','replaceOperations':[{'search':'" b "','replace':'y'}]}]" rest "}"
    static const struct {
        const char *patch, *meant;
    } rows[] = {
        {OF_TWO("lib/a.c", "more();", "b.c", "x"), TO_SEND("a.c", "more();", "b.c", "x", "")},
        {OF_TWO("a.c", "more();", "lib/b.c", "x"), TO_SEND("a.c", "more();", "b.c", "x", "")},
        {OF_TWO("lib/a.c", "more();", "lib/b.c", "x"), TO_SEND("a.c", "more();", "b.c", "x", "")},
        {OF_TWO("lib/a.c", "more();", "none.h", "x"),
         TO_SEND("a.c", "more();", "none.h", "x", ",'atomic':true")},
        {OF_TWO("lib/a.c", "zzzz", "b.c", "x"),
         TO_SEND("a.c", "zzzz", "b.c", "x", ",'atomic':true")},
        {OF_TWO("lib/a.c", "more();", "src/a.c", "if (x)"), /* both may be the same */
         TO_SEND("lib/a.c", "more();", "src/a.c", "if (x)", ",'atomic':true")},
    };
    caller *c = *state;
    scratch_write(&c->s, "b.c", EM_LIT("x\n"));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        call(c, "editFiles", rows[i].patch);
        check_has(c, would_fail);
        check_field(c, "retry", rows[i].meant);
    }
    call(c, "mcp__editor__Edit", rows[0].patch);
    check_has(c, "Send these arguments: {\"files\":[{\"file_path\":\"a.c\"");
    check_lacks(c, "With that corrected");
#undef OF_TWO
#undef TO_SEND
}

/* What stands around a patch that came by a name for one is left out of it, wherever that is; of
 * other texts nobody knows that a patch is meant. */
static void what_stands_around_a_patch_is_left_out(void **state)
{
#define SAID                                                                                       \
    "I will do this:\\n\\na.c\\n<<<<<<< SEARCH\\nmore();\\n=======\\nless();\\n>>>>>>> "           \
    "REPLACE\\nDone."
    static const char *const forms[] = {
        "{'path':'a.c','patch':'" SAID "'}",
        "{'diff':'" SAID "'}",
        "{'path':'a.c','edits':'" SAID "'}",
        "{'path':'a.c','edits':['" SAID "']}",
        "{'arguments':{'path':'a.c','patch':'" SAID "'}}",
        "{'path':'a.c','patch':'apply_patch <<\\\"EOF\\\"\\n*** Begin Patch\\n*** Update File: "
        "a.c\\n@@\\n"
        "-more();\\n+less();\\n*** End Patch\\nEOF'}",
        "{'path':'a.c','patch':'Index: a.c\\n=====\\n--- a.c\\t(revision 1)\\n+++ a.c\\t(working "
        "copy)\\n"
        "@@ -3 +3 @@\\n-more();\\n+less();\\n'}",
        "{'patch':'**a.c**\\n<<<<<<< SEARCH\\nmore();\\n=======\\nless();\\n>>>>>>> REPLACE'}",
    };
    caller *c = *state;
    for (size_t i = 0; i < COUNT_OF(forms); i++) {
        call(c, "file_edit", forms[i]);
        check_field(c, "retry.path", "'a.c'");
        check_field(c, "retry.edits", "[{'old_text':'more();','new_text':'less();'}]");
    }
    call(c, "file_edit", "{'path':'a.c','content':'" SAID "'}");
    assert_null(field(c, "retry"));
    scratch_write(&c->s, "b.c", EM_LIT("x\n"));
    call(c, "editFiles",
         "{'patch':'Index: a.c\\n===\\n--- a.c\\n+++ a.c\\n@@ -3 +3 @@\\n-more();\\n+less();\\n"
         "Index: b.c\\n===\\n--- b.c\\n+++ b.c\\n@@ -1 +1 @@\\n-x\\n+y\\n'}");
    check_field(c, "retry.edits.1.file", "'b.c'");
#undef SAID
}

/* Of a tool that does by its command what several do here. */
static void what_another_tool_does_by_command_is_told(void **state)
{
    static const char line[] = "Nothing is inserted at the number of a line here: send ";
    static const struct {
        const char *tool, *args, *told;
    } rows[] = {
        {"edit_file", "'insert_line':2,'new_str':'x'",
         "the text of that line as old_string, and it with the new text below it as new_string"},
        {"mcp__editor__Edit", "'insert_line':2,'insert_text':'x'",
         "the text of that line as edits[].old_text, and it with the new text below it as "
         "edits[].new_text"},
        {"edit_file_lines", "'insert_line':0,'new_str':'x'",
         "it as start_line and end_line, and the text of that line with the new text below it as "
         "new_content"},
        {"mcp__editor__Edit", "'command':'view','view_range':[1,2]",
         "mcp__editor__Edit changes files; read_file shows what one holds"},
        {"editFile", "'command':'view'", "editFile changes files; readFile shows what one holds"},
        {"edit_file", "'command':'create','file_text':'x'",
         "edit_file makes edits; write_file takes all that a file is to hold"},
    };
    caller *c = *state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        call(c, rows[i].tool, em_arena_format(&c->s.arena, "{'path':'a.c',%s}", rows[i].args));
        check_has(c, rows[i].told);
        assert_int_equal(strstr(c->answer.text, line) != NULL, i < 3);
    }
    call(c, "file_edit", "{'uri':'a.c','edits':[{'old_text':'more();','new_text':'less();'}]}");
    check_field(c, "retry.path", "'a.c'");
}

/* null for the text that comes is not the same as nothing: "" would delete. */
static void null_for_a_text_is_not_left_out(void **state)
{
    caller *c = *state;
    call(c, "editFile", "{'file':'a.c','search':'more();','replace':null}");
    check_has(c, "Unknown argument replace\\n");
    check_lacks(c, "retry");
    call(c, "editFile",
         "{'file':'a.c','operations':[{'search':'more();','replace':'less();'}],"
         "'replace':null}");
    check_has(c, "Unknown argument replace. Leave it out");
    check_field(c, "retry.operations", "[{'search':'more();','replace':'less();'}]");
    call(c, "edit_file", "{'file_path':'a.c','old_string':'more();','new_string':null}");
    check_has(c, "new_string must be a string, but null came (\"\" deletes what is found)");
}

static void a_patch_without_its_end_is_told(void **state)
{
#define CUT "<<<<<<< SEARCH\\nmore();\\n=======\\nless();\\n"
    caller *c = *state;
    call(c, "edit_file", "{'file_path':'a.c','diff':'" CUT "'}");
    check_has(c, "The marker at the end of the patch is missing");
    check_lacks(c, "Send these arguments");
    call(c, "file_edit", "{'path':'a.c','edits':['" CUT "']}");
    check_has(c, "The marker at the end of the patch is missing");
    check_lacks(c, "\"retry\"");
    call(c, "edit_file", "{'file_path':'a.c','old_string':'" CUT "','new_string':''}");
    check_has(c, "Cause: whole_change\nold_string is a patch or a SEARCH/REPLACE block, and the "
                 "marker at its end is missing, so that not all of it may have come: send");
}

/* Each file has its own hunks, and what their headers say of these. */
static void a_patch_of_several_files_shows_more_where_that_makes_it_unique(void **state)
{
    caller *c = *state;
    scratch_write(&c->s, "x.c", EM_LIT("f()\n  one;\n  end;\ng()\n  two;\n  end;\n"));
    scratch_write(&c->s, "y.c", EM_LIT("k()\n  one;\n  end;\nl()\n  two;\n  end;\n"));
#define END "\\n   end;\\n+  more;\\n"
    call(c, "editFiles",
         "{'patch':'--- a/a.c\\n+++ b/a.c\\n@@ -3 +3 @@\\n-more();\\n+less();\\n"
         "--- a/x.c\\n+++ b/x.c\\n@@ g()" END "--- a/y.c\\n+++ b/y.c\\n@@ k()" END "'}");
    check_lacks(c, would_fail);
    call_with(c, "editFiles", json_incref(field(c, "retry")));
    assert_false(c->answer.is_error);
    check_file(&c->s, "x.c", EM_LIT("f()\n  one;\n  end;\ng()\n  two;\n  end;\n  more;\n"));
    check_file(&c->s, "y.c", EM_LIT("k()\n  one;\n  end;\n  more;\nl()\n  two;\n  end;\n"));
}

/* Several attributes, or classes, in one operation are as many values as it says. */
static void values_of_elements_come_as_they_are_meant(void **state)
{
#define IS "{'selector':'p','action':"
#define FOUND "{'selector':'[ TITLE=\\\"a.b\\\"]','action':"
    static const struct {
        const char *came, *meant; /* NULL: nobody knows */
    } rows[] = {
        {IS "'setAttribute','attributes':{'id':'x','title':'y'}}",
         IS "'setAttribute','attr':'title','value':'y'}," IS
            "'setAttribute','attr':'id','value':'x'}"},
        {IS "'setAttributes','value':{'id':'x'}}", IS "'setAttribute','attr':'id','value':'x'}"},
        {IS "'setAttribute','value':['id','x'],'expected':1}",
         IS "'setAttribute','expected':1,'attr':'id','value':'x'}"},
        {IS "'setAttribute','attributes':{'hidden':true,'tabindex':2}}",
         IS "'setAttribute','attr':'hidden','value':''}," IS
            "'setAttribute','attr':'tabindex','value':'2'}"},
        {IS "'removeAttribute','attributes':['class']}", IS "'removeAttribute','attr':'class'}"},
        {IS "'replaceClass','value':['a','b']}",
         IS "'replaceClass','oldClass':'a','newClass':'b'}"},
        {IS "'addClass','classes':['c','d']}", IS "'addClass','value':'c d'}"},
        {"{'selector':'p','action':'removeElement'}", IS "'remove'}"},
        {IS "'removeNode'}", IS "'remove'}"},
        {IS "'classList.add','value':'x'}", IS "'addClass','value':'x'}"},
        {IS "'classList.remove','value':'a'}", IS "'removeClass','value':'a'}"},
        {IS "'classList.replace','oldClass':'a','newClass':'b'}",
         IS "'replaceClass','oldClass':'a','newClass':'b'}"},
        {"{'selector':'p','method':'setText','value':'x'}", IS "'setText','value':'x'}"},
        {"{'target':'p','action':'setText','value':'x'}", IS "'setText','value':'x'}"},
        {"{'selector':['h1','p'],'action':'addClass','value':'x'}",
         "{'action':'addClass','value':'x','selector':'h1, p'}"},
        {"{'selectors':['h1','p'],'action':'setText','value':'x','all':true}",
         "{'action':'setText','value':'x','all':true,'selector':'h1, p'}"},
        {"{'selector':['h1','p'],'action':'setText','value':'x'}", NULL},
        {"{'selector':['p',1],'action':'addClass','value':'x'}", NULL},
        {"{'selector':'p','selectors':['h1','p'],'action':'addClass','value':'x'}", NULL},
        {"{'selector':'.a','action':'setAttribute','attributes':{'class':'x','title':'y'}}",
         "{'selector':'.a','action':'setAttribute','attr':'title','value':'y'},"
         "{'selector':'.a','action':'setAttribute','attr':'class','value':'x'}"},
        {FOUND "'setAttribute','attributes':{'title':'x','class':'y'}}",
         FOUND "'setAttribute','attr':'class','value':'y'}," FOUND
               "'setAttribute','attr':'title','value':'x'}"},
        {FOUND "'removeAttribute','attributes':['title','class']}",
         FOUND "'removeAttribute','attr':'class'}," FOUND "'removeAttribute','attr':'title'}"},
        {"{'selector':'p.a[title]','action':'removeAttribute','attributes':['title','class']}",
         NULL},
        {IS "'setAttribute','attr':'id','value':{'id':'x'}}", NULL},
        {IS "'setAttribute','attributes':{'id':'x'},'value':'y'}", NULL},
        {IS "'addClass','classes':['x'],'value':'y'}", NULL},
        {IS "'setAttribute','attributes':{'hidden':false}}", NULL},
        {IS "'setText','value':['x','y']}", NULL},
        {IS "'replaceClass','value':['a','b','c']}", NULL},
        {IS "'addClass','value':[1,2]}", NULL},
        {IS "'addClass','value':[]}", NULL},
    };
    caller *c = *state;
    scratch_write(&c->s, "p.html", EM_LIT("<p class=a title=a.b>one</p>\n"));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        call(c, "editDOM",
             em_arena_format(&c->s.arena, "{'file':'p.html','operations':[%s]}", rows[i].came));
        assert_true(c->answer.is_error);
        if (!rows[i].meant) {
            check_lacks(c, "retry");
            continue;
        }
        check_lacks(c, would_fail);
        check_field(c, "retry.operations", em_arena_format(&c->s.arena, "[%s]", rows[i].meant));
    }
}

/* Lines that come, and nothing that stands in the file beside them. */
static void a_patch_without_a_place_is_told(void **state)
{
    static const char told[] = "A part of the patch only brings lines: send it with a line before";
    static const char *const patches[] = {
        "@@ -2,0 +3 @@\\n+x\\n",
        "*** Begin Patch\\n*** Update File: a.c\\n@@ if (x)\\n+x\\n*** End Patch",
        "*** Begin Patch\\n*** Update File: a.c\\n@@\\n-more();\\n+x\\n@@\\n+y\\n*** End Patch",
        "<<<<<<< SEARCH\\n=======\\nx\\n>>>>>>> REPLACE",
    };
    caller *c = *state;
    for (size_t i = 0; i < COUNT_OF(patches); i++) {
        call(c, "editFile",
             em_arena_format(&c->s.arena, "{'file':'a.c','patch':'%s'}", patches[i]));
        check_has(c, told);
        assert_null(field(c, "retry"));
    }
    call(c, "editFile", "{'file':'a.c','patch':'@@ -3 +3,2 @@\\n more();\\n+x\\n'}");
    check_lacks(c, told);
}

/* All that a file is to hold is no edit: who takes that is named, and not what to send. */
static void content_for_edits_is_told(void **state)
{
    static const struct {
        const char *tool, *args, *told; /* NULL: nothing */
    } rows[] = {
        {"editFile", "{'file':'a.c','content':'x'}", "editFile makes edits; writeFiles takes all"},
        {"editFiles", "{'path':'b.c','content':'x'}", "editFiles makes edits; writeFiles takes"},
        {"edit_file", "{'path':'a.c','file_text':'x'}", "edit_file makes edits; write_file takes"},
        {"editFile", "{'file':'a.c','content':'x','operation':'append'}", NULL},
        {"readFile", "{'file':'a.c','content':'x'}", NULL},
    };
    caller *c = *state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        call(c, rows[i].tool, rows[i].args);
        if (rows[i].told)
            check_has(c, rows[i].told);
        else
            check_lacks(c, "makes edits");
        check_lacks(c, "retry");
    }
    check_file(&c->s, "a.c", em_slice_of(content));
}

/* Another mode, name or file is nothing that edits do. */
static void a_patch_that_asks_for_more_is_told(void **state)
{
    static const char *const patches[] = {
        "diff --git a/a.c b/a.c\\nold mode 100644\\nnew mode 100755\\n",
        "diff --git a/a.c b/a.c\\nold mode 100644\\nnew mode 100755\\nindex 1..2\\n--- a/a.c\\n"
        "+++ b/a.c\\n@@ -3 +3 @@\\n-more();\\n+less();\\n",
        "diff --git a/b.c b/b.c\\nnew file mode 100644\\n--- /dev/null\\n+++ b/b.c\\n"
        "@@ -0,0 +1 @@\\n+more();\\n",
        "*** Begin Patch\\n*** Add File: b.c\\n+more();\\n*** End Patch",
        "*** Begin Patch\\n*** Update File: a.c\\n*** Move to: b.c\\n@@\\n-more();\\n+less();\\n"
        "*** End Patch",
    };
#define ADDED "*** Begin Patch\\n*** Add File: b.c\\n+more();\\n*** End Patch"
    static const struct {
        const char *tool, *patch, *maker;
    } makers[] = {
        {"editFiles", ADDED, "writeFiles"},
        {"edit_file", ADDED, "write_file"},
        {"MultiEdit", ADDED, "Edit"},
        {"editFile", "--- /dev/null\\n+++ b/b.c\\n@@ -0,0 +1 @@\\n+more();\\n", "writeFiles"},
        {"create_file", "diff --git a/b.c b/b.c\\nnew file mode 100644\\n--- /dev/null\\n",
         "write_file"},
    };
    caller *c = *state;
    for (size_t i = 0; i < COUNT_OF(patches); i++) {
        call(c, "file_edit",
             em_arena_format(&c->s.arena, "{'path':'a.c','patch':'%s'}", patches[i]));
        check_has(c, "The patch asks for more than other texts in a file (");
        assert_null(field(c, "retry"));
    }
    for (size_t i = 0; i < COUNT_OF(makers); i++) {
        call(c, makers[i].tool, em_arena_format(&c->s.arena, "{'patch':'%s'}", makers[i].patch));
        check_has(c, em_arena_format(&c->s.arena, "send the content of the new file to %s, and",
                                     makers[i].maker));
    }
    call(c, "editFile", "{'patch':'*** Begin Patch\\n*** Delete File: a.c\\n*** End Patch'}");
    check_has(c, "do that by other means");
    check_lacks(c, "new file");
    call(c, "editFiles",
         em_arena_format(&c->s.arena, "{'edits':['@@ -3 +3 @@\\n-more();\\n+less();\\n','%s']}",
                         patches[0]));
    check_has(c, "The patch asks for more than other texts in a file (");
    call(c, "file_edit", "{'path':'a.c','wrong':'new file mode 100644'}");
    check_lacks(c, "The patch asks");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(texts_are_corrected_with_the_names),
        TEST(what_would_be_done_is_not_spoken_of),
        TEST(what_would_fail_all_the_same_is_told),
        TEST(what_is_to_be_corrected_before_is_told),
        TEST(the_path_is_corrected_with_the_names),
        TEST(what_is_to_be_read_is_tried_out),
        TEST(words_of_other_tools_have_their_place_in_each_form),
        TEST(what_says_nothing_is_left_out),
        TEST(all_comes_back_as_its_number),
        TEST(all_is_told_by_its_number),
        TEST(a_number_comes_back_as_all),
        TEST(a_number_of_each_edit_comes_back_as_all),
        TEST(arguments_may_be_wrapped),
        TEST(what_was_tried_out_was_not_read),
        TEST(to_try_leaves_no_trace),
        TEST(a_patch_is_of_whole_lines),
        TEST(what_stands_beside_a_patch_is_held_to_no_lines),
        TEST(a_patch_is_made_where_it_says),
        TEST(a_patch_shows_more_where_that_makes_it_unique),
        TEST(a_patch_that_fails_in_part_is_not_made_in_part),
        TEST(each_patch_is_made_where_it_says),
        TEST(a_patch_of_a_large_file_is_made_where_it_says),
        TEST(where_several_edits_go_is_told),
        TEST(another_tool_is_told_with_its_arguments),
        TEST(a_patch_of_several_files_is_made_in_all),
        TEST(paths_of_a_patch_of_several_files_are_corrected),
        TEST(what_stands_around_a_patch_is_left_out),
        TEST(what_another_tool_does_by_command_is_told),
        TEST(a_patch_of_several_files_shows_more_where_that_makes_it_unique),
        TEST(values_of_elements_come_as_they_are_meant),
        TEST(a_patch_without_a_place_is_told),
        TEST(content_for_edits_is_told),
        TEST(null_for_a_text_is_not_left_out),
        TEST(a_patch_without_its_end_is_told),
        TEST(a_patch_that_asks_for_more_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
