/* prints_impl.h: what the files of prints.h share: prints as numbers, filters, and who has a print.
 */
#ifndef EM_TEXT_PRINTS_IMPL_H
#define EM_TEXT_PRINTS_IMPL_H

#include "text/prints.h"

/* One needle that has a print. */
struct em_print_holder {
    uint32_t needle, next; /* the next holder of the same print; 0: none */
    size_t offset;         /* of the print in the needle */
};

/* ---- Prints ---------------------------------------------------------------------------------- */

/* The word at `at`, from which EM_PRINT_ROOM bytes can be read. */
static inline uint64_t em_print_load(const char *at)
{
    uint64_t value;
    memcpy(&value, at, EM_PRINT_ROOM);
    return value;
}

/* The print at the start of `bytes`, which has it, but perhaps no more. */
static inline uint64_t em_print_at(const em_print_class *class, em_slice bytes)
{
    uint64_t value = 0;
    if (bytes.len >= EM_PRINT_ROOM)
        return em_print_load(bytes.ptr) & class->mask;
    memcpy(&value, bytes.ptr, class->print);
    return value;
}

/* `bits` of a print's hash, of which only the upper ones are good. (prints_kernels.c hashes eight
 * at once.) */
#define EM_PRINT_FACTOR_LOW 0x9E3779B1u
#define EM_PRINT_FACTOR_HIGH 0x85EBCA77u
static inline uint32_t em_print_hash(uint64_t print, unsigned bits)
{
    uint32_t hash =
        (uint32_t)print * EM_PRINT_FACTOR_LOW + (uint32_t)(print >> 32) * EM_PRINT_FACTOR_HIGH;
    return hash >> (32 - bits);
}

/* Where in the table the print is, or can be put. */
static inline size_t em_print_slot(const em_print_class *class, uint64_t print)
{
    size_t mask = ((size_t)1 << class->table_bits) - 1;
    size_t slot = em_print_hash(print, class->table_bits);
    while (class->first[slot] != 0 && class->keys[slot] != print)
        slot = (slot + 1) & mask;
    return slot;
}

/* ---- Windows (prints_windows.c) -------------------------------------------------------------- */

/* `class->print` characters in a row; where the class takes any line ending for an LF, an ending is
 * one character, and no window begins or ends in a CRLF. */
typedef struct em_window {
    size_t start, end; /* bytes */
    uint64_t print;
} em_window;

/* Make it a class of windows of so many characters. */
void em_window_class_init(em_print_class *class, size_t characters, bool any_eol);

/* The window that begins at `start`, which is not in a CRLF; false: the text is too short. */
bool em_window_at(const em_print_class *class, em_slice text, size_t start, em_window *window);

/* A polynomial over the characters, modulo 2^64, of which the upper bits are the better ones. */
#define EM_WINDOW_BASE UINT64_C(0x9E3779B97F4A7C15)

/* The character at *at, and *at moved behind it. */
static inline uint64_t em_window_character(const em_print_class *class, em_slice text, size_t *at)
{
    unsigned char byte = (unsigned char)text.ptr[(*at)++];
    if (byte != '\r' || !class->any_eol)
        return byte;
    *at += *at < text.len && text.ptr[*at] == '\n';
    return '\n';
}

/* Move it by a character; false: it stands at the end. */
static inline bool em_window_move(const em_print_class *class, em_slice text, em_window *window)
{
    if (window->end == text.len)
        return false;
    uint64_t leaves = em_window_character(class, text, &window->start);
    uint64_t comes = em_window_character(class, text, &window->end);
    window->print = window->print * EM_WINDOW_BASE + comes - leaves * class->leaving;
    return true;
}

/* ---- Filters --------------------------------------------------------------------------------- */

enum { EM_BIT_BITS = 5 /* of a hash, to tell the bits of a word apart */ };

/* Where a print is in the filter: the number of a word, and of two bits in it, which must both be
 * set. One bit in four times as many words would be as good, and farther away. */
static inline uint32_t em_filter_mark(const em_print_class *class, uint64_t print)
{
    return em_print_hash(print, class->filter_bits + EM_BIT_BITS);
}

static inline uint32_t em_filter_word(uint32_t mark)
{
    return mark >> 2 * EM_BIT_BITS;
}

static inline uint32_t em_filter_bits(uint32_t mark)
{
    return 1u << (mark >> EM_BIT_BITS) % 32 | 1u << mark % 32;
}

/* May anybody have the print? */
static inline bool em_filter_passes(const em_print_class *class, uint64_t print)
{
    uint32_t mark = em_filter_mark(class, print), bits = em_filter_bits(mark);
    return (class->filter[em_filter_word(mark)] & bits) == bits;
}

/* ---- Which prints are rare? (prints_rarest.c) ------------------------------------------------ */

/* How often each print occurs in the sample and in the needles, by a hash of it. */
typedef struct em_print_tally {
    uint16_t *counts;
    unsigned bits;
} em_print_tally;

enum { EM_MOST_SAMPLED = 64 << 10 /* bytes of a text */ };

/* For so many bytes, all in all; in `arena`. EM_E_NOMEM. */
em_status em_tally_init(em_print_tally *t, size_t bytes, em_arena *arena);

/* Count the prints of the text, which is a needle; or those of a sample of it. */
void em_tally_add(const em_print_tally *t, em_slice text, const em_print_class *class);
void em_tally_add_sample(const em_print_tally *t, em_slice text, const em_print_class *class);

/* Where in the needle the prints of its class are that are rarest together, and in *count how often
 * these were counted. */
size_t em_rarest_prints(const em_print_tally *t, const em_sought *needle,
                        const em_print_class *class, size_t *count);

/* The same for a class of windows (prints_windows.c). */
void em_tally_add_windows(const em_print_tally *t, em_slice text, const em_print_class *class);
size_t em_rarest_window(const em_print_tally *t, em_slice needle, const em_print_class *class);

/* Count one more of this print. */
static inline void em_tally_count(const em_print_tally *t, uint64_t print)
{
    uint16_t *count = &t->counts[em_print_hash(print, t->bits)];
    *count = (uint16_t)(*count + (*count < UINT16_MAX));
}

/* How often prints with its hash were counted. */
static inline size_t em_tally_of(const em_print_tally *t, uint64_t print)
{
    return t->counts[em_print_hash(print, t->bits)];
}

/* The part of the needle from `start` on where its bytes stand as they are: all of it, or up to an
 * LF that stands for any ending. */
em_slice em_plain_part(const em_sought *needle, size_t start);

#endif
