#include "base/pages.h"

#include "base/beside.h"
#include "base/clock.h"

#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>

enum { PAGE = 4096, LARGE_LEAST = 1 << 16, HUGE_LEAST = 2 * EM_HUGE_PAGE };

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

/* ---- What small pages cost ------------------------------------------------------------------ */

enum { SAMPLES = 3, SAMPLE_PAGES = 4, DEAR_NS = 4000 /* for each page: 1 ms for each MB */ };

static _Atomic em_page_price known = EM_PAGES_UNKNOWN;

/* How long it takes to have some pages, and to write to each. */
static int64_t time_of_pages(char *from)
{
    int64_t start = em_monotonic_ns();
    ask_for_pages(from, 0, SAMPLE_PAGES);
    for (size_t i = 0; i < SAMPLE_PAGES; i++)
        ((volatile char *)from)[i * PAGE] = 1;
    return em_monotonic_ns() - start;
}

/* The quickest of a few, as others may have the processor meanwhile. */
static em_page_price measure(void)
{
    enum { SIZE = SAMPLES * SAMPLE_PAGES * PAGE };
    int64_t least = INT64_MAX;
    char *pages = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED)
        return EM_PAGES_CHEAP;
    for (size_t i = 0; i < SAMPLES; i++) {
        int64_t took = time_of_pages(pages + i * SAMPLE_PAGES * PAGE);
        least = took < least ? took : least;
    }
    (void)munmap(pages, SIZE);
    return least > SAMPLE_PAGES * DEAR_NS ? EM_PAGES_DEAR : EM_PAGES_CHEAP;
}

bool em_pages_are_dear(void)
{
    if (known == EM_PAGES_UNKNOWN)
        known = measure();
    return known == EM_PAGES_DEAR;
}

void em_pages_suppose(em_page_price price)
{
    known = price;
}

/* ---- Large memory --------------------------------------------------------------------------- */

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25 /* Linux 6.1 */
#endif

/* Who gave the memory has written to its first page, which keeps those beside it small. */
void em_pages_ask_huge(const void *from, size_t size)
{
    uintptr_t first = (uintptr_t)from / EM_HUGE_PAGE * EM_HUGE_PAGE;
    uintptr_t end = ((uintptr_t)from + size + EM_HUGE_PAGE - 1) / EM_HUGE_PAGE * EM_HUGE_PAGE;
    if (madvise((void *)first, end - first, MADV_HUGEPAGE) == 0)
        (void)madvise((void *)first, EM_HUGE_PAGE, MADV_COLLAPSE);
}

void em_pages_join(const void *from, size_t size)
{
    uintptr_t first = ((uintptr_t)from + EM_HUGE_PAGE - 1) / EM_HUGE_PAGE * EM_HUGE_PAGE;
    uintptr_t end = ((uintptr_t)from + size) / EM_HUGE_PAGE * EM_HUGE_PAGE;
    for (; first < end; first += EM_HUGE_PAGE)
        (void)madvise((void *)first, EM_HUGE_PAGE, MADV_COLLAPSE);
}

/* So large that malloc() has the kernel map whole huge pages. */
static size_t in_huge_pages(size_t size)
{
    enum { OF_MALLOC = 2 * PAGE };
    return (size + OF_MALLOC + EM_HUGE_PAGE - 1) / EM_HUGE_PAGE * EM_HUGE_PAGE - OF_MALLOC;
}

void *em_alloc_large(em_arena *arena, size_t size)
{
    enum { WITHIN = PAGE / 2, SPARE = 2 * EM_HUGE_PAGE };
    if (size < LARGE_LEAST)
        return em_alloc_raw(arena, size);
    if (size > SIZE_MAX - SPARE)
        return NULL;
    size_t whole = WITHIN + size;
    bool huge = size >= HUGE_LEAST && em_pages_are_dear();
    char *page = alloc_at(arena, PAGE, huge ? in_huge_pages(whole) : whole);
    if (page && huge && !are_there(page, whole / PAGE))
        em_pages_ask_huge(page, whole);
    else if (page)
        em_in_halves(whole / PAGE, PAGES_WORTH_A_THREAD, ask_for_pages, page);
    return page ? page + WITHIN : NULL;
}

void *em_alloc_huge(em_arena *arena, size_t size)
{
    if (size < HUGE_LEAST)
        return em_alloc_raw(arena, size);
    char *page = alloc_at(arena, EM_HUGE_PAGE, size);
    if (page)
        (void)madvise(page, size, MADV_HUGEPAGE); /* only a hint */
    return page;
}
