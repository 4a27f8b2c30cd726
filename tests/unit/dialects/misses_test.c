/* misses_test.c: does the next call succeed, for who knows nothing but the answer?
 *
 * Each case is a search text that misses what is plainly meant. Every tool refuses it, and says
 * what to send instead; that is sent, by a caller who copies it without a thought.
 */
#include "answers/reply.h"
#include "answers/retry.h"

#include "calls.h"

typedef struct miss {
    const char *what, *file, *find, *insert;
    const char *cause;
    const char *want; /* the file after the second call; NULL: there is nothing to be sent */
} miss;

static const char go[] = "func f() {\n\tif ok {\n\t\tsend(1)\n\t}\n}\n";
static const char python[] = "class A:\n    def run(self):\n        # at once\n        start()\n"
                             "        stop()\n\n    def end(self):\n        stop()\n";

static const miss cases[] = {
    {"spaces for tabs", go, "    if ok {\n        send(1)\n    }",
     "    if ok {\n        send(2)\n    }", "tabs_for_spaces",
     "func f() {\n\tif ok {\n\t\tsend(2)\n\t}\n}\n"},
    {"another depth", python, "def run(self):\n    # at once\n    start()",
     "def run(self):\n    # at once\n    begin()\n    start()", "indentation",
     "class A:\n    def run(self):\n        # at once\n        begin()\n        start()\n"
     "        stop()\n\n    def end(self):\n        stop()\n"},
    {"blanks within", "const  foo = 'bar';\n", "const foo = 'bar';", "const foo = 'qux';",
     "whitespace", "const  foo = 'qux';\n"},
    {"quotes", "x = render(\"index\", 1);\n", "x = render('index', 1);", "x = render('home', 1);",
     "quotes", "x = render(\"home\", 1);\n"},
    {"case", "function HANDLE(req) {\n", "function handle(req) {", "function handle(req, res) {",
     "case", "function HANDLE(req, res) {\n"},
    {"line numbers", go, "   2 | \tif ok {\n   3 | \t\tsend(1)",
     "   2 | \tif ok {\n   3 | \t\tsend(3)", "line_numbers",
     "func f() {\n\tif ok {\n\t\tsend(3)\n\t}\n}\n"},
    {"markers of an answer", go, ">>>\tif ok {\n\t\tsend(1)<<<", ">>>\tif ok {\n\t\tsend(3)<<<",
     "markers", "func f() {\n\tif ok {\n\t\tsend(3)\n\t}\n}\n"},
    {"... around a part of a line", go, ">>>ok {<<<", ">>>no {<<<", "not_found", NULL},
    {"escapes", go, "if ok {\\n\\t\\tsend(1)", "if ok {\\n\\t\\tsend(4)", "escapes",
     "func f() {\n\tif ok {\n\t\tsend(4)\n\t}\n}\n"},
    {"escapes around line numbers", go, "   2 | \\tif ok {\\n   3 | \\t\\tsend(1)",
     "   2 | \\tif ok {\\n   3 | \\t\\tsend(3)", "line_numbers",
     "func f() {\n\tif ok {\n\t\tsend(3)\n\t}\n}\n"},
    {"a line break where the file has its escape", "f(\"a\\n\");\n", "f(\"a\n\");", "f(\"b\n\");",
     "escapes", "f(\"b\\n\");\n"},
    {"two of them, one of which is in the replacement", "x\nf(\"a\\nb\\n\", c);\n",
     "f(\"a\nb\n\", c);", "g(\"a\nb\", d);", "escapes", NULL},
    {"a JSON string", "x();\nfoo(\"1\");\nbar(2);\n", "\"foo(\\\"1\\\");\\nbar(2);\"",
     "\"foo(\\\"3\\\");\\nbar(2);\"", "escapes", "x();\nfoo(\"3\");\nbar(2);\n"},
    {"line breaks as escapes, beside one of a string", "x();\nfoo(\"1\\n\");\nbar(2);\n",
     "foo(\"1\\n\");\\nbar(2);", "foo(\"3\\n\");\\nbar(2);", "escapes",
     "x();\nfoo(\"3\\n\");\nbar(2);\n"},
    {"the signs of a patch", go, " func f() {\n-\tif ok {\n-\t\tsend(1)",
     " func f() {\n+\tif !ok {\n+\t\tsend(2)", "patch_signs",
     "func f() {\n\tif !ok {\n\t\tsend(2)\n\t}\n}\n"},
    {"a SEARCH/REPLACE block", go,
     "<<<<<<< SEARCH\n\t\tsend(1)\n=======\n\t\tsend(2)\n>>>>>>> REPLACE", "", "whole_change",
     "func f() {\n\tif ok {\n\t\tsend(2)\n\t}\n}\n"},
    {"... that takes lines away", go, "<<<<<<< SEARCH\n\t\tsend(1)\n=======\n>>>>>>> REPLACE", "",
     "whole_change", "func f() {\n\tif ok {\n\t}\n}\n"},
    {"... with another replacement", go,
     "<<<<<<< SEARCH\n\t\tsend(1)\n=======\n\t\tsend(2)\n>>>>>>> REPLACE", "send(3)",
     "whole_change", NULL},
    {"... behind the name of a file", go,
     "f.go\n<<<<<<< SEARCH\n\t\tsend(1)\n=======\n\t\tsend(2)\n>>>>>>> REPLACE", "", "whole_change",
     "func f() {\n\tif ok {\n\t\tsend(2)\n\t}\n}\n"},
    {"... that is cut", go, "<<<<<<< SEARCH\n\t\tsend(1)\n=======\n\t\tsend(2)", "", "whole_change",
     NULL},
    {"a whole diff", go,
     "--- a/f\n+++ b/f\n@@ -2,2 +2,2 @@\n     if ok {\n-        send(1)\n+        "
     "send(2)\n",
     "", "whole_change", "func f() {\n\tif ok {\n\t\tsend(2)\n\t}\n}\n"},
    {"a whole patch", go,
     "*** Begin Patch\n*** Update File: f\n@@\n-\t\tsend(1)\n+\t\tsend(2)\n*** End "
     "Patch",
     "", "whole_change", "func f() {\n\tif ok {\n\t\tsend(2)\n\t}\n}\n"},
    {"... of half a line", go,
     "*** Begin Patch\n*** Update File: f\n@@\n-send\n+post\n*** End Patch", "", "not_found", NULL},
    {"a diff of two hunks", go,
     "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-func f() {\n+func g() {\n@@ -3 +3 @@\n-\t\tsend(1)\n"
     "+\t\tsend(2)\n",
     "", "whole_change", NULL},
    {"two SEARCH/REPLACE blocks", go,
     "<<<<<<< SEARCH\nfunc f() {\n=======\nfunc g() {\n>>>>>>> REPLACE\n\n"
     "<<<<<<< SEARCH\n\t\tsend(1)\n=======\n\t\tsend(2)\n>>>>>>> REPLACE\n",
     "", "whole_change", NULL},
    {"a patch of two places", go,
     "*** Begin Patch\n*** Update File: f\n@@\n-func f() {\n+func g() {\n@@\n-\t\tsend(1)\n"
     "+\t\tsend(2)\n*** End Patch",
     "", "whole_change", NULL},
    {"... in a file of patches", "*** Begin Patch\n*** Update File: f\n@@\n-a\n*** End Patch\n",
     "*** Begin Patch\n*** Update File: f\n@@\n-b\n+c\n@@\n-d\n+e\n*** End Patch", "", "stale_text",
     NULL},
    {"lines that the replacement does not leave out", "start()\na()\nb()\nend()\nstop()\n",
     "start()\n...\nend()\n", "start()\nend()\n", "elided", NULL},
    {"lines of more than one block",
     "def f(x):\n    a(x)\n    return y\n\n"
     "def g(x):\n    b(x)\n    return x\n",
     "def f(x):\n    ...\n    return x\n", "def f(x):\n    ...\n    return z\n", "elided", NULL},
    {"a dropped comment", python, "    def run(self):\n        start()\n        stop()",
     "    def run(self):\n        start()\n        wait()\n        stop()", "missing_comment",
     "class A:\n    def run(self):\n        # at once\n        start()\n        wait()\n"
     "        stop()\n\n    def end(self):\n        stop()\n"},
    {"three of them",
     "def start():\n    # Doc line alpha here.\n    run_alpha(1)\n    # Doc line bravo here.\n"
     "    run_bravo(1)\n    # Doc line charlie here.\n    run_charlie(1)\n    return 1\n",
     "def start():\n    run_alpha(1)\n    run_bravo(1)\n    run_charlie(1)\n    return 1\n",
     "def start():\n    run_alpha(2)\n    run_bravo(1)\n    run_charlie(1)\n    return 1\n",
     "missing_comment",
     "def start():\n    # Doc line alpha here.\n    run_alpha(2)\n    # Doc line bravo here.\n"
     "    run_bravo(1)\n    # Doc line charlie here.\n    run_charlie(1)\n    return 1\n"},
    {"a slip", "self.items = parse(f.read())\n", "self.items = parse(f.raed())",
     "self.items = parse_all(f.raed())", "typo", "self.items = parse_all(f.read())\n"},
    {"a comma", "Lorem ipsum dolor, sit amet\n", "Lorem ipsum dolor sit amet",
     "Lorem ipse dolor sit amet", "typo", "Lorem ipse dolor, sit amet\n"},
    {"a comma at the end of a line", "x = [\n    \"alpha\",\n    \"beta\",\n]\n",
     "    \"alpha\",\n    \"beta\"\n]", "    \"alpha\",\n    \"beta\",\n    \"gamma\",\n]", "typo",
     "x = [\n    \"alpha\",\n    \"beta\",\n    \"gamma\",\n]\n"},
    {"another form of a word", "  return totalPrices(items);\n", "return totalPrice(items);",
     "return totalPrice(items, tax);", "typo", "  return totalPrices(items, tax);\n"},
    {"another form of a word, and what is as near",
     "a = totalPrices(item);\na = totalPrices(todo);\n", "a = totalPrice(item);", "a = 1;",
     "not_found", NULL},
    {"another form of a word, and made before", "return totalPrices(items);\ngo();\n",
     "return totalPrice(items);", "go();", "not_found", NULL},
    {"the line above is in the replacement, too",
     "import x\n\nclass Dev(Installer):\n    def root(self):\n        return repr(1)\n",
     "\n\tdef root(self):\n\t\treturn repr(1)\n",
     "\nclass Dev(Installer):\n    def root(self):\n        return repr(2)\n", "tabs_for_spaces",
     NULL},
    {"an empty line before it", go, "\n    if ok {\n        send(1)", "\tif ok {\n\t\tsend(2)",
     "tabs_for_spaces", "func f() {\n\tif ok {\n\t\tsend(2)\n\t}\n}\n"},
    {"the ending of a comment before it", python, "\nstart()\n        stop()\n\n",
     "        begin()\n        stop()\n\n", "blank_lines",
     "class A:\n    def run(self):\n        # at once\n        begin()\n        stop()\n\n"
     "    def end(self):\n        stop()\n"},
    {"a windows file", "if (a) {\r\n\tgo();\r\n}\r\n", "if (a) {\n    go();\n}",
     "if (a) {\n    stop();\n}", "tabs_for_spaces", "if (a) {\r\n\tstop();\r\n}\r\n"},
    {"other lines around it",
     "def load(self):\n    with open(self.path) as f:\n        self.items = parse(f.read())\n"
     "    return len(self.items)\n",
     "def load(self):\n    with open(self.path) as f:\n        self.items = json.load(f)\n"
     "    return len(self.items)",
     "def load(self):\n    with open(self.path) as f:\n        self.items = json.load(f)\n"
     "    return len(self.items) or None",
     "stale_text",
     "def load(self):\n    with open(self.path) as f:\n        self.items = parse(f.read())\n"
     "    return len(self.items) or None\n"},
    {"nothing like it", go, "class Unrelated extends Whatever {", "x", "not_found", NULL},
    {"another number", "max_connections = 100;\n", "max_connections = 200;",
     "max_connections = 300;", "not_found", NULL},
    {"two places", "if (x) {\n\tgo();\n}\nif (x) {\n\t\tgo();\n}\n", "if (x) {\n  go();\n}",
     "if (y) {\n  go();\n}", "ambiguous", NULL},
};

