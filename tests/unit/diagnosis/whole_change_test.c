#include "diagnosis/whole_change.h"

#include "scarce_arena.h"

static const struct {
    const char *what, *find, *insert;
    const char *wanted_find, *wanted_insert; /* NULL: it is none */
    bool clear;
} cases[] = {
    {"a block", "<<<<<<< SEARCH\n  a\n=======\n  b\n>>>>>>> REPLACE\n", "", "  a", "  b", true},
    {"... of the other kind", "------- SEARCH\na\n=======\nb\n+++++++ REPLACE", "", "a", "b", true},
    {"... with CRLFs", "<<<<<<< SEARCH\r\na\r\n=======\r\nb\r\n>>>>>>> REPLACE", "", "a", "b",
     true},
    {"... in a fence", "```\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n```", "", "a", "b",
     true},
    {"... that takes lines away", "<<<<<<< SEARCH\na\n=======\n>>>>>>> REPLACE", "", "a\n", "",
     true},
    {"... with its other side", "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE", "b\n", "a", "b",
     true},
    {"... with another text", "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE", "c", "a", "b",
     false},
    {"... without an end", "<<<<<<< SEARCH\na\n=======\nb", "", "a", "b", false},
    {"... that ends before its turn", "<<<<<<< SEARCH\na\nb", "", NULL, NULL, false},
    {"... behind the name of a file", "src/x.c\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE", "",
     "a", "b", true},
    {"... and in a fence", "x.c\n```c\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n```\n", "",
     "a", "b", true},
    {"... behind a line of text", "in x.c\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE", "",
     NULL, NULL, false},
    {"... with the number of its line",
     "<<<<<<< SEARCH\n:start_line:3\n-------\na\n=======\nb\n>>>>>>> REPLACE", "", "a", "b", true},
    {"... with a line of signs", "<<<<<<< SEARCH\n-------\na\n=======\nb\n>>>>>>> REPLACE", "",
     "-------\na", "b", true},
    {"two blocks",
     "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n<<<<<<< SEARCH\nc\n=======\nd\n"
     ">>>>>>> REPLACE",
     "", NULL, NULL, false},
    {"one without a turn", "<<<<<<< SEARCH\na\n>>>>>>> REPLACE", "", NULL, NULL, false},
    {"one that searches for nothing", "<<<<<<< SEARCH\n=======\nb\n>>>>>>> REPLACE", "", NULL, NULL,
     false},
    {"one that changes nothing", "<<<<<<< SEARCH\nb\n=======\nb\n>>>>>>> REPLACE", "", NULL, NULL,
     false},
    {"a conflict", "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> theirs", "", NULL, NULL, false},
    {"a hunk", "@@ -1,3 +1,3 @@ f()\n a\n-  b\n+  c\n\n d", "", "a\n  b\n\nd", "a\n  c\n\nd", true},
    {"... at an end without a line break",
     "@@ -1 +1 @@\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n", "", "b",
     "c", true},
    {"... that stays", "@@ -1,2 +1,2 @@\n-b\n+c\n d\n\\ No newline at end of file\n", "", "b\nd",
     "c\nd", true},
    {"... that comes", "@@ -1 +1 @@\n-b\n\\ No newline at end of file\n+c\n", "", "b", "c", false},
    {"... without line numbers", "@@\n a\n-b\n+c", "", "a\nb", "a\nc", true},
    {"... of a file", "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-b\n+c\n", "", "b", "c",
     true},
    {"... of a file, without line numbers", "--- a/x\n+++ b/x\n@@ ... @@\n-b\n+c\n", "", "b", "c",
     true},
    {"... with nothing behind its sign", "--- a/x\n+++ b/x\n@@\n a\n-b\n+c\n", "", "a\nb", "a\nc",
     true},
    {"... of a mail",
     "From 0123 Mon Sep 17 00:00:00 2001\nSubject: [PATCH] x\n\n---\n x | 2 +-\n\n"
     "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-b\n+c\n-- "
     "\n2.39.2\n\n",
     "", "b", "c", true},
    {"... with a hyphen that goes", "--- a/x\n+++ b/x\n@@ -1,2 +1 @@\n b\n-- \n", "", "b\n- ", "b",
     true},
    {"... that gets another mode",
     "diff --git a/x b/x\nold mode 100644\nnew mode 100755\nindex 1..2\n--- a/x\n+++ b/x\n"
     "@@ -1 +1 @@\n-b\n+c\n",
     "", "b", "c", false},
    {"a file that is made", "*** Begin Patch\n*** Add File: x\n+b\n*** End Patch", "", NULL, NULL,
     false},
    {"... of a file, without its names", "index 1..2\n@@\n a\n-b\n+c\n", "", NULL, NULL, false},
    {"... of lines that go", "@@ -1,2 +1 @@\n a\n-b", "", "a\nb", "a", true},
    {"... and nothing stays", "@@ -1 +0,0 @@\n-b", "", "b\n", "", true},
    {"... of a new file", "--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+c\n", "", NULL, NULL, false},
    {"two hunks", "@@ -1 +1 @@\n-a\n+b\n@@ -9 +9 @@\n-c\n+d\n", "", NULL, NULL, false},
    {"a line without a sign", "@@ -1 +1 @@\n-a\n+b\nc\n", "", NULL, NULL, false},
    {"an envelope", "*** Begin Patch\n*** Update File: x\n@@ f()\n a\n-b\n+c\n*** End Patch\n", "",
     "a\nb", "a\nc", true},
    {"... without a header", "*** Begin Patch\n*** Update File: x\n-b\n+c\n*** End Patch", "", "b",
     "c", true},
    {"... of a file that goes", "*** Begin Patch\n*** Delete File: x\n*** End Patch", "", NULL,
     NULL, false},
    {"... that moves one",
     "*** Begin Patch\n*** Update File: x\n*** Move to: y\n@@\n-b\n+c\n*** End Patch", "", NULL,
     NULL, false},
    {"... without an end", "*** Begin Patch\n*** Update File: x\n@@\n-b\n+c\n", "", "b", "c",
     false},
    {"... without a beginning", "*** Update File: x\n@@\n-b\n+c\n*** End Patch", "", "b", "c",
     true},
    {"... with line numbers",
     "*** Begin Patch\n*** Update File: x\n@@ -1 +1 @@\n-b\n+c\n*** End Patch", "", "b", "c", true},
    {"... at the end of the file",
     "*** Begin Patch\n*** Update File: x\n@@\n a\n-b\n+c\n*** End of File\n*** End Patch", "",
     "a\nb", "a\nc", true},
    {"... of two files",
     "*** Begin Patch\n*** Update File: x\n-b\n+c\n*** Update File: y\n-b\n+c\n*** End Patch", "",
     NULL, NULL, false},
    {"a text", "a\n", "", NULL, NULL, false},
    {"nothing", "", "", NULL, NULL, false},
};

