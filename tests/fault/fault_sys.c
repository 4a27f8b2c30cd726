#include "fault_sys.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NANOSECONDS = 1000000000 };

static const struct {
    const char *name;
    bool changes;
} calls[FAULT_CALL_COUNT] = {
#define FAULT_CALL_ROW(call, changes) {#call, changes},
    FAULT_CALLS(FAULT_CALL_ROW)
#undef FAULT_CALL_ROW
};

const char *fault_call_name(fault_call call)
{
    return calls[call].name;
}

bool fault_interruptible(fault_call call)
{
    switch (call) {
    case FAULT_ON_close:
    case FAULT_ON_cwd:
    case FAULT_ON_release:
    case FAULT_ON_clock:
        return false;
    default:
        return true;
    }
}

/* ---- What a call is about, in words -------------------------------------------------------- */

/* What the call at hand names: one or two paths, or a descriptor. */
typedef struct subject {
    const char *path, *other;
    int fd;
} subject;

static bool is_folder(int fd)
{
    struct stat st;
    return fd >= 0 && fstat(fd, &st) == 0 && S_ISDIR(st.st_mode);
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

static void describe(fault_call call, subject s, char *out, size_t size)
{
    char link[64], path[200] = "";
    if (!s.path && s.fd >= 0) {
        snprintf(link, sizeof link, "/proc/self/fd/%d", s.fd);
        ssize_t length = readlink(link, path, sizeof path - 1);
        path[length < 0 ? 0 : length] = '\0';
        s.path = last_part(path);
    } else if (s.path && s.path[0] == '/') {
        s.path = last_part(s.path);
    }
    snprintf(out, size, "%s%s%s%s%s", calls[call].name, s.path ? " " : "", s.path ? s.path : "",
             s.other ? " " : "", s.other ? s.other : "");
}

/* ---- Before and after every call ----------------------------------------------------------- */

static void record(fault_sys *f, fault_call call)
{
    if ((size_t)f->calls == f->trace_room) {
        size_t room = f->trace_room ? f->trace_room * 2 : 512;
        fault_trace *grown = realloc(f->trace, room * sizeof *grown);
        if (!grown)
            abort(); /* a sweep without its trace would prove nothing */
        f->trace = grown;
        f->trace_room = room;
    }
    f->trace[f->calls++] = (fault_trace){.call = call};
}

/* Whether the fault strikes the call that was recorded last. */
static bool strikes(fault_sys *f, fault_call call, subject s)
{
    if (f->fault.kind == FAULT_NONE || f->fault.at == 0 || f->calls < f->fault.at)
        return false;
    if (f->calls == f->fault.at) {
        f->hit = true;
        f->hit_call = call;
        f->hit_sync_folder = call == FAULT_ON_sync && is_folder(s.fd);
        describe(call, s, f->hit_what, sizeof f->hit_what);
        return true;
    }
    if (f->fault.kind != FAULT_ERROR || call != f->hit_call || f->fault.times < 2)
        return false;
    f->fault.times--;
    return true;
}

/* What happens instead of the call: 0 makes it, *limit bytes at most; else its result. */
typedef enum verdict { MAKE, MAKE_AND_FAIL, FAIL, END } verdict;

typedef struct ruling {
    verdict verdict;
    int error;       /* an errno, of FAIL and MAKE_AND_FAIL */
    size_t transfer; /* most bytes, of MAKE */
} ruling;

static bool interrupts(fault_sys *f, fault_call call)
{
    f->stuttered[call] = f->stutters && fault_interruptible(call) && !f->stuttered[call];
    return f->stuttered[call];
}

static ruling begin(fault_sys *f, fault_call call, subject s)
{
    ruling r = {.verdict = MAKE, .transfer = f->transfer ? f->transfer : SIZE_MAX};
    record(f, call);
    if (f->describes)
        describe(call, s, f->trace[f->calls - 1].what, sizeof f->trace->what);
    if (f->before_each)
        f->before_each(f->before_each_context);
    if (interrupts(f, call))
        return (ruling){.verdict = FAIL, .error = EINTR};
    if (!strikes(f, call, s))
        return r;
    switch (f->fault.kind) {
    case FAULT_ERROR:
        r.verdict = call == FAULT_ON_close ? MAKE_AND_FAIL : FAIL;
        r.error = f->fault.error;
        break;
    case FAULT_SHORT:
        r.transfer = 1;
        break;
    case FAULT_END:
        r.verdict = END;
        break;
    case FAULT_HOOK:
        f->fault.hook(f->fault.context);
        break;
    case FAULT_HOOK_AFTER:
    case FAULT_NONE:
        break;
    }
    return r;
}

static void end_at(fault_sys *f, long number, bool changed)
{
    f->trace[number - 1].changed = changed;
    if (f->fault.kind == FAULT_HOOK_AFTER && number == f->fault.at)
        f->fault.hook(f->fault.context);
}

static long end(fault_sys *f, fault_call call, long result)
{
    end_at(f, f->calls, result >= 0 && calls[call].changes);
    return result;
}

/* ---- What the system lacks ----------------------------------------------------------------- */

static bool is_closed(const fault_sys *f, int dir, const char *path)
{
    struct stat st;
    char folder[4096];
    const char *slash = strrchr(path, '/');
    if (f->closed_ino == 0)
        return false;
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
    return fstatat(dir, folder, &st, 0) == 0 && st.st_ino == f->closed_ino &&
           st.st_dev == f->closed_dev;
}

static bool is_closed_itself(const fault_sys *f, int dir, const char *path, int flags)
{
    struct stat st;
    return f->closed_ino != 0 && fstatat(dir, path, &st, flags & AT_EMPTY_PATH) == 0 &&
           st.st_ino == f->closed_ino && st.st_dev == f->closed_dev;
}

static bool makes_unnamed(int flags)
{
    return (flags & O_TMPFILE) == O_TMPFILE;
}

static int lacks_open(const fault_sys *f, int dir, const char *path, int flags)
{
    if (makes_unnamed(flags)) {
        if (f->lacks & FAULT_NO_TMPFILE)
            return EOPNOTSUPP;
        return is_closed_itself(f, dir, path, 0) ? EACCES : 0;
    }
    if ((flags & O_CREAT) && is_closed(f, dir, path) && faccessat(dir, path, F_OK, 0) != 0)
        return EACCES;
    return 0;
}

/* ---- The calls ----------------------------------------------------------------------------- */

#define NO_SUBJECT ((subject){.fd = -1})
#define OF_FD(descriptor) ((subject){.fd = (descriptor)})
#define OF_PATH(name) ((subject){.path = (name), .fd = -1})

/* The body of a call: counted, perhaps struck, perhaps refused with the errno `lack`, else made. */
#define PASS(type, call, what, lack, ...)                                                          \
    do {                                                                                           \
        ruling r = begin(f, FAULT_ON_##call, (what));                                              \
        if (r.verdict == FAIL)                                                                     \
            return -r.error;                                                                       \
        int refused = (lack);                                                                      \
        if (refused)                                                                               \
            return -refused;                                                                       \
        return (type)end(f, FAULT_ON_##call, (long)EM_SYS(f->below, call, __VA_ARGS__));           \
    } while (0)

static int fault_open(void *context, int dir, const char *path, int flags, mode_t mode, int resolve)
{
    fault_sys *f = context;
    ruling r = begin(f, FAULT_ON_open, OF_PATH(path));
    if (r.verdict == FAIL)
        return -r.error;
    int refused = lacks_open(f, dir, path, flags);
    if (refused)
        return -refused;
    if (f->boot_id && strcmp(path, "/proc/sys/kernel/random/boot_id") == 0)
        path = f->boot_id;
    int fd = EM_SYS(f->below, open, dir, path, flags, mode, resolve);
    bool changes = (flags & (O_CREAT | O_TRUNC)) || makes_unnamed(flags);
    end_at(f, f->calls, fd >= 0 && changes);
    return fd;
}

static int fault_close(void *context, int fd)
{
    fault_sys *f = context;
    ruling r = begin(f, FAULT_ON_close, OF_FD(fd));
    int result = EM_SYS(f->below, close, fd);
    end(f, FAULT_ON_close, result);
    return r.verdict == MAKE_AND_FAIL ? -r.error : result;
}

static int fault_stat(void *context, int dir, const char *path, int flags, em_stat *out)
{
    fault_sys *f = context;
    PASS(int, stat, path[0] ? OF_PATH(path) : OF_FD(dir), 0, dir, path, flags, out);
}

static int fault_access(void *context, int dir, const char *path, int mode, int flags)
{
    fault_sys *f = context;
    PASS(int, access, path[0] ? OF_PATH(path) : OF_FD(dir),
         (mode & W_OK) && is_closed_itself(f, dir, path, flags) ? EACCES : 0, dir, path, mode,
         flags);
}

static ssize_t fault_readlink(void *context, int dir, const char *path, char *out, size_t size)
{
    fault_sys *f = context;
    PASS(ssize_t, readlink, OF_PATH(path), 0, dir, path, out, size);
}

static ssize_t fault_read(void *context, int fd, void *out, size_t size, off_t offset)
{
    fault_sys *f = context;
    ruling r = begin(f, FAULT_ON_read, OF_FD(fd));
    if (r.verdict == FAIL)
        return -r.error;
    if (r.verdict == END)
        return 0;
    size_t part = size < r.transfer ? size : r.transfer;
    return end(f, FAULT_ON_read, EM_SYS(f->below, read, fd, out, part, offset));
}

/* The pieces cut down to `limit` bytes: how many of them are left in `kept`. */
static int cut_pieces(const struct iovec *pieces, int count, size_t limit, struct iovec *kept,
                      int room)
{
    int used = 0;
    while (used < count && used < room && limit > 0) {
        kept[used] = pieces[used];
        if (kept[used].iov_len > limit)
            kept[used].iov_len = limit;
        limit -= kept[used].iov_len;
        used++;
    }
    return used;
}

static ssize_t fault_write(void *context, int fd, const struct iovec *pieces, int count,
                           off_t offset)
{
    fault_sys *f = context;
    struct iovec kept[64];
    ruling r = begin(f, FAULT_ON_write, OF_FD(fd));
    if (r.verdict == FAIL)
        return -r.error;
    count = cut_pieces(pieces, count, r.transfer, kept, (int)(sizeof kept / sizeof *kept));
    return end(f, FAULT_ON_write, EM_SYS(f->below, write, fd, kept, count, offset));
}

static int fault_truncate(void *context, int fd, off_t size)
{
    fault_sys *f = context;
    PASS(int, truncate, OF_FD(fd), 0, fd, size);
}

static int fault_reserve(void *context, int fd, off_t size)
{
    fault_sys *f = context;
    PASS(int, reserve, OF_FD(fd), 0, fd, size);
}

static int fault_sync(void *context, int fd, bool data_only)
{
    fault_sys *f = context;
    PASS(int, sync, OF_FD(fd), 0, fd, data_only);
}

static int fault_write_out(void *context, int fd)
{
    fault_sys *f = context;
    PASS(int, write_out, OF_FD(fd), 0, fd);
}

static int fault_flush(void *context, int fd)
{
    fault_sys *f = context;
    PASS(int, flush, OF_FD(fd), 0, fd);
}

static int fault_chmod(void *context, int fd, mode_t mode)
{
    fault_sys *f = context;
    PASS(int, chmod, OF_FD(fd), 0, fd, mode);
}

static int fault_chown(void *context, int fd, uid_t uid, gid_t gid)
{
    fault_sys *f = context;
    PASS(int, chown, OF_FD(fd), 0, fd, uid, gid);
}

static ssize_t fault_listxattr(void *context, int fd, char *names, size_t size)
{
    fault_sys *f = context;
    PASS(ssize_t, listxattr, OF_FD(fd), 0, fd, names, size);
}

static ssize_t fault_getxattr(void *context, int fd, const char *name, void *value, size_t size)
{
    fault_sys *f = context;
    PASS(ssize_t, getxattr, OF_PATH(name), 0, fd, name, value, size);
}

static int fault_setxattr(void *context, int fd, const char *name, const void *value, size_t size)
{
    fault_sys *f = context;
    PASS(int, setxattr, OF_PATH(name), 0, fd, name, value, size);
}

static int fault_link(void *context, int from_dir, const char *from, int to_dir, const char *to,
                      int flags)
{
    fault_sys *f = context;
    PASS(int, link, ((subject){.path = from, .other = to, .fd = -1}),
         is_closed(f, to_dir, to) ? EACCES : 0, from_dir, from, to_dir, to, flags);
}

static int fault_unlink(void *context, int dir, const char *path, int flags)
{
    fault_sys *f = context;
    PASS(int, unlink, OF_PATH(path), is_closed(f, dir, path) ? EACCES : 0, dir, path, flags);
}

static int lacks_rename(const fault_sys *f, int from_dir, const char *from, unsigned flags)
{
    if ((f->lacks & FAULT_NO_EXCHANGE) && (flags & RENAME_EXCHANGE))
        return EINVAL;
    return is_closed(f, from_dir, from) ? EACCES : 0;
}

static int fault_rename(void *context, int from_dir, const char *from, int to_dir, const char *to,
                        unsigned flags)
{
    fault_sys *f = context;
    ruling r = begin(f, FAULT_ON_rename, (subject){.path = from, .other = to, .fd = -1});
    int refused = r.verdict == FAIL ? r.error : lacks_rename(f, from_dir, from, flags);
    if (refused)
        return -refused;
    void (*before)(void *) = f->before_rename;
    f->before_rename = NULL;
    if (before)
        before(f->before_rename_context);
    int result = EM_SYS(f->below, rename, from_dir, from, to_dir, to, flags);
    return (int)end(f, FAULT_ON_rename, result);
}

static int fault_mkdir(void *context, int dir, const char *path, mode_t mode)
{
    fault_sys *f = context;
    PASS(int, mkdir, OF_PATH(path), is_closed(f, dir, path) ? EACCES : 0, dir, path, mode);
}

static ssize_t fault_list(void *context, int fd, void *out, size_t size)
{
    fault_sys *f = context;
    PASS(ssize_t, list, OF_FD(fd), 0, fd, out, size);
}

static ssize_t fault_copy(void *context, int from, off_t from_offset, int to, off_t to_offset,
                          size_t size)
{
    fault_sys *f = context;
    ruling r = begin(f, FAULT_ON_copy, OF_FD(to));
    if (r.verdict == FAIL)
        return -r.error;
    if (r.verdict == END)
        return 0;
    if (f->lacks & FAULT_NO_CLONE)
        return -EOPNOTSUPP;
    size_t part = size < r.transfer ? size : r.transfer;
    return end(f, FAULT_ON_copy, EM_SYS(f->below, copy, from, from_offset, to, to_offset, part));
}

static int fault_clone(void *context, int from, int to)
{
    fault_sys *f = context;
    PASS(int, clone, OF_FD(to), f->lacks &FAULT_NO_CLONE ? EOPNOTSUPP : 0, from, to);
}

static int fault_lock(void *context, int fd, short type, off_t start, off_t length)
{
    fault_sys *f = context;
    PASS(int, lock, OF_FD(fd), 0, fd, type, start, length);
}

static int fault_locked(void *context, int fd, short type, off_t start, off_t length)
{
    fault_sys *f = context;
    PASS(int, locked, OF_FD(fd), 0, fd, type, start, length);
}

static int fault_map(void *context, int fd, off_t offset, size_t size, bool writable, void **out)
{
    fault_sys *f = context;
    PASS(int, map, OF_FD(fd), 0, fd, offset, size, writable, out);
}

static int fault_unmap(void *context, void *at, size_t size)
{
    fault_sys *f = context;
    ruling r = begin(f, FAULT_ON_unmap, NO_SUBJECT);
    int result = EM_SYS(f->below, unmap, at, size);
    end(f, FAULT_ON_unmap, result);
    return r.verdict == FAIL ? -r.error : result;
}

static int fault_cwd(void *context, char *out, size_t size)
{
    fault_sys *f = context;
    PASS(int, cwd, NO_SUBJECT, 0, out, size);
}

static int fault_filesystem(void *context, int fd, uint64_t *magic)
{
    enum { UNKNOWN = 0x12345 };
    fault_sys *f = context;
    ruling r = begin(f, FAULT_ON_filesystem, OF_FD(fd));
    if (r.verdict == FAIL)
        return -r.error;
    int result = EM_SYS(f->below, filesystem, fd, magic);
    if (result == 0 && (f->lacks & FAULT_NO_MAGIC))
        *magic = UNKNOWN;
    return (int)end(f, FAULT_ON_filesystem, result);
}

static int fault_release(void *context, char *out, size_t size)
{
    fault_sys *f = context;
    PASS(int, release, NO_SUBJECT, 0, out, size);
}

static int fault_random(void *context, void *out, size_t size)
{
    fault_sys *f = context;
    PASS(int, random, NO_SUBJECT, 0, out, size);
}

static int fault_clock(void *context, clockid_t clock, struct timespec *out)
{
    fault_sys *f = context;
    ruling r = begin(f, FAULT_ON_clock, NO_SUBJECT);
    if (r.verdict == FAIL)
        return -r.error;
    int result = EM_SYS(f->below, clock, clock, out);
    long long nanoseconds = out->tv_nsec + f->slept;
    out->tv_sec += (time_t)(nanoseconds / NANOSECONDS);
    out->tv_nsec = (long)(nanoseconds % NANOSECONDS);
    return (int)end(f, FAULT_ON_clock, result);
}

static int fault_sleep(void *context, long nanoseconds)
{
    fault_sys *f = context;
    ruling r = begin(f, FAULT_ON_sleep, NO_SUBJECT);
    if (r.verdict == FAIL)
        return -r.error;
    f->slept += nanoseconds;
    return (int)end(f, FAULT_ON_sleep, 0);
}

void fault_sys_init(fault_sys *f, const em_sys *below)
{
    *f = (fault_sys){
        .below = below,
        .sys = {.context = f,
#define FAULT_CALL_MEMBER(call, changes) .call = fault_##call,
                FAULT_CALLS(FAULT_CALL_MEMBER)
#undef FAULT_CALL_MEMBER
        },
    };
}

void fault_sys_drop(fault_sys *f)
{
    free(f->trace);
    f->trace = NULL;
    f->trace_room = 0;
}
