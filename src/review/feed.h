/* feed.h: what happens now, for everybody who watches.
 *
 * Events are posted by any thread and reach all watchers in one order. The last of them are kept,
 * so a watcher that lost its connection for a moment goes on where it was; one that comes from
 * farther back, or from another run of the server, is told to look at everything anew.
 *
 *  (1) Posting never waits for a watcher: a stream keeps what its client has not read (stream.h).
 *  (2) The first event of each watcher is "hello": {"epoch": E, "resumed": true or false}.
 *  (3) Ids are EPOCH-NUMBER, without gaps within an epoch but for events that were lost.
 */
#ifndef EM_REVIEW_FEED_H
#define EM_REVIEW_FEED_H

#include "http/stream.h"

#include <stdint.h>

typedef struct em_feed em_feed;

enum {
    EM_FEED_EVENTS = 1024,      /* that are kept */
    EM_FEED_BYTES = 4 << 20,    /* of their data together */
    EM_FEED_WATCHERS_MOST = 64, /* at once */
};

/* `epoch` tells this run of the server from others. The caller's: em_feed_free(), when nobody posts
 * any more. NULL when memory ran out. */
em_feed *em_feed_new(uint32_t epoch);
void em_feed_free(em_feed *feed);

/* Tell everybody: `type` is a literal, `data` one line of JSON. An event that memory ran out for is
 * lost, and whoever watches, or comes back from before it, is told to look anew. */
void em_feed_post(em_feed *feed, const char *type, em_slice data);

/* From now on events go to `stream` (a reference of its own is kept), and first those after
 * `last_id` (NULL: none was seen). False: there are EM_FEED_WATCHERS_MOST already. */
bool em_feed_watch(em_feed *feed, em_stream *stream, const char *last_id);

/* How many watch; those that have gone are dropped. */
size_t em_feed_watchers(em_feed *feed);

/* End all streams. What is posted from then on goes nowhere. */
void em_feed_close(em_feed *feed);

#endif
