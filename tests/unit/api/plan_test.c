#include "api.h"

#include "../serve/scarce.h"

/* ---- What plans do ------------------------------------------------------------------------- */

/* What a plan of `edits` makes of `before`, checked. */
static void check_result(const char *what, emend_slice before, const emend_policy *policy,
                         const emend_edit *edits, size_t count, emend_slice want)
{
    emend_text *text;
    emend_plan *plan;
    emend_error err = {.detail = ""};
    char *after;
    size_t length;
    assert_int_equal(emend_text_new(before, NULL, &text, NULL), EMEND_OK);
    if (emend_plan_new(text, policy, edits, count, &plan, &err) != EMEND_OK) {
        print_error("%s: %s: %s\n", what, emend_status_name(err.code), err.detail);
        fail();
    }
    assert_int_equal(emend_plan_apply(plan, &after, &length, NULL), EMEND_OK);
    check_bytes(what, (emend_slice){after, length}, want);
    assert_int_equal(after[length], '\0');
    emend_free(after);
    emend_plan_free(plan);
    emend_text_free(text);
}

static void every_kind_of_edit(void **state)
{
    const struct {
        const char *what;
        emend_slice before;
        emend_edit edit;
        emend_slice want;
    } rows[] = {
        {"replace", LIT("a b c"), {.find = LIT("b"), .replace = LIT("x")}, LIT("a x c")},
        {"replace every",
         LIT("b b"),
         {.find = LIT("b"), .replace = LIT("x"), .expect = EMEND_EVERY},
         LIT("x x")},
        {"replace twice",
         LIT("b b"),
         {.find = LIT("b"), .replace = LIT("x"), .expect = 2},
         LIT("x x")},
        {"replace in a line",
         LIT("b\nb\n"),
         {.find = LIT("b"), .replace = LIT("x"), .first_line = 2, .last_line = 2},
         LIT("b\nx\n")},
        {"regex",
         LIT("f(1, 2)"),
         {.find = LIT("(\\d), (\\d)"), .replace = LIT("$2, $1"), .flags = EMEND_REGEX},
         LIT("f(2, 1)")},
        {"delete", LIT("a b c"), {.kind = EMEND_DELETE, .find = LIT("b ")}, LIT("a c")},
        {"insert before",
         LIT("a\nb\n"),
         {.kind = EMEND_INSERT_BEFORE, .find = LIT("b"), .replace = LIT("x")},
         LIT("a\nxb\n")},
        {"insert after",
         LIT("a\nb\n"),
         {.kind = EMEND_INSERT_AFTER, .find = LIT("a"), .replace = LIT("x")},
         LIT("ax\nb\n")},
        {"append", LIT("a\n"), {.kind = EMEND_APPEND, .replace = LIT("z\n")}, LIT("a\nz\n")},
        {"prepend",
         LIT("\xEF\xBB\xBF"
             "a"),
         {.kind = EMEND_PREPEND, .replace = LIT("z")},
         LIT("\xEF\xBB\xBF"
             "za")},
        {"lines",
         LIT("a\r\nb\r\nc\r\n"),
         {.kind = EMEND_LINES, .replace = LIT("x\n"), .first_line = 2, .last_line = 2},
         LIT("a\r\nx\r\nc\r\n")},
        {"lines that are as expected",
         LIT("a\nb\n"),
         {.kind = EMEND_LINES,
          .find = LIT("b\n"),
          .replace = LIT("x\n"),
          .first_line = 2,
          .last_line = 2,
          .flags = EMEND_EXPECT_TEXT},
         LIT("a\nx\n")},
        {"rewrite", LIT("a\nb\n"), {.kind = EMEND_REWRITE, .replace = LIT("x")}, LIT("x")},
        {"utf-16",
         LIT("\xFF\xFE"
             "a\0b\0"),
         {.find = LIT("b"), .replace = LIT("\xC3\xA9")},
         LIT("\xFF\xFE"
             "a\0\xE9\0")},
        {"an empty text", LIT(""), {.replace = LIT("x")}, LIT("x")},
        {"a flag of another kind: delete",
         LIT("a.c abc"),
         {.kind = EMEND_DELETE, .find = LIT("a.c"), .flags = EMEND_REGEX},
         LIT(" abc")},
        {"a flag of another kind: insert before",
         LIT("ab a."),
         {.kind = EMEND_INSERT_BEFORE,
          .find = LIT("a."),
          .replace = LIT("$0"),
          .flags = EMEND_REGEX},
         LIT("ab $0a.")},
        {"a flag of another kind: append",
         LIT("a"),
         {.kind = EMEND_APPEND, .replace = LIT("$1"), .flags = EMEND_REGEX},
         LIT("a$1")},
        {"a flag of another kind: prepend",
         LIT("a"),
         {.kind = EMEND_PREPEND, .replace = LIT("$1"), .flags = EMEND_REGEX},
         LIT("$1a")},
        {"a flag of another kind: lines",
         LIT("a\nb\n"),
         {.kind = EMEND_LINES,
          .replace = LIT("$1\n"),
          .first_line = 2,
          .last_line = 2,
          .flags = EMEND_REGEX},
         LIT("a\n$1\n")},
        {"a flag of another kind: rewrite",
         LIT("a"),
         {.kind = EMEND_REWRITE, .replace = LIT("$1"), .flags = EMEND_REGEX},
         LIT("$1")},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        check_result(rows[i].what, rows[i].before, NULL, &rows[i].edit, 1, rows[i].want);
}

static void policies(void **state)
{
    static const emend_policy original = {.order = EMEND_ORIGINAL};
    static const emend_policy lenient = {.flags = EMEND_ALLOW_NO_CHANGE | EMEND_ALLOW_PLACEHOLDERS};
    (void)state;
    emend_edit swap[] = {replace("a", "b"), replace("b", "a")};
    check_result("against the original", LIT("a b"), &original, swap, 2, LIT("b a"));
    emend_edit chain[] = {replace("a", "b"), replace("b", "c")};
    check_result("in sequence", LIT("a"), NULL, chain, 2, LIT("c"));
    emend_edit same = replace("a", "a");
    check_result("no change", LIT("a"), &lenient, &same, 1, LIT("a"));
    emend_edit placeholder = replace("a", "// ... existing code ...");
    check_result("a placeholder", LIT("a"), &lenient, &placeholder, 1,
                 LIT("// ... existing code ..."));
    check_result("no edits", LIT("a"), NULL, NULL, 0, LIT("a"));
}

static void a_plan_outlives_its_edits(void **state)
{
    char find[] = "two", with[] = "2";
    emend_text *text;
    (void)state;
    assert_int_equal(emend_text_new(LIT("one two"), NULL, &text, NULL), EMEND_OK);
    emend_plan *plan = plan_one(text, replace(find, with));
    memset(find, 'X', sizeof find);
    memset(with, 'X', sizeof with);
    check_bytes("insert", emend_plan_splice(plan, 0).insert, LIT("2"));
    emend_plan_free(plan);
    emend_text_free(text);
}

/* ---- Looking at them ----------------------------------------------------------------------- */

static void splices_and_places(void **state)
{
    emend_text *text;
    emend_plan *plan;
    (void)state;
    assert_int_equal(emend_text_new(LIT("\xFF\xFE"
                                        "a\0\n\0b\0b\0"),
                                    NULL, &text, NULL),
                     EMEND_OK);
    emend_edit edits[] = {{.find = LIT("b"), .replace = LIT("xy"), .expect = EMEND_EVERY},
                          {.find = LIT("yx"), .replace = LIT("z")}};
    assert_int_equal(emend_plan_new(text, NULL, edits, 2, &plan, NULL), EMEND_OK);

    assert_int_equal(emend_plan_splice_count(plan), 1);
    emend_splice splice = emend_plan_splice(plan, 0);
    assert_int_equal(splice.offset, 6);
    assert_int_equal(splice.length, 4);
    check_bytes("insert", splice.insert, LIT("x\0z\0y\0"));
    assert_null(emend_plan_splice(plan, 1).insert.ptr);

    assert_int_equal(emend_plan_place_count(plan, 0), 2);
    emend_place place = emend_plan_place(plan, 0, 1);
    assert_int_equal(place.line, 2);
    assert_int_equal(place.column, 2);
    assert_int_equal(place.end_line, 2);
    assert_int_equal(place.end_column, 3);
    assert_false(place.inserted);
    assert_true(emend_plan_place(plan, 1, 0).inserted);
    assert_int_equal(emend_plan_place(plan, 1, 1).line, 0);
    assert_int_equal(emend_plan_place_count(plan, 2), 0);
    emend_plan_free(plan);
    emend_text_free(text);
}

static void a_plan_as_a_diff(void **state)
{
    emend_text *text;
    char *diff;
    (void)state;
    assert_int_equal(emend_text_new(LIT("a\nb\n"), NULL, &text, NULL), EMEND_OK);
    emend_plan *plan = plan_one(text, replace("b", "c"));
    assert_int_equal(emend_plan_diff(plan, "x.txt", &diff, NULL), EMEND_OK);
    assert_string_equal(diff, "--- a/x.txt\n+++ b/x.txt\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n");
    emend_free(diff);
    emend_plan_free(plan);
    assert_int_equal(emend_plan_new(text, NULL, NULL, 0, &plan, NULL), EMEND_OK);
    assert_int_equal(emend_plan_splice_count(plan), 0);
    assert_int_equal(emend_plan_diff(plan, "x.txt", &diff, NULL), EMEND_OK);
    assert_string_equal(diff, "");
    emend_free(diff);
    emend_plan_free(plan);
    emend_text_free(text);
}

/* ---- What cannot be planned ---------------------------------------------------------------- */

static void refusals(void **state)
{
    const emend_edit good = {.find = LIT("one"), .replace = LIT("1")};
    const struct {
        const char *what;
        emend_edit edit;
        emend_status want;
        const char *cause;
    } rows[] = {
        {"not there", {.find = LIT("four"), .replace = LIT("4")}, EMEND_E_NO_MATCH, "not_found"},
        {"too often", {.find = LIT("two"), .replace = LIT("2")}, EMEND_E_COUNT, "ambiguous"},
        {"too seldom",
         {.find = LIT("two"), .replace = LIT("2"), .expect = 3},
         EMEND_E_COUNT,
         "too_few"},
        {"the same", {.find = LIT("one"), .replace = LIT("one")}, EMEND_E_INVALID, "no_change"},
        {"empty", {.replace = LIT("x")}, EMEND_E_INVALID, "empty_search"},
        {"a range",
         {.kind = EMEND_LINES, .first_line = 9, .last_line = 9},
         EMEND_E_INVALID,
         "range"},
        {"other lines",
         {.kind = EMEND_LINES,
          .find = LIT("x"),
          .first_line = 1,
          .last_line = 1,
          .flags = EMEND_EXPECT_TEXT},
         EMEND_E_CONFLICT,
         "stale_text"},
        {"a pattern that is none",
         {.find = LIT("("), .replace = LIT("x"), .flags = EMEND_REGEX},
         EMEND_E_INVALID,
         "pattern"},
        {"no such kind", {.kind = (emend_edit_kind)99}, EMEND_E_INVALID, ""},
        {"a negative kind", {.kind = (emend_edit_kind)-1}, EMEND_E_INVALID, ""},
    };
    emend_text *text;
    (void)state;
    assert_int_equal(emend_text_new(LIT("one two two\n"), NULL, &text, NULL), EMEND_OK);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        emend_edit edits[] = {good, rows[i].edit};
        emend_plan *plan = (emend_plan *)&plan;
        emend_error err;
        if (emend_plan_new(text, NULL, edits, 2, &plan, &err) != rows[i].want) {
            print_error("%s: %s\n", rows[i].what, emend_status_name(err.code));
            fail();
        }
        assert_null(plan);
        assert_int_equal(err.code, rows[i].want);
        assert_string_equal(err.cause, rows[i].cause);
        assert_int_equal(err.edit, 1);
        assert_int_equal(emend_plan_new(text, NULL, edits, 2, &plan, NULL), rows[i].want);
    }
    emend_text_free(text);
}

