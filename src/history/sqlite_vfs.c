/* sqlite_vfs.c: SQLite's file methods over the table of system calls.
 *
 * It does what SQLite's own os_unix.c does, with four differences:
 *
 *  (1) Locks belong to the open file description. So two connections of one process exclude each
 *      other as two processes do, and closing one of them drops nobody else's locks. The memory
 *      that they share is sqlite_shm.c's.
 *  (2) An error is never taken for an answer. Above all a journal that cannot be looked for is not
 *      a journal that is missing: that would leave half a transaction in the database.
 *  (3) A failing fsync of the folder counts as a failing commit.
 *  (4) The pages of a commit go to the write-ahead log in one write: sqlite_log.c.
 *
 * The lock protocol of the database itself: SHARED is a read lock on the shared range, RESERVED a
 * write lock on the reserved byte, PENDING a write lock on the pending byte (new readers need a
 * read lock there for a moment), EXCLUSIVE a write lock on the shared range. See
 * https://www.sqlite.org/lockingv3.html.
 */
#include "history/sqlite_vfs.h"

#include "history/sqlite_log.h"
#include "history/sqlite_shm.h"
#include "system/sys_io.h"

#include <limits.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    /* The bytes that every SQLite on every system locks; they lie in a page that holds no data. */
    PENDING_BYTE = 0x40000000,
    RESERVED_BYTE = PENDING_BYTE + 1,
    SHARED_FIRST = PENDING_BYTE + 2,
    SHARED_SIZE = 510,
    ALL_SIZE = 2 + SHARED_SIZE,

    LOG_WRITE_LOCK = 0, /* of the locks of a write-ahead log: who has it may write there */

    SECTOR = 4096,    /* what a torn write may reach beyond its own bytes */
    FILE_MODE = 0600, /* the history holds pieces of files that others may not read */
    NAME_SIZE = 32,
};

struct em_sqlite_vfs {
    sqlite3_vfs base; /* first: SQLite knows only this part */
    const em_sys *sys;
    int last_errno;
    bool shared_memory;
    uint64_t durable_journal;  /* inode of a journal whose name is known to be on disk; 0: none */
    struct vfs_file *log_file; /* the write-ahead log that is open; NULL */
    em_sqlite_log log;         /* what it gathers */
    char name[NAME_SIZE];
};

typedef struct vfs_file {
    sqlite3_file base; /* first: SQLite knows only this part */
    em_sqlite_vfs *vfs;
    const char *path; /* SQLite's, valid until the file is closed */
    int fd;
    int level;         /* SQLITE_LOCK_... that is held */
    bool folder_sync;  /* its name is new and may not be on disk yet */
    em_sqlite_shm shm; /* of a database */
} vfs_file;

static em_sqlite_vfs *vfs_of(sqlite3_vfs *base)
{
    return (em_sqlite_vfs *)base;
}

static vfs_file *file_of(sqlite3_file *base)
{
    return (vfs_file *)base;
}

/* Keep the errno of a call that failed, and say it in SQLite's words. */
static int vfs_fail(em_sqlite_vfs *vfs, ssize_t result, int code)
{
    vfs->last_errno = (int)-result;
    return code;
}

static int vfs_result(em_sqlite_vfs *vfs, ssize_t result, int code)
{
    return result < 0 ? vfs_fail(vfs, result, code) : SQLITE_OK;
}

/* Make the names in the folder of `path` durable. */
static int folder_sync(em_sqlite_vfs *vfs, const char *path)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    size_t length = slash == path ? 1 : (size_t)(slash - path);
    memcpy(folder, path, length);
    folder[length] = '\0';
    int fd = EM_SYS_RETRY(vfs->sys, open, AT_FDCWD, folder, O_RDONLY | O_DIRECTORY, 0, 0);
    if (fd < 0)
        return vfs_fail(vfs, fd, SQLITE_IOERR_DIR_FSYNC);
    int result = EM_SYS_RETRY(vfs->sys, sync, fd, false);
    EM_SYS(vfs->sys, close, fd);
    return vfs_result(vfs, result, SQLITE_IOERR_DIR_FSYNC);
}

/* ---- Reading and writing ------------------------------------------------------------------- */

static bool is_log(const vfs_file *file)
{
    return file->vfs->log_file == file;
}

