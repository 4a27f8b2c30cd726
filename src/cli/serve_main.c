/* serve_main.c: emend-serve(1), which `emend serve` becomes. */
#include "cli/http_server.h"
#include "cli/process.h"

#include <malloc.h>

/* Jobs go from thread to thread, and what they hold with them. With a heap for each thread, what
 * one gives back is not there for another, and the process grows for long. */
enum { HEAPS = 1 };

int main(int argc, char **argv)
{
    if (argc < 1 || !em_cli_prepare_process(true))
        return EM_EXIT_WRONG;
    mallopt(M_ARENA_MAX, HEAPS);
    return em_cli_one(&em_cmd_serve_http, argv, &em_sandbox_kernel_native);
}
