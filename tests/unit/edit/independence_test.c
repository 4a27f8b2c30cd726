#include "edit/independence.h"

#include "base/strbuf.h"

#include "failing_malloc.h"
#include "planned.h"
#include "random.h"
#include "sanitized.h"

/* ---- All at once, and one after the other ---------------------------------------------------- */

enum { MOST_OPS = 24 };

/* How a text is made of words, and ops of stretches of it. */
typedef struct kind {
    const char *letters;
    size_t words, longest_word; /* of the text */
    size_t ops, longest_find, longest_insert;
    const char *eol;
    size_t rounds;
} kind;

static em_slice letters_of(random_state *r, const char *letters, size_t longest, em_arena *arena)
{
    size_t length = random_below(r, longest + 1);
    char *bytes = em_alloc(arena, length);
    assert_non_null(bytes);
    for (size_t i = 0; i < length; i++)
        bytes[i] = letters[random_below(r, strlen(letters))];
    return em_slice_make(bytes, length);
}

static em_slice some_text(random_state *r, const kind *k, em_arena *arena)
{
    EM_AUTO(em_strbuf) out = {0};
    if (random_below(r, 8) == 0)
        em_strbuf_puts(&out, "\xEF\xBB\xBF");
    for (size_t i = 0; i < k->words; i++) {
        em_strbuf_add(&out, letters_of(r, k->letters, k->longest_word, arena));
        em_strbuf_puts(&out, random_below(r, 4) ? " " : k->eol);
    }
    size_t length = out.len;
    char *bytes = em_strbuf_finish(&out, arena);
    assert_non_null(bytes);
    return em_slice_make(bytes, length);
}

static em_op some_op(random_state *r, const kind *k, em_slice text, const em_op *before,
                     em_arena *arena)
{
    static const em_op_kind kinds[] = {EM_OP_REPLACE, EM_OP_REPLACE, EM_OP_DELETE,
                                       EM_OP_INSERT_BEFORE, EM_OP_INSERT_AFTER};
    size_t length = 1 + random_below(r, k->longest_find),
           bom = em_slice_starts(text, EM_LIT("\xEF\xBB\xBF")) ? 3 : 0;
    if (length > text.len - bom)
        length = text.len - bom;
    size_t at = bom + random_below(r, text.len - bom - length + 1);
    em_op op = {.kind = RANDOM_OF(r, kinds),
                .find = em_slice_sub(text, at, at + length),
                .insert = letters_of(r, k->letters, k->longest_insert, arena),
                .expect = random_below(r, 4) ? 1 : EM_EVERY};
    if (before && random_below(r, 12) == 0)
        op.find = before->insert;
    if (random_below(r, 3) == 0) { /* what stands there, with a little more */
        em_slice found = op.find;
        if (em_arena_join(arena, found, op.insert, &op.insert) != EM_OK)
            fail();
    }
    return op;
}

/* Ops that are refused are left out, so that those behind them have their turns. */
static size_t one_round(random_state *r, const kind *k, em_order order)
{
    EM_AUTO(em_arena) arena = {0};
    em_op ops[MOST_OPS];
    em_policy policy = {.order = order,
                        .extent = order == EM_ORIGINAL || random_below(r, 2) ? EM_ALL_OR_NONE
                                                                             : EM_AS_FAR_AS_OK,
                        .allow_no_change = random_below(r, 2),
                        .allow_placeholders = true,
                        .most_places = random_below(r, 2) ? 5 : 0,
                        .most = EM_TIER_EXACT};
    em_slice text = some_text(r, k, &arena);
    if (random_below(r, 6) == 0)
        policy.most_bytes = text.len + random_below(r, 20);
    for (size_t i = 0; i < k->ops; i++)
        ops[i] = some_op(r, k, text, i > 0 ? &ops[i - 1] : NULL, &arena);
    for (size_t count = k->ops; count > 0;) {
        outcome at_once = planned(text, ops, count, policy, EM_PASSES_ALWAYS, &arena);
        outcome in_turn = planned(text, ops, count, policy, EM_PASSES_NEVER, &arena);
        same_outcomes(&at_once, &in_turn);
        if (at_once.status == EM_OK || at_once.err.edit < 0)
            return count;
        size_t failed = (size_t)at_once.err.edit;
        memmove(&ops[failed], &ops[failed + 1], (--count - failed) * sizeof *ops);
    }
    return 0;
}

static void it_comes_to_the_same(void **state)
{
    (void)state;
    static const kind kinds[] = {
        {"ab", 12, 4, 4, 5, 4, "\n", 700},
        {"abc", 30, 5, 6, 8, 6, "\r\n", 400},
        {"abcdefghijklmnop", 60, 9, 8, 12, 9, "\n", 500},
        {"abcdefghijklmnop0123456789", 400, 9, MOST_OPS, 20, 30, "\n", 130},
        {"abcdefghijklmnop0123456789", 400, 9, MOST_OPS, 20, 30, "\r", 60},
        {"abc\xC3\xA9\xA8", 60, 9, 6, 12, 9, "\n", 150},
    };
    random_state r = {20261124};
    size_t done = 0;
    for (size_t i = 0; i < COUNT_OF(kinds); i++)
        for (size_t round = 0; round < kinds[i].rounds; round += CASE_STRIDE)
            done += one_round(&r, &kinds[i], round % 4 == 3 ? EM_ORIGINAL : EM_SEQUENTIAL);
    assert_true(done > 2000 / CASE_STRIDE);
}

