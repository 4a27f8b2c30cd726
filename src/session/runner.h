/* runner.h: a call of changes while it runs, and its steps.
 *
 * run.c has the steps and the calls of one file; expected.c what is expected of the file; convoy.c
 * takes several files through the same steps. A step that fails says why in the outcome's error.
 */
#ifndef EM_SESSION_RUNNER_H
#define EM_SESSION_RUNNER_H

#include "session/merge.h"
#include "session/run_impl.h"
#include "session/windowed.h"

/* One file of one call. */
typedef struct em_runner {
    em_session *session;
    const em_edit_request *request;
    em_arena *arena;
    em_outcome *outcome;
    em_merge *merge;       /* NULL: it cannot be merged */
    em_windowed *windowed; /* for a file that is too large to be held; NULL: it must not be */
} em_runner;

/* ---- What is asked (run.c) ---- */

/* How its file is opened. */
em_intent em_runner_intent(const em_runner *run);
unsigned em_runner_flags(const em_runner *run);
uint64_t em_runner_max_size(const em_runner *run);

/* Is nothing written, whatever comes out? */
bool em_runner_is_dry(const em_runner *run);

/* ---- The steps, in their order (run.c) ---- */

/* Every call begins so, once. What is to be told waits where it may be told to nobody, or where the
 * answer has no place for it. */
em_status em_runner_begin(const em_runner *run);

/* The file that was opened against what the request expects of it. */
em_status em_runner_check_file(const em_runner *run);

/* The file as text. What is rewritten whole need not have been text before: then it is taken as
 * bytes that are replaced by UTF-8. */
em_status em_runner_open_text(const em_runner *run);

/* What is to be changed, with the diff if it is wanted. What is done although an op failed is in
 * the outcome's plan. */
em_status em_runner_plan(const em_runner *run);

/* What is to be changed on the disk; *nothing: there is nothing to do. */
em_status em_runner_make_change(const em_runner *run, em_change *change, bool *nothing);

/* Something is to be written: may it be? What opens a file only to read writes nothing. */
em_status em_runner_check_change(const em_runner *run, const em_change *change);

/* A change that could be written now passes who must allow it (consent_gate.h). */
em_status em_runner_pass_gate(const em_runner *run, const em_change *change);

/* It was written. */
em_status em_runner_note_commit(const em_runner *run, const em_change *change,
                                const em_commit_report *report);

/* What became of the call, for the mistakes in a row. */
void em_runner_count_mistakes(const em_runner *run, em_status status);

/* Tell who follows the call. One that only asks is never done. */
void em_runner_progress(const em_runner *run, em_stage stage);

/* ---- What the caller knows of the file (expected.c) ---- */

/* Is the file what the caller says of it, or read? A conflict, or, where the edit is to be merged
 * and can be, run->merge says with which version. */
em_status em_runner_check_expected(const em_runner *run);

/* After a change the caller knows the file as it is now, if it knew it as it was. */
void em_runner_remember(const em_runner *run);

#endif
