#include "failing_malloc.h"

#include "../failing_memory.h"

long mallocs_left = -1;

bool memory_is_refused(void)
{
    bool is_refused = mallocs_left == 0;
    if (mallocs_left > 0)
        mallocs_left--;
    return is_refused;
}
