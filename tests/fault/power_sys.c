#include "power_sys.h"

#include "power_model.h"

#include <errno.h>
#include <stdio.h> /* RENAME_EXCHANGE */
#include <unistd.h>

static int power_open(void *context, int dir, const char *path, int flags, mode_t mode, int resolve)
{
    power_sys *p = context;
    struct stat st;
    const char *name;
    bool unnamed = (flags & O_TMPFILE) == O_TMPFILE;
    bool creates = !unnamed && (flags & O_CREAT) && faccessat(dir, path, F_OK, 0) != 0;
    int fd = em_sys_native.open(NULL, dir, path, flags, mode, resolve);
    if (fd < 0 || fstat(fd, &st) != 0 || st.st_dev != p->model->dev)
        return fd;
    node *folder =
        unnamed ? model_at(p->model, dir, path, 0) : model_folder_of(p->model, dir, path, &name);
    if (folder && (unnamed || creates))
        model_add(p->model, &st);
    if (folder && creates)
        model_names(p->model, model_set(folder, name, st.st_ino), NULL);
    node *file = model_find(p->model, st.st_ino);
    if (file && !creates && !unnamed && (flags & O_TRUNC))
        model_write(p->model, file, true, 0, (blob){0});
    return fd;
}

/* What a call wrote, read back from the file. */
static ssize_t wrote(power_sys *p, int fd, off_t offset, ssize_t length)
{
    node *n = length > 0 ? model_of_fd(p->model, fd) : NULL;
    if (n) {
        blob bytes = {0};
        int reader = model_reopen(fd, O_RDONLY);
        model_resize(&bytes, (size_t)length);
        model_read(reader, offset, bytes.ptr, bytes.len);
        close(reader);
        model_write(p->model, n, false, offset, bytes);
    }
    return length;
}

static ssize_t power_write(void *context, int fd, const struct iovec *pieces, int count,
                           off_t offset)
{
    power_sys *p = context;
    return wrote(p, fd, offset, em_sys_native.write(NULL, fd, pieces, count, offset));
}

static ssize_t power_copy(void *context, int from, off_t from_offset, int to, off_t to_offset,
                          size_t size)
{
    power_sys *p = context;
    return wrote(p, to, to_offset,
                 em_sys_native.copy(NULL, from, from_offset, to, to_offset, size));
}

static int power_clone(void *context, int from, int to)
{
    power_sys *p = context;
    struct stat st;
    int result = em_sys_native.clone(NULL, from, to);
    if (result == 0 && fstat(to, &st) == 0)
        wrote(p, to, 0, (ssize_t)st.st_size);
    return result;
}

static int power_truncate(void *context, int fd, off_t size)
{
    power_sys *p = context;
    int result = em_sys_native.truncate(NULL, fd, size);
    node *n = result == 0 ? model_of_fd(p->model, fd) : NULL;
    if (n)
        model_write(p->model, n, true, size, (blob){0});
    return result;
}

static int power_chmod(void *context, int fd, mode_t mode)
{
    power_sys *p = context;
    int result = em_sys_native.chmod(NULL, fd, mode);
    model_touch(p->model, fd);
    return result;
}

static int power_chown(void *context, int fd, uid_t uid, gid_t gid)
{
    power_sys *p = context;
    int result = em_sys_native.chown(NULL, fd, uid, gid);
    model_touch(p->model, fd);
    return result;
}

static int power_setxattr(void *context, int fd, const char *name, const void *value, size_t size)
{
    power_sys *p = context;
    int result = em_sys_native.setxattr(NULL, fd, name, value, size);
    model_touch(p->model, fd);
    return result;
}

static int power_sync(void *context, int fd, bool data_only)
{
    power_sys *p = context;
    int result = em_sys_native.sync(NULL, fd, data_only);
    node *n = result == 0 ? model_of_fd(p->model, fd) : NULL;
    if (n)
        model_sync(p->model, n, fd, data_only);
    return result;
}

static int power_link(void *context, int from_dir, const char *from, int to_dir, const char *to,
                      int flags)
{
    power_sys *p = context;
    const char *name;
    int follow = flags & AT_SYMLINK_FOLLOW ? 0 : AT_SYMLINK_NOFOLLOW;
    node *file = model_at(p->model, from_dir, from, (flags & AT_EMPTY_PATH) | follow);
    node *folder = model_folder_of(p->model, to_dir, to, &name);
    int result = em_sys_native.link(NULL, from_dir, from, to_dir, to, flags);
    if (result == 0 && file && folder)
        model_names(p->model, model_set(folder, name, file->ino), NULL);
    return result;
}

