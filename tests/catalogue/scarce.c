/* scarce.c: memory that ends, for a program and its libraries (LD_PRELOAD).
 *
 * The request of number SCARCE_AT fails, and with SCARCE_FOREVER all after it too; counted from the
 * start of main() (a program that cannot even be loaded shows nothing). Where there were not so
 * many, "scarce: not reached" is written to standard error at the end.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TAKES_OVER __attribute__((visibility("default")))

TAKES_OVER void *malloc(size_t size);
TAKES_OVER void *calloc(size_t count, size_t size);
TAKES_OVER void *realloc(void *old, size_t size);

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);

static long left = -1; /* before the one that fails; negative: not counting */
static bool forever, met;

static bool fails(void)
{
    if (met)
        return forever;
    if (left < 0 || left-- > 0)
        return false;
    met = true;
    return true;
}

static void *no_more(void)
{
    errno = ENOMEM;
    return NULL;
}

void *malloc(size_t size)
{
    return fails() ? no_more() : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails() ? no_more() : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return fails() ? no_more() : __libc_realloc(old, size);
}

__attribute__((constructor)) static void begin(void)
{
    const char *at = getenv("SCARCE_AT"), *all = getenv("SCARCE_FOREVER");
    forever = all && *all;
    left = at ? strtol(at, NULL, 10) - 1 : -1;
}

__attribute__((destructor)) static void end(void)
{
    static const char text[] = "scarce: not reached\n";
    if (!met && write(2, text, strlen(text)) < 0)
        _exit(99);
}