/* ---- The tools ----------------------------------------------------------------------------- */

typedef struct tool {
    const char *name, *find, *insert; /* what it calls its texts */
    const char *retry, *cause;        /* where its answer has them; NULL: in words */
    json_t *(*arguments)(const struct tool *tool, const char *find, const char *insert);
} tool;

static json_t *texts(const tool *t, const char *find, const char *insert)
{
    return json_pack("{s:s,s:s}", t->find, find, t->insert, insert);
}

static json_t *in_list(const tool *t, const char *find, const char *insert)
{
    return json_pack("{s:s,s:[o]}", "path", "f", "edits", texts(t, find, insert));
}

static json_t *at_top(const tool *t, const char *find, const char *insert)
{
    return json_pack("{s:s,s:s,s:s}", "path", "f", t->find, find, t->insert, insert);
}

static json_t *exact_operations(const tool *t, const char *find, const char *insert)
{
    return json_pack("{s:s,s:[o],s:s}", "file", "f", "operations", texts(t, find, insert), "match",
                     "exact");
}

static json_t *exact_entries(const tool *t, const char *find, const char *insert)
{
    return json_pack("{s:[{s:s,s:[o]}],s:s}", "edits", "file", "f", "replaceOperations",
                     texts(t, find, insert), "match", "exact");
}

