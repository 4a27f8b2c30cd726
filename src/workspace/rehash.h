/* rehash.h: is a file of many megabytes still what it was?
 *
 * The hash goes through the bytes in order. But who hashed them once and kept how the hash stood in
 * the middle can have them hashed again from both ends of that: two threads, each with a half.
 */
#ifndef EM_WORKSPACE_REHASH_H
#define EM_WORKSPACE_REHASH_H

#include "system/hash.h"

/* How a hash stood after `offset` bytes. */
typedef struct em_halfway {
    em_hasher hasher; /* owned */
    uint64_t offset;
} em_halfway;

/* Is it worth it for a file of so many bytes? */
bool em_halfway_pays(uint64_t size);

/* Keep how `hasher` stands now. EM_E_NOMEM. */
em_status em_halfway_keep(em_halfway *halfway, const em_hasher *hasher, uint64_t offset);
void em_halfway_drop(em_halfway *halfway);

/* *same: all that can be read from the file still has the hash `want`, as it had when `halfway` was
 * kept. EM_E_NOMEM, EM_E_IO. */
em_status em_rehash(em_io_file file, const em_halfway *halfway, em_hash want, bool *same,
                    em_error *err);

#endif
