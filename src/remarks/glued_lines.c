#include "remarks/glued_lines.h"

#include "base/ascii.h"

static bool is_at(em_slice s, size_t at, const char *set)
{
    return at < s.len && em_is_one_of(s.ptr[at], set);
}

/* Does the text begin as a line does? `;`, `)` or ` // why` may well go on with the line that ends
 * in `before`, and so may a single blank and anything behind it. */
static bool begins_line(em_slice text, char before)
{
    char first = text.ptr[0];
    if (em_is_space_or_tab(first))
        return first == '\t' || is_at(text, 1, " \t");
    if (em_is_word_byte(first) || em_is_beyond_ascii(first) || em_is_one_of(first, "@#<\"'`$\\"))
        return true;
    if (first == '{')
        return em_is_one_of(before, "};");
    if (first == '/')
        return is_at(text, 1, "/*");
    return em_is_one_of(first, "-*+") && is_at(text, 1, " \t");
}

/* Has the op lines to bring, by the breaks in them? */
static bool brings_lines(const em_op *op)
{
    bool appends = op->kind == EM_OP_APPEND;
    return em_ends_in_eol(op->insert) || (appends && em_slice_has_byte(op->insert, '\n'));
}

/* Behind which byte of the text the op puts what it brings; EM_NPOS: it does something else. */
static size_t place_of(const em_op *op, const em_planned_edit *edit)
{
    const em_matches *places = edit->plan->places;
    if (op->kind == EM_OP_APPEND)
        return edit->lines->body.len;
    bool is_exact = op->kind == EM_OP_INSERT_AFTER && places[0].count == 1 &&
                    places[0].items[0].tier == EM_TIER_EXACT;
    return is_exact ? places[0].items[0].end : EM_NPOS;
}

/* Is the place in a line, behind all that this holds but blanks? A blank before it says that the
 * line was to go on. */
static bool ends_line_text(const em_lines *lines, size_t at)
{
    em_slice body = lines->body;
    if (at <= lines->start || em_is_any_space(body.ptr[at - 1]))
        return false;
    while (at < body.len && em_is_space_or_tab(body.ptr[at]))
        at++;
    return at == body.len || em_is_line_break(body.ptr[at]);
}

em_status em_remark_glued_lines(const em_planned_edit *edit, em_arena *arena, em_warnings *warnings)
{
    const em_lines *lines = edit->lines;
    if (edit->op_count != 1 || edit->plan->op_count != 1)
        return EM_OK;
    const em_op *op = &edit->ops[0];
    size_t at = place_of(op, edit);
    if (at == EM_NPOS || !brings_lines(op) || !ends_line_text(lines, at) ||
        !begins_line(op->insert, lines->body.ptr[at - 1]))
        return EM_OK;
    return em_warn(warnings, arena,
                   "The new text begins in line %zu of the file, right behind what that line held: "
                   "%s. If it is to be lines of its own, one of the two lacks a line break",
                   em_lines_at(lines, at - 1),
                   op->kind == EM_OP_APPEND
                       ? "the file did not end with a line break, nor does the new text begin with "
                         "one"
                       : "the search text does not end with the line's break, nor does the new "
                         "text begin with one");
}
