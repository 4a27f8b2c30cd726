/* A change that somebody has taken back already is not taken back once more. */
#include "scratch.h"

#include "../text/random.h"
#include "past/checkpoints.h"
#include "session/undo.h"

#include <string.h>

/* ---- Files and calls ------------------------------------------------------------------------ */

static void save(scratch *s, const char *text)
{
    scratch_write(s, "a.txt", em_slice_of(text));
}

static void run_op(scratch *s, em_op op)
{
    em_edit_request request = {.path = "a.txt", .ops = &op, .op_count = 1, .tool = "edit"};
    scratch_edit(s, &request);
}

static void edit(scratch *s, const char *find, const char *insert)
{
    run_op(s, (em_op){.kind = EM_OP_REPLACE,
                      .find = em_slice_of(find),
                      .insert = em_slice_of(insert),
                      .expect = 1});
}

static em_undo_outcome run(scratch *s, em_undo_request request)
{
    em_undo_outcome outcome;
    request.tool = "undo";
    em_run_undo(s->session, &request, &s->arena, &outcome);
    return outcome;
}

static em_undo_outcome undo(scratch *s, const char *id)
{
    return run(s, (em_undo_request){.what = EM_UNDO, .id = id});
}

/* It is refused, and the file is as it was. */
static void check_refused(scratch *s, const char *what, em_undo_outcome outcome, const char *words,
                          const char *text)
{
    if (outcome.status != EM_E_CONFLICT || !strstr(outcome.error.detail, words))
        fail_msg("%s: %d: %s", what, (int)outcome.status, outcome.error.detail);
    assert_string_equal(outcome.conflict.path, "a.txt");
    check_file(s, "a.txt", em_slice_of(text));
}

#define NOT_IN_IT "is as it was before change 1: that is not in it any more"

/* ---- The file is as it was before ----------------------------------------------------------- */

static const struct {
    const char *what, *old, *find, *insert;
} restored[] = {
    {"a line in the middle", "def f():\n    a()\n    b()\n    c()\n", "    b()\n    c()",
     "    c()"},
    {"the first line", "#!/bin/sh\necho\n", "#!/bin/sh\n", ""},
    {"the first line of three", "#!/bin/sh\necho\nexit\n", "#!/bin/sh\n", ""},
    {"several first lines", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\n", ""},
    {"the last line", "a\nb\nlast\n", "last\n", ""},
    {"the last lines", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "7\n8\n9\n", ""},
    {"a last line without an end", "a\nb", "\nb", ""},
    {"all lines", "a\nb\n", "a\nb\n", ""},
    {"a line twice", "a\nlog()\nb\n", "log()\n", "log()\nlog()\n"},
    {"the first line twice", "log()\nb\n", "log()\n", "log()\nlog()\n"},
    {"the last line twice", "a\nlog()\n", "log()\n", "log()\nlog()\n"},
    {"a line twice between longer ones", "1\n2\n3\n4\nx\n5\n6\n7\n8\n", "x\n", "x\nx\n"},
    {"two lines twice", "a\nx\ny\nb\n", "x\ny\n", "x\ny\nx\ny\n"},
    {"one of two like lines", "a\nl\nl\nb\n", "l\nl\n", "l\n"},
    {"one of two like lines at the top", "l\nl\nb\n", "l\nl\n", "l\n"},
    {"one of two like lines alone", "l\nl\n", "l\nl\n", "l\n"},
    {"a line at the top", "a\nb\n", "a\n", "H\na\n"},
    {"a line at the end", "a\nb\n", "b\n", "b\nT\n"},
    {"a word", "one two\n", "one", "one one"},
    {"CRLF", "a\r\nb\r\n", "a\r\n", ""},
    {"CRLF at the end", "a\r\nb\r\n", "\r\nb", ""},
};

static void a_file_that_is_as_before_is_left_alone(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2 * COUNT_OF(restored); i++) {
        EM_AUTO(scratch) s;
        em_error err = EM_ERROR_INIT;
        const char *what = restored[i / 2].what, *old = restored[i / 2].old;
        bool kept = i % 2;
        scratch_open(&s, NULL);
        save(&s, old);
        assert_int_equal(em_past_mark(em_session_workspace(s.session), "start", &err), EM_OK);
        edit(&s, restored[i / 2].find, restored[i / 2].insert);
        if (!kept)
            scratch_forget(&s);
        save(&s, old);
        check_refused(&s, what, undo(&s, NULL), NOT_IN_IT, old);
        check_refused(&s, what, undo(&s, "1"), NOT_IN_IT, old);
        em_undo_request rewind = {.what = EM_REWIND, .checkpoint = "start"};
        check_refused(&s, what, run(&s, rewind), NOT_IN_IT, old);
        check_refused(&s, what, run(&s, (em_undo_request){.what = EM_UNDO, .own = true}), NOT_IN_IT,
                      old);
    }
}

