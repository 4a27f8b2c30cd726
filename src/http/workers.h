/* workers.h: threads that do jobs, and strands, which keep some jobs apart.
 *
 * Jobs of one strand run one after the other, in their order, each in whatever thread is free; so
 * what belongs to a strand needs no lock. Jobs of different strands, and those of none, run side by
 * side. Strands take turns: one with many jobs keeps no other waiting.
 *
 * A job that waits for a person pauses: its strand is free for others meanwhile, and another thread
 * takes its place, so however many wait, the others go on.
 */
#ifndef EM_HTTP_WORKERS_H
#define EM_HTTP_WORKERS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct em_workers em_workers;

/* A job is a part of what it is about; it is not touched any more once it runs. */
typedef struct em_job {
    struct em_job *next;
    void (*run)(struct em_job *job);
} em_job;

/* {0} is one that is free. How it ends: em_workers_retire(). */
typedef struct em_strand {
    struct em_strand *next;
    em_job *first, *last;
    size_t paused;    /* jobs that wait for a person */
    size_t returning; /* those of them that want to go on: they come first */
    bool busy;        /* one of its jobs runs */
    bool queued;      /* it waits for a worker */
    void (*retired)(void *context);
    void *retired_context;
} em_strand;

/* `count` threads, and up to `spare` more in place of those that wait. NULL when the system gives
 * none, errno says why. The caller's: em_workers_stop(). */
em_workers *em_workers_start(size_t count, size_t spare);

/* Do all that waits, and end. */
void em_workers_stop(em_workers *workers);

/* Do the job: after those of its strand, or, with NULL, as soon as a thread is free. */
void em_workers_add(em_workers *workers, em_strand *strand, em_job *job);

/* No more jobs are added to the strand: call `retired` when the last has ended, perhaps at once.
 * Nothing touches the strand after that. */
void em_workers_retire(em_workers *workers, em_strand *strand, void (*retired)(void *context),
                       void *context);

/* For the job that runs: wait for a person. The strand is another's until the second returns. */
void em_workers_pause(em_workers *workers, em_strand *strand);
void em_workers_resume(em_workers *workers, em_strand *strand);

#endif
