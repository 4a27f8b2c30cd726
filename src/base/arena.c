/* arena.c: blocks in a list, the newest first.
 *
 * Small requests share a block; a large one gets its own, behind the newest, so that what is left
 * of that can still be used.
 */
#include "base/arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Large requests get a block of their own, so a block is never mostly waste. */
enum { FIRST_BLOCK = 4096, LARGEST_SHARED_BLOCK = 1 << 20 };

struct em_arena_block {
    struct em_arena_block *next;
    size_t used, size;
    _Alignas(max_align_t) char bytes[];
};

void em_arena_drop(em_arena *arena)
{
    struct em_arena_block *block = arena->block;
    while (block) {
        struct em_arena_block *next = block->next;
        free(block);
        block = next;
    }
    arena->block = NULL;
}

void em_arena_clear(em_arena *arena)
{
    struct em_arena_block *newest = arena->block;
    if (!newest || newest->size > LARGEST_SHARED_BLOCK) {
        em_arena_drop(arena);
        return;
    }
    em_arena behind = {newest->next};
    em_arena_drop(&behind);
    newest->next = NULL;
    newest->used = 0;
}

void em_arena_take_over(em_arena *arena, em_arena *other)
{
    struct em_arena_block **end = &arena->block;
    while (*end)
        end = &(*end)->next;
    *end = other->block;
    other->block = NULL;
}

static struct em_arena_block *block_new(size_t size)
{
    struct em_arena_block *block = NULL;
    if (size <= SIZE_MAX - sizeof *block)
        block = malloc(sizeof *block + size);
    if (block)
        *block = (struct em_arena_block){.size = size};
    return block;
}

/* A block with at least `size` free bytes. One that is made for a single large request goes behind
 * the newest, whose free room stays in use. */
static struct em_arena_block *block_with(em_arena *arena, size_t size)
{
    struct em_arena_block *newest = arena->block;
    if (newest && newest->size - newest->used >= size)
        return newest;
    size_t shared = newest ? newest->size * 2 : FIRST_BLOCK;
    if (shared > LARGEST_SHARED_BLOCK)
        shared = LARGEST_SHARED_BLOCK;
    bool alone = newest && size > shared / 2;
    struct em_arena_block *block = block_new(size > shared || alone ? size : shared);
    if (!block)
        return NULL;
    if (alone) {
        block->next = newest->next;
        newest->next = block;
    } else {
        block->next = newest;
        arena->block = block;
    }
    return block;
}

void *em_alloc_raw(em_arena *arena, size_t size)
{
    const size_t align = _Alignof(max_align_t);
    if (size > SIZE_MAX - align)
        return NULL;
    size = (size + align - 1) / align * align;
    struct em_arena_block *block = block_with(arena, size);
    if (!block)
        return NULL;
    char *bytes = block->bytes + block->used;
    block->used += size;
    return bytes;
}

void *em_alloc(em_arena *arena, size_t size)
{
    void *bytes = em_alloc_raw(arena, size);
    if (bytes && size > 0)
        memset(bytes, 0, size);
    return bytes;
}

void *em_alloc_array(em_arena *arena, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        return NULL;
    return em_alloc(arena, bytes);
}

void *em_alloc_array_raw(em_arena *arena, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        return NULL;
    return em_alloc_raw(arena, bytes);
}

char *em_arena_string(em_arena *arena, em_slice s)
{
    char *copy = s.len < SIZE_MAX ? em_alloc_raw(arena, s.len + 1) : NULL;
    if (!copy)
        return NULL;
    if (s.len > 0)
        memcpy(copy, s.ptr, s.len);
    copy[s.len] = '\0';
    return copy;
}

em_status em_arena_keep(em_arena *arena, em_slice *slice)
{
    const char *copy = em_arena_string(arena, *slice);
    if (!copy)
        return EM_E_NOMEM;
    slice->ptr = copy;
    return EM_OK;
}

em_status em_arena_keep_string(em_arena *arena, const char **string)
{
    const char *copy = *string ? em_arena_string(arena, em_slice_of(*string)) : NULL;
    if (*string && !copy)
        return EM_E_NOMEM;
    *string = copy;
    return EM_OK;
}

em_status em_arena_join(em_arena *arena, em_slice a, em_slice b, em_slice *out)
{
    size_t length;
    bool fits = !__builtin_add_overflow(a.len, b.len, &length);
    char *bytes = fits ? em_alloc_raw(arena, length) : NULL;
    if (!bytes)
        return EM_E_NOMEM;
    if (a.len > 0)
        memcpy(bytes, a.ptr, a.len);
    if (b.len > 0)
        memcpy(bytes + a.len, b.ptr, b.len);
    *out = em_slice_make(bytes, length);
    return EM_OK;
}

char *em_arena_format_v(em_arena *arena, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = length < 0 ? NULL : em_alloc_raw(arena, (size_t)length + 1);
    if (text)
        vsnprintf(text, (size_t)length + 1, format, args);
    return text;
}

char *em_arena_format(em_arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = em_arena_format_v(arena, format, args);
    va_end(args);
    return text;
}

em_status em_arena_double(em_arena *arena, void **items, size_t count, size_t *room, size_t size)
{
    size_t more = *room ? *room * 2 : 8;
    void *bigger = em_alloc_array(arena, more, size);
    if (!bigger)
        return EM_E_NOMEM;
    if (count > 0)
        memcpy(bigger, *items, count * size);
    *items = bigger;
    *room = more;
    return EM_OK;
}
