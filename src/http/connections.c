/* connections.c: two lists under one lock: who is idle, and who is busy.
 *
 * The thread that hears connections adds them, moves them on and removes them. The one that ticks
 * shuts down those that are late (em_connections_tick) and notes that a stream is over
 * (em_connection_ends, with the server's lock); it removes none. One that is shut down stays in the
 * list until the library has noticed and removes it, before it closes the descriptor: so each
 * descriptor in the lists is open. With the lock only calls to the system are made that do not
 * wait.
 */
#include "http/connections.h"

#include "base/clock.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>

enum { LEAST_PACE = 16 }; /* bytes a millisecond */

typedef struct list {
    em_connection *first, *last;
} list;

struct em_connections {
    pthread_mutex_t lock;
    list idle, busy;
    size_t count, most;
    long patience_ms;
};

em_connections *em_connections_new(size_t most, long patience_ms)
{
    em_connections *connections = calloc(1, sizeof *connections);
    if (!connections)
        return NULL;
    pthread_mutex_init(&connections->lock, NULL);
    connections->most = most;
    connections->patience_ms = patience_ms;
    return connections;
}

void em_connections_free(em_connections *connections)
{
    if (!connections)
        return;
    pthread_mutex_destroy(&connections->lock);
    free(connections);
}

static void take_out(list *from, em_connection *one)
{
    if (one->before)
        one->before->next = one->next;
    else
        from->first = one->next;
    if (one->next)
        one->next->before = one->before;
    else
        from->last = one->before;
}

static void put_last(list *to, em_connection *one)
{
    one->next = NULL;
    one->before = to->last;
    if (to->last)
        to->last->next = one;
    else
        to->first = one;
    to->last = one;
}

static list *list_of(em_connections *connections, const em_connection *one)
{
    return one->idle ? &connections->idle : &connections->busy;
}

static void shut(em_connections *connections, em_connection *one)
{
    shutdown(one->fd, SHUT_RDWR);
    take_out(list_of(connections, one), one);
    one->idle = one->sends = false;
    one->deadline_ms = -1;
    put_last(&connections->busy, one);
}

em_connection *em_connections_add(em_connections *connections, int fd)
{
    em_connection *one = calloc(1, sizeof *one);
    if (!one)
        return NULL;
    pthread_mutex_lock(&connections->lock);
    if (connections->count >= connections->most && connections->idle.first)
        shut(connections, connections->idle.first);
    *one = (em_connection){
        .fd = fd, .idle = true, .deadline_ms = em_monotonic_ms() + connections->patience_ms};
    put_last(&connections->idle, one);
    connections->count++;
    pthread_mutex_unlock(&connections->lock);
    return one;
}

void em_connections_remove(em_connections *connections, em_connection *connection)
{
    pthread_mutex_lock(&connections->lock);
    take_out(list_of(connections, connection), connection);
    connections->count--;
    pthread_mutex_unlock(&connections->lock);
    free(connection);
}

static void change(em_connections *connections, em_connection *one, em_connection now)
{
    pthread_mutex_lock(&connections->lock);
    take_out(list_of(connections, one), one);
    now.fd = one->fd;
    *one = now;
    put_last(list_of(connections, one), one);
    pthread_mutex_unlock(&connections->lock);
}

void em_connection_waits(em_connections *connections, em_connection *connection)
{
    int64_t deadline_ms = em_monotonic_ms() + connections->patience_ms;
    change(connections, connection, (em_connection){.idle = true, .deadline_ms = deadline_ms});
}

void em_connection_sends(em_connections *connections, em_connection *connection)
{
    int64_t deadline_ms = em_monotonic_ms() + connections->patience_ms;
    change(connections, connection, (em_connection){.sends = true, .deadline_ms = deadline_ms});
}

void em_connection_sent(em_connections *connections, em_connection *connection, uint64_t bytes)
{
    pthread_mutex_lock(&connections->lock);
    connection->left = false;
    if (connection->deadline_ms >= 0)
        connection->deadline_ms += (long)(bytes / LEAST_PACE);
    pthread_mutex_unlock(&connections->lock);
}

void em_connection_takes(em_connections *connections, em_connection *connection, uint64_t bytes)
{
    int64_t deadline_ms = em_monotonic_ms() + connections->patience_ms + (long)(bytes / LEAST_PACE);
    change(connections, connection, (em_connection){.deadline_ms = deadline_ms});
}

void em_connection_works(em_connections *connections, em_connection *connection)
{
    change(connections, connection, (em_connection){.deadline_ms = -1});
}

void em_connection_ends(em_connections *connections, em_connection *connection)
{
    pthread_mutex_lock(&connections->lock);
    if (connection->deadline_ms < 0)
        connection->deadline_ms = em_monotonic_ms() + connections->patience_ms;
    pthread_mutex_unlock(&connections->lock);
}

void em_connection_steps(em_connections *connections, em_connection *connection)
{
    pthread_mutex_lock(&connections->lock);
    if (connection->deadline_ms >= 0)
        connection->deadline_ms = em_monotonic_ms() + connections->patience_ms;
    pthread_mutex_unlock(&connections->lock);
}

/* Has the client left before all of a request was there? Once is not enough: the library may just
 * have read its end, and not have passed it on. */
static bool has_left(em_connection *one)
{
    char byte;
    bool before = one->left, is_our_turn = !one->idle && !one->sends;
    one->left = !is_our_turn && recv(one->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
    return one->left && before;
}

static bool is_late(const em_connection *one, int64_t now)
{
    return one->deadline_ms >= 0 && one->deadline_ms <= now;
}

static size_t shut_some(em_connections *connections, em_connection *one, int64_t now)
{
    size_t count = 0;
    while (one) {
        em_connection *next = one->next;
        if (is_late(one, now) || has_left(one)) {
            shut(connections, one);
            count++;
        }
        one = next;
    }
    return count;
}

size_t em_connections_tick(em_connections *connections)
{
    int64_t now = em_monotonic_ms();
    pthread_mutex_lock(&connections->lock);
    size_t count = shut_some(connections, connections->busy.first, now);
    count += shut_some(connections, connections->idle.first, now);
    pthread_mutex_unlock(&connections->lock);
    return count;
}

size_t em_connections_count(em_connections *connections)
{
    pthread_mutex_lock(&connections->lock);
    size_t count = connections->count;
    pthread_mutex_unlock(&connections->lock);
    return count;
}
