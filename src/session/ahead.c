#include "session/ahead.h"

/* Which take two tenths of a millisecond. */
enum { OPS_WORTH_A_THREAD = 1000 };

static void work(void *context)
{
    em_ahead *ahead = context;
    const em_edit_request *request = ahead->request;
    ahead->status = em_gather(request->ops, request->op_count, &ahead->arena, &ahead->gathered);
}

void em_ahead_begin(em_ahead *ahead, const em_edit_request *request)
{
    if (!ahead || request->op_count < OPS_WORTH_A_THREAD)
        return;
    ahead->request = request;
    em_beside_begin(&ahead->beside, work, ahead);
}

em_status em_ahead_end(em_ahead *ahead, em_arena *arena)
{
    if (!ahead)
        return EM_OK;
    em_beside_end(&ahead->beside);
    em_arena_take_over(arena, &ahead->arena);
    return ahead->status;
}

void em_ahead_drop(em_ahead *ahead)
{
    em_beside_end(&ahead->beside);
    em_arena_drop(&ahead->arena);
}
