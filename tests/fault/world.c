#include "world.h"

#include "base/strbuf.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { NAMES_SIZE = 4096 };

_Noreturn void world_fail(const char *what)
{
    fprintf(stderr, "the sweep cannot run: %s: %s\n", what, strerror(errno));
    exit(2);
}

void world_must(bool holds, const char *what)
{
    if (!holds)
        world_fail(what);
}

static void *grown(void *items, size_t count, size_t size)
{
    void *more = realloc(items, (count + 1) * size);
    world_must(more != NULL, "memory");
    return more;
}

static char *copy_string(const char *s)
{
    char *copy = strdup(s);
    world_must(copy != NULL, "memory");
    return copy;
}

void world_path(const char *folder, const char *path, char *out)
{
    int length = snprintf(out, WORLD_PATH, "%s/%s", folder, path);
    world_must(length < WORLD_PATH, path);
}

/* ---- Walking ------------------------------------------------------------------------------- */

/* Sorted names of a folder, so that a walk is the same in every run; count -1 if it is none. */
static int names_of(const char *folder, struct dirent ***names)
{
    return scandir(folder, names, NULL, alphasort);
}

static bool is_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

void world_remove(const char *path)
{
    struct dirent **names;
    int count = names_of(path, &names);
    for (int i = 0; i < count; i++) {
        char below[WORLD_PATH];
        world_path(path, names[i]->d_name, below);
        if (is_dots(names[i]->d_name))
            ;
        else if (names[i]->d_type == DT_DIR)
            world_remove(below);
        else
            world_must(unlink(below) == 0, below);
        free(names[i]);
    }
    if (count >= 0)
        free(names);
    world_must(rmdir(path) == 0 || errno == ENOENT, path);
}

/* ---- The world ----------------------------------------------------------------------------- */

static void probe(world *w)
{
    char path[WORLD_PATH];
    world_put(w->base, "probe", EM_LIT("probe"), 0600);
    world_path(w->base, "probe", path);
    w->has_attributes = setxattr(path, "user.probe", "1", 1, 0) == 0;
    w->has_acls = getxattr(path, "system.posix_acl_access", NULL, 0) >= 0 || errno == ENODATA;
    w->is_root = chown(path, 4242, 4242) == 0;
    world_must(unlink(path) == 0, path);
}

void world_open(world *w, const char *parent)
{
    const char *temporary = getenv("TMPDIR");
    if (!parent)
        parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : temporary ? temporary : "/tmp";
    *w = (world){0};
    world_must(snprintf(w->base, 256, "%s/emend-sweep-XXXXXX", parent) < 256, parent);
    world_must(mkdtemp(w->base) != NULL, w->base);
    world_path(w->base, "tree", w->tree);
    world_path(w->base, "vault", w->vault);
    world_path(w->base, "boot_id", w->boot_id);
    world_path(w->tree, "root", w->root);
    world_path(w->tree, "state", w->state);
    world_path(w->tree, "canary", w->canary);
    probe(w);
    world_reboot(w);
    world_reset(w);
}

void world_close(world *w)
{
    world_remove(w->base);
}

void world_reset(world *w)
{
    world_remove(w->tree);
    world_remove(w->vault);
    world_must(mkdir(w->tree, 0700) == 0, w->tree);
    world_must(mkdir(w->root, WORLD_FOLDER_MODE) == 0, w->root);
    world_must(mkdir(w->canary, 0700) == 0, w->canary);
    world_put(w->canary, "a.txt", EM_LIT("nobody may touch this\n"), 0600);
}

void world_reboot(world *w)
{
    char id[64];
    int length = snprintf(id, sizeof id, "%08d-0000-4000-8000-000000000000\n", ++w->boots);
    world_put(w->base, "boot_id", em_slice_make(id, (size_t)length), 0600);
}

/* ---- Files --------------------------------------------------------------------------------- */

