/* review.c: the life of the review, the table of its routes, and what they share. */
#include "review/review_impl.h"

#include "answers/reply.h"
#include "base/clock.h"
#include "base/random.h"
#include "base/thread.h"
#include "json/json_text.h"

#include <errno.h>
#include <stdlib.h>

/* ---- Life ----------------------------------------------------------------------------------- */

/* Some number that an earlier run hardly had. */
static uint32_t make_epoch(void)
{
    uint32_t epoch;
    return em_random(&epoch, sizeof epoch) ? epoch : (uint32_t)em_wall_ms();
}

em_review *em_review_new(const em_review_options *options)
{
    em_review *review = calloc(1, sizeof *review);
    if (!review)
        return NULL;
    pthread_mutex_init(&review->lock, NULL);
    pthread_mutex_init(&review->wake_lock, NULL);
    em_condition_init(&review->wake);
    review->session = options->session;
    review->approvals = options->approvals;
    review->read_only = options->read_only;
    review->no_history = options->no_history;
    review->epoch = make_epoch();
    review->log = em_call_log_new();
    review->feed = em_feed_new(review->epoch);
    bool named = em_session_set_client(review->session, "review page") == EM_OK;
    if (named && review->log && review->feed)
        return review;
    em_review_free(review);
    return NULL;
}

void em_review_free(em_review *review)
{
    if (!review)
        return;
    em_review_stop(review);
    em_feed_free(review->feed);
    em_call_log_free(review->log);
    pthread_cond_destroy(&review->wake);
    pthread_mutex_destroy(&review->wake_lock);
    pthread_mutex_destroy(&review->lock);
    free(review);
}

em_review *em_review_take(em_review *review)
{
    pthread_mutex_lock(&review->lock);
    return review;
}

void em_review_hold_drop(em_review_hold *hold)
{
    pthread_mutex_unlock(&(*hold)->lock);
}

/* ---- Requests and answers ------------------------------------------------------------------- */

void em_review_reply(em_exchange *exchange, em_json *json, json_t *object)
{
    em_reply_json(exchange, 200, em_json_done(json, object));
}

static int http_status(em_status status)
{
    switch (status) {
    case EM_E_NOT_FOUND:
        return 404;
    case EM_E_INVALID:
    case EM_E_CONFLICT:
    case EM_E_EXISTS:
    case EM_E_UNSETTLED:
        return 409;
    case EM_E_DENIED:
    case EM_E_OUTSIDE:
    case EM_E_PERMISSION:
        return 403;
    case EM_E_TIMEOUT:
        return 503;
    default:
        return 500;
    }
}

static const char *status_code(em_status status)
{
    switch (http_status(status)) {
    case 404:
        return "not_found";
    case 409:
        return "conflict";
    case 403:
        return "denied";
    case 503:
        return "busy";
    default:
        return "failed";
    }
}

void em_review_fail(em_exchange *exchange, em_status status, const em_error *err)
{
    const char *detail = err && err->detail[0] ? err->detail : "it could not be done";
    if (status == EM_E_NOMEM)
        em_reply_json(exchange, 500, NULL);
    else
        em_reply_error(exchange, http_status(status), status_code(status), "%s", detail);
}

static bool is_number(const char *text)
{
    return text[0] != '\0' && text[strspn(text, "0123456789")] == '\0';
}

static bool check_argument(em_exchange *exchange, const em_review_argument *arguments, size_t count,
                           size_t at)
{
    const char *name = exchange->query.items[at].name, *value = exchange->query.items[at].value;
    size_t known = 0;
    while (known < count && strcmp(arguments[known].name, name) != 0)
        known++;
    if (known == count) {
        em_reply_error(exchange, 400, "unknown_argument", "there is no argument \"%s\" here",
                       em_show_name(em_slice_of(name)).text);
    } else if (em_exchange_argument(exchange, name) != value) {
        em_reply_error(exchange, 400, "bad_argument", "\"%s\" is given twice", name);
    } else if (arguments[known].is_number && !is_number(value)) {
        em_reply_error(exchange, 400, "bad_argument", "\"%s\" must be a whole number", name);
    } else {
        return true;
    }
    return false;
}

