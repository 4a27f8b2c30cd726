/* sys_native.c: the table of system calls on Linux.
 *
 * One line of translation a call, and no policy. The exception is openat2(2): where the kernel, or
 * a container's filter, does not have it, a walk with O_NOFOLLOW keeps the same promise.
 *
 * What Linux alone has (openat2, statx, renameat2, open file description locks, FICLONE, ...)
 * stays in this file, behind sys.h, so that a table for plain POSIX could stand beside it.
 */
#include "system/sys.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <linux/fs.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { NANOSECONDS = 1000000000 };

/* What the table's functions return: the result, or -errno. */
static int result_of(int result)
{
    return result < 0 ? -errno : result;
}

static ssize_t size_result_of(ssize_t result)
{
    return result < 0 ? -errno : result;
}

/* Open one component, and no link. As with openat2, a link itself is for those who ask for it with
 * O_PATH and O_NOFOLLOW. */
static int open_component(int dir, const char *name, int flags, mode_t mode)
{
    int fd = openat(dir, name, flags | O_NOFOLLOW | O_CLOEXEC, mode);
    struct stat st;
    if (fd < 0 || !(flags & O_PATH) || (flags & O_NOFOLLOW))
        return result_of(fd);
    int refusal = fstat(fd, &st) != 0 ? errno : S_ISLNK(st.st_mode) ? ELOOP : 0;
    if (refusal == 0)
        return fd;
    close(fd);
    return -refusal;
}

/* What stands in for openat2: down, component by component, through no link and up no step. */
static int open_walking(int dir, const char *path, int flags, mode_t mode)
{
    char parts[PATH_MAX];
    size_t length = strlen(path);
    if (path[0] == '/')
        return -EXDEV;
    if (length >= sizeof parts)
        return -ENAMETOOLONG;
    memcpy(parts, path, length + 1);
    if (length > 0 && parts[length - 1] == '/')
        flags |= O_DIRECTORY;

    int at = dir, fd = -ENOENT;
    char *rest = NULL;
    char *name = strtok_r(parts, "/", &rest);
    while (name) {
        char *next = strtok_r(NULL, "/", &rest);
        if (strcmp(name, "..") == 0)
            fd = -EXDEV;
        else if (next)
            fd = open_component(at, name, O_PATH, 0);
        else
            fd = open_component(at, name, flags, mode);
        if (at != dir)
            close(at);
        at = fd;
        name = fd < 0 ? NULL : next;
    }
    return fd;
}

