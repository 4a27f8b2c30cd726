#include "scratch.h"

#include "base/clock.h"
#include "base/strbuf.h"
#include "failing_malloc.h"
#include "session/memory.h"

#include <ctype.h>
#include <fcntl.h>

/* One replacement, `times` often. */
static em_op replace(const char *find, const char *insert, size_t times)
{
    return (em_op){.kind = EM_OP_REPLACE,
                   .find = em_slice_of(find),
                   .insert = em_slice_of(insert),
                   .expect = times};
}

static em_op rewrite(const char *insert)
{
    return (em_op){.kind = EM_OP_REWRITE, .insert = em_slice_of(insert)};
}

/* An outcome that is dropped with the scratch that it came from. */
typedef struct result {
    scratch *of;
    em_outcome outcome;
} result;

static void result_drop(result *r)
{
    em_outcome_drop(r->of->session, &r->outcome);
}

static em_status run(scratch *s, em_edit_request request, const em_op *op, result *r)
{
    r->of = s;
    if (op) {
        request.ops = op;
        request.op_count = 1;
    }
    request.tool = "test";
    em_status status = em_run_edit(s->session, &request, &s->arena, &r->outcome);
    assert_int_equal(r->outcome.status, status);
    assert_int_equal(r->outcome.error.code, status);
    return status;
}

static void an_edit_is_committed(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    scratch_write(&s, "a.txt", EM_LIT("one two\n"));
    EM_AUTO(result) r;
    em_op op = replace("two", "2", 1);
    em_edit_request request = {.path = "a.txt", .want_diff = true};
    assert_int_equal(run(&s, request, &op, &r), EM_OK);
    check_file(&s, "a.txt", EM_LIT("one 2\n"));
    assert_true(r.outcome.committed);
    assert_false(r.outcome.created);
    assert_string_equal(r.outcome.file.rel, "a.txt");
    assert_true(strlen(r.outcome.edit_id) > 16);
    assert_string_equal(r.outcome.hash.hex, em_hash_of(EM_LIT("one 2\n")).hex);
    assert_int_equal(r.outcome.size, 6);
    assert_int_equal(r.outcome.diff.lines_added, 1);
    assert_int_equal(r.outcome.plan.replacements, 1);
}

static void a_dry_run_writes_nothing(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    scratch_write(&s, "a.txt", EM_LIT("one\n"));
    EM_AUTO(result) r;
    em_op op = replace("one", "1", 1);
    em_edit_request request = {.path = "a.txt", .dry_run = true, .want_diff = true};
    assert_int_equal(run(&s, request, &op, &r), EM_OK);
    check_file(&s, "a.txt", EM_LIT("one\n"));
    assert_false(r.outcome.committed);
    assert_int_equal(r.outcome.plan.splices.count, 1);
    assert_string_equal(r.outcome.hash.hex, em_hash_of(EM_LIT("one\n")).hex);
    assert_int_not_equal(access(s.state, F_OK), 0);
}

/* Also what stops a change at its last moment; but only if there is one. */
static void a_dry_run_is_refused_like_the_run(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    static const char *const deny[] = {"*.bak"};
    const em_session_options options = {.workspace = {.deny = deny, .deny_count = 1}};
    const em_op ops[] = {replace("one", "1", 1), replace("absent", "1", 1), rewrite("one\n")};
    const em_status wanted[] = {EM_E_DENIED, EM_E_NO_MATCH, EM_OK};
    scratch_open(&s, &options);
    scratch_write(&s, "a.txt", EM_LIT("one\n"));
    for (size_t i = 0; i < 2 * COUNT_OF(ops); i++) {
        EM_AUTO(result) r;
        em_edit_request request = {.path = "a.txt", .backup = true, .dry_run = i % 2 == 0};
        assert_int_equal(run(&s, request, &ops[i / 2], &r), wanted[i / 2]);
        check_file(&s, "a.txt", EM_LIT("one\n"));
    }
}

static void edits_that_cancel_out_write_nothing(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    scratch_write(&s, "a.txt", EM_LIT("one\n"));
    EM_AUTO(result) r;
    const em_op ops[] = {replace("one", "two", 1), replace("two", "one", 1)};
    em_edit_request request = {.path = "a.txt", .ops = ops, .op_count = 2};
    assert_int_equal(run(&s, request, NULL, &r), EM_OK);
    assert_false(r.outcome.committed);
    assert_string_equal(r.outcome.edit_id, "");
}

/* Splices that each have an effect may leave the bytes as they were. */
static void edits_that_cancel_out_far_apart_write_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *file, *first, *gone;
        bool changes;
    } cases[] = {
        {"ab ab", "ab ", " ab", false}, /* "ab " comes, " ab" goes */
        {"ab ab", "ac ", " ab", true},     {"ab  ab", "ab ", " ab", true},
        {"ab  ab\n", "ab ", "ab\n", true}, {"xab", "x", "ab", true},
        {"xab", "xab", "b", true},         {"aaab", "a", "b", true},
        {"aaaa b", "aa", "aaaa", true},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(scratch) s;
        scratch_open(&s, NULL);
        scratch_write(&s, "a.txt", em_slice_of(cases[i].file));
        EM_AUTO(result) r;
        const em_op ops[] = {
            {.kind = EM_OP_PREPEND, .insert = em_slice_of(cases[i].first)},
            {.kind = EM_OP_DELETE, .find = em_slice_of(cases[i].gone), .expect = 1}};
        em_edit_request request = {.path = "a.txt",
                                   .ops = ops,
                                   .op_count = 2,
                                   .policy = {.order = EM_ORIGINAL},
                                   .want_diff = true};
        assert_int_equal(run(&s, request, NULL, &r), EM_OK);
        assert_int_equal(r.outcome.committed, cases[i].changes);
        assert_int_equal(r.outcome.plan.replacements, 2);
        assert_int_equal(r.outcome.diff.hunk_count > 0, cases[i].changes);
        assert_int_equal(r.outcome.plan.splices.count > 0, cases[i].changes);
    }
}

/* What an edit does though nobody asked for it (remarks/remarks.h), before it and with it. */
static void remarks_are_told(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    scratch_write(&s, "a.txt", EM_LIT("a\nb\n"));
    for (int dry = 1; dry >= 0; dry--) {
        EM_AUTO(result) r;
        em_op op = replace("b", "-b\n+c", 1);
        em_edit_request request = {.path = "a.txt", .dry_run = dry == 1};
        assert_int_equal(run(&s, request, &op, &r), EM_OK);
        assert_int_equal(r.outcome.warnings.count, 1);
        assert_int_equal(strstr(r.outcome.warnings.items[0], "undo this and send") != NULL,
                         dry == 0);
    }
}

static void a_failed_plan_says_what_it_knew(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    scratch_write(&s, "a.txt", EM_LIT("x\nx\n"));
    EM_AUTO(result) r;
    em_op op = replace("x", "y", 1);
    em_edit_request request = {.path = "a.txt"};
    assert_int_equal(run(&s, request, &op, &r), EM_E_COUNT);
    assert_ptr_equal(r.outcome.failed_op, &op);
    assert_int_equal(r.outcome.failure.places.count, 2);
    assert_int_equal(em_lines_count(&r.outcome.lines), 2);
    assert_string_equal(r.outcome.file.rel, "a.txt");
    check_file(&s, "a.txt", EM_LIT("x\nx\n"));
}

static void what_goes_well_before_a_failure_is_kept(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    scratch_write(&s, "a.txt", EM_LIT("one two\n"));
    const em_op ops[] = {replace("one", "1", 1), replace("three", "3", 1), replace("two", "2", 1)};
    em_edit_request request = {.path = "a.txt",
                               .ops = ops,
                               .op_count = 3,
                               .policy = {.extent = EM_AS_FAR_AS_OK},
                               .want_diff = true};
    for (int dry = 1; dry >= 0; dry--) {
        EM_AUTO(result) r;
        request.dry_run = dry == 1;
        assert_int_equal(run(&s, request, NULL, &r), EM_E_NO_MATCH);
        assert_int_equal(r.outcome.error.edit, 1);
        assert_int_equal(r.outcome.plan.op_count, 1);
        assert_int_equal(r.outcome.diff.lines_added, 1);
        assert_int_equal(r.outcome.committed, !dry);
        check_file(&s, "a.txt", dry ? EM_LIT("one two\n") : EM_LIT("1 two\n"));
    }
}

