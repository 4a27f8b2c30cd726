/* run.c: request -> outcome.
 *
 * Each call goes the same way: settle what is due, open the file, read it as text, plan, and then,
 * unless it is a dry run, or nothing changes, or somebody has to be asked first (consent_gate.h),
 * commit. Whatever fails is in the outcome, with all that was known by then, so that the answer can
 * say what is there instead. Begin with edit_steps(). What a file is expected to be is in
 * expected.c, whose mistake a failure is in blame.c, several files are in convoy.c.
 */
#include "base/clock.h"
#include "past/versions.h"
#include "remarks/remarks.h"
#include "session/consent_gate.h"
#include "session/correct.h"
#include "session/elsewhere.h"
#include "session/file_run.h"
#include "session/observe.h"
#include "session/other_encoding.h"
#include "session/plan.h"
#include "session/trial.h"

#include <inttypes.h>
#include <string.h>

void em_file_run_progress(const em_file_run *run, em_stage stage)
{
    if (run->request->progress)
        run->request->progress(run->request->progress_context, stage);
}

em_status em_session_check_edits(const em_session *session, size_t edits, uint64_t most,
                                 em_error *err)
{
    most = em_limit(session->max_edits, most);
    if (most > 0 && edits > most)
        return em_fail(err, EM_E_TOO_MANY_EDITS,
                       "%zu edits; at most %" PRIu64 " are taken in one call", edits, most);
    return EM_OK;
}

/* ---- Opening ------------------------------------------------------------------------------- */

static bool rewrites_all(const em_edit_request *request)
{
    return request->op_count == 1 && request->ops[0].kind == EM_OP_REWRITE;
}

em_status em_file_run_open_text(const em_file_run *run)
{
    const em_edit_request *request = run->request;
    em_outcome *outcome = run->outcome;
    if (!outcome->file.exists)
        return em_text_new(request->encoding, run->arena, &outcome->text, &outcome->error);
    if (outcome->file.is_large)
        return em_windowed_text(run->windowed);
    em_status status = em_text_open(outcome->file.bytes, request->encoding, run->arena,
                                    &outcome->text, &outcome->error);
    bool was_no_text =
        status == EM_E_BINARY || (status == EM_OK && outcome->text.encoding == EM_BYTES);
    if (!rewrites_all(request) || !was_no_text)
        return status;
    outcome->error = EM_ERROR_INIT;
    return em_text_open_to_rewrite(outcome->file.bytes, run->arena, &outcome->text);
}

/* The text of a file that is refused for what it holds, for the answer to show; NOMEM is its only
 * failure. A large one is not shown. */
static em_status open_refused(const em_file_run *run, em_status refusal)
{
    em_outcome *outcome = run->outcome;
    const em_error why = outcome->error;
    if (!outcome->file.exists || outcome->file.is_large)
        return refusal;
    em_status status = em_file_run_open_text(run);
    if (status == EM_E_NOMEM)
        return status;
    if (status != EM_OK)
        outcome->text = (em_text){0};
    outcome->error = why;
    return refusal;
}

/* A file that would be made, under a name that is how others write paths. */
static em_status check_new_name(const em_file_run *run)
{
    em_outcome *outcome = run->outcome;
    bool is_foreign;
    if (outcome->file.exists || run->request->existence == EM_MUST_EXIST)
        return EM_OK;
    EM_TRY(em_ws_is_foreign_path(run->session->workspace, run->request->path, run->arena,
                                 &is_foreign, &outcome->near_files));
    return is_foreign
               ? em_fail(&outcome->error, EM_E_NOT_FOUND, "no such name is given to a new file")
               : EM_OK;
}

em_status em_file_run_check_file(const em_file_run *run)
{
    em_outcome *outcome = run->outcome;
    outcome->is_open = true;
    EM_TRY(em_consent_overlay(run->session, run->arena, &outcome->file, &outcome->error));
    if (outcome->file.is_large) {
        *run->windowed = (em_windowed){.ws = run->session->workspace,
                                       .request = run->request,
                                       .arena = run->arena,
                                       .outcome = outcome};
        EM_TRY(em_windowed_open(run->windowed));
    }
    em_outcome_note_state(outcome);
    em_status status = em_consent_check_file(run->session, &outcome->file, &outcome->error);
    if (status != EM_OK)
        return open_refused(run, status);
    if (run->request->existence == EM_MUST_BE_NEW && outcome->file.exists)
        return em_fail(&outcome->error, EM_E_EXISTS, "the file is there already");
    EM_TRY(check_new_name(run));
    status = em_file_run_check_expected(run);
    return status == EM_OK ? EM_OK : open_refused(run, status);
}

