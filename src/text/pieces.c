#include "text/pieces.h"

#define XXH_STATIC_LINKING_ONLY /* for a state that lies on the stack */
#include <xxhash.h>

/* What lies at `at` without a break, at most `limit` bytes of it. */
static em_slice run_at(const em_pieces *pieces, em_piece_place at, size_t limit)
{
    em_slice run = em_slice_from(pieces->items[at.piece], at.offset);
    return em_slice_sub(run, 0, run.len < limit ? run.len : limit);
}

/* `count` bytes further, which lie in the same piece. */
static void move(const em_pieces *pieces, em_piece_place *at, size_t count)
{
    at->offset += count;
    if (at->offset == pieces->items[at->piece].len)
        *at = (em_piece_place){at->piece + 1, 0};
}

em_piece_line em_pieces_line(const em_pieces *pieces, em_piece_place *at)
{
    em_piece_line line = {.start = *at};
    while (!line.lf && at->piece < pieces->count) {
        em_slice run = run_at(pieces, *at, SIZE_MAX);
        size_t length = em_slice_until(run, '\n');
        line.lf = length < run.len;
        line.length += length;
        move(pieces, at, length + line.lf);
    }
    return line;
}

em_piece_place em_pieces_line_before(const em_pieces *pieces, em_piece_place end)
{
    size_t keep = 1; /* the last byte is of the line, whatever it is */
    for (;;) {
        if (end.offset == 0)
            end = (em_piece_place){end.piece - 1, pieces->items[end.piece - 1].len};
        const char *start = pieces->items[end.piece].ptr;
        end.offset = em_slice_behind_last(em_slice_make(start, end.offset - keep), '\n');
        if (end.offset > 0 || end.piece == 0)
            break;
        keep = 0;
    }
    move(pieces, &end, 0);
    return end;
}

bool em_pieces_same_line(const em_pieces *pieces_a, const em_piece_line *a,
                         const em_pieces *pieces_b, const em_piece_line *b)
{
    em_piece_place at_a = a->start, at_b = b->start;
    size_t left = a->length;
    if (left != b->length || a->lf != b->lf)
        return false;
    while (left > 0) {
        em_slice run_a = run_at(pieces_a, at_a, left);
        em_slice run_b = run_at(pieces_b, at_b, run_a.len);
        if (memcmp(run_a.ptr, run_b.ptr, run_b.len) != 0)
            return false;
        move(pieces_a, &at_a, run_b.len);
        move(pieces_b, &at_b, run_b.len);
        left -= run_b.len;
    }
    return true;
}

uint64_t em_pieces_hash_line(const em_pieces *pieces, const em_piece_line *line)
{
    em_piece_place at = line->start;
    size_t left = line->length;
    em_slice run = left > 0 ? run_at(pieces, at, left) : (em_slice){0};
    if (run.len == left)
        return XXH3_64bits(run.ptr, run.len) + line->lf;
    XXH3_state_t state;
    XXH3_64bits_reset(&state);
    for (; left > 0; left -= run.len) {
        run = run_at(pieces, at, left);
        XXH3_64bits_update(&state, run.ptr, run.len);
        move(pieces, &at, run.len);
    }
    return XXH3_64bits_digest(&state) + line->lf;
}

em_status em_pieces_join_line(const em_pieces *pieces, const em_piece_line *line, em_arena *arena,
                              em_slice *out)
{
    em_piece_place at = line->start;
    *out = line->length > 0 ? run_at(pieces, at, line->length) : (em_slice){0};
    if (out->len == line->length)
        return EM_OK;
    char *copy = em_alloc_raw(arena, line->length);
    if (!copy)
        return EM_E_NOMEM;
    *out = em_slice_make(copy, line->length);
    for (size_t left = line->length; left > 0;) {
        em_slice run = run_at(pieces, at, left);
        memcpy(copy, run.ptr, run.len);
        copy += run.len;
        move(pieces, &at, run.len);
        left -= run.len;
    }
    return EM_OK;
}
