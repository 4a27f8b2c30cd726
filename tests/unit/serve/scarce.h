/* scarce.h: memory that runs out at the nth request, in our code and in jansson.
 *
 * Link with scarce_link_args (see meson.build), so that malloc and its like come through here.
 */
#ifndef EM_TESTS_UNIT_SERVE_SCARCE_H
#define EM_TESTS_UNIT_SERVE_SCARCE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
char *__wrap_strdup(const char *string);

/* Requests that are still granted; negative: all are. The one that fails is the only one. */
static long scarce_left = -1;
static bool scarce_hit;

static bool refuse(void)
{
    if (scarce_left < 0 || scarce_left-- > 0)
        return false;
    scarce_hit = true;
    return true;
}

void *__wrap_malloc(size_t size)
{
    return refuse() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return refuse() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return refuse() ? NULL : __real_realloc(old, size);
}

char *__wrap_strdup(const char *string)
{
    size_t size = strlen(string) + 1;
    char *copy = refuse() ? NULL : __real_malloc(size);
    return copy ? memcpy(copy, string, size) : NULL;
}

/* Let the request number `nth` (from 0) fail. */
static void scarce_begin(long nth)
{
    json_set_alloc_funcs(__wrap_malloc, free);
    scarce_left = nth;
    scarce_hit = false;
}

/* Returns whether one has failed. */
static bool scarce_end(void)
{
    scarce_left = -1;
    return scarce_hit;
}

#endif
