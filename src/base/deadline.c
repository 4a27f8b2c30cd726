#include "base/deadline.h"

#include "base/clock.h"

enum { ASK_EVERY = 1 << 16 };

em_deadline em_deadline_in(long ms)
{
    return (em_deadline){.at = ms > 0 ? em_monotonic_ns() + (int64_t)ms * 1000000 : 0};
}

bool em_deadline_spend(em_deadline *deadline, size_t work)
{
    if (!deadline || deadline->at == 0 || deadline->passed)
        return deadline && deadline->passed;
    deadline->unasked += work;
    deadline->spent += work;
    if (deadline->unasked < ASK_EVERY)
        return false;
    deadline->unasked = 0;
    deadline->passed = em_monotonic_ns() >= deadline->at;
    return deadline->passed;
}
