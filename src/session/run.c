/* run.c: request -> outcome.
 *
 * Each call goes the same way: settle what is due, open the file, read it as text, plan, and then,
 * unless it is a dry run, or nothing changes, or somebody has to be asked first (consent_gate.h),
 * commit. Whatever fails is in the outcome, with all
 * that was known by then, so that the answer can say what is there instead.
 */
#include "session/consent_gate.h"
#include "session/correct.h"
#include "session/merge.h"
#include "session/observe.h"
#include "session/plan.h"
#include "session/run_impl.h"
#include "session/session_state.h"
#include "session/windowed.h"

#include "workspace/versions.h"

#include <inttypes.h>
#include <stdio.h>

/* One call while it runs. */
typedef struct runner {
    em_session *session;
    const em_edit_request *request;
    em_arena *arena;
    em_outcome *outcome;
    em_merge *merge;       /* NULL: it cannot be merged */
    em_windowed *windowed; /* for a file that is too large to be held; NULL: it must not be */
} runner;

/* A call that only asks is never done. */
static void progress(const runner *run, em_stage stage)
{
    bool is_early = stage == EM_STAGE_DONE && em_consent_asks(run->session);
    if (run->request->progress && !is_early)
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

/* What the caller knows of the file that the outcome is about; false: nothing. */
static bool recall(const runner *run, em_stamp *stamp)
{
    const em_edit_request *request = run->request;
    const char *caller = em_session_caller(run->session, request->session, request->stateless);
    return caller && em_session_recall(run->session, caller, run->outcome->file.path, stamp);
}

static em_status check_hash(const runner *run, const char *expected)
{
    const char *hash = run->outcome->hash.hex;
    if (strcmp(expected, hash) == 0)
        return EM_OK;
    return em_fail_cause(&run->outcome->error, EM_E_CONFLICT, EM_CAUSE_CHANGED,
                         "its content has the hash %s, not the expected %s", hash, expected);
}

static em_status check_size(const runner *run, int64_t expected)
{
    int64_t size = (int64_t)run->outcome->size;
    if (size == expected)
        return EM_OK;
    return em_fail_cause(&run->outcome->error, EM_E_CONFLICT, EM_CAUSE_CHANGED,
                         "it has %" PRId64 " bytes, not the expected %" PRId64, size, expected);
}

static em_status check_mtime(const runner *run, int64_t expected)
{
    int64_t mtime = run->outcome->mtime_ms;
    if (mtime == expected)
        return EM_OK;
    return em_fail_cause(&run->outcome->error, EM_E_CONFLICT, EM_CAUSE_CHANGED,
                         "it was last changed at %" PRId64 " ms, not at the expected %" PRId64
                         " ms",
                         mtime, expected);
}

/* The file against what the caller last read of it. */
static em_status check_recalled(const runner *run)
{
    em_stamp stamp;
    bool is_known = run->request->recall != EM_RECALL_NOT && recall(run, &stamp);
    if (!run->outcome->file.exists)
        return EM_OK;
    if (!is_known && run->request->recall == EM_RECALL_DEMANDED)
        return em_fail(&run->outcome->error, EM_E_EXISTS, "the file was not read before");
    if (!is_known)
        return EM_OK;
    EM_TRY(check_size(run, (int64_t)stamp.size));
    EM_TRY(check_mtime(run, stamp.mtime_ms));
    return check_hash(run, stamp.hash.hex);
}

/* Is what the caller says of size and time what is remembered of the file? */
static bool repeats(const em_edit_request *request, const em_stamp *stamp)
{
    return (!request->expected_size || *request->expected_size == (int64_t)stamp->size) &&
           (!request->expected_mtime_ms || *request->expected_mtime_ms == stamp->mtime_ms);
}

/* The file against what the caller says of it, which wins over what is remembered. Who only repeats
 * a part of that means the content, too. */
static em_status check_expected(const runner *run)
{
    const em_edit_request *request = run->request;
    bool expects = request->expected_hash || request->expected_size || request->expected_mtime_ms;
    em_stamp stamp;
    bool is_known = request->recall != EM_RECALL_NOT && recall(run, &stamp);
    if (!expects)
        return check_recalled(run);
    if (!run->outcome->file.exists)
        return em_fail_cause(&run->outcome->error, EM_E_CONFLICT, EM_CAUSE_CHANGED,
                             "the file is gone");
    if (request->expected_size)
        EM_TRY(check_size(run, *request->expected_size));
    if (request->expected_mtime_ms)
        EM_TRY(check_mtime(run, *request->expected_mtime_ms));
    if (request->expected_hash)
        return check_hash(run, request->expected_hash);
    return is_known && repeats(request, &stamp) ? check_hash(run, stamp.hash.hex) : EM_OK;
}

/* Which version the caller read, as far as it or its memory says; false where neither does. */
static bool version_read(const runner *run, em_hash *hash)
{
    const em_edit_request *request = run->request;
    em_stamp stamp;
    if (request->expected_hash) {
        bool is_hash = strlen(request->expected_hash) == sizeof hash->hex - 1;
        if (is_hash)
            memcpy(hash->hex, request->expected_hash, sizeof hash->hex);
        return is_hash;
    }
    if (!recall(run, &stamp) || !repeats(request, &stamp))
        return false;
    *hash = stamp.hash;
    return true;
}

/* A version of a large file is not kept; one that may be held is asked for. */
static em_status hold_for_merge(const runner *run)
{
    em_outcome *outcome = run->outcome;
    em_error why = EM_ERROR_INIT;
    if (!outcome->file.is_large)
        return EM_OK;
    em_status status = em_large_load(run->session->workspace, &outcome->file, &why);
    if (status != EM_E_TOO_LARGE) {
        outcome->error = status == EM_OK ? outcome->error : why;
        return status;
    }
    em_error was = outcome->error;
    return em_fail_cause(&outcome->error, was.code, was.cause,
                         "%s; versions of files of this size are not kept, so the edit cannot be "
                         "carried over",
                         was.detail);
}

/* The same, where a file that has changed is no conflict yet. */
static em_status check_or_merge(const runner *run)
{
    em_outcome *outcome = run->outcome;
    em_status status = check_expected(run);
    bool may_merge = status == EM_E_CONFLICT && run->request->merge && run->merge;
    if (!may_merge || !outcome->file.exists || !version_read(run, &run->merge->base))
        return status;
    if (!em_hash_eq(run->merge->base, outcome->file.hash))
        EM_TRY(hold_for_merge(run));
    outcome->error = EM_ERROR_INIT;
    run->merge->is_wanted = !em_hash_eq(run->merge->base, outcome->file.hash);
    return EM_OK;
}

/* After a change the caller knows the file as it is now, if it knew it as it was. */
static void remember_change(const runner *run)
{
    em_outcome *outcome = run->outcome;
    const em_edit_request *request = run->request;
    const char *caller = em_session_caller(run->session, request->session, request->stateless);
    em_stamp stamp;
    if (outcome->committed && recall(run, &stamp) &&
        (request->recall != EM_RECALL_NOT || em_hash_eq(stamp.hash, outcome->file.hash)))
        em_session_remember(run->session, caller, outcome->file.path, em_outcome_stamp(outcome));
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
    if (outcome->file.is_large)
        return em_windowed_text(run->windowed);
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

/* The text of a file that is refused for what it holds, for the answer to show; NOMEM is its only
 * failure. A large one is not shown. */
static em_status open_refused(const runner *run, em_status refusal)
{
    em_outcome *outcome = run->outcome;
    const em_error why = outcome->error;
    if (!outcome->file.exists || outcome->file.is_large)
        return refusal;
    em_status status = open_text(run);
    if (status == EM_E_NOMEM)
        return status;
    if (status != EM_OK)
        outcome->text = (em_text){0};
    outcome->error = why;
    return refusal;
}

/* The file that was opened against what the request expects of it. */
static em_status check_file(const runner *run)
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
    status = check_or_merge(run);
    return status == EM_OK ? EM_OK : open_refused(run, status);
}

/* Is nothing written, whatever comes out? */
static bool is_dry(const runner *run)
{
    return run->request->dry_run || em_consent_holds_back(run->session);
}

/* How a file is opened for this request. */
static em_intent intent_of(const runner *run)
{
    if (run->request->is_preview && em_ws_is_read_only(run->session->workspace))
        return EM_TO_READ;
    return is_dry(run) ? EM_TO_PREVIEW : EM_TO_CHANGE;
}

static unsigned flags_of(const runner *run)
{
    unsigned flags = run->request->existence == EM_MUST_EXIST ? 0 : EM_MAY_BE_MISSING;
    return run->windowed ? flags | em_windowed_flags(run->request) : flags;
}

static uint64_t max_size_of(const runner *run)
{
    return em_limit(run->session->max_file_size, run->request->max_file_size);
}

static em_status open_as(const runner *run, unsigned flags)
{
    return em_ws_open_file(run->session->workspace, run->request->path, intent_of(run), flags,
                           max_size_of(run), &run->outcome->file, &run->outcome->error);
}

/* A file that is missing: is it one all the same that the call is about? An earlier change, which
 * was only noted, may make it; or it went while somebody was asked. */
static bool is_known_though_missing(const runner *run, const em_file *file)
{
    if (em_consent_notes(run->session))
        return em_consent_makes(run->session, file->path);
    return em_consent_overtaken(run->session, file);
}

static em_status open_missing(const runner *run)
{
    em_outcome *outcome = run->outcome;
    const em_error missing = outcome->error;
    em_status status = open_as(run, flags_of(run) | EM_MAY_BE_MISSING);
    if (status == EM_OK && is_known_though_missing(run, &outcome->file)) {
        outcome->error = EM_ERROR_INIT;
        return EM_OK;
    }
    if (status == EM_OK)
        em_file_close(run->session->workspace, &outcome->file);
    outcome->error = missing;
    return EM_E_NOT_FOUND;
}

static em_status open_file(const runner *run)
{
    em_status status = open_as(run, flags_of(run));
    if (status == EM_E_NOT_FOUND && run->session->consent)
        status = open_missing(run);
    if (status == EM_OK)
        return check_file(run);
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

static void note_failed_op(const runner *run)
{
    em_outcome *outcome = run->outcome;
    ptrdiff_t edit = outcome->error.edit;
    if (edit >= 0 && outcome->dom.failed_count == 0)
        outcome->failed_op = &run->request->ops[edit];
}

/* What a file may grow to. Where no limit is set there is one all the same: a replacement of a
 * replacement soon fills a disk. */
static size_t most_bytes(const runner *run)
{
    uint64_t most = max_size_of(run);
    if (most == 0)
        most = EM_GROWTH_MOST + (run->outcome->file.is_large ? run->outcome->file.size : 0);
    return most < SIZE_MAX ? (size_t)most : SIZE_MAX;
}

/* An answer tells no more places than these, and each takes some memory. */
enum { MOST_PLACES_TOLD = 10000 };

static em_policy policy_of(const runner *run)
{
    em_policy policy = run->request->policy;
    policy.most_bytes = most_bytes(run);
    policy.most_places = MOST_PLACES_TOLD;
    policy.allow_placeholders = policy.allow_placeholders || run->session->allow_placeholders;
    policy.deadline = deadline_of_call(run->session);
    return policy;
}

static em_status plan_merge(const runner *run)
{
    em_policy policy = policy_of(run);
    return em_merge_plan(run->merge, run->session->workspace, run->request, &policy, run->arena,
                         run->outcome);
}

/* `is_missing`: what is searched for is known to be nowhere literally. */
static em_status plan_whole(const runner *run, bool is_missing)
{
    const em_edit_request *request = run->request;
    em_outcome *outcome = run->outcome;
    em_policy policy = policy_of(run);
    policy.is_missing = is_missing && request->op_count == 1;
    em_plan_base base = {&outcome->text, &outcome->lines};
    em_status status = em_plan_request(request, base, &policy, run->arena, outcome);
    if (status == EM_E_NO_MATCH)
        EM_TRY(em_correct_further(request, base, &policy, run->arena, outcome));
    return status;
}

/* On the extract of a large file, or on all of it where that does not do. */
static em_status plan_windowed(const runner *run)
{
    em_outcome *outcome = run->outcome;
    bool is_known, can;
    em_status status = em_windowed_plan(run->windowed, policy_of(run), &is_known);
    if (is_known)
        return status;
    status = em_windowed_load(run->windowed, &can);
    if (!can)
        return status;
    outcome->error = EM_ERROR_INIT;
    outcome->done = 0;
    EM_TRY(em_lines_init(&outcome->text, run->arena, &outcome->lines));
    return plan_whole(run, em_windowed_misses_all(run->windowed));
}

static em_status make_plan(const runner *run)
{
    if (run->merge && run->merge->is_wanted)
        return plan_merge(run);
    return run->outcome->text.extract ? plan_windowed(run) : plan_whole(run, false);
}

static em_status plan_edit(const runner *run)
{
    const em_edit_request *request = run->request;
    em_outcome *outcome = run->outcome;
    EM_TRY(em_lines_init(&outcome->text, run->arena, &outcome->lines));
    em_status status = make_plan(run);
    note_failed_op(run);
    em_plan_drop_ineffective(outcome);
    if (request->want_diff)
        EM_TRY(em_diff_of_text(&outcome->text, &outcome->lines, outcome->plan.splices,
                               request->diff_limits, run->arena, &outcome->diff));
    return status;
}

/* ---- Committing ---------------------------------------------------------------------------- */

static em_status make_origin(const runner *run, em_origin *origin)
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
static em_status describe_bytes(const runner *run, em_change *change)
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

/* What is to be changed on the disk; *nothing: there is nothing to do. */
static em_status make_change(const runner *run, em_change *change, bool *nothing)
{
    em_outcome *outcome = run->outcome;
    *change = (em_change){.backup = run->request->backup && outcome->file.exists};
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

static em_status note_commit(const runner *run, const em_change *change,
                             const em_commit_report *report)
{
    em_outcome *outcome = run->outcome;
    em_version_was_made(run->session->workspace, &outcome->file, change->splices, report->hash);
    outcome->committed = true;
    outcome->created = !outcome->file.exists;
    outcome->hash = report->hash;
    outcome->size = report->size;
    outcome->mtime_ms = em_mtime_ms(report->mtime);
    outcome->backup_path = report->backup_path;
    outcome->edit_id = em_arena_string(run->arena, em_slice_of(report->edit_id));
    if (!outcome->edit_id)
        outcome->edit_id = "";
    return em_warnings_pass_on(&report->warnings, &outcome->warnings, run->arena);
}

/* What is shown to who is asked. */
static em_status show_change(const runner *run, em_consent_change *shown)
{
    const em_outcome *outcome = run->outcome;
    em_diff_names names = {outcome->file.rel, !outcome->file.exists, false};
    em_diff diff;
    EM_TRY(em_diff_of_text(&outcome->text, &outcome->lines, outcome->plan.splices,
                           run->session->consent->diff_limits, run->arena, &diff));
    shown->diff = em_diff_render(&diff, names, run->arena);
    shown->diff_truncated = diff.truncated;
    shown->lines_added = diff.lines_added;
    shown->lines_removed = diff.lines_removed;
    return shown->diff ? EM_OK : EM_E_NOMEM;
}

/* A change that could be written now. */
static em_status pass_gate(const runner *run, const em_change *change)
{
    em_outcome *outcome = run->outcome;
    em_consent_change shown = {.file = &outcome->file,
                               .diff = "",
                               .how = outcome->file.exists ? EM_INTENDED_EDIT : EM_INTENDED_MAKE,
                               .splices = change->splices};
    if (em_consent_asks(run->session))
        EM_TRY(show_change(run, &shown));
    return em_consent_pass(run->session, &shown, &outcome->error);
}

/* Something is to be written: may it be? What opens a file only to read writes nothing. */
static em_status check_change(const runner *run, const em_change *change)
{
    if (intent_of(run) == EM_TO_READ)
        return EM_OK;
    return em_ws_check_change(run->session->workspace, &run->outcome->file, change,
                              &run->outcome->error);
}

static em_status commit(const runner *run)
{
    em_outcome *outcome = run->outcome;
    em_change change;
    em_commit_report report = {0};
    bool nothing;
    EM_TRY(make_change(run, &change, &nothing));
    if (nothing)
        return EM_OK;
    EM_TRY(check_change(run, &change));
    if (run->request->dry_run && !em_consent_rehearses(run->session))
        return EM_OK;
    EM_TRY(pass_gate(run, &change));
    if (is_dry(run))
        return EM_OK;
    EM_TRY(em_ws_commit(run->session->workspace, &outcome->file, &change, run->arena, &report,
                        &outcome->error));
    return note_commit(run, &change, &report);
}

/* ---- The calls ----------------------------------------------------------------------------- */

/* Every change begins so. What is to be told waits where it may be told to nobody, or where the
 * answer has no place for it. */
static em_status begin(const runner *run)
{
    if (!run->request->continues) {
        run->session->calls++;
        run->session->deadline_runs = false;
    }
    if (em_consent_asks(run->session) || run->request->is_preview)
        return EM_OK;
    return em_session_tell(run->session, run->arena, &run->outcome->warnings);
}

static em_status check_edits(const runner *run, size_t edits)
{
    return em_session_check_edits(run->session, edits, run->request->max_edits,
                                  &run->outcome->error);
}

static em_status edit_steps(const runner *run)
{
    EM_TRY(begin(run));
    EM_TRY(check_edits(run, run->request->op_count + run->request->dom_op_count));
    EM_TRY(open_file(run));
    EM_TRY(open_text(run));
    progress(run, EM_STAGE_READ);
    em_status planned = plan_edit(run);
    if (planned != EM_OK && run->outcome->done == 0)
        return planned;
    progress(run, EM_STAGE_PLANNED);
    em_status committed = commit(run);
    if (committed != EM_OK) {
        run->outcome->error.edit = EM_NO_EDIT;
        run->outcome->failed_op = NULL;
        return committed;
    }
    progress(run, EM_STAGE_DONE);
    return planned;
}

/* What was only noted leaves the file as it was before the first change of it. */
static void note_kept(const runner *run)
{
    em_outcome *outcome = run->outcome;
    if (outcome->is_open && !outcome->committed)
        em_consent_found(run->session, outcome->file.path, &outcome->hash, &outcome->size);
}

/* Did an edit fail for what it asks of the text? Not for what others do or forbid: then the file is
 * not to be written anew either. */
static bool is_mistake(const runner *run, em_status status)
{
    em_cause cause = run->outcome->error.cause;
    if (run->request->existence != EM_MUST_EXIST)
        return false;
    return status == EM_E_NO_MATCH || status == EM_E_COUNT || status == EM_E_OVERLAP ||
           (status == EM_E_INVALID && cause != EM_CAUSE_PATTERN && cause != EM_CAUSE_RANGE) ||
           (status == EM_E_TIMEOUT && run->outcome->error.edit != EM_NO_EDIT);
}

static void count_mistakes(const runner *run, em_status status)
{
    em_outcome *outcome = run->outcome;
    const char *caller =
        em_session_caller(run->session, run->request->session, run->request->stateless);
    if (!caller || !outcome->is_open)
        return;
    if (is_mistake(run, status))
        outcome->misses = em_session_miss(run->session, caller, outcome->file.path);
    else if (status == EM_OK)
        em_session_hit(run->session, caller, outcome->file.path);
}

em_status em_run_edit(em_session *session, const em_edit_request *request, em_arena *arena,
                      em_outcome *outcome)
{
    em_merge merge = {.is_wanted = false};
    em_windowed windowed;
    em_outcome_init(outcome);
    runner run = {session, request, arena, outcome, &merge, &windowed};
    em_status status = edit_steps(&run);
    note_kept(&run);
    count_mistakes(&run, status);
    remember_change(&run);
    em_outcome_finish(outcome, status);
    em_observe_edit(session, request, outcome, arena, (em_observed_place){0, 1});
    return status;
}

/* ---- Several files ------------------------------------------------------------------------- */

/* A call of several files while it runs. */
typedef struct convoy {
    runner *runners;
    em_wanted *wanted;
    em_part *parts; /* of those where there is something to do */
    em_change *changes;
    em_merge *merges;
    em_windowed *windows;
    size_t *part_of; /* which runner a part is of */
    size_t count, part_count;
    em_arena *arena;
    em_several *result;
} convoy;

static em_status convoy_init(convoy *c, em_session *session, const em_edit_request *requests,
                             em_outcome *outcomes)
{
    c->runners = em_alloc_array(c->arena, c->count, sizeof *c->runners);
    c->wanted = em_alloc_array(c->arena, c->count, sizeof *c->wanted);
    c->parts = em_alloc_array(c->arena, c->count, sizeof *c->parts);
    c->changes = em_alloc_array(c->arena, c->count, sizeof *c->changes);
    c->merges = em_alloc_array(c->arena, c->count, sizeof *c->merges);
    c->windows = em_alloc_array(c->arena, c->count, sizeof *c->windows);
    c->part_of = em_alloc_array(c->arena, c->count, sizeof *c->part_of);
    if (!c->runners || !c->wanted || !c->parts || !c->changes || !c->merges || !c->windows ||
        !c->part_of)
        return EM_E_NOMEM;
    for (size_t i = 0; i < c->count; i++) {
        runner *run = &c->runners[i];
        *run =
            (runner){session, &requests[i], c->arena, &outcomes[i], &c->merges[i], &c->windows[i]};
        c->wanted[i] = (em_wanted){
            .path = requests[i].path, .flags = flags_of(run), .max_size = max_size_of(run)};
    }
    return EM_OK;
}

/* What became of one file; the first failure is that of the call. */
static void note_result(const convoy *c, size_t index, em_status status)
{
    em_outcome *outcome = c->runners[index].outcome;
    em_outcome_finish(outcome, status);
    if (status == EM_OK || c->result->status != EM_OK)
        return;
    c->result->status = status;
    c->result->error = outcome->error;
    c->result->culprit = index;
}

static em_status plan_opened(const runner *run)
{
    EM_TRY(open_text(run));
    return plan_edit(run);
}

static void plan_one(const convoy *c, size_t index)
{
    const runner *run = &c->runners[index];
    run->outcome->file = c->wanted[index].file;
    em_status status = check_file(run);
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
        em_outcome *outcome = c->runners[i].outcome;
        outcome->same_as = w->same_as;
        if (open_again(c->runners->session, w)) {
            plan_one(c, i);
            continue;
        }
        outcome->error = w->error;
        note_result(c, i, w->status);
    }
}

/* What cannot be written is told of each of them. */
static em_status make_parts(convoy *c)
{
    for (size_t i = 0; i < c->count; i++) {
        const runner *run = &c->runners[i];
        em_part *part = &c->parts[c->part_count];
        bool nothing;
        em_status status = make_change(run, &c->changes[i], &nothing);
        if (status == EM_OK && !nothing)
            status = check_change(run, &c->changes[i]);
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
        note_result(c, index, pass_gate(&c->runners[index], c->parts[i].change));
    }
    return c->result->status;
}

static em_status commit_all(convoy *c)
{
    em_workspace *workspace = c->runners->session->workspace;
    size_t culprit;
    EM_TRY(pass_gates(c));
    if (is_dry(c->runners))
        return EM_OK;
    em_status status =
        em_ws_commit_all(workspace, c->parts, c->part_count, c->arena, &culprit, &c->result->error);
    c->result->status = status;
    c->result->culprit = culprit < c->part_count ? c->part_of[culprit] : c->count;
    if (status != EM_OK && c->result->culprit < c->count) {
        c->runners[c->result->culprit].outcome->error = c->result->error;
        em_outcome_finish(c->runners[c->result->culprit].outcome, status);
    }
    for (size_t i = 0; i < c->part_count && status == EM_OK; i++)
        status = note_commit(&c->runners[c->part_of[i]], c->parts[i].change, &c->parts[i].report);
    return status;
}

static em_status check_all_edits(const convoy *c)
{
    size_t edits = 0;
    for (size_t i = 0; i < c->count; i++)
        edits += c->runners[i].request->op_count + c->runners[i].request->dom_op_count;
    return em_session_check_edits(c->runners->session, edits, c->runners->request->max_edits,
                                  &c->result->error);
}

static em_status several_steps(convoy *c)
{
    const runner *first = c->runners;
    EM_TRY(begin(first));
    EM_TRY(check_all_edits(c));
    em_status opened =
        em_ws_open_files(first->session->workspace, c->wanted, c->count, intent_of(first));
    if (opened != EM_OK) {
        plan_the_others(c);
        return c->result->status;
    }
    progress(first, EM_STAGE_READ);
    for (size_t i = 0; i < c->count; i++)
        plan_one(c, i);
    EM_TRY(c->result->status);
    progress(first, EM_STAGE_PLANNED);
    EM_TRY(make_parts(c));
    if (first->request->dry_run)
        return EM_OK;
    EM_TRY(commit_all(c));
    progress(first, EM_STAGE_DONE);
    return EM_OK;
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
    result->status = status;
    if (status != EM_OK && result->error.code != status)
        em_fail(&result->error, status, status == EM_E_NOMEM ? "out of memory" : "");
    for (size_t i = 0; i < count && c.runners && status != EM_E_NOMEM; i++) {
        if (status == EM_OK || outcomes[i].status != EM_OK)
            count_mistakes(&c.runners[i], outcomes[i].status);
        remember_change(&c.runners[i]);
        em_observe_edit(session, &requests[i], &outcomes[i], arena, (em_observed_place){i, count});
    }
    return status;
}

/* ---- In steps ------------------------------------------------------------------------------ */

static em_status open_steps(const runner *run)
{
    EM_TRY(begin(run));
    EM_TRY(open_file(run));
    EM_TRY(open_text(run));
    return em_lines_init(&run->outcome->text, run->arena, &run->outcome->lines);
}

em_status em_run_open(em_session *session, const em_edit_request *request, em_arena *arena,
                      em_outcome *outcome)
{
    em_outcome_init(outcome);
    runner run = {session, request, arena, outcome, NULL, NULL};
    return em_outcome_finish(outcome, open_steps(&run));
}

em_status em_run_commit(em_session *session, const em_edit_request *request, const em_plan *plan,
                        em_arena *arena, em_outcome *outcome)
{
    runner run = {session, request, arena, outcome, NULL, NULL};
    outcome->error = EM_ERROR_INIT;
    outcome->plan = *plan;
    em_plan_drop_ineffective(outcome);
    em_status status = check_edits(&run, plan->op_count);
    if (status == EM_OK)
        status = commit(&run);
    remember_change(&run);
    em_outcome_finish(outcome, status);
    em_observe_edit(session, request, outcome, arena, (em_observed_place){0, 1});
    return status;
}
