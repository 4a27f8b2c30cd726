/* review_edits.c: /api/edits: the changes of the history, listed and one by one, and what is to be
 * done to one. */
#include "review/review_impl.h"

#include "past/past.h"
#include "past/past_calls.h"
#include "review/review_diff.h"

/* ---- /api/edits ----------------------------------------------------------------------------- */

/* An absolute path by its names alone: "/a//./b/../c/" is "/a/c". No link is followed: what the
 * history has was resolved when it was changed, and may be something else by now. NULL when memory
 * ran out. */
static const char *by_names(const char *path, em_arena *arena)
{
    char *plain = em_alloc(arena, strlen(path) + 1);
    size_t length = 0;
    if (!plain)
        return NULL;
    while (*path) {
        size_t size = strcspn(path, "/");
        em_slice name = em_slice_make(path, size);
        if (em_slice_is(name, "..")) {
            while (length > 0 && plain[--length] != '/')
                continue;
        } else if (size > 0 && !em_slice_is(name, ".")) {
            plain[length++] = '/';
            memcpy(plain + length, path, size);
            length += size;
        }
        path += size + (path[size] == '/');
    }
    if (length == 0)
        plain[length++] = '/';
    plain[length] = '\0';
    return plain;
}

/* A file as the history has it: absolute, below the root as that is resolved. A relative one lies
 * in the first root. */
static em_status find_file(em_review *review, em_exchange *exchange, const char **path)
{
    const em_workspace *ws = em_session_workspace(review->session);
    const char *given = em_exchange_argument(exchange, "file");
    size_t root = 0;
    *path = NULL;
    if (!given)
        return EM_OK;
    const char *rel = *given == '/' ? em_ws_find_rel(ws, given, &root) : given;
    const char *whole = rel ? em_ws_join(ws, root, rel, &exchange->arena) : given;
    if (whole)
        *path = by_names(whole, &exchange->arena);
    return *path ? EM_OK : EM_E_NOMEM;
}

static em_status list_rows(em_review *review, em_exchange *exchange, em_rows *rows, bool *more,
                           em_error *err)
{
    size_t most = (size_t)em_review_number(exchange, "limit", EM_REVIEW_PAGE, EM_REVIEW_PAGE_MOST);
    em_past_filter filter = {.below = em_review_number(exchange, "before", 0, INT64_MAX),
                             .tool = em_exchange_argument(exchange, "tool"),
                             .client = em_exchange_argument(exchange, "client"),
                             .limit = most + 1};
    EM_TRY(find_file(review, exchange, &filter.path));
    EM_TRY(
        em_past_list(em_session_workspace(review->session), &filter, &exchange->arena, rows, err));
    *more = rows->count > most;
    rows->count -= *more;
    return EM_OK;
}

void em_review_list_edits(void *context, em_exchange *exchange)
{
    static const em_review_argument arguments[] = {
        {"before", true}, {"limit", true}, {"file", false}, {"tool", false}, {"client", false}};
    em_review *review = context;
    if (!em_review_query(exchange, arguments, sizeof arguments / sizeof *arguments))
        return;
    EM_REVIEW_HOLD(review);
    em_json json = {0};
    em_error err = EM_ERROR_INIT;
    em_rows rows = {0};
    bool more = false;
    json_t *list = em_json_array(&json);
    em_status status = list_rows(review, exchange, &rows, &more, &err);
    if (status == EM_OK)
        status = em_review_items(review, &rows, &exchange->arena, &json, list, &err);
    if (status != EM_OK) {
        json_decref(list);
        em_review_fail(exchange, status, &err);
        return;
    }
    json_t *object = em_json_object(&json);
    em_json_set(&json, object, "edits", list);
    em_json_set_bool(&json, object, "more", more);
    em_review_reply(exchange, &json, object);
}

/* ---- One of them ---------------------------------------------------------------------------- */

/* A change that is shown. */
typedef struct showing {
    em_review *review;
    em_arena *arena;
    em_row row;
    em_past_call call;
    em_shown shown;
    em_error *err;
} showing;

