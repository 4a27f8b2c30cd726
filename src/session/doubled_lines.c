#include "session/doubled_lines.h"

#include "edit/doubled.h"

/* Told are so many; and so many are looked at. */
enum { MOST_TOLD = 3, MOST_FOUND = 64 };

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

static size_t count_breaks(em_slice s)
{
    size_t count = 0;
    for (size_t at = 0; at < s.len; count += em_ends_in_eol(em_slice_sub(s, 0, at)))
        at = em_line_behind(s, at);
    return count;
}

/* The number that a line has after the edit, whose splices before it are so many. */
static size_t line_after(const em_outcome *outcome, size_t offset, size_t splices)
{
    size_t line = em_lines_at(&outcome->lines, offset);
    for (size_t i = 0; i < splices; i++) {
        const em_splice *splice = &outcome->plan.splices.items[i];
        size_t end = splice->offset + splice->length;
        line += count_breaks(splice->insert) + em_lines_at(&outcome->lines, splice->offset);
        line -= em_lines_at(&outcome->lines, end);
    }
    return line;
}

static em_status warn(const em_doubled *doubled, size_t splice, em_arena *arena,
                      em_outcome *outcome)
{
    const em_lines *lines = &outcome->lines;
    size_t before = doubled->follow ? splice + 1 : splice; /* splices before the lines */
    size_t first = line_after(outcome, doubled->there.start, before);
    size_t count =
        em_lines_at(lines, doubled->there.end - 1) - em_lines_at(lines, doubled->there.start) + 1;
    size_t copy = doubled->follow ? first - count : first + count;
    const char *edge = doubled->follow ? "ends" : "begins";
    const char *beside = doubled->follow ? "followed" : "preceded";
    if (count == 1)
        return em_warn(&outcome->warnings, arena,
                       "After this edit line %zu of the file is the same as line %zu: the new text "
                       "%s with it, and it %s that place already. If it was only meant to show the "
                       "place, one of the two has to go",
                       copy, first, edge, beside);
    return em_warn(&outcome->warnings, arena,
                   "After this edit lines %zu to %zu of the file are the same as lines %zu to %zu: "
                   "the new text %s with them, and they %s that place already. If they were only "
                   "meant to show the place, one of the two has to go",
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
        EM_TRY(warn(&doubled, i, arena, outcome));
        told++;
    }
    return EM_OK;
}
