#include "history/turns.h"

#include "base/clock.h"
#include "base/thread.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIRST_LOOK_NS = 50000, /* a commit takes about as long */
    LAST_LOOK_NS = 10000000,
    OVERTAKEN_MS = 1000, /* so long may others come before the one that waits longest */
};

/* One that waits; on its own stack. */
typedef struct waiter {
    pthread_cond_t called;
    bool has_turn;
    int64_t since_ms;
    struct waiter *next;
} waiter;

struct em_turns {
    char *folder;
    size_t users;
    pthread_mutex_t mutex; /* of all below */
    bool taken;
    waiter *first;
    uint64_t well; /* turns that ended well */
    em_turns *next;
};

static pthread_mutex_t all_mutex = PTHREAD_MUTEX_INITIALIZER; /* of the list, and of `users` */
static em_turns *all;

/* ---- The queues of a process --------------------------------------------------------------- */

static em_turns *turns_new(const char *folder)
{
    em_turns *turns = calloc(1, sizeof *turns);
    char *name = strdup(folder);
    if (!turns || !name) {
        free(turns);
        free(name);
        return NULL;
    }
    turns->folder = name;
    pthread_mutex_init(&turns->mutex, NULL);
    return turns;
}

em_turns *em_turns_join(const char *folder)
{
    pthread_mutex_lock(&all_mutex);
    em_turns *turns = all;
    while (turns && strcmp(turns->folder, folder) != 0)
        turns = turns->next;
    if (!turns && (turns = turns_new(folder))) {
        turns->next = all;
        all = turns;
    }
    if (turns)
        turns->users++;
    pthread_mutex_unlock(&all_mutex);
    return turns;
}

void em_turns_leave(em_turns *turns)
{
    pthread_mutex_lock(&all_mutex);
    bool last = --turns->users == 0;
    em_turns **link = &all;
    while (last && *link != turns)
        link = &(*link)->next;
    if (last)
        *link = turns->next;
    pthread_mutex_unlock(&all_mutex);
    if (!last)
        return;
    pthread_mutex_destroy(&turns->mutex);
    free(turns->folder);
    free(turns);
}

/* ---- Waiting ------------------------------------------------------------------------------- */

static void enqueue(em_turns *turns, waiter *self)
{
    waiter **link = &turns->first;
    while (*link)
        link = &(*link)->next;
    *link = self;
}

static void leave_queue(em_turns *turns, const waiter *self)
{
    waiter **link = &turns->first;
    while (*link != self)
        link = &(*link)->next;
    *link = self->next;
}

static bool take_if_free(em_turns *turns)
{
    bool free = !turns->taken;
    turns->taken = true;
    return free;
}

/* With the mutex. */
static bool wait_in_queue(em_turns *turns, long patience_ms)
{
    waiter self = {.since_ms = em_monotonic_ms()};
    uint64_t well = turns->well;
    int64_t until_ms = self.since_ms + patience_ms;
    int64_t look_ns = FIRST_LOOK_NS;
    em_condition_init(&self.called);
    enqueue(turns, &self);
    while (!self.has_turn) {
        em_condition_wait_until_ns(&self.called, &turns->mutex, em_monotonic_ns() + look_ns);
        self.has_turn = self.has_turn || take_if_free(turns);
        look_ns = look_ns < LAST_LOOK_NS ? look_ns * 3 / 2 : look_ns;
        if (self.has_turn || em_monotonic_ms() < until_ms)
            continue;
        if (well == turns->well)
            break;
        well = turns->well;
        until_ms = em_monotonic_ms() + patience_ms;
    }
    leave_queue(turns, &self);
    pthread_cond_destroy(&self.called);
    return self.has_turn;
}

bool em_turns_take(em_turns *turns, long patience_ms)
{
    pthread_mutex_lock(&turns->mutex);
    bool has = take_if_free(turns) || wait_in_queue(turns, patience_ms);
    pthread_mutex_unlock(&turns->mutex);
    return has;
}

/* Who waits looks by itself, and whoever is running already may come before it: to hand over at
 * once would cost a change of threads for each turn, and a connection that writes several times in
 * a row need not read anew what others wrote. But not for long. */
void em_turns_give(em_turns *turns, bool ended_well)
{
    pthread_mutex_lock(&turns->mutex);
    waiter *first = turns->first;
    turns->well += ended_well;
    if (first) {
        first->has_turn = em_monotonic_ms() - first->since_ms >= OVERTAKEN_MS;
        if (first->has_turn)
            pthread_cond_signal(&first->called);
    }
    turns->taken = first && first->has_turn;
    pthread_mutex_unlock(&turns->mutex);
}
