#include "dialects/json_memory.h"

#include <jansson.h>
#include <stdint.h>
#include <string.h>

/* Stands before each block; growing one has to know how much to copy. */
typedef struct block {
    size_t size;
    _Alignas(max_align_t) char bytes[];
} block;

static void *take(void *context, size_t size)
{
    em_json_memory *memory = context;
    block *taken = size <= SIZE_MAX - sizeof *taken
                       ? em_alloc_raw(&memory->arena, sizeof *taken + size)
                       : NULL;
    if (!taken)
        longjmp(memory->ran_out, 1);
    taken->size = size;
    return taken->bytes;
}

static void *grow(void *context, void *bytes, size_t size)
{
    void *grown = take(context, size);
    if (bytes) {
        const block *old = (const block *)((char *)bytes - offsetof(block, bytes));
        memcpy(grown, bytes, old->size < size ? old->size : size);
    }
    return grown;
}

static void give_back(void *context, void *bytes)
{
    (void)context;
    (void)bytes;
}

yajl_alloc_funcs em_json_allocator(em_json_memory *memory)
{
    return (yajl_alloc_funcs){.malloc = take, .realloc = grow, .free = give_back, .ctx = memory};
}

void em_json_memory_drop(em_json_memory *memory)
{
    em_arena_drop(&memory->arena);
}

/* ---- Values ---------------------------------------------------------------------------------- */

static em_arena *values; /* borrowed; jansson has no context for it */

static void *take_for_value(size_t size)
{
    return em_alloc_raw(values, size);
}

static void keep_value(void *bytes)
{
    (void)bytes;
}

void em_json_keep_in(em_arena *arena)
{
    values = arena;
    json_set_alloc_funcs(take_for_value, keep_value);
}
