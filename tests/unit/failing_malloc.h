/* failing_malloc.h: memory that runs out when a test says so.
 *
 * A test that includes this is linked with failing_malloc_args, which lead every call of the code
 * under test to the functions here. Include it in one source file of the executable.
 */
#ifndef EM_TESTS_FAILING_MALLOC_H
#define EM_TESTS_FAILING_MALLOC_H

#include <stdlib.h>

/* How many more requests succeed; below zero: all of them. */
static long mallocs_left = -1;

void *__real_malloc(size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_realloc(void *memory, size_t size);

static int malloc_fails(void)
{
    if (mallocs_left > 0)
        mallocs_left--;
    else if (mallocs_left == 0)
        return 1;
    return 0;
}

void *__wrap_malloc(size_t size)
{
    return malloc_fails() ? NULL : __real_malloc(size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    return malloc_fails() ? NULL : __real_realloc(memory, size);
}

#endif
