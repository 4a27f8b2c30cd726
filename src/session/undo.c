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
#include "base/clock.h"
#include "session/undo_impl.h"

#include "past/past.h"
#include "past/past_calls.h"
#include "past/versions.h"
#include "session/consent_gate.h"
#include "session/session_state.h"
#include "workspace/large.h"
#include "workspace/made_folders.h"
#include "workspace/recorded.h"

#include <stdlib.h>

/* One file of what is undone. */
typedef struct site {
    const char *path;    /* absolute, as the rows have it */
    const char *rel;     /* relative to its root */
    const em_row *first; /* of its rows */
    const em_row **rows; /* those that changed it, oldest first */
    size_t row_count;
    em_undo_plan plan;
    em_change change;
    uint64_t old_size; /* bytes, before it was changed */
} site;

typedef struct undo {
    em_session *session;
    em_workspace *ws;
    const em_undo_request *request;
    em_arena *arena;
    em_undo_outcome *outcome;
    em_undo_target target;
    site *sites;
    em_wanted *wanted; /* one for each site */
    em_part *parts;    /* of those where there is something to do */
    size_t *site_of;   /* of a part */
    size_t count, part_count;
    const em_undo_plan *planned; /* the last plan, of a site; NULL: there is none yet */
    em_origin origin;
} undo;

/* Is nothing written, whatever comes out? */
static bool is_dry(const undo *u)
{
    return u->request->dry_run || u->session->is_trial || em_consent_holds_back(u->session);
}

/* Is somebody to be asked about what would be written? */
static bool asks(const undo *u)
{
    return !u->request->dry_run && em_consent_asks(u->session);
}

/* ---- Which files --------------------------------------------------------------------------- */

/* A row and its file. */
typedef struct placed_row {
    const em_row *row;
    const char *path;
} placed_row;

static int by_path(const void *left, const void *right)
{
    const placed_row *a = left, *b = right;
    int order = strcmp(a->path, b->path);
    return order != 0 ? order : (a->row > b->row) - (a->row < b->row);
}

static int by_first_row(const void *left, const void *right)
{
    const site *a = left, *b = right;
    return (a->first > b->first) - (a->first < b->first);
}

/* All rows of the target, those of a file together, oldest first. */
static em_status place_rows(const undo *u, placed_row **placed)
{
    em_rows rows = u->target.rows;
    *placed = em_alloc_array(u->arena, rows.count, sizeof **placed);
    if (!*placed)
        return EM_E_NOMEM;
    for (size_t i = 0; i < rows.count; i++) {
        (*placed)[i] = (placed_row){&rows.items[i], em_row_path(&rows.items[i], u->arena)};
        if (!(*placed)[i].path)
            return EM_E_NOMEM;
    }
    qsort(*placed, rows.count, sizeof **placed, by_path);
    return EM_OK;
}

/* The sites, in the order of their first rows. */
static em_status group_rows(undo *u)
{
    placed_row *placed;
    size_t count = u->target.rows.count;
    const em_row **rows = em_alloc_array(u->arena, count, sizeof *rows);
    if (!rows)
        return EM_E_NOMEM;
    EM_TRY(place_rows(u, &placed));
    for (size_t i = 0; i < count; i++) {
        const em_row *row = placed[i].row;
        if (i == 0 || strcmp(placed[i].path, placed[i - 1].path) != 0)
            u->sites[u->count++] =
                (site){.path = placed[i].path, .rel = row->path, .first = row, .rows = &rows[i]};
        site *s = &u->sites[u->count - 1];
        if (!em_row_changes_nothing(row))
            s->rows[s->row_count++] = row;
    }
    if (u->count > 0)
        qsort(u->sites, u->count, sizeof *u->sites, by_first_row);
    return EM_OK;
}

static em_status find_sites(undo *u)
{
    size_t most = u->target.rows.count;
    u->sites = em_alloc_array(u->arena, most, sizeof *u->sites);
    if (!u->sites)
        return EM_E_NOMEM;
    EM_TRY(group_rows(u));
    u->wanted = em_alloc_array(u->arena, u->count, sizeof *u->wanted);
    u->parts = em_alloc_array(u->arena, u->count, sizeof *u->parts);
    u->site_of = em_alloc_array(u->arena, u->count, sizeof *u->site_of);
    u->outcome->files = em_alloc_array(u->arena, u->count, sizeof *u->outcome->files);
    bool failed = !u->wanted || !u->parts || !u->site_of || !u->outcome->files;
    return failed ? EM_E_NOMEM : EM_OK;
}

