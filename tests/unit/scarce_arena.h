/* scarce_arena.h: runs something with less memory than it needs, wherever it asks for it.
 *
 * Link with failing_malloc.c. An arena asks for memory in blocks, so it is begun with all but some
 * bytes of its first block in use: then every allocation is once the one that needs a new block.
 */
#ifndef EM_TESTS_UNIT_SCARCE_ARENA_H
#define EM_TESTS_UNIT_SCARCE_ARENA_H

#include "check_texts.h"
#include "failing_malloc.h"

enum { SCARCE_BLOCK = 4096 };

typedef em_status scarce_run(em_arena *arena, const void *context);

/* Must give nothing but EM_E_NOMEM until memory suffices, and EM_OK then. */
static inline void check_scarce(const char *what, scarce_run *run, const void *context)
{
    size_t failures = 0;
    for (size_t left = 0; left < SCARCE_BLOCK; left += 32) {
        em_status status = EM_E_NOMEM;
        for (long granted = 0; status != EM_OK; granted++) {
            EM_AUTO(em_arena) arena = {0};
            assert_non_null(em_alloc_raw(&arena, SCARCE_BLOCK - left));
            mallocs_left = granted;
            status = run(&arena, context);
            mallocs_left = -1;
            failures += status == EM_E_NOMEM;
            if (status != EM_OK && status != EM_E_NOMEM)
                check_size(what, (size_t)status, EM_E_NOMEM);
        }
    }
    assert_true(failures > 0);
}

#endif
