/* beside.c: the other thread, which may come too late.
 *
 * What both threads need lies in a task, which the last of the two frees: so nobody has to wait for
 * a thread that has found out that there is nothing left to do.
 */
#include "base/beside.h"

#include "base/thread.h"

#include <errno.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { STACK = 512 << 10 /* bytes */ };

struct em_beside_task {
    em_work *work;
    void *context;
    atomic_flag is_taken; /* one of the two does it, or has done it */
    sem_t done;           /* by the other thread */
    atomic_int users;
};

static struct em_beside_task *task_new(em_work *work, void *context)
{
    struct em_beside_task *task = malloc(sizeof *task);
    if (!task)
        return NULL;
    task->work = work;
    task->context = context;
    atomic_flag_clear(&task->is_taken);
    atomic_init(&task->users, 2);
    sem_init(&task->done, 0, 0);
    return task;
}

static void task_free(struct em_beside_task *task)
{
    sem_destroy(&task->done);
    free(task);
}

static void task_leave(struct em_beside_task *task)
{
    if (atomic_fetch_sub(&task->users, 1) == 1)
        task_free(task);
}

static void *run(void *context)
{
    struct em_beside_task *task = context;
    if (!atomic_flag_test_and_set(&task->is_taken)) {
        task->work(task->context);
        sem_post(&task->done);
    }
    task_leave(task);
    return NULL;
}

/* The processors that this process may use, but for the one that this thread is on: there the
 * kernel would have the other thread wait until this one does. False: there is none. */
static bool other_processors(cpu_set_t *others)
{
    int here = sched_getcpu();
    if (here < 0 || sched_getaffinity(0, sizeof *others, others) != 0)
        return false;
    CPU_CLR((size_t)here, others);
    return CPU_COUNT(others) > 0;
}

void em_beside_begin(em_beside *beside, em_work *work, void *context)
{
    cpu_set_t others;
    *beside = (em_beside){.work = work, .context = context};
    if (!other_processors(&others))
        return;
    beside->task = task_new(work, context);
    if (!beside->task || em_thread_start_on(&others, NULL, run, beside->task, STACK))
        return;
    task_free(beside->task);
    beside->task = NULL;
}

/* Either do it or wait for who does. */
static void settle(const em_beside *beside)
{
    struct em_beside_task *task = beside->task;
    if (!task || !atomic_flag_test_and_set(&task->is_taken)) {
        beside->work(beside->context);
        return;
    }
    while (sem_wait(&task->done) != 0 && errno == EINTR)
        continue;
}

void em_beside_end(em_beside *beside)
{
    if (!beside->work)
        return;
    settle(beside);
    if (beside->task)
        task_leave(beside->task);
    *beside = (em_beside){.work = NULL};
}

/* ---- Errands -------------------------------------------------------------------------------- */

static void run_errand(void *context)
{
    em_errand *errand = context;
    errand->status = errand->work(errand->context, &errand->arena);
}

void em_errand_begin(em_errand *errand, em_errand_work *work, void *context)
{
    *errand = (em_errand){.work = work, .context = context};
    em_beside_begin(&errand->beside, run_errand, errand);
}

em_status em_errand_end(em_errand *errand, em_arena *arena)
{
    if (!errand->work)
        return EM_OK;
    em_beside_end(&errand->beside);
    em_arena_take_over(arena, &errand->arena);
    errand->work = NULL;
    return errand->status;
}

void em_errand_drop(em_errand *errand)
{
    EM_AUTO(em_arena) nobodys = {0};
    em_errand_end(errand, &nobodys);
}

/* ---- Halves --------------------------------------------------------------------------------- */

typedef struct second_half {
    em_range_work *work;
    void *context;
    size_t from, to;
} second_half;

static void do_second(void *context)
{
    const second_half *half = context;
    half->work(half->context, half->from, half->to);
}

void em_in_halves(size_t count, size_t worth, em_range_work *work, void *context)
{
    if (count < 2 || count < worth) {
        work(context, 0, count);
        return;
    }
    em_beside beside;
    second_half half = {work, context, count / 2, count};
    em_beside_begin(&beside, do_second, &half);
    work(context, 0, count / 2);
    em_beside_end(&beside);
}
