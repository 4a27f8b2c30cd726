#include "cli/past_view.h"

#include "dialects/reply.h"

#include <inttypes.h>
#include <time.h>

/* ---- Times --------------------------------------------------------------------------------- */

void em_cli_format_time(int64_t time_ms, char out[32])
{
    time_t seconds = (time_t)(time_ms / 1000);
    struct tm local = {0};
    localtime_r(&seconds, &local);
    strftime(out, 32, "%Y-%m-%d %H:%M:%S", &local);
}

bool em_cli_parse_time(const char *text, int64_t *ms)
{
    static const char *const formats[] = {"%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M:%S",
                                          "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M", "%Y-%m-%d"};
    int64_t age;
    if (em_parse_age(text, &age)) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        *ms = (int64_t)now.tv_sec * 1000 - age;
        return true;
    }
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        struct tm local = {.tm_isdst = -1};
        const char *end = strptime(text, formats[i], &local);
        if (!end || *end)
            continue;
        *ms = (int64_t)mktime(&local) * 1000;
        return true;
    }
    return false;
}

/* ---- Gathering ----------------------------------------------------------------------------- */

static em_status view_fate(em_workspace *ws, em_arena *arena, em_past_view *view, em_error *err)
{
    const char *name = em_past_call_name(view->row, arena);
    return name ? em_past_fate(ws, name, INT64_MAX, arena, &view->fate, err) : EM_E_NOMEM;
}

static em_status view_bases(em_workspace *ws, em_arena *arena, em_past_view *view, em_error *err)
{
    em_past_call past;
    EM_TRY(em_past_call_of(ws, view->row, arena, &past, err));
    view->base_count = past.base_count;
    view->bases = em_alloc_array(arena, past.base_count, sizeof *view->bases);
    if (!view->bases)
        return EM_E_NOMEM;
    for (size_t i = 0; i < past.base_count; i++)
        EM_TRY(em_past_call_id(ws, past.bases[i].call, arena, &view->bases[i], err));
    return EM_OK;
}

static em_status view_one(em_session *session, const em_row *row, bool with_diff, em_arena *arena,
                          em_past_view *view, em_error *err)
{
    em_workspace *ws = em_session_workspace(session);
    *view = (em_past_view){.row = row, .path = em_past_path(row, arena), .has_diff = with_diff};
    if (!view->path)
        return EM_E_NOMEM;
    em_row_show_id(row, view->id);
    EM_TRY(row->origin.role == EM_ROLE_EDIT ? view_fate(ws, arena, view, err)
                                            : view_bases(ws, arena, view, err));
    return with_diff ? em_show_change(session, row, arena, &view->shown, err) : EM_OK;
}

em_status em_cli_view_past(em_invocation *call, em_session *session, const em_rows *rows,
                           bool with_diff, em_past_views *views, em_error *err)
{
    views->count = rows->count;
    views->items = em_alloc_array(call->arena, rows->count, sizeof *views->items);
    if (!views->items)
        return EM_E_NOMEM;
    for (size_t i = 0; i < rows->count; i++)
        EM_TRY(view_one(session, &rows->items[i], with_diff, call->arena, &views->items[i], err));
    return EM_OK;
}

/* ---- Words --------------------------------------------------------------------------------- */

static const char *kind_word(const em_row *row)
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

static const char *role_word(em_role role)
{
    return role == EM_ROLE_UNDO ? "undo" : role == EM_ROLE_REDO ? "redo" : "edit";
}

static bool is_pending(const em_row *row)
{
    return row->state == EM_ROW_PENDING;
}

static const struct {
    unsigned note;
    const char *word, *sentence;
} notes[] = {
    {EM_NOTE_NO_EXCHANGE, "no_exchange",
     "what somebody else saved in the very moment of the change would have been lost"},
    {EM_NOTE_NOT_DURABLE, "not_durable", "it could not be made durable"},
    {EM_NOTE_HARD_LINK, "hard_link", "a hard link was broken"},
    {EM_NOTE_OWNER, "owner", "the owner or the group could not be kept"},
    {EM_NOTE_ATTRIBUTES, "attributes", "not all security attributes could be kept"},
    {EM_NOTE_FOREIGN_KEPT, "foreign_kept", "what somebody else wrote to the old file is kept"},
    {EM_NOTE_UNSYNCED, "unsynced", "it was made without syncing"},
};
enum { NOTES = sizeof notes / sizeof *notes };

/* ---- Lines --------------------------------------------------------------------------------- */

static void print_text(em_invocation *call, const char *text)
{
    em_term_text(&call->out, em_slice_of(text));
}

/* A number is enough for people. */
static int number_length(const char *id)
{
    return (int)strcspn(id, "-");
}

static void print_state(em_invocation *call, const em_past_view *view)
{
    FILE *file = call->out.file;
    if (is_pending(view->row))
        fputs(" (not finished: it is at work, or was interrupted)", file);
    if (view->fate.role == EM_ROLE_UNDO)
        fprintf(file, " (undone by %.*s)", number_length(view->fate.shown), view->fate.shown);
    for (size_t i = 0; i < view->base_count && i < 3; i++)
        if (view->bases[i][0])
            fprintf(file, "%s %.*s", i == 0 ? " of" : ",", number_length(view->bases[i]),
                    view->bases[i]);
    if (view->base_count > 3)
        fprintf(file, " and %zu more", view->base_count - 3);
}