/* What was undone, and put back by hand, is not done again. */
static void redo_too(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2 * COUNT_OF(restored); i++) {
        EM_AUTO(scratch) s;
        scratch_open(&s, NULL);
        save(&s, restored[i / 2].old);
        edit(&s, restored[i / 2].find, restored[i / 2].insert);
        em_slice edited = scratch_read(&s, "a.txt");
        char text[100] = "";
        if (edited.len > 0)
            memcpy(text, edited.ptr, edited.len);
        assert_int_equal(undo(&s, NULL).status, EM_OK);
        check_file(&s, "a.txt", em_slice_of(restored[i / 2].old));
        if (i % 2)
            scratch_forget(&s);
        save(&s, text);
        check_refused(&s, restored[i / 2].what, run(&s, (em_undo_request){.what = EM_REDO}),
                      "is as it was before change 2: that is not in it any more", text);
    }
}

/* The same where another edit put it back. */
static void a_later_edit_may_have_taken_it_back(void **state)
{
    (void)state;
    for (int kept = 0; kept < 2; kept++) {
        EM_AUTO(scratch) s;
        scratch_open(&s, NULL);
        save(&s, "#!/bin/sh\necho\n");
        edit(&s, "#!/bin/sh\n", "");
        edit(&s, "echo", "#!/bin/sh\necho");
        if (!kept)
            scratch_forget(&s);
        check_refused(&s, "a later edit", undo(&s, "1"), NOT_IN_IT, "#!/bin/sh\necho\n");
        edit(&s, "echo\n", "echo\nexit\n");
        if (!kept)
            scratch_forget(&s);
        check_refused(&s, "two later edits", undo(&s, "1"), "a.txt", "#!/bin/sh\necho\nexit\n");
    }
}

/* Of several changes of a file that go together: none, where one is not in it. */
static void one_of_several(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    em_error err = EM_ERROR_INIT;
    em_undo_request rewind = {.what = EM_REWIND, .checkpoint = "start"};
    scratch_open(&s, NULL);
    save(&s, "1\n2\n3\n");
    assert_int_equal(em_past_mark(em_session_workspace(s.session), "start", &err), EM_OK);
    edit(&s, "1\n", "one\n");
    edit(&s, "3\n", "3\n4\n");
    save(&s, "one\n2\n3\n");
    check_refused(&s, "the last", run(&s, rewind), "before change 2", "one\n2\n3\n");
    save(&s, "1\n2\n3\n");
    check_refused(&s, "both", run(&s, rewind), "before change 1", "1\n2\n3\n");
    save(&s, "one\n2\n3\n4\n");
    assert_int_equal(run(&s, rewind).status, EM_OK);
    check_file(&s, "a.txt", EM_LIT("1\n2\n3\n"));
}

/* ---- The rest of the file has changed ------------------------------------------------------- */

