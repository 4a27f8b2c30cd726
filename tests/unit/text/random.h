/* random.h: the same random numbers in every run (xorshift64*, S. Vigna). */
#ifndef EM_TESTS_RANDOM_H
#define EM_TESTS_RANDOM_H

#include <stddef.h>
#include <stdint.h>

typedef struct random_state {
    uint64_t word; /* not 0 */
} random_state;

static inline size_t random_below(random_state *r, size_t limit)
{
    r->word ^= r->word >> 12;
    r->word ^= r->word << 25;
    r->word ^= r->word >> 27;
    return (size_t)((r->word * 0x2545F4914F6CDD1Du) >> 33) % limit;
}

/* One of `count` strings of the given array. */
#define RANDOM_OF(r, array) ((array)[random_below((r), sizeof(array) / sizeof(array)[0])])

#endif
