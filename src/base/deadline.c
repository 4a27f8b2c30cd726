#include "base/deadline.h"

#include "base/clock.h"

enum { ASK_EVERY = 1 << 16, NS_PER_MS = 1000000 };

em_deadline em_deadline_in(long ms)
{
    int64_t ns;
    if (ms <= 0 || __builtin_mul_overflow(ms, NS_PER_MS, &ns) ||
        __builtin_add_overflow(em_monotonic_ns(), ns, &ns))
        return (em_deadline){.at = 0};
    return (em_deadline){.at = ns};
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