static int native_open(void *context, int dir, const char *path, int flags, mode_t mode,
                       int resolve)
{
    (void)context;
    if (resolve == 0)
        return result_of(openat(dir, path, flags | O_CLOEXEC, mode));
    bool creates = (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE;
    struct open_how how = {
        .flags = (unsigned)(flags | O_CLOEXEC),
        .mode = creates ? mode : 0, /* openat2 refuses a mode that it has no use for */
        .resolve = (resolve & EM_RESOLVE_BENEATH ? RESOLVE_BENEATH : 0) |
                   (resolve & EM_RESOLVE_NO_SYMLINKS ? RESOLVE_NO_SYMLINKS : 0) |
                   (resolve & EM_RESOLVE_NO_MAGIC ? RESOLVE_NO_MAGICLINKS : 0),
    };
    int fd = result_of((int)syscall(SYS_openat2, dir, path, &how, sizeof how));
    /* Filters of older containers answer EPERM to calls that they do not know. */
    if (fd == -ENOSYS || fd == -EPERM)
        return open_walking(dir, path, flags, mode);
    return fd;
}

static int native_close(void *context, int fd)
{
    (void)context;
    return result_of(close(fd));
}

static struct timespec timespec_of(struct statx_timestamp t)
{
    return (struct timespec){.tv_sec = t.tv_sec, .tv_nsec = t.tv_nsec};
}

static int native_stat(void *context, int dir, const char *path, int flags, em_stat *out)
{
    (void)context;
    struct statx st;
    if (statx(dir, path, flags, STATX_BASIC_STATS, &st) != 0)
        return -errno;
    uint64_t attributes = st.stx_attributes & st.stx_attributes_mask;
    *out = (em_stat){
        .dev = makedev(st.stx_dev_major, st.stx_dev_minor),
        .ino = st.stx_ino,
        .size = st.stx_size,
        .mode = st.stx_mode,
        .nlink = st.stx_nlink,
        .uid = st.stx_uid,
        .gid = st.stx_gid,
        .mtime = timespec_of(st.stx_mtime),
        .ctime = timespec_of(st.stx_ctime),
        .immutable = (attributes & STATX_ATTR_IMMUTABLE) != 0,
        .append_only = (attributes & STATX_ATTR_APPEND) != 0,
        .mount_root = (attributes & STATX_ATTR_MOUNT_ROOT) != 0,
    };
    return 0;
}

static int native_access(void *context, int dir, const char *path, int mode, int flags)
{
    (void)context;
    return result_of(faccessat(dir, path, mode, flags));
}

static ssize_t native_readlink(void *context, int dir, const char *path, char *out, size_t size)
{
    (void)context;
    return size_result_of(readlinkat(dir, path, out, size));
}

static ssize_t native_read(void *context, int fd, void *out, size_t size, off_t offset)
{
    (void)context;
    return size_result_of(pread(fd, out, size, offset));
}

static ssize_t native_write(void *context, int fd, const struct iovec *pieces, int count,
                            off_t offset)
{
    (void)context;
    return size_result_of(pwritev(fd, pieces, count, offset));
}

static int native_truncate(void *context, int fd, off_t size)
{
    (void)context;
    return result_of(ftruncate(fd, size));
}

static int native_reserve(void *context, int fd, off_t size)
{
    (void)context;
    return result_of(fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, size));
}

static int native_sync(void *context, int fd, bool data_only)
{
    (void)context;
    return result_of(data_only ? fdatasync(fd) : fsync(fd));
}

static int native_write_out(void *context, int fd)
{
    (void)context;
    return result_of(sync_file_range(fd, 0, 0, SYNC_FILE_RANGE_WRITE));
}

static int native_flush(void *context, int fd)
{
    (void)context;
    int duplicate = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    return result_of(duplicate < 0 ? duplicate : close(duplicate));
}

static int native_chmod(void *context, int fd, mode_t mode)
{
    (void)context;
    return result_of(fchmod(fd, mode));
}

static int native_chown(void *context, int fd, uid_t uid, gid_t gid)
{
    (void)context;
    return result_of(fchown(fd, uid, gid));
}

static ssize_t native_listxattr(void *context, int fd, char *names, size_t size)
{
    (void)context;
    return size_result_of(flistxattr(fd, names, size));
}

static ssize_t native_getxattr(void *context, int fd, const char *name, void *value, size_t size)
{
    (void)context;
    return size_result_of(fgetxattr(fd, name, value, size));
}

static int native_setxattr(void *context, int fd, const char *name, const void *value, size_t size)
{
    (void)context;
    return result_of(fsetxattr(fd, name, value, size, 0));
}

static int native_link(void *context, int from_dir, const char *from, int to_dir, const char *to,
                       int flags)
{
    (void)context;
    return result_of(linkat(from_dir, from, to_dir, to, flags));
}

static int native_unlink(void *context, int dir, const char *path, int flags)
{
    (void)context;
    return result_of(unlinkat(dir, path, flags));
}

static int native_rename(void *context, int from_dir, const char *from, int to_dir, const char *to,
                         unsigned flags)
{
    (void)context;
    return result_of(renameat2(from_dir, from, to_dir, to, flags));
}

static int native_mkdir(void *context, int dir, const char *path, mode_t mode)
{
    (void)context;
    return result_of(mkdirat(dir, path, mode));
}

