#include "failing_memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
char *__wrap_strdup(const char *string);
int __wrap_asprintf(char **out, const char *format, ...) __attribute__((format(printf, 2, 3)));

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
