/* subscriptions.h: streams that clients of the stateless era keep open to be told of changes
 * (subscriptions/listen).
 *
 * Nothing does that could be told of: the list of tools is the same as long as the server runs. So
 * a stream is acknowledged with nothing granted, and stays open until one side ends it.
 */
#ifndef EM_HTTP_SUBSCRIPTIONS_H
#define EM_HTTP_SUBSCRIPTIONS_H

#include "http/exchange.h"
#include "serve/rpc.h"

typedef struct em_subscriptions em_subscriptions;

/* `most`: of them at a time. The caller's: em_subscriptions_free(). NULL when memory ran out. */
em_subscriptions *em_subscriptions_new(size_t most);
void em_subscriptions_free(em_subscriptions *subscriptions);

/* Answer the request, which has been checked, with a stream. Where that cannot be, returns the
 * error answer; NULL also when memory ran out, with a reply of 500. */
json_t *em_subscriptions_open(em_subscriptions *subscriptions, const em_rpc_message *message,
                              em_exchange *exchange);

/* Forget those whose client has gone. */
void em_subscriptions_tick(em_subscriptions *subscriptions);

/* End them all with their answer. */
void em_subscriptions_end(em_subscriptions *subscriptions);

#endif
