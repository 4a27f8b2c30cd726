/* naive.h: Levenshtein's distance by the whole table, to compare with. */
#ifndef EM_TESTS_NAIVE_H
#define EM_TESTS_NAIVE_H

#include "base/slice.h"
#include "base/utf8.h"

#include <assert.h>

enum { NAIVE_LONGEST = 4000 };

/* Code points; a byte that is not valid UTF-8 is one, unlike all others. */
static inline size_t naive_codes(em_slice text, uint32_t *codes)
{
    size_t count = 0;
    for (size_t at = 0; at < text.len; count++) {
        size_t start = at;
        uint32_t code = em_utf8_next(text, &at);
        bool invalid = code == 0xFFFD && at - start == 1;
        assert(count < NAIVE_LONGEST);
        codes[count] = invalid ? 0x200000u + (unsigned char)text.ptr[start] : code;
    }
    return count;
}

static inline size_t naive_least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The least distance of `a` to `b`; where `free_ends`, to any piece of `b`. */
static inline size_t naive_distance(em_slice a, em_slice b, bool free_ends)
{
    static uint32_t rows[NAIVE_LONGEST], columns[NAIVE_LONGEST];
    static size_t table[2][NAIVE_LONGEST + 1];
    size_t m = naive_codes(a, rows), n = naive_codes(b, columns);
    for (size_t i = 0; i <= m; i++)
        table[0][i] = i;
    size_t best = m;
    for (size_t j = 1; j <= n; j++) {
        size_t *now = table[j % 2], *before = table[(j - 1) % 2];
        now[0] = free_ends ? 0 : j;
        for (size_t i = 1; i <= m; i++) {
            size_t replaced = before[i - 1] + (rows[i - 1] != columns[j - 1]);
            now[i] = naive_least(replaced, 1 + naive_least(before[i], now[i - 1]));
        }
        best = naive_least(best, now[m]);
    }
    return free_ends ? best : table[n % 2][m];
}

#endif
