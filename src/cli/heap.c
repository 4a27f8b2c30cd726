#include "cli/heap.h"

#if defined(__GLIBC__)
#include <malloc.h>

/* What would have had a mapping of its own comes from the heap too. */
void em_cli_expect_memory(size_t bytes)
{
    enum { LEAST = 2 << 20, MOST = 256 << 20, LEAST_MAPPED = 4 << 20 };
    if (bytes < LEAST)
        return;
    mallopt(M_MMAP_THRESHOLD, LEAST_MAPPED);
    mallopt(M_TOP_PAD, (int)(bytes < MOST ? bytes : MOST));
}
#else
void em_cli_expect_memory(size_t bytes)
{
    (void)bytes;
}
#endif
