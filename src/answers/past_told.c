/* past_told.c: changes of the history and what an undo did, as programs and people are told it. */
#include "answers/past_told.h"

#include "answers/undo_told.h"
#include "tools/toolset.h"

#include <time.h>

/* ---- Gathering ----------------------------------------------------------------------------- */

/* Rows that are told of together. */
typedef struct telling {
    em_session *session;
    em_workspace *ws;
    bool with_diff;
    const char *call;    /* whose bases these are, or NULL: the rows of a call follow each other */
    em_file_bases bases; /* of all its files */
    em_arena *arena;
    em_error *err;
} telling;

static em_status view_bases(telling *t, const char *call, em_past_view *view)
{
    if (!t->call || strcmp(t->call, call) != 0) {
        EM_TRY(em_past_bases(t->ws, call, t->arena, &t->bases, t->err));
        t->call = call;
    }
    view->bases = em_file_bases_of(t->bases, view->path);
    return EM_OK;
}

/* What undid others is undone itself where the next word about each of them is the opposite,
 * whatever follows: that undoes the next. */
static em_status view_reversal(telling *t, em_past_view *view)
{
    bool is_mixed = false;
    view->is_undone = view->bases.count > 0;
    for (size_t i = 0; i < view->bases.count; i++) {
        const em_base *base = &view->bases.items[i].base;
        em_fate fate;
        is_mixed = is_mixed || base->role != view->bases.items[0].base.role;
        EM_TRY(em_past_next(t->ws, base->call, view->row->id, t->arena, &fate, t->err));
        if (fate.id > view->fate.id)
            view->fate = fate;
        view->is_undone = view->is_undone && fate.id != 0 && fate.role != base->role;
    }
    if (view->bases.count > 0 && !is_mixed)
        view->role = view->bases.items[0].base.role;
    return EM_OK;
}

static em_status view_relations(telling *t, em_past_view *view)
{
    const char *call = em_past_call_name(view->row, t->arena);
    if (!call)
        return EM_E_NOMEM;
    if (view->row->origin.role != EM_ROLE_EDIT) {
        EM_TRY(view_bases(t, call, view));
        return view_reversal(t, view);
    }
    EM_TRY(em_past_fate(t->ws, call, INT64_MAX, t->arena, &view->fate, t->err));
    view->is_undone = view->fate.role == EM_ROLE_UNDO;
    return EM_OK;
}

static em_status view_one(telling *t, const em_row *row, em_past_view *view)
{
    *view =
        (em_past_view){.row = row, .path = em_row_path(row, t->arena), .has_diff = t->with_diff};
    if (!view->path)
        return EM_E_NOMEM;
    view->role = row->origin.role;
    em_row_show_id(row, view->id);
    EM_TRY(view_relations(t, view));
    return t->with_diff ? em_show_change(t->session, row, t->arena, &view->shown, t->err) : EM_OK;
}

em_status em_past_view_rows(em_session *session, const em_rows *rows, bool with_diff,
                            em_arena *arena, em_past_views *views, em_error *err)
{
    telling t = {.session = session,
                 .ws = em_session_workspace(session),
                 .with_diff = with_diff,
                 .arena = arena,
                 .err = err};
    views->count = rows->count;
    views->items = em_alloc_array(arena, rows->count, sizeof *views->items);
    if (!views->items)
        return EM_E_NOMEM;
    for (size_t i = 0; i < rows->count; i++)
        EM_TRY(view_one(&t, &rows->items[i], &views->items[i]));
    return EM_OK;
}

/* ---- Words --------------------------------------------------------------------------------- */

const char *em_past_kind_word(const em_row *row)
{
    switch (row->kind) {
    case EM_ROW_CREATE:
        return "create";
    case EM_ROW_REMOVE:
        return "remove";
    case EM_ROW_EDIT:
    case EM_ROW_IN_PLACE:
        break;
    }
    return "edit";
}