static void a_policy_that_is_none_is_refused(void **state)
{
    static const emend_policy rows[] = {{.order = (emend_order)2},
                                        {.order = (emend_order)-1},
                                        {.most = (emend_tier)4},
                                        {.most = (emend_tier)-1}};
    emend_edit edit = replace("a", "b");
    emend_text *text;
    (void)state;
    assert_int_equal(emend_text_new(LIT("a"), NULL, &text, NULL), EMEND_OK);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        emend_plan *plan;
        emend_error err;
        assert_int_equal(emend_plan_new(text, &rows[i], &edit, 1, &plan, &err), EMEND_E_INVALID);
        assert_int_equal(err.edit, EMEND_NO_EDIT);
        assert_true(err.detail[0] != '\0');
        assert_null(plan);
    }
    emend_text_free(text);
}

/* ---- What is not there exactly -------------------------------------------------------------- */

static void a_looser_tier_is_used_where_it_is_allowed(void **state)
{
    static const struct {
        const char *find;
        emend_tier tier;
    } rows[] = {
        {"red green", EMEND_WHITESPACE},
        {"\xE2\x80\x9C"
         "blue\xE2\x80\x9D sky",
         EMEND_TOKEN},
        {"somethimg rather long", EMEND_FUZZY},
    };
    emend_text *text;
    (void)state;
    assert_int_equal(
        emend_text_new(LIT("red  green\n\"blue\" sky\nsomething rather long\n"), NULL, &text, NULL),
        EMEND_OK);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        for (emend_tier most = EMEND_EXACT; most <= EMEND_FUZZY; most++) {
            emend_policy policy = {.most = most, .deadline_ms = i == 0 ? -1 : 0};
            emend_edit edit = replace(rows[i].find, "x");
            emend_plan *plan;
            emend_status want = most < rows[i].tier ? EMEND_E_NO_MATCH : EMEND_OK;
            assert_int_equal(emend_plan_new(text, &policy, &edit, 1, &plan, NULL), want);
            if (want != EMEND_OK)
                continue;
            emend_place place = emend_plan_place(plan, 0, 0);
            assert_int_equal(place.tier, rows[i].tier);
            assert_int_equal(place.line, i + 1);
            assert_int_equal(place.score >= 1, rows[i].tier != EMEND_FUZZY);
            emend_plan_free(plan);
        }
    }
    emend_plan *exact = plan_one(text, replace("red", "x"));
    assert_int_equal(emend_plan_place(exact, 0, 0).tier, EMEND_EXACT);
    assert_true(emend_plan_place(exact, 0, 0).score >= 1);
    emend_plan_free(exact);
    emend_text_free(text);
}

