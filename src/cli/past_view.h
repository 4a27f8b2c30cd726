/* past_view.h: changes of the past, as people are shown them.
 *
 * What is shown is gathered while the session is open (answers/past_told.h), and printed after it
 * is closed.
 */
#ifndef EM_CLI_PAST_VIEW_H
#define EM_CLI_PAST_VIEW_H

#include "cli/command.h"

#include "answers/past_told.h"

/* One line for each. `whole`: their paths from "/", not from their roots. */
void em_cli_print_views(em_invocation *call, const em_past_views *views, bool whole);

/* All there is to be told, and the diff. */
void em_cli_print_view(em_invocation *call, const em_past_view *view);

/* "2h", "3d" (ago), or "2026-11-22", "2026-11-22 04:31", "2026-11-22T04:31:05" (local time), as
 * milliseconds since 1970. Returns whether it is one. */
bool em_cli_parse_time(const char *text, int64_t *ms);

#endif
