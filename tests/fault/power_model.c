#include "power_model.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

static void *make(size_t size)
{
    void *made = calloc(1, size ? size : 1);
    world_must(made != NULL, "memory");
    return made;
}

static char *copy_string(const char *s)
{
    char *copy = make(strlen(s) + 1);
    return strcpy(copy, s);
}

void model_resize(blob *b, size_t len)
{
    char *grown = realloc(b->ptr, len ? len : 1);
    world_must(grown != NULL, "memory");
    if (len > b->len)
        memset(grown + b->len, 0, len - b->len);
    b->ptr = grown;
    b->len = len;
}

static void blob_add(blob *b, const void *bytes, size_t len)
{
    size_t at = b->len;
    model_resize(b, at + len);
    memcpy(b->ptr + at, bytes, len);
}

static void blob_drop(blob *b)
{
    free(b->ptr);
    *b = (blob){0};
}

node *model_find(const power_model *m, ino_t ino)
{
    node *n = m->nodes;
    while (n && n->ino != ino)
        n = n->next;
    return n;
}

node *model_add(power_model *m, const struct stat *st)
{
    node *n = make(sizeof *n);
    n->ino = st->st_ino;
    n->number = m->nodes ? m->nodes->number + 1 : 0;
    n->type = st->st_mode & S_IFMT;
    n->facts = (facts){.mode = st->st_mode, .uid = st->st_uid, .gid = st->st_gid};
    n->facts.mtime = st->st_mtim;
    n->last_write = &n->writes;
    n->next = m->nodes;
    m->nodes = n;
    return n;
}

void model_drop_writes(node *n)
{
    while (n->writes) {
        write_op *next = n->writes->next;
        blob_drop(&n->writes->bytes);
        free(n->writes);
        n->writes = next;
    }
    n->last_write = &n->writes;
}

static void node_free(node *n)
{
    model_drop_writes(n);
    blob_drop(&n->bytes);
    blob_drop(&n->facts.attributes);
    for (size_t i = 0; i < n->entry_count; i++)
        free(n->entries[i].name);
    free(n->entries);
    free(n);
}

/* The durable names of a folder, with `name` set to `ino` or (0) removed. */
void model_set_entry(node *folder, const char *name, ino_t ino)
{
    size_t i = 0;
    while (i < folder->entry_count && strcmp(folder->entries[i].name, name) != 0)
        i++;
    if (i < folder->entry_count && ino != 0) {
        folder->entries[i].ino = ino;
    } else if (i < folder->entry_count) {
        free(folder->entries[i].name);
        folder->entries[i] = folder->entries[--folder->entry_count];
    } else if (ino != 0) {
        size_t size = (folder->entry_count + 1) * sizeof *folder->entries;
        folder->entries = realloc(folder->entries, size);
        world_must(folder->entries != NULL, "memory");
        folder->entries[folder->entry_count++] = (name_entry){copy_string(name), ino};
    }
}

/* ---- Reading the real files ---------------------------------------------------------------- */

void model_read(int fd, off_t offset, char *out, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t got = pread(fd, out + done, size - done, offset + (off_t)done);
        world_must(got > 0, "read");
        done += (size_t)got;
    }
}

/* A descriptor of the same file, for reading; one opened for writing only cannot be read. */
int model_reopen(int fd, int flags)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    int again = open(path, flags | O_CLOEXEC);
    world_must(again >= 0, "reopen");
    return again;
}

static void read_bytes(int fd, blob *out)
{
    struct stat st;
    int reader = model_reopen(fd, O_RDONLY);
    world_must(fstat(reader, &st) == 0, "stat");
    model_resize(out, (size_t)st.st_size);
    model_read(reader, 0, out->ptr, out->len);
    close(reader);
}

static void read_facts(int fd, facts *out)
{
    struct stat st;
    char names[4096], value[4096];
    world_must(fstat(fd, &st) == 0, "stat");
    out->mode = st.st_mode;
    out->uid = st.st_uid;
    out->gid = st.st_gid;
    out->mtime = st.st_mtim;
    out->attributes.len = 0;
    ssize_t length = flistxattr(fd, names, sizeof names);
    for (ssize_t at = 0; at < length; at += (ssize_t)strlen(names + at) + 1) {
        ssize_t size = fgetxattr(fd, names + at, value, sizeof value);
        world_must(size >= 0, "getxattr");
        blob_add(&out->attributes, names + at, strlen(names + at) + 1);
        blob_add(&out->attributes, &size, sizeof size);
        blob_add(&out->attributes, value, (size_t)size);
    }
}

static void scan(power_model *m, const char *path);

static void scan_entry(power_model *m, node *folder, const char *path, const char *name)
{
    struct stat st;
    char below[POWER_PATH];
    world_must(snprintf(below, sizeof below, "%s/%s", path, name) < POWER_PATH, "path");
    world_must(lstat(below, &st) == 0, below);
    model_set_entry(folder, name, st.st_ino);
    if (S_ISDIR(st.st_mode)) {
        scan(m, below);
    } else if (!model_find(m, st.st_ino)) {
        node *file = model_add(m, &st);
        if (S_ISREG(st.st_mode)) {
            int fd = open(below, O_RDONLY | O_CLOEXEC);
            world_must(fd >= 0, below);
            read_bytes(fd, &file->bytes);
            read_facts(fd, &file->facts);
            close(fd);
        }
    }
}

