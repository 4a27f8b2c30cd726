#include "trap.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Traps --------------------------------------------------------------------------------- */

/* The path that a descriptor stands for; "" for none. */
static void path_of(int fd, char path[static PATH_MAX])
{
    char link[32];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = fd < 0 ? 0 : readlink(link, path, PATH_MAX - 1);
    path[length < 0 ? 0 : length] = '\0';
}

static bool ends_in(const char *text, const char *end)
{
    size_t length = strlen(text), wanted = strlen(end);
    return length >= wanted && strcmp(text + length - wanted, end) == 0;
}

static bool is_about(const char *about, int fd, const char *path, const char *other)
{
    char held[PATH_MAX];
    path_of(fd, held);
    if (about[0] == '=')
        return strcmp(path, about + 1) == 0;
    if (about[0] == '$')
        return ends_in(held, about + 1);
    return strstr(path, about) || strstr(other, about) || strstr(held, about);
}

/* The lock is held. */
static trap *trap_look(trap_sys *t, const char *call, int fd, const char *path, const char *other)
{
    if (t->busy)
        return NULL;
    for (int i = 0; i < t->count; i++) {
        trap *one = &t->traps[i];
        if (strcmp(one->call, call) != 0 || !is_about(one->about, fd, path, other))
            continue;
        int times = one->times == 0 ? 1 : one->times;
        if (one->seen++ < one->skip || (times > 0 && one->caught >= times))
            continue;
        one->caught++;
        return one;
    }
    return NULL;
}

/* The trap that catches this call now, or NULL. */
static trap *trap_find(trap_sys *t, const char *call, int fd, const char *path, const char *other)
{
    pthread_mutex_lock(&t->lock);
    trap *one = trap_look(t, call, fd, path, other);
    pthread_mutex_unlock(&t->lock);
    return one;
}

static void count_busy(trap_sys *t, int more)
{
    pthread_mutex_lock(&t->lock);
    t->busy += more;
    pthread_mutex_unlock(&t->lock);
}

/* Without the lock: a hook makes calls, and sets traps. */
static void run(trap_sys *t, void (*hook)(void *), void *context)
{
    if (!hook)
        return;
    count_busy(t, 1);
    hook(context);
    count_busy(t, -1);
}

/* Does a signal come before this call? Not before a close, whose descriptor would be gone, nor
 * where nothing waits. */
static bool is_interrupted(trap_sys *t, const char *call)
{
    static const char *const never[] = {"close", "cwd", "release", "clock"};
    for (size_t i = 0; i < sizeof never / sizeof *never; i++)
        if (strcmp(call, never[i]) == 0)
            return false;
    int i = 0;
    pthread_mutex_lock(&t->lock);
    while (i < TRAP_CALLS && t->interrupted[i] && strcmp(t->interrupted[i], call) != 0)
        i++;
    assert(i < TRAP_CALLS);
    t->interrupted[i] = call;
    bool passes = t->passes[i] = !t->passes[i];
    pthread_mutex_unlock(&t->lock);
    return passes;
}

