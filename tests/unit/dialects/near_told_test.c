/* near_told_test.c: calls for a file that is not there, in all families: what may be meant is told,
 * and a call for what is clearly meant is ready to send. */
#include "calls.h"

static int setup(void **state)
{
    static caller c;
    caller_open(&c, "all");
    static const char *const folders[] = {"src", "lib", "docs"};
    static const char *const files[] = {"src/Main.c", "src/twice.c", "lib/twice.c",
                                        "docs/only.html"};
    char path[200];
    for (size_t i = 0; i < COUNT_OF(folders); i++) {
        scratch_path(&c.s, folders[i], path);
        assert_int_equal(mkdir(path, 0755), 0);
    }
    for (size_t i = 0; i < COUNT_OF(files); i++)
        scratch_write(&c.s, files[i], EM_LIT("<p>one</p>\n"));
    *state = &c;
    return 0;
}

static int teardown(void **state)
{
    caller_drop(*state);
    return 0;
}

enum {
    STAYS = 1,    /* a retry is for the same folder only */
    RELATIVE = 2, /* it takes no absolute path */
};

/* `missing` is a call for a file that is not there, with "@" for its path; `retry` is where the
 * answer has a call that is ready to send; NULL: nowhere. */
static const struct {
    const char *tool, *missing, *retry;
    unsigned flags;
} families[] = {
    {"file_edit", "{'path':'@','edits':[{'old_text':'one','new_text':'two'}]}", "retry", 0},
    {"edit_file", "{'file_path':'@','old_string':'one','new_string':'two'}", NULL, 0},
    {"edit_file", "{'path':'@','old_string':'one','new_string':'two'}", NULL, 0}, /* its alias */
    {"preview_edit", "{'file_path':'@','old_string':'one','new_string':'two'}", NULL, 0},
    {"edit_file_lines", "{'file_path':'@','start_line':1,'end_line':1,'new_content':'two'}", NULL,
     0},
    {"read_file", "{'file_path':'@'}", NULL, 0},
    {"MultiEdit", "{'path':'@','edits':[{'old_string':'one','new_string':'two'}]}", "data.retry",
     RELATIVE},
    {"Edit", "{'path':'@','old_string':'one','new_string':'two'}", "data.retry", RELATIVE},
    {"Read", "{'path':'@'}", "data.retry", RELATIVE},
    {"editFile", "{'file':'@','operations':[{'search':'one','replace':'two'}]}", "retry", 0},
    {"editDOM", "{'file':'@','operations':[{'selector':'p','action':'setText','value':'two'}]}",
     "retry", STAYS},
    {"readFile", "{'file':'@'}", "retry", 0},
    {"editFiles", "{'edits':[{'file':'@','replaceOperations':[{'search':'one','replace':'two'}]}]}",
     NULL, 0}, /* of several two may become one */
    {"mcp__editor__Edit", "{'file_path':'@','edits':[{'old_text':'one','new_text':'two'}]}", NULL,
     0},
};

/* `form` with `path` for "@". */
static const char *with_path(caller *c, const char *form, const char *path)
{
    const char *at = strchr(form, '@');
    return at ? em_arena_format(&c->s.arena, "%.*s%s%s", (int)(at - form), form, path, at + 1)
              : form;
}

static const char *arguments_of(caller *c, size_t family, const char *path)
{
    return with_path(c, families[family].missing, path);
}

static void a_file_that_is_clear(void **state)
{
    caller *c = *state;
    for (size_t i = 0; i < COUNT_OF(families); i++) {
        call(c, families[i].tool, arguments_of(c, i, "src/main.c"));
        assert_true(c->answer.is_error);
        check_has(c, "Did you mean src/Main.c?");
        if (!families[i].retry)
            continue;
        check_field(c, families[i].retry, arguments_of(c, i, "src/Main.c"));
        call_with(c, families[i].tool, json_incref(field(c, families[i].retry)));
        if (c->answer.is_error)
            fail_msg("%s: the retry failed: %s", families[i].tool, c->answer.text);
        scratch_write(&c->s, "src/Main.c", EM_LIT("<p>one</p>\n"));
    }
}

