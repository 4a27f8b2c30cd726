/* subscriptions.h: streams that clients of the stateless era keep open to be told of changes
 * (subscriptions/listen).
 *
 * What can change is said once, for the server. Emend's list of tools never does, so there a stream
 * is acknowledged with nothing granted, and stays open until one side ends it.
 */
#ifndef EM_HTTP_SUBSCRIPTIONS_H
#define EM_HTTP_SUBSCRIPTIONS_H

#include "http/exchange.h"
#include "serve/rpc.h"

typedef struct em_subscriptions em_subscriptions;

/* The caller's: em_subscriptions_free(). `tools_change`: toolsListChanged can be granted. NULL when
 * memory ran out. */
em_subscriptions *em_subscriptions_new(bool tools_change, size_t most);
void em_subscriptions_free(em_subscriptions *subscriptions);

/* Answer the request, which has been checked, with a stream. Where that cannot be, returns the
 * error answer; NULL also when memory ran out, with a reply of 500. */
json_t *em_subscriptions_open(em_subscriptions *subscriptions, const em_rpc_message *message,
                              em_exchange *exchange);

/* The list of tools has changed: tell who asked for it. */
void em_subscriptions_tools_changed(em_subscriptions *subscriptions);

/* Forget those whose client has gone. */
void em_subscriptions_tick(em_subscriptions *subscriptions);

/* End them all with their answer. */
void em_subscriptions_end(em_subscriptions *subscriptions);

#endif
