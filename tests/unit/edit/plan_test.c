#include "edit/plan.h"

#include "base/strbuf.h"
#include "check_texts.h"
#include "match/similar_places.h"
#include "text/token.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

static const em_policy sequential = {.order = EM_SEQUENTIAL};
static const em_policy original = {.order = EM_ORIGINAL};
static const em_policy with_previews = {.order = EM_SEQUENTIAL, .keep_previews = true};

typedef struct planned {
    em_arena arena;
    em_text text;
    em_lines lines;
    em_plan plan;
    em_plan_failure failure;
    em_error err;
    em_slice result;
} planned;

static void planned_drop(planned *p)
{
    em_arena_drop(&p->arena);
}

static em_status make_bytes(planned *p, em_slice raw, const em_policy *policy, const em_op *ops,
                            size_t count)
{
    *p = (planned){.err = EM_ERROR_INIT};
    assert_int_equal(em_text_open(raw, NULL, &p->arena, &p->text, &p->err), EM_OK);
    assert_int_equal(em_lines_init(&p->text, &p->arena, &p->lines), EM_OK);
    em_plan_request request = {{&p->text, &p->lines}, policy, ops, count};
    em_status status = em_plan_make(&request, &p->arena, &p->plan, &p->failure, &p->err);
    if (status == EM_OK)
        assert_int_equal(em_splices_apply(p->text.body, p->plan.splices, &p->arena, &p->result),
                         EM_OK);
    return status;
}

static em_status make(planned *p, const char *text, const em_policy *policy, const em_op *ops,
                      size_t count)
{
    return make_bytes(p, em_slice_of(text), policy, ops, count);
}

#define REPLACE(from, to, times)                                                                   \
    {                                                                                              \
        .kind = EM_OP_REPLACE, .find = {from, sizeof from - 1}, .insert = {to, sizeof to - 1},     \
        .expect = times                                                                            \
    }

/* The same of texts that are not known here. */
static em_op replacement(const char *find, const char *insert)
{
    return (em_op){.kind = EM_OP_REPLACE,
                   .find = em_slice_of(find),
                   .insert = em_slice_of(insert),
                   .expect = 1};
}

/* ---- What each kind of op does -------------------------------------------------------------- */

static const struct {
    const char *what, *text;
    em_op op;
    const char *want;
} kinds[] = {
    {"replace", "Hello World", REPLACE("World", "Universe", 1), "Hello Universe"},
    {"replace every", "a b a", REPLACE("a", "cc", EM_EVERY), "cc b cc"},
    {"replace two", "a b a", REPLACE("a", "c", 2), "c b c"},
    {"fill an empty file", "", REPLACE("", "x\n", 1), "x\n"},
    {"delete", "abc", {.kind = EM_OP_DELETE, .find = {"b", 1}, .expect = 1}, "ac"},
    {"insert before",
     "abc",
     {.kind = EM_OP_INSERT_BEFORE, .find = {"b", 1}, .insert = {"-", 1}, .expect = 1},
     "a-bc"},
    {"insert after",
     "abc",
     {.kind = EM_OP_INSERT_AFTER, .find = {"b", 1}, .insert = {"-", 1}, .expect = 1},
     "ab-c"},
    {"append", "a\r\n", {.kind = EM_OP_APPEND, .insert = {"b\n", 2}}, "a\r\nb\r\n"},
    {"prepend", "a\n", {.kind = EM_OP_PREPEND, .insert = {"b\n", 2}}, "b\na\n"},
    {"prepend behind a BOM",
     "\xEF\xBB\xBF"
     "a",
     {.kind = EM_OP_PREPEND, .insert = {"b", 1}},
     "\xEF\xBB\xBF"
     "ba"},
    {"rewrite as it is", "a\r\nb\r\n", {.kind = EM_OP_REWRITE, .insert = {"x\ny\n", 4}}, "x\ny\n"},
    {"rewrite keeps the BOM",
     "\xEF\xBB\xBF"
     "a",
     {.kind = EM_OP_REWRITE, .insert = {"b", 1}},
     "\xEF\xBB\xBF"
     "b"},
    {"rewrite doubles no BOM",
     "\xEF\xBB\xBF"
     "a",
     {.kind = EM_OP_REWRITE,
      .insert = {"\xEF\xBB\xBF"
                 "b",
                 4}},
     "\xEF\xBB\xBF"
     "b"},
    {"lines",
     "1\n2\n3\n4\n",
     {.kind = EM_OP_LINES, .first_line = 2, .last_line = 3, .insert = {"two\n", 4}},
     "1\ntwo\n4\n"},
    {"lines: a missing end is added",
     "1\n2\n3\n",
     {.kind = EM_OP_LINES, .first_line = 2, .last_line = 2, .insert = {"two", 3}},
     "1\ntwo\n3\n"},
    {"lines: not at an end without one",
     "1\n2",
     {.kind = EM_OP_LINES, .first_line = 2, .last_line = 2, .insert = {"two", 3}},
     "1\ntwo"},
    {"lines: CRLF",
     "1\r\n2\r\n3\r\n",
     {.kind = EM_OP_LINES, .first_line = 2, .last_line = 2, .insert = {"a\nb", 3}},
     "1\r\na\r\nb\r\n3\r\n"},
    {"lines: CR",
     "1\r2\r3\r",
     {.kind = EM_OP_LINES, .first_line = 2, .last_line = 2, .insert = {"b", 1}},
     "1\rb\r3\r"},
    {"lines: a CR in the text is kept as it is",
     "1\r\n2\r\n",
     {.kind = EM_OP_LINES, .first_line = 1, .last_line = 1, .insert = {"a\rb", 3}},
     "a\rb\r\n2\r\n"},
    {"lines: empty deletes them",
     "1\n2\n3\n",
     {.kind = EM_OP_LINES, .first_line = 2, .last_line = 3},
     "1\n"},
    {"endings one by one", "a\r\nb\nc\n", REPLACE("a\nb\nc", "1\n2\n3", 1), "1\r\n2\n3\n"},
    {"further endings like the last", "a\r\nb", REPLACE("a\nb", "1\n2\n3", 1), "1\r\n2\r\n3"},
    {"no ending replaced: the dominant", "a\r\nb\r\nc", REPLACE("c", "c\nd", 1),
     "a\r\nb\r\nc\r\nd"},
    {"a CR in the replacement: as it is", "a\nb\n", REPLACE("a", "x\r\ny\n", 1), "x\r\ny\n\nb\n"},
    {"a CRLF before CRLFs", "a\r\nfoo\r\nbar\r\n", REPLACE("\nfoo\r\nbar", "Q", 1), "aQ\r\n"},
    {"... for another", "a\r\nfoo\r\nbar\r\n", REPLACE("\nfoo\r\nbar", "\r\nQ\r\nR", 1),
     "a\r\nQ\r\nR\r\n"},
    {"... for an LF before others", "a\r\nfoo\r\nbar\r\n", REPLACE("\nfoo\r\nbar", "\nQ\r\nR", 1),
     "a\r\nQ\r\nR\r\n"},
    {"... for an LF", "a\r\nfoo\r\nbar\r\n", REPLACE("\nfoo\r\nbar", "\nQ", 1), "a\r\nQ\r\n"},
    {"from a CRLF into another", "a\r\nfoo\r\nbar\r\n", REPLACE("\nfoo\r", "", 1), "a\r\nbar\r\n"},
    {"each place its own endings", "a\nz\na\r\nz\n", REPLACE("a", "b\nc", EM_EVERY),
     "b\nc\nz\nb\nc\r\nz\n"},
    {"regex characters are plain", "a.b*(x|y)$1", REPLACE("(x|y)$1", "\\1$&", 1), "a.b*\\1$&"},
};

static void each_kind_of_op(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        EM_AUTO(planned) p;
        if (make(&p, kinds[i].text, &sequential, &kinds[i].op, 1) != EM_OK) {
            print_error("%s: %s\n", kinds[i].what, p.err.detail);
            fail();
        }
        check_bytes(kinds[i].what, p.result, em_slice_of(kinds[i].want));
    }
}

/* ---- What is refused ------------------------------------------------------------------------ */

static const em_slice expected_b = {"b\n", 2};

static const struct {
    const char *what;
    em_slice text;
    em_op op;
    em_status status;
    em_cause cause;
} refusals[] = {
    {"not there", {"abc", 3}, REPLACE("x", "y", 1), EM_E_NO_MATCH, EM_CAUSE_NOT_FOUND},
    {"not there, every",
     {"abc", 3},
     REPLACE("x", "y", EM_EVERY),
     EM_E_NO_MATCH,
     EM_CAUSE_NOT_FOUND},
    {"too often", {"a a", 3}, REPLACE("a", "y", 1), EM_E_COUNT, EM_CAUSE_AMBIGUOUS},
    {"too seldom", {"a a", 3}, REPLACE("a", "y", 3), EM_E_COUNT, EM_CAUSE_TOO_FEW},
    {"done already",
     {"int wanted = 2;", 15},
     REPLACE("int wanted = 1;", "int wanted = 2;", 1),
     EM_E_NO_MATCH,
     EM_CAUSE_ALREADY_APPLIED},
    {"nothing changes", {"a", 1}, REPLACE("a", "a", 1), EM_E_INVALID, EM_CAUSE_NO_CHANGE},
    {"nothing is inserted", {"a", 1}, {.kind = EM_OP_APPEND}, EM_E_INVALID, EM_CAUSE_NO_CHANGE},
    {"empty search", {"a", 1}, REPLACE("", "y", 1), EM_E_INVALID, EM_CAUSE_EMPTY_SEARCH},
    {"placeholder",
     {"a\nb\n", 4},
     REPLACE("a\nb", "c\n// ... existing code ...", 1),
     EM_E_INVALID,
     EM_CAUSE_PLACEHOLDER},
    {"a placeholder beside code",
     {"a();\nb();\n", 10},
     REPLACE("a();", "c();  // ... existing code ...", 1),
     EM_E_INVALID,
     EM_CAUSE_PLACEHOLDER},
    {"a placeholder for lines",
     {"a();\nb();\n", 10},
     {.kind = EM_OP_LINES,
      .first_line = 1,
      .last_line = 2,
      .insert = {"a();\n// ... existing code ...", 29}},
     EM_E_INVALID,
     EM_CAUSE_PLACEHOLDER},
    {"lines that are so already",
     {"a\r\nb\r\n", 6},
     {.kind = EM_OP_LINES, .first_line = 2, .last_line = 2, .insert = {"b", 1}},
     EM_E_INVALID,
     EM_CAUSE_NO_CHANGE},
    {"lines that are so already, as expected",
     {"a\nb\n", 4},
     {.kind = EM_OP_LINES,
      .first_line = 2,
      .last_line = 2,
      .insert = {"b\n", 2},
      .expected_text = &expected_b},
     EM_E_INVALID,
     EM_CAUSE_NO_CHANGE},
    {"NUL in the replacement", {"a", 1}, REPLACE("a", "b\0", 1), EM_E_INVALID, EM_CAUSE_NUL},
    {"NUL in the search", {"a", 1}, REPLACE("a\0", "b", 1), EM_E_NO_MATCH, EM_CAUSE_NOT_FOUND},
    {"an 8-bit file and a replacement beyond ASCII",
     {"a\xE9", 2},
     REPLACE("a", "\xC3\xA9", 1),
     EM_E_INVALID,
     EM_CAUSE_ENCODING},
    {"an 8-bit file and a search beyond ASCII",
     {"a\xE9", 2},
     REPLACE("\xC3\xA9", "a", 1),
     EM_E_INVALID,
     EM_CAUSE_ENCODING},
    {"line 0",
     {"a\n", 2},
     {.kind = EM_OP_LINES, .first_line = 0, .last_line = 1},
     EM_E_INVALID,
     EM_CAUSE_RANGE},
    {"backwards",
     {"a\nb\n", 4},
     {.kind = EM_OP_LINES, .first_line = 2, .last_line = 1},
     EM_E_INVALID,
     EM_CAUSE_RANGE},
    {"beyond the end",
     {"a\n", 2},
     {.kind = EM_OP_LINES, .first_line = 1, .last_line = 2},
     EM_E_INVALID,
     EM_CAUSE_RANGE},
    {"stale lines",
     {"a\nc\n", 4},
     {.kind = EM_OP_LINES, .first_line = 2, .last_line = 2, .expected_text = &expected_b},
     EM_E_CONFLICT,
     EM_CAUSE_STALE_TEXT},
};

static void each_refusal_has_its_cause(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(refusals); i++) {
        EM_AUTO(planned) p;
        em_status status = make_bytes(&p, refusals[i].text, &sequential, &refusals[i].op, 1);
        check_size(refusals[i].what, status, refusals[i].status);
        check_size(refusals[i].what, p.err.cause, refusals[i].cause);
        check_size(refusals[i].what, (size_t)p.err.edit, 0);
        check_size(refusals[i].what, p.plan.splices.count, 0);
    }
}

static void placeholders_may_be_allowed(void **state)
{
    (void)state;
    EM_AUTO(planned) p;
    em_policy lax = {.allow_placeholders = true};
    em_op op = REPLACE("a", "// existing code", 1);
    assert_int_equal(make(&p, "a\n", &lax, &op, 1), EM_OK);
    check_bytes("text", p.result, EM_LIT("// existing code\n"));
}

static void a_search_text_may_be_demanded(void **state)
{
    (void)state;
    em_policy strict = {.demand_find = true};
    em_op fills = REPLACE("", "x", 1), nothing = REPLACE("", "", 1);
    EM_AUTO(planned) p;
    EM_AUTO(planned) q;
    assert_int_equal(make(&p, "", &strict, &fills, 1), EM_E_INVALID);
    assert_int_equal(p.err.cause, EM_CAUSE_EMPTY_SEARCH);
    assert_int_equal(make(&q, "a", &strict, &nothing, 1), EM_E_INVALID);
    assert_int_equal(q.err.cause, EM_CAUSE_EMPTY_SEARCH);
}

/* Nothing is done before it, and what is wrong with an op before it is told first, but for that it
 * is not there. */
