/* planned.h: what a plan comes to, and whether two come to the same. */
#ifndef EM_TESTS_UNIT_EDIT_PLANNED_H
#define EM_TESTS_UNIT_EDIT_PLANNED_H

#include "edit/plan.h"

#include "check_texts.h"

typedef struct outcome {
    em_status status;
    em_error err;
    em_plan plan;
    em_plan_failure failure;
} outcome;

static inline outcome planned(em_slice body, const em_op *ops, size_t count, em_policy policy,
                              em_passes passes, em_arena *arena)
{
    em_error err = EM_ERROR_INIT;
    outcome o = {.err = err};
    em_text text;
    em_lines lines;
    policy.passes = passes;
    assert_int_equal(em_text_open(body, NULL, arena, &text, &o.err), EM_OK);
    assert_int_equal(em_lines_init(&text, arena, &lines), EM_OK);
    em_plan_request request = {{&text, &lines}, &policy, ops, count};
    o.status = em_plan_make(&request, arena, &o.plan, &o.failure, &o.err);
    return o;
}

static inline void same_slices(em_slice a, em_slice b)
{
    assert_int_equal(a.len, b.len);
    assert_memory_equal(a.ptr, b.ptr, a.len);
}

static inline void same_matches(const em_matches *a, const em_matches *b)
{
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->total, b->total);
    for (size_t i = 0; i < a->count; i++) {
        const em_match *x = &a->items[i], *y = &b->items[i];
        assert_int_equal(x->start, y->start);
        assert_int_equal(x->end, y->end);
        assert_int_equal(x->inserted, y->inserted);
        assert_int_equal(x->tier, y->tier);
        assert_true(x->score == y->score);
        same_slices(x->matched, y->matched);
    }
}

static inline void same_diagnoses(const em_diagnosis *a, const em_diagnosis *b)
{
    assert_int_equal(a != NULL, b != NULL);
    if (!a)
        return;
    assert_int_equal(a->miss, b->miss);
    assert_int_equal(a->has_correction, b->has_correction);
    same_slices(a->correction.find, b->correction.find);
    same_slices(a->correction.insert, b->correction.insert);
}

static inline void same_outcomes(const outcome *a, const outcome *b)
{
    assert_int_equal(a->status, b->status);
    assert_int_equal(a->err.cause, b->err.cause);
    assert_int_equal(a->err.edit, b->err.edit);
    assert_int_equal(a->plan.op_count, b->plan.op_count);
    assert_int_equal(a->plan.replacements, b->plan.replacements);
    assert_int_equal(a->plan.splices.count, b->plan.splices.count);
    for (size_t i = 0; i < a->plan.splices.count; i++) {
        assert_int_equal(a->plan.splices.items[i].offset, b->plan.splices.items[i].offset);
        assert_int_equal(a->plan.splices.items[i].length, b->plan.splices.items[i].length);
        same_slices(a->plan.splices.items[i].insert, b->plan.splices.items[i].insert);
    }
    for (size_t i = 0; i < a->plan.op_count; i++)
        same_matches(&a->plan.places[i], &b->plan.places[i]);
    if (a->status == EM_OK)
        return;
    assert_int_equal(a->failure.expected, b->failure.expected);
    assert_int_equal(a->failure.actual, b->failure.actual);
    assert_int_equal(a->failure.line, b->failure.line);
    assert_int_equal(a->failure.tier, b->failure.tier);
    same_matches(&a->failure.places, &b->failure.places);
    same_diagnoses(a->failure.diagnosis, b->failure.diagnosis);
}

#endif
