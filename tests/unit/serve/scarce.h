/* scarce.h: memory that runs out at the nth request, in our code and in jansson.
 *
 * Link with failing_memory.c and failing_memory_args, so that malloc and its like come through
 * here.
 */
#ifndef EM_TESTS_UNIT_SERVE_SCARCE_H
#define EM_TESTS_UNIT_SERVE_SCARCE_H

#include "../../failing_memory.h"

#include <jansson.h>
#include <stdlib.h>

/* Requests that are still granted; negative: all are. The one that fails is the only one. */
static long scarce_left = -1;
static bool scarce_hit;

bool memory_is_refused(void)
{
    if (scarce_left < 0 || scarce_left-- > 0)
        return false;
    scarce_hit = true;
    return true;
}

/* Let the request number `nth` (from 0) fail. */
static void scarce_begin(long nth)
{
    json_set_alloc_funcs(__wrap_malloc, free);
    scarce_left = nth;
    scarce_hit = false;
}

/* Returns whether one has failed. */
static bool scarce_end(void)
{
    scarce_left = -1;
    return scarce_hit;
}

#endif
