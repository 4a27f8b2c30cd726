/* undo.c: a call is taken back: chosen, its files opened together, planned one by one, and changed
 * together.
 *
 *  (1) What is to be undone is chosen before its files are locked, and looked at again after: two
 *      who undo the same do it once.
 *  (2) Nothing is written before all files are planned, and before somebody has said yes to it,
 *      where that is needed (consent_gate.h).
 *  (3) What comes to no change of any file is undone as well, and the history has it: else it would
 *      be the last that is in effect for ever.
 */
#include "session/undo_call.h"

#include "base/clock.h"
#include "past/past.h"
#include "past/versions.h"
#include "session/consent_gate.h"
#include "session/session_state.h"
#include "workspace/large.h"
#include "workspace/made_folders.h"

#include <stdlib.h>

bool em_undo_is_dry(const em_undo_call *u)
{
    return u->request->dry_run || u->session->is_trial || em_consent_holds_back(u->session);
}

bool em_undo_asks(const em_undo_call *u)
{
    return !u->request->dry_run && em_consent_asks(u->session);
}

em_status em_undo_fail_as(em_undo_call *u, em_status status, const em_error *why, const char *path)
{
    em_fail_cause(&u->outcome->error, status, why->cause, "%s: %s", path, why->detail);
    return status;
}

em_status em_undo_fail_replaced(em_undo_call *u, const em_undo_site *s, const char *what,
                                const char *more)
{
    u->outcome->conflict.path = s->rel;
    return em_fail_cause(&u->outcome->error, EM_E_CONFLICT, EM_CAUSE_CHANGED, "%s %s%s", s->rel,
                         what, more);
}

/* ---- What becomes of them ------------------------------------------------------------------- */

/* One edit of a large file is taken back through a window; the rest needs it whole. */
static em_status plan_large(em_undo_call *u, em_undo_site *s, em_file *file)
{
    em_status status = EM_E_TOO_LARGE;
    if (s->row_count == 1 && em_row_is_edit(s->rows[0]))
        status = em_undo_plan_large(&s->plan, file, s->rows[0]);
    if (status != EM_E_TOO_LARGE && status != EM_E_BINARY)
        return status;
    u->outcome->error = EM_ERROR_INIT;
    s->plan.part = (em_text){0};
    em_error why = EM_ERROR_INIT;
    status = em_large_load(u->ws, file, &why);
    return status == EM_OK ? em_undo_plan_make(&s->plan, s->rows, s->row_count)
                           : em_undo_fail_as(u, status, &why, s->rel);
}

static em_status plan_site(em_undo_call *u, size_t index)
{
    em_undo_site *s = &u->sites[index];
    em_file *file = &u->wanted[index].file;
    s->plan = (em_undo_plan){.ws = u->ws,
                             .file = file,
                             .conflict = &u->outcome->conflict,
                             .arena = u->arena,
                             .err = &u->outcome->error};
    u->planned = &s->plan;
    if (strcmp(file->path, s->path) != 0)
        return em_undo_fail_replaced(u, s, "leads to another file now: ", file->rel);
    return file->is_large && s->row_count > 0 ? plan_large(u, s, file)
                                              : em_undo_plan_make(&s->plan, s->rows, s->row_count);
}

static bool has_effect(const em_undo_plan *plan)
{
    if (plan->file->exists && plan->exists)
        return plan->splices.count > 0;
    return plan->file->exists || plan->exists;
}

static em_status add_part(em_undo_call *u, size_t index)
{
    em_undo_site *s = &u->sites[index];
    const em_undo_plan *plan = &s->plan;
    if (!has_effect(plan))
        return EM_OK;
    s->change = (em_change){.splices = plan->splices,
                            .origin = u->origin,
                            .charset = plan->charset,
                            .newline = plan->newline,
                            .mode = plan->mode};
    if (!plan->file->exists) {
        em_splice *all = em_alloc(u->arena, sizeof *all);
        if (!all)
            return EM_E_NOMEM;
        all->insert = plan->bytes;
        s->change.splices = (em_splices){all, 1};
    }
    u->parts[u->part_count] = (em_part){.file = &u->wanted[index].file,
                                        .change = &s->change,
                                        .remove = plan->file->exists && !plan->exists};
    u->site_of[u->part_count++] = index;
    return EM_OK;
}