bool em_file_run_is_dry(const em_file_run *run)
{
    const em_session *session = run->session;
    return run->request->dry_run || session->is_trial || em_consent_holds_back(session);
}

em_intent em_file_run_intent(const em_file_run *run)
{
    if (run->request->to_look ||
        (run->request->is_preview && em_ws_is_read_only(run->session->workspace)))
        return EM_TO_READ;
    return em_file_run_is_dry(run) ? EM_TO_PREVIEW : EM_TO_CHANGE;
}

unsigned em_file_run_flags(const em_file_run *run)
{
    unsigned flags = run->request->existence == EM_MUST_EXIST ? 0 : EM_MAY_BE_MISSING;
    return run->windowed ? flags | em_windowed_flags(run->request) : flags;
}

uint64_t em_file_run_max_size(const em_file_run *run)
{
    return em_limit(run->session->max_file_size, run->request->max_file_size);
}

static em_status open_as(const em_file_run *run, unsigned flags)
{
    return em_ws_open_file(run->session->workspace, run->request->path, em_file_run_intent(run),
                           flags, em_file_run_max_size(run), &run->outcome->file,
                           &run->outcome->error);
}

/* A file that is missing: is it one all the same that the call is about? An earlier change, which
 * was only noted, may make it; or it went while somebody was asked. */
static bool is_known_though_missing(const em_file_run *run, const em_file *file)
{
    if (em_consent_notes(run->session))
        return em_consent_makes(run->session, file->path);
    return em_consent_overtaken(run->session, file);
}

static em_status open_missing(const em_file_run *run)
{
    em_outcome *outcome = run->outcome;
    const em_error missing = outcome->error;
    em_status status = open_as(run, em_file_run_flags(run) | EM_MAY_BE_MISSING);
    if (status == EM_OK && is_known_though_missing(run, &outcome->file)) {
        outcome->error = EM_ERROR_INIT;
        return EM_OK;
    }
    if (status == EM_OK)
        em_file_close(run->session->workspace, &outcome->file);
    outcome->error = missing;
    return EM_E_NOT_FOUND;
}

/* Who would make a file, or write one anew, means no other. */
em_status em_file_run_note_near_files(const em_file_run *run, em_status failure)
{
    if (run->request->existence != EM_MUST_EXIST || rewrites_all(run->request))
        return failure;
    failure = em_outcome_note_near_files(run->session, run->request->path, run->arena, run->outcome,
                                         failure);
    EM_TRY(em_try_elsewhere(run));
    return failure;
}

static em_status open_file(const em_file_run *run)
{
    em_status status = open_as(run, em_file_run_flags(run));
    if (status == EM_E_NOT_FOUND && run->session->consent)
        status = open_missing(run);
    if (status == EM_OK)
        return em_file_run_check_file(run);
    return em_outcome_note_names(run->session, run->request->path, run->arena, run->outcome,
                                 status);
}

/* ---- Planning ------------------------------------------------------------------------------ */

/* The deadline of the call, which runs from its first plan on: what was waited for before (a lock,
 * the disk) does not count. */
static em_deadline *deadline_of_call(em_session *session)
{
    if (!session->deadline_runs)
        session->deadline = em_deadline_in(session->deadline_ms);
    session->deadline_runs = true;
    return &session->deadline;
}

static void note_failed_op(const em_file_run *run)
{
    em_outcome *outcome = run->outcome;
    ptrdiff_t edit = outcome->error.edit;
    if (edit >= 0 && outcome->dom.failed_count == 0)
        outcome->failed_op = &run->request->ops[edit];
}

/* What a file may grow to. Where no limit is set there is one all the same: a replacement of a
 * replacement soon fills a disk. */
