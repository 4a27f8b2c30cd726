#include "remarks/left_out.h"

#include "match/placeholder.h"

static bool is_put_anywhere(const em_op *op)
{
    return op->kind == EM_OP_REWRITE || op->kind == EM_OP_APPEND || op->kind == EM_OP_PREPEND;
}

em_status em_remark_left_out(const em_planned_edit *edit, em_arena *arena, em_warnings *warnings)
{
    for (size_t i = 0; i < edit->plan->op_count && !edit->allows_placeholders; i++) {
        const em_op *op = &edit->ops[i];
        em_slice found =
            is_put_anywhere(op) ? em_placeholder_in(op->insert, edit->lines->body) : (em_slice){0};
        if (found.len > 0)
            return em_warn(
                warnings, arena,
                "The new text says \"%.*s\", and that is written as it is: what it stands "
                "for is not filled in. If those are lines that the file had, send the "
                "content with all of them, or %sedit the places alone",
                (int)found.len, found.ptr, edit->is_dry_run ? "" : "undo this and ");
    }
    return EM_OK;
}
