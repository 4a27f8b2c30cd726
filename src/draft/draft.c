/* draft.c: a draft and its pieces, in chunks: made, found, dropped. */
#include "draft/draft_impl.h"

#include <stdlib.h>

enum { CHUNK_PIECES = 64 };

/* ---- Chunks --------------------------------------------------------------------------------- */

em_chunk *em_chunk_new(const em_draft *draft)
{
    em_chunk *chunk = malloc(sizeof *chunk + (draft->most + EM_MOST_NEW_PIECES) * sizeof(em_piece));
    if (chunk)
        chunk->index = chunk->count = chunk->length = 0;
    return chunk;
}

static em_status reserve_chunks(em_draft *draft, size_t count)
{
    if (count <= draft->chunk_room)
        return EM_OK;
    size_t room = 2 * count;
    em_chunk **chunks = realloc(draft->chunks, room * sizeof(em_chunk *));
    if (chunks)
        draft->chunks = chunks;
    size_t *offsets = realloc(draft->offsets, room * sizeof *offsets);
    if (offsets)
        draft->offsets = offsets;
    if (!chunks || !offsets)
        return EM_E_NOMEM;
    draft->chunk_room = room;
    return EM_OK;
}

em_status em_draft_insert_chunk(em_draft *draft, size_t index, em_chunk *chunk)
{
    em_status status = chunk ? reserve_chunks(draft, draft->chunk_count + 1) : EM_E_NOMEM;
    if (status != EM_OK) {
        free(chunk);
        return status;
    }
    size_t behind = draft->chunk_count - index;
    memmove(&draft->chunks[index + 1], &draft->chunks[index], behind * sizeof(em_chunk *));
    memmove(&draft->offsets[index + 1], &draft->offsets[index], behind * sizeof(size_t));
    if (behind == 0)
        draft->offsets[index] = draft->length;
    draft->chunks[index] = chunk;
    draft->chunk_count++;
    for (size_t i = index; i < draft->chunk_count; i++)
        draft->chunks[i]->index = i;
    return EM_OK;
}

void em_draft_remove_chunk(em_draft *draft, size_t index)
{
    free(draft->chunks[index]);
    draft->chunk_count--;
    size_t behind = draft->chunk_count - index;
    memmove(&draft->chunks[index], &draft->chunks[index + 1], behind * sizeof(em_chunk *));
    memmove(&draft->offsets[index], &draft->offsets[index + 1], behind * sizeof(size_t));
    for (size_t i = index; i < draft->chunk_count; i++)
        draft->chunks[i]->index = i;
}

void em_chunk_add(em_chunk *chunk, em_piece piece)
{
    piece.at = chunk->length;
    chunk->length += piece.bytes.len;
    chunk->pieces[chunk->count++] = piece;
}

void em_chunks_drop(em_chunk **chunks, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(chunks[i]);
    free(chunks);
}

/* ---- Making and dropping it ----------------------------------------------------------------- */

static em_status draft_fill(em_draft *draft)
{
    draft->asked = calloc(1, sizeof *draft->asked);
    if (!draft->asked)
        return EM_E_NOMEM;
    if (draft->body.len == draft->start)
        return EM_OK;
    EM_TRY(em_draft_insert_chunk(draft, 0, em_chunk_new(draft)));
    draft->length = draft->body.len - draft->start;
    draft->piece_count = 1;
    em_piece all = {.bytes = em_slice_from(draft->body, draft->start), .origin = draft->start};
    em_chunk_add(draft->chunks[0], all);
    return EM_OK;
}

em_status em_draft_init_chunks(em_draft *draft, em_slice body, size_t start, size_t most)
{
    *draft = (em_draft){.body = body, .start = start, .most = most};
    em_status status = draft_fill(draft);
    if (status != EM_OK)
        em_draft_drop(draft);
    return status;
}

em_status em_draft_init(em_draft *draft, em_slice body, size_t start)
{
    return em_draft_init_chunks(draft, body, start, CHUNK_PIECES);
}

void em_draft_drop(em_draft *draft)
{
    em_chunks_drop(draft->chunks, draft->chunk_count);
    free(draft->offsets);
    free(draft->homes);
    free(draft->asked);
    *draft = (em_draft){0};
}

/* ---- Going about in it ---------------------------------------------------------------------- */

/* Does the chunk hold the byte at `offset`? */
static bool chunk_holds(const em_draft *draft, size_t chunk, size_t offset)
{
    return chunk < draft->chunk_count && draft->offsets[chunk] <= offset &&
           offset - draft->offsets[chunk] < draft->chunks[chunk]->length;
}

/* The chunk that holds the byte at `offset`. */
static size_t chunk_at(const em_draft *draft, size_t offset)
{
    size_t low = 0, high = draft->chunk_count, last = draft->asked->chunk;
    if (chunk_holds(draft, last, offset))
        return last;
    if (chunk_holds(draft, last + 1, offset))
        return ++draft->asked->chunk;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (draft->offsets[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    draft->asked->chunk = low;
    return low;
}

/* Does the piece hold the byte at `offset` in its chunk? */
static bool piece_holds(const em_chunk *chunk, size_t piece, size_t offset)
{
    return piece < chunk->count && chunk->pieces[piece].at <= offset &&
           (piece + 1 == chunk->count || chunk->pieces[piece + 1].at > offset);
}

/* The piece of the chunk that holds the byte at `offset`: mostly `last`, or the one behind it. */
static size_t piece_in(const em_chunk *chunk, size_t offset, size_t last)
{
    size_t low = 0, high = chunk->count;
    if (piece_holds(chunk, last, offset))
        return last;
    if (piece_holds(chunk, last + 1, offset))
        return last + 1;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (chunk->pieces[middle].at <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

em_cursor em_draft_piece_at(const em_draft *draft, size_t offset)
{
    if (offset >= draft->length)
        return (em_cursor){draft->chunk_count, 0};
    size_t chunk = chunk_at(draft, offset), in_chunk = offset - draft->offsets[chunk];
    draft->asked->piece = piece_in(draft->chunks[chunk], in_chunk, draft->asked->piece);
    return (em_cursor){chunk, draft->asked->piece};
}

const em_piece *em_draft_piece(const em_draft *draft, em_cursor at)
{
    return at.chunk < draft->chunk_count ? &draft->chunks[at.chunk]->pieces[at.piece] : NULL;
}

size_t em_draft_start(const em_draft *draft, em_cursor at)
{
    /* An empty chunk is filled before anybody asks for a piece of it: the analyzer cannot know.
     * NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult) */
    return draft->offsets[at.chunk] + draft->chunks[at.chunk]->pieces[at.piece].at;
}

em_cursor em_draft_next_piece(const em_draft *draft, em_cursor at)
{
    if (++at.piece == draft->chunks[at.chunk]->count)
        return (em_cursor){at.chunk + 1, 0};
    return at;
}
