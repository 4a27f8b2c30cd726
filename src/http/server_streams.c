/* server_streams.c: streams of events on their way out, and a look at them from time to time. */
#include "http/server_impl.h"

#include <stdlib.h>

enum { STREAM_BLOCK = 16 << 10 };

/* A stream of events on its way out. */
typedef struct em_flow {
    struct em_flow *next, *before;
    struct em_server *server;
    struct MHD_Connection *connection;
    em_stream *stream;      /* a reference */
    em_connection *watched; /* there, as is its descriptor, as long as the flow is in the list */
} em_flow;

/* ---- Streams -------------------------------------------------------------------------------- */

static void wake_flow(void *context)
{
    MHD_resume_connection(((em_flow *)context)->connection);
}

static void rest_flow(void *context)
{
    MHD_suspend_connection(((em_flow *)context)->connection);
}

static ssize_t read_flow(void *context, uint64_t position, char *out, size_t room)
{
    em_flow *f = context;
    (void)position;
    long length = em_stream_take(f->stream, out, room, rest_flow, f);
    if (length > 0) {
        em_connection_steps(f->server->connections, f->watched);
        em_metrics_streamed(f->server->options.metrics, (uint64_t)length);
    }
    return length == EM_STREAM_OVER ? MHD_CONTENT_READER_END_OF_STREAM : (ssize_t)length;
}

static void free_flow(void *context)
{
    em_flow *f = context;
    em_server *server = f->server;
    pthread_mutex_lock(&server->lock);
    if (f->before)
        f->before->next = f->next;
    else
        server->flows = f->next;
    if (f->next)
        f->next->before = f->before;
    server->flow_count--;
    pthread_mutex_unlock(&server->lock);
    em_stream_detach(f->stream);
    em_stream_release(f->stream);
    free(f);
}

struct MHD_Response *em_turn_stream_response(em_turn *t)
{
    em_server *server = t->server;
    em_flow *f = calloc(1, sizeof *f);
    if (!f)
        return NULL;
    *f = (em_flow){.server = server,
                   .connection = t->connection,
                   .stream = em_stream_keep(t->exchange->reply.stream),
                   .watched = t->watched};
    pthread_mutex_lock(&server->lock);
    f->next = server->flows;
    if (f->next)
        f->next->before = f;
    server->flows = f;
    server->flow_count++;
    pthread_mutex_unlock(&server->lock);
    em_stream_attach(f->stream, wake_flow, f);
    struct MHD_Response *response =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, STREAM_BLOCK, read_flow, f, free_flow);
    if (!response)
        free_flow(f);
    return response;
}

/* ---- From time to time ---------------------------------------------------------------------- */

/* The streams that are open, with a reference to each, and whether their clients have gone; the
 * caller's. NULL when there are none, or memory ran out. */
typedef struct seen {
    em_stream *stream;
    bool gone, unsure; /* the second: it sends no more, and may have gone */
} seen;

static seen *see_flows(em_server *server, size_t *count)
{
    pthread_mutex_lock(&server->lock);
    *count = 0;
    seen *streams = server->flow_count > 0 ? calloc(server->flow_count, sizeof *streams) : NULL;
    for (em_flow *f = streams ? server->flows : NULL; f; f = f->next) {
        if (!em_stream_is_open(f->stream))
            em_connection_ends(server->connections, f->watched);
        streams[(*count)++] =
            (seen){em_stream_keep(f->stream), em_socket_has_gone(f->watched->fd, 0),
                   em_socket_sends_no_more(f->watched->fd)};
    }
    pthread_mutex_unlock(&server->lock);
    return streams;
}

void em_server_visit_streams(em_server *server, bool comment, bool leave)
{
    size_t count;
    seen *streams = see_flows(server, &count);
    for (size_t i = 0; i < count; i++) {
        if (streams[i].gone || leave)
            em_stream_leave(streams[i].stream);
        else if (comment || streams[i].unsure)
            em_stream_comment(streams[i].stream);
        em_stream_release(streams[i].stream);
    }
    free(streams);
}

size_t em_server_streams(em_server *server)
{
    pthread_mutex_lock(&server->lock);
    size_t count = server->flow_count;
    pthread_mutex_unlock(&server->lock);
    return count;
}
