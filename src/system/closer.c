#include "system/closer.h"

#include "base/thread.h"

#include <stdlib.h>

enum { LEAST = 64 << 10, WAITING = 4, STACK = 256 << 10 };

typedef struct waiting {
    int fd;
    uint64_t size;
} waiting;

struct em_closer {
    const em_sys *sys;
    pthread_mutex_t mutex; /* of what follows */
    pthread_cond_t change;
    pthread_t thread;
    enum { NOT_YET, RUNS, NONE_TO_BE_HAD } state; /* of the thread */
    waiting items[WAITING];
    size_t count;
    uint64_t bytes; /* of these, and of what is being closed */
    bool has_taken; /* something, since it was drained */
    bool ends;
};

static void close_one(em_closer *c)
{
    waiting item = c->items[--c->count];
    pthread_mutex_unlock(&c->mutex);
    EM_SYS(c->sys, close, item.fd);
    pthread_mutex_lock(&c->mutex);
    c->bytes -= item.size;
    pthread_cond_broadcast(&c->change);
}

static void *run(void *context)
{
    em_closer *c = context;
    pthread_mutex_lock(&c->mutex);
    while (c->count > 0 || !c->ends) {
        if (c->count > 0)
            close_one(c);
        else
            pthread_cond_wait(&c->change, &c->mutex);
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

/* With the mutex held. */
static bool ensure_thread(em_closer *c)
{
    if (c->state == NOT_YET)
        c->state = em_thread_start(&c->thread, run, c, STACK) ? RUNS : NONE_TO_BE_HAD;
    return c->state == RUNS;
}

bool em_closer_take(em_closer *c, int fd, uint64_t size)
{
    if (!c || size < LEAST || size > EM_CLOSER_MOST)
        return false;
    pthread_mutex_lock(&c->mutex);
    bool takes = c->count < WAITING && size <= EM_CLOSER_MOST - c->bytes && ensure_thread(c);
    if (takes) {
        c->items[c->count++] = (waiting){fd, size};
        c->bytes += size;
        c->has_taken = true;
        pthread_cond_broadcast(&c->change);
    }
    pthread_mutex_unlock(&c->mutex);
    return takes;
}

bool em_closer_drain(em_closer *c)
{
    if (!c)
        return false;
    pthread_mutex_lock(&c->mutex);
    while (c->bytes > 0)
        pthread_cond_wait(&c->change, &c->mutex);
    bool had_taken = c->has_taken;
    c->has_taken = false;
    pthread_mutex_unlock(&c->mutex);
    return had_taken;
}

void em_closer_free(em_closer *c)
{
    if (!c)
        return;
    pthread_mutex_lock(&c->mutex);
    c->ends = true;
    pthread_cond_broadcast(&c->change);
    pthread_mutex_unlock(&c->mutex);
    if (c->state == RUNS)
        pthread_join(c->thread, NULL);
    pthread_cond_destroy(&c->change);
    pthread_mutex_destroy(&c->mutex);
    free(c);
}
