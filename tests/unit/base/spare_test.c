#include "base/spare.h"

#include "base/beside.h"
#include "base/clock.h"
#include "base/thread.h"

#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../with_cmocka.h"
#include "failing_malloc.h"

/* ---- Waiting --------------------------------------------------------------------------------- */

static atomic_int waits;          /* how often one began to wait */
static _Atomic int64_t sooner_ms; /* and so much sooner it has waited for long enough */
static atomic_uint held_us;       /* so long it has the lock before */

bool __real_em_condition_wait_until(pthread_cond_t *condition, pthread_mutex_t *mutex,
                                    int64_t until_ms);
bool __wrap_em_condition_wait_until(pthread_cond_t *condition, pthread_mutex_t *mutex,
                                    int64_t until_ms);

bool __wrap_em_condition_wait_until(pthread_cond_t *condition, pthread_mutex_t *mutex,
                                    int64_t until_ms)
{
    waits++;
    usleep(held_us);
    return __real_em_condition_wait_until(condition, mutex, until_ms - sooner_ms);
}

/* A child may have threads, too. */
const char *__tsan_default_options(void);

const char *__tsan_default_options(void)
{
    return "die_after_fork=0";
}

/* ---- Work ------------------------------------------------------------------------------------ */

/* Filled in by the thread that does it, which is held up until the test lets it go on. */
typedef struct job {
    pid_t by;
    cpu_set_t on;
    sem_t begun, may_end;
} job;

static void job_init(job *j)
{
    sem_init(&j->begun, 0, 0);
    sem_init(&j->may_end, 0, 0);
}

static void work(void *context)
{
    job *j = context;
    j->by = gettid();
    sched_getaffinity(0, sizeof j->on, &j->on);
    sem_post(&j->begun);
    sem_wait(&j->may_end);
}

static cpu_set_t all_processors(void)
{
    cpu_set_t all;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    return all;
}

static void begin(job *j, const cpu_set_t *processors)
{
    job_init(j);
    assert_true(em_spare_begin(processors, work, j));
    sem_wait(&j->begun);
}

/* Have it come to its end, and its thread wait for more. */
static void end(job *j)
{
    int before = waits;
    sem_post(&j->may_end);
    while (waits == before)
        usleep(100);
}

/* A sanitizer has one of its own, from when another one is started. */
static int of_others;

/* How many threads the process has, this one included. */
static int threads(void)
{
    char line[256];
    int count = 0;
    FILE *status = fopen("/proc/self/status", "re");
    assert_non_null(status);
    while (fgets(line, sizeof line, status))
        sscanf(line, "Threads: %d", &count);
    fclose(status);
    return count - of_others;
}

static void wait_for_threads(int count)
{
    for (int64_t until = em_monotonic_ms() + 60 * 1000; threads() != count;) {
        assert_true(em_monotonic_ms() < until);
        usleep(1000);
    }
}

/* Those of earlier tests are gone. */
static int reset(void **state)
{
    (void)state;
    sooner_ms = 0;
    held_us = 0;
    mallocs_left = -1;
    em_spare_let_go();
    wait_for_threads(1);
    return 0;
}

/* Have a thread do something, and wait until it waits for more. */
static pid_t done_by(const cpu_set_t *processors)
{
    job j;
    begin(&j, processors);
    end(&j);
    return j.by;
}

/* ---- Tests ----------------------------------------------------------------------------------- */

static void a_thread_that_has_done_its_work_does_the_next(void **state)
{
    (void)state;
    cpu_set_t all = all_processors();
    pid_t first = done_by(&all);
    assert_int_not_equal(first, gettid());
    for (int i = 0; i < 5; i++)
        assert_int_equal(done_by(&all), first);
    assert_int_equal(threads(), 2);
}

static void work_at_the_same_time_is_done_by_several(void **state)
{
    (void)state;
    cpu_set_t all = all_processors();
    enum { AT_ONCE = 20, KEPT = 8 };
    job jobs[AT_ONCE];
    for (int i = 0; i < AT_ONCE; i++)
        begin(&jobs[i], &all);
    for (int i = 0; i < AT_ONCE; i++)
        for (int k = 0; k < i; k++)
            assert_int_not_equal(jobs[i].by, jobs[k].by);
    for (int i = 0; i < AT_ONCE; i++)
        sem_post(&jobs[i].may_end);
    wait_for_threads(1 + KEPT);
}

