#include "session/elsewhere.h"

#include "session/consent_gate.h"

bool em_is_corrected_there(const em_outcome *outcome)
{
    const em_diagnosis *diagnosis = outcome->there ? outcome->there->failure.diagnosis : NULL;
    return diagnosis && diagnosis->has_correction && diagnosis->miss != EM_MISS_STALE;
}

static em_status steps(const em_file_run *run)
{
    em_outcome *outcome = run->outcome;
    EM_TRY(em_ws_open_file(run->session->workspace, run->request->path, em_file_run_intent(run),
                           em_file_run_flags(run), em_file_run_max_size(run), &outcome->file,
                           &outcome->error));
    EM_TRY(em_file_run_check_file(run));
    EM_TRY(em_file_run_open_text(run));
    return em_file_run_plan(run);
}

/* The op that is known to fail there, and of which no correction is known. */
static em_next_failure failure_of(const em_outcome *there)
{
    const em_error *error = &there->error;
    bool is_of_element = there->dom.failed_count > 0;
    if (there->status == EM_OK || error->edit < 0)
        return (em_next_failure){.is_known = false};
    return (em_next_failure){.is_known = true,
                             .op = (size_t)error->edit,
                             .status = there->status,
                             .cause = error->cause,
                             .expected = there->failure.expected,
                             .actual = there->failure.actual,
                             .reason =
                                 is_of_element ? there->dom.outcomes[error->edit].reason : NULL};
}

static void note(em_outcome *outcome, em_outcome *there)
{
    outcome->there = there;
    if (em_is_corrected_there(outcome)) {
        outcome->further = there->further;
        outcome->next = there->next;
    } else {
        outcome->next = failure_of(there);
    }
}

/* What was allowed, or not, was so for other files, and is none of this one's business. What is
 * only noted so far would be there. */
static em_status steps_alone(const em_file_run *run)
{
    em_session *session = run->session;
    em_consent *consent = session->consent;
    if (!em_consent_notes(session))
        session->consent = NULL;
    em_status status = steps(run);
    session->consent = consent;
    return status;
}

em_status em_try_elsewhere(const em_file_run *run)
{
    const em_near_files *near = &run->outcome->near_files;
    em_edit_request request = *run->request;
    em_merge merge = {.is_wanted = false};
    em_windowed windowed;
    if (!near->is_clear)
        return EM_OK;
    em_outcome *there = em_alloc(run->arena, sizeof *there);
    if (!there)
        return EM_E_NOMEM;
    em_outcome_init(there);
    request.path = near->paths[0];
    request.dry_run = true;
    request.want_diff = false;
    request.policy.keep_previews = false;
    em_file_run at = {.session = run->session,
                      .request = &request,
                      .arena = run->arena,
                      .outcome = there,
                      .merge = &merge,
                      .windowed = &windowed};
    em_outcome_finish(there, steps_alone(&at));
    note(run->outcome, there);
    return there->status == EM_E_NOMEM ? EM_E_NOMEM : EM_OK;
}
