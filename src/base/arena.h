/* arena.h: memory that lives as long as one call.
 *
 * Everything that belongs to one request (matches, plan, answer) is allocated here and goes away
 * at once. Nothing allocated here is freed alone.
 */
#ifndef EM_BASE_ARENA_H
#define EM_BASE_ARENA_H

#include "base/slice.h"
#include "base/status.h"

#include <stdarg.h>

typedef struct em_arena {
    struct em_arena_block *block; /* newest first */
} em_arena;

/* An empty arena: `EM_AUTO(em_arena) arena = {0};`. It allocates nothing until it is asked to. */
void em_arena_drop(em_arena *arena);

/* The same for an arena that is filled again and again: it keeps a block to begin with. */
void em_arena_clear(em_arena *arena);

/* What is in `other` is in `arena` from now on, and `other` is empty. */
void em_arena_take_over(em_arena *arena, em_arena *other);

/* `size` bytes, zeroed, aligned for any type; NULL when memory ran out. size 0 gives a pointer that
 * must not be read through. */
void *em_alloc(em_arena *arena, size_t size);

/* `size` bytes, not zeroed, for buffers that are filled at once. */
void *em_alloc_raw(em_arena *arena, size_t size);

/* `count` elements of `size` bytes, zeroed; NULL also when the product overflows. */
void *em_alloc_array(em_arena *arena, size_t count, size_t size);

/* The same, not zeroed, for arrays of which each element is set as a whole before it is read. */
void *em_alloc_array_raw(em_arena *arena, size_t count, size_t size);

/* A copy of `s` with a NUL behind it; NULL when memory ran out. */
char *em_arena_string(em_arena *arena, em_slice s);

/* The slice becomes one of a copy, which lives as long as `arena`. EM_E_NOMEM leaves it as it was.
 */
em_status em_arena_keep(em_arena *arena, em_slice *slice);

/* The same of a string; NULL stays that. */
em_status em_arena_keep_string(em_arena *arena, const char **string);

/* The two, one behind the other. EM_E_NOMEM. */
em_status em_arena_join(em_arena *arena, em_slice a, em_slice b, em_slice *out);

/* A formatted string; NULL when memory ran out. */
char *em_arena_format_v(em_arena *arena, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));
char *em_arena_format(em_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The part of em_arena_grow() that is seldom needed. */
em_status em_arena_double(em_arena *arena, void **items, size_t count, size_t *room, size_t size);

/* Room for one more element in an array that grows by doubling: with `count` elements of `size`
 * bytes in *items and room for *room, makes room for count + 1. EM_E_NOMEM leaves both as they
 * were. */
static inline em_status em_arena_grow(em_arena *arena, void **items, size_t count, size_t *room,
                                      size_t size)
{
    return count < *room ? EM_OK : em_arena_double(arena, items, count, room, size);
}

#endif
