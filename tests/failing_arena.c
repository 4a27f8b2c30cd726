#include "failing_arena.h"

#include "base/arena.h"

void *__real_em_alloc(em_arena *arena, size_t size);
void *__real_em_alloc_raw(em_arena *arena, size_t size);
void *__real_em_alloc_array(em_arena *arena, size_t count, size_t size);
char *__real_em_arena_string(em_arena *arena, em_slice s);
em_status __real_em_arena_grow(em_arena *arena, void **items, size_t count, size_t *room,
                               size_t size);
void *__wrap_em_alloc(em_arena *arena, size_t size);
void *__wrap_em_alloc_raw(em_arena *arena, size_t size);
void *__wrap_em_alloc_array(em_arena *arena, size_t count, size_t size);
char *__wrap_em_arena_string(em_arena *arena, em_slice s);
char *__wrap_em_arena_format(em_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
em_status __wrap_em_arena_grow(em_arena *arena, void **items, size_t count, size_t *room,
                               size_t size);

void *__wrap_em_alloc(em_arena *arena, size_t size)
{
    return memory_is_refused() ? NULL : __real_em_alloc(arena, size);
}

void *__wrap_em_alloc_raw(em_arena *arena, size_t size)
{
    return memory_is_refused() ? NULL : __real_em_alloc_raw(arena, size);
}

void *__wrap_em_alloc_array(em_arena *arena, size_t count, size_t size)
{
    return memory_is_refused() ? NULL : __real_em_alloc_array(arena, count, size);
}

char *__wrap_em_arena_string(em_arena *arena, em_slice s)
{
    return memory_is_refused() ? NULL : __real_em_arena_string(arena, s);
}

char *__wrap_em_arena_format(em_arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = memory_is_refused() ? NULL : em_arena_format_v(arena, format, args);
    va_end(args);
    return text;
}

em_status __wrap_em_arena_grow(em_arena *arena, void **items, size_t count, size_t *room,
                               size_t size)
{
    return memory_is_refused() ? EM_E_NOMEM : __real_em_arena_grow(arena, items, count, room, size);
}
