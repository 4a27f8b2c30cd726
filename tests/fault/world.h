/* world.h: the folders that a run of a sweep plays in, and what is in them.
 *
 *   BASE/tree/root     the workspace
 *   BASE/tree/state    the state directory
 *   BASE/tree/canary   what nobody may touch
 *   BASE/vault         power_sys.h
 *   BASE/boot_id       stands for the kernel's, changed by world_reboot
 *
 * Everything here is the test's own and calls the system directly. What cannot be set up ends the
 * program: a sweep over a broken world would prove nothing.
 */
#ifndef EM_FAULT_WORLD_H
#define EM_FAULT_WORLD_H

#include "workspace/workspace.h"

#include <dirent.h>

enum { WORLD_PATH = 512, WORLD_FOLDER_MODE = 0755 };

typedef struct world {
    char base[WORLD_PATH], tree[WORLD_PATH], root[WORLD_PATH], state[WORLD_PATH];
    char canary[WORLD_PATH], vault[WORLD_PATH], boot_id[WORLD_PATH];
    bool has_attributes, has_acls, is_root; /* what can be tested here */
    int boots;
} world;

/* End the program, which is no verdict on the code under test (exit status 2). */
_Noreturn void world_fail(const char *what);
void world_must(bool holds, const char *what);

/* A new folder below `parent` (NULL: /dev/shm where it is there, else the temporary folder), with
 * an empty tree. world_close() removes it. */
void world_open(world *w, const char *parent);
void world_close(world *w);

/* Empty root, state, canary and vault, and put the canary in. */
void world_reset(world *w);

/* Remove a folder and all that is in it; nothing if it is not there. */
void world_remove(const char *folder);

/* Another boot id from now on. */
void world_reboot(world *w);

/* `path` below `folder` in *out (WORLD_PATH). */
void world_path(const char *folder, const char *path, char *out);

/* Write a file, open(O_TRUNC) and write, with this mode. Folders must be there. */
void world_put(const char *folder, const char *path, em_slice bytes, mode_t mode);

/* What a file holds, allocated with malloc; ptr NULL when there is none. */
em_slice world_get(const char *folder, const char *path);

void world_set_attribute(const char *folder, const char *path, const char *name, em_slice value);
/* An access control list that lets uid 1 read, beside what the mode says. */
void world_set_acl(const char *folder, const char *path);

/* How many descriptors this process has open. */
int world_descriptors(void);

/* ---- Trees */

typedef struct world_entry {
    char *path; /* relative to the folder listed; owned */
    mode_t mode;
    uid_t uid;
    gid_t gid;
    uint64_t size;      /* of a file */
    em_hash content;    /* of a file; of a link, where it leads */
    em_hash attributes; /* of all of them, access control lists too */
} world_entry;

typedef struct world_list {
    world_entry *items;
    size_t count;
} world_list;

/* All that is below `folder`, sorted by path. The caller's: world_list_drop(). */
world_list world_list_of(const char *folder);
void world_list_drop(world_list *list);
const world_entry *world_find(const world_list *list, const char *path);

/* Everything but the content. */
bool world_same_facts(const world_entry *a, const world_entry *b);
bool world_same(const world_entry *a, const world_entry *b);

/* The whole of a small tree in memory, to be put back many times: regular files and folders. */
typedef struct world_copy {
    struct world_copied *items;
    size_t count;
} world_copy;

world_copy world_copy_of(const char *folder);
void world_copy_put(const world_copy *copy, const char *folder);
void world_copy_drop(world_copy *copy);

#endif