static void what_is_not_there_says_what_is(void **state)
{
    static const struct {
        const char *find, *cause;
        emend_place place;
    } rows[] = {
        {"red green", "whitespace", {.line = 1, .column = 3, .end_line = 1, .end_column = 13}},
        {"if (x)\n  go();",
         "indentation",
         {.line = 2, .column = 3, .end_line = 3, .end_column = 10}},
    };
    emend_text *text;
    (void)state;
    assert_int_equal(
        emend_text_new(LIT("  red  green\r\n  if (x)\r\n    go();\r\n"), NULL, &text, NULL),
        EMEND_OK);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        emend_edit edit = replace(rows[i].find, "x");
        emend_plan *plan;
        emend_error err;
        assert_int_equal(emend_plan_new(text, NULL, &edit, 1, &plan, &err), EMEND_E_NO_MATCH);
        assert_string_equal(err.cause, rows[i].cause);
        assert_true(err.place_count >= 1);
        assert_int_equal(err.places[0].line, rows[i].place.line);
        assert_int_equal(err.places[0].column, rows[i].place.column);
        assert_int_equal(err.places[0].end_line, rows[i].place.end_line);
        assert_int_equal(err.places[0].end_column, rows[i].place.end_column);
        assert_true(err.places[0].score > 0.5 && err.places[0].score < 1);
    }
    emend_text_free(text);
}

