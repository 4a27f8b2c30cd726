/* lock.c: slots of one file, locked, counted and waited for.
 *
 * Begin with em_lock_take: a slot that this workspace holds is counted, any other is asked for
 * until the time is over.
 */
#include "paths/lock.h"

#include "paths/state.h"
#include "system/sys_io.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <xxhash.h>

struct em_lock_held {
    struct em_lock_held *next;
    unsigned slot, count;
};

/* The file: a byte for each slot, none beside another, because ranges that touch become one in the
 * kernel and giving back a part of it needs memory; then for each slot who holds it, always so many
 * bytes, so that one write replaces all. */
enum { BYTES_OF_SLOTS = 4096, APART = 2, HOLDER_SIZE = 128 };
_Static_assert(EM_LOCK_SLOTS *APART <= BYTES_OF_SLOTS, "holders stand behind the slots");
static const off_t FIRST_ROW = (off_t)1 << 32; /* bytes that are locked need not be there */
static const char file_name[] = "slots";
static const char told_name[] = "the file of locks";

enum { MILLISECOND = 1000000, WAIT_FIRST = MILLISECOND / 2, WAIT_LONGEST = 20 * MILLISECOND };

unsigned em_lock_slot(uint64_t folder_ino, const char *rest)
{
    return (unsigned)(XXH3_64bits_withSeed(rest, strlen(rest), folder_ino) % EM_LOCK_SLOTS);
}

/* ---- The holder ---------------------------------------------------------------------------- */

static off_t holder_of(unsigned slot)
{
    return BYTES_OF_SLOTS + (off_t)slot * HOLDER_SIZE;
}

static em_status holder_write(const em_locks *locks, unsigned slot, em_error *err)
{
    char host[65] = "", text[HOLDER_SIZE];
    gethostname(host, sizeof host - 1); /* a longer one is cut off */
    memset(text, ' ', sizeof text);
    int length = snprintf(text, sizeof text, "process %ld on %s", (long)getpid(), host);
    text[length] = ' ';
    text[HOLDER_SIZE - 1] = '\n';
    struct iovec piece = {.iov_base = text, .iov_len = HOLDER_SIZE};
    em_io_file file = {locks->sys, locks->fd, told_name};
    return em_io_write_all(file, &piece, 1, holder_of(slot), err);
}

/* `more` says why it is not waited for any longer, if that is not the time. */
static em_status holder_fail(const em_locks *locks, unsigned slot, const char *more, em_error *err)
{
    char text[HOLDER_SIZE + 1];
    ssize_t got = EM_SYS_RETRY(locks->sys, read, locks->fd, text, HOLDER_SIZE, holder_of(slot));
    if (got < 0)
        got = 0;
    while (got > 0 && (text[got - 1] == ' ' || text[got - 1] == '\n'))
        got--;
    text[got] = '\0'; /* who has not written its name yet has zeros there */
    return em_fail(err, EM_E_TIMEOUT, "the file is locked by %s%s",
                   text[0] ? text : "another process", more);
}

/* ---- Waiting ------------------------------------------------------------------------------- */

/* May what it is for be waited for? */
static em_status check_wish(const em_locks *locks, unsigned slot, em_error *err)
{
    if (locks->cancel && em_is_cancelled(locks->cancel))
        return em_fail(err, EM_E_TIMEOUT, "it was cancelled while it waited for the file");
    if (locks->cancel && em_is_ending(locks->cancel))
        return holder_fail(locks, slot, ", and emend was told to end while this waited for it",
                           err);
    return EM_OK;
}