static void placeholders_are_told_before_anything_is_located(void **state)
{
    (void)state;
    static const em_policy partial = {.order = EM_SEQUENTIAL, .extent = EM_AS_FAR_AS_OK};
    static const em_policy on_original = {.order = EM_ORIGINAL};
    static const struct {
        const char *what;
        const em_policy *policy;
        em_op first;
        em_cause cause;
        size_t edit;
    } cases[] = {
        {"behind a miss", &sequential, REPLACE("x", "y", 1), EM_CAUSE_PLACEHOLDER, 1},
        {"behind a miss in the original", &on_original, REPLACE("x", "y", 1), EM_CAUSE_PLACEHOLDER,
         1},
        {"behind what could be done", &partial, REPLACE("a", "x", 1), EM_CAUSE_PLACEHOLDER, 1},
        {"behind no change", &partial, REPLACE("a", "a", 1), EM_CAUSE_NO_CHANGE, 0},
        {"behind an empty search", &sequential, REPLACE("", "y", 1), EM_CAUSE_EMPTY_SEARCH, 0},
        {"behind a NUL", &sequential, REPLACE("a", "\0", 1), EM_CAUSE_NUL, 0},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(planned) p;
        const em_op ops[] = {cases[i].first, REPLACE("b", "// ... existing code ...", 1)};
        check_size(cases[i].what, make(&p, "a\nb\n", cases[i].policy, ops, 2), EM_E_INVALID);
        check_size(cases[i].what, p.err.cause, cases[i].cause);
        check_size(cases[i].what, (size_t)p.err.edit, cases[i].edit);
        check_size(cases[i].what, p.plan.op_count, 0);
        check_size(cases[i].what, p.plan.splices.count, 0);
    }
}

static void what_lines_leave_out_already_may_stay(void **state)
{
    (void)state;
    EM_AUTO(planned) p;
    em_op op = {.kind = EM_OP_LINES,
                .first_line = 1,
                .last_line = 2,
                .insert = EM_LIT("b\n// ... existing code ...")};
    assert_int_equal(make(&p, "a\n// ... existing code ...\n", &sequential, &op, 1), EM_OK);
    check_bytes("text", p.result, EM_LIT("b\n// ... existing code ...\n"));
}

static void no_change_may_be_allowed(void **state)
{
    (void)state;
    const em_op ops[] = {
        REPLACE("a", "a", 1),
        {.kind = EM_OP_LINES, .first_line = 1, .last_line = 1, .insert = {"a", 1}},
    };
    em_policy lax = {.allow_no_change = true};
    for (size_t i = 0; i < COUNT_OF(ops); i++) {
        EM_AUTO(planned) p;
        assert_int_equal(make(&p, "a\n", &lax, &ops[i], 1), EM_OK);
        assert_int_equal(p.plan.splices.count, 0);
        assert_int_equal(p.plan.replacements, 1);
    }
}

static void expected_lines_are_compared_without_their_endings(void **state)
{
    (void)state;
    static const struct {
        const char *text, *expected;
        em_status want;
    } cases[] = {
        {"a\r\nb\r\nc", "a\nb", EM_OK},         {"a\r\nb\r\nc", "a\r\nb\r\n", EM_OK},
        {"a\nb\nc", "a\nb\n", EM_OK},           {"a\nb\nc", "ab", EM_E_CONFLICT},
        {"a\nb\nc", "a\nb\n\n", EM_E_CONFLICT}, {"a\nb\nc", "a", EM_E_CONFLICT},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(planned) p;
        em_slice expected = em_slice_of(cases[i].expected);
        em_op op = {.kind = EM_OP_LINES,
                    .first_line = 1,
                    .last_line = 2,
                    .insert = EM_LIT("x"),
                    .expected_text = &expected};
        check_size(cases[i].expected, make(&p, cases[i].text, &sequential, &op, 1), cases[i].want);
    }
}

static void a_stale_range_shows_what_it_holds(void **state)
{
    (void)state;
    EM_AUTO(planned) p;
    em_op op = {.kind = EM_OP_LINES, .first_line = 2, .last_line = 2, .expected_text = &expected_b};
    assert_int_equal(make(&p, "a\nc\nd\n", &sequential, &op, 1), EM_E_CONFLICT);
    check_bytes("found", p.failure.found, EM_LIT("c\n"));
}

static void a_stale_range_tells_where_its_lines_went(void **state)
{
    (void)state;
    static const struct {
        const char *text, *expected;
        size_t first, last;
    } cases[] = {
        {"a\nx\nb\nc\n", "b\nc\n", 3, 4},
        {"a\r\nx\r\nb\r\nc", "b\nc", 3, 4},
        {"a\nx\nb", "b", 3, 3},
        {"\xEF\xBB\xBF"
         "b\nx\n",
         "b", 1, 1},
        {"b\nx\nb\n", "b\n", 0, 0},
        {"a\nx\nbb\nab\n", "b", 0, 0},
        {"a\nx\nb b\nb\n", "b", 4, 4},
        {"a\nx\nb\ncd\n", "b\nc", 0, 0},
        {"a\nx\n\n", "", 0, 0},
        {"a\nx\nb\r\nc\r\n", "b\r\nc\r\n", 3, 4},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(planned) p;
        em_slice expected = em_slice_of(cases[i].expected);
        em_op op = {.kind = EM_OP_LINES,
                    .first_line = 2,
                    .last_line = 2,
                    .insert = EM_LIT("y"),
                    .expected_text = &expected};
        check_size(cases[i].text, make(&p, cases[i].text, &sequential, &op, 1), EM_E_CONFLICT);
        check_size(cases[i].text, p.failure.moved.first, cases[i].first);
        check_size(cases[i].text, p.failure.moved.last, cases[i].last);
    }
}

/* ---- Sequences ------------------------------------------------------------------------------ */

static void each_edit_sees_the_ones_before(void **state)
{
    (void)state;
    EM_AUTO(planned) p;
    const em_op ops[] = {REPLACE("const", "let", 2), REPLACE("let a", "let x", 1),
                         REPLACE("= 1", "= 100", 1)};
    assert_int_equal(make(&p, "const a = 1;\nconst b = 2;", &sequential, ops, 3), EM_OK);
    check_bytes("text", p.result, EM_LIT("let x = 100;\nlet b = 2;"));
    assert_int_equal(p.plan.replacements, 4);
    assert_int_equal(p.plan.places[0].count, 2);
    assert_int_equal(em_lines_at(&p.lines, p.plan.places[0].items[1].start), 2);
}

static void the_failing_edit_is_named(void **state)
{
    (void)state;
    EM_AUTO(planned) p;
    const em_op ops[] = {REPLACE("one ", "", 1), REPLACE("one", "x", 1)};
    assert_int_equal(make(&p, "one two\n", &sequential, ops, 2), EM_E_NO_MATCH);
    assert_int_equal(p.err.edit, 1);
}

static void places_are_those_of_the_original(void **state)
{
    (void)state;
    EM_AUTO(planned) p;
    const em_op ops[] = {REPLACE("1\n", "1\nnew\nlines\n", 1), REPLACE("3", "three", 1),
                         REPLACE("lines", "rows", 1)};
    assert_int_equal(make(&p, "1\n2\n3\n", &sequential, ops, 3), EM_OK);
    em_match third = p.plan.places[1].items[0];
    assert_false(third.inserted);
    assert_int_equal(em_lines_at(&p.lines, third.start), 3);
    em_match rows = p.plan.places[2].items[0];
    assert_true(rows.inserted);
    check_bytes("its line", rows.line_text, EM_LIT("lines"));
    assert_int_equal(rows.line_at, 0);
    assert_int_equal(em_lines_at(&p.lines, rows.start), 1);
}

static void a_wrong_count_shows_the_places(void **state)
{
    (void)state;
    static const struct {
        size_t expect;
        em_status status;
        em_cause cause;
        size_t told;
    } cases[] = {
        {1, EM_E_COUNT, EM_CAUSE_AMBIGUOUS, EM_MAX_FAILED_PLACES},
        {299, EM_E_COUNT, EM_CAUSE_AMBIGUOUS, EM_MAX_FAILED_PLACES},
        {300, EM_OK, EM_CAUSE_NONE, 0},
        {301, EM_E_COUNT, EM_CAUSE_TOO_FEW, EM_MAX_FAILED_PLACES},
        {EM_MAX_PLACES + 1, EM_E_COUNT, EM_CAUSE_TOO_FEW, EM_MAX_FAILED_PLACES},
        {EM_EVERY, EM_OK, EM_CAUSE_NONE, 0},
    };
    char text[601];
    for (size_t i = 0; i < 300; i++)
        memcpy(text + 2 * i, "x\n", 3);
    for (size_t i = 0; i < 2 * COUNT_OF(cases); i++) {
        size_t k = i / 2;
        EM_AUTO(planned) p;
        em_op op = REPLACE("x", "y", cases[k].expect);
        op.regex = i % 2;
        check_size("status", make(&p, text, &sequential, &op, 1), cases[k].status);
        check_size("cause", p.err.cause, cases[k].cause);
        check_size("expected", p.failure.expected, cases[k].expect);
        check_size("actual", p.failure.actual, 300);
        check_size("told", p.failure.places.count, cases[k].told);
        check_size("changed", p.plan.replacements, cases[k].status == EM_OK ? 300 : 0);
        if (cases[k].told > 0) {
            check_size("of all", p.failure.places.total, 300);
            check_size("the third", p.failure.places.items[2].start, 4);
        }
    }
}

static long most_memory_kb(void)
{
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_maxrss;
}

/* The places of what is refused are counted, and few of them kept. */
static void too_many_places_take_little_memory(void **state)
{
    (void)state;
    enum { MOST_KB = 128 << 10, LENGTH = EM_MAX_PLACES + 1 };
    char *text = malloc(LENGTH + 1);
    assert_non_null(text);
    memset(text, 'x', LENGTH);
    text[LENGTH] = '\0';
    long before = most_memory_kb();
    for (size_t i = 0; i < 2; i++) {
        EM_AUTO(planned) p;
        em_op op = REPLACE("x", "y", i ? EM_MAX_PLACES : EM_EVERY);
        check_size("status", make(&p, text, &sequential, &op, 1),
                   i ? EM_E_COUNT : EM_E_TOO_MANY_EDITS);
        check_size("actual", p.failure.actual, LENGTH);
        check_size("told", p.failure.places.count, i ? EM_MAX_FAILED_PLACES : 0);
    }
    assert_true(most_memory_kb() - before < MOST_KB);
    free(text);
}

/* The first LF stands for the CRLF that an op before makes, and so not in these lines alone. */
static void a_place_before_the_lines_does_not_count(void **state)
{
    (void)state;
    EM_AUTO(planned) p;
    em_op ops[] = {REPLACE("a\n", "a\r", 1), REPLACE("\n", ".", 2 * EM_MAX_FAILED_PLACES)};
    char text[2 * EM_MAX_FAILED_PLACES + 4] = "a\n";
    memset(text + 2, '\n', sizeof text - 3);
    ops[1].first_line = 2;
    assert_int_equal(make(&p, text, &sequential, ops, 2), EM_OK);
    assert_int_equal(p.plan.replacements, 1 + 2 * EM_MAX_FAILED_PLACES);
    assert_int_equal(p.result.len, 3 + 2 * EM_MAX_FAILED_PLACES);
    check_bytes("start", em_slice_sub(p.result, 0, 5), EM_LIT("a\r\n.."));
}

static void already_applied_names_the_line(void **state)
{
    (void)state;
    EM_AUTO(planned) p;
    em_op op = REPLACE("int wanted = 1;", "int wanted = 2;", 1);
    assert_int_equal(make(&p, "a\nb\nint wanted = 2;\n", &sequential, &op, 1), EM_E_NO_MATCH);
    assert_int_equal(p.failure.line, 3);
}

/* The file keeps more empty lines than are wanted, or fewer: that is no change, but it is not what
 * is wanted either. */
static void other_empty_lines_are_not_those_that_are_wanted(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text;
        em_op op;
        em_cause cause;
    } cases[] = {
        {"more", "foo one\n\n\n\nbar here too\n",
         REPLACE("foo one\n\nbar here too", "foo one\n\n\nbar here too", 1), EM_CAUSE_NOT_FOUND},
        {"fewer", "foo one\nbar here too\n",
         REPLACE("foo one\n\n\n\nbar here too", "foo one\n\n\nbar here too", 1),
         EM_CAUSE_NOT_FOUND},
        {"fewer behind it", "foo one\nbar here too\nx\n",
         REPLACE("foo  one\nbar here too\n\n\n", "foo  one\nbar here too\n\n", 1),
         EM_CAUSE_NOT_FOUND},
        {"more, beside a slip", "foo one\n\n\n\nbar here_too\n",
         REPLACE("foo one\n\nbar hree_too", "foo one\n\n\nbar here_too", 1), EM_CAUSE_NOT_FOUND},
        {"as many", "foo one\n\n\nbar here too\n",
         REPLACE("foo one\n\nbar here too", "foo one\n\n\nbar here too", 1),
         EM_CAUSE_ALREADY_APPLIED},
        {"as many, of too few words", "foo one\n\n\nbar\n",
         REPLACE("foo one\n\nbar", "foo one\n\n\nbar", 1), EM_CAUSE_NOT_FOUND},
        {"as many, and other blanks", "foo one\n\n\nbar here too\n",
         REPLACE("foo  one\n\nbar here too", "foo  one\n\n\nbar here too", 1),
         EM_CAUSE_ALREADY_APPLIED},
        {"more behind it, of which they are a part", "foo one\nbar here too\n\n\n\nx\n",
         REPLACE("foo  one\nbar here too\n", "foo  one\nbar here too\n\n", 1),
         EM_CAUSE_ALREADY_APPLIED},
    };
    const em_policy policy = {.order = EM_SEQUENTIAL, .most = EM_TIER_FUZZY};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(planned) p;
        check_size(cases[i].what, make(&p, cases[i].text, &policy, &cases[i].op, 1), EM_E_NO_MATCH);
        check_size(cases[i].what, p.err.cause, cases[i].cause);
        if (p.failure.diagnosis)
            assert_false(p.failure.diagnosis->has_correction);
    }
}

/* An edit that would change nothing is not made, but only a long replacement that stands there once
 * and has a line of its own says that it was. */
