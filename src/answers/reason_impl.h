/* reason_impl.h: what the sentence of a failure (reason.c) and its advice (advice.c) share. */
#ifndef EM_ANSWERS_REASON_IMPL_H
#define EM_ANSWERS_REASON_IMPL_H

#include "answers/reason.h"

/* What an advice begins with that is not true of a call of which a part was done, and need not be
 * said twice. */
#define EM_NOTHING_WRITTEN "Nothing was written. "

/* The advice where only time helps. */
extern const char em_send_later[];

/* What to do whatever the cause is, and whatever the call was; NULL: nothing, or it depends. */
const char *em_advice_of_status(em_status status);

const em_workspace *em_reply_workspace(const em_reply *reply);

/* Of several roots: does the way leave the one that it begins in? It may lead to another. */
bool em_leaves_its_root(const em_reply *reply);

/* Did the search for like text take too long? (A lock, or a pattern, says so itself.) */
bool em_is_search_timeout(const em_reply *reply);

#endif
