#include "workspace/copies.h"

#include "system/hash.h"
#include "system/sys_io.h"

#include <string.h>

enum { WINDOW = 64 * 1024 };

em_status em_copies_open(const em_workspace *ws, int *dir, em_error *err)
{
    return em_state_folder(&ws->state, "copies", true, dir, err);
}

/* The copy, or the file that it is of: where either cannot be read, it is told of copies/. */
static em_io_file one_of_both(const em_sys *sys, int fd)
{
    return (em_io_file){sys, fd, "copies"};
}

/* The hash of [offset, offset + size) of the file; *whole says whether there is as much. */
static em_status hash_range(em_io_file file, uint64_t offset, uint64_t size, em_hash *hash,
                            bool *whole, em_error *err)
{
    EM_AUTO(em_hasher) hasher = {0};
    char window[WINDOW];
    EM_TRY(em_hasher_start(&hasher));
    *whole = true;
    while (size > 0 && *whole) {
        size_t most = size < sizeof window ? (size_t)size : sizeof window;
        ssize_t got = EM_SYS_RETRY(file.sys, read, file.fd, window, most, (off_t)offset);
        if (got < 0)
            return em_state_fail(err, got, "read", file.path);
        *whole = got > 0;
        em_hasher_add(&hasher, em_slice_make(window, (size_t)got));
        offset += (uint64_t)got;
        size -= (uint64_t)got;
    }
    *hash = em_hasher_end(&hasher);
    return EM_OK;
}

em_status em_copy_is_complete(const em_sys *sys, int copy, const em_row *row, bool *complete,
                              em_error *err)
{
    em_io_file file = one_of_both(sys, copy);
    em_hash hash;
    EM_TRY(hash_range(file, 0, row->old_size, &hash, complete, err));
    *complete = *complete && em_hash_eq(hash, row->old_hash);
    if (!*complete)
        return EM_OK;
    EM_TRY(hash_range(file, row->old_size, row->new_size, &hash, complete, err));
    *complete = *complete && em_hash_eq(hash, row->new_hash);
    return EM_OK;
}

/* Read [offset, offset + size) or as much as there is; the rest of `out` is zeros. */
static em_status read_some(em_io_file file, uint64_t offset, char *out, size_t size, em_error *err)
{
    size_t done = 0;
    memset(out, 0, size);
    while (done < size) {
        ssize_t got =
            EM_SYS_RETRY(file.sys, read, file.fd, out + done, size - done, (off_t)(offset + done));
        if (got < 0)
            return em_state_fail(err, got, "read", file.path);
        if (got == 0)
            break;
        done += (size_t)got;
    }
    return EM_OK;
}

/* Byte by byte: the old one, the new one, or, where the file has grown, one not yet written. */
static bool is_mixture(const char *have, const char *old, const char *new, size_t size, uint64_t at,
                       const em_row *row)
{
    for (size_t i = 0; i < size; i++) {
        bool is_old = at + i < row->old_size && have[i] == old[i];
        bool is_new = at + i < row->new_size && have[i] == new[i];
        bool is_unwritten = at + i >= row->old_size && have[i] == 0;
        if (!is_old && !is_new && !is_unwritten)
            return false;
    }
    return true;
}

em_status em_copy_explains(const em_sys *sys, int copy, const em_row *row, int fd, uint64_t size,
                           bool *explains, em_error *err)
{
    em_io_file file = one_of_both(sys, fd), copied = one_of_both(sys, copy);
    char have[WINDOW / 4], old[WINDOW / 4], new[WINDOW / 4];
    uint64_t longest = row->old_size > row->new_size ? row->old_size : row->new_size;
    uint64_t shortest = row->old_size < row->new_size ? row->old_size : row->new_size;
    *explains = size >= shortest && size <= longest;
    for (uint64_t at = 0; at < size && *explains; at += sizeof have) {
        size_t length = size - at < sizeof have ? (size_t)(size - at) : sizeof have;
        EM_TRY(read_some(file, at, have, length, err));
        EM_TRY(read_some(copied, at, old, length, err));
        EM_TRY(read_some(copied, row->old_size + at, new, length, err));
        *explains = is_mixture(have, old, new, length, at, row);
    }
    return EM_OK;
}

em_status em_copy_restore(const em_sys *sys, int copy, const em_row *row, int fd, em_error *err)
{
    em_io_file file = {sys, fd, row->path}, copied = one_of_both(sys, copy);
    char window[WINDOW];
    for (uint64_t at = 0; at < row->old_size; at += sizeof window) {
        uint64_t left = row->old_size - at;
        size_t length = left < sizeof window ? (size_t)left : sizeof window;
        struct iovec piece = {.iov_base = window, .iov_len = length};
        EM_TRY(read_some(copied, at, window, length, err));
        EM_TRY(em_io_write_all(file, &piece, 1, (off_t)at, err));
    }
    int result = EM_SYS_RETRY(sys, truncate, fd, (off_t)row->old_size);
    if (result < 0)
        return em_io_fail(err, result, "truncate", row->path);
    return em_io_sync(file, false, err);
}