/* What is like it was put there by an edit before: it has no columns in the original. */
static void what_an_edit_inserted_is_told_where_it_went(void **state)
{
    emend_text *text;
    emend_plan *plan;
    emend_error err;
    emend_edit edits[] = {replace("two", "x\n    some rather long line of text\n    and one more"),
                          replace("some rather lung line of text\n    and one mere", "y")};
    (void)state;
    assert_int_equal(emend_text_new(LIT("one\n  two\nthree\n"), NULL, &text, NULL), EMEND_OK);
    assert_int_equal(emend_plan_new(text, NULL, edits, 2, &plan, &err), EMEND_E_NO_MATCH);
    assert_int_equal(err.edit, 1);
    assert_true(err.place_count >= 1);
    assert_true(err.places[0].inserted);
    assert_int_equal(err.places[0].line, 2);
    assert_int_equal(err.places[0].end_line, 2);
    assert_true(err.places[0].column == err.places[0].end_column);
    assert_in_range(err.places[0].column, 3, 6);
    emend_text_free(text);
}

/* Kept to some lines, and standing in others. */
static void a_text_beside_its_lines_is_told(void **state)
{
    const struct {
        emend_slice text;
        emend_edit edit;
        emend_place place;
    } rows[] = {
        {LIT("a\nb\nc\nsome text\nd\n"),
         {.find = LIT("some text"), .replace = LIT("x"), .first_line = 1, .last_line = 2},
         {.line = 4, .column = 1, .end_line = 4, .end_column = 10}},
        {LIT("a\r\nb\r\nc\r\n"),
         {.find = LIT("b\nc"), .replace = LIT("x"), .first_line = 1, .last_line = 2},
         {.line = 2, .column = 1, .end_line = 3, .end_column = 2}},
        {LIT("some textt\nb\n\xC3\xA9some text\n"), /* which is hardly less like it */
         {.kind = EMEND_INSERT_AFTER,
          .find = LIT("some text\n"),
          .replace = LIT("x"),
          .last_line = 2},
         {.line = 3, .column = 2, .end_line = 4, .end_column = 1}},
        {LIT("a\nb\nc7\n"),
         {.find = LIT("\\d"), .replace = LIT("x"), .last_line = 2, .flags = EMEND_REGEX},
         {.line = 3, .column = 2, .end_line = 3, .end_column = 3}},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        emend_text *text;
        emend_plan *plan;
        emend_error err;
        const emend_place *want = &rows[i].place, *got = &err.places[0];
        assert_int_equal(emend_text_new(rows[i].text, NULL, &text, NULL), EMEND_OK);
        assert_int_equal(emend_plan_new(text, NULL, &rows[i].edit, 1, &plan, &err),
                         EMEND_E_NO_MATCH);
        assert_non_null(strstr(err.detail, "it does at line"));
        assert_true(err.place_count >= 1);
        assert_int_equal(got->line, want->line);
        assert_int_equal(got->column, want->column);
        assert_int_equal(got->end_line, want->end_line);
        assert_int_equal(got->end_column, want->end_column);
        assert_int_equal(got->tier, EMEND_EXACT);
        assert_true(got->score >= 1);
        emend_text_free(text);
    }
}

