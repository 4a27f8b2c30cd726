/* content.c: pieces walked, hashed and written.
 *
 * Begin with em_content_next, which gives one piece after the other: old bytes, what is inserted,
 * old bytes. Hashing and writing walk by it, but for large files, of which transfer.c has the walk.
 */
#include "workspace/content.h"

#include "system/hash.h"
#include "system/sys_io.h"
#include "workspace/transfer.h"

#include <linux/magic.h>

/* One batch is hashed and then written: small enough to be in the cache still, large enough that
 * the calls do not count. */
enum { BATCH_PIECES = 256, BATCH_BYTES = 512 * 1024 };

/* Pieces that are shorter than that on average are put side by side before they are hashed and
 * written: a copy within the cache costs less than a piece does in the hash and in the kernel. */
enum { SHORT_PIECE = 2048, WINDOW = 128 * 1024 };

/* For so many bytes it pays to ask for their blocks at once. */
enum { RESERVED_LEAST = 4 << 20 };

em_content em_content_of(const em_file *file, em_splices splices)
{
    return (em_content){
        .old = file->bytes, .splices = splices, .large = file->is_large ? file : NULL};
}

size_t em_content_old_size(const em_content *content)
{
    return content->large ? content->large->size : content->old.len;
}

bool em_content_valid(const em_content *content)
{
    size_t at = 0, inserted = 0, old = em_content_old_size(content);
    for (size_t i = 0; i < content->splices.count; i++) {
        em_splice splice = content->splices.items[i];
        if (splice.offset < at || splice.offset > old || splice.length > old - splice.offset)
            return false;
        at = splice.offset + splice.length;
        if (__builtin_add_overflow(inserted, splice.insert.len, &inserted))
            return false;
    }
    return inserted <= PTRDIFF_MAX && old <= PTRDIFF_MAX - inserted;
}

size_t em_content_size(const em_content *content)
{
    size_t size = em_content_old_size(content);
    for (size_t i = 0; i < content->splices.count; i++)
        size = size - content->splices.items[i].length + content->splices.items[i].insert.len;
    return size;
}

em_slice em_content_next(const em_content *content, em_content_walk *walk, size_t most)
{
    while (walk->splice < content->splices.count) {
        const em_splice *splice = &content->splices.items[walk->splice];
        if (walk->old < splice->offset)
            break;
        em_slice left = em_slice_from(splice->insert, walk->insert);
        if (left.len > 0) {
            size_t length = left.len < most ? left.len : most;
            walk->insert += length;
            return em_slice_sub(left, 0, length);
        }
        walk->old = splice->offset + splice->length;
        walk->splice++;
        walk->insert = 0;
    }
    bool last = walk->splice == content->splices.count;
    size_t end = last ? content->old.len : content->splices.items[walk->splice].offset;
    if (end - walk->old > most)
        end = walk->old + most;
    em_slice piece = em_slice_sub(content->old, walk->old, end);
    walk->old = end;
    return piece;
}

em_status em_content_join(const em_content *content, em_arena *arena, em_slice *out)
{
    em_content_walk walk = {0};
    size_t size = em_content_size(content), at = 0;
    char *room = em_alloc_raw(arena, size);
    if (!room)
        return EM_E_NOMEM;
    for (;;) {
        em_slice piece = em_content_next(content, &walk, SIZE_MAX);
        if (piece.len == 0)
            break;
        memcpy(room + at, piece.ptr, piece.len);
        at += piece.len;
    }
    *out = em_slice_make(room, size);
    return EM_OK;
}

em_status em_content_hash(const em_content *content, const em_sys *sys, const char *path,
                          em_hash *hash, em_error *err)
{
    EM_AUTO(em_hasher) hasher = {0};
    em_content_walk walk = {0};
    if (content->large)
        return em_transfer(content, sys, -1, 0, path, hash, err);
    EM_TRY(em_hasher_start(&hasher));
    for (;;) {
        em_slice piece = em_content_next(content, &walk, SIZE_MAX);
        if (piece.len == 0)
            break;
        em_hasher_add(&hasher, piece);
    }
    *hash = em_hasher_end(&hasher);
    return EM_OK;
}

/* As many pieces as make one batch; how many bytes they are. */
static size_t batch_fill(const em_content *content, em_content_walk *walk,
                         struct iovec batch[static BATCH_PIECES], size_t *count)
{
    size_t bytes = 0;
    *count = 0;
    while (*count < BATCH_PIECES && bytes < BATCH_BYTES) {
        em_slice piece = em_content_next(content, walk, BATCH_BYTES - bytes);
        if (piece.len == 0)
            break;
        batch[(*count)++] =
            (struct iovec){.iov_base = (void *)(uintptr_t)piece.ptr, .iov_len = piece.len};
        bytes += piece.len;
    }
    return bytes;
}

