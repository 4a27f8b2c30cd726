/* recovered.h: a change that a process left half done, as people are told of it. */
#ifndef EM_CLI_RECOVERED_H
#define EM_CLI_RECOVERED_H

#include "cli/command.h"

#include "workspace/recover.h"

/* Print a line about the change and what became of it. False when memory ran out. */
bool em_cli_print_recovered(em_invocation *call, const em_recovered *row);

#endif
