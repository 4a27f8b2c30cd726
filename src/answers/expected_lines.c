#include "answers/expected_lines.h"

#include "base/line.h"
#include "match/numbering.h"

/* Two texts that differ at most in how their lines end, and in whether the last one does. */
static bool same_lines(em_slice a, em_slice b)
{
    size_t i = 0, j = 0;
    while (i < a.len && j < b.len)
        if (!em_slice_eq(em_line_content(em_next_line(a, &i)),
                         em_line_content(em_next_line(b, &j))))
            return false;
    return i == a.len && j == b.len;
}

/* Lines [first, last] of the text; empty where it has not as many. */
static em_slice lines_of(const em_lines *lines, size_t first, size_t last)
{
    if (first < 1 || last < first || last > em_lines_count(lines))
        return (em_slice){0};
    return em_slice_sub(lines->body, em_lines_line(lines, first).start,
                        em_lines_line(lines, last).next);
}

static void find_place(const em_outcome *outcome, const em_numbering *numbering,
                       em_expected_lines *out)
{
    const em_op *op = outcome->failed_op;
    out->as_named = same_lines(out->plain, outcome->failure.found);
    if (out->as_named) {
        out->first = op->first_line;
        out->last = op->last_line;
    } else if (out->plain.len > 0 &&
               same_lines(out->plain,
                          lines_of(&outcome->lines, numbering->first, numbering->last))) {
        out->first = numbering->first;
        out->last = numbering->last;
    }
}

static bool reads_numbered(const em_outcome *outcome, const em_numbering *numbering,
                           em_arena *arena, em_expected_lines *out)
{
    const em_op *op = outcome->failed_op;
    *out = (em_expected_lines){.insert = op->insert};
    if (em_without_numbers(*op->expected_text, numbering, arena, &out->plain) != EM_OK ||
        (em_carries_numbers(op->insert, *op->expected_text, out->plain, numbering) ==
             EM_CARRIES_NUMBERS &&
         em_without_numbers(op->insert, numbering, arena, &out->insert) != EM_OK))
        return false;
    find_place(outcome, numbering, out);
    return out->first > 0;
}

/* The blank behind each number may be the first of the line's indentation. */
bool em_expected_numbered_lines(const em_outcome *outcome, em_arena *arena, em_expected_lines *out)
{
    const em_op *op = outcome->failed_op;
    em_numbering numbering;
    *out = (em_expected_lines){0};
    if (outcome->error.cause != EM_CAUSE_STALE_TEXT || !op || !op->expected_text ||
        !em_numbering_of(*op->expected_text, &numbering))
        return false;
    if (reads_numbered(outcome, &numbering, arena, out))
        return true;
    bool was_spaced = numbering.spaced;
    numbering.spaced = false;
    return was_spaced && reads_numbered(outcome, &numbering, arena, out);
}
