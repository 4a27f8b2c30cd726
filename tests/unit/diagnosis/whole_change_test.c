#include "diagnosis/whole_change.h"

#include "base/strbuf.h"
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
        {"a file that each hunk names",
         "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n\n--- a/x\n+++ b/x\n@@ -9 +9 @@\n-c\n+d\n",
         "x",
         {{"a", "b"}, {"c", "d"}}},
        {"... in an envelope",
         "*** Begin Patch\n*** Update File: x\n-a\n+b\n*** Update File: x\n-c\n+d\n*** End Patch",
         "x",
         {{"a", "b"}, {"c", "d"}}},
        {"... in an envelope of its own",
         "*** Begin Patch\n*** Update File: x\n-a\n+b\n*** End Patch\n"
         "*** Begin Patch\n*** Update File: x\n-c\n+d\n*** End Patch\n",
         "x",
         {{"a", "b"}, {"c", "d"}}},
        {"blocks in fences of their own",
         "x.c\n```c\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n```\n\n"
         "```c\n<<<<<<< SEARCH\nc\n=======\nd\n>>>>>>> REPLACE\n```\n",
         "x.c",
         {{"a", "b"}, {"c", "d"}}},
        {"a block in a fence with its file",
         "```\nx.c\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n```\n",
         "x.c",
         {{"a", "b"}}},
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

/* Of several files: what is said of each, or nothing. */
static void a_change_of_several_files(void **state)
{
#define BLOCK(a, b) "<<<<<<< SEARCH\n" a "\n=======\n" b "\n>>>>>>> REPLACE\n"
    (void)state;
    static const struct {
        const char *what, *text;
        const char *files[3][3]; /* its path, and what goes and comes first; NULL: no more */
    } rows[] = {
        {"a diff",
         "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-c\n+d\n",
         {{"x", "a", "b"}, {"y", "c", "d"}}},
        {"... of git, in a fence",
         "```diff\ndiff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"
         "diff --git a/y b/y\nindex 1..2\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-c\n+d\n```\n",
         {{"x", "a", "b"}, {"y", "c", "d"}}},
        {"... with lines that look like names",
         "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n--- a\n+++ b\n e\n",
         {{"x", "-- a\ne", "++ b\ne"}}},
        {"an envelope",
         "*** Begin Patch\n*** Update File: x\n-a\n+b\n*** Update File: y\n-c\n+d\n"
         "*** Update File: x\n-e\n+f\n*** End Patch",
         {{"x", "a", "b"}, {"y", "c", "d"}}},
        {"... that is cut",
         "*** Begin Patch\n*** Update File: x\n-a\n+b\n*** Update File: y\n-c\n+d\n",
         {{"x", "a", "b"}, {"y", "c", "d"}}},
        {"blocks",
         "x.c\n" BLOCK("a", "b") "\ny.c\n" BLOCK("c", "d"),
         {{"x.c", "a", "b"}, {"y.c", "c", "d"}}},
        {"... in fences",
         "x.c\n```c\n" BLOCK("a", "b") "```\n\ny.c\n```c\n" BLOCK("c", "d") "```\n",
         {{"x.c", "a", "b"}, {"y.c", "c", "d"}}},
        {"... with their files",
         "```c\nx.c\n" BLOCK("a", "b") "```\n```c\ny.c\n" BLOCK("c", "d") "```\n",
         {{"x.c", "a", "b"}, {"y.c", "c", "d"}}},
        {"a file that is made beside one",
         "*** Begin Patch\n*** Update File: x\n-a\n+b\n*** Add File: y\n+d\n*** End Patch",
         {{NULL}}},
        {"prose between", "x.c\n" BLOCK("a", "b") "and in y.c\n" BLOCK("c", "d"), {{NULL}}},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_told_changes all;
        size_t count = 0;
        assert_int_equal(em_told_changes_read(em_slice_of(rows[i].text), &arena, &all), EM_OK);
        while (count < 3 && rows[i].files[count][0])
            count++;
        check_size(rows[i].what, all.is_change, count > 0);
        if (count > 0)
            check_size(rows[i].what, all.count, count);
        for (size_t j = 0; j < count; j++) {
            const em_told_change *file = &all.files[j];
            check_bytes(rows[i].what, file->path, em_slice_of(rows[i].files[j][0]));
            check_bytes(rows[i].what, file->parts[0].find, em_slice_of(rows[i].files[j][1]));
            check_bytes(rows[i].what, file->parts[0].insert, em_slice_of(rows[i].files[j][2]));
        }
    }
}

static void no_part_of_a_patch_is_sure_alone(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_told_changes all;
    assert_int_equal(em_told_changes_read(EM_LIT("*** Begin Patch\n*** Update File: x\n-a\n+b\n"
                                                 "*** Update File: y\n-c\n+d\n"),
                                          &arena, &all),
                     EM_OK);
    assert_true(all.is_change && all.is_cut && all.is_doubtful);
}

/* Each is looked for among those before it. */
static void of_very_many_files_nothing_is_said(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(em_strbuf) text = {0};
    em_told_changes all;
    for (int i = 0; i < 1001; i++)
        em_strbuf_printf(&text, "--- x%d\n+++ x%d\n@@ -1 +1 @@\n-a\n+b\n", i, i);
    assert_int_equal(em_told_changes_read(em_strbuf_slice(&text), &arena, &all), EM_OK);
    assert_false(all.is_change);
}

static em_status run_files(em_arena *arena, const void *context)
{
    const char *const *text = context;
    em_told_changes all;
    return em_told_changes_read(em_slice_of(*text), arena, &all);
}

static void memory_may_run_out(void **state)
{
    static const char *const patch = "@@ -1 +1 @@\n-b\n+c";
    static const char *const files = "*** Update File: x\n-a\n+b\n*** Update File: y\n-c\n+d\n";
    (void)state;
    check_scarce("a patch", run, &patch);
    check_scarce("a patch of two files", run_files, &files);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_change_comes_as_its_two_sides),
        cmocka_unit_test(a_change_of_several_parts),
        cmocka_unit_test(a_change_of_several_files),
        cmocka_unit_test(no_part_of_a_patch_is_sure_alone),
        cmocka_unit_test(of_very_many_files_nothing_is_said),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
