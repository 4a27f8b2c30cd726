/* session_state.h: the inside of a session, for the files of this room. */
#ifndef EM_SESSION_SESSION_STATE_H
#define EM_SESSION_SESSION_STATE_H

#include "past/versions.h"
#include "session/memory.h"
#include "session/mistakes.h"
#include "session/session.h"

#include <pthread.h>

/* What lasts between two calls; of joined sessions one for all of them. */
typedef struct em_lasting {
    pthread_mutex_t lock;
    em_mistakes mistakes;
    em_memory memory;
} em_lasting;

struct em_session {
    em_workspace *workspace;
    char *client;  /* owned; NULL: unknown */
    char name[17]; /* whose calls belong together: 64 random bits in hex */
    char id[17];   /* the same, of this one alone: its calls are numbered behind it */
    uint64_t calls;
    uint64_t turn, spread;  /* em_session_set_turn(); 0: calls are made in their order */
    uint64_t max_file_size; /* 0: what the dialect says */
    size_t max_edits;       /* the same */
    bool allow_placeholders;
    bool is_trial;              /* em_session_set_trial() */
    bool cuts_lines;            /* em_session_trial_cuts_lines() */
    em_hunks trial_hunks;       /* em_session_set_trial_hunks() */
    em_arena *trial_arena;      /* the same */
    size_t trial_part;          /* of the hunks: the next one to be met */
    em_strayed strayed;         /* em_session_trial_strayed() */
    const em_near_miss *chosen; /* em_session_trial_chosen() */
    bool is_unheld;             /* em_session_trial_is_unheld() */
    long deadline_ms;           /* for all of a call that is not exact; 0: none */
    em_deadline deadline;       /* of the call that runs */
    bool deadline_runs;
    size_t sought; /* missing files of the call for which others that may be meant were sought */
    em_kept_versions kept_versions;
    em_lasting own;
    em_lasting *lasting; /* `own`, or that of the session that this one was joined to */
    em_warnings untold;  /* found while nobody called: for the next outcome */
    em_arena untold_arena;
    em_observer observer;
    struct em_consent *consent;  /* borrowed; NULL: changes need none */
    em_mistakes mistakes_before; /* as they were when the consent was set */
};

/* Whose calls belong together: those of a session that the caller names, else of this process, if
 * anything says so; NULL. */
const char *em_session_caller(const em_session *session, const char *named, bool stateless);

/* What `caller` knows of `path` (memory.h); false: nothing. */
bool em_session_recall(em_session *session, const char *caller, const char *path, em_stamp *stamp);

/* From now on it knows this. EM_E_NOMEM, but not for a file that it knows already. */
em_status em_session_remember(em_session *session, const char *caller, const char *path,
                              em_stamp stamp);

/* An edit of `path` failed (mistakes.h): how many times in a row that is. */
size_t em_session_miss(em_session *session, const char *caller, const char *path);

/* One did not. */
void em_session_hit(em_session *session, const char *caller, const char *path);

/* The turn of a call (em_row.origin.call); 0: it is none of those that belong together, or they are
 * made in their order. */
uint64_t em_session_turn_of(const em_session *session, const char *call);

/* Fill in who asks, for the history, but for the tool: `named` and `stateless` as above.
 * EM_E_NOMEM.
 */
em_status em_session_origin(const em_session *session, const char *named, bool stateless,
                            em_arena *arena, em_origin *origin);

/* What was found while nobody called, and what is kept for the grace period and changed since, is
 * told with this answer. EM_E_NOMEM. */
em_status em_session_tell(em_session *session, em_arena *arena, em_warnings *warnings);

#endif
