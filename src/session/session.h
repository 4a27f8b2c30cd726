/* session.h: what lasts between two calls, and the three things a call can ask for.
 *
 * em_run_* is the one place where the rooms of text and of files meet: resolve and read the file,
 * read it as text, plan, make the diff, commit. It knows no JSON and no tool names; a dialect
 * fills a request and renders the outcome.
 */
#ifndef EM_SESSION_SESSION_H
#define EM_SESSION_SESSION_H

#include "diagnosis/patch_choice.h"
#include "dom/dom.h"
#include "edit/plan.h"
#include "session/observer.h"
#include "text/diff.h"
#include "workspace/near_files.h"
#include "workspace/workspace.h"

typedef struct em_session em_session;

enum { EM_DEFAULT_DEADLINE_MS = 2000 }; /* where nothing else is said */

typedef struct em_session_options {
    em_ws_options workspace;
    uint64_t max_file_size; /* bytes; 0: what the dialect says, else no limit */
    size_t max_edits;       /* ops in one call; 0: the same */
    bool allow_placeholders;
    long deadline_ms;   /* bounds whatever is not exact; 0: no bound */
    const char *client; /* who calls, for the history; NULL: unknown */
    em_observer observer;
} em_session_options;

/* On success *out is the caller's: em_session_free(). Fails like em_ws_open. */
em_status em_session_new(const em_session_options *options, em_session **out, em_error *err);
void em_session_free(em_session *session);

em_workspace *em_session_workspace(em_session *session);

/* From now on calls of `session` belong together with those of `other`, and what lasts between
 * calls is that of `other`, which must be freed later: for who makes them side by side, in several
 * threads. */
void em_session_join(em_session *session, em_session *other);

/* The name that a caller gave a session, as it is kept: one that is like those that sessions have
 * of themselves is told apart from them. In `arena`, or `name` itself; NULL when memory ran out. */
const char *em_session_chosen_name(const char *name, em_arena *arena);

/* What comes now is call number `turn` (from 1) of all that belong together. Where they are made
 * side by side, the last of them is the one with the largest number, whichever was made last; ones
 * that are `spread` behind are made before it. */
void em_session_set_turn(em_session *session, uint64_t turn, uint64_t spread);

/* The name that the client gave of itself; copied. EM_E_NOMEM only. */
em_status em_session_set_client(em_session *session, const char *client);

/* Who is told of changes from now on; the result is who was told so far. */
em_observer em_session_set_observer(em_session *session, em_observer observer);

/* Until it is said again with false: what is asked for is only tried out, for who wants to know
 * what would come of it. Nothing is written, and nothing is told to who watches; it counts as no
 * mistake and as no reading, and what is to be told with an answer waits for one that somebody
 * gets. */
void em_session_set_trial(em_session *session, bool is_trial);

/* Did a hunk of what was tried out last take a part of a line, and not only whole ones? */
bool em_session_trial_cuts_lines(const em_session *session);

/* What is tried out next came as these hunks, the headers of which tell where they belong. They are
 * borrowed until the trial is over; what is noted of them goes into `arena`. */
void em_session_set_trial_hunks(em_session *session, em_hunks hunks, em_arena *arena);

/* A text of a patch that does not stand where its header says. */
typedef struct em_strayed {
    em_slice head; /* the line that it should stand below, of the headers; empty: none strayed */
    size_t line;   /* where it stands, from 1 */
} em_strayed;

/* The first one of what was tried out last. */
em_strayed em_session_trial_strayed(const em_session *session);

/* What was tried out last, hunk by hunk, with as many lines around as make each text unique at the
 * place that its header says (patch_choice.h), in that arena; NULL: it failed for
 * another reason than that some stand at several places, or it is not certain which is meant. */
const em_near_miss *em_session_trial_chosen(const em_session *session);

/* Was what was tried out last planned on a part of a file for which there is not enough memory, so
 * that it is not known where its hunks are? */
