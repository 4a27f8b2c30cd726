/* sorted.h: where in a sorted list something stands. */
#ifndef EM_BASE_SORTED_H
#define EM_BASE_SORTED_H

#include <stddef.h>

/* How many of the `count` items of a list, `size` bytes each, come before `limit`: they are in
 * order of the size_t that stands `place` bytes behind the start of each, and theirs is less. So it
 * is also the number of the first that does not. */
static inline size_t em_count_below(const void *items, size_t count, size_t size, size_t place,
                                    size_t limit)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const void *key = (const char *)items + middle * size + place;
        if (*(const size_t *)key < limit)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The same of items that have the size_t as their member `member`. */
#define EM_COUNT_BELOW(items, count, member, limit)                                                \
    em_count_below((items), (count), sizeof *(items), offsetof(__typeof__(*(items)), member),      \
                   (limit))

#endif
