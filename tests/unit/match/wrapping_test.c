#include "match/wrapping.h"

#include "check_texts.h"

static void blocks_of_code(void **state)
{
    (void)state;
    static const struct {
        const char *text, *inside; /* NULL: it is not fenced */
        bool is_block;
    } cases[] = {
        {"```\na\n```", "a\n", true},
        {"\n```python\na\n  b\n```\n\n", "a\n  b\n", true},
        {"~~~\na\n~~~\n", "a\n", true},
        {"```\n```", "", true},
        {"```\na\n```\nb\n```\nc\n```", "a\n```\nb\n```\nc\n", false},
        {"```\na\n~~~", NULL, false},
        {"```\na```", NULL, false},
        {"a\n```\nb\n```", NULL, false},
        {"``````", NULL, false},
        {"a\n", NULL, false},
        {"", NULL, false},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        em_slice text = em_slice_of(cases[i].text), inside;
        check_size(cases[i].text, em_fenced(text, &inside), cases[i].inside != NULL);
        if (cases[i].inside)
            check_bytes(cases[i].text, inside, em_slice_of(cases[i].inside));
        check_size(cases[i].text, em_is_code_block(text), cases[i].is_block);
    }
}

static void patches_of_the_search_text(void **state)
{
    (void)state;
    static const struct {
        const char *what, *find, *insert;
        bool is;
    } cases[] = {
        {"with its column", "a\nb\nc\n", " a\n-b\n+d\n c\n", true},
        {"only the signs", "  a\n  b\n", "  a\n-  b\n+  d\n", true},
        {"lines that come", "a\nb\n", " a\n+d\n b\n", true},
        {"lines that go", "a\nb\n\nc\n", " a\n-b\n \n c", true},
        {"a header", "a\nb\n", "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n", true},
        {"one line", "a", "-a\n+b", true},
        {"CRLFs", "a\r\nb\r\n", " a\r\n-b\r\n+c\r\n", true},
        {"other blanks", "\ta\n\tb\n", "     a\n-    b\n+    c\n", true},
        {"a number that becomes negative", "5", "-5", false},
        {"... among others", "a\n5\nb", "a\n-5\nb", false},
        {"lines that become a list", "a\nb\n", "- a\n- b\n", false},
        {"an entry of a list", "- a\n- b\n", "- a\n+ c\n- b\n", false},
        {"another line goes", "a\nb\n", " a\n-c\n+d\n", false},
        {"and more stands there", "a\nb\n", "-a\n+c\n", false},
        {"not all lines", "a\nb\nc\n", " a\n-b\n+c\n", false},
        {"more lines", "a\n", "-a\n+b\nc\n", false},
        {"lines that only stay", "a\nb\n", " a\n b\n", false},
        {"an empty text", "", "+a\n", false},
        {"nothing", "a", "", false},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_size(cases[i].what,
                   em_is_patch_of(em_slice_of(cases[i].find), em_slice_of(cases[i].insert)),
                   cases[i].is);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_of_code),
        cmocka_unit_test(patches_of_the_search_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
