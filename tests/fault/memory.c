#include "memory.h"

#include "failing_arena.h"
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

static struct {
    memory_plan plan;
    bool counts;
    long requests;
    sqlite3_mem_methods sqlite; /* its own */
} memory;

bool memory_is_refused(void)
{
    if (!memory.counts)
        return false;
    long number = ++memory.requests, at = memory.plan.at;
    return at > 0 && (memory.plan.for_good ? number >= at : number == at);
}

void *__wrap_malloc(size_t size)
{
    return memory_is_refused() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return memory_is_refused() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return memory_is_refused() ? NULL : __real_realloc(old, size);
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
    if (memory_is_refused())
        return -1;
    va_start(args, format);
    int length = vasprintf(out, format, args);
    va_end(args);
    return length;
}

/* ---- SQLite's ------------------------------------------------------------------------------ */

static void *sqlite_malloc(int size)
{
    return memory.plan.sqlite && memory_is_refused() ? NULL : memory.sqlite.xMalloc(size);
}

static void *sqlite_realloc(void *old, int size)
{
    return memory.plan.sqlite && memory_is_refused() ? NULL : memory.sqlite.xRealloc(old, size);
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
