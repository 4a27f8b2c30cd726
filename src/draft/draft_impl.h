/* draft_impl.h: the pieces of a draft, for the files that a draft is made of. */
#ifndef EM_DRAFT_DRAFT_IMPL_H
#define EM_DRAFT_DRAFT_IMPL_H

#include "draft/draft.h"
#include "text/count.h"

enum { EM_MOST_NEW_PIECES = 3 /* what one splice makes: its own, and what it leaves of others */ };

/* A chunk may have so many pieces too many until it is divided. */
struct em_chunk {
    size_t index; /* of it among the chunks */
    size_t count, length;
    em_piece pieces[];
};

/* A piece; chunk == draft->chunk_count at the end. */
typedef struct em_cursor {
    size_t chunk, piece;
} em_cursor;

struct em_draft_asked {
    char *text; /* all of it, in the arena of who asked; NULL */
    size_t room;
    bool is_now;         /* it is the text of the moment */
    em_counts counts;    /* of all of it, */
    bool has_counts;     /* if they were asked for, and are kept since */
    size_t chunk, piece; /* where a byte was looked for last; the next is often near */
};

/* ---- Pieces (draft.c) ---------------------------------------------------------------------- */

/* The piece that holds the byte at `offset`; behind the last one where that is the draft's end. */
em_cursor em_draft_piece_at(const em_draft *draft, size_t offset);

/* NULL at the end. */
const em_piece *em_draft_piece(const em_draft *draft, em_cursor at);

/* Where in the draft the piece begins. */
size_t em_draft_start(const em_draft *draft, em_cursor at);

em_cursor em_draft_next_piece(const em_draft *draft, em_cursor at);

/* Where the original goes on from the byte `skip` of the piece. */
static inline size_t em_piece_origin(const em_piece *piece, size_t skip)
{
    return piece->origin + (piece->inserted ? 0 : skip);
}

/* ---- Chunks (draft.c) ---------------------------------------------------------------------- */

/* An empty one for the draft, or NULL; the caller's until it is put in. */
em_chunk *em_chunk_new(const em_draft *draft);

/* Put a piece behind all of a chunk that has room for it. */
void em_chunk_add(em_chunk *chunk, em_piece piece);

/* Put a chunk, which the draft owns then (and drops on EM_E_NOMEM), at `index`. Its offset is that
 * of what was there. NULL: EM_E_NOMEM. */
em_status em_draft_insert_chunk(em_draft *draft, size_t index, em_chunk *chunk);
void em_draft_remove_chunk(em_draft *draft, size_t index);

/* Free the chunks, and the array. */
void em_chunks_drop(em_chunk **chunks, size_t count);

/* ---- More ---------------------------------------------------------------------------------- */

/* Copy the bytes of the span to `out`. (draft_look.c) */
void em_draft_copy(const em_draft *draft, em_span span, char *out);

/* em_count() of the span; a CR at its end is followed by nothing. (draft_look.c) */
em_counts em_draft_count(const em_draft *draft, em_span span);

/* Lay splices in as em_draft_apply() does, all pieces gone over once: also those that get ids now,
 * as the draft has begun to track. (draft_apply.c) */
em_status em_draft_rebuild(em_draft *draft, em_splices splices);

#endif
