/* content_store.h: what files held when somebody read them, or when they were changed, by its hash.
 *
 *   contents/HASH    32 hex digits of em_hash_of() the bytes in it
 *
 * A store that may forget: it lets an edit that was made for an earlier version be carried over to
 * the present one. So nothing here is synced, nothing waits, and no call fails because of it.
 *
 *  (1) What is read is what its name says: the hash is computed again. A file that is torn, or
 *      damaged, or not ours, is none.
 *  (2) Its files have mode 0600, in a folder that nobody else can enter.
 *  (3) Nothing is kept with --no-history or --read-only, and nothing that is very large.
 */
#ifndef EM_WORKSPACE_CONTENT_STORE_H
#define EM_WORKSPACE_CONTENT_STORE_H

#include "workspace/content.h"

enum { EM_STORED_CONTENT_MOST = 1 << 20 /* bytes of one */ };

#define EM_CONTENT_STORE_AGE_MS (7LL * 24 * 3600 * 1000)
#define EM_CONTENT_STORE_BYTES (64ULL << 20)

/* What forgetting came to. */
typedef struct em_forgotten {
    uint64_t rows;  /* of the history that went */
    uint64_t bytes; /* by which the file of the database became shorter; or of contents that went */
    uint64_t waiting; /* rows beyond the limits that stay: the disk may not have them yet */
} em_forgotten;

/* Keep a content, whose hash is known. EM_E_NOMEM only: what cannot be kept is not. */
em_status em_content_store_keep(em_workspace *ws, em_hash hash, const em_content *content);

/* The content with that hash, in `arena`; *found says whether it is there. EM_E_NOMEM only. */
em_status em_content_store_find(em_workspace *ws, em_hash hash, em_arena *arena, em_slice *bytes,
                                bool *found);

/* Forget those that were not kept again for longer than `age_ms` (0: whatever their age), and the
 * oldest, until the rest takes at most `most` bytes, in blocks of 4 KiB (0: whatever it takes).
 * *forgotten grows. */
em_status em_content_store_forget(em_workspace *ws, int64_t age_ms, uint64_t most,
                                  em_forgotten *forgotten, em_error *err);

/* `why` is why a change could not be recorded. Where there was no room, all that is kept goes: the
 * history needs it more. True: something went, and it may be tried again. */
bool em_content_store_gives_way(em_workspace *ws, const em_error *why);

#endif
