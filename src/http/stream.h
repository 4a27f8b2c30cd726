/* stream.h: server-sent events on their way to one client.
 *
 * One side sends, from any thread, and never waits: what the client has not read yet is kept, up to
 * a limit. A client that lets more pile up loses the stream and may come back for the rest, where
 * what it reads can be resumed. The other side is the server, which takes bytes when the connection
 * has room.
 *
 *   open -> ended   em_stream_end(): what is kept is still sent
 *        -> gone    em_stream_leave(): nobody reads any more; what is sent is lost
 *
 * A stream is shared by reference count.
 */
#ifndef EM_HTTP_STREAM_H
#define EM_HTTP_STREAM_H

#include "base/slice.h"

typedef struct em_stream em_stream;

/* One reference, the caller's. NULL when memory ran out. */
em_stream *em_stream_new(void);
em_stream *em_stream_keep(em_stream *stream);
void em_stream_release(em_stream *stream); /* may be NULL */

/* ---- Sending -------------------------------------------------------------------------------- */

/* An event: `id` and `event` (its type) may be NULL, `data` may have several lines. False when
 * nobody reads any more: the sender may drop the stream. */
bool em_stream_event(em_stream *stream, const char *id, const char *event, em_slice data);

/* A line that means nothing, for whoever stands between. The server sends these by itself. */
bool em_stream_comment(em_stream *stream);

/* How long the client is to wait before it comes again, should the connection break. */
bool em_stream_retry(em_stream *stream, unsigned ms);

/* Does anybody read? */
bool em_stream_is_open(em_stream *stream);

/* Nothing more comes. */
void em_stream_end(em_stream *stream);

/* ---- For the server ------------------------------------------------------------------------- */

/* Who is told that there is something to take after em_stream_take() said that there is not; called
 * with the stream's lock held, so it must neither wait nor call the stream. */
void em_stream_attach(em_stream *stream, void (*wake)(void *context), void *context);

enum { EM_STREAM_EMPTY = 0, EM_STREAM_OVER = -1 };

/* Up to `room` bytes into `out`: how many; EM_STREAM_EMPTY, EM_STREAM_OVER. When it is empty
 * `rest` is called with the lock held: what is sent from then on wakes. */
long em_stream_take(em_stream *stream, char *out, size_t room, void (*rest)(void *context),
                    void *context);

/* The client has gone: nobody reads any more. Wakes. */
void em_stream_leave(em_stream *stream);

/* The connection is done with: it is not woken any more. Leaves, too. */
void em_stream_detach(em_stream *stream);

#endif
