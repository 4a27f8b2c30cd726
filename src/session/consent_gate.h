/* consent_gate.h: where a change of a session that needs consent (consent.h) is stopped or let
 * through.
 *
 * Every change comes here when it is planned and nothing is written yet. A session without consent
 * lets everything through.
 */
#ifndef EM_SESSION_CONSENT_GATE_H
#define EM_SESSION_CONSENT_GATE_H

#include "session/consent.h"
#include "session/session_state.h"

/* What a file that was changed between question and answer fails with. */
#define EM_CONSENT_OVERTAKEN "it was changed while the change waited for a yes"

/* One file that would be changed now. */
typedef struct em_consent_change {
    const em_file *file; /* open */
    em_intended_how how;
    em_splices splices; /* over the file's content */
    uint32_t mode;      /* of a file that is made; 0: that of any new one */
    bool backup;        /* the old content stays, in a file beside it */
    const char *diff;   /* all that follows is looked at only while it asks; "" */
    bool diff_truncated;
    size_t lines_added, lines_removed;
} em_consent_change;

/* The hash of all that makes the change, but for the content that it is laid onto. EM_E_NOMEM. */
em_status em_consent_hash_change(const em_consent_change *change, em_hash *out);

/* Does it only ask, and is nothing written therefore? Not so in a rehearsal. */
bool em_consent_asks(const em_session *session);

/* Is it a dry run of which each change sees those before it? */
bool em_consent_rehearses(const em_session *session);

/* Is what would be written noted, because it asks or rehearses, and seen by later changes? */
bool em_consent_notes(const em_session *session);

/* Is nothing written, because it asks or was refused? Then files need no lock. */
bool em_consent_holds_back(const em_session *session);

/* May the change be written? While it asks or rehearses it is noted; what was refused fails as the
 * person said, and what is not what was asked about with EM_E_CONFLICT. EM_E_NOMEM. */
em_status em_consent_pass(const em_session *session, const em_consent_change *change,
                          em_error *err);

/* Has a file, open and its hash known, changed since somebody was asked about it? Any has where
 * nothing comes out any more of what was asked about. */
bool em_consent_overtaken(const em_session *session, const em_file *file);

/* Such a file fails before anybody looks for the caller's text in it, which was right when it was
 * asked about: EM_E_CONFLICT, or what was refused as the person said. */
em_status em_consent_check_file(const em_session *session, const em_file *file, em_error *err);

/* While changes are noted: would an earlier change of the call have made that file? `path` is
 * resolved. */
bool em_consent_makes(const em_session *session, const char *path);

/* While changes are noted: hash ("" where there is none) and size of what a file that the call
 * would change holds, which it goes on to hold. `path` is resolved. False: it would not change
 * that. */
bool em_consent_found(const em_session *session, const char *path, em_hash *hash, uint64_t *size);

/* While changes are noted: a file that was just opened as earlier changes of the call would have
 * left it, with as many names. Its bytes are then in `arena`. EM_E_IS_FOLDER where they would have
 * made a folder of its path; EM_E_CONFLICT, EM_E_TOO_LARGE, EM_E_NOMEM. */
em_status em_consent_overlay(const em_session *session, em_arena *arena, em_file *file,
                             em_error *err);

#endif
