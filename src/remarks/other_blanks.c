#include "remarks/other_blanks.h"

#include "base/ascii.h"
#include "match/token_line.h"
#include "text/span.h"
#include "tokens/indent_habit.h"

enum {
    AROUND = 2 << 10, /* bytes to either side of an edit */
    ENOUGH = 3,       /* lines there that are indented alike */
    MOST_LOOKED_AT = 4,
};

/* How lines are indented. */
typedef enum blanks { NONE, TABS, SPACES, KINDS } blanks;

static blanks kind_of(em_slice indent)
{
    if (!em_is_indentation(indent))
        return NONE;
    return em_slice_has_byte(indent, '\t') ? TABS : SPACES;
}

/* How many lines around the splice, those that it changes among them, are of each kind. */
static void count_around(em_slice body, const em_splice *splice, size_t counts[KINDS])
{
    em_span wide =
        em_span_widened(body, (em_span){splice->offset, splice->offset + splice->length}, AROUND);
    em_slice around = em_slice_sub(body, wide.start, wide.end);
    bool has_cr = em_slice_has_byte(around, '\r');
    em_indented_line line;
    size_t offset = 0;
    if (wide.start > 0) /* it may begin in the middle of a line */
        em_indented_line_next(around, has_cr, &offset, &line);
    while (em_indented_line_next(around, has_cr, &offset, &line))
        counts[kind_of(line.indent)]++;
}

/* A line of a splice's insert that is indented. */
typedef struct indented {
    size_t at; /* in the insert */
    blanks kind;
} indented;

/* Is `indent`, a piece of the insert, that of a line? Of the text around, which may be far from
 * everything else in memory, no more is looked at than that takes. */
static bool is_of_line(em_slice body, const em_splice *splice, em_slice indent, indented *found)
{
    size_t start, offset = splice->offset;
    found->kind = kind_of(indent);
    if (found->kind == NONE)
        return false;
    found->at = (size_t)(indent.ptr - splice->insert.ptr);
    return found->at > 0 || (em_begins_line(body, offset, &start) && start == offset);
}

/* What the insert ends with may begin a line that goes on in the text. */
static bool goes_on(em_slice body, const em_splice *splice)
{
    size_t end;
    return !em_ends_line(body, splice->offset + splice->length, EM_FOLD_NOTHING, &end);
}

/* Most splices of thousands bring a piece of a line that begins with no blank. */
static bool may_indent(em_slice insert)
{
    return insert.len > 0 && (em_is_space_or_tab(insert.ptr[0]) ||
                              em_slice_has_byte(insert, '\n') || em_slice_has_byte(insert, '\r'));
}

static bool first_indented(em_slice body, const em_splice *splice, indented *found)
{
    em_slice insert = splice->insert, last;
    bool has_cr = em_slice_has_byte(insert, '\r');
    em_indented_line line;
    for (size_t offset = 0; em_indented_line_next(insert, has_cr, &offset, &line);)
        if (is_of_line(body, splice, line.indent, found))
            return true;
    return em_indent_at(insert, insert.len, &last) && is_of_line(body, splice, last, found) &&
           goes_on(body, splice);
}

static em_status tell(const em_planned_edit *edit, size_t index, indented line, em_arena *arena,
                      em_warnings *warnings)
{
    em_splices splices = edit->plan->splices, before = {splices.items, index};
    const em_splice *splice = &splices.items[index];
    size_t first = em_lines_at(edit->lines, splice->offset);
    return em_warn(warnings, arena,
                   "After this edit line %zu of the file is indented with %s, and the lines around "
                   "with %s",
                   em_lines_after(edit->lines, before, first) +
                       em_gap_breaks(em_slice_sub(splice->insert, 0, line.at)),
                   line.kind == TABS ? "tabs" : "spaces", line.kind == TABS ? "spaces" : "tabs");
}

em_status em_remark_other_blanks(const em_planned_edit *edit, em_arena *arena,
                                 em_warnings *warnings)
{
    em_splices splices = edit->plan->splices;
    em_slice body = edit->lines->body;
    size_t looked_at = 0;
    for (size_t i = 0; i < splices.count && looked_at < MOST_LOOKED_AT; i++) {
        size_t counts[KINDS] = {0};
        indented line;
        if (!may_indent(splices.items[i].insert) || !first_indented(body, &splices.items[i], &line))
            continue;
        looked_at++;
        count_around(body, &splices.items[i], counts);
        if (counts[line.kind] == 0 && counts[line.kind == TABS ? SPACES : TABS] >= ENOUGH)
            return tell(edit, i, line, arena, warnings);
    }
    return EM_OK;
}