static void it_works_where_it_is_told_to(void **state)
{
    (void)state;
    cpu_set_t all = all_processors();
    for (size_t i = 0; i < CPU_SETSIZE; i++) {
        cpu_set_t one;
        job j;
        if (!CPU_ISSET(i, &all))
            continue;
        CPU_ZERO(&one);
        CPU_SET(i, &one);
        begin(&j, &one);
        end(&j);
        assert_true(CPU_EQUAL(&j.on, &one));
    }
    assert_int_equal(threads(), 2);
}

static void who_is_let_go_does_nothing_more(void **state)
{
    (void)state;
    cpu_set_t all = all_processors();
    job works;
    begin(&works, &all);
    pid_t idle = done_by(&all);
    assert_int_equal(threads(), 3);
    em_spare_let_go();
    wait_for_threads(2);
    pid_t later = done_by(&all);
    assert_int_not_equal(later, idle);
    assert_int_not_equal(later, works.by);
    sem_post(&works.may_end);
    wait_for_threads(2);
    assert_int_equal(done_by(&all), later);
}

static void nobody_waits_for_ever(void **state)
{
    (void)state;
    cpu_set_t all = all_processors();
    sooner_ms = 9900;
    done_by(&all);
    wait_for_threads(1);
    sooner_ms = 0;
    done_by(&all);
    assert_int_equal(threads(), 2);
}

static void without_memory_there_is_none(void **state)
{
    (void)state;
    cpu_set_t all = all_processors();
    job j;
    job_init(&j);
    mallocs_left = 0;
    bool begins = em_spare_begin(&all, work, &j);
    mallocs_left = -1;
    assert_false(begins);
    assert_int_equal(threads(), 1);
}

static void count_up(void *context)
{
    ++*(int *)context;
}

/* Is that so in a child? */
static void check_in_child(bool is_so(void))
{
    pid_t child = fork();
    if (child == 0) {
        alarm(20);
        _exit(is_so() ? 0 : 1);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static bool does_its_work(void)
{
    int count = 0;
    em_beside beside;
    em_beside_begin(&beside, count_up, &count);
    em_beside_end(&beside);
    return count == 1;
}

/* A process that is made by fork() has one thread, whoever waits in the list. */
static void a_child_does_its_work_itself(void **state)
{
    (void)state;
    cpu_set_t all = all_processors();
    done_by(&all);
    check_in_child(does_its_work);
}

static void a_child_is_made_when_nobody_has_the_lock(void **state)
{
    (void)state;
    cpu_set_t all = all_processors();
    held_us = 100 * 1000;
    done_by(&all);
    check_in_child(does_its_work);
    assert_int_equal(threads(), 2);
}

static bool has_others_work(void)
{
    cpu_set_t all = all_processors();
    job j;
    begin(&j, &all);
    return j.by != getpid();
}

static void a_child_has_threads_of_its_own(void **state)
{
    (void)state;
    cpu_set_t all = all_processors();
    done_by(&all);
    check_in_child(has_others_work);
}

static void *do_nothing(void *context)
{
    return context;
}

static int count_others(void **state)
{
    (void)state;
    pthread_t thread;
    assert_true(em_thread_start(&thread, do_nothing, NULL, 0));
    pthread_join(thread, NULL);
    usleep(50 * 1000); /* it is counted for a moment more */
    of_others = threads() - 1;
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_thread_that_has_done_its_work_does_the_next, reset),
        cmocka_unit_test_setup(work_at_the_same_time_is_done_by_several, reset),
        cmocka_unit_test_setup(it_works_where_it_is_told_to, reset),
        cmocka_unit_test_setup(who_is_let_go_does_nothing_more, reset),
        cmocka_unit_test_setup(nobody_waits_for_ever, reset),
        cmocka_unit_test_setup(without_memory_there_is_none, reset),
        cmocka_unit_test_setup(a_child_does_its_work_itself, reset),
        cmocka_unit_test_setup(a_child_is_made_when_nobody_has_the_lock, reset),
        cmocka_unit_test_setup(a_child_has_threads_of_its_own, reset),
    };
    return cmocka_run_group_tests(tests, count_others, NULL);
}
