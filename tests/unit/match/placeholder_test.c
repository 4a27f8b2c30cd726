#include "match/placeholder.h"

#include "check_texts.h"

#include "base/strbuf.h"

#include <time.h>

static const struct {
    const char *line;
    bool leaves_out;
} lines[] = {
    {"// ... existing code ...", true},
    {"// existing code", true},
    {"    # ... rest unchanged ...", true},
    {"… rest unchanged …", true},
    {"... rest of the function ...", true},
    {"/* ... */", true},
    {"{/* ... existing markup ... */}", true},
    {"<!-- ... remaining items ... -->", true},
    {"// ...", true},
    {"# rest of the file unchanged...", true},
    {"[... existing code ...]", true},
    {"-- ... unchanged ...", true},
    {"; ... same as before ...", true},
    {"// Existing code.", true},
    {"// .... existing code ....", true},
    {"// rest of the code remains the same", true},
    {"...", false},
    {"    ...", false},
    {"def f(): ...", false},
    {"// loads the existing code from disk", false},
    {"// the rest of the code is in other.c", false},
    {"f(...args)", false},
    {"return [...existing, item];", false},
    {"printf(\"...\");", false},
    {"// see below", false},
    {"Waiting for the server ...", false},
    {"# TODO: remaining work", false},
    {"existing code", false},
    {"rest", false},
    {"", false},
    {"# (rest of the file stays the same)", true},
    {"[rest of file unchanged]", true},
    {"(rest of the function unchanged)", true},
    {"    (The rest of the class is unchanged.)", true},
    {"// Everything else stays the same", true},
    {"(rest of the day)", false},
    {"[rest]", false},
    {"[rest of file unchanged](notes.md)", false},
    {"(unchanged)", false},
    {"[...rest]", false},
    {"    ...rest,", false},
    {"...rest", false},
    {"...original});", false},
    {"...same_1$", false},
    {"... rest", true},
    {"...rest...", true},
    {"...existing code", true},
    {"// ...rest", true},
    {"#....................", false},
    {"<!-- ............... -->", false},
    {"[same, rest]", false},
    {"# the original file is unchanged", false},
    {"# existing tests of this module are unchanged", false},
    {"# rest of the lines", false},
    {"# ... and so on", false},
    {"The rest of the file stays the same.", false},
    {"function f(...rest: string[]) {", false},
    {"// ... supercalifragilisticexpialidocious ...", false},
    {"// ... existing handlers ...", true},
    {"// ... existing routes ...", true},
    {"// ... existing middleware ...", true},
    {"// ... existing state ...", true},
    {"// ... rest of the routes ...", true},
    {"// ... rest of handlers unchanged ...", true},
    {"{/* ... rest of the JSX ... */}", true},
    {"{/* ... existing JSX ... */}", true},
    {"<!-- ... rest of page ... -->", true},
    {"// ... (rest of the handlers) ...", true},
    {"// ... remaining handlers ...", true},
    {"// ... other methods ...", true},
    {"// keep existing code", true},
    {"// your existing code here", true},
    {"// rest of your code", true},
    {"{/* rest of the component */}", true},
    {"<!-- rest of page unchanged -->", true},
    {"// ... (rest of the component remains the same)", true},
    {"// ... rest of the component stays unchanged", true},
    {"# ... (existing implementation)", true},
    {"# ... other methods", true},
    {"// ...existing routes...", true},
    {"{/* ...existing JSX... */}", true},
    {"// ... keep all existing handlers ...", true},
    {"// ... (keep existing routes) ...", true},
    {"// ... your existing middleware ...", true},
    {"// Rest of the code remains unchanged", true},
    {"// ... Rest of your routes here ...", true},
    {"// ... all other request handlers remain unchanged ...", true},
    {"// ... other existing event handlers ...", true},
    {"// … existing routes …", true},
    {"// ... handlers unchanged ...", true},
    {"// ... the rest of the event listeners ...", true},
    {"// ... more routes ...", true},
    {"// ... 3 more handlers ...", true},
    {"// existing routes...", true},
    {"// rest of the routes...", true},
    {"// ... rest", true},
    {"// Rest of your component code...", true},
    {"// keep the rest of the code", true},
    {"/* ... existing styles ... */", true},
    {"-- ... other columns ...", true},
    {"# ... existing get_user method ...", true},
    {" * ... existing code ...", true},
    {"/** ... existing routes ... */", true},
    {" * ... existing code ... */", true},
    {"\"\"\" ... existing code ... \"\"\"", true},
    {"'''... rest of the function ...'''", true},
    {"REM ... existing code ...", true},
    {"! ... existing code ...", true},
    {"\" ... existing code ...", true},
    {"' ... existing code ...", true},
    {":: ... rest unchanged ...", true},
    {"/// ... existing methods ...", true},
    {"- ... existing items ...", true},
    {"| ... existing rows ... |", true},
    {"{ ... existing code ... }", true},
    {"<...remaining output omitted...>", true},
    {"// ... <existing code> ...", true},
    {"<!-- ... existing <li> items ... -->", true},
    {"// other methods unchanged", true},
    {"// Other methods remain unchanged.", true},
    {"// (all other methods remain unchanged)", true},
    {"# other functions stay as they are", true},
    {"// the rest stays the same", true},
    {"// The rest of the methods are as before.", true},
    {"// rest of code here", true},
    {"// --- existing code ---", true},
    {"// === rest unchanged ===", true},
    {"# ==== existing code ====", true},
    {"// *** existing code ***", true},
    {"# -- existing code --", true},
    {"-- existing code --", true},
    {"/***** existing code *****/", true},
    {"{/* === rest of the component === */}", true},
    {"//// existing code ////", true},
    {"// --- the rest of the file stays the same", true},
    {"// === ... existing routes ... ===", true},
    {"// - existing code", false},
    {"// * existing code", false},
    {"// -----------------", false},
    {"// --- existing routes ---", false},
    {"// === Existing code is kept as it was ===", false},
    {"// **existing** code", false},
    {"--- existing code ---", true},
    {"=== existing code ===", false},
    {"**existing code**", false},
    {"// existing code (unchanged)", true},
    {"// Existing imports (omitted for brevity).", true},
    {"// === existing code (unchanged) ===", true},
    {"// existing code goes here", true},
    {"// existing imports", true},
    {"// existing methods go here...", true},
    {"// existing code (see main.c)", false},
    {"// existing imports are sorted", false},
    {"// new code goes here", false},
    {"// your code goes here", false},
    {"// existing import", false},
    {"// width (unchanged)", false},
    {"{# existing code #}", true},
    {"{# ... existing blocks ... #}", true},
    {"{{!-- existing code --}}", true},
    {"<%-- rest of the file unchanged --%>", true},
    {"{#if existing}", false},
    {"{# the rest of the page is in base.html #}", false},
    {"// ... etc", false},
    {"// no changes", false},
    {"// no changes here", true},
    {"# keep all other fields as they are", false},
    {"// other fields are unchanged", false},
    {"// other methods of this class", false},
    {"// the others are as they were", false},
    {"// as before", false},
    {"// ports, hosts, etc", false},
    {"// existing users must log in again", false},
    {"// other threads may hold it", false},
    {"# remaining bytes", false},
    {"// the rest is padding", false},
    {"// other threads...", false},
    {"// the rest of the state is unchanged", false},
    {"// ... other threads may hold it", false},
    {"# keep the rest", false},
    {"# keep the rest as is", false},
    {"// keep existing entries", false},
    {"// rest of the line", false},
    {"// rest of the buffer is unchanged", false},
    {"# rest of the list", false},
    {"// existing entries unchanged", false},
    {"// the existing code", false},
    {"# Other options...", false},
    {"# the previous month...", false},
    {"// ... and so on ...", false},
    {"\"... existing code ...\"", false},
    {"'... rest unchanged ...',", false},
    {"*...rest of the file...*", false},
    {" * ... rest of the file", false},
    {" * existing code", false},
    {"/** Existing code. */", false},
    {"\"\"\"existing code\"\"\"", false},
    {"\"\"\" ... \"\"\"", false},
    {"/// existing code", false},
    {"! ... and so on ...", false},
    {"- ... then the others have to wait ...", false},
    {"{...existing, ...rest}", false},
    {"<Row {...rest} />", false},
    {"// ... then the other one has to wait ...", false},
    {"[...existing, items]", false},
    {"[...existing, item]", false},
    {"[...rest, unchanged]", false},
    {"/* \"rest of the file stays the same\" */", false},
    {"... other people ...", false},
    {"// previous versions", false},
    {"// more routes", false},
    {"// see the other methods ...", false},
    {"# same as above", false},
    {"// rest of the arguments are ignored", false},
    {"// Existing connections are closed...", false},
    {"// Remaining work is done by the caller", false},
};