static const struct {
    const char *what, *old, *find, *insert, *now;
    const char *want; /* NULL: it is refused */
} places[] = {
    {"a line in the middle", "def f():\n    a()\n    b()\n    c()\n", "    b()\n    c()", "    c()",
     "def f():\n    a()\n    b()\n    c()\nf()\n", NULL},
    {"the first line", "#!/bin/sh\necho\n", "#!/bin/sh\n", "", "#!/bin/sh\necho\nexit\n", NULL},
    {"another first line", "#!/bin/sh\necho\n", "#!/bin/sh\n", "", "#!/bin/bash\necho\n", NULL},
    {"several first lines", "1\n2\n3\n4\n5\n6\n", "1\n2\n3\n", "", "1\n2\n3\n4\n5\n6\n7\n", NULL},
    {"some of them", "1\n2\n3\n4\n5\n6\n", "1\n2\n3\n", "", "3\n4\n5\n6\n7\n", NULL},
    {"the last line", "a\nb\nlast\n", "last\n", "", "0\na\nb\nlast\n", NULL},
    {"a last line without an end", "a\nb", "\nb", "", "0\na\nb", NULL},
    {"a line twice", "a\nlog()\nb\n", "log()\n", "log()\nlog()\n", "a\nlog()\nb\nc\n", NULL},
    {"the first line twice", "log()\nb\n", "log()\n", "log()\nlog()\n", "log()\nb\nc\n", NULL},
    {"the last line twice", "a\nlog()\n", "log()\n", "log()\nlog()\n", "0\na\nlog()\n", NULL},
    {"two lines twice", "a\nx\ny\nb\n", "x\ny\n", "x\ny\nx\ny\n", "a\nx\ny\nb\nc\n", NULL},
    {"one more of many", "x\nx\nx\nx\nx\ny\n", "x\ny\n", "x\nx\ny\n", "x\nx\nx\nx\nx\ny\nz\n",
     NULL},
    {"one of two like lines", "a\nl\nl\nb\n", "l\nl\n", "l\n", "a\nl\nl\nb\nc\n", NULL},
    {"one of two at the top", "l\nl\n2\n3\n4\n5\n", "l\nl\n", "l\n", "l\nl\n2\n3\n4\n5\n6\n", NULL},
    {"a line that became another, and is back beside it", "b\nc\nd\n", "b\nc\n", "c2\n",
     "b\nc2\nd\ne\n", NULL},
    {"the same at the end", "a\nb\nc\n", "b\nc\n", "b2\n", "0\na\nb2\nc\n", NULL},
    {"a line of which more was made", "a\nversion 1", "1", "2", "0\na\nversion 25", NULL},
    {"a line at the top", "a\nb\n", "a\n", "H\na\n", "a\nb\nc\n", NULL},
    {"one of two at the top, and a line between", "b\nb\na\n", "b\nb\n", "b\n", "b\nz\nb\na\n",
     NULL},
    {"one of four, and a line between", "b\nb\nb\nb\n", "b\nb\nb\nb\n", "b\nb\nb\n",
     "b\nz\nb\nb\nb\n", NULL},
    {"all but the last lines, and a line at the end", "b\nb\nb\nc\nc\n", "b\nc\nc\n", "c\n",
     "b\nb\nb\nc\nc\nz\n", NULL},
    {"lines that begin like those behind", "b\nc\nc\na\na\na\na\n", "b\nc\nc\n", "b\nc\nc\nc\na\n",
     "b\nc\nz\nc\na\na\na\na\n", NULL},
    {"a line at the end", "a\nb\n", "b\n", "b\nT\n", "0\na\nb\n", NULL},
    {"CRLF", "a\r\nb\r\n", "\r\nb", "", "0\r\na\r\nb\r\n", NULL},
    /* What would come back leaves a line open, or ends one, where the change did not. */
    {"the next line is gone", "import a\nimport b\nx = 1\n", "import b", "import c\n",
     "import a\nimport c\nx = 1\n", NULL},
    {"a line was put before the next", "import a\nimport b\nx = 1\n", "import b", "import c\n",
     "import a\nimport c\nimport d\n\nx = 1\n", NULL},
    {"lines became one and a blank one", "a\nP\nQ\nz\n", "P\nQ", "R\n", "a\nR\nX\n\nz\n", NULL},
    {"half a line", "a\nbeta40\ndelta35\n\n}\na\n", "ta40\nde", "\n\n", "a\nbe\n\n\n}\na\n", NULL},
    {"the last line was open", "x", "x", "x\nlog: 1\n", "x\nlog: 1\nlog: 2\n", NULL},
    {"the last line was ended alone", "a\nx", "x", "x\n", "a\nx\ny\n", NULL},
    {"the last line was left open", "a\nb\nx\n", "x\n", "z", "a\nb\nz\ny\n", NULL},
    {"an open last line is gone", "a\nb", "b", "", "a\nc\n", NULL},
    {"CRLF at an open end", "a\r\nx", "x", "x\r\n", "a\r\nx\r\ny\r\n", NULL},
    {"an indent is gone, and its line", "a\n  b\nc\n", "a\n  b", "A\nb", "A\nnew\nb\nc\n", NULL},
    /* Lines are gone at the edge of what changed at once, and another stands where they stood. */
    {"a line behind one that stayed, at the end", "a\nx\n", "a\nx\n", "q\na\n", "q\na\nend\n",
     NULL},
    {"one before it, at the top", "x\na\n", "x\na\n", "a\nq\n", "top\na\nq\n", NULL},
    {"one before it", "0\n1\na\n2\n3\n4\n", "1\na\n2\n", "a\n", "0\n7\na\n3\n4\n", NULL},
    {"one behind several", "0\n1\na\nb\nc\n2\n3\n4\n", "1\na\nb\nc\n2\n", "a\nb\nc\n",
     "0\na\nb\nc\n7\n3\n4\n", NULL},
    {"lines behind one that stayed, at an open end", "x\no\n1\n2\n3\n4", "o\n1\n2\n3\n4", "n\n1\n2",
     "x\nn\n1\n2\nend\n", NULL},
    /* Lines became others, the like of which somebody has put beside them. */
    {"behind the first line", "old\n1\n2\n3\n4\n", "old\n", "x\n", "x\nx\n1\n2\n3\n4\n", NULL},
    {"before it, and a line below", "1\n2\nH\no\np\n5\n6\n7\n8\n", "o\np\n", "x\n",
     "1\n2\nH\nx\nx\n5\n6\nnew\n7\n8\n", NULL},
    {"behind the last line", "1\n2\n3\n4\nold\n", "old\n", "x\n", "0\n1\n2\n3\n4\nx\nx\n", NULL},
    {"behind two that a line became", "1\n2\nb\n3\n4\n", "b\n", "a\na\n",
     "0\n1\n2\na\na\na\n3\n4\n", NULL},
    {"before two, at the end of the file", "1\n2\nb\n", "b\n", "a\na\n", "0\n1\n2\na\na\na\n",
     NULL},
    {"behind three, the last like the first", "1\n2\nb\n3\n4\n", "b\n", "a\nc\na\n",
     "0\n1\n2\na\nc\na\nc\na\n3\n4\n", NULL},
    {"one of three that came is gone", "1\n2\na\n3\n4\n", "a\n", "a\na\na\n",
     "0\n1\n2\na\na\n3\n4\n", NULL},
    /* A last line without its ending is still the like of others. */
    {"a like line at an open end", "a\nb\n", "b", "X", "X\nm\nX", NULL},
    {"the like of the line before it, too", "a\nb\n", "b", "X", "X\na\nX", NULL},
    {"lines around it, and their like", "a\nb\n", "b", "X", "a\nX\nm\na\nX", NULL},
    {"the line that was there, at an open end", "b\n", "b\n", "d\n", "d\nc\nb", NULL},
    {"some of the lines that were there", "a\nb\nc\n", "b\nc\n", "b2\n", "0\na\nb2\nc", NULL},
    {"one with what was before it, one with what was behind", "b\na\nb\n", "b\na", "b\nc\na",
     "b\nc\nb\nd\nc\na\nb", NULL},
    {"behind the last line, and open", "1\n2\n3\n4\nold\n", "old\n", "x\n", "0\n1\n2\n3\n4\nx\nx",
     NULL},
    {"lines that may have come before it", "a\nb\na\na\na\n", "b\na\n", "b\nc\n",
     "a\nb\nc\na\nc\na\na", NULL},
    /* Where the change is still there, it is taken back. */
    {"and another line at an open end", "1\n2\nb\n3\n4\n", "b\n", "x\n", "0\n1\n2\nx\n3\n4\nn",
     "0\n1\n2\nb\n3\n4\nn"},
    {"and the last line is open", "1\n2\nb\n3\n4\n", "b\n", "x\n", "1\n2\nx\n3\n4",
     "1\n2\nb\n3\n4"},
    {"two that a line became", "1\n2\nb\n3\n4\n", "b\n", "a\na\n", "0\n1\n2\na\na\n3\n4\n",
     "0\n1\n2\nb\n3\n4\n"},
    {"as many like lines stand beside it", "a\nx\no\nb\nc\nd\n", "o\n", "x\n",
     "0\na\nx\nx\nb\nc\nd\n", "0\na\nx\no\nb\nc\nd\n"},
    {"the next line is there", "import a\nimport b\nx = 1\n", "import b", "import c\n",
     "import a\nimport c\n\nx = 1\ny = 2\n", "import a\nimport b\nx = 1\ny = 2\n"},
    {"a line that was torn, and others around it", "1\nimport 28\n2\n3\n4\n", "import", "imp\n",
     "1\nimp\n 28\nnew\n3\n4\n", "1\nimport 28\nnew\n3\n4\n"},
    {"the end is where it was", "a\nb\nc\nd\nx", "x", "x\nlog: 1\n", "0\na\nb\nc\nd\nx\nlog: 1\n",
     "0\na\nb\nc\nd\nx"},
    {"the end of an open last line", "a\nb\nc\nd\nx\n", "x\n", "z", "0\na\nb\nc\nd\nz",
     "0\na\nb\nc\nd\nx\n"},
    {"the first line is gone", "#!/bin/sh\necho\n", "#!/bin/sh\n", "", "echo\nexit\n",
     "#!/bin/sh\necho\nexit\n"},
    {"the last line is gone", "a\nb\nlast\n", "last\n", "", "0\na\nb\n", "0\na\nb\nlast\n"},
    {"a line in the middle is gone", "a\nb\nc\n", "b\n", "", "0\na\nc\nd\n", "0\na\nb\nc\nd\n"},
    {"a line is there twice", "a\nlog()\nb\n", "log()\n", "log()\nlog()\n",
     "0\na\nlog()\nlog()\nb\nc\n", "0\na\nlog()\nb\nc\n"},
    {"one of two like lines is gone", "a\nl\nl\nb\n", "l\nl\n", "l\n", "0\na\nl\nb\nc\n",
     "0\na\nl\nl\nb\nc\n"},
    {"a line at the top is there", "a\nb\n", "a\n", "H\na\n", "H\na\nb\nc\n", "a\nb\nc\n"},
    {"two lines are one", "a\nb\nc\nd\n", "b\nc\n", "bc\n", "0\na\nbc\nd\ne\n",
     "0\na\nb\nc\nd\ne\n"},
    {"lines around one that stayed", "0\n1\na\n2\n3\n4\n", "1\na\n2\n", "a\n", "9\n0\na\n3\n4\n",
     "9\n0\n1\na\n2\n3\n4\n"},
    {"lines behind one that stayed, and the end is there", "x\no\n1\n2\n3\n4", "o\n1\n2\n3\n4",
     "n\n1\n2", "9\nx\nn\n1\n2", "9\nx\no\n1\n2\n3\n4"},
    {"it was moved with the lines around it", "1\n2\n3\nb\n4\n5\n6\n7\n8\n9\nc\nd\ne\nf\ng\n",
     "b\n", "X\n", "7\n8\n9\nc\nd\ne\nf\ng\n1\n2\n3\nX\n4\n5\n6\n",
     "7\n8\n9\nc\nd\ne\nf\ng\n1\n2\n3\nb\n4\n5\n6\n"},
    {"a line has other neighbours", "1\n2\n3\nb\nc\nd\n", "b\nc\n", "X\n", "0\n1\n2\n3\nX\nD\n",
     "0\n1\n2\n3\nb\nc\nD\n"},
};

