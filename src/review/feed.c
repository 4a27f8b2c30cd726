#include "review/feed.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { ID_SIZE = 40 };

typedef struct event {
    const char *type;
    char *data; /* owned */
    size_t length;
} event;

struct em_feed {
    pthread_mutex_t lock;
    uint32_t epoch;
    bool closed;
    event kept[EM_FEED_EVENTS]; /* event number n is at n % EM_FEED_EVENTS */
    uint64_t first, next;       /* numbers of the oldest that is kept, and of the one to come */
    size_t bytes;
    em_stream *watchers[EM_FEED_WATCHERS_MOST];
    size_t watcher_count;
};

em_feed *em_feed_new(uint32_t epoch)
{
    em_feed *feed = calloc(1, sizeof *feed);
    if (!feed)
        return NULL;
    pthread_mutex_init(&feed->lock, NULL);
    feed->epoch = epoch;
    feed->first = feed->next = 1;
    return feed;
}

/* ---- What is kept --------------------------------------------------------------------------- */

static event *event_at(em_feed *feed, uint64_t number)
{
    return &feed->kept[number % EM_FEED_EVENTS];
}

static void forget_oldest(em_feed *feed)
{
    event *oldest = event_at(feed, feed->first++);
    feed->bytes -= oldest->length;
    free(oldest->data);
    *oldest = (event){0};
}

static void forget_all(em_feed *feed)
{
    while (feed->first < feed->next)
        forget_oldest(feed);
}

/* Keep it as the next event; false when memory ran out. */
static bool keep(em_feed *feed, const char *type, em_slice data)
{
    char *copy = malloc(data.len > 0 ? data.len : 1);
    if (!copy)
        return false;
    if (data.len > 0)
        memcpy(copy, data.ptr, data.len);
    while (feed->first < feed->next &&
           (feed->next - feed->first == EM_FEED_EVENTS || feed->bytes + data.len > EM_FEED_BYTES))
        forget_oldest(feed);
    *event_at(feed, feed->next++) = (event){type, copy, data.len};
    feed->bytes += data.len;
    return true;
}

void em_feed_free(em_feed *feed)
{
    if (!feed)
        return;
    em_feed_close(feed);
    forget_all(feed);
    pthread_mutex_destroy(&feed->lock);
    free(feed);
}

/* ---- Sending -------------------------------------------------------------------------------- */

static bool send_event(em_feed *feed, em_stream *stream, uint64_t number)
{
    const event *sent = event_at(feed, number);
    char id[ID_SIZE];
    snprintf(id, sizeof id, "%08" PRIx32 "-%" PRIu64, feed->epoch, number);
    return em_stream_event(stream, id, sent->type, em_slice_make(sent->data, sent->length));
}

/* The id makes a client that comes back with it start behind the event before `number`. */
static bool send_hello(em_feed *feed, em_stream *stream, uint64_t number, bool resumed)
{
    char id[ID_SIZE], data[96];
    snprintf(id, sizeof id, "%08" PRIx32 "-%" PRIu64, feed->epoch, number - 1);
    int length = snprintf(data, sizeof data, "{\"epoch\":\"%08" PRIx32 "\",\"resumed\":%s}",
                          feed->epoch, resumed ? "true" : "false");
    return em_stream_event(stream, id, "hello", em_slice_make(data, (size_t)length));
}

static void drop_watcher(em_feed *feed, size_t index)
{
    em_stream_release(feed->watchers[index]);
    feed->watchers[index] = feed->watchers[--feed->watcher_count];
}

static void drop_gone(em_feed *feed)
{
    for (size_t i = feed->watcher_count; i-- > 0;)
        if (!em_stream_is_open(feed->watchers[i]))
            drop_watcher(feed, i);
}

/* The next event takes a number, but nobody can have it: who comes back is told to look anew. */
static void lose(em_feed *feed)
{
    forget_all(feed);
    feed->first = ++feed->next;
}

void em_feed_post(em_feed *feed, const char *type, em_slice data)
{
    pthread_mutex_lock(&feed->lock);
    bool kept = !feed->closed && keep(feed, type, data);
    if (!kept && !feed->closed)
        lose(feed);
    for (size_t i = feed->watcher_count; i-- > 0;) {
        bool reads = kept ? send_event(feed, feed->watchers[i], feed->next - 1)
                          : send_hello(feed, feed->watchers[i], feed->next, false);
        if (!reads)
            drop_watcher(feed, i);
    }
    pthread_mutex_unlock(&feed->lock);
}

/* ---- Watching ------------------------------------------------------------------------------- */

/* "0000abcd-17". Returns whether it is an id. */
static bool read_id(const char *id, uint32_t *epoch, uint64_t *number)
{
    char *end;
    size_t digits = strspn(id, "0123456789abcdef");
    *epoch = (uint32_t)strtoul(id, &end, 16);
    if (digits == 0 || digits > 8 || *end != '-' || end[1] < '0' || end[1] > '9')
        return false;
    *number = strtoull(end + 1, &end, 10);
    return *end == '\0';
}

/* The number after that of an id, if all from there on is kept; else 0. */
static uint64_t number_after(const em_feed *feed, const char *last_id)
{
    uint32_t epoch;
    uint64_t number;
    if (!last_id || !read_id(last_id, &epoch, &number) || epoch != feed->epoch)
        return 0;
    return number < feed->next && number + 1 >= feed->first ? number + 1 : 0;
}

bool em_feed_watch(em_feed *feed, em_stream *stream, const char *last_id)
{
    bool taken = true;
    pthread_mutex_lock(&feed->lock);
    drop_gone(feed);
    if (feed->closed) {
        em_stream_end(stream);
    } else if (feed->watcher_count == EM_FEED_WATCHERS_MOST) {
        taken = false;
    } else {
        uint64_t from = number_after(feed, last_id);
        feed->watchers[feed->watcher_count++] = em_stream_keep(stream);
        send_hello(feed, stream, from > 0 ? from : feed->next, from > 0);
        for (uint64_t number = from; from > 0 && number < feed->next; number++)
            send_event(feed, stream, number);
    }
    pthread_mutex_unlock(&feed->lock);
    return taken;
}

size_t em_feed_watchers(em_feed *feed)
{
    pthread_mutex_lock(&feed->lock);
    drop_gone(feed);
    size_t count = feed->watcher_count;
    pthread_mutex_unlock(&feed->lock);
    return count;
}

void em_feed_close(em_feed *feed)
{
    pthread_mutex_lock(&feed->lock);
    feed->closed = true;
    while (feed->watcher_count > 0) {
        em_stream_end(feed->watchers[0]);
        drop_watcher(feed, 0);
    }
    pthread_mutex_unlock(&feed->lock);
}
