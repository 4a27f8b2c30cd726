#include "laying/leaps.h"

/* In steps, those that are begun included. */
static size_t steps_of(em_slice indent, em_indent_unit unit)
{
    return em_indent_depth(indent, unit) + (em_indent_rest_of(indent, unit) > 0);
}

size_t em_count_leaps(em_slice text, em_indent_habit habit)
{
    em_indent_unit unit = em_habit_unit(habit);
    bool has_cr = em_slice_has_byte(text, '\r'), first = true;
    size_t offset = 0, leaps = 0, last = 0;
    em_indented_line line;
    if (!habit.tabs && !habit.told)
        return 0;
    while (em_indented_line_next(text, has_cr, &offset, &line)) {
        size_t depth = steps_of(line.indent, unit);
        leaps += !first && depth > last + 1;
        last = depth;
        first = false;
    }
    return leaps;
}

bool em_is_in_steps(em_slice text, em_indent_habit habit)
{
    em_indent_unit unit = em_habit_unit(habit);
    bool has_cr = em_slice_has_byte(text, '\r');
    size_t offset = 0, width = em_indent_width_of(unit);
    em_indented_line line;
    while (em_indented_line_next(text, has_cr, &offset, &line)) {
        for (size_t i = 0; i < line.indent.len; i++)
            if (line.indent.ptr[i] != unit.with)
                return false;
        if (line.indent.len % width > 0)
            return false;
    }
    return true;
}

static em_slice least_indent(em_slice text)
{
    bool has_cr = em_slice_has_byte(text, '\r');
    size_t offset = 0;
    em_slice least = {0};
    em_indented_line line;
    while (em_indented_line_next(text, has_cr, &offset, &line))
        if (!least.ptr || line.indent.len < least.len)
            least = line.indent;
    return least;
}

bool em_stays_within(em_slice text, em_slice seen)
{
    bool has_cr = em_slice_has_byte(text, '\r');
    size_t offset = 0;
    em_slice least = least_indent(seen);
    em_indented_line line;
    while (em_indented_line_next(text, has_cr, &offset, &line))
        if (!em_slice_starts(line.indent, least))
            return false;
    return true;
}