static void a_change_comes_as_its_two_sides(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_whole_change whole;
        assert_int_equal(em_whole_change_of(em_slice_of(cases[i].find),
                                            em_slice_of(cases[i].insert), &arena, &whole),
                         EM_OK);
        check_size(cases[i].what, whole.is, cases[i].wanted_find != NULL);
        check_size(cases[i].what, whole.is_clear, cases[i].clear);
        if (!whole.is)
            continue;
        check_bytes(cases[i].what, whole.sides.find, em_slice_of(cases[i].wanted_find));
        check_bytes(cases[i].what, whole.sides.insert, em_slice_of(cases[i].wanted_insert));
    }
}

static em_status run(em_arena *arena, const void *context)
{
    const char *const *find = context;
    em_whole_change whole;
    return em_whole_change_of(em_slice_of(*find), (em_slice){0}, arena, &whole);
}

/* Each hunk, or block, is a part; one that is none makes all of it none. */
static void a_change_of_several_parts(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text, *path;
        const char *parts[3][2]; /* what goes and what comes; NULL: no more */
    } rows[] = {
        {"two hunks",
         "--- a/src/x.c\n+++ b/src/x.c\t2020-01-01\n@@ -1 +1 @@\n-a\n+b\n@@ -9,2 +9 @@ f\n c\n-d\n",
         "src/x.c",
         {{"a", "b"}, {"c\nd", "c"}}},
        {"... without a file",
         "@@ -1 +1 @@\n-a\n+b\n@@ -9 +9 @@\n-c\n+d\n",
         "",
         {{"a", "b"}, {"c", "d"}}},
        {"... and lines that do not end",
         "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n",
         "",
         {{"a", "b"}}},
        {"an envelope",
         "*** Begin Patch\n*** Update File: x y.c\n@@ f()\n-a\n+b\n@@\n-c\n+d\n*** End Patch",
         "x y.c",
         {{"a", "b"}, {"c", "d"}}},
        {"blocks",
         "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n\n<<<<<<< SEARCH\nc\n=======\n>>>>>>> "
         "REPLACE\n",
         "",
         {{"a", "b"}, {"c\n", ""}}},
        {"blocks, and a text between",
         "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\nx\n<<<<<<< "
         "SEARCH\nc\n=======\nd\n>>>>>>> REPLACE",
         "",
         {{NULL}}},
        {"a hunk, and lines without a sign", "@@ -1 +1 @@\n-a\n+b\n@@ -9 +9 @@\nc\n", "", {{NULL}}},
        {"two files",
         "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n",
         "x",
         {{NULL}}},
        {"two files of git",
         "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\ndiff --git a/y b/y\n"
         "--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n",
         "x",
         {{NULL}}},
        {"a short envelope", "*** Begin Patch\n*** Up\n*** End Patch", "", {{NULL}}},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_told_change change;
        size_t count = 0;
        assert_int_equal(em_told_change_read(em_slice_of(rows[i].text), &arena, &change), EM_OK);
        while (count < 3 && rows[i].parts[count][0])
            count++;
        check_size(rows[i].what, change.count, count);
        check_bytes(rows[i].what, change.path, em_slice_of(rows[i].path));
        for (size_t j = 0; j < count; j++) {
            check_bytes(rows[i].what, change.parts[j].find, em_slice_of(rows[i].parts[j][0]));
            check_bytes(rows[i].what, change.parts[j].insert, em_slice_of(rows[i].parts[j][1]));
        }
    }
}

static void memory_may_run_out(void **state)
{
    static const char *const patch = "@@ -1 +1 @@\n-b\n+c";
    (void)state;
    check_scarce("a patch", run, &patch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_change_comes_as_its_two_sides),
        cmocka_unit_test(a_change_of_several_parts),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
