/* approvals.h: changes that wait for a person's yes, and who may give it.
 *
 * One em_approvals is shared by all peers of a server, by the page where a person decides, and by
 * whoever watches. All functions may be called from any thread at any time. Whoever decides first
 * decides; a change that nobody decides in time is refused.
 *
 *   who asks       em_approvals_passes(), em_approvals_add(), em_approvals_wait(),
 *                  em_approvals_withdraw()
 *   who decides    em_approvals_list(), em_approvals_get(), em_approvals_decide(),
 *                  em_approvals_hear(), rules
 *   who watches    em_approvals_listen()
 *
 * It knows no protocol: how a client is asked stands in mcp_consent.c.
 */
#ifndef EM_SERVE_APPROVALS_H
#define EM_SERVE_APPROVALS_H

#include "serve/seal.h"
#include "session/consent.h"

typedef struct em_approvals em_approvals;

enum {
    EM_APPROVAL_REASON = 400,            /* bytes of a reason; the rest is cut */
    EM_APPROVAL_ARGUMENTS = 64 << 10,    /* the same of the arguments that are shown */
    EM_APPROVAL_DIFF = 512 << 10,        /* of the diff of one file; more the page does not show */
    EM_APPROVAL_MOST = 64,               /* changes that wait at once, where nothing else is said */
    EM_APPROVAL_TIMEOUT_MS = 300 * 1000, /* how long one waits, the same */
};

typedef struct em_approvals_options {
    long timeout_ms;         /* 0: EM_APPROVAL_TIMEOUT_MS */
    size_t most;             /* 0: EM_APPROVAL_MOST */
    bool has_page;           /* a person can decide here, without the client's help */
    bool ask_clients;        /* a client that can ask its user is asked */
    const em_sealer *sealer; /* em_sealer_hmac; NULL: stateless clients are not asked */
} em_approvals_options;

/* On success *out is the caller's: em_approvals_free(), when nobody uses it any more. EM_E_NOMEM,
 * EM_E_INTERNAL (the system gives no random numbers). */
em_status em_approvals_new(const em_approvals_options *options, em_approvals **out, em_error *err);
void em_approvals_free(em_approvals *approvals);

const em_approvals_options *em_approvals_options_of(const em_approvals *approvals);

typedef enum em_verdict {
    EM_VERDICT_NONE, /* it waits */
    EM_VERDICT_YES,
    EM_VERDICT_NO,
    EM_VERDICT_LATE, /* nobody decided in time */
    EM_VERDICT_GONE, /* who asked does not want it any more */
} em_verdict;

/* By whom it was decided. */
typedef enum em_judge { EM_JUDGE_PAGE, EM_JUDGE_CLIENT, EM_JUDGE_TIME } em_judge;

typedef struct em_decision {
    em_verdict verdict;
    em_judge judge;
    bool unasked;                        /* a no that no person said: nobody could be asked */
    bool heard;                          /* the client that was asked has answered, whatever */
    char reason[EM_APPROVAL_REASON + 1]; /* of a no; UTF-8, may be "" */
} em_decision;

/* A change that waits, of one call: of all its files. Where it comes from em_approvals_list() all
 * of it lives in the arena given there. */
typedef struct em_waiting {
    uint64_t id; /* never used again, and not by another em_approvals either */
    const void *peer;
    const char *tool, *client; /* `client` NULL: unknown */
    const char *arguments;     /* of the call, JSON in one line; cut at EM_APPROVAL_ARGUMENTS */
    bool arguments_cut;
    bool asks_client;           /* its user is asked, too */
    const em_intended *items;   /* without their splices */
    size_t count;               /* at least 1 */
    int64_t since_ms, until_ms; /* since 1970: when it was asked, when time is up */
} em_waiting;

/* ---- Who asks ------------------------------------------------------------------------------ */

/* Has it been said that changes by this tool pass; and that all of these do, by their tool or their
 * files? */
bool em_approvals_tool_passes(em_approvals *approvals, const char *tool);
bool em_approvals_passes(em_approvals *approvals, const char *tool, const em_consent *consent);

/* Does it wait now? */
typedef enum em_admission {
    EM_ADMITTED,
    EM_ADMISSION_FULL,   /* too many wait already */
    EM_ADMISSION_CLOSED, /* em_approvals_close() was called */
    EM_ADMISSION_NOMEM,
} em_admission;