static int by_content(const void *left, const void *right)
{
    const em_part *a = *(const em_part *const *)left, *b = *(const em_part *const *)right;
    int order = strcmp(a->file->hash.hex, b->file->hash.hex);
    return order != 0 ? order : (a > b) - (a < b);
}

/* The first of the files, sorted by their contents, that has this one. NULL: none. */
static const em_file *file_with(const em_part *const *sorted, size_t count, em_hash hash)
{
    size_t first = 0, behind = count;
    while (first < behind) {
        size_t middle = first + (behind - first) / 2;
        if (strcmp(sorted[middle]->file->hash.hex, hash.hex) < 0)
            first = middle + 1;
        else
            behind = middle;
    }
    bool has = first < count && em_hash_eq(sorted[first]->file->hash, hash);
    return has ? sorted[first]->file : NULL;
}

/* A file that is made again, and was moved: what it became goes in the same call, and has its
 * owner and attributes. */
static em_status find_models(em_undo_call *u)
{
    const em_part **removed = em_alloc_array(u->arena, u->part_count, sizeof *removed);
    size_t count = 0;
    if (!removed)
        return EM_E_NOMEM;
    for (size_t i = 0; i < u->part_count; i++) {
        if (u->parts[i].remove)
            removed[count++] = &u->parts[i];
    }
    if (count == 0)
        return EM_OK;
    qsort(removed, count, sizeof *removed, by_content);
    for (size_t i = 0; i < u->part_count; i++) {
        if (!u->parts[i].file->exists)
            u->parts[i].like =
                file_with(removed, count, em_hash_of(u->sites[u->site_of[i]].plan.bytes));
    }
    return EM_OK;
}

static em_status plan_all(em_undo_call *u)
{
    for (size_t i = 0; i < u->count; i++)
        EM_TRY(plan_site(u, i));
    for (size_t i = 0; i < u->count; i++)
        EM_TRY(add_part(u, i));
    return find_models(u);
}

/* ---- Doing it ------------------------------------------------------------------------------ */

/* Who asked knows the files as they are now, if it knew them as they were. */
static void remember(const em_undo_call *u, size_t index)
{
    const em_part *part = &u->parts[index];
    const char *caller = em_session_caller(u->session, u->request->session, u->request->stateless);
    if (!caller)
        return;
    em_stamp known, now = {em_ms_of(part->report.mtime), part->report.size, part->report.hash};
    if (!part->remove && em_session_recall(u->session, caller, part->file->path, &known) &&
        em_hash_eq(known.hash, part->file->hash))
        em_session_remember(u->session, caller, part->file->path, now);
}

/* A success, as that of an edit: the caller's mistakes in these files are forgotten. */
static void forget_mistakes(const em_undo_call *u)
{
    const char *caller = em_session_caller(u->session, u->request->session, u->request->stateless);
    for (size_t i = 0; i < u->part_count && caller; i++)
        em_session_hit(u->session, caller, u->parts[i].file->path);
}

/* Those that had folders made for the files that are gone. A folder was made after the one that it
 * is in, so it comes before that. */
static em_status folder_makers(const em_undo_call *u, em_row **items, size_t *count)
{
    size_t most = 0;
    for (size_t part = 0; part < u->part_count; part++)
        most += u->sites[u->site_of[part]].row_count;
    *count = 0;
    *items = em_alloc_array(u->arena, most, sizeof **items);
    if (!*items)
        return EM_E_NOMEM;
    for (size_t part = u->part_count; part > 0; part--) {
        const em_undo_site *s = &u->sites[u->site_of[part - 1]];
        for (size_t i = u->parts[part - 1].remove ? s->row_count : 0; i > 0; i--) {
            if (s->rows[i - 1]->folders)
                (*items)[(*count)++] = *s->rows[i - 1];
        }
    }
    return EM_OK;
}

/* They went with the files, unless those are kept for the grace period. That ends now, for it would
 * keep them from being empty; with the first of them all go that can, before anything else says
 * that nothing is left to do. */
static em_status remove_folders(em_undo_call *u)
{
    em_row *items;
    size_t count;
    EM_TRY(folder_makers(u, &items, &count));
    const em_rows makers = {.items = items, .count = count};
    for (size_t i = 0; i < count; i++) {
        const char *made = em_made_folder(&items[i], u->arena);
        if (!made)
            return EM_E_NOMEM;
        EM_TRY(em_ws_end_grace_below(u->ws, made, &makers, u->arena, &u->outcome->warnings));
        em_made_folders_remove(u->ws, &items[i]);
    }
    return EM_OK;
}

