/* peers.c: the list of sessions, and the peers that requests without one share.
 *
 * One lock guards the list and how often each peer is held. A peer that can no longer be found and
 * that nobody holds retires with its strand, so nothing of it runs when it is freed.
 */
#include "http/peers.h"

#include "base/clock.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct em_peers {
    em_peers_options options;
    pthread_mutex_t lock;
    pthread_cond_t freed;
    em_peer *sessions; /* those that can be found */
    size_t count, alive;
    em_peer **shared;
    size_t shared_count;
    bool shut;
};

/* ---- A peer's life -------------------------------------------------------------------------- */

static void do_due_job(em_job *job);

static void peer_free(em_peer *peer)
{
    em_mcp_free(peer->mcp);
    em_session_free(peer->session);
    em_channel_free(peer->channel);
    free(peer);
}

static em_peer *peer_new(em_peers *peers, const char *principal)
{
    const em_peers_options *options = &peers->options;
    em_peer *peer = calloc(1, sizeof *peer);
    if (!peer)
        return NULL;
    peer->peers = peers;
    peer->uses = 1;
    peer->due_ms = -1;
    peer->used_ms = em_monotonic_ms();
    peer->due_job.run = do_due_job;
    snprintf(peer->principal, sizeof peer->principal, "%s", principal ? principal : "");
    peer->channel = principal ? em_channel_new() : NULL;
    peer->session = options->open(options->context);
    peer->mcp = peer->session ? em_mcp_new(peer->session, options->tools, options->flags) : NULL;
    if (!peer->mcp || (principal && !peer->channel) || !em_make_secret(peer->id)) {
        peer_free(peer);
        return NULL;
    }
    if (options->approvals)
        em_mcp_set_approvals(peer->mcp, options->approvals);
    if (options->called)
        em_mcp_set_observer(peer->mcp, options->called, options->context);
    return peer;
}

/* What was replaced and kept for a while is looked at before the session goes. */
static void retire(void *context)
{
    em_peer *peer = context;
    em_peers *peers = peer->peers;
    EM_AUTO(em_arena) arena = {0};
    em_warnings found = {0};
    em_session_do_due(peer->session, true, &arena, &found);
    for (size_t i = 0; i < found.count; i++)
        peers->options.log(peers->options.context, found.items[i]);
    peer_free(peer);
    pthread_mutex_lock(&peers->lock);
    peers->alive--;
    pthread_cond_broadcast(&peers->freed);
    pthread_mutex_unlock(&peers->lock);
}

void em_peer_release(em_peer *peer)
{
    em_peers *peers = peer->peers;
    pthread_mutex_lock(&peers->lock);
    bool last = --peer->uses == 0;
    peer->used_ms = em_monotonic_ms();
    pthread_mutex_unlock(&peers->lock);
    if (last)
        em_workers_retire(peers->options.workers, &peer->strand, retire, peer);
}

/* Called with the lock. Whoever does this gives back, afterwards and without it, the use that stood
 * for being found. */
static void take_out(em_peers *peers, em_peer *peer)
{
    em_peer **at = &peers->sessions;
    while (*at != peer)
        at = &(*at)->next;
    *at = peer->next;
    peers->count--;
    peer->ended = true;
    for (em_peer_request *flight = peer->flights; flight; flight = flight->next)
        flight->cancelled = true;
    peer->cancels++;
}

void em_peer_end(em_peer *peer)
{
    em_peers *peers = peer->peers;
    pthread_mutex_lock(&peers->lock);
    bool ends = !peer->ended && peer->channel;
    if (ends)
        take_out(peers, peer);
    pthread_mutex_unlock(&peers->lock);
    if (!ends)
        return;
    em_channel_shut(peer->channel);
    em_peer_release(peer);
}

/* ---- All of them ---------------------------------------------------------------------------- */

em_peers *em_peers_new(const em_peers_options *options)
{
    em_peers *peers = calloc(1, sizeof *peers);
    if (!peers)
        return NULL;
    peers->options = *options;
    pthread_mutex_init(&peers->lock, NULL);
    pthread_cond_init(&peers->freed, NULL);
    peers->shared = calloc(options->stateless, sizeof(em_peer *));
    while (peers->shared && peers->shared_count < options->stateless) {
        em_peer *peer = peer_new(peers, NULL);
        if (!peer)
            break;
        peers->alive++;
        peers->shared[peers->shared_count++] = peer;
    }
    if (peers->shared_count == options->stateless)
        return peers;
    em_peers_free(peers);
    return NULL;
}

