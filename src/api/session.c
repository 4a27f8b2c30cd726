/* session.c: sessions and their files: open, commit, close. */
#include "api/handles.h"

#include <stdlib.h>

/* ---- Sessions ------------------------------------------------------------------------------ */

_Static_assert((int)EMEND_SYNC_FULL == (int)EM_SYNC_FULL, "public sync");
_Static_assert((int)EMEND_SYNC_DATA == (int)EM_SYNC_DATA, "public sync");
_Static_assert((int)EMEND_SYNC_OFF == (int)EM_SYNC_OFF, "public sync");

static long lock_timeout(long asked_ms)
{
    return asked_ms < 0 ? 0 : asked_ms > 0 ? asked_ms : EM_DEFAULT_LOCK_TIMEOUT_MS;
}

static em_session_options options_of(const emend_session_options *from)
{
    return (em_session_options){
        .workspace = {.roots = from->roots,
                      .root_count = from->root_count,
                      .state_dir = from->state_dir,
                      .sync = (em_sync)from->sync,
                      .no_history = from->no_history,
                      .read_only = from->read_only,
                      .in_place = from->in_place,
                      .allow_owner_change = from->allow_owner_change,
                      .deny = from->deny,
                      .allow = from->allow,
                      .deny_count = from->deny_count,
                      .allow_count = from->allow_count,
                      .lock_timeout_ms = lock_timeout(from->lock_timeout_ms)},
        .max_file_size = from->max_file_size,
        .max_edits = from->max_edits,
        .allow_placeholders = from->allow_placeholders,
        .deadline_ms = EM_DEFAULT_DEADLINE_MS,
        .client = from->client,
    };
}

emend_status emend_session_new(const emend_session_options *options, emend_session **out,
                               emend_error *err)
{
    static const emend_session_options none;
    em_error error = EM_ERROR_INIT;
    options = options ? options : &none;
    *out = NULL;
    if ((unsigned)options->sync > EMEND_SYNC_OFF)
        return em_api_refuse(EMEND_E_INVALID, "no such way to sync", err);
    em_session_options inner = options_of(options);
    emend_session *session = *out = calloc(1, sizeof *session);
    em_status status = session ? em_session_new(&inner, &session->session, &error) : EM_E_NOMEM;
    if (status == EM_OK) {
        session->read_only = inner.workspace.read_only;
        return EMEND_OK;
    }
    free(session);
    *out = NULL;
    return em_api_fail(status, &error, err);
}

void emend_session_free(emend_session *session)
{
    if (session)
        em_session_free(session->session);
    free(session);
}

/* ---- Files --------------------------------------------------------------------------------- */

struct emend_file {
    em_arena arena;
    em_session *session;
    em_edit_request request; /* its strings are in `arena` */
    em_outcome outcome;
    emend_text text;
    char hash[sizeof(em_hash)]; /* of what was read */
    bool spent;                 /* a commit was tried */
};

static em_existence existence_of(unsigned flags)
{
    return flags & EMEND_MUST_BE_NEW      ? EM_MUST_BE_NEW
           : flags & EMEND_MAY_BE_MISSING ? EM_MAY_EXIST
                                          : EM_MUST_EXIST;
}

static em_status request_of(const char *path, const emend_file_options *options, em_arena *arena,
                            em_edit_request *request)
{
    *request = (em_edit_request){.existence = existence_of(options->flags),
                                 .dry_run = options->flags & EMEND_READ_ONLY,
                                 .to_look = options->flags & EMEND_READ_ONLY,
                                 .backup = options->flags & EMEND_BACKUP,
                                 .tool = "libemend"};
    request->path = path;
    request->encoding = options->encoding;
    request->expected_hash = options->expected_hash;
    EM_TRY(em_arena_keep_string(arena, &request->path));
    EM_TRY(em_arena_keep_string(arena, &request->encoding));
    return em_arena_keep_string(arena, &request->expected_hash);
}

static em_status file_fill(emend_file *file, const char *path, const emend_file_options *options)
{
    em_outcome *outcome = &file->outcome;
    outcome->error = EM_ERROR_INIT;
    em_status status = request_of(path, options, &file->arena, &file->request);
    if (status != EM_OK)
        return em_fail(&outcome->error, status, "out of memory");
    EM_TRY(em_run_open(file->session, &file->request, &file->arena, outcome));
    file->text = (emend_text){
        .text = outcome->text, .lines = outcome->lines, .missing = !outcome->file.exists};
    if (outcome->file.exists)
        memcpy(file->hash, outcome->hash.hex, sizeof file->hash);
    return EM_OK;
}

emend_status emend_file_open(emend_session *session, const char *path,
                             const emend_file_options *options, emend_file **out, emend_error *err)
{
    static const emend_file_options none;
    emend_file *file = *out = calloc(1, sizeof *file);
    if (!file)
        return em_api_refuse(EMEND_E_NOMEM, "out of memory", err);
    file->session = session->session;
    em_status status = file_fill(file, path, options ? options : &none);
    if (status == EM_OK)
        return EMEND_OK;
    *out = NULL;
    emend_status failed = em_api_fail(status, &file->outcome.error, err);
    emend_file_close(file);
    return failed;
}

void emend_file_close(emend_file *file)
{
    if (!file)
        return;
    em_outcome_drop(file->session, &file->outcome);
    em_session_tidy(file->session);
    em_arena_drop(&file->arena);
    free(file);
}

const emend_text *emend_file_text(const emend_file *file)
{
    return &file->text;
}

bool emend_file_exists(const emend_file *file)
{
    return !file->text.missing;
}

const char *emend_file_path(const emend_file *file)
{
    return file->outcome.file.path;
}

const char *emend_file_name(const emend_file *file)
{
    return file->outcome.file.rel;
}

const char *emend_file_hash(const emend_file *file)
{
    return file->hash;
}

/* ---- Committing ---------------------------------------------------------------------------- */

/* Why this plan cannot be committed to this file at all; NULL when nothing is in the way. */
static const char *misuse_of(const emend_file *file, const emend_plan *plan)
{
    if (plan->text != &file->text)
        return "the plan is of another text than the file's";
    if (file->request.dry_run)
        return "the file is open for reading only";
    return file->spent ? "the file was committed before: close it and open it again" : NULL;
}

static emend_report report_of(const em_outcome *outcome)
{
    return (emend_report){.written = outcome->committed,
                          .created = outcome->created,
                          .edit_id = outcome->edit_id,
                          .hash = outcome->hash.hex,
                          .size = outcome->size,
                          .mtime_ms = outcome->mtime_ms,
                          .backup_path = outcome->backup_path,
                          .warnings = outcome->warnings.items,
                          .warning_count = outcome->warnings.count};
}

emend_status emend_commit(emend_file *file, const emend_plan *plan, emend_report *report,
                          emend_error *err)
{
    const char *misuse = misuse_of(file, plan);
    em_outcome *outcome = &file->outcome;
    if (report)
        *report = (emend_report){.edit_id = "", .hash = ""};
    if (misuse)
        return em_api_refuse(EMEND_E_INVALID, misuse, err);
    file->spent = true;
    em_status status =
        em_run_commit(file->session, &file->request, &plan->plan, &file->arena, outcome);
    if (status != EM_OK)
        return em_api_fail(status, &outcome->error, err);
    if (report)
        *report = report_of(outcome);
    return EMEND_OK;
}
