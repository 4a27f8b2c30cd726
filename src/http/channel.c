/* channel.c: one list of kept events, oldest first, over all lanes, and the lanes with who reads
 * each. A lane that is closed stays until the last of its events is forgotten. */
#include "http/channel.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* What is kept for those who come back, and how soon they are to come. */
enum { KEPT_BYTES = 1 << 20, KEPT_EVENTS = 1000, RETRY_MS = 1000 };

typedef struct kept {
    struct kept *next;
    uint64_t lane, number;
    size_t length;
    char data[];
} kept;

typedef struct lane {
    struct lane *next;
    uint64_t number;   /* of the lane */
    uint64_t sent;     /* events in it so far */
    size_t kept;       /* of these */
    em_stream *stream; /* a reference; NULL: nobody reads */
    bool closed;
} lane;

struct em_channel {
    pthread_mutex_t lock;
    lane *lanes; /* those that are open, or of which something is kept; and lane 0 */
    lane alone;
    uint64_t opened; /* lanes so far, without 0 */
    kept *first, *last;
    size_t bytes, events;
};

em_channel *em_channel_new(void)
{
    em_channel *channel = calloc(1, sizeof *channel);
    if (!channel)
        return NULL;
    pthread_mutex_init(&channel->lock, NULL);
    channel->lanes = &channel->alone;
    return channel;
}

/* ---- Lanes ---------------------------------------------------------------------------------- */

static lane *find_lane(em_channel *channel, uint64_t number)
{
    lane *one = channel->lanes;
    while (one && one->number != number)
        one = one->next;
    return one;
}

static void drop_stream(lane *one)
{
    if (!one->stream)
        return;
    em_stream_end(one->stream);
    em_stream_release(one->stream);
    one->stream = NULL;
}

static void set_stream(lane *one, em_stream *stream)
{
    drop_stream(one);
    one->stream = em_stream_keep(stream);
}

/* Forget lanes that are closed and of which nothing is kept any more. Lane 0 lives as long as the
 * channel, of which it is a part. */
static void forget_lanes(em_channel *channel)
{
    lane **at = &channel->lanes;
    while (*at) {
        lane *one = *at;
        if (one != &channel->alone && one->closed && one->kept == 0) {
            *at = one->next;
            free(one);
        } else {
            at = &one->next;
        }
    }
}

/* ---- Events --------------------------------------------------------------------------------- */

static void put_event(lane *one, uint64_t number, em_slice data)
{
    char id[48];
    snprintf(id, sizeof id, "%" PRIu64 "-%" PRIu64, one->number, number);
    if (one->stream && !em_stream_event(one->stream, id, NULL, data)) {
        em_stream_release(one->stream);
        one->stream = NULL;
    }
}

static void forget_oldest(em_channel *channel)
{
    kept *oldest = channel->first;
    channel->first = oldest->next;
    if (!channel->first)
        channel->last = NULL;
    channel->bytes -= oldest->length;
    channel->events--;
    find_lane(channel, oldest->lane)->kept--;
    free(oldest);
}

static bool keep(em_channel *channel, lane *one, em_slice data)
{
    kept *event = malloc(sizeof *event + data.len);
    if (!event)
        return false;
    *event = (kept){.lane = one->number, .number = one->sent, .length = data.len};
    memcpy(event->data, data.ptr, data.len);
    if (channel->last)
        channel->last->next = event;
    else
        channel->first = event;
    channel->last = event;
    channel->bytes += data.len;
    channel->events++;
    one->kept++;
    bool full = false;
    while (channel->first != event &&
           (channel->bytes > KEPT_BYTES || channel->events > KEPT_EVENTS)) {
        forget_oldest(channel);
        full = true;
    }
    if (full)
        forget_lanes(channel);
    return true;
}

void em_channel_send(em_channel *channel, uint64_t number, em_slice data)
{
    pthread_mutex_lock(&channel->lock);
    lane *one = find_lane(channel, number);
    if (one && !one->closed) {
        one->sent++;
        put_event(one, one->sent, data);
        if (!keep(channel, one, data))
            drop_stream(one);
    }
    pthread_mutex_unlock(&channel->lock);
}

