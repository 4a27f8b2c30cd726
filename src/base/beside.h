/* beside.h: work that is done by another thread while this one does something else.
 *
 *   em_beside_begin(&beside, work, &context);
 *   ... what needs nothing of it ...
 *   em_beside_end(&beside);
 *
 * It is for what takes some tenths of a millisecond and more: to start a thread takes nearly one.
 * What `work` touches is its own in between; an arena (arena.h) is nobody else's either.
 */
#ifndef EM_BASE_BESIDE_H
#define EM_BASE_BESIDE_H

#include <pthread.h>
#include <stdbool.h>

typedef void em_work(void *context);

typedef struct em_beside {
    em_work *work; /* NULL: none was begun */
    void *context;
    pthread_t thread;
    bool has_thread;
} em_beside;

/* Begin. `context` and `beside` stay where they are until the end. */
void em_beside_begin(em_beside *beside, em_work *work, void *context);

/* Wait until it is done. Where there is only one processor, or no thread to be had, it is done now.
 * Nothing is to be done for a `beside` of zeros, nor the second time. */
void em_beside_end(em_beside *beside);

#endif