static ssize_t native_list(void *context, int fd, void *out, size_t size)
{
    (void)context;
    return size_result_of(getdents64(fd, out, size));
}

static ssize_t native_copy(void *context, int from, off_t from_offset, int to, off_t to_offset,
                           size_t size)
{
    (void)context;
    return size_result_of(copy_file_range(from, &from_offset, to, &to_offset, size, 0));
}

static int native_clone(void *context, int from, int to)
{
    (void)context;
    return result_of(ioctl(to, FICLONE, from));
}

static struct flock range_of(short type, off_t start, off_t length)
{
    return (struct flock){.l_type = type, .l_whence = SEEK_SET, .l_start = start, .l_len = length};
}

static int native_lock(void *context, int fd, short type, off_t start, off_t length)
{
    (void)context;
    struct flock range = range_of(type, start, length);
    return result_of(fcntl(fd, F_OFD_SETLK, &range));
}

static int native_locked(void *context, int fd, short type, off_t start, off_t length)
{
    (void)context;
    struct flock range = range_of(type, start, length);
    if (fcntl(fd, F_OFD_GETLK, &range) != 0)
        return -errno;
    return range.l_type != F_UNLCK;
}

static int native_map(void *context, int fd, off_t offset, size_t size, bool writable, void **out)
{
    (void)context;
    int protection = writable ? PROT_READ | PROT_WRITE : PROT_READ;
    void *at = mmap(NULL, size, protection, MAP_SHARED, fd, offset);
    if (at == MAP_FAILED)
        return -errno;
    *out = at;
    return 0;
}

static int native_unmap(void *context, void *at, size_t size)
{
    (void)context;
    return result_of(munmap(at, size));
}

static int native_cwd(void *context, char *out, size_t size)
{
    (void)context;
    return getcwd(out, size) ? 0 : -errno;
}

static int native_filesystem(void *context, int fd, uint64_t *magic)
{
    (void)context;
    struct statfs fs;
    if (fstatfs(fd, &fs) != 0)
        return -errno;
    *magic = (uint32_t)fs.f_type; /* sign-extended on some machines */
    return 0;
}

static int native_release(void *context, char *out, size_t size)
{
    (void)context;
    struct utsname name = {0};
    int result = result_of(uname(&name));
    snprintf(out, size, "%s", name.release);
    return result;
}

static int native_random(void *context, void *out, size_t size)
{
    (void)context;
    return result_of((int)getrandom(out, size, 0));
}

static int native_clock(void *context, clockid_t clock, struct timespec *out)
{
    (void)context;
    return result_of(clock_gettime(clock, out));
}

static int native_sleep(void *context, long nanoseconds)
{
    (void)context;
    struct timespec time = {.tv_sec = nanoseconds / NANOSECONDS,
                            .tv_nsec = nanoseconds % NANOSECONDS};
    return result_of(nanosleep(&time, NULL));
}

const em_sys em_sys_native = {
    .open = native_open,
    .close = native_close,
    .stat = native_stat,
    .access = native_access,
    .readlink = native_readlink,
    .read = native_read,
    .write = native_write,
    .truncate = native_truncate,
    .reserve = native_reserve,
    .sync = native_sync,
    .write_out = native_write_out,
    .flush = native_flush,
    .chmod = native_chmod,
    .chown = native_chown,
    .listxattr = native_listxattr,
    .getxattr = native_getxattr,
    .setxattr = native_setxattr,
    .link = native_link,
    .unlink = native_unlink,
    .rename = native_rename,
    .mkdir = native_mkdir,
    .list = native_list,
    .copy = native_copy,
    .clone = native_clone,
    .lock = native_lock,
    .locked = native_locked,
    .map = native_map,
    .unmap = native_unmap,
    .cwd = native_cwd,
    .filesystem = native_filesystem,
    .release = native_release,
    .random = native_random,
    .clock = native_clock,
    .sleep = native_sleep,
};
