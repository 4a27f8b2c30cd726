/* A sequence whose ops are all located in the text as it was. */
#include "base/strbuf.h"
#include "edit/plan_impl.h"

#include "scarce_arena.h"

#define BOM "\xEF\xBB\xBF"

enum { OPS = EM_MANY_OPS, LINE = 10 };

/* A planner whose text has one word a line, and whose ops change each of the words to another. */
typedef struct sequence {
    em_text text;
    em_lines lines;
    em_policy policy;
    em_op ops[OPS];
    em_plan_failure failure;
    em_planner planner;
} sequence;

static void sequence_drop(sequence *s)
{
    em_match_index_free(s->planner.match_index);
    em_arena_drop(&s->planner.turn);
    em_draft_drop(&s->planner.draft);
}

static em_status begin(sequence *s, const char *bom, em_arena *arena)
{
    *s = (sequence){.policy = {.order = EM_SEQUENTIAL}};
    EM_AUTO(em_strbuf) out = {0};
    em_slice body;
    em_strbuf_puts(&out, bom);
    for (size_t i = 0; i < OPS; i++)
        em_strbuf_printf(&out, "w%02zu: here\n", i);
    body.len = out.len;
    body.ptr = em_strbuf_finish(&out, arena);
    if (!body.ptr)
        return EM_E_NOMEM;
    for (size_t i = 0; i < OPS; i++) {
        char *find = em_arena_format(arena, "w%02zu", i),
             *insert = em_arena_format(arena, "v%zu", i);
        if (!find || !insert)
            return EM_E_NOMEM;
        s->ops[i] = (em_op){.kind = EM_OP_REPLACE,
                            .find = em_slice_of(find),
                            .insert = em_slice_of(insert),
                            .expect = 1};
    }
    EM_TRY(em_text_open(body, NULL, arena, &s->text, NULL));
    return em_lines_init(&s->text, arena, &s->lines);
}

static em_status start(sequence *s, size_t count, em_arena *arena)
{
    em_planner *p = &s->planner;
    *p = (em_planner){.text = &s->text,
                      .lines = &s->lines,
                      .policy = &s->policy,
                      .ops = s->ops,
                      .op_count = count,
                      .arena = arena,
                      .failure = &s->failure};
    p->plan.places = em_alloc_array(arena, OPS, sizeof *p->plan.places);
    if (!p->plan.places)
        return EM_E_NOMEM;
    em_file_growth_init(&p->growth, &s->text, s->policy.most_bytes);
    EM_TRY(em_draft_init(&p->draft, s->text.body, s->text.start));
    EM_TRY(em_match_index_new(&p->draft, p->ops, count, false, &p->match_index));
    em_match_index_set_worth(p->match_index, 0);
    return EM_OK;
}

static em_slice result_of(const sequence *s, em_arena *arena)
{
    EM_AUTO(em_strbuf) out = {0};
    em_splices splices = s->planner.plan.splices;
    size_t done = 0;
    for (size_t i = 0; i < splices.count; i++) {
        em_strbuf_add(&out, em_slice_sub(s->text.body, done, splices.items[i].offset));
        em_strbuf_add(&out, splices.items[i].insert);
        done = splices.items[i].offset + splices.items[i].length;
    }
    em_strbuf_add(&out, em_slice_from(s->text.body, done));
    size_t length = out.len;
    char *bytes = em_strbuf_finish(&out, arena);
    assert_non_null(bytes);
    return em_slice_make(bytes, length);
}

static void many_ops_are_planned_in_the_text_as_it_was(void **state)
{
    (void)state;
    static const char *const boms[] = {"", BOM};
    for (size_t i = 0; i < COUNT_OF(boms); i++) {
        EM_AUTO(em_arena) arena = {0};
        EM_AUTO(sequence) s;
        bool done;
        assert_int_equal(begin(&s, boms[i], &arena), EM_OK);
        assert_int_equal(start(&s, OPS, &arena), EM_OK);
        assert_int_equal(em_plan_at_once(&s.planner, &done), EM_OK);
        assert_true(done);
        assert_true(s.planner.at_once);
        assert_int_equal(s.planner.plan.op_count, OPS);
        assert_int_equal(s.planner.plan.replacements, OPS);
        em_slice got = result_of(&s, &arena), bom = em_slice_of(boms[i]);
        assert_true(em_slice_starts(got, bom));
        size_t at = bom.len;
        for (size_t k = 0; k < OPS; k++) {
            const char *line = em_arena_format(&arena, "v%zu: here\n", k);
            assert_non_null(line);
            assert_true(em_slice_starts(em_slice_from(got, at), em_slice_of(line)));
            at += strlen(line);
        }
        assert_int_equal(at, got.len);
        for (size_t k = 0; k < OPS; k++) {
            const em_matches *places = &s.planner.plan.places[k];
            assert_int_equal(places->count, 1);
            assert_int_equal(places->items[0].start, bom.len + LINE * k);
            assert_int_equal(places->items[0].end, bom.len + LINE * k + 3);
        }
    }
}

/* What is to be otherwise in the sequence. */
typedef struct change {
    const char *what;
    size_t count;
    em_policy policy;
    em_op op; /* the last but one; of no kind: it stays */
    bool done;
} change;

