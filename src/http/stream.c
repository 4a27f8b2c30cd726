/* stream.c: what waits for one client, under a lock of its own.
 *
 * Any thread sends, asks and ends: workers, the one that looks for changes, the one that ticks.
 * em_stream_attach(), em_stream_take() and em_stream_detach() are for the thread that hears
 * connections. Whoever calls may hold a lock (the list of streams, the feed's), so this one is the
 * innermost: with it only `wake` and `rest` are called, which have the library resume and suspend
 * the connection. They are called with it so that what is sent between "it is empty" and "it
 * sleeps" wakes the connection all the same.
 */
#include "http/stream.h"

#include "base/strbuf.h"

#include <pthread.h>
#include <stdlib.h>

/* So much may wait for a client that does not read. */
enum { KEPT_MOST = 4 << 20 };

struct em_stream {
    pthread_mutex_t lock;
    size_t references;
    em_strbuf kept;
    size_t taken; /* of `kept`: has gone out */
    bool ended, gone;
    bool resting; /* the server waits to be woken */
    void (*wake)(void *context);
    void *wake_context;
};

em_stream *em_stream_new(void)
{
    em_stream *stream = calloc(1, sizeof *stream);
    if (!stream)
        return NULL;
    pthread_mutex_init(&stream->lock, NULL);
    stream->references = 1;
    return stream;
}

em_stream *em_stream_keep(em_stream *stream)
{
    pthread_mutex_lock(&stream->lock);
    stream->references++;
    pthread_mutex_unlock(&stream->lock);
    return stream;
}

void em_stream_release(em_stream *stream)
{
    if (!stream)
        return;
    pthread_mutex_lock(&stream->lock);
    bool last = --stream->references == 0;
    pthread_mutex_unlock(&stream->lock);
    if (!last)
        return;
    pthread_mutex_destroy(&stream->lock);
    em_strbuf_drop(&stream->kept);
    free(stream);
}

/* ---- Sending -------------------------------------------------------------------------------- */

static void wake(em_stream *stream)
{
    if (stream->resting && stream->wake)
        stream->wake(stream->wake_context);
    stream->resting = false;
}

static void leave(em_stream *stream)
{
    stream->gone = true;
    em_strbuf_drop(&stream->kept);
    stream->taken = 0;
}

static void put_field(em_strbuf *out, const char *name, em_slice value)
{
    em_strbuf_puts(out, name);
    em_strbuf_puts(out, ": ");
    em_strbuf_add(out, value);
    em_strbuf_putc(out, '\n');
}

/* Each line of the data has a field of its own. A CR would end a line, too. */
static void put_data(em_strbuf *out, em_slice data)
{
    size_t start = 0;
    for (size_t i = 0; i < data.len; i++) {
        if (data.ptr[i] != '\n' && data.ptr[i] != '\r')
            continue;
        put_field(out, "data", em_slice_sub(data, start, i));
        if (data.ptr[i] == '\r' && i + 1 < data.len && data.ptr[i + 1] == '\n')
            i++;
        start = i + 1;
    }
    put_field(out, "data", em_slice_from(data, start));
}

static bool takes(const em_stream *stream)
{
    return !stream->ended && !stream->gone;
}

/* May something be put? Where too much waits already, nobody could know what was left out, so the
 * stream breaks off. (How long one event is does not matter.) */
static bool begin_to_send(em_stream *stream)
{
    pthread_mutex_lock(&stream->lock);
    if (takes(stream) && stream->kept.len - stream->taken > KEPT_MOST) {
        leave(stream);
        wake(stream);
    }
    return takes(stream);
}

/* After something was put, if it could be; whether it was. */
static bool end_sending(em_stream *stream, bool put)
{
    if (put && stream->kept.failed)
        leave(stream);
    if (put)
        wake(stream);
    put = put && !stream->gone;
    pthread_mutex_unlock(&stream->lock);
    return put;
}

bool em_stream_event(em_stream *stream, const char *id, const char *event, em_slice data)
{
    bool reads = begin_to_send(stream);
    if (reads && id)
        put_field(&stream->kept, "id", em_slice_of(id));
    if (reads && event)
        put_field(&stream->kept, "event", em_slice_of(event));
    if (reads) {
        put_data(&stream->kept, data);
        em_strbuf_putc(&stream->kept, '\n');
    }
    return end_sending(stream, reads);
}

bool em_stream_comment(em_stream *stream)
{
    bool reads = begin_to_send(stream);
    if (reads)
        em_strbuf_puts(&stream->kept, ":\n\n");
    return end_sending(stream, reads);
}

bool em_stream_retry(em_stream *stream, unsigned ms)
{
    bool reads = begin_to_send(stream);
    if (reads)
        em_strbuf_printf(&stream->kept, "retry: %u\n\n", ms);
    return end_sending(stream, reads);
}

bool em_stream_is_open(em_stream *stream)
{
    pthread_mutex_lock(&stream->lock);
    bool open = takes(stream);
    pthread_mutex_unlock(&stream->lock);
    return open;
}

void em_stream_end(em_stream *stream)
{
    pthread_mutex_lock(&stream->lock);
    stream->ended = true;
    wake(stream);
    pthread_mutex_unlock(&stream->lock);
}

/* ---- Taking --------------------------------------------------------------------------------- */

void em_stream_attach(em_stream *stream, void (*wake_up)(void *context), void *context)
{
    pthread_mutex_lock(&stream->lock);
    stream->wake = wake_up;
    stream->wake_context = context;
    pthread_mutex_unlock(&stream->lock);
}

static long take(em_stream *stream, char *out, size_t room)
{
    size_t waiting = stream->kept.len - stream->taken;
    size_t length = waiting < room ? waiting : room;
    memcpy(out, stream->kept.ptr + stream->taken, length);
    stream->taken += length;
    if (stream->taken == stream->kept.len) {
        stream->kept.len = stream->taken = 0;
    } else if (stream->taken > stream->kept.len / 2) {
        stream->kept.len -= stream->taken;
        memmove(stream->kept.ptr, stream->kept.ptr + stream->taken, stream->kept.len);
        stream->taken = 0;
    }
    return (long)length;
}

long em_stream_take(em_stream *stream, char *out, size_t room, void (*rest)(void *context),
                    void *context)
{
    long length = EM_STREAM_EMPTY;
    pthread_mutex_lock(&stream->lock);
    if (stream->kept.len > stream->taken) {
        length = take(stream, out, room);
    } else if (stream->ended || stream->gone) {
        length = EM_STREAM_OVER;
    } else {
        stream->resting = true;
        rest(context);
    }
    pthread_mutex_unlock(&stream->lock);
    return length;
}

void em_stream_leave(em_stream *stream)
{
    pthread_mutex_lock(&stream->lock);
    leave(stream);
    wake(stream);
    pthread_mutex_unlock(&stream->lock);
}

void em_stream_detach(em_stream *stream)
{
    pthread_mutex_lock(&stream->lock);
    stream->wake = NULL;
    leave(stream);
    pthread_mutex_unlock(&stream->lock);
}
