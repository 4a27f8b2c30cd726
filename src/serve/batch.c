/* batch.c: the workers of a batch, and the order of its answers.
 *
 * The thread that was called reads. All jobs are in one list, in the order in which they came. A
 * worker that has nothing to do takes the first that waits for nothing. Who finishes the oldest job
 * writes it, and all finished ones behind it, also those that others finish meanwhile: one worker
 * writes at a time. One lock guards everything but the calls and the writing, so that a reader of
 * the answers who pauses holds up one worker, and the others go on until so much waits as may.
 *
 * Whoever is about to do or to await something looks for signals first: the reader for each line, a
 * worker for each job, and who writes where nobody takes the answers. So there is no moment at
 * which one would not be heeded before long.
 */
#include "serve/batch.h"

#include "base/thread.h"
#include "serve/batch_call.h"
#include "serve/batch_key.h"
#include "serve/outlet.h"
#include "serve/signals.h"
#include "json/json_text.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    PIECE = 1 << 16, /* bytes per read */
    AHEAD_JOBS = 32, /* per worker: jobs that were read and not answered yet */
    AHEAD_BYTES = 64 << 20,
    HELD_BYTES = 64 << 20, /* of answers: beyond this only the oldest job is begun */
    PATIENCE_MS = 3000,    /* after a signal: with who takes no answers */
};

typedef struct job {
    struct job *next; /* that came behind it */
    em_batch_call call;
    em_batch_key key; /* of its file */
    em_strbuf answer;
    uint64_t turn;    /* how many came so far */
    size_t size;      /* of its line, bytes */
    size_t waits_for; /* so many before it that are not finished, whose files meet its own */
    bool is_error, begun, finished;
} job;

typedef struct worker {
    struct pool *pool;
    em_session *session;
    pthread_t thread;
} worker;

typedef struct pool {
    const em_batch *batch;
    int signals;   /* readable when one came; -1: there are none */
    em_outlet out; /* of who writes, and: */
    bool broken;   /* it takes no more */
    worker *workers;
    size_t count; /* of workers that run */
    pthread_mutex_t lock;
    pthread_cond_t ready;    /* a job can be begun, or none will come */
    pthread_cond_t progress; /* a job was answered, or the last finished */
    job *oldest, *newest;    /* of all whose answers nobody began to write */
    size_t open, open_bytes; /* that are not answered, and how much was read for them */
    size_t held;             /* bytes of answers that are not written */
    size_t waiting;          /* that are not begun */
    size_t unfinished;
    uint64_t turns; /* how many jobs came */
    bool writing;   /* somebody writes answers, and goes on with all that are finished */
    bool closing;   /* no more jobs come */
    bool dropping;  /* those that wait are not made */
    em_batch_tally tally;
} pool;

/* ---- Answers ------------------------------------------------------------------------------- */

static void note_failure(pool *p, const char *undone, int sys)
{
    if (p->tally.failed)
        return;
    p->tally.failed = true;
    p->tally.undone = undone;
    p->tally.sys = sys;
    p->dropping = true;
}

/* Did a signal come? Then nothing that waits is begun. The lock is held. */
static void heed_signals(pool *p)
{
    struct pollfd signals = {.fd = p->signals, .events = POLLIN};
    if (p->tally.interrupted || poll(&signals, 1, 0) <= 0)
        return;
    p->tally.interrupted = true;
    p->dropping = true;
}

/* Who writes does not hold the lock, and takes it for what others look at. */
static void give_up_output(pool *p, int sys, bool unread)
{
    p->broken = true;
    pthread_mutex_lock(&p->lock);
    note_failure(p, unread ? NULL : "cannot write the answers", sys);
    p->tally.unread = p->tally.unread || unread;
    pthread_mutex_unlock(&p->lock);
}

static bool is_interrupted(pool *p)
{
    pthread_mutex_lock(&p->lock);
    heed_signals(p);
    bool interrupted = p->tally.interrupted;
    pthread_mutex_unlock(&p->lock);
    return interrupted;
}

/* Wait until something can be written; false: a signal came first, or it failed. After a signal,
 * output that takes nothing for a while is given up: nobody is there who reads. */
static bool wait_for_reader(pool *p)
{
    bool hurries = is_interrupted(p);
    struct pollfd fds[] = {{.fd = p->out.fd, .events = POLLOUT},
                           {.fd = hurries ? -1 : p->signals, .events = POLLIN}};
    int count = poll(fds, 2, hurries ? PATIENCE_MS : -1);
    if (count < 0 && errno != EINTR)
        give_up_output(p, errno, false);
    if (count == 0)
        give_up_output(p, 0, true);
    return count > 0 && fds[0].revents;
}

