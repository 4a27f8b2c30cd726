#include "cli/process.h"

#include "history/history.h"
#include "json/json_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
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

/* What a call of some megabytes took is kept for the next one: to have it anew takes longer than
 * the rest of the call where pages are dear. glibc would keep it or not, as calls follow each
 * other. */
static void keep_freed_memory(void)
{
    enum { FROM_HEAP = 32 << 20, KEPT = 64 << 20 };
    mallopt(M_MMAP_THRESHOLD, FROM_HEAP);
    mallopt(M_TRIM_THRESHOLD, KEPT);
}

#else
static void join_freed_memory(void)
{
}

static void keep_freed_memory(void)
{
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

/* Contents pass through blocks of 128 and 256 KiB on the stack. That of a thread is as large, too,
 * unless it is told otherwise. */
static bool has_stack(void)
{
    enum { LEAST = 512 << 10 };
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= LEAST)
        return true;
    fprintf(stderr, "emend: the stack may have only %llu KiB, and needs %d: ulimit -s 8192\n",
            (unsigned long long)limit.rlim_cur >> 10, LEAST >> 10);
    return false;
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
    if (!open_missing_streams() || !has_stack())
        return false;
    if (is_server) {
        close_range(3, ~0U, 0);
        em_json_use_regions();
        join_freed_memory();
        keep_freed_memory();
    }
    ignore_size_signal();
    unmask_owner();
    em_history_prepare_process();
    return true;
}
