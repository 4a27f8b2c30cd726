#include "failing_malloc.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void *__real_malloc(size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

long mallocs_left = -1;

static bool memory_is_left(void)
{
    if (mallocs_left > 0)
        mallocs_left--;
    else if (mallocs_left == 0)
        return false;
    return true;
}

void *__wrap_malloc(size_t size)
{
    return memory_is_left() ? __real_malloc(size) : NULL;
}

/* For tests that wrap it, too. */
void *__wrap_calloc(size_t count, size_t size)
{
    if (!memory_is_left() || (size > 0 && count > SIZE_MAX / size))
        return NULL;
    void *memory = __real_malloc(count * size);
    return memory ? memset(memory, 0, count * size) : NULL;
}

void *__wrap_realloc(void *memory, size_t size)
{
    return memory_is_left() ? __real_realloc(memory, size) : NULL;
}
