/* review_impl.h: what the files of the review share.
 *
 *   review.c          life, routes, /api/state
 *   review_item.c     a change of the history, and a call, as JSON
 *   review_edits.c    /api/edits: lists, one, undo and redo
 *   review_views.c    /api/files, /api/activity, /api/calls
 *   review_marks.c    /api/checkpoints, rewind
 *   review_waiting.c  /api/approvals, /api/passes
 *   review_watch.c    /api/events, and the thread that looks for changes
 *   review_undo.c     undo, redo and rewind, as the page is told them
 */
#ifndef EM_REVIEW_REVIEW_IMPL_H
#define EM_REVIEW_REVIEW_IMPL_H

#include "answers/past_told.h"
#include "review/call_log.h"
#include "review/feed.h"
#include "review/review.h"

#include <pthread.h>

enum {
    EM_REVIEW_PAGE = 100,      /* elements of a list, where nothing else is asked for */
    EM_REVIEW_PAGE_MOST = 200, /* and at most */
    EM_REVIEW_PENDING = 32,    /* unfinished changes that are looked at again */
};

struct em_review {
    pthread_mutex_t lock; /* of the session */
    em_session *session;
    em_approvals *approvals;
    bool read_only, no_history;
    em_call_log *log;
    em_feed *feed;
    uint32_t epoch;
    _Atomic long waiting; /* changes that wait for a yes */

    /* review_watch.c */
    pthread_t thread;
    bool has_thread;
    pthread_mutex_t wake_lock; /* of the next three */
    pthread_cond_t wake;
    bool due, stopping;
    bool begun;   /* somebody watches, and `seen` is set. From here on for who holds the session */
    int64_t seen; /* the newest change that was told */
    int64_t pending[EM_REVIEW_PENDING];
    size_t pending_count;
};

/* The session is held until the end of the scope. */
typedef em_review *em_review_hold;
em_review *em_review_take(em_review *review);
void em_review_hold_drop(em_review_hold *hold);
#define EM_REVIEW_HOLD(review)                                                                     \
    __attribute__((cleanup(em_review_hold_drop), unused)) em_review_hold em_held =                 \
        em_review_take(review)

/* ---- Requests and answers ------------------------------------------------------------------- */

em_route_handler em_review_list_edits, em_review_at_edit, em_review_change_edit;
em_route_handler em_review_files, em_review_activity, em_review_list_calls, em_review_at_call;
em_route_handler em_review_list_marks, em_review_add_mark, em_review_rewind;
em_route_handler em_review_list_waiting, em_review_at_waiting, em_review_decide;
em_route_handler em_review_list_passes, em_review_drop_pass;
em_route_handler em_review_events;

/* Reply with an object that was built with `json`, which takes it over. */
void em_review_reply(em_exchange *exchange, em_json *json, json_t *object);

/* Reply that it failed: 404, 409, ... */
void em_review_fail(em_exchange *exchange, em_status status, const em_error *err);

/* An argument that a query may have. */
typedef struct em_review_argument {
    const char *name;
    bool is_number; /* whole, and not negative; else a text */
} em_review_argument;

/* Has the query no arguments but the `count` of these, each once and of its kind? What is misspelt
 * must not be taken for left out. False: the reply is made. */
bool em_review_query(em_exchange *exchange, const em_review_argument *arguments, size_t count);

/* The number in an argument of the query, at most `most`; `fallback` where it is missing. */
int64_t em_review_number(const em_exchange *exchange, const char *name, int64_t fallback,
                         int64_t most);

/* The number that the address ends with: digits and nothing else. False: it is none, or larger than
 * any there can be. */
bool em_review_rest_number(const em_exchange *exchange, uint64_t *number);

/* A member that a body may have. */
typedef struct em_review_member {
    const char *name;
    bool is_flag; /* true or false; else a string */
} em_review_member;

/* The body, an object that is the caller's, with no members but the `count` of these, each of its
 * kind: what is misspelt must not be taken for left out, nor a flag that is null for one that is
 * not set. A text that is null is left out. NULL: the reply is made. */
json_t *em_review_body(em_exchange *exchange, const em_review_member *members, size_t count);

/* A member of it: whether it is there and true; a string without NUL, else NULL. */
bool em_review_flag(const json_t *body, const char *name);
const char *em_review_string(const json_t *body, const char *name);

/* ---- Parts of answers ----------------------------------------------------------------------- */

/* Elements for lists: new references, of which `json` remembers whether they could be made. The
 * session is held. */
em_status em_review_items(em_review *review, const em_rows *rows, em_arena *arena, em_json *json,
                          json_t *list, em_error *err);

/* A call; `whole`: with its arguments and its answer. */
json_t *em_review_call(em_json *json, const em_noted_call *noted, bool whole);

/* What is to be undone how: {"dry_run": true}, or {"seen": what that told}, or {}. The body is the
 * caller's, and `request` borrows from it. NULL: the reply is made. */
json_t *em_review_undo_body(em_exchange *exchange, em_undo_request *request);

/* Undo, redo or rewind; the reply is made. The session is not held yet. */
void em_review_undo(em_review *review, em_exchange *exchange, em_undo_request request);

/* Set "path", and "rel": relative to the root of ours that it lies in. */
void em_review_set_place(em_review *review, em_json *json, json_t *object, const char *path);

/* ---- Events --------------------------------------------------------------------------------- */

/* Tell whoever watches; `data` is taken over, and may be NULL: {}. */
void em_review_post(em_review *review, const char *type, em_json *json, json_t *data);

/* Something may have changed: look soon. */
void em_review_wake(em_review *review);

#endif