static void a_search_ends_at_its_deadline(void **state)
{
    static char much[4000000];
    emend_text *text;
    emend_plan *plan;
    emend_edit edit = replace("if (x) {\n  go();\n}", "x");
    emend_policy policy = {.most = EMEND_FUZZY, .deadline_ms = 1};
    (void)state;
    for (size_t i = 0; i < sizeof much; i++)
        much[i] = "if (y) { go(); }\n"[i * 7 / 5 % 17];
    assert_int_equal(emend_text_new((emend_slice){much, sizeof much}, NULL, &text, NULL), EMEND_OK);
    assert_int_equal(emend_plan_new(text, &policy, &edit, 1, &plan, NULL), EMEND_E_TIMEOUT);
    emend_text_free(text);
}

static void the_file_may_not_hold_the_text(void **state)
{
    emend_text *text;
    emend_plan *plan;
    emend_error err;
    emend_edit edit = replace("f", "\xE2\x82\xAC");
    (void)state;
    assert_int_equal(emend_text_new(LIT("caf\xE9"), NULL, &text, NULL), EMEND_OK);
    assert_int_equal(emend_plan_new(text, NULL, &edit, 1, &plan, &err), EMEND_E_INVALID);
    assert_string_equal(err.cause, "encoding");
    assert_null(plan);
    emend_text_free(text);
}

