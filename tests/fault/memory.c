#include "memory.h"

#include "base/arena.h"
#include "world.h"

#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
char *__wrap_strdup(const char *string);
int __wrap_asprintf(char **out, const char *format, ...);

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
char *__wrap_em_arena_format(em_arena *arena, const char *format, ...);
em_status __wrap_em_arena_grow(em_arena *arena, void **items, size_t count, size_t *room,
                               size_t size);

static struct {
    memory_plan plan;
    bool counts;
    long requests;
    sqlite3_mem_methods sqlite; /* its own */
} memory;

static bool refused(void)
{
    if (!memory.counts)
        return false;
    long number = ++memory.requests, at = memory.plan.at;
    return at > 0 && (memory.plan.for_good ? number >= at : number == at);
}

void *__wrap_malloc(size_t size)
{
    return refused() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return refused() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return refused() ? NULL : __real_realloc(old, size);
}

char *__wrap_strdup(const char *string)
{
    size_t size = strlen(string) + 1;
    char *copy = __wrap_malloc(size);
    return copy ? memcpy(copy, string, size) : NULL;
}

int __wrap_asprintf(char **out, const char *format, ...)
{
    va_list args;
    if (refused())
        return -1;
    va_start(args, format);
    int length = vasprintf(out, format, args);
    va_end(args);
    return length;
}

/* ---- An arena's, which has room for most ---------------------------------------------------- */

void *__wrap_em_alloc(em_arena *arena, size_t size)
{
    return refused() ? NULL : __real_em_alloc(arena, size);
}

void *__wrap_em_alloc_raw(em_arena *arena, size_t size)
{
    return refused() ? NULL : __real_em_alloc_raw(arena, size);
}

void *__wrap_em_alloc_array(em_arena *arena, size_t count, size_t size)
{
    return refused() ? NULL : __real_em_alloc_array(arena, count, size);
}

char *__wrap_em_arena_string(em_arena *arena, em_slice s)
{
    return refused() ? NULL : __real_em_arena_string(arena, s);
}

char *__wrap_em_arena_format(em_arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = refused() ? NULL : em_arena_format_v(arena, format, args);
    va_end(args);
    return text;
}

em_status __wrap_em_arena_grow(em_arena *arena, void **items, size_t count, size_t *room,
                               size_t size)
{
    return refused() ? EM_E_NOMEM : __real_em_arena_grow(arena, items, count, room, size);
}

/* ---- SQLite's ------------------------------------------------------------------------------ */

static void *sqlite_malloc(int size)
{
    return memory.plan.sqlite && refused() ? NULL : memory.sqlite.xMalloc(size);
}

static void *sqlite_realloc(void *old, int size)
{
    return memory.plan.sqlite && refused() ? NULL : memory.sqlite.xRealloc(old, size);
}

void memory_init(void)
{
    world_must(sqlite3_config(SQLITE_CONFIG_GETMALLOC, &memory.sqlite) == SQLITE_OK, "SQLite");
    sqlite3_mem_methods counted = memory.sqlite;
    counted.xMalloc = sqlite_malloc;
    counted.xRealloc = sqlite_realloc;
    world_must(sqlite3_config(SQLITE_CONFIG_MALLOC, &counted) == SQLITE_OK, "SQLite");
}

void memory_start(memory_plan plan)
{
    memory.plan = plan;
    memory.requests = 0;
    memory.counts = true;
}

long memory_stop(void)
{
    memory.counts = false;
    return memory.requests;
}
