/* Ops that cannot be done, whatever the text holds. */
#include "edit/plan_impl.h"

#include "scarce_arena.h"

#define REST "// ... rest of code ..."

typedef struct checked {
    em_text text;
    em_policy policy;
    em_error err;
    em_planner planner;
} checked;

static void checked_drop(checked *c)
{
    em_draft_drop(&c->planner.draft);
}

static em_status begin(checked *c, em_slice body, const em_op *ops, size_t count, em_arena *arena)
{
    *c = (checked){.err = EM_ERROR_INIT};
    EM_TRY(em_text_open(body, NULL, arena, &c->text, &c->err));
    c->planner = (em_planner){.text = &c->text,
                              .policy = &c->policy,
                              .ops = ops,
                              .op_count = count,
                              .arena = arena,
                              .err = &c->err};
    return em_draft_init(&c->planner.draft, body, 0);
}

#define TEXT(literal) .ptr = (literal), .len = sizeof(literal) - 1

static const struct {
    const char *what, *text;
    em_op op;
    em_cause cause;
    bool demand_find, allow_no_change;
} cases[] = {
    {"a text for another", "a", {.find = {TEXT("a")}, .insert = {TEXT("b")}}, EM_CAUSE_NONE, 0, 0},
    {"the same text", "a", {.find = {TEXT("a")}, .insert = {TEXT("a")}}, EM_CAUSE_NO_CHANGE, 0, 0},
    {"which is allowed", "a", {.find = {TEXT("a")}, .insert = {TEXT("a")}}, EM_CAUSE_NONE, 0, 1},
    {"a pattern that is its template",
     "a",
     {.find = {TEXT("a")}, .insert = {TEXT("a")}, .regex = true},
     EM_CAUSE_NONE,
     0,
     0},
    {"nothing to append", "a", {.kind = EM_OP_APPEND}, EM_CAUSE_NO_CHANGE, 0, 0},
    {"nothing to prepend", "a", {.kind = EM_OP_PREPEND}, EM_CAUSE_NO_CHANGE, 0, 0},
    {"nothing to insert",
     "a",
     {.kind = EM_OP_INSERT_BEFORE, .find = {TEXT("a")}},
     EM_CAUSE_NO_CHANGE,
     0,
     0},
    {"nothing for lines",
     "a",
     {.kind = EM_OP_LINES, .first_line = 1, .last_line = 1},
     EM_CAUSE_NONE,
     0,
     0},
    {"nothing for all", "a", {.kind = EM_OP_REWRITE}, EM_CAUSE_NONE, 0, 0},
    {"an empty search text", "a", {.insert = {TEXT("b")}}, EM_CAUSE_EMPTY_SEARCH, 0, 0},
    {"for an empty file", "", {.insert = {TEXT("b")}}, EM_CAUSE_NONE, 0, 0},
    {"where one is demanded", "", {.insert = {TEXT("b")}}, EM_CAUSE_EMPTY_SEARCH, 1, 0},
    {"before no change", "", {.insert = {0}}, EM_CAUSE_EMPTY_SEARCH, 1, 0},
    {"nothing to delete", "", {.kind = EM_OP_DELETE}, EM_CAUSE_NO_CHANGE, 0, 0},
    {"an empty text to delete", "a", {.kind = EM_OP_DELETE}, EM_CAUSE_EMPTY_SEARCH, 0, 0},
    {"a NUL", "a", {.find = {TEXT("a")}, .insert = {TEXT("b\0c")}}, EM_CAUSE_NUL, 0, 0},
    {"a NUL that is searched",
     "a",
     {.find = {TEXT("a\0c")}, .insert = {TEXT("b")}},
     EM_CAUSE_NONE,
     0,
     0},
    {"a NUL of a deletion, which inserts none",
     "a",
     {.kind = EM_OP_DELETE, .find = {TEXT("a")}, .insert = {TEXT("b\0c")}},
     EM_CAUSE_NONE,
     0,
     0},
    {"letters of no known encoding",
     "\xE9",
     {.find = {TEXT("a")}, .insert = {TEXT("\xC3\xA9")}},
     EM_CAUSE_ENCODING,
     0,
     0},
    {"which are searched",
     "\xE9",
     {.find = {TEXT("\xC3\xA9")}, .insert = {TEXT("a")}},
     EM_CAUSE_ENCODING,
     0,
     0},
    {"all is written anew",
     "\xE9",
     {.kind = EM_OP_REWRITE, .insert = {TEXT("\xC3\xA9")}},
     EM_CAUSE_NONE,
     0,
     0},
};

static void ops_can_be_done_or_not(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        EM_AUTO(checked) c;
        assert_int_equal(begin(&c, em_slice_of(cases[i].text), &cases[i].op, 1, &arena), EM_OK);
        c.policy.demand_find = cases[i].demand_find;
        c.policy.allow_no_change = cases[i].allow_no_change;
        em_status status = em_planner_check_op(&c.planner, &cases[i].op);
        check_size(cases[i].what, status, cases[i].cause == EM_CAUSE_NONE ? EM_OK : EM_E_INVALID);
        check_size(cases[i].what, c.err.cause, cases[i].cause);
    }
}

