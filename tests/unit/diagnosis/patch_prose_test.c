#include "diagnosis/patch_prose.h"

#include "scarce_arena.h"

#define BLOCK "<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n"
#define DIFF "--- a/f.c\n+++ b/f.c\n@@ -1 +1 @@\n-old\n+new\n"
#define ENVELOPE "*** Begin Patch\n*** Update File: f.c\n@@\n-old\n+$new\n*** End Patch\n"
#define FENCED(text) "```c\n" text "```\n"

static const struct {
    const char *what, *text, *patch; /* NULL: all of the text */
} cases[] = {
    {"no patch", "Nothing.\n\n```c\nold\n```\n", NULL},
    {"nothing", "", NULL},
    {"a block", "I'll do it:\n\n" BLOCK "\nDone.", BLOCK},
    {"... below its file", "So:\n\nsrc/f.c\n" BLOCK, "src/f.c\n" BLOCK},
    {"... that is marked", "So:\n\n### `src/f.c`:\n\n" BLOCK, "src/f.c\n" BLOCK},
    {"... in a tag", "<path>f.c</path>\n<diff>\n" BLOCK "</diff>", "f.c\n" BLOCK},
    {"... above a fence", "So:\nf.c\n" FENCED(BLOCK) "Done.", "f.c\n" FENCED(BLOCK)},
    {"... below words that name none", "In f.c it is:\n" BLOCK, BLOCK},
    {"... below an end of a sentence", "It is:\nold.\n" BLOCK, BLOCK},
    {"blocks", "So:\n\nf.c\n" BLOCK "\n\ng.c\n" BLOCK "Done.", "f.c\n" BLOCK "\n\ng.c\n" BLOCK},
    {"a block that lacks its end", "So:\n<<<<<<< SEARCH\nold\n=======\nnew\n",
     "<<<<<<< SEARCH\nold\n=======\nnew\n"},
    {"a diff", "So:\n\n" DIFF, DIFF},
    {"... in a fence", "So:\n\n" FENCED(DIFF) "Done.\n", DIFF},
    {"... in a fence that lacks its end", "So:\n\n```c\n" DIFF, NULL},
    {"... and another one", "So:\n" FENCED(DIFF) "And:\n" FENCED(DIFF), NULL},
    {"... and a block", "So:\n" FENCED(DIFF) "Or:\n" BLOCK, NULL},
    {"... as input of a command", "git apply <<'EOF'\n" DIFF "EOF\n", DIFF},
    {"... that lacks its end", "git apply <<'EOF'\n" DIFF, NULL},
    {"... that is not quoted", "git apply <<EOF\n" DIFF "EOF\n", DIFF},
    {"an envelope", "So:\n" ENVELOPE "Done.", ENVELOPE},
    {"... as input of a command", "cd /a && apply_patch <<\"END\"\n" ENVELOPE "END\n", ENVELOPE},
    {"... with what a shell would change", "apply_patch <<END\n" ENVELOPE "END\n", NULL},
};

static void what_stands_around_a_patch_is_left_out(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_slice patch;
        assert_int_equal(em_patch_without_prose(em_slice_of(cases[i].text), &arena, &patch), EM_OK);
        check_bytes(cases[i].what, patch,
                    em_slice_of(cases[i].patch ? cases[i].patch : cases[i].text));
    }
}

static em_status leave_out(em_arena *arena, const void *context)
{
    em_slice patch;
    (void)context;
    return em_patch_without_prose(EM_LIT("So:\nsrc/f.c\n" BLOCK), arena, &patch);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    check_scarce("a block below its file", leave_out, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_stands_around_a_patch_is_left_out),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