static json_t *deletion(const tool *t, const char *find, const char *insert)
{
    (void)insert;
    return json_pack("{s:s,s:s,s:s}", "path", "f", "operation", "delete", t->find, find);
}

static const tool tools[] = {
    {"file_edit", "old_text", "new_text", "retry", "cause", in_list},
    {"edit_file", "old_string", "new_string", NULL, NULL, at_top},
    {"MultiEdit", "old_string", "new_string", "data.retry", "data.cause", in_list},
    {"Edit", "old_string", "new_string", "data.retry", "data.cause", at_top},
    {"mcp__editor__Edit", "old_text", "new_text", NULL, NULL, in_list},
    {"editFile", "search", "replace", "retry", "cause", exact_operations},
    {"editFiles", "search", "replace", "retry", "results.0.cause", exact_entries},
};

/* ---- A caller who only copies -------------------------------------------------------------- */

/* What stands between the markers behind "Send as NAME"; NULL. `is_last`: to the very end. */
static char *to_send(const char *answer, const char *name, bool is_last)
{
    char lead[80];
    snprintf(lead, sizeof lead, "\nSend as %s (between >>> and <<<):\n>>>", name);
    const char *start = strstr(answer, lead);
    if (!start)
        return NULL;
    start += strlen(lead);
    const char *end = is_last ? answer + strlen(answer) - 3 : strstr(start, "<<<\nSend as ");
    assert_true(end >= start && strncmp(end, "<<<", 3) == 0);
    return strndup(start, (size_t)(end - start));
}

static json_t *arguments_from_words(const tool *t, const char *answer, const miss *m)
{
    char *find = to_send(answer, t->find, true), *insert = to_send(answer, t->insert, false);
    json_t *arguments = find ? t->arguments(t, find, insert ? insert : m->insert) : NULL;
    free(find);
    free(insert);
    return arguments;
}

static void check_cause(const caller *c, const tool *t, const miss *m)
{
    char line[80];
    snprintf(line, sizeof line, "\nCause: %s", m->cause);
    if (!t->cause)
        check_has(c, line);
    else if (strcmp(json_string_value(field(c, t->cause)), m->cause) != 0)
        fail_msg("%s, %s: %s", t->name, m->what, json_string_value(field(c, t->cause)));
}