#define TEXT(literal) .ptr = (literal), .len = sizeof(literal) - 1
#define SAME .kind = EM_OP_REWRITE

static void all_others_have_their_turns(void **state)
{
    (void)state;
    static const change changes[] = {
        {"few ops", OPS - 1, {0}, {SAME}, false},
        {"few ops, always", OPS - 1, {.passes = EM_PASSES_ALWAYS}, {SAME}, true},
        {"never", OPS, {.passes = EM_PASSES_NEVER}, {SAME}, false},
        {"previews are asked for", OPS, {.keep_previews = true}, {SAME}, false},
        {"it is known that one is missing", OPS, {.is_missing = true}, {SAME}, false},
        {"a limit", OPS, {.most_bytes = OPS * LINE}, {SAME}, true},
        {"one that the text outgrows on the way",
         OPS,
         {.most_bytes = OPS * LINE},
         {.kind = EM_OP_REPLACE,
          .find = {TEXT("w14")},
          .insert = {TEXT("a text that is far too long for that limit of bytes")},
          .expect = 1},
         false},
        {"a text that an earlier op takes",
         OPS,
         {0},
         {.kind = EM_OP_REPLACE, .find = {TEXT("w00")}, .insert = {TEXT("x")}, .expect = 1},
         false},
        {"a text that an earlier op makes",
         OPS,
         {0},
         {.kind = EM_OP_REPLACE, .find = {TEXT("v0")}, .insert = {TEXT("x")}, .expect = 1},
         false},
        {"a text that is not there",
         OPS,
         {0},
         {.kind = EM_OP_REPLACE, .find = {TEXT("w99")}, .insert = {TEXT("x")}, .expect = 1},
         false},
        {"a text that is there once",
         OPS,
         {0},
         {.kind = EM_OP_REPLACE, .find = {TEXT("w14")}, .insert = {TEXT("x")}, .expect = 2},
         false},
        {"a text without change",
         OPS,
         {0},
         {.kind = EM_OP_REPLACE, .find = {TEXT("w14")}, .insert = {TEXT("w14")}, .expect = 1},
         false},
        {"which is allowed",
         OPS,
         {.allow_no_change = true},
         {.kind = EM_OP_REPLACE, .find = {TEXT("w14")}, .insert = {TEXT("w14")}, .expect = 1},
         true},
        {"a pattern",
         OPS,
         {0},
         {.kind = EM_OP_REPLACE,
          .find = {TEXT("w14")},
          .insert = {TEXT("x")},
          .expect = 1,
          .regex = true},
         false},
        {"an op for some lines",
         OPS,
         {0},
         {.kind = EM_OP_REPLACE,
          .find = {TEXT("w14")},
          .insert = {TEXT("x")},
          .expect = 1,
          .first_line = 1},
         false},
        {"an op that does not search",
         OPS,
         {0},
         {.kind = EM_OP_APPEND, .insert = {TEXT("x")}},
         false},
        {"a deletion", OPS, {0}, {.kind = EM_OP_DELETE, .find = {TEXT("w14")}, .expect = 1}, true},
    };
    for (size_t i = 0; i < COUNT_OF(changes); i++) {
        EM_AUTO(em_arena) arena = {0};
        EM_AUTO(sequence) s;
        bool done;
        assert_int_equal(begin(&s, "", &arena), EM_OK);
        s.policy = changes[i].policy;
        if (changes[i].op.kind != EM_OP_REWRITE)
            s.ops[OPS - 2] = changes[i].op;
        assert_int_equal(start(&s, changes[i].count, &arena), EM_OK);
        assert_int_equal(em_plan_at_once(&s.planner, &done), EM_OK);
        check_size(changes[i].what, done, changes[i].done);
        check_size(changes[i].what, s.planner.at_once, done);
        check_size(changes[i].what, s.planner.plan.replacements, done ? changes[i].count : 0);
        check_size(changes[i].what, s.planner.told, done ? changes[i].count : 0);
        check_size(changes[i].what, s.planner.draft.length, s.text.body.len);
    }
}

static void splices_without_effect_are_none(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(sequence) s;
    em_splice splices[] = {{0, 1, {TEXT("x")}}, {3, 0, {0}}, {4, 1, {0}}, {6, 0, {TEXT("y")}}};
    static const size_t offsets[] = {3, 7, 9};
    assert_int_equal(begin(&s, BOM, &arena), EM_OK);
    assert_int_equal(start(&s, OPS, &arena), EM_OK);
    em_planner_take(&s.planner, splices, COUNT_OF(splices));
    assert_true(s.planner.at_once);
    assert_int_equal(s.planner.plan.splices.count, COUNT_OF(offsets));
    for (size_t i = 0; i < COUNT_OF(offsets); i++)
        assert_int_equal(s.planner.plan.splices.items[i].offset, offsets[i]);
}

static em_status run(em_arena *arena, const void *context)
{
    EM_AUTO(sequence) s;
    bool done;
    (void)context;
    EM_TRY(begin(&s, "", arena));
    EM_TRY(start(&s, OPS, arena));
    return em_plan_at_once(&s.planner, &done);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    check_scarce("many ops", run, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_ops_are_planned_in_the_text_as_it_was),
        cmocka_unit_test(all_others_have_their_turns),
        cmocka_unit_test(splices_without_effect_are_none),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
