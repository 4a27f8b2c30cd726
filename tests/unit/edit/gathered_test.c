#include "edit/gathered.h"

#include "edit/plan_impl.h"
#include "scarce_arena.h"

#define TEXT(literal) .ptr = (literal), .len = sizeof(literal) - 1

static em_op replacing(em_slice find, em_slice insert)
{
    return (em_op){.kind = EM_OP_REPLACE, .find = find, .insert = insert, .expect = 1};
}

static void what_many_ops_have_is_found_out(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        em_op ops[2];
        size_t until_kept;
        bool may_omit, may_insert_cr;
    } cases[] = {
        {"nothing", {{.find = {TEXT("a")}}, {.find = {TEXT("b")}}}, 0, false, false},
        {"lines of the first",
         {{.find = {TEXT("a")}, .last_line = 3}, {.find = {TEXT("b")}}},
         1,
         false,
         false},
        {"of both",
         {{.find = {TEXT("a")}, .last_line = 3}, {.find = {TEXT("b")}, .first_line = 2}},
         2,
         false,
         false},
        {"whole lines",
         {{.kind = EM_OP_LINES, .first_line = 1, .last_line = 1}, {0}},
         0,
         false,
         false},
        {"a placeholder",
         {{.find = {TEXT("a")}},
          {.find = {TEXT("b")}, .insert = {TEXT("// ... rest of code ...")}}},
         0,
         true,
         false},
        {"a CR", {{.find = {TEXT("a")}, .insert = {TEXT("\r\n")}}, {0}}, 0, false, true},
        {"a CR that is searched", {{.find = {TEXT("a\r\n")}}, {0}}, 0, false, false},
        {"a pattern", {{.find = {TEXT("a")}, .regex = true}, {0}}, 0, true, true},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_gathered g;
        assert_int_equal(em_gather(cases[i].ops, 2, &arena, &g), EM_OK);
        assert_ptr_equal(g.of, cases[i].ops);
        check_size(cases[i].what, g.count, 2);
        check_size(cases[i].what, g.until_kept, cases[i].until_kept);
        check_size(cases[i].what, g.may_omit, cases[i].may_omit);
        check_size(cases[i].what, g.may_insert_cr, cases[i].may_insert_cr);
    }
}

static em_status gather_many(em_arena *arena, size_t count, size_t bytes, const em_op **ops,
                             em_gathered *g)
{
    em_op *all = em_alloc_array(arena, count, sizeof *all);
    char *find = em_alloc_raw(arena, bytes);
    if (!all || !find)
        return EM_E_NOMEM;
    memset(find, 'a', bytes);
    for (size_t i = 0; i < count; i++)
        all[i] = replacing(em_slice_make(find, bytes), EM_LIT("b"));
    *ops = all;
    return em_gather(all, count, arena, g);
}

static void short_texts_of_many_lie_side_by_side(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        size_t count, bytes;
        bool beside;
    } cases[] = {
        {"many short ones", EM_MANY_OPS, 20, true},
        {"few", EM_MANY_OPS - 1, 20, false},
        {"long ones", EM_MANY_OPS, 5000, false},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        const em_op *ops;
        em_gathered g;
        assert_int_equal(gather_many(&arena, cases[i].count, cases[i].bytes, &ops, &g), EM_OK);
        check_size(cases[i].what, g.ops != ops, cases[i].beside);
        for (size_t k = 0; k < g.count; k++) {
            check_bytes(cases[i].what, g.ops[k].find, ops[k].find);
            check_bytes(cases[i].what, g.ops[k].insert, ops[k].insert);
            check_size(cases[i].what, g.ops[k].expect, 1);
            if (!cases[i].beside)
                continue;
            assert_ptr_equal(g.ops[k].insert.ptr, g.ops[k].find.ptr + g.ops[k].find.len);
            if (k > 0)
                assert_ptr_equal(g.ops[k].find.ptr, g.ops[k - 1].insert.ptr + 1);
        }
    }
}

static em_status run(em_arena *arena, const void *context)
{
    const em_op *ops;
    em_gathered g;
    (void)context;
    return gather_many(arena, EM_MANY_OPS, 20, &ops, &g);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    check_scarce("many short ones", run, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_many_ops_have_is_found_out),
        cmocka_unit_test(short_texts_of_many_lie_side_by_side),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