/* What comes of the edit is known only when all of it is planned. */
static void who_brings_what_the_file_cannot_hold_is_named(void **state)
{
    const emend_edit ok = replace("a", "A");
    const emend_edit whole = {.kind = EMEND_REWRITE, .replace = LIT("caf\xC3\xA9 \xE2\x82\xAC")};
    const emend_edit moved = {.find = LIT("(f)(.)"), .replace = LIT("$2$1"), .flags = EMEND_REGEX};
    const struct {
        const char *encoding;
        emend_edit edits[3];
        ptrdiff_t at_fault;
        const char *detail;
    } rows[] = {
        {NULL, {whole, ok, replace("c", "C")}, 0, "name it with `encoding`"},
        {"iso-8859-1", {ok, whole, replace("c", "C")}, 1, "U+20AC"},
        {NULL, {ok, replace("c", "C"), moved}, 2, "the byte 0xE9 anew"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        emend_text *text;
        emend_plan *plan;
        emend_error err;
        assert_int_equal(emend_text_new(LIT("caf\xE9"), rows[i].encoding, &text, NULL), EMEND_OK);
        assert_int_equal(emend_plan_new(text, NULL, rows[i].edits, 3, &plan, &err),
                         EMEND_E_INVALID);
        assert_string_equal(err.cause, "encoding");
        if (err.edit != rows[i].at_fault || !strstr(err.detail, rows[i].detail)) {
            print_error("row %zu: edit %td: %s\n", i, err.edit, err.detail);
            fail();
        }
        emend_text_free(text);
    }
}

/* They are as exact as what would have been taken. */
static void places_of_a_wrong_count_have_their_tier(void **state)
{
    static const emend_policy loose = {.most = EMEND_FUZZY};
    static const struct {
        const char *find;
        emend_tier tier;
    } rows[] = {{"red green", EMEND_WHITESPACE}, {"somethimg rather long", EMEND_FUZZY}};
    emend_text *text;
    (void)state;
    assert_int_equal(emend_text_new(LIT("red  green\nred   green\n"
                                        "something rather long\nx\nsomething rather long\n"),
                                    NULL, &text, NULL),
                     EMEND_OK);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        emend_edit edit = replace(rows[i].find, "x");
        emend_plan *plan;
        emend_error err;
        assert_int_equal(emend_plan_new(text, &loose, &edit, 1, &plan, &err), EMEND_E_COUNT);
        assert_int_equal(err.place_count, 2);
        for (size_t j = 0; j < err.place_count; j++) {
            assert_int_equal(err.places[j].tier, rows[i].tier);
            assert_int_equal(err.places[j].score >= 1, rows[i].tier != EMEND_FUZZY);
            assert_true(err.places[j].score > 0.5);
        }
    }
    emend_text_free(text);
}

static void a_wrong_count_says_where(void **state)
{
    char many[3 * EMEND_ERROR_PLACES + 3];
    emend_text *text;
    emend_plan *plan;
    emend_error err;
    (void)state;
    for (size_t i = 0; i < sizeof many; i++)
        many[i] = i % 3 == 1 ? 'x' : i % 3 == 2 ? '\n' : ' ';
    emend_slice bytes = {many, sizeof many};
    emend_edit edit = replace("x", "y");
    assert_int_equal(emend_text_new(bytes, NULL, &text, NULL), EMEND_OK);
    assert_int_equal(emend_plan_new(text, NULL, &edit, 1, &plan, &err), EMEND_E_COUNT);
    assert_int_equal(err.found, EMEND_ERROR_PLACES + 1);
    assert_int_equal(err.place_count, EMEND_ERROR_PLACES);
    for (size_t i = 0; i < err.place_count; i++) {
        assert_int_equal(err.places[i].line, i + 1);
        assert_int_equal(err.places[i].column, 2);
        assert_int_equal(err.places[i].end_column, 3);
    }
    emend_text_free(text);
}

