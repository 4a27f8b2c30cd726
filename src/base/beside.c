/* beside.c: the other thread, which may come too late.
 *
 * What both threads need lies in a task, which the last of the two frees: so nobody has to wait for
 * a thread that has found out that there is nothing left to do.
 */
#include "base/beside.h"

#include "base/thread.h"

#include <errno.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

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

static void run(void *context)
{
    struct em_beside_task *task = context;
    if (!atomic_flag_test_and_set(&task->is_taken)) {
        task->work(task->context);
        sem_post(&task->done);
    }
    task_leave(task);
}

void em_beside_begin(em_beside *beside, em_work *work, void *context)
{
    cpu_set_t others;
    *beside = (em_beside){.work = work, .context = context};
    if (!em_other_processors(&others))
        return;
    beside->task = task_new(work, context);
    if (!beside->task || em_spare_begin(&others, run, beside->task))
        return;
    task_free(beside->task);
    beside->task = NULL;
}

static void wait_for(sem_t *semaphore)
{
    while (sem_wait(semaphore) != 0 && errno == EINTR)
        continue;
}

/* Either do it or wait for who does. */
static void settle(const em_beside *beside)
{
    struct em_beside_task *task = beside->task;
    if (!task || !atomic_flag_test_and_set(&task->is_taken)) {
        beside->work(beside->context);
        return;
    }
    wait_for(&task->done);
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

bool em_beside_is_over(const em_beside *beside)
{
    int done = 0;
    if (beside->task)
        sem_getvalue(&beside->task->done, &done);
    return !beside->task || done > 0;
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

/* ---- One after the other --------------------------------------------------------------------- */

/* So often a thread looks whether the other one has come to it before it sleeps: for about a tenth
 * of a millisecond, which it can take to be woken where processors are virtual. */
enum { LOOKS = 4000 };

/* A piece is HANDED until one of the two threads has TAKEN it; of one that is DONE by the other the
 * one that hands them has to hear yet. */
typedef enum piece { PIECE_NONE, PIECE_HANDED, PIECE_TAKEN, PIECE_DONE } piece;

struct em_worker {
    em_work *work;
    void *context;
    _Atomic piece piece;
    atomic_bool is_over;
    sem_t handed; /* for each piece that the other thread may take, and for the end */
    sem_t done;   /* for each piece that the other thread took */
    atomic_int users;
};

static void worker_leave(em_worker *worker)
{
    if (atomic_fetch_sub(&worker->users, 1) != 1)
        return;
    sem_destroy(&worker->handed);
    sem_destroy(&worker->done);
    free(worker);
}

static bool take_piece(em_worker *worker)
{
    piece handed = PIECE_HANDED;
    return atomic_compare_exchange_strong(&worker->piece, &handed, PIECE_TAKEN);
}

static inline void look_away(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

/* Wait until the piece is so, of which the semaphore tells. */
static void wait_until(const em_worker *worker, piece wanted, sem_t *semaphore)
{
    for (int i = 0; i < LOOKS && worker->piece != wanted; i++)
        look_away();
    wait_for(semaphore);
}

static void run_worker(void *context)
{
    em_worker *worker = context;
    for (;;) {
        wait_until(worker, PIECE_HANDED, &worker->handed);
        if (worker->is_over)
            break;
        if (!take_piece(worker))
            continue;
        worker->work(worker->context);
        worker->piece = PIECE_DONE;
        sem_post(&worker->done);
    }
    worker_leave(worker);
}

em_worker *em_worker_start(void)
{
    cpu_set_t others;
    em_worker *worker = em_other_processors(&others) ? malloc(sizeof *worker) : NULL;
    if (!worker)
        return NULL;
    atomic_init(&worker->piece, PIECE_NONE);
    atomic_init(&worker->is_over, false);
    atomic_init(&worker->users, 2);
    sem_init(&worker->handed, 0, 0);
    sem_init(&worker->done, 0, 0);
    if (em_spare_begin(&others, run_worker, worker))
        return worker;
    atomic_store(&worker->users, 1);
    worker_leave(worker);
    return NULL;
}

void em_worker_wait(em_worker *worker)
{
    if (!worker || worker->piece == PIECE_NONE)
        return;
    if (take_piece(worker)) {
        sem_trywait(&worker->handed); /* or the other thread has it, and finds nothing */
        worker->work(worker->context);
    } else {
        wait_until(worker, PIECE_DONE, &worker->done);
    }
    worker->piece = PIECE_NONE;
}

void em_worker_hand(em_worker *worker, em_work *work, void *context)
{
    if (!worker) {
        work(context);
        return;
    }
    em_worker_wait(worker);
    worker->work = work;
    worker->context = context;
    worker->piece = PIECE_HANDED;
    sem_post(&worker->handed);
}

void em_worker_end(em_worker *worker)
{
    if (!worker)
        return;
    em_worker_wait(worker);
    worker->is_over = true;
    sem_post(&worker->handed);
    worker_leave(worker);
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
