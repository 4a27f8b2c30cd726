/* memory.h: memory that runs out, in jansson too. */
#ifndef EM_TESTS_UNIT_DIALECTS_MEMORY_H
#define EM_TESTS_UNIT_DIALECTS_MEMORY_H

#include <stdbool.h>
#include <stdlib.h>

#include <jansson.h>

#include "../with_cmocka.h"
#include "failing_malloc.h"

static inline void *counted_malloc(size_t size)
{
    return malloc(size);
}

/* Let jansson's memory run out together with ours. (Its strings are hashed with a seed, so that the
 * number of requests is the same in each run.) */
static inline void use_counted_memory(void)
{
    json_set_alloc_funcs(counted_malloc, free);
    json_object_seed(1);
}

/* Run `step` with room for 0, 1, 2, ... requests until it succeeds, and return how many failed. It
 * says whether it succeeded, and must leave nothing behind either way. */
static inline size_t run_out_of_memory(bool (*step)(void *context), void *context)
{
    for (long room = 0; room < 100000; room++) {
        mallocs_left = room;
        bool done = step(context);
        mallocs_left = -1;
        if (done)
            return (size_t)room;
    }
    fail_msg("never enough memory");
    return 0;
}

#endif
