/* draft.h: a text while a sequence of ops goes over it.
 *
 * A draft is the original cut into pieces, with what earlier ops inserted between them. Nothing is
 * copied: a piece borrows the original's bytes or an op's. So the text of the moment can be
 * searched, and every place in it can be told in terms of the original.
 *
 * Pieces lie in chunks of some dozens, so that laying one splice in moves the pieces of one chunk
 * and the offsets of the chunks behind it, not all pieces.
 *
 *  (1) Pieces stand in order; their offsets in the draft have no gaps. A piece knows its offset in
 *      its chunk, the draft the offsets of the chunks. No piece and no chunk is empty.
 *  (2) Origins never decrease from piece to piece: original pieces keep their order, and an
 *      inserted piece has the offset of the original where it was put.
 *  (3) An inserted piece belongs to the byte of the original whose place it took, the first one
 *      where it took several; where it took none, to the byte that it was put before, or where
 *      the draft inserts behind, to the one that it was put behind (em_piece.behind). What takes
 *      the place of inserted bytes, or is put beside one, belongs where that one does.
 *  (4) While the draft tracks, every inserted piece has an id that no other piece has or had, and
 *      homes[id] is the chunk that it lies in, NULL when it is gone. A piece that is cut is gone,
 *      its parts are new ones; and it is no longer than EM_BLOCK.
 * Spans and offsets are the draft's own, but for what says otherwise.
 */
#ifndef EM_DRAFT_DRAFT_H
#define EM_DRAFT_DRAFT_H

#include "base/arena.h"
#include "text/found.h"
#include "text/splice.h"
#include "text/text.h"

#include <stdint.h>

/* The most bytes of an inserted piece of a draft that tracks. */
enum { EM_BLOCK = 1024 };

typedef struct em_piece {
    em_slice bytes;
    size_t at;     /* its offset in its chunk */
    size_t origin; /* of its first byte in the original; of an inserted piece: where it was put */
    bool inserted;
    bool behind; /* it belongs to the byte before `origin`, not to the one at it */
    uint32_t id; /* of an inserted piece, where the draft tracks; else 0 */
} em_piece;

typedef struct em_chunk em_chunk;

typedef struct em_draft {
    em_slice body;     /* the original; borrowed */
    size_t start;      /* the original's text begins here; the draft does not have what is before */
    size_t length;     /* of the draft, bytes */
    em_chunk **chunks; /* owned, as are the other arrays */
    size_t *offsets;   /* of each chunk in the draft */
    size_t chunk_count, chunk_room, piece_count;
    size_t most; /* pieces in a chunk */
    bool tracks;
    bool inserts_behind; /* what is laid in without taking a place belongs to the byte before it */
    em_chunk **homes;    /* of inserted pieces, by id */
    size_t id_count, id_room;
    struct em_draft_asked *asked; /* what was found out and may be asked for again */
    em_arena *texts; /* where that lies; NULL: in the arena of who asks, the same each time */
} em_draft;

/* The text as it is: `body` from `start`. On EM_E_NOMEM there is nothing to drop. */
em_status em_draft_init(em_draft *draft, em_slice body, size_t start);

/* The same with chunks of at most `most` pieces (at least 2), so that a test crosses many. */
em_status em_draft_init_chunks(em_draft *draft, em_slice body, size_t start, size_t most);
void em_draft_drop(em_draft *draft);

/* Add every place where `needle` (not empty) stands in `part` of the draft, without overlap, from
 * left to right, to *found, which is in `arena`. It costs what the part is long. A match that would
 * begin between a CR and its LF begins at the CR, if em_takes_crlf(): a line ending is not cut in
 * two. */
em_status em_draft_find_in(const em_draft *draft, em_span part, em_slice needle, em_arena *arena,
                           em_found *found);

/* Does the LF that `needle` (not empty) may begin with stand for all of a CRLF? Not where the
 * needle ends in a CR: such a one takes as much of the CRLF behind it as it leaves of that before
 * it. */
static inline bool em_takes_crlf(em_slice needle)
{
    return needle.ptr[0] == '\n' && needle.ptr[needle.len - 1] != '\r';
}

/* The byte at `offset`, which is in the draft. */
char em_draft_byte(const em_draft *draft, size_t offset);

/* Does it have such a byte? */
bool em_draft_has_byte(const em_draft *draft, char byte);

/* The ending that all its lines have, where that is CRLF or CR; else EM_EOL_NONE. To ask again
 * after a few splices costs no more than these. */
em_eol em_draft_common_eol(const em_draft *draft);

/* The bytes [start, end); borrowed where they lie in one piece, else joined in `arena`. */
em_status em_draft_slice(const em_draft *draft, em_span span, em_arena *arena, em_slice *out);

/* The same, joined in `room`, which has as many bytes as the span. */
em_slice em_draft_view(const em_draft *draft, em_span span, char *room);

/* All of it in one piece, until the draft is changed: the next text takes its place. It lies in
 * draft->texts, or where there is none in `arena`, which is the same for all calls then. */
em_status em_draft_text(const em_draft *draft, em_arena *arena, em_slice *out);

/* The lines that hold `span`, from the start of its first to the end of its last, without the last
 * line's ending. A line that goes on for more than `reach` bytes to either side of the span is cut
 * there, between two code points. */
em_span em_draft_lines_around(const em_draft *draft, em_span span, size_t reach);

/* Where a span lies in the original, and whether it begins in inserted text. */
em_span em_draft_origin(const em_draft *draft, em_span span, bool *inserted);

/* Were any of a span's bytes inserted? */
bool em_draft_has_inserted(const em_draft *draft, em_span span);

/* Of a span's bytes the first that is of the original: its offset there. EM_NPOS where all of them
 * were inserted. */
size_t em_draft_first_original(const em_draft *draft, em_span span);

/* The way back: what stands now for `part` of the original, and all that belongs to it by (3). So
 * parts side by side have all of the draft, and nothing twice; what was put to the end of the
 * original belongs to the part that ends there. */
em_span em_draft_part(const em_draft *draft, em_span part);

/* Lay splices over the draft in; they are given in its offsets, and their inserts must outlive
 * it. A few among many pieces cost no more than themselves. */
em_status em_draft_apply(em_draft *draft, em_splices splices);

/* What separates the draft from the original, as splices over the original, in `arena`: sorted,
 * disjoint, none without effect, each without the code points that it shares with the original at
 * either end. */
em_status em_draft_splices(const em_draft *draft, em_arena *arena, em_splices *out);

/* `body` with the splices laid in, in one piece in `arena`: for callers that want the bytes. */
em_status em_splices_apply(em_slice body, em_splices splices, em_arena *arena, em_slice *out);

/* ---- Bytes that are looked for again ------------------------------------------------------- */

/* A byte by what it came from: of the original its offset there, of an inserted piece the piece's
 * id and the offset in it. It stays the same byte however much is laid in before it. */
typedef struct em_address {
    size_t offset;
    uint32_t id; /* 0: of the original */
} em_address;

/* From now on inserted pieces have ids; and no longer, which takes away all addresses. */
em_status em_draft_track(em_draft *draft);
void em_draft_untrack(em_draft *draft);

/* The address of the byte at `offset`, which is in a draft that tracks. */
em_address em_draft_address(const em_draft *draft, size_t offset);

/* Where the byte is now; EM_NPOS where it, or its piece, is gone. */
size_t em_draft_find_address(const em_draft *draft, em_address address);

/* The inserted pieces with ids above `id` that a span touches: the span from the start of the first
 * of them to the end of the last, and all of the span itself. */
em_span em_draft_newer_than(const em_draft *draft, em_span span, size_t id);

#endif
