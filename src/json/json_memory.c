#include "json/json_memory.h"

#include <jansson.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
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

/* ---- Regions ---------------------------------------------------------------------------- */

/* How many values a region holds is known only when it is closed. Until then `left` is so much more
 * that it does not come to 0, whatever is given back. */
enum { OPEN = INT32_MAX };

typedef struct region {
    em_arena arena;
    size_t taken; /* while it is open; by its thread alone */
    atomic_size_t left;
} region;

/* Stands before the memory of each value. */
typedef struct owned {
    region *owner; /* NULL: it is a piece of its own */
    _Alignas(max_align_t) char bytes[];
} owned;

static bool uses_regions;
static _Thread_local region *filling;

static void region_leave(region *r, size_t count)
{
    if (atomic_fetch_sub_explicit(&r->left, count, memory_order_acq_rel) != count)
        return;
    em_arena_drop(&r->arena);
    free(r);
}

static void *take_from_region(size_t size)
{
    owned *taken = NULL;
    if (size <= SIZE_MAX - sizeof *taken)
        taken = filling ? em_alloc_raw(&filling->arena, sizeof *taken + size)
                        : malloc(sizeof *taken + size);
    if (!taken)
        return NULL;
    taken->owner = filling;
    if (filling)
        filling->taken++;
    return taken->bytes;
}

static void give_back_to_region(void *bytes)
{
    owned *given = bytes ? (owned *)((char *)bytes - offsetof(owned, bytes)) : NULL;
    if (given && given->owner)
        region_leave(given->owner, 1);
    else
        free(given);
}

void em_json_use_regions(void)
{
    uses_regions = true;
    json_set_alloc_funcs(take_from_region, give_back_to_region);
}

bool em_json_uses_regions(void)
{
    return uses_regions;
}

/* Where there is no memory for one, values are pieces of their own. */
void em_json_region_open(void)
{
    if (!uses_regions)
        return;
    filling = calloc(1, sizeof *filling);
    if (filling)
        atomic_init(&filling->left, OPEN);
}

void em_json_region_close(void)
{
    region *r = filling;
    filling = NULL;
    if (r)
        region_leave(r, OPEN - r->taken);
}
