#include "remarks/remarks.h"

#include "check_texts.h"
#include "failing_malloc.h"

/* One replacement, `times` often. */
static em_op replace(const char *find, const char *insert, size_t times)
{
    return (em_op){.kind = EM_OP_REPLACE,
                   .find = em_slice_of(find),
                   .insert = em_slice_of(insert),
                   .expect = times};
}

/* What is said of an edit. */
typedef struct remarked {
    em_arena arena;
    em_warnings warnings;
} remarked;

static void remarked_drop(remarked *r)
{
    em_arena_drop(&r->arena);
}

/* Make the plan of the edit, which has all but that and its text, and the remarks on it. */
static void remark_on(remarked *r, const char *file, em_tier most, em_planned_edit edit)
{
    em_text text;
    em_lines lines;
    em_plan plan;
    em_plan_failure failure;
    em_policy policy = {.most = most, .allow_placeholders = edit.allows_placeholders};
    *r = (remarked){0};
    assert_int_equal(em_text_open(em_slice_of(file), NULL, &r->arena, &text, NULL), EM_OK);
    assert_int_equal(em_lines_init(&text, &r->arena, &lines), EM_OK);
    em_plan_request request = {{&text, &lines}, &policy, edit.ops, edit.op_count};
    assert_int_equal(em_plan_make(&request, &r->arena, &plan, &failure, NULL), EM_OK);
    edit.lines = &lines;
    edit.plan = &plan;
    assert_int_equal(em_remark(&edit, &r->arena, &r->warnings), EM_OK);
}

static void remark(remarked *r, const char *file, const em_op *ops, size_t op_count)
{
    remark_on(r, file, EM_TIER_EXACT,
              (em_planned_edit){.path = "a.c", .ops = ops, .op_count = op_count});
}

/* That is all that was told; NULL: nothing was. */
static void check_only(const remarked *r, const char *told)
{
    assert_int_equal(r->warnings.count, told ? 1 : 0);
    if (told)
        assert_string_equal(r->warnings.items[0], told);
}

#define LEFT "The same text with other line endings than the search text has was left as it is: "
#define SEND_IT ". To change it, too, send it with \\r\\n or \\r as it stands there"

/* An edit of every place takes those with the line endings that it names, where there are any. */
static void what_has_other_line_endings_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *file, *first, *second;
        size_t times, last_line;
        const char *told;
    } cases[] = {
        {"a\nb\r\na\r\nb\r\na\rb", "a\nb", NULL, EM_EVERY, 0, LEFT "line 3, line 5" SEND_IT},
        {"c\na\nb\na\r\nb\n", "c", "a\nb", EM_EVERY, 0, "Edit 2: " LEFT "line 4" SEND_IT},
        {"a\nb\na\r\nb\n", "a\nb", "\r", EM_EVERY, 0, NULL}, /* another edit changes it */
        {"a\r\nb\na\rb\n", "a\nb", NULL, EM_EVERY, 0, NULL}, /* LF stands for either */
        {"a\na\r\na\n", "a\na", NULL, EM_EVERY, 0, NULL},    /* the two overlap */
        {"a\nb\na\r\nb\n", "a\nb", NULL, 1, 0, NULL},
        {"a\nb\na\r\nb\n", "a\nb", NULL, EM_EVERY, 2, NULL},
        {"a\nb\na\r\nb\n", "a\nb\na\r\nb", NULL, EM_EVERY, 0, NULL},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(remarked) r;
        em_op ops[] = {replace(cases[i].first, "X", cases[i].times),
                       replace(cases[i].second ? cases[i].second : "", "Y", EM_EVERY)};
        ops[0].last_line = cases[i].last_line;
        remark(&r, cases[i].file, ops, cases[i].second ? 2 : 1);
        check_only(&r, cases[i].told);
    }
}

/* A new text with CRs is inserted as it is. */
static void crlfs_that_come_among_lfs_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *file, *find, *insert;
        size_t line; /* 0: nothing is told */
    } cases[] = {
        {"a\nb\nc\n", "b", "1\n2\r\n3", 3},
        {"a\nb\nc\n", "b\n", "\r\nb\n", 2},
        {"a\nb\nc\n", "b\n", "1\n", 0},
        {"a\nb\r\nc\n", "b", "1\r\n2", 0},
        {"a", "a", "1\r\n2", 0},                  /* the first ending of the file */
        {"a\nb\nc\n", "a\nb\n", "a\r\nb\r\n", 0}, /* is what was asked for */
        {"a\nb\nc\n", "b", "1\r2", 0},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(remarked) r;
        em_op op = replace(cases[i].find, cases[i].insert, 1);
        char told[256];
        snprintf(told, sizeof told,
                 "After this edit line %zu of the file ends in CRLF (\\r\\n), and all lines that "
                 "were there end in LF (\\n). If that was not meant, undo this and send the new "
                 "text with \\n",
                 cases[i].line);
        remark(&r, cases[i].file, &op, 1);
        check_only(&r, cases[i].line > 0 ? told : NULL);
    }
}

#define FOLLOWED ": the new text ends with it, and it followed that place already"
#define PRECEDED ": the new text begins with them, and they preceded that place already"
#define ONE_GOES                                                                                   \
    ". If the edit was made before, or the new text only shows more of the place, one of the two " \
    "has to go"

/* Lines that an edit brings although they stand beside it are told, of some edits at most. */
static void lines_that_are_there_twice_are_told(void **state)
{
    (void)state;
    static const char *const told[] = {
        "After this edit line 2 of the file is the same as line 3" FOLLOWED ONE_GOES,
        "After this edit lines 7 to 8 of the file are the same as lines 5 to 6" PRECEDED ONE_GOES,
    };
    EM_AUTO(remarked) r;
    const em_op ops[] = {replace("one\n", "1\na line that says something\n", 1),
                         replace("three", "another line of words\n\n3", 1)};
    remark(&r, "one\na line that says something\ntwo\nanother line of words\n\nthree\n", ops, 2);
    assert_int_equal(r.warnings.count, 2);
    for (size_t i = 0; i < 2; i++)
        assert_string_equal(r.warnings.items[i], told[i]);
}

/* Of whole content that cannot be known. */
static void content_with_the_same_line_twice_is_not_told(void **state)
{
    (void)state;
    EM_AUTO(remarked) r;
    em_op all = {.kind = EM_OP_REWRITE,
                 .insert = EM_LIT("a line that says something\na line that says something\n")};
    remark(&r, "a line that says something\n", &all, 1);
    check_only(&r, NULL);
}

