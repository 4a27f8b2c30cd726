/* peers.h: who speaks to the server, each with a session of its own.
 *
 * Two kinds. A session of the handshake is a peer that lives from `initialize` until DELETE, or
 * until it was idle for long; it is found by an id that cannot be guessed, and only by who shows
 * the token that it was begun with. Requests of the stateless era share a few peers that are always
 * there: those that name a `session` always get the same one, since it remembers what that caller
 * did.
 *
 * A peer is used by one request at a time: its strand (workers.h) sees to that. Everything else
 * here may be called from any thread.
 */
#ifndef EM_HTTP_PEERS_H
#define EM_HTTP_PEERS_H

#include "http/access.h"
#include "http/channel.h"
#include "http/workers.h"
#include "serve/mcp.h"

typedef struct em_peers em_peers;

typedef struct em_peers_options {
    em_workers *workers;
    const em_toolset *tools; /* borrowed, as all that follows */
    unsigned flags;          /* of em_mcp_new */
    em_approvals *approvals; /* NULL: changes need no yes */
    /* A new session, in whatever thread; NULL when there can be none, which has been said then. */
    em_session *(*open)(void *context);
    void (*called)(void *context, const em_mcp_called *called); /* NULL */
    void (*log)(void *context, const char *sentence);
    void *context;    /* handed to all three */
    size_t most;      /* sessions of the handshake at a time */
    size_t stateless; /* peers for requests without a handshake */
    long idle_ms;     /* how long a session may be idle */
} em_peers_options;

/* What one request is, for those that cancel it. */
typedef struct em_peer_request {
    struct em_peer_request *next, *before;
    const json_t *id; /* borrowed */
    _Atomic bool cancelled;
} em_peer_request;

typedef struct em_peer {
    struct em_peer *next;
    em_peers *peers;
    em_strand strand;
    em_session *session;
    em_mcp *mcp;
    em_channel *channel; /* NULL: a stateless one */
    char id[EM_SECRET_SIZE];
    char principal[24];
    bool primes; /* its revision knows events without data */
    size_t uses; /* requests that hold it, and 1 as long as it can be found */
    bool ended;  /* it cannot be found any more */
    em_peer_request *flights;
    _Atomic size_t cancels; /* grows whenever one of them is cancelled */
    int64_t used_ms,
        due_ms; /* when it was used last; when replaced files are to be looked at, -1 */
    em_job due_job;
    bool does_due; /* that job waits or runs */
} em_peer;

/* The caller's: em_peers_free(), when no job of them is left. The stateless ones are opened at
 * once; NULL when that fails, which has been said. */
em_peers *em_peers_new(const em_peers_options *options);
void em_peers_free(em_peers *peers);

/* Each gives a peer that is held: em_peer_release(). */

/* A new session of `principal`'s. Where there are too many, the one that was idle for longest ends.
 * NULL: all are in use, or there can be none. */
em_peer *em_peers_begin(em_peers *peers, const char *principal);

/* The session of that id; NULL: there is none, or it is not `principal`'s. */
em_peer *em_peers_find(em_peers *peers, const char *id, const char *principal);

/* One for a stateless request. `name`: the session that it names; NULL. */
em_peer *em_peers_take(em_peers *peers, const char *name);

/* The session is over: what still runs is cancelled. It stays held. */
void em_peer_end(em_peer *peer);
void em_peer_release(em_peer *peer);

/* A request begins to wait or run, and ends. */
void em_peer_depart(em_peer *peer, em_peer_request *flight);
void em_peer_land(em_peer *peer, em_peer_request *flight);

/* The client takes the request of that id back. */
void em_peer_cancel(em_peer *peer, const json_t *id);

/* To be called by each job of the peer's strand when it ends: when are replaced files looked at? */
void em_peer_note_due(em_peer *peer);

/* From time to time: end sessions that were idle, look at replaced files whose time has come. */
void em_peers_tick(em_peers *peers);

/* The server ends: nothing can be begun any more, and streams that no request asked for end. What
 * runs goes on. */
void em_peers_shut(em_peers *peers);

/* How many sessions there are. */
size_t em_peers_count(em_peers *peers);

#endif