/* False: not all of them were written. */
static bool write_all(pool *p, em_slice bytes)
{
    while (bytes.len > 0 && !p->broken) {
        if (p->out.kind != EM_OUTLET_FILE && !wait_for_reader(p))
            continue;
        ssize_t length = em_outlet_put(&p->out, bytes);
        if (length >= 0)
            bytes = em_slice_from(bytes, (size_t)length);
        else if (errno != EINTR && errno != EAGAIN) /* somebody else has filled the pipe */
            give_up_output(p, errno, false);
    }
    return bytes.len == 0;
}

/* Without the lock: the reader of the answers may let it wait, and so may the terminal. */
static void write_answer(pool *p, const job *one)
{
    if (!write_all(p, em_strbuf_slice(&one->answer)))
        return;
    pthread_mutex_lock(&p->lock);
    p->tally.done += !one->is_error;
    p->tally.refused += one->is_error;
    em_batch_tally tally = p->tally;
    pthread_mutex_unlock(&p->lock);
    if (p->batch->progress)
        p->batch->progress(p->batch->context, &tally);
}

static void job_free(job *one)
{
    em_batch_call_drop(&one->call);
    em_batch_key_drop(&one->key);
    em_strbuf_drop(&one->answer);
    free(one);
}

static job *take_oldest(pool *p)
{
    job *one = p->oldest;
    p->oldest = one->next;
    if (!p->oldest)
        p->newest = NULL;
    return one;
}

static bool too_much_is_held(const pool *p)
{
    return p->held > HELD_BYTES;
}

/* Those that were kept from beginning look again: there is room, or one of them is the oldest. */
static void close_job(pool *p, job *one)
{
    if (too_much_is_held(p))
        pthread_cond_broadcast(&p->ready);
    p->open--;
    p->open_bytes -= one->size;
    p->held -= one->answer.len;
    pthread_cond_broadcast(&p->progress);
    job_free(one);
}

/* Write what is finished, as far as the order allows, unless somebody is at it. The lock is held,
 * but not while something is written. After a failure nothing is. */
static void answer_finished(pool *p)
{
    if (p->writing)
        return;
    p->writing = true;
    while (p->oldest && p->oldest->finished) {
        job *one = take_oldest(p);
        if (one->answer.len > 0 && !p->tally.failed) {
            pthread_mutex_unlock(&p->lock);
            write_answer(p, one);
            pthread_mutex_lock(&p->lock);
        }
        close_job(p, one);
    }
    p->writing = false;
}

/* As many are open at most: all that came so much earlier than another are made before it. */
static size_t ahead_jobs(const pool *p)
{
    return AHEAD_JOBS * p->count;
}

/* ---- Workers ------------------------------------------------------------------------------- */

/* The first that waits for nothing; NULL. Where the answers that wait are too much, none but the
 * oldest, for which all others wait. */
static job *ready_job(const pool *p)
{
    job *one = p->oldest;
    while (one && (one->begun || one->waits_for > 0))
        one = one->next;
    return one == p->oldest || !too_much_is_held(p) ? one : NULL;
}

/* Wait for one that can be begun; NULL when none will come. */
static job *next_job(pool *p)
{
    job *one = ready_job(p);
    while (!one && !(p->closing && p->waiting == 0)) {
        pthread_cond_wait(&p->ready, &p->lock);
        one = ready_job(p);
    }
    if (!one)
        return NULL;
    one->begun = true;
    p->waiting--;
    if (p->waiting == 0)
        pthread_cond_broadcast(&p->ready);
    return one;
}

/* Those behind it whose files meet its own have one less to wait for. */
static void let_go_on(pool *p, const job *done)
{
    for (job *one = done->next; one; one = one->next) {
        if (!em_batch_keys_meet(&done->key, &one->key))
            continue;
        one->waits_for--;
        if (one->waits_for == 0)
            pthread_cond_signal(&p->ready);
    }
}

static bool is_ending(void *context)
{
    return is_interrupted(context);
}

static em_status call_run(worker *w, job *one)
{
    em_workspace *workspace = em_session_workspace(w->session);
    em_ws_set_cancel(workspace, (em_cancel){.is_ending = is_ending, .context = w->pool});
    em_status status = em_batch_call_run(&one->call, w->pool->batch->offered, w->session,
                                         &one->answer, &one->is_error);
    em_ws_set_cancel(workspace, (em_cancel){0});
    return status;
}