/* Lines that an edit leaves as they are may belong to what it doubles. */
static void lines_that_are_there_twice_with_kept_ones_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *find, *insert, *told;
    } cases[] = {
        {"one\n  }\n", "1\na line that says something\n  }\n",
         "After this edit lines 2 to 3 of the file are the same as lines 4 to 5: the new text with "
         "the lines left beside it ends with them, and they followed that place already" ONE_GOES},
        {"one\n  }\n", "1\n  }\na line that says something\n  }\n",
         "After this edit lines 2 to 3 of the file are the same as lines 4 to 5: the new text ends "
         "with them, and they followed that place already" ONE_GOES},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(remarked) r;
        em_op op = replace(cases[i].find, cases[i].insert, 1);
        remark(&r, "one\n  }\na line that says something\n  }\n", &op, 1);
        check_only(&r, cases[i].told);
    }
}

/* To have what was searched for once more is the edit itself; with an anchor it may be a slip. */
static void lines_that_are_to_be_there_twice_are_not_told(void **state)
{
    (void)state;
    for (int anchored = 0; anchored < 2; anchored++) {
        EM_AUTO(remarked) r;
        em_op op = replace("row of the table\n", "row of the table\nrow of the table\n", 1);
        if (anchored) {
            op.kind = EM_OP_INSERT_AFTER;
            op.insert = EM_LIT("row of the table\nnext row\n");
        }
        remark(&r, "head\nrow of the table\nend\n", &op, 1);
        assert_int_equal(r.warnings.count, anchored);
    }
}

static void of_many_lines_that_are_there_twice_some_are_told(void **state)
{
    (void)state;
    EM_AUTO(remarked) r;
    const em_op ops[] = {replace("1\n", "A\nsome words in a line\n", 1),
                         replace("2\n", "B\nothers in the next line\n", 1),
                         replace("3\n", "C\nand these in a third line\n", 1),
                         replace("4\n", "D\nand a last one of them\n", 1)};
    remark(&r,
           "1\nsome words in a line\n2\nothers in the next line\n"
           "3\nand these in a third line\n4\nand a last one of them\n",
           ops, 4);
    assert_int_equal(r.warnings.count, 3);
}

#define WORDS "some words of it\n"
#define BOTH ": its edits bring both. If one was sent twice, one of the two has to go"

/* An insertion that a call has twice is done twice, and told. */
static void lines_that_two_edits_bring_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        struct {
            const char *find, *insert;
        } edits[3];
        const char *told; /* NULL: nothing */
    } cases[] = {
        {"1\nos\nre\n",
         {{"os\n", WORDS "os\n"}, {"os\n", WORDS "os\n"}},
         "After this call line 3 of the file is the same as line 2" BOTH},
        {"1\r\nos\r\nre\r\n",
         {{"1", "1\n0"}, {"os\n", "os\n\n" WORDS}, {"os\n", "os\n\n" WORDS}},
         "After this call lines 6 to 7 of the file are the same as lines 4 to 5" BOTH},
        {"f() {\n}", /* within a line, on both sides, and with more around it */
         {{"{", "{\n    some_words(of_it);"}, {"{", "{\n    some_words(of_it);"}},
         "After this call line 3 of the file is the same as line 2" BOTH},
        {"os\nre\n",
         {{"os\n", "a\nos\n" WORDS}, {"os\n", "a\nos\n" WORDS}},
         "After this call line 5 of the file is the same as line 4" BOTH},
        {"os\nre\n",
         {{"os", WORDS "os"}, {"os\nre", WORDS "os\nre"}},
         "After this call line 2 of the file is the same as line 1" BOTH},
        {"os",
         {{"os", "os\nsome words of it"}, {"os", "os\nsome words of it"}},
         "After this call line 3 of the file is the same as line 2" BOTH},
        /* Not what one edit has twice itself, nor what comes in the place of something else, */
        {"1\n2\n", {{"1\n", "1\n" WORDS WORDS}, {"2\n", "2\n3\n"}}, NULL},
        {"1\n2\n", {{"1\n", WORDS}, {"2\n", WORDS}}, NULL},
        {"1\n1\n1\n2\n", {{"1\n", "1\n" WORDS}, {"2", "3"}}, NULL},
        /* nor what says little. */
        {"1\n2\n", {{"1\n", "1\n}\n"}, {"1\n", "1\n}\n"}}, NULL},
        {"1\n2\n", {{"1\n", "1\n" WORDS "\n"}, {"1\n", "1\n\nother words of it\n"}}, NULL},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(remarked) r;
        em_op ops[3];
        size_t count = 0;
        for (; count < 3 && cases[i].edits[count].find; count++)
            ops[count] = replace(cases[i].edits[count].find, cases[i].edits[count].insert,
                                 cases[i].told ? 1 : EM_EVERY);
        remark(&r, cases[i].file, ops, count);
        check_only(&r, cases[i].told);
    }
}

/* A template repeats what its pattern finds. */
static void lines_that_a_pattern_repeats_are_not_told(void **state)
{
    (void)state;
    EM_AUTO(remarked) r;
    em_op ops[] = {replace("^some.*\n", "$0$0$0", 1), replace("2", "3", 1)};
    ops[0].regex = true;
    remark(&r, "1\n" WORDS "2\n", ops, 2);
    check_only(&r, NULL);
}

/* The one remark on such an edit has this in it; NULL: there is none. */
static void check_told(const char *file, em_op op, const char *told)
{
    EM_AUTO(remarked) r;
    remark(&r, file, &op, 1);
    assert_int_equal(r.warnings.count, told ? 1 : 0);
    if (told)
        assert_non_null(strstr(r.warnings.items[0], told));
}

/* Numbers that reading tools show before lines are no surprise only where lines have such. */
static void line_numbers_that_come_with_lines_are_told(void **state)
{
    (void)state;
    static const char told[] =
        "The new lines begin with line numbers, as tools that read show them";
    static const struct {
        const char *file, *insert, *told; /* of lines 2 and 3; the last: NULL: nothing */
    } cases[] = {
        {"a\nb\nc\n", "2 | c\n3 | b\n", told},
        {"a\nb\nc\n", "  7\tc\n  8\tb\n", told},
        {"a\nb\nc\n", "2: c\n3: b", told},
        {"a\nb\nc\n", "2: c\n4: b", NULL},
        {"a\nb\nc\n", "1: c\n2: b", NULL}, /* a list */
        {"a\nb\nc\n", "c\n3 | d", NULL},
        {"a\n1 | b\n2 | c\n", "2 | c\n3 | b\n", NULL},
        {"a\nb\nc\n", "", NULL},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        em_op op = {.kind = EM_OP_LINES,
                    .first_line = 2,
                    .last_line = 3,
                    .insert = em_slice_of(cases[i].insert)};
        check_told(cases[i].file, op, cases[i].told);
    }
}

