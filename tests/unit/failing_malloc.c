#include "failing_malloc.h"

#include "../failing_memory.h"

#include <stdatomic.h>

_Atomic long mallocs_left = -1;

bool memory_is_refused(void)
{
    long left = mallocs_left;
    while (left > 0 && !atomic_compare_exchange_weak(&mallocs_left, &left, left - 1))
        continue;
    return left == 0;
}