/* Blanks around it, and a URL. */
static void a_file_by_a_path_that_others_write(void **state)
{
    caller *c = *state;
    char path[200];
    for (size_t i = 0; i < COUNT_OF(families); i++) {
        call(c, families[i].tool, arguments_of(c, i, "src/Main.c "));
        check_has(c, "Did you mean src/Main.c?");
        if (families[i].retry)
            check_field(c, families[i].retry, arguments_of(c, i, "src/Main.c"));
        scratch_path(&c->s, "src/%4Dain.c", path);
        const char *url = em_arena_format(&c->s.arena, "file://%s", path);
        call(c, families[i].tool, arguments_of(c, i, url));
        check_has(c, "Did you mean src/Main.c?");
        if (families[i].retry)
            check_field(c, families[i].retry, arguments_of(c, i, "src/Main.c"));
    }
    scratch_path(&c->s, "src/new%20one.c", path);
    const char *form = "{'files':[{'file':'file://%s','content':'x'}]}";
    call(c, "writeFiles", em_arena_format(&c->s.arena, form, path));
    scratch_path(&c->s, "src/new one.c", path);
    check_has(c, em_arena_format(&c->s.arena,
                                 "It is a URL, and a path is wanted\\nDid you mean %s?", path));
    form = "{'path':'file://%s','create_content':'x'}";
    call(c, "Edit", em_arena_format(&c->s.arena, form, path));
    check_has(c, "It is a URL, and a path is wanted\\nDid you mean src/new one.c?");
    check_field(c, "data.retry", "{'path':'src/new one.c','create_content':'x'}");
    call(c, "Edit", "{'path':'~/new.c','create_content':'x'}");
    check_has(c, "It begins with ~, which stands for no folder here");
    call(c, "write_file", "{'path':'C:/new.c','content':'x'}");
    check_has(c, "It begins with a drive, and there are none here");
}

static void files_that_may_be_meant(void **state)
{
    caller *c = *state;
    for (size_t i = 0; i < COUNT_OF(families); i++) {
        call(c, families[i].tool, arguments_of(c, i, "twice.c"));
        assert_true(c->answer.is_error);
        check_has(c, "May be meant: lib/twice.c, src/twice.c");
        if (families[i].retry)
            assert_null(field(c, families[i].retry));
        call(c, families[i].tool, arguments_of(c, i, "src/twicd.c")); /* near, and not clear */
        check_has(c, "May be meant: src/twice.c");
        if (families[i].retry)
            assert_null(field(c, families[i].retry));
        call(c, families[i].tool, arguments_of(c, i, "nothing.like.it"));
        check_lacks(c, "mean");
    }
}

/* `wanted` is what the path of the last call is answered with. */
static void check_meant_elsewhere(caller *c, size_t family, const char *wanted)
{
    const char *retry = families[family].retry;
    assert_true(c->answer.is_error);
    check_has(c, em_arena_format(&c->s.arena, "Did you mean %s?", wanted));
    if (retry && (families[family].flags & STAYS))
        assert_null(field(c, retry));
    else if (retry)
        check_field(c, retry, arguments_of(c, family, wanted));
}

static void a_file_above_the_root(void **state)
{
    caller *c = *state;
    for (size_t i = 0; i < COUNT_OF(families); i++) {
        call(c, families[i].tool, arguments_of(c, i, "../src/Main.c"));
        check_meant_elsewhere(c, i, "src/Main.c");
    }
}

/* A path of another machine, say. */
static void a_file_outside(void **state)
{
    caller *c = *state;
    char path[200];
    scratch_path(&c->s, "docs/only.html", path);
    for (size_t i = 0; i < COUNT_OF(families); i++) {
        if (families[i].flags & RELATIVE)
            continue;
        call(c, families[i].tool, arguments_of(c, i, "/srv/project/docs/only.html"));
        check_meant_elsewhere(c, i, path);
    }
}

static void a_folder(void **state)
{
    caller *c = *state;
    for (size_t i = 0; i < COUNT_OF(families); i++) {
        call(c, families[i].tool, arguments_of(c, i, "src"));
        assert_true(c->answer.is_error);
        check_has(c, "May be meant: src/Main.c, src/twice.c");
        if (families[i].retry)
            assert_null(field(c, families[i].retry));
    }
}