static int write_now(void *context, const void *bytes, size_t size, int64_t offset)
{
    vfs_file *file = context;
    struct iovec piece = {.iov_base = (void *)(uintptr_t)bytes, .iov_len = size};
    em_error err = EM_ERROR_INIT;
    em_io_file to = {file->vfs->sys, file->fd, file->path};
    if (em_io_write_all(to, &piece, 1, offset, &err) == EM_OK)
        return SQLITE_OK;
    bool full = err.sys == ENOSPC || err.sys == EDQUOT;
    return vfs_fail(file->vfs, -err.sys, full ? SQLITE_FULL : SQLITE_IOERR_WRITE);
}

/* What was gathered for the file is written, before it is looked at in any other way. */
static int file_settle(vfs_file *file)
{
    const em_sqlite_log_writer writer = {write_now, file};
    return is_log(file) ? em_sqlite_log_flush(&file->vfs->log, &writer) : SQLITE_OK;
}

static int file_close(sqlite3_file *base)
{
    vfs_file *file = file_of(base);
    if (is_log(file)) {
        em_sqlite_log_drop(&file->vfs->log);
        file->vfs->log_file = NULL;
    }
    int result = EM_SYS(file->vfs->sys, close, file->fd);
    return result == -EINTR ? SQLITE_OK : vfs_result(file->vfs, result, SQLITE_IOERR_CLOSE);
}

static int file_read(sqlite3_file *base, void *out, int size, sqlite3_int64 offset)
{
    vfs_file *file = file_of(base);
    char *bytes = out;
    size_t done = 0, wanted = (size_t)size;
    int code = file_settle(file);
    if (code != SQLITE_OK)
        return code;
    while (done < wanted) {
        ssize_t got = EM_SYS_RETRY(file->vfs->sys, read, file->fd, bytes + done, wanted - done,
                                   offset + (off_t)done);
        if (got < 0)
            return vfs_fail(file->vfs, got, SQLITE_IOERR_READ);
        if (got == 0)
            break;
        done += (size_t)got;
    }
    if (done == wanted)
        return SQLITE_OK;
    memset(bytes + done, 0, wanted - done); /* SQLite relies on it */
    return SQLITE_IOERR_SHORT_READ;
}

static int file_write(sqlite3_file *base, const void *bytes, int size, sqlite3_int64 offset)
{
    vfs_file *file = file_of(base);
    const em_sqlite_log_writer writer = {write_now, file};
    if (is_log(file))
        return em_sqlite_log_write(&file->vfs->log, &writer, bytes, (size_t)size, offset);
    return write_now(file, bytes, (size_t)size, offset);
}

static int file_truncate(sqlite3_file *base, sqlite3_int64 size)
{
    vfs_file *file = file_of(base);
    int code = file_settle(file);
    if (code != SQLITE_OK)
        return code;
    int result = EM_SYS_RETRY(file->vfs->sys, truncate, file->fd, size);
    return vfs_result(file->vfs, result, SQLITE_IOERR_TRUNCATE);
}

/* Make the name of a journal durable, once. A journal that persists is opened for each transaction,
 * and its name needs no second sync. */
static int journal_name_sync(vfs_file *file)
{
    em_stat stat;
    int result = EM_SYS_RETRY(file->vfs->sys, stat, file->fd, "", AT_EMPTY_PATH, &stat);
    if (result < 0)
        return vfs_fail(file->vfs, result, SQLITE_IOERR_DIR_FSYNC);
    if (stat.ino == file->vfs->durable_journal)
        return SQLITE_OK;
    int code = folder_sync(file->vfs, file->path);
    if (code == SQLITE_OK)
        file->vfs->durable_journal = stat.ino;
    return code;
}

/* Always fdatasync(2): it makes the bytes durable and the size that leads to them, and nobody asks
 * for the times. */
static int file_sync(sqlite3_file *base, int flags)
{
    vfs_file *file = file_of(base);
    (void)flags;
    int code = file_settle(file);
    if (code != SQLITE_OK)
        return code;
    int result = EM_SYS_RETRY(file->vfs->sys, sync, file->fd, true);
    if (result < 0)
        return vfs_fail(file->vfs, result, SQLITE_IOERR_FSYNC);
    if (!file->folder_sync)
        return SQLITE_OK;
    code = journal_name_sync(file);
    file->folder_sync = code != SQLITE_OK;
    return code;
}

