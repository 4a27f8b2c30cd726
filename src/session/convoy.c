/* convoy.c: a call of several files, all of them or none.
 *
 * All are opened and planned before any is written, so that the answer tells what is wrong with
 * each; then one commit takes those where there is something to do. Each step of one file is that
 * of a call of one file (file_run.h).
 */
#include "session/consent_gate.h"
#include "session/file_run.h"
#include "session/observe.h"

/* A call of several files while it runs. */
typedef struct convoy {
    em_file_run *runs;
    em_wanted *wanted;
    em_part *parts; /* of those where there is something to do */
    em_change *changes;
    em_merge *merges;
    em_windowed *windows;
    size_t *part_of; /* which run a part is of */
    size_t count, part_count;
    em_arena *arena;
    em_several *result;
} convoy;

static em_status convoy_init(convoy *c, em_session *session, const em_edit_request *requests,
                             em_outcome *outcomes)
{
    c->runs = em_alloc_array(c->arena, c->count, sizeof *c->runs);
    c->wanted = em_alloc_array(c->arena, c->count, sizeof *c->wanted);
    c->parts = em_alloc_array(c->arena, c->count, sizeof *c->parts);
    c->changes = em_alloc_array(c->arena, c->count, sizeof *c->changes);
    c->merges = em_alloc_array(c->arena, c->count, sizeof *c->merges);
    c->windows = em_alloc_array(c->arena, c->count, sizeof *c->windows);
    c->part_of = em_alloc_array(c->arena, c->count, sizeof *c->part_of);
    if (!c->runs || !c->wanted || !c->parts || !c->changes || !c->merges || !c->windows ||
        !c->part_of)
        return EM_E_NOMEM;
    for (size_t i = 0; i < c->count; i++) {
        em_file_run *run = &c->runs[i];
        *run = (em_file_run){.session = session,
                             .request = &requests[i],
                             .arena = c->arena,
                             .outcome = &outcomes[i],
                             .merge = &c->merges[i],
                             .windowed = &c->windows[i]};
        c->wanted[i] = (em_wanted){.path = requests[i].path,
                                   .flags = em_file_run_flags(run),
                                   .max_size = em_file_run_max_size(run)};
    }
    return EM_OK;
}

/* What became of one file; the first failure is that of the call. */
static void note_result(const convoy *c, size_t index, em_status status)
{
    em_outcome *outcome = c->runs[index].outcome;
    em_outcome_finish(outcome, status);
    if (status == EM_OK || c->result->status != EM_OK)
        return;
    c->result->status = status;
    c->result->error = outcome->error;
    c->result->culprit = index;
}

static em_status plan_opened(const em_file_run *run)
{
    EM_TRY(em_file_run_open_text(run));
    return em_file_run_plan(run);
}

static void plan_one(const convoy *c, size_t index)
{
    const em_file_run *run = &c->runs[index];
    run->outcome->file = c->wanted[index].file;
    em_status status = em_file_run_check_file(run);
    note_result(c, index, status == EM_OK ? plan_opened(run) : status);
    if (run->outcome->file.is_large)
        em_large_rest(run->session->workspace, &run->outcome->file);
}

/* A file that is not there: did it go while somebody was asked about it? Then it is open. */
static bool went_meanwhile(const em_session *session, em_wanted *w)
{
    const em_error missing = w->error;
    if (w->status != EM_E_NOT_FOUND || !session->consent)
        return false;
    w->flags |= EM_MAY_BE_MISSING;
    bool is_open = em_ws_open_files(session->workspace, w, 1, EM_TO_PREVIEW) == EM_OK;
    if (is_open && !w->file.exists && em_consent_overtaken(session, &w->file))
        return true;
    if (is_open)
        em_file_close(session->workspace, &w->file);
    w->status = EM_E_NOT_FOUND;
    w->error = missing;
    return false;
}

static bool open_again(const em_session *session, em_wanted *w)
{
    return w->status == EM_OK ? em_ws_open_files(session->workspace, w, 1, EM_TO_PREVIEW) == EM_OK
                              : went_meanwhile(session, w);
}

/* Some of them cannot even be opened: what is wrong with the others is told with it. */
static void plan_the_others(const convoy *c)
{
    for (size_t i = 0; i < c->count; i++) {
        em_wanted *w = &c->wanted[i];
        em_outcome *outcome = c->runs[i].outcome;
        outcome->same_as = w->same_as;
        if (open_again(c->runs->session, w)) {
            plan_one(c, i);
            continue;
        }
        outcome->error = w->error;
        note_result(c, i, em_file_run_note_near_files(&c->runs[i], w->status));
    }
}

