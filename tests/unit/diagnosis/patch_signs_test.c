#include "diagnosis/patch_signs.h"

#include "scarce_arena.h"

static const struct {
    const char *what, *find, *insert;
    const char *wanted_find, *wanted_insert; /* NULL: it is none */
} cases[] = {
    {"lines that go and lines that come", "-  one();\n-  two();\n", "+  three();\n",
     "  one();\n  two();\n", "  three();\n"},
    {"lines that stay", " a {\n-  b;\n }", " a {\n+  c;\n }", "a {\n  b;\n}", "a {\n  c;\n}"},
    {"empty lines", "-a\n\n-b", "+a\n\n+c", "a\n\nb", "a\n\nc"},
    {"an empty line that goes, and CRLFs", "-a\r\n-\r\n\r\n", "+b\r\n", "a\r\n\r\n\r\n", "b\r\n"},
    {"a line without a sign", "-a\nb", "+a\n+c", NULL, NULL},
    {"no line that goes, and none that stays", " a\n b", "+a\n+c", NULL, NULL},
    {"lines that only come", "  a\n\n b", "  a\n+  c\n\n b\n+d", " a\n\nb", " a\n  c\n\nb\nd"},
    {"lines that only go", " a\n-b\n-\n", " a\n", "a\nb\n\n", "a\n"},
    {"lines that only go, and another that stays", " a\n-b", " c", NULL, NULL},
    {"lines that only come, and one less that stays", " a\n b", " a\n+c", NULL, NULL},
    {"a line that goes, and nothing else", "-5", "", NULL, NULL},
    {"no sign", " a\n b", " a\n b", NULL, NULL},
    {"an item of a list that comes", " a", " a\n+ b", NULL, NULL},
    {"an item of a list that goes", " a\n- b", " a", NULL, NULL},
    {"a line of a comment that comes", "  * a", "  * a\n+ * b", " * a", " * a\n * b"},
    {"lines that begin a hunk", "@@ -1,2 +1,2 @@ f()\n a\n-b\n", "@@ -1,2 +1,2 @@ f()\n a\n+c\n",
     "a\nb\n", "a\nc\n"},
    {"one that names its file", "--- a/x\n+++ b/x\n@@\n-b\n", "+c\n", "b\n", "c\n"},
    {"lines that only look like that", "--- b\n", "+++ b\n", "-- b\n", "++ b\n"},
    {"two hunks", "@@ -1 +1 @@\n-a\n@@ -9 +9 @@\n-b\n", "+c\n", NULL, NULL},
    {"a replacement that came plain", "-a", "b", NULL, NULL},
    {"lists on both sides", "-a\n-b", "-a\n-c", NULL, NULL},
    {"nothing", "", "", NULL, NULL},
    {"behind the header of a hunk", "@@ -1,3 +1,9 @@ f()\n a\n-b\n", "@@ -1 +1 @@\n a\n+c\n",
     "a\nb\n", "a\nc\n"},
    {"... of a file", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-b", "+c", "b", "c"},
    {"... or a line that goes", "--- b\n", "+-- c\n", "-- b\n", "-- c\n"},
    {"two hunks", "@@ -1 +1 @@\n-a\n@@ -9 +9 @@\n-b", "+c", NULL, NULL},
    {"all of the patch, and what it makes", " a {\n-  b;\n+  c;\n }\n", "a {\n  c;\n}",
     "a {\n  b;\n}\n", "a {\n  c;\n}\n"},
    {"... behind its header", "@@ -1 +1,2 @@\n-b\n+c\n+d", "c\nd", "b", "c\nd"},
    {"... and something else", "-b\n+c\n", "d\n", NULL, NULL},
    {"... of which no line goes", " a\n+c\n", "a\nc\n", "a\n", "a\nc\n"},
    {"... and none stays", "+a\n+c\n", "a\nc\n", NULL, NULL},
};

static void texts_come_without_their_signs(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_near_miss mended;
        bool is;
        assert_int_equal(em_patch_signs_of(em_slice_of(cases[i].find), em_slice_of(cases[i].insert),
                                           &arena, &mended, &is),
                         EM_OK);
        check_size(cases[i].what, is, cases[i].wanted_find != NULL);
        if (!is)
            continue;
        check_bytes(cases[i].what, mended.find, em_slice_of(cases[i].wanted_find));
        check_bytes(cases[i].what, mended.insert, em_slice_of(cases[i].wanted_insert));
    }
}

static em_status run(em_arena *arena, const void *context)
{
    em_near_miss mended;
    bool is;
    (void)context;
    return em_patch_signs_of(em_slice_of(cases[0].find), em_slice_of(cases[0].insert), arena,
                             &mended, &is);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    check_scarce("two sides", run, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_come_without_their_signs),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