static size_t most_bytes(const em_file_run *run)
{
    uint64_t most = em_file_run_max_size(run);
    if (most == 0)
        most = EM_GROWTH_MOST + (run->outcome->file.is_large ? run->outcome->file.size : 0);
    return most < SIZE_MAX ? (size_t)most : SIZE_MAX;
}

/* An answer tells no more places than these, and each takes some memory. */
enum { MOST_PLACES_TOLD = 10000 };

static em_policy policy_of(const em_file_run *run)
{
    em_policy policy = run->request->policy;
    policy.most_bytes = most_bytes(run);
    policy.most_places = MOST_PLACES_TOLD;
    policy.allow_placeholders = policy.allow_placeholders || run->session->allow_placeholders;
    policy.deadline = deadline_of_call(run->session);
    policy.gathered = run->ahead ? &run->ahead->gathered : NULL;
    return policy;
}

static em_planning planning_of(const em_file_run *run, const em_policy *policy)
{
    em_outcome *outcome = run->outcome;
    return (em_planning){
        run->request, {&outcome->text, &outcome->lines}, policy, run->arena, outcome};
}

static em_status plan_merge(const em_file_run *run)
{
    em_policy policy = policy_of(run);
    const em_planning planning = planning_of(run, &policy);
    return em_merge_plan(run->merge, run->session->workspace, &planning);
}

/* `is_missing`: what is searched for is known to be nowhere literally. */
static em_status plan_whole(const em_file_run *run, bool is_missing)
{
    em_policy policy = policy_of(run);
    policy.is_missing = is_missing && run->request->op_count == 1;
    const em_planning planning = planning_of(run, &policy);
    em_status status = em_plan_call(&planning);
    if (run->session->is_trial)
        EM_TRY(em_trial_note(run->session, &planning));
    if (status == EM_E_NO_MATCH || status == EM_E_OVERLAP)
        EM_TRY(em_note_other_ways(&planning));
    if (status == EM_E_NO_MATCH && !run->outcome->holds_otherwise)
        EM_TRY(em_correct_further(&planning));
    return status;
}

/* On the extract of a large file, or on all of it where that does not do: it does not tell what is
 * above the places of a patch that is tried out. */
static em_status plan_windowed(const em_file_run *run)
{
    em_outcome *outcome = run->outcome;
    bool is_known, can;
    em_status status = em_windowed_plan(run->windowed, policy_of(run), &is_known);
    bool is_of_patch = run->session->trial_hunks.count > 0;
    if (is_known && !is_of_patch)
        return status;
    status = em_windowed_load(run->windowed, &can);
    run->session->is_unheld |= is_of_patch && !can;
    if (!can)
        return status;
    outcome->error = EM_ERROR_INIT;
    outcome->done = 0;
    EM_TRY(em_lines_init(&outcome->text, run->arena, &outcome->lines));
    return plan_whole(run, em_windowed_misses_all(run->windowed));
}

static em_status make_plan(const em_file_run *run)
{
    if (run->merge && run->merge->is_wanted)
        return plan_merge(run);
    return run->outcome->text.extract ? plan_windowed(run) : plan_whole(run, false);
}

/* So many take some tenths of a millisecond. */
enum { SPLICES_WORTH_A_THREAD = 2000 };

static em_status make_diff(const em_file_run *run, em_arena *arena)
{
    em_outcome *outcome = run->outcome;
    em_diff_limits limits =
        em_diff_limits_behind(run->request->diff_limits, em_outcome_diff_names(outcome));
    return run->request->want_diff
               ? em_diff_of_text(&outcome->text, &outcome->lines, outcome->plan.splices, limits,
                                 arena, &outcome->diff)
               : EM_OK;
}

static em_status remark(const em_file_run *run, em_deadline *deadline, em_arena *arena,
                        em_warnings *remarks)
{
    em_outcome *outcome = run->outcome;
    em_planned_edit edit = {.lines = &outcome->lines,
                            .is_part = outcome->text.extract,
                            .plan = &outcome->plan,
                            .ops = run->request->ops,
                            .op_count = run->request->op_count,
                            .path = outcome->file.path,
                            .is_dry_run = run->request->dry_run,
                            .allows_placeholders = run->session->allow_placeholders,
                            .deadline = deadline};
    return em_remark(&edit, arena, remarks);
}

