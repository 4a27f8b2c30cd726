/* batch.h: many calls, one a line, and one answer a line in the same order.
 *
 * Several workers, each with a session of its own, make the calls side by side; each takes the
 * first that waits for nothing. To a caller it is one session: calls whose files meet (batch_key.h)
 * are made one after the other as they came; and a call that names several files waits for those
 * before it and is alone.
 *
 *  (1) Answers come in the order of the calls, each as soon as it and all before it are there.
 *  (2) So much is read ahead and no more, and so many bytes of answers wait to be written: memory
 *      does not grow with the batch. Who does not read the answers holds up one worker, and the
 *      others only then.
 *  (3) A signal ends the batch, whatever it waits for. Calls that run end first, and are answered,
 *      unless nobody takes the answers; those that wait are not made.
 */
#ifndef EM_SERVE_BATCH_H
#define EM_SERVE_BATCH_H

#include "tools/toolset.h"

/* How far it is. */
typedef struct em_batch_tally {
    uint64_t done, refused; /* answers written; `refused` are those with isError */
    uint64_t read_bytes;    /* of the input */
    bool interrupted;       /* by a signal: not all that came was done */
    bool failed;            /* input or output does not work, or memory ran out */
    const char *undone;     /* `failed`: what could not be done; NULL for want of memory, or: */
    int sys;                /* the errno of that */
    bool unread;            /* interrupted while nobody took the answers, of which some are lost */
} em_batch_tally;

typedef struct em_batch {
    const em_toolset *tools;     /* that may be called */
    const em_toolset *offered;   /* those of them that answers may name */
    em_session *const *sessions; /* one for each worker */
    size_t session_count;        /* at least 1 */
    const char *root;            /* that relative paths belong to; absolute */
    int in, out;
    size_t most; /* bytes of a line; longer ones are answered so, and not made; 0: no limit */
    /* Told after each answer, by one thread at a time; NULL. */
    void (*progress)(void *context, const em_batch_tally *tally);
    void *context;
} em_batch;

/* Do it all. Signals that end programs are taken while it runs. */
em_batch_tally em_batch_run(const em_batch *batch);

#endif