/* What stands around a new text, or before its lines, is no surprise where the old one has it. */
static void text_that_comes_wrapped_is_told(void **state)
{
    (void)state;
    static const char numbers[] = "The new lines begin with line numbers",
                      fence[] = "The new text stands in a code fence",
                      patch[] = "The new text is a patch of the old one",
                      change[] = "The new text tells of a change";
    static const struct {
        em_op_kind kind;
        const char *file, *find, *insert, *told; /* the last: NULL: nothing */
    } cases[] = {
        {EM_OP_REPLACE, "a\nb\nc\n", "b\nc\n", "  2\tb\n  3\td\n", numbers},
        {EM_OP_REPLACE, "a\nb\nc\n", "b\nc\n", "2: b\n3: d\n", numbers},
        {EM_OP_REPLACE, "a\nb\nc\n", "b\nc\n", "1: d\n2: e\n", NULL}, /* a list */
        {EM_OP_REPLACE, "a\nb\nc\n", "b\nc\n", "```c\nb\nd\n```\n", fence},
        {EM_OP_REPLACE, "a\nb\nc\n", "b\nc\n", "```c\nd\n```\n", NULL}, /* a page of text */
        {EM_OP_REPLACE, "```\na\n```\n", "```\na\n```", "```\na\nb\n```", NULL},
        {EM_OP_REPLACE, "a\nb\nc\n", "b\nc\n", " b\n-c\n+d\n", patch},
        {EM_OP_REPLACE, "a\n-b\n", "-b", "-b\n+c", NULL},
        {EM_OP_REPLACE, "a\nb\n", "b", ">>>c<<<", "The new text stands between >>> and <<<"},
        {EM_OP_REWRITE, "a\nb\n", "", ">>>a\nc\n<<<", "The new text stands between >>> and <<<"},
        {EM_OP_REPLACE, ">>> f()\nb\n", "b", ">>>c<<<", NULL}, /* it has such */
        {EM_OP_REPLACE, "a\nb\n", "b", ">>>>c<<<<", NULL},
        {EM_OP_REPLACE, "@@ -1,2 +1,2 @@\n a\n b\n", " b\n", "- b\n+ c\n", NULL},
        {EM_OP_REPLACE, "a\nb\n```\nx\n```\n", "a\nb\n", "```\na\nc\n```\n", NULL},
        {EM_OP_REWRITE, "a\nb\n", "", "1 | a\n2 | c\n", numbers},
        {EM_OP_REWRITE, "", "", "1\ta\n2\tc\n", NULL},
        {EM_OP_REWRITE, "", "", "```\nc\n```\n", fence},
        {EM_OP_REWRITE, "a\nb\n", "", "```\nc\n```\n", fence},
        {EM_OP_REWRITE, "```\na\n```\n", "", "```\nc\n```\n", NULL},
        {EM_OP_INSERT_AFTER, "a\n", "a\n", "```\nc\n```\n", NULL},
        {EM_OP_REWRITE, "a\nb\n", "", "--- a/x\n+++ b/x\n@@ -2 +2 @@\n-b\n+c\n", change},
        {EM_OP_REWRITE, "a\nb\n", "", "@@ -2 +2 @@\n-b\n+c\n", change},
        {EM_OP_REWRITE, "", "", "--- a/x\n+++ b/x\n@@ -2 +2 @@\n-b\n+c\n", NULL}, /* may be one */
        {EM_OP_REWRITE, "@@ -1 +1 @@\n-b\n+c\n", "", "--- a/x\n+++ b/x\n@@ -2 +2 @@\n-b\n+c\n",
         NULL},
        {EM_OP_REWRITE, "a\nb\n", "", "--- \nsigned\n@@ -2 +2 @@\n", NULL},
        {EM_OP_REWRITE, "", "", "*** Begin Patch\n*** Add File: x\n+b\n*** End Patch", change},
        {EM_OP_REPLACE, "a\nb\n", "b", "<<<<<<< SEARCH\nb\n=======\nc\n>>>>>>> REPLACE\n", change},
        {EM_OP_REPLACE, "a\nb\n", "b", "<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> x\n", NULL},
        {EM_OP_REPLACE, "------- SEARCH\na\nb\n", "b",
         "------- SEARCH\nb\n=======\nc\n+++++++ REPLACE", NULL},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        em_op op = {.kind = cases[i].kind,
                    .find = em_slice_of(cases[i].find),
                    .insert = em_slice_of(cases[i].insert),
                    .expect = 1};
        check_told(cases[i].file, op, cases[i].told);
    }
}