/* ---- Text that is not there exactly --------------------------------------------------------- */

static const char drifted[] = "if (x) {\n    go();\n}";

static void a_tolerant_tier_is_used_where_it_is_allowed(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    scratch_write(&s, "a.txt", EM_LIT("if (x) {\n\tgo();\n}\n"));
    em_op op = replace(drifted, "if (x) {\n    stop();\n}", 1);
    em_edit_request request = {.path = "a.txt"};
    for (size_t misses = 1; misses <= 2; misses++) {
        EM_AUTO(result) r;
        assert_int_equal(run(&s, request, &op, &r), EM_E_NO_MATCH);
        assert_non_null(r.outcome.failure.diagnosis);
        assert_int_equal(r.outcome.misses, misses);
    }
    EM_AUTO(result) r;
    request.policy.most = EM_TIER_FUZZY;
    assert_int_equal(run(&s, request, &op, &r), EM_OK);
    assert_null(r.outcome.failed_op);
    check_file(&s, "a.txt", EM_LIT("if (x) {\n\tstop();\n}\n"));
    EM_AUTO(result) again;
    assert_int_equal(run(&s, request, &op, &again), EM_E_NO_MATCH);
    assert_int_equal(again.outcome.error.cause, EM_CAUSE_ALREADY_APPLIED);
    assert_int_equal(again.outcome.misses, 1);
    op = replace("nowhere in it", "x", 1);
    EM_AUTO(result) after;
    assert_int_equal(run(&s, request, &op, &after), EM_E_NO_MATCH);
    assert_int_equal(after.outcome.misses, 2);
}

/* A text in which nothing stands as it is sought, that takes a while to look through. */
static void write_much(const scratch *s, const char *name)
{
    EM_AUTO(em_strbuf) text = {0};
    for (int i = 0; i < 100000; i++)
        em_strbuf_printf(&text, "if (x%d) { go(); }\n", i % 977);
    scratch_write(s, name, em_strbuf_slice(&text));
}

static void overwrite_when_planned(void *context, em_stage stage)
{
    if (stage == EM_STAGE_PLANNED)
        scratch_write(context, "a.txt", EM_LIT("somebody else's\n"));
}

/* So many that their texts are gathered while the file is read (ahead.h), and the way back and the
 * diff are made while it is written. */
static void thousands_of_edits(void **state)
{
    (void)state;
    enum { MANY = 2000 };
    EM_AUTO(scratch) s;
    EM_AUTO(em_strbuf) old = {0}, new = {0};
    scratch_open(&s, NULL);
    em_op *ops = em_alloc_array(&s.arena, MANY, sizeof *ops);
    for (int i = 0; i < MANY; i++) {
        em_strbuf_printf(&old, "line %d;\nbetween\n", i);
        em_strbuf_printf(&new, "row %d;\nbetween\n", i);
        ops[i] = replace(em_arena_format(&s.arena, "line %d;", i),
                         em_arena_format(&s.arena, "row %d;", i), 1);
    }
    scratch_write(&s, "a.txt", em_strbuf_slice(&old));
    em_edit_request request = {
        .path = "missing.txt", .ops = ops, .op_count = MANY, .want_diff = true};
    EM_AUTO(result) missing, refused, done, overtaken;
    assert_int_equal(run(&s, request, NULL, &missing), EM_E_NOT_FOUND);
    request.path = "a.txt";
    em_op last = ops[MANY - 1];
    ops[MANY - 1].insert = em_slice_of("// ... existing code ...");
    assert_int_equal(run(&s, request, NULL, &refused), EM_E_INVALID);
    assert_int_equal(refused.outcome.error.cause, EM_CAUSE_PLACEHOLDER);
    assert_int_equal(refused.outcome.error.edit, MANY - 1);
    check_file(&s, "a.txt", em_strbuf_slice(&old));
    ops[MANY - 1] = last;
    assert_int_equal(run(&s, request, NULL, &done), EM_OK);
    assert_int_equal(done.outcome.plan.replacements, MANY);
    assert_int_equal(done.outcome.diff.lines_added, MANY);
    check_file(&s, "a.txt", em_strbuf_slice(&new));
    scratch_write(&s, "a.txt", em_strbuf_slice(&old));
    request.progress = overwrite_when_planned;
    request.progress_context = &s;
    assert_int_equal(run(&s, request, NULL, &overtaken), EM_E_CONFLICT);
    assert_int_equal(overtaken.outcome.diff.lines_removed, MANY);
    check_file(&s, "a.txt", EM_LIT("somebody else's\n"));
}

/* How many edits it takes for a thread does not tell in the answer: what is remarked comes before
 * what the change itself warns of. */
static void thousands_of_edits_are_remarked_on(void **state)
{
    (void)state;
    enum { MANY = 2000 };
    EM_AUTO(scratch) s;
    EM_AUTO(em_strbuf) old = {0};
    char from[200], to[200];
    scratch_open(&s, NULL);
    em_op *ops = em_alloc_array(&s.arena, MANY, sizeof *ops);
    for (int i = 0; i < MANY; i++) {
        em_strbuf_printf(&old, "line %d;\nint between_%d;\n", i, i);
        ops[i] = replace(em_arena_format(&s.arena, "line %d;", i),
                         em_arena_format(&s.arena, "row %d;", i), 1);
    }
    ops[0].find = em_slice_of("line 0;\n");
    ops[0].insert = em_slice_of("row 0;\nint between_0;\n");
    scratch_path(&s, "a.txt", from);
    scratch_path(&s, "b.txt", to);
    for (size_t count = MANY - 1; count <= MANY; count++) {
        unlink(from);
        unlink(to);
        scratch_write(&s, "a.txt", em_strbuf_slice(&old));
        assert_int_equal(link(from, to), 0);
        em_edit_request request = {.path = "a.txt", .ops = ops, .op_count = count};
        EM_AUTO(result) r;
        assert_int_equal(run(&s, request, NULL, &r), EM_OK);
        assert_int_equal(r.outcome.warnings.count, 2);
        assert_non_null(strstr(r.outcome.warnings.items[0], "is the same as line"));
        assert_non_null(strstr(r.outcome.warnings.items[1], "hard link"));
    }
}

static void one_deadline_is_for_all_that_a_call_does(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, &(em_session_options){.deadline_ms = 1});
    write_much(&s, "big.txt");
    scratch_write(&s, "a.txt", EM_LIT("if (x) {\n\tgo();\n}\n"));
    em_op op = replace(drifted, "x", 1);
    em_edit_request request = {.path = "big.txt", .policy = {.most = EM_TIER_FUZZY}};
    EM_AUTO(result) first;
    assert_int_equal(run(&s, request, &op, &first), EM_E_TIMEOUT);
    assert_ptr_equal(first.outcome.failed_op, &op);
    assert_int_equal(first.outcome.misses, 1);
    request.path = "a.txt";
    request.continues = true;
    EM_AUTO(result) second;
    assert_int_equal(run(&s, request, &op, &second), EM_E_TIMEOUT);
    request.continues = false; /* a call of its own has its own time */
    EM_AUTO(result) third;
    assert_int_equal(run(&s, request, &op, &third), EM_OK);
}

/* The file has nothing to do with it. */
static void a_slow_pattern_is_no_miss(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    EM_AUTO(result) r;
    scratch_open(&s, &(em_session_options){.deadline_ms = 1});
    scratch_write(&s, "a.txt", EM_LIT("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab\n"));
    em_op op = replace("(a+)+$", "x", EM_EVERY);
    op.regex = true;
    em_edit_request request = {.path = "a.txt"};
    assert_int_equal(run(&s, request, &op, &r), EM_E_TIMEOUT);
    assert_int_equal(r.outcome.misses, 0);
}