/* Make the call `real`, unless a trap forbids it. */
#define TRAPPED(type, call, fd, path, other, ...)                                                  \
    trap_sys *t = context;                                                                         \
    if (t->stutters && is_interrupted(t, #call))                                                   \
        return -EINTR;                                                                             \
    trap *caught = trap_find(t, #call, fd, path, other);                                           \
    if (caught)                                                                                    \
        run(t, caught->hook, caught->context);                                                     \
    if (caught && caught->error)                                                                   \
        return -caught->error;                                                                     \
    type result = em_sys_native.call(NULL, __VA_ARGS__);                                           \
    if (caught)                                                                                    \
        run(t, caught->after, caught->context);                                                    \
    return result

/* ---- The table ----------------------------------------------------------------------------- */

static int t_open(void *context, int dir, const char *path, int flags, mode_t mode, int resolve)
{
    const char *other = (flags & O_TMPFILE) == O_TMPFILE ? "O_TMPFILE" : "";
    TRAPPED(int, open, -1, path, other, dir, path, flags, mode, resolve);
}

static int t_close(void *context, int fd)
{
    TRAPPED(int, close, fd, "", "", fd);
}

static int t_stat(void *context, int dir, const char *path, int flags, em_stat *out)
{
    TRAPPED(int, stat, path[0] ? -1 : dir, path, "", dir, path, flags, out);
}

static int t_access(void *context, int dir, const char *path, int mode, int flags)
{
    TRAPPED(int, access, path[0] ? -1 : dir, path, "", dir, path, mode, flags);
}

static ssize_t t_readlink(void *context, int dir, const char *path, char *out, size_t size)
{
    TRAPPED(ssize_t, readlink, -1, path, "", dir, path, out, size);
}

static ssize_t t_read(void *context, int fd, void *out, size_t size, off_t offset)
{
    TRAPPED(ssize_t, read, fd, "", "", fd, out, size, offset);
}

static ssize_t t_write(void *context, int fd, const struct iovec *pieces, int count, off_t offset)
{
    TRAPPED(ssize_t, write, fd, "", "", fd, pieces, count, offset);
}

static int t_truncate(void *context, int fd, off_t size)
{
    TRAPPED(int, truncate, fd, "", "", fd, size);
}

static int t_reserve(void *context, int fd, off_t size)
{
    TRAPPED(int, reserve, fd, "", "", fd, size);
}

static int t_sync(void *context, int fd, bool data_only)
{
    TRAPPED(int, sync, fd, "", "", fd, data_only);
}

static int t_write_out(void *context, int fd)
{
    TRAPPED(int, write_out, fd, "", "", fd);
}

static int t_flush(void *context, int fd)
{
    TRAPPED(int, flush, fd, "", "", fd);
}

static int t_chmod(void *context, int fd, mode_t mode)
{
    TRAPPED(int, chmod, fd, "", "", fd, mode);
}

static int t_chown(void *context, int fd, uid_t uid, gid_t gid)
{
    TRAPPED(int, chown, fd, "", "", fd, uid, gid);
}

static ssize_t t_listxattr(void *context, int fd, char *names, size_t size)
{
    TRAPPED(ssize_t, listxattr, fd, "", "", fd, names, size);
}

static ssize_t t_getxattr(void *context, int fd, const char *name, void *value, size_t size)
{
    TRAPPED(ssize_t, getxattr, fd, name, "", fd, name, value, size);
}

static int t_setxattr(void *context, int fd, const char *name, const void *value, size_t size)
{
    TRAPPED(int, setxattr, fd, name, "", fd, name, value, size);
}

static int t_link(void *context, int from_dir, const char *from, int to_dir, const char *to,
                  int flags)
{
    TRAPPED(int, link, -1, from, to, from_dir, from, to_dir, to, flags);
}

static int t_unlink(void *context, int dir, const char *path, int flags)
{
    TRAPPED(int, unlink, -1, path, "", dir, path, flags);
}

static int t_rename(void *context, int from_dir, const char *from, int to_dir, const char *to,
                    unsigned flags)
{
    const char *call = flags & RENAME_EXCHANGE    ? "exchange"
                       : flags & RENAME_NOREPLACE ? "move"
                                                  : "replace";
    trap_sys *t = context;
    if (t->stutters && is_interrupted(t, call))
        return -EINTR;
    trap *caught = trap_find(t, call, -1, from, to);
    if (caught)
        run(t, caught->hook, caught->context);
    if (caught && caught->error)
        return -caught->error;
    int result = em_sys_native.rename(NULL, from_dir, from, to_dir, to, flags);
    if (caught)
        run(t, caught->after, caught->context);
    return result;
}

static int t_mkdir(void *context, int dir, const char *path, mode_t mode)
{
    TRAPPED(int, mkdir, -1, path, "", dir, path, mode);
}

static ssize_t t_list(void *context, int fd, void *out, size_t size)
{
    TRAPPED(ssize_t, list, fd, "", "", fd, out, size);
}

static ssize_t t_copy(void *context, int from, off_t from_offset, int to, off_t to_offset,
                      size_t size)
{
    TRAPPED(ssize_t, copy, from, "", "", from, from_offset, to, to_offset, size);
}

static int t_clone(void *context, int from, int to)
{
    TRAPPED(int, clone, from, "", "", from, to);
}

static int t_lock(void *context, int fd, short type, off_t start, off_t length)
{
    TRAPPED(int, lock, fd, "", "", fd, type, start, length);
}

static int t_locked(void *context, int fd, short type, off_t start, off_t length)
{
    TRAPPED(int, locked, fd, "", "", fd, type, start, length);
}

static int t_map(void *context, int fd, off_t offset, size_t size, bool writable, void **out)
{
    TRAPPED(int, map, fd, "", "", fd, offset, size, writable, out);
}

static int t_unmap(void *context, void *at, size_t size)
{
    TRAPPED(int, unmap, -1, "", "", at, size);
}

static int t_cwd(void *context, char *out, size_t size)
{
    TRAPPED(int, cwd, -1, "", "", out, size);
}

static int t_filesystem(void *context, int fd, uint64_t *magic)
{
    TRAPPED(int, filesystem, fd, "", "", fd, magic);
}

static int t_release(void *context, char *out, size_t size)
{
    TRAPPED(int, release, -1, "", "", out, size);
}

static int t_random(void *context, void *out, size_t size)
{
    TRAPPED(int, random, -1, "", "", out, size);
}

static int t_clock(void *context, clockid_t clock, struct timespec *out)
{
    const char *name = clock == CLOCK_MONOTONIC ? "monotonic" : "realtime";
    TRAPPED(int, clock, -1, name, "", clock, out);
}

static int t_sleep(void *context, long nanoseconds)
{
    TRAPPED(int, sleep, -1, "", "", nanoseconds);
}

void trap_sys_init(trap_sys *t)
{
    *t = (trap_sys){
        .lock = PTHREAD_MUTEX_INITIALIZER,
        .stutters = getenv("EMEND_TEST_STUTTERS") != NULL,
        .sys = {.context = t,
                .open = t_open,
                .close = t_close,
                .stat = t_stat,
                .access = t_access,
                .readlink = t_readlink,
                .read = t_read,
                .write = t_write,
                .truncate = t_truncate,
                .reserve = t_reserve,
                .sync = t_sync,
                .write_out = t_write_out,
                .flush = t_flush,
                .chmod = t_chmod,
                .chown = t_chown,
                .listxattr = t_listxattr,
                .getxattr = t_getxattr,
                .setxattr = t_setxattr,
                .link = t_link,
                .unlink = t_unlink,
                .rename = t_rename,
                .mkdir = t_mkdir,
                .list = t_list,
                .copy = t_copy,
                .clone = t_clone,
                .lock = t_lock,
                .locked = t_locked,
                .map = t_map,
                .unmap = t_unmap,
                .cwd = t_cwd,
                .filesystem = t_filesystem,
                .release = t_release,
                .random = t_random,
                .clock = t_clock,
                .sleep = t_sleep},
    };
}

trap *trap_set(trap_sys *t, trap set)
{
    pthread_mutex_lock(&t->lock);
    assert(t->count < TRAPS);
    trap *one = &t->traps[t->count++];
    *one = set;
    pthread_mutex_unlock(&t->lock);
    return one;
}

trap *trap_set_case(trap_sys *t, const trap_case *set)
{
    return trap_set(
        t, (trap){.call = set->call, .about = set->about, .skip = set->skip, .error = set->error});
}
