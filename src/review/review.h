/* review.h: the API behind the page where a person watches, undoes and decides.
 *
 * It reads the history (which has what other processes and earlier runs did, too), remembers what
 * was called in this process (call_log.h), tells whoever watches (feed.h), and asks for consent's
 * answers (serve/approvals.h). docs/server.md says what its requests and answers are.
 *
 *  (1) It has a session of its own, used by one of its requests at a time. Nobody else uses it.
 *  (2) Answers are bounded: lists come in pages, diffs are cut.
 *  (3) A thread of its own looks for new changes while somebody watches, at least once a second;
 *      while nobody does it sleeps.
 *
 * It knows nothing of connections and tokens: when its routes are asked, that has been settled.
 */
#ifndef EM_REVIEW_REVIEW_H
#define EM_REVIEW_REVIEW_H

#include "http/routes.h"
#include "serve/mcp.h"

typedef struct em_review em_review;

typedef struct em_review_options {
    em_session *session;     /* borrowed; with a grace period of 0 */
    em_approvals *approvals; /* borrowed; NULL: changes need no yes */
    bool read_only, no_history;
} em_review_options;

/* The caller's: em_review_free(). NULL when memory ran out. */
em_review *em_review_new(const em_review_options *options);
void em_review_free(em_review *review);

/* Begin to look for changes. The thread has the walls of the one that calls this. EM_E_NOMEM,
 * EM_E_IO. */
em_status em_review_start(em_review *review);

/* End the thread and all streams of events. */
void em_review_stop(em_review *review);

/* Its routes: all beneath /api/ but /api/login, which is the server's. */
em_routes em_review_routes(em_review *review);

/* For em_mcp_set_observer() of every peer, and em_approvals_listen(): what happened. `context` is
 * the em_review. */
void em_review_called(void *context, const em_mcp_called *called);
void em_review_heard(void *context, const em_waiting *waiting, const em_decision *decision);

#endif
