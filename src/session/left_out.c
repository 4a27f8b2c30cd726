#include "session/left_out.h"

#include "match/placeholder.h"

static bool is_put_anywhere(const em_op *op)
{
    return op->kind == EM_OP_REWRITE || op->kind == EM_OP_APPEND || op->kind == EM_OP_PREPEND;
}

em_status em_warn_of_left_out(const em_edit_request *request, em_arena *arena, em_outcome *outcome)
{
    for (size_t i = 0; i < outcome->plan.op_count; i++) {
        const em_op *op = &request->ops[i];
        em_slice found =
            is_put_anywhere(op) ? em_placeholder_in(op->insert, outcome->text.body) : (em_slice){0};
        if (found.len > 0)
            return em_warn(
                &outcome->warnings, arena,
                "The new text says \"%.*s\", and that is written as it is: what it stands "
                "for is not filled in. If those are lines that the file had, send the "
                "content with all of them, or undo this and edit the places alone",
                (int)found.len, found.ptr);
    }
    return EM_OK;
}
