#include "session/copied_numbers.h"

#include "match/numbering.h"

static bool are_copied(const em_op *op, em_slice replaced)
{
    em_numbering numbering;
    if (!em_numbering_of(op->insert, &numbering) || !em_brings_numbers(replaced, op->insert))
        return false;
    return numbering.style != EM_NUMBER_COLON || numbering.first == op->first_line;
}

em_status em_warn_of_copied_numbers(const em_edit_request *request, em_arena *arena,
                                    em_outcome *outcome)
{
    const em_plan *plan = &outcome->plan;
    if (request->op_count != 1 || plan->op_count != 1 || outcome->text.extract ||
        request->ops[0].kind != EM_OP_LINES || plan->places[0].count != 1)
        return EM_OK;
    const em_match *place = &plan->places[0].items[0];
    em_slice replaced = em_slice_sub(outcome->lines.body, place->start, place->end);
    if (!are_copied(&request->ops[0], replaced))
        return EM_OK;
    return em_warn(&outcome->warnings, arena,
                   "The new lines begin with line numbers, as tools that read show them, and these "
                   "are in the file now: if they were copied, send the lines without them");
}
