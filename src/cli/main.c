/* main.c: emend(1). */
#include "cli/command.h"
#include "cli/process.h"

#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 1)
        return EM_EXIT_WRONG;
    bool is_server = argv[1] && strcmp(argv[1], "mcp") == 0;
    return em_cli_prepare_process(is_server) ? em_cli(argv, &em_sandbox_kernel_native)
                                             : EM_EXIT_WRONG;
}