static void changes_of_several_files_are_one_call(void **state)
{
    (void)state;
    static const struct {
        const char *insert; /* NULL: a request that fails */
        bool continues;
        int calls, commits;
    } steps[] = {
        {"a", false, 1, 1}, {"b", true, 1, 2},   {"c", false, 2, 3},
        {"d", true, 2, 4},  {NULL, false, 2, 4}, {"e", true, 3, 5},
    };
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    for (size_t i = 0; i < COUNT_OF(steps); i++) {
        EM_AUTO(result) r;
        em_op op = rewrite(steps[i].insert ? steps[i].insert : "x");
        em_edit_request request = {.path = steps[i].insert ? "a.txt" : "../a.txt",
                                   .existence = EM_MAY_EXIST,
                                   .continues = steps[i].continues};
        assert_int_equal(run(&s, request, &op, &r), steps[i].insert ? EM_OK : EM_E_OUTSIDE);
        check_history(&s, steps[i].calls, steps[i].commits);
    }
}

static void misses_in_a_row_are_counted(void **state)
{
    (void)state;
    static const struct {
        const char *path, *find, *session;
        bool stateless;
        size_t times, want;
        bool dry_run;
    } steps[] = {
        {"a.txt", "no", NULL, false, 1, 1, false},   {"a.txt", "x", NULL, false, 1, 2, true},
        {"b.txt", "no", NULL, false, 1, 1, false},   {"none.txt", "no", NULL, false, 1, 0, false},
        {"a.txt", "", NULL, false, 1, 3, false},     {"a.txt", "no", NULL, false, 1, 4, false},
        {"a.txt", "no", "mine", false, 1, 1, false}, {"a.txt", "no", "mine", true, 1, 2, false},
        {"a.txt", "no", NULL, true, 1, 0, false},    {"a.txt", "no", NULL, true, 1, 0, false},
        {"a.txt", "x", NULL, true, 2, 0, true},      {"a.txt", "no", NULL, false, 1, 5, false},
        {"./a.txt", "x", NULL, false, 2, 0, true},   {"a.txt", "no", NULL, false, 1, 1, false},
    };
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    scratch_write(&s, "a.txt", EM_LIT("x\nx\n"));
    scratch_write(&s, "b.txt", EM_LIT("x\n"));
    for (size_t i = 0; i < COUNT_OF(steps); i++) {
        EM_AUTO(result) r;
        em_op op = replace(steps[i].find, "y", steps[i].times);
        em_edit_request request = {.path = steps[i].path,
                                   .session = steps[i].session,
                                   .stateless = steps[i].stateless,
                                   .dry_run = steps[i].dry_run};
        run(&s, request, &op, &r);
        assert_int_equal(r.outcome.misses, steps[i].want);
    }
}

/* The text was not even looked at, so what the edit asks of it is no mistake. */
static void an_encoding_that_is_not_the_files_is_no_miss(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    scratch_write(&s, "a.txt", EM_LIT("x\n"));
    scratch_write(&s, "utf16.txt", EM_LIT("\xFF\xFEx\0"));
    static const struct {
        const char *path, *encoding, *insert;
        size_t want;
    } cases[] = {
        {"a.txt", "nonsense", "y", 0},
        {"utf16.txt", "latin1", "y", 0},
        {"a.txt", "latin1", "\xE2\x82\xAC", 1}, /* of the text it asks what cannot be done */
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(result) r;
        em_op op = replace("x", cases[i].insert, 1);
        em_edit_request request = {.path = cases[i].path, .encoding = cases[i].encoding};
        assert_int_equal(run(&s, request, &op, &r), EM_E_INVALID);
        assert_int_equal(r.outcome.error.cause, EM_CAUSE_ENCODING);
        assert_int_equal(r.outcome.misses, cases[i].want);
    }
}

static void files_that_are_not_there(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    em_op op = rewrite("new\n");
    {
        EM_AUTO(result) r;
        em_edit_request request = {.path = "d/e/a.txt"};
        assert_int_equal(run(&s, request, &op, &r), EM_E_NOT_FOUND);
        assert_null(r.outcome.file.path);
    }
    {
        EM_AUTO(result) r;
        em_edit_request request = {.path = "d/e/a.txt", .existence = EM_MUST_BE_NEW};
        assert_int_equal(run(&s, request, &op, &r), EM_OK);
        assert_true(r.outcome.created);
        check_file(&s, "d/e/a.txt", EM_LIT("new\n"));
    }
    {
        EM_AUTO(result) r;
        em_edit_request request = {.path = "d/e/a.txt", .existence = EM_MUST_BE_NEW};
        assert_int_equal(run(&s, request, &op, &r), EM_E_EXISTS);
    }
    {
        EM_AUTO(result) r;
        em_op empty = rewrite("");
        em_edit_request request = {.path = "empty.txt", .existence = EM_MAY_EXIST};
        assert_int_equal(run(&s, request, &empty, &r), EM_OK);
        assert_true(r.outcome.created);
        check_file(&s, "empty.txt", EM_LIT(""));
    }
}

static void a_hash_is_a_precondition(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    scratch_write(&s, "a.txt", EM_LIT("one\n"));
    em_hash right = em_hash_of(EM_LIT("one\n")), wrong = em_hash_of(EM_LIT("two\n"));
    em_op op = replace("one", "1", 1);
    {
        EM_AUTO(result) r;
        em_edit_request request = {.path = "a.txt", .expected_hash = wrong.hex};
        assert_int_equal(run(&s, request, &op, &r), EM_E_CONFLICT);
        assert_int_equal(r.outcome.error.cause, EM_CAUSE_CHANGED);
        assert_string_equal(r.outcome.hash.hex, right.hex);
        assert_null(strstr(r.outcome.error.detail, "is no hash"));
    }
    static const char *const none[] = {"sha256:abc", "0000000000000000000000000000000g"};
    for (size_t i = 0; i < COUNT_OF(none); i++) {
        EM_AUTO(result) r;
        em_edit_request request = {.path = "a.txt", .expected_hash = none[i]};
        assert_int_equal(run(&s, request, &op, &r), EM_E_CONFLICT);
        assert_non_null(strstr(r.outcome.error.detail, ", which is no hash of an answer"));
    }
    {
        EM_AUTO(result) r;
        em_op any = rewrite("x");
        em_edit_request request = {
            .path = "gone.txt", .existence = EM_MAY_EXIST, .expected_hash = wrong.hex};
        assert_int_equal(run(&s, request, &any, &r), EM_E_CONFLICT);
    }
    {
        EM_AUTO(result) r;
        em_edit_request request = {.path = "a.txt", .expected_hash = right.hex};
        assert_int_equal(run(&s, request, &op, &r), EM_OK);
    }
    {
        EM_AUTO(result) r;
        em_op back = replace("1", "one", 1);
        em_hash capital = em_hash_of(EM_LIT("1\n"));
        for (char *at = capital.hex; *at; at++)
            *at = (char)toupper(*at);
        em_edit_request request = {.path = "a.txt", .expected_hash = capital.hex};
        assert_int_equal(run(&s, request, &back, &r), EM_OK);
    }
}

static void the_sessions_limits_win(void **state)
{
    (void)state;
    const em_op ops[] = {replace("a", "b", 1), replace("b", "c", 1), replace("c", "d", 1)};
    static const struct {
        em_session_options options;
        size_t of_dialect;
        uint64_t size_of_dialect;
        em_status want;
    } cases[] = {
        {{.max_edits = 0}, 0, 0, EM_OK},          {{.max_edits = 0}, 2, 0, EM_E_TOO_MANY_EDITS},
        {{.max_edits = 3}, 2, 0, EM_OK},          {{.max_edits = 2}, 5, 0, EM_E_TOO_MANY_EDITS},
        {{.max_edits = 0}, 0, 1, EM_E_TOO_LARGE}, {{.max_file_size = 1}, 0, 9, EM_E_TOO_LARGE},
        {{.max_file_size = 9}, 0, 1, EM_OK},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(scratch) s;
        EM_AUTO(result) r;
        scratch_open(&s, &cases[i].options);
        scratch_write(&s, "a.txt", EM_LIT("a\n"));
        em_edit_request request = {.path = "a.txt",
                                   .ops = ops,
                                   .op_count = 3,
                                   .max_edits = cases[i].of_dialect,
                                   .max_file_size = cases[i].size_of_dialect};
        assert_int_equal(run(&s, request, NULL, &r), cases[i].want);
    }
}

