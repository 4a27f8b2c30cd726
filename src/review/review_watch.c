/* review_watch.c: events, and the thread that looks for changes.
 *
 * The history is the one source of what was changed: a change that this process made and one of
 * another come out of it alike. While somebody watches, the thread looks for rows beyond the last
 * that it has told: at once when a call of ours changed something, else once a second.
 *
 *  (1) A row is told once when it is first seen; one that was unfinished then is looked at again
 *      until it is known how it ended, and told again, or told to be gone.
 *  (2) When more has been done than a list of a page holds, watchers are told to look anew.
 *  (3) While nobody watches nothing is looked at, and the newest row counts as told when somebody
 *      comes: a page reads the lists when it is told hello. Both happen with the session held, so
 *      nothing is done in between.
 */
#include "review/review_impl.h"

#include "base/clock.h"
#include "base/thread.h"
#include "json/json_text.h"

#include <errno.h>
#include <inttypes.h>
#include <time.h>

enum { LOOK_MS = 1000, LOOK_AGAIN_MS = 50 /* at least between two looks */ };

/* ---- Posting -------------------------------------------------------------------------------- */

static void post_reload(em_review *review)
{
    em_feed_post(review->feed, "reload", EM_LIT("{}"));
}

void em_review_post(em_review *review, const char *type, em_json *json, json_t *data)
{
    EM_AUTO(em_strbuf) text = {0};
    EM_AUTO(em_json_ref) object = em_json_done(json, data ? data : em_json_object(json));
    if (object)
        em_json_write(object, 0, &text);
    if (object && !text.failed)
        em_feed_post(review->feed, type, em_strbuf_slice(&text));
    else
        post_reload(review);
}

/* ---- Looking -------------------------------------------------------------------------------- */

/* The newest row there is, whether it may be told or not. */
static em_status find_newest(em_review *review, int64_t *newest)
{
    EM_AUTO(em_arena) arena = {0};
    em_past_filter filter = {.limit = 1, .all = true};
    em_rows rows;
    *newest = 0;
    EM_TRY(em_past_list(em_session_workspace(review->session), &filter, &arena, &rows, NULL));
    if (rows.count > 0)
        *newest = rows.items[0].id;
    return EM_OK;
}

static void keep_pending(em_review *review, const em_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++)
        if (em_past_is_pending(&rows->items[i]) && review->pending_count < EM_REVIEW_PENDING)
            review->pending[review->pending_count++] = rows->items[i].id;
}

static em_status post_rows(em_review *review, const em_rows *rows, em_arena *arena)
{
    em_json json = {0};
    json_t *data = em_json_object(&json), *list = em_json_array(&json);
    em_status status = em_review_items(review, rows, arena, &json, list, NULL);
    em_json_set(&json, data, "edits", list);
    if (status == EM_OK)
        em_review_post(review, "edits", &json, data);
    else
        json_decref(data);
    return status;
}

static em_status tell_rows(em_review *review, const em_rows *rows, em_arena *arena)
{
    if (rows->count == 0)
        return EM_OK;
    if (rows->count == EM_REVIEW_PAGE_MOST) {
        post_reload(review);
        return EM_OK;
    }
    em_row *oldest_first = em_alloc_array(arena, rows->count, sizeof *oldest_first);
    if (!oldest_first)
        return EM_E_NOMEM;
    memcpy(oldest_first, rows->items, rows->count * sizeof *oldest_first);
    em_rows_reverse(oldest_first, rows->count);
    return post_rows(review, &(em_rows){oldest_first, rows->count}, arena);
}

/* Rows that may not be told of count as seen, too: they are not read again at each look. */
static em_status tell_new(em_review *review)
{
    EM_AUTO(em_arena) arena = {0};
    em_past_filter filter = {.above = review->seen, .limit = EM_REVIEW_PAGE_MOST};
    em_rows rows;
    int64_t newest;
    EM_TRY(find_newest(review, &newest));
    if (newest <= review->seen)
        return EM_OK;
    EM_TRY(em_past_list(em_session_workspace(review->session), &filter, &arena, &rows, NULL));
    EM_TRY(tell_rows(review, &rows, &arena));
    keep_pending(review, &rows);
    bool is_newer = rows.count > 0 && rows.items[0].id > newest; /* made meanwhile */
    review->seen = is_newer ? rows.items[0].id : newest;
    return EM_OK;
}