static void ops_may_be_kept_to_lines(void **state)
{
    (void)state;
    assert_true(em_op_is_restricted(&(em_op){.kind = EM_OP_REPLACE, .first_line = 2}));
    assert_true(em_op_is_restricted(&(em_op){.kind = EM_OP_DELETE, .last_line = 2}));
    assert_false(em_op_is_restricted(&(em_op){.kind = EM_OP_REPLACE}));
    assert_false(
        em_op_is_restricted(&(em_op){.kind = EM_OP_LINES, .first_line = 1, .last_line = 2}));
}

static void ops_may_leave_something_out(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        em_op op;
        bool may, does; /* the latter beside its own search text */
    } ops[] = {
        {"a placeholder", {.find = {TEXT("a")}, .insert = {TEXT(REST)}}, true, true},
        {"which is searched, too",
         {.find = {TEXT(REST)}, .insert = {TEXT("a\n" REST)}},
         false,
         false},
        {"none", {.find = {TEXT("a")}, .insert = {TEXT("b")}}, false, false},
        {"a pattern", {.find = {TEXT("a")}, .insert = {TEXT("b")}, .regex = true}, true, false},
        {"a template",
         {.find = {TEXT("a")}, .insert = {TEXT("b\\n" REST)}, .regex = true},
         true,
         true},
        {"lines", {.kind = EM_OP_LINES, .insert = {TEXT(REST)}}, false, true},
    };
    for (size_t i = 0; i < COUNT_OF(ops); i++)
        for (int allowed = 0; allowed < 2; allowed++) {
            EM_AUTO(em_arena) arena = {0};
            EM_AUTO(checked) c;
            bool refused = ops[i].does && !allowed;
            assert_int_equal(begin(&c, EM_LIT("a"), &ops[i].op, 1, &arena), EM_OK);
            c.policy.allow_placeholders = allowed;
            check_size(ops[i].what, em_op_may_omit(&ops[i].op), ops[i].may);
            check_size(ops[i].what,
                       em_planner_check_placeholder(&c.planner, &ops[i].op, ops[i].op.find),
                       refused ? EM_E_INVALID : EM_OK);
            check_size(ops[i].what, c.err.cause, refused ? EM_CAUSE_PLACEHOLDER : EM_CAUSE_NONE);
            if (refused)
                check_bytes(ops[i].what, em_slice_of(c.err.detail), EM_LIT(REST));
        }
}

static void a_deletion_leaves_nothing_out(void **state)
{
    (void)state;
    assert_false(em_op_may_omit(
        &(em_op){.kind = EM_OP_DELETE, .find = {TEXT("a")}, .insert = {TEXT(REST)}}));
}

static void what_is_wrong_before_is_told_first(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        em_op ops[3];
        em_cause cause;
        ptrdiff_t edit;
    } lists[] = {
        {"none leaves anything out",
         {{.find = {TEXT("a")}, .insert = {TEXT("a")}},
          {.find = {TEXT("a")}, .insert = {TEXT("b")}},
          {.find = {TEXT("a")}, .insert = {TEXT("c")}}},
         EM_CAUSE_NONE,
         EM_NO_EDIT},
        {"the second does",
         {{.find = {TEXT("a")}, .insert = {TEXT("b")}},
          {.find = {TEXT("a")}, .insert = {TEXT(REST)}},
          {.find = {TEXT("a")}, .insert = {TEXT("a")}}},
         EM_CAUSE_PLACEHOLDER,
         1},
        {"the first has no search text",
         {{.insert = {TEXT("b")}},
          {.find = {TEXT("a")}, .insert = {TEXT(REST)}},
          {.find = {TEXT("a")}, .insert = {TEXT("c")}}},
         EM_CAUSE_EMPTY_SEARCH,
         0},
        {"it has a NUL itself",
         {{.find = {TEXT("a")}, .insert = {TEXT("b")}},
          {.find = {TEXT("a")}, .insert = {TEXT("b")}},
          {.find = {TEXT("a")}, .insert = {TEXT("\0\n" REST)}}},
         EM_CAUSE_NUL,
         2},
    };
    for (size_t i = 0; i < COUNT_OF(lists); i++) {
        EM_AUTO(em_arena) arena = {0};
        EM_AUTO(checked) c;
        assert_int_equal(begin(&c, EM_LIT("a"), lists[i].ops, 3, &arena), EM_OK);
        check_size(lists[i].what, em_planner_check_placeholders(&c.planner),
                   lists[i].cause == EM_CAUSE_NONE ? EM_OK : EM_E_INVALID);
        check_size(lists[i].what, c.err.cause, lists[i].cause);
        check_size(lists[i].what, (size_t)c.err.edit, (size_t)lists[i].edit);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ops_can_be_done_or_not),
        cmocka_unit_test(ops_may_be_kept_to_lines),
        cmocka_unit_test(ops_may_leave_something_out),
        cmocka_unit_test(a_deletion_leaves_nothing_out),
        cmocka_unit_test(what_is_wrong_before_is_told_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
