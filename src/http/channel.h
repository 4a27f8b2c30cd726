/* channel.h: what a session of the handshake era sends, numbered, so that a client whose connection
 * broke can have the rest (Last-Event-ID).
 *
 * A channel has lanes: number 0 is what no request asked for, and each request that is answered
 * with a stream has one of its own. An event's id is "LANE-NUMBER", numbers counting from 1 in each
 * lane. The newest events of all lanes are kept, within a limit, whether somebody reads or not.
 *
 * A lane goes to at most one stream at a time: the newest takes it over. All functions may be
 * called from any thread.
 */
#ifndef EM_HTTP_CHANNEL_H
#define EM_HTTP_CHANNEL_H

#include "base/status.h"
#include "http/stream.h"

#include <stdint.h>

typedef struct em_channel em_channel;

/* The caller's: em_channel_free(), which shuts it. NULL when memory ran out. */
em_channel *em_channel_new(void);
void em_channel_free(em_channel *channel);

enum { EM_LANE_ALONE = 0 };

/* A new lane that goes to `stream`, borrowed. `primed`: an event without data comes first, so that
 * the client knows what to come back with even before there is anything. 0 when memory ran out. */
uint64_t em_channel_open(em_channel *channel, em_stream *stream, bool primed);

/* Let what the lane 0 has from now on go to `stream`; who had it so far ends. */
void em_channel_listen(em_channel *channel, em_stream *stream, bool primed);

/* The same for the lane of the event `last_id`, beginning behind it: what was sent since then is
 * sent again. EM_E_NOT_FOUND: there was never such an event. */
em_status em_channel_resume(em_channel *channel, const char *last_id, em_stream *stream);

/* Send in lane `number`. Memory that runs out breaks the lane's stream. */
void em_channel_send(em_channel *channel, uint64_t number, em_slice data);

/* Nothing more comes in lane `number`: its stream ends, what it sent can still be read again. */
void em_channel_close(em_channel *channel, uint64_t number);

/* The stream of lane 0 ends. */
void em_channel_deafen(em_channel *channel);

/* The session is over: all streams end, and nothing is sent any more. */
void em_channel_shut(em_channel *channel);

/* Does anybody read? */
bool em_channel_is_read(em_channel *channel);

#endif
