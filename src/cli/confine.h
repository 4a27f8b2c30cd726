/* confine.h: commands put themselves into the sandbox before they touch what others wrote.
 *
 * To be called when all that the command opens is open, and before there are threads.
 */
#ifndef EM_CLI_CONFINE_H
#define EM_CLI_CONFINE_H

#include "cli/command.h"

/* Confine the process to the roots and the state directory of `sessions` (all of one command: they
 * have the same), as --sandbox says. `keeps`: something may be put into the state directory, so it
 * is made now if it is missing; it could not be later.
 *
 * False when the command must not go on without the sandbox (--sandbox required), which has been
 * said. */
bool em_cli_confine(em_invocation *call, em_session *const *sessions, size_t count, bool keeps);

/* The same for a server whose socket listens already: it can be used, and no other made. */
bool em_cli_confine_server(em_invocation *call, em_session *const *sessions, size_t count);

/* Confining in two steps, for a server that may be started only to be asked what it is: its calls
 * at once, its files when a tool is called for the first time. */
bool em_cli_confine_calls(em_invocation *call, em_sandbox_report *report);
bool em_cli_confine_files(em_invocation *call, em_session *const *sessions, size_t count,
                          bool keeps, em_sandbox_report *report);

/* The one session of a command, as em_cli_session_open() opens it, with the process confined. NULL
 * where there can be none or the command must not go on, which has been said. */
em_session *em_cli_open_confined(em_invocation *call, const char *client, bool keeps);

/* The same for a command that keeps nothing. `all`: it has been told to leave its roots (--all),
 * and so cannot be confined to them; NULL where it must be. */
em_session *em_cli_open_reaching(em_invocation *call, const char *client, bool all);

#endif