static void elsewhere_the_file_has_changed(void **state)
{
    (void)state;
    /* Contents kept or not, held or looked at through a window. */
    for (size_t i = 0; i < 4 * COUNT_OF(places); i++) {
        EM_AUTO(scratch) s;
        size_t index = i / 4;
        bool kept = i % 4 == 0, is_large = i % 4 > 1;
        em_session_options options = {.workspace.large = {.from = is_large, .window = 61}};
        scratch_open(&s, &options);
        save(&s, places[index].old);
        edit(&s, places[index].find, places[index].insert);
        if (!kept)
            scratch_forget(&s);
        save(&s, places[index].now);
        em_undo_outcome outcome = undo(&s, NULL);
        if (!places[index].want) {
            check_refused(&s, places[index].what, outcome, "a.txt", places[index].now);
        } else {
            if (outcome.status != EM_OK)
                fail_msg("%s (%d): %s", places[index].what, (int)(i % 4), outcome.error.detail);
            assert_null(outcome.conflict.path);
            check_file(&s, "a.txt", em_slice_of(places[index].want));
        }
    }
}

/* What was undone is not done again where another line stands behind it. */
static void what_stands_behind_the_undone_has_changed(void **state)
{
    (void)state;
    static const struct {
        const char *old, *find, *insert, *now;
    } cases[] = {
        {"a\nR\n\nz\n", "R\n", "P\nQ", "a\nR\nX\n\nz\n"},
        {"import a\nimport c\n\nx\n", "import c\n", "import b", "import a\nimport c\nd\n\nx\n"},
        {"x\nlog: 1\n", "\nlog: 1\n", "", "x\nlog: 1\nlog: 2\n"},
    };
    for (size_t i = 0; i < 2 * COUNT_OF(cases); i++) {
        EM_AUTO(scratch) s;
        size_t index = i / 2;
        scratch_open(&s, NULL);
        save(&s, cases[index].old);
        edit(&s, cases[index].find, cases[index].insert);
        assert_int_equal(undo(&s, NULL).status, EM_OK);
        if (i % 2)
            scratch_forget(&s);
        save(&s, cases[index].now);
        check_refused(&s, "redo", run(&s, (em_undo_request){.what = EM_REDO}), "a.txt",
                      cases[index].now);
    }
}