/* An em_errand_work of an em_file_run. */
static em_status tell_beside(void *context, em_arena *arena)
{
    const em_file_run *run = context;
    em_telling *telling = run->telling;
    EM_TRY(remark(run, &telling->deadline, arena, &telling->remarks));
    return make_diff(run, arena);
}

/* What is told of the plan: remarks on it, and the diff if it is wanted. */
static em_status tell_plan(const em_file_run *run)
{
    em_outcome *outcome = run->outcome;
    em_deadline *deadline = deadline_of_call(run->session);
    em_telling *telling = run->telling;
    if (!telling || outcome->plan.splices.count < SPLICES_WORTH_A_THREAD) {
        EM_TRY(remark(run, deadline, run->arena, &outcome->warnings));
        return make_diff(run, run->arena);
    }
    telling->deadline = *deadline;
    telling->warned = outcome->warnings.count;
    em_errand_begin(&telling->errand, tell_beside, (void *)run);
    return EM_OK;
}

/* All is told. The remarks stand where they would if they had been made at once: what the change
 * itself warns of comes behind them. */
static em_status end_telling(const em_file_run *run)
{
    em_telling *telling = run->telling;
    em_warnings *warnings = &run->outcome->warnings;
    EM_TRY(em_errand_end(&telling->errand, run->arena));
    if (telling->remarks.count == 0)
        return EM_OK;
    const em_warnings behind = {.items = warnings->items + telling->warned,
                                .count = warnings->count - telling->warned};
    em_warnings all = {.items = NULL};
    warnings->count = telling->warned;
    EM_TRY(em_warnings_add_all(&all, run->arena, warnings));
    EM_TRY(em_warnings_add_all(&all, run->arena, &telling->remarks));
    EM_TRY(em_warnings_add_all(&all, run->arena, &behind));
    *warnings = all;
    return EM_OK;
}

em_status em_file_run_plan(const em_file_run *run)
{
    em_outcome *outcome = run->outcome;
    EM_TRY(em_lines_init(&outcome->text, run->arena, &outcome->lines));
    if (rewrites_all(run->request))
        EM_TRY(em_check_other_encoding(run->request, run->arena, outcome));
    em_status status = make_plan(run);
    note_failed_op(run);
    em_plan_drop_ineffective(outcome);
    EM_TRY(tell_plan(run));
    return status;
}

/* ---- Committing ---------------------------------------------------------------------------- */