static void what_shows_too_little_is_not_told_as_applied(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text;
        em_op op;
        em_cause cause;
    } cases[] = {
        {"enough", "call_it \"a\" more\n", REPLACE("call_it 'a'", "call_it 'a' more", 1),
         EM_CAUSE_ALREADY_APPLIED},
        {"too short", "x \"a\" more\n", REPLACE("x 'a'", "x 'a' more", 1), EM_CAUSE_NOT_FOUND},
        {"no line of its own", "call_it_often \"a\";",
         REPLACE("call_it_often 'a';\n", "call_it_often 'a';", 1), EM_CAUSE_NOT_FOUND},
        {"twice", "call_it \"a\" more\ncall_it \"a\" more\n",
         REPLACE("call_it 'a'", "call_it 'a' more", 2), EM_CAUSE_NOT_FOUND},
    };
    const em_policy policy = {.order = EM_SEQUENTIAL, .most = EM_TIER_FUZZY};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(planned) p;
        check_size(cases[i].what, make(&p, cases[i].text, &policy, &cases[i].op, 1), EM_E_NO_MATCH);
        check_size(cases[i].what, p.err.cause, cases[i].cause);
        if (p.failure.diagnosis)
            assert_false(p.failure.diagnosis->has_correction);
    }
}

static void edits_that_cancel_out_leave_no_splice(void **state)
{
    (void)state;
    EM_AUTO(planned) p;
    const em_op ops[] = {REPLACE("a", "b", 1), REPLACE("b", "a", 1)};
    assert_int_equal(make(&p, "a\n", &sequential, ops, 2), EM_OK);
    assert_int_equal(p.plan.splices.count, 0);
}

static void lines_of_a_later_op_are_those_of_the_moment(void **state)
{
    (void)state;
    EM_AUTO(planned) p;
    const em_op ops[] = {
        REPLACE("1\n", "0\n1\n", 1),
        {.kind = EM_OP_LINES, .first_line = 3, .last_line = 3, .insert = {"two", 3}}};
    assert_int_equal(make(&p, "1\n2\n3\n", &sequential, ops, 2), EM_OK);
    check_bytes("text", p.result, EM_LIT("0\n1\ntwo\n3\n"));
}

static void an_op_may_be_kept_to_some_lines(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        size_t first, last;
        em_status status;
        const char *want;
    } cases[] = {
        {"one line", 2, 2, EM_OK, "a\nb\na\na\n"},
        {"none there", 5, 5, EM_E_INVALID, ""},
        {"two", 3, 4, EM_E_COUNT, ""},
        {"backwards", 3, 2, EM_E_INVALID, ""},
        {"from there to the end", 4, 0, EM_OK, "a\na\na\nb\n"},
        {"from the start to there", 0, 1, EM_OK, "b\na\na\na\n"},
        {"from beyond the end", 5, 0, EM_E_INVALID, ""},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(planned) p;
        em_op op = REPLACE("a", "b", 1);
        op.first_line = cases[i].first;
        op.last_line = cases[i].last;
        check_size(cases[i].what, make(&p, "a\na\na\na\n", &sequential, &op, 1), cases[i].status);
        if (cases[i].status == EM_OK)
            check_bytes(cases[i].what, p.result, em_slice_of(cases[i].want));
    }
}

static void an_op_kept_to_some_lines_says_nothing_of_the_others(void **state)
{
    (void)state;
    EM_AUTO(planned) p;
    em_op op = REPLACE("old_function()", "new_function_name()", 1);
    op.first_line = op.last_line = 1;
    assert_int_equal(make(&p, "x\nnew_function_name()\n", &sequential, &op, 1), EM_E_NO_MATCH);
    assert_int_equal(p.err.cause, EM_CAUSE_NOT_FOUND);
    op.first_line = op.last_line = 0;
    EM_AUTO(planned) q;
    assert_int_equal(make(&q, "x\nnew_function_name()\n", &sequential, &op, 1), EM_E_NO_MATCH);
    assert_int_equal(q.err.cause, EM_CAUSE_ALREADY_APPLIED);
}

/* Blanks and writing are compared in these lines alone; a slip is one in all of the text. */
static void an_op_kept_to_some_lines_is_looked_for_less_exactly_there(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text;
        em_op op;
        size_t first, last;
        const char *want; /* NULL: it is not found */
    } cases[] = {
        {"other blanks than in the line before", "f(a,  b);\nf( a, b );\n",
         REPLACE("f(a, b);", "f(a, c);", 1), 2, 2, "f(a,  b);\nf( a, c );\n"},
        {"as it is beside these lines", "f(a, b);\nx\nf( a, b );\n",
         REPLACE("f(a, b);", "f(a, c);", 1), 2, 0, "f(a, b);\nx\nf( a, c );\n"},
        {"not there", "f( a, b );\nx\n", REPLACE("f(a, b);", "f(a, c);", 1), 2, 2, NULL},
        {"twice there", "f( a, b );\nf( a, b );\n", REPLACE("f(a, b);", "f(a, c);", 2), 1, 2,
         "f( a, c );\nf( a, c );\n"},
        {"a slip", "x\nfrobnicate(alpha, beta);\ny\n",
         REPLACE("frobnicat(alpha, beta);", "done();", 1), 2, 2, "x\ndone();\ny\n"},
        {"a word that stands elsewhere", "x\nfrobnicate(alpha, beta);\nfrobnicat();\n",
         REPLACE("frobnicat(alpha, beta);", "done();", 1), 2, 2, NULL},
        {"in CRLFs", "f( a );\r\nf( a );\r\n", REPLACE("f(a);\n", "f(b);\n", 1), 2, 2,
         "f( a );\r\nf( b );\r\n"},
    };
    const em_policy policy = {.order = EM_SEQUENTIAL, .most = EM_TIER_FUZZY};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(planned) p;
        em_op op = cases[i].op;
        op.first_line = cases[i].first;
        op.last_line = cases[i].last;
        check_size(cases[i].what, make(&p, cases[i].text, &policy, &op, 1),
                   cases[i].want ? EM_OK : EM_E_NO_MATCH);
        if (cases[i].want)
            check_bytes(cases[i].what, p.result, em_slice_of(cases[i].want));
    }
}

/* What is to be sent instead is unique there, and no more than that. */
static void a_miss_in_some_lines_is_diagnosed_in_these(void **state)
{
    (void)state;
    EM_AUTO(planned) p;
    em_op ops[] = {REPLACE("x\n", "1\n2\n", 1), REPLACE("IF (a)\n", "IF (b)\n", 1)};
    ops[1].first_line = ops[1].last_line = 3;
    assert_int_equal(make(&p, "x\nif (a)\nif (a)\nif (a)\n", &sequential, ops, 2), EM_E_NO_MATCH);
    const em_diagnosis *d = p.failure.diagnosis;
    assert_int_equal(d->miss, EM_MISS_CASE);
    assert_true(d->has_correction && !d->has_beside);
    check_bytes("find", d->correction.find, EM_LIT("if (a)\n"));
    check_size("line", d->correction.line, 3);
    check_size("near", d->near_count, 1);
    check_size("near", d->near[0].line, 3);
    EM_AUTO(planned) q;
    ops[1].first_line = ops[1].last_line = 1;
    assert_int_equal(make(&q, "x\nif (a)\nif (a)\nif (a)\n", &sequential, ops, 2), EM_E_NO_MATCH);
    d = q.failure.diagnosis;
    assert_int_equal(d->miss, EM_MISS_UNKNOWN);
    assert_true(!d->has_correction && d->near_count == 0 && d->has_beside);
    check_size("beside", d->beside.line, 2);
}

/* What is to be sent where letters are of another case is as deep as what is made elsewhere. */
static void another_case_is_laid_on_as_any_slip(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text, *find, *insert, *sent, *becomes;
    } cases[] = {
        {"lines that go without their first indentation",
         "def f(C):\n    m = C.mro\n    log(m)\n    return 0\n", "m = C.MRO\n    log(M)\n", "",
         "    m = C.mro\n    log(m)\n", ""},
        {"a replacement that is as deep as the file",
         "x\n  2. Type g to run\n  3. Type c to stop\n", "2. tYPE g to run\n3. tYPE c to stop\n",
         "  2. tYPE g to run\n  vortex one;\n  marmot two;\n",
         "2. Type g to run\n  3. Type c to stop\n",
         "2. Type g to run\n  vortex one;\n  marmot two;\n"},
        {"letters that are to change", "a\n  Type = One\n", "type = ONE\n", "type = oNE\n",
         "Type = One\n", "Type = oNE\n"},
        {"a line that moves", "line ab\nvalue LIMITED one\nline two\nend\n",
         "line ab\nvalue LImited one\nline two\n", "line ab\nline two\nvalue LImited one\n",
         "line ab\nvalue LIMITED one\nline two\n", "line ab\nline two\nvalue LIMITED one\n"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(planned) p;
        const em_op op = replacement(cases[i].find, cases[i].insert);
        check_size(cases[i].what, make(&p, cases[i].text, &sequential, &op, 1), EM_E_NO_MATCH);
        const em_diagnosis *d = p.failure.diagnosis;
        check_size(cases[i].what, d->miss, EM_MISS_CASE);
        check_size(cases[i].what, d->has_correction, true);
        check_bytes(cases[i].what, d->correction.find, em_slice_of(cases[i].sent));
        check_bytes(cases[i].what, d->correction.insert, em_slice_of(cases[i].becomes));
    }
}

/* An op before may have taken the lines away, or have put others to their ends. */
static void a_miss_in_lines_of_which_others_have_changed(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        em_op first;
        size_t near; /* places */
        bool has_beside;
    } cases[] = {
        {"gone", REPLACE("if (a)\n", "", 1), 0, true},
        {"with the line behind", REPLACE("if (a)\nif  (a)\n", "", 1), 0, false},
        {"joined to the next", REPLACE("if (a)\n", "if (a) ", 1), 2, false},
        {"put behind", REPLACE("if (a)\n", "if (a)\nIF (b)\n", 1), 2, false},
        {"put before", REPLACE("x\n", "IF (b)\n", 1), 1, false},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(planned) p;
        em_op ops[] = {cases[i].first, REPLACE("IF (a)", "done", 1)};
        ops[1].first_line = ops[1].last_line = 2;
        check_size(cases[i].what, make(&p, "x\nif (a)\nif  (a)\n", &sequential, ops, 2),
                   EM_E_NO_MATCH);
        check_size(cases[i].what, p.failure.diagnosis->near_count, cases[i].near);
        check_size(cases[i].what, p.failure.diagnosis->has_beside, cases[i].has_beside);
    }
}

/* Where the search text is not quite what is there, its replacement is not quite what comes to
 * stand there. */