static void try_case(caller *c, const tool *t, const miss *m)
{
    scratch_write(&c->s, "f", em_slice_of(m->file));
    call_with(c, t->name, t->arguments(t, m->find, m->insert));
    assert_true(c->answer.is_error);
    check_file(&c->s, "f", em_slice_of(m->file));
    check_cause(c, t, m);
    json_t *again =
        t->retry ? json_incref(field(c, t->retry)) : arguments_from_words(t, c->answer.text, m);
    if (!m->want) {
        assert_null(again);
        return;
    }
    if (!again)
        fail_msg("%s, %s: nothing to send in\n%s", t->name, m->what, c->answer.text);
    call_with(c, t->name, again);
    if (c->answer.is_error)
        fail_msg("%s, %s: %s", t->name, m->what, c->answer.text);
    check_file(&c->s, "f", em_slice_of(m->want));
}

static void the_answer_is_enough_for_the_next_call(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(tools); i++) {
        EM_AUTO(caller) c;
        caller_open(&c, "all");
        for (size_t j = 0; j < COUNT_OF(cases); j++)
            try_case(&c, &tools[i], &cases[j]);
    }
}

/* Nobody is told to write the file anew beside what is to be sent, but by the tools whose document
 * has that advice always; and where it is not clear that this is what is meant. */
static void who_has_what_to_send_need_not_write_anew(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(tools); i++) {
        const tool *t = &tools[i];
        bool always = t->arguments == exact_operations || t->arguments == exact_entries;
        EM_AUTO(caller) c;
        caller_open(&c, "all");
        scratch_write(&c.s, "f", em_slice_of(go));
        call_with(&c, t->name, t->arguments(t, "class Unrelated extends Whatever {", "x"));
        check_lacks(&c, "in a row");
        call_with(&c, t->name, t->arguments(t, cases[0].find, cases[0].insert));
        if (always)
            check_has(&c, "This is failure 2 in a row");
        else
            check_lacks(&c, "in a row");
        call_with(&c, t->name,
                  t->arguments(t, "func f() {\n\tif ok {\n\t\tsend(7)\n\t}\n}",
                               "func g() {\n\tif ok {\n\t\tsend(7)\n\t}\n}"));
        check_has(&c, "This is failure 3 in a row"); /* what to send is of a stale text */
    }
}

/* With anchors, the text beside it is corrected too, and what is deleted needs none. */
static void anchors_are_corrected(void **state)
{
    (void)state;
    static const tool editor = {"mcp__editor__Edit", "anchor", "content", NULL, NULL, deletion};
    static const miss gone = {
        "a deletion",     go, "    if ok {\n        send(1)\n    }\n", "", "tabs_for_spaces",
        "func f() {\n}\n"};
    EM_AUTO(caller) c;
    caller_open(&c, "all");
    try_case(&c, &editor, &gone);
    scratch_write(&c.s, "f", em_slice_of(python));
    call(&c, "mcp__editor__Edit",
         "{'path':'f','operation':'insert_after','anchor':'  def run(self):\\n    # at once\\n',"
         "'content':'    begin()\\n'}");
    check_has(&c, "Anchor not found in file.");
    char *anchor = to_send(c.answer.text, "anchor", true);
    char *content = to_send(c.answer.text, "content", false);
    assert_non_null(anchor);
    assert_non_null(content);
    call_with(&c, "mcp__editor__Edit",
              json_pack("{s:s,s:s,s:s,s:s}", "path", "f", "operation", "insert_after", "anchor",
                        anchor, "content", content));
    free(anchor);
    free(content);
    check_file(&c.s, "f",
               EM_LIT("class A:\n    def run(self):\n        # at once\n        begin()\n"
                      "        start()\n        stop()\n\n    def end(self):\n        stop()\n"));
}

/* ---- What is left of a call ---------------------------------------------------------------- */

/* The second of three operations misses: what was done before is not sent again, what was not tried
 * is, and the hash that is expected is that of the file as it is now. */
static void a_retry_goes_on_where_the_call_broke_off(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, "all");
    scratch_write(&c.s, "f", EM_LIT("one\ntwo  words\nthree\n"));
    call(&c, "readFile", "{'file':'f'}");
    char *hash = strdup(json_string_value(field(&c, "hash")));
    call_with(&c, "editFile",
              json_pack("{s:s,s:s,s:s,s:[{s:s,s:s},{s:s,s:s},{s:s,s:s}]}", "file", "f", "match",
                        "exact", "expected_hash", hash, "operations", "search", "one", "replace",
                        "1", "search", "two words", "replace", "2 words", "search", "three",
                        "replace", "3"));
    free(hash);
    check_field(&c, "success", "'partial'");
    check_has(&c, "The answer's retry is the call with the right texts.");
    assert_int_equal(json_array_size(field(&c, "retry.operations")), 2);
    call_with(&c, "editFile", json_incref(field(&c, "retry")));
    check_field(&c, "success", "true");
    check_file(&c.s, "f", EM_LIT("1\n2  words\n3\n"));
}

