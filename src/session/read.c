/* read.c: a file as text, or a range of its lines, from memory or through a window. */
#include "session/outcome.h"

#include "past/versions.h"
#include "session/survey.h"
#include "session/windowed.h"

static em_status lines_asked_for(const em_read_request *request, em_outcome *outcome,
                                 em_slice *content)
{
    size_t count = em_lines_count(&outcome->lines);
    size_t first = request->first_line ? request->first_line : 1;
    size_t last = request->last_line ? request->last_line : count;
    if (last > count)
        last = count;
    if (count == 0 && first == 1) {
        *content = (em_slice){0};
        return EM_OK;
    }
    if (first > count)
        return em_fail_cause(&outcome->error, EM_E_INVALID, EM_CAUSE_RANGE,
                             "line %zu is beyond the end: the file has %zu line%s", first, count,
                             count == 1 ? "" : "s");
    if (last < first)
        return em_fail_cause(&outcome->error, EM_E_INVALID, EM_CAUSE_RANGE,
                             "lines %zu to %zu are no range", first, last);
    *content = em_slice_sub(outcome->text.body, em_lines_line(&outcome->lines, first).start,
                            em_lines_line(&outcome->lines, last).next);
    return EM_OK;
}

/* The lines of a large file that are asked for. */
static em_status read_part(em_session *session, const em_read_request *request, em_arena *arena,
                           em_outcome *outcome)
{
    em_survey survey;
    em_scan_stretch lines;
    size_t first = request->first_line ? request->first_line : 1;
    size_t last = request->last_line ? request->last_line : SIZE_MAX - 1;
    EM_TRY(
        em_survey_make(&survey, session->workspace, &outcome->file, NULL, arena, &outcome->error));
    EM_TRY(em_survey_lines(&survey, first, last, &lines));
    return em_survey_extract(&survey, &lines, 1, 0, &outcome->text);
}

static em_status read_text(em_session *session, const em_read_request *request, em_arena *arena,
                           em_outcome *outcome)
{
    em_status status = EM_OK;
    if (outcome->file.is_large)
        status = read_part(session, request, arena, outcome);
    if (status == EM_E_TOO_LARGE)
        status = em_windowed_load_now(session->workspace, outcome);
    EM_TRY(status);
    if (outcome->file.is_large)
        return EM_OK;
    return em_text_open(outcome->file.bytes, request->encoding, arena, &outcome->text,
                        &outcome->error);
}

static em_status read_steps(em_session *session, const em_read_request *request, em_arena *arena,
                            em_slice *content, em_outcome *outcome)
{
    session->sought = 0;
    if (!request->text_alone && !session->is_trial)
        EM_TRY(em_session_tell(session, arena, &outcome->warnings));
    em_status status = em_ws_open_file(
        session->workspace, request->path, EM_TO_READ, request->encoding ? 0 : EM_MAY_BE_LARGE,
        em_limit(session->max_file_size, request->max_file_size), &outcome->file, &outcome->error);
    if (status != EM_OK) {
        status = em_outcome_note_names(session, request->path, arena, outcome, status);
        return em_outcome_note_near_files(session, request->path, arena, outcome, status);
    }
    outcome->is_open = true;
    status = read_text(session, request, arena, outcome);
    em_outcome_note_state(outcome);
    EM_TRY(status);
    EM_TRY(em_lines_init(&outcome->text, arena, &outcome->lines));
    EM_TRY(lines_asked_for(request, outcome, content));
    if (session->is_trial)
        return EM_OK;
    EM_TRY(em_version_was_read(session->workspace, &session->kept_versions, &outcome->file));
    const char *caller = em_session_caller(session, request->session, request->stateless);
    if (!request->remember || !caller)
        return EM_OK;
    return em_session_remember(session, caller, outcome->file.path, em_outcome_stamp(outcome));
}

em_status em_run_read(em_session *session, const em_read_request *request, em_arena *arena,
                      em_slice *content, em_outcome *outcome)
{
    *content = (em_slice){0};
    em_outcome_init(outcome);
    return em_outcome_finish(outcome, read_steps(session, request, arena, content, outcome));
}
