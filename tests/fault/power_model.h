/* power_model.h: what a disk would hold if the power went now, and what it may hold besides.
 *
 * The bookkeeping of power_sys.h, which says what is durable when. The real files are read here,
 * and moved to the vault; only power_cut.c changes what they hold.
 */
#ifndef EM_POWER_MODEL_H
#define EM_POWER_MODEL_H

#include "world.h"

enum { POWER_PATH = 4096 };

typedef struct blob {
    char *ptr; /* owned */
    size_t len;
} blob;

/* Everything about a file but its bytes and names. */
typedef struct facts {
    mode_t mode;
    uid_t uid;
    gid_t gid;
    struct timespec mtime;
    blob attributes; /* name NUL length value, one after the other, in the system's order */
} facts;

typedef struct write_op {
    bool truncates; /* to `offset`; else `bytes` are laid in there */
    off_t offset;
    blob bytes;
    struct write_op *next;
} write_op;

typedef struct name_entry {
    char *name; /* owned */
    ino_t ino;
} name_entry;

typedef struct node {
    ino_t ino;
    unsigned number; /* in the order in which they were met */
    mode_t type;
    bool vaulted; /* it has no name any more but the one in the vault */

    blob bytes; /* durable, of a file */
    facts facts;
    bool facts_dirty;
    write_op *writes, **last_write; /* since then */

    name_entry *entries; /* durable, of a folder */
    size_t entry_count;
    struct node *next;
} node;

/* A name that a call set, or (ino 0) removed, in a folder that was not synced since. */
typedef struct name_set {
    ino_t folder;
    char *name; /* owned */
    ino_t ino;
} name_set;

typedef struct name_op {
    name_set sets[2];
    int count;
    struct name_op *next;
} name_op;

typedef struct power_model {
    char folder[POWER_PATH], vault[POWER_PATH];
    dev_t dev;
    ino_t root;
    node *nodes;
    name_op *names, **last_name; /* oldest first */
    int name_count;
    long changes; /* grows with whatever a cut may tell apart */
} power_model;

/* The model of the tree below `folder`, all of which counts as synced. `vault` is made. */
power_model *model_new(const char *folder, const char *vault);
void model_free(power_model *m);

/* The file or folder with this inode number, behind this descriptor, at this path; NULL when it is
 * not one of the watched. */
node *model_find(const power_model *m, ino_t ino);
node *model_of_fd(const power_model *m, int fd);
node *model_at(const power_model *m, int dir, const char *path, int flags);

/* The watched folder in which the last part of `path`, *name, is a name; NULL when it is another's.
 */
node *model_folder_of(const power_model *m, int dir, const char *path, const char **name);

/* A new file or folder: durably empty. */
node *model_add(power_model *m, const struct stat *st);

/* A call gave `name` in `folder` to `ino`, or (0) removed it; `second` of the same call, or NULL.
 */
name_set model_set(const node *folder, const char *name, ino_t ino);
void model_names(power_model *m, name_set first, const name_set *second);

/* A call wrote, or truncated; `bytes` is taken. */
void model_write(power_model *m, node *n, bool truncates, off_t offset, blob bytes);

/* A call changed mode, owner or attributes. */
void model_touch(power_model *m, int fd);

/* A sync of this file or folder succeeded. */
void model_sync(power_model *m, node *n, int fd, bool data_only);

/* Move what has only this name to the vault, as its removal. 0 or -errno. */
int model_to_vault(power_model *m, node *n, int dir, const char *path);
void model_vault_path(const power_model *m, const node *n, char out[POWER_PATH]);

/* For what reads and rewrites files: a second descriptor; a range; bytes made longer (by zeros) or
 * shorter; the names of a folder; the writes forgotten. */
int model_reopen(int fd, int flags);
void model_read(int fd, off_t offset, char *out, size_t size);
void model_resize(blob *b, size_t len);
void model_set_entry(node *folder, const char *name, ino_t ino);
void model_drop_writes(node *n);

#endif