void em_peers_shut(em_peers *peers)
{
    pthread_mutex_lock(&peers->lock);
    peers->shut = true;
    for (em_peer *peer = peers->sessions; peer; peer = peer->next)
        em_channel_deafen(peer->channel);
    pthread_mutex_unlock(&peers->lock);
}

static void end_sessions(em_peers *peers)
{
    pthread_mutex_lock(&peers->lock);
    while (peers->sessions) {
        em_peer *peer = peers->sessions;
        peer->uses++;
        pthread_mutex_unlock(&peers->lock);
        em_peer_end(peer);
        em_peer_release(peer);
        pthread_mutex_lock(&peers->lock);
    }
    pthread_mutex_unlock(&peers->lock);
}

void em_peers_free(em_peers *peers)
{
    if (!peers)
        return;
    em_peers_shut(peers);
    end_sessions(peers);
    for (size_t i = 0; i < peers->shared_count; i++)
        em_peer_release(peers->shared[i]);
    pthread_mutex_lock(&peers->lock);
    while (peers->alive > 0)
        pthread_cond_wait(&peers->freed, &peers->lock);
    pthread_mutex_unlock(&peers->lock);
    pthread_cond_destroy(&peers->freed);
    pthread_mutex_destroy(&peers->lock);
    free(peers->shared);
    free(peers);
}

size_t em_peers_count(em_peers *peers)
{
    pthread_mutex_lock(&peers->lock);
    size_t count = peers->count;
    pthread_mutex_unlock(&peers->lock);
    return count;
}

/* ---- Sessions ------------------------------------------------------------------------------- */

/* Is nobody at it, neither with a request nor reading? */
static bool is_idle(const em_peer *peer)
{
    return peer->uses == 1 && !peer->flights && !em_channel_is_read(peer->channel);
}

/* Of those that are idle, the one that is it for longest; held. Called with the lock. */
static em_peer *longest_idle(em_peers *peers)
{
    em_peer *found = NULL;
    for (em_peer *peer = peers->sessions; peer; peer = peer->next)
        if (is_idle(peer) && (!found || peer->used_ms < found->used_ms))
            found = peer;
    if (found)
        found->uses++;
    return found;
}

/* Is there room for one more session, perhaps because another one ends? */
static bool make_room(em_peers *peers)
{
    pthread_mutex_lock(&peers->lock);
    bool full = peers->count >= peers->options.most;
    em_peer *idle = full ? longest_idle(peers) : NULL;
    pthread_mutex_unlock(&peers->lock);
    if (!idle)
        return !full;
    em_peer_end(idle);
    em_peer_release(idle);
    return true;
}

em_peer *em_peers_begin(em_peers *peers, const char *principal)
{
    em_peer *peer = make_room(peers) ? peer_new(peers, principal) : NULL;
    if (!peer)
        return NULL;
    pthread_mutex_lock(&peers->lock);
    bool fits = !peers->shut && peers->count < peers->options.most;
    if (fits) {
        peer->uses++;
        peer->next = peers->sessions;
        peers->sessions = peer;
        peers->count++;
        peers->alive++;
    }
    pthread_mutex_unlock(&peers->lock);
    if (fits)
        return peer;
    peer_free(peer);
    return NULL;
}

em_peer *em_peers_find(em_peers *peers, const char *id, const char *principal)
{
    em_peer *found = NULL;
    pthread_mutex_lock(&peers->lock);
    for (em_peer *peer = peers->sessions; peer; peer = peer->next)
        if (em_same_secret(peer->id, em_slice_of(id)) && strcmp(peer->principal, principal) == 0)
            found = peer;
    if (found)
        found->uses++;
    pthread_mutex_unlock(&peers->lock);
    return found;
}

/* FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/). */
static uint64_t hash_of(const char *text)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    return hash;
}

em_peer *em_peers_take(em_peers *peers, const char *name)
{
    pthread_mutex_lock(&peers->lock);
    em_peer *taken = peers->shared[name ? hash_of(name) % peers->shared_count : 0];
    for (size_t i = 0; !name && i < peers->shared_count; i++)
        if (peers->shared[i]->uses < taken->uses)
            taken = peers->shared[i];
    taken->uses++;
    pthread_mutex_unlock(&peers->lock);
    return taken;
}

