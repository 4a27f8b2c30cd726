#include "text/marks.h"

#include <stdint.h>

/* What is looked at: so many needles, evenly spread, and so many pieces of the text. */
enum { NEEDLES = 256, PIECES = 64, PIECE = 1024 };

/* A mark is worth it where one in so many needles has it; and each time that it stands in the text
 * costs as much as so many bytes that are looked at otherwise. */
enum { LEAST_SHARE = 8, BYTES_PER_MARK = 16 };

/* How far from its mark a print may be, and of how many needles that have one it must be the only
 * one's: three in four. */
enum { REACH = 24, ALONE_OF = 4, ALONE = 3 };

enum { PAIRS = UINT16_MAX + 1 };

typedef struct pair {
    uint16_t needles; /* that have it, */
    uint16_t last;    /* and the last of them, from 1 */
    uint32_t places;  /* in the text */
} pair;

/* The needles that are looked at. */
typedef struct sample {
    const em_slice *needles;
    size_t step, count;
} sample;

static em_slice needle_of(const sample *s, size_t index)
{
    return s->needles[index * s->step];
}

static uint16_t pair_at(const char *at)
{
    return (uint16_t)((unsigned char)at[0] << 8 | (unsigned char)at[1]);
}

static void count_in_needles(pair *pairs, const sample *s)
{
    for (size_t i = 0; i < s->count; i++) {
        em_slice needle = needle_of(s, i);
        for (size_t at = 0; at + 1 < needle.len; at++) {
            pair *here = &pairs[pair_at(needle.ptr + at)];
            here->needles = (uint16_t)(here->needles + (here->last != i + 1));
            here->last = (uint16_t)(i + 1);
        }
    }
}

/* How many bytes of the text were looked at. */
static size_t count_in_text(pair *pairs, em_slice text)
{
    size_t step = text.len / PIECES, looked = 0;
    if (step <= PIECE)
        step = PIECE;
    for (size_t start = 0; start < text.len; start += step) {
        size_t end = text.len - start < PIECE ? text.len : start + PIECE;
        for (size_t at = start; at + 1 < end; at++)
            pairs[pair_at(text.ptr + at)].places++;
        looked += end - start;
    }
    return looked;
}

/* The pair that leaves the least to be looked at; false: none is worth it. */
static bool best_pair(const pair *pairs, size_t needles, size_t looked, em_mark *mark)
{
    double best = 1.0 / LEAST_SHARE;
    bool found = false;
    for (size_t i = 0; i < PAIRS; i++) {
        if (pairs[i].needles < needles / LEAST_SHARE || pairs[i].needles == 0)
            continue;
        double gain = (double)pairs[i].needles / (double)needles -
                      (double)pairs[i].places * BYTES_PER_MARK / (double)(looked + 1);
        if (gain <= best)
            continue;
        best = gain;
        found = true;
        mark->bytes[0] = (char)(i >> 8);
        mark->bytes[1] = (char)i;
    }
    return found;
}

static size_t mark_in(const em_mark *mark, em_slice needle)
{
    for (size_t at = 0; at + 1 < needle.len; at++) {
        const char *first = memchr(needle.ptr + at, mark->bytes[0], needle.len - 1 - at);
        if (!first)
            break;
        at = (size_t)(first - needle.ptr);
        if (first[1] == mark->bytes[1])
            return at;
    }
    return EM_NPOS;
}

static size_t print_beside(const em_mark *mark, em_slice needle, size_t at)
{
    ptrdiff_t start = (ptrdiff_t)at + mark->print;
    return start >= 0 && start + EM_MARK_PRINT <= (ptrdiff_t)needle.len ? (size_t)start : EM_NPOS;
}

size_t em_mark_print_in(const em_mark *mark, em_slice needle)
{
    size_t at = mark_in(mark, needle);
    return at == EM_NPOS ? EM_NPOS : print_beside(mark, needle, at);
}

/* Prints that were seen. */
typedef struct set {
    uint64_t prints[4 * NEEDLES];
    bool is_taken[4 * NEEDLES];
} set;

/* Is it new? */
static bool set_add(set *s, uint64_t print)
{
    enum { MASK = sizeof s->prints / sizeof *s->prints - 1 };
    size_t slot = (print * 0x9E3779B97F4A7C15u >> 32) & MASK;
    for (; s->is_taken[slot]; slot = (slot + 1) & MASK)
        if (s->prints[slot] == print)
            return false;
    s->is_taken[slot] = true;
    s->prints[slot] = print;
    return true;
}

/* How many different prints the needles have so far from their marks. */
static size_t different_prints(const em_mark *mark, const sample *s, const size_t *marks)
{
    set seen = {.is_taken = {false}};
    size_t different = 0;
    for (size_t i = 0; i < s->count; i++) {
        uint64_t print;
        size_t at = marks[i] == EM_NPOS ? EM_NPOS : print_beside(mark, needle_of(s, i), marks[i]);
        if (at == EM_NPOS)
            continue;
        memcpy(&print, needle_of(s, i).ptr + at, sizeof print);
        different += set_add(&seen, print);
    }
    return different;
}

/* The place beside the mark that tells most needles apart; false: none tells enough. */
static bool best_print(em_mark *mark, const sample *s)
{
    size_t marks[NEEDLES], with = 0, best = 0;
    for (size_t i = 0; i < s->count; i++) {
        marks[i] = mark_in(mark, needle_of(s, i));
        with += marks[i] != EM_NPOS;
    }
    em_mark tried = *mark;
    for (tried.print = -REACH; tried.print <= REACH; tried.print++) {
        size_t different = different_prints(&tried, s, marks);
        if (different <= best)
            continue;
        best = different;
        *mark = tried;
    }
    return best * ALONE_OF >= with * ALONE;
}

bool em_mark_choose(const em_slice *needles, size_t count, em_slice text, em_mark *mark)
{
    EM_AUTO(em_arena) arena = {0};
    sample s = {needles, count / NEEDLES + 1, 0};
    s.count = (count + s.step - 1) / s.step;
    pair *pairs = em_alloc_array(&arena, PAIRS, sizeof *pairs);
    if (!pairs || count == 0)
        return false;
    count_in_needles(pairs, &s);
    size_t looked = count_in_text(pairs, text);
    *mark = (em_mark){.print = 0};
    return best_pair(pairs, s.count, looked, mark) && best_print(mark, &s);
}
