/* sys.h: every call to the system by which files are read and changed, as a table of functions.
 *
 * All access to disk goes through an em_sys, SQLite's too (history/sqlite_vfs.h). So a test can
 * make the nth call fail, stop the process there, change the file at that very moment, or forget
 * what was not synced, for every n. The native table is the real system and nothing else: no
 * retries, no policy.
 *
 * Each function returns what the call returns, or -errno. Short reads and writes and EINTR reach
 * the caller; sys_io.h has the loops. `dir` is a folder's descriptor or AT_FDCWD. Every descriptor
 * is opened close-on-exec.
 */
#ifndef EM_SYSTEM_SYS_H
#define EM_SYSTEM_SYS_H

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>

/* What is known of a file: the fields of statx(2) that matter here. */
typedef struct em_stat {
    uint64_t dev, ino, size;
    uint32_t mode, nlink, uid, gid;
    struct timespec mtime, ctime;
    bool immutable, append_only; /* chattr +i, +a; false where the system cannot tell */
    bool mount_root;             /* something is mounted on it, such as one file of a container */
} em_stat;

/* How a path may be resolved: a subset of openat2(2)'s RESOLVE_ flags. 0 is a plain openat(2).
 * Where the system has no openat2, all three hold as soon as one is asked for, and `..` and
 * absolute paths are refused: stricter than asked, never laxer. A path that is refused gives EXDEV
 * when it leads above `dir`, ELOOP when a link is in the way (or ENOTDIR, where a folder was asked
 * for). */
enum {
    EM_RESOLVE_BENEATH = 1,     /* never above `dir`; absolute paths and links refused */
    EM_RESOLVE_NO_SYMLINKS = 2, /* no link in any component */
    EM_RESOLVE_NO_MAGIC = 4,    /* no /proc style links */
};

typedef struct em_sys {
    void *context; /* handed to every function */

    int (*open)(void *context, int dir, const char *path, int flags, mode_t mode, int resolve);
    int (*close)(void *context, int fd);
    /* `path` "" with AT_EMPTY_PATH is `dir` itself */
    int (*stat)(void *context, int dir, const char *path, int flags, em_stat *out);
    int (*access)(void *context, int dir, const char *path, int mode, int flags);
    ssize_t (*readlink)(void *context, int dir, const char *path, char *out, size_t size);

    ssize_t (*read)(void *context, int fd, void *out, size_t size, off_t offset);
    ssize_t (*write)(void *context, int fd, const struct iovec *pieces, int count, off_t offset);
    int (*truncate)(void *context, int fd, off_t size);
    /* fallocate(2): blocks for so many bytes from the start on; the size stays */
    int (*reserve)(void *context, int fd, off_t size);
    int (*sync)(void *context, int fd, bool data_only);
    /* sync_file_range(2): begin to write out what was written, without waiting. That makes nothing
     * durable; it makes a sync that follows later shorter. */
    int (*write_out)(void *context, int fd);
    /* close(2) a duplicate of it. A network file system may hold back what was written until then,
     * and says only then that there is no room; `fd` can still be used. */
    int (*flush)(void *context, int fd);

    int (*chmod)(void *context, int fd, mode_t mode);
    int (*chown)(void *context, int fd, uid_t uid, gid_t gid);
    ssize_t (*listxattr)(void *context, int fd, char *names, size_t size);
    ssize_t (*getxattr)(void *context, int fd, const char *name, void *value, size_t size);
    int (*setxattr)(void *context, int fd, const char *name, const void *value, size_t size);

    int (*link)(void *context, int from_dir, const char *from, int to_dir, const char *to,
                int flags);
    int (*unlink)(void *context, int dir, const char *path, int flags); /* AT_REMOVEDIR too */
    int (*rename)(void *context, int from_dir, const char *from, int to_dir, const char *to,
                  unsigned flags); /* RENAME_EXCHANGE, RENAME_NOREPLACE of renameat2(2) */
    int (*mkdir)(void *context, int dir, const char *path, mode_t mode);
    /* getdents64(2): the next names of a folder opened for reading, 0 at the end */
    ssize_t (*list)(void *context, int fd, void *out, size_t size);

    /* copy_file_range(2): how many bytes went over, 0 at the end of `from` */
    ssize_t (*copy)(void *context, int from, off_t from_offset, int to, off_t to_offset,
                    size_t size);
    int (*clone)(void *context, int from, int to); /* FICLONE: `to` shares all blocks of `from` */

    /* An open file description lock over [start, start + length); `type` F_RDLCK, F_WRLCK or
     * F_UNLCK; never waits. -EAGAIN when somebody else has it. */
    int (*lock)(void *context, int fd, short type, off_t start, off_t length);
    /* The same question without taking it: 1 when somebody has a lock that conflicts, else 0. */
    int (*locked)(void *context, int fd, short type, off_t start, off_t length);

    /* mmap(2), MAP_SHARED, to be read and (`writable`) written; for memory that processes share,
     * and for nothing that has to outlive them: what is stored there passes by this table. */
    int (*map)(void *context, int fd, off_t offset, size_t size, bool writable, void **out);
    int (*unmap)(void *context, void *at, size_t size);

    int (*cwd)(void *context, char *out, size_t size);         /* the current folder, absolute */
    int (*filesystem)(void *context, int fd, uint64_t *magic); /* f_type of statfs(2) */
    int (*release)(void *context, char *out, size_t size);     /* the kernel's: "6.1.0" */

    int (*random)(void *context, void *out, size_t size);
    int (*clock)(void *context, clockid_t clock, struct timespec *out);
    int (*sleep)(void *context, long nanoseconds);
} em_sys;

/* The real system. */
extern const em_sys em_sys_native;

/* Shorthand: EM_SYS(ws->sys, unlink, dir, name, 0) */
#define EM_SYS(sys, call, ...) ((sys)->call((sys)->context, __VA_ARGS__))

#endif