/* Let it wait: of `waiting` are taken, and copied, peer, tool, client, arguments, asks_client,
 * items and count. Once it is admitted *id is how it is called, and it must be ended by
 * em_approvals_withdraw() whatever becomes of it. */
em_admission em_approvals_add(em_approvals *approvals, const em_waiting *waiting, uint64_t *id);

/* Wait until it is decided, but at most `ms` (0: only look); *decision says how far it is. */
void em_approvals_wait(em_approvals *approvals, uint64_t id, long ms, em_decision *decision);

/* It is not asked any more. What was not decided is gone (EM_VERDICT_GONE). */
void em_approvals_withdraw(em_approvals *approvals, uint64_t id);

/* ---- Who decides --------------------------------------------------------------------------- */

/* What else is to pass from now on, with a yes. */
typedef enum em_remember { EM_REMEMBER_NOTHING, EM_REMEMBER_FILES, EM_REMEMBER_TOOL } em_remember;

typedef struct em_ruling {
    bool yes;
    bool unasked;       /* not yes, but no person's no either; `reason` says why */
    const char *reason; /* of a no; cut at EM_APPROVAL_REASON; NULL: none is given */
    em_remember remember;
    em_judge judge;
    const void *peer; /* EM_JUDGE_CLIENT: it decides what it asks for itself, and nothing else */
} em_ruling;

/* A reason as it is kept: cut, in one line, without an end of its own, since it becomes part of a
 * sentence. */
void em_approvals_put_reason(const char *reason, char out[EM_APPROVAL_REASON + 1]);

/* EM_E_NOT_FOUND: it does not wait (any more): somebody else was first, or it never did.
 * EM_E_NOMEM: it could not be remembered, and is not decided. */
em_status em_approvals_decide(em_approvals *approvals, uint64_t id, const em_ruling *ruling);

/* The client `peer` has answered what it was asked about the change: it is not asked any more, also
 * where its answer decides nothing. False: it was not asked, or nobody waits for it any more. */
bool em_approvals_hear(em_approvals *approvals, uint64_t id, const void *peer);

/* Is, or was, a change called so? */
bool em_approvals_was_asked(em_approvals *approvals, uint64_t id);

typedef struct em_waiting_list {
    em_waiting *items; /* oldest first */
    size_t count;
} em_waiting_list;

/* What waits; one of them (EM_E_NOT_FOUND). EM_E_NOMEM. */
em_status em_approvals_list(em_approvals *approvals, em_arena *arena, em_waiting_list *list);
em_status em_approvals_get(em_approvals *approvals, uint64_t id, em_arena *arena,
                           em_waiting *waiting);

/* What passes without being asked. */
typedef struct em_pass {
    bool is_tool;     /* `name` is a tool; else the absolute path of a file */
    const char *name; /* in the arena */
} em_pass;

typedef struct em_pass_list {
    em_pass *items;
    size_t count;
} em_pass_list;

/* EM_E_NOMEM. */
em_status em_approvals_passing(em_approvals *approvals, em_arena *arena, em_pass_list *list);

/* From now on these changes pass: by their files, or by the tool. EM_E_NOMEM. */
em_status em_approvals_let_pass(em_approvals *approvals, const char *tool,
                                const em_consent *consent, em_remember what);

/* From now on it is asked again. EM_E_NOT_FOUND. */
em_status em_approvals_unpass(em_approvals *approvals, const em_pass *given);

/* Nothing waits any more, and nothing will: what does is gone. For a server that ends. */
void em_approvals_close(em_approvals *approvals);

/* ---- Who watches --------------------------------------------------------------------------- */

/* Told when a change begins to wait (`decision` NULL) and when that ends. Called in the thread that
 * caused it, one call at a time, in order; it must be quick and must not call this module. */
typedef void em_approvals_listener(void *context, const em_waiting *waiting,
                                   const em_decision *decision);

/* Set before anything waits; one of them. */
void em_approvals_listen(em_approvals *approvals, em_approvals_listener *listener, void *context);

/* ---- What clients keep (seal.h) -------------------------------------------------------------- */

/* With the sealer of the options, which must be there, and a key that was made with the approvals.
 * A yes to what is sealed now counts until em_approvals_options.timeout_ms from now. */
void em_approvals_seal(const em_approvals *approvals, em_sealed *sealed, em_strbuf *state);
em_seal_is em_approvals_unseal(const em_approvals *approvals, const char *state, em_sealed *sealed);

#endif
