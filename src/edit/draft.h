/* draft.h: a text while a sequence of ops goes over it.
 *
 * A draft is the original cut into pieces, with what earlier ops inserted between them. Nothing is
 * copied: a piece borrows the original's bytes or an op's. So the text of the moment can be
 * searched, and every place in it can be told in terms of the original.
 *
 *  (1) Pieces stand in order; their offsets in the draft have no gaps.
 *  (2) Origins never decrease from piece to piece: original pieces keep their order, and an
 * inserted piece has the offset of the original where it was put.
 */
#ifndef EM_EDIT_DRAFT_H
#define EM_EDIT_DRAFT_H

#include "base/arena.h"
#include "text/splice.h"

typedef struct em_piece {
    em_slice bytes;
    size_t at;     /* its offset in the draft */
    size_t origin; /* of its first byte in the original; of an inserted piece: where it was put */
    bool inserted;
} em_piece;

typedef struct em_draft {
    em_slice body; /* the original; borrowed */
    size_t start;  /* the original's text begins here; the draft does not have what is before */
    size_t length; /* of the draft, bytes */
    em_piece *pieces, *spare; /* owned; the spare list is where the next state is made */
    size_t count, room, spare_room;
} em_draft;

/* The text as it is: `body` from `start`. On EM_E_NOMEM there is nothing to drop. */
em_status em_draft_init(em_draft *draft, em_slice body, size_t start);
void em_draft_drop(em_draft *draft);

/* A span of the draft, in its own offsets. */
typedef struct em_span {
    size_t start, end;
} em_span;

typedef struct em_spans {
    em_span *items;
    size_t count;
} em_spans;

/* Every place where `needle` (not empty) stands, without overlap, from left to right; in `arena`.
 * A match that would begin between a CR and its LF begins at the CR, unless the needle holds a CR
 * itself: a line ending is never cut in two. */
em_status em_draft_find(const em_draft *draft, em_slice needle, em_arena *arena, em_spans *found);

/* The bytes [start, end); borrowed where they lie in one piece, else joined in `arena`. */
em_status em_draft_slice(const em_draft *draft, em_span span, em_arena *arena, em_slice *out);

/* The lines that hold `span`, from the start of its first to the end of its last, without the last
 * line's ending. A line that goes on for more than `reach` bytes to either side of the span is cut
 * there, between two code points. */
em_span em_draft_lines_around(const em_draft *draft, em_span span, size_t reach);

/* Where a span lies in the original, and whether it begins in inserted text. */
em_span em_draft_origin(const em_draft *draft, em_span span, bool *inserted);

/* Lay splices over the draft in; they are given in its offsets, and their inserts must outlive
 * it. */
em_status em_draft_apply(em_draft *draft, em_splices splices);

/* What separates the draft from the original, as splices over the original, in `arena`: sorted,
 * disjoint, none without effect, each without the code points that it shares with the original at
 * either end. */
em_status em_draft_splices(const em_draft *draft, em_arena *arena, em_splices *out);

#endif