static void a_fuzzy_edit_is_not_made_twice(void **state)
{
    (void)state;
    const em_policy policy = {.order = EM_SEQUENTIAL, .most = EM_TIER_FUZZY};
    static const struct {
        const char *text;
        em_op op;
        const char *once;
    } cases[] = {
        {"def receive(alpha, beta):\n    return alpha + beta\n",
         REPLACE("def recieve(alpha, beta):\n    return alpha + beta",
                 "def recieve(alpha, beta):\n    return alpha + beta\n    done()", 1),
         "def receive(alpha, beta):\n    return alpha + beta\n    done()\n"},
        /* the next line is joined to what comes, and afterwards it stands otherwise */
        {"base = read_value(x)\n  .run();\n",
         REPLACE("base = read_vlaue(x)\n  ", "base = read_vlaue(x)\n.first()", 1),
         "base = read_value(x)\n.first().run();\n"},
        /* what is left out afterwards is the replacement */
        {"setup_all(one);\nother();\nsetup_all(one);\n...\nfinish_all(two) ;\n",
         REPLACE("setup_all(one);\n...\nfinish_all(two);", "prepare(three);\n...\nfinish_all(two);",
                 1),
         "setup_all(one);\nother();\nprepare(three);\n...\nfinish_all(two) ;\n"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(planned) p;
        assert_int_equal(make(&p, cases[i].text, &policy, &cases[i].op, 1), EM_OK);
        check_bytes("once", p.result, em_slice_of(cases[i].once));
        EM_AUTO(planned) q;
        assert_int_equal(make(&q, cases[i].once, &policy, &cases[i].op, 1), EM_E_NO_MATCH);
        assert_int_equal(q.err.cause, EM_CAUSE_ALREADY_APPLIED);
    }
}

/* What stands beside the lines that an edit is kept to would come twice all the same, also if what
 * is told were sent. */
static void what_is_beside_the_lines_does_not_come_twice(void **state)
{
    (void)state;
    static const struct {
        const char *text, *find, *insert;
        size_t first, last;
        em_status status;
        const char *told; /* what is to be replaced; NULL: nothing is told */
    } cases[] = {
        {"foo( a );\nbar();\n", "foo(a);\n", "foo(b);\nbar();", 0, 1, EM_E_NO_MATCH, NULL},
        {"foo( a );\nbar();\n", "foo(a);\n\n", "foo(b);\nbar();\n", 0, 1, EM_E_NO_MATCH, NULL},
        {"foo( a );\nbar();\n", "foo(a);\n", "foo(b);\nbaz();\n", 0, 1, EM_OK, NULL},
        {"init_everything();\nfoo( a );\nlast_one();\n", "foo(a);\nold_one();\n",
         "init_everything();\nfoo(b);\nold_one();\n", 2, 0, EM_E_NO_MATCH, NULL},
        {"init_everything();\nfoo( a );\nlast_one();\n", "foo(a);\nold_one();\n",
         "init_something();\nfoo(b);\nold_one();\n", 2, 0, EM_E_NO_MATCH, "foo( a );"},
        {"foo( a );\nfoo( a );\nlast_one();\n", "foo(a);\nold_one();\n", "foo(b);\nold_one();\n", 2,
         3, EM_E_NO_MATCH, "foo( a );"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        em_policy policy = {.order = EM_SEQUENTIAL, .most = EM_TIER_FUZZY};
        em_op op = {.kind = EM_OP_REPLACE,
                    .find = em_slice_of(cases[i].find),
                    .insert = em_slice_of(cases[i].insert),
                    .expect = 1,
                    .first_line = cases[i].first,
                    .last_line = cases[i].last};
        EM_AUTO(planned) p;
        check_size(cases[i].insert, make(&p, cases[i].text, &policy, &op, 1), cases[i].status);
        const em_diagnosis *d = p.failure.diagnosis;
        check_size(cases[i].insert, d && d->has_correction, cases[i].told != NULL);
        if (cases[i].told)
            check_bytes(cases[i].insert, d->correction.find, em_slice_of(cases[i].told));
    }
}

/* A line that the search text hides, and the replacement shows, would stand there twice. */
static void what_is_hidden_is_not_brought_once_more(void **state)
{
    (void)state;
    static const struct {
        const char *insert;
        em_status status;
    } cases[] = {
        {"one_step(1);\nint a = 1;\nthree(3);\n...\ntwo_steps(2);\n", EM_E_NO_MATCH},
        {"one_step(1);\n...\nthree(3);\n  int c = 3;\ntwo_steps(2);\n", EM_E_NO_MATCH},
        {"one_step(1);\n...\nint d = 4;\ntwo_steps(2);\n", EM_OK},
        {"one_step(1);\n}\n...\ntwo_steps(2);\n", EM_OK},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        em_policy policy = {.order = EM_SEQUENTIAL, .most = EM_TIER_FUZZY};
        const em_op op = {.kind = EM_OP_REPLACE,
                          .find = EM_LIT("one_step(1);\n...\ntwo_steps(2);\n"),
                          .insert = em_slice_of(cases[i].insert),
                          .expect = 1};
        EM_AUTO(planned) p;
        check_size(
            cases[i].insert,
            make(&p, "one_step(1);\nint a = 1;\n}\nint c = 3;\ntwo_steps(2);\n", &policy, &op, 1),
            cases[i].status);
    }
}

/* The blank behind a number may be in one of the two texts alone, also where lines are empty. */
static void empty_lines_tell_nothing_of_the_blank_behind_numbers(void **state)
{
    (void)state;
    em_policy policy = {.order = EM_SEQUENTIAL, .most = EM_TIER_FUZZY};
    const em_op op = {.kind = EM_OP_REPLACE,
                      .find = EM_LIT("2:     a(1)\n3: \n4:     b(2)\n"),
                      .insert = EM_LIT("2:    a(1)\n3:\n4:    b(22)\n"),
                      .expect = 1};
    EM_AUTO(planned) p;
    check_size("found", make(&p, "def f():\n    a(1)\n\n    b(2)\n    c(3)\n", &policy, &op, 1),
               EM_OK);
    check_bytes("as deep", p.result, EM_LIT("def f():\n    a(1)\n\n    b(22)\n    c(3)\n"));
}

/* Of two comments that are alike one was replaced: the other one is not, when the edit is sent once
 * more, though it is found, and though what was brought is too short to prove anything. */
static void a_comment_that_is_passed_over_does_not_come_again(void **state)
{
    (void)state;
    const em_op op = replacement("run_it{\n/* a */\n-", "run_it{\n/* b */\n-");
    em_policy policy = {.order = EM_SEQUENTIAL, .most = EM_TIER_FUZZY};
    EM_AUTO(planned) once;
    check_size("once", make(&once, "run_it{\n/* a */\n\n/* a */\n-\n", &policy, &op, 1), EM_OK);
    check_bytes("once", once.result, EM_LIT("run_it{\n/* b */\n\n/* a */\n-\n"));
    EM_AUTO(planned) again;
    check_size("again", make(&again, "run_it{\n/* b */\n\n/* a */\n-\n", &policy, &op, 1),
               EM_E_NO_MATCH);
}

/* Lines that come without a number come as deep as those of their kind beside them. */
static void lines_without_a_number_stand_below_the_others(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text, *find, *insert, *wanted;
    } cases[] = {
        {"a comment, one blank behind the bar", "/*\n * a\n */\n", "2 | * a\n", "* b\n2 | * a\n",
         "/*\n * b\n * a\n */\n"},
        {"... between two", "/*\n * a\n * c\n */\n", "2 | * a\n3 | * c\n",
         "2 | * a\n* b\n3 | * c\n", "/*\n * a\n * b\n * c\n */\n"},
        {"... and two behind it", "/*\n * a\n */\n", "2 |  * a\n", "2 |  * a\n  * b\n",
         "/*\n * a\n * b\n */\n"},
        {"code behind a comment is no comment", "    /*\n     * a\n     */\n    c();\n",
         "2\t     * a\n3\t     */\n", "2\t     * a\n3\t     */\n    b();\n",
         "    /*\n     * a\n     */\n    b();\n    c();\n"},
        {"code before the first number", "{\n    a();\n}\n", "2\t    a();\n",
         "    b();\n2\t    a();\n", "{\n    b();\n    a();\n}\n"},
    };
    em_policy policy = {.order = EM_SEQUENTIAL, .most = EM_TIER_FUZZY};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        em_op op = {.kind = EM_OP_REPLACE,
                    .find = em_slice_of(cases[i].find),
                    .insert = em_slice_of(cases[i].insert),
                    .expect = 1};
        EM_AUTO(planned) p;
        check_size(cases[i].what, make(&p, cases[i].text, &policy, &op, 1), EM_OK);
        check_bytes(cases[i].what, p.result, em_slice_of(cases[i].wanted));
    }
}

/* The tier that is told is that of the op at fault. */
static void the_tier_of_an_op_before_is_not_told(void **state)
{
    (void)state;
    em_policy policy = {.order = EM_SEQUENTIAL, .most = EM_TIER_FUZZY};
    const em_op ops[] = {
        {.kind = EM_OP_REPLACE,
         .find = EM_LIT("if (a) {"),
         .insert = EM_LIT("if (b) {"),
         .expect = 1},
        {.kind = EM_OP_REPLACE, .find = EM_LIT("foo"), .insert = EM_LIT("bar"), .expect = 1}};
    for (int order = 0; order < 2; order++) {
        policy.order = order ? EM_SEQUENTIAL : EM_ORIGINAL;
        EM_AUTO(planned) p;
        check_size("count", make(&p, "if (a)  {\n  x();\n}\nfoo(1);\nfoo(2);\n", &policy, ops, 2),
                   EM_E_COUNT);
        check_size("tier", p.failure.tier, EM_TIER_EXACT);
    }
}

/* Where the search text leaves lines out, its replacement leaves out the same, or stands among
 * them.
 */
static void what_leaves_lines_out_is_not_made_twice(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text, *find, *insert, *once;
    } cases[] = {
        {"a comment; behind it", "one_step(1);\n// why\ntwo_steps(2);\n",
         "one_step(1);\ntwo_steps(2);\n", "one_step(1);\ntwo_steps(2);\nthree(3);\n",
         "one_step(1);\n// why\ntwo_steps(2);\nthree(3);\n"},
        {"a comment; before it", "one_step(1);\n// why\ntwo_steps(2);\n",
         "one_step(1);\ntwo_steps(2);\n", "zero();\none_step(1);\ntwo_steps(2);\n",
         "zero();\none_step(1);\n// why\ntwo_steps(2);\n"},
        {"a comment; and there is a slip", "receive(1);\n// why\ntwo_steps(2);\n",
         "recieve(1);\ntwo_steps(2);\n", "recieve(1);\ntwo_steps(2);\nthree(3);\n",
         "receive(1);\n// why\ntwo_steps(2);\nthree(3);\n"},
        {"a comment that becomes another, above one that is the same; and there is a slip",
         "receive(1);\n// note\n\n// note\ntwo_steps(2);\n", "recieve(1);\n// note\n",
         "recieve(1);\n// another note\n",
         "receive(1);\n// another note\n\n// note\ntwo_steps(2);\n"},
        {"the middle; behind its start", "one_step(1);\na();\nb();\ntwo_steps(2);\n",
         "one_step(1);\n...\ntwo_steps(2);\n", "one_step(1);\nthree(3);\n...\ntwo_steps(2);\n",
         "one_step(1);\nthree(3);\na();\nb();\ntwo_steps(2);\n"},
        {"the middle; before its end", "one_step(1);\na();\nb();\ntwo_steps(2);\n",
         "one_step(1);\n...\ntwo_steps(2);\n", "one_step(1);\n...\nthree(3);\ntwo_steps(2);\n",
         "one_step(1);\na();\nb();\nthree(3);\ntwo_steps(2);\n"},
        {"the middle; around all", "one_step(1);\na();\nb();\ntwo_steps(2);\n",
         "one_step(1);\n...\ntwo_steps(2);\n",
         "zero();\none_step(1);\n...\ntwo_steps(2);\nthree(3);\n",
         "zero();\none_step(1);\na();\nb();\ntwo_steps(2);\nthree(3);\n"},
        {"only a part of it was made", "one_step(1);\na();\nb();\ntwo_steps(2);\nthree(3);\n",
         "one_step(1);\n...\ntwo_steps(2);\n",
         "zero();\none_step(1);\n...\ntwo_steps(2);\nthree(3);\n",
         "zero();\none_step(1);\na();\nb();\ntwo_steps(2);\nthree(3);\nthree(3);\n"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        em_policy policy = {.order = EM_SEQUENTIAL, .most = EM_TIER_FUZZY};
        const em_op op = replacement(cases[i].find, cases[i].insert);
        EM_AUTO(planned) p;
        check_size(cases[i].what, make(&p, cases[i].text, &policy, &op, 1), EM_OK);
        check_bytes(cases[i].what, p.result, em_slice_of(cases[i].once));
        EM_AUTO(planned) q;
        check_size(cases[i].what, make(&q, cases[i].once, &policy, &op, 1), EM_E_NO_MATCH);
        check_size(cases[i].what, q.err.cause, EM_CAUSE_ALREADY_APPLIED);
        policy.most = EM_TIER_EXACT;
        EM_AUTO(planned) r;
        check_size(cases[i].what, make(&r, cases[i].once, &policy, &op, 1), EM_E_NO_MATCH);
        check_size(cases[i].what, r.err.cause, EM_CAUSE_ALREADY_APPLIED);
    }
}

/* That the rest of the search text stands there is no sign: nobody has taken away the first line.
 */
static void what_is_to_go_is_taken_from_before_a_comment(void **state)
{
    (void)state;
    static const struct {
        const char *text, *find, *insert, *result;
    } cases[] = {
        {"first_step(1);\none_step(1);\n// why\ntwo_steps(2);\n",
         "first_step(1);\none_step(1);\ntwo_steps(2);\n", "one_step(1);\n// why\ntwo_steps(2);\n",
         "one_step(1);\n// why\ntwo_steps(2);\n"},
        {"one_step(1);\n// why\ntwo_steps(2);\nthird_step(3);\n",
         "one_step(1);\ntwo_steps(2);\nthird_step(3);\n", "one_step(1);\n// why\ntwo_steps(2);\n",
         "one_step(1);\n// why\ntwo_steps(2);\n"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        em_policy policy = {.order = EM_SEQUENTIAL, .most = EM_TIER_FUZZY};
        const em_op op = replacement(cases[i].find, cases[i].insert);
        EM_AUTO(planned) p;
        check_size(cases[i].text, make(&p, cases[i].text, &policy, &op, 1), EM_OK);
        check_bytes(cases[i].text, p.result, em_slice_of(cases[i].result));
    }
}

static void the_same_text_may_be_found_by_a_tolerant_tier(void **state)
{
    (void)state;
    em_policy policy = {.order = EM_SEQUENTIAL, .most = EM_TIER_FUZZY, .allow_no_change = true};
    const em_op ops[] = {REPLACE("if (a) {\n  go();\n}", "if (a) {\n  go();\n}", 1),
                         REPLACE("end", "done", 1)};
    const char *text = "  if (a)  {\n    go();\n  }\nend\n";
    EM_AUTO(planned) p;
    assert_int_equal(make(&p, text, &policy, ops, 2), EM_OK);
    check_bytes("kept", p.result, EM_LIT("  if (a)  {\n    go();\n  }\ndone\n"));
    policy.allow_no_change = false;
    EM_AUTO(planned) q;
    assert_int_equal(make(&q, text, &policy, ops, 2), EM_E_INVALID);
    assert_int_equal(q.err.cause, EM_CAUSE_NO_CHANGE);
}

/* One place would take the replacement as it is, and in another it would come out of its block. */
static void places_are_not_laid_at_two_depths(void **state)
{
    (void)state;
    const em_policy policy = {.order = EM_SEQUENTIAL, .most = EM_TIER_FUZZY};
    const char *text = "def a():\n    log(1)\n    go()\nif x:\n        log(1)\n        go()\n";
    const em_op ops[] = {REPLACE("        log(1) \n        go()", "    log(2)\n    go()", 2),
                         REPLACE("    log(1) \n    go()", "    log(2)\n    go()", 2)};
    EM_AUTO(planned) p;
    assert_int_equal(make(&p, text, &policy, &ops[0], 1), EM_E_NO_MATCH);
    EM_AUTO(planned) q;
    assert_int_equal(make(&q, text, &policy, &ops[1], 1), EM_OK);
    check_bytes("alike", q.result,
                EM_LIT("def a():\n    log(2)\n    go()\nif x:\n        log(2)\n        go()\n"));
}

/* That it begins with a blank does not tell how wide a step is. */
static void a_first_line_that_is_cut_tells_no_step(void **state)
{
#define CUT " Regex(\"[0-9a-f]{1,4}\").name(\"hex\"))\n    _f = ("
#define REST "\n        Opt(_p + 1)\n        + \"::\""
#define NEW "\n        if debug:\n            for i in items:\n                i.flush()"
    (void)state;
    const em_policy policy = {.order = EM_SEQUENTIAL, .most = EM_TIER_FUZZY};
    const em_op op = REPLACE(CUT " " REST, CUT " " REST NEW, 1);
    EM_AUTO(planned) p;
    assert_int_equal(
        make(&p, "class C:\n    _a = Combine(Word(1) |" CUT REST "\n    )\n", &policy, &op, 1),
        EM_OK);
    check_bytes("in the file's steps", p.result,
                EM_LIT("class C:\n    _a = Combine(Word(1) |" CUT REST NEW "\n    )\n"));
}

/* What would be changed back when it is sent again: each time another blank at the end of a line.
 */
static void blanks_beside_a_slip_are_settled_or_not_changed(void **state)
{
    (void)state;
    const em_policy policy = {.order = EM_SEQUENTIAL, .most = EM_TIER_FUZZY};
    const em_op op =
        REPLACE("one_step(1);\n<b\nrecieve(1)\t", "one_step(1); \n&lt;b\nrecieve(1)", 1);
    EM_AUTO(planned) p;
    assert_int_equal(make(&p, "one_step(1);\n&lt;b\nreceive(1)\t", &policy, &op, 1), EM_E_NO_MATCH);
}

/* The line that it adds is indented with a no-break space, which becomes a blank unless the file
 * uses them itself. */
static void a_line_with_odd_blanks_is_not_added_twice(void **state)
{
    (void)state;
    static const struct {
        const char *before, *once;
    } cases[] = {
        {"bar\n\n\n\nquite long();\n7\n", "bar\n\n\n  value\nquite long();\n7\n"},
        {"b\xC2\xA0r\n\n\n\nquite long();\n7\n",
         "b\xC2\xA0r\n\n\n\xC2\xA0 value\nquite long();\n7\n"},
    };
    const em_policy policy = {.order = EM_SEQUENTIAL, .most = EM_TIER_FUZZY};
    const em_op op =
        REPLACE("\n\n\xC2\xA0 \nquite  long();\n7", "\n\n\xC2\xA0 value\nquite  long();\n7", 1);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(planned) p;
        assert_int_equal(make(&p, cases[i].before, &policy, &op, 1), EM_OK);
        check_bytes("once", p.result, em_slice_of(cases[i].once));
        EM_AUTO(planned) q;
        assert_int_equal(make(&q, cases[i].once, &policy, &op, 1), EM_E_NO_MATCH);
        assert_int_equal(q.err.cause, EM_CAUSE_ALREADY_APPLIED);
    }
}