/* ---- Requests ------------------------------------------------------------------------------- */

void em_peer_depart(em_peer *peer, em_peer_request *flight)
{
    pthread_mutex_lock(&peer->peers->lock);
    flight->before = NULL;
    flight->next = peer->flights;
    if (flight->next)
        flight->next->before = flight;
    peer->flights = flight;
    flight->cancelled = peer->ended;
    pthread_mutex_unlock(&peer->peers->lock);
}

void em_peer_land(em_peer *peer, em_peer_request *flight)
{
    pthread_mutex_lock(&peer->peers->lock);
    if (flight->before)
        flight->before->next = flight->next;
    else
        peer->flights = flight->next;
    if (flight->next)
        flight->next->before = flight->before;
    pthread_mutex_unlock(&peer->peers->lock);
}

void em_peer_cancel(em_peer *peer, const json_t *id)
{
    pthread_mutex_lock(&peer->peers->lock);
    for (em_peer_request *flight = peer->flights; flight; flight = flight->next)
        if (json_equal(flight->id, id))
            flight->cancelled = true;
    peer->cancels++;
    pthread_mutex_unlock(&peer->peers->lock);
}

/* ---- Time ----------------------------------------------------------------------------------- */

void em_peer_note_due(em_peer *peer)
{
    long due = em_mcp_due_ms(peer->mcp);
    pthread_mutex_lock(&peer->peers->lock);
    peer->due_ms = due < 0 ? -1 : em_monotonic_ms() + due;
    pthread_mutex_unlock(&peer->peers->lock);
}

static bool send_alone(void *context, const json_t *message)
{
    em_peer *peer = context;
    EM_AUTO(em_strbuf) text = {0};
    em_json_write(message, 0, &text);
    if (peer->channel && !text.failed)
        em_channel_send(peer->channel, EM_LANE_ALONE, em_strbuf_slice(&text));
    return !text.failed;
}

static void look_nowhere(void *context)
{
    (void)context;
}

static void log_of_peer(void *context, const char *sentence)
{
    const em_peers *peers = ((em_peer *)context)->peers;
    peers->options.log(peers->options.context, sentence);
}

static void do_due_job(em_job *job)
{
    em_peer *peer = (em_peer *)((char *)job - offsetof(em_peer, due_job));
    em_link link = {.context = peer, .send = send_alone, .look = look_nowhere, .log = log_of_peer};
    em_mcp_do_due(peer->mcp, false, &link);
    em_peer_note_due(peer);
    pthread_mutex_lock(&peer->peers->lock);
    peer->does_due = false;
    pthread_mutex_unlock(&peer->peers->lock);
    em_peer_release(peer);
}

/* Called with the lock. */
static void do_if_due(em_peers *peers, em_peer *peer, int64_t now)
{
    if (peer->does_due || peer->due_ms < 0 || peer->due_ms > now)
        return;
    peer->does_due = true;
    peer->uses++;
    em_workers_add(peers->options.workers, &peer->strand, &peer->due_job);
}

/* One that was idle for too long; held. A session that somebody reads is in use. */
static em_peer *expired(em_peers *peers, int64_t now)
{
    pthread_mutex_lock(&peers->lock);
    for (em_peer *peer = peers->sessions; peer; peer = peer->next)
        if (!is_idle(peer))
            peer->used_ms = now;
    em_peer *idle = longest_idle(peers);
    if (idle && now - idle->used_ms < peers->options.idle_ms) {
        idle->uses--;
        idle = NULL;
    }
    pthread_mutex_unlock(&peers->lock);
    return idle;
}

void em_peers_tick(em_peers *peers)
{
    int64_t now = em_monotonic_ms();
    for (em_peer *peer = expired(peers, now); peer; peer = expired(peers, now)) {
        em_peer_end(peer);
        em_peer_release(peer);
    }
    pthread_mutex_lock(&peers->lock);
    for (em_peer *peer = peers->sessions; peer; peer = peer->next)
        do_if_due(peers, peer, now);
    for (size_t i = 0; i < peers->shared_count; i++)
        do_if_due(peers, peers->shared[i], now);
    pthread_mutex_unlock(&peers->lock);
}