/* Line breaks that a text has as escapes, but for those of strings and patterns. */
static void line_breaks_that_come_as_escapes_are_told(void **state)
{
    (void)state;
    static const char first[] = "Line 1 of the file has a backslash and an n",
                      second[] = "Line 2 of the file has a backslash and an n",
                      third[] = "Line 3 of the file has a backslash and an n";
    static const struct {
        em_op_kind kind;
        const char *file, *find, *insert, *told; /* the last: NULL: nothing */
    } cases[] = {
        {EM_OP_REPLACE, "a\n  b()\nc\n", "b()", "b()\\n  d()", second},
        {EM_OP_REPLACE, "a\n\tb()\nc\n", "\tb()", "\tb()\\n\\td()", second},
        {EM_OP_REPLACE, "a\nb()\nc\n", "b()", "b()\nd() {\\n  e()\\n}", third},
        {EM_OP_INSERT_AFTER, "a\nb()\n", "a\n", "d():\\n    e()\n", second},
        {EM_OP_REPLACE, "a\nb()\nc\n", "b()", "b(\"d\\n  e\")", NULL},
        {EM_OP_REPLACE, "a\nb(\"x\")\nc\n", "x", "x\\n  y", NULL},
        {EM_OP_REPLACE, "a\nb()\nc\n", "b()", "/[\\n\\t ]/", NULL},
        {EM_OP_REPLACE, "a\nb()\nc\n", "b()", "/\\n\\t+/", NULL},
        {EM_OP_REPLACE, "a\nb()\nc\n", "b()", "b()\\nd()", NULL},           /* no indentation */
        {EM_OP_REPLACE, "a\n  b()\nc\n", "  b()", "  d()\\n  b()", second}, /* which b() stays? */
        {EM_OP_REPLACE, "a\n  b()\nc\n", "  b()", "  d(\"\\n  b()", NULL},
        {EM_OP_REPLACE, "#include <a>\nb\n", "<a>", "<a>\\n#include <c>", first},
        {EM_OP_REPLACE, "#include <a>\nb\n", "<a>", "<a>\\r\\n#include <c>", first},
        {EM_OP_REPLACE, "#include <a>\nb\n", "<a>", "\\n#1", NULL}, /* an argument of TeX */
        {EM_OP_REPLACE, "a\nb()\nc\n", "b()", "b()\\n@d", second},
        {EM_OP_REPLACE, "a\nb()\nc\n", "b()", "b()\\n\\nd()", second},
        {EM_OP_REPLACE, "a\nb()\nc\n", "b()", "/\\n\\n/", NULL},
        {EM_OP_REPLACE, "a\nb();\nc\n", "b();", "b();\\nd();", second},
        {EM_OP_REPLACE, "a\nb();\nc\n", "b();", "b();\\n}", second},
        {EM_OP_REPLACE, "a\nb\nc\n", "b", "A_{\\mu;\\nu}", NULL},
        {EM_OP_REPLACE, "a\n<b>\nc\n", "<b>", "<b></b>\\n<d>", second},
        {EM_OP_REPLACE, "a\nb\nc\n", "b", "{\\nabla} dir\\name [^\\n<]", NULL},
        {EM_OP_REPLACE, "a\nb()\nc\n", "b()", "b()\\\\n  d()", NULL},
        {EM_OP_REPLACE, "a\nb()\nc\\n  d\n", "b()", "b()\\n  d()", NULL}, /* it has such */
        {EM_OP_REWRITE, "a\nb\n", "", "a\\nb\\nc\\n", first},
        {EM_OP_REWRITE, "", "", "a\\nb\\nc\n", first},
        {EM_OP_REWRITE, "a\n", "", "a\\nb\\nc\n", NULL}, /* it was one line */
        {EM_OP_REWRITE, "a\nb\n", "", "a\\nb\n", NULL},
        {EM_OP_REWRITE, "a\nb\n", "", "{\"a\": \"b\\nc\\n\"}\n", NULL},
        {EM_OP_REWRITE, "a\nb\n", "", "a\\nb\\nc\nd\n", NULL},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        em_op op = {.kind = cases[i].kind,
                    .find = em_slice_of(cases[i].find),
                    .insert = em_slice_of(cases[i].insert),
                    .expect = 1};
        check_told(cases[i].file, op, cases[i].told);
    }
}

/* Quotes of code that have a backslash each, and had none. */
static void quotes_that_come_with_a_backslash_each_are_told(void **state)
{
    (void)state;
    static const char first[] = "Line 1 of the file has a backslash before each quote now",
                      second[] = "Line 2 of the file has a backslash before each quote now",
                      third[] = "Line 3 of the file has a backslash before each quote now";
    static const struct {
        const char *file, *find, *insert, *told; /* the last: NULL: nothing */
    } cases[] = {
        {"a\nb(\"x\")\nc\n", "b(\"x\")", "b(\\\"x\\\")", second},
        {"a\nb(\"x\")\nc\n", "\"x\"", "\\\"y\\\"", second},
        {"a\nb(\"x\")\nc\n", "b(\"x\")", "d()\nb(\\\"x, y\\\")", third},
        {"\"a\": 1\n", "\"a\": 1", "\\\"a\\\": 2", first},
        {"a\nb(\"x\")\nc\n", "b(\"x\")", "b(\"x\\\"y\\\"\")", NULL}, /* within a string */
        {"a\nb(\"x\")\nc\n", "b(\"x\")", "b('\\\"x\\\"')", NULL},    /* the same */
        {"a\nb(\"x\")\nc\n", "b(\"x\")", "b(\\\\\"x\\\\\")", NULL},  /* two backslashes are one */
        {"a\nb(\"x\")\nc\n", "b(\"x\")", "b(\\\"x)", NULL},          /* no string */
        {"a\nb(\"x\")\nc\n", "b(\"x\")", "d + \\\"x\\\"", NULL},     /* behind another sign */
        {"a\nb(x)\nc\n", "b(x)", "b(\\\"x\\\")", NULL},              /* there was no string */
        {"a = \"b \"c\" d\"\n", "\"c\"", "\\\"c\\\"", NULL},         /* which mends it */
        {"f(\\\"a\\\")\nb(\"x\")\n", "b(\"x\")", "b(\\\"x\\\")", NULL}, /* the file has such */
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        em_op op = replace(cases[i].find, cases[i].insert, 1);
        check_told(cases[i].file, op, cases[i].told);
    }
}

/* A page of Markdown may have a fence. */
static void a_fence_is_at_home_in_markdown(void **state)
{
    (void)state;
    EM_AUTO(remarked) r;
    em_op op = {.kind = EM_OP_REWRITE, .insert = EM_LIT("```\nx\n```\n")};
    remark_on(&r, "", EM_TIER_EXACT,
              (em_planned_edit){.path = "README.MD", .ops = &op, .op_count = 1});
    check_only(&r, NULL);
}

/* Of the ops of a call each may. What is not made need not be undone. */
static void an_op_that_comes_wrapped_among_others_is_told(void **state)
{
    (void)state;
    for (int dry = 0; dry < 2; dry++) {
        EM_AUTO(remarked) r;
        const em_op ops[] = {replace("a", "x", 1), replace("b", "-b\n+c", 1)};
        remark_on(
            &r, "a\nb\n", EM_TIER_EXACT,
            (em_planned_edit){.path = "a.c", .ops = ops, .op_count = 2, .is_dry_run = dry == 1});
        assert_int_equal(r.warnings.count, 1);
        assert_non_null(strstr(r.warnings.items[0], "is a patch of the old one"));
        assert_int_equal(strstr(r.warnings.items[0], "undo this and send") != NULL, dry == 0);
    }
}