/* Nor is what was done since a checkpoint taken back, be it one change or several. */
static void what_stands_behind_all_since_then_has_changed(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        EM_AUTO(scratch) s;
        em_error err = EM_ERROR_INIT;
        em_undo_request rewind = {.what = EM_REWIND, .checkpoint = "start"};
        const char *now = "a\nx\nlog: 1\nlog: 2\nlog: 3\n";
        scratch_open(&s, NULL);
        save(&s, "a\nx");
        assert_int_equal(em_past_mark(em_session_workspace(s.session), "start", &err), EM_OK);
        edit(&s, "x", "x\nlog: 1\n");
        if (i / 2)
            edit(&s, "log: 1\n", "log: 1\nlog: 2\n");
        if (i % 2)
            scratch_forget(&s);
        save(&s, now);
        check_refused(&s, "rewind", run(&s, rewind), "a.txt", now);
    }
}

/* The same text has gone elsewhere: it is as often there as before. */
static void its_text_stands_elsewhere(void **state)
{
    (void)state;
    for (int kept = 0; kept < 2; kept++) {
        EM_AUTO(scratch) s;
        scratch_open(&s, NULL);
        save(&s, "1\n2\n3\nx\n4\n5\n6\n7\n1\n2\n3\n8\n9\n");
        edit(&s, "3\n8\n", "3\nx\n8\n");
        if (!kept)
            scratch_forget(&s);
        const char *now = "1\n2\n3\nx\nfour\n5\n6\n7\n1\n2\n3\n8\n9\n";
        save(&s, now);
        check_refused(&s, "elsewhere", undo(&s, NULL), "a.txt", now);
    }
}

