/* thread.h: a thread that is started beside others. */
#ifndef EM_BASE_THREAD_H
#define EM_BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* Start `run` with a stack of so many bytes, and without signals, which are for the threads that
 * wait for them. A process that uses emend as a library may have many variables of each thread:
 * they are on its stack, too. False: there is no thread to be had. */
bool em_thread_start(pthread_t *thread, void *(*run)(void *), void *context, size_t stack);

#endif