/* Whole lines that go behind the text of a line, since there is no line break between them. */
static void lines_that_are_glued_to_others_are_told(void **state)
{
    (void)state;
    static const char behind[] =
        "The new text begins in line 1 of the file, right behind what that "
        "line held: the search text does not end with the line's break",
                      at_end[] =
                          "The new text begins in line 2 of the file, right behind what that "
                          "line held: the file did not end with a line break";
    static const struct {
        em_op_kind kind;
        const char *file, *find, *insert, *told; /* the last: NULL: nothing */
    } cases[] = {
        {EM_OP_INSERT_AFTER, "import os\nx\n", "import os", "import io\n", behind},
        {EM_OP_INSERT_AFTER, "import os  \r\nx\r\n", "os", "import io\r\n", behind},
        {EM_OP_INSERT_AFTER, "f();", "f();", "    g();\n", behind},
        {EM_OP_INSERT_AFTER, "<li>a</li>\n", "</li>", "<li>b</li>\n", behind},
        {EM_OP_INSERT_AFTER, "- a\n- b\n", "- a", "- c\n", behind},
        {EM_OP_INSERT_AFTER, "f();\n", "f();", "// why\n", behind},
        {EM_OP_INSERT_AFTER, "import os\nx\n", "import os\n", "import io\n", NULL},
        {EM_OP_INSERT_AFTER, "import os\nx\n", "import os", "\nimport io\n", NULL},
        {EM_OP_INSERT_AFTER, "import os\nx\n", "import os", "import io", NULL},
        {EM_OP_INSERT_AFTER, "f(a, b)\n", "f(", "x,\n", NULL}, /* a line that is broken */
        {EM_OP_INSERT_AFTER, "f()\n", "f()", ";\n", NULL},     /* or goes on */
        {EM_OP_INSERT_AFTER, "f();\n", "f();", " // why\n", NULL},
        {EM_OP_INSERT_AFTER, "if (x)\n", "if (x)", " {\n    f();\n}\n", NULL},
        {EM_OP_INSERT_AFTER, "if (x)\n", "if (x)", "{\n    f();\n}\n", NULL},
        {EM_OP_INSERT_AFTER, "a = b\n", "a = b", "-1\n", NULL},
        {EM_OP_INSERT_AFTER, "a =  \n", "a = ", "1\n", NULL},
        {EM_OP_INSERT_BEFORE, "import os\n", "import os", "import io\n", NULL},
        {EM_OP_APPEND, "a\nimport re", "", "import io\n", at_end},
        {EM_OP_APPEND, "{}\n{}", "", "{}\n", at_end},
        {EM_OP_APPEND, "a\nf()", "", "def g():\n    pass", at_end},
        {EM_OP_APPEND, "a\nimport re\n", "", "import io\n", NULL},
        {EM_OP_APPEND, "a\nimport re", "", "\nimport io\n", NULL},
        {EM_OP_APPEND, "a\nimport re", "", "import io", NULL},
        {EM_OP_APPEND, "a\nf()", "", ";\n", NULL},
        {EM_OP_APPEND, "", "", "import io\n", NULL},
        {EM_OP_APPEND, "\xEF\xBB\xBF", "", "import io\n", NULL},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        em_op op = replace(cases[i].find, cases[i].insert, 1);
        op.kind = cases[i].kind;
        check_told(cases[i].file, op, cases[i].told);
    }
}

/* Where the blanks of a line stay before what comes for it, that is told. */
static void indents_that_are_cut_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *find, *insert, *told; /* the last: NULL: nothing */
    } cases[] = {
        {"      a();\n        b();", "        c();\n        b();",
         "line 2 of the file has an indentation of 10, where it had 8: the search text begins with "
         "6 of these blanks, and the new text with 8."},
        {"    b();", "        c();",
         "line 3 of the file has an indentation of 12, where it had 8: the search text begins with "
         "4 of these blanks, and the new text with 8."},
        {"    b();", "c();",
         "line 3 of the file has an indentation of 4, where it had 8: the search text begins with "
         "4 of these blanks, and the new text with 0."},
        {"a();\n        b();", "        c();\n        b();",
         "line 2 of the file has an indentation of 16, where it had 8: the search text begins with "
         "0 of these blanks, and the new text with 8."},
        {"    b();", "    c();", NULL},
        {"        b();", "            b();", NULL}, /* all of the file's */
        {"b();", "        b();", NULL},             /* it may be that it is to be deeper */
        {"a();\n        b();", "c();\n        b();", NULL},
        {"f() {\n        a();", "        f() {\n        a();", NULL}, /* none before it */
        {"    b();", "", NULL},
        {"    b();", "\n    c();", NULL},
        {"\n        b();", "\n    b();", NULL},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_told("f() {\n        a();\n        b();\n}\n",
                   replace(cases[i].find, cases[i].insert, 1), cases[i].told);
}

/* Also of lines that go, and of whole lines before an anchor. */
static void indents_that_stay_before_other_lines_are_told(void **state)
{
    (void)state;
    static const struct {
        em_op_kind kind;
        const char *find, *insert, *told; /* NULL: nothing */
    } cases[] = {
        {EM_OP_DELETE, "a();\n", "",
         "line 2 of the file has an indentation of 12, where it had 4: that of what was removed "
         "(8)"},
        {EM_OP_REPLACE, "    a();\n", "",
         "line 2 of the file has an indentation of 8, where it had 4: that of what was removed "
         "(4)"},
        {EM_OP_DELETE, "        a();\n", "", NULL},
        {EM_OP_DELETE, "a();", "", NULL},
        {EM_OP_DELETE, "b();\n", "", NULL}, /* an empty line is next */
        {EM_OP_INSERT_BEFORE, "a();", "1;\n2;\n",
         "line 4 of the file has an indentation of 0, where it had 8: the new lines came behind 8"},
        {EM_OP_INSERT_BEFORE, "a();", "1;\n        ", NULL},
        {EM_OP_INSERT_BEFORE, "        a();", "1;\n", NULL},
        {EM_OP_INSERT_AFTER, "a();\n", "1;\n", NULL},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        em_op op = replace(cases[i].find, cases[i].insert, 1);
        op.kind = cases[i].kind;
        check_told("f() {\n        a();\n    b();\n\n}\n", op, cases[i].told);
    }
}

