/* review_item.c: a change, or a call, as the lists and events of the page have it. */
#include "base/utf8.h"
#include "review/review_impl.h"

enum { PIECE = 160 /* bytes of each part of a line that is shown in a list */ };

/* ---- Places --------------------------------------------------------------------------------- */

/* The path behind the root that it lies in. */
static const char *relative(const em_workspace *ws, const char *path)
{
    size_t root;
    const char *rel = em_ws_find_rel(ws, path, &root);
    return rel ? rel : path;
}

void em_review_set_place(em_review *review, em_json *json, json_t *object, const char *path)
{
    em_json_set_path(json, object, "path", path);
    em_json_set_path(json, object, "rel", relative(em_session_workspace(review->session), path));
}

/* ---- A change of the history ---------------------------------------------------------------- */

static void set_piece(em_json *json, json_t *object, const char *key, em_slice text)
{
    em_json_set_text(json, object, key, em_slice_sub(text, 0, em_utf8_floor(text, PIECE)));
}

/* The end of what stands before a change is nearer to it than the start. */
static em_slice tail(em_slice text)
{
    size_t at = text.len > PIECE ? text.len - PIECE : 0;
    while (em_utf8_continues(text, at))
        at++;
    return em_slice_from(text, at);
}

static void set_brief(em_json *json, json_t *object, const em_brief *brief)
{
    if (brief->is_binary)
        em_json_set_bool(json, object, "binary", true);
    if (brief->is_counted) {
        em_json_set_size(json, object, "lines_added", brief->lines_added);
        em_json_set_size(json, object, "lines_removed", brief->lines_removed);
    }
    if (!brief->is_known || brief->is_binary)
        return;
    json_t *line = em_json_object(json);
    if (brief->line > 0)
        em_json_set_size(json, line, "line", brief->line);
    set_piece(json, line, "before", tail(brief->before));
    set_piece(json, line, "old", brief->old);
    set_piece(json, line, "new", brief->new);
    set_piece(json, line, "after", brief->after);
    em_json_set(json, object, "brief", line);
}

static void set_call(em_review *review, em_json *json, json_t *object, const em_row *row)
{
    em_tier tier;
    uint64_t call = em_call_log_of_change(review->log, row->id, &tier);
    if (call > 0)
        em_json_set_size(json, object, "request", call);
    if (tier != EM_TIER_EXACT)
        em_json_set_string(json, object, "tier", em_tier_name(tier));
}

static em_status add_item(em_review *review, const em_past_view *view, em_json *json, json_t *list,
                          em_error *err)
{
    EM_AUTO(em_arena) arena = {0};
    em_brief brief;
    em_status status = em_show_brief(review->session, view->row, &arena, &brief, err);
    if (status != EM_E_INVALID) /* what is damaged in the history is shown all the same */
        EM_TRY(status);
    json_t *object = em_past_view_json(view);
    json->failed = json->failed || !object;
    em_review_set_place(review, json, object, view->path);
    set_brief(json, object, &brief);
    set_call(review, json, object, view->row);
    em_json_add(json, list, object);
    return EM_OK;
}

em_status em_review_items(em_review *review, const em_rows *rows, em_arena *arena, em_json *json,
                          json_t *list, em_error *err)
{
    em_past_views views;
    EM_TRY(em_past_view_rows(review->session, rows, false, arena, &views, err));
    for (size_t i = 0; i < views.count; i++)
        EM_TRY(add_item(review, &views.items[i], json, list, err));
    return EM_OK;
}

/* ---- A call --------------------------------------------------------------------------------- */

static json_t *file_json(em_json *json, const em_noted_file *file)
{
    json_t *object = em_json_object(json);
    if (file->path)
        em_json_set_path(json, object, "rel", file->path);
    em_json_set_bool(json, object, "changed", file->committed);
    if (file->edit_id[0])
        em_json_set_string(json, object, "edit_id", file->edit_id);
    em_json_set_size(json, object, "lines_added", file->lines_added);
    em_json_set_size(json, object, "lines_removed", file->lines_removed);
    return object;
}

static void set_files(em_json *json, json_t *object, const em_noted_call *noted)
{
    json_t *list = em_json_array(json);
    for (size_t i = 0; i < noted->file_count && i < EM_REVIEW_PAGE; i++)
        em_json_add(json, list, file_json(json, &noted->files[i]));
    em_json_set(json, object, "files", list);
    em_json_set_size(json, object, "file_count", noted->file_count);
}

/* Its first line, cut. */
static em_slice headline(const char *text)
{
    em_slice line = em_slice_make(text, strcspn(text, "\n"));
    return em_slice_sub(line, 0, em_utf8_floor(line, 2 * PIECE));
}

static void set_whole(em_json *json, json_t *object, const em_noted_call *noted)
{
    em_json_set_text(json, object, "arguments", em_slice_of(noted->arguments));
    em_json_set_size(json, object, "arguments_bytes", noted->arguments_bytes);
    em_json_set_text(json, object, "text", em_slice_of(noted->text));
    em_json_set(json, object, "waited_ms", json_integer(noted->waited_ms));
}

json_t *em_review_call(em_json *json, const em_noted_call *noted, bool whole)
{
    json_t *object = em_json_object(json);
    em_json_set_size(json, object, "number", noted->number);
    em_json_set_time(json, object, noted->time_ms);
    em_json_set(json, object, "ms", json_integer(noted->ms));
    em_json_set_text(json, object, "tool", em_slice_of(noted->tool ? noted->tool : "?"));
    if (noted->client)
        em_json_set_text(json, object, "client", em_slice_of(noted->client));
    if (noted->cause) {
        em_json_set_string(json, object, "cause", noted->cause);
        em_json_set_text(json, object, "why", headline(noted->why));
    }
    if (noted->tier != EM_TIER_EXACT)
        em_json_set_string(json, object, "tier", em_tier_name(noted->tier));
    set_files(json, object, noted);
    if (whole)
        set_whole(json, object, noted);
    return object;
}