const char *em_past_role_word(em_role role)
{
    return role == EM_ROLE_UNDO ? "undo" : role == EM_ROLE_REDO ? "redo" : "edit";
}

bool em_past_is_pending(const em_row *row)
{
    return row->state == EM_ROW_PENDING;
}

const em_past_note em_past_notes[] = {
    {EM_NOTE_NO_EXCHANGE, "no_exchange",
     "what somebody else saved in the very moment of the change would have been lost"},
    {EM_NOTE_NOT_DURABLE, "not_durable", "it could not be made durable"},
    {EM_NOTE_HARD_LINK, "hard_link", "a hard link was broken"},
    {EM_NOTE_OWNER, "owner", "the owner or the group could not be kept"},
    {EM_NOTE_ATTRIBUTES, "attributes", "not all security attributes could be kept"},
    {EM_NOTE_FOREIGN_KEPT, "foreign_kept", "what somebody else wrote to the old file is kept"},
    {EM_NOTE_UNSYNCED, "unsynced", "it was made without syncing"},
    {0, NULL, NULL},
};

/* ---- A change as JSON ---------------------------------------------------------------------- */

static void set_optional(em_json *json, json_t *object, const char *key, const char *value)
{
    if (value)
        em_json_set_text(json, object, key, em_slice_of(value));
}

void em_json_set_time(em_json *json, json_t *object, int64_t time_ms)
{
    time_t seconds = (time_t)(time_ms / 1000);
    struct tm utc = {0};
    char text[48];
    gmtime_r(&seconds, &utc);
    size_t length = strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &utc);
    snprintf(text + length, sizeof text - length, ".%03dZ", (int)(time_ms % 1000));
    em_json_set_string(json, object, "time", text);
}

static void set_notes(em_json *json, json_t *object, unsigned bits)
{
    json_t *list = em_json_array(json);
    for (const em_past_note *note = em_past_notes; note->note != 0; note++)
        if (bits & note->note)
            em_json_add(json, list, em_json_text(json, em_slice_of(note->word)));
    em_json_set(json, object, "notes", list);
}

static void set_relations(em_json *json, json_t *object, const em_past_view *view)
{
    json_t *list = em_json_array(json);
    for (size_t i = 0; i < view->bases.count; i++)
        em_json_add(json, list, em_json_text(json, em_slice_of(view->bases.items[i].id)));
    if (view->row->origin.role != EM_ROLE_EDIT)
        em_json_set(json, object, "of", list);
    else
        json_decref(list);
    em_json_set_bool(json, object, "undone", view->is_undone);
    if (view->fate.id != 0)
        em_json_set_string(json, object, "last", view->fate.shown);
}

static void set_diff(em_json *json, json_t *object, const em_shown *shown)
{
    em_json_set_text(json, object, "diff", em_slice_of(shown->diff));
    em_json_set_size(json, object, "lines_added", shown->lines_added);
    em_json_set_size(json, object, "lines_removed", shown->lines_removed);
    if (shown->is_binary)
        em_json_set_bool(json, object, "binary", true);
    if (shown->missing > 0)
        em_json_set_size(json, object, "bytes_missing", shown->missing);
    if (shown->has_cut_lines)
        em_json_set_bool(json, object, "lines_cut", true);
}

static const em_words no_words = {0};

void em_json_set_path(em_json *json, json_t *object, const char *key, const char *path)
{
    EM_AUTO(em_arena) arena = {0};
    em_call context = {.arena = &arena};
    em_reply reply;
    em_reply_init(&reply, &context, &no_words, "", NULL);
    em_json_set_string(json, object, key, em_reply_path_field(&reply, path));
    json->failed = json->failed || reply.json.failed;
    em_reply_drop(&reply);
}