/* ---- Any text ------------------------------------------------------------------------------- */

typedef struct lines {
    char items[24];
    size_t count;
} lines;

static void lines_put(lines *l, size_t at, size_t gone, const char *items, size_t count)
{
    memmove(l->items + at + count, l->items + at + gone, l->count - at - gone);
    memcpy(l->items + at, items, count);
    l->count += count - gone;
}

static void random_edit(random_state *r, lines *l)
{
    char items[3];
    size_t at = random_below(r, l->count + 1), count = random_below(r, 4);
    size_t most = l->count - at < 3 ? l->count - at : 3;
    for (size_t i = 0; i < count; i++)
        items[i] = (char)('a' + random_below(r, 4));
    lines_put(l, at, random_below(r, most + 1), items, count);
}

static const char *text_of(const lines *l, char text[64])
{
    char *end = text;
    for (size_t i = 0; i < l->count; i++) {
        *end++ = l->items[i];
        *end++ = '\n';
    }
    *end = '\0';
    return text;
}

/* Few sorts of lines, an edit, its old content back, and perhaps a line that nobody had elsewhere.
 */
static void restore_and_undo(scratch *s, random_state *r)
{
    lines old = {.count = 0}, new, now;
    char old_text[64], new_text[64], now_text[64];
    for (size_t count = random_below(r, 8); old.count < count;)
        old.items[old.count++] = (char)('a' + random_below(r, 3));
    new = now = old;
    random_edit(r, &new);
    save(s, text_of(&old, old_text));
    if (strcmp(old_text, text_of(&new, new_text)) == 0)
        return;
    run_op(s, (em_op){.kind = EM_OP_REWRITE, .insert = em_slice_of(new_text)});
    if (random_below(r, 3) > 0)
        lines_put(&now, random_below(r, old.count + 1), 0, "z", 1);
    if (random_below(r, 2))
        scratch_forget(s);
    save(s, text_of(&now, now_text));
    em_undo_outcome outcome = undo(s, NULL);
    em_slice left = scratch_read(s, "a.txt");
    if (outcome.status == EM_OK || !em_slice_is(left, now_text))
        fail_msg("%s became %s and then %s, of which was made %.*s", old_text, new_text, now_text,
                 (int)left.len, left.ptr);
}

static void nothing_is_taken_back_twice(void **state)
{
    (void)state;
    random_state r = {7};
    for (int i = 0; i < 30; i++) {
        EM_AUTO(scratch) s;
        em_session_options options = {.workspace.large = {.from = i % 3 == 0, .window = 61}};
        scratch_open(&s, &options);
        for (int round = 0; round < 25; round++)
            restore_and_undo(&s, &r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_that_is_as_before_is_left_alone),
        cmocka_unit_test(redo_too),
        cmocka_unit_test(a_later_edit_may_have_taken_it_back),
        cmocka_unit_test(one_of_several),
        cmocka_unit_test(elsewhere_the_file_has_changed),
        cmocka_unit_test(what_stands_behind_the_undone_has_changed),
        cmocka_unit_test(what_stands_behind_all_since_then_has_changed),
        cmocka_unit_test(its_text_stands_elsewhere),
        cmocka_unit_test(nothing_is_taken_back_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
