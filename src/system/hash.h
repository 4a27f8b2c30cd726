/* hash.h: hashes of contents: XXH3-128, seed 0, canonical form. */
#ifndef EM_SYSTEM_HASH_H
#define EM_SYSTEM_HASH_H

#include "base/slice.h"
#include "base/status.h"
#include "system/sys_io.h"

/* XXH3-128 of bytes (seed 0, canonical form) as 32 hex digits. */
typedef struct em_hash {
    char hex[33]; /* NUL-terminated */
} em_hash;
em_hash em_hash_of(em_slice bytes);
bool em_hash_eq(em_hash a, em_hash b);

/* ---- What is too big, or too scattered, for one slice -------------------------------------- */

/* `EM_AUTO(em_hasher) hasher = {0};`, then em_hasher_start(). */
typedef struct em_hasher {
    void *state; /* owned */
} em_hasher;

/* EM_E_NOMEM is the only failure. */
em_status em_hasher_start(em_hasher *hasher);
void em_hasher_add(em_hasher *hasher, em_slice bytes);
/* The bytes of a number as this machine has them: for hashes that stay on it. */
void em_hasher_add_number(em_hasher *hasher, uint64_t number);
/* A text, its length first (as above): lists of texts that differ never look alike. */
void em_hasher_add_text(em_hasher *hasher, em_slice text);
/* Go on from where `from` is; both are started. */
void em_hasher_copy(em_hasher *hasher, const em_hasher *from);
em_hash em_hasher_end(const em_hasher *hasher);
void em_hasher_drop(em_hasher *hasher);

/* The hash of all that can be read from the file, from its start to its end, through a small
 * window. */
em_status em_hash_file(em_io_file file, em_hash *hash, em_error *err);

#endif
