/* batch_key.h: which files of two calls are such that one of the calls can see what the other does.
 *
 * A file is known by its path, in which all links are followed, as far as that is there; behind a
 * link to a folder that is not there yet, and by way of one and `..`, by that folder or one above,
 * since other calls may make it. Two paths meet where they are the same, where they lead to the
 * same file (a hard link), where one is a folder on the other's way, and where one is the backup
 * that the other's call makes.
 */
#ifndef EM_SERVE_BATCH_KEY_H
#define EM_SERVE_BATCH_KEY_H

#include "base/status.h"

#include <stdbool.h>
#include <sys/types.h>

/* {0} is that of no file, and meets none; em_batch_key_drop(). */
typedef struct em_batch_key {
    char *path; /* owned: absolute */
    size_t length;
    dev_t device;
    ino_t inode; /* 0: nothing is there */
    bool has_backup;
} em_batch_key;

/* The key of `file`, which is relative to `root` or absolute. EM_E_NOMEM. */
em_status em_batch_key_make(const char *root, const char *file, bool has_backup, em_batch_key *key);
void em_batch_key_drop(em_batch_key *key);

bool em_batch_keys_meet(const em_batch_key *one, const em_batch_key *other);

#endif
