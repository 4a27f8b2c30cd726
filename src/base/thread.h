/* thread.h: a thread that is started beside others, and waiting in one until it is time. */
#ifndef EM_BASE_THREAD_H
#define EM_BASE_THREAD_H

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Start `run` with so many bytes of stack for itself (0: what the system gives), and without
 * signals, which are for the threads that wait for them. `thread` NULL: nobody will join it. False:
 * there is no thread to be had, and errno says why. */
bool em_thread_start(pthread_t *thread, void *(*run)(void *), void *context, size_t stack);

/* The same, on one of these processors. */
bool em_thread_start_on(const cpu_set_t *processors, pthread_t *thread, void *(*run)(void *),
                        void *context, size_t stack);

/* The processors that this process may use, but for the one that this thread is on: there the
 * kernel would have another thread wait until this one does. False: there is none. */
bool em_other_processors(cpu_set_t *others);

/* A condition that can be waited for until em_monotonic_ms() (clock.h) is `until_ms`, whatever the
 * other clock is set to meanwhile. The wait returns false when it is that late; true may mean
 * nothing. */
void em_condition_init(pthread_cond_t *condition);
bool em_condition_wait_until(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t until_ms);

/* The same with em_monotonic_ns(). */
bool em_condition_wait_until_ns(pthread_cond_t *condition, pthread_mutex_t *mutex,
                                int64_t until_ns);

#endif