/* What is limited is the file that is written, in bytes of its encoding; a dry run says the same.
 */
static void a_limit_is_one_of_bytes_of_the_file(void **state)
{
    (void)state;
    const em_op longer[] = {replace("abcd", "abcde", 1)}, latin1[] = {replace("ab", "bac", 1)},
                wide[] = {replace("\xE4\xB8\x80\xE4\xBA\x8C",
                                  "\xE4\xB8\x80\xE4\xBA\x8C\xE4\xB8\x80\xE4\xBA\x8C", 1)},
                detour[] = {replace("abc", "abcXXXX", 1), replace("defghi", "", 1)},
                far[] = {replace("abc", "abcXXXXabcXXXXX", 1), replace("defghi", "", 1)};
    static const em_slice utf16 = {"\xFF\xFE"
                                   "a\0b\0c\0d\0",
                                   10},
                          cjk = {"\xFF\xFE\x00\x4E\x8C\x4E", 6};
    const struct {
        em_slice content;
        const char *encoding;
        const em_op *ops;
        size_t op_count, size;
        ptrdiff_t culprit;
    } cases[] = {
        {utf16, NULL, longer, 1, 12, 0},
        {cjk, NULL, wide, 1, 10, 0},
        {EM_LIT("caf\xE9\xE9\xE9 ab"), "latin1", latin1, 1, 10, 0},
        {EM_LIT("abcdefghi\n"), NULL, detour, 2, 8, 1},
        {EM_LIT("abcdefghi\n"), NULL, far, 2, 16, 0},
        {EM_LIT("\xEF\xBB\xBF"
                "abcd"),
         NULL, longer, 1, 8, 0},
    };
    for (size_t i = 0; i < 4 * COUNT_OF(cases); i++) {
        size_t kind = i / 4;
        bool fits = i % 2 == 0 || cases[kind].size <= cases[kind].content.len;
        EM_AUTO(scratch) s;
        EM_AUTO(result) r;
        scratch_open(&s, NULL);
        scratch_write(&s, "a.txt", cases[kind].content);
        em_edit_request request = {.path = "a.txt",
                                   .encoding = cases[kind].encoding,
                                   .ops = cases[kind].ops,
                                   .op_count = cases[kind].op_count,
                                   .dry_run = i % 4 < 2,
                                   .max_file_size = cases[kind].size - i % 2};
        if (fits && request.max_file_size < cases[kind].content.len)
            request.max_file_size = cases[kind].content.len;
        assert_int_equal(run(&s, request, NULL, &r), fits ? EM_OK : EM_E_TOO_LARGE);
        assert_int_equal(r.outcome.error.edit, fits ? EM_NO_EDIT : cases[kind].culprit);
        assert_int_equal(r.outcome.committed, fits && !request.dry_run);
        if (r.outcome.committed)
            assert_int_equal(r.outcome.size, cases[kind].size);
    }
}

/* What operations on elements write is no text of an edit. */
static void a_dry_run_of_a_page_keeps_to_the_limit(void **state)
{
    (void)state;
    const em_dom_op op = {
        .selector = EM_LIT("p"), .action = EM_DOM_SET_TEXT, .value = EM_LIT("new")};
    for (size_t i = 0; i < 4; i++) {
        EM_AUTO(scratch) s;
        EM_AUTO(result) r;
        scratch_open(&s, NULL);
        scratch_write(&s, "a.html", EM_LIT("<p>o</p>"));
        em_edit_request request = {.path = "a.html",
                                   .dom_ops = &op,
                                   .dom_op_count = 1,
                                   .dry_run = i < 2,
                                   .max_file_size = 10 - i % 2};
        assert_int_equal(run(&s, request, NULL, &r), i % 2 == 0 ? EM_OK : EM_E_TOO_LARGE);
    }
}

static void placeholders_are_the_servers_choice(void **state)
{
    (void)state;
    em_op op = replace("one", "// ... existing code ...", 1);
    for (int allowed = 0; allowed < 2; allowed++) {
        EM_AUTO(scratch) s;
        EM_AUTO(result) r;
        em_session_options options = {.allow_placeholders = allowed == 1};
        scratch_open(&s, &options);
        scratch_write(&s, "a.txt", EM_LIT("one\n"));
        em_edit_request request = {.path = "a.txt"};
        assert_int_equal(run(&s, request, &op, &r), allowed ? EM_OK : EM_E_INVALID);
    }
}

/* Content of an element that leaves something out takes away what that stands for. */
static void placeholders_in_elements_are_refused(void **state)
{
    (void)state;
#define REST "<!-- ... rest of content unchanged ... -->"
    static const struct {
        const char *page, *selector, *value;
        em_dom_action action;
        bool allowed, is_refused;
    } cases[] = {
        {"<div><p>1</p></div>", "div", "<p>2</p>\n" REST, EM_DOM_SET_HTML, false, true},
        {"<div><p>1</p></div>", "div", "<p>2</p>\n" REST, EM_DOM_SET_HTML, true, false},
        {"<div><p>1</p>\n" REST "\n</div>", "div", "<p>2</p>\n" REST, EM_DOM_SET_HTML, false,
         false},
        {"<div>1</div>\n" REST, "div", "<p>2</p>\n" REST, EM_DOM_SET_HTML, false, true},
        {"<script>a()\nb()</script>", "script", "a()\n// ... existing code ...", EM_DOM_SET_TEXT,
         false, true},
        {"<p>1</p>", "p", "(rest unchanged ...)", EM_DOM_SET_TEXT, false, false},
        {"<p>1</p>", "p", "2 ...", EM_DOM_SET_HTML, false, false},
    };
#undef REST
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(scratch) s;
        EM_AUTO(result) r;
        em_session_options options = {.allow_placeholders = cases[i].allowed};
        scratch_open(&s, &options);
        scratch_write(&s, "a.html", em_slice_of(cases[i].page));
        em_dom_op op = {.selector = em_slice_of(cases[i].selector),
                        .action = cases[i].action,
                        .value = em_slice_of(cases[i].value),
                        .position = EM_DOM_NO_POSITION};
        em_edit_request request = {.path = "a.html", .dom_ops = &op, .dom_op_count = 1};
        assert_int_equal(run(&s, request, NULL, &r), cases[i].is_refused ? EM_E_INVALID : EM_OK);
        if (cases[i].is_refused)
            assert_int_equal(r.outcome.error.cause, EM_CAUSE_PLACEHOLDER);
    }
}

/* Who read such a file without naming its encoding has seen U+FFFD. */
static void another_encoding_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *before, *content, *encoding;
        em_status status;
        size_t warnings;
    } cases[] = {
        {"caf\xE9\n", "caf\xC3\xA9\n", NULL, EM_OK, 1},
        {"caf\xE9\n", "cafe\n", NULL, EM_OK, 0},
        {"caf\xE9\n", "caf\xC3\xA9s\n", "latin1", EM_OK, 0},
        {"caf\xE9\n", "caf\xEF\xBF\xBD\n", NULL, EM_E_INVALID, 0},
        {"\xEF\xBF\xBD caf\xE9\n", "\xEF\xBF\xBD cafe\n", NULL, EM_OK, 1},
        {"caf\xC3\xA9\n", "caf\xEF\xBF\xBD\n", NULL, EM_OK, 0},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(scratch) s;
        EM_AUTO(result) r;
        scratch_open(&s, NULL);
        scratch_write(&s, "a.txt", em_slice_of(cases[i].before));
        em_op op = rewrite(cases[i].content);
        em_edit_request request = {
            .path = "a.txt", .existence = EM_MAY_EXIST, .encoding = cases[i].encoding};
        assert_int_equal(run(&s, request, &op, &r), cases[i].status);
        assert_int_equal(r.outcome.warnings.count, cases[i].warnings);
        if (cases[i].status != EM_OK)
            check_file(&s, "a.txt", em_slice_of(cases[i].before));
    }
}