/* Whoever writes a whole file means no other one: the retry would destroy it. */
static void writing_a_file(void **state)
{
    caller *c = *state;
    static const struct {
        const char *tool, *arguments;
    } writers[] = {
        {"write_file", "{'file_path':'/srv/docs/only.html','content':'x'}"},
        {"write_file", "{'file_path':'docs','content':'x'}"},
        {"create_file", "{'file_path':'/srv/docs/only.html','content':'x'}"},
        {"writeFiles", "{'files':[{'file':'/srv/docs/only.html','content':'x'}]}"},
        {"writeFiles", "{'atomic':true,'files':[{'file':'/srv/docs/only.html','content':'x'}]}"},
        {"mcp__editor__Edit",
         "{'file_path':'/srv/docs/only.html','operation':'create','content':'x'}"},
    };
    for (size_t i = 0; i < COUNT_OF(writers); i++) {
        call(c, writers[i].tool, writers[i].arguments);
        assert_true(c->answer.is_error);
        check_lacks(c, "mean");
    }
}

/* Of several files two may come to be the same one, where one is called like the other: then what
 * is meant is told, and not sent. */
static void one_of_several(void **state)
{
#define EDIT_OF(path) "{'file':'" path "','replaceOperations':[{'search':'one','replace':'two'}]}"
#define ALL_OF(one, other) "{'atomic':true,'edits':[" EDIT_OF(one) "," EDIT_OF(other) "]}"
    static const char *const others[] = {"only.html", "docs/only.html", "src/Only.html",
                                         "src\\\\only.html"};
    caller *c = *state;
    for (size_t i = 0; i < COUNT_OF(others); i++) {
        call(c, "editFiles", em_arena_format(&c->s.arena, ALL_OF("only.html", "%s"), others[i]));
        check_has(c, "Did you mean docs/only.html?");
        assert_null(field(c, "retry"));
    }
    call(c, "editFiles", ALL_OF("only.html", "src/Main.c"));
    check_has(c, "Did you mean docs/only.html?");
    check_field(c, "retry", ALL_OF("docs/only.html", "src/Main.c"));
    check_file(&c->s, "src/Main.c", EM_LIT("<p>one</p>\n"));
#undef EDIT_OF
#undef ALL_OF
}

/* Each missing file may take a walk over all that there is: some of a call do. */
static void very_many_missing_files(void **state)
{
    caller *c = *state;
    json_t *edits = json_array();
    for (int i = 0; i < 50; i++)
        json_array_append_new(edits, json_pack("{s:s, s:[{s:s, s:s}]}", "file", "only.html",
                                               "replaceOperations", "search", "one", "replace",
                                               i % 2 ? "two" : "three"));
    call_with(c, "editFiles", json_pack("{s:o}", "edits", edits));
    assert_int_equal(json_array_size(field(c, "results")), 50);
    size_t told = 0;
    for (const char *at = c->answer.text; (at = strstr(at, "Did you mean")); at++)
        told++;
    assert_int_equal(told, 8);
    call(c, "readFile", "{'file':'only.html'}"); /* the next call begins anew */
    check_has(c, "Did you mean docs/only.html?");
}

/* The edits are tried on the file that is meant: what they got wrong is corrected with the path, or
 * told. */
