#include "http/subscriptions.h"

#include <pthread.h>
#include <stdlib.h>

#define META_SUBSCRIPTION "io.modelcontextprotocol/subscriptionId"

typedef struct subscription {
    struct subscription *next;
    json_t *id; /* of the request, of its type */
    em_stream *stream;
} subscription;

struct em_subscriptions {
    pthread_mutex_t lock;
    subscription *first;
    size_t count, most;
};

em_subscriptions *em_subscriptions_new(size_t most)
{
    em_subscriptions *subscriptions = calloc(1, sizeof *subscriptions);
    if (!subscriptions)
        return NULL;
    pthread_mutex_init(&subscriptions->lock, NULL);
    subscriptions->most = most;
    return subscriptions;
}

static void subscription_free(subscription *one)
{
    json_decref(one->id);
    em_stream_release(one->stream);
    free(one);
}

/* ---- Messages ------------------------------------------------------------------------------- */

/* {"_meta": {SUBSCRIPTION: id}} */
static json_t *with_id(em_json *json, const subscription *one)
{
    json_t *meta = em_json_object(json);
    json_t *object = em_json_object(json);
    em_json_set(json, meta, META_SUBSCRIPTION, json_incref(one->id));
    em_json_set(json, object, "_meta", meta);
    return object;
}

/* Takes over the message. */
static bool send(const subscription *one, json_t *message)
{
    EM_AUTO(em_strbuf) text = {0};
    em_json_write(message, 0, &text);
    bool sent =
        message && !text.failed && em_stream_event(one->stream, NULL, NULL, em_strbuf_slice(&text));
    json_decref(message);
    return sent;
}

static json_t *acknowledgement(const subscription *one)
{
    em_json json = {0};
    json_t *params = with_id(&json, one);
    em_json_set(&json, params, "notifications", em_json_object(&json));
    return em_rpc_notification("notifications/subscriptions/acknowledged",
                               em_json_done(&json, params));
}

static json_t *final_answer(const subscription *one)
{
    em_json json = {0};
    json_t *result = with_id(&json, one);
    em_json_set_string(&json, result, "resultType", "complete");
    return em_rpc_result(one->id, em_json_done(&json, result));
}

/* ---- Opening -------------------------------------------------------------------------------- */

static json_t *problem_of(const em_subscriptions *subscriptions, const em_rpc_message *message,
                          const em_exchange *exchange)
{
    const json_t *wanted = json_object_get(message->params, "notifications");
    if (!em_json_is_object(wanted))
        return em_rpc_error(message->id, EM_RPC_INVALID_PARAMS,
                            "params.notifications must be an object", NULL);
    if (!em_exchange_accepts(exchange, "text/event-stream"))
        return em_rpc_error(message->id, EM_RPC_INVALID_REQUEST,
                            "subscriptions are answered with text/event-stream", NULL);
    if (subscriptions->count >= subscriptions->most)
        return em_rpc_error(message->id, EM_RPC_INTERNAL_ERROR, "too many subscriptions", NULL);
    return NULL;
}

json_t *em_subscriptions_open(em_subscriptions *subscriptions, const em_rpc_message *message,
                              em_exchange *exchange)
{
    pthread_mutex_lock(&subscriptions->lock);
    json_t *problem = problem_of(subscriptions, message, exchange);
    subscription *one = problem ? NULL : calloc(1, sizeof *one);
    em_stream *stream = problem ? NULL : em_reply_stream(exchange);
    if (one && stream) {
        *one = (subscription){
            .next = subscriptions->first, .id = json_incref(message->id), .stream = stream};
        subscriptions->first = one;
        subscriptions->count++;
        send(one, acknowledgement(one));
    } else if (!problem) {
        free(one);
        em_stream_release(stream);
        em_reply_json(exchange, 500, NULL);
    }
    pthread_mutex_unlock(&subscriptions->lock);
    return problem;
}

/* ---- While they are open -------------------------------------------------------------------- */

void em_subscriptions_tick(em_subscriptions *subscriptions)
{
    pthread_mutex_lock(&subscriptions->lock);
    subscription **at = &subscriptions->first;
    while (*at) {
        subscription *one = *at;
        if (em_stream_is_open(one->stream)) {
            at = &one->next;
            continue;
        }
        *at = one->next;
        subscriptions->count--;
        subscription_free(one);
    }
    pthread_mutex_unlock(&subscriptions->lock);
}

void em_subscriptions_end(em_subscriptions *subscriptions)
{
    pthread_mutex_lock(&subscriptions->lock);
    while (subscriptions->first) {
        subscription *one = subscriptions->first;
        subscriptions->first = one->next;
        subscriptions->count--;
        send(one, final_answer(one));
        em_stream_end(one->stream);
        subscription_free(one);
    }
    pthread_mutex_unlock(&subscriptions->lock);
}

void em_subscriptions_free(em_subscriptions *subscriptions)
{
    if (!subscriptions)
        return;
    em_subscriptions_end(subscriptions);
    pthread_mutex_destroy(&subscriptions->lock);
    free(subscriptions);
}
