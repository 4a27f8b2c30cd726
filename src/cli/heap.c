#include "cli/heap.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* A line is "Node 0, zone   Normal   n0 n1 n2 ...": how many free blocks of 1, 2, 4 ... pages there
 * are. A huge page is one of 512 pages, HUGE_ORDER; no kernel has blocks above MOST_ORDER. */
enum { PAGE = 4096, HUGE_ORDER = 9, MOST_ORDER = 16, HUGE = PAGE << HUGE_ORDER, SPARE_TIMES = 8 };

static size_t number_at(em_slice text, size_t *at)
{
    size_t number = 0;
    for (; *at < text.len && text.ptr[*at] >= '0' && text.ptr[*at] <= '9'; ++*at)
        number = number * 10 + (size_t)(text.ptr[*at] - '0');
    return number;
}

/* The huge pages that one line tells of; *at moves behind it. */
static size_t pages_in_line(em_slice text, size_t *at)
{
    size_t pages = 0, order = 0;
    while (*at < text.len && !em_slice_starts(em_slice_from(text, *at), EM_LIT("zone ")))
        ++*at;
    if (*at < text.len)
        ++*at;
    while (*at < text.len && text.ptr[*at] != '\n') {
        bool is_number = text.ptr[*at - 1] == ' ' && text.ptr[*at] >= '0' && text.ptr[*at] <= '9';
        if (!is_number) {
            ++*at;
            continue;
        }
        size_t blocks = number_at(text, at);
        if (order >= HUGE_ORDER && order <= MOST_ORDER)
            pages += blocks << (order - HUGE_ORDER);
        order++;
    }
    return pages;
}

bool em_cli_has_huge_pages(em_slice buddyinfo, size_t bytes)
{
    size_t pages = 0;
    for (size_t at = 0; at < buddyinfo.len;)
        pages += pages_in_line(buddyinfo, &at);
    return pages / SPARE_TIMES > bytes / HUGE;
}

#if defined(__GLIBC__)
#include <malloc.h>

static bool huge_pages_are_ready(size_t bytes)
{
    char text[4096]; /* a line of some 100 bytes for each zone of each node */
    int fd = open("/proc/buddyinfo", O_RDONLY | O_CLOEXEC);
    ssize_t length = fd >= 0 ? read(fd, text, sizeof text) : -1;
    if (fd >= 0)
        close(fd);
    return length > 0 && em_cli_has_huge_pages(em_slice_make(text, (size_t)length), bytes);
}

/* The heap goes on where a huge page can begin. What lies before that is taken, but never
 * touched. */
static void begin_huge_page(void)
{
    static void *before; /* so that who looks for leaks finds it */
    char *top = sbrk(0), *start = top + (HUGE - (uintptr_t)top % HUGE) % HUGE;
    before = malloc((size_t)(start - top) + 1);
    char *end = sbrk(0);
    if (before && start < end)
        (void)madvise(start, (size_t)(end - start), MADV_HUGEPAGE); /* only a hint */
}

/* What would have had a mapping of its own comes from the heap too. */
void em_cli_expect_memory(size_t bytes)
{
    enum { LEAST = 2 << 20, MOST = 256 << 20, LEAST_MAPPED = 4 << 20, LEAST_HUGE = 16 << 20 };
    if (bytes < LEAST)
        return;
    if (bytes > MOST)
        bytes = MOST;
    mallopt(M_MMAP_THRESHOLD, LEAST_MAPPED);
    mallopt(M_TOP_PAD, (int)bytes);
    if (bytes >= LEAST_HUGE && huge_pages_are_ready(bytes))
        begin_huge_page();
}
#else
void em_cli_expect_memory(size_t bytes)
{
    (void)bytes;
}
#endif