void world_put(const char *folder, const char *path, em_slice bytes, mode_t mode)
{
    char whole[WORLD_PATH];
    world_path(folder, path, whole);
    int fd = open(whole, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
    world_must(fd >= 0, whole);
    world_must(write(fd, bytes.ptr, bytes.len) == (ssize_t)bytes.len, whole);
    world_must(fchmod(fd, mode) == 0 && close(fd) == 0, whole);
}

em_slice world_get(const char *folder, const char *path)
{
    char whole[WORLD_PATH];
    struct stat st;
    world_path(folder, path, whole);
    int fd = open(whole, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return (em_slice){0};
    world_must(fstat(fd, &st) == 0, whole);
    char *bytes = malloc((size_t)st.st_size + 1);
    world_must(bytes != NULL, "memory");
    world_must(read(fd, bytes, (size_t)st.st_size) == (ssize_t)st.st_size, whole);
    close(fd);
    return em_slice_make(bytes, (size_t)st.st_size);
}

void world_set_attribute(const char *folder, const char *path, const char *name, em_slice value)
{
    char whole[WORLD_PATH];
    world_path(folder, path, whole);
    world_must(setxattr(whole, name, value.ptr, value.len, 0) == 0, whole);
}

void world_set_acl(const char *folder, const char *path)
{
    /* linux/posix_acl_xattr.h: version 2, then (tag, permissions, id): owner rw, user 1 r,
     * group r, mask r, others nothing; little endian */
    static const unsigned char acl[] = {
        2,    0, 0, 0,                         /* version */
        1,    0, 6, 0, 0xff, 0xff, 0xff, 0xff, /* ACL_USER_OBJ */
        2,    0, 4, 0, 1,    0,    0,    0,    /* ACL_USER */
        4,    0, 4, 0, 0xff, 0xff, 0xff, 0xff, /* ACL_GROUP_OBJ */
        0x10, 0, 4, 0, 0xff, 0xff, 0xff, 0xff, /* ACL_MASK */
        0x20, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, /* ACL_OTHER */
    };
    world_set_attribute(folder, path, "system.posix_acl_access",
                        em_slice_make((const char *)acl, sizeof acl));
}

int world_descriptors(void)
{
    int count = -1; /* the one that counts */
    DIR *dir = opendir("/proc/self/fd");
    world_must(dir != NULL, "/proc/self/fd");
    while (readdir(dir))
        count++;
    closedir(dir);
    return count;
}

/* ---- Trees --------------------------------------------------------------------------------- */

static em_hash hash_attributes(const char *path)
{
    char names[NAMES_SIZE], value[NAMES_SIZE];
    EM_AUTO(em_strbuf) all = {0};
    ssize_t length = llistxattr(path, names, sizeof names);
    for (ssize_t at = 0; at < length; at += (ssize_t)strlen(names + at) + 1) {
        ssize_t size = lgetxattr(path, names + at, value, sizeof value);
        world_must(size >= 0, path);
        em_strbuf_puts(&all, names + at);
        em_strbuf_putc(&all, '=');
        em_strbuf_add(&all, em_slice_make(value, (size_t)size));
        em_strbuf_putc(&all, '\n');
    }
    world_must(!all.failed, "memory");
    return em_hash_of(em_strbuf_slice(&all));
}

static void list_entry(world_list *list, const char *whole, const char *path)
{
    struct stat st;
    world_must(lstat(whole, &st) == 0, whole);
    world_entry e = {.path = copy_string(path), .mode = st.st_mode};
    e.uid = st.st_uid;
    e.gid = st.st_gid;
    e.attributes = hash_attributes(whole);
    if (S_ISREG(st.st_mode)) {
        em_slice bytes = world_get("", whole);
        e.size = bytes.len;
        e.content = em_hash_of(bytes);
        free((char *)bytes.ptr);
    } else if (S_ISLNK(st.st_mode)) {
        char target[WORLD_PATH];
        ssize_t length = readlink(whole, target, sizeof target);
        world_must(length >= 0, whole);
        e.content = em_hash_of(em_slice_make(target, (size_t)length));
    }
    list->items = grown(list->items, list->count, sizeof e);
    list->items[list->count++] = e;
}

static void list_below(world_list *list, const char *folder, const char *prefix)
{
    struct dirent **names;
    int count = names_of(folder, &names);
    for (int i = 0; i < count; i++) {
        char whole[WORLD_PATH], path[WORLD_PATH];
        if (!is_dots(names[i]->d_name)) {
            world_path(folder, names[i]->d_name, whole);
            world_must(snprintf(path, sizeof path, "%s%s%s", prefix, prefix[0] ? "/" : "",
                                names[i]->d_name) < WORLD_PATH,
                       whole);
            list_entry(list, whole, path);
            if (names[i]->d_type == DT_DIR)
                list_below(list, whole, path);
        }
        free(names[i]);
    }
    if (count >= 0)
        free(names);
}

world_list world_list_of(const char *folder)
{
    world_list list = {0};
    list_below(&list, folder, "");
    return list;
}

void world_list_drop(world_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->items[i].path);
    free(list->items);
    *list = (world_list){0};
}

const world_entry *world_find(const world_list *list, const char *path)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].path, path) == 0)
            return &list->items[i];
    return NULL;
}

bool world_same_facts(const world_entry *a, const world_entry *b)
{
    return a->mode == b->mode && a->uid == b->uid && a->gid == b->gid &&
           em_hash_eq(a->attributes, b->attributes);
}

bool world_same(const world_entry *a, const world_entry *b)
{
    return world_same_facts(a, b) && a->size == b->size && em_hash_eq(a->content, b->content);
}

/* ---- Copies -------------------------------------------------------------------------------- */

typedef struct world_copied {
    char *path; /* owned */
    mode_t mode;
    em_slice bytes; /* owned; of a file */
} world_copied;

world_copy world_copy_of(const char *folder)
{
    world_copy copy = {0};
    world_list list = world_list_of(folder);
    for (size_t i = 0; i < list.count; i++) {
        world_copied item = {copy_string(list.items[i].path), list.items[i].mode, {0}};
        if (S_ISREG(item.mode))
            item.bytes = world_get(folder, item.path);
        copy.items = grown(copy.items, copy.count, sizeof item);
        copy.items[copy.count++] = item;
    }
    world_list_drop(&list);
    return copy;
}

void world_copy_put(const world_copy *copy, const char *folder)
{
    world_must(mkdir(folder, 0700) == 0, folder);
    for (size_t i = 0; i < copy->count; i++) {
        char whole[WORLD_PATH];
        const world_copied *item = &copy->items[i];
        world_path(folder, item->path, whole);
        if (S_ISDIR(item->mode))
            world_must(mkdir(whole, item->mode & 07777) == 0, whole);
        else
            world_put(folder, item->path, item->bytes, item->mode & 07777);
    }
}

void world_copy_drop(world_copy *copy)
{
    for (size_t i = 0; i < copy->count; i++) {
        free(copy->items[i].path);
        free((char *)copy->items[i].bytes.ptr);
    }
    free(copy->items);
    *copy = (world_copy){0};
}