static void lines_of_a_restriction_are_those_of_the_original(void **state)
{
    (void)state;
    EM_AUTO(planned) p;
    em_op ops[] = {REPLACE("x", "1\n2\n3", 1), REPLACE("a", "b", 1)};
    ops[1].first_line = ops[1].last_line = 2;
    assert_int_equal(make(&p, "x\na\na\n", &sequential, ops, 2), EM_OK);
    check_bytes("text", p.result, EM_LIT("1\n2\n3\nb\na\n"));
}

/* What stands before them takes nothing from what stands in them. */
static void lines_of_a_restriction_are_looked_through_alone(void **state)
{
    (void)state;
    EM_AUTO(planned) p;
    em_op ops[] = {REPLACE("x", "y\n", 1), REPLACE("a\na\n", "b\n", 1)};
    ops[1].first_line = 3;
    ops[1].last_line = 4;
    assert_int_equal(make(&p, "x\na\na\na\na\n", &sequential, ops, 2), EM_OK);
    check_bytes("text", p.result, EM_LIT("y\n\na\nb\na\n"));
}

#define KEPT_TO(from, to, times, first, last)                                                      \
    {                                                                                              \
        .find = {from, sizeof from - 1}, .insert = {to, sizeof to - 1}, .expect = times,           \
        .first_line = first, .last_line = last                                                     \
    }
#define BESIDE(where, anchor, text)                                                                \
    {                                                                                              \
        .kind = where, .find = {anchor, sizeof anchor - 1}, .insert = {text, sizeof text - 1},     \
        .expect = 1                                                                                \
    }

/* Where two lines meet. */
static void what_an_op_put_in_belongs_to_its_line(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text;
        em_op ops[3];
        size_t count;
        const char *want; /* NULL: not found */
    } cases[] = {
        {"what took the place of the next line's start",
         "x one\ntwo\nthree\n",
         {KEPT_TO("two", "x two", 1, 2, 2), KEPT_TO("x", "y", EM_EVERY, 1, 1)},
         2,
         "y one\nx two\nthree\n"},
        {"and nothing else is there",
         "one\ntwo\nthree\n",
         {KEPT_TO("two", "2 x", 1, 2, 2), KEPT_TO("x", "y", 1, 1, 1)},
         2,
         NULL},
        {"it is of the next line",
         "one\ntwo\nthree\n",
         {KEPT_TO("two", "2 x", 1, 2, 2), KEPT_TO("x", "y", 1, 2, 2)},
         2,
         "one\n2 y\nthree\n"},
        {"it makes nothing ambiguous",
         "const a\nconst b\n",
         {KEPT_TO("const b", "const bb", 1, 2, 2), KEPT_TO("const", "let", 1, 1, 1)},
         2,
         "let a\nconst bb\n"},
        {"what a pattern put before the next line",
         "x\ny\n",
         {{.find = {"^", 1}, .insert = {"x", 1}, .regex = true, .first_line = 2, .last_line = 2},
          KEPT_TO("x", "z", EM_EVERY, 1, 1)},
         2,
         "z\nxy\n"},
        {"and at the end of this one",
         "x\ny\n",
         {{.find = {"$", 1}, .insert = {"x", 1}, .regex = true, .first_line = 1, .last_line = 1},
          KEPT_TO("x", "z", EM_EVERY, 1, 1)},
         2,
         "zz\ny\n"},
        {"what was put before an anchor",
         "a\nb\n",
         {BESIDE(EM_OP_INSERT_BEFORE, "b", "x"), KEPT_TO("x", "y", 1, 1, 1)},
         2,
         NULL},
        {"what was put behind one is of its line",
         "a\nb\n",
         {BESIDE(EM_OP_INSERT_AFTER, "a\n", "x\n"), KEPT_TO("x", "y", 1, 1, 1)},
         2,
         "a\ny\nb\n"},
        {"and not of the next",
         "a\nb\n",
         {BESIDE(EM_OP_INSERT_AFTER, "a\n", "x\n"), KEPT_TO("x", "y", 1, 2, 2)},
         2,
         NULL},
        {"nor what was put behind that",
         "a\nb\n",
         {BESIDE(EM_OP_INSERT_AFTER, "a\n", "x\n"), BESIDE(EM_OP_INSERT_AFTER, "x\n", "z\n"),
          KEPT_TO("z", "y", 1, 1, 1)},
         3,
         "a\nx\ny\nb\n"},
        {"lines that came to the end of a line",
         "a\nb\n",
         {KEPT_TO("a\n", "a\nx\n", 1, 1, 1), KEPT_TO("x", "y", 1, 1, 1)},
         2,
         "a\ny\nb\n"},
        {"as many lines for several, each for one",
         "a\nb\nc\n",
         {REPLACE("a\nb", "1 x\n2 x", 1), KEPT_TO("x", "y", EM_EVERY, 1, 1)},
         2,
         "1 y\n2 x\nc\n"},
        {"the second of them",
         "a\r\nb\r\nc\r\n",
         {REPLACE("a\nb\n", "1 x\n2 x\n", 1), KEPT_TO("x", "y", 1, 2, 2)},
         2,
         "1 x\r\n2 y\r\nc\r\n"},
        {"more lines than there were, between two that stay",
         "a\nb\nc\nd\n",
         {REPLACE("a\nb\nc\n", "a\nx\nx\nc\n", 1), KEPT_TO("x", "y", EM_EVERY, 2, 2),
          KEPT_TO("c", "C", 1, 3, 3)},
         3,
         "a\ny\ny\nC\nd\n"},
        {"fewer lines than there were",
         "a\nb\nc\n",
         {REPLACE("a\nb\n", "b\n", 1), KEPT_TO("b", "B", 1, 2, 2)},
         2,
         "B\nc\n"},
        {"lines that came behind those that stay",
         "a\nb\nc\n",
         {REPLACE("a\nb\n", "a\nb\nx\n", 1), KEPT_TO("x", "y", 1, 3, 3)},
         2,
         NULL},
        {"what was put to the end of the text",
         "a\nb",
         {{.kind = EM_OP_APPEND, .insert = {"x", 1}}, KEPT_TO("x", "y", 1, 2, 2)},
         2,
         "a\nby"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(planned) p;
        em_status status = make(&p, cases[i].text, &sequential, cases[i].ops, cases[i].count);
        check_size(cases[i].what, status, cases[i].want ? EM_OK : EM_E_NO_MATCH);
        if (cases[i].want)
            check_bytes(cases[i].what, p.result, em_slice_of(cases[i].want));
    }
}

/* What stands where they stood is not theirs, at the start of the text as anywhere else. */
static void lines_that_an_op_took_away_hold_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text;
        size_t line; /* that goes */
    } cases[] = {
        {"the first", "one\ntwo\nalpha beta\n", 1},
        {"one between others", "zero\none\ntwo\nalpha beta\n", 2},
        {"the last", "two\nalpha beta\none\n", 3},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        em_op gone = REPLACE("one\n", "", 1);
        em_op exact = REPLACE("two", "2", 1), alike = REPLACE("alpha  Beta", "2", 1);
        exact.first_line = exact.last_line = alike.first_line = alike.last_line = cases[i].line;
        for (size_t j = 0; j < 2; j++) {
            EM_AUTO(planned) p;
            em_op ops[] = {gone, j == 0 ? exact : alike};
            check_size(cases[i].what, make(&p, cases[i].text, &sequential, ops, 2), EM_E_NO_MATCH);
            assert_non_null(p.failure.diagnosis);
            check_size(cases[i].what, p.failure.diagnosis->miss, EM_MISS_UNKNOWN);
            check_size(cases[i].what, p.failure.diagnosis->near_count, 0);
            check_size(cases[i].what, p.failure.diagnosis->has_beside, true);
        }
    }
}

static void patterns_are_ops_too(void **state)
{
    (void)state;
    EM_AUTO(planned) p;
    em_op ops[] = {REPLACE("(\\w)=(\\w)", "$2=$1", EM_EVERY), REPLACE("b", "x\ny", 1)};
    ops[0].regex = true;
    assert_int_equal(make(&p, "a=b\r\nc=d\r\n", &sequential, ops, 2), EM_OK);
    check_bytes("text", p.result, EM_LIT("x\r\ny=a\r\nd=c\r\n"));
    em_op restricted = ops[0];
    restricted.first_line = restricted.last_line = 2;
    EM_AUTO(planned) q;
    assert_int_equal(make(&q, "a=b\nc=d\n", &sequential, &restricted, 1), EM_OK);
    check_bytes("restricted", q.result, EM_LIT("a=b\nd=c\n"));
}

#define PATTERN(from, to, first, last)                                                             \
    {                                                                                              \
        .find = {from, sizeof from - 1}, .insert = {to, sizeof to - 1}, .regex = true,             \
        .first_line = first, .last_line = last                                                     \
    }

/* Shift_JIS has a yen sign for the backslash: what is written is what comes of the template. */
static void templates_are_not_written(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        em_op op;
        const char *want; /* NULL: it cannot be written */
    } cases[] = {
        {"an escape", PATTERN("b", "[$0]\\n", 0, 0), "a [b]\n"},
        {"that gives a character", PATTERN("b", "\\x{a5}", 0, 0), "a \xC2\xA5"},
        {"that there is none for", PATTERN("b", "\\x{e9}", 0, 0), NULL},
        {"a character that is written", PATTERN("b", "\xC3\xA9", 0, 0), NULL},
        {"a backslash", PATTERN("b", "\\\\", 0, 0), NULL},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(planned) p = {.err = EM_ERROR_INIT};
        assert_int_equal(em_text_open(EM_LIT("a b"), "shift_jis", &p.arena, &p.text, &p.err),
                         EM_OK);
        assert_int_equal(em_lines_init(&p.text, &p.arena, &p.lines), EM_OK);
        em_op ops[] = {REPLACE("a", "c", 1), REPLACE("c", "a", 1), cases[i].op};
        ops[2].expect = 1;
        em_plan_request request = {{&p.text, &p.lines}, &sequential, ops, COUNT_OF(ops)};
        em_status status = em_plan_make(&request, &p.arena, &p.plan, &p.failure, &p.err);
        check_size(cases[i].what, status, cases[i].want ? EM_OK : EM_E_INVALID);
        if (!cases[i].want) {
            check_size(cases[i].what, p.err.cause, EM_CAUSE_ENCODING);
            check_size(cases[i].what, (size_t)p.err.edit, 2);
            continue;
        }
        assert_int_equal(em_splices_apply(p.text.body, p.plan.splices, &p.arena, &p.result), EM_OK);
        check_bytes(cases[i].what, p.result, em_slice_of(cases[i].want));
    }
}

/* Lines of the original, whatever earlier ops have made of them. */
static void patterns_keep_to_their_lines(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text;
        em_op ops[2];
        size_t count;
        const char *want; /* NULL: not found */
    } cases[] = {
        {"the next line begins behind them",
         "1\n2\n3\n4\n",
         {PATTERN("^", "# ", 2, 3)},
         1,
         "1\n# 2\n# 3\n4\n"},
        {"in CRLFs", "1\r\n2\r\n3\r\n", {PATTERN("^|$", "-", 2, 2)}, 1, "1\r\n-2-\r\n3\r\n"},
        {"behind a BOM",
         "\xEF\xBB\xBF"
         "1\r\n2\r\n",
         {PATTERN("^|$", "-", 1, 1)},
         1,
         "\xEF\xBB\xBF"
         "-1-\r\n2\r\n"},
        {"up to the end", "1\n2\n", {PATTERN("$", ";", 2, 0)}, 1, "1\n2;\n;"},
        {"up to the end of the last line", "1\n2", {PATTERN("$", ";", 1, 2)}, 1, "1;\n2;"},
        {"a match would cross the border",
         "f 1\nf 2\nf 3\n",
         {PATTERN("(f \\d\\s*)+", "x\n", 2, 2)},
         1,
         "f 1\nx\nf 3\n"},
        {"only beside them", "a\nb\n", {PATTERN("a", "x", 2, 2)}, 1, NULL},
        {"there are more of them now",
         "1\n2\n",
         {PATTERN("1", "1\\na", 0, 0), PATTERN("^", "-", 1, 1)},
         2,
         "-1\n-a\n2\n"},
        {"they stand elsewhere now",
         "1\r\n2\r\n3\r\n",
         {PATTERN("1", "1\\na", 0, 0), PATTERN("^", "-", 2, 2)},
         2,
         "1\r\na\r\n-2\r\n3\r\n"},
        {"the line before them is gone",
         "1\n2\n",
         {PATTERN("1\\n", "", 0, 0), PATTERN("^", "-", 2, 2)},
         2,
         "-2\n"},
        {"they are gone", "1\n2\n", {PATTERN("1\\n", "", 0, 0), PATTERN("^", "-", 1, 1)}, 2, NULL},
        {"the next line is another now",
         "1\n2\n",
         {PATTERN("2", "x", 0, 0), PATTERN("x", "y", 1, 1)},
         2,
         NULL},
        {"two endings have become one",
         "1\r2\n",
         {PATTERN("2", "", 0, 0), PATTERN("1.*$", "x", 1, 1)},
         2,
         NULL},
        {"they are of one kind now",
         "1\n2\r\n3\r\n",
         {PATTERN("(?<!\\r)\\n", "\\r\\n", 0, 0), PATTERN("2\\n3", "x", 0, 0)},
         2,
         "1\r\nx\r\n"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(planned) p;
        check_size(cases[i].what,
                   make(&p, cases[i].text, &sequential, cases[i].ops, cases[i].count),
                   cases[i].want ? EM_OK : EM_E_NO_MATCH);
        if (cases[i].want)
            check_bytes(cases[i].what, p.result, em_slice_of(cases[i].want));
    }
}

