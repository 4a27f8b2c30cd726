/* process.h: what holds for the process before any command runs. */
#ifndef EM_CLI_PROCESS_H
#define EM_CLI_PROCESS_H

#include <stdbool.h>

/* Descriptors 0 to 2 are there; the stack is large enough; a limit on the size of files is an error
 * of the call that meets it, and not the end of the process; and what emend makes in its state
 * directory it can open again, whatever is masked; SQLite keeps no account of its memory.
 * `is_server`: what else was left open is closed, and no call pays for what the one before it gave
 * back. False when one of the first two cannot be had; that of the stack has been said then. */
bool em_cli_prepare_process(bool is_server);

#endif
