#include "system/sys_io.h"

#include "base/beside.h"
#include "base/clock.h"

#include <dirent.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { PATH_SHOWN = 400 }; /* leaves room for the call and the reason in an error's detail */

/* The end of `path` that is shown. */
static const char *path_end(const char *path)
{
    size_t length = strlen(path);
    if (length <= PATH_SHOWN)
        return path;
    const char *end = path + length - PATH_SHOWN;
    while (((unsigned char)*end & 0xC0) == 0x80) /* not in the middle of a code point */
        end++;
    return end;
}

em_status em_io_fail(em_error *err, ssize_t result, const char *call, const char *path)
{
    char what[EM_DETAIL_SIZE];
    snprintf(what, sizeof what, "%s %s", call, path_end(path));
    return em_fail_sys(err, (int)-result, what);
}

/* Is a copy slow from one place to another, of which the lower bits count? */
static bool is_slow_copy(uintptr_t from, uintptr_t to)
{
    enum { PAGE = 4096, SLOW = 31 };
    uintptr_t ahead = (to - from) % PAGE;
    return ahead > 0 && ahead <= SLOW;
}

/* Of three places, a cache line apart, each copy is slow at one at most. */
char *em_io_window(char *room, off_t from, off_t to)
{
    enum { STEP = EM_IO_SKEW / 2 };
    char *window = room;
    while (window < room + EM_IO_SKEW &&
           (is_slow_copy((uintptr_t)from, (uintptr_t)window) ||
            (to >= 0 && is_slow_copy((uintptr_t)window, (uintptr_t)to))))
        window += STEP;
    return window;
}

/* ---- Reading ------------------------------------------------------------------------------- */

enum { READ_PIECE = 64 << 10, PIECES_WORTH_A_THREAD = (4 << 20) / READ_PIECE };

/* `size` bytes from the start of a file, which two threads may read. */
typedef struct reading {
    em_io_file file;
    char *bytes;
    size_t size;
    _Atomic ssize_t last; /* what the read gave that ended it before all was there; else 1 */
} reading;

/* An em_range_work of a reading, whose elements are pieces. */
static void read_some(void *context, size_t from, size_t to)
{
    reading *r = context;
    size_t at = from * READ_PIECE, end = to * READ_PIECE;
    if (end > r->size)
        end = r->size;
    while (at < end) {
        ssize_t got =
            EM_SYS_RETRY(r->file.sys, read, r->file.fd, r->bytes + at, end - at, (off_t)at);
        if (got <= 0) {
            r->last = got;
            return;
        }
        at += (size_t)got;
    }
}

em_status em_io_read_all(em_io_file file, void *out, size_t size, em_error *err)
{
    reading r = {.file = file, .bytes = out, .size = size, .last = 1};
    em_in_halves((size + READ_PIECE - 1) / READ_PIECE, PIECES_WORTH_A_THREAD, read_some, &r);
    ssize_t got = r.last;
    if (got < 0)
        return em_io_fail(err, got, "read", file.path);
    if (got == 0)
        return em_fail(err, EM_E_CONFLICT, "became shorter while it was read: %s",
                       path_end(file.path));
    char beyond;
    got = EM_SYS_RETRY(file.sys, read, file.fd, &beyond, 1, (off_t)size);
    if (got < 0)
        return em_io_fail(err, got, "read", file.path);
    if (got > 0)
        return em_fail(err, EM_E_CONFLICT, "became longer while it was read: %s",
                       path_end(file.path));
    return EM_OK;
}

/* ---- Writing ------------------------------------------------------------------------------- */

/* What is left to write: `skip` bytes of pieces[0] are written already. */
typedef struct unwritten {
    const struct iovec *pieces;
    size_t count, skip;
} unwritten;

/* As much of it as one call takes; the number of pieces. */
static int batch_fill(const unwritten *left, struct iovec batch[static IOV_MAX])
{
    int filled = 0;
    size_t skip = left->skip;
    for (size_t i = 0; i < left->count && filled < IOV_MAX; i++) {
        struct iovec piece = left->pieces[i];
        if (piece.iov_len > skip)
            batch[filled++] = (struct iovec){.iov_base = (char *)piece.iov_base + skip,
                                             .iov_len = piece.iov_len - skip};
        skip = 0;
    }
    return filled;
}

static void unwritten_advance(unwritten *left, size_t written)
{
    while (left->count > 0 && written >= left->pieces->iov_len - left->skip) {
        written -= left->pieces->iov_len - left->skip;
        left->pieces++;
        left->count--;
        left->skip = 0;
    }
    left->skip += written;
}

em_status em_io_write_all(em_io_file file, const struct iovec *pieces, size_t count, off_t offset,
                          em_error *err)
{
    unwritten left = {.pieces = pieces, .count = count};
    struct iovec batch[IOV_MAX];
    int filled;
    while ((filled = batch_fill(&left, batch)) > 0) {
        ssize_t written = EM_SYS_RETRY(file.sys, write, file.fd, batch, filled, offset);
        if (written == 0) /* no file system should; asking for ever would be worse */
            written = -EIO;
        if (written < 0)
            return em_io_fail(err, written, "write", file.path);
        unwritten_advance(&left, (size_t)written);
        offset += written;
    }
    return EM_OK;
}

em_status em_io_sync(em_io_file file, bool data_only, em_error *err)
{
    int result = EM_SYS_RETRY(file.sys, sync, file.fd, data_only);
    return result < 0 ? em_io_fail(err, result, data_only ? "fdatasync" : "fsync", file.path)
                      : EM_OK;
}

em_status em_io_finish(em_io_file file, bool durable, em_error *err)
{
    if (durable)
        return em_io_sync(file, false, err);
    int result = EM_SYS_RETRY(file.sys, flush, file.fd);
    return result < 0 ? em_io_fail(err, result, "write", file.path) : EM_OK;
}

/* Those of one call. True: go on. */
static bool see_names(const char *bytes, size_t size, em_io_name *see, void *context)
{
    for (size_t at = 0; at < size;) {
        const struct dirent64 *entry = (const void *)(bytes + at);
        at += entry->d_reclen;
        bool is_own = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
        if (!is_own && !see(context, entry->d_name, entry->d_type))
            return false;
    }
    return true;
}

int em_io_list(const em_sys *sys, int fd, em_io_name *see, void *context)
{
    _Alignas(struct dirent64) char bytes[1 << 14];
    for (;;) {
        ssize_t size = EM_SYS_RETRY(sys, list, fd, bytes, sizeof bytes);
        if (size <= 0)
            return (int)size;
        if (!see_names(bytes, (size_t)size, see, context))
            return 0;
    }
}

em_status em_io_time(const em_sys *sys, clockid_t clock, int64_t *ms, em_error *err)
{
    struct timespec now;
    int result = EM_SYS(sys, clock, clock, &now);
    if (result < 0)
        return em_fail_sys(err, -result, "clock_gettime");
    *ms = em_ms_of(now);
    return EM_OK;
}

em_status em_io_random(const em_sys *sys, void *out, size_t size, em_error *err)
{
    char *bytes = out;
    for (size_t done = 0; done < size;) {
        int got = EM_SYS_RETRY(sys, random, bytes + done, size - done);
        if (got < 0)
            return em_fail_sys(err, -got, "getrandom");
        done += (size_t)got;
    }
    return EM_OK;
}