static void an_overlap_names_both(void **state)
{
    static const emend_policy original = {.order = EMEND_ORIGINAL};
    emend_text *text;
    emend_plan *plan;
    emend_error err;
    emend_edit edits[] = {replace("ab", "x"), replace("d", "y"), replace("bc", "z")};
    (void)state;
    assert_int_equal(emend_text_new(LIT("abcd"), NULL, &text, NULL), EMEND_OK);
    assert_int_equal(emend_plan_new(text, &original, edits, 3, &plan, &err), EMEND_E_OVERLAP);
    assert_int_equal(err.edit, 2);
    assert_int_equal(err.other_edit, 0);
    assert_int_equal(err.place_count, 0);
    emend_text_free(text);
}

/* ---- Memory -------------------------------------------------------------------------------- */

/* Plan, apply and show; whatever is refused memory says so, and no other thing happens. */
static void plan_while_scarce(const emend_text *text, long nth, bool *hit)
{
    static char much[100000]; /* more than fits where other things went before */
    emend_edit edit = replace("e\n", "");
    emend_plan *plan;
    memset(much, 'x', sizeof much);
    edit.replace = (emend_slice){much, sizeof much};
    char *bytes = NULL, *diff = NULL;
    size_t length = 1;
    emend_error err;
    scarce_begin(nth);
    emend_status status = emend_plan_new(text, NULL, &edit, 1, &plan, &err);
    assert_true((status == EMEND_OK) == (plan != NULL));
    if (status == EMEND_OK)
        status = emend_plan_apply(plan, &bytes, &length, &err);
    if (status == EMEND_OK)
        status = emend_plan_diff(plan, "x", &diff, &err);
    *hit = scarce_end();
    assert_int_equal(status, *hit ? EMEND_E_NOMEM : EMEND_OK);
    if (*hit)
        assert_int_equal(err.code, EMEND_E_NOMEM);
    assert_true(*hit == !diff);
    assert_true(bytes || !diff);
    emend_free(bytes);
    emend_free(diff);
    emend_plan_free(plan);
}

static void memory_may_run_out(void **state)
{
    emend_text *text;
    (void)state;
    assert_int_equal(emend_text_new(LIT("b\xEAte\n"), "windows-1252", &text, NULL), EMEND_OK);
    long nth = 0;
    for (bool hit = true; hit; nth++)
        plan_while_scarce(text, nth, &hit);
    assert_true(nth > 5);
    emend_text_free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_edit),
        cmocka_unit_test(policies),
        cmocka_unit_test(a_plan_outlives_its_edits),
        cmocka_unit_test(splices_and_places),
        cmocka_unit_test(a_plan_as_a_diff),
        cmocka_unit_test(refusals),
        cmocka_unit_test(a_policy_that_is_none_is_refused),
        cmocka_unit_test(a_looser_tier_is_used_where_it_is_allowed),
        cmocka_unit_test(what_is_not_there_says_what_is),
        cmocka_unit_test(what_an_edit_inserted_is_told_where_it_went),
        cmocka_unit_test(a_text_beside_its_lines_is_told),
        cmocka_unit_test(a_search_ends_at_its_deadline),
        cmocka_unit_test(the_file_may_not_hold_the_text),
        cmocka_unit_test(who_brings_what_the_file_cannot_hold_is_named),
        cmocka_unit_test(a_wrong_count_says_where),
        cmocka_unit_test(places_of_a_wrong_count_have_their_tier),
        cmocka_unit_test(an_overlap_names_both),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
