#include "base/thread.h"

#include "base/clock.h"

#include <signal.h>
#include <string.h>

#include "../with_cmocka.h"

typedef struct meeting {
    pthread_mutex_t mutex;
    pthread_cond_t change;
    bool came, blocks_signals;
} meeting;

static void begin(meeting *m)
{
    *m = (meeting){.came = false};
    pthread_mutex_init(&m->mutex, NULL);
    em_condition_init(&m->change);
}

static void *come(void *context)
{
    meeting *m = context;
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    pthread_mutex_lock(&m->mutex);
    m->came = true;
    m->blocks_signals = sigismember(&mask, SIGTERM) && sigismember(&mask, SIGUSR1);
    pthread_cond_signal(&m->change);
    pthread_mutex_unlock(&m->mutex);
    return NULL;
}

static void threads_that_are_joined_and_that_are_not(void **state)
{
    (void)state;
    static const size_t stacks[] = {0, 256 << 10};
    static meeting meetings[4]; /* one that is not joined may still be about to leave */
    for (int i = 0; i < 4; i++) {
        meeting *m = &meetings[i];
        pthread_t thread;
        begin(m);
        bool joins = i % 2 == 0;
        assert_true(em_thread_start(joins ? &thread : NULL, come, m, stacks[i / 2]));
        int64_t until = em_monotonic_ms() + 60 * 1000;
        pthread_mutex_lock(&m->mutex);
        while (!m->came)
            assert_true(em_condition_wait_until(&m->change, &m->mutex, until));
        assert_true(m->blocks_signals);
        pthread_mutex_unlock(&m->mutex);
        if (joins)
            assert_int_equal(pthread_join(thread, NULL), 0);
    }
}

static void signals_are_as_they_were(void **state)
{
    (void)state;
    meeting m;
    pthread_t thread;
    sigset_t before, after;
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    begin(&m);
    assert_true(em_thread_start(&thread, come, &m, 0));
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    assert_int_equal(sigismember(&after, SIGTERM), sigismember(&before, SIGTERM));
    assert_int_equal(sigismember(&after, SIGUSR1), sigismember(&before, SIGUSR1));
    pthread_join(thread, NULL);
}

enum { KIB = 1 << 10 };

/* So many that they would leave little of a small stack. */
static _Thread_local volatile char variables[400 * KIB];

static void *use_stack(void *context)
{
    (void)context;
    volatile char used[200 * KIB];
    for (size_t i = 0; i < sizeof used; i += KIB)
        used[i] = 1;
    for (size_t i = 0; i < sizeof variables; i += KIB)
        variables[i] = used[i % sizeof used];
    return NULL;
}

static void the_stack_is_beside_the_variables_of_the_thread(void **state)
{
    (void)state;
    pthread_t thread;
    assert_true(em_thread_start(&thread, use_stack, NULL, 512 * KIB));
    assert_int_equal(pthread_join(thread, NULL), 0);
}

/* Until the clock that is never set says so: not at once, as the other one would have it. */
static void waiting_ends_when_it_is_time(void **state)
{
    (void)state;
    enum { MS = 50 };
    meeting m;
    begin(&m);
    int64_t start = em_monotonic_ms();
    pthread_mutex_lock(&m.mutex);
    while (em_condition_wait_until(&m.change, &m.mutex, start + MS))
        continue;
    pthread_mutex_unlock(&m.mutex);
    assert_true(em_monotonic_ms() - start >= MS);
    assert_true(em_monotonic_ms() - start < 30 * 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_that_are_joined_and_that_are_not),
        cmocka_unit_test(signals_are_as_they_were),
        cmocka_unit_test(the_stack_is_beside_the_variables_of_the_thread),
        cmocka_unit_test(waiting_ends_when_it_is_time),
    };
    return cmocka_run_group_tests_name("thread", tests, NULL, NULL);
}
