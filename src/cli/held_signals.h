/* held_signals.h: SIGTERM, SIGINT and SIGHUP wait while a command has a session open.
 *
 * A change that has begun is finished, and who sent the signal is told of it: the signal takes
 * effect when the answer is printed. A further one does not wait for that, since whoever reads may
 * be slow.
 */
#ifndef EM_CLI_HELD_SIGNALS_H
#define EM_CLI_HELD_SIGNALS_H

#include <stdbool.h>

/* From here on they wait. */
void em_cli_hold_signals(void);

/* Did one come meanwhile? */
bool em_cli_is_told_to_end(void);

/* They wait no more: one that came ends the process here. */
void em_cli_release_signals(void);

/* The same, but one that came waits for em_cli_obey_signal(). */
void em_cli_defer_signals(void);

/* End as the deferred signal has it, if there is one. */
void em_cli_obey_signal(void);

#endif
