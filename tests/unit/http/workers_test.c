#include "../dialects/memory.h"

#include "http/workers.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

static void nap(void)
{
    const struct timespec ms = {.tv_nsec = 1000000};
    nanosleep(&ms, NULL);
}

/* Wait for it; a test that never ends is ended by who runs it. */
#define UNTIL(condition)                                                                           \
    do {                                                                                           \
        while (!(condition))                                                                       \
            nap();                                                                                 \
    } while (0)

enum { JOBS = 200, STRANDS = 5 };

typedef struct task {
    em_job job;
    em_workers *workers;
    em_strand *strand;
    size_t number;
    atomic_size_t *inside; /* of its strand: jobs that run */
    size_t *seen;          /* of its strand: the number that comes next */
    atomic_bool *go;       /* wait for that */
    bool pauses;
} task;

static atomic_size_t finished, overlaps, disorders;

static void run_task(em_job *job)
{
    task *t = (task *)job;
    if (t->inside && atomic_fetch_add(t->inside, 1) > 0)
        atomic_fetch_add(&overlaps, 1);
    if (t->seen && (*t->seen)++ != t->number)
        atomic_fetch_add(&disorders, 1);
    if (t->pauses)
        em_workers_pause(t->workers, t->strand);
    if (t->go)
        UNTIL(atomic_load(t->go));
    if (t->pauses)
        em_workers_resume(t->workers, t->strand);
    if (t->inside)
        atomic_fetch_sub(t->inside, 1);
    atomic_fetch_add(&finished, 1);
}

static void reset(void)
{
    atomic_store(&finished, 0);
    atomic_store(&overlaps, 0);
    atomic_store(&disorders, 0);
}

static void strands_keep_order_and_distance(void **state)
{
    (void)state;
    static task tasks[JOBS];
    static em_strand strands[STRANDS];
    static atomic_size_t inside[STRANDS];
    static size_t seen[STRANDS];
    reset();
    em_workers *workers = em_workers_start(4, 0);
    assert_non_null(workers);
    for (size_t i = 0; i < JOBS; i++) {
        size_t s = i % STRANDS;
        tasks[i] = (task){.job = {.run = run_task},
                          .number = i / STRANDS,
                          .inside = &inside[s],
                          .seen = &seen[s]};
        em_workers_add(workers, &strands[s], &tasks[i].job);
    }
    UNTIL(atomic_load(&finished) == JOBS);
    assert_int_equal(atomic_load(&overlaps), 0);
    assert_int_equal(atomic_load(&disorders), 0);
    em_workers_stop(workers);
}

static void jobs_of_no_strand_run_side_by_side(void **state)
{
    (void)state;
    task waiting[3], last;
    atomic_bool go = false;
    reset();
    em_workers *workers = em_workers_start(4, 0);
    for (size_t i = 0; i < COUNT_OF(waiting); i++) {
        waiting[i] = (task){.job = {.run = run_task}, .go = &go};
        em_workers_add(workers, NULL, &waiting[i].job);
    }
    last = (task){.job = {.run = run_task}};
    em_workers_add(workers, NULL, &last.job);
    UNTIL(atomic_load(&finished) == 1);
    atomic_store(&go, true);
    em_workers_stop(workers); /* which does what waits */
    assert_int_equal(atomic_load(&finished), 4);
}

static void who_waits_for_a_person_holds_up_nobody(void **state)
{
    (void)state;
    enum { WAITING = 6 };
    static task waiting[WAITING], others[WAITING], beside;
    static em_strand strands[WAITING];
    atomic_bool go = false;
    reset();
    em_workers *workers = em_workers_start(1, WAITING);
    for (size_t i = 0; i < WAITING; i++) {
        waiting[i] = (task){.job = {.run = run_task},
                            .workers = workers,
                            .strand = &strands[i],
                            .go = &go,
                            .pauses = true};
        others[i] = (task){.job = {.run = run_task}};
        em_workers_add(workers, &strands[i], &waiting[i].job);
        em_workers_add(workers, &strands[i], &others[i].job);
    }
    beside = (task){.job = {.run = run_task}};
    em_workers_add(workers, NULL, &beside.job);
    UNTIL(atomic_load(&finished) == WAITING + 1);
    atomic_store(&go, true);
    em_workers_stop(workers);
    assert_int_equal(atomic_load(&finished), 2 * WAITING + 1);
}

static void who_comes_back_waits_for_its_strand(void **state)
{
    (void)state;
    static em_strand strand;
    static atomic_size_t inside;
    static task paused, busy, next;
    atomic_bool go_paused = false, go_busy = false;
    reset();
    em_workers *workers = em_workers_start(2, 2);
    paused = (task){.job = {.run = run_task},
                    .workers = workers,
                    .strand = &strand,
                    .go = &go_paused,
                    .pauses = true};
    busy = (task){.job = {.run = run_task}, .inside = &inside, .go = &go_busy};
    next = (task){.job = {.run = run_task}, .inside = &inside};
    em_workers_add(workers, &strand, &paused.job);
    em_workers_add(workers, &strand, &busy.job);
    em_workers_add(workers, &strand, &next.job);
    UNTIL(atomic_load(&inside) == 1);
    atomic_store(&go_paused, true);
    for (int i = 0; i < 20; i++)
        nap();
    assert_int_equal(atomic_load(&finished), 0);
    atomic_store(&go_busy, true);
    em_workers_stop(workers);
    assert_int_equal(atomic_load(&finished), 3);
    assert_int_equal(atomic_load(&overlaps), 0);
}

static atomic_size_t retired;

static void note_retired(void *context)
{
    assert_int_equal(atomic_load((atomic_size_t *)context), atomic_load(&finished));
    atomic_fetch_add(&retired, 1);
}

static void a_strand_retires_after_its_last_job(void **state)
{
    (void)state;
    static em_strand strand, empty;
    static atomic_size_t want = 2;
    task first, second;
    atomic_bool go = false;
    reset();
    atomic_store(&retired, 0);
    em_workers *workers = em_workers_start(2, 2);
    first = (task){
        .job = {.run = run_task}, .workers = workers, .strand = &strand, .go = &go, .pauses = true};
    second = (task){.job = {.run = run_task}};
    em_workers_add(workers, &strand, &first.job);
    em_workers_add(workers, &strand, &second.job);
    UNTIL(atomic_load(&finished) == 1);
    em_workers_retire(workers, &strand, note_retired, &want);
    assert_int_equal(atomic_load(&retired), 0);
    atomic_store(&go, true);
    UNTIL(atomic_load(&retired) == 1);
    em_workers_retire(workers, &empty, note_retired, &want); /* at once */
    assert_int_equal(atomic_load(&retired), 2);
    em_workers_stop(workers);
}

static bool start(void *context)
{
    (void)context;
    em_workers *workers = em_workers_start(1, 0);
    if (workers)
        em_workers_stop(workers);
    return workers != NULL;
}

static void memory_may_run_out(void **state)
{
    (void)state;
    assert_int_equal(run_out_of_memory(start, NULL), 1);
    assert_null(em_workers_start(0, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strands_keep_order_and_distance),
        cmocka_unit_test(jobs_of_no_strand_run_side_by_side),
        cmocka_unit_test(who_waits_for_a_person_holds_up_nobody),
        cmocka_unit_test(who_comes_back_waits_for_its_strand),
        cmocka_unit_test(a_strand_retires_after_its_last_job),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests_name("workers", tests, NULL, NULL);
}
