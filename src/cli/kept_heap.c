#include "cli/kept_heap.h"

#include <stdlib.h> /* says which C library this is */

#if defined(__GLIBC__)
#include "base/pages.h"
#include "base/spare.h"
#include "base/thread.h"

#include <malloc.h>
#include <stdatomic.h>
#include <stdint.h>
#include <unistd.h>

/* The heap that ends at the break. */
static struct kept_heap {
    char *settled; /* up to here, or to where it began; a huge page begins there, or it is the start
                    */
    char *from, *to;
    atomic_bool is_settling; /* [from, to) */
} kept;

/* What a large call gave back in small pieces is joined at once. glibc would join it when the next
 * call asks for a large piece, so that a small call after a large one took half as long again. */
static void join_freed_memory(void)
{
    mallopt(M_MXFAST, 0);
}

/* What a call of some megabytes took is kept for the next one: to have it anew takes longer than
 * the rest of the call where pages are dear. glibc would keep it or not, as calls follow each
 * other. */
static void keep_freed_memory(void)
{
    enum { FROM_HEAP = 32 << 20, KEPT = 64 << 20 };
    mallopt(M_MMAP_THRESHOLD, FROM_HEAP);
    mallopt(M_TRIM_THRESHOLD, KEPT);
}

void em_kept_heap_init(void)
{
    join_freed_memory();
    keep_freed_memory();
    kept.settled = sbrk(0);
}

static void settle(void *context)
{
    struct kept_heap *heap = context;
    em_pages_join(heap->from, (size_t)(heap->to - heap->from));
    heap->is_settling = false;
}

void em_kept_heap_settle(void)
{
    cpu_set_t others;
    char *end = sbrk(0);
    end -= (uintptr_t)end % EM_HUGE_PAGE;
    if (kept.is_settling || !kept.settled)
        return;
    if (end < kept.settled) /* some was given back to the system */
        kept.settled = end;
    if (end - kept.settled < EM_HUGE_PAGE || !em_other_processors(&others))
        return;
    kept.from = kept.settled;
    kept.to = kept.settled = end;
    kept.is_settling = true;
    if (!em_spare_begin(&others, settle, &kept))
        kept.is_settling = false;
}

#else

void em_kept_heap_init(void)
{
}

void em_kept_heap_settle(void)
{
}

#endif
