#include "workspace/lock.h"

#include "workspace/state.h"
#include "workspace/sys_io.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <xxhash.h>

struct em_lock_held {
    struct em_lock_held *next;
    unsigned slot, count;
    int fd;
};

/* What the holder writes into the file: always so many bytes, so that one write replaces all. */
enum { HOLDER_SIZE = 128 };

enum { MILLISECOND = 1000000, WAIT_FIRST = MILLISECOND / 2, WAIT_LONGEST = 20 * MILLISECOND };

unsigned em_lock_slot(uint64_t folder_ino, const char *rest)
{
    return (unsigned)(XXH3_64bits_withSeed(rest, strlen(rest), folder_ino) % EM_LOCK_SLOTS);
}

/* ---- The holder ---------------------------------------------------------------------------- */

static em_status holder_write(const em_locks *locks, int fd, const char *name, em_error *err)
{
    char host[65] = "", text[HOLDER_SIZE];
    if (gethostname(host, sizeof host - 1) != 0)
        host[0] = '\0';
    memset(text, ' ', sizeof text);
    int length = snprintf(text, sizeof text, "process %ld on %s", (long)getpid(), host);
    text[length] = ' ';
    text[HOLDER_SIZE - 1] = '\n';
    struct iovec piece = {.iov_base = text, .iov_len = HOLDER_SIZE};
    return em_io_write_all(locks->sys, fd, &piece, 1, 0, name, err);
}

static em_status holder_fail(const em_locks *locks, int fd, em_error *err)
{
    char text[HOLDER_SIZE + 1];
    ssize_t got = EM_SYS_RETRY(locks->sys, read, fd, text, HOLDER_SIZE, 0);
    if (got < 0)
        got = 0;
    while (got > 0 && (text[got - 1] == ' ' || text[got - 1] == '\n'))
        got--;
    text[got] = '\0';
    return em_fail(err, EM_E_TIMEOUT, "the file is locked by %s",
                   got > 0 ? text : "another process");
}

/* ---- Waiting ------------------------------------------------------------------------------- */

static em_status now_ms(const em_sys *sys, int64_t *ms, em_error *err)
{
    struct timespec now;
    int result = EM_SYS_RETRY(sys, clock, CLOCK_MONOTONIC, &now);
    if (result < 0)
        return em_io_fail(err, result, "clock_gettime", "");
    *ms = (int64_t)now.tv_sec * 1000 + now.tv_nsec / MILLISECOND;
    return EM_OK;
}

/* Ask for the lock until it is there or the time is over. */
static em_status wait_for(const em_locks *locks, int fd, long timeout_ms, const char *name,
                          em_error *err)
{
    long pause = WAIT_FIRST;
    int64_t start = -1, now = 0;
    for (;;) {
        int result = EM_SYS_RETRY(locks->sys, lock, fd, F_WRLCK, 0, 0);
        if (result == 0)
            return EM_OK;
        if (result != -EAGAIN && result != -EACCES)
            return em_state_fail(err, result, "lock", name);
        EM_TRY(now_ms(locks->sys, &now, err));
        if (start < 0)
            start = now;
        if (now - start >= timeout_ms)
            return holder_fail(locks, fd, err);
        EM_SYS(locks->sys, sleep, pause);
        pause = pause * 2 < WAIT_LONGEST ? pause * 2 : WAIT_LONGEST;
    }
}

/* ---- Taking and releasing ------------------------------------------------------------------ */

static struct em_lock_held *held_find(const em_locks *locks, unsigned slot)
{
    struct em_lock_held *held = locks->first;
    while (held && held->slot != slot)
        held = held->next;
    return held;
}

static em_status take_file(const em_locks *locks, unsigned slot, long timeout_ms, int *out,
                           em_error *err)
{
    char name[8];
    snprintf(name, sizeof name, "%03x", slot);
    int fd =
        EM_SYS_RETRY(locks->sys, open, locks->dir, name, O_RDWR | O_CREAT | O_NOFOLLOW, 0600, 0);
    if (fd < 0)
        return em_state_fail(err, fd, "open lock", name);
    em_status status = wait_for(locks, fd, timeout_ms, name, err);
    if (status == EM_OK)
        status = holder_write(locks, fd, name, err);
    if (status != EM_OK)
        EM_SYS(locks->sys, close, fd);
    *out = fd;
    return status;
}

em_status em_lock_take(em_locks *locks, unsigned slot, long timeout_ms, em_error *err)
{
    struct em_lock_held *held = held_find(locks, slot);
    if (held) {
        held->count++;
        return EM_OK;
    }
    held = malloc(sizeof *held);
    if (!held)
        return EM_E_NOMEM;
    *held = (struct em_lock_held){.next = locks->first, .slot = slot, .count = 1};
    em_status status = take_file(locks, slot, timeout_ms, &held->fd, err);
    if (status != EM_OK) {
        free(held);
        return status;
    }
    locks->first = held;
    return EM_OK;
}

void em_lock_release(em_locks *locks, unsigned slot)
{
    struct em_lock_held **link = &locks->first;
    while (*link && (*link)->slot != slot)
        link = &(*link)->next;
    struct em_lock_held *held = *link;
    if (!held || --held->count > 0)
        return;
    *link = held->next;
    EM_SYS(locks->sys, close, held->fd); /* and the lock is gone */
    free(held);
}

void em_locks_drop(em_locks *locks)
{
    while (locks->first) {
        locks->first->count = 1;
        em_lock_release(locks, locks->first->slot);
    }
}
