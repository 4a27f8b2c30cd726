/* further.h: what is told of a failure beside its reason (reason.h): what the call would fail at
 * next, and that it is time to write the file anew.
 */
#ifndef EM_CALLS_FURTHER_H
#define EM_CALLS_FURTHER_H

#include "calls/reply.h"

/* Append the advice to write the file anew, after failures in a row; "\nLEADThis is ...". */
void em_add_rewrite_advice(em_reply *reply, const char *lead);

/* Of a call with several edits: which of them it would fail at next, and why, where that is known.
 * `what` is what the tool calls one: "Edit". As a sentence; appended as a line where it is known.
 */
const char *em_next_failure_told(em_reply *reply, const char *what);
void em_add_next_failure(em_reply *reply, const char *what);

#endif
