/* file_run.h: a call of changes while it runs, and its steps.
 *
 * run.c has the steps and the calls of one file; expected.c what is expected of the file; blame.c
 * whose mistake a failure is; convoy.c takes several files through the same steps. A step that
 * fails says why in the outcome's error.
 */
#ifndef EM_SESSION_FILE_RUN_H
#define EM_SESSION_FILE_RUN_H

#include "session/ahead.h"
#include "session/merge.h"
#include "session/outcome.h"
#include "session/windowed.h"

/* What is told of many splices is found out while they are written. */
typedef struct em_telling {
    em_errand errand;
    em_deadline deadline; /* the errand's own: that of the call goes on beside it */
    em_warnings remarks;  /* the errand's own until it has ended */
    size_t warned;        /* how many warnings there were before */
} em_telling;

static inline void em_telling_drop(em_telling *telling)
{
    em_errand_drop(&telling->errand);
}

/* One file of one call. */
typedef struct em_file_run {
    em_session *session;
    const em_edit_request *request;
    em_arena *arena;
    em_outcome *outcome;
    em_merge *merge;       /* NULL: it cannot be merged */
    em_windowed *windowed; /* for a file that is too large to be held; NULL: it must not be */
    em_ahead *ahead;       /* what is done while the file is read; NULL: nothing */
    em_telling *telling;   /* how many splices are told of; NULL: at once */
} em_file_run;

/* ---- What is asked (run.c) ---- */

/* How its file is opened. */
em_intent em_file_run_intent(const em_file_run *run);
unsigned em_file_run_flags(const em_file_run *run);
uint64_t em_file_run_max_size(const em_file_run *run);

/* Is nothing written, whatever comes out? */
bool em_file_run_is_dry(const em_file_run *run);

/* ---- The steps, in their order (run.c) ---- */

/* Every call begins so, once. What is to be told waits where it may be told to nobody, or where the
 * answer has no place for it. */
em_status em_file_run_begin(const em_file_run *run);

/* Opening failed: which file may be meant, unless it would be made, and what would come of the call
 * there. Returns the failure, or EM_E_NOMEM. */
em_status em_file_run_note_near_files(const em_file_run *run, em_status failure);

/* The file that was opened against what the request expects of it. */
em_status em_file_run_check_file(const em_file_run *run);

/* The file as text. What is rewritten whole need not have been text before: then it is taken as
 * bytes that are replaced by UTF-8. */
em_status em_file_run_open_text(const em_file_run *run);

/* What is to be changed, with what is told of it, which is there when its errand has ended.
 * What is done although an op failed is in the outcome's plan. */
em_status em_file_run_plan(const em_file_run *run);

/* What is to be changed on the disk; *nothing: there is nothing to do. */
em_status em_file_run_make_change(const em_file_run *run, em_change *change, bool *nothing);

/* Something is to be written: may it be? What opens a file only to read writes nothing. */
em_status em_file_run_check_change(const em_file_run *run, const em_change *change);

/* A change that could be written now passes who must allow it (consent_gate.h). */
em_status em_file_run_pass_gate(const em_file_run *run, const em_change *change);

/* It was written. */
em_status em_file_run_note_commit(const em_file_run *run, const em_change *change,
                                  const em_commit_report *report);

/* Tell who follows the call. */
void em_file_run_progress(const em_file_run *run, em_stage stage);

/* ---- Mistakes in a row (blame.c) ---- */

/* What became of the call: one more of them, or the first success. */
void em_file_run_count_mistakes(const em_file_run *run, em_status status);

/* ---- What the caller knows of the file (expected.c) ---- */

/* Is the file what the caller says of it, or read? A conflict, or, where the edit is to be merged
 * and can be, run->merge says with which version. */
em_status em_file_run_check_expected(const em_file_run *run);

/* After a change the caller knows the file as it is now, if it knew it as it was. */
void em_file_run_remember(const em_file_run *run);

#endif