static void each_line_is_told_apart(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        em_slice found = em_placeholder_in(em_slice_of(lines[i].line), EM_LIT("int a;"));
        if ((found.len > 0) != lines[i].leaves_out) {
            print_error("\"%s\" taken for %s\n", lines[i].line,
                        found.len > 0 ? "a placeholder" : "text");
            fail();
        }
    }
}

/* What leaves something out beside code; NULL: nothing does. */
static const struct {
    const char *line, *omission;
} beside_code[] = {
    {"b();  // ... existing code ...", "// ... existing code ..."},
    {"b();// ... existing code ...", "// ... existing code ..."},
    {"x = 1  # ... rest of the function", "# ... rest of the function"},
    {"SELECT 1  -- ... remaining statements ...", "-- ... remaining statements ..."},
    {"mov eax, ebx  ; ... rest of the code ...", "; ... rest of the code ..."},
    {"b();  // rest of the file unchanged", "// rest of the file unchanged"},
    {"def f():  # the rest of the function stays the same",
     "# the rest of the function stays the same"},
    {"function f() { /* ... existing code ... */ }", "/* ... existing code ... */"},
    {"/* ... existing code ... */ }", "/* ... existing code ... */"},
    {"function f() { /* existing code */ }", "/* existing code */"},
    {"<ul>{/* ... existing content ... */}</ul>", "{/* ... existing content ... */}"},
    {"<ul><!-- ... existing content ... --></ul>", "<!-- ... existing content ... -->"},
    {"<ul>{# ... existing content ... #}</ul>", "{# ... existing content ... #}"},
    {"<ul>{{!-- ... existing content ... --}}</ul>", "{{!-- ... existing content ... --}}"},
    {"<ul><%-- ... existing content ... --%></ul>", "<%-- ... existing content ... --%>"},
    {"s = 'a \\' b';  // ... existing code ...", "// ... existing code ..."},
    {"f(/* a */);  /* ... existing code ... */", "/* ... existing code ... */"},
    {"b();  // ... existing routes ...", "// ... existing routes ..."},
    {"<ul>{/* ... rest of the items ... */}</ul>", "{/* ... rest of the items ... */}"},
    {"function f() { // keep existing code", "// keep existing code"},
    {"b();  // ...", NULL},
    {"b();  // ... existing users", NULL},
    {"b();  // ... other threads may wait ...", NULL},
    {"b();  // rest of your code", NULL},
    {"f(x /* ... */);", NULL},
    {"f(...args);  // the rest", NULL},
    {"const {a, ...rest} = props;  // rest of the props", NULL},
    {"int code = 5;  // existing code", NULL},
    {"strcpy(p, s);  // rest of the code", NULL},
    {"x = {  // unchanged", NULL},
    {"x = 1  // same as before", NULL},
    {"p = q;  // ... and so on", NULL},
    {"p = q;  // ... the same", NULL},
    {"p = s.split()  # ... rest of the line", NULL},
    {"def f(): ...  # the body", NULL},
    {"x = \"// ... existing code ...\"", NULL},
    {"x = '# ... existing code ...'", NULL},
    {"x = \"a \\\" // ... existing code ...", NULL},
    {"Write `b();  // ... existing code ...", NULL},
    {"// as in: b();  // ... existing code ...", NULL},
    {"# as in: b()  # ... existing code ...", NULL},
    {" * b();  // ... existing code ...", NULL},
    {"a#... existing code ...", NULL},
    {"f(); /* ... existing code ...", NULL},
    {"f(); // ... existing code ... which is loaded from the disk", NULL},
    {"trailing backslash \\", NULL},
};

