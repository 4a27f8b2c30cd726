#include "edit/tolerate.h"

#include "scarce_arena.h"

/* What one op is asked with. */
typedef struct asked {
    em_text text;
    em_lines lines;
    em_draft draft;
    em_policy policy;
    em_op op;
    em_toleration toleration;
    em_plan_failure failure;
    em_located located;
    em_error err;
} asked;

static void asked_drop(asked *a)
{
    em_draft_drop(&a->draft);
}

static em_status ask(asked *a, em_slice body, em_op op, em_arena *arena)
{
    *a = (asked){.op = op, .policy = {.most = EM_TIER_FUZZY}, .err = EM_ERROR_INIT};
    EM_TRY(em_text_open(body, NULL, arena, &a->text, &a->err));
    EM_TRY(em_lines_init(&a->text, arena, &a->lines));
    EM_TRY(em_draft_init(&a->draft, body, 0));
    a->toleration = (em_toleration){.original = &a->text,
                                    .lines = &a->lines,
                                    .draft = &a->draft,
                                    .policy = &a->policy,
                                    .op = &a->op,
                                    .text = body,
                                    .within = {0, body.len},
                                    .part = {0, body.len}};
    return EM_OK;
}

static em_status find(asked *a, em_arena *arena)
{
    return em_tolerate_find(&a->toleration, arena, &a->located, &a->failure, &a->err);
}

static em_op replacing(const char *find, const char *insert)
{
    return (em_op){.kind = EM_OP_REPLACE,
                   .find = em_slice_of(find),
                   .insert = em_slice_of(insert),
                   .expect = 1};
}

/* ---- Finding --------------------------------------------------------------------------------- */

static const struct {
    const char *what, *text, *find, *insert;
    em_tier tier; /* at which it is found */
    size_t places;
} found[] = {
    {"other blanks", "f() {\n    a(1);\n}\n", "  a(1);\n", "  a(2);\n", EM_TIER_WHITESPACE, 1},
    {"other quotes", "say( \"a\");\n", "say('a');\n", "say('b');\n", EM_TIER_TOKEN, 1},
    {"a slip", "connection_pool.receive(alpha);\n", "connection_pool.recieve(alpha);\n",
     "connection_pool.receive(beta);\n", EM_TIER_FUZZY, 1},
    {"more often than expected", "f() {\n    a(1);\n    a(1);\n}\n", "  a(1);\n", "  a(2);\n",
     EM_TIER_WHITESPACE, 2},
};

static void the_strictest_tier_tells_the_places(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(found); i++)
        for (em_tier most = EM_TIER_EXACT; most <= EM_TIER_FUZZY; most++) {
            EM_AUTO(em_arena) arena = {0};
            EM_AUTO(asked) a;
            assert_int_equal(ask(&a, em_slice_of(found[i].text),
                                 replacing(found[i].find, found[i].insert), &arena),
                             EM_OK);
            a.policy.most = most;
            em_status status = find(&a, &arena);
            check_size(found[i].what, status, most < found[i].tier ? EM_E_NO_MATCH : EM_OK);
            if (status != EM_OK) {
                check_size(found[i].what, a.err.cause, EM_CAUSE_NOT_FOUND);
                assert_non_null(a.failure.diagnosis);
                continue;
            }
            check_size(found[i].what, a.located.tier, found[i].tier);
            check_size(found[i].what, a.failure.tier, found[i].tier);
            check_size(found[i].what, a.located.places.count, found[i].places);
            for (size_t k = 1; k < a.located.places.count; k++)
                assert_true(a.located.places.items[k - 1].span.end <=
                            a.located.places.items[k].span.start);
        }
}

static void places_are_those_of_the_lines_that_are_asked(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(asked) a;
    em_slice text = EM_LIT("    a(1);\n    a(1);\n    a(1);\n");
    assert_int_equal(ask(&a, text, replacing("  a(1);\n", "  a(2);\n"), &arena), EM_OK);
    a.toleration.within = (em_span){10, 20};
    assert_int_equal(find(&a, &arena), EM_OK);
    assert_int_equal(a.located.places.count, 1);
    assert_int_equal(a.located.places.items[0].span.end, 20);
}

static void where_nobody_is_ahead_the_next_is_told(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(asked) a;
    em_slice text = EM_LIT("a( 1);\na( 1);\na( 1);\n");
    assert_int_equal(ask(&a, text, replacing("a(1);\na(1);\n", "b(1);\n"), &arena), EM_OK);
    assert_int_equal(find(&a, &arena), EM_OK);
    assert_int_equal(a.located.places.count, 2);
    assert_true(a.failure.one_is_meant);
    assert_non_null(a.located.places.items[0].tokens);
    assert_null(a.located.places.items[1].tokens);
    assert_true(a.located.places.items[0].span.start < a.located.places.items[1].span.start);
}