static void a_template_writes_no_nul(void **state)
{
    (void)state;
    EM_AUTO(planned) p;
    em_op op = PATTERN("a", "\\x{0}", 0, 0);
    assert_int_equal(make(&p, "a", &sequential, &op, 1), EM_E_INVALID);
    assert_int_equal(p.err.cause, EM_CAUSE_NUL);
}

static void what_changes_nothing_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text;
        em_op op;
        const char *want; /* the detail; NULL: it is done */
    } cases[] = {
        {"a template that gives it back",
         "a b",
         {.find = {"[ab]", 4}, .insert = {"$0", 2}, .regex = true, .expect = EM_EVERY},
         "the text is the same before and after"},
        {"one place of two changes",
         "a b",
         {.find = {"[ab]", 4}, .insert = {"b", 1}, .regex = true, .expect = EM_EVERY},
         NULL},
        {"nothing before",
         "a",
         {.kind = EM_OP_INSERT_BEFORE, .find = {"a", 1}, .expect = 1},
         "there is nothing to insert"},
        {"nothing behind", "a", {.kind = EM_OP_APPEND}, "there is nothing to insert"},
        {"nothing from nothing",
         "",
         {.kind = EM_OP_DELETE, .expect = 1},
         "there is nothing to delete"},
        {"nothing from something",
         "a",
         {.kind = EM_OP_DELETE, .expect = 1},
         "an empty search text matches only an empty file"},
    };
    static const em_policy lenient = {.order = EM_SEQUENTIAL, .allow_no_change = true};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(planned) p;
        em_status status = make(&p, cases[i].text, &sequential, &cases[i].op, 1);
        check_size(cases[i].what, status, cases[i].want ? EM_E_INVALID : EM_OK);
        if (cases[i].want)
            assert_string_equal(p.err.detail, cases[i].want);
        EM_AUTO(planned) q;
        status = make(&q, cases[i].text, &lenient, &cases[i].op, 1);
        check_size(cases[i].what, status, i == 5 ? EM_E_INVALID : EM_OK);
    }
}

static void a_text_may_not_grow_beyond_the_limit(void **state)
{
    static const em_op grow[] = {REPLACE("a", "aaaa", EM_EVERY), REPLACE("a", "aaaa", EM_EVERY),
                                 REPLACE("a", "aaaa", EM_EVERY)};
    static const em_op shrink[] = {REPLACE("aaaaaaaa", "a", 1)};
    static const struct {
        em_order order;
        size_t most, ops;
        const em_op *list;
        em_status status;
        ptrdiff_t edit;
    } rows[] = {
        {EM_SEQUENTIAL, 0, 3, grow, EM_OK, EM_NO_EDIT},
        {EM_SEQUENTIAL, 8 * 64, 3, grow, EM_OK, EM_NO_EDIT},
        {EM_SEQUENTIAL, 8 * 64 - 1, 3, grow, EM_E_TOO_LARGE, 2},
        {EM_SEQUENTIAL, 8 * 16, 3, grow, EM_E_TOO_LARGE, 2},
        {EM_SEQUENTIAL, 31, 3, grow, EM_E_TOO_LARGE, 0},
        {EM_ORIGINAL, 32, 1, grow, EM_OK, EM_NO_EDIT},
        {EM_ORIGINAL, 31, 1, grow, EM_E_TOO_LARGE, 0},
        {EM_SEQUENTIAL, 1, 1, shrink, EM_OK, EM_NO_EDIT},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        EM_AUTO(planned) p;
        em_policy policy = {.order = rows[i].order, .most_bytes = rows[i].most};
        assert_int_equal(make(&p, "aaaaaaaa", &policy, rows[i].list, rows[i].ops), rows[i].status);
        assert_int_equal(p.err.edit, rows[i].edit);
        assert_int_equal(p.plan.splices.count > 0, rows[i].status == EM_OK);
    }
}

/* What only stands there between two ops is not written; but it has to be held. */
static void a_text_may_outgrow_the_limit_in_between(void **state)
{
    enum { MOST = 1 << 20 };
    (void)state;
    static char much[2 * MOST + 2];
    memset(much, 'x', sizeof much);
    for (int i = 0; i < 3; i++) {
        EM_AUTO(planned) p;
        em_slice grown = {much, sizeof much - 2 + (size_t)i};
        const em_op ops[] = {{.kind = EM_OP_REPLACE, .find = EM_LIT("a"), .insert = grown},
                             {.kind = EM_OP_REPLACE, .find = grown, .insert = EM_LIT("b")}};
        em_policy policy = {.order = EM_SEQUENTIAL, .most_bytes = MOST};
        assert_int_equal(make(&p, "a", &policy, ops, 2), i < 2 ? EM_OK : EM_E_TOO_LARGE);
        assert_int_equal(p.err.edit, i < 2 ? EM_NO_EDIT : 0);
    }
}

/* What was too large before may be changed as long as it does not grow. */
static void a_text_beyond_the_limit_may_shrink(void **state)
{
    static const em_op ops[] = {REPLACE("aaaa", "bbb", 1)}, more[] = {REPLACE("aaaa", "bbbbb", 1)};
    static const em_policy policy = {.order = EM_SEQUENTIAL, .most_bytes = 2};
    (void)state;
    EM_AUTO(planned) p;
    assert_int_equal(make(&p, "aaaa", &policy, ops, 1), EM_OK);
    planned_drop(&p);
    assert_int_equal(make(&p, "aaaa", &policy, more, 1), EM_E_TOO_LARGE);
}

static void as_far_as_it_goes(void **state)
{
    (void)state;
    static const em_policy partial = {.order = EM_SEQUENTIAL, .extent = EM_AS_FAR_AS_OK};
    const em_op ops[] = {REPLACE("a", "1", 1), REPLACE("b", "2", 1), REPLACE("z", "3", 1),
                         REPLACE("c", "4", 1)};
    EM_AUTO(planned) p;
    assert_int_equal(make(&p, "abc", &partial, ops, 4), EM_E_NO_MATCH);
    assert_int_equal(p.err.edit, 2);
    assert_int_equal(p.plan.op_count, 2);
    assert_int_equal(p.plan.splices.count, 1);
    check_bytes("kept", p.plan.splices.items[0].insert, EM_LIT("12"));
    EM_AUTO(planned) q;
    assert_int_equal(make(&q, "abc", &partial, ops + 2, 1), EM_E_NO_MATCH);
    assert_int_equal(q.plan.op_count, 0);
}

/* One that is found, but would make the text too large, is not done. */
static void as_far_as_there_is_room(void **state)
{
    static const em_policy partial = {
        .order = EM_SEQUENTIAL, .extent = EM_AS_FAR_AS_OK, .most_bytes = 4};
    static const em_op ops[] = {REPLACE("a", "11", 1), REPLACE("b", "222", 1)};
    (void)state;
    EM_AUTO(planned) p;
    assert_int_equal(make(&p, "abc", &partial, ops, 2), EM_E_TOO_LARGE);
    assert_int_equal(p.err.edit, 1);
    assert_int_equal(p.plan.op_count, 1);
    assert_int_equal(p.plan.replacements, 1);
    check_bytes("kept", p.plan.splices.items[0].insert, EM_LIT("11"));
}

/* ---- Against the original ------------------------------------------------------------------- */

static void order_does_not_matter_on_the_original(void **state)
{
    (void)state;
    const em_op ops[] = {REPLACE("c", "b", 1), REPLACE("b", "c", 1), REPLACE("a", "", 1)};
    const em_op turned[] = {ops[2], ops[1], ops[0]};
    EM_AUTO(planned) p;
    EM_AUTO(planned) q;
    assert_int_equal(make(&p, "abc", &original, ops, 3), EM_OK);
    assert_int_equal(make(&q, "abc", &original, turned, 3), EM_OK);
    check_bytes("text", p.result, EM_LIT("cb"));
    check_bytes("turned round", q.result, EM_LIT("cb"));
}

static void overlap_is_refused_and_touching_is_not(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        em_op ops[2];
        em_status want;
    } cases[] = {
        {"inside", {REPLACE("bcd", "x", 1), REPLACE("c", "y", 1)}, EM_E_OVERLAP},
        {"the later in the list is at fault",
         {REPLACE("c", "y", 1), REPLACE("bcd", "x", 1)},
         EM_E_OVERLAP},
        {"touching", {REPLACE("ab", "x", 1), REPLACE("cd", "y", 1)}, EM_OK},
        {"an insertion inside",
         {REPLACE("bcd", "x", 1),
          {.kind = EM_OP_INSERT_AFTER, .find = {"c", 1}, .insert = {"!", 1}, .expect = 1}},
         EM_E_OVERLAP},
        {"an insertion at the edge",
         {REPLACE("bc", "x", 1),
          {.kind = EM_OP_INSERT_BEFORE, .find = {"b", 1}, .insert = {"!", 1}, .expect = 1}},
         EM_OK},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(planned) p;
        check_size(cases[i].what, make(&p, "abcde", &original, cases[i].ops, 2), cases[i].want);
        if (cases[i].want == EM_E_OVERLAP) {
            check_size(cases[i].what, (size_t)p.err.edit, 1);
            check_size(cases[i].what, p.failure.other_op, 0);
        }
    }
}

/* Over a draft, which previews need, and without one. */
static void what_touches_is_one_splice(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text;
        em_op ops[2];
        size_t count, splices;
        em_splice first;
    } cases[] = {
        {"all of it", "xxxx", {REPLACE("x", "yz", EM_EVERY)}, 1, 1, {0, 4, {"yzyzyzyz", 8}}},
        {"with the same ends", "-abab-", {REPLACE("ab", "acb", 2)}, 1, 1, {2, 2, {"cbac", 4}}},
        {"gone", "-xx-x", {REPLACE("x", "", 3)}, 1, 2, {1, 2, {"", 0}}},
        {"behind each",
         "xx",
         {{.kind = EM_OP_INSERT_AFTER, .find = {"x", 1}, .insert = {",", 1}}},
         1,
         2,
         {1, 0, {",", 1}}},
        {"two ops",
         "abcd",
         {REPLACE("cd", "y", 1), REPLACE("ab", "x", 1)},
         2,
         1,
         {0, 4, {"xy", 2}}},
        {"of which nothing comes",
         "abba",
         {REPLACE("ab", "a", 1), REPLACE("ba", "bba", 1)},
         2,
         0,
         {0}},
    };
    for (size_t i = 0; i < 2 * COUNT_OF(cases); i++) {
        size_t k = i / 2;
        EM_AUTO(planned) p;
        em_policy policy = {.order = EM_ORIGINAL, .keep_previews = i % 2};
        check_size(cases[k].what, make(&p, cases[k].text, &policy, cases[k].ops, cases[k].count),
                   EM_OK);
        check_size(cases[k].what, p.plan.splices.count, cases[k].splices);
        if (cases[k].splices > 0) {
            check_size(cases[k].what, p.plan.splices.items[0].offset, cases[k].first.offset);
            check_size(cases[k].what, p.plan.splices.items[0].length, cases[k].first.length);
            check_bytes(cases[k].what, p.plan.splices.items[0].insert, cases[k].first.insert);
        }
    }
}

static void the_same_op_twice_overlaps_itself(void **state)
{
    (void)state;
    EM_AUTO(planned) p;
    const em_op ops[] = {REPLACE("b", "x", 1), REPLACE("b", "x", 1)};
    assert_int_equal(make(&p, "abc", &original, ops, 2), EM_E_OVERLAP);
    assert_int_equal(p.err.edit, 1);
}

static void of_several_overlaps_that_of_the_first_in_the_list_is_told(void **state)
{
    (void)state;
    static const struct {
        em_op ops[4];
        size_t fault;
    } cases[] = {
        {{REPLACE("e", "x", 1), REPLACE("de", "x", 1), REPLACE("d", "x", 1), REPLACE("a", "x", 1)},
         1},
        {{REPLACE("a", "x", 1), REPLACE("e", "x", 1), REPLACE("bcd", "x", 1),
          REPLACE("ab", "x", 1)},
         3},
        {{REPLACE("c", "x", 1), REPLACE("a", "x", 1), REPLACE("abcde", "x", 1),
          REPLACE("b", "x", 1)},
         2},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(planned) p;
        assert_int_equal(make(&p, "abcde", &original, cases[i].ops, 4), EM_E_OVERLAP);
        assert_int_equal(p.err.edit, cases[i].fault);
        assert_true(p.failure.other_op < cases[i].fault);
    }
}

/* ---- Previews -------------------------------------------------------------------------------- */

static void previews_show_lines_before_and_after(void **state)
{
    (void)state;
    EM_AUTO(planned) p;
    const em_op ops[] = {REPLACE("two", "2", 3), REPLACE("three", "3", 1)};
    assert_int_equal(make(&p, "one\ntwo two\nthree\nxtwo\n", &with_previews, ops, 2), EM_OK);
    assert_int_equal(p.plan.preview_count, 3);
    check_bytes("before", p.plan.previews[0].before, EM_LIT("two two"));
    check_bytes("after", p.plan.previews[0].after, EM_LIT("2 2"));
    check_bytes("the next line", p.plan.previews[1].after, EM_LIT("x2"));
    assert_int_equal(p.plan.previews[1].line, 4);
    assert_int_equal(p.plan.previews[2].op, 1);
    assert_int_equal(p.plan.previews[2].line, 3);
    check_bytes("the next op", p.plan.previews[2].after, EM_LIT("3"));
}

static void previews_are_bounded(void **state)
{
    (void)state;
    EM_AUTO(planned) p;
    em_op op = REPLACE("x", "y", EM_EVERY);
    char text[601];
    for (size_t i = 0; i < 300; i++)
        memcpy(text + 2 * i, "x\n", 3);
    assert_int_equal(make(&p, text, &with_previews, &op, 1), EM_OK);
    assert_int_equal(p.plan.preview_count, EM_MAX_PREVIEWS);
    check_bytes("the last", p.plan.previews[EM_MAX_PREVIEWS - 1].after, EM_LIT("y"));
}