/* Blanks and quotes are wrong throughout: one retry has it all right. The last one has no place. */
static void a_retry_corrects_all_that_would_fail_next(void **state)
{
    (void)state;
    static const char *const lists[][3] = {
        {"file_edit",
         "{'path':'f','edits':[{'old_text':'%s','new_text':'%s'},{'old_text':'%s',"
         "'new_text':'%s'},{'old_text':'%s','new_text':'%s'}]}",
         "retry"},
        {"MultiEdit",
         "{'path':'f','edits':[{'old_string':'%s','new_string':'%s'},"
         "{'old_string':'%s','new_string':'%s'},{'old_string':'%s',"
         "'new_string':'%s'}]}",
         "data.retry"},
        {"editFile",
         "{'file':'f','match':'exact','operations':[{'search':'%s','replace':'%s'},"
         "{'search':'%s','replace':'%s'},{'search':'%s','replace':'%s'}]}",
         "retry"},
    };
    for (size_t i = 0; i < COUNT_OF(lists); i++) {
        EM_AUTO(caller) c;
        char args[600];
        caller_open(&c, "all");
        scratch_write(&c.s, "f", EM_LIT("const  one = 1;\nconst two = 'a';\nfive\n"));
        snprintf(args, sizeof args, lists[i][1], "const one = 1;", "const one = 11;",
                 "const two = \\u0022a\\u0022;", "const two = \\u0022b\\u0022;", "five", "5");
        call(&c, lists[i][0], args);
        assert_non_null(field(&c, lists[i][2]));
        call_with(&c, lists[i][0], json_incref(field(&c, lists[i][2])));
        check_file(&c.s, "f", EM_LIT("const  one = 11;\nconst two = 'b';\n5\n"));
    }
}

/* What is not found anywhere stays as it was sent, and fails then. */
static void a_retry_corrects_up_to_what_has_no_place(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, "all");
    scratch_write(&c.s, "f", EM_LIT("const  one = 1;\nconst  two = 2;\n"));
    call(&c, "file_edit",
         "{'path':'f','edits':[{'old_text':'const one = 1;','new_text':'a'},{'old_text':"
         "'nowhere to be found','new_text':'b'},{'old_text':'const two = 2;','new_text':'c'}]}");
    check_field(&c, "retry.edits.0.old_text", "'const  one = 1;'");
    check_field(&c, "retry.edits.1.old_text", "'nowhere to be found'");
    check_field(&c, "retry.edits.2.old_text", "'const two = 2;'");
    check_has(&c,
              "metadata.retry is the whole call\n2. Edit 2 would fail next: its old_text is not "
              "found\n");
}

#define FIRST "let alpha = compute(1);"
#define DONE "let alpha = computeAll(2);"

/* Whether all that is left can be done is told with the retry. */
static void where_a_retry_would_fail_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *tool, *args, *retry, *told; /* NULL: there is none */
    } calls[] = {
        {"MultiEdit",
         "{'path':'f','edits':[{'old_string':'let  beta','new_string':'x'},"
         "{'old_string':'missing','new_string':'y'}]}",
         "data.retry",
         "\\ndata.retry holds corrected arguments\\nEdit 2 would fail next: its old_string is not "
         "found\\n"},
        {"MultiEdit",
         "{'path':'f','edits':[{'old_string':'let  beta','new_string':'x'},"
         "{'old_string':'compute','new_string':'y'}]}",
         "data.retry", "\\nEdit 2 would fail next: its old_string stands there 2 times, not 1\\n"},
        {"MultiEdit",
         "{'path':'f','edits':[{'old_string':'let  beta','new_string':'x'},"
         "{'old_string':'let beta','new_string':'y'}]}",
         "data.retry", "\\nEdit 2 would fail next: another edit wants the same text\\n"},
        {"MultiEdit",
         "{'path':'f','edits':[{'old_string':'gone','new_string':'let alpha = compute(1);\\nlet'},"
         "{'old_string':'missing','new_string':'y'}]}",
         NULL, ": leave this edit out\\nEdit 2 would fail next: its old_string is not found\\n"},
        {"file_edit",
         "{'path':'f','edits':[{'old_text':'gone','new_text':'let alpha = compute(1);\\nlet'},"
         "{'old_text':'missing','new_text':'y'}]}",
         NULL, ": leave this edit out\nEdit 2 would fail next: its old_text is not found"},
        {"editFile",
         "{'file':'f','operations':[{'search':'" FIRST "','replace':'" DONE "'},"
         "{'search':'" FIRST "','replace':'" DONE "'},{'search':'missing','replace':''}]}",
         NULL, ": leave this edit out\\n  Operation 3 would fail next: its search is not found\\n"},
        {"editFiles",
         "{'match':'exact','edits':[{'file':'f','replaceOperations':[{'search':'let  beta',"
         "'replace':'x'},{'search':'missing','replace':''}]}]}",
         "retry", "retry is the call for what is left, but would fail where that says"},
    };
    for (size_t i = 0; i < COUNT_OF(calls); i++) {
        EM_AUTO(caller) c;
        caller_open(&c, "all");
        scratch_write(&c.s, "f", EM_LIT("let alpha = compute(1);\nlet beta = compute(5);\n"));
        call(&c, calls[i].tool, calls[i].args);
        check_has(&c, calls[i].told);
        check_lacks(&c, "ready to send");
        assert_int_equal(calls[i].retry && field(&c, calls[i].retry), calls[i].retry != NULL);
        assert_null(calls[i].retry ? NULL : field(&c, "retry"));
        assert_null(calls[i].retry ? NULL : field(&c, "data.retry"));
    }
}