json_t *em_past_view_json(const em_past_view *view)
{
    em_json json = {0};
    const em_row *row = view->row;
    json_t *object = em_json_object(&json);
    em_json_set_string(&json, object, "id", view->id);
    em_json_set_time(&json, object, row->time_ms);
    em_json_set_path(&json, object, "path", view->path);
    em_json_set_string(&json, object, "kind", em_past_kind_word(row));
    em_json_set_string(&json, object, "role", em_past_role_word(view->role));
    em_json_set_string(&json, object, "state", em_past_is_pending(row) ? "pending" : "done");
    set_relations(&json, object, view);
    set_optional(&json, object, "tool", row->origin.tool);
    set_optional(&json, object, "client", row->origin.client);
    set_optional(&json, object, "session", row->origin.session);
    set_optional(&json, object, "call", row->origin.call);
    if (row->kind != EM_ROW_CREATE && row->old_hash.hex[0])
        em_json_set_string(&json, object, "hash_before", row->old_hash.hex);
    if (row->kind != EM_ROW_REMOVE && row->new_hash.hex[0])
        em_json_set_string(&json, object, "hash_after", row->new_hash.hex);
    em_json_set_size(&json, object, "size_before", row->old_size);
    em_json_set_size(&json, object, "size_after", row->new_size);
    set_optional(&json, object, "backup", row->backup);
    set_optional(&json, object, "kept", row->kept);
    set_notes(&json, object, row->notes);
    if (view->has_diff)
        set_diff(&json, object, &view->shown);
    return em_json_done(&json, object);
}

/* ---- Undoing ------------------------------------------------------------------------------- */

static json_t *file_json(em_json *json, const em_undone_file *file)
{
    static const char *const words[] = {
        [EM_UNDONE_EDIT] = "edit", [EM_UNDONE_REMOVED] = "remove", [EM_UNDONE_MADE] = "create"};
    json_t *object = em_json_object(json);
    em_json_set_path(json, object, "path", file->path);
    em_json_set_string(json, object, "kind", words[file->how]);
    if (file->edit_id[0])
        em_json_set_string(json, object, "edit_id", file->edit_id);
    if (file->hash.hex[0])
        em_json_set_string(json, object, "hash", file->hash.hex);
    em_json_set_text(json, object, "diff", em_slice_of(file->diff));
    return object;
}

static void set_conflict(em_json *json, json_t *object, const em_undo_conflict *conflict)
{
    if (!conflict->path)
        return;
    em_json_set_path(json, object, "path", conflict->path);
    if (conflict->has_was)
        em_json_set_text(json, object, "was", conflict->was);
    if (conflict->has_now) {
        em_json_set_text(json, object, "now", conflict->now);
        em_json_set_size(json, object, "line", conflict->line);
    }
}

json_t *em_undo_outcome_json(const em_undo_outcome *outcome)
{
    em_json json = {0};
    json_t *object = em_json_object(&json), *files = em_json_array(&json);
    em_json_set_bool(&json, object, "done", outcome->status == EM_OK);
    if (outcome->call_id)
        em_json_set_string(&json, object, "call", outcome->call_id);
    if (outcome->status == EM_OK)
        em_json_set_string(&json, object, "role", outcome->role == EM_ROLE_REDO ? "redo" : "undo");
    else
        em_json_set_text(&json, object, "error", em_slice_of(outcome->error.detail));
    set_conflict(&json, object, &outcome->conflict);
    for (size_t i = 0; i < outcome->file_count && outcome->status == EM_OK; i++)
        em_json_add(&json, files, file_json(&json, &outcome->files[i]));
    em_json_set(&json, object, "files", files);
    return em_json_done(&json, object);
}

const char *em_undo_sentence(em_session *session, const em_undo_request *request,
                             const em_undo_outcome *outcome, em_arena *arena)
{
    static const em_toolset no_tools;
    em_call context = {.session = session, .arena = arena, .offered = &no_tools};
    em_reply reply;
    em_reply_init(&reply, &context, &no_words, "", NULL);
    if (outcome->status != EM_OK)
        em_undo_add_reason(&reply, request, outcome);
    else
        em_undo_add_done(&reply, outcome, request->dry_run);
    const char *text = em_reply_text(&reply);
    em_reply_drop(&reply);
    return text;
}