/* As many bytes of the walk as the window holds, side by side. */
static size_t window_fill(const em_content *content, em_content_walk *walk,
                          char window[static WINDOW])
{
    size_t bytes = 0;
    while (bytes < WINDOW) {
        em_slice piece = em_content_next(content, walk, WINDOW - bytes);
        if (piece.len == 0)
            break;
        memcpy(window + bytes, piece.ptr, piece.len);
        bytes += piece.len;
    }
    return bytes;
}

static em_status write_joined(const em_content *content, em_content_walk walk, off_t offset,
                              em_hasher *hasher, const em_sys *sys, int fd, const char *path,
                              em_error *err)
{
    _Alignas(64) char window[WINDOW];
    size_t bytes;
    while ((bytes = window_fill(content, &walk, window)) > 0) {
        struct iovec whole = {.iov_base = window, .iov_len = bytes};
        if (hasher)
            em_hasher_add(hasher, em_slice_make(window, bytes));
        EM_TRY(em_io_write_all(sys, fd, &whole, 1, offset, path, err));
        offset += (off_t)bytes;
    }
    return EM_OK;
}

static bool has_short_pieces(const em_content *content)
{
    size_t pieces = 2 * content->splices.count + 1;
    return pieces > BATCH_PIECES && em_content_size(content) / pieces < SHORT_PIECE;
}

static em_status write_pieces(const em_content *content, em_content_walk walk, off_t offset,
                              em_hasher *hasher, const em_sys *sys, int fd, const char *path,
                              em_error *err)
{
    struct iovec batch[BATCH_PIECES];
    size_t count, bytes;
    while ((bytes = batch_fill(content, &walk, batch, &count)) > 0) {
        for (size_t i = 0; hasher && i < count; i++)
            em_hasher_add(hasher, em_slice_make(batch[i].iov_base, batch[i].iov_len));
        EM_TRY(em_io_write_all(sys, fd, batch, count, offset, path, err));
        offset += (off_t)bytes;
    }
    return EM_OK;
}

/* Write what is left of the walk to `fd` from `offset` on; `hasher` may be NULL. */
static em_status write_from(const em_content *content, em_content_walk walk, off_t offset,
                            em_hasher *hasher, const em_sys *sys, int fd, const char *path,
                            em_error *err)
{
    if (has_short_pieces(content))
        return write_joined(content, walk, offset, hasher, sys, fd, path, err);
    return write_pieces(content, walk, offset, hasher, sys, fd, path, err);
}

em_status em_content_reserve(const em_sys *sys, int fd, size_t size, const char *path,
                             em_error *err)
{
    uint64_t magic = 0;
    if (size < RESERVED_LEAST || EM_SYS_RETRY(sys, filesystem, fd, &magic) != 0 ||
        magic != EXT4_SUPER_MAGIC)
        return EM_OK;
    int result = EM_SYS_RETRY(sys, reserve, fd, (off_t)size);
    bool is_full = result == -ENOSPC || result == -EDQUOT || result == -EFBIG;
    return is_full ? em_io_fail(err, result, "write", path) : EM_OK;
}

em_status em_content_write(const em_content *content, const em_sys *sys, int fd, const char *path,
                           em_hash *hash, em_error *err)
{
    EM_AUTO(em_hasher) hasher = {0};
    EM_TRY(em_content_reserve(sys, fd, em_content_size(content), path, err));
    if (content->large)
        return em_transfer(content, sys, fd, 0, path, hash, err);
    EM_TRY(em_hasher_start(&hasher));
    EM_TRY(write_from(content, (em_content_walk){0}, 0, &hasher, sys, fd, path, err));
    *hash = em_hasher_end(&hasher);
    return EM_OK;
}

em_status em_content_write_at(const em_content *content, const em_sys *sys, int fd, off_t offset,
                              const char *path, em_error *err)
{
    return write_from(content, (em_content_walk){0}, offset, NULL, sys, fd, path, err);
}

em_status em_content_overwrite(const em_content *content, const em_sys *sys, int fd,
                               const char *path, em_error *err)
{
    size_t start = content->splices.count > 0 ? content->splices.items[0].offset : content->old.len;
    em_content_walk walk = {.old = start};
    return write_from(content, walk, (off_t)start, NULL, sys, fd, path, err);
}
