/* connections.h: who is connected, and for how long each may take.
 *
 * Everything that a client does has an end: it has so long to send a request whole, and to take an
 * answer; only while the server works, or a stream of events is open, there is none. One that takes
 * longer is shut down, which the library that speaks HTTP notices as a client that left.
 *
 * One whose client has left in the middle of a request, or of its headers, is shut down, too: the
 * library overlooks an end that comes right behind what it reads, and would keep what was sent for
 * as long as the rest may take.
 *
 * Where connections become few, the one that has said nothing for longest makes room for a new one.
 * So neither many idle ones nor slow ones keep others out.
 */
#ifndef EM_HTTP_CONNECTIONS_H
#define EM_HTTP_CONNECTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct em_connections em_connections;

typedef struct em_connection {
    struct em_connection *next, *before;
    int fd;
    bool idle;           /* it waits for a request: in the list of those, oldest first */
    bool sends;          /* it is within a request */
    bool left;           /* nothing more comes from it, as was seen when it was looked at last */
    int64_t deadline_ms; /* em_monotonic_ms(); -1: none */
} em_connection;

/* `most`: beyond these the idle make room. `patience_ms`: what a client may take for one step. The
 * caller's: em_connections_free(). NULL when memory ran out. */
em_connections *em_connections_new(size_t most, long patience_ms);
void em_connections_free(em_connections *connections);

/* A new one, idle; NULL when memory ran out. It is gone before its descriptor is closed. */
em_connection *em_connections_add(em_connections *connections, int fd);
void em_connections_remove(em_connections *connections, em_connection *connection);

/* What happens in it now: it waits for a request; the client begins to send one, and has sent
 * `bytes` more of it; it is our turn; the client takes `bytes`. (At a pace of at least 16 KiB a
 * second.) */
void em_connection_waits(em_connections *connections, em_connection *connection);
void em_connection_sends(em_connections *connections, em_connection *connection);
void em_connection_sent(em_connections *connections, em_connection *connection, uint64_t bytes);
void em_connection_works(em_connections *connections, em_connection *connection);
void em_connection_takes(em_connections *connections, em_connection *connection, uint64_t bytes);

/* A stream of events in it is over: the client has a time for each further step, if that is not so
 * already; and it made a step. */
void em_connection_ends(em_connections *connections, em_connection *connection);
void em_connection_steps(em_connections *connections, em_connection *connection);

/* From time to time: shut down those whose time is up, and those from which no request can come any
 * more, whole, the second time that it is seen. Returns how many. */
size_t em_connections_tick(em_connections *connections);

size_t em_connections_count(em_connections *connections);

#endif
