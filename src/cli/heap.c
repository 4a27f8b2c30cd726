#include "cli/heap.h"

#include <stdlib.h> /* says which C library this is */

#if defined(__GLIBC__)
#include "base/pages.h"
#include "base/thread.h"

#include <limits.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/* What each byte of a request of many edits takes until it is answered, and as a value. */
enum { PER_BYTE = 24, PER_BYTE_READ = 7 };

enum { PAGE = 4096, PIECE = 64 * PAGE };

/* The pages that another thread asks for: the process has one heap. */
static struct asking {
    pthread_t thread;
    bool has_thread;
    char *from, *to;
    atomic_bool is_over;
} asking;

/* It is only a hint. */
static void *ask_for_pages(void *context)
{
    struct asking *a = context;
#ifdef MADV_POPULATE_WRITE
    for (char *at = a->from; !a->is_over && a->to - at >= PIECE; at += PIECE)
        if (madvise(at, PIECE, MADV_POPULATE_WRITE) != 0)
            break;
#else
    (void)a;
#endif
    return NULL;
}

/* Where the heap ends so far, at a page. */
static char *end_of_heap(void)
{
    char *end = sbrk(0);
    return end + (PAGE - (uintptr_t)end % PAGE) % PAGE;
}

/* Have the heap grow by `size` bytes, and with each piece that it lacks later. What would have had
 * a mapping of its own comes from it, too. */
static void grow_heap(size_t size)
{
    enum { MOST = 256 << 20, LEAST_MAPPED = 4 << 20, MORE = 64 << 10, MAPPED = 65536 };
    mallopt(M_MMAP_THRESHOLD, LEAST_MAPPED);
    mallopt(M_TOP_PAD, (int)(size < MOST ? size : MOST));
    mallopt(M_MMAP_MAX, 0);
    void *volatile piece = malloc(mallinfo2().keepcost + MORE); /* than it has left */
    free(piece);
    mallopt(M_MMAP_MAX, MAPPED);
}

/* Where small pages are dear all that the call takes comes from huge ones, the file and what other
 * threads need, too. */
static void grow_in_huge_pages(size_t length)
{
    enum { WITH_THE_FILE = 3 };
    mallopt(M_ARENA_MAX, 1);
    grow_heap(WITH_THE_FILE * PER_BYTE * length);
    em_pages_ask_huge(asking.from, (size_t)(end_of_heap() - asking.from));
}

static void grow_and_ask(size_t length)
{
    enum { STACK = 64 << 10 };
    cpu_set_t others;
    grow_heap(PER_BYTE * length);
    size_t grown = (size_t)(end_of_heap() - asking.from), read = PER_BYTE_READ * length;
    asking.to = asking.from + (read < grown ? read : grown);
    asking.has_thread = em_other_processors(&others) &&
                        em_thread_start_on(&others, &asking.thread, ask_for_pages, &asking, STACK);
}

void em_cli_expect_request(size_t length)
{
    enum { LEAST = 512 << 10, LEAST_DEAR = 32 << 10, MOST = INT_MAX };
    if (length < LEAST_DEAR || length > MOST)
        return;
    asking.from = end_of_heap();
    if (em_pages_are_dear())
        grow_in_huge_pages(length);
    else if (length >= LEAST)
        grow_and_ask(length);
}

void em_cli_heap_join(void)
{
    asking.is_over = true;
    if (asking.has_thread)
        pthread_join(asking.thread, NULL);
    asking.has_thread = false;
}

#else

void em_cli_expect_request(size_t length)
{
    (void)length;
}

void em_cli_heap_join(void)
{
}

#endif
