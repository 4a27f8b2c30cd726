/* sqlite_shm.c: the -shm file: opened, mapped region by region, locked.
 *
 * The functions are the shared-memory methods of a VFS (xShmMap, xShmLock, xShmBarrier, xShmUnmap),
 * called by sqlite_vfs.c with what SQLite gives.
 */
#include "history/sqlite_shm.h"

#include "system/sys_io.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    /* The bytes that every SQLite locks in this file: they follow the header of the index. */
    FIRST_LOCK = 120,
    DEAD_MAN = FIRST_LOCK + SQLITE_SHM_NLOCK,

    EMPTY = 3, /* bytes: too few for a header, so nobody takes them for one */
    FILE_MODE = 0600,
};

static int shm_fail(em_sqlite_shm *shm, ssize_t result, int code)
{
    shm->error = (int)-result;
    return code;
}

static int range_lock(em_sqlite_shm *shm, short type, off_t start, off_t length)
{
    int result = EM_SYS_RETRY(shm->sys, lock, shm->fd, type, start, length);
    if (result == -EAGAIN)
        return SQLITE_BUSY;
    return result < 0 ? shm_fail(shm, result, SQLITE_IOERR_SHMLOCK) : SQLITE_OK;
}

/* ---- The file ------------------------------------------------------------------------------ */

void em_sqlite_shm_path(const char *path, char out[static EM_SQLITE_SHM_PATH])
{
    snprintf(out, EM_SQLITE_SHM_PATH, "%s-shm", path);
}

static void shm_close(em_sqlite_shm *shm)
{
    EM_SYS(shm->sys, close, shm->fd);
    shm->fd = -1;
    shm->shared = false;
}

static bool is_refused(int result)
{
    return result == -EACCES || result == -EROFS;
}

static int shm_open_file(em_sqlite_shm *shm, const char *path)
{
    char name[EM_SQLITE_SHM_PATH];
    const int flags = O_NOFOLLOW;
    em_sqlite_shm_path(path, name);
    int fd = EM_SYS_RETRY(shm->sys, open, AT_FDCWD, name, O_RDWR | O_CREAT | flags, FILE_MODE, 0);
    shm->readonly = is_refused(fd);
    if (shm->readonly)
        fd = EM_SYS_RETRY(shm->sys, open, AT_FDCWD, name, O_RDONLY | flags, 0, 0);
    if (shm->readonly && (fd == -ENOENT || is_refused(fd)))
        return SQLITE_READONLY_CANTINIT;
    if (fd < 0)
        return shm_fail(shm, fd, SQLITE_IOERR_SHMOPEN);
    shm->fd = fd;
    return SQLITE_OK;
}

/* Whoever can take the switch for itself is alone: what the file holds is of the dead. */
static int begin_writable(em_sqlite_shm *shm)
{
    int code = range_lock(shm, F_WRLCK, DEAD_MAN, 1);
    if (code == SQLITE_OK) {
        int result = EM_SYS_RETRY(shm->sys, truncate, shm->fd, EMPTY);
        if (result < 0)
            return shm_fail(shm, result, SQLITE_IOERR_SHMOPEN);
    } else if (code != SQLITE_BUSY) {
        return code;
    }
    return range_lock(shm, F_RDLCK, DEAD_MAN, 1);
}

static int begin_readonly(em_sqlite_shm *shm)
{
    int result = EM_SYS_RETRY(shm->sys, locked, shm->fd, F_WRLCK, DEAD_MAN, 1);
    if (result < 0)
        return shm_fail(shm, result, SQLITE_IOERR_SHMLOCK);
    return result == 0 ? SQLITE_READONLY_CANTINIT : range_lock(shm, F_RDLCK, DEAD_MAN, 1);
}

static int shm_begin(em_sqlite_shm *shm, const char *path)
{
    int code = SQLITE_OK;
    if (shm->shared)
        return SQLITE_OK;
    if (shm->fd < 0)
        code = shm_open_file(shm, path);
    if (code == SQLITE_OK)
        code = shm->readonly ? begin_readonly(shm) : begin_writable(shm);
    shm->shared = code == SQLITE_OK;
    if (code != SQLITE_OK && code != SQLITE_READONLY_CANTINIT && shm->fd >= 0)
        shm_close(shm);
    return code;
}

/* ---- The memory ---------------------------------------------------------------------------- */

/* Regions are mapped as many together as a page of memory needs. */
static int regions_in_piece(int size)
{
    long page = sysconf(_SC_PAGESIZE);
    return page > size ? (int)(page / size) : 1;
}