/* ---- Who reads ------------------------------------------------------------------------------ */

static void prime(lane *one, bool primed)
{
    if (!primed)
        return;
    if (one->stream)
        em_stream_retry(one->stream, RETRY_MS);
    put_event(one, one->sent, (em_slice){0});
}

uint64_t em_channel_open(em_channel *channel, em_stream *stream, bool primed)
{
    lane *one = calloc(1, sizeof *one);
    if (!one)
        return 0;
    pthread_mutex_lock(&channel->lock);
    uint64_t number = one->number = ++channel->opened;
    one->next = channel->alone.next;
    channel->alone.next = one;
    set_stream(one, stream);
    prime(one, primed);
    pthread_mutex_unlock(&channel->lock);
    return number;
}

void em_channel_listen(em_channel *channel, em_stream *stream, bool primed)
{
    pthread_mutex_lock(&channel->lock);
    set_stream(&channel->alone, stream);
    prime(&channel->alone, primed);
    pthread_mutex_unlock(&channel->lock);
}

static bool parse_id(const char *id, uint64_t *lane_number, uint64_t *number)
{
    char *end;
    if (id[0] < '0' || id[0] > '9')
        return false;
    *lane_number = strtoull(id, &end, 10);
    if (*end != '-' || end[1] < '0' || end[1] > '9')
        return false;
    *number = strtoull(end + 1, &end, 10);
    return *end == '\0';
}

static void replay(em_channel *channel, lane *one, uint64_t behind)
{
    for (kept *event = channel->first; event; event = event->next)
        if (event->lane == one->number && event->number > behind)
            put_event(one, event->number, em_slice_make(event->data, event->length));
}

em_status em_channel_resume(em_channel *channel, const char *last_id, em_stream *stream)
{
    uint64_t number, behind;
    if (!parse_id(last_id, &number, &behind))
        return EM_E_NOT_FOUND;
    pthread_mutex_lock(&channel->lock);
    lane *one = find_lane(channel, number);
    bool found = one && behind <= one->sent;
    if (found) {
        set_stream(one, stream);
        replay(channel, one, behind);
        if (one->closed)
            drop_stream(one);
    }
    pthread_mutex_unlock(&channel->lock);
    return found ? EM_OK : EM_E_NOT_FOUND;
}

void em_channel_close(em_channel *channel, uint64_t number)
{
    pthread_mutex_lock(&channel->lock);
    lane *one = find_lane(channel, number);
    if (one && one != &channel->alone) {
        one->closed = true;
        drop_stream(one);
        forget_lanes(channel);
    }
    pthread_mutex_unlock(&channel->lock);
}

bool em_channel_is_read(em_channel *channel)
{
    bool is_read = false;
    pthread_mutex_lock(&channel->lock);
    for (lane *one = channel->lanes; one && !is_read; one = one->next)
        is_read = one->stream && em_stream_is_open(one->stream);
    pthread_mutex_unlock(&channel->lock);
    return is_read;
}

void em_channel_deafen(em_channel *channel)
{
    pthread_mutex_lock(&channel->lock);
    drop_stream(&channel->alone);
    pthread_mutex_unlock(&channel->lock);
}

void em_channel_shut(em_channel *channel)
{
    pthread_mutex_lock(&channel->lock);
    for (lane *one = channel->lanes; one; one = one->next) {
        one->closed = true;
        drop_stream(one);
    }
    pthread_mutex_unlock(&channel->lock);
}

void em_channel_free(em_channel *channel)
{
    if (!channel)
        return;
    em_channel_shut(channel);
    while (channel->first)
        forget_oldest(channel);
    for (lane *one = channel->alone.next; one;) {
        lane *next = one->next;
        free(one);
        one = next;
    }
    pthread_mutex_destroy(&channel->lock);
    free(channel);
}
