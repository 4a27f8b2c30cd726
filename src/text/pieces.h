/* pieces.h: a text that lies in several pieces, read line by line without being put together.
 *
 * What an edit leaves of a stretch of lines is such a text: old bytes and inserts in turn. A line
 * here ends with LF and nothing else.
 */
#ifndef EM_TEXT_PIECES_H
#define EM_TEXT_PIECES_H

#include "base/arena.h"

#include <stdint.h>

typedef struct em_pieces {
    const em_slice *items; /* none is empty */
    size_t count;
} em_pieces;

/* A byte of the text: items[piece].ptr[offset]. The end is {count, 0}. */
typedef struct em_piece_place {
    size_t piece, offset;
} em_piece_place;

typedef struct em_piece_line {
    em_piece_place start;
    size_t length; /* without its LF */
    bool lf;       /* false in a last line that has none */
} em_piece_line;

static inline em_piece_place em_pieces_end(const em_pieces *pieces)
{
    return (em_piece_place){pieces->count, 0};
}

static inline bool em_place_eq(em_piece_place a, em_piece_place b)
{
    return a.piece == b.piece && a.offset == b.offset;
}

/* The line that starts at *at, which is not the end, and *at moved behind it. */
em_piece_line em_pieces_line(const em_pieces *pieces, em_piece_place *at);

/* Where the line that ends (behind its LF) at `end` starts; `end` is not the start of the text. */
em_piece_place em_pieces_line_before(const em_pieces *pieces, em_piece_place end);

/* Whether two lines are the same bytes, with their LFs. */
bool em_pieces_same_line(const em_pieces *pieces_a, const em_piece_line *a,
                         const em_pieces *pieces_b, const em_piece_line *b);

/* Lines that are the same have the same hash, however they lie in pieces. */
uint64_t em_pieces_hash_line(const em_pieces *pieces, const em_piece_line *line);

/* A line in one piece, without its LF: borrowed where it lies so, else a copy in `arena`.
 * EM_E_NOMEM only. */
em_status em_pieces_join_line(const em_pieces *pieces, const em_piece_line *line, em_arena *arena,
                              em_slice *out);

#endif
