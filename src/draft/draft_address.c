/* draft_address.c: from a byte to what it came from, and back to where it is now. */
#include "draft/draft_impl.h"

#include <stdlib.h>

void em_draft_untrack(em_draft *draft)
{
    draft->tracks = false;
    for (size_t i = 0; i < draft->chunk_count; i++)
        for (size_t k = 0; k < draft->chunks[i]->count; k++)
            draft->chunks[i]->pieces[k].id = 0;
    free(draft->homes);
    draft->homes = NULL;
    draft->id_count = draft->id_room = 0;
}

em_status em_draft_track(em_draft *draft)
{
    draft->tracks = true;
    return em_draft_rebuild(draft, (em_splices){0});
}

em_address em_draft_address(const em_draft *draft, size_t offset)
{
    em_cursor at = em_draft_piece_at(draft, offset);
    const em_piece *piece = em_draft_piece(draft, at);
    size_t in_piece = offset - em_draft_start(draft, at);
    return (em_address){piece->inserted ? in_piece : piece->origin + in_piece, piece->id};
}

/* In the order of the pieces: of a byte of the original, and of what belongs to it there. What
 * belongs to the byte before comes before that. */
static size_t rank_at(size_t origin)
{
    return 2 * origin;
}

static size_t piece_rank(const em_piece *piece)
{
    return rank_at(piece->origin) - piece->behind;
}

/* The last piece that begins by `rank`: of a byte of the original, the one that holds it, if any
 * does. There is a piece at least. */
static em_cursor piece_by_rank(const em_draft *draft, size_t rank)
{
    size_t low = 0, high = draft->chunk_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (piece_rank(&draft->chunks[middle]->pieces[0]) <= rank)
            low = middle;
        else
            high = middle;
    }
    size_t chunk = low;
    for (low = 0, high = draft->chunks[chunk]->count; high - low > 1;) {
        size_t middle = low + (high - low) / 2;
        if (piece_rank(&draft->chunks[chunk]->pieces[middle]) <= rank)
            low = middle;
        else
            high = middle;
    }
    return (em_cursor){chunk, low};
}

/* The first byte of the draft that belongs to `origin` or behind it; its length where none does. */
static size_t first_from(const em_draft *draft, size_t origin)
{
    if (draft->chunk_count == 0 || origin == 0)
        return 0;
    em_cursor at = piece_by_rank(draft, rank_at(origin) - 1);
    const em_piece *piece = em_draft_piece(draft, at);
    if (piece_rank(piece) >= rank_at(origin))
        return 0;
    size_t length = piece->bytes.len, before = origin - piece->origin;
    return em_draft_start(draft, at) + (piece->inserted || length < before ? length : before);
}

em_span em_draft_part(const em_draft *draft, em_span part)
{
    bool to_end = part.end == draft->body.len;
    return (em_span){first_from(draft, part.start),
                     to_end ? draft->length : first_from(draft, part.end)};
}

static size_t find_original(const em_draft *draft, size_t offset)
{
    if (draft->chunk_count == 0)
        return EM_NPOS;
    em_cursor at = piece_by_rank(draft, rank_at(offset));
    const em_piece *piece = em_draft_piece(draft, at);
    /* An inserted piece that begins here stands before the original's. */
    if (piece->inserted || offset < piece->origin || offset - piece->origin >= piece->bytes.len)
        return EM_NPOS;
    return em_draft_start(draft, at) + (offset - piece->origin);
}

size_t em_draft_find_address(const em_draft *draft, em_address address)
{
    if (address.id == 0)
        return find_original(draft, address.offset);
    const em_chunk *home = draft->homes[address.id];
    if (!home)
        return EM_NPOS;
    size_t i = 0;
    while (home->pieces[i].id != address.id)
        i++;
    return draft->offsets[home->index] + home->pieces[i].at + address.offset;
}

em_span em_draft_newer_than(const em_draft *draft, em_span span, size_t id)
{
    em_cursor before = em_draft_piece_at(draft, span.start > 0 ? span.start - 1 : draft->length);
    em_cursor behind = em_draft_piece_at(draft, span.end);
    const em_piece *piece = em_draft_piece(draft, before);
    if (piece && piece->id > id)
        span.start = em_draft_start(draft, before);
    piece = em_draft_piece(draft, behind);
    if (piece && piece->id > id)
        span.end = em_draft_start(draft, behind) + piece->bytes.len;
    return span;
}
