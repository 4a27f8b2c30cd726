#include "../dialects/memory.h"

#include "review/review_diff.h"

#include <string.h>

/* "{hunks}" as JSON in one line; to be freed. */
static char *told(em_slice unified)
{
    EM_AUTO(em_arena) arena = {0};
    em_json json = {0};
    json_t *diff = em_review_diff(&json, unified, &arena);
    assert_false(json.failed);
    char *text = json_dumps(diff, JSON_COMPACT);
    json_decref(diff);
    return text;
}

#define HEADER "--- a/f\n+++ b/f\n"

static void changed_words_are_marked(void **state)
{
    (void)state;
    static const struct {
        const char *what, *hunk, *lines;
    } cases[] = {
        {"a word", "@@ -1,2 +1,2 @@\n a\n-one two three\n+one 2 three\n",
         "[\" \",\"a\"],[\"-\",\"one \",\"two\",\" three\"],[\"+\",\"one \",\"2\",\" three\"]"},
        {"several words with the blanks between them", "@@ -1 +1 @@\n-a b c d e\n+a x y d e\n",
         "[\"-\",\"a \",\"b c\",\" d e\"],[\"+\",\"a \",\"x y\",\" d e\"]"},
        {"what only a sign parts", "@@ -1 +1 @@\n-r = 3.14 * r\n+r = math.pi * r\n",
         "[\"-\",\"r = \",\"3.14\",\" * r\"],[\"+\",\"r = \",\"math.pi\",\" * r\"]"},
        {"indentation", "@@ -1 +1 @@\n-  return x\n+\treturn x\n",
         "[\"-\",\"\",\"  \",\"return x\"],[\"+\",\"\",\"\\t\",\"return x\"]"},
        {"blanks between two words", "@@ -1 +1 @@\n-return  x\n+return x\n",
         "[\"-\",\"return\",\"  \",\"x\"],[\"+\",\"return\",\" \",\"x\"]"},
        {"blanks at the end", "@@ -1 +1 @@\n-return x \n+return x\n",
         "[\"-\",\"return x\",\" \"],[\"+\",\"return x\"]"},
        {"a carriage return", "@@ -1 +1 @@\n-return x\r\n+return x\n",
         "[\"-\",\"return x\",\"\\r\"],[\"+\",\"return x\"]"},
        {"not the blank beside what is new", "@@ -1 +1 @@\n-return x.y\n+return (x + 1).y\n",
         "[\"-\",\"return x.y\"],[\"+\",\"return \",\"(\",\"x \",\"+ 1)\",\".y\"]"},
        {"a pair of several lines", "@@ -1,2 +1,2 @@\n-a = 1\n-b = 2\n+a = 3\n+b = 4\n",
         "[\"-\",\"a = \",\"1\"],[\"-\",\"b = \",\"2\"],[\"+\",\"a = \",\"3\"],"
         "[\"+\",\"b = \",\"4\"]"},
        {"nothing in common", "@@ -1 +1 @@\n-one\n+zwei drei\n",
         "[\"-\",\"one\"],[\"+\",\"zwei drei\"]"},
        {"only new", "@@ -0,0 +1,2 @@\n+one\n+\n", "[\"+\",\"one\"],[\"+\",\"\"]"},
        {"an empty line", "@@ -1,3 +1,2 @@\n a\n-\n b\n",
         "[\" \",\"a\"],[\"-\",\"\"],[\" \",\"b\"]"},
        {"no newline at the end",
         "@@ -1 +1 @@\n-x = 1\n\\ No newline at end of file\n+x = 2\n"
         "\\ No newline at end of file\n",
         "[\"-\",\"x = \",\"1\"],[\"\\\\\",\" No newline at end of file\"],"
         "[\"+\",\"x = \",\"2\"],[\"\\\\\",\" No newline at end of file\"]"},
        {"bytes that are no UTF-8", "@@ -1 +1 @@\n-a \xFF\n+a b\n",
         "[\"-\",\"a \",\"\xEF\xBF\xBD\"],[\"+\",\"a \",\"b\"]"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char unified[500], want[700];
        snprintf(unified, sizeof unified, HEADER "%s", cases[i].hunk);
        char *got = told(em_slice_of(unified));
        snprintf(want, sizeof want, "\"lines\":[%s]}],\"truncated\":false}", cases[i].lines);
        if (!strstr(got, want))
            fail_msg("%s: %s\nis not in %s", cases[i].what, want, got);
        free(got);
    }
}

static void hunks_keep_their_numbers(void **state)
{
    (void)state;
    char *got = told(EM_LIT(HEADER "@@ -12 +12 @@\n-a\n+b\n@@ -30,2 +30,0 @@\n--- x\n-y\n"));
    assert_string_equal(got, "{\"hunks\":[{\"old\":12,\"new\":12,\"lines\":[[\"-\",\"a\"],"
                             "[\"+\",\"b\"]]},{\"old\":30,\"new\":30,\"lines\":[[\"-\",\"-- x\"],"
                             "[\"-\",\"y\"]]}],\"truncated\":false}");
    free(got);
}

/* Whatever it is given, it makes an object of it. */
static void what_is_no_diff_has_no_hunks(void **state)
{
    (void)state;
    static const char *const texts[] = {"",
                                        "\n",
                                        "x",
                                        "@@ -",
                                        "@@ -1",
                                        "@@ -1,2",
                                        "@@ -1 x\n a",
                                        HEADER "@@ -0,0 +0,0 @@\n",
                                        HEADER "@@ -1,2 +1 @@\n\n"};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        char *got = told(em_slice_of(texts[i]));
        assert_string_equal(got, "{\"hunks\":[],\"truncated\":false}");
        free(got);
    }
}