static em_status note_part(em_undo_call *u, size_t index)
{
    const em_part *part = &u->parts[index];
    em_undone_file *told = &u->outcome->files[index];
    remember(u, index);
    told->hash = part->remove ? (em_hash){.hex = ""} : part->report.hash;
    if (!part->remove)
        em_version_was_made(u->ws, &u->session->kept_versions, part->file, part->change->splices,
                            part->report.hash);
    told->edit_id = em_arena_string(u->arena, em_slice_of(part->report.edit_id));
    EM_TRY(em_warnings_add_all(&u->outcome->warnings, u->arena, &part->report.warnings));
    return told->edit_id ? EM_OK : EM_E_NOMEM;
}

static em_status commit(em_undo_call *u)
{
    size_t culprit;
    em_error why = EM_ERROR_INIT;
    em_status status = em_ws_commit_all(u->ws, u->parts, u->part_count, u->arena, &culprit, &why);
    if (status != EM_OK) {
        u->outcome->error = why;
        return status;
    }
    for (size_t i = 0; i < u->part_count; i++)
        EM_TRY(note_part(u, i));
    return remove_folders(u);
}

static em_status make_origin(em_undo_call *u)
{
    u->origin = (em_origin){.tool = u->request->tool,
                            .role = u->target.role,
                            .bases = u->target.bases,
                            .base_count = u->target.base_count};
    return em_session_origin(u->session, u->request->session, u->request->stateless, u->arena,
                             &u->origin);
}

/* The same sort of change, in the words of each side. */
static em_intended_how how_of(const em_part *part)
{
    if (part->remove)
        return EM_INTENDED_REMOVE;
    return part->file->exists ? EM_INTENDED_EDIT : EM_INTENDED_MAKE;
}

/* No file is changed, so nobody is asked. */
static em_status record_nothing(em_undo_call *u)
{
    bool is_withheld = em_undo_is_dry(u) && !em_undo_asks(u);
    if (is_withheld || u->target.base_count == 0 || u->count == 0)
        return EM_OK;
    return em_ws_record_unchanged(u->ws, &u->wanted[0].file, &u->origin, u->arena,
                                  &u->outcome->error);
}

/* A person's answer is about all files; a conflict about one. */
static em_status fail_gate(em_undo_call *u, em_status status, const em_error *why, const char *rel)
{
    if (status != EM_E_CONFLICT) {
        u->outcome->error = *why;
        return status;
    }
    u->outcome->conflict.path = rel;
    return em_undo_fail_as(u, status, why, rel);
}

/* A part, as somebody may be asked about it. */
static em_consent_change change_of(const em_undo_call *u, size_t index)
{
    const em_part *part = &u->parts[index];
    const em_undone_file *told = &u->outcome->files[index];
    return (em_consent_change){.file = part->file,
                               .how = how_of(part),
                               .splices = part->change->splices,
                               .mode = part->change->mode,
                               .diff = told->diff,
                               .diff_truncated = told->diff_truncated,
                               .lines_added = told->lines_added,
                               .lines_removed = told->lines_removed};
}

static em_status pass_gates(em_undo_call *u)
{
    for (size_t i = 0; i < u->part_count; i++) {
        const em_consent_change change = change_of(u, i);
        em_error why = EM_ERROR_INIT;
        em_status status = em_consent_pass(u->session, &change, &why);
        if (status != EM_OK)
            return fail_gate(u, status, &why, u->outcome->files[i].rel);
    }
    return EM_OK;
}

static em_status tell_seen(em_undo_call *u)
{
    EM_AUTO(em_hasher) hasher = {0};
    EM_TRY(em_hasher_start(&hasher));
    for (size_t i = 0; i < u->part_count; i++) {
        const em_consent_change change = change_of(u, i);
        em_hash one;
        EM_TRY(em_consent_hash_change(&change, &one));
        em_hasher_add_text(&hasher, em_slice_of(change.file->path));
        em_hasher_add_text(&hasher, em_slice_of(change.file->exists ? change.file->hash.hex : ""));
        em_hasher_add_text(&hasher, em_slice_of(one.hex));
    }
    u->outcome->seen = em_hasher_end(&hasher);
    return EM_OK;
}

