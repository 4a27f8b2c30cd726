/* review_marks.c: /api/checkpoints, and going back to one. */
#include "past/checkpoints.h"
#include "review/review_impl.h"

enum { MARKS_MOST = 500 };

/* ---- /api/checkpoints ----------------------------------------------------------------------- */

void em_review_list_marks(void *context, em_exchange *exchange)
{
    em_review *review = context;
    em_error err = EM_ERROR_INIT;
    em_checkpoints marks;
    if (!em_review_query(exchange, NULL, 0))
        return;
    EM_REVIEW_HOLD(review);
    em_status status =
        em_past_marks(em_session_workspace(review->session), &exchange->arena, &marks, &err);
    if (status != EM_OK) {
        em_review_fail(exchange, status, &err);
        return;
    }
    em_json json = {0};
    json_t *object = em_json_object(&json), *list = em_json_array(&json);
    for (size_t i = 0; i < marks.count && i < MARKS_MOST; i++) {
        json_t *mark = em_json_object(&json);
        em_json_set_text(&json, mark, "name", em_slice_of(marks.items[i].name));
        em_json_set_time(&json, mark, marks.items[i].time_ms);
        em_json_set(&json, mark, "after", json_integer(marks.items[i].id));
        em_json_set_bool(&json, mark, "has_way_back", marks.items[i].is_whole);
        em_json_add(&json, list, mark);
    }
    em_json_set(&json, object, "checkpoints", list);
    em_review_reply(exchange, &json, object);
}

void em_review_add_mark(void *context, em_exchange *exchange)
{
    static const em_review_member members[] = {{"name", false}};
    em_review *review = context;
    em_error err = EM_ERROR_INIT;
    EM_AUTO(em_json_ref) body = em_review_body(exchange, members, sizeof members / sizeof *members);
    if (!body)
        return;
    const char *name = em_review_string(body, "name");
    if (!name || !*name || strlen(name) > EM_CHECKPOINT_NAME) {
        em_reply_error(exchange, 400, "bad_name", "a checkpoint needs a name of 1 to %d bytes",
                       EM_CHECKPOINT_NAME);
        return;
    }
    em_status status;
    {
        EM_REVIEW_HOLD(review);
        status = review->read_only
                     ? em_fail(&err, EM_E_DENIED, "this server only reads")
                     : em_past_mark(em_session_workspace(review->session), name, &err);
    }
    if (status != EM_OK) {
        em_review_fail(exchange, status, &err);
        return;
    }
    em_json json = {0};
    em_review_post(review, "checkpoints", &json, NULL);
    em_reply_empty(exchange, 204);
}

/* ---- Rewind --------------------------------------------------------------------------------- */

/* "NAME/rewind"; a name may hold slashes. */
void em_review_rewind(void *context, em_exchange *exchange)
{
    em_slice rest = em_slice_of(exchange->rest), verb = EM_LIT("/rewind");
    if (rest.len <= verb.len || !em_slice_eq(em_slice_from(rest, rest.len - verb.len), verb)) {
        em_reply_error(exchange, 404, "not_found",
                       "there is no such thing to do with a checkpoint");
        return;
    }
    em_slice name = em_slice_sub(rest, 0, rest.len - verb.len);
    em_undo_request request = {.what = EM_REWIND,
                               .checkpoint = em_arena_string(&exchange->arena, name)};
    EM_AUTO(em_json_ref) body = em_review_undo_body(exchange, &request);
    if (!body)
        return;
    if (request.checkpoint)
        em_review_undo(context, exchange, request);
    else
        em_review_fail(exchange, EM_E_NOMEM, NULL);
}