/* Also where the new text itself has new lines before what comes for the anchor. */
static void anchors_that_are_left_bare_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *find, *insert, *told; /* the last: NULL: nothing */
    } cases[] = {
        {"def f():\n", "@cached\ndef f():\n",
         "line 3 of the file has an indentation of 0, where it had 4: the new lines came behind 4 "
         "of these blanks. To put whole lines before that one, begin the search text with all of "
         "them, and so each of these lines in the new text"},
        {"def f():\n        a = b", "@cached\n\ndef f(x):\n        a = b",
         "line 4 of the file has an indentation of 0, where it had 4"},
        {"  def f():", "  @cached\n  def f():",
         "line 3 of the file has an indentation of 2, where it had 4: the new lines came behind 2"},
        {"return a", "x = a\nreturn x",
         "line 5 of the file has an indentation of 0, where it had 8: the new lines came behind 8"},
        {"return a", "if a:\n    return 1\nreturn a", /* the one that comes first */
         "line 5 of the file has an indentation of 4, where it had 8"},
        {"# 1\n    # 2\n", "b()\n# 1\n    # 2\n",
         "line 6 of the file has an indentation of 0, where it had 8"},
        {"def f():\n", "\ndef f():\n", /* an empty line is a new one, too */
         "line 3 of the file has an indentation of 0, where it had 4: the new lines came behind 4"},
        {"  def f():\n", "  \n\n@cached\n  def f():\n",
         "line 5 of the file has an indentation of 2, where it had 4"},
        {"def f():\n", "    @cached\n    def f():\n", /* the file's depth is known */
         "line 2 of the file has an indentation of 8, where it had 4"},
        {"def f():\n", "    def f():\n        pass\n",
         "line 2 of the file has an indentation of 8, where it had 4"},
        {"def f():\n", "    if x:\n        def f():\n",
         "line 2 of the file has an indentation of 8, where it had 4"},
        {"def f():\n", "    def f():\n  pass\n", NULL}, /* it is not */
        {"    def f():\n", "    @cached\n    def f():\n", NULL},
        {"def f():\n", "@cached\n    def f():\n", NULL},
        {"def f():\n", "\n    def f():\n", NULL},
        {"def f():\n", "\nreturn\n", NULL},
        {"def f():\n",
         "def f():\n    pass\n\n\ndef g():\n", /* comes behind it, and what is new, too */
         "line 3 of the file has an indentation of 4, and line 2 before it one of 4"},
        {"def f():\n", "def g():\n", NULL},
        {"return a", "x = a\n        return x", NULL},
        {"return a", "x = a\ny = 1", /* which of them comes for it? */
         "line 5 of the file has an indentation of 0, and line 4 before it one of 8"},
        {"# 1\n    # 2\n", "b()\n# 3\n", NULL}, /* a sign is no name */
        {"b\n", "c\nb\n", NULL},                /* in the middle of a line */
        {"x\n", "a\nx\n", NULL},                /* no blanks before it */
        {"a = b\n", "c = b\n        a = c\n", NULL},
        {"# 1\n    # 2\n# 1\n", "b()\n    # 2\n# 1\n", NULL}, /* that is the last one */
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_told("x\n    def f():\n        a = b\n        return a\n        # 1\n    # 2\n# 1\n",
                   replace(cases[i].find, cases[i].insert, 1), cases[i].told);
}

#define ALONE "which stay before the first line of the new text alone"

/* One line becomes several, of which the first alone has the blanks before the place. */
static void followers_that_are_left_bare_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *find, *insert, *told; /* the last: NULL: nothing */
    } cases[] = {
        {"a()", "a()\nc()",
         "line 3 of the file has an indentation of 0, and line 2 before it one of 8: the search "
         "text begins behind 8 of its blanks, " ALONE
         ". If the others are to be as deep beside it as they were sent, put these blanks before "
         "each of them, too"},
        {"a()\n", "a()\n\nc()\n", "line 4 of the file has an indentation of 0, and line 2"},
        {"    a()", "    a()\n    c()",
         "line 3 of the file has an indentation of 4, and line 2 before it one of 8: the search "
         "text begins behind 4"},
        {"a()", "if b:\n    c()", "line 3 of the file has an indentation of 4"},
        {"a()", "if b:\n    a()", "line 3 of the file has an indentation of 4"},
        {"    a()", "    if b:\n        a()", "line 3 of the file has an indentation of 8"},
        {"  a()", "  if b {\n    c()\n  }", "line 3 of the file has an indentation of 4"},
        {"a()", "if b {\n    c()\n}", "line 3 of the file has an indentation of 4"},
        {"a()", "a()\n        c()", NULL}, /* as in the file */
        {"    a()", "    a()\n        c()", NULL},
        {"a()", "if b:\n            a()", NULL},
        {"a()", "if b {\n            c()\n        }", NULL},
        {"a()", "a(b,\n          c)", NULL},
        {"a()\n        b()", "a()\nc()", NULL},    /* the search text tells how deep lines are */
        {"        a()", "        a()\nc()", NULL}, /* no blanks before it */
        {"a()", "c()", NULL},
        {"f:", "f:\na()", NULL},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_told("f:\n        a()\n        b()\n", replace(cases[i].find, cases[i].insert, 1),
                   cases[i].told);
    EM_AUTO(remarked) r;
    em_op op = replace("a()", "a()\nc()", 1);
    remark_on(&r, "- f\n  a()\n", EM_TIER_EXACT,
              (em_planned_edit){.path = "a.md", .ops = &op, .op_count = 1});
    check_only(&r, NULL);
}

/* By the numbers after the edit, and of some edits at most; not of what is matched otherwise. */
static void of_many_indents_that_are_cut_some_are_told(void **state)
{
    (void)state;
    static const char file[] = "f() {\n    a();\n    b();\n    c();\n    d();\n}\n";
    EM_AUTO(remarked) r;
    const em_op ops[] = {replace("f() {", "f()\n{", 1), replace("  a();", "    1;", 1),
                         replace("  b();", "    2;", 1), replace("  c();", "    3;", 1),
                         replace("  d();", "    4;", 1)};
    remark(&r, file, ops, 5);
    assert_int_equal(r.warnings.count, 3);
    assert_non_null(strstr(r.warnings.items[0], "line 3 of the file has an indentation of 6"));
    EM_AUTO(remarked) tolerant;
    em_op op = replace("  a( );", "    1;", 1);
    remark_on(&tolerant, file, EM_TIER_FUZZY,
              (em_planned_edit){.path = "a.c", .ops = &op, .op_count = 1});
    check_only(&tolerant, NULL);
}

#define SPACED "a\n    b\n    c\n        d\ne\n"
#define TABBED "a\n\tb\n\tc\n\t\td\ne\n"

/* A line with tabs among lines with spaces is told, or the other way round. */
static void lines_with_other_blanks_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *file, *find, *insert, *told; /* the last: NULL: nothing */
    } cases[] = {
        {SPACED, "e", "if\n\te",
         "line 6 of the file is indented with tabs, and the lines around with "
         "spaces"},
        {SPACED, "d\n", "d\n\tx\n", "line 5 of the file is indented with tabs"},
        {SPACED, "    b\n", "1\n2\n\tx\n", "line 4 of the file is indented with tabs"},
        {TABBED, "e", "if\n  e",
         "line 6 of the file is indented with spaces, and the lines around with "
         "tabs"},
        {SPACED, "e", "if\n    e", NULL},
        {TABBED, "e", "if\n\te", NULL},
        {TABBED, "e", "/*\n * e\n */", NULL}, /* a space is no indentation */
        {SPACED, "e", "e\n\t\n", NULL},       /* an empty line */
        {SPACED, "e", "e\tf", NULL},
        {SPACED, "e\n", "if\n\t", NULL},                /* it ends with blanks */
        {SPACED "\tf\n", "e", "if\n\te", NULL},         /* there is one already */
        {"a\n    b\n    c\ne\n", "e", "if\n\te", NULL}, /* two lines do not tell */
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_told(cases[i].file, replace(cases[i].find, cases[i].insert, 1), cases[i].told);
    EM_AUTO(remarked) r;
    const em_op ops[] = {replace("a\n", "1\n2\n", 1), replace("e", "if\n\te", 1)};
    remark(&r, SPACED, ops, 2);
    assert_non_null(strstr(r.warnings.items[0], "line 7 of the file"));
}