/* Without the edit that was made before, and with the next one corrected. */
static void a_retry_corrects_what_is_behind_an_edit_made_before(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, "all");
    scratch_write(&c.s, "f", EM_LIT("let alpha = compute(1);\nlet beta = compute(5);\n"));
    call(&c, "MultiEdit",
         "{'path':'f','edits':[{'old_string':'gone','new_string':'let alpha = compute(1);\\nlet'},"
         "{'old_string':'let  beta','new_string':'let  gamma'}]}");
    check_has(&c, "data.retry holds corrected arguments, ready to send");
    call_with(&c, "MultiEdit", json_incref(field(&c, "data.retry")));
    check_file(&c.s, "f", EM_LIT("let alpha = compute(1);\nlet gamma = compute(5);\n"));
}

#define MADE "{'%s':'gone','%s':'let alpha = compute(1);\\nlet'}"
#define BETA "{'%s':'let  beta','%s':'let  gamma'}"
#define MISSING "{'%s':'missing','%s':'x'}"
#define LEFT_OUT "was made before, so leave it out: its %s stands there already"

typedef struct listing {
    const char *tool, *start, *find, *insert, *what, *retry, *edits;
} listing;

static void call_with_edits(caller *c, const listing *t, const char *const *edits)
{
    EM_AUTO(em_strbuf) args = {0};
    em_strbuf_printf(&args, "{'match':'exact',%s:[", t->start);
    for (size_t i = 0; i < 4 && edits[i]; i++) {
        char edit[100];
        snprintf(edit, sizeof edit, edits[i], t->find, t->insert);
        em_strbuf_printf(&args, "%s%s", i > 0 ? "," : "", edit);
    }
    em_strbuf_puts(&args, "]}");
    em_strbuf_putc(&args, '\0');
    call(c, t->tool, args.ptr);
}

/* Wherever in the call they stand. */
static void a_retry_is_without_all_edits_made_before(void **state)
{
    (void)state;
    static const listing lists[] = {
        {"file_edit", "'path':'f','edits'", "old_text", "new_text", "Edit", "retry", "retry.edits"},
        {"MultiEdit", "'path':'f','edits'", "old_string", "new_string", "Edit", "data.retry",
         "data.retry.edits"},
        {"editFile", "'file':'f','operations'", "search", "replace", "Operation", "retry",
         "retry.operations"},
    };
    static const struct {
        const char *edits[4], *told; /* of the edits behind the first; NULL: nothing */
        size_t left;
        bool fails_again;
    } calls[] = {
        {{BETA, MADE}, "2 " LEFT_OUT, 1, false},
        {{MADE, BETA}, NULL, 1, false},
        {{MADE, MADE, BETA}, "2 " LEFT_OUT, 1, false},
        {{BETA, MADE, MADE, "{'%s':'(5)','%s':'(6)'}"},
         "s 2, 3 were made before, so leave them out: their %s stands there already",
         2,
         false},
        {{BETA, MADE, MISSING},
         "2 " LEFT_OUT ". %s 3 would fail next: its %s is not found",
         2,
         true},
        {{MADE, MADE}, "2 " LEFT_OUT, 0, false},
        {{MADE, MADE, MISSING},
         "2 " LEFT_OUT ". %s 3 would fail next: its %s is not found",
         0,
         false},
    };
    for (size_t i = 0; i < COUNT_OF(lists) * COUNT_OF(calls); i++) {
        const listing *t = &lists[i % COUNT_OF(lists)];
        size_t k = i / COUNT_OF(lists);
        EM_AUTO(caller) c;
        char told[200];
        caller_open(&c, "all");
        scratch_write(&c.s, "f", EM_LIT("let alpha = compute(1);\nlet beta = compute(5);\n"));
        call_with_edits(&c, t, calls[k].edits);
        snprintf(told, sizeof told, calls[k].told ? calls[k].told : "", t->insert, t->what,
                 t->find);
        check_has(&c, told);
        if (!calls[k].told)
            check_lacks(&c, "made before");
        assert_int_equal(field(&c, t->retry) != NULL, calls[k].left > 0);
        if (calls[k].left == 0)
            continue;
        assert_int_equal(json_array_size(field(&c, t->edits)), calls[k].left);
        call_with(&c, t->tool, json_incref(field(&c, t->retry)));
        if (calls[k].fails_again)
            check_has(&c, " failed");
        else
            assert_false(c.answer.is_error);
    }
}

/* Where one was made before, so was one that only adds lines, and finds its place again; and where
 * all others stand there, too, one that finds a sibling may have been. By itself it is made, since
 * nobody knows. */
