/* consent.h: changes that need somebody's yes before they are made.
 *
 * Nobody holds a lock while a person thinks. So a call that needs consent is made twice:
 *
 *   (1) EM_CONSENT_ASKS   Everything is planned and nothing is written, as in a dry run; what would
 *                         have been written is noted here. Where nothing is noted (the call failed,
 *                         changes nothing, or is a dry run) its answer is the answer.
 *   (2) Somebody is asked about all that was noted, at once. Neither the session nor any file is
 *       in use meanwhile.
 *   (3) EM_CONSENT_GIVEN  The call is made, and writes exactly what was noted: a file that was
 *                         changed since is a conflict, and so is a change that comes out
 *                         differently. Or:
 *       EM_CONSENT_WITHHELD  The call is made, and each change fails as `refusal` says, so that
 *                         the answer has the form of the caller's tool. Where nothing of what was
 *                         asked about comes out any more, nothing is noted, and each file fails so.
 *
 * Later changes of one call see, while it asks, what the earlier ones of the same file would have
 * left. Dry runs and reading need no consent. A session without consent knows nothing of this.
 */
#ifndef EM_SESSION_CONSENT_H
#define EM_SESSION_CONSENT_H

#include "base/strbuf.h"
#include "session/session.h"

typedef enum em_consent_stage {
    EM_CONSENT_ASKS,
    EM_CONSENT_GIVEN,
    EM_CONSENT_WITHHELD,
} em_consent_stage;

typedef enum em_intended_how {
    EM_INTENDED_EDIT,
    EM_INTENDED_MAKE,   /* the file is not there yet */
    EM_INTENDED_REMOVE, /* it will not be there any more */
} em_intended_how;

/* What would be written to one file. All of it lives in the consent's arena. */
typedef struct em_intended {
    const char *path, *rel; /* absolute, every link resolved; relative to its root */
    em_intended_how how;
    em_hash before;       /* of the content that it is laid onto; "" where there is none */
    uint64_t size_before; /* of that content, in bytes */
    uint64_t dev, ino;    /* of a file that leaves its content to other names (hard links); 0 */
    const char *diff;     /* unified; "" where the file is no text */
    bool diff_truncated;
    size_t lines_added, lines_removed;
    bool backup;        /* the old content stays, in a file beside it that is made for it */
    em_hash change;     /* of all that makes the change */
    em_splices splices; /* over the content before */
    bool was_made;      /* EM_CONSENT_GIVEN: it has been written */
    bool is_overtaken;  /* the same: it is not what somebody was asked about */
} em_intended;

typedef struct em_consent {
    em_consent_stage stage;
    bool is_rehearsal;          /* EM_CONSENT_ASKS: see em_session_rehearse() */
    em_diff_limits diff_limits; /* of each diff, with its names; a zero is no limit */
    em_error refusal;           /* EM_CONSENT_WITHHELD: what each change fails with */
    em_arena arena;
    em_intended *items; /* in the order in which they would be written */
    size_t count, room;
    const char **made; /* the paths of those that would be made */
    size_t made_count, made_room;
} em_consent;

/* `EM_AUTO(em_consent) consent = {.stage = EM_CONSENT_ASKS};` */
void em_consent_drop(em_consent *consent);

/* From now on changes of `session` go as the consent says; borrowed, NULL: they need none. For as
 * long as one call, or each of its two halves, takes. em_run_open() and em_run_commit() are not for
 * sessions with a consent. */
void em_session_set_consent(em_session *session, em_consent *consent);

/* A dry run that changes several files one after the other: from now on each of its changes sees
 * what those before it would have left, as in a call that asks, and nobody is asked. `rehearsal` is
 * of EM_CONSENT_ASKS and is_rehearsal. Returns what was in its place, to be set again the same way.
 */
em_consent *em_session_rehearse(em_session *session, em_consent *rehearsal);

/* For who keeps nothing between question and answer, and notes all of the call anew:
 *
 * Append the hash of each change that was noted, in order: the same change of the same content of
 * the same file has the same. EM_E_NOMEM. */
em_status em_consent_fingerprints(const em_consent *consent, em_strbuf *out);

/* Those of what somebody was asked about are `asked`: any other change fails when the call is made,
 * as one of a file that was changed meanwhile. EM_E_NOMEM. */
em_status em_consent_hold_to(em_consent *consent, em_slice asked);

#endif
