#include "edit/placeholder.h"

#include "test.h"

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
    {"// ... supercalifragilisticexpialidocious ...", false},
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

static void what_the_search_has_too_is_meant(void **state)
{
    (void)state;
    em_slice found = em_placeholder_in(EM_LIT("a\n  // ... existing code ...\n"),
                                       EM_LIT("// ... existing code ...\n"));
    assert_int_equal(found.len, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_line_is_told_apart),
        cmocka_unit_test(a_very_long_line_says_something),
        cmocka_unit_test(it_is_found_among_other_lines),
        cmocka_unit_test(what_the_search_has_too_is_meant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