/* Somebody has looked at what a dry run told, and said yes to just that. */
static em_status check_seen(em_undo_call *u)
{
    const char *seen = u->request->seen;
    if (!seen && !u->request->dry_run)
        return EM_OK;
    EM_TRY(tell_seen(u));
    if (!seen || strcmp(seen, u->outcome->seen.hex) == 0)
        return EM_OK;
    return em_fail_cause(&u->outcome->error, EM_E_CONFLICT, EM_CAUSE_CHANGED,
                         "what would change now is not what was shown: look again");
}

/* May all of it be written? */
static em_status check_parts(em_undo_call *u)
{
    for (size_t i = 0; i < u->part_count; i++) {
        const em_part *part = &u->parts[i];
        em_error why = EM_ERROR_INIT;
        em_status status = em_ws_check_change(u->ws, part->file, part->change, &why);
        if (status != EM_OK)
            return em_undo_fail_as(u, status, &why, u->sites[u->site_of[i]].rel);
    }
    return EM_OK;
}

/* With all files open. */
static em_status change_files(em_undo_call *u)
{
    EM_TRY(em_undo_check(u->session, u->request, &u->target, u->arena, &u->outcome->error));
    EM_TRY(plan_all(u));
    EM_TRY(em_undo_tell_files(u));
    EM_TRY(check_parts(u));
    EM_TRY(check_seen(u));
    if (u->part_count == 0)
        return record_nothing(u);
    if (u->request->dry_run)
        return EM_OK;
    EM_TRY(pass_gates(u));
    return em_undo_is_dry(u) ? EM_OK : commit(u);
}

/* The texts of a conflict, as people read them, are to outlive the files. */
static em_status keep_conflict(em_undo_call *u)
{
    em_slice *texts[] = {&u->outcome->conflict.was, &u->outcome->conflict.now};
    for (size_t i = 0; i < 2; i++) {
        if (u->planned)
            EM_TRY(em_text_decode(*texts[i], u->planned->charset, u->arena, texts[i]));
        size_t length = texts[i]->len < EM_CONFLICT_MOST ? texts[i]->len : EM_CONFLICT_MOST;
        const char *copy = em_arena_string(u->arena, em_slice_sub(*texts[i], 0, length));
        if (!copy)
            return EM_E_NOMEM;
        *texts[i] = em_slice_make(copy, length);
    }
    return EM_OK;
}

/* ---- The call ------------------------------------------------------------------------------- */

static em_status steps(em_undo_call *u)
{
    u->session->calls++;
    if (!em_consent_asks(u->session) && !u->session->is_trial)
        EM_TRY(em_session_tell(u->session, u->arena, &u->outcome->warnings));
    if (!u->request->dry_run) {
        EM_TRY(em_ws_check_may_change(u->ws, &u->outcome->error));
        EM_TRY(em_ws_ready(u->ws, &u->outcome->error));
    }
    em_status chosen =
        em_undo_choose(u->session, u->request, u->arena, &u->target, &u->outcome->error);
    u->outcome->is_forgotten = u->target.is_forgotten;
    EM_TRY(chosen);
    EM_TRY(em_undo_tell_target(u));
    EM_TRY(make_origin(u));
    EM_TRY(em_undo_find_sites(u));
    if (u->count == 0) /* no file of which that would be asked */
        return em_ws_check_may_change(u->ws, &u->outcome->error);
    EM_TRY(em_undo_open_files(u));
    em_status status = change_files(u);
    if (status == EM_OK)
        forget_mistakes(u);
    else if (keep_conflict(u) != EM_OK)
        status = EM_E_NOMEM;
    for (size_t i = 0; i < u->count; i++)
        em_file_close(u->ws, &u->wanted[i].file);
    return status;
}

em_status em_run_undo(em_session *session, const em_undo_request *request, em_arena *arena,
                      em_undo_outcome *outcome)
{
    *outcome = (em_undo_outcome){.error = EM_ERROR_INIT};
    em_undo_call u = {.session = session,
                      .ws = session->workspace,
                      .request = request,
                      .arena = arena,
                      .outcome = outcome};
    outcome->status = em_fail_at_least(&outcome->error, steps(&u));
    if (session->observer.tell && !session->is_trial)
        em_undo_tell_observer(&u);
    return outcome->status;
}
