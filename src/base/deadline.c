#include "base/deadline.h"

#include <time.h>

enum { ASK_EVERY = 1 << 16 };

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

em_deadline em_deadline_in(long ms)
{
    return (em_deadline){.at = ms > 0 ? now() + (int64_t)ms * 1000000 : 0};
}

bool em_deadline_spend(em_deadline *deadline, size_t work)
{
    if (!deadline || deadline->at == 0 || deadline->passed)
        return deadline && deadline->passed;
    deadline->unasked += work;
    if (deadline->unasked < ASK_EVERY)
        return false;
    deadline->unasked = 0;
    deadline->passed = now() >= deadline->at;
    return deadline->passed;
}
