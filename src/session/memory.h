/* memory.h: what callers last read of each file.
 *
 * Who edits a file that it has read expects it to be as it was. A stamp is compared whole: a change
 * within one millisecond that keeps the size is still told by the hash. Only the EM_MOST_STAMPS
 * newest are kept: a file that was forgotten counts as one that was never read.
 */
#ifndef EM_SESSION_MEMORY_H
#define EM_SESSION_MEMORY_H

#include "workspace/workspace.h"

enum { EM_MOST_STAMPS = 10000 };

/* A file at one moment. */
typedef struct em_stamp {
    int64_t mtime_ms;
    uint64_t size; /* bytes */
    em_hash hash;
} em_stamp;

/* {0} remembers nothing; em_memory_drop(). */
typedef struct em_memory {
    struct em_seen *items; /* owned */
    uint64_t *keys;        /* owned: some bits of each of them, which are looked through first */
    size_t count, room;
    uint64_t turn; /* grows with each stamp that is put: the smallest is the oldest */
} em_memory;
void em_memory_drop(em_memory *memory);

/* Remember `stamp` as what `caller` now knows of `path` (absolute and resolved). EM_E_NOMEM, but
 * not for a file that is remembered already. */
em_status em_memory_put(em_memory *memory, const char *caller, const char *path, em_stamp stamp);

/* What `caller` knows of `path`, until the next put; NULL. */
const em_stamp *em_memory_find(const em_memory *memory, const char *caller, const char *path);

#endif
