#include "failing_memory.h"

#include "base/arena.h"

#include <xxhash.h>

void *__real_em_alloc(em_arena *arena, size_t size);
void *__real_em_alloc_raw(em_arena *arena, size_t size);
void *__real_em_alloc_array(em_arena *arena, size_t count, size_t size);
char *__real_em_arena_string(em_arena *arena, em_slice s);
char *__real_em_arena_format_v(em_arena *arena, const char *format, va_list args);
XXH3_state_t *__real_XXH3_createState(void);
em_status __real_em_arena_double(em_arena *arena, void **items, size_t count, size_t *room,
                                 size_t size);
void *__wrap_em_alloc(em_arena *arena, size_t size);
void *__wrap_em_alloc_raw(em_arena *arena, size_t size);
void *__wrap_em_alloc_array(em_arena *arena, size_t count, size_t size);
char *__wrap_em_arena_string(em_arena *arena, em_slice s);
char *__wrap_em_arena_format(em_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
char *__wrap_em_arena_format_v(em_arena *arena, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));
XXH3_state_t *__wrap_XXH3_createState(void);
em_status __wrap_em_arena_double(em_arena *arena, void **items, size_t count, size_t *room,
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
    char *text = __wrap_em_arena_format_v(arena, format, args);
    va_end(args);
    return text;
}

char *__wrap_em_arena_format_v(em_arena *arena, const char *format, va_list args)
{
    return memory_is_refused() ? NULL : __real_em_arena_format_v(arena, format, args);
}

XXH3_state_t *__wrap_XXH3_createState(void)
{
    return memory_is_refused() ? NULL : __real_XXH3_createState();
}

em_status __wrap_em_arena_double(em_arena *arena, void **items, size_t count, size_t *room,
                                 size_t size)
{
    return memory_is_refused() ? EM_E_NOMEM
                               : __real_em_arena_double(arena, items, count, room, size);
}