/* ---- Many ops, against plain strings --------------------------------------------------------- */

typedef struct flat {
    char *bytes;
    size_t length;
} flat;

enum { MANY_BYTES = 60000, MANY_OPS = 60, FLAT_ROOM = 1000000 };

/* What one op does to a plain string: each place from left to right, CRLFs aside. How many. */
static size_t flat_replace(flat *text, em_slice find, em_slice insert)
{
    static char out[FLAT_ROOM];
    size_t count = 0, length = 0, at = 0;
    while (at < text->length) {
        bool here =
            text->length - at >= find.len && memcmp(text->bytes + at, find.ptr, find.len) == 0;
        assert_true(length + insert.len + 1 < sizeof out);
        if (here) {
            memcpy(out + length, insert.ptr, insert.len);
            length += insert.len;
            at += find.len;
            count++;
        } else {
            out[length++] = text->bytes[at++];
        }
    }
    memcpy(text->bytes, out, length);
    text->length = length;
    return count;
}

static size_t some_letters(uint64_t *seed, const char *letters, char *out, size_t length)
{
    for (size_t i = 0; i < length; i++)
        out[i] = letters[next_random(seed) % strlen(letters)];
    return length;
}

/* Searches for what stands there, for what an op before put there, and for anything; each takes as
 * many places as the string has. What separates the plan's result from the string's is nothing. */
static void many_ops_do_what_strings_do(void **state)
{
    (void)state;
    static const char *const letters[] = {"abc", "abcdefghijklmnop\n", "ab\n "};
    static flat text;
    uint64_t seed = 20261123;
    text.bytes = malloc(FLAT_ROOM);
    char *body = malloc(MANY_BYTES);
    assert_true(text.bytes && body);
    for (size_t round = 0; round < 9; round++) {
        EM_AUTO(em_arena) arena = {0};
        EM_AUTO(planned) p;
        em_op ops[MANY_OPS];
        size_t counts[MANY_OPS], count = 0;
        text.length = some_letters(&seed, letters[round % 3], text.bytes, MANY_BYTES);
        memcpy(body, text.bytes, MANY_BYTES);
        while (count < MANY_OPS) {
            size_t find_length = 3 + next_random(&seed) % 30, from = next_random(&seed) % 50000;
            char *find = em_alloc(&arena, find_length), *insert = em_alloc(&arena, 20);
            assert_true(find && insert);
            memcpy(find, text.bytes + from, find_length);
            em_op op = {.kind = EM_OP_REPLACE, .find = {find, find_length}};
            op.insert = em_slice_make(
                insert, some_letters(&seed, letters[round % 3], insert, next_random(&seed) % 20));
            if (count > 0 && ops[count - 1].insert.len > 2 && next_random(&seed) % 4 == 0)
                op.find = ops[count - 1].insert;
            counts[count] = flat_replace(&text, op.find, op.insert);
            op.expect = next_random(&seed) % 2 ? EM_EVERY : counts[count];
            if (counts[count] > 0 && text.length > MANY_BYTES / 2)
                ops[count++] = op;
            else
                break;
        }
        em_policy policy = {.order = EM_SEQUENTIAL,
                            .allow_no_change = true,
                            .keep_previews = round % 2 == 0,
                            .passes = round < 3 ? EM_PASSES_ALWAYS : EM_PASSES_THAT_PAY};
        assert_int_equal(make_bytes(&p, em_slice_make(body, MANY_BYTES), &policy, ops, count),
                         EM_OK);
        for (size_t i = 0; i < count; i++)
            assert_int_equal(p.plan.places[i].total, counts[i]);
        if (count == MANY_OPS)
            check_bytes("the result", p.result, em_slice_make(text.bytes, text.length));
    }
    free(body);
    free(text.bytes);
}

/* Each pattern costs what its line is long, and not what the file is. */
static void many_patterns_each_kept_to_a_line(void **state)
{
    (void)state;
    enum { LINES = 100 * 1000, OPS = 20 * 1000, MOST_S = 20 };
    static const char line[] =
        "one line that is as long as lines of this file of many are, with its "
        "end\r\n";
    EM_AUTO(em_strbuf) body = {0};
    EM_AUTO(planned) p;
    static em_op ops[OPS];
    const em_policy policy = {.order = EM_SEQUENTIAL, .most_places = 10};
    for (size_t i = 0; i < LINES; i++)
        em_strbuf_puts(&body, line);
    for (size_t i = 0; i < OPS; i++) {
        ops[i] = (em_op)REPLACE("^\\w+ line\\b", "a line", 1);
        ops[i].regex = true;
        ops[i].first_line = ops[i].last_line = i * (LINES / OPS) + 1;
    }
    clock_t start = clock();
    assert_int_equal(make_bytes(&p, em_strbuf_slice(&body), &policy, ops, OPS), EM_OK);
    assert_true((clock() - start) / CLOCKS_PER_SEC < MOST_S);
    check_size("replacements", p.plan.replacements, OPS);
    check_size("length", p.result.len, body.len - OPS * (sizeof "one" - sizeof "a"));
}

/* A thousand times everything: what it takes is bounded by what is replaced, and not by what was
 * replaced before. Another kind of op has its turn between them, and the last one fails. */
static void a_text_may_be_replaced_everywhere_again_and_again(void **state)
{
    (void)state;
    enum { LINES = 4000, OPS = 1001, MIDDLE = 500, MOST_S = 60 };
    static const char line[] = "one and more\n";
    EM_AUTO(em_strbuf) body = {0};
    EM_AUTO(planned) p;
    static em_op ops[OPS];
    const em_policy policy = {.order = EM_SEQUENTIAL, .extent = EM_AS_FAR_AS_OK, .most_places = 10};
    for (size_t i = 0; i < LINES; i++)
        em_strbuf_puts(&body, line);
    for (size_t i = 0; i < OPS; i++)
        ops[i] = i % 2 == 0 ? (em_op)REPLACE("one", "three", EM_EVERY)
                            : (em_op)REPLACE("three", "one", EM_EVERY);
    ops[MIDDLE] = (em_op){.kind = EM_OP_APPEND, .insert = EM_LIT("one\n")};
    ops[MIDDLE + 1] = (em_op)REPLACE("and", "or", EM_EVERY);
    ops[OPS - 1] = (em_op)REPLACE("one", "two", LINES);
    clock_t start = clock();
    em_status status = make_bytes(&p, em_strbuf_slice(&body), &policy, ops, OPS);
    assert_true((clock() - start) / CLOCKS_PER_SEC < MOST_S);
    assert_int_equal(status, EM_E_COUNT);
    assert_int_equal(p.err.edit, OPS - 1);
    assert_int_equal(p.failure.actual, LINES + 1);
    assert_int_equal(p.failure.places.items[LINES / 100].start, LINES / 100 * (sizeof line - 1));
    assert_int_equal(p.plan.op_count, OPS - 1);
    assert_int_equal(p.plan.replacements, (OPS - 2) * LINES + OPS - MIDDLE - 2);
    assert_int_equal(p.plan.places[MIDDLE - 1].total, LINES);
    assert_int_equal(p.plan.places[MIDDLE - 1].items[0].start, 0);
    check_bytes("its line", p.plan.places[MIDDLE - 1].items[0].line_text, EM_LIT("three and more"));
    assert_int_equal(p.plan.splices.count, LINES + 1);
    assert_int_equal(p.plan.splices.items[1].offset, sizeof line - 1 + 4);
    check_bytes("one of them", p.plan.splices.items[1].insert, EM_LIT("or"));
}

/* ---- A miss --------------------------------------------------------------------------------- */

static const char near_misses[] = "first_value = compute(table, 1, offset);\n"
                                  "first_value = compute(table, 22, offset);\n"
                                  "first_value = compute(table, 333, offset);\n"
                                  "first_value = compute(table, 4444, offset);\n"
                                  "int main(void)\n";

/* The fuzzy tier proposes more places than a refusal shows. */
static void a_miss_shows_the_nearest_few(void **state)
{
    (void)state;
    em_op op = REPLACE("first_value = compute(books, 1, offset);", "none", 1);
    planned p;
    assert_int_equal(make(&p, near_misses, &sequential, &op, 1), EM_E_NO_MATCH);
    const em_diagnosis *d = p.failure.diagnosis;
    assert_non_null(d);
    check_size("near", d->near_count, EM_MOST_NEAR);
    for (size_t i = 0; i < d->near_count; i++)
        check_size("line", d->near[i].line, i + 1);
    assert_false(d->timed_out);
    planned_drop(&p);
}

/* What a search text is near to is told of it as it was sent, though it was tried without its line
 * numbers too. */
static void a_wrapped_miss_is_near_as_it_was_sent(void **state)
{
    (void)state;
    em_op op = REPLACE("7: first_value = compute(books, 22, offset);\n8: int pain(void)",
                       "7: second_value = 0;\n8: int pain(void)", 1);
    planned p;
    assert_int_equal(make(&p, near_misses, &sequential, &op, 1), EM_E_NO_MATCH);
    const em_diagnosis *d = p.failure.diagnosis;
    assert_true(d && d->near_count > 0);
    em_similar_place_list list;
    assert_int_equal(
        em_find_similar_places(p.text.body, op.find, 1, EM_LEAST_NEAR, NULL, &p.arena, &list),
        EM_OK);
    assert_ptr_equal(d->near[0].content.ptr, p.text.body.ptr + list.items[0].start);
    assert_true(d->near[0].similarity == list.items[0].similarity);
    planned_drop(&p);
}

/* Whether a place was found or only looks like the search text: the line breaks at the ends of that
 * do not count, since the lines have none there. */
static void outer_line_breaks_do_not_count(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text;
        em_op op;
        double similarity;
    } cases[] = {
        {"found", "alpha beta gamma\n  x\ndelta\n", REPLACE("alpha beta gamma\n\tx\n", "q\n", 1),
         1 - 2 / 20.0},
        {"near", "alpha beta gamma\ndelta\n", REPLACE("alpha beta gamxx\n", "q\n", 1),
         1 - 2 / 16.0},
        {"at the end of the file", "alpha beta gamma\n  x",
         REPLACE("alpha beta gamma\n\tx\n", "q", 1), 1 - 2 / 20.0},
        {"at the start of the file", "alpha beta gamma\n  x\ndelta\n",
         REPLACE("\n\nalpha beta gamma\n\tx", "q", 1), 1 - 2 / 20.0},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(planned) p;
        check_size(cases[i].what, make(&p, cases[i].text, &sequential, &cases[i].op, 1),
                   EM_E_NO_MATCH);
        const em_diagnosis *d = p.failure.diagnosis;
        assert_true(d && d->near_count > 0);
        if (d->near[0].similarity != cases[i].similarity)
            fail_msg("%s: %f", cases[i].what, d->near[0].similarity);
    }
}

/* What to send of a stale text is of the place that is told first, however like another place is.
 */
static void what_is_sent_is_of_the_place_shown(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text;
        em_op op;
        size_t line, end_line; /* that are told first */
        const char *sent;
    } cases[] = {
        {"the most similar", "one(1, first);\ntwo(2, other);\nfive(5);\n",
         REPLACE("one(1, first);\ntwo(2, second);\nfive(5);\n", "one(1, first);\ntwo(2, second);\n",
                 1),
         1, 3, "five(5);\n"},
        {"the next",
         "check(first, alpha);\ncheck(second, beta);\nomits(third, gamma);\nrest();\n"
         "check(first, alpha);\ncheck(second, beta);\nwhatever = new(name);\n"
         "check(third, gamma);\nrest();\n",
         REPLACE("check(first, alpha);\ncheck(second, beta);\ncheck(third, gamma);\nrest();\n",
                 "check(first, alpha);\ncheck(second, beta);\ncheck(fourth, gamma);\nrest();\n", 1),
         5, 9, "check(third, gamma);"},
        {"one that is like nothing", "a();\nreturn 1;\nb();\n",
         REPLACE("a_line_that_has_gone(with, all, that, it, had);\nreturn 1;\n",
                 "a_line_that_has_gone(with, all, that, it, had);\n", 1),
         1, 2, "return 1;\n"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(planned) p;
        check_size(cases[i].what, make(&p, cases[i].text, &sequential, &cases[i].op, 1),
                   EM_E_NO_MATCH);
        const em_diagnosis *d = p.failure.diagnosis;
        assert_true(d && d->miss == EM_MISS_STALE && d->has_correction && d->near_count > 0);
        check_bytes(cases[i].what, d->correction.find, em_slice_of(cases[i].sent));
        check_size(cases[i].what, d->near[0].line, cases[i].line);
        check_size(cases[i].what, d->near[0].end_line, cases[i].end_line);
    }
}

/* Lines that were taken away are not told as such, but what is left of them is, and no other place
 * gets what was made there. */
static void what_was_taken_away_is_not_taken_elsewhere(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text;
        em_op op;
        em_miss miss;
        size_t line; /* that is told first */
    } cases[] = {
        {"a line of a sibling",
         "void alpha(x) {\n  start(x);\n  close(x);\n}\n\n"
         "void beta(x) {\n  start(x);\n  check(x);\n  close(x);\n}\n",
         REPLACE("void alpha(x) {\n  start(x);\n  check(x);\n  close(x);",
                 "void alpha(x) {\n  start(x);\n  close(x);", 1),
         EM_MISS_STALE, 1},
        {"a short line of a sibling", "a: 1\nc: 3\n\na: 5\nb: 2\nc: 3\n",
         REPLACE("a: 1\nb: 2\nc: 3\n", "a: 1\nc: 3\n", 1), EM_MISS_STALE, 1},
        {"the other of two", "first(1);\ntwice(2);\nlast(3);\n",
         REPLACE("first(1);\ntwice(2);\ntwice(2);\nlast(3);\n", "first(1);\ntwice(2);\nlast(3);\n",
                 1),
         EM_MISS_STALE, 1},
        {"left twice",
         "one(first);\nthree(last);\n\none(first);\nthree(last);\n\n"
         "one(other);\ntwo(more);\nthree(last);\n",
         REPLACE("one(first);\ntwo(more);\nthree(last);\n", "one(first);\nthree(last);\n", 1),
         EM_MISS_STALE, 1},
        {"another case", "first(1);\nlast(3);\n\nFIRST(1);\nNEXT(2);\nLAST(3);\n",
         REPLACE("first(1);\nnext(2);\nlast(3);\n", "first(1);\nlast(3);\n", 1), EM_MISS_CASE, 4},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(planned) p;
        check_size(cases[i].what, make(&p, cases[i].text, &sequential, &cases[i].op, 1),
                   EM_E_NO_MATCH);
        const em_diagnosis *d = p.failure.diagnosis;
        assert_true(d && d->near_count > 0);
        check_size(cases[i].what, d->miss, cases[i].miss);
        check_size(cases[i].what, d->has_correction, false);
        check_size(cases[i].what, d->near[0].line, cases[i].line);
    }
}