bool em_session_trial_is_unheld(const em_session *session);

/* Look after replaced files that are kept for the grace period, while nobody calls (`now`: after
 * all of them); em_ws_due_ms() says when. What is found comes in *found (in `arena`), and is
 * also told in the warnings of the next outcome. EM_E_NOMEM. */
em_status em_session_do_due(em_session *session, bool now, em_arena *arena, em_warnings *found);

/* Forget what is beyond the limits of the history and of the contents that are kept, if so much
 * came since that it may be. em_session_do_due() does it too. */
void em_session_tidy(em_session *session);

/* Steps of a call, for those who show progress. That it is done its answer says. */
typedef enum em_stage { EM_STAGE_READ, EM_STAGE_PLANNED } em_stage;
typedef void em_progress(void *context, em_stage stage);

/* Must the file be there? */
typedef enum em_existence {
    EM_MUST_EXIST,
    EM_MAY_EXIST, /* else it is created, with its folders */
    EM_MUST_BE_NEW,
} em_existence;

/* Does it matter what the caller read before? */
typedef enum em_recall {
    EM_RECALL_NOT,  /* no */
    EM_RECALL_READ, /* where nothing is expected, the file must be as it was when it was read; where
                       what is expected is what is remembered, its content must be */
    EM_RECALL_DEMANDED, /* and a file that is there must have been read, or something expected */
} em_recall;

/* ---- Changing a file ---------------------------------------------------------------------- */

typedef struct em_edit_request {
    const char *path;
    em_existence existence;
    const em_op *ops;
    size_t op_count;
    em_policy policy; /* its deadline is the session's, for all requests of a call together */
    const em_dom_op *dom_ops; /* operations on elements, which come before the ops. One that fails
                                 does not stop the others, but where policy.extent says so */
    size_t dom_op_count;
    bool dry_run, backup;
    bool is_preview; /* a dry run for the sake of what it shows, which --read-only allows; as with
                        em_read_request.text_alone */
    bool to_look;    /* em_run_open() alone: nothing is to come of it, so the file is opened as for
                        reading; with dry_run */
    const char *encoding;      /* names the file's encoding; NULL: found out */
    const char *expected_hash; /* of the content that the caller read; "": there was no file; NULL:
                                  not asked */
    bool merge;                /* where it has changed since, the edit is carried over, if it can be
                                  (merge.h) */
    const int64_t *expected_mtime_ms, *expected_size; /* the same of the file; NULL: not asked */
    em_recall recall;
    const char *tool, *session; /* for the history; session NULL: this process */
    bool stateless;             /* calls belong together only where `session` says so */
    bool continues; /* it belongs to the call of the request before: the history has them as one */
    em_paths same_call;     /* of all files of the call: a backup gets none of their names */
    uint64_t max_file_size; /* the dialect's own limit, bytes; 0: none. The session's wins */
    size_t max_edits;       /* the same for ops */
    bool want_diff;
    bool want_content; /* the caller shows all of what comes out: a file is held for that, unless it
                          is too large */
    em_diff_limits diff_limits; /* with the two lines that name the file */
    em_progress *progress;      /* may be NULL */
    void *progress_context;
} em_edit_request;

/* Lines that are not what they were when the caller read them. */
typedef struct em_stale_lines {
    bool are_told;
    bool only_alike;    /* nothing was read there: `now` is most like what was searched for */
    em_slice read, now; /* borrowed from the outcome's texts */
    size_t line;        /* where they stand now, from 1 */
} em_stale_lines;

/* The texts that an op should have had, or that it should not have been there. */
typedef struct em_corrected {
    size_t op;            /* its index */
    bool was_made_before; /* it is to be left out, and has no texts */
    bool takes_away;      /* one that was made before puts nothing in */
    bool is_in_another;   /* it is to be left out, too: another op does what it does */
    em_correction texts;
} em_corrected;