static void a_comment_beside_code_must_name_what_it_leaves_out(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(beside_code); i++) {
        const char *want = beside_code[i].omission;
        check_bytes(beside_code[i].line,
                    em_placeholder_in(em_slice_of(beside_code[i].line), EM_LIT("int a;")),
                    want ? em_slice_of(want) : (em_slice){0});
    }
}

static void a_very_long_comment_beside_code_says_something(void **state)
{
    (void)state;
    static const struct {
        const char *opens, *closes;
    } cases[] = {{"f(); // ... rest of the code", "..."}, {"f(); /* ... rest of the code", "*/ }"}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char line[200];
        memset(line, ' ', sizeof line);
        memcpy(line, cases[i].opens, strlen(cases[i].opens));
        memcpy(line + sizeof line - strlen(cases[i].closes), cases[i].closes,
               strlen(cases[i].closes));
        check_size(cases[i].opens,
                   em_placeholder_in(em_slice_make(line, sizeof line), (em_slice){0}).len, 0);
    }
}

static void a_very_long_line_says_something(void **state)
{
    (void)state;
    char line[200];
    memset(line, ' ', sizeof line);
    memcpy(line, "// ... rest", 11);
    memcpy(line + sizeof line - 3, "...", 3);
    assert_int_equal(em_placeholder_in(em_slice_make(line, sizeof line), EM_LIT("")).len, 0);
}