static void scan(power_model *m, const char *path)
{
    struct stat st;
    DIR *dir = opendir(path);
    world_must(dir && fstat(dirfd(dir), &st) == 0, path);
    node *folder = model_add(m, &st);
    for (struct dirent *e = readdir(dir); e; e = readdir(dir))
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            scan_entry(m, folder, path, e->d_name);
    closedir(dir);
}

/* ---- What a call concerns ------------------------------------------------------------------ */

node *model_of_fd(const power_model *m, int fd)
{
    struct stat st;
    return fstat(fd, &st) == 0 && st.st_dev == m->dev ? model_find(m, st.st_ino) : NULL;
}

node *model_at(const power_model *m, int dir, const char *path, int flags)
{
    struct stat st;
    return fstatat(dir, path, &st, flags) == 0 && st.st_dev == m->dev ? model_find(m, st.st_ino)
                                                                      : NULL;
}

/* The watched folder in which the last part of `path` is a name; NULL when it is another's. */
node *model_folder_of(const power_model *m, int dir, const char *path, const char **name)
{
    char parent[POWER_PATH];
    const char *slash = strrchr(path, '/');
    *name = slash ? slash + 1 : path;
    if (!slash)
        return dir == AT_FDCWD ? NULL : model_of_fd(m, dir);
    world_must(snprintf(parent, sizeof parent, "%.*s/", (int)(slash - path), path) < POWER_PATH,
               "path");
    return model_at(m, dir, parent, 0);
}

name_set model_set(const node *folder, const char *name, ino_t ino)
{
    return (name_set){folder->ino, copy_string(name), ino};
}

void model_names(power_model *m, name_set first, const name_set *second)
{
    name_op *op = make(sizeof *op);
    op->sets[op->count++] = first;
    if (second)
        op->sets[op->count++] = *second;
    *m->last_name = op;
    m->last_name = &op->next;
    m->name_count++;
    m->changes++;
}

void model_write(power_model *m, node *n, bool truncates, off_t offset, blob bytes)
{
    write_op *op = make(sizeof *op);
    *op = (write_op){.truncates = truncates, .offset = offset, .bytes = bytes};
    *n->last_write = op;
    n->last_write = &op->next;
    m->changes++;
}

void model_vault_path(const power_model *m, const node *n, char out[POWER_PATH])
{
    int length = snprintf(out, POWER_PATH, "%s/%llu", m->vault, (unsigned long long)n->ino);
    world_must(length < POWER_PATH, m->vault);
}

int model_to_vault(power_model *m, node *n, int dir, const char *path)
{
    char name[POWER_PATH];
    model_vault_path(m, n, name);
    if (renameat(dir, path, AT_FDCWD, name) != 0)
        return -errno;
    n->vaulted = true;
    return 0;
}

/* A folder's sync: of each call since the last one, the names in this folder are durable. */
static void sync_folder(power_model *m, node *folder)
{
    for (name_op **at = &m->names; *at;) {
        name_op *op = *at;
        for (int i = 0; i < op->count;) {
            if (op->sets[i].folder != folder->ino) {
                i++;
                continue;
            }
            model_set_entry(folder, op->sets[i].name, op->sets[i].ino);
            free(op->sets[i].name);
            op->sets[i] = op->sets[--op->count];
        }
        if (op->count == 0) {
            *at = op->next;
            free(op);
            m->name_count--;
        } else {
            at = &op->next;
        }
    }
    m->last_name = &m->names;
    while (*m->last_name)
        m->last_name = &(*m->last_name)->next;
}

static void sync_file(node *n, int fd, bool data_only)
{
    read_bytes(fd, &n->bytes);
    model_drop_writes(n);
    if (!data_only) {
        read_facts(fd, &n->facts);
        n->facts_dirty = false;
    }
}

void model_sync(power_model *m, node *n, int fd, bool data_only)
{
    if (S_ISDIR(n->type))
        sync_folder(m, n);
    else
        sync_file(n, fd, data_only);
    m->changes++;
}

void model_touch(power_model *m, int fd)
{
    node *n = model_of_fd(m, fd);
    if (n) {
        n->facts_dirty = true;
        m->changes++;
    }
}

power_model *model_new(const char *folder, const char *vault)
{
    struct stat st;
    power_model *m = make(sizeof *m);
    m->last_name = &m->names;
    world_must(strlen(folder) < WORLD_PATH && strlen(vault) < WORLD_PATH, "path");
    strcpy(m->folder, folder);
    strcpy(m->vault, vault);
    world_must(mkdir(vault, 0700) == 0, vault);
    world_must(stat(folder, &st) == 0, folder);
    m->dev = st.st_dev;
    m->root = st.st_ino;
    scan(m, folder);
    return m;
}

void model_free(power_model *m)
{
    while (m->nodes) {
        node *next = m->nodes->next;
        node_free(m->nodes);
        m->nodes = next;
    }
    while (m->names) {
        name_op *next = m->names->next;
        for (int i = 0; i < m->names->count; i++)
            free(m->names->sets[i].name);
        free(m->names);
        m->names = next;
    }
    free(m);
}