static void what_was_no_text_can_be_rewritten(void **state)
{
    (void)state;
    static const struct {
        em_slice before, after;
    } cases[] = {{{"a\0b", 3}, {"\xC3\xA9\n", 3}},
                 {{"caf\xE9\n", 5}, {"\xC3\xA9\n", 3}},
                 {{"\xEF\xBB\xBF\xE9\n", 5}, {"\xEF\xBB\xBF\xC3\xA9\n", 6}},
                 {{"\xFF\xFE\n\0x", 5}, {"\xFF\xFE\xE9\0\n\0", 6}},
                 {{"\xFE\xFF\xD8\0\0\n", 6}, {"\xFE\xFF\0\xE9\0\n", 6}}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(scratch) s;
        EM_AUTO(result) r;
        scratch_open(&s, NULL);
        scratch_write(&s, "a.bin", cases[i].before);
        em_op op = rewrite("\xC3\xA9\n");
        em_edit_request request = {.path = "a.bin", .existence = EM_MAY_EXIST};
        assert_int_equal(run(&s, request, &op, &r), EM_OK);
        check_file(&s, "a.bin", cases[i].after);
    }
}

static void what_is_no_text_is_not_edited(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    EM_AUTO(result) r;
    scratch_open(&s, NULL);
    scratch_write(&s, "a.bin", em_slice_make("a\0b", 3));
    em_op op = replace("a", "c", 1);
    em_edit_request request = {.path = "a.bin"};
    assert_int_equal(run(&s, request, &op, &r), EM_E_BINARY);
}

static void a_named_encoding_is_kept(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    EM_AUTO(result) r;
    scratch_open(&s, NULL);
    scratch_write(&s, "a.txt", EM_LIT("caf\xE9 \x80\n"));
    em_op op = replace("caf\xC3\xA9", "th\xC3\xA9", 1);
    em_edit_request request = {.path = "a.txt", .encoding = "windows-1252"};
    assert_int_equal(run(&s, request, &op, &r), EM_OK);
    check_file(&s, "a.txt", EM_LIT("th\xE9 \x80\n"));
}

static void utf16_stays_utf16(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    EM_AUTO(result) r;
    scratch_open(&s, NULL);
    scratch_write(&s, "a.txt",
                  em_slice_make("\xFF\xFE"
                                "a\0\n\0",
                                6));
    em_op op = replace("a", "b\xE2\x82\xAC", 1);
    em_edit_request request = {.path = "a.txt"};
    assert_int_equal(run(&s, request, &op, &r), EM_OK);
    check_file(&s, "a.txt",
               em_slice_make("\xFF\xFE"
                             "b\0\xAC\x20\n\0",
                             8));
}

static void a_new_file_has_the_bom_of_its_encoding(void **state)
{
    (void)state;
    static const struct {
        const char *encoding, *content;
        em_slice want;
    } cases[] = {
        {"utf-16",
         "a",
         {"\xFF\xFE"
          "a\0",
          4}},
        {"utf-16", "", {"\xFF\xFE", 2}},
        {"utf-16be", "a", {"\0a", 2}},
        {"windows-1252", "\xC3\xA9", {"\xE9", 1}},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(scratch) s;
        EM_AUTO(result) r;
        scratch_open(&s, NULL);
        em_op op = rewrite(cases[i].content);
        em_edit_request request = {
            .path = "a.txt", .existence = EM_MUST_BE_NEW, .encoding = cases[i].encoding};
        assert_int_equal(run(&s, request, &op, &r), EM_OK);
        check_file(&s, "a.txt", cases[i].want);
        assert_int_equal(r.outcome.size, cases[i].want.len);
    }
}

static void a_backup_holds_the_old_content(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    EM_AUTO(result) r;
    scratch_open(&s, NULL);
    scratch_write(&s, "a.txt", EM_LIT("one\n"));
    em_op op = replace("one", "1", 1);
    em_edit_request request = {.path = "a.txt", .backup = true};
    assert_int_equal(run(&s, request, &op, &r), EM_OK);
    assert_string_equal(r.outcome.backup_path, "a.txt.bak");
    check_file(&s, "a.txt.bak", EM_LIT("one\n"));
    check_file(&s, "a.txt", EM_LIT("1\n"));
}

static void a_broken_hard_link_is_told(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    EM_AUTO(result) r;
    char from[200], to[200];
    scratch_open(&s, NULL);
    scratch_write(&s, "a.txt", EM_LIT("one\n"));
    scratch_path(&s, "a.txt", from);
    scratch_path(&s, "b.txt", to);
    assert_int_equal(link(from, to), 0);
    em_op op = replace("one", "1", 1);
    em_edit_request request = {.path = "a.txt"};
    assert_int_equal(run(&s, request, &op, &r), EM_OK);
    assert_true(r.outcome.warnings.count >= 1);
    check_file(&s, "b.txt", EM_LIT("one\n"));
}

static void a_dry_run_tells_of_a_hard_link(void **state)
{
    (void)state;
    static const char *const warnings[] = {
        "A hard link would be broken: the file's other name would keep the old content",
        "A hard link would be broken: the file's other 2 names would keep the old content",
    };
    EM_AUTO(scratch) s;
    char from[200], to[200];
    scratch_open(&s, NULL);
    scratch_write(&s, "a.txt", EM_LIT("one\n"));
    scratch_path(&s, "a.txt", from);
    for (size_t i = 0; i < COUNT_OF(warnings); i++) {
        EM_AUTO(result) r;
        scratch_path(&s, i == 0 ? "b.txt" : "c.txt", to);
        assert_int_equal(link(from, to), 0);
        em_op op = replace("one", "1", 1);
        em_edit_request request = {.path = "a.txt", .dry_run = true};
        assert_int_equal(run(&s, request, &op, &r), EM_OK);
        assert_int_equal(r.outcome.warnings.count, 1);
        assert_string_equal(r.outcome.warnings.items[0], warnings[i]);
    }
}

static void note_stage(void *context, em_stage stage)
{
    int *seen = context;
    *seen = *seen * 10 + (int)stage + 1;
}

static void progress_is_told_in_order(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    EM_AUTO(result) r;
    int seen = 0;
    scratch_open(&s, NULL);
    scratch_write(&s, "a.txt", EM_LIT("one\n"));
    em_op op = replace("one", "1", 1);
    em_edit_request request = {.path = "a.txt", .progress = note_stage, .progress_context = &seen};
    assert_int_equal(run(&s, request, &op, &r), EM_OK);
    assert_int_equal(seen, 12);
}

static void ranges_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t first, last;
        em_status status;
        const char *want;
    } cases[] = {
        {"1\r\n2\n3", 0, 0, EM_OK, "1\r\n2\n3"},
        {"1\r\n2\n3", 1, 1, EM_OK, "1\r\n"},
        {"1\r\n2\n3", 2, 3, EM_OK, "2\n3"},
        {"1\r\n2\n3", 2, 0, EM_OK, "2\n3"},
        {"1\r\n2\n3", 0, 2, EM_OK, "1\r\n2\n"},
        {"1\r\n2\n3", 2, 4, EM_OK, "2\n3"},
        {"1\r\n2\n3", 4, 0, EM_E_INVALID, ""},
        {"1\r\n2\n3", 3, 2, EM_E_INVALID, ""},
        {"\xEF\xBB\xBF"
         "1\n",
         0, 0, EM_OK, "1\n"},
        {"\xEF\xBB\xBF"
         "1\n",
         1, 1, EM_OK, "1\n"},
        {"", 0, 0, EM_OK, ""},
        {"", 1, 0, EM_OK, ""},
        {"", 1, 1, EM_OK, ""},
        {"", 2, 2, EM_E_INVALID, ""},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(scratch) s;
        EM_AUTO(result) r = {.of = &s};
        em_slice content;
        scratch_open(&s, NULL);
        scratch_write(&s, "a.txt", em_slice_of(cases[i].text));
        em_read_request request = {
            .path = "a.txt", .first_line = cases[i].first, .last_line = cases[i].last};
        assert_int_equal(em_run_read(s.session, &request, &s.arena, &content, &r.outcome),
                         cases[i].status);
        assert_true(em_slice_is(content, cases[i].want));
        assert_string_equal(r.outcome.hash.hex, em_hash_of(em_slice_of(cases[i].text)).hex);
    }
}