/* Ask for the lock until it is there or the time is over. */
static em_status wait_for(const em_locks *locks, unsigned slot, long timeout_ms, em_error *err)
{
    long pause = WAIT_FIRST;
    int64_t start = -1, now = 0;
    for (;;) {
        int result = EM_SYS_RETRY(locks->sys, lock, locks->fd, F_WRLCK, (off_t)slot * APART, 1);
        if (result == 0)
            return EM_OK;
        if (result != -EAGAIN && result != -EACCES)
            return em_state_fail(err, result, "lock", told_name);
        EM_TRY(em_io_time(locks->sys, CLOCK_MONOTONIC, &now, err));
        if (start < 0)
            start = now;
        if (now - start >= timeout_ms)
            return holder_fail(locks, slot, "", err);
        EM_TRY(check_wish(locks, slot, err));
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

/* The file is made where it is missing, so only its folder can be. */
static em_status open_fail(em_error *err, int result)
{
    if (result == -ENOENT)
        return em_fail(err, EM_E_IO,
                       "the state directory was removed since emend was started: start it again");
    return em_state_fail(err, result, "open", told_name);
}

static em_status file_open(em_locks *locks, em_error *err)
{
    if (locks->first)
        return EM_OK;
    locks->fd = EM_SYS_RETRY(locks->sys, open, locks->dir, file_name, O_RDWR | O_CREAT | O_NOFOLLOW,
                             0600, 0);
    return locks->fd < 0 ? open_fail(err, locks->fd) : EM_OK;
}

/* Give the byte back. With the last one the file is closed, and all of it is free; so a byte that
 * could not be given back is free then. To close it alone would not do: a process that was forked
 * meanwhile has the same description, and would hold the lock as long as it lives. */
static void byte_release(const em_locks *locks, unsigned slot)
{
    EM_SYS_RETRY(locks->sys, lock, locks->fd, F_UNLCK, (off_t)slot * APART, 1);
    if (!locks->first)
        EM_SYS(locks->sys, close, locks->fd);
}

static em_status byte_take_in(em_locks *locks, unsigned slot, long timeout_ms, em_error *err)
{
    EM_TRY(file_open(locks, err));
    em_status status = wait_for(locks, slot, timeout_ms, err);
    if (status == EM_OK)
        status = holder_write(locks, slot, err);
    if (status != EM_OK)
        byte_release(locks, slot);
    return status;
}

static em_status byte_take(em_locks *locks, unsigned slot, long timeout_ms, em_error *err)
{
    em_status status = byte_take_in(locks, slot, timeout_ms, err);
    if (status == EM_E_IO || status == EM_E_PERMISSION)
        em_state_add_place(err, locks->folder);
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
    em_status status = byte_take(locks, slot, timeout_ms, err);
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
    free(held);
    byte_release(locks, slot);
}

/* ---- Rows ---------------------------------------------------------------------------------- */

/* Apart like the slots, and for the same reason. */
static off_t byte_of_row(int64_t row)
{
    return FIRST_ROW + (off_t)row * APART;
}

static int rows_open(const em_locks *locks, int flags)
{
    return EM_SYS_RETRY(locks->sys, open, locks->dir, file_name, flags | O_NOFOLLOW, 0600, 0);
}

static em_status is_locked(const em_locks *locks, off_t byte, bool *locked, em_error *err)
{
    *locked = false;
    int fd = rows_open(locks, O_RDONLY); /* another description: our own locks are seen too */
    if (fd == -ENOENT)
        return EM_OK;
    if (fd < 0)
        return open_fail(err, fd);
    int result = EM_SYS_RETRY(locks->sys, locked, fd, F_WRLCK, byte, 1);
    EM_SYS(locks->sys, close, fd);
    *locked = result > 0;
    return result < 0 ? em_state_fail(err, result, "lock", told_name) : EM_OK;
}

em_status em_lock_row_own(em_locks *locks, int64_t row, em_error *err)
{
    int fd = locks->rows > 0 ? locks->rows_fd : rows_open(locks, O_RDWR | O_CREAT);
    if (fd < 0)
        return open_fail(err, fd);
    int result = EM_SYS_RETRY(locks->sys, lock, fd, F_WRLCK, byte_of_row(row), 1);
    if (result < 0 && locks->rows == 0)
        EM_SYS(locks->sys, close, fd);
    if (result < 0)
        return em_state_fail(err, result, "lock", told_name);
    locks->rows_fd = fd;
    locks->rows++;
    return EM_OK;
}

void em_lock_row_release(em_locks *locks, int64_t row)
{
    EM_SYS_RETRY(locks->sys, lock, locks->rows_fd, F_UNLCK, byte_of_row(row), 1);
    if (--locks->rows == 0)
        EM_SYS(locks->sys, close, locks->rows_fd);
}

em_status em_lock_row_is_owned(const em_locks *locks, int64_t row, bool *owned, em_error *err)
{
    return is_locked(locks, byte_of_row(row), owned, err);
}

em_status em_lock_is_held(const em_locks *locks, unsigned slot, bool *held, em_error *err)
{
    return is_locked(locks, (off_t)slot * APART, held, err);
}

/* ---- The end ------------------------------------------------------------------------------- */

void em_locks_drop(em_locks *locks)
{
    while (locks->first) {
        locks->first->count = 1;
        em_lock_release(locks, locks->first->slot);
    }
    if (locks->rows > 0)
        EM_SYS(locks->sys, close, locks->rows_fd);
    locks->rows = 0;
}