static void what_was_done_before_is_told(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(asked) a;
    em_slice text = EM_LIT("begin();\ninitialise_the_pool(beta);\nend();\n");
    assert_int_equal(ask(&a, text,
                         replacing("begin();\ninitialise_the_pool(alpha);\nend();\n",
                                   "begin();\ninitialise_the_pool(beta);\nend();\n"),
                         &arena),
                     EM_OK);
    assert_int_equal(find(&a, &arena), EM_E_NO_MATCH);
    assert_int_equal(a.err.cause, EM_CAUSE_ALREADY_APPLIED);
    assert_int_equal(a.failure.line, 1);
    assert_false(a.failure.inserted);
    assert_null(a.failure.diagnosis);
}

static void an_excerpt_is_refused_in_silence(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(asked) a;
    em_slice text = EM_LIT("f() {\n    a(1);\n}\n");
    em_occurrences in = {.text = text, .arena = &arena};
    assert_int_equal(ask(&a, text, replacing("  other(1);\n", "  a(2);\n"), &arena), EM_OK);
    a.toleration.excerpt = &in;
    assert_int_equal(find(&a, &arena), EM_E_NO_MATCH);
    assert_null(a.failure.diagnosis);
    assert_int_equal(a.failure.line, 0);
}

static void a_deadline_that_passed_is_told(void **state)
{
    (void)state;
    for (em_tier most = EM_TIER_EXACT; most <= EM_TIER_FUZZY; most += EM_TIER_FUZZY) {
        EM_AUTO(em_arena) arena = {0};
        EM_AUTO(asked) a;
        em_deadline deadline = {.at = 1, .passed = true};
        assert_int_equal(
            ask(&a, EM_LIT("f() {\n    a(1);\n}\n"), replacing("  a(1);\n", "  a(2);\n"), &arena),
            EM_OK);
        a.policy.most = most;
        a.policy.deadline = &deadline;
        assert_int_equal(find(&a, &arena), most == EM_TIER_EXACT ? EM_E_NO_MATCH : EM_E_TIMEOUT);
    }
}

/* ---- Corrections ----------------------------------------------------------------------------- */

static void a_correction_is_told_in_the_words_of_the_op(void **state)
{
    (void)state;
    static const struct {
        em_op_kind kind;
        const char *insert, *wanted;
    } kinds[] = {
        {EM_OP_REPLACE, "  b(1);\n", "    b(1);\n"},
        {EM_OP_DELETE, "", ""},
        {EM_OP_INSERT_AFTER, "  b(1);\n", "    b(1);\n"},
        {EM_OP_INSERT_BEFORE, "  b(1);\n", "    b(1);\n"},
    };
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        EM_AUTO(em_arena) arena = {0};
        EM_AUTO(asked) a;
        em_op op = replacing("  a(1);\n", kinds[i].insert);
        op.kind = kinds[i].kind;
        assert_int_equal(ask(&a, EM_LIT("f() {\n    a(1);\n}\n"), op, &arena), EM_OK);
        a.policy.most = EM_TIER_EXACT;
        assert_int_equal(find(&a, &arena), EM_E_NO_MATCH);
        const em_diagnosis *diagnosis = a.failure.diagnosis;
        assert_non_null(diagnosis);
        assert_true(diagnosis->has_correction);
        check_bytes("find", diagnosis->correction.find, EM_LIT("    a(1);\n"));
        check_bytes("insert", diagnosis->correction.insert, em_slice_of(kinds[i].wanted));
    }
}

/* ---- Laying ---------------------------------------------------------------------------------- */

static void each_place_becomes_something(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(asked) a;
    em_slice *inserts;
    assert_int_equal(ask(&a, EM_LIT("f() {\n    a( 1 );\n}\ng() {\n\ta( 1 );\n}\n"),
                         replacing("a(1);\n", "a(2);\n"), &arena),
                     EM_OK);
    assert_int_equal(find(&a, &arena), EM_OK);
    assert_int_equal(a.located.places.count, 2);
    assert_int_equal(
        em_tolerate_lay(&a.toleration, &a.located, &arena, &inserts, &a.failure, &a.err), EM_OK);
    for (size_t i = 0; i < 2; i++)
        check_bytes("a place", inserts[i], EM_LIT("a( 2 );\n"));
}

static void a_place_that_would_stay_is_refused(void **state)
{
    (void)state;
    for (int allowed = 0; allowed < 2; allowed++) {
        EM_AUTO(em_arena) arena = {0};
        EM_AUTO(asked) a;
        em_slice *inserts;
        assert_int_equal(
            ask(&a, EM_LIT("f() {\n    a(1);\n}\n"), replacing("a( 1 );", "a( 1 );"), &arena),
            EM_OK);
        a.policy.allow_no_change = allowed;
        a.toleration.within.end--; /* whether it was done before is not asked then */
        assert_int_equal(find(&a, &arena), EM_OK);
        assert_int_equal(
            em_tolerate_lay(&a.toleration, &a.located, &arena, &inserts, &a.failure, &a.err),
            allowed ? EM_OK : EM_E_NO_MATCH);
    }
}