bool em_review_query(em_exchange *exchange, const em_review_argument *arguments, size_t count)
{
    for (size_t i = 0; i < exchange->query.count; i++)
        if (!check_argument(exchange, arguments, count, i))
            return false;
    return true;
}

int64_t em_review_number(const em_exchange *exchange, const char *name, int64_t fallback,
                         int64_t most)
{
    const char *text = em_exchange_argument(exchange, name);
    if (!text)
        return fallback;
    int64_t number = strtoll(text, NULL, 10);
    return number < most ? number : most;
}

bool em_review_rest_number(const em_exchange *exchange, uint64_t *number)
{
    if (!is_number(exchange->rest))
        return false;
    errno = 0;
    *number = strtoull(exchange->rest, NULL, 10);
    return errno == 0;
}

static bool check_member(em_exchange *exchange, const char *name, const json_t *value,
                         const em_review_member *members, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bool is_flag = members[i].is_flag;
        if (strcmp(members[i].name, name) != 0)
            continue;
        bool is_text = json_is_string(value) || json_is_null(value);
        if (is_flag ? json_is_boolean(value) : is_text)
            return true;
        em_reply_error(exchange, 400, "bad_member", "\"%s\" must be %s", name,
                       is_flag ? "true or false" : "a string");
        return false;
    }
    em_reply_unknown_member(exchange, name);
    return false;
}

json_t *em_review_body(em_exchange *exchange, const em_review_member *members, size_t count)
{
    json_t *body = em_exchange_json(exchange), *value;
    const char *name;
    json_object_foreach(body, name, value)
    {
        if (check_member(exchange, name, value, members, count))
            continue;
        json_decref(body);
        return NULL;
    }
    return body;
}

bool em_review_flag(const json_t *body, const char *name)
{
    return json_is_true(json_object_get(body, name));
}

const char *em_review_string(const json_t *body, const char *name)
{
    em_slice text = em_json_slice(json_object_get(body, name));
    return text.ptr && !em_slice_has_byte(text, '\0') ? text.ptr : NULL;
}

/* ---- What happened -------------------------------------------------------------------------- */

static bool changed_history(const em_mcp_called *called)
{
    for (size_t i = 0; i < called->file_count; i++)
        if (called->files[i].committed && called->files[i].edit_id[0])
            return true;
    return false;
}

static void post_call(em_review *review, uint64_t number)
{
    EM_AUTO(em_arena) arena = {0};
    em_json json = {0};
    em_noted_call noted;
    if (em_call_log_get(review->log, number, &arena, &noted) == EM_OK)
        em_review_post(review, "call", &json, em_review_call(&json, &noted, false));
}

void em_review_called(void *context, const em_mcp_called *called)
{
    em_review *review = context;
    uint64_t number = em_call_log_note(review->log, called);
    if (!changed_history(called) && number > 0)
        post_call(review, number);
    else if (number > 0 && em_feed_watchers(review->feed) > 0)
        em_review_wake(review);
}

void em_review_heard(void *context, const em_waiting *waiting, const em_decision *decision)
{
    em_review *review = context;
    em_json json = {0};
    json_t *data = em_json_object(&json);
    review->waiting += decision ? -1 : 1;
    em_json_set_size(&json, data, "id", waiting->id);
    em_json_set_bool(&json, data, "waits", decision == NULL);
    em_review_post(review, "waiting", &json, data);
}

/* ---- /api/state ----------------------------------------------------------------------------- */

static json_t *causes_json(em_json *json, const em_call_totals *totals)
{
    json_t *list = em_json_array(json);
    for (size_t i = 0; i < totals->cause_count; i++) {
        json_t *object = em_json_object(json);
        em_json_set_string(json, object, "cause", totals->causes[i].cause);
        em_json_set_size(json, object, "count", totals->causes[i].count);
        em_json_add(json, list, object);
    }
    return list;
}