static em_status find_change(showing *s, const char *id)
{
    em_workspace *ws = em_session_workspace(s->review->session);
    EM_TRY(em_past_find(ws, id, false, s->arena, &s->row, s->err));
    EM_TRY(em_past_call_of(ws, &s->row, s->arena, &s->call, s->err));
    return em_show_change(s->review->session, &s->row, s->arena, &s->shown, s->err);
}

static void set_shown(showing *s, em_json *json, json_t *object)
{
    const em_shown *shown = &s->shown;
    em_json_set(json, object, "diff", em_review_diff(json, em_slice_of(shown->diff), s->arena));
    em_json_set_size(json, object, "lines_added", shown->lines_added);
    em_json_set_size(json, object, "lines_removed", shown->lines_removed);
    em_json_set_bool(json, object, "binary", shown->is_binary);
    em_json_set_bool(json, object, "recorded", !shown->not_recorded);
    em_json_set_size(json, object, "bytes_missing", shown->missing);
    em_json_set_bool(json, object, "lines_cut", shown->has_cut_lines);
}

/* The files that the same call changed, this one among them. */
static void set_siblings(showing *s, em_json *json, json_t *object)
{
    json_t *list = em_json_array(json);
    for (size_t i = 0; i < s->call.rows.count && i < EM_REVIEW_PAGE_MOST; i++) {
        const em_row *row = &s->call.rows.items[i];
        const char *path = em_row_path(row, s->arena);
        json_t *item = em_json_object(json);
        char id[64];
        em_row_show_id(row, id);
        em_json_set_string(json, item, "id", id);
        em_review_set_place(s->review, json, item, path ? path : "");
        em_json_add(json, list, item);
    }
    em_json_set(json, object, "files", list);
    em_json_set_size(json, object, "file_count", s->call.rows.count);
}

/* The request as it came, where this process remembers it. */
static void set_request(showing *s, em_json *json, json_t *object)
{
    em_noted_call noted;
    em_tier tier;
    uint64_t number = em_call_log_of_change(s->review->log, s->row.id, &tier);
    if (number > 0 && em_call_log_get(s->review->log, number, s->arena, &noted) == EM_OK)
        em_json_set(json, object, "call", em_review_call(json, &noted, true));
}

static em_status show(showing *s, em_json *json, json_t *object)
{
    em_rows rows = {&s->row, 1};
    json_t *items = em_json_array(json);
    em_json_set(json, object, "edits", items);
    EM_TRY(em_review_items(s->review, &rows, s->arena, json, items, s->err));
    set_shown(s, json, object);
    set_siblings(s, json, object);
    set_request(s, json, object);
    return EM_OK;
}

void em_review_at_edit(void *context, em_exchange *exchange)
{
    em_error err = EM_ERROR_INIT;
    em_json json = {0};
    showing s = {.review = context, .arena = &exchange->arena, .err = &err};
    EM_REVIEW_HOLD(s.review);
    json_t *object = em_json_object(&json);
    em_status status = find_change(&s, exchange->rest);
    if (status == EM_OK)
        status = show(&s, &json, object);
    if (status == EM_OK) {
        em_review_reply(exchange, &json, object);
        return;
    }
    json_decref(object);
    em_review_fail(exchange, status, &err);
}

/* ---- Undo and redo -------------------------------------------------------------------------- */

/* "ID/undo", "ID/redo". */
void em_review_change_edit(void *context, em_exchange *exchange)
{
    const char *slash = strchr(exchange->rest, '/');
    const char *verb = slash ? slash + 1 : "";
    bool again = strcmp(verb, "redo") == 0;
    if (!again && strcmp(verb, "undo") != 0) {
        em_reply_error(exchange, 404, "not_found", "there is no such thing to do with a change");
        return;
    }
    em_slice id = em_slice_make(exchange->rest, (size_t)(slash - exchange->rest));
    em_undo_request request = {.what = again ? EM_REDO : EM_UNDO,
                               .id = em_arena_string(&exchange->arena, id)};
    EM_AUTO(em_json_ref) body = em_review_undo_body(exchange, &request);
    if (!body)
        return;
    if (request.id)
        em_review_undo(context, exchange, request);
    else
        em_review_fail(exchange, EM_E_NOMEM, NULL);
}
