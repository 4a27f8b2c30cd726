/* review_views.c: sums over the history, and the calls of this run of the server. */
#include "review/review_impl.h"

#include "past/tally.h"
#include "workspace/recorded.h"

enum { FILES = 500, FILES_MOST = 2000 };

/* ---- /api/files ----------------------------------------------------------------------------- */

static json_t *tally_json(em_review *review, em_json *json, const em_file_tally *tally,
                          em_arena *arena)
{
    em_row row = {.root = tally->root, .path = tally->path, .kind = tally->last_kind};
    const char *path = em_row_path(&row, arena);
    json_t *object = em_json_object(json);
    json->failed = json->failed || !path;
    em_review_set_place(review, json, object, path ? path : "");
    em_json_set_size(json, object, "changes", tally->changes);
    em_json_set_time(json, object, tally->last_ms);
    em_json_set_bool(json, object, "removed", tally->last_kind == EM_ROW_REMOVE);
    em_json_set_size(json, object, "size", tally->size);
    return object;
}

void em_review_files(void *context, em_exchange *exchange)
{
    static const em_review_argument arguments[] = {{"limit", true}};
    em_review *review = context;
    if (!em_review_query(exchange, arguments, 1))
        return;
    em_error err = EM_ERROR_INIT;
    em_file_tallies tallies;
    size_t most = (size_t)em_review_number(exchange, "limit", FILES, FILES_MOST);
    EM_REVIEW_HOLD(review);
    em_status status = em_past_tally_files(em_session_workspace(review->session), most,
                                           &exchange->arena, &tallies, &err);
    if (status != EM_OK) {
        em_review_fail(exchange, status, &err);
        return;
    }
    em_json json = {0};
    json_t *object = em_json_object(&json), *list = em_json_array(&json);
    for (size_t i = 0; i < tallies.count; i++)
        em_json_add(&json, list, tally_json(review, &json, &tallies.items[i], &exchange->arena));
    em_json_set(&json, object, "files", list);
    em_json_set_size(&json, object, "file_count", tallies.files);
    em_json_set_size(&json, object, "change_count", tallies.changes);
    em_review_reply(exchange, &json, object);
}

/* ---- /api/activity -------------------------------------------------------------------------- */

enum { SPANS = 96, HOUR_MS = 3600 * 1000, HOURS_MOST = 24 * 90 };

static json_t *spans_json(em_json *json, const uint64_t *spans)
{
    json_t *list = em_json_array(json);
    for (size_t i = 0; i < SPANS; i++)
        em_json_add(json, list, json_integer((json_int_t)spans[i]));
    return list;
}

void em_review_activity(void *context, em_exchange *exchange)
{
    static const em_review_argument arguments[] = {{"hours", true}};
    em_review *review = context;
    if (!em_review_query(exchange, arguments, 1))
        return;
    em_error err = EM_ERROR_INIT;
    uint64_t changes[SPANS] = {0}, refused[SPANS] = {0};
    int64_t hours = em_review_number(exchange, "hours", 24, HOURS_MOST), now;
    int64_t span = (hours > 0 ? hours : 1) * HOUR_MS / SPANS;
    EM_REVIEW_HOLD(review);
    em_workspace *ws = em_session_workspace(review->session);
    em_status status = em_ws_now(ws, &now, &err);
    int64_t since = status == EM_OK ? (now / span + 1 - SPANS) * span : 0;
    if (status == EM_OK)
        status = em_past_tally_time(ws, since, span, changes, SPANS, &err);
    if (status != EM_OK) {
        em_review_fail(exchange, status, &err);
        return;
    }
    em_call_log_tally(review->log, since, span, refused, SPANS);
    em_json json = {0};
    json_t *object = em_json_object(&json);
    em_json_set(&json, object, "since_ms", json_integer(since));
    em_json_set(&json, object, "span_ms", json_integer(span));
    em_json_set(&json, object, "changes", spans_json(&json, changes));
    em_json_set(&json, object, "refused", spans_json(&json, refused));
    em_review_reply(exchange, &json, object);
}

/* ---- /api/calls ----------------------------------------------------------------------------- */

/* Calls that the history does not have: those that were refused, and where there is no history all
 * that changed something. */
void em_review_list_calls(void *context, em_exchange *exchange)
{
    static const em_review_argument arguments[] = {{"before", true}, {"limit", true}};
    em_review *review = context;
    if (!em_review_query(exchange, arguments, 2))
        return;
    em_noted_calls calls;
    em_call_query query = {
        .below = (uint64_t)em_review_number(exchange, "before", 0, INT64_MAX),
        .most = (size_t)em_review_number(exchange, "limit", EM_REVIEW_PAGE, EM_REVIEW_PAGE_MOST),
        .which = review->no_history ? EM_CALLS_ALL : EM_CALLS_REFUSED};
    if (em_call_log_list(review->log, &query, &exchange->arena, &calls) != EM_OK) {
        em_review_fail(exchange, EM_E_NOMEM, NULL);
        return;
    }
    em_json json = {0};
    json_t *object = em_json_object(&json), *list = em_json_array(&json);
    for (size_t i = 0; i < calls.count; i++)
        em_json_add(&json, list, em_review_call(&json, &calls.items[i], false));
    em_json_set(&json, object, "calls", list);
    em_json_set_bool(&json, object, "more", calls.more);
    em_review_reply(exchange, &json, object);
}

void em_review_at_call(void *context, em_exchange *exchange)
{
    em_review *review = context;
    em_json json = {0};
    em_error err = EM_ERROR_INIT;
    em_noted_call noted;
    uint64_t number;
    em_status status = EM_E_NOT_FOUND;
    if (em_review_rest_number(exchange, &number))
        status = em_call_log_get(review->log, number, &exchange->arena, &noted);
    if (status == EM_OK)
        em_review_reply(exchange, &json, em_review_call(&json, &noted, true));
    else
        em_review_fail(exchange, em_fail(&err, status, "this call is not remembered (any more)"),
                       &err);
}