static void it_is_found_among_other_lines(void **state)
{
    (void)state;
    em_slice found =
        em_placeholder_in(EM_LIT("f();\r\n\t// ... existing code ...\r\ng();\n"), EM_LIT("f();\n"));
    check_bytes("the line", found, EM_LIT("// ... existing code ..."));
}

/* What leaves something out in several lines; NULL: nothing does. */
static const struct {
    const char *text, *omission;
} in_lines[] = {
    {"<ul>\n<!--\n  existing code\n-->\n</ul>\n", "existing code"},
    {"/*\n existing code\n */\n", "existing code"},
    {"/*\n * Existing functions.\n */\n", NULL},
    {"{/*\n  rest of the component\n*/}\r\n", "rest of the component"},
    {"{#\n  rest of page unchanged\n#}", "rest of page unchanged"},
    {"{#\n  The rest of the page is in base.html.\n#}", NULL},
    {"/*\n   ... other routes\n */\n", "... other routes"},
    {"/*\n * ... other option types...\n */\n", NULL},
    {"<!--\nexisting code\nof the shop\n-->\n", NULL},
    {"<!--\nexisting code\n", NULL},
    {"<!--\n\n-->\n", NULL},
    {"<!--\nexisting code\n*/\n", NULL},
    {"(\nexisting code\n)\n", NULL},
    {"/* a\n existing code\n */\n", NULL},
};

static void a_comment_may_have_its_marks_on_other_lines(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(in_lines); i++) {
        const char *want = in_lines[i].omission;
        check_bytes(in_lines[i].text,
                    em_placeholder_in(em_slice_of(in_lines[i].text), EM_LIT("int a;")),
                    want ? em_slice_of(want) : (em_slice){0});
    }
}