/* ---- When they are independent --------------------------------------------------------------- */

enum { EDITS = 3 };

/* Are these edits, each of which stands in the text once, independent? */
static bool are_independent(const char *text, const char *edits[EDITS][2])
{
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(em_draft) draft;
    em_op ops[EDITS];
    em_planned items[EDITS];
    em_splice *trimmed;
    em_match_index *w;
    em_slice body = em_slice_of(text);
    bool independent;
    for (size_t i = 0; i < EDITS; i++) {
        const char *at = strstr(text, edits[i][0]);
        assert_non_null(at);
        ops[i] = (em_op){.find = em_slice_of(edits[i][0]), .insert = em_slice_of(edits[i][1])};
        items[i] =
            (em_planned){.splice = {(size_t)(at - text), ops[i].find.len, ops[i].insert}, .op = i};
    }
    assert_int_equal(em_draft_init(&draft, body, 0), EM_OK);
    assert_int_equal(em_match_index_new(&draft, ops, EDITS, false, &w), EM_OK);
    em_match_index_set_worth(w, 0);
    for (size_t i = 0; i < EDITS; i++) {
        em_spans found;
        bool is_known;
        assert_int_equal(em_match_index_foresee(w, i, &arena, &found, &is_known), EM_OK);
        assert_true(is_known);
    }
    assert_int_equal(em_planned_trim(body, items, EDITS, &arena, &trimmed), EM_OK);
    assert_int_equal(em_are_independent(w, body, items, trimmed, EDITS, &independent), EM_OK);
    em_match_index_free(w);
    return independent;
}

#define FAR "................................"
static const char text[] = "one(1)" FAR "two(2)" FAR "three(3)" FAR;

static void edits_that_do_not_meet_are_independent(void **state)
{
    (void)state;
    const char *edits[EDITS][2] = {{"one(1)", "one(4)"}, {"two(2)", ""}, {"three(3)", "3"}};
    assert_true(are_independent(text, edits));
}

static void what_a_later_edit_searches_is_not_made(void **state)
{
    (void)state;
    const char *whole[EDITS][2] = {{"one(1)", "three(3)"}, {"two(2)", "2"}, {"three(3)", "3"}};
    assert_false(are_independent(text, whole));
    /* with what stands around it, too, */
    const char *part[EDITS][2] = {{"ne(1)", "n"},
                                  {"two(2)", "2"},
                                  {"on"
                                   "..",
                                   "3"}};
    assert_false(are_independent("one(1)" FAR "two(2)" FAR "on.." FAR, part));
    /* and where only something goes. */
    const char *gone[EDITS][2] = {{"(1)", ""}, {"two(2)", "2"}, {"one...", "3"}};
    assert_false(are_independent("one(1)" FAR "two(2)" FAR "one...", gone));
}

/* That an edit before it is done does not matter. */
static void what_an_earlier_edit_searched_may_be_made(void **state)
{
    (void)state;
    const char *edits[EDITS][2] = {
        {"one(1)", "one(1)+"}, {"two(2)", "one(1)"}, {"three(3)", "two(2)"}};
    assert_true(are_independent(text, edits));
}

static void edits_beside_each_other_are_not_independent(void **state)
{
    (void)state;
    const char *edits[EDITS][2] = {{"one(1)", "1"}, {"two(2)", "2"}, {"three(3)", "3"}};
    assert_false(are_independent("one(1)..two(2)" FAR "three(3)", edits));
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static void memory_may_run_out(void **state)
{
    (void)state;
    enum { COUNT = 20, LINE = 40 };
    static char body[COUNT * LINE], find[COUNT][LINE], insert[COUNT][LINE];
    em_op ops[COUNT];
    em_policy policy = {.most = EM_TIER_EXACT, .passes = EM_PASSES_ALWAYS};
    for (size_t i = 0; i < COUNT; i++) {
        memset(body + i * LINE, '.', LINE);
        snprintf(find[i], LINE, "row_%zu(", i);
        snprintf(insert[i], LINE, "line_%zu(", i);
        memcpy(body + i * LINE, find[i], strlen(find[i]));
        ops[i] =
            (em_op){.find = em_slice_of(find[i]), .insert = em_slice_of(insert[i]), .expect = 1};
    }
    em_status status = EM_E_NOMEM;
    for (long limit = 0; status != EM_OK; limit++) {
        EM_AUTO(em_arena) arena = {0};
        em_error err = EM_ERROR_INIT;
        em_text opened;
        em_lines lines;
        em_plan plan;
        em_plan_failure failure;
        assert_int_equal(
            em_text_open(em_slice_make(body, sizeof body), NULL, &arena, &opened, &err), EM_OK);
        assert_int_equal(em_lines_init(&opened, &arena, &lines), EM_OK);
        em_plan_request request = {{&opened, &lines}, &policy, ops, COUNT};
        mallocs_left = limit;
        status = em_plan_make(&request, &arena, &plan, &failure, &err);
        mallocs_left = -1;
        assert_true(status == EM_OK || status == EM_E_NOMEM);
        assert_int_equal(plan.splices.count, status == EM_OK ? COUNT : 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_comes_to_the_same),
        cmocka_unit_test(edits_that_do_not_meet_are_independent),
        cmocka_unit_test(what_a_later_edit_searches_is_not_made),
        cmocka_unit_test(what_an_earlier_edit_searched_may_be_made),
        cmocka_unit_test(edits_beside_each_other_are_not_independent),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