static void post_gone(em_review *review, int64_t id)
{
    em_json json = {0};
    json_t *data = em_json_object(&json);
    em_json_set(&json, data, "number", json_integer(id));
    em_review_post(review, "gone", &json, data);
}

/* Whether it is known now what became of it. */
static bool settle_pending(em_review *review, int64_t id)
{
    EM_AUTO(em_arena) arena = {0};
    char name[24];
    em_row row;
    snprintf(name, sizeof name, "%" PRId64, id);
    em_status status =
        em_past_find(em_session_workspace(review->session), name, false, &arena, &row, NULL);
    if (status == EM_E_NOT_FOUND)
        post_gone(review, id);
    if (status != EM_OK)
        return status == EM_E_NOT_FOUND;
    return !em_past_is_pending(&row) && post_rows(review, &(em_rows){&row, 1}, &arena) == EM_OK;
}

static void tell_settled(em_review *review)
{
    for (size_t i = review->pending_count; i-- > 0;)
        if (settle_pending(review, review->pending[i]))
            review->pending[i] = review->pending[--review->pending_count];
}

/* Whether anybody watches. What cannot be read now is read at the next look. */
static bool look(em_review *review)
{
    EM_REVIEW_HOLD(review);
    if (em_feed_watchers(review->feed) == 0) {
        review->begun = false;
        return false;
    }
    tell_settled(review);
    tell_new(review);
    return true;
}

/* ---- The thread ----------------------------------------------------------------------------- */

/* Until it is due, or time to look; false: it is over. */
static bool wait_for_turn(em_review *review, bool watched)
{
    int64_t until = em_monotonic_ms() + LOOK_MS;
    bool waits = true;
    pthread_mutex_lock(&review->wake_lock);
    while (!review->due && !review->stopping && waits) {
        if (watched)
            waits = em_condition_wait_until(&review->wake, &review->wake_lock, until);
        else
            pthread_cond_wait(&review->wake, &review->wake_lock);
    }
    review->due = false;
    bool goes_on = !review->stopping;
    pthread_mutex_unlock(&review->wake_lock);
    return goes_on;
}

/* Many changes in a row are told together. */
static void rest(void)
{
    struct timespec pause = {.tv_nsec = LOOK_AGAIN_MS * 1000000L};
    nanosleep(&pause, NULL);
}

static void *run(void *context)
{
    em_review *review = context;
    bool watched = false;
    while (wait_for_turn(review, watched)) {
        watched = look(review);
        rest();
    }
    return NULL;
}

void em_review_wake(em_review *review)
{
    pthread_mutex_lock(&review->wake_lock);
    review->due = true;
    pthread_cond_signal(&review->wake);
    pthread_mutex_unlock(&review->wake_lock);
}

em_status em_review_start(em_review *review)
{
    review->has_thread = em_thread_start(&review->thread, run, review, 0);
    return review->has_thread ? EM_OK : em_status_of_errno(errno);
}

void em_review_stop(em_review *review)
{
    if (review->feed)
        em_feed_close(review->feed);
    if (!review->has_thread)
        return;
    pthread_mutex_lock(&review->wake_lock);
    review->stopping = true;
    pthread_cond_signal(&review->wake);
    pthread_mutex_unlock(&review->wake_lock);
    pthread_join(review->thread, NULL);
    review->has_thread = false;
}

/* ---- /api/events ---------------------------------------------------------------------------- */

/* Where nobody watched so far, changes from here on are told; who comes back has missed some. */
static em_status begin(em_review *review, const char **last_id)
{
    if (review->begun)
        return EM_OK;
    *last_id = NULL;
    review->pending_count = 0;
    EM_TRY(find_newest(review, &review->seen));
    review->begun = true;
    return EM_OK;
}

void em_review_events(void *context, em_exchange *exchange)
{
    em_review *review = context;
    em_stream *stream = em_stream_new();
    const char *last_id = em_exchange_field(exchange, "Last-Event-ID");
    {
        EM_REVIEW_HOLD(review);
        em_status status = stream ? begin(review, &last_id) : EM_E_NOMEM;
        if (status != EM_OK)
            em_review_fail(exchange, status, NULL);
        else if (em_exchange_may_stay(exchange) && em_feed_watch(review->feed, stream, last_id))
            em_reply_with_stream(exchange, stream);
        else
            em_reply_error(exchange, 503, "busy", "too many watch already");
    }
    em_stream_release(stream);
    em_review_wake(review);
}
