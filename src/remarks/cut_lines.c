#include "remarks/cut_lines.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "text/token.h"
#include "tokens/brackets.h"

enum {
    MOST_TOLD = 3,
    MOST_LOOKED_AT = 1000, /* edits of a call */
    MOST_OF_LINE = 400,    /* bytes before the place, and behind it */
    MOST_SHOWN = 60,       /* bytes */
    /* Code points, beside white space: `f(x)` may well become `f(f(x))`. */
    LEAST_OF_ONE = 12,
    LEAST_OF_SEVERAL = 3 /* of a search text of several lines */
};

static bool tells_enough(em_slice part, em_slice find)
{
    size_t count = 0;
    for (size_t i = 0; i < part.len; i++)
        count += !em_is_any_space(part.ptr[i]) && !em_utf8_continues(part, i);
    bool has_lines = em_slice_has_byte(find, '\n') || em_slice_has_byte(find, '\r');
    return count >= (has_lines ? LEAST_OF_SEVERAL : LEAST_OF_ONE);
}

/* Brackets stand there twice by chance, but where the search text lacks just those. */
static bool are_brackets(em_slice part)
{
    return part.len > 0 && em_are_all_of(part, "()[]{}");
}

/* What stands before `at` in its line, without the blanks that this begins with; empty where the
 * line is very long. */
static em_slice head_of(em_slice body, size_t at)
{
    size_t start = at;
    while (start > 0 && at - start < MOST_OF_LINE && !em_is_line_break(body.ptr[start - 1]))
        start--;
    if (at - start == MOST_OF_LINE)
        return (em_slice){0};
    while (start < at && em_is_space_or_tab(body.ptr[start]))
        start++;
    return em_slice_sub(body, start, at);
}

static em_slice tail_of(em_slice body, size_t at)
{
    size_t end = at;
    while (end < body.len && end - at < MOST_OF_LINE && !em_is_line_break(body.ptr[end]))
        end++;
    if (end - at == MOST_OF_LINE)
        return (em_slice){0};
    while (end > at && em_is_space_or_tab(body.ptr[end - 1]))
        end--;
    return em_slice_sub(body, at, end);
}

static em_slice without_lead(em_slice text)
{
    size_t start = 0;
    while (start < text.len && em_is_space_or_tab(text.ptr[start]))
        start++;
    return em_slice_from(text, start);
}

/* `line`: after the edit. */
static em_status tell(size_t line, bool is_head, em_slice part, em_arena *arena,
                      em_warnings *warnings)
{
    em_slice shown = em_slice_sub(part, 0, em_utf8_floor(part, MOST_SHOWN));
    return em_warn(
        warnings, arena,
        "Line %zu of the file now has \"%.*s%s\" twice: it stood %s the search text, and "
        "the new text has it, too. To replace the whole line, %s the search text with it",
        line, (int)shown.len, shown.ptr, shown.len < part.len ? "..." : "",
        is_head ? "before" : "behind", is_head ? "begin" : "end");
}

/* Tell of the op; *told counts. */
static em_status look_at(const em_planned_edit *edit, size_t index, em_arena *arena,
                         em_warnings *warnings, size_t *told)
{
    const em_op *op = &edit->ops[index];
    const em_matches *places = &edit->plan->places[index];
    em_slice body = edit->lines->body;
    const em_match *place = places->items;
    if (op->kind != EM_OP_REPLACE || em_op_is_pattern(op) || places->count == 0 ||
        place->inserted || place->tier != EM_TIER_EXACT)
        return EM_OK;
    em_slice head = head_of(body, place->start), tail = tail_of(body, place->end);
    bool has_head = em_slice_starts(without_lead(op->insert), head) &&
                    (tells_enough(head, op->find) ||
                     (are_brackets(head) && em_lacks_opening(op->find, op->insert))),
         has_tail = em_slice_ends(op->insert, tail) &&
                    (tells_enough(tail, op->find) ||
                     (are_brackets(tail) && em_lacks_closing(op->find, op->insert)));
    if (!has_head && !has_tail)
        return EM_OK;
    *told += has_head + has_tail;
    size_t line =
        em_lines_after(edit->lines, edit->plan->splices, em_lines_at(edit->lines, place->start));
    if (has_head)
        EM_TRY(tell(line, true, head, arena, warnings));
    line += em_gap_breaks(op->insert);
    return has_tail ? tell(line, false, tail, arena, warnings) : EM_OK;
}

em_status em_remark_cut_lines(const em_planned_edit *edit, em_arena *arena, em_warnings *warnings)
{
    size_t told = 0, count = em_least(edit->plan->op_count, MOST_LOOKED_AT);
    for (size_t i = 0; i < count && told < MOST_TOLD; i++)
        EM_TRY(look_at(edit, i, arena, warnings, &told));
    return EM_OK;
}