static void edits_are_tried_on_the_file_that_is_meant(void **state)
{
    caller *c = *state;
    static const struct {
        const char *tool, *arguments, *told;
        const char *retry, *sent; /* retry NULL: there is none */
        bool holds;
    } cases[] = {
        {"file_edit", "{'path':'src/Code.c','edits':[{'old_text':'\\tone;','new_text':'\\ttwo;'}]}",
         "Edit 1 is not written as that file has it: old_text is indented with tabs", "retry",
         "{'path':'src/code.c','edits':[{'old_text':'    one;','new_text':'    two;'}]}", true},
        {"file_edit",
         "{'path':'src/Code.c','edits':[{'old_text':'\\tone;','new_text':'\\ttwo;'},"
         "{'old_text':'nothing like it','new_text':'x'}]}",
         "has spaces, or the other way round. Edit 2 would fail next: its old_text is not found",
         "retry",
         "{'path':'src/code.c','edits':[{'old_text':'    one;','new_text':'    two;'},"
         "{'old_text':'nothing like it','new_text':'x'}]}",
         false},
        {"file_edit", "{'path':'src/Code.c','edits':[{'old_text':'none','new_text':'x'}]}",
         "Edit 1 would fail next: its old_text is not found", "retry",
         "{'path':'src/code.c','edits':[{'old_text':'none','new_text':'x'}]}", false},
        {"file_edit",
         "{'path':'src/Code.c','edits':[{'old_text':'one;','new_text':'x'}],"
         "'expected_hash':'00000000000000000000000000000000'}",
         "There the call would fail next: src/code.c has changed", "retry",
         "{'path':'src/code.c','edits':[{'old_text':'one;','new_text':'x'}],"
         "'expected_hash':'00000000000000000000000000000000'}",
         false},
        {"MultiEdit",
         "{'path':'src/Code.c','edits':[{'old_string':'\\tone;','new_string':'\\ttwo;'}]}",
         "Edit 1 is not written as that file has it", "data.retry",
         "{'path':'src/code.c','edits':[{'old_string':'    one;','new_string':'    two;'}]}", true},
        {"editFile",
         "{'file':'/repo/src/code.c','match':'exact',"
         "'operations':[{'search':'\\tone;','replace':'\\ttwo;'}]}",
         "Operation 1 is not written as that file has it", "retry",
         "{'file':'@','match':'exact',"
         "'operations':[{'search':'    one;','replace':'    two;'}]}",
         true},
        {"editFiles",
         "{'edits':[{'file':'src/Code.c','replaceOperations':[{'search':'none','replace':'x'}]},"
         "{'file':'src/twice.c','replaceOperations':[{'search':'none','replace':'x'}]}]}",
         "Did you mean src/code.c?", NULL, NULL, false},
        {"editDOM",
         "{'file':'docs/"
         "Only.html','operations':[{'action':'setText','selector':'.b','value':'y'}]}",
         "Operation 1 would fail next: ", "retry",
         "{'file':'docs/"
         "only.html','operations':[{'action':'setText','selector':'.b','value':'y'}]}",
         false},
        {"mcp__editor__Edit",
         "{'file_path':'src/Code.c','edits':[{'old_text':'\\tone;','new_text':'\\ttwo;'}]}",
         "\nSend these arguments: {\"file_path\":\"src/code.c\",\"edits\":[{\"old_text\":\"    "
         "one;\","
         "\"new_text\":\"    two;\"}]}",
         NULL, NULL, false},
        {"mcp__editor__Edit", "{'file_path':'src/Code.c','operation':'delete','anchor':'\\tone;'}",
         "Send these arguments: {\"file_path\":\"src/code.c\",\"operation\":\"delete\","
         "\"anchor\":\"    one;\"}",
         NULL, NULL, false},
        {"edit_file", "{'path':'src/Code.c','old_string':'\\tone;','new_string':'\\ttwo;'}",
         "Edit 1 is not written as that file has it: old_string is indented with tabs", NULL, NULL,
         false},
        {"edit_file", "{'path':'src/Code.c','old_string':'\\tone;','new_string':'\\ttwo;'}",
         "\nSend these arguments: {\"path\":\"src/code.c\",\"old_string\":\"    one;\","
         "\"new_string\":\"    two;\"}",
         NULL, NULL, false},
    };
    char code[200];
    scratch_path(&c->s, "src/code.c", code);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        scratch_write(&c->s, "src/code.c", EM_LIT("if (x)\n    one;\n"));
        call(c, cases[i].tool, cases[i].arguments);
        assert_true(c->answer.is_error);
        check_has(c, cases[i].told);
        check_file(&c->s, "src/code.c", EM_LIT("if (x)\n    one;\n"));
        if (!cases[i].retry)
            continue;
        check_field(c, cases[i].retry, with_path(c, cases[i].sent, code));
        call_with(c, cases[i].tool, json_incref(field(c, cases[i].retry)));
        assert_int_equal(c->answer.is_error, !cases[i].holds);
    }
}

