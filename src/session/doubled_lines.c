#include "session/doubled_lines.h"

#include "edit/doubled.h"

enum { MOST_TOLD = 3 };

static em_status warn(const em_lines *lines, const em_doubled *doubled, em_arena *arena,
                      em_warnings *warnings)
{
    size_t first = em_lines_at(lines, doubled->there.start);
    size_t last = em_lines_at(lines, doubled->there.end - 1);
    const char *edge = doubled->follow ? "ends" : "begins";
    const char *beside = doubled->follow ? "follow" : "precede";
    if (first == last)
        return em_warn(warnings, arena,
                       "Line %zu of the file is there twice after this edit: the new text %s with "
                       "it, and it %ss that place. If it was only meant to show the place, one of "
                       "the two has to go",
                       first, edge, beside);
    return em_warn(warnings, arena,
                   "Lines %zu to %zu of the file are there twice after this edit: the new text %s "
                   "with them, and they %s that place. If they were only meant to show the place, "
                   "one of the two has to go",
                   first, last, edge, beside);
}

em_status em_warn_of_doubled_lines(em_arena *arena, em_outcome *outcome)
{
    EM_AUTO(em_arena) scratch = {0};
    size_t told = 0;
    if (outcome->text.extract)
        return EM_OK;
    for (size_t i = 0; i < outcome->plan.splices.count && told < MOST_TOLD; i++) {
        em_doubled doubled;
        em_arena_clear(&scratch);
        EM_TRY(em_doubled_by(&outcome->lines, outcome->plan.splices, i, &scratch, &doubled));
        if (doubled.there.start == doubled.there.end)
            continue;
        EM_TRY(warn(&outcome->lines, &doubled, arena, &outcome->warnings));
        told++;
    }
    return EM_OK;
}
