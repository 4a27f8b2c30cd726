/* run.c: request -> outcome.
 *
 * Each call goes the same way: settle what is due, open the file, read it as text, plan, and then,
 * unless it is a dry run or nothing changes, commit. Whatever fails is in the outcome, with all
 * that was known by then, so that the answer can say what is there instead.
 */
#include "session/session_state.h"

#include <inttypes.h>

/* One call while it runs. */
typedef struct runner {
    em_session *session;
    const em_edit_request *request;
    em_arena *arena;
    em_outcome *outcome;
} runner;

static void progress(const runner *run, em_stage stage)
{
    if (run->request->progress)
        run->request->progress(run->request->progress_context, stage);
}

/* The session's limit where it has one, else the dialect's. */
static uint64_t limit(uint64_t of_session, uint64_t of_dialect)
{
    return of_session > 0 ? of_session : of_dialect;
}

static em_status pass_on(const em_warnings *from, em_warnings *to, em_arena *arena)
{
    for (size_t i = 0; i < from->count; i++)
        EM_TRY(em_warn(to, arena, "%s", from->items[i]));
    return EM_OK;
}

static em_status check_edit_count(const runner *run)
{
    uint64_t most = limit(run->session->max_edits, run->request->max_edits);
    if (most > 0 && run->request->op_count > most)
        return em_fail(&run->outcome->error, EM_E_TOO_MANY_EDITS,
                       "%zu edits; at most %" PRIu64 " are taken in one call",
                       run->request->op_count, most);
    return EM_OK;
}

/* ---- Opening ------------------------------------------------------------------------------- */

static em_status check_expected_hash(const runner *run)
{
    const char *expected = run->request->expected_hash;
    const em_file *file = &run->outcome->file;
    if (!expected || (file->exists && strcmp(expected, file->hash.hex) == 0))
        return EM_OK;
    if (!file->exists)
        return em_fail_cause(&run->outcome->error, EM_E_CONFLICT, EM_CAUSE_CHANGED,
                             "the file is gone; expected_hash %s was given", expected);
    return em_fail_cause(&run->outcome->error, EM_E_CONFLICT, EM_CAUSE_CHANGED,
                         "its content has the hash %s, not the expected %s", file->hash.hex,
                         expected);
}

static em_status open_file(const runner *run)
{
    const em_edit_request *request = run->request;
    em_outcome *outcome = run->outcome;
    em_intent intent = request->dry_run ? EM_TO_PREVIEW : EM_TO_CHANGE;
    unsigned flags = request->existence == EM_MUST_EXIST ? 0 : EM_MAY_BE_MISSING;
    EM_TRY(em_ws_open_file(run->session->workspace, request->path, intent, flags,
                           limit(run->session->max_file_size, request->max_file_size),
                           &outcome->file, &outcome->error));
    outcome->is_open = true;
    outcome->hash = outcome->file.hash;
    outcome->size = outcome->file.bytes.len;
    if (request->existence == EM_MUST_BE_NEW && outcome->file.exists)
        return em_fail(&outcome->error, EM_E_EXISTS, "the file is there already");
    return check_expected_hash(run);
}

static bool rewrites_all(const em_edit_request *request)
{
    return request->op_count == 1 && request->ops[0].kind == EM_OP_REWRITE;
}

/* The file as text. What is rewritten whole need not have been text before: then it is taken as
 * bytes that are replaced by UTF-8. */
static em_status open_text(const runner *run)
{
    const em_edit_request *request = run->request;
    em_outcome *outcome = run->outcome;
    if (!outcome->file.exists)
        return em_text_new(request->encoding, run->arena, &outcome->text, &outcome->error);
    em_status status = em_text_open(outcome->file.bytes, request->encoding, run->arena,
                                    &outcome->text, &outcome->error);
    bool was_no_text =
        status == EM_E_BINARY || (status == EM_OK && outcome->text.encoding == EM_BYTES);
    if (!rewrites_all(request) || !was_no_text)
        return status;
    EM_TRY(em_text_new(NULL, run->arena, &outcome->text, &outcome->error));
    outcome->text.raw = outcome->text.body = outcome->file.bytes;
    outcome->error = EM_ERROR_INIT;
    return EM_OK;
}

/* ---- Planning ------------------------------------------------------------------------------ */

static em_status plan_edit(const runner *run)
{
    const em_edit_request *request = run->request;
    em_outcome *outcome = run->outcome;
    em_policy policy = request->policy;
    policy.allow_placeholders = policy.allow_placeholders || run->session->allow_placeholders;
    EM_TRY(em_lines_init(&outcome->text, run->arena, &outcome->lines));
    EM_TRY(em_plan_make(&outcome->text, &outcome->lines, &policy, request->ops, request->op_count,
                        run->arena, &outcome->plan, &outcome->failure, &outcome->error));
    if (!request->want_diff)
        return EM_OK;
    return em_diff_make(outcome->text.body, outcome->plan.splices, request->diff_limits, run->arena,
                        &outcome->diff);
}

/* ---- Committing ---------------------------------------------------------------------------- */