static void reading_what_cannot_be_read(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    scratch_write(&s, "a.bin", em_slice_make("a\0b", 3));
    static const struct {
        const char *path;
        em_status want;
    } cases[] = {{"a.bin", EM_E_BINARY},
                 {"gone", EM_E_NOT_FOUND},
                 {"..", EM_E_OUTSIDE},
                 {".", EM_E_IS_FOLDER}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(result) r = {.of = &s};
        em_slice content;
        em_read_request request = {.path = cases[i].path};
        assert_int_equal(em_run_read(s.session, &request, &s.arena, &content, &r.outcome),
                         cases[i].want);
    }
}

/* ---- What was read before ------------------------------------------------------------------ */

static em_status remember(scratch *s, const char *session, bool stateless)
{
    EM_AUTO(result) r = {.of = s};
    em_slice content;
    em_read_request request = {
        .path = "a.txt", .remember = true, .session = session, .stateless = stateless};
    return em_run_read(s->session, &request, &s->arena, &content, &r.outcome);
}

/* Put other bytes into the file and its time to `ms`, as somebody else would. */
static void change_behind(scratch *s, const char *bytes, int64_t ms)
{
    char path[200];
    scratch_write(s, "a.txt", em_slice_of(bytes));
    scratch_path(s, "a.txt", path);
    struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    const struct timespec times[] = {time, time};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void a_file_must_be_as_it_was_read(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        int64_t ms;
        const char *why;
    } cases[] = {
        {"one\n", 5000, NULL},
        {"one two\n", 5000, "it has 8 bytes, not the expected 4"},
        {"one\n", 5001, "it was last changed at 5001 ms, not at the expected 5000 ms"},
        {"One\n", 5000, "its content has the hash "},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(scratch) s;
        scratch_open(&s, NULL);
        change_behind(&s, "one\n", 5000);
        assert_int_equal(remember(&s, NULL, false), EM_OK);
        change_behind(&s, cases[i].bytes, cases[i].ms);
        EM_AUTO(result) r;
        em_op op = rewrite("new\n");
        em_edit_request request = {.path = "a.txt", .recall = EM_RECALL_READ, .dry_run = true};
        assert_int_equal(run(&s, request, &op, &r), cases[i].why ? EM_E_CONFLICT : EM_OK);
        if (!cases[i].why)
            continue;
        assert_int_equal(r.outcome.error.cause, EM_CAUSE_CHANGED);
        if (!strstr(r.outcome.error.detail, cases[i].why))
            fail_msg("%s", r.outcome.error.detail);
    }
}

static void what_is_expected_wins_over_what_was_read(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    change_behind(&s, "one\n", 5000);
    assert_int_equal(remember(&s, NULL, false), EM_OK);
    change_behind(&s, "one two\n", 6000);
    em_hash hash = em_hash_of(EM_LIT("one two\n"));
    const int64_t old_ms = 5000, new_ms = 6000, old_size = 4, new_size = 8;
    const struct {
        const int64_t *ms, *size;
        const char *hash;
        em_status want;
    } cases[] = {
        {NULL, NULL, NULL, EM_E_CONFLICT},
        {&new_ms, NULL, NULL, EM_OK},
        {NULL, &new_size, NULL, EM_OK},
        {NULL, NULL, hash.hex, EM_OK},
        {&new_ms, &new_size, hash.hex, EM_OK},
        {&old_ms, &new_size, hash.hex, EM_E_CONFLICT},
        {&new_ms, &old_size, NULL, EM_E_CONFLICT},
        {NULL, NULL, "0", EM_E_CONFLICT},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(result) r;
        em_op op = rewrite("new\n");
        em_edit_request request = {.path = "a.txt",
                                   .dry_run = true,
                                   .recall = EM_RECALL_DEMANDED,
                                   .expected_mtime_ms = cases[i].ms,
                                   .expected_size = cases[i].size,
                                   .expected_hash = cases[i].hash};
        assert_int_equal(run(&s, request, &op, &r), cases[i].want);
    }
}

static void only_one_session_remembers(void **state)
{
    (void)state;
    static const struct {
        const char *reader;
        bool reads_stateless;
        const char *writer;
        bool writes_stateless;
        em_recall recall;
        em_status want;
    } cases[] = {
        {NULL, false, NULL, false, EM_RECALL_READ, EM_E_CONFLICT},
        {NULL, false, NULL, false, EM_RECALL_NOT, EM_OK},
        {NULL, false, NULL, true, EM_RECALL_READ, EM_OK},
        {NULL, true, NULL, true, EM_RECALL_READ, EM_OK},
        {"me", true, "me", true, EM_RECALL_READ, EM_E_CONFLICT},
        {"me", true, "you", true, EM_RECALL_READ, EM_OK},
        {"me", false, NULL, false, EM_RECALL_READ, EM_OK},
        {NULL, true, NULL, true, EM_RECALL_DEMANDED, EM_E_EXISTS},
        {"me", true, "me", true, EM_RECALL_DEMANDED, EM_E_CONFLICT},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(scratch) s;
        scratch_open(&s, NULL);
        scratch_write(&s, "a.txt", EM_LIT("one\n"));
        assert_int_equal(remember(&s, cases[i].reader, cases[i].reads_stateless), EM_OK);
        scratch_write(&s, "a.txt", EM_LIT("other\n"));
        EM_AUTO(result) r;
        em_op op = rewrite("new\n");
        em_edit_request request = {.path = "a.txt",
                                   .dry_run = true,
                                   .recall = cases[i].recall,
                                   .session = cases[i].writer,
                                   .stateless = cases[i].writes_stateless};
        assert_int_equal(run(&s, request, &op, &r), cases[i].want);
    }
}

static em_status rewrite_to(scratch *s, const char *content, em_recall recall)
{
    EM_AUTO(result) r;
    em_op op = rewrite(content);
    em_edit_request request = {.path = "a.txt", .existence = EM_MAY_EXIST, .recall = recall};
    return run(s, request, &op, &r);
}

static void what_the_caller_wrote_it_knows(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    assert_int_equal(rewrite_to(&s, "made\n", EM_RECALL_DEMANDED), EM_OK);
    assert_int_equal(rewrite_to(&s, "again\n", EM_RECALL_DEMANDED), EM_E_EXISTS);
    assert_int_equal(remember(&s, NULL, false), EM_OK);
    assert_int_equal(rewrite_to(&s, "second\n", EM_RECALL_DEMANDED), EM_OK);
    assert_int_equal(rewrite_to(&s, "third\n", EM_RECALL_NOT), EM_OK);
    assert_int_equal(rewrite_to(&s, "fourth\n", EM_RECALL_READ), EM_OK);
    scratch_write(&s, "a.txt", EM_LIT("by another\n"));
    assert_int_equal(rewrite_to(&s, "fifth\n", EM_RECALL_NOT), EM_OK);
    assert_int_equal(rewrite_to(&s, "sixth\n", EM_RECALL_READ), EM_E_CONFLICT);
    char path[200];
    scratch_path(&s, "a.txt", path);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rewrite_to(&s, "made again\n", EM_RECALL_DEMANDED), EM_OK);
    assert_int_equal(rewrite_to(&s, "and changed\n", EM_RECALL_DEMANDED), EM_OK);
}

static void the_time_of_the_file_is_told(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    change_behind(&s, "one\n", 5000);
    EM_AUTO(result) r;
    em_op op = rewrite("new\n");
    em_edit_request request = {.path = "a.txt"};
    assert_int_equal(run(&s, request, &op, &r), EM_OK);
    char path[200];
    struct stat now;
    scratch_path(&s, "a.txt", path);
    assert_int_equal(stat(path, &now), 0);
    assert_int_equal(r.outcome.mtime_ms, em_ms_of(now.st_mtim));
    assert_true(r.outcome.mtime_ms > 5000);
}

