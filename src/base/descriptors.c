#include "base/descriptors.h"

#include <sys/resource.h>

/* What is counted on where the limit cannot be asked for, and at most. */
enum { ASSUMED = 256, MOST = 1 << 20 };

size_t em_descriptor_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return ASSUMED;
    return limit.rlim_cur > MOST ? MOST : (size_t)limit.rlim_cur;
}

size_t em_raise_descriptor_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return ASSUMED;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    return em_descriptor_limit();
}
