#include "cli/process.h"

#include "workspace/history.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__GLIBC__)
#include <malloc.h>

/* What a large call gave back in small pieces is joined at once. glibc would join it when the next
 * call asks for a large piece, so that a small call after a large one took half as long again. */
static void join_freed_memory(void)
{
    mallopt(M_MXFAST, 0);
}

/* Let the heap grow by `bytes` at once. */
static void grow_heap(size_t bytes)
{
    enum { LEAST = 1 << 20 }; /* more than it has left at the start */
    mallopt(M_TOP_PAD, (int)bytes);
    void *volatile some = malloc(LEAST); /* the compiler would leave out what is not looked at */
    free(some);
}

/* The kernel is asked for huge pages where the heap has grown, and what would have had a mapping of
 * its own comes from there too. */
void em_cli_expect_memory(size_t bytes)
{
    enum { HUGE_PAGE = 2 << 20, MOST = 256 << 20, LEAST_MAPPED = 4 << 20 };
    size_t pages = (bytes < MOST ? bytes : MOST) / HUGE_PAGE;
    if (pages == 0)
        return;
    uintptr_t before = (uintptr_t)sbrk(0);
    mallopt(M_MMAP_THRESHOLD, LEAST_MAPPED);
    grow_heap(pages * HUGE_PAGE);
    uintptr_t start = (before + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE, end = (uintptr_t)sbrk(0);
    if (end > start)
        (void)madvise((void *)start, end - start, MADV_HUGEPAGE); /* only a hint */
}
#else
static void join_freed_memory(void)
{
}

void em_cli_expect_memory(size_t bytes)
{
    (void)bytes;
}
#endif

/* Descriptors 0 to 2 that came closed would be given to files, which what is meant for a person or
 * a client would then be written into. */
static bool open_missing_streams(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", O_RDWR) != fd)
            return false;
    return true;
}

static void ignore_size_signal(void)
{
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigaction(SIGXFSZ, &ignore, NULL);
}

static void unmask_owner(void)
{
    mode_t mask = umask(0777);
    umask(mask & ~(mode_t)0700);
}

/* A server outlives much. What its client left open by mistake is not for it to keep, and the
 * sandbox holds nothing back from what is open already. Other commands may be given a file as
 * /dev/fd/N. */
bool em_cli_prepare_process(bool is_server)
{
    if (!open_missing_streams())
        return false;
    if (is_server) {
        close_range(3, ~0U, 0);
        join_freed_memory();
    }
    ignore_size_signal();
    unmask_owner();
    em_history_prepare_process();
    return true;
}
