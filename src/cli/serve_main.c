/* serve_main.c: emend-serve(1), which `emend serve` becomes. */
#include "cli/process.h"
#include "cli/serve.h"

int main(int argc, char **argv)
{
    if (argc < 1 || !em_cli_prepare_process(true))
        return EM_EXIT_WRONG;
    return em_cli_one(&em_cmd_serve_http, argv, &em_sandbox_kernel_native);
}
