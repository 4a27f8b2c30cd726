/* content.h: the new content of a file, as pieces of the old bytes and of what is inserted.
 *
 * It is never put together in memory: it is walked, hashed and written (content_write.h) piece by
 * piece. The old bytes of a large file are not held either: such a content is written and hashed as
 * transfer.h says, and nothing walks it.
 */
#ifndef EM_WORKSPACE_CONTENT_H
#define EM_WORKSPACE_CONTENT_H

#include "workspace/workspace.h"

typedef struct em_content {
    em_slice old;         /* borrowed */
    em_splices splices;   /* over the old bytes; borrowed */
    const em_file *large; /* whose bytes are the old ones, `old` being empty; NULL */
    bool to_be_synced;    /* a sync will follow: the disk may begin while a large one is written */
} em_content;

/* What a change makes of a file. */
em_content em_content_of(const em_file *file, em_splices splices);

size_t em_content_old_size(const em_content *content);

/* Are the splices sorted, disjoint and inside the old bytes, and is the sum of sizes a size? All
 * other functions rely on it. */
bool em_content_valid(const em_content *content);

size_t em_content_size(const em_content *content);

/* Where a walk over the pieces stands; {0} is the start. */
typedef struct em_content_walk {
    size_t splice; /* the next splice */
    size_t old;    /* the next old byte */
    size_t insert; /* bytes of that splice's insert that were given already */
} em_content_walk;

/* The next piece, of at most `most` bytes (> 0); empty at the end. */
em_slice em_content_next(const em_content *content, em_content_walk *walk, size_t most);

/* All of it in one piece in `arena`, for those who must have it so. EM_E_NOMEM. */
em_status em_content_join(const em_content *content, em_arena *arena, em_slice *out);

#endif
