#include "workspace/closer.h"

#include "base/thread.h"

#include <stdlib.h>

/* What waits keeps its blocks: not much of a disk may be held up so. */
enum { LEAST = 64 << 10, MOST = 64 << 20, WAITING = 4, STACK = 256 << 10 };

struct em_closer {
    const em_sys *sys;
    pthread_t thread;
    pthread_mutex_t mutex; /* of what follows */
    pthread_cond_t change;
    int fds[WAITING];
    size_t count;
    bool has_thread, has_none; /* it was started; it could not be */
    bool ends;
};

static void *run(void *context)
{
    em_closer *c = context;
    pthread_mutex_lock(&c->mutex);
    while (c->count > 0 || !c->ends) {
        if (c->count == 0) {
            pthread_cond_wait(&c->change, &c->mutex);
            continue;
        }
        int fd = c->fds[--c->count];
        pthread_mutex_unlock(&c->mutex);
        EM_SYS(c->sys, close, fd);
        pthread_mutex_lock(&c->mutex);
    }
    pthread_mutex_unlock(&c->mutex);
    return NULL;
}

em_closer *em_closer_new(const em_sys *sys)
{
    em_closer *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->sys = sys;
    pthread_mutex_init(&c->mutex, NULL);
    pthread_cond_init(&c->change, NULL);
    return c;
}

static bool has_thread(em_closer *c)
{
    if (!c->has_thread && !c->has_none)
        c->has_thread = em_thread_start(&c->thread, run, c, STACK);
    c->has_none = !c->has_thread;
    return c->has_thread;
}

bool em_closer_take(em_closer *c, int fd, uint64_t size)
{
    if (!c || size < LEAST || size > MOST || !has_thread(c))
        return false;
    pthread_mutex_lock(&c->mutex);
    bool has_room = c->count < WAITING;
    if (has_room)
        c->fds[c->count++] = fd;
    pthread_cond_signal(&c->change);
    pthread_mutex_unlock(&c->mutex);
    return has_room;
}

void em_closer_free(em_closer *c)
{
    if (!c)
        return;
    pthread_mutex_lock(&c->mutex);
    c->ends = true;
    pthread_cond_signal(&c->change);
    pthread_mutex_unlock(&c->mutex);
    if (c->has_thread)
        pthread_join(c->thread, NULL);
    pthread_cond_destroy(&c->change);
    pthread_mutex_destroy(&c->mutex);
    free(c);
}
