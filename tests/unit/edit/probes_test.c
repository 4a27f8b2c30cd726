#include "edit/probes.h"

#include "scarce_arena.h"

static em_op op_of(em_op_kind kind, em_slice find, em_slice insert)
{
    return (em_op){.kind = kind, .find = find, .insert = insert, .expect = 1};
}

static void what_becomes_of_the_search_text(void **state)
{
    (void)state;
    static const struct {
        em_op_kind kind;
        const char *whole;
    } kinds[] = {
        {EM_OP_REPLACE, "b"},
        {EM_OP_DELETE, ""},
        {EM_OP_INSERT_AFTER, "ab"},
        {EM_OP_INSERT_BEFORE, "ba"},
    };
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_op op = op_of(kinds[i].kind, EM_LIT("a"), EM_LIT("b"));
        em_slice whole;
        assert_int_equal(em_whole_insert(&op, &arena, &whole), EM_OK);
        check_bytes("what comes", whole, em_slice_of(kinds[i].whole));
    }
}

static bool stands_in(em_slice text, em_slice piece)
{
    return piece.len > 0 && text.len > 0 && memmem(text.ptr, text.len, piece.ptr, piece.len);
}

static void pieces_stand_in_their_texts(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_op op = op_of(EM_OP_REPLACE, EM_LIT("connect(alpha, beta);"), EM_LIT("disconnect(gamma);"));
    em_probes probes;
    assert_int_equal(em_probes_of(&op, &arena, &probes), EM_OK);
    assert_int_equal(probes.count, 3);
    assert_int_equal(probes.most_bytes, op.find.len);
    assert_int_equal(probes.most_tokens, 7);
    for (size_t i = 0; i < probes.count; i++) {
        em_slice text = i < 2 ? op.find : op.insert;
        assert_true(probes.items[i].count > 0);
        for (size_t k = 0; k < probes.items[i].count; k++)
            assert_true(stands_in(text, probes.items[i].items[k]));
    }
}

static void the_longest_text_tells_how_far_they_reach(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_op op = op_of(EM_OP_INSERT_AFTER, EM_LIT("connect(alpha);"), EM_LIT(" disconnect(beta);"));
    em_probes probes;
    assert_int_equal(em_probes_of(&op, &arena, &probes), EM_OK);
    assert_int_equal(probes.most_bytes, op.find.len + op.insert.len);
    assert_int_equal(probes.most_tokens, 10);
}

static void readings_have_probes_too(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_op op = op_of(EM_OP_REPLACE, EM_LIT("12 | connect(alpha);\n13 | close(beta);\n"),
                     EM_LIT("12 | connect(gamma);\n13 | close(beta);\n"));
    em_probes probes;
    bool without_numbers = false;
    assert_int_equal(em_probes_of(&op, &arena, &probes), EM_OK);
    assert_true(probes.count > 3);
    for (size_t i = 3; i < probes.count; i++)
        for (size_t k = 0; k < probes.items[i].count; k++) {
            assert_false(stands_in(probes.items[i].items[k], EM_LIT("|")));
            without_numbers = true;
        }
    assert_true(without_numbers);
}

static void some_texts_have_no_probes(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        em_slice find, insert;
        size_t count;
    } cases[] = {
        {"a NUL", {"connect\0(alpha)", 15}, {"b", 1}, 0},
        {"a NUL in what comes", {"connect(alpha)", 14}, {"connect\0", 8}, 0},
        {"nothing comes", {"connect(alpha)", 14}, {"", 0}, 2},
        {"blanks", {"  \n", 3}, {"", 0}, 0},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_op op = op_of(EM_OP_REPLACE, cases[i].find, cases[i].insert);
        em_probes probes;
        assert_int_equal(em_probes_of(&op, &arena, &probes), EM_OK);
        check_size(cases[i].what, probes.count, cases[i].count);
    }
}

static em_status run(em_arena *arena, const void *context)
{
    em_op op = op_of(EM_OP_INSERT_AFTER, EM_LIT("1 | connect(alpha);\n2 | close(beta);\n"),
                     EM_LIT("3 | end();\n"));
    em_probes probes;
    (void)context;
    return em_probes_of(&op, arena, &probes);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    check_scarce("numbered texts", run, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_becomes_of_the_search_text),
        cmocka_unit_test(pieces_stand_in_their_texts),
        cmocka_unit_test(the_longest_text_tells_how_far_they_reach),
        cmocka_unit_test(readings_have_probes_too),
        cmocka_unit_test(some_texts_have_no_probes),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