/* What cannot be written is told of each of them. */
static em_status make_parts(convoy *c)
{
    for (size_t i = 0; i < c->count; i++) {
        const em_file_run *run = &c->runs[i];
        em_part *part = &c->parts[c->part_count];
        bool nothing;
        em_status status = em_file_run_make_change(run, &c->changes[i], &nothing);
        if (status == EM_OK && !nothing)
            status = em_file_run_check_change(run, &c->changes[i]);
        note_result(c, i, status);
        if (status == EM_E_NOMEM)
            return status;
        if (status != EM_OK || nothing)
            continue;
        *part = (em_part){.file = &run->outcome->file, .change = &c->changes[i]};
        c->part_of[c->part_count++] = i;
    }
    return c->result->status;
}

/* Each file fails for itself: all of them were refused, or were asked about. */
static em_status pass_gates(const convoy *c)
{
    for (size_t i = 0; i < c->part_count; i++) {
        size_t index = c->part_of[i];
        note_result(c, index, em_file_run_pass_gate(&c->runs[index], c->parts[i].change));
    }
    return c->result->status;
}

static em_status commit_all(convoy *c)
{
    em_workspace *workspace = c->runs->session->workspace;
    size_t culprit;
    EM_TRY(pass_gates(c));
    if (em_file_run_is_dry(c->runs))
        return EM_OK;
    em_status status =
        em_ws_commit_all(workspace, c->parts, c->part_count, c->arena, &culprit, &c->result->error);
    c->result->status = status;
    c->result->culprit = culprit < c->part_count ? c->part_of[culprit] : c->count;
    if (status != EM_OK && c->result->culprit < c->count) {
        c->runs[c->result->culprit].outcome->error = c->result->error;
        em_outcome_finish(c->runs[c->result->culprit].outcome, status);
    }
    for (size_t i = 0; i < c->part_count && status == EM_OK; i++)
        status = em_file_run_note_commit(&c->runs[c->part_of[i]], c->parts[i].change,
                                         &c->parts[i].report);
    return status;
}

static em_status check_all_edits(const convoy *c)
{
    size_t edits = 0;
    for (size_t i = 0; i < c->count; i++)
        edits += c->runs[i].request->op_count + c->runs[i].request->dom_op_count;
    return em_session_check_edits(c->runs->session, edits, c->runs->request->max_edits,
                                  &c->result->error);
}

static em_status several_steps(convoy *c)
{
    const em_file_run *first = c->runs;
    EM_TRY(em_file_run_begin(first));
    EM_TRY(check_all_edits(c));
    em_status opened =
        em_ws_open_files(first->session->workspace, c->wanted, c->count, em_file_run_intent(first));
    if (opened != EM_OK) {
        plan_the_others(c);
        return c->result->status;
    }
    em_file_run_progress(first, EM_STAGE_READ);
    for (size_t i = 0; i < c->count; i++)
        plan_one(c, i);
    EM_TRY(c->result->status);
    em_file_run_progress(first, EM_STAGE_PLANNED);
    EM_TRY(make_parts(c));
    if (first->request->dry_run)
        return EM_OK;
    return commit_all(c);
}

em_status em_run_edits(em_session *session, const em_edit_request *requests, size_t count,
                       em_arena *arena, em_outcome *outcomes, em_several *result)
{
    convoy c = {.count = count, .arena = arena, .result = result};
    *result = (em_several){.culprit = count, .error = EM_ERROR_INIT};
    for (size_t i = 0; i < count; i++)
        em_outcome_init(&outcomes[i]);
    em_status status = convoy_init(&c, session, requests, outcomes);
    if (status == EM_OK)
        status = several_steps(&c);
    result->status = em_fail_at_least(&result->error, status);
    for (size_t i = 0; i < count && c.runs && status != EM_E_NOMEM; i++) {
        if (status == EM_OK || outcomes[i].status != EM_OK)
            em_file_run_count_mistakes(&c.runs[i], outcomes[i].status);
        em_file_run_remember(&c.runs[i]);
        em_observe_edit(session, &requests[i], &outcomes[i], arena, (em_observed_place){i, count});
    }
    return status;
}