/* ---- In steps ------------------------------------------------------------------------------ */

/* Plan `op` on what is open. */
static em_plan plan_on(scratch *s, const result *r, const em_op *op)
{
    em_policy policy = {0};
    em_plan plan;
    em_plan_failure failure;
    em_plan_request request = {{&r->outcome.text, &r->outcome.lines}, &policy, op, 1};
    assert_int_equal(em_plan_make(&request, &s->arena, &plan, &failure, NULL), EM_OK);
    return plan;
}

static void a_change_in_steps(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    scratch_write(&s, "a.txt", EM_LIT("one two\n"));
    EM_AUTO(result) r = {.of = &s};
    em_edit_request request = {.path = "a.txt", .tool = "test"};
    em_op op = replace("two", "2", 1);
    assert_int_equal(em_run_open(s.session, &request, &s.arena, &r.outcome), EM_OK);
    assert_int_equal(em_lines_count(&r.outcome.lines), 1);
    em_hash before = r.outcome.hash;
    em_plan plan = plan_on(&s, &r, &op);
    check_file(&s, "a.txt", EM_LIT("one two\n"));
    assert_int_equal(em_run_commit(s.session, &request, &plan, &s.arena, &r.outcome), EM_OK);
    check_file(&s, "a.txt", EM_LIT("one 2\n"));
    assert_true(r.outcome.committed);
    assert_false(em_hash_eq(r.outcome.hash, before));
    assert_true(strlen(r.outcome.edit_id) > 16);
}

static void a_step_that_fails_says_why(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, &(em_session_options){.max_edits = 1});
    scratch_write(&s, "a.txt", EM_LIT("one two\n"));
    EM_AUTO(result) missing = {.of = &s};
    em_edit_request request = {.path = "b.txt", .tool = "test"};
    assert_int_equal(em_run_open(s.session, &request, &s.arena, &missing.outcome), EM_E_NOT_FOUND);
    assert_int_equal(missing.outcome.error.code, EM_E_NOT_FOUND);

    EM_AUTO(result) r = {.of = &s};
    em_op op = replace("two", "2", 1);
    request.path = "a.txt";
    assert_int_equal(em_run_open(s.session, &request, &s.arena, &r.outcome), EM_OK);
    em_plan plan = plan_on(&s, &r, &op);
    plan.op_count = 2;
    assert_int_equal(em_run_commit(s.session, &request, &plan, &s.arena, &r.outcome),
                     EM_E_TOO_MANY_EDITS);
    plan.op_count = 1;
    scratch_write(&s, "a.txt", EM_LIT("somebody's\n"));
    assert_int_equal(em_run_commit(s.session, &request, &plan, &s.arena, &r.outcome),
                     EM_E_CONFLICT);
    assert_int_equal(r.outcome.status, EM_E_CONFLICT);
    assert_false(r.outcome.committed);
    check_file(&s, "a.txt", EM_LIT("somebody's\n"));
}

/* ---- Several files, all or none ------------------------------------------------------------ */

enum { FILES = 3 };

/* A call of several files, dropped with the scratch that it came from. */
typedef struct results {
    scratch *of;
    em_outcome outcomes[FILES];
    size_t count;
    em_several result;
} results;

static void results_drop(results *r)
{
    for (size_t i = 0; i < r->count; i++)
        em_outcome_drop(r->of->session, &r->outcomes[i]);
}

static em_status run_all(scratch *s, const em_edit_request *requests, size_t count, results *r)
{
    r->of = s;
    r->count = count;
    em_status status =
        em_run_edits(s->session, requests, count, &s->arena, r->outcomes, &r->result);
    assert_int_equal(r->result.status, status);
    return status;
}

static void three_files(scratch *s, em_op ops[static FILES], em_edit_request requests[static FILES])
{
    scratch_open(s, NULL);
    scratch_write(s, "a.txt", EM_LIT("one\n"));
    scratch_write(s, "b.txt", EM_LIT("two\n"));
    ops[0] = replace("one", "1", 1);
    ops[1] = replace("two", "2", 1);
    ops[2] = rewrite("three\n");
    static const char *const paths[FILES] = {"a.txt", "b.txt", "new/c.txt"};
    for (size_t i = 0; i < FILES; i++)
        requests[i] = (em_edit_request){
            .path = paths[i], .ops = &ops[i], .op_count = 1, .tool = "test", .want_diff = true};
    requests[2].existence = EM_MAY_EXIST;
}

static void several_edits_are_committed_together(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    EM_AUTO(results) r;
    em_op ops[FILES];
    em_edit_request requests[FILES];
    three_files(&s, ops, requests);
    for (size_t i = 0; i < FILES; i++)
        requests[i].dry_run = true;
    assert_int_equal(run_all(&s, requests, FILES, &r), EM_OK);
    check_file(&s, "a.txt", EM_LIT("one\n"));
    assert_false(r.outcomes[0].committed);
    assert_int_equal(r.outcomes[0].diff.lines_added, 1);
    results_drop(&r);
    for (size_t i = 0; i < FILES; i++)
        requests[i].dry_run = false;
    assert_int_equal(run_all(&s, requests, FILES, &r), EM_OK);
    assert_int_equal(r.result.culprit, FILES);
    check_file(&s, "a.txt", EM_LIT("1\n"));
    check_file(&s, "b.txt", EM_LIT("2\n"));
    check_file(&s, "new/c.txt", EM_LIT("three\n"));
    for (size_t i = 0; i < FILES; i++) {
        assert_true(r.outcomes[i].committed);
        assert_true(r.outcomes[i].edit_id[0] != '\0');
        assert_true(r.outcomes[i].mtime_ms > 0);
    }
    assert_true(r.outcomes[2].created);
    assert_string_equal(r.outcomes[1].hash.hex, em_hash_of(EM_LIT("2\n")).hex);
}

static void one_that_fails_leaves_all_as_they_were(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    EM_AUTO(results) r;
    em_op ops[FILES];
    em_edit_request requests[FILES];
    three_files(&s, ops, requests);
    ops[1] = replace("absent", "x", 1);
    assert_int_equal(run_all(&s, requests, FILES, &r), EM_E_NO_MATCH);
    assert_int_equal(r.result.culprit, 1);
    assert_int_equal(r.result.error.edit, 0);
    assert_int_equal(r.outcomes[0].status, EM_OK);
    assert_int_equal(r.outcomes[1].status, EM_E_NO_MATCH);
    assert_int_equal(r.outcomes[1].misses, 1);
    assert_int_equal(r.outcomes[2].status, EM_OK);
    for (size_t i = 0; i < FILES; i++)
        assert_false(r.outcomes[i].committed);
    check_file(&s, "a.txt", EM_LIT("one\n"));
    char made[200];
    scratch_path(&s, "new", made);
    assert_int_not_equal(access(made, F_OK), 0);
}

/* So is what keeps each from being written, in a dry run too. */
static void all_that_cannot_be_written_is_told(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    static const char *const deny[] = {"*.bak"};
    const em_session_options options = {.workspace = {.deny = deny, .deny_count = 1}};
    scratch_open(&s, &options);
    scratch_write(&s, "a.txt", EM_LIT("one\n"));
    scratch_write(&s, "b.txt", EM_LIT("one\n"));
    em_op op = replace("one", "1", 1);
    for (int dry = 0; dry < 2; dry++) {
        EM_AUTO(results) r;
        const em_edit_request common = {
            .ops = &op, .op_count = 1, .tool = "test", .backup = true, .dry_run = dry == 1};
        em_edit_request requests[2] = {common, common};
        requests[0].path = "a.txt";
        requests[1].path = "b.txt";
        assert_int_equal(run_all(&s, requests, 2, &r), EM_E_DENIED);
        assert_int_equal(r.result.culprit, 0);
        assert_int_equal(r.outcomes[0].status, EM_E_DENIED);
        assert_int_equal(r.outcomes[1].status, EM_E_DENIED);
    }
}

