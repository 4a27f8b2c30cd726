#include "session/cut_indents.h"

#include "base/ascii.h"

enum { MOST_TOLD = 3 };

/* The blanks that a text begins with; *bare: nothing but a line ending, or the end, follows. */
static em_slice lead_of(em_slice text, bool *bare)
{
    size_t length = 0;
    while (length < text.len && em_is_space_or_tab(text.ptr[length]))
        length++;
    *bare = length == text.len || em_is_line_break(text.ptr[length]);
    return em_slice_sub(text, 0, length);
}

/* The blanks between the start of its line and `offset`; nothing where there is something else. */
static em_slice blanks_before(em_slice body, size_t offset)
{
    size_t start = offset;
    while (start > 0 && em_is_space_or_tab(body.ptr[start - 1]))
        start--;
    bool begins_line = start == 0 || em_is_line_break(body.ptr[start - 1]);
    return em_slice_sub(body, begins_line ? start : offset, offset);
}

/* Is a line of the text indented that is not its first? */
static bool indents_a_later_line(em_slice text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (!em_is_line_break(text.ptr[i]))
            continue;
        bool bare;
        if (lead_of(em_slice_from(text, i + 1), &bare).len > 0 && !bare)
            return true;
    }
    return false;
}

/* Has the caller another idea of how deep the place's line is than the file? `cut`: the blanks
 * before the place. */
static bool is_cut(const em_op *op, em_slice cut)
{
    bool find_is_bare, insert_is_bare;
    em_slice old = lead_of(op->find, &find_is_bare), new = lead_of(op->insert, &insert_is_bare);
    if (cut.len == 0 || find_is_bare || insert_is_bare)
        return false;
    if (old.len > 0)
        return !em_slice_eq(old, new);
    return em_slice_eq(new, cut) && indents_a_later_line(op->find);
}

static em_status warn(const em_op *op, size_t start, size_t cut, em_arena *arena,
                      em_outcome *outcome)
{
    bool bare;
    size_t old = lead_of(op->find, &bare).len, new = lead_of(op->insert, &bare).len;
    size_t line = em_lines_at(&outcome->lines, start);
    return em_warn(&outcome->warnings, arena,
                   "After this edit line %zu of the file begins with %zu blanks, where it had %zu: "
                   "the search text begins with %zu of them, and the new text with %zu. If the new "
                   "text shows how deep that line belongs, %zu blanks too many are before it",
                   em_lines_after(&outcome->lines, outcome->plan.splices, line), cut + new,
                   cut + old, old, new, cut);
}

em_status em_warn_of_cut_indents(const em_edit_request *request, em_arena *arena,
                                 em_outcome *outcome)
{
    em_slice body = outcome->lines.body;
    size_t told = 0;
    if (outcome->text.extract)
        return EM_OK;
    for (size_t i = 0; i < outcome->plan.op_count && told < MOST_TOLD; i++) {
        const em_op *op = &request->ops[i];
        const em_matches *places = &outcome->plan.places[i];
        if (op->kind != EM_OP_REPLACE || op->regex || places->count == 0 ||
            places->items[0].inserted || places->items[0].tier != EM_TIER_EXACT)
            continue;
        size_t start = places->items[0].start, cut = blanks_before(body, start).len;
        if (!is_cut(op, em_slice_sub(body, start - cut, start)))
            continue;
        EM_TRY(warn(op, start, cut, arena, outcome));
        told++;
    }
    return EM_OK;
}