static em_status make_origin(const em_file_run *run, em_origin *origin)
{
    const em_edit_request *request = run->request;
    *origin = (em_origin){.tool = request->tool};
    return em_session_origin(run->session, request->session, request->stateless, run->arena,
                             origin);
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

/* How the bytes of the file are to be read, for who looks at the change later. */
static em_status describe_bytes(const em_file_run *run, em_change *change)
{
    const em_text *text = &run->outcome->text;
    if (text->encoding == EM_UTF8 || text->encoding == EM_BYTES)
        return EM_OK;
    change->charset = text->charset;
    return em_text_encode(text, EM_LIT("\n"), run->arena, &change->newline, NULL);
}

static bool is_same(em_slice a, em_slice b)
{
    return a.ptr == b.ptr && a.len == b.len;
}

em_status em_file_run_make_change(const em_file_run *run, em_change *change, bool *nothing)
{
    em_outcome *outcome = run->outcome;
    *change = (em_change){.backup = run->request->backup && outcome->file.exists,
                          .same_call = run->request->same_call};
    EM_TRY(em_text_splices_to_raw(&outcome->text, outcome->plan.splices, run->arena,
                                  &change->splices, &outcome->error));
    if (!outcome->file.exists && outcome->text.raw.len > 0)
        EM_TRY(put_bom_before(&outcome->text, run->arena, &change->splices));
    *nothing = change->splices.count == 0 && outcome->file.exists;
    EM_TRY(describe_bytes(run, change));
    if (is_same(outcome->lines.body, outcome->text.raw))
        change->lines = &outcome->lines;
    return make_origin(run, &change->origin);
}

em_status em_file_run_note_commit(const em_file_run *run, const em_change *change,
                                  const em_commit_report *report)
{
    em_outcome *outcome = run->outcome;
    em_version_was_made(run->session->workspace, &run->session->kept_versions, &outcome->file,
                        change->splices, report->hash);
    outcome->committed = true;
    outcome->created = !outcome->file.exists;
    outcome->hash = report->hash;
    outcome->size = report->size;
    outcome->mtime_ms = em_ms_of(report->mtime);
    outcome->backup_path = report->backup_path;
    outcome->edit_id = em_arena_string(run->arena, em_slice_of(report->edit_id));
    if (!outcome->edit_id)
        outcome->edit_id = "";
    return em_warnings_add_all(&outcome->warnings, run->arena, &report->warnings);
}

/* What is shown to who is asked. */
static em_status show_change(const em_file_run *run, em_consent_change *shown)
{
    const em_outcome *outcome = run->outcome;
    em_diff_names names = em_outcome_diff_names(outcome);
    em_diff_limits limits = em_diff_limits_behind(run->session->consent->diff_limits, names);
    em_diff diff;
    EM_TRY(em_diff_of_text(&outcome->text, &outcome->lines, outcome->plan.splices, limits,
                           run->arena, &diff));
    shown->diff = em_diff_render(&diff, names, run->arena);
    shown->diff_truncated = diff.truncated;
    shown->lines_added = diff.lines_added;
    shown->lines_removed = diff.lines_removed;
    return shown->diff ? EM_OK : EM_E_NOMEM;
}

em_status em_file_run_pass_gate(const em_file_run *run, const em_change *change)
{
    em_outcome *outcome = run->outcome;
    em_consent_change shown = {.file = &outcome->file,
                               .diff = "",
                               .how = outcome->file.exists ? EM_INTENDED_EDIT : EM_INTENDED_MAKE,
                               .splices = change->splices,
                               .backup = change->backup};
    if (em_consent_asks(run->session))
        EM_TRY(show_change(run, &shown));
    return em_consent_pass(run->session, &shown, &outcome->error);
}

/* What a commit would warn of. */
static em_status foretell(const em_file_run *run)
{
    em_outcome *outcome = run->outcome;
    uint32_t names = em_ws_names_left(&outcome->file);
    if (names == 0)
        return EM_OK;
    return names == 1 ? em_warn(&outcome->warnings, run->arena,
                                "A hard link would be broken: the file's other name would keep the "
                                "old content")
                      : em_warn(&outcome->warnings, run->arena,
                                "A hard link would be broken: the file's other %" PRIu32
                                " names would keep the old content",
                                names);
}

em_status em_file_run_check_change(const em_file_run *run, const em_change *change)
{
    if (em_file_run_intent(run) == EM_TO_READ)
        return EM_OK;
    EM_TRY(em_ws_check_change(run->session->workspace, &run->outcome->file, change,
                              &run->outcome->error));
    return run->request->dry_run ? foretell(run) : EM_OK;
}

/* Nothing is to be written, but what the answer says of the file must be so. */
static em_status check_unchanged(const em_file_run *run)
{
    em_outcome *outcome = run->outcome;
    if (em_file_run_is_dry(run))
        return EM_OK;
    return em_ws_check_unchanged(run->session->workspace, &outcome->file, &outcome->error);
}

static em_status commit(const em_file_run *run)
{
    em_outcome *outcome = run->outcome;
    em_change change;
    em_commit_report report = {0};
    bool nothing;
    EM_TRY(em_file_run_make_change(run, &change, &nothing));
    if (nothing)
        return check_unchanged(run);
    EM_TRY(em_file_run_check_change(run, &change));
    if (run->request->dry_run && !em_consent_rehearses(run->session))
        return EM_OK;
    EM_TRY(em_file_run_pass_gate(run, &change));
    if (em_file_run_is_dry(run))
        return EM_OK;
    EM_TRY(em_ws_commit(run->session->workspace, &outcome->file, &change, run->arena, &report,
                        &outcome->error));
    return em_file_run_note_commit(run, &change, &report);
}

/* ---- A call of one file ----------------------------------------------------------------- */

em_status em_file_run_begin(const em_file_run *run)
{
    if (!run->request->continues) {
        run->session->calls++;
        run->session->deadline_runs = false;
        run->session->sought = 0;
    }
    if (em_consent_asks(run->session) || run->request->is_preview || run->session->is_trial)
        return EM_OK;
    return em_session_tell(run->session, run->arena, &run->outcome->warnings);
}

static em_status check_edits(const em_file_run *run, size_t edits)
{
    return em_session_check_edits(run->session, edits, run->request->max_edits,
                                  &run->outcome->error);
}

static em_status edit_steps(const em_file_run *run)
{
    EM_TRY(em_file_run_begin(run));
    EM_TRY(check_edits(run, run->request->op_count + run->request->dom_op_count));
    em_ahead_begin(run->ahead, run->request);
    EM_TRY(em_file_run_note_near_files(run, open_file(run)));
    EM_TRY(em_file_run_open_text(run));
    EM_TRY(em_ahead_end(run->ahead, run->arena));
    em_file_run_progress(run, EM_STAGE_READ);
    em_status planned = em_file_run_plan(run);
    if (planned != EM_OK && run->outcome->done == 0)
        return planned;
    em_file_run_progress(run, EM_STAGE_PLANNED);
    em_status committed = commit(run);
    if (committed != EM_OK) {
        run->outcome->error.edit = EM_NO_EDIT;
        run->outcome->failed_op = NULL;
        return committed;
    }
    return planned;
}

/* What was only noted leaves the file as it was before the first change of it. */
static void note_kept(const em_file_run *run)
{
    em_outcome *outcome = run->outcome;
    if (outcome->is_open && !outcome->committed)
        em_consent_found(run->session, outcome->file.path, &outcome->hash, &outcome->size);
}

em_status em_run_edit(em_session *session, const em_edit_request *request, em_arena *arena,
                      em_outcome *outcome)
{
    em_merge merge = {.is_wanted = false};
    em_windowed windowed;
    EM_AUTO(em_ahead) ahead = {.request = NULL};
    EM_AUTO(em_telling) telling = {.warned = 0};
    em_outcome_init(outcome);
    em_file_run run = {.session = session,
                       .request = request,
                       .arena = arena,
                       .outcome = outcome,
                       .merge = &merge,
                       .windowed = &windowed,
                       .ahead = &ahead,
                       .telling = &telling};
    em_status status = edit_steps(&run), told = end_telling(&run);
    if (status == EM_OK)
        status = told;
    note_kept(&run);
    em_file_run_count_mistakes(&run, status);
    em_file_run_remember(&run);
    em_outcome_finish(outcome, status);
    em_observe_edit(session, request, outcome, arena, (em_observed_place){0, 1});
    return status;
}

/* ---- In steps ------------------------------------------------------------------------------ */

static em_status open_steps(const em_file_run *run)
{
    EM_TRY(em_file_run_begin(run));
    EM_TRY(open_file(run));
    EM_TRY(em_file_run_open_text(run));
    return em_lines_init(&run->outcome->text, run->arena, &run->outcome->lines);
}

em_status em_run_open(em_session *session, const em_edit_request *request, em_arena *arena,
                      em_outcome *outcome)
{
    em_outcome_init(outcome);
    em_file_run run = {.session = session, .request = request, .arena = arena, .outcome = outcome};
    return em_outcome_finish(outcome, open_steps(&run));
}

em_status em_run_commit(em_session *session, const em_edit_request *request, const em_plan *plan,
                        em_arena *arena, em_outcome *outcome)
{
    em_file_run run = {.session = session, .request = request, .arena = arena, .outcome = outcome};
    outcome->error = EM_ERROR_INIT;
    outcome->plan = *plan;
    em_plan_drop_ineffective(outcome);
    em_status status = check_edits(&run, plan->op_count);
    if (status == EM_OK)
        status = commit(&run);
    em_file_run_remember(&run);
    em_outcome_finish(outcome, status);
    em_observe_edit(session, request, outcome, arena, (em_observed_place){0, 1});
    return status;
}
