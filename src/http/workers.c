/* workers.c: the line of strands, and the threads that take from it.
 *
 * One lock guards all of it, what is in a strand and the link of a job that waits too; no job runs
 * with it. Jobs are added by the thread that hears connections, by workers, and by the one that
 * ticks. They may hold locks of their own then (peers.c does): nothing is called from here with
 * the lock, `retired` neither. em_workers_pause() and em_workers_resume() are called by the job
 * that has the strand, in its thread. em_workers_start() and em_workers_stop() are for the thread
 * that runs the service. The threads are nobody's to join: they are counted, and em_workers_stop()
 * waits until none is left.
 */
#include "http/workers.h"

#include "base/thread.h"

#include <errno.h>
#include <stdlib.h>

struct em_workers {
    pthread_mutex_t lock;
    pthread_cond_t work;     /* there is something to do, or all is over */
    pthread_cond_t strands;  /* a strand came free that a paused job wants; a thread ended */
    em_strand *first, *last; /* with jobs, and free */
    em_strand alone;         /* jobs of no strand; never busy */
    size_t wanted, spare;
    size_t threads, paused;
    bool closing;
};

/* ---- The line of strands -------------------------------------------------------------------- */

static bool has_turn(const em_workers *workers, const em_strand *strand)
{
    return strand->first && !strand->queued &&
           (strand == &workers->alone || (!strand->busy && strand->returning == 0));
}

/* Put it at the end of the line, if it has something that may run. */
static void line_up(em_workers *workers, em_strand *strand)
{
    if (!has_turn(workers, strand))
        return;
    strand->queued = true;
    strand->next = NULL;
    if (workers->last)
        workers->last->next = strand;
    else
        workers->first = strand;
    workers->last = strand;
    pthread_cond_signal(&workers->work);
}

static em_strand *next_strand(em_workers *workers)
{
    em_strand *strand = workers->first;
    workers->first = strand->next;
    if (!workers->first)
        workers->last = NULL;
    strand->queued = false;
    return strand;
}

static em_job *next_job(em_strand *strand)
{
    em_job *job = strand->first;
    strand->first = job->next;
    if (!strand->first)
        strand->last = NULL;
    return job;
}

/* ---- Threads -------------------------------------------------------------------------------- */

static bool is_over(const em_strand *strand)
{
    return strand->retired && !strand->busy && !strand->first && strand->paused == 0;
}

/* The job of the strand has ended or pauses. Called with the lock, which is let go of meanwhile if
 * the strand retires. */
static void free_strand(em_workers *workers, em_strand *strand)
{
    strand->busy = false;
    if (strand->returning > 0) {
        pthread_cond_broadcast(&workers->strands);
    } else if (is_over(strand)) {
        void (*retired)(void *context) = strand->retired;
        void *context = strand->retired_context;
        pthread_mutex_unlock(&workers->lock);
        retired(context);
        pthread_mutex_lock(&workers->lock);
    } else {
        line_up(workers, strand);
    }
}

static void run_next(em_workers *workers)
{
    em_strand *strand = next_strand(workers);
    bool alone = strand == &workers->alone;
    if (strand->busy || strand->returning > 0)
        return; /* a job that waited for a person was first: it lines up again after that */
    em_job *job = next_job(strand);
    strand->busy = !alone;
    if (alone)
        line_up(workers, strand);
    pthread_mutex_unlock(&workers->lock);
    job->run(job);
    pthread_mutex_lock(&workers->lock);
    if (!alone)
        free_strand(workers, strand);
}

/* Threads that do not wait for a person are as many as were wanted. One too many ends. */
static bool is_surplus(const em_workers *workers)
{
    return workers->threads - workers->paused > workers->wanted;
}

static void *work(void *context)
{
    em_workers *workers = context;
    pthread_mutex_lock(&workers->lock);
    while (!is_surplus(workers) && (workers->first || !workers->closing)) {
        if (workers->first)
            run_next(workers);
        else
            pthread_cond_wait(&workers->work, &workers->lock);
    }
    workers->threads--;
    if (workers->first) /* the signal may have come to this one */
        pthread_cond_signal(&workers->work);
    pthread_cond_broadcast(&workers->strands);
    pthread_mutex_unlock(&workers->lock);
    return NULL;
}

/* False: errno says why. */
static bool start_thread(em_workers *workers)
{
    bool started = em_thread_start(NULL, work, workers, 0);
    workers->threads += started;
    return started;
}

em_workers *em_workers_start(size_t count, size_t spare)
{
    em_workers *workers = calloc(1, sizeof *workers);
    if (!workers)
        return NULL;
    pthread_mutex_init(&workers->lock, NULL);
    pthread_cond_init(&workers->work, NULL);
    pthread_cond_init(&workers->strands, NULL);
    workers->spare = spare;
    workers->wanted = count;
    pthread_mutex_lock(&workers->lock);
    while (workers->threads < count && start_thread(workers))
        continue;
    int why = errno;
    workers->wanted = workers->threads;
    pthread_mutex_unlock(&workers->lock);
    if (workers->wanted > 0)
        return workers;
    em_workers_stop(workers);
    errno = why;
    return NULL;
}

void em_workers_stop(em_workers *workers)
{
    pthread_mutex_lock(&workers->lock);
    workers->closing = true;
    pthread_cond_broadcast(&workers->work);
    while (workers->threads > 0)
        pthread_cond_wait(&workers->strands, &workers->lock);
    pthread_mutex_unlock(&workers->lock);
    pthread_cond_destroy(&workers->strands);
    pthread_cond_destroy(&workers->work);
    pthread_mutex_destroy(&workers->lock);
    free(workers);
}

void em_workers_add(em_workers *workers, em_strand *strand, em_job *job)
{
    pthread_mutex_lock(&workers->lock);
    em_strand *own = strand ? strand : &workers->alone;
    job->next = NULL;
    if (own->last)
        own->last->next = job;
    else
        own->first = job;
    own->last = job;
    line_up(workers, own);
    pthread_mutex_unlock(&workers->lock);
}

void em_workers_retire(em_workers *workers, em_strand *strand, void (*retired)(void *context),
                       void *context)
{
    pthread_mutex_lock(&workers->lock);
    strand->retired = retired;
    strand->retired_context = context;
    bool over = is_over(strand);
    pthread_mutex_unlock(&workers->lock);
    if (over)
        retired(context);
}

/* ---- Waiting for a person ------------------------------------------------------------------- */

void em_workers_pause(em_workers *workers, em_strand *strand)
{
    pthread_mutex_lock(&workers->lock);
    workers->paused++;
    strand->paused++;
    free_strand(workers, strand);
    if (workers->threads - workers->paused < workers->wanted &&
        workers->threads < workers->wanted + workers->spare)
        start_thread(workers); /* without it there is one less until this one goes on */
    pthread_mutex_unlock(&workers->lock);
}

void em_workers_resume(em_workers *workers, em_strand *strand)
{
    pthread_mutex_lock(&workers->lock);
    workers->paused--;
    strand->returning++;
    while (strand->busy)
        pthread_cond_wait(&workers->strands, &workers->lock);
    strand->returning--;
    strand->paused--;
    strand->busy = true;
    if (is_surplus(workers))
        pthread_cond_signal(&workers->work);
    pthread_mutex_unlock(&workers->lock);
}
