/* draft_impl.h: the pieces of a draft, for the files that a draft is made of. */
#ifndef EM_DRAFT_DRAFT_IMPL_H
#define EM_DRAFT_DRAFT_IMPL_H

#include "draft/draft.h"

/* A chunk may have a few pieces too many until it is divided. */
struct em_chunk {
    size_t index; /* of it among the chunks */
    size_t count, length;
    em_piece pieces[];
};

/* A piece; chunk == draft->chunk_count at the end. */
typedef struct em_cursor {
    size_t chunk, piece;
} em_cursor;

/* NULL at the end. */
const em_piece *em_draft_piece(const em_draft *draft, em_cursor at);

/* Where in the draft the piece begins. */
size_t em_draft_start(const em_draft *draft, em_cursor at);

em_cursor em_draft_next_piece(const em_draft *draft, em_cursor at);

/* Copy the bytes of the span to `out`. */
void em_draft_copy(const em_draft *draft, em_span span, char *out);

#endif
