/* break.h: for tests of the memory that lies before the break. */
#ifndef EM_TEST_CLI_BREAK_H
#define EM_TEST_CLI_BREAK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

enum { MB = 1 << 20 };

/* Does memory come from where the process's data end? The sanitizers have a heap of their own. */
static inline bool heap_is_the_break(void)
{
    char *piece = malloc(100), *end = sbrk(0);
    bool is_below = piece < end && end - piece < 256 * (ptrdiff_t)MB;
    free(piece);
    return is_below;
}

#endif