static em_status make_origin(const runner *run, em_origin *origin)
{
    em_session *session = run->session;
    const char *named = run->request->session;
    char *call = em_arena_format(run->arena, "%s-%" PRIu64, session->name, ++session->calls);
    if (!call)
        return EM_E_NOMEM;
    *origin = (em_origin){.tool = run->request->tool,
                          .client = session->client,
                          .session = named ? named : session->name,
                          .call = call};
    return EM_OK;
}

/* A file that is made begins with the bytes that its encoding begins with. */
static em_status put_bom_before(const em_text *text, em_arena *arena, em_splices *splices)
{
    em_slice insert = splices->count > 0 ? splices->items[0].insert : (em_slice){0};
    em_splice *whole = em_alloc(arena, sizeof *whole);
    char *bytes = em_alloc_raw(arena, text->raw.len + insert.len);
    if (!whole || !bytes)
        return EM_E_NOMEM;
    memcpy(bytes, text->raw.ptr, text->raw.len);
    if (insert.len > 0)
        memcpy(bytes + text->raw.len, insert.ptr, insert.len);
    whole->insert = em_slice_make(bytes, text->raw.len + insert.len);
    *splices = (em_splices){whole, 1};
    return EM_OK;
}

static em_status commit(const runner *run)
{
    em_outcome *outcome = run->outcome;
    em_change change = {.backup = run->request->backup && outcome->file.exists};
    em_commit_report report = {0};
    EM_TRY(em_text_splices_to_raw(&outcome->text, outcome->plan.splices, run->arena,
                                  &change.splices, &outcome->error));
    if (!outcome->file.exists && outcome->text.raw.len > 0)
        EM_TRY(put_bom_before(&outcome->text, run->arena, &change.splices));
    bool nothing_to_do = change.splices.count == 0 && outcome->file.exists;
    if (run->request->dry_run || nothing_to_do)
        return EM_OK;
    EM_TRY(make_origin(run, &change.origin));
    EM_TRY(em_ws_commit(run->session->workspace, &outcome->file, &change, run->arena, &report,
                        &outcome->error));
    outcome->committed = true;
    outcome->created = !outcome->file.exists;
    outcome->hash = report.hash;
    outcome->size = report.size;
    outcome->backup_path = report.backup_path;
    outcome->edit_id = em_arena_string(run->arena, em_slice_of(report.edit_id));
    if (!outcome->edit_id)
        outcome->edit_id = "";
    return pass_on(&report.warnings, &outcome->warnings, run->arena);
}

/* ---- The calls ----------------------------------------------------------------------------- */

static void outcome_init(em_outcome *outcome)
{
    *outcome = (em_outcome){.edit_id = "", .error = EM_ERROR_INIT};
}

/* What was kept for the grace period and changed since is told with the next answer. */
static em_status settle(em_session *session, em_arena *arena, em_outcome *outcome)
{
    EM_TRY(pass_on(&session->untold, &outcome->warnings, arena));
    session->untold = (em_warnings){0};
    em_arena_drop(&session->untold_arena);
    return em_ws_settle(session->workspace, false, arena, &outcome->warnings);
}

static em_status finish(em_outcome *outcome, em_status status)
{
    outcome->status = status;
    if (status != EM_OK && outcome->error.code != status)
        em_fail(&outcome->error, status, status == EM_E_NOMEM ? "out of memory" : "");
    return status;
}

static em_status edit_steps(const runner *run)
{
    EM_TRY(settle(run->session, run->arena, run->outcome));
    EM_TRY(check_edit_count(run));
    EM_TRY(open_file(run));
    EM_TRY(open_text(run));
    progress(run, EM_STAGE_READ);
    EM_TRY(plan_edit(run));
    progress(run, EM_STAGE_PLANNED);
    EM_TRY(commit(run));
    progress(run, EM_STAGE_DONE);
    return EM_OK;
}

em_status em_run_edit(em_session *session, const em_edit_request *request, em_arena *arena,
                      em_outcome *outcome)
{
    outcome_init(outcome);
    runner run = {session, request, arena, outcome};
    return finish(outcome, edit_steps(&run));
}

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

static em_status read_steps(em_session *session, const em_read_request *request, em_arena *arena,
                            em_slice *content, em_outcome *outcome)
{
    EM_TRY(settle(session, arena, outcome));
    EM_TRY(em_ws_open_file(session->workspace, request->path, EM_TO_READ, 0,
                           limit(session->max_file_size, request->max_file_size), &outcome->file,
                           &outcome->error));
    outcome->is_open = true;
    outcome->hash = outcome->file.hash;
    outcome->size = outcome->file.bytes.len;
    EM_TRY(em_text_open(outcome->file.bytes, request->encoding, arena, &outcome->text,
                        &outcome->error));
    EM_TRY(em_lines_init(&outcome->text, arena, &outcome->lines));
    return lines_asked_for(request, outcome, content);
}

em_status em_run_read(em_session *session, const em_read_request *request, em_arena *arena,
                      em_slice *content, em_outcome *outcome)
{
    *content = (em_slice){0};
    outcome_init(outcome);
    return finish(outcome, read_steps(session, request, arena, content, outcome));
}

void em_outcome_drop(em_session *session, em_outcome *outcome)
{
    if (outcome->is_open)
        em_file_close(session->workspace, &outcome->file);
    outcome->is_open = false;
}
