/* spare.c: the threads that wait stand in a list, under a lock that nobody holds while work is
 * done.
 *
 * fork() takes one thread along. A program that uses emend as a library may call it just when a
 * thread that it does not know of has the lock, which nobody would give back in the child.
 */
#include "base/spare.h"

#include "base/clock.h"
#include "base/thread.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { STACK = 512 << 10 /* bytes */, KEPT_MS = 10000, MOST_WAITING = 8 };

typedef struct spare {
    pthread_t thread;     /* once it waits */
    cpu_set_t processors; /* that it is kept to */
    unsigned generation;
    pthread_cond_t called;
    em_work *work; /* NULL: it waits for some, or is to go */
    void *context;
    bool waits; /* it is in the list */
    struct spare *next;
} spare;

static struct {
    pthread_mutex_t mutex;
    spare *first;
    size_t count;
} waiting = {.mutex = PTHREAD_MUTEX_INITIALIZER};

/* Threads of an earlier one do not wait. */
static atomic_uint generation;

/* ---- The list; the lock is held ------------------------------------------------------------- */

static void list_add(spare *s)
{
    s->waits = true;
    s->next = waiting.first;
    waiting.first = s;
    waiting.count++;
}

static void list_drop(spare *s)
{
    spare **link = &waiting.first;
    while (*link != s)
        link = &(*link)->next;
    *link = s->next;
    s->waits = false;
    waiting.count--;
}

/* ---- fork() ---------------------------------------------------------------------------------- */

static pthread_once_t watches_forks = PTHREAD_ONCE_INIT;
static bool may_fork; /* there is a list and a lock in the child, too */

static void before_fork(void)
{
    pthread_mutex_lock(&waiting.mutex);
}

static void after_fork(void)
{
    pthread_mutex_unlock(&waiting.mutex);
}

/* None of those that wait is there. */
static void begin_child(void)
{
    waiting.first = NULL;
    waiting.count = 0;
    after_fork();
}

static void watch_forks(void)
{
    may_fork = pthread_atfork(before_fork, after_fork, begin_child) == 0;
}

/* ---- The thread ------------------------------------------------------------------------------ */

/* False: none has come, or none may. */
static bool wait_for_work(spare *s)
{
    int64_t until_ms = em_monotonic_ms() + KEPT_MS;
    pthread_mutex_lock(&waiting.mutex);
    s->work = NULL;
    if (s->generation == generation && waiting.count < MOST_WAITING)
        list_add(s);
    while (s->waits && em_condition_wait_until(&s->called, &waiting.mutex, until_ms))
        continue;
    if (s->waits)
        list_drop(s);
    pthread_mutex_unlock(&waiting.mutex);
    return s->work != NULL;
}

static void spare_free(spare *s)
{
    pthread_cond_destroy(&s->called);
    free(s);
}

static void *run(void *context)
{
    spare *s = context;
    s->thread = pthread_self();
    do
        s->work(s->context);
    while (wait_for_work(s));
    spare_free(s);
    return NULL;
}

static bool start(const cpu_set_t *processors, em_work *work, void *context)
{
    spare *s = calloc(1, sizeof *s);
    if (!s)
        return false;
    s->processors = *processors;
    s->generation = generation;
    s->work = work;
    s->context = context;
    em_condition_init(&s->called);
    bool starts = em_thread_start_on(processors, NULL, run, s, STACK);
    if (!starts)
        spare_free(s);
    return starts;
}

/* ---- Calling one ----------------------------------------------------------------------------- */

/* It is kept to other processors when this thread has moved to one of its own. */
static void keep_to(spare *s, const cpu_set_t *processors)
{
    if (CPU_EQUAL(&s->processors, processors))
        return;
    pthread_setaffinity_np(s->thread, sizeof *processors, processors);
    s->processors = *processors;
}

/* The one that has waited for the shortest time has the most in the caches. */
static bool call(const cpu_set_t *processors, em_work *work, void *context)
{
    pthread_mutex_lock(&waiting.mutex);
    spare *s = waiting.first;
    if (s) {
        list_drop(s);
        s->work = work;
        s->context = context;
        keep_to(s, processors);
        pthread_cond_signal(&s->called);
    }
    pthread_mutex_unlock(&waiting.mutex);
    return s != NULL;
}

bool em_spare_begin(const cpu_set_t *processors, em_work *work, void *context)
{
    pthread_once(&watches_forks, watch_forks);
    return may_fork && (call(processors, work, context) || start(processors, work, context));
}

void em_spare_let_go(void)
{
    pthread_mutex_lock(&waiting.mutex);
    generation++;
    while (waiting.first) {
        spare *s = waiting.first;
        list_drop(s);
        pthread_cond_signal(&s->called);
    }
    pthread_mutex_unlock(&waiting.mutex);
}
