#include "failing_malloc.h"

#include <stdbool.h>
#include <stdlib.h>

void *__real_malloc(size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
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

void *__wrap_realloc(void *memory, size_t size)
{
    return memory_is_left() ? __real_realloc(memory, size) : NULL;
}
