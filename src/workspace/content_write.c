#include "workspace/content_write.h"

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

em_status em_content_hash(const em_content *content, const em_sys *sys, const char *path,
                          em_hash *hash, em_error *err)
{
    EM_AUTO(em_hasher) hasher = {0};
    em_content_walk walk = {0};
    if (content->large)
        return em_transfer(content, (em_io_file){sys, -1, path}, 0, hash, err);
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

static em_status write_joined(const em_content *content, em_content_walk walk, em_io_file file,
                              off_t offset, em_hasher *hasher, em_error *err)
{
    _Alignas(64) char window[WINDOW];
    size_t bytes;
    while ((bytes = window_fill(content, &walk, window)) > 0) {
        struct iovec whole = {.iov_base = window, .iov_len = bytes};
        if (hasher)
            em_hasher_add(hasher, em_slice_make(window, bytes));
        EM_TRY(em_io_write_all(file, &whole, 1, offset, err));
        offset += (off_t)bytes;
    }
    return EM_OK;
}

static bool has_short_pieces(const em_content *content)
{
    size_t pieces = 2 * content->splices.count + 1;
    return pieces > BATCH_PIECES && em_content_size(content) / pieces < SHORT_PIECE;
}

static em_status write_pieces(const em_content *content, em_content_walk walk, em_io_file file,
                              off_t offset, em_hasher *hasher, em_error *err)
{
    struct iovec batch[BATCH_PIECES];
    size_t count, bytes;
    while ((bytes = batch_fill(content, &walk, batch, &count)) > 0) {
        for (size_t i = 0; hasher && i < count; i++)
            em_hasher_add(hasher, em_slice_make(batch[i].iov_base, batch[i].iov_len));
        EM_TRY(em_io_write_all(file, batch, count, offset, err));
        offset += (off_t)bytes;
    }
    return EM_OK;
}

/* Write what is left of the walk to the file from `offset` on; `hasher` may be NULL. */
static em_status write_from(const em_content *content, em_content_walk walk, em_io_file file,
                            off_t offset, em_hasher *hasher, em_error *err)
{
    if (has_short_pieces(content))
        return write_joined(content, walk, file, offset, hasher, err);
    return write_pieces(content, walk, file, offset, hasher, err);
}

em_status em_content_reserve(em_io_file file, size_t size, em_error *err)
{
    uint64_t magic = 0;
    if (size < RESERVED_LEAST || EM_SYS_RETRY(file.sys, filesystem, file.fd, &magic) != 0 ||
        magic != EXT4_SUPER_MAGIC)
        return EM_OK;
    int result = EM_SYS_RETRY(file.sys, reserve, file.fd, (off_t)size);
    bool is_full = result == -ENOSPC || result == -EDQUOT || result == -EFBIG;
    return is_full ? em_io_fail(err, result, "write", file.path) : EM_OK;
}

em_status em_content_write(const em_content *content, em_io_file file, em_hash *hash, em_error *err)
{
    EM_AUTO(em_hasher) hasher = {0};
    EM_TRY(em_content_reserve(file, em_content_size(content), err));
    if (content->large)
        return em_transfer(content, file, 0, hash, err);
    EM_TRY(em_hasher_start(&hasher));
    EM_TRY(write_from(content, (em_content_walk){0}, file, 0, &hasher, err));
    *hash = em_hasher_end(&hasher);
    return EM_OK;
}

em_status em_content_write_at(const em_content *content, em_io_file file, off_t offset,
                              em_error *err)
{
    return write_from(content, (em_content_walk){0}, file, offset, NULL, err);
}

em_status em_content_overwrite(const em_content *content, em_io_file file, em_error *err)
{
    size_t start = content->splices.count > 0 ? content->splices.items[0].offset : content->old.len;
    em_content_walk walk = {.old = start};
    return write_from(content, walk, file, (off_t)start, NULL, err);
}