/* Make the file longer, by zeros that have their place on the disk: a hole that finds none when it
 * is stored to would end the process. */
static int extend_file(em_sqlite_shm *shm, off_t from, off_t to)
{
    em_io_file file = {shm->sys, shm->fd, "-shm"};
    static const char zeros[4096];
    struct iovec pieces[16];
    while (from < to) {
        size_t count = 0;
        off_t end = from;
        for (; end < to && count < sizeof pieces / sizeof *pieces; count++) {
            size_t left = (size_t)(to - end), part = left < sizeof zeros ? left : sizeof zeros;
            pieces[count] = (struct iovec){(void *)(uintptr_t)zeros, part};
            end += (off_t)part;
        }
        em_error err = EM_ERROR_INIT;
        if (em_io_write_all(file, pieces, count, from, &err) != EM_OK)
            return shm_fail(shm, -err.sys, SQLITE_IOERR_SHMSIZE);
        from = end;
    }
    return SQLITE_OK;
}

/* SQLite extends it with the lock of the writer, so nobody else does at the same time. */
static int reach(em_sqlite_shm *shm, off_t end, bool extend, bool *reaches)
{
    em_stat stat;
    int result = EM_SYS_RETRY(shm->sys, stat, shm->fd, "", AT_EMPTY_PATH, &stat);
    if (result < 0)
        return shm_fail(shm, result, SQLITE_IOERR_SHMSIZE);
    *reaches = (off_t)stat.size >= end || extend;
    return *reaches ? extend_file(shm, (off_t)stat.size, end) : SQLITE_OK;
}

static int map_pieces(em_sqlite_shm *shm, int count)
{
    void **grown = realloc(shm->pieces, (size_t)count * sizeof *grown);
    if (!grown)
        return SQLITE_IOERR_NOMEM;
    shm->pieces = grown;
    while (shm->piece_count < count) {
        off_t offset = (off_t)shm->piece_size * shm->piece_count;
        int result = EM_SYS_RETRY(shm->sys, map, shm->fd, offset, shm->piece_size, !shm->readonly,
                                  &shm->pieces[shm->piece_count]);
        if (result < 0)
            return shm_fail(shm, result, SQLITE_IOERR_SHMMAP);
        shm->piece_count++;
    }
    return SQLITE_OK;
}

int em_sqlite_shm_map(em_sqlite_shm *shm, const char *path, int region, int size, bool extend,
                      void volatile **out)
{
    int per_piece = regions_in_piece(size), piece = region / per_piece;
    bool reaches = true;
    *out = NULL;
    shm->piece_size = (size_t)per_piece * (size_t)size;
    int code = shm_begin(shm, path);
    if (code == SQLITE_OK && piece >= shm->piece_count) {
        code = reach(shm, (off_t)shm->piece_size * (piece + 1), extend, &reaches);
        if (code == SQLITE_OK && reaches)
            code = map_pieces(shm, piece + 1);
    }
    if (code != SQLITE_OK)
        return code;
    if (reaches)
        *out = (char *)shm->pieces[piece] + (size_t)(region % per_piece) * (size_t)size;
    return shm->readonly ? SQLITE_READONLY : SQLITE_OK;
}

/* The memory goes first: as long as it is mapped the kernel keeps the file open, and our locks. */
int em_sqlite_shm_unmap(em_sqlite_shm *shm, const char *path, bool remove)
{
    char name[EM_SQLITE_SHM_PATH];
    for (; shm->piece_count > 0; shm->piece_count--)
        EM_SYS_RETRY(shm->sys, unmap, shm->pieces[shm->piece_count - 1], shm->piece_size);
    free(shm->pieces);
    shm->pieces = NULL;
    if (shm->fd >= 0)
        shm_close(shm);
    if (!remove)
        return SQLITE_OK;
    em_sqlite_shm_path(path, name);
    EM_SYS_RETRY(shm->sys, unlink, AT_FDCWD, name, 0); /* what is left of it says nothing */
    return SQLITE_OK;
}

/* ---- Locks --------------------------------------------------------------------------------- */

/* Without a file there is nobody to be kept out: see (3). */
int em_sqlite_shm_lock(em_sqlite_shm *shm, int first, int count, int flags)
{
    short type = F_UNLCK;
    if (shm->fd < 0)
        return SQLITE_OK;
    if (flags & SQLITE_SHM_LOCK)
        type = flags & SQLITE_SHM_SHARED ? F_RDLCK : F_WRLCK;
    return range_lock(shm, type, FIRST_LOCK + first, count);
}

void em_sqlite_shm_barrier(void)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