/* Who is told what stands there can send the right call next. */
static void what_stands_in_the_file_that_is_meant_is_told(void **state)
{
    caller *c = *state;
    static const struct {
        const char *tool, *arguments;
    } cases[] = {
        {"file_edit", "{'path':'src/Code.c','edits':[{'old_text':'@','new_text':'x'}]}"},
        {"edit_file", "{'path':'src/Code.c','old_string':'@','new_string':'x'}"},
        {"MultiEdit", "{'path':'src/Code.c','edits':[{'old_string':'@','new_string':'x'}]}"},
        {"Edit", "{'path':'src/Code.c','old_string':'@','new_string':'x'}"},
        {"editFile",
         "{'file':'src/Code.c','match':'exact','operations':[{'search':'@','replace':'x'}]}"},
        {"mcp__editor__Edit",
         "{'file_path':'src/Code.c','edits':[{'old_text':'@','new_text':'x'}]}"},
    };
    scratch_write(&c->s, "src/code.c", EM_LIT("if (x)\n    one;\nmore();\nmore();\n"));
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        call(c, cases[i].tool, with_path(c, cases[i].arguments, "if (x == 1)"));
        check_has(c, " would fail next: its ");
        check_has(c, "Most similar text (54% similar, line 1):");
        check_has(c, "   1 | if (x)");
        check_has(c, "Difference: Missing ");
        call(c, cases[i].tool, with_path(c, cases[i].arguments, "more();"));
        check_has(c, "stands there 2 times, not 1");
        check_has(c, "Line 3, column 1: more();");
        check_has(c, "Line 4, column 1: more();");
    }
}

/* Also what no file is asked for. */
static void what_would_fail_in_any_file_is_told(void **state)
{
    caller *c = *state;
    static const struct {
        const char *tool, *arguments, *told;
    } cases[] = {
        {"file_edit", "{'path':'src/Code.c','edits':[{'old_text':'one','new_text':'one'}]}",
         "Edit 1 would fail next: it would change nothing"},
        {"MultiEdit", "{'path':'src/Code.c','edits':[{'old_string':'','new_string':'x'}]}",
         "Edit 1 would fail next: its old_string is empty"},
        {"editFile",
         "{'file':'src/Code.c','operations':[{'search':'one','replace':'// ... existing code "
         "...'}]}",
         "Operation 1 would fail next: its replace leaves something out"},
        {"edit_file_lines",
         "{'file_path':'src/Code.c','start_line':99,'end_line':99,'new_content':'x'}",
         "Edit 1 would fail next: the file has no such lines"},
    };
    scratch_write(&c->s, "src/code.c", EM_LIT("if (x)\n    one;\n"));
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        call(c, cases[i].tool, cases[i].arguments);
        check_has(c, "Did you mean src/code.c?");
        check_has(c, cases[i].told);
    }
}

/* Which is no edit: it counts as none that failed, and the history has nothing. */
static void to_try_leaves_no_trace(void **state)
{
    caller *c = *state;
    for (int i = 0; i < 3; i++) {
        call(c, "file_edit", "{'path':'src/main.c','edits':[{'old_text':'none','new_text':'x'}]}");
        check_has(c, "Edit 1 would fail next");
        check_lacks(c, "in a row");
    }
    call(c, "file_edit", "{'path':'src/Main.c','edits':[{'old_text':'none','new_text':'x'}]}");
    check_lacks(c, "in a row");
    call(c, "undo_last_edit", "{}");
    check_has(c, "This session has made no edit that could be undone");
}

/* Who is shown an escaped name would send the escape. */
static void a_name_that_is_not_utf8_cannot_be_sent(void **state)
{
    caller *c = *state;
    scratch_write(&c->s, "caf\xE9.txt", EM_LIT("one\n"));
    call(c, "read_file", "{'file_path':'cafe.txt'}");
    check_has(c, "caf\\xE9.txt (which is not UTF-8, so no call can name it)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_file_that_is_clear, setup, teardown),
        cmocka_unit_test_setup_teardown(a_file_by_a_path_that_others_write, setup, teardown),
        cmocka_unit_test_setup_teardown(files_that_may_be_meant, setup, teardown),
        cmocka_unit_test_setup_teardown(a_file_outside, setup, teardown),
        cmocka_unit_test_setup_teardown(a_file_above_the_root, setup, teardown),
        cmocka_unit_test_setup_teardown(a_folder, setup, teardown),
        cmocka_unit_test_setup_teardown(writing_a_file, setup, teardown),
        cmocka_unit_test_setup_teardown(one_of_several, setup, teardown),
        cmocka_unit_test_setup_teardown(a_name_that_is_not_utf8_cannot_be_sent, setup, teardown),
        cmocka_unit_test_setup_teardown(very_many_missing_files, setup, teardown),
        cmocka_unit_test_setup_teardown(edits_are_tried_on_the_file_that_is_meant, setup, teardown),
        cmocka_unit_test_setup_teardown(what_stands_in_the_file_that_is_meant_is_told, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(what_would_fail_in_any_file_is_told, setup, teardown),
        cmocka_unit_test_setup_teardown(to_try_leaves_no_trace, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