static int file_size(sqlite3_file *base, sqlite3_int64 *size)
{
    vfs_file *file = file_of(base);
    em_stat stat;
    int code = file_settle(file);
    if (code != SQLITE_OK)
        return code;
    int result = EM_SYS_RETRY(file->vfs->sys, stat, file->fd, "", AT_EMPTY_PATH, &stat);
    if (result < 0)
        return vfs_fail(file->vfs, result, SQLITE_IOERR_FSTAT);
    *size = (sqlite3_int64)stat.size;
    return SQLITE_OK;
}

/* ---- Locks --------------------------------------------------------------------------------- */

/* SQLITE_BUSY when somebody else is in the way, `code` when the system fails. */
static int range_lock(vfs_file *file, short type, off_t start, off_t length, int code)
{
    int result = EM_SYS_RETRY(file->vfs->sys, lock, file->fd, type, start, length);
    return result == -EAGAIN ? SQLITE_BUSY : vfs_result(file->vfs, result, code);
}

/* The read lock on the pending byte is held only while the shared one is taken: so a writer who
 * waits there for the readers to leave lets no new one in. */
static int lock_shared(vfs_file *file)
{
    int code = range_lock(file, F_RDLCK, PENDING_BYTE, 1, SQLITE_IOERR_LOCK);
    if (code != SQLITE_OK)
        return code;
    code = range_lock(file, F_RDLCK, SHARED_FIRST, SHARED_SIZE, SQLITE_IOERR_LOCK);
    int unlocked = range_lock(file, F_UNLCK, PENDING_BYTE, 1, SQLITE_IOERR_UNLOCK);
    if (code == SQLITE_OK)
        file->level = SQLITE_LOCK_SHARED;
    return code != SQLITE_OK ? code : unlocked;
}

static int lock_reserved(vfs_file *file)
{
    int code = range_lock(file, F_WRLCK, RESERVED_BYTE, 1, SQLITE_IOERR_LOCK);
    if (code == SQLITE_OK)
        file->level = SQLITE_LOCK_RESERVED;
    return code;
}

/* Where readers are still there the file stays PENDING, and the next try goes on from it. */
static int lock_exclusive(vfs_file *file)
{
    int code = SQLITE_OK;
    if (file->level < SQLITE_LOCK_PENDING)
        code = range_lock(file, F_WRLCK, PENDING_BYTE, 1, SQLITE_IOERR_LOCK);
    if (code != SQLITE_OK)
        return code;
    file->level = SQLITE_LOCK_PENDING;
    code = range_lock(file, F_WRLCK, SHARED_FIRST, SHARED_SIZE, SQLITE_IOERR_LOCK);
    if (code == SQLITE_OK)
        file->level = SQLITE_LOCK_EXCLUSIVE;
    return code;
}

static int file_lock(sqlite3_file *base, int level)
{
    vfs_file *file = file_of(base);
    if (file->level >= level)
        return SQLITE_OK;
    switch (level) {
    case SQLITE_LOCK_SHARED:
        return lock_shared(file);
    case SQLITE_LOCK_RESERVED:
        return lock_reserved(file);
    default: /* SQLite never asks for PENDING */
        return lock_exclusive(file);
    }
}

static int file_unlock(sqlite3_file *base, int level)
{
    vfs_file *file = file_of(base);
    int code;
    if (file->level <= level)
        return SQLITE_OK;
    if (level == SQLITE_LOCK_NONE) {
        code = range_lock(file, F_UNLCK, PENDING_BYTE, ALL_SIZE, SQLITE_IOERR_UNLOCK);
    } else { /* SHARED: the read lock is there before the write locks are gone */
        code = range_lock(file, F_RDLCK, SHARED_FIRST, SHARED_SIZE, SQLITE_IOERR_RDLOCK);
        if (code == SQLITE_OK)
            code = range_lock(file, F_UNLCK, PENDING_BYTE, 2, SQLITE_IOERR_UNLOCK);
    }
    if (code == SQLITE_OK)
        file->level = level;
    return code;
}

/* Does anybody, this connection included, have a RESERVED lock or more? A journal without one is
 * hot: its writer died. */