/* A word in another case is that, also where the fuzzy tier takes it for a slip. */
static void a_word_in_another_case_is_no_typo(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        em_op op;
        em_miss miss;
    } cases[] = {
        {"function HandleRequest(req) {\n", REPLACE("function handleRequest(req) {", "x", 1),
         EM_MISS_CASE},
        {"let userName = 5;\n", REPLACE("let username = 5;", "x", 1), EM_MISS_CASE},
        {"function HandleRequest(req) {\n", REPLACE("function HandleRequst(req) {", "x", 1),
         EM_MISS_TYPO},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(planned) p;
        check_size("status", make(&p, cases[i].text, &sequential, &cases[i].op, 1), EM_E_NO_MATCH);
        check_size(cases[i].text, p.failure.diagnosis->miss, cases[i].miss);
        assert_true(p.failure.diagnosis->has_correction);
    }
}

/* What is left of a line says nothing where it is only a piece of another, nor what is next to
 * nothing where only the case is another. */
static void what_is_left_elsewhere_is_no_proof(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text;
        em_op op;
    } cases[] = {
        {"in a line", "goes(1);\nkept(six);\n\nif (a) x = kept(five);\n",
         REPLACE("goes(1);\nkept(five);\n", "kept(five);\n", 1)},
        {"short", "Call(x);\n}\n\nif (a) {\n}\n", REPLACE("call(x);\n}\n", "}\n", 1)},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(planned) p;
        check_size(cases[i].what, make(&p, cases[i].text, &sequential, &cases[i].op, 1),
                   EM_E_NO_MATCH);
        const em_diagnosis *d = p.failure.diagnosis;
        assert_true(d && d->has_correction);
    }
}

static void near_lines_are_numbered_as_in_the_original(void **state)
{
    (void)state;
    static const char text[] = "first block\nmiddle line = 1\nend block\n\nlast line of it\n";
    static const struct {
        const char *what;
        em_op ops[2];
        size_t numbers[7];
    } cases[] = {
        {"a line less",
         {REPLACE("middle line = 1\n", "", 1),
          REPLACE("first black\nend block\n\nlast line of it", "", 1)},
         {1, 3, 4, 5}},
        {"lines more",
         {REPLACE("end", "more\n\nend", 1),
          REPLACE("first black\nmiddle line = 1\nmore\n\nend block\n\nlast line of it", "", 1)},
         {1, 2, 0, 0, 3, 4, 5}},
        {"lines for a line",
         {REPLACE("end block\n", "more\nend block\n", 1),
          REPLACE("first black\nmiddle line = 1\nmore\nend block\n\nlast line of it", "", 1)},
         {1, 2, 0, 0, 4, 5}},
        {"a line changed",
         {REPLACE("middle", "Middle", 1),
          REPLACE("first black\nMiddle line = 1\nend block\n\nlast line of it", "", 1)},
         {1, 2, 3, 4, 5}},
        {"a line parted",
         {REPLACE("line = 1", "line\n= 1", 1),
          REPLACE("first black\nmiddle line\n= 1\nend block\n\nlast line of it", "", 1)},
         {1, 2, 0, 3, 4, 5}},
        {"lines joined",
         {REPLACE("block\nmiddle", "block middle", 1),
          REPLACE("first black middle line = 1\nend block\n\nlast line of it", "", 1)},
         {1, 3, 4, 5}},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(planned) p;
        check_size(cases[i].what, make(&p, text, &sequential, cases[i].ops, 2), EM_E_NO_MATCH);
        const em_diagnosis *d = p.failure.diagnosis;
        assert_true(d && d->near_count > 0 && d->near[0].numbers);
        check_size(cases[i].what, d->near[0].line, 1);
        check_size(cases[i].what, d->near[0].end_line, 5);
        for (size_t k = 0; k < em_gap_breaks(d->near[0].content) + 1; k++)
            check_size(cases[i].what, d->near[0].numbers[k], cases[i].numbers[k]);
    }
}

/* Of hundreds of places, those that stand far from others are indented as their own part of the
 * file. */
static void each_of_many_places_is_written_as_its_part_is(void **state)
{
    enum { TIMES = 1500 };
    static const struct {
        const char *before, *after;
    } parts[] = {
        {"if (a) {\n  call(x,  1);\n}\n", "if (a) {\n  if (b) {\n    call(x,  1);\n  }\n}\n"},
        {"if (a) {\n\tcall(x,  1);\n}\n", "if (a) {\n\tif (b) {\n\t\tcall(x,  1);\n\t}\n}\n"},
        {"if (a) {\n   call(x,  1);\n}\n", "if (a) {\n   if (b) {\n      call(x,  1);\n   }\n}\n"},
    };
    (void)state;
    const em_policy policy = {.order = EM_SEQUENTIAL, .most = EM_TIER_WHITESPACE};
    em_op op = REPLACE("if (a) {\n    call(x, 1);\n}",
                       "if (a) {\n    if (b) {\n        call(x, 1);\n    }\n}", EM_EVERY);
    EM_AUTO(em_strbuf) before = {0}, after = {0};
    for (size_t i = 0; i < COUNT_OF(parts); i++)
        for (size_t k = 0; k < TIMES; k++) {
            em_strbuf_puts(&before, parts[i].before);
            em_strbuf_puts(&after, parts[i].after);
        }
    EM_AUTO(planned) p;
    assert_int_equal(make_bytes(&p, em_strbuf_slice(&before), &policy, &op, 1), EM_OK);
    check_size("places", p.plan.replacements, TIMES * COUNT_OF(parts));
    assert_true(em_slice_eq(p.result, em_strbuf_slice(&after)));
}

/* Who says that a text does not stand there literally is believed; the tiers are tried as ever. */
static void what_is_known_to_be_missing_is_not_searched(void **state)
{
    (void)state;
    const em_policy policy = {
        .order = EM_SEQUENTIAL, .most = EM_TIER_WHITESPACE, .is_missing = true};
    em_op op = REPLACE("int main(void)", "int start(void)", 1);
    planned p;
    assert_int_equal(make(&p, near_misses, &policy, &op, 1), EM_OK);
    assert_int_equal(p.plan.places[0].items[0].tier, EM_TIER_WHITESPACE);
    planned_drop(&p);
}

/* Of an extract nothing is told that it may not have. */
static void an_extract_is_searched_literally_alone(void **state)
{
    (void)state;
    const em_policy policy = {.order = EM_SEQUENTIAL, .most = EM_TIER_FUZZY};
    em_op op = REPLACE("int  main(void)", "int  start(void)", 1);
    em_slice body = em_slice_of(near_misses);
    em_segment segment = {.length = body.len};
    em_extract extract = {
        .body = body, .segments = &segment, .count = 1, .size = body.len, .lf = 5};
    planned p = {.err = EM_ERROR_INIT};
    p.text = em_text_of_extract(&extract, EM_UTF8);
    assert_int_equal(em_lines_init(&p.text, &p.arena, &p.lines), EM_OK);
    em_plan_request request = {{&p.text, &p.lines}, &policy, &op, 1};
    assert_int_equal(em_plan_make(&request, &p.arena, &p.plan, &p.failure, &p.err), EM_E_NO_MATCH);
    assert_int_equal(p.err.cause, EM_CAUSE_NOT_FOUND);
    assert_null(p.failure.diagnosis);
    planned_drop(&p);
}

static void places_told_are_bounded(void **state)
{
    (void)state;
    EM_AUTO(planned) p;
    const em_policy policy = {.order = EM_SEQUENTIAL, .most_places = 3};
    const em_op ops[] = {REPLACE("a", "b", EM_EVERY), REPLACE("b", "c", EM_EVERY),
                         REPLACE("c", "d", EM_EVERY)};
    assert_int_equal(make(&p, "a a", &policy, ops, 3), EM_OK);
    check_bytes("the result", p.result, EM_LIT("d d"));
    assert_int_equal(p.plan.replacements, 6);
    assert_int_equal(p.plan.places[0].count, 2);
    assert_int_equal(p.plan.places[1].count, 1);
    assert_int_equal(p.plan.places[2].count, 1);
    assert_int_equal(p.plan.places[2].total, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_of_op),
        cmocka_unit_test(each_refusal_has_its_cause),
        cmocka_unit_test(placeholders_may_be_allowed),
        cmocka_unit_test(a_search_text_may_be_demanded),
        cmocka_unit_test(placeholders_are_told_before_anything_is_located),
        cmocka_unit_test(what_lines_leave_out_already_may_stay),
        cmocka_unit_test(no_change_may_be_allowed),
        cmocka_unit_test(expected_lines_are_compared_without_their_endings),
        cmocka_unit_test(a_stale_range_shows_what_it_holds),
        cmocka_unit_test(a_stale_range_tells_where_its_lines_went),
        cmocka_unit_test(each_edit_sees_the_ones_before),
        cmocka_unit_test(the_failing_edit_is_named),
        cmocka_unit_test(places_are_those_of_the_original),
        cmocka_unit_test(a_wrong_count_shows_the_places),
        cmocka_unit_test(too_many_places_take_little_memory),
        cmocka_unit_test(a_place_before_the_lines_does_not_count),
        cmocka_unit_test(already_applied_names_the_line),
        cmocka_unit_test(other_empty_lines_are_not_those_that_are_wanted),
        cmocka_unit_test(what_shows_too_little_is_not_told_as_applied),
        cmocka_unit_test(edits_that_cancel_out_leave_no_splice),
        cmocka_unit_test(lines_of_a_later_op_are_those_of_the_moment),
        cmocka_unit_test(an_op_may_be_kept_to_some_lines),
        cmocka_unit_test(an_op_kept_to_some_lines_says_nothing_of_the_others),
        cmocka_unit_test(an_op_kept_to_some_lines_is_looked_for_less_exactly_there),
        cmocka_unit_test(a_miss_in_some_lines_is_diagnosed_in_these),
        cmocka_unit_test(another_case_is_laid_on_as_any_slip),
        cmocka_unit_test(a_miss_in_lines_of_which_others_have_changed),
        cmocka_unit_test(lines_of_a_restriction_are_those_of_the_original),
        cmocka_unit_test(lines_of_a_restriction_are_looked_through_alone),
        cmocka_unit_test(lines_that_an_op_took_away_hold_nothing),
        cmocka_unit_test(what_an_op_put_in_belongs_to_its_line),
        cmocka_unit_test(patterns_are_ops_too),
        cmocka_unit_test(templates_are_not_written),
        cmocka_unit_test(patterns_keep_to_their_lines),
        cmocka_unit_test(a_template_writes_no_nul),
        cmocka_unit_test(what_changes_nothing_is_refused),
        cmocka_unit_test(a_text_may_not_grow_beyond_the_limit),
        cmocka_unit_test(a_text_may_outgrow_the_limit_in_between),
        cmocka_unit_test(a_text_beyond_the_limit_may_shrink),
        cmocka_unit_test(as_far_as_it_goes),
        cmocka_unit_test(as_far_as_there_is_room),
        cmocka_unit_test(order_does_not_matter_on_the_original),
        cmocka_unit_test(overlap_is_refused_and_touching_is_not),
        cmocka_unit_test(what_touches_is_one_splice),
        cmocka_unit_test(a_fuzzy_edit_is_not_made_twice),
        cmocka_unit_test(what_leaves_lines_out_is_not_made_twice),
        cmocka_unit_test(what_is_hidden_is_not_brought_once_more),
        cmocka_unit_test(what_is_beside_the_lines_does_not_come_twice),
        cmocka_unit_test(empty_lines_tell_nothing_of_the_blank_behind_numbers),
        cmocka_unit_test(lines_without_a_number_stand_below_the_others),
        cmocka_unit_test(a_comment_that_is_passed_over_does_not_come_again),
        cmocka_unit_test(the_tier_of_an_op_before_is_not_told),
        cmocka_unit_test(what_is_to_go_is_taken_from_before_a_comment),
        cmocka_unit_test(the_same_text_may_be_found_by_a_tolerant_tier),
        cmocka_unit_test(places_are_not_laid_at_two_depths),
        cmocka_unit_test(a_first_line_that_is_cut_tells_no_step),
        cmocka_unit_test(blanks_beside_a_slip_are_settled_or_not_changed),
        cmocka_unit_test(a_line_with_odd_blanks_is_not_added_twice),
        cmocka_unit_test(the_same_op_twice_overlaps_itself),
        cmocka_unit_test(of_several_overlaps_that_of_the_first_in_the_list_is_told),
        cmocka_unit_test(previews_show_lines_before_and_after),
        cmocka_unit_test(previews_are_bounded),
        cmocka_unit_test(many_ops_do_what_strings_do),
        cmocka_unit_test(many_patterns_each_kept_to_a_line),
        cmocka_unit_test(a_text_may_be_replaced_everywhere_again_and_again),
        cmocka_unit_test(a_miss_shows_the_nearest_few),
        cmocka_unit_test(a_wrapped_miss_is_near_as_it_was_sent),
        cmocka_unit_test(outer_line_breaks_do_not_count),
        cmocka_unit_test(what_is_sent_is_of_the_place_shown),
        cmocka_unit_test(what_was_taken_away_is_not_taken_elsewhere),
        cmocka_unit_test(a_word_in_another_case_is_no_typo),
        cmocka_unit_test(what_is_left_elsewhere_is_no_proof),
        cmocka_unit_test(near_lines_are_numbered_as_in_the_original),
        cmocka_unit_test(each_of_many_places_is_written_as_its_part_is),
        cmocka_unit_test(what_is_known_to_be_missing_is_not_searched),
        cmocka_unit_test(an_extract_is_searched_literally_alone),
        cmocka_unit_test(places_told_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
