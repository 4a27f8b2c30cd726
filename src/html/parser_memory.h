/* parser_memory.h: memory for a parser, which asks for it in small blocks and gives many of them
 * back soon.
 *
 *  (1) A block goes on to who asks next for one of its size, if it is small: what holds the names
 *      and values of one tag holds those of the next, and is in the cache. Larger ones stay as they
 *      were until the parser is done, so that a node never stands where another one stood.
 *  (2) All of it goes to the next parser at once: a page is read twice at least, and fresh pages
 *      of the kernel take longer than what is written to them.
 */
#ifndef EM_HTML_PARSER_MEMORY_H
#define EM_HTML_PARSER_MEMORY_H

#include "base/arena.h"

#include <stdint.h>

/* Blocks are multiples of a unit. Those up to so many units are small. */
enum { EM_PARSER_UNIT = 8, EM_PARSER_SMALL = 8 };

/* What stands before each block: the number of the request that it was given for, and behind that,
 * in the last byte, the units of a small one; of a larger one 0. */
typedef uint64_t em_parser_head;
enum { EM_PARSER_UNITS_BITS = 8 };

typedef struct em_parser_piece {
    char *bytes;
    size_t size;
} em_parser_piece;

typedef struct em_parser_memory {
    em_arena arena;
    em_parser_piece *pieces;
    size_t piece_count, piece_room;
    size_t used; /* pieces that blocks were cut from */
    char *at;    /* what is free of the last of them */
    size_t free;
    void *returned[EM_PARSER_SMALL + 1]; /* small blocks by their units: each holds the next */
} em_parser_memory;

void em_parser_memory_drop(em_parser_memory *memory);

/* Nobody needs any block any more. */
void em_parser_memory_reuse(em_parser_memory *memory);

/* Have the next piece, with room for at least `size` bytes: where it begins; NULL: there is no
 * memory. */
void *em_parser_memory_begin(em_parser_memory *memory, size_t size);

/* A block for `size` bytes, a multiple of the unit; NULL: there is no memory. */
static inline void *em_parser_memory_give(em_parser_memory *memory, size_t size, uint64_t number)
{
    size_t units = size > EM_PARSER_UNIT ? size / EM_PARSER_UNIT : 1;
    bool is_small = units <= EM_PARSER_SMALL;
    void *given = is_small ? memory->returned[units] : NULL;
    if (given) {
        memcpy(&memory->returned[units], given, sizeof(void *));
    } else {
        size_t whole = (1 + units) * EM_PARSER_UNIT;
        em_parser_head *head = (em_parser_head *)(void *)memory->at;
        if (whole > memory->free && !(head = em_parser_memory_begin(memory, whole)))
            return NULL;
        memory->at += whole;
        memory->free -= whole;
        given = head + 1;
    }
    ((em_parser_head *)given)[-1] = number << EM_PARSER_UNITS_BITS | (is_small ? units : 0);
    return given;
}

/* A block, or NULL, is not needed any more. */
static inline void em_parser_memory_take(em_parser_memory *memory, void *given)
{
    enum { UNITS = (1 << EM_PARSER_UNITS_BITS) - 1 };
    size_t units = given ? ((em_parser_head *)given)[-1] & UNITS : 0;
    if (units == 0)
        return;
    memcpy(given, &memory->returned[units], sizeof(void *));
    memory->returned[units] = given;
}

static inline uint64_t em_parser_memory_number(const void *given)
{
    return ((const em_parser_head *)given)[-1] >> EM_PARSER_UNITS_BITS;
}

#endif
