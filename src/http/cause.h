/* cause.h: why a call was refused, in a word: what refusals are counted by.
 *
 * The words are those of em_cause_name() where a text could not be found or changed, and else say
 * what was wrong with the file, the arguments or the moment. There are few, and none holds anything
 * that a caller chose, so they can name counters.
 */
#ifndef EM_HTTP_CAUSE_H
#define EM_HTTP_CAUSE_H

#include "serve/mcp.h"

/* NULL: it was not refused. */
const char *em_http_cause(const em_mcp_called *called);

/* How loosely the loosest of its texts was found; EM_TIER_EXACT where none was searched for. */
em_tier em_http_tier(const em_mcp_called *called);

#endif