static void what_is_no_text_is_told(void **state)
{
    (void)state;
    char *got = told(EM_LIT("Binary files a/f and b/f differ\n"));
    assert_string_equal(got, "{\"binary\":true,\"hunks\":[],\"truncated\":false}");
    free(got);
}

/* ---- Much ----------------------------------------------------------------------------------- */

/* A diff that adds `count` lines of `length` bytes each; `old` of them for as many others. */
static em_strbuf many_lines(size_t old, size_t count, size_t length)
{
    em_strbuf text = {0};
    em_strbuf_printf(&text, HEADER "@@ -%d,%zu +1,%zu @@\n", old > 0, old, count);
    for (size_t i = 0; i < old + count; i++) {
        em_strbuf_putc(&text, i < old ? '-' : '+');
        em_strbuf_printf(&text, "line %zu ", i < old ? i : i + 1000000);
        for (size_t j = 8; j < length; j++)
            em_strbuf_putc(&text, 'x');
        em_strbuf_putc(&text, '\n');
    }
    return text;
}

static size_t lines_of(const em_strbuf *text, bool *truncated)
{
    EM_AUTO(em_arena) arena = {0};
    em_json json = {0};
    json_t *diff = em_review_diff(&json, em_strbuf_slice(text), &arena);
    const json_t *hunk = json_array_get(json_object_get(diff, "hunks"), 0);
    size_t count = json_array_size(json_object_get(hunk, "lines"));
    *truncated = json_is_true(json_object_get(diff, "truncated"));
    json_decref(diff);
    return count;
}

static void a_long_diff_is_cut(void **state)
{
    (void)state;
    bool truncated;
    em_strbuf exact = many_lines(0, EM_REVIEW_DIFF_LINES, 10);
    assert_int_equal(lines_of(&exact, &truncated), EM_REVIEW_DIFF_LINES);
    assert_false(truncated);
    em_strbuf_drop(&exact);
    em_strbuf one_more = many_lines(0, EM_REVIEW_DIFF_LINES + 1, 10);
    assert_int_equal(lines_of(&one_more, &truncated), EM_REVIEW_DIFF_LINES);
    assert_true(truncated);
    em_strbuf_drop(&one_more);
    em_strbuf wide = many_lines(0, 3, EM_REVIEW_DIFF_BYTES / 2);
    assert_int_equal(lines_of(&wide, &truncated), 2);
    assert_true(truncated);
    em_strbuf_drop(&wide);
}

/* Comparing long changes word by word would keep a reader waiting. */
static void long_changes_are_not_compared(void **state)
{
    (void)state;
    em_strbuf some = many_lines(20, 20, 40), many = many_lines(1000, 1000, 40);
    char *got = told(em_strbuf_slice(&some));
    assert_non_null(strstr(got, "[\"-\",\"line \",\"0\",\" x"));
    free(got);
    got = told(em_strbuf_slice(&many));
    assert_non_null(strstr(got, "[\"-\",\"line 0 x"));
    free(got);
    em_strbuf_drop(&some);
    em_strbuf_drop(&many);
}

static bool tell_with_little(void *context)
{
    (void)context;
    EM_AUTO(em_arena) arena = {0};
    em_json json = {0};
    json_t *diff = em_review_diff(
        &json, EM_LIT(HEADER "@@ -1,2 +1,2 @@\n-a one\n-b one\n+a two\n+b two\n"), &arena);
    json_decref(diff);
    return !json.failed;
}

static void memory_may_run_out(void **state)
{
    (void)state;
    assert_true(run_out_of_memory(tell_with_little, NULL) > 20);
}

int main(void)
{
    use_counted_memory();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changed_words_are_marked), cmocka_unit_test(hunks_keep_their_numbers),
        cmocka_unit_test(what_is_no_text_is_told),  cmocka_unit_test(what_is_no_diff_has_no_hunks),
        cmocka_unit_test(a_long_diff_is_cut),       cmocka_unit_test(long_changes_are_not_compared),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
