/* thread.c: any thread may call what is here; there is no lock, and nothing is shared.
 *
 * A new thread has the signal mask of the one that starts it. That one blocks all signals for the
 * moment, so that none can come to the new one before it could block them itself.
 */
#include "base/thread.h"

#include <errno.h>
#include <link.h>
#include <signal.h>
#include <time.h>

/* A dl_iterate_phdr() callback: the variables of a thread that this object has. */
static int add_variables(struct dl_phdr_info *object, size_t size, void *context)
{
    (void)size;
    size_t *bytes = context;
    for (size_t i = 0; i < object->dlpi_phnum; i++)
        if (object->dlpi_phdr[i].p_type == PT_TLS)
            *bytes += object->dlpi_phdr[i].p_memsz + object->dlpi_phdr[i].p_align;
    return 0;
}

/* glibc lays a thread's variables on its stack, and a process that uses emend as a library may have
 * many. */
static size_t with_variables(size_t stack)
{
    dl_iterate_phdr(add_variables, &stack);
    return stack;
}

bool em_other_processors(cpu_set_t *others)
{
    int here = sched_getcpu();
    if (here < 0 || sched_getaffinity(0, sizeof *others, others) != 0)
        return false;
    CPU_CLR((size_t)here, others);
    return CPU_COUNT(others) > 0;
}

bool em_thread_start(pthread_t *thread, void *(*run)(void *), void *context, size_t stack)
{
    return em_thread_start_on(NULL, thread, run, context, stack);
}

bool em_thread_start_on(const cpu_set_t *processors, pthread_t *thread, void *(*run)(void *),
                        void *context, size_t stack)
{
    pthread_attr_t attr;
    pthread_t nobodys;
    sigset_t all, before;
    int result = pthread_attr_init(&attr);
    if (result == 0) {
        if (stack > 0)
            pthread_attr_setstacksize(&attr, with_variables(stack));
        if (processors)
            pthread_attr_setaffinity_np(&attr, sizeof *processors, processors);
        if (!thread)
            pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        result = pthread_create(thread ? thread : &nobodys, &attr, run, context);
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        pthread_attr_destroy(&attr);
    }
    if (result != 0)
        errno = result;
    return result == 0;
}

void em_condition_init(pthread_cond_t *condition)
{
    pthread_condattr_t attr;
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &attr);
    pthread_condattr_destroy(&attr);
}

bool em_condition_wait_until_ns(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t until_ns)
{
    const struct timespec until = {.tv_sec = (time_t)(until_ns / 1000000000),
                                   .tv_nsec = (long)(until_ns % 1000000000)};
    return pthread_cond_timedwait(condition, mutex, &until) != ETIMEDOUT;
}

bool em_condition_wait_until(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t until_ms)
{
    return em_condition_wait_until_ns(condition, mutex, until_ms * 1000000);
}
