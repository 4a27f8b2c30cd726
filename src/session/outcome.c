#include "session/outcome.h"

#include "base/clock.h"

void em_outcome_init(em_outcome *outcome)
{
    *outcome = (em_outcome){.edit_id = "", .error = EM_ERROR_INIT, .same_as = EM_NPOS};
}

em_status em_outcome_finish(em_outcome *outcome, em_status status)
{
    outcome->status = status;
    return em_fail_at_least(&outcome->error, status);
}

void em_outcome_note_state(em_outcome *outcome)
{
    outcome->is_open = true;
    if (outcome->file.exists)
        outcome->hash = outcome->file.hash;
    outcome->size = outcome->file.size;
    outcome->mtime_ms = em_ms_of(outcome->file.stat.mtime);
}

em_status em_outcome_note_names(em_session *session, const char *path, em_arena *arena,
                                em_outcome *outcome, em_status failure)
{
    em_file *file = &outcome->file;
    if (failure == EM_E_NOMEM)
        return failure;
    *file = (em_file){0};
    EM_TRY(em_ws_names_of(session->workspace, path, arena, &file->path, &file->rel));
    return failure;
}

em_status em_outcome_note_near_files(em_session *session, const char *path, em_arena *arena,
                                     em_outcome *outcome, em_status failure)
{
    enum { MOST_SOUGHT = 8 };
    bool is_missing = failure == EM_E_NOT_FOUND && outcome->error.cause != EM_CAUSE_TWIN_NAME;
    bool is_no_file = is_missing || failure == EM_E_OUTSIDE || failure == EM_E_IS_FOLDER;
    if (!is_no_file || session->sought == MOST_SOUGHT)
        return failure;
    session->sought++;
    EM_TRY(em_ws_near_files(session->workspace, path, arena, &outcome->near_files));
    if (outcome->near_files.is_late)
        session->sought = MOST_SOUGHT;
    return failure;
}

em_stamp em_outcome_stamp(const em_outcome *outcome)
{
    return (em_stamp){outcome->mtime_ms, outcome->size, outcome->hash};
}

void em_outcome_forget_there(em_session *session, em_outcome *outcome)
{
    em_outcome_drop(session, outcome->there);
    outcome->there = NULL;
    outcome->further = (em_corrections){0};
    outcome->next = (em_next_failure){0};
}

void em_outcome_drop(em_session *session, em_outcome *outcome)
{
    if (outcome->there)
        em_outcome_forget_there(session, outcome);
    if (outcome->is_open)
        em_file_close(session->workspace, &outcome->file);
    outcome->is_open = false;
}

uint64_t em_limit(uint64_t of_session, uint64_t of_dialect)
{
    return of_session > 0 ? of_session : of_dialect;
}
