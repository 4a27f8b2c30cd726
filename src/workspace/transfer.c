/* transfer.c: from the old file to the new one.
 *
 *  (1) The new hash is that of the bytes that are in the new file, which nobody else can reach yet:
 *      what the kernel moved is read from there, what went through the window was written from it.
 *  (2) The stretches that went over are hashed together with the old bytes of each splice, too:
 *      that must be the hash of the old content. So nothing is in the new file but what the change
 *      was planned on, whoever wrote to the old one meanwhile.
 *  (3) Up to the first splice old and new are the same, and hashed once.
 *  (4) The kernel is asked where it may do better than a read and a write. Where its copy is one
 *      from page to page the window is quicker, since what passed through it is not read again.
 */
#include "workspace/transfer.h"

#include "system/hash.h"
#include "system/names.h"
#include "system/sys_io.h"
#include "workspace/ws.h"

#include <linux/magic.h>
#include <stdlib.h>

enum {
    WINDOW = 256 << 10, /* stays in the processor's cache from the copy to the hash */
    SHORT = 32 << 10,   /* a stretch that is not worth more than a read and a write */
    BLOCK = 64 << 10,   /* a multiple of what file systems share */
    SHARED = 64 << 20,  /* asked for at a time where blocks are shared: each has its price */
    PORTION = 8 << 20,  /* so much is there before the disk is told to begin with it */
};

typedef struct transfer {
    const em_content *content;
    const em_sys *sys;
    int from, to;
    off_t at; /* in the new file */
    const char *path;
    em_hasher old, new; /* `new` counts from the first splice on: `parted` */
    bool parted;
    off_t written_out;   /* up to here the disk has been told to begin */
    char *room, *window; /* the window lies where copies from and to it are quick */
    bool in_kernel;
    size_t most; /* bytes that the kernel is asked for at a time */
    em_error *err;
} transfer;

/* ---- Reading and writing -------------------------------------------------------------------- */

static em_status changed(const transfer *t)
{
    return em_fail_cause(t->err, EM_E_CONFLICT, EM_CAUSE_CHANGED,
                         "%s was changed since it was read", t->path);
}

#define NOWHERE ((off_t)-1)

/* Fill the first `size` bytes of the window, which will be written to `to`, or NOWHERE. */
static em_status window_fill(transfer *t, int fd, off_t offset, size_t size, off_t to)
{
    t->window = em_io_window(t->room, offset, to);
    for (size_t got = 0; got < size;) {
        ssize_t more =
            EM_SYS_RETRY(t->sys, read, fd, t->window + got, size - got, offset + (off_t)got);
        if (more < 0)
            return em_io_fail(t->err, more, "read", t->path);
        if (more == 0)
            return changed(t);
        got += (size_t)more;
    }
    return EM_OK;
}

/* So many bytes more are in the new file. */
static void go_on(transfer *t, size_t size)
{
    t->at += (off_t)size;
    if (t->to < 0 || !t->content->to_be_synced || t->at - t->written_out < PORTION)
        return;
    EM_SYS_RETRY(t->sys, write_out, t->to);
    t->written_out = t->at;
}

/* Put bytes of ours, or of the window, into the new file. */
static em_status put(transfer *t, em_slice bytes)
{
    struct iovec piece = {.iov_base = (void *)(uintptr_t)bytes.ptr, .iov_len = bytes.len};
    if (t->to >= 0 && bytes.len > 0)
        EM_TRY(em_io_write_all((em_io_file){t->sys, t->to, t->path}, &piece, 1, t->at, t->err));
    go_on(t, bytes.len);
    return EM_OK;
}

/* Bytes that stay. */
static void hash_kept(transfer *t, em_slice bytes)
{
    em_hasher_add(&t->old, bytes);
    if (t->parted)
        em_hasher_add(&t->new, bytes);
}

/* ---- What stays ---------------------------------------------------------------------------- */

/* As much as leads to the edge of a window in the new file: from there on the pages are whole. */
static em_status keep_through_window(transfer *t, size_t offset, size_t size, size_t *done)
{
    size_t to_edge = WINDOW - (size_t)t->at % WINDOW;
    *done = size < to_edge ? size : to_edge;
    EM_TRY(window_fill(t, t->from, (off_t)offset, *done, t->to >= 0 ? t->at : NOWHERE));
    em_slice bytes = {t->window, *done};
    hash_kept(t, bytes);
    return put(t, bytes);
}

/* Read what the kernel has put into the new file, from t->at on. */
static em_status look_at(transfer *t, size_t size)
{
    while (size > 0) {
        size_t some = size < WINDOW ? size : WINDOW;
        EM_TRY(window_fill(t, t->to, t->at, some, NOWHERE));
        hash_kept(t, em_slice_make(t->window, some));
        go_on(t, some);
        size -= some;
    }
    return EM_OK;
}

static bool cannot_move(ssize_t result)
{
    return result == -EXDEV || result == -EPERM || result == -ETXTBSY || result == -EOVERFLOW ||
           (result < 0 && em_is_unsupported((int)result));
}

