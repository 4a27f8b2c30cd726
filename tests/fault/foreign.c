#include "foreign.h"

#include "world.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void must(long result, const char *what)
{
    if (result >= 0)
        return;
    errno = (int)-result;
    world_fail(what);
}

const char *foreign_name(foreign_kind kind)
{
    static const char *const names[FOREIGN_KINDS] = {
        [FOREIGN_RENAME] = "save by rename", [FOREIGN_TRUNCATE] = "save by truncating",
        [FOREIGN_APPEND] = "append",         [FOREIGN_QUIET] = "quiet write",
        [FOREIGN_REMOVE] = "removal",
    };
    return names[kind];
}

static void make_folders(const em_sys *sys, const char *root, const char *path)
{
    char folder[WORLD_PATH];
    world_path(root, path, folder);
    for (char *slash = strchr(folder + strlen(root) + 1, '/'); slash;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        int result = EM_SYS(sys, mkdir, AT_FDCWD, folder, WORLD_FOLDER_MODE);
        if (result != -EEXIST)
            must(result, folder);
        *slash = '/';
    }
}

static void sync_folder(const em_sys *sys, const char *file)
{
    char folder[WORLD_PATH];
    strcpy(folder, file);
    *strrchr(folder, '/') = '\0';
    int fd = EM_SYS(sys, open, AT_FDCWD, folder, O_RDONLY | O_DIRECTORY, 0, 0);
    must(fd, folder);
    must(EM_SYS(sys, sync, fd, false), folder);
    EM_SYS(sys, close, fd);
}

static void finish_at(const em_sys *sys, int fd, em_slice bytes, off_t offset)
{
    struct iovec piece = {.iov_base = (char *)bytes.ptr, .iov_len = bytes.len};
    must(EM_SYS(sys, write, fd, &piece, 1, offset), "write");
    must(EM_SYS(sys, sync, fd, false), "sync");
    EM_SYS(sys, close, fd);
}

int foreign_open(const em_sys *sys, const char *root, const char *path)
{
    char whole[WORLD_PATH];
    make_folders(sys, root, path);
    world_path(root, path, whole);
    int fd = EM_SYS(sys, open, AT_FDCWD, whole, O_WRONLY | O_CREAT | O_TRUNC, 0640, 0);
    must(fd, whole);
    return fd;
}

void foreign_finish(const em_sys *sys, int fd, em_slice bytes)
{
    finish_at(sys, fd, bytes, 0);
}

static void save_by_rename(const em_sys *sys, const char *root, const char *path, em_slice bytes)
{
    char saved[WORLD_PATH], whole[WORLD_PATH];
    make_folders(sys, root, path);
    world_path(root, path, whole);
    must(snprintf(saved, sizeof saved, "%s.saved", path) < WORLD_PATH ? 0 : -ENAMETOOLONG, path);
    foreign_finish(sys, foreign_open(sys, root, saved), bytes);
    char from[WORLD_PATH];
    world_path(root, saved, from);
    must(EM_SYS(sys, rename, AT_FDCWD, from, AT_FDCWD, whole, 0), whole);
    sync_folder(sys, whole);
}

static void append(const em_sys *sys, const char *root, const char *path, em_slice bytes)
{
    char whole[WORLD_PATH];
    em_stat stat;
    make_folders(sys, root, path);
    world_path(root, path, whole);
    int fd = EM_SYS(sys, open, AT_FDCWD, whole, O_WRONLY | O_CREAT, 0640, 0);
    must(fd, whole);
    must(EM_SYS(sys, stat, fd, "", AT_EMPTY_PATH, &stat), whole);
    finish_at(sys, fd, bytes, (off_t)stat.size);
}

/* Set the times of a file until its ctime is another than `before`. Where the clock of the file
 * system is coarse (Linux before 6.13) that takes a tick, and within one no stamp can tell. */
static void set_times(int fd, const struct timespec times[2], struct timespec before,
                      const char *whole)
{
    static const struct timespec a_moment = {.tv_nsec = 1000000};
    struct stat st;
    for (;;) {
        world_must(futimens(fd, times) == 0 && fstat(fd, &st) == 0, whole);
        if (st.st_ctim.tv_sec != before.tv_sec || st.st_ctim.tv_nsec != before.tv_nsec)
            return;
        nanosleep(&a_moment, NULL);
    }
}

/* As rsync and `cp -p` leave it: neither the size nor the time tells of it. */
static bool write_quietly(const char *root, const char *path, em_slice bytes)
{
    char whole[WORLD_PATH];
    struct stat st;
    world_path(root, path, whole);
    int fd = open(whole, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    world_must(fstat(fd, &st) == 0, whole);
    bool fits = (size_t)st.st_size >= bytes.len;
    const struct timespec times[2] = {st.st_atim, st.st_mtim};
    if (fits) {
        world_must(pwrite(fd, bytes.ptr, bytes.len, 0) == (ssize_t)bytes.len, whole);
        set_times(fd, times, st.st_ctim, whole);
    }
    close(fd);
    return fits;
}

static bool remove_file(const em_sys *sys, const char *root, const char *path)
{
    char whole[WORLD_PATH];
    world_path(root, path, whole);
    int result = EM_SYS(sys, unlink, AT_FDCWD, whole, 0);
    if (result != -ENOENT)
        must(result, whole);
    return result == 0;
}

bool foreign_write(foreign_kind kind, const em_sys *sys, const char *root, const char *path,
                   em_slice bytes)
{
    switch (kind) {
    case FOREIGN_RENAME:
        save_by_rename(sys, root, path, bytes);
        break;
    case FOREIGN_TRUNCATE:
        foreign_finish(sys, foreign_open(sys, root, path), bytes);
        break;
    case FOREIGN_APPEND:
        append(sys, root, path, bytes);
        break;
    case FOREIGN_QUIET:
        return write_quietly(root, path, bytes);
    case FOREIGN_REMOVE:
        return remove_file(sys, root, path);
    case FOREIGN_KINDS:
        break;
    }
    return true;
}