/* What is wrong with each is told, also where some cannot even be opened. */
static void all_that_is_wrong_with_them_is_told(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    EM_AUTO(results) r;
    em_op ops[FILES];
    em_edit_request requests[FILES];
    three_files(&s, ops, requests);
    ops[0] = replace("absent", "x", 1);
    requests[1].path = "missing.txt";
    assert_int_equal(run_all(&s, requests, FILES, &r), EM_E_NO_MATCH);
    assert_int_equal(r.result.culprit, 0);
    assert_int_equal(r.outcomes[1].status, EM_E_NOT_FOUND);
    assert_int_equal(r.outcomes[2].status, EM_OK);
    assert_int_equal(r.outcomes[2].plan.op_count, 1);
}

static void a_file_is_in_a_call_once(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    EM_AUTO(results) r;
    em_op ops[FILES];
    em_edit_request requests[FILES];
    three_files(&s, ops, requests);
    requests[1].path = "./a.txt";
    assert_int_equal(run_all(&s, requests, FILES, &r), EM_E_INVALID);
    assert_int_equal(r.outcomes[0].same_as, EM_NPOS);
    assert_int_equal(r.outcomes[1].same_as, 0);
}

/* What a single edit demands holds for each of them. */
static void what_is_expected_of_several_is_checked(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    EM_AUTO(results) r;
    em_op ops[FILES];
    em_edit_request requests[FILES];
    three_files(&s, ops, requests);
    requests[1].expected_hash = "0";
    assert_int_equal(run_all(&s, requests, FILES, &r), EM_E_CONFLICT);
    assert_int_equal(r.result.culprit, 1);
    results_drop(&r);
    requests[1].expected_hash = NULL;
    requests[0].existence = EM_MUST_BE_NEW;
    assert_int_equal(run_all(&s, requests, FILES, &r), EM_E_EXISTS);
    results_drop(&r);
    requests[0].existence = EM_MUST_EXIST;
    requests[0].max_edits = 2;
    assert_int_equal(run_all(&s, requests, FILES, &r), EM_E_TOO_MANY_EDITS);
    assert_int_equal(r.result.culprit, FILES);
}

/* Edits that change nothing are none, beside others that do. */
static void what_changes_nothing_is_no_commit(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    EM_AUTO(results) r;
    em_op ops[FILES];
    em_edit_request requests[FILES];
    three_files(&s, ops, requests);
    ops[0] = replace("one", "one", 1);
    requests[0].policy.allow_no_change = true;
    assert_int_equal(run_all(&s, requests, FILES, &r), EM_OK);
    assert_false(r.outcomes[0].committed);
    assert_true(r.outcomes[1].committed);
    results_drop(&r);
    ops[1] = replace("2", "2", 1);
    requests[1].policy.allow_no_change = true;
    assert_int_equal(run_all(&s, requests, 2, &r), EM_OK);
    assert_false(r.outcomes[1].committed);
}

/* Somebody saves one of them when all is planned. */
typedef struct meddler {
    scratch *of;
    em_stage at;
} meddler;

static void save_b(void *context, em_stage stage)
{
    const meddler *m = context;
    if (stage == m->at)
        scratch_write(m->of, "b.txt", EM_LIT("theirs\n"));
}

static void a_conflict_is_that_of_its_file(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    EM_AUTO(results) r;
    em_op ops[FILES];
    em_edit_request requests[FILES];
    three_files(&s, ops, requests);
    meddler m = {&s, EM_STAGE_PLANNED};
    requests[0].progress = save_b;
    requests[0].progress_context = &m;
    assert_int_equal(run_all(&s, requests, FILES, &r), EM_E_CONFLICT);
    assert_int_equal(r.result.culprit, 1);
    assert_int_equal(r.outcomes[0].status, EM_OK);
    assert_false(r.outcomes[0].committed);
    assert_int_equal(r.outcomes[1].status, EM_E_CONFLICT);
    check_file(&s, "a.txt", EM_LIT("one\n"));
    check_file(&s, "b.txt", EM_LIT("theirs\n"));
}

static void several_of_which_memory_runs_out(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    em_op ops[FILES];
    em_edit_request requests[FILES];
    three_files(&s, ops, requests);
    bool ended = false;
    for (long left = 0; !ended; left++) {
        results r;
        mallocs_left = left;
        em_status status = run_all(&s, requests, FILES, &r);
        ended = mallocs_left > 0 || status == EM_OK;
        mallocs_left = -1;
        assert_true(status == EM_OK || status == EM_E_NOMEM || status == EM_E_UNKNOWN);
        results_drop(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_edit_is_committed),
        cmocka_unit_test(a_dry_run_writes_nothing),
        cmocka_unit_test(a_dry_run_is_refused_like_the_run),
        cmocka_unit_test(edits_that_cancel_out_write_nothing),
        cmocka_unit_test(edits_that_cancel_out_far_apart_write_nothing),
        cmocka_unit_test(a_tolerant_tier_is_used_where_it_is_allowed),
        cmocka_unit_test(thousands_of_edits),
        cmocka_unit_test(thousands_of_edits_are_remarked_on),
        cmocka_unit_test(one_deadline_is_for_all_that_a_call_does),
        cmocka_unit_test(a_slow_pattern_is_no_miss),
        cmocka_unit_test(remarks_are_told),
        cmocka_unit_test(a_failed_plan_says_what_it_knew),
        cmocka_unit_test(what_goes_well_before_a_failure_is_kept),
        cmocka_unit_test(changes_of_several_files_are_one_call),
        cmocka_unit_test(misses_in_a_row_are_counted),
        cmocka_unit_test(an_encoding_that_is_not_the_files_is_no_miss),
        cmocka_unit_test(files_that_are_not_there),
        cmocka_unit_test(a_hash_is_a_precondition),
        cmocka_unit_test(the_sessions_limits_win),
        cmocka_unit_test(a_limit_is_one_of_bytes_of_the_file),
        cmocka_unit_test(a_dry_run_of_a_page_keeps_to_the_limit),
        cmocka_unit_test(placeholders_are_the_servers_choice),
        cmocka_unit_test(placeholders_in_elements_are_refused),
        cmocka_unit_test(another_encoding_is_told),
        cmocka_unit_test(what_was_no_text_can_be_rewritten),
        cmocka_unit_test(what_is_no_text_is_not_edited),
        cmocka_unit_test(a_named_encoding_is_kept),
        cmocka_unit_test(utf16_stays_utf16),
        cmocka_unit_test(a_new_file_has_the_bom_of_its_encoding),
        cmocka_unit_test(a_backup_holds_the_old_content),
        cmocka_unit_test(a_broken_hard_link_is_told),
        cmocka_unit_test(a_dry_run_tells_of_a_hard_link),
        cmocka_unit_test(progress_is_told_in_order),
        cmocka_unit_test(ranges_are_read),
        cmocka_unit_test(reading_what_cannot_be_read),
        cmocka_unit_test(a_file_must_be_as_it_was_read),
        cmocka_unit_test(what_is_expected_wins_over_what_was_read),
        cmocka_unit_test(only_one_session_remembers),
        cmocka_unit_test(what_the_caller_wrote_it_knows),
        cmocka_unit_test(the_time_of_the_file_is_told),
        cmocka_unit_test(a_change_in_steps),
        cmocka_unit_test(several_edits_are_committed_together),
        cmocka_unit_test(one_that_fails_leaves_all_as_they_were),
        cmocka_unit_test(all_that_cannot_be_written_is_told),
        cmocka_unit_test(all_that_is_wrong_with_them_is_told),
        cmocka_unit_test(a_file_is_in_a_call_once),
        cmocka_unit_test(what_is_expected_of_several_is_checked),
        cmocka_unit_test(what_changes_nothing_is_no_commit),
        cmocka_unit_test(a_conflict_is_that_of_its_file),
        cmocka_unit_test(several_of_which_memory_runs_out),
        cmocka_unit_test(a_step_that_fails_says_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