#define CALLS "a = f(\"x\");\nb = g('y');\n"
#define LQ "\xE2\x80\x9C"
#define RQ "\xE2\x80\x9D"
#define LS "\xE2\x80\x98"
#define RS "\xE2\x80\x99"

static void curly_quotes_of_code_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *file, *find, *insert, *told; /* the last: NULL: nothing */
    } cases[] = {
        {CALLS, "b = g('y');", "b = g('y');\nc = h(" LQ "z" RQ ");",
         "After this edit line 3 of the file has curly quotes where code has straight ones"},
        {CALLS, "g('y')", "g(" LS "y" RS ", 1)", "line 2 of the file has curly quotes"},
        {CALLS, "'y'", LQ "y" RQ, "line 2"},
        {CALLS, "b = g('y');", "b = " RQ "y" RQ ";\n", "line 2"},
        {CALLS, "b = g('y');", "b = [" LQ "y" RQ ", " LQ "z" RQ "];", "line 2"},
        {"def f():\n    return \"x\"\n", "return \"x\"", "return " LQ "x" RQ, "line 2"},
        {"def f():\n    return \"x\"\n", "\"x\"", "a + " LQ "x" RQ, "line 2"},
        {"#include \"a.h\"\n", "\"a.h\"", LQ "a.h" RQ, "line 1"},
        {"He did return. It's so.\n", "He did", "return " LQ "x" RQ, NULL},
        {CALLS, "b = g('y');", "\n\nb = {" LQ "y" RQ "}", "line 4"},
        {CALLS, "b = g('y');", "b = g(\"say " LQ "y" RQ "\");", NULL},
        {CALLS, "b = g('y');", "b = g(`(" LQ "y" RQ ")`);", NULL},
        {CALLS, "b = g('y');", "b = g('it\\'s f(" LQ "y" RQ ")');", NULL},
        {CALLS, "b = g('y');", "// as f(" LQ "y" RQ ") does", NULL},
        {CALLS, "b = g('y');", "b = g('y'); // f(" LQ "y" RQ ")", NULL},
        {CALLS, "b = g('y');", " * f(" LQ "y" RQ ")", NULL},
        {CALLS, "b = g('y');", "# f(" LQ "y" RQ ")", NULL},
        {CALLS, "b = g('y');", "They say " LQ "y" RQ ", (" LQ "z" RQ ").", NULL},
        {CALLS, "b = g('y');", "Call f(" LQ "y" RQ " or so", NULL},
        {CALLS, "b = g('y');", "b = g('y'); it" RS "s", NULL},
        {CALLS "// " LQ "\n", "b = g('y');", "b = g(" LQ "y" RQ ");", NULL}, /* it has some */
        {CALLS LQ "y" RQ, LQ "y" RQ, "b = g(" LQ "y" RQ ");", NULL},
        {"a\nb\n", "b", "b = g(" LQ "y" RQ ");", NULL}, /* is it code? */
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_told(cases[i].file, replace(cases[i].find, cases[i].insert, 1), cases[i].told);
    static const char *const texts[] = {"a.md", "messages.properties", "a.TXT"};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        EM_AUTO(remarked) r;
        const em_op op = replace("b = g('y');", "b = g(" LQ "y" RQ ");", 1);
        remark_on(&r, CALLS, EM_TIER_EXACT,
                  (em_planned_edit){.path = texts[i], .ops = &op, .op_count = 1});
        check_only(&r, NULL);
    }
}

#define LONG "a_function_whose_name_says_what_it_does_and_which_takes_no_arguments_at_all();"

/* What a remark asks of inserts is found in those of any length, be it in one of several. */
static void long_texts_are_told_of_as_short_ones(void **state)
{
    (void)state;
    static const struct {
        const char *file, *find, *insert, *told; /* the last: NULL: nothing */
    } cases[] = {
        {CALLS, "b = g('y');", LONG " b = g(" LQ "y" RQ ");", "line 2 of the file has curly"},
        {"a\nb\nc\n", "b", LONG "\r\nd", "line 2 of the file ends in CRLF"},
        {"a;\nb;\n", "b;", LONG "\\n    c();", "Line 2 of the file has a backslash and an n"},
        {"a\n    b\n    c\n    d\n", "b\n", "b\n\t" LONG "\n", "is indented with tabs"},
        {"a;\nb;\n" LONG "\nc;\n", "b;", "d;\n" LONG, "is the same as line"},
        {CALLS, "b = g('y');", LONG, NULL},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        check_told(cases[i].file, replace(cases[i].find, cases[i].insert, 1), cases[i].told);
        const em_op ops[] = {replace(cases[i].find, cases[i].insert, 1),
                             {.kind = EM_OP_APPEND, .insert = EM_LIT("e")}};
        EM_AUTO(remarked) r;
        remark(&r, cases[i].file, ops, 2);
        assert_int_equal(r.warnings.count, cases[i].told ? 1 : 0);
    }
}

#define HEAD_TWICE(line, part)                                                                     \
    "Line " line " of the file now has \"" part                                                    \
    "\" twice: it stood before the search text, and the new text has it, too. To replace the "     \
    "whole line, begin the search text with it"
#define TAIL_TWICE(line, part)                                                                     \
    "Line " line " of the file now has \"" part                                                    \
    "\" twice: it stood behind the search text, and the new text has it, too. To replace the "     \
    "whole line, end the search text with it"

/* The search text has a part of a line, the new text all of it. */
static void lines_that_are_cut_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *file, *find, *insert, *told;
    } cases[] = {
        {"a\nid \"one.\"\nstr \"x\"\n", "one.\"\nstr \"x\"", "id \"one.\"\nid \"2\"\nstr \"x\"",
         HEAD_TWICE("2", "id \"")},
        {"    static int get(int old);\n", "int old);", "static int get(int new, int old);",
         HEAD_TWICE("1", "static int get(")},
        {"if (a &&\n    b) { go(); }\n", "if (a &&\n    b", "if (c &&\n    d &&\n    b) { go(); }",
         TAIL_TWICE("3", ") { go(); }")},
        {"if (a && bcd(e, f, g)) {\n", "if (a", "if (c && bcd(e, f, g)) {",
         TAIL_TWICE("1", " && bcd(e, f, g)) {")},
        {"x = f(a)\n", "a", "f(a)", NULL},
        {"[gem]: x\n", "gem]: x", "[gem]: y", HEAD_TWICE("1", "[")},
        {"f(a)\n", "f(a", "f(a, b)", TAIL_TWICE("1", ")")},
        {"(a)\n", "a", "(a)", NULL}, /* it may be meant so */
        {"f(g(a)\n", "f(g(a", "f(h(a)", TAIL_TWICE("1", ")")},
        {"\u0447\u0438\u0441\u043B\u0430\u043C(a)\n", "a",
         "\u0447\u0438\u0441\u043B\u0430\u043C(a)", NULL},
        {"if (a &&\n    b) {\n", "a &&\n    b", "(a &&\n    b)", NULL},
        {"total_of_all = total_of_all\n", "= total_of_all", "= total_of_all + 1", NULL},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(remarked) r;
        em_op op = replace(cases[i].find, cases[i].insert, 1);
        remark(&r, cases[i].file, &op, 1);
        check_only(&r, cases[i].told);
    }
}

