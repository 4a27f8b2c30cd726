/* server_impl.h: what the files of server.h share.
 *
 * They are the only ones that know libmicrohttpd. Its one thread calls hear(), handle() and
 * completed() for each request, in this order, and never waits in them: a turn holds the request,
 * its connection sleeps while a worker runs the handler, and is woken when the reply is there. The
 * lock guards the counts that the end waits for, the list of streams, and who holds a turn.
 */
#ifndef EM_HTTP_SERVER_IMPL_H
#define EM_HTTP_SERVER_IMPL_H

#include "http/connections.h"
#include "http/server.h"

#include <microhttpd.h>
#include <pthread.h>

struct em_server {
    em_server_options options;
    struct MHD_Daemon *daemon;
    em_connections *connections;
    pthread_mutex_t lock;
    pthread_cond_t done;
    struct em_flow *flows; /* streams that are open (server_streams.c) */
    size_t flow_count;
    size_t working; /* handlers that are not done, and threads that run one */
    size_t running; /* handlers that are not done */
    size_t open;    /* turns that are not completed */
    size_t staying; /* of these, those that may be answered with a stream that stays open */
    int64_t commented_ms;
    _Atomic uint64_t collected; /* bytes of bodies that are held */
    _Atomic bool closing;
};

/* A request of a connection. Three may hold it: the connection, until the answer is out, the
 * handler, until it is done with it, and the thread that the handler began in. */
typedef struct em_turn {
    em_job job;
    em_server *server;
    em_exchange *exchange;
    struct MHD_Connection *connection;
    em_connection *watched;
    int fd;
    em_route_found found;
    em_error target_problem;
    bool target_fits;
    const char *why;    /* it is refused, in a word; NULL */
    em_slice target;    /* where the address came; only to be told where it stood */
    uint64_t counted;   /* bytes of its body in server->collected */
    const char *behind; /* the value of the header before the one at hand */
    bool begun, working, replied, completed;
    bool stays;         /* counted in server->staying */
    bool takes_interim; /* RFC 9110, 15.2: since HTTP/1.1 something may come before the answer */
    bool called;        /* which it has */
    size_t holders;
} em_turn;

/* ---- What is heard of a request (server_request.c) ------------------------------------------- */

/* All that can be checked before the body is read. Else turn->why and the reply say what is wrong.
 */
bool em_turn_check(em_turn *turn, const char *method, const char *version);

/* Keep a piece of the body, as long as there is room. What is too much is read to its end and then
 * refused: in the middle of a body nothing can be said. */
void em_turn_collect(em_turn *turn, const char *bytes, size_t length);

/* The reply to a body for which there was no room, as turn->why says. */
void em_turn_refuse_body(em_turn *turn);

/* ---- Who is still there (server_gone.c) ------------------------------------------------------ */

bool em_socket_sends_no_more(int fd);

/* Waits for at most `ms`. */
bool em_socket_has_gone(int fd, int ms);

/* Of a turn, em_exchange.is_gone. */
bool em_turn_is_gone(em_exchange *exchange);

/* ---- Streams (server_streams.c) -------------------------------------------------------------- */

/* What sends the stream of the turn's reply; NULL: memory ran out. */
struct MHD_Response *em_turn_stream_response(em_turn *turn);

/* End the streams whose clients have gone, or (`leave`) all; and call the clients of the others
 * where that is not clear, or (`comment`) of all. */
void em_server_visit_streams(em_server *server, bool comment, bool leave);

#endif
