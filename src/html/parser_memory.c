#include "html/parser_memory.h"

#include "base/pages.h"

/* Pieces double. */
enum { FIRST_PIECE = 16 << 10, LARGEST_PIECE = 8 << 20 };

_Static_assert(sizeof(em_parser_head) == (size_t)EM_PARSER_UNIT, "a block begins at a unit");

void em_parser_memory_drop(em_parser_memory *memory)
{
    em_arena_drop(&memory->arena);
    *memory = (em_parser_memory){0};
}

void em_parser_memory_reuse(em_parser_memory *memory)
{
    memory->used = 0;
    memory->free = 0;
    memset(memory->returned, 0, sizeof memory->returned);
}

/* Twice the last one, and room for `size` bytes. */
static size_t size_of_next(const em_parser_memory *memory, size_t size)
{
    size_t last = memory->piece_count > 0 ? memory->pieces[memory->piece_count - 1].size : 0;
    size_t next = last < LARGEST_PIECE / 2 ? 2 * last : LARGEST_PIECE;
    next = next < FIRST_PIECE ? FIRST_PIECE : next;
    return next > size ? next : size;
}

/* A new piece comes before those that are there and were not used yet. */
static bool add_piece(em_parser_memory *memory, size_t size)
{
    void *pieces = memory->pieces;
    em_parser_piece piece = {.size = size_of_next(memory, size)};
    if (em_arena_grow(&memory->arena, &pieces, memory->piece_count, &memory->piece_room,
                      sizeof piece) != EM_OK)
        return false;
    memory->pieces = pieces;
    piece.bytes = em_alloc_huge(&memory->arena, piece.size);
    if (!piece.bytes)
        return false;
    memory->pieces[memory->piece_count++] = memory->pieces[memory->used];
    memory->pieces[memory->used] = piece;
    return true;
}

void *em_parser_memory_begin(em_parser_memory *memory, size_t size)
{
    bool fits = memory->used < memory->piece_count && memory->pieces[memory->used].size >= size;
    if (!fits && !add_piece(memory, size))
        return NULL;
    em_parser_piece piece = memory->pieces[memory->used++];
    memory->at = piece.bytes;
    memory->free = piece.size;
    return piece.bytes;
}