/* That the edit was made at one place tells nothing of the others. */
static void one_of_several_places_may_be_done(void **state)
{
    (void)state;
    const em_tier tiers[] = {EM_TIER_EXACT, EM_TIER_TOKEN};
    for (size_t i = 0; i < COUNT_OF(tiers); i++) {
        EM_AUTO(em_arena) arena = {0};
        EM_AUTO(asked) a;
        assert_int_equal(ask(&a, EM_LIT("alpha(1);\nbeta(2);\nx\nalpha(1);\ny\n"),
                             replacing("alpha( 1 );\n", "alpha( 1 );\nbeta( 2 );\n"), &arena),
                         EM_OK);
        a.policy.most = tiers[i];
        assert_int_equal(find(&a, &arena), i == 0 ? EM_E_NO_MATCH : EM_OK);
        assert_int_equal(a.located.places.count, 2);
        if (i == 0)
            assert_int_equal(a.err.cause, EM_CAUSE_NOT_FOUND);
    }
}

static void what_cannot_be_trusted_is_refused(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(asked) a;
    em_slice *inserts;
    assert_int_equal(ask(&a, EM_LIT("{\n    one(1);\n    // c\n    two(2);\n}\n"),
                         replacing("    one(1);\n    two(2);\n", "    three = 4;\n    five - 6;\n"),
                         &arena),
                     EM_OK);
    assert_int_equal(find(&a, &arena), EM_OK);
    assert_int_equal(
        em_tolerate_lay(&a.toleration, &a.located, &arena, &inserts, &a.failure, &a.err),
        EM_E_NO_MATCH);
    assert_int_equal(a.err.cause, EM_CAUSE_NOT_FOUND);
    assert_non_null(a.failure.diagnosis);
}

static void a_file_that_cannot_hold_it_is_told(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(asked) a;
    em_slice *inserts;
    assert_int_equal(ask(&a, EM_LIT("f(\xE9) {\n    a(1);\n}\n"),
                         replacing("  a(1);\n", "  a(\xC3\xA9);\n"), &arena),
                     EM_OK);
    assert_int_equal(find(&a, &arena), EM_OK);
    assert_int_equal(
        em_tolerate_lay(&a.toleration, &a.located, &arena, &inserts, &a.failure, &a.err),
        EM_E_INVALID);
    assert_int_equal(a.err.cause, EM_CAUSE_ENCODING);
}

static void a_deadline_ends_the_laying(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(asked) a;
    em_slice *inserts;
    em_deadline deadline = {.at = 1, .passed = true};
    assert_int_equal(
        ask(&a, EM_LIT("f() {\n    a(1);\n}\n"), replacing("  a(1);\n", "  a(2);\n"), &arena),
        EM_OK);
    assert_int_equal(find(&a, &arena), EM_OK);
    a.policy.deadline = &deadline;
    assert_int_equal(
        em_tolerate_lay(&a.toleration, &a.located, &arena, &inserts, &a.failure, &a.err),
        EM_E_TIMEOUT);
}

static em_status run(em_arena *arena, const void *context)
{
    EM_AUTO(asked) a;
    em_slice *inserts;
    size_t index = *(const size_t *)context;
    EM_TRY(ask(&a, em_slice_of(found[index].text),
               replacing(found[index].find, found[index].insert), arena));
    EM_TRY(find(&a, arena));
    return em_tolerate_lay(&a.toleration, &a.located, arena, &inserts, &a.failure, &a.err);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(found); i++)
        check_scarce(found[i].what, run, &i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_strictest_tier_tells_the_places),
        cmocka_unit_test(places_are_those_of_the_lines_that_are_asked),
        cmocka_unit_test(where_nobody_is_ahead_the_next_is_told),
        cmocka_unit_test(what_was_done_before_is_told),
        cmocka_unit_test(an_excerpt_is_refused_in_silence),
        cmocka_unit_test(a_deadline_that_passed_is_told),
        cmocka_unit_test(a_correction_is_told_in_the_words_of_the_op),
        cmocka_unit_test(each_place_becomes_something),
        cmocka_unit_test(a_place_that_would_stay_is_refused),
        cmocka_unit_test(one_of_several_places_may_be_done),
        cmocka_unit_test(what_cannot_be_trusted_is_refused),
        cmocka_unit_test(a_file_that_cannot_hold_it_is_told),
        cmocka_unit_test(a_deadline_ends_the_laying),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
