/* server_gone.c: is the client still there?
 *
 * A client that sends no more may still read (shutdown(2)), or have gone. Over TCP both say the
 * same, until something is sent to them: to that the system of one that has gone answers that there
 * is nobody. So who might have gone is called: by a comment in a stream, else by an interim answer
 * (100), which a client must pass over (RFC 9110, 15.2). Where that system is far away its word
 * comes too late for the first look.
 */
#include "http/server_impl.h"

#include <poll.h>
#include <sys/socket.h>

enum { ECHO_MS = 100 }; /* so long the system of a client that has gone may take to say so */

bool em_socket_sends_no_more(int fd)
{
    struct pollfd end = {.fd = fd, .events = POLLRDHUP};
    return poll(&end, 1, 0) > 0;
}

bool em_socket_has_gone(int fd, int ms)
{
    struct pollfd end = {.fd = fd};
    return poll(&end, 1, ms) > 0;
}

/* Nobody else writes to the connection, which sleeps until there is a reply. Where there is no room
 * for all of it nothing is sent. */
static void call_client(em_turn *t)
{
    static const char nothing_yet[] = "HTTP/1.1 100 Continue\r\n\r\n";
    struct pollfd room = {.fd = t->fd, .events = POLLOUT};
    t->called = true;
    if (poll(&room, 1, 0) > 0 &&
        send(t->fd, nothing_yet, sizeof nothing_yet - 1, MSG_DONTWAIT | MSG_NOSIGNAL) > 0)
        em_socket_has_gone(t->fd, ECHO_MS);
}

/* As long as the turn is not completed its descriptor is open. */
bool em_turn_is_gone(em_exchange *exchange)
{
    em_turn *t = exchange->owner;
    if (!t->replied && !t->called && t->takes_interim && em_socket_sends_no_more(t->fd))
        call_client(t);
    pthread_mutex_lock(&t->server->lock);
    bool gone = t->completed || em_socket_has_gone(t->fd, 0);
    pthread_mutex_unlock(&t->server->lock);
    return gone;
}
