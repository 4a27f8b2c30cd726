/* undo_told.c: what is told of calls that are taken back: to who asked, and to who watches. */
#include "session/undo_call.h"

#include "past/past_calls.h"
#include "session/consent.h"
#include "session/session_state.h"

/* ---- Of the call --------------------------------------------------------------------------- */

/* The call that this is about, as it is told: of an undoing the call that was undone, where it is
 * one. */
static em_status find_told(em_undo_call *u, em_row *row)
{
    const char *id;
    *row = u->target.rows.items[0];
    if (u->target.base_count != 1)
        return EM_OK;
    EM_TRY(em_past_call_id(u->ws, u->target.bases[0].call, u->arena, &id, &u->outcome->error));
    return *id ? em_past_find(u->ws, id, false, u->arena, row, &u->outcome->error) : EM_OK;
}

em_status em_undo_tell_target(em_undo_call *u)
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

/* ---- Of the files ---------------------------------------------------------------------------- */

/* Both contents as text; false where they are none. */
static em_status as_texts(const em_undo_call *u, const em_undo_plan *plan, em_text *old,
                          em_text *new, bool *are)
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

static em_status show_diff(const em_undo_call *u, const em_undo_plan *plan, const em_diff *diff,
                           em_undone_file *told)
{
    em_diff_names names = names_of(plan, told);
    told->diff = em_diff_render(diff, names, u->arena);
    told->diff_truncated = diff->truncated;
    told->lines_added = diff->lines_added;
    told->lines_removed = diff->lines_removed;
    return told->diff ? EM_OK : EM_E_NOMEM;
}

static em_diff_limits limits_of(const em_undo_call *u)
{
    if (em_undo_asks(u))
        return u->session->consent->diff_limits;
    return u->request->want_diff ? u->request->diff_limits : (em_diff_limits){1, 1};
}

static em_status make_diff(const em_undo_call *u, const em_undo_plan *plan, em_undone_file *told)
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

static em_status tell_file(em_undo_call *u, size_t index)
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
    if (u->request->want_diff || em_undo_asks(u) || counts_lines)
        EM_TRY(make_diff(u, plan, told));
    if (!u->request->want_diff && !em_undo_asks(u))
        told->diff = "";
    return EM_OK;
}

em_status em_undo_tell_files(em_undo_call *u)
{
    for (size_t i = 0; i < u->part_count; i++)
        EM_TRY(tell_file(u, i));
    return EM_OK;
}

/* ---- Who watches ---------------------------------------------------------------------------- */

/* What holds of each of the files. */
static em_observed observed_of(const em_undo_call *u)
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

static void tell_observer_of(const em_undo_call *u, size_t index, em_observed observed)
{
    const em_undone_file *told = &u->outcome->files[index];
    observed.committed = u->outcome->status == EM_OK && !em_undo_is_dry(u);
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

void em_undo_tell_observer(const em_undo_call *u)
{
    const em_observed observed = observed_of(u);
    bool is_of_files = u->outcome->file_count > 0 && !u->outcome->conflict.path;
    for (size_t i = 0; is_of_files && i < u->outcome->file_count; i++)
        tell_observer_of(u, i, observed);
    if (!is_of_files)
        u->session->observer.tell(u->session->observer.context, &observed);
}