static void run_job(worker *w, job *one)
{
    pool *p = w->pool;
    heed_signals(p);
    if (!p->dropping) {
        pthread_mutex_unlock(&p->lock);
        em_session_set_turn(w->session, one->turn, p->count > 1 ? ahead_jobs(p) : 0);
        em_status status = call_run(w, one);
        pthread_mutex_lock(&p->lock);
        if (status != EM_OK)
            note_failure(p, NULL, 0);
    }
    one->finished = true;
    p->unfinished--;
    p->held += one->answer.len;
    if (p->unfinished == 0)
        pthread_cond_broadcast(&p->progress);
    let_go_on(p, one);
    answer_finished(p);
}

static void *work(void *context)
{
    worker *w = context;
    pool *p = w->pool;
    pthread_mutex_lock(&p->lock);
    for (job *one = next_job(p); one; one = next_job(p)) {
        run_job(w, one);
        pthread_mutex_unlock(&p->lock);
        em_session_tidy(w->session);
        pthread_mutex_lock(&p->lock);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

/* ---- Handing out --------------------------------------------------------------------------- */

static void wait_until_idle(pool *p)
{
    while (p->unfinished > 0)
        pthread_cond_wait(&p->progress, &p->lock);
}

static void wait_for_room(pool *p)
{
    while (p->open > 0 && (p->open >= ahead_jobs(p) || p->open_bytes > AHEAD_BYTES))
        pthread_cond_wait(&p->progress, &p->lock);
}

static size_t count_before(const pool *p, const job *one)
{
    size_t count = 0;
    for (const job *other = p->oldest; other && one->key.path; other = other->next)
        count += !other->finished && em_batch_keys_meet(&one->key, &other->key);
    return count;
}

static void give(pool *p, job *one)
{
    one->waits_for = count_before(p, one);
    if (p->newest)
        p->newest->next = one;
    else
        p->oldest = one;
    p->newest = one;
    one->turn = ++p->turns;
    p->open++;
    p->open_bytes += one->size;
    p->waiting++;
    p->unfinished++;
    if (one->waits_for == 0)
        pthread_cond_signal(&p->ready);
}

/* The key of the one file of a call. */
static em_status find_key(const pool *p, job *one)
{
    const em_batch_call *call = &one->call;
    if (call->reach != EM_NAMES_ONE_FILE || p->count == 1)
        return EM_OK;
    return em_batch_key_make(p->batch->root, call->file, call->makes_backup, &one->key);
}

static em_status hand_out(pool *p, em_slice line, bool too_long)
{
    size_t most = p->batch->most;
    job *one = calloc(1, sizeof *one);
    if (!one)
        return EM_E_NOMEM;
    too_long = too_long || (most > 0 && line.len > most);
    one->size = line.len;
    em_status status = too_long ? em_batch_call_too_long(most, &one->call)
                                : em_batch_call_read(line, p->batch->tools, &one->call);
    if (status == EM_OK)
        status = find_key(p, one);
    if (status != EM_OK) {
        job_free(one);
        return status;
    }
    bool alone = one->call.reach == EM_NAMES_MORE;
    pthread_mutex_lock(&p->lock);
    wait_for_room(p);
    if (alone)
        wait_until_idle(p);
    give(p, one);
    if (alone)
        wait_until_idle(p);
    pthread_mutex_unlock(&p->lock);
    return EM_OK;
}

/* ---- Reading ------------------------------------------------------------------------------- */

typedef struct reader {
    pool *pool;
    em_signals signals;
    em_strbuf text;  /* bytes that came and are not handed out yet */
    size_t searched; /* so many of them hold no LF */
    bool skipping;   /* within a line that is too long */
    bool ended;      /* the input is */
} reader;

/* Is nothing more to be handed out? */
static bool is_over(reader *r)
{
    pool *p = r->pool;
    pthread_mutex_lock(&p->lock);
    heed_signals(p);
    bool over = p->dropping;
    pthread_mutex_unlock(&p->lock);
    return over;
}

/* What is behind the last whole line; nothing of a line that is too long. */
static void keep_rest(reader *r, em_slice rest)
{
    size_t most = r->pool->batch->most;
    r->skipping = r->skipping || (most > 0 && rest.len > most);
    if (r->skipping)
        rest.len = 0;
    if (rest.len > 0 && rest.ptr != r->text.ptr)
        memmove(r->text.ptr, rest.ptr, rest.len);
    r->text.len = r->searched = rest.len;
}

/* The length of the line that `rest` begins with; EM_NPOS where its end has not come. A line that
 * came in many pieces is searched once. */
static size_t line_length(const reader *r, em_slice rest)
{
    size_t searched = rest.ptr == r->text.ptr ? r->searched : 0;
    size_t length = searched + em_slice_until(em_slice_from(rest, searched), '\n');
    return length < rest.len || r->ended ? length : EM_NPOS;
}

/* Hand out the whole lines of what came; at the end also the last, if it has no LF. */
static em_status hand_out_lines(reader *r)
{
    em_slice rest = em_strbuf_slice(&r->text);
    size_t length;
    while (rest.len > 0 && !is_over(r) && (length = line_length(r, rest)) != EM_NPOS) {
        em_slice line = em_slice_sub(rest, 0, length);
        if (r->skipping || !em_json_is_blank(line))
            EM_TRY(hand_out(r->pool, line, r->skipping));
        r->skipping = false;
        rest = em_slice_from(rest, length < rest.len ? length + 1 : length);
    }
    keep_rest(r, rest);
    if (r->ended && r->skipping)
        EM_TRY(hand_out(r->pool, (em_slice){0}, true));
    return r->text.failed ? EM_E_NOMEM : EM_OK;
}

static const char NO_INPUT[] = "cannot read standard input";

static void fail(reader *r, const char *undone, int sys)
{
    pthread_mutex_lock(&r->pool->lock);
    note_failure(r->pool, undone, sys);
    pthread_mutex_unlock(&r->pool->lock);
}

static void take_in(reader *r)
{
    char piece[PIECE];
    ssize_t length = read(r->pool->batch->in, piece, sizeof piece);
    r->ended = length == 0;
    if (length < 0 && errno != EINTR && errno != EAGAIN)
        fail(r, NO_INPUT, errno);
    if (length <= 0)
        return;
    em_strbuf_add(&r->text, em_slice_make(piece, (size_t)length));
    pthread_mutex_lock(&r->pool->lock);
    r->pool->tally.read_bytes += (uint64_t)length;
    pthread_mutex_unlock(&r->pool->lock);
}

static void read_all(reader *r)
{
    while (!r->ended && !is_over(r)) {
        struct pollfd fds[] = {{.fd = r->signals.fd, .events = POLLIN},
                               {.fd = r->pool->batch->in, .events = POLLIN}};
        if (poll(fds, 2, -1) < 0 && errno != EINTR)
            fail(r, NO_INPUT, errno);
        else if (fds[1].revents)
            take_in(r);
        if (hand_out_lines(r) != EM_OK)
            fail(r, NULL, 0);
    }
}

/* ---- All of it ----------------------------------------------------------------------------- */

/* As many workers as there are sessions, or as the system gives. */
static void start_workers(pool *p)
{
    for (size_t i = 0; i < p->batch->session_count; i++) {
        worker *w = &p->workers[i];
        *w = (worker){.pool = p, .session = p->batch->sessions[i]};
        if (em_thread_start(&w->thread, work, w, 0)) {
            p->count++;
            continue;
        }
        if (p->count == 0)
            note_failure(p, "cannot start a thread", errno);
        return;
    }
}

static void end_workers(pool *p)
{
    pthread_mutex_lock(&p->lock);
    p->closing = true;
    pthread_cond_broadcast(&p->ready);
    pthread_mutex_unlock(&p->lock);
    for (size_t i = 0; i < p->count; i++)
        pthread_join(p->workers[i].thread, NULL);
}

em_batch_tally em_batch_run(const em_batch *batch)
{
    pool p = {.batch = batch, .signals = -1, .out = em_outlet_of(batch->out)};
    reader r = {.pool = &p};
    p.workers = calloc(batch->session_count, sizeof *p.workers);
    if (!p.workers)
        return (em_batch_tally){.failed = true};
    pthread_mutex_init(&p.lock, NULL);
    pthread_cond_init(&p.ready, NULL);
    pthread_cond_init(&p.progress, NULL);
    json_object_seed(0); /* once, before threads ask for it */
    em_signals_take(&r.signals);
    p.signals = r.signals.fd;
    start_workers(&p);
    read_all(&r);
    end_workers(&p);
    em_signals_give_back(&r.signals);
    em_strbuf_drop(&r.text);
    pthread_cond_destroy(&p.progress);
    pthread_cond_destroy(&p.ready);
    pthread_mutex_destroy(&p.lock);
    free(p.workers);
    return p.tally;
}