static bool is_last_name(int dir, const char *path)
{
    struct stat st;
    return fstatat(dir, path, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
           (S_ISDIR(st.st_mode) || st.st_nlink == 1);
}

static bool is_empty_folder(int dir, const char *path)
{
    int count = 0;
    int fd = openat(dir, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *open_dir = fd < 0 ? NULL : fdopendir(fd);
    while (open_dir && readdir(open_dir))
        count++;
    if (open_dir)
        closedir(open_dir);
    return open_dir && count == 2;
}

static int remove_name(power_sys *p, node *n, int dir, const char *path, int flags)
{
    bool as_folder = flags & AT_REMOVEDIR;
    if (as_folder != (S_ISDIR(n->type) != 0))
        return as_folder ? -ENOTDIR : -EISDIR;
    if (as_folder && !is_empty_folder(dir, path))
        return -ENOTEMPTY;
    if (is_last_name(dir, path))
        return model_to_vault(p->model, n, dir, path);
    return em_sys_native.unlink(NULL, dir, path, flags);
}

static int power_unlink(void *context, int dir, const char *path, int flags)
{
    power_sys *p = context;
    const char *name;
    node *folder = model_folder_of(p->model, dir, path, &name);
    node *n = model_at(p->model, dir, path, AT_SYMLINK_NOFOLLOW);
    if (!folder || !n)
        return em_sys_native.unlink(NULL, dir, path, flags);
    int result = remove_name(p, n, dir, path, flags);
    if (result == 0)
        model_names(p->model, model_set(folder, name, 0), NULL);
    return result;
}

/* A rename over a name: what had it goes to the vault. */
static int rename_over(power_sys *p, node *over, int from_dir, const char *from, int to_dir,
                       const char *to)
{
    int result = em_sys_native.rename(NULL, from_dir, from, to_dir, to, RENAME_EXCHANGE);
    return result == 0 ? model_to_vault(p->model, over, from_dir, from) : result;
}

static int power_rename(void *context, int from_dir, const char *from, int to_dir, const char *to,
                        unsigned flags)
{
    power_sys *p = context;
    const char *from_name, *to_name;
    node *from_folder = model_folder_of(p->model, from_dir, from, &from_name);
    node *to_folder = model_folder_of(p->model, to_dir, to, &to_name);
    node *moved = model_at(p->model, from_dir, from, AT_SYMLINK_NOFOLLOW);
    node *over = model_at(p->model, to_dir, to, AT_SYMLINK_NOFOLLOW);
    bool loses = flags == 0 && over && over != moved && is_last_name(to_dir, to);
    int result = loses ? rename_over(p, over, from_dir, from, to_dir, to)
                       : em_sys_native.rename(NULL, from_dir, from, to_dir, to, flags);
    if (result != 0 || !from_folder || !to_folder || !moved)
        return result;
    bool exchanged = flags & RENAME_EXCHANGE;
    name_set there = model_set(to_folder, to_name, moved->ino);
    model_names(p->model, model_set(from_folder, from_name, exchanged && over ? over->ino : 0),
                &there);
    return result;
}

static int power_mkdir(void *context, int dir, const char *path, mode_t mode)
{
    power_sys *p = context;
    struct stat st;
    const char *name;
    node *folder = model_folder_of(p->model, dir, path, &name);
    int result = em_sys_native.mkdir(NULL, dir, path, mode);
    if (result == 0 && folder && fstatat(dir, path, &st, 0) == 0) {
        model_add(p->model, &st);
        model_names(p->model, model_set(folder, name, st.st_ino), NULL);
    }
    return result;
}

static int power_stat(void *context, int dir, const char *path, int flags, em_stat *out)
{
    power_sys *p = context;
    int result = em_sys_native.stat(NULL, dir, path, flags, out);
    node *n = result == 0 ? model_find(p->model, (ino_t)out->ino) : NULL;
    if (n && n->vaulted)
        out->nlink = 0;
    return result;
}

static int power_map(void *context, int fd, off_t offset, size_t size, bool writable, void **out)
{
    power_sys *p = context;
    int result = em_sys_native.map(NULL, fd, offset, size, writable, out);
    world_must(p->map_count < POWER_MAPS, "too many maps");
    if (result < 0)
        return result;
    p->maps[p->map_count].at = *out;
    p->maps[p->map_count++].size = size;
    return result;
}

static int power_unmap(void *context, void *at, size_t size)
{
    power_sys *p = context;
    int i = 0;
    while (i < p->map_count && p->maps[i].at != at)
        i++;
    if (i < p->map_count)
        p->maps[i] = p->maps[--p->map_count];
    return em_sys_native.unmap(NULL, at, size);
}

void power_sys_unmap(power_sys *p)
{
    while (p->map_count > 0)
        power_unmap(p, p->maps[0].at, p->maps[0].size);
}

void power_sys_init(power_sys *p, const char *folder, const char *vault)
{
    *p = (power_sys){.sys = em_sys_native, .model = model_new(folder, vault)};
    p->sys.context = p; /* the native functions have no use for theirs */
    p->sys.open = power_open;
    p->sys.stat = power_stat;
    p->sys.write = power_write;
    p->sys.truncate = power_truncate;
    p->sys.sync = power_sync;
    p->sys.chmod = power_chmod;
    p->sys.chown = power_chown;
    p->sys.setxattr = power_setxattr;
    p->sys.link = power_link;
    p->sys.unlink = power_unlink;
    p->sys.rename = power_rename;
    p->sys.mkdir = power_mkdir;
    p->sys.copy = power_copy;
    p->sys.clone = power_clone;
    p->sys.map = power_map;
    p->sys.unmap = power_unmap;
}

long power_changes(const power_sys *p)
{
    return p->model->changes;
}

void power_sys_drop(power_sys *p)
{
    world_remove(p->model->vault);
    model_free(p->model);
    p->model = NULL;
}