static em_status fail_as(undo *u, em_status status, const em_error *why, const char *path)
{
    em_fail_cause(&u->outcome->error, status, why->cause, "%s: %s", path, why->detail);
    return status;
}

/* What stands at its path is not the file that was changed; `more` is told too. */
static em_status fail_replaced(undo *u, const site *s, const char *what, const char *more)
{
    u->outcome->conflict.path = s->rel;
    return em_fail_cause(&u->outcome->error, EM_E_CONFLICT, EM_CAUSE_CHANGED, "%s %s%s", s->rel,
                         what, more);
}

static em_status fail_open(undo *u, const site *s, const em_wanted *w)
{
    switch (w->status) {
    case EM_E_IS_FOLDER:
        return fail_replaced(u, s, "is a folder now", "");
    case EM_E_NOT_REGULAR:
        return fail_replaced(u, s, "is no regular file any more", "");
    case EM_E_NOT_FOUND: /* it may be missing, so it is its path that leads nowhere */
        return fail_replaced(u, s, "cannot be reached any more: ", w->error.detail);
    default:
        return fail_as(u, w->status, &w->error, s->rel);
    }
}

/* Was it made, and removed again? Then it is as it was before. */
static bool came_to_nothing(const site *s)
{
    return s->row_count > 0 && s->rows[0]->kind == EM_ROW_CREATE &&
           s->rows[s->row_count - 1]->kind == EM_ROW_REMOVE;
}

/* Where no file can be any more, since a folder has the name, or a file that of the folder, there
 * is nothing to do if it came to nothing there. False: that is so nowhere. */
static bool leave_out_nothing(undo *u)
{
    size_t kept = 0, count = u->count;
    for (size_t i = 0; i < count; i++) {
        em_status status = u->wanted[i].status;
        bool is_no_file = status == EM_E_IS_FOLDER || status == EM_E_NOT_FOUND;
        if (!is_no_file || !came_to_nothing(&u->sites[i]))
            u->sites[kept++] = u->sites[i];
    }
    u->count = kept;
    return kept < count;
}

static em_status open_wanted(undo *u)
{
    em_intent intent = is_dry(u) ? EM_TO_PREVIEW : EM_TO_CHANGE;
    for (size_t i = 0; i < u->count; i++)
        u->wanted[i] =
            (em_wanted){.path = u->sites[i].path, .flags = EM_MAY_BE_MISSING | EM_MAY_BE_LARGE};
    return em_ws_open_files(u->ws, u->wanted, u->count, intent);
}

static em_status open_files(undo *u)
{
    em_status status;
    do
        status = open_wanted(u);
    while (status != EM_OK && leave_out_nothing(u));
    for (size_t i = 0; i < u->count && status != EM_OK; i++) {
        if (u->wanted[i].status == status)
            return fail_open(u, &u->sites[i], &u->wanted[i]);
    }
    return status;
}

/* ---- What becomes of them ------------------------------------------------------------------- */

/* One edit of a large file is taken back through a window; the rest needs it whole. */
static em_status plan_large(undo *u, site *s, em_file *file)
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
                           : fail_as(u, status, &why, s->rel);
}

static em_status plan_site(undo *u, size_t index)
{
    site *s = &u->sites[index];
    em_file *file = &u->wanted[index].file;
    s->plan = (em_undo_plan){.ws = u->ws,
                             .file = file,
                             .conflict = &u->outcome->conflict,
                             .arena = u->arena,
                             .err = &u->outcome->error};
    u->planned = &s->plan;
    if (strcmp(file->path, s->path) != 0)
        return fail_replaced(u, s, "leads to another file now: ", file->rel);
    return file->is_large && s->row_count > 0 ? plan_large(u, s, file)
                                              : em_undo_plan_make(&s->plan, s->rows, s->row_count);
}

static bool has_effect(const em_undo_plan *plan)
{
    if (plan->file->exists && plan->exists)
        return plan->splices.count > 0;
    return plan->file->exists || plan->exists;
}