/* What is written whole, or put to an end, is taken as it is; but it may not be meant so. */
static void content_that_leaves_something_out_is_told(void **state)
{
    (void)state;
    static const struct {
        em_op_kind kind;
        const char *before, *content;
        bool allowed, is_told;
    } cases[] = {
        {EM_OP_REWRITE, "int a;\nint b;\n", "int a;\n// ... existing code ...\n", false, true},
        {EM_OP_REWRITE, "", "# rest of the file unchanged\n", false, true},
        {EM_OP_APPEND, "int a;\n", "// ... rest of code ...\n", false, true},
        {EM_OP_PREPEND, "int a;\n", "// ... rest of code ...\n", false, true},
        {EM_OP_REWRITE, "// ... existing code ...\n", "// ... existing code ...\nb\n", false,
         false},
        {EM_OP_REWRITE, "int a;\n", "f(...rest);\n...\n", false, false},
        {EM_OP_REWRITE, "int a;\n", "// ... existing code ...\n", true, false},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(remarked) r;
        em_op op = {.kind = cases[i].kind, .insert = em_slice_of(cases[i].content)};
        remark_on(
            &r, cases[i].before, EM_TIER_EXACT,
            (em_planned_edit){
                .path = "a.c", .ops = &op, .op_count = 1, .allows_placeholders = cases[i].allowed});
        assert_int_equal(r.warnings.count, cases[i].is_told ? 1 : 0);
        if (cases[i].is_told)
            assert_non_null(strstr(r.warnings.items[0], "is not filled in"));
    }
}

/* Of what is held of a large file that alone is told which needs no more of it. */
static void of_a_part_little_is_told(void **state)
{
    (void)state;
    const em_op ops[] = {replace("e", "if\n\te", 1),
                         {.kind = EM_OP_APPEND, .insert = EM_LIT("// ... rest of code ...\n")}};
    for (int is_part = 0; is_part < 2; is_part++) {
        EM_AUTO(remarked) r;
        remark_on(
            &r, SPACED, EM_TIER_EXACT,
            (em_planned_edit){.path = "a.c", .ops = ops, .op_count = 2, .is_part = is_part == 1});
        assert_int_equal(r.warnings.count, is_part ? 1 : 2);
        assert_non_null(strstr(r.warnings.items[0], "is not filled in"));
    }
}

static void memory_may_run_out(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    const em_op ops[] = {replace("  a();", "    1;", 1),
                         replace("b();", "b();\n    some_words(of_it);", 1)};
    em_text text;
    em_lines lines;
    em_plan plan;
    em_plan_failure failure;
    em_policy policy = {.most = EM_TIER_EXACT};
    assert_int_equal(em_text_open(EM_LIT("{\n    a();\n    b();\n    some_words(of_it);\n}\n"),
                                  NULL, &arena, &text, NULL),
                     EM_OK);
    assert_int_equal(em_lines_init(&text, &arena, &lines), EM_OK);
    em_plan_request request = {{&text, &lines}, &policy, ops, 2};
    assert_int_equal(em_plan_make(&request, &arena, &plan, &failure, NULL), EM_OK);
    em_planned_edit edit = {
        .lines = &lines, .plan = &plan, .ops = ops, .op_count = 2, .path = "a.c"};
    size_t failures = 0;
    for (em_status status = EM_E_NOMEM; status != EM_OK; failures += status != EM_OK) {
        EM_AUTO(em_arena) few = {0};
        em_warnings warnings = {0};
        mallocs_left = (long)failures;
        status = em_remark(&edit, &few, &warnings);
        mallocs_left = -1;
        assert_true(status == EM_OK || status == EM_E_NOMEM);
        if (status == EM_OK)
            assert_int_equal(warnings.count, 2);
    }
    assert_true(failures > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_has_other_line_endings_is_told),
        cmocka_unit_test(lines_that_are_there_twice_are_told),
        cmocka_unit_test(content_with_the_same_line_twice_is_not_told),
        cmocka_unit_test(lines_that_are_there_twice_with_kept_ones_are_told),
        cmocka_unit_test(lines_that_are_to_be_there_twice_are_not_told),
        cmocka_unit_test(of_many_lines_that_are_there_twice_some_are_told),
        cmocka_unit_test(lines_that_two_edits_bring_are_told),
        cmocka_unit_test(lines_that_a_pattern_repeats_are_not_told),
        cmocka_unit_test(line_numbers_that_come_with_lines_are_told),
        cmocka_unit_test(text_that_comes_wrapped_is_told),
        cmocka_unit_test(line_breaks_that_come_as_escapes_are_told),
        cmocka_unit_test(quotes_that_come_with_a_backslash_each_are_told),
        cmocka_unit_test(a_fence_is_at_home_in_markdown),
        cmocka_unit_test(an_op_that_comes_wrapped_among_others_is_told),
        cmocka_unit_test(lines_that_are_glued_to_others_are_told),
        cmocka_unit_test(indents_that_are_cut_are_told),
        cmocka_unit_test(indents_that_stay_before_other_lines_are_told),
        cmocka_unit_test(anchors_that_are_left_bare_are_told),
        cmocka_unit_test(followers_that_are_left_bare_are_told),
        cmocka_unit_test(crlfs_that_come_among_lfs_are_told),
        cmocka_unit_test(of_many_indents_that_are_cut_some_are_told),
        cmocka_unit_test(lines_with_other_blanks_are_told),
        cmocka_unit_test(curly_quotes_of_code_are_told),
        cmocka_unit_test(long_texts_are_told_of_as_short_ones),
        cmocka_unit_test(lines_that_are_cut_are_told),
        cmocka_unit_test(content_that_leaves_something_out_is_told),
        cmocka_unit_test(of_a_part_little_is_told),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