static json_t *totals_json(em_json *json, const em_call_totals *totals)
{
    json_t *object = em_json_object(json);
    uint64_t spared = totals->whole > totals->sent ? totals->whole - totals->sent : 0;
    em_json_set_time(json, object, totals->since_ms);
    em_json_set_size(json, object, "calls", totals->calls);
    em_json_set_size(json, object, "changes", totals->changes);
    em_json_set_size(json, object, "refused", totals->refused);
    em_json_set_size(json, object, "tolerant", totals->tolerant);
    em_json_set(json, object, "causes", causes_json(json, totals));
    em_json_set_size(json, object, "bytes_sent", totals->sent);
    em_json_set_size(json, object, "bytes_spared", spared);
    em_json_set_size(json, object, "tokens_spared", spared / 4);
    return object;
}

static json_t *roots_json(em_json *json, const em_workspace *ws)
{
    json_t *list = em_json_array(json);
    for (size_t i = 0; i < em_ws_root_count(ws); i++)
        em_json_add(json, list, em_json_text(json, em_slice_of(em_ws_root(ws, i))));
    return list;
}

static void tell_state(void *context, em_exchange *exchange)
{
    em_review *review = context;
    em_json json = {0};
    em_call_totals totals;
    char epoch[16];
    em_call_log_totals(review->log, &totals);
    snprintf(epoch, sizeof epoch, "%08x", review->epoch);
    json_t *object = em_json_object(&json);
    em_json_set_string(&json, object, "name", "emend");
    em_json_set_string(&json, object, "version", EMEND_VERSION);
    em_json_set_string(&json, object, "epoch", epoch);
    em_json_set(&json, object, "roots", roots_json(&json, em_session_workspace(review->session)));
    em_json_set_bool(&json, object, "read_only", review->read_only);
    em_json_set_bool(&json, object, "history", !review->no_history);
    em_json_set_bool(&json, object, "approve", review->approvals != NULL);
    em_json_set_size(&json, object, "waiting", (size_t)review->waiting);
    em_json_set(&json, object, "totals", totals_json(&json, &totals));
    em_review_reply(exchange, &json, object);
}

/* ---- Routes --------------------------------------------------------------------------------- */

static const em_route table[] = {
    {EM_HTTP_GET, "/api/state", EM_ROUTE_COOKIE, tell_state},
    {EM_HTTP_GET, "/api/events", EM_ROUTE_COOKIE | EM_ROUTE_STREAM, em_review_events},
    {EM_HTTP_GET, "/api/edits", EM_ROUTE_COOKIE, em_review_list_edits},
    {EM_HTTP_GET, "/api/edits/", EM_ROUTE_COOKIE | EM_ROUTE_BENEATH, em_review_at_edit},
    {EM_HTTP_POST, "/api/edits/", EM_ROUTE_COOKIE | EM_ROUTE_BENEATH, em_review_change_edit},
    {EM_HTTP_GET, "/api/calls", EM_ROUTE_COOKIE, em_review_list_calls},
    {EM_HTTP_GET, "/api/calls/", EM_ROUTE_COOKIE | EM_ROUTE_BENEATH, em_review_at_call},
    {EM_HTTP_GET, "/api/files", EM_ROUTE_COOKIE, em_review_files},
    {EM_HTTP_GET, "/api/activity", EM_ROUTE_COOKIE, em_review_activity},
    {EM_HTTP_GET, "/api/checkpoints", EM_ROUTE_COOKIE, em_review_list_marks},
    {EM_HTTP_POST, "/api/checkpoints", EM_ROUTE_COOKIE, em_review_add_mark},
    {EM_HTTP_POST, "/api/checkpoints/", EM_ROUTE_COOKIE | EM_ROUTE_BENEATH, em_review_rewind},
    {EM_HTTP_GET, "/api/approvals", EM_ROUTE_COOKIE, em_review_list_waiting},
    {EM_HTTP_GET, "/api/approvals/", EM_ROUTE_COOKIE | EM_ROUTE_BENEATH, em_review_at_waiting},
    {EM_HTTP_POST, "/api/approvals/", EM_ROUTE_COOKIE | EM_ROUTE_BENEATH, em_review_decide},
    {EM_HTTP_GET, "/api/passes", EM_ROUTE_COOKIE, em_review_list_passes},
    {EM_HTTP_POST, "/api/passes/drop", EM_ROUTE_COOKIE, em_review_drop_pass},
    {EM_HTTP_OTHER, NULL, 0, NULL},
};

em_routes em_review_routes(em_review *review)
{
    return (em_routes){table, review};
}
