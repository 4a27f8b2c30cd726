/* further.h: what is told of a failure beside its reason (reason.h): where a text stands that is
 * there too often, what the call would fail at next, and that it is time to write the file anew.
 */
#ifndef EM_CALLS_FURTHER_H
#define EM_CALLS_FURTHER_H

#include "calls/reply.h"

/* Append that the text is there more often than it may, but nowhere exactly: "\nAt tier ...".
 * Nothing where it stands there exactly. */
void em_add_tier_of_places(em_reply *reply);

/* Append the advice to write the file anew, after failures in a row; "\nLEADThis is ...". */
void em_add_rewrite_advice(em_reply *reply, const char *lead);

/* Of a call with several edits: which of them it would fail at next, and why, where that is known.
 * `what` is what the tool calls one: "Edit". As a sentence; appended as a line where it is known.
 */
const char *em_next_failure_told(em_reply *reply, const char *what);
void em_add_next_failure(em_reply *reply, const char *what);

/* Append where a text stands that is there too often, a line each for the first places: "Line 3,
 * column 5: ...". */
void em_add_places(em_reply *reply, em_slice find);

/* Append on a line of its own where a text that stands there too seldom does so with other line
 * endings; nothing where it does not. */
void em_add_other_endings(em_reply *reply, const char *lead);

#endif
