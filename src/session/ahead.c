#include "session/ahead.h"

/* Which take two tenths of a millisecond. */
enum { OPS_WORTH_A_THREAD = 1000 };

static em_status work(void *context, em_arena *arena)
{
    em_ahead *ahead = context;
    const em_edit_request *request = ahead->request;
    return em_gather(request->ops, request->op_count, arena, &ahead->gathered);
}

void em_ahead_begin(em_ahead *ahead, const em_edit_request *request)
{
    if (!ahead || request->op_count < OPS_WORTH_A_THREAD)
        return;
    ahead->request = request;
    em_errand_begin(&ahead->errand, work, ahead);
}

em_status em_ahead_end(em_ahead *ahead, em_arena *arena)
{
    return ahead ? em_errand_end(&ahead->errand, arena) : EM_OK;
}

void em_ahead_drop(em_ahead *ahead)
{
    em_errand_drop(&ahead->errand);
}
