#include "remarks/kept_endings.h"

#include "text/search.h"

/* Are the two texts the same but for their line endings, of which the first has CRs, and the second
 * LFs alone? */
static bool differ_in_endings(em_slice find, em_slice insert)
{
    return em_slice_has_byte(find, '\r') && !em_slice_has_byte(insert, '\r') &&
           em_any_eol_at(insert, find, 0) == find.len;
}

/* Does the pattern or its replacement have the escape of the letter, whose backslash is not itself
 * an escaped one? */
static bool has_escape(em_slice text, char letter)
{
    for (size_t i = 0; i + 1 < text.len; i++)
        if (text.ptr[i] == '\\' && text.ptr[++i] == letter)
            return true;
    return false;
}

/* Of a pattern it is known only when nothing has come of it. */
static bool asks_for_endings(const em_op *op, const em_plan *plan)
{
    if (!em_op_is_pattern(op))
        return op->kind == EM_OP_REPLACE && differ_in_endings(op->find, op->insert);
    bool brings_lf = em_slice_has_byte(op->insert, '\n') || has_escape(op->insert, 'n');
    bool takes_crs = has_escape(op->find, 'r') || has_escape(op->find, 'R');
    return brings_lf && plan->splices.count == 0 && takes_crs;
}

/* How to do it all the same. Where a file has both kinds, each step for the one would spoil the
 * other. */
static const char *advice(const em_lines *lines)
{
    if (lines->cr > 0 && lines->crlf > 0)
        return "";
    return lines->crlf > 0
               ? ". To make LFs of CRLFs, replace \\r with nothing"
               : ". To make LFs of CRs, replace \\r with \\r\\n, and then \\r with nothing";
}

em_status em_remark_kept_endings(const em_planned_edit *edit, em_arena *arena,
                                 em_warnings *warnings)
{
    const em_lines *lines = edit->lines;
    size_t asking = 0;
    if (lines->cr + lines->crlf == 0)
        return EM_OK;
    while (asking < edit->plan->op_count && !asks_for_endings(&edit->ops[asking], edit->plan))
        asking++;
    if (asking == edit->plan->op_count)
        return EM_OK;
    const char *name =
        edit->op_count == 1 ? "the edit" : em_arena_format(arena, "edit %zu", asking + 1);
    if (!name)
        return EM_E_NOMEM;
    return em_warn(warnings, arena,
                   "Line breaks of a new text become those of the lines that they replace, so %s "
                   "left them as they were%s",
                   name, advice(lines));
}
