#include "threads.h"

#include <errno.h>
#include <pthread.h>

bool threads_fail;
int threads_made;

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *),
                          void *context);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *),
                          void *context);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *),
                          void *context)
{
    if (threads_fail)
        return EAGAIN;
    threads_made++;
    return __real_pthread_create(thread, attr, run, context);
}
