#include "cli/process.h"

#include "cli/kept_heap.h"
#include "history/history.h"
#include "json/json_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

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
        em_kept_heap_init();
    }
    ignore_size_signal();
    unmask_owner();
    em_history_prepare_process();
    return true;
}
