/* further.h: what is told of a failure beside its reason (reason.h): what the call would fail at
 * next, which of its edits were made before, and that it is time to write the file anew.
 */
#ifndef EM_ANSWERS_FURTHER_H
#define EM_ANSWERS_FURTHER_H

#include "answers/reply.h"

/* Append the advice to write the file anew, after failures in a row; "\nLEADThis is ...". */
void em_add_rewrite_advice(em_reply *reply, const char *lead);

/* The same, and when not to: ", unless ..."; and whether there is such advice to be given. */
void em_add_rewrite_advice_but(em_reply *reply, const char *lead, const char *exception);
bool em_is_time_to_rewrite(em_reply *reply);

/* Where the answer has what to send (`is_given`): is that all that is to be done, for sure? Then
 * nobody needs the advice, but where a document has it always. */
bool em_way_is_clear(const em_reply *reply, bool is_given);

/* Of a call with several edits, beside the one at fault: which of them were made before, which it
 * would fail at next, and why. `what` is what the tool calls one: "Edit". In sentences, "" where
 * nothing is known; appended as a line, "\nLEADEdit 2 would ...", with the lines of the file that
 * is clearly meant where the text of that edit should be. */
const char *em_further_told(em_reply *reply, const char *what);
void em_add_further(em_reply *reply, const char *lead, const char *what);

#endif
