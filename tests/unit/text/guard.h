/* guard.h: bytes with unreadable memory right before and right behind them.
 *
 * One page that can be written, between two that cannot even be read: what stands at its very start
 * or end shows a reader that goes too far.
 */
#ifndef EM_TESTS_GUARD_H
#define EM_TESTS_GUARD_H

#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct guard {
    char *page;
    size_t size;
} guard;

/* `page` is NULL when the system gives no memory. */
static inline guard guard_make(void)
{
    size_t size = (size_t)sysconf(_SC_PAGESIZE);
    char *all = mmap(NULL, 3 * size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED || mprotect(all + size, size, PROT_READ | PROT_WRITE) != 0)
        return (guard){NULL, 0};
    return (guard){all + size, size};
}

static inline void guard_drop(guard *g)
{
    munmap(g->page - g->size, 3 * g->size);
}

/* Room for `length` bytes that ends where the page ends. */
static inline char *guard_at_end(const guard *g, size_t length)
{
    return g->page + g->size - length;
}

#endif
