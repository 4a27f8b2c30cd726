#include "remarks/doubled_lines.h"

#include "remarks/doubled.h"
#include "tokens/telling.h"

/* Told are so many; and so many are looked at. */
enum { MOST_TOLD = 3, MOST_FOUND = 64 };

#define WHAT_TO_DO                                                                                 \
    ". If the edit was made before, or the new text only shows more of the place, one of the two " \
    "has to go"

/* Does the place have of the lines all that says something? */
static bool is_in_place(em_slice text, em_span there, const em_match *place)
{
    if (place->inserted || place->start >= there.end || there.start >= place->end)
        return false;
    bool tells_before =
        there.start < place->start && em_is_telling(em_slice_sub(text, there.start, place->start));
    bool tells_behind =
        place->end < there.end && em_is_telling(em_slice_sub(text, place->end, there.end));
    return !tells_before && !tells_behind;
}

/* Was it what the caller searched for that is to stand there once more? Then that is the edit. */
static bool is_asked_for(const em_planned_edit *edit, const em_doubled *doubled)
{
    for (size_t op = 0; op < edit->plan->op_count; op++) {
        const em_matches *places = &edit->plan->places[op];
        for (size_t i = 0; i < places->count && edit->ops[op].kind == EM_OP_REPLACE; i++)
            if (is_in_place(edit->lines->body, doubled->there, &places->items[i]))
                return true;
    }
    return false;
}

static em_status tell(const em_planned_edit *edit, const em_doubled *doubled, em_arena *arena,
                      em_warnings *warnings)
{
    const em_lines *lines = edit->lines;
    size_t line = em_lines_at(lines, doubled->there.start);
    size_t count = em_lines_at(lines, doubled->there.end - 1) - line + 1;
    size_t first = em_lines_after(lines, edit->plan->splices, line);
    size_t copy = doubled->follow ? first - count : first + count;
    const char *with = doubled->kept > 0 ? " with the lines left beside it" : "";
    const char *edge = doubled->follow ? "ends" : "begins";
    const char *beside = doubled->follow ? "followed" : "preceded";
    if (count == 1)
        return em_warn(warnings, arena,
                       "After this edit line %zu of the file is the same as line %zu: the new "
                       "text%s %s with it, and it %s that place already" WHAT_TO_DO,
                       copy, first, with, edge, beside);
    return em_warn(warnings, arena,
                   "After this edit lines %zu to %zu of the file are the same as lines %zu to %zu: "
                   "the new text%s %s with them, and they %s that place already" WHAT_TO_DO,
                   copy, copy + count - 1, first, first + count - 1, with, edge, beside);
}

/* Lines that several edits of the call bring one behind the other. */
static em_status tell_both(const em_brought_twice *twice, em_arena *arena, em_warnings *warnings)
{
    size_t first = twice->line, count = twice->count;
    if (count == 1)
        return em_warn(warnings, arena,
                       "After this call line %zu of the file is the same as line %zu: its edits "
                       "bring both. If one was sent twice, one of the two has to go",
                       first + 1, first);
    return em_warn(warnings, arena,
                   "After this call lines %zu to %zu of the file are the same as lines %zu to %zu: "
                   "its edits bring both. If one was sent twice, one of the two has to go",
                   first + count, first + 2 * count - 1, first, first + count - 1);
}

/* Tell of one splice, if there is something; *found: lines are there twice, told or not. */
static em_status look_at(const em_planned_edit *edit, size_t index, em_arena *scratch,
                         em_arena *arena, em_warnings *warnings, bool *found)
{
    const em_plan *plan = edit->plan;
    em_doubled doubled;
    em_brought_twice twice = {0};
    em_arena_clear(scratch);
    EM_TRY(em_doubled_by(edit->lines, plan->splices, index, scratch, &doubled));
    *found = doubled.there.start < doubled.there.end;
    if (*found)
        return is_asked_for(edit, &doubled) ? EM_OK : tell(edit, &doubled, arena, warnings);
    if (plan->op_count < 2)
        return EM_OK;
    EM_TRY(em_brought_twice_by(edit->lines, plan->splices, index, edit->ops, plan->op_count,
                               scratch, &twice));
    *found = twice.count > 0;
    return *found ? tell_both(&twice, arena, warnings) : EM_OK;
}

em_status em_remark_doubled_lines(const em_planned_edit *edit, em_arena *arena,
                                  em_warnings *warnings)
{
    EM_AUTO(em_arena) scratch = {0};
    size_t most = warnings->count + MOST_TOLD, found = 0;
    for (size_t i = 0; i < edit->plan->splices.count && warnings->count < most; i++) {
        bool is_found;
        if (!em_may_double(&edit->plan->splices.items[i]))
            continue;
        EM_TRY(look_at(edit, i, &scratch, arena, warnings, &is_found));
        found += is_found;
        if (found == MOST_FOUND)
            return EM_OK;
    }
    return EM_OK;
}
