#include "base/beside.h"

#include "base/thread.h"

#include <sched.h>

enum { STACK = 512 << 10 /* bytes */ };

static void *run(void *context)
{
    const em_beside *beside = context;
    beside->work(beside->context);
    return NULL;
}

/* The processors that this process may use, but for the one that this thread is on: there the
 * kernel would have the other thread wait until this one does. False: there is none. */
static bool other_processors(cpu_set_t *others)
{
    int here = sched_getcpu();
    if (here < 0 || sched_getaffinity(0, sizeof *others, others) != 0)
        return false;
    CPU_CLR((size_t)here, others);
    return CPU_COUNT(others) > 0;
}

void em_beside_begin(em_beside *beside, em_work *work, void *context)
{
    cpu_set_t others;
    *beside = (em_beside){.work = work, .context = context};
    beside->has_thread = other_processors(&others) &&
                         em_thread_start_on(&others, &beside->thread, run, beside, STACK);
}

void em_beside_end(em_beside *beside)
{
    if (!beside->work)
        return;
    if (beside->has_thread)
        pthread_join(beside->thread, NULL);
    else
        beside->work(beside->context);
    beside->work = NULL;
}
