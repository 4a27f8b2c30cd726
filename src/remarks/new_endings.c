#include "remarks/new_endings.h"

#include "text/search.h"

/* Does it want CRs, and nothing else for sure? */
static bool asks_for_endings(const em_op *op)
{
    return em_op_is_pattern(op) ||
           (op->kind == EM_OP_REPLACE && em_slice_has_byte(op->find, '\n') &&
            !em_slice_has_byte(op->find, '\r') &&
            em_any_eol_at(op->find, op->insert, 0) == op->insert.len);
}

static bool has_other_aim(const em_planned_edit *edit)
{
    for (size_t i = 0; i < edit->plan->op_count; i++)
        if (asks_for_endings(&edit->ops[i]))
            return true;
    return false;
}

/* Where the first line of the insert ends that has a CRLF; EM_NPOS: none has. */
static size_t first_crlf(em_slice insert)
{
    const char *crlf =
        em_slice_has_byte(insert, '\r') ? memmem(insert.ptr, insert.len, "\r\n", 2) : NULL;
    return crlf ? (size_t)(crlf - insert.ptr) : EM_NPOS;
}

em_status em_remark_new_endings(const em_planned_edit *edit, em_arena *arena, em_warnings *warnings)
{
    const em_lines *lines = edit->lines;
    em_splices splices = edit->plan->splices;
    if (lines->lf == 0 || lines->cr + lines->crlf > 0)
        return EM_OK;
    for (size_t i = 0; i < splices.count; i++) {
        const em_splice *splice = &splices.items[i];
        size_t at = first_crlf(splice->insert);
        if (at == EM_NPOS)
            continue;
        if (has_other_aim(edit))
            return EM_OK;
        size_t line = em_lines_after(lines, (em_splices){splices.items, i},
                                     em_lines_at(lines, splice->offset)) +
                      em_gap_breaks(em_slice_sub(splice->insert, 0, at));
        return em_warn(warnings, arena,
                       "After this edit line %zu of the file ends in CRLF (\\r\\n), and all lines "
                       "that were there end in LF (\\n). If that was not meant, %ssend the new "
                       "text with \\n",
                       line, edit->is_dry_run ? "" : "undo this and ");
    }
    return EM_OK;
}
