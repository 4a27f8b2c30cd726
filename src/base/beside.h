/* beside.h: work that is done by another thread while this one does something else.
 *
 *   em_beside_begin(&beside, work, &context);
 *   ... what needs nothing of it ...
 *   em_beside_end(&beside);
 *
 * It is for what takes some hundred microseconds and more: to start a thread takes about a hundred,
 * where none is to spare (spare.h).
 * Where no processor is free, the thread waits for one: then who asks for the end does the work
 * himself. Only a thread that has begun and lost its processor since is waited for.
 * What `work` touches is its own in between; an arena (arena.h) is nobody else's either. So work
 * that leaves something in one is an em_errand, and what is to be done for each of many elements is
 * for em_in_halves().
 */
#ifndef EM_BASE_BESIDE_H
#define EM_BASE_BESIDE_H

#include "base/arena.h"
#include "base/spare.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct em_beside {
    em_work *work; /* NULL: none was begun, or it has ended */
    void *context;
    struct em_beside_task *task; /* what the other thread has; NULL: there is none */
} em_beside;

/* Begin. `context` stays where it is until the end. */
void em_beside_begin(em_beside *beside, em_work *work, void *context);

/* Wait until it is done. Where no other thread has begun, it is done now. Nothing is to be done for
 * a `beside` of zeros, nor the second time. */
void em_beside_end(em_beside *beside);

/* Is there nothing to wait for at the end? Where no other thread was to be had the work is still to
 * be done, then. */
bool em_beside_is_over(const em_beside *beside);

/* ---- Errands -------------------------------------------------------------------------------- */

/* What it leaves is in `arena`. */
typedef em_status em_errand_work(void *context, em_arena *arena);

/* `EM_AUTO(em_errand) errand = {.work = NULL};` */
typedef struct em_errand {
    em_beside beside;
    em_errand_work *work; /* NULL: none was begun, or it has ended */
    void *context;
    em_arena arena; /* of its own until the end */
    em_status status;
} em_errand;

/* Begin. `context` and `errand` stay where they are until the end. */
void em_errand_begin(em_errand *errand, em_errand_work *work, void *context);

/* Wait until it is done: what it gave. What it left is in `arena` from now on. EM_OK where none was
 * begun, and the second time. */
em_status em_errand_end(em_errand *errand, em_arena *arena);

/* Wait for it, for nobody. */
void em_errand_drop(em_errand *errand);

/* ---- One after the other --------------------------------------------------------------------- */

/* A thread that does one piece of work after the other, each beside what this one does. To hand one
 * over takes some microseconds, where to begin an em_beside may take a hundred; between two pieces
 * that follow each other the thread does not sleep. */
typedef struct em_worker em_worker;

/* NULL: the process may use one processor only, or there is no memory or no thread to be had. */
em_worker *em_worker_start(void);

/* Have a piece done; the one before is done then. `context` stays where it is until the wait.
 * `worker` NULL: it is done now. */
void em_worker_hand(em_worker *worker, em_work *work, void *context);

/* Wait until the last piece is done. Where the thread has not begun, it is done now. NULL has none.
 */
void em_worker_wait(em_worker *worker);

/* Wait, and let go of it. NULL is none. */
void em_worker_end(em_worker *worker);

/* ---- Halves --------------------------------------------------------------------------------- */

/* Do something for the elements from number `from` to before `to`. */
typedef void em_range_work(void *context, size_t from, size_t to);

/* Have it done for `count` elements: where they are `worth` a thread, the second half by another
 * one while this one does the first; else all at once. Neither half may touch what the other one
 * changes. */
void em_in_halves(size_t count, size_t worth, em_range_work *work, void *context);

#endif