static void what_the_search_has_too_is_meant(void **state)
{
    (void)state;
    em_slice found = em_placeholder_in(EM_LIT("a\n  // ... existing code ...\n"),
                                       EM_LIT("// ... existing code ...\n"));
    assert_int_equal(found.len, 0);
    found = em_placeholder_in(EM_LIT("c();  // ... existing code ...\n"),
                              EM_LIT("b();  // ... existing code ...\n"));
    assert_int_equal(found.len, 0);
    found = em_placeholder_in(EM_LIT("a\n<!--\n existing code\n-->\n"),
                              EM_LIT("<!--\nexisting code\n-->\n"));
    assert_int_equal(found.len, 0);
    found = em_placeholder_in(EM_LIT("b();\n// ... existing code ...\n"), /* not on its own line */
                              EM_LIT("a();  // ... existing code ...\n"));
    check_bytes("alone", found, EM_LIT("// ... existing code ..."));
    found = em_placeholder_in(
        EM_LIT("// ... existing code ...\nb();\n"),
        EM_LIT("// ... existing code ... (all)\n \t// ... existing code ... \r\n"));
    assert_int_equal(found.len, 0);
}

/* All stand at the end of a long search text: to read that from its start for each of them would
 * take minutes. */
static void what_a_long_search_has_too_is_known_in_time(void **state)
{
    (void)state;
    enum { LINES = 100000, SECONDS = 10 };
    static const char *const omissions[] = {"// ... existing code ...\n",
                                            "a();  // ... other routes ...\n",
                                            "/*\n... existing routes ...\n*/\n"};
    EM_AUTO(em_strbuf) search = {0}, replacement = {0};
    for (int i = 0; i < LINES; i++)
        em_strbuf_puts(&search, "x\n");
    for (size_t i = 0; i < COUNT_OF(omissions); i++) {
        em_strbuf_puts(&search, omissions[i]);
        for (int k = 0; k < LINES; k++)
            em_strbuf_puts(&replacement, omissions[i]);
    }
    clock_t begun = clock();
    em_slice found = em_placeholder_in(em_strbuf_slice(&replacement), em_strbuf_slice(&search));
    assert_true((clock() - begun) / CLOCKS_PER_SEC < SECONDS);
    assert_int_equal(found.len, 0);
}

/* Each comes before the last one, at the ends of a very long search text. */
static void of_many_in_another_order_nobody_knows(void **state)
{
    (void)state;
    enum { LINES = 1000, TURNS = 20000, SECONDS = 20 };
    EM_AUTO(em_strbuf) search = {0}, replacement = {0};
    em_strbuf_puts(&search, "// existing code\n");
    for (int i = 0; i < LINES; i++)
        em_strbuf_puts(&search, "a(b); // and more of what is not left out at all\n");
    em_strbuf_puts(&search, "// existing routes ...\n");
    for (int i = 0; i < TURNS; i++)
        em_strbuf_puts(&replacement, "// existing routes ...\n// existing code\n");
    clock_t begun = clock();
    em_slice found = em_placeholder_in(em_strbuf_slice(&replacement), em_strbuf_slice(&search));
    assert_true((clock() - begun) / CLOCKS_PER_SEC < SECONDS);
    assert_true(found.len > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_line_is_told_apart),
        cmocka_unit_test(a_comment_beside_code_must_name_what_it_leaves_out),
        cmocka_unit_test(a_very_long_comment_beside_code_says_something),
        cmocka_unit_test(a_very_long_line_says_something),
        cmocka_unit_test(it_is_found_among_other_lines),
        cmocka_unit_test(a_comment_may_have_its_marks_on_other_lines),
        cmocka_unit_test(what_the_search_has_too_is_meant),
        cmocka_unit_test(what_a_long_search_has_too_is_known_in_time),
        cmocka_unit_test(of_many_in_another_order_nobody_knows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