static void a_retry_adds_no_lines_twice(void **state)
{
    (void)state;
    static const listing lists[] = {
        {"file_edit", "'path':'f','edits'", "old_text", "new_text", "Edit", "retry", "retry.edits"},
        {"MultiEdit", "'path':'f','edits'", "old_string", "new_string", "Edit", "data.retry",
         "data.retry.edits"},
        {"editFile", "'atomic':true,'file':'f','operations'", "search", "replace", "Operation",
         "retry", "retry.operations"},
    };
    static const char added[] = "{'%s':'let beta','%s':'let alpha = compute(1);\\nlet beta'}",
                      sibling[] = "{'%s':'let gamma','%s':'let beta = compute(5)'}",
                      other[] = "{'%s':'let gamma','%s':'let delta = compute(2);\\nlet gamma'}";
    static const struct {
        const char *edits[4], *told; /* of those left out */
        size_t left;
    } calls[] = {
        {{MADE, added}, "2 was made before, so leave it out", 0},
        {{added, MADE}, "1 was made before, so leave it out", 0},
        {{added, MADE, other}, "1 was made before, so leave it out", 1},
        {{other, added, MADE}, "2 was made before, so leave it out", 1},
        {{MADE, sibling}, " 2 may have been made before, too", 0},
        {{added, MADE, sibling}, " 3 may have been made before, too", 0},
    };
    for (size_t i = 0; i < COUNT_OF(lists) * COUNT_OF(calls); i++) {
        const listing *t = &lists[i % COUNT_OF(lists)];
        size_t k = i / COUNT_OF(lists);
        EM_AUTO(caller) c;
        caller_open(&c, "all");
        scratch_write(
            &c.s, "f",
            EM_LIT("let alpha = compute(1);\nlet beta = compute(5);\nlet gamma = compute(7);\n"));
        call_with_edits(&c, t, calls[k].edits);
        check_has(&c, calls[k].told);
        assert_int_equal(field(&c, t->retry) != NULL, calls[k].left > 0);
        if (calls[k].left == 0)
            continue;
        assert_int_equal(json_array_size(field(&c, t->edits)), calls[k].left);
        call_with(&c, t->tool, json_incref(field(&c, t->retry)));
        check_file(&c.s, "f",
                   EM_LIT("let alpha = compute(1);\nlet beta = compute(5);\n"
                          "let delta = compute(2);\nlet gamma = compute(7);\n"));
    }
}

static void a_retry_of_several_files_has_those_that_failed(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, "all");
    scratch_write(&c.s, "a", EM_LIT("one\n"));
    scratch_write(&c.s, "b", EM_LIT("two  words\n"));
    scratch_write(&c.s, "c", EM_LIT("nothing\n"));
    call(&c, "editFiles",
         "{'match':'exact','edits':[{'file':'a','replaceOperations':[{'search':'one','replace':"
         "'1'}]},{'file':'b','replaceOperations':[{'search':'two words','replace':'2 words'}]},"
         "{'file':'c','replaceOperations':[{'search':'quite another','replace':'x'}]}]}");
    check_field(&c, "error",
                "'2 of 3 files failed: \\'b\\', \\'c\\'. results says why; retry is the call for 1 "
                "of them only'");
    check_field(&c, "retry",
                "{'match':'exact','edits':[{'file':'b','replaceOperations':[{'search':'two  "
                "words','replace':'2  words'}]}]}");
    call(&c, "editFiles",
         "{'match':'exact','edits':[{'file':'b','replaceOperations':[{'search':'two words',"
         "'replace':'2 words'}]}]}");
    check_has(&c, "results says why; retry is the call for what is left");
    call_with(&c, "editFiles", json_incref(field(&c, "retry")));
    check_field(&c, "success", "true");
    check_file(&c.s, "b", EM_LIT("2  words\n"));
}

/* ---- Limits -------------------------------------------------------------------------------- */

/* A text of `lines` lines, each `words` words long, with `indent` before each. */
static char *long_text(size_t lines, size_t words, const char *indent)
{
    EM_AUTO(em_strbuf) out = {0};
    for (size_t i = 0; i < lines; i++) {
        em_strbuf_puts(&out, indent);
        for (size_t j = 0; j < words; j++)
            em_strbuf_printf(&out, "w%zux%zu ", i, j);
        em_strbuf_puts(&out, ".\n");
    }
    em_strbuf_putc(&out, '\0');
    return strdup(out.ptr);
}

static size_t length_of(const json_t *value)
{
    char *text = json_dumps(value, JSON_COMPACT);
    size_t length = text ? strlen(text) : 0;
    free(text);
    return length;
}

/* Of the file EM_SHOWN_LIMIT, of what was sent EM_ECHO_LIMIT in each part that repeats it, as JSON,
 * and some words. */
static void check_length(const caller *c, const tool *t)
{
    enum { WORDS = 4000 };
    size_t retry = t->retry ? length_of(field(c, t->retry)) : 0;
    size_t object = length_of(c->answer.object), sent = length_of(field(c, "context"));
    assert_in_range(retry, 0, EM_RETRY_LIMIT);
    assert_in_range(strlen(c->answer.text) - (object == strlen(c->answer.text) ? retry + sent : 0),
                    0, EM_SHOWN_LIMIT + 2 * EM_ECHO_LIMIT + WORDS);
    if (object > 0)
        assert_in_range(object - retry - sent, 0, EM_SHOWN_LIMIT + 2 * EM_ECHO_LIMIT + WORDS);
}

static void what_is_shown_of_a_long_miss_is_bounded(void **state)
{
    (void)state;
    for (size_t lines = 20; lines <= 320; lines *= 2) {
        char *file = long_text(lines, 9, "\t"), *find = long_text(lines, 9, "    ");
        EM_AUTO(caller) c;
        caller_open(&c, "all");
        scratch_write(&c.s, "f", em_slice_of(file));
        for (size_t i = 0; i < COUNT_OF(tools); i++) {
            call_with(&c, tools[i].name, tools[i].arguments(&tools[i], find, "x\n"));
            assert_true(c.answer.is_error);
            check_length(&c, &tools[i]);
        }
        free(file);
        free(find);
    }
}