static void print_line(em_invocation *call, const em_past_view *view)
{
    const em_row *row = view->row;
    char when[32];
    em_cli_format_time(row->time_ms, when);
    fprintf(call->out.file, "%s%5.*s%s  %s  ", call->out.colour ? "\033[33m" : "",
            number_length(view->id), view->id, call->out.colour ? "\033[m" : "", when);
    print_text(call, row->path);
    bool is_edit = strcmp(kind_word(row), "edit") == 0;
    fprintf(call->out.file, "  %s%s", is_edit ? "" : kind_word(row), is_edit ? "" : ", ");
    print_text(call, row->origin.tool ? row->origin.tool : "?");
    print_state(call, view);
    if (row->origin.client) {
        fputs("  [", call->out.file);
        print_text(call, row->origin.client);
        fputc(']', call->out.file);
    }
    fputc('\n', call->out.file);
}

void em_cli_print_views(em_invocation *call, const em_past_views *views)
{
    for (size_t i = 0; i < views->count; i++)
        print_line(call, &views->items[i]);
}

/* ---- One of them --------------------------------------------------------------------------- */

static void print_field(em_invocation *call, const char *name, const char *value)
{
    if (!value || !*value)
        return;
    fprintf(call->out.file, "%-9s", name);
    print_text(call, value);
    fputc('\n', call->out.file);
}

static void print_facts(em_invocation *call, const em_past_view *view)
{
    const em_row *row = view->row;
    char when[32];
    em_cli_format_time(row->time_ms, when);
    fprintf(call->out.file, "%schange %s%s", call->out.colour ? "\033[33m" : "", view->id,
            call->out.colour ? "\033[m" : "");
    if (row->origin.role != EM_ROLE_EDIT)
        fprintf(call->out.file, ", %s", role_word(row->origin.role));
    print_state(call, view);
    fputc('\n', call->out.file);
    print_field(call, "File:", view->path);
    print_field(call, "Date:", when);
    print_field(call, "Tool:", row->origin.tool);
    print_field(call, "Client:", row->origin.client);
    print_field(call, "Session:", row->origin.session);
    print_field(call, "Call:", row->origin.call);
    print_field(call, "Backup:", row->backup);
    print_field(call, "Kept:", row->kept);
    for (size_t i = 0; i < NOTES; i++)
        if (row->notes & notes[i].note)
            print_field(call, "Note:", notes[i].sentence);
}

void em_cli_print_view(em_invocation *call, const em_past_view *view)
{
    const em_shown *shown = &view->shown;
    FILE *file = call->out.file;
    print_facts(call, view);
    fputc('\n', file);
    if (shown->not_recorded && view->row->old_size + view->row->new_size > 0)
        fputs("What it did was too large to be recorded.\n", file);
    if (shown->is_binary)
        fprintf(file, "It is no text: %" PRIu64 " bytes became %" PRIu64 ".\n", view->row->old_size,
                view->row->new_size);
    if (shown->missing > 0)
        fprintf(file, "%" PRIu64 " new bytes are not kept: the diff lacks them.\n", shown->missing);
    em_term_diff(&call->out, em_slice_of(shown->diff));
}

/* ---- For programs -------------------------------------------------------------------------- */

static void set_optional(em_json *json, json_t *object, const char *key, const char *value)
{
    if (value)
        em_json_set_text(json, object, key, em_slice_of(value));
}

static void set_time(em_json *json, json_t *object, int64_t time_ms)
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
    for (size_t i = 0; i < NOTES; i++)
        if (bits & notes[i].note)
            em_json_add(json, list, em_json_text(json, em_slice_of(notes[i].word)));
    em_json_set(json, object, "notes", list);
}

static void set_relations(em_json *json, json_t *object, const em_past_view *view)
{
    json_t *list = em_json_array(json);
    for (size_t i = 0; i < view->base_count; i++)
        em_json_add(json, list, em_json_text(json, em_slice_of(view->bases[i])));
    if (view->row->origin.role != EM_ROLE_EDIT)
        em_json_set(json, object, "of", list);
    else
        json_decref(list);
    em_json_set_bool(json, object, "undone", view->fate.role == EM_ROLE_UNDO);
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
}

/* Names that are not UTF-8 are escaped. */
static void set_path(em_invocation *call, em_json *json, json_t *object, const char *path)
{
    static const em_words none = {NULL, NULL};
    em_call context = {.arena = call->arena};
    em_reply reply;
    em_reply_init(&reply, &context, &none, "", NULL);
    em_json_set_string(json, object, "path", em_reply_path_field(&reply, path));
    json->failed = json->failed || reply.json.failed;
    em_reply_drop(&reply);
}

json_t *em_cli_view_json(em_invocation *call, const em_past_view *view)
{
    em_json json = {0};
    const em_row *row = view->row;
    json_t *object = em_json_object(&json);
    em_json_set_string(&json, object, "id", view->id);
    set_time(&json, object, row->time_ms);
    set_path(call, &json, object, view->path);
    em_json_set_string(&json, object, "kind", kind_word(row));
    em_json_set_string(&json, object, "role", role_word(row->origin.role));
    em_json_set_string(&json, object, "state", is_pending(row) ? "pending" : "done");
    set_relations(&json, object, view);
    set_optional(&json, object, "tool", row->origin.tool);
    set_optional(&json, object, "client", row->origin.client);
    set_optional(&json, object, "session", row->origin.session);
    set_optional(&json, object, "call", row->origin.call);
    if (row->kind != EM_ROW_CREATE)
        em_json_set_string(&json, object, "hash_before", row->old_hash.hex);
    if (row->kind != EM_ROW_REMOVE)
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