/* How much to ask for, so that the rest begins at the edge of a block where that can be. */
static size_t stride(const transfer *t, size_t offset, size_t size)
{
    size_t to_edge = BLOCK - offset % BLOCK;
    bool fits = ((size_t)t->at - offset) % BLOCK == 0;
    if (fits && to_edge < BLOCK && to_edge < size)
        return to_edge;
    return size < t->most ? size : t->most;
}

static em_status keep_in_kernel(transfer *t, size_t offset, size_t size, size_t *done)
{
    ssize_t moved =
        EM_SYS_RETRY(t->sys, copy, t->from, (off_t)offset, t->to, t->at, stride(t, offset, size));
    *done = 0;
    if (cannot_move(moved)) {
        t->in_kernel = false;
        return EM_OK;
    }
    if (moved < 0)
        return em_io_fail(t->err, moved, "copy", t->path);
    if (moved == 0)
        return changed(t);
    *done = (size_t)moved;
    return look_at(t, *done);
}

static em_status keep(transfer *t, size_t offset, size_t end)
{
    while (offset < end) {
        size_t size = end - offset, done;
        if (t->in_kernel && size > SHORT)
            EM_TRY(keep_in_kernel(t, offset, size, &done));
        else
            EM_TRY(keep_through_window(t, offset, size, &done));
        offset += done;
    }
    return EM_OK;
}

/* ---- What goes, and what comes --------------------------------------------------------------- */

static void part(transfer *t)
{
    if (!t->parted)
        em_hasher_copy(&t->new, &t->old);
    t->parted = true;
}

/* The old bytes of a splice: those that the change was planned on, where they are held. */
static em_status replace(transfer *t, const em_splice *splice)
{
    part(t);
    const em_extract *extract = t->content->large->extract;
    size_t end = splice->offset + splice->length;
    size_t at = extract ? em_extract_find(extract, splice->offset, end) : EM_NPOS;
    if (at != EM_NPOS) {
        em_hasher_add(&t->old, em_slice_sub(extract->body, at, at + splice->length));
    } else {
        for (size_t offset = splice->offset; offset < end;) {
            size_t some = end - offset < WINDOW ? end - offset : WINDOW;
            EM_TRY(window_fill(t, t->from, (off_t)offset, some, NOWHERE));
            em_hasher_add(&t->old, em_slice_make(t->window, some));
            offset += some;
        }
    }
    em_hasher_add(&t->new, splice->insert);
    return put(t, splice->insert);
}

/* ---- All of it ----------------------------------------------------------------------------- */

em_transfer_way em_transfer_way_on(const em_sys *sys, int fd)
{
    uint64_t magic = 0;
    if (EM_SYS_RETRY(sys, filesystem, fd, &magic) != 0)
        return EM_TRANSFER_ASKED;
    if (magic == XFS_SUPER_MAGIC || magic == BTRFS_SUPER_MAGIC)
        return EM_TRANSFER_SHARED;
    return magic == EXT4_SUPER_MAGIC || magic == TMPFS_MAGIC ? EM_TRANSFER_COPIED
                                                             : EM_TRANSFER_ASKED;
}

/* Where blocks can be shared much is asked for at once, else no more than stays in the cache. */
static void choose_way(transfer *t)
{
    em_transfer_way way = em_transfer_way_on(t->sys, t->to);
    t->in_kernel = way != EM_TRANSFER_COPIED;
    t->most = way == EM_TRANSFER_SHARED ? SHARED : WINDOW;
}

static em_status run(transfer *t)
{
    const em_content *content = t->content;
    size_t at = 0;
    EM_TRY(em_hasher_start(&t->old));
    EM_TRY(em_hasher_start(&t->new));
    t->room = malloc(WINDOW + EM_IO_SKEW);
    if (!t->room)
        return EM_E_NOMEM;
    if (t->to >= 0)
        choose_way(t);
    for (size_t i = 0; i < content->splices.count; i++) {
        const em_splice *splice = &content->splices.items[i];
        EM_TRY(keep(t, at, splice->offset));
        EM_TRY(replace(t, splice));
        at = splice->offset + splice->length;
    }
    EM_TRY(keep(t, at, em_content_old_size(content)));
    part(t);
    return em_hash_eq(em_hasher_end(&t->old), content->large->hash) ? EM_OK : changed(t);
}

em_status em_transfer(const em_content *content, em_io_file to, off_t offset, em_hash *hash,
                      em_error *err)
{
    transfer t = {.content = content,
                  .sys = to.sys,
                  .from = content->large->state->fd,
                  .to = to.fd,
                  .at = offset,
                  .path = to.path,
                  .err = err};
    em_status status = run(&t);
    if (status == EM_OK && hash)
        *hash = em_hasher_end(&t.new);
    em_hasher_drop(&t.old);
    em_hasher_drop(&t.new);
    free(t.room);
    return status;
}