static void a_retry_that_is_too_long_is_left_out(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, "all");
    char *file = long_text(300, 9, "\t"), *find = long_text(300, 9, "    ");
    scratch_write(&c.s, "f", em_slice_of(file));
    for (size_t i = 0; i < COUNT_OF(tools); i++) {
        call_with(&c, tools[i].name, tools[i].arguments(&tools[i], find, "x\n"));
        check_lacks(&c, "retry is the");
        check_lacks(&c, "retry holds");
        check_lacks(&c, "\nSend as");
        check_has(&c, "The exact text is too long to be given here (lines 1-300): edit it in "
                      "smaller pieces");
        if (!tools[i].retry)
            continue;
        char omitted[40];
        snprintf(omitted, sizeof omitted, "%s_omitted", tools[i].retry);
        assert_null(field(&c, tools[i].retry));
        assert_true(json_is_true(field(&c, omitted)));
    }
    free(file);
    free(find);
}

/* A replacement that may stay as it was sent need not be given again, however long it is. */
static void a_long_replacement_keeps_nothing_back(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, "all");
    char insert[EM_ECHO_LIMIT + 100];
    memset(insert, 'x', sizeof insert - 1);
    insert[sizeof insert - 1] = '\0';
    for (size_t i = 0; i < COUNT_OF(tools); i++) {
        const tool *t = &tools[i];
        char ending[80];
        snprintf(ending, sizeof ending, "\nSend as %s (between >>> and <<<):\n>>>foo  bar baz<<<",
                 t->find);
        scratch_write(&c.s, "f", EM_LIT("foo  bar baz\nother\n"));
        call_with(&c, t->name, t->arguments(t, "foo bar baz", insert));
        bool is_site = strcmp(t->find, "search") == 0;
        const char *words = is_site ? json_string_value(field(&c, "error")) : c.answer.text;
        if (strcmp(t->name, "editFiles") == 0)
            words = json_string_value(field(&c, "results.0.error"));
        if (json_is_string(field(&c, "text")))
            words = json_string_value(field(&c, "text"));
        assert_non_null(strstr(words, ending));
        assert_string_equal(strstr(words, ending), ending);
        check_lacks(&c, "too long");
        call_with(&c, t->name, t->arguments(t, "foo  bar baz", insert));
        assert_false(c.answer.is_error);
    }
}

/* A NUL in a search text matches nothing, not even where the file has it and its encoding is named:
 * at no tier, and no answer sends anybody there. */
static void a_nul_matches_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *tool, *arguments;
    } calls[] = {
        {"editFile", "{'file':'f','encoding':'latin1','operations':"
                     "[{'search':'a\\u0000b','replace':'x'}]}"},
        {"file_edit", "{'path':'f','encoding':'latin1','match':'fuzzy','edits':"
                      "[{'old_text':'c','new_text':'d'},{'old_text':'a\\u0000b','new_text':'x'}]}"},
        {"edit_file", "{'file_path':'f','encoding':'latin1','match':'fuzzy',"
                      "'old_string':'A\\u0000b','new_string':'x'}"},
        {"mcp__editor__Edit",
         "{'file_path':'f','encoding':'latin1','match':'token','edits':[{'old_text':'a\\u0000b',"
         "'new_text':'x','start_line':2,'end_line':2}]}"},
    };
    EM_AUTO(caller) c;
    caller_open(&c, "all");
    scratch_write(&c.s, "f", EM_LIT("a\0b\nc\n"));
    for (size_t i = 0; i < COUNT_OF(calls); i++) {
        call(&c, calls[i].tool, calls[i].arguments);
        assert_true(c.answer.is_error);
        check_has(&c, "has a NUL character, which matches nothing");
        check_lacks(&c, ">>> and <<<");
        check_lacks(&c, "it stands at");
        check_lacks(&c, "It stands at");
        assert_null(field(&c, "retry"));
        check_file(&c.s, "f", EM_LIT("a\0b\nc\n"));
    }
    call(&c, "file_edit", calls[1].arguments);
    check_field(&c, "cause", "'nul'");
    assert_null(field(&c, "suggested_fixes.0.example"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_answer_is_enough_for_the_next_call),
        cmocka_unit_test(who_has_what_to_send_need_not_write_anew),
        cmocka_unit_test(anchors_are_corrected),
        cmocka_unit_test(a_retry_goes_on_where_the_call_broke_off),
        cmocka_unit_test(a_retry_corrects_all_that_would_fail_next),
        cmocka_unit_test(a_retry_corrects_up_to_what_has_no_place),
        cmocka_unit_test(where_a_retry_would_fail_is_told),
        cmocka_unit_test(a_retry_corrects_what_is_behind_an_edit_made_before),
        cmocka_unit_test(a_retry_is_without_all_edits_made_before),
        cmocka_unit_test(a_retry_adds_no_lines_twice),
        cmocka_unit_test(a_retry_of_several_files_has_those_that_failed),
        cmocka_unit_test(what_is_shown_of_a_long_miss_is_bounded),
        cmocka_unit_test(a_retry_that_is_too_long_is_left_out),
        cmocka_unit_test(a_long_replacement_keeps_nothing_back),
        cmocka_unit_test(a_nul_matches_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