static int file_check_reserved(sqlite3_file *base, int *reserved)
{
    vfs_file *file = file_of(base);
    *reserved = 1;
    if (file->level >= SQLITE_LOCK_RESERVED)
        return SQLITE_OK;
    int result = EM_SYS_RETRY(file->vfs->sys, locked, file->fd, F_WRLCK, RESERVED_BYTE, 1);
    if (result < 0)
        return vfs_fail(file->vfs, result, SQLITE_IOERR_CHECKRESERVEDLOCK);
    *reserved = result;
    return SQLITE_OK;
}

/* ---- What SQLite asks about a file ----------------------------------------------------------- */

/* Is what is open not what has the name? Where that cannot be told it counts as moved, and is a
 * failure. */
static int has_moved(em_sqlite_vfs *vfs, int fd, const char *path, int *moved)
{
    em_stat open, named;
    *moved = 1;
    int result = EM_SYS_RETRY(vfs->sys, stat, fd, "", AT_EMPTY_PATH, &open);
    if (result < 0)
        return vfs_fail(vfs, result, SQLITE_IOERR_FSTAT);
    result = EM_SYS_RETRY(vfs->sys, stat, AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, &named);
    if (result == -ENOENT || result == -ENOTDIR)
        return SQLITE_OK;
    if (result < 0)
        return vfs_fail(vfs, result, SQLITE_IOERR_FSTAT);
    *moved = open.ino != named.ino || open.dev != named.dev;
    return SQLITE_OK;
}

/* Has the database lost its name, or one of the files that belong to it? A transaction on one that
 * was moved away would write a journal that nobody finds. Who comes when the log or the memory is
 * gone makes others, and knows neither what we write to ours nor our locks. */
static int file_has_moved(vfs_file *file, int *moved)
{
    const vfs_file *log = file->vfs->log_file;
    int code = has_moved(file->vfs, file->fd, file->path, moved);
    if (code == SQLITE_OK && !*moved && log)
        code = has_moved(file->vfs, log->fd, log->path, moved);
    if (code == SQLITE_OK && !*moved && file->shm.fd >= 0) {
        char memory[EM_SQLITE_SHM_PATH];
        em_sqlite_shm_path(file->path, memory);
        code = has_moved(file->vfs, file->shm.fd, memory, moved);
    }
    return code;
}

static int file_control(sqlite3_file *base, int operation, void *argument)
{
    if (operation != SQLITE_FCNTL_HAS_MOVED)
        return SQLITE_NOTFOUND;
    return file_has_moved(file_of(base), argument);
}

static int file_sector_size(sqlite3_file *base)
{
    (void)base;
    return SECTOR;
}

/* All that is taken for granted about the disk is that a write changes no byte beside those that it
 * writes, also when the power goes: else each commit would end with a page of padding. */
static int file_characteristics(sqlite3_file *base)
{
    (void)base;
    return SQLITE_IOCAP_POWERSAFE_OVERWRITE;
}

/* ---- Shared memory ------------------------------------------------------------------------- */

/* `code` of the shared memory's, and its errno kept. */
static int shm_result(vfs_file *file, int code)
{
    if ((code & 0xFF) == SQLITE_IOERR)
        file->vfs->last_errno = file->shm.error;
    return code;
}

static int file_shm_map(sqlite3_file *base, int region, int size, int extend, void volatile **out)
{
    vfs_file *file = file_of(base);
    return shm_result(file,
                      em_sqlite_shm_map(&file->shm, file->path, region, size, extend != 0, out));
}

/* Who gives up the write lock has committed, which leaves nothing gathered, or takes it back. */
static int file_shm_lock(sqlite3_file *base, int first, int count, int flags)
{
    vfs_file *file = file_of(base);
    if (first == LOG_WRITE_LOCK && flags == (SQLITE_SHM_UNLOCK | SQLITE_SHM_EXCLUSIVE))
        em_sqlite_log_forget(&file->vfs->log);
    return shm_result(file, em_sqlite_shm_lock(&file->shm, first, count, flags));
}

static void file_shm_barrier(sqlite3_file *base)
{
    (void)base;
    em_sqlite_shm_barrier();
}

static int file_shm_unmap(sqlite3_file *base, int remove)
{
    vfs_file *file = file_of(base);
    return em_sqlite_shm_unmap(&file->shm, file->path, remove != 0);
}

#define COMMON_METHODS                                                                             \
    .xClose = file_close, .xRead = file_read, .xWrite = file_write, .xTruncate = file_truncate,    \
    .xSync = file_sync, .xFileSize = file_size, .xLock = file_lock, .xUnlock = file_unlock,        \
    .xCheckReservedLock = file_check_reserved, .xFileControl = file_control,                       \
    .xSectorSize = file_sector_size, .xDeviceCharacteristics = file_characteristics

