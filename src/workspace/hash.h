/* hash.h: content hashes of what is too big, or too scattered, for one slice.
 *
 * The hash is that of em_hash_of (workspace.h): XXH3-128, seed 0, canonical form.
 */
#ifndef EM_WORKSPACE_HASH_H
#define EM_WORKSPACE_HASH_H

#include "workspace/workspace.h"

/* `EM_AUTO(em_hasher) hasher = {0};`, then em_hasher_start(). */
typedef struct em_hasher {
    void *state; /* owned */
} em_hasher;

/* EM_E_NOMEM is the only failure. */
em_status em_hasher_start(em_hasher *hasher);
void em_hasher_add(em_hasher *hasher, em_slice bytes);
/* Go on from where `from` is; both are started. */
void em_hasher_copy(em_hasher *hasher, const em_hasher *from);
em_hash em_hasher_end(const em_hasher *hasher);
void em_hasher_drop(em_hasher *hasher);

/* The hash of all that can be read from `fd`, from its start to its end, through a small window.
 * `path` is for the error. */
em_status em_hash_file(const em_sys *sys, int fd, const char *path, em_hash *hash, em_error *err);

#endif
