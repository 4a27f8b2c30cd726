#include "tools/nearest.h"

#include <string.h>

#include "../with_cmocka.h"

static const char *const names[] = {"file_path",     "old_string", "new_string", "replace_all",
                                    "expected_hash", "start_line", "dry_run",    NULL};

static void the_name_that_is_meant(void **state)
{
    (void)state;
    static const struct {
        const char *given, *want;
    } cases[] = {
        {"old_str", "old_string"},
        {"oldString", "old_string"},
        {"OLD-STRING", "old_string"},
        {"old_strnig", "old_string"},
        {"old_text", "old_string"},
        {"new_text", "new_string"},
        {"newstr", "new_string"},
        {"replaceAll", "replace_all"},
        {"all", "replace_all"},
        {"line", "start_line"},
        {"line_start", "start_line"},
        {"lineStart", "start_line"},
        {"string_new", "new_string"},
        {"file", "file_path"},
        {"filename", "file_path"},
        {"path", "file_path"},
        {"dryrun", "dry_run"},
        {"hash", "expected_hash"},
        {"expected", "expected_hash"},
        {"expected_digest", "expected_hash"},
        {"expected_replacements", NULL},
        {"explanation", NULL},
        {"file_text", NULL},
        {"replacement", NULL},
        {"ol", NULL},
        {"content", NULL},
        {"x", NULL},
        {"", NULL},
        {"____", NULL},
        {"old_string_old_string_old_string_old_string_old_string_old_string_old_string_old_string",
         NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *got = em_nearest_name(cases[i].given, names);
        if (cases[i].want ? !got || strcmp(got, cases[i].want) != 0 : got != NULL)
            fail_msg("%s: %s", cases[i].given, got ? got : "nothing");
    }
}

static void the_nearer_one_wins_and_then_the_first(void **state)
{
    (void)state;
    static const char *const alike[] = {"edits", "edit", "edit_file", "file_edit", NULL};
    assert_string_equal(em_nearest_name("edit_", alike), "edit");
    assert_string_equal(em_nearest_name("edti", alike), "edit");
    assert_string_equal(em_nearest_name("edit_flie", alike), "edit_file");
    assert_string_equal(em_nearest_name("editz", alike), "edits");
    static const char *const folded_alike[] = {"edit_file", "editFile", NULL};
    assert_string_equal(em_nearest_name("editFle", folded_alike), "editFile");
    assert_string_equal(em_nearest_name("edit_fle", folded_alike), "edit_file");
    assert_string_equal(em_nearest_name("editfile", folded_alike), "editFile");
    assert_string_equal(em_nearest_name("EDITFILE", folded_alike), "editFile");
    assert_string_equal(em_nearest_name("Edit_File", folded_alike), "edit_file");
    static const char *const cased[] = {"Edit", "edit", NULL};
    assert_string_equal(em_nearest_name("edit_", cased), "edit");
    static const char *const equal[] = {"aab", "aac", NULL};
    assert_string_equal(em_nearest_name("aad", equal), "aab");
    static const char *const cut[] = {"expected_mtime_ms", "expected_size_bytes", NULL};
    assert_string_equal(em_nearest_name("expected_size", cut), "expected_size_bytes");
    assert_string_equal(em_nearest_name("expected_mtime", cut), "expected_mtime_ms");
    static const char *const held[] = {"replace", "create_content", NULL};
    assert_string_equal(em_nearest_name("content", held), "create_content");
    assert_null(em_nearest_name("expectedReplacements", held));
    static const char *const lines[] = {"start_line", "operations", NULL};
    assert_null(em_nearest_name("last_line", lines)); /* which is known for another thing */
    assert_string_equal(em_nearest_name("operation", lines), "operations");
    static const char *const actions[] = {"setText", "remove", NULL};
    assert_string_equal(em_nearest_name("removeElement", actions), "remove");
    assert_null(em_nearest_name("removeText", actions));
    assert_null(em_nearest_name("remove_children", actions));
    static const char *const near[] = {"match", NULL};
    assert_null(em_nearest_name("patch", near));
    static const char *const parts[] = {"new_content", NULL};
    assert_string_equal(em_nearest_name("content", parts), "new_content");
    static const char *const none[] = {NULL};
    assert_null(em_nearest_name("a", none));
}

static void names_of_other_tools_are_synonyms(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        bool want;
    } cases[] = {
        {"path", "file", true},
        {"file_path", "fileName", true},
        {"old_string", "search", true},
        {"oldText", "find", true},
        {"new_string", "replace", true},
        {"replacement", "new_text", true},
        {"edits", "operations", true},
        {"changes", "replacements", true},
        {"text", "content", true},
        {"all", "replace_all", true},
        {"replaceAllOccurrences", "replace_all", true},
        {"preview", "dryRun", true},
        {"occurrences", "expectedReplacements", true},
        {"new_text", "new_content", true},
        {"old_string", "new_string", false},
        {"path", "content", false},
        {"replace", "replace_all", false},
        {"x", "x", false},
        {"", "", false},
        {"offset", "start_line", true},
        {"end", "endLine", true},
        {"offset", "limit", false},
        {"max_lines", "limit", true},
        {"head", "limit", true},
        {"view_range", "line_range", true},
        {"allow_multiple", "replaceAll", true},
        {"relative_path", "file", true},
        {"pathInProject", "file_path", true},
        {"TargetContent", "old_string", true},
        {"needle", "search", true},
        {"ReplacementContent", "new_string", true},
        {"repl", "replace", true},
        {"ReplacementChunks", "edits", true},
        {"blocks", "operations", true},
        {"allow_multiple_occurrences", "replace_all", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (em_are_synonyms(cases[i].a, cases[i].b) != cases[i].want ||
            em_are_synonyms(cases[i].b, cases[i].a) != cases[i].want)
            fail_msg("%s, %s", cases[i].a, cases[i].b);
    }
}

static void words_of_tools_for_the_same(void **state)
{
    (void)state;
    static const struct {
        const char *given, *meant;
    } cases[] = {
        {"text", "value"},
        {"content", "value"},
        {"name", "attr"},
        {"op", "operation"},
        {"op", "action"},
        {"type", "action"},
        {"id", "edit_id"},
        {"names", "tools"},
        {"newText", "new_string"},
        {"innerHTML", "value"},
        {"innerHTML", "setHTML"},
        {"text", "setText"},
        {"before", "insert_before"},
        {"insertAfter", "afterend"},
        {"appendChild", "beforeend"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_true(em_are_synonyms(cases[i].given, cases[i].meant));
    assert_false(em_are_synonyms("name", "value"));
    assert_false(em_are_synonyms("setHTML", "value"));
    assert_false(em_are_synonyms("id", "path"));
}

/* Words that say what is done, and what comes for them. */
static void words_that_are_no_slip_of_another(void **state)
{
    (void)state;
    static const struct {
        const char *came, *word;
        bool want;
    } cases[] = {
        {"insert_befor", "insert_before", true},
        {"insert_befroee", "insert_before", true},
        {"insert_below", "insert_before", false},
        {"before", "insert_before", true},
        {"appendText", "append", true},
        {"unsetAttribute", "setAttribute", false},
        {"no_merge", "merge", false},
        {"replaceAttribute", "removeAttribute", false},
        {"renameClass", "removeClass", false},
        {"at", "insert_at", false},
        {"", "append", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (em_is_word_slip(cases[i].came, cases[i].word) != cases[i].want)
            fail_msg("%s, %s", cases[i].came, cases[i].word);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_name_that_is_meant),
        cmocka_unit_test(words_that_are_no_slip_of_another),
        cmocka_unit_test(the_nearer_one_wins_and_then_the_first),
        cmocka_unit_test(names_of_other_tools_are_synonyms),
        cmocka_unit_test(words_of_tools_for_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
