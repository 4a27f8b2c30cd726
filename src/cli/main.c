/* main.c: emend(1). */
#include "cli/command.h"

#include <errno.h>
#include <fcntl.h>

/* Descriptors 0 to 2 that came closed would be given to files, which what is meant for a person or
 * a client would then be written into. */
static bool open_missing_streams(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", O_RDWR) != fd)
            return false;
    return true;
}

int main(int argc, char **argv)
{
    if (argc < 1 || !open_missing_streams())
        return EM_EXIT_WRONG;
    return em_cli(argv);
}
