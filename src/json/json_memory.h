/* json_memory.h: what yajl and jansson allocate.
 *
 * yajl does not look at what an allocation gives it. So where memory runs out it is left by a jump,
 * and all that it has taken lies in an arena, which goes away as a whole:
 *
 *   EM_AUTO(em_json_memory) memory = {0};
 *   if (setjmp(memory.ran_out) != 0)
 *       return EM_E_NOMEM;
 *   yajl_alloc_funcs allocator = em_json_allocator(&memory);
 *   yajl_handle parser = yajl_alloc(&callbacks, &allocator, context);
 *
 * Only yajl's own code is jumped out of: its callbacks allocate elsewhere and check. yajl_free is
 * not needed.
 */
#ifndef EM_JSON_JSON_MEMORY_H
#define EM_JSON_JSON_MEMORY_H

#include "base/arena.h"

#include <setjmp.h>
#include <yajl/yajl_common.h>

typedef struct em_json_memory {
    em_arena arena;
    jmp_buf ran_out;
} em_json_memory;

/* Functions that take from `memory`, and jump where it has no more. */
yajl_alloc_funcs em_json_allocator(em_json_memory *memory);

void em_json_memory_drop(em_json_memory *memory);

/* From now on the memory of all of this process's values (json_t) is in `arena`, and nothing of it
 * given back before the arena is dropped. An arena is one thread's: so no other one may make a
 * value, nor let go of one. For a process that makes one call, before any value is made: thousands
 * of edits are some hundred thousand pieces of memory. */
void em_json_keep_in(em_arena *arena);

/* From now on values that are made while a region is open in their thread have their memory in it,
 * and it goes when the last of them does: who keeps a part of a request keeps the memory of all of
 * it. For a process that lives long, before any value is made: what a request of thousands of edits
 * is read into is asked for and given back in a few pieces. Other values are as before. */
void em_json_use_regions(void);

/* Is it so? */
bool em_json_uses_regions(void);

/* Open a region in this thread, and close it; no two at once. Without em_json_use_regions() nothing
 * happens. */
void em_json_region_open(void);
void em_json_region_close(void);

#endif