typedef struct em_corrections {
    em_corrected *items;
    size_t count;
} em_corrections;

/* The op that a call would fail at next. */
typedef struct em_next_failure {
    bool is_known; /* else there is none, or it is not known */
    size_t op;     /* its index */
    em_status status;
    em_cause cause;
    size_t expected, actual; /* EM_E_COUNT */
    const char *reason;      /* of one of the dom_ops: em_dom_outcome.reason; else NULL */
    bool may_be_made;        /* it would not fail, but it may have been made before, as all of the
                                call behind it may */
} em_next_failure;

/* What would come of who sends what was probably meant by the operations on elements that failed
 * (dom.outcomes). */
typedef enum em_meant {
    EM_MEANT_UNKNOWN, /* of none it is known, or some would fail all the same */
    EM_MEANT_HOLDS,   /* the page comes to be as all of them would have left it */
    EM_MEANT_OTHER,   /* another page, since what was kept has changed what it means */
} em_meant;

typedef struct em_outcome {
    em_status status; /* EM_OK, or error.code. With EM_AS_FAR_AS_OK a failure may have committed the
                         ops before the one at fault, and dom_ops beside it: `done` of them */
    em_error error;   /* its `edit` is an index in dom_ops where dom.failed_count > 0 */
    size_t done;      /* ops and dom_ops that are done, if all of the rest goes well */
    em_plan_failure failure;
    const em_op *failed_op; /* the op of the request that error.edit names; NULL */
    em_corrections further; /* of the ops that would fail next, once that one is corrected, or left
                               out where it was made before, or that hold but were made before */
    em_next_failure next;   /* with all of them corrected */
    bool builds_on_earlier; /* of ops on the original, EM_E_NO_MATCH: what the one at fault searches
                               for comes by those before it: */
    size_t giver;           /* by this one alone, from 1; 0: by several, or at its edges */
    bool is_twin;           /* EM_E_OVERLAP: the two ops are the same */
    em_corrections joined;  /* EM_E_OVERLAP, `holds_otherwise`: those that are one with others, and
                               those that are in another then */
    bool holds_otherwise; /* all ops would hold in a sequence, or with those that overlap as one */
    em_near_files near_files; /* EM_E_NOT_FOUND, EM_E_OUTSIDE, EM_E_IS_FOLDER: which file may be
                                 meant; not of em_run_open() */
    struct em_outcome *there; /* of the same changes, planned in the file that is clearly meant;
                                 `further` and `next` are of those then. NULL: not known */
    size_t same_as; /* em_run_edits: the request that is about the same file, if that is what is
                       wrong; else EM_NPOS */

    bool is_open; /* `file` is: until em_outcome_drop */
    em_file file; /* `path` and `rel` are NULL where it could not be opened */
    em_text text;
    em_lines lines;
    em_plan plan;
    em_dom_plan dom;            /* what became of the request's dom_ops; without any, zeros */
    em_meant meant;             /* of the dom_ops that failed */
    const char *encoding_meant; /* those failed since the encoding is not known, and all are done in
                                   this one, which the page says it has; else NULL */
    em_diff diff;

    bool merged;             /* the file had changed, and the edit was carried over */
    em_stale_lines stale;    /* why it could not be */
    bool created;            /* the file was not there before */
    bool committed;          /* something was written: false for a dry run and for no change */
    const char *edit_id;     /* "" where nothing was recorded */
    em_hash hash;            /* of the content after the call; "" where the file is not there */
    uint64_t size;           /* the same in bytes */
    int64_t mtime_ms;        /* of the file after the call */
    const char *backup_path; /* relative to the root; NULL */
    size_t misses; /* how often in a row, with this one, the caller asked of the text of this file
                      what cannot be done; 0 where that is not why it failed */
    em_warnings warnings;
} em_outcome;