static em_status add_part(undo *u, size_t index)
{
    site *s = &u->sites[index];
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
static em_status find_models(undo *u)
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

static em_status plan_all(undo *u)
{
    for (size_t i = 0; i < u->count; i++)
        EM_TRY(plan_site(u, i));
    for (size_t i = 0; i < u->count; i++)
        EM_TRY(add_part(u, i));
    return find_models(u);
}

/* ---- What is told of them ------------------------------------------------------------------- */

/* Both contents as text; false where they are none. */
static em_status as_texts(const undo *u, const em_undo_plan *plan, em_text *old, em_text *new,
                          bool *are)
{
    em_slice was = plan->file->bytes, is = plan->exists ? plan->bytes : (em_slice){0};
    *are = false;
    em_status status = em_text_open(was, NULL, u->arena, old, NULL);
    if (status == EM_OK)
        status = em_text_open(is, NULL, u->arena, new, NULL);
    *are = status == EM_OK;
    return status == EM_E_NOMEM ? status : EM_OK;
}

static em_diff_names names_of(const em_undo_plan *plan, const em_undone_file *told)
{
    return (em_diff_names){told->rel, !plan->file->exists, !plan->exists};
}

static em_status show_diff(const undo *u, const em_undo_plan *plan, const em_diff *diff,
                           em_undone_file *told)
{
    em_diff_names names = names_of(plan, told);
    told->diff = em_diff_render(diff, names, u->arena);
    told->diff_truncated = diff->truncated;
    told->lines_added = diff->lines_added;
    told->lines_removed = diff->lines_removed;
    return told->diff ? EM_OK : EM_E_NOMEM;
}

static em_diff_limits limits_of(const undo *u)
{
    if (asks(u))
        return u->session->consent->diff_limits;
    return u->request->want_diff ? u->request->diff_limits : (em_diff_limits){1, 1};
}

static em_status make_diff(const undo *u, const em_undo_plan *plan, em_undone_file *told)
{
    em_diff_limits limits = em_diff_limits_behind(limits_of(u), names_of(plan, told));
    em_text old, new;
    em_diff diff;
    bool are_texts;
    if (plan->part.extract) {
        EM_TRY(em_diff_of_text(&plan->part, NULL, plan->part_splices, limits, u->arena, &diff));
        return show_diff(u, plan, &diff, told);
    }
    EM_TRY(as_texts(u, plan, &old, &new, &are_texts));
    if (!are_texts) {
        diff = (em_diff){.binary = true};
        return show_diff(u, plan, &diff, told);
    }
    em_splice whole = {0, old.body.len, new.body};
    bool in_place = plan->file->exists && plan->exists && !old.map && !new.map;
    em_splices splices = in_place ? plan->splices : (em_splices){&whole, 1};
    EM_TRY(em_diff_make(old.body, splices, limits, u->arena, &diff));
    return show_diff(u, plan, &diff, told);
}

static em_status tell_file(undo *u, size_t index)
{
    const em_undo_plan *plan = &u->sites[u->site_of[index]].plan;
    em_undone_file *told = &u->outcome->files[u->outcome->file_count++];
    u->sites[u->site_of[index]].old_size = plan->file->exists ? plan->file->size : 0;
    *told = (em_undone_file){.edit_id = "", .diff = ""};
    told->path = em_arena_string(u->arena, em_slice_of(plan->file->path));
    told->rel = em_arena_string(u->arena, em_slice_of(plan->file->rel));
    if (!told->path || !told->rel)
        return EM_E_NOMEM;
    told->how = !plan->file->exists ? EM_UNDONE_MADE
                : plan->exists      ? EM_UNDONE_EDIT
                                    : EM_UNDONE_REMOVED;
    if (plan->file->exists) /* as long as nothing is done */
        told->hash = plan->file->hash;
    bool counts_lines = u->session->observer.tell != NULL;
    if (u->request->want_diff || asks(u) || counts_lines)
        EM_TRY(make_diff(u, plan, told));
    if (!u->request->want_diff && !asks(u))
        told->diff = "";
    return EM_OK;
}

static em_status tell_all(undo *u)
{
    for (size_t i = 0; i < u->part_count; i++)
        EM_TRY(tell_file(u, i));
    return EM_OK;
}

/* ---- Doing it ------------------------------------------------------------------------------ */

/* Who asked knows the files as they are now, if it knew them as they were. */
static void remember(const undo *u, size_t index)
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
static void forget_mistakes(const undo *u)
{
    const char *caller = em_session_caller(u->session, u->request->session, u->request->stateless);
    for (size_t i = 0; i < u->part_count && caller; i++)
        em_session_hit(u->session, caller, u->parts[i].file->path);
}

/* The folders that were made for files which are gone: they went with them, unless those are kept
 * for the grace period. That ends now, for it would keep them from being empty. A folder was made
 * after the one that it is in, so it goes before that. */
static em_status remove_folders(undo *u)
{
    for (size_t part = u->part_count; part > 0; part--) {
        const site *s = &u->sites[u->site_of[part - 1]];
        if (!u->parts[part - 1].remove)
            continue;
        for (size_t i = s->row_count; i > 0; i--) {
            if (!s->rows[i - 1]->folders)
                continue;
            const char *made = em_made_folder(s->rows[i - 1], u->arena);
            if (!made)
                return EM_E_NOMEM;
            EM_TRY(em_ws_end_grace_below(u->ws, made, u->arena, &u->outcome->warnings));
            em_made_folders_remove(u->ws, s->rows[i - 1]);
        }
    }
    return EM_OK;
}

static em_status note_part(undo *u, size_t index)
{
    const em_part *part = &u->parts[index];
    em_undone_file *told = &u->outcome->files[index];
    remember(u, index);
    told->hash = part->remove ? (em_hash){.hex = ""} : part->report.hash;
    if (!part->remove)
        em_version_was_made(u->ws, &u->session->kept_versions, part->file, part->change->splices,
                            part->report.hash);
    told->edit_id = em_arena_string(u->arena, em_slice_of(part->report.edit_id));
    EM_TRY(em_warnings_pass_on(&part->report.warnings, &u->outcome->warnings, u->arena));
    return told->edit_id ? EM_OK : EM_E_NOMEM;
}

static em_status commit(undo *u)
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

static em_status make_origin(undo *u)
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
static em_status record_nothing(undo *u)
{
    bool is_withheld = is_dry(u) && !asks(u);
    if (is_withheld || u->target.base_count == 0 || u->count == 0)
        return EM_OK;
    return em_ws_record_unchanged(u->ws, &u->wanted[0].file, &u->origin, u->arena,
                                  &u->outcome->error);
}

/* A person's answer is about all files; a conflict about one. */
static em_status fail_gate(undo *u, em_status status, const em_error *why, const char *rel)
{
    if (status != EM_E_CONFLICT) {
        u->outcome->error = *why;
        return status;
    }
    u->outcome->conflict.path = rel;
    return fail_as(u, status, why, rel);
}

static em_status pass_gates(undo *u)
{
    for (size_t i = 0; i < u->part_count; i++) {
        const em_part *part = &u->parts[i];
        const em_undone_file *told = &u->outcome->files[i];
        em_consent_change change = {.file = part->file,
                                    .how = how_of(part),
                                    .splices = part->change->splices,
                                    .mode = part->change->mode,
                                    .diff = told->diff,
                                    .diff_truncated = told->diff_truncated,
                                    .lines_added = told->lines_added,
                                    .lines_removed = told->lines_removed};
        em_error why = EM_ERROR_INIT;
        em_status status = em_consent_pass(u->session, &change, &why);
        if (status != EM_OK)
            return fail_gate(u, status, &why, told->rel);
    }
    return EM_OK;
}

/* May all of it be written? */
static em_status check_parts(undo *u)
{
    for (size_t i = 0; i < u->part_count; i++) {
        const em_part *part = &u->parts[i];
        em_error why = EM_ERROR_INIT;
        em_status status = em_ws_check_change(u->ws, part->file, part->change, &why);
        if (status != EM_OK)
            return fail_as(u, status, &why, u->sites[u->site_of[i]].rel);
    }
    return EM_OK;
}

/* With all files open. */
static em_status change_files(undo *u)
{
    EM_TRY(em_undo_check(u->session, u->request, &u->target, u->arena, &u->outcome->error));
    EM_TRY(plan_all(u));
    EM_TRY(tell_all(u));
    EM_TRY(check_parts(u));
    if (u->part_count == 0)
        return record_nothing(u);
    if (u->request->dry_run)
        return EM_OK;
    EM_TRY(pass_gates(u));
    return is_dry(u) ? EM_OK : commit(u);
}

/* The texts of a conflict, as people read them, are to outlive the files. */
static em_status keep_conflict(undo *u)
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

/* The call that this is about, as it is told: of an undoing the call that was undone, where it is
 * one. */
static em_status find_told(undo *u, em_row *row)
{
    const char *id;
    *row = u->target.rows.items[0];
    if (u->target.base_count != 1)
        return EM_OK;
    EM_TRY(em_past_call_id(u->ws, u->target.bases[0].call, u->arena, &id, &u->outcome->error));
    return *id ? em_past_find(u->ws, id, false, u->arena, row, &u->outcome->error) : EM_OK;
}

static em_status note_target(undo *u)
{
    em_undo_outcome *outcome = u->outcome;
    em_row told = {0};
    char id[64];
    outcome->role = u->target.role;
    if (!u->target.is_call) {
        outcome->calls = u->target.undone;
        outcome->again = u->target.base_count - u->target.undone;
        return EM_OK;
    }
    EM_TRY(find_told(u, &told));
    em_row_show_id(&told, id);
    if (u->target.base_count != 1)
        outcome->role = EM_ROLE_UNDO;
    outcome->call_tool = told.origin.tool;
    outcome->call_id = em_arena_string(u->arena, em_slice_of(id));
    return outcome->call_id ? EM_OK : EM_E_NOMEM;
}

/* ---- Who watches ---------------------------------------------------------------------------- */

/* What holds of each of the files. */
static em_observed observed_of(const undo *u)
{
    const em_undo_outcome *outcome = u->outcome;
    em_role asked = u->request->what == EM_REDO ? EM_ROLE_REDO : EM_ROLE_UNDO;
    return (em_observed){
        .tool = u->request->tool,
        .client = u->session->client,
        .session = em_session_caller(u->session, u->request->session, u->request->stateless),
        .role = outcome->role != EM_ROLE_EDIT ? outcome->role : asked,
        .dry_run = u->request->dry_run,
        .status = outcome->status,
        .cause = outcome->error.cause,
        .detail = outcome->status == EM_OK ? "" : outcome->error.detail,
        .path = outcome->conflict.path,
        .rel = outcome->conflict.path,
        .edit_id = "",
        .count = 1,
    };
}

static void tell_observer_of(const undo *u, size_t index, em_observed observed)
{
    const em_undone_file *told = &u->outcome->files[index];
    observed.committed = u->outcome->status == EM_OK && !is_dry(u);
    observed.path = observed.rel = told->rel;
    observed.resolved = told->path;
    observed.created = told->how == EM_UNDONE_MADE;
    observed.removed = told->how == EM_UNDONE_REMOVED;
    observed.edit_id = told->edit_id;
    observed.hash = told->hash;
    observed.old_size = u->sites[u->site_of[index]].old_size;
    observed.size = observed.committed ? u->parts[index].report.size : observed.old_size;
    observed.lines_added = told->lines_added;
    observed.lines_removed = told->lines_removed;
    observed.index = index;
    observed.count = u->outcome->file_count;
    u->session->observer.tell(u->session->observer.context, &observed);
}

/* Of each file; where one is in the way, of that alone, and where it came to none, once. */
static void tell_observer(const undo *u)
{
    const em_observed observed = observed_of(u);
    bool is_of_files = u->outcome->file_count > 0 && !u->outcome->conflict.path;
    for (size_t i = 0; is_of_files && i < u->outcome->file_count; i++)
        tell_observer_of(u, i, observed);
    if (!is_of_files)
        u->session->observer.tell(u->session->observer.context, &observed);
}

/* ---- The call ------------------------------------------------------------------------------- */

static em_status steps(undo *u)
{
    u->session->calls++;
    if (!em_consent_asks(u->session) && !u->session->is_trial)
        EM_TRY(em_session_tell(u->session, u->arena, &u->outcome->warnings));
    if (!u->request->dry_run) {
        EM_TRY(em_ws_check_may_change(u->ws, &u->outcome->error));
        EM_TRY(em_ws_ready(u->ws, &u->outcome->error));
    }
    EM_TRY(em_undo_choose(u->session, u->request, u->arena, &u->target, &u->outcome->error));
    EM_TRY(note_target(u));
    EM_TRY(make_origin(u));
    EM_TRY(find_sites(u));
    if (u->count == 0) /* no file of which that would be asked */
        return em_ws_check_may_change(u->ws, &u->outcome->error);
    EM_TRY(open_files(u));
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
    undo u = {.session = session,
              .ws = session->workspace,
              .request = request,
              .arena = arena,
              .outcome = outcome};
    outcome->status = em_fail_at_least(&outcome->error, steps(&u));
    if (session->observer.tell && !session->is_trial)
        tell_observer(&u);
    return outcome->status;
}