/* No memory maps of the database; without shared memory no write-ahead log either. */
static const sqlite3_io_methods alone_methods = {.iVersion = 1, COMMON_METHODS};
static const sqlite3_io_methods shared_methods = {
    .iVersion = 2,
    COMMON_METHODS,
    .xShmMap = file_shm_map,
    .xShmLock = file_shm_lock,
    .xShmBarrier = file_shm_barrier,
    .xShmUnmap = file_shm_unmap,
};

/* ---- Files by name ------------------------------------------------------------------------- */

/* A descriptor, or -errno. What may not be written is opened to be read, and *flags says so; what
 * is not there and may not be made is told as that. */
static int open_as_granted(em_sqlite_vfs *vfs, const char *path, int *flags)
{
    int how = O_NOFOLLOW | (*flags & SQLITE_OPEN_READWRITE ? O_RDWR : O_RDONLY) |
              (*flags & SQLITE_OPEN_CREATE ? O_CREAT : 0) |
              (*flags & SQLITE_OPEN_EXCLUSIVE ? O_EXCL : 0);
    int fd = EM_SYS_RETRY(vfs->sys, open, AT_FDCWD, path, how, FILE_MODE, 0);
    if (!(*flags & SQLITE_OPEN_READWRITE) || (fd != -EACCES && fd != -EROFS))
        return fd;
    *flags &= ~(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    *flags |= SQLITE_OPEN_READONLY;
    int refused = fd;
    fd = EM_SYS_RETRY(vfs->sys, open, AT_FDCWD, path, O_NOFOLLOW | O_RDONLY, 0, 0);
    return fd == -ENOENT ? refused : fd;
}

static int vfs_open(sqlite3_vfs *base, const char *path, sqlite3_file *out, int flags,
                    int *out_flags)
{
    em_sqlite_vfs *vfs = vfs_of(base);
    const int journal = SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL | SQLITE_OPEN_WAL;
    out->pMethods = NULL; /* nothing to close, as long as this fails */
    if (!path)
        return SQLITE_CANTOPEN; /* a temporary file: sqlite_vfs.h */
    int fd = open_as_granted(vfs, path, &flags);
    if (fd < 0)
        return vfs_fail(vfs, fd, SQLITE_CANTOPEN);
    if (out_flags)
        *out_flags = flags;
    *file_of(out) = (vfs_file){
        .base.pMethods = vfs->shared_memory ? &shared_methods : &alone_methods,
        .vfs = vfs,
        .path = path,
        .fd = fd,
        .folder_sync = (flags & SQLITE_OPEN_CREATE) && (flags & journal),
        .shm = {.sys = vfs->sys, .fd = -1},
    };
    if (flags & SQLITE_OPEN_WAL && !vfs->log_file)
        vfs->log_file = file_of(out);
    return SQLITE_OK;
}

static int vfs_delete(sqlite3_vfs *base, const char *path, int sync_folder)
{
    em_sqlite_vfs *vfs = vfs_of(base);
    int result = EM_SYS_RETRY(vfs->sys, unlink, AT_FDCWD, path, 0);
    vfs->durable_journal = 0; /* another one may get its inode */
    if (result < 0)
        return vfs_fail(vfs, result,
                        result == -ENOENT ? SQLITE_IOERR_DELETE_NOENT : SQLITE_IOERR_DELETE);
    return sync_folder ? folder_sync(vfs, path) : SQLITE_OK;
}

/* Is there a file that holds anything? As in os_unix.c an empty journal is none. */
static int file_exists(em_sqlite_vfs *vfs, const char *path, int *exists)
{
    em_stat stat;
    int result = EM_SYS_RETRY(vfs->sys, stat, AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, &stat);
    *exists = result == 0 && (!S_ISREG(stat.mode) || stat.size > 0);
    return result == -ENOENT ? SQLITE_OK : vfs_result(vfs, result, SQLITE_IOERR_ACCESS);
}

static int vfs_access(sqlite3_vfs *base, const char *path, int flags, int *answer)
{
    em_sqlite_vfs *vfs = vfs_of(base);
    if (flags == SQLITE_ACCESS_EXISTS)
        return file_exists(vfs, path, answer);
    int result = EM_SYS_RETRY(vfs->sys, access, AT_FDCWD, path, R_OK | W_OK, 0);
    bool refused = result == -ENOENT || result == -EACCES || result == -EROFS;
    *answer = result == 0;
    return refused ? SQLITE_OK : vfs_result(vfs, result, SQLITE_IOERR_ACCESS);
}

static int vfs_full_path(sqlite3_vfs *base, const char *path, int size, char *out)
{
    em_sqlite_vfs *vfs = vfs_of(base);
    char folder[PATH_MAX] = "";
    if (path[0] != '/') {
        int result = EM_SYS_RETRY(vfs->sys, cwd, folder, sizeof folder);
        if (result < 0)
            return vfs_fail(vfs, result, SQLITE_CANTOPEN_FULLPATH);
    }
    int length = snprintf(out, (size_t)size, "%s%s%s", folder, path[0] == '/' ? "" : "/", path);
    return length < size ? SQLITE_OK : vfs_fail(vfs, -ENAMETOOLONG, SQLITE_CANTOPEN_FULLPATH);
}

/* ---- The rest of the system ------------------------------------------------------------------ */

static int vfs_randomness(sqlite3_vfs *base, int size, char *out)
{
    em_sqlite_vfs *vfs = vfs_of(base);
    em_error err = EM_ERROR_INIT;
    memset(out, 0, (size_t)size);
    if (em_io_random(vfs->sys, out, (size_t)size, &err) == EM_OK)
        return size;
    vfs->last_errno = err.sys;
    return 0;
}

static int vfs_sleep(sqlite3_vfs *base, int microseconds)
{
    EM_SYS(vfs_of(base)->sys, sleep, microseconds * 1000L); /* awake early does no harm */
    return microseconds;
}

static int vfs_time(sqlite3_vfs *base, sqlite3_int64 *milliseconds)
{
    const sqlite3_int64 unix_epoch = 210866760000000; /* as a Julian day, in milliseconds */
    em_sqlite_vfs *vfs = vfs_of(base);
    struct timespec now;
    int result = EM_SYS(vfs->sys, clock, CLOCK_REALTIME, &now);
    if (result < 0)
        return vfs_fail(vfs, result, SQLITE_ERROR);
    *milliseconds = unix_epoch + now.tv_sec * 1000 + now.tv_nsec / 1000000;
    return SQLITE_OK;
}

static int vfs_last_error(sqlite3_vfs *base, int size, char *out)
{
    (void)size;
    (void)out;
    return vfs_of(base)->last_errno;
}

/* ---- The object ---------------------------------------------------------------------------- */

em_status em_sqlite_vfs_new(const em_sys *sys, bool shared_memory, em_sqlite_vfs **out)
{
    *out = NULL;
    em_sqlite_vfs *vfs = malloc(sizeof *vfs);
    if (!vfs)
        return EM_E_NOMEM;
    *vfs = (em_sqlite_vfs){
        .base = {.iVersion = 2,
                 .szOsFile = sizeof(vfs_file),
                 .mxPathname = PATH_MAX,
                 .zName = vfs->name,
                 .xOpen = vfs_open,
                 .xDelete = vfs_delete,
                 .xAccess = vfs_access,
                 .xFullPathname = vfs_full_path,
                 .xRandomness = vfs_randomness,
                 .xSleep = vfs_sleep,
                 .xGetLastError = vfs_last_error,
                 .xCurrentTimeInt64 = vfs_time},
        .sys = sys,
        .shared_memory = shared_memory,
    };
    /* No two that live at the same time have the same address. */
    snprintf(vfs->name, sizeof vfs->name, "emend-%p", (void *)vfs);
    if (sqlite3_vfs_register(&vfs->base, 0) != SQLITE_OK) {
        free(vfs);
        return EM_E_NOMEM;
    }
    *out = vfs;
    return EM_OK;
}

void em_sqlite_vfs_free(em_sqlite_vfs *vfs)
{
    if (!vfs)
        return;
    sqlite3_vfs_unregister(&vfs->base);
    free(vfs);
}

const char *em_sqlite_vfs_name(const em_sqlite_vfs *vfs)
{
    return vfs->name;
}

int em_sqlite_vfs_errno(const em_sqlite_vfs *vfs)
{
    return vfs->last_errno;
}