/* Is it known what the op at fault should be in the file that is clearly meant? Not where some of
 * its lines are no longer in that: then the place need not be the one that is meant, either. */
bool em_is_corrected_there(const em_outcome *outcome);

/* Do it. The outcome is always filled, says itself whether it succeeded (the return value is
 * outcome->status), and is to be dropped in either case. Strings live in `arena`. */
em_status em_run_edit(em_session *session, const em_edit_request *request, em_arena *arena,
                      em_outcome *outcome);

/* ---- Several files, all or nothing -------------------------------------------------------- */

/* What became of a call as a whole. */
typedef struct em_several {
    em_status status;
    em_error error;
    size_t culprit; /* the first request at fault; `count` where none is */
} em_several;

/* Do all of the requests, each of another file, or none. The first says for all whether it is a dry
 * run, whether it continues a call, and what the progress is.
 *
 * Every outcome is filled, as far as it came, and is to be dropped in either case; where something
 * failed, `status` of each says what is wrong with that file, EM_OK where nothing is, and none is
 * `committed`. A file that is named twice is EM_E_INVALID, as em_ws_open_files() says. */
em_status em_run_edits(em_session *session, const em_edit_request *requests, size_t count,
                       em_arena *arena, em_outcome *outcomes, em_several *result);

/* ---- The same in steps -------------------------------------------------------------------- */

/* For callers that plan by themselves in between: the request's ops, policy and diff are not looked
 * at, nor its progress, and there is no merging. em_run_open() fills outcome->file, ->text and
 * ->lines (locked, unless it is a dry run) and is to be dropped also where it fails;
 * em_run_commit() takes a plan made on them and answers as em_run_edit() does. A file can be
 * committed once. */
em_status em_run_open(em_session *session, const em_edit_request *request, em_arena *arena,
                      em_outcome *outcome);
em_status em_run_commit(em_session *session, const em_edit_request *request, const em_plan *plan,
                        em_arena *arena, em_outcome *outcome);

/* What a change may let a file grow to where neither the session nor the dialect has a limit. */
#define EM_GROWTH_MOST (UINT64_C(1) << 30)

/* ---- Limits ------------------------------------------------------------------------------- */

/* Are `edits`, over all files of a call, too many? `most` is the dialect's own limit (0: none); the
 * session's wins. EM_E_TOO_MANY_EDITS. */
em_status em_session_check_edits(const em_session *session, size_t edits, uint64_t most,
                                 em_error *err);

/* ---- Reading a file ----------------------------------------------------------------------- */

typedef struct em_read_request {
    const char *path;
    const char *encoding;
    size_t first_line, last_line; /* from 1, both included; 0: from the start, to the end */
    uint64_t max_file_size;
    bool remember;       /* for changes with em_edit_request.recall */
    bool text_alone;     /* the answer has no place for warnings: those wait for the next one */
    const char *session; /* as in em_edit_request */
    bool stateless;
} em_read_request;

/* Read text: outcome->text and ->lines, and *content, the lines asked for with their raw endings
 * and without a BOM. A range may end beyond the file; one that begins there is EM_E_INVALID /
 * EM_CAUSE_RANGE with outcome->lines filled. */
em_status em_run_read(em_session *session, const em_read_request *request, em_arena *arena,
                      em_slice *content, em_outcome *outcome);

/* ---- After the answer --------------------------------------------------------------------- */

/* Forget what would come of the changes in the file that is clearly meant (outcome->there): it
 * cannot be told. */
void em_outcome_forget_there(em_session *session, em_outcome *outcome);

/* Close the file and its lock. What the outcome holds is gone then, what the arena holds is not. */
void em_outcome_drop(em_session *session, em_outcome *outcome);

/* What the file is called in the outcome's diff. */
static inline em_diff_names em_outcome_diff_names(const em_outcome *outcome)
{
    return (em_diff_names){.path = outcome->file.rel, .created = !outcome->file.exists};
}

#endif
