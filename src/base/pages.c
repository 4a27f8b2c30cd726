#include "base/pages.h"

#include "base/beside.h"

#include <stdint.h>
#include <sys/mman.h>

enum { PAGE = 4096, LARGE_LEAST = 1 << 16, HUGE = 2 << 20, HUGE_LEAST = 2 * HUGE };

/* So many take about a millisecond. */
enum { PAGES_WORTH_A_THREAD = 1024 };

/* `size` bytes where a unit begins; NULL: no memory. */
static char *alloc_at(em_arena *arena, size_t unit, size_t size)
{
    char *room = size <= SIZE_MAX - unit ? em_alloc_raw(arena, size + unit) : NULL;
    return room ? room + (unit - (uintptr_t)room % unit) : NULL;
}

/* Are all of these pages there already? Memory that was used before and given back to the heap is.
 */
static bool are_there(char *from, size_t count)
{
    enum { AT_ONCE = 1024 };
    unsigned char there[AT_ONCE];
    for (size_t done = 0; done < count; done += AT_ONCE) {
        size_t some = count - done < AT_ONCE ? count - done : AT_ONCE;
        if (mincore(from + done * PAGE, some * PAGE, there) != 0)
            return false;
        for (size_t i = 0; i < some; i++)
            if (!(there[i] & 1))
                return false;
    }
    return true;
}

/* An em_range_work of the first page. It is only a hint. */
static void ask_for_pages(void *first, size_t from, size_t to)
{
#ifdef MADV_POPULATE_WRITE
    char *page = (char *)first + from * PAGE;
    if (!are_there(page, to - from))
        (void)madvise(page, (to - from) * PAGE, MADV_POPULATE_WRITE);
#else
    (void)first, (void)from, (void)to;
#endif
}

void *em_alloc_large(em_arena *arena, size_t size)
{
    enum { WITHIN = PAGE / 2 };
    if (size < LARGE_LEAST || size > SIZE_MAX - WITHIN)
        return em_alloc_raw(arena, size);
    char *page = alloc_at(arena, PAGE, WITHIN + size);
    if (page)
        em_in_halves((WITHIN + size) / PAGE, PAGES_WORTH_A_THREAD, ask_for_pages, page);
    return page ? page + WITHIN : NULL;
}

void *em_alloc_huge(em_arena *arena, size_t size)
{
    if (size < HUGE_LEAST)
        return em_alloc_raw(arena, size);
    char *page = alloc_at(arena, HUGE, size);
    if (page)
        (void)madvise(page, size, MADV_HUGEPAGE); /* only a hint */
    return page;
}
