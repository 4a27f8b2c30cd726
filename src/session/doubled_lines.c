#include "session/doubled_lines.h"

#include "edit/doubled.h"

/* Told are so many; and so many are looked at. */
enum { MOST_TOLD = 3, MOST_FOUND = 64 };

#define WHAT_TO_DO                                                                                 \
    ". If the edit was made before, or the new text only shows more of the place, one of the two " \
    "has to go"

/* Was it what the caller searched for that is to stand there once more? Then that is the edit. */
static bool is_asked_for(const em_edit_request *request, const em_outcome *outcome,
                         const em_doubled *doubled)
{
    for (size_t op = 0; op < outcome->plan.op_count; op++) {
        const em_matches *places = &outcome->plan.places[op];
        for (size_t i = 0; i < places->count && request->ops[op].kind == EM_OP_REPLACE; i++)
            if (!places->items[i].inserted && places->items[i].start < doubled->there.end &&
                doubled->there.start < places->items[i].end)
                return true;
    }
    return false;
}

static em_status warn(const em_doubled *doubled, em_arena *arena, em_outcome *outcome)
{
    const em_lines *lines = &outcome->lines;
    size_t line = em_lines_at(lines, doubled->there.start);
    size_t count = em_lines_at(lines, doubled->there.end - 1) - line + 1;
    size_t first = em_lines_after(lines, outcome->plan.splices, line);
    size_t copy = doubled->follow ? first - count : first + count;
    const char *edge = doubled->follow ? "ends" : "begins";
    const char *beside = doubled->follow ? "followed" : "preceded";
    if (count == 1)
        return em_warn(&outcome->warnings, arena,
                       "After this edit line %zu of the file is the same as line %zu: the new text "
                       "%s with it, and it %s that place already" WHAT_TO_DO,
                       copy, first, edge, beside);
    return em_warn(&outcome->warnings, arena,
                   "After this edit lines %zu to %zu of the file are the same as lines %zu to %zu: "
                   "the new text %s with them, and they %s that place already" WHAT_TO_DO,
                   copy, copy + count - 1, first, first + count - 1, edge, beside);
}

em_status em_warn_of_doubled_lines(const em_edit_request *request, em_arena *arena,
                                   em_outcome *outcome)
{
    EM_AUTO(em_arena) scratch = {0};
    size_t told = 0, found = 0;
    if (outcome->text.extract)
        return EM_OK;
    for (size_t i = 0; i < outcome->plan.splices.count && told < MOST_TOLD; i++) {
        em_doubled doubled;
        em_arena_clear(&scratch);
        EM_TRY(em_doubled_by(&outcome->lines, outcome->plan.splices, i, &scratch, &doubled));
        if (doubled.there.start == doubled.there.end)
            continue;
        if (found++ == MOST_FOUND)
            return EM_OK;
        if (is_asked_for(request, outcome, &doubled))
            continue;
        EM_TRY(warn(&doubled, arena, outcome));
        told++;
    }
    return EM_OK;
}
